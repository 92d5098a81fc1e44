/* What the tests of lessons share whose matrices travel in structs. Each matrix is a piece with a
   name; a function is tested against an obvious way, by nudging, and by what is there already.

   A lesson's header, or a file of its tests, declares first what is its own: `struct sizes`, and
   ALL_PIECES(_) with the names of the gradients and the dims, in which w is the work and z its
   sizes. Words come first, up to LAST_WORDS; then weights, up to LAST_GIVEN; then what a pass
   leaves, and OUT, the last. ZEROED(p) is true of what d_v holds no number of before a call. */
#ifndef PIECES_H
#define PIECES_H

#include "expect.h"
#include "laws.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "statics.h"

#include <stdbool.h>

#define ROUNDING 1e-9
#define LAST_BIT 1e-12 /* the same sum, taken in another order */
#define EXACTLY  0.0   /* every bit, except that -0 is 0 */

#define ITS_NUMBER(piece, name, dims) piece,
#define ITS_LABEL(piece, name, dims)                                                               \
    case piece:                                                                                    \
        return label_of(name, dims);
enum piece { ALL_PIECES(ITS_NUMBER) PIECES };

/* Weights from one piece on, and what is left from another. The backward pass is given the inputs
   from `back` on, by default all of them. */
struct work;
struct function {
    void (*run)(const struct work *), (*run_back)(const struct work *);
    void (*obvious)(const struct work *), (*obvious_back)(const struct work *);
    enum piece weights, values, back;
    bool goes_on; /* the backward pass is given the output, too, and adds to its gradient */
};

/* What goes into a function and what comes out, and their gradients. */
struct beside;
struct work {
    const struct function *f;
    struct sizes z;
    void *blocked, *at[PIECES], *d[PIECES];
    double held, half_way;       /* by the gradients at first: of what is given, and in d_v */
    const struct beside *beside; /* the lesson's own: what goes in and has no gradient */
};

struct label {
    const char *d_name, *name;
    struct dims dims;
};

static inline struct label label_of(const char *d_name, struct dims dims) {
    return (struct label){d_name, d_name + 2, dims};
}

static inline struct label its(const struct work *w, enum piece p) {
    const struct sizes z = w->z;
    switch (p) {
        ALL_PIECES(ITS_LABEL)
    default:
        return label_of("d_", dims_of_rows(0, 0));
    }
}

static inline int count_of(const struct work *w, enum piece p) {
    return dims_count(its(w, p).dims);
}

/* One whose sizes are 0 is NULL. */
static inline bool is_given(const struct work *w, enum piece p) {
    const bool listed = p <= LAST_WORDS || p >= w->f->weights;
    return listed && p <= LAST_GIVEN && count_of(w, p) > 0;
}
static inline bool is_left(const struct work *w, enum piece p) {
    return p >= w->f->values && count_of(w, p) > 0;
}

#define FOR_ALL_GIVEN(p, w)                                                                        \
    for (enum piece p = 0; p <= LAST_GIVEN; p++)                                                   \
        if (is_given(&(w), p))
#define FOR_ALL_LEFT(p, w)                                                                         \
    for (enum piece p = LAST_GIVEN + 1; p < PIECES; p++)                                           \
        if (is_left(&(w), p))

static inline void *filled(const struct work *w, enum piece p, const char *name, double value) {
    return fill(count_of(w, p), value, array_new(name, its(w, p).dims));
}

/* A report shows nothing of this name: no header has it. */
#define UNNAMED "of_the_test"

static inline void put(struct work *w, enum piece p, const double *numbers) {
    w->at[p] = array_copy(UNNAMED, its(w, p).dims, numbers);
}
#define PUT(w, p, ...) put(&(w), p, (const double[]){__VA_ARGS__})

/* What the result is worth. */
static inline void put_d_out(struct work *w, const double *numbers) {
    w->d[OUT] = array_copy(UNNAMED, its(w, OUT).dims, numbers);
}
#define PUT_D_OUT(w, ...) put_d_out(&(w), (const double[]){__VA_ARGS__})

