/* The milestone of lesson 13: three transformers.

   The writer is a language model of characters. It learns lines of a grammar, for which the lowest
   possible loss is known. The other two convert dates and translate, as in lesson 07, with the same
   test sets. All arithmetic is done by the functions of lessons 01 to 13, yours where you have
   passed them, and the rest is in milestone/. `make run-13` trains and tests the three networks,
   `make plot-13` draws the results, and `make try-13` lets you type. */
#include "milestone/bench.h"
#include "milestone/exam.h"
#include "milestone/machine.h"
#include "milestone/tables.h"
#include "milestone/try.h"

#include "columns.h"
#include "progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WRITER, DATES, TRANSLATION, COURSES };
static struct course courses[COURSES] = {
    {"writer", NULL, 2, 0, 16, 1600, 1e-2},
    {"dates", &dates, 1, 0, 16, 2000, 5e-3},
    {"translation", &translation, 1, 20, 16, 3500, 5e-3},
};

/* QUICK=1: enough to see that everything works, with small mini-batches and short sentences. */
static const int quick_steps[COURSES] = {400, 10, 300};
enum { QUICK_LINES = 4, QUICK_LONGEST = 8 };

static void shorten_courses(void) {
    for (int c = 0; c < COURSES; c++)
        courses[c].steps = steps_wanted(courses[c].steps, quick_steps[c]);
    if (is_short_run()) {
        courses[WRITER].batch = QUICK_LINES;
        courses[TRANSLATION].longest = QUICK_LONGEST;
    }
}

/* The time of a step, in thousandths of a second on one machine. Only the ratios matter. */
static const double cost[COURSES] = {13.0, 7.0, 5.0};

/* --- Training -------------------------------------------------------------------------------- */

enum { MOMENTS = 40, PATH_LENGTH = 4096 };

/* The progress of all trainings, where each step counts by its cost. */
struct clock {
    double began, done, all;
};

static double seconds_left(const struct clock *clock) {
    return fmax(0.0, (seconds() - clock->began) * (clock->all - clock->done) / clock->done);
}

/* Trains up to the step `until`, or to Ctrl-C. Returns the mean loss of these steps. */
static struct toll take_steps(struct machine *m, int course, int until, struct clock *clock) {
    struct toll sum = {0.0, 0.0};
    int before = m->step;
    do {
        struct toll toll = machine_step(m);
        sum.loss += toll.loss;
        sum.truth += toll.truth;
        clock->done += cost[course];
    } while (m->step < until && !is_stopped());
    if (!isfinite(sum.loss)) {
        fprintf(stderr, "\n%s: the loss is no longer a number.\n", courses[course].name);
        exit(2);
    }
    return (struct toll){sum.loss / (m->step - before), sum.truth / (m->step - before)};
}

/* Trains to the end, or until Ctrl-C. The first row of the table is the first step alone, which
   shows the loss at initialization. */
static void train(struct machine *m, int course, struct clock *clock, FILE *table) {
    const struct course *c = m->course;
    int moments = c->steps < MOMENTS ? c->steps : MOMENTS;
    for (int moment = 0; moment <= moments && m->step < c->steps && !is_stopped(); moment++) {
        int until = moment == 0 ? 1 : (int)((long)c->steps * moment / moments);
        if (until <= m->step)
            continue;
        struct toll toll = take_steps(m, course, until, clock);
        if (table)
            columns_row(table, NULL, 3, (double[]){m->step, toll.loss, toll.truth});
        progress(m->step, c->steps, "%-12s loss %6.4f %6.0f s left", c->name, toll.loss,
                 seconds_left(clock));
    }
}

/* --- The test -------------------------------------------------------------------------------- */

enum { EXAM_ROW = 5, EXAMS = 6 };

struct report {
    struct machine machine[COURSES];
    bool trained[COURSES]; /* at least some steps */
    double right[EXAMS];   /* share of correct sentences, for each length */
    double dates;          /* share of correct dates */
    double price, truth;   /* loss of a character on new lines: the writer's and the grammar's */
    struct speech speech[WAYS];
};

