#include "decoder.h"

#include "scaled.h"
#include "self_attention.h"
#include "todo.h"

void decoder_block(int n, int m, const struct decoder_block *w,
                   const double X[n][w->forward.d_model],
                   const double memory[m][w->forward.d_model], const bool blocked[n][n],
                   struct decoder_values *v, double out[n][w->forward.d_model]) {
    // BEGIN SOLUTION: three layers in a row; which of them has the mask?
    attention_layer(n, n, &w->self, X, NULL, blocked, &v->self, v->attended);
    if (memory)
        attention_layer(n, m, &w->cross, v->attended, memory, NULL, &v->cross, v->crossed);
    feed_forward_layer(n, &w->forward, memory ? v->crossed : v->attended, &v->forward, out);
    // END SOLUTION
}

void decoder_block_backward(int n, int m, const struct decoder_block *w,
                            const double memory[m][w->forward.d_model], const bool blocked[n][n],
                            const struct decoder_values *v,
                            const double d_out[n][w->forward.d_model], struct decoder_values *d_v,
                            struct decoder_block *d_w, double d_X[n][w->forward.d_model],
                            double d_memory[m][w->forward.d_model]) {
    // BEGIN SOLUTION: the layers in reverse order; each adds to the gradient of its own input
    feed_forward_layer_backward(n, &w->forward, &v->forward, d_out, &d_v->forward, &d_w->forward,
                                memory ? d_v->crossed : d_v->attended);
    if (memory)
        attention_layer_backward(n, m, &w->cross, memory, NULL, &v->cross, d_v->crossed,
                                 &d_v->cross, &d_w->cross, d_v->attended, d_memory);
    attention_layer_backward(n, n, &w->self, NULL, blocked, &v->self, d_v->attended, &d_v->self,
                             &d_w->self, d_X, NULL);
    // END SOLUTION
}

void cache_rows(int n, const struct multi_head *w, const double X[n][w->d_model],
                struct multi_head_values *v, struct cache *cache) {
    // BEGIN SOLUTION: two projections; then row i of key head h goes to row length + i of that head
    int d = w->d_head, d_kv = w->n_kv_heads * d;
    double(*K)[cache->capacity][d] = cache->K, (*V)[cache->capacity][d] = cache->V;
    double(*rows_k)[d_kv] = v->rows_k, (*rows_v)[d_kv] = v->rows_v;
    project(n, w->d_model, d_kv, X, w->W_k, rows_k);
    project(n, w->d_model, d_kv, X, w->W_v, rows_v);
    for (int h = 0; h < w->n_kv_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d; c++) {
                K[h][cache->length + i][c] = rows_k[i][h * d + c];
                V[h][cache->length + i][c] = rows_v[i][h * d + c];
            }
    cache->length += n;
    // END SOLUTION
}

void attend_cached(const struct multi_head *w, const double x[1][w->d_model],
                   const struct cache *cache, struct multi_head_values *v,
                   double out[1][w->d_model]) {
    // BEGIN SOLUTION: one query per head; each head attends to the filled rows by lesson 03
    int d = w->d_head, d_q = w->n_heads * d, n_k = cache->length;
    double(*K)[cache->capacity][d] = cache->K, (*V)[cache->capacity][d] = cache->V;
    double(*Q)[1][d] = v->Q, (*weights)[1][n_k] = v->weights, (*heads)[1][d] = v->heads;
    project(1, w->d_model, d_q, x, w->W_q, v->rows_q);
    split_heads(1, w->n_heads, d, v->rows_q, Q);
    for (int h = 0; h < w->n_heads; h++) {
        int kv = h / (w->n_heads / w->n_kv_heads);
        scaled_dot_product_attention(1, n_k, d, d, Q[h], K[kv], V[kv], weights[h], heads[h]);
    }
    merge_heads(1, w->n_heads, d, heads, v->rows_out);
    project(1, d_q, w->d_model, v->rows_out, w->W_o, out);
    // END SOLUTION
}

void attention_layer_next(const struct attention_layer *w, const double x[1][w->heads.d_model],
                          bool grows, struct cache *cache, struct attention_layer_values *v,
                          double out[1][w->heads.d_model]) {
    // BEGIN SOLUTION: layer norm, perhaps append to the cache, attend, residual connection
    int d = w->heads.d_model;
    layer_norm(1, d, x, w->gain, w->bias, v->normed, v->inverse_std, v->scaled);
    if (grows)
        cache_rows(1, &w->heads, v->scaled, &v->heads, cache);
    attend_cached(&w->heads, v->scaled, cache, &v->heads, out);
    add_rows(1, d, x, out);
    // END SOLUTION
}

void decoder_block_next(const struct decoder_block *w, const double x[1][w->forward.d_model],
                        struct cache *memory, struct cache *written, struct decoder_values *v,
                        double out[1][w->forward.d_model]) {
    // BEGIN SOLUTION: the three layers of decoder_block; which of the two caches grows?
    attention_layer_next(&w->self, x, true, written, &v->self, v->attended);
    if (memory)
        attention_layer_next(&w->cross, v->attended, false, memory, &v->cross, v->crossed);
    feed_forward_layer(1, &w->forward, memory ? v->crossed : v->attended, &v->forward, out);
    // END SOLUTION
}

// The functions below are given. Each takes the matrices of a struct from a buffer.

struct decoder_block take_decoder_block(struct room *room, int d_model, int n_heads, int d_ff,
                                        bool has_memory) {
    struct room none = {NULL, 0};
    struct decoder_block w;
    w.self = take_attention_layer(room, d_model, n_heads);
    w.cross = take_attention_layer(has_memory ? room : &none, d_model, n_heads);
    w.forward = take_feed_forward_layer(room, d_model, d_ff);
    return w;
}

struct decoder_values take_decoder_values(struct room *room, const struct decoder_block *w, int n,
                                          int m) {
    struct room none = {NULL, 0};
    struct room *of_cross = m > 0 ? room : &none;
    struct decoder_values v;
    v.self = take_attention_layer_values(room, &w->self, n, n);
    v.attended = take(room, n * w->forward.d_model);
    v.cross = take_attention_layer_values(of_cross, &w->cross, n, m);
    v.crossed = take(of_cross, n * w->forward.d_model);
    v.forward = take_feed_forward_layer_values(room, &w->forward, n);
    return v;
}

struct cache take_cache(struct room *room, const struct multi_head *w, int capacity) {
    struct cache cache = {.capacity = capacity};
    cache.K = take(room, w->n_kv_heads * capacity * w->d_head);
    cache.V = take(room, w->n_kv_heads * capacity * w->d_head);
    return cache;
}
