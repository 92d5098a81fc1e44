/* The milestone of lesson 11: one word, two meanings.

       the deep river floods the old bank ...        the bank of the river
       the rich broker pays the old bank ...         the bank with the money

   One of the two nouns of a sentence's topic is hidden, and every word of the sentence is asked
   which it was. Nobody says what a topic is, or that "bank" has two. Two encoder blocks learn it.
   All arithmetic is done by the functions of lessons 01 to 11, yours where you have passed them.
   `make run-11` trains them; `make plot-11` draws what happened. */
#include "encoder.h"

#include "columns.h"
#include "dot_product.h"
#include "positions.h"
#include "progress.h"
#include "random.h"
#include "self_attention.h"
#include "trainer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The language ---------------------------------------------------------------------------- */

enum { TOPICS = 2, PER_TOPIC = 8, NOUNS = TOPICS * PER_TOPIC, SAID = 6, TWO_FACED = 4 };
enum { VERBS = NOUNS, ADJECTIVES = VERBS + TOPICS * SAID, FACES = ADJECTIVES + TOPICS * SAID };
enum { THE = FACES + TWO_FACED, AND, HIDDEN, WORDS };

/* Nouns come first, so that the number of a noun is also the number of an answer. Of each kind,
   those about water come before those about money. */
static const char *const vocabulary[WORDS] = {
    "river",   "fish",    "boat",     "shore",  "lake",   "wave",   "net",    "stone",  // water
    "broker",  "account", "market",   "client", "lender", "price",  "profit", "bond",   // money
    "floods",  "carries", "cools",    "drowns", "washes", "feeds",  // what they do
    "pays",    "owes",    "buys",     "sells",  "audits", "taxes",  "deep",   "wet",
    "cold",    "muddy",   "clear",    "calm",  // how they are
    "rich",    "cheap",   "costly",   "poor",   "legal",  "fiscal", "bank",   "current",
    "deposit", "pool",  // both
    "the",     "and",     "(hidden)",
};
enum { LONGEST = 10 };

struct sentence {
    int n, words[LONGEST];
    int topic, answer; /* the noun that is hidden */
    int face;          /* where the word stands that both topics use */
};

static void say(struct sentence *s, int word) {
    s->words[s->n++] = word;
}

static int any(struct random *r, int first, int count, int topic) {
    return first + topic * count + random_below(r, count);
}

/* "the (wet) river floods the bank and the boat", one of the two nouns hidden; the word of two
   faces may come first. */
static struct sentence draw_sentence(struct random *r, int topic, int face) {
    struct sentence s = {.topic = topic, .answer = any(r, 0, PER_TOPIC, topic)};
    int nouns[2] = {HIDDEN, any(r, 0, PER_TOPIC, topic)}, first = random_below(r, 2);
    bool face_first = random_below(r, 2);
    say(&s, THE);
    if (random_below(r, 2))
        say(&s, any(r, ADJECTIVES, SAID, topic));
    s.face = s.n;
    say(&s, face_first ? face : nouns[first]);
    say(&s, any(r, VERBS, SAID, topic));
    say(&s, THE);
    say(&s, any(r, ADJECTIVES, SAID, topic));
    if (!face_first)
        s.face = s.n;
    say(&s, face_first ? nouns[first] : face);
    say(&s, AND);
    say(&s, THE);
    say(&s, nouns[1 - first]);
    return s;
}

/* --- The network ----------------------------------------------------------------------------- */

enum { BLOCKS = 2, D_MODEL = 32, HEADS = 4, D_FF = 64 };

struct network {
    void *table; /* [WORDS][D_MODEL]: the words, to be read and to be compared with */
    struct encoder_block block[BLOCKS];
};
struct thought {
    void *read; /* [BLOCKS + 1][n][D_MODEL]: before, between and after the blocks */
    struct encoder_values block[BLOCKS];
    void *logits; /* [n][NOUNS] */
};

static struct network take_network(struct room *room) {
    struct network net = {.table = take(room, WORDS * D_MODEL)};
    for (int b = 0; b < BLOCKS; b++)
        net.block[b] = take_encoder_block(room, D_MODEL, HEADS, D_FF);
    return net;
}

