/* Lesson 05: attention in which some queries must not attend to some keys.

   A mask is a matrix of bools with one row for each query and one column for each key. True means
   BLOCKED: this query may not attend to this key. A blocked pair has a weight of exactly 0 and gets
   no gradient. A row in which every key is blocked has weights and an output of exactly 0.

   Outputs come last and have no defined values at first. They may overlap the inputs only where the
   comment says so. A function called ..._backward ADDS (+=) to every d_... that it is given last.
   No function needs a matrix of its own. */
#ifndef MASKED_H
#define MASKED_H

#include <stdbool.h>

/* Blocks every key that is later than the query. A token may attend to itself. */
void causal_mask(int n, bool blocked[n][n]);

/* The first `length` keys are tokens and the others are padding, which is blocked in every row. */
void padding_mask(int n_q, int n_k, int length, bool blocked[n_q][n_k]);

/* Blocks every pair that a or b or both block. `blocked` may be the same array as a or b. */
void block_either(int n_q, int n_k, const bool a[n_q][n_k], const bool b[n_q][n_k],
                  bool blocked[n_q][n_k]);

/* The softmax of each row over the keys that are not blocked. A blocked score has no influence,
   even if it is NaN. The result is as exact as that of softmax() in lesson 01, also for scores near
   -1e9. A NaN among the allowed scores makes all allowed weights NaN. `weights` may be `scores`. */
void masked_softmax_rows(int rows, int cols, const double scores[rows][cols],
                         const bool blocked[rows][cols], double weights[rows][cols]);

/* The attention of lesson 03, with the scale, over the keys that are not blocked. The numbers in a
   blocked key and in its value change nothing, as long as they are finite. */
void masked_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const bool blocked[n_q][n_k], double weights[n_q][n_k], double out[n_q][d_v]);

/* The backward pass from d_out to d_Q, d_K and d_V. `weights` comes from the forward pass. The
   numbers in a blocked key and in its value change nothing here either, as long as they are finite.
   Skip the blocked pairs: a weight of 0 does not help if the other factor overflows, because 0
   times infinity is NaN. */
void masked_attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                               const double K[n_k][d_k], const double V[n_k][d_v],
                               const bool blocked[n_q][n_k], const double weights[n_q][n_k],
                               const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                               double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* out[i] is 0 if uniform[i] < rate, and in[i] times 1 / (1 - rate) otherwise. This factor keeps the
   mean. `uniform` holds random numbers from 0 to just below 1. The rate is between 0, which drops
   nothing, and 1, which drops everything. `out` may be `in`. */
void dropout(int n, double rate, const double uniform[n], const double in[n], double out[n]);

/* Adds the gradient of `in` to d_in. `uniform` must be the same as in the forward pass. */
void dropout_backward(int n, double rate, const double uniform[n], const double d_out[n],
                      double d_in[n]);

#endif
