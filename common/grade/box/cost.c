/* A test that bounds the work counts steps in the box, where who is judged might count less. The
   CPU time of the box cannot be changed from inside. So a test of that kind that takes suspiciously
   long is run again beside the reference, a few times, and fails if it is many times slower. */
#include "grade/box/cost.h"

#include "base/command.h"
#include "check/build.h"
#include "grade/box/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A right answer takes a few thousandths of a second, and no more than the reference. */
static const double suspicious = 0.1;
enum { MANY_TIMES = 20, ROUNDS = 3 };

/* Of that test alone, now; 0 if it does not pass. */
static double cost_of(const struct trial *trial, const char *program, const char *test) {
    struct report report = {0};
    struct command command = {0};
    struct child child;
    trial->settings->runner->begin(&command, trial->settings, TEST, program, NULL);
    command_add(&command, test);
    command_run(&command, &child);
    report_read(&report, trial->lesson, &child);
    for (int i = 0; i < report.count; i++)
        if (report.tests[i].verdict == PASSED && strcmp(report.tests[i].name, test) == 0)
            return report.tests[i].cost;
    return 0.0;
}

static void judge_test(struct trial *trial, struct test *test, const char *program,
                       const char *reference) {
    double theirs = 0.0;
    for (int i = 0; i < ROUNDS; i++) {
        double again = i == 0 ? test->cost : cost_of(trial, program, test->name);
        theirs = cost_of(trial, reference, test->name);
        if (again > 0.0) /* not where it only passes with the reference's help */
            test->cost = again;
        if (theirs <= 0.0 || test->cost < MANY_TIMES * theirs)
            return;
    }
    test->verdict = FAILED;
    test->reference_cost = theirs;
}

void cost_judge(struct trial *trial, const char *program) {
    const char *reference = built(&trial->check->task, "reference");
    struct report *report = &trial->check->report;
    bool linked = false;
    for (int i = 0; i < report->count; i++) {
        struct test *test = &report->tests[i];
        if (test->verdict != PASSED || test->cost < suspicious)
            continue;
        linked = linked || box_link_reference(trial, all_exercises(trial->lesson), NULL, reference);
        if (linked)
            judge_test(trial, test, program, reference);
    }
    trial_judge(trial);
}
