/* Sentences about water or about money, and a network that reads them: words, blocks, and at each
   place a logit for each noun. */
#ifndef READER_H
#define READER_H

#include "encoder.h"
#include "random.h"

/* --- The language ---------------------------------------------------------------------------- */

enum { TOPICS = 2, PER_TOPIC = 8, NOUNS = TOPICS * PER_TOPIC, SAID = 6, TWO_FACED = 4 };
enum { VERBS = NOUNS, ADJECTIVES = VERBS + TOPICS * SAID, FACES = ADJECTIVES + TOPICS * SAID };
enum { THE = FACES + TWO_FACED, AND, HIDDEN, WORDS };

/* Nouns come first, so that the number of a noun is also the number of an answer. Of each kind,
   those about water come before those about money. */
extern const char *const word_names[WORDS];

enum { LONGEST = 10 };

struct sentence {
    int n, words[LONGEST];
    int topic, answer; /* the noun that is hidden */
    int gap, face;     /* where it was; where the word stands that both topics use */
};

struct sentence draw_sentence(struct random *r, int topic, int face);

/* "the ... floods the deep bank and the river", "the ... pays the rich bank and the broker". */
struct sentence our_sentence(int topic);

/* --- The network ----------------------------------------------------------------------------- */

enum { BLOCKS = 2, D_MODEL = 32, HEADS = 4, D_FF = 64 };

/* All that is trained; or its gradients. */
struct reader {
    void *table; /* [WORDS][D_MODEL]: the words, to be read, and to be compared with */
    struct encoder_block block[BLOCKS];
};

/* What a pass over n words leaves for the way back; or the gradients of it. */
struct reader_values {
    void *X[BLOCKS + 1]; /* [n][D_MODEL]: what each block sees, and what the last one gives */
    struct encoder_values block[BLOCKS];
    void *logits; /* [n][NOUNS] */
};

struct reader take_reader(struct room *room);
struct reader_values take_reader_values(struct room *room, const struct reader *w, int n);

/* The weights as they are before training: matrices N(0, 1 / rows), gains 1, biases 0. */
void reader_start(const struct reader *w, struct random *r);

/* From words to logits, and back from d_v->logits. */
void read_sentence(const struct reader *w, const struct sentence *s, struct reader_values *v);
void read_sentence_backward(const struct reader *w, const struct sentence *s,
                            const struct reader_values *v, struct reader_values *d_v,
                            struct reader *d_w);

#endif
