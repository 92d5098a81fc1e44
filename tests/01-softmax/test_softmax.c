#include "softmax.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "random.h"
#include "work.h"

#include <math.h>

/* The softmax of (1, 2, 3), with more digits than anybody computes by hand. */
#define A 0.0900305731703805
#define B 0.2447284710547977
#define C 0.6652409557748219

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* On to the next case: what was made for the last one would be shown as an input of this one. */
#define NEXT(i) (matrix_free_all(), (i)++)

/* EXPECT_NUMBER, and the inputs are shown: what was made before the result. */
#define EXPECT_RESULT(expected, result, tolerance)                                                 \
    expect_numbers(__LINE__, #result, 0, 0, (const double[]){expected},                            \
                   vector_copy("result", 1, (const double[]){result}), tolerance)

#define NOT_A_NUMBER                                                                               \
    "Your result is NaN: is there a log() of something below 0, or 0 / 0? Or was the variable "    \
    "that you add to never given a first value?"

static const int sizes[] = {1, 2, 3, 8, 21};
static const struct { int rows, cols; } shapes[] = {{1, 6}, {5, 1}, {2, 3}, {7, 4}, {3, 11}};

/* ------------------------------------------------------- slow, obvious versions, for comparison */

/* A weight is one over how much all the scores together outweigh this one. */
static void slow_softmax(int n, const double scores[n], double weights[n]) {
    for (int i = 0; i < n; i++) {
        double all_over_this = 0.0;
        for (int j = 0; j < n; j++)
            all_over_this += exp(scores[j] - scores[i]);
        weights[i] = 1.0 / all_over_this;
    }
}

static void slow_jacobian(int n, const double weights[n], double jacobian[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            jacobian[i][j] = (i == j ? weights[i] : 0.0) - weights[i] * weights[j];
}

/* Adds, like the function that it stands for, and does it the long way: through the Jacobian. */
static void slow_backward(int n, const double weights[n], const double d_weights[n],
                          double d_scores[n]) {
    NEW_MATRIX(whole, n, n);
    slow_jacobian(n, weights, whole);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            d_scores[j] += d_weights[i] * whole[i][j];
}

static double sum(int n, const double x[n]) {
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

static bool nearly(int n, const double a[n], const double b[n]) {
    bool all = true;
    for (int i = 0; i < n; i++)
        all = all && fabs(a[i] - b[i]) < 1e-4;
    return all;
}

/* What a backward function added to a gradient that did not start at 0. */
static void take_away(int count, const void *start, void *gradient) {
    const double *from = start;
    double *numbers = gradient;
    for (int i = 0; i < count; i++)
        numbers[i] -= from[i];
}

static void random_scores(struct random *r, int count, double spread, void *x) {
    double *numbers = random_fill_normal(r, count, x);
    for (int i = 0; i < count; i++)
        numbers[i] *= spread;
}

/* Weights for the exercises that only take them, so that they do not lean on softmax(). */
static double *random_weights(struct random *r, int n, double *weights) {
    NEW_VECTOR(drawn, n);
    random_scores(r, n, 1.5, drawn);
    slow_softmax(n, drawn, weights);
    return weights;
}

/* A NaN at `position` among numbers, among -INFINITY alone, or among both. */
enum { NAN_KINDS = 3 };
static void scores_with_nan(int kind, int position, int n, double scores[n]) {
    for (int i = 0; i < n; i++)
        scores[i] = kind == 0 || (kind == 2 && i % 2 == 0) ? 1.0 + i : -INFINITY;
    scores[position] = NAN;
}

/* ------------------------------------------------------------------------------------- softmax */

static void the_worked_example_comes_out_to_four_decimals(void) {
    NEW_VECTOR_OF(scores, 3, 1, 2, 3);
    NEW_VECTOR_OF(expected, 3, .0900, .2447, .6652);
    NEW_VECTOR(weights, 3);
    softmax(3, scores, weights);
    const double shifted[3] = {exp(-2), exp(-1), 1};
    NEW_VECTOR_FILLED(equal, 2, 0);
    softmax(2, equal, equal);
    MISTAKE_IF(nearly(3, shifted, weights) && nearly(2, (const double[]){.5, .5}, equal),
               "Is the sum a double? An int drops what is behind the point, and 0.1353 + 0.3679 + "
               "1 becomes 1.");
    MISTAKE_VECTOR(3, ((const double[]){exp(1) / 29, exp(2) / 29, exp(3) / 29}),
                   "You divided by 29. Is the sum a double? An int drops what is behind the "
                   "point.");
    MISTAKE_VECTOR(3, ((const double[]){1 / 6., 2 / 6., 3 / 6.}),
                   "You divided each score by the sum of the scores. That breaks as soon as a "
                   "score is negative: take exp() of each score first, then share out.");
    MISTAKE_VECTOR(3, ((const double[]){1 / 3., 2 / 3., 1}),
                   "You divided by the largest score. Shares of one whole need the sum of all the "
                   "exponentials below the line.");
    MISTAKE_VECTOR(3, ((const double[]){exp(1), exp(2), exp(3)}),
                   "These are the exponentials, not yet shares of one whole: what must each be "
                   "divided by, so that they sum to 1?");
    MISTAKE_VECTOR(3, shifted,
                   "The largest weight is exactly 1, so each exponential stands against the "
                   "largest one. Divide each by the sum of all of them.");
    MISTAKE_VECTOR(3, ((const double[]){exp(1) / 3, exp(2) / 3, exp(3) / 3}),
                   "You divided by n, how many scores there are. Divide by the sum of the "
                   "exponentials, and the weights sum to 1.");
    MISTAKE_VECTOR(3, ((const double[]){exp(-2) / 3, exp(-1) / 3, 1 / 3.}),
                   "You divided by n, how many scores there are. Divide by the sum of the "
                   "exponentials, and the weights sum to 1.");
    MISTAKE_VECTOR(
        3, ((const double[]){1 / 7., 2 / 7., 4 / 7.}),
        "These are shares of powers of 2. Softmax takes powers of e: exp(), not exp2().");
    MISTAKE_VECTOR(3, ((const double[]){C, B, A}),
                   "Upside down: the highest score got the smallest weight. Is it exp(score - "
                   "largest), or did the sign turn?");
    MISTAKE_VECTOR(3, ((const double[]){1 / (1 + exp(-1)), 1 / (1 + exp(-2)), 1 / (1 + exp(-3))}),
                   "A sigmoid judges each score alone. Softmax makes the scores compete for one "
                   "whole, so every weight depends on all of them.");
    MISTAKE_VECTOR(3, ((const double[]){log(A), log(B), log(C)}),
                   "These are the logarithms of the weights. The weights themselves are positive.");
    MISTAKE_VECTOR(3, ((const double[]){0, 0, 1}),
                   "All to the best score: that is a hard choice. Softmax gives the others their "
                   "share too; that is what is soft about it.");
    MISTAKE_VECTOR(3, ((const double[]){1 / 3., 1 / 3., 1 / 3.}),
                   "The same weight for every score: the scores themselves have no say here.");
    mistake_if_never_set(3, weights);
    MISTAKE_IF(sum(3, weights) == 0,
               "The weights sum to 0. Is what you divide really a double, and is every exponential "
               "in the sum?");
    MISTAKE_IF(fabs(sum(3, weights) - 1) > 1e-9,
               "The weights sum to %.4g; they must share out exactly 1. Does the sum that you "
               "divide by contain every exponential once?",
               sum(3, weights));
    EXPECT_VECTOR(3, expected, weights, 5e-5);
}

static void a_single_score_gets_all_the_weight(void) {
    const double numbers[4] = {0, -7.5, 3, 600};
    for (int i = 0; i < 4; NEXT(i)) {
        NEW_VECTOR_OF(scores, 1, numbers[i]);
        NEW_VECTOR_OF(expected, 1, 1);
        NEW_VECTOR(weights, 1);
        softmax(1, scores, weights);
        mistake_if_a_float(1, expected, weights);
        MISTAKE_IF(true, "With one score there is nothing to share: the weight is 1, whatever the "
                         "score.");
        EXPECT_VECTOR(1, expected, weights, 1e-12);
    }
}

static void the_weights_are_positive_and_sum_to_one(void) {
    struct random r = random_seed(11);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(scores, n);
        NEW_VECTOR(weights, n);
        random_scores(&r, n, 3, scores);
        softmax(n, scores, weights);
        for (int i = 0; i < n; i++)
            EXPECT_THAT(weights[i] > 0, "n = %d: weights[%d] is %g; every weight is positive", n, i,
                        weights[i]);
        mistake_if_a_float(1, (const double[]){1}, (const double[]){sum(n, weights)});
        EXPECT_THAT(fabs(sum(n, weights) - 1) <= 1e-12,
                    "n = %d: the weights sum to %.15g; they must sum to 1", n, sum(n, weights));
    }
}

static void random_scores_agree_with_the_slow_formula(void) {
    struct random r = random_seed(12);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(scores, n);
        NEW_VECTOR(expected, n);
        NEW_VECTOR(weights, n);
        random_scores(&r, n, 4, scores);
        slow_softmax(n, scores, expected);
        softmax(n, scores, weights);
        MISTAKE_IF(nearly(n, expected, weights),
                   "Right to a few digits, but not as good as a double: is there a float, or a "
                   "rounded 2.718, where double and exp() belong?");
        MISTAKE_IF(fabs(sum(n, weights) - 1) > 1e-9,
                   "With n = %d and scores of both signs the weights sum to %.4g, not to 1.", n,
                   sum(n, weights));
        EXPECT_VECTOR(n, expected, weights, 1e-12);
    }
}

static void scores_of_a_thousand_do_not_overflow(void) {
    NEW_VECTOR_OF(scores, 3, 1000, 1001, 1002);
    NEW_VECTOR_OF(expected, 3, A, B, C);
    NEW_VECTOR(weights, 3);
    softmax(3, scores, weights);
    MISTAKE_VECTOR(3, ((const double[]){1 / 3., 1 / 3., 1 / 3.}),
                   "All three count the same, as if all scores had been cut off at one limit. "
                   "Their differences must stay: subtract the largest score from each.");
    MISTAKE_IF(isnan(sum(3, weights)),
               "exp(1000) is too large for a double: it became infinite, and infinity / infinity "
               "is NaN. Only differences count: subtract the largest score first.");
    MISTAKE_IF(fabs(sum(3, weights) - 1) > 1e-9,
               "The weights sum to %.4g. exp(1000) is too large for a double: subtract the largest "
               "score first.",
               sum(3, weights));
    EXPECT_VECTOR(3, expected, weights, 1e-9);
}

