/* Has each file judged once, even if several students handed it in, and keeps the verdict under the
   hash of all that it depends on: the next run finds it there. */
#ifndef GRADING_H
#define GRADING_H

#include "grade/class/class.h"

struct grading {
    struct class *class;
    const char *judge;       /* the folder of one.sh and prepare.sh */
    const char *work, *kept; /* where sources lie, and where verdicts stay */
    int jobs;
    struct unit **units;
    int count;
    int in_a_row;       /* boxes that did not start */
    bool lost, stopped; /* no box starts any more; the user asked to stop */
    int graded;         /* how many were judged now */
    int told;           /* submissions whose line is on the screen, or that needed none */
    double began;
};

/* Judges the reference of each asked lesson, which must get everything, and its stub, which must
   get nothing. False, with a line, if one does not. */
bool guard_lessons(struct grading *g);

/* Fills in the verdicts of all rows. False if there is something that could not be judged. */
bool grade_class(struct grading *g);

#endif
