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
#include <stdbool.h>

#define FOUR_DECIMALS 5e-5
#define ROUNDING      1e-12
#define SLOPES        1e-6 /* how well central differences can agree */
#define COUNT(array)  ((int)(sizeof(array) / sizeof(array)[0]))

/* EXPECT_NUMBER, and the inputs are shown: what was made before the result. */
#define EXPECT_RESULT(expected, result, tolerance)                                                 \
    expect_numbers(__LINE__, #result, 0, 0, (const double[]){expected},                            \
                   vector_copy("result", 1, (const double[]){result}), tolerance)

/* The worked example of the lesson: n_k is d_k here, and n_q is d_v. */
#define WORKED_EXAMPLE                                                                             \
    WORKED_Q;                                                                                      \
    WORKED_K;                                                                                      \
    WORKED_V

/* One key more, and values of five numbers: no two sizes are alike, and no two scores of a row. */
#define FOUR_KEYS                                                                                  \
    NEW_MATRIX_OF(Q, 2, 3, {1, 0, 2}, {0, 1, -1});                                                 \
    NEW_MATRIX_OF(K, 4, 3, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {0.5, -1, 1});                         \
    NEW_MATRIX_OF(V, 4, 5, {1, 2, 0, -1, 3}, {3, 0, 1, 2, -2}, {0, 1, -1, 4, 1}, {-2, 4, 2, 0, 0.5})

static const double four_keys_weights[2][4] = {
    {0.1200216819987224, 0.21379608330157959, 0.38083756596231105, 0.2853446687373869},
    {0.48698365285959988, 0.27338478899842078, 0.15347382282102759, 0.086157735320951709}};

/* The slow, obvious way to everything. Any factor will do: a wrong one gives what it leads to. */

static double right_scale(int d_k) {
    return 1.0 / sqrt(d_k);
}

static void weights_by(double factor, struct sizes z, const double Q[z.n_q][z.d_k],
                       const double K[z.n_k][z.d_k], double weights[z.n_q][z.n_k]) {
    product_by_rows(z.n_q, z.d_k, z.n_k, Q, K, weights);
    scale_into(z.n_q * z.n_k, factor, weights, weights);
    softmax_rows(z.n_q, z.n_k, weights, weights);
}

/* Which scale does this code work with? It is measured where nothing else has the same size, so
   that d_v can be told from n_q; keys are wider than values, as in the worked example. */

static const struct sizes apart = {6, 7, 5, 3};

static bool close_to(double a, double b) {
    return fabs(a - b) < 1e-4;
}

static bool differs(int n, const void *expected, const void *actual) {
    const double *right = expected, *yours = actual;
    for (int i = 0; i < n; i++)
        if (!(fabs(yours[i] - right[i]) <= FOUR_DECIMALS))
            return true;
    return false;
}

/* The first of many that leads to just these numbers: takes one MISTAKE, or none. */
struct known {
    const void *wrong;
    const char *text;
};

static void mistake_if_known(int n, const void *yours, int count, const struct known known[count]) {
    for (int i = 0; i < count; i++)
        if (!differs(n, known[i].wrong, yours)) {
            MISTAKE_IF(true, "%s", known[i].text);
            return;
        }
}

/* yours / plain, if that is one number; NaN if it is not. */
static double ratio(int n, const void *yours, const void *plain) {
    double factor = sum_of_products(n, yours, plain) / sum_of_products(n, plain, plain);
    NEW_VECTOR(stretched, n);
    scale_into(n, factor, plain, stretched);
    return differs(n, stretched, yours) ? NAN : factor;
}

static const char *wrong_scale(double factor) {
    const double d_k = apart.d_k, root = sqrt(d_k);
    const struct {
        double factor;
        const char *text;
    } known[] = {
        {1 / d_k, "You divided by d_k instead of its square root, or put the scale in twice. Once, "
                  "and with the root."},
        {root, "You multiplied by the square root of d_k. attention_scale() is 1 / sqrt(d_k) "
               "already: multiply by it, never divide."},
        {d_k, "You multiplied by d_k. Scores grow with d_k: make them smaller, by its square "
              "root."},
        {1 / sqrt(apart.d_v), "You divided by the square root of d_v. How wide the values are has "
                              "no part in a score: it is a sum of d_k products."},
        {1 / sqrt(apart.n_k), "You divided by the square root of n_k, the number of keys. A score "
                              "is a sum of d_k products, however many keys there are."},
        {1 / sqrt(apart.n_q), "You divided by the square root of n_q, the number of queries. A "
                              "score is a sum of d_k products, whoever else asks."},
        {1.0 / (int)root, "You made an int of the square root, and an int drops what is behind the "
                          "point. Keep it a double."},
        {1 / (d_k * d_k), "You divided by d_k twice. It is to be divided by once, and only by its "
                          "square root."},
        {1 / (d_k * root), "You divided by d_k, and by its square root too. The root alone, and "
                           "once."},
        {-1 / root,
         "Your sign is the wrong way round: the scale is positive. On the way back, d_scores "
         "is weights * (d_weights - the shared sum), and is added with +=."},
    };
    for (int i = 0; i < COUNT(known); i++)
        if (close_to(factor, known[i].factor))
            return known[i].text;
    return NULL;
}

static void mistake_if_scaled_otherwise(void) {
    const struct sizes z = apart;
    NEW_MATRIX_FILLED(Q, z.n_q, z.d_k, 1.0);
    NEW_MATRIX_FILLED(K, z.n_k, z.d_k, 0.0);
    NEW_MATRIX_FILLED(V, z.n_k, z.d_v, 0.0);
    NEW_MATRIX(weights, z.n_q, z.n_k);
    NEW_MATRIX(out, z.n_q, z.d_v);
    K[0][0] = 1.0; /* the only score that is not 0 */
    scaled_dot_product_attention(z.n_q, z.n_k, z.d_k, z.d_v, Q, K, V, weights, out);
    double factor = log(weights[0][0] / weights[0][1]);
    const char *text = wrong_scale(factor);
    MISTAKE_IF(close_to(factor, 1.0),
               "Scores went into the softmax as they are, some or all. Multiply each by "
               "attention_scale(d_k) first.");
    MISTAKE_IF(fabs(factor) < 1e-12,
               "Every key has the same weight: your scale is 0. Between ints 1 / 3 is 0; "
               "attention_scale(d_k) is not.");
    MISTAKE_IF(text, "%s", text);
}

#define ZERO_GRADIENTS(n_q, n_k, d_k, d_v)                                                         \
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_K, n_k, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0)

struct factors {
    double d_Q, d_K, d_V;
};

/* What each gradient is of one without a scale. */
static struct factors measured_on_the_way_back(void) {
    const struct sizes z = apart;
    struct random r = random_seed(300);
    NEW_MATRIX_RANDOM(Q, z.n_q, z.d_k, &r);
    NEW_MATRIX_RANDOM(K, z.n_k, z.d_k, &r);
    NEW_MATRIX_RANDOM(V, z.n_k, z.d_v, &r);
    NEW_MATRIX_RANDOM(d_out, z.n_q, z.d_v, &r);
    NEW_MATRIX(weights, z.n_q, z.n_k);
    weights_by(right_scale(z.d_k), z, Q, K, weights);
    NEW_MATRIX(plain_d_Q, z.n_q, z.d_k);
    NEW_MATRIX(plain_d_K, z.n_k, z.d_k);
    NEW_MATRIX(plain_d_V, z.n_k, z.d_v);
    obvious_way_back(1.0, z, Q, K, V, weights, d_out, plain_d_Q, plain_d_K, plain_d_V);
    ZERO_GRADIENTS(z.n_q, z.n_k, z.d_k, z.d_v);
    scaled_dot_product_attention_backward(z.n_q, z.n_k, z.d_k, z.d_v, Q, K, V, weights, d_out, d_Q,
                                          d_K, d_V);
    return (struct factors){ratio(z.n_q * z.d_k, d_Q, plain_d_Q),
                            ratio(z.n_k * z.d_k, d_K, plain_d_K),
                            ratio(z.n_k * z.d_v, d_V, plain_d_V)};
}

