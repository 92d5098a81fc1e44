/* The runner for a file that is graded: it is compiled, linked and run in a box (box.sh). The tests
   do not run there. They are a program of ours, which common/grade/prepare.sh has linked and which
   sends each call of the file's functions to the box. There the file is linked with a host
   (common/grade/host.c), which answers. */
#pragma once

#include "check/check.h"

/* Sets the runner if the environment names what grading needs: LOOKBACK_BASE, a folder, and
   LOOKBACK_BOXES, the script that makes boxes. Without a script the host runs outside of a box.
   Returns whether a file is graded. */
bool box_from_environment(struct settings *settings);

/* Links the replacing functions of the reference with all others of the object `own`, if it is
 * given. */
bool box_link_reference(const struct trial *trial, exercise_set standing, const char *own,
                        const char *program);
