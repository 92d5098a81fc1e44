/* Lesson 11: what encoder.h promises of the network behind its norm. */
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

/* Lesson 10's rows. Unit 0 looks at number 2 and writes into it; unit 1 looks at number 1 and
   writes into number 0; and for word 1 both are off. */
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

TEST(feed_forward_layer, the_worked_words_add_what_they_think) {
    const struct work w = yours(worked());
    BECAUSE("The units look at the scaled rows and give 1.1767, .3922 for word 0. Unit 0 writes "
            "into number 2 and unit 1 into number 0, and X is added; both are off for word 1, "
            "which stays as it is.");
    EXPECT_PUT(w, OUT, 1.3922, 2, 5.1767, -3, 1, 0, 0, 0);
    BECAUSE("out is right here. scaled is the norm of X, with gain and bias.");
    EXPECT_PUT(w, SCALED, 0, 0.3922, 1.1767, -1.5689, 1.7320, -0.5773, -0.5773, -0.5773);
    BECAUSE("Unit 0 looks at number 2 of a scaled row, unit 1 at number 1.");
    EXPECT_PUT(w, HIDDEN, 1.1767, 0.3922, 0, 0);
}

/* W_2 and b_2 are 0, and nothing comes of the network. */
static struct work silent_work(struct sizes z, struct random *r) {
    struct work w = random_block(&layer, z, r);
    fill(count_of(&w, W_2), 0.0, w.at[W_2]);
    fill(count_of(&w, B_2), 0.0, w.at[B_2]);
    return w;
}

TEST(feed_forward_layer, a_network_that_says_nothing_returns_X_bit_for_bit) {
    struct random r = random_seed(1120);
    struct work given = silent_work(square, &r);
    ((double *)given.at[X])[0] = 1e100;
    const struct work w = yours(given);
    BECAUSE("W_2 and b_2 are 0, so the network gives 0: what is left is the way past it.");
    EXPECT_PIECE(w, OUT, given.at[X], EXACTLY);
}

TEST(feed_forward_layer, the_network_looks_at_the_scaled_rows) {
    struct random r = random_seed(1121);
    EXPECT_FORWARD(random_block(&layer, square, &r));
    EXPECT_FORWARD(random_block(&layer, all_sizes[0], &r));
}

TEST(feed_forward_layer, what_is_added_to_all_of_a_word_is_not_thought_about) {
    struct random r = random_seed(1122);
    const struct work given = random_block(&layer, all_sizes[0], &r);
    struct work moved = given;
    const double *words = given.at[X];
    double *more = moved.at[X] = array_copy(UNNAMED, its(&given, X).dims, words);
    for (int i = 0; i < 12; i++)
        more[i] += 100.0;
    const struct work w = yours(given), other = yours(moved);
    add_into(12, w.at[OUT], fill(12, 100.0, more));
    BECAUSE("Each number of X became 100 more: the norm takes that away, and the way past the "
            "network brings it to out.");
    EXPECT_PIECE(other, OUT, more, ROUNDING);
}

