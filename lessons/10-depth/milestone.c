/* The milestone of lesson 10: how many layers can we stack?

       cow dog ant ...  ->  ... ant dog cow

   The input is a sentence of twelve words in random order, and the stack must output it in reverse
   order. One attention layer is enough for this task, but we train stacks of 2, 4 and 8 layers in
   five arrangements. Then we train the deepest stack with other learning rates, and with SGD
   instead of Adam. The layers, the norms and Adam are the functions of this lesson. All other
   functions are those of earlier lessons, yours where you have passed them. The files in milestone/
   stack the layers (there a stack is called a tower). `make run-10` trains and tests the stacks,
   and `make plot-10` draws the results. */
#include "milestone/tower.h"

#include "columns.h"
#include "dot_product.h"
#include "progress.h"
#include "self_attention.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The task -------------------------------------------------------------------------------- */

static void draw_words(struct random *r, int words[WORDS]) {
    for (int i = 0; i < WORDS; i++) {
        int j = random_below(r, i + 1);
        words[i] = words[j];
        words[j] = i;
    }
}

/* The word that a position must output. */
static int answer(const int words[WORDS], int position) {
    return words[WORDS - 1 - position];
}

/* The mean loss of the words of a sentence, and the number of right words. */
struct marks {
    double loss, right;
};

static struct marks mark(const int words[WORDS], const double logits[WORDS][WORDS]) {
    struct marks marks = {0.0, 0.0};
    for (int i = 0; i < WORDS; i++) {
        int best = 0;
        for (int c = 0; c < WORDS; c++)
            if (logits[i][c] > logits[i][best])
                best = c;
        marks.loss += cross_entropy(WORDS, logits[i], answer(words, i)) / WORDS;
        marks.right += best == answer(words, i);
    }
    return marks;
}

/* --- A stack and its memory ------------------------------------------------------------------ */

struct site {
    struct trainee trainee;
    struct tower w, d_w;
    int size; /* of the values, in bytes */
    double *values, *d_values;
    struct tower_values v, d_v;
};

static struct site open_site(enum arrangement arrangement, int depth) {
    struct site s;
    struct room weights = {0}, values = {0}, gradient = {0}, d_values = {0};
    s.w = take_tower(&weights, arrangement, depth);
    take_tower_values(&values, &s.w);
    s.trainee = trainee_new(weights.used);
    s.size = values.used * (int)sizeof(double);
    weights = (struct room){s.trainee.weights, 0};
    gradient = (struct room){s.trainee.gradient, 0};
    values = (struct room){s.values = zeroes((size_t)s.size), 0};
    d_values = (struct room){s.d_values = zeroes((size_t)s.size), 0};
    s.w = take_tower(&weights, arrangement, depth);
    s.d_w = take_tower(&gradient, arrangement, depth);
    s.v = take_tower_values(&values, &s.w);
    s.d_v = take_tower_values(&d_values, &s.w);
    return s;
}

static void close_site(struct site *s) {
    trainee_free(&s->trainee);
    free(s->values);
    free(s->d_values);
}

/* --- Training -------------------------------------------------------------------------------- */

enum { STEPS = 400, QUICK_STEPS = 250, MOMENTS = 40 };
enum step { ADAM, SGD };

/* The number of sentences for each training step. */
static int batch(void) {
    return is_short_run() ? 4 : 8;
}

/* One training and its result. */
struct course {
    const char *name; /* of the arrangement, or of the optimizer and its rate */
    enum arrangement arrangement;
    int depth;
    enum step by;
    double rate;
    int taken; /* steps */
    bool whole;
    double losses[MOMENTS]; /* the mean of each part of the training, NAN if it was not reached */
    struct marks marks;     /* on new sentences */
    struct site site;       /* with the trained parameters */
};

