/* Lesson 06: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "self_attention.h"

#include "laws.h"
#include "matrix.h"

enum { n = 3, d_model = 4, d_k = 2, d_v = 5 };

#define MATRICES                                                                                   \
    NEW_MATRIX(X, n, d_model);                                                                     \
    NEW_MATRIX(W_q, d_model, d_k);                                                                 \
    NEW_MATRIX(W_k, d_model, d_k);                                                                 \
    NEW_MATRIX(W_v, d_model, d_v)
#define PROJECTED                                                                                  \
    NEW_MATRIX(Q, n, d_k);                                                                         \
    NEW_MATRIX(K, n, d_k);                                                                         \
    NEW_MATRIX(V, n, d_v);                                                                         \
    NEW_MATRIX(weights, n, n)

LAWS(project) {
    NEW_MATRIX(X, n, d_model);
    NEW_MATRIX(W, d_model, d_v);
    NEW_MATRIX(Y, n, d_v);
    PROBE("X W -> Y")
    project(n, d_model, d_v, X, W, Y);
}

LAWS(project_backward) {
    NEW_MATRIX(X, n, d_model);
    NEW_MATRIX(W, d_model, d_v);
    NEW_MATRIX(d_Y, n, d_v);
    NEW_MATRIX(d_X, n, d_model);
    NEW_MATRIX(d_W, d_model, d_v);
    PROBE("X W d_Y -> d_X d_W")
    project_backward(n, d_model, d_v, X, W, d_Y, d_X, d_W);
}

LAWS(self_attention) {
    MATRICES;
    PROJECTED;
    NEW_MATRIX(out, n, d_v);
    NEW_MASK_FILLED(blocked, n, n, false);
    PROBE("X W_q W_k W_v blocked -> Q K V weights out")
    self_attention(n, d_model, d_k, d_v, X, W_q, W_k, W_v, blocked, Q, K, V, weights, out);
}

LAWS(self_attention_backward) {
    MATRICES;
    PROJECTED;
    NEW_MATRIX(d_out, n, d_v);
    NEW_MATRIX(d_X, n, d_model);
    NEW_MATRIX(d_W_q, d_model, d_k);
    NEW_MATRIX(d_W_k, d_model, d_k);
    NEW_MATRIX(d_W_v, d_model, d_v);
    PROBE("X W_q W_k W_v Q K V %weights d_out -> d_X d_W_q d_W_k d_W_v")
    self_attention_backward(n, d_model, d_k, d_v, X, W_q, W_k, W_v, NULL, Q, K, V, weights, d_out,
                            d_X, d_W_q, d_W_k, d_W_v);
}

LAWS(cross_entropy) {
    NEW_VECTOR(logits, 4);
    NEW_RESULT(result, "cross_entropy");
    PROBE("logits -> cross_entropy()")
    *result = cross_entropy(4, logits, 1);
}

LAWS(cross_entropy_backward) {
    NEW_VECTOR(logits, 4);
    NEW_VECTOR(d_logits, 4);
    PROBE("logits -> d_logits")
    cross_entropy_backward(4, logits, 1, d_logits);
}

LAWS(sgd_step) {
    NEW_VECTOR(gradient, 4);
    NEW_VECTOR(parameter, 4);
    PROBE("gradient -> parameter")
    sgd_step(4, 0.5, gradient, parameter);
}
