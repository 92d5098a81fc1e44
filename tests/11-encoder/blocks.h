/* Shared by the tests of lesson 11: the members of a network, of a layer and of a block. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "encoder.h"

#include <math.h>

struct sizes {
    int n, d, d_ff, n_heads, n_kv_heads, d_head;
};

/* A block has two layer norms. */
#define OF_FORWARD(name) (w->f->weights < GAIN ? "d_forward_" name : "d_" name)

#define ALL_PIECES(_)                                                                              \
    _(X, "d_X", dims_of_rows(z.n, z.d))                                                            \
    _(SELF_GAIN, "d_self_gain", dims_of_rows(0, z.d))                                              \
    _(SELF_BIAS, "d_self_bias", dims_of_rows(0, z.d))                                              \
    HEADS_WEIGHTS(_, , "", 1)                                                                      \
    _(GAIN, OF_FORWARD("gain"), dims_of_rows(0, z.d))                                              \
    _(BIAS, OF_FORWARD("bias"), dims_of_rows(0, z.d))                                              \
    _(W_1, "d_W_1", dims_of_rows(z.d, z.d_ff))                                                     \
    _(B_1, "d_b_1", dims_of_rows(0, z.d_ff))                                                       \
    _(W_2, "d_W_2", dims_of_rows(z.d_ff, z.d))                                                     \
    _(B_2, "d_b_2", dims_of_rows(0, z.d))                                                          \
    _(SELF_NORMED, "d_self_normed", dims_of_rows(z.n, z.d))                                        \
    _(SELF_INVERSE_STD, "d_self_inverse_std", dims_of_rows(0, z.n))                                \
    _(SELF_SCALED, "d_self_scaled", dims_of_rows(z.n, z.d))                                        \
    HEADS_VALUES(_, , "", z.n, z.n)                                                                \
    _(ATTENDED, "d_attended", dims_of_rows(z.n, z.d))                                              \
    _(NORMED, OF_FORWARD("normed"), dims_of_rows(z.n, z.d))                                        \
    _(INVERSE_STD, OF_FORWARD("inverse_std"), dims_of_rows(0, z.n))                                \
    _(SCALED, OF_FORWARD("scaled"), dims_of_rows(z.n, z.d))                                        \
    _(HIDDEN, "d_hidden", dims_of_rows(z.n, z.d_ff))                                               \
    _(OUT, "d_out", dims_of_rows(z.n, z.d))
#define LAST_WORDS X
#define LAST_GIVEN B_2
#define ZEROED(p)  ((p) == HIDDEN)

#include "../heads.h"
#include "../kink.h"
#include "../pieces.h"

/* The sizes of a set differ, so that exchanged sizes are noticed. Each size is 1 in some set, and
   in the last one all are 1. */
static const struct sizes all_sizes[] = {
    {3, 4, 5, 2, 1, 6}, {4, 3, 7, 2, 1, 5}, {5, 2, 4, 3, 1, 6}, {2, 5, 3, 4, 2, 1},
    {1, 3, 4, 2, 1, 5}, {4, 3, 1, 2, 1, 5}, {2, 1, 4, 3, 1, 5}, {1, 1, 1, 1, 1, 1},
};
/* All sizes are 3, so that exchanged matrices have the right shape. */
static const struct sizes square = {3, 3, 3, 1, 1, 3};

static inline void because_of(const struct work *w, enum piece p) {
    BECAUSE_IF((p == NORMED || p == INVERSE_STD || p == SELF_NORMED || p == SELF_INVERSE_STD ||
                p == WEIGHTS) &&
                   w->d[p],
               "The backward pass does not use %s in d_v, so it should not change.",
               its(w, p).name);
    if (w->f->weights < GAIN)
        BECAUSE("Here n = %d, d_model = %d, d_ff = %d and n_heads = %d, and blocked is %s.", w->z.n,
                w->z.d, w->z.d_ff, w->z.n_heads, w->blocked ? "a mask" : "NULL");
    BECAUSE("Here n = %d, d_model = %d and d_ff = %d.", w->z.n, w->z.d, w->z.d_ff);
}

