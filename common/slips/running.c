/* Runs a lesson's own tests once for each slip of a file that writing.c made, and reports how they
   fail. It stands in for common/lesson_test.c; the tests' objects are those of the lesson.

   Each line on the pipe LOOKBACK_REPORT: "SLIP TEST ~ what expect.c says of a failed EXPECT"; or
   "X" for a crash, "=", "!" and "@" with what a learner reads, "T" for rounds without end, "S" for
   a
   TODO, "U" for another failure. Slip 0 is the file as it is. "heavy TEST": too long to be run for
   a slip that has failed before. "all": it came to its end. "test EXERCISE TEST" comes first. */
/* For MAP_ANONYMOUS. */
#define _DEFAULT_SOURCE

#include "running.h"

#include "../lesson_test.h"
#include "../todo.h"
#include "../where.h"
#include "unity.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_TESTS = 400, HEAVY = 20000, UNKNOWN = 2000000, MOST_WORK = 20000000 };

int slip, slip_copy, slip_unit;
unsigned long slip_limit;

/* What the parent knows of a child that crashed. */
static struct progress {
    int entry, test;                /* -1: slip 0 */
    bool failed;                    /* the running slip, in an earlier test */
    unsigned long work[MOST_TESTS]; /* of the file as it is; 0: not known */
} * progress;

static FILE *out;
static const char *running; /* the test */
static bool told;

static void tell(const char *what) {
    told = true;
    fprintf(out, "%d %s %s", slip, running, what);
}

int slip_over(void) {
    tell("T\n");
    UnityFail("", 0);
    return 0;
}

void report(char kind, const char *format, ...) {
    if (!strchr("~=!@", kind) || (kind == '~' && told))
        return;
    va_list arguments;
    fprintf(out, "%d %s %c ", slip, running, kind);
    told = told || kind == '~';
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
}

void report_character(int c);
void report_character(int c) {
    (void)c;
}

static void not_written_yet(const char *file, int line, const char *function, const char *hint) {
    (void)file, (void)function, (void)hint;
    tell("S\n");
    UnityIgnore("", (UNITY_LINE_TYPE)line);
}

static void run_test(const struct lesson_test *test, int index) {
    unsigned long known = progress->work[index], before = work_done;
    progress->test = index;
    running = test->name;
    told = false;
    slip_limit = before + (slip == 0 ? MOST_WORK : known > 0 ? 20 * known + 100000 : UNKNOWN);
    Unity.TestFailures = Unity.TestIgnores = 0;
    UnityDefaultTestRun(test->run, test->name, test->line);
    if (Unity.TestFailures > 0 && !told)
        tell("U\n");
    progress->failed = progress->failed || told;
    slip_limit = ~0ul;
    if (slip == 0)
        progress->work[index] = told ? 0 : work_done - before + 1;
    if (slip == 0 && work_done - before > HEAVY && !told)
        fprintf(out, "heavy %s\n", running);
    fflush(out);
}

static bool is_of(const struct lesson_test *test, const struct slip_entry *entry) {
    return strcmp(test->exercise, entry->exercise) == 0;
}

static bool is_of_any(const struct lesson_test *test) {
    for (const struct slip_entry *e = slip_list; e->number; e++)
        if (is_of(test, e))
            return true;
    return false;
}

/* From the place where the child before crashed; slip 0 first. */
static void run_from(int entry, int test, int count, const struct lesson_test *tests) {
    for (; entry < 0 || slip_list[entry].number; entry++, test = 0) {
        const struct slip_entry *e = entry < 0 ? NULL : &slip_list[entry];
        progress->entry = entry;
        progress->failed = false;
        slip = e ? e->number : 0;
        slip_copy = e ? e->copy : 0;
        slip_unit = e ? e->unit : 0;
        for (; test < count && test < MOST_TESTS; test++)
            if ((e ? is_of(&tests[test], e) : is_of_any(&tests[test])) &&
                !(e && progress->failed && progress->work[test] > HEAVY))
                run_test(&tests[test], test);
    }
    fputs("all\n", out);
    fflush(out);
    where_finish();
    _exit(0);
}

int run_tests(int argc, char **argv, const char *file, int count, const struct lesson_test *tests) {
    const char *number = getenv("LOOKBACK_REPORT");
    int entry = -1, test = 0, status;
    (void)argc, (void)argv;
    out = number ? fdopen(atoi(number), "w") : stdout;
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!out || progress == MAP_FAILED)
        return 2;
    todo_reached = not_written_yet;
    for (int i = 0; i < count; i++)
        if (is_of_any(&tests[i]))
            fprintf(out, "test %s %s\n", tests[i].exercise, tests[i].name);
    for (;;) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            int nothing = open("/dev/null", O_WRONLY);
            dup2(nothing, STDOUT_FILENO);
            dup2(nothing, STDERR_FILENO);
            UnityBegin(file);
            where_start(report);
            run_from(entry, test, count, tests);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 0;
        entry = progress->entry;
        fprintf(out, "%d %s X\n", entry < 0 ? 0 : slip_list[entry].number,
                tests[progress->test].name);
        /* Of slip 0 the other tests are of use, of a slip that crashed they are not. */
        test = entry < 0 ? progress->test + 1 : 0;
        entry += entry >= 0;
        if (entry >= 0 && !slip_list[entry].number) {
            fputs("all\n", out);
            return fclose(out);
        }
    }
}
