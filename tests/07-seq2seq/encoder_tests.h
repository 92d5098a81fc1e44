/* What seq2seq.h promises of the encoder: a GRU's step, two readers, and the sentence vector. */
#ifndef ENCODER_TESTS_H
static const char encoder_file[] = __FILE__;
#define ENCODER_TEST(exercise, test) TEST_FROM(encoder_file, exercise, test)

#define ENCODER_TESTS_H

#include "seq2seq.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* So many words of d_in numbers, and states of d. */
struct reading {
    int n, d_in, d;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1.
   Each begins with nothing of the one before, which a failure would show beside its own. */
static const struct reading all_readings[] = {
    {4, 3, 2}, {3, 2, 5}, {2, 5, 3}, {1, 3, 2}, {5, 1, 2}, {3, 2, 1}, {1, 1, 1},
};
#define FOR_ALL_READINGS(z)                                                                        \
    for (const struct reading *z = all_readings;                                                   \
         z < all_readings + sizeof all_readings / sizeof *z && (matrix_free_all(), true); z++)

/* For want of a better explanation, should the next EXPECT fail. */
static void mistake_in_a_size(const struct reading *z) {
    MISTAKE_IF(true,
               "The examples before came out; this one, with n = %d, d_in = %d and d = %d, did "
               "not. Which size stands where another belongs, or which loop ends early?",
               z->n, z->d_in, z->d);
}

/* Written so that a NaN is like nothing. */
static bool alike(int count, const void *a, const void *b, double tolerance) {
    const double *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance))
            return false;
    return true;
}

static void mistake_if_zeros(int count, const void *actual, const char *text) {
    MISTAKE_IF(alike(count, fill(count, 0.0, vector_new("zeros", count)), actual, 0.0), "%s", text);
}

