/* The milestone of lesson 08: who sees, and who is seen?

       the cat sees the dog by the fox with the hen for the bee

   A story has five tokens in any order, each of which is a noun with its role. A network attends to
   them with one query, and its one output vector has to say who sees whom. We train four networks:
   with one head, with two heads of half the size, with two heads that share their keys and values,
   and with one head whose keys depend on the nouns as well. All arithmetic is done by the functions
   of lessons 01 to 08 (except 04, 05 and 07), by yours where you have passed them. `make run-08`
   trains the four, and `make plot-08` draws the results. */
#include "multi_head.h"

#include "columns.h"
#include "dot_product.h"
#include "progress.h"
#include "random.h"
#include "self_attention.h"
#include "shade.h"
#include "trainer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The language ---------------------------------------------------------------------------- */

static const char *const nouns[] = {
    "cat",  "dog",  "fox",   "hen",   "bee",  "horse", "mouse", "cow",
    "pig",  "duck", "goose", "sheep", "goat", "wolf",  "bear",  "deer",
    "hare", "frog", "toad",  "mole",  "owl",  "crow",  "eel",   "ant",
};
enum { NOUNS = sizeof nouns / sizeof nouns[0] };

/* The roles of a noun in a story. The network has to answer the first two. */
enum { WHO, WHOM, QUESTIONS, BY = QUESTIONS, WITH, FOR, ROLES };

/* Token i of a story is a noun and its role. */
struct story {
    int noun[ROLES], role[ROLES];
    int answer[QUESTIONS];
};

/* Draws five different numbers below n, in random order. */
static void draw_five(struct random *r, int n, int five[ROLES]) {
    int all[NOUNS];
    for (int i = 0; i < n; i++)
        all[i] = i;
    for (int i = 0; i < ROLES; i++) {
        int other = i + random_below(r, n - i);
        five[i] = all[other];
        all[other] = all[i];
    }
}

static void find_answers(struct story *s) {
    for (int i = 0; i < ROLES; i++)
        if (s->role[i] < QUESTIONS)
            s->answer[s->role[i]] = s->noun[i];
}

static struct story draw_story(struct random *r) {
    struct story s;
    draw_five(r, NOUNS, s.noun);
    draw_five(r, ROLES, s.role);
    find_answers(&s);
    return s;
}

/* The story at the top of this file, or the same with the cat and the dog exchanged. */
static struct story our_story(bool swapped) {
    struct story s = {.noun = {0, 1, 2, 3, 4}, .role = {0, 1, 2, 3, 4}};
    s.noun[WHO] = swapped ? 1 : 0;
    s.noun[WHOM] = swapped ? 0 : 1;
    find_answers(&s);
    return s;
}

/* --- The network ----------------------------------------------------------------------------- */

/* The vector of a token is the embedding of its noun, then the embedding of its role. */
enum { HALF = 24, D_MODEL = 2 * HALF, MOST_HEADS = 2 };

/* The embeddings, which are random and not trained. The question has a role of its own and no noun,
   so the first half of its vector is 0. */
struct dictionary {
    double noun[NOUNS][HALF], role[ROLES][HALF], question[HALF];
};

static struct dictionary draw_dictionary(struct random *r) {
    struct dictionary words;
    const int count = sizeof words / sizeof(double);
    double *number = random_fill_normal(r, count, &words);
    for (int i = 0; i < count; i++)
        number[i] *= 0.25;
    return words;
}

/* The parameters, or their gradients. */
struct network {
    struct multi_head heads;
    void *answer[QUESTIONS]; /* [D_MODEL][NOUNS]: gives a logit for each noun */
};

/* The values of the forward pass, or their gradients. */
struct values {
    struct multi_head_values heads;
    void *question;          /* [1][D_MODEL] */
    void *story;             /* [ROLES][D_MODEL] */
    void *out;               /* [1][D_MODEL]: the output of the attention */
    void *logits[QUESTIONS]; /* [1][NOUNS] */
};

