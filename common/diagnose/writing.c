/* Writes all variants of a function into one C file.

   Each variant is compared with the reference, token by token. The narrowest statement or
   expression around what differs becomes a place with a number. A place of statements becomes

       { if (slip_at[6] == 0) { the reference } else if (slip_at[6] == 2) { variant 2 } ... }

   and the same with ?: for an expression. `slip_at` is 0 except for the variant that is on. Each
   branch begins with a #line of its own, so that the compiler's errors name the variant. The
   condition of each loop counts rounds (SLIP_ROUND), so that no variant runs without end.

   The variants come from list.c and from operators.c. A text that is there already is not added
   again. Other right forms ("ways") are changed by the operators, too. */
#include "diagnose/writing.h"

#include "diagnose/operators.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long code_print(const char *text) {
    unsigned long print = 5381;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            print = print * 33 + (unsigned char)*text;
    return print;
}

struct variant *variants_add(struct variants *f, enum origin origin, const char *function,
                             const char *text) {
    f->all = with_room(f->all, f->count, sizeof *f->all);
    struct variant *v = &f->all[f->count++];
    *v = (struct variant){.origin = origin, .function = strdup(function), .text = strdup(text)};
    blank_comments(v->text);
    v->print = code_print(v->text);
    return v;
}

/* --- the part of a function that is another ------------------------------------------------- */

struct difference code_compare(const struct code *c, const struct code *own) {
    struct difference d = {0, c->count, own->count};
    while (d.from < d.to && d.from < d.own_to && same_token(c, d.from, own, d.from))
        d.from++;
    for (; d.to > d.from && d.own_to > d.from; d.to--, d.own_to--)
        if (!same_token(c, d.to - 1, own, d.own_to - 1))
            break;
    return d;
}

/* A static is set before anything runs. */
static bool is_static(const struct code *c, int i) {
    while (i > c->open + 1 && !is(c, i - 1, "; { }"))
        i--;
    return is(c, i, "static");
}

/* An expression that may be another one: an argument, a condition, a result, a first value. */
static bool starts_expression(const struct code *c, int i) {
    const struct loop *l = head_around(c, i);
    if (l)
        return i == l->first_end + 1 || i == l->second_end + 1 ||
               (i < l->first_end && is(c, i - 1, "="));
    const struct name *n = is(c, i - 1, "=") ? name_at(c, i - 2) : NULL;
    return is(c, i - 1, "return") || (is(c, i - 1, "(") && is(c, i - 2, "if while")) ||
           (n && n->token == i - 2 && !is(c, i, "{") && !is_static(c, i)) ||
           (is(c, i - 1, "( ,") && is_call(c, bracket_around(c, i) - 1));
}

static bool starts_branch(const struct code *c, int i) {
    bool of_do = is(c, i, "while") && is(c, behind_one(c, i + 1), ";");
    return i == c->open || (starts_statement(c, i) && !of_do && !is_declaration(c, i) &&
                            !head_around(c, i) && !is(c, i, "case default"));
}

/* Can these tokens stand where a statement did? In a block it may be several, but nothing that is
   declared there is known behind them. */
static bool are_statements(const struct code *own, int from, int to) {
    bool several = is(own, from - 1, "; { }");
    for (int count = 0; from < to; count++) {
        int end = behind_statement(own, from);
        if (end <= from || is_declaration(own, from) || (count > 0 && !several))
            return false;
        from = end;
    }
    return from == to;
}

/* Makes the narrowest part around what differs a branch. */
static void find_branch(struct variant *v, const struct code *c, const struct code *own) {
    struct difference d = code_compare(c, own);
    int narrowest = c->count + 1;
    for (int i = c->open; i <= d.from; i++) {
        bool expression = starts_expression(c, i);
        int to = expression            ? behind_expression(c, i)
                 : starts_branch(c, i) ? behind_statement(c, i)
                                       : -1;
        int own_to = to + own->count - c->count;
        if (to < d.to || to <= i || to - i >= narrowest ||
            !(expression ? behind_expression(own, i) == own_to : are_statements(own, i, own_to)))
            continue;
        v->branch = own->tokens[i].at;
        v->branch_end = own_to > i ? behind_token(own, own_to - 1) : v->branch;
        v->from = i;
        v->to = to;
        v->expression = expression;
        narrowest = to - i;
    }
    v->dropped = !v->branch;
}

/* --- what operators.c finds ----------------------------------------------------------------- */

struct search {
    struct variants *variants;
    const struct code *reference, *code; /* the unchanged function, and its changes */
    const char *text;                    /* of the latter */
    unsigned long print;                 /* of the unchanged function */
    const char *function;
    int line;    /* of the function, in the file */
    bool listed; /* it has a sentence; others serve only as repairs */
    int base;    /* see writing.h */
};

