/* Lesson 14: the tests of flash attention, of its backward pass, and of decode. */
#include "ways.h"

/* flash_attention */

WAY_TESTS(flash)

static const struct sizes grouped[] = {
    {6, 2, 5, 7, 3, 4, 2},          {4, 4, 3, 5, 2, 1, 5},
    {5, 1, LANES + 1, 9, 1, 3, 1},  {8, 4, 2, KEYS + 3, 4, 2, 0},
    {20, 1, 2, 3, 3, 1, 2},         {6, 3, 4 * LANES + 5, 8, 2, 3, -3},
    {2, 1, 3, 2 * LANES, 17, 5, 4}, {3, 3, LANES - 1, 4, 5, 33, 1},
};

TEST(flash_attention, heads_that_share_keys_agree_with_a_simple_reference) {
    struct random r = random_seed(1430);
    FOR_ALL_CASES(struct sizes, z, grouped) {
        const struct pass p = random_pass(*z, 2, &r);
        BECAUSE("%d query heads and %d key heads: heads 0 to %d use key head 0.", z->heads,
                z->kv_heads, z->heads / z->kv_heads - 1);
        expect_agreement(&p, answer(run_flash, &p));
    }
}

TEST(flash_attention, flash_keeps_no_weights) {
    expect_little_room(run_flash);
}

TEST(flash_attention, flash_takes_LANES_queries_at_a_time) {
    static const char *const says =
        "The same bits mean the same steps, so it takes one query after the other. flash_rows() "
        "takes LANES queries at a time.";
    expect_bits_of_its_own(__LINE__, run_flash, run_online, "online_attention", says);
    expect_bits_of_its_own(__LINE__, run_flash, run_tiled, "tiled_attention", says);
}

/* Two heads, each of several pieces. */
TEST(flash_attention, threads_share_out_heads_and_queries) {
    struct random r = random_seed(1431);
    const struct pass other = random_pass((struct sizes){3, 3, 4, 5, 1, 2, 3}, 1, &r);
    const struct pass p =
        random_pass((struct sizes){2, 1, 4 * COMMON_QUERIES - 3, 9, 2, 1, 9}, 1, &r);
    const struct dims dims = of_queries(&p.z, p.z.d_v);
    const struct result first = new_result(&other.z, false), one = new_result(&p.z, false);
    EXPECT_NOTHING_KEPT(run_flash(&p, &one), run_flash(&other, &first));
    unsigned long before = work_done;
    run_flash(&p, &one);
    const unsigned long by_one = work_done - before;
    for (int threads = MOST_THREADS; threads >= THREADS - 1; threads--) {
        const struct result many = new_result(&p.z, false);
        threads_pretend(threads);
        before = work_done;
        run_flash(&p, &many);
        const unsigned long by_all = work_done - before;
        threads_pretend(1);
        expect_threads_apart(
            __LINE__, threads, by_one, by_all,
            "both loops, over the heads and over pieces of COMMON_QUERIES queries");
        expect_same_bits(__LINE__, threads, "out", dims, widened("wanted", dims, one.out),
                         many.out);
        expect_same_bits(__LINE__, threads, "lse", of_rows(&p.z),
                         widened("wanted", of_rows(&p.z), one.lse), many.lse);
    }
}

/* row_dots */

TEST(row_dots, the_worked_rows_have_these_dots) {
    NEW_FLOAT_MATRIX_OF(a, 2, 3, {1, 2, 3}, {0, -1, 2});
    NEW_FLOAT_MATRIX_OF(b, 2, 3, {4, 5, 6}, {9, 1, 0.5f});
    NEW_FLOAT_VECTOR(dots, 2);
    row_dots(2, 3, a, b, dots);
    BECAUSE("Rows of three numbers: 1 * 4 + 2 * 5 + 3 * 6, and 0 * 9 - 1 * 1 + 2 * 0.5.");
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(32, 0), dots, 1e-6);
}

