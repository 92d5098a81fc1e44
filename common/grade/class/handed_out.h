/* What was handed out to a class: the stub of each lesson, and all files of a release. Compares
   with it what came back. */
#ifndef HANDED_OUT_H
#define HANDED_OUT_H

#include "grade/class/class.h"

/* The path of a lesson's stub, WORK/stub/NN-name/name.c, which is made if it is not there; NULL if
   it cannot be. */
const char *make_stub(const struct course_lesson *lesson, const char *work);

/* Is a text the stub, apart from white space? */
bool is_stub(const struct course_lesson *lesson, const char *work, const char *text);

bool same_but_for_space(const char *a, const char *b);

/* The list of the release that was made here, as text: lines "SHA-256  path" of its file RELEASE;
   "" if none was made. */
const char *read_release(const char *path);

/* Compares the files of the release in an open folder, which is this folder of the release, ""
   or "lessons/". *said becomes "" if no such file is there, "as handed out", or "changed: " and
   which. True if one has changed. */
bool release_changed(const char *release, int folder, const char *stands_for, const char **said);

#endif
