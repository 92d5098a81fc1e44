/* The milestone of lesson 08: who saw, and who was seen?

       the cat sees the dog by the fox with the hen for the bee

   Five nouns, each with its part in the story, in any order. One question is put to them, and what
   it fetches, one vector, must say who did it and whom. Four networks try: one head; two heads of
   half the size; two that share their keys and values; and one head whose keys hear the nouns, too.
   All arithmetic is done by the functions of lessons 01 to 08 (but for 04, 05 and 07), yours where
   you have passed them. `make run-08` trains the four; `make plot-08` draws what happened. */
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

/* The parts that a noun can have in a story; the first two are asked for. */
enum { WHO, WHOM, QUESTIONS, BY = QUESTIONS, WITH, FOR, PARTS };

/* Word i of a story is a noun and its part. */
struct story {
    int noun[PARTS], part[PARTS];
    int answer[QUESTIONS];
};

/* Five of n different numbers, in any order. */
static void draw_five(struct random *r, int n, int five[PARTS]) {
    int all[NOUNS];
    for (int i = 0; i < n; i++)
        all[i] = i;
    for (int i = 0; i < PARTS; i++) {
        int other = i + random_below(r, n - i);
        five[i] = all[other];
        all[other] = all[i];
    }
}

static void find_answers(struct story *s) {
    for (int i = 0; i < PARTS; i++)
        if (s->part[i] < QUESTIONS)
            s->answer[s->part[i]] = s->noun[i];
}

static struct story draw_story(struct random *r) {
    struct story s;
    draw_five(r, NOUNS, s.noun);
    draw_five(r, PARTS, s.part);
    find_answers(&s);
    return s;
}

/* "the cat sees the dog by the fox with the hen for the bee"; or the dog sees the cat. */
static struct story our_story(bool swapped) {
    struct story s = {.noun = {0, 1, 2, 3, 4}, .part = {0, 1, 2, 3, 4}};
    s.noun[WHO] = swapped ? 1 : 0;
    s.noun[WHOM] = swapped ? 0 : 1;
    find_answers(&s);
    return s;
}

/* --- The network ----------------------------------------------------------------------------- */

/* A word is the numbers of its noun, beside those of its part. */
enum { HALF = 24, D_MODEL = 2 * HALF, MOST_HEADS = 2 };

/* Drawn once and never trained: nouns and parts of one kind, none closer to another by design. The
   question is a word with a part of its own, and no noun. */
struct dictionary {
    double noun[NOUNS][HALF], part[PARTS][HALF], question[HALF];
};

static struct dictionary draw_dictionary(struct random *r) {
    struct dictionary words;
    const int count = sizeof words / sizeof(double);
    double *number = random_fill_normal(r, count, &words);
    for (int i = 0; i < count; i++)
        number[i] *= 0.25;
    return words;
}

/* What is trained; a gradient has the same layout. */
struct network {
    struct multi_head heads;
    void *answer[QUESTIONS]; /* [D_MODEL][NOUNS]: how much speaks for each noun */
};

/* What is computed on the way to the answers; or the gradients of it. */
struct values {
    struct multi_head_values heads;
    void *question;          /* [1][D_MODEL] */
    void *story;             /* [PARTS][D_MODEL] */
    void *fetched;           /* [1][D_MODEL]: the one vector */
    void *logits[QUESTIONS]; /* [1][NOUNS] */
};

/* One of the four. */
struct course {
    const char *name, *file;
    int n_heads, n_kv_heads;
    bool keys_hear_nouns;
};
enum { ONE_HEAD, TWO_HEADS, SHARED, TRICK, COURSES };
static const struct course courses[COURSES] = {
    {"one head of 48", "one.dat", 1, 1, false},
    {"two heads of 24", "two.dat", 2, 2, false},
    {"two, keys shared", "shared.dat", 2, 1, false},
    {"one, nouns in keys", "trick.dat", 1, 1, true},
};

