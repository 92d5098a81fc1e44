/* Letters of more than one byte, and those that would not be seen. */
#ifndef UTF8_H
#define UTF8_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* The character at `at`, of which there are `left` bytes: its number, and how many it takes; 0 of
   them if it is no UTF-8. */
unsigned long utf8_decode(const unsigned char *at, size_t left, size_t *bytes);

/* Controls, separators of lines, marks of direction, and what has no width at all. */
bool is_unseen(unsigned long code);

/* Adds what another person's code has printed, so that it cannot command a terminal: a tab becomes
   a blank, and what is no letter a question mark. `end` stays: '\n', or '\0' for a single line. */
void text_add_readable(struct text *to, const char *from, size_t length, char end);

#endif
