/* Lesson 07: tests of the GRU. The other files of this folder test the encoder, the decoder, and
   training and writing. */
#define ALL_PIECES(_)                                                                              \
    _(WORD, "d_x", dims_of(2, z.n, z.d_in, 1, 1))                                                  \
    _(STATE, "d_h", dims_of(2, z.n, z.d, 1, 1))                                                    \
    _(GRU_W, "d_W", dims_of(2, z.d_in, 3 * z.d, 1, 1))                                             \
    _(GRU_U, "d_U", dims_of(2, z.d, 3 * z.d, 1, 1))                                                \
    _(ACC, "d_acc", dims_of(2, z.n, 3 * z.d, 1, 1))                                                \
    _(GATES, "d_gates", dims_of(2, z.n, 3 * z.d, 1, 1))                                            \
    _(OUT, "d_next", dims_of(2, z.n, z.d, 1, 1))
#define LAST_WORDS STATE
#define LAST_GIVEN GRU_U
#define ZEROED(p)  false

#include "networks.h"

/* Sizes within a set differ, so that exchanged sizes show. Each size is 1 somewhere, and all are.
 */
static const struct sizes all_sizes[] = {
    {1, 3, 2, 0, 0}, {1, 2, 5, 0, 0}, {1, 5, 3, 0, 0},
    {1, 1, 2, 0, 0}, {1, 2, 1, 0, 0}, {1, 1, 1, 0, 0},
};

static void because_of(const struct work *w, enum piece p) {
    because_of_parts(w, p);
    BECAUSE("d_in = %d and d = %d here.", w->z.d_in, w->z.d);
}

/* z.n independent steps of a GRU. */
static void run_step(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[WORD], (*h)[d] = w->at[STATE], (*next)[d] = w->at[OUT];
    const struct gru gru = gru_in(w, w->at);
    for (int i = 0; i < w->z.n; i++) {
        struct gru_values v = values_in(w, w->at, i);
        gru_step(&gru, &x[i], &h[i], &v, &next[i]);
    }
}

static void run_step_back(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[WORD], (*h)[d] = w->at[STATE], (*d_next)[d] = w->d[OUT];
    double(*d_x)[d_in] = w->d[WORD], (*d_h)[d] = w->d[STATE];
    struct gru gru = gru_in(w, w->at), d_gru = gru_in(w, w->d);
    for (int i = 0; i < w->z.n; i++) {
        struct gru_values v = values_in(w, w->at, i), d_v = values_in(w, w->d, i);
        gru_step_backward(&gru, &x[i], &h[i], &v, &d_next[i], &d_v, &d_gru, &d_x[i], &d_h[i]);
    }
}

static void obvious_step(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[WORD], (*h)[d] = w->at[STATE], (*next)[d] = w->at[OUT];
    double(*gates)[3 * d] = w->at[GATES], (*acc)[3 * d] = w->at[ACC];
    for (int i = 0; i < w->z.n; i++)
        obvious_gru(d_in, d, w->at[GRU_W], w->at[GRU_U], x[i], h[i], gates[i], acc[i], next[i]);
}

static void obvious_step_back(const struct work *w) {
    const int d_in = w->z.d_in, d = w->z.d;
    double(*x)[d_in] = w->at[WORD], (*h)[d] = w->at[STATE], (*d_next)[d] = w->d[OUT];
    double(*gates)[3 * d] = w->at[GATES], (*acc)[3 * d] = w->at[ACC];
    double(*d_gates)[3 * d] = w->d[GATES], (*d_acc)[3 * d] = w->d[ACC];
    double(*d_x)[d_in] = w->d[WORD], (*d_h)[d] = w->d[STATE];
    for (int i = 0; i < w->z.n; i++)
        obvious_gru_back(d_in, d, w->at[GRU_W], w->at[GRU_U], x[i], h[i], gates[i], acc[i],
                         d_next[i], d_gates[i], d_acc[i], w->d[GRU_W], w->d[GRU_U], d_x[i], d_h[i]);
}

static const struct function step = {
    .run = run_step,
    .run_back = run_step_back,
    .obvious = obvious_step,
    .obvious_back = obvious_step_back,
    .weights = GRU_W,
    .values = ACC,
};

/* gru_step */

/* The step of the text, and a second step of the same GRU in which z and h are not 0.5. */
static struct work worked_step(void) {
    struct work w = {.f = &step, .z = {.n = 2, .d_in = 1, .d = 1}};
    PUT(w, GRU_W, -0.5, 0, 1);
    PUT(w, GRU_U, 1, 0, 2);
    PUT(w, WORD, 1, 0.3);
    PUT(w, STATE, 0.5, -0.4);
    return w;
}

/* Words and states have the same size, so that exchanged or transposed matrices still fit. */
static struct work square_step(void) {
    struct work w = {.f = &step, .z = {.n = 1, .d_in = 2, .d = 2}};
    PUT(w, GRU_W, -0.5, 1, 0.25, -1, 1, 0.5, 1, 0.5, -0.75, 0.5, -1, 2);
    PUT(w, GRU_U, 1, -0.5, 0.5, 2, 2, -1, 0.25, 1, -1, 0.5, 0.75, 1);
    PUT(w, WORD, 1, -0.5);
    PUT(w, STATE, 0.5, -0.25);
    return w;
}

