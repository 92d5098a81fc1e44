/* Lesson 01: what softmax.h promises of gradients. */
#include "obvious.h"
#include "work.h"

static double slope(const double weights[], int i, int j) {
    return (i == j ? weights[i] : 0.0) - weights[i] * weights[j];
}

/* Adds, like the functions that it is compared with, but measures each slope. */
static void slow_backward(int rows, int n, const void *weights, const void *d_weights,
                          void *d_scores) {
    const double(*w)[n] = weights, (*d_w)[n] = d_weights;
    double(*d_s)[n] = d_scores;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d_s[row][j] += d_w[row][i] * slope(w[row], i, j);
}

/* A loss in which each weight counts as much as d_weights says. */
struct loss {
    int rows, cols;
    const void *scores, *d_weights;
};
static double loss_after_softmax(void *context) {
    const struct loss *of = context;
    double *weights = slow(of->rows, of->cols, of->scores);
    return sum_of_products(of->rows * of->cols, of->d_weights, weights);
}
static void *measured(int rows, int cols, void *scores, const void *d_weights) {
    struct loss of = {rows, cols, scores, d_weights};
    double *gradient = vector_new("measured", rows * cols);
    numeric_gradient(loss_after_softmax, &of, rows * cols, scores, gradient);
    return gradient;
}

#define BECAUSE_IT_SUMS_TO_0(n, x)                                                                 \
    BECAUSE_IF(fabs(sum(n, x)) > 1e-9,                                                             \
               #x " sums to %.4g. It must sum to 0, because raising all scores by the same "       \
                  "amount changes no weight.",                                                     \
               sum(n, x))

/* ---------------------------------------------------------------------------- softmax_jacobian */

TEST(softmax_jacobian, the_worked_jacobian_comes_out_to_four_decimals) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    const double right[] = {.0819, -.0220, -.0599, -.0220, .1848, -.1628, -.0599, -.1628, .2227};
    EXPECT_ROWS(jacobian, 3, 3, right, softmax_jacobian(3, weights, jacobian), 5e-5);
}

TEST(softmax_jacobian, a_single_weight_cannot_move) {
    NEW_VECTOR_OF(weights, 1, 1);
    EXPECT_ROWS(jacobian, 1, 1, OF(0), softmax_jacobian(1, weights, jacobian), 0);
}

TEST(softmax_jacobian, the_jacobian_is_symmetric_and_its_rows_sum_to_zero) {
    FOR_ALL_LENGTHS(n) {
        NEW_VECTOR_LIKE(weights, n, RANDOM_WEIGHTS(1, n));
        NEW_MATRIX(jacobian, n, n);
        softmax_jacobian(n, weights, jacobian);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++)
                EXPECT_THAT(fabs(jacobian[i][j] - jacobian[j][i]) <= 1e-15,
                            "jacobian[%d][%d] is %g and jacobian[%d][%d] is %g; they must be equal",
                            i, j, jacobian[i][j], j, i, jacobian[j][i]);
            EXPECT_THAT(fabs(sum(n, jacobian[i])) <= 1e-14,
                        "row %d of the Jacobian sums to %g; it must sum to 0", i,
                        sum(n, jacobian[i]));
        }
    }
}

TEST(softmax_jacobian, the_jacobian_is_what_nudging_each_score_measures) {
    NEW_VECTOR_LIKE(scores, 4, normal(1, 4, 1));
    NEW_VECTOR_LIKE(weights, 4, slow(1, 4, scores));
    NEW_MATRIX(expected, 4, 4);
    for (int i = 0; i < 4; i++) /* the loss is weights[i] alone */
        memcpy(expected[i], measured(1, 4, scores, OF(i == 0, i == 1, i == 2, i == 3)),
               sizeof expected[i]);
    NEW_MATRIX(jacobian, 4, 4);
    softmax_jacobian(4, weights, jacobian);
    EXPECT_GRADIENT(4, 4, expected, jacobian, 1e-6);
}

TEST(softmax_jacobian, jacobians_of_any_size_agree_with_the_formula) {
    FOR_ALL_LENGTHS(n) {
        NEW_VECTOR_LIKE(weights, n, RANDOM_WEIGHTS(1, n));
        NEW_MATRIX(expected, n, n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                expected[i][j] = slope(weights, i, j);
        EXPECT_ROWS(jacobian, n, n, expected, softmax_jacobian(n, weights, jacobian), 1e-15);
    }
}

TEST(softmax_jacobian, a_saturated_softmax_has_a_jacobian_of_zero) {
    NEW_VECTOR_OF(weights, 3, 0, 1, 0);
    EXPECT_ROWS(jacobian, 3, 3, OF(0, 0, 0, 0, 0, 0, 0, 0, 0),
                softmax_jacobian(3, weights, jacobian), 0);
}

/* ---------------------------------------------------------------------------- softmax_backward */

/* What softmax_backward() makes of d_scores that were `held`. */
#define EXPECT_BACKWARD(n, held, expected, tolerance)                                              \
    do {                                                                                           \
        NEW_VECTOR_LIKE(d_scores, n, held);                                                        \
        softmax_backward(n, weights, d_weights, d_scores);                                         \
        EXPECT_VECTOR(n, expected, d_scores, tolerance);                                           \
    } while (0)

TEST(softmax_backward, the_worked_gradient_comes_out_to_four_decimals) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_VECTOR_OF(d_weights, 3, 1, 0, 0);
    NEW_VECTOR_OF(d_scores, 3, 0, 0, 0);
    softmax_backward(3, weights, d_weights, d_scores);
    BECAUSE_IT_SUMS_TO_0(3, d_scores);
    EXPECT_VECTOR(3, OF(.0819, -.0220, -.0599), d_scores, 5e-5);
}

