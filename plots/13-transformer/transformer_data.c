/* Writes the table of path.gp. The other plots draw the tables of the run. */
#include "columns.h"
#include "dot_product.h"
#include "masked.h"
#include "matrix.h"
#include "positions.h"
#include "random.h"
#include "seq2seq.h"
#include "transformer.h"

#include <math.h>
#include <stdlib.h>

/* Untrained networks with the sizes of the milestone. */
enum { WORDS = 61, VOCABULARY = 31, D = 48, HEADS = 4, D_FF = 96, BLOCKS = 2, NETWORKS = 15 };

static void plant(struct random *r, int summed, int count, void *matrix) {
    double *number = random_fill_normal(r, count, matrix);
    for (int i = 0; i < count; i++)
        number[i] /= sqrt(summed);
}

static double length(const double x[D]) {
    return sqrt(dot(D, x, x));
}

/* --- The transformer ------------------------------------------------------------------------- */

static void plant_block(struct random *r, const struct decoder_block *w) {
    const struct multi_head *heads = &w->self.heads;
    void *const square[] = {heads->W_q, heads->W_k, heads->W_v, heads->W_o};
    for (int i = 0; i < 4; i++)
        plant(r, D, D * D, square[i]);
    plant(r, D, D * D_FF, w->forward.W_1);
    plant(r, D_FF, D_FF * D, w->forward.W_2);
    fill(D, 1.0, w->self.gain);
    fill(D, 1.0, w->forward.gain);
}

static struct transformer new_transformer(struct random *r) {
    struct room count = {NULL, 0};
    take_transformer(&count, VOCABULARY, D, HEADS, D_FF, 0, BLOCKS);
    struct room room = {fill(count.used, 0.0, vector_new("w", count.used)), 0};
    const struct transformer w = take_transformer(&room, VOCABULARY, D, HEADS, D_FF, 0, BLOCKS);
    if (r) {
        plant(r, D, VOCABULARY * D, w.table);
        for (int b = 0; b < BLOCKS; b++)
            plant_block(r, &w.decoder[b]);
        fill(D, 1.0, w.out_gain);
    }
    return w;
}

static struct transformer_values new_values(const struct transformer *w, const char *name) {
    struct room count = {NULL, 0};
    take_transformer_values(&count, w, WORDS, 0);
    struct room room = {fill(count.used, 0.0, vector_new(name, count.used)), 0};
    return take_transformer_values(&room, w, WORDS, 0);
}

/* The length of the gradient at each token, from a gradient of length 1 at the last output. */
static void through_blocks(struct random *r, double reached[WORDS]) {
    int words[WORDS];
    struct transformer w = new_transformer(r), d_w = new_transformer(NULL);
    struct transformer_values v = new_values(&w, "v"), d_v = new_values(&w, "d_v");
    NEW_MATRIX(P, WORDS, D);
    NEW_MASK(blocked, WORDS, WORDS);
    NEW_MATRIX(logits, WORDS, VOCABULARY);
    NEW_MATRIX_FILLED(d_logits, WORDS, VOCABULARY, 0.0);
    for (int i = 0; i < WORDS; i++)
        words[i] = random_below(r, VOCABULARY);
    sinusoidal_positions(WORDS, D, 0, P);
    causal_mask(WORDS, blocked);
    decode_target(WORDS, WORDS, &w, words, P, blocked, &v, logits);
    random_fill_normal(r, VOCABULARY, d_logits[WORDS - 1]);
    decode_target_backward(WORDS, WORDS, &w, words, blocked, &v, d_logits, &d_v, &d_w);
    const double(*d_out)[D] = d_v.out, (*d_written)[D] = d_v.written;
    for (int i = 0; i < WORDS; i++)
        reached[WORDS - 1 - i] = length(d_written[i]) / length(d_out[WORDS - 1]);
}

/* --- The encoder of lesson 07 ---------------------------------------------------------------- */

struct reading {
    void *X, *h; /* [WORDS][D], [WORDS + 1][D] */
    struct gru_values v[WORDS];
};

static struct reading new_reading(const struct gru *w) {
    int numbers = WORDS * 2 * 3 * D;
    struct room room = {fill(numbers, 0.0, vector_new("v", numbers)), 0};
    struct reading t = {fill(WORDS * D, 0.0, matrix_new("X", WORDS, D)),
                        fill((WORDS + 1) * D, 0.0, matrix_new("h", WORDS + 1, D)),
                        {{0}}};
    for (int j = 0; j < WORDS; j++)
        t.v[j] = take_gru_values(&room, w);
    return t;
}

static struct gru new_gru(struct random *r) {
    struct room room = {fill(2 * D * 3 * D, 0.0, vector_new("w", 2 * D * 3 * D)), 0};
    const struct gru w = take_gru(&room, D, D);
    if (r) {
        plant(r, D, D * 3 * D, w.W);
        plant(r, D, D * 3 * D, w.U);
    }
    return w;
}

/* The same, from a gradient of length 1 at the last state. */
static void through_states(struct random *r, double reached[WORDS]) {
    struct gru w = new_gru(r), d_w = new_gru(NULL);
    struct reading t = new_reading(&w), d = new_reading(&w);
    double(*X)[D] = t.X, (*h)[D] = t.h, (*d_X)[D] = d.X, (*d_h)[D] = d.h;
    random_fill_normal(r, WORDS * D, X);
    for (int j = 0; j < WORDS; j++)
        gru_step(&w, &X[j], &h[j], &t.v[j], &h[j + 1]);
    random_fill_normal(r, D, d_h[WORDS]);
    double all = length(d_h[WORDS]);
    for (int j = WORDS - 1; j >= 0; j--) {
        gru_step_backward(&w, &X[j], &h[j], &t.v[j], &d_h[j + 1], &d.v[j], &d_w, &d_X[j], &d_h[j]);
        reached[WORDS - 1 - j] = length(d_X[j]) / all;
    }
}

/* --- The table ------------------------------------------------------------------------------- */

static int smaller_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void paths(const char *folder) {
    static double reached[2][NETWORKS][WORDS];
    FILE *table = columns_open(folder, "path.dat", "distance transformer gru");
    for (int i = 0; i < NETWORKS; i++) {
        struct random r = random_seed((uint64_t)i + 1);
        through_blocks(&r, reached[0][i]);
        through_states(&r, reached[1][i]);
        matrix_free_all();
    }
    for (int j = 0; j < WORDS; j++) {
        double row[3] = {j};
        for (int k = 0; k < 2; k++) {
            double all[NETWORKS];
            for (int i = 0; i < NETWORKS; i++)
                all[i] = reached[k][i][j];
            qsort(all, NETWORKS, sizeof *all, smaller_first);
            row[1 + k] = all[NETWORKS / 2];
        }
        columns_row(table, NULL, 3, row);
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"path", paths},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
