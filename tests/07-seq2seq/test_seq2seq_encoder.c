/* Lesson 07: tests of the encoder with two GRUs, and of the context vector without attention. */
#define ALL_PIECES(_)                                                                              \
    _(WORDS, "d_X", dims_of(2, z.n, z.d_in, 1, 1))                                                 \
    _(START, "d_start", dims_of(2, 2, z.d, 1, 1))                                                  \
    _(GRU_W, "d_W", dims_of(3, 2, z.d_in, 3 * z.d, 1))                                             \
    _(GRU_U, "d_U", dims_of(3, 2, z.d, 3 * z.d, 1))                                                \
    _(ACC, "d_acc", dims_of(3, z.n, 2, 3 * z.d, 1))                                                \
    _(GATES, "d_gates", dims_of(3, z.n, 2, 3 * z.d, 1))                                            \
    _(OUT, "d_H", dims_of(3, z.n, 2, z.d, 1))
#define LAST_WORDS START
#define LAST_GIVEN GRU_U
#define ZEROED(p)  false

#include "networks.h"

#include <stdio.h>

/* Sizes within a set differ, so that exchanged sizes show. Each size is 1 somewhere, and all are.
 */
static const struct sizes all_sizes[] = {
    {4, 3, 2, 0, 0}, {3, 2, 5, 0, 0}, {2, 5, 3, 0, 0}, {1, 3, 2, 0, 0},
    {5, 1, 2, 0, 0}, {3, 2, 1, 0, 0}, {1, 1, 1, 0, 0},
};

static void because_of(const struct work *w, enum piece p) {
    BECAUSE("n = %d, d_in = %d and d = %d here.", w->z.n, w->z.d_in, w->z.d);
}

/* The structs of seq2seq.h for these arrays: word j of a GRU. */
struct two_readers {
    struct gru w[2];
    struct gru_values (*v)[2];
};

/* Memory for the structs, alone on the heap, so that the sanitizer sees writes behind its end. The
   name keeps a failure from showing the small block of one word. */
static void *new_v(const struct work *w, const char *name) {
    _Static_assert(sizeof(struct gru_values) == 2 * sizeof(double), "they fit a block of numbers");
    return block_new(w->z.n > 1 ? name : "(v)", w->z.n, 2, 2);
}

/* It is made when it is wanted, but where no call may leave anything behind. */
struct beside {
    struct gru_values (*v)[2], (*d_v)[2];
};
static struct beside rooms_for(const struct work *w) {
    return (struct beside){new_v(w, "v"), new_v(w, "d_v")};
}

static struct two_readers readers_in(const struct work *w, void *const at[PIECES]) {
    double(*both_W)[w->z.d_in][3 * w->z.d] = at[GRU_W], (*both_U)[w->z.d][3 * w->z.d] = at[GRU_U];
    const struct beside made = w->beside ? *w->beside : rooms_for(w);
    struct two_readers both = {.v = at == w->d ? made.d_v : made.v};
    for (int reader = 0; reader < 2; reader++) {
        both.w[reader] = (struct gru){w->z.d_in, w->z.d, &both_W[reader], &both_U[reader]};
        for (int j = 0; j < w->z.n; j++)
            both.v[j][reader] = values_in(w, at, 2 * j + reader);
    }
    return both;
}

/* The word that a GRU reads at its step k, and the state before that step, in H or at the start.
   For gradients, in d_H or d_start. */
static int word_at(int reader, int k, int n) {
    return reader == 0 ? k : n - 1 - k;
}

static double *state_before(int n, int d, void *states, void *begin, int reader, int k) {
    double(*H)[2][d] = states, (*start)[d] = begin;
    return k == 0 ? start[reader] : H[word_at(reader, k - 1, n)][reader];
}

static void obvious_encode(int n, int d_in, int d, void *both_W, void *both_U, void *words,
                           void *start, void *all_gates, void *all_acc, void *states) {
    double(*W)[d_in][3 * d] = both_W, (*U)[d][3 * d] = both_U, (*X)[d_in] = words;
    double(*gates)[2][3 * d] = all_gates, (*acc)[2][3 * d] = all_acc, (*H)[2][d] = states;
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < n; k++) {
            const int j = word_at(reader, k, n);
            obvious_gru(d_in, d, W[reader], U[reader], X[j],
                        state_before(n, d, H, start, reader, k), gates[j][reader], acc[j][reader],
                        H[j][reader]);
        }
}

static void run_encode(const struct work *w) {
    struct two_readers both = readers_in(w, w->at);
    encode(w->z.n, both.w, w->at[WORDS], w->at[START], both.v, w->at[OUT]);
}

