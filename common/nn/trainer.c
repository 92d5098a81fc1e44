/* What all training runs share: Adam, the learning rate, gradient averaging, environment
   variables for shorter runs, Ctrl-C, the result file and the main() of a milestone. */
#include "trainer.h"

#include "columns.h"
#include "seconds.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *zeroes(size_t size) {
    void *room = calloc(1, size);
    if (!room) {
        fprintf(stderr, "There is no memory left.\n");
        exit(2);
    }
    return room;
}

int largest(int n, const double x[n]) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[best])
            best = i;
    return best;
}

double seconds(void) {
    return seconds_now();
}

/* --- One step -------------------------------------------------------------------------------- */

struct trainee trainee_new(int count) {
    size_t size = (size_t)count * sizeof(double);
    return (struct trainee){count, zeroes(size), zeroes(size), zeroes(size), zeroes(size)};
}

void trainee_free(struct trainee *t) {
    free(t->weights);
    free(t->gradient);
    free(t->mean);
    free(t->square);
}

void draw_weights(struct random *r, int summed, int count, void *weights) {
    double *number = random_fill_normal(r, count, weights);
    for (int i = 0; i < count; i++)
        number[i] /= sqrt(summed);
}

void fill_ones(int count, double gain[count]) {
    for (int i = 0; i < count; i++)
        gain[i] = 1.0;
}

/* Each number's step is its mean gradient over the root of its mean square, both corrected for
   having started at 0. */
void adam(int n, int step, double rate, const double gradient[n], double mean[n], double square[n],
          double number[n]) {
    const double keep_mean = 0.9, keep_square = 0.999;
    double of_mean = 1.0 / (1.0 - pow(keep_mean, step));
    double of_square = 1.0 / (1.0 - pow(keep_square, step));
    for (int i = 0; i < n; i++) {
        double g = gradient[i];
        mean[i] = keep_mean * mean[i] + (1.0 - keep_mean) * g;
        square[i] = keep_square * square[i] + (1.0 - keep_square) * g * g;
        number[i] -= rate * mean[i] * of_mean / (sqrt(square[i] * of_square) + 1e-8);
    }
}

double rate_at(int step, int steps, double warm, double highest) {
    const double pi = 3.14159265358979;
    if (step < warm)
        return highest * (step + 1) / warm;
    return highest * 0.5 * (1.0 + cos(pi * (step - warm) / (steps - warm)));
}

void gather_gradient(int n, int batch, double gradient[n]) {
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        gradient[i] /= batch;
        square += gradient[i] * gradient[i];
    }
    if (!(square > 1.0))
        return;
    double shorter = 1.0 / sqrt(square);
    for (int i = 0; i < n; i++)
        gradient[i] *= shorter;
}

/* --- How long -------------------------------------------------------------------------------- */

static bool is_set(const char *text) {
    return text && *text;
}

bool is_short_run(void) {
    const char *quick = getenv("QUICK");
    return is_set(getenv("STEPS")) || (is_set(quick) && strcmp(quick, "0") != 0);
}

int steps_wanted(int all, int quick) {
    const char *text = getenv("STEPS");
    if (!is_set(text))
        return is_short_run() ? quick : all;
    char *end;
    long steps = strtol(text, &end, 10);
    if (*end || steps < 1 || steps > 1000000) {
        fprintf(stderr, "STEPS=%s is no number from 1 to a million.\n", text);
        exit(2);
    }
    return (int)steps;
}

static volatile sig_atomic_t stopped;

static void stop(int signal) {
    (void)signal;
    stopped = 1;
}

void stop_at_ctrl_c(void) {
    struct sigaction once = {.sa_handler = stop, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
    sigaction(SIGINT, &once, NULL);
}

bool is_stopped(void) {
    return stopped;
}

void tell_if_stopped(void) {
    if (is_stopped())
        printf("\nStopped. What was trained so far is examined:\n");
}

void tell_result(const char *folder, const char *missing, void (*tell)(FILE *to, const void *of),
                 const void *of) {
    FILE *kept = columns_open(folder, "result.txt", NULL), *const both[] = {kept, stdout};
    if (is_stopped())
        missing = "it was stopped";
    for (int i = 0; i < 2; i++) {
        if (missing)
            fprintf(both[i], "Not the whole training: %s.\n", missing);
        tell(both[i], of);
        fprintf(both[i], "SEED=%llu\n", (unsigned long long)seed_wanted());
    }
    columns_close(kept);
}

int milestone_main(int argc, char **argv, const struct milestone *milestone) {
    const char *command = argc == 3 ? argv[1] : argc == 2 ? "run" : "", *folder = argv[argc - 1];
    if (milestone->bench && strcmp(command, "bench") == 0)
        return milestone->bench(folder);
    seed_wanted(); /* which may refuse it: better now than later */
    stop_at_ctrl_c();
    if (milestone->try_out && strcmp(command, "try") == 0)
        return milestone->try_out(folder);
    if (strcmp(command, "run") == 0)
        return milestone->run(folder);
    fprintf(stderr, "usage: [SEED=1] [QUICK=1] %s %sFOLDER\n", argv[0],
            milestone->try_out ? "[try | bench] " : "");
    return 2;
}
