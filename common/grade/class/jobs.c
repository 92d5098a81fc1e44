#include "grade/class/jobs.h"

#include "grade/class/names.h"

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
    signal(SIGPIPE, SIG_IGN); /* who reads what is printed may have seen enough */
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
    posix_spawn_file_actions_addopen(&files, 1, job->said.chars, O_WRONLY | O_CREAT | O_TRUNC,
                                     0644);
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

/* Others' archives hold folders that nobody may enter, and some that are very deep. */
void remove_all(const char *path) {
    struct job job = {{"sh", "-c", "chmod -R u+rwx \"$1\"; rm -rf \"$1\"", "sh", path, NULL},
                      {"/dev/null"}};
    if (access(path, F_OK) != 0)
        return;
    pid_t pid = start_job(&job);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void add_first_words(struct text *text, const struct job *job) {
    struct text said;
    char line[300] = "";
    text_read_file(&said, job->said.chars);
    const char *at = text_of(&said);
    while (!line[strspn(line, " \t\r")] && next_line(&at, line, sizeof line))
        ;
    text_free(&said);
    const char *words = line + strspn(line, " \t\r");
    add_name(text, words[0] ? words : "it ended without a word");
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
    bool going; /* more may start */
};

static int status_of(int status) {
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void reap(struct pool *pool) {
    for (int i = 0; i < pool->at_once; i++) {
        struct running *r = &pool->all[i];
        int status;
        if (r->pid == 0)
            continue;
        if (seconds_now() - r->since > JOB_SECONDS)
            kill(-r->pid, SIGKILL);
        if (waitpid(r->pid, &status, WNOHANG) != r->pid)
            continue;
        kill(-r->pid, SIGKILL); /* whatever it left behind */
        r->pid = 0;
        pool->running--;
        double seconds = seconds_now() - r->since;
        pool->going &=
            pool->hooks.ended(pool->hooks.context, r->number, status_of(status), seconds);
    }
}

/* First the word that lets them clear up, then the one that nobody can refuse. */
static void stop_all(struct pool *pool) {
    double until = seconds_now() + 3.0;
    for (int i = 0; i < pool->at_once; i++)
        if (pool->all[i].pid)
            kill(-pool->all[i].pid, SIGTERM);
    while (pool->running > 0) {
        for (int i = 0; i < pool->at_once; i++) {
            struct running *r = &pool->all[i];
            if (r->pid && seconds_now() > until)
                kill(-r->pid, SIGKILL);
            if (r->pid && waitpid(r->pid, NULL, WNOHANG) == r->pid) {
                kill(-r->pid, SIGKILL);
                r->pid = 0;
                pool->running--;
            }
        }
        wait_for_news();
    }
}

/* The next number that needs a command; false if there is none. */
static bool start_next(struct pool *pool, int *next, int count) {
    while (*next < count) {
        struct job job = {{NULL}, {""}};
        int number = (*next)++;
        if (!pool->hooks.start(pool->hooks.context, number, &job))
            continue;
        struct running *r = pool->all;
        while (r->pid)
            r++;
        *r = (struct running){start_job(&job), number, seconds_now()};
        pool->running++;
        return true;
    }
    return false;
}

bool run_jobs(int count, int at_once, struct job_hooks hooks) {
    struct pool pool = {calloc((size_t)at_once, sizeof *pool.all), at_once, 0, hooks, true};
    int next = 0;
    bool stopped = false;
    while (pool.all && !stopped) {
        stopped = stop_is_asked();
        while (!stopped && pool.going && pool.running < at_once && start_next(&pool, &next, count))
            ;
        if (stopped || pool.running == 0)
            break;
        wait_for_news();
        reap(&pool);
    }
    if (stopped)
        stop_all(&pool);
    free(pool.all);
    return !stopped;
}

/* --- one alone ------------------------------------------------------------------------------ */

struct alone {
    struct job *job;
    int status;
};

static bool start_alone(void *context, int number, struct job *job) {
    (void)number;
    *job = *((struct alone *)context)->job;
    return true;
}

static bool alone_ended(void *context, int number, int status, double seconds) {
    (void)number, (void)seconds;
    ((struct alone *)context)->status = status;
    return true;
}

int run_job(struct job *job) {
    struct alone alone = {job, -1};
    run_jobs(1, 1, (struct job_hooks){&alone, start_alone, alone_ended});
    return alone.status;
}
