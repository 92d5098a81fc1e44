#include "tower.h"

#include "positions.h"
#include "self_attention.h"

#include <math.h>
#include <stddef.h>

const char *const arrangement_names[ARRANGEMENTS] = {
    "bare", "norm only", "residual only", "post-norm", "pre-norm",
};

/* --- Parameters and values ------------------------------------------------------------------- */

static double places[WORDS][D_MODEL];

struct tower take_tower(struct room *room, enum arrangement arrangement, int depth) {
    struct tower w = {.arrangement = arrangement, .depth = depth};
    w.words = take(room, WORDS * D_MODEL);
    for (int l = 0; l < depth; l++)
        w.layers[l] = take_attention_layer(room, D_MODEL, HEADS);
    w.answers = take(room, D_MODEL * WORDS);
    return w;
}

struct tower_values take_tower_values(struct room *room, const struct tower *w) {
    struct tower_values v;
    for (int l = 0; l <= w->depth; l++)
        v.X[l] = take(room, WORDS * D_MODEL);
    for (int l = 0; l < w->depth; l++)
        v.layers[l] = take_attention_layer_values(room, &w->layers[l], WORDS, WORDS);
    v.logits = take(room, WORDS * WORDS);
    return v;
}

static void draw(int count, double size, struct random *r, double numbers[count]) {
    random_fill_normal(r, count, numbers);
    for (int i = 0; i < count; i++)
        numbers[i] *= size / sqrt(D_MODEL);
}

void tower_draw_places(struct random *r) {
    random_fill_normal(r, WORDS * D_MODEL, places);
}

void tower_start(const struct tower *w, double size, struct random *r) {
    draw(WORDS * D_MODEL, 1.0, r, w->words);
    draw(D_MODEL * WORDS, size, r, w->answers);
    for (int l = 0; l < w->depth; l++) {
        const struct attention_layer *layer = &w->layers[l];
        void *matrices[] = {layer->heads.W_q, layer->heads.W_k, layer->heads.W_v, layer->heads.W_o};
        for (int m = 0; m < 4; m++)
            draw(D_MODEL * D_MODEL, size, r, matrices[m]);
        for (int c = 0; c < D_MODEL; c++) {
            layer->gain[c] = 1.0;
            layer->bias[c] = 0.0;
        }
    }
}

/* --- One layer ------------------------------------------------------------------------------- */

/* norm(X + heads(X)). The sum is stored in v->scaled, where attention_layer() stores the output of
   its norm. */
static void norm_after(const struct attention_layer *w, const double X[WORDS][D_MODEL],
                       struct attention_layer_values *v, double out[WORDS][D_MODEL]) {
    multi_head_attention(WORDS, WORDS, &w->heads, X, X, NULL, &v->heads, v->scaled);
    add_rows(WORDS, D_MODEL, X, v->scaled);
    layer_norm(WORDS, D_MODEL, v->scaled, w->gain, w->bias, v->normed, v->inverse_std, out);
}

static void norm_after_backward(const struct attention_layer *w, const double X[WORDS][D_MODEL],
                                const struct attention_layer_values *v,
                                const double d_out[WORDS][D_MODEL],
                                struct attention_layer_values *d_v, struct attention_layer *d_w,
                                double d_X[WORDS][D_MODEL]) {
    layer_norm_backward(WORDS, D_MODEL, w->gain, v->normed, v->inverse_std, d_out, d_w->gain,
                        d_w->bias, d_v->scaled);
    add_rows(WORDS, D_MODEL, d_v->scaled, d_X);
    multi_head_attention_backward(WORDS, WORDS, &w->heads, X, X, NULL, &v->heads, d_v->scaled,
                                  &d_v->heads, &d_w->heads, d_X, d_X);
}

