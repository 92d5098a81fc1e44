/* Lesson 04: tests of the backward passes in additive.h. */
#include "net.h"

#include "../jacobian.h"

#include <string.h>

/* Three backward passes: that of the general scores gives the first three of these gradients, that
   of the additive scores all between D_Q and D_W_K, that of additive attention D_V as well. */
enum { D_W, D_Q, D_K, D_V_A, D_W_Q, D_W_K, D_V, KINDS };

struct gradients {
    void *of[KINDS];
};

static const char *const gradient_names[KINDS] = {"d_W",   "d_Q",   "d_K", "d_v_a",
                                                  "d_W_q", "d_W_k", "d_V"};

static int rows_of(struct sizes z, int kind) {
    const int rows[KINDS] = {z.d_q, z.n_q, z.n_k, 0, z.d_a, z.d_a, z.n_k};
    return rows[kind];
}

static int cols_of(struct sizes z, int kind) {
    const int cols[KINDS] = {z.d_k, z.d_q, z.d_k, z.d_a, z.d_q, z.d_k, z.d_v};
    return cols[kind];
}

static int count_of(struct sizes z, int kind) {
    return (rows_of(z, kind) ? rows_of(z, kind) : 1) * cols_of(z, kind);
}

typedef void back(const struct net *n, struct gradients d);

struct way_back {
    int first, end; /* kinds */
    enum what what;
    run *forward;
    back *back, *obvious;
};

/* Separate matrices for the gradients of a backward pass, filled with this number. */
static struct gradients new_gradients(const struct way_back *way, struct sizes z, double value) {
    struct gradients d = {{0}};
    for (int k = way->first; k < way->end; k++) {
        int rows = rows_of(z, k), cols = cols_of(z, k);
        d.of[k] =
            rows ? matrix_new(gradient_names[k], rows, cols) : vector_new(gradient_names[k], cols);
        fill(count_of(z, k), value, d.of[k]);
    }
    return d;
}

/* --- the learner's functions ---------------------------------------------------------------- */

static void run_scores_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    additive_scores_backward(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                             n->hidden, n->upstream, d.of[D_W_Q], d.of[D_W_K], d.of[D_V_A],
                             d.of[D_Q], d.of[D_K]);
}

static void run_attention_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    additive_attention_backward(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v, n->W_q, n->W_k, n->v_a,
                                n->Q, n->K, n->V, n->hidden, n->weights, n->upstream, d.of[D_W_Q],
                                d.of[D_W_K], d.of[D_V_A], d.of[D_Q], d.of[D_K], d.of[D_V]);
}

static void run_general_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    general_scores_backward(z.n_q, z.n_k, z.d_q, z.d_k, n->W, n->Q, n->K, n->upstream, d.of[D_W],
                            d.of[D_Q], d.of[D_K]);
}

/* --- the slow, obvious way: into gradients that are 0 --------------------------------------- */

/* The gradients for one part, query or key, of the sum inside a tanh. */
static void share(double d_sum, int d, const double w[d], const double x[d], double d_w[d],
                  double d_x[d]) {
    for (int c = 0; c < d; c++) {
        d_w[c] += d_sum * x[c];
        d_x[c] += d_sum * w[c];
    }
}

static void obvious_scores_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k, *v_a = n->v_a;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K, (*d_scores)[z.n_k] = n->upstream;
    const double(*hidden)[z.n_k][z.d_a] = n->hidden;
    double(*d_W_q)[z.d_q] = d.of[D_W_Q], (*d_W_k)[z.d_k] = d.of[D_W_K], *d_v_a = d.of[D_V_A];
    double(*d_Q)[z.d_q] = d.of[D_Q], (*d_K)[z.d_k] = d.of[D_K];
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            for (int a = 0; a < z.d_a; a++) {
                double h = hidden[i][j][a], slope = 1.0 - h * h;
                d_v_a[a] += d_scores[i][j] * h;
                share(d_scores[i][j] * v_a[a] * slope, z.d_q, W_q[a], Q[i], d_W_q[a], d_Q[i]);
                share(d_scores[i][j] * v_a[a] * slope, z.d_k, W_k[a], K[j], d_W_k[a], d_K[j]);
            }
}

