/* Lesson 10: the tests of the attention layer and of its backward pass. */
#include "norms.h"

/* If m is 0, there is no memory, so the layer is self-attention. */
struct sizes {
    int n, m, d, n_heads, n_kv_heads, d_head;
};
#define KEYS(z) ((z).m ? (z).m : (z).n)

#include "../heads.h"
#include "../masks.h"

#define ALL_PIECES(_)                                                                              \
    _(X, "d_X", dims_of_rows(z.n, z.d))                                                            \
    _(MEMORY, "d_memory", dims_of(2, z.m, z.d, 1, 1))                                              \
    _(GAIN, "d_gain", dims_of_rows(0, z.d))                                                        \
    _(BIAS, "d_bias", dims_of_rows(0, z.d))                                                        \
    HEADS_WEIGHTS(_, , "", 1)                                                                      \
    _(NORMED, "d_normed", dims_of_rows(z.n, z.d))                                                  \
    _(INVERSE_STD, "d_inverse_std", dims_of_rows(0, z.n))                                          \
    _(SCALED, "d_scaled", dims_of_rows(z.n, z.d))                                                  \
    HEADS_VALUES(_, , "", z.n, KEYS(z))                                                            \
    _(OUT, "d_out", dims_of_rows(z.n, z.d))
#define LAST_WORDS MEMORY
#define LAST_GIVEN W_O
#define ZEROED(p)  false

#include "../pieces.h"

/* The sizes of a set differ (except those of the heads), and each size is 1 in some set. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 1, 6}, {4, 0, 3, 2, 2, 5}, {5, 2, 3, 1, 1, 4},
    {2, 0, 4, 6, 3, 1}, {1, 3, 2, 4, 2, 5}, {2, 1, 3, 2, 2, 4},
    {1, 0, 2, 3, 1, 4}, {3, 2, 1, 2, 2, 5}, {1, 1, 1, 1, 1, 1},
};
static const struct sizes with_memory = {3, 5, 4, 2, 1, 6}, alone = {4, 0, 3, 2, 2, 5};

/* The structs of depth.h with these matrices. */
static struct attention_layer weights_in(const struct work *w, void *const at[PIECES]) {
    return (struct attention_layer){at[GAIN], at[BIAS], heads_in(w->z, at + W_Q)};
}

static struct attention_layer_values values_in(void *const at[PIECES]) {
    return (struct attention_layer_values){at[NORMED], at[INVERSE_STD], at[SCALED],
                                           heads_values_in(at + ROWS_Q)};
}

static void run(const struct work *w) {
    const struct attention_layer l = weights_in(w, w->at);
    struct attention_layer_values v = values_in(w->at);
    attention_layer(w->z.n, KEYS(w->z), &l, w->at[X], w->at[MEMORY], w->blocked, &v, w->at[OUT]);
}

static void run_back(const struct work *w) {
    struct attention_layer l = weights_in(w, w->at), d_l = weights_in(w, w->d);
    struct attention_layer_values v = values_in(w->at), d_v = values_in(w->d);
    attention_layer_backward(w->z.n, KEYS(w->z), &l, w->at[MEMORY], w->blocked, &v, w->d[OUT], &d_v,
                             &d_l, w->d[X], w->d[MEMORY]);
}

/* The slow norm, the heads of lesson 08 and a sum. */
static void run_obviously(const struct work *w) {
    const int n = w->z.n, d = w->z.d;
    const struct attention_layer l = weights_in(w, w->at);
    struct attention_layer_values v = values_in(w->at);
    obvious_norm(true, n, d, w->at[X], v.normed, v.inverse_std);
    obvious_scale(n, d, v.normed, l.gain, l.bias, v.scaled);
    multi_head_attention(n, KEYS(w->z), &l.heads, v.scaled, w->z.m ? w->at[MEMORY] : v.scaled,
                         w->blocked, &v.heads, w->at[OUT]);
    add_into(n * d, w->at[X], w->at[OUT]);
}

static void run_back_obviously(const struct work *w) {
    const int n = w->z.n, d = w->z.d;
    struct attention_layer l = weights_in(w, w->at), d_l = weights_in(w, w->d);
    struct attention_layer_values v = values_in(w->at), d_v = values_in(w->d);
    multi_head_attention_backward(
        n, KEYS(w->z), &l.heads, v.scaled, w->z.m ? w->at[MEMORY] : v.scaled, w->blocked, &v.heads,
        w->d[OUT], &d_v.heads, &d_l.heads, d_v.scaled, w->z.m ? w->d[MEMORY] : d_v.scaled);
    obvious_norm_back(true, n, d, l.gain, v.normed, v.inverse_std, d_v.scaled, w->d[X]);
    obvious_scale_back(n, d, v.normed, d_v.scaled, d_l.gain, d_l.bias);
    add_into(n * d, w->d[OUT], w->d[X]);
}

