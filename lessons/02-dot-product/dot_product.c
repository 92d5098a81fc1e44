#include "dot_product.h"

#include "softmax.h"
#include "todo.h"

#include <math.h>

double dot(int d, const double a[d], const double b[d]) {
    TODO("multiply element by element, and add up the products");
}

double cosine_similarity(int d, const double a[d], const double b[d]) {
    TODO("the length of a is sqrt(dot(d, a, a)); check for a length of 0");
}

void dot_scores(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                double scores[n_q][n_k]) {
    TODO("the dot product of every query (a row of Q) with every key (a row of K)");
}

void blend(int n_q, int n_k, int d_v, const double weights[n_q][n_k], const double V[n_k][d_v],
           double out[n_q][d_v]) {
    TODO("a function of lesson 01 blends the rows of V with one row of weights");
}

void dot_product_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                           const double K[n_k][d], const double V[n_k][d_v],
                           double weights[n_q][n_k], double out[n_q][d_v]) {
    TODO("call three functions: scores, softmax of each row in place, blend");
}

void hard_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                    const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                    double out[n_q][d_v]) {
    TODO("scores, then 1 at the first best key of each row and 0 elsewhere");
}

void dot_scores_backward(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                         const double d_scores[n_q][n_k], double d_Q[n_q][d], double d_K[n_k][d]) {
    TODO("the gradient of each factor is d_scores[i][j] times the other factor");
}

void blend_backward(int n_q, int n_k, int d_v, const double weights[n_q][n_k],
                    const double V[n_k][d_v], const double d_out[n_q][d_v],
                    double d_weights[n_q][n_k], double d_V[n_k][d_v]) {
    TODO("weights[i][j] * V[j][c] is a product of two factors, for each i, j and c");
}

void dot_product_attention_backward(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                                    const double K[n_k][d], const double V[n_k][d_v],
                                    const double weights[n_q][n_k], const double d_out[n_q][d_v],
                                    double d_Q[n_q][d], double d_K[n_k][d], double d_V[n_k][d_v]) {
    TODO("for one query at a time, go back through blend, softmax and scores");
}
