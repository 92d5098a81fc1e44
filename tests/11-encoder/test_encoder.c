/* Lesson 11: tests of the feed-forward network. The tests of the layer and of the block are in
   other files of this folder. */
#include "blocks.h"

static void run_network(const struct work *w) {
    void *const *at = w->at;
    feed_forward(w->z.n, w->z.d, w->z.d_ff, at[X], at[W_1], at[B_1], at[W_2], at[B_2], at[HIDDEN],
                 at[OUT]);
}

static void run_network_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    feed_forward_backward(w->z.n, w->z.d, w->z.d_ff, at[X], at[W_1], at[W_2], at[HIDDEN], d[OUT],
                          d[HIDDEN], d[W_1], d[B_1], d[W_2], d[B_2], d[X]);
}

static void run_network_obviously(const struct work *w) {
    obvious_network(w, w->at[X]);
}

static void run_network_back_obviously(const struct work *w) {
    obvious_network_back(w, w->at[X], w->d[X]);
}

static const struct function network = {
    .run = run_network,
    .run_back = run_network_back,
    .obvious = run_network_obviously,
    .obvious_back = run_network_back_obviously,
    .weights = W_1,
    .values = HIDDEN,
};

/* feed_forward */

/* The sums are 1, -1 and 1.5, so unit 1 is off, and the 5s in its row of W_2 have no influence. */
static struct work worked(void) {
    struct work w = {.f = &network, .z = {.n = 1, .d = 2, .d_ff = 3}};
    PUT(w, X, 1, -1);
    PUT(w, W_1, 1, 0, 2, 0, 1, 1);
    PUT(w, B_1, 0, 0, 0.5);
    PUT(w, W_2, 1, 0, 5, 5, 0, 2);
    PUT(w, B_2, 0.5, 0.5);
    PUT_D_OUT(w, 1, 1);
    return w;
}

TEST(feed_forward, one_of_the_worked_units_is_off) {
    const struct work w = yours(worked());
    BECAUSE("With b_1 the sums are 1, -1 and 1.5, so unit 1 should be off.");
    EXPECT_PUT(w, HIDDEN, 1, 0, 1.5);
    BECAUSE("hidden is right, namely 1, 0 and 1.5.");
    EXPECT_PUT(w, OUT, 1.5, 3.5);
}

TEST(feed_forward, a_bias_can_switch_a_unit_on) {
    struct work w = worked();
    PUT(w, B_1, 0, 2, 0.5);
    w = yours(w);
    BECAUSE(
        "Here X W_1 is 1, -1 and 1, and b_1 is 0, 2 and 0.5. The units are max(0, X W_1 + b_1).");
    EXPECT_PUT(w, HIDDEN, 1, 1, 1.5);
    EXPECT_PUT(w, OUT, 6.5, 8.5);
}

TEST(feed_forward, out_may_be_negative) {
    struct work w = worked();
    PUT(w, W_2, -1, 0, 5, 5, 0, -2);
    w = yours(w);
    BECAUSE("hidden is 1, 0 and 1.5. Apply ReLU to hidden only, because out may be negative.");
    EXPECT_PUT(w, OUT, -0.5, -2.5);
}

TEST(feed_forward, every_word_has_the_same_network) {
    struct random r = random_seed(1101);
    EXPECT_FORWARD(random_work(&network, square, &r));
    EXPECT_FORWARD(random_work(&network, all_sizes[0], &r));
}

