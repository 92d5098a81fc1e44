/* What the prompts of lessons 02 and 03 share: queries, keys and values that are typed, and what an
   attention and its backward pass make of them. */
#ifndef PLOTS_PROMPT_H
#define PLOTS_PROMPT_H

#include "ask.h"
#include "attention.h"
#include "product.h"
#include "shade.h"

typedef void attention(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                       const double K[n_k][d_k], const double V[n_k][d_v], double weights[n_q][n_k],
                       double out[n_q][d_v]);
typedef void attention_backward(int n_q, int n_k, int d_k, int d_v, const double Q[n_q][d_k],
                                const double K[n_k][d_k], const double V[n_k][d_v],
                                const double weights[n_q][n_k], const double d_out[n_q][d_v],
                                double d_Q[n_q][d_k], double d_K[n_k][d_k], double d_V[n_k][d_v]);

/* At first those of the text; `given` is what else a command is given. */
static struct ask_table Q = {2, 3, {1, 0, 1, 0, 1, 0}};
static struct ask_table K = {3, 3, {1, 1, 0, 0, 1, 1, 1, 0, 1}};
static struct ask_table V = {3, 2, {1, 2, 3, 0, 0, 1}};
static struct ask_table given;

/* The commands that set them, each of which shows the attention again. */
#define SETTING_Q_K_V(show)                                                                        \
    {"attention", "with the Q, K and V that are set", NULL, NULL, show},                           \
        {"Q 0 0 2", "queries, a row each: 1 0 1; 0 1 0", &Q, NULL, show},                          \
        {"K 1 1 0; 0 1 1; 0 0 -1", "keys, as long as the queries", &K, NULL, show}, {              \
        "V 1 0; 0 1; 5 5", "values, one for each key", &V, NULL, show                              \
    }

static inline void attend_to_typed(attention *attend, double weights[Q.rows][K.rows],
                                   double out[Q.rows][V.cols]) {
    const int d_k = Q.cols, d_v = V.cols;
    attend(Q.rows, K.rows, d_k, d_v, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k), ASK_MATRIX(V, d_v),
           weights, out);
}

/* For each query and key its score, and then the weights and the output. */
static inline void show_typed(attention *attend, const char *scores_are, const char *scores_note,
                              const void *scores, const char *weights_note) {
    const int n_q = Q.rows, n_k = K.rows, d_v = V.cols;
    const char *const *queries = ask_names("query", n_q), *const *keys = ask_names("key", n_k);
    NEW_OUTPUTS(n_q, n_k, d_v);
    shade_matrix(scores_are, scores_note, n_q, n_k, queries, keys, scores);
    attend_to_typed(attend, weights, out);
    shade_matrix("weights", weights_note, n_q, n_k, queries, keys, weights);
    shade_matrix("out", "the values, so weighed", n_q, d_v, queries, ask_names("dim", d_v), out);
}

/* The output times `given`, which is the gradient of the output. */
static inline double loss_of_typed(void *context) {
    NEW_OUTPUTS(Q.rows, K.rows, V.cols);
    attend_to_typed(*(attention **)context, weights, out);
    return sum_of_products(Q.rows * V.cols, out, given.numbers);
}

static inline void show_typed_backward(attention *attend, attention_backward *back) {
    ask_check_sizes(&Q, &K, &V);
    const int n_q = Q.rows, n_k = K.rows, d_k = Q.cols, d_v = V.cols;
    if (given.rows != n_q || given.cols != d_v)
        ask_refuse("The output has %d rows of %d numbers, and so has d_out.", n_q, d_v);
    NEW_OUTPUTS(n_q, n_k, d_v);
    NEW_GRADIENTS(n_q, n_k, d_k, d_v);
    attend_to_typed(attend, weights, out);
    back(n_q, n_k, d_k, d_v, ASK_MATRIX(Q, d_k), ASK_MATRIX(K, d_k), ASK_MATRIX(V, d_v), weights,
         ASK_MATRIX(given, d_v), d_Q, d_K, d_V);
    ask_show_gradient("d_Q", n_q, d_k, d_Q, loss_of_typed, &attend, (double(*)[d_k])Q.numbers);
}

#endif
