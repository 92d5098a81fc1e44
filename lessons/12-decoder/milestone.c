/* The milestone of lesson 12: four networks learn to sort letters.

   Each network has one encoder block and one decoder block. Two of them are correct, with four
   heads and with one. For the third, the inputs are not shifted, so each input in training is its
   own target. The fourth has no causal mask, so it can see the next letter. Then each network sorts
   test rows, where its inputs are its own outputs. At the end, two blocks compute tokens with a KV
   cache and without, and the program measures the time. The arithmetic is done by the functions of
   lessons 01 to 12, by yours where you have passed them. Network and training are in milestone/.
   `make run-12` trains and tests the networks, and `make plot-12` draws the results. */
#include "milestone/pace.h"
#include "milestone/training.h"

#include "columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HEADS = 4 };
static const struct course courses[] = {
    {"four heads", 4, true, true},
    {"one head", 1, true, true},
    {"not shifted", 4, false, true},
    {"no mask", 4, true, false},
};
enum { FOUR_HEADS, ONE_HEAD, COURSES = sizeof courses / sizeof courses[0] };

/* An example without a repeated letter. */
static const char our_word[] = "maverick";

/* --- The test -------------------------------------------------------------------------------- */

static const int lengths[] = {5, 7, 9, 10, 12, 15};
enum { EXAMS = sizeof lengths / sizeof lengths[0] };

/* The number of test rows, which is smaller after a short training. */
static int examined(void) {
    return is_short_run() ? 50 : 200;
}

struct marks {
    double loss; /* on test rows, with the inputs of its training */
    double right[EXAMS];
    double aligned[MOST_HEADS], aligned_mean; /* for each head and for their mean */
    char written[LONGEST + 1];                /* the output for our_word */
};

static int write_alone(const struct training *t, const struct row *row, int words[LONGEST]) {
    struct room room = {t->values, 0};
    struct sorter_values v = take_sorter_values(&room, &t->w, LONGEST, row->m);
    return sorter_write_alone(row->m, &t->w, row->letters, &v, LONGEST, words);
}

static bool is_right(const struct training *t, const struct row *row) {
    int words[LONGEST], written = write_alone(t, row, words);
    return written == row->m && memcmp(words, row->sorted, (size_t)written * sizeof words[0]) == 0;
}

static double examine_loss(const struct training *t) {
    struct random r = random_seed(14);
    const int rows = examined();
    double loss = 0.0;
    for (int i = 0; i < rows; i++) {
        struct row row = draw_row(&r, MOST);
        struct lesson lesson = prepare(t->course, &row);
        struct sorter_values v = think(t, &row, &lesson);
        loss += sequence_loss(lesson.n, WORDS, v.logits, lesson.targets) / rows;
    }
    return loss;
}

static double share_right(const struct training *t, int m) {
    struct random r = random_seed(12);
    int right = 0, rows = examined();
    for (int i = 0; i < rows; i++) {
        struct row row = draw_row(&r, m);
        right += is_right(t, &row);
    }
    return (double)right / rows;
}

/* BEGIN is written as 0. It is never a target in training. */
static void write_our_word(const struct training *t, char written[LONGEST + 1]) {
    struct row row = row_of(our_word);
    int words[LONGEST], n = write_alone(t, &row, words);
    for (int i = 0; i < n; i++)
        written[i] = (char)(words[i] == BEGIN ? '0' : 'a' + words[i] - FIRST_LETTER);
    written[n] = '\0';
}

static int place_of(const struct row *row, int letter) {
    int place = 0;
    while (row->letters[place] != letter)
        place++;
    return place;
}

/* The cross-attention weights of each head under teacher forcing, and then their mean. */
struct looks {
    double weights[MOST_HEADS + 1][LONGEST][LONGEST];
};

static void look(const struct training *t, const struct row *row, struct looks *looks) {
    struct lesson lesson = prepare(t->course, row);
    struct sorter_values v = think(t, row, &lesson);
    const double(*weights)[lesson.n][row->m] = v.decoder.cross.heads.weights;
    int heads = t->course->heads;
    *looks = (struct looks){0};
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < lesson.n; i++)
            for (int j = 0; j < row->m; j++) {
                looks->weights[h][i][j] = weights[h][i][j];
                looks->weights[heads][i][j] += weights[h][i][j] / heads;
            }
}

