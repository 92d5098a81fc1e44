/* Lesson 07: what seq2seq.h promises of the encoder: a GRU's step, two readers, and the sentence
   vector. */
#include "places.h"

#include <math.h>
#include <stdio.h>

/* z.n steps of a GRU, which do not follow each other. */
static void run_step(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[AT_WORD], (*h)[d] = w->at[AT_STATE], (*next)[d] = w->at[AT_NEXT];
    const struct gru gru = gru_in(w, w->at);
    for (int i = 0; i < w->z.n; i++) {
        const struct gru_values v = values_in(w, w->at, i);
        gru_step(&gru, &x[i], &h[i], &v, &next[i]);
    }
}

static void run_step_back(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[AT_WORD], (*h)[d] = w->at[AT_STATE], (*d_next)[d] = w->d[AT_NEXT];
    double(*d_x)[d_in] = w->d[AT_WORD], (*d_h)[d] = w->d[AT_STATE];
    const struct gru gru = gru_in(w, w->at), d_gru = gru_in(w, w->d);
    for (int i = 0; i < w->z.n; i++) {
        const struct gru_values v = values_in(w, w->at, i), d_v = values_in(w, w->d, i);
        gru_step_backward(&gru, &x[i], &h[i], &v, &d_next[i], &d_v, &d_gru, &d_x[i], &d_h[i]);
    }
}

static void obvious_step(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[AT_WORD], (*h)[d] = w->at[AT_STATE], (*next)[d] = w->at[AT_NEXT];
    double(*gates)[3 * d] = w->at[AT_GATES], (*heard)[3 * d] = w->at[AT_HEARD];
    for (int i = 0; i < w->z.n; i++)
        obvious_gru(d_in, d, w->at[AT_W], w->at[AT_U], x[i], h[i], gates[i], heard[i], next[i]);
}

static void obvious_step_back(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[AT_WORD], (*h)[d] = w->at[AT_STATE], (*d_next)[d] = w->d[AT_NEXT];
    double(*gates)[3 * d] = w->at[AT_GATES], (*heard)[3 * d] = w->at[AT_HEARD];
    double(*d_gates)[3 * d] = w->d[AT_GATES], (*d_heard)[3 * d] = w->d[AT_HEARD];
    double(*d_x)[d_in] = w->d[AT_WORD], (*d_h)[d] = w->d[AT_STATE];
    for (int i = 0; i < w->z.n; i++)
        obvious_gru_back(d_in, d, w->at[AT_W], w->at[AT_U], x[i], h[i], gates[i], heard[i],
                         d_next[i], d_gates[i], d_heard[i], w->d[AT_W], w->d[AT_U], d_x[i], d_h[i]);
}

static const struct function step = {
    STEP,
    run_step,
    run_step_back,
    obvious_step,
    obvious_step_back,
    AT_NEXT,
    {AT_W, AT_U, AT_WORD, AT_STATE},
    {AT_HEARD, AT_GATES, AT_NEXT},
    {AT_GATES, AT_HEARD, AT_STATE, AT_WORD, AT_W, AT_U},
};

/* The word that a reader reads at its step k, and the state from before that, in H or at the start:
   for gradients, d_H or d_start. */
static int word_at(int reader, int k, int n) {
    return reader == 0 ? k : n - 1 - k;
}

static double *state_before(int n, int d, void *states, void *begin, int reader, int k) {
    double(*H)[2][d] = states, (*start)[d] = begin;
    return k == 0 ? start[reader] : H[word_at(reader, k - 1, n)][reader];
}

static void obvious_encode(int n, int d_in, int d, void *both_W, void *both_U, void *words,
                           void *start, void *all_gates, void *all_heard, void *states) {
    double(*W)[d_in][3 * d] = both_W, (*U)[d][3 * d] = both_U, (*X)[d_in] = words;
    double(*gates)[2][3 * d] = all_gates, (*heard)[2][3 * d] = all_heard, (*H)[2][d] = states;
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const int j = word_at(reader, k, n);
            obvious_gru(d_in, d, W[reader], U[reader], X[j],
                        state_before(n, d, H, start, reader, k), gates[j][reader], heard[j][reader],
                        H[j][reader]);
        }
}

