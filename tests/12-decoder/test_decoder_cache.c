/* Lesson 12: tests of the KV cache, which is filled and attended to. */
#include "caches.h"

/* cache_rows */

/* Some tokens, and only those members of v that the header allows. */
struct few {
    const void *words;
    struct multi_head_values v;
};

static struct few few_of(const struct work *w, int first, int n) {
    const int cols = w->z.n_kv_heads * w->z.d_head;
    return (struct few){
        matrix_copy("X", n, w->z.d, (const double *)w->at[SELF_SCALED] + first * w->z.d),
        {.rows_k = matrix_new("rows_k", n, cols), .rows_v = matrix_new("rows_v", n, cols)}};
}

static void keep(const struct work *w, int first, int n, struct kept *k) {
    struct few few = few_of(w, first, n);
    cache_rows(n, &k->w.heads, few.words, &few.v, &k->cache);
}

/* The two heads of lesson 08 with one dimension each, and a third token. All matrices are the
   identity. */
static struct work worked(void) {
    struct work w = {.f = &whole, .z = {3, 0, 2, 1, 2, 2, 1}};
    PUT(w, SELF_GAIN, 1, 1);
    PUT(w, SELF_BIAS, 0, 0);
    for (enum piece p = SELF_W_Q; p <= SELF_W_O; p++)
        PUT(w, p, 1, 0, 0, 1);
    PUT(w, SELF_SCALED, 1, 2, 2, 0, 0, 1);
    PUT(w, SELF_K, 1, 2, 0, 2, 0, 1);
    PUT(w, SELF_V, 1, 2, 0, 2, 0, 1);
    return w;
}

TEST(cache_rows, the_worked_tokens_are_appended) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    keep(&w, 0, 2, &k);
    EXPECT_KNOWN(w, SELF_K, 2, k.cache, FOUR_DECIMALS);
    keep(&w, 2, 1, &k);
    EXPECT_KNOWN(w, SELF_K, 3, k.cache, FOUR_DECIMALS);
}

TEST(cache_rows, keys_are_computed_with_W_k) {
    struct random r = random_seed(1240);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    keep(&w, 0, 3, &k);
    EXPECT_K(w, SELF_K, 3, k.cache, LAST_BIT);
}

TEST(cache_rows, values_are_computed_with_W_v) {
    struct random r = random_seed(1240);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    keep(&w, 0, 3, &k);
    EXPECT_V(w, SELF_K, 3, k.cache, LAST_BIT);
}

TEST(cache_rows, two_tokens_and_then_three_are_five) {
    struct random r = random_seed(1241);
    const struct work w = pass_of((struct sizes){5, 0, 4, 3, 6, 2, 1}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 7), at_once = kept_of(&w, SELF_GAIN, 7);
    keep(&w, 0, 2, &k);
    keep(&w, 2, 3, &k);
    keep(&w, 0, 5, &at_once);
    EXPECT_KNOWN(w, SELF_K, 5, k.cache, LAST_BIT);
    EXPECT_KNOWN(w, SELF_K, 5, at_once.cache, LAST_BIT);
}

TEST(cache_rows, earlier_rows_do_not_change) {
    struct random r = random_seed(1242);
    struct work w = pass_of((struct sizes){4, 0, 3, 5, 2, 2, 6}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 6);
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < 2; i++) {
            fill(6, 100 * h + i, ((double(*)[4][6])w.at[SELF_K])[h][i]);
            fill(6, -100 * h - i, ((double(*)[4][6])w.at[SELF_V])[h][i]);
        }
    know(&w, SELF_K, 2, &k.cache);
    keep(&w, 2, 2, &k);
    EXPECT_KNOWN(w, SELF_K, 4, k.cache, LAST_BIT);
}

TEST(cache_rows, a_cache_can_be_filled_to_the_last_row) {
    struct random r = random_seed(1245);
    FOR_ALL_SIZES(z) {
        const struct work w = pass_of(*z, &r);
        struct kept k = kept_of(&w, SELF_GAIN, z->n + 2), full = kept_of(&w, SELF_GAIN, z->n);
        keep(&w, 0, z->n, &k);
        EXPECT_KNOWN(w, SELF_K, z->n, k.cache, LAST_BIT);
        for (int i = 0; i < z->n; i++)
            keep(&w, i, 1, &full);
        EXPECT_KNOWN(w, SELF_K, z->n, full.cache, LAST_BIT);
    }
}

