#include "flash_heads.h"

#include "../../../13-transformer/milestone/machine.h"
#include "fast.h"
#include "self_attention.h"

#include <stdlib.h>

bool flash_is_wanted = true;

void __real_multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                                 const double X[n_q][w->d_model],
                                 const double source[n_k][w->d_model], const bool blocked[n_q][n_k],
                                 const struct multi_head_values *v, double out[n_q][w->d_model]);
void __real_multi_head_attention_backward(
    int n_q, int n_k, const struct multi_head *w, const double X[n_q][w->d_model],
    const double source[n_k][w->d_model], const bool blocked[n_q][n_k],
    const struct multi_head_values *v, const double d_out[n_q][w->d_model],
    const struct multi_head_values *d_v, const struct multi_head *d_w, double d_X[n_q][w->d_model],
    double d_source[n_k][w->d_model]);

/* --- Heads in floats ------------------------------------------------------------------------- */

/* The arrays of one pass: all heads, one after the other. */
struct heads {
    const struct multi_head *w;
    int n_q, n_k, queries, keys, rows; /* counts of numbers in queries, keys, lse */
    float *Q, *out, *d_out, *d_Q, *K, *V, *d_K, *d_V, *lse, *shared;
};

static void to_floats(int n, const double from[n], float to[n]) {
    for (int i = 0; i < n; i++)
        to[i] = (float)from[i];
}

static void to_doubles(int n, const float from[n], double to[n]) {
    for (int i = 0; i < n; i++)
        to[i] = (double)from[i];
}

static void add_floats(int n, const float from[n], double to[n]) {
    for (int i = 0; i < n; i++)
        to[i] += (double)from[i];
}

static float *take_floats(float **room, int n) {
    *room += n;
    return *room - n;
}

/* All 0 except Q, K and V. Free only Q. */
static struct heads heads_of(int n_q, int n_k, const struct multi_head *w,
                             const struct multi_head_values *v) {
    struct heads h = {.w = w, .n_q = n_q, .n_k = n_k, .rows = w->n_heads * n_q};
    h.queries = h.rows * w->d_head;
    h.keys = w->n_kv_heads * n_k * w->d_head;
    float *room = zeroes(sizeof(float) * (size_t)(4 * (h.queries + h.keys) + 2 * h.rows));
    float **const of_queries[] = {&h.Q, &h.out, &h.d_out, &h.d_Q};
    float **const of_keys[] = {&h.K, &h.V, &h.d_K, &h.d_V};
    for (int i = 0; i < 4; i++) {
        *of_queries[i] = take_floats(&room, h.queries);
        *of_keys[i] = take_floats(&room, h.keys);
    }
    h.lse = take_floats(&room, h.rows);
    h.shared = take_floats(&room, h.rows);
    to_floats(h.queries, v->Q, h.Q);
    to_floats(h.keys, v->K, h.K);
    to_floats(h.keys, v->V, h.V);
    return h;
}

/* attend_heads, which stores one number per query for the backward pass, where the weights would
 * be. */
static void attend_by_flash(int n_q, int n_k, const struct multi_head *w, int seen,
                            const struct multi_head_values *v) {
    struct heads h = heads_of(n_q, n_k, w, v);
    flash_attention(w->n_heads, w->n_kv_heads, n_q, n_k, w->d_head, w->d_head, seen, (void *)h.Q,
                    (void *)h.K, (void *)h.V, (void *)h.out, (void *)h.lse);
    to_doubles(h.queries, h.out, v->heads);
    to_doubles(h.rows, h.lse, v->weights);
    free(h.Q);
}

static void attend_by_flash_backward(int n_q, int n_k, const struct multi_head *w, int seen,
                                     const struct multi_head_values *v,
                                     const struct multi_head_values *d_v) {
    struct heads h = heads_of(n_q, n_k, w, v);
    to_floats(h.queries, v->heads, h.out);
    to_floats(h.queries, d_v->heads, h.d_out);
    to_floats(h.rows, v->weights, h.lse);
    flash_attention_backward(w->n_heads, w->n_kv_heads, n_q, n_k, w->d_head, w->d_head, seen,
                             (void *)h.Q, (void *)h.K, (void *)h.V, (void *)h.out, (void *)h.lse,
                             (void *)h.d_out, (void *)h.shared, (void *)h.d_Q, (void *)h.d_K,
                             (void *)h.d_V);
    add_floats(h.queries, h.d_Q, d_v->Q);
    add_floats(h.keys, h.d_K, d_v->K);
    add_floats(h.keys, h.d_V, d_v->V);
    free(h.Q);
}

