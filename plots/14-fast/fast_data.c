/* Tables for the pictures of lesson 14, into the folder given; what is measured comes from the
 * milestone. */
#include "fast.h"

#include "columns.h"
#include "matrix.h"
#include "random.h"

#include <math.h>

/* --- exp2.gp --------------------------------------------------------------------------------- */

static void exp2_errors(const char *folder) {
    enum { STEPS = 4 * 256 };
    FILE *table = columns_open(folder, "exp2.dat", "x error");
    for (int i = 0; i <= STEPS; i++) {
        const double x = -4.0 * i / STEPS;
        const vec power = exp2_lanes(splat((float)x));
        columns_row(table, NULL, 2, (double[]){x, 1e7 * ((double)power[0] / exp2(x) - 1.0)});
    }
    columns_close(table);
}

/* --- weights.gp ------------------------------------------------------------------------------ */

/* Value j is 1 at place j and 0 elsewhere: what was heard is what each key weighs. */
static void heard_weights(const char *folder) {
    enum { N = 8 };
    static const float scores[N] = {1, 2, 5, 0, 4, 6, 3, 5};
    FILE *heard_table = columns_open(folder, "weights-heard.dat", NULL);
    FILE *table = columns_open(folder, "weights.dat", NULL);
    float max = -FLT_MAX, sum = 0.0f, heard[N] = {0};
    for (int j = 0; j < N; j++) {
        float value[N] = {0};
        double terms[N], weights[N];
        value[j] = 1.0f;
        hear(N, scores[j], value, &max, &sum, heard);
        for (int k = 0; k < N; k++) {
            terms[k] = (double)heard[k];
            weights[k] = (double)(heard[k] / sum);
        }
        columns_row(heard_table, NULL, N, terms);
        columns_row(table, NULL, N, weights);
    }
    columns_close(heard_table);
    columns_close(table);
}

/* --- gradients.gp ---------------------------------------------------------------------------- */

enum { WORDS = 8, D_V = 4 };

static void random_numbers(struct random *r, int count, float scale, float x[count]) {
    for (int i = 0; i < count; i++)
        x[i] = scale * (float)random_normal(r);
}

/* Query i is 1 at place i and 0 elsewhere: its score with a key is that number of the key, and what
   it gives to the key's gradient is what the score gets. */
static void score_gradients(const char *folder) {
    struct random r = random_seed(14);
    float Q[1][WORDS][WORDS] = {{{0}}}, K[1][WORDS][WORDS], V[1][WORDS][D_V], out[1][WORDS][D_V];
    float lse[1][WORDS], shared[1][WORDS], d_out[1][WORDS][D_V], d_Q[1][WORDS][WORDS] = {{{0}}};
    float d_K[1][WORDS][WORDS] = {{{0}}}, d_V[1][WORDS][D_V] = {{{0}}};
    for (int i = 0; i < WORDS; i++)
        Q[0][i][i] = sqrtf(WORDS);
    random_numbers(&r, WORDS * WORDS, 1.0f, K[0][0]);
    random_numbers(&r, WORDS * D_V, 1.0f, V[0][0]);
    random_numbers(&r, WORDS * D_V, 1.0f, d_out[0][0]);
    flash_attention(1, 1, WORDS, WORDS, WORDS, D_V, 1, Q, K, V, out, lse);
    flash_attention_backward(1, 1, WORDS, WORDS, WORDS, D_V, 1, Q, K, V, out, lse, d_out, shared,
                             d_Q, d_K, d_V);
    FILE *table = columns_open(folder, "gradients.dat", NULL);
    for (int i = 0; i < WORDS; i++) {
        double row[WORDS];
        for (int j = 0; j < WORDS; j++)
            row[j] = (double)d_K[0][j][i];
        columns_row(table, NULL, WORDS, row);
    }
    columns_close(table);
}

/* --- memory.gp ------------------------------------------------------------------------------- */

/* Bytes for one head of 64 numbers: of its tensors, and beside them. */
static void bytes_needed(const char *folder) {
    const double d = 64, size = sizeof(float);
    FILE *table = columns_open(folder, "memory.dat", "words tensors weights tiled flash backward");
    for (double n = 256; n <= 65536; n *= 2)
        columns_row(table, NULL, 6,
                    (double[]){n, 4 * n * d * size, n * n * size, (2 * QUERIES + KEYS) * size,
                               BLOCKS * sizeof(struct block) + KEYS * LANES * size,
                               sizeof(struct back) + 2 * QUERIES * WIDE * size});
    columns_close(table);
}

/* --- roofline.gp ----------------------------------------------------------------------------- */

/* A multiplication and an addition, by the bytes that are loaded for both, whether from memory or
   from a cache. */
static double intensity(double multiply_adds, double numbers) {
    return 2.0 * multiply_adds / (numbers * sizeof(float));
}

/* For one score and one blend, with d numbers each, in the innermost loops. */
static void bytes_loaded(const char *folder) {
    const double d = 64, line = 64 / sizeof(float), block = ROWS * LANES;
    FILE *table = columns_open(folder, "intensity.dat", "step intensity");
    columns_row(table, "naive", 1, (double[]){intensity(2 * d, 3 * d + (2 + line) * d)});
    columns_row(table, "ordered", 1, (double[]){intensity(2 * d, 2 * d + 2 * d)});
    columns_row(table, "online", 1, (double[]){intensity(2 * d, 2 * d + 2 * d + 3)});
    columns_row(table, "tiled", 1, (double[]){intensity(2 * d, 2 * d + 2 * d + 2)});
    columns_row(table, "flash", 1,
                (double[]){intensity(2 * d * block, 2 * d * (ROWS + LANES) + 3 * block)});
    columns_row(table, "backward", 1,
                (double[]){intensity(5 * d * block, 5 * d * (ROWS + LANES) + 2 * block)});
    columns_close(table);
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"exp2", exp2_errors},    {"weights", heard_weights}, {"gradients", score_gradients},
        {"memory", bytes_needed}, {"roofline", bytes_loaded}, {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
