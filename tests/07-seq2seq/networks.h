/* What the tests of the networks share: the GRU by the
   definition, a sentence for a wrong gate, and tests that every network has. A file says first
   which pieces its networks have: among them GRU_W, GRU_U, ACC and GATES. */
#ifndef NETWORKS_H
#define NETWORKS_H

#include "seq2seq.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* n states or words, of d_in numbers, or steps; states of d. A context has d_k. */
struct sizes {
    int n, d_in, d, d_k, d_a;
};

#include "../pieces.h"

/* The structs of seq2seq.h around these pieces, for row i of a step. */
static inline struct gru gru_in(const struct work *w, void *const at[PIECES]) {
    return (struct gru){w->z.d_in + w->z.d_k, w->z.d, at[GRU_W], at[GRU_U]};
}

static inline struct gru_values values_in(const struct work *w, void *const at[PIECES], int i) {
    double(*gates)[3 * w->z.d] = at[GATES], (*acc)[3 * w->z.d] = at[ACC];
    return (struct gru_values){&gates[i], &acc[i]};
}

/* Another formula for the sigmoid, which does not overflow. */
static inline double share(double x) {
    return 0.5 + 0.5 * tanh(0.5 * x);
}

static inline void obvious_gru(int d_in, int d, const void *W, const void *U, const void *x,
                               const double *h, double *gates, double *acc, double *next) {
    NEW_MATRIX(obvious_read, 1, 3 * d);
    product(1, d_in, 3 * d, x, W, obvious_read);
    product(1, d, 3 * d, (const void *)h, U, (void *)acc);
    for (int c = 0; c < d; c++) {
        const double z = share(obvious_read[0][c] + acc[c]),
                     r = share(obvious_read[0][d + c] + acc[d + c]);
        const double n = tanh(obvious_read[0][2 * d + c] + r * acc[2 * d + c]);
        gates[c] = z, gates[d + c] = r, gates[2 * d + c] = n;
        next[c] = n + z * (h[c] - n);
    }
}

static inline void obvious_gru_back(int d_in, int d, const void *W, const void *U, const void *x,
                                    const double *h, const double *gates, const double *acc,
                                    const double *d_next, double *d_gates, double *d_acc, void *d_W,
                                    void *d_U, void *d_x, double *d_h) {
    for (int c = 0; c < d; c++) {
        const double z = gates[c], r = gates[d + c], n = gates[2 * d + c];
        const double into_n = d_next[c] * (1.0 - z) * (1.0 - n * n);
        const double into[3] = {d_next[c] * (h[c] - n) * z * (1.0 - z),
                                into_n * acc[2 * d + c] * r * (1.0 - r), into_n};
        for (int i = 0; i < 3; i++) {
            d_gates[i * d + c] += into[i];
            d_acc[i * d + c] += i < 2 ? into[i] : r * into_n;
        }
        d_h[c] += z * d_next[c];
    }
    obvious_product_back(1, d_in, 3 * d, x, W, d_gates, d_x, d_W);
    obvious_product_back(1, d, 3 * d, h, U, d_acc, d_h, d_U);
}

/* At random, away from where the gates are flat. */
static inline struct work random_network(const struct function *f, struct sizes z,
                                         struct random *r) {
    struct work w = random_work(f, z, r);
    for (enum piece p = GRU_W; p <= GRU_U; p++)
        scale_into(count_of(&w, p), 0.5, w.at[p], w.at[p]);
    return w;
}

/* Random values in place of those of a forward pass: the backward pass must use what it is given.
 * Weights sum to 1. */
static inline struct work with_leavings(struct work w, struct random *r) {
    FOR_ALL_LEFT(p, w) {
        const int count = count_of(&w, p);
        const bool weights = strcmp(its(&w, p).name, "weights") == 0;
        double *x = w.at[p] = filled(&w, p, UNNAMED, 0.0), sum = 0.0;
        random_fill_normal(r, count, x);
        for (int i = 0; i < count; i++)
            sum += x[i] = p == GATES ? share(x[i]) : weights ? exp(x[i]) : x[i];
        if (weights)
            scale_into(count, 1.0 / sum, x, x);
    }
    return w;
}

/* Written so that NaN differs from every number. */
static inline bool are_alike(int count, const void *a, const void *b, double tolerance) {
    const double *x = a, *y = b;
    for (int i = 0; i < count; i++)
        if (!(fabs(x[i] - y[i]) <= tolerance))
            return false;
    return true;
}

/* Which of the three parts of the rows are wrong. */
static inline void because_of_parts(const struct work *w, enum piece p) {
    static const char *const parts[8] = {"", "z", "r", "z and r", "n", "z and n", "r and n", ""};
    if (p != GATES && p != ACC)
        return;
    const bool back = w->d[p] != NULL;
    const double *right = back ? obvious_back(*w, w->half_way).d[p] : obvious(*w).at[p];
    const double *given = back ? w->d[p] : w->at[p];
    const int d = w->z.d;
    int off = 0;
    for (int at = 0; at < count_of(w, p) / d; at++)
        off |= are_alike(d, right + at * d, given + at * d, FOUR_DECIMALS) ? 0 : 1 << at % 3;
    BECAUSE_IF(*parts[off], "The wrong numbers are all in the parts of %s.", parts[off]);
}

/* The numbers of a worked example. */
#define EXPECT_WORKED(w, p, ...)                                                                   \
    do {                                                                                           \
        because_of_parts(&(w), p);                                                                 \
        EXPECT_PUT(w, p, __VA_ARGS__);                                                             \
    } while (0)
#define EXPECT_WORKED_D(w, p, ...)                                                                 \
    do {                                                                                           \
        because_of_parts(&(w), p);                                                                 \
        EXPECT_PUT_D(w, p, __VA_ARGS__);                                                           \
    } while (0)

/* Tests that every network has. Those of what comes out or goes back begin with the
   piece that tells most. */
#define AGREES(of, name, f, all, first, seed)                                                      \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_CASES(struct sizes, z, all)                                                        \
        EXPECT_FORWARD_FROM(random_network(&f, *z, &r), first);                                    \
    }
#define ADDS(of, name, f, all, first, held, half_way, seed)                                        \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_CASES(struct sizes, z, all)                                                        \
        EXPECT_BACK_FROM(obvious(random_network(&f, *z, &r)), first, held, half_way);              \
    }
#define GOES_BY_WHAT_IS_LEFT(of, name, f, all, first, seed)                                        \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_BACK_FROM(with_leavings(random_network(&f, (all)[1], &r), &r), first, 0.0, 0.0);    \
    }
/* With a single state its weight is 1 for every query. */
#define IS_MEASURED(of, name, f, run, all, least, seed)                                            \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_CASES(struct sizes, z, all)                                                        \
        if (z->n >= least)                                                                         \
            EXPECT_SLOPES(random_network(&f, *z, &r), run);                                        \
    }
#define KEEPS_NOTHING(of, name, f, all, seed)                                                      \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_NO_TRACE(random_network(&f, (all)[1], &r), random_network(&f, (all)[0], &r));       \
    }
#define KEEPS_NOTHING_BACK(of, name, f, all, seed)                                                 \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_NO_TRACE_BACK(random_network(&f, (all)[1], &r), random_network(&f, (all)[0], &r));  \
    }

#endif
