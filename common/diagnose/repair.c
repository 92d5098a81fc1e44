/* Where in the learner's own function is the mistake? `make hint` asks, and this takes seconds.

   1. Expressions of the reference are put into the learner's function (transplant.c): those that
      undo a known mistake that the screen has named, and those that are nearly the learner's own.
      The tests are run for each change. A change after which all of them pass, first as they are
      and then with the sanitizers, is a repair.
   2. Otherwise the generator (operators.c) changes the learner's own function in all its ways. The
      smallest repair is advised if at most one other line has one as small.
   3. If no single change repairs it, the same change is made at two places.
   4. If the screen has named a mistake that changes one line, and the learner has that line
      (shown.c), repairs in it come first. If there is no repair, it is the answer.

   All of it together may work for BUDGET seconds, and take no longer than PATIENCE at a terminal.
 */
#include "diagnose/repair.h"

#include "base/child.h"
#include "base/files.h"
#include "diagnose/diagnose.h"
#include "diagnose/matching.h"
#include "diagnose/slip_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* CPU seconds for all that is compiled and run, and seconds on the clock if somebody waits at a
   terminal. */
enum { BUDGET = 8, PATIENCE = 6 };

/* More than so many repairs mean that the file is right when compiled with these flags. */
enum { MOST_REPAIRS = 20 };

/* Changes of the learner's own function, and the known mistakes that the screen names. */
struct search {
    const struct exercise *exercise;
    const char *source; /* the learner's file */
    struct variants variants, known;
    struct advice named;    /* the line of one of them */
    struct undoing *undone; /* those, and the reference itself as the last one */
    int undone_count;
    const char *means; /* of the last one that is named */
    bool several;      /* it could be this or another: only what is changed is told */
    const char *stem, *standin, *weak;
    struct text flags, sanitized;
    const struct task *task;
    struct command objects; /* of the task, and stand-ins */
    struct table table;     /* of each change alone */
};

static bool repairs(const struct table *table, int slip) {
    return slip <= table->slip_count && !table->slips[slip - 1].dropped &&
           table_passes(table, slip);
}

/* Keeps those after which all tests pass. Their number; -1: there is nothing to repair. */
static int keep_repairs(struct search *s, const char *flags) {
    struct table *table = &s->table;
    int count = 0;
    struct task task = *s->task;
    if (s->variants.count == 0)
        return 0;
    task.objects = s->objects.words;
    s->variants.long_tests = STOP_AT_ONE;
    table_read(table, run_slips(&s->variants, s->stem, &task, flags));
    if (!table->whole || table_passes(table, 0))
        return -1;
    for (int i = 0; i < s->variants.count; i++)
        count += repairs(table, i + 1);
    for (int i = 0; count > 0 && i < s->variants.count; i++)
        s->variants.all[i].dropped = !repairs(table, i + 1);
    return count;
}

/* The smallest of those that are left; NULL. An equally small one may be in one other line. But
   what undoes a known mistake may be one of several lines. */
static const struct variant *smallest(const struct variants *variants, bool any_line,
                                      const struct variant **other) {
    const struct variant *best = NULL;
    bool several = false;
    *other = NULL;
    for (const struct variant *v = variants->all; v < variants->all + variants->count; v++) {
        if (v->dropped || (best && v->size > best->size))
            continue;
        if (!best || v->size < best->size) {
            best = v;
            *other = NULL;
            several = false;
        } else if (v->line != best->line) {
            several = several || (*other && (*other)->line != v->line);
            *other = *other ? *other : v;
        }
    }
    if (any_line || (best && best->second_line))
        *other = NULL;
    return several && !any_line ? NULL : best;
}

static void note_line(struct advice *advice, int line, enum advised change, const char *first) {
    advice->lines[0] = line;
    advice->change = change;
    advice->first = path_of("%s", first);
}

static bool is_named(const struct search *s) {
    return s->undone_count > 1;
}

/* Where some are in the line of the named mistake, the others do not count. */
static void prefer_named(struct search *s) {
    struct variant *end = s->variants.all + s->variants.count;
    bool any = false;
    for (const struct variant *v = s->variants.all; v < end; v++)
        any = any || (!v->dropped && v->line == s->named.lines[0]);
    for (struct variant *v = s->variants.all; v < end; v++)
        v->dropped = v->dropped || (any && v->line != s->named.lines[0]);
}

