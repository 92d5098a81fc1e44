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
    TODO("row i of Y is a sum of the rows of W, weighted by row i of X");
}

void project_backward(int n, int d_in, int d_out, const double X[n][d_in],
                      const double W[d_in][d_out], const double d_Y[n][d_out], double d_X[n][d_in],
                      double d_W[d_in][d_out]) {
    TODO("project() is blend(), so this is blend_backward()");
}

void self_attention(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                    const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                    const double W_v[d_model][d_v], const bool blocked[n][n], double Q[n][d_k],
                    double K[n][d_k], double V[n][d_v], double weights[n][n], double out[n][d_v]) {
    TODO("three projections of the same X, then attention");
}

void self_attention_backward(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                             const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                             const double W_v[d_model][d_v], const bool blocked[n][n],
                             const double Q[n][d_k], const double K[n][d_k], const double V[n][d_v],
                             const double weights[n][n], const double d_out[n][d_v],
                             double d_X[n][d_model], double d_W_q[d_model][d_k],
                             double d_W_k[d_model][d_k], double d_W_v[d_model][d_v]) {
    TODO("allocate d_Q, d_K, d_V; attention's backward pass, then three projections'");
}

double cross_entropy(int n, const double logits[n], int target) {
    TODO("the logarithm of a fraction is a difference of two logarithms");
}

void cross_entropy_backward(int n, const double logits[n], int target, double d_logits[n]) {
    TODO("the softmax, minus 1 at the target");
}

void sgd_step(int n, double learning_rate, const double gradient[n], double parameter[n]) {
    TODO("move against the gradient");
}
