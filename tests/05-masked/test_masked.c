/* Lesson 05: what masked.h promises. */
#include "../attention.h"
#include "expect.h"
#include "lesson_test.h"
#include "masked.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "scaled.h"
#include "softmax.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-9
#define LAST_BIT      1e-14 /* the same sum, taken in another order */
#define EXACTLY       0.0   /* every bit, except that -0 is 0 */
#define SLOPES        1e-6  /* how well central differences can agree */

/* The worked example of the lesson: three words. */
#define THREE_WORDS   NEW_MATRIX_OF(Q, 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, 0})
#define WORKED_CAUSAL NEW_MASK_OF(blocked, 3, 3, {0, 1, 1}, {0, 0, 1}, {0, 0, 0})
#define WORKED_PADDED NEW_MASK_OF(blocked, 3, 3, {0, 0, 1}, {0, 0, 1}, {0, 0, 1})

/* Amounts that a blocked place may hold. */
static const double amounts[] = {1, -1e4, 1e9, 1e300, -1e308, DBL_MAX, -DBL_MAX};
#define FOR_ALL(i, array) for (int i = 0; i < (int)(sizeof(array) / sizeof *(array)); i++)

/* Row 1 is fully blocked; row 0 always has its first and its last key. */
static void random_mask(struct random *r, int n_q, int n_k, bool blocked[n_q][n_k]) {
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = i == 1 || random_uniform(r) < 0.4;
    blocked[0][0] = blocked[0][n_k - 1] = false;
}

/* Everything that attention needs, at the sizes *z. */
#define RANDOM_ATTENTION(z, generator)                                                             \
    const int n_q = (z)->n_q, n_k = (z)->n_k, d_k = (z)->d_k, d_v = (z)->d_v;                      \
    NEW_MATRIX_RANDOM(Q, n_q, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(K, n_k, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(V, n_k, d_v, generator);                                                     \
    NEW_MASK(blocked, n_q, n_k);                                                                   \
    random_mask(generator, n_q, n_k, blocked)

#define RANDOM_WAY_BACK(z, generator)                                                              \
    RANDOM_ATTENTION(z, generator);                                                                \
    NEW_MATRIX_RANDOM(d_out, n_q, d_v, generator);                                                 \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    obvious_weights(*(z), Q, K, blocked, weights)

/* The slow, obvious way to everything. */

static void obvious_softmax(int rows, int cols, const double scores[rows][cols],
                            const bool blocked[rows][cols], double weights[rows][cols]) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double sum = 0.0;
            for (int k = 0; k < cols; k++)
                if (!blocked[i][k])
                    sum += exp(scores[i][k] - scores[i][j]);
            weights[i][j] = blocked[i][j] ? 0.0 : 1.0 / sum;
        }
}

static void obvious_weights(struct sizes z, const double Q[z.n_q][z.d_k],
                            const double K[z.n_k][z.d_k], const bool blocked[z.n_q][z.n_k],
                            double weights[z.n_q][z.n_k]) {
    NEW_MATRIX(slow_scores, z.n_q, z.n_k);
    product_by_rows(z.n_q, z.d_k, z.n_k, Q, K, slow_scores);
    scale_into(z.n_q * z.n_k, 1.0 / sqrt(z.d_k), slow_scores, slow_scores);
    obvious_softmax(z.n_q, z.n_k, slow_scores, blocked, weights);
}

/* For numeric_gradient(): the loss is the output times `upstream`. */
struct call {
    struct sizes z;
    void *Q, *K, *V;
    const void *blocked, *upstream;
    void *weights, *out;
};

static double loss_of_attention(void *context) {
    struct call *c = context;
    masked_attention(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V, c->blocked,
                     c->weights, c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

static bool any_nan(int count, const void *x) {
    const double *numbers = x;
    for (int i = 0; i < count; i++)
        if (isnan(numbers[i]) && !is_unset(numbers[i]))
            return true;
    return false;
}

static bool same_numbers(int count, const void *a, const void *b) {
    const double *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= FOUR_DECIMALS))
            return false;
    return true;
}

