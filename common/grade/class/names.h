/* A name that somebody gave a file or a folder, as a piece of one line: what would not be seen, and
   what is no UTF-8, stands as \x0a, byte by byte. No two names look the same. */
#ifndef NAMES_H
#define NAMES_H

#include "base/text.h"

void add_name(struct text *text, const char *name);

/* Lines of others', with the same escapes; a \\ stays what it is. */
void add_lines(struct text *text, const char *lines);

/* Columns that it takes at a terminal, counted as one for each character. */
int columns_of(const char *shown);

#endif
