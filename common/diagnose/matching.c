/* A table is text: a line for each variant, and then what slip_test.c reported of each. Reading it
   cuts the text into strings in place. A variant matches if each test came out as for the learner,
   with the same numbers. Numbers that anything might give, such as 0 and 1, say little: with fewer
   than three others (evidence_strength) nothing is certain.

   Variants that match and that the learner's source supports come first. Listed mistakes come
   before generated ones. If nothing matches in all tests, a mistake that explains the first failing
   test alone may be named, as what it is: a part. */
#include "diagnose/matching.h"

#include "testing/evidence.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the table ------------------------------------------------------------------------------ */

static const char origins[] = "lgw";

/* The name of the function that a variant changes, or of the way. */
static const char *base_of(const struct variants *variants, const struct variant *v) {
    const char *from, *to;
    if (v->base > 0)
        return variants->all[v->base - 1].text;
    bool found = find_definition(text_of(&variants->source), v->function, &from, &to);
    return found ? copy_of(from, to) : "";
}

void table_write_slips(struct text *text, const struct variants *variants) {
    for (int i = 0; i < variants->count; i++) {
        const struct variant *v = &variants->all[i];
        if (v->dropped)
            continue;
        text_print(text, "slip\t%d\t%c\t%s\t%s\t%s\t%s\t", i + 1, origins[v->origin], v->function,
                   v->name, v->kind ? v->kind : "", v->says ? v->says : "");
        if (may_be_told(v))
            add_exchange(text, base_of(variants, v), v);
        text_print(text, "\t%d%s\t%s\t%s\n", v->loops, v->base > 0 ? "w" : "",
                   v->means ? v->means : "", v->words ? v->words : "");
    }
}

static char *cut(char **at, char end) {
    char *from = *at, *to = strchr(from, end);
    *at = to ? to + 1 : from + strlen(from);
    if (to)
        *to = '\0';
    return from;
}

static void read_slip(struct table *t, char *line) {
    int number = atoi(cut(&line, '\t'));
    while (t->slip_count < number) {
        t->slips = with_room(t->slips, t->slip_count, sizeof *t->slips);
        t->slips[t->slip_count++] = (struct variant){.dropped = true};
    }
    if (number < 1)
        return;
    struct variant *v = &t->slips[number - 1];
    *v = (struct variant){.origin = (enum origin)(strchr(origins, *cut(&line, '\t')) - origins)};
    v->function = cut(&line, '\t');
    v->name = cut(&line, '\t');
    v->kind = cut(&line, '\t');
    v->says = cut(&line, '\t');
    v->taken = cut(&line, '\t');
    v->put = cut(&line, '\t');
    const char *loops = cut(&line, '\t');
    v->loops = atoi(loops);
    v->of_way = strchr(loops, 'w') != NULL;
    v->means = cut(&line, '\t');
    v->means = *v->means ? v->means : v->name;
    v->words = cut(&line, '\t');
}

static void read_line(struct table *t, char *line) {
    if (starts_with(line, "slip\t")) {
        read_slip(t, line + 5);
    } else if (starts_with(line, "test ")) {
        line += 5;
        t->tests = with_room(t->tests, t->test_count, sizeof *t->tests);
        t->tests[t->test_count].exercise = cut(&line, ' ');
        t->tests[t->test_count++].name = line;
    } else if (isdigit((unsigned char)*line)) {
        t->failures = with_room(t->failures, t->count, sizeof *t->failures);
        struct failure *f = &t->failures[t->count++];
        f->slip = atoi(cut(&line, ' '));
        f->test = cut(&line, ' ');
        f->how = *line;
        f->evidence = line + strcspn(line, " ") + (line[strcspn(line, " ")] != '\0');
    }
    t->whole = t->whole || strcmp(line, "all") == 0;
}

void table_read(struct table *table, struct text text) {
    *table = (struct table){.text = text};
    for (char *at = text.chars; at && *at;)
        read_line(table, cut(&at, '\n'));
}

/* --- matching ------------------------------------------------------------------------------- */

bool is_failure(const struct failure *f) {
    return !strchr("=:!@%?^", f->how);
}

/* How a slip failed in a test (NULL: in any): the failures of one slip stand together. NULL: it did
   not. Lines that a learner reads are no failures. */
const struct failure *table_failure(const struct table *t, int slip, const char *test) {
    int first = 0, last = t->count;
    while (first < last) {
        int middle = (first + last) / 2;
        if (t->failures[middle].slip < slip)
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < t->count && t->failures[first].slip == slip; first++) {
        const struct failure *f = &t->failures[first];
        if (is_failure(f) && (!test || strcmp(f->test, test) == 0))
            return f;
    }
    return NULL;
}

