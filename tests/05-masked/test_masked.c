/* Lesson 05: masks and dropout. The other files of this folder test the rest of masked.h. */
#include "masks.h"

void random_mask(struct random *r, int n_q, int n_k, bool blocked[n_q][n_k]) {
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = i == 1 || random_uniform(r) < 0.4;
    blocked[0][0] = blocked[0][n_k - 1] = false;
}

void long_text(bool blocked[long_n_q][long_n_k], double weights[long_n_q][long_n_k]) {
    for (int i = 0; i < long_n_q; i++)
        for (int j = 0; j < long_n_k; j++) {
            blocked[i][j] = j % 3 == 0;
            weights[i][j] = blocked[i][j] ? 0.0 : 1.5 / long_n_k;
        }
}

void obvious_softmax(int rows, int cols, const double scores[rows][cols],
                     const bool blocked[rows][cols], double weights[rows][cols]) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            double sum = 0.0;
            for (int k = 0; k < cols; k++)
                if (!blocked[i][k])
                    sum += exp(scores[i][k] - scores[i][j]);
            weights[i][j] = blocked[i][j] ? 0.0 : 1.0 / sum;
        }
}

/* The worked masks: what `call` writes into a `blocked` of three tokens. */
#define WORKED_MASK(of, test, call, ...)                                                           \
    TEST(of, test) {                                                                               \
        NEW_MASK(blocked, 3, 3);                                                                   \
        call;                                                                                      \
        EXPECT_MASK(3, 3, ((const bool[3][3]){__VA_ARGS__}), blocked);                             \
    }

/* causal_mask */

WORKED_MASK(causal_mask, three_words_may_look_back_and_at_themselves, causal_mask(3, blocked),
            {0, 1, 1}, {0, 0, 1}, {0, 0, 0})

TEST(causal_mask, each_word_sees_one_word_more_than_the_one_before) {
    for (int n = 1; n <= 9; n++) {
        NEW_MASK(blocked, n, n);
        NEW_MASK_FILLED(expected, n, n, true);
        for (int i = 0; i < n; i++)
            memset(expected[i], false, (size_t)i + 1);
        causal_mask(n, blocked);
        BECAUSE("There are %d tokens here.", n);
        EXPECT_MASK(n, n, expected, blocked);
    }
}

/* padding_mask */

WORKED_MASK(padding_mask, two_words_are_seen_and_the_third_is_padding,
            padding_mask(3, 3, 2, blocked), {0, 0, 1}, {0, 0, 1}, {0, 0, 1})

TEST(padding_mask, padding_is_counted_in_keys_and_not_in_queries) {
    FOR_ALL_SIZES(z) for (int length = 0; length <= z->n_k; length++) {
        NEW_MASK(blocked, z->n_q, z->n_k);
        NEW_MASK_FILLED(expected, z->n_q, z->n_k, true);
        for (int i = 0; i < z->n_q; i++)
            memset(expected[i], false, (size_t)length);
        padding_mask(z->n_q, z->n_k, length, blocked);
        BECAUSE("Here n_q is %d, n_k is %d and length is %d. The mask has n_q rows and "
                "n_k columns, and only the column matters.",
                z->n_q, z->n_k, length);
        EXPECT_MASK(z->n_q, z->n_k, expected, blocked);
    }
}

/* block_either */

#define WORKED_EITHER                                                                              \
    NEW_MASK_OF(a, 3, 3, {0, 1, 1}, {0, 0, 1}, {0, 0, 0});                                         \
    NEW_MASK_OF(b, 3, 3, {0, 0, 1}, {0, 0, 1}, {0, 0, 1});                                         \
    block_either(3, 3, a, b, blocked)

WORKED_MASK(block_either, a_causal_text_with_padding_blocks_what_either_blocks, WORKED_EITHER,
            {0, 1, 1}, {0, 0, 1}, {0, 0, 1})

TEST(block_either, the_result_may_replace_either_mask) {
    NEW_MASK_OF(first, 2, 3, {1, 0, 1}, {0, 0, 1});
    NEW_MASK_OF(second, 2, 3, {0, 0, 1}, {1, 0, 1});
    NEW_MASK_OF(a, 2, 3, {1, 0, 1}, {0, 0, 1});
    NEW_MASK_OF(b, 2, 3, {0, 0, 1}, {1, 0, 1});
    block_either(2, 3, a, second, a);
    block_either(2, 3, first, b, b);
    const bool expected[2][3] = {{1, 0, 1}, {1, 0, 1}};
    BECAUSE("blocked and a are the same array here.");
    EXPECT_MASK(2, 3, expected, a);
    BECAUSE("blocked and b are the same array here.");
    EXPECT_MASK(2, 3, expected, b);
}

