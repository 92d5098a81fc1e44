/* What a ring of so many ranks takes, sends and needs; a line on the screen and in the tables. */
#ifndef MEASURE_H
#define MEASURE_H

#include "ring_mpi.h"

#include <stdio.h>

void measure(struct ring_mpi *m, const char *folder);

/* A file that one run begins and the others go on with; columns_close() closes it. */
FILE *go_on_with(const char *folder, const char *name);

/* The most that a rank has had in memory until now, in MB: of the rank that has had most. */
double memory_of_a_rank(struct ring_mpi *m);

#endif
