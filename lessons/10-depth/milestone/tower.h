/* A tower: layers of attention on each other, arranged in one of five ways, with words at the
   bottom and answers at the top. */
#ifndef TOWER_H
#define TOWER_H

#include "depth.h"
#include "random.h"

enum { WORDS = 12, D_MODEL = 32, HEADS = 4, DEEPEST = 12 };

/* What a layer makes of X. Without its norm a layer leaves gain and bias as they are. */
enum arrangement {
    BARE,          /* heads(X) */
    NORM_ONLY,     /* heads(norm(X)) */
    RESIDUAL_ONLY, /* X + heads(X) */
    NORM_AFTER,    /* norm(X + heads(X)) */
    NORM_BEFORE,   /* X + heads(norm(X)): attention_layer() */
    ARRANGEMENTS
};
extern const char *const arrangement_names[ARRANGEMENTS];

/* All that is trained; or its gradients. */
struct tower {
    enum arrangement arrangement;
    int depth;
    void *words; /* [WORDS][D_MODEL]: a row for each word */
    struct attention_layer layers[DEEPEST];
    void *answers; /* [D_MODEL][WORDS]: from the last layer to a logit for each word */
};

/* What a pass leaves for the way back, of WORDS words; or its gradients. */
struct tower_values {
    void *X[DEEPEST + 1]; /* [WORDS][D_MODEL]: what each layer sees, and what the last one gives */
    struct attention_layer_values layers[DEEPEST];
    void *logits; /* [WORDS][WORDS]: for each place, each word */
};

struct tower take_tower(struct room *room, enum arrangement arrangement, int depth);
struct tower_values take_tower_values(struct room *room, const struct tower *w);

/* A vector for each place, random and never trained: the same for all towers. */
void tower_draw_places(struct random *r);

/* The weights as they are before training: matrices N(0, size^2 / D_MODEL), gains 1, biases 0. */
void tower_start(const struct tower *w, double size, struct random *r);

/* From words to logits, and back from d_v->logits. */
void tower_read(const struct tower *w, const int words[WORDS], struct tower_values *v);
void tower_read_backward(const struct tower *w, const int words[WORDS],
                         const struct tower_values *v, struct tower_values *d_v, struct tower *d_w);

/* The layers alone: from v->X[0] up to v->X[depth], and from d_v->X[top] down to d_v->X[0]. */
void tower_climb(const struct tower *w, struct tower_values *v);
void tower_descend(const struct tower *w, int top, const struct tower_values *v,
                   struct tower_values *d_v, struct tower *d_w);

#endif
