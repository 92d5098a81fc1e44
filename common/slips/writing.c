#include "writing.h"

#include "../tutor/source.h"
#include "operators.h"
#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond so many, no other form of the function is changed, too: a table has to be there in a
 * second. */
enum { ENOUGH = 250, ENOUGH_FOR_PAIRS = 2500, MOST = 6000 };

static char *copy(const char *text, size_t length) {
    char *made = malloc(length + 1);
    if (!made)
        abort();
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

static unsigned long print_of(const char *text) {
    unsigned long print = 5381;
    for (; *text; text++)
        if (!isspace((unsigned char)*text))
            print = print * 33 + (unsigned char)*text;
    return print;
}

static struct variant *add_variant(struct family *f, enum origin origin, const char *function) {
    f->variants = realloc(f->variants, sizeof *f->variants * (size_t)(f->count + 1));
    if (!f->variants)
        abort();
    struct variant *v = &f->variants[f->count++];
    *v = (struct variant){.origin = origin};
    snprintf(v->function, sizeof v->function, "%s", function);
    return v;
}

/* --- the list ------------------------------------------------------------------------------- */

static const char *trimmed(const char *line) {
    static char kept[2][1000];
    static int next;
    char *text = kept[next++ % 2];
    snprintf(text, sizeof kept[0], "%s", line + strspn(line, " \t"));
    for (size_t n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]);)
        text[--n] = '\0';
    return text;
}

struct patch {
    const char *path;
    int number; /* of the line */
    char name[NAME_SIZE], function[NAME_SIZE];
    enum origin origin;
    struct text says, sees, reason;
    struct text text;    /* the function as far as it is changed */
    char *old[40], *new; /* the pair at hand */
    int olds;
    struct text *goes_on; /* says or sees */
};

static bool complain(const struct patch *p, const char *what, const char *which) {
    fprintf(stderr, "%s:%d: %s: %s%s\n", p->path, p->number, p->name, what, which);
    return false;
}

/* The old lines where they stand in the function, once. */
static bool replace_lines(struct patch *p) {
    struct text changed = {0};
    const char *lines[400], *at = text_of(&p->text);
    int count = 0, place = -1, places = 0;
    for (; *at && count < 398; at += strcspn(at, "\n"), at += *at == '\n')
        lines[count++] = at;
    lines[count] = at;
    for (int i = 0; p->olds > 0 && i + p->olds <= count; i++) {
        int same = 0;
        for (; same < p->olds; same++) {
            char line[1000];
            const char *from = lines[i + same];
            next_line(&from, line, sizeof line);
            if (strcmp(trimmed(line), p->old[same]) != 0)
                break;
        }
        if (same == p->olds) {
            place = i;
            places++;
        }
    }
    if (p->olds > 0 && places != 1)
        return complain(p, places ? "there are several lines " : "there is no line ", p->old[0]);
    if (p->olds > 0) {
        text_add(&changed, lines[0], (size_t)(lines[place] - lines[0]));
        if (p->new) { /* as far to the right as before: only what differs is a change */
            const char *new = p->new + strspn(p->new, " ");
            text_add(&changed, lines[place], strspn(lines[place], " "));
            text_add(&changed, new, strlen(new));
        }
        text_add(&changed, lines[place + p->olds], strlen(lines[place + p->olds]));
        text_free(&p->text);
        p->text = changed;
    }
    while (p->olds > 0)
        free(p->old[--p->olds]);
    free(p->new);
    p->new = NULL;
    return true;
}

static void free_patch(struct patch *p) {
    text_free(&p->says);
    text_free(&p->sees);
    text_free(&p->reason);
    text_free(&p->text);
    while (p->olds > 0)
        free(p->old[--p->olds]);
    free(p->new);
    *p = (struct patch){.path = p->path, .number = p->number};
}

