/* The milestone of lesson 12: letters in, the same letters in their order out.

   Four networks of one encoder block and one decoder block learn to sort. Two of them are as they
   should be, with four heads and with one. The third reads, in training, the very letter that it
   should write: nothing was shifted. The fourth has no causal mask, and sees the next letter that
   way. Then each writes alone. All arithmetic is done by the functions of lessons 01 to 12, yours
   where you have passed them. `make run-12` trains and examines them; `make plot-12` draws what
   happened. */
#include "milestone/sorter.h"

#include "columns.h"
#include "masked.h"
#include "positions.h"
#include "progress.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3, MOST = 10, STEPS = 800, BATCH = 16, ROW = 20 };
static const double highest_rate = 0.006;

struct course {
    const char *name;
    int heads;
    bool shifted, masked;
};
enum { FOUR_HEADS, ONE_HEAD, NOT_SHIFTED, NOT_MASKED, COURSES };
static const struct course courses[COURSES] = {
    {"four heads", 4, true, true},
    {"one head", 1, true, true},
    {"not shifted", 4, false, true},
    {"no mask", 4, true, false},
};

/* --- The task -------------------------------------------------------------------------------- */

struct row {
    int m, letters[LONGEST], sorted[LONGEST];
};

/* m different letters, each as likely as any other. */
static struct row draw_row(struct random *r, int m) {
    struct row row = {.m = m};
    bool chosen[LETTERS] = {false};
    for (int i = 0; i < m; i++) {
        int letter;
        do
            letter = random_below(r, LETTERS);
        while (chosen[letter]);
        chosen[letter] = true;
        row.letters[i] = FIRST_LETTER + letter;
    }
    for (int letter = 0, i = 0; letter < LETTERS; letter++)
        if (chosen[letter])
            row.sorted[i++] = FIRST_LETTER + letter;
    return row;
}

/* --- The training ---------------------------------------------------------------------------- */

struct training {
    const struct course *course;
    struct random random;
    int step, steps;
    double loss; /* of the last ROW steps */
    struct trainee trainee;
    struct sorter w, d_w;
    double *values, *d_values; /* room for the longest row */
};

static double *room_for_values(const struct sorter *w) {
    struct room most = {NULL, 0};
    take_sorter_values(&most, w, LONGEST, LONGEST);
    return zeroes((size_t)most.used * sizeof(double));
}

static void training_start(struct training *t, const struct course *course) {
    struct room count = {NULL, 0};
    take_sorter(&count, course->heads);
    *t = (struct training){course, random_seed(seed_wanted()), .steps = steps_wanted(STEPS, 100)};
    t->trainee = trainee_new(count.used);
    t->w = take_sorter(&(struct room){t->trainee.weights, 0}, course->heads);
    t->d_w = take_sorter(&(struct room){t->trainee.gradient, 0}, course->heads);
    t->values = room_for_values(&t->w);
    t->d_values = room_for_values(&t->w);
    sorter_start(&t->w, &t->random);
}

static void training_end(struct training *t) {
    trainee_free(&t->trainee);
    free(t->values);
    free(t->d_values);
}

/* What it reads while it is trained, and what it should write. */
struct lesson {
    int n, inputs[LONGEST], targets[LONGEST];
    bool blocked[LONGEST * LONGEST], masked;
};

static void prepare(const struct course *c, const struct row *row, struct lesson *lesson) {
    lesson->n = row->m + 1;
    teacher_forcing(row->m, row->sorted, lesson->n, lesson->inputs, lesson->targets);
    if (!c->shifted)
        memcpy(lesson->inputs, lesson->targets, sizeof lesson->inputs);
    lesson->masked = c->masked;
    causal_mask(lesson->n, (bool(*)[lesson->n])lesson->blocked);
}

/* The same row by teacher forcing; returns the values, which lie in t->values. */
static struct sorter_values think(const struct training *t, const struct row *row,
                                  const struct lesson *lesson) {
    int n = lesson->n;
    struct sorter_values v = take_sorter_values(&(struct room){t->values, 0}, &t->w, n, row->m);
    sorter_read(row->m, &t->w, row->letters, &v);
    sorter_write(n, row->m, &t->w, lesson->inputs,
                 lesson->masked ? (const bool(*)[n])lesson->blocked : NULL, &v);
    return v;
}

