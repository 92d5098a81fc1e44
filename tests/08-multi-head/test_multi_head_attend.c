/* Lesson 08: tests of attend_heads and its backward pass. */
#define ALL_PIECES(_)                                                                              \
    _(Q, "d_Q", dims_of(3, z.n_heads, z.n, z.d_head, 1))                                           \
    _(K, "d_K", dims_of(3, z.n_kv_heads, z.m, z.d_head, 1))                                        \
    _(V, "d_V", dims_of(3, z.n_kv_heads, z.m, z.d_head, 1))                                        \
    _(WEIGHTS, "d_weights", dims_of(3, z.n_heads, z.n, z.m, 1))                                    \
    _(OUT, "d_heads", dims_of(3, z.n_heads, z.n, z.d_head, 1))
#define LAST_WORDS V
#define LAST_GIVEN V
#define ZEROED(p)  false

#include "several.h"

static void run_attend(const struct work *w) {
    attend_heads(w->z.n, w->z.m, w->z.n_heads, w->z.n_kv_heads, w->z.d_head, w->at[Q], w->at[K],
                 w->at[V], w->blocked, w->at[WEIGHTS], w->at[OUT]);
}

static void run_attend_back(const struct work *w) {
    attend_heads_backward(w->z.n, w->z.m, w->z.n_heads, w->z.n_kv_heads, w->z.d_head, w->at[Q],
                          w->at[K], w->at[V], w->blocked, w->at[WEIGHTS], w->d[OUT], w->d[Q],
                          w->d[K], w->d[V]);
}

static void run_obviously(const struct work *w) {
    attend_obviously(w->z, w->blocked, w->at + Q);
}

static void run_back_obviously(const struct work *w) {
    attend_back_obviously(w->z, w->at + Q, w->d + Q);
}

static const struct function attending = {
    .run = run_attend,
    .run_back = run_attend_back,
    .obvious = run_obviously,
    .obvious_back = run_back_obviously,
    .values = WEIGHTS,
};

static void because_of(const struct work *w, enum piece p) {
    const struct sizes z = w->z;
    BECAUSE("Here n_q = %d, n_k = %d, n_heads = %d, n_kv_heads = %d and d_head = %d; blocked is "
            "%s.",
            z.n, z.m, z.n_heads, z.n_kv_heads, z.d_head, w->blocked ? "a mask" : "NULL");
}

static struct work random_heads(const struct function *f, struct sizes z, enum mask mask,
                                struct random *r) {
    struct work w = random_work(f, z, r);
    w.blocked = mask_of(mask, z.n, z.m);
    return w;
}

/* attend_heads */

/* Two words of two numbers, in two heads of one number each or in one head of two. The numbers are
   written in the order of the memory, head by head. */
static struct work worked(int n_heads) {
    struct work w = {.f = &attending, .z = {2, 2, n_heads, n_heads, 2 / n_heads, 0}};
    for (enum piece p = Q; p <= V; p++)
        PUT(w, p, 1, 2, 2, 0);
    return w;
}

TEST(attend_heads, the_worked_heads_attend_to_different_words) {
    const struct work w = yours(worked(2));
    EXPECT_PUT(w, WEIGHTS, 0.2689, 0.7311, 0.1192, 0.8808, 0.9820, 0.0180, 0.5, 0.5);
    EXPECT_PUT(w, OUT, 1.7311, 1.8808, 1.9640, 1);
}

TEST(attend_heads, one_head_of_both_numbers_compares_them_together) {
    const struct work w = yours(worked(1));
    EXPECT_PUT(w, WEIGHTS, 0.8930, 0.1070, 0.1956, 0.8044);
    EXPECT_PUT(w, OUT, 1.1070, 1.7859, 1.8044, 0.3911);
}

/* The values of a key head are all equal, and they show which head it is. */
TEST(attend_heads, neighbours_share_a_key_head) {
    struct random r = random_seed(811);
    struct work w = random_heads(&attending, (struct sizes){3, 5, 6, 2, 1, 0}, NO_MASK, &r);
    fill(5, 1.0, w.at[V]);
    fill(5, 2.0, (double *)w.at[V] + 5);
    w = yours(w);
    NEW_BLOCK(expected, 6, 3, 1);
    for (int h = 0; h < 6; h++)
        fill(3, h < 3 ? 1.0 : 2.0, expected[h]);
    BECAUSE("All values of key head 0 are 1, and all values of key head 1 are 2. Query heads "
            "0, 1 and 2 use key head 0, and 3, 4 and 5 use key head 1.");
    EXPECT_PIECE(w, OUT, expected, LAST_BIT);
}

AGREES(attend_heads, each_head_is_lesson_03_or_05_by_itself, attending, 819)

TEST(attend_heads, each_row_of_each_head_sums_to_one) {
    struct random r = random_seed(814);
    FOR_ALL_SIZES(z) {
        const struct work w = yours(random_heads(&attending, *z, CAUSAL, &r));
        NEW_VECTOR_FILLED(ones, z->n_heads * z->n * z->m, 1.0);
        NEW_BLOCK(sums_of_weights, z->n_heads, z->n, 1);
        product(z->n_heads * z->n, z->m, 1, w.at[WEIGHTS], (void *)ones, sums_of_weights[0]);
        BECAUSE("Every row of every head's weights sums to 1.");
        EXPECT_BLOCK(z->n_heads, z->n, 1, ones, sums_of_weights, LAST_BIT);
    }
}

