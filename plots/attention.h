/* Matrices that the plots of lessons 02 to 06 declare again and again. */
#ifndef PLOTS_ATTENTION_H
#define PLOTS_ATTENTION_H

#include "matrix.h"

/* What attention computes: `weights` and `out`. */
#define NEW_OUTPUTS(n_q, n_k, d_v)                                                                 \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    NEW_MATRIX(out, n_q, d_v)

/* What its backward pass adds to: `d_Q`, `d_K` and `d_V`, all 0. */
#define NEW_GRADIENTS(n_q, n_k, d_k, d_v)                                                          \
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_K, n_k, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0)

#endif
