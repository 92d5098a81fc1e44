#include "ring.h"

#include "todo.h"

#include <math.h>
#include <string.h>

int stripe_length(int n, int ranks, int rank) {
    // BEGIN SOLUTION: which of the n tokens does this rank get?
    return (n - rank + ranks - 1) / ranks;
    // END SOLUTION
}

void take_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                 const float whole[n_heads][n][d], float stripe[n_heads][m][d]) {
    // BEGIN SOLUTION: token i of the stripe is token rank + i * ranks of the whole sequence
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < m; i++)
            memcpy(stripe[h][i], whole[h][rank + i * ranks], sizeof(float[d]));
    // END SOLUTION
}

void put_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                const float stripe[n_heads][m][d], float whole[n_heads][n][d]) {
    // BEGIN SOLUTION: take_stripe in the other direction
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < m; i++)
            memcpy(whole[h][rank + i * ranks], stripe[h][i], sizeof(float[d]));
    // END SOLUTION
}

int stripe_seen(bool causal, int n_k, int query_rank, int key_rank) {
    // BEGIN SOLUTION: may query i see key i, or only the keys before it?
    return !causal ? n_k : query_rank >= key_rank ? 1 : 0;
    // END SOLUTION
}

double visible_pairs(int n_q, int n_k, int seen) {
    // BEGIN SOLUTION: add up lesson 14's visible() over all queries
    double pairs = 0.0;
    for (int i = 0; i < n_q; i++)
        pairs += visible(n_k, seen, i);
    return pairs;
    // END SOLUTION
}

void merge_partial(int rows, int d_v, const float part[rows][d_v], const float part_lse[rows],
                   float out[rows][d_v], float lse[rows]) {
    // BEGIN SOLUTION: weigh each side by exp(its log-sum-exp), minus the larger of the two
    for (int i = 0; i < rows; i++) {
        if (part_lse[i] == -INFINITY)
            continue;
        float max = fmaxf(lse[i], part_lse[i]);
        float mine = expf(lse[i] - max), theirs = expf(part_lse[i] - max), sum = mine + theirs;
        for (int j = 0; j < d_v; j++)
            out[i][j] = (mine * out[i][j] + theirs * part[i][j]) / sum;
        lse[i] = max + logf(sum);
    }
    // END SOLUTION
}

int block_floats(int n_kv_heads, int n, int d_k, int d_v) {
    // BEGIN SOLUTION: count the numbers of all keys and all values
    return n_kv_heads * n * (d_k + d_v);
    // END SOLUTION
}

void ring_attention(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n, int m,
                    int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                    const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                    float kv[2][size], float part[n_heads][m][d_v], float part_lse[n_heads][m],
                    float out[n_heads][m][d_v], float lse[n_heads][m]) {
    // BEGIN SOLUTION: in each step: start to send the block, attend to it, merge, wait
    int G = n_kv_heads, ranks = ring->ranks;
    float *one_lse = (float *)lse;
    memset(out, 0, sizeof(float[n_heads][m][d_v]));
    for (int i = 0; i < n_heads * m; i++)
        one_lse[i] = -INFINITY;
    pack_block(G, m, d_k, d_v, K, V, kv[0]);
    for (int step = 0; step < ranks; step++) {
        struct visit v = visit_of(ring, step, n);
        float *block = kv[step % 2], *values = block + G * v.n_k * d_k;
        int seen = stripe_seen(causal, v.n_k, ring->rank, v.from);
        if (step < ranks - 1)
            ring->start(ring, block_floats(G, v.n_k, d_k, d_v), block,
                        block_floats(G, v.n_coming, d_k, d_v), kv[(step + 1) % 2]);
        flash_attention(n_heads, G, m, v.n_k, d_k, d_v, seen, Q, (const void *)block,
                        (const void *)values, part, part_lse);
        merge_partial(n_heads * m, d_v, *part, *part_lse, *out, one_lse);
        if (step < ranks - 1)
            ring->wait(ring);
    }
    // END SOLUTION
}

void ring_attention_backward(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n,
                             int m, int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                             const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                             const float out[n_heads][m][d_v], const float lse[n_heads][m],
                             const float d_out[n_heads][m][d_v], float kv[2][size],
                             float d_kv[2][size], float part[size], float shared[n_heads][m],
                             float d_Q[n_heads][m][d_k], float d_K[n_kv_heads][m][d_k],
                             float d_V[n_kv_heads][m][d_v]) {
    // BEGIN SOLUTION: as before, and for the gradient of each block: wait, add your part, send the sum on
    int G = n_kv_heads, ranks = ring->ranks;
    pack_block(G, m, d_k, d_v, K, V, kv[0]);
    memset(d_kv[0], 0, sizeof(float[size]));
    for (int step = 0; step < ranks; step++) {
        struct visit v = visit_of(ring, step, n);
        int keys = G * v.n_k * d_k, here = step % 2, there = 1 - here;
        int floats = block_floats(G, v.n_k, d_k, d_v);
        int coming = block_floats(G, v.n_coming, d_k, d_v);
        if (step < ranks - 1)
            ring->start(ring, floats, kv[here], coming, kv[there]);
        memset(part, 0, sizeof(float[floats]));
        flash_attention_backward(n_heads, G, m, v.n_k, d_k, d_v,
                                 stripe_seen(causal, v.n_k, ring->rank, v.from), Q,
                                 (const void *)kv[here], (const void *)(kv[here] + keys), out, lse,
                                 d_out, shared, d_Q, (void *)part, (void *)(part + keys));
        ring->wait(ring);
        add_floats(floats, part, d_kv[here]);
        ring->start(ring, floats, d_kv[here], coming, d_kv[there]);
    }
    ring->wait(ring);
    add_floats(G * m * d_k, d_kv[ranks % 2], (float *)d_K);
    add_floats(G * m * d_v, d_kv[ranks % 2] + G * m * d_k, (float *)d_V);
    // END SOLUTION
}

double ring_seconds(struct machine machine, bool causal, int n_heads, int n_kv_heads, double n,
                    int d_k, int d_v, int ranks) {
    // BEGIN SOLUTION: a step takes as long as the slower of computation and message
    double m = n / ranks, pairs = causal ? m * m / 2.0 : m * m;
    double work = 2.0 * n_heads * (d_k + d_v) * pairs / machine.flops;
    double message = machine.latency + 4.0 * n_kv_heads * (d_k + d_v) * m / machine.bandwidth;
    return (ranks - 1) * fmax(work, message) + work;
    // END SOLUTION
}
