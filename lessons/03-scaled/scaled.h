/* Lesson 03: why divide by the square root of d_k.

   As in lesson 02, n_q queries ask, n_k keys answer, and each key carries a value; now queries and
   keys have d_k numbers each, and values have d_v. Outputs come last and start out undefined; they
   may not overlap the inputs. A function called ..._backward ADDS (+=) into every d_... that it is
   given last, and those may be one and the same matrix: that is how self-attention uses it. No
   function keeps a matrix of its own. */
#ifndef SCALED_H
#define SCALED_H

/* What every score is multiplied by, on the way forward and on the way back: 1 / sqrt(d_k). */
double attention_scale(int d_k);

/* Score, scale, softmax each query's row, blend. Leaves the weights for the backward pass. */
void scaled_dot_product_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                                  const double K[n_k][d_k], const double V[n_k][d_v],
                                  double weights[n_q][n_k], double out[n_q][d_v]);

/* The whole way back, from d_out to d_Q, d_K and d_V. `weights` is what the forward pass left. */
void scaled_dot_product_attention_backward(int n_q, int n_k, int d_k, int d_v,
                                           const double Q[n_q][d_k], const double K[n_k][d_k],
                                           const double V[n_k][d_v], const double weights[n_q][n_k],
                                           const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                                           double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* The mean squared distance of the numbers from their mean (divided by n, not by n - 1). It is
   right to 5 digits even if all numbers are near 1e9: there the mean of the squares minus the
   square of the mean has no digits left (cancellation), so subtract the mean first. */
double variance(int n, const double x[n]);

/* The entropy of a row of weights, averaged over the rows: 0 when every row picks one key,
   log(cols) when every row spreads evenly. */
double mean_entropy(int rows, int cols, const double weights[rows][cols]);

#endif
