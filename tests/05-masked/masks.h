/* Masks, and the slow, obvious softmax under one, for all tests of lesson 05. */
#ifndef MASKS_H
#define MASKS_H

#include "masked.h"

#include "../attention.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ROUNDING 1e-9
#define LAST_BIT 1e-14 /* the same sum, taken in another order */
#define EXACTLY  0.0   /* every bit, except that -0 is 0 */

#define WORKED_CAUSAL             NEW_MASK_OF(blocked, 3, 3, {0, 1, 1}, {0, 0, 1}, {0, 0, 0})
#define FOR_ALL_INDICES(i, array) for (int i = 0; i < (int)(sizeof(array) / sizeof *(array)); i++)

/* Row 1 is fully blocked; row 0 always has its first and its last key. */
void random_mask(struct random *r, int n_q, int n_k, bool blocked[n_q][n_k]);

/* A matrix of these weights does not fit the stack that a lesson gets, which is 1 MB. */
enum { long_n_q = 5, long_n_k = 30000 };

/* Every third key is blocked; the others are all alike. */
void long_text(bool blocked[long_n_q][long_n_k], double weights[long_n_q][long_n_k]);

/* The slow, obvious way. */
void obvious_softmax(int rows, int cols, const double scores[rows][cols],
                     const bool blocked[rows][cols], double weights[rows][cols]);

/* The row of a matrix, by the number that it has there. */
#define EXPECT_ROW(i, n, expected, matrix, tolerance)                                              \
    do {                                                                                           \
        char name[24];                                                                             \
        snprintf(name, sizeof name, #matrix "[%d]", i);                                            \
        expect_numbers(__LINE__, name, 0, n, expected, (matrix)[i], tolerance);                    \
    } while (0)

#endif