static void run_encode(const struct work *w) {
    const struct two_readers both = readers_in(w, w->at);
    encode(w->z.n, both.w, w->at[AT_WORDS], w->at[AT_START], both.v, w->at[AT_H]);
}

static void run_encode_back(const struct work *w) {
    const struct two_readers both = readers_in(w, w->at), d_both = readers_in(w, w->d);
    encode_backward(w->z.n, both.w, w->at[AT_WORDS], w->at[AT_START], both.v, w->at[AT_H],
                    w->d[AT_H], d_both.v, d_both.w, w->d[AT_WORDS], w->d[AT_START]);
}

static void obvious_encoder(const struct work *w) {
    void *const *at = w->at;
    obvious_encode(w->z.n, w->z.d_in, w->z.d, at[AT_W], at[AT_U], at[AT_WORDS], at[AT_START],
                   at[AT_GATES], at[AT_HEARD], at[AT_H]);
}

static void obvious_encoder_back(const struct work *w) {
    const int n = w->z.n, d_in = w->z.d_in, d = w->z.d;
    double(*W)[d_in][3 * d] = w->at[AT_W], (*U)[d][3 * d] = w->at[AT_U],
                         (*X)[d_in] = w->at[AT_WORDS];
    double(*gates)[2][3 * d] = w->at[AT_GATES], (*heard)[2][3 * d] = w->at[AT_HEARD];
    double(*d_W)[d_in][3 * d] = w->d[AT_W], (*d_U)[d][3 * d] = w->d[AT_U],
                           (*d_H)[2][d] = w->d[AT_H];
    double(*d_gates)[2][3 * d] = w->d[AT_GATES], (*d_heard)[2][3 * d] = w->d[AT_HEARD];
    double(*d_X)[d_in] = w->d[AT_WORDS];
    for (int reader = 0; reader < 2; reader++)
        for (int k = n - 1; k >= 0; k--) {
            const int j = word_at(reader, k, n);
            obvious_gru_back(d_in, d, W[reader], U[reader], X[j],
                             state_before(n, d, w->at[AT_H], w->at[AT_START], reader, k),
                             gates[j][reader], heard[j][reader], d_H[j][reader], d_gates[j][reader],
                             d_heard[j][reader], d_W[reader], d_U[reader], d_X[j],
                             state_before(n, d, d_H, w->d[AT_START], reader, k));
        }
}

static const struct function reading = {
    READ,
    run_encode,
    run_encode_back,
    obvious_encoder,
    obvious_encoder_back,
    AT_H,
    {AT_W, AT_U, AT_WORDS, AT_START},
    {AT_H, AT_GATES, AT_HEARD},
    {AT_H, AT_START, AT_WORDS, AT_W, AT_U, AT_GATES, AT_HEARD},
};

/* gru_step */

/* The worked step, and below it one of the same GRU in which z and h are no halves. */
static struct work worked_step(void) {
    struct work w = {.f = &step, .z = {.n = 2, .d_in = 1, .d = 1}};
    PUT(w, AT_W, -0.5, 0, 1);
    PUT(w, AT_U, 1, 0, 2);
    PUT(w, AT_WORD, 1, 0.3);
    PUT(w, AT_STATE, 0.5, -0.4);
    return w;
}

/* Words and states of one size, so that what is exchanged or turned over has a shape that fits. */
static struct work square_step(void) {
    struct work w = {.f = &step, .z = {.n = 1, .d_in = 2, .d = 2}};
    PUT(w, AT_W, -0.5, 1, 0.25, -1, 1, 0.5, 1, 0.5, -0.75, 0.5, -1, 2);
    PUT(w, AT_U, 1, -0.5, 0.5, 2, 2, -1, 0.25, 1, -1, 0.5, 0.75, 1);
    PUT(w, AT_WORD, 1, -0.5);
    PUT(w, AT_STATE, 0.5, -0.25);
    return w;
}

static void the_worked_step_comes_out(void) {
    const struct work w = your_work(worked_step());
    EXPECT_PUT(w, AT_HEARD, 0.5, 0, 1, -0.4, 0, -0.8);
    EXPECT_PUT(w, AT_GATES, 0.5, 0.5, 0.9051, 0.3659, 0.5, -0.0997);
    EXPECT_PUT(w, AT_NEXT, 0.7026, -0.2095);
}

