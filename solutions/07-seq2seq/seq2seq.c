#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void gru_step(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
              struct gru_values *v, double next[1][w->d]) {
    // BEGIN SOLUTION: call project twice; then the formulas of the header for each c below d
    int d = w->d;
    double(*gates)[3 * d] = v->gates, (*acc)[3 * d] = v->acc;
    project(1, w->d_in, 3 * d, x, w->W, gates);
    project(1, d, 3 * d, h, w->U, acc);
    for (int c = 0; c < d; c++) {
        double z = 1.0 / (1.0 + exp(-gates[0][c] - acc[0][c]));
        double r = 1.0 / (1.0 + exp(-gates[0][d + c] - acc[0][d + c]));
        double n = tanh(gates[0][2 * d + c] + r * acc[0][2 * d + c]);
        next[0][c] = (1.0 - z) * n + z * h[0][c];
        gates[0][c] = z;
        gates[0][d + c] = r;
        gates[0][2 * d + c] = n;
    }
    // END SOLUTION
}

void gru_step_backward(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
                       const struct gru_values *v, const double d_next[1][w->d],
                       struct gru_values *d_v, struct gru *d_w, double d_x[1][w->d_in],
                       double d_h[1][w->d]) {
    // BEGIN SOLUTION: for each c, the gradients of z, r and n; then project_backward twice
    int d = w->d;
    const double(*gates)[3 * d] = v->gates, (*acc)[3 * d] = v->acc;
    double(*d_gates)[3 * d] = d_v->gates, (*d_acc)[3 * d] = d_v->acc;
    for (int c = 0; c < d; c++) {
        double z = gates[0][c], r = gates[0][d + c], n = gates[0][2 * d + c];
        double d_z = d_next[0][c] * (h[0][c] - n) * z * (1.0 - z);
        double d_n = d_next[0][c] * (1.0 - z) * (1.0 - n * n);
        double d_r = d_n * acc[0][2 * d + c] * r * (1.0 - r);
        d_h[0][c] += d_next[0][c] * z;
        d_gates[0][c] += d_z;
        d_gates[0][d + c] += d_r;
        d_gates[0][2 * d + c] += d_n;
        d_acc[0][c] += d_z;
        d_acc[0][d + c] += d_r;
        d_acc[0][2 * d + c] += d_n * r;
    }
    project_backward(1, w->d_in, 3 * d, x, w->W, d_gates, d_x, d_w->W);
    project_backward(1, d, 3 * d, h, w->U, d_acc, d_h, d_w->U);
    // END SOLUTION
}

void encode(int n, const struct gru w[2], const double X[n][w->d_in], const double start[2][w->d],
            struct gru_values v[n][2], double H[n][2][w->d]) {
    // BEGIN SOLUTION: `before` is &start[0] at first, then &H[j][0]; the second GRU begins at the end
    const double(*before)[w->d] = &start[0];
    for (int j = 0; j < n; j++) {
        gru_step(&w[0], &X[j], before, &v[j][0], &H[j][0]);
        before = &H[j][0];
    }
    before = &start[1];
    for (int j = n - 1; j >= 0; j--) {
        gru_step(&w[1], &X[j], before, &v[j][1], &H[j][1]);
        before = &H[j][1];
    }
    // END SOLUTION
}

void encode_backward(int n, const struct gru w[2], const double X[n][w->d_in],
                     const double start[2][w->d], const struct gru_values v[n][2],
                     const double H[n][2][w->d], double d_H[n][2][w->d],
                     struct gru_values d_v[n][2], struct gru d_w[2], double d_X[n][w->d_in],
                     double d_start[2][w->d]) {
    // BEGIN SOLUTION: the last step of each GRU first; add to the state from which it started
    for (int j = n - 1; j >= 0; j--)
        gru_step_backward(&w[0], &X[j], j > 0 ? &H[j - 1][0] : &start[0], &v[j][0], &d_H[j][0],
                          &d_v[j][0], &d_w[0], &d_X[j], j > 0 ? &d_H[j - 1][0] : &d_start[0]);
    for (int j = 0; j < n; j++)
        gru_step_backward(&w[1], &X[j], j < n - 1 ? &H[j + 1][1] : &start[1], &v[j][1], &d_H[j][1],
                          &d_v[j][1], &d_w[1], &d_X[j], j < n - 1 ? &d_H[j + 1][1] : &d_start[1]);
    // END SOLUTION
}

