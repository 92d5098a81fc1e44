/* Tests of lesson 13: one token at a time, with KV caches. */
#include "writing.h"

static const struct function whole_pass = {
    .obvious = write_obviously,
    .weights = MEMORY,
    .values = D0_SELF_NORMED,
};

/* A whole forward pass, computed by functions of earlier lessons. One token at a time must give the
   same. */
static struct work pass_of(struct sizes z, struct random *r) {
    return obvious(random_writer(&whole_pass, z, r));
}

/* The piece of block b that corresponds to the given piece of block 0. */
static enum piece of_block(int b, enum piece of_first) {
    return of_first + (enum piece)(b * (D1_SELF_NORMED - D0_SELF_NORMED));
}

/* Caches and values with space for `longest` tokens. Parameters and memory have the names of the
   header. */
struct desk {
    struct sizes z;
    struct transformer w;
    struct transformer_values v;
    struct caches caches;
};

/* The memory caches have space for twice m rows, so a test can see rows that were appended to old
   ones. */
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

/* The memory caches are filled, and `words` tokens are written. */
static struct desk after(const struct work *pass, int words, int longest) {
    struct desk desk = desk_of(pass, longest);
    for (int b = 0; b < pass->z.n_decoders; b++) {
        know(pass, of_block(b, D0_SELF_K), words, &desk.caches.written[b]);
        if (pass->z.n_encoders)
            know(pass, of_block(b, D0_CROSS_K), pass->z.m, &desk.caches.memory[b]);
    }
    return desk;
}

/* Compares a cache with the keys and values of the whole pass. */
static void expect_known(int line, const struct work *pass, int b, enum piece K,
                         const struct cache *cache) {
    for (int i = 0; i < 2; i++) {
        BECAUSE("These rows are in caches->%s[%d]. The source has %d tokens.",
                K == D0_SELF_K ? "written" : "memory", b, pass->z.m);
        expect_rows(line, pass, of_block(b, K) + (enum piece)i, cache->length, cache, i ? "V" : "K",
                    i ? cache->V : cache->K, ROUNDING);
    }
}

static void expect_length(int line, int expected, const char *which, int b,
                          const struct cache *cache) {
    const bool keys = expected > 0 && *(double *)cache->K != NOBODYS;
    BECAUSE(
        "The length of a cache is the number of its filled rows. cache_rows() adds a row for each "
        "token of the memory, and decoder_block_next() one for each written token.");
    expect_that(line, cache->length == expected,
                "the length of caches->%s[%d] is %d%s, but it should be %d", which, b,
                cache->length,
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

/* After the start no token is written, and each block has its own keys of the memory. */
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

/* W_k is the identity, and W_v is twice the identity. */
TEST(start_decoding, the_memory_becomes_keys_and_values) {
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
    BECAUSE("memory is {1, -1}, {2, 0}. In cross, W_k is the identity and W_v is twice that.");
    EXPECT_MATRIX(2, 2, OF(1, -1, 2, 0), K_of_memory, FOUR_DECIMALS);
    BECAUSE("memory is {1, -1}, {2, 0}. In cross, W_k is the identity and W_v is twice that.");
    EXPECT_MATRIX(2, 2, OF(2, -2, 4, 0), V_of_memory, FOUR_DECIMALS);
}

TEST(start_decoding, each_block_has_keys_of_its_own) {
    struct random r = random_seed(1402);
    const struct work pass = pass_of(square, &r);
    EXPECT_STARTED(pass, desk_of(&pass, 4));
}

TEST(start_decoding, caches_of_written_tokens_become_empty) {
    struct random r = random_seed(1403);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    EXPECT_STARTED(alone, after(&alone, 3, 5));
    EXPECT_STARTED(pass, after(&pass, 3, 5));
}

/* The keys of the last source were 9. */
TEST(start_decoding, the_old_source_is_replaced) {
    struct random r = random_seed(1405);
    const struct work pass = pass_of(square, &r);
    struct desk desk = after(&pass, 3, 5);
    for (int b = 0; b < pass.z.n_decoders; b++)
        fill(2 * pass.z.m * pass.z.d, 9.0, desk.caches.memory[b].K);
    EXPECT_STARTED(pass, desk);
}

/* There are no memory caches either. */
TEST(start_decoding, without_encoder_blocks_m_is_ignored_at_the_start) {
    struct random r = random_seed(1404);
    const struct work pass = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 2, 4);
    desk.z.m = 3;
    EXPECT_STARTED(pass, desk);
}

TEST(start_decoding, random_memories_agree_with_the_reference) {
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
                "take_caches: %s[%d] is at the wrong place, or its capacity is not %d", name, b,
                capacity);
}