static struct thought take_thought(struct room *room, const struct network *net, int n) {
    struct thought t = {.read = take(room, (BLOCKS + 1) * n * D_MODEL)};
    for (int b = 0; b < BLOCKS; b++)
        t.block[b] = take_encoder_values(room, &net->block[b], n);
    t.logits = take(room, n * NOUNS);
    return t;
}

static void think(const struct network *net, const struct sentence *s, const struct thought *t) {
    double(*read)[s->n][D_MODEL] = t->read;
    embed(s->n, WORDS, D_MODEL, sqrt(D_MODEL), s->words, net->table, read[0]);
    for (int b = 0; b < BLOCKS; b++)
        encoder_block(s->n, &net->block[b], read[b], NULL, &t->block[b], read[b + 1]);
    dot_scores(s->n, NOUNS, D_MODEL, read[BLOCKS], net->table, t->logits);
}

/* The mean loss of the words, each asked for the hidden noun. */
static double loss_of(const struct sentence *s, const struct thought *t) {
    double(*logits)[NOUNS] = t->logits, loss = 0.0;
    for (int i = 0; i < s->n; i++)
        loss += cross_entropy(NOUNS, logits[i], s->answer) / s->n;
    return loss;
}

static void think_backward(const struct network *net, const struct sentence *s,
                           const struct thought *t, const struct thought *d_t,
                           const struct network *d_net) {
    double(*logits)[NOUNS] = t->logits, (*d_logits)[NOUNS] = d_t->logits;
    double(*read)[s->n][D_MODEL] = t->read, (*d_read)[s->n][D_MODEL] = d_t->read;
    for (int i = 0; i < s->n; i++) {
        cross_entropy_backward(NOUNS, logits[i], s->answer, d_logits[i]);
        for (int w = 0; w < NOUNS; w++)
            d_logits[i][w] /= s->n;
    }
    dot_scores_backward(s->n, NOUNS, D_MODEL, read[BLOCKS], net->table, d_logits, d_read[BLOCKS],
                        d_net->table);
    for (int b = BLOCKS - 1; b >= 0; b--)
        encoder_block_backward(s->n, &net->block[b], NULL, &t->block[b], d_read[b + 1],
                               &d_t->block[b], &d_net->block[b], d_read[b]);
    embed_backward(s->n, WORDS, D_MODEL, sqrt(D_MODEL), s->words, d_read[0], d_net->table);
}

/* --- Before training ------------------------------------------------------------------------- */

static void draw_matrix(struct random *r, int rows, int columns, void *matrix) {
    double *number = random_fill_normal(r, rows * columns, matrix);
    for (int i = 0; i < rows * columns; i++)
        number[i] /= sqrt(rows);
}

static void start_block(struct random *r, const struct encoder_block *w) {
    for (int c = 0; c < D_MODEL; c++)
        w->self.gain[c] = w->forward.gain[c] = 1.0;
    draw_matrix(r, D_MODEL, D_MODEL, w->self.heads.W_q);
    draw_matrix(r, D_MODEL, D_MODEL, w->self.heads.W_k);
    draw_matrix(r, D_MODEL, D_MODEL, w->self.heads.W_v);
    draw_matrix(r, D_MODEL, D_MODEL, w->self.heads.W_o);
    draw_matrix(r, D_MODEL, D_FF, w->forward.W_1);
    draw_matrix(r, D_FF, D_MODEL, w->forward.W_2);
}

/* Biases stay 0. A word's numbers are small for comparing, and sqrt(D_MODEL) larger for reading. */
static void start(struct random *r, const struct network *net) {
    double *number = random_fill_normal(r, WORDS * D_MODEL, net->table);
    for (int i = 0; i < WORDS * D_MODEL; i++)
        number[i] /= sqrt(D_MODEL);
    for (int b = 0; b < BLOCKS; b++)
        start_block(r, &net->block[b]);
}

/* --- The training ---------------------------------------------------------------------------- */

enum { STEPS = 600, BATCH = 16, ROW = 10, MATRICES = 6, MEASURES = 1 + BLOCKS * MATRICES };
static const double highest_rate = 0.005;

struct training {
    struct random random;
    int step, steps;
    struct trainee trainee;
    struct network net, d_net;
    double *values, *d_values; /* room for the longest sentence */
};

