#include "tutor/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Each is spelled, as a command and as a letter of its own. */
static const char *const greek[][2] = {
    {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},      {"epsilon", "ε"},
    {"eta", "η"},   {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"},     {"mu", "μ"},
    {"pi", "π"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},        {"phi", "φ"},
    {"chi", "χ"},   {"psi", "ψ"},   {"omega", "ω"}, {"varepsilon", "ε"}, {"Delta", "Δ"},
    {"Sigma", "Σ"}, {"Theta", "Θ"}, {"Omega", "Ω"}, {"Phi", "Φ"},
};

enum { GREEK = sizeof greek / sizeof *greek };

size_t formula_greek(struct text *plain, const char *at) {
    for (int i = 0; i < GREEK; i++)
        if (starts_with(at, greek[i][1])) {
            text_print(plain, "%s", greek[i][0]);
            return strlen(greek[i][1]);
        }
    return 0;
}

struct formula {
    const char *at, *end;
    struct text *plain;
    char *unknown;
    bool named; /* a name has just ended */
};

static char last_of(const struct text *text) {
    return text->length > 0 ? text->chars[text->length - 1] : ' ';
}

static void add_space(struct text *plain) {
    if (plain->length > 0 && !strchr(" ([", last_of(plain)))
        text_add(plain, " ", 1);
}

/* A name is not to run into the letter before it. */
static void add_word(struct text *plain, const char *word) {
    if (isalnum((unsigned char)last_of(plain)) || last_of(plain) == ')')
        add_space(plain);
    text_print(plain, "%s", word);
}

static void skip_spaces(struct formula *f) {
    while (f->at < f->end && isspace((unsigned char)*f->at))
        f->at++;
}

static void add_all(struct formula *f, char closing);
static void add_one(struct formula *f);

/* The next thing alone: a group in braces without them, a command, or a character. */
static struct text take_argument(struct formula *f) {
    struct text plain = {0};
    struct formula inner = *f;
    inner.plain = &plain;
    inner.named = false;
    skip_spaces(&inner);
    if (inner.at < inner.end && *inner.at == '{') {
        inner.at++;
        add_all(&inner, '}');
    } else if (inner.at < inner.end) {
        add_one(&inner);
    }
    f->at = inner.at;
    return plain;
}

/* True if it needs no brackets to be one thing: a number, a name, a name with its brackets. */
static bool is_one_thing(const char *plain) {
    int depth = 0;
    for (const char *at = plain; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        bool inside = isalnum((unsigned char)*at) || strchr("_^'.()", *at) || (*at & 0x80);
        if (depth == 0 && (!inside || (*at == ')' && at[1] == '(')))
            return false;
    }
    return depth == 0;
}

static void add_bracketed(struct text *plain, const char *part) {
    text_print(plain, is_one_thing(part) ? "%s" : "(%s)", part);
}

/* d_k, e^(-a); the dash of h' is a character like others. */
static void add_script(struct formula *f, char sign) {
    f->at++;
    struct text script = take_argument(f);
    text_add(f->plain, &sign, 1);
    add_bracketed(f->plain, text_of(&script));
    text_free(&script);
}

/* In brackets of its own, unless it is a side of an equation or a whole term. */
static void add_fraction(struct formula *f, const char *nothing) {
    struct text above = take_argument(f), below = take_argument(f);
    size_t before = f->plain->length;
    while (before > 0 && f->plain->chars[before - 1] == ' ')
        before--;
    skip_spaces(f);
    bool alone = (before == 0 || strchr("=+-(,", f->plain->chars[before - 1])) &&
                 (f->at == f->end || strchr("=+-),.", *f->at));
    text_print(f->plain, "%s", alone ? "" : "(");
    add_bracketed(f->plain, text_of(&above));
    text_print(f->plain, " / ");
    add_bracketed(f->plain, text_of(&below));
    text_print(f->plain, "%s", alone ? "" : ")");
    if (f->at < f->end && strchr("=+-", *f->at))
        add_space(f->plain);
    text_free(&above);
    text_free(&below);
}

static void add_root(struct formula *f, const char *name) {
    struct text inside = take_argument(f);
    add_word(f->plain, name);
    text_print(f->plain, "(%s)", text_of(&inside));
    text_free(&inside);
}

/* A name: log n. */
static void add_name(struct formula *f, const char *name) {
    add_word(f->plain, name);
    f->named = true;
}

/* sum_j, sum_(i=1..n) */
static void add_sum(struct formula *f, const char *name) {
    struct text below = {0}, above = {0};
    while (f->at < f->end && (*f->at == '_' || *f->at == '^')) {
        struct text *limit = *f->at++ == '_' ? &below : &above;
        text_free(limit);
        *limit = take_argument(f);
    }
    add_word(f->plain, name);
    if (above.length > 0)
        text_print(f->plain, "_(%s..%s)", text_of(&below), text_of(&above));
    else if (below.length > 0) {
        text_add(f->plain, "_", 1);
        add_bracketed(f->plain, text_of(&below));
    }
    f->named = true;
    text_free(&below);
    text_free(&above);
}

/* Between two things, with spaces around it. */
static void add_sign(struct formula *f, const char *sign) {
    add_space(f->plain);
    text_print(f->plain, "%s ", sign);
    skip_spaces(f);
}

/* Nothing comes between it and what follows. */
static void add_glued(struct formula *f, const char *sign) {
    text_print(f->plain, "%s", sign);
    skip_spaces(f);
}

/* Its argument is text, or is set in other letters. */
static void add_letters(struct formula *f, const char *nothing) {
    struct text argument = take_argument(f);
    text_print(f->plain, "%s", text_of(&argument));
    text_free(&argument);
}

/* Only changes a size or a distance. */
static void add_nothing(struct formula *f, const char *nothing) {
}

static const struct symbol {
    const char *name;
    void (*add)(struct formula *f, const char *plain);
    const char *plain;
} symbols[] = {
    {"text", add_letters, ""},
    {"mathrm", add_letters, ""},
    {"mathbf", add_letters, ""},
    {"operatorname", add_letters, ""},
    {"frac", add_fraction, ""},
    {"sqrt", add_root, "sqrt"},
    {"sum", add_sum, "sum"},
    {"prod", add_sum, "product"},
    {"max", add_sum, "max"},
    {"min", add_sum, "min"},
    {"exp", add_name, "exp"},
    {"log", add_name, "log"},
    {"tanh", add_name, "tanh"},
    {"sin", add_name, "sin"},
    {"cos", add_name, "cos"},
    {"infty", add_name, "infinity"},
    {"ldots", add_name, "..."},
    {"dots", add_name, "..."},
    {"cdots", add_name, "..."},
    {"partial", add_glued, "∂"},
    {"nabla", add_glued, "gradient of "},
    {"cdot", add_sign, "·"},
    {"odot", add_sign, "·"},
    {"times", add_sign, "×"},
    {"pm", add_sign, "+-"},
    {"le", add_sign, "<="},
    {"leq", add_sign, "<="},
    {"ge", add_sign, ">="},
    {"geq", add_sign, ">="},
    {"ne", add_sign, "!="},
    {"neq", add_sign, "!="},
    {"ll", add_sign, "<<"},
    {"gg", add_sign, ">>"},
    {"approx", add_sign, "~"},
    {"sim", add_sign, "~"},
    {"propto", add_sign, "~"},
    {"equiv", add_sign, "="},
    {"in", add_sign, "in"},
    {"to", add_sign, "->"},
    {"rightarrow", add_sign, "->"},
    {"leftarrow", add_sign, "<-"},
    {"top", add_name, "T"},
    {"mid", add_sign, "|"},
    {"left", add_nothing, ""},
    {"right", add_nothing, ""},
    {"quad", add_nothing, ""},
    {"qquad", add_nothing, ""},
};

/* True if the name stands for something. */
static bool add_named(struct formula *f, const char *name) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strcmp(name, symbols[i].name) == 0) {
            symbols[i].add(f, symbols[i].plain);
            return true;
        }
    for (int i = 0; i < GREEK; i++)
        if (strcmp(name, greek[i][0]) == 0) {
            add_name(f, name);
            return true;
        }
    return false;
}