static void scores_far_below_zero_do_not_vanish(void) {
    /* At -1e305 two neighbours are equal. */
    const double starts[4] = {-20000, -1e9, -1e15, -1e305};
    for (int k = 0; k < 4; NEXT(k)) {
        NEW_VECTOR_OF(scores, 2, starts[k], starts[k] - 1);
        NEW_VECTOR(expected, 2);
        NEW_VECTOR(weights, 2);
        slow_softmax(2, scores, expected);
        softmax(2, scores, weights);
        MISTAKE_IF(!(weights[0] > 0),
                   "At %g every exponential came out as 0. Did your largest score start from 0, or "
                   "from a constant that seemed small enough, or is it an int? Start from a score "
                   "that is really there, in a double.",
                   scores[0]);
        MISTAKE_IF(true,
                   "At %g digits get lost. Take differences between the scores themselves: what "
                   "log_sum_exp gives has been rounded already.",
                   scores[0]);
        EXPECT_VECTOR(2, expected, weights, 1e-9);
    }
}

static void the_largest_score_may_stand_anywhere(void) {
    for (int p = 0; p < 6; NEXT(p)) {
        NEW_VECTOR_OF(scores, 6, -1e4, 5e3, -1e4, 5e3, -1e4, 5e3);
        NEW_VECTOR_FILLED(expected, 6, 0);
        NEW_VECTOR(weights, 6);
        scores[p] = 1e4;
        expected[p] = 1;
        softmax(6, scores, weights);
        MISTAKE_IF(!isfinite(sum(6, weights)),
                   "An exponential became infinite: was the number you subtracted the largest of "
                   "all the scores? Here it stands at scores[%d].",
                   p);
        EXPECT_VECTOR(6, expected, weights, 0);
    }
}

static void adding_a_constant_to_all_scores_changes_nothing(void) {
    const double constants[5] = {0, 512, -512, 8192, -8192};
    for (int k = 0; k < 5; NEXT(k)) {
        NEW_VECTOR_OF(scores, 4, 2.5, -1.25, 0.5, 1.75);
        NEW_VECTOR(expected, 4);
        NEW_VECTOR(weights, 4);
        slow_softmax(4, scores, expected);
        for (int i = 0; i < 4; i++)
            scores[i] += constants[k];
        softmax(4, scores, weights);
        MISTAKE_IF(true,
                   "Adding %g to every score changed the weights. Only differences between "
                   "scores may count.",
                   constants[k]);
        EXPECT_VECTOR(4, expected, weights, 1e-9);
    }
}

static void a_score_of_minus_infinity_gets_exactly_nothing(void) {
    NEW_VECTOR_OF(scores, 6, -INFINITY, 1, 2, -INFINITY, 3, -INFINITY);
    NEW_VECTOR_OF(expected, 6, 0, A, B, 0, C, 0);
    NEW_VECTOR(weights, 6);
    softmax(6, scores, weights);
    for (int i = 0; i < 6; i++) {
        MISTAKE_IF(isnan(weights[i]),
                   "A score of -INFINITY means never: its weight is 0 and the others share as if "
                   "it were not there. Where does your largest score start?");
        EXPECT_THAT(isfinite(scores[i]) || weights[i] == 0.0,
                    "scores[%d] is -INFINITY, so weights[%d] must be exactly 0; it is %g", i, i,
                    weights[i]);
    }
    EXPECT_VECTOR(6, expected, weights, 1e-12);
}

static void when_all_scores_are_minus_infinity_all_weights_are_zero(void) {
    for (int n = 1; n <= 4; n += 3) {
        matrix_free_all();
        NEW_VECTOR_FILLED(scores, n, -INFINITY);
        NEW_VECTOR_FILLED(expected, n, 0);
        NEW_VECTOR(weights, n);
        softmax(n, scores, weights);
        MISTAKE_IF(isnan(sum(n, weights)),
                   "Nobody may be chosen here, so all weights are 0. The NaN comes from -INFINITY "
                   "- -INFINITY or from 0 / 0: ask for this case before it gets there.");
        MISTAKE_IF(fabs(sum(n, weights) - 1) < 1e-9,
                   "These weights sum to 1, but every score was -INFINITY: nobody may be chosen, "
                   "so all weights are 0.");
        EXPECT_VECTOR(n, expected, weights, 0);
    }
}

static void a_nan_among_the_scores_makes_every_weight_nan(void) {
    for (int kind = 0; kind < NAN_KINDS; kind++)
        for (int p = 0; p < 5; p++) {
            NEW_VECTOR(scores, 5);
            NEW_VECTOR_FILLED(weights, 5, 0.5);
            scores_with_nan(kind, p, 5, scores);
            softmax(5, scores, weights);
            for (int i = 0; i < 5; i++) {
                MISTAKE_IF(weights[i] == 0,
                           "The NaN in the scores was swept under a 0, and nobody "
                           "will ever find it. No comparison with a NaN is true: "
                           "how does your check for \"all are -INFINITY\" see it?");
                EXPECT_THAT(isnan(weights[i]),
                            "scores[%d] is NaN, so every weight must be NaN; weights[%d] is %g", p,
                            i, weights[i]);
            }
        }
}

static void softmax_may_write_over_its_own_scores(void) {
    NEW_VECTOR_OF(x, 4, 3, 1, 2, -INFINITY);
    NEW_VECTOR_OF(expected, 4, C, A, B, 0);
    softmax(4, x, x);
    MISTAKE_IF(true, "Called as softmax(n, x, x): writing weights[i] also overwrites scores[i]. "
                     "Which of them do you still read after that?");
    EXPECT_VECTOR(4, expected, x, 1e-12);
}

/* -------------------------------------------------------------------------------- softmax_rows */

static void two_rows_come_out_to_four_decimals(void) {
    NEW_MATRIX_OF(scores, 2, 3, {1, 2, 3}, {2, 0, 1});
    NEW_MATRIX_OF(expected, 2, 3, {.0900, .2447, .6652}, {.6652, .0900, .2447});
    const double up = 1 / (1 + exp(-1)), up2 = 1 / (1 + exp(-2)); /* of two scores 1 or 2 apart */
    const double columns[2][3] = {{1 - up, up2, up2}, {up, 1 - up2, 1 - up2}};
    const double all = exp(1) + exp(2) + exp(3) + exp(2) + 1 + exp(1);
    const double whole[2][3] = {{exp(1) / all, exp(2) / all, exp(3) / all},
                                {exp(2) / all, 1 / all, exp(1) / all}};
    const double all_so_far[2][3] = {{A, B, C}, {exp(2) / all, 1 / all, exp(1) / all}};
    NEW_MATRIX(weights, 2, 3);
    softmax_rows(2, 3, scores, weights);
    MISTAKE_MATRIX(2, 3, columns,
                   "Here every column sums to 1. Each row is one question that shares out its own "
                   "1, so the sum must run along the row.");
    MISTAKE_MATRIX(2, 3, whole,
                   "The whole matrix sums to 1 together. Each row shares out a 1 of its own: start "
                   "again at every row.");
    MISTAKE_MATRIX(2, 3, ((const double[2][3]){{A, B, C}, {C / 2, A / 2, B / 2}}),
                   "Row 1 was divided by the sum of both rows. Does your sum start from 0 again at "
                   "every row?");
    MISTAKE_MATRIX(2, 3, all_so_far,
                   "Row 1 was divided by the sum of both rows. Does your sum start from 0 again at "
                   "every row?");
    MISTAKE_MATRIX(2, 3, ((const double[2][3]){{A, B, C}, {A, B, C}}),
                   "Every row is the softmax of row 0. The scores of row i are scores[i].");
    mistake_if_never_set(6, weights);
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 3, weights);
    EXPECT_MATRIX(2, 3, expected, weights, 5e-5);
}

static void every_row_agrees_with_the_slow_formula(void) {
    struct random r = random_seed(21);
    for (int k = 0; k < COUNT(shapes); NEXT(k)) {
        int rows = shapes[k].rows, cols = shapes[k].cols;
        NEW_MATRIX(scores, rows, cols);
        NEW_MATRIX(expected, rows, cols);
        NEW_MATRIX(weights, rows, cols);
        random_scores(&r, rows * cols, 3, scores);
        for (int i = 0; i < rows; i++)
            slow_softmax(cols, scores[i], expected[i]);
        softmax_rows(rows, cols, scores, weights);
        mistake_if_a_float(rows * cols, expected, weights);
        MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(rows, cols, weights);
        EXPECT_MATRIX(rows, cols, expected, weights, 1e-12);
    }
}

