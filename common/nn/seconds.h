#ifndef SECONDS_H
#define SECONDS_H

#include <sys/resource.h>
#include <time.h>

/* On the wall, since some moment. */
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of CPU time: RUSAGE_SELF, or RUSAGE_CHILDREN of those that have ended. */
static inline double seconds_worked(int who) {
    struct rusage used;
    if (getrusage(who, &used) != 0)
        return 0.0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

#endif