/* The share of positions at which the largest weight is on the letter to be written. */
static void examine_looks(const struct training *t, struct marks *marks) {
    struct random r = random_seed(13);
    int heads = t->course->heads, rows = examined();
    double aligned[MOST_HEADS + 1] = {0};
    for (int k = 0; k < rows; k++) {
        struct row row = draw_row(&r, MOST);
        struct looks looks;
        look(t, &row, &looks);
        for (int h = 0; h <= heads; h++)
            for (int i = 0; i < row.m; i++)
                aligned[h] += largest(row.m, looks.weights[h][i]) == place_of(&row, row.sorted[i]);
    }
    for (int h = 0; h < heads; h++)
        marks->aligned[h] = aligned[h] / (rows * MOST);
    marks->aligned_mean = aligned[heads] / (rows * MOST);
}

/* A network without any training step has no results. */
static struct marks no_marks(void) {
    struct marks m = {.loss = NAN, .aligned_mean = NAN};
    for (int e = 0; e < EXAMS; e++)
        m.right[e] = NAN;
    for (int h = 0; h < MOST_HEADS; h++)
        m.aligned[h] = NAN;
    return m;
}

static void examine(const struct training *t, struct marks *marks) {
    *marks = no_marks();
    if (t->step == 0)
        return;
    marks->loss = examine_loss(t);
    for (int e = 0; e < EXAMS; e++)
        marks->right[e] = share_right(t, lengths[e]);
    write_our_word(t, marks->written);
    examine_looks(t, marks);
}

/* --- All of it ------------------------------------------------------------------------------- */

/* The numbers of tokens for the measurement of time. A short or stopped run leaves out the largest
   ones. */
static const int to_write[] = {16, 32, 64, 128, 256};
enum { PACES = sizeof to_write / sizeof to_write[0], SHORT_PACES = 3 };

struct report {
    int steps;
    struct training training[COURSES];
    struct marks marks[COURSES];
    int paces;
    struct pace pace[PACES];
};

/* All networks are trained on the same rows, because they have the same seed. */
static void train_all(struct report *r) {
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int c = 0; c < COURSES; c++) {
        training_start(&r->training[c], &courses[c]);
        train(&r->training[c], r->steps, COURSES * r->steps);
        examine(&r->training[c], &r->marks[c]);
    }
}

static void measure_paces(struct report *r) {
    r->paces = r->steps < STEPS || is_stopped() ? SHORT_PACES : PACES;
    for (int i = 0; i < r->paces; i++)
        r->pace[i] = pace_of(to_write[i]);
}

/* --- The tables ------------------------------------------------------------------------------ */

static void write_training(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "training.dat", "step four one not_shifted no_mask");
    for (int m = 0; m < MOMENTS; m++) {
        double row[1 + COURSES] = {r->steps * (m + 1.0) / MOMENTS};
        for (int c = 0; c < COURSES; c++)
            row[1 + c] = r->training[c].losses[m];
        columns_row(table, NULL, 1 + COURSES, row);
    }
    columns_close(table);
}

static void write_right(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "right.dat", "network loss 5 7 9 10 12 15");
    for (int c = 0; c < COURSES; c++) {
        double row[1 + EXAMS] = {r->marks[c].loss};
        memcpy(row + 1, r->marks[c].right, sizeof r->marks[c].right);
        columns_row(table, courses[c].name, 1 + EXAMS, row);
    }
    columns_close(table);
}

/* The weights of one head for our_word, one row for each letter to be written. */
static void write_weights(const char *folder, const char *file, const struct training *t,
                          int head) {
    struct row row = row_of(our_word);
    struct looks looks;
    look(t, &row, &looks);
    FILE *table = columns_open(folder, file, NULL);
    fprintf(table, "letter");
    for (int j = 0; j < row.m; j++)
        fprintf(table, " %c", our_word[j]);
    fputc('\n', table);
    for (int i = 0; i < row.m; i++) {
        char label[2] = {(char)('a' + row.sorted[i] - FIRST_LETTER)};
        columns_row(table, label, row.m, looks.weights[head][i]);
    }
    columns_close(table);
}

/* The shares of positions at which the largest weight is on the letter to be written. */
static void write_aligned(const char *folder, const struct report *r) {
    const struct marks *four = &r->marks[FOUR_HEADS];
    double row[2 + MOST_HEADS] = {r->marks[ONE_HEAD].aligned[0], four->aligned_mean};
    memcpy(row + 2, four->aligned, sizeof four->aligned);
    FILE *table = columns_open(folder, "aligned.dat", "one mean 1 2 3 4");
    columns_row(table, NULL, 2 + MOST_HEADS, row);
    columns_close(table);
}

/* The positions of the letters to be written, one frame for each row. */
static void write_frames(const char *folder) {
    struct row row = row_of(our_word);
    FILE *table = columns_open(folder, "weights-true.dat", NULL);
    for (int i = 0; i < row.m; i++)
        columns_row(table, NULL, 2, (double[]){place_of(&row, row.sorted[i]), i});
    columns_close(table);
}

