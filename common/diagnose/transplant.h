/* Puts expressions of the reference into a learner's function, with the learner's variables in
   them: one of these changes may undo a known mistake. */
#pragma once

#include "diagnose/operators.h"

/* What a known mistake changes: the reference, and the same with the mistake in it. */
struct undoing {
    const struct code *right, *wrong;
    const char *says, *kind; /* the sentence of the mistake, if it is listed; or advice */
};

/* The same token; 1.0 and 1 are one number. */
bool same_value(const struct code *a, int token, const struct code *b, int other);

/* Calls `found` with each change of `own` that has such an expression. */
void each_transplant(const struct code *own, const struct undoing *undoing,
                     void (*found)(void *context, const struct change *change), void *context);
