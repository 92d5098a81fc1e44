#include "story.h"

#include "depth.h"
#include "dot_product.h"
#include "positions.h"
#include "scaled.h"
#include "todo.h"

#include <math.h>
#include <string.h>

void swiglu(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
            double hidden[n][d_ff]) {
    // BEGIN SOLUTION: the header's formula for each number
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_ff; c++)
            hidden[i][c] = gate[i][c] / (1.0 + exp(-gate[i][c])) * up[i][c];
    // END SOLUTION
}

void swiglu_backward(int n, int d_ff, const double gate[n][d_ff], const double up[n][d_ff],
                     const double d_hidden[n][d_ff], double d_gate[n][d_ff], double d_up[n][d_ff]) {
    // BEGIN SOLUTION: the product rule; the derivative of g * s(g) is s + g * s * (1 - s)
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d_ff; c++) {
            double g = gate[i][c], s = 1.0 / (1.0 + exp(-g));
            d_gate[i][c] += d_hidden[i][c] * up[i][c] * s * (1.0 + g * (1.0 - s));
            d_up[i][c] += d_hidden[i][c] * g * s;
        }
    // END SOLUTION
}

void gated_feed_forward(const struct llama_layer *w, const struct llama_layer_values *v,
                        double change[1][w->heads.d_model]) {
    // BEGIN SOLUTION: gate and up by dot_scores, then swiglu, then down by dot_scores
    int d = w->heads.d_model;
    dot_scores(1, w->d_ff, d, v->scaled, w->W_gate, v->gate);
    dot_scores(1, w->d_ff, d, v->scaled, w->W_up, v->up);
    swiglu(1, w->d_ff, v->gate, v->up, v->hidden);
    dot_scores(1, d, w->d_ff, v->hidden, w->W_down, change);
    // END SOLUTION
}

void rope_attention_next(const struct llama_layer *w, struct cache *cache,
                         const struct llama_layer_values *v, double change[1][w->heads.d_model]) {
    // BEGIN SOLUTION: three projections, append rotated keys and values, attend, W_o
    const struct multi_head *m = &w->heads;
    const int d = m->d_head, position = cache->length, n = position + 1;
    double(*K)[cache->capacity][d] = cache->K, (*V)[cache->capacity][d] = cache->V;
    double(*rows_q)[1][d] = v->heads.rows_q, (*rows_k)[1][d] = v->heads.rows_k;
    double(*rows_v)[1][d] = v->heads.rows_v, (*Q)[1][d] = v->heads.Q;
    double(*weights)[1][n] = v->heads.weights, (*heads)[1][d] = v->heads.heads;
    dot_scores(1, m->n_heads * d, m->d_model, v->scaled, m->W_q, v->heads.rows_q);
    dot_scores(1, m->n_kv_heads * d, m->d_model, v->scaled, m->W_k, v->heads.rows_k);
    dot_scores(1, m->n_kv_heads * d, m->d_model, v->scaled, m->W_v, v->heads.rows_v);
    for (int h = 0; h < m->n_kv_heads; h++) {
        rotate(1, d, position, rows_k[h], &K[h][position]);
        memcpy(V[h][position], rows_v[h], sizeof(double[d]));
    }
    cache->length = n;
    for (int h = 0; h < m->n_heads; h++) {
        int kv = h / (m->n_heads / m->n_kv_heads);
        rotate(1, d, position, rows_q[h], Q[h]);
        scaled_dot_product_attention(1, n, d, d, Q[h], K[kv], V[kv], weights[h], heads[h]);
    }
    dot_scores(1, m->d_model, m->n_heads * d, v->heads.heads, m->W_o, change);
    // END SOLUTION
}

void llama_layer_next(const struct llama_layer *w, const double x[1][w->heads.d_model],
                      struct cache *cache, const struct llama_layer_values *v,
                      double out[1][w->heads.d_model]) {
    // BEGIN SOLUTION: norm, attention and add; then norm, feed-forward network and add
    int d = w->heads.d_model;
    rms_norm(1, d, x, w->attention_gain, v->normed, v->inverse_rms, v->scaled);
    rope_attention_next(w, cache, v, out);
    add_rows(1, d, x, out);
    rms_norm(1, d, out, w->forward_gain, v->normed, v->inverse_rms, v->scaled);
    gated_feed_forward(w, v, v->change);
    add_rows(1, d, v->change, out);
    // END SOLUTION
}

