#include "base/calls.h"

#include "base/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    const char *name;
    size_t length;
    const char *from, *to; /* what it says; nothing for a variable */
    int next;              /* that begins with the same letter, as `first` in struct calls */
    bool reached, shared;
};

/* --- what stands in a file -------------------------------------------------------------------- */

static void add_piece(struct calls *calls, const char *name, size_t length, const char *from,
                      const char *to) {
    calls->pieces = realloc(calls->pieces, sizeof *calls->pieces * (size_t)(calls->count + 1));
    if (!calls->pieces)
        abort();
    int *first = &calls->first[*name & 127];
    calls->pieces[calls->count++] =
        (struct piece){.name = name, .length = length, .from = from, .to = to, .next = *first};
    *first = calls->count;
}

static const char *keep_text(struct calls *calls, struct text text) {
    calls->texts = realloc(calls->texts, sizeof text * (size_t)(calls->text_count + 1));
    if (!calls->texts)
        abort();
    calls->texts[calls->text_count++] = text;
    return text_of(&text);
}

static void add_macros(struct calls *calls, const char *at) {
    for (const char *end; *at; at = *end ? end + 1 : end) {
        int before = 0, behind = 0;
        end = at + strcspn(at, "\n");
        while (*end && end[-1] == '\\')
            end += 1 + strcspn(end + 1, "\n");
        sscanf(at, " # define %n%*[A-Za-z0-9_]%n", &before, &behind);
        if (behind > before && at + behind <= end)
            add_piece(calls, at + before, (size_t)(behind - before), at + behind, end);
    }
}

static void add_functions(struct calls *calls, const char *code) {
    struct function f;
    for (const char *at = code; next_function(code, at, &f); at = f.end) {
        const char *end = end_of_definition(code, &f);
        if (!end && isupper((unsigned char)*f.start))
            end = f.end; /* a macro that makes a test */
        if (end)
            add_piece(calls, f.name, (size_t)(f.after_name - f.name), f.start, end);
    }
}

/* Names before "=", "[", "," or ";" in a declaration that changes something: not of a function, a
   type, or a constant. */
static void add_variables_of(struct calls *calls, const char *from, const char *to) {
    int depth = 0;
    for (const char *at = from; at < to; at++) {
        size_t length = name_length(at);
        const char *next = at + length + strspn(at + length, " \t\r\n");
        depth += (*at == '{') - (*at == '}');
        if (length > 0 && depth == 0 && strchr("=[,;", *next))
            add_piece(calls, at, length, to, to);
        if (length > 0)
            at += length - 1;
    }
}

static bool is_variable(const char *from, const char *to) {
    size_t length = (size_t)(to - from);
    return !memchr(from, '(', length) && !finds_word(from, to, "typedef", 7) &&
           !finds_word(from, to, "const", 5);
}

static void add_variables(struct calls *calls, const char *code) {
    const char *from = code;
    int depth = 0;
    for (const char *at = code; *at; at++) {
        depth += (*at == '{') - (*at == '}');
        bool body_ends = depth == 0 && *at == '}' && memchr(from, '(', (size_t)(at - from));
        if (depth == 0 && *at == ';' && is_variable(from, at))
            add_variables_of(calls, from, at + 1);
        if (body_ends || (depth == 0 && *at == ';'))
            from = at + 1;
    }
}

void calls_read(struct calls *calls, const char *path) {
    struct text text, code = {0};
    if (!text_read_file(&text, path))
        return;
    text_add(&code, text_of(&text), text.length);
    add_macros(calls, keep_text(calls, text));
    blank_all_but_code(code.chars);
    keep_text(calls, code);
    add_functions(calls, code.chars);
    add_variables(calls, code.chars);
}

void calls_free(struct calls *calls) {
    for (int i = 0; i < calls->text_count; i++)
        text_free(&calls->texts[i]);
    free(calls->texts);
    free(calls->pieces);
    *calls = (struct calls){0};
}

/* --- what needs what -------------------------------------------------------------------------- */

static bool is_called(const struct piece *piece, const char *name, size_t length) {
    return piece->length == length && strncmp(piece->name, name, length) == 0;
}

static void reach(struct calls *calls, struct piece *piece) {
    piece->reached = true;
    for (const char *at = piece->from; at < piece->to; at++) {
        size_t length = name_length(at);
        for (int i = calls->first[*at & 127]; length > 0 && i > 0; i = calls->pieces[i - 1].next)
            if (!calls->pieces[i - 1].reached && is_called(&calls->pieces[i - 1], at, length))
                reach(calls, &calls->pieces[i - 1]);
        at += length > 0 ? length - 1 : 0;
    }
}

static bool reach_named(struct calls *calls, const char *name) {
    bool found = false;
    for (int i = 0; i < calls->count; i++) {
        struct piece *p = &calls->pieces[i];
        bool called = is_called(p, name, strlen(name));
        found = found || called;
        if (called && !p->reached)
            reach(calls, p);
    }
    return found;
}

void calls_follow(struct calls *calls, const char *name) {
    bool found = reach_named(calls, name);
    for (int anywhere = 0; anywhere < 2 && !found; anywhere++)
        for (int i = 0; i < calls->count; i++) {
            struct piece *p = &calls->pieces[i];
            if (!anywhere && !finds_word(p->from, p->to, name, strlen(name)))
                continue;
            if (!p->reached)
                reach(calls, p);
            found = true;
        }
}

void calls_forget(struct calls *calls) {
    for (int i = 0; i < calls->count; i++)
        calls->pieces[i].reached = false;
}

bool calls_reached(const struct calls *calls, const char *name) {
    for (int i = 0; i < calls->count; i++)
        if (calls->pieces[i].reached && is_called(&calls->pieces[i], name, strlen(name)))
            return true;
    return false;
}

bool calls_share(struct calls *calls, const char *name, const char *other) {
    bool both = false;
    calls_forget(calls);
    reach_named(calls, other);
    for (int i = 0; i < calls->count; i++) {
        struct piece *p = &calls->pieces[i];
        p->shared = p->reached && p->from == p->to;
        p->reached = is_called(p, other, strlen(other)); /* no way through it */
    }
    reach_named(calls, name);
    for (int i = 0; i < calls->count; i++)
        both = both || (calls->pieces[i].shared && calls->pieces[i].reached);
    calls_forget(calls);
    return both;
}

bool calls_begins_with(const struct calls *calls, const char *name, const char *word) {
    for (int i = 0; i < calls->count; i++) {
        const struct piece *p = &calls->pieces[i];
        const char *body = memchr(p->from, '{', (size_t)(p->to - p->from));
        if (!body || !is_called(p, name, strlen(name)))
            continue;
        body += 1 + strspn(body + 1, " \t\r\n");
        return name_length(body) == strlen(word) && starts_with(body, word);
    }
    return false;
}
