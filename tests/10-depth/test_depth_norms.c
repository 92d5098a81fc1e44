/* Lesson 10: the tests of the two norms and of their backward passes. */
#include "norms.h"

struct sizes {
    int n, d;
};

/* An RMS norm has no bias, so its parameters begin with the gain. */
#define IS_CENTRED(w) ((w)->f->weights == BIAS)
#define ALL_PIECES(_)                                                                              \
    _(X, "d_X", dims_of_rows(z.n, z.d))                                                            \
    _(BIAS, "d_bias", dims_of_rows(0, z.d))                                                        \
    _(GAIN, "d_gain", dims_of_rows(0, z.d))                                                        \
    _(NORMED, "d_normed", dims_of_rows(z.n, z.d))                                                  \
    _(INVERSE, IS_CENTRED(w) ? "d_inverse_std" : "d_inverse_rms", dims_of_rows(0, z.n))            \
    _(OUT, "d_out", dims_of_rows(z.n, z.d))
#define LAST_WORDS X
#define LAST_GIVEN GAIN
#define ZEROED(p)  false

#include "../pieces.h"

/* Each size is 1 in some pair, and in one pair both are. */
static const struct sizes all_sizes[] = {{3, 4}, {2, 5}, {5, 2}, {1, 6}, {4, 1}, {1, 1}};

/* The same test for both norms. */
#define OF_BOTH(way, body, of_layer_norm, of_rms_norm)                                             \
    TEST(layer_##way, of_layer_norm) {                                                             \
        body(&centred);                                                                            \
    }                                                                                              \
    TEST(rms_##way, of_rms_norm) {                                                                 \
        body(&by_squares);                                                                         \
    }

static void run(const struct work *w) {
    void *const *at = w->at;
    if (IS_CENTRED(w))
        layer_norm(w->z.n, w->z.d, at[X], at[GAIN], at[BIAS], at[NORMED], at[INVERSE], at[OUT]);
    else
        rms_norm(w->z.n, w->z.d, at[X], at[GAIN], at[NORMED], at[INVERSE], at[OUT]);
}

static void run_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    if (IS_CENTRED(w))
        layer_norm_backward(w->z.n, w->z.d, at[GAIN], at[NORMED], at[INVERSE], d[OUT], d[GAIN],
                            d[BIAS], d[X]);
    else
        rms_norm_backward(w->z.n, w->z.d, at[GAIN], at[NORMED], at[INVERSE], d[OUT], d[GAIN], d[X]);
}

static void run_obviously(const struct work *w) {
    void *const *at = w->at;
    obvious_norm(IS_CENTRED(w), w->z.n, w->z.d, at[X], at[NORMED], at[INVERSE]);
    obvious_scale(w->z.n, w->z.d, at[NORMED], at[GAIN], IS_CENTRED(w) ? at[BIAS] : NULL, at[OUT]);
}

static void run_back_obviously(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    obvious_norm_back(IS_CENTRED(w), w->z.n, w->z.d, at[GAIN], at[NORMED], at[INVERSE], d[OUT],
                      d[X]);
    obvious_scale_back(w->z.n, w->z.d, at[NORMED], d[OUT], d[GAIN], d[BIAS]);
}

#define NORM(the_weights)                                                                          \
    {                                                                                              \
        .run = run, .run_back = run_back, .obvious = run_obviously,                                \
        .obvious_back = run_back_obviously, .weights = the_weights, .values = NORMED, .back = GAIN \
    }
static const struct function centred = NORM(BIAS), by_squares = NORM(GAIN);

/* The gains are 1 and the biases 0, if a test does not change them. */
static struct work norm_of(const struct function *f, int n, int d, const void *numbers) {
    struct work w = {.f = f, .z = {n, d}};
    put(&w, X, numbers);
    for (enum piece p = f->weights; p <= GAIN; p++)
        w.at[p] = filled(&w, p, UNNAMED, p == GAIN);
    return w;
}
#define NORM_OF(f, n, d, ...) norm_of(f, n, d, (const double[n][d]){__VA_ARGS__})

/* Reports a wrong mean or a wrong mean square of a row of normed. */
static void because_of_rows(const struct work *w) {
    const int d = w->z.d;
    const double *expected = obvious(*w).at[NORMED];
    for (int i = 0; i < w->z.n; i++) {
        const double *row = (double *)w->at[NORMED] + i * d, *right = expected + i * d;
        double mean = 0.0;
        for (int c = 0; c < d; c++)
            mean += row[c] / d;
        BECAUSE_IF(IS_CENTRED(w) && fabs(mean) > 1e-3,
                   "Row %d of normed has the mean %.4f, which should be 0.", i, mean);
        const double square = sum_of_products(d, row, row) / d,
                     right_square = sum_of_products(d, right, right) / d;
        BECAUSE_IF(fabs(square - right_square) > 1e-3,
                   "The squares of row %d of normed have the mean %.4f, which should be %.4f.", i,
                   square, right_square);
    }
}