/* The row of a matrix, by the number that it has there. */
#define EXPECT_ROW(i, n, expected, matrix, tolerance)                                              \
    do {                                                                                           \
        char name[24];                                                                             \
        snprintf(name, sizeof name, #matrix "[%d]", i);                                            \
        expect_numbers(__LINE__, name, 0, n, expected, (matrix)[i], tolerance);                    \
    } while (0)

/* causal_mask */

static void three_words_may_look_back_and_at_themselves(void) {
    NEW_MASK(blocked, 3, 3);
    causal_mask(3, blocked);
    const bool expected[3][3] = {{0, 1, 1}, {0, 0, 1}, {0, 0, 0}};
    const bool inverted[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    const bool with_itself[3][3] = {{1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
    const bool one_ahead[3][3] = {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}};
    const bool backwards[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
    const bool next_only[3][3] = {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    const bool others[3][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    const bool nothing[3][3] = {{0}};
    MISTAKE_MASK(3, 3, inverted,
                 "Inverted: you marked what a word may look at. true means blocked.");
    MISTAKE_MASK(3, 3, with_itself,
                 "You blocked the diagonal: a word may look at itself. Word 0 has nobody else.");
    MISTAKE_MASK(3, 3, one_ahead,
                 "You let each word look one word ahead. That is the word it has to guess: only "
                 "itself and what came before.");
    MISTAKE_MASK(3, 3, backwards,
                 "The wrong triangle: you blocked the past. Row i is the word that looks, column j "
                 "the word that is looked at; later means a larger j.");
    MISTAKE_MASK(3, 3, next_only,
                 "You blocked the next word alone. All later words are out of sight.");
    MISTAKE_MASK(3, 3, others,
                 "You blocked every word but the one itself. The earlier ones may be seen.");
    MISTAKE_MASK(3, 3, nothing, "You blocked nothing. Later words must not be seen.");
    EXPECT_MASK(3, 3, expected, blocked);
}

static void each_word_sees_one_word_more_than_the_one_before(void) {
    for (int n = 1; n <= 9; n++) {
        NEW_MASK(blocked, n, n);
        NEW_MASK_FILLED(expected, n, n, true);
        for (int i = 0; i < n; i++)
            for (int j = i; j >= 0; j--)
                expected[i][j] = false;
        causal_mask(n, blocked);
        MISTAKE_IF(true,
                   "Three words came out right; these are %d. Does a size stand there as a "
                   "number?",
                   n);
        EXPECT_MASK(n, n, expected, blocked);
    }
}

/* padding_mask */

static void two_words_are_seen_and_the_third_is_padding(void) {
    NEW_MASK(blocked, 3, 3);
    padding_mask(3, 3, 2, blocked);
    const bool expected[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    const bool inverted[3][3] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}};
    const bool queries[3][3] = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    const bool either[3][3] = {{0, 0, 1}, {0, 0, 1}, {1, 1, 1}};
    const bool both[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    const bool one_late[3][3] = {{0}};
    const bool one_early[3][3] = {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}};
    MISTAKE_MASK(3, 3, inverted,
                 "Inverted: you blocked the words and left the padding. true means "
                 "blocked.");
    MISTAKE_MASK(3, 3, queries,
                 "You blocked rows. A row is a word that looks; padding is what must not be looked "
                 "at: block its columns.");
    MISTAKE_MASK(3, 3, either,
                 "You blocked the padding's rows as well. What padding looks at harms nobody, for "
                 "nobody reads its row: block its columns only.");
    MISTAKE_MASK(3, 3, both,
                 "You blocked padding from padding only. Nobody may look at it, words least of "
                 "all.");
    MISTAKE_MASK(3, 3, one_late,
                 "One too late, or never: two words are the keys 0 and 1, and key 2 is padding. "
                 "Index `length` is the first that is blocked.");
    MISTAKE_MASK(3, 3, one_early,
                 "Key 1 is blocked, and with length 2 the keys 0 and 1 are words. Index `length` "
                 "is the first that is blocked.");
    EXPECT_MASK(3, 3, expected, blocked);
}

static void padding_is_counted_in_keys_and_not_in_queries(void) {
    FOR_ALL_SIZES(z) for (int length = 0; length <= z->n_k; length++) {
        NEW_MASK(blocked, z->n_q, z->n_k);
        NEW_MASK_FILLED(expected, z->n_q, z->n_k, true);
        for (int i = 0; i < z->n_q; i++)
            memset(expected[i], false, (size_t)length);
        padding_mask(z->n_q, z->n_k, length, blocked);
        NEW_MASK_FILLED(one_column, z->n_q, z->n_k, false);
        for (int i = 0; i < z->n_q && length < z->n_k; i++)
            one_column[i][length] = true;
        MISTAKE_MASK(z->n_q, z->n_k, one_column,
                     "Only column `length` is blocked, which is %d here. Everything from it on is "
                     "padding.",
                     length);
        MISTAKE_IF(true,
                   "Here n_q is %d, n_k is %d and length is %d. Rows are counted by n_q, "
                   "columns by n_k, and only the column decides.",
                   z->n_q, z->n_k, length);
        EXPECT_MASK(z->n_q, z->n_k, expected, blocked);
    }
}

/* block_either */

static void a_causal_text_with_padding_blocks_what_either_blocks(void) {
    NEW_MASK_OF(a, 3, 3, {0, 1, 1}, {0, 0, 1}, {0, 0, 0});
    NEW_MASK_OF(b, 3, 3, {0, 0, 1}, {0, 0, 1}, {0, 0, 1});
    NEW_MASK(blocked, 3, 3);
    block_either(3, 3, a, b, blocked);
    const bool expected[3][3] = {{0, 1, 1}, {0, 0, 1}, {0, 0, 1}};
    const bool both[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 0}};
    const bool just_one[3][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 1}};
    const bool neither[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 0}};
    const bool same[3][3] = {{1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
    const bool not_both[3][3] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 1}};
    const bool everything[3][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    MISTAKE_MASK(3, 3, both,
                 "You blocked only what both block. One reason is enough: or, not and.");
    MISTAKE_MASK(
        3, 3, just_one,
        "You let through what both block: != and ^ ask for exactly one of them. Two reasons "
        "to block are no reason to look.");
    MISTAKE_MASK(3, 3, a, "This is a alone. What b blocks is blocked as well.");
    MISTAKE_MASK(3, 3, b, "This is b alone. What a blocks is blocked as well.");
    MISTAKE_MASK(3, 3, neither,
                 "Inverted: you marked what neither blocks. true means blocked, in all three.");
    MISTAKE_MASK(3, 3, same, "You marked where a and b agree. Blocked is what either blocks.");
    MISTAKE_MASK(3, 3, not_both,
                 "You marked what may be looked at by one of them. true means blocked, in all "
                 "three.");
    MISTAKE_MASK(3, 3, everything,
                 "You blocked everything. Does an a or b stand there without its two indices? That "
                 "asks whether there is such a table at all, and there is: ask one cell of it.");
    EXPECT_MASK(3, 3, expected, blocked);
}

static void the_result_may_replace_either_mask(void) {
    NEW_MASK_OF(first, 2, 3, {1, 0, 1}, {0, 0, 1});
    NEW_MASK_OF(second, 2, 3, {0, 0, 1}, {1, 0, 1});
    NEW_MASK_OF(a, 2, 3, {1, 0, 1}, {0, 0, 1});
    NEW_MASK_OF(b, 2, 3, {0, 0, 1}, {1, 0, 1});
    block_either(2, 3, a, second, a);
    block_either(2, 3, first, b, b);
    const bool expected[2][3] = {{1, 0, 1}, {1, 0, 1}};
    MISTAKE_IF(true, "blocked is a here, the same cells. Write a cell only after you have read "
                     "it in both.");
    EXPECT_MASK(2, 3, expected, a);
    MISTAKE_IF(true, "blocked is b here, the same cells. Write a cell only after you have read "
                     "it in both.");
    EXPECT_MASK(2, 3, expected, b);
}

static void masks_of_any_size_are_joined_cell_by_cell(void) {
    struct random r = random_seed(501);
    FOR_ALL_SIZES(z) {
        NEW_MASK(a, z->n_q, z->n_k);
        NEW_MASK(b, z->n_q, z->n_k);
        NEW_MASK(blocked, z->n_q, z->n_k);
        NEW_MASK_FILLED(expected, z->n_q, z->n_k, false);
        for (int i = 0; i < z->n_q; i++)
            for (int j = 0; j < z->n_k; j++) {
                int kind = random_below(&r, 4);
                a[i][j] = kind % 2 == 1;
                b[i][j] = kind >= 2;
                expected[i][j] = kind > 0;
            }
        block_either(z->n_q, z->n_k, a, b, blocked);
        MISTAKE_IF(true,
                   "Here n_q is %d and n_k is %d. Which loop runs to a size that is not its "
                   "own?",
                   z->n_q, z->n_k);
        EXPECT_MASK(z->n_q, z->n_k, expected, blocked);
    }
}

/* masked_softmax_rows */

#define NOT_A_NUMBER                                                                               \
    "NaN where looking is allowed. Is the minus in front of INFINITY missing, or did you "         \
    "multiply "                                                                                    \
    "by it? 0 * INFINITY is NaN, so nobody gets through: choose with an if or ?: instead."
#define ANSWERED_AFTERWARDS                                                                        \
    "You set the blocked weights to 0 after the softmax. They had taken their share by then, and " \
    "the row no longer sums to 1: block the scores, before."
#define SCORE_OF_ZERO                                                                              \
    "You gave what is blocked a score of 0, or as good as 0: by a factor, or by a tiny number. "   \
    "exp(0) is 1, a share like any other. Which score has an exp() of 0?"

#define OVER_THE_WHOLE_TABLE                                                                       \
    "You took one softmax over the whole table: all rows together sum to 1. Each query is a row "  \
    "and hands out a whole 1 of its own."
#define TAKEN_TWICE                                                                                \
    "You took the softmax twice. What it gives are weights; taken for scores, they lie so close "  \
    "together that the keys come out almost alike. Once is enough."

/* The mask may have been there the first time, the second time or both times. */
static bool is_softmax_twice(int rows, int cols, const double scores[rows][cols],
                             const bool blocked[rows][cols], const double weights[rows][cols]) {
    NEW_MASK_FILLED(nothing, rows, cols, false);
    const void *const masks[] = {nothing, blocked};
    NEW_MATRIX(once, rows, cols);
    NEW_MATRIX(twice, rows, cols);
    for (int k = 1; k <= 3; k++) {
        obvious_softmax(rows, cols, scores, masks[k % 2], once);
        obvious_softmax(rows, cols, once, masks[k / 2], twice);
        if (same_numbers(rows * cols, twice, weights))
            return true;
    }
    return false;
}

static void the_worked_row_comes_out_to_four_decimals(void) {
    NEW_MATRIX_OF(scores, 1, 6, {0.43, -0.21, 0.99, 0.32, -0.35, 0.04});
    NEW_MASK_OF(blocked, 1, 6, {0, 0, 0, 1, 1, 1});
    NEW_MATRIX(weights, 1, 6);
    report('<', "scores[0] = 0.43, -0.21, 0.99, 0.32, -0.35, 0.04"); /* too long to be shown */
    report('<', "blocked[0] = 0, 0, 0, 1, 1, 1");
    masked_softmax_rows(1, 6, scores, blocked, weights);
    const double expected[1][6] = {{0.3051, 0.1609, 0.5341, 0, 0, 0}};
    const double inverted[1][6] = {{0, 0, 0, 0.4410, 0.2257, 0.3333}};
    const double unmasked[1][6] = {{0.1884, 0.0993, 0.3297, 0.1687, 0.0863, 0.1275}};
    const double afterwards[1][6] = {{0.1884, 0.0993, 0.3297, 0, 0, 0}};
    const double score_of_zero[1][6] = {{0.1912, 0.1008, 0.3348, 0.1244, 0.1244, 0.1244}};
    const double columns[1][6] = {{1, 1, 1, 0, 0, 0}};
    const double undivided[1][6] = {{1.5373, 0.8106, 2.6912, 0, 0, 0}};
    const double undivided_from_0[1][6] = {{0.5712, 0.3012, 1, 0, 0, 0}};
    const double masked_scores[1][6] = {{0.43, -0.21, 0.99, 0, 0, 0}};
    MISTAKE_IF(any_nan(3, weights), NOT_A_NUMBER);
    MISTAKE_IF(is_softmax_twice(1, 6, scores, blocked, weights), TAKEN_TWICE);
    MISTAKE_MATRIX(1, 6, inverted,
                   "Inverted: you gave the weight to what is blocked. true means blocked.");
    MISTAKE_MATRIX(1, 6, unmasked, "The mask changed nothing: this is the plain softmax.");
    MISTAKE_MATRIX(1, 6, afterwards, ANSWERED_AFTERWARDS);
    MISTAKE_MATRIX(1, 6, score_of_zero, SCORE_OF_ZERO);
    MISTAKE_MATRIX(1, 6, columns,
                   "You took the softmax down the columns. A query is a row: it hands out its "
                   "weight over the keys of that row.");
    MISTAKE_MATRIX(1, 6, undivided, "You did not divide by the sum of the row.");
    MISTAKE_MATRIX(1, 6, undivided_from_0, "You did not divide by the sum of the row.");
    MISTAKE_MATRIX(1, 6, masked_scores, "These are scores still. Where is the softmax?");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(1, 6, weights);
    EXPECT_MATRIX(1, 6, expected, weights, FOUR_DECIMALS);
}

static void every_row_follows_its_own_row_of_the_mask(void) {
    NEW_MATRIX_OF(scores, 3, 3, {1, 2, 3}, {1, 2, 3}, {1, 2, 3});
    WORKED_CAUSAL;
    NEW_MATRIX(weights, 3, 3);
    masked_softmax_rows(3, 3, scores, blocked, weights);
    const double expected[3][3] = {{1, 0, 0}, {0.2689, 0.7311, 0}, {0.0900, 0.2447, 0.6652}};
    const double row_0[3][3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    const double columns[3][3] = {{0.3333, 0, 0}, {0.3333, 0.5, 0}, {0.3333, 0.5, 1}};
    const double whole[3][3] = {{0.0632, 0, 0}, {0.0632, 0.1718, 0}, {0.0632, 0.1718, 0.4669}};
    MISTAKE_MATRIX(3, 3, whole, OVER_THE_WHOLE_TABLE);
    MISTAKE_MATRIX(3, 3, row_0, "You used the first row of the mask for every row.");
    MISTAKE_MATRIX(3, 3, columns,
                   "You took the softmax down the columns. A query is a row: it hands out its "
                   "weight over the keys of that row.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(3, 3, weights);
    EXPECT_MATRIX(3, 3, expected, weights, FOUR_DECIMALS);
}

static void a_mask_that_blocks_nothing_leaves_a_plain_softmax(void) {
    struct random r = random_seed(502);
    NEW_MATRIX_RANDOM(scores, 3, 5, &r);
    NEW_MASK_FILLED(blocked, 3, 5, false);
    NEW_MATRIX(expected, 3, 5);
    NEW_MATRIX(weights, 3, 5);
    softmax_rows(3, 5, scores, expected);
    masked_softmax_rows(3, 5, scores, blocked, weights);
    MISTAKE_IF(any_nan(15, weights), NOT_A_NUMBER);
    mistake_if_a_float(15, expected, weights);
    EXPECT_MATRIX(3, 5, expected, weights, LAST_BIT);
}

#define NAN_FROM_WHAT_IS_BLOCKED                                                                   \
    "NaN, from a blocked score that is very large, INFINITY or NaN itself. Adding -INFINITY to "   \
    "it does not help, nor does a softmax that has seen it: put -INFINITY in its place."

/* Shared by both functions that make weights: what can come of a blocked place that holds a lot. */
static void mistake_if_blocked_leaks(int count, const bool *blocked, const double *weights) {
    bool leaks = false;
    for (int i = 0; i < count; i++)
        leaks = leaks || (blocked[i] && weights[i] != 0.0);
    MISTAKE_IF(any_nan(count, weights), NAN_FROM_WHAT_IS_BLOCKED);
    MISTAKE_IF(leaks, "Something blocked got a weight. Taking 1e9 from a score, or any other "
                      "amount, fails when the score is larger still: put -INFINITY in its place.");
    MISTAKE_IF(true, "A blocked place changed the weights of the others. Its score must not even "
                     "be in the sum, or be the largest: block before the softmax.");
}

static void what_stands_at_a_blocked_place_changes_no_bit(void) {
    const double odd[] = {800, -800, 1e9, 1e10, 1e300, -DBL_MAX, DBL_MAX, INFINITY, -INFINITY, NAN};
    NEW_MASK_OF(blocked, 3, 4, {0, 1, 0, 1}, {1, 0, 0, 0}, {1, 1, 1, 1});
    NEW_MATRIX_OF(plain, 3, 4, {0.3, 0, -1.2, 0}, {0, 2, 0.7, -0.1}, {0, 1, 2, 3});
    NEW_MATRIX(expected, 3, 4);
    masked_softmax_rows(3, 4, plain, blocked, expected);
    NEW_MATRIX(obvious, 3, 4);
    obvious_softmax(3, 4, plain, blocked, obvious);
    expect_numbers(__LINE__, "weights", 3, 4, obvious[0], expected[0], ROUNDING);
    FOR_ALL(k, odd) {
        NEW_MATRIX_LIKE(scores, 3, 4, plain);
        scores[0][1] = scores[0][3] = scores[1][0] = scores[2][1] = odd[k];
        NEW_MATRIX(weights, 3, 4);
        masked_softmax_rows(3, 4, scores, blocked, weights);
        mistake_if_blocked_leaks(12, (bool *)blocked, (double *)weights);
        EXPECT_MATRIX(3, 4, expected, weights, EXACTLY);
    }
}

/* A row of which nothing is allowed, at the EXPECT of its weights. */
static void mistake_if_nobody_still_speaks(int n, const double row[n]) {
    MISTAKE_IF(any_nan(n, row),
               "NaN in a row in which everything is blocked: -INFINITY less -INFINITY, or 0 / 0. "
               "Nobody may speak, so nobody gets a weight: 0, as lesson 01's softmax() has it.");
    bool even = true;
    for (int j = 0; j < n; j++)
        even = even && fabs(row[j] - 1.0 / n) < 1e-12;
    MISTAKE_IF(even,
               "Everything in this row is blocked, and you shared it out evenly: a very low score, "
               "such as -1e9, is as good as any when all have it. -INFINITY is the score that "
               "never wins.");
    MISTAKE_IF(true, "Everything in this row is blocked, and it has weights. Did you take the same "
                     "amount from every score, such as 1e9? That changes no softmax: -INFINITY is "
                     "the score that never wins, and all of these weights are 0.");
}

#define LEFT_AT_THE_FIRST                                                                          \
    "An allowed key behind a blocked one got nothing. Did you leave the loop at the first one "    \
    "that is blocked? break ends the whole row, continue skips one key."

static void a_fully_blocked_row_is_all_zeros(void) {
    NEW_MATRIX_OF(scores, 3, 4, {1, 2, 3, 4}, {1, -2, 0.5, 1}, {-2e9, 1e300, -1e300, 0});
    NEW_MASK_OF(blocked, 3, 4, {1, 1, 1, 1}, {0, 1, 1, 0}, {1, 1, 1, 1});
    NEW_MATRIX(weights, 3, 4);
    masked_softmax_rows(3, 4, scores, blocked, weights);
    const double expected[3][4] = {{0}, {0.5, 0, 0, 0.5}, {0}};
    for (int i = 0; i < 3; i++) {
        if (i != 1)
            mistake_if_nobody_still_speaks(4, weights[i]);
        MISTAKE_IF(weights[1][3] == 0.0, LEFT_AT_THE_FIRST);
        EXPECT_ROW(i, 4, expected[i], weights, i == 1 ? LAST_BIT : EXACTLY);
    }
}

#define LOW_IS_NOT_BLOCKED                                                                         \
    "An allowed score may be as low as any number, and beats what is blocked even then. -1e9 or "  \
    "-DBL_MAX are numbers too: -INFINITY alone lies below them all."

static void however_low_the_allowed_scores_are_they_share_the_row(void) {
    const double low[] = {-800, -1e9, -1e10, -1e300, -DBL_MAX};
    FOR_ALL(k, low) {
        NEW_MATRIX_OF(scores, 1, 3, {low[k], 0, low[k]});
        NEW_MASK_OF(blocked, 1, 3, {0, 1, 0});
        NEW_MATRIX(weights, 1, 3);
        masked_softmax_rows(1, 3, scores, blocked, weights);
        const double expected[1][3] = {{0.5, 0, 0.5}};
        MISTAKE_IF(k == 0,
                   "The allowed scores are %g here, and their exp() is 0. The largest "
                   "score is to be taken off first: the largest one that is allowed.",
                   low[k]);
        MISTAKE_IF(true, LOW_IS_NOT_BLOCKED);
        EXPECT_MATRIX(1, 3, expected, weights, LAST_BIT);
    }
}

static void allowed_scores_that_can_never_win_give_zeros(void) {
    NEW_MATRIX_OF(scores, 2, 3, {-INFINITY, 5, -INFINITY}, {-INFINITY, 5, 1});
    NEW_MASK_OF(blocked, 2, 3, {0, 1, 0}, {0, 1, 0});
    NEW_MATRIX(weights, 2, 3);
    masked_softmax_rows(2, 3, scores, blocked, weights);
    const double expected[2][3] = {{0, 0, 0}, {0, 0, 1}};
    mistake_if_nobody_still_speaks(3, weights[0]);
    EXPECT_MATRIX(2, 3, expected, weights, EXACTLY);
}

static void a_broken_score_that_is_allowed_stays_visible(void) {
    NEW_MATRIX_OF(scores, 2, 4, {1, NAN, 2, -INFINITY}, {1, NAN, 1, NAN});
    NEW_MASK_OF(blocked, 2, 4, {0, 0, 1, 0}, {0, 1, 0, 1});
    NEW_MATRIX(weights, 2, 4);
    masked_softmax_rows(2, 4, scores, blocked, weights);
    for (int j = 0; j < 4; j++)
        EXPECT_THAT(blocked[0][j] || isnan(weights[0][j]),
                    "weights[0][%d] is %g, and row 0 has a NaN among its allowed scores. It must "
                    "give NaN: made into a number, the mistake behind it would go unseen",
                    j, weights[0][j]);
    const double expected[4] = {0.5, 0, 0.5, 0};
    MISTAKE_IF(true, "Row 0 has a NaN, and row 1 only where it is blocked.");
    EXPECT_VECTOR(4, expected, weights[1], LAST_BIT);
}

static void the_weights_may_replace_the_scores(void) {
    struct random r = random_seed(503);
    NEW_MATRIX_RANDOM(scores, 4, 5, &r);
    NEW_MASK(blocked, 4, 5);
    random_mask(&r, 4, 5, blocked);
    NEW_MATRIX(expected, 4, 5);
    NEW_MATRIX_LIKE(weights, 4, 5, scores);
    obvious_softmax(4, 5, scores, blocked, expected);
    masked_softmax_rows(4, 5, weights, blocked, weights);
    MISTAKE_IF(true, "weights and scores are one matrix here. What you have written over is no "
                     "score any more: read each one before.");
    EXPECT_MATRIX(4, 5, expected, weights, ROUNDING);
}

static void random_rows_agree_with_the_obvious_way(void) {
    struct random r = random_seed(504);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(scores, z->n_q, z->n_k, &r);
        NEW_MASK(blocked, z->n_q, z->n_k);
        random_mask(&r, z->n_q, z->n_k, blocked);
        NEW_MATRIX(expected, z->n_q, z->n_k);
        NEW_MATRIX(weights, z->n_q, z->n_k);
        obvious_softmax(z->n_q, z->n_k, scores, blocked, expected);
        masked_softmax_rows(z->n_q, z->n_k, scores, blocked, weights);
        mistake_if_a_float(z->n_q * z->n_k, expected, weights);
        MISTAKE_IF(true,
                   "Here rows is %d and cols is %d. Which loop runs to a size that is not "
                   "its own?",
                   z->n_q, z->n_k);
        EXPECT_MATRIX(z->n_q, z->n_k, expected, weights, ROUNDING);
    }
}

/* A matrix of these weights does not fit the stack that a lesson gets, which is 1 MB. */
enum { long_n_q = 3, long_n_k = 60000 };

/* Every third key is blocked; the others are all alike. */
static void long_mask(bool blocked[long_n_q][long_n_k]) {
    for (int i = 0; i < long_n_q; i++)
        for (int j = 0; j < long_n_k; j++)
            blocked[i][j] = j % 3 == 0;
}

static void long_weights(double weights[long_n_q][long_n_k]) {
    for (int i = 0; i < long_n_q; i++)
        for (int j = 0; j < long_n_k; j++)
            weights[i][j] = j % 3 == 0 ? 0.0 : 1.5 / long_n_k;
}

static void long_rows_need_no_matrix_of_their_own(void) {
    NEW_MASK(blocked, long_n_q, long_n_k);
    long_mask(blocked);
    NEW_MATRIX(expected, long_n_q, long_n_k);
    long_weights(expected);
    NEW_MATRIX_FILLED(weights, long_n_q, long_n_k, 7.0);
    masked_softmax_rows(long_n_q, long_n_k, weights, blocked, weights);
    EXPECT_MATRIX(long_n_q, long_n_k, expected, weights, LAST_BIT);
}

/* masked_attention */

#define WORKED_ATTENTION                                                                           \
    NEW_MATRIX(weights, 3, 3);                                                                     \
    NEW_MATRIX(out, 3, 2);                                                                         \
    masked_attention(3, 3, 3, 2, Q, K, V, blocked, weights, out)

#define SCALED_BY                                                                                  \
    "You divided by the square root of %d, which is %s here. A score is a sum of d_k products, "   \
    "and its scale depends on d_k alone."

static void three_words_that_look_back_have_these_weights(void) {
    THREE_WORDS;
    WORKED_K;
    WORKED_V;
    WORKED_CAUSAL;
    WORKED_ATTENTION;
    const double expected[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.4711, 0.2645, 0.2645}};
    const double unmasked[3][3] = {
        {0.2645, 0.2645, 0.4711}, {0.3904, 0.3904, 0.2192}, {0.4711, 0.2645, 0.2645}};
    const double inverted[3][3] = {{0, 0.3595, 0.6405}, {0, 0, 1}, {0, 0, 0}};
    const double transposed[3][3] = {{0.2645, 0.2645, 0.4711}, {0, 0.6405, 0.3595}, {0, 0, 1}};
    const double afterwards[3][3] = {{0.2645, 0, 0}, {0.3904, 0.3904, 0}, {0.4711, 0.2645, 0.2645}};
    const double score_of_zero[3][3] = {
        {0.4711, 0.2645, 0.2645}, {0.3904, 0.3904, 0.2192}, {0.4711, 0.2645, 0.2645}};
    const double unscaled[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.5761, 0.2119, 0.2119}};
    const double by_d_k[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.4110, 0.2945, 0.2945}};
    const double multiplied[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.7386, 0.1307, 0.1307}};
    const double scaled_after[3][3] = {
        {0.5774, 0, 0}, {0.2887, 0.2887, 0}, {0.3326, 0.1224, 0.1224}};
    const double swapped[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.5329, 0.1679, 0.2992}};
    const double columns[3][3] = {{0.2645, 0, 0}, {0.2645, 0.5, 0}, {0.4711, 0.5, 1}};
    const double by_d_v[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0.5035, 0.2483, 0.2483}};
    const double whole[3][3] = {{0.1475, 0, 0}, {0.1475, 0.1475, 0}, {0.2627, 0.1475, 0.1475}};
    NEW_MATRIX(scores, 3, 3);
    NEW_MATRIX(narrow, 3, 3);
    product_by_rows(3, 3, 3, Q, K, scores);
    product_by_rows(3, 2, 3, (void *)Q, (void *)K, narrow);
    scale_into(9, 1 / sqrt(3), scores, scores);
    scale_into(9, 1 / sqrt(3), narrow, narrow);
    NEW_MATRIX(by_d_v_numbers, 3, 3);
    obvious_softmax(3, 3, narrow, blocked, by_d_v_numbers);
    MISTAKE_MATRIX(3, 3, by_d_v_numbers,
                   "Queries and keys were read as rows of d_v numbers, which is 2 here. They have "
                   "d_k: which size do the scores take?");
    MISTAKE_IF(any_nan(9, weights), NOT_A_NUMBER);
    MISTAKE_IF(is_softmax_twice(3, 3, scores, blocked, weights), TAKEN_TWICE);
    MISTAKE_MATRIX(3, 3, whole, OVER_THE_WHOLE_TABLE);
    MISTAKE_MATRIX(3, 3, by_d_v, SCALED_BY, 2, "d_v");
    MISTAKE_MATRIX(3, 3, unmasked, "The mask changed nothing: these are lesson 03's weights.");
    MISTAKE_MATRIX(3, 3, inverted,
                   "Inverted: each word looks only at what it must not see. true means blocked.");
    MISTAKE_MATRIX(3, 3, transposed,
                   "You read the mask with its indices swapped. blocked[i][j] says whether query i "
                   "may look at key j.");
    MISTAKE_MATRIX(3, 3, afterwards, ANSWERED_AFTERWARDS);
    MISTAKE_MATRIX(3, 3, score_of_zero, SCORE_OF_ZERO);
    MISTAKE_MATRIX(3, 3, unscaled,
                   "The scale is missing: lesson 03 multiplies every score by attention_scale().");
    MISTAKE_MATRIX(3, 3, by_d_k, "You divided by d_k. The scale is 1 / sqrt(d_k).");
    MISTAKE_MATRIX(3, 3, multiplied,
                   "You multiplied by the square root of d_k. The scale divides by it.");
    MISTAKE_MATRIX(3, 3, scaled_after,
                   "You scaled the weights. It is the scores that are scaled, before the softmax.");
    MISTAKE_MATRIX(3, 3, swapped,
                   "You let the keys ask and the queries answer. Row i belongs to query i.");
    MISTAKE_MATRIX(3, 3, columns,
                   "You took the softmax down the columns. Each query, a row, hands out its own "
                   "weight.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(3, 3, weights);
    EXPECT_MATRIX(3, 3, expected, weights, FOUR_DECIMALS);
}

