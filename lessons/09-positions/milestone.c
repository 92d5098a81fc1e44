/* The milestone of lesson 09: four methods that tell attention where each word stands, and a
   network without positions. There are two tasks:

       mirror    12 words in random order: output at each position the word at the mirrored position
       before    20 random words out of 16: output at each position the word before it, under a
                 causal mask

   We train a network for each method and each task, and one more with fewer heads. Then we test
   them, also with inputs of other lengths. All arithmetic is done by the functions of lessons 01 to
   09, by yours where you have passed them. The network is in milestone/. `make run-09` trains and
   tests, and `make plot-09` draws the results. */
#include "milestone/network.h"

#include "dot_product.h"
#include "seq2seq.h"

#include "columns.h"
#include "progress.h"
#include "random.h"
#include "shade.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- The tasks ------------------------------------------------------------------------------- */

enum task { MIRROR, BEFORE, TASKS };
static const struct {
    const char *name;
    int vocabulary, n; /* number of words in the vocabulary, and in an input of the training */
} tasks[TASKS] = {{"mirror", 12, 12}, {"before", 16, 20}};
enum { MOST_WORDS = 20 };

struct sentence {
    int n, words[LONGEST], targets[LONGEST];
};

/* Draws every word once, in random order. */
static void draw_order(struct random *r, struct sentence *s) {
    for (int i = 0; i < s->n; i++) {
        int j = random_below(r, i + 1);
        s->words[i] = s->words[j];
        s->words[j] = i;
    }
    for (int i = 0; i < s->n; i++)
        s->targets[i] = s->words[s->n - 1 - i];
}

/* Draws random words. There is no word before the first. */
static void draw_words(struct random *r, struct sentence *s) {
    for (int i = 0; i < s->n; i++) {
        s->words[i] = random_below(r, tasks[BEFORE].vocabulary);
        s->targets[i] = i > 0 ? s->words[i - 1] : PADDING;
    }
}

static void draw_sentence(struct random *r, enum task task, int n, struct sentence *s) {
    s->n = n;
    (task == MIRROR ? draw_order : draw_words)(r, s);
}

/* --- The trainings --------------------------------------------------------------------------- */

enum { HEADS = 8, FEWER_HEADS = 4 };
static const double learning_rate = 0.01;

/* The number of inputs in the mini-batch of a step. */
static int batch(void) {
    return is_short_run() ? 4 : 8;
}

/* The longest trainings come first and are started first, so that two threads end at about the same
   time. */
static const struct course {
    enum task task;
    enum way way;
    int n_heads;
} courses[] = {
    {BEFORE, ROPE, HEADS},    {BEFORE, ROPE, FEWER_HEADS}, {BEFORE, SINUSOIDAL, HEADS},
    {BEFORE, LEARNED, HEADS}, {BEFORE, ALIBI, HEADS},      {BEFORE, NOTHING, HEADS},
    {MIRROR, ROPE, HEADS},    {MIRROR, ALIBI, HEADS},      {MIRROR, SINUSOIDAL, HEADS},
    {MIRROR, LEARNED, HEADS}, {MIRROR, NOTHING, HEADS},
};
enum { COURSES = sizeof courses / sizeof courses[0] };

/* In the task "before", the answer of the last position is tested in inputs of these lengths. */
static const int lengths[] = {5,  10, 15, 18, 19, 20, 21, 22, 23,
                              24, 25, 30, 35, 40, 45, 50, 55, 60};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* The results of a training. */
struct outcome {
    int steps;                              /* that were made */
    double right, loss;                     /* of all positions in the task mirror */
    double last_right[LENGTHS];             /* of the last position */
    double gradient[LONGEST];               /* mean length, of each learned position */
    double weights[MOST_WORDS][MOST_WORDS]; /* of the best head, in one input */
};

static const struct outcome *outcome_of(const struct outcome outcomes[COURSES], enum task task,
                                        enum way way, int n_heads) {
    const struct course *c = courses;
    while (c->task != task || c->way != way || c->n_heads != n_heads)
        c++;
    return &outcomes[c - courses];
}

