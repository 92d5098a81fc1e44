/* Lesson 02: what dot_product.h promises of the way back; forward_tests.h has the way forward. */
#include "forward_tests.h"

static double loss_of_dot_scores(void *context) {
    struct call *c = context;
    dot_scores(c->z.n_q, c->z.n_k, c->z.d_k, c->Q, c->K, c->scores);
    return sum_of_products(c->z.n_q * c->z.n_k, c->scores, c->upstream);
}

static double loss_of_blend(void *context) {
    struct call *c = context;
    blend(c->z.n_q, c->z.n_k, c->z.d_v, c->weights, c->V, c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

static const struct sizes few = {2, 4, 3, 1};

/* Declare a gradient that holds something already, which is added to what it has to gain. */
#define NEW_RANDOM_SUM(name, rows, cols, gained)                                                   \
    NEW_MATRIX_RANDOM(name, rows, cols, &r);                                                       \
    add_into((rows) * (cols), name, gained)

/* dot_scores_backward */

static void the_worked_scores_give_these_gradients_to_four_decimals(void) {
    WORKED_PAIRS;
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}}, d_weights[2][3] = {{1, 3, 0}, {2, 0, 1}};
    double weights[2][3];
    NEW_MATRIX(d_scores, 2, 3);
    softmax_rows(2, 3, scores, weights);
    obvious_d_scores(2, 3, weights, d_weights, d_scores);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_K, 3, 3, 0.0);
    dot_scores_backward(2, 3, 3, Q, K, d_scores, d_Q, d_K);
    EXPECT_ROWS(2, 3, d_Q, FOUR_DECIMALS, {-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223});
    EXPECT_ROWS(3, 3, d_K, FOUR_DECIMALS, {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561},
                {-0.4884, 0, -0.4884});
}

/* Random inputs for the way back of the scores, and what it has to add. */
#define RANDOM_SCORES_BACK(z, seed)                                                                \
    RANDOM_PAIRS(z, seed);                                                                         \
    NEW_MATRIX_RANDOM(d_scores, (z).n_q, (z).n_k, &r);                                             \
    NEW_MATRIX(gained_d_Q, (z).n_q, (z).d_k);                                                      \
    NEW_MATRIX(gained_d_K, (z).n_k, (z).d_k);                                                      \
    product((z).n_q, (z).n_k, (z).d_k, d_scores, K, gained_d_Q);                                   \
    product_by_columns((z).n_k, (z).n_q, (z).d_k, d_scores, Q, gained_d_K)

static void the_gradients_of_the_scores_are_added_to_what_is_there(void) {
    RANDOM_SCORES_BACK(few, 218);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 10.0);
    NEW_MATRIX_FILLED(d_K, 4, 3, 20.0);
    dot_scores_backward(2, 4, 3, Q, K, d_scores, d_Q, d_K);
    EXPECT_ADDED(2, 3, 10.0, gained_d_Q, d_Q);
    EXPECT_ADDED(4, 3, 20.0, gained_d_K, d_K);
}

static void the_gradients_of_the_scores_are_what_nudging_measures(void) {
    RANDOM_SCORES_BACK(some, 219);
    NEW_MATRIX(scores, 3, 5);
    NEW_MATRIX_FILLED(d_Q, 3, 4, 0.0);
    NEW_MATRIX_FILLED(d_K, 5, 4, 0.0);
    struct call call = {some, Q, K, .scores = scores, .upstream = d_scores};
    dot_scores_backward(3, 5, 4, Q, K, d_scores, d_Q, d_K);
    EXPECT_NUDGED(loss_of_dot_scores, &call, 3, 4, Q, d_Q);
    EXPECT_NUDGED(loss_of_dot_scores, &call, 5, 4, K, d_K);
}

