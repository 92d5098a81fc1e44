/* The pieces of lesson 10's attention layer and lesson 11's forward layer, in the order of their
   structs, for a lesson that stacks them; to be included before pieces.h, behind `struct sizes`,
   which has d, d_ff, n_heads, n_kv_heads and d_head.

   A layer that is not there has 0 for `any`, or for n and m, and each of its pieces is NULL. */
#ifndef LAYERS_H
#define LAYERS_H

#include "decoder.h"

#include "heads.h"
#include "kink.h"
#include "matrix.h"
#include "product.h"

#include <math.h>

#define ATTENTION_WEIGHTS(PIECE, LAYER, of, any)                                                   \
    PIECE(LAYER##_GAIN, "d_" of "_gain", dims_of(1, (any)*z.d, 1, 1, 1))                           \
    PIECE(LAYER##_BIAS, "d_" of "_bias", dims_of(1, (any)*z.d, 1, 1, 1))                           \
    HEADS_WEIGHTS(PIECE, LAYER##_, of "_", any)
#define ATTENTION_VALUES(PIECE, LAYER, of, n, m)                                                   \
    PIECE(LAYER##_NORMED, "d_" of "_normed", dims_of(2, n, z.d, 1, 1))                             \
    PIECE(LAYER##_INVERSE_STD, "d_" of "_inverse_std", dims_of(1, n, 1, 1, 1))                     \
    PIECE(LAYER##_SCALED, "d_" of "_scaled", dims_of(2, n, z.d, 1, 1))                             \
    HEADS_VALUES(PIECE, LAYER##_, of "_", n, m)

#define FORWARD_WEIGHTS(PIECE, LAYER, of, any)                                                     \
    PIECE(LAYER##_GAIN, "d_" of "_gain", dims_of(1, (any)*z.d, 1, 1, 1))                           \
    PIECE(LAYER##_BIAS, "d_" of "_bias", dims_of(1, (any)*z.d, 1, 1, 1))                           \
    PIECE(LAYER##_W_1, "d_" of "_W_1", dims_of(2, (any)*z.d, z.d_ff, 1, 1))                        \
    PIECE(LAYER##_B_1, "d_" of "_b_1", dims_of(1, (any)*z.d_ff, 1, 1, 1))                          \
    PIECE(LAYER##_W_2, "d_" of "_W_2", dims_of(2, (any)*z.d_ff, z.d, 1, 1))                        \
    PIECE(LAYER##_B_2, "d_" of "_b_2", dims_of(1, (any)*z.d, 1, 1, 1))
#define FORWARD_VALUES(PIECE, LAYER, of, n)                                                        \
    PIECE(LAYER##_NORMED, "d_" of "_normed", dims_of(2, n, z.d, 1, 1))                             \
    PIECE(LAYER##_INVERSE_STD, "d_" of "_inverse_std", dims_of(1, n, 1, 1, 1))                     \
    PIECE(LAYER##_SCALED, "d_" of "_scaled", dims_of(2, n, z.d, 1, 1))                             \
    PIECE(LAYER##_HIDDEN, "d_" of "_hidden", dims_of(2, n, z.d_ff, 1, 1))

#define ENCODER_WEIGHTS(PIECE, BLOCK, of, any)                                                     \
    ATTENTION_WEIGHTS(PIECE, BLOCK##_SELF, of "_self", any)                                        \
    FORWARD_WEIGHTS(PIECE, BLOCK##_FORWARD, of "_forward", any)
#define ENCODER_VALUES(PIECE, BLOCK, of, n)                                                        \
    ATTENTION_VALUES(PIECE, BLOCK##_SELF, of "_self", n, n)                                        \
    PIECE(BLOCK##_ATTENDED, "d_" of "_attended", dims_of(2, n, z.d, 1, 1))                         \
    FORWARD_VALUES(PIECE, BLOCK##_FORWARD, of "_forward", n)

#define DECODER_WEIGHTS(PIECE, BLOCK, of, any, any_memory)                                         \
    ATTENTION_WEIGHTS(PIECE, BLOCK##_SELF, of "_self", any)                                        \
    ATTENTION_WEIGHTS(PIECE, BLOCK##_CROSS, of "_cross", (any) && (any_memory))                    \
    FORWARD_WEIGHTS(PIECE, BLOCK##_FORWARD, of "_forward", any)
#define DECODER_VALUES(PIECE, BLOCK, of, n, m)                                                     \
    ATTENTION_VALUES(PIECE, BLOCK##_SELF, of "_self", n, n)                                        \
    PIECE(BLOCK##_ATTENDED, "d_" of "_attended", dims_of(2, n, z.d, 1, 1))                         \
    ATTENTION_VALUES(PIECE, BLOCK##_CROSS, of "_cross", (m) ? (n) : 0, m)                          \
    PIECE(BLOCK##_CROSSED, "d_" of "_crossed", dims_of(2, (m) ? (n) : 0, z.d, 1, 1))               \
    FORWARD_VALUES(PIECE, BLOCK##_FORWARD, of "_forward", n)

/* The structs of the headers around pieces that begin here. */
static inline struct attention_layer attention_in(struct sizes z, void *const at[6]) {
    return (struct attention_layer){at[0], at[1], heads_in(z, at + 2)};
}

static inline struct attention_layer_values attention_values_in(void *const at[12]) {
    return (struct attention_layer_values){at[0], at[1], at[2], heads_values_in(at + 3)};
}

static inline struct feed_forward_layer forward_in(struct sizes z, void *const at[6]) {
    return (struct feed_forward_layer){z.d, z.d_ff, at[0], at[1], at[2], at[3], at[4], at[5]};
}

static inline struct feed_forward_layer_values forward_values_in(void *const at[4]) {
    return (struct feed_forward_layer_values){at[0], at[1], at[2], at[3]};
}

static inline struct encoder_block encoder_in(struct sizes z, void *const at[12]) {
    return (struct encoder_block){attention_in(z, at), forward_in(z, at + 6)};
}

static inline struct encoder_values encoder_values_in(void *const at[17]) {
    return (struct encoder_values){attention_values_in(at), at[12], forward_values_in(at + 13)};
}

static inline struct decoder_block decoder_in(struct sizes z, void *const at[18]) {
    return (struct decoder_block){attention_in(z, at), attention_in(z, at + 6),
                                  forward_in(z, at + 12)};
}

static inline struct decoder_values decoder_values_in(void *const at[30]) {
    return (struct decoder_values){attention_values_in(at), at[12], attention_values_in(at + 13),
                                   at[25], forward_values_in(at + 26)};
}

static inline bool has_slopes(int n, const struct feed_forward_layer *w, const void *scaled) {
    return sums_have_slopes(n, w->d_model, w->d_ff, scaled, w->W_1, w->b_1);
}

#endif
