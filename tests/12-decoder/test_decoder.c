/* Lesson 12: tests of decoder_block and its backward pass. Those of the cache and of generating
   token by token are in the other files of this folder. */
#include "blocks.h"

static void run_block(const struct work *w) {
    const struct decoder_block b = block_in(w, w->at);
    struct decoder_values v = values_in(w->at);
    decoder_block(w->z.n, m_of(w->z), &b, w->at[X], w->at[MEMORY], w->blocked, &v, w->at[OUT]);
}

static void run_block_back(const struct work *w) {
    struct decoder_block b = block_in(w, w->at), d_b = block_in(w, w->d);
    struct decoder_values v = values_in(w->at), d_v = values_in(w->d);
    decoder_block_backward(w->z.n, m_of(w->z), &b, w->at[MEMORY], w->blocked, &v, w->d[OUT], &d_v,
                           &d_b, w->d[X], w->d[MEMORY]);
}

static void run_back_obviously(const struct work *w) {
    const int n = w->z.n, m = w->z.m;
    struct decoder_block b = block_in(w, w->at), d_b = block_in(w, w->d);
    struct decoder_values v = values_in(w->at), d_v = values_in(w->d);
    feed_forward_layer_backward(n, &b.forward, &v.forward, w->d[OUT], &d_v.forward, &d_b.forward,
                                m ? d_v.crossed : d_v.attended);
    if (m)
        attention_layer_backward(n, m, &b.cross, w->at[MEMORY], NULL, &v.cross, d_v.crossed,
                                 &d_v.cross, &d_b.cross, d_v.attended, w->d[MEMORY]);
    attention_layer_backward(n, n, &b.self, NULL, w->blocked, &v.self, d_v.attended, &d_v.self,
                             &d_b.self, w->d[X], NULL);
}

static const struct function block = {
    .run = run_block,
    .run_back = run_block_back,
    .obvious = run_obviously,
    .obvious_back = run_back_obviously,
    .weights = SELF_GAIN,
    .values = SELF_NORMED,
};

/* decoder_block */

TEST(decoder_block, the_worked_tokens_pass_through_three_layers) {
    const struct work w = yours(worked_block(&block));
    EXPECT_PUT(w, SELF_WEIGHTS, 1, 0, 0.0558, 0.9442);
    EXPECT_PUT(w, ATTENDED, 4, 0, -0.8884, 2.8884);
    BECAUSE("attended is right here: 4, 0 and -.8884, 2.8884. Its norm is 1, -1 and -1, 1.");
    EXPECT_PUT(w, CROSS_WEIGHTS, 0.7679, 0.0454, 0.1867, 0.0454, 0.7679, 0.1867);
    EXPECT_PUT(w, CROSSED, 5.7225, 0.2775, -0.6109, 4.6109);
    BECAUSE("crossed is right here: 5.7225, .2775 and -.6109, 4.6109. hidden is 1, 0 and 0, 1.");
    EXPECT_PUT(w, OUT, 6.7225, 0.2775, -0.6109, 5.6109);
}

TEST(decoder_block, a_block_whose_layers_add_nothing_returns_X) {
    struct random r = random_seed(1201);
    for (int i = 0; i < 2; i++) {
        struct work given = silent_block(&block, i ? square : square_alone, &r);
        ((double *)given.at[X])[0] = 1e100;
        const struct work w = yours(given);
        BECAUSE("Both W_o, W_2 and b_2 are 0, so no layer adds anything. What is left are the "
                "residual connections.");
        EXPECT_PIECE(w, OUT, given.at[X], EXACTLY);
    }
}

TEST(decoder_block, the_queries_for_the_memory_come_from_attended) {
    struct random r = random_seed(1202);
    EXPECT_FORWARD(random_block(&block, square, &r));
}

TEST(decoder_block, only_the_self_attention_has_the_mask) {
    struct random r = random_seed(1203);
    EXPECT_FORWARD(scattered(random_block(&block, square, &r)));
}

