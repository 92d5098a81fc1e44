/* Finds functions by their tokens: outside of all braces, a name between a type and a '('. A text
   that is half written has the functions that can be found in it. */
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

bool uses_word(const char *code, const char *words) {
    struct token t = next_token(code, code);
    while (t.length > 0 && !is_word(&t, words))
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

/* --- which function needs which ---------------------------------------------------------------

   Files are cut into pieces (functions, macros and variables, by name), and the names in them are
   followed from piece to piece. What a name means does not count: a local variable with the name of
   a function counts as a use of that function, too. */

struct piece {
    const char *name;
    size_t length;
    const char *from, *to; /* its tokens; none for a variable */
    bool reached, shared;
};

static void add_piece(struct calls *calls, const char *name, size_t length, const char *from,
                      const char *to) {
    calls->pieces = with_room(calls->pieces, calls->count, sizeof *calls->pieces);
    calls->pieces[calls->count++] =
        (struct piece){.name = name, .length = length, .from = from, .to = to};
}

static bool is_called(const struct piece *piece, const char *name, size_t length) {
    return piece->length == length && strncmp(piece->name, name, length) == 0;
}

/* The next piece with that name after `p`, or the first piece if `p` is NULL. Returns NULL at the
   end. */
static struct piece *next_piece(const struct calls *calls, struct piece *p, const char *name,
                                size_t length) {
    for (p = p ? p + 1 : calls->pieces; p < calls->pieces + calls->count; p++)
        if (is_called(p, name, length))
            return p;
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