/* Reports a wrong sum of a row of d_X. */
static void because_of_slopes(const struct work *w) {
    const int d = w->z.d;
    for (int i = 0; i < w->z.n; i++) {
        const double *d_X = (double *)w->d[X] + i * d, *normed = (double *)w->at[NORMED] + i * d;
        double sum = 0.0, along = 0.0;
        for (int c = 0; c < d; c++) {
            sum += d_X[c] - w->held;
            along += (d_X[c] - w->held) * normed[c];
        }
        const double *d_out = (double *)w->d[OUT] + i * d, gained = sum_of_products(d, d_X, d_X);
        BECAUSE_IF(w->held == 0.0 && sum_of_products(d, d_out, d_out) == 0.0 && gained != 0.0,
                   "d_out is 0 in row %d, so you should add 0 to this row of d_X.", i);
        BECAUSE_IF(IS_CENTRED(w) && fabs(sum) > 1e-6,
                   "What you added to row %d of d_X sums to %.4g. A constant added to a row of X "
                   "changes no output, so the sum should be 0.",
                   i, sum);
        const double square = sum_of_products(d, normed, normed) / d;
        BECAUSE_IF(fabs(square - 1.0) < 1e-4 && fabs(along) > 0.05,
                   "What you added to row %d of d_X, times normed, sums to %.4f. A factor in front "
                   "of a row of X hardly changes the output, so the sum should be near 0.",
                   i, along);
    }
}

static void because_of(const struct work *w, enum piece p) {
    const bool back = w->d[X] != NULL;
    if (p == NORMED && !back)
        because_of_rows(w);
    if (p == X && back)
        because_of_slopes(w);
    BECAUSE_IF(p > NORMED && !back, "normed is right here. n = %d and d = %d.", w->z.n, w->z.d);
    BECAUSE_IF(p != X && back, "d_X is right here. n = %d and d = %d.", w->z.n, w->z.d);
    BECAUSE("n = %d and d = %d here.", w->z.n, w->z.d);
}

/* Expects these three results. */
static void expect_values(int line, struct work w, const void *normed, const void *inverse,
                          const void *out, double tolerance) {
    const void *const expected[] = {normed, inverse, out};
    for (enum piece p = NORMED; p <= OUT; p++) {
        because_of(&w, p);
        expect_array(line, its(&w, p).name, its(&w, p).dims, expected[p - NORMED], w.at[p],
                     tolerance);
    }
}
#define EXPECT_VALUES(given, ...) expect_values(__LINE__, yours(given), __VA_ARGS__, FOUR_DECIMALS)

/* layer_norm and rms_norm */

static struct work worked(void) {
    return NORM_OF(&centred, 2, 4, {1, 2, 4, -3}, {1, 0, 0, 0});
}

TEST(layer_norm, the_worked_rows_get_mean_0_and_variance_1) {
    const double normed[2][4] = {{0, 0.3922, 1.1767, -1.5689}, {1.7320, -0.5773, -0.5773, -0.5773}};
    const double inverse[2] = {0.3922, 2.3093};
    EXPECT_VALUES(worked(), normed, inverse, normed);
}

TEST(rms_norm, the_worked_rows_keep_their_mean) {
    const double normed[2][4] = {{0.4, 0.8, 0.8, 1.6}, {1, 1, 1, 1}}, inverse[2] = {0.4, 0.3333};
    EXPECT_VALUES(NORM_OF(&by_squares, 2, 4, {1, 2, 2, 4}, {3, 3, 3, 3}), normed, inverse, normed);
}

static void expect_each_its_own(const struct function *f) {
    struct work w =
        f == &centred ? worked() : NORM_OF(&by_squares, 2, 4, {1, 2, 2, 4}, {3, 3, 3, 3});
    PUT(w, GAIN, 2, 1, 0.5, -1);
    if (f == &centred)
        PUT(w, BIAS, 10, 20, 30, 40);
    EXPECT_FORWARD(w);
}
OF_BOTH(norm, expect_each_its_own, each_number_has_a_gain_and_a_bias_of_its_own,
        each_number_has_a_gain_of_its_own)

