/* Lesson 04: tests of the forward passes in additive.h. test_additive_backward.c has the others. */
#include "net.h"

#include "dot_product.h"
#include "softmax.h"
#include "work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COPY(name, rows, cols, ...)                                                                \
    matrix_copy(name, rows, cols, (const double[rows][cols]){__VA_ARGS__})

/* The worked example of the lesson; W of the general score is its W_k. */
struct net worked_inputs(enum what what) {
    struct net n = {.z = {.n_q = 2, .n_k = 3, .d_q = 2, .d_k = 3, .d_a = 2, .d_v = 2}};
    if (what == GENERAL) {
        n.W = COPY("W", 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    } else if (what == CONCAT) {
        n.W = COPY("W", 2, 5, {0.5, 1, 1, 0, 0.5}, {-1, 0.25, 0.25, -1, 1});
    } else {
        n.W_q = COPY("W_q", 2, 2, {0.5, 1}, {-1, 0.25});
        n.W_k = COPY("W_k", 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    }
    if (what != GENERAL)
        n.v_a = vector_copy("v_a", 2, (const double[2]){1, -0.5});
    n.Q = COPY("Q", 2, 2, {1, 0}, {0, 1});
    n.K = COPY("K", 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, -1});
    if (what == ATTENTION)
        n.V = COPY("V", 3, 2, {1, 2}, {3, 0}, {0, 1});
    return n;
}

static void *random_matrix(const char *name, int rows, int cols, struct random *r) {
    return random_fill_normal(r, rows * cols, matrix_new(name, rows, cols));
}

struct net random_inputs(enum what what, struct sizes z, struct random *r) {
    struct net n = {.z = z};
    if (what == GENERAL) {
        n.W = random_matrix("W", z.d_q, z.d_k, r);
    } else if (what == CONCAT) {
        n.W = random_matrix("W", z.d_a, z.d_q + z.d_k, r);
    } else {
        n.W_q = random_matrix("W_q", z.d_a, z.d_q, r);
        n.W_k = random_matrix("W_k", z.d_a, z.d_k, r);
    }
    if (what != GENERAL)
        n.v_a = random_fill_normal(r, z.d_a, vector_new("v_a", z.d_a));
    n.Q = random_matrix("Q", z.n_q, z.d_q, r);
    n.K = random_matrix("K", z.n_k, z.d_k, r);
    if (what == ATTENTION)
        n.V = random_matrix("V", z.n_k, z.d_v, r);
    return n;
}

/* Outputs of the learner's functions. They come after the inputs, or they would be shown as inputs.
 */
struct net with_room(struct net n) {
    const struct sizes z = n.z;
    if (n.V) {
        n.weights = matrix_new("weights", z.n_q, z.n_k);
        n.out = matrix_new("out", z.n_q, z.d_v);
    } else {
        n.scores = matrix_new("scores", z.n_q, z.n_k);
    }
    if (n.W_q)
        n.hidden = block_new("hidden", z.n_q, z.n_k, z.d_a);
    return n;
}

/* --- the learner's functions, all scores at a time ------------------------------------------ */

/* Every query with every key, through one of the functions for a pair. */
#define SCORES_OF_PAIRS(run_pairs, score)                                                          \
    static void run_pairs(const struct net *n) {                                                   \
        const struct sizes z = n->z;                                                               \
        const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;                                        \
        double(*scores)[z.n_k] = n->scores;                                                        \
        for (int i = 0; i < z.n_q; i++)                                                            \
            for (int j = 0; j < z.n_k; j++)                                                        \
                scores[i][j] = score;                                                              \
    }

SCORES_OF_PAIRS(run_additive_pairs,
                additive_score(z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, Q[i], K[j]))
SCORES_OF_PAIRS(run_concat_pairs, concat_score(z.d_q, z.d_k, z.d_a, n->W, n->v_a, Q[i], K[j]))
SCORES_OF_PAIRS(run_general_pairs, general_score(z.d_q, z.d_k, n->W, Q[i], K[j]))

void run_scores(const struct net *n) {
    const struct sizes z = n->z;
    additive_scores(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                    n->hidden, n->scores);
}

void run_attention(const struct net *n) {
    const struct sizes z = n->z;
    additive_attention(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                       n->V, n->hidden, n->weights, n->out);
}

void run_general(const struct net *n) {
    const struct sizes z = n->z;
    general_scores(z.n_q, z.n_k, z.d_q, z.d_k, n->W, n->Q, n->K, n->scores);
}

/* --- the slow, obvious way ------------------------------------------------------------------ */

void *obvious_hidden(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    double(*hidden)[z.n_k][z.d_a] = block_new(name, z.n_q, z.n_k, z.d_a);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            for (int a = 0; a < z.d_a; a++)
                hidden[i][j][a] = tanh(sum_of_products(z.d_q, W_q[a], Q[i]) +
                                       sum_of_products(z.d_k, W_k[a], K[j]));
    return hidden;
}

static void *obvious_scores(const char *name, const struct net *n) {
    const int pairs = n->z.n_q * n->z.n_k;
    void *hidden = obvious_hidden("slow_hidden", n), *scores = matrix_new(name, n->z.n_q, n->z.n_k);
    product(pairs, n->z.d_a, 1, hidden, n->v_a, scores);
    return scores;
}

void *obvious_weights(const char *name, const struct net *n) {
    void *weights = obvious_scores(name, n);
    softmax_rows(n->z.n_q, n->z.n_k, weights, weights);
    return weights;
}

static void *obvious_out(const char *name, const struct net *n) {
    void *slow_out = matrix_new(name, n->z.n_q, n->z.d_v);
    product(n->z.n_q, n->z.n_k, n->z.d_v, obvious_weights("slow_weights", n), n->V, slow_out);
    return slow_out;
}

/* W = [W_q, W_k] */
static void *obvious_concat(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    const double(*W)[z.d_q + z.d_k] = n->W;
    NEW_MATRIX(left, z.d_a, z.d_q);
    NEW_MATRIX(right, z.d_a, z.d_k);
    for (int a = 0; a < z.d_a; a++) {
        memcpy(left[a], W[a], sizeof left[a]);
        memcpy(right[a], W[a] + z.d_q, sizeof right[a]);
    }
    struct net apart = *n;
    apart.W_q = left;
    apart.W_k = right;
    return obvious_scores(name, &apart);
}

static void *obvious_general(const char *name, const struct net *n) {
    const struct sizes z = n->z;
    double(*scores)[z.n_k] = matrix_new(name, z.n_q, z.n_k);
    NEW_MATRIX(translated, z.n_k, z.d_q);
    product_by_rows(z.n_k, z.d_k, z.d_q, n->K, n->W, translated);
    product_by_rows(z.n_q, z.d_q, z.n_k, n->Q, translated, scores);
    return scores;
}

void because_of_sizes(const struct net *n) {
    const struct sizes z = n->z;
    BECAUSE_IF(n->V, "Here n_q = %d, n_k = %d, d_q = %d, d_k = %d, d_a = %d and d_v = %d.", z.n_q,
               z.n_k, z.d_q, z.d_k, z.d_a, z.d_v);
    BECAUSE_IF(n->v_a, "Here n_q = %d, n_k = %d, d_q = %d, d_k = %d and d_a = %d.", z.n_q, z.n_k,
               z.d_q, z.d_k, z.d_a);
    BECAUSE("Here n_q = %d, n_k = %d, d_q = %d and d_k = %d.", z.n_q, z.n_k, z.d_q, z.d_k);
}

/* `made` is the name of what the function has made, in n. */
#define EXPECT_MADE(n, made, rows, cols, expected, tolerance)                                      \
    expect_numbers(__LINE__, #made, rows, cols, (const double *)(expected), (n).made, tolerance)

#define EXPECT_OBVIOUS(n, made, rows, cols, expected)                                              \
    do {                                                                                           \
        because_of_sizes(&(n));                                                                    \
        EXPECT_MADE(n, made, rows, cols, expected, ROUNDING);                                      \
    } while (0)

static const double worked_scores[2][3] = {{.8416, .9441, 1.2575}, {.5340, 1.0792, 1.3577}};
static const double worked_general_scores[2][3] = {{1.5, 0, 0.5}, {1.25, -1, -1.75}};
static const double worked_hidden[2][3][2] = {
    {{.9640, .2449}, {.4621, -.9640}, {.7616, -.9919}},
    {{.9866, .9051}, {.7616, -.6351}, {.9051, -.9051}},
};
static const double worked_weights[2][3] = {{.2760, .3058, .4183}, {.1999, .3447, .4554}};
static const double worked_out[2][2] = {{1.1932, .9702}, {1.2340, .8551}};

/* Tests that every way to score has: the lesson's example, random ones of all sizes, and one whose
   sizes (n_q, n_k, d_q, d_k, d_a, d_v) let a mix-up fit. */
#define WORKED(of, name, what, run_it, made, cols, expected)                                       \
    TEST(of, name) {                                                                               \
        struct net n = with_room(worked_inputs(what));                                             \
        run_it(&n);                                                                                \
        EXPECT_MADE(n, made, 2, cols, expected, FOUR_DECIMALS);                                    \
    }

#define RANDOM_SCORES(of, name, seed, what, run_it, obvious)                                       \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z) {                                                                         \
            struct net n = with_room(random_inputs(what, *z, &r));                                 \
            run_it(&n);                                                                            \
            EXPECT_OBVIOUS(n, scores, z->n_q, z->n_k, obvious("expected", &n));                    \
        }                                                                                          \
    }

