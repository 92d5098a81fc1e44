/* Lesson 01: the functions of softmax.h that compute weights. The backward passes are in
   test_softmax_gradients.c. */
#include "obvious.h"

#define LOG_SUM_EXP 3.40760596444438

/* What `call` writes into `output`. */
#define EXPECT_OUT(output, n, expected, call, tolerance)                                           \
    do {                                                                                           \
        NEW_VECTOR(output, n);                                                                     \
        call;                                                                                      \
        EXPECT_VECTOR(n, expected, output, tolerance);                                             \
    } while (0)

/* What `call` writes into `weights`, of the `scores` given. */
#define EXPECT_WEIGHTS(n, given, expected, call, tolerance)                                        \
    do {                                                                                           \
        NEW_VECTOR_LIKE(scores, n, given);                                                         \
        EXPECT_OUT(weights, n, expected, call, tolerance);                                         \
        matrix_free_all();                                                                         \
    } while (0)

/* The one number that `call` makes of `input`, which is shown. */
#define EXPECT_ONE(input, n, given, expected, call, tolerance)                                     \
    do {                                                                                           \
        NEW_VECTOR_LIKE(input, n, given);                                                          \
        expect_numbers(__LINE__, #call, 0, 0, OF(expected), OF(call), tolerance);                  \
        matrix_free_all();                                                                         \
    } while (0)

/* A NaN at each place of 5, among numbers, among both, or among -INFINITY alone. */
#define EXPECT_NAN_TO_BE_SEEN(results, call)                                                       \
    for (int k = 0; k < 15; k++) {                                                                 \
        NEW_VECTOR(scores, 5);                                                                     \
        NEW_VECTOR_FILLED(out, results, 0.5);                                                      \
        for (int i = 0; i < 5; i++)                                                                \
            scores[i] = k < 5 || (k < 10 && i % 2 == 0) ? 1.0 + i : -INFINITY;                     \
        scores[k % 5] = NAN;                                                                       \
        call;                                                                                      \
        for (int i = 0; i < results; i++) {                                                        \
            EXPECT_THAT(results == 1 || isnan(out[i]),                                             \
                        "scores[%d] is NaN, so every weight must be NaN; weights[%d] is %g%s",     \
                        k % 5, i, out[i], out[i] == 0.5 ? ", as before the call" : "");            \
            EXPECT_THAT(isnan(out[i]), "scores[%d] is NaN, so NaN must come out; here is %g",      \
                        k % 5, out[i]);                                                            \
        }                                                                                          \
    }

/* ------------------------------------------------------------------------------------- softmax */

TEST(softmax, the_worked_example_comes_out_to_four_decimals) {
    EXPECT_WEIGHTS(3, OF(1, 2, 3), OF(.0900, .2447, .6652), softmax(3, scores, weights), 5e-5);
}

/* What `call` leaves in `scores`. */
#define EXPECT_SCORES_KEPT(call)                                                                   \
    do {                                                                                           \
        NEW_VECTOR_OF(scores, 3, 1, 2, 3);                                                         \
        call;                                                                                      \
        BECAUSE("scores is an input, and it was 1, 2, 3 before the call. Do not change it.");      \
        EXPECT_VECTOR(3, OF(1, 2, 3), scores, 0);                                                  \
    } while (0)

TEST(softmax, softmax_leaves_its_scores_as_they_were) {
    NEW_VECTOR(weights, 3);
    EXPECT_SCORES_KEPT(softmax(3, scores, weights));
}

TEST(softmax, a_single_score_gets_all_the_weight) {
    FOR_EACH(double, score, 0, -7.5, 3, 600) {
        EXPECT_WEIGHTS(1, OF(score), OF(1), softmax(1, scores, weights), 1e-12);
    }
}

TEST(softmax, equal_scores_share_evenly) {
    EXPECT_WEIGHTS(4, OF(5, 5, 5, 5), OF(.25, .25, .25, .25), softmax(4, scores, weights), 1e-12);
}

static void expect_shares(int n) {
    NEW_VECTOR_LIKE(scores, n, normal(1, n, 1));
    NEW_VECTOR(weights, n);
    softmax(n, scores, weights);
    for (int i = 0; i < n; i++)
        EXPECT_THAT(weights[i] > 0, "weights[%d] is %g, but not positive", i, weights[i]);
    EXPECT_THAT(fabs(sum(n, weights) - 1) <= 1e-12,
                "the %d weights sum to %.15g; they must sum to 1", n, sum(n, weights));
}

TEST(softmax, the_weights_are_positive_and_sum_to_one) {
    FOR_ALL_LENGTHS(n) {
        expect_shares(n);
    }
    expect_shares(3000); /* too many for a local array of fixed size */
}

TEST(softmax, random_scores_agree_with_the_slow_formula) {
    FOR_ALL_LENGTHS(n) {
        EXPECT_WEIGHTS(n, normal(1, n, 1), slow(1, n, scores), softmax(n, scores, weights), 1e-12);
    }
}

TEST(softmax, scores_of_a_thousand_do_not_overflow) {
    EXPECT_WEIGHTS(3, OF(1000, 1001, 1002), OF(A, B, C), softmax(3, scores, weights), 1e-9);
}

TEST(softmax, scores_far_below_zero_do_not_vanish) {
    FOR_EACH(double, x, -20000, -1e9, -1e15, -1e305) { /* at the last x, both scores are equal */
        BECAUSE_IF(
            x <= -1e9,
            "Near %g, neighbouring doubles are %g apart. If you add a small number to such a score "
            "and subtract the score again, digits are lost (cancellation). Subtract the largest "
            "score first.",
            x, nextafter(x, 0) - x);
        EXPECT_WEIGHTS(2, OF(x, x - 1), slow(1, 2, scores), softmax(2, scores, weights), 1e-9);
    }
}

TEST(softmax, the_largest_score_may_stand_anywhere) {
    FOR_EACH(int, i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) {
        const int p = i % 6;
        const double low = i < 6 ? -1e4 : -2e4; /* at last larger in size than the largest */
        NEW_VECTOR_OF(scores, 6, low, 5e3, low, 5e3, low, 5e3);
        NEW_VECTOR_FILLED(expected, 6, 0);
        scores[p] = 1e4;
        expected[p] = 1;
        EXPECT_OUT(weights, 6, expected, softmax(6, scores, weights), 0);
    }
}

TEST(softmax, adding_a_constant_to_all_scores_changes_nothing) {
    FOR_EACH(double, x, 0, 512, -512, 8192, -8192) {
        EXPECT_WEIGHTS(4, OF(x + 2.5, x - 1.25, x + 0.5, x + 1.75),
                       OF(.6130382513407, .0144172777950, .0829657053801, .2895787654842),
                       softmax(4, scores, weights), 1e-9);
    }
}

TEST(softmax, a_score_of_minus_infinity_gets_exactly_nothing) {
    NEW_VECTOR_OF(scores, 6, -INFINITY, 1, 2, -INFINITY, 3, -INFINITY);
    NEW_VECTOR(weights, 6);
    softmax(6, scores, weights);
    EXPECT_VECTOR(6, OF(0, A, B, 0, C, 0), weights, 1e-12);
    EXPECT_THAT(weights[0] == 0 && weights[3] == 0 && weights[5] == 0,
                "a score of -INFINITY gets exactly 0; weights[0], [3] and [5] are %g, %g and %g",
                weights[0], weights[3], weights[5]);
}

TEST(softmax, scores_after_minus_infinity_may_be_low) {
    EXPECT_WEIGHTS(3, OF(-INFINITY, -9000, -9000), OF(0, .5, .5), softmax(3, scores, weights),
                   1e-12);
}

TEST(softmax, when_all_scores_are_minus_infinity_all_weights_are_zero) {
    EXPECT_WEIGHTS(2, OF(-INFINITY, -INFINITY), OF(0, 0), softmax(2, scores, weights), 0);
    BECAUSE("The only score is -INFINITY here, which means \"never\".");
    EXPECT_WEIGHTS(1, OF(-INFINITY), OF(0), softmax(1, scores, weights), 0);
}

TEST(softmax, a_nan_among_the_scores_makes_every_weight_nan) {
    EXPECT_NAN_TO_BE_SEEN(5, softmax(5, scores, out));
}

TEST(softmax, softmax_may_write_over_its_own_scores) {
    NEW_VECTOR_OF(x, 4, 3, 1, 2, -INFINITY);
    softmax(4, x, x);
    BECAUSE("The call is softmax(n, x, x), so writing weights[i] also overwrites scores[i].");
    EXPECT_VECTOR(4, OF(C, A, B, 0), x, 1e-12);
}

/* -------------------------------------------------------------------------------- softmax_rows */

TEST(softmax_rows, two_rows_come_out_to_four_decimals) {
    NEW_MATRIX_OF(scores, 2, 3, {1, 2, 3}, {2, 0, 1});
    EXPECT_ROWS(weights, 2, 3, OF(.0900, .2447, .6652, .6652, .0900, .2447),
                softmax_rows(2, 3, scores, weights), 5e-5);
}

TEST(softmax_rows, every_row_agrees_with_the_slow_formula) {
    FOR_ALL_SHAPES(n, d) {
        NEW_MATRIX_LIKE(scores, n, d, normal(1, n * d, 3));
        EXPECT_ROWS(weights, n, d, slow(n, d, scores), softmax_rows(n, d, scores, weights), 1e-12);
    }
}

TEST(softmax_rows, a_row_far_above_does_not_crush_a_row_far_below) {
    NEW_MATRIX_OF(scores, 5, 3, {-1e4, -9999, -1e4}, {9999, 1e4, 1e4}, {0, 9, 1e3}, {1e3, 0, 9},
                  {-1e3, 0, -9});
    BECAUSE("The rows are up to 20000 apart, so each row needs its own largest score.");
    EXPECT_ROWS(weights, 5, 3, slow(5, 3, scores), softmax_rows(5, 3, scores, weights), 1e-9);
}

TEST(softmax_rows, trouble_in_one_row_stays_in_that_row) {
    NEW_MATRIX_OF(scores, 5, 3, {1, 2, 3}, {-INFINITY, NAN, -INFINITY},
                  {-INFINITY, -INFINITY, -INFINITY}, {3, 1, 2}, {-INFINITY, 5, -INFINITY});
    NEW_MATRIX_FILLED(weights, 5, 3, 0.5);
    softmax_rows(5, 3, scores, weights);
    EXPECT_VECTOR(3, OF(0, 1, 0), weights[4], 0);
    for (int j = 0; j < 3; j++)
        EXPECT_THAT(isnan(weights[1][j]),
                    "scores[1][1] is NaN, so weights[1][%d] must be NaN; it is %g", j,
                    weights[1][j]);
    EXPECT_VECTOR(3, OF(A, B, C), weights[0], 1e-12);
    EXPECT_VECTOR(3, OF(0, 0, 0), weights[2], 0);
    EXPECT_VECTOR(3, OF(C, A, B), weights[3], 1e-12);
}

TEST(softmax_rows, rows_may_be_written_over_their_own_scores) {
    NEW_MATRIX_LIKE(x, 3, 5, normal(1, 15, 2));
    NEW_MATRIX_LIKE(expected, 3, 5, slow(3, 5, x));
    softmax_rows(3, 5, x, x);
    BECAUSE("The call is softmax_rows(rows, cols, x, x), so writing weights overwrites scores.");
    EXPECT_MATRIX(3, 5, expected, x, 1e-12);
}

/* ---------------------------------------------------------------------- softmax_at_temperature */

#define EXPECT_AT(t, n, given, right, tolerance)                                                   \
    do {                                                                                           \
        BECAUSE("The temperature is %g here.", t);                                                 \
        EXPECT_WEIGHTS(n, given, right, softmax_at_temperature(n, t, scores, weights), tolerance); \
    } while (0)

TEST(softmax_at_temperature, a_high_temperature_flattens_the_worked_example) {
    EXPECT_AT(10.0, 3, OF(1, 2, 3), OF(.3006, .3322, .3672), 5e-5);
}

TEST(softmax_at_temperature, softmax_at_temperature_leaves_its_scores_as_they_were) {
    NEW_VECTOR(weights, 3);
    EXPECT_SCORES_KEPT(softmax_at_temperature(3, 2, scores, weights));
}

TEST(softmax_at_temperature, a_low_temperature_sharpens_the_worked_example) {
    EXPECT_AT(0.1, 3, OF(1, 2, 3), OF(2e-9, .000045398, .999954600), 1e-9);
    EXPECT_AT(0.5, 3, OF(1, 2, 3), OF(.015876240, .117310428, .866813332), 1e-9);
    EXPECT_AT(2.0, 3, OF(1, 2, 3), OF(.186323723, .307195886, .506480391), 1e-9);
}

TEST(softmax_at_temperature, at_temperature_one_nothing_changes) {
    EXPECT_AT(1.0, 6, normal(1, 6, 2), slow(1, 6, scores), 1e-12);
}

TEST(softmax_at_temperature, near_zero_the_best_takes_all_and_in_great_heat_all_are_equal) {
    EXPECT_AT(1e-4, 4, OF(-1, 2, 1.5, 0), OF(0, 1, 0, 0), 1e-12);
    EXPECT_AT(1e9, 4, OF(-1, 2, 1.5, 0), OF(.25, .25, .25, .25), 1e-8);
}

TEST(softmax_at_temperature, any_temperature_agrees_with_the_slow_formula) {
    FOR_ALL_LENGTHS(n) {
        double t = 0.3 + 0.1 * n;
        EXPECT_AT(t, n, normal(1, n, 3), slow(1, n, scaled(n, 1 / t, scores)), 1e-12);
    }
}

TEST(softmax_at_temperature, scores_and_temperature_may_both_be_huge_or_tiny) {
    EXPECT_AT(1e308, 3, OF(-5e307, -1e308, 0), slow(1, 3, OF(-0.5, -1, 0)), 1e-12);
    EXPECT_AT(1e-308, 3, OF(-5e-309, -1e-308, 0), slow(1, 3, OF(-0.5, -1, 0)), 1e-12);
}

TEST(softmax_at_temperature, a_thousand_scores_may_fall_one_by_one) {
    double *falling = fill(1000, -INFINITY, vector_new("falling", 1000));
    double *expected = fill(1000, 0, vector_new("expected", 1000));
    for (int i = 1; i < 1000; i++) {
        falling[i] = -0.45 * i;
        expected[i] = exp(0.9 - 0.9 * i) * (1 - exp(-0.9));
    }
    report('<',
           "scores = -inf, -0.45, -0.9, -1.35, ... -449.55"); /* too long to be shown by itself */
    EXPECT_AT(0.5, 1000, falling, expected, 1e-12);
}

TEST(softmax_at_temperature, extreme_scores_are_fine_at_any_temperature) {
    EXPECT_AT(0.5, 4, OF(-INFINITY, -20001, -INFINITY, -20000),
              OF(0, .1192029220221176, 0, .8807970779778823), 1e-9);
    EXPECT_AT(3.0, 2, OF(-INFINITY, -INFINITY), OF(0, 0), 0);
    EXPECT_NAN_TO_BE_SEEN(5, softmax_at_temperature(5, 3, scores, out));
}

TEST(softmax_at_temperature, the_scores_may_be_overwritten_at_a_temperature_too) {
    NEW_VECTOR_OF(x, 3, 3, 1, 2);
    softmax_at_temperature(3, 2, x, x);
    BECAUSE("scores and weights are one array here: writing weights[i] overwrites scores[i].");
    EXPECT_VECTOR(3, OF(.506480391, .186323723, .307195886), x, 1e-9);
}

/* --------------------------------------------------------------------------------- log_sum_exp */

TEST(log_sum_exp, log_sum_exp_of_the_worked_example_comes_out) {
    EXPECT_ONE(scores, 3, OF(1, 2, 3), 3.4076, log_sum_exp(3, scores), 5e-5);
}

TEST(log_sum_exp, log_sum_exp_leaves_its_scores_as_they_were) {
    EXPECT_SCORES_KEPT(log_sum_exp(3, scores));
}

TEST(log_sum_exp, log_sum_exp_of_one_score_is_that_score) {
    FOR_EACH(double, score, 0, -7.5, 3, 600) {
        EXPECT_ONE(scores, 1, OF(score), score, log_sum_exp(1, scores), 1e-12);
    }
}

TEST(log_sum_exp, log_sum_exp_of_equal_scores_lies_log_n_above_them) {
    EXPECT_ONE(scores, 4, OF(5, 5, 5, 5), 5 + log(4), log_sum_exp(4, scores), 1e-12);
}

TEST(log_sum_exp, log_sum_exp_agrees_with_its_definition) {
    FOR_ALL_LENGTHS(n) {
        double *drawn = normal(1, n, 4), exponentials = 0.0;
        for (int i = 0; i < n; i++)
            exponentials += exp(drawn[i]);
        EXPECT_ONE(scores, n, drawn, log(exponentials), log_sum_exp(n, scores), 1e-12);
    }
}

TEST(log_sum_exp, log_sum_exp_does_not_overflow) {
    EXPECT_ONE(scores, 3, OF(1000, 1001, 1002), 1002.4076059644444, log_sum_exp(3, scores), 1e-9);
}

TEST(log_sum_exp, log_sum_exp_does_not_vanish_far_below_zero) {
    FOR_EACH(double, start, -20000, -1e9, -1e305) {
        double above = start > -1e300 ? 0.31326168751822286 : 0;
        EXPECT_ONE(scores, 2, OF(start, start - 1), above, log_sum_exp(2, scores) - start, 1e-6);
    }
}

TEST(log_sum_exp, log_sum_exp_finds_the_largest_score_anywhere) {
    FOR_EACH(int, i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) {
        const int p = i % 6;
        const double low = i < 6 ? -1e4 : -2e4; /* at last larger in size than the largest */
        double all_scores[] = {low, 5e3, low, 5e3, low, 5e3};
        all_scores[p] = 1e4;
        BECAUSE("The largest score is scores[%d] here, 10000.", p);
        EXPECT_ONE(scores, 6, all_scores, 1e4, log_sum_exp(6, scores), 1e-9);
    }
}

TEST(log_sum_exp, adding_a_constant_to_all_scores_adds_it_to_log_sum_exp) {
    FOR_EACH(double, x, 512, -512, 8192, -8192) {
        EXPECT_ONE(scores, 3, OF(x + 1, x + 2, x + 3), x + LOG_SUM_EXP, log_sum_exp(3, scores),
                   1e-9);
    }
}

TEST(log_sum_exp, scores_of_minus_infinity_add_nothing_to_log_sum_exp) {
    EXPECT_ONE(scores, 5, OF(-INFINITY, 1, -INFINITY, 2, 3), LOG_SUM_EXP, log_sum_exp(5, scores),
               1e-9);
    EXPECT_ONE(scores, 4, OF(1, 2, 3, -INFINITY), LOG_SUM_EXP, log_sum_exp(4, scores), 1e-9);
    EXPECT_ONE(scores, 1, OF(-INFINITY), -INFINITY, log_sum_exp(1, scores), 0);
    BECAUSE("Both scores are -INFINITY here, and -INFINITY - -INFINITY is NaN.");
    EXPECT_ONE(scores, 2, OF(-INFINITY, -INFINITY), -INFINITY, log_sum_exp(2, scores), 0);
}

TEST(log_sum_exp, a_nan_among_the_scores_makes_log_sum_exp_nan) {
    EXPECT_NAN_TO_BE_SEEN(1, out[0] = log_sum_exp(5, scores));
}

/* ------------------------------------------------------------------------------ expected_value */

TEST(expected_value, the_worked_weights_blend_three_rows_to_four_decimals) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_MATRIX_OF(values, 3, 2, {1, 2}, {3, 0}, {0, 1});
    EXPECT_OUT(out, 2, OF(.8242, .8453), expected_value(3, 2, weights, values, out), 5e-5);
}