void llama_next(const struct llama *w, int word, struct llama_caches *caches,
                const struct llama_values *v, double logits[1][w->sizes.vocabulary]) {
    // BEGIN SOLUTION: embed, call each layer, then the last norm and the logits
    int d = w->sizes.d_model, layers = w->sizes.n_layers;
    double(*x)[1][d] = v->x;
    embed(1, w->sizes.vocabulary, d, 1.0, &word, w->table, x[0]);
    for (int b = 0; b < layers; b++)
        llama_layer_next(&w->layer[b], x[b], &caches->layer[b], &v->layer[b], x[b + 1]);
    rms_norm(1, d, x[layers], w->out_gain, v->out_normed, v->out_inverse_rms, v->out);
    dot_scores(1, w->sizes.vocabulary, d, v->out, w->words_out, logits);
    // END SOLUTION
}

int find_merge(int n_pairs, const int pairs[n_pairs][3], int left, int right) {
    // BEGIN SOLUTION: bisection: look at the middle pair, and go on in one half
    int low = 0, high = n_pairs;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const int *pair = pairs[middle];
        if (pair[0] == left && pair[1] == right)
            return pair[2];
        if (pair[0] < left || (pair[0] == left && pair[1] < right))
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
    // END SOLUTION
}

int best_merge(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
               const float score[vocabulary], int n, const int words[n]) {
    // BEGIN SOLUTION: ask find_merge about each two neighbours, and remember the best
    int best = -1;
    float highest = 0.0f;
    for (int i = 0; i + 1 < n; i++) {
        int merged = find_merge(n_pairs, pairs, words[i], words[i + 1]);
        if (merged >= 0 && (best < 0 || score[merged] > highest)) {
            best = i;
            highest = score[merged];
        }
    }
    return best;
    // END SOLUTION
}

int merge_tokens(int n_pairs, const int pairs[n_pairs][3], int vocabulary,
                 const float score[vocabulary], int n, const int words[n], int joined[n]) {
    // BEGIN SOLUTION: copy the tokens, then merge the best pair until best_merge returns -1
    for (int i = 0; i < n; i++)
        joined[i] = words[i];
    for (int at; (at = best_merge(n_pairs, pairs, vocabulary, score, n, joined)) >= 0; n--) {
        joined[at] = find_merge(n_pairs, pairs, joined[at], joined[at + 1]);
        for (int i = at + 1; i + 1 < n; i++)
            joined[i] = joined[i + 1];
    }
    return n;
    // END SOLUTION
}

void sift_down(int n, int at, double heap[n]) {
    // BEGIN SOLUTION: exchange the number with the larger of the two below it, while that is larger
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[at] >= heap[child])
            return;
        double moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
    // END SOLUTION
}

void keep_best(int n, int k, double p, const double weights[n], double kept[n]) {
    // BEGIN SOLUTION: make a heap of a copy; take the largest until k or p is reached; count ties
    int left = n, ties = 0;
    double sum = 0.0, last = -1.0;
    memcpy(kept, weights, (size_t)n * sizeof kept[0]);
    for (int at = n / 2 - 1; at >= 0; at--)
        sift_down(n, at, kept);
    while (left > 0 && n - left < k && sum < p) {
        ties = kept[0] == last ? ties + 1 : 1;
        last = kept[0];
        sum += last;
        kept[0] = kept[--left];
        sift_down(left, 0, kept);
    }
    for (int i = 0; i < n; i++) {
        bool stays = weights[i] > last || (weights[i] == last && ties-- > 0);
        kept[i] = stays ? weights[i] / sum : 0.0;
    }
    // END SOLUTION
}

void matrix_vector(int n, int d, const float W[n][d], const float x[d], float out[n]) {
    // BEGIN SOLUTION: for each four rows fetch what lies AHEAD, then four sums with omp simd
    const int rows_ahead = AHEAD / d + 1, last = n - 1;
    for (int r = 0; r < n; r += 4) {
        const int r1 = least(r + 1, last), r2 = least(r + 2, last), r3 = least(r + 3, last);
        float sum = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
        const int ahead = least(r + rows_ahead, last);
        fetch(least(4, n - ahead) * d, W[ahead]);
#pragma omp simd reduction(+ : sum, sum1, sum2, sum3)
        for (int c = 0; c < d; c++) {
            sum += W[r][c] * x[c];
            sum1 += W[r1][c] * x[c];
            sum2 += W[r2][c] * x[c];
            sum3 += W[r3][c] * x[c];
        }
        out[r] = sum;
        out[r1] = sum1;
        out[r2] = sum2;
        out[r3] = sum3;
    }
    // END SOLUTION
}

