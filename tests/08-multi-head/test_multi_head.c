/* Lesson 08: what multi_head.h promises. Here are the tests of what splits and merges, and what
   those of the heads share; they stand in files beside this one. */
#include "heads.h"

#include "../jacobian.h"

extern const struct lesson_test attend_tests[], whole_tests[];

static struct dims shape_of(struct sizes z, enum place p) {
    const int wide = z.n_heads * z.d_head, kv_wide = z.n_kv_heads * z.d_head;
    const struct dims shapes[PLACES] = {
        [AT_X] = dims_of_rows(z.n_q, z.d_model),
        [AT_SOURCE] = dims_of_rows(z.n_k, z.d_model),
        [AT_W_Q] = dims_of_rows(z.d_model, wide),
        [AT_W_K] = dims_of_rows(z.d_model, kv_wide),
        [AT_W_V] = dims_of_rows(z.d_model, kv_wide),
        [AT_W_O] = dims_of_rows(wide, z.d_model),
        [AT_ROWS_Q] = dims_of_rows(z.n_q, wide),
        [AT_ROWS_K] = dims_of_rows(z.n_k, kv_wide),
        [AT_ROWS_V] = dims_of_rows(z.n_k, kv_wide),
        [AT_Q] = dims_of(3, z.n_heads, z.n_q, z.d_head, 1),
        [AT_K] = dims_of(3, z.n_kv_heads, z.n_k, z.d_head, 1),
        [AT_V] = dims_of(3, z.n_kv_heads, z.n_k, z.d_head, 1),
        [AT_WEIGHTS] = dims_of(3, z.n_heads, z.n_q, z.n_k, 1),
        [AT_HEADS] = dims_of(3, z.n_heads, z.n_q, z.d_head, 1),
        [AT_ROWS_OUT] = dims_of_rows(z.n_q, wide),
        [AT_OUT] = dims_of_rows(z.n_q, z.d_model),
        [AT_ROWS] = dims_of_rows(z.n_q, wide),
    };
    return shapes[p];
}

int count_of(const struct work *w, enum place p) {
    return dims_count(shape_of(w->z, p));
}

void *new_place(const struct work *w, enum place p, const char *name) {
    return array_new(name, shape_of(w->z, p));
}

static bool is_listed(const enum place *list, enum place p) {
    while (*list && *list != p)
        list++;
    return *list != NONE;
}

static bool is_blocked(enum mask mask, int n_k, int i, int j) {
    return (mask == CAUSAL && j > i) || (mask == PADDED && j >= (n_k + 1) / 2) ||
           (mask == SCATTERED && (i == 0 || (2 * i + 5 * j) % 7 == 1));
}

static void *mask_of(enum mask mask, int n_q, int n_k) {
    if (mask == NO_MASK)
        return NULL;
    NEW_MASK(blocked, n_q, n_k);
    for (int i = 0; i < n_q; i++)
        for (int j = 0; j < n_k; j++)
            blocked[i][j] = is_blocked(mask, n_k, i, j);
    return blocked;
}

/* Rows of words that went through a matrix are about as large as the words. */
struct work random_work(const struct function *f, struct sizes z, enum mask mask,
                        struct random *r) {
    struct work w = {.f = f, .z = z};
    for (const enum place *p = f->inputs; *p; p++) {
        const int count = count_of(&w, *p);
        w.at[*p] = random_fill_normal(r, count, new_place(&w, *p, d_names[*p] + 2));
        if (*p >= AT_W_Q && *p <= AT_W_V)
            scale_into(count, 1.0 / sqrt(z.d_model), w.at[*p], w.at[*p]);
    }
    w.blocked = mask_of(mask, z.n_q, z.n_k);
    w.d[f->result] =
        random_fill_normal(r, count_of(&w, f->result), new_place(&w, f->result, "upstream"));
    return w;
}

struct work self_work(const struct function *f, struct sizes z, enum mask mask, struct random *r) {
    z.n_k = z.n_q;
    struct work w = random_work(f, z, mask, r);
    w.at[AT_SOURCE] = w.at[AT_X];
    return w;
}

struct work with_room(struct work w) {
    for (const enum place *p = w.f->outputs; *p; p++)
        w.at[*p] = new_place(&w, *p, d_names[*p] + 2);
    return w;
}

struct work your_work(struct work w) {
    w = with_room(w);
    w.f->run(&w);
    return w;
}

struct work obvious_work(struct work w) {
    w = with_room(w);
    for (const enum place *p = w.f->outputs; *p; p++)
        fill(count_of(&w, *p), 0.0, w.at[*p]);
    w.f->obvious(&w);
    return w;
}

