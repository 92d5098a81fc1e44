/* Tests of lesson 13: choosing the next token. The encoder, the decoder and the KV caches have
   files of their own. */
#include "transformer.h"

#include "expect.h"
#include "statics.h"
#include "work.h"

#include "../choosing.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Expects about n log n steps. */
#define EXPECT_FEW_STEPS(n, call)                                                                  \
    do {                                                                                           \
        const unsigned long before = work_done;                                                    \
        call;                                                                                      \
        expect_few_steps(__LINE__, n, (work_done - before) / (unsigned long)(n));                  \
    } while (0)
static void expect_few_steps(int line, int n, unsigned long each) {
    BECAUSE("A loop over all weights for each token takes n * n steps. A sorted copy in kept needs "
            "about n log n.");
    expect_that(line, each <= 400,
                "%d weights took %lu steps of your code for each weight, but after sorting a few "
                "are enough",
                n, each);
}

#define WORKED_WEIGHTS NEW_VECTOR_OF(weights, 4, 0.5, 0.3, 0.15, 0.05)

/* keep_top_k */

#define EXPECT_TOP_K(n, k, weights, expected)                                                      \
    do {                                                                                           \
        NEW_VECTOR(kept, n);                                                                       \
        keep_top_k(n, k, weights, kept);                                                           \
        because_of_how_many(n, weights, kept, k);                                                  \
        BECAUSE("k = %d, and n = %d.", k, n);                                                      \
        expect_kept(__LINE__, n, expected, kept);                                                  \
    } while (0)

TEST(keep_top_k, of_four_weights_two_are_kept) {
    WORKED_WEIGHTS;
    NEW_VECTOR(kept, 4);
    keep_top_k(4, 2, weights, kept);
    because_of_how_many(4, weights, kept, 2);
    BECAUSE("k = 2: .5 and .3 are kept, and divided by their sum, .8.");
    EXPECT_VECTOR(4, OF(0.625, 0.375, 0, 0), kept, FOUR_DECIMALS);
}

TEST(keep_top_k, the_largest_may_be_anywhere) {
    NEW_VECTOR_OF(weights, 5, 0.0625, 0.125, 0.25, 0.0625, 0.5);
    EXPECT_TOP_K(5, 2, weights, OF(0, 0, 0.25 / 0.75, 0, 0.5 / 0.75));
    EXPECT_TOP_K(5, 3, weights, OF(0, 0.125 / 0.875, 0.25 / 0.875, 0, 0.5 / 0.875));
}

TEST(keep_top_k, with_k_of_n_or_more_nothing_changes) {
    WORKED_WEIGHTS;
    for (int k = 4; k < 100; k *= 2)
        EXPECT_TOP_K(4, k, weights, weights);
}

TEST(keep_top_k, with_k_1_only_the_largest_is_kept) {
    NEW_VECTOR_OF(weights, 4, 0.25, 0.125, 0.5, 0.125);
    EXPECT_TOP_K(4, 1, weights, OF(0, 0, 1, 0));
}

TEST(keep_top_k, of_equal_weights_the_first_are_kept) {
    NEW_VECTOR_OF(weights, 6, 0.125, 0.25, 0.125, 0.25, 0.125, 0.125);
    EXPECT_TOP_K(6, 1, weights, OF(0, 1, 0, 0, 0, 0));
    EXPECT_TOP_K(6, 3, weights, OF(0.2, 0.4, 0, 0.4, 0, 0));
    EXPECT_TOP_K(6, 4, weights, OF(0.125 / 0.75, 0.25 / 0.75, 0.125 / 0.75, 0.25 / 0.75, 0, 0));
}

TEST(keep_top_k, if_all_are_equal_the_first_k_are_kept) {
    NEW_VECTOR_OF(weights, 4, 0.25, 0.25, 0.25, 0.25);
    EXPECT_TOP_K(4, 2, weights, OF(0.5, 0.5, 0, 0));
}

TEST(keep_top_k, a_weight_of_0_stays_0) {
    NEW_VECTOR_OF(weights, 4, 0, 0.75, 0, 0.25);
    EXPECT_TOP_K(4, 3, weights, weights);
    EXPECT_TOP_K(4, 4, weights, weights);
}

