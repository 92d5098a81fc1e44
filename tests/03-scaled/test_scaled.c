/* Lesson 03: what scaled.h promises. */
#include "scaled.h"

#include "../attention.h"
#include "dot_product.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"

#include <math.h>

#define ROUNDING 1e-12

/* The worked example of the lesson: n_k is d_k here, and n_q is d_v. */
#define WORKED_EXAMPLE                                                                             \
    WORKED_Q;                                                                                      \
    WORKED_K;                                                                                      \
    WORKED_V

/* One key more, and values of five dimensions. All sizes differ, and all scores of a row. */
#define FOUR_KEYS                                                                                  \
    NEW_MATRIX_OF(Q, 2, 3, {1, 0, 2}, {0, 1, -1});                                                 \
    NEW_MATRIX_OF(K, 4, 3, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {0.5, -1, 1});                         \
    NEW_MATRIX_OF(V, 4, 5, {1, 2, 0, -1, 3}, {3, 0, 1, 2, -2}, {0, 1, -1, 4, 1}, {-2, 4, 2, 0, 0.5})

static const double four_keys_weights[2][4] = {
    {0.1200216819987224, 0.21379608330157959, 0.38083756596231105, 0.2853446687373869},
    {0.48698365285959988, 0.27338478899842078, 0.15347382282102759, 0.086157735320951709}};

/* The forward pass, slow and obvious. */

static double right_scale(int d_k) {
    return 1.0 / sqrt(d_k);
}

static void obvious_weights(struct sizes z, const double Q[z.n_q][z.d_k],
                            const double K[z.n_k][z.d_k], double weights[z.n_q][z.n_k]) {
    product_by_rows(z.n_q, z.d_k, z.n_k, Q, K, weights);
    scale_into(z.n_q * z.n_k, right_scale(z.d_k), weights, weights);
    softmax_rows(z.n_q, z.n_k, weights, weights);
}

/* attention_scale */

TEST(attention_scale, the_scales_of_four_and_three_and_sixty_four_come_out) {
    NEW_VECTOR(scale, 3);
    const int d_k[3] = {4, 3, 64};
    for (int i = 0; i < 3; i++)
        scale[i] = attention_scale(d_k[i]);
    const double expected[3] = {0.5, 0.5774, 0.125};
    BECAUSE_IF(fabs(scale[0] - 0.5) < 0.01 && scale[0] != 0.5,
               "This is close, but not equal. Did you round it, or add a small number? sqrt() is "
               "correct to the last digit.");
    EXPECT_VECTOR(3, expected, scale, FOUR_DECIMALS);
}

TEST(attention_scale, a_scale_taken_twice_divides_by_all_of_the_width) {
    for (int d_k = 1; d_k <= 1100; d_k += 3) {
        double scale = attention_scale(d_k);
        BECAUSE("Here d_k is %d.", d_k);
        EXPECT_NUMBER(1.0, scale * scale * d_k, ROUNDING);
    }
}

/* Dot products of numbers of variance 1, signs here: then each row of d_k of them has a square of
   exactly d_k, and SIDE * SIDE scores show their variance to about 3 %. */
enum { SIDE = 48 };

static double *random_signs(struct random *r, int count, double *x) {
    for (int i = 0; i < count; i++)
        x[i] = random_below(r, 2) ? 1.0 : -1.0;
    return x;
}

static double *random_scores(struct random *r, int d_k) {
    NEW_MATRIX(left, SIDE, d_k);
    NEW_MATRIX(right, SIDE, d_k);
    NEW_MATRIX(scores, SIDE, SIDE);
    random_signs(r, SIDE * d_k, (double *)left);
    random_signs(r, SIDE * d_k, (double *)right);
    dot_scores(SIDE, SIDE, d_k, left, right, scores);
    return (double *)scores;
}

