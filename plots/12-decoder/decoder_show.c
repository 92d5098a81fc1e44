/* The worked examples of lesson 12, step by step, at the terminal. */
#include "decoder.h"

#include "masked.h"
#include "matrix.h"
#include "shade.h"

#include <stdio.h>
#include <string.h>

enum { D = 2 };

static const char *const words[] = {"token 0", "token 1", "token 2"};
static const char *const dims[] = {"dim 0", "dim 1"};

static struct room new_room(const char *name, int count) {
    return (struct room){fill(count, 0.0, vector_new(name, count)), 0};
}

static void set_identity(double W[D][D]) {
    W[0][0] = W[1][1] = 1.0;
}

/* --- A block with a memory of three tokens and an input of two ------------------------------- */

enum { N = 2, M = 3 };

static void set_attention(const struct attention_layer *w) {
    fill(D, 1.0, w->gain);
    set_identity(w->heads.W_q);
    set_identity(w->heads.W_k);
    set_identity(w->heads.W_v);
    set_identity(w->heads.W_o);
}

/* One head. All matrices are the identity. */
static struct decoder_block worked_block(void) {
    struct room room = new_room("w", 100);
    struct decoder_block w = take_decoder_block(&room, D, 1, D, true);
    set_attention(&w.self);
    set_attention(&w.cross);
    fill(D, 1.0, w.forward.gain);
    set_identity(w.forward.W_1);
    set_identity(w.forward.W_2);
    return w;
}

static void show_back(const struct decoder_block *w, const double memory[M][D],
                      const bool blocked[N][N], const struct decoder_values *v) {
    struct room room = new_room("d_v", 300), of_d_w = new_room("d_w", 100);
    struct decoder_values d_v = take_decoder_values(&room, w, N, M);
    struct decoder_block d_w = take_decoder_block(&of_d_w, D, 1, D, true);
    NEW_MATRIX_OF(d_out, N, D, {1, 0}, {0, 0});
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    NEW_MATRIX_FILLED(d_memory, M, D, 0.0);
    decoder_block_backward(N, M, w, memory, blocked, v, d_out, &d_v, &d_w, d_X, d_memory);
    shade_matrix("d_memory", "for d_out = (1, 0) at token 0", M, D, words, dims, d_memory);
}

static void show_block(void) {
    NEW_MATRIX_OF(X, N, D, {3, 1}, {0, 2});
    NEW_MATRIX_OF(memory, M, D, {2, 0}, {0, 2}, {1, 1});
    NEW_MASK(blocked, N, N);
    NEW_MATRIX(out, N, D);
    struct room room = new_room("v", 300);
    struct decoder_block w = worked_block();
    struct decoder_values v = take_decoder_values(&room, &w, N, M);
    causal_mask(N, blocked);
    decoder_block(N, M, &w, X, memory, blocked, &v, out);
    shade_matrix("X", "the inputs of the decoder", N, D, words, dims, X);
    shade_matrix("weights of self", "under the causal mask", N, N, words, words,
                 v.self.heads.weights);
    shade_matrix("attended", "X plus the weighted sum", N, D, words, dims, v.attended);
    shade_matrix("memory", "the encoder's output", M, D, words, dims, memory);
    shade_matrix("weights of cross", "no mask", N, M, words, words, v.cross.heads.weights);
    shade_matrix("crossed", "attended plus the weighted sum", N, D, words, dims, v.crossed);
    shade_matrix("out", "crossed plus the network", N, D, words, dims, out);
    show_back(&w, memory, blocked, &v);
}

/* --- Token by token -------------------------------------------------------------------------- */

enum { HEADS = 2, CAPACITY = 3 };

static void show_word(int word, const struct multi_head *w, const double x[1][D],
                      struct multi_head_values *v, struct cache *cache) {
    static const char *const heads[] = {"head 0", "head 1"};
    char title[48];
    NEW_MATRIX(out, 1, D);
    snprintf(title, sizeof title, "Token %d is appended to the cache", word);
    shade_title(title);
    cache_rows(1, w, x, v, cache);
    attend_cached(w, x, cache, v, out);
    shade_matrix("K of the cache", word < CAPACITY - 1 ? "nan: a free row" : "full", HEADS,
                 CAPACITY, heads, words, cache->K);
    shade_matrix("weights", "one for each token in the cache", HEADS, cache->length, heads, words,
                 v->weights);
    shade_matrix("out", word == 1 ? "as in lesson 08" : "both heads", 1, D, &words[word], dims,
                 out);
}

/* The two heads of lesson 08 with one dimension each. All matrices are the identity. */
static void show_cache(void) {
    NEW_MATRIX_OF(X, CAPACITY, D, {1, 2}, {2, 0}, {0, 1});
    NEW_MATRIX_OF(I, D, D, {1, 0}, {0, 1});
    const struct multi_head w = {D, HEADS, HEADS, 1, I, I, I, I};
    struct room room = new_room("v", 100), of_cache = {vector_new("cache", 100), 0};
    struct multi_head_values v = take_multi_head_values(&room, &w, 1, CAPACITY);
    struct cache cache = take_cache(&of_cache, &w, CAPACITY);
    for (int i = 0; i < CAPACITY; i++)
        show_word(i, &w, &X[i], &v, &cache);
}

int main(void) {
    shade_title("Lesson 12: a decoder block and a KV cache, computed by your code");
    show_block();
    show_cache();
    matrix_free_all();
}
