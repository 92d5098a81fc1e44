/* The milestone of lesson 06: what does "it" mean?

       the cat sat on the mat because it was warm        the mat
       the cat sat on the mat because it was tired       the cat

   One head of self-attention learns it from sentences and answers. No example says which
   words to attend to. All arithmetic is done by the functions of lessons 01 to 06 except 04, whose
   score is not used. Where you have passed them, these are yours. `make run-06` trains the head,
   and `make plot-06` draws what happened. */
#include "self_attention.h"

#include "columns.h"
#include "dot_product.h"
#include "masked.h"
#include "progress.h"
#include "random.h"
#include "scaled.h"
#include "shade.h"
#include "softmax.h"
#include "trainer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* --- The language ---------------------------------------------------------------------------- */

/* Nouns come first, so that the number of a noun is also the number of an answer. */
static const char *const vocabulary[] = {
    "cat",   "dog",     "bird",   "horse", "fox",    "mouse",    // animals
    "mat",   "bed",     "rug",    "sofa",  "box",    "cushion",  // things
    "tired", "hungry",  "sleepy", "happy", "afraid", "thirsty",  // said of animals
    "warm",  "soft",    "clean",  "new",   "cheap",  "dry",      // said of things
    "the",   "because", "it",     "was",   "sat",    "lay",     "slept", "on",
    "under", "beside",  "today",  "often", "again",  "old",     "small", "brown",
};
enum { WORDS = COUNT(vocabulary), KIND = 6, THINGS = KIND, NOUNS = 2 * KIND, LONGEST = 16 };

struct sentence {
    int n;
    int words[LONGEST];
    int animal;  // the position of each noun
    int thing;
    int it;      // the position of "it"
    int answer;  // the noun that "it" means
};

static int number_of(const char *text) {
    int word = 0;
    while (strcmp(vocabulary[word], text) != 0)
        word++;
    return word;
}

/* Appends a word, and returns its position. */
static int say(struct sentence *s, const char *text) {
    s->words[s->n] = number_of(text);
    return s->n++;
}

static int say_any(struct sentence *s, struct random *r, const char *const texts[3]) {
    return say(s, texts[random_below(r, 3)]);
}

/* "the", sometimes an adjective that does not matter, and the noun. */
static int say_noun(struct sentence *s, struct random *r, int noun) {
    say(s, "the");
    if (random_below(r, 3) == 0)
        say_any(s, r, (const char *const[]){"old", "small", "brown"});
    return say(s, vocabulary[noun]);
}

static int say_verb(struct sentence *s, struct random *r) {
    return say_any(s, r, (const char *const[]){"sat", "lay", "slept"});
}

static int say_place(struct sentence *s, struct random *r) {
    return say_any(s, r, (const char *const[]){"on", "under", "beside"});
}

/* The adjective says what "it" means. */
static void say_reason(struct sentence *s, int adjective) {
    say(s, "because");
    s->it = say(s, "it");
    say(s, "was");
    say(s, vocabulary[adjective]);
    bool of_animals = adjective < NOUNS + KIND;
    s->answer = s->words[of_animals ? s->animal : s->thing];
}

/* Either noun may come first, and words that do not matter change their positions. */
static struct sentence any_sentence(struct random *r, int animal, int thing, int adjective) {
    struct sentence s = {0};
    if (random_below(r, 3) == 0)
        say_any(&s, r, (const char *const[]){"today", "often", "again"});
    if (random_below(r, 2) == 0) {
        s.animal = say_noun(&s, r, animal);
        say_verb(&s, r);
        say_place(&s, r);
        s.thing = say_noun(&s, r, thing);
    } else {
        say_place(&s, r);
        s.thing = say_noun(&s, r, thing);
        say_verb(&s, r);
        s.animal = say_noun(&s, r, animal);
    }
    say_reason(&s, adjective);
    return s;
}

/* The sentence that every lesson uses. */
static struct sentence our_sentence(const char *adjective) {
    static const char *const start[] = {"the", "cat", "sat", "on", "the", "mat"};
    struct sentence s = {.animal = 1, .thing = 5};
    for (int i = 0; i < COUNT(start); i++)
        say(&s, start[i]);
    say_reason(&s, number_of(adjective));
    return s;
}

/* A quarter of the pairs is never trained on, the cat and the mat among them. */
static bool is_held_out(int animal, int thing) {
    return (animal + thing - THINGS) % 4 == 0;
}

static struct sentence draw_sentence(struct random *r, bool held_out) {
    int animal, thing;
    do {
        animal = random_below(r, KIND);
        thing = THINGS + random_below(r, KIND);
    } while (is_held_out(animal, thing) != held_out);
    return any_sentence(r, animal, thing, NOUNS + random_below(r, 2 * KIND));
}

