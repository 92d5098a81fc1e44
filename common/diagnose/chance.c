/* common/testing/relate.c has written, for each failed test, all relations that it found: every
   number is twice as large, or the square, or off as much as a float is. One is believed if no
   failing test speaks against it, at least TESTS of them bear it out with MOST different numbers,
   and the learner's function has an operator or a call that can make it. */
#include "diagnose/matching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS = 2, MOST = 4 };

/* --- the tests ------------------------------------------------------------------------------- */

/* The relation of that name among the lines: its numbers, and behind the next bar its sentence. */
static const char *relation_in(const char *lines, const char *name) {
    for (const char *at = lines, *start = at, *line; at && (line = next_line(&at)); start = at)
        if (starts_with(line, name) && line[strlen(name)] == '|')
            return start + strlen(name) + 1;
    return NULL;
}

/* A property has none, and what is no number comes of anything. */
static bool has_numbers(const char *evidence) {
    if (strstr(evidence, "nan") || strstr(evidence, "inf"))
        return false;
    int ordinal, cells;
    char kind = 0;
    return sscanf(evidence, "%d %c %d", &ordinal, &kind, &cells) == 3 && strchr("NGF", kind);
}

/* Adds the numbers up to the bar to those seen. True if there is one at least. */
static bool see(const char *numbers, double seen[MOST], int *count) {
    bool any = false;
    for (char *end; *numbers != '|'; numbers = end) {
        double x = strtod(numbers, &end);
        if (end == numbers)
            break;
        bool other = *count < MOST;
        for (int i = 0; i < *count; i++)
            other = other && fabs(seen[i] - x) > 1e-3 * fabs(x);
        if (other)
            seen[(*count)++] = x;
        any = true;
    }
    return any;
}

static bool all_bear_out(const struct outcome *tests, int count, const char *name, int least) {
    double seen[MOST];
    int bearing = 0, numbers = 0;
    for (const struct outcome *o = tests; o < tests + count; o++) {
        const char *found = relation_in(o->relations, name);
        if (!found && has_numbers(o->evidence))
            return false;
        bearing += found && see(found, seen, &numbers);
    }
    return bearing >= TESTS && numbers >= least;
}

/* The first test with numbers does, and no more speak against it: with enormous numbers, or many,
   a float is off by more. */
static bool most_bear_out(const struct outcome *tests, int count, const char *name) {
    int more = 0;
    bool found_once = false;
    for (const struct outcome *o = tests; o < tests + count; o++) {
        const bool found = relation_in(o->relations, name) != NULL;
        if (!found && has_numbers(o->evidence) && more == 0)
            return false;
        found_once |= found;
        more += found ? 1 : has_numbers(o->evidence) ? -1 : 0;
    }
    return found_once && more >= 0;
}

/* --- the source ------------------------------------------------------------------------------ */

/* 0.5f, or a number that is there to make no difference. */
static bool has_number(const struct code *c, bool (*is_such)(const struct token *)) {
    for (int i = 0; i < c->count; i++)
        if (c->tokens[i].kind == NUMBER && is_such(&c->tokens[i]))
            return true;
    return false;
}

static bool is_float(const struct token *t) {
    return memchr(t->at, '.', t->length) && strchr("fF", t->at[t->length - 1]);
}

static bool is_tiny(const struct token *t) {
    double x = strtod(t->at, NULL);
    return x > 0.0 && x <= 1e-4;
}

/* A type at the start of a statement, or a cast to it: no parameter, and no variable of a loop. */
static bool is_used(const struct code *c, int type) {
    const int before = type - 1 - (type > 0 && is(c, type - 1, "const static"));
    return !head_around(c, type) &&
           (before < 0 || is(c, before, "; { }") || (is(c, before, "(") && is(c, type + 1, ")")));
}

static bool is_int(const struct code *c, int i) {
    const struct token *t = &c->tokens[i];
    return i < c->count && t->kind == NUMBER && strcspn(t->at, ".eEfFxX") >= t->length;
}

/* An int that a number may be kept in, a function that cuts, or an int that is divided. */
static bool cuts_off(const struct code *c) {
    for (int i = 0; i < c->count; i++)
        if ((is(c, i, "int long short unsigned char bool") && is_used(c, i)) ||
            (i > 0 && is(c, i, "/") && (is_int(c, i - 1) || is_int(c, i + 1))))
            return true;
    return any_is(c, 0, c->count,
                  "trunc floor ceil round lround rint lrint nearbyint abs fmod modf");
}

static bool computes_in_float(const struct code *c) {
    return any_is(c, 0, c->count,
                  "float expf logf sqrtf tanhf powf fabsf fmaxf fminf FLT_MAX FLT_EPSILON") ||
           has_number(c, is_float);
}

static bool may_be(const struct code *c, const char *name) {
    static const struct {
        const char *name, *words;
    } needs[] = {{"times", "* / *= /="},
                 {"square", "* *= pow powf"},
                 {"root", "sqrt sqrtf pow powf"},
                 {"inverse", "/ /= pow powf"},
                 {"exp", "exp expf exp2 exp2f expm1 pow powf"},
                 {"log", "log logf log2 log10 log1p log2f log_sum_exp"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (strcmp(needs[i].name, name) == 0)
            return any_is(c, 0, c->count, needs[i].words);
    return strcmp(name, "whole") != 0 || cuts_off(c);
}

/* Does a backward function call its forward function? */
static bool calls_forward(const struct code *c) {
    for (int i = 0; i < c->count; i++)
        if (any_is(c, 0, c->count,
                   path_of("%.*s_backward", (int)c->tokens[i].length, c->tokens[i].at)))
            return true;
    return false;
}

/* --- what the screen says -------------------------------------------------------------------- */

/* The sentence of the first one that has that relation; "". */
static const char *fact_of(const struct outcome *tests, int count, const char *name) {
    for (int i = 0; i < count; i++) {
        const char *found = relation_in(tests[i].relations, name);
        const char *sentence = found ? strchr(found, '|') : NULL;
        if (sentence)
            return path_of("%.*s", (int)strcspn(sentence + 1, "\n"), sentence + 1);
    }
    return "";
}

/* Off by very little: with a float in the source most tests are enough. */
static struct relation off_by_little(const struct outcome *tests, int count, const struct code *c) {
    const char *fact = fact_of(tests, count, "little"), *cause = "";
    const bool tiny = has_number(c, is_tiny), first = fact_of(tests, count > 0, "float")[0];
    const bool little = all_bear_out(tests, count, "little", MOST / 2);
    if (most_bear_out(tests, count, "float") && computes_in_float(c))
        cause = " It looks like a float somewhere. Everything here is double.";
    else if (little && calls_forward(c))
        cause = " It looks like a difference quotient, which is never exact. Use a formula.";
    else if (all_bear_out(tests, count, "float", MOST) && tiny)
        cause = " It looks like a small number that is added. Leave it out.";
    else if (little && tiny)
        return (struct relation){
            path_of("%s Does the small number in your code belong there?", fact), false, false};
    return (struct relation){*cause || first ? path_of("%s%s", fact, cause) : "", *cause, !*cause};
}

struct relation relation_of(const struct outcome *tests, int count, const struct code *source) {
    const char *at = count > 0 ? tests->relations : NULL;
    for (char *line; at && (line = next_line(&at));) {
        line[strcspn(line, "|")] = '\0';
        if (!has_word("float little", line, strlen(line)) &&
            all_bear_out(tests, count, line, MOST) && may_be(source, line))
            return (struct relation){fact_of(tests, 1, line), false, false};
    }
    return off_by_little(tests, count, source);
}
