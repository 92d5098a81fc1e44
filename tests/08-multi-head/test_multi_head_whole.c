/* Lesson 08: what multi_head.h promises of the whole: from words to what their heads fetched,
   mixed; and the way back. */
#include "heads.h"

#include "self_attention.h"

static struct multi_head multi_head_in(const struct work *w, void *const at[PLACES]) {
    return (struct multi_head){w->z.d_model, w->z.n_heads, w->z.n_kv_heads, w->z.d_head,
                               at[AT_W_Q],   at[AT_W_K],   at[AT_W_V],      at[AT_W_O]};
}

static struct multi_head_values values_in(void *const at[PLACES]) {
    return (struct multi_head_values){at[AT_ROWS_Q],  at[AT_ROWS_K], at[AT_ROWS_V],
                                      at[AT_Q],       at[AT_K],      at[AT_V],
                                      at[AT_WEIGHTS], at[AT_HEADS],  at[AT_ROWS_OUT]};
}

static void run_whole(const struct work *w) {
    const struct multi_head heads = multi_head_in(w, w->at);
    const struct multi_head_values v = values_in(w->at);
    multi_head_attention(w->z.n_q, w->z.n_k, &heads, w->at[AT_X], w->at[AT_SOURCE], w->blocked, &v,
                         w->at[AT_OUT]);
}

static void run_whole_back(const struct work *w) {
    const struct multi_head heads = multi_head_in(w, w->at), d_heads = multi_head_in(w, w->d);
    const struct multi_head_values v = values_in(w->at), d_v = values_in(w->d);
    multi_head_attention_backward(w->z.n_q, w->z.n_k, &heads, w->at[AT_X], w->at[AT_SOURCE],
                                  w->blocked, &v, w->d[AT_OUT], &d_v, &d_heads, w->d[AT_X],
                                  w->d[AT_SOURCE]);
}

static void obvious_whole(const struct work *w) {
    const struct sizes z = w->z;
    void *const *at = w->at;
    const int wide = z.n_heads * z.d_head, kv_wide = z.n_kv_heads * z.d_head;
    product(z.n_q, z.d_model, wide, at[AT_X], at[AT_W_Q], at[AT_ROWS_Q]);
    product(z.n_k, z.d_model, kv_wide, at[AT_SOURCE], at[AT_W_K], at[AT_ROWS_K]);
    product(z.n_k, z.d_model, kv_wide, at[AT_SOURCE], at[AT_W_V], at[AT_ROWS_V]);
    add_split(z.n_q, z.n_heads, z.d_head, at[AT_ROWS_Q], at[AT_Q]);
    add_split(z.n_k, z.n_kv_heads, z.d_head, at[AT_ROWS_K], at[AT_K]);
    add_split(z.n_k, z.n_kv_heads, z.d_head, at[AT_ROWS_V], at[AT_V]);
    attend_obviously(w);
    add_merged(z.n_q, z.n_heads, z.d_head, at[AT_HEADS], at[AT_ROWS_OUT]);
    product(z.n_q, wide, z.d_model, at[AT_ROWS_OUT], at[AT_W_O], at[AT_OUT]);
}

/* For Y = X W: d_X += d_Y W^T, and d_W += X^T d_Y. */
static void obvious_product_back(int n, int d_in, int d_out, const void *X, const void *W,
                                 const void *d_Y, void *d_X, void *d_W) {
    NEW_MATRIX(slow_d_X, n, d_in);
    NEW_MATRIX(slow_d_W, d_in, d_out);
    product_by_rows(n, d_out, d_in, d_Y, W, slow_d_X);
    product_by_columns(d_in, n, d_out, X, d_Y, slow_d_W);
    add_into(n * d_in, slow_d_X, d_X);
    add_into(d_in * d_out, slow_d_W, d_W);
}

