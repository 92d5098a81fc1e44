/* Random models for the tests of lesson 16, and their results computed in an obvious way: for all
   tokens at once, without a cache, and without a function of an earlier lesson. */
#ifndef LLAMA_H
#define LLAMA_H

#include "story.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>

#define ROUNDING 1e-9
#define EXACTLY  0.0

/* A report shows no array of this name, because no header has it. */
#define UNNAMED "of_the_test"

/* n tokens pass through the layers. d_model is n_heads * d_head. */
struct sizes {
    int n, n_heads, n_kv_heads, d_head, d_ff, n_layers, vocabulary;
};

#include "../cached.h"

/* The sizes of a set differ, except that groups of heads may have the size 1. Each size is 1 in
   some set, and in the last one all of them are. One set has more than 8 tokens. */
static const struct sizes all_sizes[] = {
    {4, 3, 1, 5, 7, 2, 6},  {3, 6, 2, 4, 5, 1, 7}, {5, 10, 5, 3, 11, 3, 4}, {12, 2, 1, 3, 5, 2, 8},
    {4, 2, 2, 1, 6, 3, 5},  {3, 1, 1, 6, 4, 2, 9}, {5, 4, 1, 2, 1, 3, 7},   {1, 3, 3, 4, 5, 2, 6},
    {3, 2, 1, 7, 5, 1, 10}, {2, 1, 1, 1, 3, 2, 5}, {6, 3, 1, 2, 4, 5, 1},   {1, 1, 1, 1, 1, 1, 1},
};
/* All sizes are 3, so that exchanged matrices have the right shape. */
static const struct sizes square = {3, 1, 1, 3, 3, 2, 3};

static inline int d_of(struct sizes z) {
    return z.n_heads * z.d_head;
}

/* Random numbers with a mean of 0 and this standard deviation. */
static inline void *numbers(const char *name, int rows, int cols, double size, struct random *r) {
    double *x = random_fill_normal(r, rows * cols, matrix_new(name, rows, cols));
    scale_into(rows * cols, size, x, x);
    return x;
}

static inline void *filled(int rows, int cols, double value) {
    return fill(rows * cols, value, matrix_new(UNNAMED, rows, cols));
}

static inline struct multi_head heads_of(struct sizes z) {
    struct multi_head heads = {.d_model = d_of(z)};
    heads.n_heads = z.n_heads;
    heads.n_kv_heads = z.n_kv_heads;
    heads.d_head = z.d_head;
    return heads;
}

/* A layer whose arrays have the names of the header, or no names. */
#define NAME(name) (named ? name : UNNAMED)
static inline struct llama_layer random_layer(struct sizes z, bool named, struct random *r) {
    const int d = d_of(z), d_kv = z.n_kv_heads * z.d_head;
    struct llama_layer w = {.heads = heads_of(z), .d_ff = z.d_ff};
    w.attention_gain = numbers(NAME("attention_gain"), 1, d, 1.0, r);
    w.heads.W_q = numbers(NAME("W_q"), d, d, 0.5, r);
    w.heads.W_k = numbers(NAME("W_k"), d_kv, d, 0.5, r);
    w.heads.W_v = numbers(NAME("W_v"), d_kv, d, 0.5, r);
    w.heads.W_o = numbers(NAME("W_o"), d, d, 0.5, r);
    w.forward_gain = numbers(NAME("forward_gain"), 1, d, 1.0, r);
    w.W_gate = numbers(NAME("W_gate"), z.d_ff, d, 0.5, r);
    w.W_down = numbers(NAME("W_down"), d, z.d_ff, 0.5, r);
    w.W_up = numbers(NAME("W_up"), z.d_ff, d, 0.5, r);
    return w;
}

/* One layer for n tokens. S1 and S2 are what the two norms give, and row i of `weights`, which is
   [n][n_heads][n], has the weights of token i. */
struct pass {
    struct sizes z;
    struct llama_layer w;
    void *X, *S1, *K, *V, *weights, *attended, *between, *S2, *gate, *up, *hidden, *change, *out;
};

static inline struct pass empty_pass(struct sizes z, const struct llama_layer *w, void *X) {
    const int n = z.n, d = d_of(z), kv_rows = z.n_kv_heads * n;
    return (struct pass){z,
                         *w,
                         X,
                         filled(n, d, 0),
                         filled(kv_rows, z.d_head, 0),
                         filled(kv_rows, z.d_head, 0),
                         filled(n * z.n_heads, n, 0),
                         filled(n, d, 0),
                         filled(n, d, 0),
                         filled(n, d, 0),
                         filled(n, z.d_ff, 0),
                         filled(n, z.d_ff, 0),
                         filled(n, z.d_ff, 0),
                         filled(n, d, 0),
                         filled(n, d, 0)};
}

