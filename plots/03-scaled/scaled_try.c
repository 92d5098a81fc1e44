/* Your queries, keys and values, through your functions of lesson 03. */
#include "scaled.h"

#include "ask.h"
#include "dot_product.h"
#include "matrix.h"
#include "product.h"
#include "shade.h"

/* At first those of the text. */
static struct ask_table Q = {2, 3, {1, 0, 1, 0, 1, 0}};
static struct ask_table K = {3, 3, {1, 1, 0, 0, 1, 1, 1, 0, 1}};
static struct ask_table V = {3, 2, {1, 2, 3, 0, 0, 1}};
static struct ask_table given;

static void show_attention(void) {
    ask_check_sizes(&Q, &K, &V);
    int n_q = Q.rows, n_k = K.rows, d_k = Q.cols, d_v = V.cols;
    const char *const *queries = ask_names("query", n_q), *const *keys = ask_names("key", n_k);
    NEW_MATRIX(scores, n_q, n_k);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    dot_scores(n_q, n_k, d_k, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k), scores);
    scale_into(n_q * n_k, attention_scale(d_k), scores, scores);
    shade_matrix("scaled scores", "divided by sqrt(d_k)", n_q, n_k, queries, keys, scores);
    scaled_dot_product_attention(n_q, n_k, d_k, d_v, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k),
                                 ASK_MATRIX(V, d_v), weights, out);
    shade_matrix("weights", "each row sums to 1", n_q, n_k, queries, keys, weights);
    shade_matrix("out", "the values, so weighed", n_q, d_v, queries, ask_names("dim", d_v), out);
}

/* Lesson 02's, to compare. */
static void show_unscaled(void) {
    ask_check_sizes(&Q, &K, &V);
    int n_q = Q.rows, n_k = K.rows, d = Q.cols, d_v = V.cols;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    dot_product_attention(n_q, n_k, d, d_v, ASK_MATRIX(Q, d), ASK_MATRIX(K, d), ASK_MATRIX(V, d_v),
                          weights, out);
    shade_matrix("weights", "as in lesson 02: sharper", n_q, n_k, ask_names("query", n_q),
                 ask_names("key", n_k), weights);
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
    shade_number("mean entropy", "of the rows; 0: each has picked one",
                 mean_entropy(given.rows, given.cols, ASK_MATRIX(given, given.cols)));
}

/* With what was given as its gradient by the output. */
static double loss(void *nothing) {
    int n_q = Q.rows, n_k = K.rows, d_k = Q.cols, d_v = V.cols;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    scaled_dot_product_attention(n_q, n_k, d_k, d_v, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k),
                                 ASK_MATRIX(V, d_v), weights, out);
    return sum_of_products(n_q * d_v, out, given.numbers);
}

static void show_backward(void) {
    ask_check_sizes(&Q, &K, &V);
    int n_q = Q.rows, n_k = K.rows, d_k = Q.cols, d_v = V.cols;
    if (given.rows != n_q || given.cols != d_v)
        ask_refuse("The output has %d rows of %d numbers, and so has d_out.", n_q, d_v);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, 0.0);
    NEW_MATRIX_FILLED(d_K, n_k, d_k, 0.0);
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0);
    scaled_dot_product_attention(n_q, n_k, d_k, d_v, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k),
                                 ASK_MATRIX(V, d_v), weights, out);
    scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, ASK_MATRIX(Q, d_k),
                                          ASK_MATRIX(K, d_k), ASK_MATRIX(V, d_v), weights,
                                          ASK_MATRIX(given, d_v), d_Q, d_K, d_V);
    ask_show_gradient("d_Q", n_q, d_k, d_Q, loss, NULL, (double(*)[d_k])Q.numbers);
}

int main(void) {
    ask(3, NULL,
        (const struct ask_command[]){
            {"attention", "with the Q, K and V that are set", NULL, NULL, show_attention},
            {"Q 0 0 2", "queries, a row each: 1 0 1; 0 1 0", &Q, NULL, show_attention},
            {"K 1 1 0; 0 1 1; 0 0 -1", "keys, as long as the queries", &K, NULL, show_attention},
            {"V 1 0; 0 1; 5 5", "values, one for each key", &V, NULL, show_attention},
            {"backward 1 0", "d_out, as many rows as Q: what reaches Q", &given, NULL,
             show_backward},
            {"unscaled", "the weights of lesson 02", NULL, NULL, show_unscaled},
            {"scale 4 64 1024", "what scores of this d_k are multiplied by", &given, NULL,
             show_scale},
            {"variance 2 4 4 4 5 5 7", "of the numbers", &given, NULL, show_variance},
            {"entropy .5 .5; 1 0", "mean over rows of weights", &given, NULL, show_entropy},
            {0},
        });
}
