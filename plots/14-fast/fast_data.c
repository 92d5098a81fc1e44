/* Tables for the plots of lesson 14, written into the given folder. Measured numbers come from the
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

/* Value j is 1 at index j and 0 elsewhere, so acc contains the term of each key. */
static void online_weights(const char *folder) {
    enum { N = 8 };
    static const float scores[N] = {1, 2, 5, 0, 4, 6, 3, 5};
    FILE *acc_table = columns_open(folder, "weights-terms.dat", NULL);
    FILE *table = columns_open(folder, "weights.dat", NULL);
    float max = -FLT_MAX, sum = 0.0f, acc[N] = {0};
    for (int j = 0; j < N; j++) {
        float value[N] = {0};
        double terms[N], weights[N];
        value[j] = 1.0f;
        online_softmax_step(N, scores[j], value, &max, &sum, acc);
        for (int k = 0; k < N; k++) {
            terms[k] = (double)acc[k];
            weights[k] = (double)(acc[k] / sum);
        }
        columns_row(acc_table, NULL, N, terms);
        columns_row(table, NULL, N, weights);
    }
    columns_close(acc_table);
    columns_close(table);
}

/* --- gradients.gp ---------------------------------------------------------------------------- */

enum { WORDS = 8, D_V = 4 };

static void random_numbers(struct random *r, int count, void *x) {
    for (int i = 0; i < count; i++)
        ((float *)x)[i] = (float)random_normal(r);
}

/* Query i is sqrt(WORDS) at index i and 0 elsewhere, so its score with a key is number i of the
   key, and number i of the gradient of the key is the gradient of that score. */
static void score_gradients(const char *folder) {
    struct random r = random_seed(14);
    float Q[1][WORDS][WORDS] = {{{0}}}, K[1][WORDS][WORDS], V[1][WORDS][D_V], out[1][WORDS][D_V];
    float lse[1][WORDS], shared[1][WORDS], d_out[1][WORDS][D_V], d_Q[1][WORDS][WORDS] = {{{0}}};
    float d_K[1][WORDS][WORDS] = {{{0}}}, d_V[1][WORDS][D_V] = {{{0}}};
    for (int i = 0; i < WORDS; i++)
        Q[0][i][i] = sqrtf(WORDS);
    random_numbers(&r, WORDS * WORDS, K);
    random_numbers(&r, WORDS * D_V, V);
    random_numbers(&r, WORDS * D_V, d_out);
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

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"exp2", exp2_errors},
        {"weights", online_weights},
        {"gradients", score_gradients},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
