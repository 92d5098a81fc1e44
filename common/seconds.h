#ifndef SECONDS_H
#define SECONDS_H

#include <time.h>

/* On the wall, since some moment. */
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
