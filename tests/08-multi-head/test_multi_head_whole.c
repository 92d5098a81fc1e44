/* Lesson 08: tests of multi_head_attention and its backward pass. */
#define ALL_PIECES(_)                                                                              \
    _(X, "d_X", dims_of(2, z.n, z.d, 1, 1))                                                        \
    _(SOURCE, "d_source", dims_of(2, z.m, z.d, 1, 1))                                              \
    HEADS_WEIGHTS(_, , "", 1)                                                                      \
    HEADS_VALUES(_, , "", z.n, z.m)                                                                \
    _(OUT, "d_out", dims_of(2, z.n, z.d, 1, 1))
#define LAST_WORDS SOURCE
#define LAST_GIVEN W_O
#define ZEROED(p)  false

#include "several.h"

#include "self_attention.h"

/* There are as many queries as keys, and all rows have 4 numbers. So two matrices that are
   exchanged have the same shape. */
static const struct sizes square = {3, 3, 2, 2, 2, 4};

static void run_whole(const struct work *w) {
    const struct multi_head heads = heads_in(w->z, w->at + W_Q);
    struct multi_head_values v = heads_values_in(w->at + ROWS_Q);
    multi_head_attention(w->z.n, w->z.m, &heads, w->at[X], w->at[SOURCE], w->blocked, &v,
                         w->at[OUT]);
}

static void run_whole_back(const struct work *w) {
    struct multi_head heads = heads_in(w->z, w->at + W_Q), d_heads = heads_in(w->z, w->d + W_Q);
    struct multi_head_values v = heads_values_in(w->at + ROWS_Q),
                             d_v = heads_values_in(w->d + ROWS_Q);
    multi_head_attention_backward(w->z.n, w->z.m, &heads, w->at[X], w->at[SOURCE], w->blocked, &v,
                                  w->d[OUT], &d_v, &d_heads, w->d[X], w->d[SOURCE]);
}

static void run_obviously(const struct work *w) {
    const struct sizes z = w->z;
    void *const *at = w->at;
    const int wide = z.n_heads * z.d_head, kv_wide = z.n_kv_heads * z.d_head;
    product(z.n, z.d, wide, at[X], at[W_Q], at[ROWS_Q]);
    product(z.m, z.d, kv_wide, at[SOURCE], at[W_K], at[ROWS_K]);
    product(z.m, z.d, kv_wide, at[SOURCE], at[W_V], at[ROWS_V]);
    add_split(z.n, z.n_heads, z.d_head, at[ROWS_Q], at[Q]);
    add_split(z.m, z.n_kv_heads, z.d_head, at[ROWS_K], at[K]);
    add_split(z.m, z.n_kv_heads, z.d_head, at[ROWS_V], at[V]);
    attend_obviously(z, w->blocked, at + Q);
    add_merged(z.n, z.n_heads, z.d_head, at[HEADS], at[ROWS_OUT]);
    product(z.n, wide, z.d, at[ROWS_OUT], at[W_O], at[OUT]);
}

static void run_back_obviously(const struct work *w) {
    const struct sizes z = w->z;
    void *const *at = w->at, *const *d = w->d;
    const int wide = z.n_heads * z.d_head, kv_wide = z.n_kv_heads * z.d_head;
    obvious_product_back(z.n, wide, z.d, at[ROWS_OUT], at[W_O], d[OUT], d[ROWS_OUT], d[W_O]);
    add_split(z.n, z.n_heads, z.d_head, d[ROWS_OUT], d[HEADS]);
    attend_back_obviously(z, at + Q, d + Q);
    add_merged(z.n, z.n_heads, z.d_head, d[Q], d[ROWS_Q]);
    add_merged(z.m, z.n_kv_heads, z.d_head, d[K], d[ROWS_K]);
    add_merged(z.m, z.n_kv_heads, z.d_head, d[V], d[ROWS_V]);
    obvious_product_back(z.n, z.d, wide, at[X], at[W_Q], d[ROWS_Q], d[X], d[W_Q]);
    obvious_product_back(z.m, z.d, kv_wide, at[SOURCE], at[W_K], d[ROWS_K], d[SOURCE], d[W_K]);
    obvious_product_back(z.m, z.d, kv_wide, at[SOURCE], at[W_V], d[ROWS_V], d[SOURCE], d[W_V]);
}

