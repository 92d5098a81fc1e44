/* Lesson 15: stripes, merging, the forward pass and the model. The backward pass has a file of its
   own. */
#include "rings.h"

#include <limits.h>
#include <stddef.h>

/* stripe_length */

TEST(stripe_length, ten_tokens_are_distributed_to_four_ranks) {
    NEW_VECTOR_OF(right, 4, 3, 3, 2, 2);
    NEW_VECTOR(stripes, 4);
    for (int r = 0; r < 4; r++)
        stripes[r] = stripe_length(10, 4, r);
    BECAUSE("Rank 0 has the tokens 0, 4, 8, rank 1 has 1, 5, 9, rank 2 has 2, 6, rank 3 has 3, 7.");
    EXPECT_VECTOR(4, right, stripes, 0.0);
}

TEST(stripe_length, every_token_belongs_to_one_rank) {
    for (int ranks = 1; ranks <= 7; ranks++)
        for (int n = ranks; n <= 4 * ranks; n++)
            for (int r = 0; r < ranks; r++) {
                BECAUSE("n is %d, ranks %d, rank %d.", n, ranks, r);
                EXPECT_NUMBER(share_of(n, ranks, r), stripe_length(n, ranks, r), 0.0);
            }
}

TEST(stripe_length, twenty_million_tokens_are_counted_too) {
    BECAUSE("n is 20000003, ranks 1000, rank 7.");
    EXPECT_NUMBER(20000, stripe_length(20000003, 1000, 7), 0.0);
}

/* take_stripe, put_stripe */

enum { STRIPED_HEADS = 2, STRIPED = 7, STRIPED_D = 4, STRIPED_RANKS = 3 };

/* Token i of head h contains 100 h + 10 i + c in column c. */
static void *numbered_sequence(const char *name) {
    float(*whole)[STRIPED][STRIPED_D] =
        floats_new(name, dims_of(3, STRIPED_HEADS, STRIPED, STRIPED_D, 1));
    for (int h = 0; h < STRIPED_HEADS; h++)
        for (int i = 0; i < STRIPED; i++)
            for (int c = 0; c < STRIPED_D; c++)
                whole[h][i][c] = (float)(100 * h + 10 * i + c);
    return whole;
}

TEST(take_stripe, rank_1_of_3_takes_tokens_1_and_4) {
    void *whole = numbered_sequence("whole");
    NEW_FLOATS(stripe, 2, 2, 4);
    take_stripe(2, 7, 2, 4, 3, 1, whole, stripe);
    BECAUSE("Of 7 tokens and 3 ranks, rank 1 has the tokens 1 and 4. whole[h][i][c] is 100 h + 10 "
            "i + c.");
    EXPECT_FLOATS(dims_of(3, 2, 2, 4, 1),
                  OF(10, 11, 12, 13, 40, 41, 42, 43, 110, 111, 112, 113, 140, 141, 142, 143),
                  stripe, 0.0);
}

TEST(take_stripe, each_rank_takes_its_own_tokens) {
    void *whole = numbered_sequence("whole");
    for (int r = 0; r < STRIPED_RANKS; r++) {
        const int m = share_of(STRIPED, STRIPED_RANKS, r);
        const struct dims dims = dims_of(3, STRIPED_HEADS, m, STRIPED_D, 1);
        void *right = dealt("right", STRIPED_HEADS, STRIPED, STRIPED_D, STRIPED_RANKS, r, whole);
        NEW_FLOATS(stripe, STRIPED_HEADS, m, STRIPED_D);
        take_stripe(STRIPED_HEADS, STRIPED, m, STRIPED_D, STRIPED_RANKS, r, whole, stripe);
        BECAUSE("Rank %d of %d.", r, STRIPED_RANKS);
        EXPECT_FLOATS(dims, widened("of_the_test", dims, right), stripe, 0.0);
    }
}

TEST(put_stripe, rank_1_of_3_puts_tokens_1_and_4_and_no_others) {
    NEW_FLOATS(stripe, 1, 2, 3);
    memcpy(stripe, (float[]){1, 2, 3, 4, 5, 6}, sizeof(float[6]));
    float *whole = floats_filled("whole", dims_of(3, 1, 7, 3, 1), -1.0f);
    put_stripe(1, 7, 2, 3, 3, 1, stripe, (void *)whole);
    BECAUSE(
        "All numbers were -1 before. Rank 1 of 3 has the tokens 1 and 4, and the others stay -1.");
    EXPECT_FLOATS(dims_of(3, 1, 7, 3, 1),
                  OF(-1, -1, -1, 1, 2, 3, -1, -1, -1, -1, -1, -1, 4, 5, 6, -1, -1, -1, -1, -1, -1),
                  whole, 0.0);
}

