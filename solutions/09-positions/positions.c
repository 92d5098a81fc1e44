#include "positions.h"

#include "dot_product.h"
#include "masked.h"
#include "scaled.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>
#include <stdlib.h>

void embed(int n, int vocabulary, int d, double scale, const int words[n],
           const double table[vocabulary][d], double X[n][d]) {
    // BEGIN SOLUTION: row i of X is the row of the table that belongs to word i, times the scale
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            X[i][c] = scale * table[words[i]][c];
    // END SOLUTION
}

void embed_backward(int n, int vocabulary, int d, double scale, const int words[n],
                    const double d_X[n][d], double d_table[vocabulary][d]) {
    // BEGIN SOLUTION: add to the row of the word, which may occur several times
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            d_table[words[i]][c] += scale * d_X[i][c];
    // END SOLUTION
}

double position_angle(int position, int pair, int d) {
    // BEGIN SOLUTION: the header's formula with pow(), without dividing two ints
    return position / pow(10000.0, 2.0 * pair / d);
    // END SOLUTION
}

void sinusoidal_positions(int n, int d, int first, double P[n][d]) {
    // BEGIN SOLUTION: dimension c belongs to pair c / 2; is it the sine or the cosine?
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) {
            double angle = position_angle(first + i, c / 2, d);
            P[i][c] = c % 2 == 0 ? sin(angle) : cos(angle);
        }
    // END SOLUTION
}

void rotate(int n, int d, int first, const double X[n][d], double out[n][d]) {
    // BEGIN SOLUTION: rotate one pair after another, and keep its old numbers
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < d / 2; p++) {
            double angle = position_angle(first + i, p, d), x = X[i][2 * p], y = X[i][2 * p + 1];
            out[i][2 * p] = cos(angle) * x - sin(angle) * y;
            out[i][2 * p + 1] = sin(angle) * x + cos(angle) * y;
        }
        if (d % 2 == 1)
            out[i][d - 1] = X[i][d - 1];
    }
    // END SOLUTION
}

void rotate_backward(int n, int d, int first, const double d_out[n][d], double d_X[n][d]) {
    // BEGIN SOLUTION: rotate each pair in the other direction, and add
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < d / 2; p++) {
            double angle = position_angle(first + i, p, d);
            double x = d_out[i][2 * p], y = d_out[i][2 * p + 1];
            d_X[i][2 * p] += cos(angle) * x + sin(angle) * y;
            d_X[i][2 * p + 1] += cos(angle) * y - sin(angle) * x;
        }
        if (d % 2 == 1)
            d_X[i][d - 1] += d_out[i][d - 1];
    }
    // END SOLUTION
}

double alibi_slope(int n_heads, int head) {
    // BEGIN SOLUTION: the header's formula, where the first head is head 0
    return pow(2.0, -8.0 * (head + 1) / n_heads);
    // END SOLUTION
}

void alibi_bias(int n_q, int n_k, int first, double slope, double bias[n_q][n_k]) {
    // BEGIN SOLUTION: minus the slope times the distance, which is never negative
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            bias[i][j] = -slope * abs(first + i - j);
    // END SOLUTION
}

void biased_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const double bias[n_q][n_k], const bool blocked[n_q][n_k],
                      double weights[n_q][n_k], double out[n_q][d_v]) {
    // BEGIN SOLUTION: the steps of lesson 03; between which two does the bias belong?
    dot_scores(n_q, n_k, d_k, Q, K, weights);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            weights[i][j] = attention_scale(d_k) * weights[i][j] + bias[i][j];
    if (blocked)
        masked_softmax_rows(n_q, n_k, weights, blocked, weights);
    else
        softmax_rows(n_q, n_k, weights, weights);
    blend(n_q, n_k, d_v, weights, V, out);
    // END SOLUTION
}
