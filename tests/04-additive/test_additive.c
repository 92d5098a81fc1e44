/* Lesson 04: what additive.h promises. */
#include "additive.h"

#include "dot_product.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"
#include "work.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-9
#define SLOPES        1e-6 /* how well central differences can agree */

struct sizes {
    int n_q, n_k, d_q, d_k, d_a, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 6, 1}, {2, 4, 3, 5, 1, 6}, {1, 3, 2, 4, 5, 7}, {4, 1, 5, 3, 2, 6},
    {5, 2, 1, 4, 3, 7}, {2, 3, 5, 1, 4, 6}, {1, 1, 1, 1, 1, 1},
};
#define FOR_ALL_SIZES(z)                                                                           \
    for (const struct sizes *z = all_sizes; z < all_sizes + sizeof all_sizes / sizeof *z; z++)

/* A network and what goes into it; void, since the sizes stand in z. */
struct net {
    struct sizes z;
    void *W_q, *W_k, *v_a, *Q, *K, *V, *W;
    void *hidden, *scores, *weights, *out; /* room for a loss_function */
    const void *upstream;                  /* the loss is the output times this */
};

/* The worked example of the lesson; W of the general score is its W_k. */
static struct net worked_net(void) {
    NEW_MATRIX_OF(W_q, 2, 2, {0.5, 1}, {-1, 0.25});
    NEW_MATRIX_OF(W_k, 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    NEW_VECTOR_OF(v_a, 2, 1, -0.5);
    NEW_MATRIX_OF(Q, 2, 2, {1, 0}, {0, 1});
    NEW_MATRIX_OF(K, 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, -1});
    return (struct net){{2, 3, 2, 3, 2, 2}, .W_q = W_q, .W_k = W_k, .v_a = v_a, .Q = Q, .K = K};
}

static struct net worked_general(void) {
    NEW_MATRIX_OF(W, 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    NEW_MATRIX_OF(Q, 2, 2, {1, 0}, {0, 1});
    NEW_MATRIX_OF(K, 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, -1});
    return (struct net){{2, 3, 2, 3, 1, 1}, .W = W, .Q = Q, .K = K};
}

#define WORKED_V NEW_MATRIX_OF(V, 3, 2, {1, 2}, {3, 0}, {0, 1})
#define WORKED_HIDDEN                                                                              \
    {.9640, .2449}, {.4621, -.9640}, {                                                             \
        .7616, -.9919                                                                              \
    }
#define SECOND_HIDDEN                                                                              \
    {.9866, .9051}, {.7616, -.6351}, {                                                             \
        .9051, -.9051                                                                              \
    }

static struct net random_net(struct sizes z, struct random *r) {
    NEW_MATRIX_RANDOM(W_q, z.d_a, z.d_q, r);
    NEW_MATRIX_RANDOM(W_k, z.d_a, z.d_k, r);
    NEW_VECTOR_RANDOM(v_a, z.d_a, r);
    NEW_MATRIX_RANDOM(Q, z.n_q, z.d_q, r);
    NEW_MATRIX_RANDOM(K, z.n_k, z.d_k, r);
    NEW_MATRIX_RANDOM(W, z.d_q, z.d_k, r);
    return (struct net){z, .W_q = W_q, .W_k = W_k, .v_a = v_a, .Q = Q, .K = K, .W = W};
}

/* The same for attention: where nothing is fetched, no V is to be among the inputs shown. */
static struct net random_net_with_values(struct sizes z, struct random *r) {
    struct net n = random_net(z, r);
    NEW_MATRIX_RANDOM(V, z.n_k, z.d_v, r);
    n.V = V;
    return n;
}

/* Room for what the learner's functions make of n. */
#define NEW_RESULTS(z)                                                                             \
    NEW_BLOCK(hidden, (z).n_q, (z).n_k, (z).d_a);                                                  \
    NEW_MATRIX(weights, (z).n_q, (z).n_k);                                                         \
    NEW_MATRIX(out, (z).n_q, (z).d_v)

static void run_scores(const struct net *n, void *hidden, void *scores) {
    const struct sizes z = n->z;
    additive_scores(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, n->Q, n->K, hidden,
                    scores);
}

static void run_attention(const struct net *n, void *hidden, void *weights, void *out) {
    const struct sizes z = n->z;
    additive_attention(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                       n->V, hidden, weights, out);
}

static double loss_of_scores(void *context) {
    struct net *n = context;
    run_scores(n, n->hidden, n->scores);
    return sum_of_products(n->z.n_q * n->z.n_k, n->scores, n->upstream);
}

static double loss_of_attention(void *context) {
    struct net *n = context;
    run_attention(n, n->hidden, n->weights, n->out);
    return sum_of_products(n->z.n_q * n->z.d_v, n->out, n->upstream);
}

static double loss_of_general(void *context) {
    struct net *n = context;
    general_scores(n->z.n_q, n->z.n_k, n->z.d_q, n->z.d_k, n->W, n->Q, n->K, n->scores);
    return sum_of_products(n->z.n_q * n->z.n_k, n->scores, n->upstream);
}

/* For want of a better explanation, should the next EXPECT fail. */
static void mistake_if_nothing_else(struct sizes z) {
    MISTAKE_IF(true,
               "The worked example came out; this one, with n_q = %d, n_k = %d, d_q = %d, "
               "d_k = %d, d_a = %d and d_v = %d, did not. Which loop runs to a size that is not "
               "its own?",
               z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v);
}

#define EXPECT_OBVIOUS(z, rows, cols, expected, actual, tolerance)                                 \
    do {                                                                                           \
        mistake_if_a_float((rows) * (cols), expected, actual);                                     \
        mistake_if_nothing_else(z);                                                                \
        EXPECT_MATRIX(rows, cols, expected, actual, tolerance);                                    \
    } while (0)

/* The slow, obvious way to everything, and what people do instead. */
enum slip {
    NONE,
    NO_TANH,
    TANH_LAST,
    TANH_APART,
    TANH_TWICE,
    TAN,
    CARRIED_OVER,
    SHORT_KEY,
    SIGMOID,
    NO_V,
    V_INSIDE,
    BY_ROOT_D_K,
    BY_ROOT_D_A,
    MINUS,
    PLUS,
    TIMES,
    NO_QUERY,
    NO_KEY,
    FIRST_ONLY,
    LAST_ONLY,
    COLUMNS,
    NO_SLOPE,
    ONE_MINUS_H,
    ONE_PLUS_SQUARE,
    SIGMOID_SLOPE,
    SQUARED_BEFORE,
    SLOPE_IS_H,
    BY_SLOPE,
    NO_BRACKETS,
    NO_BRACKETS_IN_FRONT,
    H_FOR_V_A,
    TANH_AGAIN,
    NO_V_A,
    NO_UPSTREAM,
    V_WITH_SLOPE,
    V_BY_D_SUM,
    V_WITH_V,
    V_TANH_AGAIN,
    V_TIMES_D_Q,
    V_TIMES_D_K,
    ROW_0,
    HIDDEN_OF_QUERY_0,
    HIDDEN_OF_PAIR_0,
    OWN_FACTOR,
    OWN_FOR_THE_OTHER,
    OWN_ALONE,
    ROW_OF_THE_QUERY,
    TRANSPOSED,
    LAST_PAIR,
    NEGATED,
    NOTHING,
    NO_SOFTMAX,
    NO_SHARED,
    DIAGONAL,
    OVER_QUERIES,
    ONE_SHARED,
    CARRIED_SHARED,
    UNBRACKETED_SHARED,
    UNWEIGHTED_SHARED,
    PLUS_SHARED,
    NO_WEIGHT,
    KEYS_FOR_VALUES,
    UNWEIGHTED,
    BY_D_SCORES,
    NO_W,
};

struct known {
    enum slip slip;
    const char *text;
};
#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

static const char short_key[] = "The end of the key does not count in your score. It has d_k "
                                "numbers, not d_q: where does its sum end?";
static const struct known score_slips[] = {
    {NO_TANH, "tanh is missing. Without it the query adds the same number to all of its scores, "
              "and the softmax cancels that: nobody listens to the query."},
    {TANH_LAST, "You took tanh of the whole score. It belongs to each of the d_a hidden numbers, "
                "before v_a weighs them."},
    {TANH_APART, "You took tanh of the query's part and of the key's part. Add them first: only "
                 "inside one tanh can the two meet."},
    {TAN, "That is tan(), the tangent of an angle. The hyperbolic tangent has an h: tanh()."},
    {CARRIED_OVER, "The sum inside the tanh was carried over from one hidden number to the next. "
                   "Each hidden number has a sum of its own, and it starts at 0."},
    {TANH_TWICE, "You took tanh of the query's part, and tanh again after adding the key's. Add "
                 "them bare: there is one tanh, around the sum."},
    {SHORT_KEY, short_key},
    {SIGMOID, "That is a sigmoid, between 0 and 1. tanh goes from -1 to 1: a hidden number can "
              "also speak against a key."},
    {NO_V, "The hidden numbers are only added up. v_a[a] says how much number a counts, and which "
           "way: each has a weight of its own."},
    {V_INSIDE, "v_a got inside the tanh. It weighs the hidden numbers after the tanh, outside."},
    {BY_ROOT_D_K, "You divided by the square root of d_k, as in lesson 03. tanh keeps the hidden "
                  "numbers small already: nothing is scaled here."},
    {BY_ROOT_D_A, "You divided by the square root of d_a. tanh keeps the hidden numbers small "
                  "already: nothing is scaled here."},
    {MINUS, "You subtracted the key's part from the query's. They are added."},
    {TIMES, "You multiplied the query's part by the key's. Inside the tanh they are added: that is "
            "why the score is called additive."},
    {NO_QUERY, "The query has no part in your score. W_q query belongs inside the tanh as well."},
    {NO_KEY,
     "All keys of a query get the same: has the key no part in your score? W_k key belongs inside "
     "the tanh as well. Or was it other scores that went into the softmax?"},
    {FIRST_ONLY, "Only the first hidden number counts in your score. Does the loop run to d_a? A "
                 "return inside it ends it."},
    {LAST_ONLY,
     "Only the last hidden number counts in your score. Does the loop start at 0, and is each "
     "added with +=?"},
    {COLUMNS, "You met the query with the columns of W_q. Hidden number a belongs to row a."},
};

static const char times_too_large[] =
    "d_v_a is a whole number of times too large: does its line stand inside a loop over the "
    "numbers of the query or the key? One share for each pair and each hidden number.";