/* Computes the mean gradient of some new sentences. Returns the mean loss. */
static double gather(struct site *s, struct random *r) {
    const int sentences = batch();
    double loss = 0.0;
    memset(s->trainee.gradient, 0, (size_t)s->trainee.count * sizeof(double));
    for (int b = 0; b < sentences; b++) {
        int words[WORDS];
        draw_words(r, words);
        tower_read(&s->w, words, &s->v);
        memset(s->d_values, 0, (size_t)s->size);
        const double(*logits)[WORDS] = s->v.logits;
        double(*d_logits)[WORDS] = s->d_v.logits;
        for (int i = 0; i < WORDS; i++)
            cross_entropy_backward(WORDS, logits[i], answer(words, i), d_logits[i]);
        tower_read_backward(&s->w, words, &s->v, &s->d_v, &s->d_w);
        loss += mark(words, logits).loss / sentences;
    }
    for (int i = 0; i < s->trainee.count; i++)
        s->trainee.gradient[i] /= WORDS * sentences;
    return loss;
}

static void take_step(const struct course *c, struct trainee *t, int steps) {
    double rate = rate_at(c->taken, steps, 0.05 * steps, c->rate);
    if (c->by == SGD)
        sgd_step(t->count, rate, t->gradient, t->weights);
    else
        adam_step(t->count, c->taken + 1, rate, t->gradient, t->mean, t->square, t->weights);
}

static void tell_progress(const struct course *c, double loss, int layers, int all) {
    char text[41];
    snprintf(text, sizeof text, "%d layers, %s: %s", c->depth, c->name,
             isfinite(loss) ? "" : "not a number");
    if (isfinite(loss))
        snprintf(text + strlen(text), sizeof text - strlen(text), "%.3f", loss);
    progress_more(layers, all, text);
}

/* All stacks of one depth start from the same parameters and read the same sentences. The training
   stops when the loss is not a number. `all` is the work of all courses, in layers. */
static void train(struct course *c, int steps, int all) {
    struct random r = random_seed(seed_wanted() + 1);
    tower_start(&c->site.w, 1.0, &r);
    for (int m = 0; m < MOMENTS; m++) {
        int until = (int)((long)steps * (m + 1) / MOMENTS), from = c->taken;
        double sum = 0.0;
        for (; c->taken < until && isfinite(sum) && !is_stopped(); c->taken++) {
            sum += gather(&c->site, &r);
            take_step(c, &c->site.trainee, steps);
        }
        c->losses[m] = isfinite(sum) && c->taken > from ? sum / (c->taken - from) : (double)NAN;
        if (!is_stopped())
            tell_progress(c, c->losses[m], (until - from) * c->depth, all);
        if (!isfinite(sum))
            c->taken = until;
    }
    c->whole = c->taken == steps;
}

/* The number of test sentences, which is smaller for a short training. */
static int examined(void) {
    return is_short_run() ? 40 : 100;
}

static void examine(struct course *c) {
    const int sentences = examined();
    struct random r = random_seed(10);
    c->marks = (struct marks){0.0, 0.0};
    for (int e = 0; e < sentences; e++) {
        int words[WORDS];
        draw_words(&r, words);
        tower_read(&c->site.w, words, &c->site.v);
        struct marks marks = mark(words, c->site.v.logits);
        c->marks.loss += marks.loss / sentences;
        c->marks.right += marks.right / (sentences * WORDS);
    }
}

/* --- All of them ----------------------------------------------------------------------------- */

/* The depths, beginning with the largest, which takes longest. Then its last arrangement again,
   with other rates. */
enum { DEPTHS = 3, OTHERS = 5, COURSES = DEPTHS * ARRANGEMENTS + OTHERS };
static const struct {
    const char *name;
    enum step by;
    double rate;
} others[OTHERS] = {
    {"Adam at rate .002", ADAM, 0.002}, {"Adam at rate .05", ADAM, 0.05},
    {"SGD at rate .05", SGD, 0.05},     {"SGD at rate .3", SGD, 0.3},
    {"SGD at rate 1", SGD, 1.0},
};
static const double usual_rate = 0.005;

