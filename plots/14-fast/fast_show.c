/* The worked example of lesson 14 at the terminal. */
#include "fast.h"

#include "matrix.h"
#include "shade.h"

#include <stdio.h>

enum { N_Q = 3, N_K = 4, D_V = 2, SEEN = 2 };

static const char *const keys[] = {"key 0", "key 1", "key 2", "key 3"};
static const char *const queries[] = {"query 0", "query 1", "query 2"};
static const char *const numbers[] = {"max", "sum", "acc", "ones"};
static const char *const value_names[] = {"value", "1"};

static const float Q[1][N_Q][1] = {{{1}, {1}, {1}}};
static const float K[1][N_K][1] = {{{1}, {2}, {5}, {0}}};
static const float V[1][N_K][D_V] = {{{10, 1}, {20, 1}, {30, 1}, {40, 1}}};

static void show(const char *what, const char *note, int rows, int cols,
                 const char *const row_names[], const char *const col_names[], const void *floats) {
    shade_matrix(what, note, rows, cols, row_names, col_names,
                 widened(what, dims_of_rows(rows, cols), floats));
}

static void show_steps(void) {
    static const char *const after[] = {"1", "1 2", "1 2 5", "1 2 5 0"};
    float max = -FLT_MAX, sum = 0.0f, acc[D_V] = {0}, steps[N_K][4];
    for (int j = 0; j < N_K; j++) {
        online_softmax_step(D_V, K[0][j][0], V[0][j], &max, &sum, acc);
        const float step[4] = {max, sum, acc[0], acc[1]};
        memcpy(steps[j], step, sizeof step);
    }
    show("online_softmax_step", "after each of the scores; the values are 10, 20, 30, 40", N_K, 4,
         after, numbers, steps);
}

static void show_weights(void) {
    float weights[N_Q][N_K], out[N_Q][D_V];
    naive_attention(N_Q, N_K, 1, D_V, SEEN, Q[0], K[0], V[0], weights, out);
    show("weights", "seen is 2, so query 0 sees two keys", N_Q, N_K, queries, keys, weights);
    show("out", "by naive_attention", N_Q, D_V, queries, value_names, out);
}

static void show_powers(void) {
    static const char *const xs[] = {"0", "-.25", "-.5", "-1.75", "-10", "-127"};
    static const float x[] = {0.0f, -0.25f, -0.5f, -1.75f, -10.0f, -127.0f};
    enum { COUNT = sizeof x / sizeof *x };
    float powers[COUNT];
    for (int i = 0; i < COUNT; i++)
        powers[i] = exp2_lanes(splat(x[i]))[0];
    show("exp2_lanes", "2 to the power of", 1, COUNT, (const char *const[]){""}, xs, powers);
}

static void show_back(const float out[1][N_Q][D_V], const float lse[1][N_Q]) {
    static const float d_out[1][N_Q][D_V] = {{{0, 0}, {0, 0}, {1, 0}}};
    float shared[1][N_Q], d_Q[1][N_Q][1] = {{{0}}}, d_K[1][N_K][1] = {{{0}}};
    float d_V[1][N_K][D_V] = {{{0}}};
    flash_attention_backward(1, 1, N_Q, N_K, 1, D_V, SEEN, Q, K, V, out, lse, d_out, shared, d_Q,
                             d_K, d_V);
    show("shared", "the dot product of out and d_out", 1, N_Q, (const char *const[]){""}, queries,
         shared);
    show("d_V", "the weights of query 2", N_K, D_V, keys, value_names, d_V);
    show("d_K", "weight * (value - shared)", 1, N_K, (const char *const[]){""}, keys, d_K);
    show("d_Q", "d_K times the keys 1, 2, 5, 0", 1, N_Q, (const char *const[]){""}, queries, d_Q);
}

int main(void) {
    float out[1][N_Q][D_V], lse[1][N_Q];
    shade_title("Lesson 14: scores 1, 2, 5, 0, computed by your code");
    show_weights();
    show_steps();
    show_powers();
    shade_title("Flash attention, and its backward pass for d_out = 1 at query 2");
    flash_attention(1, 1, N_Q, N_K, 1, D_V, SEEN, Q, K, V, out, lse);
    show("out", "by flash_attention", N_Q, D_V, queries, value_names, out);
    show("lse", "log-sum-exp", 1, N_Q, (const char *const[]){""}, queries, lse);
    show_back((const float(*)[N_Q][D_V])out, (const float(*)[N_Q])lse);
    matrix_free_all();
}
