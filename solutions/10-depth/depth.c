#include "depth.h"

#include "todo.h"

#include <math.h>

void add_rows(int n, int d, const double X[n][d], double out[n][d]) {
    // BEGIN SOLUTION: add X to what out already contains
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            out[i][c] += X[i][c];
    // END SOLUTION
}

void layer_norm(int n, int d, const double X[n][d], const double gain[d], const double bias[d],
                double normed[n][d], double inverse_std[n], double out[n][d]) {
    // BEGIN SOLUTION: for each row: first the mean, then the variance, then the formulas
    for (int i = 0; i < n; i++) {
        double mean = 0.0, variance = 0.0;
        for (int c = 0; c < d; c++)
            mean += X[i][c] / d;
        for (int c = 0; c < d; c++)
            variance += (X[i][c] - mean) * (X[i][c] - mean) / d;
        inverse_std[i] = 1.0 / sqrt(variance + norm_epsilon);
        for (int c = 0; c < d; c++) {
            normed[i][c] = (X[i][c] - mean) * inverse_std[i];
            out[i][c] = gain[c] * normed[i][c] + bias[c];
        }
    }
    // END SOLUTION
}

void layer_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                         const double inverse_std[n], const double d_out[n][d], double d_gain[d],
                         double d_bias[d], double d_X[n][d]) {
    // BEGIN SOLUTION: first the means of g and of g * normed, then d_X
    for (int i = 0; i < n; i++) {
        double mean_g = 0.0, mean_g_normed = 0.0;
        for (int c = 0; c < d; c++) {
            double g = gain[c] * d_out[i][c];
            mean_g += g / d;
            mean_g_normed += g * normed[i][c] / d;
            d_gain[c] += d_out[i][c] * normed[i][c];
            d_bias[c] += d_out[i][c];
        }
        for (int c = 0; c < d; c++) {
            double g = gain[c] * d_out[i][c];
            d_X[i][c] += inverse_std[i] * (g - mean_g - normed[i][c] * mean_g_normed);
        }
    }
    // END SOLUTION
}

void rms_norm(int n, int d, const double X[n][d], const double gain[d], double normed[n][d],
              double inverse_rms[n], double out[n][d]) {
    // BEGIN SOLUTION: as in layer_norm, but with the mean of the squares
    for (int i = 0; i < n; i++) {
        double mean_square = 0.0;
        for (int c = 0; c < d; c++)
            mean_square += X[i][c] * X[i][c] / d;
        inverse_rms[i] = 1.0 / sqrt(mean_square + norm_epsilon);
        for (int c = 0; c < d; c++) {
            normed[i][c] = X[i][c] * inverse_rms[i];
            out[i][c] = gain[c] * normed[i][c];
        }
    }
    // END SOLUTION
}

void rms_norm_backward(int n, int d, const double gain[d], const double normed[n][d],
                       const double inverse_rms[n], const double d_out[n][d], double d_gain[d],
                       double d_X[n][d]) {
    // BEGIN SOLUTION: as in layer_norm_backward, but with only one of its two means
    for (int i = 0; i < n; i++) {
        double mean_g_normed = 0.0;
        for (int c = 0; c < d; c++) {
            mean_g_normed += gain[c] * d_out[i][c] * normed[i][c] / d;
            d_gain[c] += d_out[i][c] * normed[i][c];
        }
        for (int c = 0; c < d; c++)
            d_X[i][c] += inverse_rms[i] * (gain[c] * d_out[i][c] - normed[i][c] * mean_g_normed);
    }
    // END SOLUTION
}

void attention_layer(int n, int m, const struct attention_layer *w,
                     const double X[n][w->heads.d_model], const double memory[m][w->heads.d_model],
                     const bool blocked[n][m], struct attention_layer_values *v,
                     double out[n][w->heads.d_model]) {
    // BEGIN SOLUTION: the norm, the source of keys and values, the heads, the residual
    int d = w->heads.d_model;
    layer_norm(n, d, X, w->gain, w->bias, v->normed, v->inverse_std, v->scaled);
    if (!memory)
        memory = v->scaled;
    multi_head_attention(n, m, &w->heads, v->scaled, memory, blocked, &v->heads, out);
    add_rows(n, d, X, out);
    // END SOLUTION
}

void attention_layer_backward(int n, int m, const struct attention_layer *w,
                              const double memory[m][w->heads.d_model], const bool blocked[n][m],
                              const struct attention_layer_values *v,
                              const double d_out[n][w->heads.d_model],
                              struct attention_layer_values *d_v, struct attention_layer *d_w,
                              double d_X[n][w->heads.d_model],
                              double d_memory[m][w->heads.d_model]) {
    // BEGIN SOLUTION: the calls of attention_layer in reverse order
    int d = w->heads.d_model;
    if (!memory) {
        memory = v->scaled;
        d_memory = d_v->scaled;
    }
    add_rows(n, d, d_out, d_X);
    multi_head_attention_backward(n, m, &w->heads, v->scaled, memory, blocked, &v->heads, d_out,
                                  &d_v->heads, &d_w->heads, d_v->scaled, d_memory);
    layer_norm_backward(n, d, w->gain, v->normed, v->inverse_std, d_v->scaled, d_w->gain, d_w->bias,
                        d_X);
    // END SOLUTION
}

void adam_step(int n, int step, double learning_rate, const double gradient[n], double mean[n],
               double square[n], double parameter[n]) {
    // BEGIN SOLUTION: update both averages, then divide each by its correction
    double of_mean = 1.0 - pow(0.9, step), of_square = 1.0 - pow(0.999, step);
    for (int i = 0; i < n; i++) {
        mean[i] = 0.9 * mean[i] + 0.1 * gradient[i];
        square[i] = 0.999 * square[i] + 0.001 * gradient[i] * gradient[i];
        parameter[i] -= learning_rate * (mean[i] / of_mean) / (sqrt(square[i] / of_square) + 1e-8);
    }
    // END SOLUTION
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