/* Through softmax's whole Jacobian. */
static void obvious_attention_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    NEW_MATRIX(d_weights, z.n_q, z.n_k);
    NEW_MATRIX(slow_d_scores, z.n_q, z.n_k);
    product_by_rows(z.n_q, z.d_v, z.n_k, n->upstream, n->V, d_weights);
    obvious_d_scores(z.n_q, z.n_k, n->weights, d_weights, slow_d_scores);
    product_by_columns(z.n_k, z.n_q, z.d_v, n->weights, n->upstream, d.of[D_V]);
    struct net scored = *n;
    scored.upstream = slow_d_scores;
    obvious_scores_backward(&scored, d);
}

static void obvious_general_backward(const struct net *n, struct gradients d) {
    const struct sizes z = n->z;
    NEW_MATRIX(W_key, z.n_k, z.d_q);
    NEW_MATRIX(query_W, z.n_q, z.d_k);
    NEW_MATRIX(wanted, z.n_q, z.d_k);
    product_by_rows(z.n_k, z.d_k, z.d_q, n->K, n->W, W_key);
    product(z.n_q, z.d_q, z.d_k, n->Q, n->W, query_W);
    product(z.n_q, z.n_k, z.d_k, n->upstream, n->K, wanted);
    product_by_columns(z.d_q, z.n_q, z.d_k, n->Q, wanted, d.of[D_W]);
    product(z.n_q, z.n_k, z.d_q, n->upstream, W_key, d.of[D_Q]);
    product_by_columns(z.n_k, z.n_q, z.d_k, n->upstream, query_W, d.of[D_K]);
}

static const struct way_back of_scores = {
    D_Q, D_V, ADDITIVE, run_scores, run_scores_backward, obvious_scores_backward};
static const struct way_back of_attention = {
    D_Q, KINDS, ATTENTION, run_attention, run_attention_backward, obvious_attention_backward};
static const struct way_back of_general = {
    D_W, D_V_A, GENERAL, run_general, run_general_backward, obvious_general_backward};

static struct gradients obvious_gradients(const struct way_back *way, const struct net *n) {
    struct gradients d = new_gradients(way, n->z, 0.0);
    way->obvious(n, d);
    return d;
}

/* --- what all three have to prove ----------------------------------------------------------- */

/* n after its forward pass, with the gradient of its output. */
static struct net after_forward(struct net n, const void *upstream) {
    const int cols = n.V ? n.z.d_v : n.z.n_k;
    if (n.W_q)
        n.hidden = obvious_hidden("hidden", &n);
    if (n.V)
        n.weights = obvious_weights("weights", &n);
    n.upstream = matrix_copy(n.V ? "d_out" : "d_scores", n.z.n_q, cols, upstream);
    return n;
}

static struct net random_after_forward(const struct way_back *way, struct sizes z,
                                       struct random *r) {
    struct net n = random_inputs(way->what, z, r);
    NEW_MATRIX_RANDOM(arriving, z.n_q, n.V ? z.d_v : z.n_k, r);
    return after_forward(n, arriving);
}

#define EXPECT_KIND(kind, z, expected, given, tolerance)                                           \
    expect_numbers(__LINE__, gradient_names[kind], rows_of(z, kind), cols_of(z, kind),             \
                   (const double *)(expected), (given).of[kind], tolerance)

/* Kinds from `first` up to, not including, `end`. */
static void expect_worked(const struct way_back *way, int first, int end, const struct net *n,
                          const void *const expected[KINDS]) {
    struct gradients d = new_gradients(way, n->z, 0.0);
    way->back(n, d);
    for (int k = first; k < end; k++) {
        because_of_sizes(n);
        EXPECT_KIND(k, n->z, expected[k], d, FOUR_DECIMALS);
    }
}

/* The last kind first: the other tests begin with the first, so a slip in one and one in all
 * differ.
 */
static void expect_added_at_all_sizes(const struct way_back *way, uint64_t seed) {
    struct random r = random_seed(seed);
    FOR_ALL_SIZES(z) {
        struct net n = random_after_forward(way, *z, &r);
        struct gradients d = new_gradients(way, *z, 10.0), gained = obvious_gradients(way, &n);
        way->back(&n, d);
        for (int k = way->end - 1; k >= way->first; k--)
            expect_added(__LINE__, gradient_names[k], rows_of(*z, k), cols_of(*z, k), 10.0,
                         gained.of[k], d.of[k]);
    }
}

struct nudged {
    struct net n;
    run *forward;
};

