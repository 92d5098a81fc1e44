#include "self_attention.h"

#include "dot_product.h"
#include "masked.h"
#include "scaled.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>
#include <stdlib.h>

void project(int n, int d_in, int d_out, const double X[n][d_in], const double W[d_in][d_out],
             double Y[n][d_out]) {
    // BEGIN SOLUTION: row i of Y is a sum of the rows of W, weighted by row i of X
    blend(n, d_in, d_out, X, W, Y);
    // END SOLUTION
}

void project_backward(int n, int d_in, int d_out, const double X[n][d_in],
                      const double W[d_in][d_out], const double d_Y[n][d_out], double d_X[n][d_in],
                      double d_W[d_in][d_out]) {
    // BEGIN SOLUTION: project() is blend(), so this is blend_backward()
    blend_backward(n, d_in, d_out, X, W, d_Y, d_X, d_W);
    // END SOLUTION
}

void self_attention(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                    const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                    const double W_v[d_model][d_v], const bool blocked[n][n], double Q[n][d_k],
                    double K[n][d_k], double V[n][d_v], double weights[n][n], double out[n][d_v]) {
    // BEGIN SOLUTION: three projections of the same X, then attention
    project(n, d_model, d_k, X, W_q, Q);
    project(n, d_model, d_k, X, W_k, K);
    project(n, d_model, d_v, X, W_v, V);
    if (blocked)
        masked_attention(n, n, d_k, d_v, Q, K, V, blocked, weights, out);
    else
        scaled_dot_product_attention(n, n, d_k, d_v, Q, K, V, weights, out);
    // END SOLUTION
}

void self_attention_backward(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                             const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                             const double W_v[d_model][d_v], const bool blocked[n][n],
                             const double Q[n][d_k], const double K[n][d_k], const double V[n][d_v],
                             const double weights[n][n], const double d_out[n][d_v],
                             double d_X[n][d_model], double d_W_q[d_model][d_k],
                             double d_W_k[d_model][d_k], double d_W_v[d_model][d_v]) {
    // BEGIN SOLUTION: allocate d_Q, d_K, d_V; attention's backward pass, then three projections'
    double(*d_Q)[d_k] = calloc((size_t)n, sizeof *d_Q);
    double(*d_K)[d_k] = calloc((size_t)n, sizeof *d_K);
    double(*d_V)[d_v] = calloc((size_t)n, sizeof *d_V);
    if (!d_Q || !d_K || !d_V)
        abort();

    if (blocked)
        masked_attention_backward(n, n, d_k, d_v, Q, K, V, blocked, weights, d_out, d_Q, d_K, d_V);
    else
        scaled_dot_product_attention_backward(n, n, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                              d_V);
    project_backward(n, d_model, d_k, X, W_q, d_Q, d_X, d_W_q);
    project_backward(n, d_model, d_k, X, W_k, d_K, d_X, d_W_k);
    project_backward(n, d_model, d_v, X, W_v, d_V, d_X, d_W_v);

    free(d_Q);
    free(d_K);
    free(d_V);
    // END SOLUTION
}

double cross_entropy(int n, const double logits[n], int target) {
    // BEGIN SOLUTION: the logarithm of a fraction is a difference of two logarithms
    return log_sum_exp(n, logits) - logits[target];
    // END SOLUTION
}

void cross_entropy_backward(int n, const double logits[n], int target, double d_logits[n]) {
    // BEGIN SOLUTION: the softmax, minus 1 at the target
    double whole = log_sum_exp(n, logits);
    for (int j = 0; j < n; j++)
        d_logits[j] += exp(logits[j] - whole) - (j == target ? 1.0 : 0.0);
    // END SOLUTION
}

void sgd_step(int n, double learning_rate, const double gradient[n], double parameter[n]) {
    // BEGIN SOLUTION: move against the gradient
    for (int i = 0; i < n; i++)
        parameter[i] -= learning_rate * gradient[i];
    // END SOLUTION
}
