/* How a learner's file is compiled, linked and run: by child processes, or in the box for other
   people's files, which the tutor sets up (common/grade/box). A check asks its runner, and knows
   nothing of processes and boxes. */
#pragma once

#include "base/command.h"
#include "course/lesson.h"

#include <stdbool.h>

struct settings;
struct task;
struct trial;

enum step {
    COMPILE, /* makes the object `to` of the source `from` */
    LINK,    /* makes the program `to` of the object `from` and the words that follow */
    TEST,    /* runs the test program `from` */
    DRAW,    /* runs the program `from`, which writes its tables into the folder `to`, or none */
};

struct runner {
    /* Begins the command for a step; words can be added to it. */
    void (*begin)(struct command *command, const struct settings *settings, enum step step,
                  const char *from, const char *to);
    /* Compiles or links. */
    void (*build)(struct child *child, struct command *command, struct limits limits);
    /* Runs `program`, whose command begun with TEST may name exercises. */
    void (*test)(struct trial *trial, struct child *child, struct command *command,
                 const char *program);
    /* Makes an object with the reference's functions for these exercises. NULL: it cannot. */
    const char *(*reference)(const struct task *task, exercise_set standing);
    /* A last look when all exercises are judged; or NULL. */
    void (*look_again)(struct trial *trial, const char *program);

    char *const *objects; /* what the file is linked with; NULL: with the tests */
    const char *missing;  /* C code for functions that the file does not have; or NULL */
    int most_stops;       /* so many endless loops or floods end the run */
    bool boxed;           /* may it run code that has not been read? */
    bool is_mixed;        /* does a replacing reference call the file's other functions? */
};

/* Child processes on this machine. */
extern const struct runner child_runner;