static void run_encode_back(const struct work *w) {
    const struct two_readers both = readers_in(w, w->at);
    struct two_readers d_both = readers_in(w, w->d);
    encode_backward(w->z.n, both.w, w->at[WORDS], w->at[START], both.v, w->at[OUT], w->d[OUT],
                    d_both.v, d_both.w, w->d[WORDS], w->d[START]);
}

static void obvious_encoder(const struct work *w) {
    void *const *at = w->at;
    obvious_encode(w->z.n, w->z.d_in, w->z.d, at[GRU_W], at[GRU_U], at[WORDS], at[START], at[GATES],
                   at[ACC], at[OUT]);
}

static void obvious_encoder_back(const struct work *w) {
    const int n = w->z.n, d_in = w->z.d_in, d = w->z.d;
    double(*W)[d_in][3 * d] = w->at[GRU_W], (*U)[d][3 * d] = w->at[GRU_U],
                         (*X)[d_in] = w->at[WORDS];
    double(*gates)[2][3 * d] = w->at[GATES], (*acc)[2][3 * d] = w->at[ACC];
    double(*d_W)[d_in][3 * d] = w->d[GRU_W], (*d_U)[d][3 * d] = w->d[GRU_U],
                           (*d_H)[2][d] = w->d[OUT];
    double(*d_gates)[2][3 * d] = w->d[GATES], (*d_acc)[2][3 * d] = w->d[ACC];
    double(*d_X)[d_in] = w->d[WORDS];
    for (int reader = 0; reader < 2; reader++)
        for (int k = n - 1; k >= 0; k--) {
            const int j = word_at(reader, k, n);
            obvious_gru_back(d_in, d, W[reader], U[reader], X[j],
                             state_before(n, d, w->at[OUT], w->at[START], reader, k),
                             gates[j][reader], acc[j][reader], d_H[j][reader], d_gates[j][reader],
                             d_acc[j][reader], d_W[reader], d_U[reader], d_X[j],
                             state_before(n, d, d_H, w->d[START], reader, k));
        }
}

static const struct function reading = {
    .run = run_encode,
    .run_back = run_encode_back,
    .obvious = obvious_encoder,
    .obvious_back = obvious_encoder_back,
    .weights = GRU_W,
    .values = ACC,
    .goes_on = true,
};

/* encode */

/* Both GRUs have the matrices of the step in the text. */
static struct work worked_sentence(void) {
    struct work w = {.f = &reading, .z = {.n = 3, .d_in = 1, .d = 1}};
    PUT(w, GRU_W, -0.5, 0, 1, -0.5, 0, 1);
    PUT(w, GRU_U, 1, 0, 2, 1, 0, 2);
    PUT(w, WORDS, 1, -1, 2);
    PUT(w, START, 0, 0);
    return w;
}

TEST(encode, the_worked_sentence_is_read_in_both_directions) {
    const struct work w = yours(worked_sentence()), by_the_obvious_way = obvious(worked_sentence());
    const double(*acc)[2][3] = w.at[ACC], (*H)[2] = w.at[OUT];
    for (int reader = 0; reader < 2; reader++)
        for (int k = 0; k < 3; k++) {
            const int j = word_at(reader, k, 3);
            BECAUSE("GRU 0 comes to word j from word j - 1, and GRU 1 from word j + 1. Begin each "
                    "step at "
                    "the state that is in H already.");
            EXPECT_THAT(!is_made_of_unset(acc[j][reader][0]),
                        "acc[%d][%d] was computed from a state that is not computed yet", j,
                        reader);
        }
    const double expected[3][2] = {{0.4741, 0.6909}, {0.2120, 0.4760}, {0.7374, 0.7048}};
    EXPECT_MATRIX(3, 2, expected, H, FOUR_DECIMALS);
    for (enum piece p = GATES; p <= ACC; p++) {
        BECAUSE("The values of a GRU's step at word j belong in v[j][gru], as its state "
                "does.");
        EXPECT_PIECE(w, p, by_the_obvious_way.at[p], ROUNDING);
    }
}

TEST(encode, each_gru_has_its_own_matrices_and_start) {
    struct random r = random_seed(706);
    EXPECT_FORWARD_FROM(random_network(&reading, (struct sizes){3, 2, 2, 0, 0}, &r), OUT);
}

