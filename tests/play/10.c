/* What the page of lesson 10 shows after: depth=5 size=1.3 */
#include "depth.h"

#include "play.h"

#include <math.h>

enum { N = 6, D = 16, HEADS = 4, DEPTH = 5, ROOM = 20000 };

struct layer {
    double weights[ROOM], values[ROOM], X[N][D];
    struct attention_layer w;
    struct attention_layer_values v;
};

static double size_of(const double X[N][D]) {
    double sum = 0;
    for (int i = 0; i < N * D; i++)
        sum += X[i / D][i % D] * X[i / D][i % D];
    return log10(sqrt(sum) / sqrt(N * D));
}

static void start(struct layer *layer, long long *seed) {
    layer->w = take_attention_layer(&(struct room){layer->weights, 0}, D, HEADS);
    layer->v = take_attention_layer_values(&(struct room){layer->values, 0}, &layer->w, N, N);
    void *const matrices[] = {layer->w.heads.W_q, layer->w.heads.W_k, layer->w.heads.W_v,
                              layer->w.heads.W_o};
    for (int m = 0; m < 4; m++)
        fill_normal(seed, D * D, 1.3 / sqrt(D), matrices[m]);
    for (int c = 0; c < D; c++)
        ((double *)layer->w.gain)[c] = 1;
}

static void down(const struct layer *layer, bool both, double d[N][D]) {
    static double rooms[2][ROOM], d_X[N][D], d_source[N][D];
    memset(rooms, 0, sizeof rooms);
    memset(d_X, 0, sizeof d_X);
    memset(d_source, 0, sizeof d_source);
    struct attention_layer d_w = take_attention_layer(&(struct room){rooms[0], 0}, D, HEADS);
    struct attention_layer_values d_v =
        take_attention_layer_values(&(struct room){rooms[1], 0}, &layer->w, N, N);
    if (both)
        attention_layer_backward(N, N, &layer->w, NULL, NULL, &layer->v, (const void *)d, &d_v,
                                 &d_w, d_X, NULL);
    else
        multi_head_attention_backward(N, N, &layer->w.heads, layer->X, layer->X, NULL,
                                      &layer->v.heads, (const void *)d, &d_v.heads, &d_w.heads, d_X,
                                      d_source);
    for (int i = 0; i < N * D; i++)
        d[i / D][i % D] = d_X[i / D][i % D] + d_source[i / D][i % D];
}

int main(void) {
    static struct layer layers[DEPTH];
    double X[N][D], d[N][D], sizes[2][2][DEPTH + 1];
    for (int both = 1; both >= 0; both--) {
        long long seed = 10;
        for (int l = 0; l < DEPTH; l++)
            start(&layers[l], &seed);
        fill_normal(&seed, N * D, 1, X);
        fill_normal(&seed, N * D, 1, d);
        sizes[1][!both][0] = size_of(X);
        sizes[0][!both][0] = size_of(d);
        for (int l = 0; l < DEPTH; l++) {
            memcpy(layers[l].X, X, sizeof X);
            if (both)
                attention_layer(N, N, &layers[l].w, layers[l].X, NULL, NULL, &layers[l].v, X);
            else
                multi_head_attention(N, N, &layers[l].w.heads, layers[l].X, layers[l].X, NULL,
                                     &layers[l].v.heads, X);
            sizes[1][!both][l + 1] = size_of(X);
        }
        for (int l = DEPTH - 1; l >= 0; l--) {
            down(&layers[l], both, d);
            sizes[0][!both][DEPTH - l] = size_of(d);
        }
    }
    show("gradient", 2 * (DEPTH + 1), sizes[0][0]);
    show("rows", 2 * (DEPTH + 1), sizes[1][0]);
    return 0;
}
