/* How many basic blocks of a lesson's own code have run: 0 where the compiler cannot count them.
   Time on a busy machine proves nothing; this number is the same at every run. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>

extern unsigned long work_done;

/* The same, for a test that bounds it, which is noted. */
unsigned long work_so_far(void);
extern bool work_is_bounded;

/* When a file is graded, its own count cannot be trusted. This returns the seconds of CPU that
   its box has used, which code in the box cannot change. NULL elsewhere. */
extern double (*work_seconds)(void);

/* What the compiler has each block call. */
void __sanitizer_cov_trace_pc(void);

/* Called before a block once so many have run. */
extern unsigned long work_pause;
extern void (*work_paused)(void);

/* Looks, before each block, whether the first and the last number of an array have changed, until
   it is called with NULL. */
void work_watch(int count, const float *array);
const float *work_watched(int *count);

#endif
