/* Lesson 06: what self_attention.h promises of the head: its forward pass and its backward
   pass. */
#include "sizes.h"

#include "../jacobian.h"
#include "masked.h"
#include "scaled.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct sizes few_words = {3, 2, 4, 5}, five_words = {5, 3, 4, 2};

/* The masks that a text may have. */
enum mask { NO_MASK, CAUSAL, PADDED, SCATTERED, MASKS };

/* SCATTERED blocks everything for the first word. */
static bool is_blocked(enum mask mask, int n, int i, int j) {
    return (mask == CAUSAL && j > i) || (mask == PADDED && j >= (n + 1) / 2) ||
           (mask == SCATTERED && (i == 0 || (2 * i + 5 * j) % 7 == 1));
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

/* exp(score) over the sum of those that are not blocked; the scores of these tests are small. */
static void *obvious_weights(int n, int d_k, const void *Q, const void *K, const void *mask) {
    const bool(*blocked)[n] = mask;
    double(*obvious)[n] = times_rows(n, d_k, n, Q, K);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            bool looks = !blocked || !blocked[i][j];
            obvious[i][j] = looks ? exp(obvious[i][j] / sqrt(d_k)) : 0.0;
            sum += obvious[i][j];
        }
        if (sum > 0.0)
            scale_into(n, 1.0 / sum, obvious[i], obvious[i]);
    }
    return obvious;
}

/* A text with its matrices, the results of the forward pass, and the gradients. */
struct text {
    struct sizes z;
    void *X, *W_q, *W_k, *W_v, *blocked, *Q, *K, *V, *weights, *out;
    const void *d_out;
    void *d_X, *d_W_q, *d_W_k, *d_W_v;
};

static void project_obviously(struct text *t) {
    t->Q = times(t->z.n, t->z.d_model, t->z.d_k, t->X, t->W_q);
    t->K = times(t->z.n, t->z.d_model, t->z.d_k, t->X, t->W_k);
    t->V = times(t->z.n, t->z.d_model, t->z.d_v, t->X, t->W_v);
}

static void obvious_forward(struct text *t) {
    project_obviously(t);
    t->weights = obvious_weights(t->z.n, t->z.d_k, t->Q, t->K, t->blocked);
    t->out = times(t->z.n, t->z.n, t->z.d_v, t->weights, t->V);
}

static void obvious_backward(struct text *t) {
    const int n = t->z.n, d_model = t->z.d_model, d_k = t->z.d_k, d_v = t->z.d_v;
    NEW_MATRIX(d_scores, n, n);
    obvious_d_scores(n, n, t->weights, times_rows(n, d_v, n, t->d_out, t->V), d_scores);
    scale_into(n * n, 1 / sqrt(d_k), d_scores, d_scores);
    void *d_Q = times(n, n, d_k, d_scores, t->K);
    void *d_K = columns_times(n, n, d_k, d_scores, t->Q);
    void *d_V = columns_times(n, n, d_v, t->weights, t->d_out);
    t->d_X = times_rows(n, d_k, d_model, d_Q, t->W_q);
    add_into(n * d_model, times_rows(n, d_k, d_model, d_K, t->W_k), t->d_X);
    add_into(n * d_model, times_rows(n, d_v, d_model, d_V, t->W_v), t->d_X);
    t->d_W_q = columns_times(d_model, n, d_k, t->X, d_Q);
    t->d_W_k = columns_times(d_model, n, d_k, t->X, d_K);
    t->d_W_v = columns_times(d_model, n, d_v, t->X, d_V);
}

/* Declares a random text X, its matrices, and `text`, which contains them. */
#define RANDOM_TEXT(size, mask, generator)                                                         \
    NEW_MATRIX_RANDOM(X, (size).n, (size).d_model, generator);                                     \
    NEW_MATRIX_RANDOM(W_q, (size).d_model, (size).d_k, generator);                                 \
    NEW_MATRIX_RANDOM(W_k, (size).d_model, (size).d_k, generator);                                 \
    NEW_MATRIX_RANDOM(W_v, (size).d_model, (size).d_v, generator);                                 \
    void *blocked = mask_of(mask, (size).n);                                                       \
    struct text text = {.z = size, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v, .blocked = blocked}

