/* Lesson 07: what seq2seq.h promises of the decoder's step: with a context that it is given, and
   with one of its own, by a look back at the encoder's states. */
#include "places.h"

#include "../jacobian.h"

#include <math.h>

static void run_write(const struct work *w) {
    const struct context_decoder decoder = decoder_in(w, w->at);
    const struct context_decoder_values v = decoder_values_in(w, w->at);
    decoder_step(&decoder, w->at[AT_Y], w->at[AT_C], w->at[AT_S], &v, w->at[AT_NEXT]);
}

static void run_write_back(const struct work *w) {
    const struct context_decoder decoder = decoder_in(w, w->at), d_decoder = decoder_in(w, w->d);
    const struct context_decoder_values v = decoder_values_in(w, w->at),
                                        d_v = decoder_values_in(w, w->d);
    decoder_step_backward(&decoder, w->at[AT_S], &v, w->d[AT_NEXT], &d_v, &d_decoder, w->d[AT_Y],
                          w->d[AT_C], w->d[AT_S]);
}

static void obvious_write(const struct work *w) {
    void *const *at = w->at;
    double *input = at[AT_INPUT];
    memcpy(input, at[AT_Y], (size_t)w->z.d_in * sizeof *input);
    memcpy(input + w->z.d_in, at[AT_C], (size_t)w->z.d_k * sizeof *input);
    obvious_gru(w->z.d_in + w->z.d_k, w->z.d, at[AT_W], at[AT_U], input, at[AT_S], at[AT_GATES],
                at[AT_HEARD], at[AT_NEXT]);
}

static void obvious_write_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    const double *d_input = d[AT_INPUT];
    obvious_gru_back(w->z.d_in + w->z.d_k, w->z.d, at[AT_W], at[AT_U], at[AT_INPUT], at[AT_S],
                     at[AT_GATES], at[AT_HEARD], d[AT_NEXT], d[AT_GATES], d[AT_HEARD], d[AT_W],
                     d[AT_U], d[AT_INPUT], d[AT_S]);
    add_into(w->z.d_in, d_input, d[AT_Y]);
    add_into(w->z.d_k, d_input + w->z.d_in, d[AT_C]);
}

static const struct function writing = {
    WRITE,
    run_write,
    run_write_back,
    obvious_write,
    obvious_write_back,
    AT_NEXT,
    {AT_W, AT_U, AT_Y, AT_C, AT_S},
    {AT_INPUT, AT_HEARD, AT_GATES, AT_NEXT},
    {AT_GATES, AT_HEARD, AT_INPUT, AT_Y, AT_C, AT_S, AT_W, AT_U},
};

/* One score of additive attention; leaves what is in the hidden layer. */
static double obvious_score(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                            const double *v_a, const void *s, const void *state, double *hidden) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double score = 0.0;
    for (int a = 0; a < d_a; a++) {
        hidden[a] = tanh(sum_of_products(d, W_q[a], s) + sum_of_products(d_k, W_k[a], state));
        score += v_a[a] * hidden[a];
    }
    return score;
}

static void obvious_context(int n, int d, int d_k, int d_a, const void *W_q, const void *W_k,
                            const void *v_a, const void *states, const void *s, void *layer,
                            double *weights, void *c) {
    const double(*H)[d_k] = states;
    double(*hidden)[d_a] = layer, sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += weights[j] = exp(obvious_score(d, d_k, d_a, W_q, W_k, v_a, s, H[j], hidden[j]));
    scale_into(n, 1.0 / sum, weights, weights);
    product(1, n, d_k, (const void *)weights, H, c);
}

/* What the score of one state means for whoever asked, the state, and the network between them. */
static void obvious_score_back(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                               const double *v_a, const double *s, const double *state,
                               const double *hidden, double d_score, void *d_for_s, void *d_for_H,
                               double *d_v_a, double *d_s, double *d_state) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double(*d_W_q)[d] = d_for_s, (*d_W_k)[d_k] = d_for_H;
    for (int a = 0; a < d_a; a++) {
        const double d_sum = d_score * v_a[a] * (1.0 - hidden[a] * hidden[a]);
        d_v_a[a] += d_score * hidden[a];
        for (int i = 0; i < d; i++) {
            d_W_q[a][i] += d_sum * s[i];
            d_s[i] += d_sum * W_q[a][i];
        }
        for (int i = 0; i < d_k; i++) {
            d_W_k[a][i] += d_sum * state[i];
            d_state[i] += d_sum * W_k[a][i];
        }
    }
}

