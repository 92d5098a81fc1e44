#include "base/source.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* A preprocessor line, with the lines that a backslash joins to it. */
static const char *skip_directive(const char *at) {
    for (; *at; at++)
        if (*at == '\n' && at[-1] != '\\')
            break;
    return at;
}

static bool starts_a_line(const char *at, const char *start) {
    while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == start || at[-1] == '\n';
}

const char *skip_odd(const char *at, const char *start) {
    const char *end;
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '#' && starts_a_line(at, start))
        return skip_directive(at);
    if (at[0] != '"' && at[0] != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        if (*end == '\\' && end[1])
            end++;
    return *end ? end + 1 : end;
}

/* Behind the bracket that closes the one at `open`; NULL if none does. */
static const char *matching_end(const char *open, const char *start) {
    char closing = *open == '(' ? ')' : '}';
    int depth = 0;
    for (const char *at = open; *(at += strcspn(at, "(){}/#\"'"));) {
        const char *odd = skip_odd(at, start);
        if (odd > at) {
            at = odd;
            continue;
        }
        depth += (*at == *open) - (*at == closing);
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* TEST(exercise, name) { ... } defines a function, too, and so does a macro that has a test's body:
   PROVED(exercise, name, ...). At first f->name is the macro's. */
static bool take_test(struct function *f) {
    const char *name = f->after_name + strspn(f->after_name, "( \t\n");
    name += name_length(name);
    name += strspn(name, " \t\n");
    if (!isupper((unsigned char)*f->name) || *name++ != ',')
        return false;
    f->name = name + strspn(name, " \t\n");
    f->after_name = f->name + name_length(f->name);
    return f->after_name > f->name;
}

/* Over the name at `at`; true if a function is declared or defined by it: a type stands before it,
   and '(' behind it; or it is a test's macro. */
static bool take_name(const char *start, const char **at, int *words, struct function *f) {
    f->name = *at;
    while (is_name(**at))
        ++*at;
    f->after_name = *at;
    if (starts_with(f->name, "typedef") && f->after_name == f->name + 7)
        *words = -1000; /* whatever it names is no function */
    *at += strspn(*at, " \t\n");
    bool called = **at == '(', declared = called && *words > 0;
    ++*words;
    if (called) {
        const char *end = matching_end(*at, start);
        f->end = end ? end : *at + strlen(*at);
    }
    if (called && !declared)
        *at = f->end;
    return declared || (called && take_test(f));
}

bool next_function(const char *start, const char *at, struct function *f) {
    int depth = 0, words = 0;
    *f = (struct function){0};
    while (*at) {
        const char *odd = skip_odd(at, start);
        if (odd > at) {
            if (at[0] == '/' && depth == 0) {
                f->comment = at;
                f->comment_end = odd;
            }
            at = odd;
        } else if (depth == 0 && is_name(*at)) {
            if (words == 0)
                f->start = at;
            if (take_name(start, &at, &words, f))
                return true;
        } else {
            depth += (*at == '{') - (*at == '}');
            if (depth == 0 && (*at == ';' || *at == '}')) {
                f->comment = NULL;
                words = 0;
            }
            at++;
        }
    }
    return false;
}

size_t name_length(const char *at) {
    size_t length = 0;
    while (is_name(at[length]))
        length++;
    return length;
}

bool finds_word(const char *from, const char *to, const char *word, size_t length) {
    for (const char *at = from; length > 0 && at < to; at++) {
        size_t found = name_length(at);
        if (found == length && strncmp(at, word, length) == 0)
            return true;
        at += found > 0 ? found - 1 : 0;
    }
    return false;
}

bool has_word(const char *text, const char *word, size_t length) {
    return finds_word(text, text + strlen(text), word, length);
}

/* What begins with one of these letters. */
void blank_part(char *from, const char *to) {
    for (; from < to; from++)
        *from = *from == '\n' ? '\n' : ' ';
}

static void blank(char *text, const char *letters) {
    for (char *at = text; *at;) {
        size_t length = (size_t)(skip_odd(at, text) - at);
        if (length > 0 && strchr(letters, *at))
            blank_part(at, at + length);
        at += length > 0 ? length : 1;
    }
}

void blank_comments(char *text) {
    blank(text, "/");
}

void blank_all_but_code(char *text) {
    blank(text, "/#\"'");
}

int line_of(const char *start, const char *at) {
    int line = 1;
    for (; start < at; start++)
        line += *start == '\n';
    return line;
}

static const char *skip_space(const char *at, const char *start) {
    for (;;) {
        const char *next = at + strspn(at, " \t\r\n");
        if (*next == '/')
            next = skip_odd(next, start);
        if (next == at)
            return at;
        at = next;
    }
}

const char *body_of(const char *start, const struct function *f) {
    const char *body = skip_space(f->end, start);
    return *body == '{' ? body : NULL;
}

const char *end_of_definition(const char *start, const struct function *f) {
    const char *body = body_of(start, f);
    return body ? matching_end(body, start) : NULL;
}

bool find_definition(const char *start, const char *name, const char **from, const char **to) {
    struct function f;
    size_t length = strlen(name);
    for (const char *at = start; next_function(start, at, &f); at = f.end) {
        const char *body = body_of(start, &f);
        if (!body || (size_t)(f.after_name - f.name) != length ||
            strncmp(f.name, name, length) != 0)
            continue;
        *from = f.start;
        *to = matching_end(body, start);
        return *to != NULL;
    }
    return false;
}

bool begins_with_todo(const char *start, const char *name) {
    const char *from, *to;
    if (!find_definition(start, name, &from, &to))
        return false;
    const char *body = strchr(from, '{') + 1;
    return starts_with(body + strspn(body, " \t\r\n"), "TODO(");
}
