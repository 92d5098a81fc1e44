/* Lesson 02: the forward functions of dot_product.h. Their backward passes are tested in
   test_dot_product_backward.c. */
#include "inputs.h"

#include <math.h>

/* Random inputs of attention. `r` can give more random numbers. */
#define RANDOM_PAIRS(z, seed)                                                                      \
    struct random r = random_seed((uint64_t)(seed));                                               \
    NEW_MATRIX_RANDOM(Q, (z).n_q, (z).d_k, &r);                                                    \
    NEW_MATRIX_RANDOM(K, (z).n_k, (z).d_k, &r)
#define RANDOM_INPUTS(z, seed)                                                                     \
    RANDOM_PAIRS(z, seed);                                                                         \
    NEW_MATRIX_RANDOM(V, (z).n_k, (z).d_v, &r)

typedef void weighting(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                       double weights[n_q][n_k]);

static void obvious_picks(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                          double weights[n_q][n_k]) {
    product_by_rows(n_q, d, n_k, Q, K, weights);
    for (int i = 0; i < n_q; i++) {
        int best = n_k - 1;
        for (int j = best; j >= 0; j--)
            if (weights[i][j] >= weights[i][best])
                best = j;
        fill(n_k, 0.0, weights[i]);
        weights[i][best] = 1.0;
    }
}

static void expect_the_obvious(const struct sizes *z, attention *attend, weighting *weigh, int seed,
                               double tolerance) {
    const int n_q = z->n_q, n_k = z->n_k, d = z->d_k, d_v = z->d_v;
    RANDOM_INPUTS(*z, seed + n_q);
    NEW_OUTPUTS(n_q, n_k, d_v);
    NEW_MATRIX(expected_weights, n_q, n_k);
    NEW_MATRIX(expected_out, n_q, d_v);
    attend(n_q, n_k, d, d_v, Q, K, V, weights, out);
    weigh(n_q, n_k, d, Q, K, expected_weights);
    product(n_q, n_k, d_v, expected_weights, V, expected_out);
    EXPECT_OBVIOUS(z, n_q, n_k, expected_weights, weights, tolerance);
    EXPECT_OBVIOUS(z, n_q, d_v, expected_out, out, tolerance);
}

static void expect_the_obvious_at_all_sizes(attention *attend, weighting *weigh, int seed,
                                            double tolerance) {
    FOR_ALL_SIZES(z) {
        expect_the_obvious(z, attend, weigh, seed, tolerance);
    }
}

/* dot */

