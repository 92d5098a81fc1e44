/* Compares what a test program found out about a function with the same of the reference: a fact is
   "exercise key|value|words" (testing/laws.c). */
#include "diagnose/laws.h"

#include "explain/explain.h"

#include <stdio.h>
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

struct text broken_laws(const struct table *table, const char *facts, int most, char kind[16]) {
    struct text laws = {0};
    const char *theme = "";
    int last = 0;
    kind[0] = '\0';
    for (const char *fact; most > 0 && (fact = next_line(&facts));) {
        const char *law = fact_of_reference(table, fact, &last);
        if (!law || strcmp(field_of(law, 1), field_of(fact, 1)) == 0 || !*field_of(law, 2) ||
            strcmp(theme_of(fact), theme) == 0)
            continue;
        text_print(&laws, "%s %s\n", field_of(law, 2), field_of(fact, 2));
        theme = theme_of(fact);
        if (!kind[0])
            sscanf(theme, "%15s", kind);
        most--;
    }
    return laws;
}

/* That an output is not written, or added to, need not be said twice. */
void tell_laws(struct finding *f, const struct table *table, struct test *bad) {
    char kind[16];
    const int most = f->cause.sureness == NO_CAUSE ? 2 : 1;
    f->laws = broken_laws(table, text_of(&bad->facts), most, kind);
    if (bad->sure && strcmp(kind, "held") == 0)
        bad->broke[0] = '\0';
}

void place_no_number(struct finding *f, const struct table *table, struct lesson *lesson) {
    const struct test *bad = f->test;
    static const struct {
        const char *trapped;
        enum finding_code code;
    } codes[] = {{"invalid", MAKES_NAN}, {"zero", MAKES_INFINITY}, {"large", TOO_LARGE}};
    for (const struct failure *r = table->failures; r < table->failures + table->count; r++)
        if (r->slip == 0 && r->how == '^' && strcmp(r->test, bad->name) == 0)
            return;
    if (f->code != NO_CODE || !bad->trapped[0])
        return;
    f->stack = stack_of(lesson, text_of(&bad->trap_stack));
    for (size_t i = 0; i < sizeof codes / sizeof *codes && f->stack.count > 0; i++)
        if (strcmp(codes[i].trapped, bad->trapped) == 0)
            f->code = codes[i].code;
    put_place(f, lesson, bad->exercise);
}
