/* Measures the time, the messages and the memory of a ring, and prints and stores them. */
#ifndef MEASURE_H
#define MEASURE_H

#include "ring_mpi.h"

#include <stdio.h>

void measure(struct ring_mpi *m, const char *folder);

/* Opens a file to which several runs append. columns_close() closes it. */
FILE *go_on_with(const char *folder, const char *name);

/* The largest memory that a rank has used until now, in MB. */
double memory_of_a_rank(struct ring_mpi *m);

#endif