/* --- The test -------------------------------------------------------------------------------- */

/* Tests inputs of n words, which are drawn with a seed of their own. Only the answers of the last
   n_q positions count. */
static void test(const struct network *net, enum task task, int n, int n_q, struct thought *t,
                 double *right, double *loss) {
    const int sentences = is_short_run() ? 100 : 400;
    struct random r = random_seed((uint64_t)(task == MIRROR ? n : 100 + n));
    *right = *loss = 0.0;
    for (int k = 0; k < sentences; k++) {
        struct sentence s;
        draw_sentence(&r, task, n, &s);
        const int *targets = s.targets + n - n_q;
        double(*logits)[net->vocabulary] = network_think(net, n_q, n, s.words, task == BEFORE, t);
        for (int i = 0; i < n_q; i++)
            *right += largest(net->vocabulary, logits[i]) == targets[i];
        *loss += sequence_loss(n_q, net->vocabulary, logits, targets) / sentences;
    }
    *right /= sentences * n_q;
}

static double mean_weight_on_target(enum task task, int n, const double weights[n][n]) {
    double sum = 0.0;
    for (int i = 1; i < n; i++)
        sum += weights[i][task == MIRROR ? n - 1 - i : i - 1] / (n - 1);
    return sum;
}

/* Keeps the attention weights in one input, of the head that gives the right words most weight. */
static void keep_weights(const struct network *net, enum task task, struct thought *t,
                         struct outcome *o) {
    struct random r = random_seed(9);
    struct sentence s;
    int n = tasks[task].n, best = 0;
    double on_target[HEADS];
    draw_sentence(&r, task, n, &s);
    network_think(net, n, n, s.words, task == BEFORE, t);
    const double(*weights)[n][n] = weights_of(t);
    for (int h = 0; h < net->w.heads.n_heads; h++)
        on_target[h] = mean_weight_on_target(task, n, weights[h]);
    best = largest(net->w.heads.n_heads, on_target);
    for (int i = 0; i < n; i++)
        memcpy(o->weights[i], weights[best][i], sizeof weights[best][i]);
}

static void test_all(const struct network *net, enum task task, struct thought *t,
                     struct outcome *o) {
    double loss;
    int n = tasks[task].n;
    if (task == MIRROR)
        test(net, task, n, n, t, &o->right, &o->loss);
    else
        for (int i = 0; i < LENGTHS; i++)
            test(net, task, lengths[i], 1, t, &o->last_right[i], &loss);
}

/* --- The training ---------------------------------------------------------------------------- */

static void note_gradient(const struct network *net, struct outcome *o) {
    const double(*d_positions)[D_MODEL] = net->d_w.positions;
    for (int i = 0; i < LONGEST; i++)
        o->gradient[i] += sqrt(dot(D_MODEL, d_positions[i], d_positions[i]));
}

/* Makes one step of Adam with a mini-batch of new inputs. */
static void train_step(struct network *net, enum task task, struct random *r, double rate, int step,
                       struct thought *t, struct outcome *o) {
    struct trainee *row = &net->row;
    const int sentences = batch();
    struct sentence s;
    memset(row->gradient, 0, (size_t)row->count * sizeof(double));
    for (int b = 0; b < sentences; b++) {
        draw_sentence(r, task, tasks[task].n, &s);
        network_learn(net, s.n, s.words, task == BEFORE, s.targets, t);
    }
    gather_gradient(row->count, sentences, row->gradient);
    note_gradient(net, o);
    adam(row->count, step, rate, row->gradient, row->mean, row->square, row->weights);
}

/* The words in all steps of all trainings, for the progress bar. */
static int all_words(int steps) {
    int words = 0;
    for (int c = 0; c < COURSES; c++)
        words += steps * tasks[courses[c].task].n;
    return words;
}

/* Trains to the end, or until Ctrl-C. With the same seed, all trainings of a task get the same
   inputs. */
