#include "bench.h"

#include "columns.h"
#include "exam.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>

enum { ROUNDS = 5, STEPS = 20 };

static void print_shares(const struct course *course, const double spent[PARTS], double all) {
    double rest = 1.0;
    for (int part = 0; part < PARTS; part++) {
        printf("  %-26s %5.1f %%\n", part_names[course->kind][part], 100.0 * spent[part] / all);
        rest -= spent[part] / all;
    }
    printf("  %-26s %5.1f %%\n", "Adam, copies, waiting", 100.0 * rest);
}

/* Prints the median of several rounds, because other programs may slow down some of them. */
void bench(const struct course *course, const char *folder) {
    struct training *t = training_new(course, 1);
    double speed[ROUNDS], began = seconds();
    for (int round = 0; round < ROUNDS; round++) {
        double since = seconds();
        int before = words_read(t);
        for (int i = 0; i < STEPS; i++)
            training_step(t);
        speed[round] = (words_read(t) - before) / (seconds() - since);
    }
    double all = seconds() - began, typical = median(ROUNDS, speed);
    FILE *table = columns_open(folder, "bench.dat", "what number share");
    columns_row(table, "GRU with attention: words/s", 2, (double[]){typical, (double)NAN});
    columns_close(table);
    printf("Training with attention, on sentences of 3 to %d words, with states of %d\n"
           "dimensions and mini-batches of %d: %.0f words per second.\n"
           "(Words of sources and targets; forward pass, backward pass and Adam; the median\n"
           "of %d rounds.)\n\n"
           "Shares of one thread's time:\n",
           course->longest, STATE, course->batch, typical, ROUNDS);
    print_shares(course, time_spent(training_buffers(t)), all);
    training_free(t);
}
