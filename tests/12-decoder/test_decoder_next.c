/* Lesson 12: tests of computing token by token. */
#include "caches.h"

/* attention_layer_next */

static void go_on(bool grows, struct kept *k) {
    attention_layer_next(&k->w, k->step.x, grows, &k->cache, &k->v, k->step.out);
}

/* Token i of a piece, through a layer whose cache grows or does not. */
static void *next_of(const struct work *w, enum piece p, int i, bool grows, struct kept *k) {
    give(w, p, i, &k->step);
    go_on(grows, k);
    return k->step.out;
}

/* The output is the row of this token in the pass over the whole sequence. */
static void expect_row(int line, const struct work *w, enum piece p, int i, const void *out) {
    BECAUSE(
        "This is token %d of %d. Expected is its row when all tokens are computed at once under "
        "a causal mask.",
        i, w->z.n);
    expect_array(line, "out", dims_of(2, 1, w->z.d, 1, 1), (double *)w->at[p] + i * w->z.d, out,
                 LAST_BIT);
}
#define EXPECT_ROW(w, p, i, out) expect_row(__LINE__, &(w), p, i, out)

/* The tokens of the pass, one after the other. */
static void expect_layer(int line, const struct work *w, int capacity, bool grows) {
    const enum piece K = grows ? SELF_K : CROSS_K;
    struct kept k = kept_of(w, grows ? SELF_GAIN : CROSS_GAIN, capacity);
    if (!grows)
        know(w, CROSS_K, w->z.m, &k.cache);
    for (int i = 0; i < w->z.n; i++) {
        const void *out = next_of(w, grows ? X : ATTENDED, i, grows, &k);
        expect_length(line, "cache", grows ? i + 1 : w->z.m, k.cache.length);
        expect_row(line, w, grows ? ATTENDED : CROSSED, i, out);
    }
    EXPECT_KNOWN(*w, K, grows ? w->z.n : w->z.m, k.cache, grows ? LAST_BIT : EXACTLY);
    EXPECT_WEIGHTS(*w, grows ? SELF_GAIN : CROSS_GAIN, k.w);
}
#define EXPECT_LAYER(w, capacity, grows) expect_layer(__LINE__, &(w), capacity, grows)

TEST(attention_layer_next, the_worked_token_attends_to_the_one_before_and_to_itself) {
    const struct work w = obvious(worked_block(&whole));
    struct kept k = kept_of(&w, SELF_GAIN, 4);
    know(&w, SELF_K, 1, &k.cache);
    const double *out = next_of(&w, X, 1, true, &k);
    EXPECT_LENGTH(2, k.cache);
    BECAUSE("The cache had token 0, scaled: 1, -1. x is 0, 2, scaled -1, 1, so its weights are "
            ".0558 and .9442.");
    EXPECT_MATRIX(1, 2, ((const double[1][2]){{-0.8884, 2.8884}}), out, FOUR_DECIMALS);
}

TEST(attention_layer_next, the_first_token_attends_only_to_itself) {
    const struct work w = worked_block(&whole);
    struct kept k = kept_of(&w, SELF_GAIN, 4);
    const double *out = next_of(&w, X, 0, true, &k);
    EXPECT_LENGTH(1, k.cache);
    BECAUSE("The cache was empty, so x, which is 3, 1, attends only to its own scaled row 1, -1.");
    EXPECT_MATRIX(1, 2, ((const double[1][2]){{4, 0}}), out, FOUR_DECIMALS);
}

TEST(attention_layer_next, the_worked_memory_does_not_grow) {
    const struct work w = obvious(worked_block(&whole));
    struct kept k = kept_of(&w, CROSS_GAIN, 4);
    know(&w, CROSS_K, 3, &k.cache);
    const double(*out)[2] = next_of(&w, ATTENDED, 0, false, &k);
    EXPECT_LENGTH(3, k.cache);
    BECAUSE("The cache contains 2, 0 and 0, 2 and 1, 1. x is 4, 0 and its query is 1, -1, so its "
            "weights are .7679, .0454 and .1867.");
    EXPECT_MATRIX(1, 2, ((const double[1][2]){{5.7225, 0.2775}}), out, FOUR_DECIMALS);
}

TEST(attention_layer_next, with_W_o_of_0_it_returns_x) {
    struct random r = random_seed(1260);
    struct work w = silent_block(&whole, square, &r);
    ((double *)w.at[X])[0] = 1e100;
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    for (int i = 0; i < 2; i++) {
        const double(*out)[3] = next_of(&w, X, i, true, &k);
        BECAUSE(
            "W_o is 0, so the result of the heads is 0, and only the residual connection is left.");
        EXPECT_MATRIX(1, 3, (double *)w.at[X] + 3 * i, out, EXACTLY);
    }
}

