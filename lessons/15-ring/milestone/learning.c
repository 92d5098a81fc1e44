/* Each token states a fact of a name ("Ada: 7") or asks for it ("Ada: ?"). The facts change with
   each sequence, so only attention to an earlier token can give the answer. The network is one
   attention layer with four projections and a causal mask. */
#include "learning.h"

#include "columns.h"
#include "depth.h"
#include "measure.h"
#include "progress.h"
#include "random.h"
#include "stripe.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    WORDS = 4096,
    QUICK_WORDS = 512,
    HEADS = 4,
    HEAD = 64,
    STEPS = 60,
    QUICK_STEPS = 6,
    MEMORY_MB = 64
};
enum { NAMES = 64, NAME_BITS = 32, FACTS = 16, WORD = NAME_BITS + FACTS };

/* All parameters: three projections per head, and one that gives the logits. */
struct weights {
    float q[HEADS][WORD][HEAD], k[HEADS][WORD][HEAD], v[HEADS][WORD][HEAD];
    float o[HEADS][HEAD][FACTS];
};
enum { COUNT = sizeof(struct weights) / sizeof(float) };

/* Numbers that are added up over all ranks: the gradient and the counts. */
struct sums {
    struct weights d;
    float loss, questions, right;
};
enum { SUMS = sizeof(struct sums) / sizeof(float) };

struct learner {
    struct ring_mpi *mpi;
    struct stripe s;
    struct weights w;
    union {
        struct sums sums;
        float all_sums[SUMS];
    };
    double *numbers, *gradient, *mean, *square; /* of Adam */
    float (*words)[WORD];                       /* the tokens of the stripe */
    int *asked;                                 /* the fact for which a token asks, or -1 */
};

/* --- sequences ------------------------------------------------------------------------------- */

static void draw_names(float names[NAMES][NAME_BITS]) {
    struct random r = random_seed(15);
    for (int a = 0; a < NAMES; a++)
        for (int b = 0; b < NAME_BITS; b++)
            names[a][b] = random_below(&r, 2) ? 1.0f : -1.0f;
}

/* All ranks have the same sequence, and each rank draws only its own tokens. */
static void draw_stripe(struct learner *l, int sequence) {
    float names[NAMES][NAME_BITS];
    int facts[NAMES], ranks = l->mpi->ring.ranks;
    struct random of_all = random_seed(1000 * seed_wanted() + (uint64_t)sequence);
    draw_names(names);
    for (int a = 0; a < NAMES; a++)
        facts[a] = random_below(&of_all, FACTS);
    uint64_t seed = of_all.state;
    for (int i = 0; i < l->s.m; i++) {
        struct random r = random_seed(seed + (uint64_t)(l->mpi->ring.rank + i * ranks));
        int name = random_below(&r, NAMES);
        bool asks = random_below(&r, 4) == 0;
        memset(l->words[i], 0, sizeof l->words[i]);
        memcpy(l->words[i], names[name], sizeof names[name]);
        l->words[i][NAME_BITS + facts[name]] = asks ? 0.0f : 1.0f;
        l->asked[i] = asks ? facts[name] : -1;
    }
}

/* --- forward and backward pass --------------------------------------------------------------- */

/* rows = words W, for each head, where `words` are the vectors of the tokens. */
static void project_words(const struct learner *l, const float W[HEADS][WORD][HEAD],
                          float rows[HEADS][l->s.m][HEAD]) {
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < l->s.m; i++) {
            memset(rows[h][i], 0, sizeof rows[h][i]);
            for (int c = 0; c < WORD; c++)
                for (int k = 0; k < HEAD; k++)
                    rows[h][i][k] += l->words[i][c] * W[h][c][k];
        }
}

/* d_W += words^T d_rows. */
static void project_words_backward(const struct learner *l, const float d_rows[HEADS][l->s.m][HEAD],
                                   float d_W[HEADS][WORD][HEAD]) {
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < l->s.m; i++)
            for (int c = 0; c < WORD; c++)
                for (int k = 0; k < HEAD; k++)
                    d_W[h][c][k] += l->words[i][c] * d_rows[h][i][k];
}

/* The answer at token i: the probability of each fact. */
static void answer(const struct learner *l, int i, const float out[HEADS][l->s.m][HEAD],
                   float shares[FACTS]) {
    float sum = 0.0f, most = -INFINITY;
    for (int f = 0; f < FACTS; f++)
        shares[f] = 0.0f;
    for (int h = 0; h < HEADS; h++)
        for (int k = 0; k < HEAD; k++)
            for (int f = 0; f < FACTS; f++)
                shares[f] += out[h][i][k] * l->w.o[h][k][f];
    for (int f = 0; f < FACTS; f++)
        most = fmaxf(most, shares[f]);
    for (int f = 0; f < FACTS; f++)
        sum += shares[f] = expf(shares[f] - most);
    for (int f = 0; f < FACTS; f++)
        shares[f] /= sum;
}

static void count_answer(struct sums *sums, const float shares[FACTS], int fact) {
    int best = 0;
    for (int f = 1; f < FACTS; f++)
        best = shares[f] > shares[best] ? f : best;
    sums->loss -= logf(fmaxf(shares[fact], 1e-30f));
    sums->questions += 1.0f;
    sums->right += best == fact;
}

