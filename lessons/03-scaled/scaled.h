/* Lesson 03: why divide by the square root of d_k.

   As in lesson 02 there are n_q queries and n_k keys, and each key has a value. A query and a key
   have d_k dimensions each, and a value has d_v. Outputs come last. An output has no defined values
   before the call, and its memory does not overlap an input. A function whose name ends in
   _backward ADDS (+=) to its outputs, which are d_Q, d_K and d_V. In self-attention all three of
   them may be the same matrix, as in lesson 02. No function needs a matrix of its own. */
#ifndef SCALED_H
#define SCALED_H

/* Returns the scale 1 / sqrt(d_k), by which every dot product is multiplied. */
double attention_scale(int d_k);

/* Multiplies the dot products of each query with all keys by the scale, and applies the softmax to
   each row. The result is stored in weights, because the backward pass needs it. Each row of out
   is the weighted sum of the values. */
void scaled_dot_product_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                                  const double K[n_k][d_k], const double V[n_k][d_v],
                                  double weights[n_q][n_k], double out[n_q][d_v]);

/* The backward pass, which computes d_Q, d_K and d_V from d_out. It receives the weights that the
   forward pass has stored. */
void scaled_dot_product_attention_backward(int n_q, int n_k, int d_k, int d_v,
                                           const double Q[n_q][d_k], const double K[n_k][d_k],
                                           const double V[n_k][d_v], const double weights[n_q][n_k],
                                           const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                                           double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* Returns the mean of the squared distances of the numbers from their mean. Divide by n and not by
   n - 1. The result must be correct to 5 digits even if all numbers are near 1e9. For such numbers
   the mean of the squares minus the square of the mean has no correct digits left, so subtract the
   mean from each number before you square it. */
double variance(int n, const double x[n]);

/* Returns the average of the entropies of all rows of weights. The result is 0 if each row has a
   weight of 1, and log(cols) if all weights are equal. */
double mean_entropy(int rows, int cols, const double weights[rows][cols]);

#endif
