/* Runs a lesson's test program until each of its exercises has had its turn: a crash or a loop in
   one does not end the others. */
#pragma once

#include "base/calls.h"
#include "check/check.h"

struct trial {
    struct check *check;
    struct lesson *lesson;
    const struct settings *settings;
    struct calls calls; /* of the learner's file and the tests, once trial_calls() has read them */
    const struct exercise *followed; /* through the calls */
    int stops;                       /* how often the program had to be stopped */
    double spent;                    /* what those have taken, where the runner counts it */
};

/* Runs the tests of the exercises that are due, and judges; what was known of them is forgotten. */
void trial_run(struct trial *trial, const char *program, exercise_set due);

/* Sets the states. */
void trial_judge(struct trial *trial);

/* Has the program been stopped so often that nothing more is to be run? */
bool trial_is_over(const struct trial *trial);

/* Might the tests of `e` that have not passed run `other`? */
bool trial_needs(struct trial *trial, const struct exercise *e, const struct exercise *other);

struct calls *trial_calls(struct trial *trial);
