/* Runs a table of Unity tests, each belonging to an exercise.

   By hand the program prints plain Unity lines. Names of exercises or of tests as arguments
   run only those. Under the tutor (LOOKBACK_REPORT holds the number of an open pipe) it announces
   its tests first and each one before it starts, so that a crash or a loop has a name. */
#ifndef LESSON_TEST_H
#define LESSON_TEST_H

#include <stdbool.h>
#include <stddef.h>

struct lesson_test {
    const char *exercise;
    const char *name;
    void (*run)(void);
    int line;
    const char *file;
    const struct lesson_test *more; /* a table in place of a test */
};

#define TEST(of, test)                                                                             \
    { .exercise = #of, .name = #test, .run = test, .line = __LINE__, .file = __FILE__ }

/* Another file's tests: `extern const struct lesson_test softmax_tests[];`, a table that ends in
   END_OF_TESTS. */
#define TESTS(table)                                                                               \
    { .more = table }
#define END_OF_TESTS                                                                               \
    { .more = NULL }

/* The body of main: `return RUN_TESTS(argc, argv, tests);` */
#define RUN_TESTS(argc, argv, tests)                                                               \
    run_tests(argc, argv, __FILE__, (int)(sizeof(tests) / sizeof(tests)[0]), tests)

int run_tests(int argc, char **argv, const char *file, int count, const struct lesson_test *tests);

/* Called after each test, however it ended; NULL at first. */
extern void (*after_test)(void);

/* The tests of a table, those of other files in their places; to be freed. */
struct lesson_test *all_tests(const struct lesson_test *tests, int *count);

/* One more line about the test that is running. The kind says what the tutor does with it:
   '|' a line of detail, '<' a row of an input, '=' what broke, '!' the same where it says
   all, '~' the numbers that came out, '@' what a crash touched. */
void report(char kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does anybody read the lines of details and inputs? To write them takes longer than a test. */
extern const bool details_are_read;

/* Where slips are run, a pragma is a comment: then no loop has threads. */
extern const bool loops_are_parallel;

#endif