TEST(layer_norm, a_row_of_equal_numbers_gives_the_bias) {
    struct work w = NORM_OF(&centred, 3, 3, {7, 7, 7}, {0, 0, 0}, {-1e8, -1e8, -1e8});
    const double normed[3][3] = {{0}}, inverse[3] = {316.2278, 316.2278, 316.2278};
    const double out[3][3] = {{3, 0.5, -2}, {3, 0.5, -2}, {3, 0.5, -2}};
    PUT(w, GAIN, 2, -1, 5);
    PUT(w, BIAS, 3, 0.5, -2);
    EXPECT_VALUES(w, normed, inverse, out);
}

/* For the first row, the square root is that of 1.2e-5, which is mostly norm_epsilon. */
static void expect_epsilon_under_the_root(const struct function *f) {
    const double normed[3][4] = {{0.5774, 0, 0, -0.5774}, {1, -1, 1, -1}, {0}};
    const double inverse[3] = {288.6751, 1, 316.2278};
    EXPECT_VALUES(NORM_OF(f, 3, 4, {0.002, 0, 0, -0.002}, {1, -1, 1, -1}, {0}), normed, inverse,
                  normed);
}
OF_BOTH(norm, expect_epsilon_under_the_root, a_row_of_almost_equal_numbers_stays_small,
        zeros_stay_zeros_and_small_rows_small)

/* All numbers are multiples of 1/8, so that adding 1e8 is exact. */
TEST(layer_norm, adding_a_constant_to_a_row_changes_nothing) {
    struct work w = NORM_OF(&centred, 2, 5, {1, 2.5, -3, 0.125, 6}, {-2, 0, 1, 1, 0.75});
    const struct work before = obvious(w);
    double *numbers = w.at[X];
    for (int i = 0; i < 10; i++)
        numbers[i] += i < 5 ? 1e8 : -1e8;
    const struct work after = yours(w);
    BECAUSE("1e8 is added to all numbers of row 0, and subtracted from those of row 1. Only their "
            "means change. The squares are near 1e16, where doubles are 2 apart.");
    expect_values(__LINE__, after, before.at[NORMED], before.at[INVERSE], before.at[OUT], 1e-6);
}

/* Factors that are powers of 2, so that the products are exact. */
static void expect_stretch(const struct function *f) {
    const double factors[] = {-1, 4, 0x1p20, 0x1p300};
    for (int i = 0; i < 4; i++) {
        matrix_free_all();
        struct work w = NORM_OF(f, 2, 3, {1, 5, -3}, {4, -2, 0}), plain = obvious(w);
        scale_into(6, factors[i], w.at[X], w.at[X]);
        scale_into(6, factors[i] < 0 ? -1 : 1, plain.at[NORMED], plain.at[NORMED]);
        const double *normed = yours(w).at[NORMED];
        BECAUSE("X is multiplied by %g here, and normed should not change (except its sign).",
                factors[i]);
        EXPECT_MATRIX(2, 3, plain.at[NORMED], normed, 1e-5);
    }
}
OF_BOTH(norm, expect_stretch, multiplying_a_row_changes_almost_nothing,
        rows_of_any_size_get_the_same_size)

TEST(layer_norm, a_row_of_one_number_gives_the_bias) {
    struct work w = NORM_OF(&centred, 3, 1, {5}, {-1e100}, {0});
    const double normed[3][1] = {{0}}, inverse[3] = {316.2278, 316.2278, 316.2278};
    const double out[3][1] = {{-0.25}, {-0.25}, {-0.25}};
    PUT(w, GAIN, 3);
    PUT(w, BIAS, -0.25);
    EXPECT_VALUES(w, normed, inverse, out);
}

static void expect_random(const struct function *f) {
    struct random r = random_seed(1001);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(random_work(f, *z, &r));
}
OF_BOTH(norm, expect_random, random_rows_agree_with_the_plain_layer_norm,
        random_rows_agree_with_the_plain_rms_norm)

static void expect_no_statics(const struct function *f) {
    struct random r = random_seed(1002);
    EXPECT_NO_TRACE(random_work(f, all_sizes[0], &r), random_work(f, all_sizes[1], &r));
}
OF_BOTH(norm, expect_no_statics, two_threads_may_compute_norms_at_once,
        two_threads_may_compute_rms_norms_at_once)

/* layer_norm_backward and rms_norm_backward */

TEST(layer_norm_backward, the_worked_row_has_this_gradient_without_two_means) {
    struct work w = obvious(worked());
    PUT_D_OUT(w, 0, 0, 1, 0, 0, 0, 0, 0);
    w = yours_back(w, 0.0, 0.0);
    because_of(&w, X);
    EXPECT_PUT_D(w, X, -0.0981, -0.1433, 0.1584, 0.0830, 0, 0, 0, 0);
    BECAUSE("d_X is right here. d_out is 0 in row 1, so this row adds 0 to d_gain.");
    EXPECT_PUT_D(w, GAIN, 0, 0, 1.1767, 0);
    BECAUSE("d_X is right here. d_out is 0 in row 1, so this row adds 0 to d_bias.");
    EXPECT_PUT_D(w, BIAS, 0, 0, 1, 0);
}

