/* Tests of lesson 16: the tokenizer. */
#include "story.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "random.h"
#include "statics.h"
#include "work.h"

#include "../whole_numbers.h"

#include <string.h>

#define EXACTLY 0.0

/* Pairs and the scores of the tokens, with the names of the header. */
struct tokenizer {
    int n_pairs, vocabulary;
    const int (*pairs)[3];
    const float *score;
};

static const void *pairs_from(int n, const void *numbers) {
    const int *pairs = words_from("pairs", 3 * n, numbers);
    matrix_copy("pairs", n, 3, numbers); /* what a report shows */
    return pairs;
}

static const float *scores_from(int n, const double *numbers) {
    NEW_FLOAT_VECTOR(score, n);
    for (int i = 0; i < n; i++)
        score[i] = (float)numbers[i];
    return score;
}

/* The letters l, i and y are the tokens 3, 4 and 5, and 0 to 2 are no text. */
static struct tokenizer worked_tokenizer(void) {
    static const double pairs[4][3] = {{3, 4, 6}, {3, 5, 7}, {4, 3, 9}, {6, 7, 8}};
    return (struct tokenizer){4, 10, pairs_from(4, pairs),
                              scores_from(10, OF(0, 0, 0, 0, 0, 0, -2, -1, -3, -4))};
}
#define WORKED_PAIRS                                                                               \
    "The tokens are 3 \"l\", 4 \"i\", 5 \"y\", 6 \"li\", 7 \"ly\", 8 \"lily\" and 9 \"il\". "

/* find_merge */

static void expect_found(int line, const struct tokenizer *t, int left, int right, int expected) {
    const int merged = find_merge(t->n_pairs, t->pairs, left, right);
    BECAUSE("left is %d and right is %d here. There are %d pairs.", left, right, t->n_pairs);
    expect_numbers(line, "merged", 0, 0, OF(expected), OF(merged), EXACTLY);
}
#define EXPECT_FOUND(t, left, right, expected) expect_found(__LINE__, &(t), left, right, expected)

TEST(find_merge, the_worked_pairs_are_found) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_FOUND(t, 3, 5, 7);
    EXPECT_FOUND(t, 3, 4, 6);
    EXPECT_FOUND(t, 4, 3, 9);
    EXPECT_FOUND(t, 6, 7, 8);
}

TEST(find_merge, other_pairs_are_not_found) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_FOUND(t, 5, 3, -1);
    EXPECT_FOUND(t, 3, 3, -1);
    EXPECT_FOUND(t, 6, 3, -1);
    EXPECT_FOUND(t, 0, 4, -1);
    EXPECT_FOUND(t, 3, 9, -1);
    EXPECT_FOUND(t, 9, 9, -1);
}

/* All pairs of two even numbers; left and right become 100 * left + right. */
static struct tokenizer even_pairs(int n) {
    NEW_MATRIX(pairs, n * n, 3);
    for (int i = 0; i < n * n; i++) {
        pairs[i][0] = 2 * (i / n);
        pairs[i][1] = 2 * (i % n);
        pairs[i][2] = 200 * (i / n) + 2 * (i % n);
    }
    return (struct tokenizer){.n_pairs = n * n, .pairs = pairs_from(n * n, pairs)};
}

TEST(find_merge, every_pair_is_found_among_any_number_of_them) {
    for (int n = 1; n <= 7; n += 2) {
        matrix_free_all();
        const struct tokenizer t = even_pairs(n);
        for (int left = 0; left < 2 * n; left += 2)
            for (int right = 0; right < 2 * n; right += 2)
                EXPECT_FOUND(t, left, right, 100 * left + right);
    }
}

TEST(find_merge, between_two_pairs_there_is_none) {
    for (int n = 1; n <= 7; n += 2) {
        matrix_free_all();
        const struct tokenizer t = even_pairs(n);
        for (int left = 0; left <= 2 * n; left++)
            for (int right = 0; right <= 2 * n; right++)
                if (left % 2 || right % 2 || left == 2 * n || right == 2 * n)
                    EXPECT_FOUND(t, left, right, -1);
    }
}

