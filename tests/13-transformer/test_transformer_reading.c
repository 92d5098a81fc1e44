/* Tests of lesson 13: the encoder. */
#include "machine.h"

#define ALL_PIECES(_)                                                                              \
    _(TABLE, "d_table", dims_of_rows(z.vocabulary, z.d))                                           \
    ENCODER_WEIGHTS(_, E0, "encoder_0", 1)                                                         \
    ENCODER_WEIGHTS(_, E1, "encoder_1", z.n_encoders > 1)                                          \
    _(MEMORY_GAIN, "d_memory_gain", dims_of_rows(0, z.d))                                          \
    _(MEMORY_BIAS, "d_memory_bias", dims_of_rows(0, z.d))                                          \
    ENCODER_VALUES(_, E0, "encoder_0", z.m)                                                        \
    ENCODER_VALUES(_, E1, "encoder_1", z.n_encoders > 1 ? z.m : 0)                                 \
    _(MEMORY_NORMED, "d_memory_normed", dims_of_rows(z.m, z.d))                                    \
    _(MEMORY_INVERSE_STD, "d_memory_inverse_std", dims_of_rows(0, z.m))                            \
    _(READ, "d_read", dims_of(3, z.n_encoders + 1, z.m, z.d, 1))                                   \
    _(OUT, "d_memory", dims_of_rows(z.m, z.d))
#define LAST_WORDS TABLE
#define LAST_GIVEN MEMORY_BIAS
#define ZEROED(p)  ((p) == E0_FORWARD_HIDDEN || (p) == E1_FORWARD_HIDDEN)

#include "../pieces.h"
#include "../stacked.h"

static const struct sizes all_sizes[] = {ALL_SIZES_WITH_A_SOURCE};

static struct transformer weights_in(const struct work *w, void *const at[PIECES]) {
    const struct sizes z = w->z;
    return (struct transformer){
        z.vocabulary,    z.d,
        z.n_encoders,    z.n_decoders,
        at[TABLE],       {encoder_in(z, at + E0_SELF_GAIN), encoder_in(z, at + E1_SELF_GAIN)},
        at[MEMORY_GAIN], at[MEMORY_BIAS],
        .out_gain = NULL};
}

static struct transformer_values values_in(void *const at[PIECES]) {
    return (struct transformer_values){
        at[READ],
        {encoder_values_in(at + E0_SELF_NORMED), encoder_values_in(at + E1_SELF_NORMED)},
        at[MEMORY_NORMED],
        at[MEMORY_INVERSE_STD],
        at[OUT],
        .written = NULL};
}

static void run(const struct work *w) {
    const struct transformer weights = weights_in(w, w->at);
    struct transformer_values v = values_in(w->at);
    encode_source(w->z.m, &weights, w->beside->words, (const void *)w->beside->P, &v);
}

static void run_back(const struct work *w) {
    struct transformer weights = weights_in(w, w->at), d_weights = weights_in(w, w->d);
    struct transformer_values v = values_in(w->at), d_v = values_in(w->d);
    encode_source_backward(w->z.m, &weights, w->beside->words, &v, &d_v, &d_weights);
}

/* Row b of [n_encoders + 1][m][d_model]. */
static void *between(const struct work *w, void *const at[PIECES], int b) {
    return (double *)at[READ] + b * w->z.m * w->z.d;
}

static void run_obviously(const struct work *w) {
    const int m = w->z.m, blocks = w->z.n_encoders;
    const struct transformer t = weights_in(w, w->at);
    struct transformer_values v = values_in(w->at);
    enter(m, w->z, w->beside, t.table, v.read);
    for (int b = 0; b < blocks; b++)
        encoder_block(m, &t.encoder[b], between(w, w->at, b), NULL, &v.encoder[b],
                      between(w, w->at, b + 1));
    layer_norm(m, w->z.d, between(w, w->at, blocks), t.memory_gain, t.memory_bias, v.memory_normed,
               v.memory_inverse_std, v.memory);
}

