/* What training runs share: a row of weights with Adam, how long to train, and when to stop. */
#ifndef TRAINER_H
#define TRAINER_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Weights in one row, their gradient, and Adam's two memories of it; all 0 at first. */
struct trainee {
    int count;
    double *weights, *gradient, *mean, *square;
};
struct trainee trainee_new(int count);
void trainee_free(struct trainee *t);

/* Initial weights with a variance of 1 / summed, so that a sum of `summed` products with them
   has the size of its inputs; and gains of 1. */
void draw_weights(struct random *r, int summed, int count, void *weights);
void fill_ones(int count, double gain[count]);

/* One step of Adam, where it is given; lesson 10 writes it. `step` counts from 1. */
void adam(int n, int step, double rate, const double gradient[n], double mean[n], double square[n],
          double number[n]);

/* The rate at a step, from 0 on: up during the first `warm` steps, then down along a cosine to 0.
 */
double rate_at(int step, int steps, double warm, double highest);

/* Divides the sum of `batch` gradients into their mean, and makes it no longer than 1. */
void gather_gradient(int n, int batch, double gradient[n]);

/* STEPS=100 in the environment, or as many as QUICK=1 asks for, or all. */
int steps_wanted(int all, int quick);

/* Is this a short run, by QUICK or STEPS? */
bool is_short_run(void);

/* After this call the first Ctrl-C sets a flag, which is_stopped() returns, and a second one
   ends the program. */
void stop_at_ctrl_c(void);
bool is_stopped(void);

/* Says on the screen that it was stopped, if it was. */
void tell_if_stopped(void);

/* Writes the result to the screen and to FOLDER/result.txt, which the report shows, with the
   seed. A line before it says so if this was not the whole training: because it was stopped, or
   because of `missing`, which is NULL for a whole one. */
void tell_result(const char *folder, const char *missing, void (*tell)(FILE *to, const void *of),
                 const void *of);

/* The status of a milestone that was stopped before any training came to its end. */
enum { NOTHING_WHOLE = 3 };

/* The main() of a milestone. Its arguments are FOLDER, `try FOLDER` or `bench FOLDER`; what a
   milestone cannot do is NULL. A bench is not stopped by Ctrl-C and has no seed. */
struct milestone {
    int (*run)(const char *folder);
    int (*try_out)(const char *folder);
    int (*bench)(const char *folder);
};
int milestone_main(int argc, char **argv, const struct milestone *milestone);

/* The place of the largest number; the first on a tie. */
int largest(int n, const double x[n]);

double seconds(void); /* since some moment */

/* So many bytes of memory, all 0; without them the program ends. */
void *zeroes(size_t size);

#endif
