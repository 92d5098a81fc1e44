#include "shares.h"

#include "columns.h"
#include "fast.h"
#include "trainer.h"
#include "work.h"

#include <math.h>
#include <stdlib.h>

enum { D = WIDTH_OF_HEAD, PARTS = 6, ROUNDS = 200, CALLS = 20 };

/* The data of attend_tile_backward for QUERIES queries and WIDE keys. */
struct tile {
    struct back back;
    float Q[QUERIES][D], d_out[QUERIES][D], d_Q[QUERIES][D];
    _Alignas(vec) float weights[QUERIES][WIDE], d_weights[QUERIES][WIDE];
    float lse[QUERIES], shared[QUERIES];
};

/* The rows of a matrix times the keys in lanes. */
static void by_rows(const float rows[QUERIES][D], float keys[][WIDE], float c[QUERIES][WIDE]) {
    const float *a[ROWS];
    for (int l = 0; l < WIDE; l += LANES)
        for (int i = 0; i < QUERIES; i += ROWS) {
            point_at_rows(QUERIES, D, i, rows, a);
            products(D, 1, WIDE, WIDE, a, from_column(l, keys), from_column(l, &c[i]));
        }
}

/* The columns of a matrix times weights, added to the gradients of the keys. */
static void by_columns(const float rows[QUERIES][D], float weights[][WIDE], float c[][WIDE]) {
    const float *a[ROWS];
    for (int l = 0; l < WIDE; l += LANES)
        for (int k = 0; k < D; k += ROWS) {
            point_at_columns(D, k, rows[0], a);
            add_products(QUERIES, D, WIDE, WIDE, a, from_column(l, weights), from_column(l, &c[k]));
        }
}

static void scores(struct tile *t) {
    by_rows(t->Q, t->back.k, t->weights);
}
static void d_weights(struct tile *t) {
    by_rows(t->d_out, t->back.v, t->d_weights);
}
static void softmax(struct tile *t) {
    softmax_tile_backward(QUERIES, WIDE, WIDE, t->lse, t->shared, t->weights, t->d_weights);
}
static void d_V(struct tile *t) {
    by_columns(t->d_out, t->weights, t->back.d_v);
}
static void d_K(struct tile *t) {
    by_columns(t->Q, t->d_weights, t->back.d_k);
}
static void d_Q(struct tile *t) {
    add_d_Q(QUERIES, WIDE, D, t->d_weights, &t->back, t->d_Q);
}

static const struct part {
    const char *name;
    void (*run)(struct tile *t);
} parts[PARTS] = {
    {"scores", scores}, {"dP", d_weights}, {"softmax", softmax},
    {"dV", d_V},        {"dK", d_K},       {"dQ", d_Q},
};

/* Small numbers, so that sums over all rounds stay finite. */
static void start(struct tile *t) {
    float *K = random_floats(2L * WIDE * D), *rows = random_floats(2L * QUERIES * D);
    start_back(WIDE, D, D, (void *)K, (void *)(K + WIDE * D), &t->back);
    memcpy(t->Q, rows, sizeof t->Q);
    memcpy(t->d_out, rows + QUERIES * D, sizeof t->d_out);
    memset(t->d_Q, 0, sizeof t->d_Q);
    for (int i = 0; i < QUERIES; i++) {
        t->lse[i] = logf(WIDE);
        t->shared[i] = 0.0f;
    }
    free(K);
    free(rows);
}

/* One after the other, in the order of attend_tile_backward. The best of all rounds counts. */
void write_shares(const char *folder) {
    static struct tile t;
    double best[PARTS];
    start(&t);
    for (int p = 0; p < PARTS; p++)
        best[p] = (double)INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int p = 0; p < PARTS; p++) {
            const double from = seconds();
            for (int call = 0; call < CALLS; call++)
                parts[p].run(&t);
            best[p] = fmin(best[p], (seconds() - from) / CALLS);
        }
    FILE *table = columns_open(folder, "shares.dat", "part microseconds");
    for (int p = 0; p < PARTS; p++)
        columns_row(table, parts[p].name, 1, (double[]){1e6 * best[p]});
    columns_close(table);
}