static void three_words_that_look_back_fetch_this(void) {
    THREE_WORDS;
    WORKED_K;
    WORKED_V;
    WORKED_CAUSAL;
    WORKED_ATTENTION;
    const double expected[3][2] = {{1, 2}, {2, 1}, {1.2645, 1.2066}};
    const double unmasked[3][2] = {{1.0578, 1}, {1.5617, 1}, {1.2645, 1.2066}};
    const double afterwards[3][2] = {{0.2645, 0.5289}, {1.5617, 0.7808}, {1.2645, 1.2066}};
    const double keys[3][2] = {{1, 1}, {0.5, 1}, {0.7355, 0.7355}};
    MISTAKE_MATRIX(3, 2, unmasked,
                   "You blended with lesson 03's weights. Which ones has the mask been at?");
    MISTAKE_MATRIX(3, 2, afterwards, ANSWERED_AFTERWARDS);
    MISTAKE_MATRIX(3, 2, keys, "You blended the keys. What they stand for is in V.");
    EXPECT_MATRIX(3, 2, expected, out, FOUR_DECIMALS);
}

static void three_words_of_which_one_is_padding_share_the_other_two(void) {
    THREE_WORDS;
    WORKED_K;
    WORKED_V;
    WORKED_PADDED;
    WORKED_ATTENTION;
    const double expected_weights[3][3] = {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.6405, 0.3595, 0}};
    const double expected[3][2] = {{2, 1}, {2, 1}, {1.7191, 1.2809}};
    MISTAKE_IF(true, "The causal mask came out; this is the one of a text of two words. Take the "
                     "mask from blocked, whatever it blocks.");
    EXPECT_MATRIX(3, 3, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(3, 2, expected, out, FOUR_DECIMALS);
}