/* take_cache() is given. This finds an accidental change. */
TEST(cache_rows, the_given_function_takes_a_cache_of_the_key_heads) {
    struct random r = random_seed(1246);
    for (int kv = 4; kv > 0; kv /= 4) {
        const struct work w = pass_of((struct sizes){2, 0, 5, 3, 4, kv, 3}, &r);
        struct room room = {vector_new("numbers", 30 * kv), 0};
        struct kept k = kept_of(&w, SELF_GAIN, 1);
        k.cache = take_cache(&room, &k.w.heads, 5);
        EXPECT_THAT(room.used == 2 * 5 * kv * 3,
                    "take_cache() takes %d numbers for 5 tokens and %d key heads of 3 numbers; it "
                    "should be %d",
                    room.used, kv, 2 * 5 * kv * 3);
        EXPECT_LENGTH(0, k.cache);
        keep(&w, 0, 2, &k);
        EXPECT_KNOWN(w, SELF_K, 2, k.cache, LAST_BIT);
    }
}

TEST(cache_rows, inputs_and_capacity_are_not_changed) {
    struct random r = random_seed(1247);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    const void *K = k.cache.K, *V = k.cache.V;
    keep(&w, 0, 3, &k);
    EXPECT_THAT(k.cache.capacity == 5 && k.cache.K == K && k.cache.V == V,
                "you changed capacity, K or V of the cache; change only its length");
    EXPECT_WEIGHTS(w, SELF_GAIN, k.w);
}

TEST(cache_rows, two_threads_may_append_at_once) {
    struct random r = random_seed(1248);
    const struct work w = pass_of(square, &r), other = pass_of(all_sizes[1], &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3), of_other = kept_of(&other, SELF_GAIN, 4);
    struct few few = few_of(&w, 0, 3), others = few_of(&other, 0, 2);
    EXPECT_NOTHING_KEPT(cache_rows(3, &k.w.heads, few.words, &few.v, &k.cache),
                        cache_rows(2, &of_other.w.heads, others.words, &others.v, &of_other.cache));
}

/* attend_cached */

static void attend(struct kept *k) {
    attend_cached(&k->w.heads, k->step.x, &k->cache, &k->v.heads, k->step.out);
}

/* The query is that of the last token in the cache. */
static void *ask(const struct work *w, struct kept *k) {
    give(w, SELF_SCALED, k->cache.length - 1, &k->step);
    attend(k);
    return k->step.out;
}

/* The result by lesson 08. The weights are one row for each head. */
static void *asked_obviously(const struct work *w, int length, double *weights) {
    const struct multi_head heads = attention_in(w->z, w->at + SELF_GAIN).heads;
    struct room count = {NULL, 0};
    take_multi_head_values(&count, &heads, 1, length);
    struct room room = {vector_new(UNNAMED, count.used), 0};
    struct multi_head_values v = take_multi_head_values(&room, &heads, 1, length);
    NEW_MATRIX(of_the_test, 1, w->z.d);
    const double(*words)[w->z.d] = w->at[SELF_SCALED];
    multi_head_attention(1, length, &heads, words + length - 1, words, NULL, &v, of_the_test);
    memcpy(weights, v.weights, (size_t)(w->z.n_heads * length) * sizeof(double));
    return of_the_test;
}

static void expect_asked(int line, const struct work *w, struct kept *k, double tolerance) {
    const int length = k->cache.length, n_heads = w->z.n_heads, d = w->z.d;
    NEW_BLOCK(expected_weights, n_heads, 1, length);
    const void *expected = asked_obviously(w, length, (double *)expected_weights);
    const void *out = ask(w, k);
    BECAUSE_IF(k->cache.capacity > length,
               "The cache has %d rows, and %d are filled, so each head has that many weights.",
               k->cache.capacity, length);
    expect_array(line, "weights", dims_of(3, n_heads, 1, length, 1), expected_weights,
                 k->v.heads.weights, tolerance);
    BECAUSE_IF(k->cache.capacity > length, "The cache has %d rows, and %d are filled.",
               k->cache.capacity, length);
    expect_array(line, "out", dims_of(2, 1, d, 1, 1), expected, out, tolerance);
}
#define EXPECT_ASKED(w, k, tolerance) expect_asked(__LINE__, &(w), &(k), tolerance)

TEST(attend_cached, the_worked_tokens_attend_one_by_one) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 4);
    const double weights[3][6] = {
        {1, 1}, {0.1192, 0.8808, 0.5, 0.5}, {0.3333, 0.3333, 0.3333, 0.6652, 0.0900, 0.2447}};
    const double expected[3][2] = {{1, 2}, {1.8808, 1}, {1, 1.5752}};
    for (int i = 0; i < 3; i++) {
        know(&w, SELF_K, i + 1, &k.cache);
        const double(*out)[2] = ask(&w, &k);
        EXPECT_LENGTH(i + 1, k.cache);
        BECAUSE("The query is that of token %d, and the cache has %d tokens.", i, i + 1);
        EXPECT_MATRIX(1, 2, expected[i], out, FOUR_DECIMALS);
        BECAUSE("The query is that of token %d, and the cache has %d tokens.", i, i + 1);
        expect_array(__LINE__, "weights", dims_of(3, 2, 1, i + 1, 1), weights[i], k.v.heads.weights,
                     FOUR_DECIMALS);
    }
}