/* The functions take_...() are given. This fails if they were changed by accident. */
TEST(start_decoding, the_given_functions_take_caches_without_gaps) {
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
    EXPECT_THAT(room.used == first + 168, "%d numbers were taken, but it should be 168",
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

/* A token of the whole pass, its row of P, and space for its logits. */
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

/* The logits must be row i of those of the whole pass. */
static void expect_next(int line, const struct work *pass, struct desk *desk, int i) {
    const struct sizes z = pass->z;
    const double(*right)[z.vocabulary] = pass->at[OUT];
    const double *logits = next(pass, desk, i);
    BECAUSE("Here n_encoders = %d, n_decoders = %d, d_model = %d, and %d tokens are written before "
            "this one. The last row of decode_target() has the same logits.",
            z.n_encoders, z.n_decoders, z.d, i);
    expect_numbers(line, "logits", 1, z.vocabulary, right[i], logits, ROUNDING / 100);
}
#define EXPECT_NEXT(pass, desk, i) expect_next(__LINE__, &(pass), &(desk), i)

TEST(decode_next, two_tokens_give_the_worked_logits_one_by_one) {
    const struct work pass = obvious(worked_writer(&whole_pass));
    struct desk desk = after(&pass, 0, 2);
    NEW_MATRIX_LIKE(logits, 1, 3, next(&pass, &desk, 0));
    BECAUSE("Token 2 enters as {3, 1, 1, 3}, the block adds nothing, and out is {1, -1, -1, 1}.");
    EXPECT_MATRIX(1, 3, OF(-1, 3, 2), logits, FOUR_DECIMALS);
    expect_length(__LINE__, 1, "written", 0, &desk.caches.written[0]);
    logits = matrix_copy("logits", 1, 3, next(&pass, &desk, 1));
    BECAUSE("Token 0 enters as {0, 4, 2, 2}, and out is {-1.4142, 1.4142, 0, 0}.");
    EXPECT_MATRIX(1, 3, OF(2.8284, -2.8284, -2.1213), logits, FOUR_DECIMALS);
    expect_length(__LINE__, 2, "written", 0, &desk.caches.written[0]);
}

TEST(decode_next, the_first_token_attends_to_the_memory_and_itself) {
    struct random r = random_seed(1420);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 0, 4), other = after(&alone, 0, 4);
    EXPECT_NEXT(alone, other, 0);
    EXPECT_NEXT(pass, desk, 0);
}

TEST(decode_next, the_last_token_attends_to_all_before_it) {
    struct random r = random_seed(1421);
    const struct work pass = pass_of(square, &r), alone = pass_of(square_alone, &r);
    struct desk desk = after(&pass, 2, 4), other = after(&alone, 2, 4);
    EXPECT_NEXT(alone, other, 2);
    EXPECT_NEXT(pass, desk, 2);
}

TEST(decode_next, every_block_caches_the_token_and_keeps_the_memory) {
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

/* The rows of token i in the whole pass. */
static void expect_rows_between(int line, const struct work *pass, const struct desk *desk, int i) {
    const int blocks = pass->z.n_decoders, d = pass->z.d;
    NEW_MATRIX(of_the_pass, blocks + 1, d);
    for (int b = 0; b <= blocks; b++)
        memcpy(of_the_pass[b], (double *)between(pass, pass->at, b) + i * d, sizeof of_the_pass[b]);
    BECAUSE("written[0] is the row before the first block, written[%d] the row after the last. A "
            "block reads one row and writes the next.",
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

TEST(decode_next, one_token_at_a_time_gives_the_whole_pass) {
    struct random r = random_seed(1424);
    FOR_ALL_SIZES(z) {
        const struct work pass = pass_of(*z, &r);
        struct desk desk = after(&pass, 0, z->n);
        for (int i = 0; i < z->n; i++)
            EXPECT_NEXT(pass, desk, i);
    }
}

/* The same caches, but other tokens, and another memory. */
TEST(decode_next, a_second_sentence_does_not_depend_on_the_first) {
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

TEST(decode_next, two_threads_may_decode_the_next_token_at_once) {
    struct random r = random_seed(1426);
    const struct work pass = pass_of(all_sizes[0], &r), other_pass = pass_of(all_sizes[8], &r);
    struct desk desk = after(&pass, 1, 3), other = after(&other_pass, 2, 5);
    const struct step step = step_of(&pass, 1), other_step = step_of(&other_pass, 2);
    EXPECT_NOTHING_KEPT(take_step(&desk, step), take_step(&other, other_step));
}
