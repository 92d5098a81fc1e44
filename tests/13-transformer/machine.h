/* What the tests of lesson 13 share: sizes, words and where they stand. */
#ifndef MACHINE_H
#define MACHINE_H

#include "transformer.h"

#include "dot_product.h"
#include "expect.h"
#include "masked.h"
#include "positions.h"
#include "random.h"

#include "../whole_numbers.h"

/* Where there are no encoder blocks, nothing is read. At most two blocks of each. */
struct sizes {
    int n, m, d, d_ff, n_heads, n_kv_heads, d_head, vocabulary, n_encoders, n_decoders;
};

/* No two alike in a set, except heads and blocks, so that each mix-up of sizes shows; each is 1
   somewhere; and all are 1. The last two have nothing to read. */
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

/* All is 3 here, so that what is mixed up has a shape that fits; but nothing is read in the
   second. */
static const struct sizes square = {3, 3, 3, 3, 1, 1, 3, 3, 2, 2},
                          square_alone = {3, 0, 3, 3, 1, 1, 3, 3, 0, 2};

#include "../layers.h"

/* Words, and where they stand; and what is in v->read, where that is no result. */
struct beside {
    const int *words;
    const double *P;
    void *read;
};

/* These, which a report shows. */
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

/* The words of the worked examples. Times 2, which is the root of d, they are {0, 4, 0, 2},
   {4, 0, 0, 2} and {3, 0, 1, 2}. */
#define WORKED_TABLE 0, 2, 0, 1, 2, 0, 0, 1, 1.5, 0, 0.5, 1
#define WORKED_WORDS OF(2, 0)
#define WORKED_P     OF(0, 1, 0, 1, 0, 0, 2, 0)

/* Finds the first wrong rows between the blocks, which have so many numbers each.
 */
static inline void because_of_rows_between(const char *name, int blocks, int count,
                                           const double *right, const double *rows) {
    int k = 0;
    while (k < (blocks + 1) * count && fabs(rows[k] - right[k]) <= 1e-9)
        k++;
    const int b = k / count;
    BECAUSE_IF(b == 0, "%s[0] is off already, the words as they enter.", name);
    BECAUSE_IF(b <= blocks,
               "%s[%d] is right here, and %s[%d] is not. Block %d reads the one and gives the "
               "other.",
               name, b - 1, name, b, b - 1);
}

/* rows = sqrt(d) * table[word] + P */
static inline void enter(int n, struct sizes z, const struct beside *beside, const void *table,
                         void *rows) {
    embed(n, z.vocabulary, z.d, sqrt(z.d), beside->words, table, rows);
    add_into(n * z.d, beside->P, rows);
}

#endif
