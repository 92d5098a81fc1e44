/* Wrong attempts that nobody tuned the slips to: how many of them are told what they did? */
#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "check/check.h"

/* Prints the list again, each attempt with what it is told now; a judgement of other words than the
   list's is asked for anew. The counts go to standard error. */
int attempts_tell(struct lesson *lesson, const char *list, const struct settings *settings,
                  char *const objects[]);

#endif
