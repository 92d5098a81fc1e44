#include "machine.h"

#include "../../11-encoder/milestone/start.h"
#include "masked.h"
#include "positions.h"
#include "self_attention.h"
#include "seq2seq.h"
#include "softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const part_names[PARTS] = {
    "encode_source",          "decode_target",          "sequence_loss", "sequence_loss_backward",
    "decode_target_backward", "encode_source_backward", "adam_step",
};

static double positions[MOST_WORDS][D_MODEL];

static int vocabulary_of(const struct course *course) {
    return course->task ? course->task->targets + course->task->sources : LETTERS;
}

/* --- Before training ------------------------------------------------------------------------- */

/* The table has the variance 1 / D_MODEL. All else is initialized as in lesson 11. */
static void start(struct random *r, const struct transformer *w) {
    draw_weights(r, D_MODEL, w->vocabulary * D_MODEL, w->table);
    for (int b = 0; b < w->n_encoders; b++)
        start_encoder(r, &w->encoder[b]);
    for (int b = 0; b < w->n_decoders; b++) {
        start_attention(r, &w->decoder[b].self);
        if (w->n_encoders > 0)
            start_attention(r, &w->decoder[b].cross);
        start_forward(r, &w->decoder[b].forward);
    }
    if (w->n_encoders > 0)
        fill_ones(D_MODEL, w->memory_gain);
    fill_ones(D_MODEL, w->out_gain);
}

static struct transformer lay_out(const struct course *c, struct room *room) {
    return take_transformer(room, vocabulary_of(c), D_MODEL, HEADS, D_FF, c->task ? c->blocks : 0,
                            c->blocks);
}

struct machine machine_new(const struct course *course, uint64_t seed) {
    struct machine m = {.course = course, .random = random_seed(seed)};
    struct room count = {NULL, 0}, most = {NULL, 0};
    struct transformer sizes = lay_out(course, &count);
    take_transformer_values(&most, &sizes, MOST_WORDS, course->task ? LONGEST : 0);
    most.used += MOST_WORDS * vocabulary_of(course);
    take_caches(&most, &sizes, MOST_WORDS, LONGEST);
    m.trainee = trainee_new(count.used);
    m.w = lay_out(course, &(struct room){m.trainee.weights, 0});
    for (int half = 0; half < HALVES; half++) {
        m.gradient[half] = zeroes((size_t)count.used * sizeof(double));
        m.values[half] = zeroes((size_t)most.used * sizeof(double));
        m.d_values[half] = zeroes((size_t)most.used * sizeof(double));
    }
    sinusoidal_positions(MOST_WORDS, D_MODEL, 0, positions);
    start(&m.random, &m.w);
    return m;
}

struct model machine_model(const struct machine *m) {
    const struct course *c = m->course;
    return (struct model){{13, m->w.vocabulary, D_MODEL, HEADS, D_FF, m->w.n_encoders, c->blocks},
                          c->task ? model_words(c->task) : model_letters(alphabet),
                          m->trainee.count,
                          m->trainee.weights};
}

/* --- One sentence ---------------------------------------------------------------------------- */

static void number_source(const struct course *c, const struct pair *pair, int source[LONGEST]) {
    for (int j = 0; j < pair->n; j++)
        source[j] = c->task->targets + pair->source[j];
}

struct example example_of_pair(const struct course *c, const struct pair *pair) {
    struct example e = {.m = pair->n, .n = pair->m + 1, .truth = NAN};
    number_source(c, pair, e.source);
    teacher_forcing(pair->m, pair->target, e.n, e.inputs, e.targets);
    return e;
}

/* The first input is the end of the line before. */
struct example example_of_line(int n, const int line[n]) {
    struct example e = {.n = n, .inputs = {NEW_LINE}};
    memcpy(e.inputs + 1, line, sizeof(int) * (size_t)(n - 1));
    memcpy(e.targets, line, sizeof(int) * (size_t)n);
    return e;
}

/* The values of a pass, in the arenas of a half. */
struct pass {
    struct transformer_values v, d_v;
    void *logits, *d_logits; /* [n][vocabulary] */
    int used;                /* numbers used in each arena */
};

