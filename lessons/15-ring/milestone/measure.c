/* For getloadavg(). */
#define _DEFAULT_SOURCE

#include "measure.h"

#include "columns.h"
#include "memory.h"
#include "random.h"
#include "stripe.h"
#include "trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 8192, QUICK_WORDS = 1024, HEADS = 2, WIDTH_OF_HEAD = 64 };

/* The fastest of several rounds. The time of a round is that of its slowest rank. */
struct pass {
    double seconds, megabytes_sent, share_waited, off;
};
struct measured {
    double memory, load;
    struct pass forward, backward;
    struct machine machine; /* 0 is not known */
};

double memory_of_a_rank(struct ring_mpi *m) {
    return ring_mpi_largest(m, memory_most() / 1048576.0);
}

static struct sequence sequence_wanted(void) {
    return (struct sequence){true, is_short_run() ? QUICK_WORDS : WORDS, HEADS, HEADS,
                             WIDTH_OF_HEAD};
}

/* --- the tokens: each has its own seed, so every rank can draw every token -------------------- */

enum array { OF_Q, OF_K, OF_V, OF_D_OUT };

static void draw_tokens(struct sequence s, enum array which, int m, int ranks, int rank,
                        float rows[s.n_heads][m][s.d]) {
    for (int i = 0; i < m; i++) {
        struct random r = random_seed((uint64_t)(4 * (rank + i * ranks) + (int)which));
        for (int h = 0; h < s.n_heads; h++)
            for (int c = 0; c < s.d; c++)
                rows[h][i][c] = (float)random_normal(&r);
    }
}

static void draw_sequence(struct stripe *s, int ranks, int rank) {
    draw_tokens(s->s, OF_Q, s->m, ranks, rank, s->Q);
    draw_tokens(s->s, OF_K, s->m, ranks, rank, s->K);
    draw_tokens(s->s, OF_V, s->m, ranks, rank, s->V);
    draw_tokens(s->s, OF_D_OUT, s->m, ranks, rank, s->d_out);
}

/* --- time ------------------------------------------------------------------------------------- */

typedef void pass_of(struct ring *ring, struct stripe *s);

static struct pass best_of(struct ring_mpi *m, pass_of *pass, struct stripe *s) {
    const int rounds = is_short_run() ? 2 : 5;
    struct pass best = {.seconds = INFINITY};
    for (int round = 0; round < rounds; round++) {
        m->bytes_sent = m->seconds_waited = 0.0;
        ring_mpi_meet(m);
        double began = seconds();
        pass(&m->ring, s);
        double took = ring_mpi_largest(m, seconds() - began);
        double waited = ring_mpi_largest(m, m->seconds_waited);
        double sent = ring_mpi_largest(m, m->bytes_sent);
        if (took < best.seconds)
            best = (struct pass){took, sent / 1e6, waited / took, NAN};
    }
    return best;
}

/* The time to send one message and receive another at the same time, the best of several. */
static double message_seconds(struct ring_mpi *m, int floats, float *out, float *in) {
    double best = INFINITY;
    for (int round = 0; round < 20; round++) {
        ring_mpi_meet(m);
        double began = seconds();
        m->ring.start(&m->ring, floats, out, floats, in);
        m->ring.wait(&m->ring);
        best = fmin(best, ring_mpi_largest(m, seconds() - began));
    }
    return best;
}

static struct machine machine_of(struct ring_mpi *m, struct stripe *s) {
    struct machine machine = {0};
    if (m->ring.ranks > 1) {
        float *out = s->kv, *in = s->d_kv;
        double large = message_seconds(m, s->size, out, in);
        machine.latency = message_seconds(m, 1, out, in);
        machine.bandwidth = 4.0 * s->size / fmax(large - machine.latency, 1e-9);
    }
    return machine;
}

/* --- comparing the results -------------------------------------------------------------------- */

/* All stripes travel around the ring, and rank 0 copies them into `whole`. `room` is a buffer for
   two stripes. */
