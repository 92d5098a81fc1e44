/* Your numbers in your feed-forward network of lesson 11, with a gradient check. */
#include "encoder.h"

#include "ask.h"
#include "matrix.h"
#include "product.h"
#include "shade.h"

/* At first the numbers of the text. */
static struct ask_table X = {1, 2, {1, -1}}, W_1 = {2, 3, {1, 0, 2, 0, 1, 1}};
static struct ask_table b_1 = {1, 3, {0, 0, 0.5}}, W_2 = {3, 2, {1, 0, 5, 5, 0, 2}};
static struct ask_table b_2 = {1, 2, {0.5, 0.5}}, d_out = {1, 2, {1, 1}};

static void check_size(const char *name, const struct ask_table *table, int rows, int cols) {
    if (table->rows != rows || table->cols != cols)
        ask_refuse("With this X and W1, %s has to be %d x %d, but it is %d x %d.", name, rows, cols,
                   table->rows, table->cols);
}

static void check_sizes(void) {
    check_size("W1", &W_1, X.cols, W_1.cols);
    check_size("b1", &b_1, 1, W_1.cols);
    check_size("W2", &W_2, W_1.cols, X.cols);
    check_size("b2", &b_2, 1, X.cols);
}

/* The results of the network. */
struct result {
    void *hidden, *out;
};

static struct result result_of(void) {
    int n = X.rows, d = X.cols, d_ff = W_1.cols;
    struct result r = {matrix_new("hidden", n, d_ff), matrix_new("out", n, d)};
    feed_forward(n, d, d_ff, ASK_MATRIX(X, d), ASK_MATRIX(W_1, d_ff), b_1.numbers,
                 ASK_MATRIX(W_2, d), b_2.numbers, r.hidden, r.out);
    return r;
}

static void show_network(void) {
    check_sizes();
    struct result r = result_of();
    const char *const *words = ask_names("word", X.rows);
    shade_matrix("hidden", "0: this unit is off", X.rows, W_1.cols, words,
                 ask_names("unit", W_1.cols), r.hidden);
    shade_matrix("out", "the sum of what the units add, plus b2", X.rows, X.cols, words,
                 ask_names("dim", X.cols), r.out);
}

/* The loss is the sum of the products of out and d_out. */
static double loss(void *context) {
    (void)context;
    return sum_of_products(X.rows * X.cols, result_of().out, d_out.numbers);
}

static void show_backward(void) {
    check_sizes();
    check_size("the gradient", &d_out, X.rows, X.cols);
    int n = X.rows, d = X.cols, d_ff = W_1.cols;
    struct result r = result_of();
    NEW_MATRIX_FILLED(d_hidden, n, d_ff, 0.0);
    NEW_MATRIX_FILLED(d_W_1, d, d_ff, 0.0);
    NEW_VECTOR_FILLED(d_b_1, d_ff, 0.0);
    NEW_MATRIX_FILLED(d_W_2, d_ff, d, 0.0);
    NEW_VECTOR_FILLED(d_b_2, d, 0.0);
    NEW_MATRIX_FILLED(d_X, n, d, 0.0);
    feed_forward_backward(n, d, d_ff, ASK_MATRIX(X, d), ASK_MATRIX(W_1, d_ff), ASK_MATRIX(W_2, d),
                          r.hidden, ASK_MATRIX(d_out, d), d_hidden, d_W_1, d_b_1, d_W_2, d_b_2,
                          d_X);
    shade_matrix("d_hidden", "0 where hidden is 0", n, d_ff, ask_names("word", n),
                 ask_names("unit", d_ff), d_hidden);
    ask_show_gradient("d_X", n, d, d_X, loss, NULL, (double(*)[d])X.numbers);
}

int main(void) {
    ask(11, "At a sum of exactly 0 the check gives half: try X 0 -1, then back 1 1.",
        (const struct ask_command[]){
            {"X 1 -1; 2 0", "rows of X, one for each word", &X, NULL, show_network},
            {"W1 1 0 2; 0 1 1", "W_1, with one column for each unit", &W_1, NULL, show_network},
            {"b1 0 2 0.5", "b_1, with one number for each unit", &b_1, NULL, show_network},
            {"W2 1 0; 5 5; 0 2", "W_2, with one row for each unit", &W_2, NULL, show_network},
            {"b2 0.5 0.5", "b_2, which is added to every row", &b_2, NULL, show_network},
            {"back 1 1", "d_out, for the backward pass", &d_out, NULL, show_backward},
            {0},
        });
}
