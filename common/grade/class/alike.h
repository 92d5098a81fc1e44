/* Is a function the reference's own, but for its layout, comments and names? */
#ifndef ALIKE_H
#define ALIKE_H

#include <stdbool.h>

/* `text` and `reference` are whole files. What is short is alike by nature, and never told. */
bool is_alike(const char *text, const char *reference, const char *function);

enum { TOKENS_THAT_TELL = 40 };

#endif
