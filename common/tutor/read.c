#include "tutor/read.h"

#include "base/screen.h"
#include "base/text.h"
#include "tutor/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- marks: what a word looks like, and a space that holds its line together ------------------ */

enum { BOLD_ON = 1, BOLD_OFF, LEANING_ON, LEANING_OFF, CODE_ON, CODE_OFF, HARD_SPACE };

static const char *const codes[] = {"",         "\033[1m",  "\033[22m", "\033[3m",
                                    "\033[23m", "\033[36m", "\033[39m"};

static bool is_mark(char c) {
    return c >= BOLD_ON && c <= CODE_OFF;
}

/* Without colour, code keeps its backquotes, and other marks show nothing. */
static bool shows(char c) {
    return is_mark(c) ? c >= CODE_ON && !screen_is_colourful() : ((unsigned char)c & 0xC0) != 0x80;
}

static int width_of(const char *text, size_t length) {
    int width = 0;
    for (size_t i = 0; i < length; i++)
        width += shows(text[i]);
    return width;
}

static void print_marked(const char *text) {
    for (; *text; text++)
        if (is_mark(*text))
            fputs(screen_is_colourful() ? codes[(int)*text] : shows(*text) ? "`" : "", stdout);
        else
            putchar(*text == HARD_SPACE ? ' ' : *text);
}

/* --- lines ------------------------------------------------------------------------------------ */

enum { MOST_LINES = 400 };

struct lines {
    struct text all[MOST_LINES];
    int count;
};

static void free_lines(struct lines *lines) {
    for (int i = 0; i < lines->count; i++)
        text_free(&lines->all[i]);
    lines->count = 0;
}

/* Adds a line, with the marks that are on from the line before and off again at its end. */
static void add_line(struct lines *lines, const char *from, size_t length, char *on) {
    struct text *line = &lines->all[lines->count];
    if (lines->count == MOST_LINES - 1)
        return;
    lines->count++;
    bool again = screen_is_colourful();
    if (*on && again)
        text_add(line, on, 1);
    text_add(line, from, length);
    for (size_t i = 0; i < length; i++)
        if (is_mark(from[i]))
            *on = from[i] % 2 ? from[i] : 0;
    if (*on && again)
        text_add(line, &(char){(char)(*on + 1)}, 1);
}

/* Breaks the text at spaces into lines of at most so many columns. */
static void wrap(struct lines *lines, const char *text, int columns) {
    char on = 0;
    while (*text) {
        size_t length = 0;
        for (;;) {
            size_t next = length + strspn(text + length, " ");
            next += strcspn(text + next, " ");
            if (next == length || (length > 0 && width_of(text, next) > columns))
                break;
            length = next;
        }
        if (length == 0)
            break;
        add_line(lines, text, length, &on);
        text += length;
        text += strspn(text, " ");
    }
}

static void print_wrapped(const char *text, int indent, const char *first) {
    struct lines lines = {.count = 0};
    wrap(&lines, text, WIDTH - indent);
    for (int i = 0; i < lines.count; i++) {
        printf("%*s", indent, i == 0 ? first : "");
        print_marked(text_of(&lines.all[i]));
        putchar('\n');
    }
    free_lines(&lines);
}

/* --- what stands within a line ---------------------------------------------------------------- */

struct reader {
    const char *path;
    int line;         /* of the block that is read */
    char unknown[40]; /* the first command of a formula that could not be read */
    int unknown_line;
    bool bold, leaning;
};

/* What is short from `start` on is not broken at the end of a line. */
static void hold_together(struct text *out, size_t start) {
    const int short_enough = 32;
    if (width_of(out->chars + start, out->length - start) > short_enough)
        return;
    for (size_t i = start; i < out->length; i++)
        if (out->chars[i] == ' ')
            out->chars[i] = HARD_SPACE;
}

static void add_formula(struct reader *r, struct text *out, const char *from, const char *to) {
    size_t start = out->length;
    char unknown[40] = "";
    formula_add(out, from, to, unknown);
    if (unknown[0] && !r->unknown[0]) {
        memcpy(r->unknown, unknown, sizeof unknown);
        r->unknown_line = r->line;
    }
    hold_together(out, start);
}

