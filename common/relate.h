/* How wrong numbers are related to the right ones: always literally true, whatever the cause. */
#ifndef RELATE_H
#define RELATE_H

#include <stddef.h>

/* "Every number of yours has the other sign.", or "". For a vector rows is 0, for a number cols,
 * too.
 */
void relate(char *text, size_t size, const char *name, int rows, int cols, const double *expected,
            const double *actual, double tolerance);

#endif