static struct pass take_pass(const struct machine *m, int half, const struct example *e) {
    struct room room = {m->values[half], 0}, d_room = {m->d_values[half], 0};
    struct pass p;
    p.v = take_transformer_values(&room, &m->w, e->n, e->m);
    p.logits = take(&room, e->n * m->w.vocabulary);
    p.d_v = take_transformer_values(&d_room, &m->w, e->n, e->m);
    p.d_logits = take(&d_room, e->n * m->w.vocabulary);
    p.used = d_room.used;
    return p;
}

/* Adds the time since *since to this part. Only the first half is measured. */
static void count_time(struct machine *m, int half, enum part part, double *since) {
    double now = seconds();
    m->spent[part] += half == 0 ? now - *since : 0.0;
    *since = now;
}

/* `later` has space for the causal mask. Returns the sum of the losses of all tokens. */
static double go_forward(struct machine *m, int half, const struct example *e, struct pass *p,
                         bool later[MOST_WORDS * MOST_WORDS]) {
    bool(*blocked)[e->n] = (bool(*)[e->n])later;
    double since = seconds();
    if (e->m > 0)
        encode_source(e->m, &m->w, e->source, positions, &p->v);
    count_time(m, half, READ, &since);
    causal_mask(e->n, blocked);
    decode_target(e->n, e->m, &m->w, e->inputs, positions, blocked, &p->v, p->logits);
    count_time(m, half, WRITE, &since);
    double loss = e->n * sequence_loss(e->n, m->w.vocabulary, p->logits, e->targets);
    count_time(m, half, LOSS, &since);
    return loss;
}

struct transformer machine_gradient(const struct machine *m, int half) {
    return lay_out(m->course, &(struct room){m->gradient[half], 0});
}

static void go_back(struct machine *m, int half, const struct example *e, struct pass *p,
                    bool later[MOST_WORDS * MOST_WORDS]) {
    struct transformer d_w = machine_gradient(m, half);
    bool(*blocked)[e->n] = (bool(*)[e->n])later;
    double since = seconds();
    memset(m->d_values[half], 0, (size_t)p->used * sizeof(double));
    sequence_loss_backward(e->n, m->w.vocabulary, p->logits, e->targets, p->d_logits);
    count_time(m, half, LOSS_BACK, &since);
    decode_target_backward(e->n, e->m, &m->w, e->inputs, blocked, &p->v, p->d_logits, &p->d_v,
                           &d_w);
    count_time(m, half, WRITE_BACK, &since);
    if (e->m > 0)
        encode_source_backward(e->m, &m->w, e->source, &p->v, &p->d_v, &d_w);
    count_time(m, half, READ_BACK, &since);
}

double machine_think(struct machine *m, int half, const struct example *e,
                     struct transformer_values *v) {
    bool later[MOST_WORDS * MOST_WORDS];
    struct pass p = take_pass(m, half, e);
    *v = p.v;
    return go_forward(m, half, e, &p, later);
}

_Thread_local bool machine_is_learning;

double machine_learn(struct machine *m, int half, const struct example *e) {
    bool later[MOST_WORDS * MOST_WORDS];
    struct pass p = take_pass(m, half, e);
    machine_is_learning = true;
    double loss = go_forward(m, half, e, &p, later);
    go_back(m, half, e, &p, later);
    machine_is_learning = false;
    return loss;
}

/* --- The training ---------------------------------------------------------------------------- */

static struct example draw_line_example(struct random *r) {
    double price;
    int line[LONGEST_LINE], n = draw_line(r, line, &price);
    struct example e = example_of_line(n, line);
    e.truth = price;
    return e;
}

static void draw_batch(struct machine *machine, struct example batch[]) {
    const struct course *c = machine->course;
    int n = c->longest ? 3 + random_below(&machine->random, c->longest - 2) : 0;
    for (int b = 0; b < c->batch; b++) {
        struct pair pair;
        if (c->task)
            c->task->draw(&machine->random, n, &pair);
        batch[b] = c->task ? example_of_pair(c, &pair) : draw_line_example(&machine->random);
        machine->words += batch[b].n + batch[b].m;
    }
}

