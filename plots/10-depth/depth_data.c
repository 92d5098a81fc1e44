/* The table of adam.gp, into the folder given; the other pictures draw what the run has left. */
#include "columns.h"
#include "depth.h"

#include <math.h>
#include <stddef.h>

enum { STEPS = 3000 };

/* So late a step needs no correction: Adam without it. */
enum { LATE = 1000000 };

/* Number 0 has a gradient that is always the same, number 1 one that changes its sign each time. */
enum { STEADY, TURNING, NUMBERS };

struct walker {
    double mean[NUMBERS], square[NUMBERS], at[NUMBERS];
};

/* One step at rate 1, and how far it went. */
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
