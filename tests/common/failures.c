/* Every test here fails, on purpose: failures.expected holds what must then be read. */
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "todo.h"
#include "unity.h"

#include <math.h>

TEST(expect, a_wrong_cell_is_named_and_both_sides_are_shown) {
    NEW_MATRIX_OF(right, 2, 3, {0.25, 0.25, 0.5}, {0.4, 0.4, 0.2});
    NEW_MATRIX_OF(weights, 2, 3, {0.25, 0.25, 0.5}, {0.4, 0.4, 0.5});
    EXPECT_MATRIX(2, 3, right, weights, 1e-4);
}

TEST(expect, numbers_alike_at_four_decimals_are_shown_in_full) {
    double third = 0.33334;
    EXPECT_NUMBER(0.33333333333, third, 1e-9);
}

TEST(expect, a_sum_that_is_nearly_1_is_shown_in_full) {
    NEW_VECTOR_OF(right, 2, 0.25, 0.75);
    NEW_VECTOR_OF(weights, 2, 0.25, 0.75001);
    EXPECT_VECTOR(2, right, weights, 1e-9);
}

TEST(expect, a_nan_is_never_right) {
    NEW_VECTOR_OF(right, 2, 1.0, NAN);
    NEW_VECTOR_OF(out, 2, 1.0, NAN);
    EXPECT_VECTOR(2, right, out, 1e9);
}

TEST(expect, an_unset_cell_is_told) {
    NEW_VECTOR_FILLED(right, 3, 1.0);
    NEW_VECTOR(out, 3);
    out[0] = out[1] = 1.0;
    EXPECT_VECTOR(3, right, out, 1e-9);
}

TEST(expect, a_cell_of_which_some_bytes_are_written_is_told) {
    NEW_VECTOR_FILLED(right, 3, 1.0);
    NEW_VECTOR(out, 3);
    memcpy(out, right, sizeof *out + 3);
    EXPECT_VECTOR(3, right, out, 1e-9);
}

TEST(expect, a_cell_that_was_read_too_early_is_told) {
    NEW_VECTOR_FILLED(right, 2, 1.5);
    NEW_VECTOR(out, 2);
    out[0] = 1.5;
    out[1] += 1.5;
    EXPECT_VECTOR(2, right, out, 1e-9);
}

TEST(expect, whole_numbers_are_shown_without_decimals) {
    NEW_VECTOR_OF(right, 3, 5, -1, 3);
    NEW_VECTOR_OF(words, 3, 5, 0, 3);
    EXPECT_VECTOR(3, right, words, 0.0);
}

TEST(expect, an_output_left_alone_is_told) {
    NEW_VECTOR_FILLED(right, 5, 1.0);
    NEW_VECTOR(out, 5);
    EXPECT_VECTOR(5, right, out, 1e-9);
}

TEST(expect, a_wrong_cell_of_a_mask_is_named) {
    NEW_MASK_OF(right, 2, 2, {0, 1}, {0, 0});
    NEW_MASK_OF(blocked, 2, 2, {1, 0}, {1, 1});
    EXPECT_MASK(2, 2, right, blocked);
}

TEST(expect, an_unset_cell_of_a_mask_is_told) {
    NEW_MASK_OF(right, 1, 2, {0, 1});
    NEW_MASK(blocked, 1, 2);
    blocked[0][0] = false;
    EXPECT_MASK(1, 2, right, blocked);
}

TEST(expect, floats_are_shown_beside_doubles_and_never_blamed_for_being_floats) {
    NEW_VECTOR_OF(right, 3, 0.1, 0.2, 0.3);
    NEW_FLOAT_VECTOR(out, 3);
    out[0] = 0.1f;
    out[1] = 0.2f;
    out[2] = 0.3000003f;
    EXPECT_FLOATS(dims_of_rows(0, 3), right, out, 1e-7);
}

TEST(expect, a_float_that_was_never_set_is_told) {
    NEW_VECTOR_OF(right, 2, 1, 2);
    NEW_FLOAT_VECTOR(out, 2);
    out[0] = 1.0f;
    EXPECT_FLOATS(dims_of_rows(0, 2), right, out, 1e-6);
}

TEST(expect, where_rows_of_floats_begin_to_be_wrong_is_told) {
    NEW_MATRIX_OF(right, 4, 2, {1, 2}, {3, 4}, {5, 6}, {7, 9});
    NEW_FLOAT_MATRIX_OF(out, 4, 2, {1, 2}, {3, 4}, {5, 1}, {2, 8});
    EXPECT_FLOATS(dims_of_rows(4, 2), right, out, 1e-6);
}

