#include "study.h"

#include "inside.h"

#include "columns.h"
#include "progress.h"
#include "softmax.h"
#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 6, HEADS = 6, ALL_HEADS = LAYERS * HEADS, MOST_READ = 128 };

/* Written by hand: "it" is the ball, "She" is Lily, and the name is repeated. */
static const char written[] =
    "Once upon a time, there was a girl named Lily. Tom had a red ball. He threw the ball and it "
    "rolled under a bush. Lily saw that Tom was sad. She found the ball and gave it to Tom.";

/* Names that are no words. In each text the name is repeated, and the text ends with it. */
static const struct named {
    const char *name, *text;
} named[] = {
    {"Brixomo", "Once upon a time there was a dragon named Brixomo. Everybody liked Brixomo. One "
                "day, Brixomo"},
    {"Wendrik", "There was a cat named Wendrik. The cat Wendrik had a hat. The hat was too big for "
                "Wendrik"},
    {"Zandipo", "A boy met an elf. The elf was called Zandipo. He liked Zandipo. He gave a cake to "
                "Zandipo"},
    {"Mulvetta", "Her bear was named Mulvetta. She slept with Mulvetta. In the morning she could "
                 "not find Mulvetta"},
};
enum { NAMED = sizeof named / sizeof *named };

struct text {
    int n, words[MOST_READ];
};

static const char *head_name(int head) {
    static char name[16];
    snprintf(name, sizeof name, "%d.%d", head / HEADS, head % HEADS);
    return name;
}

/* Before they are merged, a text has a token for each byte. */
static struct text text_of(const struct model *m, const char *written_text) {
    struct text text = {0};
    const size_t length = strlen(written_text);
    int *words = zeroes((length + 2) * sizeof *words);
    text.n = least(tokens_of(&m->words, length, written_text, words), MOST_READ);
    memcpy(text.words, words, (size_t)text.n * sizeof *words);
    free(words);
    return text;
}

/* --- Words as labels ------------------------------------------------------------------------- */

/* A token as a label of a table: without its space, and a quotation mark would end the label. */
static const char *label_of(const struct model *m, int word) {
    static char label[64];
    const struct piece piece = spoken(&m->words, BOS, word);
    clean_text(piece.length < 60 ? piece.length : 60, piece.text, label);
    for (char *c = label; *c; c++)
        *c = *c == '"' ? '\'' : *c;
    return word == BOS ? "BOS" : label;
}

/* --- Heads ----------------------------------------------------------------------------------- */

/* weights.dat: the matrix of each head, in blocks that gnuplot numbers from 0 on. */
static void write_maps(const char *folder, int n, double (*maps)[MOST_READ * MOST_READ]) {
    FILE *table = columns_open(folder, "weights.dat", NULL);
    for (int head = 0; head < ALL_HEADS; head++) {
        for (int i = 0; i < n; i++)
            columns_row(table, NULL, n, &maps[head][i * n]);
        columns_gap(table);
        columns_gap(table);
    }
    columns_close(table);
}

/* The position of the `count`-th token with this text, counted from 1. */
static int place_of(const struct model *m, const struct text *text, const char *token, int count) {
    int at = 0;
    for (; at < text->n - 1; at++)
        if (strcmp(label_of(m, text->words[at]), token) == 0 && --count == 0)
            break;
    return at;
}

/* The mean weight that a token gives to the one before it. */
static double to_previous(int n, const double *map) {
    double sum = 0.0;
    for (int i = 1; i < n; i++)
        sum += map[i * n + i - 1];
    return sum / (n - 1);
}

/* links.dat: how strongly each head links some tokens: "it" the ball, "She" Lily, each token the
   one before it, and the "L" of a repeated name the "ily" after the earlier "L". */
