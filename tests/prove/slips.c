/* Each slip of a list, planted in the reference: is it told in its own words? */
#include "prove.h"

#include "base/child.h"
#include "base/files.h"
#include "diagnose/laws.h"
#include "diagnose/matching.h"
#include "diagnose/slip_runs.h"
#include "explain/explain.h"
#include "seconds.h"
#include "tutor/words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct text as_a_learners(const struct settings *settings) {
    struct text flags = {0};
    text_print(&flags,
               "%s -O0 -g0 -w --param asan-instrumentation-with-call-threshold=0 "
               "-fno-sanitize-coverage=trace-pc -fno-sanitize=alignment,object-size,"
               "pointer-overflow,signed-integer-overflow,shift,null,nonnull-attribute,vla-bound",
               settings->flags);
    return flags;
}

__attribute__((format(printf, 4, 5))) static void proved(struct proof *p, const struct variant *v,
                                                         bool good, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("%s %s %s in %s: %s", good ? "ok   " : "FAIL ", p->task.lesson->folder,
           v->origin == WAY ? "way" : "slip", v->function, v->name);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    p->failed += !good;
}

/* The lines of that kind that a test left of a slip; the caller frees them. */
static struct text lines_of(const struct table *table, int slip, const char *test, char how) {
    struct text lines = {0};
    for (const struct failure *f = table->failures; f < table->failures + table->count; f++)
        if (f->slip == slip && f->how == how && strcmp(f->test, test) == 0)
            text_print(&lines, "%s\n", f->evidence);
    return lines;
}

/* How the tests of an exercise came out for a slip. */
static struct outcomes table_outcomes(const struct table *table, int slip, const char *exercise) {
    struct outcomes outcomes = {0};
    bool crashed = false; /* what comes after that was not run */
    for (int i = 0; i < table->test_count; i++) {
        const char *name = table->tests[i].name;
        if (strcmp(table->tests[i].exercise, exercise) != 0)
            continue;
        const struct failure *f = table_failure(table, slip, name);
        crashed = crashed || (f && f->how == 'X');
        outcomes_add(&outcomes, (struct outcome){name, !crashed && !f,
                                                 f && f->how == '~' ? f->evidence : "", ""});
    }
    return outcomes;
}

/* Are these words told of how the numbers are related? */
static bool is_related(const struct proof *p, int slip, const char *words) {
    const struct variant *v = &p->variants.all[slip - 1];
    struct outcomes outcomes = table_outcomes(&p->as_learners, slip, v->function);
    const struct outcome *first = first_bad(&outcomes), *end = outcomes.tests + outcomes.count;
    struct code code = {0};
    for (struct outcome *o = outcomes.tests; o < end; o++)
        o->relations = lines_of(&p->as_learners, slip, o->test, '%').chars;
    code_read_tokens(&code, v->text, strchr(v->text, '\0'));
    struct relation told = relation_of(first, first ? (int)(end - first) : 0, &code);
    for (struct outcome *o = outcomes.tests; o < end; o++)
        free((char *)o->relations);
    return strstr(told.sentence, words) != NULL;
}

/* Has the test program said these words? */
static bool is_said(const struct proof *p, int slip, const char *words) {
    for (int i = 0; i < p->as_learners.count; i++) {
        const struct failure *f = &p->as_learners.failures[i];
        if (f->slip != slip || !strchr("=:!@", f->how))
            continue;
        struct finding touched = {0};
        explain_touched(&touched, f->how == '@' ? f->evidence : "");
        if (strstr(f->evidence, words) || strstr(words_what(&touched), words))
            return true;
    }
    return is_related(p, slip, words);
}

/* The source with one variant in its place. */
static struct text variant_plant(const char *source, const struct variant *variant) {
    struct text made = {0};
    const char *from, *to;
    if (find_definition(source, variant->function, &from, &to))
        text_print(&made, "%.*s%s%s", (int)(from - source), source, variant->text, to);
    return made;
}

/* --- the whole screen ----------------------------------------------------------------------- */

static void plant_into(const char *file, const struct proof *p, const struct variant *v) {
    struct text source, planted = {0};
    make_folder_of(file);
    if (text_read_file(&source, reference_of(p->task.lesson)))
        planted = variant_plant(text_of(&source), v);
    FILE *out = fopen(file, "w");
    if (!out || fwrite(text_of(&planted), 1, planted.length, out) != planted.length ||
        fclose(out)) {
        perror(file);
        exit(2);
    }
}