/* The same for a long text, whose `hidden` is too long to be compared row by row. */
#define LONG_SCORES(of, name, seed, what, long_text, run_it, obvious, made, cols_of)               \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        struct net n = with_room(random_inputs(what, long_text, &r));                              \
        run_it(&n);                                                                                \
        EXPECT_OBVIOUS(n, made, n.z.n_q, n.z.cols_of, obvious("expected", &n));                    \
    }

#define SCORES_OF_SIZES(of, name, seed, what, run_it, obvious, because, ...)                       \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        struct net n = with_room(random_inputs(what, (struct sizes){__VA_ARGS__}, &r));            \
        run_it(&n);                                                                                \
        BECAUSE(because);                                                                          \
        EXPECT_MADE(n, scores, n.z.n_q, n.z.n_k, obvious("expected", &n), ROUNDING);               \
    }

/* --- additive_score ------------------------------------------------------------------------- */

WORKED(additive_score, the_small_network_scores_every_pair_of_the_worked_example, ADDITIVE,
       run_additive_pairs, scores, 3, worked_scores)
SCORES_OF_SIZES(
    additive_score, the_query_and_the_key_keep_to_their_own_matrices, 401, ADDITIVE,
    run_additive_pairs, obvious_scores,
    "The query and the key have the same size here. Use W_q for the query and W_k for the key.", 1,
    2, 4, 4, 3, 1)
