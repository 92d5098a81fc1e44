/* Given: a ring of threads in one process. It needs no MPI, and it is strict. A message is copied
   only when both ranks wait. Until then the receiving array contains NaN, and the sent array must
   not change. The lengths must agree, and a deadlock is reported at once, without a time limit.
   Only one rank runs at a time, in the order of the ranks, so all runs are alike. */
#ifndef RING_THREADS_H
#define RING_THREADS_H

#include "ring.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, MOST_STARTED = 8 };
enum rank_state { WORKS, WAITS, HAS_ENDED };

/* Messages that a rank has started and that are not complete, oldest first. */
struct sending {
    int n;
    const float *from;
    unsigned long print; /* hash of the numbers at start() */
};
struct receiving {
    int n;
    float *to;
};
struct rank_of_threads {
    struct ring ring;
    enum rank_state state;
    int n_sending, n_receiving;
    struct sending sending[MOST_STARTED];
    struct receiving receiving[MOST_STARTED];
    double floats_sent;
    pthread_cond_t called; /* it is the turn of this rank, or the run is over */
};
struct ring_threads {
    struct rank_of_threads rank[MOST_RANKS];
    int ranks;
    void (*work)(struct ring *ring, void *about);
    void *about;
    void *own; /* a variable of which each rank has its own copy, or NULL */
    size_t own_size;
    int at_work;          /* the rank whose turn it is */
    pthread_mutex_t turn; /* held by this rank */
    bool over;            /* each rank ends at its next wait() */
    char problem[200];    /* the reason, or "" */
};

static inline struct rank_of_threads *neighbour(struct ring_threads *t, int rank, int step) {
    return &t->rank[(rank + step + t->ranks) % t->ranks];
}

/* Keeps only the first problem. */
__attribute__((format(printf, 2, 3))) static inline void ring_problem(struct ring_threads *t,
                                                                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!t->over)
        vsnprintf(t->problem, sizeof t->problem, format, arguments);
    va_end(arguments);
    t->over = true;
}

/* The tutor's timer signals may interrupt only the rank whose turn it is. */
static inline void clocks(int how) {
    sigset_t all;
    sigemptyset(&all);
    sigaddset(&all, SIGXCPU);
    sigaddset(&all, SIGPROF);
    pthread_sigmask(how, &all, NULL);
}

/* A hash that shows whether the numbers have changed. */
static inline unsigned long print_of(int n, const float x[n]) {
    unsigned long print = 5381;
    for (int i = 0; i < n; i++) {
        unsigned bits;
        memcpy(&bits, &x[i], sizeof bits);
        print = print * 33 + bits;
    }
    return print;
}

/* Copies one message from a rank to the next. */
static inline void deliver(struct ring_threads *t, struct rank_of_threads *from,
                           struct rank_of_threads *to) {
    struct sending *s = &from->sending[0];
    struct receiving *r = &to->receiving[0];
    if (s->n != r->n) {
        ring_problem(t, "rank %d sends %d floats, and rank %d expects %d", from->ring.rank, s->n,
                     to->ring.rank, r->n);
        return;
    }
    if (print_of(s->n, s->from) != s->print)
        ring_problem(t, "rank %d changed what it was sending, before wait()", from->ring.rank);
    memmove(r->to, s->from, sizeof(float) * (size_t)s->n);
    from->floats_sent += s->n;
    memmove(s, s + 1, sizeof *s * (size_t)--from->n_sending);
    memmove(r, r + 1, sizeof *r * (size_t)--to->n_receiving);
}

static inline void deliver_all(struct ring_threads *t) {
    for (int r = 0; r < t->ranks; r++) {
        struct rank_of_threads *from = &t->rank[r], *to = neighbour(t, r, 1);
        while (!t->over && from->state == WAITS && to->state == WAITS && from->n_sending > 0 &&
               to->n_receiving > 0)
            deliver(t, from, to);
    }
    for (int r = 0; r < t->ranks; r++)
        if (t->rank[r].state == WAITS && t->rank[r].n_sending + t->rank[r].n_receiving == 0)
            t->rank[r].state = WORKS;
}

/* Reports a deadlock: a rank waits, and no rank runs that could end this. */
static inline void look_for_knots(struct ring_threads *t) {
    static const char *const does[] = {"works", "waits, too", "has ended"};
    for (int r = 0; r < t->ranks; r++)
        if (t->rank[r].state == WORKS)
            return;
    for (int r = 0; r < t->ranks; r++) {
        struct rank_of_threads *rank = &t->rank[r];
        struct rank_of_threads *before = neighbour(t, r, -1), *next = neighbour(t, r, 1);
        if (rank->state == WAITS && rank->n_receiving > 0 && before->n_sending == 0)
            ring_problem(t, "rank %d waits for %d floats from rank %d, which %s", r,
                         rank->receiving[0].n, before->ring.rank, does[before->state]);
        if (rank->state == WAITS && rank->n_sending > 0 && next->n_receiving == 0)
            ring_problem(t, "rank %d waits to send %d floats to rank %d, which %s", r,
                         rank->sending[0].n, next->ring.rank, does[next->state]);
    }
}

