/* Lesson 16: a model that was trained elsewhere tells a story with your functions.

   The model is a Llama. It is a decoder-only model as in lesson 13, with six differences. The norms
   are rms_norm, and no projection has a bias. Positions enter by RoPE, which rotates queries and
   keys and leaves the embeddings unchanged. An embedding is not multiplied by sqrt(d_model). The
   feed-forward network has a gate. Several query heads may use the same key head. And a matrix of
   weights is stored as its file has it, [out][in]: each row belongs to one number of the output. So
   the product that we want is X W^T, which is dot_scores of lesson 02.

   `word` and the elements of `words` are the numbers of tokens, as in lesson 13. d_head is d_model
   / n_heads. The position of a token is the length of the cache before the token is appended. As in
   lessons 07 to 13, the matrices of a struct are declared with their shapes. They are doubles,
   except where a parameter says float. A row [1][n * d] with n heads side by side has the same
   numbers in the same order as [n][1][d], so one of them can be passed as the other.

   The outputs are the last parameters of a function. They and the matrices of v have no defined
   values before the call, and they do not overlap the inputs. A function whose name ends in
   _backward ADDS (+=) its results to its outputs. No function needs a matrix of its own. No
   function may have a `static` or global variable, because several threads may call it at once. */
#ifndef STORY_H
#define STORY_H

#include "bytes.h"
#include "transformer.h"

/* The tokens 0 to 2 are "unknown", BOS (the beginning of a text) and EOS (its end). The next 256
   are single bytes, and all others are pieces of text. */
enum { MOST_LAYERS = 80, BOS = 1, EOS = 2, FIRST_BYTE = 3, FIRST_PIECE = 259 };

/* SwiGLU, the gate of the feed-forward network. For each number separately:

       silu(g) = g / (1 + exp(-g))          hidden = silu(gate) * up

   The results are right for any finite gate, also for 1e4 and -1e4. */
void swiglu(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
            double hidden[n][d_ff]);

/* The backward pass of swiglu: adds the gradients of gate and up to d_gate and d_up. They are right
   for any finite gate, too. */
void swiglu_backward(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
                     const double d_hidden[n][d_ff], double d_gate[n][d_ff], double d_up[n][d_ff]);

/* The sizes of a model, in the order of its file, where they are 32-bit integers. */
struct llama_sizes {
    int d_model, d_ff, n_layers, n_heads, n_kv_heads;
    int vocabulary; /* negative in the file if words_out is a matrix of its own */
    int longest;    /* the largest number of tokens in a text */
};

/* The parameters of a layer. In the matrices of `heads` a row belongs to one number of the output,
   too: here W_q is [n_heads * d_head][d_model], W_k and W_v are [n_kv_heads * d_head][d_model], and
   W_o is [d_model][n_heads * d_head]. */
struct llama_layer {
    VECTOR(attention_gain, heads.d_model);
    struct multi_head heads;
    VECTOR(forward_gain, heads.d_model);
    int d_ff;
    MATRIX(W_gate, d_ff, heads.d_model);
    MATRIX(W_down, heads.d_model, d_ff);
    MATRIX(W_up, d_ff, heads.d_model);
};

/* All parameters of a model. */
struct llama {
    struct llama_sizes sizes;
    MATRIX(table, sizes.vocabulary, sizes.d_model); /* the embeddings */
    struct llama_layer layer[USED_OF(sizes.n_layers, MOST_LAYERS)];
    VECTOR(out_gain, sizes.d_model);                    /* the norm after the last layer */
    MATRIX(words_out, sizes.vocabulary, sizes.d_model); /* for the logits; often it is `table` */
};

/* The values of one token in a layer, and in the whole model. v->heads has space for one query and
   as many keys as a text has tokens. Its matrices K, V and rows_out are not used. */
struct llama_layer_values {
    MATRIX(normed, 1, w->heads.d_model);
    VECTOR(inverse_rms, 1);
    MATRIX(scaled, 1, w->heads.d_model); /* the output of the norm before each half of the layer */
    struct multi_head_values heads WHERE(n_q = 1, n_k = longest);
    MATRIX(change, 1, w->heads.d_model); /* what a half of the layer adds to the token */
    MATRIX(gate, 1, w->d_ff);
    MATRIX(up, 1, w->d_ff);
    MATRIX(hidden, 1, w->d_ff);
};
struct llama_values {
    TENSOR(x, w->sizes.n_layers + 1, 1, w->sizes.d_model); /* before, between and after layers */
    struct llama_layer_values
        layer[USED_OF(w->sizes.n_layers, MOST_LAYERS)] WHERE(longest = w->sizes.longest);
    MATRIX(out_normed, 1, w->sizes.d_model);
    VECTOR(out_inverse_rms, 1);
    MATRIX(out, 1, w->sizes.d_model); /* the output of the norm after the last layer */
};

/* The KV cache of each layer. */
struct llama_caches {
    struct cache layer[USED_OF(w->sizes.n_layers, MOST_LAYERS)] WHERE(w = &w->layer[b].heads);
};

/* These functions are given. Each takes the members of a struct from a room, one after another.
   words_out comes last: if it is the table again, the caller sets it to `table`, and the room needs
   no space for it. */
struct llama_layer take_llama_layer(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                    int d_ff);
struct llama_layer_values take_llama_layer_values(struct room *room, const struct llama_layer *w,
                                                  int longest);
struct llama take_llama(struct room *room, int d_model, int d_ff, int n_layers, int n_heads,
                        int n_kv_heads, int vocabulary, int longest);