TEST(keep_top_k, random_weights_agree_with_the_reference) {
    struct random r = random_seed(1441);
    for (int n = 1; n < 40; n = 2 * n + 1)
        for (int k = 1; k <= n + 1; k += 1 + n / 5) {
            matrix_free_all();
            const double *weights = random_weights(n, &r);
            NEW_VECTOR(expected, n);
            keep_obviously(n, k, weights, expected);
            EXPECT_TOP_K(n, k, weights, expected);
        }
}

TEST(keep_top_k, equal_weights_agree_with_the_reference) {
    struct random r = random_seed(1444);
    for (int n = 1; n < 40; n = 2 * n + 1)
        for (int k = 1; k <= n; k += 1 + n / 8) {
            matrix_free_all();
            const double *weights = tied_weights(n, &r);
            NEW_VECTOR(expected, n);
            keep_obviously(n, k, weights, expected);
            EXPECT_TOP_K(n, k, weights, expected);
        }
}

/* A small size comes first, for which n * n steps still end soon. */
TEST(keep_top_k, a_vocabulary_of_32000_tokens_takes_few_steps) {
    for (int n = 1000; n <= 32000; n *= 32) {
        matrix_free_all();
        const double *weights = weights_of_vocabulary(n), *expected = keep_odd_count(n, n / 4);
        NEW_VECTOR(kept, n);
        EXPECT_FEW_STEPS(n, keep_top_k(n, n / 2 + 1, weights, kept));
        BECAUSE("k = %d, and n = %d.", n / 2 + 1, n);
        EXPECT_VECTOR(n, expected, kept, LAST_BIT);
    }
}

TEST(keep_top_k, no_call_depends_on_an_earlier_one) {
    WORKED_WEIGHTS;
    NEW_VECTOR_OF(other, 3, 0.25, 0.5, 0.25);
    NEW_VECTOR(kept, 4);
    EXPECT_NOTHING_KEPT(keep_top_k(3, 2, other, kept), keep_top_k(4, 3, weights, kept));
}

/* keep_top_p */

#define EXPECT_TOP_P(n, p, weights, expected)                                                      \
    do {                                                                                           \
        NEW_VECTOR(kept, n);                                                                       \
        keep_top_p(n, p, weights, kept);                                                           \
        BECAUSE("Here p = %g and n = %d. The weights that you keep have the sum %.4g before the "  \
                "division.",                                                                       \
                p, n, weight_of(n, weights, kept));                                                \
        expect_kept(__LINE__, n, expected, kept);                                                  \
    } while (0)

TEST(keep_top_p, the_token_that_crosses_p_is_kept) {
    WORKED_WEIGHTS;
    NEW_VECTOR(kept, 4);
    keep_top_p(4, 0.6, weights, kept);
    BECAUSE(
        "p is .6. The sum .5 is less, and .5 + .3 is enough, so both are kept and divided by .8.");
    EXPECT_VECTOR(4, OF(0.625, 0.375, 0, 0), kept, FOUR_DECIMALS);
    NEW_VECTOR(kept_by_more, 4);
    keep_top_p(4, 0.9, weights, kept_by_more);
    BECAUSE("p is .9. The sum .5 + .3 is less, and .5 + .3 + .15 is enough.");
    EXPECT_VECTOR(4, OF(0.5263, 0.3158, 0.1579, 0), kept_by_more, FOUR_DECIMALS);
}

TEST(keep_top_p, the_token_that_reaches_p_exactly_is_the_last) {
    NEW_VECTOR_OF(weights, 4, 0.5, 0.25, 0.125, 0.125);
    EXPECT_TOP_P(4, 0.5, weights, OF(1, 0, 0, 0));
    EXPECT_TOP_P(4, 0.75, weights, OF(0.5 / 0.75, 0.25 / 0.75, 0, 0));
    NEW_VECTOR_OF(finer, 2, 0.5 + 0x1p-30, 0.5 - 0x1p-30);
    EXPECT_TOP_P(2, 0.5 + 0x1p-30, finer, OF(1, 0));
    EXPECT_TOP_P(2, 0.5 + 0x1p-29, finer, finer);
}

