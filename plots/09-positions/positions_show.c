/* The worked examples of lesson 09, step by step, at the terminal. */
#include "positions.h"

#include "dot_product.h"

#include "matrix.h"
#include "shade.h"

static const char *const numbers[] = {"0", "1", "2", "3", "4"};
static const char *const sines[] = {"sin 0", "cos 0", "sin 1", "cos 1", "sin 2"};

/* A table of three words, and an input of four words. */
static void show_table(void) {
    enum { N = 4, VOCABULARY = 3, D = 2 };
    static const int words[N] = {2, 0, 2, 1};
    static const char *const input[] = {"word 2", "word 0", "word 2", "word 1"};
    static const char *const rows[] = {"word 0", "word 1", "word 2"};
    NEW_MATRIX_OF(table, VOCABULARY, D, {1, 2}, {3, 4}, {5, 6});
    NEW_MATRIX_OF(d_X, N, D, {1, 2}, {3, 4}, {0.5, -1}, {6, 8});
    NEW_MATRIX_FILLED(d_table, VOCABULARY, D, 0.0);
    NEW_MATRIX(X, N, D);
    embed(N, VOCABULARY, D, 10.0, words, table, X);
    embed_backward(N, VOCABULARY, D, 10.0, words, d_X, d_table);
    shade_matrix("table", "one row for each word of the vocabulary", VOCABULARY, D, rows, numbers,
                 table);
    shade_matrix("X", "one row for each word of the input, times 10", N, D, input, numbers, X);
    shade_matrix("d_X", "the gradient of X", N, D, input, numbers, d_X);
    shade_matrix("d_table", "word 2 gets the gradients of both its positions", VOCABULARY, D, rows,
                 numbers, d_table);
}

static void show_encoding(void) {
    enum { POSITIONS = 3, PAIRS = 2, D = 4, ODD = 5 };
    static const char *const positions[] = {"position 0", "position 1", "position 2"};
    static const char *const pairs[] = {"pair 0", "pair 1"};
    NEW_MATRIX(angles, POSITIONS, PAIRS);
    NEW_MATRIX(P, POSITIONS, D);
    NEW_MATRIX(odd, 1, ODD);
    for (int i = 0; i < POSITIONS; i++)
        for (int p = 0; p < PAIRS; p++)
            angles[i][p] = position_angle(i, p, D);
    sinusoidal_positions(POSITIONS, D, 0, P);
    sinusoidal_positions(1, ODD, 1, odd);
    shade_matrix("angles", "pair 0 is fast, pair 1 slow", POSITIONS, PAIRS, positions, pairs,
                 angles);
    shade_matrix("encoding", "sines and cosines of the angles", POSITIONS, D, positions, sines, P);
    shade_matrix("d = 5", "the last sine has no cosine", 1, ODD, &positions[1], sines, odd);
}

static void show_rotation(void) {
    enum { D = 4 };
    static const char *const row[] = {"position 1"};
    NEW_MATRIX_OF(X, 1, D, {1, 2, 3, 4});
    NEW_MATRIX(out, 1, D);
    NEW_MATRIX_FILLED(back, 1, D, 0.0);
    rotate(1, D, 1, X, out);
    rotate_backward(1, D, 1, X, back);
    shade_matrix("X", "two pairs", 1, D, row, numbers, X);
    shade_matrix("rotated", "by 1 and by 0.01", 1, D, row, numbers, out);
    shade_matrix("d_X", "if d_out is X: rotated back", 1, D, row, numbers, back);
}

/* Each row is the query at one position, and each column the key at one position. */
static void show_distance(void) {
    enum { POSITIONS = 5, D = 2 };
    static const char *const queries[] = {"query 0", "query 1", "query 2", "query 3", "query 4"};
    static const char *const keys[] = {"key 0", "key 1", "key 2", "key 3", "key 4"};
    NEW_MATRIX_OF(q, POSITIONS, D, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0});
    NEW_MATRIX_OF(k, POSITIONS, D, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1});
    NEW_MATRIX(Q, POSITIONS, D);
    NEW_MATRIX(K, POSITIONS, D);
    NEW_MATRIX(products, POSITIONS, POSITIONS);
    rotate(POSITIONS, D, 0, q, Q);
    rotate(POSITIONS, D, 0, k, K);
    dot_scores(POSITIONS, POSITIONS, D, Q, K, products);
    shade_matrix("Q . K^T", "equal along each diagonal", POSITIONS, POSITIONS, queries, keys,
                 products);
}

static void show_alibi(void) {
    enum { HEADS = 4, N_K = 3 };
    static const char *const heads[] = {"head 0", "head 1", "head 2", "head 3"};
    static const char *const keys[] = {"key 0", "key 1", "key 2"}, *const row[] = {"query 2"};
    NEW_MATRIX(slopes, 1, HEADS);
    NEW_MATRIX_OF(Q, 1, 1, {0});
    NEW_MATRIX_OF(K, N_K, 1, {1}, {2}, {3});
    NEW_MATRIX(bias, 1, N_K);
    NEW_MATRIX(weights, 1, N_K);
    NEW_MATRIX(out, 1, 1);
    for (int h = 0; h < HEADS; h++)
        slopes[0][h] = alibi_slope(HEADS, h);
    alibi_bias(1, N_K, 2, 0.5, bias);
    biased_attention(1, N_K, 1, 1, Q, K, K, bias, NULL, weights, out);
    shade_matrix("slopes", "of four heads", 1, HEADS, (const char *[]){"slope"}, heads, slopes);
    shade_matrix("bias", "slope 1/2, all scores are 0", 1, N_K, row, keys, bias);
    shade_matrix("weights", "near keys get more", 1, N_K, row, keys, weights);
    shade_number("out", "of the values 1, 2, 3", out[0][0]);
}

int main(void) {
    shade_title("Lesson 09, computed by your code: embeddings");
    show_table();
    shade_title("Sinusoidal positional encoding");
    show_encoding();
    shade_title("RoPE: rotation, and its backward pass");
    show_rotation();
    shade_title("A query (1, 0) and a key (0, 1), rotated for their positions");
    show_distance();
    shade_title("ALiBi: a penalty that grows with the distance");
    show_alibi();
    matrix_free_all();
}
