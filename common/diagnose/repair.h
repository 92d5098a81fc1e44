/* The line of the learner's file to change, for make hint. */
#pragma once

#include "check/check.h"

/* The longer search behind make hint. */
struct advice {
    int lines[2]; /* of the learner's file, where to look; 0: unknown */
    enum advised { NO_CHANGE, KIND_OF_CHANGE, KNOWN_MISTAKE, ONE_TOO_MANY } change;
    const char *first; /* "use another size", or what the slip of the list says */
    int repairs; /* 1: all tests pass with one change in any of these lines; 2: with the same two */
    int gave_up; /* was the search too long? */
};

/* For an exercise that is wrong or broken in the last check. */
struct advice diagnose_further(const struct task *task, const struct exercise *exercise);