static const struct function whole = {
    .run = run_whole,
    .run_back = run_whole_back,
    .obvious = run_obviously,
    .obvious_back = run_back_obviously,
    .weights = W_Q,
    .values = ROWS_Q,
};

static void because_of(const struct work *w, enum piece p) {
    static const char *const made_of[PIECES] = {
        [ROWS_Q] = "rows_q is X W_q. ",
        [ROWS_K] = "rows_k is source W_k. ",
        [ROWS_V] = "rows_v is source W_v. ",
        [Q] = "Q is rows_q, split. ",
        [K] = "K is rows_k, split. ",
        [V] = "V is rows_v, split. ",
        [ROWS_OUT] = "rows_out is heads, merged. ",
        [OUT] = "out is rows_out W_o. ",
    };
    const struct sizes z = w->z;
    const bool forward = !w->d[p] || p == OUT;
    BECAUSE_IF(p == WEIGHTS && !forward,
               "The backward pass does not keep the gradient of the weights.");
    BECAUSE("%sHere n_q = %d, n_k = %d, d_model = %d, n_heads = %d, n_kv_heads = %d and "
            "d_head = %d; blocked is %s.",
            forward && made_of[p] ? made_of[p] : "", z.n, z.m, z.d, z.n_heads, z.n_kv_heads,
            z.d_head, w->blocked ? "a mask" : "NULL");
}

/* The matrices are scaled so that a projection keeps the size of its input. */
static struct work random_heads(const struct function *f, struct sizes z, enum mask mask,
                                struct random *r) {
    struct work w = random_work(f, z, r);
    for (enum piece p = W_Q; p <= W_V; p++)
        scale_into(count_of(&w, p), 1.0 / sqrt(z.d), w.at[p], w.at[p]);
    w.blocked = mask_of(mask, z.n, z.m);
    return w;
}

/* In self-attention, X is also the source. */
static struct work random_self(struct sizes z, enum mask mask, struct random *r) {
    z.m = z.n;
    struct work w = random_heads(&whole, z, mask, r);
    w.at[SOURCE] = w.at[X];
    return w;
}

/* multi_head_attention */

/* The worked example, with two words of two numbers. All four matrices are the identity. */
static struct work worked(int n_heads) {
    struct work w = {.f = &whole, .z = {2, 2, n_heads, n_heads, 2 / n_heads, 2}};
    PUT(w, X, 1, 2, 2, 0);
    w.at[SOURCE] = w.at[X];
    for (enum piece p = W_Q; p <= W_O; p++)
        PUT(w, p, 1, 0, 0, 1);
    return w;
}

TEST(multi_head_attention, the_worked_words_attend_with_two_heads) {
    const struct work w = yours(worked(2));
    for (enum piece p = ROWS_Q; p <= ROWS_V; p++)
        EXPECT_PUT(w, p, 1, 2, 2, 0);
    for (enum piece p = Q; p <= V; p++)
        EXPECT_PUT(w, p, 1, 2, 2, 0);
    EXPECT_PUT(w, WEIGHTS, 0.2689, 0.7311, 0.1192, 0.8808, 0.9820, 0.0180, 0.5, 0.5);
    EXPECT_PUT(w, HEADS, 1.7311, 1.8808, 1.9640, 1);
    EXPECT_PUT(w, ROWS_OUT, 1.7311, 1.9640, 1.8808, 1);
    EXPECT_PUT(w, OUT, 1.7311, 1.9640, 1.8808, 1);
}

TEST(multi_head_attention, one_head_has_other_weights_for_the_same_words) {
    const struct work w = yours(worked(1));
    EXPECT_PUT(w, WEIGHTS, 0.8930, 0.1070, 0.1956, 0.8044);
    EXPECT_PUT(w, OUT, 1.1070, 1.7859, 1.8044, 0.3911);
}

TEST(multi_head_attention, X_gives_the_queries_and_source_the_keys_and_values) {
    struct random r = random_seed(831);
    EXPECT_FORWARD(random_heads(&whole, square, NO_MASK, &r));
}

AGREES(multi_head_attention, random_words_agree_with_the_plain_definition, whole, 836)