TEST(dot, every_query_and_key_of_the_worked_example_agree_by_so_much) {
    WORKED_PAIRS;
    NEW_MATRIX(scores, 2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            scores[i][j] = dot(3, Q[i], K[j]);
    BECAUSE("In this test, scores[i][j] is dot(3, Q[i], K[j]).");
    EXPECT_ROWS(2, 3, scores, FOUR_DECIMALS, {1, 1, 2}, {1, 1, 0});
}

TEST(dot, numbers_of_opposite_sign_count_against_each_other) {
    NEW_VECTOR_OF(a, 3, 1, -2, 3);
    NEW_VECTOR_OF(b, 3, 4, 5, -1);
    EXPECT_NUMBER(-9.0, dot(3, a, b), ROUNDING);
}

TEST(dot, long_vectors_score_more_than_short_ones) {
    NEW_VECTOR_OF(a, 4, 1, 2, 2, 4);
    EXPECT_NUMBER(25.0, dot(4, a, a), ROUNDING);
}

TEST(dot, random_vectors_agree_with_the_obvious_sum) {
    struct random r = random_seed(202);
    for (int d = 1; d <= 9; d++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(a, d, &r);
        NEW_VECTOR_RANDOM(b, d, &r);
        EXPECT_NUMBER(sum_of_products(d, a, b), dot(d, a, b), ROUNDING);
    }
}

/* cosine_similarity */

TEST(cosine_similarity, the_worked_queries_and_keys_have_these_cosines) {
    WORKED_PAIRS;
    NEW_MATRIX(cosine, 2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            cosine[i][j] = cosine_similarity(3, Q[i], K[j]);
    const double s = sqrt(0.5);
    EXPECT_ROWS(2, 3, cosine, FOUR_DECIMALS, {0.5, 0.5, 1.0}, {s, s, 0.0});
}

TEST(cosine_similarity, parallel_vectors_of_any_length_have_a_cosine_of_one) {
    const double factors[6] = {1e-12, 1e-9, 0.1, 1, 7, 1e6};
    for (int i = 0; i < 6; i++) {
        matrix_free_all();
        NEW_VECTOR_OF(a, 4, 1, -2, 3, 0.5);
        NEW_VECTOR(b, 4);
        scale_into(4, factors[i], a, b);
        EXPECT_NUMBER(1.0, cosine_similarity(4, a, b), ROUNDING);
    }
}

/* The product of two squared lengths fits in no double here, but that of the lengths does. */
TEST(cosine_similarity, tiny_and_huge_vectors_have_a_cosine_of_one) {
    const double factors[2] = {1e-100, 1e100};
    for (int i = 0; i < 2; i++) {
        matrix_free_all();
        NEW_VECTOR_OF(a, 3, 1, -2, 2);
        NEW_VECTOR(b, 3);
        scale_into(3, factors[i], a, a);
        scale_into(3, 2.0, a, b);
        BECAUSE("The length of a is %g, and the product of both squared lengths does not fit in a "
                "double. Take each square root first, then multiply the lengths.",
                3.0 * factors[i]);
        EXPECT_NUMBER(1.0, cosine_similarity(3, a, b), ROUNDING);
    }
}

TEST(cosine_similarity, opposite_vectors_have_a_cosine_of_minus_one) {
    NEW_VECTOR_OF(a, 3, 1, -2, 3);
    NEW_VECTOR_OF(b, 3, -2, 4, -6);
    EXPECT_NUMBER(-1.0, cosine_similarity(3, a, b), ROUNDING);
}

TEST(cosine_similarity, a_zero_vector_has_a_cosine_of_zero_with_everything) {
    NEW_MATRIX_OF(a, 3, 3, {0}, {1, -2, 3}, {0});
    NEW_MATRIX_OF(b, 3, 3, {1, -2, 3}, {0}, {0});
    NEW_VECTOR(cosines, 3);
    for (int i = 0; i < 3; i++)
        cosines[i] = cosine_similarity(3, a[i], b[i]);
    const double zeros[3] = {0};
    EXPECT_VECTOR(3, zeros, cosines, 0.0);
}

TEST(cosine_similarity, stretching_either_vector_changes_nothing) {
    struct random r = random_seed(203);
    NEW_VECTOR_RANDOM(a, 5, &r);
    NEW_VECTOR_RANDOM(b, 5, &r);
    double before = cosine_similarity(5, a, b);
    scale_into(5, 1000.0, a, a);
    BECAUSE("a is 1000 times as long as before and has the same direction.");
    EXPECT_NUMBER(before, cosine_similarity(5, a, b), ROUNDING);
    scale_into(5, 0.001, b, b);
    BECAUSE("b is a thousandth as long as before and has the same direction.");
    EXPECT_NUMBER(before, cosine_similarity(5, a, b), ROUNDING);
}

TEST(cosine_similarity, random_cosines_agree_with_the_obvious_formula) {
    struct random r = random_seed(204);
    for (int d = 1; d <= 9; d++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(a, d, &r);
        NEW_VECTOR_RANDOM(b, d, &r);
        double lengths = sqrt(sum_of_products(d, a, a)) * sqrt(sum_of_products(d, b, b));
        double cosine = cosine_similarity(d, a, b);
        BECAUSE_IF(!(fabs(cosine) <= 1.0 + ROUNDING),
                   "A cosine lies between -1 and 1, but yours is %g.", cosine);
        EXPECT_NUMBER(sum_of_products(d, a, b) / lengths, cosine, ROUNDING);
    }
}

/* dot_scores */

TEST(dot_scores, the_worked_scores_come_out) {
    WORKED_PAIRS;
    NEW_MATRIX(scores, 2, 3);
    dot_scores(2, 3, 3, Q, K, scores);
    EXPECT_ROWS(2, 3, scores, FOUR_DECIMALS, {1, 1, 2}, {1, 1, 0});
}

TEST(dot_scores, a_score_can_be_negative) {
    NEW_MATRIX_OF(Q, 1, 3, {1, -1, 2});
    NEW_MATRIX_OF(K, 4, 3, {-2, 1, 0.5}, {0, 0, 0}, {0.5, -2, -1}, {3, 1, -4});
    NEW_MATRIX(scores, 1, 4);
    dot_scores(1, 4, 3, Q, K, scores);
    EXPECT_ROWS(1, 4, scores, ROUNDING, {-2, 0, 0.5, -6});
}

static void expect_obvious_scores(const struct sizes *z) {
    const int n_q = z->n_q, n_k = z->n_k, d = z->d_k;
    RANDOM_PAIRS(*z, 205 + n_q);
    NEW_MATRIX(scores, n_q, n_k);
    NEW_MATRIX(expected, n_q, n_k);
    dot_scores(n_q, n_k, d, Q, K, scores);
    product_by_rows(n_q, d, n_k, Q, K, expected);
    EXPECT_OBVIOUS(z, n_q, n_k, expected, scores, ROUNDING);
}

TEST(dot_scores, every_query_meets_every_key_in_all_d_numbers) {
    FOR_ALL_SIZES(z) {
        expect_obvious_scores(z);
    }
}

TEST(dot_scores, a_long_text_is_scored_without_a_matrix_of_its_own) {
    expect_obvious_scores(&wide_text);
}

/* blend */

TEST(blend, the_worked_weights_blend_to_four_decimals) {
    WORKED_EXAMPLE;
    NEW_OUTPUTS(2, 3, 2);
    obvious_weights(2, 3, 3, Q, K, weights);
    blend(2, 3, 2, weights, V, out);
    EXPECT_ROWS(2, 2, out, FOUR_DECIMALS, {0.8478, 1.0}, {1.6893, 1.0});
}

TEST(blend, the_soft_dictionary_answers_with_some_of_each_value) {
    NEW_MATRIX_OF(weights, 1, 4, {0.05, 0.55, 0.30, 0.10});
    NEW_MATRIX_OF(V, 4, 2, {10, 1}, {20, 0}, {30, 0}, {40, -1});
    NEW_MATRIX(out, 1, 2);
    blend(1, 4, 2, weights, V, out);
    EXPECT_ROWS(1, 2, out, ROUNDING, {24.5, -0.05});
}

TEST(blend, weights_are_taken_as_they_come) {
    NEW_MATRIX_OF(weights, 1, 3, {2, -1, 3});
    NEW_MATRIX_OF(V, 3, 2, {1, 10}, {2, 20}, {3, 30});
    NEW_MATRIX(out, 1, 2);
    blend(1, 3, 2, weights, V, out);
    EXPECT_ROWS(1, 2, out, ROUNDING, {9, 90});
}

static void expect_obvious_blend(const struct sizes *z, const void *weights, const void *V) {
    const int n_q = z->n_q, n_k = z->n_k, d_v = z->d_v;
    NEW_MATRIX(out, n_q, d_v);
    NEW_MATRIX(expected, n_q, d_v);
    blend(n_q, n_k, d_v, weights, V, out);
    product(n_q, n_k, d_v, weights, V, expected);
    EXPECT_OBVIOUS(z, n_q, d_v, expected, out, ROUNDING);
}

TEST(blend, random_blends_agree_with_the_obvious_product) {
    struct random r = random_seed(209);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(weights, z->n_q, z->n_k, &r);
        NEW_MATRIX_RANDOM(V, z->n_k, z->d_v, &r);
        expect_obvious_blend(z, weights, V);
    }
}

/* Only three keys have a weight: a float that adds up 30000 would round by more than one step. */
TEST(blend, a_long_text_is_blended_without_a_matrix_of_its_own) {
    struct random r = random_seed(219);
    const struct sizes z = wide_text;
    NEW_MATRIX_FILLED(weights, z.n_q, z.n_k, 0.0);
    NEW_MATRIX_RANDOM(V, z.n_k, z.d_v, &r);
    random_fill_normal(&r, 3, weights[0] + z.n_k - 3);
    expect_obvious_blend(&z, weights, V);
}

/* dot_product_attention */

/* Declares weights and out, and computes them from Q, K and V. */
#define ATTEND(attend, n_q, n_k, d, d_v)                                                           \
    NEW_OUTPUTS(n_q, n_k, d_v);                                                                    \
    attend(n_q, n_k, d, d_v, Q, K, V, weights, out)
#define WORKED_ATTENTION(attend)                                                                   \
    WORKED_EXAMPLE;                                                                                \
    ATTEND(attend, 2, 3, 3, 2)

TEST(dot_product_attention, the_worked_example_gives_these_weights) {
    WORKED_ATTENTION(dot_product_attention);
    EXPECT_ROWS(2, 3, weights, FOUR_DECIMALS, {0.2119, 0.2119, 0.5761}, {0.4223, 0.4223, 0.1554});
}

TEST(dot_product_attention, the_worked_example_gives_this_output) {
    WORKED_ATTENTION(dot_product_attention);
    EXPECT_ROWS(2, 2, out, FOUR_DECIMALS, {0.8478, 1.0}, {1.6893, 1.0});
}

TEST(dot_product_attention, attention_stays_within_the_values) {
    RANDOM_INPUTS(some, 211);
    ATTEND(dot_product_attention, 3, 5, 4, 2);
    for (int c = 0; c < 2; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int j = 0; j < 5; j++)
            low = fmin(low, V[j][c]), high = fmax(high, V[j][c]);
        for (int i = 0; i < 3; i++)
            EXPECT_THAT(out[i][c] >= low && out[i][c] <= high,
                        "out[%d][%d] is %g, but column %d of V allows only %g to %g", i, c,
                        out[i][c], c, low, high);
    }
}