static void with_two_numbers_each_gate_has_its_place(void) {
    EXPECT_FORWARD(square_step());
}

/* U is 0, and so is what W makes of the word but for z. */
static void an_open_gate_keeps_the_state_and_a_closed_one_forgets_it(void) {
    for (int sign = -1; sign <= 1; sign += 2) {
        struct work w = {.f = &step, .z = {.n = 1, .d_in = 3, .d = 2}};
        PUT(w, AT_W, sign * 1e4, sign * 1e4, 0, 0, 0.25, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        PUT(w, AT_U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        PUT(w, AT_WORD, 1, 0, 0);
        const double *h = PUT(w, AT_STATE, 0.5, -3), news[2] = {tanh(0.25), tanh(-0.5)};
        w = your_work(w);
        BECAUSE("The sums of z are %g here, so z is %d: nothing but %s is left in the mixture.",
                sign * 1e4, sign > 0, sign > 0 ? "the old state" : "the candidate");
        expect_numbers(__LINE__, "next", 1, 2, sign > 0 ? h : news, w.at[AT_NEXT], 1e-12);
    }
}

AGREES(random_steps_of_a_gru_agree_with_the_obvious_way, step, all_readings, 701)

KEEPS_NOTHING(two_threads_may_step_at_once, step, all_readings, 717)

/* The take_...() are given; who changed them by accident reads it here. */
static void what_is_given_takes_w_and_v_without_gaps(void) {
    NEW_VECTOR(numbers, 100);
    struct room room = {numbers, 0};
    const struct gru w = take_gru(&room, 3, 2);
    const struct gru_values v = take_gru_values(&room, &w);
    EXPECT_THAT(w.d_in == 3 && w.d == 2, "take_gru: d_in is %d and d is %d", w.d_in, w.d);
    const void *starts[4] = {w.W, w.U, v.gates, v.heard};
    const int offsets[4] = {0, 18, 30, 36};
    for (int i = 0; i < 4; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "piece %d of take_gru is elsewhere", i);
    EXPECT_THAT(room.used == 42, "%d numbers were taken; it should be 42", room.used);
    NEW_MATRIX_FILLED(x, 1, 3, 1.0);
    NEW_MATRIX_OF(h, 1, 2, {0.5, -3});
    NEW_MATRIX(next, 1, 2);
    fill(42, 0.0, numbers);
    gru_step(&w, x, h, &v, next);
    const double expected[1][2] = {{0.25, -1.5}};
    BECAUSE("W and U are 0 here: z is a half, and the candidate is 0.");
    EXPECT_MATRIX(1, 2, expected, next, ROUNDING);
}

/* gru_step_backward */

static void the_worked_step_goes_back(void) {
    struct work w = obvious_work(worked_step());
    PUT_D(w, AT_NEXT, 1, -2);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_GATES, -0.1013, 0.0226, 0.0904, 0.1394, 0.2511, -1.2557);
    EXPECT_PUT_D(w, AT_HEARD, -0.1013, 0.0226, 0.0452, 0.1394, 0.2511, -0.6278);
    EXPECT_PUT_D(w, AT_STATE, 0.4891, -1.8480);
    EXPECT_PUT_D(w, AT_WORD, 0.1410, -1.3254);
    EXPECT_PUT_D(w, AT_W, -0.0595, 0.0979, -0.2863); /* of both steps */
    EXPECT_PUT_D(w, AT_U, -0.1064, -0.0892, 0.2737);
}

static void with_two_numbers_each_way_back_is_told_apart(void) {
    struct work w = obvious_work(square_step());
    PUT_D(w, AT_NEXT, 1, -2);
    EXPECT_BACK(NONE, w, 0.0, 0.0);
}

static void all_six_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(702);
    EXPECT_BACK(AT_U, obvious_work(random_work(&step, (struct sizes){1, 4, 3, 0, 0}, &r)), 5.0,
                10.0);
}

IS_MEASURED(the_gradients_of_a_step_are_what_nudging_measures, step, all_readings, 703)
GOES_BY_WHAT_IS_LEFT(what_a_step_left_is_what_counts_on_the_way_back, step, all_readings, AT_WORD,
                     704)
ADDS(random_steps_go_back_as_the_obvious_way_does, step, all_readings, AT_U, 0.0, 0.0, 705)

