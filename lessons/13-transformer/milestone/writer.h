/* The grammar: it makes random lines and knows the loss of each.

       line    clause, or clause ", and " clause; then ".\n"
       clause  person " " verb " " person
       person  a name, or "the " noun, or "the " adjective " " noun

   All possibilities of a choice are equally likely, so the loss of a line, its `price`, is a sum of
   logarithms. No model can have a lower mean loss. */
#ifndef WRITER_H
#define WRITER_H

#include "random.h"

#include <stdbool.h>

enum { LETTERS = 31, LONGEST_LINE = 128 };

/* The characters in the order of their numbers. NEW_LINE is the last. */
extern const char alphabet[LETTERS + 1];
enum { NEW_LINE = LETTERS - 1 };

int letter_of(char c); /* -1 for other characters */

/* Makes a line with its "\n", as numbers of characters. Returns its length. */
int draw_line(struct random *r, int letters[LONGEST_LINE], double *price);

/* Could the grammar have made this line of n characters, with its end? */
bool is_grammatical(int n, const int letters[n]);

bool begins_with_name(int n, const int letters[n]);

#endif
