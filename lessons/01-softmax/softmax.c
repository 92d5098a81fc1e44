#include "softmax.h"

#include "todo.h"

#include <math.h>

void softmax(int n, const double scores[n], double weights[n]) {
    TODO("take the largest from each score, then exp(), then divide by the sum");
}

void softmax_rows(int rows, int cols, const double scores[rows][cols], double weights[rows][cols]) {
    TODO("scores[i] is row i, and softmax() takes a row");
}

void softmax_at_temperature(int n, double temperature, const double scores[n], double weights[n]) {
    TODO("divide each score by the temperature, then softmax() what you get");
}

double log_sum_exp(int n, const double scores[n]) {
    TODO("take the largest score out of the sum first, and add it back at the end");
}

void expected_value(int n, int d, const double weights[n], const double values[n][d],
                    double out[d]) {
    TODO("set out to 0, then let every row of values add its share to it");
}

double entropy(int n, const double weights[n]) {
    TODO("add up -w log(w), and leave out the weights that are exactly 0");
}

void softmax_jacobian(int n, const double weights[n], double jacobian[n][n]) {
    TODO("w_i (1 - w_i) on the diagonal; what is it beside the diagonal?");
}

void softmax_backward(int n, const double weights[n], const double d_weights[n],
                      double d_scores[n]) {
    TODO("one sum, of weights[j] * d_weights[j], serves every score");
}

void softmax_rows_backward(int rows, int cols, const double weights[rows][cols],
                           const double d_weights[rows][cols], double d_scores[rows][cols]) {
    TODO("one row at a time, as softmax_rows() does");
}
