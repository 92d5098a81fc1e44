/* What the page of lesson 12 shows after: words=7 */
#include "decoder.h"

#include "play.h"

#include <math.h>

enum { D = 8, HEADS = 2, MOST = 12, M = 4, FF = 16, MANY = 7, ROOM = 20000 };

static long long seed = 12;

static void start_heads(const struct attention_layer *w) {
    void *const matrices[] = {w->heads.W_q, w->heads.W_k, w->heads.W_v, w->heads.W_o};
    for (int m = 0; m < 4; m++)
        fill_normal(&seed, D * D, 1 / sqrt(D), matrices[m]);
    for (int c = 0; c < D; c++)
        ((double *)w->gain)[c] = 1;
}

int main(void) {
    static double rooms[6][ROOM], memory[M][D], X[MOST][D], out[1][D], whole[MANY][D];
    bool blocked[MANY][MANY];
    struct decoder_block w = take_decoder_block(&(struct room){rooms[0], 0}, D, HEADS, FF, true);
    start_heads(&w.self);
    start_heads(&w.cross);
    fill_normal(&seed, D * FF, 1 / sqrt(D), w.forward.W_1);
    fill_normal(&seed, FF * D, 1 / sqrt(FF), w.forward.W_2);
    for (int c = 0; c < D; c++)
        w.forward.gain[c] = 1;
    fill_normal(&seed, M * D, 1, memory);
    fill_normal(&seed, MOST * D, 1, X);
    struct cache read = take_cache(&(struct room){rooms[1], 0}, &w.cross.heads, MOST);
    struct cache written = take_cache(&(struct room){rooms[2], 0}, &w.self.heads, MOST);
    struct multi_head_values of_memory =
        take_multi_head_values(&(struct room){rooms[3], 0}, &w.cross.heads, M, M);
    struct decoder_values v = take_decoder_values(&(struct room){rooms[4], 0}, &w, MOST, MOST);
    read.length = written.length = 0;
    cache_rows(M, &w.cross.heads, memory, &of_memory, &read);
    for (int i = 0; i < MANY; i++)
        decoder_block_next(&w, (const double(*)[D])X[i], &read, &written, &v, out);
    for (int i = 0; i < MANY * MANY; i++)
        blocked[i / MANY][i % MANY] = i % MANY > i / MANY;
    v = take_decoder_values(&(struct room){rooms[5], 0}, &w, MANY, M);
    decoder_block(MANY, M, &w, X, memory, blocked, &v, whole);
    for (int i = 0; i < MOST * D / HEADS; i++)
        if (i < MANY * D / HEADS)
            printf("cache %.17g\n", ((double *)written.K)[i]);
        else
            puts("cache not set");
    show_any("steps", 2 * MOST);
    for (int c = 0; c < D; c++)
        show("same", 2, (double[]){out[0][c], whole[MANY - 1][c]});
    return 0;
}