/* What the tutor prints about a planted file; its exit status. */
static int screen_of(const struct proof *p, const struct variant *v, struct text *screen) {
    const char *tutor = getenv("LOOKBACK_TUTOR");
    const char *from = path_of("build/tmp/planted.%d/%s", (int)getpid(), v->name);
    const char *file = path_of("%s/%s/%s.c", from, p->task.lesson->folder, p->task.lesson->name);
    struct command command = {0};
    struct child child;
    plant_into(file, p, v);
    setenv("FROM", from, 1);
    setenv("LOOKBACK_OUT", from, 1);
    setenv("LOOKBACK_SECONDS", "2", 0); /* a busy machine needs more for those of lesson 14 */
    setenv("UNSAFE", "1", 1);           /* what is planted is our own code */
    setenv("NO_COLOR", "1", 1);
    command_add(&command, tutor && *tutor ? tutor : "build/tutor");
    command_add(&command, "check");
    command_add(&command, p->task.lesson->folder);
    command_add_all(&command, p->task.objects);
    child_run(&child, command.words, (struct limits){.cpu_seconds = 120, .output = 1 << 20});
    text_add(screen, text_of(&child.out), child.out.length);
    text_add(screen, text_of(&child.err), child.err.length);
    int status = child.ending == ENDED ? child.status : -1;
    return status;
}

/* White space of any kind and length counts as one space. */
static bool has_words(const char *text, const char *words) {
    struct text flat = {0};
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            text_add(&flat, text, 1);
        else if (flat.length > 0 && flat.chars[flat.length - 1] != ' ')
            text_add(&flat, " ", 1);
    bool found = strstr(text_of(&flat), words);
    return found;
}

/* Returns what is wrong with a screen, or NULL. Lines that name a file or show code may have any
   width. */
static const char *complaint(int status, const char *screen, const struct variant *v) {
    static char text[1200];
    char name[NAME_SIZE + 2];
    const char *line;
    if (status != 1)
        return status == 0 ? "passes all tests" : "the tutor crashed";
    snprintf(name, sizeof name, " %s ", v->function);
    while ((line = next_line(&screen))) {
        text[0] = '\0';
        if (ends_with(line, " <- you are here") && !strstr(line, name))
            snprintf(text, sizeof text, "told in another exercise: %.900s", line);
        else if (!strstr(line, "build/tmp") && !strstr(line, " | ") && strlen(line) > 80)
            snprintf(text, sizeof text, "too wide: %.900s", line);
        else if (strstr(line, "Sanitizer") || strstr(line, "runtime error"))
            snprintf(text, sizeof text, "shows a dump: %.900s", line);
        if (text[0])
            return text;
    }
    return NULL;
}

/* NULL: it is as it should be. */
static const char *look_at_screen(const struct proof *p, const struct variant *v,
                                  struct text *screen) {
    int status = screen_of(p, v, screen);
    const char *why = complaint(status, text_of(screen), v);
    return why || has_words(text_of(screen), v->sees) ? why : "these words are not on its screen";
}

/* Most words need no table of slips: `quick` looks without one first. */
static void prove_screen(struct proof *p, const struct variant *v, bool quick) {
    struct text screen = {0};
    if (quick)
        setenv("LOOKBACK_SLIPS", "none", 1);
    const char *why = look_at_screen(p, v, &screen);
    unsetenv("LOOKBACK_SLIPS");
    if (why && quick)
        why = look_at_screen(p, v, &screen);
    proved(p, v, !why, why ? ": %s: %s\n%s" : "%.0s", v->sees, why, text_of(&screen));
}

static void remove_planted(void) {
    const char *script = path_of("rm -rf build/tmp/planted.%d build/obj-*/build/tmp/planted.%d",
                                 (int)getpid(), (int)getpid());
    struct command command = {0};
    struct child child;
    command_add_split(&command, "sh -c");
    command_add(&command, script);
    if (!command_run(&command, &child))
        fputs("what was planted is still there\n", stderr);
}

/* Reads the reference, and the slips of a list. */
static bool read_list(struct proof *p, struct text *source, const char *list) {
    return text_read_file(source, reference_of(p->task.lesson)) &&
           variants_make(&p->variants, text_of(source), (struct wanted){.list = list});
}

int prove_faults(struct proof *p) {
    struct text source;
    if (!read_list(p, &source, p->word))
        return 2;
    for (int i = 0; i < p->variants.count; i++)
        prove_screen(p, &p->variants.all[i], false);
    remove_planted();
    return p->failed > 0;
}

int prove_plant(struct proof *p) {
    const char *list = list_of(p->task.lesson);
    struct text source;
    int status = 1;
    if (!read_list(p, &source, list))
        return 2;
    for (int i = 0; i < p->variants.count && status != 0; i++)
        if (strcmp(p->variants.all[i].name, p->word) == 0) {
            struct text planted = variant_plant(text_of(&source), &p->variants.all[i]);
            status = fputs(text_of(&planted), stdout) < 0;
        }
    if (status != 0)
        fprintf(stderr, "%s has no slip %s\n", list, p->word);
    return status;
}