static void write_links(const char *folder, const struct model *m, const struct text *text,
                        double (*maps)[MOST_READ * MOST_READ]) {
    const int n = text->n, it = place_of(m, text, "it", 2), ball = place_of(m, text, "ball", 3);
    const int she = place_of(m, text, "She", 1), lily = place_of(m, text, "ily", 2);
    const int again = place_of(m, text, "L", 2), before = place_of(m, text, "ily", 1);
    FILE *table = columns_open(folder, "links.dat", "head it she previous repeated");
    for (int head = 0; head < ALL_HEADS; head++) {
        const double *map = maps[head];
        columns_row(table, head_name(head), 4,
                    (double[]){map[it * n + ball], map[she * n + lily], to_previous(n, map),
                               map[again * n + before]});
    }
    columns_close(table);
}

/* --- Removed heads --------------------------------------------------------------------------- */

/* The mean loss of the tokens from `first` on. */
static double mean_loss(struct teller *t, const struct text *text, int first) {
    double sum = 0.0;
    teller_begin(t);
    for (int i = 0; i + 1 < text->n; i++) {
        teller_read(t, text->words[i]);
        if (i + 1 >= first)
            sum += surprise_of(t, text->words[i + 1]);
    }
    return sum / (text->n - first);
}

/* The mean loss of the last name, without its first piece: the others can be copied from where the
   name stood before. */
static double name_loss(const struct model *m, struct teller *t, const struct named *named_text) {
    const struct text text = text_of(m, named_text->text), name = text_of(m, named_text->name);
    const int copied = name.n - 2; /* without BOS and the first piece */
    return mean_loss(t, &text, text.n - copied);
}

static void measure_losses(const struct model *m, struct teller *t, const struct text *story,
                           double losses[2]) {
    losses[0] = mean_loss(t, story, 1);
    losses[1] = 0.0;
    for (int i = 0; i < NAMED; i++)
        losses[1] += name_loss(m, t, &named[i]) / NAMED;
}

/* removed.dat: how much the losses grow without each head. The bytes are the fastest, and their
   errors are much smaller than these differences. */
static void write_removed(const char *folder, const struct model *m, struct teller *t,
                          const struct text *story) {
    FILE *table = columns_open(folder, "removed.dat", "head story name");
    double whole[2], without[2];
    measure_losses(m, t, story, whole);
    for (int head = 0; head < ALL_HEADS && !is_stopped(); head++) {
        progress(head, ALL_HEADS, "removing one head at a time");
        teller_without(t, head / HEADS, head % HEADS);
        measure_losses(m, t, story, without);
        columns_row(table, head_name(head), 2,
                    (double[]){without[0] - whole[0], without[1] - whole[1]});
    }
    progress(ALL_HEADS, ALL_HEADS, "removed each head once");
    teller_without(t, -1, 0);
    columns_close(table);
}

/* --- Losses ---------------------------------------------------------------------------------- */

/* lens.dat: the loss of each token if the model ended before a layer, and in the last row the means
   of all tokens. The last column is the whole model. */
static void write_lens(const char *folder, const struct model *m, const struct text *text,
                       const double losses[][LAYERS + 1]) {
    FILE *table = columns_open(folder, "lens.dat", "token 0 1 2 3 4 5 6");
    double means[LAYERS + 1] = {0};
    for (int i = 0; i + 1 < text->n; i++) {
        columns_row(table, label_of(m, text->words[i + 1]), LAYERS + 1, losses[i]);
        for (int b = 0; b <= LAYERS; b++)
            means[b] += losses[i][b] / (text->n - 1);
    }
    columns_row(table, "mean", LAYERS + 1, means);
    columns_close(table);
}

/* --- Speed and bytes ------------------------------------------------------------------------- */

/* memory.dat: the tokens a second of each kind, and those that bare reading would allow. */
static void write_memory(const char *folder, const struct teller tellers[],
                         const struct tale tales[]) {
    FILE *table = columns_open(folder, "memory.dat", "kind megabytes tokens read");
    for (enum kind kind = DOUBLES; kind < KINDS; kind++)
        columns_row(table, kind_names[kind], 3,
                    (double[]){(double)tellers[kind].read_bytes / 1e6, 1.0 / tales[kind].token,
                               1.0 / tales[kind].read});
    columns_close(table);
}

enum { BINS = 41, MIDDLE = BINS / 2 };
static const double width_of_bin = 0.03;

