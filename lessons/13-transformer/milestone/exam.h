/* Tests of the trained networks on held-out data. */
#ifndef EXAM_H
#define EXAM_H

#include "machine.h"

/* The share of sentences of n words in which every word is right. The sentences are the test set of
   lesson 07. For dates, n only chooses the test set. */
double share_right(struct machine *m, int n, int sentences);

/* The mean loss per character on new lines, which are always the same ones. If writer is NULL, it
   is the loss of the grammar itself. */
double price_of(struct machine *writer, int lines);

/* The compared ways to choose a character, and measurements of the lines that they give. */
struct way {
    const char *name;
    struct manner manner;
};
enum { WAYS = 7, LONGEST_SPOKEN = 100 };
extern const struct way ways[WAYS];

struct speech {
    double grammatical;              /* share of the lines that have an end */
    double entropy;                  /* of the first letters, in nats */
    double names;                    /* share of the lines that begin with a name */
    char sample[LONGEST_SPOKEN + 1]; /* the first line */
};
struct speech speak(const struct machine *writer, int half, struct manner manner, int lines);

#endif
