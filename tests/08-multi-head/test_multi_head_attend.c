/* Lesson 08: what multi_head.h promises of the heads, each by itself, and of their way back. */
#include "heads.h"

#include "../jacobian.h"

static void run_attend(const struct work *w) {
    attend_heads(w->z.n_q, w->z.n_k, w->z.n_heads, w->z.n_kv_heads, w->z.d_head, w->at[AT_Q],
                 w->at[AT_K], w->at[AT_V], w->blocked, w->at[AT_WEIGHTS], w->at[AT_HEADS]);
}

static void run_attend_back(const struct work *w) {
    attend_heads_backward(w->z.n_q, w->z.n_k, w->z.n_heads, w->z.n_kv_heads, w->z.d_head,
                          w->at[AT_Q], w->at[AT_K], w->at[AT_V], w->blocked, w->at[AT_WEIGHTS],
                          w->d[AT_HEADS], w->d[AT_Q], w->d[AT_K], w->d[AT_V]);
}

static const struct function attending = {
    run_attend, run_attend_back,    attend_obviously,       attend_back_obviously,
    AT_HEADS,   {AT_Q, AT_K, AT_V}, {AT_WEIGHTS, AT_HEADS}, {AT_Q, AT_K, AT_V},
};

/* Head h's own matrix; of a key head, that of all its group. */
static void *head_of(const struct work *w, void *const at[PLACES], enum place p, int h) {
    const int group = p == AT_K || p == AT_V ? w->z.n_heads / w->z.n_kv_heads : 1;
    const int heads = w->z.n_heads / group;
    return (double *)at[p] + h / group * (count_of(w, p) / heads);
}

/* exp(score) over the sum of those that may be looked at; the scores of these tests are small. */
static void obvious_weights(const struct work *w, int h) {
    const int n_q = w->z.n_q, n_k = w->z.n_k;
    const bool(*blocked)[n_k] = w->blocked;
    double(*obvious)[n_k] = head_of(w, w->at, AT_WEIGHTS, h);
    product_by_rows(n_q, w->z.d_head, n_k, head_of(w, w->at, AT_Q, h), head_of(w, w->at, AT_K, h),
                    obvious);
    for (int i = 0; i < n_q; i++) {
        double sum = 0.0;
        for (int j = 0; j < n_k; j++) {
            const bool looks = !blocked || !blocked[i][j];
            obvious[i][j] = looks ? exp(obvious[i][j] / sqrt(w->z.d_head)) : 0.0;
            sum += obvious[i][j];
        }
        if (sum > 0.0)
            scale_into(n_k, 1.0 / sum, obvious[i], obvious[i]);
    }
}

void attend_obviously(const struct work *w) {
    for (int h = 0; h < w->z.n_heads; h++) {
        obvious_weights(w, h);
        product(w->z.n_q, w->z.n_k, w->z.d_head, head_of(w, w->at, AT_WEIGHTS, h),
                head_of(w, w->at, AT_V, h), head_of(w, w->at, AT_HEADS, h));
    }
}

void attend_back_obviously(const struct work *w) {
    const int n_q = w->z.n_q, n_k = w->z.n_k, d = w->z.d_head;
    for (int h = 0; h < w->z.n_heads; h++) {
        const void *weights = head_of(w, w->at, AT_WEIGHTS, h),
                   *d_heads = head_of(w, w->d, AT_HEADS, h);
        NEW_MATRIX(d_scores, n_q, n_k);
        NEW_MATRIX(slow_d_Q, n_q, d);
        NEW_MATRIX(slow_d_K, n_k, d);
        NEW_MATRIX(slow_d_V, n_k, d);
        NEW_MATRIX(slow_d_weights, n_q, n_k);
        product_by_rows(n_q, d, n_k, d_heads, head_of(w, w->at, AT_V, h), slow_d_weights);
        obvious_d_scores(n_q, n_k, weights, slow_d_weights, d_scores);
        scale_into(n_q * n_k, 1.0 / sqrt(d), d_scores, d_scores);
        product(n_q, n_k, d, d_scores, head_of(w, w->at, AT_K, h), slow_d_Q);
        product_by_columns(n_k, n_q, d, d_scores, head_of(w, w->at, AT_Q, h), slow_d_K);
        product_by_columns(n_k, n_q, d, weights, d_heads, slow_d_V);
        add_into(n_q * d, slow_d_Q, head_of(w, w->d, AT_Q, h));
        add_into(n_k * d, slow_d_K, head_of(w, w->d, AT_K, h));
        add_into(n_k * d, slow_d_V, head_of(w, w->d, AT_V, h));
    }
}

/* attend_heads */

/* Two words of two numbers: in two heads of one number each, or in one head. In the memory, head
   after head, their numbers stand in the same order. */
