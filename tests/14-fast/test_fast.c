/* Lesson 14: what fast.h promises. Here are the first steps of the ladder, up to tiles; those of
   the kernel and of the way back stand in files beside this one. */
#include "ways.h"

#include <float.h>

/* visible */

TEST(visible, three_queries_see_two_keys_three_and_four) {
    NEW_VECTOR_OF(wanted, 3, 2, 3, 4);
    NEW_VECTOR(counts, 3);
    for (int i = 0; i < 3; i++)
        counts[i] = visible(4, 2, i);
    BECAUSE("seen is 2: of 4 keys query 0 sees the first 2.");
    EXPECT_VECTOR(3, wanted, counts, 0.0);
}

TEST(visible, nobody_sees_fewer_than_no_key) {
    NEW_VECTOR_OF(wanted, 5, 0, 0, 0, 1, 2);
    NEW_VECTOR(counts, 5);
    for (int i = 0; i < 5; i++)
        counts[i] = visible(7, -2, i);
    BECAUSE("seen is -2, n_k 7.");
    EXPECT_VECTOR(5, wanted, counts, 0.0);
}

TEST(visible, nobody_sees_more_keys_than_there_are) {
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

/* naive_attention, ordered_attention, online_attention, tiled_attention: the same of each */

WAY_TESTS(naive)
WAY_TESTS(ordered)
WAY_TESTS(online)
WAY_TESTS(tiled)

/* Blended row by row, all numbers of an output are whole with the last key; column by column, the
   last one is begun when the first is whole. */
TEST(ordered_attention, ordered_goes_along_the_rows_of_V) {
    struct random r = random_seed(1402);
    const struct sizes z = {1, 1, 1, 64, 3, 4, 64};
    const struct pass p = random_pass(z, 1, &r);
    const struct result result = new_result(&z, true);
    work_watch(z.d_v, result.out);
    run_ordered(&p, &result);
    work_watch(0, NULL);
    BECAUSE("V is read column by column. Let the loop over the keys be the outer one, and add "
            "weights[i][j] times row V[j] to the whole row out[i].");
    EXPECT_THAT(observed().ended_apart < (unsigned)z.n_k,
                "out[0][0] is whole long before out[0][3]");
}

TEST(online_attention, online_keeps_no_weights) {
    expect_little_room(run_online);
}

TEST(tiled_attention, tiled_keeps_no_weights) {
    expect_little_room(run_tiled);
}

/* The first query and the last meet the first tile, before either meets the second. */
TEST(tiled_attention, tiled_asks_each_tile_of_all_its_queries) {
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
        "Let the loop over the tiles be the outer one: then QUERIES queries use a tile while it "
        "lies in the cache.");
    EXPECT_THAT(observed().began_apart <= (work_done - before) / 4,
                "query 0 goes through all tiles of keys before query 4 begins");
}

TEST(tiled_attention, tiled_takes_one_maximum_for_a_tile) {
    expect_bits_of_its_own(
        __LINE__, run_tiled, run_online, "online_attention",
        "Each key may bring a new maximum here. Compute the scores of a whole tile "
        "first: it has one maximum, and one factor for all that came before.");
}

/* online_softmax_step */

struct ear {
    float max, sum, acc[2];
};

static struct ear deaf(void) {
    return (struct ear){-FLT_MAX, 0, {0, 0}};
}

/* The four keys of the text; their values are 10, 20, 30, 40, and a 1. */
static struct ear hear_worked(int keys) {
    static const float scores[] = {1, 2, 5, 0};
    struct ear ear = deaf();
    for (int j = 0; j < keys; j++)
        online_softmax_step(2, scores[j], (const float[]){10 * (float)(j + 1), 1}, &ear.max,
                            &ear.sum, ear.acc);
    return ear;
}