TEST(attention_scale, scaled_scores_vary_by_one_at_every_width) {
    struct random r = random_seed(311);
    for (int d_k = 4; d_k <= 256; d_k *= 8) {
        double *scores = random_scores(&r, d_k), mean = 0.0;
        scale_into(SIDE * SIDE, attention_scale(d_k), scores, scores);
        for (int i = 0; i < SIDE * SIDE; i++)
            mean += scores[i] / (SIDE * SIDE);
        double squares = sum_of_products(SIDE * SIDE, scores, scores) / (SIDE * SIDE);
        double spread = fabs(squares - mean * mean); /* which has no sign, even as a NaN */
        EXPECT_THAT(fabs(spread - 1) <= 0.05,
                    "with the scale, scores of d_k = %d have a variance of %.4g instead of about 1",
                    d_k, spread);
    }
}

/* scaled_dot_product_attention */

#define WORKED_ATTENTION                                                                           \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    NEW_MATRIX(out, 2, 2);                                                                         \
    scaled_dot_product_attention(2, 3, 3, 2, Q, K, V, weights, out)

TEST(scaled_dot_product_attention, the_worked_example_gives_these_weights) {
    WORKED_ATTENTION;
    const double expected[2][3] = {{0.2645, 0.2645, 0.4711}, {0.3904, 0.3904, 0.2192}};
    EXPECT_MATRIX(2, 3, expected, weights, FOUR_DECIMALS);
}

