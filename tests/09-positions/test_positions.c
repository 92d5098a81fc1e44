/* Tests of lesson 09: embeddings and sinusoidal encodings. The other files test the rest. */
#include "places.h"

#include <stdbool.h>

#include "../whole_numbers.h"

/* embed */

/* The worked example: four words, where word 2 occurs twice. */
#define WORKED_WORDS const int *words = words_from("words", 4, (const double[4]){2, 0, 2, 1})
#define WORKED_LOOKUP                                                                              \
    WORKED_WORDS;                                                                                  \
    NEW_MATRIX_OF(table, 3, 2, {1, 2}, {3, 4}, {5, 6});                                            \
    NEW_MATRIX(X, 4, 2);                                                                           \
    embed(4, 3, 2, 10.0, words, table, X)

/* Adds a reason for each row of X that is the row of another word. */
static void because_of_a_row(int n, int vocabulary, int d, double scale, const int words[n],
                             const double table[vocabulary][d], const double X[n][d]) {
    for (int i = 0; i < n; i++)
        for (int row = 0; row < vocabulary; row++) {
            bool all = row != words[i];
            for (int c = 0; c < d; c++)
                all = all && X[i][c] == scale * table[row][c];
            BECAUSE_IF(all, "Row %d of X is row %d of the table times scale, but words[%d] is %d.",
                       i, row, i, words[i]);
        }
}

TEST(embed, four_words_are_looked_up_and_scaled) {
    WORKED_LOOKUP;
    const double expected[4][2] = {{50, 60}, {10, 20}, {50, 60}, {30, 40}};
    because_of_a_row(4, 3, 2, 10.0, words, table, X);
    BECAUSE("In this test vocabulary is 3 and scale is 10.");
    EXPECT_MATRIX(4, 2, expected, X, FOUR_DECIMALS);
}

TEST(embed, the_words_0_1_2_are_the_first_rows_of_the_table) {
    struct random r = random_seed(901);
    const int *words = words_from("words", 4, (const double[4]){0, 1, 2, 3});
    NEW_MATRIX_RANDOM(table, 6, 3, &r);
    NEW_MATRIX(X, 4, 3);
    embed(4, 6, 3, 1.0, words, table, X);
    BECAUSE("scale is 1, so each row should be copied unchanged, as for learned positions.");
    EXPECT_MATRIX(4, 3, table, X, EXACTLY);
}

TEST(embed, rows_of_other_words_are_not_read) {
    const int *words = words_from("words", 3, (const double[3]){4, 1, 4});
    NEW_MATRIX(table, 5, 2);
    fill(2, 3.0, table[1]);
    fill(2, -4.0, table[4]);
    NEW_MATRIX(X, 3, 2);
    embed(3, 5, 2, 0.5, words, table, X);
    const double expected[3][2] = {{-2, -2}, {1.5, 1.5}, {-2, -2}};
    BECAUSE("Rows 0, 2 and 3 of the table are NaN, and none of the words uses them.");
    EXPECT_MATRIX(3, 2, expected, X, ROUNDING);
}

/* In each set all sizes differ, and each size is 1 in some set. */
struct lookup {
    int n, vocabulary, d;
};
static const struct lookup all_lookups[] = {{4, 3, 2}, {3, 5, 4}, {1, 4, 3}, {6, 1, 3},
                                            {5, 2, 1}, {2, 6, 5}, {1, 1, 1}};
#define FOR_ALL_LOOKUPS(z) FOR_ALL_CASES(struct lookup, z, all_lookups)
#define BECAUSE_OF_LOOKUP(z)                                                                       \
    BECAUSE("In this test n is %d, vocabulary is %d and d is %d.", (z)->n, (z)->vocabulary, (z)->d)

/* Random words, and a matrix with a row for each of them, which is 1 in the column of the word. */
#define RANDOM_WORDS(z, generator)                                                                 \
    const int n = (z)->n, vocabulary = (z)->vocabulary, d = (z)->d;                                \
    NEW_VECTOR(drawn, n);                                                                          \
    NEW_MATRIX_FILLED(one_hot, n, vocabulary, 0.0);                                                \
    for (int i = 0; i < n; i++) {                                                                  \
        drawn[i] = random_below(generator, vocabulary);                                            \
        one_hot[i][(int)drawn[i]] = 1.0;                                                           \
    }                                                                                              \
    const int *words = words_from("words", n, drawn)