/* Sums of 1e250 inside the tanh, of both signs. */
static struct net huge_net(struct random *r) {
    struct net n = random_inputs(ADDITIVE, (struct sizes){3, 5, 4, 1, 2, 6}, r);
    scale_into(3 * 4, 1e250, n.Q, n.Q);
    scale_into(5 * 1, 1e250, n.K, n.K);
    return with_room(n);
}

TEST(additive_score, huge_queries_and_keys_score_no_more_than_the_sum_of_all_weights) {
    struct random r = random_seed(402);
    struct net n = huge_net(&r);
    const double *v_a = n.v_a;
    double most = 0.0;
    for (int a = 0; a < n.z.d_a; a++)
        most += fabs(v_a[a]);
    run_additive_pairs(&n);
    BECAUSE("The inputs are as large as 1e250. Each hidden unit is still between -1 and 1, so no "
            "score is larger than the sum of the absolute values of v_a, %.4f.",
            most);
    EXPECT_MADE(n, scores, 3, 5, obvious_scores("expected", &n), ROUNDING);
}

RANDOM_SCORES(additive_score, random_pairs_agree_with_the_obvious_score, 403, ADDITIVE,
              run_additive_pairs, obvious_scores)

/* --- concat_score --------------------------------------------------------------------------- */

WORKED(concat_score, one_matrix_for_both_gives_the_scores_of_the_worked_example, CONCAT,
       run_concat_pairs, scores, 3, worked_scores)