static double train_half(struct machine *machine, int half, const struct example batch[]) {
    int size = machine->course->batch / HALVES;
    double loss = 0.0;
    memset(machine->gradient[half], 0, (size_t)machine->trainee.count * sizeof(double));
    for (int b = half * size; b < (half + 1) * size; b++)
        loss += machine_learn(machine, half, &batch[b]);
    return loss;
}

/* One step of Adam with the gradients of both halves. Warm-up takes the first twentieth. */
static void take_step(struct machine *machine) {
    const struct course *c = machine->course;
    struct trainee *of = &machine->trainee;
    double since = seconds(), rate = rate_at(machine->step, c->steps, 0.05 * c->steps, c->rate);
    for (int i = 0; i < of->count; i++)
        of->gradient[i] = machine->gradient[0][i] + machine->gradient[1][i];
    gather_gradient(of->count, c->batch, of->gradient);
    adam_step(of->count, ++machine->step, rate, of->gradient, of->mean, of->square, of->weights);
    count_time(machine, 0, ADAM, &since);
}

struct toll machine_step(struct machine *machine) {
    struct example batch[MOST_IN_BATCH];
    double loss[HALVES], truth = 0.0, words = 0.0;
    draw_batch(machine, batch);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++)
        loss[half] = train_half(machine, half, batch);
    take_step(machine);
    for (int b = 0; b < machine->course->batch; b++) {
        truth += batch[b].truth;
        words += batch[b].n;
    }
    return (struct toll){(loss[0] + loss[1]) / words, truth / words};
}

/* --- Generation ------------------------------------------------------------------------------ */

struct writer {
    const struct machine *machine;
    struct transformer_values v;
    struct caches caches;
};

/* `longest` is the largest number of tokens that will be written. */
static struct writer start_writer(const struct machine *machine, int half, int longest, int m) {
    struct room room = {machine->values[half], 0};
    struct writer writer = {.machine = machine};
    writer.v = take_transformer_values(&room, &machine->w, longest, m);
    writer.caches = take_caches(&room, &machine->w, longest, m);
    return writer;
}

static void write_one(void *whom, int word, double logits[]) {
    struct writer *writer = whom;
    int at = writer->caches.written[0].length;
    decode_next(&writer->machine->w, word, &positions[at], &writer->caches, &writer->v,
                (double(*)[writer->machine->w.vocabulary])logits);
}

int machine_translate(const struct machine *machine, int half, const struct pair *pair, int limit,
                      int words[limit]) {
    const struct course *c = machine->course;
    int source[LONGEST];
    double logits[2 * VOCABULARY];
    struct writer writer = start_writer(machine, half, limit, pair->n);
    number_source(c, pair, source);
    encode_source(pair->n, &machine->w, source, positions, &writer.v);
    start_decoding(pair->n, &machine->w, &writer.v, &writer.caches);
    return greedy_decode(c->task->targets, limit, write_one, &writer, logits, words);
}

static int choose(struct manner manner, struct random *r, double logits[LETTERS]) {
    double weights[LETTERS], kept[LETTERS];
    if (manner.temperature == 0.0)
        manner = (struct manner){1.0, 1, 0.0};
    softmax_at_temperature(LETTERS, manner.temperature, logits, weights);
    keep_top_k(LETTERS, manner.top_k ? manner.top_k : LETTERS, weights, kept);
    keep_top_p(LETTERS, manner.top_p > 0.0 ? manner.top_p : 1.0, kept, weights);
    return sample(LETTERS, weights, random_uniform(r));
}

int machine_write(const struct machine *machine, int half, struct manner manner, struct random *r,
                  int n, int limit, int line[limit]) {
    struct writer writer = start_writer(machine, half, limit + 1, 0);
    double logits[LETTERS];
    start_decoding(0, &machine->w, &writer.v, &writer.caches);
    write_one(&writer, NEW_LINE, logits);
    for (int i = 0; i < n; i++)
        write_one(&writer, line[i], logits);
    while (n < limit) {
        line[n] = choose(manner, r, logits);
        if (line[n++] == NEW_LINE || n == limit)
            break;
        write_one(&writer, line[n - 1], logits);
    }
    return n;
}
