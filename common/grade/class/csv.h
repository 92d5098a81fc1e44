/* Tables of commas, as RFC 4180 has them. */
#ifndef CSV_H
#define CSV_H

#include "base/text.h"

/* One cell more in the last row; a row ends where it is ended. What a spreadsheet would run as a
   formula, since it starts with = + - @, a tab or a return, gets a ' in front, unless it is a
   number. */
void add_cell(struct text *table, const char *cell);
void add_number_cell(struct text *table, double number);
void end_row(struct text *table);

/* A table of others'. */
struct csv_row {
    char **cells;
    int count;
};

struct csv {
    struct csv_row *rows;
    int count;
    bool marked, returns; /* the file begins with a BOM; its lines end in \r\n */
};

/* False, with a line, if it cannot be read or is no such table. */
bool csv_read(struct csv *csv, const char *path);
void csv_free(struct csv *csv);

/* The number of the column whose heading is that, whatever its case; -1. */
int csv_column(const struct csv *csv, const char *heading);

/* The cell of a row; "" if the row is too short or the column is -1. */
const char *csv_cell(const struct csv *csv, int row, int column);

#endif