TEST(put_stripe, all_stripes_together_are_the_whole_sequence) {
    const struct dims dims = dims_of(3, STRIPED_HEADS, STRIPED, STRIPED_D, 1);
    void *right = numbered_sequence("of_the_test");
    NEW_FLOATS(whole, STRIPED_HEADS, STRIPED, STRIPED_D);
    for (int r = 0; r < STRIPED_RANKS; r++) {
        const int m = share_of(STRIPED, STRIPED_RANKS, r);
        put_stripe(STRIPED_HEADS, STRIPED, m, STRIPED_D, STRIPED_RANKS, r,
                   dealt("stripe", STRIPED_HEADS, STRIPED, STRIPED_D, STRIPED_RANKS, r, right),
                   whole);
    }
    EXPECT_FLOATS(dims, widened("of_the_test", dims, right), whole, 0.0);
}

/* stripe_seen */

TEST(stripe_seen, the_diagonal_is_visible_for_later_and_equal_ranks) {
    NEW_VECTOR_OF(right, 5, 1, 1, 0, 4, 4);
    NEW_VECTOR(seen, 5);
    seen[0] = stripe_seen(true, 4, 2, 1);
    seen[1] = stripe_seen(true, 4, 2, 2);
    seen[2] = stripe_seen(true, 4, 1, 2);
    seen[3] = stripe_seen(false, 4, 1, 2);
    seen[4] = stripe_seen(false, 4, 2, 1);
    BECAUSE("The ranks of query and key are 2 and 1, 2 and 2, 1 and 2 with a causal mask, then 1 "
            "and 2, "
            "2 and 1 without a mask. There are 4 keys.");
    EXPECT_VECTOR(5, right, seen, 0.0);
}

/* The number of keys that are not later than a query. */
static int keys_before(int word, int n_k, int ranks, int key_rank) {
    int count = 0;
    for (int j = 0; j < n_k; j++)
        count += key_rank + j * ranks <= word;
    return count;
}

TEST(stripe_seen, a_token_sees_all_earlier_tokens_of_the_sequence) {
    enum { N = 23, RANKS = 4 };
    for (int q = 0; q < RANKS; q++)
        for (int k = 0; k < RANKS; k++)
            for (int i = 0; i < share_of(N, RANKS, q); i++) {
                const int n_k = share_of(N, RANKS, k), word = q + i * RANKS;
                const int seen = stripe_seen(true, n_k, q, k) + i;
                BECAUSE(
                    "Token %d of %d is token %d of rank %d. The keys are those of rank %d of %d.",
                    word, N, i, q, k, RANKS);
                EXPECT_NUMBER(keys_before(word, n_k, RANKS, k),
                              seen < 0     ? 0
                              : seen > n_k ? n_k
                                           : seen,
                              0.0);
            }
}

/* visible_pairs */

TEST(visible_pairs, three_queries_see_nine_keys) {
    BECAUSE("3 queries and 4 keys, seen is 2. The queries see 2, 3 and 4 keys.");
    EXPECT_NUMBER(9, visible_pairs(3, 4, 2), 0.0);
}

TEST(visible_pairs, rectangles_and_triangles) {
    BECAUSE("5 queries see all of 7 keys.");
    EXPECT_NUMBER(35, visible_pairs(5, 7, 7), 0.0);
    BECAUSE("6 queries and 2 keys, seen is -2. The sum is 0 + 0 + 0 + 1 + 2 + 2.");
    EXPECT_NUMBER(5, visible_pairs(6, 2, -2), 0.0);
    BECAUSE("5 queries and 5 keys, seen is 1. The sum is 1 + 2 + 3 + 4 + 5.");
    EXPECT_NUMBER(15, visible_pairs(5, 5, 1), 0.0);
    BECAUSE("5 queries and 5 keys, seen is 0. The sum is 0 + 1 + 2 + 3 + 4.");
    EXPECT_NUMBER(10, visible_pairs(5, 5, 0), 0.0);
    BECAUSE("5 queries and 3 keys, seen is 9. No query sees more than 3 keys.");
    EXPECT_NUMBER(15, visible_pairs(5, 3, 9), 0.0);
}

