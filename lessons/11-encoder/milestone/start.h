/* The initialization of the layers of lessons 10 and 11, in this milestone and the later ones:
   matrices N(0, 1 / rows), gains 1, and biases 0. */
#ifndef START_H
#define START_H

#include "encoder.h"

#include "trainer.h"

static inline void start_attention(struct random *r, const struct attention_layer *w) {
    const struct multi_head *h = &w->heads;
    const int d = h->d_model, d_q = h->n_heads * h->d_head, d_kv = h->n_kv_heads * h->d_head;
    fill_ones(d, w->gain);
    draw_weights(r, d, d * d_q, h->W_q);
    draw_weights(r, d, d * d_kv, h->W_k);
    draw_weights(r, d, d * d_kv, h->W_v);
    draw_weights(r, d_q, d_q * d, h->W_o);
}

static inline void start_forward(struct random *r, const struct feed_forward_layer *w) {
    fill_ones(w->d_model, w->gain);
    draw_weights(r, w->d_model, w->d_model * w->d_ff, w->W_1);
    draw_weights(r, w->d_ff, w->d_ff * w->d_model, w->W_2);
}

static inline void start_encoder(struct random *r, const struct encoder_block *w) {
    start_attention(r, &w->self);
    start_forward(r, &w->forward);
}

#endif