static const struct known back_slips[] = {
    {NOTHING, "Nothing was added into it, or nothing but zeros. Every number that the forward "
              "pass read has a share in what comes back."},
    {NO_SLOPE, "The slope of tanh is missing. Where tanh is flat, a nudge inside it moves nothing, "
               "and little may come back."},
    {ONE_MINUS_H, "Your slope is 1 - h. The slope of tanh is 1 minus the square of its value."},
    {ONE_PLUS_SQUARE, "Your slope is 1 + h * h, which is steepest at the ends. tanh is flat there: "
                      "take the square away from 1."},
    {SIGMOID_SLOPE, "h * (1 - h) is the slope of a sigmoid. The slope of tanh is 1 minus the "
                    "square of its value."},
    {SQUARED_BEFORE, "(1 - h) * (1 - h) is not 1 - h * h: square h first, then take it from 1."},
    {SLOPE_IS_H, "Your slope is h, the value of tanh. Its slope is 1 minus the square of that."},
    {BY_SLOPE, "You divided by the slope of tanh. A gradient is multiplied by the slope of what it "
               "passes: where tanh is flat, little may come back."},
    {NO_BRACKETS, "Brackets are missing around the slope: a * 1 - h * h is a less a square. The "
                  "whole of 1 - h * h multiplies."},
    {NO_BRACKETS_IN_FRONT, "Brackets are missing around the slope: 1 - h * h * a is 1 less a "
                           "product. The whole of 1 - h * h multiplies."},
    {H_FOR_V_A, "h stands where v_a belongs. A score weighs hidden number a by v_a[a], and its "
                "gradient comes back by the same."},
    {BY_ROOT_D_K, "You divided by the square root of d_k, as in lesson 03. Nothing was scaled on "
                  "the way forward here, so nothing is on the way back."},
    {TANH_AGAIN, "You took tanh of hidden. It holds values of tanh already: the slope needs "
                 "nothing but their squares."},
    {NO_V_A, "v_a is missing on the way into the tanh. A score weighs hidden number a by v_a[a], "
             "and its gradient comes back by the same."},
    {NO_UPSTREAM, "d_scores is missing: every pair counts alike. How much a pair matters is what "
                  "d_scores[i][j] says."},
    {V_WITH_SLOPE, "The slope of tanh got into d_v_a. v_a stands outside the tanh: what a score "
                   "means for it does not pass through there."},
    {V_BY_D_SUM, "The slope of tanh and v_a itself got into d_v_a. v_a stands outside the tanh: "
                 "what a score means for it passes neither."},
    {V_WITH_V, "v_a got into its own gradient. A score is v_a[a] * h, added up: what is it worth "
               "to v_a[a]?"},
    {V_TANH_AGAIN, "You took tanh of hidden for d_v_a. It holds values of tanh already."},
    {OWN_FACTOR, "You multiplied by the thing itself. A product gives each factor a share of the "
                 "other: the query gets rows of W_q, and W_q the query."},
    {ROW_OF_THE_QUERY, "A key's share went by the number of the query. In pair i, j the key is j: "
                       "K[j] and d_K[j]."},
    {V_TIMES_D_Q, times_too_large},
    {V_TIMES_D_K, times_too_large},
    {SHORT_KEY, "The last numbers of the key got no share. It has d_k of them, and the query d_q: "
                "one loop does not do for both."},
    {ROW_0, "Row 0 stands for every row. In a call, Q, K, d_Q and d_K are where their row 0 "
            "begins, whichever pair it is; the rows of a pair begin at &Q[i] and &K[j]."},
    {TRANSPOSED, "Rows and columns changed places. Row a of W_q makes hidden number a: W_q[a][c] "
                 "meets number c of the query."},
    {LAST_PAIR, "Only the last share is left. What takes part in many sums gets a share from each: "
                "add them with +=."},
    {NEGATED, "You subtracted. A backward function adds its gradients."},
};

static const struct known softmax_slips[] = {
    {NO_SOFTMAX, "You left the softmax out on the way back: d_weights is not d_scores. One score "
                 "moves every weight of its row."},
    {NO_SHARED, "The shared sum of the softmax is missing. Raising one score lowers the other "
                "weights: take the row's sum of weights * d_weights away."},
    {DIAGONAL, "You used the diagonal of softmax's Jacobian only. Raising one score also lowers "
               "the other weights."},
    {OVER_QUERIES, "You took the shared sum over the queries. The softmax went along a row, over "
                   "the keys of one query, and so does its way back."},
    {ONE_SHARED, "You took one shared sum for all queries. Each query has a softmax of its own: "
                 "its sum starts at 0."},
    {CARRIED_SHARED,
     "You carried the shared sum over from one query to the next. Each query's starts at "
     "0."},
    {UNBRACKETED_SHARED,
     "Brackets are missing: the weight multiplies all of (d_weights - the shared sum), not "
     "only d_weights."},
    {UNWEIGHTED_SHARED, "Your shared sum adds d_weights bare. It is the sum of weights * d_weights "
                        "over the row."},
    {PLUS_SHARED, "You added the shared sum of the softmax. Raising one score lowers the other "
                  "weights: take it away."},
    {NO_WEIGHT, "The weight in front is missing: softmax's way back is weights * (d_weights - the "
                "shared sum)."},
    {KEYS_FOR_VALUES, "You used K where V belongs. A weight is worth the value that it lets "
                      "through: d_out[i] dot V[j]."},
    {UNWEIGHTED, "You passed d_out to every value whole. A value that went in by a weight gets the "
                 "gradient by that weight."},
    {HIDDEN_OF_QUERY_0, "You used the hidden numbers of query 0 for all queries. Each pair has its "
                        "own, which the forward pass left in hidden[i][j]."},
    {BY_D_SCORES, "You handed d_out to the values by d_scores. They went in by the weights, and "
                  "that is how it comes back."},
    {HIDDEN_OF_PAIR_0, "It is 0: nothing was added, or what was cancels out, as a row of d_scores "
                       "sums to 0. So it does where all keys are given the same hidden numbers "
                       "(pair i, j has hidden[i][j]), without the slope of tanh, or with V[i] for "
                       "V[j]."},
    {NEGATED, "The sign is the wrong way round. Take the shared sum from d_weights, not d_weights "
              "from it, and add gradients with +=. (A slope of 1 + h * h turns signs round too.)"},
};

static double column_product(int n, const double W[n][n], int column, const double x[n]) {
    double sum = 0.0;
    for (int c = 0; c < n; c++)
        sum += W[c][column] * x[c];
    return sum;
}

static double hidden_value(enum slip slip, double v, double asked, double offered) {
    switch (slip) {
    case NO_TANH:
    case TANH_LAST:
        return asked + offered;
    case TANH_APART:
        return tanh(asked) + tanh(offered);
    case TANH_TWICE:
        return tanh(tanh(asked) + offered);
    case TAN:
        return tan(asked + offered);
    case SIGMOID:
        return 1.0 / (1.0 + exp(-asked - offered));
    case V_INSIDE:
        return tanh(v * (asked + offered));
    case MINUS:
        return tanh(asked - offered);
    case TIMES:
        return tanh(asked * offered);
    case NO_QUERY:
        return tanh(offered);
    case NO_KEY:
        return tanh(asked);
    default:
        return tanh(asked + offered);
    }
}

static bool counts(enum slip slip, int a, int d_a) {
    return !(slip == FIRST_ONLY && a > 0) && !(slip == LAST_ONLY && a < d_a - 1);
}

static int end_of_key(enum slip slip, struct sizes z) {
    return slip == SHORT_KEY && z.d_q < z.d_k ? z.d_q : z.d_k;
}

static double score_of_pair(enum slip slip, const struct net *n, int i, int j, double *hidden) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k, *v_a = n->v_a;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    const int key_end = end_of_key(slip, z);
    double score = 0.0, before = 0.0;
    for (int a = 0; a < z.d_a; a++) {
        double asked = slip == COLUMNS ? column_product(z.d_q, n->W_q, a, Q[i])
                                       : sum_of_products(z.d_q, W_q[a], Q[i]);
        double offered = sum_of_products(key_end, W_k[a], K[j]);
        hidden[a] = hidden_value(slip, v_a[a], before + asked, offered);
        if (slip == CARRIED_OVER)
            before += asked + offered;
        if (counts(slip, a, z.d_a))
            score += slip == NO_V || slip == V_INSIDE ? hidden[a] : v_a[a] * hidden[a];
    }
    return slip == TANH_LAST     ? tanh(score)
           : slip == BY_ROOT_D_K ? score / sqrt(z.d_k)
           : slip == BY_ROOT_D_A ? score / sqrt(z.d_a)
                                 : score;
}

static void obvious_scores(enum slip slip, const struct net *n, void *hidden, void *scores) {
    const struct sizes z = n->z;
    double(*h)[z.n_k][z.d_a] = hidden, (*s)[z.n_k] = scores;
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            s[i][j] = score_of_pair(slip, n, i, j, h[i][j]);
}

/* What obvious_scores() gives, kept until the test is over. */
static void *slip_scores(enum slip slip, const struct net *n) {
    NEW_BLOCK(slip_hidden, n->z.n_q, n->z.n_k, n->z.d_a);
    NEW_MATRIX(slip_scores, n->z.n_q, n->z.n_k);
    obvious_scores(slip, n, slip_hidden, slip_scores);
    return slip_scores;
}

static void *slip_weights(enum slip slip, const struct net *n) {
    void *weights = slip_scores(slip, n);
    softmax_rows(n->z.n_q, n->z.n_k, weights, weights);
    return weights;
}

static bool differ(int n, const double *a, const double *b, double tolerance) {
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance))
            return true;
    return false;
}

/* The first of score_slips that leads to what is given. Those whose sizes cannot occur are left
   out. */
static void mistake_score_slips(const struct net *n, void *make(enum slip, const struct net *),
                                const void *given) {
    const int count = n->z.n_q * n->z.n_k;
    for (int k = 0; k < COUNT(score_slips); k++) {
        if (score_slips[k].slip == COLUMNS && n->z.d_a != n->z.d_q)
            continue;
        if (!differ(count, make(score_slips[k].slip, n), given, FOUR_DECIMALS)) {
            MISTAKE_IF(true, "%s", score_slips[k].text);
            return;
        }
    }
}

/* The gradients, in the order in which they are given. */
enum { D_W_Q, D_W_K, D_V_A, D_Q, D_K, D_V, KINDS };

struct gradients {
    void *of[KINDS];
};

static const char *const gradient_names[KINDS] = {"d_W_q", "d_W_k", "d_v_a", "d_Q", "d_K", "d_V"};

static int rows_of(struct sizes z, int kind) {
    const int rows[KINDS] = {z.d_a, z.d_a, 0, z.n_q, z.n_k, z.n_k};
    return rows[kind];
}

static int cols_of(struct sizes z, int kind) {
    const int cols[KINDS] = {z.d_q, z.d_k, z.d_a, z.d_q, z.d_k, z.d_v};
    return cols[kind];
}

static int count_of(struct sizes z, int kind) {
    return (rows_of(z, kind) ? rows_of(z, kind) : 1) * cols_of(z, kind);
}

static struct gradients new_gradients(struct sizes z, double value) {
    struct gradients d;
    for (int k = 0; k < KINDS; k++) {
        int rows = rows_of(z, k), cols = cols_of(z, k);
        d.of[k] =
            rows ? matrix_new(gradient_names[k], rows, cols) : vector_new(gradient_names[k], cols);
        fill(count_of(z, k), value, d.of[k]);
    }
    return d;
}

#define EXPECT_KIND(kind, z, expected, given, tolerance)                                           \
    expect_numbers(__LINE__, gradient_names[kind], rows_of(z, kind), cols_of(z, kind), expected,   \
                   (given).of[kind], tolerance)

static void run_scores_backward(const struct net *n, const void *hidden, const void *d_scores,
                                struct gradients d) {
    const struct sizes z = n->z;
    additive_scores_backward(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, n->Q, n->K,
                             hidden, d_scores, d.of[D_W_Q], d.of[D_W_K], d.of[D_V_A], d.of[D_Q],
                             d.of[D_K]);
}

