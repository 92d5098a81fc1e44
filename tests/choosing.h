/* Weights of tokens, of which the largest are kept: for the tests of lessons 13 and 16. */
#ifndef CHOOSING_H
#define CHOOSING_H

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define LAST_BIT 1e-15
#define EXACTLY  0.0

/* Weights that sum to 1, all different, and in no order. */
static inline void *random_weights(int n, struct random *r) {
    NEW_VECTOR(weights, n);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += weights[i] = exp(2.0 * random_normal(r));
    for (int i = 0; i < n; i++)
        weights[i] /= sum;
    return weights;
}

/* Few different weights, so that most are equal to others. Some are 0, but never all. */
static inline void *tied_weights(int n, struct random *r) {
    NEW_VECTOR(weights, n);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += weights[i] = i == n / 2 ? 3.0 : random_below(r, 4);
    for (int i = 0; i < n; i++)
        weights[i] /= sum;
    return weights;
}

/* The number of tokens before token j in sorted order: larger ones, and equal ones before it. */
static inline int place_of(int n, const double *weights, int j) {
    int place = 0;
    for (int i = 0; i < n; i++)
        place += weights[i] > weights[j] || (weights[i] == weights[j] && i < j);
    return place;
}

/* Keeps the first `count` in sorted order, divided by their sum. */
static inline void keep_obviously(int n, int count, const double *weights, double *kept) {
    long double sum = 0.0L;
    for (int i = 0; i < n; i++)
        if (place_of(n, weights, i) < count)
            sum += weights[i];
    for (int i = 0; i < n; i++)
        kept[i] = place_of(n, weights, i) < count ? (double)(weights[i] / sum) : 0.0;
}

/* A vocabulary of n tokens. Each weight occurs twice, far apart. */
static inline int size_of_word(int n, int i) {
    return i * 7919 % n / 2 + 1;
}
static inline double *weights_of_vocabulary(int n) {
    NEW_VECTOR(weights, n);
    for (int i = 0; i < n; i++)
        weights[i] = size_of_word(n, i) / (n / 2.0 * (n / 2 + 1));
    return weights;
}

/* The 2 * pairs + 1 largest weights. Two have the size `last`, and only the first stays. */
static inline double *keep_odd_count(int n, int pairs) {
    NEW_VECTOR_FILLED(expected, n, 0.0);
    const int last = n / 2 - pairs;
    double sum = last;
    for (int size = last + 1; size <= n / 2; size++)
        sum += 2 * size;
    for (int i = 0, ties = 1; i < n; i++)
        if (size_of_word(n, i) > last || (size_of_word(n, i) == last && ties-- > 0))
            expected[i] = size_of_word(n, i) / sum;
    return expected;
}

static inline void expect_kept(int line, int n, const double *expected, const double *kept) {
    long double sum = 0.0L;
    for (int i = 0; i < n; i++)
        sum += kept[i];
    expect_numbers(line, "kept", 0, n, expected, kept, LAST_BIT);
    expect_that(line, fabsl(sum - 1.0L) <= LAST_BIT, "kept sums to %.17g, but it should sum to 1",
                (double)sum);
}

/* The sum of the original weights that are kept. */
static inline double weight_of(int n, const double *weights, const double *kept) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += kept[i] > 0.0 ? weights[i] : 0.0;
    return sum;
}

/* Adds a message if the number of kept tokens is wrong. */
static inline void because_of_how_many(int n, const double *weights, const double *kept, int k) {
    int words = 0, should = 0;
    for (int i = 0; i < n; i++) {
        words += kept[i] > 0.0;
        should += place_of(n, weights, i) < k && weights[i] > 0.0;
    }
    BECAUSE_IF(words != should, "Here you keep %d of %d tokens, and k = %d.", words, n, k);
}

/* A p in the middle between two sums. */
static inline double p_between(int n, int count, const double *weights) {
    double p = 0.0;
    for (int i = 0; i < n; i++)
        if (place_of(n, weights, i) < count)
            p += place_of(n, weights, i) == count - 1 ? weights[i] / 2.0 : weights[i];
    return p;
}

#endif
