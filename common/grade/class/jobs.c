/* A pool of child processes. The signals that stop a run are blocked, and looked for between the
   waits, so that nothing happens in a handler. A job that has to go gets SIGTERM, and SIGKILL three
   seconds later; whatever it left in its process group gets SIGKILL in any case. */
#include "grade/class/jobs.h"

#include "grade/class/names.h"

#include "base/text.h"
#include "seconds.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* --- signals -------------------------------------------------------------------------------- */

static sigset_t stops(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

static void wake_up(int number) {
    (void)number;
}

void hold_signals(void) {
    struct sigaction action = {.sa_handler = wake_up};
    sigset_t set = stops();
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, NULL);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* the reader of what is printed may go away */
}

bool stop_is_asked(void) {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
           sigismember(&pending, SIGHUP);
}

/* Until a child ends, or a moment has passed. */
static void wait_for_news(void) {
    sigset_t set = stops();
    pselect(0, NULL, NULL, NULL, &(struct timespec){0, 100 * 1000 * 1000}, &set);
}

/* --- one job -------------------------------------------------------------------------------- */

static pid_t start_job(struct job *job) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all = stops();
    pid_t pid;
    sigaddset(&all, SIGPIPE);
    sigaddset(&all, SIGCHLD);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, job->said, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int error =
        posix_spawnp(&pid, job->words[0], &files, &attributes, (char *const *)job->words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (error == 0)
        return pid;
    fprintf(stderr, "cannot start %s: %s\n", job->words[0], strerror(error));
    exit(2);
}

/* Archives hold folders without any permission, and some that are very deep. */
void remove_all(const char *path) {
    struct job job = {
        {"sh", "-c", "chmod -R u+rwx \"$1\"; rm -rf \"$1\"", "sh", path, NULL}, "/dev/null", 0};
    if (access(path, F_OK) != 0)
        return;
    pid_t pid = start_job(&job);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

const char *first_words(const char *said) {
    struct text text;
    char line[300] = "";
    text_read_file(&text, said);
    const char *at = text_of(&text);
    while (!line[strspn(line, " \t\r")] && next_line(&at, line, sizeof line))
        ;
    text_free(&text);
    const char *words = line + strspn(line, " \t\r");
    return words[0] ? shown_name(words) : "it ended without a word";
}

/* --- several -------------------------------------------------------------------------------- */

struct running {
    pid_t pid; /* 0: free */
    int number;
    double since;
};

struct pool {
    struct running *all;
    int at_once, running;
    struct job_hooks hooks;
    bool going;     /* more may start */
    double stopped; /* when; 0: it is not */
};

/* What has ended is noted, unless the run was stopped. What has no time left is killed. */
static void reap(struct pool *pool) {
    for (int i = 0; i < pool->at_once; i++) {
        struct running *r = &pool->all[i];
        double now = seconds_now();
        int status;
        if (r->pid == 0)
            continue;
        if (now - r->since > JOB_SECONDS || (pool->stopped > 0.0 && now > pool->stopped + 3.0))
            kill(-r->pid, SIGKILL);
        if (waitpid(r->pid, &status, WNOHANG) != r->pid)
            continue;
        kill(-r->pid, SIGKILL); /* whatever it left behind */
        r->pid = 0;
        pool->running--;
        status = WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
        if (pool->stopped == 0.0)
            pool->going &=
                pool->hooks.ended(pool->hooks.context, r->number, status, now - r->since);
    }
}

/* Starts the next job that needs a command; false after the last one. */
static bool start_next(struct pool *pool, int *next, int count) {
    struct job job = {0};
    while (*next < count && !pool->hooks.start(pool->hooks.context, *next, &job))
        ++*next;
    if (*next == count)
        return false;
    struct running *r = pool->all;
    while (r->pid)
        r++;
    *r = (struct running){start_job(&job), (*next)++, seconds_now()};
    pool->running++;
    return true;
}

/* Lets all that runs clear up and end. */
static void stop_all(struct pool *pool) {
    pool->stopped = seconds_now();
    for (int i = 0; i < pool->at_once; i++)
        if (pool->all[i].pid)
            kill(-pool->all[i].pid, SIGTERM);
}

bool run_jobs(int count, int at_once, struct job_hooks hooks) {
    struct pool pool = {calloc((size_t)at_once, sizeof *pool.all), at_once, 0, hooks, true, 0.0};
    int next = 0;
    while (pool.all) {
        if (pool.stopped == 0.0 && stop_is_asked())
            stop_all(&pool);
        while (pool.stopped == 0.0 && pool.going && pool.running < at_once &&
               start_next(&pool, &next, count))
            ;
        if (pool.running == 0)
            break;
        wait_for_news();
        reap(&pool);
    }
    free(pool.all);
    return pool.stopped == 0.0;
}

static bool start_alone(void *context, int number, struct job *job) {
    (void)number;
    *job = *(struct job *)context;
    return true;
}

static bool alone_ended(void *context, int number, int status, double seconds) {
    (void)number, (void)seconds;
    ((struct job *)context)->status = status;
    return true;
}

int run_job(struct job *job) {
    job->status = -1;
    run_jobs(1, 1, (struct job_hooks){job, start_alone, alone_ended});
    return job->status;
}
