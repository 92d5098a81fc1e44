/* Lesson 13: what transformer.h promises of writing word by word, with caches. */
#include "writing.h"

static const struct function whole_pass = {
    .obvious = write_obviously,
    .weights = MEMORY,
    .values = D0_SELF_NORMED,
};

/* A whole pass by the lessons before; what is written word by word has to come to this. */
static struct work pass_of(struct sizes z, struct random *r) {
    return obvious(random_writer(&whole_pass, z, r));
}

/* The values of block b begin at D0_SELF_NORMED or at D1_SELF_NORMED; keys, values and rows_k of
   its layers are so far behind. */
static enum piece of_block(int b, enum piece of_first) {
    return of_first + (enum piece)(b * (D1_SELF_NORMED - D0_SELF_NORMED));
}

/* Caches, and what a step leaves, with room for `longest` words; weights and memory have the names
   that the header gives them. */
struct desk {
    struct sizes z;
    struct transformer w;
    struct transformer_values v;
    struct caches caches;
};

/* The memory's caches have room for as many words again: whoever forgets to forget is told so. */
static struct desk desk_of(const struct work *pass, int longest) {
    struct work w = named(*pass);
    w.z.n = longest;
    w = with_room(w);
    struct desk desk = {
        w.z, weights_in(&w, w.at), values_in(&w, w.at), {.memory = {{.length = 0}}}};
    for (int b = 0; b < w.z.n_decoders; b++) {
        desk.caches.written[b] = new_cache(w.z, longest, "K", "V");
        if (w.z.n_encoders)
            desk.caches.memory[b] = new_cache(w.z, 2 * w.z.m, "K", "V");
    }
    return desk;
}

/* The memory is known, and so many words are written. */
static struct desk after(const struct work *pass, int words, int longest) {
    struct desk desk = desk_of(pass, longest);
    for (int b = 0; b < pass->z.n_decoders; b++) {
        know(pass, of_block(b, D0_SELF_K), words, &desk.caches.written[b]);
        if (pass->z.n_encoders)
            know(pass, of_block(b, D0_CROSS_K), pass->z.m, &desk.caches.memory[b]);
    }
    return desk;
}

/* What a cache knows now, against the pass. */
static void expect_known(int line, const struct work *pass, int b, enum piece K,
                         const struct cache *cache) {
    for (int i = 0; i < 2; i++) {
        BECAUSE("These are of caches->%s[%d]; %d words were read.",
                K == D0_SELF_K ? "written" : "memory", b, pass->z.m);
        expect_rows(line, pass, of_block(b, K) + (enum piece)i, cache->length, cache, i ? "V" : "K",
                    i ? cache->V : cache->K, ROUNDING);
    }
}

static void expect_length(int line, int expected, const char *which, int b,
                          const struct cache *cache) {
    const bool keys = expected > 0 && *(double *)cache->K != NOBODYS;
    expect_that(line, cache->length == expected,
                "the length of caches->%s[%d] is %d%s; it should be %d", which, b, cache->length,
                expected == 0                ? ""
                : keys && cache->length == 0 ? ", though keys were written there"
                : !keys && cache->length > 0 ? ", and its first row was not written"
                                             : "",
                expected);
}

/* start_decoding */

static void start(struct desk *desk) {
    start_decoding(desk->z.m, &desk->w, &desk->v, &desk->caches);
}

/* All begins anew: nothing is written, and of the memory each block knows its own keys. */
static void expect_started(int line, const struct work *pass, struct desk desk) {
    start(&desk);
    for (int b = 0; b < pass->z.n_decoders; b++) {
        expect_length(line, 0, "written", b, &desk.caches.written[b]);
        if (!pass->z.n_encoders)
            continue;
        expect_length(line, pass->z.m, "memory", b, &desk.caches.memory[b]);
        expect_known(line, pass, b, D0_CROSS_K, &desk.caches.memory[b]);
    }
}
#define EXPECT_STARTED(pass, desk) expect_started(__LINE__, &(pass), desk)

