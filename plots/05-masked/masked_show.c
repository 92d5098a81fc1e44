/* The worked example of lesson 05, step by step, at the terminal. */
#include "masked.h"

#include "dot_product.h"
#include "scaled.h"
#include "softmax.h"

#include "../attention.h"
#include "../worked.h"
#include "product.h"
#include "shade.h"

#include <stdio.h>

enum { N = N_K };

static const char *const row[] = {"one row"};

/* Laid out as shade_matrix() does it, but in whole numbers. */
static void show_mask(const char *what, const char *note, const bool blocked[N][N]) {
    printf("\n %-17s%8s%8s%8s  %s\n", what, keys[0], keys[1], keys[2], note);
    for (int i = 0; i < N; i++)
        printf("   %-15s%8d%8d%8d\n", queries[i], blocked[i][0], blocked[i][1], blocked[i][2]);
}

static void show_forward(const bool blocked[N][N], double weights[N][N]) {
    NEW_MATRIX(scores, N, N);
    NEW_MATRIX(out, N, D_V);
    dot_scores(N, N, D_K, Q, K, scores);
    scale_into(N * N, attention_scale(D_K), scores, scores);
    shade_matrix("scaled scores", "as in lesson 03", N, N, queries, keys, scores);
    show_mask("blocked", "1: blocked", blocked);
    masked_attention(N, N, D_K, D_V, Q, K, V, blocked, weights, out);
    shade_matrix("weights", "each row still sums to 1", N, N, queries, keys, weights);
    shade_matrix("out", "query 0 has only key 0", N, D_V, queries, dims, out);
}

static void show_backward(const bool blocked[N][N], const double weights[N][N]) {
    NEW_MATRIX_FILLED(d_weights, N, N, 0.0);
    NEW_MATRIX_FILLED(d_scores, N, N, 0.0);
    NEW_GRADIENTS(N, N, D_K, D_V);
    blend_backward(N, N, D_V, weights, V, d_out, d_weights, d_V);
    softmax_rows_backward(N, N, weights, d_weights, d_scores);
    shade_matrix("d_out", "the gradient of the output", N, D_V, queries, dims, d_out);
    shade_matrix("d_weights", "d_out . V^T, blocked or not", N, N, queries, keys, d_weights);
    shade_matrix("d_scores", "0 where blocked", N, N, queries, keys, d_scores);
    fill(N * D_V, 0.0, d_V);
    masked_attention_backward(N, N, D_K, D_V, Q, K, V, blocked, weights, d_out, d_Q, d_K, d_V);
    shade_matrix("d_Q", "query 0 has only one key", N, D_K, queries, dims, d_Q);
    shade_matrix("d_K", "no earlier query adds to it", N, D_K, keys, dims, d_K);
    shade_matrix("d_V", "key 2: from query 2 alone", N, D_V, keys, dims, d_V);
}

static void show_padding(void) {
    NEW_MASK(blocked, N, N);
    NEW_OUTPUTS(N, N, D_V);
    padding_mask(N, N, 2, blocked);
    masked_attention(N, N, D_K, D_V, Q, K, V, blocked, weights, out);
    shade_matrix("padding, length 2", "key 2 is blocked", N, N, queries, keys, weights);
}

static void show_dropout(void) {
    const char *const places[] = {"0", "1", "2", "3"};
    NEW_MATRIX_OF(in, 1, 4, {1, 2, 3, 4});
    NEW_MATRIX_OF(uniform, 1, 4, {.5, .1, .9, .2});
    NEW_MATRIX(out, 1, 4);
    dropout(4, 0.2, uniform[0], in[0], out[0]);
    shade_matrix("dropout: in", NULL, 1, 4, row, places, in);
    shade_matrix("uniform", "below 0.2: out", 1, 4, row, places, uniform);
    shade_matrix("out", "the others times 1.25", 1, 4, row, places, out);
}

int main(void) {
    NEW_MASK(blocked, N, N);
    NEW_MATRIX(weights, N, N);
    causal_mask(N, blocked);
    shade_title("Lesson 05: the worked example, computed by your code");
    show_forward(blocked, weights);
    shade_title("The backward pass");
    show_backward(blocked, weights);
    shade_title("The other mask, and dropout");
    show_padding();
    show_dropout();
    matrix_free_all();
}
