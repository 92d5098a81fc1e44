#include "check/standin.h"

#include "base/command.h"
#include "base/files.h"
#include "check/build.h"
#include "course/sealed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- building ------------------------------------------------------------------------------- */

/* The reference, compiled as the learner's file is; in a release make has done that. */
static bool build_reference(const struct lesson *lesson, const struct settings *settings,
                            struct path *object) {
    struct settings ours = *settings;
    struct lesson reference = {0};
    struct check check = {0};
    ours.from = "solutions";
    *object = path_of("%s/solutions/%s/%s.o", settings->object, lesson->folder, lesson->name);
    if (is_release())
        return file_is_there(object->chars);
    bool good = strcmp(settings->from, ours.from) != 0 &&
                lesson_read(&reference, lesson->folder, ours.from, ours.out) &&
                file_is_there(reference.source.chars) &&
                build_object_if_old(&check, &reference, &ours);
    *object = built(&reference, &ours, "o");
    check_free(&check);
    lesson_free(&reference);
    return good;
}

bool objcopy(struct child *child, const char *option, const struct text *names, const char *from,
             const char *to) {
    const char *own = getenv("LOOKBACK_OBJCOPY");
    struct path list = path_of("%s.names", to), with_list = path_of("%s=%s", option, list.chars);
    struct command command = {0};
    command_add(&command, own && *own ? own : "objcopy");
    command_add(&command, with_list.chars);
    command_add(&command, from);
    command_add(&command, to);
    bool good = file_replace(list.chars, names) && command_run(&command, child);
    remove(list.chars);
    return good;
}

static bool change_symbols(const struct lesson *lesson, const bool standing[], const char *option,
                           const char *from, const char *to) {
    struct text names = {0};
    struct child child = {0};
    for (int i = 0; i < lesson->count; i++)
        if (standing[i])
            text_print(&names, "%s\n", lesson->exercises[i].name);
    bool good = objcopy(&child, option, &names, from, to);
    child_free(&child);
    text_free(&names);
    return good;
}

bool standin_object(const struct lesson *lesson, const struct settings *settings,
                    const bool standing[], const char *path) {
    struct path reference;
    return build_reference(lesson, settings, &reference) &&
           change_symbols(lesson, standing, "--keep-global-symbols", reference.chars, path);
}

/* The learner's functions give way to those of the same name: each call of them, also from the same
   file, goes to the reference's. */
bool standin_link(const struct trial *trial, char *const objects[], const bool standing[],
                  const char *program) {
    struct path object = built(trial->lesson, trial->settings, "o");
    struct path standin = path_of("%s.standin.o", program), weak = path_of("%s.weak.o", program);
    struct child child = {0};
    bool linked =
        standin_object(trial->lesson, trial->settings, standing, standin.chars) &&
        change_symbols(trial->lesson, standing, "--weaken-symbols", object.chars, weak.chars) &&
        build_link(&child, trial->check, trial->settings, weak.chars, standin.chars, program,
                   objects);
    child_free(&child);
    return linked;
}

/* --- judging -------------------------------------------------------------------------------- */

struct judging {
    struct trial *trial;
    struct exercise *all;
    int count;
    bool *open;     /* what is known of it may be the fault of another */
    bool *standing; /* judged, and not done: the reference stands in */
    bool *due;
    struct calls references; /* of those that stand in, where the file is graded */
};

/* One of those for which `which` is set that exercise number `i` needs; or NULL. */
static struct exercise *needed(const struct judging *j, int i, const bool which[]) {
    for (int k = 0; k < j->count; k++)
        if (k != i && which[k] && trial_needs(j->trial, &j->all[i], &j->all[k]))
            return &j->all[k];
    return NULL;
}

/* Reached its TODO(), or would at once: where its body begins with one, nothing has to be run. One
   that only leaks has no bad test. */
static bool is_unwritten(const struct judging *j, const struct exercise *e) {
    struct test *bad = report_first_bad(&j->trial->check->report, e);
    if (!bad)
        return false;
    if (bad->verdict == TODO_REACHED && strcmp(bad->missing, e->name) == 0)
        return true;
    if (!calls_begins_with(trial_calls(j->trial), e->name, "TODO"))
        return false;
    bad->verdict = TODO_REACHED;
    bad->todo[0] = '\0';
    snprintf(bad->missing, sizeof bad->missing, "%s", e->name);
    return true;
}

static int count_of(const struct judging *j, const bool which[]) {
    int count = 0;
    for (int i = 0; i < j->count; i++)
        count += which[i];
    return count;
}

