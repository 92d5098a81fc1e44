/* Text to learn to write, from a grammar that knows what each line costs.

       line    clause, or clause ", and " clause; then ".\n"
       clause  somebody " " verb " " somebody
       somebody a name, or "the " noun, or "the " adjective " " noun

   Each choice is made with equal chances, so the price of a line is a sum of logarithms: no writer
   can lose less on average, whatever he has learned. */
#ifndef WRITER_H
#define WRITER_H

#include "random.h"

#include <stdbool.h>

enum { LETTERS = 31, LONGEST_LINE = 128 };

/* The letters by their numbers; NEW_LINE is the last. */
extern const char alphabet[LETTERS + 1];
enum { NEW_LINE = LETTERS - 1 };

int letter_of(char c); /* -1 if there is none */

/* A line with its "\n", as numbers of letters. Returns how many. */
int draw_line(struct random *r, int letters[LONGEST_LINE], double *price);

/* Is that a whole line of the grammar? n letters, the last of them a new line. */
bool is_grammatical(int n, const int letters[n]);

bool begins_with_name(int n, const int letters[n]);

#endif