static struct training new_training(void) {
    struct training t = {.random = random_seed(seed_wanted()), .steps = steps_wanted(STEPS, 150)};
    struct room count = {NULL, 0}, most = {NULL, 0};
    struct network sizes = take_network(&count);
    take_thought(&most, &sizes, LONGEST);
    t.trainee = trainee_new(count.used);
    t.net = take_network(&(struct room){t.trainee.weights, 0});
    t.d_net = take_network(&(struct room){t.trainee.gradient, 0});
    t.values = zeroes((size_t)most.used * sizeof(double));
    t.d_values = zeroes((size_t)most.used * sizeof(double));
    start(&t.random, &t.net);
    return t;
}

static struct thought think_of(const struct training *t, const struct sentence *s) {
    struct thought thought = take_thought(&(struct room){t->values, 0}, &t->net, s->n);
    think(&t->net, s, &thought);
    return thought;
}

/* Adds the gradient of one sentence; returns its loss. */
static double learn_from(struct training *t, const struct sentence *s) {
    struct room room = {t->d_values, 0};
    struct thought thought = think_of(t, s), d_thought = take_thought(&room, &t->net, s->n);
    memset(t->d_values, 0, (size_t)room.used * sizeof(double));
    think_backward(&t->net, s, &thought, &d_thought, &t->d_net);
    return loss_of(s, &thought);
}

static double length(int count, const double *numbers) {
    return sqrt(dot(count, numbers, numbers));
}

/* How long the gradient of each matrix is. */
static void measure(const struct network *d_net, double lengths[BLOCKS * MATRICES]) {
    for (int b = 0; b < BLOCKS; b++) {
        const struct multi_head *heads = &d_net->block[b].self.heads;
        const struct forward_layer *forward = &d_net->block[b].forward;
        const void *matrix[] = {heads->W_q, heads->W_k, heads->W_v, heads->W_o};
        for (int i = 0; i < 4; i++)
            *lengths++ = length(D_MODEL * D_MODEL, matrix[i]);
        *lengths++ = length(D_MODEL * D_FF, forward->W_1);
        *lengths++ = length(D_FF * D_MODEL, forward->W_2);
    }
}

/* One step of Adam; measured: the loss, and the lengths. */
static void train(struct training *t, double measured[MEASURES]) {
    struct trainee *of = &t->trainee;
    double rate = rate_at(t->step, t->steps, 0.05 * t->steps, highest_rate);
    memset(of->gradient, 0, (size_t)of->count * sizeof(double));
    measured[0] = 0.0;
    for (int b = 0; b < BATCH; b++) {
        struct sentence s = draw_sentence(&t->random, random_below(&t->random, TOPICS),
                                          FACES + random_below(&t->random, TWO_FACED));
        measured[0] += learn_from(t, &s) / BATCH;
    }
    gather_gradient(of->count, BATCH, of->gradient);
    measure(&t->d_net, measured + 1);
    adam_step(of->count, ++t->step, rate, of->gradient, of->mean, of->square, of->weights);
}

/* Until the end, or Ctrl-C. A row of the table is the mean of ROW steps. */
static void train_all(struct training *t, FILE *table) {
    while (t->step < t->steps && !is_stopped()) {
        double row[1 + MEASURES] = {t->step}, measured[MEASURES];
        int until = t->step + ROW < t->steps ? t->step + ROW : t->steps, taken = until - t->step;
        while (t->step < until) {
            train(t, measured);
            for (int m = 0; m < MEASURES; m++)
                row[1 + m] += measured[m] / taken;
        }
        columns_row(table, NULL, 1 + MEASURES, row);
        progress(t->step, t->steps, "loss %.4f", row[1]);
    }
}

/* --- The examination ------------------------------------------------------------------------- */

enum { EXAMINED = 400, LAYERS = BLOCKS + 1 };

/* What becomes of the words: the nouns' mean vectors behind each block, and each sentence's word of
   two faces. Behind no block yet stands the word's own vector, its static one. */
struct exam {
    double loss;
    int count[NOUNS], face[EXAMINED], topic[EXAMINED];
    double noun[LAYERS][NOUNS][D_MODEL];
    double faced[LAYERS][EXAMINED][D_MODEL];
};

