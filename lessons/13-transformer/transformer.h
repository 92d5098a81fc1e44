/* Lesson 13: the whole transformer.

   An encoder reads the source, and a decoder computes the logits of the next token at each
   position. Without an encoder, the model is a decoder-only language model. `word` and the elements
   of `words` are the numbers of tokens.

   A token enters as sqrt(d_model) times its row of the embedding table, plus a row of P, the
   positional encoding. After the last block of each side there is one more layer norm. The logit of
   a token is the dot product of the decoder's output with the row of this token in the same table
   (dot_scores of lesson 02).

   The structs follow the rules of lessons 07 to 12. The normed rows and inverse_std have no
   gradient, so leave them unchanged in d_v. The tests call the matrix in v->written "written", and
   the one in d_v->written "d_written". */
#ifndef TRANSFORMER_H
#define TRANSFORMER_H

#include "decoder.h"

enum { MOST_BLOCKS = 12 };

/* All parameters of the model, which is decoder-only if n_encoders is 0. */
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
    MATRIX(memory_normed, m, d_model);
    VECTOR(memory_inverse_std, m);
    MATRIX(memory, m, d_model);                  /* the output of the encoder */
    TENSOR(written, n_decoders + 1, n, d_model); /* rows before, between and after decoder blocks */
    struct decoder_values decoder[USED_OF(n_decoders, MOST_BLOCKS)];
    MATRIX(out_normed, n, d_model);
    VECTOR(out_inverse_std, n);
    MATRIX(out, n, d_model); /* the output of the last layer norm */
};

/* These two functions are given. If there is no source, pass 0 as m. */
struct transformer take_transformer(struct room *room, int vocabulary, int d_model, int n_heads,
                                    int d_ff, int n_encoders, int n_decoders);
struct transformer_values take_transformer_values(struct room *room, const struct transformer *w,
                                                  int n, int m);

/* Computes v->memory from the m tokens of the source. P has the positional encoding of these tokens
   and is never NULL, because the caller passes a matrix of zeros if a model uses no positions. v
   was made by take_transformer_values() with the same m, and with any n. */
void encode_source(int m, const struct transformer *w, const int words[m],
                   const double P[m][w->d_model], struct transformer_values *v);

/* The backward pass of encode_source, which starts from d_v->memory. v was filled by encode_source,
   and d_v was made with the same sizes. */
void encode_source_backward(int m, const struct transformer *w, const int words[m],
                            const struct transformer_values *v, struct transformer_values *d_v,
                            struct transformer *d_w);

/* For each of the n tokens, computes the logits of the token that follows it. The inputs are these
   tokens and v->memory. `blocked` is the causal mask of the self-attention. If n_encoders is 0,
   there is no memory, so pass NULL to the blocks, which then ignore m. */
void decode_target(int n, int m, const struct transformer *w, const int words[n],
                   const double P[n][w->d_model], const bool blocked[n][n],
                   struct transformer_values *v, double logits[n][w->vocabulary]);

/* The backward pass of decode_target, which also adds the gradient of the memory to d_v->memory. */
void decode_target_backward(int n, int m, const struct transformer *w, const int words[n],
                            const bool blocked[n][n], const struct transformer_values *v,
                            const double d_logits[n][w->vocabulary], struct transformer_values *d_v,
                            struct transformer *d_w);

/* The two KV caches of each decoder block, for the memory and for the tokens written so far. The
   function take_caches() is given. */
struct caches {
    struct cache memory[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].cross.heads);
    struct cache written[USED_OF(n_decoders, MOST_BLOCKS)] WHERE(w = &w->decoder[b].self.heads);
};
struct caches take_caches(struct room *room, const struct transformer *w, int longest, int m);

/* Sets the lengths of all caches to 0, and then fills each block's memory cache from v->memory. If
   n_encoders is 0, m is ignored and the memory caches are not used. v has space for as many tokens
   as the text will have. */
void start_decoding(int m, const struct transformer *w, struct transformer_values *v,
                    struct caches *caches);

/* Computes from the caches the logits after one more token, which are the last row that
   decode_target() would compute. P is the row for this token's position. v was made with n =
   longest, and here v->written is a matrix [n_decoders + 1][1][d_model] with the input of block 0
   and the output of each block, so no block overwrites the row that it reads. */
void decode_next(const struct transformer *w, int word, const double P[1][w->d_model],
                 struct caches *caches, struct transformer_values *v,
                 double logits[1][w->vocabulary]);

/* This function is given. It sorts n numbers, the largest first, in about n log n steps. */
void sort_descending(int n, double x[n]);

/* Keeps the k largest weights, divided by their sum, and sets all others to 0. If several weights
   are equal to the k-th and there are too many of them, the first ones are kept. The weights come
   from a softmax, k is at least 1 and may be larger than n, and `kept` does not overlap `weights`.
   A vocabulary may have 32,000 tokens, so use about n log n steps, and no array except `kept`. */
void keep_top_k(int n, int k, const double weights[n], double kept[n]);

/* Like keep_top_k(), with the smallest k for which the k largest weights have a sum of at least p.
   p is above 0. If rounding makes the sum of all weights smaller than p, which can happen if p is
   1, all weights are kept. */
void keep_top_p(int n, double p, const double weights[n], double kept[n]);

/* The weights lie side by side, beginning at 0. Returns the token on whose part the number
   `uniform` in [0, 1) falls. A token with the weight 0 is never returned. */
int sample(int n, const double weights[n], double uniform);

#endif
