#include "diagnose.h"

#include "slip_runs.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int outcomes_of(const struct report *report, const struct exercise *e,
                       struct outcome outcomes[400]) {
    int count = 0;
    for (int i = 0; i < report->count && count < 400; i++) {
        const struct test *t = &report->tests[i];
        if (t->exercise == e)
            outcomes[count++] = (struct outcome){
                t->name, t->verdict == PASSED, t->verdict == FAILED && t->evidence[0], t->evidence};
    }
    return count;
}

void diagnose(struct check *check, struct lesson *lesson, const struct settings *settings,
              char *const objects[]) {
    struct exercise *e = lesson_first_undone(lesson);
    struct test *bad = e && check->stage == TESTED ? report_first_bad(&check->report, e) : NULL;
    struct outcome outcomes[400];
    struct table table;
    if (!bad || bad->verdict != FAILED || file_time(list_of(lesson).chars).tv_sec == 0)
        return;
    int count = outcomes_of(&check->report, e, outcomes);
    if (exercise_table(&table, lesson, e->name, settings, objects)) {
        struct verdict_text told = table_tell(&table, count, outcomes);
        if (!bad->sure || (told.by == LISTED_SLIP && told.sure))
            snprintf(bad->slip, sizeof bad->slip, "%s", told.chars);
    }
    table_free(&table);
}

/* --- one change that is enough -------------------------------------------------------------- */

/* Slips that pass where the file as it is does not: numbers of them, most a list. */
static int passing(const struct table *table, int list[], int most) {
    int count = 0, place = 0;
    for (int slip = 1; slip <= table->slip_count; slip++) {
        while (place < table->count && table->failures[place].slip < slip)
            place++;
        bool fails = place < table->count && table->failures[place].slip == slip;
        if (!fails && !table->slips[slip - 1].stillborn && count < most)
            list[count++] = slip;
    }
    return count;
}

static bool fails_as_it_is(const struct table *table) {
    return table->count > 0 && table->failures[0].slip == 0;
}

/* More than so many repairs mean that the file is right as it is, for these flags. */
enum { MOST_REPAIRS = 20 };

struct workshop {
    struct family family;
    struct path stem;
    const struct settings *settings;
    char *const *objects;
};

/* Runs what is left of the family, and keeps those that pass. Their number; -1: it cannot be run,
   or the file as it is passes. */
static int keep_passing(struct workshop *w, const char *flags) {
    struct table table;
    int list[MOST_REPAIRS + 1];
    table_read(&table, run_slips(&w->family, w->stem.chars, w->settings, w->objects, flags));
    int count =
        table.whole && fails_as_it_is(&table) ? passing(&table, list, MOST_REPAIRS + 1) : -1;
    for (int i = 0, k = 0; i < w->family.count && count >= 0; i++) {
        bool kept = k < count && list[k] == i + 1;
        w->family.variants[i].stillborn = !kept;
        k += kept;
    }
    table_free(&table);
    return count;
}

/* The generator over the learner's own function: the first change that passes all of its tests,
   with the sanitizers, too. */
static void find_repair(struct advice *advice, const struct lesson *lesson, const char *exercise,
                        const struct settings *settings, char *const objects[]) {
    struct workshop w = {.settings = settings, .objects = objects};
    struct path sanitized = path_of("%s -w -Icommon/slips", settings->flags);
    struct text source;
    int count = 0;
    w.stem = path_of("%s/slips/%s/repair.%d", settings->object, lesson->folder, (int)getpid());
    if (!text_read_file(&source, lesson->source.chars))
        return;
    if (family_make(&w.family, text_of(&source), (struct wanted){exercise, NULL, true, true})) {
        count = keep_passing(&w, settings->slip_flags);
        if (count != 0)
            count = keep_passing(&w, sanitized.chars);
        for (int i = 0; i < w.family.count && count > 0 && count <= MOST_REPAIRS; i++)
            if (!w.family.variants[i].stillborn && advice->line == 0) {
                advice->line = w.family.variants[i].line;
                advice->kind = w.family.variants[i].kind;
            }
        family_free(&w.family);
    }
    text_free(&source);
}

/* --- two slips at once ---------------------------------------------------------------------- */

static void tell_pair(struct advice *advice, const struct variant *base, const struct table *second,
                      int count, const struct outcome outcomes[]) {
    struct verdict_text told = table_tell(second, count, outcomes);
    const char *when = strstr(told.chars, "when ");
    if (told.by != GENERATED_SLIP || !when)
        return;
    if (base->origin == LISTED)
        snprintf(advice->slips, sizeof advice->slips,
                 "Your numbers are exactly those of two slips at once. First: %s Second: they come "
                 "out %s",
                 base->says, when);
    else
        snprintf(advice->slips, sizeof advice->slips,
                 "Your numbers are exactly those of two slips at once: when %s, and %s", base->says,
                 when);
}

/* Each slip that gives the numbers of the first failing test, with every other one on top. */
static void find_pair(struct advice *advice, const struct lesson *lesson, const char *exercise,
                      const struct settings *settings, char *const objects[], int count,
                      const struct outcome outcomes[]) {
    struct path list = list_of(lesson);
    struct path stem =
        path_of("%s/slips/%s/pair.%d", settings->object, lesson->folder, (int)getpid());
    struct table table;
    struct text source;
    struct family family;
    if (!text_read_file(&source, reference_of(lesson).chars) ||
        !family_make(&family, text_of(&source), (struct wanted){exercise, list.chars, true, false}))
        return;
    if (exercise_table(&table, lesson, exercise, settings, objects))
        for (int i = 0, tried = 0; i < table.slip_count && tried < 3 && !advice->slips[0]; i++) {
            const struct variant *v = &family.variants[i];
            struct family pairs;
            struct table second;
            if (table.slips[i].stillborn || v->origin == WAY || !v->says ||
                !table_matches_first(&table, i + 1, count, outcomes))
                continue;
            tried++;
            struct text base = family_plant(text_of(&family.source), v);
            family_make(&pairs, text_of(&base), (struct wanted){exercise, NULL, true, false});
            table_read(&second,
                       run_slips(&pairs, stem.chars, settings, objects, settings->slip_flags));
            if (second.whole)
                tell_pair(advice, v, &second, count, outcomes);
            table_free(&second);
            family_free(&pairs);
            text_free(&base);
        }
    table_free(&table);
    family_free(&family);
    text_free(&source);
}

static void on_a_second(int number) {
    static const char words[] = "Looking for one change that is enough ...\n";
    (void)number;
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
        return;
}

struct advice diagnose_further(struct lesson *lesson, const struct exercise *exercise,
                               const struct settings *settings, char *const objects[]) {
    struct advice advice = {0};
    struct outcome outcomes[400];
    struct check check;
    signal(SIGALRM, on_a_second);
    alarm(1);
    find_repair(&advice, lesson, exercise->name, settings, objects);
    if (advice.line == 0) {
        check_lesson(&check, lesson, settings, objects);
        const struct test *bad = report_first_bad(&check.report, exercise);
        int count = outcomes_of(&check.report, exercise, outcomes);
        if (check.stage == TESTED && bad && bad->verdict == FAILED)
            find_pair(&advice, lesson, exercise->name, settings, objects, count, outcomes);
        check_free(&check);
    }
    alarm(0);
    return advice;
}
