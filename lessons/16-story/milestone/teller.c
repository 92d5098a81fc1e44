#include "teller.h"

#include "softmax.h"
#include "trainer.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char *const kind_names[KINDS] = {"double", "float", "int8"};

/* --- Memory ---------------------------------------------------------------------------------- */

/* The rooms of the double model. Their sizes are ints, so a larger model does not fit. */
static bool take_all(struct room *room, const struct checkpoint *c, struct teller *t) {
    const struct llama_sizes *s = &c->model.sizes;
    t->w = take_llama(room, s->d_model, s->d_ff, s->n_layers, s->n_heads, s->n_kv_heads,
                      s->vocabulary, s->longest);
    if (c->shares_table) {
        t->w.words_out = t->w.table;
        room->used -= s->vocabulary * s->d_model;
    }
    t->values = take_llama_values(room, &t->w);
    t->caches = take_llama_caches(room, &t->w);
    return true;
}

/* In doubles: the parameters, the KV caches, and the rows and weights of the values. */
static double doubles_of(const struct checkpoint *c) {
    const struct llama_sizes *s = &c->model.sizes;
    const double d_kv = (double)s->n_kv_heads * d_head_of(s);
    const double of_text = (double)s->n_layers * s->longest * (6.0 * d_kv + s->n_heads);
    return parameters_of(c) + of_text + 100.0 * s->n_layers * (s->d_model + s->d_ff);
}

double memory_for(const struct checkpoint *c, enum kind kind) {
    const struct llama_sizes *s = &c->model.sizes;
    if (kind == DOUBLES)
        return 8.0 * doubles_of(c);
    return (double)bytes_of_streamed(s) + (kind == BYTES ? (double)bytes_of_quantized(s) : 0.0);
}

/* What this machine has, and what the limit of a milestone leaves for all but quantized weights. */
static double memory_of_machine(enum kind kind) {
    struct rlimit most;
    const double all = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (kind != DOUBLES || getrlimit(RLIMIT_DATA, &most) != 0 || most.rlim_cur == RLIM_INFINITY)
        return all;
    return fmin(all, (double)most.rlim_cur);
}

static bool is_enough(const struct checkpoint *c, enum kind kind) {
    const double needed = memory_for(c, kind), there = memory_of_machine(kind);
    if (needed < 0.9 * there && (kind != DOUBLES || doubles_of(c) < INT_MAX / 2))
        return true;
    fprintf(stderr, "As %s this model takes %.1f GB of memory, and at most %.1f GB are possible.\n",
            kind_names[kind], needed / 1e9, 0.9 * there / 1e9);
    return false;
}

/* --- The double model ------------------------------------------------------------------------ */

static void copy_numbers(int count, const float *from, void *to) {
    for (int i = 0; i < count; i++)
        ((double *)to)[i] = (double)from[i];
}

static void copy_matrix(const struct matrix *from, void *to) {
    copy_numbers(from->rows * from->cols, from->numbers, to);
}

static void copy_layer(int d_model, const struct stored_layer *from, struct llama_layer *to) {
    copy_numbers(d_model, from->attention_gain, to->attention_gain);
    copy_matrix(&from->q, to->heads.W_q);
    copy_matrix(&from->k, to->heads.W_k);
    copy_matrix(&from->v, to->heads.W_v);
    copy_matrix(&from->o, to->heads.W_o);
    copy_numbers(d_model, from->forward_gain, to->forward_gain);
    copy_matrix(&from->gate, to->W_gate);
    copy_matrix(&from->down, to->W_down);
    copy_matrix(&from->up, to->W_up);
}

static bool open_doubles(struct teller *t, const struct checkpoint *c) {
    const struct stored_model *from = &c->model;
    struct room room = {NULL, 0};
    take_all(&room, c, t);
    room = (struct room){calloc((size_t)room.used, sizeof(double)), 0};
    if (!room.numbers)
        return false;
    take_all(&room, c, t);
    copy_numbers(t->sizes.vocabulary * t->sizes.d_model, from->table, t->w.table);
    for (int b = 0; b < t->sizes.n_layers; b++)
        copy_layer(t->sizes.d_model, &from->layer[b], &t->w.layer[b]);
    copy_numbers(t->sizes.d_model, from->out_gain, t->w.out_gain);
    copy_matrix(&from->words_out, t->w.words_out);
    t->removed = zeroes((size_t)(t->sizes.d_model * d_head_of(&t->sizes)) * sizeof(double));
    t->read = c->shares_table ? t->w.table : t->w.layer[0].attention_gain;
    t->read_bytes = 2 * from->read_bytes;
    return true;
}