TEST(expect, where_columns_of_floats_begin_to_be_right_is_told) {
    NEW_MATRIX_OF(right, 2, 3, {1, 2, 3}, {4, 5, 7});
    NEW_FLOAT_MATRIX_OF(out, 2, 3, {9, 8, 3}, {5, 3, 7});
    EXPECT_FLOATS(dims_of_rows(2, 3), right, out, 1e-6);
}

TEST(expect, a_head_in_the_place_of_another_is_told) {
    static const double right[] = {1, 2, 3, 5, 6, 8};
    NEW_FLOATS(out, 3, 1, 2);
    memcpy(out, (float[]){3, 5, 1, 9, 6, 7}, sizeof(float[6]));
    BECAUSE("Three heads share two of keys.");
    EXPECT_FLOATS(dims_of(3, 3, 1, 2, 1), right, out, 1e-6);
}

TEST(expect, heads_of_floats_that_were_never_set_are_told) {
    static const double right[] = {1, 2, 3, 5, 6, 8};
    NEW_FLOATS(out, 3, 1, 2);
    memcpy(out, (float[]){1, 2}, sizeof(float[2]));
    BECAUSE("Three heads share two of keys.");
    EXPECT_FLOATS(dims_of(3, 3, 1, 2, 1), right, out, 1e-6);
}

TEST(expect, a_gradient_that_was_overwritten_is_told) {
    NEW_MATRIX_OF(gained, 1, 2, {1, 2});
    NEW_MATRIX_OF(d_Q, 1, 2, {1, 2});
    EXPECT_ADDED(1, 2, 10, gained, d_Q);
}

TEST(expect, what_a_test_is_about_is_told_once) {
    double answer = 2.0;
    BECAUSE_IF(answer < 0, "Not said: it does not hold.");
    BECAUSE_IF(answer > 0, "The answer is %g.", answer);
    BECAUSE("Not said: another comes first.");
    EXPECT_NUMBER(1.0, answer, 1e-9);
}

TEST(expect, what_a_test_is_about_counts_for_one_expectation_only) {
    double right = 1.0, answer = 2.0;
    BECAUSE("Stale.");
    EXPECT_NUMBER(1.0, right, 1e-9);
    EXPECT_NUMBER(1.0, answer, 1e-9);
}

TEST(expect, numbers_of_the_other_sign_are_told) {
    NEW_VECTOR_OF(right, 3, 1, 2, 3);
    NEW_VECTOR_OF(d_x, 3, -1, -2, -3);
    EXPECT_VECTOR(3, right, d_x, 1e-9);
}

TEST(expect, numbers_in_proportion_are_told) {
    NEW_VECTOR_OF(right, 3, 1, 2, 0);
    NEW_VECTOR_OF(scores, 3, 0.5, 1, 0);
    EXPECT_VECTOR(3, right, scores, 1e-9);
}

TEST(expect, numbers_that_are_too_large_by_one_amount_are_told) {
    NEW_VECTOR_OF(right, 3, 1, 2, 4);
    NEW_VECTOR_OF(scores, 3, 1.5, 2.5, 4.5);
    EXPECT_VECTOR(3, right, scores, 1e-9);
}

TEST(expect, rows_for_columns_are_told) {
    NEW_MATRIX_OF(right, 2, 2, {1, 2}, {3, 4});
    NEW_MATRIX_OF(scores, 2, 2, {1, 3}, {2, 4});
    EXPECT_MATRIX(2, 2, right, scores, 1e-9);
}

TEST(expect, a_function_of_the_right_numbers_is_told) {
    NEW_VECTOR_OF(right, 3, 1, 2, 3);
    NEW_VECTOR_OF(scores, 3, 1, 4, 9);
    EXPECT_VECTOR(3, right, scores, 1e-9);
}

TEST(expect, nothing_is_said_of_1_divided_by_0) {
    NEW_VECTOR_OF(right, 3, -1, -0.5, 0);
    NEW_VECTOR_OF(bias, 3, -1, -2, -3);
    EXPECT_VECTOR(3, right, bias, 1e-9);
}

TEST(expect, nothing_is_asked_about_a_first_row_with_one_number) {
    NEW_MATRIX_OF(right, 2, 2, {1, 0}, {3, 5});
    NEW_MATRIX_OF(out, 2, 2, {1, 0}, {4, 7});
    EXPECT_MATRIX(2, 2, right, out, 1e-9);
}

