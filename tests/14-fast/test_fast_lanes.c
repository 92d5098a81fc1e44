/* Lesson 14: the tests of powers of 2, of the kernel, and of a tile of flash attention. */
#include "../passes.h"

#include <float.h>
#include <stdio.h>

/* exp2_lanes */

/* Of any count of numbers, WIDTH at a time. */
static float *powers_of(int count, const float x[count]) {
    float *powers = floats_new("powers", dims_of_rows(0, count)), some[WIDTH];
    for (int i = 0; i < count; i += WIDTH) {
        const int n = count - i < WIDTH ? count - i : WIDTH;
        for (int l = 0; l < WIDTH; l++)
            some[l] = x[i + (l < n ? l : 0)];
        store(exp2_lanes(load(some)), some);
        memcpy(powers + i, some, (size_t)n * sizeof(float));
    }
    return powers;
}

TEST(exp2_lanes, the_worked_powers_come_out) {
    static const float x[] = {0, -1, -0.5f, -0.25f, -1.75f, -3, -10};
    NEW_VECTOR_OF(wanted, 7, 1, 0.5, 0.7071, 0.8409, 0.2973, 0.125, 0.0010);
    const float *powers = powers_of(7, x);
    BECAUSE("2 to the power of 0, -1, -0.5, -0.25, -1.75, -3, -10.");
    EXPECT_FLOATS(dims_of_rows(0, 7), wanted, powers, FOUR_DECIMALS);
}

TEST(exp2_lanes, two_to_the_0_is_1_to_the_last_bit) {
    static const float x[] = {0, -0.0f};
    const float *powers = powers_of(2, x);
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(1, 1), powers, 0.0);
}

TEST(exp2_lanes, powers_are_right_to_3_in_ten_million_down_to_minus_126) {
    enum { STEPS = 6000 };
    struct random r = random_seed(1420);
    float *x = floats_new("x", dims_of_rows(0, STEPS));
    for (int i = 0; i < STEPS; i++)
        x[i] = i < 400   ? -(float)i / 128
               : i < 500 ? 374 - (float)i
                         : -(float)(126 * random_uniform(&r));
    const float *powers = powers_of(STEPS, x);
    for (int i = 0; i < STEPS; i++) {
        const double wanted = exp2((double)x[i]), off = fabs((double)powers[i] / wanted - 1.0);
        BECAUSE_IF(
            !(off <= 3e-7),
            "The coefficients of the text are for a rest from -0.5 to 0.5, as rounding to the "
            "nearest integer gives it. The power series up to degree 5 has a relative error "
            "of 3e-6 at -0.5.");
        EXPECT_THAT(off <= 3e-7,
                    "2 to the power of %.7g has a relative error of %.1e, and 3e-7 is allowed",
                    (double)x[i], off);
    }
}

TEST(exp2_lanes, results_that_are_too_small_are_exactly_0) {
    static const float x[] = {-127, -127.5f, -128, -149, -1000, -1e10f, -FLT_MAX, -INFINITY};
    const double *wanted = zeros(dims_of_rows(0, 8));
    const float *powers = powers_of(8, x);
    BECAUSE(
        "A hidden key needs a weight of exactly 0, because 1e-38 times a large value is not 0.");
    EXPECT_FLOATS(dims_of_rows(0, 8), wanted, powers, 0.0);
}

TEST(exp2_lanes, NaN_stays_in_its_lane) {
    for (int at = 0; at < WIDTH; at++) {
        float x[WIDTH] = {0};
        x[at] = NAN;
        store(exp2_lanes(load(x)), x);
        for (int l = 0; l < WIDTH; l++)
            EXPECT_THAT(
                l == at ? isnan(x[l]) : x[l] == 1.0f,
                "lane %d of %d is NaN and the others are 0, but the result in lane %d is %s", at,
                WIDTH, l, isnan(x[l]) ? "NaN" : "another number");
    }
}

/* to_lanes */

