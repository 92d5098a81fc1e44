/* The worked examples of lesson 09, step by step, at the terminal. */
#include "positions.h"

#include "dot_product.h"

#include "matrix.h"
#include "shade.h"

static const char *const numbers[] = {"0", "1", "2", "3", "4"};
static const char *const waves[] = {"sin 0", "cos 0", "sin 1", "cos 1", "sin 2"};

/* A table of three words, of which four are said. */
static void show_table(void) {
    enum { N = 4, VOCABULARY = 3, D = 2 };
    static const int words[N] = {2, 0, 2, 1};
    static const char *const said[] = {"word 2", "word 0", "word 2", "word 1"};
    static const char *const rows[] = {"word 0", "word 1", "word 2"};
    NEW_MATRIX_OF(table, VOCABULARY, D, {1, 2}, {3, 4}, {5, 6});
    NEW_MATRIX_OF(d_X, N, D, {1, 2}, {3, 4}, {0.5, -1}, {6, 8});
    NEW_MATRIX_FILLED(d_table, VOCABULARY, D, 0.0);
    NEW_MATRIX(X, N, D);
    embed(N, VOCABULARY, D, 10.0, words, table, X);
    embed_backward(N, VOCABULARY, D, 10.0, words, d_X, d_table);
    shade_matrix("table", "a row for each word there is", VOCABULARY, D, rows, numbers, table);
    shade_matrix("X", "a row for each said, times 10", N, D, said, numbers, X);
    shade_matrix("d_X", "what the loss wants", N, D, said, numbers, d_X);
    shade_matrix("d_table", "word 2 hears from both", VOCABULARY, D, rows, numbers, d_table);
}

static void show_waves(void) {
    enum { PLACES = 3, PAIRS = 2, D = 4, ODD = 5 };
    static const char *const places[] = {"place 0", "place 1", "place 2"};
    static const char *const pairs[] = {"pair 0", "pair 1"};
    NEW_MATRIX(angles, PLACES, PAIRS);
    NEW_MATRIX(P, PLACES, D);
    NEW_MATRIX(odd, 1, ODD);
    for (int i = 0; i < PLACES; i++)
        for (int p = 0; p < PAIRS; p++)
            angles[i][p] = position_angle(i, p, D);
    sinusoidal_positions(PLACES, D, 0, P);
    sinusoidal_positions(1, ODD, 1, odd);
    shade_matrix("angles", "a fast clock and a slow one", PLACES, PAIRS, places, pairs, angles);
    shade_matrix("waves", "of these angles", PLACES, D, places, waves, P);
    shade_matrix("d = 5", "the last sine has no cosine", 1, ODD, &places[1], waves, odd);
}

static void show_turn(void) {
    enum { D = 4 };
    static const char *const row[] = {"place 1"};
    NEW_MATRIX_OF(X, 1, D, {1, 2, 3, 4});
    NEW_MATRIX(out, 1, D);
    NEW_MATRIX_FILLED(back, 1, D, 0.0);
    rotate(1, D, 1, X, out);
    rotate_backward(1, D, 1, X, back);
    shade_matrix("X", "two pairs", 1, D, row, numbers, X);
    shade_matrix("turned", "by 1 and by 0.01", 1, D, row, numbers, out);
    shade_matrix("d_X", "if X were d_out: the other way", 1, D, row, numbers, back);
}

/* Each row is the query at that place, each column the key. */
static void show_distance(void) {
    enum { PLACES = 5, D = 2 };
    static const char *const queries[] = {"query 0", "query 1", "query 2", "query 3", "query 4"};
    static const char *const keys[] = {"key 0", "key 1", "key 2", "key 3", "key 4"};
    NEW_MATRIX_OF(q, PLACES, D, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0});
    NEW_MATRIX_OF(k, PLACES, D, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1});
    NEW_MATRIX(Q, PLACES, D);
    NEW_MATRIX(K, PLACES, D);
    NEW_MATRIX(products, PLACES, PLACES);
    rotate(PLACES, D, 0, q, Q);
    rotate(PLACES, D, 0, k, K);
    dot_scores(PLACES, PLACES, D, Q, K, products);
    shade_matrix("Q . K^T", "alike along each diagonal", PLACES, PLACES, queries, keys, products);
}

static void show_charge(void) {
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
    shade_matrix("slopes", "of four heads", 1, HEADS, (const char *[]){"a word"}, heads, slopes);
    shade_matrix("bias", "at slope 1/2; all scores are 0", 1, N_K, row, keys, bias);
    shade_matrix("weights", "the nearer, the more", 1, N_K, row, keys, weights);
    shade_number("out", "of the values 1, 2, 3", out[0][0]);
}

int main(void) {
    shade_title("Lesson 09: words from a table, computed by your code");
    show_table();
    shade_title("Waves: each pair of numbers is a clock");
    show_waves();
    shade_title("A turn, and the way back");
    show_turn();
    shade_title("A query (1, 0) and a key (0, 1), at any places: the distance is all");
    show_distance();
    shade_title("A charge for each word of distance");
    show_charge();
    matrix_free_all();
}
