/* The milestone of lesson 11: one word, two meanings.

       the river floods the deep bank and the ...        the bank of the river
       the broker pays the rich bank and the ...         the bank with the money

   One of the two nouns of a sentence is hidden, and every word of the sentence is asked which it
   was. Nobody says what a topic is, or that "bank" has two. Four networks of two blocks learn it:
   one that looks around and thinks; one that only looks; one that only thinks; and one that is
   asked at the gap alone. All arithmetic is done by the functions of lessons 01 to 11, yours where
   you have passed them. `make run-11` trains the four; `make plot-11` draws what happened. */
#include "milestone/reader.h"

#include "columns.h"
#include "dot_product.h"
#include "progress.h"
#include "self_attention.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Four trainings -------------------------------------------------------------------------- */

enum { STEPS = 600, QUICK_STEPS = 300, MOMENTS = 60 };
enum { PARTS = 3, LENGTHS = BLOCKS * PARTS };
static const double highest_rate = 0.005;

/* So many sentences for each step. */
static int batch(void) {
    return is_short_run() ? 8 : 16;
}

/* One of the four. What does not look has W_o = 0 all the time, what does not think W_2 = 0. */
struct kind {
    const char *name;
    bool looks, thinks, asked_everywhere;
};
enum { BOTH, ONLY_LOOKS, ONLY_THINKS, ASKED_AT_GAP, KINDS };
static const struct kind kinds[KINDS] = {
    {"looks and thinks", true, true, true},
    {"only looks", true, false, true},
    {"only thinks", false, true, true},
    {"asked at the gap only", true, true, false},
};

enum { EXAMINED = 400, LAYERS = BLOCKS + 1 };

/* What becomes of the words: the nouns' mean vectors behind each block, and each sentence's word of
   two faces. Behind no block yet stands the word's own vector, its static one. */
struct exam {
    double gap_loss, face_loss;
    int count[NOUNS], face[EXAMINED], topic[EXAMINED];
    double noun[LAYERS][NOUNS][D_MODEL];
    double faced[LAYERS][EXAMINED][D_MODEL];
};

/* What a part of the training is like, on average: the loss of "bank" and the like, and how long
   the gradients of each block are. */
struct moment {
    double step, face_loss, length[LENGTHS];
};

struct course {
    const struct kind *kind;
    struct random random;
    int step;
    bool trained; /* for some steps at least */
    struct trainee trainee;
    struct reader w, d_w;
    double *values, *d_values; /* room for the longest sentence */
    int moments;
    struct moment moment[MOMENTS];
    struct exam exam;
};

/* All start from the same weights and read the same sentences. */
static void start(struct course *c, const struct kind *kind) {
    struct room weights = {NULL, 0}, values = {NULL, 0};
    c->w = take_reader(&weights);
    take_reader_values(&values, &c->w, LONGEST);
    c->kind = kind;
    c->random = random_seed(seed_wanted());
    c->trainee = trainee_new(weights.used);
    c->w = take_reader(&(struct room){c->trainee.weights, 0});
    c->d_w = take_reader(&(struct room){c->trainee.gradient, 0});
    c->values = zeroes((size_t)values.used * sizeof(double));
    c->d_values = zeroes((size_t)values.used * sizeof(double));
    reader_start(&c->w, &c->random);
}

/* Weights or gradients of what does not look, or not think, are 0. */
static void silence(const struct kind *kind, const struct reader *w) {
    for (int b = 0; b < BLOCKS; b++) {
        if (!kind->looks)
            memset(w->block[b].self.heads.W_o, 0, sizeof(double[D_MODEL][D_MODEL]));
        if (!kind->thinks) {
            memset(w->block[b].forward.W_2, 0, sizeof(double[D_FF][D_MODEL]));
            memset(w->block[b].forward.b_2, 0, sizeof(double[D_MODEL]));
        }
    }
}

