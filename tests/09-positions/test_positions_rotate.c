/* Tests of lesson 09: RoPE and its backward pass. */
#include "places.h"

/* The slow and obvious way: a matrix with all rotations of a position, times the row. */
static void rotation_matrix(int d, int position, double rotation[d][d]) {
    fill(d * d, 0.0, rotation);
    rotation[d - 1][d - 1] = 1.0;
    for (int c = 0; c + 1 < d; c += 2) {
        double angle = obvious_angle(position, c / 2, d);
        rotation[c][c] = rotation[c + 1][c + 1] = cos(angle);
        rotation[c + 1][c] = sin(angle);
        rotation[c][c + 1] = -sin(angle);
    }
}

static void obvious_rotation(int n, int d, int first, const double X[n][d], double out[n][d]) {
    for (int i = 0; i < n; i++) {
        NEW_MATRIX(rotation, d, d);
        rotation_matrix(d, first + i, rotation);
        product_by_rows(1, d, d, X + i, rotation, out + i);
    }
}

static void obvious_rotation_back(int n, int d, int first, const double d_out[n][d],
                                  double d_X[n][d]) {
    for (int i = 0; i < n; i++) {
        NEW_MATRIX(rotation, d, d);
        rotation_matrix(d, first + i, rotation);
        product(1, d, d, d_out + i, rotation, d_X + i);
    }
}

/* Random rows with the sizes *z, rotated. */
#define RANDOM_ROTATION(z, generator)                                                              \
    const int n = (z)->n, d = (z)->d, first = (z)->first;                                          \
    NEW_MATRIX_RANDOM(X, n, d, generator);                                                         \
    NEW_MATRIX(out, n, d);                                                                         \
    rotate(n, d, first, X, out)

/* rotate */

TEST(rotate, the_worked_row_is_rotated) {
    NEW_MATRIX_OF(X, 1, 4, {1, 2, 3, 4});
    NEW_MATRIX(out, 1, 4);
    rotate(1, 4, 1, X, out);
    const double expected[1][4] = {{-1.1426, 1.9221, 2.9599, 4.0298}};
    BECAUSE("The row is at position 1, so (1, 2) is rotated by 1 and (3, 4) by 0.01.");
    EXPECT_MATRIX(1, 4, expected, out, FOUR_DECIMALS);
}

TEST(rotate, two_positions_apart_the_score_is_the_same_at_3_and_at_7) {
    for (int first = 1; first <= 5; first += 4) {
        NEW_MATRIX_OF(X, 3, 2, {0, 1}, {0, 0}, {1, 0});
        NEW_MATRIX(out, 3, 2);
        rotate(3, 2, first, X, out);
        BECAUSE("Row 0 is a key (0, 1) at position %d, and row 2 is a query (1, 0) at position %d. "
                "Their dot product should be the sine of 2.",
                first, first + 2);
        EXPECT_NUMBER(0.9093, sum_of_products(2, out[0], out[2]), FOUR_DECIMALS);
    }
}

TEST(rotate, at_position_0_nothing_is_rotated) {
    NEW_MATRIX_OF(X, 1, 6, {1.0 / 3, -7, 0.1, 5e-324, 1e-200, -3e-200});
    NEW_MATRIX(out, 1, 6);
    rotate(1, 6, 0, X, out);
    BECAUSE("At position 0 all angles are 0, so out should be X.");
    EXPECT_MATRIX(1, 6, X, out, LAST_BIT);
}

TEST(rotate, a_dimension_without_a_partner_is_copied) {
    struct random r = random_seed(911);
    for (int odd = 1; odd <= 7; odd += 2) {
        matrix_free_all();
        RANDOM_ROTATION((&(struct rows){4, odd, 3}), &r);
        for (int i = 0; i < n; i++) {
            BECAUSE("d is %d, so the last number of row %d has no partner and should be copied.", d,
                    i);
            EXPECT_NUMBER(X[i][d - 1], out[i][d - 1], EXACTLY);
        }
    }
}