/* How one of the four networks is built. */
struct kind {
    const char *name, *file;
    int n_heads, n_kv_heads;
    bool nouns_in_keys;
};
enum { ONE_HEAD, TWO_HEADS, SHARED, TRICK, KINDS };
static const struct kind kinds[KINDS] = {
    {"one head of 48", "one.dat", 1, 1, false},
    {"two heads of 24", "two.dat", 2, 2, false},
    {"two, keys shared", "shared.dat", 2, 1, false},
    {"one, nouns in keys", "trick.dat", 1, 1, true},
};

static struct network take_network(struct room *room, const struct kind *c) {
    struct network net;
    net.heads = take_multi_head(room, D_MODEL, c->n_heads, c->n_kv_heads, D_MODEL / c->n_heads);
    for (int q = 0; q < QUESTIONS; q++)
        net.answer[q] = take(room, D_MODEL * NOUNS);
    return net;
}

static struct values take_values(struct room *room, const struct multi_head *w) {
    struct values v;
    v.heads = take_multi_head_values(room, w, 1, ROLES);
    v.question = take(room, D_MODEL);
    v.story = take(room, ROLES * D_MODEL);
    v.out = take(room, D_MODEL);
    for (int q = 0; q < QUESTIONS; q++)
        v.logits[q] = take(room, NOUNS);
    return v;
}

static void read_story(const struct dictionary *words, const struct story *s,
                       const struct values *v) {
    double(*story)[2][HALF] = v->story, (*question)[HALF] = v->question;
    for (int i = 0; i < ROLES; i++) {
        memcpy(story[i][0], words->noun[s->noun[i]], sizeof story[i][0]);
        memcpy(story[i][1], words->role[s->role[i]], sizeof story[i][1]);
    }
    memset(question[0], 0, sizeof question[0]);
    memcpy(question[1], words->question, sizeof question[1]);
}

/* Both answers are computed from the same vector, each with a matrix of its own. */
static void answer(const struct network *net, const struct dictionary *words, const struct story *s,
                   struct values *v) {
    read_story(words, s, v);
    multi_head_attention(1, ROLES, &net->heads, v->question, v->story, NULL, &v->heads, v->out);
    for (int q = 0; q < QUESTIONS; q++)
        project(1, D_MODEL, NOUNS, v->out, net->answer[q], v->logits[q]);
}

/* Adds the gradient of one story's loss to d_net. */
static void answer_backward(const struct network *net, const struct story *s,
                            const struct values *v, struct values *d_v, struct network *d_net) {
    for (int q = 0; q < QUESTIONS; q++) {
        cross_entropy_backward(NOUNS, v->logits[q], s->answer[q], d_v->logits[q]);
        project_backward(1, D_MODEL, NOUNS, v->out, net->answer[q], d_v->logits[q], d_v->out,
                         d_net->answer[q]);
    }
    multi_head_attention_backward(1, ROLES, &net->heads, v->question, v->story, NULL, &v->heads,
                                  d_v->out, &d_v->heads, &d_net->heads, d_v->question, d_v->story);
}

/* Sets the rows of W_k that belong to the noun to 0, or those of its gradient, so that the keys
   depend only on the role. */
static void keep_nouns_out_of_keys(const struct multi_head *w) {
    memset(w->W_k, 0, (size_t)(HALF * w->n_kv_heads * w->d_head) * sizeof(double));
}

/* --- One training ---------------------------------------------------------------------------- */

enum {
    STEPS = 1000,
    QUICK_STEPS = 300,
    BATCH = 16,
    MOMENTS = 50,
    TESTED = 1000,
    TESTED_BRIEFLY = 100
};
static const double learning_rate = 0.5;

/* The results of a test: shares of right answers, and the mean attention weights of each head. */
struct marks {
    double right[QUESTIONS], both, loss;
    double mixed_up; /* gave the noun of the other question */
    double weight[MOST_HEADS][ROLES];
};

struct moment {
    double step, length[MOST_HEADS]; /* of the gradient of each head's part of W_q */
    struct marks marks;
};

