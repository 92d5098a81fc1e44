/* The worked examples of lesson 13, step by step, at the terminal. */
#include "transformer.h"

#include "dot_product.h"
#include "masked.h"
#include "matrix.h"
#include "positions.h"
#include "random.h"
#include "seq2seq.h"
#include "shade.h"
#include "softmax.h"

#include <math.h>
#include <stdio.h>

enum { N = 2, D = 4, VOCABULARY = 3 };

static const char *const tokens[] = {"token 0", "token 1", "token 2"};
static const char *const inputs[] = {"token 2", "token 0"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};

/* A language model of one block. All matrices are 0, so the block adds nothing. */
static struct transformer small_writer(void) {
    struct room count = {NULL, 0};
    take_transformer(&count, VOCABULARY, D, 1, D, 0, 1);
    struct room room = {fill(count.used, 0.0, vector_new("w", count.used)), 0};
    return take_transformer(&room, VOCABULARY, D, 1, D, 0, 1);
}

static struct transformer_values small_values(const struct transformer *w) {
    struct room count = {NULL, 0};
    take_transformer_values(&count, w, N, 0);
    struct room room = {fill(count.used, 0.0, vector_new("v", count.used)), 0};
    return take_transformer_values(&room, w, N, 0);
}

static void show_writer(void) {
    static const double table[VOCABULARY][D] = {{0, 2, 0, 1}, {2, 0, 0, 1}, {1.5, 0, 0.5, 1}};
    const int written[N] = {2, 0};
    NEW_MATRIX_OF(P, N, D, {0, 1, 0, 1}, {0, 0, 2, 0});
    NEW_MATRIX_OF(d_logits, N, VOCABULARY, {1, 0, 0}, {0, 0, 0});
    NEW_MATRIX(logits, N, VOCABULARY);
    NEW_MASK(blocked, N, N);
    struct transformer w = small_writer(), d_w = small_writer();
    struct transformer_values v = small_values(&w), d_v = small_values(&w);
    memcpy(w.table, table, sizeof table);
    fill(D, 1.0, w.out_gain);
    causal_mask(N, blocked);
    decode_target(N, N, &w, written, P, blocked, &v, logits);
    decode_target_backward(N, N, &w, written, blocked, &v, d_logits, &d_v, &d_w);
    shade_matrix("table", "embeddings, used as input and as output", VOCABULARY, D, tokens, dims,
                 w.table);
    shade_matrix("written", "2 * row of the table + row of P", N, D, inputs, dims, v.written);
    shade_matrix("out", "after the last layer norm", N, D, inputs, dims, v.out);
    shade_matrix("logits", "out dot each row of the table", N, VOCABULARY, inputs, tokens, logits);
    shade_matrix("d_logits", "1 for token 0 after token 2", N, VOCABULARY, inputs, tokens,
                 d_logits);
    shade_matrix("d_out", "row 0 of the table", N, D, inputs, dims, d_v.out);
    shade_matrix("d_table", "row 0 as output, row 2 as input", VOCABULARY, D, tokens, dims,
                 d_w.table);
}

static void show_choice(void) {
    const char *const ways[] = {"weights",   "top-k 2",         "top-p 0.6",
                                "top-p 0.9", "temperature 0.5", "temperature 2"};
    const char *const four[] = {"token 0", "token 1", "token 2", "token 3"};
    const double weights[] = {0.5, 0.3, 0.15, 0.05};
    double logits[4];
    NEW_MATRIX(kept, 6, 4);
    for (int i = 0; i < 4; i++)
        logits[i] = log(weights[i]);
    memcpy(kept[0], weights, sizeof weights);
    keep_top_k(4, 2, weights, kept[1]);
    keep_top_p(4, 0.6, weights, kept[2]);
    keep_top_p(4, 0.9, weights, kept[3]);
    softmax_at_temperature(4, 0.5, logits, kept[4]);
    softmax_at_temperature(4, 2.0, logits, kept[5]);
    shade_matrix("kept", "each row sums to 1", 6, 4, ways, four, kept);
    printf("\nWith these weights, uniform 0.6 draws token %d, and 0.85 draws token %d.\n",
           sample(4, weights, 0.6), sample(4, weights, 0.85));
}

/* --- An untrained network -------------------------------------------------------------------- */

