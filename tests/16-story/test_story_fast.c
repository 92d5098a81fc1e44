/* Tests of lesson 16: products of a matrix and a vector in floats and in bytes. */
#include "story.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "observed.h"
#include "random.h"
#include "statics.h"
#include "work.h"

#include "../whole_numbers.h"

#define EXACTLY 0.0

static void *random_floats(const char *name, int rows, int cols, struct random *r) {
    float *x = floats_new(name, dims_of_rows(rows, cols));
    for (int i = 0; i < (rows ? rows : 1) * cols; i++)
        x[i] = (float)random_normal(r);
    return x;
}

/* matrix_vector */

static void expect_product(int line, int n, int d, const float W[n][d], const float *x) {
    NEW_VECTOR_FILLED(expected, n, 0.0);
    NEW_FLOAT_VECTOR(out, n);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < d; c++)
            expected[r] += (double)W[r][c] * (double)x[c];
    matrix_vector(n, d, W, x, out);
    BECAUSE("n = %d and d = %d here.", n, d);
    expect_floats(line, "out", dims_of_rows(0, n), expected, out, 1e-5 * sqrt(d));
}

TEST(matrix_vector, the_worked_rows_have_these_products) {
    NEW_FLOAT_MATRIX_OF(W, 2, 3, {1, 2, 3}, {-1, 0, 0.5});
    const float *x = *(float(*)[3])floats_copy("x", dims_of_rows(0, 3), (float[3]){2, 1, -4});
    NEW_FLOAT_VECTOR(out, 2);
    matrix_vector(2, 3, W, x, out);
    BECAUSE("1 * 2 + 2 * 1 + 3 * -4 is -8, and -1 * 2 + 0.5 * -4 is -4.");
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(-8, -4), out, EXACTLY);
}

TEST(matrix_vector, products_of_any_sizes_are_right) {
    static const int sizes[][2] = {{1, 1},  {3, 1},   {1, 5},   {4, 7},    {17, 16},
                                   {9, 33}, {2, 300}, {70, 60}, {3, 2500}, {5, 4}};
    struct random r = random_seed(1670);
    for (int i = 0; i < 10; i++) {
        matrix_free_all();
        const int n = sizes[i][0], d = sizes[i][1];
        const float(*W)[d] = random_floats("W", n, d, &r);
        expect_product(__LINE__, n, d, W, random_floats("x", 0, d, &r));
    }
}

/* Many rows, so that the numbers AHEAD lie inside of W for most of them. */
TEST(matrix_vector, nothing_after_the_last_row_is_read) {
    struct random r = random_seed(1671);
    const float(*W)[24] = random_floats("W", 200, 24, &r);
    expect_product(__LINE__, 200, 24, W, random_floats("x", 0, 24, &r));
}

/* The loop over the rows is the outer one: out[0] is complete long before the last number. */
TEST(matrix_vector, it_goes_along_each_row_of_W) {
    enum { N = 20, D = 60 };
    struct random r = random_seed(1672);
    const float(*W)[D] = random_floats("W", N, D, &r), *x = random_floats("x", 0, D, &r);
    NEW_FLOAT_VECTOR(out, N);
    for (int i = 0; i < N; i++)
        out[i] = 0.0f;
    const unsigned long before = work_done; /* which stays if the compiler cannot count */
    work_watch(N, out);
    matrix_vector(N, D, W, x, out);
    work_watch(0, NULL);
    BECAUSE("You read W column by column. Let the loop over the rows be the outer one, because the "
            "numbers of a row are side by side in memory.");
    EXPECT_THAT(work_done == before || observed().ended_apart > D,
                "out[0] is not complete before out[%d] begins", N - 1);
}

TEST(matrix_vector, two_threads_may_multiply_at_once) {
    struct random r = random_seed(1673);
    const float(*W)[5] = random_floats("W", 4, 5, &r),
          (*other)[3] = random_floats("other", 2, 3, &r);
    const float *x = random_floats("x", 0, 5, &r);
    NEW_FLOAT_VECTOR(out, 4);
    EXPECT_NOTHING_KEPT(matrix_vector(2, 3, other, x, out), matrix_vector(4, 5, W, x, out));
}

