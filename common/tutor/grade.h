/* What `make grade` is told of one file: a few tables, for other programs to read. */
#ifndef GRADE_H
#define GRADE_H

#include "check.h"

/* Writes the files verdict, exercises and tests into a folder; see common/grade/README.md. False if
   one of them cannot be written. */
bool grade_write(const struct check *check, struct lesson *lesson, const char *folder);

#endif