TEST(expected_value, all_the_weight_on_one_row_gives_that_row) {
    FOR_EACH(int, p, 0, 1, 2, 3) {
        NEW_VECTOR_FILLED(weights, 4, 0);
        NEW_MATRIX_LIKE(values, 4, 6, normal(1, 24, 5));
        weights[p] = 1;
        EXPECT_OUT(out, 6, values[p], expected_value(4, 6, weights, values, out), 0);
    }
}

TEST(expected_value, what_was_in_out_before_does_not_matter) {
    NEW_VECTOR_OF(weights, 2, .25, .75);
    NEW_MATRIX_OF(values, 2, 3, {4, 8, -4}, {0, 4, 4});
    NEW_VECTOR_OF(out, 3, 100, 200, 300);
    expected_value(2, 3, weights, values, out);
    EXPECT_VECTOR(3, OF(1, 5, 2), out, 1e-12);
}

TEST(expected_value, a_blend_never_leaves_the_range_of_its_values) {
    NEW_VECTOR_LIKE(weights, 3, RANDOM_WEIGHTS(1, 3));
    NEW_MATRIX_LIKE(values, 3, 7, normal(2, 21, 10));
    NEW_VECTOR(out, 7);
    expected_value(3, 7, weights, values, out);
    for (int c = 0; c < 7; c++) {
        double low = fmin(values[0][c], fmin(values[1][c], values[2][c]));
        double high = fmax(values[0][c], fmax(values[1][c], values[2][c]));
        EXPECT_THAT(out[c] >= low - 1e-12 && out[c] <= high + 1e-12,
                    "column %d of the values runs from %.10g to %.10g, but out[%d] is %.10g", c,
                    low, high, c, out[c]);
    }
}