/* quantize */

/* What a report shows of q in place of its bytes. */
static double *show_q(int n, const int8_t *bytes) {
    NEW_VECTOR(q, n);
    for (int i = 0; i < n; i++)
        q[i] = bytes[i];
    return q;
}

/* The numbers, their scale and the sum are as expected. */
static void expect_quantized(int line, int n, const float *x, const double *expected,
                             double expected_scale) {
    int8_t *bytes = bytes_from("q", n, NULL);
    float scale = -1.0f;
    const int sum = quantize(n, x, bytes, &scale);
    const double *q = show_q(n, bytes);
    double right = 0.0;
    for (int i = 0; i < n; i++)
        right += expected[i];
    BECAUSE("The largest magnitude divided by 127. n is %d here.", n);
    expect_numbers(line, "scale", 0, 0, OF(expected_scale), OF((double)scale),
                   expected_scale * 1e-6);
    BECAUSE("The scale is right here: %.7g. Each number should be x divided by the scale, rounded.",
            (double)scale);
    expect_numbers(line, "q", 0, n, expected, q, EXACTLY);
    BECAUSE("All of q is right here.");
    expect_numbers(line, "sum", 0, 0, OF(right), OF(sum), EXACTLY);
}

static const float *floats_of(const char *name, int n, const double *numbers) {
    float *x = floats_new(name, dims_of_rows(0, n));
    for (int i = 0; i < n; i++)
        x[i] = (float)numbers[i];
    return x;
}
#define X_OF(n, ...) floats_of("x", n, OF(__VA_ARGS__))

TEST(quantize, the_worked_numbers_have_a_scale_of_a_hundredth) {
    expect_quantized(__LINE__, 6, X_OF(6, 0.5, -1.27, 0.03, 0, 1, -0.004),
                     OF(50, -127, 3, 0, 100, 0), 0.01);
}

TEST(quantize, the_largest_magnitude_becomes_127) {
    expect_quantized(__LINE__, 3, X_OF(3, 254, -100, 3), OF(127, -50, 2), 2.0);
    expect_quantized(__LINE__, 3, X_OF(3, 63.5, -20, -1), OF(127, -40, -2), 0.5);
    expect_quantized(__LINE__, 1, X_OF(1, -3), OF(-127), 3.0 / 127.0);
}

TEST(quantize, numbers_are_rounded_to_the_nearest) {
    expect_quantized(__LINE__, 6, X_OF(6, 127, 1.4, 1.6, -1.4, -1.6, 0.4), OF(127, 1, 2, -1, -2, 0),
                     1.0);
}

TEST(quantize, halves_are_rounded_away_from_0) {
    expect_quantized(__LINE__, 7, X_OF(7, 127, 2.5, -2.5, 0.5, -0.5, 1.5, 120.5),
                     OF(127, 3, -3, 1, -1, 2, 121), 1.0);
}

TEST(quantize, if_all_are_0_so_are_the_scale_and_the_sum) {
    expect_quantized(__LINE__, 4, X_OF(4, 0, 0, 0, 0), OF(0, 0, 0, 0), 0.0);
    expect_quantized(__LINE__, 2, X_OF(2, 0.0, -0.0), OF(0, 0), 0.0);
}

TEST(quantize, tiny_and_huge_numbers_have_a_scale_too) {
    expect_quantized(__LINE__, 3, X_OF(3, 1.27e-30, -0.5e-30, 1e-33), OF(127, -50, 0), 1e-32);
    expect_quantized(__LINE__, 3, X_OF(3, 1.27e38, 0.5e38, -1e30), OF(127, 50, 0), 1e36);
}

