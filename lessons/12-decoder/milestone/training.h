/* The task of the milestone, and a training: rows of letters are sorted, by a network that is told
   the letters before, or too much. */
#ifndef TRAINING_H
#define TRAINING_H

#include "sorter.h"
#include "trainer.h"

/* Letters, none of them twice, and the same in their order. */
struct row {
    int m, letters[LONGEST], sorted[LONGEST];
};
struct row draw_row(struct random *r, int m); /* any as likely as any other */
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
    double losses[MOMENTS]; /* the mean of each part of the training; NAN where it did not get to */
    struct trainee trainee;
    struct sorter w, d_w;
    double *values, *d_values; /* room for the longest row */
};

void training_start(struct training *t, const struct course *course);
void training_end(struct training *t);

/* To its end, or to Ctrl-C; `all` is the number of steps of all courses together. */
void train(struct training *t, int steps, int all);

/* What the decoder reads while it is trained, what it should write, and what it may not see. */
struct lesson {
    int n, inputs[LONGEST], targets[LONGEST];
    bool blocked[LONGEST * LONGEST], masked;
};
struct lesson prepare(const struct course *c, const struct row *row);

/* Reads the row and is told the letters as it writes; returns the values, which lie in t->values.
 */
struct sorter_values think(const struct training *t, const struct row *row,
                           const struct lesson *lesson);

#endif
