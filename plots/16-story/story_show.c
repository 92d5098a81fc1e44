/* The worked examples of lesson 16, step by step, at the terminal. */
#include "story.h"

#include "matrix.h"
#include "shade.h"

#include <stdio.h>
#include <string.h>

static const char *const row[] = {""};
static const char *const places[] = {"0", "1", "2", "3", "4", "5"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};
static const char *const tokens[] = {"token 0", "token 1", "token 2"};
static const char *const heads[] = {"head 0", "head 1"};

/* --- The gate -------------------------------------------------------------------------------- */

static void show_gate(void) {
    static const double gate[1][3] = {{1, -2, 0}}, up[1][3] = {{2, 3, 4}}, ones[1][3] = {{1, 1, 1}};
    double hidden[1][3], d_gate[1][3] = {{0}}, d_up[1][3] = {{0}};
    swiglu(1, 3, gate, up, hidden);
    swiglu_backward(1, 3, gate, up, ones, d_gate, d_up);
    shade_matrix("gate", "", 1, 3, row, places, gate);
    shade_matrix("up", "", 1, 3, row, places, up);
    shade_matrix("hidden", "silu(gate) * up", 1, 3, row, places, hidden);
    shade_matrix("d_gate", "for d_hidden = 1", 1, 3, row, places, d_gate);
    shade_matrix("d_up", "silu(gate)", 1, 3, row, places, d_up);
}

/* --- A model of one layer -------------------------------------------------------------------- */

enum { D = 4, D_FF = 2, VOCABULARY = 3, LONGEST = 2 };

static struct room new_room(int count) {
    return (struct room){fill(count, 0.0, vector_new("w", count)), 0};
}

static void set(double *matrix, int cols, int r, int c) {
    matrix[r * cols + c] = 1.0;
}

/* W_q and W_o are the identity. W_k and W_gate take the numbers 0 and 1 of a row, W_v and W_up take
   2 and 3, and W_down writes both numbers twice. */
static struct llama small_llama(struct room *room) {
    static const double table[VOCABULARY][D] = {{1, 0, 1, 0}, {0, 2, 0, 1}, {1, 1, -1, 0}};
    struct llama w = take_llama(room, D, D_FF, 1, 2, 1, VOCABULARY, LONGEST);
    const struct llama_layer *layer = &w.layer[0];
    memcpy(w.table, table, sizeof table);
    memcpy(w.words_out, table, sizeof table);
    fill(D, 1.0, layer->attention_gain);
    fill(D, 1.0, layer->forward_gain);
    fill(D, 1.0, w.out_gain);
    for (int c = 0; c < D; c++) {
        set(layer->heads.W_q, D, c, c);
        set(layer->heads.W_o, D, c, c);
        set(layer->W_down, D_FF, c, c % D_FF);
    }
    for (int c = 0; c < D_FF; c++) {
        set(layer->heads.W_k, D, c, c);
        set(layer->heads.W_v, D, c, c + 2);
        set(layer->W_gate, D, c, c);
        set(layer->W_up, D, c, c + 2);
    }
    return w;
}

static void show_values(const struct llama_values *v, const struct llama_caches *caches,
                        const double logits[1][VOCABULARY]) {
    const struct llama_layer_values *layer = &v->layer[0];
    const double(*x)[1][D] = v->x;
    shade_matrix("x", "the embedding of token 1", 1, D, row, dims, x[0]);
    shade_matrix("K", "the cache: the key of token 1 is rotated", 2, 2, tokens, dims,
                 caches->layer[0].K);
    shade_matrix("Q", "the query of each head, rotated", 2, 2, heads, dims, layer->heads.Q);
    shade_matrix("weights", "of each head", 2, 2, heads, tokens, layer->heads.weights);
    shade_matrix("heads", "both results, side by side", 1, D, row, dims, layer->heads.heads);
    shade_matrix("scaled", "the norm before the feed-forward network", 1, D, row, dims,
                 layer->scaled);
    shade_matrix("gate", "", 1, D_FF, row, places, layer->gate);
    shade_matrix("up", "", 1, D_FF, row, places, layer->up);
    shade_matrix("hidden", "silu(gate) * up", 1, D_FF, row, places, layer->hidden);
    shade_matrix("out", "of the layer", 1, D, row, dims, x[1]);
    shade_matrix("logits", "one for each token", 1, VOCABULARY, row, tokens, logits);
}

