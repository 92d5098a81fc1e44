/* Tables for the pictures of lesson 04, into the folder given. */
#include "../attention.h"
#include "additive.h"
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "random.h"
#include "scaled.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The translation. Source words as four numbers, made by hand: how much of an article, a noun, an
   adjective, a verb. */
#define WORDS 4
#define KINDS 4
static const double source[WORDS][KINDS] = {
    {1.0, 0.1, 0.0, 0.0}, {0.0, 0.2, 1.0, 0.0}, {0.0, 1.0, 0.2, 0.2}, {0.0, 0.2, 0.0, 1.0}};

/* What the decoder knows when it is about to write each word: which kind should come next, after
   the words that it has written. The last number is always 1. */
static const char *const writing[WORDS] = {"le", "chat", "noir", "dort"};
static const double states[WORDS][KINDS + 1] = {{1.0, 0.3, 0.0, 0.0, 1.0},
                                                {0.1, 1.0, 0.2, 0.0, 1.0},
                                                {0.0, 0.2, 1.0, 0.1, 1.0},
                                                {0.0, 0.1, 0.0, 1.0, 1.0}};

/* One hidden number for each kind: large only if state and word both have it. The 1 of the state
   brings the threshold. */
static void weights_of_a_translation(const char *folder) {
    FILE *table = columns_open(folder, "weights.dat", "word the black cat sleeps");
    NEW_MATRIX_FILLED(W_q, KINDS, KINDS + 1, 0.0);
    NEW_MATRIX_FILLED(W_k, KINDS, KINDS, 0.0);
    NEW_VECTOR_FILLED(v_a, KINDS, 2.0);
    for (int a = 0; a < KINDS; a++) {
        W_q[a][a] = W_k[a][a] = 2.0;
        W_q[a][KINDS] = -3.0;
    }
    NEW_BLOCK(hidden, WORDS, WORDS, KINDS);
    NEW_OUTPUTS(WORDS, WORDS, KINDS);
    additive_attention(WORDS, WORDS, KINDS + 1, KINDS, KINDS, KINDS, W_q, W_k, v_a, states, source,
                       source, hidden, weights, out);
    for (int i = 0; i < WORDS; i++)
        columns_row(table, writing[i], WORDS, weights[i]);
    columns_close(table);
    matrix_free_all();
}

/* For the gradients: everything is drawn at random with mean 0; what meets a sum of n terms has
   variance 1 / n, and queries and keys are `size` times as large as the rest. */
#define QUERIES 20
#define BATCHES 10
#define SAMPLE  (QUERIES * BATCHES)
#define KEYS    6
#define SIZE    8

struct drawn {
    double Q[QUERIES][SIZE], K[KEYS][SIZE], V[KEYS][SIZE], d_out[QUERIES][SIZE];
    double W_q[SIZE][SIZE], W_k[SIZE][SIZE], v_a[SIZE];
};

static void multiply(int n, double factor, void *numbers) {
    double *x = numbers;
    for (int i = 0; i < n; i++)
        x[i] *= factor;
}

static void draw(double size, struct random *r, struct drawn *x) {
    const int all = sizeof *x / sizeof(double);
    random_fill_normal(r, all, x);
    multiply(QUERIES * SIZE, size, x->Q);
    multiply(KEYS * SIZE, size, x->K);
    multiply(SIZE * SIZE, 1.0 / sqrt(SIZE), x->W_q);
    multiply(SIZE * SIZE, 1.0 / sqrt(SIZE), x->W_k);
    multiply(SIZE, 1.0 / sqrt(SIZE), x->v_a);
}

static void lengths(const double d_Q[QUERIES][SIZE], double length[QUERIES]) {
    for (int i = 0; i < QUERIES; i++)
        length[i] = sqrt(dot(SIZE, d_Q[i], d_Q[i]));
}

static void additive_way(const struct drawn *x, double from_out[QUERIES]) {
    NEW_BLOCK(hidden, QUERIES, KEYS, SIZE);
    NEW_OUTPUTS(QUERIES, KEYS, SIZE);
    NEW_GRADIENTS(QUERIES, KEYS, SIZE, SIZE);
    NEW_MATRIX_FILLED(d_W_q, SIZE, SIZE, 0.0);
    NEW_MATRIX_FILLED(d_W_k, SIZE, SIZE, 0.0);
    NEW_VECTOR_FILLED(d_v_a, SIZE, 0.0);
    additive_attention(QUERIES, KEYS, SIZE, SIZE, SIZE, SIZE, x->W_q, x->W_k, x->v_a, x->Q, x->K,
                       x->V, hidden, weights, out);
    additive_attention_backward(QUERIES, KEYS, SIZE, SIZE, SIZE, SIZE, x->W_q, x->W_k, x->v_a, x->Q,
                                x->K, x->V, hidden, weights, x->d_out, d_W_q, d_W_k, d_v_a, d_Q,
                                d_K, d_V);
    lengths(d_Q, from_out);
}

