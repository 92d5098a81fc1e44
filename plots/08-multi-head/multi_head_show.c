/* The worked examples of lesson 08, step by step, at the terminal. */
#include "multi_head.h"

#include "matrix.h"
#include "shade.h"

static const char *const words[] = {"word 0", "word 1"};
static const char *const heads[] = {"head 0", "head 1"};
static const char *const heads_words[] = {"head 0, word 0", "head 0, word 1", "head 1, word 0",
                                          "head 1, word 1"};
static const char *const dims[] = {"dim 0", "dim 1", "dim 2", "dim 3"};

/* Two words of two dimensions; all four matrices are the identity. */
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
    shade_matrix("d_X", "if d_out is all 1; dim 0 as in lesson 06", N, D, words, dims, d_X);
}

static void show_two_heads(const double X[N][D]) {
    const struct multi_head w = identities(2);
    struct multi_head_values v = new_values(&w, N, N);
    NEW_MATRIX(out, N, D);
    multi_head_attention(N, N, &w, X, X, NULL, &v, out);
    shade_matrix("Q, split", "head 0 has dim 0 of each word", 2, N, heads, words, v.Q);
    shade_matrix("weights", "head 0 as in lesson 06", 2 * N, N, heads_words, words, v.weights);
    shade_matrix("out", "both heads; W_o is the identity", N, D, words, dims, out);
    show_backward(&w, &v, X);
}

static void show_one_head(const double X[N][D]) {
    const struct multi_head w = identities(1);
    struct multi_head_values v = new_values(&w, N, N);
    NEW_MATRIX(out, N, D);
    multi_head_attention(N, N, &w, X, X, NULL, &v, out);
    shade_matrix("one head", "one row of weights for both dims", N, N, words, words, v.weights);
    shade_matrix("out", "differs from the output of two heads", N, D, words, dims, out);
}

static void show_merge(void) {
    const double in_heads[2][N][2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    NEW_MATRIX(rows, N, 4);
    merge_heads(N, 2, 2, in_heads, rows);
    shade_matrix("heads", "in the order of the memory", 4, 2, heads_words, dims,
                 (const double(*)[2])in_heads);
    shade_matrix("merge_heads", "not (1 2 3 4), (5 6 7 8)", N, 4, words, dims, rows);
}

/* The vector of a token has a noun and a role: (cat, dog, who, whom). The keys contain only the
   role and the values only the noun. A single head has one query for both roles, and each of two
   heads has a query for one role. */
enum { TOKEN = 4 };

static void attend_to_both(int n_heads, const double W_q[TOKEN][TOKEN],
                           const double W_k[TOKEN][TOKEN], const double W_v[TOKEN][TOKEN],
                           double outputs[2][TOKEN]) {
    const double question[1][TOKEN] = {{1, 0, 0, 0}};
    const double stories[2][2][TOKEN] = {{{1, 0, 1, 0}, {0, 1, 0, 1}},
                                         {{0, 1, 1, 0}, {1, 0, 0, 1}}};
    NEW_MATRIX_OF(W_o, TOKEN, TOKEN, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1});
    const struct multi_head w = {TOKEN,       n_heads,     n_heads,     TOKEN / n_heads,
                                 (void *)W_q, (void *)W_k, (void *)W_v, W_o};
    struct multi_head_values v = new_values(&w, 1, 2);
    for (int s = 0; s < 2; s++)
        multi_head_attention(1, 2, &w, question, stories[s], NULL, &v, &outputs[s]);
}

static void show_cat_and_dog(void) {
    static const char *const stories[] = {"the cat sees", "the dog sees"};
    static const char *const one[] = {"cat", "dog", "", ""};
    static const char *const two[] = {"0: cat", "0: dog", "1: cat", "1: dog"};
    NEW_MATRIX(outputs, 2, TOKEN);
    NEW_MATRIX_OF(W_q, TOKEN, TOKEN, {20, 20, 0, 0}, {0}, {0}, {0});
    NEW_MATRIX_OF(W_k, TOKEN, TOKEN, {0}, {0}, {1, 0, 0, 0}, {0, 1, 0, 0});
    NEW_MATRIX_OF(W_v, TOKEN, TOKEN, {1, 0, 0, 0}, {0, 1, 0, 0}, {0}, {0});
    attend_to_both(1, W_q, W_k, W_v, outputs);
    shade_matrix("one head", "both rows are equal", 2, TOKEN, stories, one, outputs);
    NEW_MATRIX_OF(W_q2, TOKEN, TOKEN, {20, 0, 0, 20}, {0}, {0}, {0});
    NEW_MATRIX_OF(W_k2, TOKEN, TOKEN, {0}, {0}, {1, 0, 1, 0}, {0, 1, 0, 1});
    NEW_MATRIX_OF(W_v2, TOKEN, TOKEN, {1, 0, 1, 0}, {0, 1, 0, 1}, {0}, {0});
    attend_to_both(2, W_q2, W_k2, W_v2, outputs);
    shade_matrix("two heads", "head 0: who; head 1: whom", 2, TOKEN, stories, two, outputs);
}

int main(void) {
    NEW_MATRIX_OF(X, N, D, {1, 2}, {2, 0});
    shade_title("The worked example of lesson 08: two heads of one dimension, by your code");
    shade_matrix("X", "all matrices are the identity", N, D, words, dims, X);
    show_two_heads(X);
    show_one_head(X);
    shade_title("Two heads of two dimensions, merged");
    show_merge();
    shade_title("The outputs for: the cat sees the dog, the dog sees the cat");
    show_cat_and_dog();
    matrix_free_all();
}
