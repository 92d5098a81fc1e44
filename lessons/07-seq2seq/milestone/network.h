/* The two networks of Bahdanau's figure 2, made of the lesson's functions: the same encoder and
   decoder, and between them the sentence in one vector, or attention. */
#ifndef NETWORK_H
#define NETWORK_H

#include "seq2seq.h"
#include "tasks/language.h"

#include <stddef.h>

enum { WORD = 32, READER = 32, STATE = 2 * READER, HIDDEN = 8 };

/* All that is trained, in one row of numbers; a gradient has the same layout. Without attention
   W_q, W_k and v_a stay 0. */
struct weights {
    int count;
    double *numbers;
    void *source, *target; /* [words][WORD]: the vectors of the words */
    struct gru reader[2];
    struct attention_decoder decoder;
    void *W_out; /* [2 * STATE][words of the target] */
};
struct weights weights_new(const struct task *task); /* all 0 */
void weights_free(struct weights *w);

/* The sentence in one vector; or attention; or attention to states of the first reader alone: the
   second one's matrices are 0 and stay so. */
enum kind { FIXED, ATTENTION, ONE_WAY, KINDS };

struct network {
    const struct task *task;
    enum kind kind;
    struct weights weights;
};

struct network network_new(const struct task *task, enum kind kind); /* all numbers are 0 */
void network_copy(const struct network *from, struct network *to);   /* of one task */
void network_free(struct network *net);
void network_start(struct network *net, struct random *r); /* small random numbers */

/* Where the time goes. */
enum part { ENCODE, STEP, READOUT, LOSS, LOSS_BACK, READOUT_BACK, STEP_BACK, ENCODE_BACK, PARTS };
extern const char *const part_names[KINDS][PARTS];

/* Room to think about one sentence, forward and back. */
struct thought;
struct thought *thought_new(const struct network *net); /* for all networks of this task */
void thought_free(struct thought *t);

/* The loss of one pair, by teacher forcing over so many steps. */
double network_loss(const struct network *net, struct thought *t, const struct pair *pair,
                    int steps);

/* Adds the gradient of that loss into `gradient`. */
void network_backward(const struct network *net, struct thought *t, const struct pair *pair,
                      int steps, struct weights *gradient);

/* After network_loss(): how much step s looked at each of the n words of the source. */
const double *weights_at(const struct thought *t, int s);

/* After network_backward(): the length of the gradient that has reached the vector of source word j
   by way of the first reader, who must carry the word to the end of the sentence; for each unit
   that left the logits of so many steps. */
double gradient_reaching(const struct network *net, const struct thought *t, int j, int steps);

/* Writes for the source of a pair alone. After each step, `watch` is told the word that was read
   there and, for networks with attention, the weights of the step before; unless it is NULL. */
typedef void watcher(void *whom, int word, const double *weights);
int network_write(const struct network *net, struct thought *t, const struct pair *pair, int limit,
                  int words[], watcher *watch, void *whom);

/* Seconds spent in each part since thought_new(). */
const double *time_spent(const struct thought *t);

#endif
