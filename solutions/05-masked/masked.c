#include "masked.h"

#include "dot_product.h"
#include "scaled.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void causal_mask(int n, bool blocked[n][n]) {
    // BEGIN SOLUTION: query i may attend to the keys 0 to i; true means blocked
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            blocked[i][j] = j > i;
    // END SOLUTION
}

void padding_mask(int n_q, int n_k, int length, bool blocked[n_q][n_k]) {
    // BEGIN SOLUTION: the same in every row, only the column matters
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = j >= length;
    // END SOLUTION
}

void block_either(int n_q, int n_k, const bool a[n_q][n_k], const bool b[n_q][n_k],
                  bool blocked[n_q][n_k]) {
    // BEGIN SOLUTION: combine the two masks cell by cell
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = a[i][j] || b[i][j];
    // END SOLUTION
}

void masked_softmax_rows(int rows, int cols, const double scores[rows][cols],
                         const bool blocked[rows][cols], double weights[rows][cols]) {
    // BEGIN SOLUTION: which score has a weight of exactly 0 in lesson 01?
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            weights[i][j] = blocked[i][j] ? -INFINITY : scores[i][j];
    softmax_rows(rows, cols, weights, weights);
    // END SOLUTION
}

void masked_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const bool blocked[n_q][n_k], double weights[n_q][n_k],
                      double out[n_q][d_v]) {
    // BEGIN SOLUTION: dot products, scale, masked softmax, weighted sum
    dot_scores(n_q, n_k, d_k, Q, K, weights);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            weights[i][j] *= attention_scale(d_k);
    masked_softmax_rows(n_q, n_k, weights, blocked, weights);
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}

void masked_attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                               const double K[n_k][d_k], const double V[n_k][d_v],
                               const bool blocked[n_q][n_k], const double weights[n_q][n_k],
                               const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                               double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    // BEGIN SOLUTION: the backward pass of lesson 03, without the blocked pairs
    for (int i = 0; i < n_q; i++) {
        double shared = 0.0;
        for (int j = 0; j < n_k; j++)
            if (!blocked[i][j])
                shared += weights[i][j] * dot(d_v, d_out[i], V[j]);

        for (int j = 0; j < n_k; j++) {
            // A weight of 0 is not enough, because 0 times infinity is NaN.
            if (blocked[i][j])
                continue;
            double d_score = weights[i][j] * (dot(d_v, d_out[i], V[j]) - shared);
            double d_dot = attention_scale(d_k) * d_score;
            for (int c = 0; c < d_k; c++) {
                d_Q[i][c] += d_dot * K[j][c];
                d_K[j][c] += d_dot * Q[i][c];
            }
            for (int c = 0; c < d_v; c++)
                d_V[j][c] += weights[i][j] * d_out[i][c];
        }
    }
    // END SOLUTION
}

void dropout(int n, double rate, const double uniform[n], const double in[n], double out[n]) {
    // BEGIN SOLUTION: the numbers that are kept are scaled up
    for (int i = 0; i < n; i++)
        out[i] = uniform[i] < rate ? 0.0 : in[i] / (1.0 - rate);
    // END SOLUTION
}

void dropout_backward(int n, double rate, const double uniform[n], const double d_out[n],
                      double d_in[n]) {
    // BEGIN SOLUTION: the same choice and the same factor as in the forward pass
    for (int i = 0; i < n; i++)
        d_in[i] += uniform[i] < rate ? 0.0 : d_out[i] / (1.0 - rate);
    // END SOLUTION
}
