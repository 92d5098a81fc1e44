#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that are never the name of a variable or a function. */
static const char words_of_c[] = " if else for while do switch case default break continue return "
                                 "goto sizeof void char short int "
                                 "long float double signed unsigned const volatile static register "
                                 "struct union enum size_t bool "
                                 "_Bool inline extern auto typedef restrict ";
static const char types_of_c[] = " void char short int long float double signed unsigned const "
                                 "volatile static register struct size_t bool _Bool ";
/* Where an expression ends to the right, and begins after to the left. */
#define EITHER_END " ? : ; , { } < > <= >= == != && || = += -= *= /= "
static const char right_ends[] = EITHER_END ") ] ";
static const char left_ends[] = EITHER_END "return ( [ ";

bool is_any(const struct code *code, int token, const char *words) {
    char word[64];
    if (token < 0 || token >= code->count)
        return false;
    const struct token *t = &code->tokens[token];
    snprintf(word, sizeof word, " %.*s ", t->to - t->from, code->text + t->from);
    return t->to - t->from < 60 && strstr(words, word);
}

bool is(const struct code *code, int token, const char *word) {
    if (token < 0 || token >= code->count)
        return false;
    const struct token *t = &code->tokens[token];
    return (size_t)(t->to - t->from) == strlen(word) &&
           strncmp(code->text + t->from, word, strlen(word)) == 0;
}

bool same_token(const struct code *code, int a, int b) {
    const struct token *t = &code->tokens[a], *u = &code->tokens[b];
    return t->to - t->from == u->to - u->from &&
           strncmp(code->text + t->from, code->text + u->from, (size_t)(t->to - t->from)) == 0;
}

/* --- letters -------------------------------------------------------------------------------- */

static int quoted_end(const char *text, int at) {
    int end = at + 1;
    while (text[end] && text[end] != text[at] && text[end] != '\n')
        end += text[end] == '\\' && text[end + 1] ? 2 : 1;
    return text[end] ? end + 1 : end;
}

static int blank(char *text, int at, int end) {
    for (; at < end; at++)
        if (text[at] != '\n')
            text[at] = ' ';
    return end;
}

void blank_comments(char *text) {
    for (int i = 0; text[i];) {
        const char *end = NULL;
        if (text[i] == '"' || text[i] == '\'') {
            i = quoted_end(text, i);
            continue;
        }
        if (text[i] == '/' && text[i + 1] == '/')
            end = text + i + strcspn(text + i, "\n");
        else if (text[i] == '/' && text[i + 1] == '*')
            end = strstr(text + i + 2, "*/") ? strstr(text + i + 2, "*/") + 2 : text + strlen(text);
        i = end ? blank(text, i, (int)(end - text)) : i + 1;
    }
}

/* Behind the preprocessor line at `at`, and those that a backslash joins to it; `at`: none is. */
static int directive_end(const char *text, int at) {
    int start = at;
    while (start > 0 && (text[start - 1] == ' ' || text[start - 1] == '\t'))
        start--;
    if (text[at] != '#' || (start > 0 && text[start - 1] != '\n'))
        return at;
    while (text[at] && (text[at] != '\n' || text[at - 1] == '\\'))
        at++;
    return at;
}

static int sign_length(const char *at) {
    static const char *const two[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
                                      "-=", "*=", "/=", "%=", "++", "--", "->", "&=", "|="};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++)
        if (strncmp(at, two[i], 2) == 0)
            return 2;
    return 1;
}

static struct token read_token(const char *text, int at) {
    struct token t = {SIGN, at, at, -1};
    unsigned char c = (unsigned char)text[at];
    if (isalpha(c) || c == '_') {
        t.kind = NAME;
        while (isalnum((unsigned char)text[t.to]) || text[t.to] == '_')
            t.to++;
    } else if (isdigit(c) || (c == '.' && isdigit((unsigned char)text[at + 1]))) {
        t.kind = NUMBER;
        while (isalnum((unsigned char)text[t.to]) || text[t.to] == '.' ||
               (text[t.to] && strchr("+-", text[t.to]) && strchr("eE", text[t.to - 1])))
            t.to++;
    } else if (c == '"' || c == '\'') {
        t.kind = STRING;
        t.to = quoted_end(text, at);
    } else {
        t.to = at + sign_length(text + at);
    }
    return t;
}

static void read_tokens(struct code *code) {
    int room = 0, open[256], depth = 0;
    for (int at = 0; code->text[at];) {
        int next = directive_end(code->text, at);
        if (next > at || isspace((unsigned char)code->text[at])) {
            at = next > at ? next : at + 1;
            continue;
        }
        if (code->count == room) {
            room = 2 * room + 256;
            code->tokens = realloc(code->tokens, sizeof *code->tokens * (size_t)room);
            if (!code->tokens)
                abort();
        }
        struct token *t = &code->tokens[code->count];
        *t = read_token(code->text, at);
        char c = t->kind == SIGN ? code->text[at] : ' ';
        if (strchr("([{", c) && depth < 256)
            open[depth++] = code->count;
        else if (strchr(")]}", c) && depth > 0) {
            t->match = open[--depth];
            code->tokens[t->match].match = code->count;
        }
        at = t->to;
        code->count++;
    }
}