KEEPS_NOTHING_BACK(two_threads_may_step_back_at_once, step, all_readings, 718)

/* encode */

/* Both readers have the GRU of the worked step. */
static struct work worked_sentence(void) {
    struct work w = {.f = &reading, .z = {.n = 3, .d_in = 1, .d = 1}};
    PUT(w, AT_W, -0.5, 0, 1, -0.5, 0, 1);
    PUT(w, AT_U, 1, 0, 2, 1, 0, 2);
    PUT(w, AT_WORDS, 1, -1, 2);
    PUT(w, AT_START, 0, 0);
    return w;
}

static void the_worked_sentence_is_read_in_both_directions(void) {
    const struct work w = your_work(worked_sentence()),
                      by_the_obvious_way = obvious_work(worked_sentence());
    const double(*heard)[2][3] = w.at[AT_HEARD], (*H)[2] = w.at[AT_H];
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < 3; k++) {
            const int j = word_at(reader, k, 3);
            BECAUSE("Reader 0 comes to word j from word j - 1, reader 1 from word j + 1. A step "
                    "there goes on from the state that was left in H[..][reader].");
            EXPECT_THAT(!is_made_of_unset(heard[j][reader][0]),
                        "heard[%d][%d] was made of a state that no step had left yet", j, reader);
        }
    const double expected[3][2] = {{0.4741, 0.6909}, {0.2120, 0.4760}, {0.7374, 0.7048}};
    EXPECT_MATRIX(3, 2, expected, H, FOUR_DECIMALS);
    for (enum place p = AT_GATES; p <= AT_HEARD; p++) {
        BECAUSE("What a reader's step at word j leaves belongs in [j][reader], as its state "
                "does.");
        expect_place(__LINE__, &w, p, d_names[p] + 2, by_the_obvious_way.at[p], w.at[p], ROUNDING);
    }
}

static void each_reader_has_its_own_matrices_and_start(void) {
    struct random r = random_seed(706);
    EXPECT_FORWARD(random_work(&reading, (struct sizes){3, 2, 2, 0, 0}, &r));
}

static void a_reader_knows_only_what_it_has_read(void) {
    struct random r = random_seed(708);
    const struct work given = random_work(&reading, (struct sizes){5, 3, 2, 0, 0}, &r);
    double(*X)[3] = given.at[AT_WORDS], (*before)[2][2] = your_work(given).at[AT_H];
    X[2][1] += 1.0;
    double(*H)[2][2] = your_work(given).at[AT_H];
    for (int j = 0; j < 5; j++)
        for (int reader = 0; reader < 2; reader++) {
            BECAUSE("There are n = 5 words here, and each reader reads all of them.");
            EXPECT_THAT(!is_unset(before[j][reader][0]), "H[%d][%d] was never set", j, reader);
            const bool has_read_it = reader == 0 ? j >= 2 : j <= 2;
            const bool same = are_alike(2, before[j][reader], H[j][reader], 0.0);
            BECAUSE("Reader 0 comes from the left, reader 1 from the right. What each has read is "
                    "in its state, and what it has not read is not.");
            EXPECT_THAT(has_read_it != same, "word 2 changed, and H[%d][%d] %s", j, reader,
                        same ? "stayed as it was" : "knew it");
        }
}

AGREES(random_sentences_are_read_as_the_obvious_way_does, reading, all_readings, 709)

KEEPS_NOTHING(two_threads_may_read_at_once, reading, all_readings, 719)

/* encode_backward */

static void the_worked_sentence_sends_its_gradient_back(void) {
    struct work w = obvious_work(worked_sentence());
    PUT_D(w, AT_H, 0, 1, 0, 0, 1, 0);
    w = yours_back(w, 0.0, 0.0);
    const double(*d_H)[2] = w.d[AT_H], (*d_W)[3] = w.d[AT_W], (*d_U)[3] = w.d[AT_U];
    const double expected_d_H[3][2] = {{0.2034, 1}, {0.1805, 0.4833}, {1, 0.5592}};
    const double expected_d_W[2][3] = {{-0.3992, -0.0022, 0.0796}, {-0.4032, -0.0133, 0.0510}};
    const double expected_d_U[2][3] = {{-0.0185, 0.0050, 0.0124}, {0.0094, 0.0362, 0.0588}};
    BECAUSE("d_H came as (0, 1), (0, 0), (1, 0). What a state owes to the one before it is added "
            "to that, and goes on from there.");
    EXPECT_MATRIX(3, 2, expected_d_H, d_H, FOUR_DECIMALS);
    EXPECT_PUT_D(w, AT_START, 0.0935, 0.0733);
    EXPECT_PUT_D(w, AT_WORDS, 0.2199, 0.0806, 0.1962);
    for (int reader = 0; reader < 2; reader++) {
        expect_numbers(__LINE__, reader ? "d_U[1]" : "d_U[0]", 1, 3, expected_d_U[reader],
                       d_U[reader], FOUR_DECIMALS);
        expect_numbers(__LINE__, reader ? "d_W[1]" : "d_W[0]", 1, 3, expected_d_W[reader],
                       d_W[reader], FOUR_DECIMALS);
    }
}

