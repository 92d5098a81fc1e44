/* A story, told token by token, and how long its tokens take. */
#ifndef TALE_H
#define TALE_H

#include "page.h"
#include "teller.h"

enum { MOST_TOLD = 256 };

struct tale {
    int n, words[MOST_TOLD + 1]; /* n tokens, and the one after them */
    int end;                     /* how many of them belong to the first story */
    double token, read; /* median seconds of CPU time: a token, and a bare read of the weights */
};

/* How much of a story is told: its beginning, of at most 80 tokens; all of it; or all of it, and
   then the tokens up to MOST_TOLD are computed, but not printed. */
enum extent { BEGINNING, STORY, BEYOND };

/* Begins with `n` given tokens and prints each token of the story at once. Every 16 tokens the
   weights are read without computing anything. */
void tell_tale(struct teller *t, const struct vocabulary *v, const struct manner *manner,
               struct random *random, int n, const int words[n], enum extent extent,
               struct tale *tale);

/* Prints the text of tokens, each after the one before it. */
void page_add_words(struct page *page, const struct vocabulary *v, int before, int n,
                    const int words[n]);

/* The seconds of CPU time in which all weights can be read. */
double seconds_to_read(const struct teller *t);

double cpu_seconds(void);
double median(int n, double x[n]); /* sorts x */

#endif