static void mistake_if_the_way_back_is_scaled_otherwise(void) {
    const struct factors f = measured_on_the_way_back();
    const double right = right_scale(apart.d_k);
    const char *text = wrong_scale(close_to(f.d_Q, right) ? f.d_K : f.d_Q);
    if (close_to(f.d_V, 1 / sqrt(apart.d_k)))
        text = "You put the scale on d_V as well. It stands between the scores and the softmax, "
               "and the values go in after that: only d_Q and d_K pass it.";
    else if (close_to(f.d_Q, 1.0) && close_to(f.d_K, 1.0))
        text = "The scale is missing on the way back: d_Q and d_K are too large by exactly the "
               "square root of d_k. What multiplied on the way forward multiplies again.";
    else if (close_to(f.d_Q, right) && close_to(f.d_K, 1.0))
        text = "You put the scale on d_Q, but not on d_K. A score has two parents, and the scale "
               "stands between it and both.";
    else if (close_to(f.d_Q, 1.0) && close_to(f.d_K, right))
        text = "You put the scale on d_K, but not on d_Q. A score has two parents, and the scale "
               "stands between it and both.";
    else if (close_to(f.d_Q, 1.0 / apart.d_k) && close_to(f.d_K, 1.0 / apart.d_k))
        text = "The scale is in twice on the way back. d_Q and d_K each pass it once, on their way "
               "from the score. (Or is the square root missing?)";
    else if (close_to(f.d_Q, 0.0) && close_to(f.d_K, 0.0))
        text = "d_Q and d_K gained nothing. Is your scale 0? Between ints 1 / 3 is 0; "
               "attention_scale(d_k) is not.";
    MISTAKE_IF(text, "%s", text);
}

/* attention_scale */

static void the_scales_of_four_and_three_and_sixty_four_come_out(void) {
    NEW_VECTOR(scale, 3);
    const int d_k[3] = {4, 3, 64};
    for (int i = 0; i < 3; i++)
        scale[i] = attention_scale(d_k[i]);
    const double expected[3] = {0.5, 0.5774, 0.125};
    const double by_d_k[3] = {1 / 4.0, 1 / 3.0, 1 / 64.0};
    const double upside_down[3] = {2, sqrt(3), 8};
    const double unchanged[3] = {4, 3, 64};
    const double power_of_zero[3] = {1, 1, 1};
    const double int_root[3] = {1 / 2.0, 1, 1 / 8.0};
    const double int_division[3] = {0, 1, 0};
    const double zeros[3] = {0};
    const double squares[3] = {1 / 16.0, 1 / 9.0, 1 / 4096.0};
    const double always_64[3] = {0.125, 0.125, 0.125};
    MISTAKE_VECTOR(3, by_d_k,
                   "That is 1 / d_k. Scores grow only like the square root of d_k: divide by that, "
                   "or they end up too small.");
    MISTAKE_VECTOR(3, upside_down,
                   "That is the square root of d_k itself. Scores are multiplied by what you "
                   "return, to make them smaller: 1 over it.");
    MISTAKE_VECTOR(3, unchanged,
                   "That is d_k itself. Scores are multiplied by what you return, to make them "
                   "smaller.");
    MISTAKE_VECTOR(3, power_of_zero,
                   "It is 1 whatever d_k is. With pow(): between ints 1 / 2 is 0, and anything to "
                   "the power of 0 is 1.");
    MISTAKE_VECTOR(3, int_root,
                   "You made an int of the square root. The root of 3 is 1.7321, and an int drops "
                   "what is behind the point.");
    MISTAKE_VECTOR(3, int_division,
                   "You made an int of the square root, and divided by it as ints do: 1 / 2 is 0 "
                   "there. Write 1.0, and keep the root a double.");
    MISTAKE_VECTOR(3, zeros, "It is 0. Between ints 1 / 4 is 0: write 1.0, and divide doubles.");
    MISTAKE_VECTOR(3, squares,
                   "That is 1 over the square of d_k. The square root is sqrt(), and makes a "
                   "number smaller.");
    MISTAKE_VECTOR(3, always_64, "You return the scale of d_k = 64 for every d_k.");
    mistake_if_never_set(3, scale);
    MISTAKE_IF(isinf(scale[0]), "You divided by 0. Between ints 1 / 4 is 0: write 1.0, and divide "
                                "doubles.");
    EXPECT_VECTOR(3, expected, scale, FOUR_DECIMALS);
}

