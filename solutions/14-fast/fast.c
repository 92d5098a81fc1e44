#include "fast.h"

#include "todo.h"

#include <stdbool.h>

int visible(int n_k, int seen, int i) {
    // BEGIN SOLUTION: seen + i, but at least 0 and at most n_k
    const int count = seen + i;
    return count < 0 ? 0 : count > n_k ? n_k : count;
    // END SOLUTION
}

void naive_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                     float out[n_q][d_v]) {
    // BEGIN SOLUTION: lesson 03 for each query, with a softmax over the visible keys
    for (int i = 0; i < n_q; i++) {
        const int n = visible(n_k, seen, i);
        float max = -FLT_MAX, sum = 0.0f;
        for (int j = 0; j < n_k; j++)
            weights[i][j] = 0.0f;
        for (int j = 0; j < n; j++) {
            for (int c = 0; c < d_k; c++)
                weights[i][j] += scale_of(d_k) * Q[i][c] * K[j][c];
            max = fmaxf(max, weights[i][j]);
        }
        for (int j = 0; j < n; j++) {
            weights[i][j] = expf(weights[i][j] - max);
            sum += weights[i][j];
        }
        for (int j = 0; j < n; j++)
            weights[i][j] /= sum;
        for (int c = 0; c < d_v; c++) {
            out[i][c] = 0.0f;
            for (int j = 0; j < n; j++)
                out[i][c] += weights[i][j] * V[j][c];
        }
    }
    // END SOLUTION
}

void ordered_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                       const float K[n_k][d_k], const float V[n_k][d_v], float weights[n_q][n_k],
                       float out[n_q][d_v]) {
    // BEGIN SOLUTION: sum each score in a variable with omp simd, and add rows of V to out[i]
    for (int i = 0; i < n_q; i++) {
        const int n = visible(n_k, seen, i);
        float max = -FLT_MAX, sum = 0.0f;
        memset(weights[i], 0, sizeof weights[i]);
        memset(out[i], 0, sizeof out[i]);
        for (int j = 0; j < n; j++) {
            float score = 0.0f;
#pragma omp simd reduction(+ : score)
            for (int c = 0; c < d_k; c++)
                score += Q[i][c] * K[j][c];
            weights[i][j] = scale_of(d_k) * score;
            max = fmaxf(max, weights[i][j]);
        }
        for (int j = 0; j < n; j++)
            sum += weights[i][j] = expf(weights[i][j] - max);
        for (int j = 0; j < n; j++) {
            const float weight = weights[i][j] / sum;
            weights[i][j] = weight;
            for (int c = 0; c < d_v; c++)
                out[i][c] += weight * V[j][c];
        }
    }
    // END SOLUTION
}

void online_softmax_step(int d_v, float score, const float value[d_v], float *max, float *sum,
                         float acc[d_v]) {
    // BEGIN SOLUTION: for a new maximum, multiply *sum and acc by a factor first
    if (score > *max) {
        const float factor = expf(*max - score);
        *max = score;
        *sum *= factor;
        for (int c = 0; c < d_v; c++)
            acc[c] *= factor;
    }
    const float weight = expf(score - *max);
    *sum += weight;
    for (int c = 0; c < d_v; c++)
        acc[c] += weight * value[c];
    // END SOLUTION
}

void online_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                      const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                      float lse[n_q]) {
    // BEGIN SOLUTION: out[i] is acc. Call start_rows before the keys, finish_rows after
    for (int i = 0; i < n_q; i++) {
        float max, sum;
        start_rows(1, d_v, &max, &sum, &out[i]);
        for (int j = 0; j < visible(n_k, seen, i); j++)
            online_softmax_step(d_v, score_of(d_k, Q[i], K[j]), V[j], &max, &sum, out[i]);
        finish_rows(1, d_v, &max, &sum, &out[i], &lse[i]);
    }
    // END SOLUTION
}

