/* The tables for the pictures of lesson 16. */
#include "story.h"

#include "columns.h"

static void write_gate(const char *folder) {
    FILE *table = columns_open(folder, "gate.dat", "gate hidden");
    for (int i = -60; i <= 60; i++) {
        double gate[1][1] = {{i / 10.0}}, up[1][1] = {{1.0}}, hidden[1][1];
        swiglu(1, 1, gate, up, hidden);
        columns_row(table, NULL, 2, (double[]){gate[0][0], hidden[0][0]});
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"gate", write_gate},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
