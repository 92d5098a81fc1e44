/* Writes and reads comma-separated tables. The writer quotes what needs it; the reader takes LF and
   CRLF, a BOM, and skips empty lines. */
#include "grade/class/csv.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- writing -------------------------------------------------------------------------------- */

/* A single sign means "nothing", as in Moodle's worksheets. */
static bool is_formula(const char *cell) {
    char *end;
    cell += strspn(cell, " ");
    if (!*cell || !strchr("=+-@\t\r\n", *cell) || !cell[1])
        return false;
    strtod(cell, &end);
    return end == cell || *end || !isdigit((unsigned char)end[-1]);
}

void add_cell(struct text *table, const char *cell) {
    bool formula = is_formula(cell), first = table->length == 0 || ends_with(table->chars, "\n");
    bool quoted =
        cell[strcspn(cell, ",\"\t\r\n")] || ends_with(cell, " ") || (cell[0] == ' ' && !formula);
    const char *quote = quoted ? "\"" : "";
    text_print(table, "%s%s%s", first ? "" : ",", quote, formula ? "'" : "");
    for (; *cell; cell++)
        text_print(table, *cell == '"' ? "\"\"" : "%c", *cell);
    text_print(table, "%s", quote);
}

void add_row(struct text *table, const char *const cells[]) {
    for (int i = 0; cells[i]; i++)
        add_cell(table, cells[i]);
    text_add(table, "\r\n", 2);
}

const char *number_cell(double number) {
    return string_of("%.10g", number);
}

/* --- reading -------------------------------------------------------------------------------- */

static void keep_cell(struct csv *csv, struct text *cell) {
    struct csv_row *row = &csv->rows[csv->count - 1];
    row->cells = with_room(row->cells, row->count, sizeof *row->cells);
    row->cells[row->count++] = text_of(cell);
}

static const char *read_quoted(const char *at, struct text *cell) {
    for (at++; *at && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        text_add(cell, at, 1);
    }
    return *at ? at + 1 : NULL;
}

/* One row, to behind its end; NULL if a quote stays open. */
static const char *read_row(struct csv *csv, const char *at) {
    csv->rows = with_room(csv->rows, csv->count, sizeof *csv->rows);
    csv->rows[csv->count++] = (struct csv_row){NULL, 0};
    for (;;) {
        struct text cell = {0};
        if (*at == '"' && !(at = read_quoted(at, &cell)))
            return NULL;
        size_t rest = strcspn(at, (char[]){csv->comma, '\r', '\n', '\0'});
        text_add(&cell, at, rest);
        at += rest;
        keep_cell(csv, &cell);
        if (*at != csv->comma)
            break;
        at++;
    }
    csv->returns |= *at == '\r';
    at += *at == '\r';
    return at + (*at == '\n');
}

/* NULL, or what is wrong with it. */
static const char *read_rows(struct csv *csv, const struct text *text) {
    const char *at = text_of(text);
    if (strlen(at) != text->length)
        return "it holds bytes that no text has";
    csv->marked = starts_with(at, "\xEF\xBB\xBF");
    at += csv->marked ? 3 : 0;
    csv->comma = at[strcspn(at, ",;\n")] == ';' && !memchr(at, ',', strcspn(at, "\n")) ? ';' : ',';
    while (*at) {
        at = read_row(csv, at);
        if (!at)
            return "a quote stays open";
        const struct csv_row *last = &csv->rows[csv->count - 1];
        csv->count -= last->count == 1 && !last->cells[0][0]; /* an empty line */
    }
    return csv->count > 0 ? NULL : "it is empty";
}

struct csv csv_read(const char *path) {
    struct text text;
    struct csv csv = {0};
    const char *wrong = text_read_file(&text, path) ? read_rows(&csv, &text) : "it cannot be read";
    if (wrong)
        die("%s is no table of commas: %s.", path, wrong);
    return csv;
}

int csv_column(const struct csv *csv, const char *headings) {
    for (size_t length; *headings; headings += length + (headings[length] == '|')) {
        length = strcspn(headings, "|");
        for (int i = 0; i < csv->rows[0].count; i++) {
            const char *cell = csv->rows[0].cells[i];
            if (strlen(cell) == length && strncasecmp(cell, headings, length) == 0)
                return i;
        }
    }
    return -1;
}

const char *csv_cell(const struct csv *csv, int row, const char *headings) {
    int column = csv_column(csv, headings);
    return column >= 0 && column < csv->rows[row].count ? csv->rows[row].cells[column] : "";
}
