#include "peers.h"

#include "fast.h"

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { D = WIDTH_OF_HEAD };

/* --- OpenBLAS -------------------------------------------------------------------------------- */

enum { BY_ROWS = 101, AS_IT_IS = 111, TRANSPOSED = 112 };
typedef void sgemm_function(int order, int transpose_a, int transpose_b, int rows, int cols,
                            int summed, float alpha, const float *a, int d_a, const float *b,
                            int d_b, float beta, float *c, int d_c);
static sgemm_function *sgemm;
static char openblas_name[80];

/* dlsym returns functions as void *, and C has no such conversion. */
static void find_function(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

/* A version that is older than the processor chooses kernels for a simple one, and the user may
   have set something else. A fair comparison needs the fastest kernels. */
static void choose_kernels(void) {
#if defined __AVX512F__
    setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
#elif defined __AVX2__
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
#endif
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* the threads are ours */
    unsetenv("OPENBLAS_L2_SIZE");
}

static void find_openblas(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libopenblas.dylib"};
    void *library = NULL;
    char *(*config)(void) = NULL, *(*core)(void) = NULL;
    choose_kernels();
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library)
        return;
    find_function(library, "cblas_sgemm", &sgemm);
    find_function(library, "openblas_get_config", &config);
    find_function(library, "openblas_get_corename", &core);
    if (config && core)
        snprintf(openblas_name, sizeof openblas_name, "%.15s, %.20s", config(), core());
}

const char *openblas_version(void) {
    return sgemm ? openblas_name : NULL;
}

/* Computes weights that are not yet divided by their sum, and returns the sum. */
static float soften_scores(int n, int visible, float scores[n]) {
    vec max = splat(-FLT_MAX), sum = splat(0.0f);
    float largest = -FLT_MAX, total = 0.0f;
    for (int j = visible; j < n; j++)
        scores[j] = -INFINITY;
    for (int j = 0; j < n; j += WIDTH)
        max = larger(max, load(&scores[j]));
    for (int l = 0; l < WIDTH; l++)
        largest = fmaxf(largest, max[l]);
    for (int j = 0; j < n; j += WIDTH) {
        const vec weight = exp2_lanes(load(&scores[j]) - largest);
        sum += weight;
        store(weight, &scores[j]);
    }
    for (int l = 0; l < WIDTH; l++)
        total += sum[l];
    return total;
}

/* At most PEER_ROWS queries of one head. Rows are as long as the last query sees, up to whole
 * vectors. */
static void openblas_rows(const struct work *w, int head, int from, float *scores) {
    const long first = (long)head * w->n;
    const int rows = least(PEER_ROWS, w->n - from);
    const int seen = work_seen(w) + from;
    const int n = least((visible(w->n, seen, rows - 1) + WIDTH - 1) / WIDTH * WIDTH, w->n);
    float *out = &w->out[(first + from) * D];
    sgemm(BY_ROWS, AS_IT_IS, TRANSPOSED, rows, n, D, LOG2_E * scale_of(D),
          &w->Q[(first + from) * D], D, &w->K[first * D], D, 0.0f, scores, n);
    float factor[PEER_ROWS];
    for (int i = 0; i < rows; i++)
        factor[i] = 1.0f / soften_scores(n, visible(w->n, seen, i), &scores[(long)i * n]);
    sgemm(BY_ROWS, AS_IT_IS, AS_IT_IS, rows, D, n, 1.0f, scores, n, &w->V[first * D], D, 0.0f, out,
          D);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < D; c++)
            out[i * D + c] *= factor[i];
}

static float *rows_of_thread(const struct work *w) {
#ifdef _OPENMP
    return &w->peer_rows[(long)omp_get_thread_num() * PEER_ROWS * w->n];
#else
    return w->peer_rows;
#endif
}

static double run_openblas(const struct work *w) {
    if (!sgemm || w->n % WIDTH != 0)
        return (double)NAN;
#ifdef _OPENMP
    omp_set_num_threads(w->threads);
#endif
    const double start = clock_of(w->threads);
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int h = 0; h < w->n_heads; h++)
        for (int from = 0; from < w->n; from += PEER_ROWS)
            openblas_rows(w, h, from, rows_of_thread(w));
    return clock_of(w->threads) - start;
}

