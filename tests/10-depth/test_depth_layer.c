/* Lesson 10: what depth.h promises of a layer, forward and backward. */
#include "norms.h"

#include "../masks.h"

/* What the header names: the gradient of a matrix, whose own name is behind the "d_", and its dims.
   Weights and words come first, then what a pass leaves. */
#define ALL_PIECES(_)                                                                              \
    _(GAIN, "d_gain", dims_of_rows(0, z.d))                                                        \
    _(BIAS, "d_bias", dims_of_rows(0, z.d))                                                        \
    _(W_Q, "d_W_q", dims_of_rows(z.d, all))                                                        \
    _(W_K, "d_W_k", dims_of_rows(z.d, kv))                                                         \
    _(W_V, "d_W_v", dims_of_rows(z.d, kv))                                                         \
    _(W_O, "d_W_o", dims_of_rows(all, z.d))                                                        \
    _(X, "d_X", dims_of_rows(z.n, z.d))                                                            \
    _(MEMORY, "d_memory", dims_of_rows(m, z.d))                                                    \
    _(NORMED, "d_normed", dims_of_rows(z.n, z.d))                                                  \
    _(INVERSE_STD, "d_inverse_std", dims_of_rows(0, z.n))                                          \
    _(SCALED, "d_scaled", dims_of_rows(z.n, z.d))                                                  \
    _(ROWS_Q, "d_rows_q", dims_of_rows(z.n, all))                                                  \
    _(ROWS_K, "d_rows_k", dims_of_rows(m, kv))                                                     \
    _(ROWS_V, "d_rows_v", dims_of_rows(m, kv))                                                     \
    _(Q, "d_Q", dims_of(3, z.n_heads, z.n, z.d_head, 1))                                           \
    _(K, "d_K", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                                          \
    _(V, "d_V", dims_of(3, z.n_kv_heads, m, z.d_head, 1))                                          \
    _(WEIGHTS, "d_weights", dims_of(3, z.n_heads, z.n, m, 1))                                      \
    _(HEADS, "d_heads", dims_of(3, z.n_heads, z.n, z.d_head, 1))                                   \
    _(ROWS_OUT, "d_rows_out", dims_of_rows(z.n, all))                                              \
    _(OUT, "d_out", dims_of_rows(z.n, z.d))
#define ITS_NUMBER(piece, name, dims) piece,
#define ITS_LABEL(piece, name, dims)  {name, &name[2], dims},
enum piece { ALL_PIECES(ITS_NUMBER) PIECES };

/* Where m is 0, there is no memory, and m is n. */
struct sizes {
    int n, m, d, n_heads, n_kv_heads, d_head;
};

/* No two of a set alike but for the heads, which may be as many; each is 1 somewhere. */
static const struct sizes all_sizes[] = {
    {3, 5, 4, 2, 1, 6}, {4, 0, 3, 2, 2, 5}, {5, 2, 3, 1, 1, 4},
    {2, 0, 4, 6, 3, 1}, {1, 3, 2, 4, 2, 5}, {2, 1, 3, 2, 2, 4},
    {1, 0, 2, 3, 1, 4}, {3, 2, 1, 2, 2, 5}, {1, 1, 1, 1, 1, 1},
};
static const struct sizes with_memory = {3, 5, 4, 2, 1, 6}, alone = {4, 0, 3, 2, 2, 5};

/* A layer with what goes in and comes out, and their gradients. */
struct layer {
    struct sizes z;
    void *blocked, *at[PIECES], *d[PIECES];
};

static int asked(const struct layer *l) {
    return l->z.m ? l->z.m : l->z.n;
}

struct label {
    const char *d_name, *name;
    struct dims dims;
};

static struct label its(const struct layer *l, enum piece p) {
    const struct sizes z = l->z;
    const int m = asked(l), all = z.n_heads * z.d_head, kv = z.n_kv_heads * z.d_head;
    const struct label labels[PIECES] = {ALL_PIECES(ITS_LABEL)};
    return labels[p];
}

static int count_of(const struct layer *l, enum piece p) {
    return dims_count(its(l, p).dims);
}

static void *filled(const struct layer *l, enum piece p, const char *name, double value) {
    return fill(count_of(l, p), value, array_new(name, its(l, p).dims));
}

/* The structs of depth.h around these. */
static struct attention_layer weights_in(const struct layer *l, void *const at[PIECES]) {
    const struct sizes z = l->z;
    return (struct attention_layer){
        at[GAIN],
        at[BIAS],
        {z.d, z.n_heads, z.n_kv_heads, z.d_head, at[W_Q], at[W_K], at[W_V], at[W_O]}};
}

static struct attention_layer_values values_in(void *const at[PIECES]) {
    return (struct attention_layer_values){at[NORMED],
                                           at[INVERSE_STD],
                                           at[SCALED],
                                           {at[ROWS_Q], at[ROWS_K], at[ROWS_V], at[Q], at[K], at[V],
                                            at[WEIGHTS], at[HEADS], at[ROWS_OUT]}};
}

static void run(const struct layer *l) {
    const struct attention_layer w = weights_in(l, l->at);
    const struct attention_layer_values v = values_in(l->at);
    attention_layer(l->z.n, asked(l), &w, l->at[X], l->at[MEMORY], l->blocked, &v, l->at[OUT]);
}

static void run_back(const struct layer *l) {
    const struct attention_layer w = weights_in(l, l->at), d_w = weights_in(l, l->d);
    const struct attention_layer_values v = values_in(l->at), d_v = values_in(l->d);
    attention_layer_backward(l->z.n, asked(l), &w, l->at[MEMORY], l->blocked, &v, l->d[OUT], &d_v,
                             &d_w, l->d[X], l->d[MEMORY]);
}

/* Lesson 08's heads between this lesson's slow norm and a sum. */
static void run_obviously(const struct layer *l) {
    const int n = l->z.n, d = l->z.d;
    const struct attention_layer w = weights_in(l, l->at);
    const struct attention_layer_values v = values_in(l->at);
    obvious_norm(true, n, d, l->at[X], v.normed, v.inverse_std);
    obvious_scale(n, d, v.normed, w.gain, w.bias, v.scaled);
    multi_head_attention(n, asked(l), &w.heads, v.scaled, l->z.m ? l->at[MEMORY] : v.scaled,
                         l->blocked, &v.heads, l->at[OUT]);
    add_into(n * d, l->at[X], l->at[OUT]);
}

static void run_back_obviously(const struct layer *l) {
    const int n = l->z.n, d = l->z.d;
    const struct attention_layer w = weights_in(l, l->at), d_w = weights_in(l, l->d);
    const struct attention_layer_values v = values_in(l->at), d_v = values_in(l->d);
    multi_head_attention_backward(
        n, asked(l), &w.heads, v.scaled, l->z.m ? l->at[MEMORY] : v.scaled, l->blocked, &v.heads,
        l->d[OUT], &d_v.heads, &d_w.heads, d_v.scaled, l->z.m ? l->d[MEMORY] : d_v.scaled);
    obvious_norm_back(true, n, d, w.gain, v.normed, v.inverse_std, d_v.scaled, l->d[X]);
    obvious_scale_back(n, d, v.normed, d_v.scaled, d_w.gain, d_w.bias);
    add_into(n * d, l->d[OUT], l->d[X]);
}

/* A report shows none of these: their names are not the header's. */
static struct layer random_layer(struct sizes z, bool masked, struct random *r) {
    struct layer l = {.z = z};
    for (enum piece p = GAIN; p <= MEMORY; p++)
        if (p != MEMORY || z.m)
            l.at[p] = random_fill_normal(r, count_of(&l, p), filled(&l, p, "of_layer", 0.0));
    for (enum piece p = W_Q; p <= W_V; p++) /* away from where the softmax is flat */
        scale_into(count_of(&l, p), 0.5, l.at[p], l.at[p]);
    l.blocked = masked ? scattered_mask(z.n, asked(&l)) : NULL;
    l.d[OUT] = random_fill_normal(r, count_of(&l, OUT), filled(&l, OUT, "of_d_out", 0.0));
    return l;
}

static struct layer with_room(struct layer l) {
    for (enum piece p = NORMED; p <= OUT; p++)
        l.at[p] = array_new(its(&l, p).name, its(&l, p).dims);
    return l;
}

/* With the names that the header has: a report shows what a call was given. */
static struct layer named(struct layer l, enum piece first, enum piece last) {
    for (enum piece p = first; p <= last; p++)
        if (l.at[p])
            l.at[p] = array_copy(its(&l, p).name, its(&l, p).dims, l.at[p]);
    return l;
}

static struct layer yours(struct layer l) {
    l = with_room(named(l, GAIN, MEMORY));
    run(&l);
    return l;
}

static struct layer obvious(struct layer l) {
    for (enum piece p = NORMED; p <= OUT; p++)
        l.at[p] = filled(&l, p, "of_layer", 0.0);
    run_obviously(&l);
    return l;
}

/* All hold something at first, and d_v something else; that of out comes as it is. */
static struct layer with_gradients(struct layer l, double held, double half_way) {
    for (enum piece p = GAIN; p < OUT; p++)
        if (p != MEMORY || l.z.m)
            l.d[p] = filled(&l, p, its(&l, p).d_name, p < NORMED ? held : half_way);
    return l;
}

static struct layer yours_back(struct layer l, double held, double half_way) {
    l = named(named(l, GAIN, W_O), MEMORY, ROWS_OUT);
    l.d[OUT] = array_copy("d_out", its(&l, OUT).dims, l.d[OUT]);
    l = with_gradients(l, held, half_way);
    run_back(&l);
    return l;
}

static struct layer obvious_back(struct layer l, double half_way) {
    l = with_gradients(l, 0.0, half_way);
    run_back_obviously(&l);
    return l;
}

/* What a piece should be, and of which sizes. */
static void because_of(const struct layer *l, const char *what) {
    BECAUSE("%sn = %d, m = %d and d_model = %d here; memory is %s, blocked is %s.",
            what ? what : "", l->z.n, asked(l), l->z.d, l->z.m ? "a matrix" : "NULL",
            l->blocked ? "a mask" : "NULL");
}

/* All that comes out, in the order in which it is made. */
static void expect_forward(int line, struct layer given) {
    static const char *const what[PIECES] = {
        [NORMED] = "normed is of X. ",
        [SCALED] = "scaled is normed with gain and bias. ",
        [ROWS_Q] = "The scaled rows ask. ",
        [ROWS_K] = "memory is asked as it is, or where it is NULL, the scaled rows. ",
        [WEIGHTS] = "Queries and keys are right, and the heads are given the mask. ",
        [OUT] = "out is X and what the heads give. ",
    };
    const struct layer l = yours(given), right = obvious(given);
    for (enum piece p = NORMED; p <= OUT; p++) {
        because_of(&l, what[p]);
        expect_array(line, its(&l, p).name, its(&l, p).dims, right.at[p], l.at[p], ROUNDING);
    }
}
#define EXPECT_FORWARD(given) expect_forward(__LINE__, given)

/* In the order in which they are made, more or less. */
static void expect_back(int line, struct layer given, double held, double half_way) {
    static const char *const what[PIECES] = {
        [NORMED] = "No gradient of normed is kept, so it stays as it is. ",
        [INVERSE_STD] = "No gradient of inverse_std is kept, so it stays as it is. ",
        [WEIGHTS] = "No gradient of the weights is kept, so it stays as it is. ",
        [SCALED] = "The queries come back here, and keys and values where memory is NULL. ",
        [MEMORY] = "Keys and values come back here, and nothing else. ",
        [X] = "d_out comes back here, and d_scaled through the norm. ",
    };
    const struct layer l = yours_back(given, held, half_way), right = obvious_back(given, half_way);
    for (enum piece p = OUT; p-- > 0;) {
        if (!l.d[p])
            continue;
        NEW_VECTOR_FILLED(gained, count_of(&l, p), p < NORMED ? 0.0 : -half_way);
        add_into(count_of(&l, p), right.d[p], gained);
        because_of(&l, what[p]);
        expect_array_added(line, its(&l, p).d_name, its(&l, p).dims, p < NORMED ? held : half_way,
                           gained, l.d[p]);
    }
}
#define EXPECT_BACK(given, held, half_way) expect_back(__LINE__, given, held, half_way)

/* attention_layer */

static void put(struct layer *l, enum piece p, const double *numbers) {
    l->at[p] = array_copy("of_layer", its(l, p).dims, numbers);
}
#define PUT(l, p, ...) put(&(l), p, (const double[]){__VA_ARGS__})

/* Nobody asks for anything: W_q is 0, and each word looks at both by halves. */
static struct layer worked(void) {
    struct layer l = {.z = {2, 0, 4, 1, 1, 4}};
    PUT(l, X, 1, 2, 4, -3, 1, 0, 0, 0);
    PUT(l, GAIN, 1, 1, 1, 1);
    PUT(l, BIAS, 0, 0, 0, 0);
    for (enum piece p = W_Q; p <= W_O; p++) {
        double *W = l.at[p] = filled(&l, p, "of_layer", 0.0);
        for (int c = 0; c < 4 && p > W_K; c++)
            W[5 * c] = 1.0;
    }
    return l;
}

static void the_worked_words_add_what_they_fetch(void) {
    const struct layer l = yours(worked());
    const double scaled[8] = {0, 0.3922, 1.1767, -1.5689, 1.7320, -0.5773, -0.5773, -0.5773};
    const double weights[4] = {0.5, 0.5, 0.5, 0.5};
    const double out[8] = {1.8660, 1.9074, 4.2997, -4.0731, 1.8660, -0.0926, 0.2997, -1.0731};
    expect_array(__LINE__, "scaled", its(&l, SCALED).dims, scaled, l.at[SCALED], FOUR_DECIMALS);
    expect_array(__LINE__, "weights", its(&l, WEIGHTS).dims, weights, l.at[WEIGHTS], FOUR_DECIMALS);
    BECAUSE("Both words fetch the mean of the scaled rows here: .8660, -.0926, .2997, -1.0731.");
    expect_array(__LINE__, "out", its(&l, OUT).dims, out, l.at[OUT], FOUR_DECIMALS);
}

/* n, m and the three sizes of the matrices fit each other, so that what is mixed up runs. */
static const struct sizes square = {3, 3, 4, 2, 2, 2}, square_alone = {3, 0, 4, 2, 2, 2};

/* W_o is 0, and nothing comes of the heads. */
static void what_fetches_nothing_returns_X_bit_for_bit(void) {
    struct random r = random_seed(1020);
    for (int masked = 0; masked < 2; masked++) {
        struct layer l = random_layer(square_alone, masked, &r);
        fill(count_of(&l, W_O), 0.0, l.at[W_O]);
        ((double *)l.at[X])[0] = 1e100;
        const double *out = yours(l).at[OUT];
        BECAUSE("W_o is 0, so the heads give 0: what is left is the way past them.");
        EXPECT_MATRIX(3, 4, l.at[X], out, EXACTLY);
    }
}

#define AGREES(name, sizes, masked, seed)                                                          \
    static void name(void) {                                                                       \
        struct random r = random_seed(seed);                                                       \
        EXPECT_FORWARD(random_layer(sizes, masked, &r));                                           \
    }
AGREES(the_heads_look_at_the_scaled_rows, square_alone, false, 1021)
AGREES(a_memory_is_asked_as_it_is, with_memory, false, 1022)
AGREES(a_memory_of_n_words_is_a_memory_too, square, false, 1023)
AGREES(the_heads_are_given_the_mask, square_alone, true, 1024)

static void random_layers_agree_with_the_obvious_way(void) {
    struct random r = random_seed(1026);
    FOR_ALL(sizes, z, all_sizes)
    for (int masked = 0; masked < 2; masked++)
        EXPECT_FORWARD(random_layer(*z, masked, &r));
}

/* The take_...() are given; who changed them by accident reads it here. */
static void what_is_given_takes_a_layer_without_gaps(void) {
    NEW_VECTOR(numbers, 400);
    struct room room = {numbers, 0};
    const struct attention_layer w = take_attention_layer(&room, 6, 2);
    const struct attention_layer_values v = take_attention_layer_values(&room, &w, 2, 3);
    const struct multi_head *h = &w.heads;
    EXPECT_THAT(h->d_model == 6 && h->n_heads == 2 && h->n_kv_heads == 2 && h->d_head == 3,
                "take_attention_layer: a size of heads is not d_model = 6, n_heads = 2, "
                "n_kv_heads = 2, d_head = 3");
    const void *starts[] = {w.gain,   w.bias,        h->W_q,   h->W_o,
                            v.normed, v.inverse_std, v.scaled, v.heads.rows_q};
    const int offsets[] = {0, 6, 12, 120, 156, 168, 170, 182};
    for (int i = 0; i < 8; i++)
        EXPECT_THAT(starts[i] == numbers + offsets[i], "piece %d is elsewhere", i);
    EXPECT_THAT(v.heads.rows_out == numbers + room.used - 12, "rows_out is not the last piece");
    NEW_MATRIX_FILLED(X_of_2, 2, 6, 3.0);
    NEW_MATRIX_FILLED(memory, 3, 6, 1.0);
    NEW_MATRIX(out, 2, 6);
    fill(room.used, 0.0, numbers);
    attention_layer(2, 3, &w, X_of_2, memory, NULL, &v, out);
    BECAUSE("All weights are 0 here, and X is 3 everywhere.");
    EXPECT_MATRIX(2, 6, X_of_2, out, EXACTLY);
}

/* Up to the last piece given, a call changes none. */
static void expect_kept(int line, const struct layer *l, void (*call)(const struct layer *),
                        enum piece last) {
    void *before[PIECES];
    for (enum piece p = GAIN; p <= last; p++)
        before[p] = l->at[p] ? array_copy("before", its(l, p).dims, l->at[p]) : NULL;
    call(l);
    for (enum piece p = GAIN; p <= last; p++) {
        BECAUSE("%s is an input here, and it was changed.", its(l, p).name);
        if (l->at[p])
            expect_array(line, its(l, p).name, its(l, p).dims, before[p], l->at[p], EXACTLY);
    }
}
#define EXPECT_KEPT(l, call, last) expect_kept(__LINE__, &(l), call, last)

static void words_and_weights_stay_as_they_are(void) {
    struct random r = random_seed(1027);
    const struct layer l = with_room(random_layer(alone, false, &r)),
                       other = with_room(random_layer(with_memory, true, &r));
    EXPECT_KEPT(l, run, MEMORY);
    EXPECT_KEPT(other, run, MEMORY);
}

static void two_threads_may_look_at_once(void) {
    struct random r = random_seed(1028);
    const struct layer l = with_room(random_layer(with_memory, false, &r)),
                       other = with_room(random_layer(alone, true, &r));
    EXPECT_NOTHING_KEPT(run(&l), run(&other));
}

/* attention_layer_backward */

static void the_worked_words_go_back_on_two_ways(void) {
    struct layer l = obvious(worked());
    l.d[OUT] = matrix_copy("of_d_out", 2, 4, (const double[2][4]){{0, 0, 1, 0}, {0}});
    l = yours_back(l, 0.0, 0.0);
    const double d_scaled[8] = {0, 0, 0.5, 0, 0, 0, 0.5, 0};
    const double d_X[8] = {-0.0490, -0.0717, 1.0792, 0.0415, 0, -0.3849, 0.7698, -0.3849};
    BECAUSE("What reaches number 2 of word 0's out was fetched from both words, by halves.");
    expect_array(__LINE__, "d_X", its(&l, X).dims, d_X, l.d[X], FOUR_DECIMALS);
    expect_array(__LINE__, "d_scaled", its(&l, SCALED).dims, d_scaled, l.d[SCALED], FOUR_DECIMALS);
}

static void the_way_past_brings_d_out_back_bit_for_bit(void) {
    struct random r = random_seed(1030);
    for (int i = 0; i < 2; i++) {
        struct layer l = random_layer(i ? square : square_alone, false, &r);
        fill(count_of(&l, W_O), 0.0, l.at[W_O]);
        const double *d_X = yours_back(obvious(l), 0.0, 0.0).d[X];
        BECAUSE("W_o is 0, so nothing comes back through the heads.");
        EXPECT_MATRIX(3, 4, l.d[OUT], d_X, EXACTLY);
    }
}

static void of_a_memory_only_the_queries_go_back_through_the_norm(void) {
    struct random r = random_seed(1031);
    struct layer l = random_layer(square, false, &r);
    fill(count_of(&l, W_Q), 0.0, l.at[W_Q]);
    l = obvious(l);
    const struct layer back = yours_back(l, 0.0, 0.0), right = obvious_back(l, 0.0);
    const double *d_W_v = back.d[W_V], *d_X = back.d[X], *d_memory = back.d[MEMORY];
    BECAUSE("Keys and values are of the memory, and it has as many words as X here.");
    EXPECT_MATRIX(4, 4, right.d[W_V], d_W_v, ROUNDING);
    BECAUSE("W_q is 0, so that nothing comes back by the queries.");
    EXPECT_MATRIX(3, 4, l.d[OUT], d_X, EXACTLY);
    EXPECT_MATRIX(3, 4, right.d[MEMORY], d_memory, ROUNDING);
}

static void all_gradients_of_a_layer_are_added_to_what_is_there(void) {
    struct random r = random_seed(1033);
    EXPECT_BACK(obvious(random_layer(square_alone, false, &r)), 10.0, 0.0);
    EXPECT_BACK(obvious(random_layer(with_memory, false, &r)), 10.0, 0.0);
}

static void what_waits_in_d_v_goes_on(void) {
    struct random r = random_seed(1034);
    EXPECT_BACK(obvious(random_layer(square_alone, false, &r)), 0.0, 0.5);
}

/* The result, times what it is worth. */
static double loss_of(void *context) {
    const struct layer *l = context;
    run(l);
    return sum_of_products(count_of(l, OUT), l->at[OUT], l->d[OUT]);
}

/* Where one word is asked, or a row is one number, some slopes are 0. */
static void all_gradients_of_a_layer_are_what_nudging_measures(void) {
    struct random r = random_seed(1035);
    for (int i = 0; i < 4; i++) {
        matrix_free_all();
        struct layer l = random_layer(all_sizes[i], i > 1, &r);
        const struct layer back = yours_back(obvious(l), 0.0, 0.0);
        l = with_room(l);
        for (enum piece p = GAIN; p <= MEMORY; p++) {
            if (!l.at[p])
                continue;
            NEW_VECTOR(measured, count_of(&l, p));
            numeric_gradient(loss_of, &l, count_of(&l, p), l.at[p], measured);
            because_of(&l, NULL);
            expect_array_gradient(__LINE__, its(&l, p).d_name, its(&l, p).dims, measured, back.d[p],
                                  SLOPES);
        }
    }
}

/* Memory 1 is enormous, and blocked for all: 0 times what would be infinite is no number. */
static void the_mask_holds_on_the_way_back_too(void) {
    struct random r = random_seed(1036);
    struct layer l = random_layer(square, false, &r);
    NEW_MASK_OF(blocked, 3, 3, {false, true, false}, {false, true, false}, {true, true, false});
    l.blocked = blocked;
    double(*memory)[4] = l.at[MEMORY];
    fill(4, 0.0, memory[1]);
    const double *expected = obvious_back(obvious(l), 0.0).d[X];
    fill(4, 1e200, memory[1]);
    scale_into(12, 1e150, l.d[OUT], l.d[OUT]);
    double *d_X = yours_back(obvious(l), 0.0, 0.0).d[X];
    scale_into(12, 1e-150, d_X, d_X);
    BECAUSE("Word 1 of memory is enormous, and blocked for all: nothing comes back by it. d_X is "
            "shown in units of 1e150.");
    EXPECT_MATRIX(3, 4, expected, d_X, ROUNDING);
}

static void random_layers_go_back_as_the_obvious_way_says(void) {
    struct random r = random_seed(1038);
    FOR_ALL(sizes, z, all_sizes)
    for (int masked = 0; masked < 2; masked++)
        EXPECT_BACK(obvious(random_layer(*z, masked, &r)), 1.0, 0.0);
}

static void what_the_pass_left_stays_as_it_is(void) {
    struct random r = random_seed(1040);
    const struct layer l = obvious(random_layer(alone, false, &r)),
                       other = obvious(random_layer(with_memory, true, &r)),
                       back = with_gradients(l, 0.0, 0.0),
                       other_back = with_gradients(other, 0.0, 0.0);
    EXPECT_KEPT(back, run_back, OUT);
    EXPECT_KEPT(other_back, run_back, OUT);
}

static void two_threads_may_go_back_through_a_layer_at_once(void) {
    struct random r = random_seed(1041);
    const struct layer l = with_gradients(obvious(random_layer(with_memory, false, &r)), 0.0, 0.0),
                       other = with_gradients(obvious(random_layer(alone, true, &r)), 0.0, 0.0);
    EXPECT_NOTHING_KEPT(run_back(&l), run_back(&other));
}

const struct lesson_test layer_tests[] = {
    TEST(attention_layer, the_worked_words_add_what_they_fetch),
    TEST(attention_layer, what_fetches_nothing_returns_X_bit_for_bit),
    TEST(attention_layer, the_heads_look_at_the_scaled_rows),
    TEST(attention_layer, a_memory_is_asked_as_it_is),
    TEST(attention_layer, a_memory_of_n_words_is_a_memory_too),
    TEST(attention_layer, the_heads_are_given_the_mask),
    TEST(attention_layer, random_layers_agree_with_the_obvious_way),
    TEST(attention_layer, what_is_given_takes_a_layer_without_gaps),
    TEST(attention_layer, words_and_weights_stay_as_they_are),
    TEST(attention_layer, two_threads_may_look_at_once),

    TEST(attention_layer_backward, the_worked_words_go_back_on_two_ways),
    TEST(attention_layer_backward, the_way_past_brings_d_out_back_bit_for_bit),
    TEST(attention_layer_backward, of_a_memory_only_the_queries_go_back_through_the_norm),
    TEST(attention_layer_backward, all_gradients_of_a_layer_are_added_to_what_is_there),
    TEST(attention_layer_backward, what_waits_in_d_v_goes_on),
    TEST(attention_layer_backward, all_gradients_of_a_layer_are_what_nudging_measures),
    TEST(attention_layer_backward, the_mask_holds_on_the_way_back_too),
    TEST(attention_layer_backward, random_layers_go_back_as_the_obvious_way_says),
    TEST(attention_layer_backward, what_the_pass_left_stays_as_it_is),
    TEST(attention_layer_backward, two_threads_may_go_back_through_a_layer_at_once),
    END_OF_TESTS,
};