static void mark(struct text *out, int which) {
    text_add(out, &(char){(char)which}, 1);
}

/* $...$ or $$...$$: behind it, or NULL if the sign is only money. */
static const char *take_formula(struct reader *r, struct text *out, const char *at) {
    size_t dollars = at[1] == '$' ? 2 : 1;
    const char *from = at + dollars, *to = from;
    if (isspace((unsigned char)*from) && dollars == 1)
        return NULL;
    while (*to && (*to != '$' || to[-1] == '\\'))
        to++;
    if (!*to || to == from)
        return NULL;
    add_formula(r, out, from, to);
    return to + dollars;
}

static const char *take_code(struct text *out, const char *at) {
    size_t ticks = strspn(at, "`");
    const char *from = at + ticks, *to = from;
    while (*to && (strspn(to, "`") != ticks || to[-1] == '`'))
        to++;
    if (!*to)
        return NULL;
    size_t start = out->length;
    mark(out, CODE_ON);
    text_add(out, from, (size_t)(to - from));
    mark(out, CODE_OFF);
    hold_together(out, start);
    return to + ticks;
}

static void add_inline(struct reader *r, struct text *out, const char *text, const char *end);

/* [text](place): its text, and the place only if it is on the web; ![picture](file). */
static const char *take_link(struct reader *r, struct text *out, const char *at) {
    const char *from = at + 1 + (*at == '!'), *to = from, *place, *after;
    for (int depth = 1; *to; to++) {
        depth += (*to == '[') - (*to == ']');
        if (depth == 0)
            break;
    }
    if (!*to || to[1] != '(' || !(after = strchr(to, ')')))
        return NULL;
    place = to + 2;
    if (*at == '!')
        text_print(out, "[picture: ");
    add_inline(r, out, from, to);
    if (*at == '!')
        text_print(out, "]");
    if (starts_with(place, "http"))
        text_print(out, " (%.*s)", (int)(after - place), place);
    return after + 1;
}

/* A star that emphasises: a letter stands on its inner side. */
static const char *take_stars(struct reader *r, struct text *out, const char *at,
                              const char *start) {
    size_t stars = at[1] == '*' ? 2 : 1;
    bool *on = stars == 2 ? &r->bold : &r->leaning;
    bool good = *on ? at > start && !isspace((unsigned char)at[-1])
                    : at[stars] && !isspace((unsigned char)at[stars]);
    if (!good)
        return NULL;
    *on = !*on;
    mark(out, (stars == 2 ? BOLD_ON : LEANING_ON) + !*on);
    return at + stars;
}

static void add_inline(struct reader *r, struct text *out, const char *text, const char *end) {
    size_t letter;
    for (const char *at = text; at < end;) {
        const char *after = NULL;
        if (*at == '\\' && ispunct((unsigned char)at[1]))
            text_add(out, ++at, 1), after = at + 1;
        else if (*at == '$')
            after = take_formula(r, out, at);
        else if (*at == '`')
            after = take_code(out, at);
        else if (*at == '[' || (*at == '!' && at[1] == '['))
            after = take_link(r, out, at);
        else if (*at == '*')
            after = take_stars(r, out, at, text);
        else if ((letter = formula_greek(out, at)) > 0)
            after = at + letter;
        if (!after) {
            bool times = *at == ' ' && (starts_with(at + 1, "·") || ends_with(text_of(out), "·"));
            text_add(out, times ? &(char){HARD_SPACE} : at, 1); /* 5 · 9 stays in one line */
            after = at + 1;
        }
        at = after;
    }
}

static struct text read_inline(struct reader *r, const char *text) {
    struct text out = {0};
    r->bold = r->leaning = false;
    add_inline(r, &out, text, text + strlen(text));
    return out;
}

/* --- tables ----------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 16, MOST_ROWS = 100, GAP = 2, INDENT = 2 };

struct table {
    struct text cells[MOST_ROWS][MOST_COLUMNS];
    int widths[MOST_COLUMNS];
    bool right[MOST_COLUMNS]; /* set against the right side */
    int rows, columns;
};

