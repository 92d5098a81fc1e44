#include "exam.h"

#include "softmax.h"
#include "trainer.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_OF_EXAM = 2 };

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(int n, double x[n]) {
    qsort(x, (size_t)n, sizeof *x, by_size);
    return x[n / 2];
}

/* The numerators and denominators of the shares. */
struct counts {
    double exact, sentences, right, words, aligned, late, content, copied, names, entropy, rows;
};

struct written {
    struct pair pair;
    struct counts *counts;
    int at;
};

/* After each word: is the largest weight on the source word of the same meaning? */
static void mark_weights(void *whom, int word, const double *weights) {
    struct written *written = whom;
    const struct pair *p = &written->pair;
    int t = written->at++;
    if (!weights)
        return;
    written->counts->entropy += entropy(p->n, weights);
    written->counts->rows++;
    if (t >= p->m || p->aligned[t] < 0 || word != p->target[t])
        return;
    int attended = largest(p->n, weights);
    written->counts->content++;
    written->counts->aligned += attended == p->aligned[t];
    written->counts->late += attended == p->aligned[t] + 1;
}

static void mark_words(const struct task *task, const struct pair *p, int m, const int words[],
                       struct counts *counts) {
    counts->sentences++;
    counts->exact += m == p->m && memcmp(words, p->target, sizeof(int) * (size_t)m) == 0;
    counts->words += p->m;
    for (int t = 0; t < p->m; t++) {
        bool right = t < m && words[t] == p->target[t];
        counts->right += right;
        if (task == &translation && is_rare_name(p->target[t])) {
            counts->names++;
            counts->copied += right;
        }
    }
}

/* Each part of the test has a seed of its own, so the threads need no common random generator. */
static struct counts examine_part(const struct network *net, int n, int sentences, int part) {
    struct counts counts = {0};
    struct written written = {.counts = &counts};
    struct random r = random_seed((uint64_t)(1000 * n + part));
    struct buffers *t = buffers_new(net);
    int words[LONGEST];
    for (int i = 0; i < sentences / PARTS_OF_EXAM; i++) {
        net->task->draw(&r, n, &written.pair);
        written.at = 0;
        /* A sentence with one word too many is already wrong, so stop there. */
        int m =
            network_write(net, t, &written.pair, written.pair.m + 1, words, mark_weights, &written);
        mark_words(net->task, &written.pair, m, words, &counts);
    }
    buffers_free(t);
    return counts;
}

struct marks examine(const struct network *net, int n, int sentences) {
    struct counts part[PARTS_OF_EXAM];
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(PARTS_OF_EXAM)
#endif
    for (int i = 0; i < PARTS_OF_EXAM; i++)
        part[i] = examine_part(net, n, sentences, i);
#define SHARE(of, all) ((part[0].of + part[1].of) / (part[0].all + part[1].all))
    return (struct marks){SHARE(exact, sentences), SHARE(right, words),  SHARE(aligned, content),
                          SHARE(late, content),    SHARE(copied, names), SHARE(entropy, rows)};
#undef SHARE
}
