/* A network that sorts letters: one encoder block, one decoder block, and a layer norm after each.
   The embedding table is used for the inputs and for the logits. */
#ifndef SORTER_H
#define SORTER_H

#include "decoder.h"
#include "random.h"
#include "seq2seq.h"

/* BEGIN and END of lesson 07, then the letters. */
enum { FIRST_LETTER = END + 1, LETTERS = 26, WORDS = FIRST_LETTER + LETTERS };
enum { D_MODEL = 32, D_FF = 64, LONGEST = 16 };

/* All parameters, or their gradients. */
struct sorter {
    void *table; /* [WORDS][D_MODEL] */
    struct encoder_block encoder;
    double *memory_gain, *memory_bias; /* [D_MODEL] */
    struct decoder_block decoder;
    double *out_gain, *out_bias; /* [D_MODEL] */
};

/* The values for the backward pass, with m input letters and n tokens of the decoder, or their
   gradients. */
struct sorter_values {
    void *read; /* [m][D_MODEL] */
    struct encoder_values encoder;
    void *encoded;              /* [m][D_MODEL] */
    void *memory_normed;        /* [m][D_MODEL] */
    double *memory_inverse_std; /* [m] */
    void *memory;               /* [m][D_MODEL] */
    void *written;              /* [n][D_MODEL] */
    struct decoder_values decoder;
    void *decoded;           /* [n][D_MODEL] */
    void *out_normed;        /* [n][D_MODEL] */
    double *out_inverse_std; /* [n] */
    void *out;               /* [n][D_MODEL] */
    void *logits;            /* [n][WORDS] */
};

struct sorter take_sorter(struct room *room, int n_heads);
struct sorter_values take_sorter_values(struct room *room, const struct sorter *w, int n, int m);

/* Initialization: matrices have the variance 1 / rows, gains are 1, and biases stay 0. */
void sorter_start(const struct sorter *w, struct random *r);

void sorter_read(int m, const struct sorter *w, const int letters[m], struct sorter_values *v);
void sorter_write(int n, int m, const struct sorter *w, const int words[n],
                  const bool blocked[n][n], struct sorter_values *v);

/* The backward pass, from d_v->logits. */
void sorter_backward(int n, int m, const struct sorter *w, const int letters[m], const int words[n],
                     const bool blocked[n][n], const struct sorter_values *v,
                     struct sorter_values *d_v, struct sorter *d_w);

/* Generates at most `limit` tokens with KV caches and returns their number. v has space for n =
   limit tokens. */
int sorter_write_alone(int m, const struct sorter *w, const int letters[m], struct sorter_values *v,
                       int limit, int words[limit]);

#endif
