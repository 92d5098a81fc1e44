/* Lesson 06: what self_attention.h promises. */
#include "self_attention.h"

#include "expect.h"
#include "lesson_test.h"
#include "masked.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "scaled.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-9
#define SLOPES        1e-6 /* how well central differences can agree */

struct sizes {
    int n, d_model, d_k, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2}, {4, 2, 3, 5}, {5, 3, 1, 4}, {2, 4, 5, 1},
    {6, 1, 2, 3}, {1, 3, 4, 2}, {1, 1, 1, 1},
};
#define FOR_ALL_SIZES(z)                                                                           \
    for (const struct sizes *z = all_sizes; z < all_sizes + sizeof all_sizes / sizeof *z; z++)

/* For want of a better explanation, should the next EXPECT fail. */
#define EXPECT_OBVIOUS(z, rows, cols, expected, actual, tolerance)                                 \
    do {                                                                                           \
        mistake_if_a_float((rows) * (cols), expected, actual);                                     \
        MISTAKE_IF(true,                                                                           \
                   "The worked example came out; this one, with n = %d, d_model = %d, d_k = %d "   \
                   "and d_v = %d, did not. Which size stands where another belongs?",              \
                   (z)->n, (z)->d_model, (z)->d_k, (z)->d_v);                                      \
        EXPECT_MATRIX(rows, cols, expected, actual, tolerance);                                    \
    } while (0)

/* The masks that a text may come with. */
enum mask { NO_MASK, CAUSAL, PADDED, SCATTERED, MASKS };

static bool is_blocked(enum mask mask, int n, int i, int j) {
    switch (mask) {
    case CAUSAL:
        return j > i;
    case PADDED:
        return j >= (n + 1) / 2;
    case SCATTERED: /* the first word looks at nothing */
        return i == 0 || (2 * i + 5 * j) % 7 == 1;
    default:
        return false;
    }
}

static void *mask_of(enum mask mask, int n) {
    if (mask == NO_MASK)
        return NULL;
    NEW_MASK(blocked, n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            blocked[i][j] = is_blocked(mask, n, i, j);
    return blocked;
}

/* The slow, obvious way to everything. Each returns a matrix of its own. */

static void *obvious_product(int n, int m, int p, const void *A, const void *B) {
    NEW_MATRIX(obvious, n, p);
    product(n, m, p, A, B, obvious);
    return obvious;
}

static void *transposed(int rows, int cols, const double A[rows][cols]) {
    NEW_MATRIX(flipped, cols, rows);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            flipped[j][i] = A[i][j];
    return flipped;
}

static void *multiplied(int rows, int cols, double factor, const void *A) {
    NEW_MATRIX(scaled, rows, cols);
    scale_into(rows * cols, factor, A, scaled);
    return scaled;
}

/* exp(score) over the sum of those that may be looked at; the scores of these tests are small. */
static void *obvious_weights(int n, int d_k, double scale, const void *Q, const void *K,
                             const void *mask) {
    const bool(*blocked)[n] = mask;
    NEW_MATRIX(obvious, n, n);
    product_by_rows(n, d_k, n, Q, K, obvious);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            if (!blocked || !blocked[i][j])
                sum += exp(scale * obvious[i][j]);
        for (int j = 0; j < n; j++)
            obvious[i][j] = blocked && blocked[i][j] ? 0.0 : exp(scale * obvious[i][j]) / sum;
    }
    return obvious;
}

/* A text with its matrices, and what the forward pass leaves of it. */
struct text {
    struct sizes z;
    void *X, *W_q, *W_k, *W_v, *blocked, *Q, *K, *V, *weights, *out;
    const void *d_out;
    void *to_Q, *to_K, *to_V; /* the gradients half-way back: see obvious_way_back() */
};

static void obvious_forward(struct text *t) {
    const struct sizes z = t->z;
    t->Q = obvious_product(z.n, z.d_model, z.d_k, t->X, t->W_q);
    t->K = obvious_product(z.n, z.d_model, z.d_k, t->X, t->W_k);
    t->V = obvious_product(z.n, z.d_model, z.d_v, t->X, t->W_v);
    t->weights = obvious_weights(z.n, z.d_k, 1.0 / sqrt(z.d_k), t->Q, t->K, t->blocked);
    t->out = obvious_product(z.n, z.n, z.d_v, t->weights, t->V);
}

/* Softmax's whole Jacobian for each row: what d_weights means for the scores, scale and all. */
static void *obvious_d_scores(int n, double scale, const double weights[n][n],
                              const double d_weights[n][n]) {
    NEW_MATRIX_FILLED(d_scores, n, n, 0.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                double slope = weights[i][k] * ((j == k ? 1.0 : 0.0) - weights[i][j]);
                d_scores[i][j] += scale * slope * d_weights[i][k];
            }
    return d_scores;
}

static void obvious_way_back(struct text *t) {
    const struct sizes z = t->z;
    void *V_flipped = transposed(z.n, z.d_v, t->V), *flipped = transposed(z.n, z.n, t->weights);
    void *d_weights = obvious_product(z.n, z.d_v, z.n, t->d_out, V_flipped);
    void *d_scores = obvious_d_scores(z.n, 1.0 / sqrt(z.d_k), t->weights, d_weights);
    t->to_Q = obvious_product(z.n, z.n, z.d_k, d_scores, t->K);
    t->to_K = obvious_product(z.n, z.n, z.d_k, transposed(z.n, z.n, d_scores), t->Q);
    t->to_V = obvious_product(z.n, z.n, z.d_v, flipped, t->d_out);
}

/* The gradient of a word by way of one projection: d_Y W^T. */
static void *by_way_of(const struct text *t, int d, const void *d_Y, const void *W) {
    return obvious_product(t->z.n, d, t->z.d_model, d_Y, transposed(t->z.d_model, d, W));
}

/* What reaches the words, so much of it by each of the three ways. */
static void *three_ways(const struct text *t, double by_Q, double by_K, double by_V) {
    const int n = t->z.n, d_model = t->z.d_model, count = n * d_model;
    NEW_MATRIX_FILLED(sum, n, d_model, 0.0);
    add_into(count, multiplied(n, d_model, by_Q, by_way_of(t, t->z.d_k, t->to_Q, t->W_q)), sum);
    add_into(count, multiplied(n, d_model, by_K, by_way_of(t, t->z.d_k, t->to_K, t->W_k)), sum);
    add_into(count, multiplied(n, d_model, by_V, by_way_of(t, t->z.d_v, t->to_V, t->W_v)), sum);
    return sum;
}

/* What reaches a matrix: X^T d_Y. */
static void *to_matrix(const struct text *t, int d, const void *d_Y) {
    return obvious_product(t->z.d_model, t->z.n, d, transposed(t->z.n, t->z.d_model, t->X), d_Y);
}

/* Declares a random text X and its matrices; and `text`, which knows them. */
#define RANDOM_TEXT(size, mask, generator)                                                         \
    NEW_MATRIX_RANDOM(X, (size).n, (size).d_model, generator);                                     \
    NEW_MATRIX_RANDOM(W_q, (size).d_model, (size).d_k, generator);                                 \
    NEW_MATRIX_RANDOM(W_k, (size).d_model, (size).d_k, generator);                                 \
    NEW_MATRIX_RANDOM(W_v, (size).d_model, (size).d_v, generator);                                 \
    void *blocked = mask_of(mask, (size).n);                                                       \
    struct text text = {.z = size, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v, .blocked = blocked}

/* The worked example: X and nothing else, since all three matrices are {{1}}. */
#define WORKED_TEXT                                                                                \
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});                                                              \
    NEW_MATRIX_OF(W_q, 1, 1, {1});                                                                 \
    NEW_MATRIX_OF(W_k, 1, 1, {1});                                                                 \
    NEW_MATRIX_OF(W_v, 1, 1, {1});                                                                 \
    struct text text = {.z = {2, 1, 1, 1}, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v}

/* Square matrices, so that what is exchanged or turned over has a shape that fits. */
#define SQUARE_TEXT                                                                                \
    NEW_MATRIX_OF(X, 3, 2, {1, 0.5}, {-1, 1}, {0, 2});                                             \
    NEW_MATRIX_OF(W_q, 2, 2, {1, 2}, {0, 1});                                                      \
    NEW_MATRIX_OF(W_k, 2, 2, {0.5, -1}, {1, 0});                                                   \
    NEW_MATRIX_OF(W_v, 2, 2, {1, 3}, {2, -1});                                                     \
    struct text text = {.z = {3, 2, 2, 2}, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v}

/* Declares what the forward pass fills, and calls it. */
#define FORWARD(text)                                                                              \
    NEW_MATRIX(Q, (text).z.n, (text).z.d_k);                                                       \
    NEW_MATRIX(K, (text).z.n, (text).z.d_k);                                                       \
    NEW_MATRIX(V, (text).z.n, (text).z.d_v);                                                       \
    NEW_MATRIX(weights, (text).z.n, (text).z.n);                                                   \
    NEW_MATRIX(out, (text).z.n, (text).z.d_v);                                                     \
    forward(&(text), Q, K, V, weights, out)

static void forward(const struct text *t, void *Q, void *K, void *V, void *weights, void *out) {
    self_attention(t->z.n, t->z.d_model, t->z.d_k, t->z.d_v, t->X, t->W_q, t->W_k, t->W_v,
                   t->blocked, Q, K, V, weights, out);
}

/* Declares the four gradients, filled as told, and calls the way back from `upstream`. */
#define BACKWARD(text, held)                                                                       \
    NEW_MATRIX_FILLED(d_X, (text).z.n, (text).z.d_model, held);                                    \
    NEW_MATRIX_FILLED(d_W_q, (text).z.d_model, (text).z.d_k, held);                                \
    NEW_MATRIX_FILLED(d_W_k, (text).z.d_model, (text).z.d_k, held);                                \
    NEW_MATRIX_FILLED(d_W_v, (text).z.d_model, (text).z.d_v, held);                                \
    backward(&(text), d_X, d_W_q, d_W_k, d_W_v)

static void backward(const struct text *t, void *d_X, void *d_W_q, void *d_W_k, void *d_W_v) {
    self_attention_backward(t->z.n, t->z.d_model, t->z.d_k, t->z.d_v, t->X, t->W_q, t->W_k, t->W_v,
                            t->blocked, t->Q, t->K, t->V, t->weights, t->d_out, d_X, d_W_q, d_W_k,
                            d_W_v);
}

/* project */

