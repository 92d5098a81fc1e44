/* Lesson 15: a sentence that no machine can hold alone.

   Ranks sit in a ring. Each has a stripe of the sentence: queries, keys and values. The keys and
   values go round, from each rank to the next, until every query has asked all of them; what a
   block of keys has to say is merged with what the ones before it have said.

   As in lesson 14, numbers are float, arrays with heads are [n_heads][n][d], and `seen` says who
   looks at whom. Sizes are at most WIDEST; n_heads is a multiple of n_kv_heads; n is at least
   ranks, so that everybody has a word. m is the length of this rank's stripe.

   Outputs come last and start out undefined; they may not overlap the inputs. Room has no content
   that counts, before or after. A function called ..._backward ADDS (+=) into every d_... that is
   not const. */
#ifndef RING_H
#define RING_H

#include "fast.h"

#include <stdbool.h>
#include <string.h>

/* A ring as one of its ranks sees it, with numbers from 0 to ranks - 1. The next of the last is the
   first. What carries the numbers (threads, MPI) is behind the two calls. */
struct ring {
    int rank, ranks;
    /* Begins to send n_out floats to the next rank, and to receive n_in from the one before. The
       call returns at once: until wait() has, `out` must stay as it is, and `in` means nothing. */
    void (*start)(struct ring *ring, int n_out, const float out[n_out], int n_in, float in[n_in]);
    void (*wait)(struct ring *ring); /* until all that was started has come and gone */
    void *engine;
};

/* Words are dealt out like cards: a rank has the words rank, rank + ranks, rank + 2 * ranks, ... of
   n. So many they are. */
int stripe_length(int n, int ranks, int rank);

/* The words of a rank, out of all of them; and back to their places. The others stay. */
void take_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                 const float whole[n_heads][n][d], float stripe[n_heads][m][d]);
void put_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                const float stripe[n_heads][m][d], float whole[n_heads][n][d]);

/* Lesson 14's `seen` for the queries of one rank and the n_k keys of another. If it is causal, a
   word sees itself and those before it in the whole sentence. */
int stripe_seen(bool causal, int n_k, int query_rank, int key_rank);

/* How many keys n_q queries see, all together: the work of a block. */
double visible_pairs(int n_q, int n_k, int seen);

/* Merges what rows have heard from some keys, `part`, into what they have heard from others, `out`,
   by the log-sum-exp of each: out and lse are read, and become those of both together. A row that
   has seen nobody has 0 and -INFINITY, on either side, and counts for nothing; a NaN shows. */
void merge_partial(int rows, int d_v, const float part[rows][d_v], const float part_lse[rows],
                   float out[rows][d_v], float lse[rows]);

/* The floats of a block that goes round: K as [n_kv_heads][n][d_k], and V behind it. */
int block_floats(int n_kv_heads, int n, int d_k, int d_v);

/* These are given. Which block a rank has after so many steps round the ring: whose it is, of how
   many words, and of how many the next one is that comes. */
struct visit {
    int from, n_k, n_coming;
};
static inline struct visit visit_of(const struct ring *ring, int step, int n) {
    int from = (ring->rank - step + ring->ranks) % ring->ranks;
    int before = (from - 1 + ring->ranks) % ring->ranks;
    return (struct visit){from, stripe_length(n, ring->ranks, from),
                          stripe_length(n, ring->ranks, before)};
}

/* K, and V behind it. */
static inline void pack_block(int n_kv_heads, int n, int d_k, int d_v,
                              const float K[n_kv_heads][n][d_k], const float V[n_kv_heads][n][d_v],
                              float *block) {
    memcpy(block, K, sizeof(float[n_kv_heads][n][d_k]));
    memcpy(block + n_kv_heads * n * d_k, V, sizeof(float[n_kv_heads][n][d_v]));
}

/* x += y */
static inline void add_floats(int n, const float y[n], float x[n]) {
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

/* What flash_attention() gives for the whole sentence, this rank's rows of it. size is
   block_floats() of the longest stripe, that of rank 0. A rank sends ranks - 1 blocks, each with
   the block_floats() of its own words and no more. It attends to a block between start() and
   wait(), so that the message travels while the rank works. */
void ring_attention(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n, int m,
                    int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                    const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                    float kv[2][size],                                       /* room */
                    float part[n_heads][m][d_v], float part_lse[n_heads][m], /* room */
                    float out[n_heads][m][d_v], float lse[n_heads][m]);

/* Its way back. The blocks go round as before, and the gradient of each follows one step behind it:
   it is at home after `ranks` steps, one more than its block makes. Here, too, a rank works between
   start() and wait(); only the last wait() has no work before it. */
void ring_attention_backward(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n,
                             int m, int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                             const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                             const float out[n_heads][m][d_v], const float lse[n_heads][m],
                             const float d_out[n_heads][m][d_v], float kv[2][size],
                             float d_kv[2][size], float part[size],
                             float shared[n_heads][m], /* room */
                             float d_Q[n_heads][m][d_k], float d_K[n_kv_heads][m][d_k],
                             float d_V[n_kv_heads][m][d_v]);

/* How many flops a second a rank does, the seconds before a message begins to arrive, and the bytes
   a second that then come. */
struct machine {
    double flops, latency, bandwidth;
};

/* How long ring_attention() takes. A step computes 2 flops for each number of a key and of a
   value, for each query of each head, half of them if causal; meanwhile the next block comes, 4
   bytes a float. The slower of the two sets the pace of all steps but the last, which has
   nothing to wait for. A rank has n / ranks words. */
double ring_seconds(struct machine machine, bool causal, int n_heads, int n_kv_heads, double n,
                    int d_k, int d_v, int ranks);

#endif
