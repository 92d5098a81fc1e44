#include "matching.h"

#include "evidence.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the table ------------------------------------------------------------------------------ */

void table_write_slips(struct text *text, const struct family *family) {
    static const char origins[] = "lgw";
    for (int i = 0; i < family->count; i++) {
        const struct variant *v = &family->variants[i];
        if (!v->stillborn)
            text_print(text, "slip\t%d\t%c\t%s\t%s\t%s\t%s\n", i + 1, origins[v->origin],
                       v->function, v->name, v->kind ? v->kind : "", v->says ? v->says : "");
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
    char *number = cut(&line, '\t'), *origin = cut(&line, '\t'), *function = cut(&line, '\t');
    int n = atoi(number);
    if (n < 1)
        return;
    if (n > t->slip_count) {
        t->slips = realloc(t->slips, sizeof *t->slips * (size_t)n);
        if (!t->slips)
            abort();
        for (; t->slip_count < n; t->slip_count++)
            t->slips[t->slip_count] = (struct variant){.stillborn = true};
    }
    struct variant *v = &t->slips[n - 1];
    *v = (struct variant){.origin = *origin == 'l' ? LISTED : *origin == 'g' ? GENERATED : WAY};
    snprintf(v->function, sizeof v->function, "%s", function);
    v->name = cut(&line, '\t');
    v->kind = cut(&line, '\t');
    v->says = line;
}

static void read_failure(struct table *t, char *line) {
    struct failure f = {.slip = atoi(cut(&line, ' '))};
    f.test = cut(&line, ' ');
    f.how = *line;
    f.evidence = *line && line[1] ? line + 2 : "";
    if (t->count % 256 == 0)
        t->failures = realloc(t->failures, sizeof f * (size_t)(t->count + 256));
    if (!t->failures)
        abort();
    t->failures[t->count++] = f;
}

static void read_pair(struct table *t, const char *line) {
    struct pair pair;
    if (sscanf(line, "pair %d %d %d", &pair.number, &pair.first, &pair.second) != 3)
        return;
    t->pairs = realloc(t->pairs, sizeof pair * (size_t)(t->pair_count + 1));
    if (!t->pairs)
        abort();
    t->pairs[t->pair_count++] = pair;
}

static void add_line(const char ***lines, int *count, const char *line) {
    *lines = realloc(*lines, sizeof **lines * (size_t)(*count + 1));
    if (!*lines)
        abort();
    (*lines)[(*count)++] = line;
}

void table_read(struct table *table, struct text text) {
    *table = (struct table){.text = text};
    for (char *at = text.chars; at && *at;) {
        char *line = cut(&at, '\n');
        if (starts_with(line, "slip\t"))
            read_slip(table, line + 5);
        else if (starts_with(line, "heavy "))
            add_line(&table->heavy, &table->heavy_count, line + 6);
        else if (starts_with(line, "test "))
            add_line(&table->tests, &table->test_count, line + 5);
        else if (starts_with(line, "pair "))
            read_pair(table, line);
        else if (isdigit((unsigned char)*line))
            read_failure(table, line);
        else
            table->whole = table->whole || strcmp(line, "all") == 0;
    }
}

void table_free(struct table *table) {
    text_free(&table->text);
    free(table->slips);
    free(table->failures);
    free(table->pairs);
    free(table->heavy);
    free(table->tests);
    *table = (struct table){0};
}

/* --- matching ------------------------------------------------------------------------------- */

/* The failures of one slip stand together. */
static const struct failure *failures_of(const struct table *t, int slip, int *count) {
    int first = 0, last = t->count;
    while (first < last) {
        int middle = (first + last) / 2;
        if (t->failures[middle].slip < slip)
            first = middle + 1;
        else
            last = middle;
    }
    for (last = first; last < t->count && t->failures[last].slip == slip;)
        last++;
    *count = last - first;
    return t->failures + first;
}

static const struct failure *failure_in(const struct failure *failures, int count,
                                        const char *test) {
    for (int i = 0; i < count; i++)
        if (strcmp(failures[i].test, test) == 0 && !strchr("=!@", failures[i].how))
            return &failures[i];
    return NULL;
}

static bool is_heavy(const struct table *t, const char *test) {
    for (int i = 0; i < t->heavy_count; i++)
        if (strcmp(t->heavy[i], test) == 0)
            return true;
    return false;
}

static bool is_told(const struct failure *f, const struct outcome *o) {
    return f && f->how == '~' && same_evidence(f->evidence, o->evidence);
}

bool table_matches(const struct table *table, int slip, int count,
                   const struct outcome outcomes[]) {
    int failures, matched = 0;
    const struct failure *own = failures_of(table, slip, &failures);
    for (int i = 0; i < count; i++) {
        const struct failure *f = failure_in(own, failures, outcomes[i].test);
        bool skipped = !f && matched > 0 && is_heavy(table, outcomes[i].test);
        if (outcomes[i].passed && f && !skipped)
            return false;
        if (outcomes[i].failed && !skipped && !is_told(f, &outcomes[i]))
            return false;
        matched += outcomes[i].failed && !skipped;
    }
    return matched > 0;
}

bool table_passes(const struct table *table, int slip) {
    int failures;
    const struct failure *own = failures_of(table, slip, &failures);
    for (int i = 0; i < failures; i++)
        if (!strchr("=!@", own[i].how))
            return false;
    return true;
}

bool table_matches_first(const struct table *table, int slip, int count,
                         const struct outcome outcomes[]) {
    int failures;
    const struct failure *own = failures_of(table, slip, &failures);
    for (int i = 0; i < count; i++)
        if (outcomes[i].failed || !outcomes[i].passed)
            return outcomes[i].failed &&
                   is_told(failure_in(own, failures, outcomes[i].test), &outcomes[i]);
    return false;
}

static bool says_something(double x) {
    return isfinite(x) && fabs(x) > 1e-9 && fabs(x) < 1e9 && fabs(x - 1.0) > 1e-9;
}

int evidence_strength(int count, const struct outcome outcomes[]) {
    double seen[3];
    int strength = 0;
    for (int i = 0; i < count; i++) {
        const char *at = outcomes[i].failed ? outcomes[i].evidence : "";
        int ordinal, cells, used = 0;
        char kind = 0;
        if (sscanf(at, "%d %c %d%n", &ordinal, &kind, &cells, &used) != 3)
            continue;
        if (kind == 'M' && strchr(at + used, '0') && strchr(at + used, '1'))
            return 3;
        for (at += used; *at && strength < 3;) {
            char *end;
            double x = strtod(at, &end);
            bool new = end != at &&says_something(x);
            for (int k = 0; k < strength; k++)
                new = new &&fabs(seen[k] - x) > 1e-9;
            if (new)
                seen[strength++] = x;
            at = end == at ? at + 1 : end;
        }
    }
    return strength;
}

int table_outcomes(const struct table *table, int slip, struct outcome outcomes[]) {
    const char *function = table->slips[slip - 1].function;
    int failures, count = 0;
    const struct failure *own = failures_of(table, slip, &failures);
    bool crashed = false; /* what comes after that was not run */
    for (int i = 0; i < table->test_count; i++) {
        size_t length = strlen(function);
        if (!starts_with(table->tests[i], function) || table->tests[i][length] != ' ')
            continue;
        struct outcome *o = &outcomes[count++];
        *o = (struct outcome){.test = table->tests[i] + length + 1};
        const struct failure *f = failure_in(own, failures, o->test);
        crashed = crashed || (f && f->how == 'X');
        o->passed = !crashed && !f && !(count > 1 && failures > 0 && is_heavy(table, o->test));
        o->failed = f && f->how == '~';
        o->evidence = o->failed ? f->evidence : "";
    }
    return count;
}

/* --- what to tell --------------------------------------------------------------------------- */

struct sentences {
    const char *says[4];
    int count; /* of different ones; no more than 4 are kept */
    const char *kind;
    bool one_kind;
};

static void add_sentence(struct sentences *s, const struct variant *v) {
    s->one_kind = !s->kind || (s->one_kind && strcmp(s->kind, v->kind) == 0);
    s->kind = v->kind;
    for (int i = 0; i < s->count && i < 4; i++)
        if (strcmp(s->says[i], v->says) == 0)
            return;
    if (s->count < 4)
        s->says[s->count] = v->says;
    s->count++;
}

bool may_be_told(const struct variant *v) {
    return v->says && *v->says && v->origin != WAY && !starts_with(v->name, "LATE");
}

static void collect(struct sentences *s, const struct table *table, enum origin origin,
                    bool (*matches)(const struct table *, int, int, const struct outcome[]),
                    int count, const struct outcome outcomes[]) {
    for (int i = 0; i < table->slip_count; i++) {
        const struct variant *v = &table->slips[i];
        if (!v->stillborn && v->origin == origin && may_be_told(v) &&
            matches(table, i + 1, count, outcomes))
            add_sentence(s, v);
    }
}

/* How much those failing tests that came out as for the slip say, and the first of them. */
static int strength_of_matches(const struct table *table, int slip, int count,
                               const struct outcome outcomes[], const char **test) {
    struct outcome *same = calloc((size_t)count + 1, sizeof *same);
    int failures, matches = 0;
    const struct failure *own = failures_of(table, slip, &failures);
    for (int i = 0; same && i < count; i++)
        if (outcomes[i].failed &&
            is_told(failure_in(own, failures, outcomes[i].test), &outcomes[i]))
            same[matches++] = outcomes[i];
    *test = matches > 0 ? same[0].test : NULL;
    int strength = evidence_strength(matches, same);
    free(same);
    return strength;
}

static struct path sentence_of(const char *test) {
    struct path sentence = path_of("%.200s", test);
    for (char *c = sentence.chars; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return sentence;
}

/* Of several slips one may explain a test: the first that fails, or else a later one. */
static void tell_a_part(struct verdict_text *told, const struct table *table, int count,
                        const struct outcome outcomes[]) {
    struct sentences sentences = {0};
    const char *test, *first = NULL;
    for (int later = 0; later < 2 && sentences.count == 0; later++)
        for (int i = 0; i < table->slip_count; i++) {
            const struct variant *v = &table->slips[i];
            if (v->stillborn || v->origin != LISTED || !may_be_told(v) ||
                strength_of_matches(table, i + 1, count, outcomes, &test) < 3 ||
                (!later && !table_matches_first(table, i + 1, count, outcomes)))
                continue;
            add_sentence(&sentences, v);
            first = test;
        }
    if (sentences.count != 1)
        return;
    bool here = false;
    for (int i = 0; i < count && !here; i++)
        if (outcomes[i].failed) {
            here = strcmp(outcomes[i].test, first) == 0;
            break;
        }
    told->by = FIRST_OF_ALL;
    if (here)
        snprintf(
            told->chars, sizeof told->chars,
            "The numbers of this test are those of a known slip, but later tests differ, so it "
            "may not be the only one: %s",
            sentences.says[0]);
    else
        snprintf(
            told->chars, sizeof told->chars,
            "The numbers of another test (%.150s) are those of a known slip, which may not be the "
            "only one: %s",
            sentence_of(first).chars, sentences.says[0]);
}

struct verdict_text table_tell(const struct table *table, int count,
                               const struct outcome outcomes[]) {
    struct verdict_text told = {.by = NOTHING};
    struct sentences listed = {0}, generated = {0};
    bool strong = told.sure = evidence_strength(count, outcomes) >= 3;
    collect(&listed, table, LISTED, table_matches, count, outcomes);
    if (listed.count > 0 && listed.count <= 3) {
        told.by = LISTED_SLIP;
        const char *start = strong ? "" : "One way to get these numbers: ";
        if (listed.count == 1)
            snprintf(told.chars, sizeof told.chars, "%s%s", start, listed.says[0]);
        else
            snprintf(told.chars, sizeof told.chars, "%sEither: %s Or: %s%s%s", start,
                     listed.says[0], listed.says[1], listed.count > 2 ? " Or: " : "",
                     listed.count > 2 ? listed.says[2] : "");
        return told;
    }
    collect(&generated, table, GENERATED, table_matches, count, outcomes);
    if (strong && generated.count > 0) {
        told.by = GENERATED_SLIP;
        if (generated.count <= 2)
            snprintf(told.chars, sizeof told.chars,
                     "Your numbers are exactly those that come out when %s%s%s.", generated.says[0],
                     generated.count > 1 ? ", or when " : "",
                     generated.count > 1 ? generated.says[1] : "");
        else if (generated.one_kind)
            snprintf(told.chars, sizeof told.chars,
                     "%s Several slips of this kind give your numbers.", generated.kind);
        else
            told.by = NOTHING;
        return told;
    }
    tell_a_part(&told, table, count, outcomes);
    return told;
}
