/* The worked examples of lesson 11, step by step, at the terminal. */
#include "encoder.h"

#include "matrix.h"
#include "shade.h"

#include <stddef.h>

static const char *const words[] = {"word 0", "word 1"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};
static const char *const units[] = {"unit 0", "unit 1", "unit 2"};

static void show_network(void) {
    enum { N = 1, D = 2, D_FF = 3 };
    NEW_MATRIX_OF(X, N, D, {1, -1});
    NEW_MATRIX_OF(W_1, D, D_FF, {1, 0, 2}, {0, 1, 1});
    NEW_MATRIX_OF(W_2, D_FF, D, {1, 0}, {5, 5}, {0, 2});
    double b_1[] = {0, 0, 0.5}, b_2[] = {0.5, 0.5};
    NEW_MATRIX(hidden, N, D_FF);
    NEW_MATRIX(out, N, D);
    NEW_MATRIX_FILLED(d_out, N, D, 1.0);
    NEW_MATRIX_FILLED(d_hidden, N, D_FF, 0.0);
    NEW_MATRIX_FILLED(d_W_1, D, D_FF, 0.0);
    NEW_VECTOR_FILLED(d_b_1, D_FF, 0.0);
    NEW_MATRIX_FILLED(d_W_2, D_FF, D, 0.0);
    NEW_VECTOR_FILLED(d_b_2, D, 0.0);
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    feed_forward(N, D, D_FF, X, W_1, b_1, W_2, b_2, hidden, out);
    feed_forward_backward(N, D, D_FF, X, W_1, W_2, hidden, d_out, d_hidden, d_W_1, d_b_1, d_W_2,
                          d_b_2, d_X);
    shade_matrix("X", "one word", N, D, words, dims, X);
    shade_matrix("hidden", "the sums are 1, -1 and 1.5", N, D_FF, words, units, hidden);
    shade_matrix("out", "unit 1 is off and adds nothing", N, D, words, dims, out);
    shade_matrix("d_hidden", "if d_out is 1, 1; unit 1 gets 0", N, D_FF, words, units, d_hidden);
    shade_matrix("d_X", "through units 0 and 2", N, D, words, dims, d_X);
}

/* Exactly one of two conditions, and both of them, from the units of the text. */
static void show_exactly_one(void) {
    enum { N = 4, D = 2, D_FF = 3 };
    static const char *const rows[] = {"none", "the first", "the second", "both"};
    static const char *const out_names[] = {"one", "both"};
    NEW_MATRIX_OF(X, N, D, {0, 0}, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_FILLED(W_1, D, D_FF, 1.0);
    NEW_MATRIX_OF(W_2, D_FF, D, {1, 0}, {-2, 1}, {1, 0});
    double b_1[] = {0, -1, -2}, b_2[] = {0, 0};
    NEW_MATRIX(hidden, N, D_FF);
    NEW_MATRIX(out, N, D);
    feed_forward(N, D, D_FF, X, W_1, b_1, W_2, b_2, hidden, out);
    shade_matrix("hidden", "max(0, s), max(0, s-1), max(0, s-2)", N, D_FF, rows, units, hidden);
    shade_matrix("out", "unit 0 - 2 unit 1 + unit 2, and unit 1", N, D, rows, out_names, out);
}

/* A buffer of `count` zeros. */
static struct room new_room(int count) {
    NEW_VECTOR_FILLED(numbers, count, 0.0);
    return (struct room){numbers, 0};
}

/* The rows of lesson 10. Unit 0 receives number 2 and adds to it, unit 1 receives 1 and adds to 0.
 */
static void show_layer(void) {
    enum { N = 2, D = 4, D_FF = 2 };
    struct room room = new_room(200);
    const struct feed_forward_layer w = take_feed_forward_layer(&room, D, D_FF);
    struct feed_forward_layer d_w = take_feed_forward_layer(&room, D, D_FF);
    struct feed_forward_layer_values v = take_feed_forward_layer_values(&room, &w, N);
    struct feed_forward_layer_values d_v = take_feed_forward_layer_values(&room, &w, N);
    double(*W_1)[D_FF] = w.W_1, (*W_2)[D] = w.W_2;
    W_1[2][0] = W_1[1][1] = W_2[0][2] = W_2[1][0] = 1.0;
    for (int c = 0; c < D; c++)
        w.gain[c] = 1.0;
    NEW_MATRIX_OF(X, N, D, {1, 2, 4, -3}, {1, 0, 0, 0});
    NEW_MATRIX_OF(d_out, N, D, {0, 0, 1, 0}, {0, 0, 1, 0});
    NEW_MATRIX(out, N, D);
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    feed_forward_layer(N, &w, X, &v, out);
    feed_forward_layer_backward(N, &w, &v, d_out, &d_v, &d_w, d_X);
    shade_matrix("scaled", "the input of the network", N, D, words, dims, v.scaled);
    shade_matrix("hidden", "for word 1 both units are off", N, D_FF, words, units, v.hidden);
    shade_matrix("out", "X plus the network", N, D, words, dims, out);
    shade_matrix("d_X", "if d_out is 1 at dim 2", N, D, words, dims, d_X);
}

static void set_to_identity(int d, double matrix[d][d]) {
    for (int c = 0; c < d; c++)
        matrix[c][c] = 1.0;
}

/* One head, and all six matrices are the identity. */
static void show_block(void) {
    enum { N = 2, D = 2 };
    struct room room = new_room(200);
    const struct encoder_block w = take_encoder_block(&room, D, 1, D);
    struct encoder_values v = take_encoder_values(&room, &w, N);
    void *const matrices[] = {w.self.heads.W_q, w.self.heads.W_k, w.self.heads.W_v,
                              w.self.heads.W_o, w.forward.W_1,    w.forward.W_2};
    for (int i = 0; i < 6; i++)
        set_to_identity(D, matrices[i]);
    for (int c = 0; c < D; c++)
        w.self.gain[c] = w.forward.gain[c] = 1.0;
    NEW_MATRIX_OF(X, N, D, {3, 1}, {0, 2});
    NEW_MATRIX(out, N, D);
    encoder_block(N, &w, X, NULL, &v, out);
    shade_matrix("X", "two words", N, D, words, dims, X);
    shade_matrix("weights", "computed from norm(X)", N, N, words, words, v.self.heads.weights);
    shade_matrix("attended", "X plus the heads", N, D, words, dims, v.attended);
    shade_matrix("hidden", "computed from norm(attended)", N, D, words, units, v.forward.hidden);
    shade_matrix("out", "attended plus the network", N, D, words, dims, out);
}

int main(void) {
    shade_title("Lesson 11: a feed-forward network, computed by your code");
    show_network();
    shade_title("What no single matrix can compute: exactly one of two conditions");
    show_exactly_one();
    shade_title("A feed-forward layer, with the rows of lesson 10");
    show_layer();
    shade_title("An encoder block whose six matrices are the identity");
    show_block();
    matrix_free_all();
}
