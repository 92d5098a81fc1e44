/* What the tests of the four networks share. Each matrix that the header names has a place, so that
   a step of a GRU, the two readers, and both steps of the decoder are tested in the same ways:
   against the obvious way, by nudging, and by what is there already. */
#ifndef PLACES_H
#define PLACES_H

#include "obvious.h"
#include "seq2seq.h"

#include "expect.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum place {
    NONE, /* ends a list */
    AT_W_Q,
    AT_W_K,
    AT_V_A,
    AT_W,
    AT_U,
    AT_START,
    AT_WORDS, /* X */
    AT_WORD,  /* x */
    AT_STATE, /* h */
    AT_C,
    AT_Y,
    AT_S,
    AT_H,
    AT_HIDDEN,
    AT_WEIGHTS,
    AT_INPUT,
    AT_GATES,
    AT_HEARD,
    AT_NEXT,
    AT_V, /* the structs of two readers, not numbers */
    PLACES
};
static const char *const d_names[PLACES] = {
    "",         "d_W_q",     "d_W_k",   "d_v_a",   "d_W",     "d_U",    "d_start",
    "d_X",      "d_x",       "d_h",     "d_c",     "d_y",     "d_s",    "d_H",
    "d_hidden", "d_weights", "d_input", "d_gates", "d_heard", "d_next", "d_v",
};

/* n states or words, of d_in numbers, or steps; states of d. A context has d_k, and none is 0. */
struct sizes {
    int n, d_in, d, d_k, d_a;
};

/* What goes into a function and what comes out, and the same on the way back. */
struct work {
    const struct function *f;
    struct sizes z;
    void *at[PLACES], *d[PLACES];
};

/* Its places stand in the order in which they are expected. */
struct function {
    enum { STEP, READ, WRITE, LOOK } kind;
    void (*run)(const struct work *), (*run_back)(const struct work *);
    void (*obvious)(const struct work *), (*obvious_back)(const struct work *);
    enum place result, inputs[9], outputs[8], gradients[13];
};

