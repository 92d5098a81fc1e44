#include "evidence.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

bool same_evidence(const char *a, const char *b) {
    while (*a && *b) {
        char *end_a, *end_b;
        bool number = isdigit((unsigned char)*a) || (*a == '-' && isdigit((unsigned char)a[1]));
        double x = number ? strtod(a, &end_a) : 0.0, y = number ? strtod(b, &end_b) : 0.0;
        if (number && end_b != b) {
            if (!isfinite(y) || !(fabs(x - y) <= 1e-9 * (fabs(x) + fabs(y)) + 1e-12))
                return false;
            a = end_a;
            b = end_b;
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}