TEST(to_lanes, the_worked_rows_lie_in_lanes) {
    NEW_FLOAT_MATRIX_OF(from, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(wanted, 3, 4, {0.5, 2, 0, 0}, {1, 2.5, 0, 0}, {1.5, 3, 0, 0});
    NEW_FLOAT_MATRIX(to, 3, 4);
    to_lanes(2, 3, 4, 0.5f, from, to);
    BECAUSE("Two rows of three numbers, times 0.5, in four lanes. Row 0 belongs in lane 0.");
    EXPECT_FLOATS(dims_of_rows(3, 4), wanted, to, 0.0);
}

TEST(to_lanes, any_rows_lie_in_any_lanes) {
    static const struct {
        int rows, d, lanes;
    } sizes[] = {{LANES + 3, 256, WIDE}, {WIDE - 1, 5, WIDE},
                 {LANES, 9, LANES},      {5, 2, 7},
                 {1, 6, LANES},          {1, 1, 1}};
    struct random r = random_seed(1421);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int rows = sizes[k].rows, d = sizes[k].d, lanes = sizes[k].lanes;
        const float(*from)[d] = random_floats("from", dims_of_rows(rows, d), 2, &r);
        double(*wanted)[lanes] = (void *)zeros(dims_of_rows(d, lanes));
        NEW_FLOAT_MATRIX(to, d, lanes);
        for (int i = 0; i < rows; i++)
            for (int c = 0; c < d; c++)
                wanted[c][i] = 0.25 * (double)from[i][c];
        to_lanes(rows, d, lanes, 0.25f, from, to);
        BECAUSE("%d rows of %d numbers, times 0.25, in %d lanes.", rows, d, lanes);
        EXPECT_FLOATS(dims_of_rows(d, lanes), wanted, to, 0.0);
    }
}

/* products and add_products */

typedef void kernel(int n, int step, int d_b, int d_c, const float *const a[ROWS],
                    const float b[n][d_b], float c[ROWS][d_c]);

/* Whole numbers, so the order of the additions does not matter. */
static float *whole_numbers(const char *name, int count, int seed) {
    float *x = floats_new(name, dims_of_rows(0, count));
    for (int i = 0; i < count; i++)
        x[i] = (float)((seed + 7 * i) % 11 - 5);
    return x;
}

/* a[r] is a row of a matrix (step 1) or a column. */
static void expect_kernel(kernel *run, bool adds, int n, int step, int d_b, int d_c) {
    const int spread = step == 1 ? n : 1;
    const float *m = whole_numbers("a", (n - 1) * step + (ROWS - 1) * spread + 1, n), *a[ROWS];
    const float(*b)[d_b] = (void *)whole_numbers("b", n * d_b, step);
    double(*wanted)[d_c] = (void *)zeros(dims_of_rows(ROWS, d_c));
    NEW_FLOAT_MATRIX(c, ROWS, d_c);
    for (int r = 0; r < ROWS; r++) {
        a[r] = m + r * spread;
        for (int l = 0; l < d_c; l++) {
            wanted[r][l] = l >= LANES ? 9 : adds ? 7 + r - 3 * l : 0;
            if (adds || l >= LANES)
                c[r][l] = (float)wanted[r][l];
            for (int k = 0; k < n && l < LANES; k++)
                wanted[r][l] += (double)a[r][k * step] * (double)b[k][l];
        }
    }
    run(n, step, d_b, d_c, a, b, c);
    BECAUSE(
        "n is %d, step %d, LANES %d. a[r] has its numbers at 0, %d, 2 * %d and so on, %d of them. "
        "The rows of b have %d numbers, and those of c have %d.%s",
        n, step, LANES, step, step, n, d_b, d_c,
        d_c > LANES ? " From column LANES on, c contained 9, and should not change." : "");
    EXPECT_FLOATS(dims_of_rows(ROWS, d_c), wanted, c, 0.0);
}

/* c[r][l] = 1 (10 + l) + r (20 - l). */
static void expect_worked_kernel(kernel *run, float held) {
    float(*rows)[2] = (void *)floats_new("a", dims_of_rows(ROWS, 2));
    const float *a[ROWS];
    NEW_FLOAT_MATRIX(b, 2, LANES);
    NEW_MATRIX(wanted, ROWS, LANES);
    NEW_FLOAT_MATRIX(c, ROWS, LANES);
    for (int r = 0; r < ROWS; r++) {
        a[r] = rows[r];
        rows[r][0] = 1;
        rows[r][1] = (float)r;
        for (int l = 0; l < LANES; l++) {
            b[0][l] = (float)(10 + l);
            b[1][l] = (float)(20 - l);
            wanted[r][l] = (double)held + 10 + l + r * (20 - l);
            if (held > 0)
                c[r][l] = held;
        }
    }
    run(2, 1, LANES, LANES, a, b, c);
    BECAUSE("Row r of a is 1, r. The rows of b are 10, 11, 12, ... and 20, 19, 18, ... So c[r][l] "
            "should be %s1 (10 + l) + r (20 - l).",
            held > 0 ? "the old 100 plus " : "");
    EXPECT_FLOATS(dims_of_rows(ROWS, LANES), wanted, c, 0.0);
}