TEST(rms_norm_backward, the_worked_row_has_this_gradient_without_one_mean) {
    struct work w = obvious(NORM_OF(&by_squares, 1, 4, {1, 2, 2, 4}));
    PUT_D_OUT(w, 0, 0, 1, 0);
    w = yours_back(w, 0.0, 0.0);
    because_of(&w, X);
    EXPECT_PUT_D(w, X, -0.0320, -0.0640, 0.3360, -0.1280);
    BECAUSE("d_X is right here.");
    EXPECT_PUT_D(w, GAIN, 0, 0, 0.8, 0);
}

/* The means are those of gain * d_out. */
static void expect_gain_in_the_means(const struct function *f) {
    struct work w = NORM_OF(f, 1, 4, {1, 2, 4, -3});
    PUT(w, GAIN, 2, -1, 0.5, 3);
    PUT_D_OUT(w, 1, 1, 1, 1);
    EXPECT_BACK_FROM(obvious(w), X, 0.0, 0.0);
}
OF_BOTH(norm_backward, expect_gain_in_the_means, both_means_contain_the_gain,
        the_mean_contains_the_gain)

TEST(layer_norm_backward, the_rows_of_d_X_sum_to_zero) {
    struct random r = random_seed(1004);
    FOR_ALL_SIZES(z) {
        const struct work w = yours_back(obvious(random_work(&centred, *z, &r)), 0.0, 0.0);
        NEW_VECTOR_FILLED(ones, z->d, 1.0);
        for (int i = 0; i < z->n; i++) {
            const double *d_X = (double *)w.d[X] + i * z->d;
            BECAUSE(
                "A constant added to a row changes no output, so each row of d_X should sum to 0.");
            EXPECT_NUMBER(0.0, sum_of_products(z->d, d_X, ones), 1e-12);
        }
    }
}

/* The rows are so large that norm_epsilon does not matter. */
static void expect_no_stretch(const struct function *f) {
    struct random r = random_seed(1005);
    FOR_ALL_SIZES(z) {
        const struct work w = random_work(f, *z, &r);
        const double *row = w.at[X];
        scale_into(z->n * z->d, 1e6, w.at[X], w.at[X]);
        const double *d_X = yours_back(obvious(w), 0.0, 0.0).d[X];
        for (int i = 0; i < z->n; i++, row += z->d, d_X += z->d) {
            BECAUSE("A row that is multiplied by a factor gives the same output, so each row of "
                    "d_X * X should sum to 0.");
            EXPECT_NUMBER(0.0, sum_of_products(z->d, d_X, row), ROUNDING);
        }
    }
}
OF_BOTH(norm_backward, expect_no_stretch, the_rows_of_d_X_times_X_sum_to_zero,
        each_row_of_d_X_times_X_sums_to_zero)

static void expect_nudged_norm(const struct function *f) {
    struct random r = random_seed(1006);
    FOR_ALL_SIZES(z)
    if (f == &by_squares || z->d > 1)
        EXPECT_SLOPES(random_work(f, *z, &r), run);
}
OF_BOTH(norm_backward, expect_nudged_norm, all_gradients_of_a_layer_norm_pass_the_check,
        all_gradients_of_an_rms_norm_pass_the_check)

static void expect_random_back(const struct function *f) {
    struct random r = random_seed(1008);
    FOR_ALL_SIZES(z)
    EXPECT_BACK_FROM(obvious(random_work(f, *z, &r)), X, 10.0, 0.0);
}
OF_BOTH(norm_backward, expect_random_back, all_gradients_of_a_layer_norm_are_added,
        all_gradients_of_an_rms_norm_are_added)

static void expect_no_statics_back(const struct function *f) {
    struct random r = random_seed(1009);
    EXPECT_NO_TRACE_BACK(random_work(f, all_sizes[0], &r), random_work(f, all_sizes[1], &r));
}
OF_BOTH(norm_backward, expect_no_statics_back, two_threads_may_compute_norm_gradients_at_once,
        two_threads_may_compute_rms_gradients_at_once)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(layer_norm, &centred, 3, 4)
LAWS_BACKWARD(layer_norm_backward, &centred, false, 3, 4)
LAWS_FORWARD(rms_norm, &by_squares, 3, 4)
LAWS_BACKWARD(rms_norm_backward, &by_squares, false, 3, 4)