TEST(decoder_block, without_a_memory_it_is_the_encoder_block) {
    struct random r = random_seed(1204);
    const struct sizes alone = {5, 0, 4, 3, 2, 1, 6};
    const struct work w = yours(causal(random_block(&block, alone, &r)));
    const struct encoder_block encoder = {block_in(&w, w.at).self, block_in(&w, w.at).forward};
    const struct decoder_values v = values_in(with_room(w).at);
    struct encoder_values of_encoder = {v.self, v.attended, v.forward};
    NEW_MATRIX(expected, 5, 4);
    encoder_block(5, &encoder, w.at[X], w.blocked, &of_encoder, expected);
    BECAUSE("memory is NULL, so two layers are left: encoder_block() with a causal mask.");
    EXPECT_PIECE(w, OUT, expected, LAST_BIT);
}

/* The same work with other numbers in the rows `first` to `end` - 1 of X or of memory. */
static struct work with_other(struct work w, enum piece p, int first, int end, struct random *r) {
    w.at[p] = array_copy(UNNAMED, its(&w, p).dims, w.at[p]);
    random_fill_normal(r, (end - first) * w.z.d, (double *)w.at[p] + first * w.z.d);
    return w;
}

TEST(decoder_block, a_later_token_changes_no_earlier_row) {
    struct random r = random_seed(1205);
    const struct work given = causal(random_block(&block, (struct sizes){5, 3, 4, 6, 2, 1, 2}, &r));
    const struct work before = yours(given), w = yours(with_other(given, X, 3, 5, &r));
    memcpy((double *)before.at[OUT] + 12, (double *)w.at[OUT] + 12, 8 * sizeof(double));
    BECAUSE(
        "Tokens 3 and 4 of X changed, and the mask hides them from earlier tokens. So rows 0 to "
        "2 of out do not change.");
    EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
}

TEST(decoder_block, each_row_of_the_memory_changes_every_output) {
    struct random r = random_seed(1206);
    const struct work given = causal(random_block(&block, (struct sizes){3, 2, 4, 5, 1, 1, 6}, &r)),
                      before = yours(given);
    const double(*out)[4] = before.at[OUT];
    for (int j = 0; j < 2; j++) {
        const double(*other)[4] = yours(with_other(given, MEMORY, j, j + 1, &r)).at[OUT];
        for (int i = 0; i < 3; i++)
            EXPECT_THAT(memcmp(out[i], other[i], sizeof *out) != 0,
                        "row %d of memory changed, and row %d of out did not; the cross-attention "
                        "has no mask",
                        j, i);
    }
}

TEST(decoder_block, the_order_of_the_memory_does_not_matter) {
    struct random r = random_seed(1207);
    const struct work given = causal(random_block(&block, (struct sizes){3, 4, 5, 2, 2, 1, 6}, &r)),
                      before = yours(given);
    struct work moved = given;
    const double(*memory)[5] = given.at[MEMORY];
    double(*other)[5] = moved.at[MEMORY] = filled(&given, MEMORY, UNNAMED, 0.0);
    for (int j = 0; j < 4; j++)
        memcpy(other[j], memory[(3 * j + 2) % 4], sizeof *other);
    const struct work w = yours(moved);
    BECAUSE("The rows of memory were passed in the order 2, 1, 0, 3. Cross-attention does not "
            "depend on their order, so out does not change.");
    EXPECT_PIECE(w, OUT, before.at[OUT], LAST_BIT);
}

TEST(decoder_block, random_blocks_agree_with_the_obvious_way) {
    struct random r = random_seed(1208);
    FOR_ALL_SIZES(z) {
        EXPECT_FORWARD(random_block(&block, *z, &r));
        EXPECT_FORWARD(scattered(random_block(&block, *z, &r)));
    }
}

/* The take_...() functions are given. This finds an accidental change. */
static void expect_taken(const double *numbers, int used, const void *const starts[6],
                         const int offsets[7]) {
    for (int i = 0; i < 6; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "piece %d is at the wrong address", i);
    EXPECT_THAT(used == offsets[6], "%d numbers were taken; it should be %d", used, offsets[6]);
}

