#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, STEPS = 20 };

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_shares(const struct machine *m, double all) {
    double rest = 1.0;
    for (int part = 0; part < PARTS; part++) {
        printf("  %-26s %5.1f %%\n", part_names[part], 100.0 * m->spent[part] / all);
        rest -= m->spent[part] / all;
    }
    printf("  %-26s %5.1f %%\n", "sentences, waiting", 100.0 * rest);
}

/* The median of some rounds: the machine may have other things to do. */
void bench(const struct course *course) {
    struct machine m = machine_new(course, 1);
    double speed[ROUNDS], began = seconds();
    for (int round = 0; round < ROUNDS; round++) {
        double since = seconds();
        int before = m.words;
        for (int i = 0; i < STEPS; i++)
            machine_step(&m);
        speed[round] = (m.words - before) / (seconds() - since);
    }
    double all = seconds() - began;
    qsort(speed, ROUNDS, sizeof *speed, by_size);
    printf("transformer, sentences of 3 to %d words, %d numbers a word, batches of %d: %.0f words\n"
           "per second (words of sources and targets, forward, backward and Adam; the median of\n"
           "%d rounds). make bench-07 counts the same words for the GRU with attention.\n\n"
           "Where the time of a thread goes:\n",
           course->longest, D_MODEL, course->batch, speed[ROUNDS / 2], ROUNDS);
    print_shares(&m, all);
}