struct plan {
    int depths, depth[DEPTHS], steps, count;
    struct course courses[COURSES];
};

static const struct course *course_of(const struct plan *p, int depth, enum arrangement a) {
    return &p->courses[depth * ARRANGEMENTS + (int)a];
}

/* The deepest stack with pre-norm. */
static const struct course *tallest(const struct plan *p) {
    return course_of(p, 0, NORM_BEFORE);
}

/* ONLY=12 trains stacks of this depth only, with the usual rate. */
static void choose_depths(struct plan *p) {
    const char *only = getenv("ONLY");
    *p = (struct plan){.depths = DEPTHS, .depth = {8, 4, 2}, .count = COURSES};
    if (!only || !*only)
        return;
    char *end;
    long depth = strtol(only, &end, 10);
    if (*end || depth < 1 || depth > DEEPEST) {
        fprintf(stderr, "ONLY=%s is not a depth. Give a number from 1 to %d.\n", only, DEEPEST);
        exit(2);
    }
    *p = (struct plan){.depths = 1, .depth = {(int)depth}, .count = ARRANGEMENTS};
}

static struct course course_new(const char *name, enum arrangement arrangement, int depth,
                                enum step by, double rate) {
    return (struct course){.name = name,
                           .arrangement = arrangement,
                           .depth = depth,
                           .by = by,
                           .rate = rate,
                           .site = open_site(arrangement, depth)};
}

static void make_plan(struct plan *p) {
    choose_depths(p);
    p->steps = steps_wanted(STEPS, QUICK_STEPS);
    for (int d = 0; d < p->depths; d++)
        for (enum arrangement a = 0; a < ARRANGEMENTS; a++)
            p->courses[d * ARRANGEMENTS + (int)a] =
                course_new(arrangement_names[a], a, p->depth[d], ADAM, usual_rate);
    for (int i = 0; i < OTHERS && p->count == COURSES; i++)
        p->courses[COURSES - OTHERS + i] =
            course_new(others[i].name, NORM_BEFORE, p->depth[0], others[i].by, others[i].rate);
}

/* Uses two threads if possible, because no course depends on another. */
static void train_all(struct plan *p) {
    int all = 0;
    for (int i = 0; i < p->count; i++)
        all += p->steps * p->courses[i].depth;
    printf("%d stacks to train, %d steps each%s. Ctrl-C keeps the results so far.\n", p->count,
           p->steps, p->steps < STEPS ? " (a short run)" : "");
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int i = 0; i < p->count; i++) {
        train(&p->courses[i], p->steps, all);
        if (p->courses[i].taken > 0)
            examine(&p->courses[i]);
    }
}

/* --- At initialization ----------------------------------------------------------------------- */

/* The mean cosine similarity of two words of a sentence. */
static double alike(const double X[WORDS][D_MODEL]) {
    double sum = 0.0;
    for (int i = 0; i < WORDS; i++)
        for (int j = 0; j < i; j++)
            sum += cosine_similarity(D_MODEL, X[i], X[j]);
    return sum / (WORDS * (WORDS - 1) / 2);
}

/* The length of the gradient at the input, if a random gradient at the output has the length 1. */
static double reaching_the_bottom(struct site *s, int top, struct random *r) {
    memset(s->d_values, 0, (size_t)s->size);
    double *d_top = random_fill_normal(r, WORDS * D_MODEL, s->d_v.X[top]);
    double length = sqrt(dot(WORDS * D_MODEL, d_top, d_top));
    tower_descend(&s->w, top, &s->v, &s->d_v, &s->d_w);
    return sqrt(dot(WORDS * D_MODEL, s->d_v.X[0], s->d_v.X[0])) / length;
}

/* For some random stacks: the mean cosine similarity after each layer, and the mean logarithm of
   the gradient that arrives at the input from there. */
