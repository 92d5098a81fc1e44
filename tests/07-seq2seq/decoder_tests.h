/* The half of lesson 07 that writes: the decoder's step, its look back at the encoder's states, and
   how it is trained and set free. */
#ifndef DECODER_TESTS_H
static const char decoder_file[] = __FILE__;
#define DECODER_TEST(exercise, test) TEST_FROM(decoder_file, exercise, test)

#define DECODER_TESTS_H

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "seq2seq.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* d_k numbers are in a state of the encoder, and so in a context. */
struct dimensions {
    int n_k, d_word, d_k, d, d_a;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1.
   Each begins with nothing of the one before, which a failure would show beside its own. */
static const struct dimensions all_dimensions[] = {
    {3, 5, 4, 2, 7}, {4, 2, 6, 5, 1}, {5, 3, 1, 6, 2}, {2, 4, 5, 1, 3},
    {6, 1, 2, 5, 4}, {1, 3, 2, 4, 6}, {1, 1, 1, 1, 1},
};
#define FOR_ALL_DIMENSIONS(z)                                                                      \
    for (const struct dimensions *z = all_dimensions;                                              \
         z < all_dimensions + sizeof all_dimensions / sizeof *z && (matrix_free_all(), true); z++)

/* A decoder in the middle of a sentence; void, since the sizes stand in z. decoder_step() is given
   a context c, attention_step() makes it. */
struct writer {
    struct dimensions z;
    void *W_q, *W_k, *v_a, *W, *U, *y, *H, *s;
    void *hidden, *weights, *c, *input, *gates, *heard, *next;
    const void *d_next;
};

static int input_of(struct dimensions z) {
    return z.d_word + z.d_k;
}

/* Room for what a step leaves, and for what a look back leaves before it. */
static struct writer with_room(struct writer w, bool looks) {
    const struct dimensions z = w.z;
    if (looks) {
        NEW_BLOCK(hidden, 1, z.n_k, z.d_a);
        NEW_MATRIX(weights, 1, z.n_k);
        NEW_MATRIX(c, 1, z.d_k);
        w.hidden = hidden, w.weights = weights, w.c = c;
    }
    NEW_MATRIX(input, 1, input_of(z));
    NEW_MATRIX(gates, 1, 3 * z.d);
    NEW_MATRIX(heard, 1, 3 * z.d);
    NEW_MATRIX(next, 1, z.d);
    w.input = input, w.gates = gates, w.heard = heard, w.next = next;
    return w;
}

/* All that the forward pass is given, at random: that of a step, or of a look back as well. */
static struct writer random_writer(struct dimensions z, bool looks, struct random *r) {
    struct writer w = {z, .s = NULL};
    NEW_MATRIX_RANDOM(upstream, 1, z.d, r); /* no name of the header: no forward test shows it */
    if (looks) {
        NEW_MATRIX_RANDOM(W_q, z.d_a, z.d, r);
        NEW_MATRIX_RANDOM(W_k, z.d_a, z.d_k, r);
        NEW_VECTOR_RANDOM(v_a, z.d_a, r);
        NEW_MATRIX_RANDOM(H, z.n_k, z.d_k, r);
        w.W_q = W_q, w.W_k = W_k, w.v_a = v_a, w.H = H;
    } else {
        NEW_MATRIX_RANDOM(c, 1, z.d_k, r);
        w.c = c;
    }
    NEW_MATRIX_RANDOM(W, input_of(z), 3 * z.d, r);
    NEW_MATRIX_RANDOM(U, z.d, 3 * z.d, r);
    NEW_MATRIX_RANDOM(y, 1, z.d_word, r);
    NEW_MATRIX_RANDOM(s, 1, z.d, r);
    scale_into(input_of(z) * 3 * z.d, 0.4, W, W); /* away from where the gates are flat */
    scale_into(z.d * 3 * z.d, 0.4, U, U);
    w.W = W, w.U = U, w.y = y, w.s = s, w.d_next = upstream;
    return w;
}

/* The slow, obvious way forward. */

static double column_of(int rows, int cols, const double W[rows][cols], int col, const double *x) {
    double sum = 0.0;
    for (int k = 0; k < rows; k++)
        sum += x[k] * W[k][col];
    return sum;
}

/* The gated unit alone, from whatever is in w->input. */
static void slow_unit(struct writer *w) {
    const int d = w->z.d;
    double *gates = w->gates, *heard = w->heard, *next = w->next, *s = w->s;
    for (int i = 0; i < 3 * d; i++) {
        heard[i] = column_of(d, 3 * d, w->U, i, s);
        gates[i] = column_of(input_of(w->z), 3 * d, w->W, i, w->input);
        double r = i < 2 * d ? 1.0 : gates[i - d]; /* by then it holds r */
        double sum = gates[i] + r * heard[i];
        gates[i] = i < 2 * d ? 1.0 / (1.0 + exp(-sum)) : tanh(sum);
    }
    for (int i = 0; i < d; i++)
        next[i] = gates[2 * d + i] + gates[i] * (s[i] - gates[2 * d + i]);
}

static void slow_input(struct writer *w) {
    double *input = w->input, *y = w->y, *c = w->c;
    for (int i = 0; i < input_of(w->z); i++)
        input[i] = i < w->z.d_word ? y[i] : c[i - w->z.d_word];
}

static double slow_score(const struct writer *w, int j, double *hidden) {
    const struct dimensions z = w->z;
    const double(*W_q)[z.d] = w->W_q, (*W_k)[z.d_k] = w->W_k, *v_a = w->v_a, (*H)[z.d_k] = w->H;
    double score = 0.0;
    for (int a = 0; a < z.d_a; a++) {
        hidden[a] = tanh(sum_of_products(z.d, W_q[a], w->s) + sum_of_products(z.d_k, W_k[a], H[j]));
        score += v_a[a] * hidden[a];
    }
    return score;
}

static void slow_context(struct writer *w) {
    const struct dimensions z = w->z;
    double(*hidden)[z.d_a] = w->hidden, *weights = w->weights, *c = w->c, sum = 0.0;
    for (int j = 0; j < z.n_k; j++)
        sum += weights[j] = exp(slow_score(w, j, hidden[j]));
    scale_into(z.n_k, 1.0 / sum, weights, weights);
    for (int i = 0; i < z.d_k; i++)
        c[i] = column_of(z.n_k, z.d_k, w->H, i, weights);
}

/* What a step, or a look back and a step, should make of w. */
static struct writer slow_step(struct writer w) {
    w = with_room(w, false);
    slow_input(&w);
    slow_unit(&w);
    return w;
}

static struct writer slow_look(struct writer w) {
    w = with_room(w, true);
    slow_context(&w);
    slow_input(&w);
    slow_unit(&w);
    return w;
}

/* What the learner's functions make of it. */
static void run_step(const struct writer *w) {
    decoder_step(w->z.d_word, w->z.d_k, w->z.d, w->W, w->U, w->y, w->c, w->s, w->input, w->gates,
                 w->heard, w->next);
}

static void run_look(const struct writer *w) {
    const struct dimensions z = w->z;
    attention_step(z.n_k, z.d_word, z.d_k, z.d, z.d_a, w->W_q, w->W_k, w->v_a, w->W, w->U, w->y,
                   w->H, w->s, w->hidden, w->weights, w->c, w->input, w->gates, w->heard, w->next);
}

static struct writer stepped(struct writer w) {
    w = with_room(w, false);
    run_step(&w);
    return w;
}

static struct writer looked(struct writer w) {
    w = with_room(w, true);
    run_look(&w);
    return w;
}

/* For a `w` that one of these has made. */
#define EXPECT_MADE(rows, cols, expected, field, tolerance)                                        \
    expect_numbers(__LINE__, #field, rows, cols, (const double *)(expected), w.field, tolerance)

/* The gradients, in the order in which they are given. */
enum place {
    AT_GATES,
    AT_HEARD,
    AT_INPUT,
    AT_C,
    AT_W_Q,
    AT_W_K,
    AT_V_A,
    AT_W,
    AT_U,
    AT_Y,
    AT_H,
    AT_S,
    PLACES
};
static const char *const place_names[PLACES] = {
    "d_gates", "d_heard", "d_input", "d_c", "d_W_q", "d_W_k",
    "d_v_a",   "d_W",     "d_U",     "d_y", "d_H",   "d_s",
};

struct flow {
    void *at[PLACES];
};

/* 0 for a vector */
static int place_rows(struct dimensions z, enum place p) {
    const int rows[PLACES] = {1, 1, 1, 1, z.d_a, z.d_a, 0, input_of(z), z.d, 1, z.n_k, 1};
    return rows[p];
}

static int place_cols(struct dimensions z, enum place p) {
    const int d = z.d, cols[PLACES] = {3 * d, 3 * d, input_of(z), z.d_k,    z.d,   z.d_k,
                                       z.d_a, 3 * d, 3 * d,       z.d_word, z.d_k, d};
    return cols[p];
}

static int place_count(struct dimensions z, enum place p) {
    return (place_rows(z, p) ? place_rows(z, p) : 1) * place_cols(z, p);
}

static struct flow new_flow(struct dimensions z, double held) {
    struct flow f;
    for (enum place p = 0; p < PLACES; p++) {
        int rows = place_rows(z, p), cols = place_cols(z, p);
        f.at[p] = rows ? matrix_new(place_names[p], rows, cols) : vector_new(place_names[p], cols);
        fill(place_count(z, p), held, f.at[p]);
    }
    return f;
}

static void run_step_back(const struct writer *w, struct flow f) {
    decoder_step_backward(w->z.d_word, w->z.d_k, w->z.d, w->W, w->U, w->s, w->input, w->gates,
                          w->heard, w->d_next, f.at[AT_GATES], f.at[AT_HEARD], f.at[AT_INPUT],
                          f.at[AT_W], f.at[AT_U], f.at[AT_Y], f.at[AT_C], f.at[AT_S]);
}

static void run_look_back(const struct writer *w, struct flow f) {
    const struct dimensions z = w->z;
    attention_step_backward(z.n_k, z.d_word, z.d_k, z.d, z.d_a, w->W_q, w->W_k, w->v_a, w->W, w->U,
                            w->H, w->s, w->hidden, w->weights, w->input, w->gates, w->heard,
                            w->d_next, f.at[AT_GATES], f.at[AT_HEARD], f.at[AT_INPUT], f.at[AT_C],
                            f.at[AT_W_Q], f.at[AT_W_K], f.at[AT_V_A], f.at[AT_W], f.at[AT_U],
                            f.at[AT_Y], f.at[AT_H], f.at[AT_S]);
}

/* The slow, obvious way back, and what people leave out of it. */
enum { BY_UNIT = 1, BY_VALUES = 2, BY_KEYS = 4, BY_QUERY = 8, EVERY_WAY = 15 };

/* Y += x W^T and W += x^T Y, for rows x and Y */
static void slow_product_back(int n, int m, const void *W, const double *x, const double *d_sum,
                              double *d_x, double *d_W) {
    const double(*matrix)[m] = W;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++) {
            d_x[k] += d_sum[i] * matrix[k][i];
            d_W[k * m + i] += d_sum[i] * x[k];
        }
}

static void slow_unit_back(int ways, const struct writer *w, struct flow f) {
    const int d = w->z.d;
    const double *gates = w->gates, *heard = w->heard, *s = w->s, *d_next = w->d_next;
    double *d_gates = f.at[AT_GATES], *d_heard = f.at[AT_HEARD];
    NEW_VECTOR_FILLED(d_s, d, 0.0);
    for (int i = 0; i < d; i++) {
        double z = gates[i], r = gates[d + i], n = gates[2 * d + i];
        double inside = d_next[i] * (1.0 - z) * (1.0 - n * n);
        const double d_sums[3] = {d_next[i] * (s[i] - n) * z * (1.0 - z),
                                  inside * heard[2 * d + i] * r * (1.0 - r), inside};
        for (int k = 0; k < 3; k++) {
            d_gates[k * d + i] += d_sums[k];
            d_heard[k * d + i] += k < 2 ? d_sums[k] : r * d_sums[k];
        }
        d_s[i] = z * d_next[i];
    }
    slow_product_back(input_of(w->z), 3 * d, w->W, w->input, d_gates, f.at[AT_INPUT], f.at[AT_W]);
    slow_product_back(d, 3 * d, w->U, s, d_heard, d_s, f.at[AT_U]);
    if (ways & BY_UNIT)
        add_into(d, d_s, f.at[AT_S]);
}

static void slow_step_back(int ways, const struct writer *w, struct flow f) {
    const double *d_input = f.at[AT_INPUT];
    slow_unit_back(ways, w, f);
    add_into(w->z.d_word, d_input, f.at[AT_Y]);
    add_into(w->z.d_k, d_input + w->z.d_word, f.at[AT_C]);
}

/* From the score of state j. */
static void slow_score_back(int ways, const struct writer *w, struct flow f, int j,
                            double d_score) {
    const struct dimensions z = w->z;
    const double(*hidden)[z.d_a] = w->hidden, (*H)[z.d_k] = w->H, *s = w->s, *v_a = w->v_a;
    const double(*W_q)[z.d] = w->W_q, (*W_k)[z.d_k] = w->W_k;
    double(*d_W_q)[z.d] = f.at[AT_W_Q], (*d_W_k)[z.d_k] = f.at[AT_W_K], *d_v_a = f.at[AT_V_A];
    double(*d_H)[z.d_k] = f.at[AT_H], *d_s = f.at[AT_S];
    for (int a = 0; a < z.d_a; a++) {
        double d_sum = d_score * v_a[a] * (1.0 - hidden[j][a] * hidden[j][a]);
        d_v_a[a] += d_score * hidden[j][a];
        for (int i = 0; i < z.d; i++) {
            d_W_q[a][i] += d_sum * s[i];
            d_s[i] += ways & BY_QUERY ? d_sum * W_q[a][i] : 0.0;
        }
        for (int i = 0; i < z.d_k; i++) {
            d_W_k[a][i] += d_sum * H[j][i];
            d_H[j][i] += ways & BY_KEYS ? d_sum * W_k[a][i] : 0.0;
        }
    }
}

static void slow_look_back(int ways, const struct writer *w, struct flow f) {
    const struct dimensions z = w->z;
    const double *weights = w->weights, (*H)[z.d_k] = w->H, *d_c = f.at[AT_C];
    double(*d_H)[z.d_k] = f.at[AT_H];
    slow_step_back(ways, w, f);
    for (int j = 0; j < z.n_k; j++) {
        double d_score = 0.0; /* softmax's whole Jacobian */
        for (int k = 0; k < z.n_k; k++)
            d_score += weights[k] * ((j == k) - weights[j]) * sum_of_products(z.d_k, d_c, H[k]);
        slow_score_back(ways, w, f, j, d_score);
        for (int i = 0; i < z.d_k; i++)
            d_H[j][i] += ways & BY_VALUES ? weights[j] * d_c[i] : 0.0;
    }
}

/* What attention's way back gives by some ways only, from gradients that start at 0. */
static struct flow by_ways(int ways, const struct writer *w) {
    struct flow f = new_flow(w->z, 0.0);
    slow_look_back(ways, w, f);
    return f;
}

#define EXPECT_PLACE(p, z, expected, given, tolerance)                                             \
    expect_numbers(__LINE__, place_names[p], place_rows(z, p), place_cols(z, p), expected,         \
                   (given).at[p], tolerance)
#define MISTAKE_AT(p, z, wrong, ...) mistake_numbers(place_count(z, p), wrong, __VA_ARGS__)

/* For want of a better explanation, should the next EXPECT fail. */
static void mistake_of_sizes(struct dimensions z, bool looks, const char *why) {
    if (looks)
        MISTAKE_IF(true,
                   "The worked example came out; this one, with n_k = %d, d_word = %d, d_k = %d, "
                   "d = %d and d_a = %d, did not. %s",
                   z.n_k, z.d_word, z.d_k, z.d, z.d_a, why);
    else
        MISTAKE_IF(true,
                   "The worked example came out; this one, with d_word = %d, d_context = %d and "
                   "d = %d, did not. %s",
                   z.d_word, z.d_k, z.d, why);
}
static const char size_misplaced[] = "Which size stands where another belongs?";
static const char half_way_or_size[] =
    "What waits half-way, 0.5 here, is added to and goes on. Or does a size stand where another "
    "belongs?";
static const char worked_out_anew[] =
    "Did you work something out anew? Use what is given: it is what the step was really made with.";

#define EXPECT_AS_SLOW(rows, cols, field)                                                          \
    do {                                                                                           \
        mistake_if_a_float((rows) * (cols), right.field, w.field);                                 \
        mistake_of_sizes(w.z, w.hidden != NULL, size_misplaced);                                   \
        EXPECT_MADE(rows, cols, right.field, field, ROUNDING);                                     \
    } while (0)

/* All that a forward pass leaves, from no forward pass; attention's weights sum to 1. */
static struct writer random_leavings(struct dimensions z, struct random *r) {
    struct writer w = random_writer(z, true, r), other = slow_look(random_writer(z, true, r));
    NEW_MATRIX_RANDOM(input, 1, input_of(z), r);
    w.hidden = other.hidden, w.weights = other.weights, w.input = input;
    w.gates = other.gates, w.heard = other.heard;
    return w;
}

/* The two backward functions are alike in what they must keep to. */
struct way_back {
    void (*run)(const struct writer *, struct flow);
    void (*slow)(int ways, const struct writer *, struct flow);
    void (*forward)(const struct writer *);
    bool looks;
};
static const struct way_back step_back = {run_step_back, slow_step_back, run_step, false};
static const struct way_back look_back = {run_look_back, slow_look_back, run_look, true};

static bool is_given(const struct way_back *back, enum place p) {
    return back->looks || !(p == AT_W_Q || p == AT_W_K || p == AT_V_A || p == AT_H);
}

/* Zeroed by the caller in training, since what it holds after adding flows on. */
static bool is_half_way(const struct way_back *back, enum place p) {
    return p < AT_C || (p == AT_C && back->looks);
}

/* Half-way gradients hold 0.5 at first, the others 10. */
static void expect_slow_flow(const struct way_back *back, const struct writer *w, const char *why) {
    const struct dimensions z = w->z;
    struct flow f = new_flow(z, 10.0), gained = new_flow(z, 0.0);
    for (enum place p = 0; is_half_way(back, p); p++) {
        fill(place_count(z, p), 0.5, f.at[p]);
        fill(place_count(z, p), 0.5, gained.at[p]);
    }
    back->slow(EVERY_WAY, w, gained);
    back->run(w, f);
    for (enum place p = 0; p < PLACES; p++) {
        if (is_half_way(back, p)) {
            mistake_if_a_float(place_count(z, p), gained.at[p], f.at[p]);
            mistake_of_sizes(z, back->looks, why);
            EXPECT_PLACE(p, z, gained.at[p], f, ROUNDING);
        } else if (is_given(back, p))
            expect_added(__LINE__, place_names[p], place_rows(z, p), place_cols(z, p), 10.0,
                         gained.at[p], f.at[p]);
    }
}

/* A writer, for numeric_gradient(): the loss is next times d_next. */
struct nudged {
    const struct way_back *back;
    const struct writer *w;
};

static double loss_of_writer(void *context) {
    const struct nudged *n = context;
    n->back->forward(n->w);
    return sum_of_products(n->w->z.d, n->w->next, n->w->d_next);
}

static void expect_slopes_of_writer(const struct way_back *back, struct writer w) {
    const struct dimensions z = w.z;
    struct writer room = with_room(w, back->looks);
    void *const x[PLACES] = {
        [AT_C] = w.c, [AT_W_Q] = w.W_q, [AT_W_K] = w.W_k, [AT_V_A] = w.v_a, [AT_W] = w.W,
        [AT_U] = w.U, [AT_Y] = w.y,     [AT_H] = w.H,     [AT_S] = w.s};
    struct nudged n = {back, &room};
    struct flow f = new_flow(z, 0.0), measured = new_flow(z, 0.0);
    for (enum place p = 0; p < PLACES; p++)
        if (is_given(back, p) && !is_half_way(back, p))
            numeric_gradient(loss_of_writer, &n, place_count(z, p), x[p], measured.at[p]);
    back->forward(&room);
    back->run(&room, f);
    for (enum place p = 0; p < PLACES; p++)
        if (is_given(back, p) && !is_half_way(back, p))
            expect_gradient(__LINE__, place_names[p], place_rows(z, p), place_cols(z, p),
                            measured.at[p], f.at[p], SLOPES);
}

/* decoder_step */

static struct writer worked_step(void) {
    NEW_MATRIX_OF(W, 3, 3, {-0.5, 0, 1}, {0.5, 1, 0}, {0, -1, 0.5});
    NEW_MATRIX_OF(U, 1, 3, {1, 0, 2});
    NEW_MATRIX_OF(y, 1, 1, {1});
    NEW_MATRIX_OF(c, 1, 2, {1, 1});
    NEW_MATRIX_OF(s, 1, 1, {0.5});
    return (struct writer){{1, 1, 2, 1, 1}, .W = W, .U = U, .y = y, .s = s, .c = c};
}

/* heard is right by then. */
static void mistakes_of_the_gates(const struct writer *right) {
    const struct dimensions z = right->z;
    NEW_MATRIX_FILLED(zeros, 1, z.d_k + z.d_word, 0.0);
    NEW_MATRIX(sums, 1, 3 * z.d);
    struct writer wordless = *right, contextless = *right;
    wordless.y = contextless.c = zeros;
    for (int i = 0; i < 3 * z.d; i++)
        sums[0][i] = column_of(input_of(z), 3 * z.d, right->W, i, right->input);
    MISTAKE_MATRIX(1, 3 * z.d, slow_step(contextless).gates,
                   "Only the word was read. The GRU reads all d_word + d_context numbers of the "
                   "input, and W has a row for each.");
    MISTAKE_MATRIX(1, 3 * z.d, slow_step(wordless).gates,
                   "Only the context was read. The GRU reads all d_word + d_context numbers of the "
                   "input, the word's first.");
    MISTAKE_MATRIX(1, 3 * z.d, sums,
                   "gates holds the bare sums, input W. gru_step() does the whole step.");
}

static void mistakes_of_what_was_heard(const struct writer *right) {
    NEW_MATRIX_FILLED(zeros, 1, 3 * right->z.d, 0.0);
    MISTAKE_MATRIX(1, 3 * right->z.d, zeros,
                   "The state s was not heard. What the decoder has written so far is in it.");
    MISTAKE_MATRIX(1, 3 * right->z.d, right->gates,
                   "heard holds the gates: did the two change places in a call?");
}

/* The worked example's y and c are alike; these are not, and each of their bytes tells. */
static void expect_whole_copies(void) {
    struct writer given = worked_step();
    NEW_MATRIX_FILLED(y, 1, 1, 1.0 / 3);
    NEW_MATRIX_OF(c, 1, 2, {-1.0 / 7, 1.0 / 11});
    given.y = y, given.c = c;
    const double *input = stepped(given).input;
    for (int i = 0; i < 3; i++) {
        MISTAKE_IF(true, "memcpy() and its like count bytes: n numbers are n * sizeof(double).");
        EXPECT_THAT(!isnan(input[i]) || is_unset(input[i]) || is_made_of_unset(input[i]),
                    "input[0][%d] has only some of its number's bytes", i);
    }
    MISTAKE_IF(true, "Word and context took the same place. It is [y; c]: c begins d_word later.");
    EXPECT_THAT(input[1] != c[0][1] || !is_unset(input[2]),
                "input[0][1] holds c[0][1], and input[0][2] was never set");
}

static void the_worked_step_of_the_decoder_comes_out(void) {
    expect_whole_copies();
    struct writer w = stepped(worked_step()), right = slow_step(worked_step());
    const double ones[1][3] = {{1, 1, 1}}, no_context[1][3] = {{1, 0, 0}};
    const double heard[1][3] = {{0.5, 0, 1}}, gates[1][3] = {{0.6225, 0.5, 0.9640}};
    const double next[1][1] = {{0.6752}}, heard_of_1[1][3] = {{1, 0, 2}};
    MISTAKE_MATRIX(1, 3, no_context, "The context is not in the input: y first, and c behind it.");
    EXPECT_MADE(1, 3, ones, input, FOUR_DECIMALS);
    MISTAKE_MATRIX(1, 3, heard_of_1,
                   "What went through U is 1, and s is 0.5: did the word or the context take the "
                   "place of s in a call?");
    mistakes_of_what_was_heard(&right);
    EXPECT_MADE(1, 3, heard, heard, FOUR_DECIMALS);
    mistakes_of_the_gates(&right);
    EXPECT_MADE(1, 3, gates, gates, FOUR_DECIMALS);
    MISTAKE_MATRIX(1, 1, right.s, "The state did not change: next is s.");
    EXPECT_MADE(1, 1, next, next, FOUR_DECIMALS);
}

static void the_word_comes_first_and_the_context_behind_it(void) {
    struct random r = random_seed(751);
    struct writer given = random_writer((struct dimensions){1, 2, 3, 2, 1}, false, &r);
    NEW_MATRIX_OF(y, 1, 2, {0.25, -0.5});
    NEW_MATRIX_OF(c, 1, 3, {1, 2, -3});
    given.y = y, given.c = c;
    struct writer w = stepped(given), right = slow_step(given);
    const double expected[1][5] = {{0.25, -0.5, 1, 2, -3}};
    const double context_first[1][5] = {{1, 2, -3, 0.25, -0.5}};
    const double *input = w.input;
    MISTAKE_MATRIX(1, 5, context_first,
                   "The context comes first in your input. It is [y; c]: the word, and the context "
                   "behind it.");
    MISTAKE_IF(input[2] == 2 && input[3] == -3, "The context begins with its second number. "
                                                "input[0][d_word] is c[0][0].");
    MISTAKE_IF(input[2] == 0.25 && input[3] == -0.5,
               "The word is in the input twice. Behind it comes the context c.");
    MISTAKE_IF(input[2] == -3 && input[4] == 1, "The context is in the input back to front.");
    EXPECT_MADE(1, 5, expected, input, 0.0);
    mistakes_of_what_was_heard(&right);
    EXPECT_AS_SLOW(1, 6, heard);
    mistakes_of_the_gates(&right);
    EXPECT_AS_SLOW(1, 6, gates);
    EXPECT_AS_SLOW(1, 2, next);
}

static void expect_as_slow(struct writer given, bool looks) {
    const struct dimensions z = given.z;
    struct writer w = looks ? looked(given) : stepped(given);
    struct writer right = looks ? slow_look(given) : slow_step(given);
    if (looks) {
        EXPECT_AS_SLOW(1, z.n_k, weights);
        EXPECT_AS_SLOW(z.n_k, z.d_a, hidden);
        EXPECT_AS_SLOW(1, z.d_k, c);
    }
    EXPECT_AS_SLOW(1, input_of(z), input);
    EXPECT_AS_SLOW(1, 3 * z.d, heard);
    EXPECT_AS_SLOW(1, 3 * z.d, gates);
    EXPECT_AS_SLOW(1, z.d, next);
}

static void random_steps_agree_with_the_obvious_way(void) {
    struct random r = random_seed(753);
    FOR_ALL_DIMENSIONS(z)
    expect_as_slow(random_writer(*z, false, &r), false);
}

/* decoder_step_backward */

static void the_worked_step_goes_back_to_word_context_and_state(void) {
    NEW_MATRIX_OF(d_next, 1, 1, {1});
    struct writer w = slow_step(worked_step());
    w.d_next = d_next;
    struct flow f = new_flow(w.z, 0.0), turned = new_flow(w.z, 0.0);
    run_step_back(&w, f);
    struct writer exchanged = w;
    exchanged.gates = w.heard, exchanged.heard = w.gates;
    slow_step_back(EVERY_WAY, &exchanged, turned);
    const double d_gates[3] = {-0.1090, 0.0067, 0.0267}, d_heard[3] = {-0.1090, 0.0067, 0.0133};
    const double d_input[3] = {0.0812, -0.0479, 0.0067}, zeros[3] = {0};
    const double d_y[1] = {0.0812}, d_c[2] = {-0.0479, 0.0067}, d_s[1] = {0.5401};
    const double d_U[3] = {-0.0545, 0.0033, 0.0067}, last[1] = {0.0067}, sum[1] = {0.0400};
    const double first[3] = {0.0812}, minus_d_y[1] = {-0.0812}, *given_d_y = f.at[AT_Y];
    const double d_c_begun[2] = {-0.0479}, minus_d_c[2] = {0.0479, -0.0067};
    const double d_W[9] = {-0.1090, 0.0067,  0.0267, -0.1090, 0.0067,
                           0.0267,  -0.1090, 0.0067, 0.0267};
    MISTAKE_AT(AT_GATES, w.z, zeros,
               "Nothing came back. It starts with the GRU's own way back, from d_next.");
    MISTAKE_AT(AT_GATES, w.z, d_heard, "d_gates and d_heard changed places in a call.");
    MISTAKE_AT(AT_GATES, w.z, turned.at[AT_GATES], "gates and heard changed places in a call.");
    EXPECT_PLACE(AT_GATES, w.z, d_gates, f, FOUR_DECIMALS);
    EXPECT_PLACE(AT_HEARD, w.z, d_heard, f, FOUR_DECIMALS);
    MISTAKE_AT(AT_INPUT, w.z, zeros, "%s",
               given_d_y[0] != 0.0
                   ? "The word got its part, and d_input is 0: what came back is to stay there."
                   : "d_input is 0. It is gru_step_backward()'s d_x: is it, and is it not set to 0 "
                     "behind that?");
    MISTAKE_AT(AT_INPUT, w.z, first,
               "Only the word's part of the input got a gradient. The GRU read d_word + d_context "
               "numbers.");
    EXPECT_PLACE(AT_INPUT, w.z, d_input, f, FOUR_DECIMALS);
    MISTAKE_AT(AT_Y, w.z, zeros,
               "Nothing came to the word: the first d_word numbers of d_input are its gradient, "
               "once the GRU's way back has filled them.");
    MISTAKE_AT(AT_Y, w.z, minus_d_y, "The sign is wrong: d_y += its part of d_input.");
    MISTAKE_AT(AT_Y, w.z, last, "The word got what belongs to the context's end. It comes first.");
    MISTAKE_AT(AT_Y, w.z, sum, "The word got all of d_input. Only the first d_word are its own.");
    EXPECT_PLACE(AT_Y, w.z, d_y, f, FOUR_DECIMALS);
    MISTAKE_AT(AT_C, w.z, zeros,
               "Nothing came to the context. The GRU read it as well as the word, and the encoder "
               "learns by it alone: the numbers of d_input behind the word's are its gradient.");
    MISTAKE_AT(AT_C, w.z, minus_d_c, "The sign is wrong: d_c += its part of d_input.");
    MISTAKE_AT(AT_C, w.z, d_c_begun,
               "Only the first number of the context got its gradient. It has d_context of them, "
               "2 here; d_word is 1.");
    MISTAKE_AT(
        AT_C, w.z, d_input,
        "The context got the front of d_input, which is the word's. It begins d_word later.");
    EXPECT_PLACE(AT_C, w.z, d_c, f, FOUR_DECIMALS);
    MISTAKE_AT(AT_S, w.z, zeros,
               "Nothing came to the state before this step: d_s is the GRU's d_h.");
    EXPECT_PLACE(AT_S, w.z, d_s, f, FOUR_DECIMALS);
    EXPECT_PLACE(AT_W, w.z, d_W, f, FOUR_DECIMALS);
    EXPECT_PLACE(AT_U, w.z, d_U, f, FOUR_DECIMALS);
}

static void a_step_adds_to_its_gradients_and_what_waits_goes_on(void) {
    struct random r = random_seed(756);
    FOR_ALL_DIMENSIONS(z) {
        struct writer w = slow_step(random_writer(*z, false, &r));
        expect_slow_flow(&step_back, &w, half_way_or_size);
    }
}

static void a_step_goes_back_by_what_it_left(void) {
    struct random r = random_seed(758);
    struct writer w = random_leavings((struct dimensions){1, 3, 4, 2, 1}, &r);
    expect_slow_flow(&step_back, &w, worked_out_anew);
}

static void all_gradients_of_a_step_are_what_nudging_measures(void) {
    struct random r = random_seed(757);
    FOR_ALL_DIMENSIONS(z)
    expect_slopes_of_writer(&step_back, random_writer(*z, false, &r));
}

/* attention_step */

static struct writer worked_look(double first, double second) {
    NEW_MATRIX_OF(W_q, 2, 2, {0.5, 1}, {-1, 0.25});
    NEW_MATRIX_OF(W_k, 2, 3, {1, 0, 0.5}, {0.25, -1, 1});
    NEW_VECTOR_OF(v_a, 2, 1, -0.5);
    NEW_MATRIX_FILLED(W, 4, 6, 0.0);
    for (int r = 0; r < 4; r++)
        W[r][4] = W[r][5] = 0.1 * (r + 1);
    NEW_MATRIX_FILLED(U, 2, 6, 0.0);
    NEW_MATRIX_OF(y, 1, 1, {1});
    NEW_MATRIX_OF(H, 3, 3, {1, 0, 1}, {0, 1, 0}, {1, 1, -1});
    NEW_MATRIX(s, 1, 2);
    s[0][0] = first, s[0][1] = second;
    return (struct writer){{3, 1, 3, 2, 2}, W_q, W_k, v_a, W, U, y, H, .s = s};
}

static int heaviest(int n, const double *weights) {
    int best = 0;
    for (int j = 1; j < n; j++)
        if (weights[j] > weights[best])
            best = j;
    return best;
}

static void *blend_of(const struct writer *w, const double *weights) {
    NEW_MATRIX(blend, 1, w->z.d_k);
    for (int i = 0; i < w->z.d_k; i++)
        blend[0][i] = column_of(w->z.n_k, w->z.d_k, w->H, i, weights);
    return blend;
}

static double *only(int n, int j) {
    NEW_VECTOR_FILLED(one, n, 0.0);
    one[j] = 1.0;
    return one;
}

static struct writer asked_by(struct writer w, void *s) {
    w.s = s;
    return slow_look(w);
}

static bool same_weights(int n, const double *a, const double *b) {
    for (int j = 0; j < n; j++)
        if (!(fabs(a[j] - b[j]) < 1e-12))
            return false;
    return true;
}

/* The same, but with the encoder's states in reverse order. */
static struct writer turned_round(struct writer w) {
    const int n = w.z.n_k, d_k = w.z.d_k;
    const double(*H)[d_k] = w.H;
    NEW_MATRIX(turned, n, d_k);
    for (int j = 0; j < n; j++)
        memcpy(turned[j], H[n - 1 - j], sizeof turned[j]);
    w.H = turned;
    return w;
}

/* `given` are the learner's weights. */
static void mistakes_of_the_weights(const struct writer *w, const double *given) {
    const int n = w->z.n_k;
    NEW_MATRIX_FILLED(zeros, 1, w->z.d + w->z.d_k, 0.0);
    NEW_VECTOR_FILLED(even, n, 1.0 / n);
    struct writer contextless = *w;
    contextless.c = zeros;
    MISTAKE_MATRIX(1, n, asked_by(*w, slow_step(contextless).next).weights,
                   "The new state asked, made without a context. Here the state s asks, before it "
                   "reads y: the context is needed to make next.");
    MISTAKE_MATRIX(1, n, asked_by(*w, slow_look(*w).next).weights,
                   "The new state asked. Here the state s asks, before it reads y.");
    MISTAKE_MATRIX(1, n, asked_by(*w, zeros).weights,
                   "Nobody asked: the weights come from the encoder's states alone. It is s that "
                   "asks.");
    MISTAKE_MATRIX(1, n, even,
                   "All states weigh the same. How much each counts depends on what is in it, and "
                   "on the state s that asks.");
    MISTAKE_IF(same_weights(n, given, looked(turned_round(*w)).weights),
               "The encoder's states in another order, and the weights stay where they were: they "
               "were made without looking at the states. How can one find a word without looking "
               "at the words?");
    mistake_if_rows_do_not_sum_to_1("weights", 1, n, given);
}

static void mistakes_of_the_context(const struct writer *right) {
    const int n = right->z.n_k, d_k = right->z.d_k;
    NEW_VECTOR_FILLED(even, n, 1.0 / n);
    MISTAKE_MATRIX(1, d_k, blend_of(right, even),
                   "The context is the plain mean of the states. Each goes in by its weight.");
    const int best = heaviest(n, right->weights);
    MISTAKE_MATRIX(1, d_k, blend_of(right, only(n, best)), "%s",
                   best == n - 1
                       ? "The context is the encoder's last state alone, which also weighs most "
                         "here. It is a blend of all the states, each by its weight."
                       : "Only the state with the largest weight was fetched. All are, each by its "
                         "weight: else nothing could be learned from the others.");
    MISTAKE_MATRIX(1, d_k, blend_of(right, only(n, n - 1)),
                   "The context is the last state of the encoder. It is a blend of them all, made "
                   "anew for each word.");
}

static void expect_look(double first, double second, const double weights[3], const double c[3],
                        const double next[2]) {
    struct writer w = looked(worked_look(first, second));
    struct writer right = slow_look(worked_look(first, second));
    mistakes_of_the_weights(&right, w.weights);
    EXPECT_MADE(1, 3, weights, weights, FOUR_DECIMALS);
    MISTAKE_IF(true, "hidden is what lesson 04's additive_attention() leaves in it: tanh(W_q s + "
                     "W_k H[j]), for the state s that asks.");
    EXPECT_MADE(3, 2, right.hidden, hidden, FOUR_DECIMALS);
    mistakes_of_the_context(&right);
    EXPECT_MADE(1, 3, c, c, FOUR_DECIMALS);
    const double *input = w.input;
    MISTAKE_IF(true, "c is right, and there is nothing in its place: was the step made before the "
                     "look back that makes c?");
    EXPECT_THAT(is_unset(input[0]) || !(is_unset(input[1]) || is_made_of_unset(input[1])),
                "input holds the word, and no context behind it");
    MISTAKE_IF(true, "The context is right, and the input is not [y; c]: the step is to read the "
                     "context that was just made.");
    EXPECT_MADE(1, 4, right.input, input, FOUR_DECIMALS);
    mistakes_of_the_gates(&right);
    EXPECT_MADE(1, 6, right.gates, gates, FOUR_DECIMALS);
    struct writer again = right;
    again.s = right.next;
    MISTAKE_MATRIX(1, 2, slow_step(again).next,
                   "That is where two steps lead. There is one, and it starts from s.");
    EXPECT_MADE(1, 2, next, next, FOUR_DECIMALS);
}

static void the_worked_states_look_back(void) {
    const double weights[3] = {0.2760, 0.3058, 0.4183}, c[3] = {0.6942, 0.7240, -0.1423};
    const double next[2] = {0.6896, 0.1896};
    expect_look(1, 0, weights, c, next);
    const double other_weights[3] = {0.1999, 0.3447, 0.4554}, other_next[2] = {0.1765, 0.6765};
    const double other_c[3] = {0.6553, 0.8001, -0.2556};
    expect_look(0, 1, other_weights, other_c, other_next);
}

/* All sizes are 2 here but the number of states, so that whoever asks and answers wrongly fits. */
static struct writer square_look(void) {
    struct random r = random_seed(759);
    return random_writer((struct dimensions){3, 2, 2, 2, 2}, true, &r);
}

static void the_state_asks_before_it_reads_the_word(void) {
    struct writer given = square_look(), w = looked(given), right = slow_look(given);
    MISTAKE_MATRIX(1, 3, asked_by(given, given.y).weights,
                   "The word asked. It is the state s that asks: in it is all that the decoder has "
                   "written so far.");
    MISTAKE_MATRIX(1, 3, asked_by(given, given.H).weights,
                   "A state of the encoder asked. Who asks is the one who is writing, s; asked is "
                   "the text that was read, H.");
    mistakes_of_the_weights(&right, w.weights);
    EXPECT_AS_SLOW(1, 3, weights);
    mistakes_of_the_context(&right);
    MISTAKE_MATRIX(1, 2, given.s,
                   "The context is the decoder's own state s. It is blended of the encoder's, H.");
    EXPECT_AS_SLOW(1, 2, c);
}

static void turning_the_states_round_turns_the_weights_round(void) {
    struct random r = random_seed(760);
    struct writer given = random_writer((struct dimensions){5, 2, 3, 4, 6}, true, &r);
    struct writer before = looked(given), w = looked(turned_round(given));
    const double *plain = before.weights;
    NEW_MATRIX(expected, 1, 5);
    for (int j = 0; j < 5; j++) {
        MISTAKE_IF(true, "The encoder has 5 states here, and each has a weight. n_k says how many: "
                         "is it what additive_attention() is given?");
        EXPECT_THAT(!is_unset(plain[j]), "weights[0][%d] was never set", j);
        expected[0][4 - j] = plain[j];
    }
    mistake_if_a_float(5, expected, w.weights);
    MISTAKE_IF(true, "The encoder's states changed places, and the weights did not change places "
                     "with them. Each state's weight depends on what is in it, not on where it "
                     "stands.");
    EXPECT_MADE(1, 5, expected, weights, ROUNDING);
    mistake_if_a_float(3, before.c, w.c);
    MISTAKE_IF(true, "The encoder's states changed places, their weights with them: the context is "
                     "the same sum as before.");
    EXPECT_MADE(1, 3, before.c, c, ROUNDING);
}

static void every_state_of_the_encoder_has_a_say(void) {
    struct writer given = square_look();
    const double *before = looked(given).next;
    double(*H)[2] = given.H;
    for (int j = 0; j < 3; j++) {
        H[j][1] += 1.0;
        const double *after = looked(given).next;
        MISTAKE_IF(true, "A decoder that does not see the text it was given only makes up a text. "
                         "Who asks? The one who is writing. Who is asked? The text that was read.");
        EXPECT_THAT(fabs(after[0] - before[0]) > 1e-6, "H[%d] changed, and next did not", j);
        H[j][1] -= 1.0;
    }
}

static void random_looks_agree_with_the_obvious_way(void) {
    struct random r = random_seed(762);
    FOR_ALL_DIMENSIONS(z)
    expect_as_slow(random_writer(*z, true, &r), true);
}

/* attention_step_backward */

/* `what` is told if the way back has by some ways only what is right by all. */
static const struct {
    int ways;
    enum place where;
    const char *what;
} lost_ways[] = {
    {BY_UNIT, AT_S,
     "The query's way to d_s is missing: s asked, and its asking moved the weights. Two ways lead "
     "back to s, and they add up."},
    {BY_QUERY, AT_S,
     "The GRU's way to d_s is missing: s went into the step itself as well as into the question. "
     "Two ways lead back to s, and they add up."},
    {0, AT_S,
     "Nothing came back to d_s. Two ways lead there: s went through the GRU, and s asked."},
    {BY_VALUES, AT_H,
     "The keys' way to d_H is missing. The encoder's states are keys and values both: each gets "
     "the gradient of its key and that of its value."},
    {BY_KEYS, AT_H,
     "The values' way to d_H is missing. The encoder's states are keys and values both: each gets "
     "the gradient of its key and that of its value."},
    {0, AT_H,
     "Nothing came back to d_H. Attention's way back takes d_c, and the decoder's way back is what "
     "fills that: is it called, and only then?"},
};

static void mistakes_of_lost_ways(const struct writer *w, enum place where) {
    for (size_t i = 0; i < sizeof lost_ways / sizeof *lost_ways; i++)
        if (lost_ways[i].where == where)
            MISTAKE_AT(where, w->z, by_ways(lost_ways[i].ways, w).at[where], "%s",
                       lost_ways[i].what);
}

static void the_worked_look_goes_back_to_state_and_encoder(void) {
    NEW_MATRIX_OF(d_next, 1, 2, {1, 0});
    struct writer w = slow_look(worked_look(1, 0));
    w.d_next = d_next;
    struct flow f = new_flow(w.z, 0.0);
    run_look_back(&w, f);
    const double d_c[3] = {0.0856, 0.1284, 0.1712}, zeros[6] = {0};
    const double d_s[2] = {0.5102, -0.0165}, d_v_a[2] = {0.0072, 0.0440};
    const double d_H[9] = {0.0220, 0.0521, 0.0318, 0.0263, 0.0393, 0.0524, 0.0209, 0.0534, 0.0644};
    double *twice = by_ways(EVERY_WAY, &w).at[AT_H];
    add_into(9, d_H, twice);
    mistake_if_never_set(3, f.at[AT_C]);
    MISTAKE_AT(AT_C, w.z, zeros,
               "Nothing came back to the context: decoder_step_backward() fills d_c.");
    EXPECT_PLACE(AT_C, w.z, d_c, f, FOUR_DECIMALS);
    mistake_if_never_set(9, f.at[AT_H]);
    MISTAKE_AT(AT_H, w.z, twice,
               "d_H got everything twice, though d_c is right: attention goes back once, for keys "
               "and values together.");
    mistakes_of_lost_ways(&w, AT_H);
    EXPECT_PLACE(AT_H, w.z, d_H, f, FOUR_DECIMALS);
    mistake_if_never_set(2, f.at[AT_S]);
    mistakes_of_lost_ways(&w, AT_S);
    EXPECT_PLACE(AT_S, w.z, d_s, f, FOUR_DECIMALS);
    MISTAKE_AT(AT_V_A, w.z, zeros,
               "Nothing came back to v_a, and so it never learns. Attention's way back knows how.");
    EXPECT_PLACE(AT_V_A, w.z, d_v_a, f, FOUR_DECIMALS);
}

static void a_look_adds_to_its_gradients_and_what_waits_goes_on(void) {
    struct random r = random_seed(764);
    FOR_ALL_DIMENSIONS(z) {
        struct writer w = slow_look(random_writer(*z, true, &r));
        expect_slow_flow(&look_back, &w, half_way_or_size);
    }
}

static void a_look_goes_back_by_what_it_left(void) {
    struct random r = random_seed(765);
    struct writer w = random_leavings((struct dimensions){4, 3, 5, 2, 6}, &r);
    expect_slow_flow(&look_back, &w, worked_out_anew);
}

static void all_gradients_of_a_look_are_what_nudging_measures(void) {
    struct random r = random_seed(766);
    FOR_ALL_DIMENSIONS(z)
    if (z->n_k > 1) /* a single state has weight 1, whatever asks */
        expect_slopes_of_writer(&look_back, random_writer(*z, true, &r));
}

/* teacher_forcing */

/* Whole numbers, which matrix.h has not: `count` ints that end where a vector of that name ends, so
   that the sanitizer sees who goes past it. In front of them lies what nobody should read. The
   tests hold doubles of the same name, which are what a failure shows. */
enum { OUTSIDE = -7777, NEVER_SET = -858993460 };

static int *new_words(const char *name, int count) {
    int *words = vector_new(name, count);
    for (int i = 0; i < count; i++) {
        words[i] = OUTSIDE;
        words[count + i] = NEVER_SET;
    }
    return words + count;
}

static int *words_from(const char *name, int count, const double *numbers) {
    int *words = new_words(name, count);
    for (int i = 0; i < count; i++)
        words[i] = (int)numbers[i];
    vector_copy(name, count, numbers);
    return words;
}

/* What was never set stays unset. */
static void words_into(const char *name, int count, const int *words, double *numbers) {
    for (int i = 0; i < count; i++)
        if (words[i] != NEVER_SET)
            numbers[i] = words[i];
    vector_copy(name, count, numbers);
}

static void run_teacher(int n, const double *words, int steps, double *inputs, double *targets) {
    int *whole_words = words_from("words", n, words);
    int *whole_inputs = new_words("inputs", steps), *whole_targets = new_words("targets", steps);
    teacher_forcing(n, whole_words, steps, whole_inputs, whole_targets);
    words_into("inputs", steps, whole_inputs, inputs);
    words_into("targets", steps, whole_targets, targets);
}

/* What the worked sentence comes to, where somebody slips. */
struct slip_in_words {
    double wrong[5];
    const char *text;
};
#define READS_THE_ANSWER                                                                           \
    "It reads the very word that it should write, and would only learn to copy. Cover the answer " \
    "with your hand: at step t it reads the word before, and at step 0 BEGIN."

static const struct slip_in_words slips_of_inputs[] = {
    {{5, 3, 4, 1, 1}, READS_THE_ANSWER},
    {{5, 3, 4, 1, -1}, READS_THE_ANSWER},
    {{OUTSIDE, 5, 3, 4, 1},
     "Something in front of words[0] was read. At step 0 no word has been written yet: the decoder "
     "reads BEGIN."},
    {{0, 0, 5, 3, 4}, "The inputs are two steps late. At step 1 it reads word 0, words[t - 1]."},
    {{0, 3, 4, 1, 1}, "Word 0 is never read: BEGIN took its place. The words follow it."},
    {{0, 5, 3, 1, 1}, "The last word is never read. At step n it reads words[n - 1]."},
    {{0, 5, 3, 4, -1},
     "It reads PADDING at the step left over. PADDING is for targets, and no "
     "word to be read: there it reads END."},
    {{0, 5, 3, 4, 0}, "It reads BEGIN at the step left over. There it reads END."},
    {{1, 5, 3, 4, 1}, "It starts with END. BEGIN is 0, END is 1."},
};
static const struct slip_in_words slips_of_targets[] = {
    {{0, 5, 3, 4, 1},
     "The targets are the inputs: it would only learn to repeat what it reads. It "
     "should write the word that comes next."},
    {{0, 5, 3, 4, -1},
     "The targets begin with BEGIN, and so are a step late. At step 0 it should write word 0."},
    {{5, 3, 4, -1, -1},
     "END is missing among the targets. A decoder that never had to write it "
     "never learns to stop."},
    {{5, 3, 4, 1, 1},
     "The step left over has END for a target. It is written once; behind it "
     "there is no word to be learned, and PADDING says so."},
    {{5, 3, 4, 1, 0}, "The step left over has BEGIN for a target. PADDING is -1; 0 is a word."},
    {{5, 3, 1, -1, -1}, "END stands where the last word belongs. It follows it, at step n."},
    {{5, 3, 4, -1, 1}, "END stands at the last step. It follows the last word at once."},
    {{5, 3, 4, 0, -1}, "BEGIN follows the last word. END is 1."},
};

static void the_worked_sentence_is_read_one_step_late(void) {
    NEW_VECTOR_OF(words, 3, 5, 3, 4);
    NEW_VECTOR(inputs, 5);
    NEW_VECTOR(targets, 5);
    run_teacher(3, words, 5, inputs, targets);
    const double expected_inputs[5] = {0, 5, 3, 4, 1}, expected_targets[5] = {5, 3, 4, 1, -1};
    MISTAKE_IF(memcmp(inputs, expected_targets, sizeof expected_targets) == 0 &&
                   memcmp(targets, expected_inputs, sizeof expected_inputs) == 0,
               "inputs and targets changed places.");
    MISTAKE_IF(inputs[1] == 4, "It reads word 2 at step 1, when only word 0 has been written. It "
                               "reads words[t - 1].");
    for (size_t i = 0; i < sizeof slips_of_inputs / sizeof *slips_of_inputs; i++)
        MISTAKE_VECTOR(5, slips_of_inputs[i].wrong, "%s", slips_of_inputs[i].text);
    EXPECT_VECTOR(5, expected_inputs, inputs, 0.0);
    MISTAKE_IF(true, "They were never set, or are copies of cells that were not set yet: does it "
                     "read inputs[t + 1] before that is written?");
    EXPECT_THAT(!(is_unset(targets[0]) && is_unset(targets[1]) && is_unset(targets[2])) ||
                    is_unset(targets[4]),
                "nothing is in targets[0], targets[1] and targets[2], where the words belong");
    for (size_t i = 0; i < sizeof slips_of_targets / sizeof *slips_of_targets; i++)
        MISTAKE_VECTOR(5, slips_of_targets[i].wrong, "%s", slips_of_targets[i].text);
    MISTAKE_IF(targets[0] == 3 && targets[1] == 4,
               "The targets are a step too far: at step 0 it should write word 0.");
    EXPECT_VECTOR(5, expected_targets, targets, 0.0);
}

static void each_word_is_written_before_it_is_read(void) {
    struct random r = random_seed(767);
    for (int n = 1; n <= 5; n++)
        for (int steps = n + 1; steps <= n + 4; steps++) {
            matrix_free_all();
            NEW_VECTOR(words, n);
            NEW_VECTOR(inputs, steps);
            NEW_VECTOR(targets, steps);
            NEW_VECTOR_FILLED(right_inputs, steps, END);
            NEW_VECTOR_FILLED(right_targets, steps, PADDING);
            right_inputs[0] = BEGIN, right_targets[n] = END;
            for (int t = 0; t < n; t++)
                words[t] = right_inputs[t + 1] = right_targets[t] = 2 + random_below(&r, 9);
            run_teacher(n, words, steps, inputs, targets);
            MISTAKE_IF(true, "n = %d, steps = %d: BEGIN, the words, and END where steps are left.",
                       n, steps);
            EXPECT_VECTOR(steps, right_inputs, inputs, 0.0);
            MISTAKE_IF(true, "n = %d, steps = %d: the words, END, PADDING where steps are left.", n,
                       steps);
            EXPECT_VECTOR(steps, right_targets, targets, 0.0);
        }
}

/* sequence_loss */

#define WORKED_LOGITS                                                                              \
    NEW_MATRIX_OF(logits, 3, 3, {0, 0, 2}, {0, 0, 0}, {1, 2, 3});                                  \
    NEW_VECTOR_OF(targets, 3, 2, 1, PADDING)

static double run_loss(int steps, int vocabulary, const void *logits, const double *targets) {
    return sequence_loss(steps, vocabulary, logits, words_from("targets", steps, targets));
}

/* -log of the weight, without more ado; the logits that it is given are small. */
static double slow_surprise(int vocabulary, const double *logits, int target) {
    double sum = 0.0;
    for (int w = 0; w < vocabulary; w++)
        sum += exp(logits[w]);
    return -log(exp(logits[target]) / sum);
}

static int words_among(int steps, const double *targets) {
    int count = 0;
    for (int t = 0; t < steps; t++)
        count += targets[t] >= 0.0;
    return count;
}

static double slow_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                        const double *targets) {
    double sum = 0.0;
    for (int t = 0; t < steps; t++)
        if (targets[t] >= 0.0)
            sum += slow_surprise(vocabulary, logits[t], (int)targets[t]);
    return sum / words_among(steps, targets);
}

