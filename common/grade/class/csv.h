/* Tables of commas, as RFC 4180 has them. */
#ifndef CSV_H
#define CSV_H

#include "base/text.h"

/* Adds a cell to the last row; a row ends with end_row(). A cell that a spreadsheet would run as a
   formula, because it starts with = + - @, a tab or a return, gets a ' in front, unless it is a
   number. */
void add_cell(struct text *table, const char *cell);
void end_row(struct text *table);

/* Adds all these cells: CELLS(&table, "Ada", number_cell(3)). */
#define CELLS(table, ...) add_cells(table, (const char *const[]){__VA_ARGS__, NULL})
void add_cells(struct text *table, const char *const cells[]);
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
};

/* False, with a line, if it cannot be read or is no such table. */
bool csv_read(struct csv *csv, const char *path);

/* The number of the column whose heading is that, whatever its case; -1. */
int csv_column(const struct csv *csv, const char *heading);

/* The cell of a row; "" if the row is too short or the column is -1. */
const char *csv_cell(const struct csv *csv, int row, int column);

#endif
