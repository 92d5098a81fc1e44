/* Sentences about water or about money, and an encoder that reads them and gives a logit for each
   noun at each position. */
#ifndef READER_H
#define READER_H

#include "encoder.h"
#include "random.h"

/* --- The language ---------------------------------------------------------------------------- */

enum { TOPICS = 2, PER_TOPIC = 8, NOUNS = TOPICS * PER_TOPIC, SAID = 6, TWO_FACED = 4 };
enum { VERBS = NOUNS, ADJECTIVES = VERBS + TOPICS * SAID, FACES = ADJECTIVES + TOPICS * SAID };
enum { THE = FACES + TWO_FACED, AND, HIDDEN, WORDS };

/* Nouns come first, so that the number of a noun is also the number of an answer. Within nouns,
   verbs and adjectives, those about water come before those about money. */
extern const char *const word_names[WORDS];

enum { LONGEST = 10 };

struct sentence {
    int n, words[LONGEST];
    int topic, answer; /* the noun that is hidden */
    int gap, face;     /* the positions of the hidden noun and of the word with two meanings */
};

struct sentence draw_sentence(struct random *r, int topic, int face);

/* "the ... floods the deep bank and the river", "the ... pays the rich bank and the broker". */
struct sentence our_sentence(int topic);

/* --- The network ----------------------------------------------------------------------------- */

enum { BLOCKS = 2, D_MODEL = 32, HEADS = 4, D_FF = 64 };

/* All parameters, or their gradients. */
struct reader {
    void *table; /* [WORDS][D_MODEL]: the embeddings, which are also compared with the output */
    struct encoder_block block[BLOCKS];
};

/* The values that the backward pass needs for n words, or their gradients. */
struct reader_values {
    void *X[BLOCKS + 1]; /* [n][D_MODEL]: the input of each block, and the output of the last one */
    struct encoder_values block[BLOCKS];
    void *logits; /* [n][NOUNS] */
};

struct reader take_reader(struct room *room);
struct reader_values take_reader_values(struct room *room, const struct reader *w, int n);

/* The parameters at initialization: matrices N(0, 1 / rows), gains 1, biases 0. */
void reader_start(const struct reader *w, struct random *r);

/* From words to logits, and the backward pass from d_v->logits. */
void read_sentence(const struct reader *w, const struct sentence *s, struct reader_values *v);
void read_sentence_backward(const struct reader *w, const struct sentence *s,
                            const struct reader_values *v, struct reader_values *d_v,
                            struct reader *d_w);

#endif