static const struct sizes all_readings[] = {
    {4, 3, 2, 0, 0}, {3, 2, 5, 0, 0}, {2, 5, 3, 0, 0}, {1, 3, 2, 0, 0},
    {5, 1, 2, 0, 0}, {3, 2, 1, 0, 0}, {1, 1, 1, 0, 0},
};
static const struct sizes all_dimensions[] = {
    {5, 3, 2, 4, 6}, {4, 2, 5, 6, 1}, {5, 3, 6, 1, 2}, {2, 4, 1, 5, 3},
    {6, 1, 5, 2, 4}, {1, 3, 4, 2, 6}, {1, 1, 1, 1, 1},
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1.
   Each begins with nothing of the one before, which a failure would show beside its own. */
#define FOR_ALL(z, all)                                                                            \
    for (const struct sizes *z = all;                                                              \
         z < (all) + sizeof(all) / sizeof *(all) && (matrix_free_all(), true); z++)

static void because_of_sizes(const struct work *w) {
    const struct sizes z = w->z;
    if (w->f->kind == STEP)
        BECAUSE("d_in = %d and d = %d here.", z.d_in, z.d);
    else if (w->f->kind == READ)
        BECAUSE("n = %d, d_in = %d and d = %d here.", z.n, z.d_in, z.d);
    else if (w->f->kind == WRITE)
        BECAUSE("d_word = %d, d_context = %d and d = %d here.", z.d_in, z.d_k, z.d);
    else
        BECAUSE("n_k = %d, d_word = %d, d_k = %d, d = %d and d_a = %d here.", z.n, z.d_in, z.d_k,
                z.d, z.d_a);
}

/* 0 layers: a matrix; 0 rows: a vector. */
struct shape {
    int layers, rows, cols;
};

static struct shape shape_in_reading(struct sizes z, enum place p) {
    const int d = z.d;
    const struct shape shapes[PLACES] = {
        [AT_W] = {2, z.d_in, 3 * d},   [AT_U] = {2, d, 3 * d}, [AT_START] = {0, 2, d},
        [AT_WORDS] = {0, z.n, z.d_in}, [AT_H] = {z.n, 2, d},   [AT_GATES] = {z.n, 2, 3 * d},
        [AT_HEARD] = {z.n, 2, 3 * d},
    };
    return shapes[p];
}

static struct shape shape_of(const struct work *w, enum place p) {
    const struct sizes z = w->z;
    const int input = z.d_in + z.d_k, d = z.d, steps = w->f->kind == STEP ? z.n : 1;
    const struct shape shapes[PLACES] = {
        [AT_W_Q] = {0, z.d_a, d},       [AT_W_K] = {0, z.d_a, z.d_k},
        [AT_V_A] = {0, 0, z.d_a},       [AT_W] = {0, input, 3 * d},
        [AT_U] = {0, d, 3 * d},         [AT_WORD] = {0, steps, z.d_in},
        [AT_STATE] = {0, steps, d},     [AT_C] = {0, 1, z.d_k},
        [AT_Y] = {0, 1, z.d_in},        [AT_S] = {0, 1, d},
        [AT_H] = {0, z.n, z.d_k},       [AT_HIDDEN] = {1, z.n, z.d_a},
        [AT_WEIGHTS] = {0, 1, z.n},     [AT_INPUT] = {0, 1, input},
        [AT_GATES] = {0, steps, 3 * d}, [AT_HEARD] = {0, steps, 3 * d},
        [AT_NEXT] = {0, steps, d},
    };
    return w->f->kind == READ ? shape_in_reading(z, p) : shapes[p];
}

/* The structs of seq2seq.h, around what lies in these places: row i of a step, word j of a reader.
 */
static struct gru gru_in(const struct work *w, void *const at[PLACES]) {
    return (struct gru){w->z.d_in + w->z.d_k, w->z.d, at[AT_W], at[AT_U]};
}

static struct gru_values values_in(const struct work *w, void *const at[PLACES], int i) {
    double(*gates)[3 * w->z.d] = at[AT_GATES], (*heard)[3 * w->z.d] = at[AT_HEARD];
    return (struct gru_values){&gates[i], &heard[i]};
}

struct two_readers {
    struct gru w[2];
    struct gru_values (*v)[2];
};

/* Room for the structs, alone on the heap, so that the sanitizer sees who goes past. So small a
   block as that of one word would be shown beside a failure, but for its name. */
static void *new_v(const struct work *w, const char *name) {
    _Static_assert(sizeof(struct gru_values) == 2 * sizeof(double), "they fit a block of numbers");
    return w->f->kind == READ ? block_new(w->z.n > 1 ? name : "(v)", w->z.n, 2, 2) : NULL;
}

static struct two_readers readers_in(const struct work *w, void *const at[PLACES]) {
    double(*W)[w->z.d_in][3 * w->z.d] = at[AT_W], (*U)[w->z.d][3 * w->z.d] = at[AT_U];
    struct two_readers both = {.v = at[AT_V]};
    for (int reader = 0; reader < 2; reader++) {
        both.w[reader] = (struct gru){w->z.d_in, w->z.d, &W[reader], &U[reader]};
        for (int j = 0; j < w->z.n; j++)
            both.v[j][reader] = values_in(w, at, 2 * j + reader);
    }
    return both;
}

static struct decoder decoder_in(const struct work *w, void *const at[PLACES]) {
    return (struct decoder){w->z.d_in, w->z.d_k, gru_in(w, at)};
}

static struct decoder_values decoder_values_in(const struct work *w, void *const at[PLACES]) {
    return (struct decoder_values){at[AT_INPUT], values_in(w, at, 0)};
}

static struct attention_decoder looking_in(const struct work *w, void *const at[PLACES]) {
    return (struct attention_decoder){w->z.d_a, at[AT_W_Q], at[AT_W_K], at[AT_V_A],
                                      decoder_in(w, at)};
}

static struct attention_decoder_values looking_values_in(const struct work *w,
                                                         void *const at[PLACES]) {
    return (struct attention_decoder_values){at[AT_HIDDEN], at[AT_WEIGHTS], at[AT_C],
                                             decoder_values_in(w, at)};
}

static int count_of(const struct work *w, enum place p) {
    const struct shape s = shape_of(w, p);
    return (s.layers ? s.layers : 1) * (s.rows ? s.rows : 1) * s.cols;
}

static void *new_place(const struct work *w, enum place p, const char *name) {
    const struct shape s = shape_of(w, p);
    return s.layers ? block_new(name, s.layers, s.rows, s.cols)
           : s.rows ? matrix_new(name, s.rows, s.cols)
                    : vector_new(name, s.cols);
}

/* Puts the numbers given into a place: PUT(w, AT_U, 1, 0, 2). */
#define PUT(w, p, ...)                                                                             \
    ((w).at[p] = memcpy(new_place(&(w), p, d_names[p] + 2), (const double[]){__VA_ARGS__},         \
                        sizeof(const double[]){__VA_ARGS__}))
#define PUT_D(w, p, ...)                                                                           \
    ((w).d[p] = memcpy(new_place(&(w), p, "upstream"), (const double[]){__VA_ARGS__},              \
                       sizeof(const double[]){__VA_ARGS__}))

static bool is_in(const enum place *list, enum place p) {
    while (*list && *list != p)
        list++;
    return *list != NONE;
}

/* At random: all that goes in, and what the result is worth. */
static struct work random_work(const struct function *f, struct sizes z, struct random *r) {
    struct work w = {.f = f, .z = z};
    w.z.n = f->kind == STEP ? 1 : z.n;
    for (const enum place *p = f->inputs; *p; p++) {
        w.at[*p] = random_fill_normal(r, count_of(&w, *p), new_place(&w, *p, d_names[*p] + 2));
        if (*p == AT_W || *p == AT_U) /* away from where the gates are flat */
            scale_into(count_of(&w, *p), 0.5, w.at[*p], w.at[*p]);
    }
    w.d[f->result] =
        random_fill_normal(r, count_of(&w, f->result), new_place(&w, f->result, "upstream"));
    return w;
}

/* With room for what comes out, or with that in it, by the learner's code or the obvious way. */
static struct work with_room(struct work w, const char *next) {
    for (const enum place *p = w.f->outputs; *p; p++)
        w.at[*p] = new_place(&w, *p, *p == AT_NEXT ? next : d_names[*p] + 2);
    w.at[AT_V] = new_v(&w, "v");
    return w;
}

static struct work yours(struct work w) {
    w = with_room(w, "next");
    w.f->run(&w);
    return w;
}

static struct work right(struct work w) {
    w = with_room(w, "obvious_next"); /* no way back is given it, so no report should show it */
    w.f->obvious(&w);
    return w;
}

/* The gradients of what lies half-way, and of all else, hold something at first; that of the result
   comes as it is. */
static struct work with_gradients(struct work w, double half_way, double held) {
    const enum place result = w.f->result;
    w.d[result] = memcpy(new_place(&w, result, d_names[result]), w.d[result],
                         (size_t)count_of(&w, result) * sizeof(double));
    for (const enum place *p = w.f->gradients; *p; p++)
        if (*p != result)
            w.d[*p] = fill(count_of(&w, *p), is_in(w.f->outputs, *p) ? half_way : held,
                           new_place(&w, *p, d_names[*p]));
    w.d[AT_V] = new_v(&w, "d_v");
    for (enum place p = AT_HIDDEN; p <= AT_WEIGHTS; p++) /* they have none, and stay as they are */
        if (is_in(w.f->outputs, p))
            w.d[p] = fill(count_of(&w, p), held, new_place(&w, p, d_names[p]));
    return w;
}

static struct work yours_back(struct work w, double half_way, double held) {
    w = with_gradients(w, half_way, held);
    w.f->run_back(&w);
    return w;
}

/* Written so that a NaN is like nothing. */
static bool alike(int count, const void *a, const void *b, double tolerance) {
    const double *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance))
            return false;
    return true;
}

