/* The runner of a learner's own file: the compiler and the test program are child processes. */
#include "check/runner.h"

#include "check/standin.h"
#include "explain/explain.h"

#include <math.h>

static void begin(struct command *command, const struct settings *settings, enum step step,
                  const char *from, const char *to) {
    bool builds = step == COMPILE || step == LINK;
    if (builds) {
        command_add_split(command, settings->compiler);
        command_add_split(command, settings->flags);
    }
    if (step == COMPILE)
        command_add(command, "-c");
    command_add(command, from);
    if (builds)
        command_add(command, "-o");
    if (to)
        command_add(command, to);
    if (step == COMPILE)
        command_add(command, "-MMD");
}

static void build(struct child *child, struct command *command, struct limits limits) {
    child_run(child, command->words, limits);
}

static void test(struct trial *trial, struct child *child, struct command *command,
                 const char *program) {
    double most = trial->settings->seconds;
    child_run(child, command->words,
              (struct limits){most, fmax(1.0, most), 1 << 20, .stack = 1 << 20});
    stack_name(&child->err, program);
}

const struct runner child_runner = {
    .begin = begin, .build = build, .test = test, .reference = standin_reference, .most_stops = 3};
