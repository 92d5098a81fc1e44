/* What the tests of lesson 15 share: they distribute a sequence to ranks, which are threads, and
   collect the results. */
#ifndef RINGS_H
#define RINGS_H

#include "../passes.h"
#include "ring_threads.h"
#include "unity.h"
#include "work.h"

#include <stdio.h>

/* The arrays of one rank, each at its exact size. */
struct seat {
    int m, size;
    void *Q, *K, *V, *kv, *part, *part_lse, *out, *lse;
    void *d_out, *d_kv, *shared, *d_part, *d_Q, *d_K, *d_V;
};

/* The work of a rank, in basic blocks: all of it, work_done when the rank last continued and when
   it last started a message, and how often it waited with no work since start(). */
struct labour {
    unsigned long all, since, started;
    int idle;
    bool under_way;
};

/* One run: n tokens on several ranks, and the function that each rank calls. */
struct round_trip {
    struct pass whole; /* z.n_q and z.n_k are n */
    bool causal;
    int ranks;
    float held; /* the initial value of the gradients */
    void (*call)(struct ring *ring, struct round_trip *trip, struct seat *s);
    struct seat seat[MOST_RANKS];
    struct labour labour[MOST_RANKS];
    struct ring_threads threads;
};

static inline struct round_trip trip_of(unsigned seed, int ranks, bool causal, struct sizes z) {
    struct random r = random_seed(seed);
    z.n_k = z.n_q;
    z.seen = causal ? 1 : z.n_q;
    return (struct round_trip){.whole = random_pass(z, 1.0, &r), .causal = causal, .ranks = ranks};
}

/* --- distributing tokens --------------------------------------------------------------------- */

static inline int share_of(int n, int ranks, int rank) {
    int m = 0;
    for (int word = rank; word < n; word += ranks)
        m++;
    return m;
}

static inline void *dealt(const char *name, int heads, int n, int d, int ranks, int rank,
                          const void *of_all) {
    const int m = share_of(n, ranks, rank);
    const float(*whole)[n][d] = of_all;
    float(*own)[m][d] = floats_new(name, dims_of(3, heads, m, d, 1));
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < m; i++)
            memcpy(own[h][i], whole[h][rank + i * ranks], sizeof own[h][i]);
    return own;
}

/* Copies the rows of one rank into `of_all`. */
static inline void collect_rows(int heads, int n, int d, int ranks, int rank, const void *stripe,
                                void *of_all) {
    const int m = share_of(n, ranks, rank);
    const float(*own)[m][d] = stripe;
    float(*whole)[n][d] = of_all;
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < m; i++)
            memcpy(whole[h][rank + i * ranks], own[h][i], sizeof own[h][i]);
}