static void a_mask_that_blocks_nothing_gives_scaled_attention(void) {
    struct random r = random_seed(505);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        NEW_MASK_FILLED(nothing, n_q, n_k, false);
        NEW_MATRIX(expected_weights, n_q, n_k);
        NEW_MATRIX(expected, n_q, d_v);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        scaled_dot_product_attention(n_q, n_k, d_k, d_v, Q, K, V, expected_weights, expected);
        masked_attention(n_q, n_k, d_k, d_v, Q, K, V, nothing, weights, out);
        const double *yours = weights[0], *right = expected_weights[0];
        mistake_if_a_float(n_q * n_k, right, yours);
        double scale = log(yours[0] / yours[n_k - 1]) / log(right[0] / right[n_k - 1]) / sqrt(d_k);
        MISTAKE_IF(fabs(scale * sqrt(n_k) - 1) < ROUNDING, SCALED_BY, n_k, "n_k");
        MISTAKE_IF(fabs(scale * sqrt(n_q) - 1) < ROUNDING, SCALED_BY, n_q, "n_q");
        MISTAKE_IF(
            true,
            "Nothing is blocked here, so this is lesson 03, with n_q = %d, n_k = %d, "
            "d_k = %d and d_v = %d. Does each size stand where it belongs? The scale depends "
            "on d_k alone.",
            n_q, n_k, d_k, d_v);
        EXPECT_MATRIX(n_q, n_k, expected_weights, weights, LAST_BIT);
        EXPECT_MATRIX(n_q, d_v, expected, out, LAST_BIT);
    }
}

static void each_word_attends_as_if_the_text_ended_with_it(void) {
    enum { n = 6 };
    struct random r = random_seed(506);
    NEW_MATRIX_RANDOM(Q, n, 4, &r);
    NEW_MATRIX_RANDOM(K, n, 4, &r);
    NEW_MATRIX_RANDOM(V, n, 2, &r);
    NEW_MASK_FILLED(blocked, n, n, false);
    for (int i = 0; i < n; i++)
        memset(blocked[i] + i + 1, true, (size_t)(n - i - 1));
    NEW_MATRIX(weights, n, n);
    NEW_MATRIX(out, n, 2);
    masked_attention(n, n, 4, 2, Q, K, V, blocked, weights, out);
    for (int i = 0; i < n; i++) {
        NEW_MATRIX(expected_weights, 1, i + 1);
        NEW_MATRIX(expected, 1, 2);
        scaled_dot_product_attention(1, i + 1, 4, 2, Q + i, K, V, expected_weights, expected);
        MISTAKE_IF(true,
                   "Under the causal mask word %d sees itself and what came before: lesson "
                   "03's attention over the first %d keys alone.",
                   i, i + 1);
        EXPECT_ROW(i, i + 1, expected_weights[0], weights, LAST_BIT);
        EXPECT_ROW(i, 2, expected[0], out, LAST_BIT);
    }
}

/* Keys 3 and 4, which the mask blocks for everybody, and their values: signs in turn, so that a
   score can become INFINITY - INFINITY as well. */
static void overwrite_padding(double amount, double K[5][4], double V[5][2]) {
    for (int j = 3; j < 5; j++) {
        for (int c = 0; c < 4; c++)
            K[j][c] = (j + c) % 2 == 0 ? amount : -amount;
        fill(2, j == 3 ? amount : -amount, V[j]);
    }
}

static void a_blocked_key_and_its_value_change_no_bit(void) {
    struct random r = random_seed(507);
    RANDOM_ATTENTION((&(struct sizes){3, 5, 4, 2}), &r);
    for (int i = 0; i < n_q; i++)
        blocked[i][3] = blocked[i][4] = true;
    NEW_MATRIX(expected_weights, n_q, n_k);
    NEW_MATRIX(expected, n_q, d_v);
    masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, expected_weights, expected);
    EXPECT_THAT(same_numbers(n_q * n_k, expected_weights, expected_weights),
                "weights: some are unset, or no numbers");
    EXPECT_THAT(same_numbers(n_q * d_v, expected, expected), "out: some are unset, or no numbers");
    FOR_ALL(k, amounts) {
        overwrite_padding(amounts[k], K, V);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, out);
        mistake_if_blocked_leaks(n_q * n_k, (bool *)blocked, (double *)weights);
        EXPECT_MATRIX(n_q, n_k, expected_weights, weights, EXACTLY);
        MISTAKE_IF(true, "A blocked value changed the output, with weights that are right. Blend "
                         "after the mask has been applied.");
        EXPECT_MATRIX(n_q, d_v, expected, out, EXACTLY);
    }
}

static void another_word_later_on_changes_nothing_before_it(void) {
    struct random r = random_seed(508);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MASK_OF(blocked, 5, 5, {0, 1, 1, 1, 1}, {0, 0, 1, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 0, 1},
                {0, 0, 0, 0, 0});
    for (int later = 1; later < 5; later++) {
        NEW_MATRIX(weights, 5, 5);
        NEW_MATRIX(before, 5, 3);
        NEW_MATRIX(out, 5, 3);
        masked_attention(5, 5, 3, 3, X, X, X, blocked, weights, before);
        EXPECT_THAT(same_numbers(15, before, before), "out: some are unset, or no numbers");
        for (int c = 0; c < 3; c++)
            X[later][c] = 1.0 - 1.5 * X[later][c];
        masked_attention(5, 5, 3, 3, X, X, X, blocked, weights, out);
        MISTAKE_IF(true, "Word %d became another one, and an earlier word noticed.", later);
        EXPECT_MATRIX(later, 3, before, out, EXACTLY);
        EXPECT_THAT(fabs(out[later][0] - before[later][0]) > 1e-6,
                    "word %d became another one, and its own output did not change: a word may "
                    "look at itself",
                    later);
    }
}

static void a_query_that_may_look_at_nothing_fetches_nothing(void) {
    struct random r = random_seed(509);
    NEW_MATRIX_RANDOM(Q, 2, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX_RANDOM(V, 5, 2, &r);
    NEW_MASK_OF(blocked, 2, 5, {0, 1, 0, 0, 1}, {1, 1, 1, 1, 1});
    FOR_ALL(k, amounts) {
        NEW_MATRIX(weights, 2, 5);
        NEW_MATRIX(out, 2, 2);
        Q[1][0] = V[1][0] = V[4][1] = amounts[k];
        masked_attention(2, 5, 4, 2, Q, K, V, blocked, weights, out);
        NEW_VECTOR_FILLED(zeros, 5, 0.0);
        /* The first amount is small: what fails only later is not a matter of the empty row. */
        MISTAKE_IF(k > 0 && any_nan(5, weights[1]), NAN_FROM_WHAT_IS_BLOCKED);
        mistake_if_nobody_still_speaks(5, weights[1]);
        EXPECT_VECTOR(5, zeros, weights[1], EXACTLY);
        MISTAKE_IF(any_nan(2, out[1]), "NaN, out of weights that are all 0. Did you divide by "
                                       "their sum once more?");
        MISTAKE_IF(true, "Every weight of this row is 0, and so is what it fetches.");
        EXPECT_VECTOR(2, zeros, out[1], EXACTLY);
    }
}

static void padding_at_the_end_changes_no_answer(void) {
    struct random r = random_seed(510);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 8, 4, &r);
    NEW_MATRIX_RANDOM(V, 8, 2, &r);
    NEW_MATRIX(expected_weights, 3, 5);
    NEW_MATRIX(expected, 3, 2);
    scaled_dot_product_attention(3, 5, 4, 2, Q, K, V, expected_weights, expected);
    for (int n_k = 5; n_k <= 8; n_k++) {
        NEW_MASK_FILLED(blocked, 3, n_k, false);
        for (int i = 0; i < 3; i++)
            memset(blocked[i] + 5, true, (size_t)(n_k - 5));
        NEW_MATRIX(weights, 3, n_k);
        NEW_MATRIX(out, 3, 2);
        masked_attention(3, n_k, 4, 2, Q, K, V, blocked, weights, out);
        MISTAKE_IF(true, "Five words, padded to %d: the answers are those to five words.", n_k);
        EXPECT_MATRIX(3, 2, expected, out, LAST_BIT);
    }
}