static struct network take_network(struct room *room, const struct course *c) {
    struct network net;
    net.heads = take_multi_head(room, D_MODEL, c->n_heads, c->n_kv_heads, D_MODEL / c->n_heads);
    for (int q = 0; q < QUESTIONS; q++)
        net.answer[q] = take(room, D_MODEL * NOUNS);
    return net;
}

static struct values take_values(struct room *room, const struct multi_head *w) {
    struct values v;
    v.heads = take_multi_head_values(room, w, 1, PARTS);
    v.question = take(room, D_MODEL);
    v.story = take(room, PARTS * D_MODEL);
    v.fetched = take(room, D_MODEL);
    for (int q = 0; q < QUESTIONS; q++)
        v.logits[q] = take(room, NOUNS);
    return v;
}

static void read_story(const struct dictionary *words, const struct story *s,
                       const struct values *v) {
    double(*story)[2][HALF] = v->story, (*question)[HALF] = v->question;
    for (int i = 0; i < PARTS; i++) {
        memcpy(story[i][0], words->noun[s->noun[i]], sizeof story[i][0]);
        memcpy(story[i][1], words->part[s->part[i]], sizeof story[i][1]);
    }
    memset(question[0], 0, sizeof question[0]);
    memcpy(question[1], words->question, sizeof question[1]);
}

/* Both answers are read from the same vector, each by a matrix. */
static void think(const struct network *net, const struct dictionary *words, const struct story *s,
                  struct values *v) {
    read_story(words, s, v);
    multi_head_attention(1, PARTS, &net->heads, v->question, v->story, NULL, &v->heads, v->fetched);
    for (int q = 0; q < QUESTIONS; q++)
        project(1, D_MODEL, NOUNS, v->fetched, net->answer[q], v->logits[q]);
}

/* Adds the gradient of one story's loss to d_net. */
static void think_backward(const struct network *net, const struct story *s, const struct values *v,
                           struct values *d_v, struct network *d_net) {
    for (int q = 0; q < QUESTIONS; q++) {
        cross_entropy_backward(NOUNS, v->logits[q], s->answer[q], d_v->logits[q]);
        project_backward(1, D_MODEL, NOUNS, v->fetched, net->answer[q], d_v->logits[q],
                         d_v->fetched, d_net->answer[q]);
    }
    multi_head_attention_backward(1, PARTS, &net->heads, v->question, v->story, NULL, &v->heads,
                                  d_v->fetched, &d_v->heads, &d_net->heads, d_v->question,
                                  d_v->story);
}

/* The keys hear the part of a word, not its noun: those rows of W_k, or of its gradient, are 0. */
static void deafen_keys(const struct multi_head *w) {
    memset(w->W_k, 0, (size_t)(HALF * w->n_kv_heads * w->d_head) * sizeof(double));
}

/* --- One training ---------------------------------------------------------------------------- */

enum { STEPS = 1000, QUICK_STEPS = 300, BATCH = 16, MOMENTS = 50, EXAMINED = 1000, GLANCE = 100 };
static const double learning_rate = 0.5;

/* What an examination finds: shares of right answers, and where each head looks on average. */
struct marks {
    double right[QUESTIONS], both, loss;
    double mixed_up; /* said whom for who, or who for whom */
    double weight[MOST_HEADS][PARTS];
};

struct moment {
    double step, length[MOST_HEADS]; /* of each head's part of the gradient of W_q */
    struct marks marks;
};

struct training {
    const struct course *course;
    struct dictionary words;
    struct random random;
    struct trainee numbers; /* of the network and of its gradient */
    struct network net, d_net;
    struct values v, d_v;
    size_t size;         /* of d_v, in bytes: it begins at d_v.heads.rows_q */
    bool trained, whole; /* for some steps at least; to the end */
    int moments;
    struct moment moment[MOMENTS + 1]; /* the last one after the last step */
};

