/* Programs other than the tests that run the learner's code: worked examples, the pictures' data,
   milestones. They run under the limits of the tests, as far as these fit, and their faults are
   explained in the same way. */
#pragma once

#include "check/check.h"

/* Links the objects of the task with the learner's code and runs the program: `what` is "show",
   "plots" (its argument is the folder for tables) or "try" (at the terminal). Returns an exit
   status. */
int program_run(const struct task *task, const char *what);

/* The lesson's tests by themselves, without the tutor: takes this program's place. */
int program_test(const struct task *task);

/* The lessons before this one. One without a folder ends them. */
struct earlier {
    struct lesson lesson;
    bool passed;
};
struct earlier *earlier_lessons(const struct lesson *lesson, const struct settings *settings);

/* A program in which the learner's code is compiled for speed, at the terminal: a milestone. */
int program_fast(struct lesson *lesson, char *const words[]);

/* Says whose code a lesson's pictures are computed by. */
void tell_whose_code(const struct lesson *lesson, const struct settings *settings,
                     const char *what);