TEST(row_dots, dots_of_any_width_are_right) {
    struct random r = random_seed(1432);
    for (int i = 0; i < WIDTHS; i++) {
        const int n = i + 1, d = widths[i][1];
        const float(*a)[d] = random_floats("a", dims_of_rows(n, d), 2, &r);
        const float(*b)[d] = random_floats("b", dims_of_rows(n, d), 1, &r);
        NEW_VECTOR(wanted, n);
        NEW_FLOAT_VECTOR(dots, n);
        for (int k = 0; k < n; k++)
            wanted[k] = dot_of(d, a[k], b[k]);
        row_dots(n, d, a, b, dots);
        BECAUSE("%d rows of %d numbers.", n, d);
        EXPECT_FLOATS(dims_of_rows(0, n), wanted, dots, 1e-5);
    }
}

/* softmax_tile_backward */

static const double log2_e = 1.4426950408889634;

/* The example of the text, with the scores 1, 2, 5, 0 and the d_weights 10, 20, 30, 40. The other
   lanes contain numbers that must not matter. */
TEST(softmax_tile_backward, the_worked_scores_get_their_gradients) {
    static const float lse[] = {2.3132617f, 5.0658839f, 5.0721724f};
    static const float shared[] = {17.310586f, 29.190943f, 29.258674f};
    NEW_MATRIX_OF(wanted, 3, 4, {0.2689, 0.7311, 0, 0}, {0.0171, 0.0466, 0.9362, 0},
                  {0.0170, 0.0463, 0.9304, 0.0063});
    NEW_MATRIX_OF(wanted_d, 3, 4, {-1.9661, 1.9661, 0, 0}, {-0.3291, -0.4284, 0.7575, 0},
                  {-0.3282, -0.4289, 0.6897, 0.0673});
    NEW_FLOAT_MATRIX(weights, 3, WIDE);
    NEW_FLOAT_MATRIX(d_weights, 3, WIDE);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < WIDE; j++) {
            weights[i][j] = j < 4 ? (float)log2_e * (const float[]){1, 2, 5, 0}[j] : 200;
            d_weights[i][j] = j < 4 ? (float)(10 * (j + 1)) : 1e30f;
        }
    softmax_tile_backward(3, 4, 2, lse, shared, weights, d_weights);
    double(*all)[WIDE] = (void *)zeros(dims_of_rows(3, WIDE));
    double(*all_d)[WIDE] = (void *)zeros(dims_of_rows(3, WIDE));
    for (int i = 0; i < 3; i++) {
        memcpy(all[i], wanted[i], sizeof wanted[i]);
        memcpy(all_d[i], wanted_d[i], sizeof wanted_d[i]);
    }
    BECAUSE(
        "The scores are 1, 2, 5, 0, and query 0 sees the first two keys. From lane 4 on there are "
        "no keys, so the weights are 0.");
    EXPECT_FLOATS(dims_of_rows(3, WIDE), all, weights, FOUR_DECIMALS);
    BECAUSE(
        "weights is right. d_weights was 10, 20, 30, 40, and shared 17.3106, 29.1909, 29.2587.");
    EXPECT_FLOATS(dims_of_rows(3, WIDE), all_d, d_weights, FOUR_DECIMALS);
}

TEST(softmax_tile_backward, a_query_that_sees_no_key_has_no_gradient) {
    static const float lse[] = {-INFINITY, -INFINITY, 1}, shared[] = {0, 0, 2};
    float(*weights)[WIDE] = floats_filled("weights", dims_of_rows(3, WIDE), 0);
    float(*d_weights)[WIDE] = floats_filled("d_weights", dims_of_rows(3, WIDE), 3);
    double(*wanted)[WIDE] = (void *)zeros(dims_of_rows(3, WIDE));
    softmax_tile_backward(3, WIDE, -1, lse, shared, weights, d_weights);
    wanted[2][0] = exp(-1.0);
    BECAUSE("seen is -1, so queries 0 and 1 see no key and their lse is -infinity. Query 2 sees "
            "one key.");
    EXPECT_FLOATS(dims_of_rows(3, WIDE), wanted, weights, 1e-6);
    EXPECT_FLOATS(dims_of_rows(3, WIDE), wanted, d_weights, 1e-6);
}

