/* Judges an exercise on its own, although it calls others that are wrong.

   If softmax_rows() calls softmax(), and softmax() is wrong, the tests of both fail. So softmax()
   is replaced by the reference: objcopy takes that one function from the reference's object and
   makes the learner's weak, and the tests of softmax_rows() are run again.

   judge_all() repeats this. Exercises that need no other open one are settled. In the next runs,
   all exercises that are settled and not done are replaced by the reference. It ends when each
   exercise is settled, or when there is no reference to link: then an exercise waits for another
   one. */
#include "check/standin.h"

#include "base/command.h"
#include "base/files.h"
#include "check/build.h"

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

/* Runs objcopy with the names of those exercises, a line each. */
static bool change_symbols(const struct lesson *lesson, exercise_set standing, const char *option,
                           const char *from, const char *to) {
    const char *own = getenv("LOOKBACK_OBJCOPY"), *list = path_of("%s.names", to);
    struct command command = {0};
    struct child child = {0};
    struct text names = {0};
    for (int i = 0; i < lesson->count; i++)
        if (has(standing, i))
            text_print(&names, "%s\n", lesson->exercises[i].name);
    command_add(&command, own && *own ? own : "objcopy", path_of("%s=%s", option, list), from, to);
    bool good = file_replace(list, &names) && command_run(&command, &child);
    remove(list);
    return good;
}

bool standin_object(const struct task *task, exercise_set standing, const char *path) {
    const char *reference;
    return build_reference(task, &reference) &&
           change_symbols(task->lesson, standing, "--keep-global-symbols", reference, path);
}

/* The learner's functions give way to those of the same name: each call of them, also from the same
   file, goes to the reference's. */
bool standin_link(const struct trial *trial, exercise_set standing, const char *program) {
    const struct task *task = &trial->check->task;
    const char *object = built(task, "o");
    const char *standin = path_of("%s.standin.o", program), *weak = path_of("%s.weak.o", program);
    struct child child = {0};
    return standin_object(task, standing, standin) &&
           change_symbols(task->lesson, standing, "--weaken-symbols", object, weak) &&
           build_link(&child, trial->check, weak, standin, program);
}

/* --- judging -------------------------------------------------------------------------------- */

struct judging {
    struct trial *trial;
    struct exercise *all;
    int count;
    exercise_set open;       /* what is known of them may be the fault of another */
    exercise_set standing;   /* judged, and not done: replaced by the reference */
    struct calls references; /* of the replaced ones, where they call the file's functions */
};

/* One of a set that exercise number `i` needs; or NULL. */
static struct exercise *needed(const struct judging *j, int i, exercise_set set) {
    for (int k = 0; k < j->count; k++)
        if (k != i && has(set, k) && trial_needs(j->trial, &j->all[i], &j->all[k]))
            return &j->all[k];
    return NULL;
}

static bool is_several(exercise_set set) {
    return set & (set - 1);
}

/* Reached its TODO(), or would at once: where its body begins with one, nothing has to be run. One
   that only leaks has no bad test. */
static bool is_unwritten(const struct judging *j, const struct exercise *e) {
    struct test *bad = report_first_bad(&j->trial->check->report, e);
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

/* False if nothing is the fault of another. */
static bool begin(struct judging *j) {
    exercise_set failed = 0;
    for (int i = 0; i < j->count; i++)
        if (j->all[i].state != DONE && j->all[i].tests > 0)
            failed |= only(i);
    for (int i = 0; i < j->count && is_several(failed); i++)
        if (has(failed, i) && !is_unwritten(j, &j->all[i]))
            j->open |= only(i);
    trial_judge(j->trial);
    j->standing = failed & ~j->open;
    return is_several(failed);
}

static void settle(struct judging *j, int i) {
    j->open &= ~only(i);
    if (j->all[i].state != DONE)
        j->standing |= only(i);
}

/* What was run and needs no other is judged. */
static void settle_what_needs_none(struct judging *j) {
    for (exercise_set before = 0; before != j->open;) {
        before = j->open;
        for (int i = 0; i < j->count; i++)
            if (has(j->open, i) && j->all[i].state != NOT_CHECKED &&
                !needed(j, i, j->open | j->standing))
                settle(j, i);
    }
}

/* Due are those that need only what is judged. Where each needs another, the first of them is, and
 * the reference replaces the others. */
static exercise_set choose(const struct judging *j, exercise_set *standing) {
    exercise_set due = 0;
    for (int i = 0; i < j->count; i++)
        if (has(j->open, i) && !needed(j, i, j->open))
            due |= only(i);
    if (!due)
        due = j->open & -j->open;
    *standing = j->standing | (is_several(due) ? 0 : j->open & ~due);
    return due;
}

/* A replacing reference may call the file's functions. One of these that is not judged yet may be
 * wrong: it is replaced, too; or, if it is due itself, it is judged first. */
static exercise_set choose_what_those_need(struct judging *j, exercise_set *standing,
                                           exercise_set due) {
    exercise_set reached = 0;
    calls_forget(&j->references);
    for (int i = 0; i < j->count; i++)
        if (has(*standing, i))
            calls_follow(&j->references, j->all[i].name);
    for (int i = 0; i < j->count; i++)
        if (has(j->open, i) && calls_reached(&j->references, j->all[i].name))
            reached |= only(i);
    *standing |= reached & ~due;
    return reached & due ? reached & due : due;
}

/* An exercise that is not right even so, and shares a variable with a replaced one, may miss what
 * that one would have left there. */
static void settle_those_due(struct judging *j, exercise_set due, exercise_set standing) {
    for (int i = 0; i < j->count; i++) {
        if (!has(due, i))
            continue;
        for (int k = 0; k < j->count && j->all[i].state != DONE && !j->all[i].waits_for; k++)
            if (has(standing, k) && k != i &&
                calls_share(trial_calls(j->trial), j->all[i].name, j->all[k].name))
                j->all[i].waits_for = j->all[k].name;
        settle(j, i);
    }
}

/* The cause is unknown: each waits for one that is known not to be done, or else for the first. */
static void let_wait(struct judging *j) {
    for (int i = 0; i < j->count && !j->standing; i++)
        if (has(j->open, i))
            settle(j, i);
    for (int i = 0; i < j->count; i++) {
        const struct exercise *other = has(j->open, i) ? needed(j, i, j->standing) : NULL;
        if (has(j->open, i) && !other)
            other = needed(j, i, j->open);
        if (other)
            j->all[i].waits_for = other->name;
    }
}

static void judge_all(struct judging *j, const char *program) {
    const char *alone = built(&j->trial->check->task, "alone");
    const struct runner *runner = j->trial->settings->runner;
    if (runner->is_mixed)
        calls_read(&j->references, reference_of(j->trial->lesson));
    while (settle_what_needs_none(j), j->open) {
        exercise_set standing, due = choose(j, &standing);
        if (runner->is_mixed)
            due = choose_what_those_need(j, &standing, due);
        if (trial_is_over(j->trial) || (standing && !runner->stand_in(j->trial, standing, alone))) {
            let_wait(j);
            return;
        }
        trial_run(j->trial, standing ? alone : program, due);
        settle_those_due(j, due, standing);
    }
}

void standin_judge(struct trial *trial, const char *program) {
    struct judging j = {
        .trial = trial, .all = trial->lesson->exercises, .count = trial->lesson->count};
    if (begin(&j))
        judge_all(&j, program);
    trial_judge(trial);
}