/* The next cell of "| a | b |", trimmed; false at the end of the row. */
static bool next_cell(const char **at, char *cell, size_t size) {
    size_t length = 0;
    *at += **at == '|';
    *at += strspn(*at, " ");
    if (!**at)
        return false;
    for (; **at && **at != '|'; ++*at) {
        *at += **at == '\\' && (*at)[1] == '|';
        if (length + 1 < size)
            cell[length++] = **at;
    }
    while (length > 0 && cell[length - 1] == ' ')
        length--;
    cell[length] = '\0';
    return true;
}

static void read_alignment(struct table *t, const char *line) {
    char cell[200];
    for (int j = 0; j < MOST_COLUMNS && next_cell(&line, cell, sizeof cell); j++)
        t->right[j] = cell[0] != ':' && ends_with(cell, ":");
}

static void read_row(struct reader *r, struct table *t, const char *line) {
    char cell[2000];
    if (t->rows == MOST_ROWS)
        return;
    for (int j = 0; j < MOST_COLUMNS && next_cell(&line, cell, sizeof cell); j++) {
        struct text *text = &t->cells[t->rows][j];
        *text = read_inline(r, cell);
        int width = width_of(text_of(text), text->length);
        t->widths[j] = width > t->widths[j] ? width : t->widths[j];
        t->columns = j + 1 > t->columns ? j + 1 : t->columns;
    }
    t->rows++;
}

/* Takes columns from the widest until the table fits. */
static void fit(struct table *t) {
    for (;;) {
        int all = INDENT, widest = 0;
        for (int j = 0; j < t->columns; j++) {
            all += t->widths[j] + (j > 0 ? GAP : 0);
            widest = t->widths[j] > t->widths[widest] ? j : widest;
        }
        if (all <= WIDTH || t->widths[widest] < 8)
            return;
        t->widths[widest]--;
    }
}

static void print_cell(const struct text *part, int width, bool right, bool last) {
    int space = width - width_of(text_of(part), part->length);
    printf("%*s", right ? space : 0, "");
    print_marked(text_of(part));
    printf("%*s", right || last ? 0 : space + GAP, "");
    if (right && !last)
        printf("%*s", GAP, "");
}

/* A row is as high as its highest cell. */
static void print_row(const struct table *t, int row) {
    static struct lines cells[MOST_COLUMNS];
    int height = 0;
    for (int j = 0; j < t->columns; j++) {
        wrap(&cells[j], text_of(&t->cells[row][j]), t->widths[j]);
        height = cells[j].count > height ? cells[j].count : height;
    }
    for (int i = 0; i < height; i++) {
        int last = t->columns - 1;
        while (last > 0 && i >= cells[last].count)
            last--;
        printf("%*s%s", INDENT, "", row == 0 && screen_is_colourful() ? codes[BOLD_ON] : "");
        for (int j = 0; j <= last; j++)
            print_cell(i < cells[j].count ? &cells[j].all[i] : &(struct text){0}, t->widths[j],
                       t->right[j], j == last);
        printf("%s\n", row == 0 && screen_is_colourful() ? codes[BOLD_OFF] : "");
    }
    for (int j = 0; j < t->columns; j++)
        free_lines(&cells[j]);
}

static void print_rule(const struct table *t) {
    printf("%*s", INDENT, "");
    for (int j = 0; j < t->columns; j++) {
        for (int i = 0; i < t->widths[j]; i++)
            putchar('-');
        printf("%*s", j + 1 < t->columns ? GAP : 0, "");
    }
    putchar('\n');
}

static void print_table(struct table *t) {
    fit(t);
    for (int i = 0; i < t->rows; i++) {
        print_row(t, i);
        if (i == 0)
            print_rule(t);
    }
    for (int i = 0; i < t->rows; i++)
        for (int j = 0; j < t->columns; j++)
            text_free(&t->cells[i][j]);
}

/* --- blocks ----------------------------------------------------------------------------------- */

enum { LINE = 8000 };

/* The letters of "- " or "3. " that begin an item of a list, with what stands before; or 0. */
static size_t item_length(const char *line) {
    size_t indent = strspn(line, " "), digits = strspn(line + indent, "0123456789");
    const char *at = line + indent + digits;
    bool bullet = digits == 0 && (*at == '-' || *at == '*' || *at == '+');
    return (bullet || (digits > 0 && *at == '.')) && at[1] == ' ' ? indent + digits + 2 : 0;
}

