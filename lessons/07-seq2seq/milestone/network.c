#include "network.h"

#include "dot_product.h"
#include "self_attention.h"
#include "seq2seq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARTS_WITH(step)                                                                           \
    {                                                                                              \
        "encode", step, "project (to logits)", "sequence_loss", "sequence_loss_backward",          \
            "project_backward", step "_backward", "encode_backward"                                \
    }
const char *const part_names[KINDS][PARTS] = {
    PARTS_WITH("decoder_step"),
    PARTS_WITH("attention_step"),
    PARTS_WITH("attention_step"),
};

/* What is computed on the way, and kept for the way back. s[t] is the state before step t. */
struct values {
    double X[LONGEST][WORD], H[LONGEST][2][READER];
    double read_gates[LONGEST][2][3 * READER], read_heard[LONGEST][2][3 * READER];
    double Y[LONGEST][WORD], c[LONGEST][STATE], s[LONGEST + 1][STATE];
    double input[LONGEST][WORD + STATE], gates[LONGEST][3 * STATE], heard[LONGEST][3 * STATE];
    double joined[LONGEST][2 * STATE], logits[LONGEST * VOCABULARY];
};

struct thought {
    struct values at, d; /* the values, and their gradients */
    double hidden[LONGEST][LONGEST * HIDDEN], weights[LONGEST][LONGEST];
    int inputs[LONGEST], targets[LONGEST];
    double spent[PARTS], since;
};

void *zeroes(size_t size) {
    void *room = calloc(1, size);
    if (!room) {
        fprintf(stderr, "There is no memory left.\n");
        exit(2);
    }
    return room;
}

struct thought *thought_new(void) {
    return zeroes(sizeof(struct thought));
}

void thought_free(struct thought *t) {
    free(t);
}

const double *weights_at(const struct thought *t, int s) {
    return t->weights[s];
}

const double *time_spent(const struct thought *t) {
    return t->spent;
}

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What happens between begin() and end() counts for that part. */
static void begin(struct thought *t) {
    t->since = seconds();
}

static void end(struct thought *t, enum part part) {
    t->spent[part] += seconds() - t->since;
}

struct network network_new(const struct task *task, enum kind kind) {
    return (struct network){task, kind, zeroes(sizeof(struct weights))};
}

void network_free(struct network *net) {
    free(net->weights);
    net->weights = NULL;
}

static void fill_matrix(struct random *r, int rows, int cols, void *matrix) {
    double *numbers = random_fill_normal(r, rows * cols, matrix);
    for (int i = 0; i < rows * cols; i++)
        numbers[i] /= sqrt(rows);
}

void network_start(struct network *net, struct random *r) {
    struct weights *w = net->weights;
    random_fill_normal(r, net->task->sources * WORD, w->source);
    random_fill_normal(r, net->task->targets * WORD, w->target);
    for (int reader = 0; reader < (net->kind == ONE_WAY ? 1 : 2); reader++) {
        fill_matrix(r, WORD, 3 * READER, w->W_read[reader]);
        fill_matrix(r, READER, 3 * READER, w->U_read[reader]);
    }
    fill_matrix(r, WORD + STATE, 3 * STATE, w->W);
    fill_matrix(r, STATE, 3 * STATE, w->U);
    fill_matrix(r, 2 * STATE, net->task->targets, w->W_out);
    if (net->kind != FIXED) {
        random_fill_normal(r, HIDDEN * STATE, w->W_q);
        random_fill_normal(r, HIDDEN * STATE, w->W_k);
        for (int a = 0; a < HIDDEN; a++)
            for (int i = 0; i < STATE; i++) {
                w->W_q[a][i] /= sqrt(STATE);
                w->W_k[a][i] /= sqrt(STATE);
            }
        fill_matrix(r, HIDDEN, 1, w->v_a);
    }
}

/* --- Forward --------------------------------------------------------------------------------- */

static void read_source(const struct network *net, struct thought *t, const struct pair *pair) {
    static const double start[2][READER];
    const struct weights *w = net->weights;
    struct values *v = &t->at;
    for (int j = 0; j < pair->n; j++)
        memcpy(v->X[j], w->source[pair->source[j]], sizeof v->X[j]);
    begin(t);
    encode(pair->n, WORD, READER, w->W_read, w->U_read, v->X, start, v->read_gates, v->read_heard,
           v->H);
    sentence_vector(pair->n, READER, v->H, (double(*)[READER])v->s[0]);
    end(t, ENCODE);
}

