/* What the page of lesson 15 shows after: ranks=3 steps=2 causal=causal (1e-6) */
#include "play.h"

#include <math.h>
#include <stdbool.h>

enum { N = 12, D = 8, RANKS = 3, STEPS = 2 };

static float Q[N][D], K[N][D], V[N][D];

/* Has the block of key j reached the rank of token `word` after some steps, and may the token see
 * it? */
static bool has_met(int word, int j, int steps) {
    int away = (word % RANKS - j % RANKS + RANKS) % RANKS;
    return j <= word && away < steps;
}

static double output_of(int word, int steps, double out[D]) {
    double sum = 0;
    memset(out, 0, sizeof(double[D]));
    for (int j = 0; j < N; j++) {
        double score = 0;
        for (int c = 0; c < D; c++)
            score += (double)Q[word][c] * (double)K[j][c];
        double weight = has_met(word, j, steps) ? exp(score / sqrt(D)) : 0;
        sum += weight;
        for (int c = 0; c < D; c++)
            out[c] += weight * (double)V[j][c];
    }
    for (int c = 0; c < D; c++)
        out[c] /= sum;
    return sum;
}

int main(void) {
    long long seed = 15;
    double out[D], whole[D];
    fill_floats(&seed, N * D, Q[0]);
    fill_floats(&seed, N * D, K[0]);
    fill_floats(&seed, N * D, V[0]);
    for (int word = 0; word < N; word++)
        printf("heard %.17g\n", output_of(word, STEPS, out) / output_of(word, RANKS, out));
    for (int rank = 0; rank < RANKS; rank++)
        for (int step = 0; step < STEPS; step++)
            printf("blocks %d\n", (rank - step + RANKS) % RANKS);
    output_of(N - 1, STEPS, out);
    output_of(N - 1, RANKS, whole);
    for (int c = 0; c < D; c++)
        show("same", 2, (double[]){out[c], whole[c]});
    return 0;
}
