#include "stripe.h"

#include <stdlib.h>
#include <string.h>

/* Divides `memory` into the arrays, and returns how many floats they need. */
static size_t lay_out(struct stripe *s) {
    size_t rows = (size_t)s->s.n_heads * (size_t)s->m, queries = rows * (size_t)s->s.d;
    size_t keys = (size_t)s->s.n_kv_heads * (size_t)s->m * (size_t)s->s.d, size = (size_t)s->size;
    struct {
        void **piece;
        size_t floats;
    } const pieces[] = {
        {&s->Q, queries},    {&s->out, queries},   {&s->d_out, queries}, {&s->d_Q, queries},
        {&s->part, queries}, {&s->K, keys},        {&s->V, keys},        {&s->d_K, keys},
        {&s->d_V, keys},     {&s->lse, rows},      {&s->part_lse, rows}, {&s->shared, rows},
        {&s->kv, 2 * size},  {&s->d_kv, 2 * size}, {&s->block, size},
    };
    size_t floats = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (s->memory)
            *pieces[i].piece = (float *)s->memory + floats;
        floats += (pieces[i].floats + 15) / 16 * 16;
    }
    return floats;
}

static struct stripe stripe_of(const struct ring *ring, struct sequence s) {
    int longest = stripe_length(s.n, ring->ranks, 0);
    return (struct stripe){.s = s,
                           .m = stripe_length(s.n, ring->ranks, ring->rank),
                           .size = block_floats(s.n_kv_heads, longest, s.d, s.d)};
}

size_t stripe_bytes(const struct ring *ring, struct sequence s) {
    struct stripe stripe = stripe_of(ring, s);
    return sizeof(float) * lay_out(&stripe);
}

/* All of it is touched: what is only asked for would cost nothing. */
struct stripe stripe_new(const struct ring *ring, struct sequence s) {
    struct stripe stripe = stripe_of(ring, s);
    size_t bytes = sizeof(float) * lay_out(&stripe);
    stripe.memory = malloc(bytes);
    if (stripe.memory) {
        memset(stripe.memory, 0, bytes);
        lay_out(&stripe);
    }
    return stripe;
}

void stripe_free(struct stripe *s) {
    free(s->memory);
    s->memory = NULL;
}

void stripe_forward(struct ring *ring, struct stripe *s) {
    ring_attention(ring, s->s.causal, s->s.n_heads, s->s.n_kv_heads, s->s.n, s->m, s->s.d, s->s.d,
                   s->size, s->Q, s->K, s->V, s->kv, s->part, s->part_lse, s->out, s->lse);
}

void stripe_backward(struct ring *ring, struct stripe *s) {
    size_t rows = sizeof(float[s->m][s->s.d]);
    memset(s->d_Q, 0, (size_t)s->s.n_heads * rows);
    memset(s->d_K, 0, (size_t)s->s.n_kv_heads * rows);
    memset(s->d_V, 0, (size_t)s->s.n_kv_heads * rows);
    ring_attention_backward(ring, s->s.causal, s->s.n_heads, s->s.n_kv_heads, s->s.n, s->m, s->s.d,
                            s->s.d, s->size, s->Q, s->K, s->V, s->out, s->lse, s->d_out, s->kv,
                            s->d_kv, s->block, s->shared, s->d_Q, s->d_K, s->d_V);
}