static void expect_all_kernels(kernel *run, bool adds) {
    expect_kernel(run, adds, 5, 1, LANES, LANES);
    expect_kernel(run, adds, 1, 1, LANES, LANES);
    expect_kernel(run, adds, 3, ROWS, LANES, LANES);
    expect_kernel(run, adds, 6, ROWS + 3, LANES + 2, LANES);
    expect_kernel(run, adds, 4, 1, LANES, LANES + 1);
    expect_kernel(run, adds, 7, ROWS + 1, WIDE, LANES + 5);
    expect_kernel(run, adds, 256, 1, WIDE, WIDE);
}

/* As at the end of a matrix, where the last row is used again. */
static void expect_rows_once_more(kernel *run, bool adds) {
    const float *row = floats_copy("a", dims_of_rows(0, 3), (float[]){1, 2, 3}), *a[ROWS];
    const float(*b)[LANES] = (void *)whole_numbers("b", 3 * LANES, 0);
    NEW_MATRIX(wanted, ROWS, LANES);
    NEW_FLOAT_MATRIX(c, ROWS, LANES);
    for (int r = 0; r < ROWS; r++) {
        a[r] = row;
        for (int l = 0; l < LANES; l++) {
            c[r][l] = (float)r;
            wanted[r][l] = (adds ? r : 0) + (double)(b[0][l] + 2 * b[1][l] + 3 * b[2][l]);
        }
    }
    run(3, 1, LANES, LANES, a, b, c);
    BECAUSE("All rows of a are the same here: 1, 2, 3.");
    EXPECT_FLOATS(dims_of_rows(ROWS, LANES), wanted, c, 0.0);
}

TEST(products, the_worked_products_are_right) {
    expect_worked_kernel(products, 0);
}
TEST(products, products_of_any_sizes_are_right) {
    expect_all_kernels(products, false);
}
TEST(products, products_replace_the_old_content_of_c) {
    expect_rows_once_more(products, false);
}
TEST(add_products, the_worked_products_are_added) {
    expect_worked_kernel(add_products, 100);
}
TEST(add_products, products_of_any_sizes_are_added) {
    expect_all_kernels(add_products, true);
}
TEST(add_products, each_row_is_added_to_its_own_row) {
    expect_rows_once_more(add_products, true);
}

/* softmax_tile and attend_tile */

static const double log2_e = 1.4426950408889634;

/* A block whose every number is NaN. */
static struct block unset_block(void) {
    struct block block;
    memset(&block, 0xff, sizeof block);
    return block;
}

static float lane(const vec x[VECTORS], int l) {
    return x[l / WIDTH][l % WIDTH];
}

/* Says how many lanes were right. */
static const char *lanes_before(int l) {
    static char text[40];
    snprintf(text, sizeof text, "The first %d lanes are right. ", l);
    return l > 0 ? text : "";
}