static void make_room(struct training *t, const struct course *c) {
    struct room counted = {NULL, 0}, counted_values = {NULL, 0};
    struct network net = take_network(&counted, c);
    take_values(&counted_values, &net.heads);
    t->course = c;
    t->numbers = trainee_new(counted.used);
    t->net = take_network(&(struct room){t->numbers.weights, 0}, c);
    t->d_net = take_network(&(struct room){t->numbers.gradient, 0}, c);
    t->size = (size_t)counted_values.used * sizeof(double);
    t->v = take_values(&(struct room){zeroes(t->size), 0}, &net.heads);
    t->d_v = take_values(&(struct room){zeroes(t->size), 0}, &net.heads);
}

/* The matrices of the heads are drawn so that lengths stay; nothing speaks for any noun yet. */
static void start(struct training *t, const struct course *c) {
    make_room(t, c);
    t->random = random_seed(seed_wanted());
    t->words = draw_dictionary(&t->random);
    draw_weights(&t->random, D_MODEL, t->numbers.count, t->numbers.weights);
    for (int q = 0; q < QUESTIONS; q++)
        memset(t->net.answer[q], 0, sizeof(double[D_MODEL][NOUNS]));
    if (!c->keys_hear_nouns)
        deafen_keys(&t->net.heads);
}

/* One step of gradient descent on BATCH stories. A long gradient is cut to length 1: a key that
   hears everything takes steps too large otherwise. */
static void take_step(struct training *t) {
    memset(t->numbers.gradient, 0, (size_t)t->numbers.count * sizeof(double));
    for (int b = 0; b < BATCH; b++) {
        struct story s = draw_story(&t->random);
        think(&t->net, &t->words, &s, &t->v);
        memset(t->d_v.heads.rows_q, 0, t->size);
        think_backward(&t->net, &s, &t->v, &t->d_v, &t->d_net);
    }
    if (!t->course->keys_hear_nouns)
        deafen_keys(&t->d_net.heads);
    gather_gradient(t->numbers.count, BATCH, t->numbers.gradient);
    sgd_step(t->numbers.count, learning_rate, t->numbers.gradient, t->numbers.weights);
}

/* A head's part of the gradient of W_q is a part of each of its rows. */
static double length_of_head(const struct multi_head *d_w, int head) {
    const double(*rows)[d_w->n_heads][d_w->d_head] = d_w->W_q;
    double square = 0.0;
    for (int r = 0; r < D_MODEL; r++)
        square += dot(d_w->d_head, rows[r][head], rows[r][head]);
    return sqrt(square);
}

/* --- The examination ------------------------------------------------------------------------- */

/* What it answers to `question`, after think(). */
static int said(const struct training *t, int question) {
    return largest(NOUNS, t->v.logits[question]);
}

/* Adds what one story shows, as a share of `stories`. */
static void mark(const struct training *t, const struct story *s, int stories, struct marks *m) {
    const double(*weights)[PARTS] = t->v.heads.weights;
    bool all = true;
    for (int q = 0; q < QUESTIONS; q++) {
        bool right = said(t, q) == s->answer[q];
        all = all && right;
        m->mixed_up += (said(t, q) == s->answer[!q]) / (double)(QUESTIONS * stories);
        m->right[q] += right / (double)stories;
        m->loss += cross_entropy(NOUNS, t->v.logits[q], s->answer[q]) / (QUESTIONS * stories);
    }
    m->both += all / (double)stories;
    for (int h = 0; h < t->course->n_heads; h++)
        for (int i = 0; i < PARTS; i++)
            m->weight[h][s->part[i]] += weights[h][i] / stories;
}

static struct marks examine(struct training *t, int stories) {
    struct random r = random_seed(8);
    struct marks m = {0};
    for (int i = 0; i < stories; i++) {
        struct story s = draw_story(&r);
        think(&t->net, &t->words, &s, &t->v);
        mark(t, &s, stories, &m);
    }
    return m;
}