/* The worked example of the text, in which all three matrices are {{1}}. */
#define WORKED_TEXT                                                                                \
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});                                                              \
    NEW_MATRIX_OF(W_q, 1, 1, {1});                                                                 \
    NEW_MATRIX_OF(W_k, 1, 1, {1});                                                                 \
    NEW_MATRIX_OF(W_v, 1, 1, {1});                                                                 \
    struct text text = {.z = {2, 1, 1, 1}, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v}

/* Square matrices, so that an exchanged or transposed one has the right shape, too. */
#define SQUARE_TEXT                                                                                \
    NEW_MATRIX_OF(X, 3, 2, {1, 0.5}, {-1, 1}, {0, 2});                                             \
    NEW_MATRIX_OF(W_q, 2, 2, {1, 2}, {0, 1});                                                      \
    NEW_MATRIX_OF(W_k, 2, 2, {0.5, -1}, {1, 0});                                                   \
    NEW_MATRIX_OF(W_v, 2, 2, {1, 3}, {2, -1});                                                     \
    struct text text = {.z = {3, 2, 2, 2}, .X = X, .W_q = W_q, .W_k = W_k, .W_v = W_v};            \
    obvious_forward(&text)

/* Declares the outputs of the forward pass, and calls it. */
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

/* Declares the four gradients, filled with `held`, and calls the backward pass. */
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

/* Compares the learner's result with the one in `text`. */
#define EXPECT_OF_TEXT(rows, cols, made, tolerance)                                                \
    BECAUSE("Here n is %d, d_model is %d, d_k is %d and d_v is %d; blocked is %s.", text.z.n,      \
            text.z.d_model, text.z.d_k, text.z.d_v, text.blocked ? "a mask" : "NULL");             \
    EXPECT_MATRIX(text.z.rows, text.z.cols, text.made, made, tolerance)
#define EXPECT_ALL_FOUR(tolerance)                                                                 \
    EXPECT_OF_TEXT(n, d_model, d_X, tolerance);                                                    \
    EXPECT_OF_TEXT(d_model, d_k, d_W_q, tolerance);                                                \
    EXPECT_OF_TEXT(d_model, d_k, d_W_k, tolerance);                                                \
    EXPECT_OF_TEXT(d_model, d_v, d_W_v, tolerance)

/* self_attention */

/* The weights come from a call, so the usual advice about loops would not help. */
static void expect_filled(int n, const double weights[n][n]) {
    int unset = 0;
    for (int i = 0; i < n * n; i++)
        unset += is_unset(weights[i / n][i % n]);
    BECAUSE("In self-attention there are n queries and n keys, so weights has n rows of n.");
    EXPECT_THAT(unset % (n * n) == 0, "weights: %d of %d cells were never set", unset, n * n);
}

TEST(self_attention, the_worked_example_without_a_mask_comes_out) {
    WORKED_TEXT;
    FORWARD(text);
    const double expected_weights[2][2] = {{0.2689, 0.7311}, {0.1192, 0.8808}};
    const double expected_out[2][1] = {{1.7311}, {1.8808}};
    EXPECT_MATRIX(2, 1, X, Q, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, X, K, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, X, V, FOUR_DECIMALS);
    expect_filled(2, weights);
    EXPECT_MATRIX(2, 2, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 1, expected_out, out, FOUR_DECIMALS);
}

TEST(self_attention, three_matrices_make_queries_keys_and_values) {
    SQUARE_TEXT;
    FORWARD(text);
    EXPECT_MATRIX(3, 2, text.Q, Q, ROUNDING);
    EXPECT_MATRIX(3, 2, text.K, K, ROUNDING);
    EXPECT_MATRIX(3, 2, text.V, V, ROUNDING);
}

#define ON_A_SQUARE(of, name, cols, made)                                                          \
    TEST(of, name) {                                                                               \
        SQUARE_TEXT;                                                                               \
        FORWARD(text);                                                                             \
        EXPECT_MATRIX(3, cols, text.made, made, ROUNDING);                                         \
    }
ON_A_SQUARE(self_attention, queries_ask_and_keys_answer, 3, weights)
ON_A_SQUARE(self_attention, values_are_what_is_fetched, 2, out)

