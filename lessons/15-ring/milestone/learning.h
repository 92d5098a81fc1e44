/* A training over the ring, at a length that one rank's memory is too small for. */
#ifndef LEARNING_H
#define LEARNING_H

#include "ring_mpi.h"

void learn(struct ring_mpi *m, const char *folder);

#endif
