/* The gradient of the milestone's networks is what nudging them measures: each matrix of each kind
   of network, along a random direction. Built and run by tests/suites/translation.sh. */
#include "../../lessons/07-seq2seq/milestone/network.h"

#include "product.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PART(name)                                                                                 \
    {                                                                                              \
#name, (int)(offsetof(struct weights, name) / sizeof(double)),                             \
            (int)(sizeof((struct weights *)NULL)->name / sizeof(double))                           \
    }
static const struct {
    const char *name;
    int first, count;
} parts[] = {PART(source), PART(target), PART(W_read), PART(U_read), PART(W_q),
             PART(W_k),    PART(v_a),    PART(W),      PART(U),      PART(W_out)};

static double nudge(struct network *net, struct thought *t, const struct pair *pair,
                    double *numbers, const double *direction, int count, double by) {
    static double before[NUMBERS];
    memcpy(before, numbers, (size_t)count * sizeof *numbers);
    for (int i = 0; i < count; i++)
        numbers[i] += by * direction[i];
    double loss = network_loss(net, t, pair, pair->m + 1);
    memcpy(numbers, before, (size_t)count * sizeof *numbers);
    return loss;
}

static int wrong_parts(struct network *net, struct thought *t, const struct pair *pair,
                       const struct weights *gradient, struct random *r) {
    static double direction[NUMBERS];
    const double step = 1e-5;
    int wrong = 0;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        int n = parts[p].count;
        double *numbers = (double *)net->weights + parts[p].first;
        random_fill_normal(r, n, direction);
        if (net->kind == ONE_WAY && strstr(parts[p].name, "_read")) /* the second is not trained */
            memset(direction + n / 2, 0, (size_t)(n - n / 2) * sizeof *direction);
        double given = sum_of_products(n, (const double *)gradient + parts[p].first, direction);
        double measured = (nudge(net, t, pair, numbers, direction, n, step) -
                           nudge(net, t, pair, numbers, direction, n, -step)) /
                          (2.0 * step);
        if (!(fabs(given - measured) <= 1e-6 * (fabs(given) + fabs(measured)) + 1e-8)) {
            printf("milestone/network.c, kind %d: the gradient of %s is %g along a line, not %g\n",
                   net->kind, parts[p].name, given, measured);
            wrong++;
        }
    }
    return wrong;
}

/* Of the second pair that a thought is used for: what the first left must not count. */
static int check(enum kind kind, struct random *r) {
    static struct weights gradient;
    struct network net = network_new(&translation, kind);
    struct thought *t = thought_new();
    struct pair pair;
    network_start(&net, r);
    for (int n = 14; n >= 9; n -= 5) {
        translation.draw(r, n, &pair);
        memset(&gradient, 0, sizeof gradient);
        network_loss(&net, t, &pair, pair.m + 2); /* with a step of padding */
        network_backward(&net, t, &pair, pair.m + 2, &gradient);
    }
    int wrong = wrong_parts(&net, t, &pair, &gradient, r);
    thought_free(t);
    network_free(&net);
    return wrong;
}

int main(void) {
    struct random r = random_seed(7);
    int wrong = 0;
    for (enum kind kind = FIXED; kind < KINDS; kind++)
        wrong += check(kind, &r);
    return wrong != 0;
}