static bool end_patch(struct patch *p, struct family *family, const char *only) {
    if (!p->name[0]) {
        text_free(&p->reason);
        return true;
    }
    if (!p->function[0])
        return complain(p, "no line: in FUNCTION", "");
    if (!replace_lines(p))
        return false;
    if ((p->origin == LISTED) != (p->says.length + p->sees.length > 0))
        return complain(p, p->origin == LISTED ? "it says nothing" : "a way says nothing", "");
    if (!only || strcmp(only, p->function) == 0) {
        struct variant *v = add_variant(family, p->origin, p->function);
        v->name = copy(p->name, strlen(p->name));
        v->says = p->says.length ? copy(text_of(&p->says), p->says.length) : NULL;
        v->sees = p->sees.length ? copy(text_of(&p->sees), p->sees.length) : NULL;
        v->text = copy(text_of(&p->text), p->text.length);
        blank_comments(v->text);
        v->print = print_of(v->text);
    }
    free_patch(p);
    return true;
}

static bool take_function(struct patch *p, const char *name, const char *source) {
    const char *from, *to;
    snprintf(p->function, sizeof p->function, "%.255s", name);
    if (!find_definition(source, name, &from, &to))
        return complain(p, "no function ", name);
    text_add(&p->text, from, (size_t)(to - from));
    return true;
}

/* "like  02-dot-product  NAME": the sentence of a slip in another lesson's list. */
static bool take_sentence(struct patch *p, const char *words) {
    char lesson[NAME_SIZE], name[NAME_SIZE], line[1000], found[NAME_SIZE] = "";
    bool inside = false;
    struct text list = {0};
    if (sscanf(words, "%255s %255s", lesson, name) != 2 ||
        !text_read_file(&list, path_of("tests/%s/slips", lesson).chars))
        return complain(p, "like which lesson and slip? ", words);
    for (const char *at = text_of(&list); next_line(&at, line, sizeof line);) {
        sscanf(line, "slip %255s", found);
        inside = (inside && line[0] == ' ') || starts_with(line, "says ");
        if (inside && strcmp(found, name) == 0)
            text_print(&p->says, "%s%s", p->says.length ? " " : "",
                       trimmed(line + (line[0] == ' ' ? 0 : 5)));
    }
    text_free(&list);
    return p->says.length > 0 || complain(p, "there is no such slip: ", words);
}

static bool take_line(struct patch *p, const char *line, struct family *family, const char *only) {
    struct path word = path_of("%s", trimmed(strchr(line, ' ') ? strchr(line, ' ') : ""));
    bool slip = starts_with(line, "slip "), says = starts_with(line, "says ");
    if (line[0] == ' ' && p->goes_on) {
        text_print(p->goes_on, " %s", trimmed(line));
        return true;
    }
    bool same = starts_with(line, "same ");
    p->goes_on = same ? &p->reason : NULL;
    if (line[0] == '#' || !trimmed(line)[0] || same)
        return true;
    if (slip || starts_with(line, "way ")) {
        if (!end_patch(p, family, only))
            return false;
        snprintf(p->name, sizeof p->name, "%.255s", word.chars);
        p->origin = slip ? LISTED : WAY;
        return true;
    }
    if (starts_with(line, "in "))
        return take_function(p, word.chars, text_of(&family->source));
    if (line[0] == '-' && p->new && !replace_lines(p))
        return false;
    if (line[0] == '-' && p->olds < 40) {
        p->old[p->olds++] = copy(trimmed(line + 1), strlen(trimmed(line + 1)));
        return true;
    }
    if (line[0] == '+' && p->olds > 0) {
        struct text new = {p->new, p->new ? strlen(p->new) : 0};
        text_print(&new, "%s\n", line + 1);
        p->new = new.chars;
        return true;
    }
    if (starts_with(line, "like "))
        return take_sentence(p, word.chars);
    if (!says && !starts_with(line, "sees "))
        return complain(p, "what is this: ", line);
    p->goes_on = says ? &p->says : &p->sees;
    text_print(p->goes_on, "%s", word.chars);
    return true;
}

static bool read_list(struct family *family, struct wanted wanted) {
    struct text list;
    struct patch patch = {.path = wanted.list};
    char line[2000];
    bool good = text_read_file(&list, wanted.list);
    if (!good)
        fprintf(stderr, "%s cannot be read\n", wanted.list);
    for (const char *at = text_of(&list); good && next_line(&at, line, sizeof line);) {
        patch.number++;
        good = take_line(&patch, line, family, wanted.function);
    }
    good = good && end_patch(&patch, family, wanted.function);
    free_patch(&patch);
    text_free(&list);
    return good;
}

