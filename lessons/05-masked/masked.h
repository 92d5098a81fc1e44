/* Lesson 05: attention in which some queries must not attend to some keys.

   A mask is a matrix of bools with one row for each query and one column for each key. True means
   BLOCKED, so this query may not attend to this key. A blocked pair has a weight of exactly 0 and
   gets no gradient. If every key of a row is blocked, all weights and the output of this row are 0.

   Outputs come last and have no defined values at first. They may be the same array as an input
   only where the comment says so. A function whose name ends in _backward ADDS (+=) to its outputs,
   which are the d_... at the end. No function needs a matrix of its own. */
#ifndef MASKED_H
#define MASKED_H

#include <stdbool.h>

/* Blocks every key that comes after the query in the text. A token may attend to itself. */
void causal_mask(int n, bool blocked[n][n]);

/* The first `length` keys are tokens and the others are padding, which is blocked in every row. */
void padding_mask(int n_q, int n_k, int length, bool blocked[n_q][n_k]);

/* Blocks every pair that a or b or both block. `blocked` may be the same array as a or b. */
void block_either(int n_q, int n_k, const bool a[n_q][n_k], const bool b[n_q][n_k],
                  bool blocked[n_q][n_k]);

/* The softmax of each row over the keys that are not blocked. A blocked score has no influence,
   even if it is NaN. Like softmax() of lesson 01, it must work for very high and very low scores.
   If an allowed score is NaN, all allowed weights of its row are NaN, and the blocked weights of
   this row may be anything. `weights` may be the same array as `scores`. */
void masked_softmax_rows(int rows, int cols, const double scores[rows][cols],
                         const bool blocked[rows][cols], double weights[rows][cols]);

/* The attention of lesson 03, with the scale, over the keys that are not blocked. A query's output
   does not depend on the keys and values that are blocked for it, as long as they are finite. */
void masked_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const bool blocked[n_q][n_k], double weights[n_q][n_k], double out[n_q][d_v]);

/* The backward pass from d_out to d_Q, d_K and d_V. `weights` comes from the forward pass. Finite
   keys and values have no influence where they are blocked. So skip the blocked pairs, because a
   product with a weight of 0 is NaN if the other factor overflows to infinity. */
void masked_attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                               const double K[n_k][d_k], const double V[n_k][d_v],
                               const bool blocked[n_q][n_k], const double weights[n_q][n_k],
                               const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                               double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* out[i] is 0 if uniform[i] < rate, and in[i] times 1 / (1 - rate) otherwise. With this factor the
   mean of out[i] is in[i]. `uniform` holds random numbers from 0 to just below 1. A rate of 0 drops
   nothing, and a rate of 1 drops everything. `out` may be the same array as `in`. */
void dropout(int n, double rate, const double uniform[n], const double in[n], double out[n]);

/* Adds the gradient of `in` to d_in. `uniform` must be the same as in the forward pass. */
void dropout_backward(int n, double rate, const double uniform[n], const double d_out[n],
                      double d_in[n]);

#endif
