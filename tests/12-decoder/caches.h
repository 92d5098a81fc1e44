/* Layers with a cache, for the tests of lesson 12 that compute token by token. Each has the pieces
   of a pass over the whole sequence and is compared with it. */
#ifndef CACHES_H
#define CACHES_H

#include "blocks.h"

/* A pass over the whole sequence, by the functions of earlier lessons. */
static const struct function whole = {
    .obvious = run_obviously, .weights = SELF_GAIN, .values = SELF_NORMED};

static inline struct work pass_of(struct sizes z, struct random *r) {
    return obvious(causal(random_block(&whole, z, r)));
}

/* "self_W_q" without the layer. */
static inline const char *plain(const char *name) {
    return strchr(name, '_') + 1;
}

/* One token and its output. */
struct step {
    void *x, *out;
};

static inline struct step new_step(const struct work *w) {
    return (struct step){matrix_new("x", 1, w->z.d), matrix_new("out", 1, w->z.d)};
}

/* Token i of a piece, whose output is not set yet. */
static inline void give(const struct work *w, enum piece p, int i, const struct step *step) {
    const size_t size = (size_t)w->z.d * sizeof(double);
    memcpy(step->x, (const double *)w->at[p] + i * w->z.d, size);
    memcpy(step->out, matrix_new(UNNAMED, 1, w->z.d), size);
}

/* A layer with an empty cache, a token for it, and its values, with space for one query and as many
   keys as the cache has rows. The names are those of the header, because a report shows the values
   that were computed before `out`. */
struct kept {
    struct attention_layer w;
    struct cache cache;
    struct step step;
    struct attention_layer_values v;
};

static inline struct attention_layer_values values_for(struct sizes z, int capacity) {
    struct work one = {.z = z};
    one.z.n = 1;
    one.z.m = capacity;
    void *at[12];
    for (enum piece p = CROSS_NORMED; p <= CROSS_ROWS_OUT; p++)
        at[p - CROSS_NORMED] = array_new(plain(its(&one, p).name), its(&one, p).dims);
    return attention_values_in(at);
}

/* For the layer whose weights begin with `first`: SELF_GAIN or CROSS_GAIN. */
static inline struct kept kept_of(const struct work *w, enum piece first, int capacity) {
    void *at[6], *const *from = w->at + first;
    for (enum piece p = 0; p < 6; p++)
        at[p] = array_copy(plain(its(w, first + p).name), its(w, first + p).dims, from[p]);
    struct kept k = {.w = attention_in(w->z, at), .cache = new_cache(w->z, capacity, "K", "V")};
    k.step = new_step(w);
    k.v = values_for(w->z, capacity);
    return k;
}

static inline void expect_length(int line, const char *name, int expected, int length) {
    expect_that(line, length == expected, "%s->length is %d; it should be %d", name, length,
                expected);
}
#define EXPECT_LENGTH(expected, cache) expect_length(__LINE__, "cache", expected, (cache).length)

#define EXPECT_K(w, keys, n, cache, tolerance)                                                     \
    expect_rows(__LINE__, &(w), keys, n, &(cache), "K", (cache).K, tolerance)
#define EXPECT_V(w, keys, n, cache, tolerance)                                                     \
    expect_rows(__LINE__, &(w), (keys) + 1, n, &(cache), "V", (cache).V, tolerance)
#define EXPECT_KNOWN(w, keys, n, cache, tolerance)                                                 \
    do {                                                                                           \
        EXPECT_LENGTH(n, cache);                                                                   \
        EXPECT_K(w, keys, n, cache, tolerance);                                                    \
        EXPECT_V(w, keys, n, cache, tolerance);                                                    \
    } while (0)

/* The layer's parameters were not changed. */
static inline void expect_weights(int line, const struct work *w, enum piece first,
                                  const struct attention_layer *layer) {
    const struct multi_head *heads = &layer->heads;
    const void *const now[] = {layer->gain, layer->bias, heads->W_q,
                               heads->W_k,  heads->W_v,  heads->W_o};
    for (enum piece p = 0; p < 6; p++) {
        const struct label its_own = its(w, first + p);
        BECAUSE("%s is an input here, and it was changed.", plain(its_own.name));
        expect_array(line, plain(its_own.name), its_own.dims, w->at[first + p], now[p], EXACTLY);
    }
}
#define EXPECT_WEIGHTS(pass, first, layer) expect_weights(__LINE__, &(pass), first, &(layer))

#endif