TEST(expect, one_row_in_place_of_all_is_told) {
    NEW_MATRIX_OF(right, 2, 2, {1, 2}, {3, 5});
    NEW_MATRIX_OF(out, 2, 2, {1, 2}, {1, 2});
    EXPECT_MATRIX(2, 2, right, out, 1e-9);
}

TEST(expect, rows_in_another_order_are_told) {
    NEW_MATRIX_OF(right, 3, 2, {1, 2}, {3, 5}, {4, 4});
    NEW_MATRIX_OF(out, 3, 2, {1, 2}, {4, 4}, {3, 5});
    EXPECT_MATRIX(3, 2, right, out, 1e-9);
}

static double square_of(void *x) {
    return *(double *)x * *(double *)x;
}

TEST(todo, a_todo_is_not_a_failure) {
    TODO("write it");
}

TEST(lesson_test, a_test_that_was_left_has_not_passed) {
    TEST_PASS();
}

TEST(expect, a_row_of_zeros_is_lost_and_not_moved) {
    NEW_MATRIX_OF(right, 3, 2, {0, 0}, {3, 5}, {4, 4});
    NEW_MATRIX_OF(out, 3, 2, {0, 0}, {0, 0}, {4, 4});
    EXPECT_MATRIX(3, 2, right, out, 1e-9);
}