TEST(feed_forward, each_word_is_computed_separately) {
    struct random r = random_seed(1102);
    struct work given = random_work(&network, all_sizes[0], &r);
    const struct work before = yours(given);
    fill(4, 1e3, ((double(*)[4])given.at[X])[1]);
    const struct work w = yours(given);
    memcpy(((double(*)[5])before.at[HIDDEN])[1], ((double(*)[5])w.at[HIDDEN])[1],
           5 * sizeof(double));
    memcpy(((double(*)[4])before.at[OUT])[1], ((double(*)[4])w.at[OUT])[1], 4 * sizeof(double));
    BECAUSE(
        "Only word 1 has changed. Rows 0 and 2 of hidden and out should depend on their own word "
        "only.");
    EXPECT_PIECE(w, HIDDEN, before.at[HIDDEN], EXACTLY);
    BECAUSE(
        "Only word 1 has changed. Rows 0 and 2 of hidden and out should depend on their own word "
        "only.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(feed_forward, a_unit_that_is_off_adds_nothing) {
    struct random r = random_seed(1103);
    struct work given = random_work(&network, all_sizes[0], &r);
    ((double *)given.at[B_1])[2] = -1e3;
    fill(4, 0.0, ((double(*)[4])given.at[W_2])[2]);
    const struct work before = obvious(given);
    fill(4, 1e9, ((double(*)[4])given.at[W_2])[2]);
    const struct work w = yours(given);
    BECAUSE("b_1[2] is -1000, so unit 2 is off for every word, and the 1e9 in row 2 of W_2 should "
            "have no influence on out.");
    EXPECT_PIECE(w, OUT, before.at[OUT], ROUNDING);
}

TEST(feed_forward, enormous_sums_are_kept_or_become_0) {
    struct work w = worked();
    PUT(w, X, 1e300, -1e300);
    w = yours(w);
    scale_into(3, 1e-300, w.at[HIDDEN], w.at[HIDDEN]);
    scale_into(2, 1e-300, w.at[OUT], w.at[OUT]);
    BECAUSE("Here X is 1e300 and -1e300. hidden and out are shown divided by 1e300.");
    EXPECT_PUT(w, HIDDEN, 1, 0, 1);
    EXPECT_PUT(w, OUT, 1, 2);
}

TEST(feed_forward, random_words_agree_with_a_slow_reference) {
    struct random r = random_seed(1104);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(random_work(&network, *z, &r));
}

TEST(feed_forward, two_threads_may_run_at_once) {
    struct random r = random_seed(1105);
    EXPECT_NO_TRACE(random_work(&network, all_sizes[0], &r),
                    random_work(&network, all_sizes[1], &r));
}

/* feed_forward_backward */

TEST(feed_forward_backward, the_worked_gradients_go_through_two_units) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    BECAUSE(
        "Unit 1 is off, so the gradient of its sum should be 0, whatever comes back through the 5s "
        "in W_2.");
    EXPECT_PUT_D(w, HIDDEN, 1, 0, 2);
    BECAUSE("d_hidden is right, namely 1, 0 and 2.");
    EXPECT_PUT_D(w, X, 5, 2);
    BECAUSE("d_hidden is right, namely 1, 0 and 2, and X is 1, -1.");
    EXPECT_PUT_D(w, W_1, 1, 0, 2, -1, 0, -2);
    BECAUSE("d_hidden is right, namely 1, 0 and 2.");
    EXPECT_PUT_D(w, B_1, 1, 0, 2);
    BECAUSE("hidden is 1, 0 and 1.5, and d_out is 1, 1.");
    EXPECT_PUT_D(w, W_2, 1, 1, 0, 0, 1.5, 1.5);
    EXPECT_PUT_D(w, B_2, 1, 1);
}

TEST(feed_forward_backward, the_biases_get_a_gradient_from_every_word) {
    struct work w = worked();
    w.z.n = 3;
    PUT(w, X, 1, -1, 2, 0, 0, -3);
    PUT_D_OUT(w, 1, 1, 10, 10, 100, 100);
    w = yours_back(obvious(w), 0.0, 0.0);
    BECAUSE("hidden is 1, 0, 1.5 for word 0, then 2, 0, 4.5 and 0, 0, 0. The rows of d_out contain "
            "1s, 10s and 100s.");
    EXPECT_PUT_D(w, B_2, 111, 111);
    BECAUSE("hidden is 1, 0, 1.5 for word 0, then 2, 0, 4.5 and 0, 0, 0. The rows of d_out contain "
            "1s, 10s and 100s.");
    EXPECT_PUT_D(w, B_1, 11, 0, 22);
}

TEST(feed_forward_backward, a_unit_is_on_where_hidden_is_above_0) {
    struct work w = obvious(worked());
    PUT(w, HIDDEN, 1e-300, 0, 1e300);
    PUT_D_OUT(w, -1, -1);
    w = yours_back(w, 0.0, 0.0);
    BECAUSE(
        "hidden is 1e-300, 0 and 1e300, so two units are on. Their values are very small and very "
        "large, and their gradients are negative.");
    EXPECT_PUT_D(w, HIDDEN, -1, 0, -2);
    EXPECT_PUT_D(w, B_1, -1, 0, -2);
}