/* Of a block [n][2][...], the first layer that differs is shown, by its name. */
#define EXPECT_LAYERS(layers, rows, cols, expected, actual, tolerance)                             \
    expect_layers(__LINE__, #actual, layers, rows, cols, expected, actual, tolerance)

static void expect_layers(int line, const char *name, int layers, int rows, int cols,
                          const void *expected, const void *actual, double tolerance) {
    const double *right = expected, *yours = actual;
    int count = rows * cols, j = 0;
    while (j < layers - 1 && alike(count, right + j * count, yours + j * count, tolerance))
        j++;
    char layer[40];
    snprintf(layer, sizeof layer, "%s[%d]", name, j);
    expect_numbers(line, layer, rows, cols, right + j * count, yours + j * count, tolerance);
}

/* Tells the name of a slip, if there is one. */
static void tell(const char *slip) {
    MISTAKE_IF(*slip != '\0', "%s", slip);
}

/* `explain` is looked at if no float explains it. */
#define EXPECT_EXPLAINED(rows, cols, right, given, explain)                                        \
    do {                                                                                           \
        mistake_if_a_float((rows) * (cols), right, given);                                         \
        explain;                                                                                   \
        EXPECT_MATRIX(rows, cols, right, given, ROUNDING);                                         \
    } while (0)

#define EXPECT_EXPLAINED_LAYERS(layers, rows, cols, right, given, explain)                         \
    do {                                                                                           \
        mistake_if_a_float((layers) * (rows) * (cols), right, given);                              \
        explain;                                                                                   \
        EXPECT_LAYERS(layers, rows, cols, right, given, ROUNDING);                                 \
    } while (0)

/* `given` is what nudging `input` measures. */
#define EXPECT_SLOPES(loss, context, rows, cols, input, given)                                     \
    do {                                                                                           \
        NEW_VECTOR(measured, (rows) * (cols));                                                     \
        numeric_gradient(loss, context, (rows) * (cols), input, measured);                         \
        EXPECT_GRADIENT(rows, cols, measured, given, SLOPES);                                      \
    } while (0)

/* A step of a GRU and its way back: what goes in, and what comes out. */
struct step {
    int d_in, d;
    void *W, *U, *x, *h, *gates, *heard, *next;
    void *d_next, *held_gates, *held_heard; /* held: before anything is added; NULL is zeros */
    void *d_gates, *d_heard, *d_W, *d_U, *d_x, *d_h;
};

/* A slip is a name, and what to say to whoever made it. */
#define NAME(name, text) name,
#define TEXT(name, text) text,

/* What goes wrong in a step. */
#define STEP_SLIPS(SLIP)                                                                           \
    SLIP(HEARD_RESET, "The last part of heard is held back by r already. heard holds h U as it "   \
                      "is, and r acts on it later: the way back needs both.")                      \
    SLIP(HEARD_TURNED_OVER, "You read U as 3 * d rows of d numbers. It is d rows of 3 * d: the "   \
                            "state is a row, and goes down its columns.")                          \
    SLIP(HEARD_THE_WORD, "heard was made of x. The word meets W, the state meets U.")              \
    SLIP(RESET_BEFORE_U, "You let r act on the state, before U. Here it acts on what was "         \
                         "heard, after U: number c of r on the number of h U that belongs to "     \
                         "it.")                                                                    \
    SLIP(RESET_OVER_HEARD, "A state held back by r went through U, and over heard. heard is "      \
                           "left holding h U, and r acts on that.")                                \
    SLIP(NO_RESET, "r has no say in the candidate: what was heard went in whole.")                 \
    SLIP(RESET_OF_ALL, "r acted on the whole sum in the candidate. Only what was heard is "        \
                       "held back; the word counts in full.")                                      \
    SLIP(RESET_OF_THE_WORD, "r acted on the word's part of the candidate, not on what was "        \
                            "heard.")                                                              \
    SLIP(RESET_BY_Z, "z stands where r belongs, in the candidate.")                                \
    SLIP(CANDIDATE_OF_SIGMOID, "The candidate went through the sigmoid. It is no share but "       \
                               "new content, and may be negative: tanh.")                          \
    SLIP(GATES_OF_TANH, "z and r went through tanh. They are shares, between 0 and 1: "            \
                        "sigmoid.")                                                                \
    SLIP(GATES_OF_THE_OTHER_SIGN,                                                                  \
         "The sign in your sigmoid is the wrong way round: a large sum has to open the gate, "     \
         "towards 1.")                                                                             \
    SLIP(GATES_WITHOUT_BRACKETS, "1 / 1 + e is 1 + e: your sigmoid needs brackets.")               \
    SLIP(GATES_OF_THE_WORD, "z and r look at the word alone. What was heard belongs into "         \
                            "their sums as well.")                                                 \
    SLIP(GATES_IN_THREES, "You read the row as z, r, n for c = 0, then z, r, n for c = 1. It "     \
                          "holds all d numbers of z first, then all of r, then all of n.")         \
    SLIP(R_BEFORE_Z, "z and r changed places. The first d numbers are the update z, the next "     \
                     "d the reset r; some libraries have them the other way round.")               \
    SLIP(N_BEFORE_R, "r and n changed places. First d numbers for z, then d for r, then d "        \
                     "for the candidate n.")                                                       \
    SLIP(STORED_R_FIRST, "z, r and n were worked out well, and z and r left in each other's "      \
                         "place. The way back looks for z first.")                                 \
    SLIP(SUMS_KEPT, "gates still holds x W. It is left holding z, r and n, for the way back.")     \
    SLIP(SUMS_OF_Z_AND_R, "gates holds x W where z and r belong. The way back needs both.")        \
    SLIP(WHOLE_SUMS_OF_Z_AND_R, "gates holds the sums of z and r. Their sigmoids belong there.")   \
    SLIP(UPDATE_TURNED, "z and 1 - z changed places. z is the share of the old state that is "     \
                        "kept.")                                                                   \
    SLIP(NOTHING_KEPT, "The old state is missing in next: the share z of h is kept.")              \
    SLIP(NOTHING_NEW, "The candidate is missing in next: it has the share 1 - z.")                 \
    SLIP(ALL_NEW, "next is the candidate. z decides how much of it comes in, and how much of "     \
                  "h stays.")                                                                      \
    SLIP(WHOLE_CANDIDATE, "The candidate went in whole. What is kept of h leaves it the "          \
                          "share 1 - z.")                                                          \
    SLIP(UPDATE_BY_R, "r stands where z belongs, in next.")
enum slip { NO_SLIP, STEP_SLIPS(NAME) SLIPS };
static const char *const slip_texts[] = {"", STEP_SLIPS(TEXT)};

/* Where number c of a gate, 0 to 2, lies in its row. */
static int place(enum slip slip, int d, int gate, int c) {
    static const int r_first[3] = {1, 0, 2}, n_before_r[3] = {0, 2, 1};
    return slip == GATES_IN_THREES ? 3 * c + gate
           : slip == R_BEFORE_Z    ? r_first[gate] * d + c
           : slip == N_BEFORE_R    ? n_before_r[gate] * d + c
                                   : gate * d + c;
}

/* Another way to write the sigmoid, which no sum is too large for. */
static double share(double x) {
    return 0.5 + 0.5 * tanh(0.5 * x);
}

static double gate_of(enum slip slip, double read, double heard) {
    return slip == GATES_OF_TANH             ? tanh(read + heard)
           : slip == GATES_OF_THE_OTHER_SIGN ? share(-read - heard)
           : slip == GATES_WITHOUT_BRACKETS  ? 1.0 + exp(-read - heard)
           : slip == GATES_OF_THE_WORD       ? share(read)
                                             : share(read + heard);
}

static double candidate(enum slip slip, double z, double r, double read, double heard) {
    const bool in_h = slip == RESET_BEFORE_U || slip == RESET_OVER_HEARD;
    const bool whole = slip == NO_RESET || in_h;
    return slip == RESET_OF_ALL           ? tanh(r * (read + heard))
           : slip == RESET_OF_THE_WORD    ? tanh(r * read + heard)
           : slip == RESET_BY_Z           ? tanh(read + z * heard)
           : slip == CANDIDATE_OF_SIGMOID ? share(read + r * heard)
                                          : tanh(read + (whole ? heard : r * heard));
}

static double mixed(enum slip slip, double z, double r, double n, double h) {
    return slip == UPDATE_TURNED     ? z * n + (1.0 - z) * h
           : slip == UPDATE_BY_R     ? (1.0 - r) * n + r * h
           : slip == NOTHING_KEPT    ? (1.0 - z) * n
           : slip == NOTHING_NEW     ? z * h
           : slip == ALL_NEW         ? n
           : slip == WHOLE_CANDIDATE ? n + z * h
                                     : (1.0 - z) * n + z * h;
}

static void obvious_sums(enum slip slip, const struct step *s, double *read, double *heard) {
    const int d = s->d;
    product(1, s->d_in, 3 * d, s->x, s->W, (void *)read);
    product(1, d, 3 * d, s->h, s->U, (void *)heard);
    if (slip == HEARD_THE_WORD)
        memcpy(heard, read, 3 * (size_t)d * sizeof *heard);
    if (slip == HEARD_TURNED_OVER)
        product_by_rows(1, d, 3 * d, s->h, s->U, (void *)heard);
}

/* h U, with the state held back by r beforehand. */
static double *heard_of_a_reset_state(const struct step *s, const double *r) {
    const double *h = s->h;
    NEW_MATRIX(reset_h, 1, s->d);
    NEW_MATRIX(reset_heard, 1, 3 * s->d);
    for (int c = 0; c < s->d; c++)
        reset_h[0][c] = r[c] * h[c];
    product(1, s->d, 3 * s->d, reset_h, s->U, reset_heard);
    return reset_heard[0];
}

/* The slow, obvious way, with a slip in it. Makes gates, heard and next of its own. */
static void obvious_step(enum slip slip, struct step *s) {
    const int d = s->d;
    const double *h = s->h;
    NEW_VECTOR(obvious_read, 3 * d);
    NEW_VECTOR(obvious_heard, 3 * d);
    NEW_VECTOR(obvious_gates, 3 * d);
    NEW_VECTOR(obvious_next, d);
    NEW_VECTOR(obvious_r, d);
    obvious_sums(slip, s, obvious_read, obvious_heard);
    for (int c = 0; c < d; c++) {
        const int at = place(slip, d, 1, c);
        obvious_r[c] = gate_of(slip, obvious_read[at], obvious_heard[at]);
    }
    double *held_back = heard_of_a_reset_state(s, obvious_r);
    const double *inner =
        slip == RESET_BEFORE_U || slip == RESET_OVER_HEARD ? held_back : obvious_heard;
    for (int c = 0; c < d; c++) {
        const int at_z = place(slip, d, 0, c), at_n = place(slip, d, 2, c);
        const double z = gate_of(slip, obvious_read[at_z], obvious_heard[at_z]);
        const double n = candidate(slip, z, obvious_r[c], obvious_read[at_n], inner[at_n]);
        obvious_next[c] = mixed(slip, z, obvious_r[c], n, h[c]);
        obvious_gates[slip == STORED_R_FIRST ? d + c : at_z] = z;
        obvious_gates[slip == STORED_R_FIRST ? c : place(slip, d, 1, c)] = obvious_r[c];
        for (int i = c; i < 2 * d; i += d)
            if (slip == SUMS_OF_Z_AND_R || slip == WHOLE_SUMS_OF_Z_AND_R)
                obvious_gates[i] =
                    obvious_read[i] + (slip == SUMS_OF_Z_AND_R ? 0.0 : obvious_heard[i]);
        obvious_gates[at_n] = n;
    }
    for (int c = 0; slip == HEARD_RESET && c < d; c++)
        obvious_heard[2 * d + c] *= obvious_r[c];
    s->heard = slip == RESET_OVER_HEARD ? held_back : obvious_heard, s->next = obvious_next;
    s->gates = slip == SUMS_KEPT ? obvious_read : obvious_gates;
}

/* The first of the three gates that is off, for want of a better explanation. On the way back the
   reset's gradient is made of the candidate's, so that comes before it. */
static void mistake_in_a_gate(const int order[3], int d, const double *expected,
                              const double *actual) {
    static const char *const names[3] = {"update z", "reset r", "candidate n"};
    for (int i = 0; i < 3; i++)
        MISTAKE_IF(!alike(d, expected + order[i] * d, actual + order[i] * d, FOUR_DECIMALS),
                   "Look at the %s first: its part of this row is off.", names[order[i]]);
}
static const int z_r_n[3] = {0, 1, 2}, z_n_r[3] = {0, 2, 1};

/* Declares what a step fills, and calls it. */
#define STEP(step)                                                                                 \
    NEW_MATRIX(gates, 1, 3 * (step).d);                                                            \
    NEW_MATRIX(heard, 1, 3 * (step).d);                                                            \
    NEW_MATRIX(next, 1, (step).d);                                                                 \
    gru_step((step).d_in, (step).d, (step).W, (step).U, (step).x, (step).h, gates, heard, next)

#define RANDOM_STEP(size, generator)                                                               \
    NEW_MATRIX_RANDOM(W, (size).d_in, 3 * (size).d, generator);                                    \
    NEW_MATRIX_RANDOM(U, (size).d, 3 * (size).d, generator);                                       \
    NEW_MATRIX_RANDOM(x, 1, (size).d_in, generator);                                               \
    NEW_MATRIX_RANDOM(h, 1, (size).d, generator);                                                  \
    struct step step = {.d_in = (size).d_in, .d = (size).d, .W = W, .U = U, .x = x, .h = h}

#define WORKED_STEP                                                                                \
    NEW_MATRIX_OF(W, 1, 3, {-0.5, 0, 1});                                                          \
    NEW_MATRIX_OF(U, 1, 3, {1, 0, 2});                                                             \
    NEW_MATRIX_OF(x, 1, 1, {1});                                                                   \
    NEW_MATRIX_OF(h, 1, 1, {0.5});                                                                 \
    struct step step = {.d_in = 1, .d = 1, .W = W, .U = U, .x = x, .h = h}

/* Words and states of one size, so that what is exchanged or turned over has a shape that fits. */
#define SQUARE_STEP                                                                                \
    NEW_MATRIX_OF(W, 2, 6, {-0.5, 1, 0.25, -1, 1, 0.5}, {1, 0.5, -0.75, 0.5, -1, 2});              \
    NEW_MATRIX_OF(U, 2, 6, {1, -0.5, 0.5, 2, 2, -1}, {0.25, 1, -1, 0.5, 0.75, 1});                 \
    NEW_MATRIX_OF(x, 1, 2, {1, -0.5});                                                             \
    NEW_MATRIX_OF(h, 1, 2, {0.5, -0.25});                                                          \
    struct step step = {.d_in = 2, .d = 2, .W = W, .U = U, .x = x, .h = h}

static bool same_step(int d, const struct step *a, const struct step *b) {
    return alike(3 * d, a->heard, b->heard, ROUNDING) &&
           alike(3 * d, a->gates, b->gates, ROUNDING) && alike(d, a->next, b->next, ROUNDING);
}

/* What is wrong with the learner's step, told by the square one: with d = 1 much looks alike. A
   slip is named if it gives all three of what the step leaves; but sums that were kept speak for
   themselves. */
static const char *slip_in_a_step(void) {
    SQUARE_STEP;
    STEP(step);
    for (enum slip slip = NO_SLIP; slip < SLIPS; slip++) {
        const struct step given = {.heard = heard, .gates = gates, .next = next};
        struct step wrong = step;
        obvious_step(slip, &wrong);
        if (same_step(2, &wrong, &given) ||
            (slip == SUMS_KEPT && alike(6, wrong.gates, gates, ROUNDING)))
            return slip_texts[slip];
    }
    return "";
}

/* gru_step */

/* What a step should leave; `explain` is looked at before each. */
#define EXPECT_STEP(s, explain)                                                                    \
    do {                                                                                           \
        const int d = (s).d;                                                                       \
        struct step right = s;                                                                     \
        obvious_step(NO_SLIP, &right);                                                             \
        EXPECT_EXPLAINED(1, 3 * d, right.heard, heard, explain);                                   \
        EXPECT_EXPLAINED(1, 3 * d, right.gates, gates, explain;                                    \
                         mistake_in_a_gate(z_r_n, d, right.gates, gates[0]));                      \
        EXPECT_EXPLAINED(1, d, right.next, next, explain; tell(mixture));                          \
    } while (0)

static const char mixture[] =
    "The gates are right. next is a mixture of n and h, in shares that sum to 1.";

static void the_worked_step_comes_out(void) {
    WORKED_STEP;
    STEP(step);
    const double expected_heard[3] = {0.5, 0, 1};
    const double expected_gates[3] = {0.5, 0.5, 0.9051};
    const double expected_next[1] = {0.7026};
    const struct step given = {.heard = heard, .gates = gates, .next = next};
    obvious_step(NO_SLIP, &step);
    const char *slip = same_step(1, &step, &given) ? "" : slip_in_a_step();
    tell(slip);
    mistake_if_never_set(3, heard);
    EXPECT_MATRIX(1, 3, expected_heard, heard, FOUR_DECIMALS);
    tell(slip);
    mistake_if_never_set(3, gates);
    mistake_in_a_gate(z_r_n, 1, expected_gates, gates[0]);
    EXPECT_MATRIX(1, 3, expected_gates, gates, FOUR_DECIMALS);
    tell(slip);
    tell(mixture);
    EXPECT_MATRIX(1, 1, expected_next, next, FOUR_DECIMALS);
}

static void with_two_numbers_each_gate_has_its_place(void) {
    SQUARE_STEP;
    STEP(step);
    const char *slip = slip_in_a_step();
    EXPECT_STEP(step, tell(slip));
}

/* U is 0, and so is what W makes of the word but for z. */
static void an_open_gate_keeps_the_state_and_a_closed_one_forgets_it(void) {
    for (int sign = -1; sign <= 1; sign += 2) {
        NEW_MATRIX_FILLED(W, 1, 6, 0.0);
        NEW_MATRIX_FILLED(U, 2, 6, 0.0);
        NEW_MATRIX_OF(x, 1, 1, {1});
        NEW_MATRIX_OF(h, 1, 2, {0.5, -3});
        W[0][0] = W[0][1] = sign * 1e4;
        W[0][4] = 0.25, W[0][5] = -0.5;
        struct step step = {.d_in = 1, .d = 2, .W = W, .U = U, .x = x, .h = h};
        STEP(step);
        const double news[2] = {tanh(0.25), tanh(-0.5)};
        MISTAKE_IF(gates[0][5] == W[0][5], "The last of gates still holds x W. n begins at 2 * d: "
                                           "d is 2 here, and d_in is 1.");
        MISTAKE_IF(isnan(next[0][0]), "An exponential ran over, and infinity over infinity is NaN. "
                                      "1 / (1 + exp(-sum)) is safe at any sum.");
        MISTAKE_IF(true,
                   "The sums of z are %g here, so z is %d: nothing but %s is left in the mixture.",
                   sign * 1e4, sign > 0, sign > 0 ? "the old state" : "the candidate");
        EXPECT_VECTOR(2, sign > 0 ? h[0] : news, next[0], 1e-12);
    }
}

static void random_steps_of_a_gru_agree_with_the_obvious_way(void) {
    struct random r = random_seed(701);
    FOR_ALL_READINGS(z) {
        RANDOM_STEP(*z, &r);
        STEP(step);
        EXPECT_STEP(step, mistake_in_a_size(z));
    }
}

/* gru_step_backward */

#define STEP_BACK_SLIPS(SLIP)                                                                      \
    SLIP(Z_WITHOUT_SLOPE, "The slope of z's sigmoid is missing on the way back.")                  \
    SLIP(R_WITHOUT_SLOPE, "The slope of r's sigmoid is missing on the way back.")                  \
    SLIP(N_WITHOUT_SLOPE, "The slope of the candidate's tanh is missing on the way back.")         \
    SLIP(Z_HALF_A_SLOPE, "Half of z's slope is missing: the share times what is left of 1.")       \
    SLIP(R_HALF_A_SLOPE, "Half of r's slope is missing: the share times what is left of 1.")       \
    SLIP(SIGMOID_AGAIN, "z and r went through the sigmoid again. gates holds them as they are.")   \
    SLIP(TANH_AGAIN, "n went through tanh again. gates holds n already, after its tanh.")          \
    SLIP(R_BEFORE_Z_BACK, "z and r changed places. First come d numbers of z, then d of r.")       \
    SLIP(Z_FROM_THE_PLACE_OF_R, "You took the second d numbers of gates for z. They are r.")       \
    SLIP(Z_SLOPE_OF_TANH, "z and r went back by the slope of tanh. They came through the "         \
                          "sigmoid.")                                                              \
    SLIP(N_SLOPE_OF_SIGMOID, "The candidate went back by the slope of the sigmoid, not of tanh.")  \
    SLIP(Z_TURNED, "The sign of z's gradient is the wrong way round. More of z is more of h "      \
                   "and less of n.")                                                               \
    SLIP(Z_BY_THE_STATE_ALONE, "z's gradient knows h alone. More of z is less of n as well.")      \
    SLIP(N_BY_Z, "The candidate got the share z of d_next. Its share in next is 1 - z.")           \
    SLIP(N_WHOLE, "The candidate got d_next whole. Its share in next is 1 - z.")                   \
    SLIP(NOTHING_FOR_R, "Nothing came back to r. It held back what was heard.")                    \
    SLIP(R_UNHEARD, "r's gradient does not ask what r was multiplied by.")                         \
    SLIP(R_BY_THE_STATE, "r's gradient was made with h, and not with what r held back.")           \
    SLIP(R_BY_THE_HEARD_OF_Z, "r's gradient was made with the first part of heard, not the "       \
                              "last.")                                                             \
    SLIP(R_BY_THE_HEARD_OF_R, "r's gradient was made with the middle part of heard, not the "      \
                              "last.")                                                             \
    SLIP(RESET_TWICE, "r came into its own gradient once too often: beside its slope, what was "   \
                      "heard comes in before any r.")                                              \
    SLIP(R_PAST_TANH, "r's gradient went past the candidate's tanh. r is inside it, so the "       \
                      "slope of tanh comes first.")                                                \
    SLIP(RESET_IN_BOTH, "r came into d_gates of the candidate. The word's part was not held "      \
                        "back: only d_heard has the r.")                                           \
    SLIP(RESET_IN_NEITHER, "The r is missing in d_heard of the candidate. What was heard "         \
                           "went in times r, and so does its gradient.")                           \
    SLIP(RESET_IN_THE_WRONG_ONE,                                                                   \
         "r came into d_gates of the candidate instead of d_heard. What was heard was held "       \
         "back, the word's part was not.")                                                         \
    SLIP(NO_BARE_PATH, "The straight way is missing in d_h: next holds z * h itself, so d_next "   \
                       "comes back to h times z, past all the gates.")                             \
    SLIP(BARE_PATH_TURNED, "The straight way from d_next to h took the share 1 - z, not z.")       \
    SLIP(BARE_PATH_WHOLE, "The straight way from d_next to h took all, and not the share z.")      \
    SLIP(SUMS_MINUS, "What belongs into d_gates and d_heard was taken away: -= where it adds.")    \
    SLIP(BARE_PATH_ALONE, "Only the straight way leads to d_h. The state was heard as well: "      \
                          "d_heard comes back through U.")                                         \
    SLIP(NOTHING_BY_U, "Nothing went back through U, and d_h got the straight way alone.")         \
    SLIP(NOTHING_SENT, "d_gates and d_heard are right in the end, but went on before they were "   \
                       "filled, or never. Fill them first.")                                       \
    SLIP(RETURNED, "Only number 0 of each gate went back, and nothing went on. Does a return "     \
                   "stand inside the loop?")                                                       \
    SLIP(U_FROM_GATES, "d_gates went back through U. What came from h U is d_heard.")              \
    SLIP(W_FROM_HEARD, "d_heard went back through W. What came from x W is d_gates.")              \
    SLIP(W_BY_THE_STATE, "d_W was made with h. W met the word x.")                                 \
    SLIP(U_BY_THE_WORD, "d_U was made with x. U met the state h.")                                 \
    SLIP(SENT_TOO_EARLY, "d_gates and d_heard went on once for each number of the state, and "     \
                         "before they were whole. Fill them first, then send them on once.")
enum slip_back { NO_SLIP_BACK, STEP_BACK_SLIPS(NAME) SLIPS_BACK };
static const char *const slip_back_texts[] = {"", STEP_BACK_SLIPS(TEXT)};

static double d_z_of(enum slip_back slip, double d_next, double z, double n, double h) {
    const double slope = slip == Z_WITHOUT_SLOPE   ? 1.0
                         : slip == Z_HALF_A_SLOPE  ? z
                         : slip == Z_SLOPE_OF_TANH ? 1.0 - z * z
                                                   : z * (1.0 - z);
    const double effect = slip == Z_TURNED ? n - h : slip == Z_BY_THE_STATE_ALONE ? h : h - n;
    return d_next * effect * slope;
}

static double d_n_of(enum slip_back slip, double d_next, double z, double n) {
    const double its_share = slip == N_BY_Z ? z : slip == N_WHOLE ? 1.0 : 1.0 - z;
    const double slope = slip == N_WITHOUT_SLOPE      ? 1.0
                         : slip == N_SLOPE_OF_SIGMOID ? n * (1.0 - n)
                                                      : 1.0 - n * n;
    return d_next * its_share * slope;
}

static double d_r_of(enum slip_back slip, double d_n, double n, double r, double met) {
    const double slope = slip == R_WITHOUT_SLOPE   ? 1.0
                         : slip == R_HALF_A_SLOPE  ? r
                         : slip == RESET_TWICE     ? r * r * (1.0 - r)
                         : slip == Z_SLOPE_OF_TANH ? 1.0 - r * r
                                                   : r * (1.0 - r);
    const double inside = slip == R_PAST_TANH ? d_n / (1.0 - n * n) : d_n;
    return slip == NOTHING_FOR_R ? 0.0 : inside * met * slope;
}

/* z, r and n of number c. */
static void gates_read(enum slip_back slip, const struct step *s, int c, double gate[3]) {
    const double *gates = s->gates;
    for (int i = 0; i < 3; i++) {
        gate[i] = gates[place(slip == R_BEFORE_Z_BACK ? R_BEFORE_Z : NO_SLIP, s->d, i, c)];
        gate[i] = slip == SIGMOID_AGAIN && i < 2 ? share(gate[i]) : gate[i];
    }
    if (slip == Z_FROM_THE_PLACE_OF_R)
        gate[0] = gate[1];
    if (slip == TANH_AGAIN)
        gate[2] = tanh(gate[2]);
}

/* The gradients of the three sums of number c: d_z, d_r, and d_n. */
static void obvious_sums_back(enum slip_back slip, const struct step *s, int c,
                              const double gate[3], double to[3]) {
    const double *h = s->h, *heard = s->heard, d_next = ((double *)s->d_next)[c];
    const double met = slip == R_UNHEARD             ? 1.0
                       : slip == R_BY_THE_STATE      ? h[c]
                       : slip == R_BY_THE_HEARD_OF_Z ? heard[c]
                       : slip == R_BY_THE_HEARD_OF_R ? heard[s->d + c]
                                                     : heard[2 * s->d + c];
    to[0] = d_z_of(slip, d_next, gate[0], gate[2], h[c]);
    to[2] = d_n_of(slip, d_next, gate[0], gate[2]);
    to[1] = d_r_of(slip, to[2], gate[2], gate[1], met);
}

/* Fills d_gates and d_heard for number c. */
static void obvious_gates_back(enum slip_back slip, struct step *s, int c) {
    const bool held_here = slip == RESET_IN_BOTH || slip == RESET_IN_THE_WRONG_ONE;
    const bool not_there = slip == RESET_IN_NEITHER || slip == RESET_IN_THE_WRONG_ONE;
    const double sign = slip == SUMS_MINUS ? -1.0 : 1.0;
    double gate[3], to[3], *d_gates = s->d_gates, *d_heard = s->d_heard;
    gates_read(slip, s, c, gate);
    obvious_sums_back(slip, s, c, gate, to);
    for (int i = 0; i < 3; i++) {
        const int at = place(slip == R_BEFORE_Z_BACK ? R_BEFORE_Z : NO_SLIP, s->d, i, c);
        d_gates[at] += sign * (i == 2 && held_here ? to[2] * gate[1] : to[i]);
        d_heard[at] += sign * (i == 2 && !not_there ? to[2] * gate[1] : to[i]);
    }
}

static void *product_turned(int n, int m, const void *row, const void *matrix) {
    NEW_MATRIX(turned, 1, n);
    product_by_rows(1, m, n, row, matrix, turned);
    return turned;
}

static void obvious_words_back(enum slip_back slip, struct step *s) {
    const int d_in = s->d_in, d = s->d;
    const void *to_x = slip == W_FROM_HEARD ? s->d_heard : s->d_gates;
    const void *to_h = slip == U_FROM_GATES ? s->d_gates : s->d_heard;
    NEW_MATRIX(obvious_d_W, d_in, 3 * d);
    NEW_MATRIX(obvious_d_U, d, 3 * d);
    product_by_columns(d_in, 1, 3 * d, slip == W_BY_THE_STATE ? s->h : s->x, to_x, obvious_d_W);
    product_by_columns(d, 1, 3 * d, slip == U_BY_THE_WORD ? s->x : s->h, to_h, obvious_d_U);
    add_into(d_in, product_turned(d_in, 3 * d, to_x, s->W), s->d_x);
    add_into(d_in * 3 * d, obvious_d_W, s->d_W);
    if (slip == NOTHING_BY_U)
        return;
    if (slip != BARE_PATH_ALONE)
        add_into(d, product_turned(d, 3 * d, to_h, s->U), s->d_h);
    add_into(d * 3 * d, obvious_d_U, s->d_U);
}

static void *held_or_zeros(int count, const void *held) {
    NEW_VECTOR_FILLED(obvious, count, 0.0);
    if (held)
        add_into(count, held, obvious);
    return obvious;
}

/* The slow, obvious way back, with a slip in it. Makes gradients of its own. */
static void obvious_step_back(enum slip_back slip, struct step *s) {
    const int d_in = s->d_in, d = s->d;
    const double *d_next = s->d_next;
    double gate[3], *d_h = s->d_h = held_or_zeros(d, NULL);
    s->d_gates = held_or_zeros(3 * d, s->held_gates);
    s->d_heard = held_or_zeros(3 * d, s->held_heard);
    s->d_x = held_or_zeros(d_in, NULL);
    s->d_W = held_or_zeros(d_in * 3 * d, NULL);
    s->d_U = held_or_zeros(d * 3 * d, NULL);
    for (int c = 0; c < (slip == RETURNED ? 1 : d); c++) {
        gates_read(slip, s, c, gate);
        d_h[c] += d_next[c] * (slip == NO_BARE_PATH       ? 0.0
                               : slip == BARE_PATH_TURNED ? 1.0 - gate[0]
                               : slip == BARE_PATH_WHOLE  ? 1.0
                                                          : gate[0]);
        obvious_gates_back(slip, s, c);
        if (slip == SENT_TOO_EARLY && c < d - 1)
            obvious_words_back(slip, s);
    }
    if (slip != NOTHING_SENT && slip != RETURNED)
        obvious_words_back(slip, s);
}

static bool same_step_back(const struct step *a, const struct step *b) {
    const int d_in = a->d_in, d = a->d;
    return alike(3 * d, a->d_gates, b->d_gates, ROUNDING) &&
           alike(3 * d, a->d_heard, b->d_heard, ROUNDING) && alike(d, a->d_h, b->d_h, ROUNDING) &&
           alike(d_in, a->d_x, b->d_x, ROUNDING) && alike(d_in * 3 * d, a->d_W, b->d_W, ROUNDING) &&
           alike(d * 3 * d, a->d_U, b->d_U, ROUNDING);
}

/* The forward pass, by the obvious way; what it leaves has the names that a report knows. */
static void pass_forward(struct step *s) {
    obvious_step(NO_SLIP, s);
    s->gates = matrix_copy("gates", 1, 3 * s->d, s->gates);
    s->heard = matrix_copy("heard", 1, 3 * s->d, s->heard);
}

/* Declares the gradients of a step, and calls its way back. */
#define STEP_BACK(step, held_sums, held)                                                           \
    NEW_MATRIX_FILLED(d_gates, 1, 3 * (step).d, held_sums);                                        \
    NEW_MATRIX_FILLED(d_heard, 1, 3 * (step).d, held_sums);                                        \
    NEW_MATRIX_FILLED(d_h, 1, (step).d, held);                                                     \
    NEW_MATRIX_FILLED(d_x, 1, (step).d_in, held);                                                  \
    NEW_MATRIX_FILLED(d_W, (step).d_in, 3 * (step).d, held);                                       \
    NEW_MATRIX_FILLED(d_U, (step).d, 3 * (step).d, held);                                          \
    run_gru_back(&(step), d_gates, d_heard, d_W, d_U, d_x, d_h)

static void run_gru_back(const struct step *s, void *d_gates, void *d_heard, void *d_W, void *d_U,
                         void *d_x, void *d_h) {
    gru_step_backward(s->d_in, s->d, s->W, s->U, s->x, s->h, s->gates, s->heard, s->d_next, d_gates,
                      d_heard, d_W, d_U, d_x, d_h);
}

#define NO_GRADIENT(count, d_name, what)                                                           \
    mistake_if_zeros(count, d_name,                                                                \
                     "Nothing was added into " #d_name ". " what " has a share in what came out.")

#define GIVEN_BY_A_STEP                                                                            \
    { .d_gates = d_gates, .d_heard = d_heard, .d_W = d_W, .d_U = d_U, .d_x = d_x, .d_h = d_h }

#define SQUARE_STEP_BACK                                                                           \
    SQUARE_STEP;                                                                                   \
    NEW_MATRIX_OF(d_next, 1, 2, {1, -2});                                                          \
    step.d_next = d_next;                                                                          \
    pass_forward(&step);                                                                           \
    STEP_BACK(step, 0.0, 0.0)

/* As slip_in_a_step() does: a slip is named if it gives all six gradients of the square step. */
static const char *slip_in_a_step_back(void) {
    SQUARE_STEP_BACK;
    const struct step given = GIVEN_BY_A_STEP;
    for (enum slip_back slip = NO_SLIP_BACK; slip < SLIPS_BACK; slip++) {
        struct step wrong = step;
        obvious_step_back(slip, &wrong);
        if (same_step_back(&wrong, &given))
            return slip_back_texts[slip];
    }
    return "";
}

static void the_worked_step_goes_back(void) {
    WORKED_STEP;
    NEW_MATRIX_OF(d_next, 1, 1, {1});
    step.d_next = d_next;
    pass_forward(&step);
    STEP_BACK(step, 0.0, 0.0);
    const double expected_d_gates[3] = {-0.1013, 0.0226, 0.0904};
    const double expected_d_heard[3] = {-0.1013, 0.0226, 0.0452};
    const double expected_d_U[3] = {-0.0506, 0.0113, 0.0226};
    const struct step given = GIVEN_BY_A_STEP;
    struct step right = step;
    obvious_step_back(NO_SLIP_BACK, &right);
    const char *slip = same_step_back(&right, &given) ? "" : slip_in_a_step_back();
    tell(slip);
    mistake_if_never_set(3, d_gates);
    mistake_if_zeros(3, d_gates,
                     "Nothing was added into d_gates. It is an output too: the gradients of the "
                     "three sums are kept there, to be looked at.");
    mistake_in_a_gate(z_n_r, 1, expected_d_gates, d_gates[0]);
    EXPECT_MATRIX(1, 3, expected_d_gates, d_gates, FOUR_DECIMALS);
    tell(slip);
    mistake_in_a_gate(z_n_r, 1, expected_d_heard, d_heard[0]);
    EXPECT_MATRIX(1, 3, expected_d_heard, d_heard, FOUR_DECIMALS);
    tell(slip);
    NO_GRADIENT(1, d_h, "The old state");
    EXPECT_MATRIX(1, 1, ((const double[1]){0.4891}), d_h, FOUR_DECIMALS);
    tell(slip);
    NO_GRADIENT(1, d_x, "The word");
    EXPECT_MATRIX(1, 1, ((const double[1]){0.1410}), d_x, FOUR_DECIMALS);
    tell(slip);
    NO_GRADIENT(3, d_W, "W");
    EXPECT_MATRIX(1, 3, expected_d_gates, d_W, FOUR_DECIMALS);
    tell(slip);
    NO_GRADIENT(3, d_U, "U");
    EXPECT_MATRIX(1, 3, expected_d_U, d_U, FOUR_DECIMALS);
}

/* What the way back should leave of each gradient; `explain` is looked at before each. */
#define EXPECT_STEP_BACK(s, explain)                                                               \
    do {                                                                                           \
        const int d_in = (s).d_in, d = (s).d;                                                      \
        struct step right = s;                                                                     \
        obvious_step_back(NO_SLIP_BACK, &right);                                                   \
        EXPECT_EXPLAINED(1, 3 * d, right.d_gates, d_gates, explain;                                \
                         mistake_in_a_gate(z_n_r, d, right.d_gates, d_gates[0]));                  \
        EXPECT_EXPLAINED(1, 3 * d, right.d_heard, d_heard, explain;                                \
                         mistake_in_a_gate(z_n_r, d, right.d_heard, d_heard[0]));                  \
        EXPECT_EXPLAINED(1, d, right.d_h, d_h, explain);                                           \
        EXPECT_EXPLAINED(1, d_in, right.d_x, d_x, explain);                                        \
        EXPECT_EXPLAINED(d_in, 3 * d, right.d_W, d_W, explain);                                    \
        EXPECT_EXPLAINED(d, 3 * d, right.d_U, d_U, explain);                                       \
    } while (0)

static void with_two_numbers_each_way_back_is_told_apart(void) {
    SQUARE_STEP_BACK;
    const char *slip = slip_in_a_step_back();
    EXPECT_STEP_BACK(step, tell(slip));
}

/* A `=` among the +=. */
static void mistake_in_a_part(const char *name, int d, const double *own, const double *yours) {
    for (int i = 0; i < 3; i++)
        MISTAKE_IF(alike(d, own + i * d, yours + i * d, ROUNDING) &&
                       !alike(3 * d, own, yours, ROUNDING),
                   "The %c part of %s held 5, and you overwrote it: there, too, add with +=.",
                   "zrn"[i], name);
}

static void all_six_gradients_are_added_to_what_is_there(void) {
    struct random r = random_seed(702);
    const struct reading z = {1, 4, 3};
    RANDOM_STEP(z, &r);
    NEW_MATRIX_RANDOM(d_next, 1, 3, &r);
    step.d_next = d_next;
    pass_forward(&step);
    struct step alone = step;
    obvious_step_back(NO_SLIP_BACK, &alone);
    STEP_BACK(step, 5.0, 10.0);
    mistake_in_a_part("d_gates", 3, alone.d_gates, d_gates[0]);
    EXPECT_ADDED(1, 9, 5.0, alone.d_gates, d_gates);
    NEW_VECTOR(twice, 9);
    for (int i = 0; i < 9; i++)
        twice[i] = 5.0 + ((double *)alone.d_heard)[i] +
                   5.0 * (i < 6 ? 1.0 : ((double *)step.gates)[i - 3]);
    MISTAKE_VECTOR(9, twice,
                   "d_heard was made of all that d_gates holds, and it held 5 before. Only your "
                   "own share belongs into both.");
    mistake_in_a_part("d_heard", 3, alone.d_heard, d_heard[0]);
    EXPECT_ADDED(1, 9, 5.0, alone.d_heard, d_heard);
    NEW_MATRIX_FILLED(fives, 1, 9, 5.0);
    step.held_gates = step.held_heard = fives;
    struct step right = step;
    obvious_step_back(NO_SLIP_BACK, &right);
    const double *both[4] = {right.d_h, right.d_x, right.d_W, right.d_U};
    const double *own[4] = {alone.d_h, alone.d_x, alone.d_W, alone.d_U};
    const double *yours[4] = {d_h[0], d_x[0], d_W[0], d_U[0]};
    static const char *const names[4] = {"d_h", "d_x", "d_W", "d_U"};
    const int rows[4] = {1, 1, 4, 3}, cols[4] = {3, 4, 9, 9};
    for (int i = 0; i < 4; i++) {
        const int count = rows[i] * cols[i];
        NEW_VECTOR_FILLED(without, count, 10.0);
        add_into(count, own[i], without);
        MISTAKE_IF(alike(count, without, yours[i], ROUNDING),
                   "d_gates and d_heard held 5 before, and only your own share of them went on. "
                   "Others may have added to them: what they hold in the end is what goes on.");
        expect_added(__LINE__, names[i], rows[i], cols[i], 10.0, both[i], yours[i]);
    }
}

static double loss_of_a_step(void *context) {
    const struct step *s = context;
    gru_step(s->d_in, s->d, s->W, s->U, s->x, s->h, s->gates, s->heard, s->next);
    return sum_of_products(s->d, s->next, s->d_next);
}

static void the_gradients_of_a_step_are_what_nudging_measures(void) {
    struct random r = random_seed(703);
    for (int i = 0; i < 5; i++) {
        const struct reading z = all_readings[i];
        matrix_free_all();
        RANDOM_STEP(z, &r);
        NEW_MATRIX_RANDOM(d_next, 1, z.d, &r);
        STEP(step);
        step.gates = gates, step.heard = heard, step.next = next, step.d_next = d_next;
        STEP_BACK(step, 0.0, 0.0);
        EXPECT_SLOPES(loss_of_a_step, &step, 1, z.d, h[0], d_h);
        EXPECT_SLOPES(loss_of_a_step, &step, 1, z.d_in, x[0], d_x);
        EXPECT_SLOPES(loss_of_a_step, &step, z.d_in, 3 * z.d, W[0], d_W);
        EXPECT_SLOPES(loss_of_a_step, &step, z.d, 3 * z.d, U[0], d_U);
    }
}

/* No forward pass has left these gates. */
static void what_a_step_left_is_what_counts_on_the_way_back(void) {
    SQUARE_STEP;
    NEW_MATRIX_OF(gates, 1, 6, {0.25, 0.75, 0.5, 0.125, -0.5, 0.25});
    NEW_MATRIX_OF(heard, 1, 6, {1, 2, -3, 4, -5, 6});
    NEW_MATRIX_OF(d_next, 1, 2, {1, -2});
    step.gates = gates, step.heard = heard, step.d_next = d_next;
    STEP_BACK(step, 0.0, 0.0);
    EXPECT_STEP_BACK(step, MISTAKE_IF(true, "Did you work the gates or what was heard out anew? "
                                            "The step left them in gates and heard; use these."));
}

static void random_steps_go_back_as_the_obvious_way_does(void) {
    struct random r = random_seed(705);
    FOR_ALL_READINGS(z) {
        RANDOM_STEP(*z, &r);
        NEW_MATRIX_RANDOM(d_next, 1, z->d, &r);
        step.d_next = d_next;
        pass_forward(&step);
        STEP_BACK(step, 0.0, 0.0);
        EXPECT_STEP_BACK(step, mistake_in_a_size(z));
    }
}

/* A sentence with its two readers, and what they leave of it. */
struct read_text {
    struct reading z;
    void *W, *U, *X, *start, *gates, *heard, *H;
    void *held_d_H, *held_gates, *held_heard; /* before anything is added */
    void *d_H, *d_gates, *d_heard, *d_W, *d_U, *d_X, *d_start;
};

/* A slip may be one reader's only; its text says whose where it has a %s, and is tried for each. */
enum whose { BOTH, FIRST, SECOND, WHOSE };
static const char *const whose_texts[WHOSE] = {"", " of the first reader", " of the second reader"};

static bool is_slip_of(enum whose whose, int reader) {
    return whose == BOTH || (whose == SECOND) == (reader == 1);
}

static enum whose last_to_try(const char *text) {
    return strstr(text, "%s") ? SECOND : BOTH;
}

struct named {
    const char *text;
    enum whose whose;
};

static void tell_whose(struct named slip) {
    MISTAKE_IF(slip.text != NULL, slip.text, whose_texts[slip.whose]);
}

/* What goes wrong in reading. */
#define READING_SLIPS(SLIP)                                                                        \
    SLIP(LATE, "H[j] holds the states%s from before word j was read. A state belongs to the "      \
               "word that it has just read.")                                                      \
    SLIP(BOTH_FORWARD, "The second reader went from the first word to the last, too. It "          \
                       "reads the last word first, and goes back to the beginning.")               \
    SLIP(BOTH_BACKWARD, "The first reader went from the last word to the first, as the "           \
                        "second does.")                                                            \
    SLIP(DIRECTIONS_EXCHANGED, "The readers changed directions: H[j][0] belongs to the one "       \
                               "who goes from the first word to the last.")                        \
    SLIP(STORED_AS_READ, "The second reader's states lie in the order in which they came "         \
                         "about. H[j][1] is the one that has just read word j, at whatever "       \
                         "step.")                                                                  \
    SLIP(NOT_HANDED_ON, "Every step%s began at the start: the words before are forgotten. A "      \
                        "step goes on from the state that the step before has left.")              \
    SLIP(ALWAYS_THE_FIRST_WORD,                                                                    \
         "Every step%s read word 0. Word j is row j of X, and its address is &X[j].")              \
    SLIP(ONE_W, "The second reader read with W[0]. It has a W of its own, W[1].")                  \
    SLIP(ONE_U, "The second reader listened with U[0]. It has a U of its own, U[1].")              \
    SLIP(ONE_GRU, "The second reader has W[0] and U[0]. Its own are W[1] and U[1].")               \
    SLIP(GRUS_EXCHANGED, "The readers changed their W and U: the first one's are W[0] and "        \
                         "U[0].")                                                                  \
    SLIP(FROM_ZERO, "The first step%s went on from 0, and not from the start.")                    \
    SLIP(ONE_START, "The second reader began at start[0]. Its own state before any word is "       \
                    "start[1].")                                                                   \
    SLIP(STARTS_EXCHANGED, "The readers changed their starts: the first one's is start[0].")       \
    SLIP(SECOND_GOES_ON_FROM_FIRST,                                                                \
         "The second reader began where the first one ended. It begins at start[1].")              \
    SLIP(SECOND_READS_FIRSTS_STATES,                                                               \
         "The second reader went on from the first one's states. Its own last state is in "        \
         "H[j + 1][1].")
enum misreading { NO_MISREADING, READING_SLIPS(NAME) MISREADINGS };
static const char *const misreading_texts[] = {"", READING_SLIPS(TEXT)};

/* The word that a reader reads at its step k. */
static int word_at(enum misreading slip, int reader, int k, int n) {
    const bool forward = slip == BOTH_FORWARD           ? true
                         : slip == BOTH_BACKWARD        ? false
                         : slip == DIRECTIONS_EXCHANGED ? reader == 1
                                                        : reader == 0;
    return forward ? k : n - 1 - k;
}

/* The GRU's step for one reader and the word j, from a state. */
static struct step step_of(enum misreading slip, const struct read_text *s, int reader, int j,
                           void *before) {
    const int d_in = s->z.d_in, d = s->z.d;
    double(*W)[d_in][3 * d] = s->W, (*U)[d][3 * d] = s->U, (*X)[d_in] = s->X;
    const int first = slip == GRUS_EXCHANGED ? 1 - reader : slip == ONE_GRU ? 0 : reader;
    return (struct step){.d_in = d_in,
                         .d = d,
                         .W = W[slip == ONE_W ? 0 : first],
                         .U = U[slip == ONE_U ? 0 : first],
                         .x = X[slip == ALWAYS_THE_FIRST_WORD ? 0 : j],
                         .h = before};
}

/* The state from before its step k, in a reader whose states are in H. */
static void *state_before(enum misreading slip, const struct read_text *s, int reader, int k) {
    const int n = s->z.n, d = s->z.d;
    double(*H)[2][d] = s->H, (*start)[d] = s->start;
    if (k > 0 && slip == SECOND_READS_FIRSTS_STATES)
        return H[word_at(slip, reader, k - 1, n)][0];
    if (k > 0 && slip != NOT_HANDED_ON)
        return H[word_at(slip, reader, k - 1, n)][reader];
    if (slip == FROM_ZERO)
        return fill(d, 0.0, vector_new("zeros", d));
    if (slip == SECOND_GOES_ON_FROM_FIRST && reader == 1)
        return H[n - 1][0];
    return start[slip == ONE_START ? 0 : slip == STARTS_EXCHANGED ? 1 - reader : reader];
}

/* The right states at the wrong words: a step late, or the second reader's in its own order. */
static void *displaced(enum misreading slip, enum whose whose, const struct read_text *s) {
    const int n = s->z.n, d = s->z.d;
    double(*H)[2][d] = s->H;
    NEW_BLOCK(displaced_H, n, 2, d);
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const int j = word_at(NO_MISREADING, reader, k, n);
            const void *state = !is_slip_of(whose, reader) ? H[j][reader]
                                : slip == LATE ? state_before(NO_MISREADING, s, reader, k)
                                               : H[reader == 0 ? j : n - 1 - j][reader];
            memcpy(displaced_H[j][reader], state, sizeof displaced_H[j][reader]);
        }
    return displaced_H;
}

/* The slow, obvious way, with a slip in it. Makes gates, heard and H of its own. */
static void obvious_encode(enum misreading slip, enum whose whose, struct read_text *s) {
    const int n = s->z.n, d = s->z.d;
    NEW_BLOCK(obvious_gates, n, 2, 3 * d);
    NEW_BLOCK(obvious_heard, n, 2, 3 * d);
    NEW_BLOCK(obvious_H, n, 2, d);
    s->gates = obvious_gates, s->heard = obvious_heard, s->H = obvious_H;
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const enum misreading own = is_slip_of(whose, reader) ? slip : NO_MISREADING;
            const int j = word_at(own, reader, k, n);
            struct step step = step_of(own, s, reader, j, state_before(own, s, reader, k));
            obvious_step(NO_SLIP, &step);
            memcpy(obvious_gates[j][reader], step.gates, sizeof obvious_gates[j][reader]);
            memcpy(obvious_heard[j][reader], step.heard, sizeof obvious_heard[j][reader]);
            memcpy(obvious_H[j][reader], step.next, sizeof obvious_H[j][reader]);
        }
    if (slip == LATE || slip == STORED_AS_READ)
        s->H = displaced(slip, whose, s);
}