/* --- Four trainings -------------------------------------------------------------------------- */

/* To the step `until`, or for one step at least, if Ctrl-C comes. Returns how many were taken. */
static int take_steps(struct training *t, int from, int until) {
    int step = from;
    do
        take_step(t);
    while (++step < until && !is_stopped());
    return step - from;
}

static void show_progress(int taken, int steps) {
    progress_more(taken, steps * COURSES, "four networks learn to answer");
}

/* The whole of it, or what there is time for until Ctrl-C. One that begins after that takes one
   step, so that its tables are there, and counts for nothing. */
static void train(struct training *t, int steps) {
    int moments = steps < MOMENTS ? steps : MOMENTS, done = 0;
    bool late = is_stopped();
    do {
        struct moment *now = &t->moment[t->moments];
        now->step = done;
        now->marks = examine(t, GLANCE);
        int until = (int)((long)steps * (t->moments + 1) / moments);
        int taken = take_steps(t, done, until);
        for (int h = 0; h < t->course->n_heads; h++)
            now->length[h] = length_of_head(&t->d_net.heads, h);
        done += taken;
        if (!is_stopped())
            show_progress(taken, steps);
    } while (++t->moments < moments && !is_stopped());
    t->trained = !late;
    t->whole = !late && done == steps;
    t->moment[t->moments++] = (struct moment){done, {NAN, NAN}, examine(t, EXAMINED)};
}

/* Each has its own random numbers, so that it does not matter which threads take them. */
static void train_all(struct training all[COURSES], int steps) {
    show_progress(0, steps);
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int c = 0; c < COURSES; c++)
        train(&all[c], steps);
}

/* --- What is kept of it ---------------------------------------------------------------------- */

/* A row for each moment; of each head, its part of the gradient and its weights on who and whom. */
static void write_moments(const char *folder, const struct training *t) {
    FILE *table = columns_open(folder, t->course->file,
                               "step right both loss length_0 who_0 whom_0 length_1 who_1 whom_1");
    for (int i = 0; i < t->moments; i++) {
        const struct moment *now = &t->moment[i];
        const struct marks *m = &now->marks;
        double row[4 + 3 * MOST_HEADS] = {now->step, (m->right[WHO] + m->right[WHOM]) / QUESTIONS,
                                          m->both, m->loss};
        for (int h = 0; h < MOST_HEADS; h++) {
            row[4 + 3 * h] = h < t->course->n_heads ? now->length[h] : (double)NAN;
            row[5 + 3 * h] = h < t->course->n_heads ? m->weight[h][WHO] : (double)NAN;
            row[6 + 3 * h] = h < t->course->n_heads ? m->weight[h][WHOM] : (double)NAN;
        }
        columns_row(table, NULL, 4 + 3 * MOST_HEADS, row);
    }
    columns_close(table);
}

/* Where each head looks in our story: of one head, and of two. */
static void write_weights(const char *folder, struct training all[COURSES]) {
    FILE *table = columns_open(folder, "weights.dat",
                               "head \"who: cat\" \"whom: dog\" \"by: fox\" \"with: hen\" "
                               "\"for: bee\"");
    static const char *const rows[] = {"one head", "head 0 of two", "head 1 of two"};
    struct story s = our_story(false);
    for (int i = 0; i < 3; i++) {
        struct training *t = &all[i == 0 ? ONE_HEAD : TWO_HEADS];
        think(&t->net, &t->words, &s, &t->v);
        const double(*weights)[PARTS] = t->v.heads.weights;
        columns_row(table, rows[i], PARTS, weights[i == 2]);
    }
    columns_close(table);
}