TEST(multi_head_attention, one_head_with_the_identity_as_W_o_is_lesson_06) {
    struct random r = random_seed(832);
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        struct work w = random_self((struct sizes){5, 5, 1, 1, 3, 3}, mask, &r);
        PUT(w, W_O, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        w = yours(w);
        const struct work expected = with_room(w);
        void *const *at = expected.at;
        self_attention(5, 3, 3, 3, at[X], at[W_Q], at[W_K], at[W_V], w.blocked, at[Q], at[K], at[V],
                       at[WEIGHTS], at[OUT]);
        BECAUSE("There is one head, and W_o is the identity, so this is lesson 06.");
        EXPECT_PIECE(w, WEIGHTS, at[WEIGHTS], LAST_BIT);
        BECAUSE("There is one head, and W_o is the identity, so this is lesson 06.");
        EXPECT_PIECE(w, OUT, at[OUT], LAST_BIT);
    }
}

TEST(multi_head_attention, a_source_word_that_changes_changes_no_other_words_key) {
    struct random r = random_seed(833);
    struct work given = random_heads(&whole, square, NO_MASK, &r);
    const struct work before = yours(given);
    double(*source)[4] = given.at[SOURCE];
    fill(4, 3.0, source[1]);
    const struct work w = yours(given);
    for (enum piece p = K; p <= V; p++) {
        double(*is)[3][2] = w.at[p], (*was)[3][2] = before.at[p];
        for (int h = 0; h < 2; h++)
            memcpy(was[h][1], is[h][1], sizeof is[h][1]);
        BECAUSE("Only word 1 of source changed, and with it row 1 of each head.");
        EXPECT_PIECE(w, p, was, EXACTLY);
    }
}

/* The columns of each key head, once for each query head that shares it. */
static void *copied_columns(const struct work *w, enum piece p) {
    const int d = w->z.d_head, n_heads = w->z.n_heads, group = n_heads / w->z.n_kv_heads;
    const double(*from)[w->z.n_kv_heads * d] = w->at[p];
    NEW_MATRIX(to, w->z.d, n_heads * d);
    for (int i = 0; i < w->z.d; i++)
        for (int k = 0; k < n_heads * d; k++)
            to[i][k] = from[i][k / d / group * d + k % d];
    return to;
}

static struct work written_out(struct work w) {
    w.at[W_K] = copied_columns(&w, W_K);
    w.at[W_V] = copied_columns(&w, W_V);
    w.z.n_kv_heads = w.z.n_heads;
    return obvious(w);
}

TEST(multi_head_attention, shared_matrices_give_the_same_result_as_copies) {
    struct random r = random_seed(834);
    const struct work shared = random_heads(&whole, all_sizes[1], CAUSAL, &r);
    const struct work w = yours(shared), copies = written_out(shared);
    because_of(&w, WEIGHTS);
    EXPECT_PIECE(w, WEIGHTS, copies.at[WEIGHTS], LAST_BIT);
    because_of(&w, OUT);
    EXPECT_PIECE(w, OUT, copies.at[OUT], LAST_BIT);
}

TEST(multi_head_attention, a_fully_blocked_word_is_exactly_zero) {
    struct random r = random_seed(835);
    struct work w = yours(random_heads(&whole, square, SCATTERED, &r));
    for (enum piece p = WEIGHTS; p <= OUT; p++)
        EXPECT_ROW_0_IS_ZERO(w, p);
}

TEST(multi_head_attention, X_may_be_the_source) {
    struct random r = random_seed(837);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(random_self(*z, CAUSAL, &r));
}

TEST(multi_head_attention, words_and_matrices_are_not_changed) {
    struct random r = random_seed(839);
    const struct work w = with_room(random_heads(&whole, all_sizes[1], CAUSAL, &r));
    EXPECT_KEPT(w, run_whole, LAST_GIVEN);
}

/* The functions take_...() are given, and this test fails if you changed them by accident. All
   numbers of the words are 2, and all numbers of the matrices are 0.5. */
static void expect_taken(int line, int d_model, int n_heads, int n_kv_heads, int d_head, int used) {
    struct room count = {NULL, 0};
    struct multi_head w = take_multi_head(&count, d_model, n_heads, n_kv_heads, d_head);
    expect_that(line, count.used == used, "%d numbers were taken; it should be %d", count.used,
                used);
    take_multi_head_values(&count, &w, 2, 3);
    NEW_VECTOR_FILLED(numbers, count.used, 0.5);
    struct room room = {numbers, 0};
    w = take_multi_head(&room, d_model, n_heads, n_kv_heads, d_head);
    struct multi_head_values v = take_multi_head_values(&room, &w, 2, 3);
    NEW_MATRIX_FILLED(words, 3, d_model, 2.0);
    NEW_MATRIX(out, 2, d_model);
    multi_head_attention(2, 3, &w, words, words, NULL, &v, out);
    NEW_MATRIX_FILLED(expected, 2, d_model, 0.5 * n_heads * d_head * d_model);
    BECAUSE("X is 2 everywhere and the matrices are 0.5, so each value is d_model, %d.", d_model);
    expect_numbers(line, "out", 2, d_model, expected[0], out[0], ROUNDING);
}

