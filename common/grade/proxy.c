/* Linked into a lesson's test program in place of a student's object: carries the calls of its
   tests to the box where that object is, and brings back what comes of them. The first call starts
   the box; $LOOKBACK_BOX is its command line, a word a line. Everything that the box sends has a
   size that is known here, and nothing else of it is believed. While a call waits, this program
   looks after the box: it forwards what is printed, and ends what works, sleeps or grows too much.
   When the box ends, so does this program, in the same way. */
#define _GNU_SOURCE
#include "grade/caller.h"

#include "base/child.h"
#include "base/effort.h"
#include "lesson_test.h"
#include "memory.h"
#include "observed.h"
#include "seconds.h"
#include "statics.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { REQUEST, REPLY, PRINTED, ERRORS, INFO, PIPES };
enum { MEMORY_MB = 512, OUR_STATUS = 3 };

/* A box, or a process without one; `first` is the first process of its world, `inside` the one that
   works there. */
static struct box {
    pid_t pid, first, inside;
    int ends[PIPES]; /* ours; -1: closed */
    char info[512];
    size_t info_length;
    bool boxed; /* by bwrap, which tells who is in there */
    double looked;
} box;

/* A failure of ours. The tutor knows it by the '#', which no box can send. */
static _Noreturn void fail(const char *what, const char *why) {
    report('#', "%s: %s", what, why);
    _exit(OUR_STATUS);
}

/* --- starting a box ------------------------------------------------------------------------- */

/* The processes that come of one. */
static pid_t child_of(pid_t parent) {
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
    FILE *file = fopen(path, "r");
    if (file && !fgets(text, sizeof text, file))
        text[0] = '\0';
    if (file)
        fclose(file);
    return atoi(text);
}

/* bwrap names the first process in the box, and the program is the child of that. Without a box it
   is the process itself. */
static pid_t find_inside(void) {
    if (box.first && !box.inside)
        box.inside = child_of(box.first);
    return box.boxed ? box.inside : box.pid;
}

/* The tutor asks where this program is. The answer is in the box. */
static void pass_on(int number) {
    pid_t pid = box.boxed ? box.inside : box.pid;
    if (pid)
        kill(pid, number);
}

/* Opens our ends, and the box's in `other`, all far from the numbers that the box has. */
static void open_pipes(int other[PIPES]) {
    for (int i = 0; i < PIPES; i++) {
        int pair[2];
        if (pipe2(pair, O_CLOEXEC) != 0)
            fail("cannot open pipes", strerror(errno));
        box.ends[i] = fcntl(pair[i == REQUEST], F_DUPFD_CLOEXEC, 100);
        other[i] = fcntl(pair[i != REQUEST], F_DUPFD_CLOEXEC, 100);
        close(pair[0]);
        close(pair[1]);
        fcntl(box.ends[i], F_SETFL, O_NONBLOCK);
    }
}

/* Not by fork(), which common/testing/where.c forbids. A shell cuts the command line into words. It
   waits for a box, as bwrap ends its box with the thread that started it, and a test's threads come
   and go. SIGXCPU is for the program inside. */
static void spawn(const int other[PIPES]) {
    static char *const boxed[] = {"sh", "-c",
                                  "trap '' XCPU; IFS='\n'; set -f; $LOOKBACK_BOX; exit $?", NULL};
    static char *const unboxed[] = {"sh", "-c", "IFS='\n'; set -f; exec $LOOKBACK_BOX", NULL};
    static const int places[PIPES] = {
        [PRINTED] = 1, [ERRORS] = 2, [REQUEST] = 3, [REPLY] = 4, [INFO] = 5};
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
        posix_spawn_file_actions_adddup2(&actions, other[i], places[i]);
    int error =
        posix_spawnp(&box.pid, "sh", &actions, &attributes, box.boxed ? boxed : unboxed, environ);
    if (error)
        fail("a shell for a box", strerror(error));
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
}

static void stop_box(void);

static void start(void) {
    static bool started;
    int other[PIPES];
    const char *command = getenv("LOOKBACK_BOX");
    if (!command)
        fail("LOOKBACK_BOX", "is not set");
    for (int fd = 3; fd < 256; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC); /* the tutor's pipe above all */
    box = (struct box){.boxed = strstr(command, "\n--info-fd\n") != NULL};
    open_pipes(other);
    spawn(other);
    for (int i = 0; i < PIPES; i++)
        close(other[i]);
    if (started)
        return;
    started = true;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXCPU, pass_on);
    atexit(stop_box);
}

/* --- looking after it ----------------------------------------------------------------------- */

