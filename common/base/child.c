/* A program runs in a process group of its own, which is killed at the end. Its output comes
   through pipes. The CPU time is limited by the system, sleeping by looking at the process from
   outside (effort.c). */
#include "base/child.h"

#include "base/effort.h"

#include "seconds.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPES = 3 }; /* standard output, standard error, report */

/* The process or, if negative, the process group that is killed when this program is stopped. */
static volatile sig_atomic_t running;

static void on_stop(int number) {
    if (running)
        kill((pid_t)running, SIGKILL);
    _exit(128 + number);
}

static void stop_with_us(bool attached) {
    signal(SIGINT, attached ? SIG_IGN : on_stop);
    signal(SIGTERM, on_stop);
    signal(SIGHUP, on_stop);
}

static void limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && old.rlim_max != RLIM_INFINITY && old.rlim_max < hard)
        hard = old.rlim_max;
    setrlimit(resource, &(struct rlimit){soft < hard ? soft : hard, hard});
}

/* The system limits whole seconds. A timer, which stays after exec(), limits a fraction of one. */
static void limit_work(double seconds) {
    double whole = ceil(seconds), part = seconds - floor(seconds);
    struct itimerval timer = {.it_value = {(time_t)floor(seconds), (suseconds_t)(1e6 * part)}};
    limit(RLIMIT_CPU, (rlim_t)whole, (rlim_t)whole + 2);
    if (part > 0.0)
        setitimer(ITIMER_PROF, &timer, NULL);
}

static _Noreturn void become(char *const argv[], int pipes[PIPES][2], struct limits limits) {
    char number[16];
    if (limits.attached) {
        signal(SIGINT, SIG_DFL);
    } else {
        setpgid(0, 0);
        int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, STDIN_FILENO);
        dup2(pipes[0][1], STDOUT_FILENO);
    }
    dup2(pipes[1][1], STDERR_FILENO);
    close(pipes[0][1]);
    close(pipes[1][1]);
    snprintf(number, sizeof number, "%d", pipes[2][1]);
    setenv("LOOKBACK_REPORT", number, 1);
    limit_work(limits.cpu_seconds);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, 1 << 28, 1 << 28);
    if (limits.memory)
        limit(RLIMIT_DATA, (rlim_t)limits.memory, (rlim_t)limits.memory);
    if (limits.stack)
        limit(RLIMIT_STACK, (rlim_t)limits.stack, RLIM_INFINITY);
    execvp(argv[0], argv);
    fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

struct watch {
    pid_t pid, group; /* the group less than 0, as kill() wants it */
    struct pollfd fds[PIPES];
    int open; /* how many are */
    bool over, flooded, swelled, reaped;
    int status;
    double looked; /* when, on the wall */
    struct idle idle;
    bool asked;         /* where it is */
    double asked_after; /* so many seconds of work */
    double work;        /* CPU seconds of the children before this one */
};

/* SIGXCPU: the test program prints where it is, and ends. Others just end. */
static void ask_where(struct watch *w, struct effort now) {
    if (w->asked)
        return;
    w->asked = true;
    w->asked_after = now.work;
    idle_again(&w->idle);
    kill(w->group, SIGXCPU);
}

static void take(struct watch *w, struct child *child, int i, size_t most) {
    struct text *const texts[PIPES] = {&child->out, &child->err, &child->report};
    char part[8192];
    ssize_t got = read(w->fds[i].fd, part, sizeof part);
    if (got <= 0) {
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        close(w->fds[i].fd);
        w->fds[i].fd = -1;
        w->open--;
        return;
    }
    if (texts[i]->length + (size_t)got <= most)
        text_add(texts[i], part, (size_t)got);
    else if (!w->asked)
        w->flooded = true;
    if (!w->asked)
        idle_again(&w->idle);
}

/* A child that was asked where it is, and does not end, has 2 more seconds. */
static void look(struct watch *w, struct limits limits) {
    double time = seconds_now();
    if (time < w->looked + 0.05)
        return;
    struct effort now = effort_below(w->pid);
    bool idle = idle_for(&w->idle, now, w->asked ? 2.0 : limits.idle_seconds);
    w->looked = time;
    if (limits.resident && now.pages > limits.resident / sysconf(_SC_PAGESIZE)) {
        w->swelled = true;
        kill(w->group, SIGKILL);
    }
    if (w->asked && (idle || now.work > w->asked_after + 2.0))
        kill(w->group, SIGKILL);
    else if (!w->asked && idle && limits.idle_seconds > 0.0)
        w->over = true;
    if (w->over || w->flooded)
        ask_where(w, now);
}

static _Noreturn void give_up(const struct watch *w, const char *program, double seconds) {
    kill(w->group, SIGKILL);
    fprintf(stderr,
            "The machine is too busy: %s has not ended after %g minutes. Nothing is judged. Try "
            "again later.\n",
            program, seconds / 60.0);
    exit(CHILD_NOT_JUDGED);
}

