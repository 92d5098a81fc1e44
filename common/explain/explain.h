/* Turns what compilers, linkers and sanitizers print into one plain sentence and a place. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "base/child.h"
#include "course/judge.h"
#include "course/lesson.h"

struct fault {
    char what[600];           /* "wrote past the end of `weights`: …" */
    char advice[300];         /* what to try */
    char where[400];          /* file:line[:column] in the learner's file; "" if unknown */
    char function[NAME_SIZE]; /* the learner's function there; "" if unknown */
    char exercise[NAME_SIZE]; /* it, or the first exercise that called it; "" if there is none */
    bool outside;             /* the system or another file is the reason, not the learner's */
    struct text excerpt;      /* the source line, and what the compiler drew under it */
    struct text callers;      /* "file:line: called from here, in f()", a line each */
};

/* Why the program ended as it did, in the middle of test `t` (NULL: after its last test). */
void explain_crash(struct fault *fault, struct lesson *lesson, const struct child *child,
                   const struct test *t);

/* The first error of a compiler or linker. */
void explain_compiler(struct fault *fault, const struct lesson *lesson, const struct child *child);
void explain_linker(struct fault *fault, struct lesson *lesson, const struct child *child);

/* The warnings, a line each, at most `most`, those of a sign last; returns how many there are in
   all. */
int explain_warnings(struct text *lines, const struct child *child, int most);

void fault_free(struct fault *fault);

#endif