TEST(feed_forward_layer, one_words_change_changes_no_bit_of_another) {
    struct random r = random_seed(1123);
    struct work given = random_block(&layer, all_sizes[0], &r);
    const struct work before = yours(given);
    ((double(*)[4])given.at[X])[1][2] += 3.0;
    const struct work w = yours(given);
    memcpy(((double(*)[4])before.at[OUT])[1], ((double(*)[4])w.at[OUT])[1], 4 * sizeof(double));
    BECAUSE("Only word 1 changed: each row of out is made of its own word.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(feed_forward_layer, random_layers_agree_with_the_obvious_way) {
    struct random r = random_seed(1124);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(random_block(&layer, *z, &r));
}

/* The take_...() are given; who changed them by accident reads it here. */
TEST(feed_forward_layer, what_is_given_takes_a_layer_without_gaps) {
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
        EXPECT_THAT(starts[i] == numbers + offsets[i], "piece %d is elsewhere", i);
    EXPECT_THAT(room.used == 99, "%d numbers were taken; it should be 99", room.used);
    NEW_MATRIX_FILLED(words, 3, 4, 3.0);
    NEW_MATRIX(out, 3, 4);
    fill(99, 0.0, numbers);
    feed_forward_layer(3, &w, words, &v, out);
    BECAUSE("All weights are 0 here, and X is 3 everywhere.");
    EXPECT_MATRIX(3, 4, words, out, EXACTLY);
}

TEST(feed_forward_layer, words_and_weights_stay_as_they_are) {
    struct random r = random_seed(1125);
    const struct work w = with_room(random_block(&layer, all_sizes[0], &r));
    EXPECT_KEPT(w, run_layer, LAST_GIVEN);
}

TEST(feed_forward_layer, two_threads_may_add_what_they_think_at_once) {
    struct random r = random_seed(1126);
    EXPECT_NO_TRACE(random_block(&layer, all_sizes[0], &r), random_block(&layer, all_sizes[1], &r));
}

/* feed_forward_layer_backward */

TEST(feed_forward_layer_backward, the_worked_words_go_back_on_two_ways) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    BECAUSE("d_out is 1 for number 2 of both words. For word 1 both units are off.");
    EXPECT_PUT_D(w, HIDDEN, 1, 0, 0, 0);
    BECAUSE("d_hidden is right here: 1 for unit 0 of word 0, which looks at number 2.");
    EXPECT_PUT_D(w, SCALED, 0, 0, 1, 0, 0, 0, 0, 0);
    BECAUSE("d_scaled is right here: 1 for number 2 of word 0. Through the norm that is -.0981, "
            "-.1433, .1584, .0830, and the way past it brings d_out.");
    EXPECT_PUT_D(w, X, -0.0981, -0.1433, 1.1584, 0.0830, 0, 0, 1, 0);
}

TEST(feed_forward_layer_backward, the_way_past_brings_d_out_back_bit_for_bit) {
    struct random r = random_seed(1130);
    const struct work given = silent_work(square, &r);
    const struct work w = yours_back(obvious(given), 0.0, 0.0);
    BECAUSE("W_2 is 0, so nothing comes back through the network.");
    EXPECT_D(w, X, given.d[OUT], EXACTLY);
}

TEST(feed_forward_layer_backward, all_gradients_of_a_layer_are_added_to_what_is_there) {
    struct random r = random_seed(1131);
    EXPECT_BACK(obvious(random_block(&layer, square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_block(&layer, all_sizes[0], &r)), 10.0, 0.0);
}

TEST(feed_forward_layer_backward, what_waits_in_d_v_goes_on) {
    struct random r = random_seed(1132);
    EXPECT_BACK(obvious(random_block(&layer, all_sizes[0], &r)), 0.0, 0.5);
}

/* Of a row of one number, or of two, next to nothing comes back through the norm. */
TEST(feed_forward_layer_backward, all_gradients_of_a_layer_are_what_nudging_measures) {
    struct random r = random_seed(1133);
    FOR_ALL_SIZES(z)
    if (z->d > 2)
        EXPECT_SLOPES(smooth_work(&layer, *z, &r), run_layer);
}

TEST(feed_forward_layer_backward, random_layers_go_back_as_the_obvious_way_says) {
    struct random r = random_seed(1134);
    FOR_ALL_SIZES(z)
    EXPECT_BACK(obvious(random_block(&layer, *z, &r)), 1.0, 0.0);
}

TEST(feed_forward_layer_backward, what_the_pass_left_stays_as_it_is) {
    struct random r = random_seed(1135);
    const struct work w = obvious(random_block(&layer, all_sizes[0], &r)),
                      back = with_gradients(w, 0.0, 0.0);
    EXPECT_KEPT(back, run_layer_back, OUT);
}

TEST(feed_forward_layer_backward, two_threads_may_go_back_through_a_layer_at_once) {
    struct random r = random_seed(1136);
    EXPECT_NO_TRACE_BACK(random_block(&layer, all_sizes[0], &r),
                         random_block(&layer, all_sizes[1], &r));
}
