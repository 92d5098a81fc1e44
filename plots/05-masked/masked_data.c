/* Tables for the pictures of lesson 05, into the folder given. */
#include "../attention.h"
#include "columns.h"
#include "dot_product.h"
#include "masked.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "scaled.h"
#include "softmax.h"

#include <math.h>
#include <stdio.h>

#define WORDS  6
#define SIZE   4
#define LENGTH 3
#define DRAWS  100000
#define STEPS  1200

/* Lesson 02's sentence, and its first three words filled up with padding. */
static const char *const words[WORDS] = {"the", "cat", "sat", "on", "the", "mat"};
static const char *const short_words[WORDS] = {"the", "cat", "sat", "pad", "pad", "pad"};
static const double sentence[WORDS][SIZE] = {
    {1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.2, 0.1}, {0.0, 0.2, 1.0, 0.0},
    {0.3, 0.0, 0.4, 0.2}, {1.0, 0.0, 0.0, 0.0}, {0.0, 0.3, 0.0, 1.0},
};
static const double short_sentence[WORDS][SIZE] = {
    {1.0, 0.0, 0.0, 0.0},
    {0.0, 1.0, 0.2, 0.1},
    {0.0, 0.2, 1.0, 0.0},
};

/* Every query favours similar words, and among them verbs and nouns. */
static void make_queries(const double X[WORDS][SIZE], double Q[WORDS][SIZE]) {
    for (int i = 0; i < WORDS; i++)
        for (int c = 0; c < SIZE; c++)
            Q[i][c] = 3.0 * X[i][c] + (c > 0 ? 1.0 : 0.0);
}

static void write_square(const char *folder, const char *file, const char *const names[WORDS],
                         const double square[WORDS][WORDS]) {
    char columns[80];
    snprintf(columns, sizeof columns, "query %s %s %s %s %s %s", names[0], names[1], names[2],
             names[3], names[4], names[5]);
    FILE *table = columns_open(folder, file, columns);
    for (int i = 0; i < WORDS; i++)
        columns_row(table, names[i], WORDS, square[i]);
    columns_close(table);
}

static void weights_under_masks(const char *folder) {
    NEW_MATRIX(Q, WORDS, SIZE);
    NEW_MATRIX_LIKE(X, WORDS, SIZE, sentence);
    NEW_MATRIX_LIKE(padded, WORDS, SIZE, short_sentence);
    NEW_MASK(blocked, WORDS, WORDS);
    NEW_OUTPUTS(WORDS, WORDS, SIZE);
    make_queries(X, Q);
    causal_mask(WORDS, blocked);
    masked_attention(WORDS, WORDS, SIZE, SIZE, Q, X, X, blocked, weights, out);
    write_square(folder, "causal.dat", words, weights);
    make_queries(padded, Q);
    padding_mask(WORDS, WORDS, LENGTH, blocked);
    masked_attention(WORDS, WORDS, SIZE, SIZE, Q, padded, padded, blocked, weights, out);
    write_square(folder, "padded.dat", short_words, weights);
    matrix_free_all();
}

static double length_of(const double x[SIZE]) {
    return sqrt(dot(SIZE, x, x));
}

/* What the loss of output i alone sends to each key and to each value: half its squared distance
   to the next word. After the last one comes a full stop, which is all 0 here. */
static void gradient_of_output(int i, double to_keys[WORDS], double to_values[WORDS]) {
    NEW_MATRIX(Q, WORDS, SIZE);
    NEW_MATRIX_LIKE(X, WORDS, SIZE, sentence);
    NEW_MASK(blocked, WORDS, WORDS);
    NEW_OUTPUTS(WORDS, WORDS, SIZE);
    NEW_MATRIX_FILLED(d_out, WORDS, SIZE, 0.0);
    NEW_GRADIENTS(WORDS, WORDS, SIZE, SIZE);
    make_queries(X, Q);
    causal_mask(WORDS, blocked);
    masked_attention(WORDS, WORDS, SIZE, SIZE, Q, X, X, blocked, weights, out);
    for (int c = 0; c < SIZE; c++)
        d_out[i][c] = out[i][c] - (i + 1 < WORDS ? sentence[i + 1][c] : 0.0);
    masked_attention_backward(WORDS, WORDS, SIZE, SIZE, Q, X, X, blocked, weights, d_out, d_Q, d_K,
                              d_V);
    for (int j = 0; j < WORDS; j++) {
        to_keys[j] = length_of(d_K[j]);
        to_values[j] = length_of(d_V[j]);
    }
    matrix_free_all();
}

static void gradients_under_the_causal_mask(const char *folder) {
    double to_keys[WORDS][WORDS], to_values[WORDS][WORDS];
    for (int i = 0; i < WORDS; i++)
        gradient_of_output(i, to_keys[i], to_values[i]);
    write_square(folder, "to_keys.dat", words, to_keys);
    write_square(folder, "to_values.dat", words, to_values);
}