static double loss(void *context) {
    struct nudged *c = context;
    const struct sizes z = c->n.z;
    c->forward(&c->n);
    return sum_of_products(z.n_q * (c->n.V ? z.d_v : z.n_k), c->n.V ? c->n.out : c->n.scores,
                           c->n.upstream);
}

static void expect_measured_at_all_sizes(const struct way_back *way, uint64_t seed) {
    struct random r = random_seed(seed);
    FOR_ALL_SIZES(z) {
        struct net n = random_after_forward(way, *z, &r);
        if (n.V && z->n_k == 1)
            continue; /* a weight of 1 whatever the score: all gradients but one are 0 */
        void *inputs[KINDS] = {n.W, n.Q, n.K, n.v_a, n.W_q, n.W_k, n.V};
        struct gradients d = new_gradients(way, *z, 0.0), measured = new_gradients(way, *z, 0.0);
        way->back(&n, d);
        struct nudged nudged = {with_room(n), way->forward};
        for (int k = way->first; k < way->end; k++) {
            numeric_gradient(loss, &nudged, count_of(*z, k), inputs[k], measured.of[k]);
            because_of_sizes(&n);
            expect_gradient(__LINE__, gradient_names[k], rows_of(*z, k), cols_of(*z, k),
                            measured.of[k], d.of[k], SLOPES);
        }
    }
}

static void expect_obvious_gradients(const struct way_back *way, const struct net *n,
                                     const char *because) {
    struct gradients d = new_gradients(way, n->z, 0.0), expected = obvious_gradients(way, n);
    way->back(n, d);
    for (int k = way->first; k < way->end; k++) {
        BECAUSE("%s", because);
        EXPECT_KIND(k, n->z, expected.of[k], d, ROUNDING);
    }
}

static void expect_long_gradients(const struct way_back *way, uint64_t seed) {
    struct random r = random_seed(seed);
    struct net n = random_after_forward(way, many_queries, &r);
    struct gradients d = new_gradients(way, n.z, 0.0), expected = obvious_gradients(way, &n);
    way->back(&n, d);
    for (int k = way->first; k < way->end; k++) {
        because_of_sizes(&n);
        EXPECT_KIND(k, n.z, expected.of[k], d, 1e-9); /* sums of so many round more */
    }
}

static void meet(int count, struct gradients *expected, struct gradients *d, int one, int other) {
    if (!d->of[one] || !d->of[other])
        return;
    add_into(count, expected->of[other], expected->of[one]);
    expected->of[other] = expected->of[one];
    d->of[other] = d->of[one];
}

/* One sentence is queries, keys and values, and one matrix serves both sides of the network. */
static void expect_gradients_that_meet(const struct way_back *way, uint64_t seed) {
    const struct sizes z = {4, 4, 3, 3, 2, 3};
    struct random r = random_seed(seed);
    struct net n = random_inputs(way->what, z, &r);
    NEW_MATRIX_RANDOM(arriving, 4, n.V ? 3 : 4, &r);
    memcpy(n.K, n.Q, 12 * sizeof(double));
    if (n.V)
        memcpy(n.V, n.Q, 12 * sizeof(double));
    if (n.W_q)
        memcpy(n.W_k, n.W_q, 6 * sizeof(double));
    n = after_forward(n, arriving);
    struct gradients d = new_gradients(way, z, 0.0), expected = obvious_gradients(way, &n);
    meet(12, &expected, &d, D_Q, D_K);
    meet(12, &expected, &d, D_Q, D_V);
    meet(6, &expected, &d, D_W_Q, D_W_K);
    way->back(&n, d);
    for (int k = way->first; k < way->end; k++) {
        BECAUSE("This is self-attention, so some of the gradients are the same matrix. It must "
                "receive the sum of all of them.");
        EXPECT_KIND(k, z, expected.of[k], d, ROUNDING);
    }
}

#define PROVED(of, name, expect_it, way, seed)                                                     \
    TEST(of, name) {                                                                               \
        expect_it(&(way), seed);                                                                   \
    }

/* --- additive_scores_backward --------------------------------------------------------------- */

static const double worked_d_scores[2][3] = {{1, -2, 0.5}, {3, 1, -1}};

TEST(additive_scores_backward, the_worked_network_gets_these_gradients_to_four_decimals) {
    struct net n = after_forward(worked_inputs(ADDITIVE), worked_d_scores);
    const double d_v_a[2] = {3.2369, 4.6625};
    const double d_W_q[2][2] = {{-1.2923, .3190}, {-.4034, -.4790}};
    const double d_W_k[2][3] = {{.1797, -1.1236, .1211}, {-.6548, -.1413, -.8274}};
    expect_worked(&of_scores, D_V_A, D_V, &n,
                  (const void *[KINDS]){[D_V_A] = d_v_a, [D_W_Q] = d_W_q, [D_W_K] = d_W_k});
}

