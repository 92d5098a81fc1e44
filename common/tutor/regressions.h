/* What the tutor finds in wrong attempts at a lesson's exercises: tests/regressions/NN-name. */
#ifndef REGRESSIONS_H
#define REGRESSIONS_H

#include "check/check.h"

/* A list has entries like this one. A `hint` line asks for `make hint`, too. The code may leave out
   the first line of the function and the braces around its body.

       attempt n_minus_one in variance
       told    stated divided_by_n_minus_one
       hint    line 5
           double mean = 0.0;
           ...

   `told` begins with how sure the cause is (enum sureness), and then names mistakes that it has to
   mention: of tests/NN-name/slips, or the rule of a generated one (operators.c). Without a cause it
   is the kind and the code of the finding, and the function where it is; or "property", "relation"
   or "hunch" for what a test says; or "nothing".

   `hint` is "none", or the line, counted from the first one of the function, and what is known of
   the change there (enum change): "kind", "mistake", "twice" or "two". */

/* Proves a list: the exit status. Or writes: prints it again, each entry with what is found now. */
int regressions_run(struct lesson *lesson, const char *list, const struct settings *settings,
                    char *const objects[], bool writes);

#endif
