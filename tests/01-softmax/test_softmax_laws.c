/* Lesson 01: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "softmax.h"

#include "laws.h"
#include "matrix.h"

enum { n = 4, rows = 3, cols = 4, d = 2 };

LAWS(softmax) {
    NEW_VECTOR(scores, n);
    NEW_VECTOR(weights, n);
    PROBE("scores -> weights")
    softmax(n, scores, weights);
}

LAWS(softmax_rows) {
    NEW_MATRIX(scores, rows, cols);
    NEW_MATRIX(weights, rows, cols);
    PROBE("scores -> weights")
    softmax_rows(rows, cols, scores, weights);
}

LAWS(softmax_at_temperature) {
    NEW_VECTOR(temperature, 1);
    NEW_VECTOR(scores, n);
    NEW_VECTOR(weights, n);
    PROBE("+temperature scores -> weights")
    softmax_at_temperature(n, *temperature, scores, weights);
}

LAWS(log_sum_exp) {
    NEW_VECTOR(scores, n);
    NEW_RESULT(result, "log_sum_exp");
    PROBE("scores -> log_sum_exp()")
    *result = log_sum_exp(n, scores);
}

LAWS(expected_value) {
    NEW_VECTOR(weights, n);
    NEW_MATRIX(values, n, d);
    NEW_VECTOR(out, d);
    PROBE("%weights values -> out")
    expected_value(n, d, weights, values, out);
}

LAWS(entropy) {
    NEW_VECTOR(weights, n);
    NEW_RESULT(result, "entropy");
    PROBE("%weights -> entropy()")
    *result = entropy(n, weights);
}

LAWS(softmax_jacobian) {
    NEW_VECTOR(weights, n);
    NEW_MATRIX(jacobian, n, n);
    PROBE("%weights -> jacobian")
    softmax_jacobian(n, weights, jacobian);
}

LAWS(softmax_backward) {
    NEW_VECTOR(weights, n);
    NEW_VECTOR(d_weights, n);
    NEW_VECTOR(d_scores, n);
    PROBE("%weights d_weights -> d_scores")
    softmax_backward(n, weights, d_weights, d_scores);
}

LAWS(softmax_rows_backward) {
    NEW_MATRIX(weights, rows, cols);
    NEW_MATRIX(d_weights, rows, cols);
    NEW_MATRIX(d_scores, rows, cols);
    PROBE("%weights d_weights -> d_scores")
    softmax_rows_backward(rows, cols, weights, d_weights, d_scores);
}
