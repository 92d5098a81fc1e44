/* What was handed out to a class: the stub of each lesson, and all files of a release; and the
   references, which were not. Compares with it what came back. */
#ifndef HANDED_OUT_H
#define HANDED_OUT_H

#include "grade/class/class.h"

/* The path of a lesson's stub, WORK/stub/NN-name/name.c, and its text, which is made if it is not
   there; "" if it cannot be. */
const char *stub_file(const struct course_lesson *lesson, const char *work);
const char *stub_of(struct course_lesson *lesson, const char *work);

/* Are two texts the same apart from white space? */
bool same_but_for_space(const char *a, const char *b);

/* Is a function of a whole file the reference's own, apart from its layout, comments and names?
   Short functions are alike by nature, and do not count. */
bool is_alike(const char *text, const char *reference, const char *function);

/* Compares the files of a release in an open folder, which is the folder `stands_for` of it, "" or
   "lessons/". `release` is the text of its file RELEASE, lines "SHA-256  path". *said becomes "" if
   no such file is there, "as handed out", or "changed: " and which. True if one has changed. */
bool release_changed(const char *release, int folder, const char *stands_for, const char **said);

#endif