/* Declares what encode() fills, and calls it. */
#define ENCODE(sentence)                                                                           \
    NEW_BLOCK(gates, (sentence).z.n, 2, 3 * (sentence).z.d);                                       \
    NEW_BLOCK(heard, (sentence).z.n, 2, 3 * (sentence).z.d);                                       \
    NEW_BLOCK(H, (sentence).z.n, 2, (sentence).z.d);                                               \
    encode_into(&(sentence), gates, heard, H)

static void encode_into(const struct read_text *s, void *gates, void *heard, void *H) {
    encode(s->z.n, s->z.d_in, s->z.d, s->W, s->U, s->X, s->start, gates, heard, H);
}

#define RANDOM_SENTENCE(size, generator)                                                           \
    double(*W)[(size).d_in][3 * (size).d] =                                                        \
        random_block("W", 2, (size).d_in, 3 * (size).d, generator);                                \
    double(*U)[(size).d][3 * (size).d] = random_block("U", 2, (size).d, 3 * (size).d, generator);  \
    NEW_MATRIX_RANDOM(X, (size).n, (size).d_in, generator);                                        \
    NEW_MATRIX_RANDOM(start, 2, (size).d, generator);                                              \
    struct read_text sentence = {.z = size, .W = W, .U = U, .X = X, .start = start}

