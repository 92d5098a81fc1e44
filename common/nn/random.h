/* A small random generator: the same seed gives the same numbers on every machine. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

struct random random_seed(uint64_t seed);
uint64_t seed_wanted(void);                /* SEED=2 in the environment; 1 without it */
double random_uniform(struct random *r);   /* in [0, 1) */
double random_normal(struct random *r);    /* mean 0, variance 1 */
int random_below(struct random *r, int n); /* 0 .. n-1 */

/* Fill `count` numbers at x, and return x. */
void *random_fill_uniform(struct random *r, int count, void *x);
void *random_fill_normal(struct random *r, int count, void *x);

/* With matrix.h: declare `name`, filled so. */
#define NEW_MATRIX_RANDOM(name, rows, cols, generator)                                             \
    double(*name)[cols] =                                                                          \
        random_fill_normal(generator, (rows) * (cols), matrix_new(#name, rows, cols))
#define NEW_VECTOR_RANDOM(name, n, generator)                                                      \
    double *name = random_fill_normal(generator, n, vector_new(#name, n))

#endif
