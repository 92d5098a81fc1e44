/* Lesson 05: what masked.h says about masked attention and its backward pass. */
#include "masks.h"
#include "scaled.h"

#define SIZES(q, k, width, v) enum { n_q = q, n_k = k, d_k = width, d_v = v }

/* The worked example of the lesson: three tokens, from start to end. */
#define THREE_WORDS                                                                                \
    SIZES(3, 3, 3, 2);                                                                             \
    NEW_MATRIX_OF(Q, 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, 0});                                       \
    WORKED_K;                                                                                      \
    WORKED_V

/* Amounts that a blocked place may hold. */
static const double amounts[] = {1, -1e4, 1e9, 1e300, -1e308, DBL_MAX, -DBL_MAX};

/* Everything that attention needs, at the sizes *z. */
#define RANDOM_ATTENTION(z, generator)                                                             \
    const int n_q = (z)->n_q, n_k = (z)->n_k, d_k = (z)->d_k, d_v = (z)->d_v;                      \
    NEW_MATRIX_RANDOM(Q, n_q, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(K, n_k, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(V, n_k, d_v, generator);                                                     \
    NEW_MASK(blocked, n_q, n_k);                                                                   \
    random_mask(generator, n_q, n_k, blocked)

static void block_what_comes_later(int n, bool blocked[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            blocked[i][j] = j > i;
}

/* The slow, obvious way. */
static void obvious_weights(struct sizes z, const double Q[z.n_q][z.d_k],
                            const double K[z.n_k][z.d_k], const bool blocked[z.n_q][z.n_k],
                            double weights[z.n_q][z.n_k]) {
    NEW_MATRIX(slow_scores, z.n_q, z.n_k);
    product_by_rows(z.n_q, z.d_k, z.n_k, Q, K, slow_scores);
    scale_into(z.n_q * z.n_k, 1.0 / sqrt(z.d_k), slow_scores, slow_scores);
    obvious_softmax(z.n_q, z.n_k, slow_scores, blocked, weights);
}

/* Calls, compares with the obvious way, and leaves weights and out for more. */
static void expect_right_attention(struct sizes z, const double Q[z.n_q][z.d_k],
                                   const double K[z.n_k][z.d_k], const double V[z.n_k][z.d_v],
                                   const bool blocked[z.n_q][z.n_k], double weights[z.n_q][z.n_k],
                                   double out[z.n_q][z.d_v]) {
    NEW_MATRIX(expected_weights, z.n_q, z.n_k);
    NEW_MATRIX(expected, z.n_q, z.d_v);
    obvious_weights(z, Q, K, blocked, expected_weights);
    product(z.n_q, z.n_k, z.d_v, expected_weights, V, expected);
    masked_attention(z.n_q, z.n_k, z.d_k, z.d_v, Q, K, V, blocked, weights, out);
    EXPECT_OBVIOUS(&z, z.n_q, z.n_k, expected_weights, weights, ROUNDING);
    EXPECT_OBVIOUS(&z, z.n_q, z.d_v, expected, out, ROUNDING);
}

#define ATTEND                                                                                     \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    NEW_MATRIX(out, n_q, d_v);                                                                     \
    masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, out)

/* For numeric_gradient(): the loss is the output times `upstream`. */
struct call {
    struct sizes z;
    void *Q, *K, *V;
    const void *blocked, *upstream;
};

static double loss_of_attention(void *context) {
    const struct call *c = context;
    const int n_q = c->z.n_q, n_k = c->z.n_k, d_k = c->z.d_k, d_v = c->z.d_v;
    void *Q = c->Q, *K = c->K, *V = c->V;
    const void *blocked = c->blocked;
    ATTEND;
    return sum_of_products(n_q * d_v, out, c->upstream);
}

/* masked_attention */

#define WORKED_ATTENTION(of, test, rows, cols, result, ...)                                        \
    TEST(of, test) {                                                                               \
        THREE_WORDS;                                                                               \
        WORKED_CAUSAL;                                                                             \
        ATTEND;                                                                                    \
        EXPECT_MATRIX(rows, cols, ((const double[rows][cols]){__VA_ARGS__}), result,               \
                      FOUR_DECIMALS);                                                              \
    }

WORKED_ATTENTION(masked_attention, three_words_that_look_back_have_these_weights, 3, 3, weights,
                 {1, 0, 0}, {0.5, 0.5, 0}, {0.4711, 0.2645, 0.2645})
WORKED_ATTENTION(masked_attention, three_words_that_look_back_fetch_this, 3, 2, out, {1, 2}, {2, 1},
                 {1.2645, 1.2066})

TEST(masked_attention, three_words_of_which_one_is_padding_share_the_other_two) {
    THREE_WORDS;
    NEW_MASK_OF(blocked, 3, 3, {0, 0, 1}, {0, 0, 1}, {0, 0, 1});
    ATTEND;
    const double expected_weights[3][3] = {{0.5, 0.5, 0}, {0.5, 0.5, 0}, {0.6405, 0.3595, 0}};
    const double expected[3][2] = {{2, 1}, {2, 1}, {1.7191, 1.2809}};
    EXPECT_MATRIX(3, 3, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(3, 2, expected, out, FOUR_DECIMALS);
}

/* Query i has lesson 03's attention over the first `keys` keys alone. */
#define EXPECT_FIRST_KEYS(i, keys)                                                                 \
    do {                                                                                           \
        NEW_MATRIX(expected_weights, 1, keys);                                                     \
        NEW_MATRIX(expected, 1, d_v);                                                              \
        scaled_dot_product_attention(1, keys, d_k, d_v, Q + (i), K, V, expected_weights,           \
                                     expected);                                                    \
        BECAUSE(                                                                                   \
            "Query %d attends only to the keys before key %d, as in lesson 03 with those keys.",   \
            i, keys);                                                                              \
        EXPECT_ROW(i, keys, expected_weights[0], weights, LAST_BIT);                               \
        EXPECT_ROW(i, d_v, expected[0], out, LAST_BIT);                                            \
    } while (0)

TEST(masked_attention, a_mask_that_blocks_nothing_gives_scaled_attention) {
    struct random r = random_seed(505);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        memset(blocked, false, (size_t)(n_q * n_k));
        ATTEND;
        for (int i = 0; i < n_q; i++)
            EXPECT_FIRST_KEYS(i, n_k);
    }
}

TEST(masked_attention, each_word_attends_as_if_the_text_ended_with_it) {
    struct random r = random_seed(506);
    RANDOM_ATTENTION((&(struct sizes){6, 6, 4, 2}), &r);
    block_what_comes_later(n_q, blocked);
    ATTEND;
    for (int i = 0; i < n_q; i++)
        EXPECT_FIRST_KEYS(i, i + 1);
}

TEST(masked_attention, a_query_that_may_look_at_nothing_fetches_nothing) {
    struct random r = random_seed(509);
    RANDOM_ATTENTION((&(struct sizes){2, 5, 4, 3}), &r);
    memcpy(blocked[0], (const bool[5]){0, 1, 0, 0, 1}, 5); /* and row 1 is fully blocked */
    FOR_ALL_INDICES(k, amounts) {
        Q[1][0] = V[1][0] = V[4][1] = amounts[k];
        ATTEND;
        NEW_VECTOR_FILLED(zeros, 5, 0.0);
        EXPECT_VECTOR(5, zeros, weights[1], EXACTLY);
        BECAUSE("Every weight of this row is 0, so its output is 0.");
        EXPECT_VECTOR(3, zeros, out[1], EXACTLY);
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

TEST(masked_attention, a_blocked_key_and_its_value_change_no_bit) {
    struct random r = random_seed(507);
    const struct sizes z = {3, 5, 4, 2};
    RANDOM_ATTENTION(&z, &r);
    for (int i = 0; i < n_q; i++)
        blocked[i][3] = blocked[i][4] = true;
    NEW_MATRIX(expected_weights, n_q, n_k);
    NEW_MATRIX(expected, n_q, d_v);
    expect_right_attention(z, Q, K, V, blocked, expected_weights, expected);
    FOR_ALL_INDICES(k, amounts) {
        overwrite_padding(amounts[k], K, V);
        ATTEND;
        BECAUSE("Keys 3 and 4 are blocked in every row and contain %g, but a weight changed.",
                amounts[k]);
        EXPECT_MATRIX(n_q, n_k, expected_weights, weights, EXACTLY);
        BECAUSE("Blocked values changed the output, although the weights are right.");
        EXPECT_MATRIX(n_q, d_v, expected, out, EXACTLY);
    }
}

TEST(masked_attention, another_word_later_on_changes_nothing_before_it) {
    struct random r = random_seed(508);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MASK_OF(blocked, 5, 5, {0, 1, 1, 1, 1}, {0, 0, 1, 1, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 0, 1},
                {0, 0, 0, 0, 0});
    for (int later = 1; later < 5; later++) {
        NEW_MATRIX(weights, 5, 5);
        NEW_MATRIX(before, 5, 3);
        NEW_MATRIX(out, 5, 3);
        expect_right_attention((struct sizes){5, 5, 3, 3}, X, X, X, blocked, weights, before);
        for (int c = 0; c < 3; c++)
            X[later][c] = 1.0 - 1.5 * X[later][c];
        masked_attention(5, 5, 3, 3, X, X, X, blocked, weights, out);
        BECAUSE("Token %d was replaced, and the output of an earlier token changed.", later);
        EXPECT_MATRIX(later, 3, before, out, EXACTLY);
        EXPECT_THAT(fabs(out[later][0] - before[later][0]) > 1e-6,
                    "token %d was replaced, but its own output did not change; a token may "
                    "attend to itself",
                    later);
    }
}

TEST(masked_attention, padding_at_the_end_changes_no_answer) {
    struct random r = random_seed(510);
    for (int n = 5; n <= 8; n++) {
        RANDOM_ATTENTION((&(struct sizes){3, n, 4, 2}), &r);
        memset(blocked, false, (size_t)(n_q * n_k));
        for (int i = 0; i < n_q; i++)
            memset(blocked[i] + 5, true, (size_t)(n_k - 5));
        ATTEND;
        for (int i = 0; i < n_q; i++)
            EXPECT_FIRST_KEYS(i, 5);
    }
}

TEST(masked_attention, an_allowed_key_with_a_very_low_score_beats_a_blocked_one) {
    SIZES(1, 3, 1, 2);
    NEW_MATRIX_OF(Q, 1, 1, {1e6});
    NEW_MATRIX_OF(K, 3, 1, {-1e6}, {1}, {-1e6});
    NEW_MATRIX_OF(V, 3, 2, {1, 10}, {100, 100}, {3, 30});
    NEW_MASK_OF(blocked, 1, 3, {0, 1, 0});
    ATTEND;
    const double expected_weights[1][3] = {{0.5, 0, 0.5}};
    const double expected[1][2] = {{2, 20}};
    BECAUSE("The allowed keys 0 and 2 both have a score of -1e12 here.");
    EXPECT_MATRIX(1, 3, expected_weights, weights, LAST_BIT);
    EXPECT_MATRIX(1, 2, expected, out, LAST_BIT);
}

TEST(masked_attention, random_masked_attention_agrees_with_the_obvious_way) {
    struct random r = random_seed(511);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        expect_right_attention(*z, Q, K, V, blocked, weights, out);
    }
}

TEST(masked_attention, a_long_text_needs_no_scores_of_its_own) {
    SIZES(long_n_q, long_n_k, 1, 1);
    NEW_MATRIX_OF(Q, n_q, 1, {1}, {-2}, {0.5});
    NEW_MATRIX_FILLED(K, n_k, 1, 3.0);
    NEW_MATRIX_FILLED(V, n_k, 1, 4.0);
    NEW_MASK(blocked, n_q, n_k);
    NEW_MATRIX(expected_weights, n_q, n_k);
    long_text(blocked, expected_weights);
    NEW_MATRIX_FILLED(expected, n_q, 1, 4.0);
    ATTEND;
    EXPECT_MATRIX(n_q, n_k, expected_weights, weights, LAST_BIT);
    EXPECT_MATRIX(n_q, 1, expected, out, ROUNDING);
}

/* masked_attention_backward */

/* The results of the forward pass, and d_out, where the backward pass starts. */
#define FORWARD_PASS(z, generator)                                                                 \
    NEW_MATRIX_RANDOM(d_out, n_q, d_v, generator);                                                 \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    obvious_weights(*(z), Q, K, blocked, weights)
#define RANDOM_WAY_BACK(z, generator)                                                              \
    RANDOM_ATTENTION(z, generator);                                                                \
    FORWARD_PASS(z, generator)

/* d_Q, d_K and d_V that hold one number each. */
#define GRADIENTS(held_Q, held_K, held_V)                                                          \
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, held_Q);                                                      \
    NEW_MATRIX_FILLED(d_K, n_k, d_k, held_K);                                                      \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, held_V)
#define WAY_BACK                                                                                   \
    masked_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, d_out, d_Q, d_K, d_V)