/* The first target is a word, and about a third of the others are none. */
static void *random_targets(int steps, int vocabulary, struct random *r) {
    NEW_VECTOR(targets, steps);
    for (int t = 0; t < steps; t++)
        targets[t] = t > 0 && random_below(r, 3) == 0 ? PADDING : random_below(r, vocabulary);
    return targets;
}

static const char divided_by_another[] =
    "You divided by %d, and %d of the steps have a target: the mean is over these. Did you take "
    "all steps, the vocabulary, or a count that does not begin at 0?";

static bool as_good_as(double a, double b) {
    return fabs(a - b) < FOUR_DECIMALS;
}

/* `sum` was divided by something, and not by `count`. */
static void mistakes_of_the_mean(double sum, int count, double loss) {
    const int by = loss > 0.1 ? (int)lround(sum / loss) : 1;
    MISTAKE_IF(as_good_as(loss, sum), "That is the sum. A long sentence would cost more than a "
                                      "short one that is as good: take the mean.");
    MISTAKE_IF(by > 1 && by != count && as_good_as(loss, sum / by), divided_by_another, by, count);
    MISTAKE_IF(isinf(loss), "You divided by 0: does the count grow with each target?");
    MISTAKE_IF(fabs(loss) < 1e-6,
               "The loss is 0, or as good as that. Does the count begin at 0, "
               "and grow? Is there a 1 / count, which is 0 in whole numbers, or is "
               "the sum an int?");
}

