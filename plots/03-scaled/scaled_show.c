/* The worked example of lesson 03, step by step, at the terminal. */
#include "scaled.h"

#include "dot_product.h"
#include "softmax.h"

#include "../attention.h"
#include "../worked.h"
#include "shade.h"

enum { N_Q = 2 };

static void scale(double scores[N_Q][N_K]) {
    for (int i = 0; i < N_Q; i++)
        for (int j = 0; j < N_K; j++)
            scores[i][j] *= attention_scale(D_K);
}

static void show_forward(void) {
    NEW_MATRIX(products, N_Q, N_K);
    NEW_OUTPUTS(N_Q, N_K, D_V);
    dot_scores(N_Q, N_K, D_K, Q, K, products);
    NEW_MATRIX_LIKE(scores, N_Q, N_K, products);
    scale(scores);
    scaled_dot_product_attention(N_Q, N_K, D_K, D_V, Q, K, V, weights, out);
    shade_matrix("dot products", "as in lesson 02", N_Q, N_K, queries, keys, products);
    shade_number("scale", "1 / sqrt(d_k), with d_k = 3", attention_scale(D_K));
    shade_matrix("scores", "dot products times the scale", N_Q, N_K, queries, keys, scores);
    shade_number("variance", "of the dot products ...", variance(N_Q * N_K, products[0]));
    shade_number("variance", "... and of the scores", variance(N_Q * N_K, scores[0]));
    shade_matrix("softmax", "more equal than without the scale", N_Q, N_K, queries, keys, weights);
    shade_number("mean entropy", "1.0986 at equal weights", mean_entropy(N_Q, N_K, weights));
    NEW_MATRIX(unscaled, N_Q, N_K);
    NEW_MATRIX(unscaled_out, N_Q, D_V);
    dot_product_attention(N_Q, N_K, D_K, D_V, Q, K, V, unscaled, unscaled_out);
    shade_number("mean entropy", "lesson 02's weights", mean_entropy(N_Q, N_K, unscaled));
    shade_matrix("weights . V", "a row for each query", N_Q, D_V, queries, dims, out);
}

static void show_scores_backward(const double weights[N_Q][N_K]) {
    NEW_MATRIX_FILLED(d_weights, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_scores, N_Q, N_K, 0.0);
    NEW_MATRIX_FILLED(d_V, N_K, D_V, 0.0);
    blend_backward(N_Q, N_K, D_V, weights, V, d_out, d_weights, d_V);
    softmax_rows_backward(N_Q, N_K, weights, d_weights, d_scores);
    NEW_MATRIX_LIKE(d_products, N_Q, N_K, d_scores);
    scale(d_products);
    shade_matrix("d_out", "the gradient of the output", N_Q, D_V, queries, dims, d_out);
    shade_matrix("d_weights", "d_out . V^T", N_Q, N_K, queries, keys, d_weights);
    shade_matrix("d_scores", "each row sums to 0", N_Q, N_K, queries, keys, d_scores);
    shade_matrix("d_dot", "d_scores times scale", N_Q, N_K, queries, keys, d_products);
}

static void show_backward(void) {
    NEW_OUTPUTS(N_Q, N_K, D_V);
    NEW_GRADIENTS(N_Q, N_K, D_K, D_V);
    scaled_dot_product_attention(N_Q, N_K, D_K, D_V, Q, K, V, weights, out);
    show_scores_backward(weights);
    scaled_dot_product_attention_backward(N_Q, N_K, D_K, D_V, Q, K, V, weights, d_out, d_Q, d_K,
                                          d_V);
    shade_matrix("d_Q", "from all keys, scaled", N_Q, D_K, queries, dims, d_Q);
    shade_matrix("d_K", "from all queries, scaled", N_K, D_K, keys, dims, d_K);
    shade_matrix("d_V", "no scale: V comes after the softmax", N_K, D_V, keys, dims, d_V);
}

int main(void) {
    shade_title("Lesson 03: the worked example, computed by your code");
    show_forward();
    shade_title("... and the backward pass");
    show_backward();
    matrix_free_all();
}
