/* Runs a program that may crash, loop or print without end. Returns what it printed and how it
   ended. Nothing of it is still running then. */
#pragma once

#include "base/text.h"

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
    double
        wall_seconds; /* for what somebody waits, and that is not judged; 0: as long as it needs */
    bool attached;    /* it uses the terminal: our standard input and output, and only the child
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