static void collect(struct ring *ring, struct sequence s, int m, const float *stripe, float *room,
                    float *whole) {
    int longest = s.n_heads * stripe_length(s.n, ring->ranks, 0) * s.d;
    memcpy(room, stripe, sizeof(float) * (size_t)(s.n_heads * m * s.d));
    for (int step = 0; step < ring->ranks; step++) {
        struct visit v = visit_of(ring, step, s.n);
        float *here = room + step % 2 * longest, *there = room + (step + 1) % 2 * longest;
        if (ring->rank == 0)
            put_stripe(s.n_heads, s.n, v.n_k, s.d, ring->ranks, v.from, (const void *)here,
                       (void *)whole);
        ring->start(ring, s.n_heads * v.n_k * s.d, here, s.n_heads * v.n_coming * s.d, there);
        ring->wait(ring);
    }
}

/* The largest error of x, divided by the largest of the right numbers. */
static double off_by(int n, const float x[n], const float right[n]) {
    double off = 0.0, most = 0.0;
    for (int i = 0; i < n; i++) {
        double far = fabs((double)x[i] - (double)right[i]);
        off = far <= off ? off : far; /* also if it is NaN */
        most = fmax(most, fabs((double)right[i]));
    }
    return off / most;
}

/* Rank 0 computes everything with the functions of lesson 14, and compares. */
static void compare(struct ring_mpi *m, struct stripe *s, struct measured *measured) {
    struct ring alone = {.ranks = 1};
    struct sequence t = s->s;
    bool first = m->ring.rank == 0;
    int all = t.n_heads * t.n * t.d;
    float *whole = first ? zeroes(sizeof(float[all])) : NULL;
    float *room = zeroes(2 * sizeof(float) *
                         (size_t)(t.n_heads * stripe_length(t.n, m->ring.ranks, 0) * t.d));
    struct stripe right = first ? stripe_new(&alone, t) : (struct stripe){0};
    if (first) {
        draw_sequence(&right, 1, 0);
        flash_attention(t.n_heads, t.n_kv_heads, t.n, t.n, t.d, t.d, 1, right.Q, right.K, right.V,
                        right.out, right.lse);
        flash_attention_backward(t.n_heads, t.n_kv_heads, t.n, t.n, t.d, t.d, 1, right.Q, right.K,
                                 right.V, right.out, right.lse, right.d_out, right.shared,
                                 right.d_Q, right.d_K, right.d_V);
    }
    struct {
        const void *mine, *right;
        double *off;
    } const arrays[] = {{s->out, right.out, &measured->forward.off},
                        {s->d_Q, right.d_Q, &measured->backward.off},
                        {s->d_K, right.d_K, &measured->backward.off},
                        {s->d_V, right.d_V, &measured->backward.off}};
    measured->forward.off = measured->backward.off = 0.0;
    for (int i = 0; i < 4; i++) {
        collect(&m->ring, t, s->m, arrays[i].mine, room, whole);
        if (first)
            *arrays[i].off = fmax(*arrays[i].off, off_by(all, whole, arrays[i].right));
    }
    stripe_free(&right);
    free(whole);
    free(room);
}

/* --- printing --------------------------------------------------------------------------------- */

/* A head needs 2 products of n n d multiply-adds forward and 5 backward, and half with the mask. */
static double gigaflops(struct sequence s, double products, double took) {
    return products * 2.0 * s.n_heads * (double)s.n * s.n * s.d / 2.0 / took / 1e9;
}

static void tell_title(FILE *to, struct sequence s) {
    fprintf(to,
            "%d tokens, %d heads of %d dimensions, causal mask, shared among ranks.\n"
            "model: ring_seconds, waits: share in wait(), error: against a single rank.\n"
            "%-22s%8s%8s%8s%8s%8s%9s\n",
            s.n, s.n_heads, s.d, "ranks", "ms", "model", "GFLOP/s", "MB sent", "waits", "error");
}

