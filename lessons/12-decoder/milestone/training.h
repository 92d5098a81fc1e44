/* The task of the milestone, and its training with teacher forcing, which is correct or has a leak.
 */
#ifndef TRAINING_H
#define TRAINING_H

#include "sorter.h"
#include "trainer.h"

/* Different letters, and the same letters in alphabetical order. */
struct row {
    int m, letters[LONGEST], sorted[LONGEST];
};
struct row draw_row(struct random *r, int m); /* all rows are equally likely */
struct row row_of(const char *word);

enum { FEWEST = 3, MOST = 10, STEPS = 800, QUICK_STEPS = 300, MOMENTS = 40 };

struct course {
    const char *name;
    int heads;
    bool shifted, masked;
};

struct training {
    const struct course *course;
    struct random random;
    int step;
    bool whole;
    double losses[MOMENTS]; /* the mean of each part of the training, or NAN */
    struct trainee trainee;
    struct sorter w, d_w;
    double *values, *d_values; /* space for the longest row */
};

void training_start(struct training *t, const struct course *course);
void training_end(struct training *t);

/* Trains until the end or until Ctrl-C. `all` is the number of steps of all networks together. */
void train(struct training *t, int steps, int all);

/* The inputs, targets and mask of the decoder for one training row. */
struct lesson {
    int n, inputs[LONGEST], targets[LONGEST];
    bool blocked[LONGEST * LONGEST], masked;
};
struct lesson prepare(const struct course *c, const struct row *row);

/* A forward pass with teacher forcing. Returns its values, which are in t->values. */
struct sorter_values think(const struct training *t, const struct row *row,
                           const struct lesson *lesson);

#endif