static void a_row_far_above_does_not_crush_a_row_far_below(void) {
    NEW_MATRIX_OF(scores, 3, 2, {1e4, 1e4 - 1}, {-1e4, -1e4 - 1}, {0, -1});
    NEW_MATRIX(expected, 3, 2);
    NEW_MATRIX(weights, 3, 2);
    for (int i = 0; i < 3; i++)
        slow_softmax(2, scores[i], expected[i]);
    softmax_rows(3, 2, scores, weights);
    MISTAKE_IF(!(weights[1][0] > 0) && weights[0][0] > 0.5,
               "Row 1 lies 20000 below row 0 and all its exponentials became 0. Subtract each "
               "row's own largest score, not the largest of the whole matrix.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(3, 2, weights);
    EXPECT_MATRIX(3, 2, expected, weights, 1e-9);
}

static void trouble_in_one_row_stays_in_that_row(void) {
    NEW_MATRIX_OF(scores, 4, 3, {1, 2, 3}, {1, NAN, 2}, {-INFINITY, -INFINITY, -INFINITY},
                  {3, 1, 2});
    NEW_MATRIX_OF(expected, 4, 3, {A, B, C}, {0, 0, 0}, {0, 0, 0}, {C, A, B});
    NEW_MATRIX_FILLED(weights, 4, 3, 0.5);
    softmax_rows(4, 3, scores, weights);
    for (int j = 0; j < 3; j++) {
        EXPECT_THAT(isnan(weights[1][j]),
                    "scores[1][1] is NaN, so weights[1][%d] must be NaN; it is %g", j,
                    weights[1][j]);
        weights[1][j] = 0.0; /* seen: the rest can be compared as numbers */
    }
    MISTAKE_IF(true, "Row 1 holds a NaN and row 2 only -INFINITY. Neither may touch another row, "
                     "and row 2 gets zeros: what do your rows share?");
    EXPECT_MATRIX(4, 3, expected, weights, 1e-12);
}

static void rows_may_be_written_over_their_own_scores(void) {
    struct random r = random_seed(22);
    NEW_MATRIX(x, 3, 5);
    NEW_MATRIX(expected, 3, 5);
    random_scores(&r, 15, 2, x);
    for (int i = 0; i < 3; i++)
        slow_softmax(5, x[i], expected[i]);
    softmax_rows(3, 5, x, x);
    MISTAKE_IF(true, "Called as softmax_rows(rows, cols, x, x): what you write into weights is "
                     "gone from scores. Which of them do you still read after that?");
    EXPECT_MATRIX(3, 5, expected, x, 1e-12);
}

/* ---------------------------------------------------------------------- softmax_at_temperature */

static void a_high_temperature_flattens_the_worked_example(void) {
    NEW_VECTOR_OF(scores, 3, 1, 2, 3);
    NEW_VECTOR_OF(expected, 3, .3006, .3322, .3672);
    NEW_VECTOR(twice, 3);
    slow_softmax(3, (const double[]){A / 10, B / 10, C / 10}, twice);
    NEW_VECTOR(weights, 3);
    softmax_at_temperature(3, 10, scores, weights);
    MISTAKE_VECTOR(3, ((const double[]){2.0611e-9, 4.5398e-5, .9999546}),
                   "You multiplied the scores by the temperature. Heat should flatten: divide, so "
                   "that the scores come closer together.");
    MISTAKE_VECTOR(3, ((const double[]){A, B, C}),
                   "These are the weights at temperature 1: the temperature got lost on the way. "
                   "Dividing the weights by it and normalising again also cancels it.");
    MISTAKE_VECTOR(3, ((const double[]){A / 10, B / 10, C / 10}),
                   "You divided the weights by the temperature, after the softmax, so they sum to "
                   "0.1. It belongs on the scores, before exp().");
    MISTAKE_VECTOR(3, ((const double[]){A * 10, B * 10, C * 10}),
                   "You multiplied the weights by the temperature, after the softmax, so they sum "
                   "to 10. It divides the scores, before exp().");
    MISTAKE_VECTOR(3, twice,
                   "That is a softmax of a softmax: the temperature must divide the scores, not "
                   "the weights that come out.");
    MISTAKE_VECTOR(3, ((const double[]){.1, .2, .3}),
                   "These are the scores divided by the temperature: right, and now the softmax of "
                   "them.");
    MISTAKE_VECTOR(3, ((const double[]){1 / 3., 1 / 3., 1 / 3.}),
                   "All weights are equal, as if every score had become the same. Do you keep "
                   "score / temperature, or 1 / temperature, in an int? It makes 0 of 0.1.");
    mistake_if_never_set(3, weights);
    MISTAKE_IF(fabs(sum(3, weights) - 1) > 1e-9,
               "The weights sum to %.4g. At any temperature they are the softmax of something, so "
               "they sum to 1.",
               sum(3, weights));
    EXPECT_VECTOR(3, expected, weights, 5e-5);
}

static void a_low_temperature_sharpens_the_worked_example(void) {
    static const double temperatures[] = {.1, .5, 2};
    static const double right[][3] = {{2e-9, .000045398, .999954600},
                                      {.015876240, .117310428, .866813332},
                                      {.186323723, .307195886, .506480391}};
    for (int k = 0; k < COUNT(temperatures); NEXT(k)) {
        NEW_VECTOR_OF(scores, 3, 1, 2, 3);
        NEW_VECTOR_LIKE(expected, 3, right[k]);
        NEW_VECTOR(weights, 3);
        softmax_at_temperature(3, temperatures[k], scores, weights);
        mistake_if_a_float(3, expected, weights);
        MISTAKE_IF(temperatures[k] < 1 && isnan(sum(3, weights)),
                   "At temperature %g no weight is a number. Is the temperature kept in an int? "
                   "That makes it 0.",
                   temperatures[k]);
        MISTAKE_IF(temperatures[k] < 1 && weights[2] < C,
                   "At temperature %g the largest weight went down to %.4f. Below 1 the best score "
                   "wins more clearly, not less.",
                   temperatures[k], weights[2]);
        EXPECT_VECTOR(3, expected, weights, 1e-9);
    }
}

static void at_temperature_one_nothing_changes(void) {
    struct random r = random_seed(31);
    NEW_VECTOR(scores, 6);
    NEW_VECTOR(expected, 6);
    NEW_VECTOR(weights, 6);
    random_scores(&r, 6, 2, scores);
    slow_softmax(6, scores, expected);
    softmax_at_temperature(6, 1, scores, weights);
    MISTAKE_IF(true, "At temperature 1 this is the plain softmax.");
    EXPECT_VECTOR(6, expected, weights, 1e-12);
}

static void near_zero_the_best_takes_all_and_in_great_heat_all_are_equal(void) {
    NEW_VECTOR_OF(scores, 4, -1, 2, 1.5, 0);
    NEW_VECTOR_OF(cold, 4, 0, 1, 0, 0);
    NEW_VECTOR_FILLED(hot, 4, .25);
    NEW_VECTOR(weights, 4);
    softmax_at_temperature(4, 1e-4, scores, weights);
    MISTAKE_IF(isnan(sum(4, weights)), "scores / temperature reaches 20000 here: too large for "
                                       "exp(), unless the largest is subtracted after dividing.");
    EXPECT_VECTOR(4, cold, weights, 1e-12);
    fill(4, NAN, weights);
    softmax_at_temperature(4, 1e9, scores, weights);
    EXPECT_VECTOR(4, hot, weights, 1e-8);
}

static void any_temperature_agrees_with_the_slow_formula(void) {
    struct random r = random_seed(32);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        double temperature = 0.3 + 2 * random_uniform(&r);
        NEW_VECTOR(scores, n);
        NEW_VECTOR(divided, n);
        NEW_VECTOR(expected, n);
        NEW_VECTOR(weights, n);
        random_scores(&r, n, 3, scores);
        for (int i = 0; i < n; i++)
            divided[i] = scores[i] / temperature;
        slow_softmax(n, divided, expected);
        softmax_at_temperature(n, temperature, scores, weights);
        mistake_if_a_float(n, expected, weights);
        MISTAKE_IF(fabs(sum(n, weights) - 1) > 1e-9, "At temperature %g the weights sum to %.4g.",
                   temperature, sum(n, weights));
        EXPECT_VECTOR(n, expected, weights, 1e-12);
    }
}

static void extreme_scores_are_fine_at_any_temperature(void) {
    NEW_VECTOR_OF(scores, 4, -20001, -INFINITY, -20000, -INFINITY);
    NEW_VECTOR_OF(expected, 4, .1192029220221176, 0, .8807970779778823, 0);
    NEW_VECTOR(weights, 4);
    softmax_at_temperature(4, 0.5, scores, weights);
    MISTAKE_IF(true, "The scores are -20000, -20001 and -INFINITY. What softmax() bears, this must "
                     "bear too: can you leave the work to it?");
    EXPECT_VECTOR(4, expected, weights, 1e-9);

    NEW_VECTOR_FILLED(nothing, 4, 0);
    softmax_at_temperature(4, 3, fill(4, -INFINITY, scores), weights);
    MISTAKE_IF(true, "All scores are -INFINITY, and -INFINITY divided by a temperature still is: "
                     "all weights are 0.");
    EXPECT_VECTOR(4, nothing, weights, 0);

    for (int p = 0; p < 4; p++) {
        scores_with_nan(1, p, 4, scores);
        softmax_at_temperature(4, 3, scores, fill(4, .5, weights));
        for (int i = 0; i < 4; i++)
            EXPECT_THAT(isnan(weights[i]),
                        "scores[%d] is NaN, so every weight must be NaN; weights[%d] is %g", p, i,
                        weights[i]);
    }
}

static void the_scores_may_be_overwritten_at_a_temperature_too(void) {
    NEW_VECTOR_OF(x, 3, 3, 1, 2);
    NEW_VECTOR_OF(expected, 3, .506480391, .186323723, .307195886);
    softmax_at_temperature(3, 2, x, x);
    MISTAKE_IF(true, "Called with scores and weights being the same array: do you divide by the "
                     "temperature twice, or read a score that is already a weight?");
    EXPECT_VECTOR(3, expected, x, 1e-9);
}

/* --------------------------------------------------------------------------------- log_sum_exp */

