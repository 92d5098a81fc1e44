/* Lesson 02: the backward functions of dot_product.h. */
#include "inputs.h"

#include <string.h>

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

/* The inputs of a backward pass: the names of their gradients, and their shapes. */
struct gradient {
    const char *name;
    int rows, cols;
    void *input;
};
struct way_back {
    struct call call;
    int count;
    struct gradient all[3];
    void (*run)(const struct call *c, void *const d[]);
    void (*obvious)(const struct call *c, void *const d[]);
    loss_function *loss;
};
typedef struct way_back random_way_back(struct sizes z, struct random *r);

static void *random_matrix(const char *name, int rows, int cols, struct random *r) {
    return random_fill_normal(r, rows * cols, matrix_new(name, rows, cols));
}

/* The first holds this number, the second twice as much, and so on. */
static void new_gradients(const struct way_back *way, double held, void *d[3]) {
    for (int k = 0; k < way->count; k++) {
        const struct gradient *g = &way->all[k];
        d[k] = fill(g->rows * g->cols, held * (k + 1), matrix_new(g->name, g->rows, g->cols));
    }
}

static void expect_it_adds(random_way_back *make, uint64_t seed) {
    struct random r = random_seed(seed);
    const struct way_back way = make(some, &r);
    void *d[3], *gained[3];
    new_gradients(&way, 10.0, d);
    new_gradients(&way, 0.0, gained);
    way.obvious(&way.call, gained);
    way.run(&way.call, d);
    for (int k = 0; k < way.count; k++) {
        const struct gradient *g = &way.all[k];
        expect_added(__LINE__, g->name, g->rows, g->cols, 10.0 * (k + 1), gained[k], d[k]);
    }
}

static void expect_what_nudging_measures(random_way_back *make, uint64_t seed) {
    struct random r = random_seed(seed);
    const struct way_back way = make(some, &r);
    void *d[3];
    new_gradients(&way, 0.0, d);
    way.run(&way.call, d);
    struct call nudged = way.call;
    nudged.scores = matrix_new("scores", some.n_q, some.n_k);
    nudged.out = matrix_new("out", some.n_q, some.d_v);
    if (nudged.attend)
        nudged.weights = nudged.scores;
    for (int k = 0; k < way.count; k++) {
        const struct gradient *g = &way.all[k];
        expect_nudged(__LINE__, g->name, g->rows, g->cols, way.loss, &nudged, g->input, d[k]);
    }
}

/* The gradients are added to random numbers that are already there. */
static void expect_the_obvious(const struct way_back *way, struct random *r) {
    void *d[3], *sums[3];
    new_gradients(way, 0.0, d);
    new_gradients(way, 0.0, sums);
    way->obvious(&way->call, sums);
    for (int k = 0; k < way->count; k++) {
        const int count = way->all[k].rows * way->all[k].cols;
        add_into(count, random_fill_normal(r, count, d[k]), sums[k]);
    }
    way->run(&way->call, d);
    for (int k = 0; k < way->count; k++) {
        const struct gradient *g = &way->all[k];
        BECAUSE_OF_SIZES(&way->call.z);
        expect_numbers(__LINE__, g->name, g->rows, g->cols, sums[k], d[k], ROUNDING);
    }
}

static void expect_the_obvious_at_all_sizes(random_way_back *make, uint64_t seed) {
    FOR_ALL_SIZES(z) {
        struct random r = random_seed(seed + (uint64_t)z->n_q);
        const struct way_back way = make(*z, &r);
        expect_the_obvious(&way, &r);
    }
}

#define PROVED(of, name, expect_it, make, seed)                                                    \
    TEST(of, name) {                                                                               \
        expect_it(make, seed);                                                                     \
    }

/* dot_scores_backward */

TEST(dot_scores_backward, the_worked_scores_give_these_gradients_to_four_decimals) {
    WORKED_PAIRS;
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}}, d_weights[2][3] = {{1, 3, 0}, {2, 0, 1}};
    double weights[2][3];
    NEW_MATRIX(d_scores, 2, 3);
    softmax_rows(2, 3, scores, weights);
    obvious_d_scores(2, 3, weights, d_weights, d_scores);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_K, 3, 3, 0.0);
    dot_scores_backward(2, 3, 3, Q, K, d_scores, d_Q, d_K);
    EXPECT_ROWS(2, 3, d_Q, FOUR_DECIMALS, {-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223});
    EXPECT_ROWS(3, 3, d_K, FOUR_DECIMALS, {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561},
                {-0.4884, 0, -0.4884});
}