static void a_sentence_scored_against_itself_collects_both_gradients(void) {
    struct random r = random_seed(220);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_scores, 5, 5, &r);
    NEW_MATRIX(expected, 5, 3);
    NEW_MATRIX(as_key, 5, 3);
    product(5, 5, 3, d_scores, X, expected);
    product_by_columns(5, 5, 3, d_scores, X, as_key);
    add_into(15, as_key, expected);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_scores_backward(5, 5, 3, X, X, d_scores, d_X, d_X);
    BECAUSE("d_Q and d_K are one matrix here: both gradients add up in it.");
    EXPECT_MATRIX(5, 3, expected, d_X, ROUNDING);
}

static void random_score_gradients_agree_with_the_obvious_products(void) {
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k;
        RANDOM_SCORES_BACK(*z, 221 + n_q);
        NEW_RANDOM_SUM(d_Q, n_q, d, gained_d_Q);
        NEW_RANDOM_SUM(d_K, n_k, d, gained_d_K);
        dot_scores_backward(n_q, n_k, d, Q, K, d_scores, d_Q, d_K);
        EXPECT_OBVIOUS(z, n_q, d, gained_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d, gained_d_K, d_K, ROUNDING);
    }
}

/* blend_backward */

static void the_worked_blend_gives_these_gradients_to_four_decimals(void) {
    WORKED_EXAMPLE;
    NEW_MATRIX(weights, 2, 3);
    obvious_weights(2, 3, 3, Q, K, weights);
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});
    NEW_MATRIX_FILLED(d_weights, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_V, 3, 2, 0.0);
    blend_backward(2, 3, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_ROWS(2, 3, d_weights, FOUR_DECIMALS, {1, 3, 0}, {2, 0, 1});
    EXPECT_ROWS(3, 2, d_V, FOUR_DECIMALS, {0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554});
}

/* Random inputs for the way back of a blend, and what it has to add. */
#define RANDOM_BLEND_BACK(z, seed)                                                                 \
    struct random r = random_seed((uint64_t)(seed));                                               \
    NEW_MATRIX_RANDOM(weights, (z).n_q, (z).n_k, &r);                                              \
    NEW_MATRIX_RANDOM(V, (z).n_k, (z).d_v, &r);                                                    \
    NEW_MATRIX_RANDOM(d_out, (z).n_q, (z).d_v, &r);                                                \
    NEW_MATRIX(gained_d_weights, (z).n_q, (z).n_k);                                                \
    NEW_MATRIX(gained_d_V, (z).n_k, (z).d_v);                                                      \
    product_by_rows((z).n_q, (z).d_v, (z).n_k, d_out, V, gained_d_weights);                        \
    product_by_columns((z).n_k, (z).n_q, (z).d_v, weights, d_out, gained_d_V)

static void the_gradients_of_a_blend_are_added_to_what_is_there(void) {
    const struct sizes z = {2, 4, 0, 3};
    RANDOM_BLEND_BACK(z, 222);
    NEW_MATRIX_FILLED(d_weights, 2, 4, 10.0);
    NEW_MATRIX_FILLED(d_V, 4, 3, 20.0);
    blend_backward(2, 4, 3, weights, V, d_out, d_weights, d_V);
    EXPECT_ADDED(2, 4, 10.0, gained_d_weights, d_weights);
    EXPECT_ADDED(4, 3, 20.0, gained_d_V, d_V);
}

