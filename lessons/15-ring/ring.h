/* Lesson 15: attention over one sequence that is shared among several ranks.

   The ranks form a ring. Each rank has the queries, keys and values of its stripe of the sequence.
   The keys and values of a stripe are a block, and blocks travel from each rank to the next, until
   every query has been compared with the keys of all blocks. The results of the blocks are merged.

   As in lesson 14, numbers are float, arrays with heads are [n_heads][n][d], and query i sees the
   first `seen + i` keys. n is the number of tokens in the sequence and m the number of tokens in
   this rank's stripe. n is at least `ranks`, so every rank has a token. d_k and d_v are at most
   WIDEST, and n_heads is a multiple of n_kv_heads.

   Outputs come last, have no defined values before the call and do not overlap the inputs. Buffers
   are memory for intermediate results: their content is undefined before the call and has no
   meaning after it. A function whose name ends in _backward ADDS (+=) to the d_... arrays among its
   last parameters. */
#ifndef RING_H
#define RING_H

#include "fast.h"

#include <stdbool.h>
#include <string.h>

/* The ring as one rank uses it. Ranks are numbered from 0 to ranks - 1, and the rank after the last
   one is rank 0. Threads or MPI carry the messages behind the two functions. */
struct ring {
    int rank, ranks;
    /* Starts to send n_out floats to the next rank and to receive n_in floats from the previous
       one, and returns at once. Until wait() has returned, `out` must not be changed, and the
       content of `in` is undefined. */
    void (*start)(struct ring *ring, int n_out, const float out[n_out], int n_in, float in[n_in]);
    /* Returns when everything that was started has been sent and received. */
    void (*wait)(struct ring *ring);
    void *engine; /* for these two functions only */
};

/* Tokens are distributed like playing cards: a rank has those of the n tokens that have the numbers
   rank, rank + ranks, rank + 2 * ranks and so on. Returns how many these are. */
int stripe_length(int n, int ranks, int rank);

/* take_stripe copies the tokens of a rank from the whole sequence into its stripe. put_stripe
   copies them back to their positions, and does not change the tokens of other ranks. */
void take_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                 const float whole[n_heads][n][d], float stripe[n_heads][m][d]);
void put_stripe(int n_heads, int n, int m, int d, int ranks, int rank,
                const float stripe[n_heads][m][d], float whole[n_heads][n][d]);

/* Lesson 14's `seen` for the queries of one rank and the n_k keys of the same or another one. With
   a causal mask, a token sees itself and all earlier tokens of the whole sequence. */
int stripe_seen(bool causal, int n_k, int query_rank, int key_rank);

/* The number of pairs of a query and a key that it sees, for n_q queries and n_k keys. */
double visible_pairs(int n_q, int n_k, int seen);

/* Merges two results for each query, which has one row. part and part_lse are its output and
   log-sum-exp over one group of keys, and out and lse those over another group. Replaces out and
   lse by the output and log-sum-exp over both groups. If a query saw no key of a group, the output
   of this group is 0 and its log-sum-exp is -INFINITY, so it does not change the result of the
   other group. This is possible for both groups, too. A NaN in either group must remain NaN. */
void merge_partial(int rows, int d_v, const float part[rows][d_v], const float part_lse[rows],
                   float out[rows][d_v], float lse[rows]);

/* The number of floats in a block of n tokens: K as [n_kv_heads][n][d_k], and after it V as
   [n_kv_heads][n][d_v]. */
int block_floats(int n_kv_heads, int n, int d_k, int d_v);

/* Given. Says which block a rank has in this step: `from` is the rank to which the block belongs,
   n_k is its number of tokens, and n_coming is that of the block which comes next. */
struct visit {
    int from, n_k, n_coming;
};
static inline struct visit visit_of(const struct ring *ring, int step, int n) {
    int from = (ring->rank - step + ring->ranks) % ring->ranks;
    int before = (from - 1 + ring->ranks) % ring->ranks;
    return (struct visit){from, stripe_length(n, ring->ranks, from),
                          stripe_length(n, ring->ranks, before)};
}

/* Given. Copies K, and after it V, into a block. */
static inline void pack_block(int n_kv_heads, int n, int d_k, int d_v,
                              const float K[n_kv_heads][n][d_k], const float V[n_kv_heads][n][d_v],
                              float *block) {
    memcpy(block, K, sizeof(float[n_kv_heads][n][d_k]));
    memcpy(block + n_kv_heads * n * d_k, V, sizeof(float[n_kv_heads][n][d_v]));
}

/* Given. x += y */
static inline void add_floats(int n, const float y[n], float x[n]) {
    for (int i = 0; i < n; i++)
        x[i] += y[i];
}

/* Computes this rank's rows of what flash_attention() gives for the whole sequence. size is
   block_floats() of the longest stripe, which is that of rank 0. A rank sends ranks - 1 blocks, and
   each message has exactly as many floats as the block. The rank attends to a block between start()
   and wait(), so that the message travels while the rank computes. kv[0] and kv[1] are arrays of
   `size` floats, and each has space for one block. */
void ring_attention(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n, int m,
                    int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                    const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                    float kv[2][size],                                       /* buffers */
                    float part[n_heads][m][d_v], float part_lse[n_heads][m], /* buffers */
                    float out[n_heads][m][d_v], float lse[n_heads][m]);

/* The backward pass. out and lse are those of the forward pass. The blocks travel as in the forward
   pass, and the gradient of each block follows one step later. It needs `ranks` messages, one more
   than its block, and then it is at the rank to which the block belongs. The arrays from kv to
   shared are buffers: kv and d_kv have space for two blocks each, and part for one. Here, too, a
   rank computes between start() and wait(). Only the last wait() has no computation before it. */
void ring_attention_backward(struct ring *ring, bool causal, int n_heads, int n_kv_heads, int n,
                             int m, int d_k, int d_v, int size, const float Q[n_heads][m][d_k],
                             const float K[n_kv_heads][m][d_k], const float V[n_kv_heads][m][d_v],
                             const float out[n_heads][m][d_v], const float lse[n_heads][m],
                             const float d_out[n_heads][m][d_v], float kv[2][size],
                             float d_kv[2][size], float part[size], float shared[n_heads][m],
                             float d_Q[n_heads][m][d_k], float d_K[n_kv_heads][m][d_k],
                             float d_V[n_kv_heads][m][d_v]);

/* flops is the number of floating-point operations per second that a rank does. latency is the
   number of seconds until a message begins to arrive, and bandwidth the number of bytes per second
   that arrive after that. */
struct machine {
    double flops, latency, bandwidth;
};

/* Predicts the seconds of ring_attention(), with n / ranks tokens per rank, which need not be an
   integer. In each of n_heads heads, each pair of a query and a key needs 2 * (d_k + d_v)
   operations. A causal mask halves this number. At the same time a message brings the next block,
   with 4 bytes per float. A step takes as long as the slower of the two, but the last step needs no
   message. */
double ring_seconds(struct machine machine, bool causal, int n_heads, int n_kv_heads, double n,
                    int d_k, int d_v, int ranks);

#endif