TEST(find_merge, without_pairs_nothing_is_found) {
    struct tokenizer t = worked_tokenizer();
    t.n_pairs = 0;
    EXPECT_FOUND(t, 3, 4, -1);
}

TEST(find_merge, among_61504_pairs_it_takes_few_steps) {
    for (int n = 31; n <= 248; n *= 8) {
        matrix_free_all();
        const struct tokenizer t = even_pairs(n);
        const unsigned long before = work_so_far();
        for (int i = 0; i < 100; i++)
            EXPECT_FOUND(t, 2 * (37 * i % n), 2 * (91 * i % n),
                         200 * (37 * i % n) + 2 * (91 * i % n));
        const unsigned long each = (work_so_far() - before) / 100;
        BECAUSE("It looks like you go through the pairs one after the other. They are sorted, so "
                "look at the middle one first, and then only at one half.");
        EXPECT_THAT(each <= 400,
                    "one of %d pairs took %lu steps of your code, but about 16 pairs "
                    "have to be compared",
                    t.n_pairs, each);
    }
}

TEST(find_merge, a_call_keeps_nothing_for_the_next) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_NOTHING_KEPT(find_merge(4, t.pairs, 6, 7), find_merge(4, t.pairs, 3, 4));
}

/* best_merge */

static void expect_best(int line, const struct tokenizer *t, int n, const double *numbers,
                        int expected) {
    const int *words = n > 0 ? words_from("words", n, numbers) : words_from("words", 1, OF(0));
    const int at = best_merge(t->n_pairs, t->pairs, t->vocabulary, t->score, n, words);
    BECAUSE_IF(expected >= 0, "The best pair begins at position %d of %d.", expected, n);
    BECAUSE_IF(n >= 2, "None of the neighbours are a pair here.");
    BECAUSE("There are no neighbours here, because n is %d.", n);
    expect_numbers(line, "at", 0, 0, OF(expected), OF(at), EXACTLY);
}
#define EXPECT_BEST(t, n, words, expected) expect_best(__LINE__, &(t), n, words, expected)

TEST(best_merge, of_the_worked_letters_l_and_y_are_the_best_pair) {
    const struct tokenizer t = worked_tokenizer();
    const int *words = words_from("words", 4, OF(3, 4, 3, 5));
    const int at = best_merge(4, t.pairs, 10, t.score, 4, words);
    BECAUSE(WORKED_PAIRS "Of \"l i l y\", \"li\" has the score -2, \"il\" -4 and \"ly\" -1.");
    EXPECT_NUMBER(2, at, EXACTLY);
}

TEST(best_merge, the_pair_may_be_the_first_or_the_last) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_BEST(t, 3, OF(3, 4, 3), 0);
    EXPECT_BEST(t, 3, OF(4, 3, 4), 1);
    EXPECT_BEST(t, 2, OF(6, 7), 0);
    EXPECT_BEST(t, 4, OF(5, 5, 6, 7), 2);
}

TEST(best_merge, without_a_pair_it_is_minus_1) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_BEST(t, 4, OF(5, 3, 3, 8), -1);
    EXPECT_BEST(t, 2, OF(7, 6), -1);
    EXPECT_BEST(t, 1, OF(3), -1);
    EXPECT_BEST(t, 0, OF(3), -1);
}

TEST(best_merge, of_equal_scores_the_first_counts) {
    struct tokenizer t = worked_tokenizer();
    t.score = scores_from(10, OF(0, 0, 0, 0, 0, 0, -2, -2, -4, -2));
    EXPECT_BEST(t, 5, OF(5, 3, 4, 3, 5), 1);
    EXPECT_BEST(t, 6, OF(5, 5, 3, 5, 3, 4), 2);
}

