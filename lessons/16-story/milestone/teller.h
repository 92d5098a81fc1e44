/* One model in doubles, floats or bytes, and how it chooses tokens. */
#ifndef TELLER_H
#define TELLER_H

#include "random.h"
#include "streamed.h"
#include "vocabulary.h"

enum kind { DOUBLES, FLOATS, BYTES, KINDS };
extern const char *const kind_names[KINDS]; /* double, float, int8 */

/* In doubles every step is your llama_next(). */
struct teller {
    enum kind kind;
    struct llama_sizes sizes;
    int length;     /* the tokens that it has read */
    double *logits; /* [vocabulary]: after the last of them */
    const void *read;
    size_t read_bytes; /* every token needs these bytes, beginning at `read` */

    struct llama w; /* in doubles */
    struct llama_values values;
    struct llama_caches caches;
    double *removed; /* the columns of W_o of the head that was removed */

    struct stored_model bytes; /* as bytes */
    struct streamed streamed;  /* in floats, or as bytes */
    int without_layer, without_head;
};

/* The memory for a kind, in bytes. The file takes more memory in addition. */
double memory_for(const struct checkpoint *c, enum kind kind);

/* Prepares a kind. If the memory does not suffice, says so on standard error and returns false.
   `model` stays open. */
bool teller_open(struct teller *t, const struct checkpoint *c, enum kind kind);

/* Forgets the text. */
void teller_begin(struct teller *t);

/* Reads one more token and computes the logits after it. The text may not be full. */
void teller_read(struct teller *t, int word);
bool teller_is_full(const struct teller *t);

/* Without the result of one head, or with all heads again if `layer` is -1. Both count from 0. */
void teller_without(struct teller *t, int layer, int head);

/* The loss of `word` after what was read, in nats. */
double surprise_of(const struct teller *t, int word);

/* The most likely token if the temperature is 0. Otherwise one of the `top` most likely tokens,
   and not more of them than are needed for a probability of p; top = 0 and p = 1 keep all. */
struct manner {
    double temperature;
    int top;
    double p;
};
int choose_word(const struct teller *t, const struct manner *manner, struct random *random);

#endif
