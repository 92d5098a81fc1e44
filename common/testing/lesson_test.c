/* Runs the tests of a lesson with Unity. Under the tutor, everything that a test reports goes to
   a pipe as lines that begin with their kind. By hand, the lines for a person are printed, and a
   timer stops a test that takes too long. */
#include "lesson_test.h"

#include "laws.h"
#include "seconds.h"
#include "todo.h"
#include "trap.h"
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
static bool silent;    /* a test runs once more, and reports nothing */
static bool no_number; /* the failed EXPECT of the running test has a NaN or an infinity */
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
    if (silent)
        return;
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
    no_number = no_number || (*kind == '~' && (strstr(line, "nan") || strstr(line, "inf")));
}

void report(char kind, const char *format, ...) {
    char word[2] = {kind, '\0'};
    va_list arguments;
    if (tutor < 0 && strchr("<~%?", kind))
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
    if (c == '\n' && silent) {
        length = 0;
    } else if (c == '\n') {
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
    returned = work_is_bounded = no_number = false;
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

/* --- a second look ---------------------------------------------------------------------------- */

/* The first test of an exercise that has failed. */
struct failed {
    const struct lesson_test *test;
    bool no_number;
};

static void leave(int number) {
    (void)number;
    _exit(0);
}

/* From now on nothing that the learner's code does has a consequence: it may crash, loop or print
   here, which it has not done in a test. Returns standard error. */
static int end_quietly(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
    const struct itimerval half_a_second = {.it_value = {0, 500000}};
    struct sigaction action = {.sa_handler = leave};
    fflush(NULL);
    int errors = dup(STDERR_FILENO), nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    setitimer(ITIMER_PROF, &half_a_second, NULL);
    return errors;
}

static const struct lesson_test *again;

static void run_again(void) {
    UnityDefaultTestRun(again->run, again->name, again->line);
}

/* The stack of the first NaN, between two marks. */
static void find_no_number(const struct lesson_test *test, int errors) {
    int nothing = dup(STDERR_FILENO);
    again = test;
    dup2(errors, STDERR_FILENO);
    fputs("\1\n", stderr);
    silent = true;
    const char *seen = trap_run(run_again);
    silent = false;
    fputs("\1\n", stderr);
    fflush(stderr);
    dup2(nothing, STDERR_FILENO);
    report('^', "%s", seen ? seen : "");
}

/* Facts about each exercise that is wrong, told of its first test that has failed. */
static void look_again(const struct failed *all, int count) {
    int errors = end_quietly();
    for (int i = 0; i < count; i++) {
        const struct lesson_test *test = all[i].test;
        announce("again", "%s %s", test->exercise, test->name);
        if (all[i].no_number)
            find_no_number(test, errors);
        laws_report(test->exercise);
    }
    dup2(errors, STDERR_FILENO); /* for leaks */
}

static void note_failed(struct failed *all, int *count, const struct lesson_test *test) {
    if (*count == 0 || strcmp(all[*count - 1].test->exercise, test->exercise) != 0)
        all[(*count)++] = (struct failed){test, no_number};
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
    struct failed *failed = calloc((size_t)count + 1, sizeof *failed);
    int ran = 0, left = 0, failed_count = 0;
    for (int i = 0; i < count; i++)
        if (selected(argc, argv, &all[i]))
            announce("plan", "%s %s", all[i].exercise, all[i].name);
    UnityBegin(file);
    for (int i = 0; i < count; i++) {
        if (!selected(argc, argv, &all[i]))
            continue;
        UNITY_COUNTER_TYPE before = Unity.TestFailures;
        left += !run_test(&all[i]);
        ran++;
        if (failed && Unity.TestFailures > before)
            note_failed(failed, &failed_count, &all[i]);
    }
    int failures = UnityEnd();
    where_finish();
    announce("done", "%d", ran);
    if (tutored && failed_count > 0)
        look_again(failed, failed_count);
    free(failed);
    free(all);
    if (ran == 0) {
        fprintf(stderr, "no such exercise or test in %s\n", file);
        return 2;
    }
    return failures + left +
           (int)Unity.TestIgnores; /* a function that is not written has not passed */
}
