/* The pieces of the decoder, for the tests of all positions at once and of one token at a time. */
#ifndef WRITING_H
#define WRITING_H

#include "machine.h"

#define ALL_PIECES(_)                                                                              \
    _(MEMORY, "d_memory", dims_of(2, z.n_encoders ? z.m : 0, z.d, 1, 1))                           \
    _(TABLE, "d_table", dims_of_rows(z.vocabulary, z.d))                                           \
    DECODER_WEIGHTS(_, D0, "decoder_0", 1, z.n_encoders > 0)                                       \
    DECODER_WEIGHTS(_, D1, "decoder_1", z.n_decoders > 1, z.n_encoders > 0)                        \
    _(OUT_GAIN, "d_out_gain", dims_of_rows(0, z.d))                                                \
    _(OUT_BIAS, "d_out_bias", dims_of_rows(0, z.d))                                                \
    DECODER_VALUES(_, D0, "decoder_0", z.n, z.n_encoders ? z.m : 0)                                \
    DECODER_VALUES(_, D1, "decoder_1", z.n_decoders > 1 ? z.n : 0,                                 \
                   z.n_decoders > 1 && z.n_encoders ? z.m : 0)                                     \
    _(WRITTEN, "d_written", dims_of(3, z.n_decoders + 1, z.n, z.d, 1))                             \
    _(OUT_NORMED, "d_out_normed", dims_of_rows(z.n, z.d))                                          \
    _(OUT_INVERSE_STD, "d_out_inverse_std", dims_of_rows(0, z.n))                                  \
    _(OUT_ROWS, "d_out", dims_of_rows(z.n, z.d))                                                   \
    _(OUT, "d_logits", dims_of_rows(z.n, z.vocabulary))
#define LAST_WORDS TABLE
#define LAST_GIVEN OUT_BIAS
#define ZEROED(p)  ((p) == D0_FORWARD_HIDDEN || (p) == D1_FORWARD_HIDDEN)

#include "../pieces.h"
#include "../stacked.h"

static const struct sizes all_sizes[] = {ALL_SIZES_WITH_A_SOURCE, ALL_SIZES_WITHOUT_ONE};

static inline struct transformer weights_in(const struct work *w, void *const at[PIECES]) {
    const struct sizes z = w->z;
    return (struct transformer){
        .vocabulary = z.vocabulary,
        .d_model = z.d,
        .n_encoders = z.n_encoders,
        .n_decoders = z.n_decoders,
        .table = at[TABLE],
        .decoder = {decoder_in(z, at + D0_SELF_GAIN), decoder_in(z, at + D1_SELF_GAIN)},
        .out_gain = at[OUT_GAIN],
        .out_bias = at[OUT_BIAS]};
}

/* Without a source, memory is an address without numbers, as in a room. */
static double no_memory[1] = {NAN};
static inline struct transformer_values values_in(const struct work *w, void *const at[PIECES]) {
    return (struct transformer_values){
        .read = at == w->at ? w->beside->read : NULL,
        .memory = at[MEMORY] ? at[MEMORY] : no_memory,
        .written = at[WRITTEN],
        .decoder = {decoder_values_in(at + D0_SELF_NORMED), decoder_values_in(at + D1_SELF_NORMED)},
        .out_normed = at[OUT_NORMED],
        .out_inverse_std = at[OUT_INVERSE_STD],
        .out = at[OUT_ROWS]};
}

/* Row b of [n_decoders + 1][n][d_model]. */
static inline void *between(const struct work *w, void *const at[PIECES], int b) {
    return (double *)at[WRITTEN] + b * w->z.n * w->z.d;
}

static inline void write_obviously(const struct work *w) {
    const int n = w->z.n, blocks = w->z.n_decoders;
    const struct transformer t = weights_in(w, w->at);
    struct transformer_values v = values_in(w, w->at);
    enter(n, w->z, w->beside, t.table, v.written);
    for (int b = 0; b < blocks; b++)
        decoder_block(n, w->z.m, &t.decoder[b], between(w, w->at, b), w->at[MEMORY], w->blocked,
                      &v.decoder[b], between(w, w->at, b + 1));
    layer_norm(n, w->z.d, between(w, w->at, blocks), t.out_gain, t.out_bias, v.out_normed,
               v.out_inverse_std, v.out);
    product_by_rows(n, w->z.d, w->z.vocabulary, v.out, t.table, w->at[OUT]);
}

/* The rows between the encoder blocks, which the decoder must not use. */
static inline void *of_read(struct sizes z, struct random *r) {
    if (z.n_encoders == 0)
        return NULL;
    NEW_BLOCK(of_the_test, z.n_encoders + 1, z.m, z.d);
    return random_fill_normal(r, (z.n_encoders + 1) * z.m * z.d, of_the_test);
}

/* Random numbers with a causal mask, small enough that no softmax saturates. */
static inline struct work random_writer(const struct function *f, struct sizes z,
                                        struct random *r) {
    struct work w = TIMES(random_work(f, z, r), 0.5, D0_SELF_W_Q, D0_SELF_W_K, D0_SELF_W_V,
                          D0_CROSS_W_Q, D0_CROSS_W_K, D0_CROSS_W_V, D1_SELF_W_Q, D1_SELF_W_K,
                          D1_SELF_W_V, D1_CROSS_W_Q, D1_CROSS_W_K, D1_CROSS_W_V);
    w.beside = random_beside(z.n, z.d, z.vocabulary, of_read(z, r), r);
    return causal(w);
}

/* A decoder-only model of one block that adds nothing, and a layer norm with gain 1 and bias 0. */
static inline struct work worked_writer(const struct function *f) {
    struct random r = random_seed(1340);
    struct work w = TIMES(random_writer(f, (struct sizes){2, 0, 4, 3, 2, 1, 5, 3, 0, 1}, &r), 0.0,
                          D0_SELF_W_O, D0_FORWARD_W_2, D0_FORWARD_B_2);
    PUT(w, TABLE, WORKED_TABLE);
    PUT(w, OUT_GAIN, 1, 1, 1, 1);
    PUT(w, OUT_BIAS, 0, 0, 0, 0);
    PUT_D_OUT(w, 1, 0, 0, 0, 0, 0);
    w.beside = beside_of(2, 4, WORKED_WORDS, WORKED_P, NULL);
    return w;
}

static inline struct work with_text(struct work w, const double *words, const double *P) {
    w.beside = beside_of(w.z.n, w.z.d, words, P, w.beside->read);
    return w;
}

static inline void because_of(const struct work *w, enum piece p) {
    const bool normed = p == OUT_NORMED || p == OUT_INVERSE_STD;
    BECAUSE_IF(normed && w->d[p], "%s has no gradient, so its matrix in d_v must not change.",
               its(w, p).name);
    if (p == WRITTEN && !w->d[p])
        because_of_rows_between("written", w->z.n_decoders, w->z.n * w->z.d,
                                obvious(*w).at[WRITTEN], w->at[WRITTEN]);
    BECAUSE_IF(p == WRITTEN,
               "written[0] is before the first block, and written[%d] after the last. Here n = %d, "
               "m = %d and d_model = %d.",
               w->z.n_decoders, w->z.n, w->z.m, w->z.d);
    BECAUSE("Here n = %d, m = %d, d_model = %d, vocabulary = %d, n_encoders = %d and n_decoders "
            "= %d.",
            w->z.n, w->z.m, w->z.d, w->z.vocabulary, w->z.n_encoders, w->z.n_decoders);
}

#endif
