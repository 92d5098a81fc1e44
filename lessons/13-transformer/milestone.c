/* The milestone of lesson 13: the whole machine, three times.

   A writer learns letters from a grammar whose every line has a known price. The dates and the
   translation are those of lesson 07, with the same examination. All arithmetic is done by the
   functions of lessons 01 to 13, yours where you have passed them; what is given is in milestone/.
   `make run-13` trains and examines the three, and `make plot-13` draws what happened. */
#include "milestone/machine.h"

#include "columns.h"
#include "dot_product.h"
#include "progress.h"
#include "softmax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WRITER, DATES, TRANSLATION, COURSES };
static struct course courses[COURSES] = {
    {"writer", NULL, 2, 0, 16, 1200, 5e-3},
    {"dates", &dates, 1, 0, 16, 2000, 5e-3},
    {"translation", &translation, 1, 15, 16, 2500, 5e-3},
};
static const int quick_steps[COURSES] = {120, 200, 250};

/* --- The training ---------------------------------------------------------------------------- */

enum { MOMENTS = 40, MATRICES = 6, LABEL = 20 };

/* The time that is left, as if each step cost what the ones so far have cost on average; a step of
   translation costs half of one of the writer's. */
struct clock {
    double began, done, all;
};

static double cost(int course) {
    static const double of[COURSES] = {2.2, 0.8, 0.6};
    return of[course];
}

static void show_progress(struct clock *clock, int course, const struct machine *m, double loss) {
    double since = seconds() - clock->began;
    double left = fmax(0.0, since * (clock->all / clock->done - 1.0));
    progress(m->step, m->course->steps, "%-12s loss %6.4f %6.0f s left", courses[course].name, loss,
             left);
}

/* The grammar's own price of a letter, over new lines; the same for all. */
enum { LINES = 400 };
static double price_of(const struct machine *m) {
    struct random r = random_seed(13);
    double price = 0.0, letters = 0.0;
    for (int i = 0; i < LINES; i++) {
        int line[LONGEST_LINE];
        double truth;
        int n = draw_line(&r, line, &truth);
        letters += n;
        price += m ? machine_price(m, 0, n, line) : truth;
    }
    return price / letters;
}

/* Until its last step, or Ctrl-C. */
static void train(struct machine *m, int course, struct clock *clock, const char *folder) {
    char file[40];
    int steps = m->course->steps, moments = steps < MOMENTS ? steps : MOMENTS;
    snprintf(file, sizeof file, "training-%s.dat", courses[course].name);
    FILE *table = columns_open(folder, file, "step loss");
    for (int moment = 1; moment <= moments && !is_stopped(); moment++) {
        int until = (int)((long)steps * moment / moments), taken = until - m->step;
        double row[2] = {m->step, 0.0};
        while (m->step < until) {
            row[1] += machine_step(m) / taken;
            clock->done += cost(course);
        }
        columns_row(table, NULL, 2, row);
        show_progress(clock, course, m, row[1]);
    }
    columns_close(table);
}

/* --- The examination ------------------------------------------------------------------------- */

/* Shares right to the last word, on the very sentences of lesson 07's examination. */
static double share_right(const struct machine *m, int length, int sentences) {
    int right[HALVES] = {0};
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++) {
        struct random r = random_seed((uint64_t)(1000 * length + half));
        for (int i = 0; i < sentences / HALVES; i++) {
            int words[LONGEST];
            struct pair p;
            m->course->task->draw(&r, length, &p);
            int written = machine_translate(m, half, &p, p.m + 1, words);
            right[half] +=
                written == p.m && memcmp(words, p.target, sizeof(int) * (size_t)written) == 0;
        }
    }
    return (double)(right[0] + right[1]) / (sentences / HALVES * HALVES);
}

static const struct way {
    const char *name;
    struct manner manner;
} ways[] = {
    {"temperature 1", {1.0, 0, 0.0}},   {"temperature 1.5", {1.5, 0, 0.0}},
    {"temperature 0.5", {0.5, 0, 0.0}}, {"top-k 3", {1.0, 3, 0.0}},
    {"top-p 0.95", {1.0, 0, 0.95}},     {"top-p 0.8", {1.0, 0, 0.8}},
    {"greedy", {0.0, 0, 0.0}},
};
enum { WAYS = sizeof ways / sizeof ways[0], SPOKEN = 500, LONGEST_SPOKEN = 100 };

/* What is said of SPOKEN lines: how many of the finished ones are grammatical, how much the first
   letter varies, and how many begin with a name. */
struct speech {
    double grammatical, entropy, names;
    char sample[LONGEST_SPOKEN + 1];
};

static struct speech speak(const struct machine *m, int half, struct manner manner) {
    struct speech said = {0};
    struct random r = random_seed(77);
    double first[LETTERS] = {0};
    int finished = 0;
    for (int i = 0; i < SPOKEN; i++) {
        int line[LONGEST_LINE], n = machine_write(m, half, manner, &r, 0, LONGEST_SPOKEN, line);
        first[line[0]] += 1.0 / SPOKEN;
        said.names += begins_with_name(n, line) / (double)SPOKEN;
        finished += line[n - 1] == NEW_LINE;
        said.grammatical += is_grammatical(n, line);
        for (int c = 0; i == 0 && c < n && line[c] != NEW_LINE; c++)
            said.sample[c] = alphabet[line[c]];
    }
    said.grammatical /= finished;
    said.entropy = fabs(entropy(LETTERS, first)); /* it may be -0 */
    return said;
}

