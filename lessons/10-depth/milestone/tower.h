/* A tower is a stack of attention layers in one of five arrangements, from words to logits. */
#ifndef TOWER_H
#define TOWER_H

#include "depth.h"
#include "random.h"

enum { WORDS = 12, D_MODEL = 32, HEADS = 4, DEEPEST = 12 };

/* What a layer computes from X. Without a norm, gain and bias are not used. */
enum arrangement {
    BARE,          /* heads(X) */
    NORM_ONLY,     /* heads(norm(X)) */
    RESIDUAL_ONLY, /* X + heads(X) */
    NORM_AFTER,    /* norm(X + heads(X)) */
    NORM_BEFORE,   /* X + heads(norm(X)): attention_layer() */
    ARRANGEMENTS
};
extern const char *const arrangement_names[ARRANGEMENTS];

/* The parameters of a tower, or their gradients. */
struct tower {
    enum arrangement arrangement;
    int depth;
    void *words; /* [WORDS][D_MODEL]: the embedding table */
    struct attention_layer layers[DEEPEST];
    void *answers; /* [D_MODEL][WORDS]: maps the output of the last layer to logits */
};

/* The values that the forward pass keeps for the backward pass, or their gradients. */
struct tower_values {
    void
        *X[DEEPEST + 1]; /* [WORDS][D_MODEL]: the input of each layer, and the output of the last */
    struct attention_layer_values layers[DEEPEST];
    void *logits; /* [WORDS][WORDS]: at each position, one for each word */
};

struct tower take_tower(struct room *room, enum arrangement arrangement, int depth);
struct tower_values take_tower_values(struct room *room, const struct tower *w);

/* Draws a random vector for each position. It is never trained, and the same for all towers. */
void tower_draw_places(struct random *r);

/* Initialization: matrices with the standard deviation size / sqrt(D_MODEL), gains 1, biases 0. */
void tower_start(const struct tower *w, double size, struct random *r);

/* The forward pass from words to logits, and the backward pass from d_v->logits. */
void tower_read(const struct tower *w, const int words[WORDS], struct tower_values *v);
void tower_read_backward(const struct tower *w, const int words[WORDS],
                         const struct tower_values *v, struct tower_values *d_v, struct tower *d_w);

/* The layers only, from v->X[0] to v->X[depth], and back from d_v->X[top] to d_v->X[0]. */
void tower_climb(const struct tower *w, struct tower_values *v);
void tower_descend(const struct tower *w, int top, const struct tower_values *v,
                   struct tower_values *d_v, struct tower *d_w);

#endif
