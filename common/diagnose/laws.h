/* What is known of a wrong function besides mistakes: laws that it breaks, and its first NaN. */
#pragma once

#include "diagnose/matching.h"

/* The first laws of the reference that these facts break, a line each. `kind` is that of the first.
 */
struct text broken_laws(const struct table *table, const char *facts, int most, char kind[16]);

/* Puts two of them into the finding, or one where a mistake is known. */
void tell_laws(struct finding *finding, const struct table *table, struct test *bad);

/* Puts the line of the first NaN or infinity into the finding, unless the reference has one in that
   test, too. */
void place_no_number(struct finding *finding, const struct table *table, struct lesson *lesson);
