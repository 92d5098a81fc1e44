/* Lesson 10: what lets layers stand on each other.

   A way past each layer (add, do not replace), every word brought to one size before it is looked
   at, and a step of the right size for every number.

   Structs are as in lessons 07 and 08: MATRIX(normed, n, d) is a `void *` with its shape, VECTOR is
   a `double *`. Weights `w` and gradients `d_w` are of one type, values `v` and their gradients
   `d_v` are of one type. Tests call the matrix of v->scaled scaled, that of d_v->scaled d_scaled,
   that of d_w->gain d_gain.

   Outputs come last and start out undefined, as does what v points to; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that is no `const double`, and
   into what d_v and d_w point to; what d_v holds after adding goes on. The caller zeroes d_v for
   each pass and d_w for each step. No function keeps a matrix of its own, or anything in a `static`
   or global variable. */
#ifndef DEPTH_H
#define DEPTH_H

#include "multi_head.h"

/* out += X. The way back of an addition is an addition: add_rows(n, d, d_out, d_X). */
void add_rows(int n, int d, const double X[n][d], double out[n][d]);

/* Added to the variance, or to the mean square, under the root: a row of equal numbers has none. */
static const double norm_epsilon = 1e-5;

/* Brings each row to mean 0 and variance 1, then gives number c its own gain and bias.

       normed = (x - mean) * inverse_std      inverse_std = 1 / sqrt(variance + norm_epsilon)
       out = gain * normed + bias

   mean and variance are of the d numbers of that row (divided by d, as in lesson 03). normed and
   inverse_std, one for each row, are left for the way back. Results are right to 6 digits even if
   all numbers of a row are near 1e8. There the mean of the squares minus the square of the mean has
   no digits left (cancellation), so subtract the mean first. */
void layer_norm(int n, int d, const double X[n][d], const double gain[d], const double bias[d],
                double normed[n][d], double inverse_std[n], double out[n][d]);

void layer_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                         const double inverse_std[n], const double d_out[n][d], double d_gain[d],
                         double d_bias[d], double d_X[n][d]);

/* The same without a mean and a bias: normed = x * inverse_rms, out = gain * normed, with
   inverse_rms = 1 / sqrt(mean of the squares + norm_epsilon). */
void rms_norm(int n, int d, const double X[n][d], const double gain[d], double normed[n][d],
              double inverse_rms[n], double out[n][d]);

void rms_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                       const double inverse_rms[n], const double d_out[n][d], double d_gain[d],
                       double d_X[n][d]);

/* Lesson 08's heads behind a layer norm; or their gradients. */
struct attention_layer {
    VECTOR(gain, heads.d_model);
    VECTOR(bias, heads.d_model);
    struct multi_head heads;
};
struct attention_layer_values {
    MATRIX(normed, n, w->heads.d_model); /* no gradient of it is kept */
    VECTOR(inverse_std, n);              /* nor of this */
    MATRIX(scaled, n, w->heads.d_model); /* what the layer norm gives */
    struct multi_head_values heads WHERE(n_q = n, n_k = m);
};

/* These are given: they lay a struct out in a room, member after member. As many key heads as
   heads, and d_head is d_model / n_heads. */
struct attention_layer take_attention_layer(struct room *room, int d_model, int n_heads);
struct attention_layer_values
take_attention_layer_values(struct room *room, const struct attention_layer *w, int n, int m);

/* out = X + heads(norm(X)): the heads look at the scaled rows, and what they give is added to X.
   Who is asked is `memory`, taken as it is; if that is NULL, m is n, and the scaled rows are asked
   themselves. */
void attention_layer(int n, int m, const struct attention_layer *w,
                     const double X[n][w->heads.d_model], const double memory[m][w->heads.d_model],
                     const bool blocked[n][m], struct attention_layer_values *v,
                     double out[n][w->heads.d_model]);

/* The way back, from d_out. d_memory is NULL where memory is. */
void attention_layer_backward(int n, int m, const struct attention_layer *w,
                              const double memory[m][w->heads.d_model], const bool blocked[n][m],
                              const struct attention_layer_values *v,
                              const double d_out[n][w->heads.d_model],
                              struct attention_layer_values *d_v, struct attention_layer *d_w,
                              double d_X[n][w->heads.d_model],
                              double d_memory[m][w->heads.d_model]);

/* One step of Adam. `mean` and `square` are its memory of the gradients so far, and are brought up
   to date; the caller sets them to 0 before the first step. `step` counts from 1.

       mean = .9 mean + .1 g            square = .999 square + .001 g^2
       parameter -= learning_rate * m / (sqrt(s) + 1e-8)
       m = mean / (1 - .9^step)         s = square / (1 - .999^step)

   m and s are not kept. */
void adam_step(int n, int step, double learning_rate, const double gradient[n], double mean[n],
               double square[n], double parameter[n]);

#endif
