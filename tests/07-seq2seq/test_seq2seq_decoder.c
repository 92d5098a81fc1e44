/* Lesson 07: tests of the decoder's step, with a given context and with attention. With a given
   context there are no encoder states, so n and d_a are 0. */
#define ALL_PIECES(_)                                                                              \
    _(CONTEXT, "d_c", dims_of(2, z.n == 0, z.d_k, 1, 1))                                           \
    _(Y, "d_y", dims_of(2, 1, z.d_in, 1, 1))                                                       \
    _(STATES, "d_H", dims_of(2, z.n, z.d_k, 1, 1))                                                 \
    _(S, "d_s", dims_of(2, 1, z.d, 1, 1))                                                          \
    _(W_Q, "d_W_q", dims_of(2, z.d_a, z.d, 1, 1))                                                  \
    _(W_K, "d_W_k", dims_of(2, z.d_a, z.d_k, 1, 1))                                                \
    _(V_A, "d_v_a", dims_of(1, z.d_a, 1, 1, 1))                                                    \
    _(GRU_W, "d_W", dims_of(2, z.d_in + z.d_k, 3 * z.d, 1, 1))                                     \
    _(GRU_U, "d_U", dims_of(2, z.d, 3 * z.d, 1, 1))                                                \
    _(WEIGHTS, "d_weights", dims_of(2, 1, z.n, 1, 1))                                              \
    _(HIDDEN, "d_hidden", dims_of(3, 1, z.n, z.d_a, 1))                                            \
    _(C, "d_c", dims_of(2, z.n > 0, z.d_k, 1, 1))                                                  \
    _(INPUT, "d_input", dims_of(2, 1, z.d_in + z.d_k, 1, 1))                                       \
    _(ACC, "d_acc", dims_of(2, 1, 3 * z.d, 1, 1))                                                  \
    _(GATES, "d_gates", dims_of(2, 1, 3 * z.d, 1, 1))                                              \
    _(OUT, "d_next", dims_of(2, 1, z.d, 1, 1))
#define LAST_WORDS S
#define LAST_GIVEN GRU_U
#define ZEROED(p)  false

#include "networks.h"

#include "../jacobian.h"

/* Sizes within a set differ, so that exchanged sizes show. Each size is 1 somewhere, and all are.
 */
static const struct sizes all_sizes[] = {
    {5, 3, 2, 4, 6}, {4, 2, 5, 6, 1}, {5, 3, 6, 1, 2}, {2, 4, 1, 5, 3},
    {6, 1, 5, 2, 4}, {1, 3, 4, 2, 6}, {1, 1, 1, 1, 1},
};
static const struct sizes all_without_states[] = {
    {0, 3, 2, 4, 0}, {0, 2, 5, 6, 0}, {0, 3, 6, 1, 0}, {0, 4, 1, 5, 0},
    {0, 1, 5, 2, 0}, {0, 3, 4, 2, 0}, {0, 1, 1, 1, 0},
};

static void because_of(const struct work *w, enum piece p) {
    const struct sizes z = w->z;
    because_of_parts(w, p);
    if (z.n == 0)
        BECAUSE("d_word = %d, d_context = %d and d = %d here.", z.d_in, z.d_k, z.d);
    BECAUSE("n_k = %d, d_word = %d, d_k = %d, d = %d and d_a = %d here.", z.n, z.d_in, z.d_k, z.d,
            z.d_a);
}

static struct context_decoder decoder_in(const struct work *w, void *const at[PIECES]) {
    return (struct context_decoder){w->z.d_in, w->z.d_k, gru_in(w, at)};
}

static struct context_decoder_values decoder_values_in(const struct work *w,
                                                       void *const at[PIECES]) {
    return (struct context_decoder_values){at[INPUT], values_in(w, at, 0)};
}

static struct attention_decoder looking_in(const struct work *w, void *const at[PIECES]) {
    return (struct attention_decoder){w->z.d_a, at[W_Q], at[W_K], at[V_A], decoder_in(w, at)};
}

static struct attention_decoder_values looking_values_in(const struct work *w,
                                                         void *const at[PIECES]) {
    return (struct attention_decoder_values){at[HIDDEN], at[WEIGHTS], at[C],
                                             decoder_values_in(w, at)};
}

