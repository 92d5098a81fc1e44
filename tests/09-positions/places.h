/* Sizes, and a slow and obvious way to compute angles, for all tests of lesson 09. */
#ifndef PLACES_H
#define PLACES_H

#include "positions.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>

#define ROUNDING 1e-9
#define LAST_BIT 1e-12 /* for the same sum in another order */
#define EXACTLY  0.0   /* all bits are the same, except that -0 equals 0 */

/* The sizes of a matrix whose row 0 is at position `first`. */
struct rows {
    int n, d, first;
};

/* In each set all sizes differ, so that a test notices if two of them are exchanged. Each size is 1
   in some set, and d is sometimes odd. The first set has three pairs and one more dimension, so
   that few mistakes give the same numbers. */
static const struct rows all_rows[] = {{4, 7, 20}, {2, 5, 9}, {5, 6, 1}, {3, 4, 5}, {1, 2, 3},
                                       {5, 3, 2},  {6, 1, 4}, {3, 8, 0}, {1, 1, 1}};
#define FOR_ALL_ROWS(z) FOR_ALL_CASES(struct rows, z, all_rows)

#define BECAUSE_OF_ROWS(z)                                                                         \
    BECAUSE("Here n is %d, d is %d and first is %d.", (z)->n, (z)->d, (z)->first)

/* From each pair to the next, the angle is divided by the same factor. */
static inline double obvious_angle(int position, int pair, int d) {
    return position * exp(-2.0 * pair / d * log(10000.0));
}

#endif
