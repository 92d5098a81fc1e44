/* Hints: about the learner's own lines, and those of hints.md. */
#pragma once

#include "check/check.h"

/* One hint more for an exercise (NULL: the first that is not done); after it is done, what a good
   solution looks like. Returns an exit status. */
int hint(const struct task *task, const char *exercise);

/* How strong a hint for the exercise has been shown: 0 (none) to 3. */
int hints_shown(const struct lesson *lesson, const char *exercise);

/* What a good solution of an exercise that is done looks like, unless it has been shown before. */
void show_what_passed(struct lesson *lesson);