static void run_look(const struct work *w) {
    const struct attention_decoder decoder = looking_in(w, w->at);
    const struct attention_decoder_values v = looking_values_in(w, w->at);
    attention_step(w->z.n, &decoder, w->at[AT_Y], w->at[AT_H], w->at[AT_S], &v, w->at[AT_NEXT]);
}

static void run_look_back(const struct work *w) {
    const struct attention_decoder decoder = looking_in(w, w->at), d_decoder = looking_in(w, w->d);
    const struct attention_decoder_values v = looking_values_in(w, w->at),
                                          d_v = looking_values_in(w, w->d);
    attention_step_backward(w->z.n, &decoder, w->at[AT_H], w->at[AT_S], &v, w->d[AT_NEXT], &d_v,
                            &d_decoder, w->d[AT_Y], w->d[AT_H], w->d[AT_S]);
}

static void obvious_look(const struct work *w) {
    void *const *at = w->at;
    obvious_context(w->z.n, w->z.d, w->z.d_k, w->z.d_a, at[AT_W_Q], at[AT_W_K], at[AT_V_A],
                    at[AT_H], at[AT_S], at[AT_HIDDEN], at[AT_WEIGHTS], at[AT_C]);
    obvious_write(w);
}

static void obvious_look_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    const int n = w->z.n, d_k = w->z.d_k;
    const double *weights = at[AT_WEIGHTS], *d_c = d[AT_C], (*H)[d_k] = at[AT_H];
    double(*hidden)[w->z.d_a] = at[AT_HIDDEN], (*d_H)[d_k] = d[AT_H];
    obvious_write_back(w);
    NEW_MATRIX(d_weights, 1, n);
    NEW_MATRIX(d_scores, 1, n);
    product_by_rows(1, d_k, n, (const void *)d_c, at[AT_H], d_weights);
    obvious_d_scores(1, n, at[AT_WEIGHTS], d_weights, d_scores);
    for (int j = 0; j < n; j++) {
        obvious_score_back(w->z.d, d_k, w->z.d_a, at[AT_W_Q], at[AT_W_K], at[AT_V_A], at[AT_S],
                           H[j], hidden[j], d_scores[0][j], d[AT_W_Q], d[AT_W_K], d[AT_V_A],
                           d[AT_S], d_H[j]);
        for (int i = 0; i < d_k; i++)
            d_H[j][i] += weights[j] * d_c[i];
    }
}

static const struct function looking = {
    LOOK,
    run_look,
    run_look_back,
    obvious_look,
    obvious_look_back,
    AT_NEXT,
    {AT_W_Q, AT_W_K, AT_V_A, AT_W, AT_U, AT_Y, AT_H, AT_S},
    {AT_WEIGHTS, AT_HIDDEN, AT_C, AT_INPUT, AT_HEARD, AT_GATES, AT_NEXT},
    {AT_GATES, AT_HEARD, AT_INPUT, AT_C, AT_H, AT_S, AT_V_A, AT_W_Q, AT_W_K, AT_W, AT_U, AT_Y},
};

/* decoder_step */

static struct work worked_write(void) {
    struct work w = {.f = &writing, .z = {.n = 1, .d_in = 1, .d = 1, .d_k = 2}};
    PUT(w, AT_W, -0.5, 0, 1, 0.5, 1, 0, 0, -1, 0.5);
    PUT(w, AT_U, 1, 0, 2);
    PUT(w, AT_Y, 0.75);
    PUT(w, AT_C, 0.5, -1);
    PUT(w, AT_S, -0.4);
    return w;
}

static void the_worked_step_of_the_decoder_comes_out(void) {
    struct work w = your_work(worked_write());
    EXPECT_PUT(w, AT_INPUT, 0.75, 0.5, -1);
    EXPECT_PUT(w, AT_HEARD, -0.4, 0, -0.8);
    EXPECT_PUT(w, AT_GATES, 0.3717, 0.8176, -0.3834);
    EXPECT_PUT(w, AT_NEXT, -0.3896);
    PUT(w, AT_Y, 1.0 / 3); /* each byte of these numbers counts */
    PUT(w, AT_C, -1.0 / 7, 1.0 / 11);
    w = your_work(w);
    EXPECT_PUT(w, AT_INPUT, 1.0 / 3, -1.0 / 7, 1.0 / 11);
}

static void the_word_comes_first_and_the_context_behind_it(void) {
    struct random r = random_seed(751);
    struct work given = random_work(&writing, (struct sizes){1, 2, 2, 3, 0}, &r);
    PUT(given, AT_Y, 0.25, -0.5);
    PUT(given, AT_C, 1, 2, -3);
    const struct work w = your_work(given);
    EXPECT_PUT(w, AT_INPUT, 0.25, -0.5, 1, 2, -3);
    EXPECT_FORWARD(given);
}