TEST(block_either, masks_of_any_size_are_joined_cell_by_cell) {
    struct random r = random_seed(501);
    FOR_ALL_SIZES(z) {
        NEW_MASK(a, z->n_q, z->n_k);
        NEW_MASK(b, z->n_q, z->n_k);
        NEW_MASK(blocked, z->n_q, z->n_k);
        NEW_MASK_FILLED(expected, z->n_q, z->n_k, false);
        for (int i = 0; i < z->n_q; i++)
            for (int j = 0; j < z->n_k; j++) {
                int kind = random_below(&r, 4);
                a[i][j] = kind % 2 == 1;
                b[i][j] = kind >= 2;
                expected[i][j] = kind > 0;
            }
        block_either(z->n_q, z->n_k, a, b, blocked);
        BECAUSE("Here n_q is %d and n_k is %d.", z->n_q, z->n_k);
        EXPECT_MASK(z->n_q, z->n_k, expected, blocked);
    }
}

/* dropout */

#define SOMETHING_ELSE "The same call gave something else the second time."

TEST(dropout, one_number_of_the_worked_four_is_dropped) {
    NEW_VECTOR_OF(in, 4, 1, 2, 3, 4);
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    NEW_VECTOR_OF(rate, 1, 0.2);
    NEW_VECTOR(out, 4);
    dropout(4, *rate, uniform, in, out);
    NEW_VECTOR(again, 4);
    dropout(4, 0.2, uniform, in, again);
    BECAUSE_IF(memcmp(out, again, 4 * sizeof *out) != 0, SOMETHING_ELSE);
    EXPECT_VECTOR(4, OF(1.25, 0, 3.75, 5), out, ROUNDING);
}

static const double rates[] = {0.75, 0.4, 0.3, 0.5, 0.9, 0};

static double *random_uniforms(struct random *r, int n) {
    NEW_VECTOR(uniform, n);
    random_fill_uniform(r, n, uniform);
    return uniform;
}

/* The same as a factor for each number, which the gradient has as well. */
static void obvious_dropout(int n, double rate, const double uniform[n], const double in[n],
                            double out[n]) {
    for (int i = 0; i < n; i++) {
        bool kept = uniform[i] > rate || uniform[i] == rate;
        out[i] = kept ? in[i] * (1.0 / (1.0 - rate)) : 0.0;
    }
}

static void expect_right_dropout(int n, double rate, const double uniform[n], const double in[n],
                                 double tolerance) {
    NEW_VECTOR(out, n);
    dropout(n, rate, uniform, in, out);
    NEW_VECTOR(expected, n);
    obvious_dropout(n, rate, uniform, in, expected);
    EXPECT_VECTOR(n, expected, out, tolerance);
}

TEST(dropout, a_number_drawn_exactly_at_the_rate_is_kept) {
    for (int k = 0; k < 12; k++) { /* first by a hair that can be seen when it is printed */
        NEW_VECTOR_OF(rate, 1, rates[k % 6]);
        const double hair = k < 6 ? 1e-6 : 0.0, low = nextafter(*rate - hair, -1.0);
        NEW_VECTOR_OF(in, 3, 1, -1, 1);
        NEW_VECTOR_OF(uniform, 3, *rate, nextafter(*rate + hair, 1.0), fmax(low, 0.0));
        BECAUSE("The random numbers are the rate, slightly more and slightly less (0 at a rate of "
                "0). Only a number below the rate is dropped.");
        expect_right_dropout(3, *rate, uniform, in, ROUNDING);
        matrix_free_all(); /* these are no inputs of the next */
    }
}

TEST(dropout, a_rate_of_zero_changes_no_bit) {
    NEW_VECTOR_OF(in, 5, 1.0 / 3, -1e300, 5e-324, 0.1, -7);
    NEW_VECTOR_OF(uniform, 5, 0, 0.5, 0.25, 0, 0.999);
    BECAUSE("A rate of 0 drops nothing, and the factor is 1.");
    expect_right_dropout(5, 0.0, uniform, in, EXACTLY);
}

TEST(dropout, a_rate_of_one_drops_everything) {
    NEW_VECTOR_OF(in, 3, 1, -2, 3);
    NEW_VECTOR_OF(uniform, 3, 0, 0.5, 0.999);
    expect_right_dropout(3, 1.0, uniform, in, EXACTLY);
}