/* In the worked example, a first step alone. What does another sentence cost? */
static const char *why_the_first_step_alone(void) {
    NEW_MATRIX_OF(others, 3, 3, {1, 0, -1}, {0, 2, 3}, {3, 1, 2});
    const double targets[3] = {END, 2, 0}, yours = run_loss(3, 3, others, targets);
    const double behind = slow_surprise(3, others[1], 2) + slow_surprise(3, others[2], 0);
    if (as_good_as(yours, slow_surprise(3, others[0], END)))
        return "Only the first step counts: does a return or a break stand inside the loop?";
    if (as_good_as(yours, slow_surprise(3, others[1], 2)))
        return "END was not counted, nor is word 0: PADDING is -1 alone. How to end has to be "
               "learned, and BEGIN is a number like others.";
    if (as_good_as(yours, behind / 2))
        return "END was not counted. It is a target like others: how to end has to be learned.";
    return "Only the first step counts: does your loop end at END, the second one's target? It is "
           "a target like others.";
}

static const char padding_counted[] =
    "Padding was counted as a word. Such a step has no target, and logits[t][PADDING] is "
    "logits[t][-1]: skip it.";

static void the_worked_sentence_costs_so_much(void) {
    WORKED_LOGITS;
    const double loss = run_loss(3, 3, logits, targets);
    const double first = 0.239545, second = log(3), third = 3.407606, both = first + second;
    mistakes_of_the_mean(both, 2, loss);
    mistake_if_never_set(1, &loss);
    for (int divided_by = 1; divided_by <= 3; divided_by++)
        for (int logit = 0; logit <= 1; logit++) /* that of word 0, or what lies in front of it */
            MISTAKE_IF(fabs(loss - (both + third - logit) / divided_by) < FOUR_DECIMALS, "%s",
                       padding_counted);
    MISTAKE_NUMBER(first, "%s", why_the_first_step_alone());
    MISTAKE_IF(as_good_as(loss, second) || as_good_as(loss, second / 2),
               "Only the last step with a target counts: does the loop begin at step 0, and is "
               "each added with +=?");
    MISTAKE_NUMBER(-both / 2, "Your sign is the wrong way round: no loss is negative.");
    MISTAKE_NUMBER(both / log(4), "You took log2. The loss is in nats, with log().");
    EXPECT_NUMBER(0.6691, loss, FOUR_DECIMALS);
}

