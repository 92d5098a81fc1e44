/* Compiles a learner's file and links it. Only this module writes the learner's object and
 * programs. It holds the lesson's lock, built("lock"), while it builds. */
#pragma once

#include "check/check.h"

/* The lesson's object ("o"), its lock, or a program of that name. */
const char *built(const struct task *task, const char *what);

/* Compiles the file; false, and what is wrong in `check`, if that was not possible. */
bool build_object(struct check *check);

/* The same, unless there is an object that is still good. Locks for as long. */
bool build_object_if_old(struct check *check);

/* Links the lesson's object with those of the check. */
bool build_program(struct check *check, const char *program);

/* Links an object with another one (NULL: none), with those and the libraries. */
bool build_link(struct child *child, struct check *check, const char *object, const char *other,
                const char *program);
