/* Tests of lesson 09: ALiBi, and attention with a bias. */
#include "places.h"

#include "../attention.h"
#include "masked.h"
#include "scaled.h"

#include <float.h>
#include <string.h>

/* alibi_slope */

/* A vector of this name with the slopes of all heads. A failing test shows it. */
#define NEW_SLOPES(name, n_heads)                                                                  \
    NEW_VECTOR(name, n_heads);                                                                     \
    for (int h = 0; h < (n_heads); h++)                                                            \
    name[h] = alibi_slope(n_heads, h)

TEST(alibi_slope, four_heads_have_slopes_from_a_quarter_down) {
    NEW_SLOPES(slope, 4);
    BECAUSE("These are the slopes of the heads 0 to 3, and n_heads is 4.");
    EXPECT_VECTOR(4, OF(1 / 4.0, 1 / 16.0, 1 / 64.0, 1 / 256.0), slope, ROUNDING);
}

TEST(alibi_slope, the_first_of_eight_heads_has_the_slope_a_half) {
    NEW_SLOPES(slope, 8);
    const double expected[8] = {1 / 2.0,  1 / 4.0,  1 / 8.0,   1 / 16.0,
                                1 / 32.0, 1 / 64.0, 1 / 128.0, 1 / 256.0};
    BECAUSE("These are the slopes of the heads 0 to 7, and n_heads is 8.");
    EXPECT_VECTOR(8, expected, slope, ROUNDING);
}

/* The largest number of heads comes first, because with 3 heads, 8 / n_heads of two ints and the
   next power of two would give the same numbers. */
TEST(alibi_slope, the_formula_holds_for_any_number_of_heads) {
    for (int n_heads = 12; n_heads > 0; n_heads--) {
        matrix_free_all();
        NEW_SLOPES(slope, n_heads);
        NEW_VECTOR(expected, n_heads);
        for (int h = 0; h < n_heads; h++)
            expected[h] = pow(1.0 / 256.0, (h + 1.0) / n_heads);
        BECAUSE("n_heads is %d, so the exponent is a fraction for most heads.", n_heads);
        EXPECT_VECTOR(n_heads, expected, slope, ROUNDING);
    }
}

static double kept_slope; /* so that no compiler removes the calls */

TEST(alibi_slope, two_threads_may_compute_slopes_at_once) {
    EXPECT_NOTHING_KEPT(kept_slope = alibi_slope(4, 1), alibi_slope(6, 3));
}

/* alibi_bias */

TEST(alibi_bias, a_query_at_2_has_a_penalty_for_both_keys_before_it) {
    NEW_MATRIX(bias, 1, 3);
    alibi_bias(1, 3, 2, 0.5, bias);
    const double expected[1][3] = {{-1, -0.5, 0}};
    BECAUSE("The query is at position 2, the keys are at 0, 1 and 2, and slope is 0.5.");
    EXPECT_MATRIX(1, 3, expected, bias, FOUR_DECIMALS);
}

TEST(alibi_bias, later_keys_have_the_same_penalty) {
    NEW_MATRIX(bias, 2, 5);
    alibi_bias(2, 5, 2, 0.25, bias);
    const double expected[2][5] = {{-0.5, -0.25, 0, -0.25, -0.5}, {-0.75, -0.5, -0.25, 0, -0.25}};
    BECAUSE("Distances are never negative. The queries are at 2 and 3, and the keys at 0 to 4.");
    EXPECT_MATRIX(2, 5, expected, bias, ROUNDING);
}

TEST(alibi_bias, queries_that_continue_a_sentence_have_the_bias_of_the_whole) {
    NEW_MATRIX(whole, 7, 7);
    NEW_MATRIX(bias, 4, 7);
    alibi_bias(7, 7, 0, 0.3, whole);
    alibi_bias(4, 7, 3, 0.3, bias);
    BECAUSE("Row i of a call with first = 3 and row i + 3 of a call with first = 0 have the same "
            "position.");
    EXPECT_MATRIX(4, 7, whole + 3, bias, EXACTLY);
}

