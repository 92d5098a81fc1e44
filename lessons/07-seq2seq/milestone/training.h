/* Training with Adam. Two threads compute the gradients of half a mini-batch each. */
#ifndef TRAINING_H
#define TRAINING_H

#include "network.h"

/* A training run: the task, the kind of network, and the number of steps. */
struct course {
    const char *name;
    const struct task *task;
    enum kind kind;
    int longest; /* the longest sentences; the shortest have 3 words */
    int batch;   /* sentences in a mini-batch: an even number, at most MOST_IN_BATCH */
    int steps;
    double rate; /* the highest learning rate */
};
enum { MOST_IN_BATCH = 32 };

struct training;
struct training *training_new(const struct course *course, uint64_t seed);
void training_free(struct training *t);
struct network *training_network(struct training *t); /* freed with the training */

/* One step, with a mini-batch of new sentences of the same length. Returns their mean loss. */
double training_step(struct training *t);

int words_read(const struct training *t); /* so far, in sources and targets */
const struct buffers *training_buffers(const struct training *t);

#endif
