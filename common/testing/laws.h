/* Simple laws of an exercise: which inputs an output depends on, what happens if an input is
   doubled, what a row sums to. One call is enough for all of them:

       LAWS(blend) {
           NEW_MATRIX(weights, 2, 3);
           NEW_MATRIX(V, 3, 4);
           NEW_MATRIX(out, 2, 4);
           PROBE("weights V -> out")
               blend(2, 3, 4, weights, V, out);
       }

   The call is made some hundred times, each time with other inputs. What comes of it is reported as
   facts. The tutor compares those of a wrong function with those of the reference, and tells the
   first that differ. So no law is written down, and none can be false. Different sizes should
   differ, because indices of the same size are taken for the same index.

   The list has the names of arrays that were made before (matrix.h). An input that is still unset
   gets random numbers. Marks before a name: + for positive numbers, % for rows that sum to 1. */
#ifndef LAWS_H
#define LAWS_H

#include "lesson_test.h"

#include <stdbool.h>

#define LAWS(exercise)       LAWS_AT(exercise, __COUNTER__)
#define LAWS_AT(of, number)  LISTED(of, laws_of_##of, number, true)
#define PROBE(arrays)        for (probe_begin(arrays); probe_next();)
#define NEW_RESULT(name, of) double *name = vector_new(of "()", 1)

void probe_begin(const char *arrays);
bool probe_next(void);

/* The same for arrays that share a name: probe_forget(), the inputs, the outputs, and then a loop
   while (probe_next()). */
void probe_forget(void);
void probe_input(const void *array, char mark);
void probe_output(const void *array);

/* Reports the facts of an exercise. */
void laws_report(const char *exercise);

#endif
