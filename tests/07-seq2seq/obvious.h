/* The slow, obvious way through a step of a GRU, through two readers, and through a look back, with
   the way back of each. Written from the formulas, one number after the other. */
#ifndef OBVIOUS_H
#define OBVIOUS_H

#include "matrix.h"
#include "product.h"

#include <math.h>
#include <string.h>

/* Another way to write the sigmoid, which no sum is too large for. */
static double share(double x) {
    return 0.5 + 0.5 * tanh(0.5 * x);
}

static void obvious_gru(int d_in, int d, const void *W, const void *U, const void *x,
                        const double *h, double *gates, double *heard, double *next) {
    NEW_MATRIX(obvious_read, 1, 3 * d);
    product(1, d_in, 3 * d, x, W, obvious_read);
    product(1, d, 3 * d, (const void *)h, U, (void *)heard);
    for (int c = 0; c < d; c++) {
        const double z = share(obvious_read[0][c] + heard[c]),
                     r = share(obvious_read[0][d + c] + heard[d + c]);
        const double n = tanh(obvious_read[0][2 * d + c] + r * heard[2 * d + c]);
        gates[c] = z, gates[d + c] = r, gates[2 * d + c] = n;
        next[c] = n + z * (h[c] - n);
    }
}

/* For Y = x W: d_x += d_Y W^T, and d_W += x^T d_Y. */
static void obvious_product_back(int n, int m, const void *x, const void *W, const void *d_Y,
                                 void *d_x, void *d_W) {
    NEW_MATRIX(obvious_d_x, 1, n);
    NEW_MATRIX(obvious_d_W, n, m);
    product_by_rows(1, m, n, d_Y, W, obvious_d_x);
    product_by_columns(n, 1, m, x, d_Y, obvious_d_W);
    add_into(n, obvious_d_x, d_x);
    add_into(n * m, obvious_d_W, d_W);
}

static void obvious_gru_back(int d_in, int d, const void *W, const void *U, const void *x,
                             const double *h, const double *gates, const double *heard,
                             const double *d_next, double *d_gates, double *d_heard, void *d_W,
                             void *d_U, void *d_x, double *d_h) {
    for (int c = 0; c < d; c++) {
        const double z = gates[c], r = gates[d + c], n = gates[2 * d + c];
        const double into_n = d_next[c] * (1.0 - z) * (1.0 - n * n);
        const double into[3] = {d_next[c] * (h[c] - n) * z * (1.0 - z),
                                into_n * heard[2 * d + c] * r * (1.0 - r), into_n};
        for (int i = 0; i < 3; i++) {
            d_gates[i * d + c] += into[i];
            d_heard[i * d + c] += i < 2 ? into[i] : r * into_n;
        }
        d_h[c] += z * d_next[c];
    }
    obvious_product_back(d_in, 3 * d, x, W, d_gates, d_x, d_W);
    obvious_product_back(d, 3 * d, h, U, d_heard, d_h, d_U);
}

/* The word that a reader reads at its step k, and the state from before that, in H or at the start:
   for gradients, d_H or d_start. */
static int word_at(int reader, int k, int n) {
    return reader == 0 ? k : n - 1 - k;
}

static double *state_before(int n, int d, void *states, void *begin, int reader, int k) {
    double(*H)[2][d] = states, (*start)[d] = begin;
    return k == 0 ? start[reader] : H[word_at(reader, k - 1, n)][reader];
}

static void obvious_encode(int n, int d_in, int d, void *both_W, void *both_U, void *words,
                           void *start, void *all_gates, void *all_heard, void *states) {
    double(*W)[d_in][3 * d] = both_W, (*U)[d][3 * d] = both_U, (*X)[d_in] = words;
    double(*gates)[2][3 * d] = all_gates, (*heard)[2][3 * d] = all_heard, (*H)[2][d] = states;
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const int j = word_at(reader, k, n);
            obvious_gru(d_in, d, W[reader], U[reader], X[j],
                        state_before(n, d, H, start, reader, k), gates[j][reader], heard[j][reader],
                        H[j][reader]);
        }
}

/* One score of additive attention; leaves what is in the hidden layer. */
static double obvious_score(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                            const double *v_a, const void *s, const void *state, double *hidden) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double score = 0.0;
    for (int a = 0; a < d_a; a++) {
        hidden[a] = tanh(sum_of_products(d, W_q[a], s) + sum_of_products(d_k, W_k[a], state));
        score += v_a[a] * hidden[a];
    }
    return score;
}

static void obvious_context(int n, int d, int d_k, int d_a, const void *W_q, const void *W_k,
                            const void *v_a, const void *states, const void *s, void *layer,
                            double *weights, void *c) {
    const double(*H)[d_k] = states;
    double(*hidden)[d_a] = layer, sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += weights[j] = exp(obvious_score(d, d_k, d_a, W_q, W_k, v_a, s, H[j], hidden[j]));
    scale_into(n, 1.0 / sum, weights, weights);
    product(1, n, d_k, (const void *)weights, H, c);
}

/* What the score of one state means for whoever asked, the state, and the network between them. */
static void obvious_score_back(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                               const double *v_a, const double *s, const double *state,
                               const double *hidden, double d_score, void *d_for_s, void *d_for_H,
                               double *d_v_a, double *d_s, double *d_state) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double(*d_W_q)[d] = d_for_s, (*d_W_k)[d_k] = d_for_H;
    for (int a = 0; a < d_a; a++) {
        const double d_sum = d_score * v_a[a] * (1.0 - hidden[a] * hidden[a]);
        d_v_a[a] += d_score * hidden[a];
        for (int i = 0; i < d; i++) {
            d_W_q[a][i] += d_sum * s[i];
            d_s[i] += d_sum * W_q[a][i];
        }
        for (int i = 0; i < d_k; i++) {
            d_W_k[a][i] += d_sum * state[i];
            d_state[i] += d_sum * W_k[a][i];
        }
    }
}

/* By softmax's whole Jacobian: what d_c means for the score of state j. */
static double obvious_d_score(int n, int d_k, const double *weights, const void *states,
                              const void *d_c, int j) {
    const double(*H)[d_k] = states;
    double d_score = 0.0;
    for (int k = 0; k < n; k++)
        d_score += weights[k] * ((j == k) - weights[j]) * sum_of_products(d_k, d_c, H[k]);
    return d_score;
}

#endif