TEST(softmax_backward, the_gradient_is_added_to_what_is_there) {
    NEW_VECTOR_OF(weights, 3, A, B, C);
    NEW_VECTOR_OF(d_weights, 3, 1, 0, 0);
    BECAUSE("d_scores was 10, 20 and 30 before the call. A backward function adds to it (+=).");
    EXPECT_BACKWARD(3, OF(10, 20, 30), OF(10.0819, 19.9780, 29.9401), 5e-5);
}

TEST(softmax_backward, backward_is_the_jacobian_times_the_upstream_gradient) {
    FOR_ALL_LENGTHS(n) {
        NEW_VECTOR_LIKE(weights, n, RANDOM_WEIGHTS(1, n));
        NEW_VECTOR_LIKE(d_weights, n, normal(2, n, 2));
        NEW_VECTOR_LIKE(expected, n, normal(3, n, 1));
        slow_backward(1, n, weights, d_weights, expected);
        EXPECT_BACKWARD(n, normal(3, n, 1), expected, 1e-13);
    }
}

TEST(softmax_backward, backward_is_what_nudging_each_score_measures) {
    FOR_EACH(int, n, 2, 7) {
        NEW_VECTOR_LIKE(scores, n, normal(1, n, 1));
        NEW_VECTOR_LIKE(d_weights, n, normal(2, n, 1));
        NEW_VECTOR_LIKE(weights, n, slow(1, n, scores));
        NEW_VECTOR_LIKE(held, n, normal(3, n, 1));
        NEW_VECTOR_LIKE(d_scores, n, held);
        softmax_backward(n, weights, d_weights, d_scores);
        add_into(n, scaled(n, -1, held), d_scores);
        EXPECT_GRADIENT(0, n, measured(1, n, scores, d_weights), d_scores, 1e-6);
    }
}

/* The lesson's "An example with probabilities": the loss is -log(the sum of weights[i] * p[i]). */
TEST(softmax_backward, the_gradient_of_a_mixture_is_weight_less_responsibility) {
    FOR_EACH(int, n, 2, 7) {
        NEW_VECTOR_LIKE(weights, n, RANDOM_WEIGHTS(1, n));
        NEW_VECTOR_LIKE(p, n, slow(1, n, normal(2, n, 1)));
        double explained = sum_of_products(n, weights, p);
        NEW_VECTOR_LIKE(d_weights, n, scaled(n, -1 / explained, p));
        NEW_VECTOR_LIKE(expected, n, normal(3, n, 1));
        for (int i = 0; i < n; i++)
            expected[i] += weights[i] - weights[i] * p[i] / explained;
        EXPECT_BACKWARD(n, normal(3, n, 1), expected, 1e-13);
    }
}

TEST(softmax_backward, wanting_more_of_every_weight_moves_no_score) {
    FOR_ALL_LENGTHS(n) {
        NEW_VECTOR_LIKE(weights, n, RANDOM_WEIGHTS(1, n));
        NEW_VECTOR_FILLED(d_weights, n, 4);
        NEW_VECTOR_FILLED(held, n, 1);
        BECAUSE("d_weights is 4 everywhere. The weights sum to 1, so they cannot all rise.");
        EXPECT_BACKWARD(n, held, held, 1e-14);
    }
}

TEST(softmax_backward, a_settled_or_empty_choice_passes_no_gradient) {
    FOR_EACH(int, one, 1, 0) {
        NEW_VECTOR_OF(weights, 4, 0, 0, one, 0);
        NEW_VECTOR_OF(d_weights, 4, 5, -3, 2, 7);
        NEW_VECTOR_FILLED(held, 4, 0.25);
        EXPECT_BACKWARD(4, held, held, 0);
    }
}

/* At small sizes, because a Jacobian of 20000 x 20000 would crash before any message. */
static void expect_work_in_proportion_to(int n) {
    NEW_VECTOR_FILLED(weights, n, 1.0 / n);
    NEW_VECTOR_FILLED(d_weights, n, 2);
    NEW_VECTOR_FILLED(d_scores, n, 0);
    unsigned long before = work_so_far();
    softmax_backward(n, weights, d_weights, d_scores);
    unsigned long steps = work_so_far() - before, each = steps / (unsigned long)n;
    BECAUSE("You need no loop inside a loop and no Jacobian: one sum is enough for all scores.");
    EXPECT_THAT(each <= 40,
                "%d scores took %lu steps of your code, %lu for each. A handful each is enough.", n,
                steps, each);
}