static void the_worked_rows_are_projected(void) {
    NEW_MATRIX_OF(X, 3, 2, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_OF(W, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX(Y, 3, 3);
    project(3, 2, 3, X, W, Y);
    const double expected[3][3] = {{1, 2, 3}, {4, 5, 6}, {5, 7, 9}};
    const double last_only[3][3] = {{0, 0, 0}, {4, 5, 6}, {4, 5, 6}};
    const double first_only[3][3] = {{1, 2, 3}, {0, 0, 0}, {1, 2, 3}};
    const double by_rows[3][3] = {{1, 3, 5}, {2, 4, 6}, {3, 7, 11}};
    const double mean[3][3] = {{0.5, 1, 1.5}, {2, 2.5, 3}, {2.5, 3.5, 4.5}};
    const double added[3][3] = {{6, 8, 10}, {6, 8, 10}, {7, 9, 11}};
    const double a = 1 / (1 + exp(1)), b = 1 - a;
    const double softmaxed[3][3] = {{4 * a + b, 5 * a + 2 * b, 6 * a + 3 * b},
                                    {4 * b + a, 5 * b + 2 * a, 6 * b + 3 * a},
                                    {2.5, 3.5, 4.5}};
    MISTAKE_MATRIX(3, 3, last_only,
                   "Only the last row of W is left in Y. All d_in products, from the first on, are "
                   "added with +=, to a Y[i][c] that starts at 0.");
    MISTAKE_MATRIX(3, 3, first_only,
                   "Only the first row of W is in Y. The sum runs over all d_in numbers of a row "
                   "of X.");
    MISTAKE_MATRIX(3, 3, by_rows,
                   "You met the rows of X with d_in numbers of W in a row, as dot_scores() meets "
                   "queries with keys. Y[i][c] goes down column c of W: W[k][c].");
    MISTAKE_MATRIX(3, 3, obvious_product(3, 2, 3, W, X),
                   "You computed W X: did the two change places in a call? The words come first.");
    MISTAKE_MATRIX(3, 3, transposed(3, 3, expected),
                   "Y came out turned over: Y[i][c] belongs to word i and to column c of W.");
    MISTAKE_MATRIX(3, 3, mean, "You divided by d_in. A projection is the plain sum of products.");
    MISTAKE_MATRIX(3, 3, added,
                   "You added X and W. A number of X says how MUCH of a row of W goes "
                   "into Y: multiply.");
    MISTAKE_MATRIX(3, 3, softmaxed,
                   "You took a softmax of X. Here a row of X may hold any numbers, also "
                   "negative ones: use them as they are.");
    mistake_if_never_set(9, Y);
    EXPECT_MATRIX(3, 3, expected, Y, FOUR_DECIMALS);
}

static void rows_of_the_words_meet_columns_of_the_matrix(void) {
    NEW_MATRIX_OF(X, 2, 2, {1, 2}, {-1, 3});
    NEW_MATRIX_OF(W, 2, 2, {4, 0.5}, {-2, 5});
    NEW_MATRIX(Y, 2, 2);
    project(2, 2, 2, X, W, Y);
    const double cell_by_cell[2][2] = {{4, 1}, {2, 15}};
    void *turned = transposed(2, 2, X);
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, X, transposed(2, 2, W)),
                   "You met the rows of X with the rows of W, as a score does with its keys. "
                   "Y[i][c] goes down column c of W: W[k][c].");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, turned, W),
                   "You went down a column of X. A word is a row: X[i][k] for the word i.");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, W, X),
                   "You computed W X. The words come first: Y = X W.");
    MISTAKE_MATRIX(2, 2, cell_by_cell,
                   "You multiplied cell by cell. Each number of Y is a sum over a whole row of X.");
    EXPECT_MATRIX(2, 2, obvious_product(2, 2, 2, X, W), Y, ROUNDING);
}

static void random_words_agree_with_the_obvious_product(void) {
    struct random r = random_seed(601);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(X, z->n, z->d_model, &r);
        NEW_MATRIX_RANDOM(W, z->d_model, z->d_v, &r);
        NEW_MATRIX(Y, z->n, z->d_v);
        project(z->n, z->d_model, z->d_v, X, W, Y);
        void *expected = obvious_product(z->n, z->d_model, z->d_v, X, W);
        mistake_if_a_float(z->n * z->d_v, expected, Y);
        MISTAKE_IF(true,
                   "The worked example came out; this one, with n = %d, d_in = %d and d_out = %d, "
                   "did not. Which loop runs to a size that is not its own?",
                   z->n, z->d_model, z->d_v);
        EXPECT_MATRIX(z->n, z->d_v, expected, Y, ROUNDING);
    }
}

/* project_backward */

static void the_worked_projection_goes_back_to_words_and_matrix(void) {
    NEW_MATRIX_OF(X, 3, 2, {1, 0}, {0, 1}, {1, 1});
    NEW_MATRIX_OF(W, 2, 3, {1, 2, 3}, {4, 5, 6});
    NEW_MATRIX_OF(d_Y, 3, 3, {1, 0, 0}, {0, 2, 0}, {0, 0, 3});
    NEW_MATRIX_FILLED(d_X, 3, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 3, 0.0);
    project_backward(3, 2, 3, X, W, d_Y, d_X, d_W);
    const double expected_d_X[3][2] = {{1, 4}, {4, 10}, {9, 18}};
    const double expected_d_W[2][3] = {{1, 0, 3}, {0, 2, 3}};
    const double zeros[3][3] = {{0}};
    const double unasked[3][2] = {{6, 15}, {6, 15}, {6, 15}};
    const double last_number[3][2] = {{0, 0}, {0, 0}, {9, 18}};
    const double from_X[3][2] = {{1, 0}, {0, 2}, {3, 3}};
    const double X_for_W[3][2] = {{1, 1}, {0, 2}, {0, 3}};
    const double by_rows[3][2] = {{1, 2}, {6, 8}, {15, 18}};
    const double turned_over[2][3] = {{1, 0, 0}, {2, 3, 3}};
    const double last_word[2][3] = {{0, 0, 3}, {0, 0, 3}};
    const double from_W[2][3] = {{1, 4, 9}, {4, 10, 18}};
    const double unasked_d_W[2][3] = {{2, 2, 2}, {2, 2, 2}};
    const double unweighted[2][3] = {{1, 2, 3}, {1, 2, 3}};
    mistake_if_never_set(6, d_X);
    MISTAKE_MATRIX(3, 2, zeros,
                   "Nothing was added into d_X. The words went into Y as well as the matrix: both "
                   "get a gradient.");
    MISTAKE_MATRIX(3, 2, last_number,
                   "Only the last of the d_out products is left in d_X. Add them all up, with +=.");
    MISTAKE_MATRIX(3, 2, expected_d_W,
                   "What belongs into d_W went into d_X: did the two change places in a call?");
    MISTAKE_MATRIX(3, 2, from_X,
                   "You built d_X from X. What a word is worth is what W makes of it.");
    MISTAKE_MATRIX(3, 2, X_for_W,
                   "X stands where W belongs, and its shape is another. Did the two change places "
                   "in a call?");
    MISTAKE_MATRIX(3, 2, by_rows,
                   "You read W as d_out rows of d_in numbers; it is d_in rows of d_out. d_X[i][k] "
                   "gets d_Y[i][c] by W[k][c]: the way back of blend(), not of dot_scores().");
    MISTAKE_MATRIX(3, 2, unasked,
                   "You added W up without asking d_Y how much each number of Y matters.");
    MISTAKE_MATRIX(3, 2, multiplied(3, 2, -1, expected_d_X),
                   "You subtracted. A backward function adds its gradients.");
    MISTAKE_MATRIX(3, 2, multiplied(3, 2, 1.0 / 3, expected_d_X),
                   "You divided d_X by 3. Nothing was averaged on the way forward.");
    EXPECT_MATRIX(3, 2, expected_d_X, d_X, FOUR_DECIMALS);
    mistake_if_never_set(6, d_W);
    MISTAKE_MATRIX(2, 3, zeros,
                   "Nothing was added into d_W. A matrix without a gradient never learns.");
    MISTAKE_MATRIX(2, 3, last_word,
                   "Only the last word's share is left in d_W. All n words went through W, and "
                   "each adds its share with +=.");
    MISTAKE_MATRIX(2, 3, multiplied(2, 3, 1.0 / 3, expected_d_W),
                   "You averaged d_W over the 3 words. Every word went through W whole, and their "
                   "shares add up: a sum, no mean.");
    MISTAKE_MATRIX(2, 3, turned_over,
                   "X and d_Y changed places in d_W: it came out as d_out rows of d_in numbers.");
    MISTAKE_MATRIX(2, 3, from_W,
                   "You built d_W from W. What a number of W is worth is how much of "
                   "X it lets through.");
    MISTAKE_MATRIX(2, 3, unasked_d_W,
                   "You added X up without asking d_Y how much each number of Y matters.");
    MISTAKE_MATRIX(2, 3, unweighted,
                   "You passed d_Y to W whole. It counts by the number of X that W was multiplied "
                   "by.");
    MISTAKE_MATRIX(2, 3, multiplied(2, 3, -1, expected_d_W),
                   "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(2, 3, expected_d_W, d_W, FOUR_DECIMALS);
}

/* Square, so that each of these has a shape that fits. */
static void the_way_back_turns_over_the_right_matrix(void) {
    NEW_MATRIX_OF(X, 2, 2, {1, 2}, {-1, 3});
    NEW_MATRIX_OF(W, 2, 2, {4, 0.5}, {-2, 5});
    NEW_MATRIX_OF(d_Y, 2, 2, {1, -3}, {0.5, 2});
    NEW_MATRIX_FILLED(d_X, 2, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 2, 0.0);
    project_backward(2, 2, 2, X, W, d_Y, d_X, d_W);
    void *W_turned = transposed(2, 2, W), *X_turned = transposed(2, 2, X);
    void *d_Y_turned = transposed(2, 2, d_Y);
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, d_Y, W),
                   "You sent d_Y through W the same way as the words. Back is the other way: "
                   "X[i][k] met W[k][c], so d_X[i][k] gets d_Y[i][c] by W[k][c].");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, W_turned, d_Y),
                   "You multiplied the turned W by d_Y from the left. d_X[i][k] gets d_Y[i][c] by "
                   "W[k][c]: rows of d_Y stay rows.");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, d_Y, X_turned),
                   "You built d_X from X. What a word is worth is what W makes of it.");
    EXPECT_MATRIX(2, 2, obvious_product(2, 2, 2, d_Y, W_turned), d_X, ROUNDING);
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, d_Y_turned, X),
                   "X and d_Y changed places in d_W: it came out turned over. W[k][c] met X[i][k] "
                   "and made Y[i][c]: row k belongs to X, column c to d_Y.");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, X, d_Y),
                   "You summed over the numbers of a word. d_W[k][c] sums over the words: X[i][k] "
                   "* d_Y[i][c] for each i.");
    MISTAKE_MATRIX(2, 2, obvious_product(2, 2, 2, W_turned, d_Y),
                   "You built d_W from W. What a number of W is worth is how much of X it lets "
                   "through.");
    EXPECT_MATRIX(2, 2, obvious_product(2, 2, 2, X_turned, d_Y), d_W, ROUNDING);
}

static void both_gradients_of_a_projection_are_added_to_what_is_there(void) {
    struct random r = random_seed(602);
    NEW_MATRIX_RANDOM(X, 4, 3, &r);
    NEW_MATRIX_RANDOM(W, 3, 2, &r);
    NEW_MATRIX_RANDOM(d_Y, 4, 2, &r);
    NEW_MATRIX_FILLED(d_X, 4, 3, 10.0);
    NEW_MATRIX_FILLED(d_W, 3, 2, 20.0);
    project_backward(4, 3, 2, X, W, d_Y, d_X, d_W);
    EXPECT_ADDED(4, 3, 10.0, obvious_product(4, 2, 3, d_Y, transposed(3, 2, W)), d_X);
    EXPECT_ADDED(3, 2, 20.0, obvious_product(3, 4, 2, transposed(4, 3, X), d_Y), d_W);
}

/* A call of project(), for numeric_gradient(): the loss is Y times d_Y. */
struct projection {
    struct sizes z;
    void *X, *W, *Y;
    const void *d_Y;
};

static double loss_of_projection(void *context) {
    struct projection *p = context;
    project(p->z.n, p->z.d_model, p->z.d_v, p->X, p->W, p->Y);
    return sum_of_products(p->z.n * p->z.d_v, p->Y, p->d_Y);
}