static void write_cache(const char *folder, const struct report *r) {
    FILE *table =
        columns_open(folder, "cache.dat", "words whole cached difference wholerows cachedrows");
    for (int i = 0; i < r->paces; i++) {
        const struct pace *p = &r->pace[i];
        columns_row(table, NULL, 6,
                    (double[]){p->words, 1000.0 * p->whole, 1000.0 * p->cached, p->difference,
                               p->whole_rows, p->cached_rows});
    }
    columns_close(table);
}

static void write_tables(const char *folder, const struct report *r) {
    static const char *const of_heads[] = {"weights-1.dat", "weights-2.dat", "weights-3.dat",
                                           "weights-4.dat"};
    write_training(folder, r);
    write_right(folder, r);
    write_weights(folder, "weights-one.dat", &r->training[ONE_HEAD], 0);
    for (int h = 0; h < MOST_HEADS; h++)
        write_weights(folder, of_heads[h], &r->training[FOUR_HEADS], h);
    write_aligned(folder, r);
    write_frames(folder);
    write_cache(folder, r);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_right(FILE *to, const struct report *r, int course) {
    const struct marks *marks = &r->marks[course];
    if (isnan(marks->loss)) {
        fprintf(to, "  %-12s%8s\n", courses[course].name, "-");
        return;
    }
    fprintf(to, "  %-12s%8.4f", courses[course].name, marks->loss);
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, "%6.2f", marks->right[e]);
    fprintf(to, "   %s\n", *marks->written ? marks->written : "(nothing)");
}

static void tell_sorting(FILE *to, const struct report *r) {
    fprintf(to,
            "Words sorted without a mistake (share of test words), by their length. Training\n"
            "words have %d to %d letters. Last column: the output for \"%s\" (0: BEGIN).\n"
            "%-14s%8s",
            FEWEST, MOST, our_word, "", "loss");
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, "%6d", lengths[e]);
    fprintf(to, "   output\n");
    for (int c = 0; c < COURSES; c++)
        tell_right(to, r, c);
}

static void tell_looks(FILE *to, const struct report *r) {
    const struct marks *one = &r->marks[ONE_HEAD], *four = &r->marks[FOUR_HEADS];
    fprintf(to,
            "Largest cross-attention weight on the letter to be written (share of positions):\n");
    if (!isnan(one->loss))
        fprintf(to, "  one head      %.2f\n", one->aligned[0]);
    if (isnan(four->loss))
        return;
    fprintf(to, "  four heads    %.2f (mean of their weights); each head:", four->aligned_mean);
    for (int h = 0; h < MOST_HEADS; h++)
        fprintf(to, " %.2f", four->aligned[h]);
    fputc('\n', to);
}

static void tell_cache(FILE *to, const struct report *r) {
    double most = 0.0;
    fprintf(to, "Tokens computed by two decoder blocks%6s", "");
    for (int i = 0; i < r->paces; i++) {
        fprintf(to, "%7d", to_write[i]);
        most = fmax(most, r->pace[i].difference);
    }
    fprintf(to, "\n  milliseconds without a cache             ");
    for (int i = 0; i < r->paces; i++)
        fprintf(to, "%7.1f", 1000.0 * r->pace[i].whole);
    fprintf(to, "\n  milliseconds with a KV cache             ");
    for (int i = 0; i < r->paces; i++)
        fprintf(to, "%7.1f", 1000.0 * r->pace[i].cached);
    fprintf(to, "\n  largest difference of the results  %.1g\n", most);
}

static void tell(FILE *to, const void *of) {
    const struct report *r = of;
    tell_sorting(to, r);
    tell_looks(to, r);
    tell_cache(to, r);
}

/* Was no network trained completely? */
static bool has_nothing_whole(const struct report *r) {
    for (int c = 0; c < COURSES; c++)
        if (r->training[c].whole)
            return false;
    return true;
}

int main(int argc, char **argv) {
    static struct report r;
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s FOLDER\n", argv[0]);
        return 2;
    }
    double began = seconds();
    r.steps = steps_wanted(STEPS, QUICK_STEPS);
    seed_wanted(); /* refuses a wrong seed before the training */
    stop_at_ctrl_c();
    printf("%d networks to train, %d steps each. Ctrl-C keeps what is there.\n", COURSES, r.steps);
    train_all(&r);
    tell_if_stopped();
    measure_paces(&r);
    write_tables(argv[1], &r);
    tell_result(argv[1], r.steps < STEPS ? "QUICK or STEPS" : NULL, tell, &r);
    printf("%.0f seconds in all.\n", seconds() - began);
    for (int c = 0; c < COURSES; c++)
        training_end(&r.training[c]);
    return has_nothing_whole(&r) ? NOTHING_WHOLE : 0;
}
