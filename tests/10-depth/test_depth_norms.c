/* Lesson 10: what depth.h promises of the two norms, forward and backward. */
#include "norms.h"

/* Rows on their way through a norm, and back. */
struct norm {
    bool centred; /* layer_norm; if not, rms_norm, which has no bias */
    int n, d;
    double *gain, *bias, *inverse, *d_gain, *d_bias;
    void *X, *normed, *out, *d_out, *d_X;
};

/* Each is 1 somewhere, and both are. */
static const struct shape { int n, d; } shapes[] = {{3, 4}, {2, 5}, {5, 2}, {1, 6}, {4, 1}, {1, 1}};

static const char *inverse_name(const struct norm *w) {
    return w->centred ? "inverse_std" : "inverse_rms";
}

/* A test of each norm, of the same idea. */
#define OF_BOTH(body, of_layer_norm, of_rms_norm)                                                  \
    static void of_layer_norm(void) {                                                              \
        body(true);                                                                                \
    }                                                                                              \
    static void of_rms_norm(void) {                                                                \
        body(false);                                                                               \
    }

/* A gain of 1 and a bias of 0, until somebody sets others. A report shows none of these: their
   names are not the header's. */
static struct norm norm_of(bool centred, int n, int d, const void *numbers) {
    NEW_MATRIX_LIKE(of_X, n, d, numbers);
    NEW_VECTOR_FILLED(of_gain, d, 1.0);
    NEW_VECTOR_FILLED(of_bias, d, 0.0);
    return (struct norm){centred, n, d, .X = of_X, .gain = of_gain, .bias = of_bias};
}
#define NORM_OF(centred, n, d, ...) norm_of(centred, n, d, (const double[n][d]){__VA_ARGS__})

static struct norm random_norm(bool centred, struct shape z, struct random *r) {
    NEW_MATRIX_RANDOM(numbers, z.n, z.d, r);
    struct norm w = norm_of(centred, z.n, z.d, numbers);
    random_fill_normal(r, z.d, w.gain);
    random_fill_normal(r, z.d, w.bias);
    w.d_out = random_fill_normal(r, z.n * z.d, matrix_new("of_d_out", z.n, z.d));
    return w;
}

static void run(const struct norm *w) {
    if (w->centred)
        layer_norm(w->n, w->d, w->X, w->gain, w->bias, w->normed, w->inverse, w->out);
    else
        rms_norm(w->n, w->d, w->X, w->gain, w->normed, w->inverse, w->out);
}

static void run_back(const struct norm *w) {
    if (w->centred)
        layer_norm_backward(w->n, w->d, w->gain, w->normed, w->inverse, w->d_out, w->d_gain,
                            w->d_bias, w->d_X);
    else
        rms_norm_backward(w->n, w->d, w->gain, w->normed, w->inverse, w->d_out, w->d_gain, w->d_X);
}

static struct norm with_room(struct norm w) {
    w.normed = matrix_new("normed", w.n, w.d);
    w.inverse = vector_new(inverse_name(&w), w.n);
    w.out = matrix_new("out", w.n, w.d);
    return w;
}

/* With the names that the header has: a report shows what a call was given. */
static struct norm yours(struct norm w) {
    w.X = matrix_copy("X", w.n, w.d, w.X);
    w.gain = vector_copy("gain", w.d, w.gain);
    if (w.centred)
        w.bias = vector_copy("bias", w.d, w.bias);
    w = with_room(w);
    run(&w);
    return w;
}

static struct norm obvious(struct norm w) {
    w.normed = matrix_new("of_normed", w.n, w.d);
    w.inverse = vector_new("of_inverse", w.n);
    w.out = matrix_new("of_out", w.n, w.d);
    obvious_norm(w.centred, w.n, w.d, w.X, w.normed, w.inverse);
    obvious_scale(w.n, w.d, w.normed, w.gain, w.centred ? w.bias : NULL, w.out);
    return w;
}