TEST(rotate, a_rotation_changes_no_length) {
    struct random r = random_seed(912);
    FOR_ALL_ROWS(z) {
        RANDOM_ROTATION(z, &r);
        for (int i = 0; i < n; i++) {
            double before = sqrt(sum_of_products(d, X[i], X[i]));
            double after = sqrt(sum_of_products(d, out[i], out[i]));
            EXPECT_THAT(
                fabs(after - before) < 1e-11,
                "row %d had the length %.6g before the rotation and %.6g after it, at position "
                "%d with d = %d, but a rotation should not change the length",
                i, before, after, first + i, d);
        }
    }
}

/* One row, rotated for one position by the learner's code. */
static const double *rotated(int d, int position, const double *row) {
    NEW_MATRIX(out, 1, d);
    rotate(1, d, position, (const void *)row, out);
    return out[0];
}

TEST(rotate, a_score_depends_only_on_the_distance) {
    struct random r = random_seed(913);
    for (int d = 1; d <= 8; d++)
        for (int distance = 0; distance <= 3; distance++) {
            matrix_free_all();
            NEW_VECTOR_RANDOM(q, d, &r);
            NEW_VECTOR_RANDOM(k, d, &r);
            double match = sum_of_products(d, rotated(d, distance, q), rotated(d, 0, k));
            for (int shift = 1; shift <= 40; shift++) {
                const double *query = rotated(d, shift + distance, q), *key = rotated(d, shift, k);
                BECAUSE(
                    "The dot product of a query at %d and a key at %d should be that at %d and 0. "
                    "d is %d.",
                    shift + distance, shift, distance, d);
                EXPECT_NUMBER(match, sum_of_products(d, query, key), 1e-11);
            }
        }
}

TEST(rotate, rows_that_continue_a_sentence_are_rotated_as_in_the_whole) {
    struct random r = random_seed(914);
    RANDOM_ROTATION((&(struct rows){8, 5, 0}), &r);
    NEW_MATRIX(last_rows, 5, 5);
    rotate(5, 5, 3, X + 3, last_rows);
    BECAUSE("Row i of a call with first = 3 and row i + 3 of a call with first = 0 have the same "
            "position.");
    EXPECT_MATRIX(5, 5, out + 3, last_rows, ROUNDING);
}

TEST(rotate, two_rotations_are_one_rotation_by_both_angles) {
    struct random r = random_seed(915);
    NEW_VECTOR_RANDOM(row, 6, &r);
    const double *twice = rotated(6, 4, rotated(6, 9, row));
    BECAUSE("A row that is rotated for position 9 and then for 4 is rotated for position 13.");
    EXPECT_VECTOR(6, rotated(6, 13, row), twice, ROUNDING);
}

TEST(rotate, random_rows_agree_with_a_rotation_matrix) {
    struct random r = random_seed(916);
    FOR_ALL_ROWS(z) {
        RANDOM_ROTATION(z, &r);
        NEW_MATRIX(expected, n, d);
        obvious_rotation(n, d, first, X, expected);
        BECAUSE_OF_ROWS(z);
        EXPECT_MATRIX(n, d, expected, out, ROUNDING);
    }
}

TEST(rotate, two_threads_may_rotate_at_once) {
    NEW_MATRIX_FILLED(X, 2, 4, 1.5);
    NEW_MATRIX_FILLED(other_X, 3, 7, -2.0);
    NEW_MATRIX(out, 2, 4);
    NEW_MATRIX(other_out, 3, 7);
    EXPECT_NOTHING_KEPT(rotate(2, 4, 1, X, out), rotate(3, 7, 5, other_X, other_out));
}

/* rotate_backward */

TEST(rotate_backward, the_worked_gradient_is_rotated_back) {
    NEW_MATRIX_OF(d_out, 1, 4, {1, 2, 3, 4});
    NEW_MATRIX_FILLED(d_X, 1, 4, 0.0);
    rotate_backward(1, 4, 1, d_out, d_X);
    const double expected[1][4] = {{2.2232, 0.2391, 3.0398, 3.9698}};
    BECAUSE("The row is at position 1, so (1, 2) is rotated back by 1 and (3, 4) by 0.01.");
    EXPECT_MATRIX(1, 4, expected, d_X, FOUR_DECIMALS);
}