/* Beyond this number, ways are not changed, and no change is made twice, so that a table takes
   little time. */
enum { ENOUGH = 250 };

/* Does the last variant say what the function, or one before it, does? */
static bool is_known(const struct search *f) {
    const struct variant *variants = f->variants->all, *v = &variants[f->variants->count - 1];
    for (; variants < v; variants++)
        if (variants->print == v->print)
            return true;
    return v->print == f->print;
}

/* For the name of a change: no spaces, and not too long. */
static void add_piece(struct text *name, const struct code *c, int from, int to) {
    size_t end = name->length + 21;
    text_add(name, ":", 1);
    for (int i = from; i < to; i++)
        add_tokens(name, c, i, i + 1);
    if (name->length > end)
        name->chars[name->length = end] = '\0';
}

/* Additions to a gradient or to an output stay additions, and no array is empty. */
static bool is_against_header(const struct code *c, const struct code *own, int at) {
    const int array = is(c, at, "+=") && !is(own, at, "+=") ? array_of(c, at - 1) : -1;
    const struct name *n = array >= 0 ? name_at(c, array) : NULL;
    int first = at;
    while (first > 0 && !is(c, first - 1, "; { } ="))
        first--;
    return (n && (n->parameter || n->of || starts_with(c->tokens[n->token].at, "d_"))) ||
           (is(own, at, "0") && is(c, at - 1, "[") && is_declaration(c, first));
}

static void name_change(struct variant *v, const struct change *change, const struct search *f,
                        const struct code *own) {
    const struct code *c = f->code;
    struct text name = {0};
    struct difference d = code_compare(c, own);
    int line = line_of(f->text, c->tokens[change->moved >= 0 ? change->moved : d.from].at);
    text_print(&name, "%s:%d", change->name, line);
    add_piece(&name, c, d.from, d.to);
    add_piece(&name, own, d.from, d.own_to);
    v->name = name.chars;
    v->line = f->line + line - 1;
    v->size = change->size ? change->size : d.to + d.own_to - 2 * d.from;
    v->is_against_header = is_against_header(c, own, d.from);
}

static void take_change(void *context, const struct change *change) {
    struct search *f = context;
    const struct code *c = f->code;
    struct text text = {0};
    struct code own = {0};
    if (f->listed && !*change->says)
        return;
    const char *at = c->tokens[change->from].at, *behind = behind_token(c, change->to - 1);
    text_print(&text, "%.*s%s%s", (int)(at - f->text), f->text, change->text, behind);
    struct variant *v = variants_add(f->variants, GENERATED, f->function, text.chars);
    if (!is_known(f) && code_read_tokens(&own, v->text, strchr(v->text, '\0')) &&
        (f->base == 0 || f->variants->count <= ENOUGH)) {
        v->at = at;
        v->behind = behind;
        v->change = strdup(change->text);
        v->kind = change->kind;
        v->says = strdup(change->says);
        v->means = strdup(change->means);
        v->loops = change->loops;
        v->base = f->base;
        name_change(v, change, f, &own);
        find_branch(v, f->reference, &own);
    } else {
        f->variants->count--;
    }
}

/* Other right forms are changed, too. */
static bool may_be_base(const struct search *f, const struct variant *v) {
    return v->origin == WAY && !v->dropped && strcmp(v->function, f->function) == 0 &&
           f->variants->count < ENOUGH;
}

static void find_changes(struct search f, const char *function) {
    const int count = f.variants->count;
    f.print = code_print(function);
    for (f.base = 0; f.base <= count; f.base++) {
        const struct variant *base = f.base > 0 ? &f.variants->all[f.base - 1] : NULL;
        struct code code;
        if (base && !may_be_base(&f, base))
            continue;
        f.text = base ? base->text : function;
        f.code = &code;
        if (code_read(&code, f.text, strchr(f.text, '\0'), text_of(&f.variants->types)))
            each_change(&code, take_change, &f);
    }
}

/* --- the same change at two places ------------------------------------------------------------ */

/* Names of generated ones are "SIZE:34:rows:cols". Two calls of one function that are left out are
   the same change, too. */
static bool are_same_changes(const struct variant *a, const struct variant *b) {
    const char *of = strchr(strchr(a->name, ':') + 1, ':');
    const char *other = strchr(strchr(b->name, ':') + 1, ':');
    const size_t all = strlen(of) + 1, call = strcspn(of, "(") + 1;
    return strncmp(a->name, b->name, strcspn(a->name, ":") + 1) == 0 &&
           strncmp(of, other, starts_with(a->name, "LEFT") && call < all ? call : all) == 0;
}