TEST(online_softmax_step, the_worked_keys_are_heard_one_by_one) {
    static const double wanted[4][4] = {{1, 1, 10, 1},
                                        {2, 1.3679, 23.6788, 1.3679},
                                        {5, 1.0681, 31.1789, 1.0681},
                                        {5, 1.0748, 31.4484, 1.0748}};
    for (int keys = 1; keys <= 4; keys++) {
        const struct ear ear = hear_worked(keys);
        const float *max = &ear.max, *sum = &ear.sum, *acc = ear.acc;
        BECAUSE("%d of the scores 1, 2, 5, 0 were heard, with the values 10, 20, 30, 40.", keys);
        EXPECT_FLOATS(dims_of_rows(0, 0), wanted[keys - 1], max, FOUR_DECIMALS);
        BECAUSE("max is right: %d of the scores 1, 2, 5, 0 were heard.", keys);
        EXPECT_FLOATS(dims_of_rows(0, 0), wanted[keys - 1] + 1, sum, FOUR_DECIMALS);
        BECAUSE("max and sum are right. Behind each value stood a 1: of it as much was heard as "
                "the sum is.");
        EXPECT_FLOATS(dims_of_rows(0, 2), wanted[keys - 1] + 2, acc, FOUR_DECIMALS);
    }
}

TEST(online_softmax_step, a_higher_score_shrinks_what_was_heard) {
    struct ear ear = {1, 4, {8, -16}};
    online_softmax_step(2, 1 + logf(2), (const float[]){3, 5}, &ear.max, &ear.sum, ear.acc);
    const float *acc = ear.acc, *sum = &ear.sum;
    BECAUSE("The new score is higher by log 2: what was there counts half.");
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(3), sum, 1e-6);
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(7, -3), acc, 1e-5);
}

TEST(online_softmax_step, a_lower_score_leaves_max_as_it_is) {
    struct ear ear = {3, 1, {2, 4}};
    online_softmax_step(2, 3 - logf(4), (const float[]){8, 0}, &ear.max, &ear.sum, ear.acc);
    const float *acc = ear.acc, *max = &ear.max, *sum = &ear.sum;
    BECAUSE("The new score is lower by log 4: it counts a quarter.");
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(3), max, 0.0);
    EXPECT_FLOATS(dims_of_rows(0, 0), OF(1.25), sum, 1e-6);
    EXPECT_FLOATS(dims_of_rows(0, 2), OF(4, 4), acc, 1e-5);
}

TEST(online_softmax_step, scores_that_no_exp_can_hold_are_heard) {
    static const float scores[] = {-3e4f, -3e4f, 2e4f, 2e4f};
    struct ear ear = deaf();
    for (int j = 0; j < 4; j++) {
        online_softmax_step(1, scores[j], (const float[]){(float)j}, &ear.max, &ear.sum, ear.acc);
        const float *sum = &ear.sum, *acc = ear.acc;
        BECAUSE("After %d of the scores -30000, -30000, 20000, 20000.", j + 1);
        EXPECT_FLOATS(dims_of_rows(0, 0), OF(1 + j % 2), sum, 0.0);
        EXPECT_FLOATS(dims_of_rows(0, 1), OF(j < 2 ? j : 2 + 3 * (j - 2)), acc, 0.0);
    }
}

TEST(online_softmax_step, a_score_that_is_no_number_is_heard) {
    struct ear ear = hear_worked(3);
    online_softmax_step(2, NAN, (const float[]){1, 1}, &ear.max, &ear.sum, ear.acc);
    EXPECT_THAT(isnan(ear.sum) && isnan(ear.acc[0]) && isnan(ear.acc[1]),
                "the score was NaN, and sum or acc is a number");
}

TEST(online_softmax_step, all_of_a_wide_value_is_heard) {
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

TEST(online_softmax_step, two_threads_may_hear_at_once) {
    struct ear one = deaf(), two = deaf();
    EXPECT_NOTHING_KEPT(
        online_softmax_step(2, 1, (const float[]){1, 2}, &one.max, &one.sum, one.acc),
        online_softmax_step(2, 3, (const float[]){4, 5}, &two.max, &two.sum, two.acc));
}