TEST(gru_step, the_worked_step_comes_out) {
    const struct work w = yours(worked_step());
    EXPECT_WORKED(w, ACC, 0.5, 0, 1, -0.4, 0, -0.8);
    EXPECT_WORKED(w, GATES, 0.5, 0.5, 0.9051, 0.3659, 0.5, -0.0997);
    EXPECT_WORKED(w, OUT, 0.7026, -0.2095);
}

TEST(gru_step, in_two_dimensions_each_gate_uses_its_part_of_the_row) {
    EXPECT_FORWARD(square_step());
}

/* U is 0, and so are the columns of W except those of z. */
TEST(gru_step, z_of_one_keeps_the_state_and_z_of_zero_replaces_it) {
    for (int sign = -1; sign <= 1; sign += 2) {
        struct work w = {.f = &step, .z = {.n = 1, .d_in = 3, .d = 2}};
        PUT(w, GRU_W, sign * 1e4, sign * 1e4, 0, 0, 0.25, -0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        PUT(w, GRU_U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        PUT(w, WORD, 1, 0, 0);
        PUT(w, STATE, 0.5, -3);
        const double *h = w.at[STATE], news[2] = {tanh(0.25), tanh(-0.5)};
        w = yours(w);
        BECAUSE("The sum inside z is %g here, so z is %d and next is exactly %s.", sign * 1e4,
                sign > 0, sign > 0 ? "the old state" : "the candidate");
        expect_numbers(__LINE__, "next", 1, 2, sign > 0 ? h : news, w.at[OUT], 1e-12);
    }
}

AGREES(gru_step, random_steps_of_a_gru_agree_with_the_obvious_way, step, all_sizes, ACC, 701)

/* The take_...() are given. This test shows an accidental change. */
TEST(gru_step, the_given_functions_place_w_and_v_without_gaps) {
    NEW_VECTOR(numbers, 100);
    struct room room = {numbers, 0};
    const struct gru w = take_gru(&room, 3, 2);
    struct gru_values v = take_gru_values(&room, &w);
    EXPECT_THAT(w.d_in == 3 && w.d == 2, "take_gru: d_in is %d and d is %d", w.d_in, w.d);
    const void *starts[4] = {w.W, w.U, v.gates, v.acc};
    const int offsets[4] = {0, 18, 30, 36};
    for (int i = 0; i < 4; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "matrix %d of take_gru is at another place",
                    i);
    EXPECT_THAT(room.used == 42, "%d numbers were taken; it should be 42", room.used);
    NEW_MATRIX_FILLED(x, 1, 3, 1.0);
    NEW_MATRIX_OF(h, 1, 2, {0.5, -3});
    NEW_MATRIX(next, 1, 2);
    fill(42, 0.0, numbers);
    gru_step(&w, x, h, &v, next);
    const double expected[1][2] = {{0.25, -1.5}};
    BECAUSE("W and U are 0 here, so z is 0.5 and the candidate is 0.");
    EXPECT_MATRIX(1, 2, expected, next, ROUNDING);
}

KEEPS_NOTHING(gru_step, two_threads_may_step_at_once, step, all_sizes, 717)

/* gru_step_backward */

TEST(gru_step_backward, the_worked_step_has_these_gradients) {
    struct work w = obvious(worked_step());
    PUT_D_OUT(w, 1, -2);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_WORKED_D(w, GATES, -0.1013, 0.0226, 0.0904, 0.1394, 0.2511, -1.2557);
    EXPECT_WORKED_D(w, ACC, -0.1013, 0.0226, 0.0452, 0.1394, 0.2511, -0.6278);
    EXPECT_WORKED_D(w, STATE, 0.4891, -1.8480);
    EXPECT_WORKED_D(w, WORD, 0.1410, -1.3254);
    EXPECT_WORKED_D(w, GRU_W, -0.0595, 0.0979, -0.2863); /* of both steps */
    EXPECT_WORKED_D(w, GRU_U, -0.1064, -0.0892, 0.2737);
}

TEST(gru_step_backward, in_two_dimensions_each_gradient_uses_its_part_of_the_row) {
    struct work w = obvious(square_step());
    PUT_D_OUT(w, 1, -2);
    EXPECT_BACK(w, 0.0, 0.0);
}

TEST(gru_step_backward, all_six_gradients_are_added_to_what_is_there) {
    struct random r = random_seed(702);
    EXPECT_BACK_FROM(obvious(random_network(&step, (struct sizes){1, 4, 3, 0, 0}, &r)), GRU_U, 10.0,
                     5.0);
}

IS_MEASURED(gru_step_backward, the_gradients_of_a_step_are_what_nudging_measures, step, run_step,
            all_sizes, 0, 703)
GOES_BY_WHAT_IS_LEFT(gru_step_backward, the_backward_pass_of_a_step_uses_the_stored_values, step,
                     all_sizes, WORD, 704)
ADDS(gru_step_backward, gradients_of_random_steps_agree_with_the_obvious_way, step, all_sizes,
     GRU_U, 0.0, 0.0, 705)

KEEPS_NOTHING_BACK(gru_step_backward, two_threads_may_run_gru_step_backward_at_once, step,
                   all_sizes, 718)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(gru_step, &step, 1, 3, 2, 0, 0)
LAWS_BACKWARD(gru_step_backward, &step, true, 1, 3, 2, 0, 0)