static void each_reader_goes_back_through_its_own(void) {
    struct random r = random_seed(710);
    EXPECT_BACK(NONE, obvious_work(random_work(&reading, (struct sizes){4, 2, 2, 0, 0}, &r)), 0.0,
                0.0);
}

static void the_gradients_of_a_sentence_are_added_to_what_is_there(void) {
    struct random r = random_seed(711);
    EXPECT_BACK(AT_START, obvious_work(random_work(&reading, (struct sizes){4, 3, 2, 0, 0}, &r)),
                0.0, 10.0);
}

IS_MEASURED(the_gradients_of_a_sentence_are_what_nudging_measures, reading, all_readings, 712)
GOES_BY_WHAT_IS_LEFT(what_reading_left_is_what_counts_on_the_way_back, reading, all_readings,
                     AT_WORDS, 713)
ADDS(random_sentences_go_back_as_the_obvious_way_does, reading, all_readings, AT_HEARD, 0.5, 0.0,
     714)

KEEPS_NOTHING_BACK(two_threads_may_unread_at_once, reading, all_readings, 720)

/* sentence_vector */

static void the_worked_states_make_a_sentence_vector(void) {
    NEW_BLOCK(H, 3, 2, 1);
    for (int i = 0; i < 6; i++)
        ((double *)H)[i] = (const double[6]){1, 6, 2, 5, 3, 4}[i];
    NEW_MATRIX(c, 2, 1);
    sentence_vector(3, 1, H, c);
    const double expected[2] = {3, 6};
    EXPECT_MATRIX(2, 1, expected, c, FOUR_DECIMALS);
}

/* The states of n words, at random, and the two that make the vector; `held` is in all others. */
static void every_number_of_both_states_is_taken(void) {
    struct random r = random_seed(715);
    FOR_ALL(z, all_readings) {
        NEW_BLOCK(H, z->n, 2, z->d);
        random_fill_normal(&r, z->n * 2 * z->d, H);
        NEW_MATRIX(c, 2, z->d);
        sentence_vector(z->n, z->d, H, c);
        NEW_MATRIX(expected, 2, z->d);
        memcpy(expected[0], H[z->n - 1][0], sizeof expected[0]);
        memcpy(expected[1], H[0][1], sizeof expected[1]);
        BECAUSE("n = %d and d = %d here.", z->n, z->d);
        EXPECT_MATRIX(2, z->d, expected, c, 0.0);
    }
}

static void two_threads_may_take_a_vector_at_once(void) {
    struct random r = random_seed(721);
    NEW_BLOCK(H, 3, 2, 4);
    NEW_BLOCK(other_H, 5, 2, 3);
    NEW_MATRIX(c, 2, 4);
    NEW_MATRIX(other_c, 2, 3);
    random_fill_normal(&r, 24, H);
    random_fill_normal(&r, 30, other_H);
    EXPECT_NOTHING_KEPT(sentence_vector(3, 4, H, c), sentence_vector(5, 3, other_H, other_c));
}

/* sentence_vector_backward */

static void the_worked_gradient_goes_to_two_states(void) {
    NEW_MATRIX_OF(d_c, 2, 1, {10}, {20});
    NEW_BLOCK(d_H, 3, 2, 1);
    sentence_vector_backward(3, 1, d_c, fill(6, 0.0, d_H));
    const double expected[3][2] = {{0, 20}, {0, 0}, {10, 0}};
    EXPECT_MATRIX(3, 2, expected, d_H, FOUR_DECIMALS);
}

