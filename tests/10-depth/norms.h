/* Slow norms, written directly from their definitions, for the tests of lesson 10. */
#ifndef NORMS_H
#define NORMS_H

#include "depth.h"

#include <math.h>
#include <stdbool.h>

/* Computes the layer norm if `centred` is true, and the RMS norm otherwise. */
static inline void obvious_norm(bool centred, int n, int d, const double X[n][d],
                                double normed[n][d], double inverse[n]) {
    for (int i = 0; i < n; i++) {
        long double mean = 0.0L, squares = 0.0L;
        for (int c = 0; centred && c < d; c++)
            mean += (long double)X[i][c] / d;
        for (int c = 0; c < d; c++)
            squares += ((long double)X[i][c] - mean) * ((long double)X[i][c] - mean) / d;
        inverse[i] = (double)(1.0L / sqrtl(squares + norm_epsilon));
        for (int c = 0; c < d; c++)
            normed[i][c] = (double)(((long double)X[i][c] - mean) * inverse[i]);
    }
}

/* Adds to d_X, using the derivative of each number of the normed row with respect to each number of
   the row. */
static inline void obvious_norm_back(bool centred, int n, int d, const double gain[d],
                                     const double normed[n][d], const double inverse[n],
                                     const double d_out[n][d], double d_X[n][d]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            for (int k = 0; k < d; k++) {
                const double by_all = (centred ? 1.0 : 0.0) + normed[i][c] * normed[i][k];
                const double slope = inverse[i] * ((c == k ? 1.0 : 0.0) - by_all / d);
                d_X[i][c] += gain[k] * d_out[i][k] * slope;
            }
}

/* out = gain * normed, plus the bias if it is not NULL. */
static inline void obvious_scale(int n, int d, const double normed[n][d], const double gain[d],
                                 const double *bias, double out[n][d]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            out[i][c] = gain[c] * normed[i][c] + (bias ? bias[c] : 0.0);
}

/* d_gain and d_bias get a sum over the rows. */
static inline void obvious_scale_back(int n, int d, const double normed[n][d],
                                      const double d_out[n][d], double d_gain[d], double *d_bias) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++) {
            d_gain[c] += d_out[i][c] * normed[i][c];
            if (d_bias)
                d_bias[c] += d_out[i][c];
        }
}

#endif
