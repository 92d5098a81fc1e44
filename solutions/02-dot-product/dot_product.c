#include "dot_product.h"

#include "softmax.h"
#include "todo.h"

#include <math.h>

double dot(int d, const double a[d], const double b[d]) {
    // BEGIN SOLUTION: multiply element by element, and add up the products
    double sum = 0.0;
    for (int c = 0; c < d; c++)
        sum += a[c] * b[c];
    return sum;
    // END SOLUTION
}

double cosine_similarity(int d, const double a[d], const double b[d]) {
    // BEGIN SOLUTION: the length of a is sqrt(dot(d, a, a)); check for a length of 0
    double lengths = sqrt(dot(d, a, a)) * sqrt(dot(d, b, b));
    return lengths == 0.0 ? 0.0 : dot(d, a, b) / lengths;
    // END SOLUTION
}

void dot_scores(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                double scores[n_q][n_k]) {
    // BEGIN SOLUTION: the dot product of every query (a row of Q) with every key (a row of K)
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            scores[i][j] = dot(d, Q[i], K[j]);
    // END SOLUTION
}

void blend(int n_q, int n_k, int d_v, const double weights[n_q][n_k], const double V[n_k][d_v],
           double out[n_q][d_v]) {
    // BEGIN SOLUTION: a function of lesson 01 blends the rows of V with one row of weights
    for (int i = 0; i < n_q; i++)
        expected_value(n_k, d_v, weights[i], V, out[i]);
    // END SOLUTION
}

void dot_product_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                           const double K[n_k][d], const double V[n_k][d_v],
                           double weights[n_q][n_k], double out[n_q][d_v]) {
    // BEGIN SOLUTION: call three functions: scores, softmax of each row in place, blend
    dot_scores(n_q, n_k, d, Q, K, weights);
    softmax_rows(n_q, n_k, weights, weights);
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}

void hard_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                    const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                    double out[n_q][d_v]) {
    // BEGIN SOLUTION: scores, then 1 at the first best key of each row and 0 elsewhere
    dot_scores(n_q, n_k, d, Q, K, weights);
    for (int i = 0; i < n_q; i++) {
        int best = 0;
        for (int j = 1; j < n_k; j++)
            if (weights[i][j] > weights[i][best])
                best = j;
        for (int j = 0; j < n_k; j++)
            weights[i][j] = j == best ? 1.0 : 0.0;
    }
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}

void dot_scores_backward(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                         const double d_scores[n_q][n_k], double d_Q[n_q][d], double d_K[n_k][d]) {
    // BEGIN SOLUTION: the gradient of each factor is d_scores[i][j] times the other factor
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            for (int c = 0; c < d; c++) {
                d_Q[i][c] += d_scores[i][j] * K[j][c];
                d_K[j][c] += d_scores[i][j] * Q[i][c];
            }
    // END SOLUTION
}

void blend_backward(int n_q, int n_k, int d_v, const double weights[n_q][n_k],
                    const double V[n_k][d_v], const double d_out[n_q][d_v],
                    double d_weights[n_q][n_k], double d_V[n_k][d_v]) {
    // BEGIN SOLUTION: weights[i][j] * V[j][c] is a product of two factors, for each i, j and c
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++) {
            d_weights[i][j] += dot(d_v, d_out[i], V[j]);
            for (int c = 0; c < d_v; c++)
                d_V[j][c] += d_out[i][c] * weights[i][j];
        }
    // END SOLUTION
}

void dot_product_attention_backward(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                                    const double K[n_k][d], const double V[n_k][d_v],
                                    const double weights[n_q][n_k], const double d_out[n_q][d_v],
                                    double d_Q[n_q][d], double d_K[n_k][d], double d_V[n_k][d_v]) {
    // BEGIN SOLUTION: for one query at a time, go back through blend, softmax and scores
    for (int i = 0; i < n_q; i++) {
        // The shared sum of softmax_backward, for this query.
        double shared = 0.0;
        for (int j = 0; j < n_k; j++)
            shared += weights[i][j] * dot(d_v, d_out[i], V[j]);

        for (int j = 0; j < n_k; j++) {
            double d_score = weights[i][j] * (dot(d_v, d_out[i], V[j]) - shared);
            for (int c = 0; c < d; c++) {
                d_Q[i][c] += d_score * K[j][c];
                d_K[j][c] += d_score * Q[i][c];
            }
            for (int c = 0; c < d_v; c++)
                d_V[j][c] += d_out[i][c] * weights[i][j];
        }
    }
    // END SOLUTION
}
