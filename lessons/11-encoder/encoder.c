#include "encoder.h"

#include "self_attention.h"
#include "todo.h"

#include <math.h>

void feed_forward(int n, int d_model, int d_ff, const double X[n][d_model],
                  const double W_1[d_model][d_ff], const double b_1[d_ff],
                  const double W_2[d_ff][d_model], const double b_2[d_model],
                  double hidden[n][d_ff], double out[n][d_model]) {
    TODO("project, add b_1, apply ReLU; project again, add b_2");
}

void feed_forward_backward(int n, int d_model, int d_ff, const double X[n][d_model],
                           const double W_1[d_model][d_ff], const double W_2[d_ff][d_model],
                           const double hidden[n][d_ff], const double d_out[n][d_model],
                           double d_hidden[n][d_ff], double d_W_1[d_model][d_ff],
                           double d_b_1[d_ff], double d_W_2[d_ff][d_model], double d_b_2[d_model],
                           double d_X[n][d_model]) {
    TODO("from the last step to the first; the gradient of a unit that is off is 0");
}

void feed_forward_layer(int n, const struct feed_forward_layer *w, const double X[n][w->d_model],
                        struct feed_forward_layer_values *v, double out[n][w->d_model]) {
    TODO("layer norm, network, and the residual connection");
}

void feed_forward_layer_backward(int n, const struct feed_forward_layer *w,
                                 const struct feed_forward_layer_values *v,
                                 const double d_out[n][w->d_model],
                                 struct feed_forward_layer_values *d_v,
                                 struct feed_forward_layer *d_w, double d_X[n][w->d_model]) {
    TODO("the backward functions of the three calls, in reverse order");
}

void encoder_block(int n, const struct encoder_block *w, const double X[n][w->forward.d_model],
                   const bool blocked[n][n], struct encoder_values *v,
                   double out[n][w->forward.d_model]) {
    TODO("the attention layer without a memory, then the feed-forward layer");
}

void encoder_block_backward(int n, const struct encoder_block *w, const bool blocked[n][n],
                            const struct encoder_values *v,
                            const double d_out[n][w->forward.d_model], struct encoder_values *d_v,
                            struct encoder_block *d_w, double d_X[n][w->forward.d_model]) {
    TODO("the second layer first; it adds to d_v->attended, which the first layer needs");
}

// The following functions are given. They place the members of a struct in a buffer.

struct feed_forward_layer take_feed_forward_layer(struct room *room, int d_model, int d_ff) {
    struct feed_forward_layer w = {.d_model = d_model, .d_ff = d_ff};
    w.gain = take(room, d_model);
    w.bias = take(room, d_model);
    w.W_1 = take(room, d_model * d_ff);
    w.b_1 = take(room, d_ff);
    w.W_2 = take(room, d_ff * d_model);
    w.b_2 = take(room, d_model);
    return w;
}

struct feed_forward_layer_values
take_feed_forward_layer_values(struct room *room, const struct feed_forward_layer *w, int n) {
    struct feed_forward_layer_values v;
    v.normed = take(room, n * w->d_model);
    v.inverse_std = take(room, n);
    v.scaled = take(room, n * w->d_model);
    v.hidden = take(room, n * w->d_ff);
    return v;
}

struct encoder_block take_encoder_block(struct room *room, int d_model, int n_heads, int d_ff) {
    struct encoder_block w;
    w.self = take_attention_layer(room, d_model, n_heads);
    w.forward = take_feed_forward_layer(room, d_model, d_ff);
    return w;
}

struct encoder_values take_encoder_values(struct room *room, const struct encoder_block *w, int n) {
    struct encoder_values v;
    v.self = take_attention_layer_values(room, &w->self, n, n);
    v.attended = take(room, n * w->forward.d_model);
    v.forward = take_feed_forward_layer_values(room, &w->forward, n);
    return v;
}