static void an_allowed_key_with_a_very_low_score_beats_a_blocked_one(void) {
    NEW_MATRIX_OF(Q, 1, 1, {1e6});
    NEW_MATRIX_OF(K, 3, 1, {-1e6}, {1}, {-1e6});
    NEW_MATRIX_OF(V, 3, 2, {1, 10}, {100, 100}, {3, 30});
    NEW_MASK_OF(blocked, 1, 3, {0, 1, 0});
    NEW_MATRIX(weights, 1, 3);
    NEW_MATRIX(out, 1, 2);
    masked_attention(1, 3, 1, 2, Q, K, V, blocked, weights, out);
    const double expected_weights[1][3] = {{0.5, 0, 0.5}};
    const double expected[1][2] = {{2, 20}};
    MISTAKE_IF(weights[0][0] == 1.0 && weights[0][2] == 0.0, LEFT_AT_THE_FIRST);
    MISTAKE_IF(true, LOW_IS_NOT_BLOCKED);
    EXPECT_MATRIX(1, 3, expected_weights, weights, LAST_BIT);
    EXPECT_MATRIX(1, 2, expected, out, LAST_BIT);
}

static void random_masked_attention_agrees_with_the_obvious_way(void) {
    struct random r = random_seed(511);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        NEW_MATRIX(expected_weights, n_q, n_k);
        NEW_MATRIX(expected, n_q, d_v);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        obvious_weights(*z, Q, K, blocked, expected_weights);
        product(n_q, n_k, d_v, expected_weights, V, expected);
        masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, out);
        EXPECT_OBVIOUS(z, n_q, n_k, expected_weights, weights, ROUNDING);
        EXPECT_OBVIOUS(z, n_q, d_v, expected, out, ROUNDING);
    }
}

static void a_long_text_needs_no_scores_of_its_own(void) {
    NEW_MATRIX_OF(Q, long_n_q, 1, {1}, {-2}, {0.5});
    NEW_MATRIX_FILLED(K, long_n_k, 1, 3.0);
    NEW_MATRIX_FILLED(V, long_n_k, 1, 4.0);
    NEW_MASK(blocked, long_n_q, long_n_k);
    long_mask(blocked);
    NEW_MATRIX(expected_weights, long_n_q, long_n_k);
    long_weights(expected_weights);
    NEW_MATRIX(weights, long_n_q, long_n_k);
    NEW_MATRIX(out, long_n_q, 1);
    masked_attention(long_n_q, long_n_k, 1, 1, Q, K, V, blocked, weights, out);
    NEW_MATRIX_FILLED(expected, long_n_q, 1, 4.0);
    EXPECT_MATRIX(long_n_q, long_n_k, expected_weights, weights, LAST_BIT);
    EXPECT_MATRIX(long_n_q, 1, expected, out, ROUNDING);
}

/* masked_attention_backward */

/* Everything that the way back is given, and d_Q, d_K, d_V that hold `held` everywhere. */
#define GRADIENTS(held_Q, held_K, held_V)                                                          \
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, held_Q);                                                      \
    NEW_MATRIX_FILLED(d_K, n_k, d_k, held_K);                                                      \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, held_V)
#define WAY_BACK                                                                                   \
    masked_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, d_out, d_Q, d_K, d_V)

/* The worked example all the way back, from d_out = {1, 0}, {0, 1}, {1, 1}. */
#define WORKED_WAY_BACK                                                                            \
    enum { n_q = 3, n_k = 3, d_k = 3, d_v = 2 };                                                   \
    THREE_WORDS;                                                                                   \
    WORKED_K;                                                                                      \
    WORKED_V;                                                                                      \
    WORKED_CAUSAL;                                                                                 \
    NEW_MATRIX(weights, 3, 3);                                                                     \
    obvious_weights((struct sizes){3, 3, 3, 2}, Q, K, blocked, weights);                           \
    NEW_MATRIX_OF(d_out, 3, 2, {1, 0}, {0, 1}, {1, 1});                                            \
    GRADIENTS(0.0, 0.0, 0.0);                                                                      \
    WAY_BACK

#define WIPED_OUT                                                                                  \
    "A row of %s is 0 that must not be. Did you set it to 0 for a pair that is blocked? Other "    \
    "pairs and paths have left their gradient there: a blocked pair adds nothing, and changes "    \
    "nothing."

static void the_queries_that_look_back_have_this_gradient(void) {
    WORKED_WAY_BACK;
    const double expected[3][3] = {{0, 0, 0}, {0.2887, 0, -0.2887}, {-0.0808, 0.2246, -0.1439}};
    const double last[3][3] = {{0, 0, 0}, {0, -0.2887, -0.2887}, {-0.2246, 0, -0.2246}};
    const double zeros[3][3] = {{0}};
    const double transposed[3][3] = {{0, 0, 0}, {0, 0, 0}, {0.1123, 0, 0.1123}};
    const double unscaled[3][3] = {{0, 0, 0}, {0.5, 0, -0.5}, {-0.1399, 0.3890, -0.2492}};
    const double by_d_k[3][3] = {{0, 0, 0}, {0.1667, 0, -0.1667}, {-0.0466, 0.1297, -0.0831}};
    const double multiplied[3][3] = {{0, 0, 0}, {0.8660, 0, -0.8660}, {-0.2423, 0.6738, -0.4316}};
    const double by_d_v[3][3] = {{0, 0, 0}, {0.3536, 0, -0.3536}, {-0.0989, 0.2751, -0.1762}};
    const double wiped[3][3] = {{0}, {0}, {-0.0808, 0.2246, -0.1439}};
    const double no_shared[3][3] = {
        {0.5774, 0.5774, 0}, {0.5774, 0.5774, 0}, {0.9686, 1.2740, 0.6107}};
    mistake_if_never_set(9, d_Q);
    MISTAKE_MATRIX(3, 3, zeros,
                   "Nothing was added into d_Q. true means blocked: did you leave out the pairs "
                   "that may look at each other, and keep the others? Or did you leave with "
                   "return where only one pair was to be left out?");
    MISTAKE_MATRIX(3, 3, transposed,
                   "You read the mask with its indices swapped. blocked[i][j] says whether query i "
                   "may look at key j.");
    MISTAKE_MATRIX(3, 3, unscaled,
                   "The scale is missing on the way back. Whatever the scores were multiplied by, "
                   "their gradients are, too.");
    MISTAKE_MATRIX(3, 3, by_d_k,
                   "You divided by d_k on the way back. The scale is 1 / sqrt(d_k), "
                   "the same as on the way forward.");
    MISTAKE_MATRIX(3, 3, multiplied,
                   "You divided by the scale on the way back. Forward or back, it is a factor.");
    MISTAKE_MATRIX(3, 3, by_d_v, SCALED_BY, 2, "d_v");
    MISTAKE_MATRIX(3, 3, wiped, WIPED_OUT, "d_Q");
    MISTAKE_MATRIX(3, 3, no_shared,
                   "The shared sum is missing, or made of the blocked keys in place of the "
                   "others. Raising one score lowers the other weights: take the row's sum of "
                   "weights * d_weights away.");
    mistakes_in_the_softmax(1 / sqrt(3), (struct sizes){3, 3, 3, 2}, K, V, weights, d_out);
    MISTAKE_IF(d_V[0][1] == 0.0,
               "Words 1 and 2 gave nothing back to the value of word 0, which they look at. "
               "blocked[i][j] says whether query i may look at key j: are its indices swapped?");
    MISTAKE_MATRIX(3, 3, last,
                   "Only the last key's share is left in d_Q. Every key adds its share with +=.");
    EXPECT_MATRIX(3, 3, expected, d_Q, FOUR_DECIMALS);
}

static void the_keys_of_the_past_have_this_gradient(void) {
    WORKED_WAY_BACK;
    const double expected[3][3] = {
        {0.1439, 0.4325, 0}, {0.0808, -0.2079, 0}, {-0.2246, -0.2246, 0}};
    const double last[3][3] = {{0.1439, 0.1439, 0}, {0.0808, 0.0808, 0}, {-0.2246, -0.2246, 0}};
    const double zeros[3][3] = {{0}};
    const double unscaled[3][3] = {
        {0.2492, 0.7492, 0}, {0.1399, -0.3601, 0}, {-0.3890, -0.3890, 0}};
    NEW_MATRIX(slow_d_weights, 3, 3);
    NEW_MATRIX(slow_d_scores, 3, 3);
    product_by_rows(3, 2, 3, d_out, V, slow_d_weights);
    obvious_d_scores(3, 3, weights, slow_d_weights, slow_d_scores);
    for (int k = 0; k < 3; k++) { /* Q[j], then d_K[i], then both */
        NEW_MATRIX_FILLED(mixed_up, 3, 3, 0.0);
        for (int p = 0; p < 27; p++) {
            int i = p / 9, j = p / 3 % 3, c = p % 3;
            mixed_up[k == 0 ? j : i][c] += slow_d_scores[i][j] / sqrt(3) * Q[k == 1 ? i : j][c];
        }
        MISTAKE_MATRIX(3, 3, mixed_up,
                       "Are i and j mixed up in d_K? Its rows belong to keys. What key j gets "
                       "comes from the queries that asked it, and those are rows of Q.");
    }
    MISTAKE_MATRIX(3, 3, zeros,
                   "Nothing was added into d_K. Every score has two parents: its "
                   "query and its key.");
    MISTAKE_MATRIX(3, 3, unscaled,
                   "You scaled d_Q and forgot d_K: the scale is in the scores, so in both.");
    MISTAKE_MATRIX(
        3, 3, last,
        "Only the last query's share is left in d_K. Every query adds its share with +=.");
    EXPECT_MATRIX(3, 3, expected, d_K, FOUR_DECIMALS);
}

static void the_values_of_the_past_have_this_gradient(void) {
    WORKED_WAY_BACK;
    const double expected[3][2] = {{1.4711, 0.9711}, {0.2645, 0.7645}, {0.2645, 0.2645}};
    const double last[3][2] = {{0.4711, 0.4711}, {0.2645, 0.2645}, {0.2645, 0.2645}};
    const double zeros[3][2] = {{0}};
    const double unweighted[3][2] = {{2, 2}, {1, 2}, {1, 1}};
    const double scaled[3][2] = {{0.8493, 0.5607}, {0.1527, 0.4414}, {0.1527, 0.1527}};
    const double swapped[4][3][2] = {
        {{1, 0}, {0.5, 0.5}, {0.7355, 0.5289}},       /* d_V[i] and d_out[j] */
        {{1, 0}, {0, 0.5}, {0.2645, 0.2645}},         /* weights[j][i] */
        {{1.9711, 0}, {0, 0.7645}, {0.2645, 0.2645}}, /* d_out[j] */
        {{1, 0}, {0, 1}, {1, 1}},                     /* d_V[i] */
    };
    FOR_ALL(k, swapped) {
        MISTAKE_MATRIX(3, 2, swapped[k],
                       "Are i and j mixed up in d_V? A row of V belongs to a key, a row of d_out "
                       "to a query; weights has a row for each query and a column for each key.");
    }
    MISTAKE_MATRIX(3, 2, zeros,
                   "Nothing was added into d_V. Keys and queries decide the weights, "
                   "but the output is made of values.");
    MISTAKE_MATRIX(3, 2, unweighted,
                   "You passed d_out to every value whole. A value that went in by a weight gets "
                   "the gradient by that weight.");
    MISTAKE_MATRIX(3, 2, scaled,
                   "You scaled d_V. The scale is in the scores; the values went in "
                   "by their weights alone.");
    MISTAKE_MATRIX(
        3, 2, last,
        "Only the last query's share is left in d_V. Every query adds its share with +=.");
    EXPECT_MATRIX(3, 2, expected, d_V, FOUR_DECIMALS);
}