/* Row j comes from row order[j]; every one of them moves. */
static void shuffle_rows_of_5(int cols, const double from[5][cols], double to[5][cols]) {
    const int order[5] = {2, 0, 4, 1, 3};
    for (int j = 0; j < 5; j++)
        for (int c = 0; c < cols; c++)
            to[j][c] = from[order[j]][c];
}

TEST(dot_product_attention, shuffling_keys_with_their_values_changes_no_output) {
    RANDOM_INPUTS(some, 212);
    NEW_MATRIX(K_shuffled, 5, 4);
    NEW_MATRIX(V_shuffled, 5, 2);
    shuffle_rows_of_5(4, K, K_shuffled);
    shuffle_rows_of_5(2, V, V_shuffled);
    NEW_OUTPUTS(3, 5, 2);
    NEW_MATRIX(after, 3, 2);
    dot_product_attention(3, 5, 4, 2, Q, K, V, weights, out);
    dot_product_attention(3, 5, 4, 2, Q, K_shuffled, V_shuffled, weights, after);
    BECAUSE("These are the same keys and values in another order, so out must not change.");
    EXPECT_MATRIX(3, 2, out, after, ROUNDING);
}

TEST(dot_product_attention, shuffling_the_queries_shuffles_the_outputs) {
    const struct sizes z = {5, 4, 3, 2};
    RANDOM_INPUTS(z, 213);
    NEW_MATRIX(Q_shuffled, 5, 3);
    shuffle_rows_of_5(3, Q, Q_shuffled);
    NEW_OUTPUTS(5, 4, 2);
    NEW_MATRIX(expected, 5, 2);
    NEW_MATRIX(after, 5, 2);
    dot_product_attention(5, 4, 3, 2, Q, K, V, weights, out);
    dot_product_attention(5, 4, 3, 2, Q_shuffled, K, V, weights, after);
    shuffle_rows_of_5(2, out, expected);
    BECAUSE("The queries are the same in another order, so the rows of out must move with them.");
    EXPECT_MATRIX(5, 2, expected, after, ROUNDING);
}