static struct norm with_gradients(struct norm w, double held) {
    w.d_gain = fill(w.d, held, vector_new("d_gain", w.d));
    w.d_bias = w.centred ? fill(w.d, held, vector_new("d_bias", w.d)) : NULL;
    w.d_X = fill(w.n * w.d, held, matrix_new("d_X", w.n, w.d));
    return w;
}

static struct norm yours_back(struct norm w, double held) {
    w.gain = vector_copy("gain", w.d, w.gain);
    w.normed = matrix_copy("normed", w.n, w.d, w.normed);
    w.inverse = vector_copy(inverse_name(&w), w.n, w.inverse);
    w.d_out = matrix_copy("d_out", w.n, w.d, w.d_out);
    w = with_gradients(w, held);
    run_back(&w);
    return w;
}

static struct norm obvious_back(struct norm w) {
    w = with_gradients(w, 0.0);
    obvious_norm_back(w.centred, w.n, w.d, w.gain, w.normed, w.inverse, w.d_out, w.d_X);
    obvious_scale_back(w.n, w.d, w.normed, w.d_out, w.d_gain, w.d_bias);
    return w;
}

/* What the rows of normed are like, where that is not what it should be. */
static void because_of_rows(const struct norm *w, const double *expected) {
    const int d = w->d;
    for (int i = 0; i < w->n; i++) {
        const double *row = (double *)w->normed + i * d, *right = expected + i * d;
        double mean = 0.0;
        for (int c = 0; c < d; c++)
            mean += row[c] / d;
        BECAUSE_IF(w->centred && fabs(mean) > 1e-3,
                   "Row %d of normed has a mean of %.4f, and it should be 0.", i, mean);
        const double square = sum_of_products(d, row, row) / d,
                     right_square = sum_of_products(d, right, right) / d;
        BECAUSE_IF(fabs(square - right_square) > 1e-3,
                   "The squares of row %d of normed have a mean of %.4f, and it should be %.4f.", i,
                   square, right_square);
    }
    BECAUSE("n = %d and d = %d here.", w->n, d);
}

/* What is right is worked out after what is yours: a report shows all that was there before. */
static void expect_forward(int line, struct norm w, const void *normed, const void *inverse,
                           const void *out, double tolerance) {
    because_of_rows(&w, normed);
    expect_numbers(line, "normed", w.n, w.d, normed, w.normed, tolerance);
    BECAUSE("normed is right here. n = %d and d = %d.", w.n, w.d);
    expect_numbers(line, inverse_name(&w), 0, w.n, inverse, w.inverse, tolerance);
    BECAUSE("normed is right here. n = %d and d = %d.", w.n, w.d);
    expect_numbers(line, "out", w.n, w.d, out, w.out, tolerance);
}
#define EXPECT_FORWARD(given, ...) expect_forward(__LINE__, yours(given), __VA_ARGS__)

static void expect_obvious(int line, struct norm given) {
    const struct norm w = yours(given), right = obvious(given);
    expect_forward(line, w, right.normed, right.inverse, right.out, ROUNDING);
}
#define EXPECT_OBVIOUS(given) expect_obvious(__LINE__, given)

/* What the rows of d_X are like, where that is not what it should be. */
static void because_of_slopes(const struct norm *w, double held) {
    for (int i = 0; i < w->n; i++) {
        const double *d_X = (double *)w->d_X + i * w->d, *normed = (double *)w->normed + i * w->d;
        double sum = 0.0, along = 0.0;
        for (int c = 0; c < w->d; c++) {
            sum += d_X[c] - held;
            along += (d_X[c] - held) * normed[c];
        }
        BECAUSE_IF(w->centred && fabs(sum) > 1e-6,
                   "Row %d of d_X gained a sum of %.4f. A constant added to a row changes nothing, "
                   "so it should be 0.",
                   i, sum);
        const double square = sum_of_products(w->d, normed, normed) / w->d;
        BECAUSE_IF(fabs(square - 1.0) < 1e-4 && fabs(along) > 0.05,
                   "Row %d of d_X times normed makes a sum of %.4f. A longer row comes out the "
                   "same, so it should be next to 0.",
                   i, along);
    }
    BECAUSE("n = %d and d = %d here.", w->n, w->d);
}

