/* What is known of a wrong function besides mistakes: laws that it breaks, and its first NaN. */
#pragma once

#include "diagnose/matching.h"

enum { MOST_LAWS = 2 };
struct law {
    const char *sentence; /* what should be, and what is */
    bool is_held;         /* is it about what an output held before the call? */
    bool is_effect;       /* or about the factor of what one number adds to another? */
};

/* The first laws of the reference that these facts break; how many there are. What one number adds
   to another is told only where nothing else is. */
int broken_laws(const struct table *table, const char *facts, struct law laws[MOST_LAWS]);

/* Puts those that are to be told into the finding. */
void tell_laws(struct finding *finding, const struct table *table, struct test *bad);

/* Puts the line of the first NaN or infinity into the finding, unless the reference has one in that
   test, too. */
void place_no_number(struct finding *finding, const struct table *table, struct lesson *lesson);