/* --- statements and expressions ------------------------------------------------------------- */

static int match(const struct code *code, int token) {
    return code->tokens[token].match;
}

static bool opens(const struct code *code, int token) {
    return match(code, token) > token;
}

static bool closes(const struct code *code, int token) {
    return match(code, token) >= 0 && match(code, token) < token;
}

/* The ')' of an if, a for or a while. */
static bool ends_head(const struct code *code, int token) {
    return is(code, token, ")") && closes(code, token) &&
           is_any(code, match(code, token) - 1, " if for while switch ");
}

static bool is_cast(const struct code *code, int token) {
    return is(code, token, "(") && opens(code, token) && is_any(code, token + 1, types_of_c) &&
           !is(code, token - 1, "sizeof");
}

bool starts_statement(const struct code *code, int token) {
    int open = token - 1;
    while (is(code, open, "{"))
        open--;
    if (is_any(code, token, " } { ; else , ) ] [ . ") ||
        (open < token - 1 && is_any(code, open, " = , ")) ||
        (is(code, open, ")") && open + 1 != code->open && !ends_head(code, open) &&
         is_cast(code, match(code, open))))
        return false; /* of an initializer, if anything */
    return is_any(code, token - 1, " ; { } else do ") || ends_head(code, token - 1);
}

int statement_end(const struct code *code, int token) {
    int i = token;
    if (is(code, i, "{"))
        return match(code, i) > 0 ? match(code, i) : code->close;
    if (is_any(code, i, " for while if switch ") && opens(code, i + 1)) {
        int end = statement_end(code, match(code, i + 1) + 1);
        if (is(code, i, "if") && is(code, end + 1, "else"))
            end = statement_end(code, end + 2);
        return end;
    }
    if (is(code, i, "do") && i + 1 < code->close)
        i = statement_end(code, i + 1) + 1;
    while (i < code->close && !is_any(code, i, " ; } "))
        i = opens(code, i) ? match(code, i) + 1 : i + 1;
    return is(code, i, "}") && i > token ? i - 1 : i; /* half written: without its ';' */
}

bool is_declaration(const struct code *code, int token) {
    return code->tokens[token].kind == NAME &&
           (is_any(code, token, types_of_c) ||
            (!is_any(code, token, words_of_c) && code->tokens[token + 1].kind == NAME &&
             !is_any(code, token + 1, words_of_c)));
}

bool is_call(const struct code *code, int token) {
    return code->tokens[token].kind == NAME && !is_any(code, token, words_of_c) &&
           is(code, token + 1, "(") && opens(code, token + 1);
}

bool is_binary(const struct code *code, int token) {
    if (is(code, token - 1, ")"))
        return closes(code, token - 1) && !is_cast(code, match(code, token - 1)) &&
               !ends_head(code, token - 1);
    if (code->tokens[token - 1].kind == NAME)
        return !is_any(code, token - 1, words_of_c);
    return code->tokens[token - 1].kind == NUMBER || is(code, token - 1, "]");
}

int right_end(const struct code *code, int token, const char *stop) {
    int i = token + 1;
    if (is_any(code, i, " - + ! * & "))
        i++;
    for (; i < code->close; i++) {
        if (opens(code, i))
            i = match(code, i);
        if (is_any(code, i + 1, right_ends) ||
            (is_any(code, i + 1, stop) && is_binary(code, i + 1)))
            return i;
    }
    return -1;
}

int array_of(const struct code *code, int token) {
    while (is(code, token, "]") && closes(code, token))
        token = match(code, token) - 1;
    return token;
}

int left_start(const struct code *code, int token, const char *stop) {
    for (int i = token - 1; i > code->open; i--) {
        i = array_of(code, i);
        if (closes(code, i)) {
            i = match(code, i);
            if (is(code, i, "(") && is_call(code, i - 1))
                i--;
        }
        if (is_any(code, i - 1, left_ends) || ends_head(code, i - 1) ||
            (is_any(code, i - 1, stop) && is_binary(code, i - 1)))
            return i;
    }
    return -1;
}

/* --- names and loops ------------------------------------------------------------------------ */

/* The last token of the block, or of the loop in whose head it stands. */
static int scope_end(const struct code *code, int token) {
    for (int i = token; i > code->open; i--) {
        if (closes(code, i))
            i = match(code, i);
        else if (is(code, i, "(") && is(code, i - 1, "for") && opens(code, i))
            return statement_end(code, i - 1);
        else if (is(code, i, "{") && opens(code, i))
            return match(code, i);
    }
    return code->close;
}

static void add_name(struct code *code, struct name name) {
    if (code->name_count < MOST_NAMES && code->tokens[name.token].kind == NAME &&
        !is_any(code, name.token, words_of_c))
        code->names[code->name_count++] = name;
}

