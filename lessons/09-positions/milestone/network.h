/* One layer of heads that may be told in five ways where a word stands; a read-out of the words and
   of what their heads have fetched. */
#ifndef NETWORK_H
#define NETWORK_H

#include "multi_head.h"
#include "random.h"
#include "trainer.h"

#include <stdbool.h>

enum way { NOTHING, LEARNED, SINUSOIDAL, ROPE, ALIBI, WAYS };
extern const char *const way_names[WAYS];

enum { D_MODEL = 32, LONGEST = 60 };

/* The weights by their names, or the gradient. The table of places is learned in one way only. */
struct weights {
    void *table;  /* [vocabulary][D_MODEL]: the words */
    void *places; /* [LONGEST][D_MODEL] */
    struct multi_head heads;
    void *of_words, *of_heads; /* [D_MODEL][vocabulary], both: the read-out */
};

struct network {
    enum way way;
    int vocabulary;
    struct trainee row; /* all weights, and their gradient */
    struct weights w, d_w;
};
struct network network_new(enum way way, int n_heads, int vocabulary, struct random *r);
void network_free(struct network *net);

/* Room to think about one sentence, forward and back. */
struct thought;
struct thought *thought_new(const struct network *net);
void thought_free(struct thought *t);

/* Asks the last n_q of n words; each may look at all, or at none that is later. Returns the logits,
   [n_q][vocabulary]. If n_q is less than n, it is 1. */
void *network_think(const struct network *net, int n_q, int n, const int words[n], bool causal,
                    struct thought *t);

/* After network_think(): how much each looked at each, [n_heads][n_q][n]. */
const void *weights_of(const struct thought *t);

/* All n words ask. Returns the mean loss, and adds its gradient into net->d_w. A target may be
   lesson 07's PADDING. */
double network_learn(struct network *net, int n, const int words[n], bool causal,
                     const int targets[n], struct thought *t);

#endif
