/* Your queries, keys and values, through your functions of lesson 02. */
#include "dot_product.h"

#include "ask.h"
#include "matrix.h"
#include "product.h"
#include "shade.h"

typedef void attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                       const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                       double out[n_q][d_v]);

/* At first those of the text. */
static struct ask_table Q = {2, 3, {1, 0, 1, 0, 1, 0}};
static struct ask_table K = {3, 3, {1, 1, 0, 0, 1, 1, 1, 0, 1}};
static struct ask_table V = {3, 2, {1, 2, 3, 0, 0, 1}};
static struct ask_table given;

static void show_by(attention *attend, const char *note) {
    ask_check_sizes(&Q, &K, &V);
    int n_q = Q.rows, n_k = K.rows, d = Q.cols, d_v = V.cols;
    const char *const *queries = ask_names("query", n_q), *const *keys = ask_names("key", n_k);
    NEW_MATRIX(scores, n_q, n_k);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    dot_scores(n_q, n_k, d, ASK_MATRIX(Q, d), ASK_MATRIX(K, d), scores);
    shade_matrix("scores", "how well each key fits", n_q, n_k, queries, keys, scores);
    attend(n_q, n_k, d, d_v, ASK_MATRIX(Q, d), ASK_MATRIX(K, d), ASK_MATRIX(V, d_v), weights, out);
    shade_matrix("weights", note, n_q, n_k, queries, keys, weights);
    shade_matrix("out", "the values, so weighed", n_q, d_v, queries, ask_names("dim", d_v), out);
}

static void show_attention(void) {
    show_by(dot_product_attention, "each row sums to 1");
}

static void show_hard(void) {
    show_by(hard_attention, "all to the best key");
}

static void show_pair(const char *what,
                      double (*compare)(int d, const double a[], const double b[])) {
    if (given.rows != 2)
        ask_refuse("Two vectors, such as 1 2 3; 4 5 6");
    shade_number(what, "of the two",
                 compare(given.cols, given.numbers, given.numbers + given.cols));
}

static void show_dot(void) {
    show_pair("dot", dot);
}

static void show_cosine(void) {
    show_pair("cosine", cosine_similarity);
}

/* With what was given as its gradient by the output. */
static double loss(void *nothing) {
    int n_q = Q.rows, n_k = K.rows, d = Q.cols, d_v = V.cols;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    dot_product_attention(n_q, n_k, d, d_v, ASK_MATRIX(Q, d), ASK_MATRIX(K, d), ASK_MATRIX(V, d_v),
                          weights, out);
    return sum_of_products(n_q * d_v, out, given.numbers);
}

static void show_backward(void) {
    ask_check_sizes(&Q, &K, &V);
    int n_q = Q.rows, n_k = K.rows, d = Q.cols, d_v = V.cols;
    if (given.rows != n_q || given.cols != d_v)
        ask_refuse("The output has %d rows of %d numbers, and so has d_out.", n_q, d_v);
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, d_v);
    NEW_MATRIX_FILLED(d_Q, n_q, d, 0.0);
    NEW_MATRIX_FILLED(d_K, n_k, d, 0.0);
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0);
    dot_product_attention(n_q, n_k, d, d_v, ASK_MATRIX(Q, d), ASK_MATRIX(K, d), ASK_MATRIX(V, d_v),
                          weights, out);
    dot_product_attention_backward(n_q, n_k, d, d_v, ASK_MATRIX(Q, d), ASK_MATRIX(K, d),
                                   ASK_MATRIX(V, d_v), weights, ASK_MATRIX(given, d_v), d_Q, d_K,
                                   d_V);
    ask_show_gradient("d_Q", n_q, d, d_Q, loss, NULL, (double(*)[d])Q.numbers);
}

int main(void) {
    ask(2, NULL,
        (const struct ask_command[]){
            {"attention", "with the Q, K and V that are set", NULL, NULL, show_attention},
            {"Q 0 0 2", "queries, a row each: 1 0 1; 0 1 0", &Q, NULL, show_attention},
            {"K 1 1 0; 0 1 1; 0 0 -1", "keys, as long as the queries", &K, NULL, show_attention},
            {"V 1 0; 0 1; 5 5", "values, one for each key", &V, NULL, show_attention},
            {"backward 1 0", "d_out, as many rows as Q: what reaches Q", &given, NULL,
             show_backward},
            {"hard", "hard attention instead", NULL, NULL, show_hard},
            {"dot 1 2 3; 4 5 6", "of two vectors", &given, NULL, show_dot},
            {"cosine 1 0; 5 5", "lengths divided out", &given, NULL, show_cosine},
            {0},
        });
}
