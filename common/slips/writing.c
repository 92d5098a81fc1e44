#include "writing.h"

#include "../tutor/source.h"
#include "list.h"
#include "operators.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long print_of(const char *text) {
    unsigned long print = 5381;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            print = print * 33 + (unsigned char)*text;
    return print;
}

struct variant *family_add(struct family *f, enum origin origin, const char *function,
                           const char *text) {
    f->variants = with_room(f->variants, f->count, sizeof *f->variants);
    struct variant *v = &f->variants[f->count++];
    *v = (struct variant){.origin = origin, .function = strdup(function), .text = strdup(text)};
    blank_comments(v->text);
    v->print = print_of(v->text);
    return v;
}

void family_free(struct family *family) {
    for (int i = 0; i < family->count; i++) {
        struct variant *v = &family->variants[i];
        free(v->function);
        free(v->name);
        free(v->says);
        free(v->sees);
        free(v->text);
        free(v->branch);
    }
    free(family->variants);
    text_free(&family->source);
    text_free(&family->types);
    *family = (struct family){0};
}

struct text family_plant(const char *source, const struct variant *variant) {
    struct text made = {0};
    const char *from, *to;
    if (!find_definition(source, variant->function, &from, &to))
        return made;
    text_add(&made, source, (size_t)(from - source));
    text_add(&made, variant->text, strlen(variant->text));
    text_add(&made, to, strlen(to));
    return made;
}

/* --- the part of a function that is another ------------------------------------------------- */

static bool same_word(const struct code *a, int i, const struct code *b, int k) {
    const struct token *t = &a->tokens[i], *u = &b->tokens[k];
    return t->to - t->from == u->to - u->from &&
           strncmp(a->text.chars + t->from, b->text.chars + u->from, (size_t)(t->to - t->from)) ==
               0;
}

/* The first that differs, and how many are the same at the end. */
static void compare(const struct code *a, const struct code *b, int *first, int *last) {
    int fewer = a->count < b->count ? a->count : b->count;
    *first = *last = 0;
    while (*first < fewer && same_word(a, *first, b, *first))
        ++*first;
    while (*last < fewer - *first && same_word(a, a->count - 1 - *last, b, b->count - 1 - *last))
        ++*last;
}

/* A static is set before anything runs. */
static bool is_static(const struct code *c, int i) {
    while (i > c->open + 1 && !is_any(c, i - 1, " ; { } "))
        i--;
    return is(c, i, "static");
}

static bool starts_part_of_head(const struct loop *l, const struct code *c, int i) {
    return i == l->first_end + 1 || i == l->second_end + 1 ||
           (i < l->first_end && is(c, i - 1, "="));
}

/* An expression that may be another one: an argument, a condition, a result, a first value. */
static bool starts_expression(const struct code *c, int i) {
    if (head_around(c, i))
        return starts_part_of_head(head_around(c, i), c, i);
    int open = bracket_around(c, i);
    const struct name *n = is(c, i - 1, "=") ? name_at(c, i - 2) : NULL;
    return is(c, i - 1, "return") || (is(c, i - 1, "(") && is_any(c, i - 2, " if while ")) ||
           (n && n->token == i - 2 && !is(c, i, "{") && !is_static(c, i)) ||
           (is_any(c, i - 1, " ( , ") && open >= 0 && is_call(c, open - 1));
}

static int behind_part(const struct code *c, int i, bool *expression) {
    *expression = starts_expression(c, i);
    if (*expression)
        return behind_expression(c, i);
    bool of_do = is(c, i, "while") && is(c, behind_one(c, i + 1), ";");
    bool statement = i == c->open || (starts_statement(c, i) && !of_do && !is_declaration(c, i) &&
                                      !head_around(c, i) && !is_any(c, i, " case default "));
    return statement ? behind_statement(c, i) : -1;
}

/* Can it stand between brackets, or braces? */
static bool stands_alone(const char *branch, bool expression) {
    int depth = 0;
    if (expression && !branch[strspn(branch, " \t\n")])
        return false;
    for (; *branch; branch++) {
        depth += (strchr("([{", *branch) != NULL) - (strchr(")]}", *branch) != NULL);
        if (depth < 0 || (expression && depth == 0 && strchr(";,", *branch)))
            return false;
    }
    return depth == 0;
}

static void add_part(struct text *text, const struct code *c, int from, int to) {
    add_tokens(text, c, from, to);
    text_add(text, " ", to > from);
}

