/* Sizes of texts, and obvious products of matrices, for all tests of lesson 06. */
#ifndef SIZES_H
#define SIZES_H

#include "self_attention.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"

#include <math.h>

#define ROUNDING 1e-9

struct sizes {
    int n, d_model, d_k, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2}, {4, 2, 3, 5}, {9, 3, 1, 4}, {2, 4, 5, 1},
    {6, 1, 2, 3}, {1, 3, 4, 2}, {1, 1, 1, 1},
};

/* The slow, obvious products. Each returns a matrix of its own. */
#define RETURNS_ITS_OWN(name, product)                                                             \
    static inline void *name(int n, int m, int p, const void *A, const void *B) {                  \
        NEW_MATRIX(obvious, n, p);                                                                 \
        product(n, m, p, A, B, obvious);                                                           \
        return obvious;                                                                            \
    }
RETURNS_ITS_OWN(times, product)                    /* A B */
RETURNS_ITS_OWN(times_rows, product_by_rows)       /* A B^T */
RETURNS_ITS_OWN(columns_times, product_by_columns) /* A^T B */

#endif
