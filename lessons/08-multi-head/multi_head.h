/* Lesson 08: multi-head attention, several heads side by side, each with its own weights.

   The queries are made from X, which has n_q rows of d_model numbers. The keys and values are made
   from `source`, which has n_k such rows. In self-attention, both are the same matrix. Each head
   has d_head dimensions. Query head h uses the keys and values of key head

       h / (n_heads / n_kv_heads)

   so neighbours share a key head if there are fewer key heads than query heads. n_heads is a
   multiple of n_kv_heads, and in most models both are equal.

   As in lesson 07, matrices that belong together are the members of a struct. Each member is a
   `void *`, declared with its shape. The parameters `w` and their gradients `d_w` have the same
   type. So have the values `v`, which the forward pass leaves for the backward pass, and their
   gradients `d_v`. The tests call the matrix of v->Q Q, that of d_v->Q d_Q, and that of d_w->W_q
   d_W_q.

   Outputs come last. They and the matrices of v have no defined values before the call, and they do
   not overlap the inputs. A function whose name ends in _backward ADDS (+=) to every d_... that is
   not a `const double`, and to the matrices of d_v and d_w. It first adds a gradient to d_v, and
   then passes on what d_v contains after that. The caller sets d_v to 0 before each pass and d_w to
   0 before each training step. No function may keep a matrix of its own, or use a `static` or
   global variable, because milestones call these functions from two threads at once. */
#ifndef MULTI_HEAD_H
#define MULTI_HEAD_H

#include "room.h"
#include "shape.h"

#include <stdbool.h>

/* The four matrices of all heads, or their gradients. */
struct multi_head {
    int d_model, n_heads, n_kv_heads, d_head;
    MATRIX(W_q, d_model, n_heads * d_head);
    MATRIX(W_k, d_model, n_kv_heads * d_head);
    MATRIX(W_v, d_model, n_kv_heads * d_head);
    MATRIX(W_o, n_heads * d_head, d_model); /* the output projection */
};

/* The values that the forward pass leaves for the backward pass, or their gradients. The backward
   pass does not keep the gradient of the weights. */
struct multi_head_values {
    MATRIX(rows_q, n_q, n_heads * d_head);    /* X W_q */
    MATRIX(rows_k, n_k, n_kv_heads * d_head); /* source W_k */
    MATRIX(rows_v, n_k, n_kv_heads * d_head); /* source W_v */
    TENSOR(Q, n_heads, n_q, d_head);          /* the numbers of rows_q, head by head */
    TENSOR(K, n_kv_heads, n_k, d_head);
    TENSOR(V, n_kv_heads, n_k, d_head);
    TENSOR(weights, n_heads, n_q, n_k);
    TENSOR(heads, n_heads, n_q, d_head);     /* the result of each head */
    MATRIX(rows_out, n_q, n_heads * d_head); /* the results side by side */
};

/* These two are given. They take the memory for all members of a struct from a buffer. */
struct multi_head take_multi_head(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                  int d_head);
struct multi_head_values take_multi_head_values(struct room *room, const struct multi_head *w,
                                                int n_q, int n_k);

/* Splits each row into heads: heads[h][i][c] = rows[i][h * d_head + c]. */
void split_heads(int n, int n_heads, int d_head, const double rows[n][n_heads * d_head],
                 double heads[n_heads][n][d_head]);

void split_heads_backward(int n, int n_heads, int d_head, const double d_heads[n_heads][n][d_head],
                          double d_rows[n][n_heads * d_head]);

/* Puts the heads side by side again: the inverse of split_heads. */
void merge_heads(int n, int n_heads, int d_head, const double heads[n_heads][n][d_head],
                 double rows[n][n_heads * d_head]);

void merge_heads_backward(int n, int n_heads, int d_head, const double d_rows[n][n_heads * d_head],
                          double d_heads[n_heads][n][d_head]);

/* The attention of each head: lesson 05's masked_attention, or lesson 03's
   scaled_dot_product_attention if `blocked` is NULL, that is, if nothing is blocked. All heads use
   the same mask. */
void attend_heads(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                  const double Q[n_heads][n_q][d_head], const double K[n_kv_heads][n_k][d_head],
                  const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                  double weights[n_heads][n_q][n_k], double heads[n_heads][n_q][d_head]);

/* The backward pass, from d_heads. `weights` is the output of the forward pass. A key head that
   several query heads use receives the sum of their gradients. If there is a mask, call lesson 05's
   backward function: with lesson 03's, a blocked word with numbers near 1e200 can give 0 times
   infinity, which is NaN. */
void attend_heads_backward(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                           const double Q[n_heads][n_q][d_head],
                           const double K[n_kv_heads][n_k][d_head],
                           const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                           const double weights[n_heads][n_q][n_k],
                           const double d_heads[n_heads][n_q][d_head],
                           double d_Q[n_heads][n_q][d_head], double d_K[n_kv_heads][n_k][d_head],
                           double d_V[n_kv_heads][n_k][d_head]);

/* Projects X to queries and `source` to keys and values, splits them into heads, attends, merges
   the results of the heads, and applies W_o. Every intermediate result is written to v. */
void multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                          const double X[n_q][w->d_model], const double source[n_k][w->d_model],
                          const bool blocked[n_q][n_k], struct multi_head_values *v,
                          double out[n_q][w->d_model]);

/* The backward pass of these steps, from d_out. d_X and d_source may be the same matrix, as in
   self-attention. */
void multi_head_attention_backward(int n_q, int n_k, const struct multi_head *w,
                                   const double X[n_q][w->d_model],
                                   const double source[n_k][w->d_model],
                                   const bool blocked[n_q][n_k], const struct multi_head_values *v,
                                   const double d_out[n_q][w->d_model],
                                   struct multi_head_values *d_v, struct multi_head *d_w,
                                   double d_X[n_q][w->d_model], double d_source[n_k][w->d_model]);

#endif