static void run_back_obviously(const struct work *w) {
    const int m = w->z.m, blocks = w->z.n_encoders;
    struct transformer t = weights_in(w, w->at), d_t = weights_in(w, w->d);
    struct transformer_values v = values_in(w->at), d_v = values_in(w->d);
    layer_norm_backward(m, w->z.d, t.memory_gain, v.memory_normed, v.memory_inverse_std, d_v.memory,
                        d_t.memory_gain, d_t.memory_bias, between(w, w->d, blocks));
    for (int b = blocks; b-- > 0;)
        encoder_block_backward(m, &t.encoder[b], NULL, &v.encoder[b], between(w, w->d, b + 1),
                               &d_v.encoder[b], &d_t.encoder[b], between(w, w->d, b));
    embed_backward(m, w->z.vocabulary, w->z.d, sqrt(w->z.d), w->beside->words, d_v.read, d_t.table);
}

static const struct function reader = {
    .run = run,
    .run_back = run_back,
    .obvious = run_obviously,
    .obvious_back = run_back_obviously,
    .weights = TABLE,
    .values = E0_SELF_NORMED,
};

static void because_of(const struct work *w, enum piece p) {
    const bool normed = p == MEMORY_NORMED || p == MEMORY_INVERSE_STD;
    BECAUSE_IF(normed && w->d[p], "%s has no gradient, so its matrix in d_v must not change.",
               its(w, p).name);
    if (p == READ && !w->d[p])
        because_of_rows_between("read", w->z.n_encoders, w->z.m * w->z.d, obvious(*w).at[READ],
                                w->at[READ]);
    BECAUSE_IF(p == READ,
               "read[0] is before the first block, and read[%d] after the last. Here m = %d and "
               "d_model = %d.",
               w->z.n_encoders, w->z.m, w->z.d);
    BECAUSE("Here m = %d, d_model = %d, vocabulary = %d and n_encoders = %d.", w->z.m, w->z.d,
            w->z.vocabulary, w->z.n_encoders);
}

/* Random numbers, small enough that no softmax saturates. */
static struct work random_reader(struct sizes z, struct random *r) {
    struct work w = TIMES(random_work(&reader, z, r), 0.5, E0_SELF_W_Q, E0_SELF_W_K, E0_SELF_W_V,
                          E1_SELF_W_Q, E1_SELF_W_K, E1_SELF_W_V);
    w.beside = random_beside(z.m, z.d, z.vocabulary, NULL, r);
    return w;
}

/* encode_source */

/* A block that adds nothing, and a layer norm with gain 1 and bias 0. */
static struct work worked(void) {
    struct random r = random_seed(1301);
    struct work w = random_reader((struct sizes){0, 2, 4, 3, 2, 1, 5, 3, 1, 0}, &r);
    w = TIMES(w, 0.0, E0_SELF_W_O, E0_FORWARD_W_2, E0_FORWARD_B_2);
    PUT(w, TABLE, WORKED_TABLE);
    PUT(w, MEMORY_GAIN, 1, 1, 1, 1);
    PUT(w, MEMORY_BIAS, 0, 0, 0, 0);
    PUT_D_OUT(w, 4, 0, 0, 0, 0, 0, 4, 0);
    w.beside = beside_of(2, 4, WORKED_WORDS, WORKED_P, NULL);
    return w;
}

TEST(encode_source, two_tokens_are_embedded_and_normed) {
    const struct work w = yours(worked());
    BECAUSE("In the table, token 2 is {1.5, 0, .5, 1} and token 0 is {0, 2, 0, 1}. The factor "
            "sqrt(d_model) is 2. The block adds nothing.");
    EXPECT_PUT(w, READ, 3, 1, 1, 3, 0, 4, 2, 2, 3, 1, 1, 3, 0, 4, 2, 2);
    BECAUSE("The layer norm gets the rows after the last block, {3, 1, 1, 3} and {0, 4, 2, 2}.");
    EXPECT_PUT(w, OUT, 1, -1, -1, 1, -1.4142, 1.4142, 0, 0);
}