static bool removes(const struct variant *v) {
    return starts_with(v->name, "LEFT:");
}

/* Removes the one or the other? Then they do the same twice. */
static bool remove_the_same(const struct variant *v, const struct variant *other) {
    return removes(v) && removes(other) &&
           strcmp(strchr(v->name + 5, ':'), strchr(other->name + 5, ':')) == 0;
}

static void note_repair(struct advice *advice, const struct variant *v, const struct variant *other,
                        const struct undoing *undone) {
    const bool one_kind = !other || strcmp(v->kind, other->kind) == 0;
    if (undone && undone->says)
        note_line(advice, v->line, KNOWN_MISTAKE, undone->says);
    else if (undone)
        note_line(advice, v->line, KIND_OF_CHANGE, undone->kind);
    else if (other && remove_the_same(v, other))
        note_line(advice, v->line, ONE_TOO_MANY, "");
    else
        note_line(advice, v->line, KIND_OF_CHANGE,
                  removes(v) && one_kind ? "remove the step"
                  : one_kind             ? v->kind
                                         : path_of("%s, or %s", v->kind, other->kind));
    advice->lines[1] = other ? other->line : v->second_line > v->line ? v->second_line : 0;
    advice->repairs = v->second_line ? 2 : 1;
}

/* One change after which all tests of the exercise pass, with the sanitizers, too. -1: they pass
   without one. */
static int find_repair(struct advice *advice, struct search *s, bool undoes) {
    const struct variant *other = NULL;
    int count = keep_repairs(s, text_of(&s->flags));
    if (count != 0)
        count = keep_repairs(s, text_of(&s->sanitized));
    prefer_named(s);
    const bool undoes_named = undoes && is_named(s);
    const struct variant *v =
        count > 0 && count <= MOST_REPAIRS ? smallest(&s->variants, undoes_named, &other) : NULL;
    advice->repairs = 0;
    if (v)
        note_repair(advice, v, other, undoes_named && !s->several ? s->undone : NULL);
    return v ? 1 : count < 0 ? -1 : 0;
}

/* --- a known mistake in the learner's own lines ---------------------------------------------- */

/* Those of the reference. */
static void know_mistakes(struct search *s) {
    struct wanted wanted = {.function = s->exercise->name, .generated = true};
    if (file_is_there(list_of(s->task->lesson)))
        variants_of(&s->known, s->task->lesson, wanted);
}

/* Is it one of those that the screen names? `names` has a line for each. */
static bool is_among(const char *names, const struct variant *v) {
    for (const char *name; may_be_told(v) && (name = next_line(&names));)
        if (strcmp(name, v->name) == 0)
            return true;
    return false;
}

static struct code *read_code(const char *text, const struct variants *of) {
    struct code *code = with_room(NULL, 0, sizeof *code);
    *code = (struct code){0};
    return code_read(code, text, strchr(text, '\0'), text_of(&of->types)) ? code : NULL;
}

/* The reference, and the same with a mistake in it, or NULL. */
static void add_undoing(struct search *s, const struct variant *v) {
    const char *from, *to;
    if (!find_definition(text_of(&s->known.source), s->exercise->name, &from, &to))
        return;
    const struct undoing u = {read_code(copy_of(from, to), &s->known),
                              v ? read_code(v->text, &s->known) : NULL,
                              v && v->origin == LISTED ? v->says : NULL, v ? v->kind : NULL};
    s->undone = with_room(s->undone, s->undone_count, sizeof u);
    if (u.right && (u.wrong || !v))
        s->undone[s->undone_count++] = u;
}

static void know_named(struct search *s, const char *names) {
    know_mistakes(s);
    for (const struct variant *v = s->known.all; v < s->known.all + s->known.count; v++)
        if (is_among(names, v) && strcmp(v->function, s->exercise->name) == 0) {
            s->several = s->several || (s->means && strcmp(s->means, v->means) != 0);
            s->means = v->means;
            add_undoing(s, v);
        }
    add_undoing(s, NULL);
}

