/* The work that is measured, and the runners that do it. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

enum { WIDTH_OF_HEAD = 64, PEER_ROWS = 128, DECODE_HEADS = 8 };

/* The attention of some heads over n tokens, with all arrays that a runner needs. */
struct work {
    int n_heads, n, threads;
    bool causal;
    float *Q, *K, *V, *d_out;  /* random */
    float *out, *lse, *shared; /* computed */
    float *d_Q, *d_K, *d_V;    /* gradients, to which is added */
    float *weights;            /* of one head, or NULL if they are too large */
    float *peer_rows;          /* PEER_ROWS rows of them for each thread */
};
struct work work_new(int n_heads, int n, bool causal, int threads);
void work_free(struct work *work);

/* Random numbers between -1 and 1, aligned to a cache line. Ends the program if memory is missing.
 */
float *random_floats(long count);

/* The number of visible pairs of a query and a key in one head. */
double work_pairs(const struct work *work);

/* The number of keys that the first query sees. */
int work_seen(const struct work *work);

/* A runner computes the work and returns the seconds: CPU time with one thread, otherwise wall
   time, or NAN if it cannot. */
struct runner {
    const char *name;
    int products;  /* matrix products of the size of Q times K */
    bool one_head; /* computes only one head, to save time */
    double (*run)(const struct work *work);
};
double runner_flops(const struct runner *runner, const struct work *work);

/* CPU time of this thread in seconds if there is one thread, otherwise wall time. (With a CPU limit
   the system counts the time of a whole process only in coarse ticks.) */
double clock_of(int threads);

/* All versions. */
extern const struct runner bare, naive, ordered, online, tiled, flash, backward, decoding, reading;

/* Bytes of K and V that decoding and bare reading load. */
double decode_bytes(const struct work *work);

/* The number of threads that OpenMP can use, or 1 without OpenMP. */
int threads_possible(void);

#endif