static void look_at_new(enum arrangement arrangement, double size, double cosines[DEEPEST + 1],
                        double logs[DEEPEST + 1]) {
    const int towers = is_short_run() ? 3 : 20;
    struct random r = random_seed(seed_wanted() + 2);
    struct site s = open_site(arrangement, DEEPEST);
    for (int t = 0; t < towers; t++) {
        int words[WORDS];
        tower_start(&s.w, size, &r);
        draw_words(&r, words);
        tower_read(&s.w, words, &s.v);
        for (int l = 0; l <= DEEPEST; l++) {
            cosines[l] += alike(s.v.X[l]) / towers;
            logs[l] += log(reaching_the_bottom(&s, l, &r)) / towers;
        }
    }
    close_site(&s);
}

/* Writes the tables for half-size and for full-size matrices. */
static void write_new(const char *folder) {
    static const char *const files[] = {"gradients-half.dat", "gradients.dat"};
    static double cosines[2][ARRANGEMENTS][DEEPEST + 1], logs[2][ARRANGEMENTS][DEEPEST + 1];
    const char *names = "depth bare norm residual after before";
    for (int size = 0; size < 2; size++) {
        FILE *table = columns_open(folder, files[size], names);
        for (enum arrangement a = 0; a < ARRANGEMENTS; a++)
            look_at_new(a, size ? 1.0 : 0.5, cosines[size][a], logs[size][a]);
        for (int l = 1; l <= DEEPEST; l++) {
            double row[1 + ARRANGEMENTS] = {l};
            for (enum arrangement a = 0; a < ARRANGEMENTS; a++)
                row[1 + a] = exp(logs[size][a][l]);
            columns_row(table, NULL, 1 + ARRANGEMENTS, row);
        }
        columns_close(table);
    }
    FILE *table = columns_open(folder, "alike.dat", names);
    for (int l = 0; l <= DEEPEST; l++) {
        double row[1 + ARRANGEMENTS] = {l};
        for (enum arrangement a = 0; a < ARRANGEMENTS; a++)
            row[1 + a] = cosines[1][a][l];
        columns_row(table, NULL, 1 + ARRANGEMENTS, row);
    }
    columns_close(table);
}

/* --- The tables of the training -------------------------------------------------------------- */

static void write_depths(const char *folder, const struct plan *p) {
    FILE *table = columns_open(folder, "depth.dat", "depth bare norm residual after before");
    for (int d = p->depths - 1; d >= 0; d--) {
        double row[1 + ARRANGEMENTS] = {p->depth[d]};
        for (enum arrangement a = 0; a < ARRANGEMENTS; a++) {
            const struct course *c = course_of(p, d, a);
            row[1 + a] = c->taken > 0 ? c->marks.right : (double)NAN;
        }
        columns_row(table, NULL, 1 + ARRANGEMENTS, row);
    }
    columns_close(table);
}

/* The loss of the deepest stack during training, with Adam and with SGD at three rates each. */
static void write_steps(const char *folder, const struct plan *p) {
    FILE *table = columns_open(folder, "steps.dat",
                               "step adam adam_small adam_large sgd_small sgd sgd_large");
    for (int m = 0; m < MOMENTS; m++) {
        double row[2 + OTHERS] = {p->steps * (m + 1.0) / MOMENTS, tallest(p)->losses[m]};
        for (int i = 0; i < OTHERS; i++)
            row[2 + i] =
                p->count == COURSES ? p->courses[COURSES - OTHERS + i].losses[m] : (double)NAN;
        columns_row(table, NULL, 2 + OTHERS, row);
    }
    columns_close(table);
}

/* For each layer of the deepest stack: the attention weights of all positions, averaged over its
   heads and some sentences. The table has one block for each layer. */
