/* Writes the table of relu.gp into the given folder. The other plots draw the tables that the run
   has written. */
#include "columns.h"
#include "encoder.h"

#include <stddef.h>

enum { UNITS = 3, POINTS = 149 };

/* One input, three units, one output, which is 0 at 0, 1 at 1 and 0 at 2. */
static void relu(const char *folder) {
    const double W_1[1][UNITS] = {{1, 1, 1}}, b_1[UNITS] = {0, -1, -2};
    const double W_2[UNITS][1] = {{1}, {-2}, {1}}, b_2[1] = {0};
    FILE *table = columns_open(folder, "relu.dat", "x first second third out");
    for (int i = 0; i < POINTS; i++) {
        const double X[1][1] = {{-0.5 + 0.025 * i}};
        double hidden[1][UNITS], out[1][1];
        feed_forward(1, 1, UNITS, X, W_1, b_1, W_2, b_2, hidden, out);
        columns_row(table, NULL, 2 + UNITS,
                    (double[]){X[0][0], hidden[0][0] * W_2[0][0], hidden[0][1] * W_2[1][0],
                               hidden[0][2] * W_2[2][0], out[0][0]});
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"relu", relu},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