TEST(best_merge, the_score_is_that_of_what_they_become) {
    struct tokenizer t = worked_tokenizer();
    t.score = scores_from(10, OF(9, 9, 9, 0, 5, 1, 3, 4, 2, 2.5));
    EXPECT_BEST(t, 6, OF(6, 7, 3, 4, 3, 5), 4);
    t.score = scores_from(10, OF(9, 9, 9, -8, 5, 7, 1, 2, -4, 3));
    EXPECT_BEST(t, 4, OF(3, 4, 3, 5), 1);
    EXPECT_BEST(t, 3, OF(3, 5, 3), 0);
}

TEST(best_merge, scores_may_differ_by_less_than_1) {
    struct tokenizer t = worked_tokenizer();
    t.score = scores_from(10, OF(0, 0, 0, 0, 0, 0, -1.5, -1.25, -2.5, -1.875));
    EXPECT_BEST(t, 6, OF(6, 7, 3, 4, 3, 5), 4);
}

TEST(best_merge, scores_may_be_far_below_0) {
    struct tokenizer t = worked_tokenizer();
    t.score = scores_from(10, OF(0, 0, 0, 0, 0, 0, -3e38, -2e38, -1e38, -3.1e38));
    EXPECT_BEST(t, 4, OF(3, 4, 3, 5), 2);
    EXPECT_BEST(t, 2, OF(4, 3), 0);
}

/* A random tokenizer: token 0 to 3 are letters, and each further one is made of earlier ones, often
   of the first. No pair occurs twice. Some scores are equal. */
struct grammar {
    struct tokenizer t;
    double pairs[40][3], score[44];
};

static struct grammar random_grammar(int n_pairs, struct random *r) {
    static int made[44][44];
    struct grammar g = {.t = {n_pairs, n_pairs + 4, NULL, NULL}};
    int count = 0;
    memset(made, 0, sizeof made);
    for (int token = 4; token < n_pairs + 4; token++) {
        int left, right;
        do {
            left = random_below(r, token % 2 || token < 7 ? token : 7);
            right = random_below(r, token % 2 || token < 7 ? token : 7);
        } while (made[left][right]);
        made[left][right] = token;
    }
    for (int i = 0; i < 44 * 44; i++)
        if (made[i / 44][i % 44]) {
            const double pair[3] = {i / 44, i % 44, made[i / 44][i % 44]};
            memcpy(g.pairs[count++], pair, sizeof pair);
        }
    for (int i = 0; i < n_pairs + 4; i++)
        g.score[i] = -random_below(r, 12);
    g.t.pairs = pairs_from(n_pairs, g.pairs);
    g.t.score = scores_from(n_pairs + 4, g.score);
    return g;
}

static int find_obviously(const struct grammar *g, double left, double right) {
    for (int i = 0; i < g->t.n_pairs; i++)
        if (g->pairs[i][0] == left && g->pairs[i][1] == right)
            return (int)g->pairs[i][2];
    return -1;
}

static int best_obviously(const struct grammar *g, int n, const double *words) {
    int best = -1;
    double highest = -100.0;
    for (int i = 0; i + 1 < n; i++) {
        const int merged = find_obviously(g, words[i], words[i + 1]);
        if (merged >= 0 && g->score[merged] > highest) {
            best = i;
            highest = g->score[merged];
        }
    }
    return best;
}

static double *random_text(int n, int letters, struct random *r) {
    double *words = vector_new("of_the_test", n);
    for (int i = 0; i < n; i++)
        words[i] = random_below(r, letters);
    return words;
}

TEST(best_merge, random_pairs_agree_with_the_obvious_search) {
    struct random r = random_seed(1650);
    for (int n_pairs = 1; n_pairs <= 40; n_pairs += 13)
        for (int n = 1; n <= 31; n += 5) {
            matrix_free_all();
            const struct grammar g = random_grammar(n_pairs, &r);
            const double *words = random_text(n, n % 2 ? 5 : n_pairs + 4, &r);
            EXPECT_BEST(g.t, n, words, best_obviously(&g, n, words));
        }
}