RANDOM_SCORES(concat_score, concat_is_the_additive_score_with_the_matrices_side_by_side, 404,
              CONCAT, run_concat_pairs, obvious_concat)

/* --- general_score, general_scores ---------------------------------------------------------- */

WORKED(general_score, the_matrix_between_scores_every_pair_of_the_worked_example, GENERAL,
       run_general_pairs, scores, 3, worked_general_scores)
SCORES_OF_SIZES(general_score, a_square_matrix_keeps_its_rows_for_the_query, 407, GENERAL,
                run_general_pairs, obvious_general,
                "W is square here. Its rows belong to the query, and its columns to the key.", 2, 5,
                3, 3, 1, 1)
TEST(general_score, with_the_identity_between_it_is_the_dot_product) {
    struct random r = random_seed(408);
    struct net n = random_inputs(GENERAL, (struct sizes){2, 5, 4, 4, 1, 1}, &r);
    double(*W)[4] = fill(16, 0.0, n.W);
    for (int c = 0; c < 4; c++)
        W[c][c] = 1.0;
    n = with_room(n);
    NEW_MATRIX(dots, 2, 5);
    run_general_pairs(&n);
    dot_scores(2, 5, 4, n.Q, n.K, dots);
    BECAUSE("W is the identity matrix here, so the score is the dot product of lesson 02.");
    EXPECT_MADE(n, scores, 2, 5, dots, 1e-12);
}

RANDOM_SCORES(general_score, random_pairs_agree_with_the_obvious_general_score, 409, GENERAL,
              run_general_pairs, obvious_general)

WORKED(general_scores, the_worked_example_has_these_general_scores, GENERAL, run_general, scores, 3,
       worked_general_scores)
SCORES_OF_SIZES(general_scores, as_many_queries_as_keys_keep_their_rows, 430, GENERAL, run_general,
                obvious_general, "Row i belongs to query i, and column j to key j.", 3, 3, 4, 4, 1,
                1)
RANDOM_SCORES(general_scores, random_general_scores_agree_with_the_obvious_way, 431, GENERAL,
              run_general, obvious_general)
LONG_SCORES(general_scores, general_scores_of_a_long_text_need_no_array_of_their_own, 436, GENERAL,
            many_keys, run_general, obvious_general, scores, n_k)

/* --- additive_scores ------------------------------------------------------------------------ */

WORKED(additive_scores, all_scores_of_the_worked_example_come_out_at_once, ADDITIVE, run_scores,
       scores, 3, worked_scores)

/* `hidden`, a query at a time: it is a block. */
static void expect_hidden(int line, const struct net *n, const void *expected, double tolerance,
                          const char *because) {
    const struct sizes z = n->z;
    const double(*right)[z.n_k][z.d_a] = expected, (*hidden)[z.n_k][z.d_a] = n->hidden;
    for (int i = 0; i < z.n_q; i++) {
        char name[24];
        snprintf(name, sizeof name, "hidden[%d]", i);
        BECAUSE_IF(because, "%s", because);
        because_of_sizes(n);
        expect_numbers(line, name, z.n_k, z.d_a, right[i][0], hidden[i][0], tolerance);
    }
}