#define WAY_BACK_FROM_0                                                                            \
    GRADIENTS(0.0, 0.0, 0.0);                                                                      \
    WAY_BACK

/* What they are to gain. */
#define OBVIOUS_GRADIENTS(z)                                                                       \
    NEW_MATRIX(expected_d_Q, n_q, d_k);                                                            \
    NEW_MATRIX(expected_d_K, n_k, d_k);                                                            \
    NEW_MATRIX(expected_d_V, n_k, d_v);                                                            \
    obvious_way_back(1 / sqrt(d_k), *(z), Q, K, V, weights, d_out, expected_d_Q, expected_d_K,     \
                     expected_d_V)

/* Each of the three, with what to say of it. */
#define EXPECT_GRADIENTS(tolerance, ...)                                                           \
    do {                                                                                           \
        BECAUSE(__VA_ARGS__);                                                                      \
        EXPECT_MATRIX(n_q, d_k, expected_d_Q, d_Q, tolerance);                                     \
        BECAUSE(__VA_ARGS__);                                                                      \
        EXPECT_MATRIX(n_k, d_k, expected_d_K, d_K, tolerance);                                     \
        BECAUSE(__VA_ARGS__);                                                                      \
        EXPECT_MATRIX(n_k, d_v, expected_d_V, d_V, tolerance);                                     \
    } while (0)

