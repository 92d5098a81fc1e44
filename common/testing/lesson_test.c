/* Runs the tests of a lesson with Unity. Under the tutor, everything that a test reports goes to
   a pipe as lines that begin with their kind. By hand, the lines for a person are printed, and a
   timer stops a test that takes too long. */
#include "lesson_test.h"

#include "seconds.h"
#include "todo.h"
#include "unity.h"
#include "where.h"
#include "work.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

static int tutor = -1; /* the pipe to the tutor, or -1: run by hand */
const bool details_are_read = true, loops_are_parallel = true;

static void send(const char *text, size_t length) {
    while (length > 0) {
        ssize_t sent = write(tutor, text, length);
        if (sent <= 0)
            _exit(4); /* the tutor has closed the pipe */
        text += sent;
        length -= (size_t)sent;
    }
}

/* "kind rest of the line" to the tutor; by hand, only what a person wants to read. */
static void tell(const char *kind, const char *format, va_list arguments) {
    char line[1024];
    int start =
        tutor < 0 ? snprintf(line, sizeof line, "    ") : snprintf(line, sizeof line, "%s ", kind);
    int length = vsnprintf(line + start, sizeof line - (size_t)start - 1, format, arguments);
    if (length < 0)
        return;
    strcat(line, "\n");
    if (tutor < 0)
        fputs(line, stdout);
    else
        send(line, strlen(line));
}

void report(char kind, const char *format, ...) {
    char word[2] = {kind, '\0'};
    va_list arguments;
    if (tutor < 0 && strchr("<~%", kind))
        return; /* only the tutor can tell inputs from a test's own numbers, and compares tests */
    va_start(arguments, format);
    tell(word, format, arguments);
    va_end(arguments);
}

/* A line that only the tutor needs. */
__attribute__((format(printf, 2, 3))) static void announce(const char *kind, const char *format,
                                                           ...) {
    if (tutor < 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    tell(kind, format, arguments);
    va_end(arguments);
}

/* Unity prints through this, a character at a time. */
void report_character(int c);
void report_character(int c) {
    static char line[1024];
    static size_t length;
    if (tutor < 0) {
        putchar(c);
        return;
    }
    if (length < sizeof line - 1 || c == '\n')
        line[length++] = (char)c;
    if (c == '\n') {
        send("unity ", 6);
        send(line, length);
        length = 0;
    }
}

static void not_written_yet(const char *file, int line, const char *function, const char *hint) {
    char message[512];
    announce("todo", "%s %s:%d", function, file, line);
    snprintf(message, sizeof message, "%s() is not written yet: %s", function, hint);
    UnityIgnore(message, (UNITY_LINE_TYPE)line);
}

static bool selected(int argc, char **argv, const struct lesson_test *test) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], test->exercise) == 0 || strcmp(argv[i], test->name) == 0)
            return true;
    return argc < 2;
}

static bool open_report(void) {
    const char *number = getenv("LOOKBACK_REPORT");
    if (!number)
        return false;
    tutor = atoi(number);
    return true;
}

/* --- time, by hand: the tutor has limits of its own ----------------------------------------- */

enum { SECONDS = 20 };     /* of CPU time for a test */
static char too_long[600]; /* the message for the running test when the time is over */

/* True while a debugger looks on: then the time is that of a person. */
static bool is_debugged(void) {
#ifdef __APPLE__
    struct kinfo_proc process = {0};
    size_t size = sizeof process;
    int what[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()};
    return sysctl(what, 4, &process, &size, NULL, 0) == 0 &&
           (process.kp_proc.p_flag & P_TRACED) != 0;
#else
    char status[4096];
    int file = open("/proc/self/status", O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, status, sizeof status - 1);
    if (file >= 0)
        close(file);
    status[length > 0 ? length : 0] = '\0';
    const char *tracer = strstr(status, "TracerPid:");
    return tracer && tracer[10 + strspn(tracer + 10, " \t")] != '0';
#endif
}

/* A loop may be interrupted anywhere, in the middle of printf() as well. */
static void on_too_long(int number) {
    (void)number;
    if (is_debugged())
        return;
    ssize_t written = write(STDOUT_FILENO, too_long, strlen(too_long));
    _exit(written < 0 ? 4 : 124);
}

static void start_clock(const struct lesson_test *test) {
    const char *asked = getenv("LOOKBACK_SECONDS");
    double seconds = asked && atof(asked) > 0.0 ? atof(asked) : SECONDS;
    double whole, part = modf(seconds, &whole);
    struct itimerval timer = {.it_value = {(time_t)whole, (suseconds_t)(1e6 * part)}};
    struct sigaction action = {.sa_handler = on_too_long, .sa_flags = SA_RESTART};
    snprintf(too_long, sizeof too_long,
             "%s:%d:%s:FAIL: stopped after %g s of work: a loop that does not end, or one that "
             "does far too much? make says where.\n",
             test->file, test->line, test->name, seconds);
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void stop_clock(void) {
    setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL);
}

/* --- running -------------------------------------------------------------------------------- */

static void (*running)(void);
static bool returned;

/* A test that was left by a jump has not passed, even if Unity counts it. */
static void run_to_its_end(void) {
    running();
    returned = true;
}

static bool run_test(const struct lesson_test *test) {
    announce("run", "%s %s", test->exercise, test->name);
    if (tutor >= 0)
        putchar('\1'); /* what follows on stdout was printed during this test */
    UNITY_COUNTER_TYPE bad = Unity.TestFailures + Unity.TestIgnores;
    running = test->run;
    returned = work_is_bounded = false;
    double worked = work_seconds ? work_seconds() : 0.0;
    double began = seconds_now(); /* the learner's code may run in another process */
    Unity.TestFile = test->file;
    if (tutor < 0)
        start_clock(test);
    UnityDefaultTestRun(run_to_its_end, test->name, test->line);
    if (tutor < 0)
        stop_clock();
    announce("took", "%.4f", seconds_now() - began);
    if (work_is_bounded && work_seconds)
        announce("cost", "%.6f", work_seconds() - worked);
    if (returned || Unity.TestFailures + Unity.TestIgnores > bad)
        return true;
    report('@', "left");
    return false;
}

int run_tests(int argc, char **argv) {
    bool tutored = open_report();
    int count;
    struct lesson_test *all = all_tests(&count);
    const char *file = count > 0 ? all[0].unit : argv[0];
    setvbuf(stdout, NULL, tutored ? _IONBF : _IOLBF, BUFSIZ);
    todo_reached = not_written_yet;
    where_start(report);
    if (tutored)
        where_forbid_processes();
    int ran = 0, left = 0;
    for (int i = 0; i < count; i++)
        if (selected(argc, argv, &all[i]))
            announce("plan", "%s %s", all[i].exercise, all[i].name);
    UnityBegin(file);
    for (int i = 0; i < count; i++) {
        if (!selected(argc, argv, &all[i]))
            continue;
        left += !run_test(&all[i]);
        ran++;
    }
    int failures = UnityEnd();
    free(all);
    where_finish();
    announce("done", "%d", ran);
    if (ran == 0) {
        fprintf(stderr, "no such exercise or test in %s\n", file);
        return 2;
    }
    return failures + left +
           (int)Unity.TestIgnores; /* a function that is not written has not passed */
}
