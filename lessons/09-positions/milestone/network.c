#include "network.h"

#include "masked.h"
#include "positions.h"
#include "self_attention.h"
#include "seq2seq.h"
#include "trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const way_names[WAYS] = {"nothing", "learned", "sinusoidal", "RoPE", "ALiBi"};

/* --- The parameters -------------------------------------------------------------------------- */

static struct weights take_weights(struct room *room, int n_heads, int vocabulary) {
    struct weights w;
    w.table = take(room, vocabulary * D_MODEL);
    w.positions = take(room, LONGEST * D_MODEL);
    w.heads = take_multi_head(room, D_MODEL, n_heads, n_heads, D_MODEL / n_heads);
    w.of_words = take(room, D_MODEL * vocabulary);
    w.of_heads = take(room, D_MODEL * vocabulary);
    return w;
}

/* The scale of embed(). It makes embeddings about as large as sinusoidal encodings. */
static double embedding_scale(void) {
    return sqrt(D_MODEL);
}

struct network network_new(enum way way, int n_heads, int vocabulary, struct random *r) {
    struct room counted = {NULL, 0};
    take_weights(&counted, n_heads, vocabulary);
    struct trainee row = trainee_new(counted.used);
    struct room weights = {row.weights, 0}, gradient = {row.gradient, 0};
    draw_weights(r, D_MODEL, row.count, row.weights);
    return (struct network){way, vocabulary, row, take_weights(&weights, n_heads, vocabulary),
                            take_weights(&gradient, n_heads, vocabulary)};
}

void network_free(struct network *net) {
    trainee_free(&net->row);
}

/* --- Values of the forward pass -------------------------------------------------------------- */

/* The values of a forward pass over n words, with queries from the last n_q; or their gradients. */
struct values {
    void *X, *P; /* [n][D_MODEL]: the input of attention, and the positional encodings in it */
    struct multi_head_values heads;
    void *rotated_Q, *rotated_K; /* Q and K of the heads, rotated by RoPE */
    void *attended;              /* [n_q][D_MODEL]: the output of attention */
    void *logits, *of_heads;     /* [n_q][vocabulary]: the logits, and attention's part of them */
};

static struct values take_values(struct room *room, const struct network *net, int n_q, int n) {
    struct values v;
    v.X = take(room, n * D_MODEL);
    v.P = take(room, n * D_MODEL);
    v.heads = take_multi_head_values(room, &net->w.heads, n_q, n);
    v.rotated_Q = take(room, n_q * D_MODEL);
    v.rotated_K = take(room, n * D_MODEL);
    v.attended = take(room, n_q * D_MODEL);
    v.logits = take(room, n_q * net->vocabulary);
    v.of_heads = take(room, n_q * net->vocabulary);
    return v;
}

struct thought {
    struct room room, d_room;
    struct values v, d_v;
    int n_q, n;
    int positions[LONGEST]; /* 0, 1, 2, ...: the "words" of the table of positions */
    double bias[LONGEST * LONGEST];
    bool mask[LONGEST * LONGEST];
};

struct thought *thought_new(const struct network *net) {
    struct thought *t = zeroes(sizeof *t);
    struct room most = {NULL, 0};
    take_values(&most, net, LONGEST, LONGEST);
    t->room.numbers = zeroes((size_t)most.used * sizeof(double));
    t->d_room.numbers = zeroes((size_t)most.used * sizeof(double));
    for (int i = 0; i < LONGEST; i++)
        t->positions[i] = i;
    return t;
}

void thought_free(struct thought *t) {
    free(t->room.numbers);
    free(t->d_room.numbers);
    free(t);
}

const void *weights_of(const struct thought *t) {
    return t->v.heads.weights;
}

/* --- The forward pass ------------------------------------------------------------------------ */

static void add(int count, const double *from, double *to) {
    for (int i = 0; i < count; i++)
        to[i] += from[i];
}

/* Looks up the embeddings. The absolute methods add a vector to each. */
static void embed_words(const struct network *net, struct thought *t, const int words[]) {
    struct values *v = &t->v;
    embed(t->n, net->vocabulary, D_MODEL, embedding_scale(), words, net->w.table, v->X);
    if (net->way == LEARNED)
        embed(t->n, LONGEST, D_MODEL, embedding_scale(), t->positions, net->w.positions, v->P);
    if (net->way == SINUSOIDAL)
        sinusoidal_positions(t->n, D_MODEL, 0, v->P);
    if (net->way == LEARNED || net->way == SINUSOIDAL)
        add(t->n * D_MODEL, v->P, v->X);
}

