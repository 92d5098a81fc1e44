#include "machine.h"

#include "masked.h"
#include "positions.h"
#include "self_attention.h"
#include "softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = LONGEST_LINE + 1, MOST_IN_BATCH = 32 };

static double positions[MOST_WORDS][D_MODEL];

int vocabulary_of(const struct course *course) {
    return course->task ? course->task->targets + course->task->sources : LETTERS;
}

/* --- Before training ------------------------------------------------------------------------- */

static void start_matrix(struct random *r, int rows, int columns, void *matrix) {
    double *number = random_fill_normal(r, rows * columns, matrix);
    for (int i = 0; i < rows * columns; i++)
        number[i] /= sqrt(rows);
}

static void start_ones(double numbers[D_MODEL]) {
    for (int c = 0; c < D_MODEL; c++)
        numbers[c] = 1.0;
}

static void start_attention(struct random *r, const struct attention_layer *w) {
    void *const matrix[] = {w->heads.W_q, w->heads.W_k, w->heads.W_v, w->heads.W_o};
    start_ones(w->gain);
    for (int i = 0; i < 4; i++)
        start_matrix(r, D_MODEL, D_MODEL, matrix[i]);
}

static void start_forward(struct random *r, const struct forward_layer *w) {
    start_ones(w->gain);
    start_matrix(r, D_MODEL, D_FF, w->W_1);
    start_matrix(r, D_FF, D_MODEL, w->W_2);
}

/* Matrices N(0, 1 / rows), the table N(0, 1 / D_MODEL), gains 1; biases stay 0. */
static void start(struct random *r, const struct transformer *w) {
    double *number = random_fill_normal(r, w->vocabulary * D_MODEL, w->table);
    for (int i = 0; i < w->vocabulary * D_MODEL; i++)
        number[i] /= sqrt(D_MODEL);
    for (int b = 0; b < w->n_encoders; b++) {
        start_attention(r, &w->encoder[b].self);
        start_forward(r, &w->encoder[b].forward);
    }
    for (int b = 0; b < w->n_decoders; b++) {
        start_attention(r, &w->decoder[b].self);
        if (w->n_encoders > 0)
            start_attention(r, &w->decoder[b].cross);
        start_forward(r, &w->decoder[b].forward);
    }
    if (w->n_encoders > 0)
        start_ones(w->memory_gain);
    start_ones(w->out_gain);
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

void machine_free(struct machine *m) {
    trainee_free(&m->trainee);
    for (int half = 0; half < HALVES; half++) {
        free(m->gradient[half]);
        free(m->values[half]);
        free(m->d_values[half]);
    }
}

struct transformer_values machine_values(const struct machine *m, int half, int n, int read) {
    return take_transformer_values(&(struct room){m->values[half], 0}, &m->w, n, read);
}

/* --- One sentence ---------------------------------------------------------------------------- */

/* What is read, what is given to the decoder, and what it should write. */
struct example {
    int m, source[LONGEST];
    int n, inputs[MOST_WORDS], targets[MOST_WORDS];
};

static void number_source(const struct course *c, const struct pair *pair, int source[LONGEST]) {
    for (int j = 0; j < pair->n; j++)
        source[j] = c->task->targets + pair->source[j];
}

static struct example example_of(const struct course *c, const struct pair *pair) {
    struct example e = {.m = pair->n, .n = pair->m + 1};
    number_source(c, pair, e.source);
    teacher_forcing(pair->m, pair->target, e.n, e.inputs, e.targets);
    return e;
}

/* Lines behind each other, seen through a window that begins anywhere in the first. */
static struct example draw_window(struct random *r) {
    struct example e = {.n = WINDOW};
    int text[WINDOW + 1 + 2 * LONGEST_LINE], count = 0;
    double price;
    text[count++] = NEW_LINE;
    int first = draw_line(r, text + count, &price);
    for (count += first; count < first + WINDOW + 1;)
        count += draw_line(r, text + count, &price);
    const int *from = text + random_below(r, first);
    memcpy(e.inputs, from, sizeof(int) * WINDOW);
    memcpy(e.targets, from + 1, sizeof(int) * WINDOW);
    return e;
}

/* Adds the gradient of one example into its half's; returns its loss. */
static double learn_from(struct machine *machine, int half, const struct example *e) {
    const struct transformer *w = &machine->w;
    int vocabulary = w->vocabulary;
    struct room room = {machine->values[half], 0}, d_room = {machine->d_values[half], 0};
    struct transformer_values v = take_transformer_values(&room, w, e->n, e->m),
                              d_v = take_transformer_values(&d_room, w, e->n, e->m);
    struct transformer d_w = lay_out(machine->course, &(struct room){machine->gradient[half], 0});
    double(*logits)[vocabulary] = take(&room, e->n * vocabulary),
    (*d_logits)[vocabulary] = take(&d_room, e->n * vocabulary);
    bool later[MOST_WORDS * MOST_WORDS], (*blocked)[e->n] = (bool(*)[e->n])later;
    causal_mask(e->n, blocked);
    memset(machine->d_values[half], 0, (size_t)d_room.used * sizeof(double));
    if (e->m > 0)
        read_source(e->m, w, e->source, positions, &v);
    write_target(e->n, e->m, w, e->inputs, positions, blocked, &v, logits);
    sequence_loss_backward(e->n, vocabulary, logits, e->targets, d_logits);
    write_target_backward(e->n, e->m, w, e->inputs, blocked, &v, d_logits, &d_v, &d_w);
    if (e->m > 0)
        read_source_backward(e->m, w, e->source, &v, &d_v, &d_w);
    return sequence_loss(e->n, vocabulary, logits, e->targets);
}

/* --- The training ---------------------------------------------------------------------------- */

static void draw_batch(struct machine *machine, struct example batch[]) {
    const struct course *c = machine->course;
    int n = c->task && c->longest ? 3 + random_below(&machine->random, c->longest - 2) : 0;
    for (int b = 0; b < c->batch; b++) {
        if (c->task) {
            struct pair pair;
            c->task->draw(&machine->random, n, &pair);
            batch[b] = example_of(c, &pair);
        } else {
            batch[b] = draw_window(&machine->random);
        }
        machine->words += batch[b].n + batch[b].m;
    }
}

static double train_half(struct machine *machine, int half, const struct example batch[]) {
    int size = machine->course->batch / HALVES;
    double loss = 0.0;
    memset(machine->gradient[half], 0, (size_t)machine->trainee.count * sizeof(double));
    for (int b = half * size; b < (half + 1) * size; b++)
        loss += learn_from(machine, half, &batch[b]);
    return loss;
}

double machine_step(struct machine *machine) {
    const struct course *c = machine->course;
    struct trainee *of = &machine->trainee;
    struct example batch[MOST_IN_BATCH];
    double loss[HALVES], rate = rate_at(machine->step, c->steps, 0.05 * c->steps, c->rate);
    draw_batch(machine, batch);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++)
        loss[half] = train_half(machine, half, batch);
    for (int i = 0; i < of->count; i++)
        of->gradient[i] = machine->gradient[0][i] + machine->gradient[1][i];
    gather_gradient(of->count, c->batch, of->gradient);
    adam_step(of->count, ++machine->step, rate, of->gradient, of->mean, of->square, of->weights);
    return (loss[0] + loss[1]) / c->batch;
}

