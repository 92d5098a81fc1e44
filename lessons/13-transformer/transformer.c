#include "transformer.h"

#include "dot_product.h"
#include "positions.h"
#include "todo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void encode_source(int m, const struct transformer *w, const int words[m],
                   const double P[m][w->d_model], struct transformer_values *v) {
    TODO("embed the tokens, add P, call each block, then the last layer norm");
}

void encode_source_backward(int m, const struct transformer *w, const int words[m],
                            const struct transformer_values *v, struct transformer_values *d_v,
                            struct transformer *d_w) {
    TODO("from the layer norm back to the table; P needs no gradient");
}

void decode_target(int n, int m, const struct transformer *w, const int words[n],
                   const double P[n][w->d_model], const bool blocked[n][n],
                   struct transformer_values *v, double logits[n][w->vocabulary]) {
    TODO("the same with decoder blocks, then the dot products with the table");
}

void decode_target_backward(int n, int m, const struct transformer *w, const int words[n],
                            const bool blocked[n][n], const struct transformer_values *v,
                            const double d_logits[n][w->vocabulary], struct transformer_values *d_v,
                            struct transformer *d_w) {
    TODO("the table gets two gradients: as output and as input");
}

void start_decoding(int m, const struct transformer *w, struct transformer_values *v,
                    struct caches *caches) {
    TODO("set all lengths to 0, then cache the memory for each block");
}

void decode_next(const struct transformer *w, int word, const double P[1][w->d_model],
                 struct caches *caches, struct transformer_values *v,
                 double logits[1][w->vocabulary]) {
    TODO("decode_target for one row, with decoder_block_next");
}

void keep_top_k(int n, int k, const double weights[n], double kept[n]) {
    TODO("sort a copy: how large is the k-th, and how many are equal to it?");
}

void keep_top_p(int n, double p, const double weights[n], double kept[n]) {
    TODO("sort a copy: how many of the largest reach p? Then call keep_top_k");
}

int sample(int n, const double weights[n], double uniform) {
    TODO("add up the weights until the sum is larger than uniform");
}

// The rest of this file is given.

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void sort_descending(int n, double x[n]) {
    qsort(x, (size_t)n, sizeof x[0], larger_first);
}

// Each of these functions takes the members of a struct from a room, one after another.

struct transformer take_transformer(struct room *room, int vocabulary, int d_model, int n_heads,
                                    int d_ff, int n_encoders, int n_decoders) {
    struct transformer w = {.vocabulary = vocabulary,
                            .d_model = d_model,
                            .n_encoders = n_encoders,
                            .n_decoders = n_decoders};
    w.table = take(room, vocabulary * d_model);
    for (int b = 0; b < n_encoders; b++)
        w.encoder[b] = take_encoder_block(room, d_model, n_heads, d_ff);
    if (n_encoders > 0) {
        w.memory_gain = take(room, d_model);
        w.memory_bias = take(room, d_model);
    }
    for (int b = 0; b < n_decoders; b++)
        w.decoder[b] = take_decoder_block(room, d_model, n_heads, d_ff, n_encoders > 0);
    w.out_gain = take(room, d_model);
    w.out_bias = take(room, d_model);
    return w;
}

struct transformer_values take_transformer_values(struct room *room, const struct transformer *w,
                                                  int n, int m) {
    struct transformer_values v = {.read = take(room, (w->n_encoders + 1) * m * w->d_model)};
    for (int b = 0; b < w->n_encoders; b++)
        v.encoder[b] = take_encoder_values(room, &w->encoder[b], m);
    v.memory_normed = take(room, m * w->d_model);
    v.memory_inverse_std = take(room, m);
    v.memory = take(room, m * w->d_model);
    v.written = take(room, (w->n_decoders + 1) * n * w->d_model);
    for (int b = 0; b < w->n_decoders; b++)
        v.decoder[b] = take_decoder_values(room, &w->decoder[b], n, m);
    v.out_normed = take(room, n * w->d_model);
    v.out_inverse_std = take(room, n);
    v.out = take(room, n * w->d_model);
    return v;
}

struct caches take_caches(struct room *room, const struct transformer *w, int longest, int m) {
    struct caches caches = {0};
    for (int b = 0; b < w->n_decoders; b++) {
        caches.written[b] = take_cache(room, &w->decoder[b].self.heads, longest);
        if (w->n_encoders > 0)
            caches.memory[b] = take_cache(room, &w->decoder[b].cross.heads, m);
    }
    return caches;
}
