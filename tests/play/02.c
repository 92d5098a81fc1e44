/* What the page of lesson 02 shows after: length=3.5 plane@0.35,-1.2 */
#include "dot_product.h"

#include <stdio.h>

int main(void) {
    const double K[4][2] = {{1, 0}, {0, 1}, {-0.7, -0.7}, {1.2, 1.2}};
    const double Q[1][2] = {{0.35 * 3.5, -1.2 * 3.5}};
    double weights[1][4], out[1][2], scores[1][4];
    dot_product_attention(1, 4, 2, 2, Q, K, K, weights, out);
    dot_scores(1, 4, 2, Q, K, scores);
    printf("plane %.17g\nplane %.17g\n", out[0][0], out[0][1]);
    for (int j = 0; j < 4; j++)
        printf("weights %.17g\n", weights[0][j]);
    for (int j = 0; j < 4; j++)
        printf("scores %.17g\n", scores[0][j]);
    for (int j = 0; j < 4; j++)
        printf("cosine %.17g\n", cosine_similarity(2, Q[0], K[j]));
    return 0;
}