static void a_weight_of_zero_still_gets_a_gradient(void) {
    NEW_MATRIX_OF(weights, 1, 3, {1, 0, 0});
    NEW_MATRIX_OF(V, 3, 2, {1, 2}, {3, 4}, {-5, 6});
    NEW_MATRIX_OF(d_out, 1, 2, {10, 1});
    NEW_MATRIX_FILLED(d_weights, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_V, 3, 2, 0.0);
    blend_backward(1, 3, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_ROWS(1, 3, d_weights, ROUNDING, {12, 34, -44});
    EXPECT_ROWS(3, 2, d_V, ROUNDING, {10, 1}, {0, 0}, {0, 0});
}

static void the_gradients_of_a_blend_are_what_nudging_measures(void) {
    RANDOM_BLEND_BACK(some, 224);
    NEW_MATRIX(out, 3, 2);
    NEW_MATRIX_FILLED(d_weights, 3, 5, 0.0);
    NEW_MATRIX_FILLED(d_V, 5, 2, 0.0);
    struct call call = {some, .V = V, .weights = weights, .out = out, .upstream = d_out};
    blend_backward(3, 5, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_NUDGED(loss_of_blend, &call, 3, 5, weights, d_weights);
    EXPECT_NUDGED(loss_of_blend, &call, 5, 2, V, d_V);
}

static void a_matrix_that_blends_itself_collects_both_gradients(void) {
    struct random r = random_seed(225);
    NEW_MATRIX_RANDOM(A, 4, 4, &r);
    NEW_MATRIX_RANDOM(d_out, 4, 4, &r);
    NEW_MATRIX(expected, 4, 4);
    NEW_MATRIX(as_values, 4, 4);
    product_by_rows(4, 4, 4, d_out, A, expected);
    product_by_columns(4, 4, 4, A, d_out, as_values);
    add_into(16, as_values, expected);
    NEW_MATRIX_FILLED(d_A, 4, 4, 0.0);
    blend_backward(4, 4, 4, A, A, d_out, d_A, d_A);
    BECAUSE("d_weights and d_V are one matrix here: both gradients add up in it.");
    EXPECT_MATRIX(4, 4, expected, d_A, ROUNDING);
}

static void random_blend_gradients_agree_with_the_obvious_products(void) {
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d_v = z->d_v;
        RANDOM_BLEND_BACK(*z, 226 + n_q);
        NEW_RANDOM_SUM(d_weights, n_q, n_k, gained_d_weights);
        NEW_RANDOM_SUM(d_V, n_k, d_v, gained_d_V);
        blend_backward(n_q, n_k, d_v, weights, V, d_out, d_weights, d_V);
        EXPECT_OBVIOUS(z, n_q, n_k, gained_d_weights, d_weights, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, gained_d_V, d_V, ROUNDING);
    }
}

/* dot_product_attention_backward */

#define GRADIENTS_OF(z, a, b, c)                                                                   \
    NEW_MATRIX_FILLED(d_Q, (z).n_q, (z).d_k, a);                                                   \
    NEW_MATRIX_FILLED(d_K, (z).n_k, (z).d_k, b);                                                   \
    NEW_MATRIX_FILLED(d_V, (z).n_k, (z).d_v, c)
#define ZERO_GRADIENTS(z) GRADIENTS_OF(z, 0.0, 0.0, 0.0)

/* The worked example all the way back, from d_out = {1, 0}, {0, 1}. */
#define WORKED_WAY_BACK                                                                            \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    obvious_weights(2, 3, 3, Q, K, weights);                                                       \
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});                                                    \
    ZERO_GRADIENTS(((struct sizes){2, 3, 3, 2}));                                                  \
    dot_product_attention_backward(2, 3, 3, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V)

static void the_gradient_of_the_queries_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(2, 3, d_Q, FOUR_DECIMALS, {-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223});
}

static void the_gradient_of_the_keys_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(3, 3, d_K, FOUR_DECIMALS, {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561},
                {-0.4884, 0, -0.4884});
}

static void the_gradient_of_the_values_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(3, 2, d_V, FOUR_DECIMALS, {0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554});
}

/* What a way back starts from, at random. */
#define RANDOM_WAY_BACK(z, seed)                                                                   \
    RANDOM_INPUTS(z, seed);                                                                        \
    NEW_MATRIX_RANDOM(d_out, (z).n_q, (z).d_v, &r);                                                \
    NEW_MATRIX(weights, (z).n_q, (z).n_k);                                                         \
    obvious_weights((z).n_q, (z).n_k, (z).d_k, Q, K, weights)

