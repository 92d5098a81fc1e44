#include "diagnose.h"

#include "command.h"
#include "files.h"
#include "sealed.h"
#include "slip_runs.h"
#include "source.h"
#include "standin.h"

#include <signal.h>
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
   stands: that says nothing to who has none. */
static bool says_nothing(const struct variant *v, const struct code *code) {
    return (strstr(v->says, "loop") &&
            loops_in(code) < (strstr(v->says, "another loop") ? 2 : 1)) ||
           (starts_with(v->name, "CONST:") &&
            !has_number(code, strtod(strrchr(v->name, ':') + 1, NULL)));
}

static void leave_out_what_is_not_there(const struct lesson *lesson, const char *exercise,
                                        struct variant *variants, int count) {
    struct text source;
    struct code code = {0};
    const char *from, *to;
    if (!text_read_file(&source, lesson->source.chars))
        return;
    blank_all_but_code(source.chars);
    if (find_definition(source.chars, exercise, &from, &to) && code_read_tokens(&code, from, to))
        for (struct variant *v = variants; v < variants + count; v++)
            v->stillborn = v->stillborn || (v->origin == GENERATED && says_nothing(v, &code));
    code_free(&code);
    text_free(&source);
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
    if (is_release() ||
        !family_of(&family, lesson, (struct wanted){.function = exercise, .generated = true}))
        return;
    family.long_tests = OF_ALL;
    if (keep_unproven(&family, table, outcomes) > 0)
        table_read(proof, run_slips(&family, stem.chars, settings, objects, settings->slip_flags));
    if (proof->whole)
        table_fill(table, proof);
    family_free(&family);
}