TEST(embed, random_lookups_agree_with_the_obvious_product) {
    struct random r = random_seed(902);
    FOR_ALL_LOOKUPS(z) {
        RANDOM_WORDS(z, &r);
        NEW_MATRIX_RANDOM(table, vocabulary, d, &r);
        NEW_MATRIX(X, n, d);
        embed(n, vocabulary, d, -1.5, words, table, X);
        NEW_MATRIX(expected, n, d);
        product(n, vocabulary, d, one_hot, table, expected);
        scale_into(n * d, -1.5, expected, expected);
        because_of_a_row(n, vocabulary, d, -1.5, words, table, X);
        BECAUSE_OF_LOOKUP(z);
        EXPECT_MATRIX(n, d, expected, X, ROUNDING);
    }
}

TEST(embed, two_threads_may_look_up_words_at_once) {
    WORKED_LOOKUP;
    NEW_MATRIX_FILLED(other_table, 2, 3, 7.0);
    NEW_MATRIX(other_X, 2, 3);
    const int *other = words_from("other", 2, (const double[2]){1, 0});
    EXPECT_NOTHING_KEPT(embed(4, 3, 2, 10.0, words, table, X),
                        embed(2, 2, 3, 0.1, other, other_table, other_X));
}

/* embed_backward */

TEST(embed_backward, a_word_at_two_positions_gets_both_gradients) {
    WORKED_WORDS;
    NEW_MATRIX_OF(d_X, 4, 2, {1, 2}, {3, 4}, {0.5, -1}, {6, 8});
    NEW_MATRIX_FILLED(d_table, 3, 2, 0.0);
    embed_backward(4, 3, 2, 10.0, words, d_X, d_table);
    const double expected[3][2] = {{30, 40}, {60, 80}, {15, 10}};
    BECAUSE("Word 2 is at the positions 0 and 2, word 0 at 1, and word 1 at 3. scale is 10.");
    EXPECT_MATRIX(3, 2, expected, d_table, FOUR_DECIMALS);
}

/* The gradient of the table, as a product with the transposed matrix. */
#define LOOKUP_GAINED(scale)                                                                       \
    NEW_MATRIX(gained, vocabulary, d);                                                             \
    product_by_columns(vocabulary, n, d, one_hot, d_X, gained);                                    \
    scale_into(vocabulary *d, scale, gained, gained)

TEST(embed_backward, the_gradients_of_words_are_added_to_what_is_there) {
    struct random r = random_seed(903);
    RANDOM_WORDS((&(struct lookup){4, 6, 3}), &r);
    NEW_MATRIX_RANDOM(d_X, n, d, &r);
    LOOKUP_GAINED(2.0);
    NEW_MATRIX_FILLED(d_table, vocabulary, d, 10.0);
    embed_backward(n, vocabulary, d, 2.0, words, d_X, d_table);
    EXPECT_ADDED(vocabulary, d, 10.0, gained, d_table);
}

TEST(embed_backward, a_word_that_does_not_occur_gets_no_gradient) {
    const int *words = words_from("words", 3, (const double[3]){2, 2, 2});
    NEW_MATRIX_OF(d_table, 4, 2, {1, 2}, {3, 4}, {5, 6}, {7, 8});
    NEW_MATRIX_FILLED(d_X, 3, 2, 9.0);
    const double expected[4][2] = {{1, 2}, {3, 4}, {32, 33}, {7, 8}};
    embed_backward(3, 4, 2, 1.0, words, d_X, d_table);
    BECAUSE("All three words are word 2, so all other rows should stay unchanged.");
    EXPECT_MATRIX(4, 2, expected, d_table, EXACTLY);
}

struct embedding {
    int n, vocabulary, d;
    const int *words;
    void *table, *X;
    const void *d_X;
};

/* The loss is the sum of all X[i][c] * d_X[i][c]. */
static double loss_of_embedding(void *context) {
    const struct embedding *e = context;
    embed(e->n, e->vocabulary, e->d, 0.7, e->words, e->table, e->X);
    return sum_of_products(e->n * e->d, e->X, e->d_X);
}

TEST(embed_backward, the_gradient_of_a_table_passes_a_gradient_check) {
    struct random r = random_seed(904);
    FOR_ALL_LOOKUPS(z) {
        RANDOM_WORDS(z, &r);
        NEW_MATRIX_RANDOM(table, vocabulary, d, &r);
        NEW_MATRIX_RANDOM(d_X, n, d, &r);
        NEW_MATRIX(X, n, d);
        NEW_MATRIX_FILLED(d_table, vocabulary, d, 0.0);
        embed_backward(n, vocabulary, d, 0.7, words, d_X, d_table);
        struct embedding embedding = {n, vocabulary, d, words, table, X, d_X};
        EXPECT_NUDGED(loss_of_embedding, &embedding, vocabulary, d, table, d_table);
    }
}

