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

/* What was counted, and out of how many. */
struct counts {
    double exact, sentences, right, words, aligned, late, content, copied, names, entropy, rows;
};

struct paper {
    struct pair pair;
    struct counts *counts;
    int at;
};

/* After each word: was the weight where the word comes from? */
static void mark_weights(void *whom, int word, const double *weights) {
    struct paper *paper = whom;
    const struct pair *p = &paper->pair;
    int t = paper->at++;
    if (!weights)
        return;
    paper->counts->entropy += entropy(p->n, weights);
    paper->counts->rows++;
    if (t >= p->m || p->aligned[t] < 0 || word != p->target[t])
        return;
    int looked_at = largest(p->n, weights);
    paper->counts->content++;
    paper->counts->aligned += looked_at == p->aligned[t];
    paper->counts->late += looked_at == p->aligned[t] + 1;
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

/* Sentences from a seed of their own, so that it does not matter who examines which. */
static struct counts sit(const struct network *net, int n, int sentences, int part) {
    struct counts counts = {0};
    struct paper paper = {.counts = &counts};
    struct random r = random_seed((uint64_t)(1000 * n + part));
    struct thought *t = thought_new(net);
    int words[LONGEST];
    for (int i = 0; i < sentences / PARTS_OF_EXAM; i++) {
        net->task->draw(&r, n, &paper.pair);
        paper.at = 0;
        /* One word too many is wrong already. */
        int m = network_write(net, t, &paper.pair, paper.pair.m + 1, words, mark_weights, &paper);
        mark_words(net->task, &paper.pair, m, words, &counts);
    }
    thought_free(t);
    return counts;
}

struct marks examine(const struct network *net, int n, int sentences) {
    struct counts part[PARTS_OF_EXAM];
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(PARTS_OF_EXAM)
#endif
    for (int i = 0; i < PARTS_OF_EXAM; i++)
        part[i] = sit(net, n, sentences, i);
#define SHARE(of, all) ((part[0].of + part[1].of) / (part[0].all + part[1].all))
    return (struct marks){SHARE(exact, sentences), SHARE(right, words),  SHARE(aligned, content),
                          SHARE(late, content),    SHARE(copied, names), SHARE(entropy, rows)};
#undef SHARE
}