static void both_gradients_of_a_projection_are_what_nudging_measures(void) {
    struct random r = random_seed(603);
    FOR_ALL_SIZES(z) {
        const int n = z->n, d_in = z->d_model, d_out = z->d_v;
        NEW_MATRIX_RANDOM(X, n, d_in, &r);
        NEW_MATRIX_RANDOM(W, d_in, d_out, &r);
        NEW_MATRIX_RANDOM(d_Y, n, d_out, &r);
        NEW_MATRIX(Y, n, d_out);
        NEW_MATRIX(measured_d_X, n, d_in);
        NEW_MATRIX(measured_d_W, d_in, d_out);
        struct projection p = {*z, X, W, Y, d_Y};
        numeric_gradient(loss_of_projection, &p, n * d_in, X[0], measured_d_X[0]);
        numeric_gradient(loss_of_projection, &p, d_in * d_out, W[0], measured_d_W[0]);
        NEW_MATRIX_FILLED(d_X, n, d_in, 0.0);
        NEW_MATRIX_FILLED(d_W, d_in, d_out, 0.0);
        project_backward(n, d_in, d_out, X, W, d_Y, d_X, d_W);
        EXPECT_GRADIENT(n, d_in, measured_d_X, d_X, SLOPES);
        EXPECT_GRADIENT(d_in, d_out, measured_d_W, d_W, SLOPES);
    }
}

static void words_that_go_through_two_matrices_collect_from_both(void) {
    struct random r = random_seed(604);
    NEW_MATRIX_RANDOM(X, 4, 3, &r);
    NEW_MATRIX_RANDOM(W, 3, 2, &r);
    NEW_MATRIX_RANDOM(d_Y, 4, 2, &r);
    NEW_MATRIX_RANDOM(second_W, 3, 2, &r);
    NEW_MATRIX_RANDOM(second_d_Y, 4, 2, &r);
    NEW_MATRIX_FILLED(d_X, 4, 3, 0.0);
    NEW_MATRIX_FILLED(d_W, 3, 2, 0.0);
    project_backward(4, 3, 2, X, W, d_Y, d_X, d_W);
    project_backward(4, 3, 2, X, second_W, second_d_Y, d_X, d_W);
    double(*expected)[3] = obvious_product(4, 2, 3, d_Y, transposed(3, 2, W));
    void *second = obvious_product(4, 2, 3, second_d_Y, transposed(3, 2, second_W));
    MISTAKE_MATRIX(4, 3, second,
                   "Only the second call's share is left in d_X. It must find what the first one "
                   "left, and add to that.");
    add_into(12, second, expected);
    EXPECT_MATRIX(4, 3, expected, d_X, ROUNDING);
    add_into(8, second_d_Y, d_Y);
    EXPECT_MATRIX(3, 2, obvious_product(3, 4, 2, transposed(4, 3, X), d_Y), d_W, ROUNDING);
}

static void random_projections_go_back_as_the_obvious_products_say(void) {
    struct random r = random_seed(605);
    FOR_ALL_SIZES(z) {
        const int n = z->n, d_in = z->d_model, d_out = z->d_v;
        NEW_MATRIX_RANDOM(X, n, d_in, &r);
        NEW_MATRIX_RANDOM(W, d_in, d_out, &r);
        NEW_MATRIX_RANDOM(d_Y, n, d_out, &r);
        NEW_MATRIX_RANDOM(d_X, n, d_in, &r);
        NEW_MATRIX_RANDOM(d_W, d_in, d_out, &r);
        void *expected_d_X = obvious_product(n, d_out, d_in, d_Y, transposed(d_in, d_out, W));
        void *expected_d_W = obvious_product(d_in, n, d_out, transposed(n, d_in, X), d_Y);
        add_into(n * d_in, d_X, expected_d_X);
        add_into(d_in * d_out, d_W, expected_d_W);
        project_backward(n, d_in, d_out, X, W, d_Y, d_X, d_W);
        mistake_if_a_float(n * d_in, expected_d_X, d_X);
        EXPECT_MATRIX(n, d_in, expected_d_X, d_X, ROUNDING);
        mistake_if_a_float(d_in * d_out, expected_d_W, d_W);
        EXPECT_MATRIX(d_in, d_out, expected_d_W, d_W, ROUNDING);
    }
}

/* self_attention */

static int unset_cells(int count, const double *x) {
    int unset = 0;
    for (int i = 0; i < count; i++)
        unset += is_unset(x[i]);
    return unset;
}

/* Here a call fills the weights, and loops are not the first place to look at. */
#define EXPECT_FILLED(n, weights)                                                                  \
    do {                                                                                           \
        int unset = unset_cells((n) * (n), weights[0]);                                            \
        MISTAKE_IF(true, "Some weights were never set. If a call sets them, a size is wrong: "     \
                         "words ask words, so n_q and n_k are both n. If loops of yours do, one "  \
                         "ends early or leaves cells out.");                                       \
        EXPECT_THAT(unset == 0 || unset == (n) * (n), #weights ": %d of %d cells were never set",  \
                    unset, (n) * (n));                                                             \
    } while (0)

static void the_worked_example_without_a_mask_comes_out(void) {
    WORKED_TEXT;
    FORWARD(text);
    const double expected_weights[2][2] = {{0.2689, 0.7311}, {0.1192, 0.8808}};
    const double expected_out[2][1] = {{1.7311}, {1.8808}};
    const double causal[2][2] = {{1, 0}, {0.1192, 0.8808}};
    const double zeros[2][2] = {{0}};
    const double scores[2][2] = {{1, 2}, {2, 4}};
    EXPECT_MATRIX(2, 1, X, Q, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, X, K, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, X, V, FOUR_DECIMALS);
    EXPECT_FILLED(2, weights);
    MISTAKE_MATRIX(2, 2, causal,
                   "The first word does not see the second: that is a causal mask. blocked is NULL "
                   "here, and then nothing is blocked.");
    MISTAKE_MATRIX(2, 2, zeros,
                   "All weights are 0: everything was blocked. blocked is NULL here, and then "
                   "nothing is.");
    MISTAKE_MATRIX(2, 2, scores,
                   "weights holds the scores: the softmax is missing. Lesson 03's "
                   "attention has it all.");
    mistake_if_never_set(4, weights);
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 2, weights);
    EXPECT_MATRIX(2, 2, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, expected_out, out, FOUR_DECIMALS);
}

/* The first that matches is told, so each of the three comes with the other two. */
static void mistakes_of_a_projection(const struct text *t, const char *name, const void *W) {
    const void *all[3] = {t->W_q, t->W_k, t->W_v};
    static const char *const names[3] = {"W_q", "W_k", "W_v"};
    const double *right = obvious_product(3, 2, 2, t->X, W);
    for (int i = 0; i < 3; i++)
        if (all[i] != W)
            MISTAKE_MATRIX(3, 2, obvious_product(3, 2, 2, t->X, all[i]),
                           "%s was made with %s. It has a matrix of its own: three matrices, "
                           "three projections.",
                           name, names[i]);
    MISTAKE_MATRIX(3, 2, t->X,
                   "%s is X itself. That was the attention without any trained weight; project X "
                   "first.",
                   name);
    MISTAKE_MATRIX(3, 2, obvious_product(3, 2, 2, t->X, transposed(2, 2, W)),
                   "%s came out of the matrix turned over, rows for columns. project() takes W as "
                   "it is.",
                   name);
    MISTAKE_MATRIX(3, 2, multiplied(3, 2, attention_scale(2), right),
                   "%s is scaled. The scale belongs to the scores, and lesson 03's and 05's "
                   "attention applies it already.",
                   name);
}

static void three_matrices_make_queries_keys_and_values(void) {
    SQUARE_TEXT;
    obvious_forward(&text);
    FORWARD(text);
    mistakes_of_a_projection(&text, "Q", W_q);
    EXPECT_MATRIX(3, 2, text.Q, Q, ROUNDING);
    mistakes_of_a_projection(&text, "K", W_k);
    EXPECT_MATRIX(3, 2, text.K, K, ROUNDING);
    mistakes_of_a_projection(&text, "V", W_v);
    EXPECT_MATRIX(3, 2, text.V, V, ROUNDING);
}

static void queries_ask_and_keys_answer(void) {
    SQUARE_TEXT;
    obvious_forward(&text);
    FORWARD(text);
    const double s = attention_scale(2);
    void *causal = mask_of(CAUSAL, 3);
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.K, text.Q, NULL),
                   "Queries and keys changed places. Row i of weights belongs to the word that "
                   "asks, so Q comes first.");
    MISTAKE_MATRIX(
        3, 3, obvious_weights(3, 2, s * s, text.Q, text.K, NULL),
        "You scaled twice: the scores are divided by d_k. Lesson 03's and 05's attention "
        "scales already.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, 1.0, text.Q, text.K, NULL),
                   "The scale is missing. Lesson 02's attention has none; lesson 03's has.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, X, X, NULL),
                   "The words themselves ask and answer: Q and K are filled, but the weights were "
                   "made from X.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.Q, NULL),
                   "Queries met queries. They ask; the keys answer.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.K, text.K, NULL),
                   "Keys met keys. The queries ask.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.V, NULL),
                   "The queries met the values. Keys decide where, values decide what.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.K, causal),
                   "No word sees a later one: that is a causal mask. blocked is NULL here, and "
                   "then nothing is blocked.");
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(3, 3, weights);
    EXPECT_MATRIX(3, 3, text.weights, weights, ROUNDING);
}

static void values_are_what_is_fetched(void) {
    SQUARE_TEXT;
    obvious_forward(&text);
    FORWARD(text);
    MISTAKE_MATRIX(3, 2, obvious_product(3, 3, 2, text.weights, text.K),
                   "The output is made of keys. Keys decide where, values decide what.");
    MISTAKE_MATRIX(3, 2, obvious_product(3, 3, 2, text.weights, text.Q),
                   "The output is made of queries. What is fetched are the values.");
    MISTAKE_MATRIX(3, 2, obvious_product(3, 3, 2, text.weights, X),
                   "The output is made of the words themselves. What is fetched are the values, "
                   "X W_v.");
    EXPECT_MATRIX(3, 2, text.out, out, ROUNDING);
}

static void what_the_mask_blocks_has_no_weight(void) {
    SQUARE_TEXT;
    NEW_MASK_OF(blocked, 3, 3, {false, true, true}, {false, false, true}, {false, false, false});
    text.blocked = blocked;
    obvious_forward(&text);
    FORWARD(text);
    const double s = attention_scale(2);
    NEW_MASK_OF(inverted, 3, 3, {true, false, false}, {true, true, false}, {true, true, true});
    NEW_MASK_OF(turned, 3, 3, {false, false, false}, {true, false, false}, {true, true, false});
    double(*unblocked)[3] = obvious_weights(3, 2, s, text.Q, text.K, NULL);
    double(*afterwards)[3] = multiplied(3, 3, 1.0, unblocked);
    afterwards[0][1] = afterwards[0][2] = afterwards[1][2] = 0.0;
    EXPECT_FILLED(3, weights);
    MISTAKE_MATRIX(3, 3, unblocked,
                   "The mask was ignored: blocked words have weight. If blocked is not NULL, it "
                   "has to reach lesson 05's attention, and lesson 03's must not run after it: is "
                   "an else missing?");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.K, inverted),
                   "The mask is inverted: what was blocked is looked at, and nothing else. true "
                   "means blocked.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.K, turned),
                   "The mask is turned over. A row is for the word that asks, a column for the one "
                   "that is asked.");
    MISTAKE_MATRIX(3, 3, afterwards,
                   "The blocked weights were set to 0 after the softmax, and the others do not sum "
                   "to 1 any more. Lesson 05 blocks before.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.K, text.Q, blocked),
                   "Queries and keys changed places, where there is a mask. Q comes first.");
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s * s, text.Q, text.K, blocked),
                   "You scaled twice: the scores are divided by d_k. Lesson 05's attention scales "
                   "already.");
    EXPECT_MATRIX(3, 3, text.weights, weights, ROUNDING);
    EXPECT_MATRIX(3, 2, text.out, out, ROUNDING);
}

