/* Runs child processes. The signals that stop a run are blocked, and looked for between the waits,
   so that nothing happens in a handler. A job that has to go gets SIGTERM, and SIGKILL three
   seconds later; whatever it left in its process group gets SIGKILL in any case. */
#include "grade/class/jobs.h"

#include "grade/class/names.h"

#include "base/text.h"
#include "seconds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* On the wall, as a last resort: the limits of a judge count work, which takes long on a busy
   machine. */
enum { JOB_SECONDS = 3600 };

/* --- signals -------------------------------------------------------------------------------- */

static sigset_t stops(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

void hold_signals(void) {
    sigset_t set = stops();
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* the reader of what is printed may go away */
}

bool stop_is_asked(void) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
           sigismember(&pending, SIGHUP);
}

/* --- one job -------------------------------------------------------------------------------- */

static _Noreturn void become(const struct job *job) {
    sigset_t set = stops();
    int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int out = open(job->said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
        execvp(job->words[0], (char *const *)job->words);
    _exit(127);
}

static void start(struct job *job) {
    job->seconds = seconds_now();
    job->pid = fork();
    if (job->pid == 0)
        become(job);
    if (job->pid < 0)
        die("cannot start %s: %s", job->words[0], strerror(errno));
    setpgid(job->pid, job->pid);
}

struct job job_into(const char *folder, const char *script, const char *first, const char *second,
                    const char *said) {
    static const char make[] = "mkdir -m 755 \"$3\" || exit 3; exec sh \"$0\" \"$@\"";
    return (struct job){.words = {"sh", "-c", make, script, first, second, folder}, .said = said};
}

/* Archives hold folders without any permission, and some that are very deep. */
void remove_all(const char *path) {
    struct job job = {.words = {"sh", "-c", "chmod -R u+rwx \"$0\"; rm -rf \"$0\"", path},
                      .said = "/dev/null"};
    if (access(path, F_OK) != 0)
        return;
    start(&job);
    while (waitpid(job.pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

const char *first_words(const char *said) {
    const char *words = file_text(said);
    words += strspn(words, " \t\r\n");
    return *words ? shown_name(string_of("%.*s", (int)strcspn(words, "\n"), words))
                  : "it ended without a word";
}

/* --- several -------------------------------------------------------------------------------- */

static void signal_all(const struct job *jobs, int count, int number) {
    for (int i = 0; i < count; i++)
        if (jobs[i].pid > 0)
            kill(-jobs[i].pid, number);
}

/* Has it ended? One that has no time left is killed. */
static bool has_ended(struct job *job) {
    int status;
    double seconds = seconds_now() - job->seconds;
    if (job->pid == 0)
        return false;
    if (seconds > JOB_SECONDS)
        kill(-job->pid, SIGKILL);
    if (waitpid(job->pid, &status, WNOHANG) != job->pid)
        return false;
    kill(-job->pid, SIGKILL); /* whatever it left behind */
    job->pid = 0;
    job->seconds = seconds;
    job->status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}

/* Ends all that runs. What it did is not known, so these jobs have not ended. */
static void stop_all(struct job *jobs, int count) {
    double end = seconds_now() + 3.0;
    signal_all(jobs, count, SIGTERM);
    for (int left = 1; left > 0; nanosleep(&(struct timespec){0, 20 * 1000 * 1000}, NULL)) {
        left = 0;
        if (seconds_now() > end)
            signal_all(jobs, count, SIGKILL);
        for (int i = 0; i < count; i++) {
            if (has_ended(&jobs[i]))
                jobs[i].status = NOT_ENDED;
            left += jobs[i].pid > 0;
        }
    }
}

bool run_jobs(struct job *jobs, int count, int at_once, job_ended *ended, void *context) {
    int next = 0, running = 0;
    bool going = true;
    for (int i = 0; i < count; i++)
        jobs[i].status = NOT_ENDED;
    while (!stop_is_asked()) {
        for (; going && running < at_once && next < count; next++)
            if (jobs[next].words[0]) {
                start(&jobs[next]);
                running++;
            }
        if (running == 0)
            return true;
        nanosleep(&(struct timespec){0, 20 * 1000 * 1000}, NULL);
        for (int i = 0; i < next && !stop_is_asked(); i++) /* Ctrl-C may have ended it */
            if (has_ended(&jobs[i])) {
                running--;
                going &= !ended || ended(context, i, &jobs[i]);
            }
    }
    stop_all(jobs, count);
    return false;
}

int run_job(struct job job) {
    run_jobs(&job, 1, 1, NULL, NULL);
    return job.status;
}
