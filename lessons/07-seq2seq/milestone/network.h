/* The two networks of Bahdanau's figure 2, made of the lesson's functions: the same encoder and
   decoder, and between them the sentence in one vector, or attention. */
#ifndef NETWORK_H
#define NETWORK_H

#include "language.h"

#include <stddef.h>

enum { WORD = 32, READER = 32, STATE = 2 * READER, HIDDEN = 8 };

/* All that is trained; a gradient has the same layout. What a task or a network has no use for
   stays as it is: words beyond its own, and without attention W_q, W_k and v_a. */
struct weights {
    double source[VOCABULARY][WORD], target[VOCABULARY][WORD]; /* the vectors of the words */
    double W_read[2][WORD][3 * READER], U_read[2][READER][3 * READER];
    double W_q[HIDDEN][STATE], W_k[HIDDEN][STATE], v_a[HIDDEN];
    double W[WORD + STATE][3 * STATE], U[STATE][3 * STATE];
    double W_out[2 * STATE * VOCABULARY]; /* 2 * STATE rows, and a column for each target word */
};
enum { NUMBERS = sizeof(struct weights) / sizeof(double) };

/* The sentence in one vector; or attention; or attention to states of the first reader alone: the
   second one's matrices are 0 and stay so. */
enum kind { FIXED, ATTENTION, ONE_WAY, KINDS };

struct network {
    const struct task *task;
    enum kind kind;
    struct weights *weights;
};

struct network network_new(const struct task *task, enum kind kind); /* all numbers are 0 */
void network_free(struct network *net);
void network_start(struct network *net, struct random *r); /* small random numbers */

/* Where the time goes. */
enum part { ENCODE, STEP, READOUT, LOSS, LOSS_BACK, READOUT_BACK, STEP_BACK, ENCODE_BACK, PARTS };
extern const char *const part_names[KINDS][PARTS];

/* Room to think about one sentence, forward and back. It is large: make it with thought_new(). */
struct thought;
struct thought *thought_new(void);
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

double seconds(void);

/* So many bytes of memory, all 0; without them the program ends. */
void *zeroes(size_t size);

#endif