static const struct function layer = {
    .run = run,
    .run_back = run_back,
    .obvious = run_obviously,
    .obvious_back = run_back_obviously,
    .weights = GAIN,
    .values = NORMED,
    .back = MEMORY,
};

/* Random numbers of moderate size, because the softmax saturates for large scores. */
static struct work random_layer(struct sizes z, bool masked, struct random *r) {
    struct work w = random_work(&layer, z, r);
    for (enum piece p = W_Q; p <= W_V; p++)
        scale_into(count_of(&w, p), 0.5, w.at[p], w.at[p]);
    w.blocked = masked ? scattered_mask(z.n, KEYS(z)) : NULL;
    return w;
}

/* Says how a matrix is computed, or which gradient it receives, and adds the sizes. */
static void because_of(const struct work *w, enum piece p) {
    static const char *const what[PIECES] = {
        [NORMED] = "normed is computed from X, because the norm is applied before the heads. ",
        [SCALED] = "scaled is normed with gain and bias. ",
        [ROWS_Q] = "The queries are computed from the scaled rows. ",
        [ROWS_K] = "The keys are computed from memory, or if it is NULL, from the scaled rows. ",
        [WEIGHTS] = "The queries and keys are right here. blocked says which keys are not used. ",
        [OUT] = "out is the sum of X and the result of the heads. ",
    };
    static const char *const what_back[PIECES] = {
        [NORMED] = "d_normed is not used, so it must not change. ",
        [INVERSE_STD] = "d_inverse_std is not used, so it must not change. ",
        [WEIGHTS] = "d_weights is not used, so it must not change. ",
        [SCALED] =
            "d_scaled gets the gradient of the queries, and if memory is NULL, also those of "
            "the keys and values. ",
        [MEMORY] = "d_memory gets the gradients of the keys and values only. ",
        [X] = "d_X gets d_out, and the gradient of d_scaled through the norm. ",
    };
    const char *said = (w->d[p] && p != OUT ? what_back : what)[p];
    BECAUSE("%sHere n = %d, m = %d and d_model = %d. memory is %s, and blocked is %s.",
            said ? said : "", w->z.n, KEYS(w->z), w->z.d, w->z.m ? "a matrix" : "NULL",
            w->blocked ? "a mask" : "NULL");
}

/* attention_layer */

/* W_q is 0, so each query gives the weight 1/2 to both words. */
static struct work worked(void) {
    struct work w = {.f = &layer, .z = {2, 0, 4, 1, 1, 4}};
    PUT(w, X, 1, 2, 4, -3, 1, 0, 0, 0);
    PUT(w, GAIN, 1, 1, 1, 1);
    PUT(w, BIAS, 0, 0, 0, 0);
    for (enum piece p = W_Q; p <= W_O; p++) {
        double *W = w.at[p] = filled(&w, p, UNNAMED, 0.0);
        for (int c = 0; c < 4 && p > W_K; c++)
            W[5 * c] = 1.0;
    }
    PUT_D_OUT(w, 0, 0, 1, 0, 0, 0, 0, 0);
    return w;
}

TEST(attention_layer, the_worked_words_add_the_result_of_the_head) {
    const struct work w = yours(worked());
    BECAUSE("For both words, the head returns the mean of the scaled rows, which is .8660, -.0926, "
            ".2997, -1.0731.");
    EXPECT_PUT(w, OUT, 1.8660, 1.9074, 4.2997, -4.0731, 1.8660, -0.0926, 0.2997, -1.0731);
    BECAUSE("out is right here. scaled is the norm of X, with gain and bias.");
    EXPECT_PUT(w, SCALED, 0, 0.3922, 1.1767, -1.5689, 1.7320, -0.5773, -0.5773, -0.5773);
    EXPECT_PUT(w, WEIGHTS, 0.5, 0.5, 0.5, 0.5);
}

/* With these sizes, matrices that are exchanged by mistake still fit. */
static const struct sizes square = {3, 3, 4, 2, 2, 2}, square_alone = {3, 0, 4, 2, 2, 2};