TEST(softmax_backward, twenty_thousand_scores_are_no_trouble) {
    enum { n = 20000 };
    expect_work_in_proportion_to(100);
    expect_work_in_proportion_to(400);
    NEW_VECTOR_FILLED(weights, n, 1.0 / n);
    NEW_VECTOR_LIKE(d_weights, n, normal(2, n, 1));
    NEW_VECTOR_LIKE(held, n, normal(3, n, 0.125));
    NEW_VECTOR_LIKE(expected, n, held);
    double shared = sum(n, d_weights) / n;
    for (int i = 0; i < n; i++)
        expected[i] += (d_weights[i] - shared) / n;
    EXPECT_BACKWARD(n, held, expected, 1e-15);
}

/* ----------------------------------------------------------------------- softmax_rows_backward */

TEST(softmax_rows_backward, two_rows_of_gradient_come_out_to_four_decimals) {
    NEW_MATRIX_OF(weights, 2, 3, {A, B, C}, {C, A, B});
    NEW_MATRIX_OF(d_weights, 2, 3, {1, 0, 0}, {0, 3, 0});
    NEW_MATRIX_OF(expected, 2, 3, {.0819, -.0220, -.0599}, {-.1797, .2458, -.0661});
    NEW_MATRIX_FILLED(d_scores, 2, 3, 0);
    softmax_rows_backward(2, 3, weights, d_weights, d_scores);
    BECAUSE_IT_SUMS_TO_0(3, d_scores[0]);
    BECAUSE_IT_SUMS_TO_0(3, d_scores[1]);
    EXPECT_MATRIX(2, 3, expected, d_scores, 5e-5);
}

TEST(softmax_rows_backward, the_rows_are_added_to_what_is_there) {
    NEW_MATRIX_OF(weights, 2, 3, {A, B, C}, {C, A, B});
    NEW_MATRIX_OF(d_weights, 2, 3, {1, 0, 0}, {0, 3, 0});
    NEW_MATRIX_OF(expected, 2, 3, {10.0819, 19.9780, 29.9401}, {39.8203, 50.2458, 59.9339});
    NEW_MATRIX_OF(d_scores, 2, 3, {10, 20, 30}, {40, 50, 60});
    softmax_rows_backward(2, 3, weights, d_weights, d_scores);
    BECAUSE("d_scores was 10 to 60 before the call. A backward function adds to it (+=).");
    EXPECT_MATRIX(2, 3, expected, d_scores, 5e-5);
}

TEST(softmax_rows_backward, every_row_is_its_own_jacobian_times_its_own_gradient) {
    FOR_ALL_SHAPES(rows, cols) {
        NEW_MATRIX_LIKE(weights, rows, cols, RANDOM_WEIGHTS(rows, cols));
        NEW_MATRIX_LIKE(d_weights, rows, cols, normal(2, rows * cols, 2));
        NEW_MATRIX_LIKE(d_scores, rows, cols, normal(3, rows * cols, 1));
        NEW_MATRIX_LIKE(expected, rows, cols, d_scores);
        slow_backward(rows, cols, weights, d_weights, expected);
        softmax_rows_backward(rows, cols, weights, d_weights, d_scores);
        EXPECT_MATRIX(rows, cols, expected, d_scores, 1e-13);
    }
}

TEST(softmax_rows_backward, rows_backward_is_what_nudging_each_score_measures) {
    NEW_MATRIX_LIKE(scores, 3, 4, normal(1, 12, 1));
    NEW_MATRIX_LIKE(d_weights, 3, 4, normal(2, 12, 1));
    NEW_MATRIX_LIKE(weights, 3, 4, slow(3, 4, scores));
    NEW_MATRIX_LIKE(held, 3, 4, normal(3, 12, 1));
    NEW_MATRIX_LIKE(d_scores, 3, 4, held);
    softmax_rows_backward(3, 4, weights, d_weights, d_scores);
    add_into(12, scaled(12, -1, held), d_scores);
    EXPECT_GRADIENT(3, 4, measured(3, 4, scores, d_weights), d_scores, 1e-6);
}

TEST(softmax_rows_backward, a_row_without_weight_passes_no_gradient_and_disturbs_no_other) {
    NEW_MATRIX_OF(weights, 3, 2, {0.25, 0.75}, {0, 0}, {0.5, 0.5});
    NEW_MATRIX_OF(d_weights, 3, 2, {4, 0}, {9, -5}, {0, 8});
    NEW_MATRIX_OF(expected, 3, 2, {1.25, -0.25}, {0.5, 0.5}, {-1.5, 2.5});
    NEW_MATRIX_FILLED(d_scores, 3, 2, 0.5);
    softmax_rows_backward(3, 2, weights, d_weights, d_scores);
    EXPECT_MATRIX(3, 2, expected, d_scores, 1e-12);
}
