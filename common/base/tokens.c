/* The lexer and, on top of it: matching brackets, statements, expressions, the names that a
   function declares, and its loops. There is no syntax tree. All of these functions walk over the
   tokens. */
#include "base/tokens.h"

#include <ctype.h>
#include <string.h>

#define TYPES                                                                                      \
    "void char short int long float double signed unsigned const volatile static register inline " \
    "struct union enum size_t bool _Bool vec ivec uvec _Alignas "
/* Words that are never the name of a variable or a function. */
static const char words_of_c[] = TYPES "if else for while do switch case default break continue "
                                       "return goto sizeof extern auto typedef restrict";

bool is(const struct code *code, int token, const char *words) {
    return token >= 0 && token < code->count && is_word(&code->tokens[token], words);
}

bool any_is(const struct code *code, int from, int to, const char *words) {
    while (from < to && !is(code, from, words))
        from++;
    return from < to;
}

bool is_spelled(const struct code *code, int token, const char *chars, size_t length) {
    const struct token *t = &code->tokens[token];
    return t->length == length && memcmp(t->at, chars, length) == 0;
}

bool same_token(const struct code *a, int i, const struct code *b, int k) {
    return is_spelled(a, i, b->tokens[k].at, b->tokens[k].length);
}

bool same_text(const struct code *code, int a, int behind_a, int b, int behind_b) {
    if (behind_a - a != behind_b - b)
        return false;
    for (; a < behind_a; a++, b++)
        if (!same_token(code, a, code, b))
            return false;
    return true;
}

const char *behind_token(const struct code *code, int token) {
    return code->tokens[token].at + code->tokens[token].length;
}

const char *tokens_of(const struct code *code, int from, int to) {
    return to > from ? copy_of(code->tokens[from].at, behind_token(code, to - 1)) : "";
}

void add_tokens(struct text *text, const struct code *code, int from, int to) {
    if (to > from)
        text_add(text, code->tokens[from].at,
                 (size_t)(behind_token(code, to - 1) - code->tokens[from].at));
}

/* --- the lexer ------------------------------------------------------------------------------ */

size_t name_length(const char *at) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

static bool starts_a_line(const char *at, const char *text) {
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n';
}

const char *skip_odd(const char *at, const char *text) {
    const char *end = at;
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at + 2, "*/");
        return end ? end + 2 : strchr(at, '\0');
    }
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '#' && starts_a_line(at, text)) {
        while (*end && (*end != '\n' || end[-1] == '\\')) /* a backslash joins two lines */
            end++;
        return end;
    }
    if (at[0] != '"' && at[0] != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        if (*end == '\\' && end[1])
            end++;
    return *end ? end + 1 : end;
}

static bool goes_on_number(const char *at) {
    return isalnum((unsigned char)*at) || *at == '.' ||
           (*at && strchr("+-", *at) && strchr("eE", at[-1]));
}

static size_t length_of_sign(const char *at) {
    if (!*at)
        return 0;
    if (at[1] == '=')
        return strchr("<>=!+-*/%&|", *at) ? 2 : 1;
    if (at[1] == *at)
        return strchr("<>&|+-", *at) ? 2 : 1;
    return *at == '-' && at[1] == '>' ? 2 : 1;
}

struct token next_token(const char *at, const char *text) {
    struct token t = {.kind = SIGN, .match = -1};
    for (const char *end;; at = end) {
        at += strspn(at, " \t\r\n\f\v");
        end = *at == '/' || *at == '#' ? skip_odd(at, text) : at;
        if (end == at)
            break;
        if (*at == '/') {
            t.comment = at;
            t.comment_end = end;
        }
    }
    t.at = at;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        t.kind = NUMBER;
        while (goes_on_number(at + t.length))
            t.length++;
    } else if ((t.length = name_length(at)) > 0) {
        t.kind = NAME;
    } else if (*at == '"' || *at == '\'') {
        t.kind = STRING;
        t.length = (size_t)(skip_odd(at, text) - at);
    } else
        t.length = length_of_sign(at);
    return t;
}

struct token token_behind(const struct token *t, const char *text) {
    return next_token(t->at + t->length, text);
}

bool is_word(const struct token *t, const char *words) {
    for (const char *at = words; t->length > 0 && at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (*at == *t->at && strncmp(at, t->at, t->length) == 0 &&
            (at[t->length] == ' ' || !at[t->length]))
            return true;
    }
    return false;
}

