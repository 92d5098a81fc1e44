/* The backward pass of a softmax by the definition, for the tests of several lessons. */
#ifndef JACOBIAN_H
#define JACOBIAN_H

/* Softmax's whole Jacobian for each row: what d_weights means for the scores. */
static inline void obvious_d_scores(int n_q, int n_k, const double weights[n_q][n_k],
                                    const double d_weights[n_q][n_k], double d_scores[n_q][n_k]) {
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++) {
            d_scores[i][j] = 0.0;
            for (int k = 0; k < n_k; k++) {
                double slope = weights[i][k] * ((j == k ? 1.0 : 0.0) - weights[i][j]);
                d_scores[i][j] += slope * d_weights[i][k];
            }
        }
}

#endif
