/* Lesson 06: who asks, what is offered, what is fetched: trained queries, keys and values.

   A text is a matrix X: n words, a row each, of d_model numbers. Three trained matrices make of it
   what asks (Q), what is offered (K) and what is fetched (V). Outputs come last and start out
   undefined; they may not overlap the inputs. A function called ..._backward ADDS (+=) into every
   d_... that it is given last. */
#ifndef SELF_ATTENTION_H
#define SELF_ATTENTION_H

#include <stdbool.h>

/* Y = X W: each row of X, n in all, goes from d_in numbers to d_out. */
void project(int n, int d_in, int d_out, const double X[n][d_in], const double W[d_in][d_out],
             double Y[n][d_out]);

/* Adds what d_Y means for the rows into d_X, and for the matrix into d_W. */
void project_backward(int n, int d_in, int d_out, const double X[n][d_in],
                      const double W[d_in][d_out], const double d_Y[n][d_out], double d_X[n][d_in],
                      double d_W[d_in][d_out]);

/* Q = X W_q, K = X W_k, V = X W_v; then lesson 05's attention under the mask `blocked`, or lesson
   03's if blocked is NULL: then nothing is blocked. Leaves Q, K, V and the weights for the backward
   pass. */
void self_attention(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                    const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                    const double W_v[d_model][d_v], const bool blocked[n][n], double Q[n][d_k],
                    double K[n][d_k], double V[n][d_v], double weights[n][n], double out[n][d_v]);

/* The whole way back, from d_out to d_X and to the three matrices. Q, K, V and weights are what
   the forward pass left. Unlike the functions before it, it needs room of its own, for d_Q, d_K and
   d_V: with calloc and free, since they may be larger than the stack. If there is a mask, the
   backward pass is lesson 05's: with that of lesson 03 a blocked word of 1e200 can give 0 times
   infinity. */
void self_attention_backward(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                             const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                             const double W_v[d_model][d_v], const bool blocked[n][n],
                             const double Q[n][d_k], const double K[n][d_k], const double V[n][d_v],
                             const double weights[n][n], const double d_out[n][d_v],
                             double d_X[n][d_model], double d_W_q[d_model][d_k],
                             double d_W_k[d_model][d_k], double d_W_v[d_model][d_v]);

/* How surprised softmax(logits) is by the target: -log of its weight, without computing a weight
   first. 0 when it was certain. Classes count from 0, and so does target. */
double cross_entropy(int n, const double logits[n], int target);

/* Adds what a change of each logit means for the cross-entropy into d_logits. */
void cross_entropy_backward(int n, const double logits[n], int target, double d_logits[n]);

/* One step downhill: parameter[i] changes by -learning_rate times gradient[i]. */
void sgd_step(int n, double learning_rate, const double gradient[n], double parameter[n]);

#endif