TEST(dot_product_attention, a_sentence_can_attend_to_itself) {
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});
    NEW_OUTPUTS(2, 2, 1);
    dot_product_attention(2, 2, 1, 1, X, X, X, weights, out);
    EXPECT_ROWS(2, 2, weights, FOUR_DECIMALS, {0.2689, 0.7311}, {0.1192, 0.8808});
    EXPECT_ROWS(2, 1, out, FOUR_DECIMALS, {1.7311}, {1.8808});
}

TEST(dot_product_attention, if_all_values_are_equal_that_value_comes_out) {
    RANDOM_PAIRS(some, 214);
    NEW_MATRIX_OF(V, 5, 2, {7, -0.5}, {7, -0.5}, {7, -0.5}, {7, -0.5}, {7, -0.5});
    ATTEND(dot_product_attention, 3, 5, 4, 2);
    EXPECT_MATRIX(3, 2, V, out, ROUNDING);
}

TEST(dot_product_attention, keys_of_zeros_give_the_mean_of_the_values) {
    NEW_MATRIX_OF(Q, 3, 2, {1, -2}, {0.5, 3}, {-4, 0});
    NEW_MATRIX_FILLED(K, 4, 2, 0.0);
    NEW_MATRIX_OF(V, 4, 1, {1}, {2}, {3}, {10});
    ATTEND(dot_product_attention, 3, 4, 2, 1);
    EXPECT_ROWS(3, 1, out, ROUNDING, {4}, {4}, {4});
}