/* The part of the function from .. to, as it is in the variant. */
static struct text branch_of(const struct code *c, const struct code *own, int from, int to,
                             int first, int last) {
    struct text branch = {0};
    add_part(&branch, c, from, first);
    add_part(&branch, own, first, own->count - last);
    add_part(&branch, c, c->count - last, to);
    return branch;
}

/* Can these tokens stand where a statement did? In a block it may be several, but nothing that is
   declared there is known behind them. */
static bool are_statements(const struct code *own, int from, int to) {
    bool several = is_any(own, from - 1, " ; { } ");
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
    int first, last, narrowest = c->count + 1;
    compare(c, own, &first, &last);
    for (int i = c->open; i <= first; i++) {
        bool expression;
        int to = behind_part(c, i, &expression);
        if (to < c->count - last || to < first || to <= i || to - i >= narrowest ||
            !(expression || i == c->open || are_statements(own, i, own->count - c->count + to)))
            continue;
        struct text branch = branch_of(c, own, i, to, first, last);
        if (stands_alone(text_of(&branch), expression)) {
            free(v->branch);
            v->branch = strdup(text_of(&branch));
            v->from = i;
            v->to = to;
            v->expression = expression;
            narrowest = to - i;
        }
        text_free(&branch);
    }
    v->stillborn = !v->branch;
}

/* --- what operators.c finds ----------------------------------------------------------------- */

struct finding {
    struct family *family;
    const struct code *reference, *code; /* the function as it is, and what is changed of it */
    struct path function;
    int line;   /* of the function, in the file */
    int base;   /* see writing.h */
    int enough; /* then: so many variants */
    unsigned long print;
};

/* Beyond so many no way is changed: a table has to be there soon; nor a slip once more. */
enum { ENOUGH = 250, ENOUGH_FOR_PAIRS = 1500 };

static bool is_known(const struct finding *f, unsigned long print) {
    bool known = print == f->print;
    for (int i = 0; i < f->family->count && !known; i++)
        known = f->family->variants[i].print == print &&
                strcmp(f->family->variants[i].function, f->function.chars) == 0;
    return known;
}

/* For the name of a change: no spaces, and not too long. */
static void add_piece(struct text *name, const struct code *c, int from, int to) {
    size_t end = name->length + 21;
    text_add(name, ":", 1);
    for (int i = from; i < to; i++)
        text_add(name, c->text.chars + c->tokens[i].from,
                 (size_t)(c->tokens[i].to - c->tokens[i].from));
    if (name->length > end)
        name->chars[name->length = end] = '\0';
}

static void name_change(struct variant *v, const struct change *change, const struct finding *f,
                        const struct code *own) {
    const struct code *c = f->code;
    struct text name = {0};
    int first, last;
    compare(c, own, &first, &last);
    int place = change->moved >= 0 ? change->moved : first;
    int line = line_of(c->text.chars, c->text.chars + c->tokens[place].from);
    text_print(&name, "%s:%d", change->name, line);
    add_piece(&name, c, first, c->count - last);
    add_piece(&name, own, first, own->count - last);
    v->name = name.chars;
    v->line = f->line + line - 1;
}

/* A slip of a way has the whole function to itself; one that is made twice, the place of the first,
   or it would be found as one of two. */
static bool is_inside_base(const struct finding *f, const struct code *own) {
    const struct variant *base = &f->family->variants[f->base - 1];
    int first, last;
    compare(f->code, own, &first, &last);
    return base->origin == WAY || (first >= base->from && f->reference->count - last <= base->to);
}

static void take_change(void *context, const struct change *change) {
    struct finding *f = context;
    const char *whole = f->code->text.chars;
    struct text text = {0};
    struct code own;
    text_add(&text, whole, (size_t)change->from);
    text_add(&text, change->text, strlen(change->text));
    text_add(&text, whole + change->to, strlen(whole + change->to));
    code_read_tokens(&own, text.chars, text.length);
    if (!is_known(f, print_of(text.chars)) &&
        (f->base == 0 || (f->family->count < f->enough && is_inside_base(f, &own)))) {
        struct variant *v = family_add(f->family, GENERATED, f->function.chars, text.chars);
        v->kind = change->kind;
        v->says = strdup(change->says);
        v->base = f->base;
        name_change(v, change, f, &own);
        find_branch(v, f->reference, &own);
    }
    code_free(&own);
    text_free(&text);
}

static void find_listed_branch(struct variant *v, const struct code *code) {
    struct code own;
    code_read_tokens(&own, v->text, strlen(v->text));
    find_branch(v, code, &own);
    code_free(&own);
}