static void take_course(const struct course *c, int steps, struct outcome *o) {
    const int n = tasks[c->task].n;
    struct random r = random_seed(seed_wanted());
    struct network net = network_new(c->way, c->n_heads, tasks[c->task].vocabulary, &r);
    struct thought *t = thought_new(&net);
    char name[40];
    snprintf(name, sizeof name, "%s: %s", tasks[c->task].name, way_names[c->way]);
    while (o->steps < steps && !is_stopped()) {
        double rate = rate_at(o->steps, steps, 0.0, learning_rate);
        train_step(&net, c->task, &r, rate, ++o->steps, t, o);
        progress_more(n, all_words(steps), name);
    }
    for (int i = 0; i < LONGEST && o->steps > 0; i++)
        o->gradient[i] /= o->steps;
    if (o->steps > 0)
        test_all(&net, c->task, t, o);
    keep_weights(&net, c->task, t, o);
    thought_free(t);
    network_free(&net);
}

static void train_all(int steps, struct outcome outcomes[COURSES]) {
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int c = 0; c < COURSES; c++)
        take_course(&courses[c], steps, &outcomes[c]);
}

/* --- Tables for the plots -------------------------------------------------------------------- */

/* NAN if the training was not started. */
static double last_right(const struct outcome *o, int i) {
    return o->steps > 0 ? o->last_right[i] : NAN;
}

static void write_cliff(const char *folder, const struct outcome outcomes[COURSES]) {
    FILE *table =
        columns_open(folder, "cliff.dat", "words nothing learned sinusoidal RoPE ALiBi RoPE_4");
    for (int i = 0; i < LENGTHS; i++) {
        double row[1 + WAYS + 1] = {lengths[i]};
        for (enum way way = NOTHING; way < WAYS; way++)
            row[1 + way] = last_right(outcome_of(outcomes, BEFORE, way, HEADS), i);
        row[1 + WAYS] = last_right(outcome_of(outcomes, BEFORE, ROPE, FEWER_HEADS), i);
        columns_row(table, NULL, 1 + WAYS + 1, row);
    }
    columns_close(table);
}

static void write_weights(const char *folder, const struct outcome outcomes[COURSES]) {
    for (int c = 0; c < COURSES; c++) {
        char file[100];
        int n = tasks[courses[c].task].n;
        snprintf(file, sizeof file, "weights-%s-%s-%d.dat", tasks[courses[c].task].name,
                 way_names[courses[c].way], courses[c].n_heads);
        FILE *table = columns_open(folder, file, NULL);
        for (int i = 0; i < n; i++)
            columns_row(table, NULL, n, outcomes[c].weights[i]);
        columns_close(table);
    }
}

