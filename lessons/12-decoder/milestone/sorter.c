#include "sorter.h"

#include "../../11-encoder/milestone/start.h"
#include "dot_product.h"
#include "positions.h"

#include <math.h>
#include <stdlib.h>

struct sorter take_sorter(struct room *room, int n_heads) {
    struct sorter w;
    w.table = take(room, WORDS * D_MODEL);
    w.encoder = take_encoder_block(room, D_MODEL, n_heads, D_FF);
    w.memory_gain = take(room, D_MODEL);
    w.memory_bias = take(room, D_MODEL);
    w.decoder = take_decoder_block(room, D_MODEL, n_heads, D_FF, true);
    w.out_gain = take(room, D_MODEL);
    w.out_bias = take(room, D_MODEL);
    return w;
}

struct sorter_values take_sorter_values(struct room *room, const struct sorter *w, int n, int m) {
    struct sorter_values v;
    v.read = take(room, m * D_MODEL);
    v.encoder = take_encoder_values(room, &w->encoder, m);
    v.encoded = take(room, m * D_MODEL);
    v.memory_normed = take(room, m * D_MODEL);
    v.memory_inverse_std = take(room, m);
    v.memory = take(room, m * D_MODEL);
    v.written = take(room, n * D_MODEL);
    v.decoder = take_decoder_values(room, &w->decoder, n, m);
    v.decoded = take(room, n * D_MODEL);
    v.out_normed = take(room, n * D_MODEL);
    v.out_inverse_std = take(room, n);
    v.out = take(room, n * D_MODEL);
    v.logits = take(room, n * WORDS);
    return v;
}

void sorter_start(const struct sorter *w, struct random *r) {
    draw_weights(r, D_MODEL, WORDS * D_MODEL, w->table);
    fill_ones(D_MODEL, w->memory_gain);
    fill_ones(D_MODEL, w->out_gain);
    start_encoder(r, &w->encoder);
    start_attention(r, &w->decoder.self);
    start_attention(r, &w->decoder.cross);
    start_forward(r, &w->decoder.forward);
}

/* The embeddings of n tokens with their positions, which begin at `first`. */
static void enter(int n, int first, const struct sorter *w, const int words[n],
                  double X[n][D_MODEL]) {
    double P[LONGEST][D_MODEL];
    sinusoidal_positions(n, D_MODEL, first, P);
    embed(n, WORDS, D_MODEL, sqrt(D_MODEL), words, w->table, X);
    add_rows(n, D_MODEL, P, X);
}

void sorter_read(int m, const struct sorter *w, const int letters[m], struct sorter_values *v) {
    enter(m, 0, w, letters, v->read);
    encoder_block(m, &w->encoder, v->read, NULL, &v->encoder, v->encoded);
    layer_norm(m, D_MODEL, v->encoded, w->memory_gain, w->memory_bias, v->memory_normed,
               v->memory_inverse_std, v->memory);
}

static void compare(int n, const struct sorter *w, const struct sorter_values *v,
                    double logits[n][WORDS]) {
    layer_norm(n, D_MODEL, v->decoded, w->out_gain, w->out_bias, v->out_normed, v->out_inverse_std,
               v->out);
    dot_scores(n, WORDS, D_MODEL, v->out, w->table, logits);
}

void sorter_write(int n, int m, const struct sorter *w, const int words[n],
                  const bool blocked[n][n], struct sorter_values *v) {
    enter(n, 0, w, words, v->written);
    decoder_block(n, m, &w->decoder, v->written, v->memory, blocked, &v->decoder, v->decoded);
    compare(n, w, v, v->logits);
}

void sorter_backward(int n, int m, const struct sorter *w, const int letters[m], const int words[n],
                     const bool blocked[n][n], const struct sorter_values *v,
                     struct sorter_values *d_v, struct sorter *d_w) {
    dot_scores_backward(n, WORDS, D_MODEL, v->out, w->table, d_v->logits, d_v->out, d_w->table);
    layer_norm_backward(n, D_MODEL, w->out_gain, v->out_normed, v->out_inverse_std, d_v->out,
                        d_w->out_gain, d_w->out_bias, d_v->decoded);
    decoder_block_backward(n, m, &w->decoder, v->memory, blocked, &v->decoder, d_v->decoded,
                           &d_v->decoder, &d_w->decoder, d_v->written, d_v->memory);
    embed_backward(n, WORDS, D_MODEL, sqrt(D_MODEL), words, d_v->written, d_w->table);
    layer_norm_backward(m, D_MODEL, w->memory_gain, v->memory_normed, v->memory_inverse_std,
                        d_v->memory, d_w->memory_gain, d_w->memory_bias, d_v->encoded);
    encoder_block_backward(m, &w->encoder, NULL, &v->encoder, d_v->encoded, &d_v->encoder,
                           &d_w->encoder, d_v->read);
    embed_backward(m, WORDS, D_MODEL, sqrt(D_MODEL), letters, d_v->read, d_w->table);
}

/* --- Generation ------------------------------------------------------------------------------ */

struct writer {
    const struct sorter *w;
    struct sorter_values *v;
    struct cache memory, written;
};

static void write_one(void *whom, int word, double logits[]) {
    struct writer *at = whom;
    enter(1, at->written.length, at->w, &word, at->v->written);
    decoder_block_next(&at->w->decoder, at->v->written, &at->memory, &at->written, &at->v->decoder,
                       at->v->decoded);
    compare(1, at->w, at->v, (double(*)[WORDS])logits);
}

int sorter_write_alone(int m, const struct sorter *w, const int letters[m], struct sorter_values *v,
                       int limit, int words[limit]) {
    struct room count = {NULL, 0}, room;
    take_cache(&count, &w->decoder.self.heads, limit + m);
    room = (struct room){zeroes((size_t)count.used * sizeof(double)), 0};
    struct writer writer = {w, v, take_cache(&room, &w->decoder.cross.heads, m),
                            take_cache(&room, &w->decoder.self.heads, limit)};
    sorter_read(m, w, letters, v);
    cache_rows(m, &w->decoder.cross.heads, v->memory, &v->decoder.cross.heads, &writer.memory);
    int written = greedy_decode(WORDS, limit, write_one, &writer, v->logits, words);
    free(room.numbers);
    return written;
}