/* The results of all ranks in one array. */
static inline void *of_all_ranks(const struct round_trip *t, const char *name, int heads, int d,
                                 size_t member) {
    const int n = t->whole.z.n_q;
    void *whole = floats_new(name, dims_of(3, heads, n, d, 1));
    for (int r = 0; r < t->ranks; r++) {
        void *const *stripe = (void *const *)((const char *)&t->seat[r] + member);
        collect_rows(heads, n, d, t->ranks, r, *stripe, whole);
    }
    return whole;
}
#define OF_ALL_RANKS(trip, member, heads, d)                                                       \
    of_all_ranks(trip, #member, heads, d, offsetof(struct seat, member))

/* "Correct ranks (of 3): 0, 2. ", for the next BECAUSE. */
static inline const char *ranks_right(const struct round_trip *t, int heads, int d,
                                      const double *right, const float *all, double tolerance) {
    static char text[120];
    const int n = t->whole.z.n_q;
    char list[80] = "";
    for (int r = 0; r < t->ranks; r++) {
        bool good = true;
        for (int i = 0; i < heads * n * d; i++)
            good = good && (i / d % n % t->ranks != r || (double)all[i] == right[i] ||
                            fabs((double)all[i] - right[i]) <= tolerance);
        if (good)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", *list ? ", " : "", r);
    }
    snprintf(text, sizeof text, "Correct ranks (of %d): %s. ", t->ranks, *list ? list : "none");
    return t->ranks > 1 ? text : "";
}

static inline void expect_inputs_kept(int line, const struct round_trip *t) {
    const struct sizes *z = &t->whole.z;
    const struct dims q = of_queries(z, z->d_k), k = of_keys(z, z->d_k), v = of_keys(z, z->d_v);
    const float *Q = OF_ALL_RANKS(t, Q, z->heads, z->d_k);
    const float *K = OF_ALL_RANKS(t, K, z->kv_heads, z->d_k);
    const float *V = OF_ALL_RANKS(t, V, z->kv_heads, z->d_v);
    expect_floats(line, "Q", q, widened("of_the_test", q, t->whole.Q), Q, 0.0);
    expect_floats(line, "K", k, widened("of_the_test", k, t->whole.K), K, 0.0);
    expect_floats(line, "V", v, widened("of_the_test", v, t->whole.V), V, 0.0);
}
#define EXPECT_INPUTS_KEPT(trip) expect_inputs_kept(__LINE__, trip)

/* --- one rank -------------------------------------------------------------------------------- */

static inline struct seat seat_of(const struct round_trip *t, int rank) {
    const struct sizes *z = &t->whole.z;
    const int n = z->n_q, m = share_of(n, t->ranks, rank), longest = share_of(n, t->ranks, 0);
    const int size = z->kv_heads * longest * (z->d_k + z->d_v);
    return (struct seat){
        .m = m,
        .size = size,
        .Q = dealt("Q", z->heads, n, z->d_k, t->ranks, rank, t->whole.Q),
        .K = dealt("K", z->kv_heads, n, z->d_k, t->ranks, rank, t->whole.K),
        .V = dealt("V", z->kv_heads, n, z->d_v, t->ranks, rank, t->whole.V),
        .kv = floats_new("kv", dims_of(2, 2, size, 1, 1)),
        .part = floats_new("part", dims_of(3, z->heads, m, z->d_v, 1)),
        .part_lse = floats_new("part_lse", dims_of(2, z->heads, m, 1, 1)),
        .out = floats_new("out", dims_of(3, z->heads, m, z->d_v, 1)),
        .lse = floats_new("lse", dims_of(2, z->heads, m, 1, 1)),
    };
}

static inline void call_forward(struct ring *ring, struct round_trip *t, struct seat *s) {
    const struct sizes *z = &t->whole.z;
    ring_attention(ring, t->causal, z->heads, z->kv_heads, z->n_q, s->m, z->d_k, z->d_v, s->size,
                   s->Q, s->K, s->V, s->kv, s->part, s->part_lse, s->out, s->lse);
}

static inline void call_backward(struct ring *ring, struct round_trip *t, struct seat *s) {
    const struct sizes *z = &t->whole.z;
    ring_attention_backward(ring, t->causal, z->heads, z->kv_heads, z->n_q, s->m, z->d_k, z->d_v,
                            s->size, s->Q, s->K, s->V, s->out, s->lse, s->d_out, s->kv, s->d_kv,
                            s->d_part, s->shared, s->d_Q, s->d_K, s->d_V);
}

/* Adds the inputs of the backward pass. out and lse come from a correct forward pass, not from the
   student's. */
static inline void add_backward_inputs(const struct round_trip *t, int rank, struct seat *s) {
    const struct pass *p = &t->whole;
    const struct sizes *z = &p->z;
    float *out = floats_new("of_the_test", of_queries(z, z->d_v));
    float *lse = floats_new("of_the_test", of_rows(z));
    for (int i = 0; i < dims_count(of_queries(z, z->d_v)); i++)
        out[i] = (float)p->out[i];
    for (int i = 0; i < dims_count(of_rows(z)); i++)
        lse[i] = (float)p->lse[i];
    s->out = dealt("out", z->heads, z->n_q, z->d_v, t->ranks, rank, out);
    s->lse = dealt("lse", z->heads, z->n_q, 1, t->ranks, rank, lse);
    s->d_out = dealt("d_out", z->heads, z->n_q, z->d_v, t->ranks, rank, p->d_out);
    s->d_kv = floats_new("d_kv", dims_of(2, 2, s->size, 1, 1));
    s->d_part = floats_new("part", dims_of(1, s->size, 1, 1, 1));
    s->shared = floats_new("shared", dims_of(2, z->heads, s->m, 1, 1));
    s->d_Q = floats_filled("d_Q", dims_of(3, z->heads, s->m, z->d_k, 1), t->held);
    s->d_K = floats_filled("d_K", dims_of(3, z->kv_heads, s->m, z->d_k, 1), t->held);
    s->d_V = floats_filled("d_V", dims_of(3, z->kv_heads, s->m, z->d_v, 1), t->held);
}

/* --- all of them ----------------------------------------------------------------------------- */

static inline struct labour *labour_of(struct ring *ring) {
    struct round_trip *t = threads_of(ring)->about;
    return &t->labour[ring->rank];
}

static inline void counted_start(struct ring *ring, int n_out, const float out[n_out], int n_in,
                                 float in[n_in]) {
    labour_of(ring)->started = work_done;
    labour_of(ring)->under_way = true;
    start_in_threads(ring, n_out, out, n_in, in);
}

/* Attending to a block takes thousands of basic blocks, adding one block to another about a
   hundred. While a rank waits, other ranks run. */
static inline void counted_wait(struct ring *ring) {
    enum { LITTLE = 300 };
    struct labour *l = labour_of(ring);
    l->all += work_done - l->since;
    l->idle += l->under_way && work_done - l->started < LITTLE;
    l->under_way = false;
    wait_in_threads(ring);
    l->since = work_done;
}

/* A failed assertion in a rank ends that rank, because Unity jumps within its thread. */
static inline void run_seat(struct ring *ring, void *about) {
    struct round_trip *t = about;
    ring->start = counted_start;
    ring->wait = counted_wait;
    *labour_of(ring) = (struct labour){.since = work_done};
    if (TEST_PROTECT())
        t->call(ring, t, &t->seat[ring->rank]);
    else
        ring_stop(ring);
}

/* The rule of ring.h that the ranks have broken. */
static inline const char *rule_of(const char *problem) {
    static const char *const rules[][2] = {
        {"expects", "The next rank must receive exactly as many floats as this one sends. The "
                    "stripes of two ranks may differ by one token."},
        {"changed", "Between start() and wait() the sent array must not change."},
        {"into", "The received array must not overlap the sent one."},
        {"waits", "A message takes a start() of the rank that sends it and one of the next rank, "
                  "and both must wait for it."},
        {"", "Each start() needs a wait()."}};
    int i = 0;
    while (!strstr(problem, rules[i][0]))
        i++;
    return rules[i][1];
}

/* Problems between ranks are reported first. */
static inline void go_round(int line, struct round_trip *t) {
    struct UNITY_STORAGE_T *unity = &Unity;
    char frame[sizeof unity->AbortFrame];
    memcpy(frame, &unity->AbortFrame, sizeof frame);
    t->threads = (struct ring_threads){.ranks = t->ranks,
                                       .work = run_seat,
                                       .about = t,
                                       .own = &unity->AbortFrame,
                                       .own_size = sizeof unity->AbortFrame};
    ring_run(&t->threads);
    memcpy(&unity->AbortFrame, frame, sizeof frame);
    if (unity->CurrentTestFailed || unity->CurrentTestIgnored)
        TEST_ABORT();
    BECAUSE("%s", rule_of(t->threads.problem));
    expect_that(line, !*t->threads.problem, "%s", t->threads.problem);
}

/* Checks that messages overlap with computation: at most `most` waits directly follow a start(). */
static inline void expect_overlap(int line, const struct round_trip *t, int most) {
    for (int r = 0; r < t->ranks; r++) {
        const struct labour *l = &t->labour[r];
        BECAUSE("Computation and message do not overlap here, so a step takes as long as both "
                "together. A rank should compute between start() and wait().");
        expect_that(line, l->idle <= most || l->all == 0,
                    "rank %d waits %d times directly after start()", r, l->idle);
    }
}
#define EXPECT_OVERLAP(trip, most) expect_overlap(__LINE__, trip, most)

static inline struct round_trip *went_round(int line, struct round_trip *t) {
    for (int r = 0; r < t->ranks; r++)
        t->seat[r] = seat_of(t, r);
    t->call = call_forward;
    go_round(line, t);
    return t;
}
#define WENT_ROUND(trip) went_round(__LINE__, trip)

static inline struct round_trip *went_back(int line, struct round_trip *t) {
    for (int r = 0; r < t->ranks; r++) {
        t->seat[r] = seat_of(t, r);
        add_backward_inputs(t, r, &t->seat[r]);
    }
    t->call = call_backward;
    obvious_back(&t->whole);
    go_round(line, t);
    return t;
}
#define WENT_BACK(trip) went_back(__LINE__, trip)

#endif
