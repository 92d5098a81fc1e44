/* The milestone of lesson 15: one sequence, shared among more and more ranks.

   Each rank is a process, and Open MPI carries the messages. `make run-15 RANKS=4` starts this
   program with 1, 2 and 4 ranks (milestone/launch.sh) to measure, and then to train a network for
   which one rank does not have enough memory. The functions of lessons 14 and 15 do the arithmetic,
   and they are yours if you have passed these lessons. `make plot-15` draws the results. */
#include "milestone/learning.h"
#include "milestone/measure.h"
#include "milestone/ring_mpi.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    struct ring_mpi mpi;
    ring_mpi_open(&mpi, &argc, &argv);
    int status = 0;
    if (argc == 3 && strcmp(argv[1], "measure") == 0)
        measure(&mpi, argv[2]);
    else if (argc == 3 && strcmp(argv[1], "learn") == 0)
        learn(&mpi, argv[2]);
    else
        status = 2;
    ring_mpi_close(&mpi);
    if (status == 2)
        fprintf(stderr, "usage: [QUICK=1] mpirun -n RANKS %s measure|learn FOLDER\n", argv[0]);
    return status;
}
