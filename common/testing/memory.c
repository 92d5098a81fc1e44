/* The largest resident size of the process, as getrusage() gives it. */
#include "memory.h"

#include <sys/resource.h>

double memory_most(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return (double)usage.ru_maxrss;
#else
    return 1024.0 * (double)usage.ru_maxrss;
#endif
}
