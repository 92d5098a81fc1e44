/* Tables for the pictures of lesson 09, into the folder given; the others draw what the run has
   left. */
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "positions.h"
#include "random.h"
#include "scaled.h"

#include <stdio.h>

#define D      32
#define PLACES 60

static void clocks(const char *folder) {
    FILE *file = columns_open(folder, "clocks.dat", NULL);
    NEW_MATRIX(P, PLACES, D);
    sinusoidal_positions(PLACES, D, 0, P);
    for (int i = 0; i < PLACES; i++)
        columns_row(file, NULL, D, P[i]);
    columns_close(file);
    matrix_free_all();
}

/* The score of a word at place i that asks the same word at place j, turned. */
static double turned_score(const double x[1][D], int i, int j) {
    double q[1][D], k[1][D];
    rotate(1, D, i, x, q);
    rotate(1, D, j, x, k);
    return attention_scale(D) * dot(D, q[0], k[0]);
}

/* The same, with the waves of their places added. */
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
    enum { NEAR = 25, FAR = PLACES - 1 };
    FILE *file =
        columns_open(folder, "distance.dat", "distance turned_25 turned_59 added_25 added_59");
    struct random r = random_seed(9);
    NEW_MATRIX_RANDOM(x, 1, D, &r);
    for (int distance = 0; distance <= NEAR; distance++) {
        double row[] = {distance, turned_score(x, NEAR, NEAR - distance),
                        turned_score(x, FAR, FAR - distance), added_score(x, NEAR, NEAR - distance),
                        added_score(x, FAR, FAR - distance)};
        columns_row(file, NULL, 5, row);
    }
    columns_close(file);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"clocks", clocks},
        {"distance", score_by_distance},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
