#include "tokens.h"

#include "../tutor/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TYPES                                                                                      \
    " void char short int long float double signed unsigned const volatile static register "       \
    "inline struct union enum size_t bool _Bool "
/* Words that are never the name of a variable or a function. */
static const char words_of_c[] = TYPES " if else for while do switch case default break continue "
                                       "return goto sizeof extern auto typedef restrict ";

static size_t length_of(const struct code *code, int token) {
    return (size_t)(code->tokens[token].to - code->tokens[token].from);
}

static const char *start_of(const struct code *code, int token) {
    return code->text.chars + code->tokens[token].from;
}

bool is(const struct code *code, int token, const char *word) {
    return token >= 0 && token < code->count && length_of(code, token) == strlen(word) &&
           strncmp(start_of(code, token), word, strlen(word)) == 0;
}

bool is_any(const struct code *code, int token, const char *words) {
    if (token < 0 || token >= code->count)
        return false;
    const char *start = start_of(code, token);
    size_t length = length_of(code, token);
    for (const char *at = words; (at = strchr(at + 1, *start));)
        if (at[-1] == ' ' && strncmp(at, start, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

bool same_token(const struct code *code, int a, int b) {
    return length_of(code, a) == length_of(code, b) &&
           strncmp(start_of(code, a), start_of(code, b), length_of(code, a)) == 0;
}

bool same_text(const struct code *code, int a, int behind_a, int b, int behind_b) {
    if (behind_a - a != behind_b - b)
        return false;
    while (a < behind_a && same_token(code, a, b)) {
        a++;
        b++;
    }
    return a == behind_a;
}

void add_tokens(struct text *text, const struct code *code, int from, int to) {
    if (to > from)
        text_add(text, start_of(code, from),
                 (size_t)(code->tokens[to - 1].to - code->tokens[from].from));
}

/* --- letters -------------------------------------------------------------------------------- */

void blank_comments(char *text) {
    for (char *at = text; *at;) {
        const char *end = skip_odd(at, text);
        bool comment = *at == '/' && end > at;
        for (at += end == at; at < end; at++)
            if (comment && *at != '\n')
                *at = ' ';
    }
}

static int sign_length(const char *at) {
    static const char two[] = "<< >> <= >= == != && || += -= *= /= %= ++ -- -> &= |= ";
    for (const char *sign = two; *sign; sign += 3)
        if (strncmp(at, sign, 2) == 0)
            return 2;
    return 1;
}

static bool goes_on_number(const char *at) {
    return isalnum((unsigned char)*at) || *at == '.' ||
           (*at && strchr("+-", *at) && strchr("eE", at[-1]));
}

static struct token read_token(const char *text, int at) {
    struct token t = {SIGN, at, at, -1};
    unsigned char c = (unsigned char)text[at];
    if (isalpha(c) || c == '_') {
        t.kind = NAME;
        t.to += (int)name_length(text + at);
    } else if (isdigit(c) || (c == '.' && isdigit((unsigned char)text[at + 1]))) {
        t.kind = NUMBER;
        while (goes_on_number(text + t.to))
            t.to++;
    } else if (c == '"' || c == '\'') {
        t.kind = STRING;
        t.to = (int)(skip_odd(text + at, text) - text);
    } else {
        t.to = at + sign_length(text + at);
    }
    return t;
}

/* Behind what is no code at a letter. */
static int behind_blank(const char *text, int at) {
    if (text[at] == '#' || text[at] == '/')
        return (int)(skip_odd(text + at, text) - text);
    return at + (isspace((unsigned char)text[at]) != 0);
}

void code_read_tokens(struct code *code, const char *text, size_t length) {
    int open = -1; /* the innermost one; until it is closed, its match is the one around it */
    *code = (struct code){0};
    text_add(&code->text, text, length);
    blank_comments(code->text.chars);
    for (int at = 0; code->text.chars[at];) {
        int next = behind_blank(code->text.chars, at);
        if (next > at) {
            at = next;
            continue;
        }
        code->tokens = with_room(code->tokens, code->count, sizeof *code->tokens);
        struct token *t = &code->tokens[code->count];
        *t = read_token(code->text.chars, at);
        char c = t->kind == SIGN ? code->text.chars[at] : ' ';
        if (strchr("([{", c)) {
            t->match = open;
            open = code->count;
        } else if (strchr(")]}", c) && open >= 0) {
            t->match = open;
            open = code->tokens[open].match;
            code->tokens[t->match].match = code->count;
        }
        at = t->to;
        code->count++;
    }
    for (int around; open >= 0; open = around) {
        around = code->tokens[open].match;
        code->tokens[open].match = -1;
    }
    code->close = code->count - 1;
}

/* --- statements and expressions ------------------------------------------------------------- */

static int match(const struct code *code, int token) {
    return code->tokens[token].match;
}

bool opens(const struct code *code, int token) {
    return token >= 0 && token < code->count && match(code, token) > token;
}

bool closes(const struct code *code, int token) {
    return token >= 0 && token < code->count && match(code, token) >= 0 &&
           match(code, token) < token;
}

int behind_one(const struct code *code, int token) {
    return opens(code, token) ? match(code, token) + 1 : token + 1;
}

static bool is_name(const struct code *code, int token) {
    return token >= 0 && token < code->count && code->tokens[token].kind == NAME &&
           !is_any(code, token, words_of_c);
}

bool ends_head(const struct code *code, int token) {
    return is(code, token, ")") && closes(code, token) &&
           is_any(code, match(code, token) - 1, " if for while switch ");
}

static bool is_cast(const struct code *code, int token) {
    return is(code, token, "(") && opens(code, token) && is_any(code, token + 1, TYPES) &&
           !is(code, token - 1, "sizeof");
}

bool is_call(const struct code *code, int token) {
    return is_name(code, token) && is(code, token + 1, "(") && opens(code, token + 1);
}

/* `{1, 2}` */
static bool in_initializer(const struct code *code, int token) {
    int open = token - 1;
    while (is(code, open, "{"))
        open--;
    return open < token - 1 &&
           (is_any(code, open, " = , ") ||
            (is(code, open, ")") && closes(code, open) && !ends_head(code, open) &&
             open + 1 != code->open && is_cast(code, match(code, open))));
}

bool starts_statement(const struct code *code, int token) {
    return !is_any(code, token, " } ; else , ) ] [ . ") && !in_initializer(code, token) &&
           (is_any(code, token - 1, " ; { } else do ") || ends_head(code, token - 1));
}

int behind_statement(const struct code *code, int token) {
    int i = token;
    if (is(code, i, "{"))
        return opens(code, i) ? match(code, i) + 1 : code->close;
    if (is_any(code, i, " for while if switch ") && opens(code, i + 1)) {
        int end = behind_statement(code, match(code, i + 1) + 1);
        return is(code, i, "if") && is(code, end, "else") ? behind_statement(code, end + 1) : end;
    }
    if (is(code, i, "do") && i + 1 < code->close)
        i = behind_statement(code, i + 1);
    while (i < code->close && !is_any(code, i, " ; } "))
        i = behind_one(code, i);
    return is(code, i, ";") ? i + 1 : i; /* half written: without its ';' */
}

bool is_declaration(const struct code *code, int token) {
    return is_any(code, token, TYPES) || (is_name(code, token) && is_name(code, token + 1));
}

bool follows_operand(const struct code *code, int token) {
    if (is(code, token - 1, ")"))
        return closes(code, token - 1) && !is_cast(code, match(code, token - 1)) &&
               !ends_head(code, token - 1);
    return is_name(code, token - 1) || is_any(code, token - 1, " ] ++ -- ") ||
           (token > 0 && code->tokens[token - 1].kind == NUMBER);
}

int behind_operand(const struct code *code, int token) {
    int i = token;
    while (is_any(code, i, " - + ! * & ++ -- ") || is_cast(code, i) || is(code, i, "sizeof"))
        i = is_cast(code, i) ? match(code, i) + 1 : i + 1;
    if (i >= code->close || (code->tokens[i].kind == SIGN && !is_any(code, i, " ( { ")) ||
        is_any(code, i, words_of_c))
        return -1;
    i = behind_one(code, i);
    while (is_any(code, i, " ( [ . -> ++ -- "))
        i = is_any(code, i, " . -> ") ? i + 2 : behind_one(code, i);
    return i <= code->close ? i : -1;
}

int behind_joined(const struct code *code, int token, const char *operators) {
    int end = behind_operand(code, token);
    while (end >= 0 && is_any(code, end, operators) && behind_operand(code, end + 1) >= 0)
        end = behind_operand(code, end + 1);
    return end;
}

int behind_expression(const struct code *c, int i) {
    int from = i, questions = 0;
    for (; i < c->close && !is_any(c, i, " ; , ) ] } "); i = behind_one(c, i)) {
        questions += is(c, i, "?");
        if (is(c, i, ":") && questions-- == 0)
            break;
    }
    return i > from ? i : -1;
}

int bracket_around(const struct code *c, int i) {
    for (i--; i > c->open && !is_any(c, i, " ; { } "); i--) {
        if (closes(c, i))
            i = c->tokens[i].match;
        else if (opens(c, i))
            return i;
    }
    return -1;
}

int array_of(const struct code *code, int token) {
    while (is(code, token, "]") && closes(code, token))
        token = match(code, token) - 1;
    return token;
}

/* --- names ---------------------------------------------------------------------------------- */

/* The last token of the block, or of the loop in whose head it stands. */
static int scope_end(const struct code *code, int token) {
    for (int i = token; i > code->open; i--) {
        if (closes(code, i))
            i = match(code, i);
        else if (is(code, i, "(") && is(code, i - 1, "for") && opens(code, i))
            return behind_statement(code, i - 1) - 1;
        else if (is(code, i, "{") && opens(code, i))
            return match(code, i);
    }
    return code->close;
}

static void add_name(struct code *code, struct name name) {
    code->names = with_room(code->names, code->name_count, sizeof name);
    code->names[code->name_count++] = name;
}

const struct name *name_at(const struct code *code, int token) {
    const struct name *found = NULL;
    bool member = is_any(code, token - 1, " . -> ");
    if (code->tokens[token].kind != NAME)
        return NULL;
    for (int i = 0; i < code->name_count; i++) {
        const struct name *n = &code->names[i];
        if (n->token <= token && token <= n->until && n->member == member &&
            same_token(code, n->token, token))
            found = n;
    }
    return found;
}

bool have_same_columns(const struct code *code, const struct name *a, const struct name *b) {
    return a->columns < 0 || b->columns < 0 ||
           same_text(code, a->columns, match(code, a->columns), b->columns,
                     match(code, b->columns));
}

bool are_known_at(const struct code *code, int from, int to, int place) {
    for (int i = from; i < to; i++) {
        const struct name *n = name_at(code, i);
        if (n && !n->member && (place < n->token || place > n->until))
            return false;
    }
    return true;
}

/* The declarator that ends before `end`: `x`, `*x`, `(*x)[n]` or `x[n][m]`. Behind it. */
static int read_declarator(struct code *code, int at, int end, struct name name) {
    name.token = name.columns = -1;
    for (; at < end && !is_any(code, at, " , = ; "); at++) {
        if (is(code, at, "*"))
            name.rank++;
        else if (is(code, at, "[") && opens(code, at)) {
            name.rank++;
            name.columns = at;
            at = match(code, at);
        } else if (is_name(code, at))
            name.token = at;
    }
    name.until = name.parameter || name.token < 0 ? code->close : scope_end(code, name.token);
    if (name.token >= 0)
        add_name(code, name);
    return at;
}

static struct name read_type(const struct code *code, int *at) {
    struct name name = {.type = OTHER_TYPE};
    for (; is_declaration(code, *at) || is_any(code, *at - 1, " struct union enum "); ++*at)
        if (is(code, *at, "double"))
            name.type = A_DOUBLE;
        else if (is_any(code, *at, " int size_t "))
            name.type = AN_INT;
        else if (is(code, *at, "void"))
            name.type = A_VOID;
        else if (is(code, *at, "const"))
            name.constant = true;
    return name;
}

static void read_parameters(struct code *code, int open) {
    for (int at = open + 1; at < match(code, open); at++) {
        struct name name = read_type(code, &at);
        name.parameter = true;
        at = read_declarator(code, at, match(code, open), name);
    }
}

static void read_declaration(struct code *code, int at) {
    int end = behind_statement(code, at);
    struct name name = read_type(code, &at);
    for (; at < end; at++) {
        at = read_declarator(code, at, end, name);
        while (at < end && !is_any(code, at, " , ; "))
            at = behind_one(code, at);
    }
}

static void read_names(struct code *code) {
    read_parameters(code, code->name + 1);
    for (int i = code->open + 1; i < code->close; i++) {
        bool in_for = is(code, i - 1, "(") && is(code, i - 2, "for");
        if ((is_any(code, i - 1, " ; { } ") || in_for) && is_declaration(code, i))
            read_declaration(code, i);
        if (is_any(code, i - 1, " . -> ") && is_name(code, i) && !name_at(code, i))
            add_name(code, (struct name){i, code->close, .columns = -1, .member = true});
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

static bool brackets_fit(const struct code *code) {
    static const char pairs[] = "()[]{}";
    for (int i = 0; i < code->count; i++) {
        const char *own = strchr(pairs, *start_of(code, i));
        if (!own || code->tokens[i].kind != SIGN)
            continue;
        char other = (own - pairs) % 2 == 0 ? own[1] : own[-1];
        if (match(code, i) < 0 || *start_of(code, match(code, i)) != other)
            return false;
    }
    return true;
}

bool code_read(struct code *code, const char *text, size_t length) {
    code_read_tokens(code, text, length);
    while (code->name < code->count && !is_call(code, code->name))
        code->name++;
    if (!is(code, code->close, "}") || code->name >= code->count || !brackets_fit(code))
        return false;
    code->open = match(code, code->close);
    if (code->open < code->name)
        return false;
    read_names(code);
    for (int i = code->open; i < code->close; i++)
        if (is(code, i, "for") && is(code, i + 1, "(") && opens(code, i + 1))
            read_loop(code, i);
    return true;
}

void code_free(struct code *code) {
    text_free(&code->text);
    free(code->tokens);
    free(code->names);
    free(code->loops);
    *code = (struct code){0};
}