/* W_k changes nothing, and W_v doubles all. */
TEST(start_decoding, what_was_read_becomes_keys_and_values) {
    struct random r = random_seed(1401);
    struct work given =
        random_writer(&whole_pass, (struct sizes){3, 2, 2, 4, 1, 1, 2, 5, 1, 1}, &r);
    PUT(given, MEMORY, 1, -1, 2, 0);
    PUT(given, D0_CROSS_W_K, 1, 0, 0, 1);
    PUT(given, D0_CROSS_W_V, 2, 0, 0, 2);
    struct desk desk = desk_of(&given, 3);
    start(&desk);
    expect_length(__LINE__, 2, "memory", 0, &desk.caches.memory[0]);
    expect_length(__LINE__, 0, "written", 0, &desk.caches.written[0]);
    const double(*K)[3][2] = desk.caches.memory[0].K, (*V)[3][2] = desk.caches.memory[0].V;
    NEW_MATRIX_LIKE(K_of_memory, 2, 2, K[0]);
    NEW_MATRIX_LIKE(V_of_memory, 2, 2, V[0]);
    BECAUSE("memory is {1, -1}, {2, 0}. W_k of the block's cross is the identity, W_v doubles.");
    EXPECT_MATRIX(2, 2, OF(1, -1, 2, 0), K_of_memory, FOUR_DECIMALS);
    BECAUSE("memory is {1, -1}, {2, 0}. W_k of the block's cross is the identity, W_v doubles.");
    EXPECT_MATRIX(2, 2, OF(2, -2, 4, 0), V_of_memory, FOUR_DECIMALS);
}

TEST(start_decoding, each_block_has_keys_of_its_own) {
    struct random r = random_seed(1402);
    const struct work pass = pass_of(square, &r);
    EXPECT_STARTED(pass, desk_of(&pass, 4));
}

TEST(start_decoding, what_was_written_is_forgotten) {
    struct random r = random_seed(1403);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    EXPECT_STARTED(alone, after(&alone, 3, 5));
    EXPECT_STARTED(pass, after(&pass, 3, 5));
}

/* The sentence before was another: its keys were 9. */
TEST(start_decoding, what_was_read_before_is_replaced) {
    struct random r = random_seed(1405);
    const struct work pass = pass_of(square, &r);
    struct desk desk = after(&pass, 3, 5);
    for (int b = 0; b < pass.z.n_decoders; b++)
        fill(2 * pass.z.m * pass.z.d, 9.0, desk.caches.memory[b].K);
    EXPECT_STARTED(pass, desk);
}

/* There are no caches for it either, as in a room. */
TEST(start_decoding, without_encoder_blocks_m_is_ignored_at_the_start) {
    struct random r = random_seed(1404);
    const struct work pass = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 2, 4);
    desk.z.m = 3;
    EXPECT_STARTED(pass, desk);
}

TEST(start_decoding, random_memories_agree_with_the_obvious_way) {
    struct random r = random_seed(1406);
    FOR_ALL_SIZES(z) {
        const struct work pass = pass_of(*z, &r);
        EXPECT_STARTED(pass, desk_of(&pass, z->n));
        EXPECT_STARTED(pass, after(&pass, z->n, z->n));
    }
}

static void expect_cache(int line, const char *name, int b, const struct cache *cache, int capacity,
                         const double *K) {
    expect_that(line, cache->capacity == capacity && cache->K == K && cache->V == K + 6 * capacity,
                "take_caches: %s[%d] is elsewhere, or has another capacity than %d", name, b,
                capacity);
}