/* A test that passed there has no failure, and none here. */
void table_fill(struct table *table, const struct table *other) {
    for (struct failure *f = table->failures; f < table->failures + table->count; f++) {
        const struct failure *known = table_failure(other, f->slip, f->test);
        if (f->how != '-')
            continue;
        f->how = known ? known->how : '=';
        f->evidence = known ? known->evidence : "";
    }
}

/* In a test that was not run for the slip anything may come out. */
bool table_left_out(const struct table *table, int slip, const struct outcomes *outcomes) {
    for (int i = 0; i < outcomes->count; i++) {
        const struct failure *f = table_failure(table, slip, outcomes->tests[i].test);
        if (f && f->how == '-')
            return true;
    }
    return false;
}

static bool is_told(const struct failure *f, const struct outcome *o) {
    return f && f->how == '~' && *o->evidence && same_evidence(f->evidence, o->evidence);
}

/* What a crash or the clock left out says nothing of a slip that is listed: a learner has more
   time. Generated mistakes are many, so each test must agree. */
static bool is_listed(const struct table *table, int slip) {
    return slip <= table->slip_count && table->slips[slip - 1].origin == LISTED;
}

bool table_matches(const struct table *table, int slip, const struct outcomes *outcomes) {
    bool matched = false;
    for (const struct outcome *o = outcomes->tests; o < outcomes->tests + outcomes->count; o++) {
        const struct failure *f = table_failure(table, slip, o->test);
        if (f && (f->how == '-' || (strchr("/T", f->how) && is_listed(table, slip))))
            continue;
        if (f && f->how == '/')
            f = NULL;
        if ((o->passed && f) || (*o->evidence && !is_told(f, o)))
            return false;
        matched = matched || *o->evidence;
    }
    return matched;
}

bool table_passes(const struct table *table, int slip) {
    return !table_failure(table, slip, NULL);
}

void outcomes_add(struct outcomes *outcomes, struct outcome outcome) {
    outcomes->tests = with_room(outcomes->tests, outcomes->count, sizeof outcome);
    outcomes->tests[outcomes->count++] = outcome;
}

/* Adds the different numbers of a text to those seen, except those that any mistake can give. */
static int see_numbers(const char *at, double seen[3], int count) {
    for (char *end; *at && count < 3; at = end == at ? at + 1 : end) {
        double x = strtod(at, &end);
        bool is_new = end != at && fabs(x) > 1e-9 && fabs(x) < 1e9 && fabs(x - 1.0) > 1e-9;
        for (int k = 0; k < count; k++)
            is_new = is_new && fabs(seen[k] - x) > 1e-9;
        if (is_new)
            seen[count++] = x;
    }
    return count;
}

/* The same of what was seen where a test failed: a mask says enough by itself. */
static int see_evidence(const struct outcome *o, double seen[3], int count) {
    int ordinal, cells, used = 0;
    char kind = 0;
    if (sscanf(o->evidence, "%d %c %d%n", &ordinal, &kind, &cells, &used) != 3)
        return count;
    const char *numbers = o->evidence + used;
    return kind == 'M' && strchr(numbers, '0') && strchr(numbers, '1')
               ? 3
               : see_numbers(numbers, seen, count);
}

int evidence_strength(const struct outcomes *outcomes) {
    double seen[3];
    int strength = 0;
    for (int i = 0; i < outcomes->count; i++)
        strength = see_evidence(&outcomes->tests[i], seen, strength);
    return strength;
}

/* --- what is behind it ----------------------------------------------------------------------- */

/* The slips that match, and what they say; those that mean the same count as one. */
struct matched {
    struct cause cause; /* its count may be more than it has room for */
    const char *means[3];
    bool one_kind;
    enum doubt doubt; /* about each of them: those with more were left */
};

static void add_match(struct matched *m, const struct variant *v) {
    enum { ROOM = sizeof m->means / sizeof m->means[0] };
    struct cause *c = &m->cause;
    if (c->count > 0 && v->doubt > m->doubt)
        return;
    if (c->count > 0 && v->doubt < m->doubt)
        *m = (struct matched){0};
    text_print(&c->names, "%s\n", v->name);
    m->doubt = v->doubt;
    m->one_kind = c->count == 0 || (m->one_kind && strcmp(c->kind, v->kind) == 0);
    snprintf(c->kind, sizeof c->kind, "%s", v->kind);
    for (int i = 0; i < c->count && i < ROOM; i++)
        if (strcmp(m->means[i], v->means) == 0)
            return;
    if (c->count < ROOM) {
        m->means[c->count] = v->means;
        snprintf(c->slips[c->count], sizeof c->slips[0], "%s", v->says);
    }
    c->count++;
}

bool may_be_told(const struct variant *v) {
    return !v->dropped && v->says && *v->says && v->origin != WAY;
}

/* The clause of a generated slip is about the learner's own statements, so that one which is
   refuted is false; the sentence of a listed one is about the numbers, too. */
