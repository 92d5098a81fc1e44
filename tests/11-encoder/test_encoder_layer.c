/* Lesson 11: tests of the feed-forward layer. */
#include "blocks.h"

static void run_layer(const struct work *w) {
    const struct feed_forward_layer layer = forward_in(w, w->at);
    struct feed_forward_layer_values v = forward_values_in(w->at);
    feed_forward_layer(w->z.n, &layer, w->at[X], &v, w->at[OUT]);
}

static void run_layer_back(const struct work *w) {
    struct feed_forward_layer layer = forward_in(w, w->at), d_layer = forward_in(w, w->d);
    struct feed_forward_layer_values v = forward_values_in(w->at), d_v = forward_values_in(w->d);
    feed_forward_layer_backward(w->z.n, &layer, &v, w->d[OUT], &d_v, &d_layer, w->d[X]);
}

static void run_layer_obviously(const struct work *w) {
    obvious_layer(w, w->at[X]);
}

static void run_layer_back_obviously(const struct work *w) {
    obvious_layer_back(w, w->d[X]);
}

static const struct function layer = {
    .run = run_layer,
    .run_back = run_layer_back,
    .obvious = run_layer_obviously,
    .obvious_back = run_layer_back_obviously,
    .weights = GAIN,
    .values = NORMED,
    .back = GAIN,
};

/* feed_forward_layer */

/* The rows of lesson 10. Unit 0 receives number 2 of a row and adds to number 2 of out. Unit 1
   receives number 1 and adds to number 0. For word 1 both are off. */
static struct work worked(void) {
    struct work w = {.f = &layer, .z = {.n = 2, .d = 4, .d_ff = 2}};
    PUT(w, X, 1, 2, 4, -3, 1, 0, 0, 0);
    PUT(w, GAIN, 1, 1, 1, 1);
    PUT(w, BIAS, 0, 0, 0, 0);
    PUT(w, W_1, 0, 0, 0, 1, 1, 0, 0, 0);
    PUT(w, B_1, 0, 0);
    PUT(w, W_2, 0, 0, 1, 0, 1, 0, 0, 0);
    PUT(w, B_2, 0, 0, 0, 0);
    PUT_D_OUT(w, 0, 0, 1, 0, 0, 0, 1, 0);
    return w;
}

TEST(feed_forward_layer, the_worked_rows_are_added_to_X) {
    const struct work w = yours(worked());
    BECAUSE(
        "For word 0 the units are 1.1767 and .3922. Unit 0 adds to number 2 and unit 1 to number "
        "0. For word 1 both are off, so its row of out is X.");
    EXPECT_PUT(w, OUT, 1.3922, 2, 5.1767, -3, 1, 0, 0, 0);
    BECAUSE("out is right. scaled should be the layer norm of X, with gain and bias.");
    EXPECT_PUT(w, SCALED, 0, 0.3922, 1.1767, -1.5689, 1.7320, -0.5773, -0.5773, -0.5773);
    BECAUSE("Unit 0 receives number 2 of a scaled row, and unit 1 receives number 1.");
    EXPECT_PUT(w, HIDDEN, 1.1767, 0.3922, 0, 0);
}

/* W_2 and b_2 are 0, so the network adds nothing. */
static struct work silent_work(struct sizes z, struct random *r) {
    struct work w = random_block(&layer, z, r);
    fill(count_of(&w, W_2), 0.0, w.at[W_2]);
    fill(count_of(&w, B_2), 0.0, w.at[B_2]);
    return w;
}

TEST(feed_forward_layer, a_network_that_adds_nothing_returns_X_exactly) {
    struct random r = random_seed(1120);
    struct work given = silent_work(square, &r);
    ((double *)given.at[X])[0] = 1e100;
    const struct work w = yours(given);
    BECAUSE("W_2 and b_2 are 0, so the network gives 0 and out should be X.");
    EXPECT_PIECE(w, OUT, given.at[X], EXACTLY);
}

TEST(feed_forward_layer, the_network_receives_the_scaled_rows) {
    struct random r = random_seed(1121);
    EXPECT_FORWARD(random_block(&layer, square, &r));
    EXPECT_FORWARD(random_block(&layer, all_sizes[0], &r));
}

TEST(feed_forward_layer, the_norm_removes_a_constant_that_is_added_to_X) {
    struct random r = random_seed(1122);
    const struct work given = random_block(&layer, all_sizes[0], &r);
    struct work moved = given;
    const double *words = given.at[X];
    double *more = moved.at[X] = array_copy(UNNAMED, its(&given, X).dims, words);
    for (int i = 0; i < 12; i++)
        more[i] += 100.0;
    const struct work w = yours(given), other = yours(moved);
    add_into(12, w.at[OUT], fill(12, 100.0, more));
    BECAUSE("All numbers of X are 100 larger. The norm removes this, but the residual connection "
            "brings it to out.");
    EXPECT_PIECE(other, OUT, more, ROUNDING);
}

