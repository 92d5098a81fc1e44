/* What is computed, by whom, and how long that takes. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

enum { WIDTH_OF_HEAD = 64, PEER_ROWS = 128, DECODE_HEADS = 8 };

/* The attention of some heads over n words, with all that anybody needs for it. */
struct work {
    int n_heads, n, threads;
    bool causal;
    float *Q, *K, *V, *d_out;  /* random */
    float *out, *lse, *shared; /* computed */
    float *d_Q, *d_K, *d_V;    /* added to */
    float *weights;            /* room for those of one head; NULL if that is too much */
    float *peer_rows;          /* room for PEER_ROWS rows of them, for each thread */
};
struct work work_new(int n_heads, int n, bool causal, int threads);
void work_free(struct work *work);

/* Random numbers between -1 and 1, where a cache line begins; without the memory the program ends.
 */
float *random_floats(long count);

/* Pairs of a query and a key that it sees, of one head. */
double work_pairs(const struct work *work);

/* How many keys the first query sees. */
int work_seen(const struct work *work);

/* Somebody who can do it. Returns the seconds it took: CPU time with one thread, and else those on
   the wall; NAN if it cannot. */
struct runner {
    const char *name;
    int products;  /* of matrices, as large as Q times K */
    bool one_head; /* does one head only: it would take long, and the others are like it */
    double (*run)(const struct work *work);
};
double runner_flops(const struct runner *runner, const struct work *work);

/* Seconds of this thread's CPU time, if there is one; else those on the wall. That of the whole
   process would be counted in ticks where it has a limit, as here. */
double clock_of(int threads);

/* The rungs of the ladder. */
extern const struct runner bare, naive, ordered, online, tiled, flash, backward, decoding, reading;

/* Bytes of K and V that decoding and reading fetch. */
double decode_bytes(const struct work *work);

/* Sets how many threads OpenMP has, where there is OpenMP; says how many it can have. */
int threads_possible(void);

#endif