/* The backward pass of the worked example, from d_out = {1, 0}, {0, 1}, {1, 1}. */
#define WORKED_GRADIENT(of, test, cols, gradient, ...)                                             \
    TEST(of, test) {                                                                               \
        THREE_WORDS;                                                                               \
        WORKED_CAUSAL;                                                                             \
        NEW_MATRIX(weights, 3, 3);                                                                 \
        obvious_weights((struct sizes){3, 3, 3, 2}, Q, K, blocked, weights);                       \
        NEW_MATRIX_OF(d_out, 3, 2, {1, 0}, {0, 1}, {1, 1});                                        \
        WAY_BACK_FROM_0;                                                                           \
        EXPECT_MATRIX(3, cols, ((const double[3][cols]){__VA_ARGS__}), gradient, FOUR_DECIMALS);   \
    }

WORKED_GRADIENT(masked_attention_backward, the_queries_that_look_back_have_this_gradient, 3, d_Q,
                {0, 0, 0}, {0.2887, 0, -0.2887}, {-0.0808, 0.2246, -0.1439})
WORKED_GRADIENT(masked_attention_backward, the_keys_of_the_past_have_this_gradient, 3, d_K,
                {0.1439, 0.4325, 0}, {0.0808, -0.2079, 0}, {-0.2246, -0.2246, 0})
