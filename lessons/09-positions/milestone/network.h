/* One layer of multi-head attention with one of the four methods of lesson 09, or without
   positions. The logits are computed from each input vector and from the output of attention. */
#ifndef NETWORK_H
#define NETWORK_H

#include "multi_head.h"
#include "random.h"
#include "trainer.h"

#include <stdbool.h>

enum way { NOTHING, LEARNED, SINUSOIDAL, ROPE, ALIBI, WAYS };
extern const char *const way_names[WAYS];

enum { D_MODEL = 32, LONGEST = 60 };

/* The parameters, or their gradients. The table of positions is trained only by the method LEARNED.
 */
struct weights {
    void *table;     /* [vocabulary][D_MODEL]: the embeddings of the words */
    void *positions; /* [LONGEST][D_MODEL] */
    struct multi_head heads;
    void *of_words, *of_heads; /* [D_MODEL][vocabulary] each: the two matrices before the logits */
};

struct network {
    enum way way;
    int vocabulary;
    struct trainee row; /* all parameters, and their gradients */
    struct weights w, d_w;
};
struct network network_new(enum way way, int n_heads, int vocabulary, struct random *r);
void network_free(struct network *net);

/* Memory for the forward and the backward pass of one input. */
struct thought;
struct thought *thought_new(const struct network *net);
void thought_free(struct thought *t);

/* The forward pass. The queries come from the last n_q of n words. If `causal`, later words are
   hidden from each query. Returns the logits, [n_q][vocabulary]. If n_q is less than n, it is 1. */
void *network_think(const struct network *net, int n_q, int n, const int words[n], bool causal,
                    struct thought *t);

/* The attention weights of the last network_think(), [n_heads][n_q][n]. */
const void *weights_of(const struct thought *t);

/* The forward and the backward pass with n queries. Returns the mean loss and adds its gradient to
   net->d_w. A target may be lesson 07's PADDING. */
double network_learn(struct network *net, int n, const int words[n], bool causal,
                     const int targets[n], struct thought *t);

#endif
