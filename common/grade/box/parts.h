/* A graded file that does not build as a whole: each of its exercises is tried by itself, and those
   that build are judged. */
#pragma once

#include "check/check.h"

/* Leaves of the file, which is a copy, what builds; false if nothing does. `refused` are the
   exercises that are in the file and do not build. Lines stay where they are. */
bool parts_keep(const struct task *task, exercise_set *refused);