WORKED_GRADIENT(masked_attention_backward, the_values_of_the_past_have_this_gradient, 2, d_V,
                {1.4711, 0.9711}, {0.2645, 0.7645}, {0.2645, 0.2645})

/* Key 3 is seen by the queries 0 and 2 only: the mask is not causal. */
TEST(masked_attention_backward, the_gradients_are_added_to_what_is_there) {
    struct random r = random_seed(512);
    const struct sizes z = {3, 4, 2, 1};
    RANDOM_ATTENTION(&z, &r);
    memcpy(blocked, (const bool[3][4]){{0, 0, 1, 0}, {1, 1, 1, 1}, {1, 0, 0, 0}},
           sizeof(bool[3][4]));
    FORWARD_PASS(&z, &r);
    OBVIOUS_GRADIENTS(&z);
    GRADIENTS(10.0, 20.0, 30.0);
    WAY_BACK;
    EXPECT_ADDED(n_q, d_k, 10.0, expected_d_Q, d_Q);
    EXPECT_ADDED(n_k, d_k, 20.0, expected_d_K, d_K);
    EXPECT_ADDED(n_k, d_v, 30.0, expected_d_V, d_V);
}

/* An amount of 0 is the one to compare with. */
TEST(masked_attention_backward, no_gradient_reaches_a_blocked_key_or_its_value) {
    struct random r = random_seed(513);
    const struct sizes z = {3, 5, 4, 2};
    RANDOM_ATTENTION(&z, &r);
    for (int i = 0; i < n_q; i++)
        blocked[i][3] = blocked[i][4] = true;
    overwrite_padding(0.0, K, V);
    FORWARD_PASS(&z, &r);
    fill(n_q * d_v, 3.0, d_out);
    WAY_BACK_FROM_0;
    NEW_MATRIX_LIKE(expected_d_Q, n_q, d_k, d_Q);
    NEW_MATRIX_LIKE(expected_d_K, n_k, d_k, d_K);
    NEW_MATRIX_LIKE(expected_d_V, n_k, d_v, d_V);
    fill(2 * d_k, 0.0, expected_d_K[3]);
    fill(2 * d_v, 0.0, expected_d_V[3]);
    FOR_ALL_INDICES(k, amounts) {
        overwrite_padding(amounts[k], K, V);
        fill(n_q * d_k, 0.0, d_Q);
        fill(n_k * d_k, 0.0, d_K);
        fill(n_k * d_v, 0.0, d_V);
        WAY_BACK;
        EXPECT_GRADIENTS(EXACTLY,
                         "Keys 3 and 4 are blocked in every row. They and their values get no "
                         "gradient, and their numbers change no bit of the other gradients.");
    }
}

