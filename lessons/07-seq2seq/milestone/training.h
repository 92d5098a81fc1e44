/* Adam, on two halves of a batch at a time. */
#ifndef TRAINING_H
#define TRAINING_H

#include "network.h"

/* What is trained, on what, and for how long. */
struct course {
    const char *name;
    const struct task *task;
    enum kind kind;
    int longest; /* sentences of 3 words up to so many */
    int batch;   /* an even number of sentences for each step, MOST_IN_BATCH at most */
    int steps;
    double rate; /* the highest learning rate */
};
enum { MOST_IN_BATCH = 32 };

struct training;
struct training *training_new(const struct course *course, uint64_t seed);
void training_free(struct training *t);
struct network *training_network(struct training *t); /* lives as long as the training */

/* One step: a batch of new pairs of one length, and the mean loss of a sentence. */
double training_step(struct training *t);

int words_read(const struct training *t); /* so far: of the sources and of the targets */
const struct thought *training_thought(const struct training *t);

#endif
