/* Matrices at the terminal, with names for rows and columns and cells shaded by size: in 24-bit or
   256 colours where the terminal has them, and as plain numbers otherwise. */
#ifndef SHADE_H
#define SHADE_H

/* A title line above the next matrices. */
void shade_title(const char *text);

/* `what` names the matrix and `note` says what to see in it. A vector is a matrix of one row. At
   most 7 columns of 8 letters fit; cells are shaded against the largest in size. */
void shade_matrix(const char *what, const char *note, int rows, int cols,
                  const char *const row_names[], const char *const col_names[],
                  const double numbers[rows][cols]);

/* A single number, in the same columns. */
void shade_number(const char *what, const char *note, double number);

/* n cells of so many letters each, for shares from 0 to 1. A cell of four letters has its share as
   a number; a narrower one has a letter of growing weight where there is no colour. */
void shade_cells(int n, int width, const double shares[n]);

#endif
