/* Your queries, keys and values, through your functions of lesson 03. */
#include "scaled.h"

#include "../prompt.h"
#include "dot_product.h"

static void show_attention(void) {
    ask_check_sizes(&Q, &K, &V);
    const int n_q = Q.rows, n_k = K.rows, d_k = Q.cols;
    NEW_MATRIX(scores, n_q, n_k);
    dot_scores(n_q, n_k, d_k, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k), scores);
    scale_into(n_q * n_k, attention_scale(d_k), scores, scores);
    show_typed(scaled_dot_product_attention, "scaled scores", "divided by sqrt(d_k)", scores,
               "each row sums to 1");
}

/* Lesson 02's, to compare. */
static void show_unscaled(void) {
    ask_check_sizes(&Q, &K, &V);
    NEW_OUTPUTS(Q.rows, K.rows, V.cols);
    attend_to_typed(dot_product_attention, weights, out);
    shade_matrix("weights", "as in lesson 02, less equal", Q.rows, K.rows,
                 ask_names("query", Q.rows), ask_names("key", K.rows), weights);
}

static void show_scale(void) {
    for (int i = 0; i < given.rows * given.cols; i++) {
        if (given.numbers[i] < 1.0 || given.numbers[i] > 1e9)
            ask_refuse("d_k is a size: 1 or more.");
        shade_number("scale", "1 / sqrt(d_k)", attention_scale((int)given.numbers[i]));
    }
}

static void show_variance(void) {
    shade_number("variance", "of all the numbers",
                 variance(given.rows * given.cols, given.numbers));
}

static void show_entropy(void) {
    shade_number("mean entropy", "of the rows; 0 if each has a weight of 1",
                 mean_entropy(given.rows, given.cols, ASK_MATRIX(given, given.cols)));
}

static void show_backward(void) {
    show_typed_backward(scaled_dot_product_attention, scaled_dot_product_attention_backward);
}

int main(void) {
    ask(3, NULL,
        (const struct ask_command[]){
            SETTING_Q_K_V(show_attention),
            {"backward 1 0", "d_out, as many rows as Q; shows d_Q", &given, NULL, show_backward},
            {"unscaled", "the weights of lesson 02", NULL, NULL, show_unscaled},
            {"scale 4 64 1024", "the scale for each of these d_k", &given, NULL, show_scale},
            {"variance 2 4 4 4 5 5 7", "of the numbers", &given, NULL, show_variance},
            {"entropy .5 .5; 1 0", "mean over rows of weights", &given, NULL, show_entropy},
            {0},
        });
}
