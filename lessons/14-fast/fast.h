/* Lesson 14: the same attention, as fast as the machine allows.

   Three conventions are new. Numbers are float. A matrix with heads is [n_heads][n][d], where query
   heads 0 to n_heads / n_kv_heads - 1 use key head 0, the next ones use key head 1, and so on. And
   a mask is one number, seen. Query i sees the first seen + i keys. If seen + i is below 1 it sees
   no key, and if it is above n_k it sees all n_k keys.

   seen = n_k hides no key. seen = 1 is the causal mask of lesson 05, where n_q = n_k. With seen = 0
   a query sees the keys before its own. With seen = n_k - n_q + 1 the last query sees all keys,
   which is the causal mask with a KV cache.

   A query that sees no key gets an output of exactly 0, a log-sum-exp of -INFINITY and no gradient.
   As long as hidden keys and values are finite, they do not change any result. Scores are
   Q K^T / sqrt(d_k). The log-sum-exp of a query, lse, is log(sum of exp(score)) over the keys that
   it sees, so a weight is exp(score - lse).

   Outputs come last and have no defined values before the call. A function whose name ends in
   _backward ADDS (+=) to its gradients. (Only softmax_tile_backward replaces d_weights.) All sizes
   n are at least 1. No function allocates memory. d_k and d_v are at most WIDEST, so the
   intermediate results have a constant size and lie on the stack. */
#ifndef FAST_H
#define FAST_H

#include "lanes.h"

/* d_k and d_v are at most WIDEST. A tile of keys is shared by BLOCKS blocks of LANES queries. */
enum { WIDEST = 256, BLOCKS = 4, COMMON_QUERIES = BLOCKS * LANES };

#define LOG2_E 1.44269504f  /* log2(e) */
#define LOG_2  0.693147181f /* log(2) */

static inline int least(int a, int b) {
    return a < b ? a : b;
}

static inline float scale_of(int d_k) {
    return 1.0f / sqrtf((float)d_k);
}

/* The number of keys that query i sees: seen + i, but at least 0 and at most n_k. */
int visible(int n_k, int seen, int i);

/* The attention of lesson 03 in floats. For each query it computes the scores, the softmax and the
   weighted sum. weights[i][j] is 0 for a hidden key. Each number of `out` is completed before the
   next one begins, so the inner loop goes down a column of V. */
void naive_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                     float out[n_q][d_v]);

/* The same results, but every inner loop goes along a row. It adds a weight times a whole row of V
   to a whole row of `out`. Scores are summed with `#pragma omp simd`. */
void ordered_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                       const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                       float out[n_q][d_v]);

/* Given. score_of computes one score as ordered_attention does. start_rows sets max, sum and out of
   n rows to their values before the first key. After the last key, when out contains acc,
   finish_rows computes out and lse. */
float score_of(int d_k, const float q[d_k], const float k[d_k]);
void start_rows(int n, int d_v, float max[n], float sum[n], float out[n][d_v]);
void finish_rows(int n, int d_v, const float max[n], const float sum[n], float out[n][d_v],
                 float lse[n]);

/* The online softmax adds one key, with this score and this value. *max is the largest score of all
   keys so far. *sum is the sum of exp(score - *max) over these keys, and acc is the sum of
   exp(score - *max) times the value. After the call all three include the new key. Before the first
   key they are -FLT_MAX, 0 and 0. (-INFINITY minus -INFINITY would be NaN.) A score of NaN makes
   *sum and acc NaN. */
void online_softmax_step(int d_v, float score, const float value[d_v], float *max, float *sum,
                         float acc[d_v]);

/* The same attention, with online_softmax_step for each key and without stored weights. lse[i] is
   the log-sum-exp of query i. */
void online_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                      const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                      float lse[n_q]);

/* The same, for QUERIES queries and a tile of KEYS keys at a time. Each query has one new maximum
   per tile, not one per key. All QUERIES queries attend to a tile before the next one is read. */
void tiled_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                     float lse[n_q]);

/* 2 to the power of x in each lane, for x <= 0. From 0 down to -126 the relative error is at most
   3e-7. The result is exactly 1 for 0, exactly 0 for x <= -127, and NaN for NaN. */