static void run_scores_back(const struct call *c, void *const d[]) {
    dot_scores_backward(c->z.n_q, c->z.n_k, c->z.d_k, c->Q, c->K, c->upstream, d[0], d[1]);
}

static void obvious_scores_back(const struct call *c, void *const d[]) {
    product(c->z.n_q, c->z.n_k, c->z.d_k, c->upstream, c->K, d[0]);
    product_by_columns(c->z.n_k, c->z.n_q, c->z.d_k, c->upstream, c->Q, d[1]);
}

static struct way_back back_of_scores(struct sizes z, struct random *r) {
    void *Q = random_matrix("Q", z.n_q, z.d_k, r), *K = random_matrix("K", z.n_k, z.d_k, r);
    return (struct way_back){
        {z, Q, K, .upstream = random_matrix("d_scores", z.n_q, z.n_k, r)},
        2,
        {{"d_Q", z.n_q, z.d_k, Q}, {"d_K", z.n_k, z.d_k, K}},
        run_scores_back,
        obvious_scores_back,
        loss_of_dot_scores,
    };
}

PROVED(dot_scores_backward, the_gradients_of_the_scores_are_added_to_what_is_there, expect_it_adds,
       back_of_scores, 218)
PROVED(dot_scores_backward, the_gradients_of_the_scores_are_what_nudging_measures,
       expect_what_nudging_measures, back_of_scores, 219)
TEST(dot_scores_backward, a_sentence_scored_against_itself_collects_both_gradients) {
    struct random r = random_seed(220);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_scores, 5, 5, &r);
    NEW_MATRIX(expected, 5, 3);
    NEW_MATRIX(as_key, 5, 3);
    product(5, 5, 3, d_scores, X, expected);
    product_by_columns(5, 5, 3, d_scores, X, as_key);
    add_into(15, as_key, expected);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_scores_backward(5, 5, 3, X, X, d_scores, d_X, d_X);
    BECAUSE("Here d_Q and d_K are the same matrix, so both gradients are added to it.");
    EXPECT_MATRIX(5, 3, expected, d_X, ROUNDING);
}

PROVED(dot_scores_backward, random_score_gradients_agree_with_the_obvious_products,
       expect_the_obvious_at_all_sizes, back_of_scores, 221)

TEST(dot_scores_backward, scores_of_a_long_text_go_back_without_a_matrix_of_their_own) {
    struct random r = random_seed(223);
    const struct way_back way = back_of_scores(wide_text, &r);
    expect_the_obvious(&way, &r);
}

/* blend_backward */

TEST(blend_backward, the_worked_blend_gives_these_gradients_to_four_decimals) {
    WORKED_EXAMPLE;
    NEW_MATRIX(weights, 2, 3);
    obvious_weights(2, 3, 3, Q, K, weights);
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});
    NEW_MATRIX_FILLED(d_weights, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_V, 3, 2, 0.0);
    blend_backward(2, 3, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_ROWS(2, 3, d_weights, FOUR_DECIMALS, {1, 3, 0}, {2, 0, 1});
    EXPECT_ROWS(3, 2, d_V, FOUR_DECIMALS, {0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554});
}

static void run_blend_back(const struct call *c, void *const d[]) {
    blend_backward(c->z.n_q, c->z.n_k, c->z.d_v, c->weights, c->V, c->upstream, d[0], d[1]);
}

static void obvious_blend_back(const struct call *c, void *const d[]) {
    product_by_rows(c->z.n_q, c->z.d_v, c->z.n_k, c->upstream, c->V, d[0]);
    product_by_columns(c->z.n_k, c->z.n_q, c->z.d_v, c->weights, c->upstream, d[1]);
}

static struct way_back back_of_blend(struct sizes z, struct random *r) {
    void *weights = random_matrix("weights", z.n_q, z.n_k, r);
    void *V = random_matrix("V", z.n_k, z.d_v, r);
    return (struct way_back){
        {z, .V = V, .weights = weights, .upstream = random_matrix("d_out", z.n_q, z.d_v, r)},
        2,
        {{"d_weights", z.n_q, z.n_k, weights}, {"d_V", z.n_k, z.d_v, V}},
        run_blend_back,
        obvious_blend_back,
        loss_of_blend,
    };
}

