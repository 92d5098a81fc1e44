/* What compilers accept without a warning, and what is most likely a mistake. */
#pragma once

#include "course/finding.h"

/* Puts the first line of that kind, in an exercise or in a function of the learner's that it uses,
   into its finding. `own` is the learner's file without comments and other exercises. False if
   there is none. If a known mistake is likely, only a loop of which the last round counts; if the
   exercise was stopped, only a loop that does not end. */
bool find_overlooked(struct finding *finding, struct lesson *lesson, const char *own);
