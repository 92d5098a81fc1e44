/* Lesson 14: the same attention, as fast as the machine allows.

   Three things change. Numbers are float. Where there are heads, matrices are [n_heads][n][d];
   query heads 0, 1, ..., n_heads / n_kv_heads - 1 share key head 0, the next ones key head 1, and
   so on. And a mask is one number: query i sees the first `seen + i` keys, none if that is below 1,
   and n_k at most. So seen = n_k hides nothing, seen = 1 is lesson 05's causal mask of a square,
   seen = n_k - n_q + 1 lets the last query stand at the last key, as with a cache, and with seen =
   0 a query sees the keys before it and not its own.

   A query that sees no key gets an output of exactly 0, a log-sum-exp of -INFINITY, and no
   gradient. A hidden key or value of finite numbers changes no bit. Scores are Q K^T / sqrt(d_k),
   as ever. The log-sum-exp of a query is log(sum of exp(score)), over the keys that it sees: a
   weight is exp(score - lse).

   Outputs come last and start out undefined; a ..._backward ADDS into every d_... that it is given
   last. Nobody allocates: d_k and d_v are WIDEST at most, so what is kept on the way has a constant
   size, and lies on the stack. All n are 1 at least. */
#ifndef FAST_H
#define FAST_H

#include "lanes.h"

/* The most that d_k and d_v can be; blocks of queries that share a tile of keys. */
enum { WIDEST = 256, BLOCKS = 4, COMMON_QUERIES = BLOCKS * LANES };

#define LOG2_E 1.44269504f /* of e to the base of 2 */
#define LOG_2  0.693147181f

static inline int least(int a, int b) {
    return a < b ? a : b;
}

static inline float scale_of(int d_k) {
    return 1.0f / sqrtf((float)d_k);
}

/* How many of n_k keys query i sees: seen + i, between 0 and n_k. */
int visible(int n_k, int seen, int i);

/* Lesson 03, in floats: a score for each pair, softmax, blend. weights[i][j] is 0 for a hidden key.
   Each number of `out` is computed by itself, along a column of V. */
void naive_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                     float out[n_q][d_v]);

/* The same, with every inner loop along the memory: a weight times a whole row of V is added to a
   whole row of `out`. Scores are summed with `#pragma omp simd`. */
void ordered_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                       const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                       float out[n_q][d_v]);

/* These are given: one score, as ordered_attention computes it; rows to which no key has
   been added yet; and out and lse of such rows, from max, sum and acc, which is in out. */
float score_of(int d_k, const float q[d_k], const float k[d_k]);
void start_rows(int n, int d_v, float max[n], float sum[n], float out[n][d_v]);
void finish_rows(int n, int d_v, const float max[n], const float sum[n], float out[n][d_v],
                 float lse[n]);

/* One key more, of this score and this value. Before: *max is the largest score so far, *sum the
   sum of exp(score - *max), acc that of exp(score - *max) times the value. Before the first key
   they are -FLT_MAX, 0 and 0: -INFINITY less itself would be NaN. A score of NaN makes *sum and
   acc NaN. */
void online_softmax_step(int d_v, float score, const float value[d_v], float *max, float *sum,
                         float acc[d_v]);

/* The same attention, key by key, with online_softmax_step: no weights are kept. lse[i] is query
 * i's log-sum-exp.
 */
void online_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                      const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                      float lse[n_q]);

/* The same, for QUERIES queries and KEYS keys at a time. A tile of KEYS keys has one new maximum
   for each query, and not one for each key; and all QUERIES queries attend to it before the next
   tile is read. */
void tiled_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                     float lse[n_q]);

/* 2 to the power of each x, for x <= 0: off by at most 3e-7 of itself down to -126, exactly 1 for
   0, exactly 0 from -127 down to -INFINITY, NaN for NaN. */
vec exp2_lanes(vec x);

/* to[c][r] = scale * from[r][c], so that row r lies in lane r; 0 in lanes from `rows` on. */
void to_lanes(int rows, int d, int lanes, float scale, const float from[rows][d],
              float to[d][lanes]);

/* The kernel: c[r][l] = sum over k < n of a[r][k * step] * b[k][l], for ROWS rows and LANES
   columns; what lies right of column LANES in b and c is left alone. add_products adds to c: best
   each sum as a whole, summed up in variables first, which keeps more digits. */
void products(int n, int step, int d_b, int d_c, const float *const a[ROWS], const float b[n][d_b],
              float c[ROWS][d_c]);
void add_products(int n, int step, int d_b, int d_c, const float *const a[ROWS],
                  const float b[n][d_b], float c[ROWS][d_c]);

/* LANES queries, one in each lane, and max, sum and acc of each, as in online_softmax_step, with
   powers of 2 instead of e. q is made by to_lanes, with a scale of log2(e) / sqrt(d_k). */
struct block {
    vec max[VECTORS], sum[VECTORS];
    float q[WIDEST][LANES], acc[WIDEST][LANES];
};

/* Given, for the kernel: rows first, first + 1, ... of m, or its columns; where there are no more,
   the last one again, and nobody reads what comes of that. */
void point_at_rows(int n, int d, int first, const float m[n][d], const float *rows[ROWS]);
void point_at_columns(int d, int first, const float *m, const float *columns[ROWS]);

/* Given: -INFINITY for what lane l does not see: all but its first seen + l scores. */
void mask_tile(int n, int seen, float scores[n][LANES]);

