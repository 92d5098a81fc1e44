/* `make bench-13 WITH=14`: the transformer of lesson 13 with the attention of lesson 08, in
   doubles, and with that of lesson 14, in floats. Both make the same training steps from the same
   start. */
#include "flash_heads.h"

#include "../../../13-transformer/milestone/bench.h"
#include "columns.h"
#include "masked.h"
#include "positions.h"
#include "seq2seq.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { ROUNDS = 5, STEPS = 20, WAYS = 2 };

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double x[ROUNDS]) {
    qsort(x, ROUNDS, sizeof *x, by_size);
    return x[ROUNDS / 2];
}

/* CPU seconds, because one thread does the training on texts. */
static double time_of_thread(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Tokens per second in both versions, the losses, and the largest difference of a gradient, divided
   by the largest gradient, or NAN if it was not computed. */
struct sides {
    double speed[WAYS][ROUNDS], loss[WAYS], off;
};

static void keep_sides(FILE *table, const char *what, const struct sides *s) {
    static const char *const whose[WAYS] = {"heads of 08", "heads of 14"};
    char label[80];
    for (int way = 0; way < WAYS; way++) {
        snprintf(label, sizeof label, "%s, %s: words/s", what, whose[way]);
        columns_row(table, label, 2, (double[]){s->speed[way][ROUNDS / 2], (double)NAN});
    }
}

static void tell_sides(const char *what, struct sides *s) {
    const double doubles = median(s->speed[0]), floats = median(s->speed[1]);
    printf("%-20s%9.0f%11.0f%7.2f%12.6f%10.0e", what, doubles, floats, floats / doubles, s->loss[0],
           fabs(s->loss[1] - s->loss[0]));
    if (!isnan(s->off))
        printf("%10.0e", s->off);
    putchar('\n');
}

/* --- The training of lesson 13 ---------------------------------------------------------------- */

static struct sides train_both_ways(const struct course *course) {
    struct machine m[WAYS] = {machine_new(course, 1), machine_new(course, 1)};
    struct sides s = {.off = (double)NAN};
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            const double since = seconds();
            const int before = m[way].words;
            flash_is_wanted = way == 1;
            for (int i = 0; i < STEPS; i++)
                s.loss[way] = machine_step(&m[way]).loss;
            s.speed[way][round] = (m[way].words - before) / (seconds() - since);
        }
    return s;
}

/* --- Texts of any length --------------------------------------------------------------------- */

/* A text for a model that writes characters, and buffers to train on all of it at once. */
struct text {
    int n, used, *letters, *next;
    double *values, *d_values, *gradient, *P;
    bool *later;
};

static void draw_text(int n, int letters[n + LONGEST_LINE]) {
    struct random r = random_seed(1);
    double price;
    for (int i = 0; i < n;)
        i += draw_line(&r, letters + i, &price);
}

static struct text text_new(const struct machine *m, int n) {
    struct room most = {NULL, 0};
    take_transformer_values(&most, &m->w, n, 0);
    const int used = most.used + n * LETTERS;
    struct text t = {.n = n,
                     .used = used,
                     .letters = zeroes(sizeof(int) * (size_t)(n + 1 + LONGEST_LINE)),
                     .values = zeroes(sizeof(double) * (size_t)used),
                     .d_values = zeroes(sizeof(double) * (size_t)used),
                     .gradient = zeroes(sizeof(double) * (size_t)m->trainee.count),
                     .P = zeroes(sizeof(double) * (size_t)(n * D_MODEL)),
                     .later = zeroes((size_t)n * (size_t)n)};
    t.next = t.letters + 1;
    draw_text(n + 1, t.letters);
    sinusoidal_positions(n, D_MODEL, 0, (void *)t.P);
    causal_mask(n, (void *)t.later);
    return t;
}

static void text_free(struct text *t) {
    void *const all[] = {t->letters, t->values, t->d_values, t->gradient, t->P, t->later};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* The loss of a character, and its gradient. */
static double learn_text(const struct machine *m, struct text *t) {
    struct transformer d_w = take_transformer(&(struct room){t->gradient, 0}, LETTERS, D_MODEL,
                                              HEADS, D_FF, m->w.n_encoders, m->w.n_decoders);
    struct room room = {t->values, 0}, d_room = {t->d_values, 0};
    struct transformer_values v = take_transformer_values(&room, &m->w, t->n, 0);
    struct transformer_values d_v = take_transformer_values(&d_room, &m->w, t->n, 0);
    void *logits = take(&room, t->n * LETTERS), *d_logits = take(&d_room, t->n * LETTERS);
    decode_target(t->n, 0, &m->w, t->letters, (void *)t->P, (void *)t->later, &v, logits);
    const double loss = sequence_loss(t->n, LETTERS, logits, t->next);
    sequence_loss_backward(t->n, LETTERS, logits, t->next, d_logits);
    decode_target_backward(t->n, 0, &m->w, t->letters, (void *)t->later, &v, d_logits, &d_v, &d_w);
    return loss;
}

static double largest_of(int n, const double x[n]) {
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Clearing the buffers is not timed, because only one of the two versions needs large ones. */
static struct sides learn_both_ways(struct machine *m, int n) {
    struct text t = text_new(m, n);
    struct sides s;
    const int count = m->trainee.count;
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < WAYS; way++) {
            flash_is_wanted = way == 1;
            memset(t.d_values, 0, sizeof(double) * (size_t)t.used);
            memset(t.gradient, 0, sizeof(double) * (size_t)count);
            const double since = time_of_thread();
            s.loss[way] = learn_text(m, &t);
            s.speed[way][round] = n / (time_of_thread() - since);
            memcpy(m->gradient[way], t.gradient, sizeof(double) * (size_t)count);
        }
    const double most = largest_of(count, m->gradient[0]);
    for (int i = 0; i < count; i++)
        m->gradient[1][i] -= m->gradient[0][i];
    s.off = largest_of(count, m->gradient[1]) / most;
    text_free(&t);
    return s;
}

void __wrap_bench(const struct course *course, const char *folder) {
    static const struct course writer = {"writer", NULL, 2, 0, 16, 1, 1e-2};
    static const int lengths[] = {64, 256, 1024};
    struct machine m = machine_new(&writer, 1);
    const int count = sizeof lengths / sizeof *lengths;
    FILE *table = columns_open(folder, "bench.dat", "what number share");
#ifdef _OPENMP
    omp_set_num_threads(1); /* for texts; a training has its two halves */
#endif
    printf("The transformer of lesson 13, forward and backward pass. Attention by lesson 08\n"
           "(double) and by lesson 14 (float). Median of %d alternating rounds.\n"
           "Texts with one thread, in CPU time.\n\n"
           "%-20s%20s%7s%22s%10s\n%-20s%9s%11s%7s%12s%10s%10s\n",
           ROUNDS, "", "tokens per second", "", "loss", "gradient", "", "lesson 08", "lesson 14",
           "gain", "lesson 08", "differs", "differs");
    char what[40];
    snprintf(what, sizeof what, "sentences of 3 to %d", course->longest);
    struct sides s = train_both_ways(course);
    tell_sides(what, &s);
    machine_is_learning = true;
    for (int i = 0; i < count; i++) {
        snprintf(what, sizeof what, "a text of %d", lengths[i]);
        s = learn_both_ways(&m, lengths[i]);
        tell_sides(what, &s);
    }
    keep_sides(table, what, &s); /* of the longest */
    columns_close(table);
}