TEST(multi_head_attention, the_given_functions_take_four_matrices) {
    expect_taken(__LINE__, 5, 4, 2, 3, 2 * 5 * 3 * (4 + 2));
    expect_taken(__LINE__, 2, 3, 1, 4, 2 * 2 * 4 * (3 + 1));
}

TEST(multi_head_attention, the_number_of_heads_does_not_change_the_number_of_parameters) {
    for (int n_heads = 1; n_heads <= 12; n_heads++)
        if (12 % n_heads == 0)
            expect_taken(__LINE__, 12, n_heads, n_heads, 12 / n_heads, 4 * 12 * 12);
}

KEEPS_NOTHING(multi_head_attention, two_threads_may_attend_at_the_same_time, whole, 838)

/* multi_head_attention_backward */

TEST(multi_head_attention_backward, the_worked_words_receive_three_gradients) {
    struct work w = obvious(worked(2));
    PUT_D_OUT(w, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, ROWS_OUT, 1, 1, 1, 1);
    EXPECT_PUT_D(w, HEADS, 1, 1, 1, 1);
    EXPECT_PUT_D(w, Q, 0.1966, 0.1050, 0.0707, 1);
    EXPECT_PUT_D(w, K, -0.4066, 0.4066, 0.0707, -0.0707);
    EXPECT_PUT_D(w, V, 0.3881, 1.6119, 1.4820, 0.5180);
    EXPECT_PUT_D(w, ROWS_Q, 0.1966, 0.0707, 0.1050, 1);
    EXPECT_PUT_D(w, ROWS_K, -0.4066, 0.0707, 0.4066, -0.0707);
    EXPECT_PUT_D(w, ROWS_V, 0.3881, 1.4820, 1.6119, 0.5180);
    EXPECT_PUT_D(w, X, 0.1782, 1.6233, 2.1234, 1.4473);
    EXPECT_PUT_D(w, W_O, 3.6119, 3.6119, 2.9640, 2.9640);
    EXPECT_PUT_D(w, W_Q, 0.4066, 2.0707, 0.3932, 0.1413);
    EXPECT_PUT_D(w, W_K, 0.4066, -0.0707, -0.8132, 0.1413);
    EXPECT_PUT_D(w, W_V, 3.6119, 2.5180, 0.7763, 2.9640);
}

TEST(multi_head_attention_backward, each_gradient_goes_back_to_the_value_it_belongs_to) {
    struct random r = random_seed(841);
    EXPECT_BACK(obvious(random_heads(&whole, square, NO_MASK, &r)), 0.0, 0.0);
}

/* One gradient reaches X, through W_q. Two gradients reach source, through W_k and W_v. */
static void expect_no_gradient(int line, enum piece first, enum piece last, enum piece unreached) {
    struct random r = random_seed(842);
    struct work given = random_heads(&whole, square, NO_MASK, &r);
    for (enum piece p = first; p <= last; p++)
        fill(count_of(&given, p), 0.0, given.at[p]);
    const struct work w = yours_back(obvious(given), 7.0, 0.0);
    const struct label label = its(&w, unreached);
    NEW_MATRIX_FILLED(sevens, 3, 4, 7.0);
    BECAUSE("%s everywhere, and no other path leads to %s, so d_%s was 7 and stays 7.",
            unreached == X ? "W_q is 0" : "W_k and W_v are 0", label.name, label.name);
    expect_array(line, label.d_name, label.dims, sevens, w.d[unreached], EXACTLY);
}

TEST(multi_head_attention_backward, only_the_gradient_of_the_queries_reaches_X) {
    expect_no_gradient(__LINE__, W_Q, W_Q, X);
}

TEST(multi_head_attention_backward, only_the_gradients_of_keys_and_values_reach_source) {
    expect_no_gradient(__LINE__, W_K, W_V, SOURCE);
}