static void write_weights(const char *folder, const struct plan *p) {
    struct site site = tallest(p)->site, *s = &site;
    static double mean[DEEPEST][WORDS][WORDS];
    struct random r = random_seed(11);
    const int sentences = examined();
    for (int e = 0; e < sentences; e++) {
        int words[WORDS];
        draw_words(&r, words);
        tower_read(&s->w, words, &s->v);
        for (int l = 0; l < s->w.depth; l++) {
            const double(*weights)[WORDS][WORDS] = s->v.layers[l].heads.weights;
            for (int k = 0; k < HEADS * WORDS * WORDS; k++)
                mean[l][k / WORDS % WORDS][k % WORDS] +=
                    weights[k / WORDS / WORDS][k / WORDS % WORDS][k % WORDS] / (sentences * HEADS);
        }
    }
    FILE *table = columns_open(folder, "weights.dat", NULL);
    for (int l = 0; l < s->w.depth; l++) {
        if (l > 0)
            fputs("\n\n", table);
        for (int i = 0; i < WORDS; i++)
            columns_row(table, NULL, WORDS, mean[l][i]);
    }
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_share(FILE *to, const struct course *c) {
    if (c->taken > 0)
        fprintf(to, "%8.3f", c->marks.right);
    else
        fprintf(to, "%8s", "-");
}

static void tell_loss(FILE *to, const struct course *c) {
    if (c->taken == 0 || !isfinite(c->marks.loss))
        fprintf(to, "%14s\n", c->taken > 0 ? "not a number" : "-");
    else
        fprintf(to, c->marks.loss < 1e6 ? "%14.4f\n" : "%14.1e\n", c->marks.loss);
}

static void tell_depths(FILE *to, const struct plan *p) {
    fprintf(to, "Share of right words in new sentences (%.3f for a guess):\n%-23s", 1.0 / WORDS,
            "  layers");
    for (int d = p->depths - 1; d >= 0; d--)
        fprintf(to, "%8d", p->depth[d]);
    fprintf(to, "%*s%d\n", p->depth[0] < 10 ? 13 : 12, "loss of ", p->depth[0]);
    for (enum arrangement a = 0; a < ARRANGEMENTS; a++) {
        fprintf(to, "  %-21s", arrangement_names[a]);
        for (int d = p->depths - 1; d >= 0; d--)
            tell_share(to, course_of(p, d, a));
        tell_loss(to, course_of(p, 0, a));
    }
    fprintf(to, "A model that has learned nothing has the loss log %d = %.4f.\n", WORDS,
            log(WORDS));
}

/* In the same columns as the deepest stacks of the table. */
static void tell_other(FILE *to, const struct course *c) {
    fprintf(to, "  %-37s", c->name);
    tell_share(to, c);
    tell_loss(to, c);
}

static void tell(FILE *to, const void *of) {
    const struct plan *p = of;
    tell_depths(to, p);
    if (p->count == COURSES) {
        fprintf(to, "The pre-norm stack of %d layers with other training steps:\n", p->depth[0]);
        for (int i = COURSES - OTHERS; i < COURSES; i++)
            tell_other(to, &p->courses[i]);
    }
}

/* Was no stack trained to the end? */
static bool has_nothing_whole(const struct plan *p) {
    for (int i = 0; i < p->count; i++)
        if (p->courses[i].whole)
            return false;
    return true;
}

int main(int argc, char **argv) {
    static struct plan p;
    double began = seconds();
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] [ONLY=8] %s FOLDER\n", argv[0]);
        return 2;
    }
    struct random r = random_seed(seed_wanted());
    tower_draw_places(&r);
    make_plan(&p);
    stop_at_ctrl_c();
    write_new(argv[1]);
    train_all(&p);
    tell_if_stopped();
    write_depths(argv[1], &p);
    write_steps(argv[1], &p);
    write_weights(argv[1], &p);
    tell_result(argv[1],
                p.depths < DEPTHS ? "one depth"
                : p.steps < STEPS ? "QUICK or STEPS"
                                  : NULL,
                tell, &p);
    printf("%.0f seconds in all.\n", seconds() - began);
    for (int i = 0; i < p.count; i++)
        close_site(&p.courses[i].site);
    return has_nothing_whole(&p) ? NOTHING_WHOLE : 0;
}