/* --- The head -------------------------------------------------------------------------------- */

enum { D_MODEL = 48, D_K = 16 };

/* All that is trained; a gradient has the same layout. */
struct head {
    double W_q[D_MODEL][D_K], W_k[D_MODEL][D_K], W_v[D_MODEL][D_MODEL];
};
enum { PARAMETERS = sizeof(struct head) / sizeof(double) };

/* The results of the forward pass that the backward pass needs. */
struct thought {
    double X[LONGEST][D_MODEL];
    double Q[LONGEST][D_K], K[LONGEST][D_K], V[LONGEST][D_MODEL];
    double weights[LONGEST * LONGEST];  // n rows of n
    double out[LONGEST][D_MODEL];
    double logits[1][NOUNS];
};

/* A vector for each word: random, and never trained. */
static double embedding[WORDS][D_MODEL];

/* The words' vectors. A query is made from a word's own vector, and that of "it" is the same in all
   sentences. So the words after "because" first attend to each other, with lesson 05's attention
   and no parameters. All others are blocked, and a word with a blocked row receives exactly 0. */
static void read_words(const struct sentence *s, struct thought *t) {
    int n = s->n;
    double words[LONGEST][D_MODEL];
    bool apart[LONGEST * LONGEST];
    for (int i = 0; i < n; i++) {
        memcpy(words[i], embedding[s->words[i]], sizeof words[i]);
        for (int j = 0; j < n; j++)
            apart[i * n + j] = i < s->it || j < s->it || i == j;
    }
    masked_attention(n, n, D_MODEL, D_MODEL, words, words, words, (const bool(*)[n])apart,
                     (double(*)[n])t->weights, t->X);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < D_MODEL; c++)
            t->X[i][c] += words[i][c];
}

/* The answer is the noun whose vector agrees most with the output row of "it". */
static void think(const struct head *h, const struct sentence *s, struct thought *t) {
    read_words(s, t);
    self_attention(s->n, D_MODEL, D_K, D_MODEL, t->X, h->W_q, h->W_k, h->W_v, NULL, t->Q, t->K,
                   t->V, (double(*)[s->n])t->weights, t->out);
    dot_scores(1, NOUNS, D_MODEL, &t->out[s->it], embedding, t->logits);
}

/* Adds the gradient of one sentence's loss to d_h. */
static void think_backward(const struct head *h, const struct sentence *s, const struct thought *t,
                           struct head *d_h) {
    double d_logits[1][NOUNS] = {0}, d_out[LONGEST][D_MODEL] = {0};
    double d_X[LONGEST][D_MODEL] = {0}, d_embedding[NOUNS][D_MODEL] = {0};  // not used
    cross_entropy_backward(NOUNS, t->logits[0], s->answer, d_logits[0]);
    dot_scores_backward(1, NOUNS, D_MODEL, &t->out[s->it], embedding, d_logits, &d_out[s->it],
                        d_embedding);
    self_attention_backward(s->n, D_MODEL, D_K, D_MODEL, t->X, h->W_q, h->W_k, h->W_v, NULL, t->Q,
                            t->K, t->V, (const double(*)[s->n])t->weights, d_out, d_X, d_h->W_q,
                            d_h->W_k, d_h->W_v);
}

static const double *row_of_it(const struct sentence *s, const struct thought *t) {
    return &t->weights[s->it * s->n];
}

/* At initialization W_q and W_k are nearly 0, so that "it" attends equally to all words, and
   W_v is the identity, so that the values are the rows of X. */
static void start(struct head *h, struct random *r) {
    random_fill_normal(r, WORDS * D_MODEL, embedding);
    random_fill_normal(r, PARAMETERS, h);
    for (int w = 0; w < WORDS; w++)
        for (int c = 0; c < D_MODEL; c++)
            embedding[w][c] *= 0.5;
    for (int a = 0; a < D_MODEL; a++) {
        for (int c = 0; c < D_K; c++) {
            h->W_q[a][c] *= 0.1 / sqrt(D_MODEL);
            h->W_k[a][c] *= 0.1 / sqrt(D_MODEL);
        }
        for (int c = 0; c < D_MODEL; c++)
            h->W_v[a][c] = a == c ? 1.0 : 0.0;
    }
}

/* --- The test set ---------------------------------------------------------------------------- */

/* Which noun would "it" choose with the fixed dot product of the same vectors? */
static bool fixed_rule_is_right(const struct sentence *s) {
    struct thought t;
    double(*weights)[s->n] = (double(*)[s->n])t.weights;
    read_words(s, &t);
    scaled_dot_product_attention(s->n, s->n, D_MODEL, D_MODEL, t.X, t.X, t.X, weights, t.out);
    bool animal = weights[s->it][s->animal] > weights[s->it][s->thing];
    return s->words[animal ? s->animal : s->thing] == s->answer;
}

