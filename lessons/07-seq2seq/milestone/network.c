#include "network.h"

#include "dot_product.h"
#include "self_attention.h"
#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* The values of a forward pass of `steps` steps, kept for the backward pass. */
struct values {
    void *X; /* [n][WORD] */
    struct gru_values reader[LONGEST][2];
    void *H; /* [n][2][READER], which is [n][STATE] */
    void *Y; /* [steps][WORD] */
    void *s; /* [steps + 1][STATE]: s[i] is the state before step i */
    struct attention_decoder_values step[LONGEST];
    void *joined; /* [steps][2 * STATE]: new state and context */
    void *logits; /* [steps][words] */
};

struct buffers {
    struct values at, d; /* the values, and their gradients */
    struct room room, d_room;
    int inputs[LONGEST], targets[LONGEST];
    double spent[PARTS], since;
};

static struct values take_values(struct room *room, const struct network *net, int n, int steps) {
    const struct weights *w = &net->weights;
    struct values v;
    room->used = 0;
    v.X = take(room, n * WORD);
    for (int j = 0; j < n; j++)
        for (int reader = 0; reader < 2; reader++)
            v.reader[j][reader] = take_gru_values(room, &w->reader[reader]);
    v.H = take(room, n * STATE);
    v.Y = take(room, steps * WORD);
    v.s = take(room, (steps + 1) * STATE);
    for (int i = 0; i < steps; i++)
        v.step[i] = take_attention_decoder_values(room, &w->decoder, n);
    v.joined = take(room, steps * 2 * STATE);
    v.logits = take(room, steps * net->task->targets);
    return v;
}

struct buffers *buffers_new(const struct network *net) {
    struct buffers *t = zeroes(sizeof *t);
    struct room most = {NULL, 0};
    take_values(&most, net, LONGEST, LONGEST);
    t->room.numbers = zeroes((size_t)most.used * sizeof(double));
    t->d_room.numbers = zeroes((size_t)most.used * sizeof(double));
    return t;
}

void buffers_free(struct buffers *t) {
    free(t->room.numbers);
    free(t->d_room.numbers);
    free(t);
}

const double *weights_at(const struct buffers *t, int s) {
    return t->at.step[s].weights;
}

const double *time_spent(const struct buffers *t) {
    return t->spent;
}

/* The time between begin() and end() is added to that part. */
static void begin(struct buffers *t) {
    t->since = seconds();
}

static void end(struct buffers *t, enum part part) {
    t->spent[part] += seconds() - t->since;
}

static struct weights take_weights(struct room *room, const struct task *task) {
    struct weights w = {.numbers = room->numbers};
    w.source = take(room, task->sources * WORD);
    w.target = take(room, task->targets * WORD);
    for (int reader = 0; reader < 2; reader++)
        w.reader[reader] = take_gru(room, WORD, READER);
    w.decoder = take_attention_decoder(room, WORD, STATE, STATE, HIDDEN);
    w.W_out = take(room, 2 * STATE * task->targets);
    w.count = room->used;
    return w;
}

struct weights weights_new(const struct task *task) {
    struct room room = {NULL, 0};
    int count = take_weights(&room, task).count;
    room = (struct room){zeroes((size_t)count * sizeof(double)), 0};
    return take_weights(&room, task);
}

void weights_free(struct weights *w) {
    free(w->numbers);
    *w = (struct weights){0};
}

struct network network_new(const struct task *task, enum kind kind) {
    return (struct network){task, kind, weights_new(task)};
}

void network_copy(const struct network *from, struct network *to) {
    to->kind = from->kind;
    memcpy(to->weights.numbers, from->weights.numbers, (size_t)to->weights.count * sizeof(double));
}

void network_free(struct network *net) {
    weights_free(&net->weights);
}

static void start_gru(struct random *r, const struct gru *w) {
    draw_weights(r, w->d_in, w->d_in * 3 * w->d, w->W);
    draw_weights(r, w->d, w->d * 3 * w->d, w->U);
}