/* The error is at most half a step, and a little more by rounding. */
TEST(quantize, random_numbers_are_off_by_half_a_step_at_most) {
    struct random r = random_seed(1680);
    for (int n = 1; n <= GROUP; n += n < 6 ? 1 : 13) {
        matrix_free_all();
        const float *x = random_floats("x", 0, n, &r);
        int8_t *q = bytes_from("q", n, NULL);
        float scale = -1.0f, largest = 0.0f;
        int sum = 0;
        const int given = quantize(n, x, q, &scale);
        show_q(n, q);
        for (int i = 0; i < n; i++) {
            const double off = x[i] - (double)scale * q[i];
            EXPECT_THAT(fabs(off) <= 0.5001 * (double)scale,
                        "x[%d] is %.6f, and q[%d] times the scale is %.6f; they differ by more "
                        "than half of the scale, %.6f",
                        i, (double)x[i], i, (double)scale * q[i], (double)scale);
            largest = fmaxf(largest, fabsf(x[i]));
            sum += q[i];
        }
        EXPECT_NUMBER((double)largest / 127.0, (double)scale, 1e-7);
        EXPECT_NUMBER(sum, given, EXACTLY);
    }
}

TEST(quantize, no_call_keeps_a_scale) {
    const float *x = X_OF(4, 1, 2, 3, 4);
    int8_t *q = bytes_from("q", 4, NULL);
    float scale = 0.0f;
    EXPECT_NOTHING_KEPT(quantize(3, x, q, &scale), quantize(4, x, q, &scale));
}

/* matrix_vector_int8 */

/* A matrix in bytes and a quantized vector. */
struct bytes {
    int blocks, groups;
    void *W, *scales;
    int8_t (*x)[GROUP];
    float *x_scale;
    int *x_sum;
};

/* Number i of group g of a row, and of x. Rows and columns beyond the matrix are 0. */
typedef int number_of(struct random *r);

static int any_number(struct random *r) {
    return random_below(r, 255) - 127;
}
static int largest_number(struct random *r) {
    return random_below(r, 2) ? 127 : -127;
}
static int only_127(struct random *r) {
    (void)r;
    return 127;
}

/* The weights of row r, as the header says where they lie. */
static void put_row(const struct bytes *m, int row, number_of *number, struct random *r, int *q) {
    byte(*W)[m->groups][GROUP / TOGETHER][PIECE] = m->W;
    const int b = row / WIDTH, l = row % WIDTH;
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < GROUP; i++) {
            q[g * GROUP + i] = number(r);
            W[b][g][i / TOGETHER][l * TOGETHER + i % TOGETHER] = (byte)(q[g * GROUP + i] + SHIFT);
        }
}

static double row_times_x(const struct bytes *m, int row, const int *q) {
    const float(*scales)[m->groups][WIDTH] = m->scales;
    double sum = 0.0;
    for (int g = 0; g < m->groups; g++) {
        int dot = 0;
        for (int i = 0; i < GROUP; i++)
            dot += q[g * GROUP + i] * m->x[g][i];
        sum += (double)scales[row / WIDTH][g][row % WIDTH] * (double)m->x_scale[g] * dot;
    }
    return sum;
}

static struct bytes empty_bytes(int blocks, int groups, struct random *r) {
    struct bytes m = {blocks, groups, .W = bytes_from("W", blocks * groups * GROUP * WIDTH, NULL)};
    m.scales = random_floats("scales", blocks * groups, WIDTH, r);
    m.x = bytes_from("x", groups * GROUP, NULL);
    m.x_scale = random_floats("x_scale", 0, groups, r);
    m.x_sum = new_words("x_sum", groups);
    return m;
}

/* What a report shows of x in place of its bytes. */
static void show_x(const struct bytes *m) {
    NEW_MATRIX(x, m->groups, GROUP);
    NEW_VECTOR(x_sum, m->groups);
    for (int g = 0; g < m->groups; g++) {
        x_sum[g] = m->x_sum[g];
        for (int i = 0; i < GROUP; i++)
            x[g][i] = m->x[g][i];
    }
}

static void draw_x(const struct bytes *m, number_of *number, struct random *r) {
    for (int g = 0; g < m->groups; g++) {
        m->x_sum[g] = 0;
        for (int i = 0; i < GROUP; i++) {
            m->x[g][i] = (int8_t)number(r);
            m->x_sum[g] += m->x[g][i];
        }
    }
    show_x(m);
}

