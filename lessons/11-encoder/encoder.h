/* Lesson 11: look around, then think alone.

   Attention mixes what the words have; a small network then works on each word by itself. Both
   together are a block, and blocks stack.

   Structs are as in lessons 07, 08 and 10: MATRIX is a `void *` with its shape, VECTOR a
   `double *`. Weights `w` and gradients `d_w` are of one type, values `v` and their gradients
   `d_v` are of one type. Tests call the matrix of v->hidden hidden, that of d_v->hidden d_hidden,
   that of d_w->W_1 d_W_1. Where a block has two of a name, self_ or forward_ stands in front of it.

   Outputs come last and start out undefined, as does what v points to; they may not overlap the
   inputs. A function called ..._backward ADDS (+=) into every d_... that is no `const double`, and
   into what d_v and d_w point to. The caller zeroes d_v for each pass and d_w for each step. No
   function keeps a matrix of its own, or anything in a `static` or global variable. */
#ifndef ENCODER_H
#define ENCODER_H

#include "depth.h"

/* Two projections with a kink between them, for each row by itself.

       hidden = max(0, X W_1 + b_1)          out = hidden W_2 + b_2

   hidden is left for the way back. */
void feed_forward(int n, int d_model, int d_ff, const double X[n][d_model],
                  const double W_1[d_model][d_ff], const double b_1[d_ff],
                  const double W_2[d_ff][d_model], const double b_2[d_model],
                  double hidden[n][d_ff], double out[n][d_model]);

/* The way back, from d_out. d_hidden, zeroed by the caller, is left holding the gradient of the
   sums X W_1 + b_1: 0 where hidden is 0. */
void feed_forward_backward(int n, int d_model, int d_ff, const double X[n][d_model],
                           const double W_1[d_model][d_ff], const double W_2[d_ff][d_model],
                           const double hidden[n][d_ff], const double d_out[n][d_model],
                           double d_hidden[n][d_ff], double d_W_1[d_model][d_ff],
                           double d_b_1[d_ff], double d_W_2[d_ff][d_model], double d_b_2[d_model],
                           double d_X[n][d_model]);

/* A feed-forward network behind a layer norm; or its gradients. */
struct feed_forward_layer {
    int d_model, d_ff;
    VECTOR(gain, d_model);
    VECTOR(bias, d_model);
    MATRIX(W_1, d_model, d_ff);
    VECTOR(b_1, d_ff);
    MATRIX(W_2, d_ff, d_model);
    VECTOR(b_2, d_model);
};
struct feed_forward_layer_values {
    MATRIX(normed, n, d_model); /* no gradient of it is kept */
    VECTOR(inverse_std, n);     /* nor of this */
    MATRIX(scaled, n, d_model); /* what the layer norm gives */
    MATRIX(hidden, n, d_ff);
};

/* A block: lesson 10's attention layer, then a forward layer. */
struct encoder_block {
    struct attention_layer self;
    struct feed_forward_layer forward;
};
struct encoder_values {
    struct attention_layer_values self WHERE(m = n);
    MATRIX(attended, n, w->forward.d_model); /* what the first layer gives */
    struct feed_forward_layer_values forward;
};

/* These are given: they lay a struct out in a room, member after member. */
struct feed_forward_layer take_feed_forward_layer(struct room *room, int d_model, int d_ff);
struct feed_forward_layer_values
take_feed_forward_layer_values(struct room *room, const struct feed_forward_layer *w, int n);
struct encoder_block take_encoder_block(struct room *room, int d_model, int n_heads, int d_ff);
struct encoder_values take_encoder_values(struct room *room, const struct encoder_block *w, int n);

/* out = X + feed_forward(norm(X)) */
void feed_forward_layer(int n, const struct feed_forward_layer *w, const double X[n][w->d_model],
                        struct feed_forward_layer_values *v, double out[n][w->d_model]);

void feed_forward_layer_backward(int n, const struct feed_forward_layer *w,
                                 const struct feed_forward_layer_values *v,
                                 const double d_out[n][w->d_model],
                                 struct feed_forward_layer_values *d_v,
                                 struct feed_forward_layer *d_w, double d_X[n][w->d_model]);

/* The words of X ask each other, then each of them goes through the forward layer. `blocked` is
   NULL where nothing is. */
void encoder_block(int n, const struct encoder_block *w, const double X[n][w->forward.d_model],
                   const bool blocked[n][n], struct encoder_values *v,
                   double out[n][w->forward.d_model]);

void encoder_block_backward(int n, const struct encoder_block *w, const bool blocked[n][n],
                            const struct encoder_values *v,
                            const double d_out[n][w->forward.d_model], struct encoder_values *d_v,
                            struct encoder_block *d_w, double d_X[n][w->forward.d_model]);

#endif
