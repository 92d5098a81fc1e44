/* Lesson 11: tests of the encoder block. */
#include "blocks.h"

#include "masked.h"

#include "../masks.h"

static struct encoder_block block_in(const struct work *w, void *const at[PIECES]) {
    return (struct encoder_block){{at[SELF_GAIN], at[SELF_BIAS], heads_in(w->z, at + W_Q)},
                                  forward_in(w, at)};
}

static struct encoder_values values_in(void *const at[PIECES]) {
    return (struct encoder_values){
        {at[SELF_NORMED], at[SELF_INVERSE_STD], at[SELF_SCALED], heads_values_in(at + ROWS_Q)},
        at[ATTENDED],
        forward_values_in(at)};
}

static void run_block(const struct work *w) {
    const struct encoder_block block = block_in(w, w->at);
    struct encoder_values v = values_in(w->at);
    encoder_block(w->z.n, &block, w->at[X], w->blocked, &v, w->at[OUT]);
}

static void run_block_back(const struct work *w) {
    struct encoder_block block = block_in(w, w->at), d_block = block_in(w, w->d);
    struct encoder_values v = values_in(w->at), d_v = values_in(w->d);
    encoder_block_backward(w->z.n, &block, w->blocked, &v, w->d[OUT], &d_v, &d_block, w->d[X]);
}

/* The attention layer of lesson 10, then the slow reference of the feed-forward layer. */
static void run_block_obviously(const struct work *w) {
    const struct encoder_block block = block_in(w, w->at);
    struct encoder_values v = values_in(w->at);
    attention_layer(w->z.n, w->z.n, &block.self, w->at[X], NULL, w->blocked, &v.self, v.attended);
    obvious_layer(w, v.attended);
}

static void run_block_back_obviously(const struct work *w) {
    struct encoder_block block = block_in(w, w->at), d_block = block_in(w, w->d);
    struct encoder_values v = values_in(w->at), d_v = values_in(w->d);
    obvious_layer_back(w, d_v.attended);
    attention_layer_backward(w->z.n, w->z.n, &block.self, NULL, w->blocked, &v.self, d_v.attended,
                             &d_v.self, &d_block.self, w->d[X], NULL);
}

static const struct function block = {
    .run = run_block,
    .run_back = run_block_back,
    .obvious = run_block_obviously,
    .obvious_back = run_block_back_obviously,
    .weights = SELF_GAIN,
    .values = SELF_NORMED,
    .back = SELF_GAIN,
};

static void *new_causal_mask(int n) {
    NEW_MASK(blocked, n, n);
    causal_mask(n, blocked);
    return blocked;
}

static struct work masked(struct work w, void *blocked) {
    w.blocked = blocked;
    return w;
}

/* encoder_block */

/* One head, and all matrices are the identity. */
static struct work worked(void) {
    struct work w = {.f = &block, .z = {2, 2, 2, 1, 1, 2}};
    for (enum piece p = SELF_GAIN; p <= LAST_GIVEN; p++)
        w.at[p] = filled(&w, p, UNNAMED, p == SELF_GAIN || p == GAIN);
    const enum piece identities[] = {W_Q, W_K, W_V, W_O, W_1, W_2};
    for (int i = 0; i < 6; i++)
        PUT(w, identities[i], 1, 0, 0, 1);
    PUT(w, X, 3, 1, 0, 2);
    PUT_D_OUT(w, 1, 2, 3, 4);
    return w;
}

TEST(encoder_block, the_worked_words_go_through_both_layers) {
    const struct work w = yours(worked());
    EXPECT_PUT(w, SELF_NORMED, 1, -1, -1, 1);
    BECAUSE("Here blocked is NULL, so each word attends to both words.");
    EXPECT_PUT(w, WEIGHTS, 0.9442, 0.0558, 0.0558, 0.9442);
    EXPECT_PUT(w, ATTENDED, 3.8884, 0.1116, -0.8884, 2.8884);
    EXPECT_PUT(w, NORMED, 1, -1, -1, 1);
    EXPECT_PUT(w, HIDDEN, 1, 0, 0, 1);
    BECAUSE("attended is right, namely 3.8884, .1116 and -.8884, 2.8884. hidden is 1, 0 and 0, 1.");
    EXPECT_PUT(w, OUT, 4.8884, 0.1116, -0.8884, 3.8884);
}

/* W_o, W_2 and b_2 are 0, so neither the heads nor the network add anything. */
static struct work silent_work(struct sizes z, struct random *r) {
    struct work w = random_block(&block, z, r);
    const enum piece last[] = {W_O, W_2, B_2};
    for (int i = 0; i < 3; i++)
        fill(count_of(&w, last[i]), 0.0, w.at[last[i]]);
    return w;
}