struct training {
    const struct kind *kind;
    struct dictionary words;
    struct random random;
    struct trainee numbers; /* the parameters and their gradient */
    struct network net, d_net;
    struct values v, d_v;
    size_t size;         /* of d_v in bytes; its memory begins at d_v.heads.rows_q */
    bool trained, whole; /* for at least a few steps; for all steps */
    int moments;
    struct moment moment[MOMENTS + 1]; /* the last one is after the last step */
};

static void make_room(struct training *t, const struct kind *c) {
    struct room counted = {NULL, 0}, counted_values = {NULL, 0};
    struct network net = take_network(&counted, c);
    take_values(&counted_values, &net.heads);
    t->kind = c;
    t->numbers = trainee_new(counted.used);
    t->net = take_network(&(struct room){t->numbers.weights, 0}, c);
    t->d_net = take_network(&(struct room){t->numbers.gradient, 0}, c);
    t->size = (size_t)counted_values.used * sizeof(double);
    t->v = take_values(&(struct room){zeroes(t->size), 0}, &net.heads);
    t->d_v = take_values(&(struct room){zeroes(t->size), 0}, &net.heads);
}

/* Draws the matrices of the heads, so that a projection keeps the size of its input. All logits are
   0 at first. */
static void start(struct training *t, const struct kind *c) {
    make_room(t, c);
    t->random = random_seed(seed_wanted());
    t->words = draw_dictionary(&t->random);
    draw_weights(&t->random, D_MODEL, t->numbers.count, t->numbers.weights);
    for (int q = 0; q < QUESTIONS; q++)
        memset(t->net.answer[q], 0, sizeof(double[D_MODEL][NOUNS]));
    if (!c->nouns_in_keys)
        keep_nouns_out_of_keys(&t->net.heads);
}

/* One step of gradient descent on BATCH stories. A gradient longer than 1 is scaled to length 1,
   because the steps would otherwise be too large for the network with nouns in its keys. */
static void take_step(struct training *t) {
    memset(t->numbers.gradient, 0, (size_t)t->numbers.count * sizeof(double));
    for (int b = 0; b < BATCH; b++) {
        struct story s = draw_story(&t->random);
        answer(&t->net, &t->words, &s, &t->v);
        memset(t->d_v.heads.rows_q, 0, t->size);
        answer_backward(&t->net, &s, &t->v, &t->d_v, &t->d_net);
    }
    if (!t->kind->nouns_in_keys)
        keep_nouns_out_of_keys(&t->d_net.heads);
    gather_gradient(t->numbers.count, BATCH, t->numbers.gradient);
    sgd_step(t->numbers.count, learning_rate, t->numbers.gradient, t->numbers.weights);
}

/* The length of the gradient of one head's part of W_q, which is a part of each row. */
static double length_of_head(const struct multi_head *d_w, int head) {
    const double(*rows)[d_w->n_heads][d_w->d_head] = d_w->W_q;
    double square = 0.0;
    for (int r = 0; r < D_MODEL; r++)
        square += dot(d_w->d_head, rows[r][head], rows[r][head]);
    return sqrt(square);
}

/* --- The test -------------------------------------------------------------------------------- */

/* The answer to `question`, after answer(). */
static int said(const struct training *t, int question) {
    return largest(NOUNS, t->v.logits[question]);
}

/* Adds the results of one story to m, as shares of `stories`. */
static void mark(const struct training *t, const struct story *s, int stories, struct marks *m) {
    const double(*weights)[ROLES] = t->v.heads.weights;
    bool all = true;
    for (int q = 0; q < QUESTIONS; q++) {
        bool right = said(t, q) == s->answer[q];
        all = all && right;
        m->mixed_up += (said(t, q) == s->answer[!q]) / (double)(QUESTIONS * stories);
        m->right[q] += right / (double)stories;
        m->loss += cross_entropy(NOUNS, t->v.logits[q], s->answer[q]) / (QUESTIONS * stories);
    }
    m->both += all / (double)stories;
    for (int h = 0; h < t->kind->n_heads; h++)
        for (int i = 0; i < ROLES; i++)
            m->weight[h][s->role[i]] += weights[h][i] / stories;
}

