/* The parts that every lesson stands on. What a failed expectation prints is in failures.c. */
#include "columns.h"
#include "expect.h"
#include "gradcheck.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "room.h"
#include "statics.h"
#include "unity.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- matrix --------------------------------------------------------------------------------- */

TEST(matrix, a_new_matrix_is_unset_in_every_cell) {
    NEW_MATRIX(A, 3, 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            TEST_ASSERT_TRUE(is_unset(A[i][j]));
}

TEST(matrix, unset_is_told_from_other_numbers) {
    TEST_ASSERT_FALSE(is_unset(NAN));
    TEST_ASSERT_FALSE(is_unset(0.0));
    TEST_ASSERT_FALSE(is_unset(INFINITY));
}

TEST(matrix, adding_to_unset_leaves_a_trace) {
    NEW_VECTOR(x, 1);
    TEST_ASSERT_FALSE(is_made_of_unset(x[0]));
    x[0] += 3.0;
    TEST_ASSERT_FALSE(is_unset(x[0]));
    TEST_ASSERT_TRUE(is_made_of_unset(x[0]));
    x[0] = -x[0];
    TEST_ASSERT_TRUE(is_made_of_unset(x[0]));
    TEST_ASSERT_FALSE(is_made_of_unset(NAN));
}

TEST(matrix, a_number_that_is_written_in_part_is_told_from_both) {
    const double zero = 0.0;
    NEW_VECTOR(x, 2);
    for (size_t bytes = 1; bytes < 7; bytes++) {
        NEW_VECTOR(cut, 1);
        memcpy(cut, &zero, bytes);
        TEST_ASSERT_TRUE(is_partly_set(*cut) || isinf(*cut));
        TEST_ASSERT_FALSE(is_unset(*cut) || is_made_of_unset(*cut));
    }
    memcpy(x, &zero, 4);
    TEST_ASSERT_TRUE(is_made_of_unset(x[0] + 1.0));
    TEST_ASSERT_FALSE(is_partly_set(x[0] + 1.0) || is_partly_set(x[1]) ||
                      is_partly_set(x[1] + 1.0));
    TEST_ASSERT_FALSE(is_partly_set(NAN) || is_partly_set(INFINITY) || is_partly_set(zero));
}

static int shown;
static void count_matrix(const char *name, struct dims dims, const double *numbers) {
    static const char *const names[] = {"A", "x"};
    TEST_ASSERT_EQUAL_STRING(names[shown], name);
    TEST_ASSERT_EQUAL_INT(shown == 0 ? 2 : 1, dims.rank);
    TEST_ASSERT_EQUAL_INT(3, dims_cols(dims));
    TEST_ASSERT_TRUE(numbers[0] == 1.0);
    shown++;
}

static int all_shown;
static void count_all(const char *name, struct dims dims, const double *numbers) {
    (void)name, (void)dims, (void)numbers;
    all_shown++;
}

TEST(matrix, matrices_made_before_another_come_in_order) {
    shown = 0;
    vector_new("x", 5); /* of an earlier round of the test */
    NEW_MATRIX_FILLED(A, 2, 3, 1.0);
    NEW_VECTOR_FILLED(x, 3, 1.0);
    NEW_VECTOR(out, 2);
    NEW_VECTOR(later, 2);
    matrix_each_before(out, count_matrix);
    TEST_ASSERT_EQUAL_INT(2, shown);
    TEST_ASSERT_TRUE(A[0][0] == x[0] && is_unset(later[0]));
    all_shown = 0;
    matrix_each_before(NULL, count_all);
    TEST_ASSERT_EQUAL_INT(4, all_shown); /* A, x, out and later */
}

TEST(matrix, a_matrix_of_numbers_holds_them_by_rows) {
    NEW_MATRIX_OF(A, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_LIKE(B, 2, 3, A);
    NEW_VECTOR_FILLED(x, 4, 0.5);
    TEST_ASSERT_TRUE(A[1][0] == 4.0 && A[0][2] == 3.0);
    A[1][0] = 9.0;
    TEST_ASSERT_TRUE(B[1][0] == 4.0 && x[3] == 0.5);
}

TEST(matrix, an_address_is_found_in_and_beside_its_matrix) {
    struct matrix_place place;
    NEW_MATRIX(A, 2, 3);
    TEST_ASSERT_TRUE(matrix_at(&A[1][2], &place));
    TEST_ASSERT_EQUAL_STRING("A", place.name);
    TEST_ASSERT_EQUAL_INT(2, dims_rows(place.dims));
    TEST_ASSERT_EQUAL_INT(3, dims_cols(place.dims));
    TEST_ASSERT_EQUAL_INT(5, place.index);
    TEST_ASSERT_TRUE(matrix_at(&A[2][0], &place));
    TEST_ASSERT_EQUAL_INT(6, place.index);
    TEST_ASSERT_TRUE(matrix_at((char *)A - 1, &place));
    TEST_ASSERT_EQUAL_INT(-1, place.index);
}

TEST(matrix, an_address_far_from_every_matrix_is_not_found) {
    struct matrix_place place;
    NEW_VECTOR(x, 2);
    TEST_ASSERT_FALSE(matrix_at((char *)x + 100000, &place));
    TEST_ASSERT_FALSE(matrix_at(NULL, &place));
}

TEST(matrix, a_new_mask_is_unset_until_it_is_written) {
    NEW_MASK(blocked, 2, 3);
    blocked[1][0] = true;
    blocked[1][2] = false;
    const double(*numbers)[3] = mask_numbers("numbers", 2, 3, blocked);
    TEST_ASSERT_TRUE(is_unset(numbers[0][0]) && is_unset(numbers[1][1]));
    TEST_ASSERT_TRUE(numbers[1][0] == 1.0 && numbers[1][2] == 0.0);
}

TEST(matrix, floats_are_unset_until_they_are_written_and_shown_as_doubles) {
    NEW_FLOAT_MATRIX(A, 2, 2);
    A[0][1] = 0.5f;
    A[1][0] += 3.0f;
    uint32_t never = 0xfefefefe; /* gcc's pattern for a variable that was never set */
    memcpy(&A[1][1], &never, sizeof never);
    const double(*numbers)[2] = widened("numbers", dims_of_rows(2, 2), A);
    TEST_ASSERT_TRUE(is_unset(numbers[0][0]) && numbers[0][1] == 0.5);
    TEST_ASSERT_TRUE(is_made_of_unset(numbers[1][0]) && is_never_set(numbers[1][1]));
}

TEST(matrix, an_address_beside_floats_is_counted_in_floats) {
    struct matrix_place place;
    NEW_FLOATS(heads, 2, 3, 4);
    TEST_ASSERT_TRUE(matrix_at(&heads[1][2][3] + 1, &place));
    TEST_ASSERT_EQUAL_STRING("heads", place.name);
    TEST_ASSERT_EQUAL_INT(24, place.index);
}

TEST(matrix, a_mask_of_cells_holds_them_by_rows) {
    NEW_MASK_OF(blocked, 2, 2, {0, 1}, {1, 1});
    NEW_MASK_FILLED(all, 2, 3, true);
    TEST_ASSERT_TRUE(!blocked[0][0] && blocked[0][1] && blocked[1][0]);
    TEST_ASSERT_TRUE(all[0][0] && all[1][2]);
}

TEST(matrix, an_address_beside_a_mask_is_counted_in_its_cells) {
    struct matrix_place place;
    NEW_MASK(blocked, 2, 3);
    TEST_ASSERT_TRUE(matrix_at(&blocked[1][2], &place));
    TEST_ASSERT_EQUAL_STRING("blocked", place.name);
    TEST_ASSERT_EQUAL_INT(5, place.index);
    TEST_ASSERT_TRUE(matrix_at((char *)blocked - 1, &place));
    TEST_ASSERT_EQUAL_INT(-1, place.index);
}

TEST(matrix, a_block_is_an_array_of_matrices) {
    NEW_BLOCK(hidden, 2, 3, 4);
    struct matrix_place place;
    TEST_ASSERT_TRUE(matrix_at(&hidden[1][2][3], &place));
    TEST_ASSERT_EQUAL_INT(3, place.dims.rank);
    TEST_ASSERT_EQUAL_INT(6, dims_rows(place.dims));
    TEST_ASSERT_EQUAL_INT(23, place.index);
    TEST_ASSERT_TRUE(matrix_begins(hidden) && !matrix_begins(&hidden[1]));
    TEST_ASSERT_TRUE(is_unset(hidden[1][2][3]));
}

TEST(matrix, blocks_have_four_indices_and_are_copied_and_filled) {
    const struct dims dims = dims_of(4, 2, 3, 2, 4);
    double(*heads)[3][2][4] = fill(48, 0.5, array_new("heads", dims));
    heads[1][2][1][3] = 7.0;
    double(*copy)[3][2][4] = array_copy("copy", dims, heads);
    NEW_BLOCK_FILLED(head, 3, 2, 4, 2.5);
    NEW_BLOCK_LIKE(again, 3, 2, 4, copy[1]);
    double(*unset)[2][1][2] = array_new("unset", dims_of(4, 1, 2, 1, 2));
    struct matrix_place place;
    TEST_ASSERT_TRUE(matrix_at(&heads[1][2][1][3], &place));
    TEST_ASSERT_EQUAL_INT(4, place.dims.rank);
    TEST_ASSERT_EQUAL_INT(47, place.index);
    TEST_ASSERT_TRUE(copy[1][2][1][3] == 7.0 && copy[0][0][0][0] == 0.5);
    TEST_ASSERT_TRUE(head[2][1][3] == 2.5 && again[2][1][3] == 7.0);
    TEST_ASSERT_TRUE(is_unset(unset[0][1][0][1]));
}

static void expect_place(const char *place, struct dims dims, int indices, long index) {
    char text[100];
    TEST_ASSERT_EQUAL_STRING(place, dims_place(text, sizeof text, "Q", dims, indices, index));
}

TEST(matrix, places_are_named_by_their_indices) {
    const struct dims blocks = dims_of(4, 2, 3, 2, 4);
    expect_place("Q[1][2][1][3]", blocks, 4, 47);
    expect_place("Q[1][0]", blocks, 2, 24);
    expect_place("Q[2][0][0][0]", blocks, 4, 48); /* behind its end */
    expect_place("Q[-1][2][1][3]", blocks, 4, -1);
    expect_place("Q[0][2][1]", dims_of(3, 2, 3, 4, 1), 3, 9);
    expect_place("Q[1][2]", dims_of_rows(2, 3), 2, 5);
    expect_place("Q[-1]", dims_of_rows(0, 3), 1, -1);
    expect_place("Q", dims_of_rows(0, 0), 0, 0);
}

/* --- random --------------------------------------------------------------------------------- */

TEST(random, the_same_seed_gives_the_same_numbers) {
    struct random a = random_seed(7), b = random_seed(7), c = random_seed(8);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        double x = random_normal(&a);
        TEST_ASSERT_TRUE(x == random_normal(&b));
        differs = differs || x != random_normal(&c);
    }
    TEST_ASSERT_TRUE(differs);
}

TEST(random, the_first_numbers_are_the_same_on_every_machine) {
    struct random r = random_seed(1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-15, 0.5665615751722809, random_uniform(&r));
}

TEST(random, uniform_numbers_fill_zero_to_one_evenly) {
    struct random r = random_seed(3);
    int bins[10] = {0};
    for (int i = 0; i < 100000; i++) {
        double x = random_uniform(&r);
        TEST_ASSERT_TRUE(x >= 0.0 && x < 1.0);
        bins[(int)(x * 10)]++;
    }
    for (int i = 0; i < 10; i++)
        TEST_ASSERT_INT_WITHIN(400, 10000, bins[i]);
}

TEST(random, normal_numbers_have_mean_0_and_variance_1) {
    enum { N = 200000 };
    struct random r = random_seed(4);
    double sum = 0.0, squares = 0.0, fourth = 0.0;
    for (int i = 0; i < N; i++) {
        double x = random_normal(&r);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.0, sum / N);
    TEST_ASSERT_DOUBLE_WITHIN(0.02, 1.0, squares / N);
    TEST_ASSERT_DOUBLE_WITHIN(0.15, 3.0, fourth / N);
}

TEST(random, below_reaches_every_number_and_no_other) {
    struct random r = random_seed(5);
    bool seen[5] = {false};
    for (int i = 0; i < 1000; i++) {
        int k = random_below(&r, 5);
        TEST_ASSERT_TRUE(k >= 0 && k < 5);
        seen[k] = true;
    }
    for (int k = 0; k < 5; k++)
        TEST_ASSERT_TRUE(seen[k]);
}

/* --- product -------------------------------------------------------------------------------- */

TEST(product, the_three_products_agree_with_numbers_by_hand) {
    NEW_MATRIX_OF(A, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(B, 3, 2, {1, 0}, {2, -1}, {0, 3});
    NEW_MATRIX_OF(B_rows, 2, 3, {1, 2, 0}, {0, -1, 3});
    NEW_MATRIX_OF(A_columns, 3, 2, {1, 4}, {2, 5}, {3, 6});
    NEW_MATRIX_OF(right, 2, 2, {5, 7}, {14, 13});
    NEW_MATRIX(C, 2, 2);
    product(2, 3, 2, A, B, C);
    EXPECT_MATRIX(2, 2, right, C, 0);
    product_by_rows(2, 3, 2, A, B_rows, C);
    EXPECT_MATRIX(2, 2, right, C, 0);
    product_by_columns(2, 3, 2, A_columns, B, C);
    EXPECT_MATRIX(2, 2, right, C, 0);
}

TEST(product, whatever_holds_numbers_is_added_and_scaled) {
    NEW_MATRIX_OF(A, 2, 2, {1, 2}, {3, 4});
    NEW_VECTOR_OF(x, 4, 1, 0, -1, 2);
    TEST_ASSERT_TRUE(sum_of_products(4, A, x) == 6.0);
    add_into(4, x, A);
    TEST_ASSERT_TRUE(A[0][0] == 2.0 && A[1][1] == 6.0);
    scale_into(4, 0.5, A, x);
    TEST_ASSERT_TRUE(x[0] == 1.0 && x[3] == 3.0 && A[1][1] == 6.0);
}

/* --- gradcheck ------------------------------------------------------------------------------ */

/* x0^3 + 2 x0 x1, whose gradient is (3 x0^2 + 2 x1, 2 x0). */
static double cubic(void *context) {
    const double *x = context;
    return x[0] * x[0] * x[0] + 2.0 * x[0] * x[1];
}

static double constant(void *context) {
    (void)context;
    return 4.0;
}

TEST(gradcheck, nudging_measures_a_gradient) {
    double x[2] = {1.5, -0.5}, measured[2];
    numeric_gradient(cubic, x, 2, x, measured);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 5.75, measured[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-9, 3.0, measured[1]);
}

TEST(gradcheck, nudging_puts_the_input_back_bit_for_bit) {
    double x[2] = {0.1, 0.2}, measured[2];
    numeric_gradient(cubic, x, 2, x, measured);
    TEST_ASSERT_TRUE(x[0] == 0.1 && x[1] == 0.2);
}

TEST(gradcheck, the_right_gradient_is_accepted) {
    double x[2] = {1.5, -0.5}, measured[2], right[2] = {5.75, 3.0};
    numeric_gradient(cubic, x, 2, x, measured);
    struct gradcheck check = gradcheck(2, right, measured, 1e-6);
    TEST_ASSERT_TRUE(check.ok);
    TEST_ASSERT_EQUAL_STRING("", check.reason);
}

TEST(gradcheck, a_wrong_gradient_is_rejected_at_its_worst_element) {
    double measured[3] = {1.0, 2.0, 3.0}, wrong[3] = {1.0, 2.1, 6.0};
    struct gradcheck check = gradcheck(3, wrong, measured, 1e-6);
    TEST_ASSERT_FALSE(check.ok);
    TEST_ASSERT_EQUAL_INT(2, check.worst);
    TEST_ASSERT_NOT_NULL(strstr(check.reason, "not what nudging"));
}

TEST(gradcheck, a_gradient_a_thousandth_off_is_rejected) {
    double measured[1] = {1.0}, wrong[1] = {1.001};
    TEST_ASSERT_FALSE(gradcheck(1, wrong, measured, 1e-6).ok);
}

TEST(gradcheck, an_all_zero_gradient_is_rejected) {
    double x[2] = {1.0, 2.0}, measured[2], zero[2] = {0.0, 0.0};
    numeric_gradient(constant, x, 2, x, measured);
    struct gradcheck check = gradcheck(2, zero, measured, 1e-6);
    TEST_ASSERT_FALSE(check.ok);
    TEST_ASSERT_NOT_NULL(strstr(check.reason, "every gradient is 0"));
}

TEST(gradcheck, a_nan_is_rejected_on_either_side) {
    double good[3] = {1.0, 2.0, 3.0}, bad[3] = {1.0, NAN, 3.0};
    struct gradcheck check = gradcheck(3, bad, good, 1e-6);
    TEST_ASSERT_FALSE(check.ok);
    TEST_ASSERT_EQUAL_INT(1, check.worst);
    TEST_ASSERT_FALSE(gradcheck(3, good, bad, 1e-6).ok);
    TEST_ASSERT_FALSE(gradcheck(3, bad, bad, 1e-6).ok);
}

TEST(gradcheck, an_infinite_gradient_is_rejected) {
    double good[1] = {1.0}, bad[1] = {INFINITY};
    TEST_ASSERT_FALSE(gradcheck(1, bad, good, 1e-6).ok);
    TEST_ASSERT_FALSE(gradcheck(1, bad, bad, 1e-6).ok);
}

/* --- columns -------------------------------------------------------------------------------- */

TEST(columns, a_table_is_names_then_labelled_rows) {
    char folder[] = "/tmp/columnsXXXXXX", path[64], text[200] = "";
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    FILE *table = columns_open(folder, "t.dat", "word a b");
    columns_row(table, "the cat", 2, (const double[]){1.0, 0.25});
    columns_gap(table);
    columns_row(table, NULL, 2, (const double[]){-2.0, -NAN});
    columns_close(table);
    snprintf(path, sizeof path, "%s/t.dat", folder);
    FILE *file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    remove(path);
    rmdir(folder);
    TEST_ASSERT_TRUE(length > 0);
    TEST_ASSERT_EQUAL_STRING("word a b\n\"the cat\" 1 0.25\n\n-2 nan\n", text);
}

/* --- expect, lesson_test -------------------------------------------------------------------- */

TEST(expect, expectations_that_hold_say_nothing) {
    NEW_MATRIX_OF(A, 1, 2, {1.0, INFINITY});
    EXPECT_MATRIX(1, 2, A, A, 0);
    EXPECT_NUMBER(1.0, 1.0 + 1e-9, 1e-8);
    EXPECT_THAT(A[0][0] > 0, "never said");
}

TEST(work, work_is_counted_only_where_it_is_compiled_in) {
    TEST_ASSERT_EQUAL_UINT(0, work_done); /* these tests are not a lesson's code */
}

/* --- room ----------------------------------------------------------------------------------- */

TEST(room, a_room_gives_out_pieces_without_gaps) {
    NEW_VECTOR_FILLED(numbers, 7, 0.5);
    struct room room = {numbers, 0};
    TEST_ASSERT_TRUE(take(&room, 3) == numbers);
    TEST_ASSERT_TRUE(take(&room, 4) == numbers + 3);
    TEST_ASSERT_EQUAL_INT(7, room.used);
    for (int i = 0; i < 7; i++)
        TEST_ASSERT_TRUE(numbers[i] == 0.5);
}

TEST(room, a_room_without_numbers_only_counts) {
    struct room room = {NULL, 0};
    TEST_ASSERT_NULL(take(&room, 3));
    TEST_ASSERT_NULL(take(&room, 4));
    TEST_ASSERT_EQUAL_INT(7, room.used);
}

/* --- statics -------------------------------------------------------------------------------- */

static double kept_in_a_global;

static int keep(double x) {
    static int calls;
    kept_in_a_global += x;
    return calls += x > 1.0;
}

TEST(statics, what_a_static_variable_keeps_is_seen) {
    statics_remember();
    TEST_ASSERT_TRUE(statics_kept());
    statics_remember();
    keep(0.0); /* adds nothing to anything */
    TEST_ASSERT_TRUE(statics_kept());
    statics_remember();
    keep(0.25);
    TEST_ASSERT_FALSE(statics_kept());
    statics_remember();
    TEST_ASSERT_TRUE(statics_kept());
}
