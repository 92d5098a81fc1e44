/* The slips that people make, as small changes of a function's text: another index, another bound,
   = for +=, a term, a factor or a step left out ... */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "tokens.h"

enum { MOST_EDITS = 4 };

struct edit {
    int from, to; /* letters of the text, replaced by: */
    const char *text;
};

struct change {
    const char *name; /* of the operator: ACC */
    const char
        *kind; /* true of the change and of what undoes it: "An assignment is of another kind." */
    char says[200]; /* "d_K is set (=), not added to (+=)": when that is so, these numbers come out
                     */
    int token;      /* where it is */
    struct edit edits[MOST_EDITS];
    int count;
};

/* Calls `found` with each change; it lives no longer than that call. */
void each_change(const struct code *code, void (*found)(void *context, const struct change *change),
                 void *context);

#endif
