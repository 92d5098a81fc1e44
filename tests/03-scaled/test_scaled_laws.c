/* Lesson 03: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "scaled.h"

#include "laws.h"
#include "matrix.h"

enum { n_q = 2, n_k = 3, d_k = 4, d_v = 5 };

LAWS(scaled_dot_product_attention) {
    NEW_MATRIX(Q, n_q, d_k);
    NEW_MATRIX(K, n_k, d_k);
    NEW_MATRIX(V, n_k, d_v);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("Q K V -> weights out")
    scaled_dot_product_attention(n_q, n_k, d_k, d_v, Q, K, V, weights, out);
}

LAWS(scaled_dot_product_attention_backward) {
    NEW_MATRIX(Q, n_q, d_k);
    NEW_MATRIX(K, n_k, d_k);
    NEW_MATRIX(V, n_k, d_v);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(d_out, n_q, d_v);
    NEW_MATRIX(d_Q, n_q, d_k);
    NEW_MATRIX(d_K, n_k, d_k);
    NEW_MATRIX(d_V, n_k, d_v);
    PROBE("Q K V %weights d_out -> d_Q d_K d_V")
    scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                          d_V);
}

LAWS(variance) {
    NEW_VECTOR(x, 4);
    NEW_RESULT(result, "variance");
    PROBE("x -> variance()")
    *result = variance(4, x);
}

LAWS(mean_entropy) {
    NEW_MATRIX(weights, 3, 4);
    NEW_RESULT(result, "mean_entropy");
    PROBE("%weights -> mean_entropy()")
    *result = mean_entropy(3, 4, weights);
}
