/* The worked examples of lesson 08, step by step, at the terminal. */
#include "multi_head.h"

#include "matrix.h"
#include "shade.h"

static const char *const words[] = {"word 0", "word 1"};
static const char *const heads[] = {"head 0", "head 1"};
static const char *const heads_words[] = {"head 0, word 0", "head 0, word 1", "head 1, word 0",
                                          "head 1, word 1"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};

/* Two words of two numbers; all four matrices are the identity. */
enum { N = 2, D = 2 };

static struct multi_head identities(int n_heads) {
    NEW_MATRIX_OF(I, D, D, {1, 0}, {0, 1});
    return (struct multi_head){D, n_heads, n_heads, D / n_heads, I, I, I, I};
}

static struct multi_head_values new_values(const struct multi_head *w, int n_q, int n_k) {
    struct room counted = {NULL, 0};
    take_multi_head_values(&counted, w, n_q, n_k);
    NEW_VECTOR_FILLED(numbers, counted.used, 0.0);
    return take_multi_head_values(&(struct room){numbers, 0}, w, n_q, n_k);
}

static void show_backward(const struct multi_head *w, const struct multi_head_values *v,
                          const double X[N][D]) {
    NEW_MATRIX_FILLED(d_out, N, D, 1.0);
    NEW_MATRIX_FILLED(d_X, N, D, 0.0);
    NEW_BLOCK_FILLED(d_W, 4, D, D, 0.0);
    struct multi_head d_w = {D,      w->n_heads, w->n_kv_heads, w->d_head,
                             d_W[0], d_W[1],     d_W[2],        d_W[3]};
    struct multi_head_values d_v = new_values(w, N, N);
    multi_head_attention_backward(N, N, w, X, X, NULL, v, d_out, &d_v, &d_w, d_X, d_X);
    shade_matrix("d_X", "from ones; dim 0 as in lesson 06", N, D, words, dims, d_X);
}

static void show_two_heads(const double X[N][D]) {
    const struct multi_head w = identities(2);
    struct multi_head_values v = new_values(&w, N, N);
    NEW_MATRIX(out, N, D);
    multi_head_attention(N, N, &w, X, X, NULL, &v, out);
    shade_matrix("Q, split", "head 0 has dim 0 of each word", 2, N, heads, words, v.Q);
    shade_matrix("weights", "head 0 is lesson 06's example", 2 * N, N, heads_words, words,
                 v.weights);
    shade_matrix("out", "side by side again; W_o is 1", N, D, words, dims, out);
    show_backward(&w, &v, X);
}

static void show_one_head(const double X[N][D]) {
    const struct multi_head w = identities(1);
    struct multi_head_values v = new_values(&w, N, N);
    NEW_MATRIX(out, N, D);
    multi_head_attention(N, N, &w, X, X, NULL, &v, out);
    shade_matrix("one head of two", "one row of weights for both dims", N, N, words, words,
                 v.weights);
    shade_matrix("out", "not what two heads fetch", N, D, words, dims, out);
}

static void show_merge(void) {
    const double in_heads[2][N][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    NEW_MATRIX(rows, N, 4);
    merge_heads(N, 2, 2, in_heads, rows);
    shade_matrix("heads", "as they lie in memory", 4, 2, heads_words, dims,
                 (const double(*)[2])in_heads);
    shade_matrix("merge_heads", "not (1 2 3 4), (5 6 7 8)", N, 4, words, dims, rows);
}

/* A word is a noun and a part: (cat, dog, sees, is seen). Keys are parts, values are nouns; one
   question asks for both parts, or each head of two for one. */
enum { WORD = 4 };

static void ask_both(int n_heads, const double W_q[WORD][WORD], const double W_k[WORD][WORD],
                     const double W_v[WORD][WORD], double fetched[2][WORD]) {
    const double question[1][WORD] = {{1, 0, 0, 0}};
    const double stories[2][2][WORD] = {{{1, 0, 1, 0}, {0, 1, 0, 1}}, {{0, 1, 1, 0}, {1, 0, 0, 1}}};
    NEW_MATRIX_OF(W_o, WORD, WORD, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1});
    const struct multi_head w = {WORD,        n_heads,     n_heads,     WORD / n_heads,
                                 (void *)W_q, (void *)W_k, (void *)W_v, W_o};
    struct multi_head_values v = new_values(&w, 1, 2);
    for (int s = 0; s < 2; s++)
        multi_head_attention(1, 2, &w, question, stories[s], NULL, &v, &fetched[s]);
}

static void show_cat_and_dog(void) {
    static const char *const stories[] = {"the cat sees", "the dog sees"};
    static const char *const one[] = {"cat", "dog", "", ""};
    static const char *const two[] = {"0: cat", "0: dog", "1: cat", "1: dog"};
    NEW_MATRIX(fetched, 2, WORD);
    NEW_MATRIX_OF(W_q, WORD, WORD, {20, 20, 0, 0}, {0}, {0}, {0});
    NEW_MATRIX_OF(W_k, WORD, WORD, {0}, {0}, {1, 0, 0, 0}, {0, 1, 0, 0});
    NEW_MATRIX_OF(W_v, WORD, WORD, {1, 0, 0, 0}, {0, 1, 0, 0}, {0}, {0});
    ask_both(1, W_q, W_k, W_v, fetched);
    shade_matrix("one head", "half of each: who is gone", 2, WORD, stories, one, fetched);
    NEW_MATRIX_OF(W_q2, WORD, WORD, {20, 0, 0, 20}, {0}, {0}, {0});
    NEW_MATRIX_OF(W_k2, WORD, WORD, {0}, {0}, {1, 0, 1, 0}, {0, 1, 0, 1});
    NEW_MATRIX_OF(W_v2, WORD, WORD, {1, 0, 1, 0}, {0, 1, 0, 1}, {0}, {0});
    ask_both(2, W_q2, W_k2, W_v2, fetched);
    shade_matrix("two heads", "0: who sees; 1: who is seen", 2, WORD, stories, two, fetched);
}

int main(void) {
    NEW_MATRIX_OF(X, N, D, {1, 2}, {2, 0});
    shade_title("The worked example of lesson 08: two heads of one number, by your code");
    shade_matrix("X", "all matrices are the identity", N, D, words, dims, X);
    show_two_heads(X);
    show_one_head(X);
    shade_title("Two heads of two numbers, put side by side");
    show_merge();
    shade_title("The cat sees the dog, or the dog sees the cat: what is fetched");
    show_cat_and_dog();
    matrix_free_all();
}