TEST(dropout, the_mean_over_many_draws_is_the_input) {
    enum { n = 100000 };
    struct random r = random_seed(521);
    const double *uniform = random_uniforms(&r, n);
    NEW_VECTOR_FILLED(in, n, 1.0);
    NEW_VECTOR(out, n);
    for (int k = 1; k < 4; k++) {
        dropout(n, rates[k], uniform, in, out);
        double mean = sum_of_products(n, in, out) / n;
        BECAUSE("The mean over many draws is in. The rate is %g here.", rates[k]);
        EXPECT_NUMBER(1.0, mean, 0.01);
    }
}

TEST(dropout, the_result_may_replace_the_input) {
    NEW_VECTOR_OF(x, 4, 1, 2, 3, 4);
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    dropout(4, 0.2, uniform, x, x);
    BECAUSE("out and in are the same array here.");
    EXPECT_VECTOR(4, OF(1.25, 0, 3.75, 5), x, ROUNDING);
}

TEST(dropout, random_numbers_are_dropped_at_any_rate) {
    struct random r = random_seed(522);
    FOR_ALL_INDICES(k, rates) {
        const int n = 7 - k;
        NEW_VECTOR_RANDOM(in, n, &r);
        BECAUSE("Here n is %d and the rate is %g.", n, rates[k]);
        expect_right_dropout(n, rates[k], random_uniforms(&r, n), in, ROUNDING);
    }
}

/* dropout_backward */

TEST(dropout_backward, the_worked_four_have_this_gradient) {
    NEW_VECTOR_OF(uniform, 4, 0.5, 0.1, 0.9, 0.2);
    NEW_VECTOR_OF(d_out, 4, 4, 3, 2, 1);
    NEW_VECTOR_OF(rate, 1, 0.2);
    NEW_VECTOR_FILLED(d_in, 4, 0.0);
    dropout_backward(4, *rate, uniform, d_out, d_in);
    NEW_VECTOR_FILLED(again, 4, 0.0);
    dropout_backward(4, 0.2, uniform, d_out, again);
    BECAUSE_IF(memcmp(d_in, again, 4 * sizeof *d_in) != 0, SOMETHING_ELSE);
    EXPECT_VECTOR(4, OF(5, 0, 2.5, 1.25), d_in, ROUNDING);
}

struct drop {
    const double *uniform, *upstream;
    double *in, *out;
};

static double loss_of_dropout(void *context) {
    struct drop *c = context;
    dropout(7, 0.3, c->uniform, c->in, c->out);
    return sum_of_products(7, c->out, c->upstream);
}

TEST(dropout_backward, the_gradient_of_dropout_is_what_nudging_measures) {
    struct random r = random_seed(524);
    NEW_VECTOR_RANDOM(in, 7, &r);
    NEW_VECTOR_RANDOM(d_out, 7, &r);
    NEW_VECTOR_OF(uniform, 7, 0.1, 0.7, 0.3, 0.2, 0.9, 0.29, 0.5);
    NEW_VECTOR_FILLED(d_in, 7, 0.0);
    NEW_VECTOR(nudged_out, 7);
    struct drop drop = {uniform, d_out, in, nudged_out};
    dropout_backward(7, 0.3, uniform, d_out, d_in);
    EXPECT_NUDGED(loss_of_dropout, &drop, 0, 7, in, d_in);
}

TEST(dropout_backward, a_rate_of_one_passes_no_gradient) {
    NEW_VECTOR_OF(uniform, 3, 0, 0.5, 0.999);
    NEW_VECTOR_OF(d_out, 3, 1, -2, 3);
    NEW_VECTOR_FILLED(d_in, 3, 0.0);
    dropout_backward(3, 1.0, uniform, d_out, d_in);
    EXPECT_VECTOR(3, OF(0, 0, 0), d_in, EXACTLY);
}

TEST(dropout_backward, random_gradients_are_added_to_what_is_there) {
    struct random r = random_seed(525);
    FOR_ALL_INDICES(k, rates) {
        NEW_VECTOR_RANDOM(d_out, 9, &r);
        double *uniform = random_uniforms(&r, 9);
        uniform[0] = rates[k];
        d_out[0] = 1.0;
        NEW_VECTOR_FILLED(d_in, 9, 10.0);
        NEW_VECTOR(gained, 9);
        obvious_dropout(9, rates[k], uniform, d_out, gained);
        dropout_backward(9, rates[k], uniform, d_out, d_in);
        EXPECT_ADDED(0, 9, 10.0, gained, d_in);
    }
}