/* d_X comes first: it is what goes wrong. */
static void expect_back(int line, struct norm given, double held) {
    const struct norm w = yours_back(given, held), right = obvious_back(given);
    because_of_slopes(&w, held);
    expect_added(line, "d_X", w.n, w.d, held, right.d_X, w.d_X);
    BECAUSE("d_X is right here. n = %d and d = %d.", w.n, w.d);
    expect_added(line, "d_gain", 0, w.d, held, right.d_gain, w.d_gain);
    if (!w.centred)
        return;
    BECAUSE("d_X is right here. n = %d and d = %d.", w.n, w.d);
    expect_added(line, "d_bias", 0, w.d, held, right.d_bias, w.d_bias);
}
#define EXPECT_BACK(given, held) expect_back(__LINE__, given, held)

/* layer_norm and rms_norm */

static struct norm worked(void) {
    return NORM_OF(true, 2, 4, {1, 2, 4, -3}, {1, 0, 0, 0});
}

static void the_worked_rows_are_brought_to_one_size(void) {
    const double normed[2][4] = {{0, 0.3922, 1.1767, -1.5689}, {1.7320, -0.5773, -0.5773, -0.5773}};
    const double inverse[2] = {0.3922, 2.3093};
    EXPECT_FORWARD(worked(), normed, inverse, normed, FOUR_DECIMALS);
}

static void the_worked_rows_keep_their_mean(void) {
    const double normed[2][4] = {{0.4, 0.8, 0.8, 1.6}, {1, 1, 1, 1}}, inverse[2] = {0.4, 0.3333};
    EXPECT_FORWARD(NORM_OF(false, 2, 4, {1, 2, 2, 4}, {3, 3, 3, 3}), normed, inverse, normed,
                   FOUR_DECIMALS);
}

static void expect_each_its_own(bool centred) {
    struct norm w = centred ? worked() : NORM_OF(false, 2, 4, {1, 2, 2, 4}, {3, 3, 3, 3});
    memcpy(w.gain, (const double[4]){2, 1, 0.5, -1}, 4 * sizeof(double));
    memcpy(w.bias, (const double[4]){10, 20, 30, 40}, 4 * sizeof(double));
    EXPECT_OBVIOUS(w);
}
OF_BOTH(expect_each_its_own, each_number_has_a_gain_and_a_bias_of_its_own,
        each_number_has_a_gain_of_its_own)

static void a_row_of_equal_numbers_gives_the_bias(void) {
    struct norm w = NORM_OF(true, 3, 3, {7, 7, 7}, {0, 0, 0}, {-1e8, -1e8, -1e8});
    const double normed[3][3] = {{0}}, inverse[3] = {316.2278, 316.2278, 316.2278};
    const double out[3][3] = {{3, 0.5, -2}, {3, 0.5, -2}, {3, 0.5, -2}};
    memcpy(w.gain, (const double[3]){2, -1, 5}, 3 * sizeof(double));
    memcpy(w.bias, out, sizeof out[0]);
    EXPECT_FORWARD(w, normed, inverse, out, FOUR_DECIMALS);
}

/* Of the first row, 1.2e-5 is what the root is taken of, and most of it is epsilon. */
static void expect_epsilon_under_the_root(bool centred) {
    const double normed[3][4] = {{0.5774, 0, 0, -0.5774}, {1, -1, 1, -1}, {0}};
    const double inverse[3] = {288.6751, 1, 316.2278};
    EXPECT_FORWARD(NORM_OF(centred, 3, 4, {0.002, 0, 0, -0.002}, {1, -1, 1, -1}, {0}), normed,
                   inverse, normed, FOUR_DECIMALS);
}
OF_BOTH(expect_epsilon_under_the_root, a_row_of_almost_equal_numbers_stays_small,
        zeros_stay_zeros_and_small_rows_small)