/* W_o is 0, so the result of the heads is 0. */
TEST(attention_layer, heads_that_return_0_leave_X_exactly) {
    struct random r = random_seed(1020);
    for (int masked = 0; masked < 2; masked++) {
        struct work w = random_layer(square_alone, masked, &r);
        fill(count_of(&w, W_O), 0.0, w.at[W_O]);
        ((double *)w.at[X])[0] = 1e100;
        const double *out = yours(w).at[OUT];
        BECAUSE("W_o is 0, so the heads return 0 and out is exactly X.");
        EXPECT_MATRIX(3, 4, w.at[X], out, EXACTLY);
    }
}

#define AGREES(of, name, sizes, masked, seed)                                                      \
    TEST(of, name) {                                                                               \
        struct random r = random_seed(seed);                                                       \
        EXPECT_FORWARD(random_layer(sizes, masked, &r));                                           \
    }
AGREES(attention_layer, the_heads_receive_the_scaled_rows, square_alone, false, 1021)
AGREES(attention_layer, a_memory_does_not_go_through_the_norm, with_memory, false, 1022)
AGREES(attention_layer, a_memory_with_n_rows_is_used_too, square, false, 1023)
AGREES(attention_layer, the_mask_is_passed_to_the_heads, square_alone, true, 1024)

TEST(attention_layer, random_layers_agree_with_the_plain_definition) {
    struct random r = random_seed(1026);
    FOR_ALL_SIZES(z)
    for (int masked = 0; masked < 2; masked++)
        EXPECT_FORWARD(random_layer(*z, masked, &r));
}

/* The functions take_...() are given. This test finds out if they were changed by accident. */
TEST(attention_layer, the_given_functions_take_a_layer_without_gaps) {
    NEW_VECTOR(numbers, 400);
    struct room room = {numbers, 0};
    const struct attention_layer w = take_attention_layer(&room, 6, 2);
    struct attention_layer_values v = take_attention_layer_values(&room, &w, 2, 3);
    const struct multi_head *h = &w.heads;
    EXPECT_THAT(h->d_model == 6 && h->n_heads == 2 && h->n_kv_heads == 2 && h->d_head == 3,
                "take_attention_layer: a size of heads is not d_model = 6, n_heads = 2, "
                "n_kv_heads = 2, d_head = 3");
    const void *starts[] = {w.gain,   w.bias,        h->W_q,   h->W_o,
                            v.normed, v.inverse_std, v.scaled, v.heads.rows_q};
    const int offsets[] = {0, 6, 12, 120, 156, 168, 170, 182};
    for (int i = 0; i < 8; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "member %d is at a wrong address", i);
    EXPECT_THAT(v.heads.rows_out == numbers + room.used - 12, "rows_out is not the last member");
    NEW_MATRIX_FILLED(X_of_2, 2, 6, 3.0);
    NEW_MATRIX_FILLED(memory, 3, 6, 1.0);
    NEW_MATRIX(out, 2, 6);
    fill(room.used, 0.0, numbers);
    attention_layer(2, 3, &w, X_of_2, memory, NULL, &v, out);
    BECAUSE("All parameters are 0 here, and all numbers of X are 3.");
    EXPECT_MATRIX(2, 6, X_of_2, out, EXACTLY);
}

TEST(attention_layer, words_and_matrices_are_not_changed) {
    struct random r = random_seed(1027);
    const struct work w = with_room(random_layer(alone, false, &r)),
                      other = with_room(random_layer(with_memory, true, &r));
    EXPECT_KEPT(w, run, LAST_GIVEN);
    EXPECT_KEPT(other, run, LAST_GIVEN);
}

TEST(attention_layer, two_threads_may_compute_a_layer_at_once) {
    struct random r = random_seed(1028);
    EXPECT_NO_TRACE(random_layer(with_memory, false, &r), random_layer(alone, true, &r));
}

/* attention_layer_backward */

TEST(attention_layer_backward, the_worked_words_receive_two_gradients) {
    const struct work w = yours_back(obvious(worked()), 0.0, 0.0);
    BECAUSE("The result of the head for word 0 contains both values with the weight 1/2.");
    EXPECT_PUT_D(w, X, -0.0490, -0.0717, 1.0792, 0.0415, 0, -0.3849, 0.7698, -0.3849);
    EXPECT_PUT_D(w, SCALED, 0, 0, 0.5, 0, 0, 0, 0.5, 0);
}