static void run_attention_backward(const struct net *n, const void *hidden, const void *weights,
                                   const void *d_out, struct gradients d) {
    const struct sizes z = n->z;
    additive_attention_backward(z.n_q, z.n_k, z.d_q, z.d_k, z.d_a, z.d_v, n->W_q, n->W_k, n->v_a,
                                n->Q, n->K, n->V, hidden, weights, d_out, d.of[D_W_Q], d.of[D_W_K],
                                d.of[D_V_A], d.of[D_Q], d.of[D_K], d.of[D_V]);
}

static double slope(enum slip slip, double h) {
    return slip == NO_SLOPE          ? 1.0
           : slip == ONE_MINUS_H     ? 1.0 - h
           : slip == ONE_PLUS_SQUARE ? 1.0 + h * h
           : slip == SIGMOID_SLOPE   ? h * (1.0 - h)
           : slip == SQUARED_BEFORE  ? (1.0 - h) * (1.0 - h)
           : slip == SLOPE_IS_H      ? h
           : slip == BY_SLOPE        ? 1.0 / (1.0 - h * h)
           : slip == TANH_AGAIN      ? 1.0 - tanh(h) * tanh(h)
                                     : 1.0 - h * h;
}

/* One more share for a gradient. */
static void give(enum slip slip, double share, double *gradient) {
    *gradient = slip == LAST_PAIR ? share
                : slip == NEGATED ? *gradient - share
                : slip == NOTHING ? *gradient
                                  : *gradient + share;
}

static double d_sum_of(enum slip slip, double d_score, double v, double h) {
    return slip == NO_BRACKETS            ? d_score * v * 1.0 - h * h
           : slip == NO_BRACKETS_IN_FRONT ? 1.0 - h * h * v * d_score
           : slip == NO_V_A               ? d_score * slope(slip, h)
           : slip == H_FOR_V_A            ? d_score * slope(slip, h) * h
                                          : d_score * slope(slip, h) * v;
}

static double share_of_v(enum slip slip, struct sizes z, double d_score, double v, double h) {
    return slip == V_TIMES_D_Q    ? z.d_q * d_score * h
           : slip == V_TIMES_D_K  ? z.d_k * d_score * h
           : slip == V_WITH_SLOPE ? d_score * h * (1.0 - h * h)
           : slip == V_BY_D_SUM   ? d_score * h * (1.0 - h * h) * v
           : slip == V_WITH_V     ? d_score * h * v
           : slip == V_TANH_AGAIN ? d_score * tanh(h)
                                  : d_score * h;
}

/* The shares of one side (query or key) in the sum inside tanh number a. */
static void share_sum(enum slip slip, double d_sum, int d, const double w[d], const double x[d],
                      double d_w[d], double d_x[d]) {
    for (int c = 0; c < d; c++) {
        give(slip, d_sum * (slip == OWN_FACTOR ? w[c] : x[c]), &d_w[c]);
        give(slip, d_sum * (slip == OWN_FACTOR ? x[c] : w[c]), &d_x[c]);
    }
}

static void share_sum_transposed(double d_sum, int a, int d, const double W[d][d],
                                 const double x[d], double d_W[d][d], double d_x[d]) {
    for (int c = 0; c < d; c++) {
        d_W[c][a] += d_sum * x[c];
        d_x[c] += d_sum * W[c][a];
    }
}

static void obvious_pair_backward(enum slip slip, const struct net *n, int i, int j,
                                  const double *hidden, double d_score, struct gradients d) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k, *v_a = n->v_a;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    double(*d_W_q)[z.d_q] = d.of[D_W_Q], (*d_W_k)[z.d_k] = d.of[D_W_K], *d_v_a = d.of[D_V_A];
    double(*d_Q)[z.d_q] = d.of[D_Q], (*d_K)[z.d_k] = d.of[D_K];
    int key = slip == ROW_OF_THE_QUERY ? i : slip == ROW_0 ? 0 : j, key_end = end_of_key(slip, z);
    i = slip == ROW_0 ? 0 : i;
    d_score = slip == NO_UPSTREAM ? 1.0 : slip == BY_ROOT_D_K ? d_score / sqrt(z.d_k) : d_score;
    for (int a = 0; a < z.d_a; a++) {
        double d_sum = d_sum_of(slip, d_score, v_a[a], hidden[a]);
        give(slip, share_of_v(slip, z, d_score, v_a[a], hidden[a]), &d_v_a[a]);
        if (slip == TRANSPOSED)
            share_sum_transposed(d_sum, a, z.d_q, n->W_q, Q[i], d.of[D_W_Q], d_Q[i]);
        else
            share_sum(slip, d_sum, z.d_q, W_q[a], Q[i], d_W_q[a], d_Q[i]);
        share_sum(slip, d_sum, key_end, W_k[a], K[key], d_W_k[a], d_K[key]);
    }
}

/* Adds, like the function that it stands for. */
static void obvious_scores_backward(enum slip slip, const struct net *n, const void *hidden,
                                    const void *d_scores, struct gradients d) {
    const struct sizes z = n->z;
    const double(*h)[z.n_k][z.d_a] = hidden, (*s)[z.n_k] = d_scores;
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            obvious_pair_backward(slip, n, i, j,
                                  slip == HIDDEN_OF_PAIR_0    ? h[0][0]
                                  : slip == HIDDEN_OF_QUERY_0 ? h[0][j]
                                                              : h[i][j],
                                  s[i][j], d);
}

/* What the softmax takes away from every d_weights of row i (column i, if it went that way). */
static double shared_sum(enum slip slip, struct sizes z, const double weights[z.n_q][z.n_k],
                         const double d_weights[z.n_q][z.n_k], int i, int j) {
    double sum = 0.0;
    if (slip == NO_SHARED)
        return 0.0;
    if (slip == DIAGONAL)
        return weights[i][j] * d_weights[i][j];
    for (int r = 0; r < z.n_q; r++)
        for (int c = 0; c < z.n_k; c++)
            if (slip == ONE_SHARED || (slip == CARRIED_SHARED && r < i) ||
                (slip == OVER_QUERIES ? c == j : r == i))
                sum += (slip == UNWEIGHTED_SHARED ? 1.0 : weights[r][c]) * d_weights[r][c];
    return slip == PLUS_SHARED ? -sum : sum;
}

static void obvious_d_scores(enum slip slip, const struct net *n,
                             const double weights[n->z.n_q][n->z.n_k], const void *d_out,
                             double d_scores[n->z.n_q][n->z.n_k]) {
    const struct sizes z = n->z;
    const double(*V)[z.d_v] = n->V, (*K)[z.d_k] = n->K, (*d_o)[z.d_v] = d_out;
    NEW_MATRIX(slow_d_weights, z.n_q, z.n_k);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            slow_d_weights[i][j] =
                sum_of_products(z.d_v, d_o[i], slip == KEYS_FOR_VALUES ? K[j] : V[j]);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++) {
            double shared = shared_sum(slip, z, weights, slow_d_weights, i, j);
            double front = slip == NO_WEIGHT ? 1.0 : weights[i][j];
            if (slip == UNBRACKETED_SHARED)
                shared /= front;
            d_scores[i][j] =
                slip == NO_SOFTMAX ? slow_d_weights[i][j] : front * (slow_d_weights[i][j] - shared);
        }
}

static void obvious_attention_backward(enum slip slip, const struct net *n, const void *hidden,
                                       const void *weights, const void *d_out, struct gradients d) {
    const struct sizes z = n->z;
    const double(*w)[z.n_k] = weights, (*d_o)[z.d_v] = d_out;
    double(*d_V)[z.d_v] = d.of[D_V];
    NEW_MATRIX(slow_d_scores, z.n_q, z.n_k);
    obvious_d_scores(slip, n, weights, d_out, slow_d_scores);
    obvious_scores_backward(slip, n, hidden, slow_d_scores, d);
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            for (int c = 0; c < z.d_v; c++) {
                double by = slip == UNWEIGHTED    ? 1.0
                            : slip == BY_D_SCORES ? slow_d_scores[i][j]
                                                  : w[i][j];
                give(slip, by * d_o[i][c], &d_V[j][c]);
            }
}

/* A way back that somebody took: of the scores, or of the attention where weights are given. */
struct way_back {
    const struct net *n;
    const void *hidden, *d_scores, *weights, *d_out;
};

static struct gradients take(enum slip slip, const struct way_back *way) {
    struct gradients d = new_gradients(way->n->z, 0.0);
    if (way->weights)
        obvious_attention_backward(slip, way->n, way->hidden, way->weights, way->d_out, d);
    else
        obvious_scores_backward(slip, way->n, way->hidden, way->d_scores, d);
    return d;
}

/* The first of the slips that leads to this gradient, of those that show in it. */
static bool mistake_slips(int count, const struct known slips[count], const struct way_back *way,
                          int kind, const void *given) {
    const int numbers = count_of(way->n->z, kind);
    struct gradients right = take(NONE, way);
    for (int k = 0; k < count; k++) {
        struct gradients wrong = take(slips[k].slip, way);
        if (!differ(numbers, right.of[kind], wrong.of[kind], 1e-4) ||
            differ(numbers, wrong.of[kind], given, FOUR_DECIMALS))
            continue;
        MISTAKE_IF(true, "%s", slips[k].text);
        return true;
    }
    return false;
}

static void mistake_gradient_slips(const struct way_back *way, int kind, const void *given) {
    mistake_if_never_set(count_of(way->n->z, kind), given);
    if (!way->weights || !mistake_slips(COUNT(softmax_slips), softmax_slips, way, kind, given))
        mistake_slips(COUNT(back_slips), back_slips, way, kind, given);
}

/* Row j comes from row order[j]; every one of them moves. */
static const int order[5] = {2, 0, 4, 1, 3};

static void *shuffled_rows_of_5(int cols, const double from[5][cols]) {
    NEW_MATRIX(K, 5, cols);
    for (int j = 0; j < 5; j++)
        for (int c = 0; c < cols; c++)
            K[j][c] = from[order[j]][c];
    return K;
}

/* Every query with every key, through one of the three functions for a pair. */
enum pair_score { ADDITIVE, CONCAT, GENERAL };