static void log_sum_exp_of_the_worked_example_comes_out(void) {
    NEW_VECTOR_OF(scores, 3, 1, 2, 3);
    double result = log_sum_exp(3, scores), of_equals = log_sum_exp(2, (const double[]){0, 0});
    MISTAKE_IF(isnan(result), NOT_A_NUMBER);
    mistake_if_never_set(1, &result);
    MISTAKE_IF(result == 3 && fabs(of_equals - log(2)) < 1e-9,
               "Is the sum a double? An int drops what is behind the point, and 0.1353 + 0.3679 + "
               "1 becomes 1.");
    MISTAKE_NUMBER(log(29), "That is log(29). Is the sum a double? An int drops what is behind the "
                            "point.");
    MISTAKE_NUMBER(exp(1) + exp(2) + exp(3),
                   "That is the sum of the exponentials. Its logarithm is wanted.");
    MISTAKE_NUMBER(exp(-2) + exp(-1) + 1,
                   "That is the sum of exp(score - largest). Take its logarithm, and then give "
                   "back the largest score that you subtracted.");
    MISTAKE_NUMBER(3.4076059644 - 3,
                   "You subtracted the largest score before exp() and did not give it back. What "
                   "must be added after the log()?");
    MISTAKE_NUMBER(6 - 3.4076059644, "You subtracted the logarithm from the largest score. The sum "
                                     "of the exponentials is at least 1: add its logarithm.");
    MISTAKE_NUMBER(3.4076059644 - 6,
                   "You subtracted the largest score a second time. After the log() it has to be "
                   "added back.");
    MISTAKE_NUMBER(exp(-2) + exp(-1) + 1 + 3,
                   "You added the largest score back, but forgot the logarithm of the sum.");
    MISTAKE_NUMBER(3, "That is only the largest score. The others add to it: log_sum_exp is a soft "
                      "maximum and lies a little above.");
    MISTAKE_NUMBER(3 * (3.4076059644 - 3), "You multiplied by the largest score. It was taken out "
                                           "by subtracting, so it comes back by adding.");
    MISTAKE_NUMBER(log10(exp(1) + exp(2) + exp(3)),
                   "That is a logarithm in base 10; log() undoes exp(), log10() does not.");
    MISTAKE_NUMBER(3 + log10(exp(-2) + exp(-1) + 1),
                   "That is a logarithm in base 10; log() undoes exp(), log10() does not.");
    MISTAKE_NUMBER(6, "That is the sum of the scores: log() of each exp() undid it. First sum the "
                      "exponentials, then take one logarithm.");
    MISTAKE_NUMBER(log(6), "You summed the scores themselves. It is exp() of each that is summed.");
    MISTAKE_NUMBER(3.4076059644 - log(3),
                   "You took the mean of the exponentials; it is their sum that goes into log().");
    MISTAKE_NUMBER(log2(exp(1) + exp(2) + exp(3)),
                   "That is a logarithm in base 2; log() undoes exp(), log2() does not.");
    MISTAKE_NUMBER(3 + log2(exp(-2) + exp(-1) + 1),
                   "That is a logarithm in base 2; log() undoes exp(), log2() does not.");
    EXPECT_RESULT(3.4076, log_sum_exp(3, scores), 5e-5);
}

static void log_sum_exp_of_one_score_is_that_score(void) {
    const double numbers[4] = {0, -7.5, 3, 600};
    for (int i = 0; i < 4; NEXT(i)) {
        NEW_VECTOR_OF(scores, 1, numbers[i]);
        double result = log_sum_exp(1, scores);
        mistake_if_a_float(1, scores, &result);
        MISTAKE_IF(true, "With one score, log() undoes exp() and the score comes back.");
        EXPECT_RESULT(scores[0], log_sum_exp(1, scores), 1e-12);
    }
}

static void log_sum_exp_agrees_with_its_definition(void) {
    struct random r = random_seed(41);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(scores, n);
        random_scores(&r, n, 4, scores);
        double exponentials = 0.0;
        for (int i = 0; i < n; i++)
            exponentials += exp(scores[i]);
        double expected = log(exponentials), result = log_sum_exp(n, scores);
        mistake_if_a_float(1, &expected, &result);
        EXPECT_RESULT(expected, log_sum_exp(n, scores), 1e-12);
    }
}

static void log_sum_exp_does_not_overflow(void) {
    NEW_VECTOR_OF(scores, 3, 1000, 1001, 1002);
    MISTAKE_IF(!isfinite(log_sum_exp(3, scores)),
               "exp(1000) is too large for a double and became infinite. Subtract the largest "
               "score before exp(), and add it back after log().");
    MISTAKE_IF(log_sum_exp(3, scores) < 1000,
               "Less than each score, as if they had been cut off at a limit. Subtract the "
               "largest before exp(), and add it back after log().");
    EXPECT_RESULT(1002.4076059644444, log_sum_exp(3, scores), 1e-9);
}

static void log_sum_exp_does_not_vanish_far_below_zero(void) {
    const double starts[3] = {-20000, -1e9, -1e305};
    for (int k = 0; k < 3; NEXT(k)) {
        NEW_VECTOR_OF(scores, 2, starts[k], starts[k] - 1);
        double expected = starts[k] + (k < 2 ? 0.31326168751822286 : 0);
        double result = log_sum_exp(2, scores);
        MISTAKE_IF(result == -INFINITY,
                   "Every exponential came out as 0, and log(0) is -INFINITY. Did your largest "
                   "score start from 0, or from a constant that seemed small enough, or is it an "
                   "int? Start from a score that is really there, in a double.");
        EXPECT_THAT(fabs(result - expected) <= 1e-6,
                    "log_sum_exp of %.10g and %.10g is %.10g; it should be %.10g", scores[0],
                    scores[1], isnan(result) ? (double)NAN : result, expected);
    }
}

static void log_sum_exp_finds_the_largest_score_anywhere(void) {
    for (int p = 0; p < 6; NEXT(p)) {
        NEW_VECTOR_OF(scores, 6, -1e4, 5e3, -1e4, 5e3, -1e4, 5e3);
        scores[p] = 1e4;
        MISTAKE_IF(!isfinite(log_sum_exp(6, scores)),
                   "An exponential became infinite: was the number you subtracted the largest of "
                   "all the scores? Here it stands at scores[%d].",
                   p);
        EXPECT_RESULT(1e4, log_sum_exp(6, scores), 1e-9);
    }
}

static void adding_a_constant_to_all_scores_adds_it_to_log_sum_exp(void) {
    const double constants[4] = {512, -512, 8192, -8192};
    for (int k = 0; k < 4; NEXT(k)) {
        NEW_VECTOR_OF(scores, 3, 1, 2, 3);
        for (int i = 0; i < 3; i++)
            scores[i] += constants[k];
        MISTAKE_IF(true, "With %g added to every score, log_sum_exp must grow by just that much.",
                   constants[k]);
        EXPECT_RESULT(constants[k] + 3.40760596444438, log_sum_exp(3, scores), 1e-9);
    }
}

static void scores_of_minus_infinity_add_nothing_to_log_sum_exp(void) {
    NEW_VECTOR_OF(scores, 5, -INFINITY, 1, -INFINITY, 2, 3);
    MISTAKE_IF(true, "exp(-INFINITY) is 0, so such a score adds nothing to the sum, wherever it "
                     "stands.");
    EXPECT_RESULT(3.40760596444438, log_sum_exp(5, scores), 1e-9);
    for (int n = 1; n <= 4; n += 3) {
        double *nothing = fill(n, -INFINITY, vector_new("scores", n));
        MISTAKE_NUMBER(0, "0 is log(1). When every score is -INFINITY the sum of the exponentials "
                          "is 0, and log(0) is -INFINITY.");
        MISTAKE_NUMBER(INFINITY, "The sign: log(0) is -INFINITY, as small as can be.");
        MISTAKE_NUMBER(NAN, "-INFINITY - -INFINITY is NaN. When the largest score is -INFINITY the "
                            "sum is 0, and log(0) is -INFINITY.");
        EXPECT_RESULT(-INFINITY, log_sum_exp(n, nothing), 0);
    }
}

static void a_nan_among_the_scores_makes_log_sum_exp_nan(void) {
    for (int kind = 0; kind < NAN_KINDS; kind++)
        for (int p = 0; p < 5; p++) {
            NEW_VECTOR(scores, 5);
            scores_with_nan(kind, p, 5, scores);
            double result = log_sum_exp(5, scores);
            MISTAKE_IF(result == -INFINITY,
                       "The NaN was overlooked beside -INFINITY. No comparison with a NaN is true, "
                       "so looking for the largest score walks past it.");
            EXPECT_THAT(isnan(result), "scores[%d] is NaN, so log_sum_exp must be NaN; it is %g", p,
                        result);
        }
}

/* ------------------------------------------------------------------------------ expected_value */

static void the_worked_weights_blend_three_rows_to_four_decimals(void) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_MATRIX_OF(values, 3, 2, {1, 2}, {3, 0}, {0, 1});
    NEW_VECTOR_OF(expected, 2, .8242, .8453);
    NEW_VECTOR(out, 2);
    NEW_VECTOR(again, 3);
    slow_softmax(3, weights, again);
    expected_value(3, 2, weights, values, out);
    MISTAKE_VECTOR(2, ((const double[]){again[0] + 3 * again[1], 2 * again[0] + again[2]}),
                   "You took a softmax of the weights. They are weights already: take them as they "
                   "come.");
    MISTAKE_IF(out[1] == 0 && (fabs(out[0] - A) < 1e-4 || fabs(out[0] - 3 * A) < 1e-4),
               "c stands where i belongs: row i of the values counts by weights[i].");
    MISTAKE_VECTOR(2, ((const double[]){4, 3}),
                   "You summed the rows and left the weights out. Each row counts only as much as "
                   "its weight says.");
    MISTAKE_VECTOR(2, ((const double[]){4 / 3., 1}),
                   "That is the plain mean of the rows: each counted the same. Use weights[i] for "
                   "row i; they already sum to 1.");
    MISTAKE_VECTOR(2, ((const double[]){(A + 3 * B) / 3, (2 * A + C) / 3}),
                   "You divided by n as well. The weights sum to 1 already: nothing is left to "
                   "divide by.");
    MISTAKE_VECTOR(2, ((const double[]){0, C}),
                   "Only the last row is in there: each row replaced the one before. Add them up.");
    MISTAKE_VECTOR(2, ((const double[]){0, 1}),
                   "That is the row with the largest weight alone. The others have a say too, in "
                   "proportion.");
    MISTAKE_VECTOR(2, ((const double[]){A + 2 * B + 3 * C, C}),
                   "The values were read as if they had n columns: values[i] is row i, and "
                   "values[i][c] its column c.");
    MISTAKE_VECTOR(2, ((const double[]){4 * A, 3 * B}),
                   "weights[c] was used for column c. The weights belong to the rows: weights[i] "
                   "goes with values[i].");
    MISTAKE_VECTOR(2, ((const double[]){A + 3 * B, A + 3 * B + 2 * A + C}),
                   "out[1] contains out[0] as well: the sum has to start from 0 again at every "
                   "column.");
    MISTAKE_VECTOR(2, ((const double[]){0, 0}),
                   "All zero. Is the sum a double, and does every product get into it? An int "
                   "drops what is behind the point.");
    mistake_if_never_set(2, out);
    EXPECT_VECTOR(2, expected, out, 5e-5);
}

