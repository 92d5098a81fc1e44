/* Lesson 02: dot-product attention. The scores are the dot products of queries and keys, the
   weights are the softmax of the scores, and the output is the weighted sum of the values.

   These rules hold for all functions. There are n_q queries, n_k keys and n_k values.
   Queries and keys have d dimensions, and values have d_v. All sizes are at least 1. Sizes come
   first, inputs are const, and outputs come last. An output has no defined values before the call,
   and it never shares memory with an input. A function whose name ends in _backward ADDS (+=) to
   each output d_... Its outputs may be the same matrix, as in self-attention. No function needs an
   array of its own, and a matrix for a long text would not fit on the stack. */
#ifndef DOT_PRODUCT_H
#define DOT_PRODUCT_H

/* The sum of a[c] * b[c] over all dimensions c. */
double dot(int d, const double a[d], const double b[d]);

/* The cosine of the angle between a and b, which is their dot product divided by both lengths.
   If a or b is all zero, there is no angle, and the result is 0. It must work for lengths from
   1e-100 to 1e100. A double can hold the square of such a length, such as 1e200, but not always the
   product of two squares, such as 1e400. */
double cosine_similarity(int d, const double a[d], const double b[d]);

/* scores[i][j] = the dot product of query i and key j. */
void dot_scores(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                double scores[n_q][n_k]);

/* out[i] = the sum of weights[i][j] * V[j] over all keys j. Row i of weights says how much each row
   of V contributes to row i of out. */
void blend(int n_q, int n_k, int d_v, const double weights[n_q][n_k], const double V[n_k][d_v],
           double out[n_q][d_v]);

/* Computes the scores, applies the softmax to each row, and blends. `weights` is an output, too,
   because the backward pass needs it. */
void dot_product_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                           const double K[n_k][d], const double V[n_k][d_v],
                           double weights[n_q][n_k], double out[n_q][d_v]);

/* Attention with hard weights in place of the softmax. Each row of weights is 1 at the key with the
   highest score and 0 elsewhere. If several keys share the highest score, the first gets the 1. */
void hard_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                    const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                    double out[n_q][d_v]);

/* The backward pass of dot_scores. It receives the gradient of the scores, and it adds the gradient
   of the queries to d_Q and the gradient of the keys to d_K. */
void dot_scores_backward(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                         const double d_scores[n_q][n_k], double d_Q[n_q][d], double d_K[n_k][d]);

/* The backward pass of blend. It receives the gradient of out, and it adds the gradient of the
   weights to d_weights and the gradient of the values to d_V. */
void blend_backward(int n_q, int n_k, int d_v, const double weights[n_q][n_k],
                    const double V[n_k][d_v], const double d_out[n_q][d_v],
                    double d_weights[n_q][n_k], double d_V[n_k][d_v]);

/* The backward pass of dot_product_attention. It receives d_out and the weights that the forward
   pass has computed, and it adds to d_Q, d_K and d_V. The time must be proportional to n_q * n_k,
   as in the forward pass, so do not put one loop over the keys inside another. */
void dot_product_attention_backward(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                                    const double K[n_k][d], const double V[n_k][d_v],
                                    const double weights[n_q][n_k], const double d_out[n_q][d_v],
                                    double d_Q[n_q][d], double d_K[n_k][d], double d_V[n_k][d_v]);

#endif
