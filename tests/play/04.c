/* What the page of lesson 04 shows after: query0=-2.3 query1=1.7 key0=0.4 key2=3.1 */
#include "additive.h"

#include <stdio.h>

int main(void) {
    const double W_q[4][2] = {{1, 0}, {0, 1}, {1, -1}, {0.5, 0.5}};
    const double W_k[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 1, 0.5}};
    const double v_a[4] = {1, 0.8, -0.6, 1.2}, V[3][1] = {{0}, {0}, {0}};
    const double Q[1][2] = {{-2.3, 1.7}}, K[3][3] = {{0.4, 0, 3.1}, {0, 1.5, 0.5}, {-1, 0.5, 2}};
    double hidden[1][3][4], scores[1][3], weights[1][3], out[1][1];
    additive_scores(1, 3, 2, 3, 4, W_q, W_k, v_a, Q, K, hidden, scores);
    for (int i = 0; i < 12; i++)
        printf("hidden %.17g\n", hidden[0][i / 4][i % 4]);
    additive_attention(1, 3, 2, 3, 4, 1, W_q, W_k, v_a, Q, K, V, hidden, weights, out);
    for (int j = 0; j < 3; j++)
        printf("scores %.17g\n", scores[0][j]);
    for (int j = 0; j < 3; j++)
        printf("weights %.17g\n", weights[0][j]);
    return 0;
}