static void watch(struct watch *w, struct child *child, const char *program, struct limits limits) {
    const char *asked = getenv("LOOKBACK_LAST_RESORT");
    double most = limits.attached ? INFINITY : asked ? atof(asked) : 900.0;
    double begun = seconds_now(), end = begun + most;
    while (w->open > 0 || !w->reaped) { /* it may close its pipes and continue */
        int ready = poll(w->fds, PIPES, w->open > 0 ? 50 : 1);
        for (int i = 0; ready > 0 && i < PIPES; i++)
            if (w->fds[i].fd >= 0 && w->fds[i].revents)
                take(w, child, i, limits.output);
        look(w, limits);
        if (seconds_now() > end)
            give_up(w, program, most);
        if (limits.wall_seconds > 0.0 && seconds_now() > begun + limits.wall_seconds && !w->over) {
            w->over = true;
            kill(w->group, SIGKILL);
        }
        if (ready == 0 && w->reaped) /* its own children hold the pipes open */
            return;
        if (ready == 0 && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
            w->reaped = true; /* read its pipes again: output may have come since */
    }
}

static void conclude(struct watch *w, struct child *child, struct limits limits) {
    if (w->group != w->pid)
        kill(w->group, SIGKILL);
    for (int i = 0; i < PIPES; i++)
        if (w->fds[i].fd >= 0)
            close(w->fds[i].fd);
    double worked = seconds_worked(RUSAGE_CHILDREN) - w->work;
    bool signalled = WIFSIGNALED(w->status);
    child->status = signalled ? WTERMSIG(w->status) : WEXITSTATUS(w->status);
    child->ending = signalled ? SIGNALLED : ENDED;
    if (w->flooded)
        child->ending = FLOODED;
    else if (w->over || (signalled && (child->status == SIGXCPU || child->status == SIGPROF)) ||
             (signalled && child->status == SIGKILL && worked >= limits.cpu_seconds) ||
             (!signalled && child->status == CHILD_TIME_IS_UP))
        child->ending = TIMED_OUT;
    child->waited = w->over;
    child->swelled = w->swelled;
    child->seconds = child->waited ? limits.idle_seconds : limits.cpu_seconds;
}

static void open_pipes(struct watch *w, int pipes[PIPES][2]) {
    for (int i = 0; i < PIPES; i++) {
        if (pipe(pipes[i]) != 0)
            die("pipe: %s", strerror(errno));
        fcntl(pipes[i][0], F_SETFD, FD_CLOEXEC);
        w->fds[i] = (struct pollfd){.fd = pipes[i][0], .events = POLLIN};
    }
}

void child_run(struct child *child, char *const argv[], struct limits limits) {
    int pipes[PIPES][2];
    struct watch w = {.open = PIPES, .work = seconds_worked(RUSAGE_CHILDREN)};
    *child = (struct child){0};
    open_pipes(&w, pipes);
    stop_with_us(limits.attached);
    fflush(NULL);
    w.pid = fork();
    if (w.pid < 0)
        die("fork: %s", strerror(errno));
    if (w.pid == 0)
        become(argv, pipes, limits);
    w.group = limits.attached ? w.pid : -w.pid;
    if (!limits.attached)
        setpgid(w.pid, w.pid);
    running = w.group;
    for (int i = 0; i < PIPES; i++)
        close(pipes[i][1]);
    idle_again(&w.idle);
    watch(&w, child, argv[0], limits);
    conclude(&w, child, limits);
    running = 0;
    signal(SIGINT, SIG_DFL);
}

static int terminal; /* of a process apart: where the learner is */

static void look_at_terminal(int number) {
    struct pollfd closed = {.fd = terminal};
    (void)number;
    if (poll(&closed, 1, 0) > 0)
        on_stop(SIGHUP);
}

/* With the terminal this process ends. */
static void end_with_terminal(void) {
    struct sigaction look = {.sa_handler = look_at_terminal, .sa_flags = SA_RESTART};
    const struct itimerval often = {{0, 250000}, {0, 250000}};
    sigaction(SIGALRM, &look, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

/* It is the child of a child, so that nobody has to wait for it. */
bool child_apart(void) {
    fflush(NULL);
    pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child != 0)
        return false;
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(nothing, i);
    setsid();
    setpriority(PRIO_PROCESS, 0, 10);
    if (fork() != 0)
        _exit(0);
    end_with_terminal();
    return true;
}

bool child_end(int pid) {
    return pid > 1 && kill((pid_t)pid, SIGTERM) == 0;
}

_Noreturn void child_become(char *const argv[]) {
    fflush(stdout);
    execvp(argv[0], argv);
    die("%s: %s", argv[0], strerror(errno));
}

/* --- command lines ---------------------------------------------------------------------------- */

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
