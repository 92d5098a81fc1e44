/* Lesson 11: an encoder block, which is an attention layer followed by a feed-forward network.

   As in lessons 07, 08 and 10, the parameters of a layer are the members of a struct, and so are
   the values that its forward pass keeps for the backward pass. MATRIX declares a `void *` with the
   shape of its matrix, and VECTOR declares a `double *`. WHERE(m = n) only says that the size m in
   the inner struct is our n. The parameters `w` and their gradients `d_w` have the same struct
   type, and so do the values `v` and their gradients `d_v`.

   The messages of the tests write hidden for v->hidden, d_hidden for d_v->hidden, and d_W_1 for
   d_w->W_1. In a block, both inner structs may have a member of the same name, so the messages
   write self_ or forward_ before it.

   The outputs are the last parameters of a function. They and the members of v have no defined
   values before the call, and they do not overlap the inputs. A function whose name ends in
   _backward ADDS (+=) its results to every d_... parameter without `const` and to the members of
   d_v and d_w. The caller sets d_v to 0 before each pass and d_w to 0 before each training step. No
   function may have a matrix of its own, or a `static` or global variable. */
#ifndef ENCODER_H
#define ENCODER_H

#include "depth.h"

/* The position-wise feed-forward network, which computes each row separately.

       hidden = max(0, X W_1 + b_1)          out = hidden W_2 + b_2

   b_1 and b_2 are added to every row. The array hidden is an output, too, because the backward pass
   needs it. */
void feed_forward(int n, int d_model, int d_ff, const double X[n][d_model],
                  const double W_1[d_model][d_ff], const double b_1[d_ff],
                  const double W_2[d_ff][d_model], const double b_2[d_model],
                  double hidden[n][d_ff], double out[n][d_model]);

/* The backward pass of feed_forward(), which adds to all d_... arrays without `const`. The caller
   sets d_hidden to 0. At the end, d_hidden should contain the gradient of the sums X W_1 + b_1,
   which is 0 where hidden is 0. */
void feed_forward_backward(int n, int d_model, int d_ff, const double X[n][d_model],
                           const double W_1[d_model][d_ff], const double W_2[d_ff][d_model],
                           const double hidden[n][d_ff], const double d_out[n][d_model],
                           double d_hidden[n][d_ff], double d_W_1[d_model][d_ff],
                           double d_b_1[d_ff], double d_W_2[d_ff][d_model], double d_b_2[d_model],
                           double d_X[n][d_model]);

/* The parameters of a layer norm and of the feed-forward network after it, or their gradients. */
struct feed_forward_layer {
    int d_model, d_ff;
    VECTOR(gain, d_model);
    VECTOR(bias, d_model);
    MATRIX(W_1, d_model, d_ff);
    VECTOR(b_1, d_ff);
    MATRIX(W_2, d_ff, d_model);
    VECTOR(b_2, d_model);
};
/* The values that the forward pass of such a layer keeps, or their gradients. */
struct feed_forward_layer_values {
    MATRIX(normed, n, d_model); /* this member and the next are not used in d_v */
    VECTOR(inverse_std, n);
    MATRIX(scaled, n, d_model); /* the output of the layer norm, gain * normed + bias */
    MATRIX(hidden, n, d_ff);
};

/* A block: the attention layer of lesson 10, then a feed-forward layer. */
struct encoder_block {
    struct attention_layer self;
    struct feed_forward_layer forward;
};
struct encoder_values {
    struct attention_layer_values self WHERE(m = n);
    MATRIX(attended, n, w->forward.d_model); /* the output of the attention layer */
    struct feed_forward_layer_values forward;
};

/* These given functions place the members of a struct one after the other in a buffer. */
struct feed_forward_layer take_feed_forward_layer(struct room *room, int d_model, int d_ff);
struct feed_forward_layer_values
take_feed_forward_layer_values(struct room *room, const struct feed_forward_layer *w, int n);
struct encoder_block take_encoder_block(struct room *room, int d_model, int n_heads, int d_ff);
struct encoder_values take_encoder_values(struct room *room, const struct encoder_block *w, int n);

/* Computes out = X + feed_forward(layer_norm(X)), row by row, and keeps in v what the backward pass
   needs. */
void feed_forward_layer(int n, const struct feed_forward_layer *w, const double X[n][w->d_model],
                        struct feed_forward_layer_values *v, double out[n][w->d_model]);

/* The backward pass of feed_forward_layer(), from d_out. It adds to d_X, d_v and d_w. */
void feed_forward_layer_backward(int n, const struct feed_forward_layer *w,
                                 const struct feed_forward_layer_values *v,
                                 const double d_out[n][w->d_model],
                                 struct feed_forward_layer_values *d_v,
                                 struct feed_forward_layer *d_w, double d_X[n][w->d_model]);

/* Self-attention between the words of X, then the feed-forward layer. `blocked` is NULL if there is
   no mask, and the attention layer accepts NULL as well. */
void encoder_block(int n, const struct encoder_block *w, const double X[n][w->forward.d_model],
                   const bool blocked[n][n], struct encoder_values *v,
                   double out[n][w->forward.d_model]);

/* The backward pass of encoder_block(), from d_out, with the same mask. */
void encoder_block_backward(int n, const struct encoder_block *w, const bool blocked[n][n],
                            const struct encoder_values *v,
                            const double d_out[n][w->forward.d_model], struct encoder_values *d_v,
                            struct encoder_block *d_w, double d_X[n][w->forward.d_model]);

#endif
