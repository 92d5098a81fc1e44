/* Reads tests/NN-name/slips, line by line, as CONTRIBUTING.md describes it.

   An entry begins with "slip" or "way" and patches the function that the last "exercise" line has
   named: "-" lines must occur in the function exactly once, and "+" lines take their place. An
   entry that begins with "+" lines changes the same place as the entry above it, or the first of
   its places. With "on" it patches another entry. An entry ends where the next one begins; then it
   is a variant.

   A word in braces, as {pow()} or {1e9}, must be new in the "+" lines. The sentence is about it, so
   the learner's code must have it, too. The screen never shows the braces. */
#include "diagnose/writing.h"

#include "course/lesson.h"
#include "diagnose/matching.h"

#include <stdio.h>
#include <string.h>

struct entry {
    const char *path, *list; /* and what it holds */
    int line;
    struct variants *variants;
    const char *only; /* this function; NULL: any */
    enum origin origin;
    const char *name; /* "": between entries */
    const char *function;
    const char *like; /* the slip whose sentence it has; "": it has its own */
    struct text says, sees, reason;
    struct text text;     /* the function with the changes so far */
    struct text old, new; /* lines to replace in it, and by which */
    const char *first;    /* the lines that it, or else the one above it, has replaced first */
    bool changed;         /* it has replaced some */
    struct text *goes_on; /* with lines that are set in */
};

static bool complain(const struct entry *e, const char *what, const char *which) {
    fprintf(stderr, "%s:%d: %s: %s%s\n", e->path, e->line, e->name, what, which);
    return false;
}

static void clear(struct entry *e) {
    e->says = e->sees = e->reason = e->text = e->old = e->new = (struct text){0};
    e->name = e->like = "";
    e->changed = false;
}

/* The text after these lines if it begins with them, blanks aside; else NULL. A line "..." is any
   number of lines. A function's last has no end. */
static const char *behind_lines(const char *at, const char *lines) {
    const char *end = NULL;
    for (;; at++, lines++) {
        at += strspn(at, " \t");
        lines += strspn(lines, " \t");
        if (starts_with(lines, "...\n"))
            break;
        if (!*lines || *at != *lines)
            return *lines && (*at || lines[1]) ? NULL : at;
    }
    for (; !end && at; at = strchr(at, '\n'), at += at != NULL)
        end = behind_lines(at, lines + 4);
    return end;
}

/* Finds the old lines in the function, where they must occur once. */
static bool replace_lines(struct entry *e) {
    struct text changed = {0};
    const char *place = NULL, *behind = NULL;
    int found = 0;
    if (e->old.length == 0)
        return true;
    for (const char *at = text_of(&e->text); at; at = strchr(at, '\n'), at += at != NULL) {
        const char *end = behind_lines(at, e->old.chars);
        found += end != NULL;
        place = end ? at : place;
        behind = end ? end : behind;
    }
    if (found != 1)
        return complain(e, found ? "there are several lines " : "there is no line ",
                        strtok(e->old.chars, "\n"));
    text_print(&changed, "%.*s%s%s", (int)(place - e->text.chars), e->text.chars, text_of(&e->new),
               behind);
    e->text = changed;
    e->first = e->changed ? e->first : e->old.chars;
    e->changed = true;
    e->old = e->new = (struct text){0};
    return true;
}

/* A word as a token of C: {1e-8} is 1e-08, and {pow()} is pow. */
static const char *marked_token(const char *word, size_t length) {
    const bool called = length > 2 && strncmp(word + length - 2, "()", 2) == 0;
    const char *token = statements_of(word, word + length - (called ? 2 : 0)) + 1;
    return copy_of(token, strchr(token, '\1'));
}

/* Takes the braces out of the sentence, and lists the words in them. Where the sentence is another
   slip's, only those count that this one brings in. */
static bool take_marks(struct entry *e, struct variant *v, const char *taken, const char *put) {
    struct text plain = {0}, words = {0};
    const char *token, *missing = "";
    for (const char *at = v->says; *at; at += *at != '\0') {
        size_t n = strcspn(at, "{}");
        text_add(&plain, at, n);
        at += n;
        if (*at != '{')
            continue;
        token = marked_token(at + 1, strcspn(at + 1, "}"));
        if (has_token(put, token) && !has_token(taken, token))
            text_print(&words, "%s%s", words.length ? " " : "", token);
        else if (!e->like[0])
            missing = token;
    }
    v->says = plain.chars;
    v->words = words.chars;
    return !missing[0] || complain(e, "it marks a word that it does not bring in: ", missing);
}

static bool read_marks(struct entry *e, struct variant *v) {
    struct text exchange = {0};
    const char *from, *to;
    if (!v->says || !strchr(v->says, '{') ||
        !find_definition(text_of(&e->variants->source), v->function, &from, &to))
        return true;
    add_exchange(&exchange, copy_of(from, to), v);
    char *tab = strchr(exchange.chars, '\t');
    *tab = '\0';
    return take_marks(e, v, exchange.chars, tab + 1);
}

/* It means what its name says, or what the slip does that it is like. */
static bool add_entry(struct entry *e) {
    struct variant *v = variants_add(e->variants, e->origin, e->function, e->text.chars);
    v->name = strdup(e->name);
    v->means = strdup(e->like[0] ? e->like : e->name);
    v->says = e->says.chars;
    v->sees = e->sees.chars;
    e->says = e->sees = (struct text){0};
    return read_marks(e, v);
}

