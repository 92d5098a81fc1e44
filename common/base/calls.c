/* Cuts files into pieces (functions, macros and variables, by name), and follows the names in them
   from piece to piece. It does not look at what a name means: a local variable with the name of a
   function counts as a use of that function, too. */
#include "base/calls.h"

#include "base/source.h"
#include "base/tokens.h"

#include <ctype.h>
#include <string.h>

struct piece {
    const char *name;
    size_t length;
    const char *from, *to; /* its tokens; none for a variable */
    int next;              /* that begins with the same letter, as `first` in struct calls */
    bool reached, shared;
};

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

/* The next piece with that name after `p`, or the first piece if `p` is NULL. Returns NULL at the
   end. */
static struct piece *next_piece(const struct calls *calls, const struct piece *p, const char *name,
                                size_t length) {
    for (int i = p ? p->next : calls->first[*name & 127]; i > 0; i = calls->pieces[i - 1].next)
        if (is_called(&calls->pieces[i - 1], name, length))
            return &calls->pieces[i - 1];
    return NULL;
}

static void add_macros(struct calls *calls, const char *code) {
    for (const char *at = code, *end; *at; at = end > at ? end : at + 1) {
        end = skip_odd(at, code);
        if (*at != '#' || end == at)
            continue;
        struct token define = next_token(at + 1, code), name = token_behind(&define, code);
        if (is_word(&define, "define") && name.at < end)
            add_piece(calls, name.at, name.length, name.at + name.length, end);
    }
}

/* What a macro makes: MACRO(exercise, test, ...), or a function MACRO(function, exercise, ...). The
   exercise has a definition of its own, which was read before. */
static void add_made(struct calls *calls, const char *code, const struct function *f) {
    struct token macro = next_token(f->start, code), open = token_behind(&macro, code);
    struct token first = token_behind(&open, code);
    if (!next_piece(calls, NULL, first.at, first.length))
        add_piece(calls, first.at, first.length, f->start, f->end);
    add_piece(calls, f->name, (size_t)(f->after_name - f->name), f->start, f->end);
}

/* The variables between two functions: names before "=", "[", "," or ";", outside all braces, in a
   declaration that is no function and no type. A constant needs what its declaration names. */
static void add_variables(struct calls *calls, const char *code, const char *from, const char *to) {
    int depth = 0;
    bool changes = true, constant = false;
    for (struct token t = next_token(from, code), next; t.length > 0 && t.at < to; t = next) {
        next = token_behind(&t, code);
        depth += is_word(&t, "{") - is_word(&t, "}");
        constant = (constant || is_word(&t, "const")) && !(depth == 0 && is_word(&t, ";"));
        changes = (changes && !is_word(&t, "typedef const (")) || (depth == 0 && is_word(&t, ";"));
        if ((changes || constant) && depth == 0 && t.kind == NAME && is_word(&next, "= [ , ;"))
            add_piece(calls, t.at, t.length, changes ? to : t.at,
                      changes ? to : t.at + strcspn(t.at, ";"));
    }
}

static void add_functions_and_variables(struct calls *calls, const char *code) {
    struct function f;
    const char *at = code;
    for (; next_function(code, at, &f); at = f.end) {
        add_variables(calls, code, at, f.start);
        if (starts_with(f.start, "LAWS"))
            continue; /* no test depends on laws */
        if (f.whole)
            add_piece(calls, f.name, (size_t)(f.after_name - f.name), f.start, f.end);
        else if (isupper((unsigned char)*f.start))
            add_made(calls, code, &f);
    }
    add_variables(calls, code, at, strchr(at, '\0'));
}

void calls_read(struct calls *calls, const char *path) {
    const char *code = file_text(path);
    add_macros(calls, code);
    add_functions_and_variables(calls, code);
}

static bool reach_named(struct calls *calls, const char *name, size_t length);

static void reach(struct calls *calls, struct piece *piece) {
    if (piece->reached)
        return;
    piece->reached = true;
    for (struct token t = next_token(piece->from, piece->from); t.at < piece->to;
         t = token_behind(&t, piece->from))
        if (t.kind == NAME)
            reach_named(calls, t.at, t.length);
}

static bool reach_named(struct calls *calls, const char *name, size_t length) {
    bool found = false;
    for (struct piece *p = NULL; (p = next_piece(calls, p, name, length)); found = true)
        reach(calls, p);
    return found;
}

void calls_follow(struct calls *calls, const char *name) {
    bool found = reach_named(calls, name, strlen(name));
    for (int anywhere = 0; anywhere < 2 && !found; anywhere++)
        for (int i = 0; i < calls->count; i++) {
            struct piece *p = &calls->pieces[i];
            if (!anywhere && !finds_word(p->from, p->to, name, strlen(name)))
                continue;
            reach(calls, p);
            found = true;
        }
}

void calls_forget(struct calls *calls) {
    for (int i = 0; i < calls->count; i++)
        calls->pieces[i].reached = false;
}

bool calls_reached(const struct calls *calls, const char *name) {
    for (struct piece *p = NULL; (p = next_piece(calls, p, name, strlen(name)));)
        if (p->reached)
            return true;
    return false;
}

bool calls_share(struct calls *calls, const char *name, const char *other) {
    bool both = false;
    calls_forget(calls);
    reach_named(calls, other, strlen(other));
    for (int i = 0; i < calls->count; i++) {
        struct piece *p = &calls->pieces[i];
        p->shared = p->reached && p->from == p->to;
        p->reached = is_called(p, other, strlen(other)); /* do not continue through it */
    }
    reach_named(calls, name, strlen(name));
    for (int i = 0; i < calls->count; i++)
        both = both || (calls->pieces[i].shared && calls->pieces[i].reached);
    calls_forget(calls);
    return both;
}
