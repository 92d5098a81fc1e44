/* The attention weights of your sentence with several heads, and rows of yours split and merged. */
#include "multi_head.h"

#include "ask.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "shade.h"
#include "words.h"

#include <math.h>
#include <stdio.h>

static char sentence[ASK_LINE] = "the cat sees the dog";
static struct ask_table heads = {1, 1, {2}}, shared = {1, 1, {1}}, seed = {1, 1, {1}};
static struct ask_table rows = {2, 4, {1, 2, 5, 6, 3, 4, 7, 8}};
static struct ask_table in_heads = {4, 2, {1, 2, 3, 4, 5, 6, 7, 8}};

/* The number in the table. Refuses it if it does not divide `of`. */
static int divisor(const char *name, const struct ask_table *table, int of, const char *of_what) {
    double number = table->numbers[0];
    bool small = table->rows * table->cols == 1 && number >= 1.0 && number <= of;
    if (!small || number != (int)number || of % (int)number != 0)
        ask_refuse("%s %g: this has to divide %d, %s.", name, number, of, of_what);
    return (int)number;
}

/* The last word is the query and all words are keys; the matrices are untrained. */
static void show_weights(const struct words *w, const struct multi_head *heads_of) {
    struct room counted = {NULL, 0};
    take_multi_head_values(&counted, heads_of, 1, w->n);
    struct room room = {vector_new("values", counted.used), 0};
    struct multi_head_values v = take_multi_head_values(&room, heads_of, 1, w->n);
    NEW_MATRIX(X, w->n, WORDS_D);
    NEW_MATRIX(out, 1, WORDS_D);
    words_vectors(w, X);
    multi_head_attention(1, w->n, heads_of, &X[w->n - 1], X, NULL, &v, out);
    shade_matrix("weights", "of the last word", heads_of->n_heads, w->n,
                 ask_names("head", heads_of->n_heads), w->names, v.weights);
}

static void show_sentence(void) {
    struct words w;
    struct random r = random_seed((uint64_t)fabs(seed.numbers[0]));
    int n_heads = divisor("heads", &heads, WORDS_D, "the dimensions of a word");
    int n_kv_heads = n_heads / divisor("shared", &shared, n_heads, "the number of heads");
    words_read(&w, sentence);
    if (w.n > ASK_COLS)
        ask_refuse("At most %d words fit into a line.", ASK_COLS);
    NEW_BLOCK(W, 4, WORDS_D, WORDS_D);
    random_fill_normal(&r, 4 * WORDS_D * WORDS_D, W);
    scale_into(4 * WORDS_D * WORDS_D, 1.0 / sqrt(WORDS_D), W, W);
    show_weights(&w, &(const struct multi_head){WORDS_D, n_heads, n_kv_heads, WORDS_D / n_heads,
                                                W[0], W[1], W[2], W[3]});
}

static const char *const *head_and_word(int n_heads, int n) {
    static char names[ASK_ROWS][40];
    static const char *pointers[ASK_ROWS];
    for (int i = 0; i < n_heads * n; i++) {
        snprintf(names[i], sizeof names[i], "head %d, word %d", i / n, i % n);
        pointers[i] = names[i];
    }
    return pointers;
}

static void show_split(void) {
    int n_heads = divisor("heads", &heads, rows.cols, "the numbers in a row");
    int n = rows.rows, d = rows.cols / n_heads;
    if (n * n_heads > ASK_ROWS)
        ask_refuse("At most %d rows fit here.", ASK_ROWS);
    NEW_BLOCK(split, n_heads, n, d);
    split_heads(n, n_heads, d, ASK_MATRIX(rows, n_heads * d), split);
    shade_matrix("split_heads", "first all rows of head 0, then head 1", n_heads * n, d,
                 head_and_word(n_heads, n), ask_names("dim", d), (const double(*)[d])split);
}

static void show_merge(void) {
    int n_heads = divisor("heads", &heads, in_heads.rows, "the number of rows of all heads");
    int n = in_heads.rows / n_heads, d = in_heads.cols;
    if (n_heads * d > ASK_COLS)
        ask_refuse("At most %d numbers fit into a row.", ASK_COLS);
    NEW_MATRIX(merged, n, n_heads * d);
    merge_heads(n, n_heads, d, (const double(*)[n][d])in_heads.numbers, merged);
    shade_matrix("merge_heads", "one row for each word", n, n_heads * d, ask_names("word", n),
                 ask_names("dim", n_heads * d), merged);
}

int main(void) {
    ask(8, WORDS_NOTE,
        (const struct ask_command[]){
            {"the cat sees the dog", "attention weights of its last word", NULL, sentence,
             show_sentence},
            {"heads 3", "number of heads: 1, 2, 3 or 6", &heads, NULL, show_sentence},
            {"shared 3", "query heads that share a key head", &shared, NULL, show_sentence},
            {"random 2", "seed of the random matrices", &seed, NULL, show_sentence},
            {"split 1 2 5 6; 3 4 7 8", "rows to split into heads", &rows, NULL, show_split},
            {"merge 1 2; 3 4; 5 6; 7 8", "heads to merge into rows", &in_heads, NULL, show_merge},
            {0},
        });
}
