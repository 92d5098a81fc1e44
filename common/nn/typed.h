/* A line that somebody types. */
#ifndef TYPED_H
#define TYPED_H

#include <stdbool.h>

/* Does somebody type, or is the input a file? */
bool is_typed(void);

/* The next line, asked for with `prompt` if somebody types, without the blanks around it: what does
   not fit is no part of it, a tab is a space, and another key that writes nothing a '?'. False at
   the end of the input. */
bool typed_line(const char *prompt, int size, char line[size]);

#endif
