/* What the page of lesson 03 shows after: exponent=5 */
#include "scaled.h"

#include <stdio.h>

enum { N_Q = 8, N_K = 6, D = 512 };
static double Q[N_Q][D], K[N_K][D];

static double normal(void) {
    static long long seed = 1;
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        seed = seed * 16807 % 2147483647;
        sum += (double)seed / 2147483647;
    }
    return sum;
}

static void weigh(int d, double factor, double weights[N_Q][N_K]) {
    double q[N_Q][d], k[N_K][d], v[N_K][1], out[N_Q][1];
    for (int i = 0; i < N_Q; i++)
        for (int c = 0; c < d; c++)
            q[i][c] = Q[i][c] * factor;
    for (int j = 0; j < N_K; j++) {
        v[j][0] = 0;
        for (int c = 0; c < d; c++)
            k[j][c] = K[j][c];
    }
    scaled_dot_product_attention(N_Q, N_K, d, 1, q, k, v, weights, out);
}

int main(void) {
    double weights[N_Q][N_K];
    for (int i = 0; i < N_Q * D; i++)
        Q[i / D][i % D] = normal();
    for (int i = 0; i < N_K * D; i++)
        K[i / D][i % D] = normal();
    for (int way = 0; way < 2; way++) {
        weigh(32, way == 0 ? 1 : 1 / attention_scale(32), weights);
        for (int i = 0; i < N_Q * N_K; i++)
            printf("%s %.17g\n", way == 0 ? "scaled" : "unscaled", weights[i / N_K][i % N_K]);
    }
    for (int i = 0; i < 20; i++) {
        int d = 1 << i % 10;
        weigh(d, i < 10 ? 1 : 1 / attention_scale(d), weights);
        printf("entropy %.17g\n", mean_entropy(N_Q, N_K, weights));
    }
    return 0;
}