TEST(scaled_dot_product_attention, the_worked_example_gives_this_output) {
    WORKED_ATTENTION;
    const double expected[2][2] = {{1.0578, 1}, {1.5617, 1}};
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

TEST(scaled_dot_product_attention, four_keys_with_wider_values_come_out_to_twelve_decimals) {
    FOUR_KEYS;
    NEW_MATRIX(weights, 2, 4);
    NEW_MATRIX(out, 2, 5);
    scaled_dot_product_attention(2, 4, 3, 5, Q, K, V, weights, out);
    const double expected_out[2][5] = {{0.19072059442868738, 1.7622596049093033,
                                        0.40364785481404231, 1.8309207484536811,
                                        0.45598277972401247},
                                       {1.1348225492129589, 1.4720720698240342, 0.29222643681929661,
                                        0.67368121642135204, 1.1107340710634614}};
    EXPECT_MATRIX(2, 4, four_keys_weights, weights, ROUNDING);
    EXPECT_MATRIX(2, 5, expected_out, out, ROUNDING);
}

static void expect_right_attention(struct sizes z, const double Q[z.n_q][z.d_k],
                                   const double K[z.n_k][z.d_k], const double V[z.n_k][z.d_v]) {
    NEW_MATRIX(weights, z.n_q, z.n_k);
    NEW_MATRIX(out, z.n_q, z.d_v);
    NEW_MATRIX(expected_weights, z.n_q, z.n_k);
    NEW_MATRIX(expected_out, z.n_q, z.d_v);
    scaled_dot_product_attention(z.n_q, z.n_k, z.d_k, z.d_v, Q, K, V, weights, out);
    obvious_weights(z, Q, K, expected_weights);
    product(z.n_q, z.n_k, z.d_v, expected_weights, V, expected_out);
    EXPECT_OBVIOUS(&z, z.n_q, z.n_k, expected_weights, weights, ROUNDING);
    EXPECT_OBVIOUS(&z, z.n_q, z.d_v, expected_out, out, ROUNDING);
}

#define NEW_Q_K_V(z, generator)                                                                    \
    NEW_MATRIX_RANDOM(Q, (z).n_q, (z).d_k, generator);                                             \
    NEW_MATRIX_RANDOM(K, (z).n_k, (z).d_k, generator);                                             \
    NEW_MATRIX_RANDOM(V, (z).n_k, (z).d_v, generator)

TEST(scaled_dot_product_attention, keys_and_values_of_one_width_are_told_apart) {
    const struct sizes z = {3, 4, 2, 2};
    struct random r = random_seed(301);
    NEW_Q_K_V(z, &r);
    expect_right_attention(z, Q, K, V);
}

TEST(scaled_dot_product_attention, scores_of_ten_thousand_stay_finite) {
    NEW_MATRIX_OF(Q, 1, 4, {20000, 2, 0, 0});
    NEW_MATRIX_OF(K, 3, 4, {1, 0, 0, 3}, {1, -1, 2, 0}, {-1, 0, 0, 0});
    NEW_MATRIX_OF(V, 3, 1, {0}, {1}, {5});
    NEW_MATRIX(weights, 1, 3);
    NEW_MATRIX(out, 1, 1);
    scaled_dot_product_attention(1, 3, 4, 1, Q, K, V, weights, out);
    const double expected[1][3] = {{0.7311, 0.2689, 0}};
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(0.2689, out[0][0], FOUR_DECIMALS);
}

TEST(scaled_dot_product_attention, rows_far_above_far_below_and_at_zero_stay_apart) {
    const struct sizes z = {5, 3, 4, 1};
    NEW_MATRIX_OF(Q, 5, 4, {20000, 2, -2, 0}, {-20000, 2, -2, 0}, {-2, -2, 4, 0},
                  {2000, 2e4, -2, 0}, {0, 0, 0, 1});
    NEW_MATRIX_OF(K, 3, 4, {1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0});
    NEW_MATRIX_OF(V, 3, 1, {0}, {1}, {5});
    expect_right_attention(z, Q, K, V);
}

TEST(scaled_dot_product_attention, a_sentence_can_attend_to_itself) {
    struct random r = random_seed(302);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    BECAUSE("Here Q, K and V are the same matrix, as in self-attention.");
    expect_right_attention((struct sizes){5, 5, 3, 3}, X, X, X);
}

TEST(scaled_dot_product_attention, random_attention_agrees_with_the_obvious_way) {
    struct random r = random_seed(303);
    FOR_ALL_SIZES(z) {
        NEW_Q_K_V(*z, &r);
        expect_right_attention(*z, Q, K, V);
    }
}

/* Every other key says 1, the rest -1, and so do their values: out is a hyperbolic tangent. A
   few rows of weights fit the stack that a lesson is given, a matrix does not. */
TEST(scaled_dot_product_attention, a_long_text_is_scored_without_a_matrix_of_its_own) {
    enum { n_q = 5, n_k = 30000 };
    NEW_MATRIX_OF(Q, n_q, 4, {5, 0.75, 0.25, 0}, {0, -4, 1, 1}, {2, 0, 0.5, 0});
    NEW_MATRIX_FILLED(K, n_k, 4, 0.0);
    NEW_MATRIX(V, n_k, 1);
    for (int j = 0; j < n_k; j++)
        K[j][1] = K[j][2] = V[j][0] = j % 2 == 0 ? 1.0 : -1.0;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, 1);
    scaled_dot_product_attention(n_q, n_k, 4, 1, Q, K, V, weights, out);
    const double expected[n_q][1] = {{tanh(0.5)}, {tanh(-1.5)}, {tanh(0.25)}};
    EXPECT_MATRIX(n_q, 1, expected, out, 1e-9);
}

/* scaled_dot_product_attention_backward */

/* The backward pass of the worked example, from d_out = {1, 0}, {0, 1}. */
#define WORKED_WAY_BACK                                                                            \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    obvious_weights((struct sizes){2, 3, 3, 2}, Q, K, weights);                                    \
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});                                                    \
    ZERO_GRADIENTS(2, 3, 3, 2);                                                                    \
    scaled_dot_product_attention_backward(2, 3, 3, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V)

TEST(scaled_dot_product_attention_backward,
     the_gradient_of_the_queries_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    const double expected[2][3] = {{-0.2965, 0.2877, 0.0088}, {0.2254, 0, -0.2254}};
    EXPECT_MATRIX(2, 3, expected, d_Q, FOUR_DECIMALS);
}

TEST(scaled_dot_product_attention_backward, the_gradient_of_the_keys_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    const double expected[3][3] = {
        {-0.0088, 0.2254, -0.0088}, {0.2965, -0.2254, 0.2965}, {-0.2877, 0, -0.2877}};
    EXPECT_MATRIX(3, 3, expected, d_K, FOUR_DECIMALS);
}