/* --- what operators.c finds ----------------------------------------------------------------- */

struct finding {
    struct family *family;
    const struct code *code;
    int form, first_line;
};

static char *changed(const char *text, const struct change *change) {
    struct text made = {0};
    struct edit edits[MOST_EDITS];
    int at = 0, count = change->count;
    memcpy(edits, change->edits, sizeof edits);
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && edits[k].from < edits[k - 1].from; k--) {
            struct edit e = edits[k];
            edits[k] = edits[k - 1];
            edits[k - 1] = e;
        }
    for (int i = 0; i < count; i++) {
        text_add(&made, text + at, (size_t)(edits[i].from - at));
        text_print(&made, " ");
        text_add(&made, edits[i].text, strlen(edits[i].text));
        text_print(&made, " ");
        at = edits[i].to;
    }
    text_add(&made, text + at, strlen(text + at));
    return made.chars;
}

static bool is_known(const struct finding *f, const char *function, unsigned long print) {
    if (print == print_of(f->code->text))
        return true;
    for (int i = 0; i < f->family->count; i++) {
        const struct variant *v = &f->family->variants[i];
        if (v->print == print && strcmp(v->function, function) == 0)
            return true;
    }
    return false;
}

/* The last token of the argument that begins there; -1 if none does. */
static int argument_end_at(const struct code *c, int i) {
    int open = i - 1, end = i;
    if (!is_any(c, open, " ( , "))
        return -1;
    while (open > c->open && !is_any(c, open, " ; { } ") && c->tokens[open].match <= i)
        open = is_any(c, open, " ) ] ") ? c->tokens[open].match - 1 : open - 1;
    if (!is(c, open, "(") || !is_call(c, open - 1))
        return -1;
    while (end < c->tokens[open].match && !is(c, end, ","))
        end = c->tokens[end].match > end ? c->tokens[end].match + 1 : end + 1;
    return end - 1;
}

/* A static is set before anything runs. */
static bool is_static(const struct code *c, int i) {
    while (i > c->open + 1 && !is_any(c, i - 1, " ; { } "))
        i--;
    return is(c, i, "static");
}

/* The expression or plain statement that begins with this token and may be a branch of its own. */
static int unit_end(const struct code *c, int i, bool *expression) {
    const struct loop *head = head_around(c, i);
    *expression = true;
    if (head && i == head->first_end + 1)
        return head->second_end - 1;
    if (head && i == head->second_end + 1)
        return head->close - 1;
    if (head && head->variable >= 0 && i == head->variable + 2)
        return head->first_end - 1;
    if (head)
        return -1;
    if (is(c, i - 1, "(") && is_any(c, i - 2, " if while "))
        return c->tokens[i - 1].match - 1;
    if (is(c, i - 1, "return"))
        return statement_end(c, i) - 1;
    if (is(c, i - 1, "=") && c->tokens[i - 2].kind == NAME && !is(c, i, "{")) {
        const struct name *n = name_at(c, i - 2);
        int end = statement_end(c, i), comma = i;
        while (comma < end && !is(c, comma, ","))
            comma = c->tokens[comma].match > comma ? c->tokens[comma].match + 1 : comma + 1;
        if (comma < end || is_static(c, i))
            return -1; /* several names, or a value that must be a constant */
        if (n && n->token == i - 2)
            return end - 1;
    }
    int argument = argument_end_at(c, i);
    if (argument >= 0)
        return argument;
    *expression = false;
    if (!starts_statement(c, i) || is_declaration(c, i) ||
        is_any(c, i, " for if while do return switch case default else break continue { "))
        return -1;
    return statement_end(c, i);
}

/* Can it stand between brackets, or braces? */
static bool stands_alone(const char *local, bool expression) {
    int depth = 0;
    if (expression && !local[strspn(local, " \t\n")])
        return false;
    for (; *local; local++) {
        depth += (strchr("([{", *local) != NULL) - (strchr(")]}", *local) != NULL);
        if (depth < 0 || (expression && depth == 0 && strchr(";,", *local)))
            return false;
    }
    return depth == 0;
}

/* The narrowest unit around the letters from .. to, which are what is changed, makes it a branch.
 */