struct work with_gradients(struct work w, double half_way, double held) {
    for (const enum place *p = w.f->gradients; *p; p++)
        w.d[*p] = fill(count_of(&w, *p), is_listed(w.f->outputs, *p) ? half_way : held,
                       new_place(&w, *p, d_names[*p]));
    if (w.at[AT_WEIGHTS]) /* it has none, and stays as it is */
        w.d[AT_WEIGHTS] =
            fill(count_of(&w, AT_WEIGHTS), held, new_place(&w, AT_WEIGHTS, d_names[AT_WEIGHTS]));
    if (w.at[AT_SOURCE] && w.at[AT_SOURCE] == w.at[AT_X])
        w.d[AT_SOURCE] = w.d[AT_X];
    const enum place from = w.f->result;
    w.d[from] = memcpy(new_place(&w, from, d_names[from]), w.d[from],
                       (size_t)count_of(&w, from) * sizeof(double));
    return w;
}

struct work yours_back(struct work w, double half_way, double held) {
    w = with_gradients(w, half_way, held);
    w.f->run_back(&w);
    return w;
}

struct work with_leavings_of(struct work w, struct work other) {
    for (const enum place *p = w.f->outputs; *p; p++)
        w.at[*p] = other.at[*p];
    return w;
}

static const char *const made_of[PLACES] = {
    [AT_ROWS_Q] = "rows_q is X W_q. ",
    [AT_ROWS_K] = "rows_k is source W_k. ",
    [AT_ROWS_V] = "rows_v is source W_v. ",
    [AT_Q] = "Q is rows_q, split. ",
    [AT_K] = "K is rows_k, split. ",
    [AT_V] = "V is rows_v, split. ",
    [AT_ROWS_OUT] = "rows_out is heads, merged. ",
    [AT_OUT] = "out is rows_out W_o. ",
};

static void because(const struct work *w, const char *made) {
    const struct sizes z = w->z;
    const char *mask = w->blocked ? "a mask" : "NULL";
    if (w->at[AT_ROWS])
        BECAUSE("Here n = %d, n_heads = %d and d_head = %d.", z.n_q, z.n_heads, z.d_head);
    else if (!w->at[AT_X])
        BECAUSE("Here n_q = %d, n_k = %d, n_heads = %d, n_kv_heads = %d and d_head = %d; blocked "
                "is %s.",
                z.n_q, z.n_k, z.n_heads, z.n_kv_heads, z.d_head, mask);
    else
        BECAUSE("%sHere n_q = %d, n_k = %d, d_model = %d, n_heads = %d, n_kv_heads = %d and "
                "d_head = %d; blocked is %s.",
                made ? made : "", z.n_q, z.n_k, z.d_model, z.n_heads, z.n_kv_heads, z.d_head, mask);
}

void expect_place(int line, const struct work *w, enum place p, const char *name,
                  const void *expected, const void *given, double tolerance) {
    if (tolerance < FOUR_DECIMALS) /* a worked example shows them */
        because(w, name == d_names[p] ? NULL : made_of[p]);
    expect_array(line, name, shape_of(w->z, p), expected, given, tolerance);
}

void expect_row_0_is_zero(int line, const struct work *w, enum place p, const char *name,
                          const double *numbers) {
    const struct dims dims = shape_of(w->z, p);
    const int cols = dims_cols(dims), heads = dims.rank > 2 ? dims.size[0] : 1;
    char cell[100];
    for (int k = 0; k < heads * cols; k++) {
        const int at = k / cols * (dims_count(dims) / heads) + k % cols;
        dims_place(cell, sizeof cell, name, dims, dims.rank, at);
        expect_that(line, numbers[at] == 0.0, "%s is %g; word 0 may look at nothing", cell,
                    numbers[at]);
    }
}

void expect_forward(int line, struct work given) {
    const struct work w = your_work(given), expected = obvious_work(given);
    for (const enum place *p = given.f->outputs; *p; p++)
        expect_place(line, &w, *p, d_names[*p] + 2, expected.at[*p], w.at[*p], LAST_BIT);
}

void expect_back(int line, struct work given, double half_way, double held) {
    const struct work w = yours_back(given, half_way, held);
    const struct work expected = with_gradients(given, half_way, 0.0);
    given.f->obvious_back(&expected);
    for (const enum place *p = given.f->gradients; *p; p++) {
        const bool waits = is_listed(given.f->outputs, *p);
        const int count = count_of(&w, *p);
        NEW_VECTOR_FILLED(gained, count, waits ? -half_way : 0.0);
        add_into(count, expected.d[*p], gained);
        because(&w, NULL);
        expect_array_added(line, d_names[*p], shape_of(w.z, *p), waits ? half_way : held, gained,
                           w.d[*p]);
    }
}