TEST(softmax_tile_backward, lanes_without_a_key_have_no_weight) {
    static const float lse[] = {0, 0}, shared[] = {1, 1};
    float(*weights)[WIDE] = floats_filled("weights", dims_of_rows(2, WIDE), 0);
    float(*d_weights)[WIDE] = floats_filled("d_weights", dims_of_rows(2, WIDE), 3);
    double(*wanted)[WIDE] = (void *)zeros(dims_of_rows(2, WIDE));
    double(*wanted_d)[WIDE] = (void *)zeros(dims_of_rows(2, WIDE));
    for (int j = 0; j < LANES - 1; j++) {
        wanted[0][j] = wanted[1][j] = 1;
        wanted_d[0][j] = wanted_d[1][j] = 2;
    }
    softmax_tile_backward(2, LANES - 1, 1000, lse, shared, weights, d_weights);
    BECAUSE("There are %d keys, all of them seen, in %d lanes.", LANES - 1, WIDE);
    EXPECT_FLOATS(dims_of_rows(2, WIDE), wanted, weights, 0.0);
    EXPECT_FLOATS(dims_of_rows(2, WIDE), wanted_d, d_weights, 0.0);
}

/* attend_tile_backward */

/* The keys in lanes, as struct back says. All gradients are `held`. */
static void start_of_back(const struct pass *p, float held, struct back *back) {
    const int d_k = p->z.d_k, d_v = p->z.d_v, keys = p->z.n_k;
    const float(*K)[d_k] = p->K, (*V)[d_v] = p->V;
    const double scale = 1 / sqrt(d_k);
    memset(back, 0, sizeof *back);
    for (int l = 0; l < WIDE; l++)
        for (int c = 0; c < WIDEST; c++)
            back->d_k[c][l] = back->d_v[c][l] = held;
    for (int j = 0; j < keys; j++) {
        for (int c = 0; c < d_k; c++) {
            back->k[c][j] = (float)(log2_e * scale * (double)K[j][c]);
            back->rows[c / LANES][j][c % LANES] = (float)(scale * (double)K[j][c]);
        }
        for (int c = 0; c < d_v; c++)
            back->v[c][j] = V[j][c];
    }
}

/* Doubles as floats. */
static float *narrowed(const char *name, struct dims dims, const double *numbers) {
    float *x = floats_new(name, dims);
    for (int i = 0; i < dims_count(dims); i++)
        x[i] = (float)numbers[i];
    return x;
}

static double *dots_of_out(const struct pass *p) {
    double *dots = zeros(of_rows(&p->z));
    for (int i = 0; i < dims_count(of_rows(&p->z)); i++)
        for (int c = 0; c < p->z.d_v; c++)
            dots[i] += p->out[i * p->z.d_v + c] * (double)((float *)p->d_out)[i * p->z.d_v + c];
    return dots;
}

/* Adds the old content. */
static const double *with(double held, struct dims dims, const double *gained) {
    double *all = array_copy("expected", dims, gained);
    for (int i = 0; i < dims_count(dims); i++)
        all[i] += held;
    return all;
}

/* d_k and d_v of the keys as rows. */
static void lanes_as_rows(int keys, int d, double scale, const float from[][WIDE],
                          float to[keys][d]) {
    for (int j = 0; j < keys; j++)
        for (int c = 0; c < d; c++)
            to[j][c] = (float)(1 + scale * ((double)from[c][j] - 1));
}