/* \{ is a brace, \, a distance; behind a name there is a space only because it must end somewhere.
 */
static void add_command(struct formula *f) {
    char name[40];
    size_t length = 0;
    const char *at = ++f->at;
    while (at + length < f->end && isalpha((unsigned char)at[length]))
        length++;
    f->at += length > 0 ? length : at < f->end;
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    if (length == 0 && at < f->end && strchr("{}_%$&#|", *at))
        text_add(f->plain, at, 1);
    else if (length == 0)
        add_space(f->plain);
    else if (!add_named(f, name))
        snprintf(f->unknown, 40, "\\%.38s", name);
}

static void add_one(struct formula *f) {
    char c = *f->at;
    size_t letter;
    if (f->named && !strchr("()[]^_',.;: ", c))
        add_space(f->plain);
    f->named = false;
    if (c == '\\') {
        add_command(f);
    } else if (c == '_' || c == '^') {
        add_script(f, c);
    } else if (c == '{') {
        f->at++;
        add_all(f, '}');
    } else if (isspace((unsigned char)c) || c == '~' || c == '&') {
        f->at++;
        add_space(f->plain);
    } else if ((letter = formula_greek(f->plain, f->at)) > 0) {
        f->at += letter;
    } else {
        text_add(f->plain, f->at++, 1);
    }
}

/* All up to a bracket that closes, which is taken, too; '\0' for the end. */
static void add_all(struct formula *f, char closing) {
    while (f->at < f->end && (!closing || *f->at != closing))
        add_one(f);
    f->at += f->at < f->end;
}

void formula_add(struct text *plain, const char *tex, const char *end, char unknown[40]) {
    struct text own = {0};
    struct formula f = {tex, end, &own, unknown, false};
    add_all(&f, '\0');
    while (own.length > 0 && last_of(&own) == ' ')
        own.length--;
    text_add(plain, text_of(&own), own.length);
    text_free(&own);
}
