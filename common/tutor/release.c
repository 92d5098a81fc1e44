#include "tutor/release.h"

#include "base/files.h"
#include "base/source.h"
#include "course/sealed.h"
#include "diagnose/slip_runs.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the reference -------------------------------------------------------------------------- */

/* A parameter or variable of the function, by its letters: the number of the first one, or -1. What
   stands behind a dot, an arrow or a `struct` is none. */
static int own_name(const struct code *c, int token) {
    if (c->tokens[token].kind != NAME || is(c, token - 1, ". -> struct enum"))
        return -1;
    for (int i = 0; i < c->name_count; i++)
        if (c->names[i].of == 0 && c->names[i].token < c->count &&
            same_token(c, c->names[i].token, c, token))
            return i;
    return -1;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Signs that may be one with the next; "->" is one token already. */
#define SIGNS "+-*/<>=!&|"

/* Lines of about a screen's width; a space only between two words, or two signs. */
static void put(struct text *to, size_t *line, const char *word, size_t length) {
    char last = to->length > 0 ? to->chars[to->length - 1] : '\n';
    bool breaks = *line + length > 76;
    if (breaks)
        text_add(to, "\n", 1);
    else if (is_word(last) ? is_word(*word) : strchr(SIGNS, last) && strchr(SIGNS, *word))
        text_add(to, " ", 1);
    *line = (breaks ? 0 : *line) + length;
    text_add(to, word, length);
}

static void put_function(struct text *to, const struct code *c) {
    size_t line = 0;
    for (int i = 0; i < c->count; i++) {
        int own = own_name(c, i);
        struct path named = path_of("v%d", own);
        if (own >= 0)
            put(to, &line, named.chars, strlen(named.chars));
        else
            put(to, &line, c->tokens[i].at, c->tokens[i].length);
    }
    text_add(to, "\n", 1);
}

/* The lines in which there is something. */
static struct text without_empty_lines(const char *at) {
    struct text made = {0};
    for (; *at; at += strcspn(at, "\n") + 1) {
        size_t length = strcspn(at, "\n");
        if (strspn(at, " ") < length) {
            text_add(&made, at, length);
            text_add(&made, "\n", 1);
        }
        if (!at[length])
            break;
    }
    return made;
}

struct text bare_code(const char *source) {
    struct text plain = {0}, made = {0};
    struct function f;
    text_add(&plain, source, strlen(source));
    blank_comments(plain.chars);
    const char *at = plain.chars;
    for (const char *next = at; next_function(plain.chars, next, &f); next = f.end) {
        const char *end = end_of_definition(plain.chars, &f);
        struct code code = {0};
        if (end && code_read(&code, f.start, end, plain.chars)) {
            text_add(&made, at, (size_t)(f.start - at));
            put_function(&made, &code);
            at = end;
        }
        code_free(&code);
    }
    text_add(&made, at, strlen(at));
    struct text bare = without_empty_lines(made.chars);
    text_free(&made);
    text_free(&plain);
    return bare;
}

/* --- tables --------------------------------------------------------------------------------- */

/* Of which it is told, and of what else looks like it: failures, as a learner's are compared. */
static bool is_failure(const struct failure *f) {
    return !strchr("=!@", f->how);
}

/* The last digits are the compiler's and the machine's; same_evidence() does not look at them. */
static void print_evidence(struct text *to, const char *at) {
    while (*at) {
        char *end;
        size_t length = strcspn(at, " ");
        double x = strtod(at, &end);
        bool number = end == at + length && isfinite(x) && strcspn(at, ".e") < length;
        if (number)
            text_print(to, " %.11g", x);
        else
            text_print(to, " %.*s", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

static const struct failure *next_failure(const struct table *t, int slip, int *at) {
    while (*at < t->count && (t->failures[*at].slip != slip || !is_failure(&t->failures[*at])))
        ++*at;
    return *at < t->count ? &t->failures[(*at)++] : NULL;
}

/* What depends on memory that nobody set, or on where things lie in it, is another at each run. */
static bool came_twice(const struct table *a, const struct table *b, int slip) {
    const struct failure *f, *g;
    int at = 0, bt = 0;
    do {
        f = next_failure(a, slip, &at);
        g = next_failure(b, slip, &bt);
        struct text one = {0}, two = {0};
        print_evidence(&one, f ? f->evidence : "");
        print_evidence(&two, g ? g->evidence : "");
        bool same = !f == !g && (!f || (f->how == g->how && strcmp(f->test, g->test) == 0)) &&
                    strcmp(text_of(&one), text_of(&two)) == 0;
        text_free(&one);
        text_free(&two);
        if (!same)
            return false;
    } while (f);
    return true;
}

/* A slip without its name, which has pieces of the reference in it. */
static void print_slip(struct text *to, const struct table *t, int slip) {
    const struct variant *v = &t->slips[slip - 1];
    const struct failure *f;
    text_print(to, "slip\t%d\t%c\t%s\t\t%s\t%s\n", slip, v->origin == LISTED ? 'l' : 'g',
               v->function, v->kind ? v->kind : "", v->says);
    for (int at = 0; (f = next_failure(t, slip, &at));) {
        text_print(to, "%d %s %c", slip, f->test, f->how);
        print_evidence(to, f->evidence);
        text_add(to, "\n", 1);
    }
}

static struct text table_of(const struct table *a, const struct table *b) {
    struct text made = {0};
    for (int i = 0; i < a->test_count; i++)
        text_print(&made, "test %s %s\n", a->tests[i].exercise, a->tests[i].name);
    for (int i = 1; i <= a->slip_count; i++)
        if (may_be_told(&a->slips[i - 1]) && came_twice(a, b, i))
            print_slip(&made, a, i);
    text_print(&made, "all\n");
    return made;
}

/* `garbage` is what new memory holds, where the C library can fill it. */
static bool make_table(struct table *table, const struct lesson *lesson, const char *exercise,
                       const struct settings *settings, char *const objects[],
                       const char *garbage) {
    struct path stem =
        path_of("%s/slips/%s/release.%d", settings->object, lesson->folder, (int)getpid());
    struct wanted wanted = {.function = exercise, .generated = true};
    struct family family;
    struct text text = {0};
    setenv("MALLOC_PERTURB_", garbage, 1);
    if (family_of(&family, lesson, wanted))
        text = run_slips(&family, stem.chars, settings, objects, settings->slip_flags);
    family_free(&family);
    table_read(table, text);
    return table->whole;
}

int release_tables(const struct lesson *lesson, const char *folder, const struct settings *settings,
                   char *const objects[]) {
    bool good = true;
    for (int i = 0; i < lesson->count && good; i++) {
        const char *exercise = lesson->exercises[i].name;
        struct table first = {0}, second = {0};
        good = make_table(&first, lesson, exercise, settings, objects, "85") &&
               make_table(&second, lesson, exercise, settings, objects, "170");
        struct text made = table_of(&first, &second);
        good = good && file_replace(path_of("%s/%s", folder, exercise).chars, &made);
        text_free(&made);
        table_free(&first);
        table_free(&second);
    }
    if (!good)
        fprintf(stderr, "The slips of lesson %s cannot be run.\n", lesson->number);
    return good ? 0 : 1;
}
