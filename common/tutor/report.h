/* The homework report as Markdown: what is done, points, what is wrong with the rest, the pictures,
   the code. */
#pragma once

#include "course/lesson.h"

/* Prints the report on those lessons; `from` is the folder with the implementations. $NAME and
   $POINTS are the learner's name and the lecturer's file of points. Returns an exit status. */
int report_print(const struct lesson lessons[], int count, const char *from);
