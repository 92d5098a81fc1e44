/* A source becomes a list of statements, with one blank between tokens. A table has for each
   mistake the statements that it takes out of the reference and those that it puts in. If the
   source has what is put in, there is no doubt. If it has what would be taken out, the mistake is
   refuted. */

#include "diagnose/matching.h"

#include <stdlib.h>
#include <string.h>

/* --- statements ----------------------------------------------------------------------------- */

/* 1.0, 1.0f and 1 are one number. */
static void add_token(struct text *text, const struct code *c, int i) {
    const struct token *t = &c->tokens[i];
    if (is(c, i, "const"))
        return;
    if (text->length > 0 && text->chars[text->length - 1] != '\1')
        text_add(text, " ", 1);
    if (t->kind == NUMBER)
        text_print(text, "%.12g", strtod(t->at, NULL));
    else
        text_add(text, t->at, t->length);
}

static void end_statement(struct text *text) {
    if (text->chars[text->length - 1] != '\1')
        text_add(text, "\1", 1);
}

const char *statements_of(const char *from, const char *to) {
    struct code c = {0};
    struct text text = {0};
    int head = -1; /* the bracket that ends one */
    text_add(&text, "\1", 1);
    if (code_read_tokens(&c, from, to))
        for (int i = 0, depth = 0; i < c.count; i++) {
            if (is(&c, i, "for if while switch") && is(&c, i + 1, "(") && depth == 0)
                head = behind_one(&c, i + 1) - 1;
            depth += is(&c, i, "( [") - is(&c, i, ") ]");
            const bool ends = depth == 0 && is(&c, i, "; { } else do");
            if (!ends)
                add_token(&text, &c, i);
            if (ends || i == head)
                end_statement(&text);
        }
    end_statement(&text);
    return text.chars;
}

/* --- what a slip exchanges ------------------------------------------------------------------- */

/* The length of the statement after a mark, including the mark after it; 0 at the end. */
static size_t length_of(const char *mark) {
    return mark[1] ? strcspn(mark + 1, "\1") + 1 : 0;
}

/* The mark before another one, as an index. */
static size_t mark_before(const char *statements, size_t mark) {
    while (mark > 0 && statements[--mark] != '\1')
        ;
    return mark;
}

/* Does the list hold what stands between two marks? */
static bool holds(const char *statements, const char *marked, size_t length) {
    for (const char *at = statements; *at; at++)
        if (strncmp(at, marked, length) == 0)
            return true;
    return false;
}

/* From the mark at `from` to that at `to`, with both. */
struct part {
    size_t from, to;
};

/* Narrows two parts to what differs: statements at the start and at the end are the same. */
static void narrow(const char *a, struct part *of_a, const char *b, struct part *of_b) {
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\1')
            of_a->from = of_b->from = i;
    for (; of_a->to > of_a->from && of_b->to > of_b->from; of_a->to--, of_b->to--)
        if (a[of_a->to - 1] != b[of_b->to - 1])
            break;
    for (; a[of_a->to] != '\1'; of_a->to++)
        of_b->to++;
}

/* The statements of a part that the other list has not. The head of a loop may stand anywhere: that
   it stands somewhere speaks against nothing. */
static void add_missing(struct text *text, const char *from, struct part part, const char *other) {
    text_add(text, "\1", 1);
    for (size_t at = part.from; at < part.to; at += length_of(from + at))
        if (!holds(other, from + at, length_of(from + at) + 1) &&
            !starts_with(from + at + 1, "for ("))
            text_add(text, from + at + 1, length_of(from + at));
}

void add_exchange(struct text *text, const char *function, const struct variant *variant) {
    const char *old = statements_of(function, strchr(function, '\0'));
    const char *new = statements_of(variant->text, strchr(variant->text, '\0'));
    struct part taken = {0, strlen(old) - 1}, put = {0, strlen(new) - 1};
    narrow(old, &taken, new, &put);
    add_missing(text, old, taken, new);
    if (put.from == put.to) {
        put.from = mark_before(new, put.from);
        put.to += length_of(new + put.to);
    }
    text_add(text, "\t", 1);
    text_add(text, new + put.from, put.to - put.from + 1);
}

/* --- what a source says of it ---------------------------------------------------------------- */

/* Tokens stand between blanks and marks. */
bool has_token(const char *statements, const char *token) {
    for (const char *at = statements; (at = strstr(at, token)); at++)
        if (at > statements && strchr(" \1", at[-1]) && strchr(" \1", at[strlen(token)]))
            return true;
    return false;
}

/* Sizes and variables of loops are no ints of the learner's. */
static bool has_own_token(const char *statements, const char *token) {
    return strcmp(token, "int") == 0 ? strstr(statements, "\1int ") || strstr(statements, "( int )")
                                     : has_token(statements, token);
}

/* Is one of these tokens (NULL: none) in neither of two lists of statements? With `operators` the
   others do not count. */