static void all_the_weight_on_one_row_gives_that_row(void) {
    struct random r = random_seed(51);
    for (int p = 0; p < 4; NEXT(p)) {
        NEW_VECTOR_FILLED(weights, 4, 0);
        NEW_MATRIX(values, 4, 6);
        NEW_VECTOR(out, 6);
        random_scores(&r, 24, 5, values);
        weights[p] = 1;
        expected_value(4, 6, weights, values, out);
        mistake_if_a_float(6, values[p], out);
        MISTAKE_IF(true, "Only weights[%d] is 1 and the others are 0, so `out` must be values[%d].",
                   p, p);
        EXPECT_VECTOR(6, values[p], out, 0);
    }
}

static void what_was_in_out_before_does_not_matter(void) {
    NEW_VECTOR_OF(weights, 2, .25, .75);
    NEW_MATRIX_OF(values, 2, 3, {4, 8, -4}, {0, 4, 4});
    NEW_VECTOR_OF(expected, 3, 1, 5, 2);
    NEW_VECTOR_FILLED(out, 3, 100);
    expected_value(2, 3, weights, values, out);
    MISTAKE_VECTOR(3, ((const double[]){101, 105, 102}),
                   "You added to what stood in `out` before. An output starts out undefined: set "
                   "it to 0 before you add. (Only ..._backward functions add.)");
    EXPECT_VECTOR(3, expected, out, 1e-12);
}

static void a_blend_never_leaves_the_range_of_its_values(void) {
    struct random r = random_seed(52);
    const int n = 5, d = 7;
    NEW_VECTOR(weights, n);
    NEW_MATRIX(values, n, d);
    NEW_VECTOR(out, d);
    random_weights(&r, n, weights);
    random_scores(&r, n * d, 10, values);
    expected_value(n, d, weights, values, out);
    for (int c = 0; c < d; c++) {
        double low = values[0][c], high = values[0][c];
        for (int i = 1; i < n; i++) {
            low = fmin(low, values[i][c]);
            high = fmax(high, values[i][c]);
        }
        EXPECT_THAT(out[c] >= low - 1e-12 && out[c] <= high + 1e-12,
                    "column %d of the values runs from %.4f to %.4f, but out[%d] is %.4f", c, low,
                    high, c, out[c]);
    }
}

static void blends_of_any_shape_agree_with_the_sum(void) {
    struct random r = random_seed(53);
    for (int k = 0; k < COUNT(shapes); NEXT(k)) {
        int n = shapes[k].rows, d = shapes[k].cols;
        NEW_VECTOR(weights, n);
        NEW_MATRIX(values, n, d);
        NEW_VECTOR_FILLED(expected, d, 0);
        NEW_VECTOR(out, d);
        random_weights(&r, n, weights);
        random_scores(&r, n * d, 2, values);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d; c++)
                expected[c] += weights[i] * values[i][c];
        expected_value(n, d, weights, values, out);
        mistake_if_a_float(d, expected, out);
        EXPECT_VECTOR(d, expected, out, 1e-12);
    }
}

static void weights_of_zero_blend_to_nothing(void) {
    NEW_VECTOR_FILLED(weights, 3, 0);
    NEW_MATRIX_FILLED(values, 3, 4, 9);
    NEW_VECTOR_FILLED(expected, 4, 0);
    NEW_VECTOR(out, 4);
    expected_value(3, 4, weights, values, out);
    MISTAKE_IF(true, "All weights are 0, so nothing is blended and `out` is 0. Do not divide by "
                     "the sum of the weights.");
    EXPECT_VECTOR(4, expected, out, 0);
}

/* ------------------------------------------------------------------------------------- entropy */

static void the_entropy_of_the_worked_weights_comes_out(void) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    const double nats = 0.8323955818;
    double result = entropy(3, weights);
    MISTAKE_IF(isnan(result), NOT_A_NUMBER);
    mistake_if_never_set(1, &result);
    MISTAKE_NUMBER(0, "0, though nothing is certain here. Is the sum a double (an int drops what "
                      "is behind the point), or does your if keep the zeros and skip the rest?");
    MISTAKE_NUMBER(-A * log(A), "That is the share of the first weight alone. Does the loop go on "
                                "after it?");
    MISTAKE_NUMBER(-nats, "The sign: the logarithm of a weight is negative or 0, so there is a "
                          "minus in front, and entropy is never below 0.");
    MISTAKE_NUMBER(nats / log(2), "That is in bits, with log2(). Nats are asked for: log().");
    MISTAKE_NUMBER(nats / log(10), "That is with log10(). Nats are asked for: log().");
    MISTAKE_NUMBER(-1, "The sum of the weights: the logarithm is missing.");
    MISTAKE_NUMBER(1, "The sum of the weights: the logarithm is missing.");
    MISTAKE_NUMBER(-log(A) - log(B) - log(C),
                   "The surprises -log(weight) were summed as they are. Each counts only as often "
                   "as it happens: multiply by its weight.");
    MISTAKE_NUMBER(A * A + B * B + C * C,
                   "The sum of the squares: one of the two factors should be a logarithm.");
    MISTAKE_NUMBER(exp(nats), "That is the perplexity, exp() of the entropy.");
    MISTAKE_NUMBER(nats / 3, "You divided by n. The weights already make a mean of it.");
    MISTAKE_NUMBER(nats / log(3), "You divided by log(n), the largest entropy there can be. The "
                                  "plain entropy is asked for.");
    EXPECT_RESULT(0.8324, entropy(3, weights), 5e-5);
}

static void all_the_weight_in_one_place_has_no_entropy_at_all(void) {
    for (int n = 1; n <= 4; n++)
        for (int p = 0; p < n; NEXT(p)) {
            NEW_VECTOR_FILLED(weights, n, 0);
            weights[p] = 1;
            double result = entropy(n, weights);
            MISTAKE_IF(isnan(result), "log(0) is -INFINITY, and 0 * -INFINITY is NaN. A weight of "
                                      "0 adds nothing: skip it.");
            MISTAKE_IF(result != 0 && fabs(result) < 1e-3,
                       "Almost 0, but not quite: a small number added inside the log() avoids the "
                       "NaN and spoils the sum. Skip the weights that are 0.");
            EXPECT_RESULT(0.0, entropy(n, weights), 0);
        }
}

static void equal_weights_have_an_entropy_of_log_n(void) {
    for (int n = 2; n <= 50; n += 6) {
        matrix_free_all();
        NEW_VECTOR_FILLED(weights, n, 1.0 / n);
        double expected = log(n), result = entropy(n, weights);
        mistake_if_a_float(1, &expected, &result);
        MISTAKE_IF(true,
                   "All %d weights are equal: nobody can know less, and the entropy is "
                   "log(%d).",
                   n, n);
        EXPECT_RESULT(expected, entropy(n, weights), 1e-12);
    }
}

static void weights_of_zero_change_no_entropy(void) {
    NEW_VECTOR_OF(weights, 6, 0, A, 0, B, C, 0);
    report('<', "weights = 0, 0.0900, 0, 0.2447, 0.6652, 0"); /* too long to be shown by itself */
    MISTAKE_NUMBER(NAN,
                   "0 * log(0) is NaN in C. Here it counts as 0: skip the weights that are 0.");
    MISTAKE_NUMBER(0,
                   "You stopped at the first weight of 0. It adds nothing, but the weights after "
                   "it still do: go on with the next one.");
    EXPECT_RESULT(0.8323955818, entropy(6, weights), 1e-9);
    double *nothing = fill(3, 0, vector_new("weights", 3));
    EXPECT_RESULT(0.0, entropy(3, nothing), 0);
}

static void small_weights_count_too(void) {
    struct random r = random_seed(61);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(scores, n);
        NEW_VECTOR(weights, n);
        random_scores(&r, n, 9, scores);
        slow_softmax(n, scores, weights);
        double expected = 0.0;
        for (int i = 0; i < n; i++)
            expected -= weights[i] * log(weights[i]);
        MISTAKE_IF(true, "However small a weight is, it counts. Only a weight of exactly 0 is left "
                         "out.");
        EXPECT_RESULT(expected, entropy(n, weights), 1e-13);
    }
}

static void entropy_rises_with_the_temperature(void) {
    static const double temperatures[] = {.1, .5, 2, 10};
    static const double right[] = {.000499421, .441057444, 1.020191337, 1.095287269};
    for (int k = 0; k < COUNT(temperatures); NEXT(k)) {
        double t = temperatures[k];
        NEW_VECTOR_OF(scores, 3, 1 / t, 2 / t, 3 / t);
        NEW_VECTOR(weights, 3);
        slow_softmax(3, scores, weights);
        EXPECT_RESULT(right[k], entropy(3, weights), 1e-9);
    }
}

/* ---------------------------------------------------------------------------- softmax_jacobian */