vec exp2_lanes(vec x);

/* to[c][r] = scale * from[r][c], so row r is in lane r. Lanes from `rows` on are set to 0. */
void to_lanes(int rows, int d, int lanes, float scale, const float from[rows][d],
              float to[d][lanes]);

/* The kernel. For ROWS rows r and LANES columns l, products sets c[r][l] to the sum of
   a[r][k * step] * b[k][l] over k < n, and add_products adds this sum to c[r][l]. If a[r] is a row
   of a matrix, step is 1. If it is a column, step is the length of a row of that matrix. A row of b
   has d_b numbers and a row of c has d_c. Columns of c from LANES on are not changed. add_products
   should complete each sum in a variable and add it to c once, because this keeps more digits. */
void products(int n, int step, int d_b, int d_c, const float *const a[ROWS], const float b[n][d_b],
              float c[ROWS][d_c]);
void add_products(int n, int step, int d_b, int d_c, const float *const a[ROWS],
                  const float b[n][d_b], float c[ROWS][d_c]);

/* LANES queries, one in each lane. max, sum and acc are as in online_softmax_step, but with powers
   of 2 instead of e. to_lanes writes the queries to q with the scale log2(e) / sqrt(d_k). Row c of
   acc is dimension c of the values, and lane l of it belongs to query l. */
struct block {
    vec max[VECTORS], sum[VECTORS];
    float q[WIDEST][LANES], acc[WIDEST][LANES];
};

/* Given. These two set the pointers a of the kernel. rows[r] points to row first + r of m, and
   columns[r] to its column first + r. If m has no such row or column, they point to its last one
   again, and the results for it are not used. */
void point_at_rows(int n, int d, int first, const float m[n][d], const float *rows[ROWS]);
void point_at_columns(int d, int first, const float *m, const float *columns[ROWS]);

/* Given. Lane l sees the first seen + l keys of the tile. Its other scores become -INFINITY. */
void mask_tile(int n, int seen, float scores[n][LANES]);

/* The online softmax of a tile with n keys. `max` is the new maximum of each lane, which the caller
   has computed from block->max and all n scores. Each score becomes its weight, 2 to the power of
   score - max. The sum and the first d_v rows of acc are multiplied by the factor for the new
   maximum. The weights are added to the sum, but the weighted values are not added to acc here. At
   the end block->max becomes `max`. */
void softmax_tile(int n, int d_v, const vec max[VECTORS], float scores[n][LANES],
                  struct block *block);

/* The block attends to a tile of n <= KEYS keys. Lane l sees the first seen + l keys of the tile.
   The five parts are the scores, mask_tile, the new maximum, softmax_tile and the weighted sum. */
void attend_tile(int n, int d_k, int d_v, int seen, const float K[n][d_k], const float V[n][d_v],
                 struct block *block);

/* Given. start_block prepares a block of n queries before the first key, and finish_block computes
   out and lse of these queries. flash_rows calls both of them, and attend_tile for each tile, for
   at most COMMON_QUERIES queries of one head. */
void start_block(int n, int d_k, int d_v, const float Q[n][d_k], struct block *block);
void finish_block(int n, int d_v, struct block *block, float out[n][d_v], float lse[n]);
void flash_rows(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                float lse[n_q]);

/* Attention with heads, LANES queries at a time. The work is split into pieces of COMMON_QUERIES
   queries of one head, and each piece is the work of one thread. No two threads write to the same
   memory, so every bit is the same with any number of threads. */
void flash_attention(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v, int seen,
                     const float Q[n_heads][n_q][d_k], const float K[n_kv_heads][n_k][d_k],
                     const float V[n_kv_heads][n_k][d_v], float out[n_heads][n_q][d_v],
                     float lse[n_heads][n_q]);

/* In the backward pass WIDE keys are in lanes. Row c of k, v, d_k and d_v is dimension c of the
   keys, the values and their gradients, and lane l belongs to key l. k is multiplied by log2(e) /
   sqrt(d_k), and v is not scaled. `rows` contains the same keys as rows, multiplied by 1 /
   sqrt(d_k). rows[p][j] contains LANES dimensions of key j, from p * LANES on, with 0 after the
   last dimension. */