void tiled_attention(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                     const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                     float lse[n_q]) {
    // BEGIN SOLUTION: for each tile and query: scores, a new maximum, a factor, weights
    for (int from = 0; from < n_q; from += QUERIES) {
        const int rows = least(QUERIES, n_q - from);
        float max[QUERIES], sum[QUERIES], scores[KEYS];
        start_rows(rows, d_v, max, sum, &out[from]);
        for (int tile = 0; tile < visible(n_k, seen, from + rows - 1); tile += KEYS)
            for (int i = 0; i < rows; i++) {
                const int n = visible(least(KEYS, n_k - tile), seen - tile, from + i);
                const float before = max[i];
                for (int j = 0; j < n; j++) {
                    scores[j] = score_of(d_k, Q[from + i], K[tile + j]);
                    max[i] = fmaxf(max[i], scores[j]);
                }
                sum[i] *= expf(before - max[i]);
                for (int c = 0; c < d_v; c++)
                    out[from + i][c] *= expf(before - max[i]);
                for (int j = 0; j < n; j++) {
                    const float weight = expf(scores[j] - max[i]);
                    sum[i] += weight;
                    for (int c = 0; c < d_v; c++)
                        out[from + i][c] += weight * V[tile + j][c];
                }
            }
        finish_rows(rows, d_v, max, sum, &out[from], &lse[from]);
    }
    // END SOLUTION
}

vec exp2_lanes(vec x) {
    // BEGIN SOLUTION: a polynomial in rest, times the float with the exponent whole
    const vec bounded = larger(splat(-127.0f), x);
    const ivec whole = __builtin_convertvector(bounded - 0.5f, ivec);
    const vec rest = bounded - __builtin_convertvector(whole, vec);
    vec power = splat(0.00133813013f);
    power = power * rest + 0.00966636837f;
    power = power * rest + 0.0555038101f;
    power = power * rest + 0.24022349f;
    power = power * rest + 0.693147181f;
    power = power * rest + 1.0f;
    return power * (vec)(((uvec)whole + 127) << 23);
    // END SOLUTION
}

void to_lanes(int rows, int d, int lanes, float scale, const float from[rows][d],
              float to[d][lanes]) {
    // BEGIN SOLUTION: set all to 0, then call add_transposed of lanes.h
    memset(to, 0, sizeof(float[d][lanes]));
    add_transposed(rows, d, d, lanes, scale, from, to);
    // END SOLUTION
}

void products(int n, int step, int d_b, int d_c, const float *const a[ROWS], const float b[n][d_b],
              float c[ROWS][d_c]) {
    // BEGIN SOLUTION: set LANES columns of each row to 0, then call add_products
    for (int r = 0; r < ROWS; r++)
        memset(c[r], 0, sizeof(float[LANES]));
    add_products(n, step, d_b, d_c, a, b, c);
    // END SOLUTION
}

void add_products(int n, int step, int d_b, int d_c, const float *const a[ROWS],
                  const float b[n][d_b], float c[ROWS][d_c]) {
    // BEGIN SOLUTION: vec sums[ROWS][VECTORS] start at 0 and are added to c at the end
    vec sums[ROWS][VECTORS] = {0};
    int k = 0;
    do {
        vec row[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            row[v] = load(&b[k][v * WIDTH]);
        for (int r = 0; r < ROWS; r++)
            for (int v = 0; v < VECTORS; v++)
                sums[r][v] += splat(a[r][k * step]) * row[v];
    } while (++k < n);
    for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < VECTORS; v++)
            store(load(&c[r][v * WIDTH]) + sums[r][v], &c[r][v * WIDTH]);
    // END SOLUTION
}

void softmax_tile(int n, int d_v, const vec max[VECTORS], float scores[n][LANES],
                  struct block *block) {
    // BEGIN SOLUTION: for each vector v: n weights, and the factor for acc and the sum
    for (int v = 0; v < VECTORS; v++) {
        const vec factor = exp2_lanes(block->max[v] - max[v]);
        vec sum = splat(0.0f);
        for (int j = 0; j < n; j++) {
            float *at = &scores[j][v * WIDTH];
            const vec weight = exp2_lanes(load(at) - max[v]);
            sum += weight;
            store(weight, at);
        }
        for (int c = 0; c < d_v; c++) {
            float *at = &block->acc[c][v * WIDTH];
            store(load(at) * factor, at);
        }
        block->sum[v] = block->sum[v] * factor + sum;
        block->max[v] = max[v];
    }
    // END SOLUTION
}