AGREES(random_steps_agree_with_the_obvious_way, writing, all_dimensions, 753)

KEEPS_NOTHING(two_threads_may_write_at_once, writing, all_dimensions, 754)

/* decoder_step_backward */

static void the_worked_step_goes_back_to_word_context_and_state(void) {
    struct work w = obvious_work(worked_write());
    PUT_D(w, AT_NEXT, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_GATES, -0.0039, -0.0639, 0.5359);
    EXPECT_PUT_D(w, AT_HEARD, -0.0039, -0.0639, 0.4382);
    EXPECT_PUT_D(w, AT_INPUT, 0.5379, -0.0659, 0.3319);
    EXPECT_PUT_D(w, AT_Y, 0.5379);
    EXPECT_PUT_D(w, AT_C, -0.0659, 0.3319);
    EXPECT_PUT_D(w, AT_S, 1.2442);
    EXPECT_PUT_D(w, AT_W, -0.0029, -0.0480, 0.4020, -0.0019, -0.0320, 0.2680, 0.0039, 0.0639,
                 -0.5359);
    EXPECT_PUT_D(w, AT_U, 0.0015, 0.0256, -0.1753);
}

ADDS(a_step_adds_to_its_gradients_and_what_waits_goes_on, writing, all_dimensions, AT_U, 0.5, 10.0,
     756)
GOES_BY_WHAT_IS_LEFT(a_step_goes_back_by_what_it_left, writing, all_dimensions, AT_C, 758)
IS_MEASURED(all_gradients_of_a_step_are_what_nudging_measures, writing, all_dimensions, 757)

KEEPS_NOTHING_BACK(two_threads_may_go_back_at_once, writing, all_dimensions, 755)

/* attention_step */