TEST(feed_forward_backward, a_sum_of_exactly_0_gets_no_gradient) {
    struct work w = worked();
    PUT(w, B_1, -1, 1, 0.5);
    w = yours_back(obvious(w), 0.0, 0.0);
    BECAUSE("The sums are 0, 0 and 1.5. Where hidden is 0, the gradient should be 0.");
    EXPECT_PUT_D(w, HIDDEN, 0, 0, 2);
}

TEST(feed_forward_backward, all_gradients_are_added) {
    struct random r = random_seed(1108);
    EXPECT_BACK(obvious(random_work(&network, square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_work(&network, all_sizes[0], &r)), 10.0, 0.0);
}

TEST(feed_forward_backward, a_dead_unit_gets_no_gradient) {
    struct random r = random_seed(1106);
    struct work given = random_work(&network, all_sizes[0], &r);
    ((double *)given.at[B_1])[2] = -1e3;
    const struct work w = yours_back(obvious(given), 7.0, 0.0);
    const double(*d_W_1)[5] = w.d[W_1], (*d_W_2)[4] = w.d[W_2], *d_b_1 = w.d[B_1];
    EXPECT_THAT(d_b_1[2] == 7, "d_b_1[2] was 7 and became %g, although unit 2 is off for all words",
                d_b_1[2]);
    for (int c = 0; c < 4; c++) {
        EXPECT_THAT(d_W_1[c][2] == 7,
                    "d_W_1[%d][2] was 7 and became %g, although unit 2 is off for all words", c,
                    d_W_1[c][2]);
        EXPECT_THAT(d_W_2[2][c] == 7,
                    "d_W_2[2][%d] was 7 and became %g, although unit 2 is off for all words", c,
                    d_W_2[2][c]);
    }
}

TEST(feed_forward_backward, a_gradient_reaches_no_other_word) {
    struct random r = random_seed(1107);
    struct work given = obvious(random_work(&network, all_sizes[0], &r));
    fill(12, 0.0, given.d[OUT]);
    fill(4, 1.0, ((double(*)[4])given.d[OUT])[1]);
    const struct work w = yours_back(given, 7.0, 0.0), right = obvious_back(given, 0.0);
    NEW_MATRIX_FILLED(expected, 3, 4, 7.0);
    add_into(4, ((double(*)[4])right.d[X])[1], expected[1]);
    BECAUSE(
        "d_out is 0 except in row 1, so only row 1 of d_X should change. All its numbers were 7.");
    EXPECT_D(w, X, expected, ROUNDING);
}

TEST(feed_forward_backward, the_backward_pass_uses_the_given_hidden) {
    struct random r = random_seed(1109);
    struct work w = obvious(random_work(&network, all_sizes[0], &r));
    w.at[HIDDEN] = obvious(random_work(&network, all_sizes[0], &r)).at[HIDDEN];
    EXPECT_BACK(w, 0.0, 0.0);
}

TEST(feed_forward_backward, all_gradients_agree_with_a_gradient_check) {
    struct random r = random_seed(1110);
    FOR_ALL_SIZES(z)
    EXPECT_SLOPES(smooth_work(&network, *z, &r), run_network);
}

TEST(feed_forward_backward, random_gradients_agree_with_a_slow_reference) {
    struct random r = random_seed(1111);
    FOR_ALL_SIZES(z)
    EXPECT_BACK(obvious(random_work(&network, *z, &r)), 1.0, 0.0);
}

TEST(feed_forward_backward, two_backward_passes_may_run_at_once) {
    struct random r = random_seed(1112);
    EXPECT_NO_TRACE_BACK(random_work(&network, all_sizes[0], &r),
                         random_work(&network, all_sizes[1], &r));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(feed_forward, &network, 2, 3, 4, 0, 0, 0)
LAWS_BACKWARD(feed_forward_backward, &network, false, 2, 3, 4, 0, 0, 0)