static void diagnose_exercise(struct check *check, struct lesson *lesson, struct exercise *e,
                              const struct settings *settings, char *const objects[]) {
    struct test *bad = e && check->stage == TESTED ? report_first_bad(&check->report, e) : NULL;
    struct table table, proof = {0};
    if (!bad || bad->verdict != FAILED || settings->untold)
        return;
    struct outcomes outcomes = outcomes_of(&check->report, e);
    if (exercise_table(&table, lesson, e->name, settings, objects)) {
        leave_out_what_is_not_there(lesson, e->name, table.slips, table.slip_count);
        if (table_unproven(&table, &outcomes))
            prove_long_tests(&table, &proof, lesson, e->name, settings, objects, &outcomes);
        struct verdict_text told = table_tell(&table, &outcomes);
        if (!bad->sure || told.certain)
            snprintf(bad->slip, sizeof bad->slip, "%s", text_of(&told.text));
        text_free(&told.text);
    }
    table_free(&proof);
    table_free(&table);
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

/* --- one change that is enough, or two ------------------------------------------------------ */

/* More than so many repairs mean that the file is right as it is, for these flags. */
enum { MOST_REPAIRS = 20 };

/* The generator over the learner's own function. */
struct workshop {
    struct family family;
    struct path stem, standin, weak;
    struct text flags, sanitized;
    const struct settings *settings;
    struct command objects; /* the words of a command line */
    struct table table;     /* of each change alone */
    char test[200];         /* the first that fails */
    bool stopped;           /* it does not come to its end */
};

static bool try_all(struct workshop *w, struct table *table, const char *flags, bool pairs) {
    struct text text = {0};
    struct path asked = path_of("%s ", w->test);
    bool good = slips_build(&w->family, w->stem.chars, w->settings, w->objects.words, flags) &&
                slips_run(&text, &w->family, w->stem.chars, pairs ? asked.chars : NULL);
    slips_remove(w->stem.chars);
    table_read(table, text);
    return good && table->whole;
}

static bool repairs(const struct table *table, int slip) {
    return slip <= table->slip_count && !table->slips[slip - 1].stillborn &&
           table_passes(table, slip);
}

/* Keeps those after which all tests pass. Their number; -1: there is nothing to repair. */
static int keep_repairs(struct workshop *w, const char *flags) {
    struct table *table = &w->table;
    int count = 0;
    table_free(table);
    if (!try_all(w, table, flags, false) || table_passes(table, 0))
        return -1;
    snprintf(w->test, sizeof w->test, "%.199s", table->failures[0].test);
    w->stopped = strchr("TX", table->failures[0].how) != NULL;
    for (int i = 0; i < w->family.count; i++)
        count += repairs(table, i + 1);
    for (int i = 0; count > 0 && i < w->family.count; i++)
        w->family.variants[i].stillborn = !repairs(table, i + 1);
    return count;
}

/* The same of two changes at once: the first two. */
static bool keep_pair(struct workshop *w, const char *flags) {
    struct table table;
    const struct pair *pair = NULL;
    if (try_all(w, &table, flags, true))
        for (int i = 0; i < table.pair_count && !pair; i++)
            if (table_passes(&table, table.pairs[i].number))
                pair = &table.pairs[i];
    for (int i = 0; pair && i < w->family.count; i++)
        w->family.variants[i].stillborn = i + 1 != pair->first && i + 1 != pair->second;
    bool found = pair != NULL;
    table_free(&table);
    return found;
}

static bool is_one_of(const struct variant *v, const char *operators) {
    return has_word(operators, v->name, strcspn(v->name, ":"));
}

/* The lines of the first changes that were kept. Two steps exchanged may pass as one of them is
   lost then: where leaving it out passes, too, that is what is told. */
static void note_lines(struct advice *advice, const struct family *family, int count) {
    int noted = 0, others = 0;
    for (int i = 0; i < family->count; i++)
        others += !family->variants[i].stillborn && !is_one_of(&family->variants[i], "ORDER");
    for (const struct variant *v = family->variants; noted < count; v++)
        if (!v->stillborn && (others < count || !is_one_of(v, "ORDER"))) {
            advice->lines[noted] = v->line;
            advice->kinds[noted++] = v->kind;
        }
}

/* --- one change that is not enough ---------------------------------------------------------- */

/* What a change does in the tests of the exercise. */
struct progress {
    int failing, mended;
    bool worse; /* a test that passed fails, or one stops, or fails earlier */
};

static int question_of(const struct failure *f) {
    return f->how == '~' ? atoi(f->evidence) : 0;
}

static struct progress progress_of(const struct table *table, int slip) {
    struct progress p = {0};
    for (const struct table_test *t = table->tests; t < table->tests + table->test_count; t++) {
        const struct failure *was = table_failure(table, 0, t->name);
        const struct failure *is = table_failure(table, slip, t->name);
        if (is && is->how == '-' && was)
            is = was; /* it was not asked */
        p.failing += was != NULL;
        p.mended += was && !is;
        p.worse = p.worse || (is && !strchr("-/~", is->how) && !(was && was->how == is->how)) ||
                  (is && !was && is->how == '~') ||
                  (is && was && question_of(is) < question_of(was));
    }
    return p;
}

/* Is what comes out then what comes out of a known slip? */
static bool is_known(const struct workshop *w, const struct table *known, int slip) {
    struct outcomes outcomes = table_outcomes(&w->table, slip, w->family.exercise);
    struct verdict_text told = table_tell(known, &outcomes);
    free(outcomes.tests);
    text_free(&told.text);
    return told.certain;
}

/* Is it one slip of the reference less? Then what is left are the numbers of a listed one, which
   they were not before. Who leaves more out, or in another place, may get to whoever left it
   out. */
static bool leaves_slip(const struct workshop *w, const struct table *known, int slip) {
    const struct failure *was = table_failure(&w->table, 0, NULL);
    const struct failure *is = was ? table_failure(&w->table, slip, was->test) : NULL;
    return is && is->how == '~' && strcmp(is->evidence, was->evidence) != 0 &&
           !is_one_of(&w->family.variants[slip - 1], "LEFT FACTOR TERM ORDER ONCE RETURN IF") &&
           is_known(w, known, slip) && !is_known(w, known, 0);
}

/* Lines so near to each other are one place. */
enum { NEAR = 3 };

/* Tests that pass count most, then a known slip. One test of many may pass by chance. A type that
   holds less mends nothing. */
static int worth_of(const struct workshop *w, const struct table *known, int slip) {
    const struct progress p = progress_of(&w->table, slip);
    if (w->table.slips[slip - 1].stillborn || p.worse ||
        is_one_of(&w->family.variants[slip - 1], "INT FLOAT"))
        return 0;
    return leaves_slip(w, known, slip) + (5 * p.mended >= p.failing ? 2 * p.mended : 0);
}

/* The change that mends the most, or else leaves a known slip: its number; 0: there is none, or
   there are such in several places. */
static int most_mending(const struct workshop *w, const struct table *known) {
    int best = 0, most = 0, first_line = 0, last_line = 0;
    for (int i = 0; i < w->table.slip_count; i++) {
        const int line = w->family.variants[i].line, worth = worth_of(w, known, i + 1);
        if (worth > most) {
            best = i + 1;
            most = worth;
            first_line = last_line = line;
        } else if (worth == most) {
            first_line = line < first_line ? line : first_line;
            last_line = line > last_line ? line : last_line;
        }
    }
    return last_line - first_line <= NEAR ? best : 0;
}

static void tell_effect(struct advice *advice, const struct progress *p, bool leaves) {
    if (p->mended > 0)
        snprintf(advice->effect, sizeof advice->effect,
                 "with one change there, %d of the %d failing tests pass%s%s", p->mended,
                 p->failing, p->mended == 1 ? "es" : "",
                 leaves ? ", and the others fail as for a known slip." : ".");
    else
        snprintf(advice->effect, sizeof advice->effect,
                 "with one change there, your numbers are those of a known slip.");
}

/* With the sanitizers, and the long tests, too. */
static void find_progress(struct advice *advice, struct workshop *w, const struct table *known) {
    const int best = most_mending(w, known);
    for (int i = 0; i < w->family.count; i++)
        w->family.variants[i].stillborn = w->family.variants[i].stillborn || i + 1 != best;
    w->family.long_tests = OF_ALL;
    table_free(&w->table);
    if (best == 0 || !try_all(w, &w->table, text_of(&w->sanitized), false))
        return;
    struct progress p = progress_of(&w->table, best);
    const bool leaves = leaves_slip(w, known, best);
    if (!p.worse && (p.mended > 0 || leaves)) {
        tell_effect(advice, &p, leaves);
        note_lines(advice, &w->family, 1);
        advice->kinds[0] = ""; /* it may be one of several */
    }
}

/* Where others are not done, the learner's give way to the reference's: he is to change a line of
   this exercise, not of those. */
static void bring_standins(struct workshop *w, const struct lesson *lesson, const char *exercise) {
    bool *standing = calloc((size_t)lesson->count, sizeof *standing);
    struct text weak = {0};
    for (int i = 0; standing && i < lesson->count; i++) {
        const struct exercise *e = &lesson->exercises[i];
        standing[i] = e->state != DONE && strcmp(e->name, exercise) != 0;
        if (standing[i])
            text_print(&weak, "#pragma weak %s\n", e->name);
    }
    if (weak.length > 0 && file_replace(w->weak.chars, &weak) &&
        standin_object(lesson, w->settings, standing, w->standin.chars)) {
        text_print(&w->flags, " -include %s", w->weak.chars);
        text_print(&w->sanitized, " -include %s", w->weak.chars);
        command_add(&w->objects, w->standin.chars);
    }
    text_free(&weak);
    free(standing);
}

static void open_workshop(struct workshop *w, const struct lesson *lesson, const char *exercise,
                          const struct settings *settings, char *const objects[]) {
    w->settings = settings;
    w->stem = path_of("%s/slips/%s/repair.%d", settings->object, lesson->folder, (int)getpid());
    w->standin = path_of("%s.standin.o", w->stem.chars);
    w->weak = path_of("%s.weak.h", w->stem.chars);
    text_print(&w->flags, "%s", settings->slip_flags);
    text_print(&w->sanitized, "%s -O0 -g0 -w -Icommon/slips -fno-sanitize-coverage=trace-pc",
               settings->flags);
    command_add_all(&w->objects, objects);
    make_folder_of(w->stem.chars);
    bring_standins(w, lesson, exercise);
}

static void close_workshop(struct workshop *w) {
    family_free(&w->family);
    table_free(&w->table);
    text_free(&w->flags);
    text_free(&w->sanitized);
    remove(w->weak.chars);
    remove(w->standin.chars);
    remove(path_of("%s.names", w->standin.chars).chars);
}

/* A number without a first value repairs nothing, whatever it happens to be. */
static void forget_unset(struct family *family) {
    for (struct variant *v = family->variants; v < family->variants + family->count; v++)
        v->stillborn = v->stillborn || starts_with(v->name, "UNINIT");
}

/* A change that passes all tests of the exercise, with the sanitizers, too; or two, or one that is
   not enough. False when the first test that fails has no numbers to look for, as the function is
   stopped in it. */
static bool find_repair(struct advice *advice, const struct lesson *lesson, const char *exercise,
                        const struct settings *settings, char *const objects[]) {
    struct workshop w = {0};
    struct text source;
    if (!text_read_file(&source, lesson->source.chars))
        return false;
    open_workshop(&w, lesson, exercise, settings, objects);
    if (family_make(&w.family, text_of(&source),
                    (struct wanted){.function = exercise, .generated = true, .helpers = true})) {
        const char *flags = text_of(&w.flags), *sanitized = text_of(&w.sanitized);
        forget_unset(&w.family);
        int count = keep_repairs(&w, flags);
        if (count != 0)
            count = keep_repairs(&w, sanitized);
        if (count > 0 && count <= MOST_REPAIRS)
            note_lines(advice, &w.family, 1);
        else if (count == 0 && keep_pair(&w, flags) && keep_pair(&w, sanitized))
            note_lines(advice, &w.family, 2);
        else if (count == 0) {
            struct table known;
            exercise_table(&known, lesson, exercise, settings, objects);
            find_progress(advice, &w, &known);
            table_free(&known);
        }
    }
    close_workshop(&w);
    text_free(&source);
    return !w.stopped;
}

/* --- two slips at once ---------------------------------------------------------------------- */

static int worth(const struct variant *v) {
    return v->origin == LISTED ? 2 : v->origin == GENERATED ? 1 : 0;
}

static void tell_pair(struct advice *advice, const struct variant *a, const struct variant *b,
                      bool left_out) {
    const char *tests = left_out ? " in all but the longest tests" : "";
    struct path first = path_of("%.400s%s", a->says, a->origin == LISTED ? "" : ".");
    struct path second = path_of("%.400s%s", b->says, b->origin == LISTED ? "" : ".");
    if (strcmp(a->says, b->says) == 0)
        snprintf(advice->slips, sizeof advice->slips,
                 "The same slip at two places would give exactly your numbers%s: %.450s", tests,
                 first.chars);
    else
        snprintf(advice->slips, sizeof advice->slips,
                 "Two slips at once would give exactly your numbers%s. One: %.450s The other: "
                 "%.450s",
                 tests, first.chars, second.chars);
}

/* Listed ones are worth more than generated ones, and the same twice more than two kinds. */
static void choose_pair(struct advice *advice, const struct table *table,
                        const struct family *family, const struct outcomes *outcomes) {
    int best = 2;
    for (int i = 0; i < table->pair_count; i++) {
        const struct pair *p = &table->pairs[i];
        const struct variant *a = &family->variants[p->first - 1];
        const struct variant *b = &family->variants[p->second - 1];
        const bool same = a->kind && b->kind && strcmp(a->kind, b->kind) == 0;
        const int good = 2 * (worth(a) + worth(b)) + same;
        if (may_be_told(a) && may_be_told(b) && (same || strcmp(a->says, b->says) != 0) &&
            good > best && table_matches(table, p->number, outcomes)) {
            best = good;
            tell_pair(advice, a, b, table_left_out(table, p->number, outcomes));
        }
    }
}

/* Then two are only a longer way to say it, and what they say apart need not be so. */
static bool one_is_enough(const struct lesson *lesson, const char *exercise,
                          const struct settings *settings, char *const objects[],
                          const struct outcomes *outcomes) {
    struct table table;
    bool enough = false;
    exercise_table(&table, lesson, exercise, settings, objects);
    for (int i = 0; i < table.slip_count; i++)
        enough = enough || (may_be_told(&table.slips[i]) && table_matches(&table, i + 1, outcomes));
    table_free(&table);
    return enough;
}

/* Of all slips of the reference, two at a time, those that give the numbers of the first failing
   test; then the others must be the same, too. A release
   has no source to make slips of. */
static void find_pair(struct advice *advice, const struct lesson *lesson, const char *exercise,
                      const struct settings *settings, char *const objects[],
                      const struct outcomes *outcomes) {
    struct path stem =
        path_of("%s/slips/%s/pair.%d", settings->object, lesson->folder, (int)getpid());
    struct table table = {0};
    struct text text = {0}, asked = {0};
    struct family family;
    const struct outcome *bad = first_bad(outcomes);
    if (is_release() || !bad || !*bad->evidence || evidence_strength(outcomes) < 3 ||
        one_is_enough(lesson, exercise, settings, objects, outcomes))
        return;
    text_print(&asked, "%s %s", bad->test, bad->evidence);
    if (family_of(&family, lesson,
                  (struct wanted){.function = exercise, .generated = true, .doubles = true}) &&
        slips_build(&family, stem.chars, settings, objects, settings->slip_flags))
        slips_run(&text, &family, stem.chars, text_of(&asked));
    table_read(&table, text);
    leave_out_what_is_not_there(lesson, exercise, family.variants, family.count);
    choose_pair(advice, &table, &family, outcomes);
    slips_remove(stem.chars);
    table_free(&table);
    family_free(&family);
    text_free(&asked);
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
    struct check check;
    if (settings->untrusted) /* the search runs the learner's code, changed */
        return advice;
    signal(SIGALRM, on_a_second);
    alarm(1);
    bool has_numbers = find_repair(&advice, lesson, exercise->name, settings, objects);
    if (has_numbers && (advice.lines[0] == 0 || advice.lines[1] > 0 || advice.effect[0])) {
        check_lesson(&check, lesson, settings, objects);
        const struct test *bad = report_first_bad(&check.report, exercise);
        struct outcomes outcomes = outcomes_of(&check.report, exercise);
        if (check.stage == TESTED && bad && bad->verdict == FAILED)
            find_pair(&advice, lesson, exercise->name, settings, objects, &outcomes);
        free(outcomes.tests);
        check_free(&check);
    }
    alarm(0);
    return advice;
}
