/* Lesson 14: the tests of steps 1 to 3. Those of the kernel are in test_fast_lanes.c, and those of
   flash attention and its backward pass in test_fast_back.c. */
#include "ways.h"

#include <float.h>

/* visible */

TEST(visible, three_queries_see_two_keys_three_and_four) {
    NEW_VECTOR_OF(wanted, 3, 2, 3, 4);
    NEW_VECTOR(counts, 3);
    for (int i = 0; i < 3; i++)
        counts[i] = visible(4, 2, i);
    BECAUSE("seen is 2, so query 0 sees the first 2 of 4 keys.");
    EXPECT_VECTOR(3, wanted, counts, 0.0);
}

TEST(visible, no_query_sees_fewer_than_0_keys) {
    NEW_VECTOR_OF(wanted, 5, 0, 0, 0, 1, 2);
    NEW_VECTOR(counts, 5);
    for (int i = 0; i < 5; i++)
        counts[i] = visible(7, -2, i);
    BECAUSE("seen is -2, n_k 7.");
    EXPECT_VECTOR(5, wanted, counts, 0.0);
}

TEST(visible, no_query_sees_more_keys_than_there_are) {
    NEW_VECTOR_OF(wanted, 4, 2, 3, 3, 3);
    NEW_VECTOR(counts, 4);
    for (int i = 0; i < 4; i++)
        counts[i] = visible(3, 2, i);
    BECAUSE("n_k is 3, seen is 2.");
    EXPECT_VECTOR(4, wanted, counts, 0.0);
    EXPECT_NUMBER(3.0, visible(3, 100, 0), 0.0);
    EXPECT_NUMBER(0.0, visible(3, -100, 5), 0.0);
}

TEST(visible, with_seen_0_a_query_sees_the_keys_before_its_own) {
    for (int i = 0; i < 6; i++) {
        BECAUSE("n_k is 5, seen is 0, i is %d.", i);
        EXPECT_NUMBER(i < 5 ? i : 5, visible(5, 0, i), 0.0);
    }
}

/* naive_attention, ordered_attention, online_attention, tiled_attention have the same tests. */

WAY_TESTS(naive)
WAY_TESTS(ordered)
WAY_TESTS(online)
WAY_TESTS(tiled)

/* Row by row, all numbers of an output are complete only with the last key. Column by column, the
   first number is complete before the last one begins. */
TEST(ordered_attention, ordered_goes_along_the_rows_of_V) {
    struct random r = random_seed(1402);
    const struct sizes z = {1, 1, 1, 64, 3, 4, 64};
    const struct pass p = random_pass(z, 1, &r);
    const struct result result = new_result(&z, true);
    work_watch(z.d_v, result.out);
    run_ordered(&p, &result);
    work_watch(0, NULL);
    BECAUSE("The numbers of out[i] are complete one after another, as down the columns of V. Along "
            "the rows of V, each key adds to all of them before the next key does.");
    EXPECT_THAT(observed().ended_apart < (unsigned)z.n_k,
                "out[0][0] is complete long before out[0][3]");
}

TEST(online_attention, online_keeps_no_weights) {
    expect_little_room(run_online);
}

TEST(tiled_attention, tiled_keeps_no_weights) {
    expect_little_room(run_tiled);
}

/* All queries use the first tile before any of them uses the second. */
TEST(tiled_attention, tiled_uses_each_tile_for_all_its_queries) {
    const struct sizes z = {1, 1, 5, 8 * KEYS, 1, 1, 8 * KEYS};
    struct random r = random_seed(1403);
    const struct pass p = random_pass(z, 1, &r);
    const struct result result = new_result(&z, false);
    for (int i = 0; i < z.n_q; i++)
        result.out[i] = 0;
    const unsigned long before = work_done;
    work_watch(z.n_q, result.out);
    run_tiled(&p, &result);
    work_watch(0, NULL);
    BECAUSE(
        "QUERIES queries should use a tile while it is in the cache, so the loop over the tiles "
        "is the outer one.");
    EXPECT_THAT(observed().began_apart <= (work_done - before) / 4,
                "query 0 goes through all tiles of keys before query 4 begins");
}

TEST(tiled_attention, tiled_takes_one_maximum_for_a_tile) {
    expect_bits_of_its_own(
        __LINE__, run_tiled, run_online, "online_attention",
        "The same bits mean the same steps, with a new maximum at each key. A tile should have "
        "only one new maximum and one factor for the old terms.");
}

/* online_softmax_step */

struct running {
    float max, sum, acc[2];
};

static struct running before_the_first_key(void) {
    return (struct running){-FLT_MAX, 0, {0, 0}};
}

/* The four keys of the text. Their values are 10, 20, 30, 40, each with a 1 as its second number.
 */
