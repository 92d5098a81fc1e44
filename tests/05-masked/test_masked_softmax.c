/* Lesson 05: what masked.h promises of the softmax under a mask. */
#include "masks.h"

#define SOFTMAX(rows, cols)                                                                        \
    NEW_MATRIX(weights, rows, cols);                                                               \
    masked_softmax_rows(rows, cols, scores, blocked, weights)
#define EXPECT_SOFTMAX(rows, cols, tolerance, ...)                                                 \
    SOFTMAX(rows, cols);                                                                           \
    EXPECT_MATRIX(rows, cols, ((const double[rows][cols]){__VA_ARGS__}), weights, tolerance)

TEST(masked_softmax_rows, the_worked_row_comes_out_to_four_decimals) {
    NEW_MATRIX_OF(scores, 1, 6, {0.43, -0.21, 0.99, 0.32, -0.35, 0.04});
    NEW_MASK_OF(blocked, 1, 6, {0, 0, 0, 1, 1, 1});
    report('<', "scores[0] = 0.43, -0.21, 0.99, 0.32, -0.35, 0.04"); /* too long to be shown */
    report('<', "blocked[0] = 0, 0, 0, 1, 1, 1");
    EXPECT_SOFTMAX(1, 6, FOUR_DECIMALS, {0.3051, 0.1609, 0.5341, 0, 0, 0});
}

TEST(masked_softmax_rows, every_row_follows_its_own_row_of_the_mask) {
    NEW_MATRIX_OF(scores, 3, 3, {1, 2, 3}, {1, 2, 3}, {1, 2, 3});
    WORKED_CAUSAL;
    EXPECT_SOFTMAX(3, 3, FOUR_DECIMALS, {1, 0, 0}, {0.2689, 0.7311, 0}, {0.0900, 0.2447, 0.6652});
}

TEST(masked_softmax_rows, a_mask_that_blocks_nothing_leaves_a_plain_softmax) {
    struct random r = random_seed(502);
    NEW_MATRIX_RANDOM(scores, 3, 5, &r);
    NEW_MASK_FILLED(blocked, 3, 5, false);
    NEW_MATRIX(expected, 3, 5);
    softmax_rows(3, 5, scores, expected);
    SOFTMAX(3, 5);
    EXPECT_MATRIX(3, 5, expected, weights, LAST_BIT);
}

TEST(masked_softmax_rows, a_fully_blocked_row_is_all_zeros) {
    NEW_MATRIX_OF(scores, 3, 4, {1, 2, 3, 4}, {1, -2, 0.5, 1}, {-2e9, 1e300, -1e300, 0});
    NEW_MASK_OF(blocked, 3, 4, {1, 1, 1, 1}, {0, 1, 1, 0}, {1, 1, 1, 1});
    SOFTMAX(3, 4);
    const double expected[3][4] = {{0}, {0.5, 0, 0, 0.5}, {0}};
    for (int i = 0; i < 3; i++) {
        BECAUSE_IF(i != 1, "Every key of this row is blocked, so all weights are 0.");
        EXPECT_ROW(i, 4, expected[i], weights, i == 1 ? LAST_BIT : EXACTLY);
    }
}

TEST(masked_softmax_rows, what_stands_at_a_blocked_place_changes_no_bit) {
    const double odd[] = {800, -800, 1e9, 1e10, 1e300, -DBL_MAX, DBL_MAX, INFINITY, -INFINITY, NAN};
    NEW_MASK_OF(blocked, 3, 4, {0, 1, 0, 1}, {1, 0, 0, 0}, {1, 1, 1, 1});
    NEW_MATRIX_OF(plain, 3, 4, {0.3, 0, -1.2, 0}, {0, 2, 0.7, -0.1}, {0, 1, 2, 3});
    NEW_MATRIX(expected, 3, 4);
    masked_softmax_rows(3, 4, plain, blocked, expected);
    NEW_MATRIX(obvious, 3, 4);
    obvious_softmax(3, 4, plain, blocked, obvious);
    expect_numbers(__LINE__, "weights", 3, 4, obvious[0], expected[0], ROUNDING);
    FOR_ALL_INDICES(k, odd) {
        NEW_MATRIX_LIKE(scores, 3, 4, plain);
        scores[0][1] = scores[0][3] = scores[1][0] = scores[2][1] = odd[k];
        SOFTMAX(3, 4);
        BECAUSE("Only the blocked scores are different from those of a call that was right.");
        EXPECT_MATRIX(3, 4, expected, weights, EXACTLY);
    }
}

