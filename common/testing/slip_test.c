/* Runs a lesson's own tests once for each slip of a file that common/diagnose/writing.c made, and
   reports how they fail. It is linked in place of common/testing/lesson_test.c; the tests' objects
   are those of the lesson.

   Each line on the pipe LOOKBACK_REPORT: "SLIP TEST ~ what expect.c says of a failed EXPECT"; or
   "X" for a crash, "=", ":", "!" and "@" with what a learner reads, "%"
   with a relation of expect.c, "T" for rounds without end, "S" for
   a TODO, "U" for another failure. Slip 0 is the unchanged reference. "test EXERCISE TEST" comes
   first.
   "-": the test is so long that it was left out, since another one had failed; "/": another one had
   crashed. "all": it came to its end. */
/* For MAP_ANONYMOUS. */
#define _DEFAULT_SOURCE

#include "slip_test.h"

#include "laws.h"
#include "lesson_test.h"
#include "seconds.h"
#include "todo.h"
#include "trap.h"
#include "unity.h"
#include "where.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limits, in iterations of the lesson's loops: from here on a test is heavy; for a test whose work
   is unknown; for the unchanged reference. */
enum { HEAVY = 20000, UNKNOWN = 2000000, MOST_WORK = 60000000 };
/* With so few mistakes each runs in a process of its own, so that static variables of one do not
   reach the next. */
enum { FEW = 40 };
/* How a process ends that has not crashed. */
enum { ENDED = 3 };

static const struct lesson_test *tests;
static int test_count, slip_count;
static FILE *out;
unsigned long slip_limit;
const bool details_are_read = false, loops_are_parallel = false;

/* What a process leaves when it has crashed. */
static struct progress {
    int entry, test; /* -1: slip 0 */
    int slip;        /* the number of the mistake; 0: the reference */
} * progress;
static unsigned long *work; /* the work of each test with slip 0, until it ended; 0: unknown */
static bool *stopped;       /* it failed, and so did not come to its end */

static bool told;    /* of this test */
static bool failed;  /* the slip, in this test or one before */
static bool at_once; /* lines are written at once, not when all tests of the mistake have run */

/* --- what is reported ----------------------------------------------------------------------- */

static void tell(const char *what) {
    told = true;
    fprintf(out, "%d %s %s\n", progress->slip, tests[progress->test].name, what);
    if (at_once)
        fflush(out);
}

int slip_over(void) {
    tell("T");
    UnityFail("", 0);
    return 0;
}

void report(char kind, const char *format, ...) {
    char text[1200] = {kind, ' '};
    va_list arguments;
    bool saw = kind == '~', before = told;
    if (!strchr("~=:!@%?^", kind) || (saw && told))
        return;
    va_start(arguments, format);
    vsnprintf(text + 2, sizeof text - 2, format, arguments);
    va_end(arguments);
    tell(text);
    told = before || saw;
}

void report_character(int c);
void report_character(int c) {
    (void)c;
}

static void not_written_yet(const char *file, int line, const char *function, const char *hint) {
    (void)file, (void)function, (void)hint;
    tell("S");
    UnityIgnore("", (UNITY_LINE_TYPE)line);
}

/* --- one slip ------------------------------------------------------------------------------- */

/* The next one may go further than one that failed has, but not than a loop that did not end. */
static unsigned long limit_of(int test) {
    const unsigned long further = UNKNOWN + (work[test] < MOST_WORK ? 200 * work[test] : 0);
    if (progress->slip == 0)
        return MOST_WORK;
    if (work[test] > 0 && !stopped[test])
        return 20 * work[test] + 100000;
    return further < MOST_WORK ? further : MOST_WORK;
}