static void score_every_pair(enum pair_score which, const struct net *n, void *to) {
    const struct sizes z = n->z;
    const double(*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    double(*scores)[z.n_k] = to;
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            scores[i][j] =
                which == ADDITIVE
                    ? additive_score(z.d_q, z.d_k, z.d_a, n->W_q, n->W_k, n->v_a, Q[i], K[j])
                : which == CONCAT ? concat_score(z.d_q, z.d_k, z.d_a, n->W, n->v_a, Q[i], K[j])
                                  : general_score(z.d_q, z.d_k, n->W, Q[i], K[j]);
}

/* additive_score */

static const double worked_scores[2][3] = {{.8416, .9441, 1.2575}, {.5340, 1.0792, 1.3577}};

static void the_small_network_scores_every_pair_of_the_worked_example(void) {
    struct net n = worked_net();
    NEW_MATRIX(scores, 2, 3);
    score_every_pair(ADDITIVE, &n, scores);
    mistake_if_never_set(6, scores);
    mistake_score_slips(&n, slip_scores, scores);
    EXPECT_MATRIX(2, 3, worked_scores, scores, FOUR_DECIMALS);
}

static const char swapped[] = "W_q met the key, and W_k the query. They are of one size here, so "
                              "nothing else would have told you.";

static void the_query_and_the_key_keep_to_their_own_matrices(void) {
    struct random r = random_seed(401);
    struct net n = random_net((struct sizes){1, 2, 4, 4, 3, 1}, &r), other = n;
    NEW_MATRIX(scores, 1, 2);
    score_every_pair(ADDITIVE, &n, scores);
    other.W_q = n.W_k;
    other.W_k = n.W_q;
    MISTAKE_MATRIX(1, 2, slip_scores(NONE, &other), "%s", swapped);
    EXPECT_OBVIOUS(n.z, 1, 2, slip_scores(NONE, &n), scores, ROUNDING);
}

/* Sums of 1e250 inside the tanh, of both signs. */
static struct net huge_net(struct random *r) {
    struct net n = random_net((struct sizes){3, 5, 4, 2, 6, 1}, r);
    scale_into(12, 1e250, n.Q, n.Q);
    scale_into(10, 1e250, n.K, n.K);
    return n;
}

static double sum_of_sizes(int n, const double x[n]) {
    double sum = 0.0;
    for (int a = 0; a < n; a++)
        sum += fabs(x[a]);
    return sum;
}

static const char by_exp[] = "NaN: did you write tanh out with exp()? exp(1000) is infinite, and "
                             "infinity by infinity is NaN. math.h has tanh().";

static void huge_queries_and_keys_score_no_more_than_the_sum_of_all_weights(void) {
    struct random r = random_seed(402);
    struct net n = huge_net(&r);
    double most = sum_of_sizes(6, n.v_a);
    NEW_MATRIX(scores, 3, 5);
    score_every_pair(ADDITIVE, &n, scores);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            MISTAKE_IF(isnan(scores[i][j]), "%s", by_exp);
            MISTAKE_IF(true, "Each hidden number lies between -1 and 1, however large the inputs "
                             "are; v_a can stretch them no further than this.");
            EXPECT_THAT(fabs(scores[i][j]) <= most + ROUNDING,
                        "query %d scores %g with key %d; the sizes of v_a sum to %g", i,
                        scores[i][j], j, most);
        }
    EXPECT_MATRIX(3, 5, slip_scores(NONE, &n), scores, ROUNDING);
}

static void random_pairs_agree_with_the_obvious_score(void) {
    struct random r = random_seed(403);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        score_every_pair(ADDITIVE, &n, scores);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, slip_scores(NONE, &n), scores, ROUNDING);
    }
}

/* concat_score */

/* W = [W_q W_k] */
static void *joined(const struct net *n) {
    const struct sizes z = n->z;
    const double(*W_q)[z.d_q] = n->W_q, (*W_k)[z.d_k] = n->W_k;
    NEW_MATRIX(W, z.d_a, z.d_q + z.d_k);
    for (int a = 0; a < z.d_a; a++)
        for (int c = 0; c < z.d_q + z.d_k; c++)
            W[a][c] = c < z.d_q ? W_q[a][c] : W_k[a][c - z.d_q];
    return W;
}

/* The scores if the query's part of n->W starts at one column, and the key's at another. */
static void *scores_if_cut_at(const struct net *n, int query_at, int key_at) {
    struct net cut = *n;
    const struct sizes z = n->z;
    const double(*W)[z.d_q + z.d_k] = n->W;
    NEW_MATRIX(cut_q, z.d_a, z.d_q);
    NEW_MATRIX(cut_k, z.d_a, z.d_k);
    for (int a = 0; a < z.d_a; a++) {
        for (int c = 0; c < z.d_q; c++)
            cut_q[a][c] = W[a][query_at + c];
        for (int c = 0; c < z.d_k; c++)
            cut_k[a][c] = W[a][key_at + c];
    }
    cut.W_q = cut_q;
    cut.W_k = cut_k;
    return slip_scores(NONE, &cut);
}

/* The scores if the key stands first in the joined vector, and `rest` in the cells behind it. */
static void *scores_if_the_key_is_put_over_the_query(const struct net *n, double rest) {
    struct net over = *n;
    const double(*K)[3] = n->K;
    NEW_MATRIX(x, 3, 5);
    for (int j = 0; j < 3; j++)
        for (int c = 0; c < 5; c++)
            x[j][c] = c < 3 ? K[j][c] : rest;
    NEW_MATRIX_FILLED(nothing, 2, 2, 0.0);
    over.z.d_k = 5;
    over.W_q = nothing;
    over.W_k = n->W;
    over.K = x;
    return slip_scores(NONE, &over);
}

#define NOBODY_SET_IT -5e303 /* nearly: what gcc puts there, see common/make/probe.sh */
static const char put_over[] = "In your joined vector the key lies over the query. Its number c "
                               "belongs behind the query's d_q numbers.";

static void one_matrix_for_both_gives_the_scores_of_the_worked_example(void) {
    struct net n = worked_net();
    n.W = joined(&n);
    NEW_MATRIX(scores, 2, 3);
    score_every_pair(CONCAT, &n, scores);
    mistake_if_never_set(6, scores);
    MISTAKE_MATRIX(2, 3, scores_if_cut_at(&n, 3, 0),
                   "The halves are the wrong way round: the first d_q columns of W meet the query, "
                   "the other d_k the key.");
    MISTAKE_MATRIX(2, 3, scores_if_cut_at(&n, 0, 0),
                   "The key met the first columns of W, which are the query's. Its own begin "
                   "behind them, at column d_q.");
    MISTAKE_MATRIX(2, 3, scores_if_cut_at(&n, 0, 1),
                   "The key's part of W begins one column too early for you. The query has columns "
                   "0 to d_q - 1, so the key's first is d_q.");
    MISTAKE_MATRIX(2, 3, scores_if_the_key_is_put_over_the_query(&n, 0.0), "%s", put_over);
    MISTAKE_MATRIX(2, 3, scores_if_the_key_is_put_over_the_query(&n, NOBODY_SET_IT), "%s",
                   put_over);
    mistake_score_slips(&n, slip_scores, scores);
    EXPECT_MATRIX(2, 3, worked_scores, scores, FOUR_DECIMALS);
}

static void concat_is_the_additive_score_with_the_matrices_side_by_side(void) {
    struct random r = random_seed(404);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        n.W = joined(&n);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        score_every_pair(CONCAT, &n, scores);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, slip_scores(NONE, &n), scores, 1e-12);
    }
}

/* general_score */

static double general_of_pair(enum slip slip, const struct net *n, int i, int j) {
    const struct sizes z = n->z;
    const double(*W)[z.d_k] = n->W, (*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    double score = 0.0;
    for (int r = 0; r < z.d_q; r++)
        for (int c = 0; c < end_of_key(slip, z); c++) {
            double query = slip == NO_QUERY ? 1.0 : Q[i][r];
            double key = slip == NO_KEY ? 1.0 : K[slip == ROW_OF_THE_QUERY && i < z.n_k ? i : j][c];
            double w = slip == NO_W ? r == c : slip == TRANSPOSED ? W[c][r] : W[r][c];
            if (counts(slip, r, z.d_q) && (slip != DIAGONAL || r == c))
                score += slip == PLUS ? w * key + (c ? 0.0 : query) : query * w * key;
        }
    return slip == TANH_LAST ? tanh(score) : slip == BY_ROOT_D_K ? score / sqrt(z.d_k) : score;
}

static void *slip_general(enum slip slip, const struct net *n) {
    NEW_MATRIX(slip_scores, n->z.n_q, n->z.n_k);
    for (int i = 0; i < n->z.n_q; i++)
        for (int j = 0; j < n->z.n_k; j++)
            slip_scores[i][j] = general_of_pair(slip, n, i, j);
    return slip_scores;
}

static const struct known general_slips[] = {
    {TRANSPOSED, "You met the query with the columns of W, as in key . W query. Row r of W belongs "
                 "to number r of the query: query . W key."},
    {NO_W, "That is the bare dot product: W is missing. It says which number of the query goes "
           "with which number of the key."},
    {DIAGONAL, "Only the diagonal of W counts in your score. Every number of the query meets every "
               "number of the key."},
    {PLUS, "You added the query's numbers to those of W key. Each multiplies its own: query[r] "
           "times what row r of W makes of the key."},
    {NO_QUERY, "You added up the numbers of W key: the query has no say. Weigh each by the query's "
               "number."},
    {NO_KEY, "You added up the rows of W: the key has no say."},
    {SHORT_KEY, short_key},
    {ROW_OF_THE_QUERY, "The key was taken by the number of the query. In pair i, j it is K[j]."},
    {TANH_LAST, "You took tanh of the score. There is no tanh in the general score."},
    {BY_ROOT_D_K, "You divided by the square root of d_k, as in lesson 03. The general score is "
                  "not scaled: W can learn that."},
    {FIRST_ONLY, "Only the first row of W counts in your score. Does the loop run to d_q? A return "
                 "inside it ends it."},
    {LAST_ONLY, "Only the last row of W counts in your score. Add all d_q of them up, with +=."},
};

/* Transposed and bare are possible where W is square, or its square part is meant. */
static void mistake_general_slips(const struct net *n) {
    for (int k = 0; k < COUNT(general_slips); k++)
        if (general_slips[k].slip != TRANSPOSED || n->z.d_q == n->z.d_k)
            mistake_numbers(n->z.n_q * n->z.n_k, slip_general(general_slips[k].slip, n), "%s",
                            general_slips[k].text);
}

static const double worked_general_scores[2][3] = {{1.5, 0, 0.5}, {1.25, -1, -1.75}};

static void the_matrix_between_scores_every_pair_of_the_worked_example(void) {
    struct net n = worked_general();
    NEW_MATRIX(scores, 2, 3);
    score_every_pair(GENERAL, &n, scores);
    mistake_if_never_set(6, scores);
    mistake_general_slips(&n);
    EXPECT_MATRIX(2, 3, worked_general_scores, scores, FOUR_DECIMALS);
}

static void a_square_matrix_keeps_its_rows_for_the_query(void) {
    struct random r = random_seed(407);
    struct net n = random_net((struct sizes){2, 5, 3, 3, 1, 1}, &r);
    NEW_MATRIX(scores, 2, 5);
    score_every_pair(GENERAL, &n, scores);
    mistake_general_slips(&n);
    mistake_if_a_float(10, slip_general(NONE, &n), scores);
    EXPECT_MATRIX(2, 5, slip_general(NONE, &n), scores, ROUNDING);
}

static void with_the_identity_between_it_is_the_dot_product(void) {
    struct random r = random_seed(408);
    struct net n = random_net((struct sizes){2, 5, 4, 4, 1, 1}, &r);
    NEW_MATRIX_FILLED(W, 4, 4, 0.0);
    for (int c = 0; c < 4; c++)
        W[c][c] = 1.0;
    n.W = W;
    NEW_MATRIX(scores, 2, 5);
    NEW_MATRIX(dots, 2, 5);
    score_every_pair(GENERAL, &n, scores);
    dot_scores(2, 5, 4, n.Q, n.K, dots);
    MISTAKE_IF(true, "W is the identity here: it changes nothing, and what is left is the dot "
                     "product of lesson 02.");
    EXPECT_MATRIX(2, 5, dots, scores, 1e-12);
}

static void random_pairs_agree_with_the_obvious_general_score(void) {
    struct random r = random_seed(409);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        score_every_pair(GENERAL, &n, scores);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, slip_general(NONE, &n), scores, ROUNDING);
    }
}