/* n keys more: scores[j][l] becomes 2 to the power of scores[j][l] - max of lane l, and `max` the
   block's; its sum and the first d_v rows of acc are brought to the new maximum; the weights are
   added to the sum, but nothing to acc yet. No score is above `max`, nor is the block's old one.
 */
void softmax_tile(int n, int d_v, const vec max[VECTORS], float scores[n][LANES],
                  struct block *block);

/* The block attends to a tile of n keys, n <= KEYS: scores, mask_tile, the new maximum,
   softmax_tile, blend. Lane l sees the first seen + l of them. */
void attend_tile(int n, int d_k, int d_v, int seen, const float K[n][d_k], const float V[n][d_v],
                 struct block *block);

/* Given: a block of n queries that has attended to no key; its out and lse; and both,
   with attend_tile between them, for at most COMMON_QUERIES queries of one head. */
void start_block(int n, int d_k, int d_v, const float Q[n][d_k], struct block *block);
void finish_block(int n, int d_v, struct block *block, float out[n][d_v], float lse[n]);
void flash_rows(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                float lse[n_q]);

/* Attention with heads, LANES queries at a time. A piece of the work is COMMON_QUERIES queries of
   one head, and threads share out the pieces of all heads. No two threads write to the same memory,
   so every bit is the same with any number of threads. */
void flash_attention(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v, int seen,
                     const float Q[n_heads][n_q][d_k], const float K[n_kv_heads][n_k][d_k],
                     const float V[n_kv_heads][n_k][d_v], float out[n_heads][n_q][d_v],
                     float lse[n_heads][n_q]);

/* On the way back keys are lanes, WIDE of them: k with a scale of log2(e) / sqrt(d_k), v as it is,
   and what is added up for them; and the same keys once more, as rows, times 1 / sqrt(d_k), in
   pieces of LANES columns, filled up with 0. */
struct back {
    float k[WIDEST][WIDE], v[WIDEST][WIDE], d_k[WIDEST][WIDE], d_v[WIDEST][WIDE];
    float rows[WIDEST / LANES + 1][WIDE][LANES];
};

/* dots[i] = a[i] . b[i]. Of out and d_out it is what a query's d_scores have in common. */
void row_dots(int n, int d, const float a[n][d], const float b[n][d], float dots[n]);

/* weights[i][j] holds the score of query i and key j, in powers of 2, and becomes the weight;
   d_weights[i][j] holds the gradient of the weight and becomes that of the score: P * (dP -
   shared). Both become 0 where query i does not see key j, of which there are `keys`, in all lanes.
 */
void softmax_tile_backward(int n, int keys, int seen, const float lse[n], const float shared[n],
                           float weights[n][WIDE], float d_weights[n][WIDE]);

/* Given: adds d_scores times the rows of the keys to d_Q; and columns from `first` on of a matrix
   that is WIDE, as b or c of the kernel. */
void add_d_Q(int n, int keys, int d_k, const float d_scores[n][WIDE], const struct back *back,
             float d_Q[n][d_k]);
void *from_column(int first, float m[][WIDE]);

/* The way back of n queries, n <= QUERIES, and the `keys` keys in `back`: adds to d_Q, and to d_k
   and d_v in `back`, whose d_k has still to be multiplied by 1 / sqrt(d_k). */
void attend_tile_backward(int n, int keys, int d_k, int d_v, int seen, const float Q[n][d_k],
                          const float lse[n], const float shared[n], const float d_out[n][d_v],
                          struct back *back, float d_Q[n][d_k]);

/* Given: `back` for these keys, without gradients yet; and attend_tile_backward for all queries of
   a head, the first of which sees `seen` of the keys. */
void start_back(int keys, int d_k, int d_v, const float K[keys][d_k], const float V[keys][d_v],
                struct back *back);
void flash_back(int n_q, int keys, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float lse[n_q], const float shared[n_q], const float d_out[n_q][d_v],
                struct back *back, float d_Q[n_q][d_k]);

/* The whole way back. `shared` is room, and is left holding the dots of out and d_out. Threads
   share out the key heads: nobody else adds to their gradients. No two threads write to the same
   memory, so every bit is the same with any number of threads. */
void flash_attention_backward(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v,
                              int seen, const float Q[n_heads][n_q][d_k],
                              const float K[n_kv_heads][n_k][d_k],
                              const float V[n_kv_heads][n_k][d_v],
                              const float out[n_heads][n_q][d_v], const float lse[n_heads][n_q],
                              const float d_out[n_heads][n_q][d_v], float shared[n_heads][n_q],
                              float d_Q[n_heads][n_q][d_k], float d_K[n_kv_heads][n_k][d_k],
                              float d_V[n_kv_heads][n_k][d_v]);

/* Given: some queries, over the same n keys, which all of them see. */
void decode_rows(int n_heads, int n, int d_k, int d_v, const float q[n_heads][d_k],
                 const float K[n][d_k], const float V[n][d_v], float out[n_heads][d_v]);

/* One query a head, over the first n keys of a cache that has room for `capacity`. Threads share
   out the key heads. */
void decode(int n_heads, int n_kv_heads, int capacity, int n, int d_k, int d_v,
            const float q[n_heads][d_k], const float K[n_kv_heads][capacity][d_k],
            const float V[n_kv_heads][capacity][d_v], float out[n_heads][d_v]);

#endif