TEST(expect, numbers_written_by_columns_are_told) {
    NEW_MATRIX_OF(right, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(scores, 2, 3, {1, 4, 2}, {5, 3, 6});
    EXPECT_MATRIX(2, 3, right, scores, 1e-9);
}

TEST(expect, numbers_in_another_place_are_told) {
    NEW_MATRIX_OF(right, 1, 5, {1, 0, 3, 0, 4});
    NEW_MATRIX_OF(out, 1, 5, {1, 3, 4, 0, 0});
    EXPECT_MATRIX(1, 5, right, out, 1e-9);
}

TEST(expect, the_factor_of_the_wrong_numbers_is_told) {
    NEW_MATRIX_OF(right, 2, 4, {1, 2, 3, 4}, {5, 7, 9, 8});
    NEW_MATRIX_OF(out, 2, 4, {1, 2, 3, 4}, {10, 14, 18, 8});
    EXPECT_MATRIX(2, 4, right, out, 1e-9);
}

TEST(expect, columns_that_sum_to_1_are_told) {
    NEW_MATRIX_OF(right, 2, 2, {0.5, 0.5}, {0.25, 0.75});
    NEW_MATRIX_OF(weights, 2, 2, {0.4, 0.9}, {0.6, 0.1});
    EXPECT_MATRIX(2, 2, right, weights, 1e-9);
}

TEST(expect, one_wrong_column_is_told) {
    NEW_MATRIX_OF(right, 3, 2, {1, 2}, {3, 4}, {5, 7});
    NEW_MATRIX_OF(out, 3, 2, {1, 0}, {3, 9}, {5, 8});
    EXPECT_MATRIX(3, 2, right, out, 1e-9);
}

TEST(expect, a_row_that_does_not_sum_to_1_is_told) {
    NEW_MATRIX_FILLED(right, 2, 2, 0.5);
    NEW_MATRIX_OF(weights, 2, 2, {0.5, 0.5}, {0.5, 0.81});
    EXPECT_MATRIX(2, 2, right, weights, 1e-9);
}

TEST(expect, a_result_off_the_scale_is_told) {
    double answer = -5.3e303;
    EXPECT_NUMBER(1.0, answer, 1e-9);
}

TEST(expect, a_result_rounded_like_a_float_is_told) {
    double right = 0.1, answer = 0.1f;
    EXPECT_NUMBER(right, answer, 1e-12);
}

TEST(expect, numbers_have_as_many_digits_as_it_takes) {
    NEW_MATRIX_OF(right, 2, 2, {4.72876405568, -3.1}, {0, 12345});
    NEW_MATRIX_OF(d_X, 2, 2, {4.72876497195, -3.1}, {0, 12346});
    EXPECT_MATRIX(2, 2, right, d_X, 1e-9);
}

TEST(expect, a_number_that_is_all_but_0_is_told_from_it) {
    double total = 0.0, answer = -1e-9;
    EXPECT_NUMBER(total, answer, 1e-12);
}

TEST(expect, numbers_that_agree_in_twelve_digits_are_told_from_each_other) {
    double right = 1.0, answer = 1.0 + 4e-16;
    EXPECT_NUMBER(right, answer, 0.0);
}

TEST(expect, weights_of_larger_scores_are_told) {
    NEW_MATRIX_OF(right, 2, 3, {0.0900, 0.2447, 0.6652}, {0.5761, 0.2119, 0.2119});
    NEW_MATRIX_OF(weights, 2, 3, {0.0159, 0.1173, 0.8668}, {0.7870, 0.1065, 0.1065});
    EXPECT_MATRIX(2, 3, right, weights, 1e-4);
}

TEST(expect, a_property_is_told_in_its_own_words) {
    EXPECT_THAT(1 > 2, "weights[%d] is %g; weights are positive", 3, -0.5);
}

TEST(expect, a_wrong_gradient_is_shown_beside_the_measured_one) {
    NEW_VECTOR_OF(measured, 3, 0.1, -0.2, 0.1);
    NEW_VECTOR_OF(d_scores, 3, 0.1, 0.0, 0.1);
    EXPECT_GRADIENT(0, 3, measured, d_scores, 1e-6);
}

TEST(expect, a_gradient_of_zeros_is_not_right) {
    NEW_VECTOR_FILLED(measured, 2, 0.0);
    NEW_VECTOR_FILLED(d_scores, 2, 0.0);
    EXPECT_GRADIENT(0, 2, measured, d_scores, 1e-6);
}

TEST(expect, of_many_rows_those_that_differ_are_shown) {
    NEW_MATRIX_FILLED(right, 12, 2, 1.0);
    NEW_MATRIX_LIKE(out, 12, 2, right);
    out[1][0] = out[4][1] = 2.0;
    for (int i = 6; i < 12; i++)
        out[i][0] = i;
    EXPECT_MATRIX(12, 2, right, out, 1e-9);
}

TEST(expect, of_many_wide_rows_two_are_shown) {
    NEW_MATRIX_FILLED(right, 5, 4, 1.5);
    NEW_MATRIX_LIKE(out, 5, 4, right);
    for (int i = 0; i < 4; i++)
        out[i][i] = i;
    EXPECT_MATRIX(5, 4, right, out, 1e-9);
}

TEST(expect, of_blocks_the_matrices_that_differ_are_shown) {
    const struct dims dims = dims_of(4, 2, 3, 2, 3);
    double(*right)[3][2][3] = fill(36, 0.5, array_new("right", dims));
    double(*Q)[3][2][3] = array_copy("Q", dims, right);
    Q[0][2][1][0] = Q[1][0][0][2] = Q[1][1][0][0] = 7;
    expect_array(__LINE__, "Q", dims, right, Q, 1e-9);
}

TEST(expect, a_row_of_a_block_that_does_not_sum_to_1_is_told) {
    NEW_BLOCK_FILLED(right, 2, 2, 2, 0.5);
    NEW_BLOCK_LIKE(weights, 2, 2, 2, right);
    weights[1][0][1] = 0.81;
    EXPECT_BLOCK(2, 2, 2, right, weights, 1e-9);
}

TEST(expect, a_gradient_of_a_block_that_was_overwritten_is_told) {
    NEW_BLOCK_FILLED(gained, 1, 2, 2, 3.0);
    NEW_BLOCK_LIKE(d_heads, 1, 2, 2, gained);
    expect_array_added(__LINE__, "d_heads", dims_of(3, 1, 2, 2, 1), 10, gained, d_heads);
}

TEST(expect, a_wrong_gradient_of_a_block_is_named) {
    NEW_BLOCK_FILLED(measured, 2, 1, 2, 0.25);
    NEW_BLOCK_LIKE(d_heads, 2, 1, 2, measured);
    d_heads[1][0][1] = -0.5;
    expect_array_gradient(__LINE__, "d_heads", dims_of(3, 2, 1, 2, 1), measured, d_heads, 1e-6);
}

TEST(expect, a_gradient_is_what_nudging_measures) {
    NEW_VECTOR_OF(x, 1, 3);
    NEW_VECTOR_OF(d_x, 1, 6);
    EXPECT_NUDGED(square_of, x, 0, 1, x, d_x);
    d_x[0] = 5;
    EXPECT_NUDGED(square_of, x, 0, 1, x, d_x);
}

TEST(expect, a_gradient_that_was_scaled_with_what_it_held_is_told) {
    NEW_VECTOR_OF(gained, 3, 1, 2, 4);
    NEW_VECTOR_OF(d_scores, 3, 6, 7, 9);
    EXPECT_ADDED(0, 3, 10, gained, d_scores);
}