static void a_scale_taken_twice_divides_by_all_of_the_width(void) {
    for (int d_k = 1; d_k <= 1100; d_k += 3) {
        double scale = attention_scale(d_k), expected = 1 / sqrt(d_k);
        mistake_if_a_float(1, &expected, &scale);
        MISTAKE_IF(true, "Here d_k is %d.", d_k);
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

static void scaled_scores_vary_by_one_at_every_width(void) {
    struct random r = random_seed(311);
    for (int d_k = 4; d_k <= 1024; d_k *= 16) {
        double *scores = random_scores(&r, d_k), mean = 0.0;
        scale_into(SIDE * SIDE, attention_scale(d_k), scores, scores);
        for (int i = 0; i < SIDE * SIDE; i++)
            mean += scores[i] / (SIDE * SIDE);
        double squares = sum_of_products(SIDE * SIDE, scores, scores) / (SIDE * SIDE);
        EXPECT_THAT(fabs(squares - mean * mean - 1) <= 0.05,
                    "scaled scores of d_k = %d have a variance of %.4g; about 1 is right", d_k,
                    squares - mean * mean);
    }
}

/* scaled_dot_product_attention */

#define WORKED_ATTENTION                                                                           \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    NEW_MATRIX(out, 2, 2);                                                                         \
    scaled_dot_product_attention(2, 3, 3, 2, Q, K, V, weights, out)

/* softmax_rows() took all rows after each row of scores was scaled, or after each score. */
static void *softmaxed_in_the_loop(bool inner, const double scores[2][3]) {
    NEW_MATRIX_LIKE(looped, 2, 3, scores);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            looped[i][j] *= right_scale(3);
            if (inner || j == 2)
                softmax_rows(2, 3, looped, looped);
        }
    return looped;
}

/* The scale reached only some of the scores: those in `rows` rows of `cols`. */
static void *scaled_in_part(int rows, int cols, const double scores[2][3]) {
    NEW_MATRIX_LIKE(partly, 2, 3, scores);
    for (int i = 0; i < rows; i++)
        scale_into(cols, right_scale(3), partly[i], partly[i]);
    softmax_rows(2, 3, partly, partly);
    return partly;
}

static void *softmaxed_with_swapped_sizes(const double scaled_scores[2][3]) {
    NEW_MATRIX_LIKE(swapped, 2, 3, scaled_scores);
    softmax_rows(3, 2, (void *)swapped, (void *)swapped);
    return swapped;
}

static const char in_the_loop[] = "softmax_rows() takes all rows at once, and you called it inside "
                                  "a loop: rows went through it again. Once, behind the loops.";

static void the_worked_example_gives_these_weights(void) {
    WORKED_ATTENTION;
    const double s = 1 / sqrt(3);
    const double expected[2][3] = {{0.2645, 0.2645, 0.4711}, {0.3904, 0.3904, 0.2192}};
    const double over_queries[2][3] = {{0.5, 0.5, 0.7604}, {0.5, 0.5, 0.2396}};
    const double over_queries_unscaled[2][3] = {{0.5, 0.5, 0.8808}, {0.5, 0.5, 0.1192}};
    const double over_all[2][3] = {{0.1577, 0.1577, 0.2808}, {0.1577, 0.1577, 0.0885}};
    const double no_softmax[2][3] = {{s, s, 2 * s}, {s, s, 0}};
    const double scores[2][3] = {{1, 1, 2}, {1, 1, 0}};
    const double softmax_twice[2][3] = {{0.3096, 0.3096, 0.3807}, {0.3518, 0.3518, 0.2964}};
    const double row_0_twice[2][3] = {{0.3096, 0.3096, 0.3807}, {0.3904, 0.3904, 0.2192}};
    const double columns_of_K[2][3] = {{0.4711, 0.2645, 0.2645}, {0.2192, 0.3904, 0.3904}};
    const double narrow[2][3] = {{0.3904, 0.2192, 0.3904}, {0.3904, 0.2192, 0.3904}};
    const double unscaled[2][3] = {{0.2119, 0.2119, 0.5761}, {0.4223, 0.4223, 0.1554}};
    const double unscaled_out[2][2] = {{0.8478, 1}, {1.6893, 1}};
    NEW_MATRIX(after, 2, 3);
    NEW_MATRIX(before_and_after, 2, 3);
    scale_into(6, s, unscaled, after);
    scale_into(6, s, expected, before_and_after);
    MISTAKE_MATRIX(2, 3, after,
                   "You scaled after the softmax: the rows no longer sum to 1, and the weights are "
                   "as uneven as before. The scale is for the scores.");
    MISTAKE_MATRIX(2, 3, before_and_after,
                   "You scaled the scores, and the weights after the softmax again. Once, before "
                   "it: then the rows sum to 1.");
    MISTAKE_IF(!differs(6, unscaled, weights) && close_to(ratio(4, out, unscaled_out), s),
               "You scaled out, and left the scores as they are. The scale is to keep the softmax "
               "from settling on one key: it has to come before it.");
    MISTAKE_MATRIX(2, 3, over_queries,
                   "You took the softmax over the queries, down the columns. Each query hands out "
                   "exactly 1: take it over the keys of a row.");
    MISTAKE_MATRIX(2, 3, over_queries_unscaled,
                   "You took the softmax over the queries, down the columns, and the scale is "
                   "missing. Each query hands out exactly 1, over the keys of a row.");
    MISTAKE_MATRIX(2, 3, over_all,
                   "You took one softmax over all cells. Each query hands out its own 1: one row "
                   "at a time.");
    MISTAKE_MATRIX(2, 3, no_softmax,
                   "These are the scaled scores: the softmax is missing, or its result was not "
                   "kept.");
    MISTAKE_MATRIX(2, 3, scores, "These are the scores: the scale and the softmax are missing.");
    MISTAKE_MATRIX(2, 3, softmax_twice,
                   "You took the softmax twice. The second one flattens what the first one made. "
                   "(softmax_rows() takes all rows at once: it belongs in no loop.)");
    MISTAKE_MATRIX(2, 3, row_0_twice, "%s", in_the_loop);
    MISTAKE_MATRIX(2, 3, softmaxed_in_the_loop(false, scores), "%s", in_the_loop);
    MISTAKE_MATRIX(2, 3, softmaxed_in_the_loop(true, scores), "%s", in_the_loop);
    MISTAKE_MATRIX(2, 3, softmaxed_with_swapped_sizes(no_softmax),
                   "You handed n_k and n_q to softmax_rows() the wrong way round: there are n_q "
                   "rows of n_k weights.");
    MISTAKE_MATRIX(2, 3, columns_of_K,
                   "You met each query with the columns of K. Key j is the row K[j].");
    MISTAKE_MATRIX(2, 3, narrow,
                   "You handed d_v to dot_scores(): queries and keys are d_k wide, 3 here.");
    MISTAKE_MATRIX(2, 3, scaled_in_part(1, 3, scores),
                   "You scaled row 0 of the scores, and no other. There are n_q rows.");
    MISTAKE_MATRIX(2, 3, scaled_in_part(2, 2, scores),
                   "The scores of the last key were not scaled. There are n_k keys, 3 here, and "
                   "n_q is another number.");
    if (differs(6, expected, weights))
        mistake_if_scaled_otherwise();
    MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(2, 3, weights);
    EXPECT_MATRIX(2, 3, expected, weights, FOUR_DECIMALS);
}

static void the_worked_example_gives_this_output(void) {
    WORKED_ATTENTION;
    const double expected[2][2] = {{1.0578, 1}, {1.5617, 1}};
    const double keys[2][2] = {{0.7355, 0.5289}, {0.6096, 0.7808}};
    const double keys_end_to_end[2][2] = {{0.7355, 0.7355}, {0.6096, 0.6096}};
    const double unscaled[2][2] = {{0.8478, 1}, {1.6893, 1}};
    NEW_MATRIX(scaled, 2, 2);
    scale_into(4, 1 / sqrt(3), expected, scaled);
    for (int k = 0; k < 2; k++)
        MISTAKE_MATRIX(2, 2, k == 0 ? keys : keys_end_to_end,
                       "You blended the keys. Keys decide how much; what is fetched is in V.");
    MISTAKE_MATRIX(2, 2, scaled,
                   "You scaled out too. The scale is for the scores; out is the blend as it "
                   "comes.");
    MISTAKE_MATRIX(2, 2, unscaled,
                   "You blended with other weights than you left behind: these are those of the "
                   "unscaled scores.");
    EXPECT_MATRIX(2, 2, expected, out, FOUR_DECIMALS);
}

static void four_keys_with_wider_values_come_out_to_twelve_decimals(void) {
    FOUR_KEYS;
    NEW_MATRIX(weights, 2, 4);
    NEW_MATRIX(out, 2, 5);
    scaled_dot_product_attention(2, 4, 3, 5, Q, K, V, weights, out);
    const double expected_out[2][5] = {{0.19072059442868738, 1.7622596049093033,
                                        0.40364785481404231, 1.8309207484536811,
                                        0.45598277972401247},
                                       {1.1348225492129589, 1.4720720698240342, 0.29222643681929661,
                                        0.67368121642135204, 1.1107340710634614}};
    mistake_if_a_float(8, four_keys_weights, weights);
    if (differs(8, four_keys_weights, weights))
        mistake_if_scaled_otherwise();
    EXPECT_MATRIX(2, 4, four_keys_weights, weights, ROUNDING);
    mistake_if_a_float(10, expected_out, out);
    EXPECT_MATRIX(2, 5, expected_out, out, ROUNDING);
}

static void keys_and_values_of_one_width_are_told_apart(void) {
    const struct sizes z = {3, 4, 2, 2};
    struct random r = random_seed(301);
    NEW_MATRIX_RANDOM(Q, 3, 2, &r);
    NEW_MATRIX_RANDOM(K, 4, 2, &r);
    NEW_MATRIX_RANDOM(V, 4, 2, &r);
    NEW_MATRIX(weights, 3, 4);
    NEW_MATRIX(out, 3, 2);
    scaled_dot_product_attention(3, 4, 2, 2, Q, K, V, weights, out);
    NEW_MATRIX(expected_weights, 3, 4);
    NEW_MATRIX(expected_out, 3, 2);
    NEW_MATRIX(scored_values, 3, 4);
    NEW_MATRIX(blended_keys, 3, 2);
    weights_by(right_scale(2), z, Q, K, expected_weights);
    weights_by(right_scale(2), z, Q, V, scored_values);
    product(3, 4, 2, expected_weights, V, expected_out);
    product(3, 4, 2, expected_weights, K, blended_keys);
    MISTAKE_MATRIX(3, 4, scored_values,
                   "You scored the queries against the values. They meet the keys.");
    EXPECT_MATRIX(3, 4, expected_weights, weights, ROUNDING);
    MISTAKE_MATRIX(3, 2, blended_keys, "You blended the keys. What is fetched is in V.");
    EXPECT_MATRIX(3, 2, expected_out, out, ROUNDING);
}

static void scores_of_ten_thousand_stay_finite(void) {
    NEW_MATRIX_OF(Q, 1, 4, {20000, 2, 0, 0});
    NEW_MATRIX_OF(K, 3, 4, {1, 0, 0, 3}, {1, -1, 2, 0}, {-1, 0, 0, 0});
    NEW_MATRIX_OF(V, 3, 1, {0}, {1}, {5});
    NEW_MATRIX(weights, 1, 3);
    NEW_MATRIX(out, 1, 1);
    scaled_dot_product_attention(1, 3, 4, 1, Q, K, V, weights, out);
    const double expected[1][3] = {{0.7311, 0.2689, 0}};
    MISTAKE_IF(isnan(weights[0][0]),
               "exp(10000) is infinite, and infinite over infinite is NaN. softmax_rows() of "
               "lesson 01 takes the largest score away first: use it.");
    EXPECT_MATRIX(1, 3, expected, weights, FOUR_DECIMALS);
    EXPECT_NUMBER(0.2689, out[0][0], FOUR_DECIMALS);
}

static void a_sentence_can_attend_to_itself(void) {
    struct random r = random_seed(302);
    NEW_MATRIX_RANDOM(X, 5, 3, &r);
    NEW_MATRIX(weights, 5, 5);
    NEW_MATRIX(out, 5, 3);
    scaled_dot_product_attention(5, 5, 3, 3, X, X, X, weights, out);
    NEW_MATRIX(expected_weights, 5, 5);
    NEW_MATRIX(expected_out, 5, 3);
    weights_by(right_scale(3), (struct sizes){5, 5, 3, 3}, X, X, expected_weights);
    product(5, 5, 3, expected_weights, X, expected_out);
    MISTAKE_IF(true, "Q, K and V are one matrix here, as in self-attention.");
    EXPECT_MATRIX(5, 5, expected_weights, weights, ROUNDING);
    EXPECT_MATRIX(5, 3, expected_out, out, ROUNDING);
}

static void random_attention_agrees_with_the_obvious_way(void) {
    struct random r = random_seed(303);
    FOR_ALL_SIZES(z) {
        matrix_free_all(); /* or they would be shown as inputs of this case */
        const int n_q = z->n_q, n_k = z->n_k, d_k = z->d_k, d_v = z->d_v;
        NEW_MATRIX_RANDOM(Q, n_q, d_k, &r);
        NEW_MATRIX_RANDOM(K, n_k, d_k, &r);
        NEW_MATRIX_RANDOM(V, n_k, d_v, &r);
        NEW_MATRIX(weights, n_q, n_k);
        NEW_MATRIX(out, n_q, d_v);
        NEW_MATRIX(expected_weights, n_q, n_k);
        NEW_MATRIX(expected_out, n_q, d_v);
        scaled_dot_product_attention(n_q, n_k, d_k, d_v, Q, K, V, weights, out);
        weights_by(right_scale(d_k), *z, Q, K, expected_weights);
        product(n_q, n_k, d_v, expected_weights, V, expected_out);
        MISTAKE_IF_ROWS_DO_NOT_SUM_TO_1(n_q, n_k, weights);
        EXPECT_OBVIOUS(z, n_q, n_k, expected_weights, weights, ROUNDING);
        EXPECT_OBVIOUS(z, n_q, d_v, expected_out, out, ROUNDING);
    }
}

/* Every other key says 1, the rest -1, and so do their values: out is a hyperbolic tangent. A
   matrix of weights does not fit the stack that a lesson is given. */
static void a_long_text_is_scored_without_a_matrix_of_its_own(void) {
    enum { n_q = 3, n_k = 50000 };
    NEW_MATRIX_OF(Q, n_q, 4, {1, 5, 0, 0}, {-3, 0, 1, 0}, {0.5, 0, 0, 2});
    NEW_MATRIX_FILLED(K, n_k, 4, 0.0);
    NEW_MATRIX(V, n_k, 1);
    for (int j = 0; j < n_k; j++)
        K[j][0] = V[j][0] = j % 2 == 0 ? 1.0 : -1.0;
    NEW_MATRIX(weights, n_q, n_k);
    NEW_MATRIX(out, n_q, 1);
    scaled_dot_product_attention(n_q, n_k, 4, 1, Q, K, V, weights, out);
    const double expected[n_q][1] = {{tanh(0.5)}, {tanh(-1.5)}, {tanh(0.25)}};
    EXPECT_MATRIX(n_q, 1, expected, out, 1e-9);
}

/* scaled_dot_product_attention_backward */

/* The worked example all the way back, from d_out = {1, 0}, {0, 1}. */
#define WORKED_WAY_BACK                                                                            \
    WORKED_EXAMPLE;                                                                                \
    NEW_MATRIX(weights, 2, 3);                                                                     \
    weights_by(right_scale(3), (struct sizes){2, 3, 3, 2}, Q, K, weights);                         \
    NEW_MATRIX_OF(d_out, 2, 2, {1, 0}, {0, 1});                                                    \
    ZERO_GRADIENTS(2, 3, 3, 2);                                                                    \
    scaled_dot_product_attention_backward(2, 3, 3, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V)

/* Where a loop over the keys ends in the worked example, whether V[i] stands in it for V[j], and
   what factors are on the way. */
struct two_loops {
    int shared_end, end;
    bool shared_V_i, V_i;
    double on_d_weight, on_shared, on_d_score;
};

static void *d_Q_by(struct two_loops l, const double K[3][3], const double V[3][2],
                    const double weights[2][3], const double d_out[2][2]) {
    NEW_MATRIX_FILLED(wrong_d_Q, 2, 3, 0.0);
    for (int i = 0; i < 2; i++) {
        double shared = 0.0;
        for (int j = 0; j < l.shared_end; j++)
            shared +=
                l.on_shared * weights[i][j] * sum_of_products(2, d_out[i], V[l.shared_V_i ? i : j]);
        for (int j = 0; j < l.end; j++) {
            double d_weight = l.on_d_weight * sum_of_products(2, d_out[i], V[l.V_i ? i : j]);
            for (int c = 0; c < 3; c++)
                wrong_d_Q[i][c] += l.on_d_score * weights[i][j] * (d_weight - shared) * K[j][c];
        }
    }
    return wrong_d_Q;
}

static const char ends_early[] =
    "A loop over the keys ends before the last one. There are n_k keys, 3 here (n_q and d_v are "
    "2).";
static const char too_narrow[] =
    "The last number of each row gained nothing. Queries and keys are d_k numbers wide, 3 here "
    "(d_v and n_q are 2): where does your loop over c end?";
static const char V_of_the_query[] =
    "V[i] stands somewhere for V[j]. A weight lets the value of its key through, and the key is j.";

static const char inside_the_bracket[] =
    "The scale is inside the bracket, on d_weights or on the shared sum alone. It multiplies all "
    "of weights * (d_weights - the shared sum).";

static void the_gradient_of_the_queries_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[2][3] = {{-0.2965, 0.2877, 0.0088}, {0.2254, 0, -0.2254}};
    const double keys_as_values[2][3] = {{0.1123, -0.0719, -0.0404}, {-0.0494, 0.0988, -0.0494}};
    const double columns_of_K[2][3] = {{0.2877, 0.0088, -0.2965}, {0, -0.2254, 0.2254}};
    const double last_key[2][3] = {{-0.2877, 0, -0.2877}, {0, 0, 0}};
    const double narrow[2][3] = {{-0.2965, 0.2877, 0}, {0.2254, 0, 0}};
    const double s = right_scale(3);
#define BY(...) d_Q_by((struct two_loops){__VA_ARGS__}, K, V, weights, d_out)
    const struct known known[] = {
        {keys_as_values, "You took the keys for the values: a weight lets V[j] through, so its "
                         "gradient is d_out[i] dot V[j]."},
        {columns_of_K, "You used the columns of K. Key j is a row, and d_Q[i] gets a share of "
                       "K[j]."},
        {last_key, "Only the last key's share is left in d_Q. Every key adds its share with +=."},
        {narrow, too_narrow},
        {BY(3, 3, false, true, 1, 1, s), V_of_the_query},
        {BY(3, 3, true, false, 1, 1, s), V_of_the_query},
        {BY(2, 3, false, false, 1, 1, s), ends_early},
        {BY(3, 2, false, false, 1, 1, s), ends_early},
        {BY(2, 2, false, false, 1, 1, s), ends_early},
        {BY(3, 3, false, false, s, 1, 1), inside_the_bracket},
        {BY(3, 3, false, false, s, 1, s), inside_the_bracket},
        {BY(3, 3, false, false, 1, s, 1), inside_the_bracket},
        {BY(3, 3, false, false, 1, s, s), inside_the_bracket},
    };
    const double zeros[2][3] = {{0}};
    mistake_if_never_set(6, d_Q);
    MISTAKE_MATRIX(2, 3, zeros,
                   "Nothing was added into d_Q, or what was cancels out. Shares of Q[i] where K[j] "
                   "belongs do, as each row of d_scores sums to 0; and V[i] where V[j] belongs "
                   "makes every d_scores 0.");
    if (differs(6, expected, d_Q))
        mistake_if_the_way_back_is_scaled_otherwise();
    mistake_if_known(6, d_Q, COUNT(known), known);
    mistakes_in_the_softmax(right_scale(3), (struct sizes){2, 3, 3, 2}, K, V, weights, d_out);
    EXPECT_MATRIX(2, 3, expected, d_Q, FOUR_DECIMALS);
}