/* additive_scores */

static void all_scores_of_the_worked_example_come_out_at_once(void) {
    struct net n = worked_net();
    NEW_BLOCK(hidden, 2, 3, 2);
    NEW_MATRIX(scores, 2, 3);
    run_scores(&n, hidden, scores);
    mistake_if_never_set(6, scores);
    mistake_score_slips(&n, slip_scores, scores);
    EXPECT_MATRIX(2, 3, worked_scores, scores, FOUR_DECIMALS);
}

/* What somebody might keep for a query in the place of the values of tanh. */
static void mistake_hidden(const struct net *n, const double right[3][2]) {
    NEW_MATRIX(sums, 6, 2);
    NEW_MATRIX(slopes, 3, 2);
    NEW_MATRIX(weighed, 3, 2);
    obvious_scores(NO_TANH, n, sums, slip_scores(NONE, n));
    for (int j = 0; j < 3; j++)
        for (int a = 0; a < 2; a++) {
            slopes[j][a] = slope(NONE, right[j][a]);
            weighed[j][a] = right[j][a] * ((double *)n->v_a)[a];
        }
    MISTAKE_MATRIX(3, 2, sums,
                   "hidden holds the sums before tanh. The backward pass wants the values of tanh: "
                   "its slope is made of them.");
    MISTAKE_MATRIX(3, 2, slopes, "hidden holds the slopes. It wants the values of tanh.");
    MISTAKE_MATRIX(3, 2, weighed,
                   "hidden holds the values times v_a. It wants the bare values of tanh.");
}

static void hidden_receives_the_values_of_tanh(void) {
    struct net n = worked_net();
    NEW_BLOCK(hidden, 2, 3, 2);
    NEW_MATRIX(scores, 2, 3);
    run_scores(&n, hidden, scores);
    const double expected[2][3][2] = {{WORKED_HIDDEN}, {SECOND_HIDDEN}};
    NEW_MATRIX(exact, 6, 2);
    obvious_scores(NONE, &n, exact, slip_scores(NONE, &n));
    mistake_hidden(&n, (const double(*)[2])exact);
    EXPECT_MATRIX(3, 2, expected[0], hidden[0], FOUR_DECIMALS);
    MISTAKE_MATRIX(3, 2, expected[0],
                   "hidden[1] is the same as hidden[0]. Each query has its own.");
    EXPECT_MATRIX(3, 2, expected[1], hidden[1], FOUR_DECIMALS);
}

static void as_many_queries_as_keys_are_not_mixed_up(void) {
    struct random r = random_seed(410);
    struct net n = random_net((struct sizes){3, 3, 4, 4, 2, 1}, &r), other = n;
    NEW_BLOCK(hidden, 3, 3, 2);
    NEW_MATRIX(scores, 3, 3);
    run_scores(&n, hidden, scores);
    NEW_BLOCK(expected, 3, 3, 2);
    NEW_MATRIX(first_row_turned, 3, 2);
    NEW_MATRIX(turned, 3, 3);
    double(*right)[3] = slip_scores(NONE, &n);
    obvious_scores(NONE, &n, expected, right);
    for (int i = 0; i < 3; i++) {
        memcpy(first_row_turned[i], expected[i][0], sizeof first_row_turned[i]);
        for (int j = 0; j < 3; j++)
            turned[j][i] = right[i][j];
    }
    other.W_q = n.W_k;
    other.W_k = n.W_q;
    MISTAKE_MATRIX(3, 3, turned, "scores is transposed: row i is query i, column j is key j.");
    MISTAKE_MATRIX(3, 3, slip_scores(NONE, &other), "%s", swapped);
    mistake_if_a_float(9, right, scores);
    EXPECT_MATRIX(3, 3, right, scores, ROUNDING);
    MISTAKE_MATRIX(3, 2, first_row_turned,
                   "hidden is indexed [j][i] somewhere: the query comes first.");
    EXPECT_MATRIX(3, 2, expected[0], hidden[0], ROUNDING);
    EXPECT_MATRIX(9, 2, expected, hidden, ROUNDING);
}

static void permuting_the_keys_permutes_the_scores(void) {
    struct random r = random_seed(411);
    struct net n = random_net((struct sizes){3, 5, 4, 2, 6, 1}, &r);
    NEW_BLOCK(hidden, 3, 5, 6);
    NEW_MATRIX(before, 3, 5);
    NEW_MATRIX(after, 3, 5);
    NEW_MATRIX(expected, 3, 5);
    run_scores(&n, hidden, before);
    EXPECT_THAT(!is_unset(before[0][0]), "scores[0][0] was never set");
    n.K = shuffled_rows_of_5(2, n.K);
    run_scores(&n, hidden, after);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++)
            expected[i][j] = before[i][order[j]];
    MISTAKE_IF(true, "A key's score changed with its place in the list. The network looks at the "
                     "key, not at where it stands.");
    EXPECT_MATRIX(3, 5, expected, after, ROUNDING);
}

static void huge_inputs_leave_hidden_at_one_or_minus_one(void) {
    struct random r = random_seed(412);
    struct net n = huge_net(&r);
    NEW_BLOCK(hidden, 3, 5, 6);
    NEW_MATRIX(scores, 3, 5);
    run_scores(&n, hidden, scores);
    for (int k = 0; k < 15 * 6; k++) {
        double h = hidden[k / 30][k / 6 % 5][k % 6];
        MISTAKE_IF(isnan(h), "%s", by_exp);
        EXPECT_THAT(fabs(h) == 1.0, "a hidden number is %g; the sum in its tanh is huge", h);
    }
    EXPECT_MATRIX(3, 5, slip_scores(NONE, &n), scores, ROUNDING);
}

static void random_scores_agree_with_the_obvious_way(void) {
    struct random r = random_seed(413);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_BLOCK(hidden, z->n_q, z->n_k, z->d_a);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        NEW_BLOCK(expected_hidden, z->n_q, z->n_k, z->d_a);
        NEW_MATRIX(expected, z->n_q, z->n_k);
        run_scores(&n, hidden, scores);
        obvious_scores(NONE, &n, expected_hidden, expected);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, expected, scores, ROUNDING);
        for (int i = 0; i < z->n_q; i++) {
            char name[24];
            snprintf(name, sizeof name, "hidden[%d]", i);
            mistake_if_a_float(z->n_k * z->d_a, expected_hidden[i], hidden[i]);
            mistake_if_nothing_else(*z);
            expect_numbers(__LINE__, name, z->n_k, z->d_a, expected_hidden[i][0], hidden[i][0],
                           ROUNDING);
        }
    }
}

static unsigned long work_of_scores(struct sizes z) {
    struct random r = random_seed(414);
    struct net n = random_net(z, &r);
    NEW_BLOCK(hidden, z.n_q, z.n_k, z.d_a);
    NEW_MATRIX(scores, z.n_q, z.n_k);
    unsigned long before = work_done;
    run_scores(&n, hidden, scores);
    return work_done - before;
}

/* Work that grows by a whole long query for each further key was done once a pair. */
static void each_matrix_meets_each_row_once_and_not_once_a_pair(void) {
    enum { d = 400, few = 3 };
    unsigned long more_keys = work_of_scores((struct sizes){few, 9, d, 1, 1, 1}) -
                              work_of_scores((struct sizes){few, 1, d, 1, 1, 1});
    unsigned long more_queries = work_of_scores((struct sizes){9, few, 1, d, 1, 1}) -
                                 work_of_scores((struct sizes){1, few, 1, d, 1, 1});
    MISTAKE_IF(true, "What W_q makes of a query is the same for all keys. Work it out once, before "
                     "you go over the keys; hidden has room to keep it.");
    EXPECT_THAT(more_keys < 8 * few * d / 2,
                "with queries of %d numbers, each further pair took %lu steps of your code; a few "
                "dozen are plenty",
                d, more_keys / (8 * few));
    MISTAKE_IF(true, "What W_k makes of a key is the same for all queries. Work it out once a key, "
                     "and add it to what each query has left in hidden.");
    EXPECT_THAT(more_queries < 8 * few * d / 2,
                "with keys of %d numbers, each further pair took %lu steps of your code; a few "
                "dozen are plenty",
                d, more_queries / (8 * few));
}

/* additive_scores_backward */

#define WORKED_D_SCORES NEW_MATRIX_OF(d_scores, 2, 3, {1, -2, 0.5}, {3, 1, -1})

static void *hidden_of(const struct net *n) {
    NEW_BLOCK(hidden, n->z.n_q, n->z.n_k, n->z.d_a);
    obvious_scores(NONE, n, hidden, slip_scores(NONE, n));
    return hidden;
}

static void expect_worked_kind(const struct way_back *way, int kind, const void *expected,
                               struct gradients d) {
    mistake_gradient_slips(way, kind, d.of[kind]);
    EXPECT_KIND(kind, way->n->z, expected, d, FOUR_DECIMALS);
}

static void the_worked_network_gets_these_gradients_to_four_decimals(void) {
    struct net n = worked_net();
    void *hidden = hidden_of(&n);
    WORKED_D_SCORES;
    struct gradients d = new_gradients(n.z, 0.0);
    run_scores_backward(&n, hidden, d_scores, d);
    const double d_v_a[2] = {3.2369, 4.6625};
    const double d_W_q[2][2] = {{-1.2923, .3190}, {-.4034, -.4790}};
    const double d_W_k[2][3] = {{.1797, -1.1236, .1211}, {-.6548, -.1413, -.8274}};
    const struct way_back way = {&n, .hidden = hidden, .d_scores = d_scores};
    expect_worked_kind(&way, D_V_A, d_v_a, d);
    expect_worked_kind(&way, D_W_Q, d_W_q, d);
    expect_worked_kind(&way, D_W_K, d_W_k, d);
}

static void the_worked_queries_and_keys_get_these_gradients_to_four_decimals(void) {
    struct net n = worked_net();
    void *hidden = hidden_of(&n);
    WORKED_D_SCORES;
    struct gradients d = new_gradients(n.z, 0.0);
    run_scores_backward(&n, hidden, d_scores, d);
    const double d_Q[2][2] = {{-.2427, -1.3931}, {.6385, .1993}};
    const double d_K[3][3] = {
        {-.0348, .7411, -.6659}, {-1.2098, .2276, -.8041}, {.0509, -.0863, .1009}};
    const struct way_back way = {&n, .hidden = hidden, .d_scores = d_scores};
    expect_worked_kind(&way, D_Q, d_Q, d);
    expect_worked_kind(&way, D_K, d_K, d);
}

static void expect_all_added(struct sizes z, int kinds, double held, struct gradients gained,
                             struct gradients given) {
    for (int k = 0; k < kinds; k++)
        expect_added(__LINE__, gradient_names[k], rows_of(z, k), cols_of(z, k), held, gained.of[k],
                     given.of[k]);
}

static void the_five_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(415);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        void *hidden = hidden_of(&n);
        NEW_MATRIX_RANDOM(d_scores, z->n_q, z->n_k, &r);
        struct gradients gained = new_gradients(*z, 0.0), d = new_gradients(*z, 10.0);
        obvious_scores_backward(NONE, &n, hidden, d_scores, gained);
        run_scores_backward(&n, hidden, d_scores, d);
        expect_all_added(*z, D_V, 10.0, gained, d);
    }
}