TEST(additive_scores_backward, the_worked_queries_and_keys_get_these_gradients_to_four_decimals) {
    struct net n = after_forward(worked_inputs(ADDITIVE), worked_d_scores);
    const double d_Q[2][2] = {{-.2427, -1.3931}, {.6385, .1993}};
    const double d_K[3][3] = {
        {-.0348, .7411, -.6659}, {-1.2098, .2276, -.8041}, {.0509, -.0863, .1009}};
    expect_worked(&of_scores, D_Q, D_V_A, &n, (const void *[KINDS]){[D_Q] = d_Q, [D_K] = d_K});
}

PROVED(additive_scores_backward, the_five_gradients_are_added_to_what_is_there,
       expect_added_at_all_sizes, of_scores, 415)
PROVED(additive_scores_backward, the_five_gradients_are_what_nudging_measures,
       expect_measured_at_all_sizes, of_scores, 416)

TEST(additive_scores_backward, the_given_hidden_values_are_what_counts) {
    struct random r = random_seed(417);
    struct net n = random_after_forward(&of_scores, (struct sizes){2, 4, 3, 5, 6, 1}, &r);
    random_fill_uniform(&r, 2 * 4 * 6, n.hidden);
    expect_obvious_gradients(
        &of_scores, &n, "hidden is an input here. It is not what a forward pass would compute.");
}

TEST(additive_scores_backward, a_saturated_hidden_number_passes_no_gradient) {
    struct random r = random_seed(418);
    struct net n = random_after_forward(&of_scores, (struct sizes){2, 4, 3, 5, 1, 6}, &r);
    double *hidden = n.hidden;
    for (int p = 0; p < 8; p++)
        hidden[p] = p % 3 ? 1.0 : -1.0;
    struct gradients d = new_gradients(&of_scores, n.z, 0.0);
    struct gradients expected = obvious_gradients(&of_scores, &n);
    run_scores_backward(&n, d);
    for (int k = D_Q; k < D_V; k++) {
        BECAUSE_IF(k == D_V_A, "Each hidden unit is 1 or -1. v_a is outside the tanh, so it "
                               "still has a gradient.");
        BECAUSE("Each hidden unit is 1 or -1. There the derivative of tanh is 0, so no gradient "
                "passes through it.");
        EXPECT_KIND(k, n.z, expected.of[k], d, k == D_V_A ? ROUNDING : 0.0);
    }
}

PROVED(additive_scores_backward, a_sentence_that_asks_itself_collects_both_gradients,
       expect_gradients_that_meet, of_scores, 419)
PROVED(additive_scores_backward, scores_of_a_long_text_go_back_without_an_array_of_their_own,
       expect_long_gradients, of_scores, 418)

/* --- additive_attention_backward ------------------------------------------------------------ */

static void expect_worked_attention(int first, int end, const void *const expected[KINDS]) {
    const double d_out[2][2] = {{1, 0}, {0, 1}};
    struct net n = after_forward(worked_inputs(ATTENTION), d_out);
    expect_worked(&of_attention, first, end, &n, expected);
}

TEST(additive_attention_backward, the_gradient_of_the_network_comes_out_to_four_decimals) {
    const double d_W_q[2][2] = {{.2211, -.1058}, {.0096, .0613}};
    const double d_W_k[2][3] = {{-.1954, .1130, .2000}, {.0025, .0665, .0063}};
    const double d_v_a[2] = {-.1153, .2840};
    expect_worked_attention(
        D_V_A, D_V, (const void *[KINDS]){[D_V_A] = d_v_a, [D_W_Q] = d_W_q, [D_W_K] = d_W_k});
}

TEST(additive_attention_backward, the_gradient_of_queries_and_keys_comes_out_to_four_decimals) {
    const double d_Q[2][2] = {{.1009, .2235}, {-.1142, -.0905}};
    const double d_K[3][3] = {
        {.0034, -.0044, .0055}, {.3278, -.0684, .2237}, {-.1982, .0019, -.1008}};
    expect_worked_attention(D_Q, D_V_A, (const void *[KINDS]){[D_Q] = d_Q, [D_K] = d_K});
}

