#include "ring.h"

#include "todo.h"

#include <math.h>
#include <string.h>

int stripe_length(int n, int ranks, int rank) {
    TODO("how often does one come round to this rank before the cards are all dealt?");
}

void take_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                 const float whole[n_heads][n][d], float stripe[n_heads][m][d]) {
    TODO("word i of the stripe is word rank + i * ranks of the whole");
}

void put_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                const float stripe[n_heads][m][d], float whole[n_heads][n][d]) {
    TODO("take_stripe the other way round");
}

int stripe_seen(bool causal, int n_k, int query_rank, int key_rank) {
    TODO("is word i of the one rank behind word i of the other, or before it?");
}

double visible_pairs(int n_q, int n_k, int seen) {
    TODO("lesson 14's visible(), for each query");
}

void merge_partial(int rows, int d_v, const float part[rows][d_v], const float part_lse[rows],
                   float out[rows][d_v], float lse[rows]) {
    TODO("each side counts e to its log-sum-exp; take the larger one off first");
}

int block_floats(int n_kv_heads, int n, int d_k, int d_v) {
    TODO("every key and every value");
}

void ring_attention(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n, int m,
                    int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                    const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                    float kv[2][size], float part[n_heads][m][d_v], float part_lse[n_heads][m],
                    float out[n_heads][m][d_v], float lse[n_heads][m]) {
    TODO("at each step: begin to send the block on, attend to it, merge, wait");
}

void ring_attention_backward(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n,
                             int m, int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                             const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                             const float out[n_heads][m][d_v], const float lse[n_heads][m],
                             const float d_out[n_heads][m][d_v], float kv[2][size],
                             float d_kv[2][size], float part[size], float shared[n_heads][m],
                             float d_Q[n_heads][m][d_k], float d_K[n_kv_heads][m][d_k],
                             float d_V[n_kv_heads][m][d_v]) {
    TODO("as forward; and the gradient of a block: wait for it, add a part, send it on");
}

double ring_seconds(struct machine machine, bool causal, int n_heads, int n_kv_heads, double n,
                    int d_k, int d_v, int ranks) {
    TODO("a step takes as long as the slower of work and message; the last only works");
}