static void run_write(const struct work *w) {
    const struct context_decoder decoder = decoder_in(w, w->at);
    struct context_decoder_values v = decoder_values_in(w, w->at);
    decoder_step(&decoder, w->at[Y], w->at[CONTEXT], w->at[S], &v, w->at[OUT]);
}

static void run_write_back(const struct work *w) {
    struct context_decoder decoder = decoder_in(w, w->at), d_decoder = decoder_in(w, w->d);
    struct context_decoder_values v = decoder_values_in(w, w->at), d_v = decoder_values_in(w, w->d);
    decoder_step_backward(&decoder, w->at[S], &v, w->d[OUT], &d_v, &d_decoder, w->d[Y],
                          w->d[CONTEXT], w->d[S]);
}

static void obvious_write(const struct work *w) {
    void *const *at = w->at;
    double *input = at[INPUT];
    memcpy(input, at[Y], (size_t)w->z.d_in * sizeof *input);
    memcpy(input + w->z.d_in, at[w->z.n ? C : CONTEXT], (size_t)w->z.d_k * sizeof *input);
    obvious_gru(w->z.d_in + w->z.d_k, w->z.d, at[GRU_W], at[GRU_U], input, at[S], at[GATES],
                at[ACC], at[OUT]);
}

static void obvious_write_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    const double *d_input = d[INPUT];
    obvious_gru_back(w->z.d_in + w->z.d_k, w->z.d, at[GRU_W], at[GRU_U], at[INPUT], at[S],
                     at[GATES], at[ACC], d[OUT], d[GATES], d[ACC], d[GRU_W], d[GRU_U], d[INPUT],
                     d[S]);
    add_into(w->z.d_in, d_input, d[Y]);
    add_into(w->z.d_k, d_input + w->z.d_in, d[w->z.n ? C : CONTEXT]);
}

static const struct function writing = {
    .run = run_write,
    .run_back = run_write_back,
    .obvious = obvious_write,
    .obvious_back = obvious_write_back,
    .weights = W_Q,
    .values = WEIGHTS,
    .back = STATES,
};

/* One score of additive attention. Stores the hidden layer. */
static double obvious_score(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                            const double *v_a, const void *s, const void *state, double *hidden) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double score = 0.0;
    for (int a = 0; a < d_a; a++) {
        hidden[a] = tanh(sum_of_products(d, W_q[a], s) + sum_of_products(d_k, W_k[a], state));
        score += v_a[a] * hidden[a];
    }
    return score;
}

static void obvious_context(int n, int d, int d_k, int d_a, const void *W_q, const void *W_k,
                            const void *v_a, const void *states, const void *s, void *layer,
                            double *weights, void *c) {
    const double(*H)[d_k] = states;
    double(*hidden)[d_a] = layer, sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += weights[j] = exp(obvious_score(d, d_k, d_a, W_q, W_k, v_a, s, H[j], hidden[j]));
    scale_into(n, 1.0 / sum, weights, weights);
    product(1, n, d_k, (const void *)weights, H, c);
}

/* The gradients of one score: for the query, the key, and the matrices between them. */
static void obvious_score_back(int d, int d_k, int d_a, const void *for_s, const void *for_H,
                               const double *v_a, const double *s, const double *state,
                               const double *hidden, double d_score, void *d_for_s, void *d_for_H,
                               double *d_v_a, double *d_s, double *d_state) {
    const double(*W_q)[d] = for_s, (*W_k)[d_k] = for_H;
    double(*d_W_q)[d] = d_for_s, (*d_W_k)[d_k] = d_for_H;
    for (int a = 0; a < d_a; a++) {
        const double d_sum = d_score * v_a[a] * (1.0 - hidden[a] * hidden[a]);
        d_v_a[a] += d_score * hidden[a];
        for (int i = 0; i < d; i++) {
            d_W_q[a][i] += d_sum * s[i];
            d_s[i] += d_sum * W_q[a][i];
        }
        for (int i = 0; i < d_k; i++) {
            d_W_k[a][i] += d_sum * state[i];
            d_state[i] += d_sum * W_k[a][i];
        }
    }
}

