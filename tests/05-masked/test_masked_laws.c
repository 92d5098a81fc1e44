/* Lesson 05: calls from which the laws of its functions are found (common/testing/laws.h).
   Nothing is blocked, and nothing else is hidden from a reader of a law. */
#include "masked.h"

#include "laws.h"
#include "matrix.h"

enum { n_q = 2, n_k = 3, d_k = 4, d_v = 5 };

#define TRIPLES                                                                                    \
    NEW_MATRIX(Q, n_q, d_k);                                                                       \
    NEW_MATRIX(K, n_k, d_k);                                                                       \
    NEW_MATRIX(V, n_k, d_v);                                                                       \
    NEW_MASK_FILLED(blocked, n_q, n_k, false)

LAWS(block_either) {
    NEW_MASK_FILLED(a, n_q, n_k, false);
    NEW_MASK_FILLED(b, n_q, n_k, false);
    NEW_MASK(blocked, n_q, n_k);
    PROBE("a b -> blocked")
    block_either(n_q, n_k, a, b, blocked);
}

LAWS(masked_softmax_rows) {
    NEW_MATRIX(scores, n_q, n_k);
    NEW_MASK_FILLED(blocked, n_q, n_k, false);
    NEW_MATRIX(weights, n_q, n_k);
    PROBE("scores blocked -> weights")
    masked_softmax_rows(n_q, n_k, scores, blocked, weights);
}

LAWS(masked_attention) {
    TRIPLES;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("Q K V blocked -> weights out")
    masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, out);
}

LAWS(masked_attention_backward) {
    TRIPLES;
    NEW_MATRIX_OF(weights, n_q, n_k, {0.4, 0.1, 0.5}, {0.2, 0.5, 0.3});
    NEW_MATRIX(d_out, n_q, d_v);
    NEW_MATRIX(d_Q, n_q, d_k);
    NEW_MATRIX(d_K, n_k, d_k);
    NEW_MATRIX(d_V, n_k, d_v);
    PROBE("Q K V d_out -> d_Q d_K d_V")
    masked_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, d_out, d_Q, d_K, d_V);
}
