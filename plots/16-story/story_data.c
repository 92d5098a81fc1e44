/* The tables for the pictures of lesson 16. Most pictures need only those of the run. */
#include "story.h"

#include "columns.h"

static void write_gradients(const char *folder) {
    static const double up[1][1] = {{1.0}}, d_hidden[1][1] = {{1.0}};
    FILE *table = columns_open(folder, "gradients.dat", "gate of_gate of_up relu");
    for (int i = -60; i <= 60; i++) {
        const double gate[1][1] = {{i / 10.0}};
        double d_gate[1][1] = {{0.0}}, d_up[1][1] = {{0.0}};
        swiglu_backward(1, 1, gate, up, d_hidden, d_gate, d_up);
        columns_row(table, NULL, 4,
                    (double[]){gate[0][0], d_gate[0][0], d_up[0][0], gate[0][0] > 0.0});
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"gradients", write_gradients},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
