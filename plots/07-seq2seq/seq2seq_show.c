/* The worked example of lesson 07, step by step, at the terminal. */
#include "seq2seq.h"

#include "additive.h"
#include "self_attention.h"

#include "matrix.h"
#include "shade.h"

#include <stdio.h>

enum { N = 3 };

static const char *const words[] = {"word 0", "word 1", "word 2"};
static const char *const parts[] = {"z", "r", "n"};
static const char *const reader_names[] = {"H[j][0]", "H[j][1]"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};
static const char *const sums[] = {"x W", "acc = h U", "gates"};
static const char *const d_sums[] = {"d_gates", "d_acc"};

/* A GRU with one number in its state and in each word. */
static double W[1][3] = {{-0.5, 0, 1}}, U[1][3] = {{1, 0, 2}};
static const struct gru gru = {1, 1, W, U};

static void show_gru_step(const double x[1][1], const double h[1][1], double table[3][3]) {
    struct gru_values v = {&table[2], &table[1]};
    NEW_MATRIX(next, 1, 1);
    project(1, 1, 3, x, gru.W, &table[0]);
    gru_step(&gru, x, h, &v, next);
    shade_matrix("W", "is multiplied by x, which is 1", 1, 3, (const char *[]){"from x"}, parts,
                 gru.W);
    shade_matrix("U", "is multiplied by h, which is 0.5", 1, 3, (const char *[]){"from h"}, parts,
                 gru.U);
    shade_matrix("one step", "n is tanh(1 + r * 1), not tanh(2)", 3, 3, sums, parts, table);
    shade_number("next", "(1 - z) * n + z * h", next[0][0]);
}

static void show_gru_step_backward(const double x[1][1], const double h[1][1], double table[3][3]) {
    NEW_MATRIX_OF(d_next, 1, 1, {1});
    NEW_MATRIX_FILLED(d_table, 2, 3, 0.0);
    NEW_MATRIX_FILLED(d_W, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_U, 1, 3, 0.0);
    NEW_MATRIX_FILLED(d_x, 1, 1, 0.0);
    NEW_MATRIX_FILLED(d_h, 1, 1, 0.0);
    const struct gru_values v = {&table[2], &table[1]};
    struct gru_values d_v = {&d_table[0], &d_table[1]};
    gru_step_backward(&gru, x, h, &v, d_next, &d_v, &(struct gru){1, 1, d_W, d_U}, d_x, d_h);
    shade_matrix("from d_next", "only the n part differs, by the factor r", 2, 3, d_sums, parts,
                 d_table);
    shade_matrix("d_W", "x times d_gates", 1, 3, (const char *[]){"from x"}, parts, d_W);
    shade_matrix("d_U", "h times d_acc", 1, 3, (const char *[]){"from h"}, parts, d_U);
    shade_number("d_x", "d_gates through W", d_x[0][0]);
    shade_number("d_h", "d_acc through U, plus z directly", d_h[0][0]);
}

static void show_encoder(void) {
    const struct gru readers[2] = {gru, gru};
    struct gru_values v[N][2];
    struct room room = {vector_new("values", N * 2 * 2 * 3), 0};
    NEW_MATRIX_OF(X, N, 1, {1}, {-1}, {2});
    NEW_MATRIX_FILLED(start, 2, 1, 0.0);
    NEW_BLOCK(H, N, 2, 1);
    for (int j = 0; j < N; j++)
        for (int reader = 0; reader < 2; reader++)
            v[j][reader] = take_gru_values(&room, &gru);
    encode(N, readers, X, start, v, H);
    shade_matrix("X", "one number each", N, 1, words, (const char *[]){"x"}, X);
    shade_matrix("H", "[0] reads from the top, [1] from the bottom", N, 2, words, reader_names,
                 (const double(*)[2])H);
}

static void show_sentence_vector(void) {
    const double H[N][2][1] = {{{1}, {6}}, {{2}, {5}}, {{3}, {4}}};
    NEW_MATRIX(c, 2, 1);
    NEW_MATRIX_OF(d_c, 2, 1, {10}, {20});
    NEW_BLOCK(d_H, N, 2, 1);
    fill(N * 2, 0.0, d_H);
    sentence_vector(N, 1, H, c);
    sentence_vector_backward(N, 1, d_c, d_H);
    shade_matrix("H", "invented numbers, easy to recognize", N, 2, words, reader_names,
                 (const double(*)[2])H);
    shade_matrix("c", "the two final states", 2, 1, (const char *[]){"c[0]", "c[1]"}, dims, c);
    shade_matrix("d_H", "for the d_c (10, 20)", N, 2, words, reader_names, (const double(*)[2])d_H);
}

/* Lesson 04's example: the decoder's state is the query, the encoder's states are the keys. */
enum { D_WORD = 1, D_K = 3, D = 2, D_A = 2 };

