/* What the tests of lesson 12 share: the pieces of a block with three layers, for all tokens at
   once or for one after the other. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "decoder.h"

/* If m is 0, there is no memory. */
struct sizes {
    int n, m, d, d_ff, n_heads, n_kv_heads, d_head;
};

#include "../layers.h"

#define ALL_PIECES(_)                                                                              \
    _(X, "d_X", dims_of(2, z.n, z.d, 1, 1))                                                        \
    _(MEMORY, "d_memory", dims_of(2, z.m, z.d, 1, 1))                                              \
    ATTENTION_WEIGHTS(_, SELF, "self", 1)                                                          \
    ATTENTION_WEIGHTS(_, CROSS, "cross", z.m > 0)                                                  \
    FORWARD_WEIGHTS(_, FORWARD, "forward", 1)                                                      \
    ATTENTION_VALUES(_, SELF, "self", z.n, z.n)                                                    \
    _(ATTENDED, "d_attended", dims_of(2, z.n, z.d, 1, 1))                                          \
    ATTENTION_VALUES(_, CROSS, "cross", z.m ? z.n : 0, z.m)                                        \
    _(CROSSED, "d_crossed", dims_of(2, z.m ? z.n : 0, z.d, 1, 1))                                  \
    FORWARD_VALUES(_, FORWARD, "forward", z.n)                                                     \
    _(OUT, "d_out", dims_of(2, z.n, z.d, 1, 1))
#define LAST_WORDS MEMORY
#define LAST_GIVEN FORWARD_B_2
#define ZEROED(p)  ((p) == FORWARD_HIDDEN)

#include "../pieces.h"
#include "../stacked.h"

/* The sizes of a set differ, except the two numbers of heads. Each size is 1 in some set, and in
   the last set all of them are. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 7, 2, 1, 6}, {4, 7, 3, 5, 6, 2, 1}, {5, 0, 4, 3, 2, 1, 6}, {2, 4, 5, 7, 3, 1, 6},
    {3, 1, 4, 6, 2, 2, 5}, {1, 3, 4, 5, 2, 2, 6}, {4, 0, 3, 1, 2, 2, 5}, {3, 4, 1, 5, 2, 1, 6},
    {2, 3, 6, 4, 1, 1, 5}, {1, 1, 1, 1, 1, 1, 1},
};
/* All sizes are 3, so that matrices that were confused fit. The second set has no memory. */
static const struct sizes square = {3, 3, 3, 3, 1, 1, 3}, square_alone = {3, 0, 3, 3, 1, 1, 3};

/* Without a memory, m is ignored, so it may have any value. */
static inline int m_of(struct sizes z) {
    return z.m ? z.m : z.n + 1;
}

static inline void because_of(const struct work *w, enum piece p) {
    const struct sizes z = w->z;
    const char *name = strrchr(its(w, p).name, '_');
    BECAUSE_IF(w->d[p] && name &&
                   (!strcmp(name, "_normed") || !strcmp(name, "_std") || !strcmp(name, "_weights")),
               "d_v has no gradient for %s, so leave it unchanged.", its(w, p).name);
    BECAUSE("n = %d, m = %d, d_model = %d and d_ff = %d here; memory is %s, blocked is %s.", z.n,
            m_of(z), z.d, z.d_ff, z.m ? "a matrix" : "NULL", w->blocked ? "a mask" : "NULL");
}

/* The structs of decoder.h around these. */
static inline struct decoder_block block_in(const struct work *w, void *const at[PIECES]) {
    return decoder_in(w->z, at + SELF_GAIN);
}

static inline struct decoder_values values_in(void *const at[PIECES]) {
    return decoder_values_in(at + SELF_NORMED);
}

/* The layers of earlier lessons, one after the other. */
static inline void run_obviously(const struct work *w) {
    const int n = w->z.n;
    const struct decoder_block b = block_in(w, w->at);
    struct decoder_values v = values_in(w->at);
    attention_layer(n, n, &b.self, w->at[X], NULL, w->blocked, &v.self, v.attended);
    if (w->z.m)
        attention_layer(n, w->z.m, &b.cross, v.attended, w->at[MEMORY], NULL, &v.cross, v.crossed);
    feed_forward_layer(n, &b.forward, w->z.m ? v.crossed : v.attended, &v.forward, w->at[OUT]);
}

/* Random numbers, small enough for the softmax to have useful derivatives. */
static inline struct work random_block(const struct function *f, struct sizes z, struct random *r) {
    return TIMES(random_work(f, z, r), 0.5, SELF_W_Q, SELF_W_K, SELF_W_V, CROSS_W_Q, CROSS_W_K,
                 CROSS_W_V);
}

/* One head, and all matrices are the identity. The tokens are those of the block in lesson 11. */
static inline struct work worked_block(const struct function *f) {
    struct work w = {.f = f, .z = {2, 3, 2, 2, 1, 1, 2}};
    for (enum piece p = SELF_GAIN; p <= LAST_GIVEN; p++)
        w.at[p] = filled(&w, p, UNNAMED, p == SELF_GAIN || p == CROSS_GAIN || p == FORWARD_GAIN);
    const enum piece identities[] = {SELF_W_Q,  SELF_W_K,  SELF_W_V,  SELF_W_O,    CROSS_W_Q,
                                     CROSS_W_K, CROSS_W_V, CROSS_W_O, FORWARD_W_1, FORWARD_W_2};
    for (int i = 0; i < 10; i++)
        PUT(w, identities[i], 1, 0, 0, 1);
    PUT(w, X, 3, 1, 0, 2);
    PUT(w, MEMORY, 2, 0, 0, 2, 1, 1);
    PUT_D_OUT(w, 1, 0, 0, 0);
    return causal(w);
}

/* The last matrices are 0, so no layer adds anything. */
static inline struct work silent_block(const struct function *f, struct sizes z, struct random *r) {
    return TIMES(random_block(f, z, r), 0.0, SELF_W_O, CROSS_W_O, FORWARD_W_2, FORWARD_B_2);
}

#endif