/* Puts expressions of the reference into the learner's function. */
static int find_undone(struct advice *advice, struct search *s) {
    return variants_make(&s->variants, s->source,
                         (struct wanted){.function = s->exercise->name,
                                         .undone = s->undone,
                                         .undone_count = s->undone_count})
               ? find_repair(advice, s, true)
               : 0;
}

static void find_named(struct search *s, const char *names) {
    for (const struct variant *v = s->known.all; v < s->known.all + s->known.count; v++) {
        const int line = is_among(names, v) ? line_of_mistake(&s->variants, &s->known, v) : 0;
        const bool listed = v->origin == LISTED;
        if (line > 0 && s->named.lines[0] == 0)
            note_line(&s->named, line, listed ? KNOWN_MISTAKE : KIND_OF_CHANGE,
                      listed ? v->says : v->kind);
    }
}

/* A number without a first value, or one that holds less, repairs nothing, whatever it happens to
   be. Additions to a gradient stay additions, and sizes of matrices stay as they are. */
static bool may_repair(const struct variant *v) {
    return !has_word("UNINIT INT FLOAT", v->name, strcspn(v->name, ":")) && !v->is_against_header;
}

static void forget_what_repairs_nothing(struct search *s) {
    for (struct variant *v = s->variants.all; v < s->variants.all + s->variants.count; v++)
        v->dropped = v->dropped || !may_repair(v);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Where others are not done, the learner's give way to the reference's: the change to find is in
 * this exercise, not in those. */
static void bring_standins(struct search *s) {
    const struct lesson *lesson = s->task->lesson;
    exercise_set standing = 0;
    struct text weak = {0};
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        if (e->state == DONE || e == s->exercise)
            continue;
        standing |= only(i);
        text_print(&weak, "#pragma weak %s\n", e->name);
    }
    if (weak.length > 0 && file_replace(s->weak, &weak) &&
        standin_object(s->task, standing, s->standin)) {
        text_print(&s->flags, " -include %s", s->weak);
        text_print(&s->sanitized, " -include %s", s->weak);
        command_add(&s->objects, s->standin);
    }
}

static void open_search(struct search *s) {
    const struct settings *settings = s->task->settings;
    s->stem = slips_stem(s->task, "repair");
    s->standin = path_of("%s.standin.o", s->stem);
    s->weak = path_of("%s.weak.h", s->stem);
    text_print(&s->flags, "%s", settings->slip_flags);
    text_print(&s->sanitized, "%s -O0 -g0 -w -fno-sanitize-coverage=trace-pc", settings->flags);
    command_add_all(&s->objects, s->task->objects);
    make_folder_of(s->stem);
    bring_standins(s);
}

static void close_search(struct search *s) {
    remove(s->weak);
    remove(s->standin);
    remove(path_of("%s.names", s->standin));
}

/* Changes the learner's function in all ways, at one place or at two. */
static int try_changes(struct advice *advice, struct search *s, bool twins) {
    struct wanted wanted = {
        .function = s->exercise->name, .generated = true, .helpers = true, .twins = twins};
    if (!variants_make(&s->variants, s->source, wanted))
        return -1;
    find_named(s, s->exercise->slips);
    forget_what_repairs_nothing(s);
    return find_repair(advice, s, false);
}

static void find_changed(struct advice *advice, struct search *s) {
    if (try_changes(advice, s, false) == 0 && try_changes(advice, s, true) == 0)
        *advice = s->named;
}

struct advice diagnose_further(const struct task *task, const struct exercise *exercise) {
    struct advice advice = {.first = ""};
    struct search s = {.task = task,
                       .exercise = exercise,
                       .source = file_text(task->lesson->source),
                       .named = advice};
    command_limit(BUDGET, isatty(STDOUT_FILENO) ? PATIENCE : INFINITY);
    open_search(&s);
    know_named(&s, exercise->slips);
    if (find_undone(&advice, &s) <= 0)
        find_changed(&advice, &s);
    advice.gave_up =
        advice.lines[0] == 0 && (command_work_left() <= 0.0 || command_clock_left() <= 0.0);
    close_search(&s);
    return advice;
}
