/* What the page of lesson 14 shows after: n=36 causal=keys_up_to_its_own (1e-6) */
#include "fast.h"

#include "play.h"

enum { MOST = 96, N = 36, D = 16, SHOWN = 4 };

static float Q[MOST][D], K[MOST][D], V[MOST][D], weights[N][N], lse[N], out[N][D];

static void shown(void) {
    show_floats("same", SHOWN, out[N - 1]);
}

int main(void) {
    long long seed = 14;
    fill_floats(&seed, MOST * D, Q[0]);
    fill_floats(&seed, MOST * D, K[0]);
    fill_floats(&seed, MOST * D, V[0]);
    show_any("fetched", 5);
    for (int version = 0; version < 5; version++)
        printf("kept %d\n", version < 2 ? N * N : N);
    naive_attention(N, N, D, D, 1, Q, K, V, weights, out);
    shown();
    ordered_attention(N, N, D, D, 1, Q, K, V, weights, out);
    shown();
    online_attention(N, N, D, D, 1, Q, K, V, out, lse);
    shown();
    tiled_attention(N, N, D, D, 1, Q, K, V, out, lse);
    shown();
    flash_attention(1, 1, N, N, D, D, 1, (const void *)Q, (const void *)K, (const void *)V,
                    (void *)out, (void *)lse);
    shown();
    return 0;
}