static void padding_costs_nothing_wherever_it_stands(void) {
    NEW_MATRIX_OF(logits, 5, 4, {100, 200, 300, 50}, {1, 0, -1, 0.5}, {90, -40, 0, 10},
                  {0, 2, 1, -1}, {-70, 0, 0, 80});
    NEW_VECTOR_OF(targets, 5, PADDING, 0, PADDING, 3, PADDING);
    const double loss = run_loss(5, 4, logits, targets);
    const double first = slow_surprise(4, logits[1], 0), second = slow_surprise(4, logits[3], 3);
    const double expected = (first + second) / 2;
    mistake_if_a_float(1, &expected, &loss);
    MISTAKE_NUMBER(0.0,
                   "It ended before step 1, the first with a target. There may be words behind a "
                   "PADDING: go on.");
    mistakes_of_the_mean(first + second, 2, loss);
    MISTAKE_NUMBER(
        first, "It ended before step 3, whose target is 3. There may be words behind a PADDING, "
               "and there are 5 steps here: go on to the last.");
    MISTAKE_NUMBER(second, "Word 0 was not counted. PADDING is -1 alone; 0 is a word.");
    MISTAKE_IF(loss > 10, "%s", padding_counted);
    EXPECT_NUMBER(expected, loss, ROUNDING);
}