static void expect_square_text_under(void *blocked) {
    SQUARE_TEXT;
    text.blocked = blocked;
    obvious_forward(&text);
    FORWARD(text);
    expect_filled(3, weights);
    EXPECT_MATRIX(3, 3, text.weights, weights, ROUNDING);
    EXPECT_MATRIX(3, 2, text.out, out, ROUNDING);
}

TEST(self_attention, what_the_mask_blocks_has_no_weight) {
    expect_square_text_under(mask_of(CAUSAL, 3));
}

/* The opposite of a causal mask: only later words are not blocked. */
TEST(self_attention, the_mask_is_taken_as_it_is_given) {
    NEW_MASK_OF(blocked, 3, 3, {true, false, true}, {true, true, false}, {false, true, false});
    expect_square_text_under(blocked);
}

TEST(self_attention, matrices_that_change_nothing_give_plain_scaled_attention) {
    struct random r = random_seed(606);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_OF(W_q, 3, 3, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
    struct text text = {.z = {5, 3, 3, 3}, .X = X, .W_q = W_q, .W_k = W_q, .W_v = W_q};
    FORWARD(text);
    obvious_forward(&text);
    scaled_dot_product_attention(5, 5, 3, 3, X, X, X, text.weights, text.out);
    BECAUSE("All three matrices are the identity, so this is lesson 03's attention of X.");
    EXPECT_MATRIX(5, 5, text.weights, weights, 1e-12);
    EXPECT_MATRIX(5, 3, text.out, out, 1e-12);
}

TEST(self_attention, with_a_mask_it_is_masked_attention_of_the_projections) {
    struct random r = random_seed(607);
    for (enum mask mask = CAUSAL; mask < MASKS; mask++) {
        RANDOM_TEXT(five_words, mask, &r);
        FORWARD(text);
        obvious_forward(&text);
        masked_attention(5, 5, 4, 2, text.Q, text.K, text.V, blocked, text.weights, text.out);
        EXPECT_MATRIX(5, 5, text.weights, weights, 1e-12);
        EXPECT_MATRIX(5, 2, text.out, out, 1e-12);
    }
}

static void *output_of(const struct text *t) {
    FORWARD(*t);
    return out;
}

/* Row j comes from row order[j], and every row moves. */
static const int order[5] = {2, 0, 4, 1, 3};

static void *shuffled(int cols, const double from[5][cols]) {
    NEW_MATRIX(to, 5, cols);
    for (int j = 0; j < 5; j++)
        memcpy(to[j], from[order[j]], sizeof to[j]);
    return to;
}

TEST(self_attention, shuffling_the_words_shuffles_the_outputs) {
    struct random r = random_seed(608);
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        RANDOM_TEXT(five_words, mask, &r);
        void *plain_out = output_of(&text);
        NEW_MASK(shuffled_blocked, 5, 5);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                shuffled_blocked[i][j] = is_blocked(mask, 5, order[i], order[j]);
        text.X = shuffled(3, X);
        text.blocked = blocked ? shuffled_blocked : NULL;
        FORWARD(text);
        BECAUSE("The words are in another order%s, and the outputs must follow them.",
                blocked ? ", and so is the mask" : "");
        EXPECT_MATRIX(5, 2, shuffled(2, plain_out), out, ROUNDING);
    }
}

TEST(self_attention, a_blocked_word_changes_nobody_elses_output) {
    struct random r = random_seed(609);
    const struct sizes z = {4, 3, 2, 5};
    RANDOM_TEXT(z, CAUSAL, &r);
    void *out_before = output_of(&text);
    const double others[4] = {-3, 1e5, 1e100, 1e200};
    for (int i = 0; i < 4; i++) {
        fill(3, others[i], X[3]);
        FORWARD(text);
        BECAUSE("The last word contains %g now, and it is blocked for the first three.", others[i]);
        EXPECT_MATRIX(3, 5, out_before, out, 0.0);
    }
}

TEST(self_attention, a_word_that_may_look_at_nothing_fetches_nothing) {
    struct random r = random_seed(610);
    const struct sizes z = {4, 2, 3, 5};
    RANDOM_TEXT(z, SCATTERED, &r);
    FORWARD(text);
    const double zeros[5] = {0};
    BECAUSE("For word 0 all is blocked, so its weights and its output are exactly 0.");
    EXPECT_VECTOR(4, zeros, weights[0], 0.0);
    EXPECT_VECTOR(5, zeros, out[0], 0.0);
}

