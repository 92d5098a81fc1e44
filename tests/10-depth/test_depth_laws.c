/* Lesson 10: calls from which the laws of its functions are found (common/testing/laws.h). Those of
   the norms and of the layer are beside their tests. */
#include "depth.h"

#include "laws.h"
#include "matrix.h"

LAWS(add_rows) {
    NEW_MATRIX(X, 2, 3);
    NEW_MATRIX(out, 2, 3);
    PROBE("X -> out")
    add_rows(2, 3, X, out);
}

LAWS(adam_step) {
    NEW_VECTOR(gradient, 4);
    NEW_VECTOR(mean, 4);
    NEW_VECTOR(square, 4);
    NEW_VECTOR(parameter, 4);
    PROBE("gradient -> mean square parameter")
    adam_step(4, 3, 0.5, gradient, mean, square, parameter);
}