static void a_sentence_of_padding_costs_nothing(void) {
    NEW_MATRIX_FILLED(logits, 3, 2, 1.0);
    NEW_VECTOR_FILLED(targets, 3, PADDING);
    const double loss = run_loss(3, 2, logits, targets);
    MISTAKE_IF(isnan(loss), "There is no word here, and 0 / 0 is NaN. Then the loss is 0.");
    EXPECT_NUMBER(0.0, loss, 0.0);
}

static void whoever_knows_nothing_pays_the_log_of_the_vocabulary(void) {
    for (int vocabulary = 2; vocabulary <= 50; vocabulary = 2 * vocabulary + 1) {
        NEW_MATRIX_FILLED(logits, 4, vocabulary, -0.5);
        NEW_VECTOR_OF(targets, 4, 1, 0, 1, PADDING);
        const double expected = log(vocabulary), loss = run_loss(4, vocabulary, logits, targets);
        mistake_if_a_float(1, &expected, &loss);
        MISTAKE_IF(true, "All %d logits are equal, so that each word costs log(%d): the mean, too.",
                   vocabulary, vocabulary);
        EXPECT_NUMBER(expected, loss, ROUNDING);
    }
}

static void enormous_logits_of_a_sentence_cost_what_they_should(void) {
    NEW_MATRIX_OF(logits, 2, 3, {1e4, -1e4, 0}, {-1e4, 1e4, -INFINITY});
    NEW_VECTOR_OF(targets, 2, 1, 1);
    const double loss = run_loss(2, 3, logits, targets);
    MISTAKE_IF(!(fabs(loss) < 1e5), "An exponential ran over, or a weight fell to 0 before its "
                                    "logarithm. cross_entropy() survives this.");
    MISTAKE_NUMBER(2e4,
                   "Only the first step counts, whose target is END: does your loop end there? "
                   "What stands behind it counts as well, if it is no PADDING.");
    EXPECT_NUMBER(1e4, loss, ROUNDING);
}

