/* See README.md for all steps. Long tests are left out for most mistakes when a table is made. If
   the mistake that is found has not been run in all of them, it is run in them now. */
#include "diagnose/diagnose.h"

#include "diagnose/laws.h"
#include "diagnose/matching.h"
#include "diagnose/overlooked.h"
#include "diagnose/slip_runs.h"

#include <stdio.h>
#include <string.h>

static struct outcomes outcomes_of(const struct report *report, const struct exercise *e) {
    struct outcomes outcomes = {0};
    for (int i = 0; i < report->count; i++) {
        const struct test *t = &report->tests[i];
        if (t->exercise == e)
            outcomes_add(&outcomes,
                         (struct outcome){t->name, t->verdict == PASSED,
                                          t->verdict == FAILED ? t->evidence : "",
                                          t->verdict == FAILED ? text_of(&t->relations) : ""});
    }
    return outcomes;
}

char *own_source(const struct lesson *lesson, const struct exercise *exercise) {
    char *source = path_of("%s", file_text(lesson->source));
    blank_comments(source);
    blank_exercises(source, lesson,
                    all_exercises(lesson) & ~only((int)(exercise - lesson->exercises)));
    return source;
}

/* Keeps those that fail as the learner's code did; long tests that were not run for them do not
 * count. */
static int keep_unproven(struct variants *variants, const struct table *table,
                         const struct outcomes *outcomes) {
    int count = 0;
    for (int i = 0; i < variants->count; i++) {
        const bool unproven = i < table->slip_count && may_be_told(&table->slips[i]) &&
                              table_matches(table, i + 1, outcomes) &&
                              table_left_out(table, i + 1, outcomes);
        variants->all[i].dropped = !unproven;
        count += unproven;
    }
    return count;
}

/* Runs these for them, so that the message is true for all tests. */
static void prove_long_tests(struct table *table, struct table *proof, const struct task *task,
                             const char *exercise, const struct outcomes *outcomes) {
    const char *stem = slips_stem(task, "proof");
    struct variants variants = {0};
    if (!variants_of(&variants, task->lesson,
                     (struct wanted){.function = exercise, .generated = true}))
        return;
    variants.long_tests = OF_ALL;
    if (keep_unproven(&variants, table, outcomes) > 0)
        table_read(proof, run_slips(&variants, stem, task, task->settings->slip_flags));
    if (proof->whole)
        table_fill(table, proof);
}

/* Puts a relation between all the numbers and the right ones before what else is said, if it is no
   chance. */
static void tell_relation(const struct outcomes *outcomes, struct test *bad, const char *own) {
    const struct outcome *first = first_bad(outcomes), *end = outcomes->tests + outcomes->count;
    struct code code = {0};
    code_read_tokens(&code, own, strchr(own, '\0'));
    struct relation told = relation_of(first, (int)(end - first), &code);
    if (told.sentence[0] && !(told.weak && bad->broke[0]) && !bad->sure) {
        const char *rest = path_of("%.500s", told.sure || bad->guessed ? "" : bad->broke);
        snprintf(bad->broke, sizeof bad->broke, "%.290s%s%.500s", told.sentence, rest[0] ? " " : "",
                 rest);
        bad->sure = told.sure;
    }
}

static void diagnose_exercise(struct check *check, struct exercise *e) {
    const struct task *task = &check->task;
    struct test *bad = e && check->stage == TESTED ? report_first_bad(&check->report, e) : NULL;
    struct table table = {0}, proof = {0};
    if (!bad || (bad->verdict != FAILED && finding_of(check, e)->code != WORKED_LONG))
        return;
    const char *own = own_source(task->lesson, e);
    if (bad->verdict != FAILED) {
        find_overlooked(finding_of(check, e), task->lesson, own);
        return;
    }
    struct outcomes outcomes = outcomes_of(&check->report, e);
    tell_relation(&outcomes, bad, own);
    if (!task->settings->untold && exercise_table(&table, task, e->name)) {
        note_doubts(own, table.slips, table.slip_count);
        if (table_unproven(&table, &outcomes))
            prove_long_tests(&table, &proof, task, e->name, &outcomes);
        struct cause cause = table_cause(&table, &outcomes);
        struct finding *f = finding_of(check, e);
        if (!bad->sure || cause.certain)
            f->cause = cause;
        for (int i = 0; i < check->report.count && f->cause.test[0]; i++)
            if (strcmp(check->report.tests[i].name, f->cause.test) == 0)
                f->test = &check->report.tests[i];
        place_no_number(f, &table, task->lesson);
        const bool unexplained = f->cause.sureness == NO_CAUSE || f->cause.sureness > EITHER;
        const bool overlooked = f->code == NO_CODE && f->cause.sureness != STATED &&
                                find_overlooked(f, task->lesson, own);
        if (overlooked && unexplained) {
            f->cause = (struct cause){0};
            if (f->code < LEAVES_PARAMETER || f->code > RETURNS_EARLY)
                bad->broke[0] = '\0';
        } else if (unexplained)
            tell_laws(f, &table, bad);
    }
}

void diagnose(struct check *check) {
    diagnose_exercise(check, lesson_first_undone(check->task.lesson));
}

void diagnose_all(struct check *check) {
    for (int i = 0; i < check->task.lesson->count; i++)
        diagnose_exercise(check, &check->task.lesson->exercises[i]);
}
