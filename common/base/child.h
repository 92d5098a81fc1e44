/* Runs a program that may crash, loop or print without end. Returns what it printed and how it
   ended. Nothing of it is still running then. And puts command lines together, word by word. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum ending {
    ENDED,     /* by itself, with `status` */
    SIGNALLED, /* killed by signal number `status` */
    TIMED_OUT,
    FLOODED, /* printed more than the limit */
};

struct child {
    enum ending ending;
    int status;
    bool waited;    /* timed out asleep */
    bool swelled;   /* killed, because it had too much memory */
    double seconds; /* the limit that it ran into */
    struct text out, err, report;
};

/* For ASAN_OPTIONS: new memory holds what gcc leaves in a variable without a first value, a number
   that is_never_set() knows. The sanitizer's own filling, -1.8e-06, looks like a rounding error. */
#define MALLOC_FILLING "malloc_fill_byte=254:max_malloc_fill_size=1048576"

struct limits {
    double cpu_seconds;
    double idle_seconds; /* asleep, without any output; 0: as long as it likes */
    size_t output;       /* in bytes, of standard output and standard error each */
    size_t stack;        /* in bytes; 0: no limit of ours */
    size_t memory;       /* the same; the sanitizers have their own limit */
    long resident;       /* the same, of all its processes together, measured from outside */
    double wall_seconds; /* of what somebody waits for, and that is not judged; 0: no limit */
    bool attached;       /* it uses the terminal: our standard input and output, and only the child
                            gets Ctrl-C */
};

/* `argv` ends in NULL. A child that is not attached has an empty standard input. LOOKBACK_REPORT is
   the number of its third pipe. Limits count the work of the child, so a busy machine changes
   nothing. If a child has not ended after LOOKBACK_LAST_RESORT seconds (900), this program ends
   with status CHILD_NOT_JUDGED, because the machine had no time for the child. */
void child_run(struct child *child, char *const argv[], struct limits limits);

/* Continues in a process of its own, without priority, and returns true there; false in this
   process, and if there can be no other one. That process neither reads nor writes at the terminal,
   and ends when the terminal is closed. */
bool child_apart(void);

/* Ends such a process; false if it has ended, or may not be ended. */
bool child_end(int pid);

/* Replaces this process by that program. */
_Noreturn void child_become(char *const argv[]);

/* The exit status of the child's handler of SIGXCPU, after it has printed where it was. */
#define CHILD_TIME_IS_UP 124

#define CHILD_NOT_JUDGED 4

/* --- command lines ---------------------------------------------------------------------------- */

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
