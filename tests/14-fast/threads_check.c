/* Are the numbers of one thread those of four, to the last bit? For tests/suites/fast_machines.sh.
 */
#include "fast.h"
#include "random.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ONE, FOUR, WAYS, ARRAYS = 7 };

struct shape {
    int n_heads, n_kv_heads, n_q, n_k, d_k, d_v, seen;
};

static float *random_floats(struct random *r, int count) {
    float *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = (float)(2.0 * random_uniform(r) - 1.0);
    return x;
}

/* All that is computed of the same numbers. */
static void compute(struct shape z, int threads, const int count[ARRAYS], float *made[ARRAYS]) {
    struct random r = random_seed(14);
    float *Q = random_floats(&r, z.n_heads * z.n_q * z.d_k);
    float *K = random_floats(&r, z.n_kv_heads * z.n_k * z.d_k);
    float *V = random_floats(&r, z.n_kv_heads * z.n_k * z.d_v);
    float *d_out = random_floats(&r, z.n_heads * z.n_q * z.d_v);
    for (int a = 0; a < ARRAYS; a++)
        made[a] = random_floats(&r, count[a]);
    omp_set_num_threads(threads);
    flash_attention(z.n_heads, z.n_kv_heads, z.n_q, z.n_k, z.d_k, z.d_v, z.seen, (void *)Q,
                    (void *)K, (void *)V, (void *)made[0], (void *)made[1]);
    flash_attention_backward(z.n_heads, z.n_kv_heads, z.n_q, z.n_k, z.d_k, z.d_v, z.seen, (void *)Q,
                             (void *)K, (void *)V, (void *)made[0], (void *)made[1], (void *)d_out,
                             (void *)made[2], (void *)made[3], (void *)made[4], (void *)made[5]);
    decode(z.n_heads, z.n_kv_heads, z.n_k, z.n_k, z.d_k, z.d_v, (void *)d_out, (void *)K, (void *)V,
           (void *)made[6]);
    free(Q);
    free(K);
    free(V);
    free(d_out);
}

static int differences(struct shape z) {
    static const char *const names[] = {"out", "lse", "shared", "d_Q", "d_K", "d_V", "decoded"};
    const int queries = z.n_heads * z.n_q, keys = z.n_kv_heads * z.n_k;
    const int count[ARRAYS] = {queries * z.d_v, queries,      queries,          queries * z.d_k,
                               keys * z.d_k,    keys * z.d_v, z.n_heads * z.d_v};
    float *made[WAYS][ARRAYS];
    int differ = 0;
    compute(z, 1, count, made[ONE]);
    compute(z, 4, count, made[FOUR]);
    for (int a = 0; a < ARRAYS; a++) {
        if (memcmp(made[ONE][a], made[FOUR][a], (size_t)count[a] * sizeof(float)) != 0) {
            printf("%s differs: %d heads, %d of keys, %d queries, %d keys\n", names[a], z.n_heads,
                   z.n_kv_heads, z.n_q, z.n_k);
            differ++;
        }
        free(made[ONE][a]);
        free(made[FOUR][a]);
    }
    return differ;
}

int main(void) {
    static const struct shape shapes[] = {
        {4, 4, 301, 301, 64, 64, 1},  {8, 2, 130, 500, 40, 33, 500}, {6, 3, 257, 190, 64, 16, -20},
        {20, 1, 65, 128, 16, 256, 7}, {1, 1, 700, 700, 64, 64, 0},
    };
    int differ = 0;
    for (int round = 0; round < 5; round++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            differ += differences(shapes[i]);
    return differ > 0;
}
