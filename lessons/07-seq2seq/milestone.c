/* The milestone of lesson 07: Bahdanau's figure 2, trained on this machine.

   Four networks translate, with one context vector or with attention, trained on sentences of 3 to
   20 words or of 3 to 40. A fifth network has only one GRU in its encoder, and a sixth rewrites
   dates. Encoder, decoder, attention and loss are functions of this lesson and of earlier ones, and
   your own versions are used if they pass the tests. The rest is in milestone/. `make run-07`
   trains and tests the networks, `make plot-07` draws the results, and with `make try-07` you can
   type sentences. */
#include "milestone/bench.h"
#include "milestone/exam.h"
#include "milestone/training.h"
#include "milestone/try.h"

#include "columns.h"
#include "progress.h"
#include "tasks/model_file.h"
#include "trainer.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIXED_20,
    ATTENTION_20,
    FIXED_40,
    ATTENTION_40,
    ONE_WAY_20,
    DATES,
    COURSES,
    FIGURE_2 = ONE_WAY_20
};
enum { BATCH = 8, MOMENTS = 40, PATH_LENGTH = 4096 };

/* QUICK=1 trains just enough to see that everything works. Only attention-20 learns to translate,
   with a higher learning rate, and the mini-batches of dates are smaller. */
static const int quick_steps[COURSES] = {10, 480, 10, 10, 10, 200};
static const double quick_rate = 1e-2;
static const int quick_dates = 12;
static bool is_quick;

/* The two networks that `make try-07` uses. */
static int translator(void) {
    return is_quick ? ATTENTION_20 : ATTENTION_40;
}

static bool is_asked(int course) {
    return course == translator() || course == DATES;
}

static struct course courses[COURSES] = {
    {"fixed-20", &translation, FIXED, 20, BATCH, 2600, 5e-3},
    {"attention-20", &translation, ATTENTION, 20, BATCH, 2600, 5e-3},
    {"fixed-40", &translation, FIXED, 40, BATCH, 2600, 5e-3},
    {"attention-40", &translation, ATTENTION, 40, BATCH, 2600, 5e-3},
    {"one-way-20", &translation, ONE_WAY, 20, BATCH, 2600, 5e-3},
    {"dates", &dates, ATTENTION, 0, 32, 400, 1.8e-2},
};

/* ONLY=fixed-20 trains this network alone. The others take one step each, and their results are
   not used. */
static const char *only;

static bool is_wanted(int course) {
    return !only || strcmp(courses[course].name, only) == 0;
}

static void choose_courses(void) {
    bool known = false;
    only = getenv("ONLY");
    only = only && *only ? only : NULL;
    for (int c = 0; c < COURSES; c++) {
        known = known || is_wanted(c);
        courses[c].steps = is_wanted(c) ? courses[c].steps : 1;
    }
    if (known)
        return;
    fprintf(stderr, "ONLY=%s is not a network. The networks are", only);
    for (int c = 0; c < COURSES; c++)
        fprintf(stderr, " %s", courses[c].name);
    fputs(".\n", stderr);
    exit(2);
}

/* STEPS=100: the number of steps for each network. */
static void shorten_courses(void) {
    is_quick = is_short_run();
    for (int c = 0; c < COURSES; c++)
        courses[c].steps = steps_wanted(courses[c].steps, quick_steps[c]);
    if (is_quick) {
        courses[ATTENTION_20].rate = quick_rate;
        courses[DATES].batch = quick_dates;
    }
    choose_courses();
}

/* The number of test sentences. After a short training, the test is short, too. */
static int examined(void) {
    return only || !is_quick ? 200 : courses[ATTENTION_20].steps < 100 ? 2 : 20;
}

/* --- Training -------------------------------------------------------------------------------- */

/* The progress of all training runs: the cost() of the steps that are done, and of all steps. */
struct clock {
    double began, done, all;
};

/* The approximate cost of a step, in an arbitrary unit. It is proportional to the number of words.
   With attention, each word that is written also attends to all words of the source. */
