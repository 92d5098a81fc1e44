/* The program reports each test as it begins and ends. If it crashes or loops in a test, the
   exercise of that test is blamed, and the program is started again with the exercises that have
   not run yet. After a few endless loops no more are started. An exercise that calls one which
   loops would only loop, too, so it is left out.

   Which exercise needs which is read from the words of the C files (base/source.c). */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what needs what -------------------------------------------------------------------------- */

static struct calls *calls_of(struct check *check) {
    struct calls *calls = &check->calls;
    const char *missing = check->task.settings->runner->missing;
    struct command tests = {0};
    if (calls->count > 0)
        return calls;
    calls_read(calls, check->task.lesson->source);
    calls_read(calls, check->task.lesson->header); /* which may have inline functions */
    calls_read(calls, "tests/attention.h");
    if (missing)
        calls_read(calls, missing);
    command_add_found(&tests, path_of("tests/%s/*.[ch]", check->task.lesson->folder));
    for (int i = 0; i < tests.count; i++)
        calls_read(calls, tests.words[i]);
    return calls;
}

bool trial_needs(struct check *check, const struct exercise *e, const struct exercise *other) {
    const struct report *report = &check->report;
    struct calls *calls = calls_of(check);
    if (check->followed != e) {
        calls_forget(calls);
        calls_follow(calls, e->name);
        for (int i = 0; i < report->count; i++)
            if (report->tests[i].exercise == e && report->tests[i].verdict != PASSED)
                calls_follow(calls, report->tests[i].name);
        check->followed = e;
    }
    return calls_reached(calls, other->name);
}

/* --- judging ---------------------------------------------------------------------------------- */

/* What passes all tests and still leaves memory behind, or does not end well, is broken, too. */
void trial_judge(struct check *check) {
    struct lesson *lesson = check->task.lesson;
    report_judge(&check->report, lesson);
    for (int i = 0; i < lesson->count; i++) {
        struct exercise *e = &lesson->exercises[i];
        if (e->state == DONE && check->findings[i].kind != FOUND_NOTHING)
            e->state = BROKEN;
        if (e->state != DONE && e->waits_for)
            e->state = WAITING;
    }
    check->followed = NULL;
}

static void blame(struct check *check, const struct exercise *e, struct finding *finding) {
    struct finding *known = finding_of(check, e);
    if (known->kind == FOUND_NOTHING)
        *known = *finding;
}

/* The next test of those that are due which began and came to no verdict. */
static const struct test *next_running(const struct check *check, exercise_set due,
                                       const struct test *after) {
    const struct report *report = &check->report;
    for (int i = after ? (int)(after - report->tests) + 1 : 0; i < report->count; i++)
        if (report->tests[i].verdict == RUNNING &&
            has(due, (int)(report->tests[i].exercise - check->task.lesson->exercises)))
            return &report->tests[i];
    return NULL;
}

static const struct exercise *first_due(const struct check *check, exercise_set due) {
    const struct lesson *lesson = check->task.lesson;
    for (int i = 0; i < lesson->count; i++)
        if (has(due, i) && lesson->exercises[i].state != DONE)
            return &lesson->exercises[i];
    return NULL;
}

/* All tests came to an end, and still the program failed: a leak belongs to the exercise that made
   it, on its own or in a helper. An unattributed leak is reported only if everything else passes.
 */
static void blame_for_ending(struct check *check, const struct child *child) {
    struct finding finding;
    explain_crash(&finding, check->task.lesson, child, NULL);
    const struct exercise *e = finding.exercise;
    const struct exercise *wrong = e ? e : lesson_first_undone(check->task.lesson);
    bool is_worse =
        wrong && (e ? e->state != DONE : wrong->state == WRONG || wrong->state == BROKEN);
    if (!is_worse)
        blame(check, e ? e : &check->task.lesson->exercises[0], &finding);
}

/* The program ended in the middle of a test, or before its first one, or after all had passed; or
   it came to its end, and a test had been left on the way. */
static void blame_for_crash(struct check *check, const struct child *child, exercise_set due) {
    static const struct child quiet;
    struct finding finding;
    const struct test *t = next_running(check, due, NULL);
    const struct exercise *first = first_due(check, due);
    if (!t && first) {
        explain_crash(&finding, check->task.lesson, child, NULL);
        blame(check, first, &finding);
    } else if (!t) {
        blame_for_ending(check, child);
    }
    for (; t; t = next_running(check, due, t)) {
        bool left = strcmp(t->touched, "left") == 0;
        explain_crash(&finding, check->task.lesson, left ? &quiet : child, t);
        blame(check, t->exercise, &finding);
    }
}

bool trial_is_over(const struct check *check) {
    return check->stops >= check->task.settings->runner->most_stops;
}

/* --- running ---------------------------------------------------------------------------------- */

/* The program, with the tests of the exercises that are due. */
static void run_due(struct check *check, struct child *child, const char *program,
                    exercise_set due) {
    const struct lesson *lesson = check->task.lesson;
    const struct runner *runner = check->task.settings->runner;
    struct command c = {0};
    runner->begin(&c, check->task.settings, TEST, program, NULL);
    for (int i = 0; i < lesson->count && due != all_exercises(lesson); i++)
        if (has(due, i))
            command_add(&c, lesson->exercises[i].name);
    runner->test(check, child, &c, program);
}

/* Runs and judges them. Returns true if the program came to its end. */
static bool run_once(struct check *check, const char *program, exercise_set due) {
    struct lesson *lesson = check->task.lesson;
    struct child child;
    run_due(check, &child, program, due);
    text_add(&check->raw, text_of(&child.err), child.err.length);
    report_read(&check->report, lesson, &child);
    if (check->report.failure[0]) {
        fprintf(stderr, "%s\n", check->report.failure);
        exit(3);
    }
    trial_judge(check);
    bool ended = check->report.finished;
    if (!ended || next_running(check, due, NULL))
        blame_for_crash(check, &child, due);
    else if (child.ending != ENDED || (lesson_done(lesson) && child.status != 0) ||
             strstr(text_of(&child.err), "detected memory leaks"))
        blame_for_ending(check, &child);
    trial_judge(check);
    check->stops += child.ending == TIMED_OUT || child.ending == FLOODED;
    return ended || trial_is_over(check);
}

/* The exercises that have not run yet, except those that would only run into the same loop. */
static exercise_set leave_due(struct check *check, exercise_set due) {
    const struct lesson *lesson = check->task.lesson;
    exercise_set left = 0;
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        bool open = has(due, i) && e->state == NOT_CHECKED && e->tests > 0;
        for (int k = 0; open && k < lesson->count; k++)
            open = !finding_is_stop(&check->findings[k]) ||
                   !trial_needs(check, e, &lesson->exercises[k]);
        if (open)
            left |= only(i);
    }
    return left;
}

void trial_run(struct check *check, const char *program, exercise_set due) {
    exercise_set before = 0;
    for (int i = 0; i < check->task.lesson->count; i++)
        if (has(due, i)) {
            check->findings[i] = (struct finding){0};
            report_forget(&check->report, &check->task.lesson->exercises[i]);
        }
    while (!run_once(check, program, due)) {
        exercise_set left = leave_due(check, due);
        if (!left || left == before)
            return;
        before = due = left;
    }
}
