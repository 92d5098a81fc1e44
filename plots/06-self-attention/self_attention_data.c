/* Tables for the pictures of lesson 06, into the folder given. */
#include "../attention.h"
#include "columns.h"
#include "dot_product.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "scaled.h"
#include "self_attention.h"

#include <stdio.h>

#define WORDS 7
#define MODEL 4
#define IT    4
#define CAT   1

enum path { BY_Q, BY_K, BY_V, TOGETHER, PATHS };

static const char *const words[WORDS] = {"the", "cat", "sat", "because", "it", "was", "tired"};

/* How the loss changes as X[i] becomes X[i] times 1 + h, for a small h: a single number for each
   word, which adds up over the paths, as lengths of gradients do not. */
static void as_words_grow(const double X[WORDS][MODEL], const double d_X[WORDS][MODEL],
                          enum path path, double table[WORDS][PATHS]) {
    for (int i = 0; i < WORDS; i++)
        table[i][path] = dot(MODEL, X[i], d_X[i]);
}

static void one_path(const double X[WORDS][MODEL], const double W[MODEL][MODEL],
                     const double d_projected[WORDS][MODEL], enum path path,
                     double table[WORDS][PATHS]) {
    NEW_MATRIX_FILLED(d_X, WORDS, MODEL, 0.0);
    NEW_MATRIX_FILLED(d_W, MODEL, MODEL, 0.0);
    project_backward(WORDS, MODEL, MODEL, X, W, d_projected, d_X, d_W);
    as_words_grow(X, d_X, path, table);
}

/* Words and matrices are random and untrained, with a seed picked so that much happens. W holds
   W_q, W_k and W_v. */
static void compute_paths(const double X[WORDS][MODEL], const double W[3][MODEL][MODEL],
                          double table[WORDS][PATHS]) {
    NEW_MATRIX(Q, WORDS, MODEL);
    NEW_MATRIX(K, WORDS, MODEL);
    NEW_MATRIX(V, WORDS, MODEL);
    NEW_OUTPUTS(WORDS, WORDS, MODEL);
    NEW_MATRIX_FILLED(d_out, WORDS, MODEL, 0.0);
    NEW_GRADIENTS(WORDS, WORDS, MODEL, MODEL);
    NEW_MATRIX_FILLED(d_X, WORDS, MODEL, 0.0);
    NEW_BLOCK(d_W, 3, MODEL, MODEL);
    fill(3 * MODEL * MODEL, 0.0, d_W);
    self_attention(WORDS, MODEL, MODEL, MODEL, X, W[0], W[1], W[2], NULL, Q, K, V, weights, out);
    for (int c = 0; c < MODEL; c++)  // of half the squared distance of "it" to "cat"
        d_out[IT][c] = out[IT][c] - X[CAT][c];
    scaled_dot_product_attention_backward(WORDS, WORDS, MODEL, MODEL, Q, K, V, weights, d_out, d_Q,
                                          d_K, d_V);
    one_path(X, W[0], d_Q, BY_Q, table);
    one_path(X, W[1], d_K, BY_K, table);
    one_path(X, W[2], d_V, BY_V, table);
    self_attention_backward(WORDS, MODEL, MODEL, MODEL, X, W[0], W[1], W[2], NULL, Q, K, V, weights,
                            d_out, d_X, d_W[0], d_W[1], d_W[2]);
    as_words_grow(X, d_X, TOGETHER, table);
}

static void gradients_by_path(const char *folder) {
    struct random generator = random_seed(8824);
    FILE *file = columns_open(folder, "gradients_paths.dat", "word q k v together");
    NEW_MATRIX_RANDOM(X, WORDS, MODEL, &generator);
    NEW_BLOCK(W, 3, MODEL, MODEL);
    NEW_MATRIX(table, WORDS, PATHS);
    random_fill_normal(&generator, 3 * MODEL * MODEL, W);
    scale_into(3 * MODEL * MODEL, 0.7, W, W);
    compute_paths(X, W, table);
    for (int i = 0; i < WORDS; i++)
        columns_row(file, words[i], PATHS, table[i]);
    columns_close(file);
    matrix_free_all();
}

int main(int argc, char **argv) {
    static const struct picture_tables all[] = {
        {"gradients_paths", gradients_by_path},
        {NULL, NULL},
    };
    return columns_main(argc, argv, all);
}