static void run_look(const struct work *w) {
    const struct attention_decoder decoder = looking_in(w, w->at);
    struct attention_decoder_values v = looking_values_in(w, w->at);
    attention_step(w->z.n, &decoder, w->at[Y], w->at[STATES], w->at[S], &v, w->at[OUT]);
}

static void run_look_back(const struct work *w) {
    struct attention_decoder decoder = looking_in(w, w->at), d_decoder = looking_in(w, w->d);
    struct attention_decoder_values v = looking_values_in(w, w->at),
                                    d_v = looking_values_in(w, w->d);
    attention_step_backward(w->z.n, &decoder, w->at[STATES], w->at[S], &v, w->d[OUT], &d_v,
                            &d_decoder, w->d[Y], w->d[STATES], w->d[S]);
}

static void obvious_look(const struct work *w) {
    void *const *at = w->at;
    obvious_context(w->z.n, w->z.d, w->z.d_k, w->z.d_a, at[W_Q], at[W_K], at[V_A], at[STATES],
                    at[S], at[HIDDEN], at[WEIGHTS], at[C]);
    obvious_write(w);
}

static void obvious_look_back(const struct work *w) {
    void *const *at = w->at, *const *d = w->d;
    const int n = w->z.n, d_k = w->z.d_k;
    const double *weights = at[WEIGHTS], *d_c = d[C], (*H)[d_k] = at[STATES];
    double(*hidden)[w->z.d_a] = at[HIDDEN], (*d_H)[d_k] = d[STATES];
    obvious_write_back(w);
    NEW_MATRIX(d_weights, 1, n);
    NEW_MATRIX(d_scores, 1, n);
    product_by_rows(1, d_k, n, (const void *)d_c, at[STATES], d_weights);
    obvious_d_scores(1, n, at[WEIGHTS], d_weights, d_scores);
    for (int j = 0; j < n; j++) {
        obvious_score_back(w->z.d, d_k, w->z.d_a, at[W_Q], at[W_K], at[V_A], at[S], H[j], hidden[j],
                           d_scores[0][j], d[W_Q], d[W_K], d[V_A], d[S], d_H[j]);
        for (int i = 0; i < d_k; i++)
            d_H[j][i] += weights[j] * d_c[i];
    }
}

static const struct function looking = {
    .run = run_look,
    .run_back = run_look_back,
    .obvious = obvious_look,
    .obvious_back = obvious_look_back,
    .weights = W_Q,
    .values = WEIGHTS,
    .back = STATES,
};

/* decoder_step */

static struct work worked_write(void) {
    struct work w = {.f = &writing, .z = {.d_in = 1, .d = 1, .d_k = 2}};
    PUT(w, GRU_W, -0.5, 0, 1, 0.5, 1, 0, 0, -1, 0.5);
    PUT(w, GRU_U, 1, 0, 2);
    PUT(w, Y, 0.75);
    PUT(w, CONTEXT, 0.5, -1);
    PUT(w, S, -0.4);
    return w;
}

TEST(decoder_step, the_worked_step_of_the_decoder_comes_out) {
    struct work w = yours(worked_write());
    EXPECT_WORKED(w, INPUT, 0.75, 0.5, -1);
    EXPECT_WORKED(w, ACC, -0.4, 0, -0.8);
    EXPECT_WORKED(w, GATES, 0.3717, 0.8176, -0.3834);
    EXPECT_WORKED(w, OUT, -0.3896);
    PUT(w, Y, 1.0 / 3); /* each byte of these numbers counts */
    PUT(w, CONTEXT, -1.0 / 7, 1.0 / 11);
    w = yours(w);
    EXPECT_WORKED(w, INPUT, 1.0 / 3, -1.0 / 7, 1.0 / 11);
}

TEST(decoder_step, the_word_comes_first_and_the_context_after_it) {
    struct random r = random_seed(751);
    struct work given = random_network(&writing, (struct sizes){0, 2, 2, 3, 0}, &r);
    PUT(given, Y, 0.25, -0.5);
    PUT(given, CONTEXT, 1, 2, -3);
    const struct work w = yours(given);
    EXPECT_WORKED(w, INPUT, 0.25, -0.5, 1, 2, -3);
    EXPECT_FORWARD(given);
}

