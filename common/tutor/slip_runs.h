/* Builds and runs files of slips (common/slips/), as the Makefile says. */
#ifndef SLIP_RUNS_H
#define SLIP_RUNS_H

#include "../slips/matching.h"
#include "../slips/writing.h"
#include "check.h"

/* solutions/NN-name/name.c, and tests/NN-name/slips. */
struct path reference_of(const struct lesson *lesson);
struct path list_of(const struct lesson *lesson);

/* Compiles, links and runs the slips: the text of a table, or an empty one. `stem` is what files
   made on the way are called; none is left. */
struct text run_slips(struct family *family, const char *stem, const struct settings *settings,
                      char *const objects[], const char *flags);

/* The table of an exercise, listed and generated slips: from the file where it is kept, or made
   now. False if that was not possible. */
bool exercise_table(struct table *table, const struct lesson *lesson, const char *exercise,
                    const struct settings *settings, char *const objects[]);

#endif