PROVED(blend_backward, the_gradients_of_a_blend_are_added_to_what_is_there, expect_it_adds,
       back_of_blend, 222)
TEST(blend_backward, a_weight_of_zero_still_gets_a_gradient) {
    NEW_MATRIX_OF(weights, 1, 3, {1, 0, 0});
    NEW_MATRIX_OF(V, 3, 2, {1, 2}, {3, 4}, {-5, 6});
    NEW_MATRIX_OF(d_out, 1, 2, {10, 1});
    NEW_MATRIX_FILLED(d_weights, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_V, 3, 2, 0.0);
    blend_backward(1, 3, 2, weights, V, d_out, d_weights, d_V);
    EXPECT_ROWS(1, 3, d_weights, ROUNDING, {12, 34, -44});
    EXPECT_ROWS(3, 2, d_V, ROUNDING, {10, 1}, {0, 0}, {0, 0});
}

PROVED(blend_backward, the_gradients_of_a_blend_are_what_nudging_measures,
       expect_what_nudging_measures, back_of_blend, 224)

TEST(blend_backward, a_matrix_that_blends_itself_collects_both_gradients) {
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
    BECAUSE("Here d_weights and d_V are the same matrix, so both gradients are added to it.");
    EXPECT_MATRIX(4, 4, expected, d_A, ROUNDING);
}

PROVED(blend_backward, random_blend_gradients_agree_with_the_obvious_products,
       expect_the_obvious_at_all_sizes, back_of_blend, 226)

TEST(blend_backward, a_blend_of_a_long_text_goes_back_without_a_matrix_of_its_own) {
    struct random r = random_seed(229);
    const struct way_back way = back_of_blend(long_text, &r);
    expect_the_obvious(&way, &r);
}

/* dot_product_attention_backward */

/* The backward pass of the worked example, from d_out = {1, 0}, {0, 1}. */
#define WORKED_WAY_BACK                                                                            \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    obvious_weights(2, 3, 3, Q, K, weights);                                                       \
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});                                                    \
    ZERO_GRADIENTS(2, 3, 3, 2);                                                                    \
    dot_product_attention_backward(2, 3, 3, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V)

TEST(dot_product_attention_backward, the_gradient_of_the_queries_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(2, 3, d_Q, FOUR_DECIMALS, {-0.4561, 0.4884, -0.0323}, {0.4223, 0, -0.4223});
}

TEST(dot_product_attention_backward, the_gradient_of_the_keys_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(3, 3, d_K, FOUR_DECIMALS, {0.0323, 0.4223, 0.0323}, {0.4561, -0.4223, 0.4561},
                {-0.4884, 0, -0.4884});
}

TEST(dot_product_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals) {
    WORKED_WAY_BACK;
    EXPECT_ROWS(3, 2, d_V, FOUR_DECIMALS, {0.2119, 0.4223}, {0.2119, 0.4223}, {0.5761, 0.1554});
}

static void run_attention_back(const struct call *c, void *const d[]) {
    dot_product_attention_backward(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V,
                                   c->weights, c->upstream, d[0], d[1], d[2]);
}

static void obvious_attention_back(const struct call *c, void *const d[]) {
    obvious_way_back(1.0, c->z, c->Q, c->K, c->V, c->weights, c->upstream, d[0], d[1], d[2]);
}

static struct way_back back_of_attention(struct sizes z, struct random *r) {
    void *Q = random_matrix("Q", z.n_q, z.d_k, r), *K = random_matrix("K", z.n_k, z.d_k, r);
    void *V = random_matrix("V", z.n_k, z.d_v, r), *d_out = random_matrix("d_out", z.n_q, z.d_v, r);
    NEW_MATRIX(weights, z.n_q, z.n_k);
    obvious_weights(z.n_q, z.n_k, z.d_k, Q, K, weights);
    return (struct way_back){
        {z, Q, K, V, .weights = weights, .upstream = d_out, .attend = dot_product_attention},
        3,
        {{"d_Q", z.n_q, z.d_k, Q}, {"d_K", z.n_k, z.d_k, K}, {"d_V", z.n_k, z.d_v, V}},
        run_attention_back,
        obvious_attention_back,
        loss_of_attention,
    };
}

PROVED(dot_product_attention_backward, all_three_gradients_are_added_to_what_is_there,
       expect_it_adds, back_of_attention, 227)
