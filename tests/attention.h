/* What the tests of several lessons share: attention at
   many sizes, and its backward pass by the definition. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "expect.h"
#include "jacobian.h"
#include "matrix.h"
#include "product.h"
#include "work.h"

#include <stdbool.h>

/* The worked example of lessons 02 and 03. */
#define WORKED_Q NEW_MATRIX_OF(Q, 2, 3, {1, 0, 1}, {0, 1, 0})
#define WORKED_K NEW_MATRIX_OF(K, 3, 3, {1, 1, 0}, {0, 1, 1}, {1, 0, 1})
#define WORKED_V NEW_MATRIX_OF(V, 3, 2, {1, 2}, {3, 0}, {0, 1})

struct sizes {
    int n_q, n_k, d_k, d_v;
};

/* No two alike in a set, so that each mix-up of sizes shows; each is 1 somewhere; and all are 1. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2}, {7, 4, 3, 5}, {1, 6, 3, 2}, {4, 1, 2, 3},
    {2, 3, 1, 5}, {2, 4, 7, 1}, {1, 1, 1, 1},
};

/* Lesson 02 calls d_k just d. */
#ifndef NAME_OF_D_K
#define NAME_OF_D_K "d_k"
#endif

#define BECAUSE_OF_SIZES(z)                                                                        \
    BECAUSE("Here n_q = %d, n_k = %d, " NAME_OF_D_K " = %d and d_v = %d.", (z)->n_q, (z)->n_k,     \
            (z)->d_k, (z)->d_v)
#define EXPECT_OBVIOUS(z, rows, cols, expected, actual, tolerance)                                 \
    do {                                                                                           \
        BECAUSE_OF_SIZES(z);                                                                       \
        EXPECT_MATRIX(rows, cols, expected, actual, tolerance);                                    \
    } while (0)

#define ZERO_GRADIENTS(n_q, n_k, d_k, d_v)                                                         \
    NEW_MATRIX_FILLED(d_Q, n_q, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_K, n_k, d_k, 0.0);                                                         \
    NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0)

/* d_Q, d_K and d_V are what nudging Q, K and V measures. */
#define EXPECT_ALL_NUDGED(z, loss, call)                                                           \
    do {                                                                                           \
        EXPECT_NUDGED(loss, call, (z).n_q, (z).d_k, Q, d_Q);                                       \
        EXPECT_NUDGED(loss, call, (z).n_k, (z).d_k, K, d_K);                                       \
        EXPECT_NUDGED(loss, call, (z).n_k, (z).d_v, V, d_V);                                       \
    } while (0)

/* The backward pass of attention whose scores are dot products times `factor`. */
static inline void obvious_way_back(double factor, struct sizes z, const double Q[z.n_q][z.d_k],
                                    const double K[z.n_k][z.d_k], const double V[z.n_k][z.d_v],
                                    const double weights[z.n_q][z.n_k],
                                    const double d_out[z.n_q][z.d_v], double d_Q[z.n_q][z.d_k],
                                    double d_K[z.n_k][z.d_k], double d_V[z.n_k][z.d_v]) {
    NEW_MATRIX(slow_d_weights, z.n_q, z.n_k);
    NEW_MATRIX(slow_d_scores, z.n_q, z.n_k);
    product_by_rows(z.n_q, z.d_v, z.n_k, d_out, V, slow_d_weights);
    obvious_d_scores(z.n_q, z.n_k, weights, slow_d_weights, slow_d_scores);
    scale_into(z.n_q * z.n_k, factor, slow_d_scores, slow_d_scores);
    product(z.n_q, z.n_k, z.d_k, slow_d_scores, K, d_Q);
    product_by_columns(z.n_k, z.n_q, z.d_k, slow_d_scores, Q, d_K);
    product_by_columns(z.n_k, z.n_q, z.d_v, weights, d_out, d_V);
}

/* A function work_of_keys(): the steps of the learner's code for one query and n_k keys. */
#define WORK_OF_KEYS(call)                                                                         \
    static unsigned long work_of_keys(int n_k) {                                                   \
        enum { n_q = 1, d_k = 1, d_v = 1 };                                                        \
        NEW_MATRIX_FILLED(Q, n_q, d_k, 1.0);                                                       \
        NEW_MATRIX_FILLED(K, n_k, d_k, 1.0);                                                       \
        NEW_MATRIX_FILLED(V, n_k, d_v, 1.0);                                                       \
        NEW_MASK_FILLED(blocked, n_q, n_k, false);                                                 \
        NEW_MATRIX_FILLED(weights, n_q, n_k, 1.0 / n_k);                                           \
        NEW_MATRIX_FILLED(d_out, n_q, d_v, 1.0);                                                   \
        NEW_MATRIX_FILLED(d_Q, n_q, d_k, 0.0);                                                     \
        NEW_MATRIX_FILLED(d_K, n_k, d_k, 0.0);                                                     \
        NEW_MATRIX_FILLED(d_V, n_k, d_v, 0.0);                                                     \
        const unsigned long before = work_done;                                                    \
        (void)blocked;                                                                             \
        call;                                                                                      \
        return work_done - before;                                                                 \
    }

/* Before a long text that a loop within a loop would take minutes for: four times the keys are four
   times the work. */
static inline void expect_work_in_proportion(int line, unsigned long (*work_of)(int n_k)) {
    const unsigned long few = work_of(100), more = work_of(400);
    matrix_free_all();
    BECAUSE("One sum serves all keys of a query: it needs no loop within a loop over the keys.");
    expect_that(line, more <= 8 * few,
                "4 times the keys should take 4 times the work: 100 keys took %lu steps of your "
                "code, 400 keys took %lu",
                few, more);
}
#define EXPECT_WORK_IN_PROPORTION expect_work_in_proportion(__LINE__, work_of_keys)

#endif
