/* Tables for the pictures of lesson 03, into the folder given. All entries of Q, K, V and d_out are
   drawn at random, with mean 0 and variance 1. */
#include "../attention.h"
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "scaled.h"
#include "softmax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KEYS    10
#define VALUES  4
#define QUERIES 32 /* in a batch; each batch has keys of its own */
#define BATCHES 4
#define SAMPLE  (QUERIES * BATCHES)
#define SIZES   7   /* d_k = 1, 4, 16 ... 4096 */
#define SIDE    100 /* queries and keys of a histogram */
#define SEED    16  /* one whose few queries come near to what many thousand give */
#define BINS    33  /* each a quarter of a standard deviation wide */

/* What attention makes of SAMPLE queries. A row of weights is sorted, the best key first: which key
   that is, is chance, and says nothing about how much it gets. */
struct outcome {
    double by_rank[KEYS];   /* mean weight of the best key, of the second best ... */
    double entropy;         /* mean over the rows */
    double at_scores;       /* mean length of what the softmax lets through: a row of d_scores */
    double reached[SAMPLE]; /* for each query: the length of its row in d_Q */
};

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double length(int n, const double x[n]) {
    return sqrt(dot(n, x, x));
}

static void keep(int batch, int d_k, const double d_weights[QUERIES][KEYS],
                 double weights[QUERIES][KEYS], const double d_Q[QUERIES][d_k],
                 struct outcome *outcome) {
    NEW_MATRIX_FILLED(d_scores, QUERIES, KEYS, 0.0);
    softmax_rows_backward(QUERIES, KEYS, weights, d_weights, d_scores);
    outcome->entropy += mean_entropy(QUERIES, KEYS, weights) / BATCHES;
    for (int i = 0; i < QUERIES; i++) {
        outcome->at_scores += length(KEYS, d_scores[i]) / SAMPLE;
        outcome->reached[batch * QUERIES + i] = length(d_k, d_Q[i]);
        qsort(weights[i], KEYS, sizeof(double), larger_first);
        for (int j = 0; j < KEYS; j++)
            outcome->by_rank[j] += weights[i][j] / SAMPLE;
    }
}

static void attend(int batch, int d_k, struct random *r, struct outcome *plain,
                   struct outcome *scaled) {
    NEW_MATRIX_RANDOM(Q, QUERIES, d_k, r);
    NEW_MATRIX_RANDOM(K, KEYS, d_k, r);
    NEW_MATRIX_RANDOM(V, KEYS, VALUES, r);
    NEW_MATRIX_RANDOM(d_out, QUERIES, VALUES, r);
    NEW_MATRIX(d_weights, QUERIES, KEYS);
    NEW_OUTPUTS(QUERIES, KEYS, VALUES);
    NEW_GRADIENTS(QUERIES, KEYS, d_k, VALUES);
    product_by_rows(QUERIES, VALUES, KEYS, d_out, V, d_weights);
    dot_product_attention(QUERIES, KEYS, d_k, VALUES, Q, K, V, weights, out);
    dot_product_attention_backward(QUERIES, KEYS, d_k, VALUES, Q, K, V, weights, d_out, d_Q, d_K,
                                   d_V);
    keep(batch, d_k, d_weights, weights, d_Q, plain);
    fill(QUERIES * d_k, 0.0, d_Q);
    scaled_dot_product_attention(QUERIES, KEYS, d_k, VALUES, Q, K, V, weights, out);
    scaled_dot_product_attention_backward(QUERIES, KEYS, d_k, VALUES, Q, K, V, weights, d_out, d_Q,
                                          d_K, d_V);
    keep(batch, d_k, d_weights, weights, d_Q, scaled);
    matrix_free_all();
}

