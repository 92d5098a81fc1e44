/* All that make bench-14 measures. */
#ifndef BENCH_H
#define BENCH_H

#include "race.h"

#include <stdio.h>

/* Who runs in the race at each length; DECODE and READ have one of their own. */
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
   measured, and n is the one that all rungs are shown for; without CAUSAL both masks: 0 is none, 1
   is causal. */
struct settings {
    int n, n_heads, threads;
    bool one_length, masks[MASKS];
    double seconds; /* of each race */
};

extern const struct runner *const runners[ALL];

/* What is wrong with one of them is said, and ends the program. */
struct settings settings_wanted(void);

/* Of one race: NAN for who was not there. Decoding has DECODE_HEADS heads. */
struct speeds {
    int n;
    double flops[ALL], seconds[ALL][STATISTICS];
};

struct report {
    struct settings settings;
    double load;        /* when it began, or at the end if that is more */
    int lengths, shown; /* how many there are; the place of settings.n */
    struct speeds at[LENGTHS][MASKS];
    double bytes[LENGTHS];       /* that decoding reads; its speeds are in at[][0] */
    int more;                    /* threads: 1 if there is one core */
    struct speeds by_threads[2]; /* with one, and with more */
    int longest;                 /* words, for the memory */
    double beyond[MASKS];        /* MB beyond the tensors: forward, backward */
};
void measure(struct report *r);

double gflops(const struct speeds *s, int racer, int statistic);

/* The faster of the two peers. */
double best_peer(const struct speeds *s, int statistic);

/* MB that a runner takes beyond all that it is given, measured in a process of its own; NAN where
   that cannot be known. Call it before any thread is started. */
double megabytes_of(const struct runner *runner, const struct work *sizes);

/* In 80 columns. */
void tell_report(FILE *to, const struct report *r);

#endif
