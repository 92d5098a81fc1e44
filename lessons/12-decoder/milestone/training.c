#include "training.h"

#include "masked.h"
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The task -------------------------------------------------------------------------------- */

static void sort_row(struct row *row) {
    for (int i = 0; i < row->m; i++) {
        int before = 0;
        for (int j = 0; j < row->m; j++)
            before += row->letters[j] < row->letters[i];
        row->sorted[before] = row->letters[i];
    }
}

struct row draw_row(struct random *r, int m) {
    struct row row = {.m = m};
    int all[LETTERS];
    for (int i = 0; i < LETTERS; i++)
        all[i] = FIRST_LETTER + i;
    for (int i = 0; i < m; i++) {
        int other = i + random_below(r, LETTERS - i);
        row.letters[i] = all[other];
        all[other] = all[i];
    }
    sort_row(&row);
    return row;
}

struct row row_of(const char *word) {
    struct row row = {.m = (int)strlen(word)};
    for (int i = 0; i < row.m; i++)
        row.letters[i] = FIRST_LETTER + word[i] - 'a';
    sort_row(&row);
    return row;
}

/* --- The training ---------------------------------------------------------------------------- */

static const double highest_rate = 0.006;

/* The number of rows of a mini-batch. */
static int batch(void) {
    return is_short_run() ? 8 : 16;
}

static double *room_for_values(const struct sorter *w) {
    struct room most = {NULL, 0};
    take_sorter_values(&most, w, LONGEST, LONGEST);
    return zeroes((size_t)most.used * sizeof(double));
}

void training_start(struct training *t, const struct course *course) {
    struct room count = {NULL, 0};
    take_sorter(&count, course->heads);
    *t = (struct training){.course = course, .random = random_seed(seed_wanted())};
    t->trainee = trainee_new(count.used);
    t->w = take_sorter(&(struct room){t->trainee.weights, 0}, course->heads);
    t->d_w = take_sorter(&(struct room){t->trainee.gradient, 0}, course->heads);
    t->values = room_for_values(&t->w);
    t->d_values = room_for_values(&t->w);
    sorter_start(&t->w, &t->random);
}

void training_end(struct training *t) {
    trainee_free(&t->trainee);
    free(t->values);
    free(t->d_values);
}

struct lesson prepare(const struct course *c, const struct row *row) {
    struct lesson lesson = {.n = row->m + 1, .masked = c->masked};
    teacher_forcing(row->m, row->sorted, lesson.n, lesson.inputs, lesson.targets);
    if (!c->shifted)
        memcpy(lesson.inputs, lesson.targets, sizeof lesson.inputs);
    causal_mask(lesson.n, (bool(*)[lesson.n])lesson.blocked);
    return lesson;
}

static const void *mask_of(const struct lesson *lesson) {
    return lesson->masked ? lesson->blocked : NULL;
}

struct sorter_values think(const struct training *t, const struct row *row,
                           const struct lesson *lesson) {
    int n = lesson->n;
    struct sorter_values v = take_sorter_values(&(struct room){t->values, 0}, &t->w, n, row->m);
    sorter_read(row->m, &t->w, row->letters, &v);
    sorter_write(n, row->m, &t->w, lesson->inputs, mask_of(lesson), &v);
    return v;
}

/* Adds the gradient of one row; returns its loss. */
static double learn_from(struct training *t, const struct row *row) {
    struct lesson lesson = prepare(t->course, row);
    int n = lesson.n;
    struct room room = {t->d_values, 0};
    struct sorter_values v = think(t, row, &lesson),
                         d_v = take_sorter_values(&room, &t->w, n, row->m);
    memset(t->d_values, 0, (size_t)room.used * sizeof(double));
    sequence_loss_backward(n, WORDS, v.logits, lesson.targets, d_v.logits);
    sorter_backward(n, row->m, &t->w, row->letters, lesson.inputs, mask_of(&lesson), &v, &d_v,
                    &t->d_w);
    return sequence_loss(n, WORDS, v.logits, lesson.targets);
}

/* One step on some rows of one length. */
static double take_step(struct training *t, int steps) {
    struct trainee *of = &t->trainee;
    const int rows = batch();
    double loss = 0.0, rate = rate_at(t->step, steps, 0.05 * steps, highest_rate);
    int m = FEWEST + random_below(&t->random, MOST - FEWEST + 1);
    memset(of->gradient, 0, (size_t)of->count * sizeof(double));
    for (int b = 0; b < rows; b++) {
        struct row row = draw_row(&t->random, m);
        loss += learn_from(t, &row) / rows;
    }
    gather_gradient(of->count, rows, of->gradient);
    adam_step(of->count, ++t->step, rate, of->gradient, of->mean, of->square, of->weights);
    return loss;
}

static void tell_progress(const struct training *t, double loss, int taken, int all) {
    char text[41];
    snprintf(text, sizeof text, "%s: loss %.4f", t->course->name, loss);
    progress_more(taken, all, text);
}

void train(struct training *t, int steps, int all) {
    for (int m = 0; m < MOMENTS; m++) {
        int until = (int)((long)steps * (m + 1) / MOMENTS), from = t->step;
        double sum = 0.0;
        while (t->step < until && !is_stopped())
            sum += take_step(t, steps);
        t->losses[m] = t->step > from ? sum / (t->step - from) : (double)NAN;
        if (t->step > from && !is_stopped())
            tell_progress(t, t->losses[m], t->step - from, all);
    }
    t->whole = t->step == steps;
}
