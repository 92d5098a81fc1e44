/* For maintainers: is what the slips of a lesson lead to right? */
#ifndef PROVE_H
#define PROVE_H

#include "check/check.h"

/* Every slip of the lesson's list fails in its exercise and is told in its own words; every way
   passes. Prints a line for each; the exit status. */
int prove_slips(struct lesson *lesson, const struct settings *settings, char *const objects[]);

/* Every entry of a list of faults leads to its words on the whole screen of the tutor. */
int prove_faults(struct lesson *lesson, const char *list, const struct settings *settings,
                 char *const objects[]);

/* Prints the reference with one slip of the lesson's list in it. */
int prove_plant(struct lesson *lesson, const char *name);

/* Every generated slip of the reference fails, or the list says why it is the same. */
int prove_mutants(struct lesson *lesson, const struct settings *settings, char *const objects[]);

/* CPU seconds that a first and a later failure of each exercise cost more, and its count of slips.
 */
int prove_costs(struct lesson *lesson, const struct settings *settings, char *const objects[]);

#endif
