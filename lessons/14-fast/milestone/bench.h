/* Everything that make bench-14 measures. */
#ifndef BENCH_H
#define BENCH_H

#include "race.h"

#include <stdio.h>

/* The runners at each length. DECODE and READ run separately. */
enum {
    BARE,
    NAIVE,
    ORDERED,
    ONLINE,
    TILED,
    FLASH,
    BACKWARD,
    OPENBLAS,
    TORCH,
    TORCH_BACK,
    DECODE,
    READ
};
enum { RACERS = DECODE, ALL = READ + 1, RUNGS = BACKWARD + 1, LENGTHS = 7, MASKS = 2 };

/* T=4096 H=2 CAUSAL=1 THREADS=2 SECONDS=5 in the environment. Without T several lengths are
   measured, and n is the length for which all versions are shown. Without CAUSAL both masks are
   measured: 0 is none, 1 is causal. */
struct settings {
    int n, n_heads, threads;
    bool one_length, masks[MASKS];
    double seconds; /* of each race */
};

extern const struct runner *const runners[ALL];

/* Ends the program with a message if one of them is wrong. */
struct settings settings_wanted(void);

/* The results at one length: NAN for a runner that is not installed. Decoding has DECODE_HEADS
 * heads. */
struct speeds {
    int n;
    double flops[ALL], seconds[ALL][STATISTICS];
};

struct report {
    struct settings settings;
    double load;        /* the larger one of begin and end */
    int lengths, shown; /* how many there are, and the index of settings.n */
    struct speeds at[LENGTHS][MASKS];
    double bytes[LENGTHS];       /* that decoding reads. Its speeds are in at[][0] */
    int more;                    /* threads: 1 if there is one core */
    struct speeds by_threads[2]; /* with one, and with more */
    int longest;                 /* tokens, for the memory */
    double beyond[MASKS];        /* MB besides inputs and outputs: forward, backward */
};
void measure(struct report *r);

double gflops(const struct speeds *s, int racer, int statistic);

/* The faster of the two peers. */
double best_peer(const struct speeds *s, int statistic);

/* MB that a runner needs besides its inputs and outputs, measured in a process of its own, or NAN
   if that is impossible. Call it before any thread is started. */
double megabytes_of(const struct runner *runner, const struct work *sizes);

/* In 80 columns. */
void tell_report(FILE *to, const struct report *r);

#endif
