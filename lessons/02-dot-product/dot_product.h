/* Lesson 02: score by agreement, blend by weight.

   n_q queries ask, n_k keys answer, and each key carries a value. Queries and keys have d numbers
   each, values have d_v. Outputs come last and start out undefined; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that it is given last, and
   those may be one and the same matrix: that is how self-attention uses it. No function keeps a
   matrix of its own: a text may be longer than the stack has room for. A few rows would fit, and
   none is needed. */
#ifndef DOT_PRODUCT_H
#define DOT_PRODUCT_H

/* The sum of a[i] * b[i]. */
double dot(int d, const double a[d], const double b[d]);

/* The cosine of the angle between a and b: their dot product with the lengths divided out.
   If either is all zero there is no angle, and the answer is 0. It holds for lengths from 1e-100 to
   1e100: their squares are doubles, but the product of two squares is none. */
double cosine_similarity(int d, const double a[d], const double b[d]);

/* scores[i][j] = query i dot key j. */
void dot_scores(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                double scores[n_q][n_k]);

/* out[i] = the sum of weights[i][j] * V[j] over all keys j: row i of weights says how much of each
   row of V goes into row i of out. */
void blend(int n_q, int n_k, int d_v, const double weights[n_q][n_k], const double V[n_k][d_v],
           double out[n_q][d_v]);

/* Score, softmax each query's row, blend. Leaves the weights for the backward pass. */
void dot_product_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                           const double K[n_k][d], const double V[n_k][d_v],
                           double weights[n_q][n_k], double out[n_q][d_v]);

/* The same with a pick instead of a blend: each row of weights is 1 at the best key, the first one
   on a tie, and 0 elsewhere. */
void hard_attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                    const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                    double out[n_q][d_v]);

/* Adds what d_scores means for the queries into d_Q, and for the keys into d_K. */
void dot_scores_backward(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                         const double d_scores[n_q][n_k], double d_Q[n_q][d], double d_K[n_k][d]);

/* Adds what d_out means for the weights into d_weights, and for the values into d_V. */
void blend_backward(int n_q, int n_k, int d_v, const double weights[n_q][n_k],
                    const double V[n_k][d_v], const double d_out[n_q][d_v],
                    double d_weights[n_q][n_k], double d_V[n_k][d_v]);

/* The whole way back, from d_out to d_Q, d_K and d_V. `weights` is what the forward pass left. Time
   grows with n_q * n_k, as on the way forward: the softmax of a query goes back in O(n_k). */
void dot_product_attention_backward(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                                    const double K[n_k][d], const double V[n_k][d_v],
                                    const double weights[n_q][n_k], const double d_out[n_q][d_v],
                                    double d_Q[n_q][d], double d_K[n_k][d], double d_V[n_k][d_v]);

#endif
