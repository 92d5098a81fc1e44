/* Tables of commas, as RFC 4180 has them. */
#ifndef CSV_H
#define CSV_H

#include "base/text.h"

/* Adds a cell to the last row. A cell that a spreadsheet would run as a
   formula, because it starts with = + - @, a tab or a return, gets a ' in front, unless it is a
   number. */
void add_cell(struct text *table, const char *cell);

/* Adds a row of these cells: ROW(&table, "Ada", number_cell(3)). */
#define ROW(table, ...) add_row(table, (const char *const[]){__VA_ARGS__, NULL})
void add_row(struct text *table, const char *const cells[]);
const char *number_cell(double number);

/* A table that was read. Its cells stay until the program ends. */
struct csv_row {
    const char **cells;
    int count;
};

struct csv {
    struct csv_row *rows;
    int count;
    bool marked, returns; /* the file begins with a BOM; its lines end in \r\n */
    char comma;           /* ',', or ';' where the first line has no ',' */
};

/* Ends the program, with a line, if it cannot be read or is no such table. */
struct csv csv_read(const char *path);

/* The number of the column with that heading, whatever its case, or with another one of these:
   "Grade|Bewertung"; -1 if there is none. */
int csv_column(const struct csv *csv, const char *headings);

/* The cell of a row in that column; "" if the row is too short or there is no such column. */
const char *csv_cell(const struct csv *csv, int row, const char *headings);

#endif
