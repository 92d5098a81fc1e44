/* Characters of more than one byte, and invisible characters. */
#pragma once

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Decodes the character at *at, of a text up to `end`, and moves *at after it. Sets its length in
   bytes. The length is 0 for a byte that is not UTF-8: that byte is its number, and is passed. */
unsigned long utf8_next(const char **at, const char *end, size_t *bytes);

/* True for control characters, separators of lines, marks of direction, and characters without
   width. */
bool is_unseen(unsigned long code);

/* Adds foreign output, so that it cannot control a terminal. A tab becomes a space, and an
   invisible character a question mark. `end` stays; it is '\n', or '\0' for a single line. */
void text_add_readable(struct text *to, const char *from, size_t length, char end);
