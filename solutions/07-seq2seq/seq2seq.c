#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"
#include "softmax.h"
#include "todo.h"

#include <math.h>

void gru_step(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
              const double x[1][d_in], const double h[1][d], double gates[1][3 * d],
              double heard[1][3 * d], double next[1][d]) {
    // BEGIN SOLUTION: two calls of project, and the four lines of the header for each c below d
    project(1, d_in, 3 * d, x, W, gates);
    project(1, d, 3 * d, h, U, heard);
    for (int c = 0; c < d; c++) {
        double z = 1.0 / (1.0 + exp(-gates[0][c] - heard[0][c]));
        double r = 1.0 / (1.0 + exp(-gates[0][d + c] - heard[0][d + c]));
        double n = tanh(gates[0][2 * d + c] + r * heard[0][2 * d + c]);
        next[0][c] = (1.0 - z) * n + z * h[0][c];
        gates[0][c] = z;
        gates[0][d + c] = r;
        gates[0][2 * d + c] = n;
    }
    // END SOLUTION
}

void gru_step_backward(int d_in, int d, const double W[d_in][3 * d], const double U[d][3 * d],
                       const double x[1][d_in], const double h[1][d], const double gates[1][3 * d],
                       const double heard[1][3 * d], const double d_next[1][d],
                       double d_gates[1][3 * d], double d_heard[1][3 * d], double d_W[d_in][3 * d],
                       double d_U[d][3 * d], double d_x[1][d_in], double d_h[1][d]) {
    // BEGIN SOLUTION: d_z, d_r and d_n of each c, through their curves, to the two sums
    for (int c = 0; c < d; c++) {
        double z = gates[0][c], r = gates[0][d + c], n = gates[0][2 * d + c];
        double d_z = d_next[0][c] * (h[0][c] - n) * z * (1.0 - z);
        double d_n = d_next[0][c] * (1.0 - z) * (1.0 - n * n);
        double d_r = d_n * heard[0][2 * d + c] * r * (1.0 - r);
        d_h[0][c] += d_next[0][c] * z;
        d_gates[0][c] += d_z;
        d_gates[0][d + c] += d_r;
        d_gates[0][2 * d + c] += d_n;
        d_heard[0][c] += d_z;
        d_heard[0][d + c] += d_r;
        d_heard[0][2 * d + c] += d_n * r;
    }
    project_backward(1, d_in, 3 * d, x, W, d_gates, d_x, d_W);
    project_backward(1, d, 3 * d, h, U, d_heard, d_h, d_U);
    // END SOLUTION
}

void encode(int n, int d_in, int d, const double W[2][d_in][3 * d], const double U[2][d][3 * d],
            const double X[n][d_in], const double start[2][d], double gates[n][2][3 * d],
            double heard[n][2][3 * d], double H[n][2][d]) {
    // BEGIN SOLUTION: `before` is &start[0] at first, then &H[j][0]; then the other way round
    const double(*before)[d] = &start[0];
    for (int j = 0; j < n; j++) {
        gru_step(d_in, d, W[0], U[0], &X[j], before, &gates[j][0], &heard[j][0], &H[j][0]);
        before = &H[j][0];
    }
    before = &start[1];
    for (int j = n - 1; j >= 0; j--) {
        gru_step(d_in, d, W[1], U[1], &X[j], before, &gates[j][1], &heard[j][1], &H[j][1]);
        before = &H[j][1];
    }
    // END SOLUTION
}

void encode_backward(int n, int d_in, int d, const double W[2][d_in][3 * d],
                     const double U[2][d][3 * d], const double X[n][d_in], const double start[2][d],
                     const double gates[n][2][3 * d], const double heard[n][2][3 * d],
                     const double H[n][2][d], double d_H[n][2][d], double d_gates[n][2][3 * d],
                     double d_heard[n][2][3 * d], double d_W[2][d_in][3 * d],
                     double d_U[2][d][3 * d], double d_X[n][d_in], double d_start[2][d]) {
    // BEGIN SOLUTION: each reader's last step first; what it read from gets its gradient
    for (int j = n - 1; j >= 0; j--)
        gru_step_backward(d_in, d, W[0], U[0], &X[j], j > 0 ? &H[j - 1][0] : &start[0],
                          &gates[j][0], &heard[j][0], &d_H[j][0], &d_gates[j][0], &d_heard[j][0],
                          d_W[0], d_U[0], &d_X[j], j > 0 ? &d_H[j - 1][0] : &d_start[0]);
    for (int j = 0; j < n; j++)
        gru_step_backward(d_in, d, W[1], U[1], &X[j], j < n - 1 ? &H[j + 1][1] : &start[1],
                          &gates[j][1], &heard[j][1], &d_H[j][1], &d_gates[j][1], &d_heard[j][1],
                          d_W[1], d_U[1], &d_X[j], j < n - 1 ? &d_H[j + 1][1] : &d_start[1]);
    // END SOLUTION
}

