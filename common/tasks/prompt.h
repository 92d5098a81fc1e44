/* A prompt for somebody who types at a network: lines, words that stand upright above cells, and
   lists of words. */
#ifndef PROMPT_H
#define PROMPT_H

#include <stdbool.h>

enum { PROMPT_LINE = 1000, PROMPT_LEFT = 13 };

/* The next line, without the blanks around it; false if it is empty, or there is none. What does
   not fit is no part of it. */
bool prompt_line(char line[PROMPT_LINE]);

/* Words above columns of cells, `width` letters each, PROMPT_LEFT from the left. */
void prompt_upright(int n, int width, const char *const words[n]);

/* A word of a list that breaks its lines, for words spelled as letters without a space between
   them; `column` is 0 before the first. */
void prompt_listed(const char *word, bool spelled, int *column);

#endif
