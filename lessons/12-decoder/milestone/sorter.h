/* A network that reads letters and writes them: one encoder block, one decoder block, a layer norm
   behind each, and one table of letters to read with and to be compared with. */
#ifndef SORTER_H
#define SORTER_H

#include "decoder.h"
#include "random.h"
#include "seq2seq.h"

/* BEGIN and END of lesson 07, then the letters. */
enum { FIRST_LETTER = END + 1, LETTERS = 26, WORDS = FIRST_LETTER + LETTERS };
enum { D_MODEL = 32, D_FF = 64, LONGEST = 16 };

/* All that is trained; or its gradients. */
struct sorter {
    void *table; /* [WORDS][D_MODEL] */
    struct encoder_block encoder;
    double *memory_gain, *memory_bias; /* [D_MODEL] */
    struct decoder_block decoder;
    double *out_gain, *out_bias; /* [D_MODEL] */
};

/* What is left for the way back, of m letters read and n words written; or the gradients of it. */
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

/* Matrices N(0, 1 / rows), gains 1; biases stay 0. */
void sorter_start(const struct sorter *w, struct random *r);

void sorter_read(int m, const struct sorter *w, const int letters[m], struct sorter_values *v);
void sorter_write(int n, int m, const struct sorter *w, const int words[n],
                  const bool blocked[n][n], struct sorter_values *v);

/* From d_v->logits to the table. */
void sorter_backward(int n, int m, const struct sorter *w, const int letters[m], const int words[n],
                     const bool blocked[n][n], const struct sorter_values *v,
                     struct sorter_values *d_v, struct sorter *d_w);

/* Writes alone, by the cache, at most `limit` words, and returns how many; v was taken for n =
   limit. */
int sorter_write_alone(int m, const struct sorter *w, const int letters[m], struct sorter_values *v,
                       int limit, int words[limit]);

#endif