void sentence_vector(int n, int d, const double H[n][2][d], double c[2][d]) {
    // BEGIN SOLUTION: which word has each of the two readers read last?
    for (int i = 0; i < d; i++) {
        c[0][i] = H[n - 1][0][i];
        c[1][i] = H[0][1][i];
    }
    // END SOLUTION
}

void sentence_vector_backward(int n, int d, const double d_c[2][d], double d_H[n][2][d]) {
    // BEGIN SOLUTION: to the two states that it was made of, and to no other
    for (int i = 0; i < d; i++) {
        d_H[n - 1][0][i] += d_c[0][i];
        d_H[0][1][i] += d_c[1][i];
    }
    // END SOLUTION
}

void decoder_step(int d_word, int d_context, int d, const double W[d_word + d_context][3 * d],
                  const double U[d][3 * d], const double y[1][d_word], const double c[1][d_context],
                  const double s[1][d], double input[1][d_word + d_context], double gates[1][3 * d],
                  double heard[1][3 * d], double next[1][d]) {
    // BEGIN SOLUTION: first y and then c into input; a GRU reads it
    for (int i = 0; i < d_word; i++)
        input[0][i] = y[0][i];
    for (int i = 0; i < d_context; i++)
        input[0][d_word + i] = c[0][i];
    gru_step(d_word + d_context, d, W, U, input, s, gates, heard, next);
    // END SOLUTION
}

void decoder_step_backward(int d_word, int d_context, int d,
                           const double W[d_word + d_context][3 * d], const double U[d][3 * d],
                           const double s[1][d], const double input[1][d_word + d_context],
                           const double gates[1][3 * d], const double heard[1][3 * d],
                           const double d_next[1][d], double d_gates[1][3 * d],
                           double d_heard[1][3 * d], double d_input[1][d_word + d_context],
                           double d_W[d_word + d_context][3 * d], double d_U[d][3 * d],
                           double d_y[1][d_word], double d_c[1][d_context], double d_s[1][d]) {
    // BEGIN SOLUTION: the GRU's way back gives d_input; its first part is the word's
    gru_step_backward(d_word + d_context, d, W, U, input, s, gates, heard, d_next, d_gates, d_heard,
                      d_W, d_U, d_input, d_s);
    for (int i = 0; i < d_word; i++)
        d_y[0][i] += d_input[0][i];
    for (int i = 0; i < d_context; i++)
        d_c[0][i] += d_input[0][d_word + i];
    // END SOLUTION
}

void attention_step(int n_k, int d_word, int d_k, int d, int d_a, const double W_q[d_a][d],
                    const double W_k[d_a][d_k], const double v_a[d_a],
                    const double W[d_word + d_k][3 * d], const double U[d][3 * d],
                    const double y[1][d_word], const double H[n_k][d_k], const double s[1][d],
                    double hidden[1][n_k][d_a], double weights[1][n_k], double c[1][d_k],
                    double input[1][d_word + d_k], double gates[1][3 * d], double heard[1][3 * d],
                    double next[1][d]) {
    // BEGIN SOLUTION: two calls; who asks, and who is asked?
    additive_attention(1, n_k, d, d_k, d_a, d_k, W_q, W_k, v_a, s, H, H, hidden, weights, c);
    decoder_step(d_word, d_k, d, W, U, y, c, s, input, gates, heard, next);
    // END SOLUTION
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
    // BEGIN SOLUTION: the same two calls backwards; H stands in for keys and values, so does d_H
    decoder_step_backward(d_word, d_k, d, W, U, s, input, gates, heard, d_next, d_gates, d_heard,
                          d_input, d_W, d_U, d_y, d_c, d_s);
    additive_attention_backward(1, n_k, d, d_k, d_a, d_k, W_q, W_k, v_a, s, H, H, hidden, weights,
                                d_c, d_W_q, d_W_k, d_v_a, d_s, d_H, d_H);
    // END SOLUTION
}

void teacher_forcing(int n, const int words[n], int steps, int inputs[steps], int targets[steps]) {
    // BEGIN SOLUTION: at step t it reads word t - 1 and should write word t
    for (int t = 0; t < steps; t++) {
        inputs[t] = t == 0 ? BEGIN : t <= n ? words[t - 1] : END;
        targets[t] = t < n ? words[t] : t == n ? END : PADDING;
    }
    // END SOLUTION
}

double sequence_loss(int steps, int vocabulary, const double logits[steps][vocabulary],
                     const int targets[steps]) {
    // BEGIN SOLUTION: add up and count where there is a target; the mean is over these
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
    // BEGIN SOLUTION: what lesson 06 found for one word; and what does a mean do to it?
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
    // BEGIN SOLUTION: step, choose, keep; what was chosen is read at the next step
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
