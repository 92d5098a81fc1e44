/* Says where the program was when it ended in the middle of a test: the line that was running
   when the time was up, the line that called exit(), the matrix that a stray access touched. */
#ifndef WHERE_H
#define WHERE_H

#include <stdbool.h>

/* From now on, until where_finish(), an early end is reported through `say` (kind '@') and a
   stack trace on standard error. */
void where_start(void (*say)(char kind, const char *format, ...));
void where_finish(void);

/* Set: what the sanitizer finds ends the program without its long report. */
extern bool where_at_once;

/* From now on a fork() is an early end, too. */
void where_forbid_processes(void);

#endif
