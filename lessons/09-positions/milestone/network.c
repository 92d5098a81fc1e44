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

/* --- The weights ----------------------------------------------------------------------------- */

static struct weights take_weights(struct room *room, int n_heads, int vocabulary) {
    struct weights w;
    w.table = take(room, vocabulary * D_MODEL);
    w.places = take(room, LONGEST * D_MODEL);
    w.heads = take_multi_head(room, D_MODEL, n_heads, n_heads, D_MODEL / n_heads);
    w.of_words = take(room, D_MODEL * vocabulary);
    w.of_heads = take(room, D_MODEL * vocabulary);
    return w;
}

/* A word is looked up times this, which makes its numbers about as large as a wave's. */
static double read_scale(void) {
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

/* --- What is computed on the way ------------------------------------------------------------- */

/* The values of a pass over n words, of whom the last n_q ask; or their gradients. */
struct values {
    void *X, *P; /* [n][D_MODEL]: words with their places, and the places */
    struct multi_head_values heads;
    void *turned_Q, *turned_K; /* as Q and K of the heads, where RoPE has turned them */
    void *fetched;             /* [n_q][D_MODEL]: what the heads give */
    void *logits, *of_heads;   /* [n_q][vocabulary]: their sum, and the heads' part of it */
};

static struct values take_values(struct room *room, const struct network *net, int n_q, int n) {
    struct values v;
    v.X = take(room, n * D_MODEL);
    v.P = take(room, n * D_MODEL);
    v.heads = take_multi_head_values(room, &net->w.heads, n_q, n);
    v.turned_Q = take(room, n_q * D_MODEL);
    v.turned_K = take(room, n * D_MODEL);
    v.fetched = take(room, n_q * D_MODEL);
    v.logits = take(room, n_q * net->vocabulary);
    v.of_heads = take(room, n_q * net->vocabulary);
    return v;
}

struct thought {
    struct room room, d_room;
    struct values v, d_v;
    int n_q, n;
    int places[LONGEST]; /* 0, 1, 2, ...: the words of the table of places */
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
        t->places[i] = i;
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

/* --- There ----------------------------------------------------------------------------------- */

static void add(int count, const double *from, double *to) {
    for (int i = 0; i < count; i++)
        to[i] += from[i];
}

/* Two of the ways add something to the words. */
static void read_words(const struct network *net, struct thought *t, const int words[]) {
    struct values *v = &t->v;
    embed(t->n, net->vocabulary, D_MODEL, read_scale(), words, net->w.table, v->X);
    if (net->way == LEARNED)
        embed(t->n, LONGEST, D_MODEL, read_scale(), t->places, net->w.places, v->P);
    if (net->way == SINUSOIDAL)
        sinusoidal_positions(t->n, D_MODEL, 0, v->P);
    if (net->way == LEARNED || net->way == SINUSOIDAL)
        add(t->n * D_MODEL, v->P, v->X);
}

/* NULL where all may look at all. */
static void *mask_of(struct thought *t, bool causal) {
    bool(*mask)[t->n] = (void *)t->mask;
    if (!causal || t->n_q != t->n) /* the last word is allowed them all anyway */
        return NULL;
    causal_mask(t->n, mask);
    return mask;
}

/* Each head turns its queries and its keys. */
static void turn(int n_heads, int d_head, struct thought *t) {
    double(*Q)[t->n_q][d_head] = t->v.heads.Q, (*turned_Q)[t->n_q][d_head] = t->v.turned_Q;
    double(*K)[t->n][d_head] = t->v.heads.K, (*turned_K)[t->n][d_head] = t->v.turned_K;
    for (int h = 0; h < n_heads; h++) {
        rotate(t->n_q, d_head, t->n - t->n_q, Q[h], turned_Q[h]);
        rotate(t->n, d_head, 0, K[h], turned_K[h]);
    }
}

/* Each head charges for distance, by a slope of its own. */
static void attend_charged(int n_heads, int d_head, struct thought *t, const void *mask) {
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

/* Lesson 08's multi_head_attention, opened in the middle: there RoPE turns queries and keys, and
   ALiBi charges. */
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
        attend_charged(n_heads, d_head, t, mask);
    } else {
        turn(n_heads, d_head, t);
        attend_heads(t->n_q, t->n, n_heads, n_heads, d_head, t->v.turned_Q, t->v.turned_K, v->V,
                     mask, v->weights, v->heads);
    }
    merge_heads(t->n_q, n_heads, d_head, v->heads, v->rows_out);
    project(t->n_q, D_MODEL, D_MODEL, v->rows_out, w->W_o, t->v.fetched);
}

void *network_think(const struct network *net, int n_q, int n, const int words[n], bool causal,
                    struct thought *t) {
    t->n_q = n_q;
    t->n = n;
    t->room.used = 0;
    t->v = take_values(&t->room, net, n_q, n);
    double(*X)[D_MODEL] = t->v.X, (*asking)[D_MODEL] = X + n - n_q;
    void *mask = mask_of(t, causal);
    read_words(net, t, words);
    if (net->way == ROPE || net->way == ALIBI)
        attend_by_distance(net, t, mask);
    else
        multi_head_attention(n_q, n, &net->w.heads, asking, X, mask, &t->v.heads, t->v.fetched);
    project(n_q, D_MODEL, net->vocabulary, asking, net->w.of_words, t->v.logits);
    project(n_q, D_MODEL, net->vocabulary, t->v.fetched, net->w.of_heads, t->v.of_heads);
    add(n_q * net->vocabulary, t->v.of_heads, t->v.logits);
    return t->v.logits;
}

/* --- And back -------------------------------------------------------------------------------- */

static void turn_back(int n_heads, int d_head, struct thought *t) {
    int n = t->n;
    double(*d_turned_Q)[n][d_head] = t->d_v.turned_Q, (*d_Q)[n][d_head] = t->d_v.heads.Q;
    double(*d_turned_K)[n][d_head] = t->d_v.turned_K, (*d_K)[n][d_head] = t->d_v.heads.K;
    for (int h = 0; h < n_heads; h++) {
        rotate_backward(n, d_head, 0, d_turned_Q[h], d_Q[h]);
        rotate_backward(n, d_head, 0, d_turned_K[h], d_K[h]);
    }
}

/* A charge that is not learned adds nothing: ALiBi's way back is lesson 08's. */
static void attend_by_distance_backward(const struct network *net, struct thought *t,
                                        const void *mask) {
    int n = t->n, n_heads = net->w.heads.n_heads, d_head = net->w.heads.d_head;
    bool turned = net->way == ROPE;
    struct values *v = &t->v, *d_v = &t->d_v;
    const struct multi_head *w = &net->w.heads, *d_w = &net->d_w.heads;
    project_backward(n, D_MODEL, D_MODEL, v->heads.rows_out, w->W_o, d_v->fetched,
                     d_v->heads.rows_out, d_w->W_o);
    merge_heads_backward(n, n_heads, d_head, d_v->heads.rows_out, d_v->heads.heads);
    attend_heads_backward(n, n, n_heads, n_heads, d_head, turned ? v->turned_Q : v->heads.Q,
                          turned ? v->turned_K : v->heads.K, v->heads.V, mask, v->heads.weights,
                          d_v->heads.heads, turned ? d_v->turned_Q : d_v->heads.Q,
                          turned ? d_v->turned_K : d_v->heads.K, d_v->heads.V);
    if (turned)
        turn_back(n_heads, d_head, t);
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
    project_backward(n, D_MODEL, net->vocabulary, v->fetched, net->w.of_heads, d_v->logits,
                     d_v->fetched, net->d_w.of_heads);
    project_backward(n, D_MODEL, net->vocabulary, v->X, net->w.of_words, d_v->logits, d_v->X,
                     net->d_w.of_words);
    if (net->way == ROPE || net->way == ALIBI)
        attend_by_distance_backward(net, t, mask);
    else
        multi_head_attention_backward(n, n, &net->w.heads, v->X, v->X, mask, &v->heads,
                                      d_v->fetched, &d_v->heads, &net->d_w.heads, d_v->X, d_v->X);
    if (net->way == LEARNED)
        embed_backward(n, LONGEST, D_MODEL, read_scale(), t->places, d_v->X, net->d_w.places);
    embed_backward(n, net->vocabulary, D_MODEL, read_scale(), words, d_v->X, net->d_w.table);
    return sequence_loss(n, net->vocabulary, logits, targets);
}
