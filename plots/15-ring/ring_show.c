/* The worked examples of lesson 15, step by step, at the terminal. */
#include "ring_threads.h"

#include "matrix.h"
#include "shade.h"

#include <stdio.h>

/* --- Ten tokens on four ranks ------------------------------------------------------------------
 */

static void show_stripes(void) {
    enum { N = 10, RANKS = 4 };
    float words[1][N][1];
    puts("Ten tokens on four ranks\n");
    for (int i = 0; i < N; i++)
        words[0][i][0] = (float)i;
    for (int r = 0; r < RANKS; r++) {
        int m = stripe_length(N, RANKS, r);
        float stripe[N];
        take_stripe(1, N, m, 1, RANKS, r, words, (void *)stripe);
        printf("  rank %d has the tokens", r);
        for (int i = 0; i < m; i++)
            printf(" %.0f", (double)stripe[i]);
        puts("");
    }
    puts("\n  seen under a causal mask (rows: rank of the queries, columns: rank of the keys)\n");
    for (int q = 0; q < RANKS; q++) {
        printf("  ");
        for (int k = 0; k < RANKS; k++)
            printf("%4d", stripe_seen(true, stripe_length(N, RANKS, k), q, k));
        puts("");
    }
}

/* --- Two ranks with half of the keys each ------------------------------------------------------
 */

static const float scores[] = {1, 2, 5, 0}, values[] = {10, 20, 30, 40};

/* The attention of one query over n keys. */
static void attend_to_keys(int n, const float *score, const float *value, float out[1][1],
                           float lse[1]) {
    const float query[1][1][1] = {{{1}}};
    flash_attention(1, 1, 1, n, 1, 1, n, query, (const void *)score, (const void *)value,
                    (void *)out, (void *)lse);
}

static void show_merge(void) {
    float out[1][1], lse[1], part[1][1], part_lse[1];
    attend_to_keys(2, scores, values, out, lse);
    attend_to_keys(2, scores + 2, values + 2, part, part_lse);
    printf("\nScores 1, 2 | 5, 0 and values 10, 20 | 30, 40\n\n");
    printf("  first two keys   output %8.4f   log-sum-exp %7.4f\n", (double)out[0][0],
           (double)lse[0]);
    printf("  last two keys           %8.4f               %7.4f\n", (double)part[0][0],
           (double)part_lse[0]);
    merge_partial(1, 1, part, part_lse, out, lse);
    printf("  merged                  %8.4f               %7.4f\n", (double)out[0][0],
           (double)lse[0]);
}

/* --- The same as a ring ------------------------------------------------------------------------
 */

enum { WORDS = 4 };
static float given_back[WORDS];

static void be_a_rank(struct ring *ring, void *unused) {
    const float ones[WORDS] = {1, 1, 1, 1};
    int n = WORDS, ranks = ring->ranks, rank = ring->rank, m = stripe_length(n, ranks, rank);
    int size = block_floats(1, stripe_length(n, ranks, 0), 1, 1);
    float K[WORDS], V[WORDS], kv[4 * WORDS], part[WORDS], part_lse[WORDS], out[WORDS], lse[WORDS];
    take_stripe(1, n, m, 1, ranks, rank, (const void *)scores, (void *)K);
    take_stripe(1, n, m, 1, ranks, rank, (const void *)values, (void *)V);
    ring_attention(ring, false, 1, 1, n, m, 1, 1, size, (const void *)ones, (const void *)K,
                   (const void *)V, (void *)kv, (void *)part, (void *)part_lse, (void *)out,
                   (void *)lse);
    put_stripe(1, n, m, 1, ranks, rank, (const void *)out, (void *)given_back);
}

static void show_ring(void) {
    puts("\nThe same four tokens in a ring, where every query is 1\n");
    for (int ranks = 1; ranks <= WORDS; ranks++) {
        struct ring_threads threads = {.ranks = ranks, .work = be_a_rank};
        ring_run(&threads);
        printf("  %d %s: %8.4f %8.4f %8.4f %8.4f   %.0f floats sent by rank 0 %s\n", ranks,
               ranks == 1 ? "rank " : "ranks", (double)given_back[0], (double)given_back[1],
               (double)given_back[2], (double)given_back[3], threads.rank[0].floats_sent,
               threads.problem);
    }
}

/* --- A thousand machines -----------------------------------------------------------------------
 */

static void show_machines(void) {
    const struct machine fast = {150e9, 2e-6, 1.25e9}, slow = {150e9, 2e-6, 1.25e8};
    puts("\nSeconds for a million tokens, 8 heads of 64, causal mask, 150 GFLOP/s\n");
    puts("  machines      10 Gbit/s    1 Gbit/s");
    for (int ranks = 1; ranks <= 1000; ranks *= 10)
        printf("  %8d  %13.2f %11.2f\n", ranks, ring_seconds(fast, true, 8, 8, 1e6, 64, 64, ranks),
               ring_seconds(slow, true, 8, 8, 1e6, 64, 64, ranks));
}

int main(void) {
    show_stripes();
    show_merge();
    show_ring();
    show_machines();
    return 0;
}
