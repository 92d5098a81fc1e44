/* Lesson 04: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "additive.h"

#include "laws.h"
#include "matrix.h"

enum { n_q = 2, n_k = 3, d_q = 4, d_k = 5, d_a = 6, d_v = 7 };

#define PARAMETERS                                                                                 \
    NEW_MATRIX(W_q, d_a, d_q);                                                                     \
    NEW_MATRIX(W_k, d_a, d_k);                                                                     \
    NEW_VECTOR(v_a, d_a)
#define TEXTS                                                                                      \
    NEW_MATRIX(Q, n_q, d_q);                                                                       \
    NEW_MATRIX(K, n_k, d_k)
#define PAIR                                                                                       \
    NEW_VECTOR(query, d_q);                                                                        \
    NEW_VECTOR(key, d_k)
#define GRADIENTS                                                                                  \
    NEW_MATRIX(d_W_q, d_a, d_q);                                                                   \
    NEW_MATRIX(d_W_k, d_a, d_k);                                                                   \
    NEW_VECTOR(d_v_a, d_a);                                                                        \
    NEW_MATRIX(d_Q, n_q, d_q);                                                                     \
    NEW_MATRIX(d_K, n_k, d_k)

LAWS(additive_score) {
    PARAMETERS;
    PAIR;
    NEW_RESULT(result, "additive_score");
    PROBE("W_q W_k v_a query key -> additive_score()")
    *result = additive_score(d_q, d_k, d_a, W_q, W_k, v_a, query, key);
}

LAWS(concat_score) {
    NEW_MATRIX(W, d_a, d_q + d_k);
    NEW_VECTOR(v_a, d_a);
    PAIR;
    NEW_RESULT(result, "concat_score");
    PROBE("W v_a query key -> concat_score()")
    *result = concat_score(d_q, d_k, d_a, W, v_a, query, key);
}

LAWS(general_score) {
    NEW_MATRIX(W, d_q, d_k);
    PAIR;
    NEW_RESULT(result, "general_score");
    PROBE("W query key -> general_score()")
    *result = general_score(d_q, d_k, W, query, key);
}

LAWS(additive_scores) {
    PARAMETERS;
    TEXTS;
    NEW_BLOCK(hidden, n_q, n_k, d_a);
    NEW_MATRIX(scores, n_q, n_k);
    PROBE("W_q W_k v_a Q K -> hidden scores")
    additive_scores(n_q, n_k, d_q, d_k, d_a, W_q, W_k, v_a, Q, K, hidden, scores);
}

LAWS(additive_scores_backward) {
    PARAMETERS;
    TEXTS;
    NEW_BLOCK(hidden, n_q, n_k, d_a);
    NEW_MATRIX(d_scores, n_q, n_k);
    GRADIENTS;
    PROBE("W_q W_k v_a Q K hidden d_scores -> d_W_q d_W_k d_v_a d_Q d_K")
    additive_scores_backward(n_q, n_k, d_q, d_k, d_a, W_q, W_k, v_a, Q, K, hidden, d_scores, d_W_q,
                             d_W_k, d_v_a, d_Q, d_K);
}

LAWS(additive_attention) {
    PARAMETERS;
    TEXTS;
    NEW_MATRIX(V, n_k, d_v);
    NEW_BLOCK(hidden, n_q, n_k, d_a);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("W_q W_k v_a Q K V -> hidden weights out")
    additive_attention(n_q, n_k, d_q, d_k, d_a, d_v, W_q, W_k, v_a, Q, K, V, hidden, weights, out);
}

LAWS(additive_attention_backward) {
    PARAMETERS;
    TEXTS;
    NEW_MATRIX(V, n_k, d_v);
    NEW_BLOCK(hidden, n_q, n_k, d_a);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(d_out, n_q, d_v);
    GRADIENTS;
    NEW_MATRIX(d_V, n_k, d_v);
    PROBE("W_q W_k v_a Q K V hidden %weights d_out -> d_W_q d_W_k d_v_a d_Q d_K d_V")
    additive_attention_backward(n_q, n_k, d_q, d_k, d_a, d_v, W_q, W_k, v_a, Q, K, V, hidden,
                                weights, d_out, d_W_q, d_W_k, d_v_a, d_Q, d_K, d_V);
}

LAWS(general_scores) {
    NEW_MATRIX(W, d_q, d_k);
    TEXTS;
    NEW_MATRIX(scores, n_q, n_k);
    PROBE("W Q K -> scores")
    general_scores(n_q, n_k, d_q, d_k, W, Q, K, scores);
}

LAWS(general_scores_backward) {
    NEW_MATRIX(W, d_q, d_k);
    TEXTS;
    NEW_MATRIX(d_scores, n_q, n_k);
    NEW_MATRIX(d_W, d_q, d_k);
    NEW_MATRIX(d_Q, n_q, d_q);
    NEW_MATRIX(d_K, n_k, d_k);
    PROBE("W Q K d_scores -> d_W d_Q d_K")
    general_scores_backward(n_q, n_k, d_q, d_k, W, Q, K, d_scores, d_W, d_Q, d_K);
}