TEST(embed_backward, random_gradients_agree_with_the_obvious_product) {
    struct random r = random_seed(905);
    FOR_ALL_LOOKUPS(z) {
        RANDOM_WORDS(z, &r);
        NEW_MATRIX_RANDOM(d_X, n, d, &r);
        LOOKUP_GAINED(-0.3);
        NEW_MATRIX_RANDOM(d_table, vocabulary, d, &r);
        add_into(vocabulary * d, d_table, gained);
        embed_backward(n, vocabulary, d, -0.3, words, d_X, d_table);
        BECAUSE_OF_LOOKUP(z);
        EXPECT_MATRIX(vocabulary, d, gained, d_table, ROUNDING);
    }
}

TEST(embed_backward, two_threads_may_add_to_their_tables_at_once) {
    const int *words = words_from("words", 3, (const double[3]){1, 0, 1});
    const int *other = words_from("other", 2, (const double[2]){2, 0});
    NEW_MATRIX_FILLED(d_X, 3, 4, 1.0);
    NEW_MATRIX_FILLED(other_d_X, 2, 5, 3.0);
    NEW_MATRIX_FILLED(d_table, 2, 4, 0.0);
    NEW_MATRIX_FILLED(other_d_table, 3, 5, 0.0);
    EXPECT_NOTHING_KEPT(embed_backward(3, 2, 4, 2.0, words, d_X, d_table),
                        embed_backward(2, 3, 5, 0.1, other, other_d_X, other_d_table));
}

/* position_angle */

/* A vector of this name with the angles of all pairs at a position. A failing test shows it. */
#define NEW_ANGLES(name, position, d)                                                              \
    NEW_VECTOR(name, ((d) + 1) / 2);                                                               \
    for (int p = 0; 2 * p < (d); p++)                                                              \
    name[p] = position_angle(position, p, d)

TEST(position_angle, two_pairs_have_a_fast_and_a_slow_angle) {
    NEW_ANGLES(angle_at_1, 1, 4);
    BECAUSE("These are the angles of the pairs 0 and 1 at position 1, and d is 4.");
    EXPECT_VECTOR(2, OF(1, 0.01), angle_at_1, FOUR_DECIMALS);
    NEW_ANGLES(angle_at_2, 2, 4);
    BECAUSE("These are the angles of the pairs 0 and 1 at position 2, and d is 4.");
    EXPECT_VECTOR(2, OF(2, 0.02), angle_at_2, FOUR_DECIMALS);
}

TEST(position_angle, the_last_of_five_dimensions_has_an_angle_of_its_own) {
    NEW_ANGLES(angle, 1, 5);
    BECAUSE("These are the angles of the pairs 0, 1 and 2 at position 1, and d is 5.");
    EXPECT_VECTOR(3, OF(1, 0.0251, 0.0006), angle, FOUR_DECIMALS);
}

TEST(position_angle, each_pair_is_slower_than_the_one_before_by_the_same_factor) {
    for (int d = 1; d <= 12; d++) {
        matrix_free_all();
        NEW_ANGLES(angle, 1000, d);
        NEW_VECTOR(expected, (d + 1) / 2);
        for (int p = 0; 2 * p < d; p++)
            expected[p] = obvious_angle(1000, p, d);
        BECAUSE("These are the angles of all pairs at position 1000, and d is %d.", d);
        EXPECT_VECTOR((d + 1) / 2, expected, angle, ROUNDING);
    }
}

TEST(position_angle, the_angle_of_pair_0_is_the_position) {
    NEW_VECTOR(angle, 4);
    const int position[4] = {0, 1, 41, 2000000000};
    for (int i = 0; i < 4; i++)
        angle[i] = position_angle(position[i], 0, 6);
    BECAUSE("The angle of pair 0 is equal to the position. These are the positions 0, 1, 41 and "
            "2000000000.");
    EXPECT_VECTOR(4, OF(0, 1, 41, 2e9), angle, ROUNDING);
}

TEST(position_angle, the_angles_are_right_at_a_large_position) {
    for (int pair = 0; pair < 32; pair++) {
        const int position = 2000000000;
        double angle = position_angle(position, pair, 64);
        double share = angle / obvious_angle(position, pair, 64);
        EXPECT_THAT(fabs(share - 1) < 1e-9,
                    "position_angle(%d, %d, 64) is %.9g, which is %.9g times the right value",
                    position, pair, angle, share);
    }
}

static double kept_angle; /* so that no compiler removes the calls */

