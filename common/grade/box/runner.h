/* The runner for a file that is graded: it is compiled, linked and run in a box (box.sh). The tests
   do not run there. They are a program of ours, which common/grade/prepare.sh has linked and which
   sends each call of the file's functions to the box. There the file is linked with a host
   (common/grade/host.c), which answers. */
#pragma once

#include "check/check.h"

/* Sets the runner if the environment names what grading needs: LOOKBACK_BASE, a folder, and
   LOOKBACK_BOXES, the script that makes boxes. Returns whether a file is graded. */
bool box_from_environment(struct settings *settings);

/* A graded file that does not build as a whole: leaves of it, which is a copy, those exercises that
   build; false if none does. `refused` are the exercises that are in the file and do not build.
   Lines stay where they are. */
bool parts_keep(const struct task *task, exercise_set *refused);
