/* What stands in a release (common/grade/release.sh) in place of the reference and the slips. */
#ifndef RELEASE_H
#define RELEASE_H

#include "check/check.h"

/* C as a compiler needs it: no comments, no layout, and no names but those that others know. */
struct text bare_code(const char *source);

/* Writes the table of each exercise into the folder, a file each: what is told to whom, and nothing
   of the reference itself. */
int release_tables(const struct lesson *lesson, const char *folder, const struct settings *settings,
                   char *const objects[]);

#endif
