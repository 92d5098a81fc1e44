/* Lesson 13: the whole machine.

   One table of words, read with and written with; blocks; a loss. An encoder reads, a decoder
   writes, and a decoder with nothing to read is a language model.

   A word enters as sqrt(d_model) times its row of the table, plus its row of P, the positions.
   Behind the last block of each side stands one more layer norm. What it gives, dot each row of the
   table, is the logit of that word: lesson 02's dot_scores.

   Structs are as in lessons 07 to 12. Tests call the matrix of v->written written, that of
   d_v->written d_written. */
#ifndef TRANSFORMER_H
#define TRANSFORMER_H

#include "decoder.h"

enum { MOST_BLOCKS = 12 };

/* All that is trained. Without encoder blocks there is nothing to read: a language model. */
struct transformer {
    int vocabulary, d_model, n_encoders, n_decoders;
    MATRIX(table, vocabulary, d_model); /* the words, to be read and to be compared with */
    struct encoder_block encoder[USED_OF(n_encoders, MOST_BLOCKS)];
    VECTOR(memory_gain, d_model); /* the norm behind the encoder */
    VECTOR(memory_bias, d_model);
    struct decoder_block decoder[USED_OF(n_decoders, MOST_BLOCKS)];
    VECTOR(out_gain, d_model); /* the norm behind the decoder */
    VECTOR(out_bias, d_model);
};
struct transformer_values {
    TENSOR(read, n_encoders + 1, m, d_model); /* before, between and after the encoder's blocks */
    struct encoder_values encoder[USED_OF(n_encoders, MOST_BLOCKS)] WHERE(n = m);
    MATRIX(memory_normed, m, d_model);           /* no gradient of it is kept */
    VECTOR(memory_inverse_std, m);               /* nor of this */
    MATRIX(memory, m, d_model);                  /* what the encoder gives */
    TENSOR(written, n_decoders + 1, n, d_model); /* before, between and after the decoder's */
    struct decoder_values decoder[USED_OF(n_decoders, MOST_BLOCKS)];
    MATRIX(out_normed, n, d_model); /* no gradient of it is kept */
    VECTOR(out_inverse_std, n);     /* nor of this */
    MATRIX(out, n, d_model);        /* what is compared with the table */
};

/* These are given. m is 0 if nothing is read. */
struct transformer take_transformer(struct room *room, int vocabulary, int d_model, int n_heads,
                                    int d_ff, int n_encoders, int n_decoders);
struct transformer_values take_transformer_values(struct room *room, const struct transformer *w,
                                                  int n, int m);

/* Reads m words; the result is v->memory. P is 0 where there are no positions. v was taken for any
   number of words to be written. */
void encode_source(int m, const struct transformer *w, const int words[m],
                   const double P[m][w->d_model], struct transformer_values *v);

/* The way back, from d_v->memory. v was taken for what encode_source() was given it for, and d_v
   was taken for the same. */
void encode_source_backward(int m, const struct transformer *w, const int words[m],
                            const struct transformer_values *v, struct transformer_values *d_v,
                            struct transformer *d_w);

/* The logits of the word behind each of n words, from these and from v->memory; without encoder
   blocks m is ignored, and no block has a memory. */
void decode_target(int n, int m, const struct transformer *w, const int words[n],
                   const double P[n][w->d_model], const bool blocked[n][n],
                   struct transformer_values *v, double logits[n][w->vocabulary]);

/* The way back; what was read gets its gradient in d_v->memory. */
void decode_target_backward(int n, int m, const struct transformer *w, const int words[n],
                            const bool blocked[n][n], const struct transformer_values *v,
                            const double d_logits[n][w->vocabulary], struct transformer_values *d_v,
                            struct transformer *d_w);

/* For each decoder block, what it knows of the memory and of what is written. */
struct caches {
    struct cache memory[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].cross.heads);
    struct cache written[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].self.heads);
};
struct caches take_caches(struct room *room, const struct transformer *w, int longest,
                          int m); /* given */

/* Forgets what was written, and fills each block's memory cache from v->memory, once; without
   encoder blocks m is ignored, and the memory caches are left alone. v was taken for all words that
   will be written. */
void start_decoding(int m, const struct transformer *w, struct transformer_values *v,
                    struct caches *caches);

/* decode_target() for one word more, by the caches. P is the row of its place; v was taken for n =
   longest. v->written becomes [n_decoders + 1][1][d_model]: the row before, between and after the
   blocks. No block writes over the row that it reads. */
void decode_next(const struct transformer *w, int word, const double P[1][w->d_model],
                 struct caches *caches, struct transformer_values *v,
                 double logits[1][w->vocabulary]);

/* Given: sorts n numbers, the largest first, in about n log n steps. */
void sort_descending(int n, double x[n]);

/* Keeps the k largest weights, divided by their sum; all others become 0. If several weights are
   equal and not all of them fit, the first ones are kept. A vocabulary may have 32,000 words: take
   about n log n steps, and no array but kept. The weights are those of a softmax, k is at least 1,
   and kept does not overlap weights. */
void keep_top_k(int n, int k, const double weights[n], double kept[n]);

/* Keeps the fewest weights, the largest first, whose sum reaches p; otherwise as keep_top_k().
   p is above 0. If rounding leaves the sum of all weights below p, all of them are kept. */
void keep_top_p(int n, double p, const double weights[n], double kept[n]);

/* The word that `uniform`, in [0, 1), falls on when the weights are laid side by side from 0 on;
   never a word of weight 0. */
int sample(int n, const double weights[n], double uniform);

#endif