/* Row 0 has its largest score last; row 1 is far below 0; row 2 is far below row 0. */
TEST(dot_product_attention, scores_of_ten_thousand_stay_finite) {
    NEW_MATRIX_OF(Q, 3, 2, {10000, 1}, {-10000, 1}, {1, 1});
    NEW_MATRIX_OF(K, 4, 2, {1, 0}, {1, -1}, {2, 0}, {3, 0});
    NEW_MATRIX_OF(V, 4, 1, {0}, {1}, {5}, {-2});
    ATTEND(dot_product_attention, 3, 4, 2, 1);
    EXPECT_ROWS(3, 4, weights, FOUR_DECIMALS, {0, 0, 0, 1}, {0.7311, 0.2689, 0, 0},
                {0.0871, 0.0321, 0.2369, 0.6439});
    EXPECT_ROWS(3, 1, out, FOUR_DECIMALS, {-2}, {0.2689}, {-0.0714});
}

TEST(dot_product_attention, random_attention_agrees_with_the_obvious_way) {
    expect_the_obvious_at_all_sizes(dot_product_attention, obvious_weights, 210, ROUNDING);
}

TEST(dot_product_attention, attention_to_a_long_text_needs_no_matrix_of_its_own) {
    expect_the_obvious(&long_text, dot_product_attention, obvious_weights, 218, ROUNDING);
}

/* hard_attention */

TEST(hard_attention, the_worked_example_picks_its_last_and_its_first_key) {
    WORKED_ATTENTION(hard_attention);
    EXPECT_ROWS(2, 3, weights, FOUR_DECIMALS, {0, 0, 1}, {1, 0, 0});
}

TEST(hard_attention, the_worked_example_fetches_the_values_of_its_picks) {
    WORKED_ATTENTION(hard_attention);
    EXPECT_ROWS(2, 2, out, FOUR_DECIMALS, {0, 1}, {1, 2});
}

TEST(hard_attention, the_best_of_negative_scores_is_found_too) {
    NEW_MATRIX_OF(Q, 2, 1, {1}, {1e6});
    NEW_MATRIX_OF(K, 4, 1, {-3e6}, {-2e6}, {-1e6}, {-4e6});
    NEW_MATRIX_OF(V, 4, 3, {1, 10, 5}, {2, 20, 6}, {3, 30, 7}, {4, 40, 8});
    ATTEND(hard_attention, 2, 4, 1, 3);
    EXPECT_ROWS(2, 4, weights, 0.0, {0, 0, 1, 0}, {0, 0, 1, 0});
}

TEST(hard_attention, the_first_of_several_best_keys_is_picked) {
    NEW_MATRIX_OF(Q, 3, 2, {0, 1}, {1, 2}, {0, 0});
    NEW_MATRIX_OF(K, 5, 2, {0, 0}, {3, 1}, {1, 1}, {1, 2}, {5, 0});
    NEW_MATRIX_OF(V, 5, 1, {1}, {4}, {7}, {10}, {13});
    ATTEND(hard_attention, 3, 5, 2, 1);
    EXPECT_ROWS(3, 5, weights, 0.0, {0, 0, 0, 1, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0});
}

