/* What the page of lesson 13 shows after: typed=anna_ temperature=1.5 top_k=9 top_p=0.8 dice=7 */
#include "positions.h"
#include "softmax.h"
#include "transformer.h"

#include "play.h"

enum { D = 48, FF = 96, HEADS = 4, BLOCKS = 2, LETTERS = 31, LONGEST = 64, ROOM = 400000 };

static double numbers[ROOM], values[ROOM], kept[ROOM], P[LONGEST][D], logits[1][LETTERS];

static int in_order(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* The weights that are kept, and the letter that is drawn. */
static int choose(long long *seed, double left[LETTERS]) {
    double weights[LETTERS], few[LETTERS];
    softmax_at_temperature(LETTERS, 1.5, logits[0], weights);
    keep_top_k(LETTERS, 9, weights, few);
    keep_top_p(LETTERS, 0.8, few, left);
    return sample(LETTERS, left, uniform(seed));
}

/* A few scores, which exist before a run: the weights that are kept, and twenty letters. */
static void before(void) {
    enum { N = 8 };
    const double scores[N] = {2, 1.5, 1, 0.5, 0, -0.5, -1, -2};
    double weights[N], few[N], few_left[N];
    int counts[N] = {0};
    long long seed = 1;
    for (int i = 0; i < 3; i++)
        uniform(&seed);
    softmax_at_temperature(N, 1, scores, weights);
    keep_top_k(N, N, weights, few);
    keep_top_p(N, 0.95, few, few_left);
    show("next", N, few_left);
    for (int i = 0; i < 20; i++)
        counts[sample(N, few_left, uniform(&seed))]++;
    for (int i = 0; i < N; i++)
        printf("line %d\n", counts[i]);
}

int main(int argc, char **argv) {
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz ,.?\n", typed[] = "anna ";
    struct room room = {numbers, 0}, other = {values, 0};
    struct transformer w = take_transformer(&room, LETTERS, D, HEADS, FF, 0, BLOCKS);
    struct transformer_values v = take_transformer_values(&other, &w, LONGEST, 0);
    struct caches caches = take_caches(&(struct room){kept, 0}, &w, LONGEST, 0);
    double left[LETTERS], hardest[LETTERS], least = 2;
    long long seed = 7;
    int written = 0, letter;
    if (argc == 3 && strcmp(argv[2], "before") == 0) {
        before();
        return 0;
    }
    if (argc == 3) {
        make_model(argv[1], "writer.model", room.used, 0.15);
        return 0;
    }
    memcpy(numbers, read_model(argv[1], "writer.model", room.used),
           sizeof *numbers * (size_t)room.used);
    for (int i = 0; i < 3; i++)
        uniform(&seed);
    sinusoidal_positions(LONGEST, D, 0, P);
    start_decoding(0, &w, &v, &caches);
    decode_next(&w, LETTERS - 1, (const double(*)[D])P[0], &caches, &v, logits);
    for (; typed[written]; written++) {
        letter = (int)(strchr(alphabet, typed[written]) - alphabet);
        decode_next(&w, letter, (const double(*)[D])P[written + 1], &caches, &v, logits);
        puts("line NaN");
    }
    while (written < LONGEST - 1) {
        letter = choose(&seed, left);
        if (left[letter] < least) {
            least = left[letter];
            memcpy(hardest, left, sizeof left);
        }
        if (letter == LETTERS - 1)
            break;
        printf("line %.17g\n", left[letter]);
        written++;
        decode_next(&w, letter, (const double(*)[D])P[written], &caches, &v, logits);
    }
    qsort(hardest, LETTERS, sizeof *hardest, in_order);
    for (int i = 0; i < LETTERS && hardest[i] > 0; i++)
        printf("next %.17g\n", hardest[i]);
    return 0;
}
