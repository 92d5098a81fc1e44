/* Lesson 08: multi-head attention, several heads side by side, each with its own weights.

   The queries are X W_q, where X has n_q rows of d_model numbers. The keys are `source` W_k and the
   values are `source` W_v, where `source` has n_k such rows. In self-attention, X and `source` are
   the same matrix. Each head has d_head dimensions. Query head h uses key head

       h / (n_heads / n_kv_heads)

   for its keys and values. The first division rounds down, as C does with ints. The second one is
   exact, because n_heads is a multiple of n_kv_heads. In many models the two numbers are equal.

   As in lesson 07, matrices that belong together are the members of a struct, and each member is a
   `void *` that is declared with its shape. (TENSOR is like MATRIX, but with three sizes.) The
   parameters `w` and their gradients `d_w` have the same struct type. The values `v`, which the
   forward pass keeps for the backward pass, and their gradients `d_v` share a type as well. The
   messages of the tests write Q for v->Q, d_Q for d_v->Q, and d_W_q for d_w->W_q.

   The outputs are the last parameters of a function. They and the matrices of v have no defined
   values before the call, and they do not overlap the inputs. A function whose name ends in
   _backward ADDS (+=) its results to its outputs, that is, to every d_... parameter without `const`
   and to the matrices of d_v and d_w. The matrices of d_v are read as well, because one step of the
   backward pass adds a gradient there and the next step reads it. The caller sets d_v to 0 before
   each pass and d_w to 0 before each training step. No function may have a matrix of its own, or a
   `static` or global variable, because several threads may call it at once. */
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

/* The values that the forward pass keeps for the backward pass, or their gradients. In d_v, the
   member `weights` is not used, because attend_heads_backward does not return that gradient. */
struct multi_head_values {
    MATRIX(rows_q, n_q, n_heads * d_head);    /* X W_q */
    MATRIX(rows_k, n_k, n_kv_heads * d_head); /* source W_k */
    MATRIX(rows_v, n_k, n_kv_heads * d_head); /* source W_v */
    TENSOR(Q, n_heads, n_q, d_head);          /* the numbers of rows_q, head by head */
    TENSOR(K, n_kv_heads, n_k, d_head);
    TENSOR(V, n_kv_heads, n_k, d_head);
    TENSOR(weights, n_heads, n_q, n_k);
    TENSOR(heads, n_heads, n_q, d_head);     /* the result of each head */
    MATRIX(rows_out, n_q, n_heads * d_head); /* the results of all heads, side by side */
};

/* These two functions are given. They take the memory for all matrices of a struct from a buffer,
   as in lesson 07. */
struct multi_head take_multi_head(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                  int d_head);
struct multi_head_values take_multi_head_values(struct room *room, const struct multi_head *w,
                                                int n_q, int n_k);

/* Splits each row into heads: heads[h][i][c] = rows[i][h * d_head + c]. */
void split_heads(int n, int n_heads, int d_head, const double rows[n][n_heads * d_head],
                 double heads[n_heads][n][d_head]);

void split_heads_backward(int n, int n_heads, int d_head, const double d_heads[n_heads][n][d_head],
                          double d_rows[n][n_heads * d_head]);

/* The inverse of split_heads, which joins the parts of each row again. */
void merge_heads(int n, int n_heads, int d_head, const double heads[n_heads][n][d_head],
                 double rows[n][n_heads * d_head]);

void merge_heads_backward(int n, int n_heads, int d_head, const double d_rows[n][n_heads * d_head],
                          double d_heads[n_heads][n][d_head]);

/* Computes the attention of each query head, with its key head. Call masked_attention of lesson 05
   with the same mask for all heads. If `blocked` is NULL, nothing is blocked, so call
   scaled_dot_product_attention of lesson 03. */
void attend_heads(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                  const double Q[n_heads][n_q][d_head], const double K[n_kv_heads][n_k][d_head],
                  const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                  double weights[n_heads][n_q][n_k], double heads[n_heads][n_q][d_head]);

/* The backward pass of attend_heads, where `weights` is its output. If several query heads use the
   same key head, it receives the sum of their gradients. If there is a mask, call the backward
   function of lesson 05. That of lesson 03 does not skip blocked words. If their numbers are
   enormous, it could multiply a weight of 0 by infinity, which is NaN. */
void attend_heads_backward(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                           const double Q[n_heads][n_q][d_head],
                           const double K[n_kv_heads][n_k][d_head],
                           const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                           const double weights[n_heads][n_q][n_k],
                           const double d_heads[n_heads][n_q][d_head],
                           double d_Q[n_heads][n_q][d_head], double d_K[n_kv_heads][n_k][d_head],
                           double d_V[n_kv_heads][n_k][d_head]);

/* Projects X to queries and `source` to keys and values, splits them into heads, calls
   attend_heads, merges the results and multiplies them by W_o. Every intermediate result is written
   to v. */
void multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                          const double X[n_q][w->d_model], const double source[n_k][w->d_model],
                          const bool blocked[n_q][n_k], struct multi_head_values *v,
                          double out[n_q][w->d_model]);

/* The backward pass of multi_head_attention, from d_out. In self-attention, d_X and d_source are
   the same matrix. */
void multi_head_attention_backward(int n_q, int n_k, const struct multi_head *w,
                                   const double X[n_q][w->d_model],
                                   const double source[n_k][w->d_model],
                                   const bool blocked[n_q][n_k], const struct multi_head_values *v,
                                   const double d_out[n_q][w->d_model],
                                   struct multi_head_values *d_v, struct multi_head *d_w,
                                   double d_X[n_q][w->d_model], double d_source[n_k][w->d_model]);

#endif
