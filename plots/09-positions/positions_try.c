/* Your sentence, told in four ways where its words stand, through your functions of lesson 09. */
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

/* The words, and room for what they become. */
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
    words_show("weights", "the same word, the same row", &w, weights);
}

static void show_waves(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(P, w.n, WORDS_D);
    sinusoidal_positions(w.n, WORDS_D, 0, P);
    add_into(w.n * WORDS_D, P, X);
    scaled_dot_product_attention(w.n, w.n, WORDS_D, WORDS_D, X, X, X, weights, out);
    words_show("weights", "waves added: no two rows alike", &w, weights);
}

static void show_turn(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(turned, w.n, WORDS_D);
    rotate(w.n, WORDS_D, 0, X, turned);
    scaled_dot_product_attention(w.n, w.n, WORDS_D, WORDS_D, turned, turned, X, weights, out);
    words_show("weights", "turned: the distance counts", &w, weights);
}

static void show_charge(void) {
    SENTENCE(X, weights, out);
    NEW_MATRIX(bias, w.n, w.n);
    alibi_bias(w.n, w.n, 0, given.numbers[0], bias);
    biased_attention(w.n, w.n, WORDS_D, WORDS_D, X, X, X, bias, NULL, weights, out);
    words_show("weights", "far words pay", &w, weights);
}

static void show_place(void) {
    if (given.cols != 2 || !(given.numbers[1] >= 1.0 && given.numbers[1] <= ASK_COLS))
        ask_refuse("A place, and of how many numbers: 1 to %d.", ASK_COLS);
    int d = (int)given.numbers[1];
    NEW_MATRIX(P, 1, d);
    sinusoidal_positions(1, d, (int)given.numbers[0], P);
    shade_matrix("waves", "sine, cosine, sine, ...", 1, d, ask_names("row", 1), ask_names("dim", d),
                 P);
}

/* The query at each of six places, and the key. */
static void show_pair(void) {
    enum { PLACES = 6 };
    int d = q.cols;
    if (q.rows != 1 || k.rows != 1 || k.cols != d)
        ask_refuse("One query and one key, of equally many numbers: these have %d and %d.", q.cols,
                   k.cols);
    NEW_MATRIX(Q, PLACES, d);
    NEW_MATRIX(K, PLACES, d);
    NEW_MATRIX(products, PLACES, PLACES);
    for (int i = 0; i < PLACES; i++) {
        rotate(1, d, i, ASK_MATRIX(q, d), Q + i);
        rotate(1, d, i, ASK_MATRIX(k, d), K + i);
    }
    dot_scores(PLACES, PLACES, d, Q, K, products);
    shade_matrix("q . k, turned", "a diagonal is a distance", PLACES, PLACES,
                 ask_names("query", PLACES), ask_names("key", PLACES), products);
}

int main(void) {
    ask(9, WORDS_NOTE,
        (const struct ask_command[]){
            {"the cat saw the cat", "your sentence; told nothing", NULL, sentence, show_nothing},
            {"waves", "the same, with the waves of its places", NULL, NULL, show_waves},
            {"turn", "the same, queries and keys turned", NULL, NULL, show_turn},
            {"charge 0.5", "the same, charged by this slope", &given, NULL, show_charge},
            {"place 1 5", "the waves of a place, and of how many numbers", &given, NULL,
             show_place},
            {"query 1 0", "one query, at six places, turned", &q, NULL, show_pair},
            {"key 0 1", "one key, at six places", &k, NULL, show_pair},
            {0},
        });
}