TEST(additive_scores, hidden_receives_the_values_of_tanh) {
    struct net n = with_room(worked_inputs(ADDITIVE));
    run_scores(&n);
    expect_hidden(__LINE__, &n, worked_hidden, FOUR_DECIMALS, NULL);
}

TEST(additive_scores, as_many_queries_as_keys_are_not_mixed_up) {
    struct random r = random_seed(410);
    struct net n = with_room(random_inputs(ADDITIVE, (struct sizes){3, 3, 4, 4, 2, 1}, &r));
    run_scores(&n);
    EXPECT_OBVIOUS(n, scores, 3, 3, obvious_scores("expected", &n));
    expect_hidden(__LINE__, &n, obvious_hidden("expected", &n), ROUNDING, NULL);
}

/* Row j is row order[j] of the original. Every row moves. */
static const int order[5] = {2, 0, 4, 1, 3};

static void *shuffled_rows_of_5(const char *name, int cols, const double from[5][cols]) {
    double(*rows)[cols] = matrix_new(name, 5, cols);
    for (int j = 0; j < 5; j++)
        memcpy(rows[j], from[order[j]], sizeof rows[j]);
    return rows;
}

TEST(additive_scores, permuting_the_keys_permutes_the_scores) {
    struct random r = random_seed(411);
    struct net n = random_inputs(ADDITIVE, (struct sizes){3, 5, 4, 2, 6, 1}, &r);
    NEW_MATRIX(before, 3, 5);
    NEW_MATRIX(expected, 3, 5);
    n.hidden = block_new("hidden", 3, 5, 6);
    n.scores = before;
    run_scores(&n);
    EXPECT_THAT(!is_unset(before[0][0]), "scores[0][0] was never set");
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            expected[i][j] = before[i][order[j]];
    n.K = shuffled_rows_of_5("K", 2, n.K);
    n = with_room(n);
    run_scores(&n);
    BECAUSE("The same keys in another order got other scores. A score may depend on the key, but "
            "not on its position.");
    EXPECT_MADE(n, scores, 3, 5, expected, ROUNDING);
}

TEST(additive_scores, huge_inputs_leave_hidden_at_one_or_minus_one) {
    struct random r = random_seed(412);
    struct net n = huge_net(&r);
    run_scores(&n);
    expect_hidden(
        __LINE__, &n, obvious_hidden("expected", &n), 0.0,
        "The sums inside the tanh are as large as 1e250, so their hidden units are 1 or -1.");
    EXPECT_MADE(n, scores, 3, 5, obvious_scores("expected", &n), ROUNDING);
}

TEST(additive_scores, random_scores_agree_with_the_obvious_way) {
    struct random r = random_seed(413);
    FOR_ALL_SIZES(z) {
        struct net n = with_room(random_inputs(ADDITIVE, *z, &r));
        run_scores(&n);
        EXPECT_OBVIOUS(n, scores, z->n_q, z->n_k, obvious_scores("expected", &n));
        expect_hidden(__LINE__, &n, obvious_hidden("expected", &n), ROUNDING, NULL);
    }
}

LONG_SCORES(additive_scores, many_keys_are_scored_without_an_array_of_their_own, 415, ADDITIVE,
            many_keys, run_scores, obvious_scores, scores, n_k)
LONG_SCORES(additive_scores, many_queries_are_scored_without_an_array_of_their_own, 416, ADDITIVE,
            many_queries, run_scores, obvious_scores, scores, n_k)

static unsigned long work_of_scores(struct sizes z) {
    struct random r = random_seed(414);
    struct net n = with_room(random_inputs(ADDITIVE, z, &r));
    unsigned long before = work_so_far();
    run_scores(&n);
    return work_so_far() - before;
}

