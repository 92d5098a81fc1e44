#include "scaled.h"

#include "dot_product.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

double attention_scale(int d_k) {
    // BEGIN SOLUTION: dot products grow like the square root of d_k, so return 1 divided by it
    return 1.0 / sqrt(d_k);
    // END SOLUTION
}

void scaled_dot_product_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                                  const double K[n_k][d_k], const double V[n_k][d_v],
                                  double weights[n_q][n_k], double out[n_q][d_v]) {
    // BEGIN SOLUTION: lesson 02's attention, with one more step between the scores and the softmax
    dot_scores(n_q, n_k, d_k, Q, K, weights);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            weights[i][j] *= attention_scale(d_k);
    softmax_rows(n_q, n_k, weights, weights);
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}

void scaled_dot_product_attention_backward(int n_q, int n_k, int d_k, int d_v,
                                           const double Q[n_q][d_k], const double K[n_k][d_k],
                                           const double V[n_k][d_v], const double weights[n_q][n_k],
                                           const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                                           double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    // BEGIN SOLUTION: lesson 02's backward pass, with the scale between d_score and d_dot
    for (int i = 0; i < n_q; i++) {
        double shared = 0.0;
        for (int j = 0; j < n_k; j++)
            shared += weights[i][j] * dot(d_v, d_out[i], V[j]);

        for (int j = 0; j < n_k; j++) {
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

double variance(int n, const double x[n]) {
    // BEGIN SOLUTION: compute the mean first, then the mean of the squared distances from it
    double mean = 0.0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;

    double spread = 0.0;
    for (int i = 0; i < n; i++)
        spread += (x[i] - mean) * (x[i] - mean) / n;
    return spread;
    // END SOLUTION
}

double mean_entropy(int rows, int cols, const double weights[rows][cols]) {
    // BEGIN SOLUTION: average the entropies of the rows; lesson 01 has the entropy of one row
    double sum = 0.0;
    for (int i = 0; i < rows; i++)
        sum += entropy(cols, weights[i]);
    return sum / rows;
    // END SOLUTION
}