/* Key 3 is seen by the queries 0 and 2 only. What nothing was added to keeps every bit. */
static void mistakes_under_this_mask(const double d_Q[3][2], const double d_K[4][2],
                                     const double d_V[4][1]) {
    const bool no_key_3 = d_K[3][0] == 20.0 || d_V[3][0] == 30.0;
    MISTAKE_IF(d_Q[1][0] == 0.0, WIPED_OUT, "d_Q");
    MISTAKE_IF(no_key_3 && d_Q[2][0] == 10.0,
               "Query 2 passed nothing back. Its first key is blocked, the others are not: did you "
               "leave the loop there? break ends the whole row, continue skips one key.");
    MISTAKE_IF(no_key_3, "Key 3 or its value gained nothing, and the queries 0 and 2 look at it. "
                         "Did you take the causal mask for granted? The mask is in blocked, "
                         "whatever it blocks.");
    MISTAKE_IF(true, "The mask is not causal here, and d_k is 2. Does the shared sum take in every "
                     "key that is not blocked, also behind one that is? Does the scale depend on "
                     "d_k alone?");
}

static void the_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(512);
    const struct sizes z = {3, 4, 2, 1};
    RANDOM_WAY_BACK(&z, &r);
    memcpy(blocked, (const bool[3][4]){{0, 0, 1, 0}, {1, 1, 1, 1}, {1, 0, 0, 0}},
           sizeof(bool[3][4]));
    obvious_weights(z, Q, K, blocked, weights);
    NEW_MATRIX(gained_d_Q, n_q, d_k);
    NEW_MATRIX(gained_d_K, n_k, d_k);
    NEW_MATRIX(gained_d_V, n_k, d_v);
    obvious_way_back(1 / sqrt(z.d_k), z, Q, K, V, weights, d_out, gained_d_Q, gained_d_K,
                     gained_d_V);
    GRADIENTS(10.0, 20.0, 30.0);
    WAY_BACK;
    NEW_MATRIX_FILLED(right_d_Q, n_q, d_k, 10.0);
    add_into(n_q * d_k, gained_d_Q, right_d_Q);
    if (!same_numbers(n_q * d_k, right_d_Q, d_Q) && !same_numbers(n_q * d_k, gained_d_Q, d_Q))
        mistakes_under_this_mask(d_Q, d_K, d_V);
    EXPECT_ADDED(n_q, d_k, 10.0, gained_d_Q, d_Q);
    MISTAKE_IF(d_K[0][0] == 0.0 && !same_numbers(n_k * d_k, gained_d_K, d_K), WIPED_OUT, "d_K");
    EXPECT_ADDED(n_k, d_k, 20.0, gained_d_K, d_K);
    MISTAKE_IF(d_V[0][0] == 0.0 && !same_numbers(n_k * d_v, gained_d_V, d_V), WIPED_OUT, "d_V");
    EXPECT_ADDED(n_k, d_v, 30.0, gained_d_V, d_V);
}

/* Each of the three, with what to say of it. */
#define EXPECT_GRADIENTS(tolerance, ...)                                                           \
    do {                                                                                           \
        MISTAKE_IF(any_nan(n_q *d_k, d_Q), OVERFLOWS);                                             \
        MISTAKE_IF(true, __VA_ARGS__);                                                             \
        EXPECT_MATRIX(n_q, d_k, expected_d_Q, d_Q, tolerance);                                     \
        MISTAKE_IF(any_nan(n_k *d_k, d_K), OVERFLOWS);                                             \
        MISTAKE_IF(true, __VA_ARGS__);                                                             \
        EXPECT_MATRIX(n_k, d_k, expected_d_K, d_K, tolerance);                                     \
        MISTAKE_IF(true, __VA_ARGS__);                                                             \
        EXPECT_MATRIX(n_k, d_v, expected_d_V, d_V, tolerance);                                     \
    } while (0)
#define OVERFLOWS                                                                                  \
    "NaN: what is blocked has weight 0, but 0 times INFINITY is NaN, and d_out times a large "     \
    "value overflows. Leave a blocked pair out of every sum; do not count on its weight."

/* An amount of 0 is the one to compare with. */
static void no_gradient_reaches_a_blocked_key_or_its_value(void) {
    struct random r = random_seed(513);
    RANDOM_WAY_BACK((&(struct sizes){3, 5, 4, 2}), &r);
    for (int i = 0; i < n_q; i++)
        blocked[i][3] = blocked[i][4] = true;
    fill(n_q * d_v, 3.0, d_out);
    overwrite_padding(0.0, K, V);
    obvious_weights((struct sizes){3, 5, 4, 2}, Q, K, blocked, weights);
    GRADIENTS(0.0, 0.0, 0.0);
    WAY_BACK;
    NEW_MATRIX_LIKE(expected_d_Q, n_q, d_k, d_Q);
    NEW_MATRIX_LIKE(expected_d_K, n_k, d_k, d_K);
    NEW_MATRIX_LIKE(expected_d_V, n_k, d_v, d_V);
    fill(2 * d_k, 0.0, expected_d_K[3]);
    fill(2 * d_v, 0.0, expected_d_V[3]);
    FOR_ALL(k, amounts) {
        overwrite_padding(amounts[k], K, V);
        fill(n_q * d_k, 0.0, d_Q);
        fill(n_k * d_k, 0.0, d_K);
        fill(n_k * d_v, 0.0, d_V);
        WAY_BACK;
        EXPECT_GRADIENTS(
            EXACTLY, "The keys 3 and 4 are blocked for everybody: neither they nor their values "
                     "get a gradient, and what they hold changes no bit of the others'.");
    }
}

static void a_fully_blocked_query_passes_no_gradient(void) {
    struct random r = random_seed(514);
    RANDOM_WAY_BACK((&(struct sizes){1, 4, 3, 2}), &r);
    memset(blocked, true, (size_t)n_k);
    fill(n_k, 0.0, weights);
    NEW_MATRIX_FILLED(expected_d_Q, n_q, d_k, 0.0);
    NEW_MATRIX_FILLED(expected_d_K, n_k, d_k, 0.0);
    NEW_MATRIX_FILLED(expected_d_V, n_k, d_v, 0.0);
    FOR_ALL(k, amounts) {
        fill(n_q * d_v, amounts[k], d_out);
        GRADIENTS(0.0, 0.0, 0.0);
        WAY_BACK;
        EXPECT_GRADIENTS(EXACTLY, "This query may look at nothing: its output is 0 whatever it "
                                  "asks, and whatever the keys and values are.");
    }
}

static void no_gradient_flows_back_from_the_past_to_what_came_later(void) {
    struct random r = random_seed(515);
    RANDOM_WAY_BACK((&(struct sizes){4, 4, 3, 2}), &r);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = j > i;
    obvious_weights((struct sizes){4, 4, 3, 2}, Q, K, blocked, weights);
    fill(2 * d_v, 0.0, d_out[2]);
    GRADIENTS(0.0, 0.0, 0.0);
    WAY_BACK;
    const double zeros[2][3] = {{0}};
    MISTAKE_IF(true, "Only the words 0 and 1 were asked for, and they cannot see the words 2 and "
                     "3: no gradient reaches those.");
    EXPECT_MATRIX(2, 3, zeros, d_K + 2, EXACTLY);
    EXPECT_MATRIX(2, 2, zeros, d_V + 2, EXACTLY);
    EXPECT_THAT(fabs(d_V[1][0]) > 1e-6, "d_V[1] gained nothing; word 1 looks at itself");
}

