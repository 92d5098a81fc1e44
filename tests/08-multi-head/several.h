/* What the tests of lesson 08 share: sizes, masks, plain versions of the functions, and tests that
   several functions have. A file that includes this one first lists the pieces of its functions. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "multi_head.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* There are n queries and m keys. */
struct sizes {
    int n, m, n_heads, n_kv_heads, d_head, d;
};

#include "../heads.h"
#include "../jacobian.h"
#include "../masks.h"
#include "../pieces.h"

/* In most sets all sizes are different, so that a test fails if two of them are exchanged. Some
   sets have as many key heads as query heads. Each size is 1 in some set, and in the last set all
   are 1. */
static const struct sizes all_sizes[] = {
    {4, 2, 3, 1, 5, 6}, {5, 7, 4, 2, 3, 6}, {5, 4, 6, 2, 1, 3}, {3, 5, 4, 2, 1, 6},
    {2, 4, 3, 3, 5, 7}, {1, 3, 4, 2, 5, 6}, {3, 1, 4, 2, 5, 6}, {3, 4, 1, 1, 2, 5},
    {4, 5, 3, 3, 2, 1}, {1, 1, 1, 1, 1, 1},
};

/* The masks of the tests. SCATTERED blocks all keys for the first query. */
enum mask { NO_MASK, CAUSAL, PADDED, SCATTERED, MASKS };
#define ONE_OF_THE_MASKS(z) ((enum mask)((z - all_sizes) % MASKS))

static inline void *mask_of(enum mask mask, int n, int m) {
    if (mask == NO_MASK || mask == SCATTERED)
        return mask == NO_MASK ? NULL : scattered_mask(n, m);
    NEW_MASK(blocked, n, m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            blocked[i][j] = mask == CAUSAL ? j > i : j >= (m + 1) / 2;
    return blocked;
}

/* Each file defines its own version, which draws random inputs and uses this mask. */
static struct work random_heads(const struct function *f, struct sizes z, enum mask mask,
                                struct random *r);

/* Returns w with the values of another forward pass. The backward pass must use those values and
   not compute its own. */
static inline struct work with_stored_values_of(struct work w, struct work other) {
    FOR_ALL_LEFT(p, w)
    w.at[p] = other.at[p];
    return w;
}

/* Expects each number of row 0 to be exactly 0, in every head if there are heads. */
static inline void expect_row_0_is_zero(int line, const char *name, struct dims dims,
                                        const double *numbers) {
    const int cols = dims_cols(dims), heads = dims.rank > 2 ? dims.size[0] : 1;
    char cell[100];
    for (int k = 0; k < heads * cols; k++) {
        const int at = k / cols * (dims_count(dims) / heads) + k % cols;
        dims_place(cell, sizeof cell, name, dims, dims.rank, at);
        expect_that(line, numbers[at] == 0.0, "%s is %g; all keys are blocked for word 0", cell,
                    numbers[at]);
    }
}
#define EXPECT_ROW_0_IS_ZERO(w, p)                                                                 \
    expect_row_0_is_zero(__LINE__, its(&(w), p).name, its(&(w), p).dims, (w).at[p])

/* Plain versions of the split and the merge, which add to their outputs. */
static inline void add_split(int n, int n_heads, int d_head, const double *rows, double *heads) {
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                *heads++ += rows[(i * n_heads + h) * d_head + c];
}

static inline void add_merged(int n, int n_heads, int d_head, const double *heads, double *rows) {
    for (int i = 0; i < n; i++)
        for (int h = 0; h < n_heads; h++)
            for (int c = 0; c < d_head; c++)
                *rows++ += heads[(h * n + i) * d_head + c];
}

/* Q, K, V, the weights and the heads follow each other in `at`. head_of returns the matrix that
   query head h uses. For keys and values it is the matrix of its key head. */
enum { Q_OF, K_OF, V_OF, WEIGHTS_OF, HEADS_OF };
static inline void *head_of(struct sizes z, void *const at[5], int which, int h) {
    const bool key = which == K_OF || which == V_OF;
    const int head = key ? h / (z.n_heads / z.n_kv_heads) : h;
    return (double *)at[which] + head * (key ? z.m : z.n) * (which == WEIGHTS_OF ? z.m : z.d_head);
}

/* Computes exp(score) divided by the sum over the keys that are not blocked. The scores of these
   tests are so small that exp does not overflow. */
static inline void obvious_weights(struct sizes z, const void *mask, void *const at[5], int h) {
    const bool(*blocked)[z.m] = mask;
    double(*obvious)[z.m] = head_of(z, at, WEIGHTS_OF, h);
    product_by_rows(z.n, z.d_head, z.m, head_of(z, at, Q_OF, h), head_of(z, at, K_OF, h), obvious);
    for (int i = 0; i < z.n; i++) {
        double sum = 0.0;
        for (int j = 0; j < z.m; j++) {
            const bool allowed = !blocked || !blocked[i][j];
            obvious[i][j] = allowed ? exp(obvious[i][j] / sqrt(z.d_head)) : 0.0;
            sum += obvious[i][j];
        }
        if (sum > 0.0)
            scale_into(z.m, 1.0 / sum, obvious[i], obvious[i]);
    }
}

static inline void attend_obviously(struct sizes z, const void *mask, void *const at[5]) {
    for (int h = 0; h < z.n_heads; h++) {
        obvious_weights(z, mask, at, h);
        product(z.n, z.m, z.d_head, head_of(z, at, WEIGHTS_OF, h), head_of(z, at, V_OF, h),
                head_of(z, at, HEADS_OF, h));
    }
}

/* The backward pass, where scores = Q K^T / sqrt(d_head), weights = softmax(scores) and
   heads = weights V. */
static inline void attend_back_obviously(struct sizes z, void *const at[5], void *const d[5]) {
    const int n = z.n, m = z.m, d_head = z.d_head;
    for (int h = 0; h < z.n_heads; h++) {
        const void *weights = head_of(z, at, WEIGHTS_OF, h), *d_heads = head_of(z, d, HEADS_OF, h);
        NEW_MATRIX_FILLED(slow_d_weights, n, m, 0.0);
        NEW_MATRIX(d_scores, n, m);
        NEW_MATRIX(slow_d_Q, n, d_head);
        NEW_MATRIX(slow_d_K, m, d_head);
        obvious_product_back(n, m, d_head, weights, head_of(z, at, V_OF, h), d_heads,
                             slow_d_weights, head_of(z, d, V_OF, h));
        obvious_d_scores(n, m, weights, slow_d_weights, d_scores);
        scale_into(n * m, 1.0 / sqrt(d_head), d_scores, d_scores);
        product(n, m, d_head, d_scores, head_of(z, at, K_OF, h), slow_d_Q);
        product_by_columns(m, n, d_head, d_scores, head_of(z, at, Q_OF, h), slow_d_K);
        add_into(n * d_head, slow_d_Q, head_of(z, d, Q_OF, h));
        add_into(m * d_head, slow_d_K, head_of(z, d, K_OF, h));
    }
}

/* Tests that several functions have. */
#define AGREES(of, name, f, seed)                                                                  \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        EXPECT_FORWARD(random_heads(&f, *z, ONE_OF_THE_MASKS(z), &r));                             \
    }