void attend_tile(int n, int d_k, int d_v, int seen, const float K[n][d_k], const float V[n][d_v],
                 struct block *block) {
    // BEGIN SOLUTION: products, mask_tile, the new maximum, softmax_tile, add_products
    _Alignas(vec) float scores[KEYS][LANES];
    const float *a[ROWS];
    vec max[VECTORS];
    for (int j = 0; j < n; j += ROWS) {
        point_at_rows(n, d_k, j, K, a);
        products(d_k, 1, LANES, LANES, a, block->q, &scores[j]);
    }
    mask_tile(n, seen, scores);

    memcpy(max, block->max, sizeof max);
    for (int j = 0; j < n; j++)
        for (int v = 0; v < VECTORS; v++)
            max[v] = larger(max[v], load(&scores[j][v * WIDTH]));
    softmax_tile(n, d_v, max, scores, block);

    for (int c = 0; c < d_v; c += ROWS) {
        point_at_columns(d_v, c, V[0], a);
        add_products(n, d_v, LANES, LANES, a, scores, &block->acc[c]);
    }
    // END SOLUTION
}

void flash_attention(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v, int seen,
                     const float Q[n_heads][n_q][d_k], const float K[n_kv_heads][n_k][d_k],
                     const float V[n_kv_heads][n_k][d_v], float out[n_heads][n_q][d_v],
                     float lse[n_heads][n_q]) {
    // BEGIN SOLUTION: a parallel loop over heads and pieces, with flash_rows
    const int group = n_heads / n_kv_heads;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int h = 0; h < n_heads; h++)
        for (int from = 0; from < n_q; from += COMMON_QUERIES)
            flash_rows(least(COMMON_QUERIES, n_q - from), n_k, d_k, d_v, seen + from, &Q[h][from],
                       K[h / group], V[h / group], &out[h][from], &lse[h][from]);
    // END SOLUTION
}

void row_dots(int n, int d, const float a[n][d], const float b[n][d], float dots[n]) {
    // BEGIN SOLUTION: one dot product per row, summed like a score
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < d; c++)
            sum += a[i][c] * b[i][c];
        dots[i] = sum;
    }
    // END SOLUTION
}

void softmax_tile_backward(int n, int keys, int seen, const float lse[n], const float shared[n],
                           float weights[n][WIDE], float d_weights[n][WIDE]) {
    // BEGIN SOLUTION: exp2_lanes, the gradient of the softmax, choose for each vector
    for (int i = 0; i < n; i++)
        for (int j = 0; j < WIDE; j += WIDTH) {
            float *weight = &weights[i][j], *d_weight = &d_weights[i][j];
            const ivec sees = lane_numbers(j) < visible(keys, seen, i);
            const vec P = exp2_lanes(load(weight) - LOG2_E * lse[i]);
            const vec d_score = P * (load(d_weight) - shared[i]);
            store(choose(sees, P, splat(0.0f)), weight);
            store(choose(sees, d_score, splat(0.0f)), d_weight);
        }
    // END SOLUTION
}

void attend_tile_backward(int n, int keys, int d_k, int d_v, int seen, const float Q[n][d_k],
                          const float lse[n], const float shared[n], const float d_out[n][d_v],
                          struct back *back, float d_Q[n][d_k]) {
    // BEGIN SOLUTION: two products, softmax_tile_backward, two products, add_d_Q
    _Alignas(vec) float weights[QUERIES][WIDE], d_weights[QUERIES][WIDE];
    const float *a[ROWS];
    for (int l = 0; l < WIDE; l += LANES)
        for (int i = 0; i < n; i += ROWS) {
            point_at_rows(n, d_k, i, Q, a);
            products(d_k, 1, WIDE, WIDE, a, from_column(l, back->k), from_column(l, &weights[i]));
            point_at_rows(n, d_v, i, d_out, a);
            products(d_v, 1, WIDE, WIDE, a, from_column(l, back->v), from_column(l, &d_weights[i]));
        }
    softmax_tile_backward(n, keys, seen, lse, shared, weights, d_weights);
    for (int l = 0; l < WIDE; l += LANES) {
        for (int c = 0; c < d_v; c += ROWS) {
            point_at_columns(d_v, c, d_out[0], a);
            add_products(n, d_v, WIDE, WIDE, a, from_column(l, weights),
                         from_column(l, &back->d_v[c]));
        }
        for (int c = 0; c < d_k; c += ROWS) {
            point_at_columns(d_k, c, Q[0], a);
            add_products(n, d_k, WIDE, WIDE, a, from_column(l, d_weights),
                         from_column(l, &back->d_k[c]));
        }
    }
    add_d_Q(n, keys, d_k, d_weights, back, d_Q);
    // END SOLUTION
}