TEST(keep_top_p, the_largest_come_first_wherever_they_are) {
    NEW_VECTOR_OF(weights, 5, 0.0625, 0.125, 0.25, 0.0625, 0.5);
    EXPECT_TOP_P(5, 0.7, weights, OF(0, 0, 0.25 / 0.75, 0, 0.5 / 0.75));
    EXPECT_TOP_P(5, 0.8, weights, OF(0, 0.125 / 0.875, 0.25 / 0.875, 0, 0.5 / 0.875));
}

TEST(keep_top_p, with_p_1_nothing_changes) {
    WORKED_WEIGHTS;
    NEW_VECTOR_OF(tenths, 10, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
    EXPECT_TOP_P(4, 1.0, weights, weights);
    EXPECT_TOP_P(10, 1.0, tenths, tenths);
}

TEST(keep_top_p, with_a_small_p_only_the_largest_is_kept) {
    NEW_VECTOR_OF(weights, 4, 0.25, 0.125, 0.5, 0.125);
    for (double p = 0.5; p > 1e-9; p /= 7.0)
        EXPECT_TOP_P(4, p, weights, OF(0, 0, 1, 0));
}

TEST(keep_top_p, of_equal_weights_the_first_ones_are_kept) {
    NEW_VECTOR_OF(weights, 4, 0.25, 0.25, 0.25, 0.25);
    EXPECT_TOP_P(4, 0.1, weights, OF(1, 0, 0, 0));
    EXPECT_TOP_P(4, 0.4, weights, OF(0.5, 0.5, 0, 0));
    EXPECT_TOP_P(4, 0.5, weights, OF(0.5, 0.5, 0, 0));
    NEW_VECTOR_OF(pairs, 4, 0.125, 0.375, 0.125, 0.375);
    EXPECT_TOP_P(4, 0.3, pairs, OF(0, 1, 0, 0));
    EXPECT_TOP_P(4, 0.8, pairs, OF(0.125 / 0.875, 0.375 / 0.875, 0, 0.375 / 0.875));
}

TEST(keep_top_p, a_weight_of_0_is_never_kept) {
    NEW_VECTOR_OF(weights, 5, 0, 0.75, 0, 0.25, 0);
    EXPECT_TOP_P(5, 0.8, weights, weights);
    EXPECT_TOP_P(5, 1.0, weights, weights);
}

static void expect_sizes_to_reach_p(void *weights_of(int, struct random *), int counts,
                                    struct random r) {
    for (int n = 1; n < 40; n = 2 * n + 1)
        for (int count = 1; count <= n; count += 1 + n / counts) {
            matrix_free_all();
            const double *weights = weights_of(n, &r);
            const double p = p_between(n, count, weights);
            NEW_VECTOR(expected, n);
            keep_obviously(n, count, weights, expected);
            EXPECT_TOP_P(n, p, weights, expected);
        }
}

TEST(keep_top_p, random_weights_reach_p_as_in_the_reference) {
    expect_sizes_to_reach_p(random_weights, 5, random_seed(1442));
}

TEST(keep_top_p, equal_weights_reach_p_as_in_the_reference) {
    expect_sizes_to_reach_p(tied_weights, 8, random_seed(1445));
}

/* p lies in the middle of the last token's weight. */
TEST(keep_top_p, a_vocabulary_of_32000_tokens_reaches_p_as_well) {
    for (int n = 1000; n <= 32000; n *= 32) {
        matrix_free_all();
        const double *weights = weights_of_vocabulary(n), *expected = keep_odd_count(n, n / 4);
        double p = 0.0;
        for (int i = 0; i < n; i++)
            p += expected[i] > 0.0 ? weights[i] : 0.0;
        p -= (n / 4) / (n / 2.0 * (n / 2 + 1)) / 2.0;
        NEW_VECTOR(kept, n);
        EXPECT_FEW_STEPS(n, keep_top_p(n, p, weights, kept));
        BECAUSE("p = %g, and n = %d.", p, n);
        EXPECT_VECTOR(n, expected, kept, LAST_BIT);
    }
}

TEST(keep_top_p, a_call_does_not_depend_on_an_earlier_one) {
    WORKED_WEIGHTS;
    NEW_VECTOR_OF(other, 3, 0.25, 0.5, 0.25);
    NEW_VECTOR(kept, 4);
    EXPECT_NOTHING_KEPT(keep_top_p(3, 0.6, other, kept), keep_top_p(4, 0.9, weights, kept));
}

/* sample */

static const double below_1 = 1.0 - 0x1p-53; /* the largest number below 1 */

/* For each of `count` numbers, the token on which it falls. */
#define EXPECT_DRAWN(n, weights, count, uniforms, expected)                                        \
    do {                                                                                           \
        NEW_VECTOR_LIKE(uniform, count, uniforms);                                                 \
        NEW_VECTOR(word, count);                                                                   \
        for (int i = 0; i < count; i++)                                                            \
            word[i] = sample(n, weights, uniform[i]);                                              \
        BECAUSE("Each number is the token on which the number in `uniform` falls.");               \
        EXPECT_VECTOR(count, expected, word, EXACTLY);                                             \
    } while (0)

TEST(sample, the_worked_numbers_fall_on_tokens_1_and_2) {
    WORKED_WEIGHTS;
    EXPECT_DRAWN(4, weights, 2, OF(0.6, 0.85), OF(1, 2));
}

TEST(sample, a_number_on_an_edge_belongs_to_the_next_token) {
    NEW_VECTOR_OF(weights, 4, 0.5, 0.25, 0.125, 0.125);
    EXPECT_DRAWN(4, weights, 4, OF(0, 0.5, 0.75, 0.875), OF(0, 1, 2, 3));
}

TEST(sample, just_before_an_edge_it_is_still_the_token_before) {
    NEW_VECTOR_OF(weights, 4, 0.5, 0.25, 0.125, 0.125);
    EXPECT_DRAWN(4, weights, 4, OF(0.499, 0.749, 0.874, 0.999), OF(0, 1, 2, 3));
}

TEST(sample, edges_are_exact_to_the_last_digit) {
    NEW_VECTOR_OF(weights, 2, 0.5 - 0x1p-30, 0.5 + 0x1p-30);
    EXPECT_DRAWN(2, weights, 2, OF(0.5 - 0x1p-29, 0.5 - 0x1p-30), OF(0, 1));
}

TEST(sample, a_token_of_weight_0_is_never_drawn) {
    NEW_VECTOR_OF(weights, 6, 0, 0, 0.5, 0, 0.5, 0);
    EXPECT_DRAWN(6, weights, 5, OF(0, 0.25, 0.5, 0.75, below_1), OF(2, 2, 4, 4, 4));
}

/* Ten times 0.1 sums to a little less than 1. */
TEST(sample, weights_may_sum_to_a_little_less_than_1) {
    NEW_VECTOR_OF(weights, 12, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0, 0);
    BECAUSE("uniform is the largest number below 1, and ten times 0.1 sums to no more than that.");
    EXPECT_DRAWN(12, weights, 1, OF(below_1), OF(9));
    BECAUSE("uniform is the largest number below 1, and ten times 0.1 sums to no more than that.");
    EXPECT_DRAWN(10, weights, 1, OF(below_1), OF(9));
}

TEST(sample, a_token_of_weight_1_is_always_drawn) {
    for (int only = 0; only < 3; only++) {
        NEW_VECTOR_FILLED(weights, 3, 0.0);
        weights[only] = 1.0;
        EXPECT_DRAWN(3, weights, 3, OF(0, 0.5, below_1), OF(only, only, only));
    }
    NEW_VECTOR_OF(weights, 1, 1.0);
    EXPECT_DRAWN(1, weights, 2, OF(0, below_1), OF(0, 0));
}

TEST(sample, in_40000_draws_each_token_has_its_share) {
    struct random r = random_seed(1443);
    WORKED_WEIGHTS;
    NEW_VECTOR_FILLED(drawn, 4, 0.0);
    for (int i = 0; i < 40000; i++) {
        const int word = sample(4, weights, random_uniform(&r));
        EXPECT_THAT(word >= 0 && word < 4, "token %d was drawn, but there are only tokens 0 to 3",
                    word);
        drawn[word]++;
    }
    BECAUSE("These are 40000 draws, and a difference of 500 is allowed.");
    EXPECT_VECTOR(4, OF(20000, 12000, 6000, 2000), drawn, 500.0);
}

TEST(sample, no_draw_depends_on_an_earlier_one) {
    WORKED_WEIGHTS;
    NEW_VECTOR_OF(other, 3, 0.25, 0.5, 0.25);
    EXPECT_NOTHING_KEPT(sample(3, other, 0.7), sample(4, weights, 0.9));
}