/* All gradients from D_W_Q up to, not including, `kinds` are what nudging measures. */
static void expect_measured(const struct net *n, int kinds, loss_function *loss,
                            struct gradients d) {
    double *inputs[KINDS] = {n->W_q, n->W_k, n->v_a, n->Q, n->K, n->V};
    NEW_RESULTS(n->z);
    struct net nudged = *n;
    struct gradients measured = new_gradients(n->z, 0.0);
    nudged.hidden = hidden;
    nudged.scores = weights;
    nudged.weights = weights;
    nudged.out = out;
    for (int k = 0; k < kinds; k++) {
        numeric_gradient(loss, &nudged, count_of(n->z, k), inputs[k], measured.of[k]);
        mistake_if_nothing_else(n->z);
        expect_gradient(__LINE__, gradient_names[k], rows_of(n->z, k), cols_of(n->z, k),
                        measured.of[k], d.of[k], SLOPES);
    }
}

static void the_five_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(416);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX_RANDOM(d_scores, z->n_q, z->n_k, &r);
        n.upstream = d_scores;
        struct gradients d = new_gradients(*z, 0.0);
        run_scores_backward(&n, hidden_of(&n), d_scores, d);
        expect_measured(&n, D_V, loss_of_scores, d);
    }
}

static void the_given_hidden_values_are_what_counts(void) {
    struct random r = random_seed(417);
    struct net n = random_net((struct sizes){2, 4, 3, 5, 1, 6}, &r);
    NEW_MATRIX_RANDOM(d_scores, 2, 4, &r);
    void *fresh = hidden_of(&n), *hidden = random_fill_uniform(&r, 8, matrix_new("hidden", 8, 1));
    struct gradients anew = new_gradients(n.z, 0.0), expected = new_gradients(n.z, 0.0);
    struct gradients d = new_gradients(n.z, 0.0);
    obvious_scores_backward(NONE, &n, fresh, d_scores, anew);
    obvious_scores_backward(NONE, &n, hidden, d_scores, expected);
    run_scores_backward(&n, hidden, d_scores, d);
    for (int k = 0; k < D_V; k++) {
        mistake_numbers(count_of(n.z, k), anew.of[k],
                        "You worked hidden out anew. Use what the forward pass left in it: that is "
                        "what the scores were really made with, and it saves every tanh.");
        EXPECT_KIND(k, n.z, expected.of[k], d, ROUNDING);
    }
}

static void a_saturated_hidden_number_passes_no_gradient(void) {
    struct random r = random_seed(418);
    struct net n = random_net((struct sizes){2, 4, 3, 5, 1, 6}, &r);
    NEW_MATRIX_RANDOM(d_scores, 2, 4, &r);
    NEW_BLOCK(hidden, 2, 4, 1);
    for (int p = 0; p < 8; p++)
        hidden[p / 4][p % 4][0] = p % 3 ? 1.0 : -1.0;
    struct gradients expected = new_gradients(n.z, 0.0), d = new_gradients(n.z, 0.0);
    obvious_scores_backward(NONE, &n, hidden, d_scores, expected);
    run_scores_backward(&n, hidden, d_scores, d);
    for (int k = 0; k < D_V; k++) {
        MISTAKE_IF(k != D_V_A, "At 1 and at -1 tanh is flat: no nudge inside it moves it, so "
                               "nothing at all comes back through it.");
        MISTAKE_IF(k == D_V_A, "v_a stands outside the tanh: it learns from a hidden number of 1 "
                               "as from any other.");
        EXPECT_KIND(k, n.z, expected.of[k], d, k == D_V_A ? ROUNDING : 0.0);
    }
}

/* One sentence is the queries and the keys, and one matrix serves both. */
static struct net shared_net(struct random *r) {
    struct net n = random_net((struct sizes){4, 4, 3, 3, 2, 3}, r);
    n.W_k = n.W_q;
    n.K = n.Q;
    NEW_MATRIX_LIKE(V, 4, 3, n.Q);
    n.V = V;
    return n;
}

static const char only_add[] = "Two of the gradients are one matrix here, as where a sentence asks "
                               "itself. What you read back from one may have been changed through "
                               "the other: only ever add to them.";

/* Where W_q is W_k and Q is K, their gradients meet. */
static void add_shares(struct sizes z, struct gradients expected) {
    add_into(count_of(z, D_W_Q), expected.of[D_W_K], expected.of[D_W_Q]);
    add_into(count_of(z, D_Q), expected.of[D_K], expected.of[D_Q]);
}

static void a_sentence_that_asks_itself_collects_both_gradients(void) {
    struct random r = random_seed(419);
    struct net n = shared_net(&r);
    NEW_MATRIX_RANDOM(d_scores, 4, 4, &r);
    struct gradients expected = new_gradients(n.z, 0.0), d = new_gradients(n.z, 0.0);
    obvious_scores_backward(NONE, &n, hidden_of(&n), d_scores, expected);
    add_shares(n.z, expected);
    d.of[D_W_K] = d.of[D_W_Q];
    d.of[D_K] = d.of[D_Q];
    run_scores_backward(&n, hidden_of(&n), d_scores, d);
    MISTAKE_IF(true, "%s", only_add);
    EXPECT_KIND(D_W_Q, n.z, expected.of[D_W_Q], d, ROUNDING);
    MISTAKE_IF(true, "%s", only_add);
    EXPECT_KIND(D_Q, n.z, expected.of[D_Q], d, ROUNDING);
}

/* additive_attention */

static void softmax_columns(int rows, int cols, double x[rows][cols]) {
    for (int j = 0; j < cols; j++) {
        double sum = 0.0;
        for (int i = 0; i < rows; i++)
            sum += x[i][j] = exp(x[i][j]);
        for (int i = 0; i < rows; i++)
            x[i][j] /= sum;
    }
}

static const double worked_weights[2][3] = {{.2760, .3058, .4183}, {.1999, .3447, .4554}};

static void the_worked_example_gives_these_weights(void) {
    struct net n = worked_net();
    WORKED_V;
    n.V = V;
    NEW_RESULTS(n.z);
    run_attention(&n, hidden, weights, out);
    void *columns = slip_scores(NONE, &n), *all = slip_scores(NONE, &n);
    void *twice = slip_weights(NONE, &n);
    softmax_columns(2, 3, columns);
    softmax(6, all, all);
    softmax_rows(2, 3, twice, twice);
    mistake_if_never_set(6, weights);
    MISTAKE_MATRIX(2, 3, slip_scores(NONE, &n),
                   "These are the bare scores: the softmax is missing, or its result was not "
                   "kept. It makes each query's row "
                   "positive and sum to 1.");
    MISTAKE_MATRIX(2, 3, columns,
                   "You took the softmax over the queries, down the columns. Each query hands out "
                   "one unit of attention: along its row.");
    MISTAKE_MATRIX(2, 3, all,
                   "You took one softmax over all cells, so the queries share one unit of "
                   "attention. Each query has its own: row by row.");
    MISTAKE_MATRIX(2, 3, twice,
                   "You took the softmax twice. The second one flattens what the first has made.");
    mistake_score_slips(&n, slip_weights, weights);
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 3, weights);
    EXPECT_MATRIX(2, 3, worked_weights, weights, FOUR_DECIMALS);
}

static void the_worked_example_gives_this_output(void) {
    struct net n = worked_net();
    WORKED_V;
    n.V = V;
    NEW_RESULTS(n.z);
    run_attention(&n, hidden, weights, out);
    const double expected[2][2] = {{1.1932, .9702}, {1.2340, .8551}};
    const double mean[2][2] = {{4 / 3.0, 1}, {4 / 3.0, 1}};
    const double keys[2][2] = {{.6942, .7240}, {.6553, .8001}};
    NEW_MATRIX(keys_end_to_end, 2, 2);
    NEW_MATRIX(by_scores, 2, 2);
    product(2, 3, 2, slip_weights(NONE, &n), n.K, keys_end_to_end);
    product(2, 3, 2, slip_scores(NONE, &n), V, by_scores);
    MISTAKE_MATRIX(2, 2, keys,
                   "You blended the keys. Keys decide where to look; what is found there is in V.");
    MISTAKE_MATRIX(2, 2, keys_end_to_end,
                   "You blended the keys. Keys decide where to look; what is found there is in V.");
    MISTAKE_MATRIX(2, 2, by_scores,
                   "You blended with the scores. Blend with the weights, after the softmax.");
    MISTAKE_MATRIX(2, 2, mean,
                   "out is the plain mean of the values. Blend with the weights you have made.");
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

static void another_query_looks_elsewhere(void) {
    struct random r = random_seed(421);
    struct net n = random_net_with_values((struct sizes){2, 4, 3, 5, 6, 1}, &r);
    NEW_RESULTS(n.z);
    run_attention(&n, hidden, weights, out);
    MISTAKE_IF(true, "Two queries, the same weights: nobody listens to the query. What is the same "
                     "for all keys cancels in the softmax; is the query inside the tanh?");
    EXPECT_THAT(fabs(weights[0][0] - weights[1][0]) > 1e-3,
                "weights[0][0] is %g, and so is weights[1][0]: two different queries",
                weights[0][0]);
}

static void shuffling_keys_with_their_values_changes_no_output(void) {
    struct random r = random_seed(422);
    struct net n = random_net_with_values((struct sizes){3, 5, 4, 2, 6, 1}, &r);
    NEW_RESULTS(n.z);
    NEW_MATRIX(before, 3, 1);
    run_attention(&n, hidden, weights, before);
    EXPECT_THAT(!is_unset(before[0][0]), "out[0][0] was never set");
    n.K = shuffled_rows_of_5(2, n.K);
    n.V = shuffled_rows_of_5(1, n.V);
    run_attention(&n, hidden, weights, out);
    MISTAKE_IF(true, "The same keys with the same values, listed in another order, gave another "
                     "answer. A dictionary does not care for the order of its entries.");
    EXPECT_MATRIX(3, 1, before, out, ROUNDING);
}

static void random_attention_agrees_with_the_obvious_way(void) {
    struct random r = random_seed(423);
    FOR_ALL_SIZES(z) {
        struct net n = random_net_with_values(*z, &r);
        NEW_RESULTS(*z);
        NEW_MATRIX(expected_out, z->n_q, z->d_v);
        void *expected = slip_weights(NONE, &n);
        product(z->n_q, z->n_k, z->d_v, expected, n.V, expected_out);
        run_attention(&n, hidden, weights, out);
        MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(z->n_q, z->n_k, weights);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, expected, weights, ROUNDING);
        EXPECT_OBVIOUS(*z, z->n_q, z->d_v, expected_out, out, ROUNDING);
        EXPECT_OBVIOUS(*z, z->n_q * z->n_k, z->d_a, hidden_of(&n), hidden, ROUNDING);
    }
}

/* additive_attention_backward */

static void expect_worked_ways_back(int first, int last, const void *const expected[KINDS]) {
    struct net n = worked_net();
    WORKED_V;
    n.V = V;
    void *hidden = hidden_of(&n), *weights = slip_weights(NONE, &n);
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});
    struct gradients d = new_gradients(n.z, 0.0);
    run_attention_backward(&n, hidden, weights, d_out, d);
    const struct way_back way = {&n, .hidden = hidden, .weights = weights, .d_out = d_out};
    for (int k = first; k <= last; k++)
        expect_worked_kind(&way, k, expected[k], d);
}