static void localize(struct variant *v, const struct code *c, int from, int to) {
    int own_to = (int)strlen(v->text) - ((int)strlen(c->text) - to), first = from, last = to;
    while (first < last && isspace((unsigned char)c->text[first]))
        first++;
    while (first < last && isspace((unsigned char)c->text[last - 1]))
        last--;
    for (int i = c->open + 1; i < c->close && c->tokens[i].from <= first; i++) {
        struct text local = {0};
        bool expression;
        int end = unit_end(c, i, &expression);
        if (end < i || c->tokens[end].to < last)
            continue;
        int unit = c->tokens[i].from, unit_to = c->tokens[end].to;
        if (unit < from)
            text_add(&local, c->text + unit, (size_t)(from - unit));
        text_add(&local, v->text + from, (size_t)(own_to - from));
        if (to < unit_to)
            text_add(&local, c->text + to, (size_t)(unit_to - to));
        if (!stands_alone(local.chars, expression)) {
            text_free(&local);
            continue;
        }
        free(v->local);
        v->local = local.chars;
        v->from = unit;
        v->to = unit_to;
        v->expression = expression;
    }
}

static void localize_change(struct variant *v, const struct code *c, const struct change *change) {
    int from = change->edits[0].from, to = change->edits[0].to;
    for (int i = 1; i < change->count; i++) {
        from = change->edits[i].from < from ? change->edits[i].from : from;
        to = change->edits[i].to > to ? change->edits[i].to : to;
    }
    localize(v, c, from, to);
}

/* A listed slip is what differs from the reference. */
static void localize_listed(struct variant *v, const struct code *c) {
    int length = (int)strlen(c->text), own = (int)strlen(v->text), from = 0, tail = 0;
    while (from < length && from < own && c->text[from] == v->text[from])
        from++;
    while (tail < length - from && tail < own - from &&
           c->text[length - 1 - tail] == v->text[own - 1 - tail])
        tail++;
    localize(v, c, from, length - tail);
}

/* Ways get no copies: they would double the time that a table takes. */
static bool is_branch(const struct finding *f, char *text, const struct change *change) {
    struct variant v = {.text = text};
    localize_change(&v, f->code, change);
    bool branch = v.local;
    free(v.local);
    return branch;
}

/* For the name of a change: not too long, and on one line. */
static void add_piece(char *name, size_t size, const char *text, int length) {
    enum { LETTERS = 20 };
    size_t at = strlen(name), end = at + LETTERS < size - 2 ? at + LETTERS : size - 2;
    for (int i = 0; i < length && at < end; i++)
        if (!isspace((unsigned char)text[i]))
            name[at++] = text[i];
        else if (!strchr(": ", name[at - 1]))
            name[at++] = ' ';
    while (name[at - 1] == ' ')
        at--;
    name[at] = '\0';
}

static void take_change(void *context, const struct change *change) {
    struct finding *f = context;
    char function[NAME_SIZE], name[200];
    const struct token *t = &f->code->tokens[f->code->name];
    snprintf(function, sizeof function, "%.*s", t->to - t->from, f->code->text + t->from);
    char *text = changed(f->code->text, change);
    unsigned long print = print_of(text);
    if (f->family->count == MOST || is_known(f, function, print) ||
        (f->form > 0 && !is_branch(f, text, change))) {
        free(text);
        return;
    }
    struct variant *v = add_variant(f->family, GENERATED, function);
    int at = f->code->tokens[change->token].from;
    v->text = text;
    v->print = print;
    v->form = f->form;
    v->kind = change->kind;
    v->says = copy(change->says, strlen(change->says));
    v->line = f->form ? 0 : f->first_line + line_of(f->code->text, f->code->text + at) - 1;
    const struct edit *e = &change->edits[change->count - 1];
    int length = e->to - e->from;
    snprintf(name, sizeof name, "%s:%d:", change->name, line_of(f->code->text, f->code->text + at));
    add_piece(name, sizeof name, f->code->text + e->from, length);
    strcat(name, ":");
    add_piece(name, sizeof name, e->text, (int)strlen(e->text));
    v->name = copy(name, strlen(name));
    localize_change(v, f->code, change);
}

