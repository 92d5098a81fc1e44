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
#include "evidence.h"
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
#include <time.h>
#include <unistd.h>

enum { FIRST_PAIR = 1000000, MOST_PAIRS = 1500, PAIR_SECONDS = 4 };
enum { HEAVY = 20000, UNKNOWN = 2000000, MOST_WORK = 60000000 };

static int slip; /* its number; 0: the file as it is */
int slip_copy;
unsigned long slip_limit;

/* What the parent knows of a child that crashed. */
static struct progress {
    int entry, test;     /* -1: slip 0 */
    int other, pairs;    /* the second slip of a pair, and how many were found */
    bool *dead;          /* of each slip: crashes, or does not end, in a pair */
    bool failed;         /* the running slip, in an earlier test */
    unsigned long *work; /* of each test, by the file as it is; 0: not known */
} * progress;

static FILE *out;
static const char *asked; /* LOOKBACK_PAIR */
static bool silent;       /* nothing is told of this test, but whether it is as asked */
static bool as_asked;
static const char *running; /* the test */
static bool told;
static bool at_once = true; /* or when all tests of a slip have run */

static void tell(const char *what) {
    told = true;
    if (silent && *what == 'T')
        progress->dead[progress->entry] = progress->dead[progress->other] = true;
    if (silent)
        return;
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
    char text[1200];
    told = told || kind == '~';
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (silent)
        as_asked = as_asked || (kind == '~' && same_evidence(text, asked));
    else
        fprintf(out, "%d %s %c %s\n", slip, running, kind, text);
    if (kind == '@' && at_once)
        fflush(out); /* nothing comes after it */
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
    if (slip == 0 && !silent)
        progress->work[index] = told ? 0 : work_done - before + 1;
    if (slip == 0 && !silent && work_done - before > HEAVY && !told)
        fprintf(out, "heavy %s\n", running);
    if (at_once)
        fflush(out);
}

static void turn_on(const struct slip_entry *e) {
    slip_copy = e->copy;
    if (e->unit > 0)
        slip_at[e->unit] = e->number;
}

