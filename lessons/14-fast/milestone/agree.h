/* Do several threads give the same results as one? Here they really run at the same time, so a race
   condition can change the results. */
#ifndef AGREE_H
#define AGREE_H

#include <stdbool.h>
#include <stdio.h>

/* Compares several times, with at least two threads. Writes to `to` if a result differs. */
bool threads_agree(FILE *to);

#endif
