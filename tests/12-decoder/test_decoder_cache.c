/* Lesson 12: what decoder.h promises of a cache, filled and asked. */
#include "caches.h"

/* cache_rows */

/* Some words, which come alone; and of v there is only what the header says. */
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

/* Lesson 08's two heads of one number, whose matrices are the identity, and one word more. */
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

TEST(cache_rows, each_head_keeps_its_numbers_of_the_worked_words) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    keep(&w, 0, 2, &k);
    EXPECT_KNOWN(w, SELF_K, 2, k.cache, FOUR_DECIMALS);
    keep(&w, 2, 1, &k);
    EXPECT_KNOWN(w, SELF_K, 3, k.cache, FOUR_DECIMALS);
}

TEST(cache_rows, keys_are_made_by_W_k) {
    struct random r = random_seed(1240);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    keep(&w, 0, 3, &k);
    EXPECT_K(w, SELF_K, 3, k.cache, LAST_BIT);
}

TEST(cache_rows, values_are_made_by_W_v) {
    struct random r = random_seed(1240);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    keep(&w, 0, 3, &k);
    EXPECT_V(w, SELF_K, 3, k.cache, LAST_BIT);
}

TEST(cache_rows, two_words_and_three_are_five_words) {
    struct random r = random_seed(1241);
    const struct work w = pass_of((struct sizes){5, 0, 4, 3, 6, 2, 1}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 7), at_once = kept_of(&w, SELF_GAIN, 7);
    keep(&w, 0, 2, &k);
    keep(&w, 2, 3, &k);
    keep(&w, 0, 5, &at_once);
    EXPECT_KNOWN(w, SELF_K, 5, k.cache, LAST_BIT);
    EXPECT_KNOWN(w, SELF_K, 5, at_once.cache, LAST_BIT);
}

TEST(cache_rows, what_was_kept_before_stays_bit_for_bit) {
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

TEST(cache_rows, any_words_are_kept_to_the_last_row) {
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

/* take_cache() is given; who changed it by accident reads it here. */
TEST(cache_rows, what_is_given_takes_a_cache_of_the_key_heads) {
    struct random r = random_seed(1246);
    for (int kv = 4; kv > 0; kv /= 4) {
        const struct work w = pass_of((struct sizes){2, 0, 5, 3, 4, kv, 3}, &r);
        struct room room = {vector_new("numbers", 30 * kv), 0};
        struct kept k = kept_of(&w, SELF_GAIN, 1);
        k.cache = take_cache(&room, &k.w.heads, 5);
        EXPECT_THAT(room.used == 2 * 5 * kv * 3,
                    "take_cache() takes %d numbers for 5 words of %d key heads with 3 numbers; it "
                    "should be %d",
                    room.used, kv, 2 * 5 * kv * 3);
        EXPECT_LENGTH(0, k.cache);
        keep(&w, 0, 2, &k);
        EXPECT_KNOWN(w, SELF_K, 2, k.cache, LAST_BIT);
    }
}

TEST(cache_rows, words_weights_and_room_stay_as_they_are) {
    struct random r = random_seed(1247);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    const void *K = k.cache.K, *V = k.cache.V;
    keep(&w, 0, 3, &k);
    EXPECT_THAT(k.cache.capacity == 5 && k.cache.K == K && k.cache.V == V,
                "the capacity of the cache, or its K or V itself, was changed; only length is");
    EXPECT_WEIGHTS(w, SELF_GAIN, k.w);
}

TEST(cache_rows, two_threads_may_keep_at_once) {
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

/* The last of the known words asks. */
static void *ask(const struct work *w, struct kept *k) {
    give(w, SELF_SCALED, k->cache.length - 1, &k->step);
    attend(k);
    return k->step.out;
}

/* What comes of it, by lesson 08. Its weights are left in a row of each head. */
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
               "The cache has room for %d words, and knows %d: each head has so many weights.",
               k->cache.capacity, length);
    expect_array(line, "weights", dims_of(3, n_heads, 1, length, 1), expected_weights,
                 k->v.heads.weights, tolerance);
    BECAUSE_IF(k->cache.capacity > length, "The cache has room for %d words, and knows %d.",
               k->cache.capacity, length);
    expect_array(line, "out", dims_of(2, 1, d, 1, 1), expected, out, tolerance);
}
#define EXPECT_ASKED(w, k, tolerance) expect_asked(__LINE__, &(w), &(k), tolerance)

TEST(attend_cached, the_worked_words_look_back_one_by_one) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 4);
    const double weights[3][6] = {
        {1, 1}, {0.1192, 0.8808, 0.5, 0.5}, {0.3333, 0.3333, 0.3333, 0.6652, 0.0900, 0.2447}};
    const double expected[3][2] = {{1, 2}, {1.8808, 1}, {1, 1.5752}};
    for (int i = 0; i < 3; i++) {
        know(&w, SELF_K, i + 1, &k.cache);
        const double(*out)[2] = ask(&w, &k);
        EXPECT_LENGTH(i + 1, k.cache);
        BECAUSE("Word %d asks, and the cache knows %d.", i, i + 1);
        EXPECT_MATRIX(1, 2, expected[i], out, FOUR_DECIMALS);
        BECAUSE("Word %d asks, and the cache knows %d.", i, i + 1);
        expect_array(__LINE__, "weights", dims_of(3, 2, 1, i + 1, 1), weights[i], k.v.heads.weights,
                     FOUR_DECIMALS);
    }
}

