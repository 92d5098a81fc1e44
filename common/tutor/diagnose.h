/* Finds out which slip a learner made: those that are known, and those that a generator thinks of,
   are run by the lesson's own tests, and fail in the same tests with the same numbers
   (common/slips/).
 */
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include "check.h"

/* Gives the first failing test of the first exercise that is wrong its `slip`, where there is one
   to be told. The exercise's table is made at its first failure, and kept. */
void diagnose(struct check *check, struct lesson *lesson, const struct settings *settings,
              char *const objects[]);

/* For maintainers: every slip of the lesson's list fails in its exercise and is told in its own
   words, every way passes. Prints a line for each. */
int diagnose_prove(struct lesson *lesson, const struct settings *settings, char *const objects[]);

/* For maintainers: every generated slip of the reference fails, or is listed as the same. */
int diagnose_mutants(struct lesson *lesson, const struct settings *settings, char *const objects[]);

#endif