TEST(attend_heads, a_fully_blocked_query_has_an_output_of_zero) {
    struct random r = random_seed(817);
    const struct work w = yours(random_heads(&attending, all_sizes[1], SCATTERED, &r));
    EXPECT_ROW_0_IS_ZERO(w, WEIGHTS);
    EXPECT_ROW_0_IS_ZERO(w, OUT);
}

/* The numbers of the last word have this size, and the word is blocked for all queries. */
static struct work blocked_last_word(double size) {
    struct random r = random_seed(818);
    struct work w = random_heads(&attending, (struct sizes){3, 4, 2, 2, 5, 0}, NO_MASK, &r);
    bool(*blocked)[4] = w.blocked = memset(mask_new("blocked", 3, 4), false, 12);
    double(*keys)[4][5] = w.at[K], (*values)[4][5] = w.at[V];
    blocked[0][3] = blocked[1][3] = blocked[2][3] = true;
    for (int h = 0; h < 2; h++) {
        fill(5, size, keys[h][3]);
        fill(5, size, values[h][3]);
    }
    return w;
}

#define BECAUSE_OF_THE_LAST_WORD                                                                   \
    BECAUSE("Word 3 of each key head is enormous, but blocked, so it must change nothing.")

TEST(attend_heads, enormous_numbers_that_are_blocked_change_nothing) {
    const struct work w = yours(blocked_last_word(1e200)),
                      expected = obvious(blocked_last_word(0.0));
    for (enum piece p = WEIGHTS; p <= OUT; p++) {
        BECAUSE_OF_THE_LAST_WORD;
        EXPECT_PIECE(w, p, expected.at[p], ROUNDING);
    }
}

TEST(attend_heads, enormous_scores_do_not_overflow) {
    struct work w = {.f = &attending, .z = {1, 3, 2, 1, 1, 0}};
    PUT(w, Q, 1000, -1000);
    PUT(w, K, 3, -1, 3);
    PUT(w, V, 1, 2, 4);
    w = yours(w);
    BECAUSE("A score of 3000 is too large for exp(), so the softmax of lesson 01 subtracts the "
            "largest score first.");
    EXPECT_PUT(w, WEIGHTS, 0.5, 0, 0.5, 0, 1, 0);
    EXPECT_PUT(w, OUT, 2.5, 2);
}

KEEPS_NOTHING(attend_heads, two_threads_may_attend_at_the_same_time_with_heads, attending, 820)

/* attend_heads_backward */

TEST(attend_heads_backward, the_worked_heads_have_these_gradients) {
    struct work w = obvious(worked(2));
    PUT_D_OUT(w, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, Q, 0.1966, 0.1050, 0.0707, 1);
    EXPECT_PUT_D(w, K, -0.4066, 0.4066, 0.0707, -0.0707);
    EXPECT_PUT_D(w, V, 0.3881, 1.6119, 1.4820, 0.5180);
}

ADDS(attend_heads_backward, the_gradients_of_heads_are_added_to_earlier_contents, attending, 10.0,
     0.0, 822)

/* The head has two numbers, so the scale is not 1. */
TEST(attend_heads_backward, one_head_of_both_numbers_has_these_gradients) {
    struct work w = obvious(worked(1));
    PUT_D_OUT(w, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, Q, -0.0676, 0.1352, -0.1112, 0.2225);
    EXPECT_PUT_D(w, K, 0.2901, 0.1352, -0.2901, -0.1352);
    EXPECT_PUT_D(w, V, 1.0885, 1.0885, 0.9115, 0.9115);
}
USES_STORED_VALUES(attend_heads_backward, the_backward_pass_of_the_heads_uses_the_stored_weights,
                   attending, 823)
IS_MEASURED(attend_heads_backward, the_gradients_of_heads_pass_the_gradient_check, attending,
            run_attend, NO_MASK, 824)
IS_MEASURED(attend_heads_backward, with_a_mask_they_pass_the_gradient_check_too, attending,
            run_attend, CAUSAL, 825)
IS_MEASURED(attend_heads_backward, with_a_fully_blocked_query_they_are_still_right, attending,
            run_attend, SCATTERED, 826)

TEST(attend_heads_backward, a_fully_blocked_query_has_a_gradient_of_zero) {
    struct random r = random_seed(827);
    const struct work given = random_heads(&attending, all_sizes[1], SCATTERED, &r);
    const struct work w = yours_back(obvious(given), 0.0, 0.0);
    expect_row_0_is_zero(__LINE__, "d_Q", its(&w, Q).dims, w.d[Q]);
}

/* The gradient of the heads times a value of the last word is too large for a double. The product
   is infinite, and 0 times infinity is NaN. */
TEST(attend_heads_backward, the_mask_also_applies_in_the_backward_pass) {
    struct work given = blocked_last_word(1e200);
    const struct work small = obvious(blocked_last_word(0.0));
    const struct work expected = obvious_back(small, 0.0);
    given.at[WEIGHTS] = small.at[WEIGHTS];
    scale_into(count_of(&given, OUT), 1e150, given.d[OUT], given.d[OUT]);
    const struct work w = yours_back(given, 0.0, 0.0);
    for (enum piece p = Q; p <= V; p++) {
        scale_into(count_of(&w, p), 1e-150, w.d[p], w.d[p]);
        BECAUSE_OF_THE_LAST_WORD;
        EXPECT_D(w, p, expected.d[p], ROUNDING);
    }
}

KEEPS_NOTHING_BACK(attend_heads_backward, two_threads_may_run_it_at_the_same_time, attending, 829)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(attend_heads, &attending, 3, 5, 4, 2, 1, 6)
LAWS_BACKWARD(attend_heads_backward, &attending, true, 3, 5, 4, 2, 1, 6)