/* Both changes of the function, if `b` is behind `a`. */
static void take_both(struct search *f, struct variant a, struct variant b) {
    struct text text = {0};
    struct code own = {0};
    if (b.at < a.behind)
        return;
    text_print(&text, "%.*s%s%.*s%s%s", (int)(a.at - f->text), f->text, a.change,
               (int)(b.at - a.behind), a.behind, b.change, b.behind);
    struct variant *v = variants_add(f->variants, GENERATED, f->function, text.chars);
    const unsigned long print = v->print;
    char *const both = v->text;
    *v = a;
    v->print = print;
    v->text = both;
    v->size = a.size + b.size;
    v->second_line = b.line;
    v->is_against_header = a.is_against_header || b.is_against_header;
    if (is_known(f) || !code_read_tokens(&own, both, strchr(both, '\0')))
        f->variants->count--;
    else
        find_branch(v, f->reference, &own);
}

/* In place of the changes of one place. */
static void find_twins(struct search *f, int first) {
    const int end = f->variants->count;
    for (int i = first; i < end; i++)
        for (int k = first; k < end && f->variants->count < end + ENOUGH; k++)
            if (i != k && are_same_changes(&f->variants->all[i], &f->variants->all[k]))
                take_both(f, f->variants->all[i], f->variants->all[k]);
    for (int i = first; i < end; i++)
        f->variants->all[i].dropped = true;
}

static void find_branch_of(struct variant *v, const struct code *reference) {
    struct code own;
    v->dropped = !code_read_tokens(&own, v->text, strchr(v->text, '\0'));
    if (!v->dropped)
        find_branch(v, reference, &own);
}

/* Listed variants become branches first, then generated ones. */
static void find_variants(struct variants *variants, const struct function *function,
                          struct wanted wanted) {
    struct code code;
    const char *text = copy_of(function->start, function->end);
    struct search f = {variants, &code, .listed = wanted.list,
                       .line = line_of(text_of(&variants->source), function->start)};
    f.function = copy_of(function->name, function->after_name);
    bool asked = !wanted.function || strcmp(wanted.function, f.function) == 0 ||
                 (wanted.helpers && starts_with(function->start, "static"));
    if (code_read(&code, text, strchr(text, '\0'), text_of(&variants->types))) {
        for (int i = 0; i < variants->count; i++)
            if (strcmp(variants->all[i].function, f.function) == 0)
                find_branch_of(&variants->all[i], &code);
        f.print = code_print(text);
        f.text = text;
        f.code = &code;
        for (int i = 0; asked && i < wanted.undone_count; i++)
            each_transplant(&code, &wanted.undone[i], take_change, &f);
        const int first = variants->count;
        if (asked && wanted.generated)
            find_changes(f, text);
        if (wanted.twins)
            find_twins(&f, first);
    }
}

void add_headers(struct text *types, const char *source) {
    char name[NAME_SIZE];
    glob_t found;
    for (const char *line; (line = next_line(&source));)
        if (sscanf(line, "#include \"%255[^\"]\"", name) == 1 && ends_with(name, ".h") &&
            glob(path_of("lessons/*/%s", name), 0, NULL, &found) == 0) {
            const char *header = file_text(found.gl_pathv[0]);
            add_headers(types, header);
            text_print(types, "%s", header);
            globfree(&found);
        }
}

bool variants_make(struct variants *variants, const char *source, struct wanted wanted) {
    *variants = (struct variants){.exercise = wanted.function};
    text_add(&variants->source, source, strlen(source));
    blank_comments(variants->source.chars);
    add_headers(&variants->types, source);
    text_add(&variants->types, source, strlen(source));
    if (wanted.list && !list_read(variants, wanted.list, wanted.function)) {
        *variants = (struct variants){0};
        return false;
    }
    struct function f;
    for (const char *at = variants->source.chars; next_function(variants->source.chars, at, &f);
         at = f.end)
        if (f.whole)
            find_variants(variants, &f, wanted);
    return true;
}

/* --- the C file ----------------------------------------------------------------------------- */

/* The number of a branch's first line, by that of the variant: compilers say where an error is. */
enum { BRANCH_LINES = 1000 };

struct writer {
    const struct variants *variants;
    struct text *c;
    int places;
};

static void put_tokens(struct writer *w, const struct code *c, const char *function, int from,
                       int to);

static bool is_at(const struct variant *v, const char *function, int from) {
    return !v->dropped && v->from == from && strcmp(v->function, function) == 0;
}

/* All variants of one part of a function. What it is comes first, so that an error is found
   in what it may be; and gcc finds two types that do not agree at the colon between them, so that
   it stands with the branch. */