static bool is_whole(const struct report *r, int course) {
    return r->trained[course] && r->machine[course].step == courses[course].steps;
}

/* The number of test sentences: fewer after a short training. */
static int examined(void) {
    return !is_short_run() ? 200 : courses[TRANSLATION].steps < 100 ? 4 : 40;
}

static void examine_writer(struct report *r) {
    r->truth = price_of(NULL, 2 * examined());
    r->price = price_of(&r->machine[WRITER], 2 * examined());
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++)
        for (int i = half; i < WAYS; i += HALVES)
            r->speech[i] = speak(&r->machine[WRITER], half, ways[i].manner, 5 * examined() / 2);
}

static void examine(struct report *r) {
    if (r->trained[WRITER])
        examine_writer(r);
    r->dates = r->trained[DATES] ? share_right(&r->machine[DATES], EXAM_ROW, examined()) : NAN;
    for (int e = 0; e < EXAMS; e++)
        r->right[e] = r->trained[TRANSLATION]
                          ? share_right(&r->machine[TRANSLATION], (e + 1) * EXAM_ROW, examined())
                          : NAN;
}

static void write_tables(const char *folder, struct report *r) {
    FILE *table = columns_open(folder, "speak.dat", "way grammatical entropy names");
    for (int i = 0; i < WAYS; i++) {
        const struct speech *s = &r->speech[i];
        columns_row(table, ways[i].name, 3, (double[]){s->grammatical, s->entropy, s->names});
    }
    columns_close(table);
    table = columns_open(folder, "accuracy.dat", "length right");
    for (int e = 0; e < EXAMS; e++)
        columns_row(table, NULL, 2, (double[]){(e + 1) * EXAM_ROW, r->right[e]});
    columns_close(table);
    table = columns_open(folder, "held-out.dat", "writer grammar");
    columns_row(table, NULL, 2,
                r->trained[WRITER] ? (double[]){r->price, r->truth}
                                   : (double[]){(double)NAN, (double)NAN});
    columns_close(table);
    write_date(folder, &r->machine[DATES]);
    write_gradients(folder, &r->machine[TRANSLATION]);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_writer(FILE *to, const struct report *r) {
    fprintf(to,
            "Held-out loss per character: writer %.4f, grammar %.4f, difference %.4f\n"
            "Lines it wrote      grammatical    entropy of   begins with   the first line\n"
            "%46s%14s\n"
            "  %-15s%14.3f%15.2f%14.2f\n",
            r->price, r->truth, r->price - r->truth, "character 1", "a name", "the grammar", 1.0,
            1.39, 0.5);
    for (int i = 0; i < WAYS; i++)
        fprintf(to, "  %-15s%14.3f%15.2f%14.2f   %.16s\n", ways[i].name, r->speech[i].grammatical,
                r->speech[i].entropy, r->speech[i].names, r->speech[i].sample);
}

/* A share, or - if there is none. */
static void tell_share(FILE *to, double share) {
    if (isnan(share))
        fprintf(to, "%6s", "-");
    else
        fprintf(to, "%6.3f", share);
}

static void tell_pairs(FILE *to, const struct report *r) {
    fprintf(to, "Share of sentences with every word right, by length in words\n%-14s", "");
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, "%6d", (e + 1) * EXAM_ROW);
    fprintf(to, "\n  translation ");
    for (int e = 0; e < EXAMS; e++)
        tell_share(to, r->right[e]);
    fprintf(to, "   trained on 3 to %d\n  dates       ", courses[TRANSLATION].longest);
    tell_share(to, r->dates);
    fputc('\n', to);
}

static void tell(FILE *to, const void *of) {
    const struct report *r = of;
    if (r->trained[WRITER])
        tell_writer(to, r);
    tell_pairs(to, r);
}

