/* Lesson 10: residual connections, norms and Adam, with which a deep stack of layers can learn.

   Parameters and values are the members of structs, as in lessons 07 and 08. MATRIX(normed, n, d)
   declares a `void *` that points to a matrix normed[n][d], and VECTOR declares a `double *`. The
   parameters `w` and their gradients `d_w` have the same struct type, and so do the values `v` and
   their gradients `d_v`. The messages of the tests write scaled for v->scaled, d_scaled for
   d_v->scaled, and d_gain for d_w->gain.

   The outputs are the last parameters of a function, and they do not overlap the inputs. In the
   forward pass, the outputs and the members of v have no defined values before the call. A function
   whose name ends in _backward ADDS (+=) its results to its outputs, that is, to every d_...
   parameter without `const` and to the members of d_v and d_w. One function of the backward pass
   adds a gradient to d_v, and the next function reads it there. The caller sets d_v to 0 before
   each pass and d_w to 0 before each training step. No function may have a matrix of its own, or a
   `static` or global variable. */
#ifndef DEPTH_H
#define DEPTH_H

#include "multi_head.h"

/* Adds X to out, as a residual connection does: out += X. The backward pass adds the gradient in
   the same way, with the call add_rows(n, d, d_out, d_X). */
void add_rows(int n, int d, const double X[n][d], double out[n][d]);

/* This number is added to the variance (or to the mean square) before the square root is taken. The
   variance of a row of equal numbers is 0, so without norm_epsilon we would divide by 0. */
static const double norm_epsilon = 1e-5;

/* Computes for each row of X

       normed = (x - mean) * inverse_std      inverse_std = 1 / sqrt(variance + norm_epsilon)
       out = gain * normed + bias

   where mean and variance are those of the d numbers of the row (the sums are divided by d, as in
   lesson 03). Number c of each row has its own gain[c] and bias[c]. The function also writes normed
   and, for each row, inverse_std, because the backward pass needs them. At least 6
   digits of the results must be right even if all numbers of a row are near 1e8. So subtract the
   mean before you square, because for such numbers the mean of the squares minus the square of the
   mean has no right digit. */
void layer_norm(int n, int d, const double X[n][d], const double gain[d], const double bias[d],
                double normed[n][d], double inverse_std[n], double out[n][d]);

/* The backward pass of layer_norm, for each row. All means are over the d numbers of the row.

       g = gain * d_out                       d_gain += d_out * normed      d_bias += d_out
       d_X += inverse_std * (g - mean(g) - normed * mean(g * normed))

   All rows use the same gain and bias, so every row adds to the same d_gain and d_bias. */
void layer_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                         const double inverse_std[n], const double d_out[n][d], double d_gain[d],
                         double d_bias[d], double d_X[n][d]);

/* Like layer_norm, but without mean and bias:

       normed = x * inverse_rms               inverse_rms = 1 / sqrt(mean(x * x) + norm_epsilon)
       out = gain * normed */
void rms_norm(int n, int d, const double X[n][d], const double gain[d], double normed[n][d],
              double inverse_rms[n], double out[n][d]);

/* The backward pass of rms_norm. It is that of layer_norm without mean(g) and without d_bias. */
void rms_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                       const double inverse_rms[n], const double d_out[n][d], double d_gain[d],
                       double d_X[n][d]);

/* The parameters of a layer norm and of the multi-head attention after it, or their gradients. */
struct attention_layer {
    VECTOR(gain, heads.d_model);
    VECTOR(bias, heads.d_model);
    struct multi_head heads;
};
struct attention_layer_values {
    MATRIX(normed, n, w->heads.d_model); /* not used in d_v */
    VECTOR(inverse_std, n);              /* not used in d_v */
    MATRIX(scaled, n, w->heads.d_model); /* the output of the layer norm */
    struct multi_head_values heads WHERE(n_q = n, n_k = m);
};

/* These two functions are given. They take the memory for all members of a struct from a buffer, as
   in lesson 07. Each head has its own key head, and d_head is d_model / n_heads. */
struct attention_layer take_attention_layer(struct room *room, int d_model, int n_heads);
struct attention_layer_values
take_attention_layer_values(struct room *room, const struct attention_layer *w, int n, int m);

/* A pre-norm layer, out = X + heads(norm(X)). The layer norm writes its output to v->scaled, from
   which the queries are computed. The keys and values are computed from the m rows of `memory`
   without the norm, because the encoder that will compute these rows applies a norm itself. If
   `memory` is NULL, the layer is self-attention, so m is equal to n, and the keys and values are
   computed from v->scaled, too. */
void attention_layer(int n, int m, const struct attention_layer *w,
                     const double X[n][w->heads.d_model], const double memory[m][w->heads.d_model],
                     const bool blocked[n][m], struct attention_layer_values *v,
                     double out[n][w->heads.d_model]);

/* The backward pass of attention_layer, from d_out. If `memory` is NULL, so is d_memory. */
void attention_layer_backward(int n, int m, const struct attention_layer *w,
                              const double memory[m][w->heads.d_model], const bool blocked[n][m],
                              const struct attention_layer_values *v,
                              const double d_out[n][w->heads.d_model],
                              struct attention_layer_values *d_v, struct attention_layer *d_w,
                              double d_X[n][w->heads.d_model],
                              double d_memory[m][w->heads.d_model]);

/* Makes one training step of Adam with the gradient g of each parameter. The array `mean` contains
   the running average of the gradients, and `square` that of their squares. The function updates
   both, and the caller sets them to 0 before the first step. `step` is the number of the step,
   starting from 1, and ^ is a power.

       mean = .9 mean + .1 g            square = .999 square + .001 g^2
       m = mean / (1 - .9^step)         s = square / (1 - .999^step)
       parameter -= learning_rate * m / (sqrt(s) + 1e-8)

   The corrected averages m and s are used in this step only, and the arrays keep mean and square.
 */
void adam_step(int n, int step, double learning_rate, const double gradient[n], double mean[n],
               double square[n], double parameter[n]);

#endif
