#include "diagnose/diagnose.h"

#include "base/command.h"
#include "base/files.h"
#include "base/source.h"
#include "check/standin.h"
#include "diagnose/chance.h"
#include "diagnose/fitting.h"
#include "diagnose/shown.h"
#include "diagnose/slip_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct outcomes outcomes_of(const struct report *report, const struct exercise *e) {
    struct outcomes outcomes = {0};
    for (int i = 0; i < report->count; i++) {
        const struct test *t = &report->tests[i];
        if (t->exercise == e)
            outcomes_add(&outcomes, (struct outcome){t->name, t->verdict == PASSED,
                                                     t->verdict == FAILED ? t->evidence : ""});
    }
    return outcomes;
}

static int loops_in(const struct code *code) {
    int count = 0;
    for (int i = 0; i < code->count; i++)
        count += is(code, i, "for while");
    return count;
}

static bool has_number(const struct code *code, double number) {
    for (int i = 0; i < code->count; i++)
        if (code->tokens[i].kind == NUMBER && strtod(code->tokens[i].at, NULL) == number)
            return true;
    return false;
}

/* What is generated may be of a right form with a loop, or two, or put a number where another
   stands: that says nothing to a learner who has none. */
static bool says_nothing(const struct variant *v, const struct code *code) {
    return loops_in(code) < v->loops ||
           (starts_with(v->name, "CONST:") &&
            !has_number(code, strtod(strrchr(v->name, ':') + 1, NULL)));
}