TEST(best_merge, no_call_keeps_a_score) {
    const struct tokenizer t = worked_tokenizer();
    const int *words = words_from("words", 4, OF(3, 4, 3, 5));
    EXPECT_NOTHING_KEPT(best_merge(4, t.pairs, 10, t.score, 3, words),
                        best_merge(4, t.pairs, 10, t.score, 4, words));
}

/* merge_tokens */

static void expect_joined(int line, const struct tokenizer *t, int n, const double *numbers,
                          int count, const double *expected) {
    const int *words = n > 0 ? words_from("words", n, numbers) : words_from("words", 1, OF(0));
    NEW_VECTOR(joined, count > 0 ? count : 1);
    int *tokens = new_words("joined", n > 0 ? n : 1);
    const int left = merge_tokens(t->n_pairs, t->pairs, t->vocabulary, t->score, n, words, tokens);
    for (int i = 0; i < count; i++)
        joined[i] = tokens[i];
    vector_copy("joined", count > 0 ? count : 1, joined); /* what a report shows */
    int i = 0;
    while (i < n && words[i] == (int)numbers[i])
        i++;
    if (i < n)
        expect_that(line, false,
                    "words[%d] is %d after the call and was %d before; write to joined instead", i,
                    words[i], (int)numbers[i]);
    BECAUSE("%d tokens should be left of %d.", count, n);
    expect_numbers(line, "left", 0, 0, OF(count), OF(left), EXACTLY);
    BECAUSE("%d tokens are left, as it should be.", count);
    if (count > 0)
        expect_numbers(line, "joined", 0, count, expected, joined, EXACTLY);
}
#define EXPECT_JOINED(t, n, words, count, expected)                                                \
    expect_joined(__LINE__, &(t), n, words, count, expected)

TEST(merge_tokens, the_worked_letters_become_one_token) {
    const struct tokenizer t = worked_tokenizer();
    BECAUSE(WORKED_PAIRS "\"l i l y\" becomes \"l i ly\", then \"li ly\", then \"lily\".");
    EXPECT_JOINED(t, 4, OF(3, 4, 3, 5), 1, OF(8));
}

TEST(merge_tokens, the_best_pair_comes_first_and_not_the_leftmost) {
    static const double pairs[4][3] = {{3, 4, 6}, {4, 5, 7}, {5, 3, 8}, {6, 5, 9}};
    const struct tokenizer t = {4, 10, pairs_from(4, pairs),
                                scores_from(10, OF(0, 0, 0, 0, 0, 0, -2, -1, -3, -4))};
    EXPECT_JOINED(t, 3, OF(3, 4, 5), 2, OF(3, 7));
    EXPECT_JOINED(t, 4, OF(3, 4, 4, 5), 2, OF(6, 7));
}

TEST(merge_tokens, tokens_without_a_pair_stay) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_JOINED(t, 4, OF(5, 4, 5, 3), 4, OF(5, 4, 5, 3));
    EXPECT_JOINED(t, 1, OF(3), 1, OF(3));
    EXPECT_JOINED(t, 0, OF(3), 0, OF(0));
}

TEST(merge_tokens, what_follows_a_merged_pair_moves_forward) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_JOINED(t, 5, OF(3, 5, 5, 4, 5), 4, OF(7, 5, 4, 5));
    EXPECT_JOINED(t, 5, OF(5, 4, 5, 3, 5), 4, OF(5, 4, 5, 7));
    EXPECT_JOINED(t, 6, OF(5, 3, 5, 5, 5, 4), 5, OF(5, 7, 5, 5, 4));
}

