/* How wrong numbers are related to the right ones: always literally true, whatever the cause. */
#ifndef RELATE_H
#define RELATE_H

#include "matrix.h"

#include <stddef.h>

/* "Every number of yours has the other sign.", or "". */
void relate(char *text, size_t size, const char *name, struct dims dims, const double *expected,
            const double *actual, double tolerance);

/* Is only one of its rows, columns or numbers right? Or "". */
void relate_lines(char *text, size_t size, const char *name, struct dims dims,
                  const double *expected, const double *actual, double tolerance);

/* Where the right ones end and the wrong ones begin, or "": of arrays too large to be looked at.
   An array of matrices has one for each head. */
void relate_ranges(char *text, size_t size, const char *name, struct dims dims,
                   const double *expected, const double *actual, double tolerance);

#endif