static bool head_is_right(const struct head *h, const struct sentence *s) {
    struct thought t;
    think(h, s, &t);
    return largest(NOUNS, t.logits[0]) == s->answer;
}

/* The share of the test sentences that are right. If h is NULL, the fixed rule is used. */
static double share_right(const struct head *h, int sentences) {
    struct random r = random_seed(6);
    int right = 0;
    for (int i = 0; i < sentences; i++) {
        struct sentence s = draw_sentence(&r, true);
        right += h ? head_is_right(h, &s) : fixed_rule_is_right(&s);
    }
    return (double)right / sentences;
}

/* --- The training ---------------------------------------------------------------------------- */

enum { STEPS = 600, BATCH = 16, ROW = 10 };
static const double learning_rate = 0.05;

/* The measurements of one step, or their means over ROW steps. */
enum { LOSS, ENTROPY, W_Q, W_K, W_V, MEASURES };

/* The length of a gradient, of one sentence on average. */
static double length(int n, const void *gradient) {
    return sqrt(dot(n, gradient, gradient)) / BATCH;
}

/* One step of gradient descent on BATCH sentences. */
static void train(struct head *h, struct random *r, double measured[MEASURES]) {
    struct head gradient;
    memset(&gradient, 0, sizeof gradient);
    memset(measured, 0, MEASURES * sizeof *measured);
    for (int b = 0; b < BATCH; b++) {
        struct sentence s = draw_sentence(r, false);
        struct thought t;
        think(h, &s, &t);
        think_backward(h, &s, &t, &gradient);
        measured[LOSS] += cross_entropy(NOUNS, t.logits[0], s.answer) / BATCH;
        measured[ENTROPY] += entropy(s.n, row_of_it(&s, &t)) / BATCH;
    }
    measured[W_Q] = length(D_MODEL * D_K, gradient.W_q);
    measured[W_K] = length(D_MODEL * D_K, gradient.W_k);
    measured[W_V] = length(D_MODEL * D_MODEL, gradient.W_v);
    sgd_step(PARAMETERS, learning_rate / BATCH, (const double *)&gradient, (double *)h);
}

/* ROW steps; what is measured is their mean. */
static void train_some(struct head *h, struct random *r, double mean[MEASURES]) {
    double measured[MEASURES];
    for (int i = 0; i < ROW; i++) {
        train(h, r, measured);
        for (int m = 0; m < MEASURES; m++)
            mean[m] += measured[m] / ROW;
    }
}

struct tables {
    FILE *training, *warm, *tired, *warm_steps, *tired_steps;
};

static void open_tables(struct tables *t, const char *folder) {
    t->training = columns_open(folder, "training.dat", "step right loss entropy W_q W_k W_v");
    t->warm = columns_open(folder, "warm.dat", "when the cat sat on the mat because it was warm");
    t->tired =
        columns_open(folder, "tired.dat", "when the cat sat on the mat because it was tired");
    t->warm_steps =
        columns_open(folder, "warm_steps.dat", "step the cat sat on the mat because it was warm");
    t->tired_steps =
        columns_open(folder, "tired_steps.dat", "step the cat sat on the mat because it was tired");
}

/* The attention weights of "it" in our sentence. */
static void write_row_of_it(FILE *table, const char *when, const struct head *h,
                            const char *adjective) {
    struct sentence s = our_sentence(adjective);
    struct thought t;
    think(h, &s, &t);
    columns_row(table, when, s.n, row_of_it(&s, &t));
}

static void write_weights(const struct tables *tables, const char *when, const struct head *h) {
    write_row_of_it(tables->warm, when, h, "warm");
    write_row_of_it(tables->tired, when, h, "tired");
}

/* The weights after every ROW steps, for the moving picture in the book. */
static void write_step(const struct tables *tables, int step, const struct head *h) {
    char text[12];
    snprintf(text, sizeof text, "%d", step);
    write_row_of_it(tables->warm_steps, text, h, "warm");
    write_row_of_it(tables->tired_steps, text, h, "tired");
}

static void train_all(struct head *h, struct random *r, const struct tables *tables) {
    write_weights(tables, "before", h);
    for (int step = 0; step < STEPS; step += ROW) {
        double row[2 + MEASURES] = {step, share_right(h, 100)};
        if (step == STEPS / 2)
            write_weights(tables, "halfway", h);
        write_step(tables, step, h);
        train_some(h, r, row + 2);
        columns_row(tables->training, NULL, 2 + MEASURES, row);
        progress(step + ROW, STEPS, "loss %.4f, held-out sentences %.0f %%", row[2 + LOSS],
                 100.0 * row[1]);
    }
    write_weights(tables, "after", h);
    write_step(tables, STEPS, h);
}