static void find_changes(struct family *family, const char *text, int form, int first_line) {
    struct code code;
    struct finding finding = {family, &code, form, first_line};
    if (code_read(&code, text, (int)strlen(text)))
        each_change(&code, take_change, &finding);
    code_free(&code);
}

static void make_branches_of_the_list(struct family *family) {
    const char *from, *to;
    for (int i = 0; i < family->count; i++) {
        struct variant *v = &family->variants[i];
        struct code code = {0};
        if (v->origin == LISTED &&
            find_definition(text_of(&family->source), v->function, &from, &to) &&
            code_read(&code, from, (int)(to - from)))
            localize_listed(v, &code);
        code_free(&code);
    }
}

static bool is_wanted(const struct function *f, const char *end, struct wanted wanted) {
    size_t length = (size_t)(f->after_name - f->name);
    if (!wanted.function)
        return true;
    if (strlen(wanted.function) == length && strncmp(f->name, wanted.function, length) == 0)
        return true;
    return wanted.helpers && end && strncmp(f->start, "static", 6) == 0;
}

bool family_make(struct family *family, const char *source, struct wanted wanted) {
    struct function f;
    *family = (struct family){.exercise = wanted.function};
    text_add(&family->source, source, strlen(source));
    blank_comments(family->source.chars);
    if (wanted.list && !read_list(family, wanted)) {
        family_free(family);
        return false;
    }
    int listed = family->count;
    make_branches_of_the_list(family);
    const char *start = text_of(&family->source), *from, *to;
    for (const char *at = start; wanted.generated && next_function(start, at, &f); at = f.end) {
        struct path name = path_of("%.*s", (int)(f.after_name - f.name), f.name);
        if (!body_of(start, &f) || !is_wanted(&f, f.end, wanted) ||
            !find_definition(start, name.chars, &from, &to))
            continue;
        char *text = copy(from, (size_t)(to - from));
        find_changes(family, text, 0, line_of(start, from));
        free(text);
    }
    for (int i = 0; wanted.generated && i < listed &&
                    family->count < (wanted.doubles ? ENOUGH_FOR_PAIRS : ENOUGH);
         i++)
        if (family->variants[i].origin == WAY ||
            (wanted.doubles && family->variants[i].origin == LISTED &&
             !family->variants[i].local)) {
            char *text = copy(family->variants[i].text, strlen(family->variants[i].text));
            find_changes(family, text, i + 1, 0);
            free(text);
        }
    return true;
}