TEST(alibi_bias, biases_of_any_size_agree_with_the_obvious_way) {
    const double slopes[3] = {0, 0.7, 1.5};
    FOR_ALL_SIZES(z)
    for (int k = 0; k < 3; k++) {
        const int first = z->d_v - 1; /* 0 to 4 */
        matrix_free_all();
        NEW_MATRIX(bias, z->n_q, z->n_k);
        NEW_MATRIX(expected, z->n_q, z->n_k);
        for (int i = 0; i < z->n_q; i++)
            for (int j = 0; j < z->n_k; j++)
                expected[i][j] = slopes[k] * (j < first + i ? j - first - i : first + i - j);
        alibi_bias(z->n_q, z->n_k, first, slopes[k], bias);
        BECAUSE("In this test n_q is %d, n_k is %d, first is %d and slope is %g.", z->n_q, z->n_k,
                first, slopes[k]);
        EXPECT_MATRIX(z->n_q, z->n_k, expected, bias, ROUNDING);
    }
}

TEST(alibi_bias, two_threads_may_compute_biases_at_once) {
    NEW_MATRIX(bias, 2, 3);
    NEW_MATRIX(other, 4, 5);
    EXPECT_NOTHING_KEPT(alibi_bias(2, 3, 1, 0.5, bias), alibi_bias(4, 5, 0, 0.25, other));
}

/* biased_attention */

/* Random inputs of attention with the sizes *z. Nothing is blocked. */
#define RANDOM_ATTENTION(z, generator)                                                             \
    const int n_q = (z)->n_q, n_k = (z)->n_k, d_k = (z)->d_k, d_v = (z)->d_v;                      \
    NEW_MATRIX_RANDOM(Q, n_q, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(K, n_k, d_k, generator);                                                     \
    NEW_MATRIX_RANDOM(V, n_k, d_v, generator);                                                     \
    NEW_MATRIX_RANDOM(bias, n_q, n_k, generator);                                                  \
    const bool(*blocked)[n_k] = NULL

#define RANDOM_MASKED_ATTENTION(z, generator)                                                      \
    RANDOM_ATTENTION(z, generator);                                                                \
    blocked = random_mask(generator, n_q, n_k)

/* Row 1 is fully blocked. Row 0 always has its first and its last key. */
static void *random_mask(struct random *r, int n_q, int n_k) {
    NEW_MASK(blocked, n_q, n_k);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = i == 1 || random_uniform(r) < 0.4;
    blocked[0][0] = blocked[0][n_k - 1] = false;
    return blocked;
}

#define ATTEND                                                                                     \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    NEW_MATRIX(out, n_q, d_v);                                                                     \
    biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, weights, out)

/* Both outputs, with the reason that a failure prints. */
#define EXPECT_BOTH(tolerance, ...)                                                                \
    BECAUSE(__VA_ARGS__);                                                                          \
    EXPECT_MATRIX(n_q, n_k, expected_weights, weights, tolerance);                                 \
    BECAUSE(__VA_ARGS__);                                                                          \
    EXPECT_MATRIX(n_q, d_v, expected, out, tolerance)

#define NEW_EXPECTED                                                                               \
    NEW_MATRIX(expected_weights, n_q, n_k);                                                        \
    NEW_MATRIX(expected, n_q, d_v)

/* The worked example: three keys with equal scores and different penalties. */
#define THREE_EQUAL_KEYS                                                                           \
    enum { n_q = 1, n_k = 3, d_k = 4, d_v = 1 };                                                   \
    NEW_MATRIX_OF(Q, 1, 4, {1, 0, 2, 1});                                                          \
    NEW_MATRIX_OF(K, 3, 4, {1, 1, 0, 1}, {1, 1, 0, 1}, {1, 1, 0, 1});                              \
    NEW_MATRIX_OF(V, 3, 1, {1}, {2}, {3});                                                         \
    NEW_MATRIX_OF(bias, 1, 3, {-1, -0.5, 0});                                                      \
    const bool(*blocked)[3] = NULL

TEST(biased_attention, the_bias_decides_between_three_equal_scores) {
    THREE_EQUAL_KEYS;
    ATTEND;
    const double sum = weights[0][0] + weights[0][1] + weights[0][2];
    BECAUSE_IF(fabs(sum - 1.0) > 1e-3, "The weights sum to %.4f; they should sum to 1.", sum);
    const double expected[1][3] = {{0.1863, 0.3072, 0.5065}};
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(2.3202, out[0][0], FOUR_DECIMALS);
}

