/* Given: the ring as processes on one or several machines, with MPI. A rank that waits longer than
   RING_PATIENCE seconds (30) says for which rank and ends the run, because MPI itself would wait
   forever. At the start and at the end of a run, ranks wait for 15 seconds at least. */
#ifndef RING_MPI_H
#define RING_MPI_H

#include "ring.h"

#include <mpi.h>

enum { MOST_REQUESTS = 8 };
struct ring_mpi {
    struct ring ring;
    MPI_Request requests[MOST_REQUESTS];
    int count, expected[MOST_REQUESTS];
    double patience;
    double bytes_sent, seconds_waited; /* since they were last set to 0 */
};

/* Calls MPI_Init(). Do not copy the struct afterwards, because the ring contains its address. */
void ring_mpi_open(struct ring_mpi *m, int *argc, char ***argv);
void ring_mpi_close(struct ring_mpi *m);

/* Returns when all ranks have called it. */
void ring_mpi_meet(struct ring_mpi *m);

/* Every rank gets the largest x of all ranks, or the sums. */
double ring_mpi_largest(struct ring_mpi *m, double x);
void ring_mpi_sum(struct ring_mpi *m, int n, float *x);

#endif