/* Adds the tokens up to `end`, with the brackets that match. False if some do not. */
static bool read_tokens(struct code *code, const char *text, const char *end) {
    int open = -1; /* the innermost one; until it is closed, its match is the one around it */
    for (struct token t = next_token(text, text); t.at < end; t = token_behind(&t, text)) {
        code->tokens = with_room(code->tokens, code->count, sizeof *code->tokens);
        if (is_word(&t, "( [ {")) {
            t.match = open;
            open = code->count;
        } else if (is_word(&t, ") ] }")) {
            if (open < 0 || (unsigned)(*t.at - *code->tokens[open].at) > 2)
                return false;
            t.match = open;
            open = code->tokens[open].match;
            code->tokens[t.match].match = code->count;
        }
        code->tokens[code->count++] = t;
    }
    return open < 0;
}

/* --- statements and expressions ------------------------------------------------------------- */

static int match(const struct code *code, int token) {
    return code->tokens[token].match;
}

int behind_one(const struct code *code, int token) {
    return is(code, token, "( [ {") ? match(code, token) + 1 : token + 1;
}

static bool is_name(const struct code *code, int token) {
    return token >= 0 && token < code->count && code->tokens[token].kind == NAME &&
           !is(code, token, words_of_c);
}

bool is_call(const struct code *code, int token) {
    return is_name(code, token) && is(code, token + 1, "(");
}

static bool ends_head(const struct code *code, int token) {
    return is(code, token, ")") && is(code, match(code, token) - 1, "if for while switch");
}

static bool is_cast(const struct code *code, int token) {
    return is(code, token, "(") && is(code, token + 1, TYPES) && !is(code, token - 1, "sizeof") &&
           !is_name(code, token - 1);
}

/* `{1, 2}` */
static bool in_initializer(const struct code *code, int token) {
    int open = token - 1;
    while (is(code, open, "{"))
        open--;
    return open < token - 1 &&
           (is(code, open, "= ,") ||
            (is(code, open, ")") && !ends_head(code, open) && is_cast(code, match(code, open))));
}

bool starts_statement(const struct code *code, int token) {
    return !is(code, token, "} ; else , ) ] [ .") && !in_initializer(code, token) &&
           (is(code, token - 1, "; { } else do") || ends_head(code, token - 1));
}

int behind_statement(const struct code *code, int token) {
    int i = token;
    if (is(code, i, "{"))
        return match(code, i) + 1;
    if (is(code, i, "for while if switch") && is(code, i + 1, "(")) {
        int end = behind_statement(code, match(code, i + 1) + 1);
        return is(code, i, "if") && is(code, end, "else") ? behind_statement(code, end + 1) : end;
    }
    if (is(code, i, "do"))
        i = behind_statement(code, i + 1);
    while (i < code->count && !is(code, i, "; }"))
        i = behind_one(code, i);
    return is(code, i, ";") ? i + 1 : i; /* half written: without its ';' */
}

bool is_declaration(const struct code *code, int token) {
    return is(code, token, TYPES) || (is_name(code, token) && is_name(code, token + 1));
}

bool follows_operand(const struct code *code, int token) {
    if (is(code, token - 1, ")"))
        return !is_cast(code, match(code, token - 1)) && !ends_head(code, token - 1);
    return is_name(code, token - 1) || is(code, token - 1, "] ++ --") ||
           (token > 0 && code->tokens[token - 1].kind == NUMBER);
}

int behind_operand(const struct code *code, int token) {
    int i = token;
    while (is(code, i, "- + ! * & ++ -- sizeof") || is_cast(code, i))
        i = is_cast(code, i) ? match(code, i) + 1 : i + 1;
    if (i >= code->count || (code->tokens[i].kind == SIGN && !is(code, i, "( {")) ||
        is(code, i, words_of_c))
        return -1;
    i = behind_one(code, i);
    while (is(code, i, "( [ . -> ++ --"))
        i = is(code, i, ". ->") ? i + 2 : behind_one(code, i);
    return i < code->count ? i : -1;
}

int behind_joined(const struct code *code, int token, const char *operators) {
    int end = behind_operand(code, token);
    while (end >= 0 && is(code, end, operators) && behind_operand(code, end + 1) >= 0)
        end = behind_operand(code, end + 1);
    return end;
}

