#include "ring_mpi.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HAS_LOST_A_RANK = 3, HAS_SAID_WHY = 2 };

static struct ring_mpi *of_ring(struct ring *ring) {
    return ring->engine;
}

/* Returns 0 if RING_PATIENCE is not a number of seconds. */
static double patience_wanted(void) {
    const char *text = getenv("RING_PATIENCE");
    char *end;
    double seconds = text ? strtod(text, &end) : 30.0;
    return text && (*end != '\0' || end == text || !(seconds > 0.0)) ? 0.0 : seconds;
}

/* MPI_Init() and MPI_Finalize() wait for all ranks, without a time limit. */
enum { LEAST_SECONDS = 15 }; /* mpirun itself needs time to start */
static char late[120];

static void is_late(int number) {
    (void)number;
    _exit(write(STDERR_FILENO, late, strlen(late)) < 0 ? HAS_SAID_WHY : HAS_LOST_A_RANK);
}

static void be_patient(double patience, const char *in) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    unsigned seconds = patience > LEAST_SECONDS ? (unsigned)patience : LEAST_SECONDS;
    snprintf(late, sizeof late, "Rank %.9s has waited %u s in %s: another one may hang.\n",
             rank ? rank : "?", seconds, in);
    signal(SIGALRM, is_late);
    alarm(seconds);
}

static void give_up(const struct ring_mpi *m, double seconds) {
    int rank = m->ring.rank, ranks = m->ring.ranks;
    int before = (rank + ranks - 1) % ranks, next = (rank + 1) % ranks;
    fprintf(stderr, "Rank %d has waited %.0f s for rank %d", rank, seconds, before);
    if (next != before)
        fprintf(stderr, " or rank %d", next);
    fprintf(stderr, ", which may hang or be unreachable.\n");
    MPI_Abort(MPI_COMM_WORLD, HAS_LOST_A_RANK);
}

/* Polls, and sleeps between polls after a while, because there may be more ranks than cores. */
static void wait_for(struct ring_mpi *m, int count, MPI_Request requests[count],
                     MPI_Status statuses[count]) {
    double began = MPI_Wtime(), now = began;
    int done = 0;
    MPI_Testall(count, requests, &done, statuses);
    while (!done) {
        now = MPI_Wtime();
        if (now - began > m->patience)
            give_up(m, now - began);
        if (now - began > 1e-4)
            nanosleep(&(struct timespec){0, 50000}, NULL);
        else
            sched_yield();
        MPI_Testall(count, requests, &done, statuses);
    }
    m->seconds_waited += MPI_Wtime() - began;
}

static void start(struct ring *ring, int n_out, const float out[n_out], int n_in, float in[n_in]) {
    struct ring_mpi *m = of_ring(ring);
    int next = (ring->rank + 1) % ring->ranks,
        before = (ring->rank + ring->ranks - 1) % ring->ranks;
    if (m->count + 2 > MOST_REQUESTS) {
        fprintf(stderr, "Rank %d starts too many messages without waiting.\n", ring->rank);
        MPI_Abort(MPI_COMM_WORLD, HAS_SAID_WHY);
    }
    m->expected[m->count] = n_in;
    MPI_Irecv(in, n_in, MPI_FLOAT, before, 0, MPI_COMM_WORLD, &m->requests[m->count++]);
    m->expected[m->count] = 0;
    MPI_Isend(out, n_out, MPI_FLOAT, next, 0, MPI_COMM_WORLD, &m->requests[m->count++]);
    m->bytes_sent += 4.0 * n_out;
}

/* MPI accepts shorter messages, so check the lengths. */
static void wait(struct ring *ring) {
    struct ring_mpi *m = of_ring(ring);
    MPI_Status statuses[MOST_REQUESTS];
    wait_for(m, m->count, m->requests, statuses);
    for (int i = 0; i < m->count; i++) {
        int came = 0;
        if (m->expected[i] > 0)
            MPI_Get_count(&statuses[i], MPI_FLOAT, &came);
        if (came != m->expected[i]) {
            fprintf(stderr, "Rank %d expects %d floats, but %d arrived.\n", ring->rank,
                    m->expected[i], came);
            MPI_Abort(MPI_COMM_WORLD, HAS_SAID_WHY);
        }
    }
    m->count = 0;
}

void ring_mpi_open(struct ring_mpi *m, int *argc, char ***argv) {
    *m = (struct ring_mpi){.ring = {.start = start, .wait = wait, .engine = m}};
    m->patience = patience_wanted();
    be_patient(m->patience, "MPI_Init()");
    MPI_Init(argc, argv);
    alarm(0);
    MPI_Comm_rank(MPI_COMM_WORLD, &m->ring.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m->ring.ranks);
    if (m->patience == 0.0) {
        fprintf(stderr, "RING_PATIENCE=%s is not a number of seconds.\n", getenv("RING_PATIENCE"));
        MPI_Abort(MPI_COMM_WORLD, HAS_SAID_WHY);
    }
}

void ring_mpi_close(struct ring_mpi *m) {
    ring_mpi_meet(m);
    be_patient(m->patience, "MPI_Finalize()");
    MPI_Finalize();
    alarm(0);
}

/* An operation of all ranks, with the same time limit. It does not count as waiting in the ring. */
static void together(struct ring_mpi *m, MPI_Request request) {
    double waited = m->seconds_waited;
    MPI_Status status;
    wait_for(m, 1, &request, &status);
    m->seconds_waited = waited;
}

void ring_mpi_meet(struct ring_mpi *m) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    together(m, request);
}

double ring_mpi_largest(struct ring_mpi *m, double x) {
    double largest;
    MPI_Request request;
    MPI_Iallreduce(&x, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
    together(m, request);
    return largest;
}

void ring_mpi_sum(struct ring_mpi *m, int n, float *x) {
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, x, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
    together(m, request);
}
