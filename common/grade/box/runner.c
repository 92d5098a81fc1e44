/* The runner for a file that is graded: see runner.h. The commands are those of box.sh, and of the
   test program that prepare.sh has linked. */
#include "grade/box/runner.h"

#include "base/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What box.sh ends with when no box can be had, or one did not start. */
enum { NO_BOX = 2, NO_START = 3 };

/* The address sanitizer cannot run under a limit of addresses, so its pages are counted; so are
   those of the test program. */
enum { MEMORY_MB = 512, MEMORY_MB_OF_TEST = 256 };

static const char *base;   /* the folder with what grading the lesson needs */
static const char *script; /* the script that makes boxes */

/* --- running -------------------------------------------------------------------------------- */

/* A box that did not start ends the program: that is no fault of the file. */
static void run_in_box(struct child *child, struct command *command, struct limits limits) {
    child_run(child, command->words, limits);
    if (child->ending != ENDED || (child->status != NO_BOX && child->status != NO_START))
        return;
    fputs(text_of(&child->err), stderr);
    exit(NO_START);
}

static void begin(struct command *command, const struct settings *settings, enum step step,
                  const char *from, const char *to) {
    static char *const verbs[] = {[COMPILE] = "compile", [LINK] = "link", [DRAW] = "tables"};
    if (step == TEST) {
        command_add(command, path_of("%s/test", base));
        setenv("LOOKBACK_BOX", from, 1);
    } else {
        command_add(command, "sh", script, verbs[step], from, to);
        command_add_split(command, step == DRAW ? "" : settings->flags);
    }
}

/* What has to be stopped shares a budget: each call has a third of what is left. Even the least is
   many times what the tests of a right lesson take together. */
static double seconds_of_call(const struct check *check) {
    double seconds = check->task.settings->seconds, left = 3.0 * seconds - check->spent;
    double least = fmin(seconds, 0.3);
    return check->stops > 0 ? fmax(least, floor(10.0 * left / 3.0) / 10.0) : seconds;
}

/* The host ends a call that takes too long. The limit here is for all calls together, and for what
   sleeps, or does not heed the other. */
static void test(struct check *check, struct child *child, struct command *command,
                 const char *program) {
    double seconds = seconds_of_call(check);
    double most = fmax(seconds, fmin(check->task.settings->seconds, 2.0));
    (void)program;
    setenv("LOOKBACK_CALL_SECONDS", path_of("%g", seconds), 1);
    child_run(child, command->words,
              (struct limits){most, fmax(1.0, seconds), 1 << 20, .stack = 1 << 20,
                              .resident = (long)(MEMORY_MB + MEMORY_MB_OF_TEST) << 20});
    if (child->swelled)
        text_print(&child->report, "@ memory %d\n", MEMORY_MB);
    if (child->ending == TIMED_OUT)
        child->seconds = seconds;
    if (child->ending == TIMED_OUT || child->ending == FLOODED)
        check->spent += seconds;
}

/* --- what it is linked with ------------------------------------------------------------------- */

/* Writes the reference with only those exercises that replace the student's. Calls of the others go
   to the student's functions, which find no code of the reference. Lines keep their numbers. */
static bool write_part(const struct lesson *lesson, exercise_set standing, const char *path) {
    struct text source, part = {0};
    const char *reference = reference_of(lesson);
    bool good = text_read_file(&source, reference);
    if (good)
        blank_exercises(source.chars, lesson, all_exercises(lesson) & ~standing);
    text_print(&part, "#line 1 \"%s\"\n%s", reference, text_of(&source));
    return good && file_replace(path, &part);
}

/* Compiled once for all files that need the same exercises. */
static const char *compile_part(const struct task *task, exercise_set standing) {
    const struct settings *settings = task->settings;
    struct command command = {0};
    struct child child = {0};
    const char *stem = path_of("%s/standin-%llx", base, standing);
    const char *source = path_of("%s.%d.c", stem, (int)getpid());
    const char *part = path_of("%s.%d.o", stem, (int)getpid());
    const char *object = path_of("%s.o", stem);
    if (file_is_there(object))
        return object;
    command_add_split(&command, settings->compiler);
    command_add_split(&command, settings->flags);
    command_add_split(&command, "-w -c -o");
    command_add(&command, part, source);
    bool good = write_part(task->lesson, standing, source) && command_run(&command, &child);
    if (!good)
        fputs(text_of(&child.err), stderr);
    good = good && rename(part, object) == 0;
    remove(source);
    return good ? object : NULL;
}

/* --- what a function costs -------------------------------------------------------------------- */

/* A test that bounds the work counts steps in the box, where who is judged might count less. The
   CPU time of the box cannot be changed from inside. So a test of that kind that takes suspiciously
   long is run again beside the reference, a few times, and fails if it is many times slower. */

/* A right answer takes a few thousandths of a second, and no more than the reference. */
static const double suspicious = 0.1;
enum { MANY_TIMES = 20, ROUNDS = 3 };

/* Of that test alone, now; 0 if it does not pass. */
static double cost_of(const struct check *check, const char *program, const char *test) {
    struct report report = {0};
    struct command command = {0};
    struct child child;
    check->task.settings->runner->begin(&command, check->task.settings, TEST, program, NULL);
    command_add(&command, test);
    command_run(&command, &child);
    report_read(&report, check->task.lesson, &child);
    for (int i = 0; i < report.count; i++)
        if (report.tests[i].verdict == PASSED && strcmp(report.tests[i].name, test) == 0)
            return report.tests[i].cost;
    return 0.0;
}

static void judge_test(struct check *check, struct test *test, const char *program,
                       const char *reference) {
    double theirs = 0.0;
    for (int i = 0; i < ROUNDS; i++) {
        double again = i == 0 ? test->cost : cost_of(check, program, test->name);
        theirs = cost_of(check, reference, test->name);
        if (again > 0.0) /* not where it only passes with the reference's help */
            test->cost = again;
        if (theirs <= 0.0 || test->cost < MANY_TIMES * theirs)
            return;
    }
    test->verdict = FAILED;
    test->reference_cost = theirs;
}

static void judge_costs(struct check *check, const char *program) {
    const char *reference = built(&check->task, "reference");
    struct report *report = &check->report;
    bool linked = false;
    for (int i = 0; i < report->count; i++) {
        struct test *test = &report->tests[i];
        if (test->verdict != PASSED || test->cost < suspicious)
            continue;
        linked = linked || standin_link(check, all_exercises(check->task.lesson), NULL, reference);
        if (linked)
            judge_test(check, test, program, reference);
    }
    trial_judge(check);
}

/* --- the runner ----------------------------------------------------------------------------- */

bool box_from_environment(struct settings *settings) {
    static char *objects[3];
    static struct runner runner = {.begin = begin,
                                   .build = run_in_box,
                                   .test = test,
                                   .reference = compile_part,
                                   .look_again = judge_costs,
                                   .objects = objects,
                                   .most_stops = 30,
                                   .boxed = true,
                                   .is_mixed = true};
    base = getenv("LOOKBACK_BASE");
    script = getenv("LOOKBACK_BOXES");
    if (!base || !script)
        return false;
    objects[0] = path_of("%s/hosted.o", base);
    objects[1] = path_of("%s/support.o", base);
    runner.missing = path_of("%s/hosted.c", base);
    settings->runner = &runner;
    return true;
}