static struct reader_values read_into(const struct course *c, const struct sentence *s) {
    struct reader_values v = take_reader_values(&(struct room){c->values, 0}, &c->w, s->n);
    read_sentence(&c->w, s, &v);
    return v;
}

/* The loss of the word at a place, asked for the hidden noun. */
static double loss_at(int place, const struct sentence *s, const struct reader_values *v) {
    const double(*logits)[NOUNS] = v->logits;
    return cross_entropy(NOUNS, logits[place], s->answer);
}

/* Adds the gradient of one sentence: of the mean loss of its words, or of the gap's. Returns the
   loss of the word of two faces. */
static double learn_from(struct course *c, const struct sentence *s) {
    struct room room = {c->d_values, 0};
    struct reader_values v = read_into(c, s), d_v = take_reader_values(&room, &c->w, s->n);
    memset(c->d_values, 0, (size_t)room.used * sizeof(double));
    double(*logits)[NOUNS] = v.logits, (*d_logits)[NOUNS] = d_v.logits;
    for (int i = 0; i < s->n; i++) {
        double counts = c->kind->asked_everywhere ? 1.0 / s->n : i == s->gap;
        cross_entropy_backward(NOUNS, logits[i], s->answer, d_logits[i]);
        for (int noun = 0; noun < NOUNS; noun++)
            d_logits[i][noun] *= counts;
    }
    read_sentence_backward(&c->w, s, &v, &d_v, &c->d_w);
    return loss_at(s->face, s, &v);
}

static double length(int count, const double *numbers) {
    return sqrt(dot(count, numbers, numbers));
}

/* How long the gradients are of where to look, of what to fetch, and of thinking. In each block the
   matrices lie side by side: W_q and W_k, W_v and W_o, W_1, b_1 and W_2. */
static void add_lengths(const struct reader *d_w, double lengths[LENGTHS]) {
    for (int b = 0; b < BLOCKS; b++) {
        const struct encoder_block *block = &d_w->block[b];
        *lengths++ += length(2 * D_MODEL * D_MODEL, block->self.heads.W_q);
        *lengths++ += length(2 * D_MODEL * D_MODEL, block->self.heads.W_v);
        *lengths++ += length((2 * D_MODEL + 1) * D_FF, block->forward.W_1);
    }
}

/* One step of Adam. */
static void take_step(struct course *c, int steps, struct moment *now) {
    struct trainee *t = &c->trainee;
    const int sentences = batch();
    double rate = rate_at(c->step, steps, 0.05 * steps, highest_rate);
    memset(t->gradient, 0, (size_t)t->count * sizeof(double));
    for (int b = 0; b < sentences; b++) {
        int topic = random_below(&c->random, TOPICS), face = random_below(&c->random, TWO_FACED);
        struct sentence s = draw_sentence(&c->random, topic, FACES + face);
        now->face_loss += learn_from(c, &s) / sentences;
    }
    silence(c->kind, &c->d_w);
    gather_gradient(t->count, sentences, t->gradient);
    add_lengths(&c->d_w, now->length);
    adam_step(t->count, ++c->step, rate, t->gradient, t->mean, t->square, t->weights);
}

/* Makes the sums of its steps means, and keeps it. */
static void end_moment(struct course *c, int taken, int steps, struct moment *now) {
    char text[41];
    now->step = c->step;
    now->face_loss /= taken;
    for (int i = 0; i < LENGTHS; i++)
        now->length[i] /= taken;
    c->moment[c->moments++] = *now;
    snprintf(text, sizeof text, "%s: bank %.3f", c->kind->name, now->face_loss);
    if (!is_stopped())
        progress_more(taken, KINDS * steps, text);
}

/* To the end, or until Ctrl-C. One that begins after that takes one step, so that its tables are
   there, and counts for nothing. */
static void train(struct course *c, int steps) {
    c->trained = !is_stopped();
    silence(c->kind, &c->w);
    for (int m = 0; m < MOMENTS && (c->step == 0 || !is_stopped()); m++) {
        struct moment now = {0};
        int until = (int)((long)steps * (m + 1) / MOMENTS), from = c->step;
        while (c->step < until && (c->step == 0 || !is_stopped()))
            take_step(c, steps, &now);
        if (c->step > from)
            end_moment(c, c->step - from, steps, &now);
    }
}