TEST(visible_pairs, more_pairs_than_an_int_can_count) {
    const double pairs = visible_pairs(100000, 100000, 1);
    BECAUSE_IF(pairs <= INT_MAX, "100000 queries and keys, seen is 1. The largest int is %d.",
               INT_MAX);
    BECAUSE(
        "100000 queries and keys, seen is 1. Above 16777216 a float cannot store every integer.");
    BECAUSE("100000 queries and keys, seen is 1.");
    EXPECT_NUMBER(5000050000.0, pairs, 0.0);
}

/* merge_partial */

struct merged {
    struct dims dims;
    float *out, *lse;
};

static struct merged merge(int rows, int d, const float *out, const float *lse, const float *part,
                           const float *part_lse) {
    const struct dims dims = dims_of(2, rows, d, 1, 1), one = dims_of(1, rows, 1, 1, 1);
    struct merged m = {dims, floats_copy("out", dims, out), floats_copy("lse", one, lse)};
    const float *other = floats_copy("part", dims, part);
    merge_partial(rows, d, (const void *)other, floats_copy("part_lse", one, part_lse),
                  (void *)m.out, m.lse);
    return m;
}

TEST(merge_partial, two_ranks_have_seen_half_of_the_keys_each) {
    const struct merged m = merge(1, 1, (float[]){17.3106f}, (float[]){2.3133f},
                                  (float[]){30.0669f}, (float[]){5.0067f});
    const float *out = m.out, *lse = m.lse;
    BECAUSE_IF(fabs((double)out[0] - 23.6888) < 2e-4, "23.6888 is the plain mean of both outputs.");
    BECAUSE("out was 17.3106 with the log-sum-exp 2.3133, and part is 30.0669 with 5.0067.");
    EXPECT_FLOATS(dims_of(2, 1, 1, 1, 1), OF(29.2587), out, 2e-4);
    EXPECT_FLOATS(dims_of(1, 1, 1, 1, 1), OF(5.0722), lse, FOUR_DECIMALS);
}

TEST(merge_partial, each_row_and_column_is_merged_by_itself) {
    const struct merged m = merge(2, 3, (float[]){1, 2, 3, 4, 5, 6}, (float[]){0, logf(3.0f)},
                                  (float[]){3, 6, 9, 8, 1, 2}, (float[]){0, 0});
    const float *out = m.out, *lse = m.lse;
    BECAUSE("In row 0 both sides have the same weight. In row 1 out has three times the weight of "
            "part.");
    EXPECT_FLOATS(m.dims, OF(2, 4, 6, 5, 4, 5), out, 1e-5);
    EXPECT_FLOATS(dims_of(1, 2, 1, 1, 1), OF(log(2.0), log(4.0)), lse, 1e-6);
}

TEST(merge_partial, a_side_without_keys_changes_nothing) {
    const float no_key = -INFINITY;
    const struct merged m = merge(3, 1, (float[]){7, 0, 0}, (float[]){1, no_key, no_key},
                                  (float[]){0, 0, 9}, (float[]){no_key, no_key, 2});
    const float *out = m.out, *lse = m.lse;
    BECAUSE("In row 0 part has seen no key, in row 1 neither side has, and in row 2 out has not.");
    EXPECT_FLOATS(m.dims, OF(7, 0, 9), out, 0.0);
    EXPECT_THAT(lse[0] == 1.0f && lse[1] == no_key && lse[2] == 2.0f,
                "lse is %g, %g, %g; it should be 1, -inf, 2", (double)lse[0], (double)lse[1],
                (double)lse[2]);
}

TEST(merge_partial, large_scores_do_not_overflow) {
    const struct merged m = merge(4, 1, (float[]){1, 1, 1, 1}, (float[]){1000, 1000, -1000, 800},
                                  (float[]){3, 3, 3, 3}, (float[]){1000, 800, -1000, 1000});
    const float *out = m.out, *lse = m.lse;
    BECAUSE("The log-sum-exps are 1000 and 1000, 1000 and 800, -1000 and -1000, 800 and 1000.");
    EXPECT_FLOATS(m.dims, OF(2, 1, 2, 3), out, 5e-4); /* the precision of a float near 1000 */
    EXPECT_FLOATS(dims_of(1, 4, 1, 1, 1), OF(1000 + log(2.0), 1000, -1000 + log(2.0), 1000), lse,
                  1e-4);
}