/* The second tile of the text. In lane l all scores are higher by l. */
TEST(softmax_tile, the_worked_tile_is_right) {
    struct block block = unset_block();
    vec max[VECTORS];
    NEW_FLOAT_MATRIX(scores, 2, LANES);
    for (int l = 0; l < LANES; l++) {
        max[l / WIDTH][l % WIDTH] = (float)(log2_e * (5 + l));
        block.max[l / WIDTH][l % WIDTH] = (float)(log2_e * (2 + l));
        block.sum[l / WIDTH][l % WIDTH] = 1.3679f;
        block.acc[0][l] = 23.6788f;
        scores[0][l] = (float)(log2_e * (5 + l));
        scores[1][l] = (float)(log2_e * l);
    }
    softmax_tile(2, 1, max, scores, &block);
    for (int l = 0; l < LANES; l++) {
        const float weights[] = {scores[0][l], scores[1][l]}, sum[] = {lane(block.sum, l)};
        const float acc[] = {block.acc[0][l]}, highest[] = {lane(block.max, l)};
        BECAUSE(
            "%sLane %d: the new maximum is the first score of the tile, and the second score is "
            "lower by %.4f. So the weights are 1 and 2 to the power of -%.4f.",
            lanes_before(l), l, 5 * log2_e, 5 * log2_e);
        EXPECT_FLOATS(dims_of_rows(0, 2), OF(1, 0.0067), weights, FOUR_DECIMALS);
        BECAUSE(
            "%sLane %d: acc was 23.6788 and the maximum rises by d = %.4f. So acc is multiplied "
            "by 2 to the power of -d, which gives 1.1789. No value is added yet.",
            lanes_before(l), l, 3 * log2_e);
        EXPECT_FLOATS(dims_of_rows(0, 1), OF(1.1789), acc, FOUR_DECIMALS);
        BECAUSE("%sLane %d: the sum was 1.3679. Times 2 to the power of -%.4f it is 0.0681, and "
                "1.0067 is added.",
                lanes_before(l), l, 3 * log2_e);
        EXPECT_FLOATS(dims_of_rows(0, 1), OF(1.0748), sum, FOUR_DECIMALS);
        BECAUSE("%sblock->max of this lane should be the new maximum, which is in max.",
                lanes_before(l));
        EXPECT_FLOATS(dims_of_rows(0, 1), OF(log2_e * (5 + l)), highest, 1e-5);
    }
}

TEST(softmax_tile, a_lane_that_has_seen_no_key_has_a_sum_of_0) {
    struct block block = unset_block();
    vec max[VECTORS];
    NEW_FLOAT_MATRIX(scores, 3, LANES);
    for (int l = 0; l < LANES; l++) {
        max[l / WIDTH][l % WIDTH] = block.max[l / WIDTH][l % WIDTH] = l % 2 ? -FLT_MAX : 3;
        block.sum[l / WIDTH][l % WIDTH] = block.acc[0][l] = block.acc[1][l] = l % 2 ? 0 : 5;
        for (int j = 0; j < 3; j++)
            scores[j][l] = -INFINITY;
    }
    softmax_tile(3, 2, max, scores, &block);
    for (int l = 0; l < LANES; l++) {
        const float sum[] = {lane(block.sum, l)}, acc[] = {block.acc[0][l], block.acc[1][l]};
        const double wanted = l % 2 ? 0 : 5;
        BECAUSE("All scores are hidden. Odd lanes had seen no key before, and even ones had a sum "
                "of 5.");
        EXPECT_FLOATS(dims_of_rows(0, 1), &wanted, sum, 0.0);
        EXPECT_FLOATS(dims_of_rows(0, 2), OF(wanted, wanted), acc, 0.0);
        for (int j = 0; j < 3; j++)
            EXPECT_THAT(scores[j][l] == 0.0f, "a hidden score has a weight other than 0 in lane %d",
                        l);
    }
}

static void expect_softmax(int n, int d_v, struct random *r) {
    struct block block = unset_block();
    vec max[VECTORS];
    float(*scores)[LANES] = random_floats("scores", dims_of_rows(n, LANES), 4, r);
    double weights[9][LANES], sums[LANES], acc[9][LANES];
    for (int l = 0; l < LANES; l++) {
        const float before = (float)(8 * random_uniform(r) - 4), highest = 4 + (float)(l % 3);
        const double shrunk = exp2((double)(before - highest));
        max[l / WIDTH][l % WIDTH] = highest;
        block.max[l / WIDTH][l % WIDTH] = before;
        block.sum[l / WIDTH][l % WIDTH] = (float)(l + 1);
        sums[l] = (l + 1) * shrunk;
        for (int c = 0; c < d_v; c++) {
            block.acc[c][l] = (float)(l - c);
            acc[c][l] = (l - c) * shrunk;
        }
        for (int j = 0; j < n; j++)
            sums[l] += weights[j][l] = exp2((double)(scores[j][l] - highest));
    }
    softmax_tile(n, d_v, max, scores, &block);
    BECAUSE("scores[j][l] should become 2 to the power of scores[j][l] - max of lane l.");
    EXPECT_FLOATS(dims_of_rows(n, LANES), weights, scores, 1e-5);
    const float *sum = (const float *)block.sum, *acc_of = block.acc[0];
    BECAUSE(
        "scores are right. Number l is the sum of lane l: the old sum, l + 1, times the factor, "
        "plus %d weights.",
        n);
    EXPECT_FLOATS(dims_of_rows(0, LANES), sums, sum, 1e-4);
    BECAUSE(
        "scores and sum are right. These are the first %d rows of acc, and the columns are lanes. "
        "Each number is multiplied by the factor of its lane.",
        d_v);
    EXPECT_FLOATS(dims_of_rows(d_v, LANES), acc, acc_of, 1e-4);
    EXPECT_THAT(isnan(block.acc[d_v][0]), "row %d of acc has changed, but d_v is %d", d_v, d_v);
}

