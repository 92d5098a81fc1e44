#include "work.h"

#include "fast.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { D = WIDTH_OF_HEAD, LINE = 64, MOST_WEIGHTS = 8192 };

/* --- Memory ---------------------------------------------------------------------------------- */

static float *floats(long count) {
    const size_t size = ((size_t)count * sizeof(float) + LINE - 1) / LINE * LINE;
    float *x = aligned_alloc(LINE, size);
    if (!x) {
        fprintf(
            stderr,
            "There is no memory for another %.0f MB. Try fewer tokens (T) or fewer heads (H).\n",
            (double)size / 1e6);
        exit(2);
    }
    return x;
}

float *random_floats(long count) {
    struct random r = random_seed(1);
    float *x = floats(count);
    for (long i = 0; i < count; i++)
        x[i] = (float)(2.0 * random_uniform(&r) - 1.0);
    return x;
}

struct work work_new(int n_heads, int n, bool causal, int threads) {
    const long rows = (long)n_heads * n, count = rows * D;
    return (struct work){
        .n_heads = n_heads,
        .n = n,
        .threads = threads,
        .causal = causal,
        .Q = random_floats(count),
        .K = random_floats(count),
        .V = random_floats(count),
        .d_out = random_floats(count),
        .out = random_floats(count),
        .lse = random_floats(rows),
        .shared = random_floats(rows),
        .d_Q = random_floats(count),
        .d_K = random_floats(count),
        .d_V = random_floats(count),
        .weights = n <= MOST_WEIGHTS ? floats((long)n * n) : NULL,
        .peer_rows = floats((long)threads * PEER_ROWS * n),
    };
}

