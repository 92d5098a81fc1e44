/* Writes the tables for two plots of lesson 09 into a folder. The other plots draw tables that
   `make run-09` has written. */
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "positions.h"
#include "random.h"
#include "scaled.h"

#include <stdio.h>

#define D 32

static void encoding(const char *folder) {
    enum { ROWS = 32, COLUMNS = 8 };
    FILE *file = columns_open(folder, "encoding.dat", NULL);
    NEW_MATRIX(P, ROWS, COLUMNS);
    sinusoidal_positions(ROWS, COLUMNS, 0, P);
    for (int i = 0; i < ROWS; i++)
        columns_row(file, NULL, COLUMNS, P[i]);
    columns_close(file);
    matrix_free_all();
}

/* The score of a query at position i and a key at position j, rotated. Both have the vector x. */
static double rotated_score(const double x[1][D], int i, int j) {
    double q[1][D], k[1][D];
    rotate(1, D, i, x, q);
    rotate(1, D, j, x, k);
    return attention_scale(D) * dot(D, q[0], k[0]);
}

/* The same, with the sinusoidal encodings of both positions added instead. */
static double added_score(const double x[1][D], int i, int j) {
    double q[1][D], k[1][D];
    sinusoidal_positions(1, D, i, q);
    sinusoidal_positions(1, D, j, k);
    for (int c = 0; c < D; c++) {
        q[0][c] += x[0][c];
        k[0][c] += x[0][c];
    }
    return attention_scale(D) * dot(D, q[0], k[0]);
}

static void score_by_distance(const char *folder) {
    enum { NEAR = 25, FAR = 59 };
    FILE *file =
        columns_open(folder, "distance.dat", "distance rotated_25 rotated_59 added_25 added_59");
    struct random r = random_seed(9);
    NEW_MATRIX_RANDOM(x, 1, D, &r);
    for (int distance = 0; distance <= NEAR; distance++) {
        double row[] = {distance, rotated_score(x, NEAR, NEAR - distance),
                        rotated_score(x, FAR, FAR - distance),
                        added_score(x, NEAR, NEAR - distance), added_score(x, FAR, FAR - distance)};
        columns_row(file, NULL, 5, row);
    }
    columns_close(file);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"encoding", encoding},
        {"distance", score_by_distance},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