/* --- run, try and bench ---------------------------------------------------------------------- */

static void model_path(const char *folder, int course, char path[PATH_LENGTH]) {
    snprintf(path, PATH_LENGTH, "%s/%s.model", folder, courses[course].name);
}

static bool keep_model(const char *folder, const struct report *r, int course) {
    char path[PATH_LENGTH];
    const struct model model = machine_model(&r->machine[course]);
    model_path(folder, course, path);
    return model_save(path, &model);
}

/* Keeps only networks that were trained to the end. */
static bool keep_models(const char *folder, const struct report *r) {
    const char *steps = getenv("STEPS");
    for (int c = 0; c < COURSES && !(steps && *steps); c++)
        if (is_whole(r, c) && !keep_model(folder, r, c))
            return false;
    return true;
}

/* `table` may be NULL. */
static void take_course(int course, struct clock *clock, struct report *r, FILE *table) {
    r->machine[course] = machine_new(&courses[course], seed_wanted());
    train(&r->machine[course], course, clock, table);
    r->trained[course] = r->machine[course].step > 0;
}

static void train_all(const char *folder, struct clock *clock, struct report *r) {
    for (int c = 0; c < COURSES; c++) {
        char file[40];
        snprintf(file, sizeof file, "training-%s.dat", courses[c].name);
        FILE *table = columns_open(folder, file, "step loss truth");
        take_course(c, clock, r, table);
        columns_close(table);
    }
}

static void announce(int networks) {
    printf("%s to train%s. Ctrl-C keeps the results so far, twice quits.\n",
           networks == COURSES ? "Three networks" : "One network", is_short_run() ? ", QUICK" : "");
}

static int run(const char *folder) {
    static struct report r;
    struct clock clock = {seconds(), 0.0, 0.0};
    for (int c = 0; c < COURSES; c++)
        clock.all += courses[c].steps * cost[c];
    announce(COURSES);
    train_all(folder, &clock, &r);
    tell_if_stopped();
    examine(&r);
    write_tables(folder, &r);
    if (!keep_models(folder, &r))
        return 2;
    tell_result(folder, is_short_run() ? "QUICK or STEPS" : NULL, tell, &r);
    printf("%.0f seconds in all.\n", seconds() - clock.began);
    return is_whole(&r, WRITER) ? 0 : NOTHING_WHOLE;
}

/* Loads the network that `make run-13` has saved. If there is none, trains it first. */
static bool get_network(const char *folder, int course, struct report *r) {
    char path[PATH_LENGTH];
    model_path(folder, course, path);
    if (access(path, F_OK) == 0) {
        r->machine[course] = machine_new(&courses[course], seed_wanted());
        const struct model model = machine_model(&r->machine[course]);
        if (model_load(path, &model))
            return true;
        fprintf(stderr, "Delete the file, and make try-13 trains a new network.\n");
        return false;
    }
    struct clock clock = {seconds(), 0.0, courses[course].steps * cost[course]};
    announce(1);
    take_course(course, &clock, r, NULL);
    if (!is_stopped())
        keep_model(folder, r, course); /* reports errors itself */
    return !is_stopped();
}

static int try_out(const char *folder) {
    static struct report r;
    for (int c = 0; c < COURSES; c++)
        if (!get_network(folder, c, &r)) {
            if (is_stopped())
                fprintf(stderr, "\nStopped before the network was trained to the end.\n");
            return 2;
        }
    signal(SIGINT, SIG_DFL);
    converse(&r.machine[TRANSLATION], &r.machine[DATES], &r.machine[WRITER]);
    return 0;
}

static int run_bench(const char *folder) {
    static const struct course large = {"bench", &translation, 1, 40, 32, 1000, 5e-3};
    bench(&large, folder);
    return 0;
}

int main(int argc, char **argv) {
    shorten_courses();
    return milestone_main(argc, argv, &(struct milestone){run, try_out, run_bench});
}
