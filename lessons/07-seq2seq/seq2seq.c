#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void gru_step(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
              struct gru_values *v, double next[1][w->d]) {
    TODO("call project twice; then the formulas of the header for each c below d");
}

void gru_step_backward(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
                       const struct gru_values *v, const double d_next[1][w->d],
                       struct gru_values *d_v, struct gru *d_w, double d_x[1][w->d_in],
                       double d_h[1][w->d]) {
    TODO("for each c, the gradients of z, r and n; then project_backward twice");
}

void encode(int n, const struct gru w[2], const double X[n][w->d_in], const double start[2][w->d],
            struct gru_values v[n][2], double H[n][2][w->d]) {
    TODO("`before` is &start[0] at first, then &H[j][0]; the second GRU begins at the end");
}

void encode_backward(int n, const struct gru w[2], const double X[n][w->d_in],
                     const double start[2][w->d], const struct gru_values v[n][2],
                     const double H[n][2][w->d], double d_H[n][2][w->d],
                     struct gru_values d_v[n][2], struct gru d_w[2], double d_X[n][w->d_in],
                     double d_start[2][w->d]) {
    TODO("the last step of each GRU first; add to the state from which it started");
}

void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]) {
    TODO("which word did each of the two GRUs read last?");
}

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]) {
    TODO("add to the two states that were copied, and to no other");
}

void decoder_step(const struct context_decoder *w, const double y[1][w->d_word],
                  const double c[1][w->d_context], const double s[1][w->gru.d],
                  struct context_decoder_values *v, double next[1][w->gru.d]) {
    TODO("copy y and then c into v->input, and call gru_step");
}

void decoder_step_backward(const struct context_decoder *w, const double s[1][w->gru.d],
                           const struct context_decoder_values *v, const double d_next[1][w->gru.d],
                           struct context_decoder_values *d_v, struct context_decoder *d_w,
                           double d_y[1][w->d_word], double d_c[1][w->d_context],
                           double d_s[1][w->gru.d]) {
    TODO("gru_step_backward fills d_v->input; its first part is the word's");
}

void attention_step(int n_k, const struct attention_decoder *w,
                    const double y[1][w->decoder.d_word], const double H[n_k][w->decoder.d_context],
                    const double s[1][w->decoder.gru.d], struct attention_decoder_values *v,
                    double next[1][w->decoder.gru.d]) {
    TODO("two calls: attention with s as the query, then the decoder's step");
}

void attention_step_backward(
    int n_k, const struct attention_decoder *w, const double H[n_k][w->decoder.d_context],
    const double s[1][w->decoder.gru.d], const struct attention_decoder_values *v,
    const double d_next[1][w->decoder.gru.d], struct attention_decoder_values *d_v,
    struct attention_decoder *d_w, double d_y[1][w->decoder.d_word],
    double d_H[n_k][w->decoder.d_context], double d_s[1][w->decoder.gru.d]) {
    TODO("the same two calls in reverse; H was keys and values, so d_H appears twice");
}

void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]) {
    TODO("step t reads word t - 1, and its target is word t");
}

double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]) {
    TODO("add up and count the steps whose target is not PADDING");
}

void sequence_loss_backward(int steps, int vocabulary, const double logits[steps][vocabulary],
                            const int targets[steps], double d_logits[steps][vocabulary]) {
    TODO("softmax minus 1 at the target, divided by the number of targets");
}

int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]) {
    TODO("call step, choose, store; the chosen word is the next input");
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
