/* Is a hand-written gradient right? Nudge each input a little, both ways, and compare. */
#ifndef GRADCHECK_H
#define GRADCHECK_H

#include <stdbool.h>

/* One number computed from everything in *context, the inputs x among it. */
typedef double loss_function(void *context);

struct gradcheck {
    bool ok;
    int worst;          /* the element that is furthest off, or the first NaN */
    double error;       /* there: |given - measured| / (|given| + |measured| + 1e-3) */
    const char *reason; /* why not ok, in plain words; "" when ok */
};

/* measured[i] = (loss(x[i] + h) - loss(x[i] - h)) / 2h, with h = 1e-5. Restores x. */
void numeric_gradient(loss_function *loss, void *context, int n, double x[n], double measured[n]);

/* Compares a gradient with a measured one. A NaN in either, and a gradient that is all zero,
   are never ok: two zeros agree even when nothing is connected. */
struct gradcheck gradcheck(int n, const double given[n], const double measured[n],
                           double tolerance);

#endif
