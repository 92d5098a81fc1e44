/* What the tests of lesson 08 share. Each matrix that the header names has a place, so that heads
   by themselves and the whole of it are tested in the same ways: against the obvious way, by
   nudging, and by what is there already. */
#ifndef HEADS_H
#define HEADS_H

#include "multi_head.h"

#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-9
#define LAST_BIT 1e-12
#define EXACTLY  0.0 /* every bit, except that -0 is 0 */

struct sizes {
    int n_q, n_k, n_heads, n_kv_heads, d_head, d_model;
};

/* No two alike in a set, so that each mix-up of sizes shows; but for the paper's, which has as many
   key heads as heads. Each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 1, 6}, {5, 7, 4, 2, 3, 6}, {5, 4, 6, 2, 1, 3}, {4, 2, 3, 1, 5, 6},
    {2, 4, 3, 3, 5, 7}, {1, 3, 4, 2, 5, 6}, {3, 1, 4, 2, 5, 6}, {3, 4, 1, 1, 2, 5},
    {4, 5, 3, 3, 2, 1}, {1, 1, 1, 1, 1, 1},
};
/* As many words ask as are asked, and all rows have 4 numbers, so that what is exchanged has a
   shape that fits. */
static const struct sizes square_sizes = {3, 3, 2, 2, 2, 4};

/* Each begins with nothing of the one before, which a failure would show beside its own. */
#define FOR_ALL_SIZES(z)                                                                           \
    for (const struct sizes *z = all_sizes;                                                        \
         z < all_sizes + sizeof all_sizes / sizeof *all_sizes && (matrix_free_all(), true); z++)

/* The masks that a text may come with. SCATTERED leaves the first word nothing to look at. */
enum mask { NO_MASK, CAUSAL, PADDED, SCATTERED, MASKS };
#define ONE_OF_THE_MASKS(z) ((enum mask)((z - all_sizes) % MASKS))

enum place {
    NONE, /* ends a list */
    AT_X,
    AT_SOURCE,
    AT_W_Q,
    AT_W_K,
    AT_W_V,
    AT_W_O,
    AT_ROWS_Q,
    AT_ROWS_K,
    AT_ROWS_V,
    AT_Q,
    AT_K,
    AT_V,
    AT_WEIGHTS,
    AT_HEADS,
    AT_ROWS_OUT,
    AT_OUT,
    AT_ROWS, /* split into heads, or made of them */
    PLACES
};
static const char *const d_names[PLACES] = {
    "",      "d_X",       "d_source", "d_W_q",      "d_W_k", "d_W_v",
    "d_W_o", "d_rows_q",  "d_rows_k", "d_rows_v",   "d_Q",   "d_K",
    "d_V",   "d_weights", "d_heads",  "d_rows_out", "d_out", "d_rows",
};

/* What goes into a function and what comes out, and the same on the way back. Where X and source
   are one matrix, d_X and d_source are. */
struct work {
    const struct function *f;
    struct sizes z;
    void *blocked, *at[PLACES], *d[PLACES];
};

/* Its places stand in the order in which they are expected. */
struct function {
    void (*run)(const struct work *), (*run_back)(const struct work *);
    void (*obvious)(const struct work *), (*obvious_back)(const struct work *);
    enum place result, inputs[7], outputs[11], gradients[15];
};

int count_of(const struct work *w, enum place p);
void *new_place(const struct work *w, enum place p, const char *name);

/* Puts the numbers given into a place: PUT(w, AT_Q, 1, 0, 2), and into its gradient. */
#define PUT(w, p, ...)                                                                             \
    ((w).at[p] = memcpy(new_place(&(w), p, d_names[p] + 2), (const double[]){__VA_ARGS__},         \
                        sizeof(const double[]){__VA_ARGS__}))
#define PUT_D(w, p, ...)                                                                           \
    ((w).d[p] = memcpy(new_place(&(w), p, "upstream"), (const double[]){__VA_ARGS__},              \
                       sizeof(const double[]){__VA_ARGS__}))

/* At random: all that goes in, and what the result is worth. In self_work X is the source, too. */
struct work random_work(const struct function *f, struct sizes z, enum mask mask, struct random *r);
struct work self_work(const struct function *f, struct sizes z, enum mask mask, struct random *r);

/* With room for what comes out, or with that in it, by the learner's code or the obvious way. */
struct work with_room(struct work w);
struct work your_work(struct work w);
struct work obvious_work(struct work w);

/* The gradients of what lies half-way, and of all else, hold something at first; that of the result
   comes as it is. */
