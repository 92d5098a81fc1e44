/* For a prompt at which somebody types at a network: words that stand upright above cells, and
   lists of words. */
#ifndef PROMPT_H
#define PROMPT_H

#include <stdbool.h>

enum { PROMPT_LEFT = 13 };

/* Words above columns of cells, `width` letters each, PROMPT_LEFT from the left. */
void prompt_upright(int n, int width, const char *const words[n]);

/* A word of a list that breaks its lines, for words spelled as letters without a space between
   them; `column` is 0 before the first. */
void prompt_listed(const char *word, bool spelled, int *column);

#endif
