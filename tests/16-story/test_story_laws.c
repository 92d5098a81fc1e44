/* Lesson 16: calls from which the laws of its functions are found (common/testing/laws.h). */
#include "llama.h"

#include "../whole_numbers.h"
#include "laws.h"

enum { n = 2, d_ff = 3, longest = 3, blocks = 2, groups = 3 };

/* Two query heads of two dimensions, each with a key head of its own. */
static const struct sizes sizes = {longest, 2, 2, 2, 5, 1, 3};

#define GATES                                                                                      \
    NEW_MATRIX(gate, n, d_ff);                                                                     \
    NEW_MATRIX(up, n, d_ff)

LAWS(swiglu) {
    GATES;
    NEW_MATRIX(hidden, n, d_ff);
    PROBE("gate up -> hidden")
    swiglu(n, d_ff, gate, up, hidden);
}

LAWS(swiglu_backward) {
    GATES;
    NEW_MATRIX(d_hidden, n, d_ff);
    NEW_MATRIX(d_gate, n, d_ff);
    NEW_MATRIX(d_up, n, d_ff);
    PROBE("gate up d_hidden -> d_gate d_up")
    swiglu_backward(n, d_ff, gate, up, d_hidden, d_gate, d_up);
}

/* The numbers of a layer are left to the probe. */
static struct llama_layer new_layer(void) {
    const int d = d_of(sizes);
    struct llama_layer w = {.heads = heads_of(sizes), .d_ff = sizes.d_ff};
    w.attention_gain = vector_new("attention_gain", d);
    w.heads.W_q = matrix_new("W_q", d, d);
    w.heads.W_k = matrix_new("W_k", d, d);
    w.heads.W_v = matrix_new("W_v", d, d);
    w.heads.W_o = matrix_new("W_o", d, d);
    w.forward_gain = vector_new("forward_gain", d);
    w.W_gate = matrix_new("W_gate", sizes.d_ff, d);
    w.W_up = matrix_new("W_up", sizes.d_ff, d);
    w.W_down = matrix_new("W_down", d, sizes.d_ff);
    return w;
}

#define LAYER                                                                                      \
    const struct llama_layer w = new_layer();                                                      \
    const struct llama_layer_values v = new_values(sizes, longest)
#define CACHE struct cache cache = new_cache(sizes, longest, "K", "V")

LAWS(gated_feed_forward) {
    LAYER;
    NEW_MATRIX(change, 1, w.heads.d_model);
    PROBE("scaled W_gate W_up W_down -> gate up hidden change")
    gated_feed_forward(&w, &v, change);
}

LAWS(rope_attention_next) {
    LAYER;
    CACHE;
    NEW_MATRIX(change, 1, w.heads.d_model);
    PROBE("scaled W_q W_k W_v W_o -> weights change") {
        cache.length = longest - 1;
        rope_attention_next(&w, &cache, &v, change);
    }
}

LAWS(llama_layer_next) {
    LAYER;
    CACHE;
    NEW_MATRIX(x, 1, w.heads.d_model);
    NEW_MATRIX(out, 1, w.heads.d_model);
    PROBE("x attention_gain W_v W_o forward_gain W_gate W_up W_down -> out") {
        cache.length = 0;
        llama_layer_next(&w, x, &cache, &v, out);
    }
}

/* Without layers: the embedding, the last norm and the logits. */
LAWS(llama_next) {
    const int d = d_of(sizes), vocabulary = sizes.vocabulary;
    struct llama w = {.sizes = {d, sizes.d_ff, 1, 2, 2, vocabulary, longest}};
    struct llama_values values = {.x = block_new("x", 2, 1, d)};
    struct llama_caches caches;
    NEW_MATRIX(table, vocabulary, d);
    NEW_VECTOR(out_gain, d);
    NEW_MATRIX(words_out, vocabulary, d);
    NEW_MATRIX(logits, 1, vocabulary);
    w.table = table;
    w.layer[0] = new_layer();
    w.out_gain = out_gain;
    w.words_out = words_out;
    values.layer[0] = new_values(sizes, longest);
    values.out_normed = matrix_new("out_normed", 1, d);
    values.out_inverse_rms = vector_new("out_inverse_rms", 1);
    values.out = matrix_new("out", 1, d);
    caches.layer[0] = new_cache(sizes, longest, "K", "V");
    PROBE("table attention_gain W_v W_o forward_gain W_gate W_up W_down out_gain words_out -> "
          "logits") {
        caches.layer[0].length = 0;
        llama_next(&w, 1, &caches, &values, logits);
    }
}

LAWS(keep_best) {
    NEW_VECTOR(weights, 5);
    NEW_VECTOR(kept, 5);
    PROBE("%weights -> kept")
    keep_best(5, 2, 0.6, weights, kept);
}

LAWS(matrix_vector) {
    NEW_FLOAT_MATRIX(W, 3, 5);
    NEW_FLOAT_VECTOR(x, 5);
    NEW_FLOAT_VECTOR(out, 3);
    PROBE("W x -> out")
    matrix_vector(3, 5, W, x, out);
}

LAWS(quantize) {
    NEW_FLOAT_VECTOR(x, 5);
    NEW_FLOAT_VECTOR(scale, 1);
    PROBE("x -> scale") {
        int8_t q[5];
        quantize(5, x, q, scale);
    }
}

/* Each weight is 1, and so is each number of x. */
LAWS(matrix_vector_int8) {
    byte *W = bytes_from("W", blocks * groups * GROUP * WIDTH, NULL);
    int8_t *x = bytes_from("x", groups * GROUP, NULL);
    int *x_sum = new_words("x_sum", groups);
    NEW_FLOATS(scales, blocks, groups, WIDTH);
    NEW_FLOAT_VECTOR(x_scale, groups);
    NEW_FLOAT_MATRIX(out, blocks, WIDTH);
    memset(W, 1 + SHIFT, (size_t)(blocks * groups * GROUP * WIDTH));
    memset(x, 1, (size_t)(groups * GROUP));
    for (int g = 0; g < groups; g++)
        x_sum[g] = GROUP;
    PROBE("scales x_scale -> out")
    matrix_vector_int8(blocks, groups, (const void *)W, scales, (const void *)x, x_scale, x_sum,
                       out);
}
