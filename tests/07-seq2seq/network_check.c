/* The gradient of the milestone's networks is what nudging them measures: each matrix of each kind
   of network, along a random direction. Built and run by tests/suites/translation.sh. */
#include "../../lessons/07-seq2seq/milestone/network.h"

#include "product.h"
#include "trainer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matrix {
    const char *name;
    void *numbers;
    int count;
};
enum { PARTS_OF_WEIGHTS = 12 };

static void list_parts(const struct network *net, const struct weights *w,
                       struct matrix parts[PARTS_OF_WEIGHTS]) {
    const struct attention_decoder *d = &w->decoder;
    const struct gru *gru = &d->decoder.gru;
    const struct matrix all[PARTS_OF_WEIGHTS] = {
        {"source", w->source, net->task->sources * WORD},
        {"target", w->target, net->task->targets * WORD},
        {"W of the first reader", w->reader[0].W, WORD * 3 * READER},
        {"U of the first reader", w->reader[0].U, READER * 3 * READER},
        {"W of the second reader", w->reader[1].W, WORD * 3 * READER},
        {"U of the second reader", w->reader[1].U, READER * 3 * READER},
        {"W_q", d->W_q, HIDDEN * STATE},
        {"W_k", d->W_k, HIDDEN * STATE},
        {"v_a", d->v_a, HIDDEN},
        {"W of the decoder", gru->W, (WORD + STATE) * 3 * STATE},
        {"U of the decoder", gru->U, STATE * 3 * STATE},
        {"W_out", w->W_out, 2 * STATE * net->task->targets},
    };
    memcpy(parts, all, sizeof all);
}

static double nudge(struct network *net, struct buffers *t, const struct pair *pair,
                    const struct matrix *part, const double *direction, double by) {
    double *numbers = part->numbers;
    size_t bytes = (size_t)part->count * sizeof(double);
    double *before = memcpy(zeroes(bytes), numbers, bytes);
    for (int i = 0; i < part->count; i++)
        numbers[i] += by * direction[i];
    double loss = network_loss(net, t, pair, pair->m + 1);
    memcpy(numbers, before, bytes);
    free(before);
    return loss;
}

static int wrong_parts(struct network *net, struct buffers *t, const struct pair *pair,
                       const struct weights *gradient, struct random *r) {
    struct matrix parts[PARTS_OF_WEIGHTS], gradients[PARTS_OF_WEIGHTS];
    double *direction = zeroes((size_t)net->weights.count * sizeof(double));
    const double step = 1e-5;
    int wrong = 0;
    list_parts(net, &net->weights, parts);
    list_parts(net, gradient, gradients);
    for (int p = 0; p < PARTS_OF_WEIGHTS; p++) {
        int n = parts[p].count;
        bool trained = net->kind != ONE_WAY || !strstr(parts[p].name, "second");
        random_fill_normal(r, n, direction);
        double given = sum_of_products(n, gradients[p].numbers, direction);
        double measured = trained ? (nudge(net, t, pair, &parts[p], direction, step) -
                                     nudge(net, t, pair, &parts[p], direction, -step)) /
                                        (2.0 * step)
                                  : 0.0;
        if (!(fabs(given - measured) <= 1e-6 * (fabs(given) + fabs(measured)) + 1e-8)) {
            printf("milestone/network.c, kind %d: the gradient of %s is %g along a line, not %g\n",
                   (int)net->kind, parts[p].name, given, measured);
            wrong++;
        }
    }
    free(direction);
    return wrong;
}

/* Checks the second pair for which the same buffers are used, because the values of the first pair
   must have no influence. */
static int check(enum kind kind, struct random *r) {
    struct weights gradient = weights_new(&translation);
    struct network net = network_new(&translation, kind);
    struct buffers *t = buffers_new(&net);
    struct pair pair;
    network_start(&net, r);
    for (int n = 14; n >= 9; n -= 5) {
        translation.draw(r, n, &pair);
        memset(gradient.numbers, 0, (size_t)gradient.count * sizeof(double));
        network_loss(&net, t, &pair, pair.m + 2); /* with a step of padding */
        network_backward(&net, t, &pair, pair.m + 2, &gradient);
    }
    int wrong = wrong_parts(&net, t, &pair, &gradient, r);
    buffers_free(t);
    network_free(&net);
    weights_free(&gradient);
    return wrong;
}

int main(void) {
    struct random r = random_seed(7);
    int wrong = 0;
    for (enum kind kind = FIXED; kind < KINDS; kind++)
        wrong += check(kind, &r);
    return wrong != 0;
}
