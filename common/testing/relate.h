/* How wrong numbers are related to the right ones: always literally true, whatever the cause. */
#ifndef RELATE_H
#define RELATE_H

#include "matrix.h"

#include <stdbool.h>
#include <stddef.h>

/* Each relation that all numbers of yours have to those that are expected: its name ("times"), up
   to four of the numbers that are neither 0 nor 1 nor equal, and a sentence. In one test it may be
   chance: diagnose/chance.c asks the others, and the source. False if no relation is found. */
bool relate_all(struct dims dims, const double *expected, const double *actual, double tolerance,
                void (*found)(const char *kind, const char *witnesses, const char *sentence));

/* "Row 0 of weights sums to 1.31; it should sum to 1.", or "". */
void relate(char *text, size_t size, const char *name, struct dims dims, const double *expected,
            const double *actual, double tolerance);

/* "Every number of Q is 0.8409 times the expected one.": whatever the factor is, to nine digits. */
bool relate_factor(char *text, size_t size, const char *name, struct dims dims,
                   const double *expected, const double *actual);

/* Says so if only one of the rows, columns or numbers is right, or all but one. Else "". */
void relate_lines(char *text, size_t size, const char *name, struct dims dims,
                  const double *expected, const double *actual, double tolerance);

/* Where the right ones end and the wrong ones begin, or "": of arrays too large to be looked at.
   An array of matrices has one for each head. */
void relate_ranges(char *text, size_t size, const char *name, struct dims dims,
                   const double *expected, const double *actual, double tolerance);

#endif
