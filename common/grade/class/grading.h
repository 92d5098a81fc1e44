/* Has each file judged once, whoever handed it in, and keeps the verdict under the hash of all that
   it depends on: the next run finds it there. */
#ifndef GRADING_H
#define GRADING_H

#include "grade/class/class.h"

struct grading {
    struct class *class;
    const char *judge;       /* the folder of one.sh and prepare.sh */
    const char *work, *kept; /* where sources lie, and where verdicts stay */
    int jobs;
    struct unit *units;
    int count;
    int in_a_row;       /* boxes that did not start */
    bool lost, stopped; /* no box starts any more; somebody asked to stop */
    int graded;         /* how many were judged now */
    double began;
};

/* The reference of each asked lesson must get everything, its stub nothing. */
bool guard_lessons(struct grading *g);

/* Fills in the verdicts of all rows. False if there is something that could not be judged. */
bool grade_class(struct grading *g);
void grading_free(struct grading *g);

#endif
