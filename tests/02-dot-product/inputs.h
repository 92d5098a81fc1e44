/* Shared by the forward and backward tests of lesson 02: inputs, calls of the learner's functions,
   and the obvious weights. */
#ifndef INPUTS_H
#define INPUTS_H

#include "dot_product.h"

#define NAME_OF_D_K "d"
#include "../attention.h"
#include "expect.h"
#include "lesson_test.h"
#include "matrix.h"
#include "product.h"
#include "random.h"
#include "softmax.h"

#define ROUNDING 1e-9

#define WORKED_PAIRS                                                                               \
    WORKED_Q;                                                                                      \
    WORKED_K
#define WORKED_EXAMPLE                                                                             \
    WORKED_PAIRS;                                                                                  \
    WORKED_V

static const struct sizes some = {3, 5, 4, 2};

/* The weights of long_text, and the keys and values of wide_text, take more than the 1 MB of stack
   that a lesson is given. A few rows of weights fit. */
static const struct sizes long_text = {5, 30000, 1, 1}, wide_text = {1, 30000, 5, 5};
#define NEW_OUTPUTS(n_q, n_k, d_v)                                                                 \
    NEW_MATRIX(weights, n_q, n_k);                                                                 \
    NEW_MATRIX(out, n_q, d_v)

/* EXPECT_MATRIX, with the expected rows last. */
#define EXPECT_ROWS(rows, cols, actual, tolerance, ...)                                            \
    EXPECT_MATRIX(rows, cols, ((const double[rows][cols]){__VA_ARGS__}), actual, tolerance)

typedef void attention(int n_q, int n_k, int d, int d_v, const double Q[n_q][d],
                       const double K[n_k][d], const double V[n_k][d_v], double weights[n_q][n_k],
                       double out[n_q][d_v]);

/* A call of this lesson, for numeric_gradient(): the loss is the output times `upstream`. */
struct call {
    struct sizes z;
    void *Q, *K, *V, *scores, *weights, *out;
    const void *upstream;
    attention *attend;
};

static inline double loss_of_attention(void *context) {
    struct call *c = context;
    c->attend(c->z.n_q, c->z.n_k, c->z.d_k, c->z.d_v, c->Q, c->K, c->V, c->weights, c->out);
    return sum_of_products(c->z.n_q * c->z.d_v, c->out, c->upstream);
}

/* The slow, obvious way. */
static inline void obvious_weights(int n_q, int n_k, int d, const double Q[n_q][d],
                                   const double K[n_k][d], double weights[n_q][n_k]) {
    product_by_rows(n_q, d, n_k, Q, K, weights);
    softmax_rows(n_q, n_k, weights, weights);
}

#endif
