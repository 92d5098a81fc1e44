/* Linked into a lesson's test program in place of a student's object: carries the calls of its
   tests to the box where that object is, and brings back what comes of them. The first call starts
   the box, for the program $LOOKBACK_BOX. Everything that the box sends has a
   size that is known here, and nothing else of it is believed. What it prints goes where this
   program prints. The tutor looks after both. When the box ends, so does this program, in the same
   way. */
#define _GNU_SOURCE
#include "grade/caller.h"

#include "base/child.h"
#include "lesson_test.h"
#include "memory.h"
#include "observed.h"
#include "seconds.h"
#include "statics.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { REQUEST, REPLY, INFO, PIPES };
enum { OUR_STATUS = 3 };

/* A box, or a process without one; `first` is the first process of its world, `inside` the one that
   works there. */
static struct box {
    pid_t pid, first, inside;
    FILE *ends[PIPES]; /* ours */
} box;

/* A failure of ours. The tutor knows it by the '#', which no box can send. */
static _Noreturn void fail(const char *what, const char *why) {
    report('#', "%s: %s", what, why);
    _exit(OUR_STATUS);
}

/* --- starting a box ------------------------------------------------------------------------- */

/* The program in the box is the child of the first process there, once there has been an answer.
   Without a box it is the process itself. */
static pid_t find_inside(void) {
    char path[64], text[64] = "";
    if (box.inside)
        return box.inside;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)box.first, (int)box.first);
    FILE *file = fopen(path, "r");
    if (file && !fgets(text, sizeof text, file))
        text[0] = '\0';
    if (file)
        fclose(file);
    return box.inside = atoi(text);
}

/* The tutor asks where this program is. The answer is in the box. */
static void pass_on(int number) {
    if (box.inside)
        kill(box.inside, number);
}

/* Opens our ends, and the box's in `other`, all far from the numbers that the box has. */
static void open_pipes(int other[PIPES]) {
    for (int i = 0; i < PIPES; i++) {
        int pair[2];
        if (pipe2(pair, O_CLOEXEC) != 0)
            fail("cannot open pipes", strerror(errno));
        int end = fcntl(pair[i == REQUEST], F_DUPFD_CLOEXEC, 100);
        other[i] = fcntl(pair[i != REQUEST], F_DUPFD_CLOEXEC, 100);
        close(pair[0]);
        close(pair[1]);
        box.ends[i] = fdopen(end, i == REQUEST ? "w" : "r");
    }
}

/* Not by fork(), which common/testing/where.c forbids. The script waits for the box, as bwrap ends
   its box with the thread that started it, and a test's threads come and go. */
static void spawn(const int other[PIPES]) {
    char *const words[] = {"sh", getenv("LOOKBACK_BOXES"), "run", getenv("LOOKBACK_BOX"), NULL};
    enum { FIRST_PLACE = 3 };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < PIPES; i++)
        posix_spawn_file_actions_adddup2(&actions, other[i], FIRST_PLACE + i);
    int error = posix_spawnp(&box.pid, words[0], &actions, &attributes, words, environ);
    if (error)
        fail("a shell for a box", strerror(error));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

/* bwrap names the first process in the box: "child-pid": 123. It would break if its pipe were
   closed early. Without a box, this is the program itself. */
static void meet(void) {
    char line[200];
    while (!box.first && fgets(line, sizeof line, box.ends[INFO]))
        sscanf(line, " \"child-pid\": %d", &box.first);
    if (!box.first)
        fail("a box did not start", "bwrap said nothing of it");
    if (box.first == box.pid)
        box.inside = box.pid;
}

static void stop_box(void);

static void start(void) {
    static bool started;
    int other[PIPES];
    for (int fd = 3; fd < 256; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC); /* the tutor's pipe above all */
    box = (struct box){0};
    open_pipes(other);
    spawn(other);
    for (int i = 0; i < PIPES; i++)
        close(other[i]);
    if (!started) {
        signal(SIGPIPE, SIG_IGN);
        signal(SIGXCPU, pass_on);
        atexit(stop_box);
    }
    started = true;
    meet();
}

