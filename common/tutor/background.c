/* What the learner will ask for next is prepared while he reads the screen: after a wrong exercise
   the line for make hint, before the first attempt the table of its known mistakes. A process in
   the background does this, without priority. It holds a lock as long as it runs, and the system
   knows who holds a lock. The next check ends it; make hint waits for it. */
#include "base/child.h"
#include "base/files.h"
#include "diagnose/slip_runs.h"
#include "tutor/commands.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

static const char *lock_of(const struct settings *settings) {
    return path_of("%s/background", settings->out);
}

void background_wait(const struct settings *settings) {
    if (file_is_there(lock_of(settings)))
        file_unlock(file_lock(lock_of(settings), true));
}

/* What it was building when it was ended. */
static void remove_parts(const struct settings *settings, int pid) {
    glob_t found;
    if (glob(path_of("%s/slips/*/*.%d*", settings->object, pid), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++)
            remove(found.gl_pathv[i]);
        globfree(&found);
    }
}

void background_end(const struct settings *settings) {
    int pid = file_lock_owner(lock_of(settings));
    if (child_end(pid)) {
        background_wait(settings);
        remove_parts(settings, pid);
    }
}

static void prepare(const struct task *task, const struct exercise *e) {
    struct table table;
    if (e->state == NOT_STARTED)
        exercise_table(&table, task, e->name);
    else
        prepare_hint(task, e);
}

void background_begin(const struct task *task, const struct exercise *e) {
    const struct settings *settings = task->settings;
    if (!isatty(STDOUT_FILENO) || settings->untrusted || settings->untold || !child_apart())
        return;
    if (file_lock(lock_of(settings), false) != TAKEN)
        prepare(task, e);
    _exit(0);
}
