/* What the last check of a lesson found, in one file, which also says of what: of the learner's
   file, the headers, the tests and the references as they were then. Nothing else says whether a
   lesson is passed. */
#pragma once

#include "base/stamp.h"
#include "course/lesson.h"

enum results {
    NO_RESULTS,  /* never checked, and nothing is written in it; or the file is not there */
    OLD_RESULTS, /* the learner's file is another now, or was never checked */
    RENEWABLE,   /* the file is the same, and passed, but not what it was checked with */
    RESULTS,     /* they hold */
};

/* Sets the exercises' states: only from results that hold. Otherwise what is still a TODO is not
   started, and the rest not checked. */
enum results results_load(struct lesson *lesson);

/* Keeps what a check has found of these files; false, and a line that says why, if it cannot. */
bool results_save(const struct lesson *lesson, const struct stamps *of);