/* The worked example of lesson 03, with queries at the positions 1 and 2. */
TEST(biased_attention, lesson_03_with_a_bias_prefers_the_nearer_keys) {
    enum { n_q = 2, n_k = 3, d_k = 3, d_v = 2 };
    WORKED_Q;
    WORKED_K;
    WORKED_V;
    NEW_MATRIX_OF(bias, 2, 3, {-0.5, 0, -0.5}, {-1, -0.5, 0});
    const bool(*blocked)[3] = NULL;
    ATTEND;
    const double expected_weights[2][3] = {{0.2257, 0.3722, 0.4021}, {0.2395, 0.3949, 0.3655}};
    const double expected[2][2] = {{1.3422, 0.8536}, {1.4243, 0.8446}};
    EXPECT_MATRIX(2, 3, expected_weights, weights, FOUR_DECIMALS);
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

TEST(biased_attention, a_blocked_key_leaves_the_others_to_share) {
    THREE_EQUAL_KEYS;
    blocked = mask_copy("blocked", 1, 3, (const bool[3]){0, 0, 1});
    ATTEND;
    const double expected[1][3] = {{0.3775, 0.6225, 0}};
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(1.6225, out[0][0], FOUR_DECIMALS);
}

/* Numbers that a blocked cell may contain. */
static const double amounts[] = {1, -1e4, 1e9, 1e300, -1e308, DBL_MAX, -DBL_MAX};

TEST(biased_attention, a_fully_blocked_query_has_an_output_of_0) {
    struct random r = random_seed(927);
    RANDOM_MASKED_ATTENTION((&(struct sizes){2, 5, 4, 3}), &r);
    FOR_ALL_OF(double, amount, amounts) {
        fill(n_k, *amount, bias[1]);
        ATTEND;
        const double zeros[5] = {0};
        BECAUSE("Row 1 is fully blocked, so all its weights should be exactly 0.");
        EXPECT_VECTOR(5, zeros, weights[1], EXACTLY);
        BECAUSE("Every weight of row 1 is 0, so its output should be 0 as well.");
        EXPECT_VECTOR(3, zeros, out[1], EXACTLY);
    }
}

TEST(biased_attention, a_bias_of_zero_is_lesson_03) {
    struct random r = random_seed(921);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        fill(n_q * n_k, 0.0, bias);
        ATTEND;
        NEW_EXPECTED;
        scaled_dot_product_attention(n_q, n_k, d_k, d_v, Q, K, V, expected_weights, expected);
        EXPECT_BOTH(LAST_BIT,
                    "The bias is 0 and blocked is NULL, as in lesson 03. n_q = %d, "
                    "n_k = %d, d_k = %d, d_v = %d.",
                    n_q, n_k, d_k, d_v);
    }
}

TEST(biased_attention, a_bias_of_zero_under_a_mask_is_lesson_05) {
    struct random r = random_seed(922);
    FOR_ALL_SIZES(z) {
        RANDOM_MASKED_ATTENTION(z, &r);
        fill(n_q * n_k, 0.0, bias);
        ATTEND;
        NEW_EXPECTED;
        masked_attention(n_q, n_k, d_k, d_v, Q, K, V, blocked, expected_weights, expected);
        EXPECT_BOTH(LAST_BIT,
                    "The bias is 0 and there is a mask, as in lesson 05. n_q = %d, "
                    "n_k = %d, d_k = %d, d_v = %d.",
                    n_q, n_k, d_k, d_v);
    }
}

TEST(biased_attention, a_constant_added_to_a_row_of_the_bias_changes_nothing) {
    struct random r = random_seed(923);
    for (int masked = 0; masked <= 1; masked++) {
        matrix_free_all();
        RANDOM_MASKED_ATTENTION((&(struct sizes){3, 5, 4, 2}), &r);
        if (!masked)
            blocked = NULL;
        NEW_EXPECTED;
        biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, expected_weights, expected);
        for (int i = 0; i < n_q; i++)
            for (int j = 0; j < n_k; j++)
                bias[i][j] += 3.5 - 2 * i;
        ATTEND;
        EXPECT_BOTH(LAST_BIT, "Adding one number to a whole row %s should not change the weights.",
                    masked ? "(there is a mask)" : "(nothing is blocked)");
    }
}