static void the_worked_jacobian_comes_out_to_four_decimals(void) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_MATRIX_OF(expected, 3, 3, {.0819, -.0220, -.0599}, {-.0220, .1848, -.1628},
                  {-.0599, -.1628, .2227});
    const double a = A * (1 - A), b = B * (1 - B), c = C * (1 - C);
    const double diagonal[3][3] = {{a, 0, 0}, {0, b, 0}, {0, 0, c}};
    const double plus[3][3] = {{a, A * B, A * C}, {A * B, b, B * C}, {A * C, B * C, c}};
    const double all_plus[3][3] = {
        {A + A * A, A * B, A * C}, {A * B, B + B * B, B * C}, {A * C, B * C, C + C * C}};
    const double negative[3][3] = {
        {-A * A, -A * B, -A * C}, {-A * B, -B * B, -B * C}, {-A * C, -B * C, -C * C}};
    const double no_square[3][3] = {{A, -A * B, -A * C}, {-A * B, B, -B * C}, {-A * C, -B * C, C}};
    const double flipped[3][3] = {{-a, A * B, A * C}, {A * B, -b, B * C}, {A * C, B * C, -c}};
    const double by_column[3][3] = {{1 - A, -B, -C}, {-A, 1 - B, -C}, {-A, -B, 1 - C}};
    const double by_row[3][3] = {{1 - A, -A, -A}, {-B, 1 - B, -B}, {-C, -C, 1 - C}};
    const double zero[3][3] = {{0}};
    NEW_VECTOR(again, 3);
    NEW_MATRIX(of_a_second_softmax, 3, 3);
    slow_softmax(3, weights, again);
    slow_jacobian(3, again, of_a_second_softmax);
    NEW_MATRIX(jacobian, 3, 3);
    softmax_jacobian(3, weights, jacobian);
    MISTAKE_MATRIX(3, 3, diagonal,
                   "Only the diagonal: raising one score must lower the other weights too, so "
                   "where are your negative numbers?");
    MISTAKE_MATRIX(3, 3, plus,
                   "Off the diagonal the sign is wrong: when one score rises, the other weights "
                   "pay for it, so they go down.");
    MISTAKE_MATRIX(3, 3, all_plus,
                   "weights[i] * weights[j] was added everywhere. It is what the weights lose: "
                   "subtract it, on the diagonal too.");
    MISTAKE_MATRIX(3, 3, negative,
                   "Every cell is negative: on the diagonal weights[i] itself is missing. Raising "
                   "a score raises its own weight.");
    MISTAKE_MATRIX(3, 3, no_square,
                   "The diagonal is weights[i] alone. A score competes with itself too: subtract "
                   "weights[i] * weights[i] there.");
    MISTAKE_MATRIX(3, 3, flipped,
                   "Every sign is turned: raising a score must raise its own weight and lower the "
                   "others.");
    MISTAKE_MATRIX(3, 3, by_column,
                   "One factor is missing: each cell is weights[i] * ((i == j) - weights[j]), and "
                   "yours has no weights[i].");
    MISTAKE_MATRIX(3, 3, by_row,
                   "One factor is missing: each cell is weights[j] * ((i == j) - weights[i]), and "
                   "yours has no weights[j].");
    MISTAKE_MATRIX(3, 3, of_a_second_softmax,
                   "You took a softmax of the weights first. They are given ready: softmax has "
                   "been applied already.");
    mistake_if_never_set(9, jacobian);
    MISTAKE_MATRIX(3, 3, zero, "All zero: then no score would move any weight.");
    for (int i = 0; i < 3; i++)
        MISTAKE_IF(fabs(sum(3, jacobian[i])) > 1e-9,
                   "Row %d of the Jacobian sums to %.4g. The weights always sum to 1, so what some "
                   "gain the others lose: every row sums to 0.",
                   i, sum(3, jacobian[i]));
    EXPECT_MATRIX(3, 3, expected, jacobian, 5e-5);
}

static void a_single_weight_cannot_move(void) {
    NEW_VECTOR_OF(weights, 1, 1);
    NEW_MATRIX_FILLED(expected, 1, 1, 0);
    NEW_MATRIX(jacobian, 1, 1);
    softmax_jacobian(1, weights, jacobian);
    MISTAKE_IF(true, "With one score the weight is 1 whatever the score is: it does not move.");
    EXPECT_MATRIX(1, 1, expected, jacobian, 0);
}

static void the_jacobian_is_symmetric_and_its_rows_sum_to_zero(void) {
    struct random r = random_seed(71);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(weights, n);
        NEW_MATRIX(jacobian, n, n);
        softmax_jacobian(n, random_weights(&r, n, weights), jacobian);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                mistake_if_a_float(1, &jacobian[j][i], &jacobian[i][j]);
                EXPECT_THAT(fabs(jacobian[i][j] - jacobian[j][i]) <= 1e-15,
                            "jacobian[%d][%d] is %g and jacobian[%d][%d] is %g; they must be equal",
                            i, j, jacobian[i][j], j, i, jacobian[j][i]);
            }
            mistake_if_a_float(1, (const double[]){0}, (const double[]){sum(n, jacobian[i])});
            EXPECT_THAT(fabs(sum(n, jacobian[i])) <= 1e-14,
                        "row %d of the Jacobian sums to %g; it must sum to 0", i,
                        sum(n, jacobian[i]));
        }
    }
}

struct softmax_run {
    int n;
    double *scores;
    double *weights;
    const double *upstream; /* how much each weight counts in the loss */
};

static double loss_after_softmax(void *context) {
    struct softmax_run *run = context;
    double loss = 0.0;
    softmax(run->n, run->scores, run->weights);
    for (int i = 0; i < run->n; i++)
        loss += run->upstream[i] * run->weights[i];
    return loss;
}

static void the_jacobian_is_what_nudging_each_score_measures(void) {
    struct random r = random_seed(72);
    const int n = 4;
    NEW_VECTOR(scores, n);
    NEW_VECTOR(weights, n);
    NEW_VECTOR_FILLED(upstream, n, 0);
    NEW_MATRIX(measured, n, n);
    NEW_MATRIX(jacobian, n, n);
    struct softmax_run run = {n, scores, weights, upstream};
    random_scores(&r, n, 1, scores);
    for (int i = 0; i < n; i++) {
        upstream[i] = 1; /* the loss is weights[i] alone */
        numeric_gradient(loss_after_softmax, &run, n, scores, measured[i]);
        upstream[i] = 0;
    }
    softmax(n, scores, weights);
    softmax_jacobian(n, weights, jacobian);
    EXPECT_GRADIENT(n, n, measured, jacobian, 1e-6);
}

static void jacobians_of_any_size_agree_with_the_formula(void) {
    struct random r = random_seed(73);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(weights, n);
        NEW_MATRIX(expected, n, n);
        NEW_MATRIX(jacobian, n, n);
        slow_jacobian(n, random_weights(&r, n, weights), expected);
        softmax_jacobian(n, weights, jacobian);
        mistake_if_a_float(n * n, expected, jacobian);
        EXPECT_MATRIX(n, n, expected, jacobian, 1e-15);
    }
}

static void a_saturated_softmax_has_a_jacobian_of_zero(void) {
    NEW_VECTOR_OF(weights, 4, 0, 0, 1, 0);
    NEW_MATRIX_FILLED(expected, 4, 4, 0);
    NEW_MATRIX_FILLED(jacobian, 4, 4, 7);
    softmax_jacobian(4, weights, jacobian);
    MISTAKE_IF(true, "All the weight is on one score, and a nudge changes nothing: every cell is "
                     "0. That is how gradients vanish. (Is every cell set, not added to?)");
    EXPECT_MATRIX(4, 4, expected, jacobian, 0);
}

/* ---------------------------------------------------------------------------- softmax_backward */

/* One loop where two are needed. */
static void add_with_unfinished_sum(int n, const double weights[n], const double d_weights[n],
                                    double d_scores[n]) {
    double so_far = 0.0;
    for (int i = 0; i < n; i++) {
        so_far += weights[i] * d_weights[i];
        d_scores[i] += weights[i] * (d_weights[i] - so_far);
    }
}

static void the_worked_gradient_comes_out_to_four_decimals(void) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_VECTOR_OF(d_weights, 3, 1, 0, 0);
    NEW_VECTOR_OF(expected, 3, .0819, -.0220, -.0599);
    NEW_VECTOR_FILLED(d_scores, 3, 0);
    softmax_backward(3, weights, d_weights, d_scores);
    MISTAKE_VECTOR(3, ((const double[]){A * (1 - A), 0, 0}),
                   "Only the diagonal of the Jacobian: raising one score must lower the other "
                   "weights too, so where are your negative numbers?");
    MISTAKE_VECTOR(3, ((const double[]){A, 0, 0}),
                   "weights[i] * d_weights[i] alone: the part that all scores share is missing. "
                   "What is the weighted mean of d_weights, and what does it do here?");
    MISTAKE_VECTOR(3, ((const double[]){0, -B, -C}),
                   "You subtracted the plain sum of d_weights. In the shared sum each d_weights[j] "
                   "counts with its weights[j].");
    MISTAKE_VECTOR(3, ((const double[]){A * 2 / 3, -B / 3, -C / 3}),
                   "You subtracted the plain mean of d_weights. It is their weighted mean that all "
                   "scores share: the sum of weights[j] * d_weights[j].");
    MISTAKE_VECTOR(3, ((const double[]){1 - A, -A, -A}),
                   "d_weights[i] minus the shared sum is right, but it still has to be multiplied "
                   "by weights[i].");
    MISTAKE_VECTOR(3, ((const double[]){A - A, -A, -A}),
                   "The shared sum must be multiplied by weights[i] as well: weights[i] * "
                   "(d_weights[i] - shared).");
    MISTAKE_VECTOR(3, ((const double[]){1 - A * A, -B * A, -C * A}),
                   "d_weights[i] came through without its weights[i]: both terms are multiplied by "
                   "weights[i].");
    MISTAKE_VECTOR(3, ((const double[]){A * (1 + A), B * A, C * A}),
                   "The shared sum was added. It is what every score pays: subtract it.");
    MISTAKE_VECTOR(3, ((const double[]){-A * (1 - A), A * B, A * C}),
                   "Every sign is turned: weights[i] * (d_weights[i] - shared), in this order.");
    MISTAKE_VECTOR(3, ((const double[]){1, 0, 0}),
                   "d_weights went through unchanged. Softmax lies between the scores and the "
                   "weights: multiply by its Jacobian.");
    MISTAKE_VECTOR(3, ((const double[]){0, 0, 0}), "All zero: nothing was added into d_scores.");
    mistake_if_never_set(3, d_scores);
    MISTAKE_IF(fabs(sum(3, d_scores)) > 1e-9,
               "The gradient sums to %.4g. Raising all scores together changes nothing, so it must "
               "sum to 0.",
               sum(3, d_scores));
    EXPECT_VECTOR(3, expected, d_scores, 5e-5);
}

static void the_gradient_is_added_to_what_is_there(void) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_VECTOR_OF(d_weights, 3, 1, 0, 0);
    NEW_VECTOR_OF(expected, 3, 10.0819, 19.9780, 29.9401);
    NEW_VECTOR_OF(d_scores, 3, 10, 20, 30);
    softmax_backward(3, weights, d_weights, d_scores);
    MISTAKE_VECTOR(3, ((const double[]){A * (1 - A), -A * B, -A * C}),
                   "You wrote over the gradient that was there. A backward function adds: +=, "
                   "because other paths may have put their share in already.");
    MISTAKE_IF(true, "A backward function only adds (+=) to d_scores. Did it also read or change "
                     "what was there?");
    EXPECT_VECTOR(3, expected, d_scores, 5e-5);
}

