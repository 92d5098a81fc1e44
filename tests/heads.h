/* The pieces of lesson 08's heads, in the order of their structs, for the tests of what holds some;
   to be included before pieces.h, behind `struct sizes`, which has d, n_heads, n_kv_heads and
   d_head. Names begin as the lesson wants them to: SELF_ and "self_", or nothing. There are n
   queries and m keys. A piece whose sizes are 0, or 0 for `any`, is NULL. */
#ifndef HEADS_H
#define HEADS_H

#include "multi_head.h"

#include "matrix.h"

#define HEADS_WEIGHTS(PIECE, OF, of, any)                                                          \
    PIECE(OF##W_Q, "d_" of "W_q", dims_of(2, (any)*z.d, z.n_heads *z.d_head, 1, 1))                \
    PIECE(OF##W_K, "d_" of "W_k", dims_of(2, (any)*z.d, z.n_kv_heads *z.d_head, 1, 1))             \
    PIECE(OF##W_V, "d_" of "W_v", dims_of(2, (any)*z.d, z.n_kv_heads *z.d_head, 1, 1))             \
    PIECE(OF##W_O, "d_" of "W_o", dims_of(2, (any)*z.n_heads *z.d_head, z.d, 1, 1))
#define HEADS_VALUES(PIECE, OF, of, n, m)                                                          \
    PIECE(OF##ROWS_Q, "d_" of "rows_q", dims_of(2, n, z.n_heads *z.d_head, 1, 1))                  \
    PIECE(OF##ROWS_K, "d_" of "rows_k", dims_of(2, m, z.n_kv_heads *z.d_head, 1, 1))               \
    PIECE(OF##ROWS_V, "d_" of "rows_v", dims_of(2, m, z.n_kv_heads *z.d_head, 1, 1))               \
    PIECE(OF##Q, "d_" of "Q", dims_of(3, z.n_heads, n, z.d_head, 1))                               \
    PIECE(OF##K, "d_" of "K", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                            \
    PIECE(OF##V, "d_" of "V", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                            \
    PIECE(OF##WEIGHTS, "d_" of "weights", dims_of(3, z.n_heads, n, m, 1))                          \
    PIECE(OF##HEADS, "d_" of "heads", dims_of(3, z.n_heads, n, z.d_head, 1))                       \
    PIECE(OF##ROWS_OUT, "d_" of "rows_out", dims_of(2, n, z.n_heads *z.d_head, 1, 1))

/* The structs of the header around pieces that begin here. */
static inline struct multi_head heads_in(struct sizes z, void *const at[4]) {
    return (struct multi_head){z.d, z.n_heads, z.n_kv_heads, z.d_head, at[0], at[1], at[2], at[3]};
}

static inline struct multi_head_values heads_values_in(void *const at[9]) {
    return (struct multi_head_values){at[0], at[1], at[2], at[3], at[4],
                                      at[5], at[6], at[7], at[8]};
}

#endif