static void obvious_whole_back(const struct work *w) {
    const struct sizes z = w->z;
    void *const *at = w->at, *const *d = w->d;
    const int wide = z.n_heads * z.d_head, kv_wide = z.n_kv_heads * z.d_head;
    obvious_product_back(z.n_q, wide, z.d_model, at[AT_ROWS_OUT], at[AT_W_O], d[AT_OUT],
                         d[AT_ROWS_OUT], d[AT_W_O]);
    add_split(z.n_q, z.n_heads, z.d_head, d[AT_ROWS_OUT], d[AT_HEADS]);
    attend_back_obviously(w);
    add_merged(z.n_q, z.n_heads, z.d_head, d[AT_Q], d[AT_ROWS_Q]);
    add_merged(z.n_k, z.n_kv_heads, z.d_head, d[AT_K], d[AT_ROWS_K]);
    add_merged(z.n_k, z.n_kv_heads, z.d_head, d[AT_V], d[AT_ROWS_V]);
    obvious_product_back(z.n_q, z.d_model, wide, at[AT_X], at[AT_W_Q], d[AT_ROWS_Q], d[AT_X],
                         d[AT_W_Q]);
    obvious_product_back(z.n_k, z.d_model, kv_wide, at[AT_SOURCE], at[AT_W_K], d[AT_ROWS_K],
                         d[AT_SOURCE], d[AT_W_K]);
    obvious_product_back(z.n_k, z.d_model, kv_wide, at[AT_SOURCE], at[AT_W_V], d[AT_ROWS_V],
                         d[AT_SOURCE], d[AT_W_V]);
}

static const struct function whole = {
    run_whole,
    run_whole_back,
    obvious_whole,
    obvious_whole_back,
    AT_OUT,
    {AT_X, AT_SOURCE, AT_W_Q, AT_W_K, AT_W_V, AT_W_O},
    {AT_ROWS_Q, AT_ROWS_K, AT_ROWS_V, AT_Q, AT_K, AT_V, AT_WEIGHTS, AT_HEADS, AT_ROWS_OUT, AT_OUT},
    {AT_ROWS_OUT, AT_HEADS, AT_Q, AT_K, AT_V, AT_ROWS_Q, AT_ROWS_K, AT_ROWS_V, AT_X, AT_SOURCE,
     AT_W_O, AT_W_Q, AT_W_K, AT_W_V},
};

/* multi_head_attention */

/* The worked example: two words of two numbers, and four matrices that change nothing. */
static struct work worked(int n_heads) {
    struct work w = {.f = &whole, .z = {2, 2, n_heads, n_heads, 2 / n_heads, 2}};
    PUT(w, AT_X, 1, 2, 2, 0);
    w.at[AT_SOURCE] = w.at[AT_X];
    for (enum place p = AT_W_Q; p <= AT_W_O; p++)
        PUT(w, p, 1, 0, 0, 1);
    return w;
}

static void the_worked_words_look_with_two_heads(void) {
    const struct work w = your_work(worked(2));
    for (enum place p = AT_ROWS_Q; p <= AT_ROWS_V; p++)
        EXPECT_PUT(w, p, 1, 2, 2, 0);
    for (enum place p = AT_Q; p <= AT_V; p++)
        EXPECT_PUT(w, p, 1, 2, 2, 0);
    EXPECT_PUT(w, AT_WEIGHTS, 0.2689, 0.7311, 0.1192, 0.8808, 0.9820, 0.0180, 0.5, 0.5);
    EXPECT_PUT(w, AT_HEADS, 1.7311, 1.8808, 1.9640, 1);
    EXPECT_PUT(w, AT_ROWS_OUT, 1.7311, 1.9640, 1.8808, 1);
    EXPECT_PUT(w, AT_OUT, 1.7311, 1.9640, 1.8808, 1);
}

static void with_one_head_the_same_words_are_mixed(void) {
    const struct work w = your_work(worked(1));
    EXPECT_PUT(w, AT_WEIGHTS, 0.8930, 0.1070, 0.1956, 0.8044);
    EXPECT_PUT(w, AT_OUT, 1.1070, 1.7859, 1.8044, 0.3911);
}

static void X_asks_and_the_source_is_asked(void) {
    struct random r = random_seed(831);
    EXPECT_FORWARD(random_work(&whole, square_sizes, NO_MASK, &r));
}

AGREES(random_words_agree_with_the_obvious_way, whole, 836)