static void expect_back_of_a_tile(struct sizes z, struct random *r) {
    struct pass p = random_pass(z, 2, r);
    obvious_back(&p);
    struct back back;
    start_of_back(&p, 1, &back);
    const float *lse = narrowed("lse", of_rows(&z), p.lse);
    const float *shared = narrowed("shared", of_rows(&z), dots_of_out(&p));
    const struct dims of_Q = of_queries(&z, z.d_k), of_K = of_keys(&z, z.d_k),
                      of_V = of_keys(&z, z.d_v);
    float(*d_Q)[z.d_k] = floats_filled("d_Q", of_Q, 1);
    attend_tile_backward(z.n_q, z.n_k, z.d_k, z.d_v, z.seen, p.Q, lse, shared, p.d_out, &back, d_Q);
    NEW_FLOAT_MATRIX(d_K, z.n_k, z.d_k);
    NEW_FLOAT_MATRIX(d_V, z.n_k, z.d_v);
    lanes_as_rows(z.n_k, z.d_k, 1 / sqrt(z.d_k), back.d_k, d_K);
    lanes_as_rows(z.n_k, z.d_v, 1, back.d_v, d_V);
    BECAUSE(
        "Row j of d_V is lane j of back->d_v, which contained 1. %d queries, %d keys, seen %d, d_k "
        "%d, d_v %d.",
        z.n_q, z.n_k, z.seen, z.d_k, z.d_v);
    EXPECT_FLOATS(of_V, with(1, of_V, p.d_V), d_V, near_gradient(&p, of_V, p.d_V));
    BECAUSE("d_V is right. Row j of d_K is lane j of back->d_k, which contained 1, without 1 / "
            "sqrt(d_k). %d "
            "queries, %d keys, seen %d, d_k %d, d_v %d.",
            z.n_q, z.n_k, z.seen, z.d_k, z.d_v);
    EXPECT_FLOATS(of_K, with(1, of_K, p.d_K), d_K, near_gradient(&p, of_K, p.d_K));
    BECAUSE("d_K and d_V are right. d_Q contained 1, and d_scores times the keys in back->rows is "
            "added.");
    EXPECT_FLOATS(of_Q, with(1, of_Q, p.d_Q), d_Q, near_gradient(&p, of_Q, p.d_Q));
}

TEST(attend_tile_backward, the_worked_tile_gets_its_gradients) {
    struct pass p = worked_pass();
    struct back back;
    const float *lse = narrowed("lse", of_rows(&p.z), p.lse);
    const float *shared = narrowed("shared", of_rows(&p.z), dots_of_out(&p));
    NEW_FLOAT_VECTOR(d_k, 4);
    NEW_FLOAT_VECTOR(d_v, 4);
    float *d_Q = floats_filled("d_Q", dims_of_rows(0, 3), 0);
    start_of_back(&p, 0, &back);
    attend_tile_backward(3, 4, 1, 2, 2, p.Q, lse, shared, p.d_out, &back, (void *)d_Q);
    memcpy(d_k, back.d_k, sizeof(float[4]));
    memcpy(d_v, back.d_v, sizeof(float[4]));
    BECAUSE("d_out is 1 for the first number of query 2, whose weights are 0.0170, 0.0463, 0.9304, "
            "0.0063. Note that three queries and two numbers per value are fewer than ROWS.");
    EXPECT_FLOATS(dims_of_rows(0, 4), OF(0.0170, 0.0463, 0.9304, 0.0063), d_v, FOUR_DECIMALS);
    BECAUSE("d_v is right. All queries are 1, so d_k is equal to the gradients of the scores.");
    EXPECT_FLOATS(dims_of_rows(0, 4), OF(-0.3282, -0.4289, 0.6897, 0.0673), d_k, FOUR_DECIMALS);
    BECAUSE("The gradients of the scores are -0.3282, -0.4289, 0.6897, 0.0673, and the keys are 1, "
            "2, 5, "
            "0.");
    EXPECT_FLOATS(dims_of_rows(0, 3), OF(0, 0, 2.2626), d_Q, FOUR_DECIMALS);
}

TEST(attend_tile_backward, tiles_of_any_sizes_get_their_gradients) {
    struct random r = random_seed(1433);
    static const int sizes[][2] = {{1, 1},        {2, WIDE},
                                   {ROWS, LANES}, {ROWS + 1, LANES + 1},
                                   {QUERIES, 5},  {QUERIES - 1, WIDE - 1},
                                   {7, 3}};
    /* More queries than keys, and groups of ROWS: of d_k 3 and of d_v 5, and the other way round.
     */
    expect_back_of_a_tile((struct sizes){1, 1, 2 * ROWS + 3, 3, 2 * ROWS + 1, 4 * ROWS + 2, 2}, &r);
    expect_back_of_a_tile((struct sizes){1, 1, 2 * ROWS + 3, 3, 4 * ROWS + 2, 2 * ROWS + 1, 2}, &r);
    for (int i = 0; i < 7; i++)
        expect_back_of_a_tile((struct sizes){1, 1, sizes[i][0], sizes[i][1], 1 + i, 8 - i,
                                             seen_of(sizes[i][0], sizes[i][1], i)},
                              &r);
}

