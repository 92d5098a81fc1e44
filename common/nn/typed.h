/* Reads a line that is typed, or that comes from a file. */
#ifndef TYPED_H
#define TYPED_H

#include <stdbool.h>

/* True at a terminal, false if the input is a file. */
bool is_typed(void);

/* The next line without the blanks around it; at a terminal `prompt` is shown first. A
   line that is too long is cut, a tab is a space, and another control character is a '?'. False
   at the end of the input. */
bool typed_line(const char *prompt, int size, char line[size]);

#endif