/* At random: all that goes in, and what the result is worth. */
static inline struct work random_work(const struct function *f, struct sizes z, struct random *r) {
    struct work w = {.f = f, .z = z};
    FOR_ALL_GIVEN(p, w)
    w.at[p] = random_fill_normal(r, count_of(&w, p), filled(&w, p, UNNAMED, 0.0));
    w.d[OUT] = random_fill_normal(r, count_of(&w, OUT), filled(&w, OUT, UNNAMED, 0.0));
    return w;
}

/* The first of those that are one matrix with this: a lesson may give X twice. */
static inline enum piece first_of(const struct work *w, enum piece p) {
    enum piece first = 0;
    while (first < p && (!w->at[p] || w->at[first] != w->at[p]))
        first++;
    return first;
}

/* The same with the names that the header has: a report shows what a call was given. */
static inline struct work named(struct work w) {
    const struct work given = w;
    for (enum piece p = 0; p < PIECES; p++)
        if (w.at[p])
            w.at[p] = first_of(&given, p) < p
                          ? w.at[first_of(&given, p)]
                          : array_copy(its(&w, p).name, its(&w, p).dims, w.at[p]);
    return w;
}

static inline struct work with_room(struct work w) {
    FOR_ALL_LEFT(p, w)
    w.at[p] = array_new(its(&w, p).name, its(&w, p).dims);
    return w;
}

/* With what the learner's code leaves, or the obvious way. */
static inline struct work yours(struct work w) {
    w = with_room(named(w));
    w.f->run(&w);
    return w;
}

static inline struct work obvious(struct work w) {
    FOR_ALL_LEFT(p, w)
    w.at[p] = filled(&w, p, UNNAMED, 0.0);
    w.f->obvious(&w);
    return w;
}

/* All gradients hold `held` at first, and those in d_v `half_way`. The gradient of the output is
   unchanged. */
static inline struct work with_gradients(struct work w, double held, double half_way) {
    w.held = held, w.half_way = half_way;
    w.d[OUT] = array_copy(its(&w, OUT).d_name, its(&w, OUT).dims, w.d[OUT]);
    FOR_ALL_GIVEN(p, w)
    w.d[p] = first_of(&w, p) < p ? w.d[first_of(&w, p)] : filled(&w, p, its(&w, p).d_name, held);
    FOR_ALL_LEFT(p, w)
    if (p != OUT)
        w.d[p] = filled(&w, p, its(&w, p).d_name, ZEROED(p) ? 0.0 : half_way);
    return w;
}

/* Most backward passes are not given the output. */
static inline struct work yours_back(struct work w, double held, double half_way) {
    w.at[OUT] = w.f->goes_on ? w.at[OUT] : NULL;
    for (enum piece p = 0; p < w.f->back; p++)
        w.at[p] = NULL;
    w = with_gradients(named(w), held, half_way);
    w.f->run_back(&w);
    return w;
}

static inline struct work obvious_back(struct work w, double half_way) {
    w = with_gradients(w, 0.0, half_way);
    w.f->obvious_back(&w);
    return w;
}

/* Defined by the lesson: the message for a piece, or its gradient, that is wrong. */
static void because_of(const struct work *w, enum piece p);

/* A piece is what it should be, under its own name; so is a gradient. */
#define EXPECT_PIECE(w, p, expected, tolerance)                                                    \
    expect_array(__LINE__, its(&(w), p).name, its(&(w), p).dims, expected, (w).at[p], tolerance)
#define EXPECT_D(w, p, expected, tolerance)                                                        \
    expect_array(__LINE__, its(&(w), p).d_name, its(&(w), p).dims, expected, (w).d[p], tolerance)
#define EXPECT_PUT(w, p, ...)   EXPECT_PIECE(w, p, ((const double[]){__VA_ARGS__}), FOUR_DECIMALS)
#define EXPECT_PUT_D(w, p, ...) EXPECT_D(w, p, ((const double[]){__VA_ARGS__}), FOUR_DECIMALS)

