/* The worked example of lesson 02, step by step, at the terminal. */
#include "dot_product.h"

#include "softmax.h"

#include "../attention.h"
#include "../worked.h"
#include "shade.h"

enum { N_Q = 2, D = D_K };

static void show_forward(void) {
    NEW_MATRIX(scores, N_Q, N_K);
    NEW_OUTPUTS(N_Q, N_K, D_V);
    dot_scores(N_Q, N_K, D, Q, K, scores);
    dot_product_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    shade_matrix("Q", "what each query looks for", N_Q, D, queries, dims, Q);
    shade_matrix("K", "what each key offers", N_K, D, keys, dims, K);
    shade_matrix("Q . K^T", "how well each key matches", N_Q, N_K, queries, keys, scores);
    shade_matrix("softmax", "each row sums to 1", N_Q, N_K, queries, keys, weights);
    shade_matrix("V", "what each key gives", N_K, D_V, keys, dims, V);
    shade_matrix("weights . V", "weighted sum of the values", N_Q, D_V, queries, dims, out);
    hard_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    shade_matrix("hard weights", "1 at the best key of each row", N_Q, N_K, queries, keys, weights);
}

static void show_backward(void) {
    NEW_OUTPUTS(N_Q, N_K, D_V);
    NEW_MATRIX_FILLED(d_weights, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_scores, N_Q, N_K, 0.0);
    NEW_GRADIENTS(N_Q, N_K, D, D_V);
    dot_product_attention(N_Q, N_K, D, D_V, Q, K, V, weights, out);
    blend_backward(N_Q, N_K, D_V, weights, V, d_out, d_weights, d_V);
    softmax_rows_backward(N_Q, N_K, weights, d_weights, d_scores);
    dot_scores_backward(N_Q, N_K, D, Q, K, d_scores, d_Q, d_K);
    shade_matrix("d_out", "gradient of the output", N_Q, D_V, queries, dims, d_out);
    shade_matrix("d_weights", "d_out . V^T", N_Q, N_K, queries, keys, d_weights);
    shade_matrix("d_scores", "each row sums to 0", N_Q, N_K, queries, keys, d_scores);
    shade_matrix("d_Q", "from all keys", N_Q, D, queries, dims, d_Q);
    shade_matrix("d_K", "from all queries", N_K, D, keys, dims, d_K);
    shade_matrix("d_V", "from all queries", N_K, D_V, keys, dims, d_V);
}

int main(void) {
    shade_title("Lesson 02: the worked example, computed by your code");
    show_forward();
    shade_title("... and the backward pass");
    show_backward();
    matrix_free_all();
}