TEST(additive_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals) {
    const double d_V[3][2] = {{.2760, .1999}, {.3058, .3447}, {.4183, .4554}};
    expect_worked_attention(D_V, KINDS, (const void *[KINDS]){[D_V] = d_V});
}

PROVED(additive_attention_backward, all_six_gradients_are_added_to_what_is_there,
       expect_added_at_all_sizes, of_attention, 424)
PROVED(additive_attention_backward, all_six_gradients_are_what_nudging_measures,
       expect_measured_at_all_sizes, of_attention, 425)

/* With dropout (lesson 05), the forward pass would not compute the same numbers again. */
TEST(additive_attention_backward, hidden_and_weights_are_used_as_the_forward_pass_left_them) {
    struct random r = random_seed(426);
    const double weights[2][4] = {{0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0}};
    struct net n = random_after_forward(&of_attention, (struct sizes){2, 4, 3, 5, 6, 1}, &r);
    random_fill_uniform(&r, 2 * 4 * 6, n.hidden);
    memcpy(n.weights, weights, sizeof weights);
    scale_into(2, 10.0, n.upstream, n.upstream); /* so that a shared sum in an int is not 0 */
    expect_obvious_gradients(&of_attention, &n,
                             "hidden and weights are inputs here. They are not what a forward "
                             "pass would compute.");
}

PROVED(additive_attention_backward, a_sentence_that_attends_to_itself_collects_all_gradients,
       expect_gradients_that_meet, of_attention, 427)

/* A row of weights does not fit the stack that the tutor gives. All hidden units are 0.5, where the
   derivative of tanh is 0.75, and the values 1 and -1 in turn: the shared sum is 0. */
TEST(additive_attention_backward, a_long_text_goes_back_without_an_array_of_its_own) {
    enum { n_k = MANY };
    const struct sizes z = {1, n_k, 1, 1, 1, 1};
    struct random r = random_seed(429);
    struct net n = random_inputs(ATTENTION, z, &r);
    const double *v_a = n.v_a, *K = n.K, d_out[1] = {3};
    double *V = n.V, expected_d_W_k = 0.0;
    for (int j = 0; j < n_k; j++) {
        V[j] = j % 2 == 0 ? 1.0 : -1.0;
        expected_d_W_k += 3.0 * V[j] / n_k * v_a[0] * 0.75 * K[j];
    }
    n = after_forward(n, d_out);
    fill(n_k, 0.5, n.hidden);
    fill(n_k, 1.0 / n_k, n.weights);
    struct gradients d = new_gradients(&of_attention, z, 0.0);
    run_attention_backward(&n, d);
    EXPECT_KIND(D_W_K, z, &expected_d_W_k, d, ROUNDING);
}

/* --- general_scores_backward ---------------------------------------------------------------- */

TEST(general_scores_backward, the_worked_general_scores_give_these_gradients) {
    struct net n = after_forward(worked_inputs(GENERAL), worked_d_scores);
    const double d_W[2][3] = {{1.5, -1.5, 0.5}, {2, 0, 4}};
    const double d_Q[2][2] = {{1.75, 2.375}, {4, 4.5}};
    const double d_K[3][3] = {{1.75, -3, 3.5}, {-1.75, -1, 0}, {0.25, 1, -0.75}};
    expect_worked(&of_general, D_W, D_V_A, &n, (const void *[KINDS]){d_W, d_Q, d_K});
}

TEST(general_scores_backward, a_square_matrix_keeps_its_rows_on_the_way_back) {
    struct random r = random_seed(432);
    struct net n = random_after_forward(&of_general, (struct sizes){2, 5, 3, 3, 1, 1}, &r);
    expect_obvious_gradients(&of_general, &n,
                             "W is square here. Its rows belong to the query, and its columns to "
                             "the key.");
}

PROVED(general_scores_backward, the_three_gradients_are_added_to_what_is_there,
       expect_added_at_all_sizes, of_general, 433)
PROVED(general_scores_backward, the_three_gradients_are_what_nudging_measures,
       expect_measured_at_all_sizes, of_general, 434)
PROVED(general_scores_backward, a_sentence_scored_against_itself_collects_both_gradients,
       expect_gradients_that_meet, of_general, 435)
PROVED(general_scores_backward, general_scores_of_a_long_text_go_back_without_an_array_of_their_own,
       expect_long_gradients, of_general, 437)
