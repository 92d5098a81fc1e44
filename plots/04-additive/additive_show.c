/* The worked example of lesson 04, step by step, at the terminal. */
#include "additive.h"

#include "dot_product.h"
#include "softmax.h"

#include "matrix.h"
#include "product.h"
#include "shade.h"

enum { N_Q = 2, N_K = 3, D_Q = 2, D_K = 3, D_A = 2, D_V = 2 };

static const char *const queries[] = {"query 0", "query 1"};
static const char *const keys[] = {"key 0", "key 1", "key 2"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2"};
static const char *const units[] = {"unit 0", "unit 1"};
static const char *const pairs[] = {"0 with 0", "0 with 1", "0 with 2",
                                    "1 with 0", "1 with 1", "1 with 2"};

static const double W_q[D_A][D_Q] = {{0.5, 1}, {-1, 0.25}};
static const double W_k[D_A][D_K] = {{1, 0, 0.5}, {0.25, -1, 1}};
static const double v_a[D_A] = {1, -0.5};
static const double Q[N_Q][D_Q] = {{1, 0}, {0, 1}};
static const double K[N_K][D_K] = {{1, 0, 1}, {0, 1, 0}, {1, 1, -1}};
static const double V[N_K][D_V] = {{1, 2}, {3, 0}, {0, 1}};
static const double d_out[N_Q][D_V] = {{1, 0}, {0, 1}};

static void show_forward(double hidden[N_Q][N_K][D_A], double weights[N_Q][N_K]) {
    NEW_MATRIX(from_query, N_Q, D_A);
    NEW_MATRIX(from_key, N_K, D_A);
    NEW_MATRIX(scores, N_Q, N_K);
    NEW_MATRIX(out, N_Q, D_V);
    product_by_rows(N_Q, D_Q, D_A, Q, W_q, from_query);
    product_by_rows(N_K, D_K, D_A, K, W_k, from_key);
    additive_scores(N_Q, N_K, D_Q, D_K, D_A, W_q, W_k, v_a, Q, K, hidden, scores);
    additive_attention(N_Q, N_K, D_Q, D_K, D_A, D_V, W_q, W_k, v_a, Q, K, V, hidden, weights, out);
    shade_matrix("Q", "the queries: two numbers each", N_Q, D_Q, queries, dims, Q);
    shade_matrix("K", "the keys: three", N_K, D_K, keys, dims, K);
    shade_matrix("W_q query", "the projection of each query", N_Q, D_A, queries, units, from_query);
    shade_matrix("W_k key", "the projection of each key", N_K, D_A, keys, units, from_key);
    shade_matrix("hidden", "tanh of the sum of the two", N_Q * N_K, D_A, pairs, units, hidden[0]);
    shade_matrix("scores", "v_a . hidden, v_a = (1, -0.5)", N_Q, N_K, queries, keys, scores);
    shade_matrix("softmax", "each row sums to 1", N_Q, N_K, queries, keys, weights);
    shade_matrix("weights . V", "the weighted sums of the values", N_Q, D_V, queries, dims, out);
}

static void show_backward(const double hidden[N_Q][N_K][D_A], const double weights[N_Q][N_K]) {
    NEW_MATRIX_FILLED(d_weights, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_scores, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_W_q, D_A, D_Q, 0.0);
    NEW_MATRIX_FILLED(d_W_k, D_A, D_K, 0.0);
    NEW_MATRIX_FILLED(d_v_a, 1, D_A, 0.0);
    NEW_MATRIX_FILLED(d_Q, N_Q, D_Q, 0.0);
    NEW_MATRIX_FILLED(d_K, N_K, D_K, 0.0);
    NEW_MATRIX_FILLED(d_V, N_K, D_V, 0.0);
    blend_backward(N_Q, N_K, D_V, weights, V, d_out, d_weights, d_V);
    softmax_rows_backward(N_Q, N_K, weights, d_weights, d_scores);
    additive_scores_backward(N_Q, N_K, D_Q, D_K, D_A, W_q, W_k, v_a, Q, K, hidden, d_scores, d_W_q,
                             d_W_k, d_v_a[0], d_Q, d_K);
    shade_matrix("d_scores", "for the d_out of lesson 02", N_Q, N_K, queries, keys, d_scores);
    shade_matrix("d_v_a", "from all pairs", 1, D_A, (const char *[]){"v_a"}, units, d_v_a);
    shade_matrix("d_W_q", "through the derivative of tanh", D_A, D_Q, units, dims, d_W_q);
    shade_matrix("d_W_k", "the same, for the keys", D_A, D_K, units, dims, d_W_k);
    shade_matrix("d_Q", "from all keys", N_Q, D_Q, queries, dims, d_Q);
    shade_matrix("d_K", "from all queries", N_K, D_K, keys, dims, d_K);
}

int main(void) {
    NEW_BLOCK(hidden, N_Q, N_K, D_A);
    NEW_MATRIX(weights, N_Q, N_K);
    shade_title("Lesson 04: the worked example, computed by your code");
    show_forward(hidden, weights);
    shade_title("... and the backward pass");
    show_backward(hidden, weights);
    matrix_free_all();
}
