/* What the tests of lessons 14 and 15 share: heads of attention of any sizes, what comes of them in
   double and in the obvious way, with every weight, and each way of the lesson to do the same. */
#ifndef PASSES_H
#define PASSES_H

#include "expect.h"
#include "fast.h"
#include "lesson_test.h"
#include "matrix.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <string.h>

struct sizes {
    int heads, kv_heads, n_q, n_k, d_k, d_v, seen;
};

/* Inputs are floats; what is expected are doubles. */
struct pass {
    struct sizes z;
    double reach; /* no number of Q and K is larger */
    void *Q, *K, *V, *d_out;
    double *weights, *out, *lse, *d_Q, *d_K, *d_V;
};

static inline struct dims of_queries(const struct sizes *z, int d) {
    return dims_of(3, z->heads, z->n_q, d, 1);
}
static inline struct dims of_keys(const struct sizes *z, int d) {
    return dims_of(3, z->kv_heads, z->n_k, d, 1);
}
static inline struct dims of_rows(const struct sizes *z) {
    return dims_of(2, z->heads, z->n_q, 1, 1);
}
static inline struct dims of_weights(const struct sizes *z) {
    return dims_of(3, z->heads, z->n_q, z->n_k, 1);
}

/* One head's: a matrix. */
static inline struct dims of_one(struct dims dims) {
    return dims_of(dims.rank - 1, dims.size[1], dims.size[2], 1, 1);
}

static inline void *random_floats(const char *name, struct dims dims, double reach,
                                  struct random *r) {
    float *x = floats_new(name, dims);
    for (int i = 0, count = dims_count(dims); i < count; i++)
        x[i] = (float)(reach * (2.0 * random_uniform(r) - 1.0));
    return x;
}

static inline void *floats_filled(const char *name, struct dims dims, float value) {
    float *x = floats_new(name, dims);
    for (int i = dims_count(dims); i-- > 0;)
        x[i] = value;
    return x;
}

/* All numbers of row j. */
static inline void set_row(int d, float value, void *rows, int j) {
    for (int c = 0; c < d; c++)
        ((float *)rows)[j * d + c] = value;
}

static inline double *zeros(struct dims dims) {
    return fill(dims_count(dims), 0.0, array_new("expected", dims));
}

/* --- the obvious way ------------------------------------------------------------------------- */

static inline int sees(const struct sizes *z, int i) {
    const int count = z->seen + i;
    return count < 0 ? 0 : count > z->n_k ? z->n_k : count;
}