TEST(attend_tile_backward, rows_of_any_width_get_their_gradients) {
    struct random r = random_seed(1434);
    for (int i = 0; i < WIDTHS; i++)
        expect_back_of_a_tile((struct sizes){1, 1, 3, 5, widths[i][0], widths[i][1], 2}, &r);
}

TEST(attend_tile_backward, two_threads_may_use_it_at_once) {
    struct random r = random_seed(1435);
    const struct pass p = random_pass((struct sizes){1, 1, 3, 5, 2, 1, 2}, 1, &r);
    struct back back;
    const float zero[3] = {0};
    float d_Q[3][2] = {{0}};
    start_of_back(&p, 0, &back);
    EXPECT_NOTHING_KEPT(attend_tile_backward(2, 5, 2, 1, 3, p.Q, zero, zero, p.d_out, &back, d_Q),
                        attend_tile_backward(3, 4, 2, 1, 1, p.Q, zero, zero, p.d_out, &back, d_Q));
}

/* flash_attention_backward */

struct gradients {
    float *shared, *d_Q, *d_K, *d_V;
};

/* The right results of the forward pass, and buffers for the gradients. */
struct backward_pass {
    float *out, *lse;
    struct gradients g;
};

static struct backward_pass new_backward_pass(const struct pass *p, float held) {
    const struct sizes *z = &p->z;
    return (struct backward_pass){narrowed("out", of_queries(z, z->d_v), p->out),
                                  narrowed("lse", of_rows(z), p->lse),
                                  {floats_new("shared", of_rows(z)),
                                   floats_filled("d_Q", of_queries(z, z->d_k), held),
                                   floats_filled("d_K", of_keys(z, z->d_k), held),
                                   floats_filled("d_V", of_keys(z, z->d_v), held)}};
}

static void run_backward(const struct pass *p, const struct backward_pass *w) {
    const struct sizes *z = &p->z;
    flash_attention_backward(z->heads, z->kv_heads, z->n_q, z->n_k, z->d_k, z->d_v, z->seen, p->Q,
                             p->K, p->V, (void *)w->out, (void *)w->lse, p->d_out,
                             (void *)w->g.shared, (void *)w->g.d_Q, (void *)w->g.d_K,
                             (void *)w->g.d_V);
}

static struct gradients gradients_of(const struct pass *p, float held) {
    const struct backward_pass w = new_backward_pass(p, held);
    run_backward(p, &w);
    return w.g;
}

static void expect_gradients(struct pass p, float held) {
    const struct sizes *z = &p.z;
    const struct gradients g = gradients_of(&p, held);
    const float *shared = g.shared, *d_Q = g.d_Q, *d_K = g.d_K, *d_V = g.d_V;
    const struct dims of_Q = of_queries(z, z->d_k), of_K = of_keys(z, z->d_k),
                      of_V = of_keys(z, z->d_v);
    const double *dots = dots_of_out(&p);
    obvious_back(&p);
    BECAUSE("shared should contain the dot products of out and d_out.");
    EXPECT_FLOATS(of_rows(z), dots, shared, near_gradient(&p, of_rows(z), dots));
    BECAUSE("d_V contained %g. Heads %d and %d, n_q %d, n_k %d, d_k %d, d_v %d, seen %d.",
            (double)held, z->heads, z->kv_heads, z->n_q, z->n_k, z->d_k, z->d_v, z->seen);
    EXPECT_FLOATS(of_V, with((double)held, of_V, p.d_V), d_V, near_gradient(&p, of_V, p.d_V));
    BECAUSE(
        "d_V is right. d_K contained %g. Heads %d and %d, n_q %d, n_k %d, d_k %d, d_v %d, seen %d.",
        (double)held, z->heads, z->kv_heads, z->n_q, z->n_k, z->d_k, z->d_v, z->seen);
    EXPECT_FLOATS(of_K, with((double)held, of_K, p.d_K), d_K, near_gradient(&p, of_K, p.d_K));
    BECAUSE("d_V and d_K are right. d_Q contained %g.", (double)held);
    EXPECT_FLOATS(of_Q, with((double)held, of_Q, p.d_Q), d_Q, near_gradient(&p, of_Q, p.d_Q));
}