static void add_to(double sum[D_MODEL], const double vector[D_MODEL], double factor) {
    for (int c = 0; c < D_MODEL; c++)
        sum[c] += factor * vector[c];
}

static void look_into(struct exam *e, int which, const struct sentence *s,
                      const struct thought *t) {
    double(*read)[s->n][D_MODEL] = t->read;
    e->topic[which] = s->topic;
    e->face[which] = s->words[s->face] - FACES;
    e->loss += loss_of(s, t) / EXAMINED;
    for (int layer = 0; layer < LAYERS; layer++) {
        memcpy(e->faced[layer][which], read[layer][s->face], sizeof e->faced[0][0]);
        for (int i = 0; i < s->n; i++)
            if (s->words[i] < NOUNS)
                add_to(e->noun[layer][s->words[i]], read[layer][i], 1.0);
    }
    for (int i = 0; i < s->n; i++)
        if (s->words[i] < NOUNS)
            e->count[s->words[i]]++;
}

/* New sentences; topics and the words of two faces take turns. */
static void examine(const struct training *t, struct exam *e) {
    struct random r = random_seed(11);
    memset(e, 0, sizeof *e);
    for (int i = 0; i < EXAMINED; i++) {
        struct sentence s = draw_sentence(&r, i % TOPICS, FACES + i / TOPICS % TWO_FACED);
        struct thought thought = think_of(t, &s);
        look_into(e, i, &s, &thought);
    }
    for (int layer = 0; layer < LAYERS; layer++)
        for (int w = 0; w < NOUNS; w++)
            for (int c = 0; c < D_MODEL; c++)
                e->noun[layer][w][c] /= e->count[w];
}

/* Is the noun that is nearest to the word a noun of its topic? Nobody trained this question. */
static bool probe_is_right(const struct exam *e, int layer, int which) {
    int nearest = 0;
    double best = -2.0;
    for (int w = 0; w < NOUNS; w++) {
        double near = cosine_similarity(D_MODEL, e->faced[layer][which], e->noun[layer][w]);
        if (near > best) {
            best = near;
            nearest = w;
        }
    }
    return nearest / PER_TOPIC == e->topic[which];
}

static double share_right(const struct exam *e, int layer) {
    int right = 0;
    for (int i = 0; i < EXAMINED; i++)
        right += probe_is_right(e, layer, i);
    return (double)right / EXAMINED;
}

/* The mean cosine of one such word in two sentences, of one topic or of two. */
static double mean_cosine(const struct exam *e, int layer, bool same) {
    double sum = 0.0;
    int pairs = 0;
    for (int i = 0; i < EXAMINED; i++)
        for (int j = 0; j < i; j++)
            if (e->face[i] == e->face[j] && (e->topic[i] == e->topic[j]) == same) {
                sum += cosine_similarity(D_MODEL, e->faced[layer][i], e->faced[layer][j]);
                pairs++;
            }
    return sum / pairs;
}

/* Where a vector stands on the line through the two topics: 0 at the mean of the nouns of water, 1
   at that of the nouns of money. */
static double place_on_line(const struct exam *e, int layer, const double vector[D_MODEL]) {
    double from[D_MODEL] = {0}, line[D_MODEL] = {0}, way[D_MODEL] = {0};
    for (int w = 0; w < NOUNS; w++) {
        bool money = w >= PER_TOPIC;
        add_to(line, e->noun[layer][w], (money ? 1.0 : -1.0) / PER_TOPIC);
        if (!money)
            add_to(from, e->noun[layer][w], 1.0 / PER_TOPIC);
    }
    add_to(way, vector, 1.0);
    add_to(way, from, -1.0);
    return dot(D_MODEL, way, line) / dot(D_MODEL, line, line);
}

/* How far such a word goes from the middle of its two meanings towards its topic. */
static double mean_shift(const struct exam *e, int layer) {
    double sum = 0.0;
    for (int i = 0; i < EXAMINED; i++)
        sum += (e->topic[i] ? 1.0 : -1.0) * place_on_line(e, layer, e->faced[layer][i]) / EXAMINED;
    return sum;
}

/* --- What is kept of it ---------------------------------------------------------------------- */

