/* Lesson 02: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "inputs.h"

#include "laws.h"

enum { n_q = 2, n_k = 3, d = 4, d_v = 5 };

#define PAIRS                                                                                      \
    NEW_MATRIX(Q, n_q, d);                                                                         \
    NEW_MATRIX(K, n_k, d)
#define TRIPLES                                                                                    \
    PAIRS;                                                                                         \
    NEW_MATRIX(V, n_k, d_v)
#define VECTORS                                                                                    \
    NEW_VECTOR(a, d);                                                                              \
    NEW_VECTOR(b, d)

LAWS(dot) {
    VECTORS;
    NEW_RESULT(result, "dot");
    PROBE("a b -> dot()")
    *result = dot(d, a, b);
}

LAWS(cosine_similarity) {
    VECTORS;
    NEW_RESULT(result, "cosine_similarity");
    PROBE("a b -> cosine_similarity()")
    *result = cosine_similarity(d, a, b);
}

LAWS(dot_scores) {
    PAIRS;
    NEW_MATRIX(scores, n_q, n_k);
    PROBE("Q K -> scores")
    dot_scores(n_q, n_k, d, Q, K, scores);
}

LAWS(blend) {
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(V, n_k, d_v);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("weights V -> out")
    blend(n_q, n_k, d_v, weights, V, out);
}

LAWS(dot_product_attention) {
    TRIPLES;
    NEW_OUTPUTS(n_q, n_k, d_v);
    PROBE("Q K V -> weights out")
    dot_product_attention(n_q, n_k, d, d_v, Q, K, V, weights, out);
}

LAWS(hard_attention) {
    TRIPLES;
    NEW_OUTPUTS(n_q, n_k, d_v);
    PROBE("Q K V -> weights out")
    hard_attention(n_q, n_k, d, d_v, Q, K, V, weights, out);
}

LAWS(dot_scores_backward) {
    PAIRS;
    NEW_MATRIX(d_scores, n_q, n_k);
    NEW_MATRIX(d_Q, n_q, d);
    NEW_MATRIX(d_K, n_k, d);
    PROBE("Q K d_scores -> d_Q d_K")
    dot_scores_backward(n_q, n_k, d, Q, K, d_scores, d_Q, d_K);
}

LAWS(blend_backward) {
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(V, n_k, d_v);
    NEW_MATRIX(d_out, n_q, d_v);
    NEW_MATRIX(d_weights, n_q, n_k);
    NEW_MATRIX(d_V, n_k, d_v);
    PROBE("weights V d_out -> d_weights d_V")
    blend_backward(n_q, n_k, d_v, weights, V, d_out, d_weights, d_V);
}

LAWS(dot_product_attention_backward) {
    TRIPLES;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(d_out, n_q, d_v);
    NEW_MATRIX(d_Q, n_q, d);
    NEW_MATRIX(d_K, n_k, d);
    NEW_MATRIX(d_V, n_k, d_v);
    PROBE("Q K V %weights d_out -> d_Q d_K d_V")
    dot_product_attention_backward(n_q, n_k, d, d_v, Q, K, V, weights, d_out, d_Q, d_K, d_V);
}