/* The keys are equal, and the query is 5000 words after them. */
TEST(biased_attention, far_from_all_keys_the_near_ones_still_get_more) {
    THREE_EQUAL_KEYS;
    for (int far = 5000; far <= 500000; far *= 100) {
        for (int j = 0; j < 3; j++)
            bias[0][j] = -0.5 * (far - j);
        ATTEND;
        const double expected[1][3] = {{0.1863, 0.3072, 0.5065}};
        BECAUSE(
            "The query is at %d and the keys are at 0, 1 and 2. The slope is 0.5, so the weights "
            "should be those of the worked example.",
            far);
        EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
        EXPECT_NUMBER(2.3202, out[0][0], FOUR_DECIMALS);
    }
}

/* The slow and obvious way. */
static void obvious_attention(struct sizes z, const double Q[z.n_q][z.d_k],
                              const double K[z.n_k][z.d_k], const double V[z.n_k][z.d_v],
                              const double bias[z.n_q][z.n_k], const bool blocked[z.n_q][z.n_k],
                              double weights[z.n_q][z.n_k], double out[z.n_q][z.d_v]) {
    NEW_MATRIX(slow_scores, z.n_q, z.n_k);
    product_by_rows(z.n_q, z.d_k, z.n_k, Q, K, slow_scores);
    scale_into(z.n_q * z.n_k, 1.0 / sqrt(z.d_k), slow_scores, slow_scores);
    add_into(z.n_q * z.n_k, bias, slow_scores);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++) {
            double sum = 0.0;
            for (int k = 0; k < z.n_k; k++)
                if (!blocked || !blocked[i][k])
                    sum += exp(slow_scores[i][k] - slow_scores[i][j]);
            weights[i][j] = blocked && blocked[i][j] ? 0.0 : 1.0 / sum;
        }
    product(z.n_q, z.n_k, z.d_v, weights, V, out);
}

#define EXPECT_THE_OBVIOUS(z, what)                                                                \
    ATTEND;                                                                                        \
    NEW_EXPECTED;                                                                                  \
    obvious_attention(*(z), Q, K, V, bias, blocked, expected_weights, expected);                   \
    EXPECT_BOTH(ROUNDING, "In this test n_q is %d, n_k is %d, d_k is %d and d_v is %d, and %s.",   \
                n_q, n_k, d_k, d_v, what)

TEST(biased_attention, random_attention_with_a_bias_agrees_with_the_obvious_way) {
    struct random r = random_seed(924);
    FOR_ALL_SIZES(z) {
        RANDOM_ATTENTION(z, &r);
        EXPECT_THE_OBVIOUS(z, "nothing is blocked");
    }
}

TEST(biased_attention, random_attention_under_a_mask_agrees_with_the_obvious_way) {
    struct random r = random_seed(925);
    FOR_ALL_SIZES(z) {
        RANDOM_MASKED_ATTENTION(z, &r);
        EXPECT_THE_OBVIOUS(z, "there is a mask");
    }
}

TEST(biased_attention, a_blocked_key_does_not_change_the_result) {
    struct random r = random_seed(926);
    RANDOM_ATTENTION((&(struct sizes){2, 4, 3, 5}), &r);
    blocked = mask_copy("blocked", 2, 4, (const bool[2][4]){{0, 1, 0, 0}, {0, 1, 0, 1}});
    NEW_EXPECTED;
    biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, expected_weights, expected);
    FOR_ALL_OF(double, amount, amounts) {
        fill(d_k, *amount, K[1]);
        fill(d_v, -*amount, V[1]);
        bias[0][1] = bias[1][1] = bias[1][3] = *amount;
        ATTEND;
        EXPECT_BOTH(
            EXACTLY,
            "Key 1 is blocked for both queries. This key, its value and its biases are now %g, "
            "but the result should not change.",
            *amount);
    }
}

TEST(biased_attention, an_allowed_key_with_a_very_low_bias_beats_a_blocked_one) {
    THREE_EQUAL_KEYS;
    blocked = mask_copy("blocked", 1, 3, (const bool[3]){0, 1, 0});
    fill(3, -1e12, bias);
    bias[0][1] = 0.0;
    ATTEND;
    const double expected[1][3] = {{0.5, 0, 0.5}};
    BECAUSE("The allowed keys 0 and 2 both have a bias of -1e12 here, and key 1 is blocked.");
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(2.0, out[0][0], FOUR_DECIMALS);
}

