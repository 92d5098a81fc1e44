/* Lesson 05: some pairs must not look at each other.

   A mask is a table of bools, a row for each query and a column for each key: true means BLOCKED,
   this query may not look at this key. What is blocked has weight exactly 0 and receives no
   gradient. A row in which everything is blocked gives weights and an output of exactly 0.

   Outputs come last and start out undefined; they may overlap the inputs only where it says so. A
   function called ..._backward ADDS (+=) into every d_... that it is given last. No function keeps
   a matrix of its own. */
#ifndef MASKED_H
#define MASKED_H

#include <stdbool.h>

/* No word may look at a later one; at itself it may. */
void causal_mask(int n, bool blocked[n][n]);

/* The first `length` keys are words, the others only fill the row up: nobody may look at those. */
void padding_mask(int n_q, int n_k, int length, bool blocked[n_q][n_k]);

/* Blocks what a or b or both block. `blocked` may be a or b. */
void block_either(int n_q, int n_k, const bool a[n_q][n_k], const bool b[n_q][n_k],
                  bool blocked[n_q][n_k]);

/* The softmax of each row over the keys that are not blocked, whatever stands at those that are: a
   NaN there does no harm. As exact as lesson 01's softmax, also near -1e9. A NaN among the others
   makes the weights of all of them NaN. `weights` may be `scores`. */
void masked_softmax_rows(int rows, int cols, const double scores[rows][cols],
                         const bool blocked[rows][cols], double weights[rows][cols]);

/* Lesson 03's attention, scale and all, over the keys that are not blocked. Whatever finite
   numbers a blocked key and its value hold, they change nothing. */
void masked_attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                      const double K[n_k][d_k], const double V[n_k][d_v],
                      const bool blocked[n_q][n_k], double weights[n_q][n_k], double out[n_q][d_v]);

/* The whole way back, from d_out to d_Q, d_K and d_V. `weights` is what the forward pass left.
   Whatever finite numbers a blocked key and its value hold, they change nothing here either. Leave
   blocked pairs out: a weight of 0 does not help where the other factor is too large for a double,
   since 0 times infinity is NaN. */
void masked_attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                               const double K[n_k][d_k], const double V[n_k][d_v],
                               const bool blocked[n_q][n_k], const double weights[n_q][n_k],
                               const double d_out[n_q][d_v], double d_Q[n_q][d_k],
                               double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* out[i] = 0 where uniform[i] < rate; elsewhere in[i] times 1 / (1 - rate), which makes up for the
   loss. `uniform` holds random numbers in [0, 1). rate is from 0, which drops nothing, to 1, which
   drops everything. `out` may be `in`. */
void dropout(int n, double rate, const double uniform[n], const double in[n], double out[n]);

/* Adds what d_out means for `in` into d_in. `uniform` is what the forward pass was given. */
void dropout_backward(int n, double rate, const double uniform[n], const double d_out[n],
                      double d_in[n]);

#endif