static void the_gradient_of_the_network_comes_out_to_four_decimals(void) {
    const double d_W_q[2][2] = {{.2211, -.1058}, {.0096, .0613}};
    const double d_W_k[2][3] = {{-.1954, .1130, .2000}, {.0025, .0665, .0063}};
    const double d_v_a[2] = {-.1153, .2840};
    expect_worked_ways_back(D_W_Q, D_V_A, (const void *[KINDS]){d_W_q, d_W_k, d_v_a});
}

static void the_gradient_of_queries_and_keys_comes_out_to_four_decimals(void) {
    const double d_Q[2][2] = {{.1009, .2235}, {-.1142, -.0905}};
    const double d_K[3][3] = {
        {.0034, -.0044, .0055}, {.3278, -.0684, .2237}, {-.1982, .0019, -.1008}};
    expect_worked_ways_back(D_Q, D_K, (const void *[KINDS]){[D_Q] = d_Q, [D_K] = d_K});
}

static void the_gradient_of_the_values_comes_out_to_four_decimals(void) {
    const double d_V[3][2] = {{.2760, .1999}, {.3058, .3447}, {.4183, .4554}};
    expect_worked_ways_back(D_V, D_V, (const void *[KINDS]){[D_V] = d_V});
}

static void all_six_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(424);
    FOR_ALL_SIZES(z) {
        struct net n = random_net_with_values(*z, &r);
        void *hidden = hidden_of(&n), *weights = slip_weights(NONE, &n);
        NEW_MATRIX_RANDOM(d_out, z->n_q, z->d_v, &r);
        struct gradients gained = new_gradients(*z, 0.0), d = new_gradients(*z, 10.0);
        obvious_attention_backward(NONE, &n, hidden, weights, d_out, gained);
        run_attention_backward(&n, hidden, weights, d_out, d);
        expect_all_added(*z, KINDS, 10.0, gained, d);
    }
}

static void all_six_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(425);
    FOR_ALL_SIZES(z) {
        if (z->n_k == 1)
            continue; /* a weight of 1 whatever the score: all gradients but one are 0 */
        struct net n = random_net_with_values(*z, &r);
        NEW_MATRIX_RANDOM(d_out, z->n_q, z->d_v, &r);
        n.upstream = d_out;
        struct gradients d = new_gradients(*z, 0.0);
        run_attention_backward(&n, hidden_of(&n), slip_weights(NONE, &n), d_out, d);
        expect_measured(&n, KINDS, loss_of_attention, d);
    }
}

/* What the forward pass left is not always what it would make again: dropout will see to that. */
static void hidden_and_weights_are_used_as_the_forward_pass_left_them(void) {
    struct random r = random_seed(426);
    struct net n = random_net_with_values((struct sizes){2, 4, 3, 5, 1, 6}, &r);
    NEW_MATRIX_RANDOM(d_out, 2, 6, &r);
    NEW_MATRIX_OF(weights, 2, 4, {0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0});
    void *hidden = random_fill_uniform(&r, 8, matrix_new("hidden", 8, 1)), *fresh = hidden_of(&n);
    void *fresh_weights = slip_weights(NONE, &n);
    struct gradients expected = new_gradients(n.z, 0.0), d = new_gradients(n.z, 0.0);
    struct gradients new_h = new_gradients(n.z, 0.0), new_w = new_gradients(n.z, 0.0);
    obvious_attention_backward(NONE, &n, hidden, weights, d_out, expected);
    obvious_attention_backward(NONE, &n, fresh, weights, d_out, new_h);
    obvious_attention_backward(NONE, &n, hidden, fresh_weights, d_out, new_w);
    run_attention_backward(&n, hidden, weights, d_out, d);
    for (int k = 0; k < KINDS; k++) {
        mistake_numbers(count_of(n.z, k), new_h.of[k],
                        "You worked hidden out anew. Use the values given: they are what the "
                        "scores were really made with.");
        mistake_numbers(count_of(n.z, k), new_w.of[k],
                        "You worked the weights out anew. Use the ones given: they are what the "
                        "output was really made with.");
        MISTAKE_IF(true, "hidden and weights are given, and need not be what a forward pass would "
                         "make now. Did you work one of them out anew?");
        EXPECT_KIND(k, n.z, expected.of[k], d, ROUNDING);
    }
}

static void a_sentence_that_attends_to_itself_collects_all_gradients(void) {
    struct random r = random_seed(427);
    struct net n = shared_net(&r);
    void *hidden = hidden_of(&n), *weights = slip_weights(NONE, &n);
    NEW_MATRIX_RANDOM(d_out, 4, 3, &r);
    struct gradients expected = new_gradients(n.z, 0.0), d = new_gradients(n.z, 0.0);
    obvious_attention_backward(NONE, &n, hidden, weights, d_out, expected);
    add_shares(n.z, expected);
    add_into(12, expected.of[D_V], expected.of[D_Q]);
    d.of[D_W_K] = d.of[D_W_Q];
    d.of[D_K] = d.of[D_V] = d.of[D_Q];
    n.V = n.Q;
    run_attention_backward(&n, hidden, weights, d_out, d);
    MISTAKE_IF(true, "%s", only_add);
    EXPECT_KIND(D_W_Q, n.z, expected.of[D_W_Q], d, ROUNDING);
    MISTAKE_IF(true, "%s", only_add);
    EXPECT_KIND(D_Q, n.z, expected.of[D_Q], d, ROUNDING);
}

/* Two matrices of weights do not fit the stack that the tutor gives. All hidden numbers are 0.5,
   whose slope is 0.75, and the values 1 and -1 in turn: the shared sum is 0. */
static void a_long_text_needs_no_matrix_of_its_own(void) {
    enum { n_k = 40000 };
    const struct sizes z = {2, n_k, 1, 1, 1, 1};
    struct random r = random_seed(429);
    struct net n = random_net_with_values(z, &r);
    const double *v_a = n.v_a, *K = n.K;
    double *V = n.V;
    NEW_MATRIX_FILLED(hidden, 2 * n_k, 1, 0.5);
    NEW_MATRIX_FILLED(weights, 2, n_k, 1.0 / n_k);
    NEW_MATRIX_OF(d_out, 2, 1, {4}, {-1});
    double expected_d_W_k = 0.0;
    for (int j = 0; j < n_k; j++) {
        V[j] = j % 2 == 0 ? 1.0 : -1.0;
        expected_d_W_k += 3.0 * V[j] / n_k * v_a[0] * 0.75 * K[j];
    }
    struct gradients d = new_gradients(z, 0.0);
    run_attention_backward(&n, hidden, weights, d_out, d);
    EXPECT_KIND(D_W_K, z, &expected_d_W_k, d, ROUNDING);
}

/* general_scores */

static void run_general_scores(const struct net *n, void *scores) {
    general_scores(n->z.n_q, n->z.n_k, n->z.d_q, n->z.d_k, n->W, n->Q, n->K, scores);
}

static void the_worked_example_has_these_general_scores(void) {
    struct net n = worked_general();
    NEW_MATRIX(scores, 2, 3);
    run_general_scores(&n, scores);
    mistake_if_never_set(6, scores);
    mistake_general_slips(&n);
    EXPECT_MATRIX(2, 3, worked_general_scores, scores, FOUR_DECIMALS);
}

static void as_many_queries_as_keys_keep_their_rows(void) {
    struct random r = random_seed(430);
    struct net n = random_net((struct sizes){3, 3, 4, 4, 1, 1}, &r);
    NEW_MATRIX(scores, 3, 3);
    run_general_scores(&n, scores);
    NEW_MATRIX(turned, 3, 3);
    double(*right)[3] = slip_general(NONE, &n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[j][i] = right[i][j];
    MISTAKE_MATRIX(3, 3, turned, "scores is transposed: row i is query i, column j is key j.");
    mistake_general_slips(&n);
    mistake_if_a_float(9, right, scores);
    EXPECT_MATRIX(3, 3, right, scores, ROUNDING);
}

static void random_general_scores_agree_with_the_obvious_way(void) {
    struct random r = random_seed(431);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        run_general_scores(&n, scores);
        EXPECT_OBVIOUS(*z, z->n_q, z->n_k, slip_general(NONE, &n), scores, ROUNDING);
    }
}

/* general_scores_backward */

/* What a factor of a product of three is to get. */
static double two_of(enum slip slip, double own, double one, double other) {
    return slip == OWN_FACTOR          ? own * other
           : slip == OWN_FOR_THE_OTHER ? own * one
           : slip == OWN_ALONE         ? own
                                       : one * other;
}

/* Adds what the obvious way gives: three factors, each of which gets the other two. */
static void obvious_general_backward(enum slip slip, const struct net *n, const void *d_scores,
                                     void *d_W, void *d_Q, void *d_K) {
    const struct sizes z = n->z;
    const double(*W)[z.d_k] = n->W, (*Q)[z.d_q] = n->Q, (*K)[z.d_k] = n->K;
    const double(*d_s)[z.n_k] = d_scores;
    double(*of_W)[z.d_k] = d_W, (*of_Q)[z.d_q] = d_Q, (*of_K)[z.d_k] = d_K;
    for (int i = 0; i < z.n_q; i++)
        for (int j = 0; j < z.n_k; j++)
            for (int r = 0; r < z.d_q; r++)
                for (int c = 0; c < z.d_k; c++) {
                    int row = slip == ROW_OF_THE_QUERY ? i : j;
                    double s = slip == NO_UPSTREAM   ? 1.0
                               : slip == BY_ROOT_D_K ? d_s[i][j] / sqrt(z.d_k)
                                                     : d_s[i][j];
                    double w = slip == NO_W ? 1.0 : slip == TRANSPOSED ? W[c][r] : W[r][c];
                    double q = slip == NO_QUERY ? 1.0 : Q[i][r];
                    double k = slip == NO_KEY ? 1.0 : K[row][c];
                    double *to_W = slip == TRANSPOSED ? &of_W[c][r] : &of_W[r][c];
                    give(slip, s * two_of(slip, w, q, k), to_W);
                    give(slip, s * two_of(slip, q, k, w), &of_Q[i][r]);
                    give(slip, s * two_of(slip, k, q, w), &of_K[row][c]);
                }
}

static const char itself[] = "You multiplied by the thing itself. A score is a product of three: "
                             "each factor gets d_scores times the other two.";
static const struct known general_back_slips[] = {
    {NOTHING, "Nothing was added into it, and every score depends on it."},
    {OWN_FACTOR, itself},
    {OWN_FOR_THE_OTHER, itself},
    {OWN_ALONE, itself},
    {BY_ROOT_D_K, "You divided by the square root of d_k, as in lesson 03. The general score is "
                  "not scaled, and neither is its way back."},
    {NO_W, "W is missing. The query meets the key by way of W, and the gradients come back by the "
           "same way."},
    {NO_QUERY, "The query is missing. A score is a product of three: each factor gets d_scores "
               "times the other two."},
    {NO_KEY, "The key is missing. A score is a product of three: each factor gets d_scores times "
             "the other two."},
    {NO_UPSTREAM, "d_scores is missing: every pair counts alike. How much a pair matters is what "
                  "d_scores[i][j] says."},
    {ROW_OF_THE_QUERY, "A key's share went by the number of the query. In pair i, j the key is j: "
                       "K[j] and d_K[j]."},
    {TRANSPOSED, "Rows and columns of W changed places. Its rows belong to the query, on the way "
                 "back as well."},
    {LAST_PAIR, "Only the last share is left. What takes part in many products gets a share from "
                "each: add them with +=."},
    {NEGATED, "You subtracted. A backward function adds its gradients."},
};

