/* OpenMP for tests: threads that take turns. */
#include "lesson_test.h"
#include "observed.h"
#include "threads.h"
#include "unity.h"
#include "work.h"

/* The order in which one thread works on the pieces of three loops: 3 times 2, 5 with two inner
   ones each, 9. */
static void note_orders(int *at) {
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 10; j += 5)
            *at++ = 10 * i + j;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 5; i++) {
#pragma omp parallel for schedule(dynamic)
        for (int j = 0; j < 2; j++)
            *at++ = 10 * i + j;
    }
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < 9; i++)
        *at++ = i;
}

#ifdef _OPENMP
/* As if the compiler had put one there. */
static void a_block_ends(void) {
    __sanitizer_cov_trace_pc();
}

/* Runs loops on this many threads, and returns what was seen of them. */
static struct observed on_threads(int threads, void (*run)(int sums[2]), int sums[2]) {
    sums[0] = sums[1] = 0;
    threads_pretend(threads);
    run(sums);
    threads_pretend(1);
    return observed();
}

static void add_in_pieces(int sums[2]) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 8; i++) {
        const int before = sums[0];
        for (int j = 0; j < 500; j++)
            a_block_ends();
        sums[0] = before + 1;
    }
}

static void add_in_turn(int sums[2]) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 8; i++)
#pragma omp critical
    {
        const int before = sums[0];
        a_block_ends();
        sums[0] = before + 1;
        a_block_ends();
    }
}

static void add_what_others_have_added(int sums[2]) {
#pragma omp parallel
    {
        const int own = sums[0];
        a_block_ends();
#pragma omp critical
        sums[0] += 3 + own;
#pragma omp barrier
        a_block_ends();
#pragma omp critical
        sums[1] += sums[0];
    }
}

static void share_a_variable(int sums[2]) {
    int shared;
    (void)sums;
#pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        shared = 7 * i;
        a_block_ends();
    }
    (void)shared;
}

static void loop_without_end(int sums[2]) {
#pragma omp parallel
    while (sums[1] == 0)
        a_block_ends();
}

TEST(threads, threads_take_turns_in_the_midst_of_a_loop) {
    int sums[2];
    const struct observed o = on_threads(4, add_in_pieces, sums);
    TEST_ASSERT_EQUAL_INT(4, o.working);
    TEST_ASSERT_TRUE(sums[0] < 8); /* one read what another had not written yet */
    const int before = sums[0];
    on_threads(4, add_in_pieces, sums);
    TEST_ASSERT_EQUAL_INT(before, sums[0]);
}

TEST(threads, one_thread_at_a_time_is_in_a_critical_section) {
    int sums[2];
    for (int threads = 2; threads < 6; threads++) {
        on_threads(threads, add_in_turn, sums);
        TEST_ASSERT_EQUAL_INT(8, sums[0]);
    }
}

TEST(threads, all_threads_wait_at_a_barrier) {
    int sums[2];
    on_threads(4, add_what_others_have_added, sums);
    TEST_ASSERT_EQUAL_INT(4 * sums[0], sums[1]);
}

TEST(threads, a_variable_that_two_threads_write_to_is_told) {
    int sums[2];
    TEST_ASSERT_NOT_EQUAL_CHAR('\0', *on_threads(4, share_a_variable, sums).shared);
    TEST_ASSERT_EQUAL_STRING("", on_threads(4, add_in_turn, sums).shared);
}

TEST(threads, threads_that_never_end_are_stopped) {
    int sums[2];
    TEST_ASSERT_EQUAL_STRING("what a loop counts with",
                             on_threads(4, loop_without_end, sums).shared);
}
#endif

TEST(threads, one_thread_takes_all_pieces_in_order) {
    static const int right[] = {0,  5,  10, 15, 20, 25, 0, 1, 10, 11, 20, 21, 30,
                                31, 40, 41, 0,  1,  2,  3, 4, 5,  6,  7,  8};
    int order[25];
    note_orders(order);
    TEST_ASSERT_EQUAL_INT_ARRAY(right, order, 25);
}