static void the_gradient_of_the_keys_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[3][3] = {
        {-0.0088, 0.2254, -0.0088}, {0.2965, -0.2254, 0.2965}, {-0.2877, 0, -0.2877}};
    const double zeros[3][3] = {{0}};
    const double no_softmax[3][3] = {{0.5774, 1.1547, 0.5774}, {1.7321, 0, 1.7321}, {0, 0.5774, 0}};
    const double no_shared[3][3] = {{0.1527, 0.4508, 0.1527}, {0.4581, 0, 0.4581}, {0, 0.1265, 0}};
    const double last_query[3][3] = {{0, 0.2254, 0}, {0, -0.2254, 0}, {0, 0, 0}};
    const double keys_for_keys[3][3] = {
        {0.2166, 0.2166, 0}, {0, 0.0711, 0.0711}, {-0.2877, 0, -0.2877}};
    const double narrow[3][3] = {{-0.0088, 0.2254, 0}, {0.2965, -0.2254, 0}, {-0.2877, 0, 0}};
    const double from_d_Q[3][3] = {
        {0.0509, 0.0509, 0}, {-0.0534, 0.0853, 0.1387}, {0.0853, -0.0828, -0.0025}};
    const double short_of_a_key[3][3] = {
        {-0.0088, 0.2254, -0.0088}, {0.2965, -0.2254, 0.2965}, {0, 0, 0}};
    mistake_if_never_set(9, d_K);
    MISTAKE_MATRIX(3, 3, zeros,
                   "d_K gained nothing, or every share went into row i, where they cancel. Every "
                   "score has two parents: its query, and its key, which is row j.");
    if (differs(9, expected, d_K))
        mistake_if_the_way_back_is_scaled_otherwise();
    MISTAKE_MATRIX(3, 3, no_softmax,
                   "You used d_weights for d_K, and d_scores for d_Q. Both came through the "
                   "softmax.");
    MISTAKE_MATRIX(3, 3, no_shared,
                   "The shared sum is missing for d_K, and is there for d_Q. Both came through the "
                   "softmax.");
    MISTAKE_MATRIX(3, 3, last_query,
                   "Only the last query's share is left in d_K. Every query adds its share with "
                   "+=.");
    MISTAKE_MATRIX(3, 3, keys_for_keys,
                   "You added shares of K[j] into d_K[j]. What a score means for its key is a "
                   "share of the query.");
    MISTAKE_MATRIX(3, 3, narrow, "%s", too_narrow);
    MISTAKE_MATRIX(3, 3, from_d_Q,
                   "You read d_Q where Q belongs: what a score means for its key is a share of the "
                   "query itself.");
    MISTAKE_MATRIX(3, 3, short_of_a_key, "%s", ends_early);
    EXPECT_MATRIX(3, 3, expected, d_K, FOUR_DECIMALS);
}

