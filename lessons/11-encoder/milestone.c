/* The milestone of lesson 11: one word with two meanings.

       the river floods the deep bank and the ...        the bank of the river
       the broker pays the rich bank and the ...         the bank with the money

   One of the two nouns of a sentence is hidden, and at every position the network has to say which
   noun it was. The topic of the sentence is not given, nor that "bank" has two meanings. Four
   networks of two blocks learn this task: one has attention and feed-forward layers, one has only
   attention, one has only feed-forward layers, and one is trained at the gap only. All arithmetic
   is done by the functions of lessons 01 to 11, by yours where you have passed them. `make run-11`
   trains the four, and `make plot-11` draws the results. */
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

/* The number of sentences in a mini-batch. */
static int batch(void) {
    return is_short_run() ? 8 : 16;
}

/* One of the four networks. Without attention W_o stays 0, without feed-forward W_2 and b_2 do. */
struct kind {
    const char *name;
    bool attention, forward, everywhere;
};
enum { BOTH, ONLY_ATTENTION, ONLY_FORWARD, GAP_ONLY, KINDS };
static const struct kind kinds[KINDS] = {
    {"both", true, true, true},
    {"only attention", true, false, true},
    {"only feed-forward", false, true, true},
    {"both, at the gap only", true, true, false},
};

enum { EXAMINED = 400, LAYERS = BLOCKS + 1 };

/* The results of the test: the mean vector of each noun after each block, and the vector of the
   word with two meanings in each sentence. Layer 0 is the embedding, before the blocks. */
struct exam {
    double gap_loss, face_loss;
    int count[NOUNS], face[EXAMINED], topic[EXAMINED];
    double noun[LAYERS][NOUNS][D_MODEL];
    double faced[LAYERS][EXAMINED][D_MODEL];
};

/* Means over a part of the training: the loss at "bank" and the other words with two meanings, and
   the lengths of the gradients of each block. */
struct moment {
    double step, face_loss, length[LENGTHS];
};

struct course {
    const struct kind *kind;
    struct random random;
    int step;
    bool trained; /* at least for some steps */
    struct trainee trainee;
    struct reader w, d_w;
    double *values, *d_values; /* large enough for the longest sentence */
    int moments;
    struct moment moment[MOMENTS];
    struct exam exam;
};

/* All networks start with the same parameters and read the same sentences. */
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

/* Sets the parameters or gradients of the layers that are left out to 0. */
static void silence(const struct kind *kind, const struct reader *w) {
    for (int b = 0; b < BLOCKS; b++) {
        if (!kind->attention)
            memset(w->block[b].self.heads.W_o, 0, sizeof(double[D_MODEL][D_MODEL]));
        if (!kind->forward) {
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

/* The loss of the answer at a position. */
static double loss_at(int place, const struct sentence *s, const struct reader_values *v) {
    const double(*logits)[NOUNS] = v->logits;
    return cross_entropy(NOUNS, logits[place], s->answer);
}

/* Adds the gradient of one sentence, that is, of the mean loss of all positions or of the loss at
   the gap. Returns the loss at the word with two meanings. */
static double learn_from(struct course *c, const struct sentence *s) {
    struct room room = {c->d_values, 0};
    struct reader_values v = read_into(c, s), d_v = take_reader_values(&room, &c->w, s->n);
    memset(c->d_values, 0, (size_t)room.used * sizeof(double));
    double(*logits)[NOUNS] = v.logits, (*d_logits)[NOUNS] = d_v.logits;
    for (int i = 0; i < s->n; i++) {
        double counts = c->kind->everywhere ? 1.0 / s->n : i == s->gap;
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

/* Adds the lengths of the gradients of W_q and W_k, of W_v and W_o, and of W_1, b_1 and W_2. In
   each block, these matrices lie side by side in memory. */
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

/* Divides the sums by the number of steps and stores the means. */
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

/* Trains to the end, or until Ctrl-C. A training that begins after Ctrl-C makes one step, so that
   its tables exist, but its result does not count. */
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

/* --- The test -------------------------------------------------------------------------------- */

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

/* Tests on new sentences, with topics and words of two meanings in turn. */
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

/* Finds the nouns whose mean vectors are nearest to a vector, beginning with the nearest. */
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

/* The probe: how often does the nearest noun belong to the topic of the sentence? */
static double share_right(const struct exam *e, int layer) {
    int right = 0;
    for (int i = 0; i < EXAMINED; i++) {
        int nearest[NEAR];
        find_nearest(e, layer, e->faced[layer][i], nearest);
        right += nearest[0] / PER_TOPIC == e->topic[i];
    }
    return (double)right / EXAMINED;
}

/* The mean cosine of the same word in two sentences, of the same topic or of different topics. */
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

/* The position of a vector on the line through the two topics, which is 0 at the mean of the water
   nouns and 1 at the mean of the money nouns. */
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

/* --- Tables for the plots -------------------------------------------------------------------- */

static void write_losses(const char *folder, const struct course all[KINDS]) {
    FILE *table = columns_open(folder, "loss.dat", "step both attention forward gap");
    for (int m = 0; m < all[BOTH].moments; m++) {
        double row[1 + KINDS] = {all[BOTH].moment[m].step};
        for (int k = 0; k < KINDS; k++)
            row[1 + k] = m < all[k].moments ? all[k].moment[m].face_loss : (double)NAN;
        columns_row(table, NULL, 1 + KINDS, row);
    }
    columns_close(table);
}

static void write_gradients(const char *folder, const struct course *c) {
    FILE *table = columns_open(folder, "gradients.dat", "step qk1 vo1 ff1 qk2 vo2 ff2");
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
            row[4 - same] = mean_cosine(&all[GAP_ONLY].exam, layer, same);
        }
        columns_row(table, NULL, 5, row);
    }
    columns_close(table);
}

/* The weights of "bank" in our sentence about water, with a row for each head of each block. */
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

/* Prints the nouns that are nearest to the word with two meanings in our sentence. */
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
            "%d test sentences, half about water, half about money. The loss is log %d =\n"
            "%.4f for a network that knows the topic, and log %d = %.4f for one that\n"
            "does not. \"bank\" is any of bank, current, deposit and pool.\n\n",
            EXAMINED, PER_TOPIC, log(PER_TOPIC), NOUNS, log(NOUNS));
    fprintf(to, "%33s %19s %25s\n", "loss at", "nearest noun", "cosine of two \"bank\"s");
    fprintf(to, "%34s %8s%10s %13s %11s\n", "the gap", "bank", "right", "same topic",
            "other topic");
    fprintf(to, "  %-40s", "before the blocks");
    tell_probe(to, &all[BOTH].exam, 0);
    for (int k = 0; k < KINDS; k++)
        tell_course(to, &all[k]);
    fputc('\n', to);
    tell_bank(to, &all[BOTH]);
}

/* The numbers for the page of make play-11: the embedding table, a row for each word, and then all
   parameters of the blocks, of the network with both kinds of layers. */
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

/* On two threads if possible, because the trainings do not depend on each other. */
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
