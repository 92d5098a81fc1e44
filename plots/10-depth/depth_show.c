/* Prints the worked examples of lesson 10, step by step. */
#include "depth.h"

#include "matrix.h"
#include "shade.h"

#include <stddef.h>

enum { N = 2, D = 4 };

static const char *const words[] = {"word 0", "word 1"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};
static double ones[D] = {1, 1, 1, 1}, zeros[D];

static void show_layer_norm(void) {
    NEW_MATRIX_OF(X, N, D, {1, 2, 4, -3}, {1, 0, 0, 0});
    NEW_MATRIX_OF(d_out, N, D, {0, 0, 1, 0}, {0, 0, 0, 0});
    NEW_MATRIX(normed, N, D);
    NEW_VECTOR(inverse_std, N);
    NEW_MATRIX(out, N, D);
    NEW_VECTOR_FILLED(d_gain, D, 0.0);
    NEW_VECTOR_FILLED(d_bias, D, 0.0);
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    layer_norm(N, D, X, ones, zeros, normed, inverse_std, out);
    layer_norm_backward(N, D, ones, normed, inverse_std, d_out, d_gain, d_bias, d_X);
    shade_matrix("X", "two rows of different size", N, D, words, dims, X);
    shade_matrix("layer norm", "each row has mean 0 and variance 1", N, D, words, dims, out);
    shade_matrix("d_out", "the gradient of the output", N, D, words, dims, d_out);
    shade_matrix("d_X", "each row sums to 0", N, D, words, dims, d_X);
}

static void show_rms_norm(void) {
    NEW_MATRIX_OF(X, 1, D, {1, 2, 2, 4});
    NEW_MATRIX_OF(d_out, 1, D, {0, 0, 1, 0});
    NEW_MATRIX(normed, 1, D);
    NEW_VECTOR(inverse_rms, 1);
    NEW_MATRIX(out, 1, D);
    NEW_VECTOR_FILLED(d_gain, D, 0.0);
    NEW_MATRIX_FILLED(d_X, 1, D, 0.0);
    rms_norm(1, D, X, ones, normed, inverse_rms, out);
    rms_norm_backward(1, D, ones, normed, inverse_rms, d_out, d_gain, d_X);
    shade_matrix("RMS norm", "of (1, 2, 2, 4), without a mean", 1, D, words, dims, out);
    shade_matrix("d_X", "from (0, 0, 1, 0); the sum is not 0", 1, D, words, dims, d_X);
}

/* W_q and W_k are 0, and W_v and W_o are the identity, so the head returns the mean of both rows.
 */
static struct attention_layer new_layer(double numbers[]) {
    struct room room = {fill(2 * D + 4 * D * D, 0.0, numbers), 0};
    struct attention_layer w = take_attention_layer(&room, D, 1);
    double(*W_v)[D] = w.heads.W_v, (*W_o)[D] = w.heads.W_o;
    for (int c = 0; c < D; c++)
        w.gain[c] = W_v[c][c] = W_o[c][c] = 1.0;
    return w;
}

static struct attention_layer_values new_values(const struct attention_layer *w, double numbers[]) {
    struct room room = {fill(200, 0.0, numbers), 0};
    return take_attention_layer_values(&room, w, N, N);
}

static void show_layer(void) {
    NEW_MATRIX_OF(X, N, D, {1, 2, 4, -3}, {1, 0, 0, 0});
    NEW_MATRIX_OF(d_out, N, D, {0, 0, 1, 0}, {0, 0, 0, 0});
    NEW_MATRIX(out, N, D);
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    int n = N;
    const struct attention_layer w = new_layer(vector_new("w", 100));
    struct attention_layer d_w = new_layer(vector_new("d_w", 100));
    struct attention_layer_values v = new_values(&w, vector_new("v", 200));
    struct attention_layer_values d_v = new_values(&w, vector_new("d_v", 200));
    attention_layer(n, n, &w, X, NULL, NULL, &v, out);
    attention_layer_backward(n, n, &w, NULL, NULL, &v, d_out, &d_v, &d_w, d_X, NULL);
    shade_matrix("scaled", "the output of the norm", N, D, words, dims, v.scaled);
    shade_matrix("out", "X plus the result of the head", N, D, words, dims, out);
    shade_matrix("d_scaled", "both values have the weight 1/2", N, D, words, dims, d_v.scaled);
    shade_matrix("d_X", "d_out plus the gradient of the norm", N, D, words, dims, d_X);
}

static void show_adam(void) {
    const char *const steps[] = {"start", "step 1", "step 2"};
    const char *const numbers[] = {"first", "second"};
    NEW_MATRIX_OF(gradients, 2, 2, {0.5, -200}, {0, -200});
    NEW_MATRIX_OF(parameters, 3, 2, {1, 1}, {1, 1}, {1, 1});
    NEW_VECTOR_FILLED(mean, 2, 0.0);
    NEW_VECTOR_FILLED(square, 2, 0.0);
    for (int step = 1; step <= 2; step++) {
        memcpy(parameters[step], parameters[step - 1], sizeof parameters[step]);
        adam_step(2, step, 0.1, gradients[step - 1], mean, square, parameters[step]);
    }
    shade_matrix("parameters", "gradients (0.5, -200), then (0, -200)", 3, 2, steps, numbers,
                 parameters);
}

int main(void) {
    shade_title("The worked examples of lesson 10: the two norms, by your code");
    show_layer_norm();
    show_rms_norm();
    shade_title("A pre-norm layer with one head");
    show_layer();
    shade_title("Adam with the learning rate 0.1");
    show_adam();
    matrix_free_all();
}