TEST(encode, a_state_depends_only_on_words_that_were_read) {
    struct random r = random_seed(708);
    const struct work given = random_network(&reading, (struct sizes){5, 3, 2, 0, 0}, &r);
    double(*X)[3] = given.at[WORDS], (*before)[2][2] = yours(given).at[OUT];
    X[2][1] += 1.0;
    double(*H)[2][2] = yours(given).at[OUT];
    for (int j = 0; j < 5; j++)
        for (int reader = 0; reader < 2; reader++) {
            BECAUSE("There are n = 5 words here, and each GRU reads all of them.");
            EXPECT_THAT(!is_unset(before[j][reader][0]), "H[%d][%d] was never set", j, reader);
            const bool has_read_it = reader == 0 ? j >= 2 : j <= 2;
            const bool same = are_alike(2, before[j][reader], H[j][reader], 0.0);
            BECAUSE("GRU 0 reads from the left, GRU 1 from the right. A state depends on the words "
                    "that its "
                    "GRU has read, and on no others.");
            EXPECT_THAT(has_read_it != same, "word 2 changed, and H[%d][%d] %s", j, reader,
                        same ? "did not change" : "changed, too");
        }
}

AGREES(encode, states_of_random_sentences_agree_with_the_obvious_way, reading, all_sizes, OUT, 709)

TEST(encode, two_threads_may_read_at_once) {
    struct random r = random_seed(719);
    struct work w = with_room(random_network(&reading, all_sizes[1], &r)),
                other = with_room(random_network(&reading, all_sizes[0], &r));
    const struct beside rooms = rooms_for(&w), other_rooms = rooms_for(&other);
    w.beside = &rooms, other.beside = &other_rooms;
    EXPECT_NOTHING_KEPT(run_encode(&w), run_encode(&other));
}

/* encode_backward */

TEST(encode_backward, the_worked_sentence_has_these_gradients) {
    struct work w = obvious(worked_sentence());
    PUT_D_OUT(w, 0, 1, 0, 0, 1, 0);
    w = yours_back(w, 0.0, 0.0);
    const double(*d_H)[2] = w.d[OUT], (*d_W)[3] = w.d[GRU_W], (*d_U)[3] = w.d[GRU_U];
    const double expected_d_H[3][2] = {{0.2034, 1}, {0.1805, 0.4833}, {1, 0.5592}};
    const double expected_d_W[2][3] = {{-0.3992, -0.0022, 0.0796}, {-0.4032, -0.0133, 0.0510}};
    const double expected_d_U[2][3] = {{-0.0185, 0.0050, 0.0124}, {0.0094, 0.0362, 0.0588}};
    BECAUSE("d_H was (0, 1), (0, 0), (1, 0) before the call. Add to it at the state before each "
            "step, and pass the total on.");
    EXPECT_MATRIX(3, 2, expected_d_H, d_H, FOUR_DECIMALS);
    EXPECT_WORKED_D(w, START, 0.0935, 0.0733);
    EXPECT_WORKED_D(w, WORDS, 0.2199, 0.0806, 0.1962);
    for (int reader = 0; reader < 2; reader++) {
        expect_numbers(__LINE__, reader ? "d_U[1]" : "d_U[0]", 1, 3, expected_d_U[reader],
                       d_U[reader], FOUR_DECIMALS);
        expect_numbers(__LINE__, reader ? "d_W[1]" : "d_W[0]", 1, 3, expected_d_W[reader],
                       d_W[reader], FOUR_DECIMALS);
    }
}

TEST(encode_backward, each_gru_has_gradients_of_its_own) {
    struct random r = random_seed(710);
    EXPECT_BACK(obvious(random_network(&reading, (struct sizes){4, 2, 2, 0, 0}, &r)), 0.0, 0.0);
}

TEST(encode_backward, the_gradients_of_a_sentence_are_added_to_what_is_there) {
    struct random r = random_seed(711);
    EXPECT_BACK_FROM(obvious(random_network(&reading, (struct sizes){4, 3, 2, 0, 0}, &r)), START,
                     10.0, 0.0);
}

IS_MEASURED(encode_backward, the_gradients_of_a_sentence_are_what_nudging_measures, reading,
            run_encode, all_sizes, 0, 712)
GOES_BY_WHAT_IS_LEFT(encode_backward, the_backward_pass_of_encode_uses_the_stored_values, reading,
                     all_sizes, WORDS, 713)
ADDS(encode_backward, gradients_of_random_sentences_agree_with_the_obvious_way, reading, all_sizes,
     ACC, 0.0, 0.5, 714)

TEST(encode_backward, two_threads_may_run_encode_backward_at_once) {
    struct random r = random_seed(720);
    struct work w = obvious(random_network(&reading, all_sizes[1], &r)),
                other = obvious(random_network(&reading, all_sizes[0], &r));
    const struct beside rooms = rooms_for(&w), other_rooms = rooms_for(&other);
    w.beside = &rooms, other.beside = &other_rooms;
    w = with_gradients(w, 0.0, 0.0), other = with_gradients(other, 0.0, 0.0);
    EXPECT_NOTHING_KEPT(run_encode_back(&w), run_encode_back(&other));
}

/* sentence_vector */