TEST(self_attention, random_texts_agree_with_the_obvious_way) {
    struct random r = random_seed(611);
    FOR_ALL_SIZES(z)
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        RANDOM_TEXT(*z, mask, &r);
        FORWARD(text);
        obvious_forward(&text);
        EXPECT_OF_TEXT(n, d_k, Q, ROUNDING);
        EXPECT_OF_TEXT(n, d_k, K, ROUNDING);
        EXPECT_OF_TEXT(n, d_v, V, ROUNDING);
        EXPECT_OF_TEXT(n, n, weights, ROUNDING);
        EXPECT_OF_TEXT(n, d_v, out, ROUNDING);
    }
}

/* self_attention_backward */

TEST(self_attention_backward, three_ways_lead_back_to_the_worked_words) {
    WORKED_TEXT;
    NEW_MATRIX_FILLED(d_out, 2, 1, 1.0);
    text.d_out = d_out;
    obvious_forward(&text);
    BACKWARD(text, 0.0);
    const double expected_d_X[2][1] = {{0.1782}, {2.1234}};
    const double expected_d_W_q[1][1] = {{0.4066}}, expected_d_W_v[1][1] = {{3.6119}};
    EXPECT_MATRIX(2, 1, expected_d_X, d_X, FOUR_DECIMALS);
    EXPECT_MATRIX(1, 1, expected_d_W_q, d_W_q, FOUR_DECIMALS);
    EXPECT_MATRIX(1, 1, expected_d_W_q, d_W_k, FOUR_DECIMALS);
    EXPECT_MATRIX(1, 1, expected_d_W_v, d_W_v, FOUR_DECIMALS);
}

/* The address sanitizer fills each new block of memory with garbage; without it, the heap hands out
   what was left in a freed one. So memory that was wrongly assumed to be zero is noticed. */
static void disturb_the_heap(void) {
    void *blocks[12];
    for (int i = 0; i < 12; i++)
        blocks[i] = fill(6, 1e-6, malloc(48));
    for (int i = 0; i < 12; i++)
        free(blocks[i]);
}

/* The forward and the backward pass of the square text. */
#define SQUARE_WAY_BACK                                                                            \
    SQUARE_TEXT;                                                                                   \
    NEW_MATRIX_OF(d_out, 3, 2, {1, -0.5}, {0.25, 2}, {-1, 1});                                     \
    text.d_out = d_out;                                                                            \
    obvious_backward(&text);                                                                       \
    disturb_the_heap();                                                                            \
    BACKWARD(text, 0.0)

TEST(self_attention_backward, each_way_back_goes_through_its_own_matrix) {
    SQUARE_WAY_BACK;
    EXPECT_MATRIX(3, 2, text.d_X, d_X, ROUNDING);
}

TEST(self_attention_backward, each_matrix_gets_what_its_own_projection_earned) {
    SQUARE_WAY_BACK;
    EXPECT_MATRIX(2, 2, text.d_W_q, d_W_q, ROUNDING);
    EXPECT_MATRIX(2, 2, text.d_W_k, d_W_k, ROUNDING);
    EXPECT_MATRIX(2, 2, text.d_W_v, d_W_v, ROUNDING);
}

/* A random text and a random d_out. */
#define RANDOM_WAY_BACK(size, mask, generator)                                                     \
    RANDOM_TEXT(size, mask, generator);                                                            \
    NEW_MATRIX_RANDOM(d_out, (size).n, (size).d_v, generator);                                     \
    text.d_out = d_out;                                                                            \
    obvious_forward(&text);                                                                        \
    obvious_backward(&text)

TEST(self_attention_backward, all_four_gradients_are_added_to_what_is_there) {
    struct random r = random_seed(612);
    RANDOM_WAY_BACK(few_words, NO_MASK, &r);
    BACKWARD(text, 10.0);
    EXPECT_ADDED(3, 2, 10.0, text.d_X, d_X);
    EXPECT_ADDED(2, 4, 10.0, text.d_W_q, d_W_q);
    EXPECT_ADDED(2, 4, 10.0, text.d_W_k, d_W_k);
    EXPECT_ADDED(2, 5, 10.0, text.d_W_v, d_W_v);
}