/* Three sets of keys, merged in several orders, give the result over all keys. */
TEST(merge_partial, pieces_of_keys_in_any_order_are_all_keys) {
    struct random r = random_seed(15);
    static const int orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
    static const int ends[] = {0, 4, 5, 11};
    const struct sizes z = {1, 1, 6, 11, 5, 4, 11};
    const struct pass p = random_pass(z, 2.0, &r);
    const struct dims dims = of_one(of_queries(&z, z.d_v)), rows = of_one(of_rows(&z));
    for (int o = 0; o < 3; o++) {
        float *out = floats_filled("out", dims, 0.0f), *lse = floats_filled("lse", rows, -INFINITY);
        for (int k = 0; k < 3; k++) {
            struct pass piece = p;
            const int from = ends[orders[o][k]], n = ends[orders[o][k] + 1] - from;
            float *part = floats_new("part", dims), *part_lse = floats_new("part_lse", rows);
            piece.z.n_k = piece.z.seen = n;
            piece.K = (float *)p.K + from * z.d_k;
            piece.V = (float *)p.V + from * z.d_v;
            obvious_pass(&piece);
            for (int i = 0; i < dims_count(dims); i++)
                part[i] = (float)piece.out[i];
            for (int i = 0; i < z.n_q; i++)
                part_lse[i] = (float)piece.lse[i];
            merge_partial(z.n_q, z.d_v, (const void *)part, part_lse, (void *)out, lse);
        }
        BECAUSE("The results over keys 0 to 3, key 4 and keys 5 to 10 are merged in the order "
                "%d, %d, %d.",
                orders[o][0], orders[o][1], orders[o][2]);
        EXPECT_FLOATS(dims, p.out, out, near_out(&p));
        EXPECT_FLOATS(rows, p.lse, lse, near_lse(&p));
    }
}

/* fmaxf() of a NaN and a number is the number. */
TEST(merge_partial, a_nan_on_either_side_remains) {
    const float no_key = -INFINITY;
    const struct merged m = merge(3, 1, (float[]){0, 5, NAN}, (float[]){no_key, 1, NAN},
                                  (float[]){NAN, NAN, 3}, (float[]){NAN, NAN, 2});
    const float *out = m.out, *lse = m.lse;
    BECAUSE("In rows 0 and 1 part is NaN, in row 2 out is. In row 0 out has seen no key.");
    for (int i = 0; i < 3; i++)
        EXPECT_THAT(isnan(out[i]) && isnan(lse[i]), "row %d of out is %g, lse %g: the NaN is lost",
                    i, (double)out[i], (double)lse[i]);
}

/* block_floats */

TEST(block_floats, two_heads_of_three_keys_and_values) {
    BECAUSE("2 heads, 3 tokens, d_k is 4, d_v is 7. The keys have 24 numbers and the values 42.");
    EXPECT_NUMBER(66, block_floats(2, 3, 4, 7), 0.0);
}

TEST(block_floats, seven_heads_of_eleven_keys_and_values) {
    BECAUSE(
        "7 heads, 11 tokens, d_k is 9, d_v is 5. The keys have 693 numbers and the values 385.");
    EXPECT_NUMBER(7 * 11 * (9 + 5), block_floats(7, 11, 9, 5), 0.0);
}

/* ring_attention */

static void expect_right(int line, const struct round_trip *t) {
    const struct pass *p = &t->whole;
    const struct sizes *z = &p->z;
    const float *out = OF_ALL_RANKS(t, out, z->heads, z->d_v);
    const float *lse = OF_ALL_RANKS(t, lse, z->heads, 1);
    BECAUSE(
        "%s%d tokens on %d %s, %s, d_k %d, d_v %d, %d query and %d key heads. out has the rows of "
        "all ranks, and row i is from rank i %% %d.",
        ranks_right(t, z->heads, z->d_v, p->out, out, near_out(p)), z->n_q, t->ranks,
        t->ranks == 1 ? "rank" : "ranks", t->causal ? "causal mask" : "no mask", z->d_k, z->d_v,
        z->heads, z->kv_heads, t->ranks);
    expect_floats(line, "out", of_queries(z, z->d_v), p->out, out, near_out(p));
    BECAUSE("%sout is right. lse has the rows of all ranks.",
            ranks_right(t, z->heads, 1, p->lse, lse, near_lse(p)));
    expect_floats(line, "lse", of_rows(z), p->lse, lse, near_lse(p));
}
#define EXPECT_RIGHT(trip) expect_right(__LINE__, trip)