/* Writes the gradient of the loss, added over all questions, into d_out and d.o. */
static void examine(struct learner *l) {
    int m = l->s.m;
    float(*out)[m][HEAD] = l->s.out, (*d_out)[m][HEAD] = l->s.d_out;
    memset(d_out, 0, sizeof(float[HEADS][m][HEAD]));
    for (int i = 0; i < m; i++) {
        float shares[FACTS];
        if (l->asked[i] < 0)
            continue;
        answer(l, i, out, shares);
        count_answer(&l->sums, shares, l->asked[i]);
        shares[l->asked[i]] -= 1.0f;
        for (int h = 0; h < HEADS; h++)
            for (int k = 0; k < HEAD; k++)
                for (int f = 0; f < FACTS; f++) {
                    d_out[h][i][k] += l->w.o[h][k][f] * shares[f];
                    l->sums.d.o[h][k][f] += out[h][i][k] * shares[f];
                }
    }
}

static void add_gradients(struct learner *l) {
    l->sums = (struct sums){0};
    project_words(l, l->w.q, l->s.Q);
    project_words(l, l->w.k, l->s.K);
    project_words(l, l->w.v, l->s.V);
    stripe_forward(&l->mpi->ring, &l->s);
    examine(l);
    stripe_backward(&l->mpi->ring, &l->s);
    project_words_backward(l, l->s.d_Q, l->sums.d.q);
    project_words_backward(l, l->s.d_K, l->sums.d.k);
    project_words_backward(l, l->s.d_V, l->sums.d.v);
    ring_mpi_sum(l->mpi, SUMS, l->all_sums);
}

/* All ranks make the same step, so no parameters have to be sent. */
static void take_step(struct learner *l, int step) {
    const float *d = (const float *)&l->sums.d;
    float *w = (float *)&l->w;
    for (int i = 0; i < COUNT; i++)
        l->gradient[i] = (double)d[i] / (double)l->sums.questions;
    adam_step(COUNT, step, 0.01, l->gradient, l->mean, l->square, l->numbers);
    for (int i = 0; i < COUNT; i++)
        w[i] = (float)l->numbers[i];
}

/* --- training -------------------------------------------------------------------------------- */

/* Keys start with the matrices of the queries, so tokens of the same name get a higher score. */
static void start_weights(struct learner *l) {
    struct random r = random_seed(seed_wanted());
    float *w = (float *)&l->w;
    for (int i = 0; i < COUNT; i++)
        w[i] = (float)(0.1 * random_normal(&r));
    memcpy(l->w.k, l->w.q, sizeof l->w.k);
    for (int i = 0; i < COUNT; i++)
        l->numbers[i] = (double)w[i];
}

/* Limits the memory of this process. */
static void limit_memory(void) {
    struct rlimit limit = {(rlim_t)MEMORY_MB << 20, (rlim_t)MEMORY_MB << 20};
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        perror("RLIMIT_DATA");
}

static bool has_all(const struct learner *l) {
    return l->s.memory && l->numbers && l->words && l->asked;
}

static void start_learner(struct learner *l, struct ring_mpi *m, struct sequence s) {
    l->mpi = m;
    l->s = stripe_new(&m->ring, s);
    l->numbers = calloc(4 * COUNT, sizeof *l->numbers);
    l->words = calloc((size_t)l->s.m, sizeof *l->words);
    l->asked = calloc((size_t)l->s.m, sizeof *l->asked);
    if (!has_all(l))
        return;
    l->gradient = l->numbers + COUNT;
    l->mean = l->gradient + COUNT;
    l->square = l->mean + COUNT;
    start_weights(l);
}

static void end_learner(struct learner *l) {
    stripe_free(&l->s);
    free(l->numbers);
    free(l->words);
    free(l->asked);
}

/* Only rank 0 has a table, and it prints for all. */
static void train(struct learner *l, int steps, FILE *table) {
    for (int step = 1; step <= steps; step++) {
        draw_stripe(l, step);
        add_gradients(l);
        take_step(l, step);
        double right = (double)(l->sums.right / l->sums.questions);
        double loss = (double)(l->sums.loss / l->sums.questions);
        if (!table)
            continue;
        progress(step, steps, "%.0f %% of the answers right", 100.0 * right);
        columns_row(table, NULL, 3, (double[]){step, loss, right});
    }
}

static void tell_learning(FILE *to, const struct learner *l, double memory, double took) {
    int ranks = l->mpi->ring.ranks;
    if (is_short_run())
        fputs("Not the whole training: QUICK or STEPS.\n", to);
    fprintf(to, "%2d %s of at most %d MB: ", ranks, ranks == 1 ? "rank " : "ranks", MEMORY_MB);
    if (memory > 0.0)
        fprintf(to, "%.0f %% right, loss %.2f, %.0f MB each, %.0f s\n",
                100.0 * (double)(l->sums.right / l->sums.questions),
                (double)(l->sums.loss / l->sums.questions), memory, took);
    else
        fprintf(to, "not enough, a stripe needs %.0f MB\n",
                (double)stripe_bytes(&l->mpi->ring, l->s.s) / 1e6);
}

void learn(struct ring_mpi *m, const char *folder) {
    struct learner *l = zeroes(sizeof *l);
    bool quick = is_short_run();
    int steps = steps_wanted(STEPS, QUICK_STEPS);
    bool speaks = m->ring.rank == 0;
    double began = seconds(), memory = 0.0;
    limit_memory();
    start_learner(l, m, (struct sequence){true, quick ? QUICK_WORDS : WORDS, HEADS, HEADS, HEAD});
    if (ring_mpi_largest(m, !has_all(l)) == 0.0) {
        FILE *table = speaks ? columns_open(folder, "learning.dat", "step loss right") : NULL;
        train(l, steps, table);
        if (table)
            columns_close(table);
        memory = memory_of_a_rank(m);
    }
    if (speaks) {
        FILE *result = go_on_with(folder, "result.txt");
        tell_learning(result, l, memory, seconds() - began);
        columns_close(result);
        tell_learning(stdout, l, memory, seconds() - began);
    }
    end_learner(l);
    free(l);
}
