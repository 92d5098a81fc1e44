/* The file of a lesson as it is handed out. */
#ifndef STUB_H
#define STUB_H

#include "grade/class/class.h"

/* WORK/stub/NN-name/name.c, which is made if it is not there; false if it cannot be. */
bool make_stub(const struct course_lesson *lesson, const char *work, struct path *stub);

/* Is a text the stub, but for white space? */
bool is_stub(const struct class *class, int lesson, const char *work, const char *text);

bool same_but_for_space(const char *a, const char *b);

#endif
