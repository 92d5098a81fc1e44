/* Lesson 10: the tests of add_rows and adam_step. Those of the norms and of the layer are in the
   other two files. */
#include "depth.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9
#define EXACTLY  0.0

/* add_rows */

/* Reports if only the first numbers of out have changed. */
static void because_of_the_first(int count, const double *held, const double *out) {
    int first = 0, changed = 0;
    for (int k = 0; k < count; k++)
        changed += out[k] != held[k];
    while (first < count && out[first] != held[first])
        first++;
    BECAUSE_IF(first == changed && 0 < first && first < count,
               "Only the first %d of %d numbers of out changed.", first, count);
}

TEST(add_rows, X_is_added_to_the_old_numbers_of_out) {
    NEW_MATRIX_OF(X, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(out, 2, 3, {10, 40, 20}, {60, 30, 50});
    add_rows(2, 3, X, out);
    const double expected[2][3] = {{11, 42, 23}, {64, 35, 56}};
    because_of_the_first(6, (const double[]){10, 40, 20, 60, 30, 50}, out[0]);
    BECAUSE("Before the call, out contained 10, 40, 20 and 60, 30, 50.");
    EXPECT_MATRIX(2, 3, expected, out, EXACTLY);
}

static const struct rows { int n, d; } all_rows[] = {{3, 5}, {4, 2}, {1, 6}, {7, 1}, {1, 1}};

TEST(add_rows, every_number_of_every_row_is_added) {
    struct random r = random_seed(1010);
    FOR_ALL_CASES(struct rows, z, all_rows) {
        NEW_MATRIX_RANDOM(X, z->n, z->d, &r);
        NEW_MATRIX_RANDOM(out, z->n, z->d, &r);
        NEW_MATRIX_LIKE(held, z->n, z->d, out);
        NEW_MATRIX_LIKE(expected, z->n, z->d, out);
        add_into(z->n * z->d, X, expected);
        add_rows(z->n, z->d, X, out);
        because_of_the_first(z->n * z->d, held[0], out[0]);
        BECAUSE("n = %d and d = %d here.", z->n, z->d);
        EXPECT_MATRIX(z->n, z->d, expected, out, EXACTLY);
    }
}

/* adam_step */

/* Parameters, and the running averages of their gradients, which start at 0. */
struct adam {
    int n;
    double *gradient, *parameter, *mean, *square;
};

static struct adam adam_of(int n, const double *numbers) {
    NEW_VECTOR_FILLED(gradient, n, 0.0);
    NEW_VECTOR_LIKE(parameter, n, numbers);
    NEW_VECTOR_FILLED(mean, n, 0.0);
    NEW_VECTOR_FILLED(square, n, 0.0);
    return (struct adam){n, gradient, parameter, mean, square};
}
#define ADAM_OF(n, ...) adam_of(n, (const double[n]){__VA_ARGS__})

static void step_by(const struct adam *w, int step, double rate, const double *gradient) {
    memcpy(w->gradient, gradient, (size_t)w->n * sizeof *gradient);
    adam_step(w->n, step, rate, w->gradient, w->mean, w->square, w->parameter);
}
#define STEP_BY(w, step, rate, ...) step_by(&(w), step, rate, (const double[]){__VA_ARGS__})

static void expect_averages(int line, const struct adam *w, int step, const double *mean,
                            const double *square, double tolerance) {
    BECAUSE("These are the running averages after step %d.", step);
    expect_numbers(line, "mean", 0, w->n, mean, w->mean, tolerance);
    BECAUSE("These are the running averages after step %d.", step);
    expect_numbers(line, "square", 0, w->n, square, w->square, tolerance);
}
#define EXPECT_AVERAGES(w, ...) expect_averages(__LINE__, &(w), __VA_ARGS__)

static void expect_parameter(int line, const struct adam *w, int step, const double *parameter,
                             double tolerance) {
    BECAUSE("These are the parameters after step %d.", step);
    expect_numbers(line, "parameter", 0, w->n, parameter, w->parameter, tolerance);
}
#define EXPECT_PARAMETER(w, ...) expect_parameter(__LINE__, &(w), __VA_ARGS__)

TEST(adam_step, the_first_step_is_as_long_as_the_rate) {
    const struct adam w = ADAM_OF(2, 1, 1);
    STEP_BY(w, 1, 0.1, 0.5, -200);
    EXPECT_AVERAGES(w, 1, OF(0.05, -20), OF(0.00025, 40), ROUNDING);
    EXPECT_PARAMETER(w, 1, OF(0.9, 1.1), FOUR_DECIMALS);
}

/* Two trainings at the same time count their steps separately, so nothing may be kept in a static
   variable. */
TEST(adam_step, two_threads_may_make_steps_at_once) {
    const struct adam w = ADAM_OF(3, 1, 2, 3), other = ADAM_OF(2, 4, 5);
    EXPECT_NOTHING_KEPT(STEP_BY(w, 1, 0.1, 1, 2, 3), STEP_BY(other, 5, 0.2, -1, 1));
}

TEST(adam_step, the_second_step_also_uses_the_first_gradient) {
    const struct adam w = ADAM_OF(2, 1, 1);
    STEP_BY(w, 1, 0.1, 0.5, -200);
    STEP_BY(w, 2, 0.1, 0, -200);
    EXPECT_PARAMETER(w, 2, OF(0.8330, 1.2), FOUR_DECIMALS);
}

TEST(adam_step, the_averages_are_stored_without_the_correction) {
    const struct adam w = ADAM_OF(2, 0, 0);
    STEP_BY(w, 1, 0.3, 1, -10);
    STEP_BY(w, 2, 0.3, 2, 0);
    STEP_BY(w, 3, 0.3, -1, 10);
    EXPECT_AVERAGES(w, 3, OF(0.161, 0.19), OF(0.005994001, 0.1998001), ROUNDING);
}

TEST(adam_step, equal_gradients_give_steps_as_long_as_the_rate) {
    const double gradient[6] = {1e-3, -0.5, 3, -200, 1e6, -1e100};
    const struct adam w = ADAM_OF(6, 0);
    double expected[6] = {0};
    for (int step = 1; step <= 20; step++) {
        step_by(&w, step, 0.01, gradient);
        for (int i = 0; i < 6; i++)
            expected[i] += gradient[i] > 0 ? -0.01 : 0.01;
        BECAUSE(
            "All %d gradients so far were equal, so m is the gradient and s is its square. Each "
            "step is as long as the learning rate, which is 0.01.",
            step);
        EXPECT_PARAMETER(w, step, expected, 1e-5);
    }
}

TEST(adam_step, a_tiny_gradient_gives_a_shorter_step) {
    const struct adam w = ADAM_OF(3, 0, 0, 0);
    const double parameter[3] = {-0.1, -0.2 / 1.1, -2e-23};
    STEP_BY(w, 1, 0.2, 1e-8, 1e-7, 1e-30);
    BECAUSE("The square roots of s are 1e-8, 1e-7 and 1e-30 here, and 1e-8 is added to each.");
    EXPECT_PARAMETER(w, 1, parameter, ROUNDING);
}

TEST(adam_step, a_first_gradient_of_zero_moves_no_parameter) {
    const struct adam w = ADAM_OF(3, 0.1, -1e-300, 7);
    const double parameter[3] = {0.1, -1e-300, 7}, zeros[3] = {0};
    STEP_BY(w, 1, 0.3, 0, 0, 0);
    EXPECT_AVERAGES(w, 1, zeros, zeros, EXACTLY);
    EXPECT_PARAMETER(w, 1, parameter, EXACTLY);
}

/* The same gradients, and 1000 times as large ones, as if the loss were multiplied by 1000. */
TEST(adam_step, a_loss_a_thousand_times_as_large_changes_no_step) {
    struct random r = random_seed(1011);
    const struct adam w = adam_of(5, (const double[5]){0}), large = ADAM_OF(5, 0);
    for (int step = 1; step <= 12; step++) {
        double gradient[5];
        random_fill_normal(&r, 5, gradient);
        step_by(&w, step, 0.03, gradient);
        scale_into(5, 1000.0, gradient, gradient);
        step_by(&large, step, 0.03, gradient);
        BECAUSE("All gradients are 1000 times as large here as before. So are m and the square "
                "root of s, and the step does not change.");
        EXPECT_PARAMETER(large, step, w.parameter, 1e-6);
    }
}

/* Adam in long double, for at most 8 parameters. */
struct slow_adam {
    long double mean[8], square[8], parameter[8];
};

static void slow_step(struct slow_adam *w, int n, int step, double rate, const double *gradient) {
    for (int i = 0; i < n; i++) {
        const long double g = gradient[i];
        w->mean[i] = 0.9L * w->mean[i] + 0.1L * g;
        w->square[i] = 0.999L * w->square[i] + 0.001L * g * g;
        const long double m = w->mean[i] / (1.0L - powl(0.9L, step));
        const long double s = w->square[i] / (1.0L - powl(0.999L, step));
        w->parameter[i] -= rate * m / (sqrtl(s) + 1e-8L);
    }
}

TEST(adam_step, twelve_steps_agree_with_the_plain_definition) {
    struct random r = random_seed(1012);
    for (int n = 1; n <= 5; n++) {
        matrix_free_all();
        const struct adam w = adam_of(n, (const double[5]){1, -2, 3, 0, 5});
        struct slow_adam slow = {.parameter = {1, -2, 3, 0, 5}};
        for (int step = 1; step <= 12; step++) {
            double gradient[5], expected[5];
            random_fill_normal(&r, n, gradient);
            step_by(&w, step, 0.03, gradient);
            slow_step(&slow, n, step, 0.03, gradient);
            for (int i = 0; i < n; i++)
                expected[i] = (double)slow.parameter[i];
            EXPECT_PARAMETER(w, step, expected, 1e-11);
        }
    }
}
