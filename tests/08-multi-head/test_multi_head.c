/* Lesson 08: tests of splitting and merging. The tests of the heads and of the whole function are
   in other files of this folder. */
#include <stdbool.h>

/* The input of a function is rows or heads, and its output is the other of the two. */
struct work;
static bool splits(const struct work *w);
#define AS_ROWS  dims_of(2, z.n, z.n_heads *z.d_head, 1, 1)
#define AS_HEADS dims_of(3, z.n_heads, z.n, z.d_head, 1)

#define ALL_PIECES(_)                                                                              \
    _(GIVEN, splits(w) ? "d_rows" : "d_heads", splits(w) ? AS_ROWS : AS_HEADS)                     \
    _(OUT, splits(w) ? "d_heads" : "d_rows", splits(w) ? AS_HEADS : AS_ROWS)
#define LAST_WORDS GIVEN
#define LAST_GIVEN GIVEN
#define ZEROED(p)  false

#include "several.h"

#define MOVES(name, function, from, to)                                                            \
    static void name(const struct work *w) {                                                       \
        function(w->z.n, w->z.n_heads, w->z.d_head, w->from, w->to);                               \
    }
MOVES(run_split, split_heads, at[GIVEN], at[OUT])
MOVES(run_split_back, split_heads_backward, d[OUT], d[GIVEN])
MOVES(obvious_split, add_split, at[GIVEN], at[OUT])
MOVES(obvious_split_back, add_merged, d[OUT], d[GIVEN])
MOVES(run_merge, merge_heads, at[GIVEN], at[OUT])
MOVES(run_merge_back, merge_heads_backward, d[OUT], d[GIVEN])
MOVES(obvious_merge, add_merged, at[GIVEN], at[OUT])
MOVES(obvious_merge_back, add_split, d[OUT], d[GIVEN])

static const struct function splitting = {
    .run = run_split,
    .run_back = run_split_back,
    .obvious = obvious_split,
    .obvious_back = obvious_split_back,
    .values = OUT,
    .back = OUT,
};
static const struct function merging = {
    .run = run_merge,
    .run_back = run_merge_back,
    .obvious = obvious_merge,
    .obvious_back = obvious_merge_back,
    .values = OUT,
    .back = OUT,
};

static bool splits(const struct work *w) {
    return w->f == &splitting;
}

static void because_of(const struct work *w, enum piece p) {
    BECAUSE("Here n = %d, n_heads = %d and d_head = %d.", w->z.n, w->z.n_heads, w->z.d_head);
}

/* These functions have no mask. */
static struct work random_heads(const struct function *f, struct sizes z, enum mask mask,
                                struct random *r) {
    return random_work(f, z, r);
}

/* The rows and the heads that they are split into. The gradients are the same numbers. */
static struct work moving(const struct function *f, struct sizes z, const double *rows) {
    struct work w = {.f = &splitting, .z = z};
    put(&w, GIVEN, rows);
    w = obvious(w);
    if (f == &merging)
        w = (struct work){.f = f, .z = z, .at = {[GIVEN] = w.at[OUT], [OUT] = w.at[GIVEN]}};
    w.d[OUT] = w.at[OUT];
    return w;
}

/* Head 0 gets 1, 2 and 3, 4, and head 1 gets 5, 6 and 7, 8. */
static struct work worked(const struct function *f) {
    const double rows[2][4] = {{1, 2, 5, 6}, {3, 4, 7, 8}};
    return moving(f, (struct sizes){.n = 2, .n_heads = 2, .d_head = 2}, rows[0]);
}

/* Four words and three heads of two numbers. */
static struct work numbered(const struct function *f) {
    double rows[4][6];
    for (int k = 0; k < 24; k++)
        rows[k / 6][k % 6] = 100 * (k / 6) + 10 * (k % 6 / 2) + k % 2;
    BECAUSE("Each number shows where it belongs: 211 is word 2, head 1, number 1.");
    return moving(f, (struct sizes){.n = 4, .n_heads = 3, .d_head = 2}, rows[0]);
}

#define COMES_OUT(of, name, given, f)                                                              \
    TEST(of, name) {                                                                               \
        const struct work expected = given(&f), w = yours(expected);                               \
        EXPECT_PIECE(w, OUT, expected.at[OUT], FOUR_DECIMALS);                                     \
    }
#define COMES_BACK(of, name, given, f)                                                             \
    TEST(of, name) {                                                                               \
        const struct work expected = given(&f), w = yours_back(expected, 0.0, 0.0);                \
        EXPECT_D(w, GIVEN, expected.at[GIVEN], FOUR_DECIMALS);                                     \
    }

/* split_heads */

COMES_OUT(split_heads, the_worked_rows_are_split, worked, splitting)
COMES_OUT(split_heads, each_head_gets_neighbouring_numbers_of_every_word, numbered, splitting)

AGREES(split_heads, rows_of_all_sizes_are_split, splitting, 802)
KEEPS_NOTHING(split_heads, two_threads_may_split_at_the_same_time, splitting, 803)

/* split_heads_backward */

COMES_BACK(split_heads_backward, the_gradients_of_the_worked_heads_go_to_their_rows, worked,
           splitting)
ADDS(split_heads_backward, the_gradients_of_rows_are_added_to_earlier_contents, splitting, 10.0,
     0.0, 804)
COMES_BACK(split_heads_backward, each_heads_gradient_goes_back_to_its_own_numbers, numbered,
           splitting)
IS_MEASURED(split_heads_backward, the_gradients_of_a_split_pass_the_gradient_check, splitting,
            run_split, NO_MASK, 805)
KEEPS_NOTHING_BACK(split_heads_backward, two_threads_may_run_split_backward_at_the_same_time,
                   splitting, 806)

/* merge_heads */

COMES_OUT(merge_heads, the_worked_heads_are_merged, worked, merging)
COMES_OUT(merge_heads, a_row_has_the_numbers_of_all_heads_side_by_side, numbered, merging)
AGREES(merge_heads, heads_of_all_sizes_are_merged, merging, 807)
KEEPS_NOTHING(merge_heads, two_threads_may_merge_at_the_same_time, merging, 808)

/* merge_heads_backward */

COMES_BACK(merge_heads_backward, the_gradients_of_the_worked_rows_go_to_their_heads, worked,
           merging)
ADDS(merge_heads_backward, the_gradients_of_merged_heads_are_added_to_earlier_contents, merging,
     10.0, 0.0, 809)
COMES_BACK(merge_heads_backward, each_head_gets_its_own_gradient_from_each_word, numbered, merging)
IS_MEASURED(merge_heads_backward, the_gradients_of_a_merge_pass_the_gradient_check, merging,
            run_merge, NO_MASK, 810)
KEEPS_NOTHING_BACK(merge_heads_backward, two_threads_may_run_merge_backward_at_the_same_time,
                   merging, 850)

/* Laws of the functions (common/testing/laws.h). */

LAWS_FORWARD(split_heads, &splitting, 3, 0, 2, 0, 4, 0)
LAWS_BACKWARD(split_heads_backward, &splitting, true, 3, 0, 2, 0, 4, 0)
LAWS_FORWARD(merge_heads, &merging, 3, 0, 2, 0, 4, 0)
LAWS_BACKWARD(merge_heads_backward, &merging, true, 3, 0, 2, 0, 4, 0)