static void backward_is_the_jacobian_times_the_upstream_gradient(void) {
    struct random r = random_seed(81);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(weights, n);
        NEW_VECTOR(d_weights, n);
        NEW_VECTOR(d_scores, n);
        random_weights(&r, n, weights);
        random_scores(&r, n, 2, d_weights);
        random_scores(&r, n, 1, d_scores);
        NEW_VECTOR_LIKE(expected, n, d_scores);
        NEW_VECTOR_LIKE(unfinished, n, d_scores);
        slow_backward(n, weights, d_weights, expected);
        add_with_unfinished_sum(n, weights, d_weights, unfinished);
        softmax_backward(n, weights, d_weights, d_scores);
        MISTAKE_VECTOR(n, unfinished,
                       "You used the shared sum before it was complete. It takes all weights "
                       "first; then go over the scores in a second loop.");
        mistake_if_a_float(n, expected, d_scores);
        EXPECT_VECTOR(n, expected, d_scores, 1e-13);
    }
}

static void backward_is_what_nudging_each_score_measures(void) {
    struct random r = random_seed(82);
    for (int n = 2; n <= 7; n += 5) {
        matrix_free_all();
        NEW_VECTOR(scores, n);
        NEW_VECTOR(weights, n);
        NEW_VECTOR(d_weights, n);
        NEW_VECTOR(measured, n);
        NEW_VECTOR_FILLED(start, n, 0.5);
        NEW_VECTOR_LIKE(d_scores, n, start);
        struct softmax_run run = {n, scores, weights, d_weights};
        random_scores(&r, n, 1, scores);
        random_scores(&r, n, 1, d_weights);
        numeric_gradient(loss_after_softmax, &run, n, scores, measured);
        softmax(n, scores, weights);
        softmax_backward(n, weights, d_weights, d_scores);
        take_away(n, start, d_scores);
        EXPECT_GRADIENT(0, n, measured, d_scores, 1e-6);
    }
}

static void wanting_more_of_every_weight_moves_no_score(void) {
    struct random r = random_seed(83);
    for (int k = 0; k < COUNT(sizes); NEXT(k)) {
        int n = sizes[k];
        NEW_VECTOR(weights, n);
        NEW_VECTOR_FILLED(d_weights, n, 4);
        NEW_VECTOR_FILLED(d_scores, n, 1);
        softmax_backward(n, random_weights(&r, n, weights), d_weights, d_scores);
        MISTAKE_IF(true, "d_weights is 4 everywhere. The weights always sum to 1, so they cannot "
                         "all grow, and no score is worth moving.");
        NEW_VECTOR_FILLED(expected, n, 1);
        EXPECT_VECTOR(n, expected, d_scores, 1e-14);
    }
}

static void a_settled_or_empty_choice_passes_no_gradient(void) {
    NEW_VECTOR_OF(d_weights, 4, 5, -3, 2, 7);
    NEW_VECTOR_FILLED(expected, 4, 0.25);
    NEW_VECTOR_FILLED(d_scores, 4, 0.25);
    NEW_VECTOR_OF(weights, 4, 0, 0, 1, 0);
    softmax_backward(4, weights, d_weights, d_scores);
    MISTAKE_IF(true, "All the weight is on one score: a nudge changes nothing, so no gradient is "
                     "added.");
    EXPECT_VECTOR(4, expected, d_scores, 0);
    softmax_backward(4, fill(4, 0, weights), d_weights, d_scores);
    MISTAKE_IF(true, "All weights are 0, because nobody could be chosen: no gradient is added.");
    EXPECT_VECTOR(4, expected, d_scores, 0);
}

/* Counted at sizes that nobody has trouble with, because a Jacobian of 20000 x 20000 would crash
   before it could be told why. */
static void expect_work_in_proportion_to(int n) {
    NEW_VECTOR_FILLED(weights, n, 1.0 / n);
    NEW_VECTOR_FILLED(d_weights, n, 2);
    NEW_VECTOR_FILLED(d_scores, n, 0);
    unsigned long before = work_done;
    softmax_backward(n, weights, d_weights, d_scores);
    unsigned long steps = work_done - before, each = steps / (unsigned long)n;
    MISTAKE_IF(true, "The work grows with n * n: a loop within a loop, or an n x n Jacobian. The "
                     "sum of weights[j] * d_weights[j] is the same for every score: work it out "
                     "once, then one more loop is enough.");
    EXPECT_THAT(each <= 40,
                "%d scores took %lu steps of your code, %lu for each; a handful for each is plenty",
                n, steps, each);
}

static void twenty_thousand_scores_are_no_trouble(void) {
    expect_work_in_proportion_to(100);
    expect_work_in_proportion_to(400);
    struct random r = random_seed(84);
    const int n = 20000;
    NEW_VECTOR(weights, n);
    NEW_VECTOR(d_weights, n);
    NEW_VECTOR_FILLED(expected, n, 0.125);
    NEW_VECTOR_LIKE(d_scores, n, expected);
    random_fill_uniform(&r, n, weights);
    random_fill_normal(&r, n, d_weights);
    double total = sum(n, weights), shared = 0.0;
    for (int i = 0; i < n; i++)
        shared += (weights[i] /= total) * d_weights[i];
    for (int i = 0; i < n; i++)
        expected[i] += weights[i] * (d_weights[i] - shared);
    softmax_backward(n, weights, d_weights, d_scores);
    EXPECT_VECTOR(n, expected, d_scores, 1e-15);
}

/* ----------------------------------------------------------------------- softmax_rows_backward */

static void two_rows_of_gradient_come_out_to_four_decimals(void) {
    NEW_MATRIX_OF(weights, 2, 3, {A, B, C}, {C, A, B});
    NEW_MATRIX_OF(d_weights, 2, 3, {1, 0, 0}, {0, 3, 0});
    NEW_MATRIX_OF(expected, 2, 3, {.0819, -.0220, -.0599}, {-.1797, .2458, -.0661});
    const double zero[2][3] = {{0}};
    const double diagonal[2][3] = {{A * (1 - A), 0, 0}, {0, 3 * A * (1 - A), 0}};
    const double unshared[2][3] = {{A, 0, 0}, {0, 3 * A, 0}};
    const double whole[2][3] = {{A * (1 - 4 * A), -B * 4 * A, -C * 4 * A},
                                {-C * 4 * A, A * (3 - 4 * A), -B * 4 * A}};
    const double running[2][3] = {{A * (1 - A), -B * A, -C * A},
                                  {-C * 4 * A, A * (3 - 4 * A), -B * 4 * A}};
    const double columns[2][3] = {{A * (1 - A), -B * 3 * A, 0}, {-C * A, A * (3 - 3 * A), 0}};
    const double first_row[2][3] = {{A * (1 - A), -B * A, -C * A}};
    const double second_row[2][3] = {{0}, {-C * 3 * A, 3 * A * (1 - A), -B * 3 * A}};
    const double into_row_0[2][3] = {
        {A * (1 - A) - C * 3 * A, -B * A + 3 * A * (1 - A), -C * A - B * 3 * A}};
    NEW_MATRIX_FILLED(unfinished, 2, 3, 0);
    NEW_MATRIX_FILLED(rows_for_cols, 2, 3, 0);
    NEW_MATRIX_FILLED(swapped, 2, 3, 0);
    NEW_MATRIX(forward, 2, 3);
    NEW_MATRIX(forward_of_d, 2, 3);
    for (int i = 0; i < 2; i++) {
        add_with_unfinished_sum(3, weights[i], d_weights[i], unfinished[i]);
        slow_backward(2, weights[i], d_weights[i], rows_for_cols[i]);
        slow_backward(3, d_weights[i], weights[i], swapped[i]);
        slow_softmax(3, weights[i], forward[i]);
        slow_softmax(3, d_weights[i], forward_of_d[i]);
    }
    NEW_MATRIX_FILLED(d_scores, 2, 3, 0);
    softmax_rows_backward(2, 3, weights, d_weights, d_scores);
    MISTAKE_MATRIX(2, 3, diagonal,
                   "Only the diagonal: raising one score must lower the other weights of its row, "
                   "so where are your negative numbers?");
    MISTAKE_MATRIX(2, 3, unshared,
                   "weights * d_weights alone: the sum that all scores of a row share is missing.");
    MISTAKE_MATRIX(2, 3, whole,
                   "The shared sum ran over the whole matrix. Each row has one of its own.");
    MISTAKE_MATRIX(2, 3, running,
                   "Row 1 used the shared sums of both rows. Start from 0 again at every row.");
    MISTAKE_MATRIX(2, 3, columns,
                   "The shared sum ran down the columns. The weights of one row compete with each "
                   "other, so it runs along the row.");
    MISTAKE_MATRIX(2, 3, unfinished,
                   "You used the shared sum before it was complete. It takes the whole row first; "
                   "then go over the row in a second loop.");
    MISTAKE_MATRIX(2, 3, first_row,
                   "Row 0 is right and row 1 gained nothing. Does the loop reach every row? A "
                   "return inside it ends it.");
    MISTAKE_MATRIX(2, 3, second_row, "Row 0 gained nothing: the loop has to start there.");
    MISTAKE_MATRIX(2, 3, into_row_0,
                   "Both rows were added into row 0. The gradient of row i goes into d_scores[i].");
    MISTAKE_MATRIX(2, 3, rows_for_cols,
                   "Only two numbers of each row took part. A row is cols numbers long, 3 here; "
                   "rows, 2 here, is how many rows there are.");
    MISTAKE_MATRIX(2, 3, swapped,
                   "weights and d_weights have changed places: softmax_backward() takes the "
                   "weights first.");
    MISTAKE_MATRIX(2, 3, forward,
                   "That is softmax() of the weights. The way back is softmax_backward().");
    MISTAKE_MATRIX(2, 3, forward_of_d,
                   "That is softmax() of d_weights. The way back is softmax_backward().");
    MISTAKE_MATRIX(2, 3, zero, "All zero: nothing was added into d_scores.");
    mistake_if_never_set(6, d_scores);
    for (int i = 0; i < 2; i++)
        MISTAKE_IF(fabs(sum(3, d_scores[i])) > 1e-9,
                   "Row %d of the gradient sums to %.4g; every row of it sums to 0.", i,
                   sum(3, d_scores[i]));
    EXPECT_MATRIX(2, 3, expected, d_scores, 5e-5);
}