/* Step i of the decoder reads a word. The context is what it looks back at, or always the whole
   sentence in one vector, which is also the decoder's first state. */
static void write_step(const struct network *net, struct thought *t, int n, int i, int word) {
    const struct weights *w = net->weights;
    struct values *v = &t->at;
    memcpy(v->Y[i], w->target[word], sizeof v->Y[i]);
    begin(t);
    if (net->kind != FIXED) {
        attention_step(n, WORD, STATE, STATE, HIDDEN, w->W_q, w->W_k, w->v_a, w->W, w->U, &v->Y[i],
                       (const double(*)[STATE])v->H, &v->s[i], (double(*)[n][HIDDEN])t->hidden[i],
                       (double(*)[n])t->weights[i], &v->c[i], &v->input[i], &v->gates[i],
                       &v->heard[i], &v->s[i + 1]);
    } else {
        memcpy(v->c[i], v->s[0], sizeof v->c[i]);
        decoder_step(WORD, STATE, STATE, w->W, w->U, &v->Y[i], &v->c[i], &v->s[i], &v->input[i],
                     &v->gates[i], &v->heard[i], &v->s[i + 1]);
    }
    end(t, STEP);
    memcpy(v->joined[i], v->s[i + 1], sizeof v->s[i + 1]);
    memcpy(v->joined[i] + STATE, v->c[i], sizeof v->c[i]);
}

/* The logits of so many steps, from what each of them knows: its new state and its context. */
static void read_out(const struct network *net, struct thought *t, int steps,
                     const double joined[steps][2 * STATE], double *logits) {
    int words = net->task->targets;
    begin(t);
    project(steps, 2 * STATE, words, joined, (const double(*)[words])net->weights->W_out,
            (double(*)[words])logits);
    end(t, READOUT);
}

double network_loss(const struct network *net, struct thought *t, const struct pair *pair,
                    int steps) {
    int words = net->task->targets;
    teacher_forcing(pair->m, pair->target, steps, t->inputs, t->targets);
    read_source(net, t, pair);
    for (int i = 0; i < steps; i++)
        write_step(net, t, pair->n, i, t->inputs[i]);
    read_out(net, t, steps, t->at.joined, t->at.logits);
    begin(t);
    double loss = sequence_loss(steps, words, (const double(*)[words])t->at.logits, t->targets);
    end(t, LOSS);
    return loss;
}

/* --- Backward -------------------------------------------------------------------------------- */

static void loss_backward(const struct network *net, struct thought *t, int steps,
                          struct weights *gradient) {
    int words = net->task->targets;
    double(*d_logits)[words] = (double(*)[words])t->d.logits;
    begin(t);
    sequence_loss_backward(steps, words, (const double(*)[words])t->at.logits, t->targets,
                           d_logits);
    end(t, LOSS_BACK);
    begin(t);
    project_backward(steps, 2 * STATE, words, t->at.joined,
                     (const double(*)[words])net->weights->W_out, d_logits, t->d.joined,
                     (double(*)[words])gradient->W_out);
    end(t, READOUT_BACK);
}

static void add(const double from[STATE], double to[STATE]) {
    for (int i = 0; i < STATE; i++)
        to[i] += from[i];
}

/* What has come to the new state and to the context of step i goes on to what they were made of. */
static void write_step_backward(const struct network *net, struct thought *t, int n, int i,
                                struct weights *g) {
    const struct weights *w = net->weights;
    struct values *v = &t->at, *d = &t->d;
    add(d->joined[i], d->s[i + 1]);
    add(d->joined[i] + STATE, d->c[i]);
    begin(t);
    if (net->kind != FIXED) {
        attention_step_backward(
            n, WORD, STATE, STATE, HIDDEN, w->W_q, w->W_k, w->v_a, w->W, w->U,
            (const double(*)[STATE])v->H, &v->s[i], (const double(*)[n][HIDDEN])t->hidden[i],
            (const double(*)[n])t->weights[i], &v->input[i], &v->gates[i], &v->heard[i],
            &d->s[i + 1], &d->gates[i], &d->heard[i], &d->input[i], &d->c[i], g->W_q, g->W_k,
            g->v_a, g->W, g->U, &d->Y[i], (double(*)[STATE])d->H, &d->s[i]);
    } else {
        decoder_step_backward(WORD, STATE, STATE, w->W, w->U, &v->s[i], &v->input[i], &v->gates[i],
                              &v->heard[i], &d->s[i + 1], &d->gates[i], &d->heard[i], &d->input[i],
                              g->W, g->U, &d->Y[i], &d->c[i], &d->s[i]);
        add(d->c[i], d->s[0]);
    }
    end(t, STEP_BACK);
}

