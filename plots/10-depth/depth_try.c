/* Applies your norms and your Adam of lesson 10 to rows and gradients that you enter. */
#include "depth.h"

#include "ask.h"
#include "matrix.h"
#include "product.h"
#include "shade.h"

/* The numbers of the text at first. A gain or bias is not used if its length differs from a row. */
static struct ask_table X = {1, 4, {1, 2, 4, -3}}, gain, bias;
static struct ask_table d_out = {1, 4, {0, 0, 1, 0}}, gradients = {2, 2, {0.5, -200, 0, -200}};
static struct ask_table rate = {1, 1, {0.1}};

static const double *numbers_or(const struct ask_table *given, double otherwise) {
    NEW_VECTOR_FILLED(all, X.cols, otherwise);
    return given->rows == 1 && given->cols == X.cols ? given->numbers : all;
}

/* The results of either norm. */
struct result {
    void *normed, *out;
    double *inverse;
};

static struct result by_layer_norm(void) {
    int n = X.rows, d = X.cols;
    struct result r = {matrix_new("normed", n, d), matrix_new("out", n, d),
                       vector_new("inverse_std", n)};
    layer_norm(n, d, ASK_MATRIX(X, d), numbers_or(&gain, 1.0), numbers_or(&bias, 0.0), r.normed,
               r.inverse, r.out);
    return r;
}

static struct result by_rms_norm(void) {
    int n = X.rows, d = X.cols;
    struct result r = {matrix_new("normed", n, d), matrix_new("out", n, d),
                       vector_new("inverse_rms", n)};
    rms_norm(n, d, ASK_MATRIX(X, d), numbers_or(&gain, 1.0), r.normed, r.inverse, r.out);
    return r;
}

static void show_out(const char *what, const char *note, struct result r) {
    shade_matrix(what, note, X.rows, X.cols, ask_names("word", X.rows), ask_names("dim", X.cols),
                 r.out);
}

static void show_norm(void) {
    show_out("layer norm", "each row with its own mean", by_layer_norm());
}

static void show_rms(void) {
    show_out("RMS norm", "without a mean", by_rms_norm());
}

/* A loss whose gradient is the given d_out. */
static double loss(void *norm) {
    struct result r = (norm ? by_rms_norm : by_layer_norm)();
    return sum_of_products(X.rows * X.cols, r.out, d_out.numbers);
}

static void check_d_out(void) {
    if (d_out.rows != X.rows || d_out.cols != X.cols)
        ask_refuse("d_out needs %d rows of %d numbers, as the output has.", X.rows, X.cols);
}

static void show_backward(void) {
    check_d_out();
    int n = X.rows, d = X.cols;
    struct result r = by_layer_norm();
    NEW_MATRIX_FILLED(d_X, n, d, 0.0);
    NEW_VECTOR_FILLED(d_gain, d, 0.0);
    NEW_VECTOR_FILLED(d_bias, d, 0.0);
    layer_norm_backward(n, d, numbers_or(&gain, 1.0), r.normed, r.inverse, ASK_MATRIX(d_out, d),
                        d_gain, d_bias, d_X);
    ask_show_gradient("d_X", n, d, d_X, loss, NULL, (double(*)[d])X.numbers);
}

static void show_rms_backward(void) {
    check_d_out();
    int n = X.rows, d = X.cols;
    struct result r = by_rms_norm();
    NEW_MATRIX_FILLED(d_X, n, d, 0.0);
    NEW_VECTOR_FILLED(d_gain, d, 0.0);
    rms_norm_backward(n, d, numbers_or(&gain, 1.0), r.normed, r.inverse, ASK_MATRIX(d_out, d),
                      d_gain, d_X);
    ask_show_gradient("d_X", n, d, d_X, loss, &X, (double(*)[d])X.numbers);
}

static void show_adam(void) {
    static const char *const names[] = {"step 1", "step 2",  "step 3",  "step 4",
                                        "step 5", "step 6",  "step 7",  "step 8",
                                        "step 9", "step 10", "step 11", "step 12"};
    int n = gradients.cols, steps = gradients.rows;
    const double(*gradient)[n] = ASK_MATRIX(gradients, n);
    NEW_VECTOR_FILLED(mean, n, 0.0);
    NEW_VECTOR_FILLED(square, n, 0.0);
    NEW_VECTOR_FILLED(parameter, n, 0.0);
    NEW_MATRIX(after, steps, n);
    for (int i = 0; i < steps; i++) {
        adam_step(n, i + 1, rate.numbers[0], gradient[i], mean, square, parameter);
        memcpy(after[i], parameter, sizeof after[i]);
    }
    shade_matrix("parameters", "after each step, from 0", steps, n, names, ask_names("dim", n),
                 after);
}

int main(void) {
    ask(10, "The gains are 1 and the biases 0 until you enter others.",
        (const struct ask_command[]){
            {"X 1 2 4 -3; 1 0 0 0", "rows for the layer norm", &X, NULL, show_norm},
            {"gain 2 1 1 1", "a gain for each dimension", &gain, NULL, show_norm},
            {"bias 1 0 0 0", "a bias for each dimension", &bias, NULL, show_norm},
            {"rms 1 2 2 4", "rows for the RMS norm", &X, NULL, show_rms},
            {"back 0 0 1 0", "d_out of the layer norm", &d_out, NULL, show_backward},
            {"rmsback 0 0 1 0", "d_out of the RMS norm", &d_out, NULL, show_rms_backward},
            {"adam 0.5 -200; 0 -200", "gradients, one row for each step", &gradients, NULL,
             show_adam},
            {"rate 0.1", "the learning rate of Adam", &rate, NULL, show_adam},
            {0},
        });
}
