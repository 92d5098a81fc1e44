/* Self-attention of your sentence, with your functions of lesson 06. */
#include "self_attention.h"

#include "ask.h"
#include "masked.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "shade.h"
#include "words.h"

#include <math.h>

static char sentence[ASK_LINE] = "the cat sat on the mat";
static struct ask_table seed, given;
static struct ask_table X = {3, 2, {1, 0, 0, 1, 1, 1}}, W = {2, 3, {1, 2, 3, 4, 5, 6}};

/* The values are not shown, so W_v may be any matrix. */
static void show_by(const double W_q[WORDS_D][WORDS_D], const double W_k[WORDS_D][WORDS_D],
                    bool causal, const char *note) {
    struct words w;
    words_read(&w, sentence);
    NEW_MATRIX(words, w.n, WORDS_D);
    NEW_MATRIX(Q, w.n, WORDS_D);
    NEW_MATRIX(K, w.n, WORDS_D);
    NEW_MATRIX(values, w.n, WORDS_D);
    NEW_MATRIX(weights, w.n, w.n);
    NEW_MATRIX(out, w.n, WORDS_D);
    NEW_MASK(blocked, w.n, w.n);
    words_vectors(&w, words);
    if (causal)
        causal_mask(w.n, blocked);
    self_attention(w.n, WORDS_D, WORDS_D, WORDS_D, words, W_q, W_k, W_q, causal ? blocked : NULL, Q,
                   K, values, weights, out);
    words_show("weights", note, &w, weights);
}

static void show_identity(bool causal, const char *note) {
    NEW_MATRIX_FILLED(identity, WORDS_D, WORDS_D, 0.0);
    for (int c = 0; c < WORDS_D; c++)
        identity[c][c] = 1.0;
    show_by(identity, identity, causal, note);
}

static void show_self(void) {
    show_identity(false, "similar words, and long vectors, win");
}

static void show_causal(void) {
    show_identity(true, "no word attends to a later one");
}

/* W_q and W_k as they are before any training. */
static void show_random(void) {
    struct random r = random_seed((uint64_t)fabs(seed.numbers[0]));
    NEW_MATRIX_RANDOM(W_q, WORDS_D, WORDS_D, &r);
    NEW_MATRIX_RANDOM(W_k, WORDS_D, WORDS_D, &r);
    scale_into(WORDS_D * WORDS_D, 1.0 / sqrt(WORDS_D), W_q, W_q);
    scale_into(WORDS_D * WORDS_D, 1.0 / sqrt(WORDS_D), W_k, W_k);
    show_by(W_q, W_k, false, "untrained, so the weights are random");
}

static void show_project(void) {
    if (W.rows != X.cols)
        ask_refuse("A row of X has %d numbers, so W needs %d rows.", X.cols, X.cols);
    NEW_MATRIX(Y, X.rows, W.cols);
    project(X.rows, X.cols, W.cols, ASK_MATRIX(X, X.cols), ASK_MATRIX(W, W.cols), Y);
    shade_matrix("X W", "a row for each of X", X.rows, W.cols, ask_names("word", X.rows),
                 ask_names("dim", W.cols), Y);
}

static void show_loss(void) {
    int n = given.cols - 1, target = (int)given.numbers[0];
    if (given.rows != 1 || n < 1 || !(given.numbers[0] >= 0.0 && given.numbers[0] < n))
        ask_refuse("The number of the right answer, from 0, then a logit for each.");
    NEW_MATRIX_FILLED(d_logits, 1, n, 0.0);
    shade_number("cross-entropy", "0 for a perfect answer",
                 cross_entropy(n, given.numbers + 1, target));
    cross_entropy_backward(n, given.numbers + 1, target, d_logits[0]);
    shade_matrix("d_logits", "predicted minus right", 1, n, ask_names("row", 1),
                 ask_names("logit", n), d_logits);
}

int main(void) {
    ask(6, WORDS_NOTE,
        (const struct ask_command[]){
            {"the cat sat on the mat", "your sentence; all W are the identity", NULL, sentence,
             show_self},
            {"causal", "the same, with a causal mask", NULL, NULL, show_causal},
            {"random 1", "the same, W_q and W_k drawn with this seed", &seed, NULL, show_random},
            {"X 1 0; 0 1; 1 1", "rows to project", &X, NULL, show_project},
            {"W 1 2 3; 4 5 6", "the matrix to project them by", &W, NULL, show_project},
            {"loss 0 2 0 0", "right answer, then logits", &given, NULL, show_loss},
            {0},
        });
}