TEST(encode_source, equal_sizes_agree_with_the_reference) {
    struct random r = random_seed(1303);
    struct sizes one_block = square;
    one_block.n_encoders = 1;
    EXPECT_FORWARD_FROM(random_reader(one_block, &r), READ);
    EXPECT_FORWARD_FROM(random_reader(square, &r), READ);
}

/* With other tokens or another P. */
static struct work with_text(struct work w, const double *words, const double *P) {
    w.beside = beside_of(w.z.m, w.z.d, words, P, NULL);
    return w;
}

TEST(encode_source, without_positions_reversed_tokens_give_reversed_rows) {
    struct random r = random_seed(1305);
    const struct work given = random_reader(square, &r);
    NEW_MATRIX_FILLED(none, 3, 3, 0.0);
    const double(*straight)[3] =
        yours(with_text(given, (const double[]){2, 0, 1}, none[0])).at[OUT];
    NEW_MATRIX(expected, 3, 3);
    for (int i = 0; i < 3; i++)
        memcpy(expected[i], straight[2 - i], sizeof *expected);
    const struct work w = yours(with_text(given, (const double[]){1, 0, 2}, none[0]));
    BECAUSE(
        "P is 0, and the tokens of an earlier call were passed in reverse order. So the rows of "
        "memory are the same, in reverse order.");
    EXPECT_PIECE(w, OUT, expected, LAST_BIT);
}

TEST(encode_source, rows_of_other_tokens_are_not_used) {
    struct random r = random_seed(1307);
    struct work given = random_reader(square, &r);
    given = with_text(given, (const double[]){2, 0, 2}, given.beside->P);
    const double *expected = obvious(given).at[OUT];
    fill(3, NAN, (double *)given.at[TABLE] + 3);
    const struct work w = yours(given);
    BECAUSE("Token 1 does not occur, and its row of the table is NaN, so you must not use it.");
    EXPECT_PIECE(w, OUT, expected, ROUNDING);
}

TEST(encode_source, random_numbers_agree_with_the_reference) {
    struct random r = random_seed(1304);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD_FROM(random_reader(*z, &r), READ);
}

/* The functions take_...() are given. This fails if they were changed by accident. */
TEST(encode_source, the_given_functions_take_values_without_gaps) {
    NEW_VECTOR(numbers, 2000);
    struct room room = {NULL, 0};
    const struct transformer w = take_transformer(&room, 7, 6, 2, 5, 2, 1);
    room = (struct room){numbers, 0};
    struct transformer_values v = take_transformer_values(&room, &w, 4, 3);
    const void *starts[] = {v.read,
                            v.encoder[0].self.normed,
                            v.encoder[1].self.normed,
                            v.memory_normed,
                            v.memory_inverse_std,
                            v.memory,
                            v.written,
                            v.decoder[0].self.normed,
                            v.out_normed,
                            v.out_inverse_std,
                            v.out};
    const int offsets[] = {0, 54, 327, 600, 618, 621, 639, 687, 1327, 1351, 1355};
    for (int i = 0; i < 11; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i],
                    "take_transformer_values: piece %d is at the wrong place", i);
    EXPECT_THAT(room.used == 1379, "%d numbers were taken, but it should be 1379", room.used);
    NEW_MATRIX_FILLED(P, 3, 6, 0.0);
    NEW_VECTOR_FILLED(weights, 2000, 0.0);
    room = (struct room){weights, 0};
    const struct transformer zero = take_transformer(&room, 7, 6, 2, 5, 2, 1);
    encode_source(3, &zero, words_from("words", 3, (const double[]){0, 6, 0}), P, &v);
    BECAUSE("All parameters are 0 here.");
    EXPECT_MATRIX(3, 6, P, v.memory, EXACTLY);
}

