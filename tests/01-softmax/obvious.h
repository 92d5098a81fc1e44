/* Random inputs, many sizes, and a slow but simple softmax, for all tests of lesson 01. */
#ifndef OBVIOUS_H
#define OBVIOUS_H

#include "softmax.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"

#include <math.h>

/* The softmax of (1, 2, 3), with 16 digits. */
#define A 0.0900305731703805
#define B 0.2447284710547977
#define C 0.6652409557748219

/* What `call` writes into `output`. */
#define EXPECT_ROWS(output, rows, cols, expected, call, tolerance)                                 \
    do {                                                                                           \
        NEW_MATRIX(output, rows, cols);                                                            \
        call;                                                                                      \
        EXPECT_MATRIX(rows, cols, expected, output, tolerance);                                    \
    } while (0)

#define FOR_ALL_LENGTHS(n) FOR_EACH(int, n, 1, 2, 3, 8, 21)

static const int shapes[][2] = {{1, 6}, {5, 1}, {2, 3}, {7, 4}, {3, 11}};
#define FOR_ALL_SHAPES(rows, cols)                                                                 \
    for (int rows, cols, k = 0;                                                                    \
         k < 5 && (matrix_free_all(), rows = shapes[k][0], cols = shapes[k][1], true); k++)

static inline void *scaled(int n, double factor, const void *from) {
    NEW_VECTOR(scaled_by_it, n);
    scale_into(n, factor, from, scaled_by_it);
    return scaled_by_it;
}

static inline void *normal(unsigned seed, int n, double spread) {
    struct random r = random_seed(seed);
    return scaled(n, spread, random_fill_normal(&r, n, vector_new("normal", n)));
}

/* The softmax as 1 / (the sum of exp(other score - this score) over the row). */
static inline void *slow(int rows, int cols, const void *scores) {
    const double(*from)[cols] = scores;
    NEW_MATRIX(shares, rows, cols);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double all_over_this = 0.0;
            for (int k = 0; k < cols; k++)
                all_over_this += exp(from[i][k] - from[i][j]);
            shares[i][j] = 1.0 / all_over_this;
        }
    return shares;
}

/* For the exercises that take weights, so that their tests do not call softmax(). */
#define RANDOM_WEIGHTS(rows, cols) slow(rows, cols, normal(1, (rows) * (cols), 1.5))

static inline double sum(int n, const double x[n]) {
    double total = 0.0;
    for (int i = 0; i < n; i++)
        total += x[i];
    return total;
}

#endif