int quantize(int n, const float x[n], int8_t q[n], float *scale) {
    // BEGIN SOLUTION: the largest magnitude gives the scale; then round and add up
    float largest = 0.0f;
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (fabsf(x[i]) > largest)
            largest = fabsf(x[i]);
    *scale = largest / 127.0f;
    for (int i = 0; i < n; i++) {
        q[i] = (int8_t)(int)roundf(largest > 0.0f ? x[i] / *scale : 0.0f);
        sum += q[i];
    }
    return sum;
    // END SOLUTION
}

void matrix_vector_int8(int blocks, int groups,
                        const byte W[blocks][groups][GROUP / TOGETHER][PIECE],
                        const float scales[blocks][groups][WIDTH], const int8_t x[groups][GROUP],
                        const float x_scale[groups], const int x_sum[groups],
                        float out[blocks][WIDTH]) {
    // BEGIN SOLUTION: for each group the sum of ints starts at -SHIFT * x_sum; then both scales
    for (int b = 0; b < blocks; b++) {
        vec sum = splat(0.0f);
        for (int g = 0; g < groups; g++) {
            ivec dots = splat_int(-SHIFT * x_sum[g]);
            for (int i = 0; i < GROUP / TOGETHER; i++)
                dots = add_bytes(dots, W[b][g][i], &x[g][i * TOGETHER]);
            sum += to_floats(dots) * x_scale[g] * load(scales[b][g]);
        }
        store(sum, out[b]);
    }
    // END SOLUTION
}

// The functions below are given. Each takes the members of a struct from a room.

struct llama_layer take_llama_layer(struct room *room, int d_model, int n_heads, int n_kv_heads,
                                    int d_ff) {
    struct llama_layer w = {.d_ff = d_ff};
    w.attention_gain = take(room, d_model);
    w.heads = take_multi_head(room, d_model, n_heads, n_kv_heads, d_model / n_heads);
    w.forward_gain = take(room, d_model);
    w.W_gate = take(room, d_ff * d_model);
    w.W_down = take(room, d_model * d_ff);
    w.W_up = take(room, d_ff * d_model);
    return w;
}

struct llama_layer_values take_llama_layer_values(struct room *room, const struct llama_layer *w,
                                                  int longest) {
    int d = w->heads.d_model;
    struct llama_layer_values v = {.normed = take(room, d)};
    v.inverse_rms = take(room, 1);
    v.scaled = take(room, d);
    v.heads = take_multi_head_values(room, &w->heads, 1, longest);
    v.change = take(room, d);
    v.gate = take(room, w->d_ff);
    v.up = take(room, w->d_ff);
    v.hidden = take(room, w->d_ff);
    return v;
}

struct llama take_llama(struct room *room, int d_model, int d_ff, int n_layers, int n_heads,
                        int n_kv_heads, int vocabulary, int longest) {
    struct llama w = {.sizes = {d_model, d_ff, n_layers, n_heads, n_kv_heads, vocabulary, longest}};
    w.table = take(room, vocabulary * d_model);
    for (int b = 0; b < n_layers; b++)
        w.layer[b] = take_llama_layer(room, d_model, n_heads, n_kv_heads, d_ff);
    w.out_gain = take(room, d_model);
    w.words_out = take(room, vocabulary * d_model);
    return w;
}

struct llama_values take_llama_values(struct room *room, const struct llama *w) {
    struct llama_values v = {.x = take(room, (w->sizes.n_layers + 1) * w->sizes.d_model)};
    for (int b = 0; b < w->sizes.n_layers; b++)
        v.layer[b] = take_llama_layer_values(room, &w->layer[b], w->sizes.longest);
    v.out_normed = take(room, w->sizes.d_model);
    v.out_inverse_rms = take(room, 1);
    v.out = take(room, w->sizes.d_model);
    return v;
}

struct llama_caches take_llama_caches(struct room *room, const struct llama *w) {
    struct llama_caches caches = {{{0}}};
    for (int b = 0; b < w->sizes.n_layers; b++)
        caches.layer[b] = take_cache(room, &w->layer[b].heads, w->sizes.longest);
    return caches;
}