/* --- The examination ------------------------------------------------------------------------- */

static void add_to(double sum[D_MODEL], const double vector[D_MODEL], double factor) {
    for (int c = 0; c < D_MODEL; c++)
        sum[c] += factor * vector[c];
}

static void look_into(struct exam *e, int which, const struct sentence *s,
                      const struct reader_values *v) {
    e->topic[which] = s->topic;
    e->face[which] = s->words[s->face] - FACES;
    e->gap_loss += loss_at(s->gap, s, v) / EXAMINED;
    e->face_loss += loss_at(s->face, s, v) / EXAMINED;
    for (int layer = 0; layer < LAYERS; layer++) {
        const double(*X)[D_MODEL] = v->X[layer];
        memcpy(e->faced[layer][which], X[s->face], sizeof X[0]);
        for (int i = 0; i < s->n; i++)
            if (s->words[i] < NOUNS)
                add_to(e->noun[layer][s->words[i]], X[i], 1.0);
    }
    for (int i = 0; i < s->n; i++)
        if (s->words[i] < NOUNS)
            e->count[s->words[i]]++;
}

/* New sentences; topics and the words of two faces take turns. */
static void examine(struct course *c) {
    struct exam *e = &c->exam;
    struct random r = random_seed(11);
    for (int i = 0; i < EXAMINED; i++) {
        struct sentence s = draw_sentence(&r, i % TOPICS, FACES + i / TOPICS % TWO_FACED);
        struct reader_values v = read_into(c, &s);
        look_into(e, i, &s, &v);
    }
    for (int layer = 0; layer < LAYERS; layer++)
        for (int noun = 0; noun < NOUNS; noun++)
            for (int d = 0; d < D_MODEL; d++)
                e->noun[layer][noun][d] /= e->count[noun];
}

/* The nouns whose mean vectors are nearest to a vector, the nearest first. */
enum { NEAR = 3 };
static void find_nearest(const struct exam *e, int layer, const double vector[D_MODEL],
                         int nearest[NEAR]) {
    double cosine[NOUNS];
    for (int noun = 0; noun < NOUNS; noun++)
        cosine[noun] = cosine_similarity(D_MODEL, vector, e->noun[layer][noun]);
    for (int i = 0; i < NEAR; i++) {
        nearest[i] = 0;
        for (int noun = 1; noun < NOUNS; noun++)
            if (cosine[noun] > cosine[nearest[i]])
                nearest[i] = noun;
        cosine[nearest[i]] = -2.0;
    }
}

/* Is the nearest noun one of the word's topic? Nobody trained this question. */
static double share_right(const struct exam *e, int layer) {
    int right = 0;
    for (int i = 0; i < EXAMINED; i++) {
        int nearest[NEAR];
        find_nearest(e, layer, e->faced[layer][i], nearest);
        right += nearest[0] / PER_TOPIC == e->topic[i];
    }
    return (double)right / EXAMINED;
}

/* The mean cosine of one word of two faces in two sentences, of one topic or of two. */
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
    for (int noun = 0; noun < NOUNS; noun++) {
        bool money = noun >= PER_TOPIC;
        add_to(line, e->noun[layer][noun], (money ? 1.0 : -1.0) / PER_TOPIC);
        if (!money)
            add_to(from, e->noun[layer][noun], 1.0 / PER_TOPIC);
    }
    add_to(way, vector, 1.0);
    add_to(way, from, -1.0);
    return dot(D_MODEL, way, line) / dot(D_MODEL, line, line);
}

/* --- What is kept of it ---------------------------------------------------------------------- */