/* Only the candidate of the step is not 0. */
static struct work look_with(struct work w) {
    PUT(w, AT_W, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 0, 0.2, 0.2, 0, 0, 0, 0, 0.3, 0.3, 0, 0, 0, 0, 0.4,
        0.4);
    PUT(w, AT_U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    PUT(w, AT_Y, 1);
    return w;
}

static struct work worked_look(void) {
    struct work w = {.f = &looking, .z = {.n = 4, .d_in = 1, .d = 2, .d_k = 3, .d_a = 5}};
    PUT(w, AT_W_Q, 0.5, 1, -1, 0.25, 0, 0.5, 0.5, -0.5, 1, 0);
    PUT(w, AT_W_K, 1, 0, 0.5, 0.25, -1, 1, -0.5, 0.5, 0, 0, 1, -0.5, 0.5, 0.25, -1);
    PUT(w, AT_V_A, 1, -0.5, 0.5, -1, 0.25);
    w = look_with(w);
    PUT(w, AT_H, 1, 0, 1, 0, 1, 0, 1, 1, -1, -1, 0.5, 2);
    PUT(w, AT_S, 1, -0.5);
    return w;
}

/* Lesson 04's example, as `make show-07` shows it. */
static struct work shown_look(double first, double second) {
    struct work w = {.f = &looking, .z = {.n = 3, .d_in = 1, .d = 2, .d_k = 3, .d_a = 2}};
    PUT(w, AT_W_Q, 0.5, 1, -1, 0.25);
    PUT(w, AT_W_K, 1, 0, 0.5, 0.25, -1, 1);
    PUT(w, AT_V_A, 1, -0.5);
    w = look_with(w);
    PUT(w, AT_H, 1, 0, 1, 0, 1, 0, 1, 1, -1);
    PUT(w, AT_S, first, second);
    return w;
}

/* Weights, context and next state to four decimals, the rest by the obvious way. */
static void expect_look(int line, struct work given, const double *weights, const double *c,
                        const double *next) {
    const struct work w = your_work(given), expected = obvious_work(given);
    for (const enum place *p = given.f->outputs; *p; p++) {
        const double *worked = *p == AT_WEIGHTS ? weights
                               : *p == AT_C     ? c
                               : *p == AT_NEXT  ? next
                                                : expected.at[*p];
        expect_place(line, &w, *p, d_names[*p] + 2, worked, w.at[*p], FOUR_DECIMALS);
    }
}
#define EXPECT_LOOK(given, ...) expect_look(__LINE__, given, __VA_ARGS__)

static void the_worked_states_look_back(void) {
    const double weights[4] = {0.3514, 0.2096, 0.2631, 0.1759}, c[3] = {0.4386, 0.5606, 0.4402};
    const double next[2] = {0.7434, -0.0066};
    EXPECT_LOOK(worked_look(), weights, c, next);
    const double shown_weights[3] = {0.2760, 0.3058, 0.4183}, shown_next[2] = {0.6896, 0.1896};
    const double shown_c[3] = {0.6942, 0.7240, -0.1423};
    EXPECT_LOOK(shown_look(1, 0), shown_weights, shown_c, shown_next);
    const double other_weights[3] = {0.1999, 0.3447, 0.4554}, other_next[2] = {0.1765, 0.6765};
    const double other_c[3] = {0.6553, 0.8001, -0.2556};
    EXPECT_LOOK(shown_look(0, 1), other_weights, other_c, other_next);
}

/* All sizes are 2 here but the number of states, so that whoever asks and answers wrongly fits. */
static struct work square_look(void) {
    struct random r = random_seed(759);
    return random_work(&looking, (struct sizes){3, 2, 2, 2, 2}, &r);
}

static void the_state_asks_before_it_reads_the_word(void) {
    EXPECT_FORWARD(square_look());
}

/* The same, but with the encoder's states in reverse order. */
static struct work turned_round(struct work w) {
    const int n = w.z.n, d_k = w.z.d_k;
    const double(*H)[d_k] = w.at[AT_H];
    double(*turned)[d_k] = w.at[AT_H] = new_place(&w, AT_H, "H");
    for (int j = 0; j < n; j++)
        memcpy(turned[j], H[n - 1 - j], sizeof turned[j]);
    return w;
}

static void turning_the_states_round_turns_the_weights_round(void) {
    struct random r = random_seed(760);
    const struct work given = random_work(&looking, (struct sizes){5, 2, 4, 3, 6}, &r);
    const struct work before = your_work(given), w = your_work(turned_round(given));
    const double *plain = before.at[AT_WEIGHTS], *c = w.at[AT_C], *weights = w.at[AT_WEIGHTS];
    NEW_MATRIX(expected, 1, 5);
    for (int j = 0; j < 5; j++) {
        BECAUSE("The encoder has 5 states here, and each has a weight.");
        EXPECT_THAT(!is_unset(plain[j]), "weights[0][%d] was never set", j);
        expected[0][4 - j] = plain[j];
    }
    BECAUSE("The encoder's states changed places here. Each state's weight depends on what is in "
            "it, not on where it stands.");
    EXPECT_MATRIX(1, 5, expected, weights, ROUNDING);
    BECAUSE("The encoder's states changed places here, and their weights with them: the context is "
            "the same sum as before.");
    EXPECT_MATRIX(1, 3, before.at[AT_C], c, ROUNDING);
}

static void every_state_of_the_encoder_has_a_say(void) {
    const struct work given = square_look();
    const double *before = your_work(given).at[AT_NEXT];
    double(*H)[2] = given.at[AT_H];
    for (int j = 0; j < 3; j++) {
        H[j][1] += 1.0;
        const double *after = your_work(given).at[AT_NEXT];
        BECAUSE("A decoder that does not see the text it was given only makes up a text.");
        EXPECT_THAT(fabs(after[0] - before[0]) > 1e-6, "H[%d] changed, and next did not", j);
        H[j][1] -= 1.0;
    }
}

AGREES(random_looks_agree_with_the_obvious_way, looking, all_dimensions, 762)

KEEPS_NOTHING(two_threads_may_look_at_once, looking, all_dimensions, 761)

/* The take_...() are given; who changed them by accident reads it here. */
static void what_is_given_takes_a_decoder_without_gaps(void) {
    NEW_VECTOR(numbers, 200);
    struct room room = {numbers, 0};
    const struct attention_decoder w = take_attention_decoder(&room, 1, 2, 3, 4);
    const struct attention_decoder_values v = take_attention_decoder_values(&room, &w, 5);
    const struct context_decoder *d = &w.decoder;
    EXPECT_THAT(w.d_a == 4 && d->d_word == 1 && d->d_context == 2 && d->gru.d_in == 3 &&
                    d->gru.d == 3,
                "take_attention_decoder: a size is not what it was called with");
    const void *starts[10] = {w.W_q,    w.W_k,     w.v_a, d->gru.W,        d->gru.U,
                              v.hidden, v.weights, v.c,   v.decoder.input, v.decoder.gru.gates};
    const int offsets[10] = {0, 12, 20, 24, 51, 78, 98, 103, 105, 108};
    for (int i = 0; i < 10; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "piece %d is elsewhere", i);
    EXPECT_THAT(room.used == 126, "%d numbers were taken; it should be 126", room.used);
    NEW_MATRIX_FILLED(y, 1, 1, 1.0);
    NEW_MATRIX_FILLED(H, 5, 2, 3.0);
    NEW_MATRIX_OF(s, 1, 3, {0.5, -3, 1});
    NEW_MATRIX(next, 1, 3);
    fill(126, 0.0, numbers);
    attention_step(5, &w, y, H, s, &v, next);
    const double expected[1][3] = {{0.25, -1.5, 0.5}};
    BECAUSE("All matrices are 0 here: z is a half, and the candidate is 0.");
    EXPECT_MATRIX(1, 3, expected, next, ROUNDING);
}

/* attention_step_backward */

static void the_worked_look_goes_back_to_state_and_encoder(void) {
    struct work w = obvious_work(worked_look());
    PUT_D(w, AT_NEXT, 1, -2);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_C, -0.0763, -0.1144, -0.1526);
    EXPECT_PUT_D(w, AT_H, -0.0270, -0.0346, -0.0507, -0.0076, -0.0222, -0.0271, -0.0017, -0.0235,
                 -0.0267, -0.0285, -0.0151, -0.0358);
    EXPECT_PUT_D(w, AT_S, 0.4991, -0.9999);
    EXPECT_PUT_D(w, AT_V_A, -0.0050, -0.0488, -0.0011, 0.0318, 0.0504);
}