TEST(flash_attention_backward, the_worked_pass_gets_its_gradients) {
    const struct pass p = worked_pass();
    const struct gradients g = gradients_of(&p, 0);
    const float *d_Q = g.d_Q, *d_K = g.d_K, *d_V = g.d_V;
    NEW_MATRIX_OF(wanted, 4, 2, {0.0170, 0}, {0.0463, 0}, {0.9304, 0}, {0.0063, 0});
    BECAUSE("d_out is 1 for the first number of query 2, so the values get its weights.");
    EXPECT_FLOATS(dims_of_rows(4, 2), wanted, d_V, FOUR_DECIMALS);
    BECAUSE("d_V is right. The gradient of a score is weight * (value - 29.2587), and all queries "
            "are 1.");
    EXPECT_FLOATS(dims_of_rows(0, 4), OF(-0.3282, -0.4289, 0.6897, 0.0673), d_K, FOUR_DECIMALS);
    BECAUSE("The gradients of the scores are -0.3282, -0.4289, 0.6897, 0.0673, and the keys are 1, "
            "2, 5, "
            "0.");
    EXPECT_FLOATS(dims_of_rows(0, 3), OF(0, 0, 2.2626), d_Q, FOUR_DECIMALS);
}

TEST(flash_attention_backward, heads_that_share_keys_add_to_their_gradients) {
    struct random r = random_seed(1439);
    FOR_ALL_CASES(struct sizes, z, grouped)
    expect_gradients(random_pass(*z, 2, &r), 0);
}

TEST(flash_attention_backward, gradients_are_added_to_what_is_there) {
    struct random r = random_seed(1436);
    expect_gradients(random_pass((struct sizes){1, 1, 5, 3, 2, 4, 1}, 1, &r), 7);
}

/* No query sees the last keys. */
TEST(flash_attention_backward, keys_that_no_query_sees_get_no_gradient) {
    struct random r = random_seed(1440);
    const struct sizes z = {1, 1, 5, WIDE + 9, 3, 2, -1};
    const struct pass p = random_pass(z, 1, &r);
    const double *before = widened("wanted", of_queries(&z, 3), gradients_of(&p, 2).d_Q);
    for (int j = 4; j < z.n_k; j++) {
        set_row(z.d_k, 1e18f, p.K, j);
        set_row(z.d_v, -3e38f, p.V, j);
    }
    const struct gradients g = gradients_of(&p, 2);
    const float *d_Q = g.d_Q, *d_K = g.d_K + 4 * z.d_k, *d_V = g.d_V + 4 * z.d_v;
    BECAUSE(
        "The keys that no query sees are 1e18 now and their values -3e38, so no bit of d_Q should "
        "change. Queries 0 and 1 see no key, so their d_Q is still 2.");
    EXPECT_FLOATS(of_queries(&z, 3), before, d_Q, 0.0);
    BECAUSE("Queries 0 and 1 see no key, so their 6 numbers of d_Q should still be 2.");
    EXPECT_FLOATS(dims_of_rows(0, 6), OF(2, 2, 2, 2, 2, 2), d_Q, 0.0);
    const struct dims hidden_K = dims_of_rows(z.n_k - 4, z.d_k),
                      hidden_V = dims_of_rows(z.n_k - 4, 2);
    BECAUSE("No query sees these keys, so their gradients should still be 2.");
    EXPECT_FLOATS(hidden_K, with(2, hidden_K, zeros(hidden_K)), d_K, 0.0);
    EXPECT_FLOATS(hidden_V, with(2, hidden_V, zeros(hidden_V)), d_V, 0.0);
}

TEST(flash_attention_backward, gradients_of_all_lengths_agree_with_a_simple_reference) {
    struct random r = random_seed(1437);
    for (int i = 0; i < CASES; i++)
        expect_gradients(case_of(i, 0, &r), 0);
}

TEST(flash_attention_backward, gradients_agree_for_any_value_of_seen) {
    struct random r = random_seed(1438);
    for (int i = 0; i < CASES; i++)
        expect_gradients(case_of(i, 3, &r), 1);
}