static void what_two_states_gain_is_added_to_what_is_there(void) {
    struct random r = random_seed(716);
    FOR_ALL(z, all_readings) {
        NEW_MATRIX_RANDOM(d_c, 2, z->d, &r);
        NEW_BLOCK(d_H, z->n, 2, z->d);
        sentence_vector_backward(z->n, z->d, d_c, fill(z->n * 2 * z->d, 10.0, d_H));
        for (int j = 0; j < z->n; j++) {
            char name[24];
            snprintf(name, sizeof name, "d_H[%d]", j);
            NEW_MATRIX_FILLED(gained, 2, z->d, 0.0);
            if (j == z->n - 1)
                memcpy(gained[0], d_c[0], sizeof gained[0]);
            if (j == 0)
                memcpy(gained[1], d_c[1], sizeof gained[1]);
            BECAUSE("n = %d and d = %d here.", z->n, z->d);
            expect_added(__LINE__, name, 2, z->d, 10.0, gained, d_H[j]);
        }
    }
}

static void two_threads_may_give_a_gradient_at_once(void) {
    struct random r = random_seed(722);
    NEW_MATRIX_RANDOM(d_c, 2, 4, &r);
    NEW_MATRIX_RANDOM(other_d_c, 2, 3, &r);
    NEW_BLOCK(d_H, 3, 2, 4);
    NEW_BLOCK(other_d_H, 5, 2, 3);
    fill(24, 0.0, d_H);
    fill(30, 0.0, other_d_H);
    EXPECT_NOTHING_KEPT(sentence_vector_backward(3, 4, d_c, d_H),
                        sentence_vector_backward(5, 3, other_d_c, other_d_H));
}

const struct lesson_test encoder_tests[] = {
    TEST(gru_step, the_worked_step_comes_out),
    TEST(gru_step, with_two_numbers_each_gate_has_its_place),
    TEST(gru_step, an_open_gate_keeps_the_state_and_a_closed_one_forgets_it),
    TEST(gru_step, random_steps_of_a_gru_agree_with_the_obvious_way),
    TEST(gru_step, what_is_given_takes_w_and_v_without_gaps),
    TEST(gru_step, two_threads_may_step_at_once),
    TEST(gru_step_backward, the_worked_step_goes_back),
    TEST(gru_step_backward, with_two_numbers_each_way_back_is_told_apart),
    TEST(gru_step_backward, all_six_gradients_are_added_to_what_is_there),
    TEST(gru_step_backward, the_gradients_of_a_step_are_what_nudging_measures),
    TEST(gru_step_backward, what_a_step_left_is_what_counts_on_the_way_back),
    TEST(gru_step_backward, random_steps_go_back_as_the_obvious_way_does),
    TEST(gru_step_backward, two_threads_may_step_back_at_once),
    TEST(encode, the_worked_sentence_is_read_in_both_directions),
    TEST(encode, each_reader_has_its_own_matrices_and_start),
    TEST(encode, a_reader_knows_only_what_it_has_read),
    TEST(encode, random_sentences_are_read_as_the_obvious_way_does),
    TEST(encode, two_threads_may_read_at_once),
    TEST(encode_backward, the_worked_sentence_sends_its_gradient_back),
    TEST(encode_backward, each_reader_goes_back_through_its_own),
    TEST(encode_backward, the_gradients_of_a_sentence_are_added_to_what_is_there),
    TEST(encode_backward, the_gradients_of_a_sentence_are_what_nudging_measures),
    TEST(encode_backward, what_reading_left_is_what_counts_on_the_way_back),
    TEST(encode_backward, random_sentences_go_back_as_the_obvious_way_does),
    TEST(encode_backward, two_threads_may_unread_at_once),
    TEST(sentence_vector, the_worked_states_make_a_sentence_vector),
    TEST(sentence_vector, every_number_of_both_states_is_taken),
    TEST(sentence_vector, two_threads_may_take_a_vector_at_once),
    TEST(sentence_vector_backward, the_worked_gradient_goes_to_two_states),
    TEST(sentence_vector_backward, what_two_states_gain_is_added_to_what_is_there),
    TEST(sentence_vector_backward, two_threads_may_give_a_gradient_at_once),
    END_OF_TESTS,
};
