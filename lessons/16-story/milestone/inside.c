#include "inside.h"

#include "dot_product.h"
#include "trainer.h"

#include <stdlib.h>
#include <string.h>

void map_head(struct teller *t, int n, const int words[n], int layer, int head, double map[n][n]) {
    teller_begin(t);
    memset(map, 0, (size_t)n * sizeof *map);
    for (int i = 0; i < n; i++) {
        teller_read(t, words[i]);
        const double(*weights)[i + 1] = t->values.layer[layer].heads.weights;
        memcpy(map[i], weights[head], sizeof weights[head]);
    }
}

void read_losses(struct teller *t, int n, const int words[n], double losses[n - 1]) {
    teller_begin(t);
    for (int i = 0; i + 1 < n; i++) {
        teller_read(t, words[i]);
        losses[i] = surprise_of(t, words[i + 1]);
    }
}

void lens_logits(struct teller *t, int b, double logits[]) {
    const int d = t->sizes.d_model;
    const double(*x)[1][d] = t->values.x;
    double inverse_rms[1], *normed = zeroes(2 * (size_t)d * sizeof *normed), *out = normed + d;
    rms_norm(1, d, x[b], t->w.out_gain, (void *)normed, inverse_rms, (void *)out);
    dot_scores(1, t->sizes.vocabulary, d, (void *)out, t->w.words_out, (void *)logits);
    free(normed);
}
