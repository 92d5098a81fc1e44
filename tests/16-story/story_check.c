/* An independent computation of a model, for the suites story and story_real: it reads the file by
   itself, calls no function of the course, and keeps no cache. All tokens of a text go through a
   layer at once, by the formulas of the paper.

   story_check MODEL: prints the logits that lessons/16-story/milestone/pinned.c has, and fails if
   one differs by more than 2e-5. story_check MODEL FOLDER: reads FOLDER/tokens.dat, the tokens of a
   story, and fails if one that was not given is not the most likely one after those before it. */
#include "milestone/pinned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static int d, d_ff, n_layers, n_heads, n_kv, vocabulary, longest, d_head, n;
static float *table, *att, *wq, *wk, *wv, *wo, *ffn, *w1, *w2, *w3, *last, *out;
static double *x, *normed, *q, *k, *v, *mixed, *change, *gate, *up;

static double *numbers(int columns) {
    return calloc((size_t)(n * columns), sizeof(double));
}

static float *part(FILE *file, long count) {
    float *p = malloc((size_t)count * sizeof *p);
    if (!p || fread(p, sizeof *p, (size_t)count, file) != (size_t)count)
        exit(1);
    return p;
}

static void read_model(const char *path) {
    int head[7];
    FILE *file = fopen(path, "rb");
    if (!file || fread(head, sizeof head, 1, file) != 1)
        exit(1);
    d = head[0], d_ff = head[1], n_layers = head[2], n_heads = head[3], n_kv = head[4];
    vocabulary = abs(head[5]), longest = head[6], d_head = d / n_heads;
    const long L = n_layers;
    table = part(file, (long)vocabulary * d);
    att = part(file, L * d);
    wq = part(file, L * d * d);
    wk = part(file, L * n_kv * d_head * d);
    wv = part(file, L * n_kv * d_head * d);
    wo = part(file, L * d * d);
    ffn = part(file, L * d);
    w1 = part(file, L * d * d_ff);
    w2 = part(file, L * d * d_ff);
    w3 = part(file, L * d * d_ff);
    last = part(file, d);
    part(file, (long)longest * d_head);
    out = head[5] < 0 ? part(file, (long)vocabulary * d) : table;
    fclose(file);
}

/* Each row of `from` times each row of W. */
static void product(int rows, int cols, const double *from, const float *W, double *to) {
    for (int i = 0; i < n; i++)
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int c = 0; c < cols; c++)
                sum += from[i * cols + c] * (double)W[(long)r * cols + c];
            to[i * rows + r] = sum;
        }
}

static void norm(const float *gain, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        double squares = 0.0;
        for (int c = 0; c < d; c++)
            squares += from[i * d + c] * from[i * d + c];
        for (int c = 0; c < d; c++)
            to[i * d + c] = (double)gain[c] * from[i * d + c] / sqrt(squares / d + 1e-5);
    }
}

static void turn(int columns, double *rows) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < columns; c += 2) {
            const double angle = i * pow(10000.0, -(double)(c % d_head) / d_head);
            double *pair = &rows[i * columns + c], a = pair[0], b = pair[1];
            pair[0] = a * cos(angle) - b * sin(angle);
            pair[1] = a * sin(angle) + b * cos(angle);
        }
}

static double score(int h, int i, int j) {
    const int kv = h * n_kv / n_heads;
    double sum = 0.0;
    for (int c = 0; c < d_head; c++)
        sum += q[i * d + h * d_head + c] * k[j * n_kv * d_head + kv * d_head + c];
    return exp(sum / sqrt(d_head));
}

static void attend(int h, int i) {
    double all = 0.0, *to = &mixed[i * d + h * d_head];
    memset(to, 0, (size_t)d_head * sizeof *to);
    for (int j = 0; j <= i; j++) {
        const double weight = score(h, i, j);
        all += weight;
        for (int c = 0; c < d_head; c++)
            to[c] += weight * v[j * n_kv * d_head + h * n_kv / n_heads * d_head + c];
    }
    for (int c = 0; c < d_head; c++)
        to[c] /= all;
}

static void add(void) {
    for (int i = 0; i < n * d; i++)
        x[i] += change[i];
}

static void layer(long l) {
    const int d_kv = n_kv * d_head;
    norm(att + l * d, x, normed);
    product(d, d, normed, wq + l * d * d, q);
    product(d_kv, d, normed, wk + l * d_kv * d, k);
    product(d_kv, d, normed, wv + l * d_kv * d, v);
    turn(d, q);
    turn(d_kv, k);
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            attend(h, i);
    product(d, d, mixed, wo + l * d * d, change);
    add();
    norm(ffn + l * d, x, normed);
    product(d_ff, d, normed, w1 + l * d * d_ff, gate);
    product(d_ff, d, normed, w3 + l * d * d_ff, up);
    for (int i = 0; i < n * d_ff; i++)
        gate[i] = gate[i] / (1.0 + exp(-gate[i])) * up[i];
    product(d, d_ff, gate, w2 + l * d * d_ff, change);
    add();
}

/* The logits after each of the tokens. */
static double *logits_of(int count, const int words[]) {
    n = count;
    x = numbers(d), normed = numbers(d), q = numbers(d), k = numbers(d), v = numbers(d);
    mixed = numbers(d), change = numbers(d), gate = numbers(d_ff), up = numbers(d_ff);
    for (int i = 0; i < n * d; i++)
        x[i] = (double)table[(long)words[i / d] * d + i % d];
    for (int l = 0; l < n_layers; l++)
        layer(l);
    norm(last, x, normed);
    double *logits = numbers(vocabulary);
    product(vocabulary, d, normed, out, logits);
    return logits;
}

static int check_pinned(void) {
    const double *logits = logits_of(PINNED, pinned_words);
    double worst = 0.0;
    for (int i = 0; i < PINNED; i++)
        for (int j = 0; j < PINNED_LOGITS; j++) {
            const double logit = logits[(long)i * vocabulary + pinned_of[j]];
            printf("%s%.5f%s", j == 0 ? "    {" : ", ", logit, j + 1 < PINNED_LOGITS ? "" : "},\n");
            worst = fmax(worst, fabs(logit - pinned_logits[i][j]));
        }
    printf("The pinned logits differ by %.1e at most.\n", worst);
    return !(worst < 2e-5);
}

static int check_tokens(const char *folder) {
    static int words[MOST], given[MOST];
    char path[4096];
    int count = 0, told = 0, right = 0;
    snprintf(path, sizeof path, "%s/tokens.dat", folder);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%*[^\n]") < 0)
        return 1;
    while (count < MOST && fscanf(file, "%d %d", &words[count], &given[count]) == 2)
        count++;
    const double *logits = logits_of(count, words);
    for (int i = 0; i + 1 < count; i++) {
        int best = 0;
        for (int t = 1; t < vocabulary; t++)
            if (logits[(long)i * vocabulary + t] > logits[(long)i * vocabulary + best])
                best = t;
        told += !given[i + 1];
        right += !given[i + 1] && best == words[i + 1];
    }
    printf("%d of %d tokens are the most likely ones.\n", right, told);
    return told == 0 || right != told;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return 2;
    read_model(argv[1]);
    return argc > 2 ? check_tokens(argv[2]) : check_pinned();
}