/* Eighths: what is added rounds nothing. */
static void adding_a_constant_to_a_row_changes_nothing(void) {
    struct norm w = NORM_OF(true, 2, 5, {1, 2.5, -3, 0.125, 6}, {-2, 0, 1, 1, 0.75});
    const struct norm before = obvious(w);
    double *numbers = w.X;
    for (int i = 0; i < 10; i++)
        numbers[i] += i < 5 ? 1e8 : -1e8;
    const struct norm after = yours(w);
    BECAUSE("1e8 was added to all numbers of row 0, and taken from those of row 1: their means "
            "moved with them, and nothing else. At 1e16, where the squares are, doubles are 2 "
            "apart.");
    expect_forward(__LINE__, after, before.normed, before.inverse, before.out, 1e-6);
}

/* By 2^k, so that nothing is rounded on the way there. */
static void expect_stretch(bool centred) {
    const double factors[] = {-1, 4, 0x1p20, 0x1p300};
    for (int i = 0; i < 4; i++) {
        matrix_free_all();
        struct norm w = NORM_OF(centred, 2, 3, {1, 5, -3}, {4, -2, 0}), plain = obvious(w);
        scale_into(6, factors[i], w.X, w.X);
        scale_into(6, factors[i] < 0 ? -1 : 1, plain.normed, plain.normed);
        const double *normed = yours(w).normed;
        BECAUSE("X was multiplied by %g here. Its rows come out at the same size as before.",
                factors[i]);
        EXPECT_MATRIX(2, 3, plain.normed, normed, 1e-5);
    }
}
OF_BOTH(expect_stretch, stretching_a_row_changes_next_to_nothing,
        rows_of_any_size_are_brought_to_one_size)

static void a_row_of_one_number_gives_the_bias(void) {
    struct norm w = NORM_OF(true, 3, 1, {5}, {-1e100}, {0});
    const double normed[3][1] = {{0}}, inverse[3] = {316.2278, 316.2278, 316.2278};
    const double out[3][1] = {{-0.25}, {-0.25}, {-0.25}};
    w.gain[0] = 3, w.bias[0] = -0.25;
    EXPECT_FORWARD(w, normed, inverse, out, FOUR_DECIMALS);
}

static void expect_random(bool centred) {
    struct random r = random_seed(1001);
    FOR_ALL(shape, z, shapes)
    EXPECT_OBVIOUS(random_norm(centred, *z, &r));
}
OF_BOTH(expect_random, random_rows_agree_with_the_obvious_layer_norm,
        random_rows_agree_with_the_obvious_rms_norm)

static void expect_no_statics(bool centred) {
    struct random r = random_seed(1002);
    const struct norm w = with_room(random_norm(centred, shapes[0], &r)),
                      other = with_room(random_norm(centred, shapes[1], &r));
    EXPECT_NOTHING_KEPT(run(&w), run(&other));
}
OF_BOTH(expect_no_statics, two_threads_may_norm_at_once, two_threads_may_norm_by_squares_at_once)

/* layer_norm_backward and rms_norm_backward */

/* What the forward pass leaves of these rows, and what reaches their out. */
static struct norm left_of(struct norm w, const void *d_out) {
    w = obvious(w);
    w.d_out = matrix_copy("of_d_out", w.n, w.d, d_out);
    return w;
}

static struct norm random_way_back(bool centred, struct shape z, struct random *r) {
    return obvious(random_norm(centred, z, r));
}

static void expect_worked_back(int line, struct norm given, const void *d_X, const double *d_gain,
                               const double *d_bias) {
    const struct norm w = yours_back(given, 0.0);
    because_of_slopes(&w, 0.0);
    expect_numbers(line, "d_X", w.n, w.d, d_X, w.d_X, FOUR_DECIMALS);
    BECAUSE("d_X is right here.");
    expect_numbers(line, "d_gain", 0, w.d, d_gain, w.d_gain, FOUR_DECIMALS);
    if (!w.centred)
        return;
    BECAUSE("d_X is right here.");
    expect_numbers(line, "d_bias", 0, w.d, d_bias, w.d_bias, FOUR_DECIMALS);
}