static void write_losses(const char *folder, const struct course all[KINDS]) {
    FILE *table = columns_open(folder, "loss.dat", "step both looks thinks gap");
    for (int m = 0; m < all[BOTH].moments; m++) {
        double row[1 + KINDS] = {all[BOTH].moment[m].step};
        for (int k = 0; k < KINDS; k++)
            row[1 + k] = m < all[k].moments ? all[k].moment[m].face_loss : (double)NAN;
        columns_row(table, NULL, 1 + KINDS, row);
    }
    columns_close(table);
}

static void write_gradients(const char *folder, const struct course *c) {
    FILE *table =
        columns_open(folder, "gradients.dat", "step look1 fetch1 think1 look2 fetch2 think2");
    for (int m = 0; m < c->moments; m++) {
        double row[1 + LENGTHS] = {c->moment[m].step};
        memcpy(row + 1, c->moment[m].length, sizeof c->moment[m].length);
        columns_row(table, NULL, 1 + LENGTHS, row);
    }
    columns_close(table);
}

static void write_places(const char *folder, const struct exam *e) {
    FILE *table = columns_open(folder, "bank.dat", "word face topic layer_0 layer_1 layer_2");
    for (int i = 0; i < EXAMINED; i++) {
        double row[2 + LAYERS] = {e->face[i], e->topic[i]};
        for (int layer = 0; layer < LAYERS; layer++)
            row[2 + layer] = place_on_line(e, layer, e->faced[layer][i]);
        columns_row(table, word_names[FACES + e->face[i]], 2 + LAYERS, row);
    }
    columns_close(table);
}

static void write_cosines(const char *folder, const struct course all[KINDS]) {
    FILE *table = columns_open(folder, "cosine.dat", "layer same other gap_same gap_other");
    for (int layer = 0; layer < LAYERS; layer++) {
        double row[5] = {layer};
        for (int same = 0; same < 2; same++) {
            row[2 - same] = mean_cosine(&all[BOTH].exam, layer, same);
            row[4 - same] = mean_cosine(&all[ASKED_AT_GAP].exam, layer, same);
        }
        columns_row(table, NULL, 5, row);
    }
    columns_close(table);
}

/* Where "bank" looks in our sentence about water: a row for each head of each block. */
static void write_weights(const char *folder, const struct course *c) {
    struct sentence s = our_sentence(0);
    struct reader_values v = read_into(c, &s);
    FILE *table = columns_open(folder, "weights.dat", NULL);
    fprintf(table, "head");
    for (int i = 0; i < s.n; i++)
        fprintf(table, " %s", word_names[s.words[i]]);
    fputc('\n', table);
    for (int b = 0; b < BLOCKS; b++)
        for (int h = 0; h < HEADS; h++) {
            const double(*weights)[s.n][s.n] = v.block[b].self.heads.weights;
            char label[40];
            snprintf(label, sizeof label, "block %d, head %d", b + 1, h);
            columns_row(table, label, s.n, weights[h][s.face]);
        }
    columns_close(table);
}

/* --- The result ------------------------------------------------------------------------------ */

static void tell_probe(FILE *to, const struct exam *e, int layer) {
    fprintf(to, "%10.3f %13.3f %11.3f\n", share_right(e, layer), mean_cosine(e, layer, true),
            mean_cosine(e, layer, false));
}

static void tell_course(FILE *to, const struct course *c) {
    fprintf(to, "  %-23s", c->kind->name);
    if (!c->trained) {
        fprintf(to, "%9s\n", "-");
        return;
    }
    fprintf(to, "%9.4f %8.4f", c->exam.gap_loss, c->exam.face_loss);
    tell_probe(to, &c->exam, BLOCKS);
}

/* "lake, wave, fish": the nouns that are nearest to the word of two faces in our sentence. */
static void tell_nearest(FILE *to, const struct course *c, int topic, int layer) {
    struct sentence s = our_sentence(topic);
    struct reader_values v = read_into(c, &s);
    const double(*X)[D_MODEL] = v.X[layer];
    int nearest[NEAR];
    find_nearest(&c->exam, layer, X[s.face], nearest);
    for (int i = 0; i < NEAR; i++)
        fprintf(to, "%s%s", i ? ", " : " ", word_names[nearest[i]]);
    fputc('\n', to);
}

