/* A transformer that is trained: on pairs of lesson 07's tasks, or on text. */
#ifndef MACHINE_H
#define MACHINE_H

#include "../../07-seq2seq/milestone/language.h"
#include "seq2seq.h"
#include "trainer.h"
#include "transformer.h"
#include "writer.h"

enum { D_MODEL = 48, HEADS = 4, D_FF = 96, WINDOW = 64, HALVES = 2 };

/* What is trained, on what, and for how long. */
struct course {
    const char *name;
    const struct task *task; /* NULL: text */
    int blocks;              /* of the decoder; with a task there is one of the encoder, too */
    int longest;             /* sentences of 3 words up to so many */
    int batch, steps;
    double rate; /* the highest learning rate */
};

/* The words that are written have the numbers of the task, those that are read come behind. */
int vocabulary_of(const struct course *course);

struct machine {
    const struct course *course;
    struct random random;
    int step, words; /* taken so far; read and written so far */
    struct trainee trainee;
    struct transformer w;
    double *gradient[HALVES], *values[HALVES], *d_values[HALVES]; /* each thread has its own */
};

struct machine machine_new(const struct course *course, uint64_t seed);
void machine_free(struct machine *machine);

/* One step of Adam: a batch of new pairs of one length, or of new windows. The mean loss. */
double machine_step(struct machine *machine);

/* The values of a pass in one half's room, for n words written and m read. */
struct transformer_values machine_values(const struct machine *machine, int half, int n, int m);

/* Reads the source of a pair and writes for it alone; returns how many words. */
int machine_translate(const struct machine *machine, int half, const struct pair *pair, int limit,
                      int words[limit]);

/* How to choose the next letter: 0 stands for no bound. Temperature 0: the likeliest. */
struct manner {
    double temperature;
    int top_k;
    double top_p;
};

/* Writes on, from the n letters of `line`, up to a new line or `limit` letters in all. */
int machine_write(const struct machine *machine, int half, struct manner manner, struct random *r,
                  int n, int limit, int line[limit]);

/* The loss of each letter of a line behind a new line, in nats; the sum. */
double machine_price(const struct machine *machine, int half, int n, const int line[n]);

#endif