static bool end_entry(struct entry *e) {
    if (!replace_lines(e))
        return false;
    bool says = e->says.length + e->sees.length > 0;
    if (e->name[0] && (e->origin == LISTED) != says)
        return complain(e, says ? "a way says nothing" : "it says nothing", "");
    bool good = !e->name[0] || add_entry(e);
    clear(e);
    return good;
}

/* "slip  NAME" or "way  NAME": an entry begins, of the function that the last "exercise" named. */
static bool begin_entry(struct entry *e, const char *name, enum origin origin) {
    const char *from, *to;
    if (!end_entry(e))
        return false;
    e->name = name;
    e->origin = origin;
    if (!e->function[0])
        return complain(e, "no line before it: exercise FUNCTION", "");
    if (!find_definition(text_of(&e->variants->source), e->function, &from, &to))
        return complain(e, "no function ", e->function);
    text_add(&e->text, from, (size_t)(to - from));
    return true;
}

/* "on  NAME": it changes another entry of this exercise, and not the reference. */
static bool take_text(struct entry *e, const char *name) {
    const struct variant *v = e->variants->all, *end = v + e->variants->count;
    e->text = (struct text){0};
    for (; v < end; v++)
        if (strcmp(v->function, e->function) == 0 && strcmp(v->name, name) == 0)
            text_print(&e->text, "%s", v->text);
    return e->text.length > 0 || complain(e, "above it there is no entry ", name);
}

/* Adds the sentence of the slip of that name in a list, and of that function (NULL: of any). */
static void add_sentence(struct text *says, const char *list, const char *function,
                         const char *name) {
    bool of_function = !function, of_slip = false, inside = false;
    for (const char *line; (says->length == 0 || inside) && (line = next_line(&list));) {
        if (function && starts_with(line, "exercise "))
            of_function = strcmp(trimmed(line + 9), function) == 0;
        if (starts_with(line, "slip "))
            of_slip = of_function && strcmp(trimmed(line + 5), name) == 0;
        inside = of_slip && ((inside && line[0] == ' ') || starts_with(line, "says "));
        if (inside)
            text_print(says, "%s%s", says->length ? " " : "",
                       trimmed(line + (line[0] == ' ' ? 0 : 5)));
    }
}

/* "like  NAME": the sentence of another slip of this exercise. "like  02-dot-product  NAME": of one
   in the list of a lesson. */
static bool take_sentence(struct entry *e, const char *words) {
    char lesson[256], name[256] = "";
    const int count = sscanf(words, "%255s %255s", lesson, name);
    e->like = path_of("%s%s%s", lesson, *name ? " " : "", name);
    if (count == 1)
        add_sentence(&e->says, e->list, e->function, lesson);
    else if (count == 2)
        add_sentence(&e->says, sealed_text(path_of("tests/%s/slips", lesson)), NULL, name);
    return e->says.length > 0 || complain(e, "there is no such slip: ", words);
}

static bool take_words(struct entry *e, const char *line) {
    const char *rest = trimmed(line + strcspn(line, " "));
    e->goes_on = starts_with(line, "says ")   ? &e->says
                 : starts_with(line, "sees ") ? &e->sees
                 : starts_with(line, "same ") ? &e->reason
                                              : NULL;
    if (e->goes_on)
        text_print(e->goes_on, "%s", rest);
    if (e->goes_on || line[0] == '#' || !trimmed(line)[0])
        return true;
    if (starts_with(line, "exercise ")) { /* the entries that follow are about it */
        bool ended = end_entry(e);
        e->function = rest;
        e->first = "";
        return ended;
    }
    if (starts_with(line, "like "))
        return take_sentence(e, rest);
    if (starts_with(line, "on "))
        return take_text(e, rest);
    if (starts_with(line, "slip ") || starts_with(line, "way "))
        return begin_entry(e, rest, line[0] == 's' ? LISTED : WAY);
    return complain(e, "what is this: ", line);
}

static bool take_line(struct entry *e, const char *line) {
    if (e->only && strcmp(e->function, e->only) != 0 && !starts_with(line, "exercise "))
        return true;
    if (line[0] == '+' && e->old.length == 0 && !e->changed)
        text_print(&e->old, "%s", e->first);
    if (line[0] == ' ' && e->goes_on)
        text_print(e->goes_on, " %s", trimmed(line));
    else if (line[0] == '-' && e->new.length > 0 && !replace_lines(e))
        return false;
    else if (line[0] == '-')
        text_print(&e->old, "%s\n", trimmed(line + 1));
    else if (line[0] == '+' && e->old.length > 0)
        text_print(&e->new, "%s\n", line + 1);
    else
        return take_words(e, line);
    return true;
}

bool list_read(struct variants *variants, const char *path, const char *function) {
    struct entry entry = {
        .path = path, .variants = variants, .only = function, .function = "", .first = ""};
    clear(&entry);
    bool good = file_is_there(sealed_path(path));
    if (!good)
        fprintf(stderr, "%s cannot be read\n", path);
    entry.list = sealed_text(path);
    for (const char *at = entry.list, *line; good && (line = next_line(&at));) {
        entry.line++;
        good = take_line(&entry, line);
    }
    return good && end_entry(&entry);
}