static void *copied_block(const char *name, int a, int b, int c, const void *from) {
    return memcpy(block_new(name, a, b, c), from, (size_t)(a * b * c) * sizeof(double));
}

static void *random_block(const char *name, int a, int b, int c, struct random *r) {
    return random_fill_normal(r, a * b * c, block_new(name, a, b, c));
}

/* Both readers have the GRU of the worked step. */
#define WORKED_SENTENCE                                                                            \
    double(*W)[1][3] =                                                                             \
        copied_block("W", 2, 1, 3, (const double[2][3]){{-0.5, 0, 1}, {-0.5, 0, 1}});              \
    double(*U)[1][3] = copied_block("U", 2, 1, 3, (const double[2][3]){{1, 0, 2}, {1, 0, 2}});     \
    NEW_MATRIX_OF(X, 3, 1, {1}, {-1}, {2});                                                        \
    NEW_MATRIX_OF(start, 2, 1, {0}, {0});                                                          \
    struct read_text sentence = {.z = {3, 1, 1}, .W = W, .U = U, .X = X, .start = start}

/* What is wrong in the learner's reading, told by readers who have nothing in common. */
static struct named slip_in_reading(void) {
    struct random r = random_seed(706);
    const struct reading z = {3, 2, 2};
    RANDOM_SENTENCE(z, &r);
    ENCODE(sentence);
    for (enum misreading slip = NO_MISREADING; slip < MISREADINGS; slip++)
        for (enum whose whose = BOTH; whose <= last_to_try(misreading_texts[slip]); whose++) {
            struct read_text wrong = sentence;
            obvious_encode(slip, whose, &wrong);
            if (alike(12, wrong.H, H, ROUNDING))
                return (struct named){slip ? misreading_texts[slip] : NULL, whose};
        }
    return (struct named){NULL, BOTH};
}

