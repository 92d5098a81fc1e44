/* Tests, each of which belongs to an exercise: what a file of tests includes first.

       TEST(dot, two_vectors_have_this_product) {
           NEW_VECTOR_OF(a, 3, 1, 2, 3);
           EXPECT_NUMBER(14.0, dot(3, a, a), 1e-12);
       }

   That is all: no table and no main(). The tests of a file run in the order of the file, and the
   files in the order of their names.

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
    const char *unit; /* the file that was compiled, and the test's place among its tests */
    int place;
    bool laws;                /* facts of the exercise, and no test: see laws.h */
    struct lesson_test *next; /* in no order */
};

#define TEST(of, test) LISTED(of, test, __COUNTER__, false)
#define LISTED(of, test, number, is_laws)                                                          \
    static void test(void);                                                                        \
    static struct lesson_test test##_listed = {#of,           #test,  test,    __LINE__, __FILE__, \
                                               __BASE_FILE__, number, is_laws, NULL};              \
    __attribute__((constructor)) static void list_##test(void) {                                   \
        test##_listed.next = listed_tests;                                                         \
        listed_tests = &test##_listed;                                                             \
    }                                                                                              \
    static void test(void)

/* Before main() each test puts itself into this list. */
extern struct lesson_test *listed_tests;

/* All of them, in order; to be freed. */
struct lesson_test *all_tests(int *count);

/* What main() returns. */
int run_tests(int argc, char **argv);

/* Called after each test, however it ended; NULL at first. */
extern void (*after_test)(void);

/* One more line about the test that is running. The kind says what the tutor does with it:
   '|' a line of detail, '<' a row of an input, '=' what broke, ':' a guess, '!' the same where it
   says all, '~' the numbers that came out, '@' what a crash touched. */
void report(char kind, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* False if nothing reads the lines of details and inputs. Writing them takes longer than a test. */
extern const bool details_are_read;

/* Where slips are run, a pragma is a comment: then no loop has threads. */
extern const bool loops_are_parallel;

#endif
