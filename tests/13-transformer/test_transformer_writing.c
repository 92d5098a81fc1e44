/* Tests of lesson 13: the decoder, all positions at once. */
#include "writing.h"

static void run(const struct work *w) {
    const struct transformer weights = weights_in(w, w->at);
    struct transformer_values v = values_in(w, w->at);
    decode_target(w->z.n, w->z.m, &weights, w->beside->words, (const void *)w->beside->P,
                  w->blocked, &v, w->at[OUT]);
}

static void run_back(const struct work *w) {
    struct transformer weights = weights_in(w, w->at), d_weights = weights_in(w, w->d);
    struct transformer_values v = values_in(w, w->at), d_v = values_in(w, w->d);
    decode_target_backward(w->z.n, w->z.m, &weights, w->beside->words, w->blocked, &v, w->d[OUT],
                           &d_v, &d_weights);
}

static void run_back_obviously(const struct work *w) {
    const int n = w->z.n, blocks = w->z.n_decoders;
    struct transformer t = weights_in(w, w->at), d_t = weights_in(w, w->d);
    struct transformer_values v = values_in(w, w->at), d_v = values_in(w, w->d);
    dot_scores_backward(n, w->z.vocabulary, w->z.d, v.out, t.table, w->d[OUT], d_v.out, d_t.table);
    layer_norm_backward(n, w->z.d, t.out_gain, v.out_normed, v.out_inverse_std, d_v.out,
                        d_t.out_gain, d_t.out_bias, between(w, w->d, blocks));
    for (int b = blocks; b-- > 0;)
        decoder_block_backward(n, w->z.m, &t.decoder[b], w->at[MEMORY], w->blocked, &v.decoder[b],
                               between(w, w->d, b + 1), &d_v.decoder[b], &d_t.decoder[b],
                               between(w, w->d, b), w->d[MEMORY]);
    embed_backward(n, w->z.vocabulary, w->z.d, sqrt(w->z.d), w->beside->words, d_v.written,
                   d_t.table);
}

static const struct function writer = {
    .run = run,
    .run_back = run_back,
    .obvious = write_obviously,
    .obvious_back = run_back_obviously,
    .weights = MEMORY,
    .values = D0_SELF_NORMED,
};

/* decode_target */

TEST(decode_target, two_tokens_give_the_worked_logits) {
    const struct work w = yours(worked_writer(&writer));
    BECAUSE("In the table, token 2 is {1.5, 0, .5, 1} and token 0 is {0, 2, 0, 1}. The factor "
            "sqrt(d_model) is 2. The block adds nothing.");
    EXPECT_PUT(w, WRITTEN, 3, 1, 1, 3, 0, 4, 2, 2, 3, 1, 1, 3, 0, 4, 2, 2);
    BECAUSE("The layer norm gets the rows after the last block, {3, 1, 1, 3} and {0, 4, 2, 2}.");
    EXPECT_PUT(w, OUT_ROWS, 1, -1, -1, 1, -1.4142, 1.4142, 0, 0);
    BECAUSE("out is right here: {1, -1, -1, 1} and {-1.4142, 1.4142, 0, 0}. A logit is the dot "
            "product of a row of out and a row of the table, without a factor.");
    EXPECT_PUT(w, OUT, -1, 3, 2, 2.8284, -2.8284, -2.1213);
}

TEST(decode_target, equal_sizes_agree_with_the_reference) {
    struct random r = random_seed(1342);
    EXPECT_FORWARD_FROM(random_writer(&writer, square, &r), WRITTEN);
    EXPECT_FORWARD_FROM(random_writer(&writer, square_alone, &r), WRITTEN);
}

TEST(decode_target, every_block_gets_the_mask) {
    struct random r = random_seed(1343);
    const struct sizes z = {5, 3, 4, 6, 2, 1, 2, 7, 1, 2};
    const struct work given = random_writer(&writer, z, &r);
    double words[5] = {6, 0, 3, 3, 2};
    const struct work before = yours(with_text(given, words, given.beside->P));
    for (int j = 1; j < 5; j++) {
        words[j] = 1;
        const struct work w = yours(with_text(given, words, given.beside->P));
        memcpy((double *)before.at[OUT] + 7 * j, (double *)w.at[OUT] + 7 * j,
               (size_t)(7 * (5 - j)) * sizeof(double));
        BECAUSE("Only tokens from position %d on changed, and the mask hides them from earlier "
                "ones. So the logits of rows 0 to %d must not change.",
                j, j - 1);
        EXPECT_PIECE(w, OUT, before.at[OUT], EXACTLY);
    }
}

TEST(decode_target, any_mask_works) {
    struct random r = random_seed(1344);
    EXPECT_FORWARD_FROM(scattered(random_writer(&writer, square, &r)), WRITTEN);
    struct work w = random_writer(&writer, square_alone, &r);
    w.blocked = NULL;
    EXPECT_FORWARD_FROM(w, WRITTEN);
}

