/* The worked example of lesson 02, step by step, at the terminal. */
#include "dot_product.h"

#include "softmax.h"

#include "matrix.h"
#include "shade.h"

enum { N_Q = 2, N_K = 3, D = 3, D_V = 2 };

static const char *const queries[] = {"query 0", "query 1"};
static const char *const keys[] = {"key 0", "key 1", "key 2"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2"};

static const double Q[N_Q][D] = {{1, 0, 1}, {0, 1, 0}};
static const double K[N_K][D] = {{1, 1, 0}, {0, 1, 1}, {1, 0, 1}};
static const double V[N_K][D_V] = {{1, 2}, {3, 0}, {0, 1}};
static const double d_out[N_Q][D_V] = {{1, 0}, {0, 1}};

static void show_forward(void) {
    NEW_MATRIX(scores, N_Q, N_K);
    NEW_MATRIX(weights, N_Q, N_K);
    NEW_MATRIX(out, N_Q, D_V);
    dot_scores(N_Q, N_K, D, Q, K, scores);
    dot_product_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    shade_matrix("Q", "what each query looks for", N_Q, D, queries, dims, Q);
    shade_matrix("K", "what each key offers", N_K, D, keys, dims, K);
    shade_matrix("Q . K^T", "how well each key matches", N_Q, N_K, queries, keys, scores);
    shade_matrix("softmax", "each row sums to 1", N_Q, N_K, queries, keys, weights);
    shade_matrix("V", "what each key gives", N_K, D_V, keys, dims, V);
    shade_matrix("weights . V", "the blend, a row for each query", N_Q, D_V, queries, dims, out);
    hard_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    shade_matrix("hard weights", "a pick instead of a blend", N_Q, N_K, queries, keys, weights);
}

static void show_backward(void) {
    NEW_MATRIX(weights, N_Q, N_K);
    NEW_MATRIX(out, N_Q, D_V);
    NEW_MATRIX_FILLED(d_weights, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_scores, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_Q, N_Q, D, 0.0);
    NEW_MATRIX_FILLED(d_K, N_K, D, 0.0);
    NEW_MATRIX_FILLED(d_V, N_K, D_V, 0.0);
    dot_product_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    blend_backward(N_Q, N_K, D_V, weights, V, d_out, d_weights, d_V);
    softmax_rows_backward(N_Q, N_K, weights, d_weights, d_scores);
    dot_scores_backward(N_Q, N_K, D, Q, K, d_scores, d_Q, d_K);
    shade_matrix("d_out", "what the loss wants", N_Q, D_V, queries, dims, d_out);
    shade_matrix("d_weights", "d_out . V^T", N_Q, N_K, queries, keys, d_weights);
    shade_matrix("d_scores", "each row sums to 0", N_Q, N_K, queries, keys, d_scores);
    shade_matrix("d_Q", "from all keys", N_Q, D, queries, dims, d_Q);
    shade_matrix("d_K", "from all queries", N_K, D, keys, dims, d_K);
    shade_matrix("d_V", "from all queries", N_K, D_V, keys, dims, d_V);
}

int main(void) {
    shade_title("Lesson 02: the worked example, computed by your code");
    show_forward();
    shade_title("... and the way back");
    show_backward();
    matrix_free_all();
}