TEST(sentence_vector, the_worked_states_make_a_sentence_vector) {
    NEW_BLOCK(H, 3, 2, 1);
    for (int i = 0; i < 6; i++)
        ((double *)H)[i] = (const double[6]){1, 6, 2, 5, 3, 4}[i];
    NEW_MATRIX(c, 2, 1);
    sentence_vector(3, 1, H, c);
    const double expected[2] = {3, 6};
    EXPECT_MATRIX(2, 1, expected, c, FOUR_DECIMALS);
}

/* Random states of n words, and the two final states; all others are `held`. */
TEST(sentence_vector, every_number_of_both_states_is_copied) {
    struct random r = random_seed(715);
    FOR_ALL_SIZES(z) {
        NEW_BLOCK(H, z->n, 2, z->d);
        random_fill_normal(&r, z->n * 2 * z->d, H);
        NEW_MATRIX(c, 2, z->d);
        sentence_vector(z->n, z->d, H, c);
        NEW_MATRIX(expected, 2, z->d);
        memcpy(expected[0], H[z->n - 1][0], sizeof expected[0]);
        memcpy(expected[1], H[0][1], sizeof expected[1]);
        BECAUSE("n = %d and d = %d here.", z->n, z->d);
        EXPECT_MATRIX(2, z->d, expected, c, 0.0);
    }
}

TEST(sentence_vector, two_threads_may_take_a_vector_at_once) {
    struct random r = random_seed(721);
    NEW_BLOCK(H, 3, 2, 4);
    NEW_BLOCK(other_H, 5, 2, 3);
    NEW_MATRIX(c, 2, 4);
    NEW_MATRIX(other_c, 2, 3);
    random_fill_normal(&r, 24, H);
    random_fill_normal(&r, 30, other_H);
    EXPECT_NOTHING_KEPT(sentence_vector(3, 4, H, c), sentence_vector(5, 3, other_H, other_c));
}

/* sentence_vector_backward */

TEST(sentence_vector_backward, the_worked_gradient_is_added_to_two_states) {
    NEW_MATRIX_OF(d_c, 2, 1, {10}, {20});
    NEW_BLOCK(d_H, 3, 2, 1);
    sentence_vector_backward(3, 1, d_c, fill(6, 0.0, d_H));
    const double expected[3][2] = {{0, 20}, {0, 0}, {10, 0}};
    EXPECT_MATRIX(3, 2, expected, d_H, FOUR_DECIMALS);
}

TEST(sentence_vector_backward, the_gradient_of_two_states_is_added_to_what_is_there) {
    struct random r = random_seed(716);
    FOR_ALL_SIZES(z) {
        NEW_MATRIX_RANDOM(d_c, 2, z->d, &r);
        NEW_BLOCK(d_H, z->n, 2, z->d);
        sentence_vector_backward(z->n, z->d, d_c, fill(z->n * 2 * z->d, 10.0, d_H));
        for (int j = 0; j < z->n; j++) {
            char name[24];
            snprintf(name, sizeof name, "d_H[%d]", j);
            NEW_MATRIX_FILLED(gained, 2, z->d, 0.0);
            if (j == z->n - 1)
                memcpy(gained[0], d_c[0], sizeof gained[0]);
            if (j == 0)
                memcpy(gained[1], d_c[1], sizeof gained[1]);
            BECAUSE("n = %d and d = %d here.", z->n, z->d);
            expect_added(__LINE__, name, 2, z->d, 10.0, gained, d_H[j]);
        }
    }
}

TEST(sentence_vector_backward, two_threads_may_run_sentence_vector_backward_at_once) {
    struct random r = random_seed(722);
    NEW_MATRIX_RANDOM(d_c, 2, 4, &r);
    NEW_MATRIX_RANDOM(other_d_c, 2, 3, &r);
    NEW_BLOCK(d_H, 3, 2, 4);
    NEW_BLOCK(other_d_H, 5, 2, 3);
    fill(24, 0.0, d_H);
    fill(30, 0.0, other_d_H);
    EXPECT_NOTHING_KEPT(sentence_vector_backward(3, 4, d_c, d_H),
                        sentence_vector_backward(5, 3, other_d_c, other_d_H));
}

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(encode, &reading, 3, 4, 2, 0, 0)
LAWS_BACKWARD(encode_backward, &reading, true, 3, 4, 2, 0, 0)

LAWS(sentence_vector) {
    NEW_BLOCK(H, 3, 2, 4);
    NEW_MATRIX(c, 2, 4);
    PROBE("H -> c")
    sentence_vector(3, 4, H, c);
}

LAWS(sentence_vector_backward) {
    NEW_MATRIX(d_c, 2, 4);
    NEW_BLOCK(d_H, 3, 2, 4);
    PROBE("d_c -> d_H")
    sentence_vector_backward(3, 4, d_c, d_H);
}
