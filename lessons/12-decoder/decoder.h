/* Lesson 12: read, write, and never do anything twice.

   A decoder's block has two attentions: to what is written, under a causal mask, and to what was
   read, the memory. Words that are written do not change any more, so their keys and values can be
   kept: a cache.

   Structs are as in lessons 07 to 11. Tests call the matrix of v->crossed crossed, that of
   d_v->crossed d_crossed, that of v->cross.heads.weights cross_weights.

   Outputs come last and start out undefined, as does what v points to; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that is no `const double`, and
   into what d_v and d_w point to. The caller zeroes d_v for each pass and d_w for each step. No
   function keeps a matrix of its own, or anything in a `static` or global variable. */
#ifndef DECODER_H
#define DECODER_H

#include "encoder.h"

/* Three layers: the words written ask each other, they ask the memory, each thinks alone. */
struct decoder_block {
    struct attention_layer self, cross; /* without a memory, cross has sizes and no numbers */
    struct feed_forward_layer forward;
};
struct decoder_values {
    struct attention_layer_values self WHERE(m = n);
    MATRIX(attended, n, w->forward.d_model); /* what the first layer gives */
    struct attention_layer_values cross;
    MATRIX(crossed, n, w->forward.d_model); /* what the second layer gives */
    struct feed_forward_layer_values forward;
};

/* These are given. */
struct decoder_block take_decoder_block(struct room *room, int d_model, int n_heads, int d_ff,
                                        bool has_memory);
struct decoder_values take_decoder_values(struct room *room, const struct decoder_block *w, int n,
                                          int m);

/* Each layer reads what the one before gives. `blocked` says which words written may not look at
   which; the memory has no mask. If `memory` is NULL, nothing was read: cross and crossed are
   left out, and m is ignored. */
void decoder_block(int n, int m, const struct decoder_block *w,
                   const double X[n][w->forward.d_model],
                   const double memory[m][w->forward.d_model], const bool blocked[n][n],
                   struct decoder_values *v, double out[n][w->forward.d_model]);

/* If memory is NULL, d_memory is NULL too, and m is ignored. */
void decoder_block_backward(int n, int m, const struct decoder_block *w,
                            const double memory[m][w->forward.d_model], const bool blocked[n][n],
                            const struct decoder_values *v,
                            const double d_out[n][w->forward.d_model], struct decoder_values *d_v,
                            struct decoder_block *d_w, double d_X[n][w->forward.d_model],
                            double d_memory[m][w->forward.d_model]);

/* Keys and values of words that are known. Of each head, the rows 0 to length - 1 are filled; what
   stands behind them is never read. */
struct cache {
    int capacity, length;
    TENSOR(K, n_kv_heads, capacity, d_head);
    TENSOR(V, n_kv_heads, capacity, d_head);
};
struct cache take_cache(struct room *room, const struct multi_head *w, int capacity); /* given */

/* n words more: their keys and values, by way of v->rows_k and v->rows_v, go behind those that are
   there. No other member of v is used; v was taken for n words, or for more. */
void cache_rows(int n, const struct multi_head *w, const double X[n][w->d_model],
                struct multi_head_values *v, struct cache *cache);

/* Lesson 08's attention of one word x, to the words of the cache; its length stays. v was taken for
   one query and capacity keys; v->weights becomes [n_heads][1][length]. */
void attend_cached(const struct multi_head *w, const double x[1][w->d_model],
                   const struct cache *cache, struct multi_head_values *v,
                   double out[1][w->d_model]);

/* Lesson 10's layer for one word x. If it `grows`, x is added to the cache first, normed as the
   layer norms it, and so looks at itself, too. v was taken for one query and capacity keys. */
void attention_layer_next(const struct attention_layer *w, const double x[1][w->heads.d_model],
                          bool grows, struct cache *cache, struct attention_layer_values *v,
                          double out[1][w->heads.d_model]);

/* decoder_block() for the next word x: `written` grows by it, `memory` is as it was filled, or NULL
   if nothing was read. v has room for one word, and its layers for capacity keys. */
void decoder_block_next(const struct decoder_block *w, const double x[1][w->forward.d_model],
                        struct cache *memory, struct cache *written, struct decoder_values *v,
                        double out[1][w->forward.d_model]);

#endif
