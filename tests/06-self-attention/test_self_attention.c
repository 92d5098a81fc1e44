/* Lesson 06: what self_attention.h promises; test_self_attention_head.c has the head. */
#include "sizes.h"

#include <stdio.h>

/* project */

TEST(project, the_worked_rows_are_projected) {
    NEW_MATRIX_OF(X, 3, 2, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_OF(W, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX(Y, 3, 3);
    project(3, 2, 3, X, W, Y);
    const double expected[3][3] = {{1, 2, 3}, {4, 5, 6}, {5, 7, 9}};
    EXPECT_MATRIX(3, 3, expected, Y, FOUR_DECIMALS);
}

/* A square matrix, so that a transposed one has the right shape, too. */
TEST(project, rows_of_the_words_meet_columns_of_the_matrix) {
    NEW_MATRIX_OF(X, 2, 2, {1, 2}, {-1, 3});
    NEW_MATRIX_OF(W, 2, 2, {4, 0.5}, {-2, 5});
    NEW_MATRIX(Y, 2, 2);
    project(2, 2, 2, X, W, Y);
    const double expected[2][2] = {{0, 10.5}, {-10, 14.5}};
    EXPECT_MATRIX(2, 2, expected, Y, ROUNDING);
}

TEST(project, random_words_agree_with_the_obvious_product) {
    struct random r = random_seed(601);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(X, z->n, z->d_model, &r);
        NEW_MATRIX_RANDOM(W, z->d_model, z->d_v, &r);
        NEW_MATRIX(Y, z->n, z->d_v);
        project(z->n, z->d_model, z->d_v, X, W, Y);
        BECAUSE("Here n is %d, d_in is %d and d_out is %d.", z->n, z->d_model, z->d_v);
        EXPECT_MATRIX(z->n, z->d_v, times(z->n, z->d_model, z->d_v, X, W), Y, ROUNDING);
    }
}

/* project_backward */

TEST(project_backward, the_worked_projection_goes_back_to_words_and_matrix) {
    NEW_MATRIX_OF(X, 3, 2, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_OF(W, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(d_Y, 3, 3, {1, 0, 0}, {0, 2, 0}, {0, 0, 3});
    NEW_MATRIX_FILLED(d_X, 3, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 3, 0.0);
    project_backward(3, 2, 3, X, W, d_Y, d_X, d_W);
    const double expected_d_X[3][2] = {{1, 4}, {4, 10}, {9, 18}};
    const double expected_d_W[2][3] = {{1, 0, 3}, {0, 2, 3}};
    EXPECT_MATRIX(3, 2, expected_d_X, d_X, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 3, expected_d_W, d_W, FOUR_DECIMALS);
}

TEST(project_backward, the_way_back_turns_over_the_right_matrix) {
    NEW_MATRIX_OF(X, 2, 2, {1, 2}, {-1, 3});
    NEW_MATRIX_OF(W, 2, 2, {4, 0.5}, {-2, 5});
    NEW_MATRIX_OF(d_Y, 2, 2, {1, -3}, {0.5, 2});
    NEW_MATRIX_FILLED(d_X, 2, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 2, 0.0);
    project_backward(2, 2, 2, X, W, d_Y, d_X, d_W);
    const double expected_d_X[2][2] = {{2.5, -17}, {3, 9}};
    const double expected_d_W[2][2] = {{0.5, -5}, {3.5, 0}};
    EXPECT_MATRIX(2, 2, expected_d_X, d_X, ROUNDING);
    EXPECT_MATRIX(2, 2, expected_d_W, d_W, ROUNDING);
}

/* Declares X, W and d_Y, all random. */
#define RANDOM_PROJECTION(n, d_in, d_out, generator)                                               \
    NEW_MATRIX_RANDOM(X, n, d_in, generator);                                                      \
    NEW_MATRIX_RANDOM(W, d_in, d_out, generator);                                                  \
    NEW_MATRIX_RANDOM(d_Y, n, d_out, generator)

TEST(project_backward, both_gradients_of_a_projection_are_added_to_what_is_there) {
    struct random r = random_seed(602);
    RANDOM_PROJECTION(4, 3, 2, &r);
    NEW_MATRIX_FILLED(d_X, 4, 3, 10.0);
    NEW_MATRIX_FILLED(d_W, 3, 2, 20.0);
    project_backward(4, 3, 2, X, W, d_Y, d_X, d_W);
    EXPECT_ADDED(4, 3, 10.0, times_rows(4, 2, 3, d_Y, W), d_X);
    EXPECT_ADDED(3, 2, 20.0, columns_times(3, 4, 2, X, d_Y), d_W);
}

struct projection {
    int n, d_in, d_out;
    void *X, *W, *Y;
    const void *d_Y;
};

/* The loss is the sum of Y times d_Y. */
static double loss_of_projection(void *context) {
    const struct projection *p = context;
    project(p->n, p->d_in, p->d_out, p->X, p->W, p->Y);
    return sum_of_products(p->n * p->d_out, p->Y, p->d_Y);
}

TEST(project_backward, both_gradients_of_a_projection_are_what_nudging_measures) {
    struct random r = random_seed(603);
    FOR_ALL_SIZES(z) {
        const int n = z->n, d_in = z->d_model, d_out = z->d_v;
        RANDOM_PROJECTION(n, d_in, d_out, &r);
        NEW_MATRIX(Y, n, d_out);
        struct projection projection = {n, d_in, d_out, X, W, Y, d_Y};
        NEW_MATRIX_FILLED(d_X, n, d_in, 0.0);
        NEW_MATRIX_FILLED(d_W, d_in, d_out, 0.0);
        project_backward(n, d_in, d_out, X, W, d_Y, d_X, d_W);
        EXPECT_NUDGED(loss_of_projection, &projection, n, d_in, X, d_X);
        EXPECT_NUDGED(loss_of_projection, &projection, d_in, d_out, W, d_W);
    }
}

TEST(project_backward, words_that_go_through_two_matrices_collect_from_both) {
    struct random r = random_seed(604);
    RANDOM_PROJECTION(4, 3, 2, &r);
    NEW_MATRIX_RANDOM(second_W, 3, 2, &r);
    NEW_MATRIX_RANDOM(second_d_Y, 4, 2, &r);
    NEW_MATRIX_FILLED(d_X, 4, 3, 0.0);
    NEW_MATRIX_FILLED(d_W, 3, 2, 0.0);
    project_backward(4, 3, 2, X, W, d_Y, d_X, d_W);
    project_backward(4, 3, 2, X, second_W, second_d_Y, d_X, d_W);
    void *expected = times_rows(4, 2, 3, d_Y, W);
    add_into(12, times_rows(4, 2, 3, second_d_Y, second_W), expected);
    BECAUSE("These are two calls with two matrices, and d_X is the sum of what both add.");
    EXPECT_MATRIX(4, 3, expected, d_X, ROUNDING);
    add_into(8, second_d_Y, d_Y);
    EXPECT_MATRIX(3, 2, columns_times(3, 4, 2, X, d_Y), d_W, ROUNDING);
}

TEST(project_backward, random_projections_go_back_as_the_obvious_products_say) {
    struct random r = random_seed(605);
    FOR_ALL_SIZES(z) {
        const int n = z->n, d_in = z->d_model, d_out = z->d_v;
        RANDOM_PROJECTION(n, d_in, d_out, &r);
        NEW_MATRIX_RANDOM(d_X, n, d_in, &r);
        NEW_MATRIX_RANDOM(d_W, d_in, d_out, &r);
        void *expected_d_X = times_rows(n, d_out, d_in, d_Y, W);
        void *expected_d_W = columns_times(d_in, n, d_out, X, d_Y);
        add_into(n * d_in, d_X, expected_d_X);
        add_into(d_in * d_out, d_W, expected_d_W);
        project_backward(n, d_in, d_out, X, W, d_Y, d_X, d_W);
        BECAUSE("Here n is %d, d_in is %d and d_out is %d.", n, d_in, d_out);
        EXPECT_MATRIX(d_in, d_out, expected_d_W, d_W, ROUNDING);
        BECAUSE("Here n is %d, d_in is %d and d_out is %d.", n, d_in, d_out);
        EXPECT_MATRIX(n, d_in, expected_d_X, d_X, ROUNDING);
    }
}

/* cross_entropy */

static void expect_loss(int line, double expected, int n, const double logits[n], int target,
                        double tolerance) {
    char name[48];
    snprintf(name, sizeof name, "cross_entropy(%d, logits, %d)", n, target);
    const double loss = cross_entropy(n, logits, target);
    expect_numbers(line, name, 0, 0, &expected, &loss, tolerance);
}

TEST(cross_entropy, the_worked_logits_cost_so_much) {
    NEW_VECTOR_OF(logits, 3, 2, 0, 0);
    expect_loss(__LINE__, 0.239545, 3, logits, 0, 1e-6);
}

TEST(cross_entropy, the_target_is_counted_from_zero) {
    NEW_VECTOR_OF(logits, 4, 1, -2, 3, 0.5);
    const double whole = log(exp(1) + exp(-2) + exp(3) + exp(0.5));
    for (int target = 0; target < 4; target++)
        expect_loss(__LINE__, whole - logits[target], 4, logits, target, ROUNDING);
}

/* The largest logit is the first, the last, or one between them. */
TEST(cross_entropy, enormous_logits_cost_what_they_should) {
    const double a = log1p(exp(-1));
    const double all_logits[][3] = {{10000, -10000, 9999}, {0, 1000, -1000}, {0, 10, 1000}};
    const double losses[][3] = {{a, 20000 + a, 1 + a}, {1000, 0, 2000}, {1000, 990, 0}};
    for (int i = 0; i < 3; i++)
        for (int target = 0; target < 3; target++) {
            NEW_VECTOR_LIKE(logits, 3, all_logits[i]);
            expect_loss(__LINE__, losses[i][target], 3, logits, target, ROUNDING);
        }
}

TEST(cross_entropy, an_impossible_other_class_costs_nothing) {
    NEW_VECTOR_OF(logits, 3, 1, -INFINITY, 1);
    expect_loss(__LINE__, log(2), 3, logits, 0, 1e-12);
}

TEST(cross_entropy, adding_to_all_logits_changes_no_loss) {
    const double shifts[4] = {-5000, 3, 700, 5000}, expected = log(exp(-1.5) + exp(-3) + 1);
    for (int i = 0; i < 4; i++) {
        NEW_VECTOR_OF(logits, 3, 0.5 + shifts[i], -1 + shifts[i], 2 + shifts[i]);
        BECAUSE("The logits are 0.5, -1 and 2 with %g added to each, which changes no loss.",
                shifts[i]);
        expect_loss(__LINE__, expected, 3, logits, 2, ROUNDING);
    }
}

TEST(cross_entropy, certainty_costs_nothing_and_ignorance_log_n) {
    NEW_VECTOR_OF(sure, 3, -50, 50, -60);
    expect_loss(__LINE__, 0.0, 3, sure, 1, 1e-12);
    NEW_VECTOR_FILLED(alone, 1, 3.0);
    expect_loss(__LINE__, 0.0, 1, alone, 0, 1e-12);
    for (int n = 2; n <= 1000; n = 3 * n + 1) {
        NEW_VECTOR_FILLED(logits, n, -0.75);
        BECAUSE("All %d logits are equal, so for every target the loss is log(%d).", n, n);
        expect_loss(__LINE__, log(n), n, logits, n / 2, ROUNDING);
    }
}

TEST(cross_entropy, random_losses_agree_with_the_obvious_formula) {
    struct random r = random_seed(620);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += exp(logits[j]);
        for (int target = 0; target < n; target++) {
            double expected = -log(exp(logits[target]) / sum);
            double loss = cross_entropy(n, logits, target);
            expect_loss(__LINE__, expected, n, logits, target, ROUNDING);
            EXPECT_THAT(loss >= 0.0, "the loss is %g; a loss is never negative", loss);
        }
    }
}

/* cross_entropy_backward */

TEST(cross_entropy_backward, the_worked_logits_are_pushed_so_much) {
    NEW_VECTOR_OF(logits, 3, 2, 0, 0);
    NEW_VECTOR_FILLED(d_logits, 3, 0.0);
    cross_entropy_backward(3, logits, 0, d_logits);
    const double expected[3] = {-0.213014, 0.106507, 0.106507};
    EXPECT_VECTOR(3, expected, d_logits, 2e-6);
}

TEST(cross_entropy_backward, the_right_class_is_pushed_whichever_it_is) {
    NEW_VECTOR_OF(logits, 3, 0.5, -1, 2);
    const double sum = exp(0.5) + exp(-1) + exp(2);
    for (int target = 0; target < 3; target++) {
        NEW_VECTOR_OF(expected, 3, exp(0.5) / sum, exp(-1) / sum, exp(2) / sum);
        expected[target] -= 1;
        NEW_VECTOR_FILLED(d_logits, 3, 0.0);
        cross_entropy_backward(3, logits, target, d_logits);
        BECAUSE("The target is %d.", target);
        EXPECT_VECTOR(3, expected, d_logits, ROUNDING);
    }
}

TEST(cross_entropy_backward, what_the_logits_gain_is_added_to_what_is_there) {
    NEW_VECTOR_OF(logits, 3, 0, 0, 0);
    NEW_VECTOR_FILLED(d_logits, 3, 10.0);
    const double third = 1.0 / 3, gained[3] = {third, third - 1, third};
    cross_entropy_backward(3, logits, 1, d_logits);
    EXPECT_ADDED(0, 3, 10.0, gained, d_logits);
}

TEST(cross_entropy_backward, pushes_balance_even_at_enormous_logits) {
    const double all_logits[][4] = {
        {10000, -10000, 10000, -INFINITY}, {0, 10, -1000, 1000}, {-2000, -1000, -1000, -2000}};
    const double weights[][4] = {{0.5, 0, 0.5, 0}, {0, 0, 0, 1}, {0, 0.5, 0.5, 0}};
    for (int i = 0; i < 3; i++)
        for (int target = 0; target < 3; target++) {
            NEW_VECTOR_LIKE(logits, 4, all_logits[i]);
            NEW_VECTOR_LIKE(expected, 4, weights[i]);
            expected[target] -= 1;
            NEW_VECTOR_FILLED(d_logits, 4, 0.0);
            cross_entropy_backward(4, logits, target, d_logits);
            BECAUSE("The target is %d.", target);
            EXPECT_VECTOR(4, expected, d_logits, 1e-12);
        }
}

TEST(cross_entropy_backward, the_pushes_sum_to_zero) {
    struct random r = random_seed(621);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        NEW_VECTOR_FILLED(d_logits, n, 0.0);
        NEW_VECTOR_FILLED(ones, n, 1.0);
        cross_entropy_backward(n, logits, n / 2, d_logits);
        BECAUSE("The %d numbers in d_logits must sum to 0, like the derivatives of a softmax.", n);
        EXPECT_NUMBER(0.0, sum_of_products(n, ones, d_logits), 1e-12);
    }
}

struct surprise {
    int n, target;
    double *logits;
};

static double loss_of_logits(void *context) {
    const struct surprise *s = context;
    return cross_entropy(s->n, s->logits, s->target);
}

TEST(cross_entropy_backward, pushes_are_what_nudging_measures) {
    struct random r = random_seed(622);
    for (int n = 2; n <= 7; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        NEW_VECTOR_FILLED(d_logits, n, 0.0);
        struct surprise s = {n, n - 2, logits};
        cross_entropy_backward(n, logits, n - 2, d_logits);
        EXPECT_NUDGED(loss_of_logits, &s, 0, n, logits, d_logits);
    }
}

/* sgd_step */

TEST(sgd_step, the_worked_step_goes_downhill) {
    NEW_VECTOR_OF(gradient, 2, 1, -2);
    NEW_VECTOR_OF(parameter, 2, 0.5, 0.5);
    sgd_step(2, 0.1, gradient, parameter);
    const double expected[2] = {0.4, 0.7};
    EXPECT_VECTOR(2, expected, parameter, FOUR_DECIMALS);
}

TEST(sgd_step, every_parameter_takes_its_own_step) {
    struct random r = random_seed(630);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(gradient, n, &r);
        NEW_VECTOR_RANDOM(parameter, n, &r);
        NEW_VECTOR(expected, n);
        for (int i = 0; i < n; i++)
            expected[i] = parameter[i] - 0.3 * gradient[i];
        sgd_step(n, 0.3, gradient, parameter);
        BECAUSE("Here n is %d.", n);
        EXPECT_VECTOR(n, expected, parameter, 1e-12);
    }
}

TEST(sgd_step, a_rate_of_zero_leaves_every_bit_alone) {
    NEW_VECTOR_OF(gradient, 3, 1e300, -2, 0);
    NEW_VECTOR_OF(parameter, 3, 0.1, -1e-300, 3);
    NEW_VECTOR_LIKE(before, 3, parameter);
    sgd_step(3, 0.0, gradient, parameter);
    EXPECT_VECTOR(3, before, parameter, 0.0);
}