/* Not only the causal one: this one looks ahead, and nowhere else. */
static void the_mask_is_taken_as_it_is_given(void) {
    SQUARE_TEXT;
    NEW_MASK_OF(blocked, 3, 3, {true, false, true}, {true, true, false}, {false, true, false});
    text.blocked = blocked;
    obvious_forward(&text);
    FORWARD(text);
    const double s = attention_scale(2);
    MISTAKE_MATRIX(3, 3, obvious_weights(3, 2, s, text.Q, text.K, mask_of(CAUSAL, 3)),
                   "You built a causal mask of your own. Who may look at whom is in blocked.");
    EXPECT_MATRIX(3, 3, text.weights, weights, ROUNDING);
    EXPECT_MATRIX(3, 2, text.out, out, ROUNDING);
}

static void matrices_that_change_nothing_give_plain_scaled_attention(void) {
    struct random r = random_seed(606);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_OF(W_q, 3, 3, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    struct text text = {.z = {5, 3, 3, 3}, .X = X, .W_q = W_q, .W_k = W_q, .W_v = W_q};
    FORWARD(text);
    NEW_MATRIX(expected_weights, 5, 5);
    NEW_MATRIX(expected_out, 5, 3);
    scaled_dot_product_attention(5, 5, 3, 3, X, X, X, expected_weights, expected_out);
    MISTAKE_IF(true, "All three matrices are the identity here, so that this is lesson 03's "
                     "attention of X with itself.");
    EXPECT_MATRIX(5, 5, expected_weights, weights, 1e-12);
    EXPECT_MATRIX(5, 3, expected_out, out, 1e-12);
}

static void with_a_mask_it_is_masked_attention_of_the_projections(void) {
    struct random r = random_seed(607);
    for (enum mask mask = CAUSAL; mask < MASKS; mask++) {
        const struct sizes z = {5, 3, 4, 2};
        RANDOM_TEXT(z, mask, &r);
        FORWARD(text);
        obvious_forward(&text);
        NEW_MATRIX(expected_weights, 5, 5);
        NEW_MATRIX(expected_out, 5, 2);
        masked_attention(5, 5, 4, 2, text.Q, text.K, text.V, blocked, expected_weights,
                         expected_out);
        EXPECT_MATRIX(5, 5, expected_weights, weights, 1e-12);
        EXPECT_MATRIX(5, 2, expected_out, out, 1e-12);
    }
}

/* Row j comes from row order[j]; every one of them moves. */
static const int order[5] = {2, 0, 4, 1, 3};

static void *shuffled(int cols, const double from[5][cols]) {
    NEW_MATRIX(to, 5, cols);
    for (int j = 0; j < 5; j++)
        memcpy(to[j], from[order[j]], sizeof to[j]);
    return to;
}

static void shuffling_the_words_shuffles_the_outputs(void) {
    struct random r = random_seed(608);
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        const struct sizes z = {5, 3, 4, 2};
        NEW_MASK(shuffled_blocked, 5, 5);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                shuffled_blocked[i][j] = is_blocked(mask, 5, order[i], order[j]);
        RANDOM_TEXT(z, mask, &r);
        NEW_MATRIX(plain_weights, 5, 5);
        NEW_MATRIX(plain_out, 5, 2);
        NEW_MATRIX(Q_before, 5, 4);
        NEW_MATRIX(K_before, 5, 4);
        NEW_MATRIX(V_before, 5, 2);
        forward(&text, Q_before, K_before, V_before, plain_weights, plain_out);
        EXPECT_THAT(unset_cells(10, plain_out[0]) == 0, "out is not set everywhere");
        text.X = shuffled(3, X);
        text.blocked = blocked ? shuffled_blocked : NULL;
        FORWARD(text);
        MISTAKE_IF(true,
                   "The words changed places%s, and the outputs did not change places with "
                   "them. Attention knows no order.",
                   blocked ? ", and the mask with them" : "");
        EXPECT_MATRIX(5, 2, shuffled(2, plain_out), out, ROUNDING);
    }
}

static void a_blocked_word_changes_nobody_elses_output(void) {
    struct random r = random_seed(609);
    const struct sizes z = {4, 3, 2, 5};
    RANDOM_TEXT(z, CAUSAL, &r);
    NEW_MATRIX(Q_before, 4, 2);
    NEW_MATRIX(K_before, 4, 2);
    NEW_MATRIX(V_before, 4, 5);
    NEW_MATRIX(weights_before, 4, 4);
    NEW_MATRIX(out_before, 4, 5);
    forward(&text, Q_before, K_before, V_before, weights_before, out_before);
    EXPECT_THAT(unset_cells(20, out_before[0]) == 0, "out is not set everywhere");
    const double others[4] = {-3, 1e5, 1e100, 1e200};
    for (int i = 0; i < 4; i++) {
        fill(3, others[i], X[3]);
        FORWARD(text);
        MISTAKE_IF(true,
                   "The last word is blocked for the first three, and now holds %g: still it "
                   "changed what they see.",
                   others[i]);
        EXPECT_MATRIX(3, 5, out_before, out, 0.0);
    }
}

static void a_word_that_may_look_at_nothing_fetches_nothing(void) {
    struct random r = random_seed(610);
    const struct sizes z = {4, 2, 3, 5};
    RANDOM_TEXT(z, SCATTERED, &r);
    FORWARD(text);
    const double zeros[5] = {0};
    MISTAKE_IF(true, "Everything is blocked for word 0, so all of its weights are exactly 0, and "
                     "so is its output. Lesson 05's attention knows how.");
    EXPECT_VECTOR(4, zeros, weights[0], 0.0);
    EXPECT_VECTOR(5, zeros, out[0], 0.0);
}

static void random_texts_agree_with_the_obvious_way(void) {
    struct random r = random_seed(611);
    FOR_ALL_SIZES(z)
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        RANDOM_TEXT(*z, mask, &r);
        FORWARD(text);
        obvious_forward(&text);
        EXPECT_OBVIOUS(z, z->n, z->d_k, text.Q, Q, ROUNDING);
        EXPECT_OBVIOUS(z, z->n, z->d_k, text.K, K, ROUNDING);
        EXPECT_OBVIOUS(z, z->n, z->d_v, text.V, V, ROUNDING);
        EXPECT_OBVIOUS(z, z->n, z->n, text.weights, weights, ROUNDING);
        EXPECT_OBVIOUS(z, z->n, z->d_v, text.out, out, ROUNDING);
    }
}

/* self_attention_backward */

static void three_ways_lead_back_to_the_worked_words(void) {
    WORKED_TEXT;
    NEW_MATRIX_FILLED(d_out, 2, 1, 1.0);
    text.d_out = d_out;
    obvious_forward(&text);
    BACKWARD(text, 0.0);
    const double expected[2][1] = {{0.1782}, {2.1234}};
    const double zeros[2][1] = {{0}};
    const double query_only[2][1] = {{0.1966}, {0.1050}};
    const double key_only[2][1] = {{-0.4066}, {0.4066}};
    const double value_only[2][1] = {{0.3881}, {1.6119}};
    const double no_value[2][1] = {{-0.2100}, {0.5116}};
    const double no_key[2][1] = {{0.5848}, {1.7168}};
    const double no_query[2][1] = {{-0.0185}, {2.0185}};
    const double minus[2][1] = {{-0.1782}, {-2.1234}};
    const double query_twice[2][1] = {{0.7814}, {1.8218}};
    const double key_twice[2][1] = {{-0.42506}, {2.42506}};
    const double outputs[2][1] = {{3}, {6}};
    const double past_attention[2][1] = {{0.7900}, {1.5116}};
    const double one_key[2][1] = {{1.7864}, {0.1966}};
    const double one_query[2][1] = {{0.2689}, {0.9277}};
    MISTAKE_IF(!(fabs(d_X[0][0]) < 1e100),
               "Astronomical, or no number at all: did your own d_Q, d_K and d_V start at 0? They "
               "are added to, and an array of your own holds what happens to be there, as "
               "malloc()'s memory does.");
    MISTAKE_MATRIX(2, 1, zeros,
                   "Nothing was added into d_X. Three ways lead back to the words: by Q, by K and "
                   "by V.");
    MISTAKE_MATRIX(2, 1, value_only,
                   "Only the way by V is left in d_X. Either it overwrote what the others had "
                   "brought, with = for +=, or they are missing: three ways add up.");
    MISTAKE_MATRIX(2, 1, key_only,
                   "Only the way by K is left in d_X. Either it overwrote what the others had "
                   "brought, with = for +=, or they are missing: three ways add up.");
    MISTAKE_MATRIX(2, 1, query_only,
                   "Only the way by Q is left in d_X. Either it overwrote what the others had "
                   "brought, with = for +=, or they are missing: three ways add up.");
    MISTAKE_MATRIX(2, 1, no_query,
                   "The way by Q is missing in d_X. A word asks, answers and is fetched: three "
                   "gradients add up.");
    MISTAKE_MATRIX(2, 1, no_key,
                   "The way by K is missing in d_X. A word asks, answers and is fetched: three "
                   "gradients add up.");
    MISTAKE_MATRIX(2, 1, no_value,
                   "The way by V is missing in d_X. A word asks, answers and is fetched: three "
                   "gradients add up.");
    MISTAKE_MATRIX(2, 1, query_twice,
                   "The gradient of Q came back twice, and that of K never did.");
    MISTAKE_MATRIX(2, 1, key_twice, "The gradient of K came back twice, and that of Q never did.");
    MISTAKE_MATRIX(2, 1, outputs,
                   "You sent Q, K and V themselves back. Their gradients are what returns.");
    MISTAKE_MATRIX(2, 1, past_attention,
                   "d_out went back through W_v as it is. It has to go back through the attention "
                   "first: the values get d_V.");
    MISTAKE_MATRIX(2, 1, one_key,
                   "Attention's way back saw a single key: n_k is n, as n_q is. Words ask words.");
    MISTAKE_MATRIX(
        2, 1, one_query,
        "Attention's way back saw a single query: n_q is n, as n_k is. Words ask words.");
    MISTAKE_MATRIX(2, 1, minus, "You subtracted. A backward function adds its gradients.");
    EXPECT_MATRIX(2, 1, expected, d_X, FOUR_DECIMALS);
}

/* The square text, its forward pass, and the obvious way back half-way. */
#define SQUARE_WAY_BACK                                                                            \
    SQUARE_TEXT;                                                                                   \
    NEW_MATRIX_OF(d_out, 3, 2, {1, -0.5}, {0.25, 2}, {-1, 1});                                     \
    text.d_out = d_out;                                                                            \
    obvious_forward(&text);                                                                        \
    obvious_way_back(&text);                                                                       \
    disturb_the_heap();                                                                            \
    BACKWARD(text, 0.0)

/* The address sanitizer gives each new block of memory this byte all over; without it, the heap
   hands out what was left in a freed one. So memory that somebody took for zeros shows. */
enum { not_zero = 0xbe };

