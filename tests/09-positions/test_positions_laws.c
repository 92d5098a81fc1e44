/* Lesson 09: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "positions.h"

#include "laws.h"
#include "matrix.h"

enum { n = 3, d = 5, n_q = 2, n_k = 3, d_k = 4, d_v = 5 };

LAWS(rotate) {
    NEW_MATRIX(X, n, d);
    NEW_MATRIX(out, n, d);
    PROBE("X -> out")
    rotate(n, d, 2, X, out);
}

LAWS(rotate_backward) {
    NEW_MATRIX(d_out, n, d);
    NEW_MATRIX(d_X, n, d);
    PROBE("d_out -> d_X")
    rotate_backward(n, d, 2, d_out, d_X);
}

LAWS(alibi_bias) {
    NEW_VECTOR(slope, 1);
    NEW_MATRIX(bias, n_q, n_k);
    PROBE("slope -> bias")
    alibi_bias(n_q, n_k, 1, *slope, bias);
}

LAWS(biased_attention) {
    NEW_MATRIX(Q, n_q, d_k);
    NEW_MATRIX(K, n_k, d_k);
    NEW_MATRIX(V, n_k, d_v);
    NEW_MATRIX(bias, n_q, n_k);
    NEW_MASK_FILLED(blocked, n_q, n_k, false);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("Q K V bias blocked -> weights out")
    biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, weights, out);
}
