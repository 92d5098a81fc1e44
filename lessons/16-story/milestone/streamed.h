/* The model in floats or bytes: the same functions as llama_next(), but as fast as the weights can
   be read. The products are your matrix_vector() and matrix_vector_int8(), and the attention is
   decode() of lesson 14. */
#ifndef STREAMED_H
#define STREAMED_H

#include "checkpoint.h"

/* The matrices as bytes, quantized by your quantize(). Returns false if memory is missing. */
bool quantize_model(const struct stored_model *floats, struct stored_model *bytes);

/* The bytes that quantize_model() takes. */
size_t bytes_of_quantized(const struct llama_sizes *sizes);

/* The values of one token, and the KV caches of all layers. */
struct streamed {
    const struct stored_model *model;
    int without_layer, without_head; /* this head adds nothing. -1: there is no such head */
    float *x, *scaled, *q, *k, *v, *heads, *change, *gate, *up, *logits;
    float *keys, *values; /* [n_layers][n_kv_heads][longest][d_head] */
    float *turns;         /* [longest][d_head / 2][2]: the cosine and the sine of each pair */
    int8_t (*quantized)[GROUP];
    float *scales; /* one for each quantized group */
    int *sums;
};
struct streamed streamed_new(const struct stored_model *model);
void streamed_free(struct streamed *s);
size_t bytes_of_streamed(const struct llama_sizes *sizes);

/* Computes s->logits after the token `word` at this position. The positions before it are in the KV
   caches. */
void streamed_next(struct streamed *s, int word, int position);

#endif