/* NULL if nothing is blocked. */
static void *mask_of(struct thought *t, bool causal) {
    bool(*mask)[t->n] = (void *)t->mask;
    if (!causal || t->n_q != t->n) /* the last word may attend to all words anyway */
        return NULL;
    causal_mask(t->n, mask);
    return mask;
}

/* RoPE rotates the queries and keys of each head. */
static void rotate_heads(int n_heads, int d_head, struct thought *t) {
    double(*Q)[t->n_q][d_head] = t->v.heads.Q, (*rotated_Q)[t->n_q][d_head] = t->v.rotated_Q;
    double(*K)[t->n][d_head] = t->v.heads.K, (*rotated_K)[t->n][d_head] = t->v.rotated_K;
    for (int h = 0; h < n_heads; h++) {
        rotate(t->n_q, d_head, t->n - t->n_q, Q[h], rotated_Q[h]);
        rotate(t->n, d_head, 0, K[h], rotated_K[h]);
    }
}

/* ALiBi adds a bias to the scores of each head. */
static void attend_with_bias(int n_heads, int d_head, struct thought *t, const void *mask) {
    int n_q = t->n_q, n = t->n;
    double(*Q)[n_q][d_head] = t->v.heads.Q, (*K)[n][d_head] = t->v.heads.K;
    double(*V)[n][d_head] = t->v.heads.V, (*weights)[n_q][n] = t->v.heads.weights;
    double(*heads)[n_q][d_head] = t->v.heads.heads, (*bias)[n] = (void *)t->bias;
    for (int h = 0; h < n_heads; h++) {
        alibi_bias(n_q, n, n - n_q, alibi_slope(n_heads, h), bias);
        biased_attention(n_q, n, d_head, d_head, Q[h], K[h], V[h], bias, mask, weights[h],
                         heads[h]);
    }
}

/* The steps of lesson 08's multi_head_attention. Between them, RoPE rotates queries and keys, or
   ALiBi adds its biases. */
static void attend_by_distance(const struct network *net, struct thought *t, const void *mask) {
    const struct multi_head *w = &net->w.heads;
    struct multi_head_values *v = &t->v.heads;
    int n_heads = w->n_heads, d_head = w->d_head;
    double(*X)[D_MODEL] = t->v.X;
    project(t->n_q, D_MODEL, D_MODEL, X + t->n - t->n_q, w->W_q, v->rows_q);
    project(t->n, D_MODEL, D_MODEL, X, w->W_k, v->rows_k);
    project(t->n, D_MODEL, D_MODEL, X, w->W_v, v->rows_v);
    split_heads(t->n_q, n_heads, d_head, v->rows_q, v->Q);
    split_heads(t->n, n_heads, d_head, v->rows_k, v->K);
    split_heads(t->n, n_heads, d_head, v->rows_v, v->V);
    if (net->way == ALIBI) {
        attend_with_bias(n_heads, d_head, t, mask);
    } else {
        rotate_heads(n_heads, d_head, t);
        attend_heads(t->n_q, t->n, n_heads, n_heads, d_head, t->v.rotated_Q, t->v.rotated_K, v->V,
                     mask, v->weights, v->heads);
    }
    merge_heads(t->n_q, n_heads, d_head, v->heads, v->rows_out);
    project(t->n_q, D_MODEL, D_MODEL, v->rows_out, w->W_o, t->v.attended);
}

void *network_think(const struct network *net, int n_q, int n, const int words[n], bool causal,
                    struct thought *t) {
    t->n_q = n_q;
    t->n = n;
    t->room.used = 0;
    t->v = take_values(&t->room, net, n_q, n);
    double(*X)[D_MODEL] = t->v.X, (*queried)[D_MODEL] = X + n - n_q;
    void *mask = mask_of(t, causal);
    embed_words(net, t, words);
    if (net->way == ROPE || net->way == ALIBI)
        attend_by_distance(net, t, mask);
    else
        multi_head_attention(n_q, n, &net->w.heads, queried, X, mask, &t->v.heads, t->v.attended);
    project(n_q, D_MODEL, net->vocabulary, queried, net->w.of_words, t->v.logits);
    project(n_q, D_MODEL, net->vocabulary, t->v.attended, net->w.of_heads, t->v.of_heads);
    add(n_q * net->vocabulary, t->v.of_heads, t->v.logits);
    return t->v.logits;
}