static struct work worked(int n_heads) {
    struct work w = {.f = &attending, .z = {2, 2, n_heads, n_heads, 2 / n_heads, 0}};
    for (enum place p = AT_Q; p <= AT_V; p++)
        PUT(w, p, 1, 2, 2, 0);
    return w;
}

static void the_worked_heads_look_at_different_words(void) {
    const struct work w = your_work(worked(2));
    EXPECT_PUT(w, AT_WEIGHTS, 0.2689, 0.7311, 0.1192, 0.8808, 0.9820, 0.0180, 0.5, 0.5);
    EXPECT_PUT(w, AT_HEADS, 1.7311, 1.8808, 1.9640, 1);
}

static void one_head_of_both_numbers_mixes_them(void) {
    const struct work w = your_work(worked(1));
    EXPECT_PUT(w, AT_WEIGHTS, 0.8930, 0.1070, 0.1956, 0.8044);
    EXPECT_PUT(w, AT_HEADS, 1.1070, 1.7859, 1.8044, 0.3911);
}

/* All numbers of a key head's values are the same, and say which head it is. */
static void neighbours_share_a_key_head(void) {
    struct random r = random_seed(811);
    struct work w = random_work(&attending, (struct sizes){3, 5, 6, 2, 1, 0}, NO_MASK, &r);
    double(*V)[5][1] = w.at[AT_V];
    fill(5, 1.0, V[0]);
    fill(5, 2.0, V[1]);
    w = your_work(w);
    NEW_BLOCK(expected, 6, 3, 1);
    for (int h = 0; h < 6; h++)
        fill(3, h < 3 ? 1.0 : 2.0, expected[h]);
    BECAUSE("All values of key head 0 are 1, all of key head 1 are 2, so what is fetched says "
            "where. Heads 0, 1 and 2 look at key head 0; 3, 4 and 5 at key head 1.");
    EXPECT_PLACE(w, AT_HEADS, expected, LAST_BIT);
}

AGREES(each_head_is_lesson_03_or_05_by_itself, attending, 819)

static void each_row_of_each_head_sums_to_one(void) {
    struct random r = random_seed(814);
    FOR_ALL_SIZES(z) {
        const struct work w = your_work(random_work(&attending, *z, CAUSAL, &r));
        NEW_VECTOR_FILLED(ones, z->n_heads * z->n_q * z->n_k, 1.0);
        NEW_BLOCK(sums_of_weights, z->n_heads, z->n_q, 1);
        product(z->n_heads * z->n_q, z->n_k, 1, w.at[AT_WEIGHTS], (void *)ones, sums_of_weights[0]);
        BECAUSE("Every row of every head's weights sums to 1.");
        EXPECT_BLOCK(z->n_heads, z->n_q, 1, ones, sums_of_weights, LAST_BIT);
    }
}

static void a_word_that_may_look_at_nothing_fetches_nothing(void) {
    struct random r = random_seed(817);
    const struct work w = your_work(random_work(&attending, all_sizes[1], SCATTERED, &r));
    EXPECT_ROW_0_IS_ZERO(w, AT_WEIGHTS);
    EXPECT_ROW_0_IS_ZERO(w, AT_HEADS);
}

/* The numbers of the last word are of this size, and it is blocked for all. */
static struct work blocked_last_word(double size) {
    struct random r = random_seed(818);
    struct work w = random_work(&attending, (struct sizes){3, 4, 2, 2, 5, 0}, NO_MASK, &r);
    bool(*blocked)[4] = w.blocked = memset(mask_new("blocked", 3, 4), false, 12);
    double(*K)[4][5] = w.at[AT_K], (*V)[4][5] = w.at[AT_V];
    blocked[0][3] = blocked[1][3] = blocked[2][3] = true;
    for (int h = 0; h < 2; h++) {
        fill(5, size, K[h][3]);
        fill(5, size, V[h][3]);
    }
    return w;
}

#define BECAUSE_OF_THE_LAST_WORD                                                                   \
    BECAUSE("Word 3 of each key head is enormous, and blocked for all: it changes nothing.")

static void enormous_numbers_that_are_blocked_change_nothing(void) {
    const struct work w = your_work(blocked_last_word(1e200)),
                      expected = obvious_work(blocked_last_word(0.0));
    for (enum place p = AT_WEIGHTS; p <= AT_HEADS; p++) {
        BECAUSE_OF_THE_LAST_WORD;
        EXPECT_PLACE(w, p, expected.at[p], ROUNDING);
    }
}

static void enormous_scores_are_no_obstacle(void) {
    struct work w = {.f = &attending, .z = {1, 3, 2, 1, 1, 0}};
    PUT(w, AT_Q, 1000, -1000);
    PUT(w, AT_K, 3, -1, 3);
    PUT(w, AT_V, 1, 2, 4);
    w = your_work(w);
    BECAUSE("A score of 3000 is too large for exp(): lesson 01's softmax takes the largest away "
            "first.");
    EXPECT_PUT(w, AT_WEIGHTS, 0.5, 0, 0.5, 0, 1, 0);
    EXPECT_PUT(w, AT_HEADS, 2.5, 2);
}