AGREES(decoder_step, random_steps_agree_with_the_obvious_way, writing, all_without_states, WEIGHTS,
       753)

KEEPS_NOTHING(decoder_step, two_threads_may_write_at_once, writing, all_without_states, 754)

/* decoder_step_backward */

TEST(decoder_step_backward, the_worked_step_of_the_decoder_has_these_gradients) {
    struct work w = obvious(worked_write());
    PUT_D_OUT(w, 1);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_WORKED_D(w, GATES, -0.0039, -0.0639, 0.5359);
    EXPECT_WORKED_D(w, ACC, -0.0039, -0.0639, 0.4382);
    EXPECT_WORKED_D(w, INPUT, 0.5379, -0.0659, 0.3319);
    EXPECT_WORKED_D(w, Y, 0.5379);
    EXPECT_WORKED_D(w, CONTEXT, -0.0659, 0.3319);
    EXPECT_WORKED_D(w, S, 1.2442);
    EXPECT_WORKED_D(w, GRU_W, -0.0029, -0.0480, 0.4020, -0.0019, -0.0320, 0.2680, 0.0039, 0.0639,
                    -0.5359);
    EXPECT_WORKED_D(w, GRU_U, 0.0015, 0.0256, -0.1753);
}

ADDS(decoder_step_backward, the_decoder_adds_to_gradients_and_passes_on_totals, writing,
     all_without_states, GRU_U, 10.0, 0.5, 756)
GOES_BY_WHAT_IS_LEFT(decoder_step_backward, the_backward_pass_of_the_decoder_uses_the_stored_values,
                     writing, all_without_states, CONTEXT, 758)
IS_MEASURED(decoder_step_backward, all_gradients_of_a_step_are_what_nudging_measures, writing,
            run_write, all_without_states, 0, 757)

KEEPS_NOTHING_BACK(decoder_step_backward, two_threads_may_go_back_at_once, writing,
                   all_without_states, 755)

/* attention_step */