TEST(expected_value, blends_of_any_shape_agree_with_the_sum) {
    FOR_ALL_SHAPES(n, d) {
        NEW_MATRIX_LIKE(weights, 1, n, RANDOM_WEIGHTS(1, n));
        NEW_MATRIX_LIKE(values, n, d, normal(2, n * d, 2));
        NEW_MATRIX(expected, 1, d);
        product(1, n, d, weights, values, expected);
        EXPECT_OUT(out, d, *expected, expected_value(n, d, *weights, values, out), 1e-12);
    }
}

TEST(expected_value, weights_of_zero_blend_to_nothing) {
    NEW_VECTOR_OF(weights, 3, 0, 0, 0);
    NEW_MATRIX_FILLED(values, 3, 4, 9);
    EXPECT_OUT(out, 4, OF(0, 0, 0, 0), expected_value(3, 4, weights, values, out), 0);
}

/* ------------------------------------------------------------------------------------- entropy */

TEST(entropy, the_entropy_of_the_worked_weights_comes_out) {
    EXPECT_ONE(weights, 3, OF(A, B, C), 0.8324, entropy(3, weights), 5e-5);
}

TEST(entropy, all_the_weight_in_one_place_has_no_entropy_at_all) {
    for (int n = 1; n <= 4; n++)
        for (int p = 0; p < n; p++)
            EXPECT_ONE(weights, n, OF(p == 0, p == 1, p == 2, p == 3), 0, entropy(n, weights), 0);
}

