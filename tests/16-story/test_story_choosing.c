/* Tests of lesson 16: a heap, and the choice among many tokens. */
#include "story.h"

#include "statics.h"
#include "work.h"

#include "../choosing.h"

#include <stdlib.h>

/* sift_down */

static int larger_first(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The numbers are those of before, from `at` on each is at least as large as the two below it, and
   those before `at` are where they were. */
static void expect_sifted(int line, int n, int at, const double *before, const double *heap) {
    if (at > 0)
        expect_numbers(line, "heap", 0, at, before, heap, EXACTLY);
    for (int i = at; 2 * i + 1 < n; i++)
        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++) {
            BECAUSE("n = %d and at = %d here.", n, at);
            expect_that(line, heap[i] >= heap[child],
                        "heap[%d] is %.10g, and heap[%d] below it is %.10g, which is larger", i,
                        heap[i], child, heap[child]);
        }
    double *expected = vector_copy("of_the_test", n, before),
           *sorted = vector_copy("of_the_test", n, heap);
    qsort(expected, (size_t)n, sizeof(double), larger_first);
    qsort(sorted, (size_t)n, sizeof(double), larger_first);
    BECAUSE("These are the numbers of the heap, sorted. sift_down only moves numbers.");
    expect_numbers(line, "sorted", 0, n, expected, sorted, EXACTLY);
}

static void expect_sift(int line, int n, int at, const double *numbers) {
    double *heap = vector_copy("heap", n, numbers);
    sift_down(n, at, heap);
    expect_sifted(line, n, at, numbers, heap);
}
#define EXPECT_SIFT(n, at, ...) expect_sift(__LINE__, n, at, OF(__VA_ARGS__))

TEST(sift_down, the_worked_number_moves_down_two_levels) {
    NEW_VECTOR_OF(heap, 6, 1, 6, 5, 3, 4, 2);
    sift_down(6, 0, heap);
    BECAUSE(
        "1 is exchanged with 6, the larger of 6 and 5, and then with 4, the larger of 3 and 4.");
    EXPECT_VECTOR(6, OF(6, 4, 5, 3, 1, 2), heap, EXACTLY);
}

TEST(sift_down, a_number_that_is_large_enough_stays) {
    NEW_VECTOR_OF(heap, 6, 6, 4, 5, 3, 1, 2);
    sift_down(6, 0, heap);
    EXPECT_VECTOR(6, OF(6, 4, 5, 3, 1, 2), heap, EXACTLY);
    NEW_VECTOR_OF(stops, 6, 3, 6, 5, 2, 1, 4);
    sift_down(6, 0, stops);
    BECAUSE("3 is exchanged with 6. Below it are 2 and 1 then, which are smaller.");
    EXPECT_VECTOR(6, OF(6, 3, 5, 2, 1, 4), stops, EXACTLY);
}

TEST(sift_down, the_larger_of_the_two_below_moves_up) {
    EXPECT_SIFT(3, 0, 1, 2, 3);
    EXPECT_SIFT(3, 0, 1, 3, 2);
    EXPECT_SIFT(3, 0, 2, 3, 1);
    EXPECT_SIFT(3, 0, 2, 1, 3);
}

TEST(sift_down, there_may_be_only_one_number_below) {
    EXPECT_SIFT(2, 0, 1, 2);
    EXPECT_SIFT(4, 0, 1, 3, 2, 2.5);
    EXPECT_SIFT(4, 1, 9, 1, 0, 2);
}

TEST(sift_down, numbers_from_n_on_do_not_belong_to_the_heap) {
    NEW_VECTOR_OF(heap, 4, 1, 3, 2, 9);
    sift_down(3, 0, heap);
    BECAUSE("n is 3, so heap[3] must be neither read nor moved.");
    EXPECT_VECTOR(4, OF(3, 1, 2, 9), heap, EXACTLY);
    NEW_VECTOR_OF(one, 2, 1, 9);
    sift_down(1, 0, one);
    BECAUSE("n is 1, so there is nothing below heap[0].");
    EXPECT_VECTOR(2, OF(1, 9), one, EXACTLY);
    sift_down(0, 0, one);
    BECAUSE("n is 0, so there is no heap.");
    EXPECT_VECTOR(2, OF(1, 9), one, EXACTLY);
}

TEST(sift_down, it_may_begin_anywhere) {
    EXPECT_SIFT(7, 2, 0, 0, 1, 5, 6, 3, 2);
    EXPECT_SIFT(7, 1, 0, 1, 9, 5, 6, 8, 7);
    EXPECT_SIFT(7, 6, 0, 1, 9, 5, 6, 8, 7);
}

