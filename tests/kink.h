/* Where a gradient of max(0, X W + b) can be measured, for the tests of several lessons. */
#ifndef KINK_H
#define KINK_H

#include "matrix.h"
#include "product.h"

#include <math.h>
#include <stdbool.h>

/* Nudging measures no slope where a sum is near the kink, nor where all units are off. */
static inline bool sums_have_slopes(int n, int d, int d_ff, const void *X, const void *W,
                                    const double b[d_ff]) {
    bool on = false;
    NEW_MATRIX(sums, n, d_ff);
    product(n, d, d_ff, X, W, sums);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d_ff; k++)
            if (fabs(sums[i][k] + b[k]) < 3e-3)
                return false;
            else
                on = on || sums[i][k] + b[k] > 0.0;
    return on;
}

#endif