KEEPS_NOTHING(two_threads_may_attend_at_once, attending, 820)

/* attend_heads_backward */

static void the_worked_heads_go_back_each_by_itself(void) {
    struct work w = obvious_work(worked(2));
    PUT_D(w, AT_HEADS, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_Q, 0.1966, 0.1050, 0.0707, 1);
    EXPECT_PUT_D(w, AT_K, -0.4066, 0.4066, 0.0707, -0.0707);
    EXPECT_PUT_D(w, AT_V, 0.3881, 1.6119, 1.4820, 0.5180);
}

/* Of two numbers, so that the scale is not 1. */
static void one_head_of_both_numbers_goes_back(void) {
    struct work w = obvious_work(worked(1));
    PUT_D(w, AT_HEADS, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_Q, -0.0676, 0.1352, -0.1112, 0.2225);
    EXPECT_PUT_D(w, AT_K, 0.2901, 0.1352, -0.2901, -0.1352);
    EXPECT_PUT_D(w, AT_V, 1.0885, 1.0885, 0.9115, 0.9115);
}

ADDS(the_gradients_of_heads_are_added_to_what_is_there, attending, 10.0, 10.0, 822)
GOES_BY_WHAT_IS_LEFT(heads_go_back_by_the_weights_that_are_left, attending, 823)
IS_MEASURED(the_gradients_of_heads_are_what_nudging_measures, attending, NO_MASK, 824)
IS_MEASURED(under_a_mask_they_are_what_nudging_measures_too, attending, CAUSAL, 825)
IS_MEASURED(beside_a_word_that_sees_nothing_they_are_still_right, attending, SCATTERED, 826)

static void a_word_that_saw_nothing_gains_exactly_nothing(void) {
    struct random r = random_seed(827);
    const struct work given = random_work(&attending, all_sizes[1], SCATTERED, &r);
    const struct work w = yours_back(obvious_work(given), 0.0, 0.0);
    EXPECT_D_ROW_0_IS_ZERO(w, AT_Q);
}

/* What reaches the heads, times a value of the last word, is too large for a double: 0 times that
   is no number. */
static void the_mask_holds_on_the_way_back_too(void) {
    struct work given = blocked_last_word(1e200);
    const struct work small = obvious_work(blocked_last_word(0.0));
    const struct work expected = with_gradients(small, 0.0, 0.0);
    attend_back_obviously(&expected);
    given.at[AT_WEIGHTS] = small.at[AT_WEIGHTS];
    scale_into(count_of(&given, AT_HEADS), 1e150, given.d[AT_HEADS], given.d[AT_HEADS]);
    const struct work w = yours_back(given, 0.0, 0.0);
    for (enum place p = AT_Q; p <= AT_V; p++) {
        scale_into(count_of(&w, p), 1e-150, w.d[p], w.d[p]);
        BECAUSE_OF_THE_LAST_WORD;
        EXPECT_D(w, p, expected.d[p], ROUNDING);
    }
}

KEEPS_NOTHING_BACK(two_threads_may_go_back_through_heads_at_once, attending, 829)

const struct lesson_test attend_tests[] = {
    TEST(attend_heads, the_worked_heads_look_at_different_words),
    TEST(attend_heads, one_head_of_both_numbers_mixes_them),
    TEST(attend_heads, neighbours_share_a_key_head),
    TEST(attend_heads, each_head_is_lesson_03_or_05_by_itself),
    TEST(attend_heads, each_row_of_each_head_sums_to_one),
    TEST(attend_heads, a_word_that_may_look_at_nothing_fetches_nothing),
    TEST(attend_heads, enormous_numbers_that_are_blocked_change_nothing),
    TEST(attend_heads, enormous_scores_are_no_obstacle),
    TEST(attend_heads, two_threads_may_attend_at_once),

    TEST(attend_heads_backward, the_worked_heads_go_back_each_by_itself),
    TEST(attend_heads_backward, one_head_of_both_numbers_goes_back),
    TEST(attend_heads_backward, the_gradients_of_heads_are_added_to_what_is_there),
    TEST(attend_heads_backward, heads_go_back_by_the_weights_that_are_left),
    TEST(attend_heads_backward, the_gradients_of_heads_are_what_nudging_measures),
    TEST(attend_heads_backward, under_a_mask_they_are_what_nudging_measures_too),
    TEST(attend_heads_backward, beside_a_word_that_sees_nothing_they_are_still_right),
    TEST(attend_heads_backward, a_word_that_saw_nothing_gains_exactly_nothing),
    TEST(attend_heads_backward, the_mask_holds_on_the_way_back_too),
    TEST(attend_heads_backward, two_threads_may_go_back_through_heads_at_once),
    END_OF_TESTS,
};
