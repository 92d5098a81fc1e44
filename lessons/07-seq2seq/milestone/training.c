#include "training.h"

#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The mini-batch is halved even if there is only one thread, so that the sums, with their rounding,
   do not depend on the number of threads. */
enum { HALVES = 2 };

struct training {
    const struct course *course;
    struct network net;
    struct random random;
    int step, words;
    struct pair batch[MOST_IN_BATCH];
    struct buffers *buffers[HALVES];
    struct weights gradient[HALVES];
    struct weights mean, square; /* Adam's running means of the gradient and its square */
};

struct training *training_new(const struct course *course, uint64_t seed) {
    struct training *t = zeroes(sizeof *t);
    t->course = course;
    t->random = random_seed(seed);
    t->net = network_new(course->task, course->kind);
    network_start(&t->net, &t->random);
    for (int half = 0; half < HALVES; half++) {
        t->buffers[half] = buffers_new(&t->net);
        t->gradient[half] = weights_new(course->task);
    }
    t->mean = weights_new(course->task);
    t->square = weights_new(course->task);
    return t;
}

void training_free(struct training *t) {
    for (int half = 0; half < HALVES; half++) {
        buffers_free(t->buffers[half]);
        weights_free(&t->gradient[half]);
    }
    weights_free(&t->mean);
    weights_free(&t->square);
    network_free(&t->net);
    free(t);
}

struct network *training_network(struct training *t) {
    return &t->net;
}

const struct buffers *training_buffers(const struct training *t) {
    return t->buffers[0];
}

int words_read(const struct training *t) {
    return t->words;
}

/* One step of Adam, with the sum of the gradients of both halves. The learning rate rises during
   the first fiftieth of the steps. */
static void step(struct training *t) {
    const struct course *c = t->course;
    double *gradient = t->gradient[0].numbers, *other = t->gradient[1].numbers;
    int n = t->net.weights.count;
    for (int i = 0; i < n; i++)
        gradient[i] += other[i];
    gather_gradient(n, c->batch, gradient);
    double rate = rate_at(t->step, c->steps, fmax(1.0, c->steps / 50.0), c->rate);
    adam(n, ++t->step, rate, gradient, t->mean.numbers, t->square.numbers, t->net.weights.numbers);
}

/* All sources have the same length, so that both threads have the same amount of work. Targets may
   differ in length. Returns the number of steps for the longest target. */
static int draw_batch(struct training *t) {
    int n = 3 + random_below(&t->random, t->course->longest - 2), steps = 0;
    for (int b = 0; b < t->course->batch; b++) {
        t->course->task->draw(&t->random, n, &t->batch[b]);
        t->words += t->batch[b].n + t->batch[b].m;
        if (steps < t->batch[b].m + 1)
            steps = t->batch[b].m + 1;
    }
    return steps;
}

static double train_half(struct training *t, int half, int steps) {
    int size = t->course->batch / HALVES;
    double loss = 0.0;
    struct weights *gradient = &t->gradient[half];
    memset(gradient->numbers, 0, (size_t)gradient->count * sizeof(double));
    for (int b = half * size; b < (half + 1) * size; b++) {
        loss += network_loss(&t->net, t->buffers[half], &t->batch[b], steps);
        network_backward(&t->net, t->buffers[half], &t->batch[b], steps, gradient);
    }
    return loss;
}

double training_step(struct training *t) {
    double loss[HALVES];
    int steps = draw_batch(t);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(HALVES)
#endif
    for (int half = 0; half < HALVES; half++)
        loss[half] = train_half(t, half, steps);
    step(t);
    return (loss[0] + loss[1]) / t->course->batch;
}
