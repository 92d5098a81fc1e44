/* Lesson 06: self-attention with trained queries, keys and values.

   A text is a matrix X with one row for each of its n words, and each row has d_model dimensions.
   Three weight matrices turn X into queries Q, keys K and values V. Outputs come last, have no
   defined values at first and may not overlap the inputs. A function whose name ends in _backward
   ADDS (+=) to its outputs, which are the gradients of its inputs. */
#ifndef SELF_ATTENTION_H
#define SELF_ATTENTION_H

#include <stdbool.h>

/* Computes Y = X W. Each of the n rows of X has d_in dimensions, and each row of Y has d_out. */
void project(int n, int d_in, int d_out, const double X[n][d_in], const double W[d_in][d_out],
             double Y[n][d_out]);

/* The backward pass of project, which adds the gradient of X to d_X and that of W to d_W. */
void project_backward(int n, int d_in, int d_out, const double X[n][d_in],
                      const double W[d_in][d_out], const double d_Y[n][d_out], double d_X[n][d_in],
                      double d_W[d_in][d_out]);

/* Computes Q = X W_q, K = X W_k and V = X W_v, and then the attention of lesson 05 with the mask
   `blocked`. If blocked is NULL, there is no mask, and the attention is that of lesson 03. Q, K, V
   and weights are outputs, too, because the backward pass needs them. */
void self_attention(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                    const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                    const double W_v[d_model][d_v], const bool blocked[n][n], double Q[n][d_k],
                    double K[n][d_k], double V[n][d_v], double weights[n][n], double out[n][d_v]);

/* The backward pass of self_attention, which adds the gradients of X and of the three matrices.
   Q, K, V and weights are the results of the forward pass. The function needs memory for d_Q, d_K
   and d_V. Take it from calloc and give it back with free, because a long text needs more than
   the stack has. If there is a mask, call the backward function of lesson 05. In that of
   lesson 03, large numbers in blocked words could overflow and give NaN. */
void self_attention_backward(int n, int d_model, int d_k, int d_v, const double X[n][d_model],
                             const double W_q[d_model][d_k], const double W_k[d_model][d_k],
                             const double W_v[d_model][d_v], const bool blocked[n][n],
                             const double Q[n][d_k], const double K[n][d_k], const double V[n][d_v],
                             const double weights[n][n], const double d_out[n][d_v],
                             double d_X[n][d_model], double d_W_q[d_model][d_k],
                             double d_W_k[d_model][d_k], double d_W_v[d_model][d_v]);

/* Returns minus the logarithm of the probability of the target. The softmax turns the logits into
   probabilities, and the target is an index from 0 to n - 1. The result must be right even if the
   probability is too small for a double, so do not compute the probability first. */
double cross_entropy(int n, const double logits[n], int target);

/* Adds the gradient of cross_entropy with respect to the logits to d_logits. */
void cross_entropy_backward(int n, const double logits[n], int target, double d_logits[n]);

/* Makes one training step, which subtracts learning_rate * gradient[i] from each parameter[i]. */
void sgd_step(int n, double learning_rate, const double gradient[n], double parameter[n]);

#endif
