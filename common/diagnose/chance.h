/* Is a relation between wrong numbers and the right ones more than chance? */
#pragma once

#include "base/text.h"
#include "base/tokens.h"
#include "diagnose/matching.h"

/* The message about a relation in the first failing test. `source` is the function, and
   what else it may call. */
struct relation {
    const char *sentence; /* ""; nothing */
    bool sure;            /* it says all: a float */
    bool weak;            /* reported only when there is nothing else */
};
struct relation relation_of(const struct outcome *tests, int count, const struct code *source);
