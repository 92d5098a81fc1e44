#include "decoder.h"

#include "scaled.h"
#include "self_attention.h"
#include "todo.h"

void decoder_block(int n, int m, const struct decoder_block *w,
                   const double X[n][w->forward.d_model],
                   const double memory[m][w->forward.d_model], const bool blocked[n][n],
                   struct decoder_values *v, double out[n][w->forward.d_model]) {
    TODO("three layers in a row; which of them has the mask?");
}

void decoder_block_backward(int n, int m, const struct decoder_block *w,
                            const double memory[m][w->forward.d_model], const bool blocked[n][n],
                            const struct decoder_values *v,
                            const double d_out[n][w->forward.d_model], struct decoder_values *d_v,
                            struct decoder_block *d_w, double d_X[n][w->forward.d_model],
                            double d_memory[m][w->forward.d_model]) {
    TODO("the layers in reverse order; each adds to the gradient of its own input");
}

void cache_rows(int n, const struct multi_head *w, const double X[n][w->d_model],
                struct multi_head_values *v, struct cache *cache) {
    TODO("two projections; then row i of key head h goes to row length + i of that head");
}

void attend_cached(const struct multi_head *w, const double x[1][w->d_model],
                   const struct cache *cache, struct multi_head_values *v,
                   double out[1][w->d_model]) {
    TODO("one query per head; each head attends to the filled rows by lesson 03");
}

void attention_layer_next(const struct attention_layer *w, const double x[1][w->heads.d_model],
                          bool grows, struct cache *cache, struct attention_layer_values *v,
                          double out[1][w->heads.d_model]) {
    TODO("layer norm, perhaps append to the cache, attend, residual connection");
}

void decoder_block_next(const struct decoder_block *w, const double x[1][w->forward.d_model],
                        struct cache *memory, struct cache *written, struct decoder_values *v,
                        double out[1][w->forward.d_model]) {
    TODO("the three layers of decoder_block; which of the two caches grows?");
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