static double cost(const struct course *c) {
    double words = c->task->spelled ? 16 : (3 + c->longest) / 2.0;
    return words * (c->kind != FIXED ? 2.4 + words / 5.0 : 2.4);
}

static struct clock start_clock(int count, const struct course *const which[]) {
    struct clock clock = {seconds(), 0.0, 0.0};
    for (int i = 0; i < count; i++)
        clock.all += which[i]->steps * cost(which[i]);
    return clock;
}

static double seconds_left(const struct clock *clock) {
    return fmax(0.0, (seconds() - clock->began) * (clock->all - clock->done) / clock->done);
}

struct moment {
    int step;
    double loss;
    struct marks marks;
};

/* A short test during training. */
static struct marks short_test(const struct network *net, const struct course *c) {
    return examine(net, c->task->spelled ? 0 : c->longest / 2, is_quick ? 4 : 16);
}

static void show_progress(const struct course *c, struct training *t, const struct clock *clock,
                          double since, int step, const struct moment *m) {
    progress(step, c->steps, "%-12s %6.4f %4.0f %% %5.0f %4.0f s", c->name, m->loss,
             100.0 * m->marks.exact, words_read(t) / (seconds() - since), seconds_left(clock));
}

/* Takes at most `most` steps, but at least one, and returns their number. */
static int take_steps(struct training *t, const struct course *c, struct clock *clock, int most,
                      double *loss) {
    double sum = 0.0;
    int taken = 0;
    do {
        sum += training_step(t);
        clock->done += cost(c);
    } while (++taken < most && !is_stopped());
    *loss = sum / taken;
    if (!isfinite(sum)) {
        fprintf(stderr, "\n%s: the loss is infinite or NaN.\n", c->name);
        exit(2);
    }
    return taken;
}

/* Trains for all steps of the course, or until Ctrl-C. `observe` is called at each moment, and
   after the last step with the moment MOMENTS. Returns the number of moments. */
typedef void observer(void *whom, int moment, int step, struct network *net);
static int train(struct training *t, const struct course *c, struct clock *clock,
                 struct moment moments[MOMENTS], observer *observe, void *whom) {
    int count = c->steps < MOMENTS ? c->steps : MOMENTS, done = 0, moment = 0;
    double since = seconds();
    if (!is_stopped())
        progress(0, c->steps, "%-12s", c->name);
    do {
        struct moment *m = &moments[moment];
        m->step = done;
        m->marks = short_test(training_network(t), c);
        if (observe)
            observe(whom, moment, done, training_network(t));
        int until = (int)((long)c->steps * (moment + 1) / count);
        done += take_steps(t, c, clock, until - done, &m->loss);
        if (done > 1 || !is_stopped())
            show_progress(c, t, clock, since, done, m);
    } while (++moment < count && !is_stopped());
    if (observe)
        observe(whom, MOMENTS, done, training_network(t));
    return moment;
}

/* --- Files for the plots --------------------------------------------------------------------- */

static void write_moments(const char *folder, const struct course *c, int count,
                          const struct moment moments[]) {
    char file[100];
    snprintf(file, sizeof file, "training-%s.dat", c->name);
    FILE *table = columns_open(folder, file, "step loss exact entropy");
    for (int i = 0; i < count; i++) {
        const struct moment *m = &moments[i];
        double row[] = {m->step, m->loss, m->marks.exact, m->marks.entropy};
        columns_row(table, NULL, 4, row);
    }
    columns_close(table);
}

/* The sentences of the plots. aligned[i] is the source word with the meaning of target word i, or
   -1 if there is no single such word. */
