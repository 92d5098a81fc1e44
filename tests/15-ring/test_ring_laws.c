/* Lesson 15: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "ring.h"

#include "laws.h"
#include "matrix.h"

/* Rank 1 of 2 has the tokens 1 and 3 of 5. */
enum { n_heads = 3, n = 5, m = 2, d = 4, ranks = 2, rank = 1 };

LAWS(take_stripe) {
    NEW_FLOATS(whole, n_heads, n, d);
    NEW_FLOATS(stripe, n_heads, m, d);
    PROBE("whole -> stripe")
    take_stripe(n_heads, n, m, d, ranks, rank, whole, stripe);
}

LAWS(put_stripe) {
    NEW_FLOATS(stripe, n_heads, m, d);
    NEW_FLOATS(whole, n_heads, n, d);
    PROBE("stripe -> whole")
    put_stripe(n_heads, n, m, d, ranks, rank, stripe, whole);
}

LAWS(merge_partial) {
    NEW_FLOAT_MATRIX(part, 3, 4);
    NEW_FLOAT_VECTOR(part_lse, 3);
    NEW_FLOAT_MATRIX(out, 3, 4);
    NEW_FLOAT_VECTOR(lse, 3);
    PROBE("part part_lse -> out lse")
    merge_partial(3, 4, part, part_lse, out, lse);
}