/* What it has to add. */
#define GAINED(z)                                                                                  \
    NEW_MATRIX(gained_d_Q, (z).n_q, (z).d_k);                                                      \
    NEW_MATRIX(gained_d_K, (z).n_k, (z).d_k);                                                      \
    NEW_MATRIX(gained_d_V, (z).n_k, (z).d_v);                                                      \
    obvious_way_back(1.0, z, Q, K, V, weights, d_out, gained_d_Q, gained_d_K, gained_d_V)

static void all_three_gradients_are_added_to_what_is_there(void) {
    RANDOM_WAY_BACK(few, 227);
    GAINED(few);
    GRADIENTS_OF(few, 10.0, 20.0, 30.0);
    dot_product_attention_backward(2, 4, 3, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    EXPECT_ADDED(2, 3, 10.0, gained_d_Q, d_Q);
    EXPECT_ADDED(4, 3, 20.0, gained_d_K, d_K);
    EXPECT_ADDED(4, 1, 30.0, gained_d_V, d_V);
}

static void three_gradients_meet_in_one_sentence(void) {
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});
    NEW_MATRIX_OF(weights, 2, 2, {0.2689414213699951, 0.7310585786300049},
                  {0.1192029220221175, 0.8807970779778825});
    NEW_MATRIX_FILLED(d_out, 2, 1, 1.0);
    NEW_MATRIX_FILLED(d_X, 2, 1, 0.0);
    dot_product_attention_backward(2, 2, 1, 1, X, X, X, weights, d_out, d_X, d_X, d_X);
    BECAUSE("d_Q, d_K and d_V are one matrix here, as in self-attention: all three add up in it.");
    EXPECT_ROWS(2, 1, d_X, 1e-6, {0.178157}, {2.123448});
}

static void all_three_gradients_are_what_nudging_measures(void) {
    RANDOM_WAY_BACK(some, 228);
    ZERO_GRADIENTS(some);
    dot_product_attention_backward(3, 5, 4, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    NEW_MATRIX(nudged_weights, 3, 5);
    NEW_MATRIX(nudged_out, 3, 2);
    struct call call = {
        some, Q, K, V, NULL, nudged_weights, nudged_out, d_out, dot_product_attention};
    EXPECT_ALL_NUDGED(some, loss_of_attention, &call);
}

static void a_word_that_asks_answers_and_is_fetched_has_one_gradient(void) {
    struct random r = random_seed(231);
    const struct sizes z = {5, 5, 3, 3};
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 5, 3, &r);
    NEW_OUTPUTS(5, 5, 3);
    obvious_weights(5, 5, 3, X, X, weights);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_product_attention_backward(5, 5, 3, 3, X, X, X, weights, d_out, d_X, d_X, d_X);
    struct call call = {z, X, X, X, NULL, weights, out, d_out, dot_product_attention};
    EXPECT_NUDGED(loss_of_attention, &call, 5, 3, X, d_X);
}

