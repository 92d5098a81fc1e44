/* Checks the gradient of the milestone's network with small changes of its parameters, and compares
   what it generates with a cache and without. Built and run by tests/suites/sort.sh. */
#include "../../lessons/12-decoder/milestone/sorter.h"

#include "masked.h"
#include "product.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 6, N = M + 1 };
static const int letters[M] = {9, 4, 20, 3, 27, 8}, sorted[M] = {3, 4, 8, 9, 20, 27};

struct network {
    struct trainee row;
    struct sorter w, d_w;
    double *values, *d_values;
    int count; /* of either */
    struct random random;
};

static struct network network_new(int n_heads) {
    struct network net = {.random = random_seed(12)};
    struct room count = {NULL, 0}, count_values = {NULL, 0};
    struct sorter w = take_sorter(&count, n_heads);
    take_sorter_values(&count_values, &w, LONGEST, LONGEST);
    net.row = trainee_new(count.used);
    net.w = take_sorter(&(struct room){net.row.weights, 0}, n_heads);
    net.d_w = take_sorter(&(struct room){net.row.gradient, 0}, n_heads);
    net.count = count_values.used;
    net.values = zeroes((size_t)net.count * sizeof(double));
    net.d_values = zeroes((size_t)net.count * sizeof(double));
    sorter_start(&net.w, &net.random);
    return net;
}

static void network_free(struct network *net) {
    trainee_free(&net->row);
    free(net->values);
    free(net->d_values);
}

/* The values of a forward pass over n tokens, after the letters were read. */
static struct sorter_values think(const struct network *net, int n, const int words[n],
                                  const void *blocked) {
    struct sorter_values v = take_sorter_values(&(struct room){net->values, 0}, &net->w, n, M);
    sorter_read(M, &net->w, letters, &v);
    sorter_write(n, M, &net->w, words, blocked, &v);
    return v;
}

/* The loss after the parameters were moved along a line. */
static double loss_at(const struct network *net, const void *blocked, double by,
                      const double *line) {
    int inputs[N], targets[N], count = net->row.count;
    size_t bytes = (size_t)count * sizeof(double);
    double *before = memcpy(zeroes(bytes), net->row.weights, bytes);
    teacher_forcing(M, sorted, N, inputs, targets);
    for (int i = 0; i < count; i++)
        net->row.weights[i] += by * line[i];
    double loss = sequence_loss(N, WORDS, think(net, N, inputs, blocked).logits, targets);
    memcpy(net->row.weights, before, bytes);
    free(before);
    return loss;
}

static void learn(struct network *net, const void *blocked) {
    int inputs[N], targets[N];
    teacher_forcing(M, sorted, N, inputs, targets);
    struct sorter_values v = think(net, N, inputs, blocked),
                         d_v = take_sorter_values(&(struct room){net->d_values, 0}, &net->w, N, M);
    memset(net->d_values, 0, (size_t)net->count * sizeof(double));
    sequence_loss_backward(N, WORDS, v.logits, targets, d_v.logits);
    sorter_backward(N, M, &net->w, letters, inputs, blocked, &v, &d_v, &net->d_w);
}

static bool has_the_right_gradient(struct network *net, const void *blocked) {
    const double step = 1e-6;
    int n = net->row.count;
    double *line = random_fill_normal(&net->random, n, zeroes((size_t)n * sizeof(double)));
    memset(net->row.gradient, 0, (size_t)n * sizeof(double));
    learn(net, blocked);
    double given = sum_of_products(n, net->row.gradient, line);
    double measured =
        (loss_at(net, blocked, step, line) - loss_at(net, blocked, -step, line)) / (2.0 * step);
    free(line);
    if (fabs(given - measured) <= 1e-6 * (fabs(given) + 1.0))
        return true;
    printf("%s, the gradient is %.9g along a line, not %.9g\n",
           blocked ? "under the mask" : "without a mask", given, measured);
    return false;
}

static int most_likely(const double logits[WORDS]) {
    int best = 0;
    for (int c = 1; c < WORDS; c++)
        if (logits[c] > logits[best])
            best = c;
    return best;
}

/* Each token should be that of the last row of a pass over all tokens. A network at initialization
   repeats its input. With parameters twice as large, many write more than one token. */
static bool writes_what_whole_passes_say(struct network *net) {
    sorter_start(&net->w, &net->random);
    for (int i = 0; i < net->row.count; i++)
        net->row.weights[i] *= 2.0;
    int words[LONGEST], inputs[LONGEST + 1] = {BEGIN};
    struct sorter_values v =
        take_sorter_values(&(struct room){net->values, 0}, &net->w, LONGEST, M);
    int written = sorter_write_alone(M, &net->w, letters, &v, LONGEST, words);
    for (int i = 0; i < LONGEST; i++) {
        bool blocked[LONGEST * LONGEST];
        causal_mask(i + 1, (bool(*)[i + 1]) blocked);
        const double(*logits)[WORDS] = think(net, i + 1, inputs, blocked).logits;
        inputs[i + 1] = most_likely(logits[i]);
        if (inputs[i + 1] == END && written == i)
            return true;
        if (i >= written || words[i] != inputs[i + 1]) {
            printf("step %d: the whole pass says word %d\n", i, inputs[i + 1]);
            return false;
        }
    }
    return written == LONGEST;
}

int main(void) {
    int wrong = 0;
    bool blocked[N][N];
    causal_mask(N, blocked);
    for (int n_heads = 1; n_heads <= 4; n_heads *= 4) {
        struct network net = network_new(n_heads);
        wrong += !has_the_right_gradient(&net, blocked);
        wrong += !has_the_right_gradient(&net, NULL);
        for (int i = 0; i < 10; i++)
            wrong += !writes_what_whole_passes_say(&net);
        network_free(&net);
    }
    return wrong > 0;
}
