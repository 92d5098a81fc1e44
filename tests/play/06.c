/* What the page of lesson 06 shows after: animal=fox thing=box adjective=warm step! */
#include "dot_product.h"
#include "masked.h"
#include "self_attention.h"

#include "play.h"

enum { N = 10, D_MODEL = 48, D_K = 16, NOUNS = 12, IT = 7 };

static const char *const steps[] = {"warm_steps.dat", "tired_steps.dat"};

static void make_steps(const char *folder, const char *file) {
    FILE *table = make_table(folder, file);
    fputs("step the fox sat on the box because it was warm\n", table);
    make_row(table, "0", N, 0.1);
    make_row(table, "10", N, 0.1);
    make_row(table, "20", N, 0.1);
    fclose(table);
}

static void make(const char *folder) {
    static const char *const words[] = {
        "cat", "dog",     "bird", "horse", "fox", "mouse",   "mat", "bed", "rug",  "sofa",
        "box", "cushion", "a0",   "a1",    "a2",  "a3",      "a4",  "a5",  "warm", "a7",
        "a8",  "a9",      "a10",  "a11",   "the", "because", "it",  "was", "sat",  "on"};
    FILE *table = make_table(folder, "head.dat");
    for (int w = 0; w < (int)(sizeof words / sizeof *words); w++)
        make_row(table, words[w], D_MODEL, 0.5);
    make_row(table, "W_q", D_MODEL * D_K, 0.1);
    make_row(table, "W_k", D_MODEL * D_K, 0.1);
    make_row(table, "W_v", D_MODEL * D_MODEL, 0.1);
    fclose(table);
    for (int i = 0; i < 2; i++)
        make_steps(folder, steps[i]);
}

/* The example of the text, which is there before a run. */
static void before(void) {
    const double words[3][2] = {{1, 0}, {0, 1}, {1, 1}}, W_q[2][2] = {{0, 2}, {1, 0}};
    const double W_k[2][2] = {{1, 0}, {0, 1}}, W_v[2][3] = {{1, 2, 3}, {4, 5, 6}};
    double Q[3][2], K[3][2], V[3][3], weights[3][3], out[3][3];
    self_attention(3, 2, 2, 3, words, W_q, W_k, W_v, NULL, Q, K, V, weights, out);
    show("looks", 9, weights[0]);
    show("out", 9, out[0]);
}

int main(int argc, char **argv) {
    static const char *const words[N] = {"the", "fox",     "sat", "on",  "the",
                                         "box", "because", "it",  "was", "warm"};
    static double own[N][D_MODEL], X[N][D_MODEL], W_q[D_MODEL][D_K], W_k[D_MODEL][D_K],
        W_v[D_MODEL][D_MODEL], Q[N][D_K], K[N][D_K], V[N][D_MODEL], weights[N][N], out[N][D_MODEL],
        nouns[NOUNS][D_MODEL], scores[1][NOUNS];
    bool blocked[N][N];
    char label[40];
    const char *folder = argv[1], *file = "head.dat";
    if (argc == 3) {
        strcmp(argv[2], "make") == 0 ? make(folder) : before();
        return 0;
    }
    for (int i = 0; i < N; i++) {
        read_labelled(folder, file, words[i], D_MODEL, own[i]);
        for (int j = 0; j < N; j++)
            blocked[i][j] = i < IT || j < IT || i == j;
    }
    for (int i = 0; i < NOUNS; i++)
        read_row(folder, file, i, label, D_MODEL, nouns[i]);
    read_labelled(folder, file, "W_q", D_MODEL * D_K, W_q);
    read_labelled(folder, file, "W_k", D_MODEL * D_K, W_k);
    read_labelled(folder, file, "W_v", D_MODEL * D_MODEL, W_v);
    masked_attention(N, N, D_MODEL, D_MODEL, own, own, own, blocked, weights, X);
    for (int i = 0; i < N * D_MODEL; i++)
        X[i / D_MODEL][i % D_MODEL] += own[i / D_MODEL][i % D_MODEL];
    self_attention(N, D_MODEL, D_K, D_MODEL, X, W_q, W_k, W_v, NULL, Q, K, V, weights, out);
    dot_scores(1, NOUNS, D_MODEL, &out[IT], nouns, scores);
    double learned[2][N];
    for (int i = 0; i < 2; i++)
        read_row(folder, steps[i], 1, label, N, learned[i]);
    for (int j = 0; j < N; j++)
        show("learned", 2, (double[]){learned[0][j], learned[1][j]});
    show("looks", N, weights[IT]);
    show("means", NOUNS, scores[0]);
    return 0;
}
