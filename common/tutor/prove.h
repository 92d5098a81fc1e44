/* For maintainers: is what the slips of a lesson lead to right? */
#ifndef PROVE_H
#define PROVE_H

#include "check.h"

/* Every slip of the lesson's list fails in its exercise and is told in its own words; every way
   passes. Prints a line for each; the exit status. */
int prove_slips(struct lesson *lesson, const struct settings *settings, char *const objects[]);

/* Every generated slip of the reference fails, or the list says why it is the same. */
int prove_mutants(struct lesson *lesson, const struct settings *settings, char *const objects[]);

#endif