static void disturb_the_heap(void) {
    void *blocks[12];
    for (int i = 0; i < 12; i++) {
        blocks[i] = malloc(48);
        if (blocks[i])
            memset(blocks[i], not_zero, 48);
    }
    for (int i = 0; i < 12; i++)
        free(blocks[i]);
}

/* A gradient that was made in memory which nobody had set to 0. */
static void *begun_at_garbage(const void *gradient) {
    NEW_MATRIX_LIKE(begun, 3, 2, gradient);
    double garbage;
    memset(&garbage, not_zero, sizeof garbage);
    for (int i = 0; i < 6; i++)
        begun[i / 2][i % 2] += garbage;
    return begun;
}

static double furthest(int n, const void *a, const void *b) {
    const double *x = a, *y = b;
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* Masked attention's own way back under a mask that is not the text's. */
static struct text under_another_mask(struct text t, void *blocked) {
    NEW_MATRIX_FILLED(to_Q, 3, 2, 0.0);
    NEW_MATRIX_FILLED(to_K, 3, 2, 0.0);
    NEW_MATRIX_FILLED(to_V, 3, 2, 0.0);
    masked_attention_backward(3, 3, 2, 2, t.Q, t.K, t.V, blocked, t.weights, t.d_out, to_Q, to_K,
                              to_V);
    t.to_Q = to_Q, t.to_K = to_K, t.to_V = to_V;
    return t;
}

static struct text with_matrices(struct text t, void *W_q, void *W_k, void *W_v) {
    t.W_q = W_q, t.W_k = W_k, t.W_v = W_v;
    return t;
}

static void each_way_back_goes_through_its_own_matrix(void) {
    SQUARE_WAY_BACK;
    const double s = attention_scale(2);
    NEW_MATRIX_OF(identity, 2, 2, {1, 0}, {0, 1});
    struct text exchanged = with_matrices(text, W_k, W_q, W_v);
    struct text keys_by_value = with_matrices(text, W_q, W_v, W_v);
    struct text values_by_key = with_matrices(text, W_q, W_k, W_k);
    struct text both_by_query = with_matrices(text, W_q, W_q, W_v);
    struct text bare = with_matrices(text, identity, identity, identity);
    struct text turned =
        with_matrices(text, transposed(2, 2, W_q), transposed(2, 2, W_k), transposed(2, 2, W_v));
    struct text causal = under_another_mask(text, mask_of(CAUSAL, 3)), keys_asked = text;
    keys_asked.Q = text.K, keys_asked.K = text.Q;
    obvious_way_back(&keys_asked);
    MISTAKE_MATRIX(3, 2, three_ways(&exchanged, 1, 1, 1),
                   "W_q and W_k changed places on the way back, or the gradients of Q and K did. "
                   "Each returns through the matrix that it came by.");
    MISTAKE_MATRIX(3, 2, three_ways(&keys_asked, 1, 1, 1),
                   "Q and K changed places in the call of attention's way back.");
    MISTAKE_MATRIX(3, 2, three_ways(&keys_by_value, 1, 1, 1),
                   "The gradient of K came back through W_v. The keys were made with W_k.");
    MISTAKE_MATRIX(3, 2, three_ways(&values_by_key, 1, 1, 1),
                   "The gradient of V came back through W_k. The values were made with W_v.");
    MISTAKE_MATRIX(3, 2, three_ways(&both_by_query, 1, 1, 1),
                   "The gradient of K came back through W_q. The keys were made with W_k.");
    MISTAKE_MATRIX(3, 2, three_ways(&bare, 1, 1, 1),
                   "The gradients of Q, K and V went into d_X bare. Each comes back through the "
                   "matrix of its projection.");
    MISTAKE_MATRIX(3, 2, three_ways(&turned, 1, 1, 1),
                   "The gradients went through the matrices the same way as the words. Back is the "
                   "other way: project_backward() knows it.");
    MISTAKE_MATRIX(3, 2, three_ways(&text, s, s, 1),
                   "You scaled the gradients of Q and K again. Attention's way back has the scale "
                   "in it.");
    MISTAKE_MATRIX(3, 2, three_ways(&text, 1 / s, 1 / s, 1),
                   "The scale is missing on the way back. Lesson 02's has none; lesson 03's has.");
    MISTAKE_MATRIX(3, 2, three_ways(&causal, 1, 1, 1),
                   "The way back went under a causal mask. blocked is NULL here, and then nothing "
                   "is blocked.");
    MISTAKE_IF(furthest(6, three_ways(&text, 1, 1, 1), d_X) < 1e-4,
               "Off by very little: did your own d_Q, d_K and d_V start at 0? They are added to, "
               "and malloc() leaves in them what happens to be there; calloc() clears.");
    EXPECT_MATRIX(3, 2, three_ways(&text, 1, 1, 1), d_X, ROUNDING);
}

/* `name` is the projection, `right` its gradient, `others` those of the other two. */
static void mistakes_of_a_matrix(const struct text *t, char name, const void *right,
                                 const void *const others[2], const char *other_names) {
    const double zeros[2][2] = {{0}};
    const double *sum = to_matrix(t, 2, right);
    void *const made[3] = {t->Q, t->K, t->V};
    MISTAKE_MATRIX(2, 2, multiplied(2, 2, 0.0, zeros),
                   "Nothing was added. The matrix that made %c is never going to learn.", name);
    for (int i = 0; i < 2; i++) {
        double *both = to_matrix(t, 2, others[i]);
        MISTAKE_MATRIX(2, 2, multiplied(2, 2, 1, both),
                       "This is the gradient of the matrix that made %c. It was handed to the one "
                       "that made %c.",
                       other_names[i], name);
        add_into(4, sum, both);
        MISTAKE_MATRIX(2, 2, both,
                       "The gradient of the matrix that made %c came here as well, to the one that "
                       "made %c. Each has a d_W of its own.",
                       other_names[i], name);
    }
    MISTAKE_MATRIX(2, 2, transposed(2, 2, (const void *)sum),
                   "X and the gradient of %c changed places: it came out turned over.", name);
    MISTAKE_MATRIX(2, 2, multiplied(2, 2, 1.0 / 3, sum),
                   "You averaged over the 3 words. Every word went through the matrix whole: their "
                   "shares are a sum, no mean.");
    for (int i = 0; i < 3; i++) {
        struct text made_for_X = *t;
        made_for_X.X = made[i];
        MISTAKE_MATRIX(
            2, 2, to_matrix(&made_for_X, 2, right),
            "%c stands where X belongs, in the gradient of the matrix that made %c: what "
            "it was multiplied by is X.",
            "QKV"[i], name);
    }
    MISTAKE_MATRIX(2, 2, multiplied(2, 2, attention_scale(2), sum),
                   "You scaled the gradient of %c again. Attention's way back has the scale in it.",
                   name);
    MISTAKE_MATRIX(2, 2, multiplied(2, 2, -1, sum),
                   "You subtracted. A backward function adds; the step downhill is sgd_step()'s.");
    MISTAKE_MATRIX(2, 2, to_matrix(t, 2, begun_at_garbage(right)),
                   "The gradient of %c was added to memory that nobody had set to 0. malloc() "
                   "leaves in it what happens to be there; calloc() clears it.",
                   name);
}

static void each_matrix_gets_what_its_own_projection_earned(void) {
    SQUARE_WAY_BACK;
    const void *const but_Q[2] = {text.to_K, text.to_V}, *const but_K[2] = {text.to_Q, text.to_V};
    const void *const but_V[2] = {text.to_Q, text.to_K};
    mistakes_of_a_matrix(&text, 'Q', text.to_Q, but_Q, "KV");
    EXPECT_MATRIX(2, 2, to_matrix(&text, 2, text.to_Q), d_W_q, ROUNDING);
    mistakes_of_a_matrix(&text, 'K', text.to_K, but_K, "QV");
    EXPECT_MATRIX(2, 2, to_matrix(&text, 2, text.to_K), d_W_k, ROUNDING);
    mistakes_of_a_matrix(&text, 'V', text.to_V, but_V, "QK");
    EXPECT_MATRIX(2, 2, to_matrix(&text, 2, text.to_V), d_W_v, ROUNDING);
}

static void all_four_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(612);
    const struct sizes z = {3, 2, 4, 5};
    RANDOM_TEXT(z, NO_MASK, &r);
    NEW_MATRIX_RANDOM(d_out, 3, 5, &r);
    text.d_out = d_out;
    obvious_forward(&text);
    obvious_way_back(&text);
    BACKWARD(text, 10.0);
    EXPECT_ADDED(3, 2, 10.0, three_ways(&text, 1, 1, 1), d_X);
    EXPECT_ADDED(2, 4, 10.0, to_matrix(&text, 4, text.to_Q), d_W_q);
    EXPECT_ADDED(2, 4, 10.0, to_matrix(&text, 4, text.to_K), d_W_k);
    EXPECT_ADDED(2, 5, 10.0, to_matrix(&text, 5, text.to_V), d_W_v);
}

static double loss_of_text(void *context) {
    const struct text *t = context;
    forward(t, t->Q, t->K, t->V, t->weights, t->out);
    return sum_of_products(t->z.n * t->z.d_v, t->out, t->d_out);
}

/* Small words keep the softmax away from where it is flat. */
static void expect_slopes(struct sizes z, enum mask mask, struct random *r) {
    RANDOM_TEXT(z, mask, r);
    scale_into(z.n * z.d_model, 0.5, X, X);
    NEW_MATRIX_RANDOM(d_out, z.n, z.d_v, r);
    text.d_out = d_out;
    FORWARD(text);
    text.Q = Q, text.K = K, text.V = V, text.weights = weights, text.out = out;
    BACKWARD(text, 0.0);
    NEW_MATRIX(measured_d_X, z.n, z.d_model);
    NEW_MATRIX(measured_d_W_q, z.d_model, z.d_k);
    NEW_MATRIX(measured_d_W_k, z.d_model, z.d_k);
    NEW_MATRIX(measured_d_W_v, z.d_model, z.d_v);
    numeric_gradient(loss_of_text, &text, z.n * z.d_model, X[0], measured_d_X[0]);
    numeric_gradient(loss_of_text, &text, z.d_model * z.d_k, W_q[0], measured_d_W_q[0]);
    numeric_gradient(loss_of_text, &text, z.d_model * z.d_k, W_k[0], measured_d_W_k[0]);
    numeric_gradient(loss_of_text, &text, z.d_model * z.d_v, W_v[0], measured_d_W_v[0]);
    MISTAKE_IF(mask != NO_MASK && sum_of_products(z.n * z.d_model, d_X, d_X) == 0.0,
               "Under a mask nothing came back to the words; without one something did. Is there "
               "a return in one branch, or do the projections' ways back stand in the other "
               "alone? They follow both.");
    EXPECT_GRADIENT(z.n, z.d_model, measured_d_X, d_X, SLOPES);
    EXPECT_GRADIENT(z.d_model, z.d_k, measured_d_W_q, d_W_q, SLOPES);
    EXPECT_GRADIENT(z.d_model, z.d_k, measured_d_W_k, d_W_k, SLOPES);
    EXPECT_GRADIENT(z.d_model, z.d_v, measured_d_W_v, d_W_v, SLOPES);
}

static void all_four_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(613);
    for (int i = 0; i < 4; i++)
        expect_slopes(all_sizes[i], NO_MASK, &r);
}

