/* Layers with a cache, for the tests of lesson 12 that go word by word: each has the pieces of a
   whole pass, and is compared with that. */
#ifndef CACHES_H
#define CACHES_H

#include "blocks.h"

/* A whole pass, by the lessons before. */
static const struct function whole = {NULL, NULL, run_obviously, NULL, SELF_GAIN, SELF_NORMED};

static inline struct work pass_of(struct sizes z, struct random *r) {
    return obvious(causal(random_block(&whole, z, r)));
}

/* "self_W_q" without the layer. */
static inline const char *plain(const char *name) {
    return strchr(name, '_') + 1;
}

/* A layer with a cache that knows nothing yet, and what it leaves: for one query, and as many keys
   as the cache may hold. Each has the name that the header has. */
struct kept {
    struct attention_layer w;
    struct attention_layer_values v;
    struct cache cache;
};

static inline struct cache new_cache(struct sizes z, int capacity, const char *K, const char *V) {
    const struct dims dims = dims_of(3, z.n_kv_heads, capacity, z.d_head, 1);
    return (struct cache){capacity, 0, array_new(K, dims), array_new(V, dims)};
}

static inline struct attention_layer_values values_for(struct sizes z, int capacity) {
    struct work one = {.z = z};
    one.z.n = 1;
    one.z.m = capacity;
    void *at[12];
    for (enum piece p = CROSS_NORMED; p <= CROSS_ROWS_OUT; p++)
        at[p - CROSS_NORMED] = array_new(plain(its(&one, p).name), its(&one, p).dims);
    return layer_values_in(at);
}

/* Of the layer whose weights begin with `first`: SELF_GAIN or CROSS_GAIN. */
static inline struct kept kept_of(const struct work *w, enum piece first, int capacity) {
    void *at[6], *const *from = w->at + first;
    for (enum piece p = 0; p < 6; p++)
        at[p] = array_copy(plain(its(w, first + p).name), its(w, first + p).dims, from[p]);
    return (struct kept){layer_in(w, at), values_for(w->z, capacity),
                         new_cache(w->z, capacity, "K", "V")};
}

/* Of [heads][from][cols], the first rows of each head, as [heads][to][cols]; or the other way. */
static inline void copy_rows(int heads, int rows, int cols, const void *numbers, int from,
                             void *copy, int to) {
    for (int h = 0; h < heads; h++)
        memcpy((double *)copy + h * to * cols, (const double *)numbers + h * from * cols,
               (size_t)(rows * cols) * sizeof(double));
}

/* The cache knows the first words of the pass, by the obvious way. SELF_K or CROSS_K. */
static inline void know(const struct work *w, enum piece K, int length, struct cache *cache) {
    const struct sizes z = w->z;
    const int from = its(w, K).dims.size[1];
    copy_rows(z.n_kv_heads, length, z.d_head, w->at[K], from, cache->K, cache->capacity);
    copy_rows(z.n_kv_heads, length, z.d_head, w->at[K + 1], from, cache->V, cache->capacity);
    cache->length = length;
}

/* A word of a piece, and room for what comes of it. */
struct step {
    const void *x;
    void *out;
};

static inline struct step step_of(const struct work *w, enum piece p, int i) {
    return (struct step){matrix_copy("x", 1, w->z.d, (const double *)w->at[p] + i * w->z.d),
                         matrix_new("out", 1, w->z.d)};
}

/* What it knows now is the first words of the pass. */
static inline void expect_known(int line, const struct work *w, enum piece K,
                                const struct cache *cache, double tolerance) {
    const struct sizes z = w->z;
    const int n = cache->length, from = its(w, K).dims.size[1];
    const struct dims dims = dims_of(3, z.n_kv_heads, n, z.d_head, 1);
    const struct {
        const char *name;
        const void *right, *given;
    } both[] = {{"K", w->at[K], cache->K}, {"V", w->at[K + 1], cache->V}};
    for (int i = 0; i < 2; i++) {
        double *expected = array_new(UNNAMED, dims), *known = array_new(both[i].name, dims);
        copy_rows(z.n_kv_heads, n, z.d_head, both[i].right, from, expected, n);
        copy_rows(z.n_kv_heads, n, z.d_head, both[i].given, cache->capacity, known, n);
        BECAUSE("The cache has room for %d words, and knows %d.", cache->capacity, n);
        expect_array(line, both[i].name, dims, expected, known, tolerance);
    }
}
#define EXPECT_KNOWN(w, K, cache, tolerance) expect_known(__LINE__, &(w), K, &(cache), tolerance)

static inline void expect_length(int line, int expected, const struct cache *cache) {
    BECAUSE_IF(cache->length > cache->capacity, "The cache has room for %d words.",
               cache->capacity);
    expect_that(line, cache->length == expected, "the length of the cache is %d; it should be %d",
                cache->length, expected);
}
#define EXPECT_LENGTH(expected, cache) expect_length(__LINE__, expected, &(cache))

#endif