/* The keys are the rows of the identity, so that each row of Q is a row of scores. */
TEST(hard_attention, the_best_key_is_found_wherever_it_stands) {
    NEW_MATRIX_OF(Q, 5, 4, {5, 4, 3, 2}, {1, 1.2, 9, 1.1}, {5, 9, 2, 3}, {-0.2, -0.5, -0.1, -0.5},
                  {0.2, 0.4, 0.6, 0.8});
    NEW_MATRIX_OF(K, 4, 4, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1});
    NEW_MATRIX_OF(V, 4, 1, {1}, {2}, {3}, {4});
    ATTEND(hard_attention, 5, 4, 4, 1);
    EXPECT_ROWS(5, 4, weights, 0.0, {1, 0, 0, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                {0, 0, 0, 1});
    EXPECT_ROWS(5, 1, out, 0.0, {1}, {3}, {2}, {3}, {4});
}

TEST(hard_attention, a_lead_of_a_billionth_is_enough) {
    NEW_MATRIX_OF(Q, 3, 2, {1, 0}, {-1, 0}, {0, 1});
    NEW_MATRIX_OF(K, 4, 2, {1, 1}, {1 + 2e-9, 1 + 5e-7}, {1 + 1e-9, 1}, {1 - 1e-9, 1});
    NEW_MATRIX_OF(V, 4, 1, {1}, {2}, {3}, {4});
    ATTEND(hard_attention, 3, 4, 2, 1);
    BECAUSE("The best score of a row is larger by only a billionth, or by half a millionth.");
    EXPECT_ROWS(3, 4, weights, 0.0, {0, 1, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0});
}

TEST(hard_attention, what_the_outputs_held_before_counts_for_nothing) {
    NEW_MATRIX_OF(Q, 1, 4, {1, 0, 0, 0});
    NEW_MATRIX_OF(K, 3, 4, {2}, {1}, {0});
    NEW_MATRIX_OF(V, 3, 2, {3, 4}, {5, 6}, {7, 8});
    NEW_MATRIX_OF(weights, 1, 3, {1, 5, 2});
    NEW_MATRIX_OF(out, 1, 2, {7, 8});
    hard_attention(1, 3, 4, 2, Q, K, V, weights, out);
    EXPECT_ROWS(1, 3, weights, 0.0, {1, 0, 0});
    EXPECT_ROWS(1, 2, out, 0.0, {3, 4});
}

TEST(hard_attention, nudging_a_query_moves_the_soft_answer_and_not_the_hard_one) {
    RANDOM_INPUTS(some, 217);
    NEW_MATRIX_RANDOM(d_out, 3, 2, &r);
    NEW_OUTPUTS(3, 5, 2);
    NEW_MATRIX(hard_slope, 3, 4);
    NEW_MATRIX(soft_slope, 3, 4);
    struct call hard = {some, Q, K, V, NULL, weights, out, d_out, hard_attention};
    struct call soft = {some, Q, K, V, NULL, weights, out, d_out, dot_product_attention};
    numeric_gradient(loss_of_attention, &hard, 12, (double *)Q, (double *)hard_slope);
    numeric_gradient(loss_of_attention, &soft, 12, (double *)Q, (double *)soft_slope);
    NEW_MATRIX_FILLED(flat, 3, 4, 0.0);
    BECAUSE("A small change of Q that leaves the best key the best must not change out.");
    EXPECT_MATRIX(3, 4, flat, hard_slope, 0.0);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 4; c++)
            EXPECT_THAT(fabs(soft_slope[i][c]) > 1e-6,
                        "the soft output must depend on Q[%d][%d], but its derivative is %g", i, c,
                        soft_slope[i][c]);
}

TEST(hard_attention, random_picks_agree_with_the_obvious_way) {
    expect_the_obvious_at_all_sizes(hard_attention, obvious_picks, 216, 0.0);
}

TEST(hard_attention, picks_in_a_long_text_need_no_matrix_of_their_own) {
    expect_the_obvious(&long_text, hard_attention, obvious_picks, 220, 0.0);
}