TEST(masked_attention_backward, a_fully_blocked_query_passes_no_gradient) {
    struct random r = random_seed(514);
    RANDOM_WAY_BACK((&(struct sizes){1, 4, 3, 2}), &r);
    memset(blocked, true, (size_t)n_k);
    fill(n_k, 0.0, weights);
    OBVIOUS_GRADIENTS((&(struct sizes){1, 4, 3, 2})); /* 0 everywhere, as all weights are */
    FOR_ALL_INDICES(k, amounts) {
        fill(n_q * d_v, amounts[k], d_out);
        WAY_BACK_FROM_0;
        EXPECT_GRADIENTS(EXACTLY, "Every key of this query is blocked, so its output is 0 whatever "
                                  "the query, the keys and the values are.");
    }
}

TEST(masked_attention_backward, no_gradient_flows_back_from_the_past_to_what_came_later) {
    struct random r = random_seed(515);
    const struct sizes z = {4, 4, 3, 2};
    RANDOM_ATTENTION(&z, &r);
    block_what_comes_later(n_q, blocked);
    FORWARD_PASS(&z, &r);
    fill(2 * d_v, 0.0, d_out[2]);
    WAY_BACK_FROM_0;
    const double zeros[2][3] = {{0}};
    BECAUSE("d_out is 0 except for tokens 0 and 1, which cannot attend to tokens 2 and 3. So no "
            "gradient reaches those two.");
    EXPECT_MATRIX(2, 3, zeros, d_K + 2, EXACTLY);
    EXPECT_MATRIX(2, 2, zeros, d_V + 2, EXACTLY);
    EXPECT_THAT(fabs(d_V[1][0]) > 1e-6, "d_V[1][0] is %g; token 1 attends to itself", d_V[1][0]);
}