/* Which of the three parts of the rows are off. */
static void because_of_parts(struct shape s, const double *expected, const double *given) {
    static const char *const parts[8] = {"", "z", "r", "z and r", "n", "z and n", "r and n", ""};
    const int d = s.cols / 3;
    int off = 0;
    for (int at = 0; at < 3 * s.rows; at++)
        off |= alike(d, expected + at * d, given + at * d, FOUR_DECIMALS) ? 0 : 1 << at % 3;
    BECAUSE_IF(*parts[off], "What is off here belongs to %s. The rest is right.", parts[off]);
}

static void because(const struct work *w, enum place p, const double *expected, const double *given,
                    double tolerance) {
    if (w->f->kind != READ && (p == AT_GATES || p == AT_HEARD))
        because_of_parts(shape_of(w, p), expected, given);
    if (tolerance < FOUR_DECIMALS) /* a worked example shows them */
        because_of_sizes(w);
}

/* Of a block, the first layer that differs is shown, by its name. */
static void expect_place(int line, const struct work *w, enum place p, const char *name,
                         const double *expected, const double *given, double tolerance) {
    const struct shape s = shape_of(w, p);
    const int size = (s.rows ? s.rows : 1) * s.cols;
    char layer[40];
    int j = 0;
    while (j < s.layers - 1 && alike(size, expected + j * size, given + j * size, tolerance))
        j++;
    snprintf(layer, sizeof layer, s.layers ? "%s[%d]" : "%s", name, j);
    because(w, p, expected, given, tolerance);
    expect_numbers(line, layer, s.rows, s.cols, expected + j * size, given + j * size, tolerance);
}