static inline void norm_rows(int n, int d, const double X[n][d], const double *gain,
                             double out[n][d]) {
    for (int i = 0; i < n; i++) {
        const double mean = sum_of_products(d, X[i], X[i]) / d;
        for (int c = 0; c < d; c++)
            out[i][c] = gain[c] * X[i][c] / sqrt(mean + 1e-5);
    }
}

/* Pair p of a head at a position is rotated by position / 10000^(2 p / d). */
static inline void rotate_head(int position, int d, double x[d]) {
    for (int p = 0; 2 * p + 1 < d; p++) {
        const double angle = position * pow(10000.0, -2.0 * p / d), a = x[2 * p], b = x[2 * p + 1];
        x[2 * p] = a * cos(angle) - b * sin(angle);
        x[2 * p + 1] = a * sin(angle) + b * cos(angle);
    }
}

/* Numbers of one head and token, from a row of W for each number: rotated, if position >= 0. */
static inline void project_head(const struct pass *p, const void *W, int head, int i, int position,
                                double *to) {
    const int d = d_of(p->z), d_head = p->z.d_head;
    const double(*rows)[d] = W, (*S)[d] = p->S1;
    for (int c = 0; c < d_head; c++)
        to[c] = sum_of_products(d, rows[head * d_head + c], S[i]);
    if (position >= 0)
        rotate_head(position, d_head, to);
}

/* Token i and head h: the weights of all tokens up to i, and the weighted sum of their values. */
static inline void attend(const struct pass *p, int i, int h, const double *q, double *result) {
    const int n = p->z.n, d = p->z.d_head, kv = h / (p->z.n_heads / p->z.n_kv_heads);
    const double(*K)[n][d] = p->K, (*V)[n][d] = p->V;
    double(*weights)[p->z.n_heads][n] = p->weights, *row = weights[i][h], sum = 0.0, max;
    for (int j = 0; j <= i; j++)
        row[j] = sum_of_products(d, q, K[kv][j]) / sqrt(d);
    max = row[0];
    for (int j = 0; j <= i; j++)
        max = fmax(max, row[j]);
    for (int j = 0; j <= i; j++)
        sum += row[j] = exp(row[j] - max);
    for (int c = 0; c < d; c++)
        result[c] = 0.0;
    for (int j = 0; j <= i; j++) {
        row[j] /= sum;
        for (int c = 0; c < d; c++)
            result[c] += row[j] * V[kv][j][c];
    }
}

/* From S1: the keys, the values, the weights and `attended`. */
static inline void attend_obviously(const struct pass *p) {
    const int n = p->z.n, d = d_of(p->z), d_head = p->z.d_head;
    double(*K)[n][d_head] = p->K, (*V)[n][d_head] = p->V;
    double(*mixed)[d] = filled(n, d, 0.0), *q = filled(1, d_head, 0.0);
    for (int g = 0; g < p->z.n_kv_heads; g++)
        for (int i = 0; i < n; i++) {
            project_head(p, p->w.heads.W_k, g, i, i, K[g][i]);
            project_head(p, p->w.heads.W_v, g, i, -1, V[g][i]);
        }
    for (int i = 0; i < n; i++)
        for (int h = 0; h < p->z.n_heads; h++) {
            project_head(p, p->w.heads.W_q, h, i, i, q);
            attend(p, i, h, q, &mixed[i][h * d_head]);
        }
    product_by_rows(n, d, d, mixed, p->w.heads.W_o, p->attended);
}

/* From S2: gate, up, hidden and `change`. */
static inline void feed_obviously(const struct pass *p) {
    const int n = p->z.n, d = d_of(p->z), d_ff = p->z.d_ff;
    double *gate = p->gate, *up = p->up, *hidden = p->hidden;
    product_by_rows(n, d, d_ff, p->S2, p->w.W_gate, p->gate);
    product_by_rows(n, d, d_ff, p->S2, p->w.W_up, p->up);
    for (int i = 0; i < n * d_ff; i++)
        hidden[i] = gate[i] * up[i] / (1.0 + exp(-gate[i]));
    product_by_rows(n, d_ff, d, p->hidden, p->w.W_down, p->change);
}

static inline void add_rows_of_pass(const struct pass *p, const void *a, const void *b, void *sum) {
    const int count = p->z.n * d_of(p->z);
    memcpy(sum, a, (size_t)count * sizeof(double));
    add_into(count, b, sum);
}