TEST(masked_softmax_rows, however_low_the_allowed_scores_are_they_share_the_row) {
    const double low[] = {-800, -1e9, -1e10, -1e300, -DBL_MAX};
    FOR_ALL_INDICES(k, low) {
        NEW_MATRIX_OF(scores, 1, 3, {low[k], 0, low[k]});
        NEW_MASK_OF(blocked, 1, 3, {0, 1, 0});
        BECAUSE("Both allowed scores are %g here. A number added to such a score and subtracted "
                "again loses digits (cancellation). Subtract the largest allowed score first.",
                low[k]);
        EXPECT_SOFTMAX(1, 3, ROUNDING, {0.5, 0, 0.5});
    }
}

TEST(masked_softmax_rows, a_row_may_lie_far_below_the_one_before) {
    NEW_MATRIX_OF(scores, 2, 3, {1000, 999, 5}, {0, -1, 5});
    NEW_MASK_OF(blocked, 2, 3, {0, 0, 1}, {0, 0, 1});
    BECAUSE("The scores of row 1 are 1000 lower than those of row 0.");
    EXPECT_SOFTMAX(2, 3, FOUR_DECIMALS, {0.7311, 0.2689, 0}, {0.7311, 0.2689, 0});
}

TEST(masked_softmax_rows, allowed_scores_that_can_never_win_give_zeros) {
    NEW_MATRIX_OF(scores, 2, 3, {-INFINITY, 5, -INFINITY}, {-INFINITY, 5, 0});
    NEW_MASK_OF(blocked, 2, 3, {0, 1, 0}, {0, 1, 0});
    EXPECT_SOFTMAX(2, 3, EXACTLY, {0, 0, 0}, {0, 0, 1});
}

TEST(masked_softmax_rows, a_broken_score_that_is_allowed_stays_visible) {
    NEW_MATRIX_OF(scores, 3, 4, {1, NAN, 2, -INFINITY}, {1, NAN, 1, NAN}, {3, 1, NAN, 0});
    NEW_MASK_OF(blocked, 3, 4, {0, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 0, 1});
    SOFTMAX(3, 4);
    for (int j = 0; j < 4; j++)
        EXPECT_THAT(blocked[0][j] || isnan(weights[0][j]),
                    "weights[0][%d] is %g, and row 0 has a NaN among its allowed scores. It must "
                    "give NaN, so that the earlier mistake is not hidden",
                    j, weights[0][j]);
    const double expected[4] = {0.5, 0, 0.5, 0};
    BECAUSE("Row 0 has an allowed NaN, and row 1 has only blocked ones.");
    EXPECT_VECTOR(4, expected, weights[1], LAST_BIT);
    EXPECT_THAT(isnan(weights[2][2]),
                "weights[2][2] is %g, and the only allowed score of row 2 is NaN: check "
                "even a single score for NaN",
                weights[2][2]);
}

TEST(masked_softmax_rows, the_weights_may_replace_the_scores) {
    struct random r = random_seed(503);
    NEW_MATRIX_RANDOM(scores, 4, 5, &r);
    NEW_MASK(blocked, 4, 5);
    random_mask(&r, 4, 5, blocked);
    NEW_MATRIX(expected, 4, 5);
    NEW_MATRIX_LIKE(weights, 4, 5, scores);
    obvious_softmax(4, 5, scores, blocked, expected);
    masked_softmax_rows(4, 5, weights, blocked, weights);
    BECAUSE("weights and scores are the same matrix here.");
    EXPECT_MATRIX(4, 5, expected, weights, ROUNDING);
}

TEST(masked_softmax_rows, random_rows_agree_with_the_obvious_way) {
    struct random r = random_seed(504);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(scores, z->n_q, z->n_k, &r);
        NEW_MASK(blocked, z->n_q, z->n_k);
        random_mask(&r, z->n_q, z->n_k, blocked);
        NEW_MATRIX(expected, z->n_q, z->n_k);
        obvious_softmax(z->n_q, z->n_k, scores, blocked, expected);
        SOFTMAX(z->n_q, z->n_k);
        BECAUSE("Here rows is %d and cols is %d.", z->n_q, z->n_k);
        EXPECT_MATRIX(z->n_q, z->n_k, expected, weights, ROUNDING);
    }
}

TEST(masked_softmax_rows, long_rows_need_no_matrix_of_their_own) {
    NEW_MASK(blocked, long_n_q, long_n_k);
    NEW_MATRIX(expected, long_n_q, long_n_k);
    long_text(blocked, expected);
    NEW_MATRIX_FILLED(weights, long_n_q, long_n_k, 7.0);
    masked_softmax_rows(long_n_q, long_n_k, weights, blocked, weights);
    EXPECT_MATRIX(long_n_q, long_n_k, expected, weights, LAST_BIT);
}
