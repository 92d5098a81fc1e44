/* What lies in the class's folder: who handed in which lesson. */
#ifndef SCAN_H
#define SCAN_H

#include "grade/class/class.h"
#include "grade/class/handed_out.h"

/* Takes the file of each lesson of each submission to WORK/s017/NN-name/name.c, and says in the
   rows what was found, or why it was not read. False, with a line, if there is nothing to grade. */
bool scan_class(struct class *class, const struct handed_out *release, const char *judge,
                const char *work, int jobs);

/* Which lessons are graded, where nobody says it: those of the release, or those that half of the
   class handed in. False, with a line, if there are none. */
bool choose_lessons(struct class *class, const struct handed_out *release);

#endif