int behind_expression(const struct code *code, int token) {
    int i = token;
    for (int questions = 0; i < code->count && !is(code, i, "; , ) ] }"); i = behind_one(code, i)) {
        questions += is(code, i, "?");
        if (is(code, i, ":") && questions-- == 0)
            break;
    }
    return i > token ? i : -1;
}

int bracket_around(const struct code *code, int token) {
    for (int i = token - 1; i > code->open && !is(code, i, "; { }"); i--) {
        if (is(code, i, "( ["))
            return i;
        i = is(code, i, ") ]") ? match(code, i) : i;
    }
    return -1;
}

int array_of(const struct code *code, int token) {
    while (is(code, token, "]"))
        token = match(code, token) - 1;
    return token;
}

int object_of(const struct code *code, int token) {
    return is(code, token - 1, ". ->") ? array_of(code, token - 2) : -1;
}

int path_end(const struct code *code, int token) {
    while (is(code, token + 1, ". ->"))
        token += 2;
    return token;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The last token of the block, or of the loop in whose head it stands. */
static int scope_end(const struct code *code, int token) {
    for (int i = token; i > code->open; i--) {
        if (is(code, i, "{"))
            return match(code, i);
        if (is(code, i, "(") && is(code, i - 1, "for"))
            return behind_statement(code, i - 1) - 1;
        i = is(code, i, ") ] }") ? match(code, i) : i;
    }
    return code->close;
}

const struct name *name_at(const struct code *code, int token) {
    const struct name *found = NULL;
    int object = object_of(code, token);
    if (token < 0 || code->tokens[token].kind != NAME)
        return NULL;
    const struct name *of = object >= 0 ? name_at(code, object) : NULL;
    if (object >= 0 && !of)
        return NULL;
    for (int i = 0; i < code->name_count; i++) {
        const struct name *n = &code->names[i];
        if (same_token(code, n->token, code, token) &&
            (of ? n->of && same_token(code, n->of, code, of->type)
                : !n->of && n->token <= token && token <= n->until))
            found = n;
    }
    return found;
}

bool is_whole(const struct code *code, const struct name *name) {
    return is_word(&code->tokens[name->type], "int size_t");
}

bool is_real(const struct code *code, const struct name *name) {
    return is_word(&code->tokens[name->type], "double float vec");
}

bool have_same_type(const struct code *code, const struct name *a, const struct name *b) {
    return same_token(code, a->type, code, b->type) || (is_whole(code, a) && is_whole(code, b));
}

bool have_same_columns(const struct code *code, const struct name *a, const struct name *b) {
    return a->columns < 0 || b->columns < 0 ||
           same_text(code, a->columns, match(code, a->columns), b->columns,
                     match(code, b->columns));
}

/* Is a variable of that name and kind known there? Each loop may have an `i` of its own. */
static bool is_known_at(const struct code *code, const struct name *like, int place) {
    for (const struct name *n = code->names; n < code->names + code->name_count; n++)
        if (!n->of && n->token <= place && place <= n->until && n->rank == like->rank &&
            same_token(code, n->token, code, like->token) && have_same_type(code, n, like))
            return true;
    return false;
}

bool are_known_at(const struct code *code, int from, int to, int place) {
    for (int i = from; i < to; i++) {
        const struct name *n = name_at(code, i);
        if (n && !n->of && !is_known_at(code, n, place))
            return false;
    }
    return true;
}

/* The declarator that ends before `end`: `x`, `*x`, `(*x)[n]` or `x[n][m]`. Behind it. */
static int read_declarator(struct code *code, int at, int end, struct name name) {
    name.token = name.columns = -1;
    for (; at < end && !is(code, at, ", = ;"); at++) {
        name.rank += is(code, at, "* [");
        if (is_name(code, at)) {
            name.token = at;
        } else if (is(code, at, "[")) {
            name.columns = at;
            at = match(code, at);
        } else if (name.token >= 0 && is(code, at, "(")) { /* a function */
            name.token = -1;
            at = match(code, at);
        }
    }
    if (name.token >= 0) {
        name.until = scope_end(code, name.token);
        code->names = with_room(code->names, code->name_count, sizeof name);
        code->names[code->name_count++] = name;
    }
    return at;
}

static int read_type(const struct code *code, int at, struct name *name) {
    for (; is_declaration(code, at) || is(code, at - 1, "struct union enum"); at++)
        if (is(code, at, "_Alignas"))
            at = behind_one(code, at + 1) - 1;
        else if (is(code, at, "const"))
            name->constant = true;
        else
            name->type = at;
    return at;
}

/* Parameters, members or locals, each like this one as far as that is known. */
static void read_names(struct code *code, int at, int end, struct name like) {
    for (struct name name = like; at < end; at++) {
        if (is_declaration(code, at)) {
            name = like;
            at = read_type(code, at, &name);
        }
        at = read_declarator(code, at, end, name);
        while (at < end && !is(code, at, ", ;"))
            at = behind_one(code, at);
    }
}

static void read_locals(struct code *code) {
    for (int i = code->open + 1; i < code->close; i++) {
        bool in_for = is(code, i - 1, "(") && is(code, i - 2, "for");
        if ((is(code, i - 1, "; { }") || in_for) && is_declaration(code, i))
            read_names(code, i, behind_statement(code, i), (struct name){0});
    }
}

/* --- loops ---------------------------------------------------------------------------------- */

static void read_loop(struct code *code, int keyword) {
    struct loop l = {.open = keyword + 1, .close = match(code, keyword + 1), .variable = -1};
    int count = 0;
    for (int i = l.open + 1; i < l.close; i = behind_one(code, i))
        if (is(code, i, ";"))
            *(count++ == 0 ? &l.first_end : &l.second_end) = i;
    if (count != 2)
        return;
    for (int i = l.open + 1; i < l.first_end && l.variable < 0; i++)
        if (is(code, i + 1, "=") && code->tokens[i].kind == NAME)
            l.variable = i;
    l.body = l.close + 1;
    l.end = behind_statement(code, l.body) - 1;
    code->loops = with_room(code->loops, code->loop_count, sizeof l);
    code->loops[code->loop_count++] = l;
}

const struct loop *loop_around(const struct code *code, int token) {
    const struct loop *found = NULL;
    for (int i = 0; i < code->loop_count; i++)
        if (code->loops[i].body <= token && token <= code->loops[i].end)
            found = &code->loops[i];
    return found;
}

const struct loop *head_around(const struct code *code, int token) {
    for (int i = 0; i < code->loop_count; i++)
        if (code->loops[i].open <= token && token <= code->loops[i].close)
            return &code->loops[i];
    return NULL;
}

/* --- the whole ------------------------------------------------------------------------------ */

bool code_read_tokens(struct code *code, const char *text, const char *end) {
    *code = (struct code){0};
    if (!read_tokens(code, text, end))
        return false;
    for (int i = 0; i < code->count; i++)
        if (is(code, i, "for") && is(code, i + 1, "("))
            read_loop(code, i);
    return true;
}

bool code_find_tokens(struct code *code, const char *text, const char *function) {
    const char *from, *to;
    *code = (struct code){0};
    return find_definition(text, function, &from, &to) && code_read_tokens(code, from, to);
}

/* The same names in the same places: the first place of each is the same on both sides. */
static int first_place(const struct code *code, int token) {
    for (int i = 0; i < token; i++)
        if (code->tokens[i].kind == NAME && same_token(code, i, code, token))
            return i;
    return token;
}

bool code_is_alike(const struct code *a, const struct code *b) {
    bool alike = a->count == b->count;
    for (int i = 0; alike && i < a->count; i++)
        alike = a->tokens[i].kind == b->tokens[i].kind &&
                (a->tokens[i].kind == NAME ? first_place(a, i) == first_place(b, i)
                                           : same_token(a, i, b, i));
    return alike;
}

bool code_read_parameters(struct code *code, const char *text, const char *end, const char *types) {
    if (!code_read_tokens(code, text, end))
        return false;
    int count = code->count;
    if (read_tokens(code, types, types + strlen(types)))
        for (int i = count; i < code->count; i++)
            if (is(code, i, "struct") && is(code, i + 2, "{"))
                read_names(code, i + 3, match(code, i + 2), (struct name){.of = i + 1});
    code->count = count;
    code->open = code->close = count - 1;
    while (code->name < count && !is_call(code, code->name))
        code->name++;
    if (code->name == count)
        return false;
    read_names(code, code->name + 2, match(code, code->name + 1), (struct name){.parameter = true});
    return true;
}

bool code_read(struct code *code, const char *text, const char *end, const char *types) {
    if (!code_read_parameters(code, text, end, types) || !is(code, code->close, "}") ||
        match(code, code->close) < code->name)
        return false;
    code->open = match(code, code->close);
    read_locals(code);
    return true;
}
