/* Your queries, keys, values and matrices, through your functions of lesson 04. */
#include "additive.h"

#include "../attention.h"
#include "ask.h"
#include "matrix.h"
#include "shade.h"
#include "softmax.h"

/* At first those of the text. */
static struct ask_table Q = {2, 2, {1, 0, 0, 1}};
static struct ask_table K = {3, 3, {1, 0, 1, 0, 1, 0, 1, 1, -1}};
static struct ask_table V = {3, 2, {1, 2, 3, 0, 0, 1}};
static struct ask_table W_q = {2, 2, {.5, 1, -1, .25}};
static struct ask_table W_k = {2, 3, {1, 0, .5, .25, -1, 1}};
static struct ask_table v_a = {1, 2, {1, -.5}};
static struct ask_table W = {2, 3, {1, 0, .5, .25, -1, 1}};

static void check_sizes(void) {
    ask_check_sizes(&K, &K, &V);
    if (W_q.cols != Q.cols)
        ask_refuse("A query has %d numbers, so W_q needs %d columns.", Q.cols, Q.cols);
    if (W_k.cols != K.cols)
        ask_refuse("A key has %d numbers, so W_k needs %d columns.", K.cols, K.cols);
    if (v_a.rows != 1 || W_q.rows != v_a.cols || W_k.rows != v_a.cols)
        ask_refuse("W_q and W_k need as many rows as v_a has numbers: %d.", v_a.cols);
}

static void show_additive(void) {
    check_sizes();
    int n_q = Q.rows, n_k = K.rows, d_q = Q.cols, d_k = K.cols, d_a = v_a.cols, d_v = V.cols;
    const char *const *queries = ask_names("query", n_q), *const *keys = ask_names("key", n_k);
    NEW_BLOCK(hidden, n_q, n_k, d_a);
    NEW_MATRIX(scores, n_q, n_k);
    NEW_OUTPUTS(n_q, n_k, d_v);
    additive_scores(n_q, n_k, d_q, d_k, d_a, ASK_MATRIX(W_q, d_q), ASK_MATRIX(W_k, d_k),
                    v_a.numbers, ASK_MATRIX(Q, d_q), ASK_MATRIX(K, d_k), hidden, scores);
    shade_matrix("scores", "v_a . tanh(W_q q + W_k k)", n_q, n_k, queries, keys, scores);
    additive_attention(n_q, n_k, d_q, d_k, d_a, d_v, ASK_MATRIX(W_q, d_q), ASK_MATRIX(W_k, d_k),
                       v_a.numbers, ASK_MATRIX(Q, d_q), ASK_MATRIX(K, d_k), ASK_MATRIX(V, d_v),
                       hidden, weights, out);
    shade_matrix("weights", "each row sums to 1", n_q, n_k, queries, keys, weights);
    shade_matrix("out", "the weighted sums of the values", n_q, d_v, queries, ask_names("dim", d_v),
                 out);
}

static void show_general(void) {
    int n_q = Q.rows, n_k = K.rows, d_q = Q.cols, d_k = K.cols;
    const char *const *queries = ask_names("query", n_q), *const *keys = ask_names("key", n_k);
    ask_check_sizes(&K, &K, &V);
    if (W.rows != d_q || W.cols != d_k)
        ask_refuse("Between queries of %d and keys of %d numbers, W has %d rows and %d columns.",
                   d_q, d_k, d_q, d_k);
    NEW_MATRIX(scores, n_q, n_k);
    NEW_MATRIX(weights, n_q, n_k);
    general_scores(n_q, n_k, d_q, d_k, ASK_MATRIX(W, d_k), ASK_MATRIX(Q, d_q), ASK_MATRIX(K, d_k),
                   scores);
    shade_matrix("scores", "query . W key", n_q, n_k, queries, keys, scores);
    softmax_rows(n_q, n_k, scores, weights);
    shade_matrix("weights", "each row sums to 1", n_q, n_k, queries, keys, weights);
}

int main(void) {
    ask(4, NULL,
        (const struct ask_command[]){
            {"additive", "with all that is set below", NULL, NULL, show_additive},
            {"Q 2 0; 0 -1", "queries, a row each", &Q, NULL, show_additive},
            {"K 1 0 1; 0 1 0; 2 2 -2", "keys", &K, NULL, show_additive},
            {"V 1 0; 0 1; 5 5", "values, one for each key", &V, NULL, show_additive},
            {"W_q 0 0; 0 0", "for the queries: now they have no say", &W_q, NULL, show_additive},
            {"W_k 0 0 1; 0 -1 0", "for the keys", &W_k, NULL, show_additive},
            {"v_a 3 0", "weighs the hidden layer", &v_a, NULL, show_additive},
            {"general", "Luong's score, by W", NULL, NULL, show_general},
            {"W 1 0 0; 0 1 0", "a row for each number of a query", &W, NULL, show_general},
            {0},
        });
}