static void one_head_whose_mix_changes_nothing_is_lesson_06(void) {
    struct random r = random_seed(832);
    for (enum mask mask = NO_MASK; mask < MASKS; mask++) {
        struct work w = self_work(&whole, (struct sizes){5, 5, 1, 1, 3, 3}, mask, &r);
        PUT(w, AT_W_O, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        w = your_work(w);
        const struct work expected = with_room(w);
        void *const *at = expected.at;
        self_attention(5, 3, 3, 3, at[AT_X], at[AT_W_Q], at[AT_W_K], at[AT_W_V], w.blocked,
                       at[AT_Q], at[AT_K], at[AT_V], at[AT_WEIGHTS], at[AT_OUT]);
        BECAUSE("There is one head, and W_o is the identity: this is lesson 06.");
        EXPECT_PLACE(w, AT_WEIGHTS, at[AT_WEIGHTS], LAST_BIT);
        BECAUSE("There is one head, and W_o is the identity: this is lesson 06.");
        EXPECT_PLACE(w, AT_OUT, at[AT_OUT], LAST_BIT);
    }
}

static void a_source_word_that_changes_changes_no_other_words_key(void) {
    struct random r = random_seed(833);
    struct work given = random_work(&whole, square_sizes, NO_MASK, &r);
    const struct work before = your_work(given);
    double(*source)[4] = given.at[AT_SOURCE];
    fill(4, 3.0, source[1]);
    const struct work w = your_work(given);
    for (enum place p = AT_K; p <= AT_V; p++) {
        double(*is)[3][2] = w.at[p], (*was)[3][2] = before.at[p];
        for (int h = 0; h < 2; h++)
            memcpy(was[h][1], is[h][1], sizeof is[h][1]);
        BECAUSE("Only word 1 of source changed, and with it row 1 of each head.");
        EXPECT_PLACE(w, p, was, EXACTLY);
    }
}

/* The columns of each key head, once for each query head that shares it. */
static void *copied_columns(const struct work *w, enum place p) {
    const int d = w->z.d_head, n_heads = w->z.n_heads, group = n_heads / w->z.n_kv_heads;
    const double(*from)[w->z.n_kv_heads * d] = w->at[p];
    NEW_MATRIX(to, w->z.d_model, n_heads * d);
    for (int i = 0; i < w->z.d_model; i++)
        for (int k = 0; k < n_heads * d; k++)
            to[i][k] = from[i][k / d / group * d + k % d];
    return to;
}

static struct work written_out(struct work w) {
    w.at[AT_W_K] = copied_columns(&w, AT_W_K);
    w.at[AT_W_V] = copied_columns(&w, AT_W_V);
    w.z.n_kv_heads = w.z.n_heads;
    return obvious_work(w);
}

static void shared_matrices_are_as_good_as_copies(void) {
    struct random r = random_seed(834);
    const struct work shared = random_work(&whole, all_sizes[1], CAUSAL, &r);
    const struct work w = your_work(shared), copies = written_out(shared);
    EXPECT_PLACE(w, AT_WEIGHTS, copies.at[AT_WEIGHTS], LAST_BIT);
    EXPECT_PLACE(w, AT_OUT, copies.at[AT_OUT], LAST_BIT);
}

static void a_word_that_may_look_at_nothing_is_exactly_zero(void) {
    struct random r = random_seed(835);
    struct work w = your_work(random_work(&whole, square_sizes, SCATTERED, &r));
    for (enum place p = AT_WEIGHTS; p <= AT_OUT; p++)
        EXPECT_ROW_0_IS_ZERO(w, p);
}

static void X_may_be_the_source(void) {
    struct random r = random_seed(837);
    FOR_ALL_SIZES(z)
    EXPECT_FORWARD(self_work(&whole, *z, CAUSAL, &r));
}

KEEPS_NOTHING(two_threads_may_look_at_once, whole, 838)

/* The function's own inputs, which a `void *` does not protect. */
static void expect_untouched(int line, const struct work *w, const struct work *before,
                             const enum place *places) {
    for (const enum place *p = places; *p; p++) {
        BECAUSE("%s is an input, and may not be written into.", d_names[*p] + 2);
        expect_place(line, w, *p, d_names[*p] + 2, before->at[*p], w->at[*p], EXACTLY);
    }
}

/* With a copy of each of these matrices in place of it. */
static struct work with_copies(struct work w, const enum place *places) {
    for (const enum place *p = places; *p; p++)
        w.at[*p] = memcpy(new_place(&w, *p, d_names[*p] + 2), w.at[*p],
                          (size_t)count_of(&w, *p) * sizeof(double));
    return w;
}

static void words_and_matrices_stay_as_they_are(void) {
    struct random r = random_seed(839);
    const struct work before = random_work(&whole, all_sizes[1], CAUSAL, &r);
    const struct work w = your_work(with_copies(before, whole.inputs));
    expect_untouched(__LINE__, &w, &before, whole.inputs);
}

/* The take_...() are given; who changed them by accident reads it here. All words are 2, and all
   numbers of all matrices 0.5. */
static void expect_taken(int line, int d_model, int n_heads, int n_kv_heads, int d_head, int used) {
    struct room count = {NULL, 0};
    struct multi_head w = take_multi_head(&count, d_model, n_heads, n_kv_heads, d_head);
    expect_that(line, count.used == used, "%d numbers were taken; it should be %d", count.used,
                used);
    take_multi_head_values(&count, &w, 2, 3);
    NEW_VECTOR_FILLED(numbers, count.used, 0.5);
    struct room room = {numbers, 0};
    w = take_multi_head(&room, d_model, n_heads, n_kv_heads, d_head);
    const struct multi_head_values v = take_multi_head_values(&room, &w, 2, 3);
    NEW_MATRIX_FILLED(words, 3, d_model, 2.0);
    NEW_MATRIX(out, 2, d_model);
    multi_head_attention(2, 3, &w, words, words, NULL, &v, out);
    NEW_MATRIX_FILLED(expected, 2, d_model, 0.5 * n_heads * d_head * d_model);
    BECAUSE("Words are 2 everywhere, and matrices 0.5: each number fetched is d_model, %d.",
            d_model);
    expect_numbers(line, "out", 2, d_model, expected[0], out[0], ROUNDING);
}

static void what_is_given_takes_four_matrices(void) {
    expect_taken(__LINE__, 5, 4, 2, 3, 2 * 5 * 3 * (4 + 2));
    expect_taken(__LINE__, 2, 3, 1, 4, 2 * 2 * 4 * (3 + 1));
}

static void however_many_heads_there_are_they_take_as_many_numbers(void) {
    for (int n_heads = 1; n_heads <= 12; n_heads++)
        if (12 % n_heads == 0)
            expect_taken(__LINE__, 12, n_heads, n_heads, 12 / n_heads, 4 * 12 * 12);
}

/* multi_head_attention_backward */

static void three_rivers_lead_back_to_the_worked_words(void) {
    struct work w = obvious_work(worked(2));
    PUT_D(w, AT_OUT, 1, 1, 1, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_PUT_D(w, AT_ROWS_OUT, 1, 1, 1, 1);
    EXPECT_PUT_D(w, AT_HEADS, 1, 1, 1, 1);
    EXPECT_PUT_D(w, AT_Q, 0.1966, 0.1050, 0.0707, 1);
    EXPECT_PUT_D(w, AT_K, -0.4066, 0.4066, 0.0707, -0.0707);
    EXPECT_PUT_D(w, AT_V, 0.3881, 1.6119, 1.4820, 0.5180);
    EXPECT_PUT_D(w, AT_ROWS_Q, 0.1966, 0.0707, 0.1050, 1);
    EXPECT_PUT_D(w, AT_ROWS_K, -0.4066, 0.0707, 0.4066, -0.0707);
    EXPECT_PUT_D(w, AT_ROWS_V, 0.3881, 1.4820, 1.6119, 0.5180);
    EXPECT_PUT_D(w, AT_X, 0.1782, 1.6233, 2.1234, 1.4473);
    EXPECT_PUT_D(w, AT_W_O, 3.6119, 3.6119, 2.9640, 2.9640);
    EXPECT_PUT_D(w, AT_W_Q, 0.4066, 2.0707, 0.3932, 0.1413);
    EXPECT_PUT_D(w, AT_W_K, 0.4066, -0.0707, -0.8132, 0.1413);
    EXPECT_PUT_D(w, AT_W_V, 3.6119, 2.5180, 0.7763, 2.9640);
}

static void each_step_goes_back_to_what_it_came_from(void) {
    struct random r = random_seed(841);
    EXPECT_BACK(obvious_work(random_work(&whole, square_sizes, NO_MASK, &r)), 0.0, 0.0);
}

/* One river reaches X, by W_q; two reach the source, by W_k and W_v. */
static void expect_dry(int line, enum place first, enum place last, enum place dry) {
    struct random r = random_seed(842);
    struct work given = random_work(&whole, square_sizes, NO_MASK, &r);
    for (enum place p = first; p <= last; p++)
        fill(count_of(&given, p), 0.0, given.at[p]);
    const struct work w = yours_back(obvious_work(given), 0.0, 7.0);
    NEW_MATRIX_FILLED(sevens, 3, 4, 7.0);
    BECAUSE("%s everywhere, and no other way leads to %s: d_%s, which held 7, stays as it is.",
            dry == AT_X ? "W_q is 0" : "W_k and W_v are 0", d_names[dry] + 2, d_names[dry] + 2);
    expect_place(line, &w, dry, d_names[dry], sevens, w.d[dry], EXACTLY);
}

static void only_the_queries_river_reaches_X(void) {
    expect_dry(__LINE__, AT_W_Q, AT_W_Q, AT_X);
}

static void only_the_keys_and_the_values_rivers_reach_the_source(void) {
    expect_dry(__LINE__, AT_W_K, AT_W_V, AT_SOURCE);
}

static void a_matrix_of_shared_heads_collects_from_all_that_looked(void) {
    struct random r = random_seed(843);
    const struct work shared = obvious_work(random_work(&whole, all_sizes[1], NO_MASK, &r));
    const struct work w = yours_back(shared, 0.0, 0.0);
    struct work copies = with_gradients(written_out(shared), 0.0, 0.0);
    obvious_whole_back(&copies);
    for (enum place p = AT_W_K; p <= AT_W_V; p++) {
        double(*each)[12] = copies.d[p];
        NEW_MATRIX(sum, 6, 6);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) /* three numbers of a head, and three of its copy */
                sum[i][k] = each[i][k / 3 * 6 + k % 3] + each[i][k / 3 * 6 + 3 + k % 3];
        BECAUSE("Two query heads look at each key head here, and its gradient is the sum of what "
                "they would give a copy each.");
        EXPECT_D(w, p, sum, LAST_BIT);
    }
}

ADDS(all_gradients_are_added_to_what_is_there, whole, 0.5, 10.0, 844)
GOES_BY_WHAT_IS_LEFT(the_way_back_goes_by_what_was_left, whole, 845)
IS_MEASURED(all_gradients_are_what_nudging_measures, whole, NO_MASK, 846)
IS_MEASURED(under_a_mask_they_are_what_nudging_measures_too, whole, SCATTERED, 847)

static void X_and_source_in_one_buffer_collect_three_rivers(void) {
    struct random r = random_seed(848);
    EXPECT_SLOPES(self_work(&whole, all_sizes[1], NO_MASK, &r));
    EXPECT_BACK(obvious_work(self_work(&whole, all_sizes[2], CAUSAL, &r)), 0.0, 10.0);
}

/* The last word of the source is blocked for all. What its value times d_heads is, is too large for
   a double: 0 times that is no number. */
static void the_mask_is_handed_on_to_the_way_back(void) {
    struct random r = random_seed(852);
    struct work given = random_work(&whole, square_sizes, NO_MASK, &r);
    bool(*blocked)[3] = given.blocked = memset(mask_new("blocked", 3, 3), false, 9);
    blocked[0][2] = blocked[1][2] = blocked[2][2] = true;
    fill(4, 0.0, ((double(*)[4])given.at[AT_SOURCE])[2]);
    struct work w = obvious_work(given);
    const struct work expected = with_gradients(w, 0.0, 0.0);
    obvious_whole_back(&expected);
    fill(4, 1e200, ((double(*)[4])w.at[AT_SOURCE])[2]);
    for (int h = 0; h < 2; h++)
        fill(2, 1e200, ((double(*)[3][2])w.at[AT_V])[h][2]);
    scale_into(12, 1e150, w.d[AT_OUT], w.d[AT_OUT]);
    w = yours_back(w, 0.0, 0.0);
    for (enum place p = AT_X; p <= AT_W_O; p++) {
        scale_into(count_of(&w, p), 1e-150, w.d[p], w.d[p]);
        BECAUSE("Word 2 of source is enormous, and blocked for all: nothing comes back by it.");
        EXPECT_D(w, p, expected.d[p], ROUNDING);
    }
}

static void what_is_no_gradient_stays_as_it_is(void) {
    struct random r = random_seed(850);
    const struct work before = obvious_work(random_work(&whole, all_sizes[1], CAUSAL, &r));
    const struct work w =
        yours_back(with_copies(with_copies(before, whole.inputs), whole.outputs), 0.0, 10.0);
    NEW_VECTOR_FILLED(tens, count_of(&w, AT_WEIGHTS), 10.0);
    expect_untouched(__LINE__, &w, &before, whole.inputs);
    expect_untouched(__LINE__, &w, &before, whole.outputs);
    BECAUSE("No gradient of the weights is kept.");
    expect_place(__LINE__, &w, AT_WEIGHTS, "d_v->weights", tens, w.d[AT_WEIGHTS], EXACTLY);
}

KEEPS_NOTHING_BACK(two_threads_may_go_back_at_once, whole, 851)

const struct lesson_test whole_tests[] = {
    TEST(multi_head_attention, the_worked_words_look_with_two_heads),
    TEST(multi_head_attention, with_one_head_the_same_words_are_mixed),
    TEST(multi_head_attention, X_asks_and_the_source_is_asked),
    TEST(multi_head_attention, random_words_agree_with_the_obvious_way),
    TEST(multi_head_attention, one_head_whose_mix_changes_nothing_is_lesson_06),
    TEST(multi_head_attention, a_source_word_that_changes_changes_no_other_words_key),
    TEST(multi_head_attention, shared_matrices_are_as_good_as_copies),
    TEST(multi_head_attention, a_word_that_may_look_at_nothing_is_exactly_zero),
    TEST(multi_head_attention, X_may_be_the_source),
    TEST(multi_head_attention, words_and_matrices_stay_as_they_are),
    TEST(multi_head_attention, what_is_given_takes_four_matrices),
    TEST(multi_head_attention, however_many_heads_there_are_they_take_as_many_numbers),
    TEST(multi_head_attention, two_threads_may_look_at_once),

    TEST(multi_head_attention_backward, three_rivers_lead_back_to_the_worked_words),
    TEST(multi_head_attention_backward, each_step_goes_back_to_what_it_came_from),
    TEST(multi_head_attention_backward, only_the_queries_river_reaches_X),
    TEST(multi_head_attention_backward, only_the_keys_and_the_values_rivers_reach_the_source),
    TEST(multi_head_attention_backward, a_matrix_of_shared_heads_collects_from_all_that_looked),
    TEST(multi_head_attention_backward, all_gradients_are_added_to_what_is_there),
    TEST(multi_head_attention_backward, the_way_back_goes_by_what_was_left),
    TEST(multi_head_attention_backward, all_gradients_are_what_nudging_measures),
    TEST(multi_head_attention_backward, under_a_mask_they_are_what_nudging_measures_too),
    TEST(multi_head_attention_backward, X_and_source_in_one_buffer_collect_three_rivers),
    TEST(multi_head_attention_backward, the_mask_is_handed_on_to_the_way_back),
    TEST(multi_head_attention_backward, what_is_no_gradient_stays_as_it_is),
    TEST(multi_head_attention_backward, two_threads_may_go_back_at_once),
    END_OF_TESTS,
};
