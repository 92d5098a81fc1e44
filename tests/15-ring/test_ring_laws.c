/* Lesson 15: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "ring.h"

#include "laws.h"
#include "matrix.h"

LAWS(merge_partial) {
    NEW_FLOAT_MATRIX(part, 3, 4);
    NEW_FLOAT_VECTOR(part_lse, 3);
    NEW_FLOAT_MATRIX(out, 3, 4);
    NEW_FLOAT_VECTOR(lse, 3);
    PROBE("part part_lse -> out lse") {
        for (int i = 0; i < 3; i++) { /* it merges into what is there */
            lse[i] = 0.25f * (float)(i + 1);
            for (int c = 0; c < 4; c++)
                out[i][c] = (float)(c - i) + 0.5f;
        }
        merge_partial(3, 4, part, part_lse, out, lse);
    }
}