static void climb(enum arrangement arrangement, const struct attention_layer *w,
                  const double X[WORDS][D_MODEL], struct attention_layer_values *v,
                  double out[WORDS][D_MODEL]) {
    switch (arrangement) {
    case NORM_ONLY:
        layer_norm(WORDS, D_MODEL, X, w->gain, w->bias, v->normed, v->inverse_std, v->scaled);
        multi_head_attention(WORDS, WORDS, &w->heads, v->scaled, v->scaled, NULL, &v->heads, out);
        return;
    case NORM_AFTER:
        norm_after(w, X, v, out);
        return;
    case NORM_BEFORE:
        attention_layer(WORDS, WORDS, w, X, NULL, NULL, v, out);
        return;
    default:
        multi_head_attention(WORDS, WORDS, &w->heads, X, X, NULL, &v->heads, out);
        if (arrangement == RESIDUAL_ONLY)
            add_rows(WORDS, D_MODEL, X, out);
    }
}

static void descend(enum arrangement arrangement, const struct attention_layer *w,
                    const double X[WORDS][D_MODEL], const struct attention_layer_values *v,
                    const double d_out[WORDS][D_MODEL], struct attention_layer_values *d_v,
                    struct attention_layer *d_w, double d_X[WORDS][D_MODEL]) {
    switch (arrangement) {
    case NORM_ONLY:
        multi_head_attention_backward(WORDS, WORDS, &w->heads, v->scaled, v->scaled, NULL,
                                      &v->heads, d_out, &d_v->heads, &d_w->heads, d_v->scaled,
                                      d_v->scaled);
        layer_norm_backward(WORDS, D_MODEL, w->gain, v->normed, v->inverse_std, d_v->scaled,
                            d_w->gain, d_w->bias, d_X);
        return;
    case NORM_AFTER:
        norm_after_backward(w, X, v, d_out, d_v, d_w, d_X);
        return;
    case NORM_BEFORE:
        attention_layer_backward(WORDS, WORDS, w, NULL, NULL, v, d_out, d_v, d_w, d_X, NULL);
        return;
    default:
        multi_head_attention_backward(WORDS, WORDS, &w->heads, X, X, NULL, &v->heads, d_out,
                                      &d_v->heads, &d_w->heads, d_X, d_X);
        if (arrangement == RESIDUAL_ONLY)
            add_rows(WORDS, D_MODEL, d_out, d_X);
    }
}

/* --- The whole stack ------------------------------------------------------------------------- */

void tower_climb(const struct tower *w, struct tower_values *v) {
    for (int l = 0; l < w->depth; l++)
        climb(w->arrangement, &w->layers[l], v->X[l], &v->layers[l], v->X[l + 1]);
}

void tower_descend(const struct tower *w, int top, const struct tower_values *v,
                   struct tower_values *d_v, struct tower *d_w) {
    for (int l = top - 1; l >= 0; l--)
        descend(w->arrangement, &w->layers[l], v->X[l], &v->layers[l], d_v->X[l + 1],
                &d_v->layers[l], &d_w->layers[l], d_v->X[l]);
}

void tower_read(const struct tower *w, const int words[WORDS], struct tower_values *v) {
    embed(WORDS, WORDS, D_MODEL, sqrt(D_MODEL), words, w->words, v->X[0]);
    add_rows(WORDS, D_MODEL, places, v->X[0]);
    tower_climb(w, v);
    project(WORDS, D_MODEL, WORDS, v->X[w->depth], w->answers, v->logits);
}

void tower_read_backward(const struct tower *w, const int words[WORDS],
                         const struct tower_values *v, struct tower_values *d_v,
                         struct tower *d_w) {
    project_backward(WORDS, D_MODEL, WORDS, v->X[w->depth], w->answers, d_v->logits,
                     d_v->X[w->depth], d_w->answers);
    tower_descend(w, w->depth, v, d_v, d_w);
    embed_backward(WORDS, WORDS, D_MODEL, sqrt(D_MODEL), words, d_v->X[0], d_w->words);
}