TEST(sift_down, equal_numbers_may_be_in_any_order) {
    EXPECT_SIFT(5, 0, 2, 2, 2, 2, 2);
    EXPECT_SIFT(6, 0, 1, 3, 3, 3, 1, 3);
    EXPECT_SIFT(3, 0, -1, -1, -1);
}

TEST(sift_down, from_the_middle_to_the_front_it_makes_a_heap) {
    struct random r = random_seed(1660);
    for (int n = 1; n <= 100; n += n < 10 ? 1 : 15) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(heap, n, &r);
        for (int at = n / 2; at >= 0; at--) {
            double *before = vector_copy("of_the_test", n, heap);
            sift_down(n, at, heap);
            expect_sifted(__LINE__, n, at, before, heap);
        }
    }
}

TEST(sift_down, among_32000_numbers_it_takes_few_steps) {
    enum { N = 32000 };
    NEW_VECTOR(heap, N);
    for (int i = 0; i < N; i++)
        heap[i] = i == 0 ? -1 : -i / (double)N;
    const unsigned long before = work_so_far();
    sift_down(N, 0, heap);
    const unsigned long steps = work_so_far() - before;
    EXPECT_THAT(steps <= 1000,
                "it took %lu steps of your code, but the number moves down at most 15 levels",
                steps);
}

TEST(sift_down, a_call_keeps_no_number) {
    NEW_VECTOR_OF(heap, 6, 1, 6, 5, 3, 4, 2);
    NEW_VECTOR_OF(other, 3, 1, 2, 3);
    EXPECT_NOTHING_KEPT(sift_down(3, 0, other), sift_down(6, 0, heap));
}

/* keep_best */

static void expect_best_kept(int line, int n, int k, double p, const double *weights,
                             const double *expected) {
    NEW_VECTOR(kept, n);
    keep_best(n, k, p, weights, kept);
    BECAUSE("k = %d, p = %g and n = %d here. You keep %.4g of the sum of all weights.", k, p, n,
            weight_of(n, weights, kept));
    expect_kept(line, n, expected, kept);
}
#define EXPECT_BEST(n, k, p, weights, expected)                                                    \
    expect_best_kept(__LINE__, n, k, p, weights, expected)

TEST(keep_best, of_the_worked_weights_three_reach_p) {
    NEW_VECTOR_OF(weights, 6, 0.1, 0.3, 0.05, 0.25, 0.2, 0.1);
    NEW_VECTOR(kept, 6);
    keep_best(6, 6, 0.6, weights, kept);
    BECAUSE("p is .6. The sum .3 + .25 is less, and with .2 it is enough: .75.");
    EXPECT_VECTOR(6, OF(0, 0.4, 0, 0.3333, 0.2667, 0), kept, FOUR_DECIMALS);
}

TEST(keep_best, k_and_p_both_limit_what_is_kept) {
    NEW_VECTOR_OF(weights, 4, 0.125, 0.5, 0.125, 0.25);
    EXPECT_BEST(4, 1, 1.0, weights, OF(0, 1, 0, 0));
    EXPECT_BEST(4, 2, 1.0, weights, OF(0, 0.5 / 0.75, 0, 0.25 / 0.75));
    EXPECT_BEST(4, 2, 0.1, weights, OF(0, 1, 0, 0));
    EXPECT_BEST(4, 3, 0.6, weights, OF(0, 0.5 / 0.75, 0, 0.25 / 0.75));
}

TEST(keep_best, the_token_that_reaches_p_exactly_is_the_last) {
    NEW_VECTOR_OF(weights, 4, 0.125, 0.5, 0.125, 0.25);
    EXPECT_BEST(4, 4, 0.5, weights, OF(0, 1, 0, 0));
    EXPECT_BEST(4, 4, 0.75, weights, OF(0, 0.5 / 0.75, 0, 0.25 / 0.75));
    EXPECT_BEST(4, 4, 0.76, weights, OF(0.125 / 0.875, 0.5 / 0.875, 0, 0.25 / 0.875));
}

