/* Lesson 04: what additive.h promises. The tests stand in two files: forward and backward. */
#include "additive.h"

#include "dot_product.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDING 1e-12

struct sizes {
    int n_q, n_k, d_q, d_k, d_a, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 6, 1}, {2, 4, 3, 5, 1, 6}, {1, 3, 2, 4, 5, 7}, {4, 1, 5, 3, 2, 6},
    {5, 2, 1, 4, 3, 7}, {2, 3, 5, 1, 4, 6}, {1, 1, 1, 1, 1, 1},
};
#define FOR_ALL_SIZES(z) FOR_ALL_OF(struct sizes, z, all_sizes)

/* What a function is given and what it makes, as far as it knows them; void, since the sizes stand
   in z. */
struct net {
    struct sizes z;
    void *W_q, *W_k, *v_a, *W, *Q, *K, *V;
    void *hidden, *scores, *weights, *out;
    void *upstream; /* d_scores, or d_out */
};

/* Whose inputs. */
enum what { ADDITIVE, ATTENTION, CONCAT, GENERAL };

#define COPY(name, rows, cols, ...)                                                                \
    matrix_copy(name, rows, cols, (const double[rows][cols]){__VA_ARGS__})

/* The worked example of the lesson; W of the general score is its W_k. */
static struct net worked_inputs(enum what what) {
    struct net n = {.z = {.n_q = 2, .n_k = 3, .d_q = 2, .d_k = 3, .d_a = 2, .d_v = 2}};
    if (what == GENERAL) {
        n.W = COPY("W", 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    } else if (what == CONCAT) {
        n.W = COPY("W", 2, 5, {0.5, 1, 1, 0, 0.5}, {-1, 0.25, 0.25, -1, 1});
    } else {
        n.W_q = COPY("W_q", 2, 2, {0.5, 1}, {-1, 0.25});
        n.W_k = COPY("W_k", 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    }
    if (what != GENERAL)
        n.v_a = vector_copy("v_a", 2, (const double[2]){1, -0.5});
    n.Q = COPY("Q", 2, 2, {1, 0}, {0, 1});
    n.K = COPY("K", 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, -1});
    if (what == ATTENTION)
        n.V = COPY("V", 3, 2, {1, 2}, {3, 0}, {0, 1});
    return n;
}

static void *random_matrix(const char *name, int rows, int cols, struct random *r) {
    return random_fill_normal(r, rows * cols, matrix_new(name, rows, cols));
}

static struct net random_inputs(enum what what, struct sizes z, struct random *r) {
    struct net n = {.z = z};
    if (what == GENERAL) {
        n.W = random_matrix("W", z.d_q, z.d_k, r);
    } else if (what == CONCAT) {
        n.W = random_matrix("W", z.d_a, z.d_q + z.d_k, r);
    } else {
        n.W_q = random_matrix("W_q", z.d_a, z.d_q, r);
        n.W_k = random_matrix("W_k", z.d_a, z.d_k, r);
    }
    if (what != GENERAL)
        n.v_a = random_fill_normal(r, z.d_a, vector_new("v_a", z.d_a));
    n.Q = random_matrix("Q", z.n_q, z.d_q, r);
    n.K = random_matrix("K", z.n_k, z.d_k, r);
    if (what == ATTENTION)
        n.V = random_matrix("V", z.n_k, z.d_v, r);
    return n;
}

/* Room for what the learner's functions make: behind the inputs, or it would be shown as one. */
static struct net with_room(struct net n) {
    const struct sizes z = n.z;
    if (n.V) {
        n.weights = matrix_new("weights", z.n_q, z.n_k);
        n.out = matrix_new("out", z.n_q, z.d_v);
    } else {
        n.scores = matrix_new("scores", z.n_q, z.n_k);
    }
    if (n.W_q)
        n.hidden = block_new("hidden", z.n_q, z.n_k, z.d_a);
    return n;
}

/* --- the learner's functions, all scores at a time ------------------------------------------ */

typedef void run(const struct net *n);

/* Every query with every key, through one of the functions for a pair. */
#define SCORES_OF_PAIRS(run_pairs, score)                                                          \
    static void run_pairs(const struct net *n) {                                                   \
        const struct sizes z = n->z;                                                               \
        const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;                                        \
        double(*scores)[z.n_k] = n->scores;                                                        \
        for (int i = 0; i < z.n_q; i++)                                                            \
            for (int j = 0; j < z.n_k; j++)                                                        \
                scores[i][j] = score;                                                              \
    }

SCORES_OF_PAIRS(run_additive_pairs,
                additive_score(z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, Q[i], K[j]))
SCORES_OF_PAIRS(run_concat_pairs, concat_score(z.d_q, z.d_k, z.d_a, n->W, n->v_a, Q[i], K[j]))
SCORES_OF_PAIRS(run_general_pairs, general_score(z.d_q, z.d_k, n->W, Q[i], K[j]))

static void run_scores(const struct net *n) {
    const struct sizes z = n->z;
    additive_scores(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                    n->hidden, n->scores);
}

static void run_attention(const struct net *n) {
    const struct sizes z = n->z;
    additive_attention(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                       n->V, n->hidden, n->weights, n->out);
}

static void run_general(const struct net *n) {
    const struct sizes z = n->z;
    general_scores(z.n_q, z.n_k, z.d_q, z.d_k, n->W, n->Q, n->K, n->scores);
}

/* --- the slow, obvious way ------------------------------------------------------------------ */

static void *obvious_hidden(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    double(*hidden)[z.n_k][z.d_a] = block_new(name, z.n_q, z.n_k, z.d_a);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            for (int a = 0; a < z.d_a; a++)
                hidden[i][j][a] = tanh(sum_of_products(z.d_q, W_q[a], Q[i]) +
                                       sum_of_products(z.d_k, W_k[a], K[j]));
    return hidden;
}

static void *obvious_scores(const char *name, const struct net *n) {
    const int pairs = n->z.n_q * n->z.n_k;
    void *hidden = obvious_hidden("slow_hidden", n), *scores = matrix_new(name, n->z.n_q, n->z.n_k);
    product(pairs, n->z.d_a, 1, hidden, n->v_a, scores);
    return scores;
}

static void *obvious_weights(const char *name, const struct net *n) {
    void *weights = obvious_scores(name, n);
    softmax_rows(n->z.n_q, n->z.n_k, weights, weights);
    return weights;
}

static void *obvious_out(const struct net *n) {
    NEW_MATRIX(slow_out, n->z.n_q, n->z.d_v);
    product(n->z.n_q, n->z.n_k, n->z.d_v, obvious_weights("slow_weights", n), n->V, slow_out);
    return slow_out;
}

/* W = [W_q, W_k] */
static void *obvious_concat(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    const double(*W)[z.d_q + z.d_k] = n->W;
    NEW_MATRIX(left, z.d_a, z.d_q);
    NEW_MATRIX(right, z.d_a, z.d_k);
    for (int a = 0; a < z.d_a; a++) {
        memcpy(left[a], W[a], sizeof left[a]);
        memcpy(right[a], W[a] + z.d_q, sizeof right[a]);
    }
    struct net apart = *n;
    apart.W_q = left;
    apart.W_k = right;
    return obvious_scores(name, &apart);
}

static void *obvious_general(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    double(*scores)[z.n_k] = matrix_new(name, z.n_q, z.n_k);
    NEW_MATRIX(translated, z.n_k, z.d_q);
    product_by_rows(z.n_k, z.d_k, z.d_q, n->K, n->W, translated);
    product_by_rows(z.n_q, z.d_q, z.n_k, n->Q, translated, scores);
    return scores;
}

/* --- expecting ------------------------------------------------------------------------------ */

static void because_of_sizes(const struct net *n) {
    const struct sizes z = n->z;
    BECAUSE_IF(n->V, "Here n_q = %d, n_k = %d, d_q = %d, d_k = %d, d_a = %d and d_v = %d.", z.n_q,
               z.n_k, z.d_q, z.d_k, z.d_a, z.d_v);
    BECAUSE_IF(n->v_a, "Here n_q = %d, n_k = %d, d_q = %d, d_k = %d and d_a = %d.", z.n_q, z.n_k,
               z.d_q, z.d_k, z.d_a);
    BECAUSE("Here n_q = %d, n_k = %d, d_q = %d and d_k = %d.", z.n_q, z.n_k, z.d_q, z.d_k);
}

/* `made` is the name of what the function has made, in n. */
#define EXPECT_MADE(n, made, rows, cols, expected, tolerance)                                      \
    expect_numbers(__LINE__, #made, rows, cols, (const double *)(expected), (n).made, tolerance)

#define EXPECT_OBVIOUS(n, made, rows, cols, expected)                                              \
    do {                                                                                           \
        because_of_sizes(&(n));                                                                    \
        EXPECT_MADE(n, made, rows, cols, expected, ROUNDING);                                      \
    } while (0)

#include "forward_tests.h"

#include "backward_tests.h"

#define FORWARD(exercise, test)  TEST_FROM(forward_file, exercise, test)
#define BACKWARD(exercise, test) TEST_FROM(backward_file, exercise, test)

static const struct lesson_test tests[] = {
    FORWARD(additive_score, the_small_network_scores_every_pair_of_the_worked_example),
    FORWARD(additive_score, the_query_and_the_key_keep_to_their_own_matrices),
    FORWARD(additive_score, huge_queries_and_keys_score_no_more_than_the_sum_of_all_weights),
    FORWARD(additive_score, random_pairs_agree_with_the_obvious_score),

    FORWARD(concat_score, one_matrix_for_both_gives_the_scores_of_the_worked_example),
    FORWARD(concat_score, concat_is_the_additive_score_with_the_matrices_side_by_side),

    FORWARD(general_score, the_matrix_between_scores_every_pair_of_the_worked_example),
    FORWARD(general_score, a_square_matrix_keeps_its_rows_for_the_query),
    FORWARD(general_score, with_the_identity_between_it_is_the_dot_product),
    FORWARD(general_score, random_pairs_agree_with_the_obvious_general_score),

    FORWARD(additive_scores, all_scores_of_the_worked_example_come_out_at_once),
    FORWARD(additive_scores, hidden_receives_the_values_of_tanh),
    FORWARD(additive_scores, as_many_queries_as_keys_are_not_mixed_up),
    FORWARD(additive_scores, permuting_the_keys_permutes_the_scores),
    FORWARD(additive_scores, huge_inputs_leave_hidden_at_one_or_minus_one),
    FORWARD(additive_scores, random_scores_agree_with_the_obvious_way),
    FORWARD(additive_scores, each_matrix_meets_each_row_once_and_not_once_a_pair),

    BACKWARD(additive_scores_backward, the_worked_network_gets_these_gradients_to_four_decimals),
    BACKWARD(additive_scores_backward,
             the_worked_queries_and_keys_get_these_gradients_to_four_decimals),
    BACKWARD(additive_scores_backward, the_five_gradients_are_added_to_what_is_there),
    BACKWARD(additive_scores_backward, the_five_gradients_are_what_nudging_measures),
    BACKWARD(additive_scores_backward, the_given_hidden_values_are_what_counts),
    BACKWARD(additive_scores_backward, a_saturated_hidden_number_passes_no_gradient),
    BACKWARD(additive_scores_backward, a_sentence_that_asks_itself_collects_both_gradients),

    FORWARD(additive_attention, the_worked_example_gives_these_weights),
    FORWARD(additive_attention, the_worked_example_gives_this_output),
    FORWARD(additive_attention, another_query_looks_elsewhere),
    FORWARD(additive_attention, shuffling_keys_with_their_values_changes_no_output),
    FORWARD(additive_attention, random_attention_agrees_with_the_obvious_way),

    BACKWARD(additive_attention_backward, the_gradient_of_the_network_comes_out_to_four_decimals),
    BACKWARD(additive_attention_backward,
             the_gradient_of_queries_and_keys_comes_out_to_four_decimals),
    BACKWARD(additive_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals),
    BACKWARD(additive_attention_backward, all_six_gradients_are_added_to_what_is_there),
    BACKWARD(additive_attention_backward, all_six_gradients_are_what_nudging_measures),
    BACKWARD(additive_attention_backward,
             hidden_and_weights_are_used_as_the_forward_pass_left_them),
    BACKWARD(additive_attention_backward, a_sentence_that_attends_to_itself_collects_all_gradients),
    BACKWARD(additive_attention_backward, a_long_text_needs_no_matrix_of_its_own),

    FORWARD(general_scores, the_worked_example_has_these_general_scores),
    FORWARD(general_scores, as_many_queries_as_keys_keep_their_rows),
    FORWARD(general_scores, random_general_scores_agree_with_the_obvious_way),

    BACKWARD(general_scores_backward, the_worked_general_scores_give_these_gradients),
    BACKWARD(general_scores_backward, a_square_matrix_keeps_its_rows_on_the_way_back),
    BACKWARD(general_scores_backward, the_three_gradients_are_added_to_what_is_there),
    BACKWARD(general_scores_backward, the_three_gradients_are_what_nudging_measures),
    BACKWARD(general_scores_backward, a_sentence_scored_against_itself_collects_both_gradients),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
