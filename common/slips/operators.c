#include "operators.h"

#include "../tutor/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMS        " + - "
#define PRODUCTS    " * / % "
#define ASSIGNMENTS " = += -= *= /= "
#define COMPARISONS " < <= > >= == != "

struct search {
    const struct code *code;
    struct change change;
    void (*found)(void *context, const struct change *change);
    void *context;
    char *pieces[64]; /* of the change at hand */
    int piece_count;
};

/* --- a change ------------------------------------------------------------------------------- */

static char *keep(struct search *s, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *piece = malloc((size_t)length + 1);
    if (!piece || s->piece_count == 64)
        abort();
    vsnprintf(piece, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return s->pieces[s->piece_count++] = piece;
}

/* The text from one token to another. */
static const char *piece(struct search *s, int from, int to) {
    const struct token *t = s->code->tokens;
    return keep(s, "%.*s", t[to].to - t[from].from, s->code->text + t[from].from);
}

static void replace_letters(struct search *s, int from, int to, const char *text) {
    s->change.edits[s->change.count++] = (struct edit){from, to, text};
}

static void replace(struct search *s, int from, int to, const char *text) {
    replace_letters(s, s->code->tokens[from].from, s->code->tokens[to].to, text);
}

static void before(struct search *s, int token, const char *text) {
    int at = s->code->tokens[token].from;
    replace_letters(s, at, at, text);
}

static void after(struct search *s, int token, const char *text) {
    int at = s->code->tokens[token].to;
    replace_letters(s, at, at, text);
}

/* What was replaced so far is one change. */
__attribute__((format(printf, 5, 6))) static void
found(struct search *s, int token, const char *name, const char *kind, const char *says, ...) {
    va_list arguments;
    va_start(arguments, says);
    vsnprintf(s->change.says, sizeof s->change.says, says, arguments);
    va_end(arguments);
    s->change.name = name;
    s->change.kind = kind;
    s->change.token = token;
    s->found(s->context, &s->change);
    s->change.count = 0;
    while (s->piece_count > 0)
        free(s->pieces[--s->piece_count]);
}

/* --- words ---------------------------------------------------------------------------------- */

static const char *text_at(struct search *s, int token) {
    static char words[4][NAME_SIZE]; /* several in one sentence */
    static int next;
    char *word = words[next++ % 4];
    const struct token *t = &s->code->tokens[token];
    snprintf(word, sizeof words[0], "%.*s", t->to - t->from, s->code->text + t->from);
    return word;
}

static bool is_parameter(const struct search *s, int token) {
    const struct name *n = name_at(s->code, token);
    return n && n->parameter;
}

static bool has_type(const struct search *s, int token, enum type type) {
    const struct name *n = name_at(s->code, token);
    return n && n->type == type;
}

/* The size that a loop runs to: its token, or -1. */
static int bound_of(const struct search *s, const struct loop *l) {
    for (int i = l->first_end + 1; i < l->second_end; i++)
        if (is_any(s->code, i, " < <= ") && is_parameter(s, i + 1))
            return i + 1;
    return -1;
}

static const char *over(struct search *s, const struct loop *l) {
    static char words[4][80];
    static int next;
    int bound = l ? bound_of(s, l) : -1;
    char *word = words[next++ % 4];
    snprintf(word, sizeof words[0], bound < 0 ? "a loop" : "the loop over %s",
             bound < 0 ? "" : text_at(s, bound));
    return word;
}

/* The parameter that the statement around a token writes to: its token, or -1. */
static int target_of(const struct search *s, int token) {
    const struct code *c = s->code;
    int i = token;
    while (i > c->open && !is_any(c, i, " ; { } "))
        i--;
    for (i++; i < c->close && !is(c, i, ";"); i++)
        if (is_any(c, i, ASSIGNMENTS) && !head_around(c, i)) {
            int target = array_of(c, i - 1);
            return is_parameter(s, target) ? target : -1;
        }
    return -1;
}

static const char *where(struct search *s, int token) {
    static char words[100];
    int target = target_of(s, token);
    snprintf(words, sizeof words, target < 0 ? "%s" : " in what goes into %s",
             target < 0 ? "" : text_at(s, target));
    return words;
}

static bool same_text(const struct search *s, int a, int a_end, int b, int b_end) {
    const struct token *t = s->code->tokens;
    int length = t[a_end].to - t[a].from;
    return length == t[b_end].to - t[b].from &&
           strncmp(s->code->text + t[a].from, s->code->text + t[b].from, (size_t)length) == 0;
}

/* --- loops ---------------------------------------------------------------------------------- */

#define LOOP_ENDS "A loop does not start or end where it should."
#define LOOP_LEFT "A loop is left too early, or too late."
#define MISPLACED "A step stands inside or outside of a loop, and belongs on the other side."

/* What a body holds, without its braces. */
static const char *inside(struct search *s, const struct loop *l) {
    bool braces = is(s->code, l->body, "{");
    return braces && l->end == l->body + 1 ? "" : piece(s, l->body + braces, l->end - braces);
}

static void loop_bounds(struct search *s, const struct loop *l) {
    const struct code *c = s->code;
    int start = l->variable + 2, bound = bound_of(s, l);
    if (l->variable >= 0 && c->tokens[start].kind == NUMBER) {
        const char *other = is(c, start, "0") ? "1" : "0";
        replace(s, start, start, other);
        found(s, l->open, "LOOP", LOOP_ENDS, "%s starts at %s", over(s, l), other);
    }
    for (int i = l->first_end + 1; i < l->second_end; i++) {
        if (!is_any(c, i, " < <= > >= "))
            continue;
        bool strict = is_any(c, i, " < > "), up = is_any(c, i, " < <= ");
        replace(s, i, i, strict ? (up ? "<=" : ">=") : (up ? "<" : ">"));
        found(s, l->open, strict ? "LATE" : "LOOP", LOOP_ENDS, "%s ends one round too %s",
              over(s, l), strict ? "late" : "early");
        if (right_end(c, i, "") != l->second_end - 1)
            continue;
        after(s, l->second_end - 1, up ? " - 1" : " + 1");
        found(s, l->open, "LOOP", LOOP_ENDS, "%s ends one round too early", over(s, l));
        if (!is(c, l->second_end - 1, "1") || !is_any(c, l->second_end - 2, SUMS))
            continue;
        replace(s, l->second_end - 2, l->second_end - 1, "");
        found(s, l->open, "LOOP", LOOP_ENDS, "%s does not end one round earlier", over(s, l));
    }
    for (int i = 0; bound >= 0 && i < c->name_count; i++)
        if (c->names[i].parameter && c->names[i].type == AN_INT && c->names[i].rank == 0 &&
            !same_token(c, c->names[i].token, bound)) {
            const char *size = piece(s, c->names[i].token, c->names[i].token);
            replace(s, bound, bound, size);
            found(s, l->open, "BOUND", "A loop runs to a size that is not its own.",
                  "%s runs to %s", over(s, l), text_at(s, c->names[i].token));
        }
}

static void loop_left_early(struct search *s, const struct loop *l) {
    const struct code *c = s->code;
    replace(s, l->body, l->end, keep(s, "{ %s break; }", inside(s, l)));
    found(s, l->open, "ONCE", LOOP_LEFT, "%s ends after its first round", over(s, l));
    if (is(c, l->end + 1, "return")) {
        const char *leave = piece(s, l->end + 1, statement_end(c, l->end + 1));
        replace(s, l->body, l->end, keep(s, "{ %s %s }", inside(s, l), leave));
        found(s, l->open, "RETURN", LOOP_LEFT, "the function returns in the first round of %s",
              over(s, l));
    }
}

/* Two loops with the same head, one after the other, as one. */
static void loops_as_one(struct search *s, const struct loop *l) {
    const struct code *c = s->code;
    for (int i = 0; i < c->loop_count; i++) {
        const struct loop *m = &c->loops[i];
        if (m->open != l->end + 2 || !same_text(s, l->open, l->close, m->open, m->close))
            continue;
        replace(s, l->body, m->end, keep(s, "{ %s %s }", inside(s, l), inside(s, m)));
        found(s, l->open, "FUSE", "Something is used before it is complete, or after.",
              "two loops are run as one, so that something is used before it is complete");
    }
}

static bool is_plain(const struct search *s, int token) {
    return !is_declaration(s->code, token) &&
           !is_any(s->code, token, " for if while do return { else ");
}

static void steps_in_and_out(struct search *s, const struct loop *l) {
    const struct code *c = s->code;
    int last = l->open - 2, first = last;
    while (first > c->open + 1 && !starts_statement(c, first))
        first--;
    if (is(c, last, ";") && is_any(c, first - 1, " ; { } ") && is_plain(s, first)) {
        const char *body = keep(s, "{ %s %s }", piece(s, first, last), inside(s, l));
        replace(s, first, last, "");
        replace(s, l->body, l->end, body);
        found(s, first, "INTO", MISPLACED, "a step%s is repeated in each round of %s",
              where(s, first), over(s, l));
    }
    for (int i = l->body + 1; is(c, l->body, "{") && i < l->end; i = statement_end(c, i) + 1) {
        int end = statement_end(c, i);
        bool movable = is_plain(s, i) && names_known_at(c, i, end, l->open - 1);
        for (int late = 0; movable && late < 2; late++) {
            const char *step = piece(s, i, end);
            before(s, l->open - 1, keep(s, "{ %s ", late ? "" : step));
            replace(s, i, end, "");
            after(s, l->end, keep(s, " %s }", late ? step : ""));
            found(s, i, "OUTOF", MISPLACED, "a step%s is taken once, %s %s, and not in each round",
                  where(s, i), late ? "after" : "before", over(s, l));
        }
    }
}

static void sums_reset(struct search *s, const struct loop *l) {
    const struct code *c = s->code;
    for (int i = 0; i < c->name_count; i++) {
        const struct name *n = &c->names[i];
        bool grows = false;
        for (int k = l->body; k < l->end; k++)
            grows = grows || (name_at(c, k) == n && is_any(c, k + 1, " += -= "));
        if (n->type != A_DOUBLE || n->rank > 0 || n->parameter || n->token > l->open || !grows)
            continue;
        replace(s, l->body, l->end, keep(s, "{ %s = 0; %s }", text_at(s, n->token), inside(s, l)));
        found(s, l->open, "RESET", "A sum starts again too often, or not often enough.",
              "a sum starts again at 0 in each round of %s", over(s, l));
    }
}

static void loop_changes(struct search *s) {
    for (int i = 0; i < s->code->loop_count; i++) {
        const struct loop *l = &s->code->loops[i];
        loop_bounds(s, l);
        loop_left_early(s, l);
        loops_as_one(s, l);
        steps_in_and_out(s, l);
        sums_reset(s, l);
    }
}

/* --- expressions ---------------------------------------------------------------------------- */

#define OPERATOR "A sign or an operator is another."
#define TERM     "A factor or a term is missing, or is one too many."
#define FACTOR   "A factor or a term is missing, or is one too many."

#define COMPARED "A comparison or a condition is another."
#define CONSTANT "A constant is another."
#define FUNCTION "A function of a number is another, or is missing, or is one too many."

/* One token for another. */
static const struct {
    const char *from, *to, *name, *kind, *says; /* NULL: one stands where the other belongs */
} swaps[] = {
    {"+", "-", "AOR", OPERATOR, "something is subtracted, not added"},
    {"+", "*", "AOR", OPERATOR, "something is multiplied, not added"},
    {"-", "+", "AOR", OPERATOR, "something is added, not subtracted"},
    {"*", "/", "AOR", OPERATOR, "something is divided, not multiplied"},
    {"*", "+", "AOR", OPERATOR, "something is added, not multiplied"},
    {"/", "*", "AOR", OPERATOR, "something is multiplied, not divided"},
    {"<", "<=", "ROR", COMPARED, NULL},
    {"<", ">", "ROR", COMPARED, NULL},
    {"<=", "<", "ROR", COMPARED, NULL},
    {"<=", ">=", "ROR", COMPARED, NULL},
    {">", ">=", "ROR", COMPARED, NULL},
    {">", "<", "ROR", COMPARED, NULL},
    {">=", ">", "ROR", COMPARED, NULL},
    {">=", "<=", "ROR", COMPARED, NULL},
    {"==", "!=", "ROR", COMPARED, NULL},
    {"!=", "==", "ROR", COMPARED, NULL},
    {"&&", "||", "AND", COMPARED, NULL},
    {"||", "&&", "AND", COMPARED, NULL},
    {"0.0", "1.0", "CONST", CONSTANT, NULL},
    {"1.0", "0.0", "CONST", CONSTANT, NULL},
    {"1.0", "2.0", "CONST", CONSTANT, NULL},
    {"1.0", "1", "WHOLE", CONSTANT, NULL},
    {"2.0", "1.0", "CONST", CONSTANT, NULL},
    {"0.5", "1.0", "CONST", CONSTANT, NULL},
    {"0", "1", "CONST", CONSTANT, NULL},
    {"1", "0", "CONST", CONSTANT, NULL},
    {"1", "2", "CONST", CONSTANT, NULL},
    {"1", "1.0", "WHOLE", CONSTANT, NULL},
    {"2", "1", "CONST", CONSTANT, NULL},
    {"2", "3", "CONST", CONSTANT, NULL},
    {"3", "2", "CONST", CONSTANT, NULL},
    {"log", "log2", "FN", FUNCTION, NULL},
    {"log2", "log", "FN", FUNCTION, NULL},
    {"log10", "log", "FN", FUNCTION, NULL},
    {"exp", "exp2", "FN", FUNCTION, NULL},
    {"exp2", "exp", "FN", FUNCTION, NULL},
    {"fmax", "fmin", "FN", FUNCTION, NULL},
    {"fmin", "fmax", "FN", FUNCTION, NULL},
    {"break", "continue", "BREAK", LOOP_LEFT, NULL},
    {"continue", "break", "BREAK", LOOP_LEFT, NULL},
};

/* `1 / n`, of whole numbers: only there WHOLE makes a difference. */
static bool divides_whole(struct search *s, int i) {
    const struct code *c = s->code;
    int end = is(c, i + 1, "/") ? right_end(c, i + 1, SUMS PRODUCTS) : -1;
    for (int k = i + 2; k <= end; k++)
        if (is_call(c, k) || has_type(s, k, A_DOUBLE) ||
            (c->tokens[k].kind == NUMBER && strchr(text_at(s, k), '.')))
            return false;
    return end >= 0;
}

static void other_token(struct search *s, int i) {
    for (size_t k = 0; k < sizeof swaps / sizeof *swaps; k++) {
        if (!is(s->code, i, swaps[k].from) ||
            (strcmp(swaps[k].name, "WHOLE") == 0 && !divides_whole(s, i)))
            continue;
        replace(s, i, i, swaps[k].to);
        if (swaps[k].says)
            found(s, i, swaps[k].name, swaps[k].kind, "%s%s", swaps[k].says, where(s, i));
        else
            found(s, i, swaps[k].name, swaps[k].kind, "%s stands where %s belongs%s", swaps[k].to,
                  swaps[k].from, where(s, i));
    }
}

static void missing_operand(struct search *s, int i, int left, int right, int whole_left) {
    const struct code *c = s->code;
    bool factor = is_any(c, i, PRODUCTS);
    const char *kind = factor ? FACTOR : TERM;
    const char *what = is(c, i, "/") ? "a division" : factor ? "a factor" : "a term";
    if (right >= 0) {
        replace(s, i, right, "");
        found(s, i, factor ? "FACTOR" : "TERM", kind, "%s is left out%s", what, where(s, i));
    }
    for (int k = 0; k < 2; k++) {
        int from = k ? whole_left : left;
        if (from < 0 || is_any(c, i, " / % ") || (k && whole_left == left))
            continue;
        replace(s, from, i, is(c, i, "-") ? "-" : "");
        found(s, i, factor ? "FACTOR" : "TERM", kind, "%s is left out%s", what, where(s, i));
        if (!is(c, i, "-"))
            continue;
        replace(s, from, i, "");
        found(s, i, "TERM", kind, "%s is left out, and a minus%s", what, where(s, i));
    }
}

static void exchanged_operands(struct search *s, int i, int left, int right) {
    const char *a = piece(s, left, i - 1), *b = piece(s, i + 1, right);
    if (is_any(s->code, i, " - / ")) {
        replace(s, left, right, keep(s, "(%s) %s (%s)", b, text_at(s, i), a));
        found(s, i, "SWAP", "Two things change places.", "the two sides of a %s change places%s",
              is(s->code, i, "-") ? "subtraction" : "division", where(s, i));
    } else if (is(s->code, i, "*") && strcmp(a, b) != 0) {
        for (int k = 0; k < 2; k++) {
            a = piece(s, left, i - 1);
            b = piece(s, i + 1, right);
            replace(s, k ? left : i + 1, k ? i - 1 : right, k ? b : a);
            found(s, i, "SELF", "One thing is used where another belongs.",
                  "a number is multiplied with itself%s", where(s, i));
        }
    }
}

static void arithmetic(struct search *s, int i) {
    const struct code *c = s->code;
    bool factor = is_any(c, i, PRODUCTS);
    int right = right_end(c, i, factor ? SUMS PRODUCTS : SUMS);
    int left = left_start(c, i, factor ? SUMS PRODUCTS : SUMS), whole = left_start(c, i, SUMS);
    other_token(s, i);
    missing_operand(s, i, left, right, whole);
    if (left >= 0 && right >= 0)
        exchanged_operands(s, i, left, right);
}

static void assignment(struct search *s, int i) {
    static const char *const kinds[][3] = {{"+=", "=", "set (=), not added to (+=)"},
                                           {"+=", "-=", "lowered (-=), not raised (+=)"},
                                           {"-=", "+=", "raised (+=), not lowered (-=)"},
                                           {"-=", "=", "set (=), not lowered (-=)"},
                                           {"*=", "/=", "divided, not multiplied"},
                                           {"*=", "=", "set (=), not multiplied"},
                                           {"/=", "*=", "multiplied, not divided"},
                                           {"/=", "=", "set (=), not divided"},
                                           {"=", "+=", "added to (+=), not set (=)"}};
    const struct code *c = s->code;
    int target = array_of(c, i - 1), end = statement_end(c, i);
    const char *who = is_parameter(s, target) ? text_at(s, target) : "a number of its own";
    if (has_type(s, target, AN_INT) || !is(c, end, ";"))
        return;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (is(c, i, kinds[k][0])) {
            replace(s, i, i, kinds[k][1]);
            found(s, i, "ACC", "An assignment is of another kind.", "%s is %s", who, kinds[k][2]);
        }
    if (end > i + 2 && !is(c, end - 1, "INFINITY") && has_type(s, target, A_DOUBLE)) {
        replace(s, i + 1, end - 1, keep(s, "-(%s)", piece(s, i + 1, end - 1)));
        found(s, i, "SIGN", OPERATOR, "what goes into %s has the other sign", who);
    }
}

/* `double sum = 0.0;`: not set, of another type, or carried over from round to round. */
static void first_value(struct search *s, int i) {
    const struct code *c = s->code;
    int end = statement_end(c, i), first = i;
    while (first > c->open + 1 && !starts_statement(c, first))
        first--;
    for (int k = first; k < end; k++)
        if (is(c, k, ",") && !head_around(c, k))
            return;
    replace(s, i, end - 1, "");
    found(s, i, "UNINIT", "A first value is missing, or is another.",
          "a number has no first value");
    if (has_type(s, i - 1, A_DOUBLE) && c->tokens[i + 1].kind == NUMBER) {
        replace(s, i + 1, end - 1, "-INFINITY");
        found(s, i, "FIRST", "A first value is missing, or is another.",
              "a number starts at -INFINITY");
    }
    if (has_type(s, i - 1, A_DOUBLE)) {
        replace(s, first, i - 2, "int");
        found(s, i, "INT", "A type is another.", "a number is kept in an int");
        replace(s, first, i - 2, "float");
        found(s, i, "FLOAT", "A type is another.", "a number is kept in a float");
    }
    const struct loop *l = loop_around(c, i);
    if (!l || end > i + 3 || !(c->tokens[end - 1].kind == NUMBER || is(c, end - 1, "INFINITY")))
        return;
    const char *declaration = piece(s, first, end);
    before(s, l->open - 1, keep(s, "{ %s ", declaration));
    replace(s, first, end, "");
    after(s, l->end, " }");
    found(s, i, "HOIST", "Something is carried over that should not be, or is not and should.",
          "a number is carried over from one round of %s to the next", over(s, l));
}

static void choice(struct search *s, int i) {
    const struct code *c = s->code;
    int colon = -1, end, from = left_start(c, i, ""), inner = 0;
    for (end = i + 1; end < c->close && !is_any(c, end, " ; , ) ] } "); end++) {
        if (c->tokens[end].match > end)
            end = c->tokens[end].match;
        else if (is(c, end, "?"))
            inner++;
        else if (is(c, end, ":") && inner-- == 0) {
            if (colon >= 0)
                break;
            colon = end;
            inner = 0;
        }
    }
    while (from > 0 && is_any(c, from - 1, COMPARISONS " && || "))
        from = left_start(c, from - 1, "");
    if (colon < 0 || from < 0)
        return;
    const char *a = piece(s, i + 1, colon - 1), *b = piece(s, colon + 1, end - 1);
    replace(s, i + 1, colon - 1, b);
    replace(s, colon + 1, end - 1, a);
    found(s, i, "CHOICE", "A condition is the wrong way round.",
          "the two cases of a condition change places%s", where(s, i));
    for (int k = 0; k < 2; k++) {
        replace(s, from, end - 1,
                keep(s, "(%s)", k ? piece(s, colon + 1, end - 1) : piece(s, i + 1, colon - 1)));
        found(s, i, "CHOICE", "A case is missing, or is one too many.",
              "no difference is made between two cases%s", where(s, i));
    }
}

static void condition(struct search *s, int i) {
    int open = i + 1, close = s->code->tokens[open].match;
    if (close <= open + 1)
        return;
    for (int k = 0; k < 3; k++) {
        static const char *const forms[] = {"!(%s)", "0 && (%s)", "1 || (%s)"};
        static const char *const says[] = {"a condition is the wrong way round",
                                           "a special case is left out",
                                           "a special case is taken always"};
        if (k == 2 && is(s->code, i, "while"))
            continue;
        replace(s, open + 1, close - 1, keep(s, forms[k], piece(s, open + 1, close - 1)));
        found(s, i, "IF",
              k ? "A case is missing, or is one too many." : "A condition is the wrong way round.",
              "%s", says[k]);
    }
}

/* --- names ---------------------------------------------------------------------------------- */

/* The array that a token is an index of: its token, or -1. */
static int indexed_by(const struct code *c, int i) {
    for (int k = i - 1; k > c->open && !is_any(c, k, " ; { } "); k--) {
        if (c->tokens[k].match >= 0 && c->tokens[k].match < k)
            k = c->tokens[k].match;
        else if (is(c, k, "["))
            return array_of(c, k - 1);
        else if (is(c, k, "("))
            return -1;
    }
    return -1;
}

static bool is_counter(const struct search *s, int name, int token) {
    const struct code *c = s->code;
    for (int i = 0; i < c->loop_count; i++)
        if (c->loops[i].variable >= 0 && same_token(c, c->loops[i].variable, name) &&
            c->loops[i].body <= token && token <= c->loops[i].end)
            return true;
    return false;
}

static const char *array_word(struct search *s, int array) {
    return array >= 0 && is_parameter(s, array) ? text_at(s, array) : "an array";
}

static void other_index(struct search *s, int i, const struct name *n) {
    const struct code *c = s->code;
    int array = indexed_by(c, i);
    bool counter = is_counter(s, i, i);
    for (int k = 0; k < c->name_count; k++) {
        const struct name *m = &c->names[k];
        bool size = n->parameter && m->parameter;
        if (m->type != AN_INT || m->rank > 0 || m->token > i || i > m->until ||
            same_token(c, m->token, i) ||
            !(size ||
              (!n->parameter && !m->parameter && (is_counter(s, m->token, i) || !counter))) ||
            name_at(c, m->token) != m)
            continue;
        replace(s, i, i, piece(s, m->token, m->token));
        if (array >= 0 && !size)
            found(s, i, "IDX", "An index is another.", "an index of %s is that of another loop",
                  array_word(s, array));
        else if (size)
            found(s, i, "SIZE", "A size is another.", "%s stands where %s belongs%s",
                  text_at(s, m->token), text_at(s, i), where(s, i));
        else
            found(s, i, "IDX", "A variable is another.", "the variable of another loop is used%s",
                  where(s, i));
    }
    const struct name *of = array >= 0 ? name_at(c, array) : NULL;
    bool element = of && of->token != array; /* and no size of a declaration */
    if (array >= 0 && (counter || (n->parameter && element)) && is(c, i - 1, "[") &&
        is(c, i + 1, "]")) {
        replace(s, i, i, "0");
        found(s, i, "IDX0", "An index is another.",
              "one and the same row or cell of %s is used in every round", array_word(s, array));
    }
}

static int argument_end(const struct code *c, int from, int close) {
    int i = from;
    while (i < close && !is(c, i, ","))
        i = c->tokens[i].match > i ? c->tokens[i].match + 1 : i + 1;
    return i;
}

/* Is the token among more than eight arguments? There only what is named alike is mixed up. */
static bool in_a_long_call(const struct code *c, int i) {
    int open = i, count = 0;
    for (; open > c->open && !is_any(c, open, " ; { } "); open--)
        if (c->tokens[open].match > i && is(c, open, "(") && is_call(c, open - 1))
            break;
    for (int a = open + 1; is(c, open, "(") && a < c->tokens[open].match; count++)
        a = argument_end(c, a, c->tokens[open].match) + 1;
    return count > 8;
}

/* Q and d_Q, W_q and W_k */
static bool are_namesakes(const struct code *c, int a, int b) {
    const char *x = c->text + c->tokens[a].from, *y = c->text + c->tokens[b].from;
    x += strncmp(x, "d_", 2) == 0 ? 2 : 0;
    y += strncmp(y, "d_", 2) == 0 ? 2 : 0;
    return *x == *y;
}

static void other_number(struct search *s, int i, const struct name *n) {
    const struct code *c = s->code;
    int last = i;
    while (is(c, last + 1, "["))
        last = c->tokens[last + 1].match;
    bool is_target = is_any(c, last + 1, ASSIGNMENTS), many = in_a_long_call(c, i);
    for (int k = 0; k < c->name_count; k++) {
        const struct name *m = &c->names[k];
        if (m->type != A_DOUBLE || m->rank != n->rank || m->token > i || i > m->until ||
            same_token(c, m->token, i) ||
            (m->constant && !n->constant && (is_target || (last == i && n->rank > 0))) ||
            !have_same_columns(c, m, n) || (many && !are_namesakes(c, m->token, i)))
            continue;
        replace(s, i, i, piece(s, m->token, m->token));
        if (n->parameter && m->parameter)
            found(s, i, "VAR", "One thing is used where another belongs.",
                  "%s is used where %s belongs%s", text_at(s, m->token), text_at(s, i),
                  target_of(s, i) == i ? "" : where(s, i));
        else
            found(s, i, "VAR", "One thing is used where another belongs.",
                  "one number is used where another belongs%s", where(s, i));
    }
}

static void row_and_column(struct search *s, int i) {
    const struct code *c = s->code;
    int a = c->tokens[i + 1].match, b = a > 0 && is(c, a + 1, "[") ? c->tokens[a + 1].match : -1;
    if (b < 0 || same_text(s, i + 1, a, a + 1, b))
        return;
    replace(s, i + 1, b, keep(s, "%s%s", piece(s, a + 1, b), piece(s, i + 1, a)));
    found(s, i, "TURN", "Row and column change places.", "row and column of %s change places",
          array_word(s, i));
}

static void variable(struct search *s, int i) {
    const struct name *n = name_at(s->code, i);
    const struct loop *head = head_around(s->code, i);
    if (!n || n->token == i || is(s->code, i - 1, "sizeof") || is(s->code, i - 2, "sizeof"))
        return; /* of the alternatives each has that size */
    if (head) {
        const struct loop *outer = loop_around(s->code, head->open);
        if (head->variable >= 0 && outer && outer->variable >= 0 && i > head->first_end &&
            same_token(s->code, i, head->variable)) {
            replace(s, i, i, piece(s, outer->variable, outer->variable));
            found(s, i, "IDX", "A loop looks at the variable of another.",
                  "a loop asks for, or counts, the variable of the loop around it");
        }
        return;
    }
    if (n->type == AN_INT && n->rank == 0 && is_any(s->code, i - 1, " / * ") && n->parameter) {
        replace(s, i, i, keep(s, "sqrt(%s)", text_at(s, i)));
        found(s, i, "ROOT", "A root is taken of a number, or is not.",
              "the root of %s stands where %s itself belongs%s", text_at(s, i), text_at(s, i),
              where(s, i));
    }
    if (n->type == AN_INT && n->rank == 0)
        other_index(s, i, n);
    else if (n->type == A_DOUBLE)
        other_number(s, i, n);
    row_and_column(s, i);
}

/* --- calls and steps ------------------------------------------------------------------------ */

/* May two arguments change places? Their types are alike, as far as one token tells. */
static bool are_alike(const struct search *s, int a, int a_end, int b, int b_end) {
    const struct code *c = s->code;
    const struct name *n = name_at(c, a + is(c, a, "&")), *m = name_at(c, b + is(c, b, "&"));
    bool whole_a = a_end - a == 1, whole_b = b_end - b == 1;
    return n && m && n->type == m->type && whole_a == whole_b &&
           (!whole_a || (n->rank == m->rank && have_same_columns(c, n, m)));
}

static void call(struct search *s, int i) {
    const struct code *c = s->code;
    int close = c->tokens[i + 1].match;
    other_token(s, i);
    if (is_any(c, i, " sqrt exp log tanh fabs ")) {
        replace(s, i, i, "");
        found(s, i, "FN", FUNCTION, "%s() is left out%s", text_at(s, i), where(s, i));
    }
    for (int a = i + 2; a < close; a = argument_end(c, a, close) + 1) {
        int a_end = argument_end(c, a, close);
        for (int b = a_end + 1; b < close; b = argument_end(c, b, close) + 1) {
            int b_end = argument_end(c, b, close);
            if (!are_alike(s, a, a_end, b, b_end) || same_text(s, a, a_end - 1, b, b_end - 1) ||
                (in_a_long_call(c, a) && b != a_end + 1 && !are_namesakes(c, a, b)))
                continue;
            const char *first = piece(s, a, a_end - 1), *second = piece(s, b, b_end - 1);
            replace(s, a, a_end - 1, second);
            replace(s, b, b_end - 1, first);
            found(s, i, "ARGS", "Two arguments change places.",
                  "two arguments of %s() change places", text_at(s, i));
        }
    }
}

/* Does a step write what another names? */
static bool writes_for(const struct code *c, int from, int to, int other, int other_end) {
    for (int i = from; i < to; i++) {
        if (!is_any(c, i, ASSIGNMENTS) || head_around(c, i))
            continue;
        for (int k = other; k < other_end; k++)
            if (same_token(c, k, array_of(c, i - 1)))
                return true;
    }
    return false;
}

/* Taken twice, most calls only write the same again. */
static bool adds_up(const struct code *c, int i) {
    int close = c->tokens[i + 1].match, length = c->tokens[i].to - c->tokens[i].from;
    if (length > 9 && strncmp(c->text + c->tokens[i].to - 9, "_backward", 9) == 0)
        return true;
    for (int a = i + 2; a < close; a = argument_end(c, a, close) + 1)
        for (int b = argument_end(c, a, close) + 1; b < close; b = argument_end(c, b, close) + 1)
            if (argument_end(c, b, close) == b + 1 && same_token(c, a, b) && name_at(c, a) &&
                name_at(c, a)->rank > 0)
                return true;
    return false;
}

static void step(struct search *s, int i) {
    const struct code *c = s->code;
    int end = statement_end(c, i), target = target_of(s, i), next_end;
    bool branch = is_any(c, i, " for if while do ");
    if (is(c, i, "static")) {
        replace(s, i, i, "");
        found(s, i, "STATIC", "Something is kept from one call to the next, or should be.",
              "a number does not go on from the last call");
    }
    if (is_any(c, i, " return free ") || is_declaration(c, i))
        return; /* free() changes no number */
    if (is_any(c, i, " break continue "))
        other_token(s, i);
    replace(s, i, end, ";");
    found(s, i, "LEFT", "A step is missing, or is one too many.",
          !branch && target >= 0 ? "a step that writes %s is left out"
          : is_call(c, i)        ? "the call of %s() is left out"
                                 : "a step is left out%.0s",
          text_at(s, !branch && target >= 0 ? target : i));
    if (is_call(c, i) && adds_up(c, i)) {
        replace(s, i, end, keep(s, "{ %s %s }", piece(s, i, end), piece(s, i, end)));
        found(s, i, "TWICE", "A step is missing, or is one too many.", "%s() is called twice",
              text_at(s, i));
    }
    if (!is_any(c, i - 1, " ; { } ") || is_any(c, end + 1, " } else return free ") ||
        is_declaration(c, end + 1))
        return;
    next_end = statement_end(c, end + 1);
    if (!writes_for(c, i, end, end + 1, next_end) && !writes_for(c, end + 1, next_end, i, end) &&
        !is_call(c, i))
        return;
    replace(s, i, next_end, keep(s, "%s %s", piece(s, end + 1, next_end), piece(s, i, end)));
    found(s, i, "ORDER", "Two steps are in another order.", "two steps change places");
}

static void result(struct search *s, int i) {
    const struct code *c = s->code;
    int end = statement_end(c, i);
    if (end <= i + 1 || c->tokens[end - 1].kind == NUMBER || is_any(c, end - 1, " INFINITY NAN "))
        return;
    replace(s, i + 1, end - 1, keep(s, "-(%s)", piece(s, i + 1, end - 1)));
    found(s, i, "SIGN", OPERATOR, "the result has the other sign");
    for (int k = 0; k < c->name_count; k++)
        for (int root = 0; root < 2; root++)
            if (c->names[k].parameter && c->names[k].type == AN_INT && c->names[k].rank == 0) {
                const char *size = text_at(s, c->names[k].token);
                replace(s, i + 1, end - 1,
                        keep(s, root ? "(%s) / sqrt(%s)" : "(%s) / %s", piece(s, i + 1, end - 1),
                             size));
                found(s, i, "EXTRA",
                      "Something is divided that should not be, or is not and should.",
                      "the result is divided by %s%s", root ? "the root of " : "", size);
            }
}

/* `= x` as `= (x) * factor`, where the factor stands elsewhere in the function, or a number of its
 * own.
 */
static void extra(struct search *s, int i, int end, const char *sign, const char *factor) {
    char *kept = keep(s, ") %s %s", sign, factor);
    before(s, i + 1, "(");
    after(s, end - 1, kept);
    found(s, i, "EXTRA", "A factor or a term is missing, or is one too many.",
          "there is a %s too many%s", strpbrk(sign, "*/") ? "factor" : "term", where(s, i));
}

static void one_too_many(struct search *s, int i) {
    static const char *const signs[] = {"*", "/", "-"};
    const struct code *c = s->code;
    int target = array_of(c, i - 1), end = statement_end(c, i);
    if (!has_type(s, target, A_DOUBLE) || c->tokens[i + 1].kind == NUMBER || !is(c, end, ";"))
        return;
    for (int k = c->open; k < c->close; k++) {
        const struct name *n = name_at(c, k);
        int last = k, indices = 0;
        for (; is(c, last + 1, "["); indices++)
            last = c->tokens[last + 1].match;
        if (!n || n->type != A_DOUBLE || n->rank == 0 || indices != n->rank ||
            !names_known_at(c, k, last, i) || is_any(c, last + 1, ASSIGNMENTS) ||
            !(is_any(c, last + 1, " * ) ; - + ") || is(c, k - 1, "*")))
            continue;
        extra(s, i, end, "*", piece(s, k, last));
    }
    for (int k = 0; k < c->name_count; k++) {
        const struct name *n = &c->names[k];
        if (n->type != A_DOUBLE || n->rank > 0 || n->token > i || i > n->until ||
            same_token(c, n->token, target))
            continue;
        for (int sign = 0; sign < 3; sign++)
            extra(s, i, end, signs[sign], piece(s, n->token, n->token));
    }
}

/* `x[i] += ...` in a loop that does not count i: set to 0 before it. */
static void cleared(struct search *s, int i) {
    const struct code *c = s->code;
    const struct loop *l = loop_around(c, i);
    int first = array_of(c, i - 1);
    if (!l || l->variable < 0 || first == i - 1 || !is(c, i, "+=") || !starts_statement(c, first) ||
        !names_known_at(c, first, i - 1, l->open))
        return;
    for (int k = first; k < i; k++)
        if (same_token(c, k, l->variable))
            return;
    before(s, l->open - 1, keep(s, "{ %s = 0; ", piece(s, first, i - 1)));
    after(s, l->end, " }");
    found(s, i, "CLEAR", "Something is set to 0 that should not be, or is not and should.",
          "%s is set to 0 before %s", is_parameter(s, first) ? text_at(s, first) : "a number",
          over(s, l));
}

/* `int sum` or `float sum` as a double; `double sum;` with a first value. */
static void declaration(struct search *s, int i) {
    const struct code *c = s->code;
    const struct name *n = NULL;
    for (int k = 0; k < c->name_count; k++)
        if (c->names[k].token == i + 1)
            n = &c->names[k];
    if (!n || n->rank > 0)
        return;
    if (is_any(c, i, " int float ")) {
        replace(s, i, i, "double");
        found(s, i, "DOUBLE", "A type is another.", "a number is kept in a double");
    }
    if (is_any(c, i + 2, " ; , ")) {
        after(s, i + 1, " = 0");
        found(s, i, "FIRST", "A first value is missing, or is another.", "a number starts at 0");
    }
}

static void sign(struct search *s, int i) {
    const struct code *c = s->code;
    if (is(c, i, "-") && !is_binary(c, i)) {
        if (is(c, i + 1, "INFINITY")) {
            replace(s, i, i + 1, "0.0");
            found(s, i, "CONST", "A constant is another.", "0 stands where -INFINITY belongs");
        }
        replace(s, i, i, "");
        found(s, i, "SIGN", OPERATOR, "a minus is left out%s", where(s, i));
    } else if (is_any(c, i, SUMS PRODUCTS) && is_binary(c, i)) {
        arithmetic(s, i);
    } else if (is_any(c, i, COMPARISONS " && || ")) {
        other_token(s, i);
    } else if (is_any(c, i, ASSIGNMENTS)) {
        const struct name *n = name_at(c, i - 1);
        if (n && n->token == i - 1) {
            first_value(s, i);
        } else {
            assignment(s, i);
            one_too_many(s, i);
            cleared(s, i);
        }
    } else if (is(c, i, "?")) {
        choice(s, i);
    } else if (is(c, i, "(") && c->tokens[i - 1].kind == SIGN && !is_any(c, i - 1, " ) ] ") &&
               c->tokens[i].match > i) {
        replace(s, i, i, "");
        replace(s, c->tokens[i].match, c->tokens[i].match, "");
        found(s, i, "BRACKETS", "Brackets are missing.", "a pair of brackets is left out%s",
              where(s, i));
    }
}

/* `if (!d_Q)`: is a pointer asked for? Nobody runs out of memory here. */
static bool asks_for_memory(const struct code *c, int i) {
    for (int k = i + 1; is(c, i, "if") && k < c->tokens[i + 1].match; k++) {
        const struct name *n = is(c, k, "!") ? name_at(c, k + 1) : NULL;
        if (n && n->type == A_DOUBLE && n->rank > 0 && !is(c, k + 2, "["))
            return true;
    }
    return false;
}

void each_change(const struct code *code, void (*found_one)(void *, const struct change *),
                 void *context) {
    struct search s = {.code = code, .found = found_one, .context = context};
    loop_changes(&s);
    for (int i = code->open + 1; i < code->close; i++) {
        bool head = head_around(code, i);
        if (asks_for_memory(code, i)) {
            i = statement_end(code, code->tokens[i + 1].match + 1);
            continue;
        }
        if (starts_statement(code, i) && !head)
            step(&s, i);
        if (starts_statement(code, i) && !head && is_any(code, i, " int float double "))
            declaration(&s, i);
        if (code->tokens[i].kind == SIGN && !head)
            sign(&s, i);
        else if (code->tokens[i].kind == NUMBER && !head &&
                 !(is(code, i, "0") && is(code, i - 1, "[")))
            other_token(&s, i);
        else if (is_any(code, i, " if while ") && is(code, i + 1, "("))
            condition(&s, i);
        else if (is(code, i, "return"))
            result(&s, i);
        else if (is_call(code, i) && !head)
            call(&s, i);
        else if (code->tokens[i].kind == NAME)
            variable(&s, i);
    }
    while (s.piece_count > 0)
        free(s.pieces[--s.piece_count]);
}