static void tell_pass(FILE *to, const char *name, struct sequence s, const struct pass *p,
                      double products, double predicted) {
    fprintf(to, "%-22s%8.0f", name, 1000.0 * p->seconds);
    if (predicted > 0.0)
        fprintf(to, "%8.0f", 1000.0 * predicted);
    else
        fprintf(to, "%8s", "-");
    fprintf(to, "%8.0f%8.1f%7.0f%%%9.1g\n", gigaflops(s, products, p->seconds), p->megabytes_sent,
            100.0 * p->share_waited, p->off);
}

/* The operations per second of one rank, from the table. Ranks on the same core share them. */
static double flops_of_one(const char *folder, struct sequence s, int ranks,
                           const struct measured *own) {
    char path[4096], line[1000];
    double rank, took = own->forward.seconds;
    snprintf(path, sizeof path, "%s/ranks.dat", folder);
    FILE *table = ranks > 1 ? fopen(path, "r") : NULL;
    if (table && fgets(line, sizeof line, table) && fscanf(table, "%lf %lf", &rank, &took) != 2)
        took = own->forward.seconds;
    if (table)
        fclose(table);
    double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    return 1e9 * gigaflops(s, 2.0, took) * fmin(1.0, cores / ranks);
}

static void tell(FILE *to, struct sequence s, int ranks, const struct measured *found,
                 double predicted) {
    char name[40];
    if (ranks == 1)
        tell_title(to, s);
    snprintf(name, sizeof name, "%4d  forward", ranks);
    tell_pass(to, name, s, &found->forward, 2.0, predicted);
    tell_pass(to, "      backward", s, &found->backward, 5.0, 0.0);
    fprintf(to, "      memory of a rank %6.0f MB\n", found->memory);
}

FILE *go_on_with(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "a");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void keep(const char *folder, struct sequence s, int ranks, const struct measured *found,
                 double predicted, double flops) {
    FILE *table = go_on_with(folder, "ranks.dat");
    if (ranks == 1)
        fputs("ranks forward backward memory sent sent_back waits predicted flops latency "
              "bandwidth words load off off_back\n",
              table);
    fprintf(table, "%d %g %g %g %g %g %g %g %g %g %g %d %g %g %g\n", ranks, found->forward.seconds,
            found->backward.seconds, found->memory, found->forward.megabytes_sent,
            found->backward.megabytes_sent, found->forward.share_waited, predicted, flops,
            found->machine.latency, found->machine.bandwidth, s.n, found->load, found->forward.off,
            found->backward.off);
    columns_close(table);
    FILE *result = go_on_with(folder, "result.txt");
    tell(result, s, ranks, found, predicted);
    columns_close(result);
}

static double load_now(void) {
    double load = 0.0;
    return getloadavg(&load, 1) == 1 ? load : 0.0;
}

void measure(struct ring_mpi *m, const char *folder) {
    struct sequence s = sequence_wanted();
    struct measured found = {.load = load_now()};
    struct stripe stripe = stripe_new(&m->ring, s);
    if (!stripe.memory) {
        fprintf(stderr, "There is not enough memory for %d tokens.\n", s.n);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    draw_sequence(&stripe, m->ring.ranks, m->ring.rank);
    found.forward = best_of(m, stripe_forward, &stripe);
    found.backward = best_of(m, stripe_backward, &stripe);
    found.memory = memory_of_a_rank(m);
    found.machine = machine_of(m, &stripe);
    compare(m, &stripe, &found);
    stripe_free(&stripe);
    if (m->ring.rank != 0)
        return;
    double flops = flops_of_one(folder, s, m->ring.ranks, &found);
    struct machine machine = {flops, found.machine.latency, fmax(found.machine.bandwidth, 1.0)};
    double predicted = m->ring.ranks == 1 ? 0.0
                                          : ring_seconds(machine, s.causal, s.n_heads, s.n_kv_heads,
                                                         s.n, s.d, s.d, m->ring.ranks);
    if (m->ring.ranks == 1 && found.load > 1.5)
        printf("Other programs are running (load %.1f), so these times are too long.\n",
               found.load);
    tell(stdout, s, m->ring.ranks, &found, predicted);
    keep(folder, s, m->ring.ranks, &found, predicted, flops);
}