TEST(attend_cached, each_part_has_its_matrix) {
    struct random r = random_seed(1250);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    know(&w, SELF_K, 3, &k.cache);
    EXPECT_ASKED(w, k, LAST_BIT);
}

/* With as many key heads as heads, and with one for four. */
TEST(attend_cached, neighbours_share_a_head_of_the_cache) {
    struct random r = random_seed(1251);
    for (int kv = 1; kv <= 4; kv++)
        if (kv != 3) {
            matrix_free_all();
            const struct work w = pass_of((struct sizes){3, 0, 5, 1, 4, kv, 2}, &r);
            struct kept k = kept_of(&w, SELF_GAIN, 6);
            know(&w, SELF_K, 3, &k.cache);
            BECAUSE("n_heads is 4 here, and n_kv_heads %d: head h of the queries looks at head "
                    "h / %d of the cache.",
                    kv, 4 / kv);
            EXPECT_ASKED(w, k, LAST_BIT);
        }
}

/* What nobody has filled is not a number. */
TEST(attend_cached, rows_behind_the_length_are_never_read) {
    struct random r = random_seed(1252);
    const struct work w = pass_of((struct sizes){2, 0, 4, 3, 2, 2, 6}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5), small = kept_of(&w, SELF_GAIN, 2);
    k.cache.K = block_new("K", 2, 5, 6);
    k.cache.V = block_new("V", 2, 5, 6);
    know(&w, SELF_K, 2, &k.cache);
    know(&w, SELF_K, 2, &small.cache);
    const double(*expected)[4] = ask(&w, &small), (*out)[4] = ask(&w, &k);
    BECAUSE("The cache knows 2 words, and what stands behind them is no number: out is what a "
            "cache with room for 2 gave.");
    EXPECT_MATRIX(1, 4, expected, out, EXACTLY);
}

TEST(attend_cached, one_v_serves_one_length_after_another) {
    struct random r = random_seed(1253);
    const struct work w = pass_of((struct sizes){5, 0, 4, 3, 6, 2, 1}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 5);
    const int lengths[] = {3, 5, 1, 4};
    for (int i = 0; i < 4; i++) {
        know(&w, SELF_K, lengths[i], &k.cache);
        EXPECT_ASKED(w, k, LAST_BIT);
    }
}

TEST(attend_cached, to_ask_changes_nothing_but_v_and_out) {
    struct random r = random_seed(1254);
    const struct work w = pass_of((struct sizes){4, 0, 3, 5, 2, 1, 6}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 6);
    know(&w, SELF_K, 4, &k.cache);
    ask(&w, &k);
    EXPECT_KNOWN(w, SELF_K, 4, k.cache, EXACTLY);
    EXPECT_WEIGHTS(w, SELF_GAIN, k.w);
}

TEST(attend_cached, enormous_scores_have_weights_too) {
    const struct work w = worked();
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    know(&w, SELF_K, 3, &k.cache);
    scale_into(6, 1e6, k.cache.K, k.cache.K);
    const double(*out)[2] = ask(&w, &k);
    BECAUSE("The keys are 1e6 times those of the worked words: head 0 asks with 0 and looks at "
            "all alike, head 1 with 1 and looks at word 0 alone.");
    EXPECT_MATRIX(1, 2, ((const double[1][2]){{1, 2}}), out, FOUR_DECIMALS);
}

TEST(attend_cached, any_words_are_asked_as_by_lesson_08) {
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

TEST(attend_cached, two_threads_may_ask_at_once) {
    struct random r = random_seed(1257);
    const struct work w = pass_of(square, &r), other = pass_of(all_sizes[1], &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3), of_other = kept_of(&other, SELF_GAIN, 4);
    know(&w, SELF_K, 3, &k.cache);
    know(&other, SELF_K, 2, &of_other.cache);
    give(&w, SELF_SCALED, 2, &k.step);
    give(&other, SELF_SCALED, 1, &of_other.step);
    EXPECT_NOTHING_KEPT(attend(&k), attend(&of_other));
}