static void multiply(const struct bytes *m, void *out) {
    matrix_vector_int8(m->blocks, m->groups, m->W, m->scales, m->x, m->x_scale, m->x_sum, out);
}

static void expect_bytes(int line, int blocks, int groups, number_of *number, struct random *r) {
    const struct bytes m = empty_bytes(blocks, groups, r);
    int *q = new_words("of_the_test", groups * GROUP);
    NEW_MATRIX(expected, blocks, WIDTH);
    draw_x(&m, number, r);
    NEW_FLOAT_MATRIX(out, blocks, WIDTH);
    for (int row = 0; row < blocks * WIDTH; row++) {
        put_row(&m, row, number, r, q);
        expected[row / WIDTH][row % WIDTH] = row_times_x(&m, row, q);
    }
    multiply(&m, out);
    BECAUSE("blocks = %d and groups = %d here. On this machine TOGETHER is %d and SHIFT is %d.",
            blocks, groups, TOGETHER, SHIFT);
    expect_floats(line, "out", dims_of_rows(blocks, WIDTH), expected, out,
                  1e-6 * groups * GROUP * 127 * 127);
}

/* Row r is r times 1, 2, ..., GROUP, and x is 1 everywhere. */
TEST(matrix_vector_int8, the_worked_bytes_have_these_products) {
    struct random r = random_seed(1690);
    const struct bytes m = empty_bytes(1, 1, &r);
    byte(*W)[GROUP / TOGETHER][PIECE] = m.W;
    float(*scales)[WIDTH] = m.scales;
    NEW_MATRIX(expected, 1, WIDTH);
    draw_x(&m, only_127, &r);
    m.x_scale[0] = 1.0f / 127.0f;
    NEW_FLOAT_MATRIX(out, 1, WIDTH);
    for (int row = 0; row < WIDTH; row++) {
        int8_t q[GROUP];
        for (int i = 0; i < GROUP; i++)
            q[i] = (int8_t)(row - 4 * (i % 2));
        put_group(row, q, W[0]);
        scales[0][row] = 0.5f;
        expected[0][row] = 0.5 * GROUP * (row - 2);
    }
    multiply(&m, out);
    BECAUSE("Row r of W has the numbers r and r - 4 in turn, with a scale of .5. All of x is 1, "
            "because q is 127 with a scale of 1 / 127. So out[0][r] is .5 * %d * (r - 2).",
            GROUP);
    EXPECT_FLOATS(dims_of_rows(1, WIDTH), expected, out, FOUR_DECIMALS);
}

TEST(matrix_vector_int8, each_group_has_its_own_scales) {
    struct random r = random_seed(1691);
    expect_bytes(__LINE__, 1, 3, any_number, &r);
}

TEST(matrix_vector_int8, each_block_has_its_own_rows) {
    struct random r = random_seed(1692);
    expect_bytes(__LINE__, 3, 1, any_number, &r);
}

TEST(matrix_vector_int8, matrices_of_any_size_agree_with_sums_of_ints) {
    struct random r = random_seed(1693);
    for (int blocks = 1; blocks <= 4; blocks++)
        for (int groups = 1; groups <= 9; groups += 4) {
            matrix_free_all();
            expect_bytes(__LINE__, blocks, groups, any_number, &r);
        }
}

TEST(matrix_vector_int8, sums_of_the_largest_numbers_do_not_overflow) {
    struct random r = random_seed(1694);
    expect_bytes(__LINE__, 2, 2, only_127, &r);
    expect_bytes(__LINE__, 2, 3, largest_number, &r);
}

TEST(matrix_vector_int8, two_threads_may_multiply_bytes_at_once) {
    struct random r = random_seed(1695);
    const struct bytes m = empty_bytes(2, 3, &r), other = empty_bytes(1, 2, &r);
    draw_x(&m, any_number, &r);
    draw_x(&other, any_number, &r);
    NEW_FLOAT_MATRIX(out, 2, WIDTH);
    NEW_FLOAT_MATRIX(out_of_other, 1, WIDTH);
    EXPECT_NOTHING_KEPT(multiply(&other, out_of_other), multiply(&m, out));
}