struct back {
    float k[WIDEST][WIDE], v[WIDEST][WIDE], d_k[WIDEST][WIDE], d_v[WIDEST][WIDE];
    float rows[WIDEST / LANES + 1][WIDE][LANES];
};

/* dots[i] is the dot product of a[i] and b[i]. For out and d_out this is `shared` of each query. */
void row_dots(int n, int d, const float a[n][d], const float b[n][d], float dots[n]);

/* The softmax backward, for n queries and `keys` keys in WIDE lanes. Before the call, weights[i][j]
   is the score of query i and key j times log2(e), and d_weights[i][j] is the gradient dP of the
   weight. After the call, weights[i][j] is the weight P = exp(score - lse[i]). d_weights[i][j] is
   then the gradient of the score, P * (dP - shared[i]). Both are 0 if query i does not see key j,
   or if there is no key j. */
void softmax_tile_backward(int n, int keys, int seen, const float lse[n], const float shared[n],
                           float weights[n][WIDE], float d_weights[n][WIDE]);

/* Given. add_d_Q adds the last of the five products, d_scores times the rows of the keys, to d_Q.
   from_column returns the address of column `first` of a matrix with WIDE columns, as a `void *`.
   You can pass it to the kernel as b or c, with WIDE for d_b or d_c. */
void add_d_Q(int n, int keys, int d_k, const float d_scores[n][WIDE], const struct back *back,
             float d_Q[n][d_k]);
void *from_column(int first, float m[][WIDE]);

/* The backward pass of n <= QUERIES queries and the `keys` keys in `back`. It adds to d_Q, and to
   d_k and d_v in `back`. Do not multiply back->d_k by 1 / sqrt(d_k), because the caller does so
   after the last query. */
void attend_tile_backward(int n, int keys, int d_k, int d_v, int seen, const float Q[n][d_k],
                          const float lse[n], const float shared[n], const float d_out[n][d_v],
                          struct back *back, float d_Q[n][d_k]);

/* Given. start_back prepares `back` for these keys, with gradients of 0. flash_back calls
   attend_tile_backward for all queries of a head. Its first query sees the first `seen` of these
   keys. */
void start_back(int keys, int d_k, int d_v, const float K[keys][d_k], const float V[keys][d_v],
                struct back *back);
void flash_back(int n_q, int keys, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float lse[n_q], const float shared[n_q], const float d_out[n_q][d_v],
                struct back *back, float d_Q[n_q][d_k]);

/* The backward pass of flash_attention. `shared` is a buffer, and after the call it contains the
   dot products of out and d_out. One thread works on a key head and on all of its query heads. No
   two threads write to the same memory, so every bit is the same with any number of threads. */
void flash_attention_backward(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v,
                              int seen, const float Q[n_heads][n_q][d_k],
                              const float K[n_kv_heads][n_k][d_k],
                              const float V[n_kv_heads][n_k][d_v],
                              const float out[n_heads][n_q][d_v], const float lse[n_heads][n_q],
                              const float d_out[n_heads][n_q][d_v], float shared[n_heads][n_q],
                              float d_Q[n_heads][n_q][d_k], float d_K[n_kv_heads][n_k][d_k],
                              float d_V[n_kv_heads][n_k][d_v]);

/* Given. Some queries attend to the same n keys, and each of them sees all n. */
void decode_rows(int n_heads, int n, int d_k, int d_v, const float q[n_heads][d_k],
                 const float K[n][d_k], const float V[n][d_v], float out[n_heads][d_v]);

/* Attention during generation. There is one query per head, which sees the first n keys of a KV
   cache for `capacity` keys. Each key head is the work of one thread. */
void decode(int n_heads, int n_kv_heads, int capacity, int n, int d_k, int d_v,
            const float q[n_heads][d_k], const float K[n_kv_heads][capacity][d_k],
            const float V[n_kv_heads][capacity][d_v], float out[n_heads][d_v]);

#endif
