/* Finds functions by their tokens: outside of all braces, a name between a type and a '('. A text
   that is half written has the functions that can be found in it. */
#include "base/source.h"

#include "base/text.h"
#include "base/tokens.h"

#include <ctype.h>
#include <string.h>

/* After the bracket that closes the one at `open`, or the end of the text. True if one closes. */
static bool find_end(const char *start, const char *open, const char **end) {
    const char closing = *open == '(' ? ')' : '}';
    int depth = 0;
    for (*end = open; *(*end += strcspn(*end, "(){}/#\"'"));) {
        const char *odd = skip_odd(*end, start), sign = **end;
        *end = odd > *end ? odd : *end + 1;
        depth += (sign == *open) - (sign == closing);
        if (depth == 0)
            return true;
    }
    return false;
}

/* TEST(exercise, name) { ... } defines a function, too, and so does a macro that contains the body
   of a test: PROVED(exercise, name, ...). At first f->name is the name of the macro. */
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

static void take_body(const char *start, struct function *f) {
    struct token brace = next_token(f->end, start), first = token_behind(&brace, start);
    if (!is_word(&brace, "{"))
        return;
    f->body = brace.at;
    f->whole = find_end(start, brace.at, &f->end);
    f->todo = f->whole && is_word(&first, "TODO");
}

/* Is a function declared or defined by that name? A type stands before it, and '(' after it; or it
   is the macro of a test. Sets f->end in any case. */
static bool take_name(const char *start, const struct token *name, int *words, struct function *f) {
    struct token open = token_behind(name, start);
    f->name = name->at;
    f->end = f->after_name = name->at + name->length;
    if (is_word(name, "typedef"))
        *words = -1000; /* the name that follows is not a function */
    bool has_type = (*words)++ > 0;
    if (!is_word(&open, "("))
        return false;
    find_end(start, open.at, &f->end);
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
            if (take_name(start, &t, &words, f)) {
                take_body(start, f);
                return true;
            }
            at = f->end;
        }
    }
    return false;
}

bool has_name(const struct function *f, const char *name) {
    size_t length = (size_t)(f->after_name - f->name);
    return strlen(name) == length && strncmp(f->name, name, length) == 0;
}

bool find_function(const char *start, const char *name, struct function *f) {
    for (const char *at = start; next_function(start, at, f); at = f->end)
        if (has_name(f, name))
            return true;
    return false;
}

bool find_definition(const char *start, const char *name, const char **from, const char **to) {
    struct function f;
    for (const char *at = start; next_function(start, at, &f); at = f.end)
        if (f.body && has_name(&f, name)) {
            *from = f.start;
            *to = f.end;
            return f.whole;
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

bool uses_name(const char *code, const char *name) {
    struct token t = next_token(code, code);
    while (t.length > 0 && !is_word(&t, name))
        t = token_behind(&t, code);
    return t.length > 0;
}

void blank_part(char *from, const char *to) {
    for (; from < to; from++)
        *from = *from == '\n' ? '\n' : ' ';
}

void blank_comments(char *text) {
    for (char *at = text; *at;) {
        size_t length = (size_t)(skip_odd(at, text) - at);
        if (*at == '/')
            blank_part(at, at + length);
        at += length > 0 ? length : 1;
    }
}

int line_of(const char *start, const char *at) {
    int line = 1;
    while ((start = strchr(start, '\n')) && start++ < at)
        line++;
    return line;
}