void flash_attention_backward(int n_heads, int n_kv_heads, int n_q, int n_k, int d_k, int d_v,
                              int seen, const float Q[n_heads][n_q][d_k],
                              const float K[n_kv_heads][n_k][d_k],
                              const float V[n_kv_heads][n_k][d_v],
                              const float out[n_heads][n_q][d_v], const float lse[n_heads][n_q],
                              const float d_out[n_heads][n_q][d_v], float shared[n_heads][n_q],
                              float d_Q[n_heads][n_q][d_k], float d_K[n_kv_heads][n_k][d_k],
                              float d_V[n_kv_heads][n_k][d_v]) {
    // BEGIN SOLUTION: row_dots, then a parallel loop over the key heads
    const int group = n_heads / n_kv_heads;
    for (int h = 0; h < n_heads; h++)
        row_dots(n_q, d_v, out[h], d_out[h], shared[h]);
#pragma omp parallel for schedule(dynamic)
    for (int g = 0; g < n_kv_heads; g++)
        for (int tile = 0; tile < n_k; tile += WIDE) {
            struct back back;
            const int keys = least(WIDE, n_k - tile);
            start_back(keys, d_k, d_v, &K[g][tile], &V[g][tile], &back);
            for (int h = g * group; h < (g + 1) * group; h++)
                flash_back(n_q, keys, d_k, d_v, seen - tile, Q[h], lse[h], shared[h], d_out[h],
                           &back, d_Q[h]);
            add_transposed(d_k, keys, WIDE, d_k, scale_of(d_k), back.d_k, &d_K[g][tile]);
            add_transposed(d_v, keys, WIDE, d_v, 1.0f, back.d_v, &d_V[g][tile]);
        }
    // END SOLUTION
}

void decode(int n_heads, int n_kv_heads, int capacity, int n, int d_k, int d_v,
            const float q[n_heads][d_k], const float K[n_kv_heads][capacity][d_k],
            const float V[n_kv_heads][capacity][d_v], float out[n_heads][d_v]) {
    // BEGIN SOLUTION: a parallel loop over the key heads, with decode_rows
    const int group = n_heads / n_kv_heads;
#pragma omp parallel for schedule(dynamic)
    for (int g = 0; g < n_kv_heads; g++)
        decode_rows(group, n, d_k, d_v, &q[g * group], K[g], V[g], &out[g * group]);
    // END SOLUTION
}

/* --- Given ----------------------------------------------------------------------------------- */
/* One score, as in ordered_attention. */
float score_of(int d_k, const float q[d_k], const float k[d_k]) {
    float score = 0.0f;
#pragma omp simd reduction(+ : score)
    for (int c = 0; c < d_k; c++)
        score += q[c] * k[c];
    return scale_of(d_k) * score;
}

/* The state before the first key. */
void start_rows(int n, int d_v, float max[n], float sum[n], float out[n][d_v]) {
    for (int i = 0; i < n; i++) {
        max[i] = -FLT_MAX;
        sum[i] = 0.0f;
        memset(out[i], 0, sizeof out[i]);
    }
}

/* Divides acc by the sum. The sum is 0 if the query sees no key. */
void finish_rows(int n, int d_v, const float max[n], const float sum[n], float out[n][d_v],
                 float lse[n]) {
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < d_v; c++)
            out[i][c] = sum[i] == 0.0f ? 0.0f : out[i][c] / sum[i];
        lse[i] = max[i] + logf(sum[i]);
    }
}

/* Points to the rows first, first + 1, ... of m, or to the last one if there are no more. */
void point_at_rows(int n, int d, int first, const float m[n][d], const float *rows[ROWS]) {
    for (int r = 0; r < ROWS; r++)
        rows[r] = m[least(first + r, n - 1)];
}

/* The same for columns. */
void point_at_columns(int d, int first, const float *m, const float *columns[ROWS]) {
    for (int r = 0; r < ROWS; r++)
        columns[r] = &m[least(first + r, d - 1)];
}

/* Lane l sees the first seen + l keys. Its other scores become -INFINITY. */
void mask_tile(int n, int seen, float scores[n][LANES]) {
    for (int j = seen < 0 ? 0 : seen; j < n; j++)
        for (int v = 0; v < VECTORS; v++) {
            const ivec sees = lane_numbers(v * WIDTH) > j - seen;
            float *at = &scores[j][v * WIDTH];
            store(choose(sees, load(at), splat(-INFINITY)), at);
        }
}