static struct marks test_on(struct training *t, int stories) {
    struct random r = random_seed(8);
    struct marks m = {0};
    for (int i = 0; i < stories; i++) {
        struct story s = draw_story(&r);
        answer(&t->net, &t->words, &s, &t->v);
        mark(t, &s, stories, &m);
    }
    return m;
}

/* --- The four training runs ------------------------------------------------------------------ */

/* Trains to the step `until`, or until Ctrl-C, but at least one step. Returns the number of steps.
 */
static int take_steps(struct training *t, int from, int until) {
    int step = from;
    do
        take_step(t);
    while (++step < until && !is_stopped());
    return step - from;
}

static void show_progress(int taken, int steps) {
    progress_more(taken, steps * KINDS, "training four networks");
}

/* Trains a network for all steps, or until Ctrl-C. If it starts after Ctrl-C, it takes one step, so
   that there is a table, but it counts as not trained. */
static void train(struct training *t, int steps) {
    int moments = steps < MOMENTS ? steps : MOMENTS, done = 0;
    bool late = is_stopped();
    do {
        struct moment *now = &t->moment[t->moments];
        now->step = done;
        now->marks = test_on(t, TESTED_BRIEFLY);
        int until = (int)((long)steps * (t->moments + 1) / moments);
        int taken = take_steps(t, done, until);
        for (int h = 0; h < t->kind->n_heads; h++)
            now->length[h] = length_of_head(&t->d_net.heads, h);
        done += taken;
        if (!is_stopped())
            show_progress(taken, steps);
    } while (++t->moments < moments && !is_stopped());
    t->trained = !late;
    t->whole = !late && done == steps;
    t->moment[t->moments++] = (struct moment){done, {NAN, NAN}, test_on(t, TESTED)};
}

/* Each network has its own random numbers, so the result does not depend on the threads. */
static void train_all(struct training all[KINDS], int steps) {
    show_progress(0, steps);
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int c = 0; c < KINDS; c++)
        train(&all[c], steps);
}

/* --- The tables ------------------------------------------------------------------------------ */

/* A row for each moment, with the gradient and the weights on who and whom for each head. */
static void write_moments(const char *folder, const struct training *t) {
    FILE *table = columns_open(folder, t->kind->file,
                               "step right both loss length_0 who_0 whom_0 length_1 who_1 whom_1");
    for (int i = 0; i < t->moments; i++) {
        const struct moment *now = &t->moment[i];
        const struct marks *m = &now->marks;
        double row[4 + 3 * MOST_HEADS] = {now->step, (m->right[WHO] + m->right[WHOM]) / QUESTIONS,
                                          m->both, m->loss};
        for (int h = 0; h < MOST_HEADS; h++) {
            row[4 + 3 * h] = h < t->kind->n_heads ? now->length[h] : (double)NAN;
            row[5 + 3 * h] = h < t->kind->n_heads ? m->weight[h][WHO] : (double)NAN;
            row[6 + 3 * h] = h < t->kind->n_heads ? m->weight[h][WHOM] : (double)NAN;
        }
        columns_row(table, NULL, 4 + 3 * MOST_HEADS, row);
    }
    columns_close(table);
}

/* The attention weights in our story, for one head and for two. */
static void write_weights(const char *folder, struct training all[KINDS]) {
    FILE *table = columns_open(folder, "weights.dat",
                               "head \"who: cat\" \"whom: dog\" \"by: fox\" \"with: hen\" "
                               "\"for: bee\"");
    static const char *const rows[] = {"one head", "head 0 of two", "head 1 of two"};
    struct story s = our_story(false);
    for (int i = 0; i < 3; i++) {
        struct training *t = &all[i == 0 ? ONE_HEAD : TWO_HEADS];
        answer(&t->net, &t->words, &s, &t->v);
        const double(*weights)[ROLES] = t->v.heads.weights;
        columns_row(table, rows[i], ROLES, weights[i == 2]);
    }
    columns_close(table);
}