TEST(flash_attention_backward, the_backward_pass_keeps_no_weights) {
    const struct sizes z = {1, 1, 8192, 8192, 2, 1, -8188};
    struct pass p = {.z = z};
    p.Q = floats_filled("Q", of_queries(&z, 2), 0.5f);
    p.K = floats_filled("K", of_keys(&z, 2), 0.5f);
    p.V = floats_filled("V", of_keys(&z, 1), 3.0f);
    p.d_out = floats_filled("d_out", of_queries(&z, 1), 1.0f);
    p.out = zeros(of_queries(&z, 1));
    p.lse = fill(8192, -INFINITY, vector_new("expected", 8192));
    for (int i = 0; i < 3; i++) {
        p.out[8189 + i] = 3;
        p.lse[8189 + i] = 0.5 / sqrt(2) + log(i + 1);
    }
    gradients_of(&p, 0);
    const double before = memory_most();
    const float *d_V = gradients_of(&p, 0).d_V;
    EXPECT_THAT(memory_most() - before < 8e6,
                "it needed %.0f MB besides its parameters, for 8192 queries and keys",
                1e-6 * (memory_most() - before));
    BECAUSE("The last three queries see one, two and three keys, which are all equal.");
    EXPECT_FLOATS(dims_of_rows(0, 4), OF(11.0 / 6, 5.0 / 6, 1.0 / 3, 0), d_V, 1e-5);
}

/* Eight heads of keys, each of three tiles. */
TEST(flash_attention_backward, threads_share_out_key_heads) {
    struct random r = random_seed(1441);
    const struct pass other = random_pass((struct sizes){6, 3, 3, 5, 2, 1, 2}, 1, &r);
    const struct pass p =
        random_pass((struct sizes){16, 8, 5, 2 * WIDE + 3, 3, 2, 2 * WIDE}, 1, &r);
    const struct dims of_Q = of_queries(&p.z, 3), of_K = of_keys(&p.z, 3), of_V = of_keys(&p.z, 2);
    const struct backward_pass first = new_backward_pass(&other, 0),
                               again = new_backward_pass(&p, 0.3f),
                               one = new_backward_pass(&p, 0.3f);
    EXPECT_NOTHING_KEPT(run_backward(&p, &again), run_backward(&other, &first));
    unsigned long before = work_done;
    run_backward(&p, &one);
    const unsigned long by_one = work_done - before;
    for (int threads = MOST_THREADS; threads >= THREADS - 1; threads--) {
        const struct backward_pass many = new_backward_pass(&p, 0.3f);
        for (int i = 0; i < dims_count(of_rows(&p.z)); i++)
            many.g.shared[i] = 0.0f;
        threads_pretend(threads);
        before = work_done;
        run_backward(&p, &many);
        const unsigned long by_all = work_done - before;
        threads_pretend(1);
        expect_threads_apart(__LINE__, threads, by_one, by_all, "the loop over the key heads");
        expect_same_bits(__LINE__, threads, "shared", of_rows(&p.z),
                         widened("wanted", of_rows(&p.z), one.g.shared), many.g.shared);
        expect_same_bits(__LINE__, threads, "d_V", of_V, widened("wanted", of_V, one.g.d_V),
                         many.g.d_V);
        expect_same_bits(__LINE__, threads, "d_K", of_K, widened("wanted", of_K, one.g.d_K),
                         many.g.d_K);
        expect_same_bits(__LINE__, threads, "d_Q", of_Q, widened("wanted", of_Q, one.g.d_Q),
                         many.g.d_Q);
    }
}

/* decode */

/* After the n keys, the cache contains NaN. */
static void *cached(const char *name, int heads, int n, int capacity, int d, const float *keys) {
    float(*cache)[capacity][d] = floats_filled(name, dims_of(3, heads, capacity, d, 1), NAN);
    for (int h = 0; h < heads; h++)
        memcpy(cache[h], keys + h * n * d, sizeof(float[n][d]));
    return cache;
}