/* The result, times what it is worth. */
static double loss_of(void *context) {
    const struct work *w = context;
    const enum place p = w->f->result;
    w->f->run(w);
    return sum_of_products(count_of(w, p), w->at[p], w->d[p]);
}

void expect_slopes(int line, struct work given) {
    struct work w = your_work(given);
    const struct work back = yours_back(w, 0.0, 0.0);
    for (const enum place *p = given.f->inputs; *p; p++) {
        const int count = count_of(&w, *p);
        NEW_VECTOR(measured, count);
        numeric_gradient(loss_of, &w, count, w.at[*p], measured);
        because(&w, NULL);
        expect_array_gradient(line, d_names[*p], shape_of(w.z, *p), measured, back.d[*p], SLOPES);
    }
}

void add_split(int n, int n_heads, int d_head, const double *rows, double *heads) {
    for (int h = 0; h < n_heads; h++)
        for (int i = 0; i < n; i++)
            for (int c = 0; c < d_head; c++)
                *heads++ += rows[(i * n_heads + h) * d_head + c];
}

void add_merged(int n, int n_heads, int d_head, const double *heads, double *rows) {
    for (int i = 0; i < n; i++)
        for (int h = 0; h < n_heads; h++)
            for (int c = 0; c < d_head; c++)
                *rows++ += heads[(h * n + i) * d_head + c];
}

#define MOVES(name, function, from, to)                                                            \
    static void name(const struct work *w) {                                                       \
        function(w->z.n_q, w->z.n_heads, w->z.d_head, w->from, w->to);                             \
    }
MOVES(run_split, split_heads, at[AT_ROWS], at[AT_HEADS])
MOVES(run_split_back, split_heads_backward, d[AT_HEADS], d[AT_ROWS])
MOVES(obvious_split, add_split, at[AT_ROWS], at[AT_HEADS])
MOVES(obvious_split_back, add_merged, d[AT_HEADS], d[AT_ROWS])
MOVES(run_merge, merge_heads, at[AT_HEADS], at[AT_ROWS])
MOVES(run_merge_back, merge_heads_backward, d[AT_ROWS], d[AT_HEADS])
MOVES(obvious_merge, add_merged, at[AT_HEADS], at[AT_ROWS])
MOVES(obvious_merge_back, add_split, d[AT_ROWS], d[AT_HEADS])

static const struct function splitting = {
    run_split, run_split_back, obvious_split, obvious_split_back,
    AT_HEADS,  {AT_ROWS},      {AT_HEADS},    {AT_ROWS},
};
static const struct function merging = {
    run_merge, run_merge_back, obvious_merge, obvious_merge_back,
    AT_ROWS,   {AT_HEADS},     {AT_ROWS},     {AT_HEADS},
};

/* Rows, and the heads that they are split into: what is `asked` for is expected, there and on the
   way back. Only what a function is given has a name, since a failure shows what has one. */
static struct work moving(const struct function *f, enum place asked, struct sizes z,
                          const double *rows) {
    struct work w = {.f = f, .z = z};
    const enum place given = asked == AT_ROWS ? AT_HEADS : AT_ROWS;
    w.at[asked] = fill(count_of(&w, asked), 0.0, new_place(&w, asked, "expected"));
    w.at[given] = fill(count_of(&w, given), 0.0,
                       new_place(&w, given, asked == f->result ? d_names[given] + 2 : "upstream"));
    memcpy(w.at[AT_ROWS], rows, (size_t)count_of(&w, AT_ROWS) * sizeof *rows);
    obvious_split(&w);
    w.d[f->result] = w.at[f->result];
    return w;
}

/* Head 0 gets 1, 2 and 3, 4; head 1 gets 5, 6 and 7, 8. */
static struct work worked(const struct function *f, enum place asked) {
    const double rows[2][4] = {{1, 2, 5, 6}, {3, 4, 7, 8}};
    return moving(f, asked, (struct sizes){.n_q = 2, .n_heads = 2, .d_head = 2}, rows[0]);
}