/* If the work for each further key grows with the query's length, W_q is applied once a pair. */
TEST(additive_scores, each_matrix_meets_each_row_once_and_not_once_a_pair) {
    enum { d = 400, few = 3, more = 8, plenty = more * few * d / 2 };
    static const char format[] = "with %s of %d numbers, each further pair took %lu steps of your "
                                 "code; a few dozen are plenty";
    unsigned long more_keys = work_of_scores((struct sizes){few, 1 + more, d, 1, 1, 1}) -
                              work_of_scores((struct sizes){few, 1, d, 1, 1, 1});
    unsigned long more_queries = work_of_scores((struct sizes){1 + more, few, 1, d, 1, 1}) -
                                 work_of_scores((struct sizes){1, few, 1, d, 1, 1});
    BECAUSE(
        "W_q times a query is the same for all keys. Compute it once for each query, before the "
        "loop over the keys, and store it in hidden.");
    EXPECT_THAT(more_keys < plenty, format, "queries", d, more_keys / (more * few));
    BECAUSE("W_k times a key is the same for all queries. Compute it once for each key, and add it "
            "to each query's part in hidden.");
    EXPECT_THAT(more_queries < plenty, format, "keys", d, more_queries / (more * few));
    if (work_seconds) /* sizes at which the cost tells the two apart, too */
        work_of_scores((struct sizes){200, 200, 1000, 1000, 1, 1});
}

/* --- additive_attention --------------------------------------------------------------------- */

WORKED(additive_attention, the_worked_example_gives_these_weights, ATTENTION, run_attention,
       weights, 3, worked_weights)
WORKED(additive_attention, the_worked_example_gives_this_output, ATTENTION, run_attention, out, 2,
       worked_out)

TEST(additive_attention, another_query_looks_elsewhere) {
    struct random r = random_seed(421);
    struct net n = with_room(random_inputs(ATTENTION, (struct sizes){2, 4, 3, 5, 6, 1}, &r));
    run_attention(&n);
    const double(*weights)[4] = n.weights;
    BECAUSE(
        "A number that is the same for all keys cancels in the softmax. Add the query's part to "
        "the key's part inside the tanh.");
    EXPECT_THAT(fabs(weights[0][0] - weights[1][0]) > 1e-3,
                "weights[0][0] is %g and weights[1][0] is %g: two different queries", weights[0][0],
                weights[1][0]);
}

TEST(additive_attention, shuffling_keys_with_their_values_changes_no_output) {
    struct random r = random_seed(422);
    struct net n = random_inputs(ATTENTION, (struct sizes){3, 5, 4, 2, 6, 1}, &r), first = n;
    n.K = shuffled_rows_of_5("K", 2, n.K);
    n.V = shuffled_rows_of_5("V", 1, n.V);
    n = with_room(n);
    first = with_room(first);
    run_attention(&first);
    const double *out = first.out;
    EXPECT_THAT(!is_unset(out[0]), "out[0][0] was never set");
    run_attention(&n);
    BECAUSE("The same keys and values in another order gave another output. The order of the keys "
            "must not matter.");
    EXPECT_MADE(n, out, 3, 1, first.out, ROUNDING);
}

TEST(additive_attention, random_attention_agrees_with_the_obvious_way) {
    struct random r = random_seed(423);
    FOR_ALL_SIZES(z) {
        struct net n = with_room(random_inputs(ATTENTION, *z, &r));
        run_attention(&n);
        EXPECT_OBVIOUS(n, weights, z->n_q, z->n_k, obvious_weights("expected", &n));
        EXPECT_OBVIOUS(n, out, z->n_q, z->d_v, obvious_out("slow_out", &n));
        expect_hidden(__LINE__, &n, obvious_hidden("expected", &n), ROUNDING, NULL);
    }
}

LONG_SCORES(additive_attention, attention_to_a_long_text_needs_no_array_of_its_own, 424, ATTENTION,
            many_queries, run_attention, obvious_out, out, d_v)
