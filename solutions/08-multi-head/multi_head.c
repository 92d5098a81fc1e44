#include "multi_head.h"

#include "masked.h"
#include "scaled.h"
#include "self_attention.h"
#include "todo.h"

void split_heads(int n, int n_heads, int d_head, const double rows[n][n_heads * d_head],
                 double heads[n_heads][n][d_head]) {
    // BEGIN SOLUTION: three loops; at which index of its row is number c of head h?
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                heads[h][i][c] = rows[i][h * d_head + c];
    // END SOLUTION
}

void split_heads_backward(int n, int n_heads, int d_head, const double d_heads[n_heads][n][d_head],
                          double d_rows[n][n_heads * d_head]) {
    // BEGIN SOLUTION: add each gradient to the position that the number came from
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                d_rows[i][h * d_head + c] += d_heads[h][i][c];
    // END SOLUTION
}

void merge_heads(int n, int n_heads, int d_head, const double heads[n_heads][n][d_head],
                 double rows[n][n_heads * d_head]) {
    // BEGIN SOLUTION: the same loops, with the copy in the other direction
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                rows[i][h * d_head + c] = heads[h][i][c];
    // END SOLUTION
}

void merge_heads_backward(int n, int n_heads, int d_head, const double d_rows[n][n_heads * d_head],
                          double d_heads[n_heads][n][d_head]) {
    // BEGIN SOLUTION: split_heads with += instead of =
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                d_heads[h][i][c] += d_rows[i][h * d_head + c];
    // END SOLUTION
}

void attend_heads(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                  const double Q[n_heads][n_q][d_head], const double K[n_kv_heads][n_k][d_head],
                  const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                  double weights[n_heads][n_q][n_k], double heads[n_heads][n_q][d_head]) {
    // BEGIN SOLUTION: for each h, find its key head and call lesson 05 or lesson 03
    for (int h = 0; h < n_heads; h++) {
        int kv = h / (n_heads / n_kv_heads);
        if (blocked)
            masked_attention(n_q, n_k, d_head, d_head, Q[h], K[kv], V[kv], blocked, weights[h],
                             heads[h]);
        else
            scaled_dot_product_attention(n_q, n_k, d_head, d_head, Q[h], K[kv], V[kv], weights[h],
                                         heads[h]);
    }
    // END SOLUTION
}

void attend_heads_backward(int n_q, int n_k, int n_heads, int n_kv_heads, int d_head,
                           const double Q[n_heads][n_q][d_head],
                           const double K[n_kv_heads][n_k][d_head],
                           const double V[n_kv_heads][n_k][d_head], const bool blocked[n_q][n_k],
                           const double weights[n_heads][n_q][n_k],
                           const double d_heads[n_heads][n_q][d_head],
                           double d_Q[n_heads][n_q][d_head], double d_K[n_kv_heads][n_k][d_head],
                           double d_V[n_kv_heads][n_k][d_head]) {
    // BEGIN SOLUTION: the same loop; d_K and d_V use the same key head as K and V
    for (int h = 0; h < n_heads; h++) {
        int kv = h / (n_heads / n_kv_heads);
        if (blocked)
            masked_attention_backward(n_q, n_k, d_head, d_head, Q[h], K[kv], V[kv], blocked,
                                      weights[h], d_heads[h], d_Q[h], d_K[kv], d_V[kv]);
        else
            scaled_dot_product_attention_backward(n_q, n_k, d_head, d_head, Q[h], K[kv], V[kv],
                                                  weights[h], d_heads[h], d_Q[h], d_K[kv], d_V[kv]);
    }
    // END SOLUTION
}

void multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                          const double X[n_q][w->d_model], const double source[n_k][w->d_model],
                          const bool blocked[n_q][n_k], struct multi_head_values *v,
                          double out[n_q][w->d_model]) {
    // BEGIN SOLUTION: three projections, three splits, the heads, a merge, and W_o
    int d = w->d_head, d_q = w->n_heads * d, d_kv = w->n_kv_heads * d;
    project(n_q, w->d_model, d_q, X, w->W_q, v->rows_q);
    project(n_k, w->d_model, d_kv, source, w->W_k, v->rows_k);
    project(n_k, w->d_model, d_kv, source, w->W_v, v->rows_v);
    split_heads(n_q, w->n_heads, d, v->rows_q, v->Q);
    split_heads(n_k, w->n_kv_heads, d, v->rows_k, v->K);
    split_heads(n_k, w->n_kv_heads, d, v->rows_v, v->V);
    attend_heads(n_q, n_k, w->n_heads, w->n_kv_heads, d, v->Q, v->K, v->V, blocked, v->weights,
                 v->heads);
    merge_heads(n_q, w->n_heads, d, v->heads, v->rows_out);
    project(n_q, d_q, w->d_model, v->rows_out, w->W_o, out);
    // END SOLUTION
}

void multi_head_attention_backward(int n_q, int n_k, const struct multi_head *w,
                                   const double X[n_q][w->d_model],
                                   const double source[n_k][w->d_model],
                                   const bool blocked[n_q][n_k], const struct multi_head_values *v,
                                   const double d_out[n_q][w->d_model],
                                   struct multi_head_values *d_v, struct multi_head *d_w,
                                   double d_X[n_q][w->d_model], double d_source[n_k][w->d_model]) {
    // BEGIN SOLUTION: the calls of multi_head_attention in reverse order
    int d = w->d_head, d_q = w->n_heads * d, d_kv = w->n_kv_heads * d;
    project_backward(n_q, d_q, w->d_model, v->rows_out, w->W_o, d_out, d_v->rows_out, d_w->W_o);
    merge_heads_backward(n_q, w->n_heads, d, d_v->rows_out, d_v->heads);
    attend_heads_backward(n_q, n_k, w->n_heads, w->n_kv_heads, d, v->Q, v->K, v->V, blocked,
                          v->weights, d_v->heads, d_v->Q, d_v->K, d_v->V);
    split_heads_backward(n_k, w->n_kv_heads, d, d_v->V, d_v->rows_v);
    split_heads_backward(n_k, w->n_kv_heads, d, d_v->K, d_v->rows_k);
    split_heads_backward(n_q, w->n_heads, d, d_v->Q, d_v->rows_q);
    project_backward(n_k, w->d_model, d_kv, source, w->W_v, d_v->rows_v, d_source, d_w->W_v);
    project_backward(n_k, w->d_model, d_kv, source, w->W_k, d_v->rows_k, d_source, d_w->W_k);
    project_backward(n_q, w->d_model, d_q, X, w->W_q, d_v->rows_q, d_X, d_w->W_q);
    // END SOLUTION
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