static double loss_of_text(void *context) {
    const struct text *t = context;
    forward(t, t->Q, t->K, t->V, t->weights, t->out);
    return sum_of_products(t->z.n * t->z.d_v, t->out, t->d_out);
}

/* With small numbers the gradient of the softmax does not vanish. */
static void expect_slopes(struct sizes z, enum mask mask, struct random *r) {
    RANDOM_WAY_BACK(z, mask, r);
    scale_into(z.n * z.d_model, 0.5, X, X);
    FORWARD(text);
    text.Q = Q, text.K = K, text.V = V, text.weights = weights, text.out = out;
    BACKWARD(text, 0.0);
    EXPECT_NUDGED(loss_of_text, &text, z.n, z.d_model, X, d_X);
    EXPECT_NUDGED(loss_of_text, &text, z.d_model, z.d_k, W_q, d_W_q);
    EXPECT_NUDGED(loss_of_text, &text, z.d_model, z.d_k, W_k, d_W_k);
    EXPECT_NUDGED(loss_of_text, &text, z.d_model, z.d_v, W_v, d_W_v);
}

TEST(self_attention_backward, all_four_gradients_are_what_nudging_measures) {
    struct random r = random_seed(613);
    for (int i = 0; i < 4; i++)
        expect_slopes(all_sizes[i], NO_MASK, &r);
}

TEST(self_attention_backward, under_a_mask_they_are_what_nudging_measures_too) {
    struct random r = random_seed(614);
    expect_slopes((struct sizes){4, 2, 3, 5}, CAUSAL, &r);
    expect_slopes((struct sizes){3, 5, 4, 2}, CAUSAL, &r);
    expect_slopes((struct sizes){5, 3, 1, 4}, PADDED, &r);
}

TEST(self_attention_backward, beside_a_word_that_sees_nothing_they_are_still_right) {
    struct random r = random_seed(615);
    expect_slopes((struct sizes){4, 2, 3, 5}, SCATTERED, &r);
    expect_slopes((struct sizes){5, 3, 4, 1}, SCATTERED, &r);
    expect_slopes((struct sizes){6, 1, 2, 3}, SCATTERED, &r);
}

/* The last word is blocked for all, and all is blocked for it. Its value times d_out is too large
   for a double, and 0 times infinity is NaN. */
TEST(self_attention_backward, the_mask_holds_on_the_way_back_too) {
    SQUARE_TEXT;
    NEW_MASK_OF(blocked, 3, 3, {false, false, true}, {false, false, true}, {true, true, true});
    NEW_MATRIX_OF(d_out, 3, 2, {1, -0.5}, {0.25, 2}, {0, 0});
    text.blocked = blocked, text.d_out = d_out;
    fill(2, 0.0, X[2]);
    obvious_forward(&text);
    obvious_backward(&text);
    fill(2, 1e200, X[2]);
    project_obviously(&text);
    scale_into(6, 1e150, d_out, d_out);
    BACKWARD(text, 0.0);
    scale_into(6, 1e-150, d_X, d_X);
    scale_into(4, 1e-150, d_W_v, d_W_v);
    BECAUSE("Word 2 is enormous, but it is blocked for all words, so no gradient comes back.");
    EXPECT_MATRIX(3, 2, text.d_X, d_X, ROUNDING);
    EXPECT_MATRIX(2, 2, text.d_W_v, d_W_v, ROUNDING);
}

TEST(self_attention_backward, if_all_is_blocked_no_gradient_changes) {
    struct random r = random_seed(616);
    RANDOM_WAY_BACK(few_words, CAUSAL, &r);
    memset(blocked, true, 9 * sizeof(bool));
    obvious_forward(&text);
    BACKWARD(text, 7.0);
    NEW_MATRIX_FILLED(sevens, 3, 5, 7.0);
    text.d_X = text.d_W_q = text.d_W_k = text.d_W_v = sevens;
    EXPECT_ALL_FOUR(0.0);
}