static void under_a_mask_they_are_what_nudging_measures_too(void) {
    struct random r = random_seed(614);
    expect_slopes((struct sizes){4, 2, 3, 5}, CAUSAL, &r);
    expect_slopes((struct sizes){3, 5, 4, 2}, CAUSAL, &r);
    expect_slopes((struct sizes){5, 3, 1, 4}, PADDED, &r);
}

static void beside_a_word_that_sees_nothing_they_are_still_right(void) {
    struct random r = random_seed(615);
    expect_slopes((struct sizes){4, 2, 3, 5}, SCATTERED, &r);
    expect_slopes((struct sizes){5, 3, 4, 1}, SCATTERED, &r);
    expect_slopes((struct sizes){6, 1, 2, 3}, SCATTERED, &r);
}

/* The last word is blocked for all, and sees nothing. Its value times d_out is too large for a
   double: 0 times that is no number. */
static void the_mask_holds_on_the_way_back_too(void) {
    SQUARE_TEXT;
    NEW_MASK_OF(blocked, 3, 3, {false, false, true}, {false, false, true}, {true, true, true});
    text.blocked = blocked;
    NEW_MATRIX_OF(d_out, 3, 2, {1, -0.5}, {0.25, 2}, {0, 0});
    scale_into(6, 1e150, d_out, d_out);
    fill(2, 0.0, X[2]);
    text.d_out = d_out;
    obvious_forward(&text);
    obvious_way_back(&text);
    void *expected_d_X = three_ways(&text, 1e-150, 1e-150, 1e-150);
    void *expected_d_W_v = multiplied(2, 2, 1e-150, to_matrix(&text, 2, text.to_V));
    fill(2, 1e200, X[2]);
    text.Q = obvious_product(3, 2, 2, X, W_q);
    text.K = obvious_product(3, 2, 2, X, W_k);
    text.V = obvious_product(3, 2, 2, X, W_v);
    BACKWARD(text, 0.0);
    scale_into(6, 1e-150, d_X, d_X);
    scale_into(4, 1e-150, d_W_v, d_W_v);
    MISTAKE_IF(isnan(d_X[0][0]),
               "The mask was ignored on the way back: a blocked word came in by 0 times infinity, "
               "which is NaN. If blocked is not NULL, lesson 05's way back is the one.");
    EXPECT_MATRIX(3, 2, expected_d_X, d_X, ROUNDING);
    EXPECT_MATRIX(2, 2, expected_d_W_v, d_W_v, ROUNDING);
}

static void if_all_is_blocked_no_gradient_changes(void) {
    struct random r = random_seed(616);
    const struct sizes z = {3, 2, 4, 5};
    RANDOM_TEXT(z, CAUSAL, &r);
    memset(blocked, true, 9 * sizeof(bool));
    NEW_MATRIX_RANDOM(d_out, 3, 5, &r);
    text.d_out = d_out;
    obvious_forward(&text);
    BACKWARD(text, 7.0);
    NEW_MATRIX_FILLED(sevens, 3, 5, 7.0);
    EXPECT_MATRIX(3, 2, sevens, d_X, 0.0);
    EXPECT_MATRIX(2, 4, sevens, d_W_q, 0.0);
    EXPECT_MATRIX(2, 4, sevens, d_W_k, 0.0);
    EXPECT_MATRIX(2, 5, sevens, d_W_v, 0.0);
}

static void what_the_forward_pass_left_is_what_counts(void) {
    struct random r = random_seed(617);
    const struct sizes z = {3, 2, 4, 5};
    RANDOM_TEXT(z, NO_MASK, &r);
    NEW_MATRIX_RANDOM(d_out, 3, 5, &r);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 3, 4, &r);
    NEW_MATRIX_RANDOM(V, 3, 5, &r);
    NEW_MATRIX_OF(weights, 3, 3, {0.1, 0.2, 0.7}, {0.3, 0.3, 0.4}, {0.5, 0, 0.5});
    text.d_out = d_out, text.Q = Q, text.K = K, text.V = V, text.weights = weights;
    obvious_way_back(&text);
    BACKWARD(text, 0.0);
    MISTAKE_IF(true, "Did you work Q, K, V or the weights out anew? Use the ones given: they are "
                     "what the output was really made with.");
    EXPECT_MATRIX(3, 2, three_ways(&text, 1, 1, 1), d_X, ROUNDING);
    MISTAKE_IF(true, "Did you work Q, K, V or the weights out anew? Use the ones given: they are "
                     "what the output was really made with.");
    EXPECT_MATRIX(2, 4, to_matrix(&text, 4, text.to_Q), d_W_q, ROUNDING);
    EXPECT_MATRIX(2, 4, to_matrix(&text, 4, text.to_K), d_W_k, ROUNDING);
    EXPECT_MATRIX(2, 5, to_matrix(&text, 5, text.to_V), d_W_v, ROUNDING);
}

/* One matrix asks and answers, and fetches too. */
static void a_matrix_in_three_roles_collects_three_gradients(void) {
    struct random r = random_seed(618);
    NEW_MATRIX_RANDOM(X, 4, 2, &r);
    NEW_MATRIX_RANDOM(W, 2, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 4, 3, &r);
    struct text text = {.z = {4, 2, 3, 3}, .X = X, .W_q = W, .W_k = W, .W_v = W};
    text.d_out = d_out;
    obvious_forward(&text);
    obvious_way_back(&text);
    NEW_MATRIX_FILLED(d_X, 4, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 3, 0.0);
    backward(&text, d_X, d_W, d_W, d_W);
    double(*expected)[3] = to_matrix(&text, 3, text.to_Q);
    add_into(6, to_matrix(&text, 3, text.to_K), expected);
    add_into(6, to_matrix(&text, 3, text.to_V), expected);
    MISTAKE_IF(true, "The three matrices are one here, and so are their gradients. Only ever add "
                     "to them.");
    EXPECT_MATRIX(2, 3, expected, d_W, ROUNDING);
}

static void random_ways_back_agree_with_the_obvious_one(void) {
    struct random r = random_seed(619);
    FOR_ALL_SIZES(z)
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        const int n = z->n, d_model = z->d_model, d_k = z->d_k, d_v = z->d_v;
        RANDOM_TEXT(*z, mask, &r);
        NEW_MATRIX_RANDOM(d_out, n, d_v, &r);
        text.d_out = d_out;
        obvious_forward(&text);
        obvious_way_back(&text);
        NEW_MATRIX_RANDOM(d_X, n, d_model, &r);
        NEW_MATRIX_RANDOM(d_W_q, d_model, d_k, &r);
        NEW_MATRIX_RANDOM(d_W_k, d_model, d_k, &r);
        NEW_MATRIX_RANDOM(d_W_v, d_model, d_v, &r);
        double(*expected_d_X)[d_model] = three_ways(&text, 1, 1, 1);
        double(*expected_d_W_q)[d_k] = to_matrix(&text, d_k, text.to_Q);
        double(*expected_d_W_k)[d_k] = to_matrix(&text, d_k, text.to_K);
        double(*expected_d_W_v)[d_v] = to_matrix(&text, d_v, text.to_V);
        add_into(n * d_model, d_X, expected_d_X);
        add_into(d_model * d_k, d_W_q, expected_d_W_q);
        add_into(d_model * d_k, d_W_k, expected_d_W_k);
        add_into(d_model * d_v, d_W_v, expected_d_W_v);
        backward(&text, d_X, d_W_q, d_W_k, d_W_v);
        EXPECT_OBVIOUS(z, n, d_model, expected_d_X, d_X, ROUNDING);
        EXPECT_OBVIOUS(z, d_model, d_k, expected_d_W_q, d_W_q, ROUNDING);
        EXPECT_OBVIOUS(z, d_model, d_k, expected_d_W_k, d_W_k, ROUNDING);
        EXPECT_OBVIOUS(z, d_model, d_v, expected_d_W_v, d_W_v, ROUNDING);
    }
}

/* Q takes more room here than the stack that a lesson is given. Everything is blocked, so that
   nothing takes long, and nothing may change. */
static void wide_words_do_not_fit_the_stack(void) {
    enum { n = 8, d_k = 20000 };
    NEW_MATRIX_FILLED(X, n, 1, 1.0);
    NEW_MATRIX_FILLED(W_q, 1, d_k, 1.0);
    NEW_MATRIX_FILLED(W_v, 1, 1, 1.0);
    NEW_MASK_FILLED(blocked, n, n, true);
    NEW_MATRIX_FILLED(Q, n, d_k, 1.0);
    NEW_MATRIX_FILLED(V, n, 1, 1.0);
    NEW_MATRIX_FILLED(weights, n, n, 0.0);
    NEW_MATRIX_FILLED(d_out, n, 1, 1.0);
    NEW_MATRIX_FILLED(d_X, n, 1, 3.0);
    NEW_MATRIX_FILLED(d_W_q, 1, d_k, 4.0);
    NEW_MATRIX_FILLED(d_W_k, 1, d_k, 5.0);
    NEW_MATRIX_FILLED(d_W_v, 1, 1, 6.0);
    self_attention_backward(n, 1, d_k, 1, X, W_q, W_q, W_v, blocked, Q, Q, V, weights, d_out, d_X,
                            d_W_q, d_W_k, d_W_v);
    NEW_MATRIX_FILLED(same_d_X, n, 1, 3.0);
    NEW_MATRIX_FILLED(same_d_W_q, 1, d_k, 4.0);
    EXPECT_MATRIX(n, 1, same_d_X, d_X, 0.0);
    EXPECT_MATRIX(1, d_k, same_d_W_q, d_W_q, 0.0);
}

/* cross_entropy */

/* The loss in a vector of its own, made after what it comes from: so that is shown as well. */
static void expect_loss(int line, double expected, int n, const double logits[n], int target,
                        double tolerance) {
    char name[48];
    snprintf(name, sizeof name, "cross_entropy(%d, logits, %d)", n, target);
    NEW_VECTOR_FILLED(loss, 1, cross_entropy(n, logits, target));
    mistake_if_a_float(1, &expected, loss);
    expect_numbers(line, name, 0, 0, &expected, loss, tolerance);
}

static void the_worked_logits_cost_so_much(void) {
    NEW_VECTOR_OF(logits, 3, 2, 0, 0);
    const double whole = 2.239545;
    MISTAKE_NUMBER(0.699501,
                   "That is the softmax twice: probabilities went into a function that wants the "
                   "logits. It could never fall below 0.5514 with 3 classes; a perfect score "
                   "should cost 0.");
    MISTAKE_NUMBER(-0.239545, "Your sign is the wrong way round: a surprise is -log of the weight, "
                              "and no weight is above 1.");
    MISTAKE_NUMBER(0.345590, "You took log2. That is the surprise in bits; here it is in nats, "
                             "with log().");
    MISTAKE_NUMBER(0.239545 / log(10), "You took log10. Here the logarithm is log().");
    MISTAKE_NUMBER(0.239545 / 3, "You divided by n. One target has one loss: there is nothing to "
                                 "average.");
    MISTAKE_NUMBER(whole, "The target's logit has no say: is it missing, or is its neighbour "
                          "taken? Targets count from 0.");
    MISTAKE_NUMBER(whole - 4,
                   "Too little, by the largest logit, which is the target's here. Was the largest "
                   "taken away in each exp() and never added back, or logits[target] taken away "
                   "twice?");
    MISTAKE_NUMBER(whole + 2,
                   "You added the logit of the target. The better it scores, the smaller "
                   "the surprise.");
    MISTAKE_NUMBER(0.786986, "That is the weight of the target: take -log of it.");
    MISTAKE_NUMBER(1 - 0.786986, "That is 1 less the weight of the target. The surprise is -log of "
                                 "it: 1 - p never punishes a sure mistake.");
    MISTAKE_NUMBER(2 * 0.239545 + 2 * 2.0 + 0.239545,
                   "You added up the surprise of all n. Only that of the target counts.");
    MISTAKE_NUMBER(0.665573, "That is the entropy of the weights. The cross-entropy asks about the "
                             "target alone.");
    static const char logits_as_weights[] =
        "You took logarithms of the logits, as if they were weights. They are scores: a weight is "
        "what the softmax makes of one.";
    MISTAKE_NUMBER(-2 * log(2), "%s And entropy() does not know the target.", logits_as_weights);
    MISTAKE_NUMBER(log(2), "%s", logits_as_weights);
    MISTAKE_NUMBER(-log(2), "%s", logits_as_weights);
    MISTAKE_NUMBER(-2, "That is -logits[target]. A logit says nothing without the others: where is "
                       "log_sum_exp() of all?");
    expect_loss(__LINE__, 0.239545, 3, logits, 0, 1e-6);
}

