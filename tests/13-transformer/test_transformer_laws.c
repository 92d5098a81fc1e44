/* Lesson 13: calls from which the laws of two functions are found (common/testing/laws.h). Those of
   the networks are beside their tests. */
#include "transformer.h"

#include "laws.h"
#include "matrix.h"

LAWS(keep_top_k) {
    NEW_VECTOR(weights, 5);
    NEW_VECTOR(kept, 5);
    PROBE("%weights -> kept")
    keep_top_k(5, 2, weights, kept);
}

LAWS(keep_top_p) {
    NEW_VECTOR(weights, 5);
    NEW_VECTOR(kept, 5);
    PROBE("%weights -> kept")
    keep_top_p(5, 0.6, weights, kept);
}
