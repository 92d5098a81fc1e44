/* KV caches for the tests of several lessons; to be included behind `struct sizes`, which has
   n_kv_heads and d_head. */
#ifndef CACHED_H
#define CACHED_H

#include "decoder.h"

#include "matrix.h"

/* An empty cache. Its unused rows hold a number, so that reading them gives a wrong number and no
 * NaN. */
enum { NOBODYS = 9 };

static inline struct cache new_cache(struct sizes z, int capacity, const char *K, const char *V) {
    const struct dims dims = dims_of(3, z.n_kv_heads, capacity, z.d_head, 1);
    const int count = dims_count(dims);
    return (struct cache){capacity, 0, fill(count, NOBODYS, array_new(K, dims)),
                          fill(count, NOBODYS, array_new(V, dims))};
}

/* Of [heads][from][cols], the first rows of each head, as [heads][to][cols]; or the other way. */
static inline void copy_rows(int heads, int rows, int cols, const void *numbers, int from,
                             void *copy, int to) {
    for (int h = 0; h < heads; h++)
        memcpy((double *)copy + h * to * cols, (const double *)numbers + h * from * cols,
               (size_t)(rows * cols) * sizeof(double));
}

#endif
