/* If softmax_rows() calls softmax(), and softmax() is wrong, the tests of both fail. So softmax()
   is replaced by the reference: objcopy takes that one function from the reference's object, it is
   linked before the learner's, and the tests of softmax_rows() are run again.

   judge_next() repeats this. Each exercise that has failed is run with the reference in place of
   all others that have failed and that it needs. One that needs none is judged already. It ends
   when each exercise is judged, or when there is no reference to link: then one waits for another.
 */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- building ------------------------------------------------------------------------------- */

/* The reference, compiled as the learner's file is, unless make has done that. */
static bool build_reference(const struct task *task, const char **object) {
    const struct lesson *lesson = task->lesson;
    struct settings ours = *task->settings;
    struct lesson reference = {0};
    struct check check = {.task = {&reference, &ours, NULL}};
    ours.from = "solutions";
    *object = path_of("%s/solutions/%s/%s.o", ours.object, lesson->folder, lesson->name);
    if (ours.references_are_built)
        return file_is_there(*object);
    bool good = strcmp(task->settings->from, ours.from) != 0 &&
                lesson_read(&reference, lesson->folder, ours.from, ours.out) &&
                file_is_there(reference.source) && build_object_if_old(&check);
    *object = built(&check.task, "o");
    return good;
}

bool standin_object(const struct task *task, exercise_set standing, const char *path) {
    const char *own = getenv("LOOKBACK_OBJCOPY"), *list = path_of("%s.names", path), *reference;
    struct command command = {0};
    struct child child = {0};
    struct text names = {0};
    for (int i = 0; i < task->lesson->count; i++)
        if (has(standing, i))
            text_print(&names, "%s\n", task->lesson->exercises[i].name);
    bool good = build_reference(task, &reference) && file_replace(list, &names);
    command_add(&command, own && *own ? own : "objcopy", path_of("--keep-global-symbols=%s", list),
                reference, path);
    good = good && command_run(&command, &child);
    remove(list);
    return good;
}

const char *standin_reference(const struct task *task, exercise_set standing) {
    const char *path = built(task, "standin.o");
    return standin_object(task, standing, path) ? path : NULL;
}

/* Of two functions of a name the first counts: each call of it, also from the learner's own file,
   goes to the reference's. */
bool standin_link(struct check *check, exercise_set standing, const char *own,
                  const char *program) {
    const struct settings *before = check->task.settings;
    struct settings settings = *before;
    struct child child = {0};
    const char *object = settings.runner->reference(&check->task, standing);
    settings.flags = path_of("%s -Wl,-z,muldefs", settings.flags);
    check->task.settings = &settings;
    bool linked = object && build_link(&child, check, object, own, program);
    check->task.settings = before;
    return linked;
}

/* --- judging -------------------------------------------------------------------------------- */

struct judging {
    struct check *check;
    struct exercise *all;
    int count;
    exercise_set failed;     /* as far as it is known */
    exercise_set open;       /* of these: what is known of them may be the fault of another */
    struct calls own;        /* of the learner's file alone */
    struct calls references; /* of the replaced ones, where they call the file's functions */
};

/* Those that have failed, and that exercise number `i` needs: its own functions call them, or,
   where a replacing reference calls the file's functions, that does. */
static exercise_set needed(struct judging *j, int i) {
    exercise_set set = 0;
    calls_forget(&j->references);
    for (int k = 0; k < j->count; k++)
        if (k != i && has(j->failed, k) && trial_needs(j->check, &j->all[i], &j->all[k])) {
            set |= only(k);
            calls_follow(&j->references, j->all[k].name);
        }
    for (int k = 0; k < j->count; k++)
        if (k != i && has(j->failed, k) && calls_reached(&j->references, j->all[k].name))
            set |= only(k);
    return set;
}

/* Reached its TODO(), or would at once: where its body begins with one, nothing has to be run. One
   that only leaks has no bad test. */
static bool is_unwritten(const struct judging *j, const struct exercise *e) {
    struct test *bad = report_first_bad(&j->check->report, e);
    if (!bad)
        return false;
    if (bad->verdict == TODO_REACHED && strcmp(bad->missing, e->name) == 0)
        return true;
    if (!e->todo)
        return false;
    bad->verdict = TODO_REACHED;
    bad->todo[0] = '\0';
    snprintf(bad->missing, sizeof bad->missing, "%s", e->name);
    return true;
}

/* Where one has failed alone, nothing is the fault of another. */
static void begin(struct judging *j) {
    for (int i = 0; i < j->count; i++)
        if (j->all[i].state != DONE && j->all[i].tests > 0)
            j->failed |= only(i);
    for (int i = 0; i < j->count && (j->failed & (j->failed - 1)); i++)
        if (has(j->failed, i) && !is_unwritten(j, &j->all[i]))
            j->open |= only(i);
    if (j->open)
        calls_read(&j->own, j->check->task.lesson->source);
    if (j->open && j->check->task.settings->runner->is_mixed)
        calls_read(&j->references, reference_of(j->check->task.lesson));
    trial_judge(j->check);
}

/* An exercise that is not right even so, and shares a variable of the file with a replaced one, may
   miss what that one would have left there. */
static void settle(struct judging *j, int i, exercise_set standing) {
    struct exercise *e = &j->all[i];
    j->open &= ~only(i);
    if (e->state == DONE)
        j->failed &= ~only(i);
    for (int k = 0; k < j->count && e->state != DONE && !e->waits_for; k++)
        if (has(standing, k) && calls_share(&j->own, e->name, j->all[k].name))
            e->waits_for = j->all[k].name;
}

/* The cause is unknown: each waits for one that is known not to be done, or else for the first. */
static void let_wait(struct judging *j) {
    if (j->open == j->failed)
        j->open &= j->open - 1;
    for (int i = 0; i < j->count; i++) {
        exercise_set others = has(j->open, i) ? needed(j, i) : 0;
        others = others & ~j->open ? others & ~j->open : others;
        for (int k = 0; k < j->count && !j->all[i].waits_for; k++)
            if (has(others, k))
                j->all[i].waits_for = j->all[k].name;
    }
}

/* Runs those again that need the same others, with the reference in place of these. False if that
   cannot be done. */
static bool judge_next(struct judging *j, const char *program) {
    const struct task *task = &j->check->task;
    const char *alone = built(task, "alone"), *own = built(task, "o");
    exercise_set standing = 0, due = 0;
    for (int i = 0; i < j->count; i++)
        if (has(j->open, i)) {
            exercise_set others = needed(j, i);
            standing = due ? standing : others;
            due |= others == standing ? only(i) : 0;
        }
    for (int i = 0; i < j->count && !standing; i++)
        if (has(due, i) && j->all[i].state != NOT_CHECKED) {
            settle(j, i, 0); /* by its own lines */
            due &= ~only(i);
        }
    if (due &&
        (trial_is_over(j->check) || (standing && !standin_link(j->check, standing, own, alone))))
        return false;
    if (due)
        trial_run(j->check, standing ? alone : program, due);
    for (int i = 0; i < j->count; i++)
        if (has(due, i))
            settle(j, i, standing);
    return true;
}

void standin_judge(struct check *check, const char *program) {
    struct judging j = {
        .check = check, .all = check->task.lesson->exercises, .count = check->task.lesson->count};
    begin(&j);
    while (j.open && judge_next(&j, program))
        ;
    if (j.open)
        let_wait(&j);
    trial_judge(check);
}