/* The example of the text: scores 1, 2, 5, 0, values 10, 20, 30, 40. */
TEST(ring_attention, two_ranks_of_two_tokens_agree_on_the_example) {
    static const float ones[4] = {1, 1, 1, 1}, keys[4] = {1, 2, 5, 0}, values[4] = {10, 20, 30, 40};
    struct round_trip t = {.whole = {.z = {1, 1, 4, 4, 1, 1, 4}, .reach = 1.0}, .ranks = 2};
    const struct dims dims = dims_of(3, 1, 4, 1, 1);
    t.whole.Q = floats_copy("of_the_test", dims, ones);
    t.whole.K = floats_copy("of_the_test", dims, keys);
    t.whole.V = floats_copy("of_the_test", dims, values);
    WENT_ROUND(&t);
    const float *out = OF_ALL_RANKS(&t, out, 1, 1);
    BECAUSE(
        "Rank 0 has the tokens 0 and 2, rank 1 has 1 and 3. Each query has the scores 1, 2, 5, 0 "
        "and the values 10, 20, 30, 40.");
    EXPECT_FLOATS(dims, OF(29.2587, 29.2587, 29.2587, 29.2587), out, FOUR_DECIMALS);
}

/* All stripes have the same length. */
TEST(ring_attention, three_ranks_of_two_tokens_hide_later_keys) {
    struct round_trip t = trip_of(23, 3, true, (struct sizes){1, 1, 6, 0, 3, 2, 0});
    EXPECT_RIGHT(WENT_ROUND(&t));
}

TEST(ring_attention, three_ranks_share_five_tokens) {
    struct round_trip t = trip_of(22, 3, true, (struct sizes){1, 1, 5, 0, 3, 2, 0});
    EXPECT_RIGHT(WENT_ROUND(&t));
}

TEST(ring_attention, any_number_of_ranks_gives_what_one_gives) {
    for (int ranks = 1; ranks <= 8; ranks++)
        for (int causal = 0; causal < 2; causal++) {
            matrix_free_all();
            struct round_trip t = trip_of(16, ranks, causal, (struct sizes){1, 1, 13, 0, 5, 3, 0});
            EXPECT_RIGHT(WENT_ROUND(&t));
        }
}

TEST(ring_attention, heads_may_share_keys) {
    for (int causal = 0; causal < 2; causal++) {
        matrix_free_all();
        struct round_trip t = trip_of(17, 3, causal, (struct sizes){6, 2, 11, 0, 4, 7, 0});
        EXPECT_RIGHT(WENT_ROUND(&t));
    }
}

TEST(ring_attention, each_rank_may_have_one_token) {
    for (int causal = 0; causal < 2; causal++) {
        matrix_free_all();
        struct round_trip t = trip_of(18, 5, causal, (struct sizes){2, 1, 5, 0, 3, 2, 0});
        EXPECT_RIGHT(WENT_ROUND(&t));
    }
}

TEST(ring_attention, long_stripes_are_right_too) {
    struct round_trip t = trip_of(19, 3, true, (struct sizes){1, 1, 3 * LANES + 7, 0, 16, 16, 0});
    EXPECT_RIGHT(WENT_ROUND(&t));
}

/* A rank sends every block except the one that belongs to the next rank. */
TEST(ring_attention, a_block_goes_to_all_other_ranks_and_no_further) {
    struct round_trip t = trip_of(20, 4, true, (struct sizes){4, 2, 10, 0, 3, 2, 0});
    WENT_ROUND(&t);
    NEW_VECTOR(sent, 4);
    NEW_VECTOR_OF(right, 4, 8 * 10, 8 * 10, 7 * 10, 7 * 10);
    for (int rank = 0; rank < 4; rank++)
        sent[rank] = t.threads.rank[rank].floats_sent;
    right[0] = (10 - share_of(10, 4, 1)) * 10; /* all blocks except that of the next rank */
    right[1] = (10 - share_of(10, 4, 2)) * 10;
    right[2] = (10 - share_of(10, 4, 3)) * 10;
    right[3] = (10 - share_of(10, 4, 0)) * 10;
    BECAUSE(
        "10 tokens on 4 ranks, 4 query and 2 key heads, d_k 3, d_v 2. A token has 10 floats of "
        "keys "
        "and values. A rank sends every block except that of the next rank, which has it already.");
    EXPECT_VECTOR(4, right, sent, 0.0);
}