TEST(dot_product_attention_backward, three_gradients_meet_in_one_sentence) {
    NEW_MATRIX_OF(X, 2, 1, {1}, {2});
    NEW_MATRIX_OF(weights, 2, 2, {0.2689414213699951, 0.7310585786300049},
                  {0.1192029220221175, 0.8807970779778825});
    NEW_MATRIX_FILLED(d_out, 2, 1, 1.0);
    NEW_MATRIX_FILLED(d_X, 2, 1, 0.0);
    dot_product_attention_backward(2, 2, 1, 1, X, X, X, weights, d_out, d_X, d_X, d_X);
    BECAUSE("d_Q, d_K and d_V are the same matrix here, as in self-attention. Add all to it.");
    EXPECT_ROWS(2, 1, d_X, 1e-6, {0.178157}, {2.123448});
}

PROVED(dot_product_attention_backward, all_three_gradients_are_what_nudging_measures,
       expect_what_nudging_measures, back_of_attention, 228)

TEST(dot_product_attention_backward, a_word_that_asks_answers_and_is_fetched_has_one_gradient) {
    struct random r = random_seed(231);
    const struct sizes z = {5, 5, 3, 3};
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX_RANDOM(d_out, 5, 3, &r);
    NEW_OUTPUTS(5, 5, 3);
    obvious_weights(5, 5, 3, X, X, weights);
    NEW_MATRIX_FILLED(d_X, 5, 3, 0.0);
    dot_product_attention_backward(5, 5, 3, 3, X, X, X, weights, d_out, d_X, d_X, d_X);
    struct call call = {z, X, X, X, NULL, weights, out, d_out, dot_product_attention};
    EXPECT_NUDGED(loss_of_attention, &call, 5, 3, X, d_X);
}

TEST(dot_product_attention_backward, the_weights_are_used_as_the_forward_pass_left_them) {
    struct random r = random_seed(232);
    const double weights[2][4] = {{0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0}};
    const struct way_back way = back_of_attention((struct sizes){2, 4, 3, 1}, &r);
    memcpy(way.call.weights, weights, sizeof weights);
    expect_the_obvious(&way, &r);
}

TEST(dot_product_attention_backward, a_settled_choice_passes_nothing_to_the_scores) {
    NEW_MATRIX_OF(Q, 1, 2, {10000, 0});
    NEW_MATRIX_OF(K, 3, 2, {1, 5}, {0, 7}, {-1, 0});
    NEW_MATRIX_OF(V, 3, 4, {0.5, 1, 0, -2}, {1, 0, 2, 1}, {-1, 1, 3, 0});
    NEW_MATRIX_OF(weights, 1, 3, {1, 0, 0});
    NEW_MATRIX_OF(d_out, 1, 4, {4, -1, 2, 0.5});
    ZERO_GRADIENTS(1, 3, 2, 4);
    dot_product_attention_backward(1, 3, 2, 4, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    BECAUSE("With weights 1, 0, 0 no small change of a score changes a weight, so d_Q is 0.");
    EXPECT_ROWS(1, 2, d_Q, ROUNDING, {0});
    EXPECT_ROWS(3, 2, d_K, ROUNDING, {0});
    EXPECT_ROWS(3, 4, d_V, ROUNDING, {4, -1, 2, 0.5}, {0}, {0});
}

PROVED(dot_product_attention_backward, random_ways_back_agree_with_the_obvious_one,
       expect_the_obvious_at_all_sizes, back_of_attention, 235)

WORK_OF_KEYS(dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                            d_V))

/* The weights are equal, and the values alternate between 1 and -1, so the shared sum is 0.
   A few rows of weights fit on the stack that a lesson is given, but a matrix does not. */
TEST(dot_product_attention_backward, a_long_text_needs_no_matrix_of_its_own) {
    EXPECT_WORK_IN_PROPORTION;
    enum { n_q = 5, n_k = 30000 };
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
    NEW_MATRIX_FILLED(expected_d_V, n_k, 1, (4.0 - 1 + 2) / n_k);
    EXPECT_ROWS(n_q, 2, d_Q, ROUNDING, {4, 0}, {-1, 0}, {2, 0});
    EXPECT_MATRIX(n_k, 2, expected_d_K, d_K, 1e-15);
    EXPECT_MATRIX(n_k, 1, expected_d_V, d_V, 1e-15);
}