/* encode */

static void expect_states_were_there(int n, int size, const double heard[n][2][size]) {
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const int j = word_at(NO_MISREADING, reader, k, n);
            MISTAKE_IF(true, "Reader 0 comes to word j from word j - 1, reader 1 from word j + 1. "
                             "A step there goes on from the state that was left in H[..][reader].");
            EXPECT_THAT(!is_made_of_unset(heard[j][reader][0]),
                        "heard[%d][%d] was made of a state that no step had left yet", j, reader);
        }
}

static void the_worked_sentence_is_read_in_both_directions(void) {
    WORKED_SENTENCE;
    ENCODE(sentence);
    const double expected[3][2] = {{0.4741, 0.6909}, {0.2120, 0.4760}, {0.7374, 0.7048}};
    expect_states_were_there(3, 3, heard);
    if (!alike(6, expected, H, FOUR_DECIMALS))
        tell_whose(slip_in_reading());
    mistake_if_never_set(6, H);
    EXPECT_MATRIX(3, 2, expected, H, FOUR_DECIMALS);
    obvious_encode(NO_MISREADING, BOTH, &sentence);
    static const char *const elsewhere =
        "The states are right, what their steps left is not in its place. What a reader's step at "
        "word j leaves belongs into [j][reader], as its state does.";
    EXPECT_EXPLAINED_LAYERS(3, 2, 3, sentence.gates, gates, MISTAKE_IF(true, "%s", elsewhere));
    EXPECT_EXPLAINED_LAYERS(3, 2, 3, sentence.heard, heard, MISTAKE_IF(true, "%s", elsewhere));
}

static void each_reader_has_its_own_matrices_and_start(void) {
    struct random r = random_seed(706);
    const struct reading z = {3, 2, 2};
    RANDOM_SENTENCE(z, &r);
    ENCODE(sentence);
    const struct named slip = slip_in_reading();
    obvious_encode(NO_MISREADING, BOTH, &sentence);
    EXPECT_EXPLAINED_LAYERS(3, 2, 2, sentence.H, H, tell_whose(slip));
}

static void a_reader_knows_only_what_it_has_read(void) {
    struct random r = random_seed(708);
    const struct reading z = {5, 3, 2};
    RANDOM_SENTENCE(z, &r);
    double(*H_before)[2][2] = block_new("H", 5, 2, 2); /* the names that a report knows */
    encode_into(&sentence, block_new("gates", 5, 2, 6), block_new("heard", 5, 2, 6), H_before);
    X[2][1] += 1.0;
    ENCODE(sentence);
    for (int j = 0; j < 5; j++)
        for (int reader = 0; reader < 2; reader++) {
            MISTAKE_IF(true,
                       "There are n = 5 words here. Each reader reads all of them: where does "
                       "each of your loops begin and end?");
            EXPECT_THAT(!is_unset(H_before[j][reader][0]), "H[%d][%d] was never set", j, reader);
            const bool has_read_it = reader == 0 ? j >= 2 : j <= 2;
            const bool same = alike(2, H_before[j][reader], H[j][reader], 0.0);
            MISTAKE_IF(true, "Reader 0 comes from the left, reader 1 from the right. What each has "
                             "read is in its state, and what it has not read is not.");
            EXPECT_THAT(has_read_it != same, "word 2 changed, and H[%d][%d] %s", j, reader,
                        same ? "stayed as it was" : "knew it");
        }
}

