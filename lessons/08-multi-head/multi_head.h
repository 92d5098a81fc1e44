/* Lesson 08: several heads side by side, each with its own row of weights.

   X asks, `source` is asked: n_q and n_k words of d_model numbers; they may be the same matrix. A
   head has d_head numbers of a query, a key and a value. Query head h looks at key head

       h / (n_heads / n_kv_heads)

   so that neighbours share a key head and its values where there are fewer of these: n_heads is a
   multiple of n_kv_heads, and most of the time they are equal.

   As in lesson 07, matrices that belong together travel in a struct, each a `void *` that is
   declared with its shape. Weights `w` and their gradients `d_w` are of one type, and so are the
   values `v`, which the forward pass leaves for the backward pass, and their gradients `d_v`. Tests call
   the matrix of v->Q Q, that of d_v->Q d_Q, that of d_w->W_q d_W_q.

   Outputs come last and start out undefined, as does what v points to; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that is no `const double`, and
   into what d_v and d_w point to; what d_v then holds goes on. The caller zeroes d_v for each pass
   and d_w for each step. No function keeps a matrix of its own, or anything in a `static` or global
   variable: milestones call them from two threads at once. */
#ifndef MULTI_HEAD_H
#define MULTI_HEAD_H

#include "room.h"
#include "shape.h"

#include <stdbool.h>

/* The four matrices of n_heads heads; or their gradients. */
struct multi_head {
    int d_model, n_heads, n_kv_heads, d_head;
    MATRIX(W_q, d_model, n_heads * d_head);
    MATRIX(W_k, d_model, n_kv_heads * d_head);
    MATRIX(W_v, d_model, n_kv_heads * d_head);
    MATRIX(W_o, n_heads * d_head, d_model); /* mixes what the heads have fetched */
};

/* What a pass leaves for the backward pass; or the gradients of it. No gradient of the weights is kept.
 */
struct multi_head_values {
    MATRIX(rows_q, n_q, n_heads * d_head);    /* X W_q */
    MATRIX(rows_k, n_k, n_kv_heads * d_head); /* source W_k */
    MATRIX(rows_v, n_k, n_kv_heads * d_head); /* source W_v */
    TENSOR(Q, n_heads, n_q, d_head);          /* the numbers of rows_q, head by head */
    TENSOR(K, n_kv_heads, n_k, d_head);
    TENSOR(V, n_kv_heads, n_k, d_head);
    TENSOR(weights, n_heads, n_q, n_k);
    TENSOR(heads, n_heads, n_q, d_head);     /* what each head has fetched */
    MATRIX(rows_out, n_q, n_heads * d_head); /* the same, side by side again */
};

/* These are given: they lay a struct out in a room, member after member. */
struct multi_head take_multi_head(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                  int d_head);
struct multi_head_values take_multi_head_values(struct room *room, const struct multi_head *w,
                                                int n_q, int n_k);

/* Takes rows apart: head h gets the numbers h * d_head, h * d_head + 1, ... of each row, d_head of
   them. Its row i is of word i. */
void split_heads(int n, int n_heads, int d_head, const double rows[n][n_heads * d_head],
                 double heads[n_heads][n][d_head]);

void split_heads_backward(int n, int n_heads, int d_head, const double d_heads[n_heads][n][d_head],
                          double d_rows[n][n_heads * d_head]);

/* Puts them side by side again: the other way round. */
void merge_heads(int n, int n_heads, int d_head, const double heads[n_heads][n][d_head],
                 double rows[n][n_heads * d_head]);

void merge_heads_backward(int n, int n_heads, int d_head, const double d_rows[n][n_heads * d_head],
                          double d_heads[n_heads][n][d_head]);

/* Each head by itself: lesson 05's attention, or lesson 03's if `blocked` is NULL, where nothing is
   blocked. The mask is the same for all heads. */
void attend_heads(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                  const double Q[n_heads][n_q][d_head], const double K[n_kv_heads][n_k][d_head],
                  const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                  double weights[n_heads][n_q][n_k], double heads[n_heads][n_q][d_head]);

/* The backward pass, from d_heads. `weights` is what the forward pass left. A key head that several
   query heads have looked at gets the gradient of each. If there is a mask, it is lesson 05's
   backward pass: with that of lesson 03 a blocked word of 1e200 can give 0 times infinity. */
void attend_heads_backward(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                           const double Q[n_heads][n_q][d_head],
                           const double K[n_kv_heads][n_k][d_head],
                           const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                           const double weights[n_heads][n_q][n_k],
                           const double d_heads[n_heads][n_q][d_head],
                           double d_Q[n_heads][n_q][d_head], double d_K[n_kv_heads][n_k][d_head],
                           double d_V[n_kv_heads][n_k][d_head]);

/* The whole of it: project X into queries, `source` into keys and values, split them, attend, merge
   what the heads have fetched, and mix it by W_o. Each step leaves its result in v. */
void multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                          const double X[n_q][w->d_model], const double source[n_k][w->d_model],
                          const bool blocked[n_q][n_k], struct multi_head_values *v,
                          double out[n_q][w->d_model]);

/* The same steps backwards, from d_out. d_X may be d_source: self-attention gives the same X twice.
 */
void multi_head_attention_backward(int n_q, int n_k, const struct multi_head *w,
                                   const double X[n_q][w->d_model],
                                   const double source[n_k][w->d_model],
                                   const bool blocked[n_q][n_k], const struct multi_head_values *v,
                                   const double d_out[n_q][w->d_model],
                                   struct multi_head_values *d_v, struct multi_head *d_w,
                                   double d_X[n_q][w->d_model], double d_source[n_k][w->d_model]);

#endif