/* All numbers, for a page (make play-06): each word's vector, then the three matrices. */
static void keep_numbers(const char *folder, const struct head *h) {
    FILE *table = columns_open(folder, "head.dat", NULL);
    for (int w = 0; w < WORDS; w++)
        columns_row(table, vocabulary[w], D_MODEL, embedding[w]);
    columns_row(table, "W_q", D_MODEL * D_K, (const double *)h->W_q);
    columns_row(table, "W_k", D_MODEL * D_K, (const double *)h->W_k);
    columns_row(table, "W_v", D_MODEL * D_MODEL, (const double *)h->W_v);
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_our_sentence(FILE *to, const struct head *h, const char *adjective) {
    struct sentence s = our_sentence(adjective);
    struct thought t;
    int meant = s.words[s.animal] == s.answer ? s.animal : s.thing;
    think(h, &s, &t);
    fprintf(to, "    the cat sat on the mat because it was %-6s  it: the %s (weight %.2f)\n",
            adjective, vocabulary[largest(NOUNS, t.logits[0])], row_of_it(&s, &t)[meant]);
}

struct outcome {
    const struct head *head;
    double trained, fixed; /* shares that are right */
};

static void tell(FILE *to, const void *of) {
    const struct outcome *outcome = of;
    tell_our_sentence(to, outcome->head, "warm");
    tell_our_sentence(to, outcome->head, "tired");
    fprintf(to,
            "1000 sentences about pairs of nouns that it never saw together:\n"
            "    trained %.1f %% right, fixed dot product %.1f %%\n",
            100.0 * outcome->trained, 100.0 * outcome->fixed);
}

/* --- The demonstration ----------------------------------------------------------------------- */

/* The attention weights of "it", each below its word. */
static void draw_sentence_read(const struct head *h, const char *adjective) {
    struct sentence s = our_sentence(adjective);
    struct thought t;
    think(h, &s, &t);
    printf("  ");
    for (int i = 0; i < s.n; i++)
        printf(" %s", vocabulary[s.words[i]]);
    printf("%*s it: the %s%s\n   ", 8 - (int)strlen(adjective), "",
           vocabulary[largest(NOUNS, t.logits[0])], progress_moves() ? "\033[K" : "");
    for (int i = 0; i < s.n; i++)
        shade_cells(1, (int)strlen(vocabulary[s.words[i]]) + 1, &row_of_it(&s, &t)[i]);
    printf("\n\n");
}

/* Overwrites the previous drawing if the terminal can do so. */
static void draw(const struct head *h, int step) {
    if (step > 0 && progress_moves())
        printf("\033[7A");
    draw_sentence_read(h, "warm");
    draw_sentence_read(h, "tired");
    printf("   after %3d steps: right in %3.0f %% of sentences that it never saw\n", step,
           100.0 * share_right(h, 100));
    fflush(stdout);
    if (progress_moves())
        nanosleep(&(struct timespec){0, 60 * 1000 * 1000}, NULL);
}

static void demonstrate(struct head *h, struct random *r) {
    double measured[MEASURES] = {0};
    puts("A head of attention finds out what \"it\" means, from sentences and answers.\n"
         "Below each word: how much \"it\" attends to it.\n");
    for (int step = 0; step <= STEPS; step += ROW) {
        if (progress_moves() || step == STEPS)
            draw(h, step);
        if (step < STEPS)
            train_some(h, r, measured);
    }
    puts("\nNo example said where to look. This was the reference; in lesson 06 your own\n"
         "functions do it. make starts you on the first.");
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] %s FOLDER | demo\n", argv[0]);
        return 2;
    }
    static struct head h;
    struct tables tables;
    struct random r = random_seed(seed_wanted());
    start(&h, &r);
    if (strcmp(argv[1], "demo") == 0) {
        demonstrate(&h, &r);
        return 0;
    }
    printf("%d parameters, %d steps of %d sentences\n", PARAMETERS, STEPS, BATCH);
    open_tables(&tables, argv[1]);
    train_all(&h, &r, &tables);
    columns_close(tables.warm_steps);
    columns_close(tables.tired_steps);
    columns_close(tables.training);
    columns_close(tables.warm);
    columns_close(tables.tired);
    keep_numbers(argv[1], &h);

    const struct outcome outcome = {&h, share_right(&h, 1000), share_right(NULL, 1000)};
    tell_result(argv[1], NULL, tell, &outcome);
    return 0;
}
