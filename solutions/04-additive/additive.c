#include "additive.h"

#include "dot_product.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

double additive_score(int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                      const double W_k[d_a][d_k], const double v_a[d_a], const double query[d_q],
                      const double key[d_k]) {
    // BEGIN SOLUTION: each of the d_a hidden units is the tanh of a sum of two dot products
    double score = 0.0;
    for (int a = 0; a < d_a; a++)
        score += v_a[a] * tanh(dot(d_q, W_q[a], query) + dot(d_k, W_k[a], key));
    return score;
    // END SOLUTION
}

double concat_score(int d_q, int d_k, int d_a, const double W[d_a][d_q + d_k],
                    const double v_a[d_a], const double query[d_q], const double key[d_k]) {
    // BEGIN SOLUTION: row a of W has d_q numbers for the query, then d_k for the key
    double score = 0.0;
    for (int a = 0; a < d_a; a++)
        score += v_a[a] * tanh(dot(d_q, W[a], query) + dot(d_k, W[a] + d_q, key));
    return score;
    // END SOLUTION
}

double general_score(int d_q, int d_k, const double W[d_q][d_k], const double query[d_q],
                     const double key[d_k]) {
    // BEGIN SOLUTION: take the dot product of row r with the key, and multiply by query[r]
    double score = 0.0;
    for (int r = 0; r < d_q; r++)
        score += query[r] * dot(d_k, W[r], key);
    return score;
    // END SOLUTION
}

void additive_scores(int n_q, int n_k, int d_q, int d_k, int d_a, const double W_q[d_a][d_q],
                     const double W_k[d_a][d_k], const double v_a[d_a], const double Q[n_q][d_q],
                     const double K[n_k][d_k], double hidden[n_q][n_k][d_a],
                     double scores[n_q][n_k]) {
    // BEGIN SOLUTION: which part of the sum depends only on the query, which only on the key?
    for (int i = 0; i < n_q; i++)
        for (int a = 0; a < d_a; a++) {
            double from_query = dot(d_q, W_q[a], Q[i]);
            for (int j = 0; j < n_k; j++)
                hidden[i][j][a] = from_query;
        }
    for (int j = 0; j < n_k; j++)
        for (int a = 0; a < d_a; a++) {
            double from_key = dot(d_k, W_k[a], K[j]);
            for (int i = 0; i < n_q; i++)
                hidden[i][j][a] = tanh(hidden[i][j][a] + from_key);
        }
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            scores[i][j] = dot(d_a, v_a, hidden[i][j]);
    // END SOLUTION
}

void additive_scores_backward(int n_q, int n_k, int d_q, int d_k, int d_a,
                              const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                              const double v_a[d_a], const double Q[n_q][d_q],
                              const double K[n_k][d_k], const double hidden[n_q][n_k][d_a],
                              const double d_scores[n_q][n_k], double d_W_q[d_a][d_q],
                              double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                              double d_K[n_k][d_k]) {
    // BEGIN SOLUTION: d_sum needs the derivative of tanh, which is 1 - hidden * hidden
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            for (int a = 0; a < d_a; a++) {
                double h = hidden[i][j][a];
                double d_sum = d_scores[i][j] * v_a[a] * (1.0 - h * h);
                d_v_a[a] += d_scores[i][j] * h;
                for (int c = 0; c < d_q; c++) {
                    d_W_q[a][c] += d_sum * Q[i][c];
                    d_Q[i][c] += d_sum * W_q[a][c];
                }
                for (int c = 0; c < d_k; c++) {
                    d_W_k[a][c] += d_sum * K[j][c];
                    d_K[j][c] += d_sum * W_k[a][c];
                }
            }
    // END SOLUTION
}

void additive_attention(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                        const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                        const double v_a[d_a], const double Q[n_q][d_q], const double K[n_k][d_k],
                        const double V[n_k][d_v], double hidden[n_q][n_k][d_a],
                        double weights[n_q][n_k], double out[n_q][d_v]) {
    // BEGIN SOLUTION: three calls, as in lesson 02, but with another score
    additive_scores(n_q, n_k, d_q, d_k, d_a, W_q, W_k, v_a, Q, K, hidden, weights);
    softmax_rows(n_q, n_k, weights, weights);
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}

void additive_attention_backward(int n_q, int n_k, int d_q, int d_k, int d_a, int d_v,
                                 const double W_q[d_a][d_q], const double W_k[d_a][d_k],
                                 const double v_a[d_a], const double Q[n_q][d_q],
                                 const double K[n_k][d_k], const double V[n_k][d_v],
                                 const double hidden[n_q][n_k][d_a], const double weights[n_q][n_k],
                                 const double d_out[n_q][d_v], double d_W_q[d_a][d_q],
                                 double d_W_k[d_a][d_k], double d_v_a[d_a], double d_Q[n_q][d_q],
                                 double d_K[n_k][d_k], double d_V[n_k][d_v]) {
    // BEGIN SOLUTION: one pair at a time, with its d_score as a 1 x 1 matrix
    for (int i = 0; i < n_q; i++) {
        double shared = 0.0;
        for (int j = 0; j < n_k; j++)
            shared += weights[i][j] * dot(d_v, d_out[i], V[j]);

        for (int j = 0; j < n_k; j++) {
            double d_score[1][1] = {{weights[i][j] * (dot(d_v, d_out[i], V[j]) - shared)}};
            const double(*pair)[1][d_a] = (const double(*)[1][d_a])hidden[i][j];
            additive_scores_backward(1, 1, d_q, d_k, d_a, W_q, W_k, v_a, &Q[i], &K[j], pair,
                                     d_score, d_W_q, d_W_k, d_v_a, &d_Q[i], &d_K[j]);
            for (int c = 0; c < d_v; c++)
                d_V[j][c] += weights[i][j] * d_out[i][c];
        }
    }
    // END SOLUTION
}

void general_scores(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                    const double Q[n_q][d_q], const double K[n_k][d_k], double scores[n_q][n_k]) {
    // BEGIN SOLUTION: every query with every key: call general_score for each pair
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            scores[i][j] = general_score(d_q, d_k, W, Q[i], K[j]);
    // END SOLUTION
}

void general_scores_backward(int n_q, int n_k, int d_q, int d_k, const double W[d_q][d_k],
                             const double Q[n_q][d_q], const double K[n_k][d_k],
                             const double d_scores[n_q][n_k], double d_W[d_q][d_k],
                             double d_Q[n_q][d_q], double d_K[n_k][d_k]) {
    // BEGIN SOLUTION: each of three factors receives d_scores[i][j] times the other two
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            for (int r = 0; r < d_q; r++)
                for (int c = 0; c < d_k; c++) {
                    d_W[r][c] += d_scores[i][j] * Q[i][r] * K[j][c];
                    d_Q[i][r] += d_scores[i][j] * W[r][c] * K[j][c];
                    d_K[j][c] += d_scores[i][j] * W[r][c] * Q[i][r];
                }
    // END SOLUTION
}