/* The state before the first key. Lanes from n on have queries of 0. */
void start_block(int n, int d_k, int d_v, const float Q[n][d_k], struct block *block) {
    for (int v = 0; v < VECTORS; v++) {
        block->max[v] = splat(-FLT_MAX);
        block->sum[v] = splat(0.0f);
    }
    to_lanes(n, d_k, LANES, LOG2_E * scale_of(d_k), Q, block->q);
    memset(block->acc, 0, sizeof(float[(d_v + ROWS - 1) / ROWS * ROWS][LANES]));
}

/* Divides acc by the sum, and writes the lanes as rows. */
void finish_block(int n, int d_v, struct block *block, float out[n][d_v], float lse[n]) {
    float sum[LANES], max[LANES];
    memcpy(sum, block->sum, sizeof sum);
    memcpy(max, block->max, sizeof max);
    for (int l = 0; l < n; l++)
        lse[l] = LOG_2 * (max[l] + log2f(sum[l]));
    for (int v = 0; v < VECTORS; v++) {
        const vec factor = choose(block->sum[v] == 0.0f, splat(0.0f), splat(1.0f) / block->sum[v]);
        for (int c = 0; c < d_v; c++) {
            float *at = &block->acc[c][v * WIDTH];
            store(load(at) * factor, at);
        }
    }
    memset(out, 0, sizeof(float[n][d_v]));
    add_transposed(d_v, n, LANES, d_v, 1.0f, block->acc, out);
}

/* Up to BLOCKS blocks of queries of one head. All of them use a tile while it is in the cache. */
void flash_rows(int n_q, int n_k, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float K[n_k][d_k], const float V[n_k][d_v], float out[n_q][d_v],
                float lse[n_q]) {
    struct block blocks[BLOCKS];
    const int count = (n_q + LANES - 1) / LANES;
    for (int b = 0; b < count; b++)
        start_block(least(LANES, n_q - b * LANES), d_k, d_v, &Q[b * LANES], &blocks[b]);
    for (int tile = 0; tile < n_k; tile += KEYS)
        for (int b = 0; b < count; b++) {
            const int from = seen - tile + b * LANES;
            const int n = visible(least(KEYS, n_k - tile), from, LANES - 1);
            if (n > 0)
                attend_tile(n, d_k, d_v, from, &K[tile], &V[tile], &blocks[b]);
        }
    for (int b = 0; b < count; b++)
        finish_block(least(LANES, n_q - b * LANES), d_v, &blocks[b], &out[b * LANES],
                     &lse[b * LANES]);
}

/* Adds d_scores times the rows of the keys to d_Q, LANES columns at a time. */
void add_d_Q(int n, int keys, int d_k, const float d_scores[n][WIDE], const struct back *back,
             float d_Q[n][d_k]) {
    _Alignas(vec) float sums[ROWS][LANES];
    const float *a[ROWS];
    for (int i = 0; i < n; i += ROWS) {
        point_at_rows(n, WIDE, i, d_scores, a);
        for (int c = 0; c < d_k; c += LANES) {
            products(keys, 1, LANES, LANES, a, back->rows[c / LANES], sums);
            for (int r = 0; r < least(ROWS, n - i); r++)
                for (int l = 0; l < least(LANES, d_k - c); l++)
                    d_Q[i + r][c + l] += sums[r][l];
        }
    }
}

/* The address of column `first`, for b or c of the kernel. */
void *from_column(int first, float m[][WIDE]) {
    return &m[0][first];
}

void start_back(int keys, int d_k, int d_v, const float K[keys][d_k], const float V[keys][d_v],
                struct back *back) {
    to_lanes(keys, d_k, WIDE, LOG2_E * scale_of(d_k), K, back->k);
    to_lanes(keys, d_v, WIDE, 1.0f, V, back->v);
    memset(back->d_k, 0, sizeof(float[(d_k + ROWS - 1) / ROWS * ROWS][WIDE]));
    memset(back->d_v, 0, sizeof(float[(d_v + ROWS - 1) / ROWS * ROWS][WIDE]));
    memset(back->rows, 0, sizeof(float[(d_k + LANES - 1) / LANES][WIDE][LANES]));
    for (int c = 0; c < d_k; c += LANES)
        for (int j = 0; j < keys; j++)
            for (int l = 0; l < least(LANES, d_k - c); l++)
                back->rows[c / LANES][j][l] = scale_of(d_k) * K[j][c + l];
}