static void put_branches(struct writer *w, const struct code *c, const char *function, int from,
                         int to, bool expression) {
    int place = ++w->places;
    text_print(w->c, expression ? "(slip_at[%d] == 0 ? (" : "{ if (slip_at[%d] == 0) {", place);
    put_tokens(w, c, function, from, to);
    text_print(w->c, expression ? ") :" : "}");
    for (int i = 0; i < w->variants->count; i++) {
        struct variant *v = &w->variants->all[i];
        struct code own;
        if (!is_at(v, function, from) || v->to != to)
            continue;
        v->place = place;
        text_print(w->c, "\n#line %d\n", (i + 1) * BRANCH_LINES);
        text_print(w->c, expression ? "slip_at[%d] == %d ? (" : "else if (slip_at[%d] == %d) {",
                   place, i + 1);
        code_read_tokens(&own, v->branch, v->branch_end);
        put_tokens(w, &own, "", 0, own.count);
        text_print(w->c, expression ? ") :" : "}");
    }
    text_print(w->c, expression ? "\n#line 1\n(" : "\n#line 1\n");
    put_tokens(w, c, "", from, expression ? to : from);
    text_print(w->c, expression ? "))" : "}");
}

/* The widest part that begins there and ends before another token; NULL if none does. */
static const struct variant *part_at(const struct variants *variants, const char *function,
                                     int from, int before) {
    const struct variant *found = NULL;
    for (int i = 0; i < variants->count && *function; i++) {
        const struct variant *v = &variants->all[i];
        if (is_at(v, function, from) && v->to < before && (!found || v->to > found->to))
            found = v;
    }
    return found;
}

/* Does the condition of a loop begin there? */
static bool is_round(const struct code *c, int i) {
    const struct loop *l = head_around(c, i);
    return l ? i == l->first_end + 1 : is(c, i - 1, "(") && is(c, i - 2, "while");
}

/* Tokens, with the branches of that function in them, and a count in each loop. */
static void put_tokens(struct writer *w, const struct code *c, const char *function, int from,
                       int to) {
    for (int i = from; i < to;) {
        const struct variant *part = part_at(w->variants, function, i, i > from ? to + 1 : to);
        if (i > from && is_round(c, i))
            text_print(w->c, is(c, i, "; )") ? "SLIP_ROUND " : "SLIP_ROUND, ");
        if (part)
            put_branches(w, c, function, i, part->to, part->expression);
        else
            add_tokens(w->c, c, i, i + 1);
        i = part ? part->to : i + 1;
        const char *end = behind_token(c, i - 1);
        if (i < to)
            text_add(w->c, end, (size_t)(c->tokens[i].at - end));
    }
}

static void put_list(struct writer *w) {
    const enum long_tests long_tests = w->variants->long_tests;
    text_print(w->c, "\nint slip_at[%d];\nconst struct slip_entry slip_list[] = {\n",
               w->places + 1);
    for (int i = 0; i < w->variants->count; i++) {
        const struct variant *v = &w->variants->all[i];
        if (!v->dropped)
            text_print(w->c, "{%d, %d, %d, %d, \"%s\"},\n", i + 1, v->place,
                       long_tests == STOP_AT_ONE ? -1
                       : long_tests == OF_LISTED ? v->origin == LISTED
                                                 : long_tests == OF_ALL,
                       w->variants->laws_of_ways && v->origin == WAY,
                       w->variants->exercise ? w->variants->exercise : v->function);
    }
    text_print(w->c, "{0, 0, 0, 0, 0}};\n");
}

/* The head of a loop has more in it than a pragma bears: each becomes a comment. */
static void hide_pragmas(char *c) {
    while ((c = strstr(c, "#pragma omp")))
        memcpy(c, "//", 2);
}

void variants_write(struct variants *variants, struct text *c) {
    struct writer w = {variants, c, 0};
    const char *start = text_of(&variants->source), *at = start;
    struct function f;
    text_print(c, "#include \"slip_test.h\"\n");
    for (const char *next = start; next_function(start, next, &f); next = f.end) {
        const char *name = path_of("%.*s", (int)(f.after_name - f.name), f.name);
        struct code code = {0};
        if (f.whole && code_read_tokens(&code, f.start, f.end)) {
            text_add(c, at, (size_t)(f.start - at));
            put_tokens(&w, &code, name, 0, code.count);
            at = f.end;
        }
    }
    text_add(c, at, strlen(at));
    hide_pragmas(c->chars);
    put_list(&w);
}

int variants_drop(struct variants *variants, const char *compiler_said) {
    int dropped = 0;
    for (const char *line; (line = next_line(&compiler_said));) {
        int branch = strstr(line, ": error:") ? atoi(strchr(line, ':') + 1) / BRANCH_LINES : 0;
        if (branch < 1 || branch > variants->count || variants->all[branch - 1].dropped)
            continue;
        variants->all[branch - 1].dropped = true;
        dropped++;
    }
    return dropped;
}
