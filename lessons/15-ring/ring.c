#include "ring.h"

#include "todo.h"

#include <math.h>
#include <string.h>

int stripe_length(int n, int ranks, int rank) {
    TODO("which of the n tokens does this rank get?");
}

void take_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                 const float whole[n_heads][n][d], float stripe[n_heads][m][d]) {
    TODO("token i of the stripe is token rank + i * ranks of the whole sequence");
}

void put_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                const float stripe[n_heads][m][d], float whole[n_heads][n][d]) {
    TODO("take_stripe in the other direction");
}

int stripe_seen(bool causal, int n_k, int query_rank, int key_rank) {
    TODO("may query i see key i, or only the keys before it?");
}

double visible_pairs(int n_q, int n_k, int seen) {
    TODO("add up lesson 14's visible() over all queries");
}

void merge_partial(int rows, int d_v, const float part[rows][d_v], const float part_lse[rows],
                   float out[rows][d_v], float lse[rows]) {
    TODO("weigh each side by exp(its log-sum-exp), minus the larger of the two");
}

int block_floats(int n_kv_heads, int n, int d_k, int d_v) {
    TODO("count the numbers of all keys and all values");
}

void ring_attention(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n, int m,
                    int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                    const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                    float kv[2][size], float part[n_heads][m][d_v], float part_lse[n_heads][m],
                    float out[n_heads][m][d_v], float lse[n_heads][m]) {
    TODO("in each step: start to send the block, attend to it, merge, wait");
}

void ring_attention_backward(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n,
                             int m, int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                             const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                             const float out[n_heads][m][d_v], const float lse[n_heads][m],
                             const float d_out[n_heads][m][d_v], float kv[2][size],
                             float d_kv[2][size], float part[size], float shared[n_heads][m],
                             float d_Q[n_heads][m][d_k], float d_K[n_kv_heads][m][d_k],
                             float d_V[n_kv_heads][m][d_v]) {
    TODO("as before, and for the gradient of each block: wait, add your part, send the sum on");
}

double ring_seconds(struct machine machine, bool causal, int n_heads, int n_kv_heads, double n,
                    int d_k, int d_v, int ranks) {
    TODO("a step takes as long as the slower of computation and message");
}
