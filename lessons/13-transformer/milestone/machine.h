/* A transformer that is trained: on pairs of lesson 07's tasks, or on lines of text. */
#ifndef MACHINE_H
#define MACHINE_H

#include "writer.h"

#include "random.h"
#include "tasks/language.h"
#include "tasks/model_file.h"
#include "trainer.h"
#include "transformer.h"

enum { D_MODEL = 48, HEADS = 4, D_FF = 96, MOST_WORDS = LONGEST_LINE + 1, MOST_IN_BATCH = 32 };

/* A batch is halved whatever the number of threads, so that one thread gets the sums of two. */
enum { HALVES = 2 };

/* What is trained, on what, and for how long. */
struct course {
    const char *name;
    const struct task *task; /* NULL: lines of text */
    int blocks;              /* of the decoder, and with a task as many of the encoder */
    int longest;             /* sentences of 3 words up to so many */
    int batch, steps;
    double rate; /* the highest learning rate */
};

/* Where the time goes. */
enum part { READ, WRITE, LOSS, LOSS_BACK, WRITE_BACK, READ_BACK, ADAM, PARTS };
extern const char *const part_names[PARTS];

struct machine {
    const struct course *course;
    struct random random;
    int step, words; /* taken so far; read and written so far */
    struct trainee trainee;
    struct transformer w;
    double *gradient[HALVES], *values[HALVES], *d_values[HALVES]; /* each thread has its own */
    double spent[PARTS]; /* seconds of the first half's thread */
};

/* Words that are written have the numbers of the task, those that are read come behind. */
struct machine machine_new(const struct course *course, uint64_t seed);

/* The trained numbers, and what they are, for a file. */
struct model machine_model(const struct machine *machine);

/* --- Training -------------------------------------------------------------------------------- */

/* For each word of a batch: the mean loss, and what the grammar pays, in nats. */
struct toll {
    double loss, truth; /* the truth is NaN where there is no grammar */
};

/* One step of Adam: a batch of new pairs of one length, or of new lines. */
struct toll machine_step(struct machine *machine);

/* --- One sentence ---------------------------------------------------------------------------- */

/* What is read, what is given to the decoder, and what it should write. */
struct example {
    int m, source[LONGEST];
    int n, inputs[MOST_WORDS], targets[MOST_WORDS];
    double truth; /* of all its words */
};
struct example example_of_pair(const struct course *course, const struct pair *pair);
struct example example_of_line(int n, const int line[n]);

/* A pass over the example, in one half's room; it holds until the next one there. Returns the loss
   of all its words. */
double machine_think(struct machine *machine, int half, const struct example *e,
                     struct transformer_values *v);

/* The same, and the way back: adds into that half's gradient. */
double machine_learn(struct machine *machine, int half, const struct example *e);

/* While it does: nobody looks at the weights of its heads then. */
extern _Thread_local bool machine_is_learning;
struct transformer machine_gradient(const struct machine *machine, int half);

/* --- Writing alone --------------------------------------------------------------------------- */

/* Reads the source of a pair and writes for it; returns how many words. */
int machine_translate(const struct machine *machine, int half, const struct pair *pair, int limit,
                      int words[limit]);

/* How to choose the next letter. Temperature 0: the likeliest. */
struct manner {
    double temperature;
    int top_k;    /* 0: all */
    double top_p; /* 0: all */
};

/* Writes on, from the n letters of `line`, up to a new line or `limit` letters in all. */
int machine_write(const struct machine *machine, int half, struct manner manner, struct random *r,
                  int n, int limit, int line[limit]);

#endif