/* Only the candidate of the step is not 0. */
static struct work look_with(struct work w) {
    PUT(w, GRU_W, 0, 0, 0, 0, 0.1, 0.1, 0, 0, 0, 0, 0.2, 0.2, 0, 0, 0, 0, 0.3, 0.3, 0, 0, 0, 0, 0.4,
        0.4);
    PUT(w, GRU_U, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    PUT(w, Y, 1);
    return w;
}

static struct work worked_look(void) {
    struct work w = {.f = &looking, .z = {.n = 4, .d_in = 1, .d = 2, .d_k = 3, .d_a = 5}};
    PUT(w, W_Q, 0.5, 1, -1, 0.25, 0, 0.5, 0.5, -0.5, 1, 0);
    PUT(w, W_K, 1, 0, 0.5, 0.25, -1, 1, -0.5, 0.5, 0, 0, 1, -0.5, 0.5, 0.25, -1);
    PUT(w, V_A, 1, -0.5, 0.5, -1, 0.25);
    w = look_with(w);
    PUT(w, STATES, 1, 0, 1, 0, 1, 0, 1, 1, -1, -1, 0.5, 2);
    PUT(w, S, 1, -0.5);
    return w;
}

/* Lesson 04's example, as `make show-07` shows it. */
static struct work shown_look(double first, double second) {
    struct work w = {.f = &looking, .z = {.n = 3, .d_in = 1, .d = 2, .d_k = 3, .d_a = 2}};
    PUT(w, W_Q, 0.5, 1, -1, 0.25);
    PUT(w, W_K, 1, 0, 0.5, 0.25, -1, 1);
    PUT(w, V_A, 1, -0.5);
    w = look_with(w);
    PUT(w, STATES, 1, 0, 1, 0, 1, 0, 1, 1, -1);
    PUT(w, S, first, second);
    return w;
}

/* Weights, context and next state to four decimals, the rest by the slow reference. */
static void expect_look(int line, struct work given, const double *weights, const double *c,
                        const double *next) {
    const struct work w = yours(given), expected = obvious(given);
    FOR_ALL_LEFT(p, w) {
        const void *worked = p == WEIGHTS ? weights : p == C ? c : p == OUT ? next : expected.at[p];
        because_of_parts(&w, p);
        expect_array(line, its(&w, p).name, its(&w, p).dims, worked, w.at[p], FOUR_DECIMALS);
    }
}
#define EXPECT_LOOK(given, ...) expect_look(__LINE__, given, __VA_ARGS__)

TEST(attention_step, the_worked_states_get_these_weights) {
    const double weights[4] = {0.3514, 0.2096, 0.2631, 0.1759}, c[3] = {0.4386, 0.5606, 0.4402};
    const double next[2] = {0.7434, -0.0066};
    EXPECT_LOOK(worked_look(), weights, c, next);
    const double shown_weights[3] = {0.2760, 0.3058, 0.4183}, shown_next[2] = {0.6896, 0.1896};
    const double shown_c[3] = {0.6942, 0.7240, -0.1423};
    EXPECT_LOOK(shown_look(1, 0), shown_weights, shown_c, shown_next);
    const double other_weights[3] = {0.1999, 0.3447, 0.4554}, other_next[2] = {0.1765, 0.6765};
    const double other_c[3] = {0.6553, 0.8001, -0.2556};
    EXPECT_LOOK(shown_look(0, 1), other_weights, other_c, other_next);
}

/* All sizes except the number of states are 2, so that exchanged queries and keys still fit. */
static struct work square_look(void) {
    struct random r = random_seed(759);
    return random_network(&looking, (struct sizes){3, 2, 2, 2, 2}, &r);
}

TEST(attention_step, the_query_is_the_state_before_it_reads_the_word) {
    EXPECT_FORWARD(square_look());
}

/* The same, but with the encoder's states in reverse order. */
static struct work turned_round(struct work w) {
    const int n = w.z.n, d_k = w.z.d_k;
    const double(*H)[d_k] = w.at[STATES];
    double(*turned)[d_k] = w.at[STATES] = filled(&w, STATES, UNNAMED, 0.0);
    for (int j = 0; j < n; j++)
        memcpy(turned[j], H[n - 1 - j], sizeof turned[j]);
    return w;
}

TEST(attention_step, reversing_the_states_reverses_the_weights) {
    struct random r = random_seed(760);
    const struct work given = random_network(&looking, (struct sizes){5, 2, 4, 3, 6}, &r);
    const struct work before = yours(given), w = yours(turned_round(given));
    const double *plain = before.at[WEIGHTS], *c = w.at[C], *weights = w.at[WEIGHTS];
    NEW_MATRIX(expected, 1, 5);
    for (int j = 0; j < 5; j++) {
        BECAUSE("The encoder has 5 states here. Compute a weight for each.");
        EXPECT_THAT(!is_unset(plain[j]), "weights[0][%d] was never set", j);
        expected[0][4 - j] = plain[j];
    }
    BECAUSE("The encoder's states are in another order here. A weight depends on the state, not on "
            "its position.");
    EXPECT_MATRIX(1, 5, expected, weights, ROUNDING);
    BECAUSE("The encoder's states are in another order here, and so are their weights. The context "
            "is the same sum as before.");
    EXPECT_MATRIX(1, 3, before.at[C], c, ROUNDING);
}

TEST(attention_step, every_state_of_the_encoder_influences_the_result) {
    const struct work given = square_look();
    const double *before = yours(given).at[OUT];
    double(*H)[2] = given.at[STATES];
    for (int j = 0; j < 3; j++) {
        H[j][1] += 1.0;
        const double *after = yours(given).at[OUT];
        BECAUSE("The decoder has to use every state of the encoder.");
        EXPECT_THAT(fabs(after[0] - before[0]) > 1e-6, "H[%d] changed, and next did not", j);
        H[j][1] -= 1.0;
    }
}

AGREES(attention_step, random_steps_with_attention_agree_with_the_obvious_way, looking, all_sizes,
       WEIGHTS, 762)

/* The take_...() are given. This test shows an accidental change. */
TEST(attention_step, the_given_functions_place_a_decoder_without_gaps) {
    NEW_VECTOR(numbers, 200);
    struct room room = {numbers, 0};
    const struct attention_decoder w = take_attention_decoder(&room, 1, 2, 3, 4);
    struct attention_decoder_values v = take_attention_decoder_values(&room, &w, 5);
    const struct context_decoder *d = &w.decoder;
    EXPECT_THAT(w.d_a == 4 && d->d_word == 1 && d->d_context == 2 && d->gru.d_in == 3 &&
                    d->gru.d == 3,
                "take_attention_decoder: a size is not the one it was called with");
    const void *starts[10] = {w.W_q,    w.W_k,     w.v_a, d->gru.W,        d->gru.U,
                              v.hidden, v.weights, v.c,   v.decoder.input, v.decoder.gru.gates};
    const int offsets[10] = {0, 12, 20, 24, 51, 78, 98, 103, 105, 108};
    for (int i = 0; i < 10; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "matrix %d is at another place", i);
    EXPECT_THAT(room.used == 126, "%d numbers were taken; it should be 126", room.used);
    NEW_MATRIX_FILLED(y, 1, 1, 1.0);
    NEW_MATRIX_FILLED(H, 5, 2, 3.0);
    NEW_MATRIX_OF(s, 1, 3, {0.5, -3, 1});
    NEW_MATRIX(next, 1, 3);
    fill(126, 0.0, numbers);
    attention_step(5, &w, y, H, s, &v, next);
    const double expected[1][3] = {{0.25, -1.5, 0.5}};
    BECAUSE("All matrices are 0 here, so z is 0.5 and the candidate is 0.");
    EXPECT_MATRIX(1, 3, expected, next, ROUNDING);
}

KEEPS_NOTHING(attention_step, two_threads_may_look_at_once, looking, all_sizes, 761)

/* attention_step_backward */

TEST(attention_step_backward, the_worked_step_with_attention_has_these_gradients) {
    struct work w = obvious(worked_look());
    PUT_D_OUT(w, 1, -2);
    w = yours_back(w, 0.0, 0.0);
    EXPECT_WORKED_D(w, C, -0.0763, -0.1144, -0.1526);
    EXPECT_WORKED_D(w, STATES, -0.0270, -0.0346, -0.0507, -0.0076, -0.0222, -0.0271, -0.0017,
                    -0.0235, -0.0267, -0.0285, -0.0151, -0.0358);
    EXPECT_WORKED_D(w, S, 0.4991, -0.9999);
    EXPECT_WORKED_D(w, V_A, -0.0050, -0.0488, -0.0011, 0.0318, 0.0504);
}

ADDS(attention_step_backward, attention_adds_to_gradients_and_passes_on_totals, looking, all_sizes,
     GRU_U, 10.0, 0.5, 764)
GOES_BY_WHAT_IS_LEFT(attention_step_backward, the_backward_pass_of_attention_uses_the_stored_values,
                     looking, all_sizes, S, 765)
IS_MEASURED(attention_step_backward, gradients_of_attention_are_what_nudging_measures, looking,
            run_look, all_sizes, 2, 766)

TEST(attention_step_backward, the_gradients_of_hidden_and_weights_stay_unchanged) {
    struct random r = random_seed(768);
    const struct work w =
        yours_back(obvious(random_network(&looking, all_sizes[0], &r)), 0.5, 10.0);
    for (enum piece p = WEIGHTS; p <= HIDDEN; p++) {
        NEW_VECTOR_FILLED(as_it_was, count_of(&w, p), 10.0);
        BECAUSE("Leave d_v->hidden and d_v->weights unchanged. Lesson 04 does not need them.");
        expect_array(__LINE__, p == HIDDEN ? "d_v->hidden" : "d_v->weights", its(&w, p).dims,
                     as_it_was, w.d[p], EXACTLY);
    }
}

KEEPS_NOTHING_BACK(attention_step_backward, two_threads_may_run_attention_step_backward_at_once,
                   looking, all_sizes, 763)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(decoder_step, &writing, 0, 3, 2, 4, 0)
LAWS_BACKWARD(decoder_step_backward, &writing, true, 0, 3, 2, 4, 0)
LAWS_FORWARD(attention_step, &looking, 5, 3, 2, 4, 6)
LAWS_BACKWARD(attention_step_backward, &looking, true, 5, 3, 2, 4, 6)