/* A piece is that of the right work; so is what it gained, where it held a number before. */
static inline void expect_made(int line, const struct work *w, const struct work *right,
                               enum piece p) {
    because_of(w, p);
    expect_array(line, its(w, p).name, its(w, p).dims, right->at[p], w->at[p], ROUNDING);
}

static inline void expect_gained(int line, const struct work *w, const struct work *right,
                                 enum piece p) {
    const double before = is_given(w, p) ? w->held : ZEROED(p) ? 0.0 : w->half_way;
    NEW_VECTOR_FILLED(gained, count_of(w, p), is_given(w, p) ? 0.0 : -before);
    add_into(count_of(w, p), right->d[p], gained);
    because_of(w, p);
    expect_array_added(line, its(w, p).d_name, its(w, p).dims, before, gained, w->d[p]);
}

/* The piece that tells most first, then all that comes out, in the order in which it is made. */
static inline void expect_forward_from(int line, struct work given, enum piece first) {
    const struct work w = yours(given), right = obvious(given);
    expect_made(line, &w, &right, first);
    FOR_ALL_LEFT(p, w)
    expect_made(line, &w, &right, p);
}
#define EXPECT_FORWARD_FROM(given, first) expect_forward_from(__LINE__, given, first)
static inline void expect_forward(int line, struct work given) {
    expect_forward_from(line, given, given.f->values);
}
#define EXPECT_FORWARD(given) expect_forward(__LINE__, given)

/* What waits in d_v goes on. The piece that tells most first, if it is not out; then all, in the
   order in which they are made, more or less. */
static inline void expect_back_from(int line, struct work given, enum piece first, double held,
                                    double half_way) {
    const struct work w = yours_back(given, held, half_way), right = obvious_back(given, half_way);
    if (first != OUT)
        expect_gained(line, &w, &right, first);
    if (w.f->goes_on) {
        because_of(&w, OUT);
        expect_array(line, its(&w, OUT).d_name, its(&w, OUT).dims, right.d[OUT], w.d[OUT],
                     ROUNDING);
    }
    for (enum piece p = OUT; p-- > 0;)
        if (is_given(&w, p) || is_left(&w, p))
            expect_gained(line, &w, &right, p);
}
#define EXPECT_BACK_FROM(given, first, held, half_way)                                             \
    expect_back_from(__LINE__, given, first, held, half_way)
#define EXPECT_BACK(given, held, half_way) EXPECT_BACK_FROM(given, OUT, held, half_way)

/* The result, times what it is worth. */
struct nudged {
    struct work work;
    void (*run)(const struct work *);
};
static inline double loss_of_nudged(void *context) {
    const struct nudged *nudged = context;
    const struct work *w = &nudged->work;
    nudged->run(w);
    return sum_of_products(count_of(w, OUT), w->at[OUT], w->d[OUT]);
}

/* `run` is that of the function. The tutor reads its name in the test, and so it knows which other
   exercise this one is judged with. */
static inline void expect_slopes(int line, struct work given, void (*run)(const struct work *)) {
    const struct work back = yours_back(obvious(given), 0.0, 0.0);
    struct nudged nudged = {with_room(given), run};
    const struct work *w = &nudged.work;
    FOR_ALL_GIVEN(p, *w) {
        NEW_VECTOR(measured, count_of(w, p));
        numeric_gradient(loss_of_nudged, &nudged, count_of(w, p), w->at[p], measured);
        because_of(w, p);
        expect_array_gradient(line, its(w, p).d_name, its(w, p).dims, measured, back.d[p], SLOPES);
    }
}
#define EXPECT_SLOPES(given, run) expect_slopes(__LINE__, given, run)

/* A call changes none of its inputs. The output counts only where it is an input. */
static inline void expect_kept(int line, const struct work *w, void (*call)(const struct work *),
                               enum piece last) {
    void *before[PIECES];
    for (enum piece p = 0; p <= last; p++)
        before[p] = w->at[p] ? array_copy(UNNAMED, its(w, p).dims, w->at[p]) : NULL;
    call(w);
    for (enum piece p = 0; p <= last; p++) {
        BECAUSE("%s is an input here, and it was changed.", its(w, p).name);
        if (w->at[p])
            expect_array(line, its(w, p).name, its(w, p).dims, before[p], w->at[p], EXACTLY);
    }
}
#define EXPECT_KEPT(w, call, last) expect_kept(__LINE__, &(w), call, last)

