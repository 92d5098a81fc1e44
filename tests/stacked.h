/* What the tests of lessons 12 and 13 share, whose layers are stacked and kept in caches; to be
   included behind pieces.h. */
#ifndef STACKED_H
#define STACKED_H

#include "masked.h"

#include "cached.h"
#include "masks.h"

static inline struct work causal(struct work w) {
    w.blocked = mask_new(w.f->run ? "blocked" : UNNAMED, w.z.n, w.z.n);
    causal_mask(w.z.n, w.blocked);
    return w;
}

static inline struct work scattered(struct work w) {
    w.blocked = scattered_mask(w.z.n, w.z.n);
    return w;
}

/* Some pieces are so many times what they were, where they are there: a half keeps away from where
   the softmax is flat, and of a layer whose last matrices are 0 nothing comes. */
static inline struct work times(struct work w, double factor, int count,
                                const enum piece pieces[]) {
    for (int i = 0; i < count; i++)
        if (w.at[pieces[i]])
            scale_into(count_of(&w, pieces[i]), factor, w.at[pieces[i]], w.at[pieces[i]]);
    return w;
}
#define TIMES(w, factor, ...)                                                                      \
    times(w, factor, sizeof((enum piece[]){__VA_ARGS__}) / sizeof(enum piece),                     \
          (const enum piece[]){__VA_ARGS__})

/* The cache knows the first words of a pass, by the obvious way; V is the piece behind K. */
static inline void know(const struct work *w, enum piece K, int length, struct cache *cache) {
    const struct sizes z = w->z;
    const int from = its(w, K).dims.size[1];
    copy_rows(z.n_kv_heads, length, z.d_head, w->at[K], from, cache->K, cache->capacity);
    copy_rows(z.n_kv_heads, length, z.d_head, w->at[K + 1], from, cache->V, cache->capacity);
    cache->length = length;
}

/* The first n rows are those of the pass: keys in K, values in V. */
static inline void expect_rows(int line, const struct work *w, enum piece p, int n,
                               const struct cache *cache, const char *name, const void *rows,
                               double tolerance) {
    const struct sizes z = w->z;
    const int from = its(w, p).dims.size[1];
    const struct dims dims = dims_of(3, z.n_kv_heads, n, z.d_head, 1);
    double *expected = array_new(UNNAMED, dims), *known = array_new(name, dims);
    copy_rows(z.n_kv_heads, n, z.d_head, w->at[p], from, expected, n);
    copy_rows(z.n_kv_heads, n, z.d_head, rows, cache->capacity, known, n);
    BECAUSE("The cache has %d rows, and %d should be filled. The free rows held %d before.",
            cache->capacity, n, NOBODYS);
    expect_array(line, name, dims, expected, known, tolerance);
}

#endif