TEST(decoder_block, the_given_functions_take_a_block_without_gaps) {
    static const int offsets[2][7] = {{0, 156, 156, 239, 369, 381, 417},
                                      {0, 156, 312, 395, 525, 695, 743}};
    NEW_MATRIX_FILLED(words, 3, 6, 3.0);
    for (int with = 0; with < 2; with++) {
        struct room room = {fill(offsets[with][6], 0.0, vector_new(UNNAMED, offsets[with][6])), 0};
        const struct decoder_block w = take_decoder_block(&room, 6, 2, 5, with);
        struct decoder_values v = take_decoder_values(&room, &w, 2, with ? 3 : 0);
        const void *const starts[] = {w.self.gain,    with ? w.cross.gain : w.forward.gain,
                                      w.forward.gain, v.self.normed,
                                      v.attended,     with ? v.crossed : v.forward.normed};
        expect_taken(room.numbers, room.used, starts, offsets[with]);
        NEW_MATRIX(out, 2, 6);
        decoder_block(2, 3, &w, words, with ? words : NULL, NULL, &v, out);
        BECAUSE("All parameters are 0 here, and X is 3 everywhere.");
        EXPECT_MATRIX(2, 6, words, out, EXACTLY);
    }
}

TEST(decoder_block, inputs_and_parameters_are_not_changed) {
    struct random r = random_seed(1209);
    const struct work w = with_room(random_block(&block, all_sizes[0], &r)),
                      other = with_room(causal(random_block(&block, all_sizes[2], &r)));
    EXPECT_KEPT(w, run_block, LAST_GIVEN);
    EXPECT_KEPT(other, run_block, LAST_GIVEN);
}

TEST(decoder_block, two_threads_may_compute_blocks_at_once) {
    struct random r = random_seed(1210);
    EXPECT_NO_TRACE(random_block(&block, all_sizes[0], &r),
                    causal(random_block(&block, all_sizes[1], &r)));
}

/* decoder_block_backward */

/* The norm of two numbers is 1, -1 or -1, 1, so small changes of them have no effect. */
TEST(decoder_block_backward, the_worked_memory_has_this_gradient) {
    const struct work w = yours_back(obvious(worked_block(&block)), 0.0, 0.0);
    BECAUSE("d_out is 1 for dimension 0 of token 0, whose hidden unit 0 is above 0.");
    EXPECT_PUT_D(w, FORWARD_HIDDEN, 1, 0, 0, 0);
    BECAUSE("The norm of two numbers has a derivative of 0, so only the residual connection passes "
            "d_out on.");
    EXPECT_PUT_D(w, CROSSED, 1, 0, 0, 0);
    BECAUSE("d_crossed is right here. Token 0 has the weights .7679, .0454 and .1867.");
    EXPECT_PUT_D(w, MEMORY, 0.9186, -0.1507, -0.0099, 0.0553, 0.0913, 0.0954);
    EXPECT_PUT_D(w, X, 1, 0, 0, 0);
}

TEST(decoder_block_backward, the_residual_connections_pass_d_out_to_d_X) {
    struct random r = random_seed(1220);
    for (int i = 0; i < 2; i++) {
        const struct work given = silent_block(&block, i ? square : square_alone, &r);
        const struct work w = yours_back(obvious(given), 0.0, 0.0);
        BECAUSE("Both W_o and W_2 are 0, so only the residual connections pass a gradient on.");
        EXPECT_D(w, X, given.d[OUT], EXACTLY);
    }
}

/* W_o of the first layer, W_q of the second and W_2 are 0, so only the residual connections and
   the keys and values of the memory are left. */
TEST(decoder_block_backward, the_gradient_of_the_memory_does_not_reach_X) {
    struct random r = random_seed(1221);
    struct work given = random_block(&block, square, &r);
    const enum piece none[] = {SELF_W_O, CROSS_W_Q, FORWARD_W_2};
    for (int i = 0; i < 3; i++)
        fill(9, 0.0, given.at[none[i]]);
    const struct work w = yours_back(obvious(given), 0.0, 0.0),
                      right = obvious_back(obvious(given), 0.0);
    BECAUSE("W_2, W_q of cross and W_o of self are 0, so d_X gets only the residual connections.");
    EXPECT_D(w, X, given.d[OUT], EXACTLY);
    BECAUSE("The keys and values of cross are computed from memory, which has as many rows as X.");
    EXPECT_D(w, MEMORY, right.d[MEMORY], ROUNDING);
}

TEST(decoder_block_backward, gradients_are_added_to_the_outputs) {
    struct random r = random_seed(1222);
    EXPECT_BACK(obvious(random_block(&block, square, &r)), 10.0, 0.0);
}

TEST(decoder_block_backward, without_a_memory_two_layers_have_gradients) {
    struct random r = random_seed(1230);
    EXPECT_BACK(obvious(random_block(&block, square_alone, &r)), 10.0, 0.0);
}

