/* What the page of lesson 07 shows after: typed=the_cat_sees_a_dog */
#include "additive.h"
#include "self_attention.h"
#include "seq2seq.h"
#include "softmax.h"
#include "tasks/language.h"

#include "play.h"

enum {
    SIZE = 32,
    STATE = 2 * SIZE,
    D_A = 8,
    MOST_WORDS = 200,
    N = 5,
    LIMIT = 2 * N + 10,
    ROOM = 400000
};

static double numbers[ROOM], values[ROOM], joined[1][2 * STATE], now[1][STATE], next[1][STATE];
static double sure[LIMIT], looks[LIMIT][N];

struct words {
    int count[2]; /* to be read, to be written */
    char label[MOST_WORDS][40];
};
struct network {
    double (*read)[SIZE], (*write)[SIZE];
    struct gru readers[2];
    struct attention_decoder decoder;
    double *W_out;
};
static struct network net;
static struct words words;
static double (*H)[2][SIZE];
static int steps;

static void read_kept_words(const char *folder) {
    char path[4096];
    int kind;
    snprintf(path, sizeof path, "%s/words-translation.dat", folder);
    FILE *table = fopen(path, "r");
    for (int i = 0; table && fscanf(table, "\"%39[^\"]\" %d ", words.label[i], &kind) == 2; i++)
        words.count[kind]++;
}

static void make_words(const char *folder, const char *file, const struct task *task) {
    FILE *table = make_table(folder, file);
    for (int w = 0; w < task->sources; w++)
        fprintf(table, "\"%s\" 0\n", task->source[w]);
    for (int w = 0; w < task->targets; w++)
        fprintf(table, "\"%s\" 1\n", task->target[w]);
    fclose(table);
}

static int lay_out(const struct words *of) {
    struct room room = {numbers, 0};
    net.read = take(&room, of->count[0] * SIZE);
    net.write = take(&room, of->count[1] * SIZE);
    for (int reader = 0; reader < 2; reader++)
        net.readers[reader] = take_gru(&room, SIZE, SIZE);
    net.decoder = take_attention_decoder(&room, SIZE, STATE, STATE, D_A);
    net.W_out = take(&room, 2 * STATE * of->count[1]);
    return room.used;
}

static void step(void *nobody, int word, double logits[]) {
    struct attention_decoder_values v =
        take_attention_decoder_values(&(struct room){values, 0}, &net.decoder, N);
    double weights[MOST_WORDS], most = 0;
    (void)nobody;
    attention_step(N, &net.decoder, (const double(*)[SIZE])net.write[word], (const void *)H,
                   (const void *)now, &v, next);
    memcpy(looks[steps], v.weights, sizeof looks[steps]);
    memcpy(joined[0], next, sizeof next);
    memcpy(joined[0] + STATE, v.c, sizeof next);
    memcpy(now, next, sizeof now);
    project(1, 2 * STATE, words.count[1], (const void *)joined, (const void *)net.W_out,
            (void *)logits);
    softmax(words.count[1], logits, weights);
    for (int i = 0; i < words.count[1]; i++)
        most = weights[i] > most ? weights[i] : most;
    sure[steps++] = most;
}

/* A step with small numbers, which is there before a run. */
static void before(void) {
    const double x[1][2] = {{1, -1}}, h[1][3] = {{0.5, 0.5, 0.5}};
    struct room room = {values, 0}, other = {numbers, 0};
    struct gru w = take_gru(&room, 2, 3);
    struct gru_values v = take_gru_values(&other, &w);
    double after[1][3];
    long long seed = 7;
    fill_normal(&seed, 18, 1, w.W);
    fill_normal(&seed, 27, 1, w.U);
    gru_step(&w, x, h, &v, after);
    show("looks", 9, v.gates);
    show("next", 3, after[0]);
}

int main(int argc, char **argv) {
    static const char *const typed[N] = {"the", "cat", "sees", "a", "dog"};
    static double X[N][SIZE], start[2][SIZE], pieces[ROOM], states[N][2][SIZE], logits[MOST_WORDS];
    struct gru_values v[N][2];
    struct room room = {pieces, 0};
    char path[4096];
    int out[LIMIT];
    if (argc == 3 && strcmp(argv[2], "before") == 0) {
        before();
        return 0;
    }
    if (argc == 3) {
        make_words(argv[1], "words-translation.dat", &translation);
        make_words(argv[1], "words-dates.dat", &dates);
    }
    read_kept_words(argv[1]);
    int count = lay_out(&words);
    if (argc == 3) { /* for the dates any weights will do */
        make_model(argv[1], "attention-40.model", count, 0.3);
        make_model(argv[1], "dates.model", count, 0.3);
        return 0;
    }
    snprintf(path, sizeof path, "%s/attention-40.model", argv[1]);
    FILE *long_one = fopen(path, "rb");
    const char *file = long_one ? "attention-40.model" : "attention-20.model"; /* of a short run */
    memcpy(numbers, read_model(argv[1], file, count), sizeof *numbers * (size_t)count);
    for (int j = 0; j < N; j++) {
        int word = 0;
        while (strcmp(words.label[word], typed[j]) != 0)
            word++;
        memcpy(X[j], net.read[word], sizeof X[j]);
        for (int reader = 0; reader < 2; reader++)
            v[j][reader] = take_gru_values(&room, &net.readers[reader]);
    }
    H = states;
    encode(N, net.readers, (const void *)X, (const void *)start, v, H);
    sentence_vector(N, SIZE, (const void *)H, (double(*)[SIZE])now);
    int written = greedy_decode(words.count[1], LIMIT, step, NULL, logits, out);
    show("written", written, sure);
    show("looks", written * N, looks[0]);
    return 0;
}