/* All queries of one head with the keys in `back`, of which query 0 sees the first `seen`. */
void flash_back(int n_q, int keys, int d_k, int d_v, int seen, const float Q[n_q][d_k],
                const float lse[n_q], const float shared[n_q], const float d_out[n_q][d_v],
                struct back *back, float d_Q[n_q][d_k]) {
    for (int i = 0; i < n_q; i += QUERIES) {
        const int n = least(QUERIES, n_q - i);
        if (visible(keys, seen + i, n - 1) > 0)
            attend_tile_backward(n, keys, d_k, d_v, seen + i, &Q[i], &lse[i], &shared[i], &d_out[i],
                                 back, &d_Q[i]);
    }
}

/* Replaces n <= KEYS scores by weights (powers of 2), with weights of 0 up to a whole vector, and
   adds them to the sum. Returns the factor for the old terms. */
static float softmax_row(int n, float scores[KEYS], float *max, float *sum) {
    const int whole = (n + WIDTH - 1) / WIDTH * WIDTH;
    const float before = *max;
    vec largest = splat(before), total = splat(0.0f);
    for (int j = n; j < whole; j++)
        scores[j] = -INFINITY;
    for (int j = 0; j < whole; j += WIDTH)
        largest = larger(largest, load(&scores[j]));
    for (int l = 0; l < WIDTH; l++)
        *max = largest[l] > *max ? largest[l] : *max;
    for (int j = 0; j < whole; j += WIDTH) {
        const vec weight = exp2_lanes(load(&scores[j]) - *max);
        total += weight;
        store(weight, &scores[j]);
    }
    const float factor = exp2f(before - *max);
    *sum *= factor;
    for (int l = 0; l < WIDTH; l++)
        *sum += total[l];
    return factor;
}

/* One query attends to a tile of n keys. It takes four values at a time, so that `acc` is loaded
   less often. (After the last value comes the same one again, with a weight of 0.) With `ahead` the
   memory is always busy: the values are loaded while the scores are computed, and the `more` keys
   of the next tile while the values are added. */
static void decode_tile(bool ahead, int n, int more, int d_k, int d_v, const float q[d_k],
                        const float K[n][d_k], const float V[n][d_v], float *max, float *sum,
                        float acc[d_v]) {
    _Alignas(vec) float w[KEYS];
    for (int j = 0; j < n; j++) {
        if (ahead)
            fetch(d_v, V[j]);
        w[j] = LOG2_E * score_of(d_k, q, K[j]);
    }
    const float factor = softmax_row(n, w, max, sum);
    for (int c = 0; c < d_v; c++)
        acc[c] *= factor;
    for (int j = 0; j < n; j += 4) {
        const float *v0 = V[j], *v1 = V[least(j + 1, n - 1)];
        const float *v2 = V[least(j + 2, n - 1)], *v3 = V[least(j + 3, n - 1)];
        if (ahead && j < more)
            fetch(least(4, more - j) * d_k, K[n + j]);
#pragma omp simd
        for (int c = 0; c < d_v; c++)
            acc[c] += w[j] * v0[c] + w[j + 1] * v1[c] + w[j + 2] * v2[c] + w[j + 3] * v3[c];
    }
}

/* For each tile all heads, the first of which loads it into the cache. */
void decode_rows(int n_heads, int n, int d_k, int d_v, const float q[n_heads][d_k],
                 const float K[n][d_k], const float V[n][d_v], float out[n_heads][d_v]) {
    float max[LANES], sum[LANES], lse[LANES];
    for (int from = 0; from < n_heads; from += LANES) {
        const int heads = least(LANES, n_heads - from);
        start_rows(heads, d_v, max, sum, &out[from]);
        for (int tile = 0; tile < n; tile += KEYS)
            for (int h = 0; h < heads; h++)
                decode_tile(h == 0, least(KEYS, n - tile), least(KEYS, n - tile - KEYS), d_k, d_v,
                            q[from + h], &K[tile], &V[tile], &max[h], &sum[h], out[from + h]);
        finish_rows(heads, d_v, max, sum, &out[from], lse);
    }
}