/* --- a lesson's list ------------------------------------------------------------------------ */

/* Is the cause this slip, or one that means the same? */
static bool is_found(const struct proof *p, const struct cause *cause, const struct variant *v) {
    const char *name;
    for (const char *at = text_of(&cause->names); (name = next_line(&at));)
        for (int i = 0; i < p->variants.count; i++) {
            const struct variant *other = &p->variants.all[i];
            if (strcmp(other->name, name) == 0 && strcmp(other->function, v->function) == 0 &&
                strcmp(other->means, v->means) == 0)
                return true;
        }
    return false;
}

static bool is_called_in(const char *sentence, const char *function) {
    const char *call = path_of("%s()", function);
    for (const char *at = sentence; (at = strstr(at, call)); at++)
        if (at == sentence || !(isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            return true;
    return false;
}

/* A function that a slip brings in and its sentence names without braces; "" if no function is. */
static const char *unmarked(const struct variant *slip) {
    for (const char *at = slip->put; *at;) {
        const size_t length = strcspn(at, " \1");
        const char *token = path_of("%.*s", (int)length, at);
        if (isalpha((unsigned char)*at) && is_called_in(slip->says, token) &&
            !has_token(slip->taken, token) && !has_word(slip->words, token, length))
            return token;
        at += length + (at[length] != '\0');
    }
    return path_of("%s", "");
}

/* A law of the reference that another right form breaks: then it is none. */
static const char *law_broken_by(const struct proof *p, int slip) {
    struct law laws[MOST_LAWS];
    struct text facts = {0};
    for (int i = 0; i < p->as_learners.test_count; i++) {
        struct text of_test = lines_of(&p->as_learners, slip, p->as_learners.tests[i].name, '?');
        text_add(&facts, text_of(&of_test), of_test.length);
    }
    return broken_laws(&p->as_learners, text_of(&facts), laws) > 0
               ? path_of(": %s", laws[0].sentence)
               : "";
}

static void prove_one(struct proof *p, int slip, const struct table *table) {
    const struct variant *v = &p->variants.all[slip - 1];
    struct outcomes outcomes = table_outcomes(&p->as_learners, slip, v->function);
    const bool passes = !first_bad(&outcomes);
    if (v->dropped)
        proved(p, v, false, ": does not compile");
    else if (v->sees && is_said(p, slip, v->sees))
        proved(p, v, true, "%s", "");
    else if (v->sees)
        prove_screen(p, v, true);
    else if (v->origin == WAY || passes)
        proved(p, v, v->origin == WAY && passes && !*law_broken_by(p, slip), "%s%s",
               v->origin == WAY ? "" : ": passes all tests", law_broken_by(p, slip));
    else {
        struct cause cause = table_cause(table, &outcomes);
        const char *told = words_cause(&cause);
        const char *name = unmarked(&table->slips[slip - 1]);
        bool found = is_found(p, &cause, v);
        bool alone = found && (cause.sureness == STATED || cause.sureness == LIKELY);
        proved(p, v, found && !name[0], "%s%s", alone ? "" : ": told: ",
               alone   ? ""
               : *told ? told
                       : "nothing");
        if (name[0])
            printf("      its sentence names a function that the slip brings in: write {%s()}\n",
                   name);
    }
}

/* The listed slips of all functions at once, compiled with these flags. */
static bool run_listed(struct proof *p, struct table *table, const char *flags) {
    const char *stem = path_of("%s/slips/%s/listed.%d", p->task.settings->object,
                               p->task.lesson->folder, (int)getpid());
    table_read(table, run_slips(&p->variants, stem, &p->task, flags));
    return table->whole;
}

/* The outcomes of a learner's file, compiled with a learner's flags, are looked up as make does it.
   The long tests, which take most of the time, are run once for both. */
int prove_slips(struct proof *p) {
    struct text flags = as_a_learners(p->task.settings);
    struct table table = {0};
    if (!variants_of(&p->variants, p->task.lesson, (struct wanted){0}))
        return 2;
    p->variants.laws_of_ways = true;
    bool good = run_listed(p, &p->as_learners, flags.chars);
    p->variants.laws_of_ways = false;
    p->variants.long_tests = OF_NONE;
    if (!good || !run_listed(p, &table, p->task.settings->slip_flags)) {
        printf("FAIL  %s: its slips cannot be run\n", p->task.lesson->folder);
        p->failed++;
    } else {
        table_fill(&table, &p->as_learners);
        for (int i = 0; i < p->variants.count; i++)
            prove_one(p, i + 1, &table);
        remove_planted();
    }
    return p->failed > 0;
}
