/* Lesson 09: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "positions.h"

#include "laws.h"
#include "matrix.h"

enum { n = 3, d = 5, vocabulary = 4, n_q = 2, n_k = 3, d_k = 4, d_v = 5 };

static const int words_given[n] = {2, 0, 2};

LAWS(embed) {
    NEW_MATRIX(table, vocabulary, d);
    NEW_MATRIX(X, n, d);
    PROBE("table -> X")
    embed(n, vocabulary, d, 1.5, words_given, table, X);
}

LAWS(embed_backward) {
    NEW_MATRIX(d_X, n, d);
    NEW_MATRIX(d_table, vocabulary, d);
    PROBE("d_X -> d_table")
    embed_backward(n, vocabulary, d, 1.5, words_given, d_X, d_table);
}

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
    NEW_MASK_OF(blocked, n_q, n_k, {0, 1, 0}, {0, 0, 0});
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    PROBE("Q K V bias blocked -> weights out")
    biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, weights, out);
}
