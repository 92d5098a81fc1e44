/* The slips that people make, as small changes of a function's text: another index, another bound,
   = for +=, a term, a factor or a step left out ... */
#pragma once

#include "base/tokens.h"

struct change {
    const char *name;  /* of the operator: ACC */
    const char *kind;  /* advice for it and for what undoes it: "use another kind of assignment" */
    const char *says;  /* "d_K is set (=), not added to (+=)": then these numbers come out; or "" */
    const char *means; /* the same for changes that say the same */
    int from, to;      /* tokens, replaced by: */
    const char *text;
    int loops; /* that a function must have to be so wrong: it is about a loop, or about another */
    int moved; /* the token of the step that is moved; -1 */
    int size;  /* of one that may undo a known mistake: tokens that it exchanges */
};

/* Calls `found` with each change; it lives no longer than that call. */
void each_change(const struct code *code, void (*found)(void *context, const struct change *change),
                 void *context);
