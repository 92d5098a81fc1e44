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
    bool all_zero = true;
    for (int i = 0; i < n; i++) {
        double scale = fabs(given[i]) + fabs(measured[i]) + 1e-5;
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