static void shut(int *end) {
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* What it prints goes on to our own outputs, where the tutor counts and cuts it; the mark of a new
   test is not theirs to set. */
static void forward(int *end, int to) {
    char part[8192];
    ssize_t got = read(*end, part, sizeof part);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    for (ssize_t k = 0; k < got; k++)
        if (part[k] == '\1')
            part[k] = '?';
    for (ssize_t k = 0, n; k < got; k += n)
        if ((n = write(to, part + k, (size_t)(got - k))) <= 0)
            _exit(4);
    if (got <= 0)
        shut(end);
}

/* bwrap's --info-fd, read to its end: "child-pid": 123. */
static void read_info(void) {
    ssize_t got =
        read(box.ends[INFO], box.info + box.info_length, sizeof box.info - 1 - box.info_length);
    if (got > 0)
        box.info_length += (size_t)got;
    else if (got == 0 || errno != EAGAIN)
        shut(&box.ends[INFO]);
    const char *at = strstr(box.info, "\"child-pid\":");
    if (at)
        box.first = atoi(at + strlen("\"child-pid\":"));
}

/* Ends what has too much memory. The address sanitizer cannot run under a limit of addresses, so
   its pages are counted. The tutor looks at the time. */
static void look_at_memory(void) {
    pid_t pid = seconds_now() < box.looked + 0.02 ? 0 : find_inside();
    if (!pid)
        return;
    box.looked = seconds_now();
    pid_t all = box.first ? box.first : pid;
    if (effort_below(all).pages / (1048576 / sysconf(_SC_PAGESIZE)) > MEMORY_MB) {
        report('@', "memory %d", MEMORY_MB);
        kill(all, SIGKILL);
    }
}

/* What was printed during a call belongs before what the test says of it. */
static void forward_printed(void) {
    while (box.ends[PRINTED] >= 0 && poll(&(struct pollfd){box.ends[PRINTED], POLLIN, 0}, 1, 0) > 0)
        forward(&box.ends[PRINTED], 1);
}

/* Waits so long for what the box says and for pipe `i`, if it is not -1, and forwards what was
   printed. True if pipe `i` can go on. A reply is there before what was printed ahead of it is
   looked for: where nothing is found, there was nothing. */
static bool look_at_pipes(int i, int milliseconds) {
    struct pollfd fds[PIPES];
    for (int k = 0; k < PIPES; k++)
        fds[k] = (struct pollfd){k == REQUEST || k == REPLY ? -1 : box.ends[k], POLLIN, 0};
    if (i >= 0)
        fds[i] = (struct pollfd){box.ends[i], i == REQUEST ? POLLOUT : POLLIN, 0};
    if (poll(fds, PIPES, milliseconds) <= 0)
        return false;
    if (fds[INFO].revents)
        read_info();
    if (fds[PRINTED].revents)
        forward(&box.ends[PRINTED], 1);
    if (fds[ERRORS].revents)
        forward(&box.ends[ERRORS], 2);
    bool ready = i >= 0 && fds[i].revents;
    if (ready && fds[PRINTED].revents)
        forward_printed();
    return ready;
}

/* Waits until pipe `i` can go on, and looks after the box meanwhile. */
static void wait_for(int i) {
    bool ready = false;
    while (!ready) {
        ready = look_at_pipes(i, 20);
        look_at_memory();
    }
}

/* --- its end -------------------------------------------------------------------------------- */

static void kill_box(void) {
    if (box.first)
        kill(box.first, SIGKILL);
    kill(box.pid, SIGKILL);
}

/* Lets it end by itself; returns how it did. */
static int end(void) {
    int status = 0;
    shut(&box.ends[REQUEST]);
    while (waitpid(box.pid, &status, WNOHANG) == 0) {
        look_at_pipes(-1, box.ends[PRINTED] >= 0 || box.ends[ERRORS] >= 0 ? 20 : 1);
        look_at_memory();
    }
    for (int i = 0; i < 100; i++) /* its last words */
        look_at_pipes(-1, 0);
    for (int i = 0; i < PIPES; i++)
        shut(&box.ends[i]);
    box.pid = 0;
    return status;
}

/* The status or, as a negative number, the signal with which we end, too. Without a box the signal
   is that of the process; bwrap tells of it by its status. What does not heed its limit of CPU time
   is killed by the system. */
static int how_it_ended(int status) {
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
    struct rlimit cpu;
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
    int status = box.pid ? how_it_ended(end()) : 0;
    if (status != 0 && !left) {
        fflush(NULL);
        _exit(status > 0 ? status : 1);
    }
}

/* It ended in the middle of a call: we end as it did, and the tutor explains it. */
static _Noreturn void end_as(void) {
    int status = how_it_ended(end());
    if (box.boxed && box.info_length == 0)
        fail("a box did not start", "bwrap said nothing of it");
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

static FILE *requests, *replies;

/* All of it, or nothing once the box has gone. */
static ssize_t send_bytes(void *nothing, const char *from, size_t size) {
    (void)nothing;
    for (size_t gone = 0; gone < size;) {
        ssize_t sent = write(box.ends[REQUEST], from + gone, size - gone);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            wait_for(REQUEST);
        else if (sent <= 0)
            return box.pid ? end_as(), 0 : 0;
        else
            gone += (size_t)sent;
    }
    return (ssize_t)size;
}

/* Before it waits, all that is to go has gone. */
static ssize_t receive_bytes(void *nothing, char *to, size_t most) {
    ssize_t got;
    (void)nothing;
    fflush(requests);
    do
        wait_for(REPLY);
    while ((got = read(box.ends[REPLY], to, most)) < 0 && (errno == EAGAIN || errno == EINTR));
    if (got <= 0)
        end_as();
    return got;
}

static void open_streams(void) {
    static char going[1 << 16], coming[1 << 16];
    requests = fopencookie(NULL, "w", (cookie_io_functions_t){.write = send_bytes});
    replies = fopencookie(NULL, "r", (cookie_io_functions_t){.read = receive_bytes});
    setvbuf(requests, going, _IOFBF, sizeof going);
    setvbuf(replies, coming, _IOFBF, sizeof coming);
}

void carry(const void *from, size_t size) {
    fwrite(from, 1, size, requests);
}

void carry_back(void *to, size_t size) {
    if (fread(to, 1, size, replies) != size)
        end_as();
}

void carry_start(void) {
    if (!requests)
        open_streams();
    if (!box.pid) {
        start();
        __fpurge(requests);
        __fpurge(replies);
    }
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
    while (box.boxed && box.ends[INFO] >= 0 && !box.first)
        read_info();
    pid_t pid = find_inside();
    if (!pid || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &worked) != 0)
        return 0.0;
    return (double)worked.tv_sec + 1e-9 * (double)worked.tv_nsec;
}

__attribute__((constructor)) static void count_seconds(void) {
    work_seconds = seconds_in_box;
}