static inline double dot_of(int d, const float a[d], const float b[d]) {
    double sum = 0.0;
    for (int c = 0; c < d; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

static inline void add_times(int d, double factor, const float x[d], double sum[d]) {
    for (int c = 0; c < d; c++)
        sum[c] += factor * (double)x[c];
}

/* A row of one head: its weights, and its log-sum-exp. */
static inline double obvious_row(int n, int d, const float q[d], const float K[][d],
                                 double *weights) {
    double max = -INFINITY, sum = 0.0;
    for (int j = 0; j < n; j++) {
        weights[j] = dot_of(d, q, K[j]) / sqrt(d);
        max = weights[j] > max ? weights[j] : max;
    }
    for (int j = 0; j < n; j++)
        sum += weights[j] = exp(weights[j] - max);
    for (int j = 0; j < n; j++)
        weights[j] /= sum;
    return n > 0 ? max + log(sum) : -INFINITY;
}

static inline void obvious_head(struct pass *p, int h) {
    const struct sizes *z = &p->z;
    const int of = h / (z->heads / z->kv_heads), d_v = z->d_v;
    const float(*Q)[z->n_q][z->d_k] = p->Q, (*K)[z->n_k][z->d_k] = p->K, (*V)[z->n_k][d_v] = p->V;
    double(*weights)[z->n_q][z->n_k] = (void *)p->weights, (*out)[z->n_q][d_v] = (void *)p->out;
    for (int i = 0; i < z->n_q; i++) {
        p->lse[h * z->n_q + i] = obvious_row(sees(z, i), z->d_k, Q[h][i], K[of], weights[h][i]);
        for (int j = 0, n = sees(z, i); j < n; j++)
            add_times(d_v, weights[h][i][j], V[of][j], out[h][i]);
    }
}

static inline void obvious_pass(struct pass *p) {
    p->weights = zeros(of_weights(&p->z));
    p->out = zeros(of_queries(&p->z, p->z.d_v));
    p->lse = zeros(of_rows(&p->z));
    for (int h = 0; h < p->z.heads; h++)
        obvious_head(p, h);
}

/* What weight j of a row is worth for the loss, and what its score is. */
static inline void obvious_row_back(struct pass *p, int h, int i) {
    const struct sizes *z = &p->z;
    const int of = h / (z->heads / z->kv_heads), d_k = z->d_k, d_v = z->d_v;
    const float(*Q)[z->n_q][d_k] = p->Q, (*K)[z->n_k][d_k] = p->K, (*V)[z->n_k][d_v] = p->V;
    const float *d_out = ((const float(*)[z->n_q][d_v])p->d_out)[h][i];
    const double *weights = ((const double(*)[z->n_q][z->n_k])(void *)p->weights)[h][i];
    double(*d_Q)[z->n_q][d_k] = (void *)p->d_Q, (*d_K)[z->n_k][d_k] = (void *)p->d_K;
    double(*d_V)[z->n_k][d_v] = (void *)p->d_V, mean = 0.0;
    for (int j = 0; j < sees(z, i); j++)
        mean += weights[j] * dot_of(d_v, d_out, V[of][j]);
    for (int j = 0; j < sees(z, i); j++) {
        const double d_score = weights[j] * (dot_of(d_v, d_out, V[of][j]) - mean) / sqrt(d_k);
        add_times(d_k, d_score, K[of][j], d_Q[h][i]);
        add_times(d_k, d_score, Q[h][i], d_K[of][j]);
        add_times(d_v, weights[j], d_out, d_V[of][j]);
    }
}

static inline void obvious_back(struct pass *p) {
    p->d_Q = zeros(of_queries(&p->z, p->z.d_k));
    p->d_K = zeros(of_keys(&p->z, p->z.d_k));
    p->d_V = zeros(of_keys(&p->z, p->z.d_v));
    for (int h = 0; h < p->z.heads; h++)
        for (int i = 0; i < p->z.n_q; i++)
            obvious_row_back(p, h, i);
}

static inline struct pass random_pass(struct sizes z, double reach, struct random *r) {
    struct pass p = {.z = z, .reach = reach};
    p.Q = random_floats("Q", of_queries(&z, z.d_k), reach, r);
    p.K = random_floats("K", of_keys(&z, z.d_k), reach, r);
    p.V = random_floats("V", of_keys(&z, z.d_v), 2.0, r);
    p.d_out = random_floats("d_out", of_queries(&z, z.d_v), 1.0, r);
    obvious_pass(&p);
    return p;
}

/* What a float cannot tell. */
static inline double near_out(const struct pass *p) {
    return 1.5e-6 * (1.0 + p->reach * p->reach);
}
static inline double near_lse(const struct pass *p) {
    return 1e-6 * (1.0 + p->reach * p->reach);
}
/* What d_K and d_Q add up may cancel; d_V says how much that was. */
static inline double near_gradient(const struct pass *p, struct dims dims, const double *gradient) {
    const double *d_V = (const void *)p->d_V;
    double largest = 0.0;
    for (int i = dims_count(dims); i-- > 0;)
        largest = fmax(largest, fabs(gradient[i]));
    for (int i = dims_count(of_keys(&p->z, p->z.d_v)); i-- > 0;)
        largest = fmax(largest, fabs(d_V[i]));
    return 1e-6 * (1.0 + p->reach * p->reach) * (1.0 + largest);
}

/* --- the worked example ---------------------------------------------------------------------- */

/* Three queries see the first two keys, three, and all four; their scores are 1, 2, 5, 0. */
static inline struct pass worked_pass(void) {
    static const float ones[3] = {1, 1, 1}, keys[4] = {1, 2, 5, 0};
    static const float values[4][2] = {{10, 1}, {20, 1}, {30, 1}, {40, 1}};
    struct pass p = {.z = {1, 1, 3, 4, 1, 2, 2}, .reach = 1.0};
    p.Q = floats_copy("Q", of_one(of_queries(&p.z, 1)), ones);
    p.K = floats_copy("K", of_one(of_keys(&p.z, 1)), keys);
    p.V = floats_copy("V", of_one(of_keys(&p.z, 2)), values);
    p.d_out = floats_filled("d_out", of_one(of_queries(&p.z, 2)), 0.0f);
    ((float *)p.d_out)[4] = 1.0f;
    obvious_pass(&p);
    return p;
}

/* --- sizes ----------------------------------------------------------------------------------- */

/* Queries and keys: short and long ones, and those around a vector, a block and a tile. */
static const int lengths[][2] = {{1, 1},
                                 {2, 3},
                                 {3, 2},
                                 {5, 7},
                                 {7, 8},
                                 {8, 9},
                                 {9, 5},
                                 {15, 16},
                                 {16, 17},
                                 {17, 15},
                                 {31, 33},
                                 {32, 31},
                                 {33, 32},
                                 {47, 65},
                                 {65, 63},
                                 {63, 64},
                                 {64, 47},
                                 {95, 97},
                                 {97, 96},
                                 {96, 95},
                                 {127, 2},
                                 {3, 128},
                                 {129, 4},
                                 {5, 130},
                                 {135, 1},
                                 {1, 135},
                                 {128, 5},
                                 {4, 129},
                                 {130, 3},
                                 {2, 127},
                                 {255, 1},
                                 {1, 256},
                                 {257, 2},
                                 {2, 255},
                                 {256, 1},
                                 {3, 257},
                                 {300, 2},
                                 {1, 511},
                                 {LANES - 1, KEYS},
                                 {LANES, KEYS + 1},
                                 {LANES + 1, KEYS - 1},
                                 {QUERIES, 2 * KEYS},
                                 {QUERIES + 1, 2},
                                 {QUERIES - 1, WIDE},
                                 {2, WIDE + 1},
                                 {3, WIDE - 1}};
enum { PAIRS = sizeof lengths / sizeof *lengths };

/* Of d_k and d_v. */
static const int widths[][2] = {{1, 256}, {256, 1},           {255, 254},         {64, 17},
                                {17, 64}, {2, 128},           {100, 33},          {31, 129},
                                {16, 15}, {LANES, LANES + 1}, {LANES - 1, LANES}, {LANES + 1, 3}};
enum { WIDTHS = sizeof widths / sizeof *widths };

/* From no keys to all: with the last query at the last key, with the first at the first, ... */
static inline int seen_of(int n_q, int n_k, int kind) {
    const int kinds[] = {n_k, n_k - n_q + 1, 1, 0, n_k / 2, -3, n_k + 5};
    return kinds[kind % 7];
}

/* Number i of all lengths, and then of all widths; `round` says what is seen, and how large the
   numbers are. */
enum { CASES = PAIRS + WIDTHS };
static inline struct pass case_of(int i, int round, struct random *r) {
    const bool wide = i >= PAIRS;
    struct sizes z = {1, 1, 4, 6, 1 + 3 * i % 5, 6 + i % 4, 0};
    if (wide) {
        z.d_k = widths[i - PAIRS][0];
        z.d_v = widths[i - PAIRS][1];
    } else {
        z.n_q = lengths[i][0];
        z.n_k = lengths[i][1];
    }
    z.seen = seen_of(z.n_q, z.n_k, i + round);
    return random_pass(z, 1.0 + (i + round) % 3, r);
}

#endif
