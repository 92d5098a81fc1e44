/* The table of kink.gp, into the folder given; the other pictures draw what the run has left. */
#include "columns.h"
#include "encoder.h"

#include <stddef.h>

enum { HIDDEN = 3, POINTS = 121 };

/* One number in, three hidden ones, one number out: 0 at 0, 1 at 1, 0 at 2. */
static void kink(const char *folder) {
    const double W_1[1][HIDDEN] = {{1, 1, 1}}, b_1[HIDDEN] = {0, -1, -2};
    const double W_2[HIDDEN][1] = {{1}, {-2}, {1}}, b_2[1] = {0};
    FILE *table = columns_open(folder, "kink.dat", "x first second third out");
    for (int i = 0; i < POINTS; i++) {
        const double X[1][1] = {{-0.5 + 3.0 * i / (POINTS - 1)}};
        double hidden[1][HIDDEN], out[1][1];
        feed_forward(1, 1, HIDDEN, X, W_1, b_1, W_2, b_2, hidden, out);
        columns_row(table, NULL, 2 + HIDDEN,
                    (double[]){X[0][0], hidden[0][0] * W_2[0][0], hidden[0][1] * W_2[1][0],
                               hidden[0][2] * W_2[2][0], out[0][0]});
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"kink", kink},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
