/* The questions of quiz.md, asked at the terminal, and the scores that are kept. */
#pragma once

#include "course/lesson.h"

/* Asks the lesson's questions on standard input. The options come in another order each time, or
   in that of the environment's SEED; SEED=0 is the order of the file. Returns an exit status. */
int quiz(const struct lesson *lesson);

/* "5 of 8", or "5 of 8, then 7 of 8" for the first try and the last, or "" before the first try.
   The file `quiz` beside the lesson's results has a line "right asked total" for each. */
const char *quiz_score(const struct lesson *lesson);