TEST(ring_attention, ranks_compute_while_blocks_travel) {
    struct round_trip t = trip_of(24, 4, true, (struct sizes){2, 2, 12, 0, 3, 2, 0});
    EXPECT_OVERLAP(WENT_ROUND(&t), 0);
}

TEST(ring_attention, inputs_stay_as_they_are) {
    struct round_trip t = trip_of(21, 3, true, (struct sizes){2, 1, 8, 0, 3, 2, 0});
    EXPECT_INPUTS_KEPT(WENT_ROUND(&t));
}

/* ring_seconds */

/* A slow machine, so that results are large and errors do not look like rounding: 100,000
   operations per second, a latency of 1 second, 1000 bytes per second. */
static const struct machine plain_machine = {1e5, 1.0, 1e3};

TEST(ring_seconds, computation_decides_with_long_stripes) {
    BECAUSE("n 10000, 5 ranks, m 2000. A step computes 2 * 3 * (48 + 80) * 2000 * 2000 operations, "
            "30720 s. Its message takes 1 s and 4 * 1 * 128 * 2000 bytes, 1025 s. 5 steps.");
    EXPECT_NUMBER(5 * 30720, ring_seconds(plain_machine, false, 3, 1, 10000, 48, 80, 5), 1e-6);
    BECAUSE("The same with a causal mask, so half the operations.");
    EXPECT_NUMBER(5 * 15360, ring_seconds(plain_machine, true, 3, 1, 10000, 48, 80, 5), 1e-6);
}

TEST(ring_seconds, the_network_decides_with_short_stripes) {
    BECAUSE("n 250, 5 ranks, m 50. A step computes 2 * 6 * 128 * 50 * 50 operations, 38.4 s. Its "
            "message takes 1 s and 4 * 2 * 128 * 50 bytes, 52.2 s. 4 steps wait for it, the last "
            "does not.");
    EXPECT_NUMBER(4 * 52.2 + 38.4, ring_seconds(plain_machine, false, 6, 2, 250, 48, 80, 5), 1e-9);
}

TEST(ring_seconds, a_very_slow_network_decides_alone) {
    const struct machine far = {1e5, 1.0, 100};
    BECAUSE("n 250, 5 ranks, m 50, causal mask. A step computes half of 2 * 6 * 128 * 50 * 50 "
            "operations, 19.2 s. Its message takes 1 s and 4 * 2 * 128 * 50 bytes at 100 per "
            "second, 513 s.");
    EXPECT_NUMBER(4 * 513 + 19.2, ring_seconds(far, true, 6, 2, 250, 48, 80, 5), 1e-9);
}

TEST(ring_seconds, a_single_rank_sends_no_message) {
    const struct machine cut_off = {1e5, 1e3, 1.0};
    BECAUSE("One rank computes 2 * 3 * (5 + 7) * 1000 * 1000 operations and sends nothing.");
    EXPECT_NUMBER(72e6 / 1e5, ring_seconds(cut_off, false, 3, 1, 1000, 5, 7, 1), 1e-9);
}

TEST(ring_seconds, n_need_not_be_a_multiple_of_ranks) {
    BECAUSE("n 100, 3 ranks, m is 100 / 3. A step computes 2 * 6 * (30 + 20) * m * m operations, "
            "6.67 s. Its message takes 1 s and 4 * 1 * 50 * m bytes, 7.67 s.");
    EXPECT_NUMBER(22, ring_seconds(plain_machine, false, 6, 1, 100, 30, 20, 3), 1e-9);
}

TEST(ring_seconds, a_thousand_machines_and_a_million_tokens) {
    const struct machine machine = {150e9, 2e-6, 1.25e9};
    BECAUSE("150 GFLOP/s, 2 us, 10 Gbit/s, a million tokens, 8 heads of 64, causal, 1000 ranks.");
    EXPECT_NUMBER(6.8267, ring_seconds(machine, true, 8, 8, 1e6, 64, 64, 1000), 1e-4);
    BECAUSE("The same at 1 Gbit/s. 999 steps take 32.8 ms, as long as their message.");
    EXPECT_NUMBER(
        32.7441, ring_seconds((struct machine){150e9, 2e-6, 1.25e8}, true, 8, 8, 1e6, 64, 64, 1000),
        1e-4);
    BECAUSE("One rank with 150 GFLOP/s. Half of 2 * 8 * 128 * 1e12 operations take two hours.");
    EXPECT_NUMBER(6826.667, ring_seconds(machine, true, 8, 8, 1e6, 64, 64, 1), 1e-3);
}