TEST(scaled_dot_product_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    const double expected[3][2] = {{0.2645, 0.3904}, {0.2645, 0.3904}, {0.4711, 0.2192}};
    EXPECT_MATRIX(3, 2, expected, d_V, FOUR_DECIMALS);
}

/* Everything that a random backward pass of the sizes z needs. */
#define RANDOM_INPUTS(z, generator)                                                                \
    NEW_Q_K_V(z, generator);                                                                       \
    NEW_MATRIX_RANDOM(d_out, (z).n_q, (z).d_v, generator);                                         \
    NEW_MATRIX(weights, (z).n_q, (z).n_k);                                                         \
    obvious_weights(z, Q, K, weights)

/* What the backward pass has to add. */
#define GAINED(z)                                                                                  \
    NEW_MATRIX(gained_d_Q, (z).n_q, (z).d_k);                                                      \
    NEW_MATRIX(gained_d_K, (z).n_k, (z).d_k);                                                      \
    NEW_MATRIX(gained_d_V, (z).n_k, (z).d_v);                                                      \
    obvious_way_back(right_scale((z).d_k), z, Q, K, V, weights, d_out, gained_d_Q, gained_d_K,     \
                     gained_d_V)

TEST(scaled_dot_product_attention_backward, all_three_gradients_are_added_to_what_is_there) {
    const struct sizes z = {2, 4, 3, 1};
    struct random r = random_seed(304);
    RANDOM_INPUTS(z, &r);
    GAINED(z);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 10.0);
    NEW_MATRIX_FILLED(d_K, 4, 3, 20.0);
    NEW_MATRIX_FILLED(d_V, 4, 1, 30.0);
    scaled_dot_product_attention_backward(2, 4, 3, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    EXPECT_ADDED(2, 3, 10.0, gained_d_Q, d_Q);
    EXPECT_ADDED(4, 3, 20.0, gained_d_K, d_K);
    EXPECT_ADDED(4, 1, 30.0, gained_d_V, d_V);
}