static void expect_decoded(struct sizes z, int capacity, struct random *r) {
    z.n_q = 1;
    z.seen = z.n_k;
    const struct pass p = random_pass(z, 2, r);
    const void *K = cached("K", z.kv_heads, z.n_k, capacity, z.d_k, p.K);
    const void *V = cached("V", z.kv_heads, z.n_k, capacity, z.d_v, p.V);
    NEW_FLOAT_MATRIX(out, z.heads, z.d_v);
    decode(z.heads, z.kv_heads, capacity, z.n_k, z.d_k, z.d_v, p.Q, K, V, out);
    BECAUSE(
        "%d query heads and %d key heads: heads 0 to %d use key head 0. %d keys in a cache for %d, "
        "d_k %d, d_v %d.",
        z.heads, z.kv_heads, z.heads / z.kv_heads - 1, z.n_k, capacity, z.d_k, z.d_v);
    EXPECT_FLOATS(dims_of_rows(z.heads, z.d_v), p.out, out, near_out(&p));
}

TEST(decode, the_worked_query_uses_a_cache_for_six_keys) {
    const struct pass p = worked_pass();
    const void *K = cached("K", 1, 4, 6, 1, p.K), *V = cached("V", 1, 4, 6, 2, p.V);
    NEW_FLOAT_MATRIX(out, 1, 2);
    decode(1, 1, 6, 4, 1, 2, p.Q, K, V, out);
    BECAUSE("The scores are 1, 2, 5, 0, and two rows of the cache are not filled yet.");
    EXPECT_FLOATS(dims_of_rows(1, 2), OF(29.2587, 1), out, FOUR_DECIMALS);
}

TEST(decode, heads_decode_alone_and_in_groups) {
    struct random r = random_seed(1442);
    expect_decoded((struct sizes){.heads = 6, .kv_heads = 2, .n_k = 5, .d_k = 3, .d_v = 4}, 8, &r);
    expect_decoded((struct sizes){.heads = 5, .kv_heads = 5, .n_k = 1, .d_k = 2, .d_v = 3}, 4, &r);
    expect_decoded((struct sizes){.heads = 20, .kv_heads = 1, .n_k = 9, .d_k = 4, .d_v = 2}, 9, &r);
    expect_decoded((struct sizes){.heads = 40, .kv_heads = 2, .n_k = 3, .d_k = 5, .d_v = 1}, 7, &r);
    expect_decoded((struct sizes){.heads = WIDE + 1, .kv_heads = 1, .n_k = 4, .d_k = 2, .d_v = 3},
                   5, &r);
}

TEST(decode, caches_of_all_lengths_and_widths_decode) {
    struct random r = random_seed(1443);
    for (int i = 0; i < PAIRS; i++)
        expect_decoded(
            (struct sizes){
                .heads = 2, .kv_heads = 1 + i % 2, .n_k = lengths[i][1], .d_k = 3, .d_v = 2},
            lengths[i][1] + i % 3, &r);
    for (int i = 0; i < WIDTHS; i++)
        expect_decoded(
            (struct sizes){
                .heads = 3, .kv_heads = 1, .n_k = 7, .d_k = widths[i][0], .d_v = widths[i][1]},
            8, &r);
}

static void decode_into(float *out, const struct pass *p) {
    const struct sizes *z = &p->z;
    decode(z->heads, z->kv_heads, z->n_k, z->n_k, z->d_k, z->d_v, p->Q, p->K, p->V, (void *)out);
}

TEST(decode, threads_share_out_caches) {
    struct random r = random_seed(1445);
    const struct pass other = random_pass((struct sizes){6, 3, 1, 4, 2, 1, 4}, 1, &r);
    const struct pass p = random_pass((struct sizes){16, 8, 1, KEYS + 3, 5, 3, KEYS + 3}, 1, &r);
    const struct dims dims = dims_of_rows(16, 3);
    float *first = floats_new("out", dims_of_rows(6, 1)), *one = floats_new("out", dims);
    EXPECT_NOTHING_KEPT(decode_into(one, &p), decode_into(first, &other));
    unsigned long before = work_done;
    decode_into(one, &p);
    const unsigned long by_one = work_done - before;
    for (int threads = MOST_THREADS; threads >= THREADS - 1; threads--) {
        float *many = floats_new("out", dims);
        threads_pretend(threads);
        before = work_done;
        decode_into(many, &p);
        const unsigned long by_all = work_done - before;
        threads_pretend(1);
        expect_threads_apart(__LINE__, threads, by_one, by_all, "the loop over the key heads");
        expect_same_bits(__LINE__, threads, "out", dims, widened("wanted", dims, one), many);
    }
}