void network_start(struct network *net, struct random *r) {
    const struct weights *w = &net->weights;
    draw_weights(r, 1, net->task->sources * WORD, w->source);
    draw_weights(r, 1, net->task->targets * WORD, w->target);
    for (int reader = 0; reader < (net->kind == ONE_WAY ? 1 : 2); reader++)
        start_gru(r, &w->reader[reader]);
    start_gru(r, &w->decoder.decoder.gru);
    draw_weights(r, 2 * STATE, 2 * STATE * net->task->targets, w->W_out);
    if (net->kind != FIXED) {
        draw_weights(r, STATE, HIDDEN * STATE, w->decoder.W_q);
        draw_weights(r, STATE, HIDDEN * STATE, w->decoder.W_k);
        draw_weights(r, HIDDEN, HIDDEN, w->decoder.v_a);
    }
}

/* --- Forward --------------------------------------------------------------------------------- */

/* The embeddings of words, one after the other. */
static void look_up(int n, const int words[n], const double table[][WORD], double X[n][WORD]) {
    for (int j = 0; j < n; j++)
        memcpy(X[j], table[words[j]], sizeof X[j]);
}

static void encode_source(const struct network *net, struct buffers *t, const struct pair *pair) {
    static const double start[2][READER];
    const struct weights *w = &net->weights;
    struct values *v = &t->at;
    look_up(pair->n, pair->source, w->source, v->X);
    begin(t);
    encode(pair->n, w->reader, v->X, start, v->reader, v->H);
    sentence_vector(pair->n, READER, v->H, v->s);
    end(t, ENCODE);
}

/* Step i of the decoder reads a word. Its context comes from attention, or it is always the vector
   of the two final states, which is also the initial state of the decoder. */
static void write_step(const struct network *net, struct buffers *t, int n, int i, int word) {
    const struct weights *w = &net->weights;
    struct values *v = &t->at;
    struct attention_decoder_values *step = &v->step[i];
    double(*Y)[WORD] = v->Y, (*s)[STATE] = v->s, (*joined)[2 * STATE] = v->joined;
    look_up(1, &word, w->target, &Y[i]);
    begin(t);
    if (net->kind != FIXED) {
        attention_step(n, &w->decoder, &Y[i], v->H, &s[i], step, &s[i + 1]);
    } else {
        memcpy(step->c, s[0], sizeof s[0]);
        decoder_step(&w->decoder.decoder, &Y[i], step->c, &s[i], &step->decoder, &s[i + 1]);
    }
    end(t, STEP);
    memcpy(joined[i], s[i + 1], sizeof s[i + 1]);
    memcpy(joined[i] + STATE, step->c, sizeof s[i + 1]);
}

/* The logits of `steps` steps, from the new state and the context of each. */
static void read_out(const struct network *net, struct buffers *t, int steps,
                     const double joined[steps][2 * STATE], void *logits) {
    begin(t);
    project(steps, 2 * STATE, net->task->targets, joined, net->weights.W_out, logits);
    end(t, READOUT);
}

double network_loss(const struct network *net, struct buffers *t, const struct pair *pair,
                    int steps) {
    t->at = take_values(&t->room, net, pair->n, steps);
    teacher_forcing(pair->m, pair->target, steps, t->inputs, t->targets);
    encode_source(net, t, pair);
    for (int i = 0; i < steps; i++)
        write_step(net, t, pair->n, i, t->inputs[i]);
    read_out(net, t, steps, t->at.joined, t->at.logits);
    begin(t);
    double loss = sequence_loss(steps, net->task->targets, t->at.logits, t->targets);
    end(t, LOSS);
    return loss;
}

/* --- Backward -------------------------------------------------------------------------------- */

static void loss_backward(const struct network *net, struct buffers *t, int steps,
                          const struct weights *gradient) {
    int words = net->task->targets;
    void *logits = t->at.logits, *d_logits = t->d.logits;
    begin(t);
    sequence_loss_backward(steps, words, logits, t->targets, d_logits);
    end(t, LOSS_BACK);
    begin(t);
    project_backward(steps, 2 * STATE, words, t->at.joined, net->weights.W_out, d_logits,
                     t->d.joined, gradient->W_out);
    end(t, READOUT_BACK);
}

static void add(int n, const double from[n], double to[n]) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