/* All sizes are 3, so that matrices that were confused fit. */
TEST(attention_layer_next, the_cache_contains_the_scaled_token) {
    struct random r = random_seed(1261);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    next_of(&w, X, 0, true, &k);
    EXPECT_KNOWN(w, SELF_K, 1, k.cache, LAST_BIT);
}

TEST(attention_layer_next, a_token_attends_to_itself_too) {
    struct random r = random_seed(1262);
    const struct work w = pass_of(square, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3);
    know(&w, SELF_K, 2, &k.cache);
    EXPECT_ROW(w, ATTENDED, 2, next_of(&w, X, 2, true, &k));
}

TEST(attention_layer_next, without_growing_it_is_the_layer_of_lesson_10) {
    struct random r = random_seed(1263);
    const struct work w = pass_of(square, &r);
    EXPECT_LAYER(w, 5, false);
}

TEST(attention_layer_next, token_by_token_agrees_with_the_whole_sequence) {
    struct random r = random_seed(1264);
    FOR_ALL_SIZES(z) {
        const struct work w = pass_of(*z, &r);
        EXPECT_LAYER(w, z->n + 2, true);
        EXPECT_LAYER(w, z->n, true);
    }
}

TEST(attention_layer_next, any_memory_gives_the_result_of_lesson_10) {
    struct random r = random_seed(1265);
    FOR_ALL_SIZES(z)
    if (z->m) {
        const struct work w = pass_of(*z, &r);
        EXPECT_LAYER(w, z->m, false);
        EXPECT_LAYER(w, z->m + 1, false);
    }
}

TEST(attention_layer_next, two_threads_may_compute_layers_at_once) {
    struct random r = random_seed(1266);
    const struct work w = pass_of(square, &r), other = pass_of(all_sizes[0], &r);
    struct kept k = kept_of(&w, SELF_GAIN, 3), of_other = kept_of(&other, CROSS_GAIN, 5);
    know(&other, CROSS_K, 5, &of_other.cache);
    give(&w, X, 0, &k.step);
    give(&other, ATTENDED, 0, &of_other.step);
    EXPECT_NOTHING_KEPT(go_on(true, &k), go_on(false, &of_other));
}

/* decoder_block_next */

/* A block that generates. Its memory is filled, if there is one, and `written` is empty. */
struct writer {
    struct decoder_block w;
    struct cache memory, written;
    struct step step;
    struct decoder_values v;
};

static struct writer writer_of(const struct work *w, int for_memory, int capacity) {
    const struct sizes z = w->z;
    struct work of = {.z = z}, one = {.z = z};
    for (enum piece p = SELF_GAIN; p <= FORWARD_B_2; p++)
        if (w->at[p])
            of.at[p] = array_copy(its(w, p).name, its(w, p).dims, w->at[p]);
    struct writer writer = {.w = block_in(&of, of.at)};
    writer.written = new_cache(z, capacity, "written_K", "written_V");
    if (z.m) {
        writer.memory = new_cache(z, for_memory, "memory_K", "memory_V");
        know(w, CROSS_K, z.m, &writer.memory);
    }
    writer.step = new_step(w);
    one.z.n = 1;
    for (enum piece p = ATTENDED; p < OUT; p++)
        if (count_of(&one, p) > 0)
            one.at[p] = array_new(its(&one, p).name, its(&one, p).dims);
    writer.v = values_in(one.at);
    writer.v.self = values_for(z, capacity);
    if (z.m)
        writer.v.cross = values_for(z, for_memory);
    return writer;
}

static void go_on_writing(struct writer *writer) {
    decoder_block_next(&writer->w, writer->step.x, writer->memory.K ? &writer->memory : NULL,
                       &writer->written, &writer->v, writer->step.out);
}

static void *write_word(const struct work *w, int i, struct writer *writer) {
    give(w, X, i, &writer->step);
    go_on_writing(writer);
    return writer->step.out;
}

static void expect_written(int line, const struct work *w, struct writer *writer) {
    for (int i = 0; i < w->z.n; i++) {
        const void *out = write_word(w, i, writer);
        expect_length(line, "written", i + 1, writer->written.length);
        expect_length(line, "memory", w->z.m, writer->memory.length);
        expect_row(line, w, OUT, i, out);
    }
}
#define EXPECT_WRITTEN(w, writer) expect_written(__LINE__, &(w), &(writer))

TEST(decoder_block_next, the_worked_tokens_pass_one_by_one) {
    const struct work w = obvious(worked_block(&whole));
    struct writer writer = writer_of(&w, 5, 4);
    const double expected[2][2] = {{6.7225, 0.2775}, {-0.6109, 5.6109}};
    for (int i = 0; i < 2; i++) {
        const double(*out)[2] = write_word(&w, i, &writer);
        expect_length(__LINE__, "written", i + 1, writer.written.length);
        expect_length(__LINE__, "memory", 3, writer.memory.length);
        EXPECT_MATRIX(1, 2, expected[i], out, FOUR_DECIMALS);
    }
}

