#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void gru_step(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
              const double x[1][d_in], const double h[1][d], double gates[1][3 * d],
              double heard[1][3 * d], double next[1][d]) {
    TODO("two calls of project, and the four lines of the header for each c below d");
}

void gru_step_backward(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
                       const double x[1][d_in], const double h[1][d], const double gates[1][3 * d],
                       const double heard[1][3 * d], const double d_next[1][d],
                       double d_gates[1][3 * d], double d_heard[1][3 * d], double d_W[d_in][3 * d],
                       double d_U[d][3 * d], double d_x[1][d_in], double d_h[1][d]) {
    TODO("d_z, d_r and d_n of each c, through their curves, to the two sums");
}

void encode(int n, int d_in, int d, const double W[2][d_in][3 * d], const double U[2][d][3 * d],
            const double X[n][d_in], const double start[2][d], double gates[n][2][3 * d],
            double heard[n][2][3 * d], double H[n][2][d]) {
    TODO("`before` is &start[0] at first, then &H[j][0]; then the other way round");
}

void encode_backward(int n, int d_in, int d, const double W[2][d_in][3 * d],
                     const double U[2][d][3 * d], const double X[n][d_in], const double start[2][d],
                     const double gates[n][2][3 * d], const double heard[n][2][3 * d],
                     const double H[n][2][d], double d_H[n][2][d], double d_gates[n][2][3 * d],
                     double d_heard[n][2][3 * d], double d_W[2][d_in][3 * d],
                     double d_U[2][d][3 * d], double d_X[n][d_in], double d_start[2][d]) {
    TODO("each reader's last step first; what it read from gets its gradient");
}

void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]) {
    TODO("which word has each of the two readers read last?");
}

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]) {
    TODO("to the two states that it was made of, and to no other");
}

void decoder_step(int d_word, int d_context, int d, const double W[d_word + d_context][3 * d],
                  const double U[d][3 * d], const double y[1][d_word], const double c[1][d_context],
                  const double s[1][d], double input[1][d_word + d_context], double gates[1][3 * d],
                  double heard[1][3 * d], double next[1][d]) {
    TODO("first y and then c into input; a GRU reads it");
}

void decoder_step_backward(int d_word, int d_context, int d,
                           const double W[d_word + d_context][3 * d], const double U[d][3 * d],
                           const double s[1][d], const double input[1][d_word + d_context],
                           const double gates[1][3 * d], const double heard[1][3 * d],
                           const double d_next[1][d], double d_gates[1][3 * d],
                           double d_heard[1][3 * d], double d_input[1][d_word + d_context],
                           double d_W[d_word + d_context][3 * d], double d_U[d][3 * d],
                           double d_y[1][d_word], double d_c[1][d_context], double d_s[1][d]) {
    TODO("the GRU's way back gives d_input; its first part is the word's");
}

void attention_step(int n_k, int d_word, int d_k, int d, int d_a, const double W_q[d_a][d],
                    const double W_k[d_a][d_k], const double v_a[d_a],
                    const double W[d_word + d_k][3 * d], const double U[d][3 * d],
                    const double y[1][d_word], const double H[n_k][d_k], const double s[1][d],
                    double hidden[1][n_k][d_a], double weights[1][n_k], double c[1][d_k],
                    double input[1][d_word + d_k], double gates[1][3 * d], double heard[1][3 * d],
                    double next[1][d]) {
    TODO("two calls; who asks, and who is asked?");
}

void attention_step_backward(int n_k, int d_word, int d_k, int d, int d_a, const double W_q[d_a][d],
                             const double W_k[d_a][d_k], const double v_a[d_a],
                             const double W[d_word + d_k][3 * d], const double U[d][3 * d],
                             const double H[n_k][d_k], const double s[1][d],
                             const double hidden[1][n_k][d_a], const double weights[1][n_k],
                             const double input[1][d_word + d_k], const double gates[1][3 * d],
                             const double heard[1][3 * d], const double d_next[1][d],
                             double d_gates[1][3 * d], double d_heard[1][3 * d],
                             double d_input[1][d_word + d_k], double d_c[1][d_k],
                             double d_W_q[d_a][d], double d_W_k[d_a][d_k], double d_v_a[d_a],
                             double d_W[d_word + d_k][3 * d], double d_U[d][3 * d],
                             double d_y[1][d_word], double d_H[n_k][d_k], double d_s[1][d]) {
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