/* The take_...() are given; who changed them by accident reads it here. All numbers are 0. */
TEST(start_decoding, what_is_given_takes_caches_without_gaps) {
    NEW_VECTOR_FILLED(numbers, 5000, 0.0);
    struct room room = {numbers, 0};
    const struct transformer w = take_transformer(&room, 7, 6, 2, 5, 1, 2);
    struct transformer_values v = take_transformer_values(&room, &w, 4, 3);
    const int first = room.used;
    struct caches caches = take_caches(&room, &w, 4, 3);
    for (int b = 0; b < 2; b++) {
        const double *K = numbers + first + 84 * b;
        expect_cache(__LINE__, "written", b, &caches.written[b], 4, K);
        expect_cache(__LINE__, "memory", b, &caches.memory[b], 3, K + 48);
    }
    EXPECT_THAT(room.used == first + 168, "%d numbers were taken; it should be 168",
                room.used - first);
    start_decoding(3, &w, &v, &caches);
    expect_length(__LINE__, 3, "memory", 1, &caches.memory[1]);
}

TEST(start_decoding, two_threads_may_start_at_once) {
    struct random r = random_seed(1407);
    const struct work pass = pass_of(all_sizes[0], &r), other_pass = pass_of(all_sizes[1], &r);
    struct desk desk = desk_of(&pass, 3), other = desk_of(&other_pass, 4);
    EXPECT_NOTHING_KEPT(start(&desk), start(&other));
}

/* decode_next */

/* A word of the pass, where it stands, and room for its logits. */
struct step {
    int word;
    void *P, *logits;
};

static struct step step_of(const struct work *pass, int i) {
    const struct sizes z = pass->z;
    const int word = pass->beside->words[i];
    vector_copy("word", 1, (const double[]){word});
    return (struct step){word, matrix_copy("P", 1, z.d, pass->beside->P + i * z.d),
                         matrix_new("logits", 1, z.vocabulary)};
}

static void take_step(struct desk *desk, struct step step) {
    decode_next(&desk->w, step.word, step.P, &desk->caches, &desk->v, step.logits);
}

static void *next(const struct work *pass, struct desk *desk, int i) {
    const struct step step = step_of(pass, i);
    take_step(desk, step);
    return step.logits;
}

/* Its logits are row i of those of the pass. */
static void expect_next(int line, const struct work *pass, struct desk *desk, int i) {
    const struct sizes z = pass->z;
    const double(*right)[z.vocabulary] = pass->at[OUT];
    const double *logits = next(pass, desk, i);
    BECAUSE("n_encoders = %d, n_decoders = %d, d_model = %d, and %d words are written before this "
            "one. decode_target() says the same of its last word.",
            z.n_encoders, z.n_decoders, z.d, i);
    expect_numbers(line, "logits", 1, z.vocabulary, right[i], logits, ROUNDING / 100);
}
#define EXPECT_NEXT(pass, desk, i) expect_next(__LINE__, &(pass), &(desk), i)

TEST(decode_next, two_words_are_written_one_by_one) {
    const struct work pass = obvious(worked_writer(&whole_pass));
    struct desk desk = after(&pass, 0, 2);
    NEW_MATRIX_LIKE(logits, 1, 3, next(&pass, &desk, 0));
    BECAUSE("Word 2 enters as {3, 1, 1, 3}, the block adds nothing, and out is {1, -1, -1, 1}.");
    EXPECT_MATRIX(1, 3, OF(-1, 3, 2), logits, FOUR_DECIMALS);
    expect_length(__LINE__, 1, "written", 0, &desk.caches.written[0]);
    logits = matrix_copy("logits", 1, 3, next(&pass, &desk, 1));
    BECAUSE("Word 0 enters as {0, 4, 2, 2}, and out is {-1.4142, 1.4142, 0, 0}.");
    EXPECT_MATRIX(1, 3, OF(2.8284, -2.8284, -2.1213), logits, FOUR_DECIMALS);
    expect_length(__LINE__, 2, "written", 0, &desk.caches.written[0]);
}

TEST(decode_next, the_first_word_looks_at_the_memory_and_at_itself) {
    struct random r = random_seed(1420);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 0, 4), other = after(&alone, 0, 4);
    EXPECT_NEXT(alone, other, 0);
    EXPECT_NEXT(pass, desk, 0);
}