TEST(position_angle, two_threads_may_compute_angles_at_once) {
    EXPECT_NOTHING_KEPT(kept_angle = position_angle(3, 1, 4), position_angle(7, 2, 6));
}

/* sinusoidal_positions */

TEST(sinusoidal_positions, the_encodings_of_two_positions) {
    NEW_MATRIX(P, 2, 4);
    sinusoidal_positions(2, 4, 1, P);
    const double expected[2][4] = {{0.8415, 0.5403, 0.0100, 1.0000},
                                   {0.9093, -0.4161, 0.0200, 0.9998}};
    BECAUSE("Row 0 is at position 1 with the angles 1 and 0.01, and row 1 is at position 2.");
    EXPECT_MATRIX(2, 4, expected, P, FOUR_DECIMALS);
}

TEST(sinusoidal_positions, the_last_of_five_dimensions_is_a_sine) {
    NEW_MATRIX(P, 1, 5);
    sinusoidal_positions(1, 5, 1, P);
    const double expected[1][5] = {{0.8415, 0.5403, 0.0251, 0.9997, 0.0006}};
    BECAUSE(
        "d is 5, so the row has the pairs 0 and 1, and the sine of pair 2. It is at position 1.");
    EXPECT_MATRIX(1, 5, expected, P, FOUR_DECIMALS);
}

TEST(sinusoidal_positions, rows_that_continue_a_sentence_are_those_of_the_whole) {
    NEW_MATRIX(whole, 8, 6);
    NEW_MATRIX(P, 5, 6);
    sinusoidal_positions(8, 6, 0, whole);
    sinusoidal_positions(5, 6, 3, P);
    BECAUSE("Row i of a call with first = 3 and row i + 3 of a call with first = 0 have the same "
            "position.");
    EXPECT_MATRIX(5, 6, whole + 3, P, ROUNDING);
}

TEST(sinusoidal_positions, the_squares_of_sine_and_cosine_sum_to_1) {
    NEW_MATRIX(P, 41, 8);
    sinusoidal_positions(41, 8, 0, P);
    for (int i = 0; i < 41; i++)
        for (int p = 0; p < 4; p++) {
            double sine = P[i][2 * p], cosine = P[i][2 * p + 1];
            EXPECT_THAT(
                fabs(sine * sine + cosine * cosine - 1) < 1e-11,
                "P[%d][%d] is %.6g and P[%d][%d] is %.6g, but the squares of a sine and its "
                "cosine should sum to 1",
                i, 2 * p, sine, i, 2 * p + 1, cosine);
        }
}

/* The addition theorems of sine and cosine, with the encoding of position k. */
TEST(sinusoidal_positions, moving_on_by_k_positions_is_the_same_rotation_everywhere) {
    NEW_MATRIX(P, 41, 6);
    sinusoidal_positions(41, 6, 0, P);
    for (int k = 1; k <= 20; k++)
        for (int i = 0; i + k < 41; i++) {
            NEW_VECTOR(rotated, 6);
            for (int c = 0; c < 6; c += 2) {
                rotated[c] = P[i][c] * P[k][c + 1] + P[i][c + 1] * P[k][c];
                rotated[c + 1] = P[i][c + 1] * P[k][c + 1] - P[i][c] * P[k][c];
            }
            BECAUSE("The encoding of position %d is that of position %d, rotated by the angles of "
                    "position %d.",
                    i + k, i, k);
            EXPECT_VECTOR(6, rotated, P[i + k], 1e-11);
        }
}

TEST(sinusoidal_positions, encodings_of_any_size_agree_with_the_obvious_way) {
    FOR_ALL_ROWS(z) {
        NEW_MATRIX(P, z->n, z->d);
        NEW_MATRIX(expected, z->n, z->d);
        for (int i = 0; i < z->n; i++)
            for (int c = 0; c < z->d; c++) {
                double angle = obvious_angle(z->first + i, c / 2, z->d);
                expected[i][c] = c % 2 == 0 ? sin(angle) : cos(angle);
            }
        sinusoidal_positions(z->n, z->d, z->first, P);
        BECAUSE_OF_ROWS(z);
        EXPECT_MATRIX(z->n, z->d, expected, P, ROUNDING);
    }
}

TEST(sinusoidal_positions, two_threads_may_compute_encodings_at_once) {
    NEW_MATRIX(P, 2, 4);
    NEW_MATRIX(other, 3, 7);
    EXPECT_NOTHING_KEPT(sinusoidal_positions(2, 4, 1, P), sinusoidal_positions(3, 7, 5, other));
}
