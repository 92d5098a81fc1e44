/* Finds out which mistake a learner made: see README.md. */
#pragma once

#include "check/check.h"

/* Finds the cause of the first exercise that is not done, if that is wrong and a known mistake
   matches. The exercise's table is made at its first failure, and kept. */
void diagnose(struct check *check);

/* The same for every exercise that is wrong. */
void diagnose_all(struct check *check);

/* The learner's code without the other exercises: the function, and what else it may call, without
   comments. */
char *own_source(const struct lesson *lesson, const struct exercise *exercise);
