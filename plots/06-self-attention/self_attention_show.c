/* The worked examples of lesson 06, step by step, at the terminal: a self-attention of three words,
   and one of two words with its backward pass. */
#include "self_attention.h"

#include "scaled.h"

#include "../attention.h"
#include "matrix.h"
#include "shade.h"

enum { N = 3, D = 2, D_V = 3 };

static const char *const words[] = {"word 0", "word 1", "word 2"};
static const char *const inputs[] = {"from 0", "from 1"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2"};

static void show_forward(void) {
    NEW_MATRIX_OF(X, N, D, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_OF(W_q, D, D, {0, 2}, {1, 0});
    NEW_MATRIX_OF(W_k, D, D, {1, 0}, {0, 1});
    NEW_MATRIX_OF(W_v, D, D_V, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX(Q, N, D);
    NEW_MATRIX(K, N, D);
    NEW_MATRIX(V, N, D_V);
    NEW_OUTPUTS(N, N, D_V);
    self_attention(N, D, D, D_V, X, W_q, W_k, W_v, NULL, Q, K, V, weights, out);
    shade_matrix("X", "one row for each word", N, D, words, dims, X);
    shade_matrix("W_q", "makes the query of each word", D, D, inputs, dims, W_q);
    shade_matrix("W_v", "makes the values; for W_k see K", D, D_V, inputs, dims, W_v);
    shade_matrix("Q = X W_q", "what each word searches for", N, D, words, dims, Q);
    shade_matrix("K = X W_k", "W_k is the identity, so K = X", N, D, words, dims, K);
    shade_matrix("V = X W_v", "worked by hand in the README", N, D_V, words, dims, V);
    shade_matrix("weights", "word 0 attends to the others", N, N, words, words, weights);
    shade_matrix("out", "weighted sums of the rows of V", N, D_V, words, dims, out);
}

/* Words of one dimension. Every matrix is a single 1, and the loss is the sum of out. */
enum { FEW = 2 };

/* The part of d_X through one path, as a column of `table`. */
static void one_path(int path, const double X[FEW][1], const double W[1][1],
                     const double d_projected[FEW][1], double table[FEW][4]) {
    NEW_MATRIX_FILLED(d_X, FEW, 1, 0.0);
    NEW_MATRIX_FILLED(d_W, 1, 1, 0.0);
    project_backward(FEW, 1, 1, X, W, d_projected, d_X, d_W);
    for (int i = 0; i < FEW; i++)
        table[i][path] = d_X[i][0];
}

static void three_paths(const double X[FEW][1], const double W[1][1], const double Q[FEW][1],
                        const double K[FEW][1], const double V[FEW][1],
                        const double weights[FEW][FEW], const double d_out[FEW][1],
                        double table[FEW][4]) {
    NEW_GRADIENTS(FEW, FEW, 1, 1);
    scaled_dot_product_attention_backward(FEW, FEW, 1, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    one_path(0, X, W, d_Q, table);
    one_path(1, X, W, d_K, table);
    one_path(2, X, W, d_V, table);
}

static void show_backward(const double X[FEW][1], const double W[1][1], const double Q[FEW][1],
                          const double K[FEW][1], const double V[FEW][1],
                          const double weights[FEW][FEW]) {
    const char *const paths[] = {"by Q", "by K", "by V", "all"};
    NEW_MATRIX_OF(d_out, FEW, 1, {1}, {1});
    NEW_MATRIX_FILLED(d_X, FEW, 1, 0.0);
    NEW_MATRIX_FILLED(d_W_q, 1, 1, 0.0);
    NEW_MATRIX_FILLED(d_W_k, 1, 1, 0.0);
    NEW_MATRIX_FILLED(d_W_v, 1, 1, 0.0);
    NEW_MATRIX(table, FEW, 4);
    three_paths(X, W, Q, K, V, weights, d_out, table);
    self_attention_backward(FEW, 1, 1, 1, X, W, W, W, NULL, Q, K, V, weights, d_out, d_X, d_W_q,
                            d_W_k, d_W_v);
    for (int i = 0; i < FEW; i++)
        table[i][3] = d_X[i][0];
    shade_matrix("d_X", "three paths meet", FEW, 4, words, paths, table);
    shade_number("d_W_q", "the sum of X times d_Q", d_W_q[0][0]);
    shade_number("d_W_k", "the sum of X times d_K", d_W_k[0][0]);
    shade_number("d_W_v", "the sum of X times d_V", d_W_v[0][0]);
}

static void show_smaller_example(void) {
    NEW_MATRIX_OF(X, FEW, 1, {1}, {2});
    NEW_MATRIX_OF(W, 1, 1, {1});
    NEW_MATRIX(Q, FEW, 1);
    NEW_MATRIX(K, FEW, 1);
    NEW_MATRIX(V, FEW, 1);
    NEW_OUTPUTS(FEW, FEW, 1);
    self_attention(FEW, 1, 1, 1, X, W, W, W, NULL, Q, K, V, weights, out);
    shade_matrix("X", "one dimension; every W is 1", FEW, 1, words, dims, X);
    shade_matrix("weights", "both prefer the larger word", FEW, FEW, words, words, weights);
    shade_matrix("out", "the loss is their sum", FEW, 1, words, dims, out);
    show_backward(X, W, Q, K, V, weights);
}

int main(void) {
    shade_title("Lesson 06: three words, step by step, computed by your code");
    show_forward();
    shade_title("The worked example: two words, forward and backward pass");
    show_smaller_example();
    matrix_free_all();
}