static const char *const states[] = {"s = (1, 0)", "s = (0, 1)"};
static const char *const inputs[] = {"y", "c 0", "c 1", "c 2"};
static double W_q[D_A][D] = {{0.5, 1}, {-1, 0.25}};
static double W_k[D_A][D_K] = {{1, 0, 0.5}, {0.25, -1, 1}};
static double v_a[D_A] = {1, -0.5};
static const double H[N][D_K] = {{1, 0, 1}, {0, 1, 0}, {1, 1, -1}};
static const double S[2][D] = {{1, 0}, {0, 1}};

/* All zero except for the candidate n, so z and r are 0.5. */
static double W_s[D_WORD + D_K][3 * D] = {
    {0, 0, 0, 0, 0.1, 0.1}, {0, 0, 0, 0, 0.2, 0.2}, {0, 0, 0, 0, 0.3, 0.3}, {0, 0, 0, 0, 0.4, 0.4}};
static double U_s[D][3 * D];

static const struct attention_decoder decoder = {
    D_A, W_q, W_k, v_a, {D_WORD, D_K, {D_WORD + D_K, D, W_s, U_s}}};

static void show_attention(void) {
    NEW_MATRIX_OF(y, 1, D_WORD, {1});
    NEW_BLOCK(hidden, 2, N, D_A);
    NEW_MATRIX(scores, 2, N);
    NEW_MATRIX(weights, 2, N);
    NEW_MATRIX(c, 2, D_K);
    NEW_MATRIX(input, 2, D_WORD + D_K);
    NEW_MATRIX(gates, 2, 3 * D);
    NEW_MATRIX(acc, 2, 3 * D);
    NEW_MATRIX(next, 2, D);
    additive_scores(2, N, D, D_K, D_A, W_q, W_k, v_a, S, H, hidden, scores);
    for (int i = 0; i < 2; i++) {
        struct attention_decoder_values v = {
            hidden[i], weights[i], c[i], {input[i], {gates[i], acc[i]}}};
        attention_step(N, &decoder, y, H, &S[i], &v, &next[i]);
    }
    shade_matrix("H", "the encoder's states", N, D_K, words, dims, H);
    shade_matrix("scores", "lesson 04's: v_a . tanh(...)", 2, N, states, words, scores);
    shade_matrix("weights", "another query gives other weights", 2, N, states, words, weights);
    shade_matrix("input = [y; c]", "c is the weighted sum of the rows of H", 2, D_WORD + D_K,
                 states, inputs, input);
    shade_matrix("next", "the new state", 2, D, states, dims, next);
}

static void show_words(const char *what, int steps, const int numbers[steps]) {
    printf("   %-15s", what);
    for (int t = 0; t < steps; t++)
        printf("%8d", numbers[t]);
    putchar('\n');
}

static void show_teacher_forcing(void) {
    enum { STEPS = 5 };
    const int sentence[] = {5, 3, 4}, times[] = {0, 1, 2, 3, 4};
    int read[STEPS], write[STEPS];
    teacher_forcing(3, sentence, STEPS, read, write);
    printf("\n");
    show_words("step", STEPS, times);
    show_words("inputs", STEPS, read);
    show_words("targets", STEPS, write);
    printf("  The words are 5 3 4; 0 is BEGIN, 1 is END, -1 is PADDING.\n");
}

static void show_loss(void) {
    enum { VOCABULARY = 3 };
    const char *const steps[] = {"step 0", "step 1", "step 2"};
    const char *const vocabulary[] = {"BEGIN", "END", "word 2"};
    const int targets[] = {2, 1, PADDING};
    NEW_MATRIX_OF(logits, N, VOCABULARY, {0, 0, 2}, {0, 0, 0}, {1, 2, 3});
    NEW_MATRIX_FILLED(d_logits, N, VOCABULARY, 0.0);
    double loss = sequence_loss(N, VOCABULARY, logits, targets);
    sequence_loss_backward(N, VOCABULARY, logits, targets, d_logits);
    shade_matrix("logits", "targets 2, 1 and PADDING", N, VOCABULARY, steps, vocabulary, logits);
    shade_number("loss", "the mean over 2 steps, not 3", loss);
    shade_matrix("d_logits", "0 where the target is PADDING", N, VOCABULARY, steps, vocabulary,
                 d_logits);
}

int main(void) {
    NEW_MATRIX_OF(x, 1, 1, {1});
    NEW_MATRIX_OF(h, 1, 1, {0.5});
    NEW_MATRIX(table, 3, 3);
    shade_title("Lesson 07: the worked example, computed by your code");
    show_gru_step(x, h, table);
    show_gru_step_backward(x, h, table);
    shade_title("The encoder: the same GRU reads in both directions");
    show_encoder();
    shade_title("The context vector without attention, and its backward pass");
    show_sentence_vector();
    shade_title("One step with attention, for two queries");
    show_attention();
    shade_title("Teacher forcing, and the loss");
    show_teacher_forcing();
    show_loss();
    matrix_free_all();
}
