/* Is a function the reference's own, apart from its layout, comments and names? */
#ifndef ALIKE_H
#define ALIKE_H

#include <stdbool.h>

/* `text` and `reference` are whole files. Short functions are alike by nature, and do not count. */
bool is_alike(const char *text, const char *reference, const char *function);

enum { TOKENS_THAT_TELL = 40 };

#endif