static void read_source_backward(const struct network *net, struct thought *t,
                                 const struct pair *pair, struct weights *g) {
    static const double start[2][READER];
    const struct weights *w = net->weights;
    struct values *v = &t->at, *d = &t->d;
    double d_start[2][READER] = {0}; /* for nobody: the start is not trained */
    begin(t);
    sentence_vector_backward(pair->n, READER, (const double(*)[READER])d->s[0], d->H);
    encode_backward(pair->n, WORD, READER, w->W_read, w->U_read, v->X, start, v->read_gates,
                    v->read_heard, v->H, d->H, d->read_gates, d->read_heard, g->W_read, g->U_read,
                    d->X, d_start);
    end(t, ENCODE_BACK);
    if (net->kind == ONE_WAY) {
        memset(g->W_read[1], 0, sizeof g->W_read[1]);
        memset(g->U_read[1], 0, sizeof g->U_read[1]);
    }
}

/* Only the steps that are in use: the rest is never read. */
static void clear(struct values *d, int n, int steps, int words) {
#define CLEAR(what, count) memset(d->what, 0, (size_t)(count) * sizeof *d->what)
    CLEAR(X, n);
    CLEAR(H, n);
    CLEAR(read_gates, n);
    CLEAR(read_heard, n);
    CLEAR(Y, steps);
    CLEAR(c, steps);
    CLEAR(s, steps + 1);
    CLEAR(input, steps);
    CLEAR(gates, steps);
    CLEAR(heard, steps);
    CLEAR(joined, steps);
    CLEAR(logits, steps * words);
#undef CLEAR
}

void network_backward(const struct network *net, struct thought *t, const struct pair *pair,
                      int steps, struct weights *gradient) {
    clear(&t->d, pair->n, steps, net->task->targets);
    loss_backward(net, t, steps, gradient);
    for (int i = steps - 1; i >= 0; i--)
        write_step_backward(net, t, pair->n, i, gradient);
    read_source_backward(net, t, pair, gradient);
    for (int j = 0; j < pair->n; j++)
        for (int k = 0; k < WORD; k++)
            gradient->source[pair->source[j]][k] += t->d.X[j][k];
    for (int i = 0; i < steps; i++)
        for (int k = 0; k < WORD; k++)
            gradient->target[t->inputs[i]][k] += t->d.Y[i][k];
}

double gradient_reaching(const struct network *net, const struct thought *t, int j, int steps) {
    double d_x[1][WORD] = {0}, d_W[WORD][3 * READER] = {0}; /* d_W for nobody */
    int logits = steps * net->task->targets;
    project_backward(1, WORD, 3 * READER, &t->at.X[j], net->weights->W_read[0],
                     &t->d.read_gates[j][0], d_x, d_W);
    return sqrt(dot(WORD, d_x[0], d_x[0]) / dot(logits, t->d.logits, t->d.logits));
}

/* --- Writing alone --------------------------------------------------------------------------- */

struct writer {
    const struct network *net;
    struct thought *thought;
    int n, step;
    watcher *watch;
    void *whom;
};

static void write_one(void *whom, int word, double logits[]) {
    struct writer *w = whom;
    const double *before =
        w->step > 0 && w->net->kind != FIXED ? w->thought->weights[w->step - 1] : NULL;
    if (w->watch && w->step > 0)
        w->watch(w->whom, word, before);
    write_step(w->net, w->thought, w->n, w->step, word);
    read_out(w->net, w->thought, 1, &w->thought->at.joined[w->step], logits);
    w->step++;
}

int network_write(const struct network *net, struct thought *t, const struct pair *pair, int limit,
                  int words[], watcher *watch, void *whom) {
    struct writer writer = {net, t, pair->n, 0, watch, whom};
    read_source(net, t, pair);
    return greedy_decode(net->task->targets, limit < LONGEST ? limit : LONGEST, write_one, &writer,
                         t->at.logits, words);
}