/* From X: the whole layer. */
static inline void pass_obviously(const struct pass *p) {
    const int n = p->z.n, d = d_of(p->z);
    norm_rows(n, d, p->X, p->w.attention_gain, p->S1);
    attend_obviously(p);
    add_rows_of_pass(p, p->X, p->attended, p->between);
    norm_rows(n, d, p->between, p->w.forward_gain, p->S2);
    feed_obviously(p);
    add_rows_of_pass(p, p->between, p->change, p->out);
}

/* The values of one token, with the names of the header. */
static inline struct llama_layer_values new_values(struct sizes z, int longest) {
    const int d = d_of(z), d_kv = z.n_kv_heads * z.d_head;
    struct llama_layer_values v = {.normed = matrix_new("normed", 1, d)};
    v.inverse_rms = vector_new("inverse_rms", 1);
    v.scaled = matrix_new("scaled", 1, d);
    v.heads.rows_q = matrix_new("rows_q", 1, d);
    v.heads.rows_k = matrix_new("rows_k", longest, d_kv);
    v.heads.rows_v = matrix_new("rows_v", longest, d_kv);
    v.heads.Q = block_new("Q", z.n_heads, 1, z.d_head);
    v.heads.K = block_new("v_K", z.n_kv_heads, longest, z.d_head);
    v.heads.V = block_new("v_V", z.n_kv_heads, longest, z.d_head);
    v.heads.weights = block_new("weights", z.n_heads, 1, longest);
    v.heads.heads = block_new("heads", z.n_heads, 1, z.d_head);
    v.heads.rows_out = matrix_new("rows_out", 1, d);
    v.change = matrix_new("v_change", 1, d);
    v.gate = matrix_new("gate", 1, z.d_ff);
    v.up = matrix_new("up", 1, z.d_ff);
    v.hidden = matrix_new("hidden", 1, z.d_ff);
    return v;
}

/* A model with several layers. Its words_out is a matrix of its own or the table. */
static inline struct llama random_llama(struct sizes z, bool shared, struct random *r) {
    const int d = d_of(z);
    struct llama w = {.sizes = {d, z.d_ff, z.n_layers, z.n_heads, z.n_kv_heads, z.vocabulary, z.n}};
    w.table = numbers("table", z.vocabulary, d, 1.0, r);
    for (int b = 0; b < z.n_layers; b++)
        w.layer[b] = random_layer(z, false, r);
    w.out_gain = numbers("out_gain", 1, d, 1.0, r);
    w.words_out = shared ? w.table : numbers("words_out", z.vocabulary, d, 1.0, r);
    return w;
}

/* For all n tokens: x[b], which is [n][d_model], the weights of each layer and the logits, which
   are [n][vocabulary]. */
struct reading {
    void *x[MOST_LAYERS + 1], *weights[MOST_LAYERS], *logits;
};

static inline struct reading read_obviously(struct sizes z, const struct llama *w,
                                            const int *words) {
    const int n = z.n, d = d_of(z);
    struct reading reading = {.logits = filled(n, z.vocabulary, 0.0)};
    double(*first)[d] = reading.x[0] = filled(n, d, 0.0), (*table)[d] = w->table;
    for (int i = 0; i < n; i++)
        memcpy(first[i], table[words[i]], sizeof first[i]);
    for (int b = 0; b < z.n_layers; b++) {
        const struct pass p = empty_pass(z, &w->layer[b], reading.x[b]);
        pass_obviously(&p);
        reading.x[b + 1] = p.out;
        reading.weights[b] = p.weights;
    }
    double(*out)[d] = filled(n, d, 0.0);
    norm_rows(n, d, reading.x[z.n_layers], w->out_gain, out);
    product_by_rows(n, d, z.vocabulary, out, w->words_out, reading.logits);
    return reading;
}

/* The worked example: two query heads of two dimensions use one key head. */
static const struct sizes worked_sizes = {2, 2, 1, 2, 2, 1, 3};

static inline struct llama_layer worked_layer(void) {
    const double *identity = OF(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    struct llama_layer w = {.heads = heads_of(worked_sizes), .d_ff = 2};
    w.attention_gain = vector_copy("attention_gain", 4, OF(1, 1, 1, 1));
    w.heads.W_q = matrix_copy("W_q", 4, 4, identity);
    w.heads.W_k = matrix_copy("W_k", 2, 4, identity);
    w.heads.W_v = matrix_copy("W_v", 2, 4, identity + 8);
    w.heads.W_o = matrix_copy("W_o", 4, 4, identity);
    w.forward_gain = vector_copy("forward_gain", 4, OF(1, 1, 1, 1));
    w.W_gate = matrix_copy("W_gate", 2, 4, identity);
    w.W_up = matrix_copy("W_up", 2, 4, identity + 8);
    w.W_down = matrix_copy("W_down", 4, 2, OF(1, 0, 0, 1, 1, 0, 0, 1));
    return w;
}

#endif