static void the_target_is_counted_from_zero(void) {
    NEW_VECTOR_OF(logits, 4, 1, -2, 3, 0.5);
    const double whole = log(exp(1) + exp(-2) + exp(3) + exp(0.5));
    for (int target = 0; target < 4; target++) {
        const double none = -1e9, behind = target < 3 ? whole - logits[target + 1] : none;
        const double before = target > 0 ? whole - logits[target - 1] : none;
        MISTAKE_NUMBER(before,
                       "You looked at the logit of another class, the one before the target or the "
                       "first. It is logits[target], and target counts from 0.");
        MISTAKE_NUMBER(behind, "You looked at the logit behind the target: target counts from 0.");
        MISTAKE_NUMBER(whole - 3, "You looked at the largest logit. The target is what should have "
                                  "been said, not what was.");
        MISTAKE_NUMBER(whole - 1, "You looked at the first logit, whatever the target is.");
        expect_loss(__LINE__, whole - logits[target], 4, logits, target, ROUNDING);
    }
}

static void enormous_logits_cost_what_they_should(void) {
    NEW_VECTOR_OF(logits, 3, 10000, -10000, 9999);
    const double expected[3] = {log1p(exp(-1)), 20000 + log1p(exp(-1)), 1 + log1p(exp(-1))};
    for (int target = 0; target < 3; target++) {
        double loss = cross_entropy(3, logits, target);
        MISTAKE_IF(isinf(loss) || isnan(loss) || loss > 1e5,
                   "An exponential ran over, or a weight fell to 0 before its logarithm. Compute "
                   "no weight: log_sum_exp() survives this.");
        MISTAKE_IF(target == 1,
                   "A target this unlikely costs 20000. Did you put a floor under the weight, or "
                   "add something small to it? Without a weight none is needed.");
        expect_loss(__LINE__, expected[target], 3, logits, target, ROUNDING);
    }
}

static void an_impossible_other_class_costs_nothing(void) {
    NEW_VECTOR_OF(logits, 3, 1, -INFINITY, 1);
    double loss = cross_entropy(3, logits, 0);
    MISTAKE_IF(isnan(loss), "0 times -INFINITY is NaN. Only the target's logit belongs into the "
                            "sum, the others into log_sum_exp().");
    expect_loss(__LINE__, log(2), 3, logits, 0, 1e-12);
}

static void adding_to_all_logits_changes_no_loss(void) {
    const double shifts[4] = {-700, 3, 700, 5000};
    for (int i = 0; i < 4; i++) {
        NEW_VECTOR_OF(logits, 3, 0.5, -1, 2);
        for (int j = 0; j < 3; j++)
            logits[j] += shifts[i];
        const double expected = log(exp(1.5) + 1 + exp(3));
        MISTAKE_IF(true,
                   "All logits are %g higher than before. The softmax sees differences only, "
                   "and so does the loss.",
                   shifts[i]);
        expect_loss(__LINE__, expected, 3, logits, 1, ROUNDING);
    }
}

static void certainty_costs_nothing_and_ignorance_log_n(void) {
    NEW_VECTOR_OF(sure, 3, -50, 50, -60);
    expect_loss(__LINE__, 0.0, 3, sure, 1, 1e-12);
    NEW_VECTOR_FILLED(alone, 1, 3.0);
    expect_loss(__LINE__, 0.0, 1, alone, 0, 1e-12);
    for (int n = 2; n <= 1000; n = 3 * n + 1) {
        NEW_VECTOR_FILLED(logits, n, -0.75);
        MISTAKE_IF(true, "All %d logits are equal: whatever the target is, the loss is log(%d).", n,
                   n);
        expect_loss(__LINE__, log(n), n, logits, n / 2, ROUNDING);
    }
}

static void random_losses_agree_with_the_obvious_formula(void) {
    struct random r = random_seed(620);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += exp(logits[j]);
        for (int target = 0; target < n; target++) {
            double expected = -log(exp(logits[target]) / sum);
            double loss = cross_entropy(n, logits, target);
            expect_loss(__LINE__, expected, n, logits, target, ROUNDING);
            EXPECT_THAT(loss >= 0.0, "the loss is %g; a loss is never negative", loss);
        }
    }
}

/* cross_entropy_backward */

static void the_worked_logits_are_pushed_so_much(void) {
    NEW_VECTOR_OF(logits, 3, 2, 0, 0);
    NEW_VECTOR_FILLED(d_logits, 3, 0.0);
    cross_entropy_backward(3, logits, 0, d_logits);
    const double p = 0.786986, q = 0.106507;
    const double expected[3] = {p - 1, q, q};
    const double twice[3] = {-0.126526, 0.063263, 0.063263};
    const double not_through[3] = {-0.503167, 0.251583, 0.251583};
    const double no_target[3] = {p, q, q};
    const double minus[3] = {1 - p, -q, -q};
    const double everywhere[3] = {p - 1, q - 1, q - 1};
    const double averaged[3] = {(p - 1) / 3, q / 3, q / 3};
    const double target_only[3] = {p - 1, 0, 0};
    const double others_only[3] = {0, q, q};
    const double of_weight[3] = {-1 / p, 0, 0};
    const double plus[3] = {p + 1, q, q};
    const double from_logits[3] = {1, 0, 0};
    const double by_weight[3] = {p * (p - 1), -p * q, -p * q};
    const double bare[3] = {exp(2) - 1, 1, 1};
    const double of_target[3] = {p - 1, p, p};
    const double n_times[3] = {p - 3, q, q};
    const double no_exp[3] = {log(p) - 1, log(q), log(q)};
    const double nothing[3] = {0};
    mistake_if_never_set(3, d_logits);
    MISTAKE_VECTOR(3, n_times,
                   "The 1 was taken off n times: does that line stand inside the loop over all "
                   "logits? Once is enough.");
    MISTAKE_VECTOR(3, no_exp,
                   "These are logarithms of the weights, less 1 at the target: exp() is missing.");
    MISTAKE_VECTOR(3, nothing, "Nothing was added into d_logits.");
    MISTAKE_VECTOR(3, twice,
                   "That is the way back of a softmax taken twice: once to make probabilities, and "
                   "again of those. One softmax(logits), less 1 at the target.");
    MISTAKE_VECTOR(3, not_through,
                   "You took the softmax of probabilities. One softmax(logits), less 1 at the "
                   "target.");
    MISTAKE_VECTOR(3, no_target,
                   "That is the softmax alone. Where is the target? Less 1 there: nothing else "
                   "tells the right class from the wrong ones.");
    MISTAKE_VECTOR(3, minus,
                   "Your sign is the wrong way round. A higher logit of the target LOWERS the "
                   "loss: its gradient is negative.");
    MISTAKE_VECTOR(3, everywhere,
                   "You subtracted 1 everywhere. Only at the target: else all classes are right.");
    MISTAKE_VECTOR(3, averaged,
                   "You divided by n. One target has one loss: there is nothing to average.");
    MISTAKE_VECTOR(3, target_only,
                   "Only the target got a gradient. The others share the softmax: raising one of "
                   "them costs the target some weight.");
    MISTAKE_VECTOR(
        3, others_only,
        "The target, entry 0 here, got no gradient: softmax(logits) there, too, and then "
        "less 1.");
    MISTAKE_VECTOR(3, of_weight,
                   "That is the gradient for the weights. Go back through the softmax to the "
                   "logits as well.");
    MISTAKE_VECTOR(3, plus, "You added 1 at the target. Less 1: its gradient is negative.");
    MISTAKE_VECTOR(3, from_logits,
                   "You took 1 from the logits themselves: their softmax is missing.");
    MISTAKE_VECTOR(3, bare,
                   "exp(logits[j]) is no weight yet: divide by the sum of all, as softmax does.");
    MISTAKE_VECTOR(3, of_target,
                   "Every class got the weight of the target. Each has a weight of its own.");
    MISTAKE_VECTOR(3, by_weight,
                   "That is the gradient of the weight of the target. The loss is -log of it.");
    EXPECT_VECTOR(3, expected, d_logits, 2e-6);
}

static void the_right_class_is_pushed_whichever_it_is(void) {
    NEW_VECTOR_OF(logits, 3, 0.5, -1, 2);
    const double sum = exp(0.5) + exp(-1) + exp(2);
    const double p[3] = {exp(0.5) / sum, exp(-1) / sum, exp(2) / sum};
    for (int target = 0; target < 3; target++) {
        NEW_VECTOR_LIKE(expected, 3, p);
        NEW_VECTOR_LIKE(at_first, 3, p);
        NEW_VECTOR_LIKE(at_largest, 3, p);
        NEW_VECTOR_LIKE(next, 3, p);
        NEW_VECTOR_LIKE(before, 3, p);
        expected[target] -= 1, at_first[0] -= 1, at_largest[2] -= 1;
        next[(target + 1) % 3] -= 1, before[(target + 2) % 3] -= 1;
        NEW_VECTOR_FILLED(d_logits, 3, 0.0);
        cross_entropy_backward(3, logits, target, d_logits);
        MISTAKE_VECTOR(3, at_largest, "You took the largest logit for the target.");
        MISTAKE_VECTOR(3, at_first, "You took the first class for the target, whatever it is.");
        MISTAKE_VECTOR(3, next,
                       "The 1 was taken off one place behind the target, which counts "
                       "from 0.");
        MISTAKE_VECTOR(3, before,
                       "The 1 was taken off one place before the target, which counts "
                       "from 0.");
        MISTAKE_VECTOR(3, p, "The 1 was taken off nowhere: target counts from 0.");
        mistake_if_a_float(3, expected, d_logits);
        EXPECT_VECTOR(3, expected, d_logits, ROUNDING);
    }
}

static void what_the_logits_gain_is_added_to_what_is_there(void) {
    NEW_VECTOR_OF(logits, 3, 0, 0, 0);
    NEW_VECTOR_FILLED(d_logits, 3, 10.0);
    const double third = 1.0 / 3, gained[3] = {third, third - 1, third};
    const double overwritten_first[3] = {10 + third, third - 1, 10 + third};
    cross_entropy_backward(3, logits, 1, d_logits);
    MISTAKE_VECTOR(3, overwritten_first,
                   "At the target you overwrote what d_logits held: add there with +=, too.");
    EXPECT_ADDED(0, 3, 10.0, gained, d_logits);
}

