/* Your numbers, through your functions of lesson 01. */
#include "softmax.h"

#include "ask.h"
#include "matrix.h"
#include "product.h"
#include "shade.h"

#include <stdio.h>

static struct ask_table given;

static void show_rows(const char *what, const char *note, const char *row, int rows,
                      const double numbers[rows][given.cols]) {
    shade_matrix(what, note, rows, given.cols, ask_names(row, rows), ask_names("", given.cols),
                 numbers);
}

static void show_softmax(void) {
    const double(*scores)[given.cols] = ASK_MATRIX(given, given.cols);
    NEW_MATRIX(weights, given.rows, given.cols);
    if (given.rows == 1)
        softmax(given.cols, scores[0], weights[0]);
    else
        softmax_rows(given.rows, given.cols, scores, weights);
    show_rows("scores", NULL, "row", given.rows, scores);
    show_rows("weights", "each row sums to 1", "row", given.rows, weights);
}

static void show_temperature(void) {
    int n = given.cols - 1;
    NEW_MATRIX(weights, 1, n);
    if (given.rows != 1 || n < 1 || given.numbers[0] <= 0.0)
        ask_refuse("A temperature above 0, then the scores, in one row.");
    softmax_at_temperature(n, given.numbers[0], given.numbers + 1, weights[0]);
    shade_matrix("weights", "below 1 sharpens", 1, n, ask_names("row", 1), ask_names("", n),
                 weights);
}

static void show_log_sum_exp(void) {
    shade_number("log sum exp", "of all the numbers",
                 log_sum_exp(given.rows * given.cols, given.numbers));
}

static void show_entropy(void) {
    for (int i = 0; i < given.rows; i++)
        shade_number("entropy", "0: one has all",
                     entropy(given.cols, ASK_MATRIX(given, given.cols)[i]));
}

static void show_blend(void) {
    int d = given.cols - 1;
    if (d < 1)
        ask_refuse("In each row a weight, then the value that it weighs.");
    NEW_VECTOR(weights, given.rows);
    NEW_MATRIX(values, given.rows, d);
    NEW_MATRIX(out, 1, d);
    for (int i = 0; i < given.rows; i++) {
        weights[i] = given.numbers[i * given.cols];
        for (int c = 0; c < d; c++)
            values[i][c] = given.numbers[i * given.cols + 1 + c];
    }
    expected_value(given.rows, d, weights, values, out[0]);
    shade_matrix("blend", NULL, 1, d, ask_names("row", 1), ask_names("", d), out);
}

static void show_jacobian(void) {
    int n = given.cols;
    NEW_VECTOR(weights, n);
    NEW_MATRIX(jacobian, n, n);
    softmax(n, given.numbers, weights);
    softmax_jacobian(n, weights, jacobian);
    shade_matrix("Jacobian", "how weight i moves with score j", n, n, ask_names("weight", n),
                 ask_names("score", n), jacobian);
}

/* With the second row as its gradient by the weights. */
static double loss(void *nothing) {
    NEW_VECTOR(weights, given.cols);
    softmax(given.cols, given.numbers, weights);
    return sum_of_products(given.cols, weights, given.numbers + given.cols);
}

static void show_backward(void) {
    int n = given.cols;
    if (given.rows != 2)
        ask_refuse("Two rows: the scores; then d_weights.");
    NEW_MATRIX(weights, 1, n);
    NEW_MATRIX_FILLED(d_scores, 1, n, 0.0);
    softmax(n, given.numbers, weights[0]);
    softmax_backward(n, weights[0], given.numbers + n, d_scores[0]);
    show_rows("weights", NULL, "row", 1, weights);
    ask_show_gradient("d_scores", 1, n, d_scores, loss, NULL, (double(*)[n])given.numbers);
}

int main(void) {
    ask(1, NULL,
        (const struct ask_command[]){
            {"softmax 1 2 3", "weights of scores; several rows: 1 2; 3 0", &given, NULL,
             show_softmax},
            {"temperature .5 1 2 3", "the first number is the temperature", &given, NULL,
             show_temperature},
            {"logsumexp 1000 1001", "log of the softmax's denominator", &given, NULL,
             show_log_sum_exp},
            {"entropy .1 .2 .7", "how spread out weights are", &given, NULL, show_entropy},
            {"blend .5 1 2; .5 3 0", "in each row: weight, then value", &given, NULL, show_blend},
            {"jacobian 1 2 3", "at these scores", &given, NULL, show_jacobian},
            {"backward 1 2 3; 1 0 0", "scores; then d_weights: what reaches the scores", &given,
             NULL, show_backward},
            {0},
        });
}