/* Only rows are compared, because a wrong length would hide which input was used. */
TEST(decoder_block_next, each_layer_reads_the_output_of_the_one_before) {
    struct random r = random_seed(1271);
    const struct work w = pass_of(square, &r);
    struct writer writer = writer_of(&w, 6, 6);
    for (int i = 0; i < w.z.n; i++)
        EXPECT_ROW(w, OUT, i, write_word(&w, i, &writer));
}

TEST(decoder_block_next, a_block_whose_layers_add_nothing_returns_x) {
    struct random r = random_seed(1270);
    for (int with = 0; with < 2; with++) {
        struct work w = silent_block(&whole, with ? square : square_alone, &r);
        ((double *)w.at[X])[0] = 1e100;
        w = obvious(causal(w));
        struct writer writer = writer_of(&w, 6, 6);
        for (int i = 0; i < 2; i++) {
            const double(*out)[3] = write_word(&w, i, &writer);
            BECAUSE("Both W_o, W_2 and b_2 are 0, so no layer adds anything. What is left are "
                    "the residual connections.");
            EXPECT_MATRIX(1, 3, (double *)w.at[X] + 3 * i, out, EXACTLY);
        }
    }
}

TEST(decoder_block_next, without_a_memory_two_layers_are_left) {
    struct random r = random_seed(1272);
    const struct work w = pass_of(square_alone, &r);
    struct writer writer = writer_of(&w, 0, 5);
    EXPECT_WRITTEN(w, writer);
}

TEST(decoder_block_next, only_the_cache_written_grows) {
    struct random r = random_seed(1273);
    const struct work w = pass_of((struct sizes){4, 5, 3, 6, 2, 1, 7}, &r);
    struct writer writer = writer_of(&w, 9, 6);
    EXPECT_WRITTEN(w, writer);
    EXPECT_KNOWN(w, CROSS_K, 5, writer.memory, EXACTLY);
    EXPECT_KNOWN(w, SELF_K, 4, writer.written, LAST_BIT);
}

TEST(decoder_block_next, a_new_sequence_starts_at_length_0) {
    struct random r = random_seed(1275);
    const struct sizes z = {4, 3, 5, 2, 2, 1, 6};
    const struct work w = pass_of(z, &r);
    struct work other = w;
    other.z.n = 2;
    other.at[X] = random_fill_normal(&r, 10, filled(&other, X, UNNAMED, 0.0));
    other = obvious(causal(other));
    struct writer writer = writer_of(&w, 7, 4);
    EXPECT_WRITTEN(w, writer);
    writer.written.length = 0;
    EXPECT_WRITTEN(other, writer);
}

TEST(decoder_block_next, token_by_token_agrees_with_decoder_block) {
    struct random r = random_seed(1276);
    FOR_ALL_SIZES(z) {
        const struct work w = pass_of(*z, &r);
        struct writer writer = writer_of(&w, z->m + 1, z->n + 2), full = writer_of(&w, z->m, z->n);
        EXPECT_WRITTEN(w, writer);
        EXPECT_WRITTEN(w, full);
    }
}

TEST(decoder_block_next, two_threads_may_generate_at_once) {
    struct random r = random_seed(1277);
    const struct work w = pass_of(square_alone, &r), other = pass_of(all_sizes[0], &r);
    struct writer writer = writer_of(&w, 0, 3), of_other = writer_of(&other, 6, 6);
    give(&w, X, 0, &writer.step);
    give(&other, X, 0, &of_other.step);
    EXPECT_NOTHING_KEPT(go_on_writing(&writer), go_on_writing(&of_other));
}

/* Laws of attention_layer_next (common/testing/laws.h). */

LAWS(attention_layer_next) {
    struct random r = random_seed(1);
    const struct work w = pass_of((struct sizes){7, 0, 5, 1, 4, 2, 3}, &r);
    struct kept k = kept_of(&w, SELF_GAIN, 7);
    const struct multi_head *heads = &k.w.heads;
    know(&w, SELF_K, 6, &k.cache);
    probe_forget();
    const void *const given[] = {k.step.x,   k.w.gain,   k.w.bias,   k.cache.K, k.cache.V,
                                 heads->W_q, heads->W_k, heads->W_v, heads->W_o};
    for (int i = 0; i < 9; i++)
        probe_input(given[i], '\0');
    for (probe_output(k.step.out); probe_next(); k.cache.length = 6)
        go_on(true, &k);
}