static void blank(char *from, const char *to) {
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

struct text own_source(const struct lesson *lesson, const char *exercise) {
    struct text source;
    const char *from, *to;
    if (!text_read_file(&source, lesson->source.chars))
        return source;
    blank_all_but_code(source.chars);
    for (int i = 0; i < lesson->count; i++)
        if (strcmp(lesson->exercises[i].name, exercise) != 0 &&
            find_definition(source.chars, lesson->exercises[i].name, &from, &to))
            blank(source.chars + (from - source.chars), to);
    return source;
}

/* Notes what the learner's source says of each slip. */
static void weigh(const struct text *own, struct variant *variants, int count) {
    struct code code = {0};
    const char *from = text_of(own), *to = strchr(from, '\0');
    struct text statements = statements_of(from, to);
    if (code_read_tokens(&code, from, to))
        for (struct variant *v = variants; v < variants + count; v++) {
            v->stillborn = v->stillborn || (v->origin == GENERATED && says_nothing(v, &code));
            v->doubt = may_be_told(v) ? doubt_about(v, text_of(&statements)) : NO_DOUBT;
        }
    text_free(&statements);
    code_free(&code);
}

/* Leaves those that fail as the learner did, but for long tests that were not run for them. */
static int keep_unproven(struct family *family, const struct table *table,
                         const struct outcomes *outcomes) {
    int count = 0;
    for (int i = 0; i < family->count; i++) {
        const bool unproven = i < table->slip_count && may_be_told(&table->slips[i]) &&
                              table_matches(table, i + 1, outcomes) &&
                              table_left_out(table, i + 1, outcomes);
        family->variants[i].stillborn = !unproven;
        count += unproven;
    }
    return count;
}

/* Runs these for them, so that what is told is true of all tests. */
static void prove_long_tests(struct table *table, struct table *proof, const struct lesson *lesson,
                             const char *exercise, const struct settings *settings,
                             char *const objects[], const struct outcomes *outcomes) {
    struct path stem =
        path_of("%s/slips/%s/proof.%d", settings->object, lesson->folder, (int)getpid());
    struct family family = {0};
    if (!family_of(&family, lesson, (struct wanted){.function = exercise, .generated = true}))
        return;
    family.long_tests = OF_ALL;
    if (keep_unproven(&family, table, outcomes) > 0)
        table_read(proof, run_slips(&family, stem.chars, settings, objects, settings->slip_flags));
    if (proof->whole)
        table_fill(table, proof);
    family_free(&family);
}

/* Puts a relation between all the numbers and the right ones before what else is said, if it is no
   chance. */
static void tell_relation(const struct report *report, struct test *bad, const struct text *own) {
    struct witness *witnesses = NULL;
    struct code code = {0};
    int count = 0;
    for (struct test *t = bad; t < report->tests + report->count; t++)
        if (t->exercise == bad->exercise && t->verdict == FAILED) {
            witnesses = with_room(witnesses, count, sizeof *witnesses);
            witnesses[count++] = (struct witness){t->evidence, text_of(&t->relations)};
        }
    code_read_tokens(&code, text_of(own), strchr(text_of(own), '\0'));
    struct relation told = relation_of(witnesses, count, &code);
    if (told.sentence.chars[0] && !(told.weak && bad->broke[0]) && !bad->sure) {
        struct path rest = path_of("%.500s", told.sure ? "" : bad->broke);
        snprintf(bad->broke, sizeof bad->broke, "%.290s%s%.500s", told.sentence.chars,
                 rest.chars[0] ? " " : "", rest.chars);
        bad->sure = told.sure;
    }
    code_free(&code);
    free(witnesses);
}

static void diagnose_exercise(struct check *check, struct lesson *lesson, struct exercise *e,
                              const struct settings *settings, char *const objects[]) {
    struct test *bad = e && check->stage == TESTED ? report_first_bad(&check->report, e) : NULL;
    struct table table = {0}, proof = {0};
    if (!bad || bad->verdict != FAILED)
        return;
    struct outcomes outcomes = outcomes_of(&check->report, e);
    struct text own = own_source(lesson, e->name);
    tell_relation(&check->report, bad, &own);
    if (!settings->untold && exercise_table(&table, lesson, e->name, settings, objects)) {
        weigh(&own, table.slips, table.slip_count);
        if (table_unproven(&table, &outcomes))
            prove_long_tests(&table, &proof, lesson, e->name, settings, objects, &outcomes);
        struct cause cause = table_cause(&table, &outcomes);
        if (!bad->sure || cause.certain)
            finding_of(check, lesson, e)->cause = cause;
        else
            text_free(&cause.names);
    }
    table_free(&proof);
    table_free(&table);
    text_free(&own);
    free(outcomes.tests);
}

void diagnose(struct check *check, struct lesson *lesson, const struct settings *settings,
              char *const objects[]) {
    diagnose_exercise(check, lesson, lesson_first_undone(lesson), settings, objects);
}

void diagnose_all(struct check *check, struct lesson *lesson, const struct settings *settings,
                  char *const objects[]) {
    for (int i = 0; i < lesson->count; i++)
        diagnose_exercise(check, lesson, &lesson->exercises[i], settings, objects);
}

/* --- what make hint looks for --------------------------------------------------------------- */

/* CPU seconds for all that is compiled and run. */
enum { BUDGET = 5 };

/* More than so many repairs mean that the file is right as it is, for these flags. */
enum { MOST_REPAIRS = 20 };

/* Lines beyond are not looked at. */
enum { MOST_LINES = 4000 };

/* The generator over the learner's own function, and the known mistakes that the screen names. */
struct workshop {
    const struct lesson *lesson;
    const char *exercise;
    struct family family, known;
    bool touched[MOST_LINES]; /* lines where one of them may stand */
    bool is_named;
    struct path stem, standin, weak;
    struct text flags, sanitized;
    const struct settings *settings;
    char *const *tests;     /* objects that the learner's is linked with, */
    struct command objects; /* and with stand-ins: the words of a command line */
    struct table table;     /* of each change alone */
};

static bool repairs(const struct table *table, int slip) {
    return slip <= table->slip_count && !table->slips[slip - 1].stillborn &&
           table_passes(table, slip);
}

/* Keeps those after which all tests pass. Their number; -1: there is nothing to repair. */
static int keep_repairs(struct workshop *w, const char *flags) {
    struct table *table = &w->table;
    int count = 0;
    table_free(table);
    table_read(table, run_slips(&w->family, w->stem.chars, w->settings, w->objects.words, flags));
    if (!table->whole || table_passes(table, 0))
        return -1;
    for (int i = 0; i < w->family.count; i++)
        count += repairs(table, i + 1);
    for (int i = 0; count > 0 && i < w->family.count; i++)
        w->family.variants[i].stillborn = !repairs(table, i + 1);
    return count;
}

/* The smallest of those that are left. NULL if there is none, or as small a one in another line. */
static const struct variant *smallest(const struct family *family) {
    const struct variant *best = NULL;
    bool several = false;
    for (const struct variant *v = family->variants; v < family->variants + family->count; v++)
        if (!v->stillborn && (!best || v->size <= best->size)) {
            several = best && v->size == best->size && (several || v->line != best->line);
            best = v;
        }
    return several ? NULL : best;
}

static void note_line(struct advice *advice, int line, enum advised change, const char *first) {
    advice->lines[0] = line;
    advice->change = change;
    snprintf(advice->first, sizeof advice->first, "%s", first);
}

/* Are all that are left in the line of one kind? Otherwise it is not known what is wrong there. */
static bool is_one_kind(const struct family *family, const struct variant *repair) {
    for (const struct variant *v = family->variants; v < family->variants + family->count; v++)
        if (!v->stillborn && v->line == repair->line && strcmp(v->kind, repair->kind) != 0)
            return false;
    return true;
}

/* One change after which all tests of the exercise pass, with the sanitizers, too. */
static bool find_repair(struct advice *advice, struct workshop *w) {
    int count = keep_repairs(w, text_of(&w->flags));
    if (count != 0)
        count = keep_repairs(w, text_of(&w->sanitized));
    const struct variant *v = count > 0 && count <= MOST_REPAIRS ? smallest(&w->family) : NULL;
    advice->repairs = v != NULL;
    if (v && is_one_kind(&w->family, v))
        note_line(advice, v->line, KIND_OF_CHANGE, v->kind);
    else if (v)
        advice->lines[0] = v->line;
    return count != 0;
}

/* --- a known mistake in the learner's own lines ---------------------------------------------- */

/* Those of the reference. */
static bool know_mistakes(struct workshop *w, bool doubles) {
    struct wanted wanted = {.function = w->exercise, .generated = true, .doubles = doubles};
    return file_is_there(list_of(w->lesson).chars) && family_of(&w->known, w->lesson, wanted);
}

/* Is it one of those that the screen names? `names` has a line for each. */
static bool is_named(const char *names, const struct variant *v) {
    char name[400];
    while (next_line(&names, name, sizeof name))
        if (strcmp(name, v->name) == 0)
            return true;
    return false;
}

/* Its line, where one is most like it. What it is may be changed there, and nowhere else. */
static void find_named(struct advice *advice, struct workshop *w, const char *names) {
    double most = 0.0;
    if (!*names || !know_mistakes(w, false))
        return;
    for (const struct variant *v = w->known.variants; v < w->known.variants + w->known.count; v++) {
        if (!may_be_told(v) || !is_named(names, v))
            continue;
        struct fit fit = fit_mistake(&w->family, &w->known, v, w->touched, MOST_LINES);
        const bool listed = v->origin == LISTED;
        w->is_named = true;
        if (fit.likeness > most)
            note_line(advice, fit.line, listed ? KNOWN_MISTAKE : KIND_OF_CHANGE,
                      listed ? v->says : v->kind);
        most = fit.likeness > most ? fit.likeness : most;
    }
}

/* A number without a first value, or one that holds less, repairs nothing, whatever it happens to
   be. What is added to a gradient has to be added, and a matrix has the size that it has. */
static bool may_repair(const struct variant *v) {
    return !has_word("UNINIT INT FLOAT", v->name, strcspn(v->name, ":")) && !v->is_against_header;
}

static void forget_what_repairs_nothing(struct workshop *w) {
    bool any = false;
    for (int i = 0; i < MOST_LINES; i++)
        any = any || w->touched[i];
    for (struct variant *v = w->family.variants; v < w->family.variants + w->family.count; v++)
        v->stillborn = v->stillborn || !may_repair(v) ||
                       (any && (v->line >= MOST_LINES || !w->touched[v->line]));
}

/* --- two at once ------------------------------------------------------------------------------ */

static int worth(const struct variant *v) {
    return v->origin == LISTED ? 2 : v->origin == GENERATED ? 1 : 0;
}

/* The sentence of a listed slip ends in a full stop, and the clause of a generated one does not. */
static void note_pair(struct advice *advice, const struct variant *a, const struct variant *b) {
    advice->change = strcmp(a->says, b->says) == 0 ? SAME_TWICE : TWO_MISTAKES;
    snprintf(advice->first, sizeof advice->first, "%.400s%s", a->says,
             a->origin == LISTED ? "" : ".");
    snprintf(advice->second, sizeof advice->second, "%.400s%s", b->says,
             b->origin == LISTED ? "" : ".");
}

/* Both have to stand in lines of the learner's. Listed ones are worth more than generated ones, and
   the same twice more than two kinds. */
static void choose_pair(struct advice *advice, const struct table *table, const struct workshop *w,
                        const struct outcomes *outcomes) {
    int best = 2;
    bool touched[MOST_LINES];
    for (int i = 0; i < table->pair_count; i++) {
        const struct pair *p = &table->pairs[i];
        const struct variant *a = &w->known.variants[p->first - 1];
        const struct variant *b = &w->known.variants[p->second - 1];
        const bool same = a->kind && b->kind && strcmp(a->kind, b->kind) == 0;
        const int good = 2 * (worth(a) + worth(b)) + same;
        if (!may_be_told(a) || !may_be_told(b) || (!same && strcmp(a->says, b->says) == 0) ||
            good <= best || !table_matches(table, p->number, outcomes) ||
            table_left_out(table, p->number, outcomes))
            continue;
        const int line = fit_mistake(&w->family, &w->known, a, touched, MOST_LINES).line;
        const int other = fit_mistake(&w->family, &w->known, b, touched, MOST_LINES).line;
        if (line == 0 || other == 0 || line == other)
            continue;
        best = good;
        note_pair(advice, a, b);
        advice->lines[0] = line;
        advice->lines[1] = other;
    }
}

/* Of all slips of the reference, two at a time, those that give the numbers of the first failing
   test; then the others must be the same, too. */
static void find_two_slips(struct advice *advice, struct workshop *w,
                           const struct outcomes *outcomes) {
    const struct outcome *bad = first_bad(outcomes);
    struct table table = {0};
    struct text text = {0}, asked = {0};
    family_free(&w->known);
    if (!know_mistakes(w, true))
        return;
    text_print(&asked, "%s %s", bad->test, bad->evidence);
    if (slips_build(&w->known, w->stem.chars, w->settings, w->tests, w->settings->slip_flags))
        slips_run(&text, &w->known, w->stem.chars, text_of(&asked));
    slips_remove(w->stem.chars);
    text_free(&asked);
    table_read(&table, text);
    struct text own = own_source(w->lesson, w->exercise);
    weigh(&own, w->known.variants, w->known.count);
    text_free(&own);
    choose_pair(advice, &table, w, outcomes);
    table_free(&table);
}

/* Where one mistake has been named two are only a longer way to say it; and a few plain numbers
   come out of any two. */
static void find_two(struct advice *advice, struct workshop *w) {
    struct outcomes outcomes = table_outcomes(&w->table, 0, w->exercise);
    const struct outcome *bad = first_bad(&outcomes);
    if (bad && *bad->evidence && evidence_strength(&outcomes) >= 3)
        find_two_slips(advice, w, &outcomes);
    free(outcomes.tests);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Where others are not done, the learner's give way to the reference's: he is to change a line of
   this exercise, not of those. */
static void bring_standins(struct workshop *w) {
    const struct lesson *lesson = w->lesson;
    exercise_set standing = 0;
    struct text weak = {0};
    for (int i = 0; i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        if (e->state == DONE || strcmp(e->name, w->exercise) == 0)
            continue;
        standing |= only(i);
        text_print(&weak, "#pragma weak %s\n", e->name);
    }
    if (weak.length > 0 && file_replace(w->weak.chars, &weak) &&
        standin_object(lesson, w->settings, standing, w->standin.chars)) {
        text_print(&w->flags, " -include %s", w->weak.chars);
        text_print(&w->sanitized, " -include %s", w->weak.chars);
        command_add(&w->objects, w->standin.chars);
    }
    text_free(&weak);
}

static void open_workshop(struct workshop *w, const struct settings *settings,
                          char *const objects[]) {
    w->settings = settings;
    w->tests = objects;
    w->stem = path_of("%s/slips/%s/repair.%d", settings->object, w->lesson->folder, (int)getpid());
    w->standin = path_of("%s.standin.o", w->stem.chars);
    w->weak = path_of("%s.weak.h", w->stem.chars);
    text_print(&w->flags, "%s", settings->slip_flags);
    text_print(&w->sanitized, "%s -O0 -g0 -w -fno-sanitize-coverage=trace-pc", settings->flags);
    command_add_all(&w->objects, objects);
    make_folder_of(w->stem.chars);
    bring_standins(w);
}

static void close_workshop(struct workshop *w) {
    family_free(&w->family);
    family_free(&w->known);
    table_free(&w->table);
    text_free(&w->flags);
    text_free(&w->sanitized);
    remove(w->weak.chars);
    remove(w->standin.chars);
    remove(path_of("%s.names", w->standin.chars).chars);
}

struct advice diagnose_further(struct lesson *lesson, const struct exercise *exercise,
                               const struct settings *settings, char *const objects[]) {
    struct advice advice = {0};
    struct workshop w = {.lesson = lesson, .exercise = exercise->name};
    struct text source;
    command_limit_work(BUDGET);
    open_workshop(&w, settings, objects);
    if (text_read_file(&source, lesson->source.chars) &&
        family_make(&w.family, text_of(&source),
                    (struct wanted){.function = w.exercise, .generated = true, .helpers = true})) {
        find_named(&advice, &w, text_of(&exercise->slips));
        forget_what_repairs_nothing(&w);
        if (!find_repair(&advice, &w) && !w.is_named && exercise->state == WRONG)
            find_two(&advice, &w);
    }
    advice.gave_up = advice.lines[0] == 0 && command_work_left() <= 0.0;
    close_workshop(&w);
    text_free(&source);
    return advice;
}
