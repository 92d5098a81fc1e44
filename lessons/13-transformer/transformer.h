/* Lesson 13: the whole transformer.

   An encoder reads the source, and a decoder computes the logits of the next token at each
   position. Without an encoder, the model is a decoder-only language model. A `word` in this file
   is the number of a token.

   A token enters as sqrt(d_model) times its row of the embedding table, plus a row of P, the
   positional encoding. After the last block of each side there is one more layer norm. The logit of
   a token is the dot product of the decoder's output with the row of this token in the same table
   (dot_scores of lesson 02).

   The structs follow the rules of lessons 07 to 12. The tests call the matrix in v->written
   "written", and the one in d_v->written "d_written". */
#ifndef TRANSFORMER_H
#define TRANSFORMER_H

#include "decoder.h"

enum { MOST_BLOCKS = 12 };

/* All parameters. If n_encoders is 0, the model is decoder-only. */
struct transformer {
    int vocabulary, d_model, n_encoders, n_decoders;
    MATRIX(table, vocabulary, d_model); /* the embeddings, used as input and for the logits */
    struct encoder_block encoder[USED_OF(n_encoders, MOST_BLOCKS)];
    VECTOR(memory_gain, d_model); /* the layer norm after the last encoder block */
    VECTOR(memory_bias, d_model);
    struct decoder_block decoder[USED_OF(n_decoders, MOST_BLOCKS)];
    VECTOR(out_gain, d_model); /* the layer norm after the last decoder block */
    VECTOR(out_bias, d_model);
};
struct transformer_values {
    TENSOR(read, n_encoders + 1, m, d_model); /* rows before, between and after encoder blocks */
    struct encoder_values encoder[USED_OF(n_encoders, MOST_BLOCKS)] WHERE(n = m);
    MATRIX(memory_normed, m, d_model);           /* has no gradient in d_v */
    VECTOR(memory_inverse_std, m);               /* has no gradient either */
    MATRIX(memory, m, d_model);                  /* the output of the encoder */
    TENSOR(written, n_decoders + 1, n, d_model); /* rows before, between and after decoder blocks */
    struct decoder_values decoder[USED_OF(n_decoders, MOST_BLOCKS)];
    MATRIX(out_normed, n, d_model); /* has no gradient in d_v */
    VECTOR(out_inverse_std, n);     /* has no gradient either */
    MATRIX(out, n, d_model);        /* the output of the last layer norm */
};

/* These two are given. m is 0 if there is no source. */
struct transformer take_transformer(struct room *room, int vocabulary, int d_model, int n_heads,
                                    int d_ff, int n_encoders, int n_decoders);
struct transformer_values take_transformer_values(struct room *room, const struct transformer *w,
                                                  int n, int m);

/* Computes v->memory from the m tokens of the source. P is never a null pointer. If a model uses no
   positions, the caller passes a matrix of zeros. v was made by take_transformer_values() with this
   m and any n. */
void encode_source(int m, const struct transformer *w, const int words[m],
                   const double P[m][w->d_model], struct transformer_values *v);

/* The backward pass of encode_source, from d_v->memory. v was filled by encode_source, and d_v was
   made with the same sizes. */
void encode_source_backward(int m, const struct transformer *w, const int words[m],
                            const struct transformer_values *v, struct transformer_values *d_v,
                            struct transformer *d_w);

/* Computes, for each of the n tokens, the logits of the token that follows it, from v->memory and
   from these tokens. If n_encoders is 0, there is no memory: pass NULL to the blocks. Then m is
   ignored. */
void decode_target(int n, int m, const struct transformer *w, const int words[n],
                   const double P[n][w->d_model], const bool blocked[n][n],
                   struct transformer_values *v, double logits[n][w->vocabulary]);

/* The backward pass of decode_target. The gradient of the memory is added to d_v->memory. */
void decode_target_backward(int n, int m, const struct transformer *w, const int words[n],
                            const bool blocked[n][n], const struct transformer_values *v,
                            const double d_logits[n][w->vocabulary], struct transformer_values *d_v,
                            struct transformer *d_w);

/* The KV caches of each decoder block: of the memory, and of the tokens that are written. */
struct caches {
    struct cache memory[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].cross.heads);
    struct cache written[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].self.heads);
};
struct caches take_caches(struct room *room, const struct transformer *w, int longest,
                          int m); /* given */

/* Sets the lengths of all caches to 0, and then fills each block's memory cache from v->memory. If
   n_encoders is 0, m is ignored and the memory caches are not used. v was made for all tokens that
   will be written. */
void start_decoding(int m, const struct transformer *w, struct transformer_values *v,
                    struct caches *caches);

/* Computes the logits after one more token, with the caches, as decode_target() does for its last
   row. P is the row for this token's position. v was made with n = longest, and v->written is used
   as [n_decoders + 1][1][d_model]: one row before, between and after the blocks, so that no block
   overwrites the row that it reads. */
void decode_next(const struct transformer *w, int word, const double P[1][w->d_model],
                 struct caches *caches, struct transformer_values *v,
                 double logits[1][w->vocabulary]);

/* Given: sorts n numbers, the largest first, in about n log n steps. */
void sort_descending(int n, double x[n]);

/* Keeps the k largest weights, divided by their sum. All others become 0. If several weights are
   equal and not all of them fit, the first ones are kept. The weights come from a softmax, k is at
   least 1 and may be larger than n, and `kept` does not overlap `weights`. A vocabulary may have
   32,000 tokens, so use about n log n steps, and no array but `kept`. */
void keep_top_k(int n, int k, const double weights[n], double kept[n]);

/* Keeps the fewest weights, the largest first, whose sum is at least p. In all other respects it is
   like keep_top_k(). p is above 0. If the sum of all weights stays below p, because p is 1 and
   rounding makes the sum smaller, all are kept. */
void keep_top_p(int n, double p, const double weights[n], double kept[n]);

/* Lays the weights side by side, from 0 on, and returns the token on whose part `uniform` falls,
   which is in [0, 1). A token of weight 0 is never returned. */
int sample(int n, const double weights[n], double uniform);

#endif