static bool begins_block(const char *line) {
    return !line[0] || line[0] == '#' || line[0] == '|' || line[0] == '>' || line[0] == '<' ||
           starts_with(line, "```") || item_length(line) > 0;
}

/* The rest of a paragraph, whose lines are joined to `line`. */
static void join_lines(struct reader *r, const char **at, char *line, bool quoted) {
    char next[LINE];
    for (const char *ahead = *at; next_line(&ahead, next, sizeof next); *at = ahead) {
        bool more = quoted ? next[0] == '>' : !begins_block(next);
        if (!more)
            return;
        const char *text = next + strspn(next, quoted ? "> " : " ");
        size_t length = strlen(line);
        snprintf(line + length, LINE - length, " %s", text);
        r->line++;
    }
}

/* A formula that stands alone, or several in one line, is set in. */
static bool is_formula(const char *line) {
    return line[0] == '$' && ends_with(line + 1, "$");
}

static void print_paragraph(struct reader *r, const char *line, int indent, const char *first) {
    struct text text = read_inline(r, line);
    print_wrapped(text_of(&text), indent, first);
    text_free(&text);
}

static void print_item(struct reader *r, const char *line, size_t length) {
    char first[40];
    snprintf(first, sizeof first, "  %.*s", (int)length, line);
    char *sign = first + strlen(first) - 2;
    if (*sign != '.')
        *sign = '*'; /* a minus would belong to the number after it */
    print_paragraph(r, line + length, (int)strlen(first), first);
}

/* Bold, or else underlined. */
static void print_heading(struct reader *r, const char *line) {
    struct text text = {0};
    mark(&text, BOLD_ON);
    add_inline(r, &text, line + strspn(line, "# "), line + strlen(line));
    mark(&text, BOLD_OFF);
    print_marked(text_of(&text));
    putchar('\n');
    if (!screen_is_colourful()) {
        for (int i = width_of(text_of(&text), text.length); i > 0; i--)
            putchar(starts_with(line, "# ") ? '=' : '-');
        putchar('\n');
    }
    text_free(&text);
}

static void print_code(struct reader *r, const char **at) {
    char line[LINE];
    while (next_line(at, line, sizeof line)) {
        r->line++;
        if (starts_with(line, "```"))
            return;
        printf("    %s\n", line);
    }
}

static void read_table(struct reader *r, const char *line, const char **at) {
    static struct table t;
    char next[LINE];
    t = (struct table){0};
    read_row(r, &t, line);
    for (const char *ahead = *at; next_line(&ahead, next, sizeof next) && next[0] == '|';
         *at = ahead) {
        r->line++;
        if (next[strspn(next, "|:- ")] == '\0')
            read_alignment(&t, next);
        else
            read_row(r, &t, next);
    }
    print_table(&t);
}

static void print_block(struct reader *r, char *line, const char **at) {
    size_t item = item_length(line);
    if (line[0] == '#') {
        print_heading(r, line);
    } else if (line[0] == '|') {
        read_table(r, line, at);
    } else if (starts_with(line, "```")) {
        print_code(r, at);
    } else if (line[0] == '>') {
        join_lines(r, at, line, true);
        print_paragraph(r, line + strspn(line, "> "), 4, "");
    } else if (line[0] != '<') { /* a mark of HTML is for browsers */
        join_lines(r, at, line, false);
        if (item > 0)
            print_item(r, line, item);
        else
            print_paragraph(r, line, is_formula(line) ? 4 : 0, "");
    }
}

int read_text(const char *path) {
    struct reader r = {.path = path};
    struct text file;
    char line[LINE];
    if (!text_read_file(&file, r.path)) {
        fprintf(stderr, "%s is not there.\n", r.path);
        return 1;
    }
    const char *at = text_of(&file);
    while (next_line(&at, line, sizeof line)) {
        r.line++;
        if (line[0])
            print_block(&r, line, &at);
        else
            putchar('\n');
    }
    text_free(&file);
    if (r.unknown[0])
        fprintf(stderr, "%s:%d: %s is not in common/tutor/formula.c\n", r.path, r.unknown_line,
                r.unknown);
    return r.unknown[0] != '\0';
}