static void tell_bank(FILE *to, const struct course *c) {
    fputs("Nearest to \"bank\", of all nouns:\n", to);
    fprintf(to, "  %-46s", "before the blocks, in any sentence");
    tell_nearest(to, c, 0, 0);
    fprintf(to, "  %-46s", "the ... floods the deep bank and the river");
    tell_nearest(to, c, 0, BLOCKS);
    fprintf(to, "  %-46s", "the ... pays the rich bank and the broker");
    tell_nearest(to, c, 1, BLOCKS);
}

static void tell(FILE *to, const void *of) {
    const struct course *all = of;
    fprintf(to,
            "%d new sentences, half about water, half about money. A word that is asked\n"
            "for the hidden noun loses log %d = %.4f if it knows the topic, and log %d =\n"
            "%.4f if not. \"bank\" is any of bank, current, deposit and pool.\n\n",
            EXAMINED, PER_TOPIC, log(PER_TOPIC), NOUNS, log(NOUNS));
    fprintf(to, "%33s %19s %25s\n", "loss, asked at", "nearest noun", "cosine of two \"bank\"s");
    fprintf(to, "%34s %8s%10s %13s %11s\n", "the gap", "bank", "right", "of one topic", "of two");
    fprintf(to, "  %-40s", "before the blocks");
    tell_probe(to, &all[BOTH].exam, 0);
    for (int k = 0; k < KINDS; k++)
        tell_course(to, &all[k]);
    fputc('\n', to);
    tell_bank(to, &all[BOTH]);
}

/* The tables for the pictures. */
/* For a page (make play-11): the words, each with its row of the table, and the blocks behind them,
   of the network that looks and thinks. */
static void keep_numbers(const char *folder, const struct course *c) {
    FILE *table = columns_open(folder, "network.dat", NULL);
    const double *numbers = c->trainee.weights;
    for (int w = 0; w < WORDS; w++, numbers += D_MODEL)
        columns_row(table, word_names[w], D_MODEL, numbers);
    columns_row(table, "blocks", c->trainee.count - WORDS * D_MODEL, numbers);
    columns_close(table);
}

static void write_all(const char *folder, const struct course all[KINDS]) {
    write_losses(folder, all);
    write_gradients(folder, &all[BOTH]);
    write_places(folder, &all[BOTH].exam);
    write_cosines(folder, all);
    write_weights(folder, &all[BOTH]);
    keep_numbers(folder, &all[BOTH]);
}

/* On two threads, if there are: no course knows of another. */
static void train_all(struct course all[KINDS], int steps) {
    printf("%d networks of %d numbers, %d steps each. Ctrl-C keeps what is there.\n", KINDS,
           all[BOTH].trainee.count, steps);
#ifdef _OPENMP
#pragma omp parallel for schedule(monotonic : dynamic)
#endif
    for (int k = 0; k < KINDS; k++) {
        train(&all[k], steps);
        examine(&all[k]);
    }
}

static int run(const char *folder) {
    static struct course all[KINDS];
    double began = seconds();
    int steps = steps_wanted(STEPS, QUICK_STEPS);
    bool any_whole = false;
    for (int k = 0; k < KINDS; k++)
        start(&all[k], &kinds[k]);
    train_all(all, steps);
    tell_if_stopped();
    write_all(folder, all);
    tell_result(folder, is_short_run() ? "QUICK or STEPS" : NULL, tell, all);
    printf("%.0f seconds in all.\n", seconds() - began);
    for (int k = 0; k < KINDS; k++)
        any_whole = any_whole || (all[k].trained && all[k].step == steps);
    return any_whole ? 0 : NOTHING_WHOLE;
}

int main(int argc, char **argv) {
    return milestone_main(argc, argv, &(struct milestone){.run = run});
}