#define EACH_SIZE_OF_A_SENTENCE                                                                    \
    for (int steps = 1; steps <= 6; steps++)                                                       \
        for (int vocabulary = 1; vocabulary <= 7; vocabulary += 2)

static const char size_of_a_sentence[] =
    "The worked example came out; this one, of %d steps, %d of them with a target, and with a "
    "vocabulary of %d, did not.";

static void random_losses_of_sentences_agree_with_the_obvious_way(void) {
    struct random r = random_seed(769);
    EACH_SIZE_OF_A_SENTENCE {
        NEW_MATRIX_RANDOM(logits, steps, vocabulary, &r);
        const double *targets = random_targets(steps, vocabulary, &r);
        const double loss = run_loss(steps, vocabulary, logits, targets);
        const double expected = slow_loss(steps, vocabulary, logits, targets);
        mistake_if_a_float(1, &expected, &loss);
        MISTAKE_IF(true, size_of_a_sentence, steps, words_among(steps, targets), vocabulary);
        EXPECT_NUMBER(expected, loss, ROUNDING);
    }
}

/* sequence_loss_backward */

static void run_loss_back(int steps, int vocabulary, const void *logits, const double *targets,
                          void *d_logits) {
    sequence_loss_backward(steps, vocabulary, logits, words_from("targets", steps, targets),
                           d_logits);
}

/* (weight - `less` at the target, and `elsewhere` at the other words) times `by_word` where there
   is a target, `by_padding` where there is none. GROWING: over the targets up to there. RAW: with
   the logits for weights. */
enum { GROWING = 1000, RAW = 1001 };

static void *slow_pushes(int steps, int vocabulary, const double logits[steps][vocabulary],
                         const double *targets, double by_word, double by_padding, double less,
                         double elsewhere) {
    NEW_MATRIX(pushes, steps, vocabulary);
    for (int t = 0; t < steps; t++) {
        const double by_count = 1.0 / words_among(by_word == GROWING ? t + 1 : steps, targets);
        const double by = by_word >= GROWING ? by_count : by_word;
        for (int w = 0; w < vocabulary; w++) {
            double weight = exp(-slow_surprise(vocabulary, logits[t], w));
            pushes[t][w] =
                (targets[t] >= 0.0 ? by : by_padding) *
                ((by_word == RAW ? logits[t][w] : weight) - (w == targets[t] ? less : elsewhere));
        }
    }
    return pushes;
}

static void *right_pushes(int steps, int vocabulary, const void *logits, const double *targets) {
    double mean = 1.0 / words_among(steps, targets);
    return slow_pushes(steps, vocabulary, logits, targets, mean, 0.0, 1.0, 0.0);
}