static bool is_wanted(const struct function *f, struct wanted wanted) {
    size_t length = (size_t)(f->after_name - f->name);
    if (!wanted.function)
        return true;
    if (strlen(wanted.function) == length && strncmp(f->name, wanted.function, length) == 0)
        return true;
    return wanted.helpers && starts_with(f->start, "static");
}

static void find_changes(struct finding f, const struct code *code) {
    f.code = code;
    f.print = print_of(code->text.chars);
    each_change(code, take_change, &f);
}

/* Of other right forms, too, and of slips that are not the only one. */
static void find_changes_of_listed(struct finding f, struct wanted wanted) {
    int count = f.family->count;
    f.enough = wanted.doubles ? ENOUGH_FOR_PAIRS : ENOUGH;
    for (f.base = 1; f.base <= count && f.family->count < f.enough; f.base++) {
        const struct variant *v = &f.family->variants[f.base - 1];
        struct code code;
        if (v->origin == GENERATED || (v->origin == LISTED && !wanted.doubles) || v->stillborn ||
            strcmp(v->function, f.function.chars) != 0)
            continue;
        if (code_read(&code, v->text, strlen(v->text), text_of(&f.family->types)))
            find_changes(f, &code);
        code_free(&code);
    }
}

/* What is listed becomes branches; then what is generated. */
static void find_variants(struct finding f, const struct code *code, bool listed_only,
                          struct wanted wanted) {
    f.reference = code;
    for (int i = 0; i < f.family->count; i++)
        if (strcmp(f.family->variants[i].function, f.function.chars) == 0)
            find_listed_branch(&f.family->variants[i], code);
    if (listed_only)
        return;
    find_changes(f, code);
    find_changes_of_listed(f, wanted);
}

static void find_all_variants(struct family *family, struct wanted wanted) {
    const char *start = text_of(&family->source), *from, *to;
    struct function f;
    for (const char *at = start; next_function(start, at, &f); at = f.end) {
        struct code code = {0};
        struct finding finding = {family, .line = line_of(start, f.start)};
        finding.function = path_of("%.*s", (int)(f.after_name - f.name), f.name);
        if (body_of(start, &f) && find_definition(start, finding.function.chars, &from, &to) &&
            code_read(&code, from, (size_t)(to - from), text_of(&family->types)))
            find_variants(finding, &code, !wanted.generated || !is_wanted(&f, wanted), wanted);
        code_free(&code);
    }
}

/* What it includes of lessons. */
static void add_headers(struct text *types, const char *source) {
    char line[1024], name[NAME_SIZE];
    glob_t found;
    while (next_line(&source, line, sizeof line))
        if (sscanf(line, "#include \"%255[^\"]\"", name) == 1 &&
            glob(path_of("lessons/*/%s", name).chars, 0, NULL, &found) == 0) {
            struct text header;
            if (text_read_file(&header, found.gl_pathv[0]))
                add_headers(types, header.chars);
            text_add(types, text_of(&header), header.length);
            text_free(&header);
            globfree(&found);
        }
}

bool family_make(struct family *family, const char *source, struct wanted wanted) {
    *family = (struct family){.exercise = wanted.function};
    text_add(&family->source, source, strlen(source));
    blank_comments(family->source.chars);
    if (wanted.list && !list_read(family, wanted.list, wanted.function)) {
        family_free(family);
        return false;
    }
    add_headers(&family->types, source);
    text_add(&family->types, source, strlen(source));
    find_all_variants(family, wanted);
    return true;
}

/* --- the C file ----------------------------------------------------------------------------- */

/* The number of a branch's first line, by that of the variant: compilers say where an error is. */
enum { BRANCH_LINES = 1000 };

struct writer {
    const struct family *family;
    struct text *c;
    int places;
};

static void put_tokens(struct writer *w, const struct code *c, const char *function, int from,
                       int to);

static bool is_at(const struct variant *v, const char *function, int from) {
    return !v->stillborn && v->from == from && strcmp(v->function, function) == 0;
}

/* All that may stand in one part of a function. */
static void put_branches(struct writer *w, const struct code *c, const char *function, int from,
                         int to, bool expression) {
    int place = ++w->places;
    text_print(w->c, expression ? "(slip_at[%d] == 0 ? (" : "{ if (slip_at[%d] == 0) {", place);
    put_tokens(w, c, function, from, to);
    text_print(w->c, expression ? ")" : "}");
    for (int i = 0; i < w->family->count; i++) {
        struct variant *v = &w->family->variants[i];
        struct code own;
        if (!is_at(v, function, from) || v->to != to)
            continue;
        v->place = place;
        text_print(w->c, "\n#line %d\n", (i + 1) * BRANCH_LINES);
        text_print(w->c, expression ? ": slip_at[%d] == %d ? (" : "else if (slip_at[%d] == %d) {",
                   place, i + 1);
        code_read_tokens(&own, v->branch, strlen(v->branch));
        put_tokens(w, &own, "", 0, own.count);
        code_free(&own);
        text_print(w->c, expression ? ")" : "}");
    }
    text_print(w->c, expression ? "\n#line 1\n: (" : "\n#line 1\n}");
    if (expression) {
        put_tokens(w, c, "", from, to);
        text_print(w->c, "))");
    }
}