/* --- Writing alone --------------------------------------------------------------------------- */

struct writer {
    const struct machine *machine;
    struct transformer_values v;
    struct caches caches;
};

/* What is written can have so many words. */
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
    write_next(&writer->machine->w, word, &positions[at], &writer->caches, &writer->v,
               (double(*)[writer->machine->w.vocabulary])logits);
}

int machine_translate(const struct machine *machine, int half, const struct pair *pair, int limit,
                      int words[limit]) {
    const struct course *c = machine->course;
    int source[LONGEST];
    double logits[2 * VOCABULARY];
    struct writer writer = start_writer(machine, half, limit, pair->n);
    number_source(c, pair, source);
    read_source(pair->n, &machine->w, source, positions, &writer.v);
    start_writing(pair->n, &machine->w, &writer.v, &writer.caches);
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
    start_writing(0, &machine->w, &writer.v, &writer.caches);
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

double machine_price(const struct machine *machine, int half, int n, const int line[n]) {
    struct room room = {machine->values[half], 0};
    struct transformer_values v = take_transformer_values(&room, &machine->w, n, 0);
    double(*logits)[LETTERS] = take(&room, n * LETTERS), price = 0.0;
    bool later[MOST_WORDS * MOST_WORDS], (*blocked)[n] = (bool(*)[n])later;
    int inputs[MOST_WORDS] = {NEW_LINE};
    memcpy(inputs + 1, line, sizeof(int) * (size_t)(n - 1));
    causal_mask(n, blocked);
    write_target(n, n, &machine->w, inputs, positions, blocked, &v, logits);
    for (int i = 0; i < n; i++)
        price += cross_entropy(LETTERS, logits[i], line[i]);
    return price;
}
