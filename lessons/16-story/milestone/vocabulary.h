/* The tokenizer's file: the text and the score of each token. Your merge_tokens() does the work. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "story.h"

#include <stdbool.h>
#include <stddef.h>

struct vocabulary {
    int count;
    const char *texts; /* one after another: text i is between start[i] and start[i + 1] */
    size_t *start;     /* [count + 1] */
    float *score;      /* [count] */
    int *sorted;       /* the pieces by their texts, `pieces` of them */
    int pieces;
    int (*pairs)[3]; /* all tokens that consist of two others; see find_merge() */
    int n_pairs;
};

/* Reads the file for a model with `count` tokens. If it is not the file of such a tokenizer, says
   why on standard error and returns false. */
bool vocabulary_read(const char *path, int count, struct vocabulary *v);

/* The tokens of a text, which may contain any bytes: BOS first, and a space before the text.
   Returns their number. `words` has space for length + 2 tokens. */
int tokens_of(const struct vocabulary *v, size_t length, const char *text, int words[]);

/* The text of a token after another one, as bytes. The first space of a text is left out, and BOS,
   EOS and "unknown" have no text. */
struct piece {
    const char *text;
    int length;
};
struct piece spoken(const struct vocabulary *v, int before, int word);

#endif