struct llama_values take_llama_values(struct room *room, const struct llama *w);
struct llama_caches take_llama_caches(struct room *room, const struct llama *w);

/* The feed-forward network of the one row x = v->scaled:

       change = (silu(x W_gate^T) * (x W_up^T)) W_down^T

   The intermediate results are written to v->gate, v->up and v->hidden. */
void gated_feed_forward(const struct llama_layer *w, const struct llama_layer_values *v,
                        double change[1][w->heads.d_model]);

/* The attention of one token, whose row is v->scaled, with RoPE. First the rotated keys and the
   values of the token are appended to the cache, and the length grows by 1. Then each query head
   attends to all filled rows of its key head, with a query that is rotated by the same position.
   Finally W_o mixes the results of all heads. The weights are written to v->heads.weights as a
   matrix [n_heads][1][length], with the new length. */
void rope_attention_next(const struct llama_layer *w, struct cache *cache,
                         const struct llama_layer_values *v, double change[1][w->heads.d_model]);

/* One layer for one token x. Both halves of it begin with rms_norm, and the result of each half is
   added to the token: first rope_attention_next, then gated_feed_forward. */
void llama_layer_next(const struct llama_layer *w, const double x[1][w->heads.d_model],
                      struct cache *cache, const struct llama_layer_values *v,
                      double out[1][w->heads.d_model]);

/* The logits after one more token, `word`: its embedding, all layers, rms_norm, and the dot
   products with the rows of words_out. v->x[b] is the input of layer b, and v->x[b + 1] is its
   output. Each layer leaves its values in v->layer[b]. */
void llama_next(const struct llama *w, int word, struct llama_caches *caches,
                const struct llama_values *v, double logits[1][w->sizes.vocabulary]);

/* Two tokens whose texts stand side by side may together be the text of a third. pairs[i] has three
   tokens: the left one, the right one and what they become. The pairs are sorted by the left token,
   and those with the same left token by the right one. find_merge returns what the two tokens
   become, or -1 if they are no pair. It takes about log2(n_pairs) steps. */
int find_merge(int n_pairs, const int pairs[n_pairs][3], int left, int right);

/* Each token has a score. Some neighbours words[i] and words[i + 1] are a pair. best_merge chooses
   the pair that becomes the token with the highest score, and the first of these if several
   are equal. It returns this i, or -1 if no neighbours are a pair. */
int best_merge(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
               const float score[vocabulary], int n, const int words[n]);

/* Byte pair encoding (BPE): replaces the two tokens of best_merge by what they become, and does so
   again until no neighbours are a pair. Returns the number of tokens that are left. They are the
   first ones in `joined`, and what comes after them in `joined` does not matter. */
int merge_tokens(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
                 const float score[vocabulary], int n, const int words[n], int joined[n]);

/* A heap is an array in which heap[i] is at least as large as the two numbers below it, heap[2 * i
   + 1] and heap[2 * i + 2], if there are such numbers. Before the call this holds for every i after
   `at`, but heap[at] may be too small. sift_down exchanges it with a number below it, and goes on
   from there, until this holds for `at`, too. Numbers before `at` do not change. It takes about
   log2(n) steps. */
void sift_down(int n, int at, double heap[n]);

/* keep_top_k and keep_top_p of lesson 13 together, for a large vocabulary. Keeps the largest
   weights, at most k of them and no more than are needed for a sum of at least p. They are divided
   by their sum, and all others become 0. If several weights are equal and not all of them can stay,
   the first ones stay. k is at least 1 and p is above 0. If m weights stay, this takes about n + m
   log2(n) steps, so sorting all weights is too slow. There is no array except `kept`. */
void keep_best(int n, int k, double p, const double weights[n], double kept[n]);

/* out[r] is the dot product of x and row r of W. The time goes into reading W, so go along the rows
   in a loop with `#pragma omp simd`, and `fetch` the numbers that will be needed next: those AHEAD
   numbers further on. You can begin with one row at a time. Four rows in one loop are faster,
   because their sums do not wait for each other. */
enum { AHEAD = 2048 };
void matrix_vector(int n, int d, const float W[n][d], const float x[d], float out[n]);

/* Rounds n numbers to whole numbers from -127 to 127, where n is at most GROUP. *scale is the
   largest magnitude divided by 127, and q[i] is the whole number nearest to x[i] / *scale. A half
   is rounded away from 0. If all numbers are 0, so are *scale and every q[i]. Otherwise the largest
   magnitude is at least 1e-30. Returns the sum of the q[i]. */
int quantize(int n, const float x[n], int8_t q[n], float *scale);

/* matrix_vector with bytes. Lane l of block b is row b * WIDTH + l of the matrix, and
   scales[b][g][l] is the scale of its group g. The weights q of this group are stored as bytes q +
   SHIFT, where byte i is W[b][g][i / TOGETHER][l * TOGETHER + i % TOGETHER]. x is quantized in the
   same groups, each with its scale and the sum of its numbers. A row of W times x is the sum over
   all groups of scales[b][g][l] * x_scale[g] * (the sum of all q * x of the group). */
void matrix_vector_int8(int blocks, int groups,
                        const byte W[blocks][groups][GROUP / TOGETHER][PIECE],
                        const float scales[blocks][groups][WIDTH], const int8_t x[groups][GROUP],
                        const float x_scale[groups], const int x_sum[groups],
                        float out[blocks][WIDTH]);

#endif
