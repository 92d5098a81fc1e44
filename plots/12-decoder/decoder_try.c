/* Your rows, one by one with a KV cache, and a decoder block with a memory. All matrices are the
   identity. */
#include "decoder.h"

#include "ask.h"
#include "masked.h"
#include "matrix.h"
#include "shade.h"

#include <math.h>

/* The rows of the text, until you enter others. */
static struct ask_table X = {3, 2, {1, 2, 2, 0, 0, 1}}, heads = {1, 1, {2}};
static struct ask_table written = {2, 2, {3, 1, 0, 2}}, memory = {3, 2, {2, 0, 0, 2, 1, 1}};

static struct room new_room(int count) {
    return (struct room){fill(count, 0.0, vector_new("room", count)), 0};
}

static void set_identity(int d, double W[d][d]) {
    for (int c = 0; c < d; c++)
        W[c][c] = 1.0;
}

static double largest_difference(int n, const double a[n], const double b[n]) {
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* --- Heads with a cache ---------------------------------------------------------------------- */

static struct multi_head new_heads(void) {
    int d = X.cols, n_heads = (int)heads.numbers[0];
    if (heads.rows * heads.cols != 1 || n_heads != heads.numbers[0] || n_heads < 1 ||
        d % n_heads != 0)
        ask_refuse("heads %g: it has to divide %d, the dimensions of a row.", heads.numbers[0], d);
    if (X.rows > ASK_COLS)
        ask_refuse("At most %d tokens fit side by side.", ASK_COLS);
    NEW_MATRIX_FILLED(I, d, d, 0.0);
    set_identity(d, I);
    return (struct multi_head){d, n_heads, n_heads, d / n_heads, I, I, I, I};
}

static struct multi_head_values new_values(const struct multi_head *w, int n_q, int n_k) {
    struct room count = {NULL, 0};
    take_multi_head_values(&count, w, n_q, n_k);
    struct room room = new_room(count.used);
    return take_multi_head_values(&room, w, n_q, n_k);
}

static void show_difference(const struct multi_head *w, const double out[X.rows][X.cols]) {
    int n = X.rows, d = X.cols;
    const double(*rows)[d] = ASK_MATRIX(X, d);
    struct multi_head_values v = new_values(w, n, n);
    NEW_MASK(blocked, n, n);
    NEW_MATRIX(whole, n, d);
    causal_mask(n, blocked);
    multi_head_attention(n, n, w, rows, rows, blocked, &v, whole);
    shade_number("difference", "largest, from all tokens at once",
                 largest_difference(n * d, (const double *)whole, (const double *)out));
}

static void show_cached(void) {
    struct multi_head w = new_heads();
    int n = X.rows, d = X.cols;
    const double(*rows)[d] = ASK_MATRIX(X, d);
    struct room room = new_room(2 * n * d);
    struct cache cache = take_cache(&room, &w, n);
    struct multi_head_values v = new_values(&w, 1, n);
    NEW_MATRIX(out, n, d);
    for (int i = 0; i < n; i++) {
        cache_rows(1, &w, &rows[i], &v, &cache);
        attend_cached(&w, &rows[i], &cache, &v, &out[i]);
        shade_matrix("weights", ask_names("of token", n)[i], w.n_heads, i + 1,
                     ask_names("head", w.n_heads), ask_names("token", i + 1), v.weights);
    }
    shade_matrix("out", "one token after the other", n, d, ask_names("token", n),
                 ask_names("dim", d), out);
    show_difference(&w, out);
}

/* --- A block --------------------------------------------------------------------------------- */

static void set_attention(const struct attention_layer *w) {
    int d = w->heads.d_model;
    fill(d, 1.0, w->gain);
    set_identity(d, w->heads.W_q);
    set_identity(d, w->heads.W_k);
    set_identity(d, w->heads.W_v);
    set_identity(d, w->heads.W_o);
}

static struct decoder_block new_block(int d) {
    struct room count = {NULL, 0};
    take_decoder_block(&count, d, 1, d, true);
    struct room room = new_room(count.used);
    struct decoder_block w = take_decoder_block(&room, d, 1, d, true);
    set_attention(&w.self);
    set_attention(&w.cross);
    fill(d, 1.0, w.forward.gain);
    set_identity(d, w.forward.W_1);
    set_identity(d, w.forward.W_2);
    return w;
}

static void show_block(void) {
    int n = written.rows, m = memory.rows, d = written.cols;
    if (memory.cols != d)
        ask_refuse("Rows of the memory have %d dimensions, those of X %d. Enter equal ones.",
                   memory.cols, d);
    if (n > ASK_COLS || m > ASK_COLS)
        ask_refuse("At most %d tokens fit side by side.", ASK_COLS);
    struct decoder_block w = new_block(d);
    struct room count = {NULL, 0};
    take_decoder_values(&count, &w, n, m);
    struct room room = new_room(count.used);
    struct decoder_values v = take_decoder_values(&room, &w, n, m);
    NEW_MASK(blocked, n, n);
    NEW_MATRIX(out, n, d);
    causal_mask(n, blocked);
    decoder_block(n, m, &w, ASK_MATRIX(written, d), ASK_MATRIX(memory, d), blocked, &v, out);
    shade_matrix("weights of self", "causal mask", n, n, ask_names("token", n),
                 ask_names("token", n), v.self.heads.weights);
    shade_matrix("weights of cross", "no mask", n, m, ask_names("token", n), ask_names("row", m),
                 v.cross.heads.weights);
    shade_matrix("out", "of three layers", n, d, ask_names("token", n), ask_names("dim", d), out);
}

int main(void) {
    ask(12, "All matrices are the identity, all gains 1.",
        (const struct ask_command[]){
            {"X 1 2; 2 0; 0 1", "tokens, one by one with a KV cache", &X, NULL, show_cached},
            {"heads 1", "the number of heads for them", &heads, NULL, show_cached},
            {"write 3 1; 0 2", "inputs of a decoder block with one head", &written, NULL,
             show_block},
            {"read 2 0; 0 2; 1 1", "its memory", &memory, NULL, show_block},
            {0},
        });
}
