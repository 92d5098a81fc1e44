#include "multi_head.h"

#include "masked.h"
#include "scaled.h"
#include "self_attention.h"
#include "todo.h"

void split_heads(int n, int n_heads, int d_head, const double rows[n][n_heads * d_head],
                 double heads[n_heads][n][d_head]) {
    TODO("three loops; at which index of its row is number c of head h?");
}

void split_heads_backward(int n, int n_heads, int d_head, const double d_heads[n_heads][n][d_head],
                          double d_rows[n][n_heads * d_head]) {
    TODO("add each gradient to the position that the number came from");
}

void merge_heads(int n, int n_heads, int d_head, const double heads[n_heads][n][d_head],
                 double rows[n][n_heads * d_head]) {
    TODO("the same loops, with the copy in the other direction");
}

void merge_heads_backward(int n, int n_heads, int d_head, const double d_rows[n][n_heads * d_head],
                          double d_heads[n_heads][n][d_head]) {
    TODO("split_heads with += instead of =");
}

void attend_heads(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                  const double Q[n_heads][n_q][d_head], const double K[n_kv_heads][n_k][d_head],
                  const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                  double weights[n_heads][n_q][n_k], double heads[n_heads][n_q][d_head]) {
    TODO("for each h, find its key head and call lesson 05 or lesson 03");
}

void attend_heads_backward(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                           const double Q[n_heads][n_q][d_head],
                           const double K[n_kv_heads][n_k][d_head],
                           const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                           const double weights[n_heads][n_q][n_k],
                           const double d_heads[n_heads][n_q][d_head],
                           double d_Q[n_heads][n_q][d_head], double d_K[n_kv_heads][n_k][d_head],
                           double d_V[n_kv_heads][n_k][d_head]) {
    TODO("the same loop; d_K and d_V use the same key head as K and V");
}

void multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                          const double X[n_q][w->d_model], const double source[n_k][w->d_model],
                          const bool blocked[n_q][n_k], struct multi_head_values *v,
                          double out[n_q][w->d_model]) {
    TODO("three projections, three splits, the heads, a merge, and W_o");
}

void multi_head_attention_backward(int n_q, int n_k, const struct multi_head *w,
                                   const double X[n_q][w->d_model],
                                   const double source[n_k][w->d_model],
                                   const bool blocked[n_q][n_k], const struct multi_head_values *v,
                                   const double d_out[n_q][w->d_model],
                                   struct multi_head_values *d_v, struct multi_head *d_w,
                                   double d_X[n_q][w->d_model], double d_source[n_k][w->d_model]) {
    TODO("the calls of multi_head_attention in reverse order");
}

// These two are given: they take the memory for all members of a struct from a buffer.

struct multi_head take_multi_head(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                  int d_head) {
    struct multi_head w = {
        .d_model = d_model, .n_heads = n_heads, .n_kv_heads = n_kv_heads, .d_head = d_head};
    w.W_q = take(room, d_model * n_heads * d_head);
    w.W_k = take(room, d_model * n_kv_heads * d_head);
    w.W_v = take(room, d_model * n_kv_heads * d_head);
    w.W_o = take(room, n_heads * d_head * d_model);
    return w;
}

struct multi_head_values take_multi_head_values(struct room *room, const struct multi_head *w,
                                                int n_q, int n_k) {
    int of_queries = n_q * w->n_heads * w->d_head, of_keys = n_k * w->n_kv_heads * w->d_head;
    struct multi_head_values v;
    v.rows_q = take(room, of_queries);
    v.rows_k = take(room, of_keys);
    v.rows_v = take(room, of_keys);
    v.Q = take(room, of_queries);
    v.K = take(room, of_keys);
    v.V = take(room, of_keys);
    v.weights = take(room, w->n_heads * n_q * n_k);
    v.heads = take(room, of_queries);
    v.rows_out = take(room, of_queries);
    return v;
}
