#include "softmax.h"

#include "todo.h"

#include <math.h>

void softmax(int n, const double scores[n], double weights[n]) {
    // BEGIN SOLUTION: begin with exp(score) / sum, and subtract the largest score later
    double largest = scores[0];
    for (int i = 1; i < n; i++)
        if (scores[i] > largest || isnan(scores[i]))
            largest = scores[i];

    // -INFINITY - -INFINITY would be NaN.
    if (largest == -INFINITY) {
        for (int i = 0; i < n; i++)
            weights[i] = 0.0;
        return;
    }

    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        weights[i] = exp(scores[i] - largest);
        sum += weights[i];
    }
    for (int i = 0; i < n; i++)
        weights[i] /= sum;
    // END SOLUTION
}

void softmax_rows(int rows, int cols, const double scores[rows][cols], double weights[rows][cols]) {
    // BEGIN SOLUTION: call softmax() for each row, which is scores[i]
    for (int i = 0; i < rows; i++)
        softmax(cols, scores[i], weights[i]);
    // END SOLUTION
}

void softmax_at_temperature(int n, double temperature, const double scores[n], double weights[n]) {
    // BEGIN SOLUTION: divide each score by the temperature, then call softmax()
    for (int i = 0; i < n; i++)
        weights[i] = scores[i] / temperature;
    softmax(n, weights, weights);
    // END SOLUTION
}

double log_sum_exp(int n, const double scores[n]) {
    // BEGIN SOLUTION: subtract the largest score before exp(), and add it back after log()
    double largest = scores[0];
    for (int i = 1; i < n; i++)
        if (scores[i] > largest || isnan(scores[i]))
            largest = scores[i];
    if (largest == -INFINITY)
        return -INFINITY;

    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exp(scores[i] - largest);
    return largest + log(sum);
    // END SOLUTION
}

void expected_value(int n, int d, const double weights[n], const double values[n][d],
                    double out[d]) {
    // BEGIN SOLUTION: set out to 0, then add each row of values times its weight
    for (int c = 0; c < d; c++)
        out[c] = 0.0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            out[c] += weights[i] * values[i][c];
    // END SOLUTION
}

double entropy(int n, const double weights[n]) {
    // BEGIN SOLUTION: add up -w log(w), and skip the weights that are exactly 0
    double total = 0.0;
    for (int i = 0; i < n; i++)
        if (weights[i] != 0.0)
            total -= weights[i] * log(weights[i]);
    return total;
    // END SOLUTION
}

void softmax_jacobian(int n, const double weights[n], double jacobian[n][n]) {
    // BEGIN SOLUTION: w_i (1 - w_i) on the diagonal; what is it off the diagonal?
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            jacobian[i][j] = weights[i] * ((i == j ? 1.0 : 0.0) - weights[j]);
    // END SOLUTION
}

void softmax_backward(int n, const double weights[n], const double d_weights[n],
                      double d_scores[n]) {
    // BEGIN SOLUTION: the sum of weights[j] * d_weights[j] is the same for every score
    double shared = 0.0;
    for (int j = 0; j < n; j++)
        shared += weights[j] * d_weights[j];
    for (int i = 0; i < n; i++)
        d_scores[i] += weights[i] * (d_weights[i] - shared);
    // END SOLUTION
}

void softmax_rows_backward(int rows, int cols, const double weights[rows][cols],
                           const double d_weights[rows][cols], double d_scores[rows][cols]) {
    // BEGIN SOLUTION: call softmax_backward() for each row
    for (int i = 0; i < rows; i++)
        softmax_backward(cols, weights[i], d_weights[i], d_scores[i]);
    // END SOLUTION
}
