/* What the learner will ask for next is prepared while he reads the screen: after a wrong exercise
   the line for make hint, before the first attempt the table of its known mistakes. A process in
   the background does this, without priority. It holds a lock as long as it runs, and the system
   knows who holds a lock. The next check ends it, and so does make clean; make hint waits for it,
   but not long. */
#include "base/child.h"
#include "base/files.h"
#include "diagnose/slip_runs.h"
#include "tutor/commands.h"

#include "seconds.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds until make hint looks for the line by itself. */
enum { LONGEST = 4 };

static const char *lock_of(const struct settings *settings) {
    return path_of("%s/background", settings->out);
}

/* What it was building when it was ended. */
static void remove_parts(const struct settings *settings, int pid) {
    struct command parts = {0};
    command_add_found(&parts, path_of("%s/slips/*/*.%d*", settings->object, pid));
    for (int i = 0; i < parts.count; i++)
        remove(parts.words[i]);
}

/* False if it still runs after that time. */
static bool wait_for_end(const struct settings *settings) {
    const double end = seconds_now() + LONGEST;
    while (file_lock_owner(lock_of(settings)) != 0) {
        if (seconds_now() > end)
            return false;
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    return true;
}

void background_end(const struct settings *settings) {
    int pid = file_lock_owner(lock_of(settings));
    if (child_end(pid)) {
        wait_for_end(settings);
        remove_parts(settings, pid);
    }
}

void background_wait(const struct settings *settings) {
    if (!wait_for_end(settings))
        background_end(settings);
}

int run_end(struct job *job) {
    background_end(job->settings);
    return 0;
}

void background_begin(const struct task *task, const struct exercise *e) {
    const struct settings *settings = task->settings;
    struct table table;
    if (!isatty(STDOUT_FILENO) || settings->untrusted || settings->untold || !child_apart())
        return;
    bool is_first = file_lock(lock_of(settings), false) != TAKEN;
    if (is_first && e->state == NOT_STARTED)
        exercise_table(&table, task, e->name);
    else if (is_first)
        prepare_hint(task, e);
    _exit(0);
}
