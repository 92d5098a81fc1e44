/* Trains a transformer on pairs of lesson 07's tasks, or on lines of text. */
#ifndef MACHINE_H
#define MACHINE_H

#include "writer.h"

#include "random.h"
#include "tasks/language.h"
#include "tasks/model_file.h"
#include "trainer.h"
#include "transformer.h"

enum { D_MODEL = 48, HEADS = 4, D_FF = 96, MOST_WORDS = LONGEST_LINE + 1, MOST_IN_BATCH = 32 };

/* A mini-batch is always computed in two halves, so that one thread gets the same sums as two. */
enum { HALVES = 2 };

/* The settings of a training. */
struct course {
    const char *name;
    const struct task *task; /* NULL for lines of text */
    int blocks;              /* of the decoder, and with a task also of the encoder */
    int longest;             /* the longest sentence; the shortest has 3 words */
    int batch, steps;
    double rate; /* the highest learning rate */
};

/* Parts of a training step whose time is measured. */
enum part { READ, WRITE, LOSS, LOSS_BACK, WRITE_BACK, READ_BACK, ADAM, PARTS };
extern const char *const part_names[PARTS];

struct machine {
    const struct course *course;
    struct random random;
    int step, words; /* steps so far; words of source and target so far */
    struct trainee trainee;
    struct transformer w;
    double *gradient[HALVES], *values[HALVES], *d_values[HALVES]; /* one for each half */
    double spent[PARTS]; /* seconds, measured in the thread of the first half */
};

/* Tokens of the target have the numbers of the task, and those of the source come after them. */
struct machine machine_new(const struct course *course, uint64_t seed);

/* The parameters and a description of them, for a file. */
struct model machine_model(const struct machine *machine);

/* --- Training -------------------------------------------------------------------------------- */

/* The mean loss of a token in a mini-batch, and that of the grammar, in nats. */
struct toll {
    double loss, truth; /* truth is NaN without a grammar */
};

/* One training step with Adam, on new pairs of one length or on new lines. */
struct toll machine_step(struct machine *machine);

/* --- One sentence ---------------------------------------------------------------------------- */

/* The source, the input of the decoder, and its targets. */
struct example {
    int m, source[LONGEST];
    int n, inputs[MOST_WORDS], targets[MOST_WORDS];
    double truth; /* the loss of the grammar, for all tokens */
};
struct example example_of_pair(const struct course *course, const struct pair *pair);
struct example example_of_line(int n, const int line[n]);

/* A forward pass, whose values stay in the arena of this half until the next pass. Returns the sum
   of the losses of all tokens. */
double machine_think(struct machine *machine, int half, const struct example *e,
                     struct transformer_values *v);

/* A forward and a backward pass, which adds to the gradient of this half. */
double machine_learn(struct machine *machine, int half, const struct example *e);

/* True during machine_learn(), so attention weights need not be kept for display. */
extern _Thread_local bool machine_is_learning;
struct transformer machine_gradient(const struct machine *machine, int half);

/* --- Generation ------------------------------------------------------------------------------ */

/* Encodes the source of a pair and generates the target. Returns its number of words. */
int machine_translate(const struct machine *machine, int half, const struct pair *pair, int limit,
                      int words[limit]);

/* How to choose the next character. Temperature 0 means greedy. */
struct manner {
    double temperature;
    int top_k;    /* 0: all */
    double top_p; /* 0: all */
};

/* Continues a line of n characters up to its end, or to `limit` characters in all. */
int machine_write(const struct machine *machine, int half, struct manner manner, struct random *r,
                  int n, int limit, int line[limit]);

#endif
