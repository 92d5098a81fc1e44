/* Prints words for a prompt at the terminal: written downwards above columns, or as a list that
   breaks its lines. */
#include "tasks/prompt.h"

#include <stdio.h>
#include <string.h>

enum { RIGHT = 76 };

void prompt_upright(int n, int width, const char *const words[n]) {
    int tallest = 0;
    for (int j = 0; j < n; j++)
        if (tallest < (int)strlen(words[j]))
            tallest = (int)strlen(words[j]);
    for (int row = 0; row < tallest; row++) {
        printf("%*s", PROMPT_LEFT, "");
        for (int j = 0; j < n; j++) {
            int letter = row - (tallest - (int)strlen(words[j]));
            printf("%-*c", width, letter < 0 ? ' ' : words[j][letter]);
        }
        putchar('\n');
    }
}

void prompt_listed(const char *word, bool spelled, int *column) {
    int letters = (int)strlen(word) + (spelled ? 0 : 1);
    if (*column + letters > RIGHT)
        *column = 0;
    printf("%s%s%s", *column == 0 ? "\n  " : "", word, spelled ? "" : " ");
    *column += letters;
}
