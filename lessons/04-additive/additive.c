#include "additive.h"

#include "dot_product.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

double additive_score(int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                      const double W_k[d_a][d_k], const double v_a[d_a], const double query[d_q],
                      const double key[d_k]) {
    TODO("each of the d_a hidden units is the tanh of a sum of two dot products");
}

double concat_score(int d_q, int d_k, int d_a, const double W[d_a][d_q + d_k],
                    const double v_a[d_a], const double query[d_q], const double key[d_k]) {
    TODO("row a of W has d_q numbers for the query, then d_k for the key");
}

double general_score(int d_q, int d_k, const double W[d_q][d_k], const double query[d_q],
                     const double key[d_k]) {
    TODO("take the dot product of row r with the key, and multiply by query[r]");
}

void additive_scores(int n_q, int n_k, int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                     const double W_k[d_a][d_k], const double v_a[d_a], const double Q[n_q][d_q],
                     const double K[n_k][d_k], double hidden[n_q][n_k][d_a],
                     double scores[n_q][n_k]) {
    TODO("which part of the sum depends only on the query, which only on the key?");
}

void additive_scores_backward(int n_q, int n_k, int d_q, int d_k, int d_a,
                              const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                              const double v_a[d_a], const double Q[n_q][d_q],
                              const double K[n_k][d_k], const double hidden[n_q][n_k][d_a],
                              const double d_scores[n_q][n_k], double d_W_q[d_a][d_q],
                              double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                              double d_K[n_k][d_k]) {
    TODO("d_sum needs the derivative of tanh, which is 1 - hidden * hidden");
}

void additive_attention(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                        const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                        const double v_a[d_a], const double Q[n_q][d_q], const double K[n_k][d_k],
                        const double V[n_k][d_v], double hidden[n_q][n_k][d_a],
                        double weights[n_q][n_k], double out[n_q][d_v]) {
    TODO("three calls, as in lesson 02, but with another score");
}

void additive_attention_backward(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                                 const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                                 const double v_a[d_a], const double Q[n_q][d_q],
                                 const double K[n_k][d_k], const double V[n_k][d_v],
                                 const double hidden[n_q][n_k][d_a], const double weights[n_q][n_k],
                                 const double d_out[n_q][d_v], double d_W_q[d_a][d_q],
                                 double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                                 double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    TODO("one pair at a time, with its d_score as a 1 x 1 matrix");
}

void general_scores(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                    const double Q[n_q][d_q], const double K[n_k][d_k], double scores[n_q][n_k]) {
    TODO("every query with every key: call general_score for each pair");
}

void general_scores_backward(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                             const double Q[n_q][d_q], const double K[n_k][d_k],
                             const double d_scores[n_q][n_k], double d_W[d_q][d_k],
                             double d_Q[n_q][d_q], double d_K[n_k][d_k]) {
    TODO("each of three factors receives d_scores[i][j] times the other two");
}
