/* Lesson 02: what dot_product.h promises. */
#include "dot_product.h"

#define NAME_OF_D_K "d"
#include "../attention.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"

#include <math.h>
#include <stdbool.h>

#define COUNT(array)  ((int)(sizeof(array) / sizeof(array)[0]))
#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-9
#define SLOPES        1e-6 /* how well central differences can agree */

#define WORKED_PAIRS                                                                               \
    WORKED_Q;                                                                                      \
    WORKED_K
#define WORKED_EXAMPLE                                                                             \
    WORKED_PAIRS;                                                                                  \
    WORKED_V

/* EXPECT_NUMBER, and the inputs are shown: what was made before the result. */
#define EXPECT_RESULT(expected, result, tolerance)                                                 \
    expect_numbers(__LINE__, #result, 0, 0, (const double[]){expected},                            \
                   vector_copy("result", 1, (const double[]){result}), tolerance)

/* A call of this lesson, for numeric_gradient(): the loss is the output times `upstream`. */
struct call {
    struct sizes z;
    void *Q, *K, *V, *scores, *weights, *out;
    const void *upstream;
};

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

static double loss_of_soft_attention(void *context) {
    struct call *c = context;
    dot_product_attention(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V, c->weights,
                          c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

static double loss_of_hard_attention(void *context) {
    struct call *c = context;
    hard_attention(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V, c->weights, c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

/* The slow, obvious way to everything. */

static void obvious_weights(int n_q, int n_k, int d, const double Q[n_q][d], const double K[n_k][d],
                            double weights[n_q][n_k]) {
    product_by_rows(n_q, d, n_k, Q, K, weights);
    softmax_rows(n_q, n_k, weights, weights);
}

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

/* Row j comes from row order[j]; every one of them moves. */
static const int order[5] = {2, 0, 4, 1, 3};

static void shuffle_rows_of_5(int cols, const double from[5][cols], double to[5][cols]) {
    for (int j = 0; j < 5; j++)
        for (int c = 0; c < cols; c++)
            to[j][c] = from[order[j]][c];
}

/* dot */

static void every_query_and_key_of_the_worked_example_agree_by_so_much(void) {
    WORKED_PAIRS;
    NEW_MATRIX(scores, 2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            scores[i][j] = dot(3, Q[i], K[j]);
    const double s = 1.0 / sqrt(3.0), t = sqrt(0.5), third = 1.0 / 3.0;
    const double expected[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double added[2][3] = {{4, 4, 4}, {3, 3, 3}};
    const double last_missing[2][3] = {{1, 0, 1}, {1, 1, 0}};
    const double first_missing[2][3] = {{0, 1, 1}, {1, 1, 0}};
    const double first_only[2][3] = {{1, 0, 1}, {0, 0, 0}};
    const double last_only[2][3] = {{0, 1, 1}, {0, 0, 0}};
    const double from_1[2][3] = {{2, 2, 3}, {2, 2, 1}};
    const double mean[2][3] = {{third, third, 2 * third}, {third, third, 0}};
    const double scaled[2][3] = {{s, s, 2 * s}, {s, s, 0}};
    const double cosines[2][3] = {{0.5, 0.5, 1}, {t, t, 0}};
    const double root[2][3] = {{1, 1, sqrt(2.0)}, {1, 1, 0}};
    const double minus[2][3] = {{-1, -1, -2}, {-1, -1, 0}};
    const double a_with_a[2][3] = {{2, 2, 2}, {1, 1, 1}};
    const double b_with_b[2][3] = {{2, 2, 2}, {2, 2, 2}};
    const double nothing[2][3] = {{0}};
    MISTAKE_MATRIX(2, 3, added,
                   "You added a[i] + b[i]. Agreement is a[i] * b[i]: where one of them is 0, "
                   "there is nothing to agree on.");
    MISTAKE_MATRIX(2, 3, last_missing,
                   "The last product is missing from your sum: the loop runs over all d numbers.");
    MISTAKE_MATRIX(2, 3, first_missing, "The first product is missing: the loop starts at 0.");
    MISTAKE_MATRIX(2, 3, first_only,
                   "Only the first product is in your sum. Does the loop run to its end? A return "
                   "inside it ends it.");
    MISTAKE_MATRIX(2, 3, last_only,
                   "Only the last product is in your sum. Start it at 0 once, before the loop, and "
                   "add every product to it with +=.");
    MISTAKE_MATRIX(2, 3, from_1, "Your sum is too large by 1: it has to start at 0.");
    MISTAKE_MATRIX(2, 3, mean,
                   "You divided by d: that is the mean of the products. A dot product is their "
                   "sum.");
    MISTAKE_MATRIX(2, 3, scaled,
                   "You divided by the square root of d. That comes in lesson 03; a dot product is "
                   "the plain sum.");
    MISTAKE_MATRIX(2, 3, cosines,
                   "You divided the lengths out. That is the cosine, the next exercise; a dot "
                   "product lets long vectors count for more.");
    MISTAKE_MATRIX(2, 3, root,
                   "You took a square root. A length has one; a dot product is the plain sum of "
                   "the products.");
    MISTAKE_MATRIX(2, 3, minus,
                   "Your sign is the wrong way round: products are added, not subtracted.");
    MISTAKE_MATRIX(2, 3, a_with_a,
                   "You multiplied a with itself. b does not get a say: a[i] * b[i].");
    MISTAKE_MATRIX(2, 3, b_with_b,
                   "You multiplied b with itself. a does not get a say: a[i] * b[i].");
    MISTAKE_MATRIX(2, 3, nothing, "Your sum stays 0. Is every product added to it with +=?");
    mistake_if_never_set(6, scores);
    EXPECT_MATRIX(2, 3, expected, scores, FOUR_DECIMALS);
}

static void numbers_of_opposite_sign_count_against_each_other(void) {
    NEW_VECTOR_OF(a, 3, 1, -2, 3);
    NEW_VECTOR_OF(b, 3, 4, 5, -1);
    MISTAKE_NUMBER(17.0, "You made each product positive. Two numbers of opposite sign disagree, "
                         "and that has to lower the score.");
    MISTAKE_NUMBER(9.0, "You made the sum positive. A score below 0 says that a and b point in "
                        "opposite directions: keep it.");
    MISTAKE_NUMBER(0.0, "You cut the score off at 0. A score below 0 says that a and b point in "
                        "opposite directions: keep it.");
    EXPECT_RESULT(-9.0, dot(3, a, b), ROUNDING);
}

static void long_vectors_score_more_than_short_ones(void) {
    NEW_VECTOR_OF(a, 2, 3, 4);
    MISTAKE_NUMBER(5.0, "That is the length of a: a dot product takes no square root.");
    EXPECT_RESULT(25.0, dot(2, a, a), ROUNDING);
}

static void random_vectors_agree_with_the_obvious_sum(void) {
    struct random r = random_seed(202);
    for (int d = 1; d <= 9; d++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(a, d, &r);
        NEW_VECTOR_RANDOM(b, d, &r);
        double expected = sum_of_products(d, a, b), result = dot(d, a, b);
        int whole = 0;
        for (int c = 0; c < d; c++)
            whole = (int)(whole + a[c] * b[c]);
        mistake_if_a_float(1, &expected, &result);
        MISTAKE_NUMBER(whole, "Is the sum a double? An int drops what is behind the point.");
        MISTAKE_IF(true,
                   "Here d is %d. Do all of the products get into the sum, and does it start "
                   "at exactly 0?",
                   d);
        EXPECT_RESULT(expected, dot(d, a, b), ROUNDING);
    }
}

/* cosine_similarity */

static void the_worked_queries_and_keys_have_these_cosines(void) {
    WORKED_PAIRS;
    NEW_MATRIX(cosine, 2, 3);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            cosine[i][j] = cosine_similarity(3, Q[i], K[j]);
    const double s = sqrt(0.5), third = 1.0 / 3.0;
    const double expected[2][3] = {{0.5, 0.5, 1.0}, {s, s, 0.0}};
    const double undivided[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double divided_by_0[2][3] = {{INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, NAN}};
    const double times_lengths[2][3] = {{2, 2, 4}, {2 * s, 2 * s, 0}};
    const double last = isnan(cosine[1][2]) ? NAN : 0.0; /* as 0 / 0 is, if nobody asks */
    const double b_for_a[2][3] = {{s, s, 1}, {s, s, last}};
    const double a_for_b[2][3] = {{s, s, 1}, {1, 1, last}};
    const double a_with_b[2][3] = {{1, 1, 1}, {1, 1, last}};
    NEW_VECTOR_OF(uneven, 2, 1, 2);
    bool by_sums = fabs(cosine_similarity(2, uneven, uneven) - 5 / 9.0) < FOUR_DECIMALS;
    const double by_squares[2][3] = {{0.25, 0.25, 0.5}, {0.5, 0.5, 0.0}};
    const double by_length_a[2][3] = {{s, s, 2 * s}, {1, 1, 0}};
    const double by_length_b[2][3] = {{s, s, 2 * s}, {s, s, 0}};
    const double by_sum[2][3] = {{s / 2, s / 2, s}, {1 / (1 + 2 * s), 1 / (1 + 2 * s), 0}};
    const double by_d[2][3] = {{third, third, 2 * third}, {third, third, 0}};
    const double brackets[2][3] = {{1, 1, 2}, {2 * s, 2 * s, 0}};
    const double distances[2][3] = {{0.5, 0.5, 0.0}, {1 - s, 1 - s, 1.0}};
    const double angles[2][3] = {{acos(0.5), acos(0.5), 0.0}, {acos(s), acos(s), acos(0.0)}};
    MISTAKE_MATRIX(2, 3, undivided,
                   "You did not divide by the lengths: this is the bare dot product. A cosine "
                   "knows directions only.");
    MISTAKE_MATRIX(2, 3, divided_by_0,
                   "You divided by 0. In a condition = assigns and == compares; or was nothing "
                   "added to the lengths?");
    MISTAKE_MATRIX(2, 3, times_lengths,
                   "You multiplied by the lengths, and they are to be divided out.");
    for (int k = 0; k < 3; k++)
        MISTAKE_MATRIX(2, 3,
                       k == 0   ? a_with_b
                       : k == 1 ? a_for_b
                                : b_for_a,
                       "You took a with b for a length. A length is one vector's own: the root of "
                       "its dot product with itself.");
    if (by_sums)
        MISTAKE_MATRIX(2, 3, by_squares,
                       "You divided by the plain sums of the numbers. A length has squares "
                       "in its sum, and is the root of it.");
    MISTAKE_MATRIX(2, 3, by_squares,
                   "You divided by the squared lengths. A length is the square root of the sum of "
                   "squares.");
    MISTAKE_MATRIX(2, 3, by_length_a,
                   "You divided by the length of a alone. Both stretch the product: by both.");
    MISTAKE_MATRIX(2, 3, by_length_b,
                   "You divided by the length of b alone. Both stretch the product: by both.");
    MISTAKE_MATRIX(2, 3, by_sum,
                   "You divided by the sum of the two lengths. Twice as long a makes twice the dot "
                   "product: which of sum and product doubles with it?");
    MISTAKE_MATRIX(2, 3, by_d,
                   "You divided by d, the number of numbers. Divide by how long a and b are.");
    MISTAKE_MATRIX(2, 3, brackets,
                   "You divided by one length and multiplied by the other: x / y * z is (x / y) * "
                   "z. Brackets around the product of the lengths help.");
    MISTAKE_MATRIX(2, 3, distances,
                   "That is 1 - cosine, the cosine distance. Similar vectors are near 1 here.");
    MISTAKE_MATRIX(2, 3, angles,
                   "That is the angle itself. Its cosine is what you had before acos().");
    mistake_if_never_set(6, cosine);
    EXPECT_MATRIX(2, 3, expected, cosine, FOUR_DECIMALS);
}

static void parallel_vectors_of_any_length_have_a_cosine_of_one(void) {
    const double factors[5] = {1e-9, 0.1, 1, 7, 1e6};
    for (int i = 0; i < 5; i++) {
        matrix_free_all();
        NEW_VECTOR_OF(a, 4, 1, -2, 3, 0.5);
        NEW_VECTOR(b, 4);
        for (int c = 0; c < 4; c++)
            b[c] = factors[i] * a[c];
        double cosine = cosine_similarity(4, a, b);
        MISTAKE_IF(i == 0 && cosine == 0.0,
                   "You took a short vector for a zero vector. Its length is small, but not 0, and "
                   "its direction is as good as any.");
        MISTAKE_IF(fabs(cosine - 1.0) < 1e-6,
                   "Off by only %.2g: a float somewhere, or something small added to the lengths? "
                   "Everything here is double, and a length of 0 is asked for exactly.",
                   fabs(cosine - 1.0));
        MISTAKE_IF(i == 0, "Did you add something small to the lengths, against 0 / 0? It drowns "
                           "short vectors: ask for a length of exactly 0 instead.");
        MISTAKE_IF(true, "b is a, only %g times as long. The length must not matter.", factors[i]);
        EXPECT_RESULT(1.0, cosine, ROUNDING);
    }
}

static void opposite_vectors_have_a_cosine_of_minus_one(void) {
    NEW_VECTOR_OF(a, 3, 1, -2, 3);
    NEW_VECTOR_OF(b, 3, -2, 4, -6);
    MISTAKE_NUMBER(1.0, "You lost the sign. Opposite directions are as unlike as can be: -1, "
                        "not 1.");
    MISTAKE_NUMBER(0.0, "You cut the cosine off at 0. Opposite directions are worse than unrelated "
                        "ones: -1.");
    EXPECT_RESULT(-1.0, cosine_similarity(3, a, b), ROUNDING);
}

static void a_zero_vector_has_a_cosine_of_zero_with_everything(void) {
    const double some[3] = {1, -2, 3}, zero[3] = {0};
    for (int i = 0; i < 3; i++) {
        NEW_VECTOR_LIKE(a, 3, i == 1 ? some : zero);
        NEW_VECTOR_LIKE(b, 3, i == 0 ? some : zero);
        double cosine = cosine_similarity(3, a, b);
        MISTAKE_IF(isnan(cosine),
                   "Your answer is NaN, as 0 / 0 is. A zero vector has no direction: look for a "
                   "length of 0 before you divide, in a and in b, and answer 0.");
        MISTAKE_IF(true, "A zero vector points nowhere, so it agrees with nobody: 0.");
        EXPECT_RESULT(0.0, cosine, 0.0);
    }
}

static void stretching_either_vector_changes_nothing(void) {
    struct random r = random_seed(203);
    NEW_VECTOR_RANDOM(a, 5, &r);
    NEW_VECTOR_RANDOM(b, 5, &r);
    double before = cosine_similarity(5, a, b);
    scale_into(5, 1000.0, a, a);
    MISTAKE_IF(true, "a grew 1000 times longer, and the cosine went along: only directions count.");
    EXPECT_RESULT(before, cosine_similarity(5, a, b), ROUNDING);
    scale_into(5, 0.001, b, b);
    MISTAKE_IF(true, "b shrank to a thousandth, and the cosine went along: only directions count.");
    EXPECT_RESULT(before, cosine_similarity(5, a, b), ROUNDING);
}

static void random_cosines_agree_with_the_obvious_formula(void) {
    struct random r = random_seed(204);
    for (int d = 1; d <= 9; d++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(a, d, &r);
        NEW_VECTOR_RANDOM(b, d, &r);
        double lengths = sqrt(sum_of_products(d, a, a)) * sqrt(sum_of_products(d, b, b));
        double cosine = cosine_similarity(d, a, b);
        MISTAKE_IF(!(fabs(cosine) <= 1.0 + 1e-9),
                   "A cosine lies between -1 and 1; yours is %g. Is each length the root of its "
                   "own vector's sum of squares?",
                   cosine);
        double expected = sum_of_products(d, a, b) / lengths;
        mistake_if_a_float(1, &expected, &cosine);
        EXPECT_RESULT(expected, cosine, ROUNDING);
    }
}

/* dot_scores */

static void the_worked_scores_come_out(void) {
    WORKED_PAIRS;
    NEW_MATRIX(scores, 2, 3);
    dot_scores(2, 3, 3, Q, K, scores);
    const double s = 1.0 / sqrt(3.0), third = 1.0 / 3.0;
    const double expected[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double untransposed[2][3] = {{2, 1, 1}, {0, 1, 1}};
    const double key_by_key[2][3] = {{2, 1, 1}, {1, 2, 1}};
    const double own_key[2][3] = {{1, 1, 1}, {1, 1, 1}};
    const double last_number[2][3] = {{0, 1, 1}, {0, 0, 0}};
    const double last_left_out[2][3] = {{1, 0, 1}, {1, 1, 0}};
    const double root_scaled[2][3] = {{s, s, 2 * s}, {s, s, 0}};
    const double scaled[2][3] = {{third, third, 2 * third}, {third, third, 0}};
    const double cosines[2][3] = {{0.5, 0.5, 1}, {sqrt(0.5), sqrt(0.5), 0}};
    NEW_MATRIX(weights, 2, 3);
    obvious_weights(2, 3, 3, Q, K, weights);
    MISTAKE_MATRIX(2, 3, untransposed,
                   "You met each query with the columns of K. A key is a row of K: scores[i][j] is "
                   "Q[i] dot K[j].");
    MISTAKE_MATRIX(2, 3, key_by_key,
                   "You scored keys against keys. Row i of scores belongs to query i: Q[i] dot "
                   "K[j].");
    MISTAKE_MATRIX(2, 3, own_key,
                   "Every cell of a row holds the score of one key. In scores[i][j], i is the "
                   "query and j the key.");
    MISTAKE_MATRIX(2, 3, last_left_out,
                   "The last number of each query and key is left out. They have d numbers, and d "
                   "is neither n_q nor n_k.");
    MISTAKE_MATRIX(2, 3, last_number,
                   "Only the last product of each dot product is left. Add all d of them up.");
    MISTAKE_MATRIX(2, 3, root_scaled,
                   "You divided by the square root of d. That comes in lesson 03; here the scores "
                   "stay as they are.");
    MISTAKE_MATRIX(2, 3, scaled,
                   "You divided by d. Here the scores stay as they are: nothing is scaled yet.");
    MISTAKE_MATRIX(2, 3, weights, "You took the softmax already. Scores are what goes into it.");
    MISTAKE_MATRIX(2, 3, cosines, "These are cosines. A score keeps the lengths: use dot().");
    mistake_if_never_set(6, scores);
    EXPECT_MATRIX(2, 3, expected, scores, FOUR_DECIMALS);
}

static void a_score_can_be_negative(void) {
    NEW_MATRIX_OF(Q, 1, 2, {1, -1});
    NEW_MATRIX_OF(K, 3, 2, {-2, 1}, {0, 0}, {0.5, -2});
    NEW_MATRIX(scores, 1, 3);
    dot_scores(1, 3, 2, Q, K, scores);
    const double expected[1][3] = {{-3, 0, 2.5}};
    const double positive[1][3] = {{3, 0, 2.5}};
    const double cut_off[1][3] = {{0, 0, 2.5}};
    MISTAKE_MATRIX(1, 3, positive, "You dropped the sign. A key that points away scores below 0.");
    MISTAKE_MATRIX(1, 3, cut_off,
                   "You cut the scores off at 0. A key that points away scores below 0.");
    EXPECT_MATRIX(1, 3, expected, scores, ROUNDING);
}

static void every_query_meets_every_key_in_all_d_numbers(void) {
    struct random r = random_seed(205);
    FOR_ALL_SIZES(z) {
        matrix_free_all(); /* or they would be shown as inputs of this case */
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k;
        NEW_MATRIX_RANDOM(Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(K, n_k, d, &r);
        NEW_MATRIX(scores, n_q, n_k);
        NEW_MATRIX(expected, n_q, n_k);
        dot_scores(n_q, n_k, d, Q, K, scores);
        product_by_rows(n_q, d, n_k, Q, K, expected);
        EXPECT_OBVIOUS(z, n_q, n_k, expected, scores, ROUNDING);
    }
}

/* blend */

static void the_worked_weights_blend_to_four_decimals(void) {
    WORKED_EXAMPLE;
    NEW_MATRIX(weights, 2, 3);
    NEW_MATRIX(out, 2, 2);
    obvious_weights(2, 3, 3, Q, K, weights);
    blend(2, 3, 2, weights, V, out);
    const double expected[2][2] = {{0.8478, 1.0}, {1.6893, 1.0}};
    NEW_MATRIX(again, 2, 3);
    NEW_MATRIX(softmaxed_out, 2, 2);
    softmax_rows(2, 3, weights, again);
    product(2, 3, 2, again, V, softmaxed_out);
    const double last_key[2][2] = {{0, 0.5761}, {0, 0.1554}};
    const double uniform[2][2] = {{1.3333, 1}, {1.3333, 1}};
    const double unweighted[2][2] = {{4, 3}, {4, 3}};
    const double divided[2][2] = {{0.2826, 0.3333}, {0.5631, 0.3333}};
    const double hard[2][2] = {{0, 1}, {1, 2}};
    const double first_row[2][2] = {{0.8478, 1}, {0.8478, 1}};
    const double own_value[2][2] = {{1, 2}, {3, 0}};
    const double last_left_out[2][2] = {{0.8478, 0.4239}, {1.6893, 0.8446}};
    MISTAKE_MATRIX(2, 2, softmaxed_out,
                   "You took a softmax of the weights. blend() takes them as they come.");
    MISTAKE_MATRIX(2, 2, last_left_out,
                   "The last key's share is missing from out. There are n_k keys to blend, and n_q "
                   "is another number.");
    MISTAKE_MATRIX(2, 2, last_key,
                   "Only the last key's share is left in out. Every key adds its share: use += "
                   "after setting out to 0.");
    MISTAKE_MATRIX(2, 2, uniform,
                   "You took the plain mean of the values. Each value counts by its weight.");
    MISTAKE_MATRIX(2, 2, unweighted,
                   "You added up the values whole. Multiply each by its weight first.");
    MISTAKE_MATRIX(2, 2, divided,
                   "You divided by the number of keys as well. The weights have shared out the "
                   "whole already.");
    MISTAKE_MATRIX(2, 2, hard,
                   "You took the value of the largest weight alone. A blend takes some of each.");
    MISTAKE_MATRIX(2, 2, first_row,
                   "Every row of out is blended with row 0 of weights. Query i has weights[i].");
    MISTAKE_MATRIX(2, 2, own_value,
                   "You weighted V[i], the row of the query. weights[i][j] belongs to V[j].");
    mistake_if_never_set(4, out);
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

static void the_soft_dictionary_answers_with_some_of_each_value(void) {
    NEW_MATRIX_OF(weights, 1, 4, {0.05, 0.55, 0.30, 0.10});
    NEW_MATRIX_OF(V, 4, 2, {10, 1}, {20, 0}, {30, 0}, {40, -1});
    NEW_MATRIX(out, 1, 2);
    blend(1, 4, 2, weights, V, out);
    const double expected[1][2] = {{24.5, -0.05}};
    const double hard[1][2] = {{20, 0}};
    const double mean[1][2] = {{25, 0}};
    mistake_if_a_float(2, expected, out);
    MISTAKE_MATRIX(1, 2, hard, "That is the hard dictionary: one value, the others lost.");
    MISTAKE_MATRIX(1, 2, mean, "That is the plain mean. Each value counts by its weight.");
    EXPECT_MATRIX(1, 2, expected, out, ROUNDING);
}

static void weights_are_taken_as_they_come(void) {
    NEW_MATRIX_OF(weights, 1, 3, {2, -1, 3});
    NEW_MATRIX_OF(V, 3, 2, {1, 10}, {2, 20}, {3, 30});
    NEW_MATRIX(out, 1, 2);
    blend(1, 3, 2, weights, V, out);
    const double expected[1][2] = {{9, 90}};
    const double divided[1][2] = {{2.25, 22.5}};
    const double positive[1][2] = {{13, 130}};
    NEW_MATRIX(softmaxed, 1, 3);
    NEW_MATRIX(softmaxed_out, 1, 2);
    softmax_rows(1, 3, weights, softmaxed);
    product(1, 3, 2, softmaxed, V, softmaxed_out);
    MISTAKE_MATRIX(1, 2, divided,
                   "You made the weights sum to 1. That was the softmax's work: blend() takes "
                   "them as they come.");
    MISTAKE_MATRIX(1, 2, positive,
                   "You made the weights positive: blend() takes them as they "
                   "come.");
    MISTAKE_MATRIX(1, 2, softmaxed_out,
                   "You took a softmax of the weights. blend() takes them as they come.");
    EXPECT_MATRIX(1, 2, expected, out, ROUNDING);
}

static void random_blends_agree_with_the_obvious_product(void) {
    struct random r = random_seed(209);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d_v = z->d_v;
        NEW_MATRIX_RANDOM(weights, n_q, n_k, &r);
        NEW_MATRIX_RANDOM(V, n_k, d_v, &r);
        NEW_MATRIX(out, n_q, d_v);
        NEW_MATRIX(expected, n_q, d_v);
        blend(n_q, n_k, d_v, weights, V, out);
        product(n_q, n_k, d_v, weights, V, expected);
        EXPECT_OBVIOUS(z, n_q, d_v, expected, out, ROUNDING);
    }
}

/* dot_product_attention */

#define WORKED_ATTENTION(function)                                                                 \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    NEW_MATRIX(out, 2, 2);                                                                         \
    function(2, 3, 3, 2, Q, K, V, weights, out)

static void the_worked_example_gives_these_weights(void) {
    WORKED_ATTENTION(dot_product_attention);
    const double expected[2][3] = {{0.2119, 0.2119, 0.5761}, {0.4223, 0.4223, 0.1554}};
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double untransposed[2][3] = {{0.5761, 0.2119, 0.2119}, {0.1554, 0.4223, 0.4223}};
    const double over_queries[2][3] = {{0.5, 0.5, 0.8808}, {0.5, 0.5, 0.1192}};
    const double over_all[2][3] = {{0.1411, 0.1411, 0.3836}, {0.1411, 0.1411, 0.0519}};
    const double root_scaled[2][3] = {{0.2645, 0.2645, 0.4711}, {0.3904, 0.3904, 0.2192}};
    const double scaled[2][3] = {{0.2945, 0.2945, 0.4110}, {0.3681, 0.3681, 0.2638}};
    const double multiplied[2][3] = {{0.1307, 0.1307, 0.7386}, {0.4594, 0.4594, 0.0813}};
    const double twice[2][3] = {{0.2908, 0.2908, 0.4185}, {0.3616, 0.3616, 0.2769}};
    const double cosines[2][3] = {{0.2741, 0.2741, 0.4519}, {0.4011, 0.4011, 0.1978}};
    const double sum_shares[2][3] = {{0.25, 0.25, 0.5}, {0.5, 0.5, 0}};
    const double exponentials[2][3] = {{2.7183, 2.7183, 7.3891}, {2.7183, 2.7183, 1}};
    const double uniform[2][3] = {{0.3333, 0.3333, 0.3333}, {0.3333, 0.3333, 0.3333}};
    const double identity[2][3] = {{1, 0, 0}, {0, 1, 0}};
    const double hard[2][3] = {{0, 0, 1}, {1, 0, 0}};
    const double narrow[2][3] = {{0.4223, 0.1554, 0.4223}, {0.4223, 0.1554, 0.4223}};
    NEW_MATRIX_LIKE(swapped, 2, 3, scores);
    softmax_rows(3, 2, (void *)swapped, (void *)swapped);
    MISTAKE_MATRIX(2, 3, scores,
                   "These are the bare scores: the softmax is missing. It makes each query's row "
                   "positive and sum to 1.");
    MISTAKE_MATRIX(2, 3, over_queries,
                   "You took the softmax over the queries, down the columns. Each query hands out "
                   "one unit of attention: along its row.");
    MISTAKE_MATRIX(2, 3, over_all,
                   "You took one softmax over all cells, so the queries share one unit of "
                   "attention. Each query has its own: row by row.");
    MISTAKE_MATRIX(2, 3, untransposed,
                   "You met each query with the columns of K. A key is a row of K: dot_scores() "
                   "knows.");
    MISTAKE_MATRIX(2, 3, root_scaled,
                   "You divided the scores by the square root of d. That comes in lesson 03; here "
                   "nothing is scaled yet.");
    MISTAKE_MATRIX(2, 3, scaled,
                   "You divided the scores by d. Here nothing is scaled yet, and when it is, it "
                   "will not be by d.");
    MISTAKE_MATRIX(2, 3, multiplied,
                   "You multiplied the scores by the square root of d. Here nothing is scaled "
                   "yet.");
    MISTAKE_MATRIX(2, 3, swapped,
                   "You handed n_k and n_q to softmax_rows() the wrong way round: there are n_q "
                   "rows of n_k weights.");
    MISTAKE_MATRIX(2, 3, narrow,
                   "You handed d_v to dot_scores(). Queries and keys are d numbers wide, 3 here.");
    MISTAKE_MATRIX(2, 3, twice,
                   "You took the softmax twice. The second one flattens what the first has made.");
    MISTAKE_MATRIX(2, 3, cosines,
                   "You took cosines for scores. This lesson scores with the dot product, lengths "
                   "and all.");
    MISTAKE_MATRIX(2, 3, sum_shares,
                   "You divided the scores by their sum. Take the softmax: that keeps working "
                   "when scores are negative.");
    MISTAKE_MATRIX(2, 3, exponentials,
                   "You took exp() of the scores, and did not divide by the row's sum.");
    MISTAKE_MATRIX(2, 3, uniform,
                   "Every key has the same weight, as if all scores were equal. Do the scores get "
                   "into the softmax?");
    MISTAKE_MATRIX(2, 3, identity,
                   "Query i looks at key i and nowhere else. Weights come from the scores, not "
                   "from positions.");
    MISTAKE_MATRIX(2, 3, hard,
                   "You gave all the weight to the best key. That is hard attention, the next "
                   "exercise; here the softmax decides.");
    mistake_if_never_set(6, weights);
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 3, weights);
    EXPECT_MATRIX(2, 3, expected, weights, FOUR_DECIMALS);
}

static void the_worked_example_gives_this_output(void) {
    WORKED_ATTENTION(dot_product_attention);
    const double expected[2][2] = {{0.8478, 1.0}, {1.6893, 1.0}};
    const double keys[2][2] = {{0.7881, 0.4239}, {0.5777, 0.8446}};
    const double keys_as_values[2][2] = {{0.7881, 0.7881}, {0.5777, 0.5777}};
    const double scores[2][2] = {{4, 4}, {4, 2}};
    const double uniform[2][2] = {{1.3333, 1}, {1.3333, 1}};
    const double own_value[2][2] = {{1, 2}, {3, 0}};
    const double hard[2][2] = {{0, 1}, {1, 2}};
    const double first_row[2][2] = {{0.8478, 1}, {0.8478, 1}};
    for (int k = 0; k < 2; k++)
        MISTAKE_MATRIX(2, 2, k == 0 ? keys : keys_as_values,
                       "You blended the keys. They decide where to look; the find is in V.");
    MISTAKE_MATRIX(2, 2, scores,
                   "You blended with the scores. Blend with the weights, after the softmax.");
    MISTAKE_MATRIX(2, 2, uniform,
                   "out is the plain mean of the values. Blend with the weights you have made.");
    MISTAKE_MATRIX(2, 2, own_value,
                   "Query i got the value of key i. Blend all values with the weights you have "
                   "made.");
    MISTAKE_MATRIX(2, 2, hard,
                   "out holds the value of the best key alone. Blend all values with the weights "
                   "you have made.");
    MISTAKE_MATRIX(2, 2, first_row,
                   "Every row of out is blended with row 0 of weights. Query i has weights[i].");
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

static void attention_stays_within_the_values(void) {
    struct random r = random_seed(211);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX_RANDOM(V, 5, 2, &r);
    NEW_MATRIX(weights, 3, 5);
    NEW_MATRIX(out, 3, 2);
    dot_product_attention(3, 5, 4, 2, Q, K, V, weights, out);
    for (int c = 0; c < 2; c++) {
        double low = V[0][c], high = V[0][c];
        for (int j = 1; j < 5; j++) {
            low = fmin(low, V[j][c]);
            high = fmax(high, V[j][c]);
        }
        for (int i = 0; i < 3; i++)
            EXPECT_THAT(out[i][c] >= low && out[i][c] <= high,
                        "out[%d][%d] is %g, outside %g .. %g, where the values in column %d lie", i,
                        c, out[i][c], low, high, c);
    }
}

static void shuffling_keys_with_their_values_changes_no_output(void) {
    struct random r = random_seed(212);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX_RANDOM(V, 5, 2, &r);
    NEW_MATRIX(K_shuffled, 5, 4);
    NEW_MATRIX(V_shuffled, 5, 2);
    shuffle_rows_of_5(4, K, K_shuffled);
    shuffle_rows_of_5(2, V, V_shuffled);
    NEW_MATRIX(weights, 3, 5);
    NEW_MATRIX(before, 3, 2);
    NEW_MATRIX(after, 3, 2);
    dot_product_attention(3, 5, 4, 2, Q, K, V, weights, before);
    dot_product_attention(3, 5, 4, 2, Q, K_shuffled, V_shuffled, weights, after);
    mistake_if_a_float(6, before, after);
    MISTAKE_IF(true, "The same keys with the same values, listed in another order, gave another "
                     "answer. A dictionary does not care for the order of its entries.");
    EXPECT_MATRIX(3, 2, before, after, ROUNDING);
}

static void shuffling_the_queries_shuffles_the_outputs(void) {
    struct random r = random_seed(213);
    NEW_MATRIX_RANDOM(Q, 5, 3, &r);
    NEW_MATRIX_RANDOM(K, 4, 3, &r);
    NEW_MATRIX_RANDOM(V, 4, 2, &r);
    NEW_MATRIX(Q_shuffled, 5, 3);
    shuffle_rows_of_5(3, Q, Q_shuffled);
    NEW_MATRIX(weights, 5, 4);
    NEW_MATRIX(out, 5, 2);
    NEW_MATRIX(expected, 5, 2);
    NEW_MATRIX(after, 5, 2);
    dot_product_attention(5, 4, 3, 2, Q, K, V, weights, out);
    dot_product_attention(5, 4, 3, 2, Q_shuffled, K, V, weights, after);
    shuffle_rows_of_5(2, out, expected);
    MISTAKE_IF(true, "A query's answer changed with its place in the list, or with its "
                     "neighbours. Each query is answered on its own.");
    EXPECT_MATRIX(5, 2, expected, after, ROUNDING);
}

static void a_sentence_can_attend_to_itself(void) {
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});
    NEW_MATRIX(weights, 2, 2);
    NEW_MATRIX(out, 2, 1);
    dot_product_attention(2, 2, 1, 1, X, X, X, weights, out);
    const double expected_weights[2][2] = {{0.2689, 0.7311}, {0.1192, 0.8808}};
    const double expected_out[2][1] = {{1.7311}, {1.8808}};
    const double transposed[2][2] = {{0.2689, 0.1192}, {0.7311, 0.8808}};
    MISTAKE_MATRIX(2, 2, transposed,
                   "Your weights are transposed: row i belongs to query i, column j to key j.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 2, weights);
    EXPECT_MATRIX(2, 2, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, expected_out, out, FOUR_DECIMALS);
}

static void if_all_values_are_equal_that_value_comes_out(void) {
    struct random r = random_seed(214);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX(V, 5, 2);
    for (int j = 0; j < 5; j++) {
        V[j][0] = 7.0;
        V[j][1] = -0.5;
    }
    NEW_MATRIX(weights, 3, 5);
    NEW_MATRIX(out, 3, 2);
    dot_product_attention(3, 5, 4, 2, Q, K, V, weights, out);
    const double expected[3][2] = {{7, -0.5}, {7, -0.5}, {7, -0.5}};
    mistake_if_a_float(6, expected, out);
    EXPECT_MATRIX(3, 2, expected, out, ROUNDING);
}

static void keys_of_zeros_give_the_mean_of_the_values(void) {
    struct random r = random_seed(215);
    NEW_MATRIX_RANDOM(Q, 3, 2, &r);
    NEW_MATRIX_FILLED(K, 4, 2, 0.0);
    NEW_MATRIX_OF(V, 4, 1, {1}, {2}, {3}, {10});
    NEW_MATRIX(weights, 3, 4);
    NEW_MATRIX(out, 3, 1);
    dot_product_attention(3, 4, 2, 1, Q, K, V, weights, out);
    const double expected[3][1] = {{4}, {4}, {4}};
    MISTAKE_IF(true, "When every key is 0, every score is 0 and nobody is preferred: each value "
                     "counts equally.");
    EXPECT_MATRIX(3, 1, expected, out, ROUNDING);
}

static void scores_of_ten_thousand_stay_finite(void) {
    NEW_MATRIX_OF(Q, 1, 2, {10000, 1});
    NEW_MATRIX_OF(K, 3, 2, {1, 0}, {1, -1}, {-1, 0});
    NEW_MATRIX_OF(V, 3, 1, {0}, {1}, {5});
    NEW_MATRIX(weights, 1, 3);
    NEW_MATRIX(out, 1, 1);
    dot_product_attention(1, 3, 2, 1, Q, K, V, weights, out);
    const double expected[1][3] = {{0.7311, 0.2689, 0}};
    MISTAKE_IF(isnan(weights[0][0]),
               "exp(10000) is infinite, and infinite over infinite is NaN. softmax_rows() of "
               "lesson 01 takes the largest score away first: use it.");
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(0.2689, out[0][0], FOUR_DECIMALS);
}

static void random_attention_agrees_with_the_obvious_way(void) {
    struct random r = random_seed(210);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k, d_v = z->d_v;
        NEW_MATRIX_RANDOM(Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(K, n_k, d, &r);
        NEW_MATRIX_RANDOM(V, n_k, d_v, &r);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        NEW_MATRIX(expected_weights, n_q, n_k);
        NEW_MATRIX(expected_out, n_q, d_v);
        dot_product_attention(n_q, n_k, d, d_v, Q, K, V, weights, out);
        obvious_weights(n_q, n_k, d, Q, K, expected_weights);
        product(n_q, n_k, d_v, expected_weights, V, expected_out);
        MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(n_q, n_k, weights);
        EXPECT_OBVIOUS(z, n_q, n_k, expected_weights, weights, ROUNDING);
        EXPECT_OBVIOUS(z, n_q, d_v, expected_out, out, ROUNDING);
    }
}

/* hard_attention */

/* The key that a single query picks by these scores; -1: none. */
static int picked(int n, const double scores[n]) {
    NEW_MATRIX_FILLED(Q, 1, 1, 1.0);
    NEW_MATRIX_LIKE(K, n, 1, scores);
    NEW_MATRIX_FILLED(V, n, 1, 0.0);
    NEW_MATRIX(weights, 1, n);
    NEW_MATRIX(out, 1, 1);
    hard_attention(1, n, 1, 1, Q, K, V, weights, out);
    for (int j = 0; j < n; j++)
        if (weights[0][j] == 1.0)
            return j;
    return -1;
}

/* The worked example cannot tell these slips apart; scores of a single query can. */
#define PICKED(...) picked(COUNT(((const double[]){__VA_ARGS__})), (const double[]){__VA_ARGS__})
static const char *slip_of_the_search(void) {
    if (PICKED(5, 4, 3, 2) == 2)
        return "You compared a score with a place: best is an index, and its score is "
               "weights[i][best].";
    if (PICKED(1, 1.2, 9, 1.1, 0.5) == 3 || PICKED(-0.2, -0.5, -0.1, -0.5) == 3)
        return "A key took the place of one that scores more. If best moves on, the score to beat "
               "has to move with it.";
    if (PICKED(2, 1) == 1 || PICKED(1, 3, 2) == 2)
        return "You pick a key that scores less than one before it. Do you write into the row "
               "while you still search it? (Or does best move on, the score to beat not?)";
    if (PICKED(5, 9, 2, 3) == 3)
        return "You compared each key with the one before it. Compare it with the best so far.";
    return NULL;
}

/* Did it search a row that had no scores yet? */
static bool read_before_scored(void) {
    NEW_MATRIX_OF(Q, 1, 1, {1});
    NEW_MATRIX_OF(K, 2, 1, {2}, {1});
    NEW_MATRIX_FILLED(V, 2, 1, 0.0);
    NEW_MATRIX_OF(weights, 1, 2, {1, 5});
    NEW_MATRIX(out, 1, 1);
    hard_attention(1, 2, 1, 1, Q, K, V, weights, out);
    return weights[0][1] == 1.0;
}

#define CARRIED_OVER                                                                               \
    "You carried the best key over from one query to the next. Each query starts its search "      \
    "anew, from key 0."

static void the_worked_example_picks_its_last_and_its_first_key(void) {
    WORKED_ATTENTION(hard_attention);
    const double expected[2][3] = {{0, 0, 1}, {1, 0, 0}};
    const double last_on_tie[2][3] = {{0, 0, 1}, {0, 1, 0}};
    const double shared_tie[2][3] = {{0, 0, 1}, {0.5, 0.5, 0}};
    const double both_on_tie[2][3] = {{0, 0, 1}, {1, 1, 0}};
    const double soft[2][3] = {{0.2119, 0.2119, 0.5761}, {0.4223, 0.4223, 0.1554}};
    const double worst[2][3] = {{1, 0, 0}, {0, 0, 1}};
    const double best_score[2][3] = {{0, 0, 2}, {1, 0, 0}};
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double improvements[2][3] = {{1, 0, 1}, {1, 0, 0}};
    const double first_always[2][3] = {{1, 0, 0}, {1, 0, 0}};
    const double carried_over[2][3] = {{0, 0, 1}, {0, 0, 1}};
    const double none[2][3] = {{0, 0, 0}, {0, 0, 0}};
    const double zeros_forgotten[2][3] = {{1, 1, 1}, {1, 1, 0}};
    bool second_on_tie = weights[0][2] == 1.0 && weights[1][1] == 1.0 && weights[1][0] == 0.0;
    bool late = weights[0][2] == 1.0 && weights[0][0] == 0.0 && weights[1][0] == 0.0;
    const char *slip = slip_of_the_search();
    MISTAKE_IF(late && slip, "%s", slip);
    MISTAKE_MATRIX(2, 3, zeros_forgotten,
                   "Every row has its 1, and the other keys kept their scores: set them to 0.");
    MISTAKE_IF(second_on_tie && picked(2, (const double[]){1, 1}) == 0, CARRIED_OVER);
    MISTAKE_MATRIX(2, 3, last_on_tie,
                   "Query 1 scores 1, 1, 0: a tie, and you took the last of the best. The first "
                   "one keeps its place until a better one comes.");
    MISTAKE_MATRIX(2, 3, shared_tie,
                   "You shared the weight between the keys of a tie. Hard attention picks one: the "
                   "first.");
    MISTAKE_MATRIX(2, 3, both_on_tie,
                   "Both keys of a tie got a 1, so the row sums to 2. Pick one: the first.");
    MISTAKE_MATRIX(2, 3, soft,
                   "That is the softmax. Hard attention gives the best key all, and the others "
                   "nothing.");
    MISTAKE_MATRIX(2, 3, worst, "You picked the smallest score. The best key has the largest.");
    MISTAKE_MATRIX(2, 3, best_score,
                   "You left the score where a 1 belongs. The pick is all or nothing, however "
                   "high the score.");
    MISTAKE_MATRIX(2, 3, scores,
                   "These are the scores. Give each row a 1 at its largest and 0 elsewhere.");
    MISTAKE_MATRIX(2, 3, improvements,
                   "You set a 1 each time a better key came, and left the earlier ones standing. "
                   "First find the best, then set its 1.");
    if (read_before_scored())
        MISTAKE_MATRIX(2, 3, first_always,
                       "weights was read before any score was put there. First score, then search "
                       "the row.");
    MISTAKE_MATRIX(2, 3, first_always,
                   "You picked key 0 every time. Does the best so far move on when a key scores "
                   "higher?");
    MISTAKE_MATRIX(2, 3, carried_over, CARRIED_OVER);
    MISTAKE_MATRIX(2, 3, none, "No key was picked: all weights are 0.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 3, weights);
    EXPECT_MATRIX(2, 3, expected, weights, FOUR_DECIMALS);
}

static void the_worked_example_fetches_the_values_of_its_picks(void) {
    WORKED_ATTENTION(hard_attention);
    const double expected[2][2] = {{0, 1}, {1, 2}};
    const double blended_scores[2][2] = {{4, 4}, {4, 2}};
    const double times_score[2][2] = {{0, 2}, {1, 2}};
    const double keys[2][2] = {{1, 0}, {1, 1}};
    const double keys_end_to_end[2][2] = {{1, 1}, {1, 1}};
    const double soft[2][2] = {{0.8478, 1.0}, {1.6893, 1.0}};
    const double own_value[2][2] = {{1, 2}, {3, 0}};
    MISTAKE_MATRIX(2, 2, blended_scores,
                   "You blended with the scores. out is the value of the key that was picked.");
    MISTAKE_MATRIX(2, 2, times_score,
                   "You multiplied the value by its score. The weight of the pick is 1.");
    MISTAKE_MATRIX(2, 2, keys, "You fetched the key that was picked. What it stands for is in V.");
    MISTAKE_MATRIX(2, 2, keys_end_to_end, "You blended K. What a key stands for is in V.");
    MISTAKE_MATRIX(2, 2, soft,
                   "You blended softly. out is the value of the key that was picked, and nothing "
                   "else.");
    MISTAKE_MATRIX(2, 2, own_value, "Query i got V[i]. It gets the value of the key it picked.");
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

static void the_best_of_negative_scores_is_found_too(void) {
    NEW_MATRIX_OF(Q, 2, 1, {1}, {1e6});
    NEW_MATRIX_OF(K, 4, 1, {-3e6}, {-2e6}, {-1e6}, {-4e6});
    NEW_MATRIX_OF(V, 4, 2, {1, 10}, {2, 20}, {3, 30}, {4, 40});
    NEW_MATRIX(weights, 2, 4);
    NEW_MATRIX(out, 2, 2);
    hard_attention(2, 4, 1, 2, Q, K, V, weights, out);
    const double expected[2][4] = {{0, 0, 1, 0}, {0, 0, 1, 0}};
    const double largest_size[2][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}};
    MISTAKE_MATRIX(2, 4, largest_size,
                   "You compared without the sign. The best score is the largest, and -1 is larger "
                   "than -4.");
    bool nobody_won = weights[1][1] != 1.0 && weights[1][2] != 1.0 && weights[1][3] != 1.0;
    MISTAKE_IF(nobody_won,
               "All scores are below 0 here, and none of them beat what your best started at. "
               "Start from the first key's score, not from a guess.");
    const char *slip = slip_of_the_search();
    MISTAKE_IF(slip, "%s", slip);
    EXPECT_MATRIX(2, 4, expected, weights, 0.0);
}

static void the_first_of_several_best_keys_is_picked(void) {
    NEW_MATRIX_OF(Q, 3, 2, {0, 1}, {1, 2}, {0, 0});
    NEW_MATRIX_OF(K, 5, 2, {0, 0}, {3, 1}, {1, 1}, {1, 2}, {5, 0});
    NEW_MATRIX_OF(V, 5, 3, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}, {13, 14, 15});
    NEW_MATRIX(weights, 3, 5);
    NEW_MATRIX(out, 3, 3);
    hard_attention(3, 5, 2, 3, Q, K, V, weights, out);
    const double expected[3][5] = {{0, 0, 0, 1, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}};
    const char *slip = slip_of_the_search();
    MISTAKE_IF(slip, "%s", slip);
    MISTAKE_IF(weights[0][3] == 1.0 && weights[1][3] == 1.0, CARRIED_OVER);
    MISTAKE_IF(weights[1][4] == 1.0,
               "For query 1, keys 1, 3 and 4 all score 5, and you took the last. The first one "
               "keeps its place until a better one comes.");
    EXPECT_MATRIX(3, 5, expected, weights, 0.0);
}

static void nudging_a_query_moves_the_soft_answer_and_not_the_hard_one(void) {
    struct random r = random_seed(217);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX_RANDOM(V, 5, 2, &r);
    NEW_MATRIX_RANDOM(d_out, 3, 2, &r);
    NEW_MATRIX(weights, 3, 5);
    NEW_MATRIX(out, 3, 2);
    NEW_MATRIX(hard_slope, 3, 4);
    NEW_MATRIX(soft_slope, 3, 4);
    struct call call = {{3, 5, 4, 2},       .Q = Q,     .K = K,           .V = V,
                        .weights = weights, .out = out, .upstream = d_out};
    numeric_gradient(loss_of_hard_attention, &call, 12, (double *)Q, (double *)hard_slope);
    numeric_gradient(loss_of_soft_attention, &call, 12, (double *)Q, (double *)soft_slope);
    NEW_MATRIX_FILLED(flat, 3, 4, 0.0);
    MISTAKE_IF(true, "A nudge that leaves the best key the best must not change the answer. "
                     "Something of the scores is left in it.");
    EXPECT_MATRIX(3, 4, flat, hard_slope, 0.0);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 4; c++)
            EXPECT_THAT(fabs(soft_slope[i][c]) > 1e-6,
                        "nudging Q[%d][%d] moves the soft answer by %g; it has to move", i, c,
                        soft_slope[i][c]);
}

static void random_picks_agree_with_the_obvious_way(void) {
    struct random r = random_seed(216);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k, d_v = z->d_v;
        NEW_MATRIX_RANDOM(Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(K, n_k, d, &r);
        NEW_MATRIX_RANDOM(V, n_k, d_v, &r);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        NEW_MATRIX(expected_weights, n_q, n_k);
        NEW_MATRIX(expected_out, n_q, d_v);
        hard_attention(n_q, n_k, d, d_v, Q, K, V, weights, out);
        obvious_picks(n_q, n_k, d, Q, K, expected_weights);
        product(n_q, n_k, d_v, expected_weights, V, expected_out);
        MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(n_q, n_k, weights);
        EXPECT_OBVIOUS(z, n_q, n_k, expected_weights, weights, 0.0);
        EXPECT_OBVIOUS(z, n_q, d_v, expected_out, out, 0.0);
    }
}

/* dot_scores_backward */

/* What the scores of the worked example get when d_out is {1, 0}, {0, 1}. */
static void worked_d_scores(double d_scores[2][3]) {
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double d_weights[2][3] = {{1, 3, 0}, {2, 0, 1}};
    double weights[2][3];
    softmax_rows(2, 3, scores, weights);
    fill(6, 0.0, d_scores);
    softmax_rows_backward(2, 3, weights, d_weights, d_scores);
}

static const char divided_by_d[] = "You divided by d. The scores were not scaled on the way "
                                   "forward, so neither are their gradients.";
#define READ_d_Q                                                                                   \
    "You read d_Q where Q belongs: what scores[i][j] means for K[j] is a share of Q[i] itself."
#define ENDS_EARLY                                                                                 \
    "The last key is left out: n_k is 3 here, n_q is not. Where does your loop over j end?"

/* What comes of reading d_K for K, and d_Q for Q, on the way. */
#define READ_FROM_THE_GRADIENTS                                                                    \
    NEW_MATRIX_FILLED(from_d_K, 2, 3, 0.0);                                                        \
    NEW_MATRIX_FILLED(from_d_Q, 3, 3, 0.0);                                                        \
    NEW_MATRIX(from_whole_d_Q, 3, 3);                                                              \
    read_from_the_gradients(d_scores, from_d_K, from_d_Q);                                         \
    product_by_columns(3, 2, 3, d_scores, expected_d_Q, from_whole_d_Q)
static void read_from_the_gradients(const double d_scores[2][3], double from_d_K[2][3],
                                    double from_d_Q[3][3]) {
    WORKED_PAIRS;
    NEW_MATRIX_FILLED(d_Q, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_K, 3, 3, 0.0);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int c = 0; c < 3; c++) {
                from_d_K[i][c] += d_scores[i][j] * d_K[j][c];
                d_K[j][c] += d_scores[i][j] * Q[i][c];
                d_Q[i][c] += d_scores[i][j] * K[j][c];
                from_d_Q[j][c] += d_scores[i][j] * d_Q[i][c];
            }
}

static void the_worked_scores_give_these_gradients_to_four_decimals(void) {
    WORKED_PAIRS;
    NEW_MATRIX(d_scores, 2, 3);
    worked_d_scores(d_scores);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_K, 3, 3, 0.0);
    dot_scores_backward(2, 3, 3, Q, K, d_scores, d_Q, d_K);
    const double expected_d_Q[2][3] = {{-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223}};
    const double expected_d_K[3][3] = {
        {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561}, {-0.4884, 0, -0.4884}};
    const double minus_d_Q[2][3] = {{0.4561, -0.4884, 0.0323}, {-0.4223, 0, 0.4223}};
    const double untransposed[2][3] = {{0.4884, -0.0323, -0.4561}, {0, -0.4223, 0.4223}};
    const double last_key[2][3] = {{-0.4884, 0, -0.4884}, {0, 0, 0}};
    const double no_d_scores[2][3] = {{2, 2, 2}, {2, 2, 2}};
    const double short_d_Q[2][3] = {{0.0323, 0.4884, 0.4561}, {0.4223, 0, -0.4223}};
    const double zeros[3][3] = {{0}};
    const double last_query[3][3] = {{0, 0.4223, 0}, {0, -0.4223, 0}, {0, 0, 0}};
    const double keys_for_keys[3][3] = {
        {0.4546, 0.4546, 0}, {0, 0.0338, 0.0338}, {-0.4884, 0, -0.4884}};
    const double queries_bare[3][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    const double minus_d_K[3][3] = {
        {-0.0323, -0.4223, -0.0323}, {-0.4561, 0.4223, -0.4561}, {0.4884, 0, 0.4884}};
    NEW_MATRIX(by_d, 2, 3);
    NEW_MATRIX(by_root_d, 2, 3);
    NEW_MATRIX(d_K_by_d, 3, 3);
    scale_into(9, 1 / 3.0, expected_d_K, d_K_by_d);
    scale_into(6, 1 / 3.0, expected_d_Q, by_d);
    scale_into(6, 1 / sqrt(3.0), expected_d_Q, by_root_d);
    READ_FROM_THE_GRADIENTS;
    mistake_if_never_set(6, d_Q);
    MISTAKE_MATRIX(2, 3, zeros,
                   "d_Q gained nothing, or Q or d_K was read for it. scores[i][j] is Q[i] dot "
                   "K[j], so what it means for Q[i] is a share of K[j].");
    MISTAKE_MATRIX(2, 3, from_d_K,
                   "You read d_K where K belongs. scores[i][j] is Q[i] dot K[j], so what it means "
                   "for Q[i] is a share of K[j] itself.");
    MISTAKE_MATRIX(2, 3, by_d, "%s", divided_by_d);
    MISTAKE_MATRIX(2, 3, by_root_d,
                   "You divided by the square root of d. The scores were not scaled on the way "
                   "forward, so neither are their gradients.");
    MISTAKE_MATRIX(2, 3, untransposed,
                   "You used the columns of K. Key j is a row: d_scores[i][j] sends a share of "
                   "K[j] into d_Q[i].");
    MISTAKE_MATRIX(2, 3, last_key,
                   "Only the last key's share is left in d_Q. A query takes part in n_k scores, "
                   "and each adds its share with +=.");
    MISTAKE_MATRIX(2, 3, short_d_Q, "%s", ENDS_EARLY);
    MISTAKE_MATRIX(2, 3, no_d_scores,
                   "You added the keys whole. How much of each is what d_scores says.");
    MISTAKE_MATRIX(2, 3, minus_d_Q, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(2, 3, expected_d_Q, d_Q, FOUR_DECIMALS);
    mistake_if_never_set(9, d_K);
    MISTAKE_MATRIX(3, 3, from_d_Q, READ_d_Q);
    MISTAKE_MATRIX(3, 3, from_whole_d_Q, READ_d_Q);
    MISTAKE_MATRIX(3, 3, zeros,
                   "d_K gained nothing, or every share went into row i, where they cancel. Every "
                   "score has two parents: its query, and its key, which is row j.");
    MISTAKE_MATRIX(3, 3, last_query,
                   "Only the last query's share is left in d_K. A key takes part in n_q scores, "
                   "and each adds its share with +=.");
    MISTAKE_MATRIX(3, 3, keys_for_keys,
                   "You added shares of K[j] into d_K[j]. scores[i][j] is Q[i] dot K[j], so what "
                   "it means for K[j] is a share of Q[i].");
    MISTAKE_MATRIX(3, 3, d_K_by_d, "%s", divided_by_d);
    MISTAKE_MATRIX(3, 3, queries_bare,
                   "You added the queries whole. How much of each is what d_scores says.");
    MISTAKE_MATRIX(3, 3, minus_d_K, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(3, 3, expected_d_K, d_K, FOUR_DECIMALS);
}

static void the_gradients_of_the_scores_are_added_to_what_is_there(void) {
    WORKED_PAIRS;
    NEW_MATRIX(d_scores, 2, 3);
    worked_d_scores(d_scores);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 10.0);
    NEW_MATRIX_FILLED(d_K, 3, 3, 20.0);
    NEW_MATRIX(gained_d_Q, 2, 3);
    NEW_MATRIX(gained_d_K, 3, 3);
    product(2, 3, 3, d_scores, K, gained_d_Q);
    product_by_columns(3, 2, 3, d_scores, Q, gained_d_K);
    dot_scores_backward(2, 3, 3, Q, K, d_scores, d_Q, d_K);
    EXPECT_ADDED(2, 3, 10.0, gained_d_Q, d_Q);
    EXPECT_ADDED(3, 3, 20.0, gained_d_K, d_K);
}

static void the_gradients_of_the_scores_are_what_nudging_measures(void) {
    struct random r = random_seed(219);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 5, 4, &r);
    NEW_MATRIX_RANDOM(d_scores, 3, 5, &r);
    NEW_MATRIX(scores, 3, 5);
    NEW_MATRIX(measured_d_Q, 3, 4);
    NEW_MATRIX(measured_d_K, 5, 4);
    NEW_MATRIX_FILLED(d_Q, 3, 4, 0.0);
    NEW_MATRIX_FILLED(d_K, 5, 4, 0.0);
    struct call call = {{3, 5, 4, 0}, .Q = Q, .K = K, .scores = scores, .upstream = d_scores};
    numeric_gradient(loss_of_dot_scores, &call, 12, (double *)Q, (double *)measured_d_Q);
    numeric_gradient(loss_of_dot_scores, &call, 20, (double *)K, (double *)measured_d_K);
    dot_scores_backward(3, 5, 4, Q, K, d_scores, d_Q, d_K);
    EXPECT_GRADIENT(3, 4, measured_d_Q, d_Q, SLOPES);
    EXPECT_GRADIENT(5, 4, measured_d_K, d_K, SLOPES);
}

static void a_sentence_scored_against_itself_collects_both_gradients(void) {
    struct random r = random_seed(220);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_scores, 5, 5, &r);
    NEW_MATRIX(as_query, 5, 3);
    NEW_MATRIX(as_key, 5, 3);
    product(5, 5, 3, d_scores, X, as_query);
    product_by_columns(5, 5, 3, d_scores, X, as_key);
    NEW_MATRIX_LIKE(expected, 5, 3, as_query);
    add_into(15, as_key, expected);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_scores_backward(5, 5, 3, X, X, d_scores, d_X, d_X);
    MISTAKE_MATRIX(5, 3, as_query,
                   "d_X was given as d_Q and as d_K, and holds d_Q alone. Both add up in it.");
    MISTAKE_MATRIX(5, 3, as_key,
                   "d_X was given as d_Q and as d_K, and holds d_K alone. Both add up in it.");
    MISTAKE_IF(true, "d_Q and d_K are one matrix here. What you read back from one may have been "
                     "changed through the other: only ever add to them.");
    EXPECT_MATRIX(5, 3, expected, d_X, ROUNDING);
}

static void random_score_gradients_agree_with_the_obvious_products(void) {
    struct random r = random_seed(221);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k;
        NEW_MATRIX_RANDOM(Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(K, n_k, d, &r);
        NEW_MATRIX_RANDOM(d_scores, n_q, n_k, &r);
        NEW_MATRIX_RANDOM(d_Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(d_K, n_k, d, &r);
        NEW_MATRIX(expected_d_Q, n_q, d);
        NEW_MATRIX(expected_d_K, n_k, d);
        product(n_q, n_k, d, d_scores, K, expected_d_Q);
        product_by_columns(n_k, n_q, d, d_scores, Q, expected_d_K);
        add_into(n_q * d, d_Q, expected_d_Q);
        add_into(n_k * d, d_K, expected_d_K);
        dot_scores_backward(n_q, n_k, d, Q, K, d_scores, d_Q, d_K);
        EXPECT_OBVIOUS(z, n_q, d, expected_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d, expected_d_K, d_K, ROUNDING);
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
    const double expected_d_weights[2][3] = {{1, 3, 0}, {2, 0, 1}};
    const double expected_d_V[3][2] = {{0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554}};
    const double zeros[3][3] = {{0}};
    const double weighted[2][3] = {{0.2119, 0.6358, 0}, {0.8446, 0, 0.1554}};
    const double value_i[2][3] = {{1, 1, 1}, {0, 0, 0}};
    const double short_of_a_key[2][3] = {{1, 3, 0}, {2, 0, 0}};
    const double into_row_i[3][2] = {{1, 0}, {0, 1}, {0, 0}};
    const double blended[3][2] = {{0.2119, 0.2119}, {0.5761, 0.4223}, {0.4223, 0.1554}};
    const double softmaxed[2][3] = {{0.0323, 0.4561, -0.4884}, {0.4223, -0.4223, 0}};
    const double last_number[2][3] = {{0, 0, 0}, {2, 0, 1}};
    const double no_d_out[2][3] = {{3, 3, 1}, {3, 3, 1}};
    const double minus[2][3] = {{-1, -3, 0}, {-2, 0, -1}};
    const double unweighted[3][2] = {{1, 1}, {1, 1}, {1, 1}};
    const double last_query[3][2] = {{0, 0.4223}, {0, 0.4223}, {0, 0.1554}};
    const double from_V[3][2] = {{0.6343, 1.2685}, {1.9028, 0}, {0, 0.7315}};
    const double minus_d_V[3][2] = {{-0.2119, -0.4223}, {-0.2119, -0.4223}, {-0.5761, -0.1554}};
    MISTAKE_MATRIX(2, 3, zeros,
                   "Nothing was added into d_weights. weights[i][j] says how much of "
                   "V[j] goes into out[i]: what is it worth?");
    mistake_if_never_set(6, d_weights);
    MISTAKE_MATRIX(2, 3, weights,
                   "You multiplied d_out by the weight. What a weight is worth is the value that "
                   "it lets through: d_out[i] dot V[j].");
    MISTAKE_MATRIX(2, 3, weighted,
                   "You multiplied by the weight. A weight's gradient does not depend on the "
                   "weight, only on the value that it lets through.");
    MISTAKE_MATRIX(2, 3, softmaxed,
                   "You went through the softmax as well. This step ends at the weights.");
    MISTAKE_MATRIX(2, 3, value_i, "V[i] stands where V[j], the value of key j, belongs.");
    MISTAKE_MATRIX(2, 3, short_of_a_key, "%s", ENDS_EARLY);
    MISTAKE_MATRIX(2, 3, last_number,
                   "Only the last of the d_v products is left in d_weights. Add them all up, with "
                   "+=.");
    MISTAKE_MATRIX(2, 3, no_d_out,
                   "You added the values up without asking d_out how much each number matters.");
    MISTAKE_MATRIX(2, 3, minus, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(2, 3, expected_d_weights, d_weights, FOUR_DECIMALS);
    mistake_if_never_set(6, d_V);
    MISTAKE_MATRIX(3, 2, V,
                   "You multiplied d_out by V, or by d_weights, for d_V. A value went in by "
                   "weights[i][j], and its gradient comes back by the same.");
    MISTAKE_MATRIX(3, 2, zeros,
                   "Nothing was added into d_V. Each value went into every output, "
                   "by its weight: the gradient comes back the same way.");
    MISTAKE_MATRIX(3, 2, into_row_i,
                   "Every share went into d_V[i]. weights[i][j] belongs to V[j], so the share goes "
                   "into d_V[j].");
    MISTAKE_MATRIX(
        3, 2, blended,
        "That is blend() of d_out. Value j went into out[i] by weights[i][j]: for d_V[j], "
        "go down column j of weights.");
    MISTAKE_MATRIX(3, 2, unweighted,
                   "You passed d_out to every value whole. A value that went in by a weight gets "
                   "the gradient by that weight.");
    MISTAKE_MATRIX(3, 2, last_query,
                   "Only the last query's share is left in d_V. A value goes into n_q outputs, and "
                   "each adds its share with +=.");
    MISTAKE_MATRIX(3, 2, from_V,
                   "You built d_V from V. Its gradient comes from d_out, by weight: the values "
                   "themselves do not matter.");
    MISTAKE_MATRIX(3, 2, minus_d_V, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(3, 2, expected_d_V, d_V, FOUR_DECIMALS);
}

static void the_gradients_of_a_blend_are_added_to_what_is_there(void) {
    struct random r = random_seed(222);
    NEW_MATRIX_RANDOM(weights, 2, 4, &r);
    NEW_MATRIX_RANDOM(V, 4, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 2, 3, &r);
    NEW_MATRIX_FILLED(d_weights, 2, 4, 10.0);
    NEW_MATRIX_FILLED(d_V, 4, 3, 20.0);
    NEW_MATRIX(gained_d_weights, 2, 4);
    NEW_MATRIX(gained_d_V, 4, 3);
    product_by_rows(2, 3, 4, d_out, V, gained_d_weights);
    product_by_columns(4, 2, 3, weights, d_out, gained_d_V);
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
    const double expected_d_weights[1][3] = {{12, 34, -44}};
    const double expected_d_V[3][2] = {{10, 1}, {0, 0}, {0, 0}};
    MISTAKE_IF(d_weights[0][1] == 0.0 && d_weights[0][2] == 0.0,
               "The keys of weight 0 got no gradient. How would they ever learn that more of them "
               "would help? d_weights does not depend on the weights.");
    EXPECT_MATRIX(1, 3, expected_d_weights, d_weights, ROUNDING);
    EXPECT_MATRIX(3, 2, expected_d_V, d_V, ROUNDING);
}

static void the_gradients_of_a_blend_are_what_nudging_measures(void) {
    struct random r = random_seed(224);
    NEW_MATRIX_RANDOM(weights, 3, 5, &r);
    NEW_MATRIX_RANDOM(V, 5, 2, &r);
    NEW_MATRIX_RANDOM(d_out, 3, 2, &r);
    NEW_MATRIX(out, 3, 2);
    NEW_MATRIX(measured_d_weights, 3, 5);
    NEW_MATRIX(measured_d_V, 5, 2);
    NEW_MATRIX_FILLED(d_weights, 3, 5, 0.0);
    NEW_MATRIX_FILLED(d_V, 5, 2, 0.0);
    struct call call = {{3, 5, 0, 2}, .V = V, .weights = weights, .out = out, .upstream = d_out};
    numeric_gradient(loss_of_blend, &call, 15, (double *)weights, (double *)measured_d_weights);
    numeric_gradient(loss_of_blend, &call, 10, (double *)V, (double *)measured_d_V);
    blend_backward(3, 5, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_GRADIENT(3, 5, measured_d_weights, d_weights, SLOPES);
    EXPECT_GRADIENT(5, 2, measured_d_V, d_V, SLOPES);
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
    MISTAKE_IF(true, "d_weights and d_V are one matrix here. What you read back from one may have "
                     "been changed through the other: only ever add to them.");
    EXPECT_MATRIX(4, 4, expected, d_A, ROUNDING);
}

static void random_blend_gradients_agree_with_the_obvious_products(void) {
    struct random r = random_seed(226);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d_v = z->d_v;
        NEW_MATRIX_RANDOM(weights, n_q, n_k, &r);
        NEW_MATRIX_RANDOM(V, n_k, d_v, &r);
        NEW_MATRIX_RANDOM(d_out, n_q, d_v, &r);
        NEW_MATRIX_RANDOM(d_weights, n_q, n_k, &r);
        NEW_MATRIX_RANDOM(d_V, n_k, d_v, &r);
        NEW_MATRIX(expected_d_weights, n_q, n_k);
        NEW_MATRIX(expected_d_V, n_k, d_v);
        product_by_rows(n_q, d_v, n_k, d_out, V, expected_d_weights);
        product_by_columns(n_k, n_q, d_v, weights, d_out, expected_d_V);
        add_into(n_q * n_k, d_weights, expected_d_weights);
        add_into(n_k * d_v, d_V, expected_d_V);
        blend_backward(n_q, n_k, d_v, weights, V, d_out, d_weights, d_V);
        EXPECT_OBVIOUS(z, n_q, n_k, expected_d_weights, d_weights, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, expected_d_V, d_V, ROUNDING);
    }
}

/* dot_product_attention_backward */

#define ZERO_GRADIENTS(n_q, n_k, d, d_v)                                                           \
    NEW_MATRIX_FILLED(d_Q, n_q, d, 0.0);                                                           \
    NEW_MATRIX_FILLED(d_K, n_k, d, 0.0);                                                           \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0)

/* The worked example all the way back, from d_out = {1, 0}, {0, 1}. */
#define WORKED_WAY_BACK                                                                            \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    obvious_weights(2, 3, 3, Q, K, weights);                                                       \
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});                                                    \
    ZERO_GRADIENTS(2, 3, 3, 2);                                                                    \
    dot_product_attention_backward(2, 3, 3, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V)

static void the_gradient_of_the_queries_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[2][3] = {{-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223}};
    const double short_d_Q[2][3] = {{0.0323, 0.4884, 0.4561}, {0.4223, 0, -0.4223}};
    const double both_short[2][3] = {{0.0323, 0.4884, 0.4561}, {0.4879, 0.1312, -0.3567}};
    const double zeros[2][3] = {{0}};
    const double no_d_weights[2][3] = {{0.0445, -0.0889, 0.0445}, {-0.0175, 0.0350, -0.0175}};
    const double root_scaled[2][3] = {{-0.2634, 0.2820, -0.0186}, {0.2438, 0, -0.2438}};
    const double untransposed[2][3] = {{0.4884, -0.0323, -0.4561}, {0, -0.4223, 0.4223}};
    const double last_key[2][3] = {{-0.4884, 0, -0.4884}, {0, 0, 0}};
    const double minus[2][3] = {{0.4561, -0.4884, 0.0323}, {-0.4223, 0, 0.4223}};
    mistake_if_never_set(6, d_Q);
    EXPECT_THAT(fabs(d_Q[0][0]) < 1e100, "d_Q[0][0] is %g; it should be -0.4561", d_Q[0][0]);
    MISTAKE_MATRIX(2, 3, zeros,
                   "d_Q gained nothing, or Q[i] was added into it. What a score means for its "
                   "query is a share of the key.");
    mistakes_in_the_softmax(1.0, (struct sizes){2, 3, 3, 2}, K, V, weights, d_out);
    MISTAKE_MATRIX(2, 3, short_d_Q, "%s", ENDS_EARLY);
    MISTAKE_MATRIX(2, 3, both_short, "%s", ENDS_EARLY);
    MISTAKE_MATRIX(2, 3, no_d_weights,
                   "You passed the weights through the softmax's way back. It takes their "
                   "gradient: d_weights[i][j] is d_out[i] dot V[j].");
    MISTAKE_MATRIX(2, 3, root_scaled,
                   "You divided by the square root of d. The scores were not scaled on the way "
                   "forward, so neither are their gradients.");
    MISTAKE_MATRIX(2, 3, untransposed,
                   "You used the columns of K. Key j is a row: d_scores[i][j] sends a share of "
                   "K[j] into d_Q[i].");
    MISTAKE_MATRIX(2, 3, last_key,
                   "Only the last key's share is left in d_Q. Every key adds its share with +=.");
    MISTAKE_MATRIX(2, 3, minus, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(2, 3, expected, d_Q, FOUR_DECIMALS);
}

static void the_gradient_of_the_keys_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[3][3] = {
        {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561}, {-0.4884, 0, -0.4884}};
    const double zeros[3][3] = {{0}};
    const double no_softmax[3][3] = {{1, 2, 1}, {3, 0, 3}, {0, 1, 0}};
    NEW_MATRIX(d_scores, 2, 3);
    const void *expected_d_Q = d_Q; /* it has been tested */
    worked_d_scores(d_scores);
    READ_FROM_THE_GRADIENTS;
    MISTAKE_MATRIX(3, 3, from_d_Q, READ_d_Q);
    MISTAKE_MATRIX(3, 3, from_whole_d_Q, READ_d_Q);
    const double last_query[3][3] = {{0, 0.4223, 0}, {0, -0.4223, 0}, {0, 0, 0}};
    const double keys_for_keys[3][3] = {
        {0.4546, 0.4546, 0}, {0, 0.0338, 0.0338}, {-0.4884, 0, -0.4884}};
    mistake_if_never_set(9, d_K);
    MISTAKE_MATRIX(3, 3, zeros,
                   "d_K gained nothing, or every share went into row i, where they cancel. Every "
                   "score has two parents: its query, and its key, which is row j.");
    MISTAKE_MATRIX(3, 3, no_softmax,
                   "You used d_weights for d_K, and d_scores for d_Q. Both came through the "
                   "softmax.");
    MISTAKE_MATRIX(3, 3, last_query,
                   "Only the last query's share is left in d_K. Every query adds its share with "
                   "+=.");
    MISTAKE_MATRIX(3, 3, keys_for_keys,
                   "You added shares of K[j] into d_K[j]. What a score means for its key is a "
                   "share of the query.");
    EXPECT_MATRIX(3, 3, expected, d_K, FOUR_DECIMALS);
}

static void the_gradient_of_the_values_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[3][2] = {{0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554}};
    const double zeros[3][2] = {{0}};
    const double last_query[3][2] = {{0, 0.4223}, {0, 0.4223}, {0, 0.1554}};
    const double from_V[3][2] = {{0.6343, 1.2685}, {1.9028, 0}, {0, 0.7315}};
    const double unweighted[3][2] = {{1, 1}, {1, 1}, {1, 1}};
    const double by_d_scores[3][2] = {{0.0323, 0.4223}, {0.4561, -0.4223}, {-0.4884, 0}};
    mistake_if_never_set(6, d_V);
    MISTAKE_MATRIX(3, 2, zeros,
                   "Nothing was added into d_V. Keys and queries decide the weights, "
                   "but the output is made of values.");
    MISTAKE_MATRIX(3, 2, last_query,
                   "Only the last query's share is left in d_V. Every query adds its share with "
                   "+=.");
    MISTAKE_MATRIX(3, 2, from_V,
                   "You built d_V from V. Its gradient comes from d_out, by weight: the values "
                   "themselves do not matter.");
    MISTAKE_MATRIX(3, 2, unweighted,
                   "You passed d_out to every value whole. A value that went in by a weight gets "
                   "the gradient by that weight.");
    MISTAKE_MATRIX(3, 2, by_d_scores,
                   "You handed d_out to the values by d_scores. They went in by the weights, and "
                   "that is how it comes back.");
    EXPECT_MATRIX(3, 2, expected, d_V, FOUR_DECIMALS);
}

/* Everything that a random way back needs, at the sizes (n_q, n_k, d, d_v); then what it gives. */
#define RANDOM_WAY_BACK(n_q, n_k, d, d_v, generator)                                               \
    NEW_MATRIX_RANDOM(Q, n_q, d, generator);                                                       \
    NEW_MATRIX_RANDOM(K, n_k, d, generator);                                                       \
    NEW_MATRIX_RANDOM(V, n_k, d_v, generator);                                                     \
    NEW_MATRIX_RANDOM(d_out, n_q, d_v, generator);                                                 \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    obvious_weights(n_q, n_k, d, Q, K, weights)

/* What it has to add; each name begins with `name`. */
#define GAINED(name, z, weights_read)                                                              \
    NEW_MATRIX(name##_d_Q, (z).n_q, (z).d_k);                                                      \
    NEW_MATRIX(name##_d_K, (z).n_k, (z).d_k);                                                      \
    NEW_MATRIX(name##_d_V, (z).n_k, (z).d_v);                                                      \
    obvious_way_back(1.0, z, Q, K, V, weights_read, d_out, name##_d_Q, name##_d_K, name##_d_V)

static void all_three_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(227);
    RANDOM_WAY_BACK(2, 4, 3, 1, &r);
    const struct sizes z = {2, 4, 3, 1};
    GAINED(gained, z, weights);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 10.0);
    NEW_MATRIX_FILLED(d_K, 4, 3, 20.0);
    NEW_MATRIX_FILLED(d_V, 4, 1, 30.0);
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
    const double expected[2][1] = {{0.178157}, {2.123448}};
    const double query_only[2][1] = {{0.196612}, {0.104994}};
    const double key_only[2][1] = {{-0.406599}, {0.406599}};
    const double value_only[2][1] = {{0.388144}, {1.611856}};
    const double no_value[2][1] = {{-0.209987}, {0.511593}};
    const double no_key[2][1] = {{0.584756}, {1.716850}};
    const double no_query[2][1] = {{-0.018455}, {2.018455}};
    MISTAKE_MATRIX(2, 1, query_only, "Only d_Q is left in d_X. Three paths lead back, and add up.");
    MISTAKE_MATRIX(2, 1, key_only, "Only d_K is left in d_X. Three paths lead back, and add up.");
    MISTAKE_MATRIX(2, 1, value_only, "Only d_V is left in d_X. Three paths lead back, and add up.");
    MISTAKE_MATRIX(2, 1, no_value, "d_V is missing in d_X. Three paths lead back, and add up.");
    MISTAKE_MATRIX(2, 1, no_key, "d_K is missing in d_X. Three paths lead back, and add up.");
    MISTAKE_MATRIX(2, 1, no_query, "d_Q is missing in d_X. Three paths lead back, and add up.");
    MISTAKE_IF(true, "d_Q, d_K and d_V are one matrix here, as in self-attention. What you read "
                     "back from one may have been changed through another: only ever add to them.");
    EXPECT_MATRIX(2, 1, expected, d_X, 1e-6);
}

static void all_three_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(228);
    RANDOM_WAY_BACK(3, 5, 4, 2, &r);
    ZERO_GRADIENTS(3, 5, 4, 2);
    dot_product_attention_backward(3, 5, 4, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    NEW_MATRIX(nudged_weights, 3, 5);
    NEW_MATRIX(nudged_out, 3, 2);
    struct call call = {
        {3, 5, 4, 2},      .Q = Q,           .K = K, .V = V, .weights = nudged_weights,
        .out = nudged_out, .upstream = d_out};
    EXPECT_NUDGED(call.z, loss_of_soft_attention, &call, SLOPES);
}

static void a_word_that_asks_answers_and_is_fetched_has_one_gradient(void) {
    struct random r = random_seed(231);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 5, 3, &r);
    NEW_MATRIX(weights, 5, 5);
    obvious_weights(5, 5, 3, X, X, weights);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_product_attention_backward(5, 5, 3, 3, X, X, X, weights, d_out, d_X, d_X, d_X);
    NEW_MATRIX(nudged_weights, 5, 5);
    NEW_MATRIX(nudged_out, 5, 3);
    NEW_MATRIX(measured, 5, 3);
    struct call call = {
        {5, 5, 3, 3},      .Q = X,           .K = X, .V = X, .weights = nudged_weights,
        .out = nudged_out, .upstream = d_out};
    numeric_gradient(loss_of_soft_attention, &call, 15, (double *)X, (double *)measured);
    EXPECT_GRADIENT(5, 3, measured, d_X, SLOPES);
}

static void the_weights_are_used_as_the_forward_pass_left_them(void) {
    struct random r = random_seed(232);
    RANDOM_WAY_BACK(2, 4, 3, 1, &r);
    const struct sizes z = {2, 4, 3, 1};
    GAINED(anew, z, weights);
    NEW_MATRIX_OF(given, 2, 4, {0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0});
    GAINED(expected, z, given);
    ZERO_GRADIENTS(2, 4, 3, 1);
    dot_product_attention_backward(2, 4, 3, 1, Q, K, V, given, d_out, d_Q, d_K, d_V);
    MISTAKE_MATRIX(2, 3, anew_d_Q,
                   "You worked the weights out anew from Q and K. Use the ones given: they are "
                   "what the output was really made with.");
    EXPECT_MATRIX(2, 3, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(4, 3, expected_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(4, 1, expected_d_V, d_V, ROUNDING);
}

static void a_settled_choice_passes_nothing_to_the_scores(void) {
    NEW_MATRIX_OF(Q, 1, 2, {10000, 0});
    NEW_MATRIX_OF(K, 3, 2, {1, 5}, {0, 7}, {-1, 0});
    NEW_MATRIX_OF(V, 3, 1, {0.5}, {1}, {-1});
    NEW_MATRIX_OF(weights, 1, 3, {1, 0, 0});
    NEW_MATRIX_OF(d_out, 1, 1, {4});
    ZERO_GRADIENTS(1, 3, 2, 1);
    dot_product_attention_backward(1, 3, 2, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    const double zeros[3][2] = {{0}};
    const double expected_d_V[3][1] = {{4}, {0}, {0}};
    MISTAKE_IF(true, "A softmax that has made up its mind is flat: no nudge of a score moves its "
                     "weights, so nothing comes back through it.");
    EXPECT_MATRIX(1, 2, zeros, d_Q, ROUNDING);
    EXPECT_MATRIX(3, 2, zeros, d_K, ROUNDING);
    EXPECT_MATRIX(3, 1, expected_d_V, d_V, ROUNDING);
}

static void random_ways_back_agree_with_the_obvious_one(void) {
    struct random r = random_seed(235);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d = z->d_k, d_v = z->d_v;
        RANDOM_WAY_BACK(n_q, n_k, d, d_v, &r);
        GAINED(expected, *z, weights);
        NEW_MATRIX_RANDOM(d_Q, n_q, d, &r);
        NEW_MATRIX_RANDOM(d_K, n_k, d, &r);
        NEW_MATRIX_RANDOM(d_V, n_k, d_v, &r);
        add_into(n_q * d, d_Q, expected_d_Q);
        add_into(n_k * d, d_K, expected_d_K);
        add_into(n_k * d_v, d_V, expected_d_V);
        dot_product_attention_backward(n_q, n_k, d, d_v, Q, K, V, weights, d_out, d_Q, d_K, d_V);
        EXPECT_OBVIOUS(z, n_q, d, expected_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d, expected_d_K, d_K, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, expected_d_V, d_V, ROUNDING);
    }
}

/* The weights are equal, and the values 1 and -1 in turn: their mean, and so the shared sum, is 0.
   A matrix of weights does not fit a stack of 8 MB. */
static void a_long_text_needs_no_matrix_of_its_own(void) {
    enum { n_q = 3, n_k = 100000 };
    NEW_MATRIX_OF(Q, n_q, 2, {1, -1}, {2, 0.5}, {0, 3});
    NEW_MATRIX(K, n_k, 2);
    NEW_MATRIX(V, n_k, 1);
    NEW_MATRIX_FILLED(weights, n_q, n_k, 1.0 / n_k);
    NEW_MATRIX_OF(d_out, n_q, 1, {4}, {-1}, {2});
    ZERO_GRADIENTS(n_q, n_k, 2, 1);
    NEW_MATRIX(expected_d_K, n_k, 2);
    for (int j = 0; j < n_k; j++) {
        K[j][0] = V[j][0] = j % 2 == 0 ? 1.0 : -1.0;
        K[j][1] = 1.0;
        expected_d_K[j][0] = V[j][0] * (4 * 1 - 1 * 2 + 2 * 0) / n_k;
        expected_d_K[j][1] = V[j][0] * (4 * -1 - 1 * 0.5 + 2 * 3) / n_k;
    }
    dot_product_attention_backward(n_q, n_k, 2, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    const double expected_d_Q[n_q][2] = {{4, 0}, {-1, 0}, {2, 0}};
    NEW_MATRIX_FILLED(expected_d_V, n_k, 1, (4.0 - 1 + 2) / n_k);
    EXPECT_MATRIX(n_q, 2, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(n_k, 2, expected_d_K, d_K, 1e-15);
    EXPECT_MATRIX(n_k, 1, expected_d_V, d_V, 1e-15);
}

static const struct lesson_test tests[] = {
    TEST(dot, every_query_and_key_of_the_worked_example_agree_by_so_much),
    TEST(dot, numbers_of_opposite_sign_count_against_each_other),
    TEST(dot, long_vectors_score_more_than_short_ones),
    TEST(dot, random_vectors_agree_with_the_obvious_sum),

    TEST(cosine_similarity, the_worked_queries_and_keys_have_these_cosines),
    TEST(cosine_similarity, parallel_vectors_of_any_length_have_a_cosine_of_one),
    TEST(cosine_similarity, opposite_vectors_have_a_cosine_of_minus_one),
    TEST(cosine_similarity, a_zero_vector_has_a_cosine_of_zero_with_everything),
    TEST(cosine_similarity, stretching_either_vector_changes_nothing),
    TEST(cosine_similarity, random_cosines_agree_with_the_obvious_formula),

    TEST(dot_scores, the_worked_scores_come_out),
    TEST(dot_scores, a_score_can_be_negative),
    TEST(dot_scores, every_query_meets_every_key_in_all_d_numbers),

    TEST(blend, the_worked_weights_blend_to_four_decimals),
    TEST(blend, the_soft_dictionary_answers_with_some_of_each_value),
    TEST(blend, weights_are_taken_as_they_come),
    TEST(blend, random_blends_agree_with_the_obvious_product),

    TEST(dot_product_attention, the_worked_example_gives_these_weights),
    TEST(dot_product_attention, the_worked_example_gives_this_output),
    TEST(dot_product_attention, attention_stays_within_the_values),
    TEST(dot_product_attention, shuffling_keys_with_their_values_changes_no_output),
    TEST(dot_product_attention, shuffling_the_queries_shuffles_the_outputs),
    TEST(dot_product_attention, a_sentence_can_attend_to_itself),
    TEST(dot_product_attention, if_all_values_are_equal_that_value_comes_out),
    TEST(dot_product_attention, keys_of_zeros_give_the_mean_of_the_values),
    TEST(dot_product_attention, scores_of_ten_thousand_stay_finite),
    TEST(dot_product_attention, random_attention_agrees_with_the_obvious_way),

    TEST(hard_attention, the_worked_example_picks_its_last_and_its_first_key),
    TEST(hard_attention, the_worked_example_fetches_the_values_of_its_picks),
    TEST(hard_attention, the_best_of_negative_scores_is_found_too),
    TEST(hard_attention, the_first_of_several_best_keys_is_picked),
    TEST(hard_attention, nudging_a_query_moves_the_soft_answer_and_not_the_hard_one),
    TEST(hard_attention, random_picks_agree_with_the_obvious_way),

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