static void show_model(void) {
    struct room room = new_room(400), of_v = new_room(400), of_caches = new_room(100);
    const struct llama w = small_llama(&room);
    const struct llama_values v = take_llama_values(&of_v, &w);
    struct llama_caches caches = take_llama_caches(&of_caches, &w);
    NEW_MATRIX(logits, 1, VOCABULARY);
    llama_next(&w, 0, &caches, &v, logits);
    llama_next(&w, 1, &caches, &v, logits);
    show_values(&v, &caches, (const void *)logits);
}

/* --- Tokens and choices ---------------------------------------------------------------------- */

static void show_merges(void) {
    static const char *const texts[] = {"", "", "", "l", "i", "y", "li", "ly", "lily", "il"};
    static const int pairs[4][3] = {{3, 4, 6}, {3, 5, 7}, {4, 3, 9}, {6, 7, 8}};
    static const float score[10] = {0, 0, 0, 0, 0, 0, -2, -1, -3, -4};
    static const int words[4] = {3, 4, 3, 5};
    int joined[4];
    const int at = best_merge(4, pairs, 10, score, 4, words);
    const int left = merge_tokens(4, pairs, 10, score, 4, words, joined);
    printf("\nl i l y: the best pair is at %d. %d is left:", at, left);
    for (int i = 0; i < left && i < 4; i++)
        printf(" %s", joined[i] >= 0 && joined[i] < 10 ? texts[joined[i]] : "?");
    putchar('\n');
}

static void show_heap(void) {
    static const double weights[6] = {0.1, 0.3, 0.05, 0.25, 0.2, 0.1};
    double heap[1][6], kept[1][6];
    memcpy(heap[0], weights, sizeof weights);
    for (int at = 2; at >= 0; at--)
        sift_down(6, at, heap[0]);
    keep_best(6, 6, 0.6, weights, kept[0]);
    shade_matrix("weights", "", 1, 6, row, places, (const void *)weights);
    shade_matrix("heap", "none is smaller than those below it", 1, 6, row, places,
                 (const void *)heap);
    shade_matrix("kept", "p = .6", 1, 6, row, places, (const void *)kept);
}

/* --- Bytes ----------------------------------------------------------------------------------- */

static void show_bytes(void) {
    static const float numbers[6] = {0.5F, -1.27F, 0.03F, 0, 1, -0.004F};
    static const float of_x[4] = {1.27F, 0.1F, -0.2F, 0.5F};
    static byte W[1][1][GROUP / TOGETHER][PIECE];
    static float scales[1][1][WIDTH], out[1][WIDTH];
    int8_t q[6], of_row[GROUP] = {0}, x[1][GROUP] = {{0}};
    float scale, x_scale[1];
    int x_sum[1];
    const int sum = quantize(6, numbers, q, &scale);
    printf("\n.5 -1.27 .03 0 1 -.004 as bytes:");
    for (int i = 0; i < 6; i++)
        printf(" %d", q[i]);
    printf(". The scale is %.4f, and the sum is %d.\n", (double)scale, sum);
    for (int lane = 0; lane < WIDTH; lane++)
        put_group(lane, of_row, W[0][0]);
    quantize(4, numbers, of_row, &scales[0][0][0]);
    put_group(0, of_row, W[0][0]);
    x_sum[0] = quantize(4, of_x, x[0], &x_scale[0]);
    matrix_vector_int8(1, 1, (const void *)W, (const void *)scales, (const void *)x, x_scale, x_sum,
                       out);
    printf("The first four, times 1.27 .1 -.2 .5 as bytes: %.4f.\n", (double)out[0][0]);
}

int main(void) {
    shade_title("Lesson 16: a gate, computed by your code");
    show_gate();
    shade_title("Token 1 after token 0");
    show_model();
    shade_title("Merges and a heap");
    show_merges();
    show_heap();
    shade_title("Bytes");
    show_bytes();
    matrix_free_all();
}
