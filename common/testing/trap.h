/* Where the first NaN or infinity comes from. */
#ifndef TRAP_H
#define TRAP_H

#include <stdbool.h>

/* Runs it until an operation on numbers has no number as its result. Returns what that was:
   "invalid" for a NaN, "zero" for a division by 0.0, "large" for what no double can hold. Before
   that it prints the stack. Returns NULL if there was none, or if this machine cannot tell. */
const char *trap_run(void (*run)(void));

/* From trap_watch() on, has there been one? */
void trap_watch(void);
bool trap_seen(void);

#endif
