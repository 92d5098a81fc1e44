/* Lesson 15: the backward pass of the ring. */
#include "rings.h"

#include <stddef.h>

/* Compares one gradient of all ranks, including what it contained before. */
static void expect_all(int line, const struct round_trip *t, const char *name, int heads, int d,
                       size_t member, const double *gradient) {
    const struct sizes *z = &t->whole.z;
    const struct dims dims = dims_of(3, heads, z->n_q, d, 1);
    const float *all = of_all_ranks(t, name, heads, d, member);
    double *right = zeros(dims);
    for (int i = 0; i < dims_count(dims); i++)
        right[i] = gradient[i] + (double)t->held;
    const double near = 2.5 * near_gradient(&t->whole, dims, gradient);
    BECAUSE("%s%d tokens on %d %s, %s, d_k %d, d_v %d, %d query and %d key heads. The gradients "
            "were %g "
            "before. %s has the rows of all ranks, and row i is from rank i %% %d.%s",
            ranks_right(t, heads, d, right, all, near), z->n_q, t->ranks,
            t->ranks == 1 ? "rank" : "ranks", t->causal ? "causal mask" : "no mask", z->d_k, z->d_v,
            z->heads, z->kv_heads, (double)t->held, name, t->ranks,
            name[2] == 'Q'   ? ""
            : name[2] == 'K' ? " d_Q is right."
                             : " d_Q and d_K are right.");
    expect_floats(line, name, dims, right, all, near);
}

static void expect_right_back(int line, const struct round_trip *t) {
    const struct pass *p = &t->whole;
    const struct sizes *z = &p->z;
    expect_all(line, t, "d_Q", z->heads, z->d_k, offsetof(struct seat, d_Q), p->d_Q);
    expect_all(line, t, "d_K", z->kv_heads, z->d_k, offsetof(struct seat, d_K), p->d_K);
    expect_all(line, t, "d_V", z->kv_heads, z->d_v, offsetof(struct seat, d_V), p->d_V);
}
#define EXPECT_RIGHT_BACK(trip) expect_right_back(__LINE__, trip)

/* ring_attention_backward */

TEST(ring_attention_backward, two_ranks_bring_the_gradients_back) {
    struct round_trip t = trip_of(31, 2, false, (struct sizes){1, 1, 4, 0, 3, 2, 0});
    EXPECT_RIGHT_BACK(WENT_BACK(&t));
}

TEST(ring_attention_backward, three_ranks_use_the_same_mask_as_forward) {
    struct round_trip t = trip_of(39, 3, true, (struct sizes){1, 1, 6, 0, 2, 4, 0});
    EXPECT_RIGHT_BACK(WENT_BACK(&t));
}

TEST(ring_attention_backward, a_block_may_have_a_token_more_than_the_rank) {
    struct round_trip t = trip_of(38, 2, true, (struct sizes){1, 1, 3, 0, 2, 4, 0});
    EXPECT_RIGHT_BACK(WENT_BACK(&t));
}

TEST(ring_attention_backward, any_number_of_ranks_finds_the_same_gradients) {
    for (int ranks = 1; ranks <= 8; ranks++)
        for (int causal = 0; causal < 2; causal++) {
            matrix_free_all();
            struct round_trip t = trip_of(32, ranks, causal, (struct sizes){1, 1, 13, 0, 5, 3, 0});
            EXPECT_RIGHT_BACK(WENT_BACK(&t));
        }
}

TEST(ring_attention_backward, shared_keys_get_gradients_from_all_their_heads) {
    for (int causal = 0; causal < 2; causal++) {
        matrix_free_all();
        struct round_trip t = trip_of(33, 3, causal, (struct sizes){6, 2, 11, 0, 4, 7, 0});
        EXPECT_RIGHT_BACK(WENT_BACK(&t));
    }
}

TEST(ring_attention_backward, each_rank_may_have_one_token_in_the_backward_pass) {
    struct round_trip t = trip_of(34, 5, true, (struct sizes){2, 1, 5, 0, 3, 2, 0});
    EXPECT_RIGHT_BACK(WENT_BACK(&t));
}

TEST(ring_attention_backward, gradients_are_added) {
    struct round_trip t = trip_of(35, 3, true, (struct sizes){2, 2, 7, 0, 3, 2, 0});
    t.held = 10.0f;
    EXPECT_RIGHT_BACK(WENT_BACK(&t));
}

/* K and V visit all other ranks, and their gradient returns with one more message. */
TEST(ring_attention_backward, gradients_make_one_message_more_than_their_block) {
    struct round_trip t = trip_of(36, 3, false, (struct sizes){2, 1, 8, 0, 3, 2, 0});
    WENT_BACK(&t);
    NEW_VECTOR(sent, 3);
    NEW_VECTOR(right, 3);
    for (int rank = 0; rank < 3; rank++) {
        sent[rank] = t.threads.rank[rank].floats_sent;
        right[rank] = 5 * (8 - share_of(8, 3, (rank + 1) % 3)) + 5 * 8;
    }
    BECAUSE(
        "8 tokens on 3 ranks, 1 key head, d_k 3, d_v 2. A token has 5 floats of keys and values. A "
        "rank sends every block except that of the next rank, and the gradients of all blocks.");
    EXPECT_VECTOR(3, right, sent, 0.0);
}

/* The last wait() has no computation before it. */
TEST(ring_attention_backward, ranks_compute_while_gradients_travel) {
    struct round_trip t = trip_of(40, 4, true, (struct sizes){2, 2, 12, 0, 3, 2, 0});
    EXPECT_OVERLAP(WENT_BACK(&t), 1);
}

TEST(ring_attention_backward, inputs_of_the_backward_pass_stay_as_they_are) {
    struct round_trip t = trip_of(37, 2, true, (struct sizes){2, 1, 6, 0, 3, 2, 0});
    EXPECT_INPUTS_KEPT(WENT_BACK(&t));
    const float *d_out = OF_ALL_RANKS(&t, d_out, t.whole.z.heads, t.whole.z.d_v);
    const struct dims d = of_queries(&t.whole.z, t.whole.z.d_v);
    EXPECT_FLOATS(d, widened("of_the_test", d, t.whole.d_out), d_out, 0.0);
}