static void the_rows_are_added_to_what_is_there(void) {
    NEW_MATRIX_OF(weights, 2, 3, {A, B, C}, {C, A, B});
    NEW_MATRIX_OF(d_weights, 2, 3, {1, 0, 0}, {0, 3, 0});
    NEW_MATRIX_OF(expected, 2, 3, {10.0819, 19.9780, 29.9401}, {39.8203, 50.2458, 59.9339});
    const double replaced[2][3] = {{A * (1 - A), -B * A, -C * A},
                                   {-C * 3 * A, 3 * A * (1 - A), -B * 3 * A}};
    NEW_MATRIX_OF(d_scores, 2, 3, {10, 20, 30}, {40, 50, 60});
    softmax_rows_backward(2, 3, weights, d_weights, d_scores);
    MISTAKE_MATRIX(2, 3, replaced,
                   "You wrote over the gradient that was there. A backward function adds (+=), in "
                   "every row.");
    MISTAKE_IF(true, "A backward function only adds (+=) to d_scores. Did it also read or change "
                     "what was there?");
    EXPECT_MATRIX(2, 3, expected, d_scores, 5e-5);
}

static void every_row_is_its_own_jacobian_times_its_own_gradient(void) {
    struct random r = random_seed(91);
    for (int k = 0; k < COUNT(shapes); NEXT(k)) {
        int rows = shapes[k].rows, cols = shapes[k].cols;
        NEW_MATRIX(weights, rows, cols);
        NEW_MATRIX(d_weights, rows, cols);
        NEW_MATRIX(d_scores, rows, cols);
        random_scores(&r, rows * cols, 2, d_weights);
        random_scores(&r, rows * cols, 1, d_scores);
        NEW_MATRIX_LIKE(expected, rows, cols, d_scores);
        for (int i = 0; i < rows; i++) {
            random_weights(&r, cols, weights[i]);
            slow_backward(cols, weights[i], d_weights[i], expected[i]);
        }
        softmax_rows_backward(rows, cols, weights, d_weights, d_scores);
        mistake_if_a_float(rows * cols, expected, d_scores);
        EXPECT_MATRIX(rows, cols, expected, d_scores, 1e-13);
    }
}

struct rows_run {
    int rows, cols;
    double *scores, *weights, *upstream;
};

static double loss_after_softmax_rows(void *context) {
    struct rows_run *run = context;
    int rows = run->rows, cols = run->cols;
    double loss = 0.0;
    softmax_rows(rows, cols, (const double(*)[cols])run->scores, (double(*)[cols])run->weights);
    for (int i = 0; i < rows * cols; i++)
        loss += run->upstream[i] * run->weights[i];
    return loss;
}

static void rows_backward_is_what_nudging_each_score_measures(void) {
    struct random r = random_seed(92);
    const int rows = 3, cols = 4;
    NEW_MATRIX(scores, rows, cols);
    NEW_MATRIX(weights, rows, cols);
    NEW_MATRIX(d_weights, rows, cols);
    NEW_MATRIX(measured, rows, cols);
    NEW_MATRIX_FILLED(start, rows, cols, -0.5);
    NEW_MATRIX_LIKE(d_scores, rows, cols, start);
    random_scores(&r, rows * cols, 1, scores);
    random_scores(&r, rows * cols, 1, d_weights);
    struct rows_run run = {rows, cols, &scores[0][0], &weights[0][0], &d_weights[0][0]};
    numeric_gradient(loss_after_softmax_rows, &run, rows * cols, &scores[0][0], &measured[0][0]);
    softmax_rows(rows, cols, scores, weights);
    softmax_rows_backward(rows, cols, weights, d_weights, d_scores);
    take_away(rows * cols, start, d_scores);
    EXPECT_GRADIENT(rows, cols, measured, d_scores, 1e-6);
}

static void a_row_without_weight_passes_no_gradient_and_disturbs_no_other(void) {
    NEW_MATRIX_OF(weights, 3, 2, {0.25, 0.75}, {0, 0}, {0.5, 0.5});
    NEW_MATRIX_OF(d_weights, 3, 2, {4, 0}, {9, -5}, {0, 8});
    NEW_MATRIX_OF(expected, 3, 2, {0.75, -0.75}, {0, 0}, {-2, 2});
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            expected[i][j] += 0.5;
    NEW_MATRIX_FILLED(d_scores, 3, 2, 0.5);
    softmax_rows_backward(3, 2, weights, d_weights, d_scores);
    MISTAKE_IF(d_scores[1][0] != 0.5 || d_scores[1][1] != 0.5,
               "Row 1 has no weight anywhere, because nobody could be chosen: no gradient passes "
               "through it.");
    EXPECT_MATRIX(3, 2, expected, d_scores, 1e-12);
}

static const struct lesson_test tests[] = {
    TEST(softmax, the_worked_example_comes_out_to_four_decimals),
    TEST(softmax, a_single_score_gets_all_the_weight),
    TEST(softmax, the_weights_are_positive_and_sum_to_one),
    TEST(softmax, random_scores_agree_with_the_slow_formula),
    TEST(softmax, scores_of_a_thousand_do_not_overflow),
    TEST(softmax, scores_far_below_zero_do_not_vanish),
    TEST(softmax, the_largest_score_may_stand_anywhere),
    TEST(softmax, adding_a_constant_to_all_scores_changes_nothing),
    TEST(softmax, a_score_of_minus_infinity_gets_exactly_nothing),
    TEST(softmax, when_all_scores_are_minus_infinity_all_weights_are_zero),
    TEST(softmax, a_nan_among_the_scores_makes_every_weight_nan),
    TEST(softmax, softmax_may_write_over_its_own_scores),
    TEST(softmax_rows, two_rows_come_out_to_four_decimals),
    TEST(softmax_rows, every_row_agrees_with_the_slow_formula),
    TEST(softmax_rows, a_row_far_above_does_not_crush_a_row_far_below),
    TEST(softmax_rows, trouble_in_one_row_stays_in_that_row),
    TEST(softmax_rows, rows_may_be_written_over_their_own_scores),
    TEST(softmax_at_temperature, a_high_temperature_flattens_the_worked_example),
    TEST(softmax_at_temperature, a_low_temperature_sharpens_the_worked_example),
    TEST(softmax_at_temperature, at_temperature_one_nothing_changes),
    TEST(softmax_at_temperature, near_zero_the_best_takes_all_and_in_great_heat_all_are_equal),
    TEST(softmax_at_temperature, any_temperature_agrees_with_the_slow_formula),
    TEST(softmax_at_temperature, extreme_scores_are_fine_at_any_temperature),
    TEST(softmax_at_temperature, the_scores_may_be_overwritten_at_a_temperature_too),
    TEST(log_sum_exp, log_sum_exp_of_the_worked_example_comes_out),
    TEST(log_sum_exp, log_sum_exp_of_one_score_is_that_score),
    TEST(log_sum_exp, log_sum_exp_agrees_with_its_definition),
    TEST(log_sum_exp, log_sum_exp_does_not_overflow),
    TEST(log_sum_exp, log_sum_exp_does_not_vanish_far_below_zero),
    TEST(log_sum_exp, log_sum_exp_finds_the_largest_score_anywhere),
    TEST(log_sum_exp, adding_a_constant_to_all_scores_adds_it_to_log_sum_exp),
    TEST(log_sum_exp, scores_of_minus_infinity_add_nothing_to_log_sum_exp),
    TEST(log_sum_exp, a_nan_among_the_scores_makes_log_sum_exp_nan),
    TEST(expected_value, the_worked_weights_blend_three_rows_to_four_decimals),
    TEST(expected_value, all_the_weight_on_one_row_gives_that_row),
    TEST(expected_value, what_was_in_out_before_does_not_matter),
    TEST(expected_value, a_blend_never_leaves_the_range_of_its_values),
    TEST(expected_value, blends_of_any_shape_agree_with_the_sum),
    TEST(expected_value, weights_of_zero_blend_to_nothing),
    TEST(entropy, the_entropy_of_the_worked_weights_comes_out),
    TEST(entropy, all_the_weight_in_one_place_has_no_entropy_at_all),
    TEST(entropy, equal_weights_have_an_entropy_of_log_n),
    TEST(entropy, weights_of_zero_change_no_entropy),
    TEST(entropy, small_weights_count_too),
    TEST(entropy, entropy_rises_with_the_temperature),
    TEST(softmax_jacobian, the_worked_jacobian_comes_out_to_four_decimals),
    TEST(softmax_jacobian, a_single_weight_cannot_move),
    TEST(softmax_jacobian, the_jacobian_is_symmetric_and_its_rows_sum_to_zero),
    TEST(softmax_jacobian, the_jacobian_is_what_nudging_each_score_measures),
    TEST(softmax_jacobian, jacobians_of_any_size_agree_with_the_formula),
    TEST(softmax_jacobian, a_saturated_softmax_has_a_jacobian_of_zero),
    TEST(softmax_backward, the_worked_gradient_comes_out_to_four_decimals),
    TEST(softmax_backward, the_gradient_is_added_to_what_is_there),
    TEST(softmax_backward, backward_is_the_jacobian_times_the_upstream_gradient),
    TEST(softmax_backward, backward_is_what_nudging_each_score_measures),
    TEST(softmax_backward, wanting_more_of_every_weight_moves_no_score),
    TEST(softmax_backward, a_settled_or_empty_choice_passes_no_gradient),
    TEST(softmax_backward, twenty_thousand_scores_are_no_trouble),
    TEST(softmax_rows_backward, two_rows_of_gradient_come_out_to_four_decimals),
    TEST(softmax_rows_backward, the_rows_are_added_to_what_is_there),
    TEST(softmax_rows_backward, every_row_is_its_own_jacobian_times_its_own_gradient),
    TEST(softmax_rows_backward, rows_backward_is_what_nudging_each_score_measures),
    TEST(softmax_rows_backward, a_row_without_weight_passes_no_gradient_and_disturbs_no_other),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
