/* What the three can do: sentences that they write alone, against the right ones. */
#ifndef EXAM_H
#define EXAM_H

#include "machine.h"

/* The share of so many sentences of n words right to the last word: those of lesson 07's own
   examination. Of dates n says which. */
double share_right(struct machine *m, int n, int sentences);

/* What new lines cost, a letter: for the writer, or for the grammar itself if that is NULL. Always
   the same lines. */
double price_of(struct machine *writer, int lines);

/* The ways to choose a letter that are compared, and what is said of the lines that come of it. */
struct way {
    const char *name;
    struct manner manner;
};
enum { WAYS = 7, LONGEST_SPOKEN = 100 };
extern const struct way ways[WAYS];

struct speech {
    double grammatical;              /* the share of the lines that it ended */
    double entropy;                  /* of their first letters, in nats */
    double names;                    /* the share that begins with a name */
    char sample[LONGEST_SPOKEN + 1]; /* the first of them */
};
struct speech speak(const struct machine *writer, int half, struct manner manner, int lines);

#endif