TEST(masked_attention_backward, the_weights_are_used_as_the_forward_pass_left_them) {
    struct random r = random_seed(517);
    const struct sizes z = {2, 4, 3, 1};
    RANDOM_WAY_BACK(&z, &r);
    memcpy(blocked, (const bool[2][4]){{0, 0, 1, 0}, {1, 0, 0, 1}}, sizeof(bool[2][4]));
    memcpy(weights, (const double[2][4]){{0.2, 0.5, 0, 0.3}, {0, 0.9, 0.1, 0}},
           sizeof(double[2][4]));
    scale_into(n_q * d_v, 10.0, d_out, d_out); /* so that a shared sum in an int is not 0 */
    OBVIOUS_GRADIENTS(&z);
    WAY_BACK_FROM_0;
    EXPECT_GRADIENTS(ROUNDING, "The weights passed in are not those of Q and K here. Use them as "
                               "they are.");
}

TEST(masked_attention_backward, the_gradients_are_what_nudging_measures) {
    const struct sizes sizes[] = {{3, 5, 4, 2}, {4, 3, 2, 5}, {1, 4, 3, 2}, {5, 2, 1, 3}};
    struct random r = random_seed(518);
    FOR_ALL_INDICES(k, sizes) {
        RANDOM_WAY_BACK(&sizes[k], &r);
        WAY_BACK_FROM_0;
        struct call call = {sizes[k], Q, K, V, blocked, d_out};
        EXPECT_ALL_NUDGED(sizes[k], loss_of_attention, &call);
    }
}

TEST(masked_attention_backward, a_word_that_asks_answers_and_is_fetched_has_one_gradient) {
    SIZES(5, 5, 3, 3);
    const struct sizes z = {n_q, n_k, d_k, d_v};
    struct random r = random_seed(519);
    NEW_MATRIX_RANDOM(X, n_q, d_k, &r);
    double(*Q)[d_k] = X, (*K)[d_k] = X;
    NEW_MASK(blocked, n_q, n_k);
    random_mask(&r, n_q, n_k, blocked);
    FORWARD_PASS(&z, &r);
    NEW_MATRIX_FILLED(d_X, n_q, d_k, 0.0);
    masked_attention_backward(5, 5, 3, 3, X, X, X, blocked, weights, d_out, d_X, d_X, d_X);
    struct call call = {z, X, X, X, blocked, d_out};
    BECAUSE("d_Q, d_K and d_V are one matrix here, as in self-attention. Three paths add to it.");
    EXPECT_NUDGED(loss_of_attention, &call, n_q, d_k, X, d_X);
}

TEST(masked_attention_backward, random_ways_back_agree_with_the_obvious_one) {
    struct random r = random_seed(520);
    FOR_ALL_SIZES(z) {
        RANDOM_WAY_BACK(z, &r);
        OBVIOUS_GRADIENTS(z);
        NEW_MATRIX_RANDOM(d_Q, n_q, d_k, &r);
        NEW_MATRIX_RANDOM(d_K, n_k, d_k, &r);
        NEW_MATRIX_RANDOM(d_V, n_k, d_v, &r);
        add_into(n_q * d_k, d_Q, expected_d_Q);
        add_into(n_k * d_k, d_K, expected_d_K);
        add_into(n_k * d_v, d_V, expected_d_V);
        WAY_BACK;
        EXPECT_GRADIENTS(ROUNDING, "Here n_q is %d, n_k is %d, d_k is %d and d_v is %d.", n_q, n_k,
                         d_k, d_v);
    }
}

/* The allowed values are 1 and -1 in turn: their mean, and so the shared sum, is 0. */
WORK_OF_KEYS(masked_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights, d_out, d_Q,
                                       d_K, d_V))

TEST(masked_attention_backward, a_long_text_needs_no_matrix_of_its_own) {
    EXPECT_WORK_IN_PROPORTION;
    SIZES(long_n_q, long_n_k, 1, 1);
    NEW_MATRIX_OF(Q, n_q, 1, {1}, {2}, {-0.5});
    NEW_MATRIX(V, n_k, 1);
    NEW_MASK(blocked, n_q, n_k);
    NEW_MATRIX(weights, n_q, n_k);
    long_text(blocked, weights);
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
