/* Trains a network over the ring, with sequences for which one rank has too little memory. */
#ifndef LEARNING_H
#define LEARNING_H

#include "ring_mpi.h"

void learn(struct ring_mpi *m, const char *folder);

#endif