/* Four words, three heads of two numbers. */
static struct work numbered(const struct function *f, enum place asked) {
    double rows[4][6];
    for (int k = 0; k < 24; k++)
        rows[k / 6][k % 6] = 100 * (k / 6) + 10 * (k % 6 / 2) + k % 2;
    BECAUSE("Each number says whose it is: 211 is that of word 2 in head 1, at place 1.");
    return moving(f, asked, (struct sizes){.n_q = 4, .n_heads = 3, .d_head = 2}, rows[0]);
}

#define COMES_OUT(name, given, f, p)                                                               \
    static void name(void) {                                                                       \
        const struct work expected = given(&f, p), w = your_work(expected);                        \
        EXPECT_PLACE(w, p, expected.at[p], FOUR_DECIMALS);                                         \
    }
#define COMES_BACK(name, given, f, p)                                                              \
    static void name(void) {                                                                       \
        const struct work expected = given(&f, p), w = yours_back(expected, 0.0, 0.0);             \
        EXPECT_D(w, p, expected.at[p], FOUR_DECIMALS);                                             \
    }

/* split_heads */

COMES_OUT(the_worked_rows_are_split, worked, splitting, AT_HEADS)
COMES_OUT(each_head_gets_neighbouring_numbers_of_every_word, numbered, splitting, AT_HEADS)

AGREES(rows_of_all_sizes_are_split, splitting, 802)
KEEPS_NOTHING(two_threads_may_split_at_once, splitting, 803)

/* split_heads_backward */

COMES_BACK(the_worked_heads_go_back_into_their_rows, worked, splitting, AT_ROWS)
COMES_BACK(each_heads_gradient_goes_back_to_its_own_numbers, numbered, splitting, AT_ROWS)
ADDS(what_the_rows_gain_is_added_to_what_is_there, splitting, 10.0, 10.0, 804)
IS_MEASURED(the_way_back_of_a_split_is_what_nudging_measures, splitting, NO_MASK, 805)
KEEPS_NOTHING_BACK(two_threads_may_go_back_from_a_split_at_once, splitting, 806)

/* merge_heads */

COMES_OUT(the_worked_heads_are_merged, worked, merging, AT_ROWS)
COMES_OUT(a_word_has_what_its_heads_fetched_side_by_side, numbered, merging, AT_ROWS)
AGREES(heads_of_all_sizes_are_merged, merging, 807)
KEEPS_NOTHING(two_threads_may_merge_at_once, merging, 808)

/* merge_heads_backward */

COMES_BACK(the_worked_rows_go_back_into_their_heads, worked, merging, AT_HEADS)
COMES_BACK(each_word_tells_each_head_its_own_gradient, numbered, merging, AT_HEADS)
ADDS(what_the_heads_gain_is_added_to_what_is_there, merging, 10.0, 10.0, 809)
IS_MEASURED(the_way_back_of_a_merge_is_what_nudging_measures, merging, NO_MASK, 810)
KEEPS_NOTHING_BACK(two_threads_may_go_back_from_a_merge_at_once, merging, 850)

static const struct lesson_test tests[] = {
    TEST(split_heads, the_worked_rows_are_split),
    TEST(split_heads, each_head_gets_neighbouring_numbers_of_every_word),
    TEST(split_heads, rows_of_all_sizes_are_split),
    TEST(split_heads, two_threads_may_split_at_once),

    TEST(split_heads_backward, the_worked_heads_go_back_into_their_rows),
    TEST(split_heads_backward, what_the_rows_gain_is_added_to_what_is_there),
    TEST(split_heads_backward, each_heads_gradient_goes_back_to_its_own_numbers),
    TEST(split_heads_backward, the_way_back_of_a_split_is_what_nudging_measures),
    TEST(split_heads_backward, two_threads_may_go_back_from_a_split_at_once),

    TEST(merge_heads, the_worked_heads_are_merged),
    TEST(merge_heads, a_word_has_what_its_heads_fetched_side_by_side),
    TEST(merge_heads, heads_of_all_sizes_are_merged),
    TEST(merge_heads, two_threads_may_merge_at_once),

    TEST(merge_heads_backward, the_worked_rows_go_back_into_their_heads),
    TEST(merge_heads_backward, what_the_heads_gain_is_added_to_what_is_there),
    TEST(merge_heads_backward, each_word_tells_each_head_its_own_gradient),
    TEST(merge_heads_backward, the_way_back_of_a_merge_is_what_nudging_measures),
    TEST(merge_heads_backward, two_threads_may_go_back_from_a_merge_at_once),

    TESTS(attend_tests),
    TESTS(whole_tests),
};

int main(int argc, char **argv) {
    return RUN_TESTS(argc, argv, tests);
}
