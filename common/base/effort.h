/* What a process does with its time, measured from outside. On a busy machine the time on the wall
   says nothing: a process that waits for a CPU does not sleep. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* The totals for a process and all its descendants. */
struct effort {
    double work;    /* seconds of CPU, with those of its children that have ended */
    double delayed; /* seconds in which a thread was ready and waited for a CPU */
    long pages;     /* of memory */
    int threads;    /* 0: unknown, for example without /proc */
    bool ready;     /* a thread runs, or waits for a CPU or a disk */
};

struct effort effort_below(pid_t pid);

/* How long all threads have slept, without one that waits for a CPU. */
struct idle {
    double seconds;
    double looked;        /* time of the last measurement */
    double work;          /* the work at the last time that it grew */
    struct effort before; /* at the last measurement */
};

/* Starts again at 0 seconds. */
void idle_again(struct idle *idle);

/* Measures again. Work of less than a tenth of the limit does not count. True if the sleep is
   longer than the limit, in seconds. */
bool idle_for(struct idle *idle, struct effort now, double limit);