TEST(encode_source, tokens_and_parameters_do_not_change) {
    struct random r = random_seed(1308);
    const struct work w = with_room(random_reader(all_sizes[0], &r));
    EXPECT_KEPT(w, run, LAST_GIVEN);
}

TEST(encode_source, two_threads_may_encode_at_once) {
    struct random r = random_seed(1309);
    EXPECT_NO_TRACE(random_reader(all_sizes[0], &r), random_reader(all_sizes[1], &r));
}

/* encode_source_backward */

TEST(encode_source_backward, the_worked_gradients_reach_the_table) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    EXPECT_PUT_D(w, MEMORY_BIAS, 4, 0, 4, 0);
    EXPECT_PUT_D(w, MEMORY_GAIN, 4, 0, 0, 0);
    BECAUSE(
        "The block adds nothing, so the gradient of the layer norm reaches d_read[0] unchanged.");
    EXPECT_PUT_D(w, READ, 2, 0, 0, -2, -0.7071, -0.7071, 2.1213, -0.7071, 2, 0, 0, -2, -0.7071,
                 -0.7071, 2.1213, -0.7071);
    BECAUSE("d_read is right here. The embeddings are multiplied by 2, which is sqrt(d_model).");
    EXPECT_PUT_D(w, TABLE, -1.4142, -1.4142, 4.2426, -1.4142, 0, 0, 0, 0, 4, 0, 0, -4);
}

TEST(encode_source_backward, the_gradients_of_equal_sizes_agree_with_the_reference) {
    struct random r = random_seed(1321);
    EXPECT_BACK(obvious(random_reader(square, &r)), 0.0, 0.0);
}

TEST(encode_source_backward, all_gradients_are_added_to_earlier_ones) {
    struct random r = random_seed(1322);
    EXPECT_BACK(obvious(random_reader(square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_reader(all_sizes[0], &r)), 10.0, 0.0);
}

TEST(encode_source_backward, gradients_already_in_d_v_are_passed_on) {
    struct random r = random_seed(1323);
    EXPECT_BACK(obvious(random_reader(square, &r)), 0.0, 0.5);
}

static struct work smooth_reader(struct sizes z, struct random *r) {
    for (;;) {
        const struct work w = obvious(random_reader(z, r));
        const struct transformer t = weights_in(&w, w.at);
        if (has_slopes(z.m, &t.encoder[0].forward, w.at[E0_FORWARD_SCALED]) &&
            (z.n_encoders < 2 || has_slopes(z.m, &t.encoder[1].forward, w.at[E1_FORWARD_SCALED])))
            return w;
    }
}

TEST(encode_source_backward, all_gradients_agree_with_a_gradient_check) {
    struct random r = random_seed(1325);
    EXPECT_SLOPES(smooth_reader((struct sizes){0, 2, 4, 3, 1, 1, 2, 5, 2, 0}, &r), run);
}

TEST(encode_source_backward, random_gradients_agree_with_the_reference) {
    struct random r = random_seed(1326);
    FOR_ALL_SIZES(z)
    EXPECT_BACK(obvious(random_reader(*z, &r)), 1.0, 0.0);
}

TEST(encode_source_backward, values_of_the_forward_pass_do_not_change) {
    struct random r = random_seed(1327);
    const struct work w = with_gradients(obvious(random_reader(all_sizes[0], &r)), 0.0, 0.0);
    EXPECT_KEPT(w, run_back, OUT);
}

TEST(encode_source_backward, two_threads_may_run_backward_at_once) {
    struct random r = random_seed(1329);
    EXPECT_NO_TRACE_BACK(random_reader(all_sizes[0], &r), random_reader(all_sizes[1], &r));
}

/* Laws of the functions (common/testing/laws.h). */

static const struct sizes few = {2, 3, 4, 5, 2, 1, 3, 6, 1, 1};

LAWS(encode_source) {
    struct random r = random_seed(1);
    probe_forward(random_reader(few, &r));
}

LAWS(encode_source_backward) {
    struct random r = random_seed(1);
    probe_backward(random_reader(few, &r), false);
}