TEST(keep_best, with_p_1_and_a_large_k_nothing_changes) {
    NEW_VECTOR_OF(weights, 4, 0.125, 0.5, 0.125, 0.25);
    NEW_VECTOR_OF(tenths, 10, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
    EXPECT_BEST(4, 4, 1.0, weights, weights);
    EXPECT_BEST(4, 1000, 1.0, weights, weights);
    EXPECT_BEST(10, 10, 1.0, tenths, tenths);
    EXPECT_BEST(10, 20, 1.0, tenths, tenths);
}

TEST(keep_best, of_equal_weights_the_first_are_kept) {
    NEW_VECTOR_OF(weights, 6, 0.125, 0.25, 0.125, 0.25, 0.125, 0.125);
    EXPECT_BEST(6, 1, 1.0, weights, OF(0, 1, 0, 0, 0, 0));
    EXPECT_BEST(6, 4, 1.0, weights, OF(0.125 / 0.75, 0.25 / 0.75, 0.125 / 0.75, 0.25 / 0.75, 0, 0));
    EXPECT_BEST(6, 6, 0.6, weights, OF(0.2, 0.4, 0, 0.4, 0, 0));
    NEW_VECTOR_OF(equal, 4, 0.25, 0.25, 0.25, 0.25);
    EXPECT_BEST(4, 4, 0.4, equal, OF(0.5, 0.5, 0, 0));
}

TEST(keep_best, a_weight_of_0_stays_0) {
    NEW_VECTOR_OF(weights, 5, 0, 0.75, 0, 0.25, 0);
    EXPECT_BEST(5, 5, 1.0, weights, weights);
    EXPECT_BEST(5, 5, 0.8, weights, weights);
    NEW_VECTOR_OF(only, 1, 1.0);
    EXPECT_BEST(1, 1, 0.9, only, only);
}

/* The same with k alone, with p alone, and with both. */
static void expect_all_counts(int line, int n, const double *weights) {
    for (int count = 1; count <= n; count += 1 + n / 6) {
        NEW_VECTOR(expected, n);
        keep_obviously(n, count, weights, expected);
        const double p = p_between(n, count, weights);
        expect_best_kept(line, n, count, 1.0, weights, expected);
        expect_best_kept(line, n, n, p, weights, expected);
        expect_best_kept(line, n, count + 1, p, weights, expected);
        expect_best_kept(line, n, count, (1.0 + p) / 2.0, weights, expected);
    }
}

TEST(keep_best, random_weights_are_kept_as_if_they_were_sorted) {
    struct random r = random_seed(1661);
    for (int n = 1; n < 40; n = 2 * n + 1) {
        matrix_free_all();
        expect_all_counts(__LINE__, n, random_weights(n, &r));
    }
}

TEST(keep_best, equal_weights_are_kept_as_if_they_were_sorted) {
    struct random r = random_seed(1662);
    for (int n = 1; n < 40; n = 2 * n + 1) {
        matrix_free_all();
        NEW_VECTOR(expected, n);
        const double *weights = tied_weights(n, &r);
        for (int count = 1; count <= n; count += 1 + n / 8) {
            keep_obviously(n, count, weights, expected);
            expect_best_kept(__LINE__, n, n, p_between(n, count, weights), weights, expected);
        }
    }
}

/* How many steps it takes to keep k weights. */
static unsigned long steps_to_keep(int n, int k, const double *weights, double *kept) {
    const unsigned long before = work_so_far();
    keep_best(n, k, 1.0, weights, kept);
    return work_so_far() - before;
}

TEST(keep_best, of_32000_tokens_the_best_801_take_few_steps) {
    for (int n = 2000; n <= 32000; n *= 16) {
        matrix_free_all();
        const int pairs = n / 80, k = 2 * pairs + 1;
        const double *weights = weights_of_vocabulary(n), *expected = keep_odd_count(n, pairs);
        NEW_VECTOR(kept, n);
        const unsigned long each = steps_to_keep(n, k, weights, kept) / (unsigned long)n;
        BECAUSE("It looks like you go through all weights for each token that is kept. Make a heap "
                "of them, and take the largest from it.");
        EXPECT_THAT(each <= 200,
                    "%d weights of which %d are kept took %lu steps of your code for each weight, "
                    "but 20 are enough",
                    n, k, each);
        BECAUSE("k = %d, p = 1 and n = %d here.", k, n);
        EXPECT_VECTOR(n, expected, kept, LAST_BIT);
    }
}

TEST(keep_best, to_keep_51_of_2000_takes_far_fewer_steps_than_to_keep_all) {
    const double *weights = weights_of_vocabulary(2000);
    NEW_VECTOR(kept, 2000);
    const unsigned long few = steps_to_keep(2000, 51, weights, kept),
                        all = steps_to_keep(2000, 2000, weights, kept);
    BECAUSE("It looks like you sort all weights. Take only the largest from a heap, and stop when "
            "k or p is reached.");
    EXPECT_THAT(2 * few <= all,
                "it took %lu steps of your code to keep 51 of 2000 weights, and %lu "
                "to keep all",
                few, all);
}

TEST(keep_best, a_call_keeps_nothing_of_another) {
    NEW_VECTOR_OF(weights, 4, 0.125, 0.5, 0.125, 0.25);
    NEW_VECTOR_OF(other, 3, 0.25, 0.5, 0.25);
    NEW_VECTOR(kept, 4);
    EXPECT_NOTHING_KEPT(keep_best(3, 2, 0.9, other, kept), keep_best(4, 3, 0.6, weights, kept));
}
