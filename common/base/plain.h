/* Text that is not ours, as Markdown that shows it and nothing else: a name, a learner's file. What
   is no letter and would not be seen (a control character, a change of direction) is shown by its
   number, and a byte that is no UTF-8 as the letter of Latin-1. */
#ifndef PLAIN_H
#define PLAIN_H

#include "base/text.h"

/* As part of a line. */
void plain_print(const char *chars);

/* As a block of the class, in a fence that is longer than any run of ~ or ` in it. */
void plain_print_block(const char *class, const struct text *text);

/* The file as a block, or a line that it is too large. False: it cannot be read. */
bool plain_print_file(const char *class, const char *path);

enum { PLAIN_MOST_BYTES = 200000 };

/* Says so if the file is larger than that. */
bool plain_is_too_large(const char *path);

#endif