static struct running add_worked(int keys) {
    static const float scores[] = {1, 2, 5, 0};
    struct running state = before_the_first_key();
    for (int j = 0; j < keys; j++)
        online_softmax_step(2, scores[j], (const float[]){10 * (float)(j + 1), 1}, &state.max,
                            &state.sum, state.acc);
    return state;
}

TEST(online_softmax_step, the_worked_keys_are_added_one_by_one) {
    static const double wanted[4][4] = {{1, 1, 10, 1},
                                        {2, 1.3679, 23.6788, 1.3679},
                                        {5, 1.0681, 31.1789, 1.0681},
                                        {5, 1.0748, 31.4484, 1.0748}};
    for (int keys = 1; keys <= 4; keys++) {
        const struct running state = add_worked(keys);
        const float *max = &state.max, *sum = &state.sum, *acc = state.acc;
        BECAUSE("After %d of the scores 1, 2, 5, 0, with the values 10, 20, 30, 40.", keys);
        EXPECT_FLOATS(dims_of_rows(0, 0), wanted[keys - 1], max, FOUR_DECIMALS);
        BECAUSE("max is right, after %d of the scores 1, 2, 5, 0.", keys);
        EXPECT_FLOATS(dims_of_rows(0, 0), wanted[keys - 1] + 1, sum, FOUR_DECIMALS);
        BECAUSE("max and sum are right. The second number of each value is 1, so acc[1] should be "
                "equal to the sum.");
        EXPECT_FLOATS(dims_of_rows(0, 2), wanted[keys - 1] + 2, acc, FOUR_DECIMALS);
    }
}

TEST(online_softmax_step, a_higher_score_shrinks_the_old_terms) {
    struct running state = {1, 4, {8, -16}};
    online_softmax_step(2, 1 + logf(2), (const float[]){3, 5}, &state.max, &state.sum, state.acc);
    const float *acc = state.acc, *sum = &state.sum;
    BECAUSE("The new score is higher by log 2, so the old terms count half.");
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(3), sum, 1e-6);
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(7, -3), acc, 1e-5);
}

TEST(online_softmax_step, a_lower_score_leaves_max_as_it_is) {
    struct running state = {3, 1, {2, 4}};
    online_softmax_step(2, 3 - logf(4), (const float[]){8, 0}, &state.max, &state.sum, state.acc);
    const float *acc = state.acc, *max = &state.max, *sum = &state.sum;
    BECAUSE("The new score is lower by log 4, so it counts a quarter.");
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(3), max, 0.0);
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(1.25), sum, 1e-6);
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(4, 4), acc, 1e-5);
}

TEST(online_softmax_step, scores_for_which_exp_overflows_are_added) {
    static const float scores[] = {-3e4f, -3e4f, 2e4f, 2e4f};
    struct running state = before_the_first_key();
    for (int j = 0; j < 4; j++) {
        online_softmax_step(1, scores[j], (const float[]){(float)j}, &state.max, &state.sum,
                            state.acc);
        const float *sum = &state.sum, *acc = state.acc;
        BECAUSE("After %d of the scores -30000, -30000, 20000, 20000.", j + 1);
        EXPECT_FLOATS(dims_of_rows(0, 0), OF(1 + j % 2), sum, 0.0);
        EXPECT_FLOATS(dims_of_rows(0, 1), OF(j < 2 ? j : 2 + 3 * (j - 2)), acc, 0.0);
    }
}

TEST(online_softmax_step, a_score_of_NaN_reaches_sum_and_acc) {
    struct running state = add_worked(3);
    online_softmax_step(2, NAN, (const float[]){1, 1}, &state.max, &state.sum, state.acc);
    EXPECT_THAT(isnan(state.sum) && isnan(state.acc[0]) && isnan(state.acc[1]),
                "the score was NaN, but sum or acc is a number");
}

TEST(online_softmax_step, all_of_a_wide_value_is_added) {
    struct random r = random_seed(1401);
    const struct dims wide = dims_of_rows(0, 7);
    const float *values = random_floats("values", dims_of_rows(5, 7), 2.0, &r);
    float max = -FLT_MAX, sum = 0, *acc = floats_filled("acc", wide, 0);
    double *wanted = zeros(wide);
    for (int j = 0; j < 5; j++) {
        online_softmax_step(7, (float)(j % 3), values + 7 * j, &max, &sum, acc);
        for (int c = 0; c < 7; c++)
            wanted[c] += exp(j % 3 - 2) * (double)values[7 * j + c];
    }
    EXPECT_FLOATS(wide, wanted, acc, 1e-5);
}

TEST(online_softmax_step, two_threads_may_add_keys_at_once) {
    struct running one = before_the_first_key(), two = before_the_first_key();
    EXPECT_NOTHING_KEPT(
        online_softmax_step(2, 1, (const float[]){1, 2}, &one.max, &one.sum, one.acc),
        online_softmax_step(2, 3, (const float[]){4, 5}, &two.max, &two.sum, two.acc));
}
