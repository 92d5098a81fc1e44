/* Tables for the pictures of lesson 01, into the folder given. */
#include "columns.h"
#include "matrix.h"
#include "softmax.h"

#include <math.h>
#include <stdio.h>

#define STEPS 120

/* From 0.1 to 100, evenly spaced on a logarithmic axis. */
static double temperature_at(int step) {
    return pow(10.0, -1.0 + 3.0 * step / STEPS);
}

static void weights_against_temperature(const char *folder) {
    FILE *table = columns_open(folder, "weights.dat", "temperature score1 score2 score3");
    NEW_VECTOR_OF(scores, 3, 1, 2, 3);
    NEW_VECTOR(weights, 3);
    for (int step = 0; step <= STEPS; step++) {
        double temperature = temperature_at(step);
        softmax_at_temperature(3, temperature, scores, weights);
        double row[] = {temperature, weights[0], weights[1], weights[2]};
        columns_row(table, NULL, 4, row);
    }
    columns_close(table);
    matrix_free_all();
}

static void entropy_against_temperature(const char *folder) {
    FILE *table = columns_open(folder, "entropy.dat", "temperature winner tie");
    NEW_VECTOR_OF(winner, 3, 1, 2, 3);
    NEW_VECTOR_OF(tie, 3, 1, 3, 3);
    NEW_VECTOR(weights, 3);
    for (int step = 0; step <= STEPS; step++) {
        double row[] = {temperature_at(step), 0.0, 0.0};
        softmax_at_temperature(3, row[0], winner, weights);
        row[1] = entropy(3, weights);
        softmax_at_temperature(3, row[0], tie, weights);
        row[2] = entropy(3, weights);
        columns_row(table, NULL, 3, row);
    }
    columns_close(table);
    matrix_free_all();
}

static void jacobian_heatmap(const char *folder) {
    const char *const labels[] = {"weight 1", "weight 2", "weight 3"};
    FILE *table =
        columns_open(folder, "jacobian.dat", "weight \"score 1\" \"score 2\" \"score 3\"");
    NEW_VECTOR_OF(scores, 3, 1, 2, 3);
    NEW_VECTOR(weights, 3);
    NEW_MATRIX(jacobian, 3, 3);
    softmax(3, scores, weights);
    softmax_jacobian(3, weights, jacobian);
    for (int i = 0; i < 3; i++)
        columns_row(table, labels[i], 3, jacobian[i]);
    columns_close(table);
    matrix_free_all();
}

/* The length of the gradient that reaches the scores when the last weight is pushed by 1. */
static double gradient_length(const double scores[3], double weights[3], const double push[3],
                              double d_scores[3]) {
    fill(3, 0.0, d_scores);
    softmax(3, scores, weights);
    softmax_backward(3, weights, push, d_scores);
    return sqrt(d_scores[0] * d_scores[0] + d_scores[1] * d_scores[1] + d_scores[2] * d_scores[2]);
}

static void gradient_against_size(const char *folder) {
    FILE *table = columns_open(folder, "gradients.dat", "size multiplied tied added");
    NEW_VECTOR(weights, 3);
    NEW_VECTOR(d_scores, 3);
    NEW_VECTOR_OF(push, 3, 0, 0, 1);
    NEW_VECTOR(scores, 3);
    for (int step = 0; step <= STEPS; step++) {
        const double s = 20.0 * step / STEPS;
        const double kinds[3][3] = {{s, 2 * s, 3 * s}, {s, 3 * s, 3 * s}, {s + 1, s + 2, s + 3}};
        double row[4] = {s};
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < 3; i++)
                scores[i] = kinds[kind][i];
            row[1 + kind] = gradient_length(scores, weights, push, d_scores);
        }
        columns_row(table, NULL, 4, row);
    }
    columns_close(table);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"weights", weights_against_temperature},
        {"entropy", entropy_against_temperature},
        {"jacobian", jacobian_heatmap},
        {"gradients", gradient_against_size},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
