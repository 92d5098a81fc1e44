/* A typed sentence, for lessons without an embedding of their own. */
#ifndef WORDS_H
#define WORDS_H

/* A word's vector is the sum of a vector for each of its letters, drawn once and for all, over the
   square root of their number. */
enum { WORDS_MOST = 14, WORDS_D = 6 };
#define WORDS_NOTE                                                                                 \
    "These words are untrained: a word's vector is the sum of a random one for each\n"             \
    "of its letters, so that words that share letters are alike."

struct words {
    int n;
    char letters[WORDS_MOST][24];
    const char *names[WORDS_MOST];
};

/* The sentence that ask() has read; one that is too long ends the command. */
void words_read(struct words *w, const char *text);
void words_vectors(const struct words *w, double X[w->n][WORDS_D]);

/* How much each word (a row) looks at each: numbers where they fit, else shaded cells. */
void words_show(const char *what, const char *note, const struct words *w,
                const double weights[w->n][w->n]);

#endif