static void random_sentences_are_read_as_the_obvious_way_does(void) {
    struct random r = random_seed(709);
    FOR_ALL_READINGS(z) {
        RANDOM_SENTENCE(*z, &r);
        ENCODE(sentence);
        obvious_encode(NO_MISREADING, BOTH, &sentence);
        const int n = z->n, d = z->d;
        EXPECT_EXPLAINED_LAYERS(n, 2, d, sentence.H, H, mistake_in_a_size(z));
        EXPECT_EXPLAINED_LAYERS(n, 2, 3 * d, sentence.gates, gates, mistake_in_a_size(z));
        EXPECT_EXPLAINED_LAYERS(n, 2, 3 * d, sentence.heard, heard, mistake_in_a_size(z));
    }
}

/* encode_backward */

#define READING_BACK_SLIPS(SLIP)                                                                   \
    SLIP(LEFT_OUT, "The steps%s did not go back at all.")                                          \
    SLIP(FIRST_STEP_LEFT_OUT, "The first step%s, the one from the start, did not go back.")        \
    SLIP(NOT_HANDED_BACK, "No state%s passed its gradient on to the state that it came from. "     \
                          "What comes back by h is added into d_H of the step before.")            \
    SLIP(HANDED_NOWHERE, "What comes back by h%s is lost, at a reader's first step too.")          \
    SLIP(ALL_TO_THE_START, "Every step%s sent its h's gradient to d_start. Only a reader's "       \
                           "first step went on from the start; the others, from a state in H.")    \
    SLIP(NOTHING_TO_THE_START, "d_start%s got nothing. A reader begins there.")                    \
    SLIP(INTO_ITS_OWN, "What comes back by h%s went into d_H[j], where it came from. It "          \
                       "belongs to the step before.")                                              \
    SLIP(INTO_ITS_OWN_AFTER_THE_START, "What comes back by h%s went into d_H[j], where it came "   \
                                       "from. It belongs to the step before.")                     \
    SLIP(OVERWRITTEN, "What the rest of the network had sent to the states%s was overwritten by "  \
                      "what comes back by h. That is added to it.")                                \
    SLIP(FROM_THE_STATES, "The steps%s went back from H. The gradient of a state is in d_H.")      \
    SLIP(FIRST_STEPS_FIRST, "The steps%s went back in the order of reading. Last step first: a "   \
                            "state must have all of its gradient before it hands it on.")          \
    SLIP(SECOND_LIKE_THE_FIRST, "The second reader was taken back like the first one. Its way "    \
                                "back begins at word 0, which it read last.")                      \
    SLIP(TO_THE_OTHERS_NEIGHBOUR, "What comes back by h%s went to the other reader's states. "     \
                                  "Reader 0 has d_H[..][0], reader 1 d_H[..][1].")                 \
    SLIP(STATES_FROM_AFTER, "The steps%s went back with the states that they made for h. h is "    \
                            "the state from before the step.")                                     \
    SLIP(STATES_FROM_AFTER_BUT_THE_START, "All steps%s but the one from the start went back "      \
                                          "with the states that they made for h.")                 \
    SLIP(STATES_AT_THE_START, "The steps%s all went back with the start for h.")                   \
    SLIP(STATES_AT_START_0, "The steps%s all went back with start[0] for h.")                      \
    SLIP(ZERO_AT_THE_START, "The step%s from the start went back with 0 for h, not the start.")    \
    SLIP(ONE_START_BACK, "The second reader went back to start[0] for h, not to start[1].")        \
    SLIP(STATES_OF_THE_OTHER, "The steps%s went back with the other reader's states for h.")       \
    SLIP(GATES_OF_THE_OTHER, "The steps%s went back with the other reader's gates.")               \
    SLIP(HEARD_OF_THE_OTHER, "The steps%s went back with the other reader's heard.")               \
    SLIP(BOTH_OF_THE_OTHER, "The steps%s went back with the other reader's gates and heard.")      \
    SLIP(D_H_OF_THE_OTHER, "The steps%s went back from the other reader's d_H.")                   \
    SLIP(D_GATES_OF_THE_OTHER, "The steps%s used the other reader's d_gates.")                     \
    SLIP(D_HEARD_OF_THE_OTHER, "The steps%s used the other reader's d_heard.")                     \
    SLIP(D_SUMS_OF_THE_OTHER, "The steps%s used the other reader's d_gates and d_heard.")          \
    SLIP(WORD_0_BACK, "The steps%s all went back with word 0 for x. Word j is &X[j].")             \
    SLIP(ALL_INTO_D_X_0, "The steps%s all added into word 0's gradient. Word j's is &d_X[j].")     \
    SLIP(ONE_W_BACK, "The second reader went back through W[0]. It had read with W[1].")           \
    SLIP(ONE_U_BACK, "The second reader went back through U[0]. It had listened with U[1].")       \
    SLIP(ONE_GRU_BACK, "The second reader went back through W[0] and U[0], not W[1] and U[1].")    \
    SLIP(ONE_D_W, "Both readers' gradients went into d_W[0]. The second one has d_W[1].")          \
    SLIP(ONE_D_U, "Both readers' gradients went into d_U[0]. The second one has d_U[1].")          \
    SLIP(ONE_D_GRU, "Both readers' gradients went into d_W[0] and d_U[0], the second one's too.")  \
    SLIP(ONE_D_START, "Both readers' gradients went into d_start[0], the second one's too.")       \
    SLIP(D_W_OF_THE_LAST_STEP, "Only one step's share is in d_W%s. Each adds one.")                \
    SLIP(D_U_OF_THE_LAST_STEP, "Only one step's share is in d_U%s. Each adds one.")                \
    SLIP(NOTHING_TO_THE_WORDS, "d_X holds nothing from the steps%s. Both have read the words.")
enum misreading_back { NO_MISREADING_BACK, READING_BACK_SLIPS(NAME) MISREADINGS_BACK };
static const char *const misreading_back_texts[] = {"", READING_BACK_SLIPS(TEXT)};

static int word_back(enum misreading_back slip, int reader, int k, int n) {
    return word_at(slip == SECOND_LIKE_THE_FIRST ? BOTH_FORWARD : NO_MISREADING, reader, k, n);
}

/* The state that its step k takes for h. */
static void *state_for_h(enum misreading_back slip, const struct read_text *s, int reader, int k) {
    const int d = s->z.d, j = word_back(slip, reader, k, s->z.n);
    double(*H)[2][d] = s->H, (*start)[d] = s->start;
    if (slip == STATES_FROM_AFTER || (slip == STATES_FROM_AFTER_BUT_THE_START && k > 0))
        return H[j][reader];
    if (slip == STATES_AT_START_0)
        return start[0];
    if (slip == STATES_OF_THE_OTHER && k > 0)
        return H[word_back(slip, reader, k - 1, s->z.n)][1 - reader];
    return state_before(slip == STATES_AT_THE_START     ? NOT_HANDED_ON
                        : slip == ONE_START_BACK        ? ONE_START
                        : slip == ZERO_AT_THE_START     ? FROM_ZERO
                        : slip == SECOND_LIKE_THE_FIRST ? BOTH_FORWARD
                                                        : NO_MISREADING,
                        s, reader, k);
}

static int whose_row(bool others, int reader) {
    return others ? 1 - reader : reader;
}

static struct step step_to_go_back(enum misreading_back slip, const struct read_text *s, int reader,
                                   int k) {
    const int d = s->z.d, j = word_back(slip, reader, k, s->z.n);
    const enum misreading matrix = slip == ONE_W_BACK     ? ONE_W
                                   : slip == ONE_U_BACK   ? ONE_U
                                   : slip == ONE_GRU_BACK ? ONE_GRU
                                   : slip == WORD_0_BACK  ? ALWAYS_THE_FIRST_WORD
                                                          : NO_MISREADING;
    double(*gates)[2][3 * d] = s->gates, (*heard)[2][3 * d] = s->heard, (*d_H)[2][d] = s->d_H;
    double(*d_gates)[2][3 * d] = s->d_gates, (*d_heard)[2][3 * d] = s->d_heard;
    struct step step = step_of(matrix, s, reader, j, state_for_h(slip, s, reader, k));
    const bool both = slip == BOTH_OF_THE_OTHER, d_both = slip == D_SUMS_OF_THE_OTHER;
    step.gates = gates[j][whose_row(both || slip == GATES_OF_THE_OTHER, reader)];
    step.heard = heard[j][whose_row(both || slip == HEARD_OF_THE_OTHER, reader)];
    step.d_next = slip == FROM_THE_STATES ? ((double(*)[2][d])s->H)[j][reader]
                                          : d_H[j][whose_row(slip == D_H_OF_THE_OTHER, reader)];
    step.held_gates = d_gates[j][whose_row(d_both || slip == D_GATES_OF_THE_OTHER, reader)];
    step.held_heard = d_heard[j][whose_row(d_both || slip == D_HEARD_OF_THE_OTHER, reader)];
    return step;
}

/* Where the gradient of the state before its step k goes to; NULL: nowhere. */
static void *gradient_before(enum misreading_back slip, const struct read_text *s, int reader,
                             int k) {
    const int n = s->z.n, d = s->z.d;
    double(*d_H)[2][d] = s->d_H, (*d_start)[d] = s->d_start;
    if (slip == HANDED_NOWHERE || slip == (k > 0 ? NOT_HANDED_BACK : NOTHING_TO_THE_START))
        return NULL;
    if (slip == INTO_ITS_OWN || (slip == INTO_ITS_OWN_AFTER_THE_START && k > 0))
        return d_H[word_back(slip, reader, k, n)][reader];
    if (k > 0 && slip != ALL_TO_THE_START)
        return d_H[word_back(slip, reader, k - 1, n)]
                  [whose_row(slip == TO_THE_OTHERS_NEIGHBOUR, reader)];
    return d_start[slip == ONE_D_START ? 0 : reader];
}

/* Adds what a step's way back brought, and keeps what it left in d_gates and d_heard. */
static void collect(enum misreading_back slip, struct read_text *s, int reader, int k,
                    const struct step *step) {
    const int d_in = s->z.d_in, d = s->z.d, j = word_back(slip, reader, k, s->z.n);
    double(*d_W)[d_in][3 * d] = s->d_W, (*d_U)[d][3 * d] = s->d_U, (*d_X)[d_in] = s->d_X;
    void *back_to = gradient_before(slip, s, reader, k);
    if (slip == D_W_OF_THE_LAST_STEP)
        fill(d_in * 3 * d, 0.0, d_W[reader]);
    if (slip == D_U_OF_THE_LAST_STEP)
        fill(d * 3 * d, 0.0, d_U[reader]);
    add_into(d_in * 3 * d, step->d_W, d_W[slip == ONE_D_W || slip == ONE_D_GRU ? 0 : reader]);
    add_into(d * 3 * d, step->d_U, d_U[slip == ONE_D_U || slip == ONE_D_GRU ? 0 : reader]);
    if (slip != NOTHING_TO_THE_WORDS)
        add_into(d_in, step->d_x, d_X[slip == ALL_INTO_D_X_0 ? 0 : j]);
    if (slip == OVERWRITTEN && k > 0)
        fill(d, 0.0, back_to);
    if (back_to)
        add_into(d, step->d_h, back_to);
    memcpy(step->held_gates, step->d_gates, 3 * (size_t)d * sizeof(double));
    memcpy(step->held_heard, step->d_heard, 3 * (size_t)d * sizeof(double));
}