void work_free(struct work *w) {
    float *const all[] = {w->Q,      w->K,   w->V,   w->d_out, w->out,     w->lse,
                          w->shared, w->d_Q, w->d_K, w->d_V,   w->weights, w->peer_rows};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* --- Counting and timing ---------------------------------------------------------------------- */

double work_pairs(const struct work *work) {
    const double n = work->n;
    return work->causal ? n * (n + 1.0) / 2.0 : n * n;
}

int work_seen(const struct work *work) {
    return work->causal ? 1 : work->n;
}

double clock_of(int threads) {
    struct timespec now;
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int threads_possible(void) {
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

static double start_clock(const struct work *work) {
#ifdef _OPENMP
    omp_set_num_threads(work->threads);
#endif
    return clock_of(work->threads);
}

static double since(double start, const struct work *work) {
    return clock_of(work->threads) - start;
}

/* --- The peak ------------------------------------------------------------------------ */

/* As many sums as in the kernel, but no loads. */
static const int bare_steps = 200000;

/* volatile, so that the compiler cannot compute the loop in advance. */
static volatile float bare_factor = 1.0f, bare_term = 1e-9f;
static volatile float bare_result;

static void multiply_and_add(void) {
    vec sums[ROWS][VECTORS];
    const vec factor = splat(bare_factor), term = splat(bare_term);
    for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < VECTORS; v++)
            sums[r][v] = splat((float)(r * VECTORS + v));
    int step = 0;
    do
        for (int r = 0; r < ROWS; r++)
            for (int v = 0; v < VECTORS; v++)
                sums[r][v] = sums[r][v] * factor + term;
    while (++step < bare_steps);
    vec all = splat(0.0f);
    for (int r = 0; r < ROWS; r++)
        for (int v = 0; v < VECTORS; v++)
            all += sums[r][v];
    bare_result = all[0];
}

static double run_bare(const struct work *work) {
    const double start = start_clock(work);
#pragma omp parallel for schedule(static, 1)
    for (int thread = 0; thread < work->threads; thread++)
        multiply_and_add();
    return since(start, work);
}

static float sum_of(long count, const float *x) {
    enum { STREAMS = 8 };
    vec sums[STREAMS], all = splat(0.0f);
    for (int s = 0; s < STREAMS; s++)
        sums[s] = splat(0.0f);
    for (long i = 0; i + STREAMS * WIDTH <= count; i += STREAMS * WIDTH)
        for (int s = 0; s < STREAMS; s++)
            sums[s] += load(&x[i + s * WIDTH]);
    for (int s = 0; s < STREAMS; s++)
        all += sums[s];
    return all[0];
}

/* Loads what decoding loads and does nothing else, one head at a time as decoding does. */
static double run_reading(const struct work *work) {
    const double start = start_clock(work);
    const long count = (long)work->n * D;
#pragma omp parallel for schedule(dynamic)
    for (int h = 0; h < work->n_heads; h++)
        bare_result = sum_of(count, &work->K[h * count]) + sum_of(count, &work->V[h * count]);
    return since(start, work);
}

double decode_bytes(const struct work *work) {
    return 2.0 * (double)work->n_heads * work->n * D * sizeof(float);
}

/* --- The versions -------------------------------------------------------------------------------
 */

static double run_naive(const struct work *w) {
    if (!w->weights)
        return (double)NAN;
    const double start = start_clock(w);
    naive_attention(w->n, w->n, D, D, work_seen(w), (void *)w->Q, (void *)w->K, (void *)w->V,
                    (void *)w->weights, (void *)w->out);
    return since(start, w);
}

static double run_ordered(const struct work *w) {
    if (!w->weights)
        return (double)NAN;
    const double start = start_clock(w);
    ordered_attention(w->n, w->n, D, D, work_seen(w), (void *)w->Q, (void *)w->K, (void *)w->V,
                      (void *)w->weights, (void *)w->out);
    return since(start, w);
}

static double run_online(const struct work *w) {
    const double start = start_clock(w);
    online_attention(w->n, w->n, D, D, work_seen(w), (void *)w->Q, (void *)w->K, (void *)w->V,
                     (void *)w->out, w->lse);
    return since(start, w);
}

static double run_tiled(const struct work *w) {
    const double start = start_clock(w);
    tiled_attention(w->n, w->n, D, D, work_seen(w), (void *)w->Q, (void *)w->K, (void *)w->V,
                    (void *)w->out, w->lse);
    return since(start, w);
}

static double run_flash(const struct work *w) {
    const double start = start_clock(w);
    flash_attention(w->n_heads, w->n_heads, w->n, w->n, D, D, work_seen(w), (void *)w->Q,
                    (void *)w->K, (void *)w->V, (void *)w->out, (void *)w->lse);
    return since(start, w);
}

/* The time does not depend on the content of out and lse. */
static double run_backward(const struct work *w) {
    const double start = start_clock(w);
    flash_attention_backward(w->n_heads, w->n_heads, w->n, w->n, D, D, work_seen(w), (void *)w->Q,
                             (void *)w->K, (void *)w->V, (void *)w->out, (void *)w->lse,
                             (void *)w->d_out, (void *)w->shared, (void *)w->d_Q, (void *)w->d_K,
                             (void *)w->d_V);
    return since(start, w);
}

static double run_decoding(const struct work *w) {
    const double start = start_clock(w);
    decode(w->n_heads, w->n_heads, w->n, w->n, D, D, (void *)w->Q, (void *)w->K, (void *)w->V,
           (void *)w->out);
    return since(start, w);
}

const struct runner bare = {"bare multiply-adds", 0, false, run_bare},
                    naive = {"naive", 2, true, run_naive},
                    ordered = {"ordered", 2, true, run_ordered},
                    online = {"online", 2, true, run_online}, tiled = {"tiled", 2, true, run_tiled},
                    flash = {"flash", 2, false, run_flash},
                    backward = {"flash, backward", 5, false, run_backward},
                    decoding = {"decode", 2, false, run_decoding},
                    reading = {"bare read", 0, false, run_reading};

double runner_flops(const struct runner *runner, const struct work *work) {
    if (runner->products == 0)
        return 2.0 * LANES * ROWS * (double)bare_steps * work->threads;
    const int heads = runner->one_head ? 1 : work->n_heads;
    return 2.0 * D * runner->products * work_pairs(work) * heads;
}