/* Wakes the next rank that can run, or all ranks if the run is over. */
static inline void pass_turn(struct ring_threads *t) {
    for (int i = 0; i < t->ranks && t->rank[t->at_work].state != WORKS; i++)
        t->at_work = (t->at_work + 1) % t->ranks;
    pthread_cond_signal(&t->rank[t->at_work].called);
    for (int r = 0; r < t->ranks && t->over; r++)
        pthread_cond_signal(&t->rank[r].called);
}

/* Returns when it is this rank's turn, or when the run is over. */
static inline void await_turn(struct ring_threads *t, struct rank_of_threads *rank) {
    while (!t->over && (rank->state != WORKS || t->at_work != rank->ring.rank))
        pthread_cond_wait(&rank->called, &t->turn);
}

static inline struct ring_threads *threads_of(struct ring *ring) {
    return ring->engine;
}

static inline void start_in_threads(struct ring *ring, int n_out, const float out[n_out], int n_in,
                                    float in[n_in]) {
    struct ring_threads *t = threads_of(ring);
    struct rank_of_threads *rank = &t->rank[ring->rank];
    if (rank->n_sending == MOST_STARTED || n_out < 1 || n_in < 1) {
        ring_problem(t, "rank %d starts %d messages without waiting, the last of %d and %d floats",
                     ring->rank, rank->n_sending + 1, n_out, n_in);
        pthread_exit(NULL);
    }
    if (in < out + n_out && out < in + n_in)
        ring_problem(t, "rank %d receives into what it is sending", ring->rank);
    rank->sending[rank->n_sending++] = (struct sending){n_out, out, print_of(n_out, out)};
    rank->receiving[rank->n_receiving++] = (struct receiving){n_in, in};
    for (int i = 0; i < n_in; i++)
        in[i] = NAN;
}

/* Other ranks run meanwhile, each with its own copy of `own`. */
static inline void wait_in_threads(struct ring *ring) {
    struct ring_threads *t = threads_of(ring);
    struct rank_of_threads *rank = &t->rank[ring->rank];
    char own[512];
    clocks(SIG_BLOCK);
    if (t->own)
        memcpy(own, t->own, t->own_size);
    rank->state = WAITS;
    deliver_all(t);
    look_for_knots(t);
    pass_turn(t);
    await_turn(t, rank);
    if (t->over)
        pthread_exit(NULL);
    if (t->own)
        memcpy(t->own, own, t->own_size);
    clocks(SIG_UNBLOCK);
}

static inline void leave_turn(void *about) {
    struct rank_of_threads *rank = about;
    struct ring_threads *t = threads_of(&rank->ring);
    clocks(SIG_BLOCK);
    if (rank->n_sending > 0)
        ring_problem(t, "rank %d ended without waiting for what it started", rank->ring.rank);
    rank->state = HAS_ENDED;
    deliver_all(t);
    look_for_knots(t);
    pass_turn(t);
    pthread_mutex_unlock(&t->turn);
}

static inline void *run_rank(void *about) {
    struct rank_of_threads *rank = about;
    struct ring_threads *t = threads_of(&rank->ring);
    pthread_mutex_lock(&t->turn);
    pthread_cleanup_push(leave_turn, rank);
    await_turn(t, rank);
    clocks(SIG_UNBLOCK);
    if (!t->over)
        t->work(&rank->ring, t->about);
    pthread_cleanup_pop(1);
    return NULL;
}

/* Called by the work of a rank to end the run. */
static inline void ring_stop(struct ring *ring) {
    threads_of(ring)->over = true;
}

/* Runs `work` in each of the ranks. All other members of `t` are 0. */
static inline void ring_run(struct ring_threads *t) {
    pthread_t thread[MOST_RANKS];
    pthread_mutex_init(&t->turn, NULL);
    clocks(SIG_BLOCK);
    for (int r = 0; r < t->ranks; r++) {
        t->rank[r].ring = (struct ring){r, t->ranks, start_in_threads, wait_in_threads, t};
        pthread_cond_init(&t->rank[r].called, NULL);
    }
    for (int r = 0; r < t->ranks; r++)
        if (pthread_create(&thread[r], NULL, run_rank, &t->rank[r]) != 0)
            abort();
    for (int r = 0; r < t->ranks; r++)
        pthread_join(thread[r], NULL);
    clocks(SIG_UNBLOCK);
    for (int r = 0; r < t->ranks; r++)
        pthread_cond_destroy(&t->rank[r].called);
    pthread_mutex_destroy(&t->turn);
}

#endif