static void the_gradient_of_the_values_comes_out_to_four_decimals(void) {
    WORKED_WAY_BACK;
    const double expected[3][2] = {{0.2645, 0.3904}, {0.2645, 0.3904}, {0.4711, 0.2192}};
    const double zeros[3][2] = {{0}};
    const double last_query[3][2] = {{0, 0.3904}, {0, 0.3904}, {0, 0.2192}};
    const double from_V[3][2] = {{0.6549, 1.3097}, {1.9646, 0}, {0, 0.6903}};
    const double unweighted[3][2] = {{1, 1}, {1, 1}, {1, 1}};
    const double short_of_a_key[3][2] = {{0.2645, 0.3904}, {0.2645, 0.3904}, {0, 0}};
    const double by_d_scores[3][2] = {{-0.0153, 0.3904}, {0.5136, -0.3904}, {-0.4983, 0}};
    const double by_d_dots[3][2] = {{-0.0088, 0.2254}, {0.2965, -0.2254}, {-0.2877, 0}};
    mistake_if_never_set(6, d_V);
    MISTAKE_MATRIX(3, 2, zeros,
                   "Nothing was added into d_V. Keys and queries decide the weights, but the "
                   "output is made of values.");
    if (differs(6, expected, d_V))
        mistake_if_the_way_back_is_scaled_otherwise();
    MISTAKE_MATRIX(3, 2, last_query,
                   "Only the last query's share is left in d_V. Every query adds its share with "
                   "+=.");
    MISTAKE_MATRIX(3, 2, from_V,
                   "You built d_V from V. Its gradient comes from d_out, by weight: the values "
                   "themselves do not matter.");
    MISTAKE_MATRIX(3, 2, unweighted,
                   "You passed d_out to every value whole. A value that went in by a weight gets "
                   "the gradient by that weight.");
    for (int k = 0; k < 2; k++)
        MISTAKE_MATRIX(
            3, 2, k == 0 ? by_d_scores : by_d_dots,
            "You handed d_out to the values by d_scores. They went in by the weights, and "
            "that is how it comes back.");
    MISTAKE_MATRIX(3, 2, short_of_a_key, "%s", ends_early);
    EXPECT_MATRIX(3, 2, expected, d_V, FOUR_DECIMALS);
}