void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]) {
    // BEGIN SOLUTION: which word did each of the two GRUs read last?
    for (int i = 0; i < d; i++) {
        c[0][i] = H[n - 1][0][i];
        c[1][i] = H[0][1][i];
    }
    // END SOLUTION
}

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]) {
    // BEGIN SOLUTION: add to the two states that were copied, and to no other
    for (int i = 0; i < d; i++) {
        d_H[n - 1][0][i] += d_c[0][i];
        d_H[0][1][i] += d_c[1][i];
    }
    // END SOLUTION
}

void decoder_step(const struct context_decoder *w, const double y[1][w->d_word],
                  const double c[1][w->d_context], const double s[1][w->gru.d],
                  struct context_decoder_values *v, double next[1][w->gru.d]) {
    // BEGIN SOLUTION: copy y and then c into v->input, and call gru_step
    double(*input)[w->d_word + w->d_context] = v->input;
    for (int i = 0; i < w->d_word; i++)
        input[0][i] = y[0][i];
    for (int i = 0; i < w->d_context; i++)
        input[0][w->d_word + i] = c[0][i];
    gru_step(&w->gru, input, s, &v->gru, next);
    // END SOLUTION
}

void decoder_step_backward(const struct context_decoder *w, const double s[1][w->gru.d],
                           const struct context_decoder_values *v, const double d_next[1][w->gru.d],
                           struct context_decoder_values *d_v, struct context_decoder *d_w,
                           double d_y[1][w->d_word], double d_c[1][w->d_context],
                           double d_s[1][w->gru.d]) {
    // BEGIN SOLUTION: gru_step_backward fills d_v->input; its first part is the word's
    double(*d_input)[w->d_word + w->d_context] = d_v->input;
    gru_step_backward(&w->gru, v->input, s, &v->gru, d_next, &d_v->gru, &d_w->gru, d_input, d_s);
    for (int i = 0; i < w->d_word; i++)
        d_y[0][i] += d_input[0][i];
    for (int i = 0; i < w->d_context; i++)
        d_c[0][i] += d_input[0][w->d_word + i];
    // END SOLUTION
}

void attention_step(int n_k, const struct attention_decoder *w,
                    const double y[1][w->decoder.d_word], const double H[n_k][w->decoder.d_context],
                    const double s[1][w->decoder.gru.d], struct attention_decoder_values *v,
                    double next[1][w->decoder.gru.d]) {
    // BEGIN SOLUTION: two calls: attention with s as the query, then the decoder's step
    int d = w->decoder.gru.d, d_k = w->decoder.d_context;
    additive_attention(1, n_k, d, d_k, w->d_a, d_k, w->W_q, w->W_k, w->v_a, s, H, H, v->hidden,
                       v->weights, v->c);
    decoder_step(&w->decoder, y, v->c, s, &v->decoder, next);
    // END SOLUTION
}

void attention_step_backward(
    int n_k, const struct attention_decoder *w, const double H[n_k][w->decoder.d_context],
    const double s[1][w->decoder.gru.d], const struct attention_decoder_values *v,
    const double d_next[1][w->decoder.gru.d], struct attention_decoder_values *d_v,
    struct attention_decoder *d_w, double d_y[1][w->decoder.d_word],
    double d_H[n_k][w->decoder.d_context], double d_s[1][w->decoder.gru.d]) {
    // BEGIN SOLUTION: the same two calls in reverse; H was keys and values, so d_H appears twice
    int d = w->decoder.gru.d, d_k = w->decoder.d_context;
    decoder_step_backward(&w->decoder, s, &v->decoder, d_next, &d_v->decoder, &d_w->decoder, d_y,
                          d_v->c, d_s);
    additive_attention_backward(1, n_k, d, d_k, w->d_a, d_k, w->W_q, w->W_k, w->v_a, s, H, H,
                                v->hidden, v->weights, d_v->c, d_w->W_q, d_w->W_k, d_w->v_a, d_s,
                                d_H, d_H);
    // END SOLUTION
}