struct example {
    const char *name, *source, *target;
    int aligned[16];
};
static const struct example reordering = {
    "reordering",
    "the young cat saw a red house and the dog takes the rare apple",
    "le chat jeune une maison rouge vu a et le chien la pomme rare prend",
    {-1, 2, 1, -1, 6, 5, 3, -1, -1, -1, 9, -1, 13, 12, 10},
};
static const struct example copying = {
    "copying",
    "Mirjam hears the wise mouse and Anna followed Yorick",
    "Mirjam la souris sage entend et Anna Yorick suivi a",
    {0, -1, 4, 3, 1, -1, 6, 8, 7, -1},
};
static const struct example of_dates = {
    "date",
    "wednesday, 18 november 2026",
    "2026-11-18",
    {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
};
static const struct example short_one = {
    "learning",
    "the young cat saw a red house",
    "le chat jeune une maison rouge vu a",
    {-1, 2, 1, -1, 6, 5, 3, -1},
};

/* A table of weights begins with the words of the source, in quotes because one may be a space. */
static FILE *open_weights(const char *folder, const char *file, const struct task *task,
                          const struct pair *p) {
    FILE *table = columns_open(folder, file, NULL);
    fprintf(table, "word");
    for (int j = 0; j < p->n; j++)
        fprintf(table, " \"%s\"", task->source[p->source[j]]);
    fputc('\n', table);
    return table;
}

struct sheet {
    FILE *table;
    const struct task *task;
    int n;
};

static void write_row(void *whom, int word, const double *weights) {
    const struct sheet *sheet = whom;
    columns_row(sheet->table, sheet->task->target[word], sheet->n, weights);
}

/* The sentence that the network writes for an example, with its attention weights. */
static void write_example(const char *folder, const struct network *net, const struct example *e) {
    char file[100];
    int words[LONGEST];
    struct pair p = pair_of(net->task, e->source, e->target);
    struct buffers *t = buffers_new(net);
    snprintf(file, sizeof file, "%s.dat", e->name);
    struct sheet sheet = {open_weights(folder, file, net->task, &p), net->task, p.n};
    /* The weights of a word are known one step later. An untrained network may write no word. */
    if (network_write(net, t, &p, p.m + 1, words, write_row, &sheet) == 0)
        columns_row(sheet.table, "(nothing)", p.n, weights_at(t, 0));
    columns_close(sheet.table);

    snprintf(file, sizeof file, "%s-true.dat", e->name);
    FILE *table = columns_open(folder, file, "source target");
    for (int i = 0; i < p.m; i++)
        if (e->aligned[i] >= 0)
            columns_row(table, NULL, 2, (double[]){e->aligned[i], i});
    columns_close(table);
    buffers_free(t);
}

/* The weights for one sentence at four moments of the training, with teacher forcing. */
struct learning {
    const char *folder;
    FILE *steps;
    int written;
};

static void write_learning(struct learning *to, int step, struct network *net) {
    char file[100];
    struct pair p = pair_of(net->task, short_one.source, short_one.target);
    struct buffers *t = buffers_new(net);
    network_loss(net, t, &p, p.m + 1);
    snprintf(file, sizeof file, "learning-%d.dat", to->written);
    FILE *table = open_weights(to->folder, file, net->task, &p);
    for (int s = 0; s < p.m; s++)
        columns_row(table, net->task->target[p.target[s]], p.n, weights_at(t, s));
    columns_close(table);
    columns_row(to->steps, NULL, 2, (double[]){to->written, step});
    to->written++;
    buffers_free(t);
}

/* Writes four tables. If the training was stopped early, the remaining ones are from its end. */
static void observe_learning(void *whom, int moment, int step, struct network *net) {
    static const int moments[] = {0, 6, 12, MOMENTS};
    struct learning *to = whom;
    while (to->written < 4 && moment >= moments[to->written])
        write_learning(to, step, net);
}

/* --- The test -------------------------------------------------------------------------------- */

enum { LONGEST_EXAM = 50, EXAM_ROW = 5, EXAMS = LONGEST_EXAM / EXAM_ROW };

struct report {
    struct network nets[COURSES];
    bool trained[COURSES];              /* at least for some steps */
    bool whole[COURSES];                /* to the end */
    struct marks marks[COURSES][EXAMS]; /* only the first is used for dates */
};

static void write_examples(const char *folder, const struct report *r) {
    write_example(folder, &r->nets[ATTENTION_40], &reordering);
    write_example(folder, &r->nets[ATTENTION_40], &copying);
    write_example(folder, &r->nets[DATES], &of_dates);
}

static void examine_all(struct report *r, int sentences) {
    const struct marks missing = {NAN, NAN, NAN, NAN, NAN, NAN};
    for (int c = 0; c < COURSES; c++)
        for (int e = 0; e < EXAMS; e++) {
            bool wanted = r->trained[c] && (c != DATES || e == 0);
            r->marks[c][e] = wanted ? examine(&r->nets[c], (e + 1) * EXAM_ROW, sentences) : missing;
        }
}

static void write_accuracy(const char *folder, const struct report *r) {
    FILE *table =
        columns_open(folder, "accuracy.dat",
                     "length fixed_20 attention_20 fixed_40 attention_40 "
                     "words_fixed_20 words_attention_20 words_fixed_40 words_attention_40");
    for (int e = 0; e < EXAMS; e++) {
        double row[1 + 2 * FIGURE_2] = {(e + 1) * EXAM_ROW};
        for (int c = 0; c < FIGURE_2; c++) {
            row[1 + c] = r->marks[c][e].exact;
            row[1 + FIGURE_2 + c] = r->marks[c][e].words;
        }
        columns_row(table, NULL, 1 + 2 * FIGURE_2, row);
    }
    columns_close(table);
}

/* --- The gradient at the first word ---------------------------------------------------------- */

/* The median over some sentences of n words. In a mean, a few large gradients would outweigh the
   rest. */
static double gradient_at_first_word(const struct network *net, struct buffers *t, int n) {
    enum { SENTENCES = 15 };
    int count = is_quick ? 1 : SENTENCES;
    struct weights unused = weights_new(net->task);
    double reaching[SENTENCES];
    struct random r = random_seed((uint64_t)n);
    for (int i = 0; i < count; i++) {
        struct pair p;
        net->task->draw(&r, n, &p);
        network_loss(net, t, &p, p.m + 1);
        network_backward(net, t, &p, p.m + 1, &unused);
        reaching[i] = gradient_reaching(net, t, 0, p.m + 1);
    }
    weights_free(&unused);
    return median(count, reaching);
}

/* The networks trained on up to 40 words, and the same networks at initialization. */
static void write_distance(const char *folder, const struct report *r) {
    FILE *table =
        columns_open(folder, "distance.dat", "length fixed attention new_fixed new_attention");
    struct network new_nets[2] = {network_new(&translation, FIXED),
                                  network_new(&translation, ATTENTION)};
    struct buffers *t = buffers_new(&new_nets[0]);
    for (int i = 0; i < 2; i++) {
        struct random start = random_seed(seed_wanted());
        network_start(&new_nets[i], &start);
    }
    for (int n = 3; n <= 40; n += n < 10 ? 1 : n < 20 ? 2 : 5) {
        const struct network *nets[] = {&r->nets[FIXED_40], &r->nets[ATTENTION_40], &new_nets[0],
                                        &new_nets[1]};
        double row[5] = {n, NAN, NAN, NAN, NAN};
        for (int i = 0; i < 4; i++)
            if (i >= 2 || r->trained[i == 0 ? FIXED_40 : ATTENTION_40])
                row[1 + i] = gradient_at_first_word(nets[i], t, n);
        columns_row(table, NULL, 5, row);
    }
    columns_close(table);
    buffers_free(t);
    network_free(&new_nets[0]);
    network_free(&new_nets[1]);
}

/* --- The result ------------------------------------------------------------------------------ */

/* Prints a share, or - if it is NaN. */
static void tell_share(FILE *to, double share) {
    if (isnan(share))
        fprintf(to, "%5s", "-");
    else
        fprintf(to, "%5.2f", share);
}

/* The mean over the lengths that occurred in training, without NaN. */
static double mean_mark(const struct report *r, int course, size_t which) {
    double sum = 0.0;
    int count = 0;
    for (int e = 0; (e + 1) * EXAM_ROW <= courses[course].longest; e++) {
        double mark = *(const double *)((const char *)&r->marks[course][e] + which);
        if (isnan(mark))
            continue;
        sum += mark;
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

static void tell_figure_2(FILE *to, const struct report *r) {
    fprintf(to, "Share of sentences with every word right, by the number of their words:\n%15s",
            "");
    for (int e = 0; e < EXAMS; e++)
        fprintf(to, "%5d", (e + 1) * EXAM_ROW);
    for (int c = 0; c < DATES; c++) {
        fprintf(to, "\n  %-13s", courses[c].name);
        for (int e = 0; e < EXAMS; e++)
            tell_share(to, r->marks[c][e].exact);
    }
    fputc('\n', to);
}

static void tell_weights(FILE *to, const struct report *r) {
    static const int attentive[] = {ATTENTION_20, ATTENTION_40, ONE_WAY_20};
    static const size_t marks[] = {offsetof(struct marks, names), offsetof(struct marks, aligned),
                                   offsetof(struct marks, late)};
    fprintf(to, "At the lengths that occurred in training: the share of rare names that are\n"
                "right; of all right names, nouns, verbs and adjectives, the share with the\n"
                "largest weight on the source word of the same meaning; and the share with the\n"
                "largest weight on the word after it:\n");
    for (int c = 0; c < 3; c++) {
        fprintf(to, "  %-13s", courses[attentive[c]].name);
        for (int m = 0; m < 3; m++)
            tell_share(to, mean_mark(r, attentive[c], marks[m]));
        fputc('\n', to);
    }
}

static void tell(FILE *to, const void *of) {
    const struct report *r = of;
    tell_figure_2(to, r);
    tell_weights(to, r);
    if (r->trained[DATES])
        fprintf(to, "Dates right in every character (share): %.3f\n", r->marks[DATES][0].exact);
}

/* --- make run-07, try-07 and bench-07 -------------------------------------------------------- */

static void announce(int networks) {
    printf("Training %s%s. Ctrl-C stops and keeps the results so far,\n"
           "and a second Ctrl-C ends the program.\n%34s%-14s%5s%7s%8s%5s\n",
           networks == COURSES && !only ? "six networks" : "a network", is_quick ? " (QUICK)" : "",
           "", "network", "loss", "right", "words/s", "left");
}

/* One training run, to its end or until Ctrl-C. Its network is copied to r. A run that begins after
   Ctrl-C takes one step, so that its tables exist, but its results are not used. */
static void take_course(const char *folder, int course, struct clock *clock, struct report *r,
                        observer *observe, void *whom) {
    static struct moment moments[MOMENTS];
    const struct course *c = &courses[course];
    struct training *t = training_new(c, seed_wanted());
    int rows = train(t, c, clock, moments, observe, whom);
    r->nets[course] = network_new(c->task, c->kind);
    network_copy(training_network(t), &r->nets[course]);
    r->trained[course] = is_wanted(course) && (rows > 1 || !is_stopped());
    r->whole[course] = is_wanted(course) && !is_stopped();
    if (folder)
        write_moments(folder, c, rows, moments);
    training_free(t);
}

static void train_all(const char *folder, struct report *r) {
    const struct course *all[COURSES];
    for (int c = 0; c < COURSES; c++)
        all[c] = &courses[c];
    struct clock clock = start_clock(COURSES, all);
    struct learning learning = {folder, columns_open(folder, "learning-steps.dat", "moment step"),
                                0};
    announce(COURSES);
    for (int c = 0; c < COURSES; c++)
        take_course(folder, c, &clock, r, c == ATTENTION_40 ? observe_learning : NULL, &learning);
    columns_close(learning.steps);
}

/* The form in which a network is stored in a file. */
static struct model model_of(const struct network *net) {
    return (struct model){
        {7, net->task->sources, net->task->targets, WORD, READER, HIDDEN, (int)net->kind},
        model_words(net->task),
        net->weights.count,
        net->weights.numbers};
}

static void model_path(const char *folder, int course, char path[PATH_LENGTH]) {
    snprintf(path, PATH_LENGTH, "%s/%s.model", folder, courses[course].name);
}

/* The vocabularies, for the page of make play-07: 0 for a source word, 1 for a target word. */
static void write_words(const char *folder, const char *file, const struct task *task) {
    FILE *table = columns_open(folder, file, NULL);
    for (int w = 0; w < task->sources; w++)
        columns_row(table, task->source[w], 1, (const double[]){0});
    for (int w = 0; w < task->targets; w++)
        columns_row(table, task->target[w], 1, (const double[]){1});
    columns_close(table);
}

/* A network is saved only if its training was neither stopped nor shortened by STEPS. */
static bool keep_models(const char *folder, const struct report *r) {
    char path[PATH_LENGTH];
    const char *steps = getenv("STEPS");
    for (int c = 0; c < COURSES && !(steps && *steps); c++) {
        const struct model model = model_of(&r->nets[c]);
        model_path(folder, c, path);
        if (is_asked(c) && r->whole[c] && !model_save(path, &model))
            return false;
    }
    return true;
}

/* Was the training stopped before it had finished a network? */
static bool has_nothing_whole(const struct report *r) {
    for (int c = 0; c < COURSES; c++)
        if (r->whole[c])
            return false;
    return true;
}

static int run(const char *folder) {
    static struct report r;
    double began = seconds();
    train_all(folder, &r);
    tell_if_stopped();
    examine_all(&r, examined());
    write_accuracy(folder, &r);
    write_distance(folder, &r);
    write_examples(folder, &r);
    write_words(folder, "words-translation.dat", &translation);
    write_words(folder, "words-dates.dat", &dates);
    if (!keep_models(folder, &r))
        return 2;
    tell_result(folder, only ? "one network" : is_quick ? "QUICK or STEPS" : NULL, tell, &r);
    printf("%.0f seconds in total.\n", seconds() - began);
    return has_nothing_whole(&r) ? NOTHING_WHOLE : 0;
}

/* Loads the network that `make run-07` has saved in the folder, or trains it if there is none. */
static bool get_network(const char *folder, int course, struct report *r) {
    char path[PATH_LENGTH];
    const struct course *c = &courses[course];
    model_path(folder, course, path);
    if (access(path, F_OK) == 0) {
        r->nets[course] = network_new(c->task, c->kind);
        const struct model model = model_of(&r->nets[course]);
        if (model_load(path, &model))
            return true;
        fprintf(stderr, "If you delete it, make try-07 trains a new one.\n");
        return false;
    }
    struct clock clock = start_clock(1, &c);
    announce(1);
    take_course(NULL, course, &clock, r, NULL, NULL);
    const struct model model = model_of(&r->nets[course]);
    /* If this fails, it prints a message, and the network can be used all the same. */
    if (!is_stopped())
        model_save(path, &model);
    return !is_stopped();
}

static int try_out(const char *folder) {
    static struct report r;
    if (!get_network(folder, translator(), &r) || !get_network(folder, DATES, &r)) {
        if (is_stopped())
            fprintf(stderr, "\nStopped before the network was trained.\n");
        return 2;
    }
    signal(SIGINT, SIG_DFL);
    converse(&r.nets[translator()], &r.nets[DATES]);
    return 0;
}

static int run_bench(const char *folder) {
    static const struct course large = {"bench", &translation, ATTENTION, 40, 32, 1000, 5e-3};
    bench(&large, folder);
    return 0;
}

int main(int argc, char **argv) {
    shorten_courses();
    return milestone_main(argc, argv, &(struct milestone){run, try_out, run_bench});
}