/* EXPECT_PUT(w, AT_HEARD, 0.5, 0, 1), and the gradient of a place. */
#define EXPECT_PUT(w, p, ...)                                                                      \
    expect_place(__LINE__, &(w), p, d_names[p] + 2, (const double[]){__VA_ARGS__}, (w).at[p],      \
                 FOUR_DECIMALS)
#define EXPECT_PUT_D(w, p, ...)                                                                    \
    expect_place(__LINE__, &(w), p, d_names[p], (const double[]){__VA_ARGS__}, (w).d[p],           \
                 FOUR_DECIMALS)

/* All that comes out is what the obvious way makes. */
#define EXPECT_FORWARD(given) expect_forward(__LINE__, given)
static void expect_forward(int line, struct work given) {
    const struct work w = yours(given), expected = right(given);
    for (const enum place *p = given.f->outputs; *p; p++)
        expect_place(line, &w, *p, d_names[*p] + 2, expected.at[*p], w.at[*p], ROUNDING);
}

static void expect_gain(int line, const struct work *w, enum place p, double held,
                        const double *gained) {
    const struct shape s = shape_of(w, p);
    const int size = (s.rows ? s.rows : 1) * s.cols;
    for (int j = 0; j < (s.layers ? s.layers : 1); j++) {
        const double *given = (double *)w->d[p] + j * size, *gain = gained + j * size;
        char layer[40];
        snprintf(layer, sizeof layer, s.layers ? "%s[%d]" : "%s", d_names[p], j);
        NEW_VECTOR_FILLED(expected, size, held);
        add_into(size, gain, expected);
        if (!alike(size, gain, given, ROUNDING)) /* else it is said to be overwritten */
            because(w, p, expected, given, ROUNDING);
        expect_added(line, layer, s.rows, s.cols, held, gain, given);
    }
}

/* All gradients gain what they do by the obvious way, and what waits half-way goes on with it. Only
   the first that is off is told, so the list begins `from` some place, or from its first. */
