/* What the program prove, which only maintainers run, can prove of a lesson. Each function returns
   an exit status. */
#ifndef PROVE_H
#define PROVE_H

#include "check/check.h"
#include "diagnose/slip_runs.h"

struct proof {
    struct task task;
    const char *word; /* of the command line: the name of a list, or of a slip */
    struct variants variants;
    struct table as_learners; /* what they fail, compiled as a learner's file is */
    int failed;
};

/* Proves that every slip of the lesson's list fails in its exercise and that its sentence is on the
   screen, and that every way passes. Prints a line for each. */
int prove_slips(struct proof *p);

/* Every entry of a list of faults leads to its words on the whole screen of the tutor. */
int prove_faults(struct proof *p);

/* Prints the reference with one slip of the lesson's list in it. */
int prove_plant(struct proof *p);

/* Every generated slip of the reference fails, or the list says why it is the same. */
int prove_mutants(struct proof *p);

/* CPU seconds that a first and a later failure of each exercise cost more, and its count of slips.
 */
int prove_costs(struct proof *p);

/* What the tutor finds in wrong attempts, tests/regressions/NN-name. A list has entries like this
   one. A `hint` line asks for `make hint`, too. The code may leave out the first line of the
   function and the braces around its body.

       attempt n_minus_one in variance
       told    stated divided_by_n_minus_one
       hint    line 5
           double mean = 0.0;
           ...

   `told` begins with how sure the cause is (enum sureness), and then names mistakes that it has to
   mention: of tests/NN-name/slips, or the rule of a generated one (operators.c). Without a cause it
   is the kind and the code of the finding, and the function where it is; or "property", "relation"
   or "hunch" for what a test says; "overlooked" and a code for a line (diagnose/overlooked.h);
   "law" for a law that is broken; or "nothing".

   `hint` is "none", or the line, counted from the first one of the function, and what is known
   about the change there (enum change): "kind", "mistake", "twice" or "two". */
int prove_regressions(struct proof *p);

/* Prints such a list again, each entry with what is found now. */
int prove_attempts(struct proof *p);

/* The flags for a learner's file, as far as they matter. The checks that are left out take half of
   the time and find nothing that the address sanitizer would miss. */
struct text as_a_learners(const struct settings *settings);

#endif