/* False if nothing is the fault of another. */
static bool begin(struct judging *j) {
    for (int i = 0; i < j->count; i++)
        j->open[i] = j->all[i].state != DONE && j->all[i].tests > 0;
    if (count_of(j, j->open) < 2)
        return false;
    for (int i = 0; i < j->count; i++)
        j->open[i] = j->open[i] && !is_unwritten(j, &j->all[i]);
    trial_judge(j->trial);
    for (int i = 0; i < j->count; i++)
        j->standing[i] = !j->open[i] && j->all[i].state != DONE && j->all[i].tests > 0;
    return true;
}

static void settle(struct judging *j, int i) {
    j->open[i] = false;
    j->standing[i] = j->all[i].state != DONE;
}

/* What was run and needs no other is judged. */
static void settle_what_needs_none(struct judging *j) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < j->count; i++)
            if (j->open[i] && j->all[i].state != NOT_CHECKED && !needed(j, i, j->open) &&
                !needed(j, i, j->standing)) {
                settle(j, i);
                changed = true;
            }
    }
}

/* Due are those that need only what is judged. Where each needs another, the first of them is, and
   the reference stands in for the others. */
static void choose(struct judging *j, bool standing[]) {
    for (int i = 0; i < j->count; i++) {
        j->due[i] = j->open[i] && !needed(j, i, j->open);
        standing[i] = j->standing[i];
    }
    for (int i = 0; i < j->count && count_of(j, j->due) == 0; i++)
        j->due[i] = j->open[i];
    for (int i = 0; i < j->count; i++)
        standing[i] = standing[i] || (j->open[i] && count_of(j, j->due) == 1 && !j->due[i]);
}

/* Where the file is graded, one that stands in calls somebody's functions. One of these that is not
   judged yet may be wrong: the reference stands in for it, too; or, if it is due itself, it is
   judged first. */
static void choose_what_those_need(struct judging *j, bool standing[]) {
    bool first = false;
    calls_forget(&j->references);
    for (int i = 0; i < j->count; i++)
        if (standing[i])
            calls_follow(&j->references, j->all[i].name);
    for (int i = 0; i < j->count; i++) {
        bool reached = j->open[i] && calls_reached(&j->references, j->all[i].name);
        first = first || (reached && j->due[i]);
        standing[i] = standing[i] || (reached && !j->due[i]);
    }
    for (int i = 0; first && i < j->count; i++)
        j->due[i] = j->due[i] && calls_reached(&j->references, j->all[i].name);
}

/* An exercise that is not right even so, and shares a variable with one that the reference stands
   in for, may miss what that would have left there. */
static void settle_those_due(struct judging *j, const bool due[], const bool standing[]) {
    for (int i = 0; i < j->count; i++) {
        if (!due[i])
            continue;
        for (int k = 0; k < j->count && j->all[i].state != DONE && !j->all[i].waits_for; k++)
            if (standing[k] && k != i &&
                calls_share(trial_calls(j->trial), j->all[i].name, j->all[k].name))
                j->all[i].waits_for = j->all[k].name;
        settle(j, i);
    }
}

/* It cannot be told: each waits for one that is known not to be done, or else for the first. */
static void let_wait(struct judging *j) {
    for (int i = 0; i < j->count; i++)
        if (j->open[i] && count_of(j, j->standing) == 0)
            settle(j, i);
    for (int i = 0; i < j->count; i++) {
        const struct exercise *other = j->open[i] ? needed(j, i, j->standing) : NULL;
        if (j->open[i] && !other)
            other = needed(j, i, j->open);
        if (other)
            j->all[i].waits_for = other->name;
    }
}

static void judge_all(struct judging *j, const char *program, char *const objects[],
                      bool standing[], bool due[]) {
    struct path alone = built(j->trial->lesson, j->trial->settings, "alone");
    const struct runner *runner = j->trial->settings->runner;
    if (runner->is_mixed)
        calls_read(&j->references, reference_of(j->trial->lesson).chars);
    while (settle_what_needs_none(j), count_of(j, j->open) > 0) {
        choose(j, standing);
        if (runner->is_mixed)
            choose_what_those_need(j, standing);
        memcpy(due, j->due, sizeof *due * (size_t)j->count);
        bool others = count_of(j, standing) > 0;
        if (trial_is_over(j->trial) ||
            (others && !runner->stand_in(j->trial, objects, standing, alone.chars))) {
            let_wait(j);
            return;
        }
        trial_run(j->trial, others ? alone.chars : program, j->due);
        settle_those_due(j, due, standing);
    }
}

void standin_judge(struct trial *trial, const char *program, char *const objects[]) {
    size_t count = (size_t)trial->lesson->count;
    bool *room = calloc(5 * count, sizeof *room);
    if (!room)
        abort();
    struct judging j = {.trial = trial,
                        .all = trial->lesson->exercises,
                        .count = (int)count,
                        .open = room,
                        .standing = room + count,
                        .due = room + 2 * count};
    if (begin(&j))
        judge_all(&j, program, objects, room + 3 * count, room + 4 * count);
    trial_judge(trial);
    calls_free(&j.references);
    free(room);
}