static void count_differences(int n, const double a[n], const double b[n], double counts[BINS]) {
    for (int i = 0; i < n; i++) {
        const int bin = MIDDLE + (int)lround((a[i] - b[i]) / width_of_bin);
        counts[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1]++;
    }
}

/* bytes.dat: the share of int8's logits that differ by so much from those of the doubles. */
static void write_bytes(const char *folder, double all, const double counts[BINS]) {
    FILE *table = columns_open(folder, "bytes.dat", "difference share");
    for (int bin = 0; bin < BINS; bin++)
        columns_row(table, NULL, 2, (double[]){(bin - MIDDLE) * width_of_bin, counts[bin] / all});
    columns_close(table);
}

/* kept.dat: how many tokens a probability of p keeps at each position of the story. */
static void write_kept(const char *folder, const struct model *m, struct teller *t,
                       const struct text *text) {
    static const double p[] = {0.5, 0.9, 0.99};
    const int n = t->sizes.vocabulary;
    double *weights = zeroes(2 * (size_t)n * sizeof *weights), *kept = weights + n, counts[3];
    FILE *table = columns_open(folder, "kept.dat", "token half most nearly");
    teller_begin(t);
    for (int i = 0; i + 1 < text->n; i++) {
        teller_read(t, text->words[i]);
        softmax(n, t->logits, weights);
        for (int k = 0; k < 3; k++) {
            keep_best(n, n, p[k], weights, kept);
            counts[k] = 0.0;
            for (int word = 0; word < n; word++)
                counts[k] += kept[word] > 0.0;
        }
        columns_row(table, label_of(m, text->words[i + 1]), 3, counts);
    }
    columns_close(table);
    free(weights);
}

/* --- All of it ------------------------------------------------------------------------------- */

/* The results of reading the text once. */
struct seen {
    double (*maps)[MOST_READ * MOST_READ]; /* one for each head, as a matrix [n][n] */
    double losses[MOST_READ][LAYERS + 1], counts[BINS];
};

static void see_token(struct teller *t, int n, int i, int next, struct seen *seen) {
    for (int head = 0; head < ALL_HEADS; head++) {
        const double(*weights)[i + 1] = t->values.layer[head / HEADS].heads.weights;
        memcpy(&seen->maps[head][i * n], weights[head % HEADS], sizeof *weights);
    }
    seen->losses[i][LAYERS] = surprise_of(t, next);
    for (int b = 0; b < LAYERS; b++) {
        lens_logits(t, b, t->logits);
        seen->losses[i][b] = surprise_of(t, next);
    }
}

static void read_text(struct teller tellers[], const struct text *text, struct seen *seen) {
    struct teller *doubles = &tellers[DOUBLES], *bytes = &tellers[BYTES];
    teller_begin(doubles);
    teller_begin(bytes);
    for (int i = 0; i < text->n; i++) {
        teller_read(doubles, text->words[i]);
        teller_read(bytes, text->words[i]);
        count_differences(doubles->sizes.vocabulary, bytes->logits, doubles->logits, seen->counts);
        see_token(doubles, text->n, i, i + 1 < text->n ? text->words[i + 1] : BOS, seen);
    }
}

void write_tokens(const char *folder, int given, const struct tale *tale) {
    FILE *table = columns_open(folder, "tokens.dat", "token given");
    for (int i = 0; i <= tale->n; i++)
        columns_row(table, NULL, 2, (double[]){tale->words[i], i < given});
    columns_close(table);
}

void write_tables(const char *folder, const struct model *m, struct teller tellers[],
                  const struct tale tales[]) {
    static struct seen seen;
    const struct text text = text_of(m, written);
    seen.maps = zeroes(ALL_HEADS * sizeof *seen.maps);
    read_text(tellers, &text, &seen);
    write_maps(folder, text.n, seen.maps);
    write_links(folder, m, &text, seen.maps);
    write_lens(folder, m, &text, (const void *)seen.losses);
    write_bytes(folder, (double)text.n * tellers[BYTES].sizes.vocabulary, seen.counts);
    write_memory(folder, tellers, tales);
    write_kept(folder, m, &tellers[FLOATS], &text);
    write_removed(folder, m, &tellers[BYTES], &text);
    free(seen.maps);
}