#define EXPECT_BACK(from, given, half_way, held) expect_back(__LINE__, from, given, half_way, held)
static void expect_back(int line, enum place from, struct work given, double half_way,
                        double held) {
    const struct work w = yours_back(given, half_way, held);
    const struct work expected = with_gradients(given, half_way, 0.0);
    const enum place *all = given.f->gradients, *first = all, *p;
    given.f->obvious_back(&expected);
    while (from && *first != from)
        first++;
    p = first;
    do {
        const bool waits = is_in(given.f->outputs, *p);
        NEW_VECTOR_FILLED(gained, count_of(&w, *p), waits ? -half_way : 0.0);
        add_into(count_of(&w, *p), expected.d[*p], gained);
        if (*p == given.f->result)
            expect_place(line, &w, *p, d_names[*p], expected.d[*p], w.d[*p], ROUNDING);
        else
            expect_gain(line, &w, *p, waits ? half_way : held, gained);
        p = p[1] ? p + 1 : all;
    } while (p != first);
}

/* The result, times what it is worth. */
static double loss_of(void *context) {
    const struct work *w = context;
    const enum place p = w->f->result;
    w->f->run(w);
    return sum_of_products(count_of(w, p), w->at[p], w->d[p]);
}

/* The gradients are what nudging measures, but for those of what lies half-way. */
#define EXPECT_SLOPES(given) expect_slopes(__LINE__, given)
static void expect_slopes(int line, struct work given) {
    struct work w = yours(given);
    const struct work back = yours_back(w, 0.0, 0.0);
    for (enum place p = NONE + 1; p < PLACES; p++) {
        if (!is_in(given.f->gradients, p) || is_in(given.f->outputs, p))
            continue;
        const struct shape s = shape_of(&w, p);
        const int count = count_of(&w, p), rows = s.rows * (s.layers ? s.layers : 1);
        NEW_VECTOR(measured, count);
        numeric_gradient(loss_of, &w, count, w.at[p], measured);
        because_of_sizes(&w);
        expect_gradient(line, d_names[p], rows, s.cols, measured, back.d[p], SLOPES);
    }
}

/* What no forward pass has left: the way back goes by what it is given. Weights sum to 1. */
static struct work with_leavings(struct work w, struct random *r) {
    w = with_room(w, "obvious_next");
    for (const enum place *p = w.f->outputs; *p; p++) {
        const int count = count_of(&w, *p);
        double *x = random_fill_normal(r, count, w.at[*p]), sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += x[i] = *p == AT_GATES ? share(x[i]) : *p == AT_WEIGHTS ? exp(x[i]) : x[i];
        if (*p == AT_WEIGHTS)
            scale_into(count, 1.0 / sum, x, x);
    }
    return w;
}

/* Tests that stand for every network, by name. */
#define AGREES(name, f, all, seed)                                                                 \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL(z, all)                                                                            \
        EXPECT_FORWARD(random_work(&f, *z, &r));                                                   \
    }
#define ADDS(name, f, all, from, half_way, held, seed)                                             \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL(z, all)                                                                            \
        EXPECT_BACK(from, right(random_work(&f, *z, &r)), half_way, held);                         \
    }
#define IS_MEASURED(name, f, all, seed)                                                            \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL(z, all)                                                                            \
        if (!is_in(f.outputs, AT_WEIGHTS) || z->n > 1) /* one state has weight 1, whatever asks */ \
            EXPECT_SLOPES(random_work(&f, *z, &r));                                                \
    }
#define KEEPS_NOTHING(name, f, all, seed)                                                          \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        const struct work w = with_room(random_work(&f, (all)[1], &r), "next"),                    \
                          other = with_room(random_work(&f, (all)[0], &r), "next");                \
        EXPECT_NOTHING_KEPT(f.run(&w), f.run(&other));                                             \
    }
#define KEEPS_NOTHING_BACK(name, f, all, seed)                                                     \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        const struct work w = with_gradients(right(random_work(&f, (all)[1], &r)), 0.0, 0.0),      \
                          other = with_gradients(right(random_work(&f, (all)[0], &r)), 0.0, 0.0);  \
        EXPECT_NOTHING_KEPT(f.run_back(&w), f.run_back(&other));                                   \
    }
#define GOES_BY_WHAT_IS_LEFT(name, f, all, from, seed)                                             \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        EXPECT_BACK(from, with_leavings(random_work(&f, (all)[1], &r), &r), 0.0, 0.0);             \
    }

#endif
