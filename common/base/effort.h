/* What a process does with its time, seen from outside. On a busy machine the clock on the wall
   tells nothing: a process that waits for its turn on a CPU does not sleep. */
#ifndef EFFORT_H
#define EFFORT_H

#include <stdbool.h>
#include <sys/types.h>

/* Of a process and of all processes that come of it. */
struct effort {
    double work;    /* seconds of CPU, with those of its children that have ended */
    double delayed; /* seconds in which a thread was ready and waited for a CPU */
    long pages;     /* of memory */
    int threads;    /* 0: nothing is known, as where there is no /proc */
    bool ready;     /* a thread runs, or waits for a CPU or a disk */
};

struct effort effort_below(pid_t pid);

/* How long nobody has moved: all threads slept, and none was waiting for a CPU. */
struct idle {
    double seconds;
    double looked;        /* when, on the wall */
    double work;          /* since when it has hardly grown */
    struct effort before; /* when it was last looked at */
};

/* Something has moved. */
void idle_again(struct idle *idle);

/* Looks again. Work of less than a tenth of the limit counts as none. Returns true beyond the
   limit, in seconds. */
bool idle_for(struct idle *idle, struct effort now, double limit);

#endif