/* A call leaves nothing in static variables, where two threads would meet: forward, and backward.
 */
#define EXPECT_NO_TRACE(first, second)                                                             \
    do {                                                                                           \
        const struct work one = with_room(first), two = with_room(second);                         \
        EXPECT_NOTHING_KEPT(one.f->run(&one), two.f->run(&two));                                   \
    } while (0)
#define EXPECT_NO_TRACE_BACK(first, second)                                                        \
    do {                                                                                           \
        const struct work one = with_gradients(obvious(first), 0.0, 0.0),                          \
                          two = with_gradients(obvious(second), 0.0, 0.0);                         \
        EXPECT_NOTHING_KEPT(one.f->run_back(&one), two.f->run_back(&two));                         \
    } while (0)

/* The laws of a function, and of its backward pass. That is given anything in place of what a
   forward pass leaves, or else what it does leave, unchanged. Weights sum to 1. */
static inline void probe_piece(const struct work *w, enum piece p) {
    probe_input(w->at[p], strcmp(its(w, p).name, "weights") == 0 ? '%' : '\0');
}

static inline void probe_forward(struct work w) {
    FOR_ALL_GIVEN(p, w)
    w.at[p] = array_new(its(&w, p).name, its(&w, p).dims);
    w = with_room(w);
    probe_forget();
    FOR_ALL_GIVEN(p, w)
    probe_piece(&w, p);
    FOR_ALL_LEFT(p, w)
    probe_output(w.at[p]);
    while (probe_next())
        w.f->run(&w);
}

static inline void probe_backward(struct work w, bool is_left_free) {
    struct random r = random_seed(1);
    struct work given = random_work(w.f, w.z, &r);
    given.blocked = w.blocked, given.beside = w.beside;
    w = named(obvious(given));
    w.at[OUT] = w.f->goes_on ? w.at[OUT] : NULL;
    for (enum piece p = 0; p < w.f->back; p++)
        w.at[p] = NULL;
    w = with_gradients(w, 0.0, 0.0);
    probe_forget();
    for (enum piece p = 0; p < PIECES; p++)
        if (w.at[p] && (p <= LAST_GIVEN || is_left_free))
            probe_piece(&w, p);
    probe_input(w.d[OUT], '\0');
    for (enum piece p = 0; p < OUT; p++)
        if (w.d[p])
            probe_output(w.d[p]);
    while (probe_next())
        w.f->run_back(&w);
}
/* `f_of` is an address, &splitting: a name alone would be that of a test (base/source.c). */
#define LAWS_FORWARD(of, f_of, ...)                                                                \
    LAWS(of) {                                                                                     \
        probe_forward((struct work){.f = (f_of), .z = {__VA_ARGS__}});                             \
    }
#define LAWS_BACKWARD(of, f_of, is_left_free, ...)                                                 \
    LAWS(of) {                                                                                     \
        probe_backward((struct work){.f = (f_of), .z = {__VA_ARGS__}}, is_left_free);              \
    }

/* For Y = X W: d_X += d_Y W^T, and d_W += X^T d_Y. */
static inline void obvious_product_back(int n, int d_in, int d_out, const void *rows, const void *W,
                                        const void *d_Y, void *d_rows, void *d_W) {
    NEW_MATRIX(slow_d_rows, n, d_in);
    NEW_MATRIX(slow_d_W, d_in, d_out);
    product_by_rows(n, d_out, d_in, d_Y, W, slow_d_rows);
    product_by_columns(d_in, n, d_out, rows, d_Y, slow_d_W);
    add_into(n * d_in, slow_d_rows, d_rows);
    add_into(d_in * d_out, slow_d_W, d_W);
}

#endif
