#include "transformer.h"

#include "dot_product.h"
#include "positions.h"
#include "todo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void encode_source(int m, const struct transformer *w, const int words[m],
                   const double P[m][w->d_model], struct transformer_values *v) {
    // BEGIN SOLUTION: embed the tokens, add P, call each block, then the last layer norm
    int d = w->d_model;
    double(*read)[m][d] = v->read;
    embed(m, w->vocabulary, d, sqrt(d), words, w->table, read[0]);
    add_rows(m, d, P, read[0]);
    for (int b = 0; b < w->n_encoders; b++)
        encoder_block(m, &w->encoder[b], read[b], NULL, &v->encoder[b], read[b + 1]);
    layer_norm(m, d, read[w->n_encoders], w->memory_gain, w->memory_bias, v->memory_normed,
               v->memory_inverse_std, v->memory);
    // END SOLUTION
}

void encode_source_backward(int m, const struct transformer *w, const int words[m],
                            const struct transformer_values *v, struct transformer_values *d_v,
                            struct transformer *d_w) {
    // BEGIN SOLUTION: from the layer norm back to the table; P needs no gradient
    int d = w->d_model;
    double(*d_read)[m][d] = d_v->read;
    layer_norm_backward(m, d, w->memory_gain, v->memory_normed, v->memory_inverse_std, d_v->memory,
                        d_w->memory_gain, d_w->memory_bias, d_read[w->n_encoders]);
    for (int b = w->n_encoders - 1; b >= 0; b--)
        encoder_block_backward(m, &w->encoder[b], NULL, &v->encoder[b], d_read[b + 1],
                               &d_v->encoder[b], &d_w->encoder[b], d_read[b]);
    embed_backward(m, w->vocabulary, d, sqrt(d), words, d_read[0], d_w->table);
    // END SOLUTION
}

void decode_target(int n, int m, const struct transformer *w, const int words[n],
                   const double P[n][w->d_model], const bool blocked[n][n],
                   struct transformer_values *v, double logits[n][w->vocabulary]) {
    // BEGIN SOLUTION: the same with decoder blocks, then the dot products with the table
    int d = w->d_model, reads = w->n_encoders > 0;
    double(*written)[n][d] = v->written;
    embed(n, w->vocabulary, d, sqrt(d), words, w->table, written[0]);
    add_rows(n, d, P, written[0]);
    for (int b = 0; b < w->n_decoders; b++)
        decoder_block(n, m, &w->decoder[b], written[b], reads ? v->memory : NULL, blocked,
                      &v->decoder[b], written[b + 1]);
    layer_norm(n, d, written[w->n_decoders], w->out_gain, w->out_bias, v->out_normed,
               v->out_inverse_std, v->out);
    dot_scores(n, w->vocabulary, d, v->out, w->table, logits);
    // END SOLUTION
}

void decode_target_backward(int n, int m, const struct transformer *w, const int words[n],
                            const bool blocked[n][n], const struct transformer_values *v,
                            const double d_logits[n][w->vocabulary], struct transformer_values *d_v,
                            struct transformer *d_w) {
    // BEGIN SOLUTION: the table gets two gradients: as output and as input
    int d = w->d_model, reads = w->n_encoders > 0;
    double(*d_written)[n][d] = d_v->written;
    dot_scores_backward(n, w->vocabulary, d, v->out, w->table, d_logits, d_v->out, d_w->table);
    layer_norm_backward(n, d, w->out_gain, v->out_normed, v->out_inverse_std, d_v->out,
                        d_w->out_gain, d_w->out_bias, d_written[w->n_decoders]);
    for (int b = w->n_decoders - 1; b >= 0; b--)
        decoder_block_backward(n, m, &w->decoder[b], reads ? v->memory : NULL, blocked,
                               &v->decoder[b], d_written[b + 1], &d_v->decoder[b], &d_w->decoder[b],
                               d_written[b], reads ? d_v->memory : NULL);
    embed_backward(n, w->vocabulary, d, sqrt(d), words, d_written[0], d_w->table);
    // END SOLUTION
}

void start_decoding(int m, const struct transformer *w, struct transformer_values *v,
                    struct caches *caches) {
    // BEGIN SOLUTION: set all lengths to 0, then cache the memory for each block
    for (int b = 0; b < w->n_decoders; b++) {
        caches->written[b].length = 0;
        caches->memory[b].length = 0;
        if (w->n_encoders > 0)
            cache_rows(m, &w->decoder[b].cross.heads, v->memory, &v->decoder[b].cross.heads,
                       &caches->memory[b]);
    }
    // END SOLUTION
}

void decode_next(const struct transformer *w, int word, const double P[1][w->d_model],
                 struct caches *caches, struct transformer_values *v,
                 double logits[1][w->vocabulary]) {
    // BEGIN SOLUTION: decode_target for one row, with decoder_block_next
    int d = w->d_model;
    double(*written)[1][d] = v->written;
    embed(1, w->vocabulary, d, sqrt(d), &word, w->table, written[0]);
    add_rows(1, d, P, written[0]);
    for (int b = 0; b < w->n_decoders; b++)
        decoder_block_next(&w->decoder[b], written[b],
                           w->n_encoders > 0 ? &caches->memory[b] : NULL, &caches->written[b],
                           &v->decoder[b], written[b + 1]);
    layer_norm(1, d, written[w->n_decoders], w->out_gain, w->out_bias, v->out_normed,
               v->out_inverse_std, v->out);
    dot_scores(1, w->vocabulary, d, v->out, w->table, logits);
    // END SOLUTION
}

void keep_top_k(int n, int k, const double weights[n], double kept[n]) {
    // BEGIN SOLUTION: sort a copy: how large is the k-th, and how many are equal to it?
    int count = k < n ? k : n, ties = 0;
    double sum = 0.0;
    memcpy(kept, weights, (size_t)n * sizeof kept[0]);
    sort_descending(n, kept);
    double last = kept[count - 1];
    for (int i = 0; i < count; i++) {
        sum += kept[i];
        ties += kept[i] == last;
    }
    for (int i = 0; i < n; i++) {
        bool stays = weights[i] > last || (weights[i] == last && ties-- > 0);
        kept[i] = stays ? weights[i] / sum : 0.0;
    }
    // END SOLUTION
}

void keep_top_p(int n, double p, const double weights[n], double kept[n]) {
    // BEGIN SOLUTION: sort a copy: how many of the largest reach p? Then call keep_top_k
    int count = 0;
    double sum = 0.0;
    memcpy(kept, weights, (size_t)n * sizeof kept[0]);
    sort_descending(n, kept);
    while (count < n && sum < p)
        sum += kept[count++];
    keep_top_k(n, count, weights, kept);
    // END SOLUTION
}

int sample(int n, const double weights[n], double uniform) {
    // BEGIN SOLUTION: add up the weights until the sum is larger than uniform
    double sum = 0.0;
    int last = 0;
    for (int i = 0; i < n; i++) {
        sum += weights[i];
        if (weights[i] > 0.0)
            last = i;
        if (uniform < sum)
            return i;
    }
    return last;
    // END SOLUTION
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