TEST(decode_target, without_encoder_blocks_m_is_ignored) {
    struct random r = random_seed(1346);
    const struct work given = random_writer(&writer, square_alone, &r);
    const double *expected = obvious(given).at[OUT];
    for (int m = 0; m < 12; m = 3 * m + 1) {
        struct work w = given;
        w.z.m = m;
        w = yours(w);
        BECAUSE("n_encoders is 0, so there is no memory, and m must be ignored. Here m = %d.", m);
        EXPECT_PIECE(w, OUT, expected, ROUNDING);
    }
}

TEST(decode_target, random_numbers_agree_with_the_reference) {
    struct random r = random_seed(1348);
    FOR_ALL_SIZES(z) {
        const struct work w = random_writer(&writer, *z, &r);
        EXPECT_FORWARD_FROM(z->n % 2 ? w : scattered(w), WRITTEN);
    }
}

/* The functions take_...() are given. This fails if they were changed by accident. */
TEST(decode_target, the_given_functions_take_parameters_without_gaps) {
    /* vocabulary, d_model, heads, d_ff, blocks of both, and the number of parameters: for the
       writer 31 * 48, two blocks of 4 * 48 * 48 + 2 * 48 * 96 + 5 * 48 + 96, and 2 * 48 */
    static const int all[][7] = {
        {31, 48, 4, 96, 0, 2, 39120}, {5, 6, 2, 3, 2, 1, 849}, {5, 6, 2, 3, 0, 1, 255}};
    for (int i = 0; i < 3; i++) {
        const int *of = all[i], used = of[6];
        struct room room = {fill(used, 0.0, vector_new("weights", used)), 0};
        const struct transformer w =
            take_transformer(&room, of[0], of[1], of[2], of[3], of[4], of[5]);
        const double *first = of[4] ? w.encoder[0].self.gain : w.decoder[0].self.gain;
        EXPECT_THAT(room.used == used,
                    "take_transformer: %d numbers were taken, but it should be %d", room.used,
                    used);
        EXPECT_THAT(w.table == room.numbers && first == room.numbers + of[0] * of[1] &&
                        w.out_bias + of[1] == room.numbers + used,
                    "take_transformer: the table is not the first piece, the first block not the "
                    "second, or out_bias not the last");
    }
    NEW_VECTOR_FILLED(numbers, 1000, 0.0);
    struct room room = {numbers, 0};
    const struct transformer w = take_transformer(&room, 5, 6, 2, 3, 0, 1);
    struct transformer_values v = take_transformer_values(&room, &w, 2, 0);
    NEW_MATRIX_FILLED(P, 2, 6, 0.0);
    NEW_MATRIX(logits, 2, 5);
    NEW_MATRIX_FILLED(zeroes, 2, 5, 0.0);
    decode_target(2, 0, &w, words_from("words", 2, (const double[]){1, 0}), P, NULL, &v, logits);
    BECAUSE("All parameters are 0 here.");
    EXPECT_MATRIX(2, 5, zeroes, logits, EXACTLY);
}

TEST(decode_target, tokens_memory_and_parameters_do_not_change) {
    struct random r = random_seed(1349);
    const struct work w = with_room(random_writer(&writer, all_sizes[0], &r)),
                      other = with_room(random_writer(&writer, all_sizes[8], &r));
    EXPECT_KEPT(w, run, LAST_GIVEN);
    EXPECT_KEPT(other, run, LAST_GIVEN);
}

TEST(decode_target, two_threads_may_decode_at_once) {
    struct random r = random_seed(1350);
    EXPECT_NO_TRACE(random_writer(&writer, all_sizes[0], &r),
                    random_writer(&writer, all_sizes[8], &r));
}

/* decode_target_backward */

TEST(decode_target_backward, the_table_gets_two_gradients) {
    const struct work w = yours_back(obvious(worked_writer(&writer)), 0.0, 0.0);
    BECAUSE(
        "Only the logit of token 0 after token 2 has a gradient, so only row 0 of d_out is not 0.");
    EXPECT_PUT_D(w, OUT_ROWS, 0, 2, 0, 1, 0, 0, 0, 0);
    EXPECT_PUT_D(w, OUT_GAIN, 0, -2, 0, 1);
    BECAUSE("After the layer norm the gradient is {-.5, 1, -1, .5}, and the block adds nothing.");
    EXPECT_PUT_D(w, WRITTEN, -0.5, 1, -1, 0.5, 0, 0, 0, 0, -0.5, 1, -1, 0.5, 0, 0, 0, 0);
    BECAUSE("As output, row 0 gains {1, -1, -1, 1}, which is row 0 of out. As input, row 2 gains 2 "
            "times row 0 of d_written[0].");
    EXPECT_PUT_D(w, TABLE, 1, -1, -1, 1, 0, 0, 0, 0, -1, 2, -2, 1);
}

TEST(decode_target_backward, gradients_of_a_decoder_only_model_agree_with_the_reference) {
    struct random r = random_seed(1373);
    EXPECT_BACK(obvious(random_writer(&writer, square_alone, &r)), 0.0, 0.0);
}