static void four_keys_get_their_gradients_to_twelve_decimals(void) {
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
    if (differs(6, expected_d_Q, d_Q) || differs(12, expected_d_K, d_K))
        mistake_if_the_way_back_is_scaled_otherwise();
    EXPECT_OBVIOUS((&(struct sizes){2, 4, 3, 5}), 2, 3, expected_d_Q, d_Q, ROUNDING);
    if (differs(12, expected_d_K, d_K))
        mistake_if_the_way_back_is_scaled_otherwise();
    EXPECT_OBVIOUS((&(struct sizes){2, 4, 3, 5}), 4, 3, expected_d_K, d_K, ROUNDING);
    EXPECT_OBVIOUS((&(struct sizes){2, 4, 3, 5}), 4, 5, expected_d_V, d_V, ROUNDING);
}

/* Everything that a random way back of the sizes z needs. */
#define RANDOM_INPUTS(z, generator)                                                                \
    NEW_MATRIX_RANDOM(Q, (z).n_q, (z).d_k, generator);                                             \
    NEW_MATRIX_RANDOM(K, (z).n_k, (z).d_k, generator);                                             \
    NEW_MATRIX_RANDOM(V, (z).n_k, (z).d_v, generator);                                             \
    NEW_MATRIX_RANDOM(d_out, (z).n_q, (z).d_v, generator);                                         \
    NEW_MATRIX(weights, (z).n_q, (z).n_k);                                                         \
    weights_by(right_scale((z).d_k), z, Q, K, weights)

