/* Tables for those plots of lesson 12 that need no training. */
#include "decoder.h"

#include "columns.h"
#include "masked.h"
#include "matrix.h"
#include "random.h"

#include <math.h>
#include <stdio.h>

/* A block at initialization, with a memory of M tokens and an input of N. */
enum { N = 5, M = 7, D_MODEL = 32, D_FF = 64, HEADS = 4, BLOCKS = 50 };

struct site {
    struct decoder_block w, d_w;
    struct decoder_values v, d_v;
};

static struct room new_room(int count, double filled) {
    NEW_VECTOR_FILLED(numbers, count, filled);
    return (struct room){numbers, 0};
}

/* Random parameters of a size that keeps the lengths of vectors. */
static struct site new_site(struct random *r) {
    struct room weights = {NULL, 0}, values = {NULL, 0};
    struct site s = {.w = take_decoder_block(&weights, D_MODEL, HEADS, D_FF, true)};
    take_decoder_values(&values, &s.w, N, M);
    struct room room = new_room(weights.used, 0.0), d_room = new_room(weights.used, 0.0);
    struct room of_v = new_room(values.used, 0.0), of_d_v = new_room(values.used, 0.0);
    random_fill_normal(r, weights.used, room.numbers);
    for (int i = 0; i < weights.used; i++)
        room.numbers[i] /= sqrt(D_MODEL);
    s.w = take_decoder_block(&room, D_MODEL, HEADS, D_FF, true);
    s.d_w = take_decoder_block(&d_room, D_MODEL, HEADS, D_FF, true);
    s.v = take_decoder_values(&of_v, &s.w, N, M);
    s.d_v = take_decoder_values(&of_d_v, &s.w, N, M);
    const struct attention_layer layers[] = {s.w.self, s.w.cross};
    for (int c = 0; c < D_MODEL; c++)
        layers[0].gain[c] = layers[1].gain[c] = s.w.forward.gain[c] = 1.0;
    return s;
}

static double length(int d, const double x[d]) {
    double square = 0.0;
    for (int c = 0; c < d; c++)
        square += x[c] * x[c];
    return sqrt(square);
}

/* The row `word` of out has a gradient of length 1. How long is the gradient that arrives at each
   row of X and of the memory? */
static void descend(struct site *s, int word, const double memory[M][D_MODEL],
                    const bool blocked[N][N], struct random *r, double target[N], double read[M]) {
    NEW_MATRIX_FILLED(d_out, N, D_MODEL, 0.0);
    NEW_MATRIX_FILLED(d_X, N, D_MODEL, 0.0);
    NEW_MATRIX_FILLED(d_memory, M, D_MODEL, 0.0);
    random_fill_normal(r, D_MODEL, d_out[word]);
    double all = length(D_MODEL, d_out[word]);
    struct room zeroed = {s->d_v.self.normed, 0}; /* the first of the values */
    take_decoder_values(&zeroed, &s->w, N, M);
    fill(zeroed.used, 0.0, zeroed.numbers);
    decoder_block_backward(N, M, &s->w, memory, blocked, &s->v, d_out, &s->d_v, &s->d_w, d_X,
                           d_memory);
    for (int i = 0; i < N; i++)
        target[i] += length(D_MODEL, d_X[i]) / all / BLOCKS;
    for (int j = 0; j < M; j++)
        read[j] += length(D_MODEL, d_memory[j]) / all / BLOCKS;
}

static void gradients(const char *folder) {
    double target[N][N] = {{0}}, read[N][M] = {{0}};
    struct random r = random_seed(12);
    for (int b = 0; b < BLOCKS; b++) {
        struct site s = new_site(&r);
        NEW_MATRIX_RANDOM(X, N, D_MODEL, &r);
        NEW_MATRIX_RANDOM(memory, M, D_MODEL, &r);
        NEW_MATRIX(out, N, D_MODEL);
        NEW_MASK(blocked, N, N);
        causal_mask(N, blocked);
        decoder_block(N, M, &s.w, X, memory, blocked, &s.v, out);
        for (int i = 0; i < N; i++)
            descend(&s, i, memory, blocked, &r, target[i], read[i]);
        matrix_free_all();
    }
    FILE *into_target = columns_open(folder, "gradients-target.dat", NULL);
    FILE *into_memory = columns_open(folder, "gradients-memory.dat", NULL);
    for (int i = 0; i < N; i++) {
        columns_row(into_target, NULL, N, target[i]);
        columns_row(into_memory, NULL, M, read[i]);
    }
    columns_close(into_target);
    columns_close(into_memory);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"gradients", gradients},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