TEST(multi_head_attention_backward,
     the_matrix_of_a_shared_head_adds_up_the_gradients_of_its_query_heads) {
    struct random r = random_seed(843);
    const struct work shared = obvious(random_heads(&whole, all_sizes[1], NO_MASK, &r));
    const struct work w = yours_back(shared, 0.0, 0.0);
    const struct work copies = obvious_back(written_out(shared), 0.0);
    for (enum piece p = W_K; p <= W_V; p++) {
        double(*each)[12] = copies.d[p];
        NEW_MATRIX(sum, 6, 6);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) /* three numbers of a head, and three of its copy */
                sum[i][k] = each[i][k / 3 * 6 + k % 3] + each[i][k / 3 * 6 + 3 + k % 3];
        BECAUSE("Two query heads share each key head here, so its gradient is the sum of the "
                "gradients of two separate copies.");
        EXPECT_D(w, p, sum, LAST_BIT);
    }
}

ADDS(multi_head_attention_backward, all_gradients_are_added_to_earlier_contents, whole, 10.0, 0.5,
     844)
USES_STORED_VALUES(multi_head_attention_backward, the_backward_pass_uses_the_stored_values, whole,
                   845)
IS_MEASURED(multi_head_attention_backward, all_gradients_pass_the_gradient_check, whole, run_whole,
            NO_MASK, 846)
IS_MEASURED(multi_head_attention_backward, with_a_mask_they_pass_the_gradient_check_too, whole,
            run_whole, SCATTERED, 847)

TEST(multi_head_attention_backward, X_and_source_in_one_buffer_add_up_three_gradients) {
    struct random r = random_seed(848);
    EXPECT_BACK(obvious(random_self(all_sizes[2], CAUSAL, &r)), 10.0, 0.0);
    EXPECT_SLOPES(random_self(all_sizes[1], NO_MASK, &r), run_whole);
}

/* The last word of source is blocked for all queries. Its value times d_heads is too large for a
   double. The product is infinite, and 0 times infinity is NaN. */
TEST(multi_head_attention_backward, the_mask_is_passed_to_the_backward_pass) {
    struct random r = random_seed(852);
    struct work given = random_heads(&whole, square, NO_MASK, &r);
    bool(*blocked)[3] = given.blocked = memset(mask_new("blocked", 3, 3), false, 9);
    blocked[0][2] = blocked[1][2] = blocked[2][2] = true;
    fill(4, 0.0, ((double(*)[4])given.at[SOURCE])[2]);
    struct work w = obvious(given);
    const struct work expected = obvious_back(w, 0.0);
    fill(4, 1e200, ((double(*)[4])w.at[SOURCE])[2]);
    for (int h = 0; h < 2; h++)
        fill(2, 1e200, ((double(*)[3][2])w.at[V])[h][2]);
    scale_into(12, 1e150, w.d[OUT], w.d[OUT]);
    w = yours_back(w, 0.0, 0.0);
    for (enum piece p = X; p <= W_O; p++) {
        scale_into(count_of(&w, p), 1e-150, w.d[p], w.d[p]);
        BECAUSE("Word 2 of source is enormous, but blocked, so no gradient passes through it.");
        EXPECT_D(w, p, expected.d[p], ROUNDING);
    }
}

TEST(multi_head_attention_backward, values_that_are_not_gradients_do_not_change) {
    struct random r = random_seed(850);
    const struct work w = obvious(random_heads(&whole, all_sizes[1], CAUSAL, &r)),
                      back = with_gradients(w, 0.0, 10.0);
    NEW_VECTOR_FILLED(tens, count_of(&w, WEIGHTS), 10.0);
    EXPECT_KEPT(back, run_whole_back, OUT);
    BECAUSE("The backward pass does not keep the gradient of the weights.");
    expect_array(__LINE__, "d_v->weights", its(&w, WEIGHTS).dims, tens, back.d[WEIGHTS], EXACTLY);
}

KEEPS_NOTHING_BACK(multi_head_attention_backward,
                   two_threads_may_run_the_backward_pass_at_the_same_time, whole, 851)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(multi_head_attention, &whole, 2, 3, 4, 2, 1, 5)
LAWS_BACKWARD(multi_head_attention_backward, &whole, true, 2, 3, 4, 2, 1, 5)