TEST(attention_layer_backward, the_residual_connection_adds_exactly_d_out) {
    struct random r = random_seed(1030);
    for (int i = 0; i < 2; i++) {
        struct work w = random_layer(i ? square : square_alone, false, &r);
        fill(count_of(&w, W_O), 0.0, w.at[W_O]);
        const double *d_X = yours_back(obvious(w), 0.0, 0.0).d[X];
        BECAUSE("W_o is 0, so no gradient comes through the heads.");
        EXPECT_MATRIX(3, 4, w.d[OUT], d_X, EXACTLY);
    }
}

TEST(attention_layer_backward, with_a_memory_only_the_queries_go_through_the_norm) {
    struct random r = random_seed(1031);
    struct work w = random_layer(square, false, &r);
    fill(count_of(&w, W_Q), 0.0, w.at[W_Q]);
    w = obvious(w);
    const struct work back = yours_back(w, 0.0, 0.0), right = obvious_back(w, 0.0);
    const double *d_W_v = back.d[W_V], *d_X = back.d[X], *d_memory = back.d[MEMORY];
    BECAUSE("The keys and values are computed from the memory, which has as many rows as X here.");
    EXPECT_MATRIX(4, 4, right.d[W_V], d_W_v, ROUNDING);
    BECAUSE("W_q is 0, so no gradient comes through the queries.");
    EXPECT_MATRIX(3, 4, w.d[OUT], d_X, EXACTLY);
    EXPECT_MATRIX(3, 4, right.d[MEMORY], d_memory, ROUNDING);
}

TEST(attention_layer_backward, all_gradients_of_a_layer_are_added_to_old_gradients) {
    struct random r = random_seed(1033);
    EXPECT_BACK(obvious(random_layer(square_alone, false, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_layer(with_memory, false, &r)), 10.0, 0.0);
}

TEST(attention_layer_backward, gradients_that_are_already_in_d_v_are_used) {
    struct random r = random_seed(1034);
    EXPECT_BACK(obvious(random_layer(square_alone, false, &r)), 0.0, 0.5);
}

/* Only the first sizes, because with a single key or a single dimension some derivatives are 0. */
TEST(attention_layer_backward, all_gradients_of_a_layer_pass_the_gradient_check) {
    struct random r = random_seed(1035);
    for (int i = 0; i < 4; i++) {
        matrix_free_all();
        EXPECT_SLOPES(random_layer(all_sizes[i], i > 1, &r), run);
    }
}

/* Row 1 of memory is enormous, and blocked for all queries. 0 times infinity would be NaN. */
TEST(attention_layer_backward, the_mask_also_applies_in_the_backward_pass) {
    struct random r = random_seed(1036);
    struct work w = random_layer(square, false, &r);
    NEW_MASK_OF(blocked, 3, 3, {false, true, false}, {false, true, false}, {true, true, false});
    w.blocked = blocked;
    double(*memory)[4] = w.at[MEMORY];
    fill(4, 0.0, memory[1]);
    const double *expected = obvious_back(obvious(w), 0.0).d[X];
    fill(4, 1e200, memory[1]);
    scale_into(12, 1e150, w.d[OUT], w.d[OUT]);
    double *d_X = yours_back(obvious(w), 0.0, 0.0).d[X];
    scale_into(12, 1e-150, d_X, d_X);
    BECAUSE("Row 1 of memory is enormous, but blocked for all queries, so it must not change d_X. "
            "d_X is shown in units of 1e150.");
    EXPECT_MATRIX(3, 4, expected, d_X, ROUNDING);
}

TEST(attention_layer_backward, random_gradients_agree_with_the_plain_definition) {
    struct random r = random_seed(1038);
    FOR_ALL_SIZES(z)
    for (int masked = 0; masked < 2; masked++)
        EXPECT_BACK(obvious(random_layer(*z, masked, &r)), 1.0, 0.0);
}

TEST(attention_layer_backward, the_values_of_the_forward_pass_are_not_changed) {
    struct random r = random_seed(1040);
    const struct work w = obvious(random_layer(alone, false, &r)),
                      other = obvious(random_layer(with_memory, true, &r)),
                      back = with_gradients(w, 0.0, 0.0),
                      other_back = with_gradients(other, 0.0, 0.0);
    EXPECT_KEPT(back, run_back, OUT);
    EXPECT_KEPT(other_back, run_back, OUT);
}

TEST(attention_layer_backward, two_threads_may_compute_gradients_at_once) {
    struct random r = random_seed(1041);
    EXPECT_NO_TRACE_BACK(random_layer(with_memory, false, &r), random_layer(alone, true, &r));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(attention_layer, &layer, 2, 3, 4, 2, 1, 3)
LAWS_BACKWARD(attention_layer_backward, &layer, false, 2, 3, 4, 2, 1, 3)