void family_free(struct family *family) {
    for (int i = 0; i < family->count; i++) {
        struct variant *v = &family->variants[i];
        free(v->name);
        free(v->says);
        free(v->sees);
        free(v->text);
        free(v->local);
    }
    free(family->variants);
    text_free(&family->source);
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

/* --- the C file ----------------------------------------------------------------------------- */

struct writer {
    struct family *family;
    struct text *c;
    int line, unit;
};

static void put(struct writer *w, const char *text, size_t length) {
    text_add(w->c, text, length);
    for (size_t i = 0; i < length; i++)
        w->line += text[i] == '\n';
}

__attribute__((format(printf, 2, 3))) static void put_line(struct writer *w, const char *format,
                                                           ...) {
    char line[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put(w, line, strlen(line));
}

static void put_variant(struct writer *w, struct variant *v, const char *open, const char *close) {
    put_line(w, "\n%s", open);
    v->first = w->line;
    put(w, v->local, strlen(v->local));
    v->last = w->line;
    put_line(w, "%s", close);
}

/* A function that is being written: a change of which form, or of none (-1). */
struct copied {
    struct code code;
    char function[NAME_SIZE];
    int form;
};

static bool is_in(const struct copied *f, const struct variant *v) {
    return v->local && !v->stillborn && v->form == f->form && strcmp(v->function, f->function) == 0;
}

/* The widest unit that begins at that letter and ends before another; NULL if none does. */
static struct variant *unit_at(struct family *family, const struct copied *f, int from,
                               int before) {
    struct variant *found = NULL;
    for (int i = 0; i < family->count && f->form >= 0; i++) {
        struct variant *v = &family->variants[i];
        if (is_in(f, v) && v->from == from && v->to < before && (!found || v->to > found->to))
            found = v;
    }
    return found;
}

/* True where the condition of a loop begins. */
static bool is_round(const struct code *c, int i) {
    const struct loop *l = head_around(c, i);
    return (l && i == l->first_end + 1) || (is(c, i - 1, "(") && is(c, i - 2, "while"));
}

static void put_range(struct writer *w, const struct copied *f, int from, int to, int before);

/* All branches of one unit. */
static void put_unit(struct writer *w, const struct copied *f, const struct variant *unit) {
    struct family *family = w->family;
    bool expression = unit->expression;
    int number = ++w->unit, from = unit->from, to = unit->to;
    put_line(w, expression ? "(slip_at[%d] == 0 ? (" : "{ if (slip_at[%d] == 0) {", number);
    put_range(w, f, from, to, to);
    put_line(w, expression ? ")" : "}");
    for (struct variant *v = family->variants; v < family->variants + family->count; v++) {
        if (!is_in(f, v) || v->from != from || v->to != to)
            continue;
        char open[80];
        v->unit = number;
        snprintf(open, sizeof open,
                 expression ? ": slip_at[%d] == %d ? (" : "else if (slip_at[%d] == %d) {", number,
                 (int)(v - family->variants) + 1);
        put_variant(w, v, open, expression ? ")" : "}");
    }
    put_line(w, expression ? ": (" : "}");
    if (expression) {
        put(w, f->code.text + from, (size_t)(to - from));
        put_line(w, "))");
    }
}

/* Letters of the function, with the units among them that end before another letter, where they
   begin with the first, and a count in each loop. */
static void put_range(struct writer *w, const struct copied *f, int from, int to, int before) {
    const struct code *c = &f->code;
    int at = from;
    for (int i = 0; i < c->count && c->tokens[i].from < to; i++) {
        if (c->tokens[i].from < at || i <= c->open)
            continue;
        struct variant *unit =
            unit_at(w->family, f, c->tokens[i].from, c->tokens[i].from == from ? before : to + 1);
        bool round = c->tokens[i].from > from && is_round(c, i);
        if (!unit && !round)
            continue;
        put(w, c->text + at, (size_t)(c->tokens[i].from - at));
        at = c->tokens[i].from;
        if (round)
            put_line(w, is_any(c, i, " ; ) ") ? "SLIP_ROUND" : "SLIP_ROUND, ");
        if (unit) {
            put_unit(w, f, unit);
            at = unit->to;
        }
    }
    put(w, c->text + at, (size_t)(to - at));
}

/* A function under another name. */
static void put_function(struct writer *w, const char *text, const char *suffix, int form) {
    struct copied f = {.form = form};
    if (!code_read(&f.code, text, (int)strlen(text))) {
        put(w, text, strlen(text));
        code_free(&f.code);
        return;
    }
    const struct token *name = &f.code.tokens[f.code.name];
    snprintf(f.function, sizeof f.function, "%.*s", name->to - name->from, text + name->from);
    if (*suffix && !is(&f.code, 0, "static"))
        put_line(w, "static ");
    put(w, f.code.text, (size_t)name->to);
    put_line(w, "%s", suffix);
    int length = (int)strlen(f.code.text);
    put_range(w, &f, name->to, length, length + 1);
    put_line(w, "\n");
    code_free(&f.code);
}

/* The function itself: calls the copy that `slip_copy` asks for. */
static void put_switch(struct writer *w, const char *text) {
    struct code c;
    code_read(&c, text, (int)strlen(text));
    struct path name = path_of("%.*s", c.tokens[c.name].to - c.tokens[c.name].from,
                               c.text + c.tokens[c.name].from);
    struct text names = {0};
    for (int i = 0; i < c.name_count; i++) {
        const struct token *t = &c.tokens[c.names[i].token];
        if (c.names[i].parameter)
            text_print(&names, "%s%.*s", names.length ? ", " : "", t->to - t->from,
                       c.text + t->from);
    }
    put(w, c.text, (size_t)c.tokens[c.open].from);
    put_line(w, "{\n");
    for (int i = 0; i < w->family->count; i++) {
        const struct variant *v = &w->family->variants[i];
        if (strcmp(v->function, name.chars) == 0 && !v->stillborn && !v->local)
            put_line(w, "if (slip_copy == %d) return %s__%d(%s);\n", i + 1, name.chars, i + 1,
                     text_of(&names));
    }
    put_line(w, "return %s__0(%s);\n}\n", name.chars, text_of(&names));
    text_free(&names);
    code_free(&c);
}

static void put_family(struct writer *w, const char *function, const char *text) {
    struct family *f = w->family;
    int members = 0;
    for (int i = 0; i < f->count; i++)
        members += strcmp(f->variants[i].function, function) == 0 && !f->variants[i].stillborn;
    if (members == 0) {
        put_function(w, text, "", -1);
        return;
    }
    put_function(w, text, "__0", 0);
    for (int i = 0; i < f->count; i++) {
        struct variant *v = &f->variants[i];
        if (strcmp(v->function, function) != 0 || v->local || v->stillborn)
            continue;
        v->unit = 0;
        v->first = w->line;
        put_function(w, v->text, path_of("__%d", i + 1).chars, v->origin == GENERATED ? -1 : i + 1);
        v->last = w->line;
    }
    put_switch(w, text);
}

static void put_list(struct writer *w) {
    put_line(w, "int slip_at[%d];\nconst struct slip_entry slip_list[] = {\n", w->unit + 1);
    for (int i = 0; i < w->family->count; i++) {
        const struct variant *v = &w->family->variants[i];
        if (!v->stillborn)
            put_line(w, "{%d, %d, %d, %d, \"%s\"},\n", i + 1, v->local ? v->form : i + 1, v->unit,
                     v->form > 0 && w->family->variants[v->form - 1].origin == LISTED,
                     w->family->exercise ? w->family->exercise : v->function);
    }
    put_line(w, "{0, 0, 0, 0, 0}};\n");
}

void family_write(struct family *family, struct text *c) {
    struct writer w = {family, c, 1, 0};
    const char *start = text_of(&family->source), *at = start, *to, *from;
    struct function f;
    put_line(&w, "#include \"running.h\"\n");
    for (int i = 0; i < family->count; i++)
        family->variants[i].last = -1;
    for (const char *next = start; next_function(start, next, &f); next = f.end) {
        struct path name = path_of("%.*s", (int)(f.after_name - f.name), f.name);
        if (!body_of(start, &f) || !find_definition(start, name.chars, &from, &to) || from < at)
            continue;
        put(&w, at, (size_t)(from - at));
        put_line(&w, "\n");
        char *text = copy(from, (size_t)(to - from));
        put_family(&w, name.chars, text);
        free(text);
        at = to;
    }
    put(&w, at, strlen(at));
    put_line(&w, "\n");
    put_list(&w);
}

/* Marks the variant, and the branches of a copy with it; how many there are. */
static int drop(struct family *family, int at) {
    int dropped = !family->variants[at].stillborn;
    family->variants[at].stillborn = true;
    for (int i = 0; !family->variants[at].local && i < family->count; i++)
        if (family->variants[i].form == at + 1 && !family->variants[i].stillborn) {
            family->variants[i].stillborn = true;
            dropped++;
        }
    return dropped;
}

int family_drop(struct family *family, const char *compiler_said) {
    char line[2000];
    int dropped = 0, elsewhere = 0;
    while (next_line(&compiler_said, line, sizeof line)) {
        const char *error = strstr(line, ": error:"), *number = strchr(line, ':');
        if (!error || !number || number > error)
            continue;
        int at = atoi(number + 1), hit = 0;
        /* A copy holds branches, and is right itself if one of these is wrong. */
        for (int copies = 0; copies < 2 && hit == 0; copies++)
            for (int i = 0; i < family->count; i++) {
                const struct variant *v = &family->variants[i];
                if ((v->local ? 0 : 1) != copies || at < v->first || at > v->last)
                    continue;
                dropped += drop(family, i);
                hit++; /* of a line with two errors, too */
            }
        elsewhere += !hit;
    }
    for (int i = 0; i < family->count; i++) { /* with a copy the branches in it */
        struct variant *v = &family->variants[i];
        if (v->form > 0 && family->variants[v->form - 1].stillborn && !v->stillborn) {
            v->stillborn = true;
            dropped++;
        }
    }
    return dropped == 0 && elsewhere > 0 ? -1 : dropped;
}
