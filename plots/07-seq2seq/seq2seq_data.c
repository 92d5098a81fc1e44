/* Writes the table of memory.gp into a folder. The other plots draw the tables of make run-07. */
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "random.h"
#include "seq2seq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words of WORD random numbers, and a 1 that acts as the bias of the gates. */
#define WORDS   40
#define WORD    8
#define D_IN    (WORD + 1)
#define D       16
#define APART   3 /* so many words between two points of a line */
#define READERS 50
#define GATES   3

static const double held[GATES] = {0.1, 0.5, 0.95};

/* A GRU at initialization, but its update gate is z for every word and state. */
static void new_reader(double z, struct random *r, const struct gru *reader) {
    double(*W)[3 * D] = reader->W, (*U)[3 * D] = reader->U;
    random_fill_normal(r, D_IN * 3 * D, W);
    random_fill_normal(r, D * 3 * D, U);
    for (int column = 0; column < 3 * D; column++) {
        for (int i = 0; i < D_IN; i++)
            W[i][column] *= column < D ? 0.0 : 1.0 / sqrt(WORD);
        for (int i = 0; i < D; i++)
            U[i][column] *= column < D ? 0.0 : 1.0 / sqrt(D);
        W[WORD][column] = column < D ? log(z / (1.0 - z)) : 0.0;
    }
}

/* The words, the states and the values of each step, or their gradients. */
struct reading {
    double X[WORDS][D_IN], h[WORDS + 1][D];
    struct gru_values v[WORDS];
};

static struct gru new_gru(void) {
    struct room room = {vector_new("weights", (D_IN + D) * 3 * D), 0};
    return take_gru(&room, D_IN, D);
}

static void make_room(const struct gru *reader, struct reading *t) {
    const int numbers = WORDS * 2 * 3 * D;
    struct room room = {fill(numbers, 0.0, vector_new("values", numbers)), 0};
    memset(t, 0, sizeof *t);
    for (int j = 0; j < WORDS; j++)
        t->v[j] = take_gru_values(&room, reader);
}

static void read_all(const struct gru *reader, struct random *r, struct reading *t) {
    random_fill_normal(r, WORDS * D_IN, t->X);
    fill(D, 0.0, t->h[0]);
    for (int j = 0; j < WORDS; j++) {
        t->X[j][WORD] = 1.0;
        gru_step(reader, &t->X[j], &t->h[j], &t->v[j], &t->h[j + 1]);
    }
}

/* How much of d_h, the gradient of the state after n words, reaches the first word. */
static double reaching_the_first(int n, const struct gru *reader, const struct reading *t,
                                 const double d_h[D]) {
    static struct reading d;
    struct gru d_reader = new_gru();
    fill(D_IN * 3 * D, 0.0, d_reader.W);
    fill(D * 3 * D, 0.0, d_reader.U);
    make_room(reader, &d);
    for (int c = 0; c < D; c++)
        d.h[n][c] = d_h[c] / sqrt(dot(D, d_h, d_h));
    for (int j = n - 1; j >= 0; j--)
        gru_step_backward(reader, &t->X[j], &t->h[j], &t->v[j], &d.h[j + 1], &d.v[j], &d_reader,
                          &d.X[j], &d.h[j]);
    return sqrt(dot(WORD, d.X[0], d.X[0]));
}

static int smaller_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts each row of `reached`, so that its median is at READERS / 2. */
static void distances(double z, double reached[WORDS][READERS]) {
    static struct reading t;
    for (int i = 0; i < READERS; i++) {
        struct random r = random_seed((uint64_t)i);  // the same for every z
        const struct gru reader = new_gru();
        NEW_VECTOR_RANDOM(d_h, D, &r);
        new_reader(z, &r, &reader);
        make_room(&reader, &t);
        read_all(&reader, &r, &t);
        for (int n = 1; n <= WORDS; n += APART)
            reached[n - 1][i] = reaching_the_first(n, &reader, &t, d_h);
        matrix_free_all();
    }
    for (int n = 1; n <= WORDS; n += APART)
        qsort(reached[n - 1], READERS, sizeof(double), smaller_first);
}

static void memory_of_the_gate(const char *folder) {
    static double reached[GATES][WORDS][READERS];
    FILE *table = columns_open(folder, "memory.dat", "words low middle high");
    for (int g = 0; g < GATES; g++)
        distances(held[g], reached[g]);
    for (int n = 1; n <= WORDS; n += APART) {
        double row[1 + GATES] = {n};
        for (int g = 0; g < GATES; g++)
            row[1 + g] = reached[g][n - 1][READERS / 2];
        columns_row(table, NULL, 1 + GATES, row);
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    memory_of_the_gate(argv[1]);
    return 0;
}