TEST(softmax_tile, each_lane_uses_its_own_numbers) {
    struct random r = random_seed(1422);
    expect_softmax(9, 3, &r);
    expect_softmax(3, 5, &r);
}

/* A block with the queries of the pass, before the first key. */
static struct block start_of(const struct pass *p) {
    struct block block = unset_block();
    const float(*Q)[p->z.d_k] = p->Q;
    memset(block.acc, 0, sizeof block.acc);
    for (int l = 0; l < LANES; l++) {
        block.max[l / WIDTH][l % WIDTH] = -FLT_MAX;
        block.sum[l / WIDTH][l % WIDTH] = 0;
        for (int c = 0; c < p->z.d_k; c++)
            block.q[c][l] = (float)(log2_e / sqrt(p->z.d_k)) * Q[l][c];
    }
    return block;
}

static void expect_attended(const struct pass *p, const struct block *block) {
    const int d_v = p->z.d_v;
    NEW_FLOAT_MATRIX(out, LANES, d_v);
    NEW_FLOAT_VECTOR(lse, LANES);
    for (int l = 0; l < LANES; l++) {
        const float sum = lane(block->sum, l);
        lse[l] = (float)((double)lane(block->max, l) / log2_e) + logf(sum);
        for (int c = 0; c < d_v; c++)
            out[l][c] = sum == 0 ? block->acc[c][l] : block->acc[c][l] / sum;
    }
    BECAUSE("Row l of out is acc of lane l, divided by its sum, and column c is number c of the "
            "values. seen is %d, d_k %d, d_v %d.",
            p->z.seen, p->z.d_k, d_v);
    EXPECT_FLOATS(dims_of_rows(LANES, d_v), p->out, out, near_out(p));
    BECAUSE("out is right. lse[l] is the maximum of lane l plus the logarithm of its sum.");
    EXPECT_FLOATS(dims_of_rows(0, LANES), p->lse, lse, near_lse(p));
}

/* In tiles of n keys. */
static void expect_tiles(struct sizes z, int n, struct random *r) {
    const struct pass p = random_pass(z, 2, r);
    struct block block = start_of(&p);
    const float(*K)[z.d_k] = p.K, (*V)[z.d_v] = p.V;
    for (int tile = 0; tile < z.n_k; tile += n) {
        const int keys = n < z.n_k - tile ? n : z.n_k - tile;
        attend_tile(keys, z.d_k, z.d_v, z.seen - tile, &K[tile], &V[tile], &block);
    }
    expect_attended(&p, &block);
}

TEST(attend_tile, the_worked_keys_are_added_in_two_tiles) {
    struct block block = unset_block();
    static const double sums[] = {1.3679, 1.0748}, acc[] = {23.6788, 31.4484};
    NEW_FLOAT_MATRIX_OF(K, 4, 1, {1}, {2}, {5}, {0});
    NEW_FLOAT_MATRIX_OF(V, 4, 1, {10}, {20}, {30}, {40});
    for (int l = 0; l < LANES; l++)
        block.q[0][l] = (float)log2_e;
    for (int v = 0; v < VECTORS; v++) {
        block.max[v] = splat(-FLT_MAX);
        block.sum[v] = splat(0);
    }
    memset(block.acc, 0, sizeof(float[ROWS][LANES]));
    for (int tile = 0; tile < 2; tile++) {
        attend_tile(2, 1, 1, 4, &K[2 * tile], &V[2 * tile], &block);
        const float sum[] = {lane(block.sum, LANES - 1)}, of_value[] = {block.acc[0][LANES - 1]};
        BECAUSE("Tile %d of two. The scores are 1, 2 and then 5, 0, and the values are 10 to 40. "
                "Note that "
                "two keys and one number per value are fewer than ROWS.",
                tile);
        EXPECT_FLOATS(dims_of_rows(0, 1), &sums[tile], sum, FOUR_DECIMALS);
        BECAUSE("The sum of tile %d is right. acc should be %s.", tile,
                tile ? "e^-3 * 23.6788 + 30 + e^-5 * 40" : "e^-1 * 10 + 20");
        EXPECT_FLOATS(dims_of_rows(0, 1), &acc[tile], of_value, FOUR_DECIMALS);
    }
}