/* --- In place of lesson 08's ----------------------------------------------------------------- */

/* `seen` of this mask, or -1 if it is another kind of mask, which lesson 14 cannot describe. */
static int seen_by_first(int n_q, int n_k, const bool blocked[n_q][n_k]) {
    int seen = 0;
    if (!blocked)
        return n_k;
    while (seen < n_k && !blocked[0][seen])
        seen++;
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            if (blocked[i][j] != (j >= seen + i))
                return -1;
    return seen;
}

/* A plot needs the weights, so lesson 08 computes them. */
static int seen_by_flash(int n_q, int n_k, const bool blocked[n_q][n_k]) {
    return flash_is_wanted && machine_is_learning ? seen_by_first(n_q, n_k, blocked) : -1;
}

/* As in lesson 08, except for the line in the middle. */
void __wrap_multi_head_attention(int n_q, int n_k, const struct multi_head *w,
                                 const double X[n_q][w->d_model],
                                 const double source[n_k][w->d_model], const bool blocked[n_q][n_k],
                                 const struct multi_head_values *v, double out[n_q][w->d_model]) {
    const int d = w->d_head, d_q = w->n_heads * d, d_kv = w->n_kv_heads * d;
    const int seen = seen_by_flash(n_q, n_k, blocked);
    if (seen < 0) {
        __real_multi_head_attention(n_q, n_k, w, X, source, blocked, v, out);
        return;
    }
    project(n_q, w->d_model, d_q, X, w->W_q, v->rows_q);
    project(n_k, w->d_model, d_kv, source, w->W_k, v->rows_k);
    project(n_k, w->d_model, d_kv, source, w->W_v, v->rows_v);
    split_heads(n_q, w->n_heads, d, v->rows_q, v->Q);
    split_heads(n_k, w->n_kv_heads, d, v->rows_k, v->K);
    split_heads(n_k, w->n_kv_heads, d, v->rows_v, v->V);
    attend_by_flash(n_q, n_k, w, seen, v);
    merge_heads(n_q, w->n_heads, d, v->heads, v->rows_out);
    project(n_q, d_q, w->d_model, v->rows_out, w->W_o, out);
}

void __wrap_multi_head_attention_backward(
    int n_q, int n_k, const struct multi_head *w, const double X[n_q][w->d_model],
    const double source[n_k][w->d_model], const bool blocked[n_q][n_k],
    const struct multi_head_values *v, const double d_out[n_q][w->d_model],
    const struct multi_head_values *d_v, const struct multi_head *d_w, double d_X[n_q][w->d_model],
    double d_source[n_k][w->d_model]) {
    const int d = w->d_head, d_q = w->n_heads * d, d_kv = w->n_kv_heads * d;
    const int seen = seen_by_flash(n_q, n_k, blocked);
    if (seen < 0) {
        __real_multi_head_attention_backward(n_q, n_k, w, X, source, blocked, v, d_out, d_v, d_w,
                                             d_X, d_source);
        return;
    }
    project_backward(n_q, d_q, w->d_model, v->rows_out, w->W_o, d_out, d_v->rows_out, d_w->W_o);
    merge_heads_backward(n_q, w->n_heads, d, d_v->rows_out, d_v->heads);
    attend_by_flash_backward(n_q, n_k, w, seen, v, d_v);
    split_heads_backward(n_k, w->n_kv_heads, d, d_v->V, d_v->rows_v);
    split_heads_backward(n_k, w->n_kv_heads, d, d_v->K, d_v->rows_k);
    split_heads_backward(n_q, w->n_heads, d, d_v->Q, d_v->rows_q);
    project_backward(n_k, w->d_model, d_kv, source, w->W_v, d_v->rows_v, d_source, d_w->W_v);
    project_backward(n_k, w->d_model, d_kv, source, w->W_k, d_v->rows_k, d_source, d_w->W_k);
    project_backward(n_q, w->d_model, d_q, X, w->W_q, d_v->rows_q, d_X, d_w->W_q);
}