/* For a page (make play-08): the words' numbers, and those of two networks. */
static void keep_numbers(const char *folder, const struct training all[COURSES]) {
    static const char *const parts[PARTS] = {"who", "whom", "by", "with", "for"};
    const struct training *one = &all[ONE_HEAD], *two = &all[TWO_HEADS];
    FILE *table = columns_open(folder, "networks.dat", NULL);
    for (int w = 0; w < NOUNS; w++)
        columns_row(table, nouns[w], HALF, two->words.noun[w]);
    for (int p = 0; p < PARTS; p++)
        columns_row(table, parts[p], HALF, two->words.part[p]);
    columns_row(table, "question", HALF, two->words.question);
    columns_row(table, "one head", one->numbers.count, one->numbers.weights);
    columns_row(table, "two heads", two->numbers.count, two->numbers.weights);
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_marks(FILE *to, const struct training *t) {
    const struct marks *m = &t->moment[t->moments - 1].marks;
    if (!t->trained)
        fprintf(to, "  %-19s %5s\n", t->course->name, "-");
    else
        fprintf(to, "  %-19s %5.2f %6.2f %6.2f %9.2f %9.4f %9d\n", t->course->name, m->right[WHO],
                m->right[WHOM], m->both, m->mixed_up, m->loss, t->numbers.count);
}

/* The same five nouns, and the cat and the dog change places: does it notice? */
static void tell_answers(FILE *to, const struct training *t) {
    struct values v = t->v;
    fprintf(to, "  %-19s", t->course->name);
    for (int swapped = 0; swapped < 2 && t->trained; swapped++) {
        struct story s = our_story(swapped);
        think(&t->net, &t->words, &s, &v);
        int length = fprintf(to, " the %s the %s", nouns[said(t, WHO)], nouns[said(t, WHOM)]);
        fprintf(to, "%*s", swapped ? 0 : 30 - length, "");
    }
    fputc('\n', to);
}

static void tell(FILE *to, const void *of) {
    const struct training *all = of;
    fprintf(to, "Of %d new stories, right (share; a guess among its five nouns: %.2f):\n", EXAMINED,
            1.0 / PARTS);
    fprintf(to, "%27s %6s %6s %9s %9s %9s\n", "who", "whom", "both", "mixed up", "loss", "numbers");
    for (int c = 0; c < COURSES; c++)
        tell_marks(to, &all[c]);
    fputs("Who, and whom?        the cat sees the dog ...      the dog sees the cat ...\n", to);
    for (int c = 0; c < COURSES; c++)
        tell_answers(to, &all[c]);
}

/* How much each head looks at each noun: a row for each, below our story. */
static void show_heads(struct training *t) {
    static const int widths[PARTS] = {8, 13, 11, 13, 11};
    struct story s = our_story(false);
    think(&t->net, &t->words, &s, &t->v);
    const double(*weights)[PARTS] = t->v.heads.weights;
    for (int h = 0; h < t->course->n_heads && t->trained; h++) {
        printf("  %-19s ", h == 0 ? t->course->name : "");
        for (int i = 0; i < PARTS; i++)
            shade_cells(1, widths[i], &weights[h][i]);
        putchar('\n');
    }
}

/* The tables for the pictures. */
static void write_all(const char *folder, struct training all[COURSES]) {
    for (int c = 0; c < COURSES; c++)
        write_moments(folder, &all[c]);
    write_weights(folder, all);
    keep_numbers(folder, all);
}

static int run(const char *folder) {
    static struct training all[COURSES];
    bool any_whole = false;
    for (int c = 0; c < COURSES; c++)
        start(&all[c], &courses[c]);
    train_all(all, steps_wanted(STEPS, QUICK_STEPS));
    tell_if_stopped();
    write_all(folder, all);
    tell_result(folder, is_short_run() ? "QUICK or STEPS" : NULL, tell, all);
    puts("Where they look:      the cat sees the dog by the fox with the hen for the bee");
    for (int c = 0; c < COURSES; c++) {
        show_heads(&all[c]);
        any_whole = any_whole || all[c].whole;
    }
    return any_whole ? 0 : NOTHING_WHOLE;
}

int main(int argc, char **argv) {
    return milestone_main(argc, argv, &(struct milestone){.run = run});
}
