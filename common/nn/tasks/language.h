/* The two tasks of the milestone, made up as they are needed: an English of a hundred words into a
   tongue that puts its verbs last, and dates as people write them into dates as machines sort
   them. */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include "random.h"

#include <stdbool.h>

enum { LONGEST = 80, VOCABULARY = 128 };

/* A sentence and what is to be written for it, as numbers of words. */
struct pair {
    int n, source[LONGEST];
    int m, target[LONGEST];
    int aligned[LONGEST]; /* which source word a noun, an adjective, a verb or a name says; else -1
                           */
};

struct task {
    const char *name;
    int sources, targets; /* how many words there are */
    const char *const *source, *const *target;
    bool spelled; /* its words are single letters */
    void (*draw)(struct random *r, int n, struct pair *pair);
};

/* draw() makes a sentence of n words, 3 or more. */
extern const struct task translation;

/* draw() takes no notice of n. */
extern const struct task dates;

/* Is that a word that must be copied, and one of those that are seldom heard? */
bool is_rare_name(int target_word);

/* The first `most` words of a typed line. Returns how many; or -1, and
   `unknown` is the first word that the task does not know. */
int read_words(const struct task *task, const char *line, int most, int words[], char unknown[40]);

/* The pair of two lines with known words alone. */
struct pair pair_of(const struct task *task, const char *source, const char *target);

#endif