static void mistakes_of_the_pushes(int steps, int vocabulary, const void *logits,
                                   const double *targets) {
    const int count = words_among(steps, targets);
    const double mean = 1.0 / count, all = 1.0 / steps;
    static const char pushed[] = "A step without a target was pushed. Nobody knows which word is "
                                 "right there: nothing is added to its d_logits.";
    const struct {
        double by_word, by_padding, less, elsewhere;
        const char *text;
    } slips[] = {
        {1, 0, 1, 0,
         "The mean is missing: each step's gradient is divided by the "
         "number of targets, as its loss was. Or did you count the steps without one?"},
        {mean, mean, 1, 0, pushed},
        {all, all, 1, 0, pushed},
        {1, 1, 1, 0, pushed},
        {mean, 0, count, 0,
         "The 1 at the target was not divided by the number of targets. The whole difference is."},
        {1, 0, mean, 0,
         "Only the 1 at the target was divided by the number of targets. The softmax is, too."},
        {mean, 0, 1, 1,
         "1 was taken away at every word. It is taken away at the target alone, else nothing "
         "tells the right word from the wrong ones."},
        {RAW, 0, 1, 0,
         "The logits themselves were pushed back. It is softmax(logits), less 1 at the target."},
        {GROWING, 0, 1, 0,
         "Each step was divided by the targets seen so far. Count them all first, "
         "in a loop of its own."},
        {mean, 0, 0, 0,
         "That is the softmax alone. Less 1 at the target: nothing else tells the "
         "right word from the wrong ones."},
        {-mean, 0, 1, 0,
         "Your sign is the wrong way round. A higher logit of the target LOWERS the "
         "loss."},
        {mean, 0, -1, 0, "You added 1 at the target. Less 1: its gradient is negative."},
        {0, 0, 0, 0,
         "d_logits is still 0, or as good as that. Was nothing added? Does the count begin at 0? "
         "Is there a 1 / count, which is 0 in whole numbers?"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        MISTAKE_MATRIX(steps, vocabulary,
                       slow_pushes(steps, vocabulary, logits, targets, slips[i].by_word,
                                   slips[i].by_padding, slips[i].less, slips[i].elsewhere),
                       "%s", slips[i].text);
    for (int by = 2; by <= steps + 1; by++)
        if (by != count)
            MISTAKE_MATRIX(steps, vocabulary,
                           slow_pushes(steps, vocabulary, logits, targets, 1.0 / by, 0, 1, 0),
                           divided_by_another, by, count);
}

static void the_worked_logits_of_a_sentence_are_pushed(void) {
    WORKED_LOGITS;
    NEW_MATRIX_FILLED(d_logits, 3, 3, 0.0);
    run_loss_back(3, 3, logits, targets, d_logits);
    const double expected[3][3] = {{0.0533, 0.0533, -0.1065}, {0.1667, -0.3333, 0.1667}, {0, 0, 0}};
    mistake_if_never_set(9, d_logits);
    mistakes_of_the_pushes(3, 3, logits, targets);
    MISTAKE_IF(d_logits[0][0] != 0.0 && d_logits[1][0] == 0.0 && d_logits[1][1] == 0.0,
               "Step 1, whose target is END, got nothing: is END left out, or does your loop end "
               "early? END is a word that has to be learned.");
    const bool first = d_logits[0][1] != 0.0, second = d_logits[1][2] != 0.0;
    MISTAKE_IF(!first && !second && d_logits[0][2] != 0.0 && d_logits[1][1] != 0.0,
               "Only the target's logit was pushed. The others are pushed as well, by their weight "
               "in the softmax.");
    MISTAKE_IF(first && second && d_logits[0][0] == 0.0 && d_logits[1][0] == 0.0,
               "Word 0 got nothing, at no step. Where does your loop over the vocabulary begin?");
    MISTAKE_IF(second && d_logits[0][0] == 0.0 && !first && d_logits[0][2] == 0.0,
               "Step 0 got nothing. Where does your loop over the steps begin?");
    MISTAKE_IF(d_logits[1][1] != 0.0 && d_logits[0][2] == 0.0 && d_logits[1][2] == 0.0,
               "The last word of the vocabulary got nothing. Where does your loop end?");
    EXPECT_MATRIX(3, 3, expected, d_logits, FOUR_DECIMALS);
}

static void only_steps_with_a_target_are_pushed(void) {
    NEW_MATRIX_OF(logits, 5, 2, {0.5, -1}, {1, 2}, {3, 1}, {0.5, 0}, {0, 0.25});
    NEW_VECTOR_OF(targets, 5, 1, PADDING, 0, 1, PADDING);
    NEW_MATRIX_FILLED(d_logits, 5, 2, 0.0);
    run_loss_back(5, 2, logits, targets, d_logits);
    mistake_if_a_float(10, right_pushes(5, 2, logits, targets), d_logits);
    mistakes_of_the_pushes(5, 2, logits, targets);
    const bool pushed = d_logits[0][0] != 0.0 && d_logits[2][0] == 0.0;
    MISTAKE_IF(pushed && d_logits[3][0] == 0.0,
               "It ended at the first PADDING. There may be words behind one: go on.");
    MISTAKE_IF(pushed, "Word 0 as a target was passed over. PADDING is -1 alone; 0 is a word.");
    EXPECT_MATRIX(5, 2, right_pushes(5, 2, logits, targets), d_logits, ROUNDING);
}

static void what_a_sentence_pushes_is_added_to_what_is_there(void) {
    WORKED_LOGITS;
    NEW_MATRIX_FILLED(d_logits, 3, 3, 10.0);
    run_loss_back(3, 3, logits, targets, d_logits);
    double(*gained)[3] = right_pushes(3, 3, logits, targets);
    MISTAKE_IF(fabs(d_logits[0][0] - 5.0 - gained[0][0]) < ROUNDING,
               "What d_logits held was divided, too. Only what is added now belongs to the mean.");
    MISTAKE_IF(d_logits[2][0] == 10.0 && fabs(d_logits[0][0] - gained[0][0]) < ROUNDING,
               "d_logits held 10 everywhere, and where there is a target you overwrote it. Other "
               "paths may have left their gradient there: add with +=.");
    MISTAKE_IF(d_logits[2][0] != 10.0 && d_logits[0][0] > 9.0,
               "The step without a target held 10 everywhere, and no longer does. Nothing is known "
               "there: leave it alone.");
    EXPECT_ADDED(3, 3, 10.0, gained, d_logits);
}

static void a_sentence_of_padding_pushes_nothing(void) {
    NEW_MATRIX_FILLED(logits, 3, 2, 1.0);
    NEW_VECTOR_FILLED(targets, 3, PADDING);
    NEW_MATRIX_FILLED(d_logits, 3, 2, 7.0);
    run_loss_back(3, 2, logits, targets, d_logits);
    NEW_MATRIX_FILLED(sevens, 3, 2, 7.0);
    MISTAKE_IF(isnan(d_logits[0][0]), "There is no word here, and 0 / 0 is NaN. Then no gradient "
                                      "changes.");
    EXPECT_MATRIX(3, 2, sevens, d_logits, 0.0);
}

static void enormous_logits_of_a_sentence_are_pushed_too(void) {
    NEW_MATRIX_OF(logits, 2, 3, {1e4, -1e4, 1e4}, {-1e4, 1e4, -INFINITY});
    NEW_VECTOR_OF(targets, 2, 1, 1);
    NEW_MATRIX_FILLED(d_logits, 2, 3, 0.0);
    const double expected[2][3] = {{0.25, -0.5, 0.25}, {0, 0, 0}};
    run_loss_back(2, 3, logits, targets, d_logits);
    MISTAKE_IF(isnan(d_logits[0][0] + d_logits[1][1]) || d_logits[0][0] == 0.0,
               "An exponential ran over: infinity over infinity is NaN, and anything else over "
               "infinity is 0. log_sum_exp() and softmax() survive this.");
    EXPECT_MATRIX(2, 3, expected, d_logits, 1e-12);
}

struct sentence {
    int steps, vocabulary;
    const void *logits;
    const double *targets;
};

static double loss_of_sentence(void *context) {
    const struct sentence *s = context;
    return run_loss(s->steps, s->vocabulary, s->logits, s->targets);
}

static void pushes_of_a_sentence_are_what_nudging_measures(void) {
    struct random r = random_seed(770);
    EACH_SIZE_OF_A_SENTENCE {
        NEW_MATRIX_RANDOM(logits, steps, vocabulary + 1, &r); /* one word alone has no slope */
        const double *targets = random_targets(steps, vocabulary, &r);
        NEW_MATRIX_FILLED(d_logits, steps, vocabulary + 1, 0.0);
        NEW_MATRIX(measured, steps, vocabulary + 1);
        struct sentence s = {steps, vocabulary + 1, logits, targets};
        numeric_gradient(loss_of_sentence, &s, steps * (vocabulary + 1), logits[0], measured[0]);
        run_loss_back(steps, vocabulary + 1, logits, targets, d_logits);
        EXPECT_GRADIENT(steps, vocabulary + 1, measured, d_logits, SLOPES);
    }
}

static void random_pushes_agree_with_the_obvious_way(void) {
    struct random r = random_seed(771);
    EACH_SIZE_OF_A_SENTENCE {
        NEW_MATRIX_RANDOM(logits, steps, vocabulary, &r);
        const double *targets = random_targets(steps, vocabulary, &r);
        NEW_MATRIX_RANDOM(d_logits, steps, vocabulary, &r);
        double(*expected)[vocabulary] = right_pushes(steps, vocabulary, logits, targets);
        add_into(steps * vocabulary, d_logits, expected);
        run_loss_back(steps, vocabulary, logits, targets, d_logits);
        mistake_if_a_float(steps * vocabulary, expected, d_logits);
        MISTAKE_IF(true, size_of_a_sentence, steps, words_among(steps, targets), vocabulary);
        EXPECT_MATRIX(steps, vocabulary, expected, d_logits, ROUNDING);
    }
}

/* greedy_decode */

/* A decoder that is none: for each word that it reads it has a row of scores. It keeps a diary. */
enum { DIARY = 40 };
struct script {
    int vocabulary, steps;
    const double *scores, *diary; /* in the diary stands what it was given to read */
    bool lost;                    /* somebody else was handed on */
};
static struct script script; /* which acts even then */

static void scripted_step(void *decoder, int word, double logits[]) {
    const bool is_word = word >= 0 && word < script.vocabulary;
    const double *row = script.scores + (is_word ? word : BEGIN) * script.vocabulary;
    script.lost = script.lost || decoder != &script;
    MISTAKE_IF(true, "Nothing ends it: what is compared with the limit, and does that grow?");
    EXPECT_THAT(script.steps < DIARY, "step was called %d times, and went on", DIARY);
    ((double *)script.diary)[script.steps++] = word;
    memcpy(logits, row, (size_t)script.vocabulary * sizeof *row);
}

/* Returns how many words greedy_decode() says there are in `words`. */
static int run_script(int vocabulary, const void *scores, int limit, double *words) {
    NEW_VECTOR(diary, DIARY);
    NEW_VECTOR(logits, vocabulary);
    int *whole_words = new_words("words", limit);
    script = (struct script){vocabulary, 0, scores, diary, false};
    int count = greedy_decode(vocabulary, limit, scripted_step, &script, logits, whole_words);
    words_into("words", limit, whole_words, words);
    MISTAKE_IF(true, "`decoder` is handed on as it came: what the step knows lies behind it.");
    EXPECT_THAT(!script.lost, "step was called with something else than `decoder`");
    MISTAKE_IF(true, "The first word that is chosen goes into words[0]. Where does your counting "
                     "begin?");
    EXPECT_THAT(whole_words[-1] == OUTSIDE, "words[-1] was written");
    return count;
}

/* 3 after BEGIN, 2 after 3, END after 2. */
#define WORKED_SCRIPT                                                                              \
    NEW_MATRIX_OF(scores, 5, 5, {-1, 0, 1, 2, 1.5}, {0, 0, 0, 0, 1}, {0, 3, 1, -2, 2},             \
                  {0, 1, 4, 2, 3}, {0, 2, 0, 0, 1})

static void the_worked_decoder_writes_two_words(void) {
    WORKED_SCRIPT;
    NEW_VECTOR(words, 7);
    const int count = run_script(5, scores, 7, words), steps = script.steps;
    const double expected[2] = {3, 2}, reads[3] = {BEGIN, 3, 2}, *read = script.diary;
    EXPECT_THAT(steps > 0, "step was never called; it fills logits, once for each word");
    MISTAKE_IF(true, "A sentence begins with BEGIN: that is what the first step reads.");
    EXPECT_THAT(read[0] == BEGIN, "the first step read %.0f; BEGIN is 0", read[0]);
    MISTAKE_IF(true, "3, which was chosen first, is not kept. Has each word a place of its own?");
    EXPECT_THAT(!(words[0] == 2 && is_unset(words[1])), "words[0] is 2, which was chosen second");
    MISTAKE_IF(
        words[0] == 3 && words[1] == 3 && read[1] == BEGIN && read[2] == 3,
        "Step 1 read BEGIN again. It reads the word that was chosen last, not the one before "
        "that.");
    MISTAKE_IF(words[0] == 3 && words[1] == 3 && read[1] == BEGIN,
               "Each step read BEGIN. It reads the word that was chosen last.");
    MISTAKE_IF(read[1] == 1 && read[2] == 2,
               "Each step read its own number. It reads the word that was chosen last.");
    MISTAKE_IF(words[0] == BEGIN && words[1] == 3 && read[1] == BEGIN,
               "The logits were looked at before the step had made them.");
    MISTAKE_IF(words[0] == BEGIN && words[1] == 3 && read[1] == 3,
               "The words that were read are in the sentence, BEGIN first. What was chosen belongs "
               "there.");
    MISTAKE_IF(words[0] == 0 && read[1] == 0, "The word of the smallest logit was chosen.");
    MISTAKE_IF(true, "This decoder scores word 3 best behind BEGIN, 2 behind 3, END behind 2.");
    EXPECT_VECTOR(2, expected, words, 0.0);
    MISTAKE_IF(true, "END is no word of the sentence: it is found behind 2, by one more step.");
    EXPECT_THAT(steps >= 3, "step was called %d times; it should read BEGIN, 3 and 2", steps);
    MISTAKE_IF(read[2] == 3,
               "The first word was read again. Each step reads the word that was chosen last.");
    MISTAKE_IF(true, "What was chosen at one step is what the next one reads, once.");
    EXPECT_VECTOR(3, reads, read, 0.0);
    MISTAKE_IF(words[2] == 4, "Behind 2, END has the largest logit, 3, and 4 was chosen: is END "
                              "left out of the search?");
    MISTAKE_IF(words[2] == 2, "Behind 2, END has the largest logit, 3, and 2 was chosen: is what "
                              "was best at the step before still compared with?");
    MISTAKE_IF(words[2] == END && steps > 3,
               "It went on behind END. END is 1 (BEGIN is 0): is the word that was chosen compared "
               "with it, before it is kept?");
    MISTAKE_IF(count == 7 && steps == 3, "You returned the limit. There may be fewer words.");
    MISTAKE_IF(count == 3 && words[2] == END, "END was counted. It ends the sentence and is no "
                                              "word of it.");
    MISTAKE_IF(steps == 3, "You returned %d. Two words were written, 3 and 2; END is none.", count);
    EXPECT_NUMBER(2, count, 0.0);
    MISTAKE_IF(words[3] == END, "The number returned says where it ends. Leave the rest alone.");
    MISTAKE_IF(true, "END was counted out, and yet stands in words. Is the word that was chosen "
                     "END? Ask that before it is kept.");
    EXPECT_THAT(words[2] != END, "words[2] is END, which is not kept");
    EXPECT_THAT(steps == 3, "step was called %d times; END came at the third", steps);
}

/* 2, 3, 4, 2, ... */
static void the_limit_ends_what_never_ends(void) {
    NEW_MATRIX_OF(scores, 5, 5, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 1},
                  {0, 0, 1, 0, 0});
    for (int limit = 1; limit <= 6; limit++) {
        NEW_VECTOR(words, limit);
        NEW_VECTOR(expected, limit);
        for (int i = 0; i < limit; i++)
            expected[i] = 2 + i % 3;
        const int count = run_script(5, scores, limit, words);
        MISTAKE_NUMBER(limit - 1, "A word short of the limit, which is %d: as many may be written.",
                       limit);
        EXPECT_NUMBER(limit, count, 0.0);
        MISTAKE_IF(limit > 2 && words[2] == 0,
                   "Word 4, the last of the vocabulary, has the largest logit behind 3, and was "
                   "left out. Where does your loop end?");
        EXPECT_VECTOR(limit, expected, words, 0.0);
        MISTAKE_IF(true, "It ends when `limit` words are written: what another step would make is "
                         "read by nobody.");
        EXPECT_THAT(script.steps == limit, "step was called %d times, and the limit is %d",
                    script.steps, limit);
    }
}

static void a_sentence_may_be_empty(void) {
    NEW_MATRIX_OF(scores, 3, 3, {0, 2, 1}, {0, 0, 1}, {0, 0, 1});
    NEW_VECTOR(words, 3);
    const int count = run_script(3, scores, 3, words);
    MISTAKE_IF(true, "The first word chosen is END, so that there are no words at all.");
    EXPECT_NUMBER(0, count, 0.0);
    EXPECT_THAT(words[0] != END, "words[0] is END, which is not kept");
}

static void the_first_of_two_equals_is_chosen(void) {
    NEW_MATRIX_OF(scores, 5, 5, {0, 1, 5, 5, 2}, {0, 0, 0, 0, 1}, {1, 2, 0, 7, 7}, {1, 1, 1, 0, 3},
                  {2, 3, 3, 3, 3});
    NEW_VECTOR(words, 4);
    const int count = run_script(5, scores, 4, words);
    const double expected[3] = {2, 3, 4};
    MISTAKE_IF(words[0] == 3 || words[1] == 4,
               "Two logits are the same, and the last was chosen. It is the first: only a larger "
               "one is better.");
    EXPECT_VECTOR(3, expected, words, 0.0);
    MISTAKE_IF(words[3] == 4, "END and word 4, which was just read, have the same logit. Does "
                              "your search begin with the word read? It begins with word 0.");
    EXPECT_NUMBER(3, count, 0.0);
}

static void the_best_may_be_far_below_zero(void) {
    NEW_MATRIX_OF(scores, 4, 4, {-5, -4, -3, -2}, {0, 0, 1, 0},
                  {-INFINITY, -1e300, -INFINITY, -INFINITY}, {-2e10, -3e10, -1e10, -INFINITY});
    NEW_VECTOR(words, 4);
    const int count = run_script(4, scores, 4, words);
    const double expected[2] = {3, 2};
    MISTAKE_IF(true, "All logits are below 0 here. Does your best one start at 0, or at some other "
                     "number that none of them reaches? Start with the first logit. Or did an "
                     "exponential or a change of sign come between?");
    EXPECT_VECTOR(2, expected, words, 0.0);
    MISTAKE_IF(true, "All logits are below 0 here, and that of END is the best of its row.");
    EXPECT_NUMBER(2, count, 0.0);
}

static void the_first_word_of_the_vocabulary_may_be_chosen(void) {
    NEW_MATRIX_OF(scores, 3, 3, {5, 1, 2}, {0, 0, 1}, {0, 0, 1});
    NEW_VECTOR(words, 2);
    const int count = run_script(3, scores, 2, words);
    const double expected[2] = {0, 0};
    MISTAKE_IF(true, "Word 0 has the largest logit, and was left out: where does your loop begin? "
                     "(That BEGIN is not chosen is what training sees to.)");
    EXPECT_VECTOR(2, expected, words, 0.0);
    EXPECT_NUMBER(2, count, 0.0);
}

static void what_is_no_number_stops_nobody(void) {
    for (int odd = 0; odd < 4; odd++) {
        NEW_MATRIX_OF(scores, 4, 4, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 0, 1, 2}, {0, 0, 1, 2});
        NEW_VECTOR(words, 5);
        for (int row = 0; row < 4; row++)
            scores[row][odd] = NAN;
        const int count = run_script(4, scores, 5, words);
        EXPECT_THAT(count >= 0 && count <= 5, "%d words, where 5 is the limit", count);
        for (int i = 0; i < count; i++)
            EXPECT_THAT(words[i] >= 0 && words[i] < 4 && words[i] != END,
                        "words[%d] is %g, with a NaN among the logits; the vocabulary is 4", i,
                        words[i]);
    }
}