static void the_worked_row_goes_back_without_two_means(void) {
    const struct norm given = left_of(worked(), (const double[2][4]){{0, 0, 1, 0}, {0}});
    const double d_X[2][4] = {{-0.0981, -0.1433, 0.1584, 0.0830}, {0}};
    const double d_gain[4] = {0, 0, 1.1767, 0}, d_bias[4] = {0, 0, 1, 0};
    expect_worked_back(__LINE__, given, d_X, d_gain, d_bias);
}

static void the_worked_row_goes_back_without_one_mean(void) {
    const struct norm row = NORM_OF(false, 1, 4, {1, 2, 2, 4}),
                      given = left_of(row, (const double[4]){0, 0, 1, 0});
    const double d_X[1][4] = {{-0.0320, -0.0640, 0.3360, -0.1280}}, d_gain[4] = {0, 0, 0.8, 0};
    expect_worked_back(__LINE__, given, d_X, d_gain, NULL);
}

/* The gain stands between d_out and the means. */
static void expect_gain_in_the_means(bool centred) {
    struct norm w = NORM_OF(centred, 1, 4, {1, 2, 4, -3});
    memcpy(w.gain, (const double[4]){2, -1, 0.5, 3}, 4 * sizeof(double));
    EXPECT_BACK(left_of(w, (const double[4]){1, 1, 1, 1}), 0.0);
}
OF_BOTH(expect_gain_in_the_means, both_means_are_of_what_has_passed_the_gain,
        the_mean_is_of_what_has_passed_the_gain)

static void the_rows_of_d_X_sum_to_zero(void) {
    struct random r = random_seed(1004);
    FOR_ALL(shape, z, shapes) {
        const struct norm w = yours_back(random_way_back(true, *z, &r), 0.0);
        NEW_VECTOR_FILLED(ones, z->d, 1.0);
        for (int i = 0; i < z->n; i++) {
            const double *d_X = (double *)w.d_X + i * z->d;
            BECAUSE("A constant added to a row changes nothing, so nothing may be gained by it.");
            EXPECT_NUMBER(0.0, sum_of_products(z->d, d_X, ones), 1e-12);
        }
    }
}

/* The rows are so large that epsilon is nothing beside them. */
static void expect_no_stretch(bool centred) {
    struct random r = random_seed(1005);
    FOR_ALL(shape, z, shapes) {
        struct norm w = random_norm(centred, *z, &r);
        scale_into(z->n * z->d, 1e6, w.X, w.X);
        w = yours_back(obvious(w), 0.0);
        for (int i = 0; i < z->n; i++) {
            const double *d_X = (double *)w.d_X + i * z->d, *X = (double *)w.X + i * z->d;
            BECAUSE("A row that is stretched gives the same, so nothing may be gained by it: d_X "
                    "does not point along X.");
            EXPECT_NUMBER(0.0, sum_of_products(z->d, d_X, X), ROUNDING);
        }
    }
}
OF_BOTH(expect_no_stretch, nothing_is_gained_by_stretching_a_row, nothing_is_gained_by_a_longer_row)

static double loss_of(void *context) {
    const struct norm *w = context;
    run(w);
    return sum_of_products(w->n * w->d, w->out, w->d_out);
}