/* --- The backward pass ----------------------------------------------------------------------- */

static void rotate_heads_backward(int n_heads, int d_head, struct thought *t) {
    int n = t->n;
    double(*d_rotated_Q)[n][d_head] = t->d_v.rotated_Q, (*d_Q)[n][d_head] = t->d_v.heads.Q;
    double(*d_rotated_K)[n][d_head] = t->d_v.rotated_K, (*d_K)[n][d_head] = t->d_v.heads.K;
    for (int h = 0; h < n_heads; h++) {
        rotate_backward(n, d_head, 0, d_rotated_Q[h], d_Q[h]);
        rotate_backward(n, d_head, 0, d_rotated_K[h], d_K[h]);
    }
}

/* The biases of ALiBi are not trained, so its backward pass is that of lesson 08. */
static void attend_by_distance_backward(const struct network *net, struct thought *t,
                                        const void *mask) {
    int n = t->n, n_heads = net->w.heads.n_heads, d_head = net->w.heads.d_head;
    bool rotated = net->way == ROPE;
    struct values *v = &t->v, *d_v = &t->d_v;
    const struct multi_head *w = &net->w.heads, *d_w = &net->d_w.heads;
    project_backward(n, D_MODEL, D_MODEL, v->heads.rows_out, w->W_o, d_v->attended,
                     d_v->heads.rows_out, d_w->W_o);
    merge_heads_backward(n, n_heads, d_head, d_v->heads.rows_out, d_v->heads.heads);
    attend_heads_backward(n, n, n_heads, n_heads, d_head, rotated ? v->rotated_Q : v->heads.Q,
                          rotated ? v->rotated_K : v->heads.K, v->heads.V, mask, v->heads.weights,
                          d_v->heads.heads, rotated ? d_v->rotated_Q : d_v->heads.Q,
                          rotated ? d_v->rotated_K : d_v->heads.K, d_v->heads.V);
    if (rotated)
        rotate_heads_backward(n_heads, d_head, t);
    split_heads_backward(n, n_heads, d_head, d_v->heads.Q, d_v->heads.rows_q);
    split_heads_backward(n, n_heads, d_head, d_v->heads.K, d_v->heads.rows_k);
    split_heads_backward(n, n_heads, d_head, d_v->heads.V, d_v->heads.rows_v);
    project_backward(n, D_MODEL, D_MODEL, v->X, w->W_q, d_v->heads.rows_q, d_v->X, d_w->W_q);
    project_backward(n, D_MODEL, D_MODEL, v->X, w->W_k, d_v->heads.rows_k, d_v->X, d_w->W_k);
    project_backward(n, D_MODEL, D_MODEL, v->X, w->W_v, d_v->heads.rows_v, d_v->X, d_w->W_v);
}

double network_learn(struct network *net, int n, const int words[n], bool causal,
                     const int targets[n], struct thought *t) {
    struct values *v = &t->v, *d_v = &t->d_v;
    void *logits = network_think(net, n, n, words, causal, t), *mask = mask_of(t, causal);
    t->d_room.used = 0;
    *d_v = take_values(&t->d_room, net, n, n);
    memset(t->d_room.numbers, 0, (size_t)t->d_room.used * sizeof(double));
    sequence_loss_backward(n, net->vocabulary, logits, targets, d_v->logits);
    project_backward(n, D_MODEL, net->vocabulary, v->attended, net->w.of_heads, d_v->logits,
                     d_v->attended, net->d_w.of_heads);
    project_backward(n, D_MODEL, net->vocabulary, v->X, net->w.of_words, d_v->logits, d_v->X,
                     net->d_w.of_words);
    if (net->way == ROPE || net->way == ALIBI)
        attend_by_distance_backward(net, t, mask);
    else
        multi_head_attention_backward(n, n, &net->w.heads, v->X, v->X, mask, &v->heads,
                                      d_v->attended, &d_v->heads, &net->d_w.heads, d_v->X, d_v->X);
    if (net->way == LEARNED)
        embed_backward(n, LONGEST, D_MODEL, embedding_scale(), t->positions, d_v->X,
                       net->d_w.positions);
    embed_backward(n, net->vocabulary, D_MODEL, embedding_scale(), words, d_v->X, net->d_w.table);
    return sequence_loss(n, net->vocabulary, logits, targets);
}
