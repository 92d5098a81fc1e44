/* What the page of lesson 09 shows after: position=17 distance=6 */
#include "positions.h"

#include "play.h"

enum { D = 8, MOST = 60, AT = 17, DISTANCE = 6, N = 21, HEADS = 4 };

static double dot_of(const double a[D], const double b[D]) {
    double sum = 0;
    for (int c = 0; c < D; c++)
        sum += a[c] * b[c];
    return sum;
}

static double score(bool rotated, double row[2][D], int position) {
    double out[2][1][D];
    for (int i = 0; i < 2; i++) {
        int first = i == 0 ? position + DISTANCE : position;
        if (rotated)
            rotate(1, D, first, (const double(*)[D])row[i], out[i]);
        else
            sinusoidal_positions(1, D, first, out[i]);
        for (int c = 0; c < D && !rotated; c++)
            out[i][0][c] += row[i][c];
    }
    return dot_of(out[0][0], out[1][0]);
}

int main(void) {
    long long seed = 9;
    double row[2][D], zeros[N][1] = {{0}}, bias[1][N], weights[1][N], out[1][1];
    fill_normal(&seed, 2 * D, 1, row);
    for (int pair = 0; pair < D / 2; pair++)
        printf("angles %.17g\n", position_angle(AT, pair, D));
    for (int i = 0; i < 2 * (MOST + 1); i++)
        printf("score %.17g\n", score(i <= MOST, row, i % (MOST + 1)));
    for (int head = 0; head < HEADS; head++) {
        alibi_bias(1, N, N - 1, alibi_slope(HEADS, head), bias);
        biased_attention(1, N, 1, 1, zeros, zeros, zeros, bias, NULL, weights, out);
        for (int j = N - 1; j >= 0; j--)
            printf("alibi %.17g\n", weights[0][j]);
    }
    return 0;
}