TEST(feed_forward_layer, each_word_is_computed_separately) {
    struct random r = random_seed(1123);
    struct work given = random_block(&layer, all_sizes[0], &r);
    const struct work before = yours(given);
    ((double(*)[4])given.at[X])[1][2] += 3.0;
    const struct work w = yours(given);
    memcpy(((double(*)[4])before.at[OUT])[1], ((double(*)[4])w.at[OUT])[1], 4 * sizeof(double));
    BECAUSE("Only word 1 has changed, so rows 0 and 2 of out should stay the same.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(feed_forward_layer, random_layers_agree_with_a_slow_reference) {
    struct random r = random_seed(1124);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(random_block(&layer, *z, &r));
}

/* The functions take_...() are given. This test finds accidental changes of them. */
TEST(feed_forward_layer, the_given_functions_leave_no_gaps) {
    NEW_VECTOR(numbers, 99);
    struct room room = {numbers, 0};
    const struct feed_forward_layer w = take_feed_forward_layer(&room, 4, 5);
    struct feed_forward_layer_values v = take_feed_forward_layer_values(&room, &w, 3);
    EXPECT_THAT(w.d_model == 4 && w.d_ff == 5,
                "take_feed_forward_layer: a size is not d_model = 4, d_ff = 5");
    const void *starts[] = {w.gain, w.bias,   w.W_1,         w.b_1,    w.W_2,
                            w.b_2,  v.normed, v.inverse_std, v.scaled, v.hidden};
    const int offsets[] = {0, 4, 8, 28, 33, 53, 57, 69, 72, 84};
    for (int i = 0; i < 10; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "member %d is at another place", i);
    EXPECT_THAT(room.used == 99, "%d numbers were taken, but it should be 99", room.used);
    NEW_MATRIX_FILLED(words, 3, 4, 3.0);
    NEW_MATRIX(out, 3, 4);
    fill(99, 0.0, numbers);
    feed_forward_layer(3, &w, words, &v, out);
    BECAUSE("Here all parameters are 0, and X is 3 everywhere.");
    EXPECT_MATRIX(3, 4, words, out, EXACTLY);
}

TEST(feed_forward_layer, inputs_and_parameters_are_not_changed) {
    struct random r = random_seed(1125);
    const struct work w = with_room(random_block(&layer, all_sizes[0], &r));
    EXPECT_KEPT(w, run_layer, LAST_GIVEN);
}

TEST(feed_forward_layer, two_layers_may_run_at_once) {
    struct random r = random_seed(1126);
    EXPECT_NO_TRACE(random_block(&layer, all_sizes[0], &r), random_block(&layer, all_sizes[1], &r));
}

/* feed_forward_layer_backward */

TEST(feed_forward_layer_backward, the_worked_gradients_come_back_on_two_paths) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    BECAUSE("d_out is 1 at number 2 of both words. For word 1 both units are off.");
    EXPECT_PUT_D(w, HIDDEN, 1, 0, 0, 0);
    BECAUSE("d_hidden is right. It is 1 for unit 0 of word 0, which receives number 2.");
    EXPECT_PUT_D(w, SCALED, 0, 0, 1, 0, 0, 0, 0, 0);
    BECAUSE("d_scaled is right. Through the norm it gives -.0981, -.1433, .1584, .0830 for word 0, "
            "and the residual connection adds d_out.");
    EXPECT_PUT_D(w, X, -0.0981, -0.1433, 1.1584, 0.0830, 0, 0, 1, 0);
}

TEST(feed_forward_layer_backward, the_residual_connection_brings_d_out_back_exactly) {
    struct random r = random_seed(1130);
    const struct work given = silent_work(square, &r);
    const struct work w = yours_back(obvious(given), 0.0, 0.0);
    BECAUSE("W_2 is 0, so no gradient comes back through the network, and d_X should be d_out.");
    EXPECT_D(w, X, given.d[OUT], EXACTLY);
}

TEST(feed_forward_layer_backward, all_gradients_are_added) {
    struct random r = random_seed(1131);
    EXPECT_BACK(obvious(random_block(&layer, square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_block(&layer, all_sizes[0], &r)), 10.0, 0.0);
}

TEST(feed_forward_layer_backward, gradients_already_in_d_v_are_used) {
    struct random r = random_seed(1132);
    EXPECT_BACK(obvious(random_block(&layer, all_sizes[0], &r)), 0.0, 0.5);
}

/* With rows of one or two numbers, almost no gradient comes back through the norm. */
TEST(feed_forward_layer_backward, all_gradients_agree_with_a_gradient_check) {
    struct random r = random_seed(1133);
    FOR_ALL_SIZES(z)
    if (z->d > 2)
        EXPECT_SLOPES(smooth_work(&layer, *z, &r), run_layer);
}

TEST(feed_forward_layer_backward, random_gradients_agree_with_a_slow_reference) {
    struct random r = random_seed(1134);
    FOR_ALL_SIZES(z)
    EXPECT_BACK(obvious(random_block(&layer, *z, &r)), 1.0, 0.0);
}

TEST(feed_forward_layer_backward, values_of_the_forward_pass_are_not_changed) {
    struct random r = random_seed(1135);
    const struct work w = obvious(random_block(&layer, all_sizes[0], &r)),
                      back = with_gradients(w, 0.0, 0.0);
    EXPECT_KEPT(back, run_layer_back, OUT);
}

TEST(feed_forward_layer_backward, two_backward_passes_may_run_at_once) {
    struct random r = random_seed(1136);
    EXPECT_NO_TRACE_BACK(random_block(&layer, all_sizes[0], &r),
                         random_block(&layer, all_sizes[1], &r));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(feed_forward_layer, &layer, 2, 3, 4, 0, 0, 0)
LAWS_BACKWARD(feed_forward_layer_backward, &layer, false, 2, 3, 4, 0, 0, 0)
