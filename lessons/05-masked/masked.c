#include "masked.h"

#include "dot_product.h"
#include "scaled.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void causal_mask(int n, bool blocked[n][n]) {
    TODO("query i may attend to the keys 0 to i; true means blocked");
}

void padding_mask(int n_q, int n_k, int length, bool blocked[n_q][n_k]) {
    TODO("the same in every row, only the column matters");
}

void block_either(int n_q, int n_k, const bool a[n_q][n_k], const bool b[n_q][n_k],
                  bool blocked[n_q][n_k]) {
    TODO("combine the two masks cell by cell");
}

void masked_softmax_rows(int rows, int cols, const double scores[rows][cols],
                         const bool blocked[rows][cols], double weights[rows][cols]) {
    TODO("which score has a weight of exactly 0 in lesson 01?");
}

void masked_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const bool blocked[n_q][n_k], double weights[n_q][n_k],
                      double out[n_q][d_v]) {
    TODO("dot products, scale, masked softmax, weighted sum");
}

void masked_attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                               const double K[n_k][d_k], const double V[n_k][d_v],
                               const bool blocked[n_q][n_k], const double weights[n_q][n_k],
                               const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                               double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    TODO("the backward pass of lesson 03, without the blocked pairs");
}

void dropout(int n, double rate, const double uniform[n], const double in[n], double out[n]) {
    TODO("the numbers that are kept are scaled up");
}

void dropout_backward(int n, double rate, const double uniform[n], const double d_out[n],
                      double d_in[n]) {
    TODO("the same choice and the same factor as in the forward pass");
}
