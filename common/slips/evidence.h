/* What a failed EXPECT saw, as common/expect.c writes it: "3 N 6 0.25 0.5 ...". */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include <stdbool.h>

/* The same, but for rounding in the numbers. */
bool same_evidence(const char *a, const char *b);

#endif
