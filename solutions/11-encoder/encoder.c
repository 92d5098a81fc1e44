#include "encoder.h"

#include "self_attention.h"
#include "todo.h"

#include <math.h>

void feed_forward(int n, int d_model, int d_ff, const double X[n][d_model],
                  const double W_1[d_model][d_ff], const double b_1[d_ff],
                  const double W_2[d_ff][d_model], const double b_2[d_model],
                  double hidden[n][d_ff], double out[n][d_model]) {
    // BEGIN SOLUTION: project, add b_1, apply ReLU; project again, add b_2
    project(n, d_model, d_ff, X, W_1, hidden);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_ff; c++)
            hidden[i][c] = fmax(0.0, hidden[i][c] + b_1[c]);
    project(n, d_ff, d_model, hidden, W_2, out);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_model; c++)
            out[i][c] += b_2[c];
    // END SOLUTION
}

void feed_forward_backward(int n, int d_model, int d_ff, const double X[n][d_model],
                           const double W_1[d_model][d_ff], const double W_2[d_ff][d_model],
                           const double hidden[n][d_ff], const double d_out[n][d_model],
                           double d_hidden[n][d_ff], double d_W_1[d_model][d_ff],
                           double d_b_1[d_ff], double d_W_2[d_ff][d_model], double d_b_2[d_model],
                           double d_X[n][d_model]) {
    // BEGIN SOLUTION: from the last step to the first; the gradient of a unit that is off is 0
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_model; c++)
            d_b_2[c] += d_out[i][c];
    project_backward(n, d_ff, d_model, hidden, W_2, d_out, d_hidden, d_W_2);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_ff; c++) {
            if (hidden[i][c] == 0.0)
                d_hidden[i][c] = 0.0;
            d_b_1[c] += d_hidden[i][c];
        }
    project_backward(n, d_model, d_ff, X, W_1, d_hidden, d_X, d_W_1);
    // END SOLUTION
}

void feed_forward_layer(int n, const struct feed_forward_layer *w, const double X[n][w->d_model],
                        struct feed_forward_layer_values *v, double out[n][w->d_model]) {
    // BEGIN SOLUTION: layer norm, network, and the residual connection
    layer_norm(n, w->d_model, X, w->gain, w->bias, v->normed, v->inverse_std, v->scaled);
    feed_forward(n, w->d_model, w->d_ff, v->scaled, w->W_1, w->b_1, w->W_2, w->b_2, v->hidden, out);
    add_rows(n, w->d_model, X, out);
    // END SOLUTION
}

void feed_forward_layer_backward(int n, const struct feed_forward_layer *w,
                                 const struct feed_forward_layer_values *v,
                                 const double d_out[n][w->d_model],
                                 struct feed_forward_layer_values *d_v,
                                 struct feed_forward_layer *d_w, double d_X[n][w->d_model]) {
    // BEGIN SOLUTION: the backward functions of the three calls, in reverse order
    add_rows(n, w->d_model, d_out, d_X);
    feed_forward_backward(n, w->d_model, w->d_ff, v->scaled, w->W_1, w->W_2, v->hidden, d_out,
                          d_v->hidden, d_w->W_1, d_w->b_1, d_w->W_2, d_w->b_2, d_v->scaled);
    layer_norm_backward(n, w->d_model, w->gain, v->normed, v->inverse_std, d_v->scaled, d_w->gain,
                        d_w->bias, d_X);
    // END SOLUTION
}

void encoder_block(int n, const struct encoder_block *w, const double X[n][w->forward.d_model],
                   const bool blocked[n][n], struct encoder_values *v,
                   double out[n][w->forward.d_model]) {
    // BEGIN SOLUTION: the attention layer without a memory, then the feed-forward layer
    attention_layer(n, n, &w->self, X, NULL, blocked, &v->self, v->attended);
    feed_forward_layer(n, &w->forward, v->attended, &v->forward, out);
    // END SOLUTION
}

void encoder_block_backward(int n, const struct encoder_block *w, const bool blocked[n][n],
                            const struct encoder_values *v,
                            const double d_out[n][w->forward.d_model], struct encoder_values *d_v,
                            struct encoder_block *d_w, double d_X[n][w->forward.d_model]) {
    // BEGIN SOLUTION: the second layer first; it adds to d_v->attended, which the first layer needs
    feed_forward_layer_backward(n, &w->forward, &v->forward, d_out, &d_v->forward, &d_w->forward,
                                d_v->attended);
    attention_layer_backward(n, n, &w->self, NULL, blocked, &v->self, d_v->attended, &d_v->self,
                             &d_w->self, d_X, NULL);
    // END SOLUTION
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