const struct name *name_at(const struct code *code, int token) {
    const struct name *found = NULL;
    if (code->tokens[token].kind != NAME || is_any(code, token - 1, " . -> "))
        return NULL;
    for (int i = 0; i < code->name_count; i++)
        if (code->names[i].token <= token && token <= code->names[i].until &&
            same_token(code, code->names[i].token, token))
            found = &code->names[i];
    return found;
}

bool have_same_columns(const struct code *code, const struct name *a, const struct name *b) {
    if (a->columns < 0 || b->columns < 0)
        return true;
    int length = match(code, a->columns) - a->columns;
    if (length != match(code, b->columns) - b->columns)
        return false;
    for (int i = 0; i < length; i++)
        if (!same_token(code, a->columns + i, b->columns + i))
            return false;
    return true;
}

bool names_known_at(const struct code *code, int from, int to, int place) {
    for (int i = from; i <= to; i++) {
        const struct name *n = name_at(code, i);
        if (n && (place < n->token || place > n->until))
            return false;
    }
    return true;
}

/* The declarator that ends before `end`: `x`, `*x`, `(*x)[n]` or `x[n][m]`. Its end. */
static int read_declarator(struct code *code, int at, int end, struct name name) {
    name.token = name.columns = -1;
    for (; at < end && !is_any(code, at, " , = ; "); at++) {
        if (is(code, at, "*"))
            name.rank++;
        else if (is(code, at, "[") && opens(code, at)) {
            name.rank++;
            name.columns = at;
            at = match(code, at);
        } else if (code->tokens[at].kind == NAME && !is_any(code, at, words_of_c))
            name.token = at;
    }
    name.until = name.parameter || name.token < 0 ? code->close : scope_end(code, name.token);
    if (name.token >= 0)
        add_name(code, name);
    return at;
}

static struct name read_type(const struct code *code, int *at) {
    struct name name = {.type = OTHER_TYPE};
    for (; is_any(code, *at, types_of_c); ++*at)
        if (is(code, *at, "double"))
            name.type = A_DOUBLE;
        else if (is(code, *at, "int") || is(code, *at, "size_t"))
            name.type = AN_INT;
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

static void read_locals(struct code *code) {
    for (int i = code->open + 1; i < code->close; i++) {
        bool first =
            is_any(code, i - 1, " ; { } ") || (is(code, i - 1, "(") && is(code, i - 2, "for"));
        if (!first || !is_any(code, i, types_of_c))
            continue;
        int at = i, end = statement_end(code, i);
        struct name name = read_type(code, &at);
        while (at < end) {
            at = read_declarator(code, at, end, name);
            while (at < end && !is_any(code, at, " , ; "))
                at = opens(code, at) ? match(code, at) + 1 : at + 1;
            at++;
        }
    }
}

static void read_loop(struct code *code, int keyword) {
    struct loop l = {.open = keyword + 1, .close = match(code, keyword + 1), .variable = -1};
    int halves[3], count = 0;
    for (int i = l.open + 1; i < l.close; i = opens(code, i) ? match(code, i) + 1 : i + 1)
        if (is(code, i, ";") && count < 3)
            halves[count++] = i;
    if (count != 2 || code->loop_count == MOST_LOOPS)
        return;
    l.first_end = halves[0];
    l.second_end = halves[1];
    for (int i = l.open + 1; i < l.first_end && l.variable < 0; i++)
        if (is(code, i + 1, "=") && code->tokens[i].kind == NAME)
            l.variable = i;
    l.body = l.close + 1;
    l.end = statement_end(code, l.body);
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

static bool brackets_fit(const struct code *code) {
    static const char pairs[] = "()[]{}";
    for (int i = 0; i < code->count; i++) {
        const char *own = strchr(pairs, code->text[code->tokens[i].from]);
        int other = match(code, i);
        if (own && code->tokens[i].kind == SIGN &&
            (other < 0 ||
             code->text[code->tokens[other].from] != own[(own - pairs) % 2 == 0 ? 1 : -1]))
            return false;
    }
    return true;
}

bool code_read(struct code *code, const char *text, int length) {
    *code = (struct code){.text = malloc((size_t)length + 1)};
    if (!code->text)
        abort();
    memcpy(code->text, text, (size_t)length);
    code->text[length] = '\0';
    blank_comments(code->text);
    read_tokens(code);
    code->close = code->count - 1;
    code->name = 0;
    while (code->name < code->count && !is_call(code, code->name))
        code->name++;
    if (!is(code, code->close, "}") || code->name >= code->count || !brackets_fit(code))
        return false;
    code->open = match(code, code->close);
    if (code->open < code->name)
        return false;
    read_parameters(code, code->name + 1);
    read_locals(code);
    for (int i = code->open; i < code->close; i++)
        if (is(code, i, "for") && is(code, i + 1, "(") && opens(code, i + 1))
            read_loop(code, i);
    return code->loop_count < MOST_LOOPS;
}

void code_free(struct code *code) {
    free(code->text);
    free(code->tokens);
    *code = (struct code){0};
}