TEST(rotate_backward, the_backward_pass_reverses_the_rotation) {
    struct random r = random_seed(917);
    FOR_ALL_ROWS(z) {
        const int n = z->n, d = z->d;
        NEW_MATRIX_RANDOM(X, n, d, &r);
        NEW_MATRIX(d_out, n, d);
        obvious_rotation(n, d, z->first, X, d_out);
        NEW_MATRIX_FILLED(d_X, n, d, 0.0);
        rotate_backward(n, d, z->first, d_out, d_X);
        BECAUSE("d_out is a rotated row, so the backward pass should give the row itself. n is %d, "
                "d is %d and first is %d.",
                n, d, z->first);
        EXPECT_MATRIX(n, d, X, d_X, ROUNDING);
    }
}

TEST(rotate_backward, the_gradient_of_rows_is_added_to_what_is_there) {
    struct random r = random_seed(918);
    NEW_MATRIX_RANDOM(d_out, 3, 7, &r);
    NEW_MATRIX(gained, 3, 7);
    obvious_rotation_back(3, 7, 2, d_out, gained);
    NEW_MATRIX_FILLED(d_X, 3, 7, 10.0);
    rotate_backward(3, 7, 2, d_out, d_X);
    EXPECT_ADDED(3, 7, 10.0, gained, d_X);
}

TEST(rotate_backward, a_dimension_without_a_partner_keeps_its_gradient) {
    for (int d = 1; d <= 5; d += 2) {
        NEW_MATRIX_FILLED(d_out, 3, d, 0.5);
        NEW_MATRIX_FILLED(d_X, 3, d, 2.0);
        rotate_backward(3, d, 4, d_out, d_X);
        for (int i = 0; i < 3; i++) {
            BECAUSE(
                "d is %d, so the last number of row %d was copied, and its gradient 0.5 should be "
                "added to 2.",
                d, i);
            EXPECT_NUMBER(2.5, d_X[i][d - 1], EXACTLY);
        }
    }
}

struct rotation {
    struct rows z;
    void *X, *out;
    const void *d_out;
};

/* The loss is the sum of all out[i][c] * d_out[i][c]. */
static double loss_of_rotation(void *context) {
    const struct rotation *t = context;
    rotate(t->z.n, t->z.d, t->z.first, t->X, t->out);
    return sum_of_products(t->z.n * t->z.d, t->out, t->d_out);
}

TEST(rotate_backward, the_gradient_of_a_rotation_passes_a_gradient_check) {
    struct random r = random_seed(919);
    FOR_ALL_ROWS(z) {
        RANDOM_ROTATION(z, &r);
        NEW_MATRIX_RANDOM(d_out, n, d, &r);
        NEW_MATRIX_FILLED(d_X, n, d, 0.0);
        rotate_backward(n, d, first, d_out, d_X);
        struct rotation rotation = {*z, X, out, d_out};
        EXPECT_NUDGED(loss_of_rotation, &rotation, n, d, X, d_X);
    }
}

TEST(rotate_backward, random_gradients_agree_with_the_transposed_matrix) {
    struct random r = random_seed(920);
    FOR_ALL_ROWS(z) {
        const int n = z->n, d = z->d;
        NEW_MATRIX_RANDOM(d_out, n, d, &r);
        NEW_MATRIX_RANDOM(d_X, n, d, &r);
        NEW_MATRIX(expected, n, d);
        obvious_rotation_back(n, d, z->first, d_out, expected);
        add_into(n * d, d_X, expected);
        rotate_backward(n, d, z->first, d_out, d_X);
        BECAUSE_OF_ROWS(z);
        EXPECT_MATRIX(n, d, expected, d_X, ROUNDING);
    }
}

TEST(rotate_backward, two_threads_may_rotate_back_at_once) {
    NEW_MATRIX_FILLED(d_out, 2, 4, 1.5);
    NEW_MATRIX_FILLED(other_d_out, 3, 7, -2.0);
    NEW_MATRIX_FILLED(d_X, 2, 4, 0.0);
    NEW_MATRIX_FILLED(other_d_X, 3, 7, 0.0);
    EXPECT_NOTHING_KEPT(rotate_backward(2, 4, 1, d_out, d_X),
                        rotate_backward(3, 7, 5, other_d_out, other_d_X));
}