void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]) {
    // BEGIN SOLUTION: step t reads word t - 1, and its target is word t
    for (int t = 0; t < steps; t++) {
        inputs[t] = t == 0 ? BEGIN : t <= n ? words[t - 1] : END;
        targets[t] = t < n ? words[t] : t == n ? END : PADDING;
    }
    // END SOLUTION
}

double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]) {
    // BEGIN SOLUTION: add up and count the steps whose target is not PADDING
    double sum = 0.0;
    int counted = 0;
    for (int t = 0; t < steps; t++)
        if (targets[t] != PADDING) {
            sum += cross_entropy(vocabulary, logits[t], targets[t]);
            counted++;
        }
    return counted > 0 ? sum / counted : 0.0;
    // END SOLUTION
}

void sequence_loss_backward(int steps, int vocabulary, const double logits[steps][vocabulary],
                            const int targets[steps], double d_logits[steps][vocabulary]) {
    // BEGIN SOLUTION: softmax minus 1 at the target, divided by the number of targets
    int counted = 0;
    for (int t = 0; t < steps; t++)
        counted += targets[t] != PADDING;
    for (int t = 0; t < steps; t++) {
        if (targets[t] == PADDING)
            continue;
        double whole = log_sum_exp(vocabulary, logits[t]);
        for (int w = 0; w < vocabulary; w++)
            d_logits[t][w] += (exp(logits[t][w] - whole) - (w == targets[t])) / counted;
    }
    // END SOLUTION
}

int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]) {
    // BEGIN SOLUTION: call step, choose, store; the chosen word is the next input
    int word = BEGIN;
    for (int t = 0; t < limit; t++) {
        step(decoder, word, logits);
        word = 0;
        for (int w = 1; w < vocabulary; w++)
            if (logits[w] > logits[word])
                word = w;
        if (word == END)
            return t;
        words[t] = word;
    }
    return limit;
    // END SOLUTION
}

// The following functions are given. Each places the matrices of a struct in a buffer.

struct gru take_gru(struct room *room, int d_in, int d) {
    struct gru w = {.d_in = d_in, .d = d};
    w.W = take(room, d_in * 3 * d);
    w.U = take(room, d * 3 * d);
    return w;
}

struct gru_values take_gru_values(struct room *room, const struct gru *w) {
    struct gru_values v;
    v.gates = take(room, 3 * w->d);
    v.acc = take(room, 3 * w->d);
    return v;
}

struct context_decoder take_context_decoder(struct room *room, int d_word, int d_context, int d) {
    return (struct context_decoder){d_word, d_context, take_gru(room, d_word + d_context, d)};
}

struct context_decoder_values take_context_decoder_values(struct room *room,
                                                          const struct context_decoder *w) {
    struct context_decoder_values v;
    v.input = take(room, w->gru.d_in);
    v.gru = take_gru_values(room, &w->gru);
    return v;
}

struct attention_decoder take_attention_decoder(struct room *room, int d_word, int d_k, int d,
                                                int d_a) {
    struct attention_decoder w = {.d_a = d_a};
    w.W_q = take(room, d_a * d);
    w.W_k = take(room, d_a * d_k);
    w.v_a = take(room, d_a);
    w.decoder = take_context_decoder(room, d_word, d_k, d);
    return w;
}

struct attention_decoder_values
take_attention_decoder_values(struct room *room, const struct attention_decoder *w, int n_k) {
    struct attention_decoder_values v;
    v.hidden = take(room, n_k * w->d_a);
    v.weights = take(room, n_k);
    v.c = take(room, w->decoder.d_context);
    v.decoder = take_context_decoder_values(room, &w->decoder);
    return v;
}