#define ADDS(of, name, f, held, half_way, seed)                                                    \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        EXPECT_BACK(obvious(random_heads(&f, *z, ONE_OF_THE_MASKS(z), &r)), held, half_way);       \
    }
#define USES_STORED_VALUES(of, name, f, seed)                                                      \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        const struct work other = obvious(random_heads(&f, all_sizes[1], CAUSAL, &r));             \
        EXPECT_BACK(with_stored_values_of(random_heads(&f, all_sizes[1], CAUSAL, &r), other), 0.0, \
                    0.0);                                                                          \
    }
/* With a single key its weight is always 1, so such sizes are left out. */
#define IS_MEASURED(of, name, f, run, mask, seed)                                                  \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        FOR_ALL_SIZES(z)                                                                           \
        if (z->m > 1 && (mask == NO_MASK || z->n > 2))                                             \
            EXPECT_SLOPES(random_heads(&f, *z, mask, &r), run);                                    \
    }
#define KEEPS_NOTHING(of, name, f, seed)                                                           \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_NO_TRACE(random_heads(&f, all_sizes[2], NO_MASK, &r),                               \
                        random_heads(&f, all_sizes[1], CAUSAL, &r));                               \
    }
#define KEEPS_NOTHING_BACK(of, name, f, seed)                                                      \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_NO_TRACE_BACK(random_heads(&f, all_sizes[2], NO_MASK, &r),                          \
                             random_heads(&f, all_sizes[1], CAUSAL, &r));                          \
    }

#endif
