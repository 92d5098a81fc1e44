/* Foreign text as Markdown that shows it literally: a name, a learner's file. What is invisible is
   shown as text_add_readable() does it. */
#pragma once

#include "base/text.h"

/* Prints it as part of a line. */
void plain_print(const char *chars);

/* Prints the file as a block with that class, in a fence that is not in it, or a line which says
   that it is too large. If it ends with the given part, that is left out. False if it cannot be
   read. */
bool plain_print_file(const char *class, const char *path, const char *given);

enum { PLAIN_MOST_BYTES = 200000 };

/* True if the file is larger than that. Then prints a line which says so. */
bool plain_is_too_large(const char *path);