static void turn_off(const struct slip_entry *e) {
    slip_copy = 0;
    slip_at[e->unit] = 0;
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

/* Few slips have a process each, and slip 0 always: what a function keeps from one call to the next
   is not to reach another. */
static bool alone;
enum { FEW = 40, AND_ON = 3 };

/* From the place where the child before crashed; slip 0 first. What a later slip has told is lost
   if that one crashes: it will be asked again, in a child that no slip before it has broken. */
static void run_from(int entry, int test, int count, const struct lesson_test *tests) {
    const int first = entry;
    for (; entry < 0 || slip_list[entry].number; entry++, test = 0) {
        const struct slip_entry *e = entry < 0 ? NULL : &slip_list[entry];
        progress->entry = entry;
        progress->failed = false;
        at_once = entry == first;
        slip = e ? e->number : 0;
        if (e)
            turn_on(e);
        for (; test < count; test++)
            if ((e ? is_of(&tests[test], e) : is_of_any(&tests[test])) &&
                !(e && progress->failed && progress->work[test] > HEAVY))
                run_test(&tests[test], test);
        if (e)
            turn_off(e);
        fflush(out);
        if (!e || alone) {
            where_finish();
            _exit(AND_ON);
        }
    }
    fputs("all\n", out);
    fflush(out);
    where_finish();
    _exit(0);
}

static void silence(void) {
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    where_start(report);
    where_forbid_processes();
    where_at_once = true;
}

/* --- pairs ---------------------------------------------------------------------------------- */

static void turn_both(const struct slip_entry *a, const struct slip_entry *b, bool on) {
    slip_copy = on ? a->copy : 0;
    slip_at[a->unit] = on ? a->number : 0;
    slip_at[b->unit] = on ? b->number : 0;
}

/* A change of a copy counts as two: that of the copy, and its own. */
static bool is_double(int a, int b) {
    return a == b && slip_list[a].twice && slip_list[a].unit > 0 && !progress->dead[a];
}

static bool may_meet(int a, int b) {
    const struct slip_entry *e = &slip_list[a], *f = &slip_list[b];
    return e->unit > 0 && f->unit > 0 && !e->twice && !f->twice && e->unit != f->unit &&
           e->copy == f->copy && strcmp(e->exercise, f->exercise) == 0 && !progress->dead[a] &&
           !progress->dead[b];
}

static void report_pair(int count, const struct lesson_test *tests) {
    const struct slip_entry *a = &slip_list[progress->entry], *b = &slip_list[progress->other];
    slip = FIRST_PAIR + progress->pairs++;
    fprintf(out, "pair %d %d %d\n", slip, a == b ? a->copy : a->number, b->number);
    silent = false;
    for (int i = 0; i < count; i++)
        if (is_of(&tests[i], a))
            run_test(&tests[i], i);
    silent = true;
    slip = 0;
}

/* From the pair after the one at which the child before crashed. */
static void run_pairs(int first, int second, int test, int count, const struct lesson_test *tests) {
    asked += strcspn(asked, " ") + 1;
    silent = true;
    for (progress->entry = first; slip_list[progress->entry].number;
         progress->entry++, second = 0) {
        progress->other = second > progress->entry ? second : progress->entry;
        for (; slip_list[progress->other].number; progress->other++) {
            if (progress->pairs == MOST_PAIRS || clock() > PAIR_SECONDS * CLOCKS_PER_SEC)
                break;
            if (!may_meet(progress->entry, progress->other) &&
                !is_double(progress->entry, progress->other))
                continue;
            turn_both(&slip_list[progress->entry], &slip_list[progress->other], true);
            as_asked = false;
            run_test(&tests[test], test);
            if (*asked ? as_asked : !told)
                report_pair(count, tests);
            turn_both(&slip_list[progress->entry], &slip_list[progress->other], false);
        }
    }
    fputs("all\n", out);
    fflush(out);
    where_finish();
    _exit(0);
}

static int named(const char *name, int count, const struct lesson_test *tests) {
    for (int i = 0; i < count; i++)
        if (strncmp(tests[i].name, name, strlen(tests[i].name)) == 0 &&
            name[strlen(tests[i].name)] == ' ')
            return i;
    return -1;
}

/* Each child goes on after the pair at which the one before it crashed. */
static int run_all_pairs(const char *file, int count, const struct lesson_test *tests) {
    int test = named(asked, count, tests), first = 0, second = 0, status;
    for (int crashes = 0; test >= 0 && crashes < 60; crashes++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            silence();
            UnityBegin(file);
            run_pairs(first, second, test, count, tests);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 0;
        first = progress->entry;
        second = progress->other + 1;
        /* Which of the two was it? The one that crashes with others, too. */
        progress->dead[crashes % 2 ? first : progress->other] = true;
    }
    fputs("all\n", out);
    return fclose(out);
}

/* Memory, all 0, that the children share. */
static void *shared(size_t size) {
    void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        exit(2);
    return made;
}

int run_tests(int argc, char **argv, const char *file, int count, const struct lesson_test *tests) {
    const char *number = getenv("LOOKBACK_REPORT");
    int entry = 0, test = 0, status;
    (void)argc, (void)argv;
    tests = all_tests(tests, &count);
    out = number ? fdopen(atoi(number), "w") : stdout;
    if (!out || setvbuf(out, NULL, _IOFBF, 1 << 20) != 0)
        return 2;
    while (slip_list[entry].number)
        entry++;
    progress = shared(sizeof *progress);
    progress->dead = shared((size_t)entry + 1);
    progress->work = shared(sizeof *progress->work * (size_t)(count + 1));
    todo_reached = not_written_yet;
    for (int i = 0; i < count; i++)
        if (is_of_any(&tests[i]))
            fprintf(out, "test %s %s\n", tests[i].exercise, tests[i].name);
    alone = entry <= FEW;
    entry = -1;
    asked = getenv("LOOKBACK_PAIR");
    if (asked)
        return run_all_pairs(file, count, tests);
    for (;;) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            silence();
            UnityBegin(file);
            run_from(entry, test, count, tests);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return 0;
        bool crashed = !WIFEXITED(status) || WEXITSTATUS(status) != AND_ON;
        if (crashed && progress->entry != entry) {
            entry = progress->entry;
            test = 0;
            continue; /* asked again */
        }
        if (crashed)
            fprintf(out, "%d %s X\n", entry < 0 ? 0 : slip_list[entry].number,
                    tests[progress->test].name);
        /* Of slip 0 the other tests are of use, of a slip that crashed they are not. */
        test = entry < 0 && crashed ? progress->test + 1 : 0;
        entry += entry >= 0 || !crashed;
        if (entry >= 0 && !slip_list[entry].number) {
            fputs("all\n", out);
            return fclose(out);
        }
    }
}