struct work with_gradients(struct work w, double half_way, double held);
struct work yours_back(struct work w, double half_way, double held);

/* With what the forward pass left of other inputs: the way back goes by what it is given. */
struct work with_leavings_of(struct work w, struct work other);

/* A place is what it should be, under its own name; so is a gradient. */
#define EXPECT_PLACE(w, p, expected, tolerance)                                                    \
    expect_place(__LINE__, &(w), p, d_names[p] + 2, expected, (w).at[p], tolerance)
#define EXPECT_D(w, p, expected, tolerance)                                                        \
    expect_place(__LINE__, &(w), p, d_names[p], expected, (w).d[p], tolerance)
#define EXPECT_PUT(w, p, ...)   EXPECT_PLACE(w, p, ((const double[]){__VA_ARGS__}), FOUR_DECIMALS)
#define EXPECT_PUT_D(w, p, ...) EXPECT_D(w, p, ((const double[]){__VA_ARGS__}), FOUR_DECIMALS)
void expect_place(int line, const struct work *w, enum place p, const char *name,
                  const void *expected, const void *given, double tolerance);

/* In row 0, of each head where there are heads, each number is exactly 0. */
#define EXPECT_ROW_0_IS_ZERO(w, p)                                                                 \
    expect_row_0_is_zero(__LINE__, &(w), p, d_names[p] + 2, (w).at[p])
#define EXPECT_D_ROW_0_IS_ZERO(w, p) expect_row_0_is_zero(__LINE__, &(w), p, d_names[p], (w).d[p])
void expect_row_0_is_zero(int line, const struct work *w, enum place p, const char *name,
                          const double *numbers);

/* All that comes out is what the obvious way makes. */
#define EXPECT_FORWARD(given) expect_forward(__LINE__, given)
void expect_forward(int line, struct work given);

/* All gradients gain what they do by the obvious way, and what waits half-way goes on with it. */
#define EXPECT_BACK(given, half_way, held) expect_back(__LINE__, given, half_way, held)
void expect_back(int line, struct work given, double half_way, double held);

/* The gradients are what nudging measures, but for those of what lies half-way. */
#define EXPECT_SLOPES(given) expect_slopes(__LINE__, given)
void expect_slopes(int line, struct work given);

/* The slow, obvious ways of rows and heads, which add; and of each head by itself. */
void add_split(int n, int n_heads, int d_head, const double *rows, double *heads);
void add_merged(int n, int n_heads, int d_head, const double *heads, double *rows);
void attend_obviously(const struct work *w);
void attend_back_obviously(const struct work *w);

/* Tests that stand for heads by themselves and for the whole of it, by name. */
#define AGREES(name, f, seed)                                                                      \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        EXPECT_FORWARD(random_work(&f, *z, ONE_OF_THE_MASKS(z), &r));                              \
    }
#define ADDS(name, f, half_way, held, seed)                                                        \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        EXPECT_BACK(obvious_work(random_work(&f, *z, ONE_OF_THE_MASKS(z), &r)), half_way, held);   \
    }
#define GOES_BY_WHAT_IS_LEFT(name, f, seed)                                                        \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        const struct work other = obvious_work(random_work(&f, all_sizes[1], CAUSAL, &r));         \
        EXPECT_BACK(with_leavings_of(random_work(&f, all_sizes[1], CAUSAL, &r), other), 0.0, 0.0); \
    }
/* Where there is one key its weight is 1, whatever asks. */
#define IS_MEASURED(name, f, mask, seed)                                                           \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        if (z->n_k > 1 && (mask == NO_MASK || z->n_q > 2))                                         \
            EXPECT_SLOPES(random_work(&f, *z, mask, &r));                                          \
    }
#define KEEPS_NOTHING(name, f, seed)                                                               \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        const struct work w = with_room(random_work(&f, all_sizes[2], NO_MASK, &r)),               \
                          other = with_room(random_work(&f, all_sizes[1], CAUSAL, &r));            \
        EXPECT_NOTHING_KEPT(f.run(&w), f.run(&other));                                             \
    }
#define KEEPS_NOTHING_BACK(name, f, seed)                                                          \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        const struct work w = obvious_work(random_work(&f, all_sizes[2], NO_MASK, &r)),            \
                          other = obvious_work(random_work(&f, all_sizes[1], CAUSAL, &r)),         \
                          back = with_gradients(w, 0.0, 0.0),                                      \
                          other_back = with_gradients(other, 0.0, 0.0);                            \
        EXPECT_NOTHING_KEPT(f.run_back(&back), f.run_back(&other_back));                           \
    }

#endif