/* The embeddings and the parameters of two networks, for the page of make play-08. */
static void keep_numbers(const char *folder, const struct training all[KINDS]) {
    static const char *const roles[ROLES] = {"who", "whom", "by", "with", "for"};
    const struct training *one = &all[ONE_HEAD], *two = &all[TWO_HEADS];
    FILE *table = columns_open(folder, "networks.dat", NULL);
    for (int w = 0; w < NOUNS; w++)
        columns_row(table, nouns[w], HALF, two->words.noun[w]);
    for (int p = 0; p < ROLES; p++)
        columns_row(table, roles[p], HALF, two->words.role[p]);
    columns_row(table, "question", HALF, two->words.question);
    columns_row(table, "one head", one->numbers.count, one->numbers.weights);
    columns_row(table, "two heads", two->numbers.count, two->numbers.weights);
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_marks(FILE *to, const struct training *t) {
    const struct marks *m = &t->moment[t->moments - 1].marks;
    if (!t->trained)
        fprintf(to, "  %-19s %5s\n", t->kind->name, "-");
    else
        fprintf(to, "  %-19s %5.2f %6.2f %6.2f %9.2f %9.4f %11d\n", t->kind->name, m->right[WHO],
                m->right[WHOM], m->both, m->mixed_up, m->loss, t->numbers.count);
}

/* The answers for our story, and for the same with the cat and the dog exchanged. */
static void tell_answers(FILE *to, const struct training *t) {
    struct values v = t->v;
    fprintf(to, "  %-19s", t->kind->name);
    for (int swapped = 0; swapped < 2 && t->trained; swapped++) {
        struct story s = our_story(swapped);
        answer(&t->net, &t->words, &s, &v);
        int length = fprintf(to, " who: %s, whom: %s", nouns[said(t, WHO)], nouns[said(t, WHOM)]);
        fprintf(to, "%*s", swapped ? 0 : 30 - length, "");
    }
    fputc('\n', to);
}

static void tell(FILE *to, const void *of) {
    const struct training *all = of;
    fprintf(to, "Share of right answers in %d held-out stories (a guess among five: %.2f):\n",
            TESTED, 1.0 / ROLES);
    fprintf(to, "%27s %6s %6s %9s %9s %11s\n", "who", "whom", "both", "mixed up", "loss",
            "parameters");
    for (int c = 0; c < KINDS; c++)
        tell_marks(to, &all[c]);
    fputs("Answers for:          the cat sees the dog ...      the dog sees the cat ...\n", to);
    for (int c = 0; c < KINDS; c++)
        tell_answers(to, &all[c]);
}

/* The attention weights in our story, with a row for each head. */
static void show_heads(struct training *t) {
    static const int widths[ROLES] = {8, 13, 11, 13, 11};
    struct story s = our_story(false);
    answer(&t->net, &t->words, &s, &t->v);
    const double(*weights)[ROLES] = t->v.heads.weights;
    for (int h = 0; h < t->kind->n_heads && t->trained; h++) {
        printf("  %-19s ", h == 0 ? t->kind->name : "");
        for (int i = 0; i < ROLES; i++)
            shade_cells(1, widths[i], &weights[h][i]);
        putchar('\n');
    }
}

/* The tables for the plots. */
static void write_all(const char *folder, struct training all[KINDS]) {
    for (int c = 0; c < KINDS; c++)
        write_moments(folder, &all[c]);
    write_weights(folder, all);
    keep_numbers(folder, all);
}

static int run(const char *folder) {
    static struct training all[KINDS];
    bool any_whole = false;
    for (int c = 0; c < KINDS; c++)
        start(&all[c], &kinds[c]);
    train_all(all, steps_wanted(STEPS, QUICK_STEPS));
    tell_if_stopped();
    write_all(folder, all);
    tell_result(folder, is_short_run() ? "QUICK or STEPS" : NULL, tell, all);
    puts("Attention weights:    the cat sees the dog by the fox with the hen for the bee");
    for (int c = 0; c < KINDS; c++) {
        show_heads(&all[c]);
        any_whole = any_whole || all[c].whole;
    }
    return any_whole ? 0 : NOTHING_WHOLE;
}

int main(int argc, char **argv) {
    return milestone_main(argc, argv, &(struct milestone){.run = run});
}