/* --- its end -------------------------------------------------------------------------------- */

static void kill_box(void) {
    if (box.first)
        kill(box.first, SIGKILL);
    kill(box.pid, SIGKILL);
}

/* Lets it end by itself. Returns the status or, as a negative number, the signal with which we end,
   too. Without a box the signal is that of the process; bwrap tells of it by its status. What does
   not heed its limit of CPU time is killed by the system. */
static int end(void) {
    int status = 0;
    struct rlimit cpu;
    fclose(box.ends[REQUEST]);
    waitpid(box.pid, &status, 0);
    fclose(box.ends[REPLY]);
    fclose(box.ends[INFO]);
    box.pid = 0;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    if (number == SIGKILL && getrlimit(RLIMIT_CPU, &cpu) == 0 &&
        seconds_worked(RUSAGE_CHILDREN) >= (double)cpu.rlim_cur)
        return CHILD_TIME_IS_UP;
    return number > 0 && number < 32 ? -number : WEXITSTATUS(status);
}

/* At the end of the program: it may have left something behind, a leak above all. */
static void stop_box(void) {
    bool left = call_is_open();
    if (box.pid && left)
        kill_box();
    int status = box.pid ? end() : 0;
    if (status != 0 && !left) {
        fflush(NULL);
        _exit(status > 0 ? status : 1);
    }
}

/* It ended in the middle of a call: we end as it did, and the tutor explains it. */
static _Noreturn void end_as(void) {
    int status = end();
    fflush(NULL);
    if (status < 0) {
        sigset_t all;
        sigfillset(&all);
        signal(-status, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        kill(getpid(), -status);
    }
    _exit(status);
}

/* --- bytes ---------------------------------------------------------------------------------- */

void carry(const void *from, size_t size) {
    if (fwrite(from, 1, size, box.ends[REQUEST]) != size)
        end_as();
}

/* Before it waits, all that is to go has gone. */
void carry_back(void *to, size_t size) {
    if (fflush(box.ends[REQUEST]) != 0 || fread(to, 1, size, box.ends[REPLY]) != size)
        end_as();
    find_inside();
}

void carry_start(void) {
    if (!box.pid)
        start();
}

_Noreturn void carry_broken(const char *what) {
    report('@', "%s", what);
    if (!box.pid)
        _exit(1);
    kill_box();
    end_as();
}

/* A test jumped out of a call, from a function that was called back: what goes on in there is of no
   use any more. */
void carry_left(void) {
    kill_box();
    end();
}

/* --- static variables, memory, and what is seen of a call: those in the box ----------------- */

static struct there {
    bool kept;
    double memory;
    char changed[100];
    struct observed seen;
} there;

static struct there *ask(int function) {
    const char *text = call_ask(function);
    int length = (int)strcspn(text, "\n");
    there.kept = call_int_back();
    there.seen.working = call_int_back();
    there.seen.began_apart = (unsigned long)call_int_back();
    there.seen.ended_apart = (unsigned long)call_int_back();
    call_result(&there.memory, sizeof there.memory);
    snprintf(there.seen.shared, sizeof there.seen.shared, "%.*s", length, text);
    snprintf(there.changed, sizeof there.changed, "%s", text + length + (text[length] == '\n'));
    return &there;
}

void statics_remember(void) {
    ask(REMEMBER_STATICS);
}

bool statics_kept(void) {
    return ask(LOOK)->kept;
}

const char *statics_changed(void) {
    return there.changed;
}

double memory_most(void) {
    return ask(LOOK)->memory;
}

struct observed observed(void) {
    return ask(LOOK)->seen;
}

/* --- what it costs, seen from outside ------------------------------------------------------- */

static double seconds_in_box(void) {
    clockid_t clock;
    struct timespec worked;
    if (!box.pid)
        memory_most(); /* starting it is no cost of a test */
    pid_t pid = find_inside();
    if (!pid || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &worked) != 0)
        return 0.0;
    return (double)worked.tv_sec + 1e-9 * (double)worked.tv_nsec;
}

__attribute__((constructor)) static void count_seconds(void) {
    work_seconds = seconds_in_box;
}
