/* What lies in the class's folder: who handed in which lesson. */
#ifndef SCAN_H
#define SCAN_H

#include "grade/class/class.h"

/* Adds the submissions, copies the file of each lesson to WORK/s017/NN-name/name.c, and notes in
   the rows what was found, or why it was not read. Ends the program, with a line, if there is
   nothing to grade. `release` is the text of its file RELEASE. */
void scan_class(struct class *class, const char *release, const char *judge, const char *work,
                int jobs);

/* Decides which lessons are graded, where LESSON= names none: those of the release, or those that
   half of the class handed in. Ends the program, with a line, if there are no lessons to grade. */
void choose_lessons(struct class *class, const char *release);

#endif
