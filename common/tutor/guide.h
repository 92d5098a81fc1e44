/* The parts of a lesson's folder that are read at the terminal: hints.md and quiz.md. */
#ifndef GUIDE_H
#define GUIDE_H

#include "check.h"

/* One hint more for an exercise (NULL: the first that is not done); after it is done, what a good
   solution looks like. Returns an exit status. */
int hint(struct lesson *lesson, const char *exercise, const struct settings *settings,
         char *const objects[]);

/* Asks the lesson's questions on standard input and keeps the score. Returns an exit status. */
int quiz(const struct lesson *lesson);

/* "7 of 9", or "" if the quiz has not been taken. */
struct path quiz_score(const struct lesson *lesson);

#endif