TEST(decoder_block_backward, gradients_already_in_d_v_are_passed_on) {
    struct random r = random_seed(1223);
    EXPECT_BACK(obvious(random_block(&block, square, &r)), 0.0, 0.5);
}

TEST(decoder_block_backward, the_gradient_of_token_0_reaches_no_later_token) {
    struct random r = random_seed(1224);
    struct work given = obvious(causal(random_block(&block, all_sizes[0], &r)));
    fill(8, 0.0, (double *)given.d[OUT] + 4);
    const struct work w = yours_back(given, 7.0, 0.0);
    NEW_MATRIX_FILLED(expected, 3, 4, 7.0);
    memcpy(expected[0], w.d[X], sizeof expected[0]);
    BECAUSE(
        "Only row 0 of out has a gradient, and token 0 attended only to itself. So rows 1 and 2 "
        "of d_X, which held 7, do not change.");
    EXPECT_D(w, X, expected, EXACTLY);
    for (int j = 0; j < 5; j++)
        EXPECT_THAT(((double(*)[4])w.d[MEMORY])[j][0] != 7.0,
                    "d_memory[%d][0] held 7 and did not change; token 0 attended to all rows", j);
}

/* Token 1 is enormous and blocked for all queries. 0 times infinity would be NaN. */
TEST(decoder_block_backward, the_mask_also_applies_in_the_backward_pass) {
    struct random r = random_seed(1225);
    NEW_MASK_FILLED(blocked, 3, 3, false);
    blocked[0][1] = blocked[1][1] = blocked[2][1] = true;
    struct work given = random_block(&block, square, &r);
    given.blocked = blocked;
    given = obvious(given);
    const double *expected = obvious_back(given, 0.0).d[X];
    fill(3, 1e200, (double *)given.at[SELF_V] + 3);
    scale_into(9, 1e150, given.d[OUT], given.d[OUT]);
    const struct work w = yours_back(given, 0.0, 0.0);
    scale_into(9, 1e-150, w.d[X], w.d[X]);
    BECAUSE("The value of token 1 is enormous and blocked for all queries, so it gets no gradient. "
            "d_X is shown in units of 1e150.");
    EXPECT_D(w, X, expected, ROUNDING);
}

/* Drawn again until small changes do not cross the kink of a ReLU. */
static struct work smooth_work(struct sizes z, struct random *r) {
    for (;;) {
        const struct work w = obvious(causal(random_block(&block, z, r)));
        const struct feed_forward_layer forward = block_in(&w, w.at).forward;
        if (has_slopes(z.n, &forward, w.at[FORWARD_SCALED]))
            return w;
    }
}

/* With one or two dimensions, the norm has a derivative of nearly 0. With a single key, the weight
   is 1 for every query. */
TEST(decoder_block_backward, gradients_agree_with_small_changes_of_the_inputs) {
    struct random r = random_seed(1226);
    FOR_ALL_SIZES(z)
    if (z->d > 2 && z->n > 1 && z->m != 1)
        EXPECT_SLOPES(smooth_work(*z, &r), run_block);
}

TEST(decoder_block_backward, random_gradients_agree_with_the_obvious_way) {
    struct random r = random_seed(1227);
    FOR_ALL_SIZES(z) {
        EXPECT_BACK(obvious(random_block(&block, *z, &r)), 1.0, 0.0);
        EXPECT_BACK(obvious(scattered(random_block(&block, *z, &r))), 1.0, 0.0);
    }
}

TEST(decoder_block_backward, inputs_and_values_are_not_changed) {
    struct random r = random_seed(1228);
    const struct work w = with_gradients(obvious(random_block(&block, all_sizes[0], &r)), 0.0, 0.0),
                      other =
                          with_gradients(obvious(random_block(&block, all_sizes[2], &r)), 0.0, 0.0);
    EXPECT_KEPT(w, run_block_back, OUT);
    EXPECT_KEPT(other, run_block_back, OUT);
}

TEST(decoder_block_backward, two_threads_may_compute_gradients_at_once) {
    struct random r = random_seed(1229);
    EXPECT_NO_TRACE_BACK(random_block(&block, all_sizes[0], &r),
                         random_block(&block, all_sizes[1], &r));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(decoder_block, &block, 2, 3, 4, 5, 2, 1, 3)
LAWS_BACKWARD(decoder_block_backward, &block, false, 2, 3, 4, 5, 2, 1, 3)