/* d_W, d_Q and d_K of somebody's way back, kept until the test is over. */
struct three {
    void *d_W, *d_Q, *d_K;
};

static struct three new_three(struct sizes z, double value) {
    NEW_MATRIX_FILLED(d_W, z.d_q, z.d_k, value);
    NEW_MATRIX_FILLED(d_Q, z.n_q, z.d_q, value);
    NEW_MATRIX_FILLED(d_K, z.n_k, z.d_k, value);
    return (struct three){d_W, d_Q, d_K};
}

static struct three general_way_back(enum slip slip, const struct net *n, const void *d_scores) {
    struct three d = new_three(n->z, 0.0);
    obvious_general_backward(slip, n, d_scores, d.d_W, d.d_Q, d.d_K);
    return d;
}

static void run_general_backward(const struct net *n, const void *d_scores, struct three d) {
    general_scores_backward(n->z.n_q, n->z.n_k, n->z.d_q, n->z.d_k, n->W, n->Q, n->K, d_scores,
                            d.d_W, d.d_Q, d.d_K);
}

static void expect_general(const struct net *n, const void *d_scores, struct three given) {
    const struct sizes z = n->z;
    const char *const names[3] = {"d_W", "d_Q", "d_K"};
    const int rows[3] = {z.d_q, z.n_q, z.n_k}, cols[3] = {z.d_k, z.d_q, z.d_k};
    struct three right = general_way_back(NONE, n, d_scores);
    void *rights[3] = {right.d_W, right.d_Q, right.d_K}, *d[3] = {given.d_W, given.d_Q, given.d_K};
    for (int m = 0; m < 3; m++) {
        mistake_if_never_set(rows[m] * cols[m], d[m]);
        mistake_if_a_float(rows[m] * cols[m], rights[m], d[m]);
        for (int k = 0; k < COUNT(general_back_slips); k++) {
            if (general_back_slips[k].slip == TRANSPOSED && z.d_q != z.d_k)
                continue;
            struct three wrong = general_way_back(general_back_slips[k].slip, n, d_scores);
            void *wrongs[3] = {wrong.d_W, wrong.d_Q, wrong.d_K};
            if (differ(rows[m] * cols[m], rights[m], wrongs[m], 1e-4))
                mistake_numbers(rows[m] * cols[m], wrongs[m], "%s", general_back_slips[k].text);
        }
        expect_numbers(__LINE__, names[m], rows[m], cols[m], rights[m], d[m], ROUNDING);
    }
}

static void the_worked_general_scores_give_these_gradients(void) {
    struct net n = worked_general();
    WORKED_D_SCORES;
    struct three d = new_three(n.z, 0.0), right = general_way_back(NONE, &n, d_scores);
    run_general_backward(&n, d_scores, d);
    const double expected_d_W[2][3] = {{1.5, -1.5, 0.5}, {2, 0, 4}};
    const double expected_d_Q[2][2] = {{1.75, 2.375}, {4, 4.5}};
    const double expected_d_K[3][3] = {{1.75, -3, 3.5}, {-1.75, -1, 0}, {0.25, 1, -0.75}};
    EXPECT_MATRIX(2, 3, expected_d_W, right.d_W, FOUR_DECIMALS); /* by hand */
    EXPECT_MATRIX(2, 2, expected_d_Q, right.d_Q, FOUR_DECIMALS);
    EXPECT_MATRIX(3, 3, expected_d_K, right.d_K, FOUR_DECIMALS);
    expect_general(&n, d_scores, d);
}

static void a_square_matrix_keeps_its_rows_on_the_way_back(void) {
    struct random r = random_seed(432);
    struct net n = random_net((struct sizes){2, 5, 3, 3, 1, 1}, &r);
    NEW_MATRIX_RANDOM(d_scores, 2, 5, &r);
    struct three d = new_three(n.z, 0.0);
    run_general_backward(&n, d_scores, d);
    expect_general(&n, d_scores, d);
}

static void the_three_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(433);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX_RANDOM(d_scores, z->n_q, z->n_k, &r);
        struct three gained = general_way_back(NONE, &n, d_scores);
        NEW_MATRIX_FILLED(d_W, z->d_q, z->d_k, 10.0);
        NEW_MATRIX_FILLED(d_Q, z->n_q, z->d_q, 20.0);
        NEW_MATRIX_FILLED(d_K, z->n_k, z->d_k, 30.0);
        run_general_backward(&n, d_scores, (struct three){d_W, d_Q, d_K});
        EXPECT_ADDED(z->d_q, z->d_k, 10.0, gained.d_W, d_W);
        EXPECT_ADDED(z->n_q, z->d_q, 20.0, gained.d_Q, d_Q);
        EXPECT_ADDED(z->n_k, z->d_k, 30.0, gained.d_K, d_K);
    }
}

static void the_three_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(434);
    FOR_ALL_SIZES(z) {
        struct net n = random_net(*z, &r);
        NEW_MATRIX_RANDOM(d_scores, z->n_q, z->n_k, &r);
        NEW_MATRIX(scores, z->n_q, z->n_k);
        n.scores = scores;
        n.upstream = d_scores;
        NEW_MATRIX_FILLED(d_W, z->d_q, z->d_k, 0.0);
        NEW_MATRIX_FILLED(d_Q, z->n_q, z->d_q, 0.0);
        NEW_MATRIX_FILLED(d_K, z->n_k, z->d_k, 0.0);
        run_general_backward(&n, d_scores, (struct three){d_W, d_Q, d_K});
        struct three measured = new_three(*z, 0.0);
        numeric_gradient(loss_of_general, &n, z->d_q * z->d_k, n.W, measured.d_W);
        numeric_gradient(loss_of_general, &n, z->n_q * z->d_q, n.Q, measured.d_Q);
        numeric_gradient(loss_of_general, &n, z->n_k * z->d_k, n.K, measured.d_K);
        EXPECT_GRADIENT(z->d_q, z->d_k, measured.d_W, d_W, SLOPES);
        EXPECT_GRADIENT(z->n_q, z->d_q, measured.d_Q, d_Q, SLOPES);
        EXPECT_GRADIENT(z->n_k, z->d_k, measured.d_K, d_K, SLOPES);
    }
}

static void a_sentence_scored_against_itself_collects_both_gradients(void) {
    struct random r = random_seed(435);
    struct net n = random_net((struct sizes){4, 4, 3, 3, 1, 1}, &r);
    n.K = n.Q;
    NEW_MATRIX_RANDOM(d_scores, 4, 4, &r);
    struct three right = general_way_back(NONE, &n, d_scores);
    add_into(12, right.d_K, right.d_Q);
    NEW_MATRIX_FILLED(d_W, 3, 3, 0.0);
    NEW_MATRIX_FILLED(d_Q, 4, 3, 0.0);
    run_general_backward(&n, d_scores, (struct three){d_W, d_Q, d_Q});
    MISTAKE_IF(true, "%s", only_add);
    EXPECT_MATRIX(4, 3, right.d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(3, 3, right.d_W, d_W, ROUNDING);
}

static const struct lesson_test tests[] = {
    TEST(additive_score, the_small_network_scores_every_pair_of_the_worked_example),
    TEST(additive_score, the_query_and_the_key_keep_to_their_own_matrices),
    TEST(additive_score, huge_queries_and_keys_score_no_more_than_the_sum_of_all_weights),
    TEST(additive_score, random_pairs_agree_with_the_obvious_score),

    TEST(concat_score, one_matrix_for_both_gives_the_scores_of_the_worked_example),
    TEST(concat_score, concat_is_the_additive_score_with_the_matrices_side_by_side),

    TEST(general_score, the_matrix_between_scores_every_pair_of_the_worked_example),
    TEST(general_score, a_square_matrix_keeps_its_rows_for_the_query),
    TEST(general_score, with_the_identity_between_it_is_the_dot_product),
    TEST(general_score, random_pairs_agree_with_the_obvious_general_score),

    TEST(additive_scores, all_scores_of_the_worked_example_come_out_at_once),
    TEST(additive_scores, hidden_receives_the_values_of_tanh),
    TEST(additive_scores, as_many_queries_as_keys_are_not_mixed_up),
    TEST(additive_scores, permuting_the_keys_permutes_the_scores),
    TEST(additive_scores, huge_inputs_leave_hidden_at_one_or_minus_one),
    TEST(additive_scores, random_scores_agree_with_the_obvious_way),
    TEST(additive_scores, each_matrix_meets_each_row_once_and_not_once_a_pair),

    TEST(additive_scores_backward, the_worked_network_gets_these_gradients_to_four_decimals),
    TEST(additive_scores_backward,
         the_worked_queries_and_keys_get_these_gradients_to_four_decimals),
    TEST(additive_scores_backward, the_five_gradients_are_added_to_what_is_there),
    TEST(additive_scores_backward, the_five_gradients_are_what_nudging_measures),
    TEST(additive_scores_backward, the_given_hidden_values_are_what_counts),
    TEST(additive_scores_backward, a_saturated_hidden_number_passes_no_gradient),
    TEST(additive_scores_backward, a_sentence_that_asks_itself_collects_both_gradients),

    TEST(additive_attention, the_worked_example_gives_these_weights),
    TEST(additive_attention, the_worked_example_gives_this_output),
    TEST(additive_attention, another_query_looks_elsewhere),
    TEST(additive_attention, shuffling_keys_with_their_values_changes_no_output),
    TEST(additive_attention, random_attention_agrees_with_the_obvious_way),

    TEST(additive_attention_backward, the_gradient_of_the_network_comes_out_to_four_decimals),
    TEST(additive_attention_backward, the_gradient_of_queries_and_keys_comes_out_to_four_decimals),
    TEST(additive_attention_backward, the_gradient_of_the_values_comes_out_to_four_decimals),
    TEST(additive_attention_backward, all_six_gradients_are_added_to_what_is_there),
    TEST(additive_attention_backward, all_six_gradients_are_what_nudging_measures),
    TEST(additive_attention_backward, hidden_and_weights_are_used_as_the_forward_pass_left_them),
    TEST(additive_attention_backward, a_sentence_that_attends_to_itself_collects_all_gradients),
    TEST(additive_attention_backward, a_long_text_needs_no_matrix_of_its_own),

    TEST(general_scores, the_worked_example_has_these_general_scores),
    TEST(general_scores, as_many_queries_as_keys_keep_their_rows),
    TEST(general_scores, random_general_scores_agree_with_the_obvious_way),

    TEST(general_scores_backward, the_worked_general_scores_give_these_gradients),
    TEST(general_scores_backward, a_square_matrix_keeps_its_rows_on_the_way_back),
    TEST(general_scores_backward, the_three_gradients_are_added_to_what_is_there),
    TEST(general_scores_backward, the_three_gradients_are_what_nudging_measures),
    TEST(general_scores_backward, a_sentence_scored_against_itself_collects_both_gradients),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