/* The slow, obvious way back, with a slip in it. Makes gradients of its own; d_H begins as held. */
static void obvious_encode_back(enum misreading_back slip, enum whose whose, struct read_text *s) {
    const int n = s->z.n, d_in = s->z.d_in, d = s->z.d;
    s->d_H = held_or_zeros(n * 2 * d, s->held_d_H);
    s->d_gates = held_or_zeros(n * 2 * 3 * d, s->held_gates);
    s->d_heard = held_or_zeros(n * 2 * 3 * d, s->held_heard);
    s->d_W = held_or_zeros(2 * d_in * 3 * d, NULL);
    s->d_U = held_or_zeros(2 * d * 3 * d, NULL);
    s->d_X = held_or_zeros(n * d_in, NULL);
    s->d_start = held_or_zeros(2 * d, NULL);
    for (int reader = 0; reader < 2; reader++)
        for (int i = 0; i < n; i++) {
            const enum misreading_back own = is_slip_of(whose, reader) ? slip : NO_MISREADING_BACK;
            const int k = own == FIRST_STEPS_FIRST ? i : n - 1 - i;
            if (own == LEFT_OUT || (own == FIRST_STEP_LEFT_OUT && k == 0))
                continue;
            struct step step = step_to_go_back(own, s, reader, k);
            obvious_step_back(NO_SLIP_BACK, &step);
            collect(own, s, reader, k, &step);
        }
}

/* The forward pass, by the obvious way; what it leaves has the names that a report knows. */
static void read_forward(struct read_text *s) {
    const int n = s->z.n, d = s->z.d;
    obvious_encode(NO_MISREADING, BOTH, s);
    s->gates = copied_block("gates", n, 2, 3 * d, s->gates);
    s->heard = copied_block("heard", n, 2, 3 * d, s->heard);
    s->H = copied_block("H", n, 2, d, s->H);
}

/* Declares what encode_backward() adds to, and calls it; d_H is there already. */
#define ENCODE_BACK(sentence, held_sums, held)                                                     \
    NEW_MATRIX_FILLED(d_start, 2, (sentence).z.d, held);                                           \
    NEW_MATRIX_FILLED(d_X, (sentence).z.n, (sentence).z.d_in, held);                               \
    double(*d_W)[(sentence).z.d_in][3 * (sentence).z.d] =                                          \
        filled_block("d_W", 2, (sentence).z.d_in, 3 * (sentence).z.d, held);                       \
    double(*d_U)[(sentence).z.d][3 * (sentence).z.d] =                                             \
        filled_block("d_U", 2, (sentence).z.d, 3 * (sentence).z.d, held);                          \
    double(*d_gates)[2][3 * (sentence).z.d] =                                                      \
        filled_block("d_gates", (sentence).z.n, 2, 3 * (sentence).z.d, held_sums);                 \
    double(*d_heard)[2][3 * (sentence).z.d] =                                                      \
        filled_block("d_heard", (sentence).z.n, 2, 3 * (sentence).z.d, held_sums);                 \
    encode_back(&(sentence), d_H, d_gates, d_heard, d_W, d_U, d_X, d_start)

static void *filled_block(const char *name, int a, int b, int c, double value) {
    return fill(a * b * c, value, block_new(name, a, b, c));
}

static void encode_back(const struct read_text *s, void *d_H, void *d_gates, void *d_heard,
                        void *d_W, void *d_U, void *d_X, void *d_start) {
    encode_backward(s->z.n, s->z.d_in, s->z.d, s->W, s->U, s->X, s->start, s->gates, s->heard, s->H,
                    d_H, d_gates, d_heard, d_W, d_U, d_X, d_start);
}

/* All of them, since a slip may spoil little. */
static bool same_gradients(const struct read_text *a, const struct read_text *b) {
    const int n = a->z.n, d_in = a->z.d_in, d = a->z.d;
    return alike(n * 2 * d, a->d_H, b->d_H, ROUNDING) &&
           alike(2 * d, a->d_start, b->d_start, ROUNDING) &&
           alike(n * d_in, a->d_X, b->d_X, ROUNDING) &&
           alike(n * 6 * d, a->d_gates, b->d_gates, ROUNDING) &&
           alike(n * 6 * d, a->d_heard, b->d_heard, ROUNDING) &&
           alike(2 * d_in * 3 * d, a->d_W, b->d_W, ROUNDING) &&
           alike(2 * d * 3 * d, a->d_U, b->d_U, ROUNDING);
}

#define GIVEN                                                                                      \
    {                                                                                              \
        .d_H = d_H, .d_start = d_start, .d_X = d_X, .d_W = d_W, .d_U = d_U, .d_gates = d_gates,    \
        .d_heard = d_heard                                                                         \
    }

/* A sentence for readers who have nothing in common, and its way back. */
#define SENTENCE_BACK                                                                              \
    struct random r = random_seed(710);                                                            \
    const struct reading z = {4, 2, 2};                                                            \
    RANDOM_SENTENCE(z, &r);                                                                        \
    double(*d_H)[2][2] = random_block("d_H", 4, 2, 2, &r);                                         \
    sentence.held_d_H = vector_copy("held_d_H", 16, d_H);                                          \
    read_forward(&sentence);                                                                       \
    ENCODE_BACK(sentence, 0.0, 0.0)

static struct named slip_in_reading_back(void) {
    SENTENCE_BACK;
    const struct read_text given = GIVEN;
    for (enum misreading_back slip = NO_MISREADING_BACK; slip < MISREADINGS_BACK; slip++)
        for (enum whose whose = BOTH; whose <= last_to_try(misreading_back_texts[slip]); whose++) {
            struct read_text wrong = sentence;
            obvious_encode_back(slip, whose, &wrong);
            if (same_gradients(&wrong, &given))
                return (struct named){slip ? misreading_back_texts[slip] : NULL, whose};
        }
    return (struct named){NULL, BOTH};
}

static void the_worked_sentence_sends_its_gradient_back(void) {
    WORKED_SENTENCE;
    read_forward(&sentence);
    const double upstream[3][2] = {{0, 1}, {0, 0}, {1, 0}};
    double(*d_H)[2][1] = copied_block("d_H", 3, 2, 1, upstream);
    sentence.held_d_H = (void *)upstream;
    ENCODE_BACK(sentence, 0.0, 0.0);
    const double expected_d_H[3][2] = {{0.2034, 1}, {0.1805, 0.4833}, {1, 0.5592}};
    const double expected_d_start[2] = {0.0935, 0.0733};
    const double expected_d_X[3] = {0.2199, 0.0806, 0.1962};
    const double expected_d_W[2][3] = {{-0.3992, -0.0022, 0.0796}, {-0.4032, -0.0133, 0.0510}};
    const double expected_d_U[2][3] = {{-0.0185, 0.0050, 0.0124}, {0.0094, 0.0362, 0.0588}};
    const struct read_text given = GIVEN;
    struct read_text right = sentence;
    obvious_encode_back(NO_MISREADING_BACK, BOTH, &right);
    struct named slip = {NULL, BOTH};
    if (!same_gradients(&right, &given))
        slip = slip_in_reading_back();
    tell_whose(slip);
    MISTAKE_IF(alike(6, upstream, d_H, 0.0),
               "d_H was left as it came. What comes back to the state that a step went on from is "
               "added to d_H there, and goes on from there.");
    mistake_if_zeros(6, d_H,
                     "Whatever d_H held was lost. It comes with what the rest of the network has "
                     "sent to the states: all begins there.");
    EXPECT_MATRIX(3, 2, expected_d_H, d_H, FOUR_DECIMALS);
    tell_whose(slip);
    NO_GRADIENT(2, d_start, "Where a reader begins");
    EXPECT_MATRIX(2, 1, expected_d_start, d_start, FOUR_DECIMALS);
    tell_whose(slip);
    NO_GRADIENT(3, d_X, "Every word");
    EXPECT_MATRIX(3, 1, expected_d_X, d_X, FOUR_DECIMALS);
    for (int reader = 0; reader < 2; reader++) {
        tell_whose(slip);
        expect_numbers(__LINE__, reader ? "d_W[1]" : "d_W[0]", 1, 3, expected_d_W[reader],
                       d_W[reader][0], FOUR_DECIMALS);
        tell_whose(slip);
        expect_numbers(__LINE__, reader ? "d_U[1]" : "d_U[0]", 1, 3, expected_d_U[reader],
                       d_U[reader][0], FOUR_DECIMALS);
    }
}

/* What the way back should leave of everything; `explain` is looked at before each. */
#define EXPECT_ENCODE_BACK(s, explain)                                                             \
    do {                                                                                           \
        const int n = (s).z.n, d_in = (s).z.d_in, d = (s).z.d;                                     \
        struct read_text right = s;                                                                \
        obvious_encode_back(NO_MISREADING_BACK, BOTH, &right);                                     \
        EXPECT_EXPLAINED_LAYERS(n, 2, d, right.d_H, d_H, explain);                                 \
        EXPECT_EXPLAINED(2, d, right.d_start, d_start, explain);                                   \
        EXPECT_EXPLAINED(n, d_in, right.d_X, d_X, explain);                                        \
        EXPECT_EXPLAINED_LAYERS(2, d_in, 3 * d, right.d_W, d_W, explain);                          \
        EXPECT_EXPLAINED_LAYERS(2, d, 3 * d, right.d_U, d_U, explain);                             \
        EXPECT_EXPLAINED_LAYERS(n, 2, 3 * d, right.d_gates, d_gates, explain);                     \
        EXPECT_EXPLAINED_LAYERS(n, 2, 3 * d, right.d_heard, d_heard, explain);                     \
    } while (0)

static void each_reader_goes_back_through_its_own(void) {
    SENTENCE_BACK;
    const struct named slip = slip_in_reading_back();
    EXPECT_ENCODE_BACK(sentence, tell_whose(slip));
}

static void the_gradients_of_a_sentence_are_added_to_what_is_there(void) {
    struct random r = random_seed(711);
    const struct reading z = {4, 3, 2};
    RANDOM_SENTENCE(z, &r);
    double(*d_H)[2][2] = random_block("d_H", 4, 2, 2, &r);
    sentence.held_d_H = vector_copy("held_d_H", 16, d_H);
    read_forward(&sentence);
    ENCODE_BACK(sentence, 0.0, 10.0);
    obvious_encode_back(NO_MISREADING_BACK, BOTH, &sentence);
    const double *right_d_W = sentence.d_W, *right_d_U = sentence.d_U;
    EXPECT_ADDED(4, 3, 10.0, sentence.d_X, d_X);
    EXPECT_ADDED(2, 2, 10.0, sentence.d_start, d_start);
    EXPECT_ADDED(3, 6, 10.0, right_d_W, d_W[0]);
    EXPECT_ADDED(3, 6, 10.0, right_d_W + 18, d_W[1]);
    EXPECT_ADDED(2, 6, 10.0, right_d_U, d_U[0]);
    EXPECT_ADDED(2, 6, 10.0, right_d_U + 12, d_U[1]);
}

/* The loss is H times what it was sent. */
static double loss_of_a_sentence(void *context) {
    const struct read_text *s = context;
    encode_into(s, s->gates, s->heard, s->H);
    return sum_of_products(s->z.n * 2 * s->z.d, s->H, s->held_d_H);
}