TEST(self_attention_backward, what_the_forward_pass_left_is_what_counts) {
    struct random r = random_seed(617);
    RANDOM_TEXT(few_words, NO_MASK, &r);
    NEW_MATRIX_RANDOM(d_out, 3, 5, &r);
    NEW_MATRIX_RANDOM(Q, 3, 4, &r);
    NEW_MATRIX_RANDOM(K, 3, 4, &r);
    NEW_MATRIX_RANDOM(V, 3, 5, &r);
    NEW_MATRIX_OF(weights, 3, 3, {0.1, 0.2, 0.7}, {0.3, 0.3, 0.4}, {0.5, 0, 0.5});
    text.d_out = d_out, text.Q = Q, text.K = K, text.V = V, text.weights = weights;
    obvious_backward(&text);
    BACKWARD(text, 0.0);
    BECAUSE("Q, K, V and weights do not belong to X here. Use the ones you are given.");
    EXPECT_ALL_FOUR(ROUNDING);
}

/* One matrix for queries, keys and values. */
TEST(self_attention_backward, a_matrix_in_three_roles_collects_three_gradients) {
    struct random r = random_seed(618);
    NEW_MATRIX_RANDOM(X, 4, 2, &r);
    NEW_MATRIX_RANDOM(W, 2, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 4, 3, &r);
    struct text text = {.z = {4, 2, 3, 3}, .X = X, .W_q = W, .W_k = W, .W_v = W, .d_out = d_out};
    obvious_forward(&text);
    obvious_backward(&text);
    NEW_MATRIX_FILLED(d_X, 4, 2, 0.0);
    NEW_MATRIX_FILLED(d_W, 2, 3, 0.0);
    backward(&text, d_X, d_W, d_W, d_W);
    add_into(6, text.d_W_k, text.d_W_q);
    add_into(6, text.d_W_v, text.d_W_q);
    BECAUSE("One matrix W is all three here, and d_W is the sum of its three gradients.");
    EXPECT_MATRIX(2, 3, text.d_W_q, d_W, ROUNDING);
}

TEST(self_attention_backward, random_ways_back_agree_with_the_obvious_one) {
    struct random r = random_seed(619);
    FOR_ALL_SIZES(z)
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        RANDOM_WAY_BACK(*z, mask, &r);
        NEW_MATRIX_RANDOM(d_X, z->n, z->d_model, &r);
        NEW_MATRIX_RANDOM(d_W_q, z->d_model, z->d_k, &r);
        NEW_MATRIX_RANDOM(d_W_k, z->d_model, z->d_k, &r);
        NEW_MATRIX_RANDOM(d_W_v, z->d_model, z->d_v, &r);
        add_into(z->n * z->d_model, d_X, text.d_X);
        add_into(z->d_model * z->d_k, d_W_q, text.d_W_q);
        add_into(z->d_model * z->d_k, d_W_k, text.d_W_k);
        add_into(z->d_model * z->d_v, d_W_v, text.d_W_v);
        backward(&text, d_X, d_W_q, d_W_k, d_W_v);
        EXPECT_ALL_FOUR(ROUNDING);
    }
}

/* Q takes more room here than the stack that a lesson is given. Everything is blocked, so that
   nothing takes long, and nothing may change. */
TEST(self_attention_backward, wide_words_do_not_fit_the_stack) {
    enum { n = 8, d_k = 20000 };
    NEW_MATRIX_FILLED(X, n, 1, 1.0);
    NEW_MATRIX_FILLED(W_q, 1, d_k, 1.0);
    NEW_MATRIX_FILLED(W_v, 1, 1, 1.0);
    NEW_MASK_FILLED(blocked, n, n, true);
    NEW_MATRIX_FILLED(Q, n, d_k, 1.0);
    NEW_MATRIX_FILLED(weights, n, n, 0.0);
    struct text text = {{n, 1, d_k, 1}, X, W_q, W_q, W_v, blocked, Q, Q, X, weights, .d_out = X};
    BACKWARD(text, 3.0);
    NEW_MATRIX_FILLED(threes, 1, d_k, 3.0);
    EXPECT_MATRIX(n, 1, threes, d_X, 0.0);
    EXPECT_MATRIX(1, d_k, threes, d_W_q, 0.0);
}

/* Forward pass, backward pass and a training step. */

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

TEST(sgd_step, a_head_of_two_words_learns_to_answer) {
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
    EXPECT_THAT(last < 0.05 && first > 0.5,
                "the loss was %.4g before and is %.4g after so many steps; it falls below 0.05",
                first, last);
}
