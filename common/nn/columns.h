/* Tables for gnuplot: a line of names, then a line of numbers each. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdio.h>

/* Opens folder/file and writes the names (separated by spaces) as its first line; NULL: no such
   line. On failure it says why and ends the program. */
FILE *columns_open(const char *folder, const char *file, const char *names);

/* One line: a label unless NULL (quoted, so that it may hold spaces), then n numbers. */
void columns_row(FILE *table, const char *label, int n, const double numbers[n]);

/* What writes the tables of a picture. */
struct picture_tables {
    const char *picture;
    void (*write)(const char *folder);
};

/* main() of a program for pictures, given FOLDER; `all` ends in {NULL}. With LOOKBACK_PICTURE in
   its environment it writes the tables of that one only: the others may wait for an exercise. */
int columns_main(int argc, char **argv, const struct picture_tables all[]);

void columns_gap(FILE *table);   /* an empty line: the next block of a surface or a curve */
void columns_close(FILE *table); /* checks that everything reached the disk */

#endif
