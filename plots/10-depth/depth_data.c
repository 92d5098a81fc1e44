/* Writes the table of adam.gp into the given folder. The other plots use the tables of the run. */
#include "columns.h"
#include "depth.h"

#include <math.h>
#include <stddef.h>

enum { STEPS = 3000 };

/* At such a late step, the correction changes nothing. */
enum { LATE = 1000000 };

/* The gradient of parameter 0 is always the same, that of parameter 1 changes its sign each time.
 */
enum { STEADY, TURNING, NUMBERS };

struct walker {
    double mean[NUMBERS], square[NUMBERS], at[NUMBERS];
};

/* Makes one step with the learning rate 1 and computes its length. */
static void walk(struct walker *w, int step, const double gradient[NUMBERS], double far[NUMBERS]) {
    const double before[NUMBERS] = {w->at[STEADY], w->at[TURNING]};
    adam_step(NUMBERS, step, 1.0, gradient, w->mean, w->square, w->at);
    for (int i = 0; i < NUMBERS; i++)
        far[i] = fabs(w->at[i] - before[i]);
}

static void adam_steps(const char *folder) {
    FILE *table = columns_open(folder, "adam.dat", "step steady turning uncorrected");
    struct walker corrected = {0}, uncorrected = {0};
    for (int step = 1; step <= STEPS; step++) {
        const double gradient[NUMBERS] = {0.5, step % 2 ? 0.5 : -0.5};
        double row[2 + NUMBERS] = {step}, far[NUMBERS];
        walk(&corrected, step, gradient, row + 1);
        walk(&uncorrected, LATE, gradient, far);
        row[1 + NUMBERS] = far[STEADY];
        columns_row(table, NULL, 2 + NUMBERS, row);
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"adam", adam_steps},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