static void weights_by_rank(const char *folder, const struct outcome plain[SIZES],
                            const struct outcome scaled[SIZES]) {
    FILE *table = columns_open(folder, "weights.dat", "size 1 2 3 4 5 6 7 8 9 10");
    columns_row(table, "d = 4, unscaled", KEYS, plain[1].by_rank);
    columns_row(table, "d = 64, unscaled", KEYS, plain[3].by_rank);
    columns_row(table, "d = 1024, unscaled", KEYS, plain[5].by_rank);
    columns_row(table, "d = 4, scaled", KEYS, scaled[1].by_rank);
    columns_row(table, "d = 64, scaled", KEYS, scaled[3].by_rank);
    columns_row(table, "d = 1024, scaled", KEYS, scaled[5].by_rank);
    columns_close(table);
}

/* The mean of the lengths, and what half of the queries stay below. */
static void summary(struct outcome *outcome, double *mean, double *median) {
    qsort(outcome->reached, SAMPLE, sizeof(double), larger_first);
    *median = (outcome->reached[SAMPLE / 2 - 1] + outcome->reached[SAMPLE / 2]) / 2.0;
    *mean = 0.0;
    for (int i = 0; i < SAMPLE; i++)
        *mean += outcome->reached[i] / SAMPLE;
}

static void from_size_to_size(const char *folder) {
    static struct outcome plain[SIZES], scaled[SIZES];
    FILE *gradients =
        columns_open(folder, "gradients.dat",
                     "d plainmedian plainmean scaledmedian scaledmean plainscores scaledscores");
    FILE *entropies = columns_open(folder, "entropy.dat", "d keys plain scaled");
    struct random r = random_seed(SEED);
    for (int s = 0, d_k = 1; s < SIZES; s++, d_k *= 4) {
        for (int batch = 0; batch < BATCHES; batch++)
            attend(batch, d_k, &r, &plain[s], &scaled[s]);
        double lengths[] = {d_k, 0, 0, 0, 0, plain[s].at_scores, scaled[s].at_scores};
        summary(&plain[s], &lengths[2], &lengths[1]);
        summary(&scaled[s], &lengths[4], &lengths[3]);
        columns_row(gradients, NULL, 7, lengths);
        columns_row(entropies, NULL, 4, (double[]){d_k, KEYS, plain[s].entropy, scaled[s].entropy});
    }
    columns_close(gradients);
    columns_close(entropies);
    weights_by_rank(folder, plain, scaled);
}

/* How densely the scores lie around each multiple of a quarter of their standard deviation. */
static void histogram(FILE *table, int d_k, int n, const double scores[n]) {
    double deviation = sqrt(variance(n, scores));
    double width = deviation / 4.0;
    double count[BINS] = {0};
    for (int i = 0; i < n; i++) {
        double bin = floor(scores[i] / width + 0.5) + BINS / 2;
        if (bin >= 0 && bin < BINS)
            count[(int)bin] += 1.0;
    }
    for (int b = 0; b < BINS; b++) {
        double row[] = {d_k, deviation, (b - BINS / 2) * width, count[b] / (n * width)};
        columns_row(table, NULL, 4, row);
    }
}

static void histograms(const char *folder) {
    const char *const columns = "d std score density";
    FILE *plain = columns_open(folder, "histogram_plain.dat", columns);
    FILE *scaled = columns_open(folder, "histogram_scaled.dat", columns);
    struct random r = random_seed(SEED);
    for (int d_k = 4; d_k <= 1024; d_k *= 16) {
        NEW_MATRIX_RANDOM(Q, SIDE, d_k, &r);
        NEW_MATRIX_RANDOM(K, SIDE, d_k, &r);
        NEW_MATRIX(scores, SIDE, SIDE);
        dot_scores(SIDE, SIDE, d_k, Q, K, scores);
        histogram(plain, d_k, SIDE * SIDE, scores[0]);
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                scores[i][j] *= attention_scale(d_k);
        histogram(scaled, d_k, SIDE * SIDE, scores[0]);
        matrix_free_all();
    }
    columns_close(plain);
    columns_close(scaled);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"weights", from_size_to_size},
        {"entropy", from_size_to_size},
        {"gradients", from_size_to_size},
        {"histogram", histograms},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
