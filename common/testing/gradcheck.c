/* Central differences. Each input is moved by h in both directions, and the slope of the loss is
   compared with the given gradient, relative to the size of both. */
#include "gradcheck.h"

#include <math.h>

void numeric_gradient(loss_function *loss, void *context, int n, double x[n], double measured[n]) {
    const double h = 1e-5;
    for (int i = 0; i < n; i++) {
        double kept = x[i];
        x[i] = kept + h;
        double above = loss(context);
        x[i] = kept - h;
        double below = loss(context);
        x[i] = kept;
        measured[i] = (above - below) / (2.0 * h);
    }
}

struct gradcheck gradcheck(int n, const double given[n], const double measured[n],
                           double tolerance) {
    struct gradcheck check = {.ok = true, .reason = ""};
    /* Rounding alone makes a measured slope uncertain by about 1e-10, however small it is: at a
       tolerance of 1e-6, this much in the scale leaves room for ten times that. */
    const double rounding = 1e-3;
    bool all_zero = true;
    for (int i = 0; i < n; i++) {
        double scale = fabs(given[i]) + fabs(measured[i]) + rounding;
        double error = fabs(given[i] - measured[i]) / scale;
        if (given[i] != 0.0 || measured[i] != 0.0)
            all_zero = false;
        if (isnan(error))
            return (struct gradcheck){false, i, error, "a gradient is not a number"};
        if (error > check.error) {
            check.worst = i;
            check.error = error;
        }
    }
    if (!(check.error <= tolerance)) {
        check.ok = false;
        check.reason = "the gradient is not what nudging the input measures";
    } else if (all_zero) {
        check.ok = false;
        check.reason = "every gradient is 0: nothing depends on this input";
    }
    return check;
}
