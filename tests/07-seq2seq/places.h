/* What the tests of the four networks share. Each matrix that the header names has a place, so that
   a step of a GRU, the two readers, and both steps of the decoder are tested in the same ways:
   against the obvious way, by nudging, and by what is there already. */
#ifndef PLACES_H
#define PLACES_H

#include "seq2seq.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <string.h>

#define ROUNDING 1e-9

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

/* The structs of seq2seq.h around what lies in these places: row i of a step, word j of a
   reader. */
struct two_readers {
    struct gru w[2];
    struct gru_values (*v)[2];
};
struct gru gru_in(const struct work *w, void *const at[PLACES]);
struct gru_values values_in(const struct work *w, void *const at[PLACES], int i);
struct two_readers readers_in(const struct work *w, void *const at[PLACES]);
struct context_decoder decoder_in(const struct work *w, void *const at[PLACES]);
struct context_decoder_values decoder_values_in(const struct work *w, void *const at[PLACES]);
struct attention_decoder looking_in(const struct work *w, void *const at[PLACES]);
struct attention_decoder_values looking_values_in(const struct work *w, void *const at[PLACES]);

int count_of(const struct work *w, enum place p);
void *new_place(const struct work *w, enum place p, const char *name);

/* Puts the numbers given into a place: PUT(w, AT_U, 1, 0, 2). */
#define PUT(w, p, ...)                                                                             \
    ((w).at[p] = memcpy(new_place(&(w), p, d_names[p] + 2), (const double[]){__VA_ARGS__},         \
                        sizeof(const double[]){__VA_ARGS__}))
#define PUT_D(w, p, ...)                                                                           \
    ((w).d[p] = memcpy(new_place(&(w), p, "upstream"), (const double[]){__VA_ARGS__},              \
                       sizeof(const double[]){__VA_ARGS__}))

bool is_listed(const enum place *list, enum place p);

/* At random: all that goes in, and what the result is worth. */
struct work random_work(const struct function *f, struct sizes z, struct random *r);

/* With room for what comes out, or with that in it, by the learner's code or the obvious way. */
struct work with_room(struct work w, const char *next);
struct work your_work(struct work w);
struct work obvious_work(struct work w);

/* The gradients of what lies half-way, and of all else, hold something at first; that of the result
   comes as it is. */
struct work with_gradients(struct work w, double half_way, double held);
struct work yours_back(struct work w, double half_way, double held);

/* What no forward pass has left: the way back goes by what it is given. Weights sum to 1. */
struct work with_leavings(struct work w, struct random *r);

/* Written so that a NaN is like nothing. */
bool are_alike(int count, const void *a, const void *b, double tolerance);

/* Of a block, the first layer that differs is shown, by its name. */
void expect_place(int line, const struct work *w, enum place p, const char *name,
                  const double *expected, const double *given, double tolerance);

/* EXPECT_PUT(w, AT_HEARD, 0.5, 0, 1), and the gradient of a place. */
#define EXPECT_PUT(w, p, ...)                                                                      \
    expect_place(__LINE__, &(w), p, d_names[p] + 2, (const double[]){__VA_ARGS__}, (w).at[p],      \
                 FOUR_DECIMALS)
#define EXPECT_PUT_D(w, p, ...)                                                                    \
    expect_place(__LINE__, &(w), p, d_names[p], (const double[]){__VA_ARGS__}, (w).d[p],           \
                 FOUR_DECIMALS)

/* All that comes out is what the obvious way makes. */
#define EXPECT_FORWARD(given) expect_forward(__LINE__, given)
void expect_forward(int line, struct work given);

/* All gradients gain what they do by the obvious way, and what waits half-way goes on with it. Only
   the first that is off is told, so the list begins `from` some place, or from its first. */
#define EXPECT_BACK(from, given, half_way, held) expect_back(__LINE__, from, given, half_way, held)
void expect_back(int line, enum place from, struct work given, double half_way, double held);

/* The gradients are what nudging measures, but for those of what lies half-way. */
#define EXPECT_SLOPES(given) expect_slopes(__LINE__, given)
void expect_slopes(int line, struct work given);

/* The slow, obvious step of a GRU, and its way back. */
void obvious_gru(int d_in, int d, const void *W, const void *U, const void *x, const double *h,
                 double *gates, double *heard, double *next);
void obvious_gru_back(int d_in, int d, const void *W, const void *U, const void *x, const double *h,
                      const double *gates, const double *heard, const double *d_next,
                      double *d_gates, double *d_heard, void *d_W, void *d_U, void *d_x,
                      double *d_h);

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
        EXPECT_BACK(from, obvious_work(random_work(&f, *z, &r)), half_way, held);                  \
    }
#define IS_MEASURED(name, f, all, seed)                                                            \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL(z, all)                                                                            \
        if (!is_listed(f.outputs, AT_WEIGHTS) || z->n > 1) /* else 1, whatever asks */             \
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
        const struct work w = with_gradients(obvious_work(random_work(&f, (all)[1], &r)), 0.0,     \
                                             0.0),                                                 \
                          other = with_gradients(obvious_work(random_work(&f, (all)[0], &r)), 0.0, \
                                                 0.0);                                             \
        EXPECT_NOTHING_KEPT(f.run_back(&w), f.run_back(&other));                                   \
    }
#define GOES_BY_WHAT_IS_LEFT(name, f, all, from, seed)                                             \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        EXPECT_BACK(from, with_leavings(random_work(&f, (all)[1], &r), &r), 0.0, 0.0);             \
    }

#endif