/* What it has to add; each name begins with `name`. */
#define GAINED(name, z, K_read, V_read, weights_read)                                              \
    NEW_MATRIX(name##_d_Q, (z).n_q, (z).d_k);                                                      \
    NEW_MATRIX(name##_d_K, (z).n_k, (z).d_k);                                                      \
    NEW_MATRIX(name##_d_V, (z).n_k, (z).d_v);                                                      \
    obvious_way_back(right_scale((z).d_k), z, Q, K_read, V_read, weights_read, d_out, name##_d_Q,  \
                     name##_d_K, name##_d_V)

/* Of a gradient that held one number: it was scaled together with what was gained. */
static void mistake_if_held_is_scaled_too(int n, double held, const void *gained,
                                          const char *name) {
    double *wrong = fill(n, held * right_scale(3), vector_new("wrong", n));
    add_into(n, gained, wrong);
    MISTAKE_VECTOR(n, wrong,
                   "You scaled all of %s at the end, and with it what other paths had left there. "
                   "Scale what you add, before you add it.",
                   name);
}

static void all_three_gradients_are_added_to_what_is_there(void) {
    const struct sizes z = {2, 4, 3, 1};
    struct random r = random_seed(304);
    RANDOM_INPUTS(z, &r);
    GAINED(gained, z, K, V, weights);
    NEW_MATRIX_FILLED(d_Q, 2, 3, 10.0);
    NEW_MATRIX_FILLED(d_K, 4, 3, 20.0);
    NEW_MATRIX_FILLED(d_V, 4, 1, 30.0);
    scaled_dot_product_attention_backward(2, 4, 3, 1, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    mistake_if_held_is_scaled_too(6, 10.0, gained_d_Q, "d_Q");
    EXPECT_ADDED(2, 3, 10.0, gained_d_Q, d_Q);
    mistake_if_held_is_scaled_too(12, 20.0, gained_d_K, "d_K");
    EXPECT_ADDED(4, 3, 20.0, gained_d_K, d_K);
    EXPECT_ADDED(4, 1, 30.0, gained_d_V, d_V);
}

static void keys_and_values_of_one_width_get_their_own_gradients(void) {
    const struct sizes z = {3, 4, 2, 2};
    struct random r = random_seed(305);
    RANDOM_INPUTS(z, &r);
    GAINED(expected, z, K, V, weights);
    GAINED(keys_only, z, K, K, weights);
    GAINED(values_only, z, V, V, weights);
    ZERO_GRADIENTS(3, 4, 2, 2);
    scaled_dot_product_attention_backward(3, 4, 2, 2, Q, K, V, weights, d_out, d_Q, d_K, d_V);
    MISTAKE_MATRIX(3, 2, keys_only_d_Q,
                   "You took the keys for the values: a weight's gradient is d_out[i] dot V[j].");
    MISTAKE_MATRIX(3, 2, values_only_d_Q,
                   "You added shares of V[j] into d_Q[i]. The query met the key K[j].");
    EXPECT_MATRIX(3, 2, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(4, 2, expected_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(4, 2, expected_d_V, d_V, ROUNDING);
}

static void a_word_that_asks_answers_and_is_fetched_has_one_gradient(void) {
    const struct sizes z = {4, 4, 4, 4};
    struct random r = random_seed(306);
    NEW_MATRIX_RANDOM(X, 4, 4, &r);
    NEW_MATRIX_RANDOM(d_out, 4, 4, &r);
    NEW_MATRIX(weights, 4, 4);
    weights_by(right_scale(4), z, X, X, weights);
    NEW_MATRIX_RANDOM(d_X, 4, 4, &r);
    NEW_MATRIX_LIKE(expected, 4, 4, d_X);
    double(*Q)[4] = X;
    GAINED(path, z, X, X, weights);
    add_into(16, path_d_Q, expected);
    add_into(16, path_d_K, expected);
    add_into(16, path_d_V, expected);
    scaled_dot_product_attention_backward(4, 4, 4, 4, X, X, X, weights, d_out, d_X, d_X, d_X);
    MISTAKE_IF(true, "d_Q, d_K and d_V are one matrix here, as in self-attention. What you read "
                     "back from one may have been changed through another: only ever add to them.");
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

static void all_three_gradients_are_what_nudging_measures(void) {
    struct random r = random_seed(307);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d_k = z->d_k, d_v = z->d_v;
        if (n_k == 1) /* a single key has weight 1 whatever its score: nothing to measure */
            continue;
        RANDOM_INPUTS(*z, &r);
        ZERO_GRADIENTS(n_q, n_k, d_k, d_v);
        scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                              d_V);
        NEW_MATRIX(nudged_weights, n_q, n_k);
        NEW_MATRIX(nudged_out, n_q, d_v);
        struct call call = {*z, Q, K, V, nudged_weights, nudged_out, d_out};
        EXPECT_NUDGED(*z, loss_of_attention, &call, SLOPES);
    }
}

static void the_weights_are_used_as_the_forward_pass_left_them(void) {
    const struct sizes z = {2, 4, 3, 1};
    struct random r = random_seed(308);
    RANDOM_INPUTS(z, &r);
    NEW_MATRIX(unscaled, 2, 4);
    weights_by(1.0, z, Q, K, unscaled);
    NEW_MATRIX_OF(given, 2, 4, {0.1, 0.2, 0.3, 0.4}, {0.7, 0.1, 0.2, 0});
    GAINED(anew, z, K, V, weights);
    GAINED(anew_unscaled, z, K, V, unscaled);
    GAINED(expected, z, K, V, given);
    ZERO_GRADIENTS(2, 4, 3, 1);
    scaled_dot_product_attention_backward(2, 4, 3, 1, Q, K, V, given, d_out, d_Q, d_K, d_V);
    MISTAKE_MATRIX(2, 3, anew_d_Q,
                   "You worked the weights out anew from Q and K. Use the ones given: they are "
                   "what the output was really made with.");
    MISTAKE_MATRIX(2, 3, anew_unscaled_d_Q,
                   "You worked the weights out anew from Q and K, and without the scale. Use the "
                   "ones given: they are what the output was really made with.");
    EXPECT_MATRIX(2, 3, expected_d_Q, d_Q, ROUNDING);
    EXPECT_MATRIX(4, 3, expected_d_K, d_K, ROUNDING);
    EXPECT_MATRIX(4, 1, expected_d_V, d_V, ROUNDING);
}

static void random_ways_back_agree_with_the_obvious_one(void) {
    struct random r = random_seed(309);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int n_q = z->n_q, n_k = z->n_k, d_k = z->d_k, d_v = z->d_v;
        RANDOM_INPUTS(*z, &r);
        GAINED(expected, *z, K, V, weights);
        NEW_MATRIX_RANDOM(d_Q, n_q, d_k, &r);
        NEW_MATRIX_RANDOM(d_K, n_k, d_k, &r);
        NEW_MATRIX_RANDOM(d_V, n_k, d_v, &r);
        add_into(n_q * d_k, d_Q, expected_d_Q);
        add_into(n_k * d_k, d_K, expected_d_K);
        add_into(n_k * d_v, d_V, expected_d_V);
        scaled_dot_product_attention_backward(n_q, n_k, d_k, d_v, Q, K, V, weights, d_out, d_Q, d_K,
                                              d_V);
        EXPECT_OBVIOUS(z, n_q, d_k, expected_d_Q, d_Q, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_k, expected_d_K, d_K, ROUNDING);
        EXPECT_OBVIOUS(z, n_k, d_v, expected_d_V, d_V, ROUNDING);
    }
}

/* The weights are equal, and the values 1 and -1 in turn: their mean, and so the shared sum, is 0.
   d_k is 4, so the scale is a half. */
static void a_long_text_needs_no_matrix_of_its_own(void) {
    enum { n_q = 3, n_k = 50000 };
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

/* Of x[0] to x[7], with a loop that does not meet all of them. */
static double in_part(int mean_from, int mean_end, int from, int end, const double x[8]) {
    double mean = 0.0, sum = 0.0;
    for (int i = mean_from; i < mean_end; i++)
        mean += x[i] / 8;
    for (int i = from; i < end; i++)
        sum += (x[i] - mean) * (x[i] - mean) / 8;
    return sum;
}

/* The mean changes while the distances from it are taken. */
static double around_an_unfinished_mean(int n, const double x[n]) {
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < n; i++) {
        mean += x[i] / n;
        sum += (x[i] - mean) * (x[i] - mean) / n;
    }
    return sum;
}

static void the_variance_of_eight_numbers_comes_out(void) {
    NEW_VECTOR_OF(x, 8, 2, 4, 4, 4, 5, 5, 7, 9);
    report('<', "x = 2, 4, 4, 4, 5, 5, 7, 9"); /* too long to be shown by itself */
    double result = variance(8, x);
    mistake_if_never_set(1, &result);
    MISTAKE_NUMBER(32 / 7.0, "You divided by n - 1. That is for guessing at a crowd from a sample; "
                             "these numbers are all there are: divide by n.");
    MISTAKE_NUMBER(
        2, "That is the standard deviation, the square root of the variance; or the last distance "
           "alone, with = for +=; or all but the last.");
    MISTAKE_NUMBER(sqrt(32 / 7.0), "You divided by n - 1, and took the square root. The variance "
                                   "is the mean squared distance itself.");
    MISTAKE_NUMBER(29, "That is the mean of the squares. Take the mean away from each number "
                       "before you square it.");
    MISTAKE_NUMBER(32, "That is the sum of the squared distances. Divide it by n.");
    MISTAKE_NUMBER(0.5, "You divided by n twice. Once makes a mean of the sum.");
    MISTAKE_NUMBER(24, "You took the mean from the mean of the squares. Take it from each number, "
                       "before you square it.");
    MISTAKE_NUMBER(1.5, "That is the mean distance. Square each distance.");
    MISTAKE_NUMBER(5, "That is the mean: how far are the numbers from it?");
    MISTAKE_NUMBER(232, "That is the sum of the squares. Take the mean away from each number "
                        "before you square it, and divide by n.");
    MISTAKE_NUMBER(1229, "You took the sum away from each number. Divide it by n: that is the "
                         "mean.");
    MISTAKE_NUMBER(0, "0 means that all numbers are equal. Are the distances squared? Unsquared "
                      "they cancel out; and between ints 1 / n is 0.");
    for (int k = 1; k < 4; k++) {
        int of_mean = k % 2, of_sum = k / 2;
        MISTAKE_IF(close_to(result, in_part(of_mean, 8, of_sum, 8, x)),
                   "The first number is left out: a loop starts at 1, and not at 0.");
        MISTAKE_IF(close_to(result, in_part(0, 8 - of_mean, 0, 8 - of_sum, x)),
                   "The last number is left out: a loop ends before it.");
    }
    MISTAKE_NUMBER(20, "Is the mean an int? Each x[i] / n lost what is behind the point.");
    MISTAKE_NUMBER(3, "Is the sum of the squared distances an int? It drops what is behind the "
                      "point each time.");
    MISTAKE_IF(result == -25 || result == -165,
               "Brackets are missing: a - b * a - b takes b * a, and b, from a. The distance is "
               "squared whole: (a - b) * (a - b).");
    MISTAKE_NUMBER(around_an_unfinished_mean(8, x),
                   "The mean was still growing when you took distances from it. It takes all "
                   "numbers first; then go over them again.");
    EXPECT_RESULT(4.0, variance(8, x), FOUR_DECIMALS);
}

static void a_mean_between_two_whole_numbers_counts_as_it_is(void) {
    NEW_VECTOR_OF(x, 3, 1, 2, 4);
    MISTAKE_NUMBER(5 / 3.0, "Is the mean a double? An int drops what is behind the point.");
    MISTAKE_NUMBER(1.0, "Is the sum a double? An int drops what is behind the point.");
    EXPECT_RESULT(14 / 9.0, variance(3, x), ROUNDING);
}

static void a_single_number_has_no_variance(void) {
    NEW_VECTOR_OF(x, 1, -7.25);
    MISTAKE_IF(isnan(variance(1, x)), "You divided by n - 1, which is 0 here. Divide by n.");
    EXPECT_RESULT(0.0, variance(1, x), ROUNDING);
}

static void moving_all_numbers_far_away_changes_no_variance(void) {
    NEW_VECTOR_OF(x, 8, 2, 4, 4, 4, 5, 5, 7, 9);
    for (int i = 0; i < 8; i++)
        x[i] -= 1e9;
    MISTAKE_IF(true, "Every number is 1000000000 smaller than in the first test (2, 4, 4, 4, 5, 5, "
                     "7, 9), and 4 must come out again. The mean of the squares less the square of "
                     "the mean is right "
                     "on paper; two numbers near 1e18 leave no digits of it.");
    EXPECT_RESULT(4.0, variance(8, x), 1e-6);
}

static void random_variances_agree_with_all_pairs(void) {
    struct random r = random_seed(310);
    for (int n = 1; n <= 9; n++) {
        matrix_free_all();
        NEW_VECTOR_RANDOM(x, n, &r);
        double expected = 0.0, result = variance(n, x);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                expected += (x[i] - x[j]) * (x[i] - x[j]) / (2.0 * n * n);
        mistake_if_a_float(1, &expected, &result);
        MISTAKE_IF(true, "Here n is %d. Do all of the numbers get in?", n);
        EXPECT_RESULT(expected, variance(n, x), ROUNDING);
    }
}

static void scores_vary_by_their_width(void) {
    struct random r = random_seed(311);
    for (int d_k = 4; d_k <= 1024; d_k *= 16) {
        const double *scores = random_scores(&r, d_k);
        double result = variance(SIDE * SIDE, scores);
        EXPECT_THAT(fabs(result / d_k - 1) <= 0.05,
                    "scores of d_k = %d have a variance of %.4g; about d_k is right", d_k, result);
    }
}

/* mean_entropy */

static void the_worked_weights_have_this_mean_entropy(void) {
    NEW_MATRIX_OF(weights, 2, 3, {0.264458461496, 0.264458461496, 0.471083077009},
                  {0.390413945607, 0.390413945607, 0.219172108786});
    const double first = entropy(3, weights[0]), last = entropy(3, weights[1]);
    const double sum = first + last, mean = sum / 2;
    double mean_row[3], result = mean_entropy(2, 3, weights), columns = 0.0;
    for (int j = 0; j < 3; j++) {
        mean_row[j] = (weights[0][j] + weights[1][j]) / 2;
        columns += entropy(2, (const double[]){weights[0][j], weights[1][j]});
    }
    mistake_if_never_set(1, &result);
    MISTAKE_NUMBER(sum, "That is the sum over the rows, and the mean was asked for.");
    MISTAKE_NUMBER(sum / 3, "You divided by cols. There are as many entropies as rows.");
    MISTAKE_NUMBER(sum / 6, "You divided by the number of cells. There are as many entropies as "
                            "rows.");
    MISTAKE_NUMBER(entropy(3, mean_row),
                   "You took the entropy of the mean row. Two rows that each pick another key "
                   "would look undecided: first the entropy of each row, then the mean.");
    MISTAKE_NUMBER(mean / log(2), "That is in bits, with log2(). Nats are asked for: log().");
    MISTAKE_NUMBER(mean / log(10), "That is with log10(). Nats are asked for: log().");
    MISTAKE_NUMBER(-mean, "The sign. An entropy is never below 0, and entropy() has its minus "
                          "inside: add up what it gives. (By hand: one minus before the log().)");
    MISTAKE_NUMBER(first, "That is the entropy of row 0 alone. Does the loop go over all rows?");
    MISTAKE_NUMBER(first / 2, "Only row 0 is in your sum. Does the loop go over all rows?");
    MISTAKE_NUMBER(last / 2, "Only the last row is in your sum. Add up with +=.");
    const double falling[2][3] = {{1 / 3.0, 1 / 3.0, 1 / 3.0}, {0.8, 0.1, 0.1}};
    MISTAKE_IF(close_to(result, last) && close_to(mean_entropy(2, 3, falling), log(3)),
               "That is the largest of the entropies. Every row counts: add them up, and divide "
               "by their number.");
    MISTAKE_NUMBER(last, "That is the entropy of the last row alone. Add up with +=.");
    MISTAKE_NUMBER(1, "Is the sum a double? An int drops what is behind the point.");
    MISTAKE_NUMBER((entropy(2, weights[0]) + entropy(2, weights[1])) / 2,
                   "The last weight of each row is left out. A row has cols weights.");
    MISTAKE_NUMBER(mean / log(3), "You divided by log(cols), the largest entropy there can be. The "
                                  "plain mean is asked for.");
    MISTAKE_NUMBER(columns / 3, "You took the entropy down the columns. It is a row that sums to "
                                "1.");
    EXPECT_RESULT(1.0626, mean_entropy(2, 3, weights), FOUR_DECIMALS);
}

static void sure_rows_have_none_and_undecided_rows_the_most(void) {
    NEW_MATRIX_OF(weights, 3, 4, {0, 1, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0});
    MISTAKE_IF(isnan(mean_entropy(3, 4, weights)),
               "log(0) is -INFINITY, and 0 * -INFINITY is NaN. A weight of 0 adds nothing: "
               "entropy() of lesson 01 skips it.");
    MISTAKE_IF(true, "Every row picks one key: nothing is undecided, and the mean entropy is 0.");
    EXPECT_RESULT(0.0, mean_entropy(3, 4, weights), 0.0);
    fill(12, 0.25, weights);
    MISTAKE_IF(true, "Every row spreads evenly over 4 keys: its entropy is log(4).");
    EXPECT_RESULT(log(4), mean_entropy(3, 4, weights), ROUNDING);
}

static void random_rows_agree_with_the_obvious_mean(void) {
    struct random r = random_seed(312);
    FOR_ALL_SIZES(z) {
        matrix_free_all();
        const int rows = z->n_q, cols = z->n_k;
        NEW_MATRIX_RANDOM(weights, rows, cols, &r);
        softmax_rows(rows, cols, weights, weights);
        double expected = 0.0, result = mean_entropy(rows, cols, weights);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                expected -= weights[i][j] * log(weights[i][j]) / rows;
        mistake_if_a_float(1, &expected, &result);
        MISTAKE_IF(true, "Here rows is %d and cols is %d. Which loop runs to the other's size?",
                   rows, cols);
        EXPECT_RESULT(expected, mean_entropy(rows, cols, weights), ROUNDING);
    }
}

static const struct lesson_test tests[] = {
    TEST(attention_scale, the_scales_of_four_and_three_and_sixty_four_come_out),
    TEST(attention_scale, a_scale_taken_twice_divides_by_all_of_the_width),
    TEST(attention_scale, scaled_scores_vary_by_one_at_every_width),

    TEST(scaled_dot_product_attention, the_worked_example_gives_these_weights),
    TEST(scaled_dot_product_attention, the_worked_example_gives_this_output),
    TEST(scaled_dot_product_attention, four_keys_with_wider_values_come_out_to_twelve_decimals),
    TEST(scaled_dot_product_attention, keys_and_values_of_one_width_are_told_apart),
    TEST(scaled_dot_product_attention, scores_of_ten_thousand_stay_finite),
    TEST(scaled_dot_product_attention, a_sentence_can_attend_to_itself),
    TEST(scaled_dot_product_attention, random_attention_agrees_with_the_obvious_way),
    TEST(scaled_dot_product_attention, a_long_text_is_scored_without_a_matrix_of_its_own),

    TEST(scaled_dot_product_attention_backward,
         the_gradient_of_the_queries_comes_out_to_four_decimals),
    TEST(scaled_dot_product_attention_backward,
         the_gradient_of_the_keys_comes_out_to_four_decimals),
    TEST(scaled_dot_product_attention_backward,
         the_gradient_of_the_values_comes_out_to_four_decimals),
    TEST(scaled_dot_product_attention_backward, four_keys_get_their_gradients_to_twelve_decimals),
    TEST(scaled_dot_product_attention_backward, all_three_gradients_are_added_to_what_is_there),
    TEST(scaled_dot_product_attention_backward,
         keys_and_values_of_one_width_get_their_own_gradients),
    TEST(scaled_dot_product_attention_backward,
         a_word_that_asks_answers_and_is_fetched_has_one_gradient),
    TEST(scaled_dot_product_attention_backward, all_three_gradients_are_what_nudging_measures),
    TEST(scaled_dot_product_attention_backward, the_weights_are_used_as_the_forward_pass_left_them),
    TEST(scaled_dot_product_attention_backward, random_ways_back_agree_with_the_obvious_one),
    TEST(scaled_dot_product_attention_backward, a_long_text_needs_no_matrix_of_its_own),

    TEST(variance, the_variance_of_eight_numbers_comes_out),
    TEST(variance, a_mean_between_two_whole_numbers_counts_as_it_is),
    TEST(variance, a_single_number_has_no_variance),
    TEST(variance, moving_all_numbers_far_away_changes_no_variance),
    TEST(variance, random_variances_agree_with_all_pairs),
    TEST(variance, scores_vary_by_their_width),

    TEST(mean_entropy, the_worked_weights_have_this_mean_entropy),
    TEST(mean_entropy, sure_rows_have_none_and_undecided_rows_the_most),
    TEST(mean_entropy, random_rows_agree_with_the_obvious_mean),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
