/* Letters of more than one byte, and those that would not be seen. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The character at `at`, of which there are `left` bytes: its number, and how many it takes; 0 of
   them if it is no UTF-8. */
unsigned long utf8_decode(const unsigned char *at, size_t left, size_t *bytes);

/* Controls, separators of lines, marks of direction, and what has no width at all. */
bool is_unseen(unsigned long code);

#endif