TEST(biased_attention, a_sentence_can_attend_to_itself_with_a_bias) {
    struct random r = random_seed(928);
    const struct sizes z = {5, 5, 3, 3};
    RANDOM_ATTENTION(&z, &r);
    K = V = Q;
    EXPECT_THE_OBVIOUS(&z, "Q, K and V are one matrix, as in self-attention");
}

/* A call, for numeric_gradient(). The loss is the sum of all out[i][c] * upstream[i][c]. */
struct call {
    struct sizes z;
    void *Q, *K, *V;
    const void *bias, *blocked, *upstream;
};

static double loss_of_attention(void *context) {
    const struct call *c = context;
    const int n_q = c->z.n_q, n_k = c->z.n_k, d_k = c->z.d_k, d_v = c->z.d_v;
    const void *Q = c->Q, *K = c->K, *V = c->V, *bias = c->bias, *blocked = c->blocked;
    ATTEND;
    return sum_of_products(n_q * d_v, out, c->upstream);
}

#define EXPECT_BACKWARD(...)                                                                       \
    ATTEND;                                                                                        \
    NEW_MATRIX_RANDOM(d_out, n_q, d_v, &r);                                                        \
    ZERO_GRADIENTS(n_q, n_k, d_k, d_v);                                                            \
    __VA_ARGS__;                                                                                   \
    struct call call = {*z, Q, K, V, bias, blocked, d_out};                                        \
    EXPECT_ALL_NUDGED(*z, loss_of_attention, &call)

TEST(biased_attention, the_backward_pass_is_that_of_lesson_03) {
    struct random r = random_seed(929);
    FOR_ALL_SIZES(z) {
        if (z->n_k == 1) /* a single key always has the weight 1 */
            continue;
        RANDOM_ATTENTION(z, &r);
        EXPECT_BACKWARD(scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights,
                                                              d_out, d_Q, d_K, d_V));
    }
}

TEST(biased_attention, the_backward_pass_under_a_mask_is_that_of_lesson_05) {
    struct random r = random_seed(930);
    FOR_ALL_SIZES(z) {
        if (z->n_k == 1)
            continue;
        RANDOM_MASKED_ATTENTION(z, &r);
        EXPECT_BACKWARD(masked_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, blocked, weights,
                                                  d_out, d_Q, d_K, d_V));
    }
}

/* A whole matrix of scores does not fit into the stack of 1 MB, but a row does. All keys are equal,
   and the bias of every second key makes its weight 0. */
TEST(biased_attention, a_long_text_needs_no_scores_of_its_own) {
    enum { n_q = 5, n_k = 30000, d_k = 1, d_v = 1 };
    NEW_MATRIX_FILLED(Q, n_q, 1, 0.5);
    NEW_MATRIX_FILLED(K, n_k, 1, 3.0);
    NEW_MATRIX(V, n_k, 1);
    NEW_MATRIX(bias, n_q, n_k);
    NEW_MATRIX(expected_weights, n_q, n_k);
    for (int j = 0; j < n_k; j++) {
        V[j][0] = j % 2 == 0 ? 4.0 : 9.0;
        for (int i = 0; i < n_q; i++) {
            bias[i][j] = j % 2 == 0 ? i : -1e6;
            expected_weights[i][j] = j % 2 == 0 ? 2.0 / n_k : 0.0;
        }
    }
    const bool(*blocked)[n_k] = NULL;
    ATTEND;
    NEW_MATRIX_FILLED(expected, n_q, 1, 4.0);
    EXPECT_MATRIX(n_q, n_k, expected_weights, weights, LAST_BIT);
    EXPECT_MATRIX(n_q, 1, expected, out, ROUNDING);
}

TEST(biased_attention, two_threads_may_attend_at_once) {
    struct random r = random_seed(931);
    RANDOM_MASKED_ATTENTION((&(struct sizes){2, 5, 4, 3}), &r);
    NEW_MATRIX(weights, 2, 5);
    NEW_MATRIX(out, 2, 3);
    NEW_MATRIX_RANDOM(X, 3, 3, &r);
    NEW_MATRIX(other_weights, 3, 3);
    NEW_MATRIX(other_out, 3, 3);
    const int n = 3;
    EXPECT_NOTHING_KEPT(biased_attention(n_q, n_k, d_k, d_v, Q, K, V, bias, blocked, weights, out),
                        biased_attention(n, n, n, n, X, X, X, X, NULL, other_weights, other_out));
}