enum { LETTERS = 31, D_MODEL = 48, HEADS = 4, D_FF = 96, BLOCKS = 2, TEXT = 40, NETWORKS = 40 };

static struct transformer writer_in(struct room *room) {
    return take_transformer(room, LETTERS, D_MODEL, HEADS, D_FF, 0, BLOCKS);
}

/* Random numbers with the variance 1 / summed. */
static void plant(struct random *r, int summed, int count, void *matrix) {
    double *number = random_fill_normal(r, count, matrix);
    for (int i = 0; i < count; i++)
        number[i] /= sqrt(summed);
}

static struct transformer new_writer(struct random *r, int count) {
    struct room room = {fill(count, 0.0, vector_new("w", count)), 0};
    const struct transformer w = writer_in(&room);
    plant(r, D_MODEL, LETTERS * D_MODEL, w.table);
    for (int b = 0; b < BLOCKS; b++) {
        const struct decoder_block *block = &w.decoder[b];
        const struct multi_head *heads = &block->self.heads;
        void *const square[] = {heads->W_q, heads->W_k, heads->W_v, heads->W_o};
        for (int i = 0; i < 4; i++)
            plant(r, D_MODEL, D_MODEL * D_MODEL, square[i]);
        plant(r, D_MODEL, D_MODEL * D_FF, block->forward.W_1);
        plant(r, D_FF, D_FF * D_MODEL, block->forward.W_2);
        fill(D_MODEL, 1.0, block->self.gain);
        fill(D_MODEL, 1.0, block->forward.gain);
    }
    fill(D_MODEL, 1.0, w.out_gain);
    return w;
}

/* Adds the mean loss of random characters, the mean logit of the current character, and the mean of
   1 / sigma before the last layer norm. */
static void measure_new_writer(struct random *r, int count, double *loss, double *last,
                               double *inverse_std) {
    int text[TEXT + 1];
    const struct transformer w = new_writer(r, count);
    struct room most = {NULL, 0};
    take_transformer_values(&most, &w, TEXT, 0);
    struct room room = {vector_new("v", most.used), 0};
    struct transformer_values v = take_transformer_values(&room, &w, TEXT, 0);
    NEW_MATRIX(P, TEXT, D_MODEL);
    NEW_MATRIX(logits, TEXT, LETTERS);
    NEW_MASK(blocked, TEXT, TEXT);
    for (int i = 0; i <= TEXT; i++)
        text[i] = random_below(r, LETTERS);
    sinusoidal_positions(TEXT, D_MODEL, 0, P);
    causal_mask(TEXT, blocked);
    decode_target(TEXT, TEXT, &w, text, P, blocked, &v, logits);
    *loss += sequence_loss(TEXT, LETTERS, logits, text + 1) / NETWORKS;
    for (int i = 0; i < TEXT; i++) {
        *last += logits[i][text[i]] / TEXT / NETWORKS;
        *inverse_std += ((double *)v.out_inverse_std)[i] / TEXT / NETWORKS;
    }
}

static void show_new_writers(void) {
    struct room counted = {NULL, 0};
    const char *const names[] = {"log 31", "loss", "logit", "1/sigma"};
    double loss = 0.0, last = 0.0, inverse_std = 0.0;
    writer_in(&counted);
    for (int i = 1; i <= NETWORKS; i++) {
        struct random r = random_seed((uint64_t)i);
        measure_new_writer(&r, counted.used, &loss, &last, &inverse_std);
        matrix_free_all();
    }
    printf("\n%d characters, d_model %d, d_ff %d, %d blocks: %d parameters, %d in the table.\n",
           LETTERS, D_MODEL, D_FF, BLOCKS, counted.used, LETTERS * D_MODEL);
    NEW_MATRIX_OF(found, 1, 4, {0, 0, 0, 0});
    found[0][0] = log(LETTERS);
    found[0][1] = loss;
    found[0][2] = last;
    found[0][3] = inverse_std;
    shade_matrix("untrained writers", "logit: of the current character", 1, 4,
                 (const char *[]){"mean"}, names, found);
}

int main(void) {
    shade_title("Lesson 13: a decoder whose block adds nothing, computed by your code");
    show_writer();
    shade_title("Choosing the next token");
    show_choice();
    shade_title("40 writers at initialization");
    matrix_free_all();
    show_new_writers();
    matrix_free_all();
}
