/* Finds functions by their tokens: outside of all braces, a name between a type and a '('. A text
   that is half written has the functions that can be found in it. */
#include "base/source.h"

#include "base/text.h"
#include "base/tokens.h"

#include <ctype.h>
#include <string.h>

/* Behind the bracket that closes the one at `open`; NULL if none does. */
static const char *matching_end(const char *open, const char *start) {
    const char closing = *open == '(' ? ')' : '}';
    int depth = 0;
    for (struct token t = next_token(open, start); t.length > 0; t = token_behind(&t, start)) {
        depth += (*t.at == *open) - (*t.at == closing);
        if (depth == 0)
            return t.at + t.length;
    }
    return NULL;
}

/* TEST(exercise, name) { ... } defines a function, too, and so does a macro that has a test's body:
   PROVED(exercise, name, ...). At first f->name is the macro's. */
static bool take_test(const char *start, const struct token *open, struct function *f) {
    struct token exercise = token_behind(open, start), comma = token_behind(&exercise, start);
    struct token name = token_behind(&comma, start);
    if (!isupper((unsigned char)*f->name) || exercise.kind != NAME || !is_word(&comma, ",") ||
        name.kind != NAME)
        return false;
    f->name = name.at;
    f->after_name = name.at + name.length;
    return true;
}

/* Is a function declared or defined by that name? A type stands before it, and '(' behind it; or it
   is a test's macro. f->end is set in any case. */
static bool take_name(const char *start, const struct token *name, int *words, struct function *f) {
    struct token open = token_behind(name, start);
    f->name = name->at;
    f->end = f->after_name = name->at + name->length;
    if (is_word(name, "typedef"))
        *words = -1000; /* whatever it names is no function */
    bool has_type = (*words)++ > 0;
    if (!is_word(&open, "("))
        return false;
    const char *end = matching_end(open.at, start);
    f->end = end ? end : strchr(open.at, '\0');
    return has_type || take_test(start, &open, f);
}

bool next_function(const char *start, const char *at, struct function *f) {
    int depth = 0, words = 0;
    *f = (struct function){0};
    for (struct token t; (t = next_token(at, start)).length > 0;) {
        if (t.comment && depth == 0) {
            f->comment = t.comment;
            f->comment_end = t.comment_end;
        }
        at = t.at + t.length;
        depth += (*t.at == '{') - (*t.at == '}');
        if (depth == 0 && is_word(&t, "; }")) {
            f->comment = NULL;
            words = 0;
        } else if (depth == 0 && t.kind == NAME) {
            f->start = words == 0 ? t.at : f->start;
            if (take_name(start, &t, &words, f))
                return true;
            at = f->end;
        }
    }
    return false;
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

void blank_part(char *from, const char *to) {
    for (; from < to; from++)
        *from = *from == '\n' ? '\n' : ' ';
}

/* What begins with one of these letters. */
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

const char *body_of(const char *start, const struct function *f) {
    struct token brace = next_token(f->end, start);
    return is_word(&brace, "{") ? brace.at : NULL;
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
    struct token first = next_token(strchr(from, '{') + 1, start);
    return is_word(&first, "TODO");
}
