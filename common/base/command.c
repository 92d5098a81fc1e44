/* Command lines as arrays of words: words are added one by one, or from a string such as CFLAGS
   that is split at spaces. They end in NULL, as exec() wants them. */
#include "base/command.h"

#include "seconds.h"

#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

static void add(struct command *command, const char *word, size_t length) {
    char *copy = strndup(word, length);
    if (!copy || command->count == MOST_WORDS)
        die("a command line is too long");
    command->words[command->count++] = copy;
}

void command_add_words(struct command *command, ...) {
    va_list words;
    va_start(words, command);
    for (const char *word; (word = va_arg(words, const char *));)
        add(command, word, strlen(word));
    va_end(words);
}

void command_add_all(struct command *command, char *const words[]) {
    for (int i = 0; words[i]; i++)
        command_add(command, words[i]);
}

void command_add_split(struct command *command, const char *words) {
    for (size_t length; *(words += strspn(words, " ")); words += length) {
        length = strcspn(words, " ");
        add(command, words, length);
    }
}

void command_add_found(struct command *command, const char *pattern) {
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        command_add(command, found.gl_pathv[i]);
    globfree(&found);
}

static double work_at_most = INFINITY; /* of this program and all that it ever ran */
static double end_at = INFINITY;

static double worked(void) {
    return seconds_worked(RUSAGE_SELF) + seconds_worked(RUSAGE_CHILDREN);
}

void command_limit(double work, double clock) {
    work_at_most = worked() + work;
    end_at = seconds_now() + clock;
}

double command_work_left(void) {
    return work_at_most - worked();
}

double command_clock_left(void) {
    return end_at - seconds_now();
}

bool command_run(struct command *command, struct child *child) {
    const double left = command_work_left(), clock = command_clock_left();
    *child = (struct child){.ending = TIMED_OUT};
    if (left > 0.0 && clock > 0.0)
        child_run(child, command->words,
                  (struct limits){left < 60 ? left : 60, 60, 64 << 20, .stack = 1 << 20,
                                  .wall_seconds = clock});
    return child->ending == ENDED && child->status == 0;
}
