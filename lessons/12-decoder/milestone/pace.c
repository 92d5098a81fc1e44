#include "pace.h"

#include "decoder.h"
#include "masked.h"
#include "random.h"
#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 2, D_MODEL = 48, HEADS = 4, D_FF = 96, READ = 16, REPEATS = 5 };

struct stack {
    int n;           /* tokens to be computed */
    double *numbers; /* all matrices below, except the last two */
    struct decoder_block block[BLOCKS];
    struct cache memory[BLOCKS], written[BLOCKS];
    void *read;           /* [READ][D_MODEL] */
    void *words;          /* [n][D_MODEL]: the inputs of the first block */
    void *X, *out;        /* [n][D_MODEL]: input and output of a block */
    void *whole, *cached; /* [n][D_MODEL]: outputs of the last block, in both ways */
    double *values;       /* space for those of one block */
    bool *blocked;        /* [n][n] */
    int rows;             /* that each block has computed */
};

/* All random numbers come first, up to the member X. */
static struct stack take_stack(struct room *room, int n) {
    struct stack s = {.n = n};
    for (int b = 0; b < BLOCKS; b++)
        s.block[b] = take_decoder_block(room, D_MODEL, HEADS, D_FF, true);
    s.read = take(room, READ * D_MODEL);
    s.words = take(room, n * D_MODEL);
    s.X = take(room, n * D_MODEL);
    s.out = take(room, n * D_MODEL);
    s.whole = take(room, n * D_MODEL);
    s.cached = take(room, n * D_MODEL);
    for (int b = 0; b < BLOCKS; b++) {
        s.memory[b] = take_cache(room, &s.block[b].cross.heads, READ);
        s.written[b] = take_cache(room, &s.block[b].self.heads, n);
    }
    return s;
}

static struct stack new_stack(int n) {
    struct room count = {NULL, 0}, count_values = {NULL, 0};
    struct stack s = take_stack(&count, n);
    take_decoder_values(&count_values, &s.block[0], n, READ);
    struct room room = {zeroes((size_t)count.used * sizeof(double)), 0};
    s = take_stack(&room, n);
    s.numbers = room.numbers;
    s.values = zeroes((size_t)count_values.used * sizeof(double));
    s.blocked = zeroes((size_t)(n * n) * sizeof(bool));
    struct random r = random_seed(12);
    int drawn = (int)((double *)s.X - s.numbers);
    draw_weights(&r, D_MODEL, drawn, s.numbers);
    return s;
}

static void free_stack(struct stack *s) {
    free(s->numbers);
    free(s->values);
    free(s->blocked);
}

static void step_up(struct stack *s) {
    void *X = s->X;
    s->X = s->out;
    s->out = X;
}

/* Computes row n - 1 of the result without a cache: all blocks compute all rows. */
static void think_again(struct stack *s, int n) {
    const double(*words)[D_MODEL] = s->words;
    double(*whole)[D_MODEL] = s->whole;
    struct decoder_values v =
        take_decoder_values(&(struct room){s->values, 0}, &s->block[0], n, READ);
    memcpy(s->X, words, (size_t)n * sizeof words[0]);
    causal_mask(n, (bool(*)[n])s->blocked);
    for (int b = 0; b < BLOCKS; b++) {
        decoder_block(n, READ, &s->block[b], s->X, s->read, (const bool(*)[n])s->blocked, &v,
                      s->out);
        step_up(s);
    }
    s->rows += n;
    memcpy(whole[n - 1], (const double(*)[D_MODEL])s->X + n - 1, sizeof whole[0]);
}

static double write_whole(struct stack *s) {
    double began = seconds();
    s->rows = 0;
    for (int n = 1; n <= s->n; n++)
        think_again(s, n);
    return seconds() - began;
}

static void start_caches(struct stack *s, struct decoder_values *v) {
    for (int b = 0; b < BLOCKS; b++) {
        s->written[b].length = s->memory[b].length = 0;
        cache_rows(READ, &s->block[b].cross.heads, s->read, &v->cross.heads, &s->memory[b]);
    }
}

/* The time includes filling the caches of the memory. */
static double write_cached(struct stack *s) {
    const double(*words)[D_MODEL] = s->words;
    double(*cached)[D_MODEL] = s->cached;
    struct decoder_values v =
        take_decoder_values(&(struct room){s->values, 0}, &s->block[0], s->n, READ);
    double began = seconds();
    s->rows = 0;
    start_caches(s, &v);
    for (int i = 0; i < s->n; i++) {
        memcpy(s->X, words[i], sizeof words[i]);
        for (int b = 0; b < BLOCKS; b++) {
            decoder_block_next(&s->block[b], s->X, &s->memory[b], &s->written[b], &v, s->out);
            step_up(s);
        }
        s->rows++;
        memcpy(cached[i], s->X, sizeof cached[i]);
    }
    return seconds() - began;
}

static double largest_difference(int n, const double a[n], const double b[n]) {
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

struct pace pace_of(int words) {
    struct stack s = new_stack(words);
    struct pace pace = {words, INFINITY, INFINITY, 0.0, 0, 0};
    for (int i = 0; i < REPEATS; i++) {
        if (i == 0 || pace.whole < 0.02) {
            pace.whole = fmin(pace.whole, write_whole(&s));
            pace.whole_rows = s.rows;
        }
        pace.cached = fmin(pace.cached, write_cached(&s));
        pace.cached_rows = s.rows;
    }
    pace.difference = largest_difference(words * D_MODEL, s.whole, s.cached);
    free_stack(&s);
    return pace;
}
