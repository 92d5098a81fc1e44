/* The gradient of the milestone's networks is what nudging them measures, along random lines. Built
   and run by tests/suites/writer.sh. */
#include "../../lessons/13-transformer/milestone/machine.h"

#include "product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct example draw_example(struct machine *m) {
    struct pair pair;
    double price;
    int line[LONGEST_LINE];
    if (!m->course->task)
        return example_of_line(draw_line(&m->random, line, &price), line);
    m->course->task->draw(&m->random, 9, &pair);
    return example_of_pair(m->course, &pair);
}

/* The mean loss of a token in training, at this distance along a line. */
static double loss_at(struct machine *m, const struct example *e, double by, const double *line) {
    size_t bytes = (size_t)m->trainee.count * sizeof(double);
    double *before = memcpy(zeroes(bytes), m->trainee.weights, bytes);
    struct transformer_values v;
    for (int i = 0; i < m->trainee.count; i++)
        m->trainee.weights[i] += by * line[i];
    double loss = machine_think(m, 0, e, &v) / e->n;
    memcpy(m->trainee.weights, before, bytes);
    free(before);
    return loss;
}

static bool has_the_right_gradient(const struct course *course) {
    const double step = 1e-6;
    struct machine m = machine_new(course, 13);
    int n = m.trainee.count;
    double *line = random_fill_normal(&m.random, n, zeroes((size_t)n * sizeof(double)));
    const struct example e = draw_example(&m);
    machine_learn(&m, 1, &e);
    double given = sum_of_products(n, m.gradient[1], line);
    double measured = (loss_at(&m, &e, step, line) - loss_at(&m, &e, -step, line)) / (2.0 * step);
    free(line);
    if (fabs(given - measured) <= 1e-6 * (fabs(given) + 1.0))
        return true;
    printf("%s: the gradient is %.9g along a line, not %.9g\n", course->name, given, measured);
    return false;
}

int main(void) {
    static const struct course courses[] = {{"writer", NULL, 2, 0, 2, 1, 1.0},
                                            {"dates", &dates, 1, 0, 2, 1, 1.0},
                                            {"translation", &translation, 2, 9, 2, 1, 1.0}};
    int wrong = 0;
    for (int c = 0; c < 3; c++)
        wrong += !has_the_right_gradient(&courses[c]);
    return wrong > 0;
}