static bool has_another(const char *tokens, bool operators, const char *statements,
                        const char *others) {
    for (const char *at = tokens ? tokens : ""; *at;) {
        const size_t length = strcspn(at, " \1");
        const char *token = path_of("%.*s", (int)length, at);
        if (length > 0 && (!operators || strchr("+-*/%<>=!&|?", *at)) &&
            !has_own_token(statements, token) && !has_token(others, token))
            return true;
        at += length + (at[length] != '\0');
    }
    return false;
}

/* The sentence of a listed slip is about its marked words, and the clause of a generated one about
   its operators. */
static bool speaks_of_what_is_not_there(const struct variant *slip, const char *statements) {
    return has_another(slip->words, false, statements, "") ||
           (slip->origin == GENERATED && has_another(slip->put, true, statements, slip->taken));
}

static bool holds_any(const char *statements, const char *taken) {
    for (const char *at = taken; length_of(at) > 0; at += length_of(at))
        if (holds(statements, at, length_of(at) + 1))
            return true;
    return false;
}

enum doubt doubt_about(const struct variant *slip, const char *statements) {
    if (!slip->put || !slip->put[0])
        return SOME_DOUBT;
    const bool taken = holds_any(statements, slip->taken);
    if (holds(statements, slip->put, strlen(slip->put)))
        return taken ? SOME_DOUBT : NO_DOUBT;
    return taken || slip->of_way || speaks_of_what_is_not_there(slip, statements) ? REFUTED
                                                                                  : SOME_DOUBT;
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

/* A generated mistake may be about a loop or about a number that the learner's code does not have.
 * Then it would explain nothing. */
static bool says_nothing(const struct variant *v, const struct code *code) {
    return loops_in(code) < v->loops ||
           (starts_with(v->name, "CONST:") &&
            !has_number(code, strtod(strrchr(v->name, ':') + 1, NULL)));
}

void note_doubts(const char *own, struct variant *slips, int count) {
    struct code code = {0};
    const char *end = strchr(own, '\0'), *statements = statements_of(own, end);
    if (code_read_tokens(&code, own, end))
        for (struct variant *v = slips; v < slips + count; v++) {
            v->dropped = v->dropped || (v->origin == GENERATED && says_nothing(v, &code));
            v->doubt = may_be_told(v) ? doubt_about(v, statements) : NO_DOUBT;
        }
}

/* --- the line of a mistake ------------------------------------------------------------------- */

/* A mistake that changes one line is sought in the learner's function: the same line, but local
   variables may have other names there. A line that is also in the reference does not count. A
   mistake of several lines is none of them alone: what is like one of these may be right. */
struct line {
    const struct code *code;
    int from, to; /* tokens */
};

static bool starts_line(const struct code *c, int i) {
    const char *behind = behind_token(c, i - 1);
    return memchr(behind, '\n', (size_t)(c->tokens[i].at - behind)) != NULL;
}

static struct line line_at(const struct code *c, int from) {
    int to = from + 1;
    while (to < c->count && !starts_line(c, to))
        to++;
    return (struct line){c, from, to};
}

/* Parameters and members have the names of the header. */
static bool are_locals(const struct name *n, const struct name *o) {
    return n && o && !n->parameter && !n->of && !o->parameter && !o->of && n->rank == o->rank;
}

static bool are_same(const struct line *a, const struct line *b) {
    bool same = a->to - a->from == b->to - b->from;
    for (int i = a->from, k = b->from; same && i < a->to; i++, k++)
        same = same_value(a->code, i, b->code, k) ||
               are_locals(name_at(a->code, i), name_at(b->code, k));
    return same;
}

static bool has_line(const struct code *c, const struct line *line) {
    for (int i = 0; i < c->count; i = line_at(c, i).to) {
        const struct line own = line_at(c, i);
        if (are_same(&own, line))
            return true;
    }
    return false;
}

/* Counts the lines that the one function has and the other has not; the last of them. */
static int find_new(const struct code *has, const struct code *has_not, struct line *last) {
    int count = 0;
    for (int i = 0; i < has->count; i = line_at(has, i).to) {
        const struct line line = line_at(has, i);
        if (has_line(has_not, &line))
            continue;
        count++;
        *last = line;
    }
    return count;
}

static bool read_function(struct code *code, const struct variants *variants, const char *name) {
    const char *from, *to;
    *code = (struct code){0};
    return find_definition(text_of(&variants->source), name, &from, &to) &&
           code_read(code, from, to, text_of(&variants->types));
}

int line_of_mistake(const struct variants *own, const struct variants *reference,
                    const struct variant *mistake) {
    struct code code, right, wrong;
    struct line put, taken;
    int found = 0, count = 0;
    if (!read_function(&code, own, mistake->function) ||
        !read_function(&right, reference, mistake->function) ||
        !code_read(&wrong, mistake->text, strchr(mistake->text, '\0'),
                   text_of(&reference->types)) ||
        find_new(&wrong, &right, &put) != 1 || find_new(&right, &wrong, &taken) > 1)
        return 0;
    for (int i = 0; i < code.count; i = line_at(&code, i).to) {
        const struct line line = line_at(&code, i);
        if (!are_same(&line, &put))
            continue;
        found = line_of(text_of(&own->source), code.tokens[i].at);
        count++;
    }
    return count == 1 ? found : 0;
}
