#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void gru_step(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
              struct gru_values *v, double next[1][w->d]) {
    TODO("two calls of project, and the four lines of the header for each c below d");
}

void gru_step_backward(const struct gru *w, const double x[1][w->d_in], const double h[1][w->d],
                       const struct gru_values *v, const double d_next[1][w->d],
                       struct gru_values *d_v, struct gru *d_w, double d_x[1][w->d_in],
                       double d_h[1][w->d]) {
    TODO("d_z, d_r and d_n of each c, through their curves, to the two sums");
}

void encode(int n, const struct gru w[2], const double X[n][w->d_in], const double start[2][w->d],
            struct gru_values v[n][2], double H[n][2][w->d]) {
    TODO("`before` is &start[0] at first, then &H[j][0]; then the other way round");
}

void encode_backward(int n, const struct gru w[2], const double X[n][w->d_in],
                     const double start[2][w->d], const struct gru_values v[n][2],
                     const double H[n][2][w->d], double d_H[n][2][w->d],
                     struct gru_values d_v[n][2], struct gru d_w[2], double d_X[n][w->d_in],
                     double d_start[2][w->d]) {
    TODO("each reader's last step first; what it read from gets its gradient");
}

void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]) {
    TODO("which word has each of the two readers read last?");
}

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]) {
    TODO("to the two states that it was made of, and to no other");
}

void decoder_step(const struct context_decoder *w, const double y[1][w->d_word],
                  const double c[1][w->d_context], const double s[1][w->gru.d],
                  struct context_decoder_values *v, double next[1][w->gru.d]) {
    TODO("first y and then c into v->input; a GRU reads it");
}

void decoder_step_backward(const struct context_decoder *w, const double s[1][w->gru.d],
                           const struct context_decoder_values *v, const double d_next[1][w->gru.d],
                           struct context_decoder_values *d_v, struct context_decoder *d_w,
                           double d_y[1][w->d_word], double d_c[1][w->d_context],
                           double d_s[1][w->gru.d]) {
    TODO("the GRU's way back gives d_v->input; its first part is the word's");
}

void attention_step(int n_k, const struct attention_decoder *w,
                    const double y[1][w->decoder.d_word], const double H[n_k][w->decoder.d_context],
                    const double s[1][w->decoder.gru.d], struct attention_decoder_values *v,
                    double next[1][w->decoder.gru.d]) {
    TODO("two calls; who asks, and who is asked?");
}

void attention_step_backward(
    int n_k, const struct attention_decoder *w, const double H[n_k][w->decoder.d_context],
    const double s[1][w->decoder.gru.d], const struct attention_decoder_values *v,
    const double d_next[1][w->decoder.gru.d], struct attention_decoder_values *d_v,
    struct attention_decoder *d_w, double d_y[1][w->decoder.d_word],
    double d_H[n_k][w->decoder.d_context], double d_s[1][w->decoder.gru.d]) {
    TODO("the same two calls backwards; H stands in for keys and values, so does d_H");
}

void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]) {
    TODO("at step t it reads word t - 1 and should write word t");
}

double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]) {
    TODO("add up and count where there is a target; the mean is over these");
}

void sequence_loss_backward(int steps, int vocabulary, const double logits[steps][vocabulary],
                            const int targets[steps], double d_logits[steps][vocabulary]) {
    TODO("what lesson 06 found for one word; and what does a mean do to it?");
}

int greedy_decode(int vocabulary, int limit, decoder_function *step, void *decoder,
                  double logits[vocabulary], int words[limit]) {
    TODO("step, choose, keep; what was chosen is read at the next step");
}

// What follows is given: each lays a struct out in a room, member after member.

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
