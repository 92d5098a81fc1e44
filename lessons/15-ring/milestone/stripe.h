/* All arrays that a rank needs for ring_attention() and its backward pass. */
#ifndef STRIPE_H
#define STRIPE_H

#include "ring.h"

#include <stddef.h>

struct sequence {
    bool causal;
    int n, n_heads, n_kv_heads, d; /* d_k and d_v are the same here */
};

/* The void * are arrays of float, [n_heads][m][d] or [n_kv_heads][m][d]. */
struct stripe {
    struct sequence s;
    int m, size;
    void *Q, *K, *V, *out, *d_out, *d_Q, *d_K, *d_V;
    void *part, *shared, *lse, *part_lse; /* the last three [n_heads][m] */
    void *kv, *d_kv, *block;              /* [2][size], [2][size], [size] */
    void *memory;
};

/* memory is NULL if there is not enough. */
struct stripe stripe_new(const struct ring *ring, struct sequence s);
size_t stripe_bytes(const struct ring *ring, struct sequence s);
void stripe_free(struct stripe *s);

void stripe_forward(struct ring *ring, struct stripe *s);
void stripe_backward(struct ring *ring, struct stripe *s); /* d_Q, d_K, d_V are set to 0 first */

#endif
