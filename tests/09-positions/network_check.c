/* Checks the gradient of the milestone's network for each method, and that a query from the last
   word alone gives the same logits as queries from all words. Built and run by
   tests/suites/mirror.sh. */
#include "../../lessons/09-positions/milestone/network.h"

#include "product.h"
#include "seq2seq.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, VOCABULARY = 4 };
static const int words[N] = {3, 1, 0, 3, 2}, targets[N] = {PADDING, 3, 1, 0, 3};

/* The loss after the parameters have moved along a line, times `by`. */
static double loss_at(const struct network *net, bool causal, struct thought *t, double by,
                      const double *line) {
    size_t bytes = (size_t)net->row.count * sizeof(double);
    double *before = memcpy(zeroes(bytes), net->row.weights, bytes);
    for (int i = 0; i < net->row.count; i++)
        net->row.weights[i] += by * line[i];
    double loss = sequence_loss(N, VOCABULARY, network_think(net, N, N, words, causal, t), targets);
    memcpy(net->row.weights, before, bytes);
    free(before);
    return loss;
}

static bool has_the_right_gradient(struct network *net, bool causal, struct random *r,
                                   struct thought *t) {
    const double step = 1e-6;
    int n = net->row.count;
    double *line = random_fill_normal(r, n, zeroes((size_t)n * sizeof(double)));
    memset(net->row.gradient, 0, (size_t)n * sizeof(double));
    network_learn(net, N, words, causal, targets, t);
    double given = sum_of_products(n, net->row.gradient, line);
    double measured =
        (loss_at(net, causal, t, step, line) - loss_at(net, causal, t, -step, line)) / (2.0 * step);
    free(line);
    if (fabs(given - measured) <= 1e-7 * (fabs(given) + 1.0))
        return true;
    printf("%s%s: the gradient is %.9g along a line, not %.9g\n", way_names[net->way],
           causal ? ", under a mask" : "", given, measured);
    return false;
}

static bool gives_the_same_alone(const struct network *net, struct thought *t) {
    double among_all[VOCABULARY];
    const double(*logits)[VOCABULARY] = network_think(net, N, N, words, true, t);
    memcpy(among_all, logits[N - 1], sizeof among_all);
    logits = network_think(net, 1, N, words, true, t);
    for (int c = 0; c < VOCABULARY; c++)
        if (!(fabs(logits[0][c] - among_all[c]) <= 1e-12)) {
            printf("%s: the last word alone gives the logit %.6g, not %.6g\n", way_names[net->way],
                   logits[0][c], among_all[c]);
            return false;
        }
    return true;
}

int main(void) {
    int wrong = 0;
    struct random r = random_seed(9);
    for (enum way way = NOTHING; way < WAYS; way++)
        for (int n_heads = 2; n_heads <= 8; n_heads *= 4) {
            struct network net = network_new(way, n_heads, VOCABULARY, &r);
            struct thought *t = thought_new(&net);
            for (int causal = 0; causal < 2; causal++)
                wrong += !has_the_right_gradient(&net, causal, &r, t);
            wrong += !gives_the_same_alone(&net, t);
            thought_free(t);
            network_free(&net);
        }
    return wrong > 0;
}
