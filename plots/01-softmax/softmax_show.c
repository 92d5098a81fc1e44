/* The worked example of lesson 01, step by step, at the terminal. */
#include "softmax.h"

#include "matrix.h"
#include "shade.h"

static const char *const places[] = {"0", "1", "2"};
static const char *const only[] = {""};
static const double scores[1][3] = {{1, 2, 3}};
static const double values[3][2] = {{1, 2}, {3, 0}, {0, 1}};

static void show_forward(void) {
    NEW_MATRIX(weights, 1, 3);
    NEW_MATRIX(out, 1, 2);
    softmax(3, scores[0], weights[0]);
    expected_value(3, 2, weights[0], values, out[0]);
    shade_matrix("scores", "they may be any numbers", 1, 3, only, places, scores);
    shade_matrix("softmax", "positive, and their sum is 1", 1, 3, only, places, weights);
    shade_number("log-sum-exp", "the logarithm of the denominator", log_sum_exp(3, scores[0]));
    shade_number("entropy", "in nats; 1.0986 if all three weights are equal",
                 entropy(3, weights[0]));
    shade_matrix("values", "three vectors, one in each row", 3, 2, places, places, values);
    shade_matrix("expected value", "the weighted sum of these rows", 1, 2, only, places, out);
}

static void show_temperatures(void) {
    static const char *const names[] = {"T = 0.1", "T = 0.5", "T = 1", "T = 2", "T = 10"};
    static const double temperatures[] = {0.1, 0.5, 1, 2, 10};
    NEW_MATRIX(weights, 5, 3);
    for (int i = 0; i < 5; i++)
        softmax_at_temperature(3, temperatures[i], scores[0], weights[i]);
    shade_matrix("temperature", "a higher one makes weights more equal", 5, 3, names, places,
                 weights);
}

static void show_backward(void) {
    static const char *const moved[] = {"weight 0", "weight 1", "weight 2"};
    static const char *const raised[] = {"score 0", "score 1", "score 2"};
    static const double d_weights[1][3] = {{1, 0, 0}};
    NEW_VECTOR(weights, 3);
    NEW_MATRIX(jacobian, 3, 3);
    NEW_MATRIX_FILLED(d_scores, 1, 3, 0.0);
    softmax(3, scores[0], weights);
    softmax_jacobian(3, weights, jacobian);
    softmax_backward(3, weights, d_weights[0], d_scores[0]);
    shade_matrix("Jacobian", "each row sums to 0", 3, 3, moved, raised, jacobian);
    shade_matrix("d_weights", "given, from the loss", 1, 3, only, places, d_weights);
    shade_matrix("d_scores", "Jacobian times d_weights", 1, 3, only, places, d_scores);
}

int main(void) {
    shade_title("Lesson 01: the worked example, computed by your code");
    show_forward();
    show_temperatures();
    show_backward();
    matrix_free_all();
}
