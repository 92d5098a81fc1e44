/* Your queries, keys and values, through your functions of lesson 02. */
#include "dot_product.h"

#include "../prompt.h"

static void show_by(attention *attend, const char *note) {
    ask_check_sizes(&Q, &K, &V);
    NEW_MATRIX(scores, Q.rows, K.rows);
    dot_scores(Q.rows, K.rows, Q.cols, ASK_MATRIX(Q, Q.cols), ASK_MATRIX(K, Q.cols), scores);
    show_typed(attend, "scores", "how well each key fits", scores, note);
}

static void show_attention(void) {
    show_by(dot_product_attention, "each row sums to 1");
}

static void show_hard(void) {
    show_by(hard_attention, "all to the best key");
}

static void show_pair(const char *what,
                      double (*compare)(int d, const double a[], const double b[])) {
    if (given.rows != 2)
        ask_refuse("Two vectors, such as 1 2 3; 4 5 6");
    shade_number(what, "of the two",
                 compare(given.cols, given.numbers, given.numbers + given.cols));
}

static void show_dot(void) {
    show_pair("dot", dot);
}

static void show_cosine(void) {
    show_pair("cosine", cosine_similarity);
}

static void show_backward(void) {
    show_typed_backward(dot_product_attention, dot_product_attention_backward);
}

int main(void) {
    ask(2, NULL,
        (const struct ask_command[]){
            SETTING_Q_K_V(show_attention),
            {"backward 1 0", "d_out, as many rows as Q: what reaches Q", &given, NULL,
             show_backward},
            {"hard", "hard attention instead", NULL, NULL, show_hard},
            {"dot 1 2 3; 4 5 6", "of two vectors", &given, NULL, show_dot},
            {"cosine 1 0; 5 5", "lengths divided out", &given, NULL, show_cosine},
            {0},
        });
}