static void random_sentences_agree_with_the_obvious_way(void) {
    struct random r = random_seed(772);
    for (int vocabulary = 2; vocabulary <= 13; vocabulary++) {
        NEW_MATRIX_RANDOM(scores, vocabulary, vocabulary, &r);
        NEW_VECTOR(words, 9);
        NEW_VECTOR(expected, 9);
        int right = 0, word = BEGIN;
        while (right < 9 && (word = heaviest(vocabulary, scores[word])) != END)
            expected[right++] = word;
        const int count = run_script(vocabulary, scores, 9, words);
        MISTAKE_IF(true, "A vocabulary of %d, and a limit of 9.", vocabulary);
        EXPECT_NUMBER(right, count, 0.0);
        if (right > 0)
            EXPECT_VECTOR(right, expected, words, 0.0);
    }
}

#define DECODER_TESTS                                                                              \
    DECODER_TEST(decoder_step, the_worked_step_of_the_decoder_comes_out),                          \
        DECODER_TEST(decoder_step, the_word_comes_first_and_the_context_behind_it),                \
        DECODER_TEST(decoder_step, random_steps_agree_with_the_obvious_way),                       \
        DECODER_TEST(decoder_step_backward, the_worked_step_goes_back_to_word_context_and_state),  \
        DECODER_TEST(decoder_step_backward, a_step_adds_to_its_gradients_and_what_waits_goes_on),  \
        DECODER_TEST(decoder_step_backward, a_step_goes_back_by_what_it_left),                     \
        DECODER_TEST(decoder_step_backward, all_gradients_of_a_step_are_what_nudging_measures),    \
        DECODER_TEST(attention_step, the_worked_states_look_back),                                 \
        DECODER_TEST(attention_step, the_state_asks_before_it_reads_the_word),                     \
        DECODER_TEST(attention_step, turning_the_states_round_turns_the_weights_round),            \
        DECODER_TEST(attention_step, every_state_of_the_encoder_has_a_say),                        \
        DECODER_TEST(attention_step, random_looks_agree_with_the_obvious_way),                     \
        DECODER_TEST(attention_step_backward, the_worked_look_goes_back_to_state_and_encoder),     \
        DECODER_TEST(attention_step_backward,                                                      \
                     a_look_adds_to_its_gradients_and_what_waits_goes_on),                         \
        DECODER_TEST(attention_step_backward, a_look_goes_back_by_what_it_left),                   \
        DECODER_TEST(attention_step_backward, all_gradients_of_a_look_are_what_nudging_measures),  \
        DECODER_TEST(teacher_forcing, the_worked_sentence_is_read_one_step_late),                  \
        DECODER_TEST(teacher_forcing, each_word_is_written_before_it_is_read),                     \
        DECODER_TEST(sequence_loss, the_worked_sentence_costs_so_much),                            \
        DECODER_TEST(sequence_loss, padding_costs_nothing_wherever_it_stands),                     \
        DECODER_TEST(sequence_loss, a_sentence_of_padding_costs_nothing),                          \
        DECODER_TEST(sequence_loss, whoever_knows_nothing_pays_the_log_of_the_vocabulary),         \
        DECODER_TEST(sequence_loss, enormous_logits_of_a_sentence_cost_what_they_should),          \
        DECODER_TEST(sequence_loss, random_losses_of_sentences_agree_with_the_obvious_way),        \
        DECODER_TEST(sequence_loss_backward, the_worked_logits_of_a_sentence_are_pushed),          \
        DECODER_TEST(sequence_loss_backward, only_steps_with_a_target_are_pushed),                 \
        DECODER_TEST(sequence_loss_backward, what_a_sentence_pushes_is_added_to_what_is_there),    \
        DECODER_TEST(sequence_loss_backward, a_sentence_of_padding_pushes_nothing),                \
        DECODER_TEST(sequence_loss_backward, enormous_logits_of_a_sentence_are_pushed_too),        \
        DECODER_TEST(sequence_loss_backward, pushes_of_a_sentence_are_what_nudging_measures),      \
        DECODER_TEST(sequence_loss_backward, random_pushes_agree_with_the_obvious_way),            \
        DECODER_TEST(greedy_decode, the_worked_decoder_writes_two_words),                          \
        DECODER_TEST(greedy_decode, the_limit_ends_what_never_ends),                               \
        DECODER_TEST(greedy_decode, a_sentence_may_be_empty),                                      \
        DECODER_TEST(greedy_decode, the_first_of_two_equals_is_chosen),                            \
        DECODER_TEST(greedy_decode, the_best_may_be_far_below_zero),                               \
        DECODER_TEST(greedy_decode, the_first_word_of_the_vocabulary_may_be_chosen),               \
        DECODER_TEST(greedy_decode, what_is_no_number_stops_nobody),                               \
        DECODER_TEST(greedy_decode, random_sentences_agree_with_the_obvious_way)

#endif