TEST(attend_cached, each_projection_uses_its_own_matrix) {
    struct random r = random_seed(1250);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    know(&w, SELF_K, 3, &k.cache);
    EXPECT_ASKED(w, k, LAST_BIT);
}

/* From one key head for four query heads up to one for each. */
TEST(attend_cached, neighbours_share_a_key_head) {
    struct random r = random_seed(1251);
    for (int kv = 1; kv <= 4; kv++)
        if (kv != 3) {
            matrix_free_all();
            const struct work w = pass_of((struct sizes){3, 0, 5, 1, 4, kv, 2}, &r);
            struct kept k = kept_of(&w, SELF_GAIN, 6);
            know(&w, SELF_K, 3, &k.cache);
            BECAUSE("n_heads is 4 here, and n_kv_heads is %d, so query head h uses key head "
                    "h / %d.",
                    kv, 4 / kv);
            EXPECT_ASKED(w, k, LAST_BIT);
        }
}

/* The free rows contain NaN. */
TEST(attend_cached, free_rows_are_never_read) {
    struct random r = random_seed(1252);
    const struct work w = pass_of((struct sizes){2, 0, 4, 3, 2, 2, 6}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5), small = kept_of(&w, SELF_GAIN, 2);
    k.cache.K = block_new("K", 2, 5, 6);
    k.cache.V = block_new("V", 2, 5, 6);
    know(&w, SELF_K, 2, &k.cache);
    know(&w, SELF_K, 2, &small.cache);
    const double(*expected)[4] = ask(&w, &small), (*out)[4] = ask(&w, &k);
    BECAUSE("The cache has 2 tokens, and its free rows contain NaN, so out should not depend on "
            "them.");
    EXPECT_MATRIX(1, 4, expected, out, EXACTLY);
}

TEST(attend_cached, the_same_v_works_at_every_length) {
    struct random r = random_seed(1253);
    const struct work w = pass_of((struct sizes){5, 0, 4, 3, 6, 2, 1}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    const int lengths[] = {3, 5, 1, 4};
    for (int i = 0; i < 4; i++) {
        know(&w, SELF_K, lengths[i], &k.cache);
        EXPECT_ASKED(w, k, LAST_BIT);
    }
}

TEST(attend_cached, only_v_and_out_are_written) {
    struct random r = random_seed(1254);
    const struct work w = pass_of((struct sizes){4, 0, 3, 5, 2, 1, 6}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 6);
    know(&w, SELF_K, 4, &k.cache);
    ask(&w, &k);
    EXPECT_KNOWN(w, SELF_K, 4, k.cache, EXACTLY);
    EXPECT_WEIGHTS(w, SELF_GAIN, k.w);
}

TEST(attend_cached, enormous_scores_do_not_overflow) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    know(&w, SELF_K, 3, &k.cache);
    scale_into(6, 1e6, k.cache.K, k.cache.K);
    const double(*out)[2] = ask(&w, &k);
    BECAUSE("The keys are 1e6 times those of the worked tokens. The query of head 0 is 0, so its "
            "weights are equal. That of head 1 is 1, so token 0 has the weight 1.");
    EXPECT_MATRIX(1, 2, ((const double[1][2]){{1, 2}}), out, FOUR_DECIMALS);
}

TEST(attend_cached, it_agrees_with_lesson_08) {
    struct random r = random_seed(1256);
    FOR_ALL_SIZES(z) {
        const struct work w = pass_of(*z, &r);
        struct kept k = kept_of(&w, SELF_GAIN, z->n + z->m);
        for (int length = 1; length <= z->n; length++) {
            know(&w, SELF_K, length, &k.cache);
            EXPECT_ASKED(w, k, LAST_BIT);
        }
    }
}

TEST(attend_cached, two_threads_may_attend_at_once) {
    struct random r = random_seed(1257);
    const struct work w = pass_of(square, &r), other = pass_of(all_sizes[1], &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3), of_other = kept_of(&other, SELF_GAIN, 4);
    know(&w, SELF_K, 3, &k.cache);
    know(&other, SELF_K, 2, &of_other.cache);
    give(&w, SELF_SCALED, 2, &k.step);
    give(&other, SELF_SCALED, 1, &of_other.step);
    EXPECT_NOTHING_KEPT(attend(&k), attend(&of_other));
}

/* Laws of the function (common/testing/laws.h). */

LAWS(attend_cached) {
    struct random r = random_seed(1);
    const struct work w = pass_of((struct sizes){7, 0, 5, 1, 4, 2, 3}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 7);
    know(&w, SELF_K, 7, &k.cache);
    probe_forget();
    const void *const given[] = {k.step.x, k.cache.K, k.cache.V, k.w.heads.W_q, k.w.heads.W_o};
    for (int i = 0; i < 5; i++)
        probe_input(given[i], '\0');
    probe_output(k.v.heads.weights);
    probe_output(k.step.out);
    while (probe_next())
        attend(&k);
}
