/* What the page of lesson 11 shows after: face=pool noun=price verb=owes adjective=legal */
#include "dot_product.h"
#include "encoder.h"
#include "positions.h"
#include "softmax.h"

#include "play.h"

#include <math.h>

enum { N = 9, FACE = 5, WORDS = 47, NOUNS = 16, D = 32, HEADS = 4, BLOCKS = 2, ROOM = 40000 };

static double table[WORDS][D], numbers[ROOM], values[BLOCKS][ROOM], X[BLOCKS + 1][N][D];

static void make(const char *folder, int count) {
    FILE *out = make_table(folder, "network.dat");
    char label[40];
    for (int w = 0; w < WORDS; w++) {
        snprintf(label, sizeof label, "word%d", w);
        make_row(out,
                 w == 13   ? "price"
                 : w == 17 ? "owes"
                 : w == 38 ? "legal"
                 : w == 43 ? "pool"
                 : w == 44 ? "the"
                 : w == 45 ? "and"
                 : w == 46 ? "(hidden)"
                           : label,
                 D, 0.2);
    }
    make_row(out, "blocks", count, 0.2);
    fclose(out);
}

/* A block with small numbers, which is there before a run. */
static void before(void) {
    double words[3][4], out[3][4];
    struct room room = {numbers, 0}, other = {values[0], 0};
    struct encoder_block w = take_encoder_block(&room, 4, 2, 8);
    struct encoder_values v = take_encoder_values(&other, &w, 3);
    void *const matrices[] = {
        words,         w.self.heads.W_q, w.self.heads.W_k, w.self.heads.W_v, w.self.heads.W_o,
        w.forward.W_1, w.forward.W_2};
    const int counts[] = {12, 16, 16, 16, 16, 32, 32};
    long long seed = 11;
    for (int m = 0; m < 7; m++)
        fill_normal(&seed, counts[m], 1, matrices[m]);
    for (int c = 0; c < 4; c++)
        w.self.gain[c] = w.forward.gain[c] = 1;
    encoder_block(3, &w, words, NULL, &v, out);
    show("meaning", 12, out[0]);
    show("hidden", 24, v.forward.hidden);
}

int main(int argc, char **argv) {
    static const char *const words[N] = {"the",  "(hidden)", "owes", "the",  "legal",
                                         "pool", "and",      "the",  "price"};
    const char *folder = argv[1], *file = "network.dat";
    char label[40];
    int known[N];
    double scores[1][NOUNS], weights[NOUNS], water;
    struct room room = {numbers, 0};
    struct encoder_block w[BLOCKS];
    struct encoder_values v[BLOCKS];
    for (int b = 0; b < BLOCKS; b++) {
        w[b] = take_encoder_block(&room, D, HEADS, 2 * D);
        v[b] = take_encoder_values(&(struct room){values[b], 0}, &w[b], N);
    }
    if (argc == 3) {
        strcmp(argv[2], "make") == 0 ? make(folder, room.used) : before();
        return 0;
    }
    for (int word = 0; word < WORDS; word++)
        read_row(folder, file, word, label, D, table[word]);
    read_labelled(folder, file, "blocks", room.used, numbers);
    for (int i = 0; i < N; i++)
        known[i] = row_of(folder, file, words[i]);
    embed(N, WORDS, D, sqrt(D), known, table, X[0]);
    for (int b = 0; b < BLOCKS; b++)
        encoder_block(N, &w[b], X[b], NULL, &v[b], X[b + 1]);
    for (int b = 0; b <= BLOCKS; b++) {
        dot_scores(1, NOUNS, D, &X[b][FACE], table, scores);
        softmax(NOUNS, scores[0], weights);
        water = 0;
        for (int noun = 0; noun < NOUNS / 2; noun++)
            water += weights[noun];
        printf("meaning %.17g\n", water);
    }
    double(*looks)[N][N] = v[0].self.heads.weights;
    for (int i = 0; i < N * HEADS; i++)
        printf("looks %.17g\n", looks[i % HEADS][FACE][i / HEADS]);
    show("nouns", NOUNS, weights);
    return 0;
}
