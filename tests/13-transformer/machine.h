/* What the tests of lesson 13 share: sizes, tokens and positions. */
#ifndef MACHINE_H
#define MACHINE_H

#include "transformer.h"

#include "dot_product.h"
#include "expect.h"
#include "masked.h"
#include "positions.h"
#include "random.h"

#include "../whole_numbers.h"

/* With 0 encoder blocks there is no source. At most two blocks of each kind. */
struct sizes {
    int n, m, d, d_ff, n_heads, n_kv_heads, d_head, vocabulary, n_encoders, n_decoders;
};

/* The sizes of a set differ, except heads and blocks, so that exchanged sizes are noticed. Each
   size is 1 in some set, and one set has only 1. The last two sets have no source. */
#define ALL_SIZES_WITH_A_SOURCE                                                                    \
    {3, 5, 6, 7, 2, 1, 4, 8, 1, 1}, {4, 2, 3, 5, 6, 2, 1, 7, 2, 2},                                \
        {2, 3, 5, 4, 1, 1, 6, 9, 1, 2}, {3, 1, 4, 6, 2, 2, 5, 7, 2, 1},                            \
        {1, 3, 6, 1, 2, 1, 4, 5, 1, 2}, {4, 3, 1, 5, 2, 1, 6, 7, 2, 1},                            \
        {2, 4, 3, 5, 3, 1, 6, 1, 1, 1}, {                                                          \
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1                                                               \
    }
#define ALL_SIZES_WITHOUT_ONE                                                                      \
    {5, 0, 4, 3, 2, 1, 6, 7, 0, 2}, {                                                              \
        3, 0, 5, 4, 1, 1, 2, 6, 0, 1                                                               \
    }

/* All sizes are 3 here, so that exchanged matrices still have the right shape. The second has no
   source. */
static const struct sizes square = {3, 3, 3, 3, 1, 1, 3, 3, 2, 2},
                          square_alone = {3, 0, 3, 3, 1, 1, 3, 3, 0, 2};

#include "../layers.h"

/* Tokens, their rows of P, and the contents of v->read if it is not an output. */
struct beside {
    const int *words;
    const double *P;
    void *read;
};

/* Makes such a struct, with names for the report. */
static inline const struct beside *beside_of(int n, int d, const double *words, const double *P,
                                             void *read) {
    struct beside *beside = matrix_new("of_the_test", 1, 3);
    *beside = (struct beside){words_from("words", n, words), matrix_copy("P", n, d, P), read};
    return beside;
}

static inline const struct beside *random_beside(int n, int d, int vocabulary, void *read,
                                                 struct random *r) {
    NEW_VECTOR(drawn, n);
    NEW_MATRIX_RANDOM(of_the_test, n, d, r);
    for (int i = 0; i < n; i++)
        drawn[i] = random_below(r, vocabulary);
    return beside_of(n, d, drawn, of_the_test[0], read);
}

/* The table of the worked examples. Multiplied by 2, the square root of d, its rows are
   {0, 4, 0, 2}, {4, 0, 0, 2} and {3, 0, 1, 2}. */
#define WORKED_TABLE 0, 2, 0, 1, 2, 0, 0, 1, 1.5, 0, 0.5, 1
#define WORKED_WORDS OF(2, 0)
#define WORKED_P     OF(0, 1, 0, 1, 0, 0, 2, 0)

/* Finds the first wrong matrix between the blocks, each of which has `count` numbers. */
static inline void because_of_rows_between(const char *name, int blocks, int count,
                                           const double *right, const double *rows) {
    int k = 0;
    while (k < (blocks + 1) * count && fabs(rows[k] - right[k]) <= 1e-9)
        k++;
    const int b = k / count;
    BECAUSE_IF(b == 0, "%s[0] is wrong already. It should be the embeddings with P added.", name);
    BECAUSE_IF(b <= blocks,
               "%s[%d] is right here, but %s[%d] is not. The first is the input of block %d, and "
               "the second is its output.",
               name, b - 1, name, b, b - 1);
}

/* rows = sqrt(d) * table[word] + P */
static inline void enter(int n, struct sizes z, const struct beside *beside, const void *table,
                         void *rows) {
    embed(n, z.vocabulary, z.d, sqrt(z.d), beside->words, table, rows);
    add_into(n * z.d, beside->P, rows);
}

#endif