static void run_test(int index) {
    const struct lesson_test *test = &tests[index];
    unsigned long before = work_done;
    progress->test = index;
    told = false;
    slip_limit = before + limit_of(index);
    Unity.TestFailures = Unity.TestIgnores = 0;
    trap_watch();
    UnityDefaultTestRun(test->run, test->name, test->line);
    if (Unity.TestFailures > 0 && !told)
        tell("U");
    failed = failed || told;
    slip_limit = ~0ul;
    if (progress->slip == 0) {
        work[index] = work_done - before + 1;
        stopped[index] = told;
        if (trap_seen())
            fprintf(out, "0 %s ^\n", test->name);
    }
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

/* If a light test fails, the heavy ones are left out. For a listed mistake they run as well,
   because its sentence has to be true of all tests. */
static void run_tests_of(const struct slip_entry *e) {
    failed = false;
    for (int heavy = 0; heavy < 2; heavy++)
        for (int i = 0; i < test_count; i++)
            if (is_of(&tests[i], e) && (work[i] > HEAVY) == heavy) {
                if (failed && e->thorough < 0)
                    return;
                if (heavy && failed && !e->thorough)
                    fprintf(out, "%d %s -\n", progress->slip, tests[i].name);
                else
                    run_test(i);
            }
}

static void run_as_it_is(void) {
    at_once = true;
    for (int i = progress->test; i < test_count; i++)
        if (is_of_any(&tests[i]))
            run_test(i);
}

/* Beside the first of its tests. */
static void report_laws(const char *exercise) {
    progress->test = 0;
    while (strcmp(tests[progress->test].exercise, exercise) != 0)
        progress->test++;
    slip_limit = ~0ul;
    laws_report(exercise);
}

static void run_laws(void) {
    for (int i = 0; i < test_count; i++)
        if (is_of_any(&tests[i]) &&
            (i == 0 || strcmp(tests[i].exercise, tests[i - 1].exercise) != 0))
            report_laws(tests[i].exercise);
}

/* If a later mistake crashes, what it has reported is lost. It runs again as the first one of a
   process, which no mistake before it has damaged. */
static void run_slips(void) {
    at_once = true;
    do {
        const struct slip_entry *e = &slip_list[progress->entry];
        progress->slip = slip_at[e->place] = e->number;
        run_tests_of(e);
        if (e->laws)
            report_laws(e->exercise);
        slip_at[e->place] = 0;
        at_once = false;
        fflush(out);
    } while (++progress->entry < slip_count && slip_count > FEW);
}

/* --- processes ------------------------------------------------------------------------------ */

static void silence(void) {
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    where_start(report);
    where_forbid_processes();
    where_at_once = true;
}

/* The share of the CPU seconds that LOOKBACK_WORK allows this program and its processes together.
 */
static double seconds_left(void) {
    const char *most = getenv("LOOKBACK_WORK");
    return most ? atof(most) - seconds_worked(RUSAGE_SELF) - seconds_worked(RUSAGE_CHILDREN)
                : INFINITY;
}

/* The process ends with the last of them. */
static void limit_work(double seconds) {
    if (isinf(seconds))
        return;
    const struct timeval most = {(time_t)seconds, 1 + (suseconds_t)(999998 * fmod(seconds, 1.0))};
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = most}, NULL);
}

/* Runs it in a process of its own; true if it ends there without a crash. */
static bool ends(const char *file, void (*run)(void)) {
    const double left = seconds_left();
    int status;
    if (left <= 0.0)
        exit(2);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        limit_work(left);
        silence();
        UnityBegin(file);
        run();
        where_finish();
        fflush(out);
        _exit(ENDED);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        exit(2);
    return WIFEXITED(status) && WEXITSTATUS(status) == ENDED;
}

static void tell_crash(void) {
    fprintf(out, "%d %s X\n", progress->slip, tests[progress->test].name);
    progress->slip = 0;
}

/* The same for a mistake, without the tests that come later. */
static void tell_crash_of_slip(void) {
    const int number = progress->slip, at = progress->test;
    tell_crash();
    for (int i = 0; i < test_count; i++) {
        const bool heavy = work[i] > HEAVY, later = heavy == (work[at] > HEAVY) ? i > at : heavy;
        if (later && is_of(&tests[i], &slip_list[progress->entry]))
            fprintf(out, "%d %s /\n", number, tests[i].name);
    }
}

static void run_all_slips(const char *file) {
    progress->entry = -1;
    for (; !ends(file, run_as_it_is); progress->test++) /* the other tests are of use */
        tell_crash();
    if (slip_list->thorough >= 0 && !ends(file, run_laws)) /* a repair needs none */
        tell_crash();
    for (int first = progress->entry = 0; first < slip_count; first = progress->entry)
        if (!ends(file, run_slips) && progress->entry == first) {
            tell_crash_of_slip();
            progress->entry++;
        }
}

static void *shared(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(2);
    return memory;
}

int run_tests(int argc, char **argv) {
    const char *number = getenv("LOOKBACK_REPORT");
    (void)argc;
    out = number ? fdopen(atoi(number), "w") : stdout;
    tests = all_tests(&test_count);
    while (slip_list[slip_count].number)
        slip_count++;
    progress = shared(sizeof *progress);
    work = shared(sizeof *work * ((size_t)test_count + 1));
    stopped = shared((size_t)test_count + 1);
    if (!out || setvbuf(out, NULL, _IOFBF, 1 << 20) != 0)
        return 2;
    todo_reached = not_written_yet;
    for (int i = 0; i < test_count; i++)
        if (is_of_any(&tests[i]))
            fprintf(out, "test %s %s\n", tests[i].exercise, tests[i].name);
    run_all_slips(argv[0]);
    fputs("all\n", out);
    return fclose(out);
}