/* The widest part that begins there and ends before another token; NULL if none does. */
static const struct variant *part_at(const struct family *family, const char *function, int from,
                                     int before) {
    const struct variant *found = NULL;
    for (int i = 0; i < family->count && *function; i++) {
        const struct variant *v = &family->variants[i];
        if (is_at(v, function, from) && v->to < before && (!found || v->to > found->to))
            found = v;
    }
    return found;
}

/* Does the condition of a loop begin there? */
static bool is_round(const struct code *c, int i) {
    if (is(c, i - 1, "("))
        return is(c, i - 2, "while");
    int k = i - 2;
    while (is(c, i - 1, ";") && k >= 0 && !is(c, k, ";") && !opens(c, k))
        k = closes(c, k) ? c->tokens[k].match - 1 : k - 1;
    return is(c, i - 1, ";") && k > 0 && is(c, k, "(") && is(c, k - 1, "for");
}

/* Tokens, with the branches of that function in them, and a count in each loop. */
static void put_tokens(struct writer *w, const struct code *c, const char *function, int from,
                       int to) {
    for (int i = from; i < to;) {
        const struct variant *part = part_at(w->family, function, i, i > from ? to + 1 : to);
        if (i > from && is_round(c, i))
            text_print(w->c, is_any(c, i, " ; ) ") ? "SLIP_ROUND " : "SLIP_ROUND, ");
        if (part)
            put_branches(w, c, function, i, part->to, part->expression);
        else
            text_add(w->c, c->text.chars + c->tokens[i].from,
                     (size_t)(c->tokens[i].to - c->tokens[i].from));
        i = part ? part->to : i + 1;
        int end = c->tokens[i - 1].to;
        if (i < to)
            text_add(w->c, c->text.chars + end, (size_t)(c->tokens[i].from - end));
    }
}

static void put_function(struct writer *w, const char *name, const char *from, const char *to) {
    struct code code;
    if (code_read(&code, from, (size_t)(to - from), ""))
        put_tokens(w, &code, name, 0, code.count);
    else
        text_add(w->c, from, (size_t)(to - from));
    code_free(&code);
}

static void put_list(struct writer *w) {
    text_print(w->c, "\nint slip_at[%d];\nconst struct slip_entry slip_list[] = {\n",
               w->places + 1);
    for (int i = 0; i < w->family->count; i++) {
        const struct variant *v = &w->family->variants[i];
        if (!v->stillborn)
            text_print(w->c, "{%d, %d, %d, \"%s\"},\n", i + 1, v->place, v->base,
                       w->family->exercise ? w->family->exercise : v->function);
    }
    text_print(w->c, "{0, 0, 0, 0}};\n");
}

void family_write(struct family *family, struct text *c) {
    struct writer w = {family, c, 0};
    const char *start = text_of(&family->source), *at = start, *to, *from;
    struct function f;
    text_print(c, "#include \"running.h\"\n");
    for (const char *next = start; next_function(start, next, &f); next = f.end) {
        struct path name = path_of("%.*s", (int)(f.after_name - f.name), f.name);
        if (!body_of(start, &f) || !find_definition(start, name.chars, &from, &to) || from < at)
            continue;
        text_add(c, at, (size_t)(from - at));
        put_function(&w, name.chars, from, to);
        at = to;
    }
    text_add(c, at, strlen(at));
    put_list(&w);
}

int family_drop(struct family *family, const char *compiler_said) {
    char line[2000];
    int dropped = 0, elsewhere = 0;
    while (next_line(&compiler_said, line, sizeof line)) {
        const char *error = strstr(line, ": error:"), *number = strchr(line, ':');
        if (!error || !number || number > error)
            continue;
        int branch = atoi(number + 1) / BRANCH_LINES;
        struct variant *v =
            branch >= 1 && branch <= family->count ? &family->variants[branch - 1] : NULL;
        elsewhere += !v;
        dropped += v && !v->stillborn;
        if (v)
            v->stillborn = true;
    }
    return dropped == 0 && elsewhere > 0 ? -1 : dropped;
}
