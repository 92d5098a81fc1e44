/* What the tests of lesson 12 share: the pieces of a block with three layers, whose words go
   through all at once or one by one. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "decoder.h"

#include <math.h>

/* Where m is 0, nothing was read. */
struct sizes {
    int n, m, d, d_ff, n_heads, n_kv_heads, d_head;
};

/* An attention layer's pieces, in the order of its structs. `any` is 0 or 1, m the words asked. */
#define WEIGHTS_OF(_, LAYER, of, any)                                                              \
    _(LAYER##_GAIN, "d_" of "_gain", dims_of(1, (any)*z.d, 1, 1, 1))                               \
    _(LAYER##_BIAS, "d_" of "_bias", dims_of(1, (any)*z.d, 1, 1, 1))                               \
    _(LAYER##_W_Q, "d_" of "_W_q", dims_of(2, (any)*z.d, z.n_heads *z.d_head, 1, 1))               \
    _(LAYER##_W_K, "d_" of "_W_k", dims_of(2, (any)*z.d, z.n_kv_heads *z.d_head, 1, 1))            \
    _(LAYER##_W_V, "d_" of "_W_v", dims_of(2, (any)*z.d, z.n_kv_heads *z.d_head, 1, 1))            \
    _(LAYER##_W_O, "d_" of "_W_o", dims_of(2, (any)*z.n_heads *z.d_head, z.d, 1, 1))
#define VALUES_OF(_, LAYER, of, any, m)                                                            \
    _(LAYER##_NORMED, "d_" of "_normed", dims_of(2, (any)*z.n, z.d, 1, 1))                         \
    _(LAYER##_INVERSE_STD, "d_" of "_inverse_std", dims_of(1, (any)*z.n, 1, 1, 1))                 \
    _(LAYER##_SCALED, "d_" of "_scaled", dims_of(2, (any)*z.n, z.d, 1, 1))                         \
    _(LAYER##_ROWS_Q, "d_" of "_rows_q", dims_of(2, (any)*z.n, z.n_heads *z.d_head, 1, 1))         \
    _(LAYER##_ROWS_K, "d_" of "_rows_k", dims_of(2, m, z.n_kv_heads *z.d_head, 1, 1))              \
    _(LAYER##_ROWS_V, "d_" of "_rows_v", dims_of(2, m, z.n_kv_heads *z.d_head, 1, 1))              \
    _(LAYER##_Q, "d_" of "_Q", dims_of(3, (any)*z.n_heads, z.n, z.d_head, 1))                      \
    _(LAYER##_K, "d_" of "_K", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                           \
    _(LAYER##_V, "d_" of "_V", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                           \
    _(LAYER##_WEIGHTS, "d_" of "_weights", dims_of(3, z.n_heads, z.n, m, 1))                       \
    _(LAYER##_HEADS, "d_" of "_heads", dims_of(3, (any)*z.n_heads, z.n, z.d_head, 1))              \
    _(LAYER##_ROWS_OUT, "d_" of "_rows_out", dims_of(2, (any)*z.n, z.n_heads *z.d_head, 1, 1))

#define ALL_PIECES(_)                                                                              \
    WEIGHTS_OF(_, SELF, "self", 1)                                                                 \
    WEIGHTS_OF(_, CROSS, "cross", z.m > 0)                                                         \
    _(GAIN, "d_forward_gain", dims_of(1, z.d, 1, 1, 1))                                            \
    _(BIAS, "d_forward_bias", dims_of(1, z.d, 1, 1, 1))                                            \
    _(W_1, "d_W_1", dims_of(2, z.d, z.d_ff, 1, 1))                                                 \
    _(B_1, "d_b_1", dims_of(1, z.d_ff, 1, 1, 1))                                                   \
    _(W_2, "d_W_2", dims_of(2, z.d_ff, z.d, 1, 1))                                                 \
    _(B_2, "d_b_2", dims_of(1, z.d, 1, 1, 1))                                                      \
    _(X, "d_X", dims_of(2, z.n, z.d, 1, 1))                                                        \
    _(MEMORY, "d_memory", dims_of(2, z.m, z.d, 1, 1))                                              \
    VALUES_OF(_, SELF, "self", 1, z.n)                                                             \
    _(ATTENDED, "d_attended", dims_of(2, z.n, z.d, 1, 1))                                          \
    VALUES_OF(_, CROSS, "cross", z.m > 0, z.m)                                                     \
    _(CROSSED, "d_crossed", dims_of(2, (z.m > 0) * z.n, z.d, 1, 1))                                \
    _(NORMED, "d_forward_normed", dims_of(2, z.n, z.d, 1, 1))                                      \
    _(INVERSE_STD, "d_forward_inverse_std", dims_of(1, z.n, 1, 1, 1))                              \
    _(SCALED, "d_forward_scaled", dims_of(2, z.n, z.d, 1, 1))                                      \
    _(HIDDEN, "d_hidden", dims_of(2, z.n, z.d_ff, 1, 1))                                           \
    _(OUT, "d_out", dims_of(2, z.n, z.d, 1, 1))
#define LAST_GIVEN MEMORY
#define ZEROED(p)  ((p) == HIDDEN)

#include "../pieces.h"

/* No two of a set alike but for the heads, which may be as many; each is 1 somewhere; and all are.
 */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 7, 2, 1, 6}, {4, 7, 3, 5, 6, 2, 1}, {5, 0, 4, 3, 2, 1, 6}, {2, 4, 5, 7, 3, 1, 6},
    {3, 1, 4, 6, 2, 2, 5}, {1, 3, 4, 5, 2, 2, 6}, {4, 0, 3, 1, 2, 2, 5}, {3, 4, 1, 5, 2, 1, 6},
    {2, 3, 6, 4, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1},
};
/* n, m and d are 3 here, and all else has 3 numbers, so that what is mixed up has a shape that
   fits; but for the memory in the second. */
static const struct sizes square = {3, 3, 3, 3, 1, 1, 3}, square_alone = {3, 0, 3, 3, 1, 1, 3};

static inline void because_of(const struct work *w, enum piece p) {
    BECAUSE_IF((p == NORMED || p == INVERSE_STD || p == SELF_NORMED || p == SELF_INVERSE_STD ||
                p == SELF_WEIGHTS || p == CROSS_NORMED || p == CROSS_INVERSE_STD ||
                p == CROSS_WEIGHTS) &&
                   w->d[p],
               "No gradient of %s is kept: in d_v it stays as it is.", its(w, p).name);
    BECAUSE("n = %d, m = %d, d_model = %d and d_ff = %d here; memory is %s, blocked is %s.", w->z.n,
            w->z.m ? w->z.m : w->z.n, w->z.d, w->z.d_ff, w->z.m ? "a matrix" : "NULL",
            w->blocked ? "a mask" : "NULL");
}

/* The structs of decoder.h around these. */
static inline struct attention_layer layer_in(const struct work *w, void *const at[]) {
    const struct sizes z = w->z;
    return (struct attention_layer){
        at[0], at[1], {z.d, z.n_heads, z.n_kv_heads, z.d_head, at[2], at[3], at[4], at[5]}};
}

static inline struct attention_layer_values layer_values_in(void *const at[]) {
    return (struct attention_layer_values){
        at[0], at[1], at[2], {at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10], at[11]}};
}

static inline struct decoder_block block_in(const struct work *w, void *const at[PIECES]) {
    return (struct decoder_block){
        layer_in(w, at + SELF_GAIN),
        layer_in(w, at + CROSS_GAIN),
        {w->z.d, w->z.d_ff, at[GAIN], at[BIAS], at[W_1], at[B_1], at[W_2], at[B_2]}};
}

static inline struct decoder_values values_in(void *const at[PIECES]) {
    return (struct decoder_values){layer_values_in(at + SELF_NORMED),
                                   at[ATTENDED],
                                   layer_values_in(at + CROSS_NORMED),
                                   at[CROSSED],
                                   {at[NORMED], at[INVERSE_STD], at[SCALED], at[HIDDEN]}};
}

/* The layers of the lessons before, one after the other. */
static inline void run_obviously(const struct work *w) {
    const int n = w->z.n;
    const struct decoder_block b = block_in(w, w->at);
    const struct decoder_values v = values_in(w->at);
    attention_layer(n, n, &b.self, w->at[X], NULL, w->blocked, &v.self, v.attended);
    if (w->z.m)
        attention_layer(n, w->z.m, &b.cross, v.attended, w->at[MEMORY], NULL, &v.cross, v.crossed);
    forward_layer(n, &b.forward, w->z.m ? v.crossed : v.attended, &v.forward, w->at[OUT]);
}

/* A word looks at itself and at what is before it. */
static inline void *causal_mask(const char *name, int n) {
    bool(*blocked)[n] = mask_new(name, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            blocked[i][j] = j > i;
    return blocked;
}

static inline struct work causal(struct work w) {
    w.blocked = causal_mask(w.f->run ? "blocked" : UNNAMED, w.z.n);
    return w;
}

/* At random, away from where the softmax is flat. */
static inline struct work random_block(const struct function *f, struct sizes z, struct random *r) {
    struct work w = random_work(f, z, r);
    const enum piece asking[] = {SELF_W_Q, SELF_W_K, SELF_W_V, CROSS_W_Q, CROSS_W_K, CROSS_W_V};
    for (int i = 0; i < 6; i++)
        if (w.at[asking[i]])
            scale_into(count_of(&w, asking[i]), 0.5, w.at[asking[i]], w.at[asking[i]]);
    return w;
}

/* One head, and all matrices are the identity. The words are those of lesson 11's block. */
static inline struct work worked_block(const struct function *f) {
    struct work w = {.f = f, .z = {2, 3, 2, 2, 1, 1, 2}};
    for (enum piece p = SELF_GAIN; p < X; p++)
        w.at[p] = filled(&w, p, UNNAMED, p == SELF_GAIN || p == CROSS_GAIN || p == GAIN);
    const enum piece identities[] = {SELF_W_Q,  SELF_W_K,  SELF_W_V,  SELF_W_O, CROSS_W_Q,
                                     CROSS_W_K, CROSS_W_V, CROSS_W_O, W_1,      W_2};
    for (int i = 0; i < 10; i++)
        PUT(w, identities[i], 1, 0, 0, 1);
    PUT(w, X, 3, 1, 0, 2);
    PUT(w, MEMORY, 2, 0, 0, 2, 1, 1);
    PUT_D_OUT(w, 1, 0, 0, 0);
    return causal(w);
}

/* The last matrices are 0, and no layer says anything. */
static inline struct work silent_block(const struct function *f, struct sizes z, struct random *r) {
    struct work w = random_block(f, z, r);
    const enum piece last[] = {SELF_W_O, CROSS_W_O, W_2, B_2};
    for (int i = 0; i < 4; i++)
        if (w.at[last[i]])
            fill(count_of(&w, last[i]), 0.0, w.at[last[i]]);
    return w;
}

#endif
