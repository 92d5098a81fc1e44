#include "depth.h"

#include "todo.h"

#include <math.h>

void add_rows(int n, int d, const double X[n][d], double out[n][d]) {
    TODO("add X to what out already contains");
}

void layer_norm(int n, int d, const double X[n][d], const double gain[d], const double bias[d],
                double normed[n][d], double inverse_std[n], double out[n][d]) {
    TODO("for each row: first the mean, then the variance, then the formulas");
}

void layer_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                         const double inverse_std[n], const double d_out[n][d], double d_gain[d],
                         double d_bias[d], double d_X[n][d]) {
    TODO("first the means of g and of g * normed, then d_X");
}

void rms_norm(int n, int d, const double X[n][d], const double gain[d], double normed[n][d],
              double inverse_rms[n], double out[n][d]) {
    TODO("as in layer_norm, but with the mean of the squares");
}

void rms_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                       const double inverse_rms[n], const double d_out[n][d], double d_gain[d],
                       double d_X[n][d]) {
    TODO("as in layer_norm_backward, but with only one of its two means");
}

void attention_layer(int n, int m, const struct attention_layer *w,
                     const double X[n][w->heads.d_model], const double memory[m][w->heads.d_model],
                     const bool blocked[n][m], struct attention_layer_values *v,
                     double out[n][w->heads.d_model]) {
    TODO("the norm, the source of keys and values, the heads, the residual");
}

void attention_layer_backward(int n, int m, const struct attention_layer *w,
                              const double memory[m][w->heads.d_model], const bool blocked[n][m],
                              const struct attention_layer_values *v,
                              const double d_out[n][w->heads.d_model],
                              struct attention_layer_values *d_v, struct attention_layer *d_w,
                              double d_X[n][w->heads.d_model],
                              double d_memory[m][w->heads.d_model]) {
    TODO("the calls of attention_layer in reverse order");
}

void adam_step(int n, int step, double learning_rate, const double gradient[n], double mean[n],
               double square[n], double parameter[n]) {
    TODO("update both averages, then divide each by its correction");
}

// The functions below are given. Each takes the memory for a struct from a buffer.

struct attention_layer take_attention_layer(struct room *room, int d_model, int n_heads) {
    struct attention_layer w;
    w.gain = take(room, d_model);
    w.bias = take(room, d_model);
    w.heads = take_multi_head(room, d_model, n_heads, n_heads, d_model / n_heads);
    return w;
}

struct attention_layer_values
take_attention_layer_values(struct room *room, const struct attention_layer *w, int n, int m) {
    struct attention_layer_values v;
    v.normed = take(room, n * w->heads.d_model);
    v.inverse_std = take(room, n);
    v.scaled = take(room, n * w->heads.d_model);
    v.heads = take_multi_head_values(room, &w->heads, n, m);
    return v;
}