/* The backward pass of step i, from the gradients of its new state and its context. */
static void write_step_backward(const struct network *net, struct buffers *t, int n, int i,
                                struct weights *g) {
    const struct weights *w = &net->weights;
    const struct values *v = &t->at;
    struct values *d = &t->d;
    const struct attention_decoder_values *step = &v->step[i];
    struct attention_decoder_values *d_step = &d->step[i];
    double(*s)[STATE] = v->s, (*d_s)[STATE] = d->s, (*d_joined)[2 * STATE] = d->joined;
    double(*d_Y)[WORD] = d->Y;
    add(STATE, d_joined[i], d_s[i + 1]);
    add(STATE, d_joined[i] + STATE, d_step->c);
    begin(t);
    if (net->kind != FIXED) {
        attention_step_backward(n, &w->decoder, v->H, &s[i], step, &d_s[i + 1], d_step, &g->decoder,
                                &d_Y[i], d->H, &d_s[i]);
    } else {
        decoder_step_backward(&w->decoder.decoder, &s[i], &step->decoder, &d_s[i + 1],
                              &d_step->decoder, &g->decoder.decoder, &d_Y[i], d_step->c, &d_s[i]);
        add(STATE, d_step->c, d_s[0]);
    }
    end(t, STEP_BACK);
}

static void encode_source_backward(const struct network *net, struct buffers *t,
                                   const struct pair *pair, struct weights *g) {
    static const double start[2][READER];
    const struct values *v = &t->at;
    struct values *d = &t->d;
    double d_start[2][READER] = {0}; /* not used: the initial state is not trained */
    begin(t);
    sentence_vector_backward(pair->n, READER, d->s, d->H);
    encode_backward(pair->n, net->weights.reader, v->X, start, v->reader, v->H, d->H, d->reader,
                    g->reader, d->X, d_start);
    end(t, ENCODE_BACK);
    if (net->kind == ONE_WAY) {
        memset(g->reader[1].W, 0, sizeof(double[WORD][3 * READER]));
        memset(g->reader[1].U, 0, sizeof(double[READER][3 * READER]));
    }
}

/* The backward pass of look_up(). A word that occurs twice receives two gradients. */
static void look_up_backward(int n, const int words[n], const double d_X[n][WORD],
                             double d_table[][WORD]) {
    for (int j = 0; j < n; j++)
        add(WORD, d_X[j], d_table[words[j]]);
}

void network_backward(const struct network *net, struct buffers *t, const struct pair *pair,
                      int steps, struct weights *gradient) {
    t->d = take_values(&t->d_room, net, pair->n, steps);
    memset(t->d_room.numbers, 0, (size_t)t->d_room.used * sizeof(double));
    loss_backward(net, t, steps, gradient);
    for (int i = steps - 1; i >= 0; i--)
        write_step_backward(net, t, pair->n, i, gradient);
    encode_source_backward(net, t, pair, gradient);
    look_up_backward(pair->n, pair->source, t->d.X, gradient->source);
    look_up_backward(steps, t->inputs, t->d.Y, gradient->target);
}

double gradient_reaching(const struct network *net, const struct buffers *t, int j, int steps) {
    double d_x[1][WORD] = {0}, d_W[WORD][3 * READER] = {0}; /* d_W is not used */
    const double(*X)[WORD] = t->at.X;
    int logits = steps * net->task->targets;
    project_backward(1, WORD, 3 * READER, &X[j], net->weights.reader[0].W, t->d.reader[j][0].gates,
                     d_x, d_W);
    return sqrt(dot(WORD, d_x[0], d_x[0]) / dot(logits, t->d.logits, t->d.logits));
}

/* --- Writing --------------------------------------------------------------------------------- */

struct writer {
    const struct network *net;
    struct buffers *buffers;
    int n, step;
    watcher *watch;
    void *whom;
};

static void write_one(void *whom, int word, double logits[]) {
    struct writer *w = whom;
    const double(*joined)[2 * STATE] = w->buffers->at.joined;
    if (w->watch && w->step > 0)
        w->watch(w->whom, word, w->net->kind != FIXED ? weights_at(w->buffers, w->step - 1) : NULL);
    write_step(w->net, w->buffers, w->n, w->step, word);
    read_out(w->net, w->buffers, 1, &joined[w->step], logits);
    w->step++;
}

int network_write(const struct network *net, struct buffers *t, const struct pair *pair, int limit,
                  int words[], watcher *watch, void *whom) {
    struct writer writer = {net, t, pair->n, 0, watch, whom};
    int most = limit < LONGEST ? limit : LONGEST;
    t->at = take_values(&t->room, net, pair->n, most);
    encode_source(net, t, pair);
    return greedy_decode(net->task->targets, most, write_one, &writer, t->at.logits, words);
}