TEST(decode_next, the_last_word_looks_at_all_before_it) {
    struct random r = random_seed(1421);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 2, 4), other = after(&alone, 2, 4);
    EXPECT_NEXT(alone, other, 2);
    EXPECT_NEXT(pass, desk, 2);
}

TEST(decode_next, every_block_remembers_the_word_and_the_memory) {
    struct random r = random_seed(1422);
    const struct work pass = pass_of(square, &r);
    struct desk desk = after(&pass, 2, 5);
    next(&pass, &desk, 2);
    for (int b = 0; b < 2; b++) {
        expect_length(__LINE__, 3, "written", b, &desk.caches.written[b]);
        expect_known(__LINE__, &pass, b, D0_SELF_K, &desk.caches.written[b]);
        expect_length(__LINE__, 3, "memory", b, &desk.caches.memory[b]);
        expect_known(__LINE__, &pass, b, D0_CROSS_K, &desk.caches.memory[b]);
    }
}

/* The rows of word i in the pass. */
static void expect_rows_between(int line, const struct work *pass, const struct desk *desk, int i) {
    const int blocks = pass->z.n_decoders, d = pass->z.d;
    NEW_MATRIX(of_the_pass, blocks + 1, d);
    for (int b = 0; b <= blocks; b++)
        memcpy(of_the_pass[b], (double *)between(pass, pass->at, b) + i * d, sizeof of_the_pass[b]);
    BECAUSE("written[0] is the word before the first block, written[%d] after the last. A block "
            "reads one row and writes the next.",
            blocks);
    expect_array(line, "written", dims_of(3, blocks + 1, 1, d, 1), of_the_pass, desk->v.written,
                 ROUNDING / 100);
}

TEST(decode_next, each_block_has_a_row_of_its_own) {
    struct random r = random_seed(1427);
    FOR_ALL_SIZES(z) {
        const struct work pass = pass_of(*z, &r);
        struct desk desk = after(&pass, z->n - 1, z->n);
        next(&pass, &desk, z->n - 1);
        expect_rows_between(__LINE__, &pass, &desk, z->n - 1);
    }
}

TEST(decode_next, word_by_word_is_the_whole_pass) {
    struct random r = random_seed(1424);
    FOR_ALL_SIZES(z) {
        const struct work pass = pass_of(*z, &r);
        struct desk desk = after(&pass, 0, z->n);
        for (int i = 0; i < z->n; i++)
            EXPECT_NEXT(pass, desk, i);
    }
}

/* The same weights and caches, but other words, and another memory. */
TEST(decode_next, a_second_sentence_is_written_as_if_it_were_the_first) {
    struct random r = random_seed(1425);
    const struct sizes z = {4, 3, 5, 6, 2, 1, 2, 7, 1, 2};
    for (int alone = 0; alone < 2; alone++) {
        const struct sizes these = alone ? all_sizes[8] : z;
        const struct work first = pass_of(these, &r), second = pass_of(these, &r);
        struct desk desk = desk_of(&first, these.n), then = desk_of(&second, these.n);
        start(&desk);
        for (int i = 0; i < these.n; i++)
            EXPECT_NEXT(first, desk, i);
        then.caches = desk.caches;
        start(&then);
        for (int i = 0; i < these.n; i++)
            EXPECT_NEXT(second, then, i);
    }
}

TEST(decode_next, two_threads_may_write_their_next_words_at_once) {
    struct random r = random_seed(1426);
    const struct work pass = pass_of(all_sizes[0], &r), other_pass = pass_of(all_sizes[8], &r);
    struct desk desk = after(&pass, 1, 3), other = after(&other_pass, 2, 5);
    const struct step step = step_of(&pass, 1), other_step = step_of(&other_pass, 2);
    EXPECT_NOTHING_KEPT(take_step(&desk, step), take_step(&other, other_step));
}