/* Adds the gradient of one row; returns its loss. */
static double learn_from(struct training *t, const struct row *row) {
    struct lesson lesson;
    prepare(t->course, row, &lesson);
    int n = lesson.n;
    struct room room = {t->d_values, 0};
    struct sorter_values v = think(t, row, &lesson),
                         d_v = take_sorter_values(&room, &t->w, n, row->m);
    memset(t->d_values, 0, (size_t)room.used * sizeof(double));
    sequence_loss_backward(n, WORDS, v.logits, lesson.targets, d_v.logits);
    sorter_backward(n, row->m, &t->w, row->letters, lesson.inputs,
                    lesson.masked ? (const bool(*)[n])lesson.blocked : NULL, &v, &d_v, &t->d_w);
    return sequence_loss(n, WORDS, v.logits, lesson.targets);
}

static double train(struct training *t) {
    struct trainee *of = &t->trainee;
    double loss = 0.0, rate = rate_at(t->step, t->steps, 0.05 * t->steps, highest_rate);
    int m = FEWEST + random_below(&t->random, MOST - FEWEST + 1);
    memset(of->gradient, 0, (size_t)of->count * sizeof(double));
    for (int b = 0; b < BATCH; b++) {
        struct row row = draw_row(&t->random, m);
        loss += learn_from(t, &row) / BATCH;
    }
    gather_gradient(of->count, BATCH, of->gradient);
    adam_step(of->count, ++t->step, rate, of->gradient, of->mean, of->square, of->weights);
    return loss;
}

/* --- The examination ------------------------------------------------------------------------- */

static const int lengths[] = {5, 7, 9, 10, 12};
enum { EXAMS = sizeof lengths / sizeof lengths[0], EXAMINED = 200 };

static bool is_right(const struct training *t, const struct row *row) {
    int words[LONGEST];
    struct sorter_values v =
        take_sorter_values(&(struct room){t->values, 0}, &t->w, LONGEST, row->m);
    int written = sorter_write_alone(row->m, &t->w, row->letters, &v, LONGEST, words);
    return written == row->m && memcmp(words, row->sorted, (size_t)written * sizeof words[0]) == 0;
}

static double share_right(const struct training *t, int m, int rows) {
    struct random r = random_seed(12);
    int right = 0;
    for (int i = 0; i < rows; i++) {
        struct row row = draw_row(&r, m);
        right += is_right(t, &row);
    }
    return (double)right / rows;
}

static int place_of(const struct row *row, int letter) {
    int place = 0;
    while (row->letters[place] != letter)
        place++;
    return place;
}

static int largest(int n, const double x[n]) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

/* How much step `step` looks at each letter: one head, or the mean of all. */
static void look(const struct training *t, const struct sorter_values *v, int n, int m, int head,
                 int step, double row[m]) {
    const double(*weights)[n][m] = v->decoder.cross.heads.weights;
    int heads = t->course->heads, from = head < 0 ? 0 : head, to = head < 0 ? heads : head + 1;
    for (int j = 0; j < m; j++) {
        row[j] = 0.0;
        for (int h = from; h < to; h++)
            row[j] += weights[h][step][j] / (to - from);
    }
}

/* In how many cases the largest of these weights is on the letter that is written; head -1: of the
   mean of all heads. */
static double share_aligned(const struct training *t, int head) {
    struct random r = random_seed(13);
    int aligned = 0, rows = 100;
    for (int i = 0; i < rows; i++) {
        struct row row = draw_row(&r, MOST);
        struct lesson lesson;
        prepare(&courses[FOUR_HEADS], &row, &lesson);
        struct sorter_values v = think(t, &row, &lesson);
        for (int step = 0; step < row.m; step++) {
            double weights[LONGEST];
            look(t, &v, lesson.n, row.m, head, step, weights);
            aligned += largest(row.m, weights) == place_of(&row, row.sorted[step]);
        }
    }
    return (double)aligned / (rows * MOST);
}

struct report {
    struct training training[COURSES];
    double right[COURSES][EXAMS], aligned[COURSES][2]; /* by the mean of all heads, by the best */
    bool whole;
};

static void examine(struct report *r, int course) {
    const struct training *t = &r->training[course];
    for (int e = 0; e < EXAMS; e++)
        r->right[course][e] = share_right(t, lengths[e], EXAMINED);
    r->aligned[course][0] = share_aligned(t, -1);
    r->aligned[course][1] = 0.0;
    for (int head = 0; head < t->course->heads; head++)
        r->aligned[course][1] = fmax(r->aligned[course][1], share_aligned(t, head));
}

