#include "scaled.h"

#include "dot_product.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

double attention_scale(int d_k) {
    TODO("dot products grow like the square root of d_k, so return 1 divided by it");
}

void scaled_dot_product_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                                  const double K[n_k][d_k], const double V[n_k][d_v],
                                  double weights[n_q][n_k], double out[n_q][d_v]) {
    TODO("lesson 02's attention, with one more step between the scores and the softmax");
}

void scaled_dot_product_attention_backward(int n_q, int n_k, int d_k, int d_v,
                                           const double Q[n_q][d_k], const double K[n_k][d_k],
                                           const double V[n_k][d_v], const double weights[n_q][n_k],
                                           const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                                           double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    TODO("lesson 02's backward pass, with the scale between d_score and d_dot");
}

double variance(int n, const double x[n]) {
    TODO("compute the mean first, then the mean of the squared distances from it");
}

double mean_entropy(int rows, int cols, const double weights[rows][cols]) {
    TODO("average the entropies of the rows; lesson 01 has the entropy of one row");
}
