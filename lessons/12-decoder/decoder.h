/* Lesson 12: a decoder block with two attention layers, and a KV cache.

   A decoder block has three layers. The first is self-attention over the tokens of the output
   sequence, under a causal mask. The second is cross-attention to the memory, which is the output
   of the encoder. The third is a feed-forward network. At inference, the keys and values of earlier
   tokens do not change any more, so they are kept in a KV cache.

   Parameters `w`, values `v` and their gradients `d_w` and `d_v` are structs, as in lessons 07 to
   11. The messages of the tests write crossed for v->crossed, d_crossed for d_v->crossed, and
   cross_weights for v->cross.heads.weights.

   The outputs are the last parameters of a function. They and the matrices of v have no defined
   values before the call, and they do not overlap the inputs. A function whose name ends in
   _backward ADDS (+=) its results to its outputs, that is, to every d_... parameter without `const`
   and to the matrices of d_v and d_w. The caller sets d_v to 0 before each pass and d_w to 0 before
   each training step. No function needs a matrix of its own. No function may have a `static` or
   global variable, because several threads may call it at once. */
#ifndef DECODER_H
#define DECODER_H

#include "encoder.h"

/* The parameters of the three layers, or their gradients. In a block without a memory, the pointers
   of `cross` are NULL, and only its sizes are set. */
struct decoder_block {
    struct attention_layer self, cross;
    struct feed_forward_layer forward;
};

/* The values that the forward pass keeps for the backward pass, or their gradients. */
struct decoder_values {
    struct attention_layer_values self WHERE(m = n);
    MATRIX(attended, n, w->forward.d_model); /* the output of the first layer */
    struct attention_layer_values cross;
    MATRIX(crossed, n, w->forward.d_model); /* the output of the second layer */
    struct feed_forward_layer_values forward;
};

/* These two functions are given. If m is 0, take_decoder_values takes nothing for the second
   layer. */
struct decoder_block take_decoder_block(struct room *room, int d_model, int n_heads, int d_ff,
                                        bool has_memory);
struct decoder_values take_decoder_values(struct room *room, const struct decoder_block *w, int n,
                                          int m);

/* Computes the three layers one after the other, where the input of each layer is the output of the
   one before. X has n tokens, and the memory has m. `blocked` is the mask of the self-attention.
   The cross-attention has no mask. If `memory` is NULL, the second layer is left out, so v->cross
   and v->crossed are not used, and m is ignored. */
void decoder_block(int n, int m, const struct decoder_block *w,
                   const double X[n][w->forward.d_model],
                   const double memory[m][w->forward.d_model], const bool blocked[n][n],
                   struct decoder_values *v, double out[n][w->forward.d_model]);

/* The backward pass of decoder_block, from d_out. If memory is NULL, d_memory is NULL as well, and
   m is ignored. */
void decoder_block_backward(int n, int m, const struct decoder_block *w,
                            const double memory[m][w->forward.d_model], const bool blocked[n][n],
                            const struct decoder_values *v,
                            const double d_out[n][w->forward.d_model], struct decoder_values *d_v,
                            struct decoder_block *d_w, double d_X[n][w->forward.d_model],
                            double d_memory[m][w->forward.d_model]);

/* A KV cache: the keys and values of `length` tokens. In the matrix of each key head, the rows 0 to
   length - 1 are filled, and the other rows must never be read. */
struct cache {
    int capacity, length;
    TENSOR(K, n_kv_heads, capacity, d_head);
    TENSOR(V, n_kv_heads, capacity, d_head);
};
struct cache take_cache(struct room *room, const struct multi_head *w, int capacity); /* given */

/* Appends n tokens to the cache. First their keys X W_k are written to v->rows_k, and their values
   X W_v to v->rows_v. Then both are copied to the first free rows of each key head. Finally the
   length grows by n. No other member of v is used. v has space for n tokens or more. */
void cache_rows(int n, const struct multi_head *w, const double X[n][w->d_model],
                struct multi_head_values *v, struct cache *cache);

/* The multi-head attention of lesson 08 for one token x, which attends to all filled rows of the
   cache. The length does not change. v has space for one query and `capacity` keys, but v->weights
   is written as a matrix [n_heads][1][length]. */
void attend_cached(const struct multi_head *w, const double x[1][w->d_model],
                   const struct cache *cache, struct multi_head_values *v,
                   double out[1][w->d_model]);

/* The attention layer of lesson 10 for one token x. If `grows` is true, the output of the layer
   norm is first appended to the cache, so the token also attends to itself. v has space for one
   query and `capacity` keys. */
void attention_layer_next(const struct attention_layer *w, const double x[1][w->heads.d_model],
                          bool grows, struct cache *cache, struct attention_layer_values *v,
                          double out[1][w->heads.d_model]);

/* decoder_block for the next token x. The cache `written` grows by one token, and the cache
   `memory` does not change. `memory` is NULL if the block has no cross-attention. v has space for
   one token, and its attention layers for `capacity` keys. */
void decoder_block_next(const struct decoder_block *w, const double x[1][w->forward.d_model],
                        struct cache *memory, struct cache *written, struct decoder_values *v,
                        double out[1][w->forward.d_model]);

#endif