ADDS(a_look_adds_to_its_gradients_and_what_waits_goes_on, looking, all_dimensions, AT_U, 0.5, 10.0,
     764)
GOES_BY_WHAT_IS_LEFT(a_look_goes_back_by_what_it_left, looking, all_dimensions, AT_S, 765)
IS_MEASURED(all_gradients_of_a_look_are_what_nudging_measures, looking, all_dimensions, 766)

static void what_has_no_gradient_stays_as_it_is(void) {
    struct random r = random_seed(768);
    const struct work w =
        yours_back(obvious_work(random_work(&looking, all_dimensions[0], &r)), 0.5, 10);
    for (enum place p = AT_HIDDEN; p <= AT_WEIGHTS; p++) {
        NEW_VECTOR_FILLED(as_it_was, count_of(&w, p), 10);
        BECAUSE("Of hidden and weights no gradient is kept: lesson 04's way back needs none.");
        expect_place(__LINE__, &w, p, p == AT_HIDDEN ? "d_v->hidden" : "d_v->weights", as_it_was,
                     w.d[p], 0.0);
    }
}

KEEPS_NOTHING_BACK(two_threads_may_go_back_from_a_look_at_once, looking, all_dimensions, 763)

const struct lesson_test decoder_tests[] = {
    TEST(decoder_step, the_worked_step_of_the_decoder_comes_out),
    TEST(decoder_step, the_word_comes_first_and_the_context_behind_it),
    TEST(decoder_step, random_steps_agree_with_the_obvious_way),
    TEST(decoder_step, two_threads_may_write_at_once),
    TEST(decoder_step_backward, the_worked_step_goes_back_to_word_context_and_state),
    TEST(decoder_step_backward, a_step_adds_to_its_gradients_and_what_waits_goes_on),
    TEST(decoder_step_backward, a_step_goes_back_by_what_it_left),
    TEST(decoder_step_backward, all_gradients_of_a_step_are_what_nudging_measures),
    TEST(decoder_step_backward, two_threads_may_go_back_at_once),
    TEST(attention_step, the_worked_states_look_back),
    TEST(attention_step, the_state_asks_before_it_reads_the_word),
    TEST(attention_step, turning_the_states_round_turns_the_weights_round),
    TEST(attention_step, every_state_of_the_encoder_has_a_say),
    TEST(attention_step, random_looks_agree_with_the_obvious_way),
    TEST(attention_step, what_is_given_takes_a_decoder_without_gaps),
    TEST(attention_step, two_threads_may_look_at_once),
    TEST(attention_step_backward, the_worked_look_goes_back_to_state_and_encoder),
    TEST(attention_step_backward, a_look_adds_to_its_gradients_and_what_waits_goes_on),
    TEST(attention_step_backward, a_look_goes_back_by_what_it_left),
    TEST(attention_step_backward, all_gradients_of_a_look_are_what_nudging_measures),
    TEST(attention_step_backward, what_has_no_gradient_stays_as_it_is),
    TEST(attention_step_backward, two_threads_may_go_back_from_a_look_at_once),
    END_OF_TESTS,
};