TEST(encoder_block, a_block_that_adds_nothing_returns_X_exactly) {
    struct random r = random_seed(1140);
    struct work given = silent_work(square, &r);
    ((double *)given.at[X])[0] = 1e100;
    const struct work w = yours(given);
    BECAUSE("W_o, W_2 and b_2 are 0, so the heads and the network give 0, and out should be X.");
    EXPECT_PIECE(w, OUT, given.at[X], EXACTLY);
}

TEST(encoder_block, the_second_layer_receives_the_output_of_the_first) {
    struct random r = random_seed(1141);
    EXPECT_FORWARD(random_block(&block, square, &r));
    EXPECT_FORWARD(random_block(&block, all_sizes[0], &r));
}

TEST(encoder_block, the_attention_layer_receives_the_mask) {
    struct random r = random_seed(1142);
    EXPECT_FORWARD(masked(random_block(&block, square, &r), scattered_mask(3, 3)));
}

/* With other numbers in some words, from `first` up to `end`. */
static struct work with_other_words(struct work w, int first, int end, struct random *r) {
    w.at[X] = array_copy(UNNAMED, its(&w, X).dims, w.at[X]);
    random_fill_normal(r, (end - first) * w.z.d, (double *)w.at[X] + first * w.z.d);
    return w;
}

