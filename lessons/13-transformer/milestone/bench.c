#include "bench.h"

#include "columns.h"

#include <math.h>
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
    printf("  %-26s %5.1f %%\n", "making sentences, waiting", 100.0 * rest);
}

/* Words per second of lesson 07's network on the same sentences, or 0 without a measurement. */
static double speed_of_07(const char *folder) {
    char path[4096];
    double speed = 0.0;
    snprintf(path, sizeof path, "%s/../../07-seq2seq/run/bench.dat", folder);
    FILE *table = fopen(path, "r");
    if (!table)
        return 0.0;
    if (fscanf(table, "%*[^\n] \"%*[^\"]\" %lf", &speed) != 1)
        speed = 0.0;
    fclose(table);
    return speed;
}

static void print_speeds(const struct course *course, double speed, double of_07) {
    printf("Words per second (source and target; forward pass, backward pass and Adam),\n"
           "with sentences of 3 to %d words and mini-batches of %d; median of %d rounds\n"
           "  transformer, %d dimensions     %8.0f\n",
           course->longest, course->batch, ROUNDS, D_MODEL, speed);
    if (of_07 > 0.0)
        printf("  GRU with attention, lesson 07  %8.0f\n", of_07);
    else
        printf("  Run make bench-07 to compare with the GRU with attention.\n");
}

/* Takes the median of some rounds, because other programs may run at the same time. */
void bench(const struct course *course, const char *folder) {
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
    FILE *table = columns_open(folder, "bench.dat", "what number share");
    columns_row(table, "transformer: words/s", 2, (double[]){speed[ROUNDS / 2], (double)NAN});
    columns_close(table);
    print_speeds(course, speed[ROUNDS / 2], speed_of_07(folder));
    printf("\nShare of a thread's time:\n");
    print_shares(&m, all);
}
