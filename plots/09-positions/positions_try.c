/* Attention weights of your sentence with three methods, computed by your functions of lesson 09.
 */
#include "positions.h"

#include "ask.h"
#include "dot_product.h"
#include "matrix.h"
#include "product.h"
#include "scaled.h"
#include "shade.h"
#include "words.h"

static char sentence[ASK_LINE] = "the cat saw the cat";
static struct ask_table given;
static struct ask_table q = {1, 2, {1, 0}}, k = {1, 2, {0, 1}};

/* The words, and matrices for the results. */
#define SENTENCE(X, weights, out)                                                                  \
    struct words w;                                                                                \
    words_read(&w, sentence);                                                                      \
    NEW_MATRIX(X, w.n, WORDS_D);                                                                   \
    NEW_MATRIX(weights, w.n, w.n);                                                                 \
    NEW_MATRIX(out, w.n, WORDS_D);                                                                 \
    words_vectors(&w, X)

static void show_nothing(void) {
    SENTENCE(X, weights, out);
    scaled_dot_product_attention(w.n, w.n, WORDS_D, WORDS_D, X, X, X, weights, out);
    words_show("weights", "equal words have equal rows", &w, weights);
}

static void show_sinusoidal(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(P, w.n, WORDS_D);
    sinusoidal_positions(w.n, WORDS_D, 0, P);
    add_into(w.n * WORDS_D, P, X);
    scaled_dot_product_attention(w.n, w.n, WORDS_D, WORDS_D, X, X, X, weights, out);
    words_show("weights", "sinusoidal: no two rows are equal", &w, weights);
}

static void show_rope(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(rotated, w.n, WORDS_D);
    rotate(w.n, WORDS_D, 0, X, rotated);
    scaled_dot_product_attention(w.n, w.n, WORDS_D, WORDS_D, rotated, rotated, X, weights, out);
    words_show("weights", "RoPE: the distance matters", &w, weights);
}

static void show_alibi(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(bias, w.n, w.n);
    alibi_bias(w.n, w.n, 0, given.numbers[0], bias);
    biased_attention(w.n, w.n, WORDS_D, WORDS_D, X, X, X, bias, NULL, weights, out);
    words_show("weights", "ALiBi: far words have a penalty", &w, weights);
}

static void show_position(void) {
    if (given.cols != 2 || !(given.numbers[1] >= 1.0 && given.numbers[1] <= ASK_COLS))
        ask_refuse("Give a position and a number of dimensions from 1 to %d.", ASK_COLS);
    int d = (int)given.numbers[1];
    NEW_MATRIX(P, 1, d);
    sinusoidal_positions(1, d, (int)given.numbers[0], P);
    shade_matrix("encoding", "sine, cosine, sine, ...", 1, d, ask_names("row", 1),
                 ask_names("dim", d), P);
}

/* The dot products of the query and the key, at six positions each. */
static void show_pair(void) {
    enum { POSITIONS = 6 };
    int d = q.cols;
    if (q.rows != 1 || k.rows != 1 || k.cols != d)
        ask_refuse("Give one query and one key of the same size. These have %d and %d dimensions.",
                   q.cols, k.cols);
    NEW_MATRIX(Q, POSITIONS, d);
    NEW_MATRIX(K, POSITIONS, d);
    NEW_MATRIX(products, POSITIONS, POSITIONS);
    for (int i = 0; i < POSITIONS; i++) {
        rotate(1, d, i, ASK_MATRIX(q, d), Q + i);
        rotate(1, d, i, ASK_MATRIX(k, d), K + i);
    }
    dot_scores(POSITIONS, POSITIONS, d, Q, K, products);
    shade_matrix("q . k, rotated", "one distance per diagonal", POSITIONS, POSITIONS,
                 ask_names("query", POSITIONS), ask_names("key", POSITIONS), products);
}

int main(void) {
    ask(9, WORDS_NOTE,
        (const struct ask_command[]){
            {"the cat saw the cat", "a sentence, without positions", NULL, sentence, show_nothing},
            {"sinusoidal", "with the sinusoidal encoding added", NULL, NULL, show_sinusoidal},
            {"rope", "with rotated queries and keys", NULL, NULL, show_rope},
            {"alibi 0.5", "with ALiBi and this slope", &given, NULL, show_alibi},
            {"position 1 5", "encoding of a position, and its dimensions", &given, NULL,
             show_position},
            {"query 1 0", "a query, rotated at six positions", &q, NULL, show_pair},
            {"key 0 1", "a key, rotated at six positions", &k, NULL, show_pair},
            {0},
        });
}