static void write_gradients(const char *folder, const struct outcome outcomes[COURSES]) {
    FILE *table = columns_open(folder, "gradients.dat", "position mirror before");
    const struct outcome *mirror = outcome_of(outcomes, MIRROR, LEARNED, HEADS);
    const struct outcome *before = outcome_of(outcomes, BEFORE, LEARNED, HEADS);
    for (int i = 0; i < LONGEST; i++) {
        double row[] = {i, mirror->gradient[i], before->gradient[i]};
        columns_row(table, NULL, 3, row);
    }
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

/* Prints a number, or - if there is none. */
static void print_number(FILE *to, double number) {
    if (isnan(number))
        fprintf(to, "%6s", "-");
    else
        fprintf(to, "%6.3f", number);
}

static bool is_printed(int length) {
    return length == 20 || length == 21 || length == 22 || length == 30 || length == 60;
}

/* Prints the shares at some lengths. At the terminal, all lengths are shown as shades, too. */
static void print_lengths(FILE *to, const struct outcome *o) {
    int trained = 0;
    fprintf(to, "  ");
    for (int i = 0; i < LENGTHS; i++) {
        trained += lengths[i] <= tasks[BEFORE].n;
        if (is_printed(lengths[i]))
            print_number(to, last_right(o, i));
    }
    if (to == stdout && o->steps > 0) {
        printf("   ");
        shade_cells(trained, 1, o->last_right);
        putchar('|');
        shade_cells(LENGTHS - trained, 1, o->last_right + trained);
    }
    fputc('\n', to);
}

static void print_method(FILE *to, enum way way, const struct outcome outcomes[COURSES]) {
    const struct outcome *mirror = outcome_of(outcomes, MIRROR, way, HEADS);
    fprintf(to, "%-12s", way_names[way]);
    print_number(to, mirror->steps > 0 ? mirror->right : NAN);
    print_number(to, mirror->steps > 0 ? mirror->loss : NAN);
    print_lengths(to, outcome_of(outcomes, BEFORE, way, HEADS));
}

static void print_heading(FILE *to) {
    fprintf(to,
            "Share of right answers. In training, mirror has %d words and before has %d.\n\n"
            "%18s      before, last position, %s\n%-12s%6s%6s  ",
            tasks[MIRROR].n, tasks[BEFORE].n, "mirror",
            to == stdout ? "with        to 20|to 60" : "with", "network", "right", "loss");
    for (int i = 0; i < LENGTHS; i++)
        if (is_printed(lengths[i]))
            fprintf(to, "%6d", lengths[i]);
    fprintf(to, " words\n");
}

/* In the task mirror, the answer is never the word itself, so a guess is among the others. */
static void print_guess(FILE *to) {
    int others = tasks[MIRROR].vocabulary - 1;
    fprintf(to, "%-12s%6.3f%6.3f  ", "a guess", 1.0 / others, log(others));
    for (int i = 0; i < LENGTHS; i++)
        if (is_printed(lengths[i]))
            print_number(to, 1.0 / tasks[BEFORE].vocabulary);
    fputc('\n', to);
}

/* Prints the methods whose shares in the given tests are at least 0.8. */
static void print_good(FILE *to, const char *what, bool mirror, bool longest,
                       const struct outcome outcomes[COURSES]) {
    const char *between = "";
    fprintf(to, "%-15s", what);
    for (enum way way = NOTHING; way < WAYS; way++) {
        const struct outcome *o = outcome_of(outcomes, BEFORE, way, HEADS);
        if ((!mirror || outcome_of(outcomes, MIRROR, way, HEADS)->right >= 0.8) &&
            (!longest || o->last_right[LENGTHS - 1] >= 0.8)) {
            fprintf(to, "%s%s", between, way_names[way]);
            between = ", ";
        }
    }
    fprintf(to, *between ? "\n" : "none\n");
}

static void tell(FILE *to, const void *of) {
    const struct outcome *outcomes = of;
    print_heading(to);
    for (enum way way = NOTHING; way < WAYS; way++)
        print_method(to, way, outcomes);
    print_guess(to);
    fprintf(to, "%-24s", "RoPE, only 4 heads");
    print_lengths(to, outcome_of(outcomes, BEFORE, ROPE, FEWER_HEADS));
    fprintf(to, "\nnetworks with a share of at least 0.8\n");
    print_good(to, "  in mirror", true, false, outcomes);
    print_good(to, "  at 60 words", false, true, outcomes);
    print_good(to, "  in both", true, true, outcomes);
}

/* Writes the tables for the plots. */
static void keep(const char *folder, const struct outcome outcomes[COURSES]) {
    write_cliff(folder, outcomes);
    write_weights(folder, outcomes);
    write_gradients(folder, outcomes);
}

static bool is_any_whole(int steps, const struct outcome outcomes[COURSES]) {
    for (int c = 0; c < COURSES; c++)
        if (outcomes[c].steps == steps)
            return true;
    return false;
}

int main(int argc, char **argv) {
    static struct outcome outcomes[COURSES];
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s FOLDER\n", argv[0]);
        return 2;
    }
    double began = seconds();
    int steps = steps_wanted(800, 300);
    seed_wanted(); /* refuses a bad seed at once */
    stop_at_ctrl_c();
    printf("%d trainings of %d steps. Ctrl-C stops them and tests the networks so far.\n", COURSES,
           steps);
    train_all(steps, outcomes);
    tell_if_stopped();
    keep(argv[1], outcomes);
    tell_result(argv[1], is_short_run() ? "QUICK or STEPS" : NULL, tell, outcomes);
    printf("%.0f seconds in all.\n", seconds() - began);
    return is_any_whole(steps, outcomes) ? 0 : NOTHING_WHOLE;
}