static void write_places(const char *folder, const struct exam *e) {
    FILE *table = columns_open(folder, "bank.dat", "word topic layer_0 layer_1 layer_2");
    for (int i = 0; i < EXAMINED; i++) {
        double row[1 + LAYERS] = {e->topic[i]};
        for (int layer = 0; layer < LAYERS; layer++)
            row[1 + layer] = place_on_line(e, layer, e->faced[layer][i]);
        columns_row(table, vocabulary[FACES + e->face[i]], 1 + LAYERS, row);
    }
    columns_close(table);
}

static void write_cosines(const char *folder, const struct exam *e) {
    FILE *table = columns_open(folder, "cosine.dat", "layer same other");
    for (int layer = 0; layer < LAYERS; layer++) {
        double row[] = {layer, mean_cosine(e, layer, true), mean_cosine(e, layer, false)};
        columns_row(table, NULL, 3, row);
    }
    columns_close(table);
}

/* Where "bank" looks: a row for each head of each block. */
static void write_weights(const char *folder, const char *file, const struct training *t,
                          int topic) {
    struct random r = random_seed(2);
    struct sentence s = draw_sentence(&r, topic, FACES);
    struct thought thought = think_of(t, &s);
    FILE *table = columns_open(folder, file, NULL);
    fprintf(table, "head");
    for (int i = 0; i < s.n; i++)
        fprintf(table, " %s", vocabulary[s.words[i]]);
    fputc('\n', table);
    for (int b = 0; b < BLOCKS; b++)
        for (int h = 0; h < HEADS; h++) {
            double(*weights)[s.n][s.n] = thought.block[b].self.heads.weights;
            char label[20];
            snprintf(label, sizeof label, "%d.%d", b + 1, h + 1);
            columns_row(table, label, s.n, weights[h][s.face]);
        }
    columns_close(table);
}

static void tell_result(FILE *to, const struct training *t, const struct exam *e) {
    if (t->step < STEPS)
        fprintf(to, "Not the whole training: %s.\n",
                is_stopped() ? "it was stopped" : "QUICK or STEPS");
    fprintf(to,
            "%d new sentences: loss %.4f\n"
            "    it would be %.4f for who knows the topic, %.4f for who does not\n",
            EXAMINED, e->loss, log(PER_TOPIC), log(NOUNS));
    fprintf(to,
            "bank, current, deposit and pool      before the blocks   behind the last\n"
            "    nearest noun is of their topic         %9.3f         %9.3f\n"
            "    cosine, two sentences of one topic     %9.3f         %9.3f\n"
            "    cosine, sentences of two topics        %9.3f         %9.3f\n"
            "    way from the middle to the topic       %9.3f         %9.3f\n",
            share_right(e, 0), share_right(e, BLOCKS), mean_cosine(e, 0, true),
            mean_cosine(e, BLOCKS, true), mean_cosine(e, 0, false), mean_cosine(e, BLOCKS, false),
            mean_shift(e, 0), mean_shift(e, BLOCKS));
    fprintf(to, "SEED=%llu\n", (unsigned long long)seed_wanted());
}

/* The status that says: stopped, and the network was not trained to its end. */
enum { NOTHING_WHOLE = 3 };

int main(int argc, char **argv) {
    static struct exam e;
    if (argc != 2) {
        fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s FOLDER\n", argv[0]);
        return 2;
    }
    struct training t = new_training();
    stop_at_ctrl_c();
    printf("%d parameters, %d steps of %d sentences\n", t.trainee.count, t.steps, BATCH);
    FILE *table =
        columns_open(argv[1], "training.dat",
                     "step loss W_q1 W_k1 W_v1 W_o1 W_11 W_21 W_q2 W_k2 W_v2 W_o2 W_12 W_22");
    train_all(&t, table);
    columns_close(table);
    examine(&t, &e);
    write_places(argv[1], &e);
    write_cosines(argv[1], &e);
    write_weights(argv[1], "water.dat", &t, 0);
    write_weights(argv[1], "money.dat", &t, 1);
    FILE *for_report = columns_open(argv[1], "result.txt", NULL);
    tell_result(for_report, &t, &e);
    columns_close(for_report);
    tell_result(stdout, &t, &e);
    return t.step < t.steps ? NOTHING_WHOLE : 0;
}