static struct matched collect(const struct table *table, enum origin origin,
                              const struct outcomes *outcomes) {
    struct matched m = {0};
    for (int i = 0; i < table->slip_count; i++) {
        const struct variant *v = &table->slips[i];
        if (v->origin == origin && may_be_told(v) &&
            !(v->doubt == REFUTED && origin == GENERATED) &&
            table_matches(table, i + 1, outcomes)) {
            add_match(&m, v);
            m.cause.short_tests |= origin == GENERATED && table_left_out(table, i + 1, outcomes);
        }
    }
    return m;
}

bool table_unproven(const struct table *table, const struct outcomes *outcomes) {
    return collect(table, LISTED, outcomes).cause.count == 0 &&
           collect(table, GENERATED, outcomes).cause.short_tests &&
           evidence_strength(outcomes) >= 3;
}

/* If there are more than two, only the kind that they share is reported. */
static struct cause cause_generated(struct matched *m) {
    struct cause *c = &m->cause;
    const bool of_kind = c->count > 2 && m->one_kind;
    c->generated = true;
    c->sureness = of_kind                      ? OF_ONE_KIND
                  : c->count > 2               ? NO_CAUSE
                  : c->count == 2              ? EITHER
                  : c->short_tests || m->doubt ? LIKELY
                                               : STATED;
    if (!of_kind)
        c->kind[0] = '\0';
    if (c->count > 2) {
        c->count = 0;
        c->names = (struct text){0};
    }
    return *c;
}

/* The first of the failing tests that came out as for the slip, if they say enough; NULL. Where one
   that passes would fail, or the first that fails came out in another way, half of those that fail
   have to speak for it, and both is too much. */
static const struct outcome *explained(const struct table *table, int slip,
                                       const struct outcomes *outcomes) {
    const struct outcome *first = NULL;
    double seen[3];
    int strength = 0, told = 0, failing = 0, against = 0;
    for (const struct outcome *o = outcomes->tests; o < outcomes->tests + outcomes->count; o++) {
        const struct failure *f = table_failure(table, slip, o->test);
        failing += !o->passed;
        if ((o->passed && f && !strchr("-/", f->how)) ||
            (!o->passed && failing == 1 && !is_told(f, o)))
            against |= o->passed ? 1 : 2;
        if (is_told(f, o)) {
            strength = see_evidence(o, seen, strength);
            first = first ? first : o;
            told++;
        }
    }
    return strength < 3 || against == 3 || (against && 2 * told < failing) ? NULL : first;
}

const struct outcome *first_bad(const struct outcomes *outcomes) {
    for (int i = 0; i < outcomes->count; i++)
        if (!outcomes->tests[i].passed)
            return &outcomes->tests[i];
    return NULL;
}

/* Of several slips one may explain a test: the first that fails, or else a later one, which is
   shown then. It is a way to get those numbers and no more: another mistake may have the same in
   one test. */
static struct cause cause_of_a_part(const struct table *table, const struct outcomes *outcomes) {
    struct matched now = {0}, later = {0};
    const struct outcome *bad = first_bad(outcomes), *other = NULL;
    for (int i = 0; i < table->slip_count; i++) {
        const struct variant *v = &table->slips[i];
        const bool may_be = v->origin == LISTED && may_be_told(v) && v->doubt < REFUTED;
        const struct outcome *test = may_be ? explained(table, i + 1, outcomes) : NULL;
        if (test)
            add_match(test == bad ? &now : &later, v);
        if (test && test != bad)
            other = test;
    }
    struct cause *found = now.cause.count > 0 ? &now.cause : &later.cause;
    if (found->count != 1)
        return (struct cause){0};
    found->sureness = IN_THIS_TEST;
    if (found == &later.cause)
        snprintf(found->test, sizeof found->test, "%s", other->test);
    return *found;
}

/* Where a test crashed, those behind it were not run: they might have shown another mistake. */
static bool all_were_run(const struct outcomes *outcomes) {
    for (int i = 0; i < outcomes->count; i++)
        if (!outcomes->tests[i].passed && !*outcomes->tests[i].evidence)
            return false;
    return true;
}

struct cause table_cause(const struct table *table, const struct outcomes *outcomes) {
    const bool sure = evidence_strength(outcomes) >= 3;
    struct matched m = collect(table, LISTED, outcomes);
    if (m.cause.count > 0 && m.cause.count <= 3 && (sure || m.doubt < REFUTED)) {
        const bool stated = sure && m.doubt == NO_DOUBT && all_were_run(outcomes);
        m.cause.sureness = m.cause.count > 1 ? EITHER : stated ? STATED : LIKELY;
        m.cause.certain = sure;
        return m.cause;
    }
    m = collect(table, GENERATED, outcomes);
    return sure && m.cause.count > 0 ? cause_generated(&m) : cause_of_a_part(table, outcomes);
}