static void pushes_balance_even_at_enormous_logits(void) {
    NEW_VECTOR_OF(logits, 4, 10000, -10000, 10000, -INFINITY);
    const double expected[3][4] = {{-0.5, 0, 0.5, 0}, {0.5, -1, 0.5, 0}, {0.5, 0, -0.5, 0}};
    for (int target = 0; target < 3; target++) {
        NEW_VECTOR_FILLED(d_logits, 4, 0.0);
        cross_entropy_backward(4, logits, target, d_logits);
        MISTAKE_IF(isnan(d_logits[0] + d_logits[1] + d_logits[2] + d_logits[3]),
                   "An exponential ran over, and infinity over infinity is NaN. Lesson 01's "
                   "softmax takes the largest score away first.");
        EXPECT_VECTOR(4, expected[target], d_logits, 1e-12);
    }
}

static void the_pushes_sum_to_zero(void) {
    struct random r = random_seed(621);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        NEW_VECTOR_FILLED(d_logits, n, 0.0);
        NEW_VECTOR_FILLED(ones, n, 1.0);
        cross_entropy_backward(n, logits, n / 2, d_logits);
        MISTAKE_IF(true,
                   "n = %d. What the target gains, the others lose: adding to all logits "
                   "changes no loss.",
                   n);
        EXPECT_NUMBER(0.0, sum_of_products(n, ones, d_logits), 1e-12);
    }
}

struct surprise {
    int n, target;
    double *logits;
};

static double loss_of_logits(void *context) {
    const struct surprise *s = context;
    return cross_entropy(s->n, s->logits, s->target);
}

static void pushes_are_what_nudging_measures(void) {
    struct random r = random_seed(622);
    for (int n = 2; n <= 7; n++) {
        NEW_VECTOR_RANDOM(logits, n, &r);
        NEW_VECTOR(measured, n);
        NEW_VECTOR_FILLED(d_logits, n, 0.0);
        struct surprise s = {n, n - 2, logits};
        numeric_gradient(loss_of_logits, &s, n, logits, measured);
        cross_entropy_backward(n, logits, n - 2, d_logits);
        EXPECT_GRADIENT(0, n, measured, d_logits, SLOPES);
    }
}

/* sgd_step */

static void the_worked_step_goes_downhill(void) {
    NEW_VECTOR_OF(gradient, 2, 1, -2);
    NEW_VECTOR_OF(parameter, 2, 0.5, 0.5);
    sgd_step(2, 0.1, gradient, parameter);
    const double expected[2] = {0.4, 0.7};
    const double uphill[2] = {0.6, 0.3};
    const double set[2] = {-0.1, 0.2};
    const double whole[2] = {-0.5, 2.5};
    const double squared[2] = {0.49, 0.52};
    const double divided[2] = {-9.5, 20.5};
    const double averaged[2] = {0.45, 0.6};
    const double signs[2] = {0.4, 0.6};
    const double by_parameter[2] = {0.45, 0.45};
    const double unmoved[2] = {0.5, 0.5};
    const double first_only[2] = {0.4, 0.5};
    const double second_only[2] = {0.5, 0.7};
    const double together[2] = {0.4, 0.4};
    MISTAKE_VECTOR(2, uphill,
                   "You went uphill. The gradient points to where the loss grows: "
                   "subtract.");
    MISTAKE_VECTOR(2, set,
                   "You replaced the parameter by the step. A step starts from where you "
                   "are: -=, not =.");
    MISTAKE_VECTOR(2, whole, "The learning rate has no say: how far along the gradient?");
    MISTAKE_VECTOR(2, squared, "You multiplied by the learning rate twice.");
    MISTAKE_VECTOR(2, divided, "You divided by the learning rate: a small rate is a small step.");
    MISTAKE_VECTOR(2, averaged,
                   "You divided by n, or multiplied by the parameter itself. Each parameter takes "
                   "a step of its own: learning_rate times its gradient.");
    MISTAKE_VECTOR(2, signs,
                   "Only the sign of the gradient counted. A steep slope takes a long "
                   "step.");
    MISTAKE_VECTOR(2, by_parameter,
                   "You took a share of the parameter away: where is the gradient?");
    MISTAKE_VECTOR(
        2, unmoved,
        "The parameter did not move. Is the result written back into parameter[i], and is "
        "the step not rounded to 0?");
    MISTAKE_VECTOR(2, first_only, "Only the first parameter took its step.");
    MISTAKE_VECTOR(2, second_only,
                   "The first parameter did not move. Its index is 0: where does the loop begin?");
    MISTAKE_VECTOR(2, together,
                   "Both went down by 0.1, though their gradients differ. Parameter i moves by "
                   "learning_rate times gradient[i]: not the rate alone, nor gradient[0] for all.");
    EXPECT_VECTOR(2, expected, parameter, FOUR_DECIMALS);
}

static void every_parameter_takes_its_own_step(void) {
    struct random r = random_seed(623);
    for (int n = 1; n <= 9; n++) {
        NEW_VECTOR_RANDOM(gradient, n, &r);
        NEW_VECTOR_RANDOM(parameter, n, &r);
        NEW_VECTOR(expected, n);
        for (int i = 0; i < n; i++)
            expected[i] = parameter[i] - 0.3 * gradient[i];
        sgd_step(n, 0.3, gradient, parameter);
        mistake_if_a_float(n, expected, parameter);
        MISTAKE_IF(true, "Here n is %d. Does every parameter take its own step?", n);
        EXPECT_VECTOR(n, expected, parameter, 1e-12);
    }
}

static void a_rate_of_zero_leaves_every_bit_alone(void) {
    NEW_VECTOR_OF(gradient, 3, 1e300, -2, 0);
    NEW_VECTOR_OF(parameter, 3, 0.1, -1e-300, 3);
    NEW_VECTOR_LIKE(before, 3, parameter);
    sgd_step(3, 0.0, gradient, parameter);
    EXPECT_VECTOR(3, before, parameter, 0.0);
}

/* What two words say: the first asks, the second is one of two answers. Returns the loss, and takes
   a step. */
static double train_on(int answer, double W_q[3][2], double W_k[3][2], double W_v[3][2]) {
    NEW_MATRIX_FILLED(X, 2, 3, 0.0);
    X[0][0] = X[1][1 + answer] = 1.0;
    struct text text = {.z = {2, 3, 2, 2}, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v};
    FORWARD(text);
    NEW_MATRIX_FILLED(d_out, 2, 2, 0.0);
    cross_entropy_backward(2, out[0], answer, d_out[0]);
    text.Q = Q, text.K = K, text.V = V, text.weights = weights, text.d_out = d_out;
    BACKWARD(text, 0.0);
    sgd_step(6, 0.5, d_W_q[0], W_q[0]);
    sgd_step(6, 0.5, d_W_k[0], W_k[0]);
    sgd_step(6, 0.5, d_W_v[0], W_v[0]);
    return cross_entropy(2, out[0], answer);
}

static void a_head_of_two_words_learns_to_answer(void) {
    struct random r = random_seed(624);
    NEW_MATRIX_RANDOM(W_q, 3, 2, &r);
    NEW_MATRIX_RANDOM(W_k, 3, 2, &r);
    NEW_MATRIX_RANDOM(W_v, 3, 2, &r);
    double first = 0.0, last = 0.0;
    for (int step = 0; step < 150; step++) {
        last = train_on(0, W_q, W_k, W_v) + train_on(1, W_q, W_k, W_v);
        if (step == 0)
            first = last;
    }
    MISTAKE_IF(true, "Everything that training needs is written, and the loss does not fall. Is a "
                     "step taken against the gradient, in every parameter?");
    EXPECT_THAT(last < 0.05 && first > 0.5,
                "the loss was %.4f before and is %.4f after so many steps; it falls below 0.05",
                first, last);
}

static const struct lesson_test tests[] = {
    TEST(project, the_worked_rows_are_projected),
    TEST(project, rows_of_the_words_meet_columns_of_the_matrix),
    TEST(project, random_words_agree_with_the_obvious_product),

    TEST(project_backward, the_worked_projection_goes_back_to_words_and_matrix),
    TEST(project_backward, the_way_back_turns_over_the_right_matrix),
    TEST(project_backward, both_gradients_of_a_projection_are_added_to_what_is_there),
    TEST(project_backward, both_gradients_of_a_projection_are_what_nudging_measures),
    TEST(project_backward, words_that_go_through_two_matrices_collect_from_both),
    TEST(project_backward, random_projections_go_back_as_the_obvious_products_say),

    TEST(self_attention, the_worked_example_without_a_mask_comes_out),
    TEST(self_attention, three_matrices_make_queries_keys_and_values),
    TEST(self_attention, queries_ask_and_keys_answer),
    TEST(self_attention, values_are_what_is_fetched),
    TEST(self_attention, what_the_mask_blocks_has_no_weight),
    TEST(self_attention, the_mask_is_taken_as_it_is_given),
    TEST(self_attention, matrices_that_change_nothing_give_plain_scaled_attention),
    TEST(self_attention, with_a_mask_it_is_masked_attention_of_the_projections),
    TEST(self_attention, shuffling_the_words_shuffles_the_outputs),
    TEST(self_attention, a_blocked_word_changes_nobody_elses_output),
    TEST(self_attention, a_word_that_may_look_at_nothing_fetches_nothing),
    TEST(self_attention, random_texts_agree_with_the_obvious_way),

    TEST(self_attention_backward, three_ways_lead_back_to_the_worked_words),
    TEST(self_attention_backward, each_way_back_goes_through_its_own_matrix),
    TEST(self_attention_backward, each_matrix_gets_what_its_own_projection_earned),
    TEST(self_attention_backward, all_four_gradients_are_added_to_what_is_there),
    TEST(self_attention_backward, all_four_gradients_are_what_nudging_measures),
    TEST(self_attention_backward, under_a_mask_they_are_what_nudging_measures_too),
    TEST(self_attention_backward, beside_a_word_that_sees_nothing_they_are_still_right),
    TEST(self_attention_backward, the_mask_holds_on_the_way_back_too),
    TEST(self_attention_backward, if_all_is_blocked_no_gradient_changes),
    TEST(self_attention_backward, what_the_forward_pass_left_is_what_counts),
    TEST(self_attention_backward, a_matrix_in_three_roles_collects_three_gradients),
    TEST(self_attention_backward, random_ways_back_agree_with_the_obvious_one),
    TEST(self_attention_backward, wide_words_do_not_fit_the_stack),

    TEST(cross_entropy, the_worked_logits_cost_so_much),
    TEST(cross_entropy, the_target_is_counted_from_zero),
    TEST(cross_entropy, enormous_logits_cost_what_they_should),
    TEST(cross_entropy, an_impossible_other_class_costs_nothing),
    TEST(cross_entropy, adding_to_all_logits_changes_no_loss),
    TEST(cross_entropy, certainty_costs_nothing_and_ignorance_log_n),
    TEST(cross_entropy, random_losses_agree_with_the_obvious_formula),

    TEST(cross_entropy_backward, the_worked_logits_are_pushed_so_much),
    TEST(cross_entropy_backward, the_right_class_is_pushed_whichever_it_is),
    TEST(cross_entropy_backward, what_the_logits_gain_is_added_to_what_is_there),
    TEST(cross_entropy_backward, pushes_balance_even_at_enormous_logits),
    TEST(cross_entropy_backward, the_pushes_sum_to_zero),
    TEST(cross_entropy_backward, pushes_are_what_nudging_measures),

    TEST(sgd_step, the_worked_step_goes_downhill),
    TEST(sgd_step, every_parameter_takes_its_own_step),
    TEST(sgd_step, a_rate_of_zero_leaves_every_bit_alone),
    TEST(sgd_step, a_head_of_two_words_learns_to_answer),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