/* --- PyTorch --------------------------------------------------------------------------------- */

/* The other process reads a line with the task and writes a line with the seconds. */
static const char torch_program[] =
    "import math, sys, time, torch\n"
    "fused = getattr(torch.nn.functional, 'scaled_dot_product_attention', None)\n"
    "print(torch.__version__.split('+')[0], 'SDPA' if fused else 'matmul', flush=True)\n"
    "have = None\n"
    "def attend():\n"
    "    if fused:\n"
    "        return fused(q, k, v, is_causal=bool(causal))\n"
    "    scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(d))\n"
    "    if causal:\n"
    "        scores = scores.masked_fill(hidden, -math.inf)\n"
    "    return scores.softmax(-1) @ v\n"
    "for line in sys.stdin:\n"
    "    heads, n, d, causal, threads, backward = want = tuple(map(int, line.split()))\n"
    "    clock = time.thread_time if threads == 1 else time.perf_counter\n"
    "    if want != have:\n"
    "        torch.set_num_threads(threads)\n"
    "        q, k, v, d_out = (torch.rand(1, heads, n, d) * 2 - 1 for _ in range(4))\n"
    "        hidden = torch.ones(n, n, dtype=torch.bool).triu(1) if causal and not fused else "
    "None\n"
    "        for x in (q, k, v):\n"
    "            x.requires_grad_(bool(backward))\n"
    "        have = want\n"
    "    start = clock()\n"
    "    out = attend()\n"
    "    if backward:\n"
    "        start = clock()\n"
    "        out.backward(d_out)\n"
    "    print(clock() - start, flush=True)\n"
    "    del out\n";

static FILE *to_torch, *from_torch;
static char torch_name[80];

/* Starts it as a child, which ends with us because its input ends. Returns false without pipes. */
static bool start_torch(const char *python) {
    int questions[2], answers[2];
    if (pipe(questions) != 0 || pipe(answers) != 0)
        return false;
    if (fork() == 0) {
        dup2(questions[0], STDIN_FILENO);
        dup2(answers[1], STDOUT_FILENO);
        close(questions[1]);
        close(answers[0]);
        if (!freopen("/dev/null", "w", stderr))
            _exit(127);
        execlp(python, python, "-c", torch_program, (char *)NULL);
        _exit(127);
    }
    close(questions[0]);
    close(answers[1]);
    to_torch = fdopen(questions[1], "w");
    from_torch = fdopen(answers[0], "r");
    return to_torch && from_torch;
}

static void find_torch(void) {
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char version[32], way[32];
    signal(SIGPIPE, SIG_IGN); /* should it end */
    for (size_t i = 0; i < sizeof pythons / sizeof *pythons && !torch_name[0]; i++)
        if (start_torch(pythons[i]) && fscanf(from_torch, "%31s %31s", version, way) == 2)
            snprintf(torch_name, sizeof torch_name, "PyTorch %s, %s", version, way);
}

const char *torch_version(void) {
    return torch_name[0] ? torch_name : NULL;
}

/* Without SDPA it stores all weights, several times. */
static double ask_torch(const struct work *w, int back) {
    enum { MOST_WITH_WEIGHTS = 4096 };
    double took;
    if (!torch_name[0] || (strstr(torch_name, "matmul") && w->n > MOST_WITH_WEIGHTS))
        return (double)NAN;
    fprintf(to_torch, "%d %d %d %d %d %d\n", w->n_heads, w->n, D, w->causal, w->threads, back);
    fflush(to_torch);
    return fscanf(from_torch, "%lf", &took) == 1 ? took : (double)NAN;
}

static double run_torch(const struct work *w) {
    return ask_torch(w, 0);
}

static double run_torch_backward(const struct work *w) {
    return ask_torch(w, 1);
}

const struct runner openblas = {"OpenBLAS", 2, false, run_openblas},
                    torch = {"PyTorch", 2, false, run_torch},
                    torch_backward = {"PyTorch, backward", 5, false, run_torch_backward};

void find_peers(void) {
    find_openblas();
    find_torch();
}