static void the_gradients_of_a_sentence_are_what_nudging_measures(void) {
    struct random r = random_seed(712);
    for (int i = 0; i < 4; i++) {
        const struct reading z = all_readings[i];
        matrix_free_all();
        RANDOM_SENTENCE(z, &r);
        double(*d_H)[2][z.d] = random_block("d_H", z.n, 2, z.d, &r);
        sentence.held_d_H = vector_copy("held_d_H", z.n * 2 * z.d, d_H);
        ENCODE(sentence);
        sentence.gates = gates, sentence.heard = heard, sentence.H = H;
        ENCODE_BACK(sentence, 0.0, 0.0);
        EXPECT_SLOPES(loss_of_a_sentence, &sentence, 2, z.d, start[0], d_start);
        EXPECT_SLOPES(loss_of_a_sentence, &sentence, z.n, z.d_in, X[0], d_X);
        for (int reader = 0; reader < 2; reader++) {
            EXPECT_SLOPES(loss_of_a_sentence, &sentence, z.d_in, 3 * z.d, W[reader][0],
                          d_W[reader]);
            EXPECT_SLOPES(loss_of_a_sentence, &sentence, z.d, 3 * z.d, U[reader][0], d_U[reader]);
        }
    }
}

/* Gates, what was heard and states that no forward pass has left. */
static void what_reading_left_is_what_counts_on_the_way_back(void) {
    struct random r = random_seed(713);
    const struct reading z = {3, 2, 4};
    RANDOM_SENTENCE(z, &r);
    double(*d_H)[2][4] = random_block("d_H", 3, 2, 4, &r);
    sentence.held_d_H = vector_copy("held_d_H", 24, d_H);
    sentence.gates = random_block("gates", 3, 2, 12, &r);
    sentence.heard = random_block("heard", 3, 2, 12, &r);
    sentence.H = random_block("H", 3, 2, 4, &r);
    ENCODE_BACK(sentence, 0.0, 0.0);
    EXPECT_ENCODE_BACK(sentence, MISTAKE_IF(true, "Did you read the sentence anew? What reading "
                                                  "left is in gates, heard and H: use these."));
}

/* All that is added to holds something at first, d_gates and d_heard too. */
static void random_sentences_go_back_as_the_obvious_way_does(void) {
    struct random r = random_seed(714);
    FOR_ALL_READINGS(z) {
        RANDOM_SENTENCE(*z, &r);
        double(*d_H)[2][z->d] = random_block("d_H", z->n, 2, z->d, &r);
        sentence.held_d_H = vector_copy("held_d_H", z->n * 2 * z->d, d_H);
        NEW_VECTOR_FILLED(held, z->n * 2 * 3 * z->d, 0.5);
        sentence.held_gates = sentence.held_heard = held;
        read_forward(&sentence);
        ENCODE_BACK(sentence, 0.5, 0.0);
        EXPECT_ENCODE_BACK(sentence, mistake_in_a_size(z));
    }
}

/* sentence_vector */

static void the_worked_states_make_a_sentence_vector(void) {
    double(*H)[2][1] = copied_block("H", 3, 2, 1, (const double[3][2]){{1, 6}, {2, 5}, {3, 4}});
    NEW_MATRIX(c, 2, 1);
    sentence_vector(3, 1, H, c);
    const double expected[2] = {3, 6};
    MISTAKE_VECTOR(2, ((const double[2]){3, 4}),
                   "Both states are those of the last word. There the second reader has read one "
                   "word only: it came from the other end.");
    MISTAKE_VECTOR(2, ((const double[2]){1, 6}),
                   "Both states are those of word 0. There the first reader has read one word "
                   "only; it has read all of them at the other end.");
    MISTAKE_VECTOR(2, ((const double[2]){1, 4}),
                   "These are the two states that have read one word only. Which has each reader "
                   "made last?");
    MISTAKE_VECTOR(2, ((const double[2]){6, 3}),
                   "The two states are the right ones, in each other's place: the first reader's "
                   "belongs into c[0].");
    MISTAKE_VECTOR(2, ((const double[2]){4, 1}),
                   "Each state is the other reader's: c[0] has the second one's after one word, "
                   "c[1] the first one's. H[..][0] is the first reader.");
    MISTAKE_VECTOR(2, ((const double[2]){2, 5}),
                   "That is the mean of each reader's states, or the middle word's. The sentence "
                   "vector is one state of each, the one that has read all words.");
    MISTAKE_VECTOR(2, ((const double[2]){6, 15}),
                   "That is the sum of each reader's states. The sentence vector is one state of "
                   "each, the one that has read all words.");
    MISTAKE_VECTOR(2, ((const double[2]){3, 3}),
                   "The first reader's state is in both. The second reader's is H[..][1].");
    MISTAKE_VECTOR(2, ((const double[2]){6, 6}),
                   "The second reader's state is in both. The first reader's is H[..][0].");
    mistake_if_never_set(2, c);
    EXPECT_MATRIX(2, 1, expected, c, FOUR_DECIMALS);
}

static void every_number_of_both_states_is_taken(void) {
    struct random r = random_seed(715);
    FOR_ALL_READINGS(z) {
        double(*H)[2][z->d] = random_block("H", z->n, 2, z->d, &r);
        NEW_MATRIX(expected, 2, z->d);
        memcpy(expected[0], H[z->n - 1][0], sizeof expected[0]);
        memcpy(expected[1], H[0][1], sizeof expected[1]);
        NEW_MATRIX(c, 2, z->d);
        sentence_vector(z->n, z->d, H, c);
        mistake_if_a_float(2 * z->d, expected, c);
        MISTAKE_IF(true,
                   "n = %d and d = %d here. Both states have d numbers, and both are those "
                   "that have read all n words.",
                   z->n, z->d);
        EXPECT_MATRIX(2, z->d, expected, c, 0.0);
    }
}

/* sentence_vector_backward */

static void the_worked_gradient_goes_to_two_states(void) {
    NEW_MATRIX_OF(d_c, 2, 1, {10}, {20});
    double(*d_H)[2][1] = filled_block("d_H", 3, 2, 1, 0.0);
    sentence_vector_backward(3, 1, d_c, d_H);
    const double expected[3][2] = {{0, 20}, {0, 0}, {10, 0}};
    const double last_word[3][2] = {{0, 0}, {0, 0}, {10, 20}};
    const double first_word[3][2] = {{10, 20}, {0, 0}, {0, 0}};
    const double wrong_ends[3][2] = {{10, 0}, {0, 0}, {0, 20}};
    const double exchanged[3][2] = {{0, 10}, {0, 0}, {20, 0}};
    const double everywhere[3][2] = {{10, 20}, {10, 20}, {10, 20}};
    const double first_only[3][2] = {{0, 0}, {0, 0}, {10, 0}};
    const double taken_away[3][2] = {{0, -20}, {0, 0}, {-10, 0}};
    const double second_only[3][2] = {{0, 20}, {0, 0}, {0, 0}};
    mistake_if_zeros(6, d_H,
                     "Nothing was added into d_H. The sentence vector was made of two of "
                     "the states.");
    MISTAKE_MATRIX(3, 2, last_word,
                   "Both went to the last word's states. The second reader's came from word 0: "
                   "there it has read all words.");
    MISTAKE_MATRIX(3, 2, first_word,
                   "Both went to word 0's states. The first reader's came from the last word: "
                   "there it has read all words.");
    MISTAKE_MATRIX(3, 2, wrong_ends,
                   "Each went to the other end of the sentence than where it came from.");
    MISTAKE_MATRIX(3, 2, exchanged,
                   "The two changed places: what c[0] is worth belongs to the first reader.");
    MISTAKE_MATRIX(3, 2, everywhere,
                   "All states got it. Only two of them have gone into the sentence vector.");
    MISTAKE_MATRIX(3, 2, taken_away, "You took it away from d_H. A gradient is added: +=.");
    MISTAKE_MATRIX(3, 2, first_only, "The second reader's state got nothing. It went into c[1].");
    MISTAKE_MATRIX(3, 2, second_only, "The first reader's state got nothing. It went into c[0].");
    mistake_if_never_set(6, d_H);
    EXPECT_MATRIX(3, 2, expected, d_H, FOUR_DECIMALS);
}

static void what_two_states_gain_is_added_to_what_is_there(void) {
    struct random r = random_seed(716);
    FOR_ALL_READINGS(z) {
        NEW_MATRIX_RANDOM(d_c, 2, z->d, &r);
        double(*gained)[2][z->d] = filled_block("gained", z->n, 2, z->d, 0.0);
        memcpy(gained[z->n - 1][0], d_c[0], sizeof d_c[0]);
        memcpy(gained[0][1], d_c[1], sizeof d_c[1]);
        double(*d_H)[2][z->d] = filled_block("d_H", z->n, 2, z->d, 10.0);
        sentence_vector_backward(z->n, z->d, d_c, d_H);
        for (int j = 0; j < z->n; j++) {
            char name[24];
            snprintf(name, sizeof name, "d_H[%d]", j);
            const bool first = j == z->n - 1, second = j == 0;
            MISTAKE_IF((first && alike(z->d, d_c[0], d_H[j][0], 0.0)) ||
                           (second && alike(z->d, d_c[1], d_H[j][1], 0.0)),
                       "d_H held 10 everywhere, and you overwrote it. Other paths may have left "
                       "their gradient there: add with +=.");
            expect_added(__LINE__, name, 2, z->d, 10.0, gained[j], d_H[j]);
        }
    }
}

#define ENCODER_TESTS                                                                              \
    ENCODER_TEST(gru_step, the_worked_step_comes_out),                                             \
        ENCODER_TEST(gru_step, with_two_numbers_each_gate_has_its_place),                          \
        ENCODER_TEST(gru_step, an_open_gate_keeps_the_state_and_a_closed_one_forgets_it),          \
        ENCODER_TEST(gru_step, random_steps_of_a_gru_agree_with_the_obvious_way),                  \
                                                                                                   \
        ENCODER_TEST(gru_step_backward, the_worked_step_goes_back),                                \
        ENCODER_TEST(gru_step_backward, with_two_numbers_each_way_back_is_told_apart),             \
        ENCODER_TEST(gru_step_backward, all_six_gradients_are_added_to_what_is_there),             \
        ENCODER_TEST(gru_step_backward, the_gradients_of_a_step_are_what_nudging_measures),        \
        ENCODER_TEST(gru_step_backward, what_a_step_left_is_what_counts_on_the_way_back),          \
        ENCODER_TEST(gru_step_backward, random_steps_go_back_as_the_obvious_way_does),             \
                                                                                                   \
        ENCODER_TEST(encode, the_worked_sentence_is_read_in_both_directions),                      \
        ENCODER_TEST(encode, each_reader_has_its_own_matrices_and_start),                          \
        ENCODER_TEST(encode, a_reader_knows_only_what_it_has_read),                                \
        ENCODER_TEST(encode, random_sentences_are_read_as_the_obvious_way_does),                   \
                                                                                                   \
        ENCODER_TEST(encode_backward, the_worked_sentence_sends_its_gradient_back),                \
        ENCODER_TEST(encode_backward, each_reader_goes_back_through_its_own),                      \
        ENCODER_TEST(encode_backward, the_gradients_of_a_sentence_are_added_to_what_is_there),     \
        ENCODER_TEST(encode_backward, the_gradients_of_a_sentence_are_what_nudging_measures),      \
        ENCODER_TEST(encode_backward, what_reading_left_is_what_counts_on_the_way_back),           \
        ENCODER_TEST(encode_backward, random_sentences_go_back_as_the_obvious_way_does),           \
                                                                                                   \
        ENCODER_TEST(sentence_vector, the_worked_states_make_a_sentence_vector),                   \
        ENCODER_TEST(sentence_vector, every_number_of_both_states_is_taken),                       \
                                                                                                   \
        ENCODER_TEST(sentence_vector_backward, the_worked_gradient_goes_to_two_states),            \
        ENCODER_TEST(sentence_vector_backward, what_two_states_gain_is_added_to_what_is_there)

#endif
