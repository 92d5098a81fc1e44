/* Reads files into pieces (functions, macros and variables, by name) with the tokens of each, and
   follows the names in them from piece to piece. What a name means is not looked at: a local that
   is called like a function needs that function, too. */
#include "base/calls.h"

#include "base/source.h"
#include "base/tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct piece {
    const char *name;
    size_t length;
    const char *from, *to; /* its tokens; none for a variable */
    int next;              /* that begins with the same letter, as `first` in struct calls */
    bool reached, shared;
};

/* --- what stands in a file -------------------------------------------------------------------- */

static void add_piece(struct calls *calls, const char *name, size_t length, const char *from,
                      const char *to) {
    calls->pieces = with_room(calls->pieces, calls->count, sizeof *calls->pieces);
    int *first = &calls->first[*name & 127];
    calls->pieces[calls->count++] =
        (struct piece){.name = name, .length = length, .from = from, .to = to, .next = *first};
    *first = calls->count;
}

static bool is_called(const struct piece *piece, const char *name, size_t length) {
    return piece->length == length && strncmp(piece->name, name, length) == 0;
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

/* What a macro makes: MACRO(exercise, test, ...), or a function MACRO(function, exercise, ...). The
   exercise has a definition of its own, which was read before. */
static void add_made(struct calls *calls, const char *code, const struct function *f) {
    struct token macro = next_token(f->start, code), open = token_behind(&macro, code);
    struct token first = token_behind(&open, code);
    bool defined = false;
    for (int i = 0; i < calls->count; i++)
        defined = defined || is_called(&calls->pieces[i], first.at, first.length);
    if (!defined)
        add_piece(calls, first.at, first.length, f->start, f->end);
    add_piece(calls, f->name, (size_t)(f->after_name - f->name), f->start, f->end);
}

static void add_functions(struct calls *calls, const char *code) {
    struct function f;
    for (const char *at = code; next_function(code, at, &f); at = f.end) {
        const char *end = end_of_definition(code, &f);
        if (end)
            add_piece(calls, f.name, (size_t)(f.after_name - f.name), f.start, end);
        else if (isupper((unsigned char)*f.start))
            add_made(calls, code, &f);
    }
}

/* Names before "=", "[", "," or ";" in the declaration that ends at `to`, outside all braces. */
static void add_variables_of(struct calls *calls, const char *code, const char *from,
                             const char *to) {
    int depth = 0;
    for (struct token t = next_token(from, code), next; t.at < to; t = next) {
        next = token_behind(&t, code);
        depth += is_word(&t, "{") - is_word(&t, "}");
        if (t.kind == NAME && depth == 0 && is_word(&next, "= [ , ;"))
            add_piece(calls, t.at, t.length, to, to);
    }
}

/* Those that change: declarations that are no function, no type and no constant. */
static void add_variables(struct calls *calls, const char *code) {
    const char *from = code;
    bool variable = true, function = false;
    int depth = 0;
    for (struct token t = next_token(code, code); t.length > 0; t = token_behind(&t, code)) {
        depth += is_word(&t, "{") - is_word(&t, "}");
        function = function || is_word(&t, "(");
        variable = variable && !function && !is_word(&t, "typedef const");
        bool ends = depth == 0 && is_word(&t, ";");
        if (ends && variable)
            add_variables_of(calls, code, from, t.at);
        if (ends || (depth == 0 && function && is_word(&t, "}"))) {
            from = t.at + 1;
            variable = true;
            function = false;
        }
    }
}

void calls_read(struct calls *calls, const char *path) {
    struct text text;
    if (!text_read_file(&text, path))
        return;
    calls->texts = with_room(calls->texts, calls->text_count, sizeof text);
    calls->texts[calls->text_count++] = text;
    add_macros(calls, text_of(&text));
    add_functions(calls, text_of(&text));
    add_variables(calls, text_of(&text));
}

void calls_free(struct calls *calls) {
    for (int i = 0; i < calls->text_count; i++)
        text_free(&calls->texts[i]);
    free(calls->texts);
    free(calls->pieces);
    *calls = (struct calls){0};
}

/* --- what needs what -------------------------------------------------------------------------- */

static void reach(struct calls *calls, struct piece *piece) {
    piece->reached = true;
    for (struct token t = next_token(piece->from, piece->from); t.at < piece->to;
         t = token_behind(&t, piece->from))
        for (int i = calls->first[*t.at & 127]; t.kind == NAME && i > 0;
             i = calls->pieces[i - 1].next)
            if (!calls->pieces[i - 1].reached && is_called(&calls->pieces[i - 1], t.at, t.length))
                reach(calls, &calls->pieces[i - 1]);
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
        struct token first = next_token(body + 1, p->from);
        return is_word(&first, word);
    }
    return false;
}
