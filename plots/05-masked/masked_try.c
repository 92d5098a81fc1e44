/* Your sentence under your masks of lesson 05. */
#include "masked.h"

#include "ask.h"
#include "matrix.h"
#include "random.h"
#include "shade.h"
#include "words.h"

#include <stdio.h>

static char sentence[ASK_LINE] = "the cat sat on the mat";
static struct ask_table padding, given;

/* Self-attention: queries, keys and values are the vectors of the words. */
static void show_under(const struct words *w, const char *what, const char *note,
                       const bool blocked[w->n][w->n]) {
    NEW_MATRIX(X, w->n, WORDS_D);
    NEW_MATRIX(weights, w->n, w->n);
    NEW_MATRIX(out, w->n, WORDS_D);
    words_vectors(w, X);
    masked_attention(w->n, w->n, WORDS_D, WORDS_D, X, X, X, blocked, weights, out);
    words_show(what, note, w, weights);
}

static void show_causal(void) {
    struct words w;
    words_read(&w, sentence);
    NEW_MASK(blocked, w.n, w.n);
    causal_mask(w.n, blocked);
    show_under(&w, "causal mask", "no later words", blocked);
}

static void show_open(void) {
    struct words w;
    words_read(&w, sentence);
    NEW_MASK_FILLED(blocked, w.n, w.n, false);
    show_under(&w, "no mask", "all words attend to all", blocked);
}

static bool is_length(double length, int most) {
    return length >= 0.0 && length <= most && length == (int)length;
}

static void show_padding(void) {
    struct words w;
    words_read(&w, sentence);
    if (padding.rows * padding.cols != 1 || !is_length(padding.numbers[0], w.n))
        ask_refuse("How many of the %d words count? A number from 0 to %d.", w.n, w.n);
    NEW_MASK(blocked, w.n, w.n);
    NEW_MASK(both, w.n, w.n);
    padding_mask(w.n, w.n, (int)padding.numbers[0], blocked);
    show_under(&w, "padding mask", "the rest is blocked", blocked);
    causal_mask(w.n, both);
    block_either(w.n, w.n, blocked, both, both);
    show_under(&w, "both masks", "nor ahead", both);
}

static void show_dropout(void) {
    int n = given.cols - 1;
    double rate = given.numbers[0];
    if (given.rows != 1 || n < 1 || !(rate >= 0.0 && rate < 1.0))
        ask_refuse("A rate from 0 to below 1, then the numbers, in one row.");
    struct random r = random_seed(seed_wanted());
    NEW_MATRIX(uniform, 1, n);
    NEW_MATRIX(out, 1, n);
    random_fill_uniform(&r, n, uniform);
    dropout(n, rate, uniform[0], given.numbers + 1, out[0]);
    shade_matrix("uniform", "below the rate: out", 1, n, ask_names("row", 1), ask_names("", n),
                 uniform);
    shade_matrix("out", "the others make up for it", 1, n, ask_names("row", 1), ask_names("", n),
                 out);
}

int main(void) {
    ask(5, WORDS_NOTE,
        (const struct ask_command[]){
            {"the cat sat on the mat", "your sentence, under the causal mask", NULL, sentence,
             show_causal},
            {"pad 4", "the same, and only 4 of its words count", &padding, NULL, show_padding},
            {"open", "the same without a mask", NULL, NULL, show_open},
            {"dropout .2 1 2 3 4", "rate, then numbers; SEED=2 draws others", &given, NULL,
             show_dropout},
            {0},
        });
}