enum { EXAM_ROW = 5, EXAMS = 6, EXAMINED = 200 };
struct report {
    struct machine machine[COURSES];
    bool trained[COURSES], whole[COURSES];
    double right[EXAMS], dates; /* shares of sentences; of dates */
    double price, truth;        /* of a letter, for the writer and for the grammar */
    struct speech speech[WAYS];
};

static void examine(struct report *r) {
    const struct machine *writer = &r->machine[WRITER];
    r->truth = price_of(NULL);
    r->price = r->trained[WRITER] ? price_of(writer) : (double)NAN;
#ifdef _OPENMP
#pragma omp parallel for schedule(static, WAYS / HALVES + 1) num_threads(HALVES)
#endif
    for (int i = 0; i < WAYS; i++)
        r->speech[i] = speak(writer, i > WAYS / HALVES, ways[i].manner);
    r->dates = r->trained[DATES] ? share_right(&r->machine[DATES], 0, EXAMINED) : (double)NAN;
    for (int e = 0; e < EXAMS; e++)
        r->right[e] = r->trained[TRANSLATION]
                          ? share_right(&r->machine[TRANSLATION], (e + 1) * EXAM_ROW, EXAMINED)
                          : (double)NAN;
}

/* --- What is kept of it ---------------------------------------------------------------------- */

static void write_speech(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "speak.dat", "way grammatical entropy names");
    for (int i = 0; i < WAYS; i++) {
        const struct speech *s = &r->speech[i];
        columns_row(table, ways[i].name, 3, (double[]){s->grammatical, s->entropy, s->names});
    }
    columns_close(table);
    table = columns_open(folder, "floor.dat", "writer grammar");
    columns_row(table, NULL, 2, (double[]){r->price, r->truth});
    columns_close(table);
}

static void write_accuracy(const char *folder, const struct report *r) {
    FILE *table = columns_open(folder, "accuracy.dat", "length right");
    for (int e = 0; e < EXAMS; e++)
        columns_row(table, NULL, 2, (double[]){(e + 1) * EXAM_ROW, r->right[e]});
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_writer(FILE *to, const struct report *r) {
    fprintf(to,
            "The writer pays %.4f nats a letter, the grammar itself %.4f: %.4f too much.\n"
            "%d lines of its own:    grammatical   first letter   begins with   the first of them\n"
            "%38s%15s%14s\n",
            r->price, r->truth, r->price - r->truth, SPOKEN, "", "(ln 4 = 1.39)", "a name (1/2)");
    for (int i = 0; i < WAYS; i++)
        fprintf(to, "  %-16s%17.3f%15.2f%14.2f   %.20s\n", ways[i].name, r->speech[i].grammatical,
                r->speech[i].entropy, r->speech[i].names, r->speech[i].sample);
}

static void tell_share(FILE *to, double share) {
    if (isnan(share))
        fprintf(to, "%6s", "-");
    else
        fprintf(to, "%6.2f", share);
}

static void tell_result(FILE *to, const struct report *r) {
    if (is_stopped() || is_short_run())
        fprintf(to, "Not the whole training: %s.\n",
                is_stopped() ? "it was stopped" : "QUICK or STEPS");
    if (r->trained[WRITER])
        tell_writer(to, r);
    fprintf(to, "Right to the last word or digit:\n  dates       ");
    tell_share(to, r->dates);
    fprintf(to, "\n  translation ");
    for (int e = 0; e < EXAMS; e++)
        tell_share(to, r->right[e]);
    fprintf(to, "\n  of so many words");
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, e ? "%6d" : "%2d", (e + 1) * EXAM_ROW);
    fprintf(to, "   trained on 3 to %d\nSEED=%llu\n", courses[TRANSLATION].longest,
            (unsigned long long)seed_wanted());
}

/* --- What can be asked for ------------------------------------------------------------------- */

/* The status that says: stopped, and no network was trained to its end. */
enum { NOTHING_WHOLE = 3 };

static void train_all(const char *folder, struct report *r) {
    struct clock clock = {seconds(), 0.0, 0.0};
    for (int c = 0; c < COURSES; c++)
        clock.all += courses[c].steps * cost(c);
    for (int c = 0; c < COURSES; c++) {
        r->machine[c] = machine_new(&courses[c], seed_wanted());
        train(&r->machine[c], c, &clock, folder);
        r->trained[c] = r->machine[c].step > 0;
        r->whole[c] = r->machine[c].step == courses[c].steps;
    }
}

static int run(const char *folder) {
    static struct report r;
    double began = seconds();
    puts("Three networks to train. Ctrl-C keeps what is there; twice, it ends.");
    train_all(folder, &r);
    if (is_stopped())
        printf("\nStopped. What was trained so far is examined:\n");
    examine(&r);
    write_speech(folder, &r);
    write_accuracy(folder, &r);
    FILE *for_report = columns_open(folder, "result.txt", NULL);
    tell_result(for_report, &r);
    columns_close(for_report);
    tell_result(stdout, &r);
    printf("%.0f seconds in all.\n", seconds() - began);
    return r.whole[WRITER] ? 0 : NOTHING_WHOLE;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s FOLDER\n", argv[0]);
        return 2;
    }
    for (int c = 0; c < COURSES; c++)
        courses[c].steps = steps_wanted(courses[c].steps, quick_steps[c]);
    seed_wanted();
    stop_at_ctrl_c();
    return run(argv[1]);
}