static void dot_way(const struct drawn *x, double from_out[QUERIES]) {
    NEW_OUTPUTS(QUERIES, KEYS, SIZE);
    NEW_GRADIENTS(QUERIES, KEYS, SIZE, SIZE);
    scaled_dot_product_attention(QUERIES, KEYS, SIZE, SIZE, x->Q, x->K, x->V, weights, out);
    scaled_dot_product_attention_backward(QUERIES, KEYS, SIZE, SIZE, x->Q, x->K, x->V, weights,
                                          x->d_out, d_Q, d_K, d_V);
    lengths(d_Q, from_out);
}

static int smaller_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double length[SAMPLE]) {
    qsort(length, SAMPLE, sizeof(double), smaller_first);
    return (length[SAMPLE / 2 - 1] + length[SAMPLE / 2]) / 2.0;
}

static void gradients_against_size(const char *folder) {
    static struct drawn x;
    static double additive[SAMPLE], product[SAMPLE];  // of each query, from the output
    FILE *table = columns_open(folder, "gradients.dat", "size additive dot");
    for (int step = -6; step <= 9; step++) {
        struct random r = random_seed(1);  // the same at every size
        double size = pow(10.0, step / 6.0);
        for (int first = 0; first < SAMPLE; first += QUERIES) {
            draw(size, &r, &x);
            additive_way(&x, &additive[first]);
            dot_way(&x, &product[first]);
            matrix_free_all();
        }
        double row[] = {size, median(additive), median(product)};
        columns_row(table, NULL, 3, row);
    }
    columns_close(table);
}

/* What the scores of n queries with n keys cost: {dot, additive, additive_score for each pair}. */
#define WIDTH 32 /* d_q = d_k = d_a */
static void work_of_scores(int n, double work[3]) {
    struct random r = random_seed(1);
    NEW_MATRIX_RANDOM(Q, n, WIDTH, &r);
    NEW_MATRIX_RANDOM(K, n, WIDTH, &r);
    NEW_MATRIX_RANDOM(W_q, WIDTH, WIDTH, &r);
    NEW_MATRIX_RANDOM(W_k, WIDTH, WIDTH, &r);
    NEW_VECTOR_RANDOM(v_a, WIDTH, &r);
    NEW_BLOCK(hidden, n, n, WIDTH);
    NEW_MATRIX(scores, n, n);
    unsigned long before = work_done;
    dot_scores(n, n, WIDTH, Q, K, scores);
    work[0] = (double)(work_done - before);
    before = work_done;
    additive_scores(n, n, WIDTH, WIDTH, WIDTH, W_q, W_k, v_a, Q, K, hidden, scores);
    work[1] = (double)(work_done - before);
    before = work_done;
    additive_score(WIDTH, WIDTH, WIDTH, W_q, W_k, v_a, Q[0], K[0]);
    work[2] = (double)(work_done - before) * n * n;  // every pair costs the same
    matrix_free_all();
}

/* The same in multiplications, for a compiler that cannot count. */
static void work_by_formula(int n, double work[3]) {
    work[0] = 1.0 * n * n * WIDTH;
    work[1] = 2.0 * n * WIDTH * WIDTH + 1.0 * n * n * WIDTH;
    work[2] = 1.0 * n * n * (2.0 * WIDTH * WIDTH + WIDTH);
}

static void cost_of_scores(const char *folder) {
    FILE *table =
        columns_open(folder, "cost.dat", "unit n dot additive pairs dotkept additivekept");
    for (int n = 4; n <= 128; n *= 2) {
        double row[6] = {n, 0, 0, 0, n * n, n * n * (WIDTH + 1)};
        work_of_scores(n, &row[1]);
        int counted = row[1] > 0;
        if (!counted)
            work_by_formula(n, &row[1]);
        columns_row(table,
                    counted ? "basic blocks run (pieces of code without a jump)"
                            : "multiplications, by formula",
                    6, row);
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"weights", weights_of_a_translation},
        {"gradients", gradients_against_size},
        {"cost", cost_of_scores},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