TEST(scaled_dot_product_attention_backward, four_keys_get_their_gradients_to_twelve_decimals) {
    FOUR_KEYS;
    NEW_MATRIX_LIKE(weights, 2, 4, four_keys_weights);
    NEW_MATRIX_OF(d_out, 2, 5, {1, -0.5, 0, 0.25, 2}, {0.25, 2, -1, 1, 0});
    ZERO_GRADIENTS(2, 4, 3, 5);
    scaled_dot_product_attention_backward(2, 4, 3, 5, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    const double expected_d_Q[2][3] = {
        {0.4486353627143409, 0.81194703292315606, -0.35137280957292799},
        {0.24644575275582192, -0.48854171206057695, 0.10102212052604442}};
    const double expected_d_K[4][3] = {
        {0.35137280957292821, -0.10102212052604445, 0.80376773967190074},
        {-0.1455655006928179, -0.29347036568205881, 0.0023393642964230363},
        {0.40033241516293555, 0.30044326035562957, 0.50022156997024148},
        {-0.60613972404304572, 0.094049225852473647, -1.3063286739385649}};
    const double expected_d_V[4][5] = {
        {0.24176759521362237, 0.9139564647198386, -0.48698365285959988, 0.51698907335928046,
         0.2400433639974448},
        {0.28214228055118479, 0.43987153634605175, -0.27338478899842078, 0.32683380982381566,
         0.42759216660315919},
        {0.41920602166756793, 0.11652886266089965, -0.15347382282102759, 0.24868321431160534,
         0.76167513192462211},
        {0.30688410256762483, 0.029643136273209969, -0.086157735320951709, 0.15749390250529843,
         0.57068933747477379}};
    EXPECT_MATRIX(2, 3, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(4, 3, expected_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(4, 5, expected_d_V, d_V, ROUNDING);
}

/* The right amounts are added to the three gradients, whatever they hold before. */
static void expect_right_way_back(struct sizes z, const double Q[z.n_q][z.d_k],
                                  const double K[z.n_k][z.d_k], const double V[z.n_k][z.d_v],
                                  const double weights[z.n_q][z.n_k],
                                  const double d_out[z.n_q][z.d_v], double d_Q[z.n_q][z.d_k],
                                  double d_K[z.n_k][z.d_k], double d_V[z.n_k][z.d_v]) {
    GAINED(z);
    add_into(z.n_q * z.d_k, d_Q, gained_d_Q);
    add_into(z.n_k * z.d_k, d_K, gained_d_K);
    add_into(z.n_k * z.d_v, d_V, gained_d_V);
    scaled_dot_product_attention_backward(z.n_q, z.n_k, z.d_k, z.d_v, Q, K, V, weights, d_out, d_Q,
                                          d_K, d_V);
    EXPECT_OBVIOUS(&z, z.n_q, z.d_k, gained_d_Q, d_Q, ROUNDING);
    EXPECT_OBVIOUS(&z, z.n_k, z.d_k, gained_d_K, d_K, ROUNDING);
    EXPECT_OBVIOUS(&z, z.n_k, z.d_v, gained_d_V, d_V, ROUNDING);
}

TEST(scaled_dot_product_attention_backward, keys_and_values_of_one_width_get_their_own_gradients) {
    struct random r = random_seed(305);
    for (int width = 1; width <= 2; width++) {
        matrix_free_all();
        const struct sizes z = {3, 4, width, width};
        RANDOM_INPUTS(z, &r);
        ZERO_GRADIENTS(3, 4, width, width);
        expect_right_way_back(z, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    }
}

TEST(scaled_dot_product_attention_backward,
     a_word_that_asks_answers_and_is_fetched_has_one_gradient) {
    const struct sizes z = {4, 4, 4, 4};
    struct random r = random_seed(306);
    NEW_MATRIX_RANDOM(X, 4, 4, &r);
    NEW_MATRIX_RANDOM(d_out, 4, 4, &r);
    NEW_MATRIX(weights, 4, 4);
    double(*Q)[4] = X, (*K)[4] = X, (*V)[4] = X;
    obvious_weights(z, X, X, weights);
    NEW_MATRIX_RANDOM(d_X, 4, 4, &r);
    NEW_MATRIX_LIKE(expected, 4, 4, d_X);
    GAINED(z);
    add_into(16, gained_d_Q, expected);
    add_into(16, gained_d_K, expected);
    add_into(16, gained_d_V, expected);
    scaled_dot_product_attention_backward(4, 4, 4, 4, X, X, X, weights, d_out, d_X, d_X, d_X);
    BECAUSE("Here d_Q, d_K and d_V are the same matrix, as in self-attention.");
    EXPECT_MATRIX(4, 4, expected, d_X, ROUNDING);
}

/* A call, for numeric_gradient(): the loss is the output times `upstream`. */
struct call {
    struct sizes z;
    void *Q, *K, *V, *weights, *out;
    const void *upstream;
};

static double loss_of_attention(void *context) {
    struct call *c = context;
    scaled_dot_product_attention(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V,
                                 c->weights, c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

TEST(scaled_dot_product_attention_backward, all_three_gradients_are_what_nudging_measures) {
    struct random r = random_seed(307);
    FOR_ALL_SIZES(z) {
        const int n_q = z->n_q, n_k = z->n_k, d_k = z->d_k, d_v = z->d_v;
        if (n_k == 1) /* a single key has weight 1 at any score, so there is nothing to measure */
            continue;
        RANDOM_INPUTS(*z, &r);
        ZERO_GRADIENTS(n_q, n_k, d_k, d_v);
        scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                              d_V);
        NEW_MATRIX(nudged_weights, n_q, n_k);
        NEW_MATRIX(nudged_out, n_q, d_v);
        struct call call = {*z, Q, K, V, nudged_weights, nudged_out, d_out};
        EXPECT_ALL_NUDGED(*z, loss_of_attention, &call);
    }
}

TEST(scaled_dot_product_attention_backward, the_weights_are_used_as_the_forward_pass_left_them) {
    const struct sizes z = {2, 4, 3, 1};
    struct random r = random_seed(308);
    NEW_Q_K_V(z, &r);
    NEW_MATRIX_OF(weights, 2, 4, {0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0});
    NEW_MATRIX_RANDOM(d_out, 2, 1, &r);
    ZERO_GRADIENTS(2, 4, 3, 1);
    BECAUSE("The weights given here do not come from Q and K. Use them as they are.");
    expect_right_way_back(z, Q, K, V, weights, d_out, d_Q, d_K, d_V);
}

TEST(scaled_dot_product_attention_backward, random_ways_back_agree_with_the_obvious_one) {
    struct random r = random_seed(309);
    FOR_ALL_SIZES(z) {
        RANDOM_INPUTS(*z, &r);
        NEW_MATRIX_RANDOM(d_Q, z->n_q, z->d_k, &r);
        NEW_MATRIX_RANDOM(d_K, z->n_k, z->d_k, &r);
        NEW_MATRIX_RANDOM(d_V, z->n_k, z->d_v, &r);
        expect_right_way_back(*z, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    }
}

WORK_OF_KEYS(scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q,
                                                   d_K, d_V))

/* The weights are equal, and the values 1 and -1 in turn: their mean, and so the shared sum, is 0.
   d_k is 4, so the scale is a half. */
TEST(scaled_dot_product_attention_backward, a_long_text_needs_no_matrix_of_its_own) {
    EXPECT_WORK_IN_PROPORTION;
    enum { n_q = 5, n_k = 30000 };
    NEW_MATRIX_OF(Q, n_q, 4, {1, -1, 0, 0}, {2, 0.5, 0, 0}, {0, 3, 0, 0});
    NEW_MATRIX_FILLED(K, n_k, 4, 0.0);
    NEW_MATRIX(V, n_k, 1);
    NEW_MATRIX_FILLED(weights, n_q, n_k, 1.0 / n_k);
    NEW_MATRIX_OF(d_out, n_q, 1, {4}, {-1}, {2});
    ZERO_GRADIENTS(n_q, n_k, 4, 1);
    NEW_MATRIX_FILLED(expected_d_K, n_k, 4, 0.0);
    for (int j = 0; j < n_k; j++) {
        K[j][0] = V[j][0] = j % 2 == 0 ? 1.0 : -1.0;
        expected_d_K[j][0] = V[j][0] * (4 * 1 - 1 * 2 + 2 * 0) / 2.0 / n_k;
        expected_d_K[j][1] = V[j][0] * (4 * -1 - 1 * 0.5 + 2 * 3) / 2.0 / n_k;
    }
    scaled_dot_product_attention_backward(n_q, n_k, 4, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    const double expected_d_Q[n_q][4] = {{2, 0, 0, 0}, {-0.5, 0, 0, 0}, {1, 0, 0, 0}};
    NEW_MATRIX_FILLED(expected_d_V, n_k, 1, (4.0 - 1 + 2) / n_k);
    EXPECT_MATRIX(n_q, 4, expected_d_Q, d_Q, 1e-9);
    EXPECT_MATRIX(n_k, 4, expected_d_K, d_K, 1e-15);
    EXPECT_MATRIX(n_k, 1, expected_d_V, d_V, 1e-15);
}

/* variance */

TEST(variance, the_variance_of_eight_numbers_comes_out) {
    NEW_VECTOR_OF(x, 8, 2, 4, 4, 4, 5, 5, 7, 9);
    report('<', "x = 2, 4, 4, 4, 5, 5, 7, 9"); /* too long to be shown by itself */
    EXPECT_NUMBER(4.0, variance(8, x), FOUR_DECIMALS);
}

TEST(variance, a_mean_between_two_whole_numbers_counts_as_it_is) {
    NEW_VECTOR_OF(x, 3, 1, 2, 4);
    EXPECT_NUMBER(14 / 9.0, variance(3, x), ROUNDING);
}

TEST(variance, a_single_number_has_no_variance) {
    NEW_VECTOR_OF(x, 1, -7.25);
    BECAUSE("A single number is its own mean, so its distance is 0.");
    EXPECT_NUMBER(0.0, variance(1, x), ROUNDING);
}

TEST(variance, moving_all_numbers_far_away_changes_no_variance) {
    NEW_VECTOR_OF(x, 8, 2, 4, 4, 4, 5, 5, 7, 9);
    for (int i = 0; i < 8; i++)
        x[i] -= 1e9;
    BECAUSE("Every number is 1000000000 smaller than in the first test (2, 4, 4, 4, 5, 5, 7, 9). "
            "The distances are the same, so the variance is 4 again.");
    EXPECT_NUMBER(4.0, variance(8, x), 1e-6);
}

TEST(variance, far_away_too_the_mean_may_lie_between_two_whole_numbers) {
    NEW_VECTOR_OF(x, 3, 1 - 1e9, 2 - 1e9, 4 - 1e9);
    BECAUSE("These are 1, 2 and 4 minus 1000000000, so the variance is that of 1, 2 and 4.");
    EXPECT_NUMBER(14 / 9.0, variance(3, x), 1e-5);
}

TEST(variance, random_variances_agree_with_all_pairs) {
    struct random r = random_seed(310);
    for (int n = 1; n <= 9; n++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(x, n, &r);
        double expected = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                expected += (x[i] - x[j]) * (x[i] - x[j]) / (2.0 * n * n);
        BECAUSE("Here n is %d.", n);
        EXPECT_NUMBER(expected, variance(n, x), ROUNDING);
    }
}

TEST(variance, scores_vary_by_their_width) {
    struct random r = random_seed(311);
    for (int d_k = 4; d_k <= 256; d_k *= 8) {
        const double *scores = random_scores(&r, d_k);
        double result = variance(SIDE * SIDE, scores);
        EXPECT_THAT(fabs(result / d_k - 1) <= 0.05,
                    "scores of d_k = %d have a variance of %.4g instead of about d_k", d_k, result);
    }
}

/* mean_entropy */

TEST(mean_entropy, the_worked_weights_have_this_mean_entropy) {
    NEW_MATRIX_OF(weights, 2, 3, {0.264458461496, 0.264458461496, 0.471083077009},
                  {0.390413945607, 0.390413945607, 0.219172108786});
    EXPECT_NUMBER(1.0626, mean_entropy(2, 3, weights), FOUR_DECIMALS);
}

TEST(mean_entropy, sure_rows_have_none_and_undecided_rows_the_most) {
    NEW_MATRIX_OF(weights, 3, 4, {0, 1, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0});
    BECAUSE("Every row has one weight of 1, so its entropy is 0.");
    EXPECT_NUMBER(0.0, mean_entropy(3, 4, weights), 0.0);
    fill(12, 0.25, weights);
    BECAUSE("Every row has 4 equal weights, so its entropy is log(4).");
    EXPECT_NUMBER(log(4), mean_entropy(3, 4, weights), ROUNDING);
}

TEST(mean_entropy, weights_of_zero_between_others_change_nothing) {
    NEW_MATRIX_OF(weights, 2, 5, {0, 0.5, 0, 0.5, 0}, {0.25, 0, 0.25, 0.5, 0});
    EXPECT_NUMBER(1.25 * log(2), mean_entropy(2, 5, weights), ROUNDING);
}

TEST(mean_entropy, random_rows_agree_with_the_obvious_mean) {
    struct random r = random_seed(312);
    FOR_ALL_SIZES(z) {
        const int rows = z->n_q, cols = z->n_k;
        NEW_MATRIX_RANDOM(weights, rows, cols, &r);
        softmax_rows(rows, cols, weights, weights);
        double expected = 0.0;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                expected -= weights[i][j] * log(weights[i][j]) / rows;
        BECAUSE("Here rows is %d and cols is %d.", rows, cols);
        EXPECT_NUMBER(expected, mean_entropy(rows, cols, weights), ROUNDING);
    }
}