static void the_weights_are_used_as_the_forward_pass_left_them(void) {
    RANDOM_INPUTS(few, 232);
    NEW_MATRIX_RANDOM(d_out, 2, 1, &r);
    NEW_MATRIX_OF(weights, 2, 4, {0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0});
    GAINED(few);
    ZERO_GRADIENTS(few);
    dot_product_attention_backward(2, 4, 3, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    EXPECT_MATRIX(2, 3, gained_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(4, 3, gained_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(4, 1, gained_d_V, d_V, ROUNDING);
}

static void a_settled_choice_passes_nothing_to_the_scores(void) {
    NEW_MATRIX_OF(Q, 1, 2, {10000, 0});
    NEW_MATRIX_OF(K, 3, 2, {1, 5}, {0, 7}, {-1, 0});
    NEW_MATRIX_OF(V, 3, 1, {0.5}, {1}, {-1});
    NEW_MATRIX_OF(weights, 1, 3, {1, 0, 0});
    NEW_MATRIX_OF(d_out, 1, 1, {4});
    ZERO_GRADIENTS(((struct sizes){1, 3, 2, 1}));
    dot_product_attention_backward(1, 3, 2, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    BECAUSE("With weights 1, 0, 0 no nudge of a score moves a weight: nothing comes back.");
    EXPECT_ROWS(1, 2, d_Q, ROUNDING, {0});
    EXPECT_ROWS(3, 2, d_K, ROUNDING, {0});
    EXPECT_ROWS(3, 1, d_V, ROUNDING, {4}, {0}, {0});
}

static void random_ways_back_agree_with_the_obvious_one(void) {
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k, d_v = z->d_v;
        RANDOM_WAY_BACK(*z, 235 + n_q);
        GAINED(*z);
        NEW_RANDOM_SUM(d_Q, n_q, d, gained_d_Q);
        NEW_RANDOM_SUM(d_K, n_k, d, gained_d_K);
        NEW_RANDOM_SUM(d_V, n_k, d_v, gained_d_V);
        dot_product_attention_backward(n_q, n_k, d, d_v, Q, K, V, weights, d_out, d_Q, d_K, d_V);
        EXPECT_OBVIOUS(z, n_q, d, gained_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d, gained_d_K, d_K, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, gained_d_V, d_V, ROUNDING);
    }
}

/* The weights are equal, and the values 1 and -1 in turn: their mean, and so the shared sum, is 0.
   A few rows of weights fit the stack that a lesson is given, a matrix does not. */
static void a_long_text_needs_no_matrix_of_its_own(void) {
    enum { n_q = 5, n_k = 30000 };
    NEW_MATRIX_OF(Q, n_q, 2, {1, -1}, {2, 0.5}, {0, 3});
    NEW_MATRIX(K, n_k, 2);
    NEW_MATRIX(V, n_k, 1);
    NEW_MATRIX_FILLED(weights, n_q, n_k, 1.0 / n_k);
    NEW_MATRIX_OF(d_out, n_q, 1, {4}, {-1}, {2});
    ZERO_GRADIENTS(((struct sizes){n_q, n_k, 2, 1}));
    NEW_MATRIX(expected_d_K, n_k, 2);
    for (int j = 0; j < n_k; j++) {
        K[j][0] = V[j][0] = j % 2 == 0 ? 1.0 : -1.0;
        K[j][1] = 1.0;
        expected_d_K[j][0] = V[j][0] * (4 * 1 - 1 * 2 + 2 * 0) / n_k;
        expected_d_K[j][1] = V[j][0] * (4 * -1 - 1 * 0.5 + 2 * 3) / n_k;
    }
    dot_product_attention_backward(n_q, n_k, 2, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    NEW_MATRIX_FILLED(expected_d_V, n_k, 1, (4.0 - 1 + 2) / n_k);
    EXPECT_ROWS(n_q, 2, d_Q, ROUNDING, {4, 0}, {-1, 0}, {2, 0});
    EXPECT_MATRIX(n_k, 2, expected_d_K, d_K, 1e-15);
    EXPECT_MATRIX(n_k, 1, expected_d_V, d_V, 1e-15);
}

static const struct lesson_test tests[] = {
    FORWARD(dot, every_query_and_key_of_the_worked_example_agree_by_so_much),
    FORWARD(dot, numbers_of_opposite_sign_count_against_each_other),
    FORWARD(dot, long_vectors_score_more_than_short_ones),
    FORWARD(dot, random_vectors_agree_with_the_obvious_sum),

    FORWARD(cosine_similarity, the_worked_queries_and_keys_have_these_cosines),
    FORWARD(cosine_similarity, parallel_vectors_of_any_length_have_a_cosine_of_one),
    FORWARD(cosine_similarity, opposite_vectors_have_a_cosine_of_minus_one),
    FORWARD(cosine_similarity, a_zero_vector_has_a_cosine_of_zero_with_everything),
    FORWARD(cosine_similarity, stretching_either_vector_changes_nothing),
    FORWARD(cosine_similarity, random_cosines_agree_with_the_obvious_formula),

    FORWARD(dot_scores, the_worked_scores_come_out),
    FORWARD(dot_scores, a_score_can_be_negative),
    FORWARD(dot_scores, every_query_meets_every_key_in_all_d_numbers),

    FORWARD(blend, the_worked_weights_blend_to_four_decimals),
    FORWARD(blend, the_soft_dictionary_answers_with_some_of_each_value),
    FORWARD(blend, weights_are_taken_as_they_come),
    FORWARD(blend, random_blends_agree_with_the_obvious_product),

    FORWARD(dot_product_attention, the_worked_example_gives_these_weights),
    FORWARD(dot_product_attention, the_worked_example_gives_this_output),
    FORWARD(dot_product_attention, attention_stays_within_the_values),
    FORWARD(dot_product_attention, shuffling_keys_with_their_values_changes_no_output),
    FORWARD(dot_product_attention, shuffling_the_queries_shuffles_the_outputs),
    FORWARD(dot_product_attention, a_sentence_can_attend_to_itself),
    FORWARD(dot_product_attention, if_all_values_are_equal_that_value_comes_out),
    FORWARD(dot_product_attention, keys_of_zeros_give_the_mean_of_the_values),
    FORWARD(dot_product_attention, scores_of_ten_thousand_stay_finite),
    FORWARD(dot_product_attention, random_attention_agrees_with_the_obvious_way),

    FORWARD(hard_attention, the_worked_example_picks_its_last_and_its_first_key),
    FORWARD(hard_attention, the_worked_example_fetches_the_values_of_its_picks),
    FORWARD(hard_attention, the_best_of_negative_scores_is_found_too),
    FORWARD(hard_attention, the_first_of_several_best_keys_is_picked),
    FORWARD(hard_attention, the_best_key_is_found_wherever_it_stands),
    FORWARD(hard_attention, a_lead_of_a_billionth_is_enough),
    FORWARD(hard_attention, what_the_outputs_held_before_counts_for_nothing),
    FORWARD(hard_attention, nudging_a_query_moves_the_soft_answer_and_not_the_hard_one),
    FORWARD(hard_attention, random_picks_agree_with_the_obvious_way),

    TEST(dot_scores_backward, the_worked_scores_give_these_gradients_to_four_decimals),
    TEST(dot_scores_backward, the_gradients_of_the_scores_are_added_to_what_is_there),
    TEST(dot_scores_backward, the_gradients_of_the_scores_are_what_nudging_measures),
    TEST(dot_scores_backward, a_sentence_scored_against_itself_collects_both_gradients),
    TEST(dot_scores_backward, random_score_gradients_agree_with_the_obvious_products),

    TEST(blend_backward, the_worked_blend_gives_these_gradients_to_four_decimals),
    TEST(blend_backward, the_gradients_of_a_blend_are_added_to_what_is_there),
    TEST(blend_backward, a_weight_of_zero_still_gets_a_gradient),
    TEST(blend_backward, the_gradients_of_a_blend_are_what_nudging_measures),
    TEST(blend_backward, a_matrix_that_blends_itself_collects_both_gradients),
    TEST(blend_backward, random_blend_gradients_agree_with_the_obvious_products),

    TEST(dot_product_attention_backward, the_gradient_of_the_queries_comes_out_to_four_decimals),
    TEST(dot_product_attention_backward, the_gradient_of_the_keys_comes_out_to_four_decimals),
    TEST(dot_product_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals),
    TEST(dot_product_attention_backward, all_three_gradients_are_added_to_what_is_there),
    TEST(dot_product_attention_backward, three_gradients_meet_in_one_sentence),
    TEST(dot_product_attention_backward, all_three_gradients_are_what_nudging_measures),
    TEST(dot_product_attention_backward, a_word_that_asks_answers_and_is_fetched_has_one_gradient),
    TEST(dot_product_attention_backward, the_weights_are_used_as_the_forward_pass_left_them),
    TEST(dot_product_attention_backward, a_settled_choice_passes_nothing_to_the_scores),
    TEST(dot_product_attention_backward, random_ways_back_agree_with_the_obvious_one),
    TEST(dot_product_attention_backward, a_long_text_needs_no_matrix_of_its_own),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
