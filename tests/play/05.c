/* What the page of lesson 05 shows after: mask:2,4 mask:4,1 mask:0,0 length=4 */
#include "masked.h"

#include <stdio.h>

enum { N = 5 };

static void show(const char *name, bool mask[N][N]) {
    for (int i = 0; i < N * N; i++)
        printf("%s %d\n", name, mask[i / N][i % N]);
}

int main(void) {
    const double scores[N][N] = {
        {2, 0, 1, 0, 1}, {1, 2, 0, 0, 1}, {0, 3, 1, 0, 2}, {1, 0, 0, 2, 1}, {0, 1, 2, 1, 2}};
    double weights[N][N];
    bool mask[N][N], padding[N][N], causal[N][N];
    causal_mask(N, mask);
    causal_mask(N, causal);
    mask[2][4] = !mask[2][4];
    mask[4][1] = !mask[4][1];
    mask[0][0] = !mask[0][0];
    padding_mask(N, N, 4, padding);
    block_either(N, N, mask, padding, mask);
    masked_softmax_rows(N, N, scores, mask, weights);
    for (int i = 0; i < N * N; i++)
        printf("weights %.17g\n", weights[i / N][i % N]);
    show("blocked", mask);
    show("causal", causal);
    return 0;
}
