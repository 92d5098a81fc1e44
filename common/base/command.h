/* A command line, put together word by word. */
#ifndef COMMAND_H
#define COMMAND_H

#include "base/child.h"

#include <stdbool.h>

enum { MOST_WORDS = 256 };

struct command {
    char *words[MOST_WORDS + 1]; /* copies; ends in NULL */
    int count;
};

void command_add(struct command *command, const char *word);
void command_add_all(struct command *command, char *const words[]);
void command_add_split(struct command *command, const char *words); /* "cc -O2": two */
/* All files that the pattern names, in order. */
void command_add_found(struct command *command, const char *pattern);

/* Runs a tool that builds something; false if it failed. */
bool command_run(struct command *command, struct child *child);

/* From now on all that is run may work so many seconds together; then no more is run. */
void command_limit_work(double seconds);
double command_work_left(void);

#endif