/* The structs of encoder.h with these members. */
static inline struct feed_forward_layer forward_in(const struct work *w, void *const at[PIECES]) {
    return (struct feed_forward_layer){w->z.d,  w->z.d_ff, at[GAIN], at[BIAS],
                                       at[W_1], at[B_1],   at[W_2],  at[B_2]};
}

static inline struct feed_forward_layer_values forward_values_in(void *const at[PIECES]) {
    return (struct feed_forward_layer_values){at[NORMED], at[INVERSE_STD], at[SCALED], at[HIDDEN]};
}

/* A slow reference of the network. `from` is its input. */
static inline void obvious_network(const struct work *w, const void *from) {
    const struct sizes z = w->z;
    double(*hidden)[z.d_ff] = w->at[HIDDEN], (*out)[z.d] = w->at[OUT];
    const double *b_1 = w->at[B_1], *b_2 = w->at[B_2];
    product(z.n, z.d, z.d_ff, from, w->at[W_1], hidden);
    for (int i = 0; i < z.n; i++)
        for (int k = 0; k < z.d_ff; k++)
            hidden[i][k] = hidden[i][k] + b_1[k] > 0.0 ? hidden[i][k] + b_1[k] : 0.0;
    product(z.n, z.d_ff, z.d, hidden, w->at[W_2], out);
    for (int i = 0; i < z.n; i++)
        add_into(z.d, b_2, out[i]);
}

static inline void obvious_network_back(const struct work *w, const void *from, void *d_from) {
    const struct sizes z = w->z;
    const double(*hidden)[z.d_ff] = w->at[HIDDEN], (*d_out)[z.d] = w->d[OUT];
    double(*d_hidden)[z.d_ff] = w->d[HIDDEN];
    obvious_product_back(z.n, z.d_ff, z.d, hidden, w->at[W_2], d_out, d_hidden, w->d[W_2]);
    for (int i = 0; i < z.n; i++) {
        for (int k = 0; k < z.d_ff; k++)
            d_hidden[i][k] = hidden[i][k] > 0.0 ? d_hidden[i][k] : 0.0;
        add_into(z.d, d_out[i], w->d[B_2]);
        add_into(z.d_ff, d_hidden[i], w->d[B_1]);
    }
    obvious_product_back(z.n, z.d, z.d_ff, from, w->at[W_1], d_hidden, d_from, w->d[W_1]);
}

/* The layer norm of lesson 10, the slow network, and the residual connection. */
static inline void obvious_layer(const struct work *w, const void *from) {
    const int n = w->z.n, d = w->z.d;
    void *const *at = w->at;
    layer_norm(n, d, from, at[GAIN], at[BIAS], at[NORMED], at[INVERSE_STD], at[SCALED]);
    obvious_network(w, at[SCALED]);
    add_into(n * d, from, at[OUT]);
}

static inline void obvious_layer_back(const struct work *w, void *d_from) {
    const int n = w->z.n, d = w->z.d;
    void *const *at = w->at;
    obvious_network_back(w, at[SCALED], w->d[SCALED]);
    layer_norm_backward(n, d, at[GAIN], at[NORMED], at[INVERSE_STD], w->d[SCALED], w->d[GAIN],
                        w->d[BIAS], d_from);
    add_into(n * d, w->d[OUT], d_from);
}

static inline bool has_slopes(const struct work *w) {
    const void *X_of_W_1 = w->at[w->f->weights < W_1 ? SCALED : X];
    return sums_have_slopes(w->z.n, w->z.d, w->z.d_ff, X_of_W_1, w->at[W_1], w->at[B_1]);
}

/* Random numbers that are small enough for the softmax to have a gradient. */
static inline struct work random_block(const struct function *f, struct sizes z, struct random *r) {
    struct work w = random_work(f, z, r);
    for (enum piece p = W_Q; p <= W_V; p++)
        if (is_given(&w, p))
            scale_into(count_of(&w, p), 0.5, w.at[p], w.at[p]);
    return w;
}

/* Draws random numbers until no sum is close to 0, where ReLU has no derivative. */
static inline struct work smooth_work(const struct function *f, struct sizes z, struct random *r) {
    struct work w = obvious(random_block(f, z, r));
    while (!has_slopes(&w))
        w = obvious(random_block(f, z, r));
    return w;
}

#endif
