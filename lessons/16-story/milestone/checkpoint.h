/* A model file, as the program export.py of llama2.c writes it: seven sizes as 32-bit integers, and
   then all matrices as floats. The file is mapped into memory, so loading it takes no time. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include "story.h"

#include <stdbool.h>
#include <stddef.h>

/* A matrix [rows][cols]: either floats or bytes, and the other pointers are NULL. */
struct matrix {
    int rows, cols;
    const float *numbers;
    const byte *bytes;   /* [blocks][groups][GROUP / TOGETHER][PIECE] */
    const float *scales; /* [blocks][groups][WIDTH] */
};

struct stored_layer {
    const float *attention_gain, *forward_gain;
    struct matrix q, k, v, o, gate, down, up;
};

/* All parameters of a model. The embeddings and the gains are always floats. */
struct stored_model {
    struct llama_sizes sizes; /* the vocabulary is positive here */
    const float *table;
    struct stored_layer layer[MOST_LAYERS];
    const float *out_gain;
    struct matrix words_out;
    const void *read; /* every token needs the numbers from here on, up to read_bytes */
    size_t read_bytes;
};

struct checkpoint {
    char path[4096];
    size_t bytes;              /* the length of the file */
    bool shares_table;         /* words_out is the table */
    struct stored_model model; /* it points into the file */
};

/* Maps a file. If it is not a model, says why on standard error and returns false. */
bool checkpoint_open(const char *path, struct checkpoint *c);

/* The number of parameters, each counted once. */
double parameters_of(const struct checkpoint *c);

/* A number for the contents of the file, which changes if a byte changes. */
uint64_t checksum_of(const struct checkpoint *c);

int d_head_of(const struct llama_sizes *sizes);

#endif