TEST(attend_tile, each_lane_sees_one_key_more_than_the_last) {
    struct random r = random_seed(1424);
    static const int seens[] = {1, 0, -3, 1 - LANES, 5, LANES, 2 * LANES - 2};
    for (int i = 0; i < 7; i++)
        expect_tiles((struct sizes){1, 1, LANES, 2 * LANES + 3, 3, 2, seens[i]}, LANES, &r);
}

/* The first lanes do not see the last key. */
TEST(attend_tile, a_hidden_key_changes_no_bit_of_a_lane) {
    struct random r = random_seed(1428);
    const struct pass p = random_pass((struct sizes){1, 1, LANES, ROWS + 2, 2, 1, 2}, 1, &r);
    struct block before = start_of(&p), after = before;
    attend_tile(ROWS + 2, 2, 1, 2, p.K, p.V, &before);
    set_row(2, 1e18f, p.K, ROWS + 1);
    set_row(1, -3e38f, p.V, ROWS + 1);
    attend_tile(ROWS + 2, 2, 1, 2, p.K, p.V, &after);
    const float *acc = after.acc[0];
    BECAUSE("The last of %d keys is 1e18 now and its value -3e38. Lanes 0 to %d do not see it.",
            ROWS + 2, ROWS - 1);
    EXPECT_FLOATS(dims_of_rows(0, ROWS), widened("wanted", dims_of_rows(0, ROWS), before.acc[0]),
                  acc, 0.0);
}

TEST(attend_tile, tiles_of_any_length_are_added) {
    struct random r = random_seed(1423);
    static const int lengths_of_tiles[] = {1, 2, ROWS, ROWS + 1, LANES - 1, KEYS - 1, KEYS};
    for (int i = 0; i < 7; i++) {
        const int n = lengths_of_tiles[i];
        const int d_k = ROWS + 1 + i, d_v = 3 * ROWS + 2 - i;
        expect_tiles((struct sizes){1, 1, LANES, 2 * n + n / 2, d_k, d_v, 3 * n}, n, &r);
        expect_tiles((struct sizes){1, 1, LANES, 2 * n + 1, 2, 3, n - 1}, n, &r);
    }
}

TEST(attend_tile, rows_of_any_width_are_added) {
    struct random r = random_seed(1425);
    for (int i = 0; i < WIDTHS; i++)
        expect_tiles((struct sizes){1, 1, LANES, 5, widths[i][0], widths[i][1], 3}, 4, &r);
}

TEST(attend_tile, a_score_of_NaN_reaches_its_lane) {
    struct random r = random_seed(1426);
    const struct pass p = random_pass((struct sizes){1, 1, LANES, 3, 2, 1, 3}, 1, &r);
    struct block block = start_of(&p);
    block.q[1][LANES - 1] = NAN;
    attend_tile(3, 2, 1, 3, p.K, p.V, &block);
    for (int l = 0; l < LANES; l++)
        EXPECT_THAT(isnan(block.acc[0][l]) == (l == LANES - 1),
                    "the query in lane %d is NaN, and acc of lane %d is %s", LANES - 1, l,
                    isnan(block.acc[0][l]) ? "NaN" : "a number");
}

TEST(attend_tile, two_threads_may_attend_at_once) {
    struct random r = random_seed(1427);
    const struct pass p = random_pass((struct sizes){1, 1, LANES, 3, 2, 1, 3}, 1, &r),
                      other = random_pass((struct sizes){1, 1, LANES, 7, 3, 4, 2}, 1, &r);
    struct block one = start_of(&p), two = start_of(&other);
    EXPECT_NOTHING_KEPT(attend_tile(3, 2, 1, 3, p.K, p.V, &one),
                        attend_tile(7, 3, 4, 2, other.K, other.V, &two));
}
