/* Sizes, and the slow, obvious clocks, for all tests of lesson 09. */
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
#define LAST_BIT 1e-12 /* the same sum, taken in another order */
#define EXACTLY  0.0   /* every bit, except that -0 is 0 */

/* Rows of a sentence, the first of which has the position `first`. */
struct rows {
    int n, d, first;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere, and d is odd and
   even. The first has three pairs and a number more, so that few mistakes come to the same. Each
   begins with nothing of the one before, which a failure would show beside its own. */
static const struct rows all_rows[] = {{4, 7, 20}, {2, 5, 9}, {5, 6, 1}, {3, 4, 5}, {1, 2, 3},
                                       {5, 3, 2},  {6, 1, 4}, {3, 8, 0}, {1, 1, 1}};
#define FOR_ALL_ROWS(z) FOR_ALL_CASES(struct rows, z, all_rows)

#define BECAUSE_OF_ROWS(z)                                                                         \
    BECAUSE("Here n is %d, d is %d and first is %d.", (z)->n, (z)->d, (z)->first)

/* Each clock runs slower than the one before by the same factor. */
static inline double obvious_angle(int position, int pair, int d) {
    return position * exp(-2.0 * pair / d * log(10000.0));
}

#endif