/* Of a row of one number, the layer norm has no slope. */
static void expect_nudged_norm(bool centred) {
    struct random r = random_seed(1006);
    FOR_ALL(shape, z, shapes) {
        struct norm w = yours_back(random_way_back(centred, *z, &r), 0.0);
        const void *d_X = w.d_X, *d_gain = w.d_gain, *d_bias = w.d_bias;
        w = with_room(w);
        if (!centred || z->d > 1) {
            EXPECT_NUDGED(loss_of, &w, z->n, z->d, w.X, d_X);
            EXPECT_NUDGED(loss_of, &w, 0, z->d, w.gain, d_gain);
        }
        if (centred)
            EXPECT_NUDGED(loss_of, &w, 0, z->d, w.bias, d_bias);
    }
}
OF_BOTH(expect_nudged_norm, all_gradients_of_a_layer_norm_are_what_nudging_measures,
        all_gradients_of_an_rms_norm_are_what_nudging_measures)

static void expect_random_back(bool centred) {
    struct random r = random_seed(1008);
    FOR_ALL(shape, z, shapes)
    EXPECT_BACK(random_way_back(centred, *z, &r), 10.0);
}
OF_BOTH(expect_random_back, all_gradients_of_a_layer_norm_are_added_to_what_is_there,
        all_gradients_of_an_rms_norm_are_added_to_what_is_there)

static void expect_no_statics_back(bool centred) {
    struct random r = random_seed(1009);
    const struct norm w = with_gradients(random_way_back(centred, shapes[0], &r), 0.0),
                      other = with_gradients(random_way_back(centred, shapes[1], &r), 0.0);
    EXPECT_NOTHING_KEPT(run_back(&w), run_back(&other));
}
OF_BOTH(expect_no_statics_back, two_threads_may_go_back_at_once,
        two_threads_may_go_back_by_squares_at_once)

const struct lesson_test norm_tests[] = {
    TEST(layer_norm, the_worked_rows_are_brought_to_one_size),
    TEST(layer_norm, each_number_has_a_gain_and_a_bias_of_its_own),
    TEST(layer_norm, a_row_of_equal_numbers_gives_the_bias),
    TEST(layer_norm, a_row_of_almost_equal_numbers_stays_small),
    TEST(layer_norm, adding_a_constant_to_a_row_changes_nothing),
    TEST(layer_norm, stretching_a_row_changes_next_to_nothing),
    TEST(layer_norm, a_row_of_one_number_gives_the_bias),
    TEST(layer_norm, random_rows_agree_with_the_obvious_layer_norm),
    TEST(layer_norm, two_threads_may_norm_at_once),

    TEST(layer_norm_backward, the_worked_row_goes_back_without_two_means),
    TEST(layer_norm_backward, both_means_are_of_what_has_passed_the_gain),
    TEST(layer_norm_backward, the_rows_of_d_X_sum_to_zero),
    TEST(layer_norm_backward, nothing_is_gained_by_stretching_a_row),
    TEST(layer_norm_backward, all_gradients_of_a_layer_norm_are_what_nudging_measures),
    TEST(layer_norm_backward, all_gradients_of_a_layer_norm_are_added_to_what_is_there),
    TEST(layer_norm_backward, two_threads_may_go_back_at_once),

    TEST(rms_norm, the_worked_rows_keep_their_mean),
    TEST(rms_norm, each_number_has_a_gain_of_its_own),
    TEST(rms_norm, zeros_stay_zeros_and_small_rows_small),
    TEST(rms_norm, rows_of_any_size_are_brought_to_one_size),
    TEST(rms_norm, random_rows_agree_with_the_obvious_rms_norm),
    TEST(rms_norm, two_threads_may_norm_by_squares_at_once),

    TEST(rms_norm_backward, the_worked_row_goes_back_without_one_mean),
    TEST(rms_norm_backward, the_mean_is_of_what_has_passed_the_gain),
    TEST(rms_norm_backward, nothing_is_gained_by_a_longer_row),
    TEST(rms_norm_backward, all_gradients_of_an_rms_norm_are_what_nudging_measures),
    TEST(rms_norm_backward, all_gradients_of_an_rms_norm_are_added_to_what_is_there),
    TEST(rms_norm_backward, two_threads_may_go_back_by_squares_at_once),
    END_OF_TESTS,
};
