/* What `make grade` gets for one file: a few tables, for other programs to read. */
#pragma once

#include "tutor/show.h"

/* Checks the lesson, and leaves in the folder what was found and screen.txt, which is what is
   printed meanwhile. False if a file cannot be written. */
bool grade(struct check *check, struct task task, const char *folder,
           const struct progress *progress);
