/* What a failed EXPECT saw, as common/testing/expect.c writes it: "3 N 6 0.25 0.5 ...". */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Floats added up in another order are farther apart than doubles. */
static inline bool is_of_floats(const char *evidence) {
    return evidence[strspn(evidence, "0123456789")] == ' ' &&
           evidence[strspn(evidence, "0123456789 ")] == 'F';
}

/* True if both are the same apart from rounding in the numbers. */
static inline bool same_evidence(const char *a, const char *b) {
    const double rounding = is_of_floats(a) ? 1e-5 : 1e-9, least = is_of_floats(a) ? 3e-6 : 1e-12;
    while (*a && *b) {
        char *end_a, *end_b;
        bool number = isdigit((unsigned char)*a) || (*a == '-' && isdigit((unsigned char)a[1]));
        double x = number ? strtod(a, &end_a) : 0.0, y = number ? strtod(b, &end_b) : 0.0;
        if (number && end_b != b) {
            if (!isfinite(y) || !(fabs(x - y) <= rounding * (fabs(x) + fabs(y)) + least))
                return false;
            a = end_a;
            b = end_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

#endif
