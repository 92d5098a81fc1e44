/* The two networks of Bahdanau's figure 2, built from the functions of this lesson. Encoder and
   decoder are the same, and between them is one context vector, or attention. */
#ifndef NETWORK_H
#define NETWORK_H

#include "seq2seq.h"
#include "tasks/language.h"

#include <stddef.h>

enum { WORD = 32, READER = 32, STATE = 2 * READER, HIDDEN = 8 };

/* All parameters, in one vector. A gradient has the same layout. Without attention
   W_q, W_k and v_a stay 0. */
struct weights {
    int count;
    double *numbers;
    void *source, *target; /* [words][WORD]: the embeddings */
    struct gru reader[2];
    struct attention_decoder decoder;
    void *W_out; /* [2 * STATE][words of the target] */
};
struct weights weights_new(const struct task *task); /* all 0 */
void weights_free(struct weights *w);

/* One context vector, or attention, or attention to the states of the first GRU only. In the last
   case the matrices of the second GRU are 0 and stay 0. */
enum kind { FIXED, ATTENTION, ONE_WAY, KINDS };

struct network {
    const struct task *task;
    enum kind kind;
    struct weights weights;
};

struct network network_new(const struct task *task, enum kind kind); /* all parameters are 0 */
void network_copy(const struct network *from, struct network *to);   /* of one task */
void network_free(struct network *net);
void network_start(struct network *net, struct random *r); /* small random numbers */

/* The parts of which the time is measured. */
enum part { ENCODE, STEP, READOUT, LOSS, LOSS_BACK, READOUT_BACK, STEP_BACK, ENCODE_BACK, PARTS };
extern const char *const part_names[KINDS][PARTS];

/* The buffers for one sentence, forward and backward. */
struct buffers;
struct buffers *buffers_new(const struct network *net); /* for all networks of this task */
void buffers_free(struct buffers *t);

/* The loss of one pair, with teacher forcing over `steps` steps. */
double network_loss(const struct network *net, struct buffers *t, const struct pair *pair,
                    int steps);

/* Adds the gradient of that loss into `gradient`. */
void network_backward(const struct network *net, struct buffers *t, const struct pair *pair,
                      int steps, struct weights *gradient);

/* After network_loss(): the attention weights of step s over the n words of the source. */
const double *weights_at(const struct buffers *t, int s);

/* After network_backward(): the length of the gradient that has reached the embedding of source
   word j through the first GRU, divided by the length of the gradient at the logits of `steps`
   steps. */
double gradient_reaching(const struct network *net, const struct buffers *t, int j, int steps);

/* Writes a sentence by greedy decoding, for the source of a pair. Unless `watch` is NULL, it is
   called after each step with the word that was read and, with attention, the weights of the step
   before. */
typedef void watcher(void *whom, int word, const double *weights);
int network_write(const struct network *net, struct buffers *t, const struct pair *pair, int limit,
                  int words[], watcher *watch, void *whom);

/* Seconds spent in each part since buffers_new(). */
const double *time_spent(const struct buffers *t);

#endif