/* One course to its end, or to Ctrl-C, and its examination. */
static void take_course(struct report *r, int course, const char *folder) {
    static const char *const files[COURSES] = {"training-four.dat", "training-one.dat",
                                               "training-not-shifted.dat", "training-no-mask.dat"};
    struct training *t = &r->training[course];
    training_start(t, &courses[course]);
    FILE *table = columns_open(folder, files[course], "step loss right");
    while (t->step < t->steps && !is_stopped()) {
        double row[3] = {t->step, 0.0, share_right(t, MOST, 20)};
        int taken = 0;
        do
            row[1] += train(t);
        while (++taken < ROW && t->step < t->steps);
        t->loss = row[1] /= taken;
        columns_row(table, NULL, 3, row);
        progress_more(taken, COURSES * t->steps, courses[course].name);
    }
    columns_close(table);
    examine(r, course);
}

/* --- What is kept of it ---------------------------------------------------------------------- */

static void letters_into(const struct row *row, FILE *table) {
    fprintf(table, "letter");
    for (int j = 0; j < row->m; j++)
        fprintf(table, " %c", 'a' + row->letters[j] - FIRST_LETTER);
    fputc('\n', table);
}

/* Where a network looks while it writes a row: by one of its heads. */
static void write_cross(const char *folder, const char *file, const struct training *t, int head) {
    struct random r = random_seed(1);
    struct row row = draw_row(&r, 8);
    struct lesson lesson;
    prepare(&courses[FOUR_HEADS], &row, &lesson);
    struct sorter_values v = think(t, &row, &lesson);
    FILE *table = columns_open(folder, file, NULL);
    letters_into(&row, table);
    for (int step = 0; step < row.m; step++) {
        double weights[LONGEST];
        char label[2] = {(char)('a' + row.sorted[step] - FIRST_LETTER)};
        look(t, &v, lesson.n, row.m, head, step, weights);
        columns_row(table, label, row.m, weights);
    }
    columns_close(table);
}

static void write_tables(const char *folder, const struct report *r) {
    char file[30];
    write_cross(folder, "cross-one.dat", &r->training[ONE_HEAD], 0);
    for (int head = 0; head < 4; head++) {
        snprintf(file, sizeof file, "cross-%d.dat", head + 1);
        write_cross(folder, file, &r->training[FOUR_HEADS], head);
    }
    FILE *table = columns_open(folder, "right.dat", "network loss 5 7 9 10 12");
    for (int c = 0; c < COURSES; c++) {
        double row[1 + EXAMS] = {r->training[c].loss};
        memcpy(row + 1, r->right[c], sizeof r->right[c]);
        columns_row(table, courses[c].name, 1 + EXAMS, row);
    }
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_result(FILE *to, const struct report *r) {
    if (r->training[0].step < STEPS || !r->whole)
        fprintf(to, "Not the whole training: %s.\n",
                is_stopped() ? "it was stopped" : "QUICK or STEPS");
    fprintf(to,
            "Rows sorted right to the last letter, writing alone, of so many letters;\n"
            "%d is the longest that was trained on:\n%-14s%9s",
            MOST, "", "loss");
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, "%7d", lengths[e]);
    for (int c = 0; c < COURSES; c++) {
        fprintf(to, "\n  %-12s%9.4f", courses[c].name, r->training[c].loss);
        for (int e = 0; e < EXAMS; e++)
            fprintf(to, "%7.2f", r->right[c][e]);
    }
    fprintf(to,
            "\nThe largest cross weight is on the letter that is written, of %d letters:\n"
            "  one head %.2f; four heads: their mean %.2f, the best of them %.2f\nSEED=%llu\n",
            MOST, r->aligned[ONE_HEAD][0], r->aligned[FOUR_HEADS][0], r->aligned[FOUR_HEADS][1],
            (unsigned long long)seed_wanted());
}

/* The status that says: stopped, and no network was trained to its end. */
enum { NOTHING_WHOLE = 3 };

int main(int argc, char **argv) {
    static struct report r;
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s FOLDER\n", argv[0]);
        return 2;
    }
    steps_wanted(STEPS, 100);
    seed_wanted();
    stop_at_ctrl_c();
    double began = seconds();
    printf("Four networks to train, of 22016 numbers each. Ctrl-C keeps what is there.\n");
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(2)
#endif
    for (int c = 0; c < COURSES; c++)
        take_course(&r, c, argv[1]);
    r.whole = !is_stopped();
    write_tables(argv[1], &r);
    FILE *for_report = columns_open(argv[1], "result.txt", NULL);
    tell_result(for_report, &r);
    columns_close(for_report);
    tell_result(stdout, &r);
    printf("%.0f seconds in all.\n", seconds() - began);
    for (int c = 0; c < COURSES; c++)
        training_end(&r.training[c]);
    return r.whole ? 0 : NOTHING_WHOLE;
}
