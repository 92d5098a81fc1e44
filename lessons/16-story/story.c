#include "story.h"

#include "depth.h"
#include "dot_product.h"
#include "positions.h"
#include "scaled.h"
#include "todo.h"

#include <math.h>
#include <string.h>

void swiglu(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
            double hidden[n][d_ff]) {
    TODO("the header's formula for each number");
}

void swiglu_backward(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
                     const double d_hidden[n][d_ff], double d_gate[n][d_ff], double d_up[n][d_ff]) {
    TODO("the product rule; the derivative of g * s(g) is s + g * s * (1 - s)");
}

void gated_feed_forward(const struct llama_layer *w, const struct llama_layer_values *v,
                        double change[1][w->heads.d_model]) {
    TODO("gate and up by dot_scores, then swiglu, then down by dot_scores");
}

void rope_attention_next(const struct llama_layer *w, struct cache *cache,
                         const struct llama_layer_values *v, double change[1][w->heads.d_model]) {
    TODO("three projections, append rotated keys and values, attend, W_o");
}

void llama_layer_next(const struct llama_layer *w, const double x[1][w->heads.d_model],
                      struct cache *cache, const struct llama_layer_values *v,
                      double out[1][w->heads.d_model]) {
    TODO("norm, attention and add; then norm, feed-forward network and add");
}

void llama_next(const struct llama *w, int word, struct llama_caches *caches,
                const struct llama_values *v, double logits[1][w->sizes.vocabulary]) {
    TODO("embed, call each layer, then the last norm and the logits");
}

int find_merge(int n_pairs, const int pairs[n_pairs][3], int left, int right) {
    TODO("bisection: look at the middle pair, and go on in one half");
}

int best_merge(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
               const float score[vocabulary], int n, const int words[n]) {
    TODO("ask find_merge about each two neighbours, and remember the best");
}

int merge_tokens(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
                 const float score[vocabulary], int n, const int words[n], int joined[n]) {
    TODO("copy the tokens, then merge the best pair until best_merge returns -1");
}

void sift_down(int n, int at, double heap[n]) {
    TODO("exchange the number with the larger of the two below it, while that is larger");
}

void keep_best(int n, int k, double p, const double weights[n], double kept[n]) {
    TODO("make a heap of a copy; take the largest until k or p is reached; count ties");
}

void matrix_vector(int n, int d, const float W[n][d], const float x[d], float out[n]) {
    TODO("for each four rows fetch what lies AHEAD, then four sums with omp simd");
}

int quantize(int n, const float x[n], int8_t q[n], float *scale) {
    TODO("the largest magnitude gives the scale; then round and add up");
}

void matrix_vector_int8(int blocks, int groups,
                        const byte W[blocks][groups][GROUP / TOGETHER][PIECE],
                        const float scales[blocks][groups][WIDTH], const int8_t x[groups][GROUP],
                        const float x_scale[groups], const int x_sum[groups],
                        float out[blocks][WIDTH]) {
    TODO("for each group the sum of ints starts at -SHIFT * x_sum; then both scales");
}

// The functions below are given. Each takes the members of a struct from a room.

struct llama_layer take_llama_layer(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                    int d_ff) {
    struct llama_layer w = {.d_ff = d_ff};
    w.attention_gain = take(room, d_model);
    w.heads = take_multi_head(room, d_model, n_heads, n_kv_heads, d_model / n_heads);
    w.forward_gain = take(room, d_model);
    w.W_gate = take(room, d_ff * d_model);
    w.W_down = take(room, d_model * d_ff);
    w.W_up = take(room, d_ff * d_model);
    return w;
}

struct llama_layer_values take_llama_layer_values(struct room *room, const struct llama_layer *w,
                                                  int longest) {
    int d = w->heads.d_model;
    struct llama_layer_values v = {.normed = take(room, d)};
    v.inverse_rms = take(room, 1);
    v.scaled = take(room, d);
    v.heads = take_multi_head_values(room, &w->heads, 1, longest);
    v.change = take(room, d);
    v.gate = take(room, w->d_ff);
    v.up = take(room, w->d_ff);
    v.hidden = take(room, w->d_ff);
    return v;
}

struct llama take_llama(struct room *room, int d_model, int d_ff, int n_layers, int n_heads,
                        int n_kv_heads, int vocabulary, int longest) {
    struct llama w = {.sizes = {d_model, d_ff, n_layers, n_heads, n_kv_heads, vocabulary, longest}};
    w.table = take(room, vocabulary * d_model);
    for (int b = 0; b < n_layers; b++)
        w.layer[b] = take_llama_layer(room, d_model, n_heads, n_kv_heads, d_ff);
    w.out_gain = take(room, d_model);
    w.words_out = take(room, vocabulary * d_model);
    return w;
}

struct llama_values take_llama_values(struct room *room, const struct llama *w) {
    struct llama_values v = {.x = take(room, (w->sizes.n_layers + 1) * w->sizes.d_model)};
    for (int b = 0; b < w->sizes.n_layers; b++)
        v.layer[b] = take_llama_layer_values(room, &w->layer[b], w->sizes.longest);
    v.out_normed = take(room, w->sizes.d_model);
    v.out_inverse_rms = take(room, 1);
    v.out = take(room, w->sizes.d_model);
    return v;
}

struct llama_caches take_llama_caches(struct room *room, const struct llama *w) {
    struct llama_caches caches = {{{0}}};
    for (int b = 0; b < w->sizes.n_layers; b++)
        caches.layer[b] = take_cache(room, &w->layer[b].heads, w->sizes.longest);
    return caches;
}