TEST(decode_target_backward, all_gradients_are_added_to_earlier_ones) {
    struct random r = random_seed(1363);
    EXPECT_BACK(obvious(random_writer(&writer, square, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_writer(&writer, square_alone, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_writer(&writer, all_sizes[0], &r)), 10.0, 0.0);
}

TEST(decode_target_backward, gradients_already_in_d_v_are_passed_on) {
    struct random r = random_seed(1364);
    EXPECT_BACK(obvious(random_writer(&writer, square_alone, &r)), 0.0, 0.5);
}

/* The value of token 1 is enormous in this block, and blocked for all queries, because 0 times
   infinity would be NaN. */
static void expect_masked_back(int line, enum piece V, struct random *r) {
    NEW_MASK_FILLED(blocked, 3, 3, false);
    for (int i = 0; i < 3; i++)
        blocked[i][1] = true;
    struct work given = random_writer(&writer, square_alone, r);
    given.blocked = blocked;
    given = obvious(given);
    const double *expected = obvious_back(given, 0.0).d[WRITTEN];
    fill(3, 1e200, (double *)given.at[V] + 3);
    scale_into(9, 1e150, given.d[OUT], given.d[OUT]);
    const struct work w = yours_back(given, 0.0, 0.0);
    scale_into(27, 1e-150, w.d[WRITTEN], w.d[WRITTEN]);
    BECAUSE("The value of token 1 is enormous in block %d, but blocked for all queries, so no "
            "gradient passes through it. d_written is shown in units of 1e150.",
            V == D1_SELF_V);
    expect_array(line, "d_written", its(&w, WRITTEN).dims, expected, w.d[WRITTEN], ROUNDING);
}

TEST(decode_target_backward, the_first_block_has_the_mask_in_the_backward_pass) {
    struct random r = random_seed(1366);
    expect_masked_back(__LINE__, D0_SELF_V, &r);
}

TEST(decode_target_backward, the_last_block_has_the_mask_in_the_backward_pass) {
    struct random r = random_seed(1372);
    expect_masked_back(__LINE__, D1_SELF_V, &r);
}

static struct work smooth_writer(struct sizes z, struct random *r) {
    for (;;) {
        const struct work w = obvious(random_writer(&writer, z, r));
        const struct transformer t = weights_in(&w, w.at);
        if (has_slopes(z.n, &t.decoder[0].forward, w.at[D0_FORWARD_SCALED]) &&
            (z.n_decoders < 2 || has_slopes(z.n, &t.decoder[1].forward, w.at[D1_FORWARD_SCALED])))
            return w;
    }
}

TEST(decode_target_backward, without_encoder_blocks_the_backward_pass_ignores_m) {
    struct random r = random_seed(1367);
    struct work given = obvious(random_writer(&writer, square_alone, &r));
    const double *expected = obvious_back(given, 0.0).d[TABLE];
    given.z.m = 5;
    const struct work w = yours_back(given, 0.0, 0.0);
    BECAUSE("n_encoders is 0, so there is no memory, and m must be ignored. Here m = 5.");
    EXPECT_D(w, TABLE, expected, ROUNDING);
}

TEST(decode_target_backward, all_gradients_agree_with_a_gradient_check) {
    struct random r = random_seed(1380);
    EXPECT_SLOPES(smooth_writer((struct sizes){2, 3, 4, 3, 2, 2, 2, 5, 2, 1}, &r), run);
    EXPECT_SLOPES(smooth_writer((struct sizes){2, 0, 4, 3, 2, 2, 2, 4, 0, 2}, &r), run);
}

TEST(decode_target_backward, random_gradients_agree_with_the_reference) {
    struct random r = random_seed(1369);
    FOR_ALL_SIZES(z) {
        const struct work w = random_writer(&writer, *z, &r);
        EXPECT_BACK(obvious(z->n % 2 ? w : scattered(w)), 1.0, 0.0);
    }
}

TEST(decode_target_backward, values_of_the_forward_pass_do_not_change) {
    struct random r = random_seed(1370);
    const struct work w = with_gradients(obvious(random_writer(&writer, all_sizes[0], &r)), 0.0,
                                         0.0),
                      other = with_gradients(obvious(random_writer(&writer, all_sizes[8], &r)), 0.0,
                                             0.0);
    EXPECT_KEPT(w, run_back, OUT);
    EXPECT_KEPT(other, run_back, OUT);
}

TEST(decode_target_backward, two_threads_may_run_backward_at_once) {
    struct random r = random_seed(1371);
    EXPECT_NO_TRACE_BACK(random_writer(&writer, all_sizes[0], &r),
                         random_writer(&writer, all_sizes[8], &r));
}

/* Laws of the functions (common/testing/laws.h). */

static const struct sizes few = {2, 3, 4, 5, 2, 1, 3, 6, 1, 1};

LAWS(decode_target) {
    struct random r = random_seed(1);
    probe_forward(random_writer(&writer, few, &r));
}

LAWS(decode_target_backward) {
    struct random r = random_seed(1);
    probe_backward(random_writer(&writer, few, &r), false);
}