/* The weights of "mat", the last word, which may attend to all: before dropout, after one draw, and
   the mean of many draws. */
static void dropout_of_weights(const char *folder) {
    const double rate = 0.3;
    struct random generator = random_seed(5);
    NEW_MATRIX(Q, WORDS, SIZE);
    NEW_MATRIX_LIKE(X, WORDS, SIZE, sentence);
    NEW_MASK_FILLED(blocked, WORDS, WORDS, false);
    NEW_OUTPUTS(WORDS, WORDS, SIZE);
    NEW_VECTOR(uniform, WORDS);
    NEW_VECTOR(once, WORDS);
    NEW_VECTOR(again, WORDS);
    NEW_VECTOR_FILLED(sum, WORDS, 0.0);
    make_queries(X, Q);
    masked_attention(WORDS, WORDS, SIZE, SIZE, Q, X, X, blocked, weights, out);
    for (int draw = 0; draw < DRAWS; draw++) {
        random_fill_uniform(&generator, WORDS, uniform);
        dropout(WORDS, rate, uniform, weights[WORDS - 1], draw == 0 ? once : again);
        for (int j = 0; j < WORDS; j++)
            sum[j] += draw == 0 ? once[j] : again[j];
    }
    FILE *table = columns_open(folder, "dropout.dat", "key before after mean");
    for (int j = 0; j < WORDS; j++) {
        double row[] = {weights[WORDS - 1][j], once[j], sum[j] / DRAWS};
        columns_row(table, words[j], 3, row);
    }
    columns_close(table);
    matrix_free_all();
}

/* The trick: keys that are blocked score `constant`, and go through an ordinary softmax. */
static void trick(const double scores[1][WORDS], const bool blocked[1][WORDS], double constant,
                  double weights[1][WORDS]) {
    for (int j = 0; j < WORDS; j++)
        weights[0][j] = blocked[0][j] ? constant : scores[0][j];
    softmax_rows(1, WORDS, weights, weights);
}

static double leak(const double weights[1][WORDS], const bool blocked[1][WORDS]) {
    double sum = 0.0;
    for (int j = 0; j < WORDS; j++)
        sum += blocked[0][j] ? weights[0][j] : 0.0;
    return sum;
}

/* Three keys may be seen, the best of them at -depth; three are blocked. */
static void leak_of_the_trick(const char *folder) {
    FILE *table = columns_open(folder, "leak.dat", "depth true billion tenthousand");
    for (int step = 0; step <= STEPS; step++) {
        double depth = pow(10.0, 12.0 * step / STEPS);
        NEW_MATRIX_OF(scores, 1, WORDS, {-depth, -1.5 * depth, -2.0 * depth});
        NEW_MASK_OF(blocked, 1, WORDS, {false, false, false, true, true, true});
        NEW_MATRIX(weights, 1, WORDS);
        double row[4] = {depth};
        masked_softmax_rows(1, WORDS, scores, blocked, weights);
        row[1] = leak(weights, blocked);
        trick(scores, blocked, -1e9, weights);
        row[2] = leak(weights, blocked);
        trick(scores, blocked, -1e4, weights);
        row[3] = leak(weights, blocked);
        columns_row(table, NULL, 4, row);
        matrix_free_all();
    }
    columns_close(table);
}

/* "mat" asks, and all six keys are blocked: truly, by a score set to -1e9, by -1e9 added to it. */
static void row_without_a_key(const char *folder) {
    FILE *table = columns_open(folder, "nobody.dat", "key true set added");
    NEW_MATRIX(Q, WORDS, SIZE);
    NEW_MATRIX_LIKE(X, WORDS, SIZE, sentence);
    NEW_MASK_FILLED(blocked, 1, WORDS, true);
    NEW_MATRIX(scores, 1, WORDS);
    NEW_MATRIX(weights, 1, WORDS);
    NEW_MATRIX(set, 1, WORDS);
    NEW_MATRIX(added, 1, WORDS);
    make_queries(X, Q);
    dot_scores(1, WORDS, SIZE, &Q[WORDS - 1], X, scores);
    scale_into(WORDS, attention_scale(SIZE), scores, scores);
    masked_softmax_rows(1, WORDS, scores, blocked, weights);
    trick(scores, blocked, -1e9, set);
    for (int j = 0; j < WORDS; j++)
        added[0][j] = scores[0][j] - 1e9;
    softmax_rows(1, WORDS, added, added);
    for (int j = 0; j < WORDS; j++) {
        double row[] = {weights[0][j], set[0][j], added[0][j]};
        columns_row(table, words[j], 3, row);
    }
    columns_close(table);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"weights", weights_under_masks}, {"gradients", gradients_under_the_causal_mask},
        {"dropout", dropout_of_weights},  {"trick", leak_of_the_trick},
        {"nobody", row_without_a_key},    {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
