/* Lesson 14: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "fast.h"

#include "laws.h"
#include "matrix.h"

enum { n_q = 2, n_k = 3, d_k = 4, d_v = 5, seen = 3, n_heads = 4, n_kv_heads = 2 };

/* Each query sees all keys. */
#define TRIPLES                                                                                    \
    NEW_FLOAT_MATRIX(Q, n_q, d_k);                                                                 \
    NEW_FLOAT_MATRIX(K, n_k, d_k);                                                                 \
    NEW_FLOAT_MATRIX(V, n_k, d_v);                                                                 \
    NEW_FLOAT_MATRIX(out, n_q, d_v)

#define WITH_WEIGHTS(attention)                                                                    \
    LAWS(attention) {                                                                              \
        TRIPLES;                                                                                   \
        NEW_FLOAT_MATRIX(weights, n_q, n_k);                                                       \
        PROBE("Q K V -> weights out")                                                              \
        attention(n_q, n_k, d_k, d_v, seen, Q, K, V, weights, out);                                \
    }
WITH_WEIGHTS(naive_attention)
WITH_WEIGHTS(ordered_attention)

#define WITHOUT_WEIGHTS(attention)                                                                 \
    LAWS(attention) {                                                                              \
        TRIPLES;                                                                                   \
        NEW_FLOAT_VECTOR(lse, n_q);                                                                \
        PROBE("Q K V -> out lse")                                                                  \
        attention(n_q, n_k, d_k, d_v, seen, Q, K, V, out, lse);                                    \
    }
WITHOUT_WEIGHTS(online_attention)
WITHOUT_WEIGHTS(tiled_attention)

LAWS(flash_attention) {
    NEW_FLOATS(Q, n_heads, n_q, d_k);
    NEW_FLOATS(K, n_kv_heads, n_k, d_k);
    NEW_FLOATS(V, n_kv_heads, n_k, d_v);
    NEW_FLOATS(out, n_heads, n_q, d_v);
    NEW_FLOAT_MATRIX(lse, n_heads, n_q);
    PROBE("Q K V -> out lse")
    flash_attention(n_heads, n_kv_heads, n_q, n_k, d_k, d_v, seen, Q, K, V, out, lse);
}

LAWS(row_dots) {
    NEW_FLOAT_MATRIX(a, 3, 4);
    NEW_FLOAT_MATRIX(b, 3, 4);
    NEW_FLOAT_VECTOR(dots, 3);
    PROBE("a b -> dots")
    row_dots(3, 4, a, b, dots);
}

LAWS(to_lanes) {
    NEW_FLOAT_MATRIX(from, 3, 4);
    NEW_FLOAT_MATRIX(to, 4, 6);
    PROBE("from -> to")
    to_lanes(3, 4, 6, 0.5f, from, to);
}
