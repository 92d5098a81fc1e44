#include "softmax.h"

#include "todo.h"

#include <math.h>

void softmax(int n, const double scores[n], double weights[n]) {
    TODO("begin with exp(score) / sum, and subtract the largest score later");
}

void softmax_rows(int rows, int cols, const double scores[rows][cols], double weights[rows][cols]) {
    TODO("call softmax() for each row, which is scores[i]");
}

void softmax_at_temperature(int n, double temperature, const double scores[n], double weights[n]) {
    TODO("divide each score by the temperature, then call softmax()");
}

double log_sum_exp(int n, const double scores[n]) {
    TODO("subtract the largest score before exp(), and add it back after log()");
}

void expected_value(int n, int d, const double weights[n], const double values[n][d],
                    double out[d]) {
    TODO("set out to 0, then add each row of values times its weight");
}

double entropy(int n, const double weights[n]) {
    TODO("add up -w log(w), and skip the weights that are exactly 0");
}

void softmax_jacobian(int n, const double weights[n], double jacobian[n][n]) {
    TODO("w_i (1 - w_i) on the diagonal; what is it off the diagonal?");
}

void softmax_backward(int n, const double weights[n], const double d_weights[n],
                      double d_scores[n]) {
    TODO("the sum of weights[j] * d_weights[j] is the same for every score");
}

void softmax_rows_backward(int rows, int cols, const double weights[rows][cols],
                           const double d_weights[rows][cols], double d_scores[rows][cols]) {
    TODO("call softmax_backward() for each row");
}