TEST(encoder_block, with_a_causal_mask_later_words_have_no_influence) {
    struct random r = random_seed(1143);
    const struct work given =
        masked(random_block(&block, (struct sizes){5, 4, 3, 2, 2, 2}, &r), new_causal_mask(5));
    const struct work before = yours(given), w = yours(with_other_words(given, 3, 5, &r));
    memcpy((double *)before.at[OUT] + 12, (double *)w.at[OUT] + 12, 8 * sizeof(double));
    BECAUSE(
        "Words 3 and 4 have changed, and the mask hides them from words 0 to 2, so rows 0 to 2 of "
        "out should stay the same.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(encoder_block, a_word_that_is_always_blocked_has_no_influence) {
    struct random r = random_seed(1144);
    NEW_MASK_FILLED(blocked, 3, 3, false);
    blocked[0][1] = blocked[1][1] = blocked[2][1] = true;
    const struct work given = masked(random_block(&block, all_sizes[0], &r), blocked);
    const struct work before = yours(given), w = yours(with_other_words(given, 1, 2, &r));
    memcpy((double *)before.at[OUT] + 4, (double *)w.at[OUT] + 4, 4 * sizeof(double));
    BECAUSE("Word 1 has changed, and it is blocked for every query, so rows 0 and 2 of out should "
            "stay the same.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(encoder_block, shuffled_words_give_shuffled_outputs) {
    struct random r = random_seed(1145);
    const struct sizes z = {4, 3, 5, 2, 2, 2};
    const struct work given = random_block(&block, z, &r);
    struct work moved = given;
    const int order[4] = {2, 0, 3, 1};
    moved.at[X] = filled(&given, X, UNNAMED, 0.0);
    const struct work straight = yours(given);
    NEW_MATRIX(expected, 4, 3);
    for (int i = 0; i < 4; i++) {
        memcpy(((double(*)[3])moved.at[X])[i], ((double(*)[3])given.at[X])[order[i]],
               sizeof *expected);
        memcpy(expected[i], ((double(*)[3])straight.at[OUT])[order[i]], sizeof *expected);
    }
    const struct work w = yours(moved);
    BECAUSE(
        "These are the words of an earlier call in the order 2, 0, 3, 1. Their rows of out should "
        "be the same, in this order.");
    EXPECT_PIECE(w, OUT, expected, LAST_BIT);
}

TEST(encoder_block, random_blocks_agree_with_a_slow_reference) {
    struct random r = random_seed(1146);
    FOR_ALL_SIZES(z) {
        EXPECT_FORWARD(random_block(&block, *z, &r));
        EXPECT_FORWARD(masked(random_block(&block, *z, &r), scattered_mask(z->n, z->n)));
    }
}

static void expect_silence(int line, int n, const struct encoder_block *w,
                           struct encoder_values *v) {
    const int d = w->forward.d_model;
    NEW_MATRIX_FILLED(words, n, d, 3.0);
    NEW_MATRIX(out, n, d);
    encoder_block(n, w, words, NULL, v, out);
    BECAUSE("Here all parameters are 0, and X is 3 everywhere.");
    expect_numbers(line, "out", n, d, words[0], out[0], EXACTLY);
}

/* The functions take_...() are given. This test finds accidental changes of them. */
TEST(encoder_block, the_given_functions_leave_no_gaps) {
    NEW_VECTOR(numbers, 417);
    struct room room = {numbers, 0};
    const struct encoder_block w = take_encoder_block(&room, 6, 2, 5);
    struct encoder_values v = take_encoder_values(&room, &w, 2);
    const struct multi_head *h = &w.self.heads;
    EXPECT_THAT(h->d_model == 6 && h->n_heads == 2 && h->d_head == 3 && w.forward.d_model == 6 &&
                    w.forward.d_ff == 5,
                "take_encoder_block: a size is not d_model = 6, n_heads = 2, d_head = 3, d_ff = 5");
    const void *starts[] = {w.self.gain,   h->W_q,     w.forward.gain,   w.forward.b_2,
                            v.self.normed, v.attended, v.forward.normed, v.forward.hidden};
    const int offsets[] = {0, 12, 156, 233, 239, 369, 381, 407};
    for (int i = 0; i < 8; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "member %d is at another place", i);
    EXPECT_THAT(room.used == 417, "%d numbers were taken, but it should be 417", room.used);
    fill(417, 0.0, numbers);
    expect_silence(__LINE__, 2, &w, &v);
}

TEST(encoder_block, the_number_of_parameters_agrees_with_the_formula) {
    for (int d = 4; d <= 12; d += 4)
        for (int d_ff = 1; d_ff <= 2 * d; d_ff *= 3) {
            const int count = 4 * d * d + 2 * d * d_ff + 5 * d + d_ff;
            NEW_VECTOR_FILLED(numbers, count, 0.0);
            struct room room = {numbers, 0}, values = {NULL, 0};
            const struct encoder_block w = take_encoder_block(&room, d, 4, d_ff);
            EXPECT_THAT(room.used == count,
                        "%d numbers were taken for d_model = %d and d_ff = %d, but it should be %d",
                        room.used, d, d_ff, count);
            take_encoder_values(&values, &w, 1);
            values = (struct room){fill(values.used, 0.0, vector_new("values", values.used)), 0};
            struct encoder_values v = take_encoder_values(&values, &w, 1);
            expect_silence(__LINE__, 1, &w, &v);
        }
}

TEST(encoder_block, inputs_and_parameters_are_not_changed) {
    struct random r = random_seed(1147);
    const struct work w = with_room(random_block(&block, all_sizes[0], &r));
    EXPECT_KEPT(w, run_block, LAST_GIVEN);
}

TEST(encoder_block, two_blocks_may_run_at_once) {
    struct random r = random_seed(1148);
    EXPECT_NO_TRACE(
        random_block(&block, all_sizes[0], &r),
        masked(random_block(&block, all_sizes[1], &r), new_causal_mask(all_sizes[1].n)));
}

/* encoder_block_backward */

/* The norm of two numbers is 1, -1 or -1, 1, and small changes of the numbers do not change it. */
TEST(encoder_block_backward, norms_of_two_numbers_let_no_gradient_through) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    BECAUSE("Here hidden is 1, 0 and 0, 1, and d_out is 1, 2 and 3, 4.");
    EXPECT_PUT_D(w, HIDDEN, 1, 0, 0, 4);
    BECAUSE("Here hidden is 1, 0 and 0, 1, and d_out is 1, 2 and 3, 4.");
    EXPECT_PUT_D(w, W_2, 1, 2, 3, 4);
    BECAUSE("d_hidden is right, namely 1, 0 and 0, 4.");
    EXPECT_PUT_D(w, SCALED, 1, 0, 0, 4);
    BECAUSE("The norm of two numbers is always 1, -1 or -1, 1. So no gradient comes back through "
            "it, and "
            "d_attended should be d_out.");
    EXPECT_PUT_D(w, ATTENDED, 1, 2, 3, 4);
    BECAUSE("d_attended is right, namely 1, 2 and 3, 4. The weights are .9442, .0558 and .0558, "
            ".9442.");
    EXPECT_PUT_D(w, V, 1.1116, 2.1116, 2.8884, 3.8884);
    BECAUSE("No gradient comes back through the norms here, so d_X should be d_out.");
    EXPECT_PUT_D(w, X, 1, 2, 3, 4);
}

TEST(encoder_block_backward, the_residual_connections_bring_d_out_back_exactly) {
    struct random r = random_seed(1150);
    const struct work given = silent_work(square, &r);
    const struct work w = yours_back(obvious(given), 0.0, 0.0);
    BECAUSE(
        "W_o and W_2 are 0, so no gradient comes back through the heads or the network, and d_X "
        "should be d_out.");
    EXPECT_D(w, X, given.d[OUT], EXACTLY);
}

TEST(encoder_block_backward, all_gradients_are_added) {
    struct random r = random_seed(1151);
    EXPECT_BACK(obvious(random_block(&block, square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_block(&block, all_sizes[0], &r)), 10.0, 0.0);
}

TEST(encoder_block_backward, gradients_already_in_d_v_are_used) {
    struct random r = random_seed(1152);
    EXPECT_BACK(obvious(random_block(&block, all_sizes[0], &r)), 0.0, 0.5);
}

TEST(encoder_block_backward, with_a_causal_mask_later_words_get_no_gradient) {
    struct random r = random_seed(1153);
    struct work given = obvious(masked(random_block(&block, all_sizes[0], &r), new_causal_mask(3)));
    fill(8, 0.0, (double *)given.d[OUT] + 4);
    const struct work w = yours_back(given, 7.0, 0.0);
    NEW_MATRIX_FILLED(expected, 3, 4, 7.0);
    memcpy(expected[0], w.d[X], sizeof expected[0]);
    BECAUSE(
        "d_out is 0 except for word 0, which attends only to itself. So rows 1 and 2 of d_X, which "
        "were 7, should not change.");
    EXPECT_D(w, X, expected, EXACTLY);
}

/* The value of word 1 is enormous and always blocked. Without the mask, 0 times infinity is NaN. */
TEST(encoder_block_backward, the_mask_is_passed_to_the_backward_pass) {
    struct random r = random_seed(1154);
    NEW_MASK_FILLED(blocked, 3, 3, false);
    blocked[0][1] = blocked[1][1] = blocked[2][1] = true;
    struct work given = obvious(masked(random_block(&block, square, &r), blocked));
    const double *expected = obvious_back(given, 0.0).d[X];
    fill(3, 1e200, (double *)given.at[V] + 3);
    scale_into(9, 1e150, given.d[OUT], given.d[OUT]);
    const struct work w = yours_back(given, 0.0, 0.0);
    scale_into(9, 1e-150, w.d[X], w.d[X]);
    BECAUSE(
        "The value of word 1 is enormous, but always blocked, so no gradient may come through it. "
        "d_X is shown divided by 1e150.");
    EXPECT_D(w, X, expected, ROUNDING);
}

/* With rows of one or two numbers, almost no gradient comes back through the norm. And a single
   word attends to itself, whatever its query is. */
TEST(encoder_block_backward, all_gradients_agree_with_a_gradient_check) {
    struct random r = random_seed(1155);
    FOR_ALL_SIZES(z)
    if (z->d > 2 && z->n > 1)
        EXPECT_SLOPES(smooth_work(&block, *z, &r), run_block);
}

TEST(encoder_block_backward, with_a_mask_they_agree_with_a_gradient_check_too) {
    struct random r = random_seed(1156);
    struct work w = smooth_work(&block, all_sizes[1], &r);
    do
        w = obvious(masked(random_block(&block, all_sizes[1], &r), scattered_mask(4, 4)));
    while (!has_slopes(&w));
    EXPECT_SLOPES(w, run_block);
}

TEST(encoder_block_backward, random_gradients_agree_with_a_slow_reference) {
    struct random r = random_seed(1157);
    FOR_ALL_SIZES(z) {
        EXPECT_BACK(obvious(random_block(&block, *z, &r)), 1.0, 0.0);
        EXPECT_BACK(obvious(masked(random_block(&block, *z, &r), scattered_mask(z->n, z->n))), 1.0,
                    0.0);
    }
}

TEST(encoder_block_backward, values_of_the_forward_pass_are_not_changed) {
    struct random r = random_seed(1158);
    const struct work w = obvious(random_block(&block, all_sizes[0], &r)),
                      back = with_gradients(w, 0.0, 0.0);
    EXPECT_KEPT(back, run_block_back, OUT);
}

TEST(encoder_block_backward, two_backward_passes_may_run_at_once) {
    struct random r = random_seed(1159);
    EXPECT_NO_TRACE_BACK(random_block(&block, all_sizes[0], &r),
                         random_block(&block, all_sizes[1], &r));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(encoder_block, &block, 2, 4, 5, 2, 1, 3)
LAWS_BACKWARD(encoder_block_backward, &block, false, 2, 4, 5, 2, 1, 3)
