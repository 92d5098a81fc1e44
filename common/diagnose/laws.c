/* Compares what a test program found out about a function with the same of the reference: a fact is
   "exercise key|value|words" (testing/laws.c). */
#include "diagnose/laws.h"

#include "base/tokens.h"
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the reference says of the same; NULL. Both lists have one order: it stands behind the last
   one that was found. */
static const char *fact_of_reference(const struct table *table, const char *fact, int *last) {
    const size_t key = strcspn(fact, "|") + 1;
    for (int i = 0; i < table->count; i++) {
        const struct failure *f = &table->failures[(*last + i) % table->count];
        if (f->slip != 0 || f->how != '?' || strncmp(f->evidence, fact, key) != 0)
            continue;
        *last = (int)(f - table->failures);
        return f->evidence;
    }
    return NULL;
}

/* A field of a fact, after so many bars. */
static const char *field_of(const char *fact, int bars) {
    for (; bars > 0; bars--)
        fact += strcspn(fact, "|") + (fact[strcspn(fact, "|")] == '|');
    return path_of("%.*s", (int)strcspn(fact, "|"), fact);
}

/* The kind of a fact and its input. Facts that share both often differ together. */
static const char *theme_of(const char *fact) {
    const char *kind = fact + strcspn(fact, " ") + 1, *input = kind + strcspn(kind, " ") + 1;
    return path_of("%.*s", (int)(input - kind + (long)strcspn(input, " ")), kind);
}

/* " is 2 times as large as it should be."; "" where no simple number says it. */
static const char *times_of(const char *law, const char *fact) {
    const double times = atof(field_of(fact, 1)) / atof(field_of(law, 1)), parts = 1.0 / times;
    if (fabs(times + 1.0) < 2e-3)
        return " has the wrong sign.";
    if (times > 1.5 && fabs(times - round(times)) < 2e-3 * times)
        return path_of(" is %.0f times as large as it should be.", times);
    if (parts > 1.5 && fabs(parts - round(parts)) < 2e-3 * parts)
        return path_of(" is 1 / %.0f of what it should be.", parts);
    return "";
}

/* What a fact and that of the reference say together. */
static const char *sentence_of(const char *law, const char *fact) {
    const char *yours = field_of(fact, 2);
    return path_of("%s %s", field_of(law, 2), *yours ? yours : field_of(law, 3));
}

int broken_laws(const struct table *table, const char *facts, struct law laws[MOST_LAWS]) {
    const char *theme = "", *effect = "", *times = "";
    int last = 0, count = 0, effects = 0;
    for (const char *fact; count < MOST_LAWS && (fact = next_line(&facts));) {
        const char *law = fact_of_reference(table, fact, &last);
        if (!law || strcmp(field_of(law, 1), field_of(fact, 1)) == 0 || !*field_of(law, 2) ||
            strcmp(theme_of(fact), theme) == 0)
            continue;
        if (starts_with(theme_of(fact), "effect ")) {
            effect = effects++ == 0 ? field_of(law, 2) : effect;
            times =
                effects == 1 || strcmp(times, times_of(law, fact)) == 0 ? times_of(law, fact) : "";
            continue;
        }
        theme = theme_of(fact);
        laws[count++] =
            (struct law){sentence_of(law, fact), .is_held = starts_with(theme, "held ")};
    }
    if (count == 0 && effects > 1 && *times)
        laws[count++] = (struct law){path_of("%s%s", effect, times), .is_effect = true};
    return count;
}

/* A law says more than a guess. That an output is not written need not be said twice. Where more is
   known, one law is enough, and none about a factor, which a test may have otherwise. */
void tell_laws(struct finding *f, const struct table *table, struct test *bad) {
    struct law laws[MOST_LAWS];
    const bool known = f->cause.sureness != NO_CAUSE;
    const int count = broken_laws(table, text_of(&bad->facts), laws);
    if (count > 0 && (bad->guessed || (laws[0].is_held && bad->sure)))
        bad->broke[0] = '\0';
    for (int i = 0; i < count && (i == 0 || !(known || bad->broke[0])); i++)
        if (!(known && laws[i].is_effect))
            text_print(&f->laws, "%s\n", laws[i].sentence);
}

/* A comparison with a NaN is trapped, too, but does not make it. */
static bool computes(const char *line) {
    return uses_word(line, "+ - * / += -= *= /= sqrt sqrtf log logf pow powf fmod");
}

void place_no_number(struct finding *f, const struct table *table, struct lesson *lesson) {
    const struct test *bad = f->test;
    static const struct sign traps[] = {
        {"invalid", MAKES_NAN}, {"zero", MAKES_INFINITY}, {"large", TOO_LARGE}};
    for (const struct failure *r = table->failures; r < table->failures + table->count; r++)
        if (r->slip == 0 && r->how == '^' && strcmp(r->test, bad->name) == 0)
            return;
    if (f->code != NO_CODE || !bad->trapped[0])
        return;
    f->stack = stack_of(lesson, text_of(&bad->trap_stack));
    if (f->stack.count > 0)
        f->code = CODE_IN(traps, bad->trapped);
    put_place(f, lesson, bad->exercise);
    if (f->code == MAKES_NAN && !computes(text_of(&f->excerpt))) {
        f->code = NO_CODE;
        f->line = 0;
    }
}