TEST(merge_tokens, a_merged_token_may_be_merged_again) {
    const struct tokenizer t = worked_tokenizer();
    EXPECT_JOINED(t, 8, OF(3, 4, 3, 5, 3, 4, 3, 5), 2, OF(8, 8));
    EXPECT_JOINED(t, 3, OF(6, 3, 5), 1, OF(8));
    EXPECT_JOINED(t, 5, OF(3, 4, 3, 4, 5), 3, OF(6, 6, 5));
}

/* "aaa" and so on: token 3 is a, and each token 4 to 8 is twice the one before. */
TEST(merge_tokens, equal_letters_are_joined_from_the_left) {
    static const double pairs[5][3] = {{3, 3, 4}, {4, 4, 5}, {5, 5, 6}, {6, 6, 7}, {7, 7, 8}};
    const struct tokenizer t = {5, 9, pairs_from(5, pairs),
                                scores_from(9, OF(0, 0, 0, 0, -1, -2, -3, -4, -5))};
    EXPECT_JOINED(t, 3, OF(3, 3, 3), 2, OF(4, 3));
    EXPECT_JOINED(t, 7, OF(3, 3, 3, 3, 3, 3, 3), 3, OF(5, 4, 3));
    EXPECT_JOINED(t, 8, OF(3, 3, 3, 3, 3, 3, 3, 3), 1, OF(6));
}

/* What merge_tokens should do, one step after the other. */
static int merge_obviously(const struct grammar *g, int n, double *words) {
    for (int at; (at = best_obviously(g, n, words)) >= 0; n--) {
        words[at] = find_obviously(g, words[at], words[at + 1]);
        memmove(&words[at + 1], &words[at + 2], (size_t)(n - at - 2) * sizeof words[0]);
    }
    return n;
}

TEST(merge_tokens, random_texts_agree_with_the_obvious_way) {
    struct random r = random_seed(1651);
    for (int n_pairs = 1; n_pairs <= 40; n_pairs += 13)
        for (int n = 1; n <= 64; n += 7) {
            matrix_free_all();
            const struct grammar g = random_grammar(n_pairs, &r);
            const double *words = random_text(n, 4, &r);
            double *right = vector_copy("of_the_test", n, words);
            const int count = merge_obviously(&g, n, right);
            EXPECT_JOINED(g.t, n, words, count, right);
        }
}

/* Every byte from 0 to 255 as its token, as in the file of a tokenizer, among them broken UTF-8. */
TEST(merge_tokens, any_bytes_may_stand_side_by_side) {
    NEW_MATRIX(pairs, 255, 3);
    NEW_VECTOR_FILLED(score, FIRST_PIECE + 255, 0.0);
    NEW_VECTOR(words, 256);
    NEW_VECTOR(expected, 128);
    for (int i = 0; i < 256; i++)
        words[i] = FIRST_BYTE + i;
    for (int i = 0; i < 255; i++) {
        pairs[i][0] = FIRST_BYTE + i;
        pairs[i][1] = FIRST_BYTE + i + 1;
        pairs[i][2] = FIRST_PIECE + i;
        score[FIRST_PIECE + i] = i % 2 ? -i - 1000 : -i;
    }
    for (int i = 0; i < 128; i++)
        expected[i] = FIRST_PIECE + 2 * i;
    const struct tokenizer t = {255, FIRST_PIECE + 255, pairs_from(255, pairs),
                                scores_from(FIRST_PIECE + 255, score)};
    EXPECT_JOINED(t, 256, words, 128, expected);
}

TEST(merge_tokens, no_call_keeps_a_token) {
    const struct tokenizer t = worked_tokenizer();
    const int *words = words_from("words", 4, OF(3, 4, 3, 5));
    int *joined = new_words("joined", 4);
    EXPECT_NOTHING_KEPT(merge_tokens(4, t.pairs, 10, t.score, 3, words, joined),
                        merge_tokens(4, t.pairs, 10, t.score, 4, words, joined));
}
