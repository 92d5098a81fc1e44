/* Tables for the pictures of lesson 02, into the folder given. */
#include "../attention.h"
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"

#include <math.h>
#include <stdio.h>

#define WORDS 6
#define SIZE  4
#define STEPS 161

/* Each word as four numbers, made by hand: how much of an article it is, of an animal, of
   something done, of a thing that lies around. Both "the" are the same word. */
static const char *const words[WORDS] = {"the", "cat", "sat", "on", "the", "mat"};
static const double sentence[WORDS][SIZE] = {
    {1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.2, 0.1}, {0.0, 0.2, 1.0, 0.0},
    {0.3, 0.0, 0.4, 0.2}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.3, 0.0, 1.0},
};

static void weights_of_a_sentence(const char *folder) {
    const char *const asking[] = {"le", "chat", "assis"};
    FILE *table = columns_open(folder, "weights.dat", "query the cat sat on the mat");
    NEW_MATRIX_OF(Q, 3, SIZE, {2.5, 0, 0, 0}, {0, 3, 0, 0.5}, {0, 0.5, 3, 0});
    NEW_MATRIX_LIKE(K, WORDS, SIZE, sentence);
    NEW_OUTPUTS(3, WORDS, SIZE);
    dot_product_attention(3, WORDS, SIZE, SIZE, Q, K, K, weights, out);
    for (int i = 0; i < 3; i++)
        columns_row(table, asking[i], WORDS, weights[i]);
    columns_close(table);
    matrix_free_all();
}

/* The weight of the first of three keys that score `score`, 0 and 1: only the first has a value.
   All sizes but the number of keys are 1, so the query's single 1 makes a key its own score. */
static double hard_weight(double score) {
    NEW_MATRIX_OF(Q, 1, 1, {1});
    NEW_MATRIX_OF(K, 3, 1, {score}, {0}, {1});
    NEW_MATRIX_OF(V, 3, 1, {1}, {0}, {0});
    NEW_OUTPUTS(1, 3, 1);
    hard_attention(1, 3, 1, 1, Q, K, V, weights, out);
    double result = out[0][0];
    matrix_free_all();
    return result;
}

/* The same for soft attention, and the slope of it: the gradient that reaches the first key. */
static double soft_weight(double score, double *slope) {
    NEW_MATRIX_OF(Q, 1, 1, {1});
    NEW_MATRIX_OF(K, 3, 1, {score}, {0}, {1});
    NEW_MATRIX_OF(V, 3, 1, {1}, {0}, {0});
    NEW_OUTPUTS(1, 3, 1);
    NEW_MATRIX_OF(d_out, 1, 1, {1});
    NEW_GRADIENTS(1, 3, 1, 1);
    dot_product_attention(1, 3, 1, 1, Q, K, V, weights, out);
    dot_product_attention_backward(1, 3, 1, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    double result = out[0][0];
    *slope = d_K[0][0];
    matrix_free_all();
    return result;
}

static void hard_against_soft(const char *folder) {
    const double h = 1e-3;  // no score of the table is this near to 1, where the jump is
    FILE *table = columns_open(folder, "hard_soft.dat", "score soft hard softslope hardslope");
    for (int step = 0; step <= STEPS; step++) {
        double score = -4.0 + 10.0 * step / STEPS;
        double soft_slope;
        double soft = soft_weight(score, &soft_slope);
        double hard_slope = (hard_weight(score + h) - hard_weight(score - h)) / (2.0 * h);
        double row[] = {score, soft, hard_weight(score), soft_slope, hard_slope};
        columns_row(table, NULL, 5, row);
    }
    columns_close(table);
}

/* A query, `length` times as long, that takes "mat" for the right answer when "cat" is. For each
   key: its weight, and how far a step down the gradient moves it towards the query. */
static void pull_on_keys(double length, double table[WORDS][2]) {
    NEW_MATRIX_OF(Q, 1, SIZE, {0, 0.5 * length, 0, 2 * length});
    NEW_MATRIX_LIKE(K, WORDS, SIZE, sentence);
    NEW_OUTPUTS(1, WORDS, SIZE);
    NEW_MATRIX(d_out, 1, SIZE);
    NEW_GRADIENTS(1, WORDS, SIZE, SIZE);
    dot_product_attention(1, WORDS, SIZE, SIZE, Q, K, K, weights, out);
    for (int c = 0; c < SIZE; c++)
        d_out[0][c] = out[0][c] - sentence[1][c];  // of half the squared distance to "cat"
    dot_product_attention_backward(1, WORDS, SIZE, SIZE, Q, K, K, weights, d_out, d_Q, d_K, d_V);
    for (int j = 0; j < WORDS; j++) {
        table[j][0] = weights[0][j];
        table[j][1] = -dot(SIZE, d_K[j], Q[0]) / sqrt(dot(SIZE, Q[0], Q[0]));
    }
    matrix_free_all();
}

static void gradients_of_keys(const char *folder) {
    FILE *table = columns_open(folder, "gradients.dat", "key weight pull longweight longpull");
    double soft[WORDS][2], sharp[WORDS][2];
    pull_on_keys(1.0, soft);
    pull_on_keys(6.0, sharp);
    for (int j = 0; j < WORDS; j++) {
        double row[] = {soft[j][0], soft[j][1], sharp[j][0], sharp[j][1]};
        columns_row(table, words[j], 4, row);
    }
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"weights", weights_of_a_sentence},
        {"hard_soft", hard_against_soft},
        {"gradients", gradients_of_keys},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
