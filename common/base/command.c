/* Command lines as arrays of words: words are added one by one, or from a string such as CFLAGS
   that is split at spaces. They end in NULL, as exec() wants them. */
#include "base/command.h"

#include "seconds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void command_add(struct command *command, const char *word) {
    if (command->count == MOST_WORDS) {
        fputs("a command line is too long\n", stderr);
        exit(2);
    }
    command->words[command->count++] = (char *)word;
}

void command_add_all(struct command *command, char *const words[]) {
    for (int i = 0; words[i]; i++)
        command_add(command, words[i]);
}

static char *own(struct command *command, const char *words) {
    char *copy = strdup(words);
    if (!copy || command->owned_count == MOST_WORDS) {
        fputs("a command line is too long\n", stderr);
        exit(2);
    }
    return command->owned[command->owned_count++] = copy;
}

void command_add_copy(struct command *command, const char *word) {
    command_add(command, own(command, word));
}

void command_add_split(struct command *command, const char *words) {
    char *copy = own(command, words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        command_add(command, word);
}

void command_free(struct command *command) {
    for (int i = 0; i < command->owned_count; i++)
        free(command->owned[i]);
    *command = (struct command){0};
}

static double work_at_most = INFINITY; /* of this program and all that it ever ran */

static double worked(void) {
    return seconds_worked(RUSAGE_SELF) + seconds_worked(RUSAGE_CHILDREN);
}

void command_limit_work(double seconds) {
    work_at_most = worked() + seconds;
}

double command_work_left(void) {
    return work_at_most - worked();
}

bool command_run(struct command *command, struct child *child) {
    const double left = command_work_left();
    *child = (struct child){.ending = TIMED_OUT};
    if (left > 0.0)
        child_run(child, command->words,
                  (struct limits){left < 60 ? left : 60, 60, 64 << 20, .stack = 1 << 20});
    command_free(command);
    return child->ending == ENDED && child->status == 0;
}