static void the_weights_are_used_as_the_forward_pass_left_them(void) {
    struct random r = random_seed(517);
    const struct sizes z = {2, 4, 3, 1};
    RANDOM_WAY_BACK(&z, &r);
    memcpy(blocked, (const bool[2][4]){{0, 0, 1, 0}, {1, 0, 0, 1}}, sizeof(bool[2][4]));
    NEW_MATRIX(anew_d_Q, n_q, d_k);
    NEW_MATRIX(expected_d_Q, n_q, d_k);
    NEW_MATRIX(expected_d_K, n_k, d_k);
    NEW_MATRIX(expected_d_V, n_k, d_v);
    obvious_weights(z, Q, K, blocked, weights);
    obvious_way_back(1 / sqrt(z.d_k), z, Q, K, V, weights, d_out, anew_d_Q, expected_d_K,
                     expected_d_V);
    NEW_MATRIX_OF(given, 2, 4, {0.2, 0.5, 0, 0.3}, {0, 0.9, 0.1, 0});
    memcpy(weights, given, sizeof(double[2][4]));
    obvious_way_back(1 / sqrt(z.d_k), z, Q, K, V, weights, d_out, expected_d_Q, expected_d_K,
                     expected_d_V);
    GRADIENTS(0.0, 0.0, 0.0);
    WAY_BACK;
    MISTAKE_MATRIX(n_q, d_k, anew_d_Q,
                   "You worked the weights out anew from Q and K. Use the ones given: they are "
                   "what the output was really made with.");
    EXPECT_MATRIX(n_q, d_k, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(n_k, d_k, expected_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(n_k, d_v, expected_d_V, d_V, ROUNDING);
}

static void the_gradients_are_what_nudging_measures(void) {
    const struct sizes sizes[] = {{3, 5, 4, 2}, {4, 3, 2, 5}, {1, 4, 3, 2}, {5, 2, 1, 3}};
    struct random r = random_seed(518);
    FOR_ALL(k, sizes) {
        RANDOM_WAY_BACK(&sizes[k], &r);
        GRADIENTS(0.0, 0.0, 0.0);
        WAY_BACK;
        NEW_MATRIX(nudged_weights, n_q, n_k);
        NEW_MATRIX(nudged_out, n_q, d_v);
        struct call call = {sizes[k], Q, K, V, blocked, d_out, nudged_weights, nudged_out};
        EXPECT_NUDGED(sizes[k], loss_of_attention, &call, SLOPES);
    }
}

static void a_word_that_asks_answers_and_is_fetched_has_one_gradient(void) {
    enum { n = 5, d = 3 };
    struct random r = random_seed(519);
    NEW_MATRIX_RANDOM(X, n, d, &r);
    NEW_MATRIX_RANDOM(d_out, n, d, &r);
    NEW_MASK(blocked, n, n);
    random_mask(&r, n, n, blocked);
    NEW_MATRIX(weights, n, n);
    const struct sizes z = {n, n, d, d};
    obvious_weights(z, X, X, blocked, weights);
    NEW_MATRIX_FILLED(d_X, n, d, 0.0);
    masked_attention_backward(n, n, d, d, X, X, X, blocked, weights, d_out, d_X, d_X, d_X);
    NEW_MATRIX(nudged_weights, n, n);
    NEW_MATRIX(nudged_out, n, d);
    NEW_MATRIX(measured, n, d);
    struct call call = {z, X, X, X, blocked, d_out, nudged_weights, nudged_out};
    numeric_gradient(loss_of_attention, &call, n * d, (double *)X, (double *)measured);
    MISTAKE_IF(true, "d_Q, d_K and d_V are one matrix here, as in self-attention. What you read "
                     "back from one may have been changed through another: only ever add to them.");
    EXPECT_GRADIENT(n, d, measured, d_X, SLOPES);
}

static void random_ways_back_agree_with_the_obvious_one(void) {
    struct random r = random_seed(520);
    FOR_ALL_SIZES(z) {
        RANDOM_WAY_BACK(z, &r);
        NEW_MATRIX(expected_d_Q, n_q, d_k);
        NEW_MATRIX(expected_d_K, n_k, d_k);
        NEW_MATRIX(expected_d_V, n_k, d_v);
        obvious_way_back(1 / sqrt(z->d_k), *z, Q, K, V, weights, d_out, expected_d_Q, expected_d_K,
                         expected_d_V);
        NEW_MATRIX_RANDOM(d_Q, n_q, d_k, &r);
        NEW_MATRIX_RANDOM(d_K, n_k, d_k, &r);
        NEW_MATRIX_RANDOM(d_V, n_k, d_v, &r);
        add_into(n_q * d_k, d_Q, expected_d_Q);
        add_into(n_k * d_k, d_K, expected_d_K);
        add_into(n_k * d_v, d_V, expected_d_V);
        WAY_BACK;
        EXPECT_OBVIOUS(z, n_q, d_k, expected_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_k, expected_d_K, d_K, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, expected_d_V, d_V, ROUNDING);
    }
}

/* The allowed values are 1 and -1 in turn: their mean, and so the shared sum, is 0. */
static void a_long_text_needs_no_matrix_of_its_own(void) {
    enum { n_q = long_n_q, n_k = long_n_k, d_k = 1, d_v = 1 };
    NEW_MATRIX_OF(Q, n_q, 1, {1}, {2}, {-0.5});
    NEW_MATRIX(V, n_k, 1);
    NEW_MASK(blocked, n_q, n_k);
    long_mask(blocked);
    NEW_MATRIX(weights, n_q, n_k);
    long_weights(weights);
    NEW_MATRIX_OF(d_out, n_q, 1, {4}, {-1}, {2});
    GRADIENTS(0.0, 0.0, 0.0);
    NEW_MATRIX(expected_d_K, n_k, 1);
    NEW_MATRIX(expected_d_V, n_k, 1);
    for (int j = 0; j < n_k; j++) {
        V[j][0] = j % 3 == 0 ? 9.0 : j % 3 == 1 ? 1.0 : -1.0;
        expected_d_K[j][0] = weights[0][j] * V[j][0] * (4 * 1 - 1 * 2 + 2 * -0.5);
        expected_d_V[j][0] = weights[0][j] * (4 - 1 + 2);
    }
    double(*K)[1] = V;
    WAY_BACK;
    const double expected_d_Q[n_q][1] = {{4}, {-1}, {2}};
    EXPECT_MATRIX(n_q, 1, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(n_k, 1, expected_d_K, d_K, 1e-15);
    EXPECT_MATRIX(n_k, 1, expected_d_V, d_V, 1e-15);
}

/* dropout */

#define NO_PARENTHESES                                                                             \
    "You took the rate away from each number. Did you divide by 1 and take it away then? / binds " \
    "before -, unless you put parentheses around what belongs together."

#define THIS_TIME                                                                                  \
    "You divided by the share that was kept this time, 3 of 4. Divide by the share that is kept "  \
    "on the average, which the rate says."

static void one_number_of_the_worked_four_is_dropped(void) {
    NEW_VECTOR_OF(in, 4, 1, 2, 3, 4);
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    NEW_VECTOR_OF(rate, 1, 0.2);
    NEW_VECTOR(out, 4);
    dropout(4, *rate, uniform, in, out);
    NEW_VECTOR(again, 4);
    dropout(4, 0.2, uniform, in, again);
    const double expected[4] = {1.25, 0, 3.75, 5};
    const double edge[4] = {1.25, 0, 3.75, 0};
    const double bare[4] = {1, 0, 3, 4};
    const double by_rate[4] = {5, 0, 15, 20};
    const double times_kept[4] = {0.8, 0, 2.4, 3.2};
    const double times_rate[4] = {0.2, 0, 0.6, 0.8};
    const double grown[4] = {1.2, 0, 3.6, 4.8};
    const double wrong_way[4] = {0, 2.5, 0, 0};
    const double wrong_way_edge[4] = {0, 2.5, 0, 5};
    const double wrong_way_bare[4] = {0, 2, 0, 0};
    const double share_kept[4] = {0, 10, 0, 0};
    const double all_kept[4] = {1.25, 2.5, 3.75, 5};
    const double unchanged[4] = {1, 2, 3, 4};
    const double half[4] = {0, 0, 3.75, 0};
    const double no_parentheses[4] = {0.8, 0, 2.8, 3.8};
    const double of_uniform[4] = {0.625, 0, 1.125, 0.25};
    const double this_time[4] = {4 / 3.0, 0, 4, 16 / 3.0};
    MISTAKE_VECTOR(4, edge,
                   "uniform[3] is 0.2, exactly the rate, and is kept: dropped is what "
                   "lies below.");
    MISTAKE_VECTOR(4, bare,
                   "You dropped, and did not make up for it. Whoever stays works for those who "
                   "left: by how much, if one in five leaves?");
    MISTAKE_VECTOR(4, by_rate,
                   "You divided by the rate. That is the share that leaves; divide by the share "
                   "that stays.");
    MISTAKE_VECTOR(4, times_kept,
                   "You multiplied by the share that stays. That shrinks them further: divide.");
    MISTAKE_VECTOR(4, times_rate, "You multiplied by the rate. Whoever stays has to grow.");
    MISTAKE_VECTOR(4, grown,
                   "You multiplied by 1 + rate. If one in five leaves, the four others "
                   "must each do 5 / 4 of their work.");
    MISTAKE_VECTOR(4, wrong_way, "The wrong way round: you kept what lies below the rate.");
    MISTAKE_VECTOR(4, wrong_way_edge, "The wrong way round: you dropped what lies above the rate.");
    MISTAKE_VECTOR(4, wrong_way_bare,
                   "The wrong way round: you kept what lies below the rate, and "
                   "did not make up for the loss.");
    MISTAKE_VECTOR(4, share_kept,
                   "You took the rate for the share that stays. It is the share "
                   "that is dropped.");
    MISTAKE_VECTOR(4, all_kept, "Nothing was dropped. uniform[1] is 0.1, which is below the rate.");
    MISTAKE_VECTOR(4, unchanged, "This is in, unchanged. uniform says what to drop.");
    MISTAKE_VECTOR(4, half, "You dropped whatever lies below a half. The rate says how many.");
    MISTAKE_VECTOR(4, no_parentheses, NO_PARENTHESES);
    MISTAKE_VECTOR(4, this_time, THIS_TIME);
    MISTAKE_VECTOR(4, of_uniform,
                   "You passed on the random numbers, made larger. They only say who stays: it is "
                   "what stays of in that goes into out.");
    MISTAKE_IF(memcmp(out, again, 4 * sizeof *out) != 0,
               "The same call gave something else the second time: you drew your own random "
               "numbers. They are in uniform.");
    EXPECT_VECTOR(4, expected, out, ROUNDING);
}

static const double rates[] = {0, 0.125, 0.3, 0.5, 0.75, 0.9};

/* The same as a factor for each number, which the gradient has as well. */
static void obvious_dropout(int n, double rate, const double uniform[n], const double in[n],
                            double out[n]) {
    for (int i = 0; i < n; i++) {
        bool kept = uniform[i] > rate || uniform[i] == rate;
        out[i] = kept ? in[i] * (1.0 / (1.0 - rate)) : 0.0;
    }
}

static void a_number_drawn_exactly_at_the_rate_is_kept(void) {
    for (int k = 0; k < 12; k++) { /* first by a hair that can be seen when it is printed */
        NEW_VECTOR_OF(rate, 1, rates[k % 6]);
        const double hair = k < 6 ? 1e-6 : 0.0, low = nextafter(*rate - hair, -1.0);
        NEW_VECTOR_OF(in, 3, 1, -1, 1);
        NEW_VECTOR_OF(uniform, 3, *rate, nextafter(*rate + hair, 1.0), fmax(low, 0.0));
        NEW_VECTOR(expected, 3);
        obvious_dropout(3, *rate, uniform, in, expected);
        NEW_VECTOR(out, 3);
        dropout(3, *rate, uniform, in, out);
        mistake_if_a_float(3, expected, out);
        MISTAKE_IF(true, "The random numbers are the rate, a hair above it and a hair below it (0 "
                         "at a rate of 0): dropped is only what lies below. Compare them as they "
                         "are.");
        EXPECT_VECTOR(3, expected, out, ROUNDING);
        matrix_free_all(); /* this out is no input of the next */
    }
}

static void a_rate_of_zero_changes_no_bit(void) {
    NEW_VECTOR_OF(in, 5, 1.0 / 3, -1e300, 5e-324, 0.1, -7);
    NEW_VECTOR_OF(uniform, 5, 0, 0.5, 0.25, 0, 0.999);
    NEW_VECTOR(out, 5);
    dropout(5, 0.0, uniform, in, out);
    MISTAKE_IF(true, "A rate of 0 drops nothing, and there is nothing to make up for.");
    EXPECT_VECTOR(5, in, out, EXACTLY);
}

static void a_rate_of_one_drops_everything(void) {
    NEW_VECTOR_OF(in, 3, 1, -2, 3);
    NEW_VECTOR_OF(uniform, 3, 0, 0.5, 0.999);
    NEW_VECTOR(out, 3);
    dropout(3, 1.0, uniform, in, out);
    NEW_VECTOR_FILLED(expected, 3, 0.0);
    MISTAKE_IF(any_nan(3, out), "1 - rate is 0 here, and 0 / 0 is NaN. Set what is dropped to 0; "
                                "do not multiply it by 0.");
    EXPECT_VECTOR(3, expected, out, EXACTLY);
}

static void the_mean_over_many_draws_is_the_input(void) {
    enum { n = 100000 };
    struct random r = random_seed(521);
    NEW_VECTOR(uniform, n);
    random_fill_uniform(&r, n, uniform);
    NEW_VECTOR_FILLED(in, n, 1.0);
    NEW_VECTOR(out, n);
    for (int k = 1; k < 4; k++) {
        dropout(n, rates[k], uniform, in, out);
        double mean = sum_of_products(n, in, out) / n;
        MISTAKE_IF(true,
                   "The mean of all that is kept and dropped is that of in. Which factor "
                   "makes up for a loss of %g?",
                   rates[k]);
        EXPECT_NUMBER(1.0, mean, 0.01);
    }
}

static void the_result_may_replace_the_input(void) {
    NEW_VECTOR_OF(x, 4, 1, 2, 3, 4);
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    dropout(4, 0.2, uniform, x, x);
    const double expected[4] = {1.25, 0, 3.75, 5};
    MISTAKE_IF(true, "out is in here, the same numbers. Read each one before you write over it.");
    EXPECT_VECTOR(4, expected, x, ROUNDING);
}

static void random_numbers_are_dropped_at_any_rate(void) {
    struct random r = random_seed(522);
    FOR_ALL(k, rates) {
        const int n = 7 - k;
        NEW_VECTOR_RANDOM(in, n, &r);
        NEW_VECTOR(uniform, n);
        random_fill_uniform(&r, n, uniform);
        NEW_VECTOR_OF(rate, 1, rates[k]);
        NEW_VECTOR(expected, n);
        NEW_VECTOR(out, n);
        obvious_dropout(n, *rate, uniform, in, expected);
        dropout(n, *rate, uniform, in, out);
        mistake_if_a_float(n, expected, out);
        MISTAKE_IF(true,
                   "The worked example came out; this one, with n = %d and a rate of %g, did not.",
                   n, rates[k]);
        EXPECT_VECTOR(n, expected, out, ROUNDING);
    }
}

/* dropout_backward */

static void the_worked_four_have_this_gradient(void) {
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    NEW_VECTOR_OF(d_out, 4, 4, 3, 2, 1);
    NEW_VECTOR_OF(rate, 1, 0.2);
    NEW_VECTOR_FILLED(d_in, 4, 0.0);
    dropout_backward(4, *rate, uniform, d_out, d_in);
    NEW_VECTOR_FILLED(again, 4, 0.0);
    dropout_backward(4, 0.2, uniform, d_out, again);
    const double expected[4] = {5, 0, 2.5, 1.25};
    const double edge[4] = {5, 0, 2.5, 0};
    const double bare[4] = {4, 0, 2, 1};
    const double whole[4] = {4, 3, 2, 1};
    const double all[4] = {5, 3.75, 2.5, 1.25};
    const double times_kept[4] = {3.2, 0, 1.6, 0.8};
    const double by_rate[4] = {20, 0, 10, 5};
    const double wrong_way[4] = {0, 3.75, 0, 0};
    const double wrong_way_edge[4] = {0, 3.75, 0, 1.25};
    const double twice[4] = {6.25, 0, 3.125, 1.5625};
    const double this_time[4] = {16 / 3.0, 0, 8 / 3.0, 4 / 3.0};
    const double no_parentheses[4] = {3.8, 0, 1.8, 0.8};
    const double zeros[4] = {0};
    MISTAKE_VECTOR(4, edge,
                   "uniform[3] is 0.2, exactly the rate: the forward pass kept it, so its "
                   "gradient comes back.");
    MISTAKE_VECTOR(4, bare,
                   "The factor is missing. What was kept counted for more on the way "
                   "forward, and so does its gradient.");
    MISTAKE_VECTOR(4, whole,
                   "You passed d_out on whole. What was dropped had no say in the "
                   "output: its gradient is 0.");
    MISTAKE_VECTOR(4, all,
                   "What was dropped got a gradient. It had no say in the output: ask "
                   "uniform again.");
    MISTAKE_VECTOR(4, times_kept,
                   "You multiplied by the share that stays. The way back has the factor of the way "
                   "forward, not its inverse.");
    MISTAKE_VECTOR(4, by_rate, "You divided by the rate. Divide by the share that stays.");
    MISTAKE_VECTOR(4, wrong_way,
                   "The wrong way round: what was dropped got a gradient, what was "
                   "kept got none.");
    MISTAKE_VECTOR(4, wrong_way_edge,
                   "The wrong way round: what was dropped got a gradient, what "
                   "was kept got none.");
    MISTAKE_VECTOR(4, twice,
                   "The factor is in there twice. The way back has it once, as the way "
                   "forward.");
    MISTAKE_VECTOR(4, no_parentheses, NO_PARENTHESES);
    MISTAKE_VECTOR(4, this_time, THIS_TIME);
    MISTAKE_VECTOR(4, zeros, "Nothing was added into d_in.");
    MISTAKE_IF(memcmp(d_in, again, 4 * sizeof *d_in) != 0,
               "The same call gave something else the second time: you dropped anew. The gradient "
               "goes where the forward pass kept: the same uniform, the same choice.");
    EXPECT_VECTOR(4, expected, d_in, ROUNDING);
}

struct drop {
    const double *uniform, *upstream;
    double *in, *out;
};

static double loss_of_dropout(void *context) {
    struct drop *c = context;
    dropout(7, 0.3, c->uniform, c->in, c->out);
    return sum_of_products(7, c->out, c->upstream);
}

static void the_gradient_of_dropout_is_what_nudging_measures(void) {
    struct random r = random_seed(524);
    NEW_VECTOR_RANDOM(in, 7, &r);
    NEW_VECTOR_RANDOM(d_out, 7, &r);
    NEW_VECTOR_OF(uniform, 7, 0.1, 0.7, 0.3, 0.2, 0.9, 0.29, 0.5);
    NEW_VECTOR_FILLED(d_in, 7, 0.0);
    NEW_VECTOR(nudged_out, 7);
    NEW_VECTOR(measured, 7);
    struct drop drop = {uniform, d_out, in, nudged_out};
    numeric_gradient(loss_of_dropout, &drop, 7, in, measured);
    dropout_backward(7, 0.3, uniform, d_out, d_in);
    EXPECT_GRADIENT(0, 7, measured, d_in, SLOPES);
}

static void a_rate_of_one_passes_no_gradient(void) {
    NEW_VECTOR_OF(uniform, 3, 0, 0.5, 0.999);
    NEW_VECTOR_OF(d_out, 3, 1, -2, 3);
    NEW_VECTOR_FILLED(d_in, 3, 0.0);
    NEW_VECTOR_FILLED(expected, 3, 0.0);
    dropout_backward(3, 1.0, uniform, d_out, d_in);
    MISTAKE_IF(any_nan(3, d_in), "1 - rate is 0 here, and 0 / 0 is NaN. Where a number was "
                                 "dropped there is nothing to add.");
    EXPECT_VECTOR(3, expected, d_in, EXACTLY);
}

static void random_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(525);
    FOR_ALL(k, rates) {
        NEW_VECTOR_RANDOM(d_out, 9, &r);
        NEW_VECTOR(uniform, 9);
        random_fill_uniform(&r, 9, uniform);
        uniform[0] = rates[k];
        d_out[0] = 1.0;
        NEW_VECTOR_FILLED(d_in, 9, 10.0);
        NEW_VECTOR(gained, 9);
        obvious_dropout(9, rates[k], uniform, d_out, gained);
        dropout_backward(9, rates[k], uniform, d_out, d_in);
        bool cleared = false;
        for (int i = 0; i < 9; i++)
            cleared = cleared || (d_in[i] == 0.0 && d_in[0] > 10.0);
        MISTAKE_IF(cleared,
                   "d_in held 10 everywhere, and you set it to 0 where a number was dropped. "
                   "Other paths may have left their gradient there: add, if only 0.");
        EXPECT_ADDED(0, 9, 10.0, gained, d_in);
    }
}

static const struct lesson_test tests[] = {
    TEST(causal_mask, three_words_may_look_back_and_at_themselves),
    TEST(causal_mask, each_word_sees_one_word_more_than_the_one_before),

    TEST(padding_mask, two_words_are_seen_and_the_third_is_padding),
    TEST(padding_mask, padding_is_counted_in_keys_and_not_in_queries),

    TEST(block_either, a_causal_text_with_padding_blocks_what_either_blocks),
    TEST(block_either, the_result_may_replace_either_mask),
    TEST(block_either, masks_of_any_size_are_joined_cell_by_cell),

    TEST(masked_softmax_rows, the_worked_row_comes_out_to_four_decimals),
    TEST(masked_softmax_rows, every_row_follows_its_own_row_of_the_mask),
    TEST(masked_softmax_rows, a_mask_that_blocks_nothing_leaves_a_plain_softmax),
    TEST(masked_softmax_rows, a_fully_blocked_row_is_all_zeros),
    TEST(masked_softmax_rows, what_stands_at_a_blocked_place_changes_no_bit),
    TEST(masked_softmax_rows, however_low_the_allowed_scores_are_they_share_the_row),
    TEST(masked_softmax_rows, allowed_scores_that_can_never_win_give_zeros),
    TEST(masked_softmax_rows, a_broken_score_that_is_allowed_stays_visible),
    TEST(masked_softmax_rows, the_weights_may_replace_the_scores),
    TEST(masked_softmax_rows, random_rows_agree_with_the_obvious_way),
    TEST(masked_softmax_rows, long_rows_need_no_matrix_of_their_own),

    TEST(masked_attention, three_words_that_look_back_have_these_weights),
    TEST(masked_attention, three_words_that_look_back_fetch_this),
    TEST(masked_attention, three_words_of_which_one_is_padding_share_the_other_two),
    TEST(masked_attention, a_mask_that_blocks_nothing_gives_scaled_attention),
    TEST(masked_attention, each_word_attends_as_if_the_text_ended_with_it),
    TEST(masked_attention, a_query_that_may_look_at_nothing_fetches_nothing),
    TEST(masked_attention, a_blocked_key_and_its_value_change_no_bit),
    TEST(masked_attention, another_word_later_on_changes_nothing_before_it),
    TEST(masked_attention, padding_at_the_end_changes_no_answer),
    TEST(masked_attention, an_allowed_key_with_a_very_low_score_beats_a_blocked_one),
    TEST(masked_attention, random_masked_attention_agrees_with_the_obvious_way),
    TEST(masked_attention, a_long_text_needs_no_scores_of_its_own),

    TEST(masked_attention_backward, the_queries_that_look_back_have_this_gradient),
    TEST(masked_attention_backward, the_keys_of_the_past_have_this_gradient),
    TEST(masked_attention_backward, the_values_of_the_past_have_this_gradient),
    TEST(masked_attention_backward, the_gradients_are_added_to_what_is_there),
    TEST(masked_attention_backward, no_gradient_reaches_a_blocked_key_or_its_value),
    TEST(masked_attention_backward, a_fully_blocked_query_passes_no_gradient),
    TEST(masked_attention_backward, no_gradient_flows_back_from_the_past_to_what_came_later),
    TEST(masked_attention_backward, the_weights_are_used_as_the_forward_pass_left_them),
    TEST(masked_attention_backward, the_gradients_are_what_nudging_measures),
    TEST(masked_attention_backward, a_word_that_asks_answers_and_is_fetched_has_one_gradient),
    TEST(masked_attention_backward, random_ways_back_agree_with_the_obvious_one),
    TEST(masked_attention_backward, a_long_text_needs_no_matrix_of_its_own),

    TEST(dropout, one_number_of_the_worked_four_is_dropped),
    TEST(dropout, a_number_drawn_exactly_at_the_rate_is_kept),
    TEST(dropout, a_rate_of_zero_changes_no_bit),
    TEST(dropout, a_rate_of_one_drops_everything),
    TEST(dropout, the_mean_over_many_draws_is_the_input),
    TEST(dropout, the_result_may_replace_the_input),
    TEST(dropout, random_numbers_are_dropped_at_any_rate),

    TEST(dropout_backward, the_worked_four_have_this_gradient),
    TEST(dropout_backward, the_gradient_of_dropout_is_what_nudging_measures),
    TEST(dropout_backward, a_rate_of_one_passes_no_gradient),
    TEST(dropout_backward, random_gradients_are_added_to_what_is_there),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