TEST(entropy, equal_weights_have_an_entropy_of_log_n) {
    FOR_EACH(int, n, 2, 8, 14, 20, 26, 32, 38, 44, 50) {
        double *equal = fill(n, 1.0 / n, vector_new("equal", n));
        BECAUSE("All %d weights are equal, so the entropy has its largest value, log(%d).", n, n);
        EXPECT_ONE(weights, n, equal, log(n), entropy(n, weights), 1e-12);
    }
}

TEST(entropy, weights_of_zero_change_no_entropy) {
    report('<', "weights = 0.0900, 0, 0.2447, 0, 0.6652, 0"); /* too long to be shown by itself */
    EXPECT_ONE(weights, 6, OF(A, 0, B, 0, C, 0), 0.8323955818, entropy(6, weights), 1e-9);
    EXPECT_ONE(weights, 3, OF(0, 0, 0), 0, entropy(3, weights), 0);
}

TEST(entropy, small_weights_count_too) {
    FOR_ALL_LENGTHS(n) {
        double *small = slow(1, n, normal(1, n, 9)), expected = 0.0;
        for (int i = 0; i < n; i++)
            expected -= small[i] * log(small[i]);
        EXPECT_ONE(weights, n, small, expected, entropy(n, weights), 1e-13);
    }
}

TEST(entropy, entropy_rises_with_the_temperature) {
    const double t[] = {.1, .5, 2, 10},
                 right[] = {.000499421, .441057444, 1.020191337, 1.095287269};
    for (int k = 0; k < 4; k++) {
        double *hot = slow(1, 3, OF(1 / t[k], 2 / t[k], 3 / t[k]));
        EXPECT_ONE(weights, 3, hot, right[k], entropy(3, weights), 1e-9);
    }
}
