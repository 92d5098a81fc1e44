/* Given: the ring as processes, on one machine or on many, by MPI. Whoever waits longer than
   RING_PATIENCE seconds (30) says for whom, and ends the run: MPI itself would wait for ever. For
   the others to start, or to end, everybody waits 15 at least. */
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
    double bytes_sent, seconds_waited; /* since somebody set them to 0 */
};

/* Begins with MPI_Init(). The ring is of no use once its struct has moved. */
void ring_mpi_open(struct ring_mpi *m, int *argc, char ***argv);
void ring_mpi_close(struct ring_mpi *m);

/* Nobody goes on before all have come. */
void ring_mpi_meet(struct ring_mpi *m);

/* Everybody gets the largest of all, or the sum. */
double ring_mpi_largest(struct ring_mpi *m, double x);
void ring_mpi_sum(struct ring_mpi *m, int n, float *x);

#endif
