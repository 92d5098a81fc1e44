/* Names and lines that other people wrote, as text that can be read and that commands no terminal.
   What would not be seen, and what is no UTF-8, becomes \x0a, byte by byte. No two names look the
   same. */
#ifndef NAMES_H
#define NAMES_H

/* The name of a file or folder, as a piece of one line. */
char *shown_name(const char *name);

/* Lines, with the same escapes; a \\ stays what it is. */
char *shown_lines(const char *lines);

/* A shown name as the name of a file: _ for what does not belong there, at most 100 bytes. */
char *file_name(const char *shown);

/* The number of characters, which is the number of columns at a terminal for most scripts. */
int columns_of(const char *shown);

#endif
