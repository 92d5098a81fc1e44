/* A command line, put together word by word. */
#pragma once

#include "base/child.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_WORDS = 256 };

struct command {
    char *words[MOST_WORDS + 1]; /* copies; ends in NULL */
    int count;
};

/* Adds one word or several: command_add(&command, "cc", "-c", file). */
#define command_add(command, ...) command_add_words(command, __VA_ARGS__, (const char *)NULL)
void command_add_words(struct command *command, ...) __attribute__((sentinel));
void command_add_all(struct command *command, char *const words[]);
void command_add_split(struct command *command, const char *words); /* "cc -O2": two */
/* All files that the pattern names, in order. */
void command_add_found(struct command *command, const char *pattern);

/* Runs a tool that builds something; false if it failed. */
bool command_run(struct command *command, struct child *child);

/* From now on all that is run may work so many seconds together, and take so many on the clock;
   then no more is run. */
void command_limit(double work, double clock);
double command_work_left(void);
double command_clock_left(void);