/* --- All kinds ------------------------------------------------------------------------------- */

static bool open_streamed(struct teller *t, const struct checkpoint *c) {
    const struct stored_model *model = &c->model;
    if (t->kind == BYTES && !quantize_model(&c->model, &t->bytes))
        return false;
    if (t->kind == BYTES)
        model = &t->bytes;
    t->streamed = streamed_new(model);
    t->read = model->read;
    t->read_bytes = model->read_bytes;
    return true;
}

bool teller_open(struct teller *t, const struct checkpoint *c, enum kind kind) {
    *t = (struct teller){.kind = kind, .sizes = c->model.sizes};
    if (!is_enough(c, kind))
        return false;
    if (kind != DOUBLES && d_head_of(&t->sizes) > WIDEST) {
        fprintf(stderr, "The heads of this model have %d dimensions, and decode() takes %d.\n",
                d_head_of(&t->sizes), WIDEST);
        return false;
    }
    t->logits = zeroes((size_t)t->sizes.vocabulary * sizeof *t->logits);
    if (kind == DOUBLES ? !open_doubles(t, c) : !open_streamed(t, c)) {
        fprintf(stderr, "There is no memory left for this model as %s.\n", kind_names[kind]);
        return false;
    }
    t->without_layer = -1;
    teller_begin(t);
    return true;
}

void teller_begin(struct teller *t) {
    t->length = 0;
    for (int b = 0; b < t->sizes.n_layers; b++)
        t->caches.layer[b].length = 0;
}

bool teller_is_full(const struct teller *t) {
    return t->length >= t->sizes.longest;
}

void teller_read(struct teller *t, int word) {
    if (t->kind == DOUBLES) {
        llama_next(&t->w, word, &t->caches, &t->values, (void *)t->logits);
    } else {
        streamed_next(&t->streamed, word, t->length);
        for (int i = 0; i < t->sizes.vocabulary; i++)
            t->logits[i] = (double)t->streamed.logits[i];
    }
    t->length++;
}

/* --- Heads ----------------------------------------------------------------------------------- */

/* A head reaches the rest only through its columns of W_o. Exchanges them with t->removed. */
static void exchange_columns(struct teller *t) {
    const int d = t->sizes.d_model, d_head = d_head_of(&t->sizes);
    double(*W_o)[d] = t->w.layer[t->without_layer].heads.W_o;
    double(*removed)[d_head] = (void *)t->removed;
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d_head; c++) {
            double *number = &W_o[r][t->without_head * d_head + c], kept = *number;
            *number = removed[r][c];
            removed[r][c] = kept;
        }
}

void teller_without(struct teller *t, int layer, int head) {
    if (t->kind == DOUBLES && t->without_layer >= 0)
        exchange_columns(t);
    t->without_layer = t->streamed.without_layer = layer;
    t->without_head = t->streamed.without_head = head;
    if (t->kind == DOUBLES && layer >= 0)
        exchange_columns(t);
}

/* --- Words ----------------------------------------------------------------------------------- */

double surprise_of(const struct teller *t, int word) {
    return log_sum_exp(t->sizes.vocabulary, t->logits) - t->logits[word];
}

int choose_word(const struct teller *t, const struct manner *manner, struct random *random) {
    const int n = t->sizes.vocabulary, k = manner->top > 0 ? manner->top : n;
    if (manner->temperature == 0.0)
        return largest(n, t->logits);
    double *weights = zeroes((size_t)n * 2 * sizeof *weights), *kept = weights + n;
    softmax_at_temperature(n, manner->temperature, t->logits, weights);
    keep_best(n, k, manner->p, weights, kept);
    const int word = sample(n, kept, random_uniform(random));
    free(weights);
    return word < 0 || word >= n ? EOS : word; /* from wrong code */
}
