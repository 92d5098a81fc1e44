/* What a lesson's test may expect. A failure shows both sides, says which property broke, and
   leaves the numbers for the tutor, which knows slips by them. */
#ifndef EXPECT_H
#define EXPECT_H

#include "gradcheck.h"
#include "matrix.h"

#include <stdbool.h>

#define FOUR_DECIMALS 5e-5 /* as a text gives them */
#define SLOPES        1e-6 /* how well central differences can agree */

/* Numbers agree within the tolerance; NaN agrees with nothing. `actual` is what the learner's
   code made: its name appears in the message, `weights[1][2]: expected 0.2500, was 0.5000`. */
#define EXPECT_MATRIX(rows, cols, expected, actual, tolerance)                                     \
    expect_numbers(__LINE__, #actual, rows, cols, (const double *)(expected),                      \
                   (const double *)(actual), tolerance)
#define EXPECT_VECTOR(n, expected, actual, tolerance)                                              \
    expect_numbers(__LINE__, #actual, 0, n, expected, actual, tolerance)
#define EXPECT_NUMBER(expected, actual, tolerance)                                                 \
    expect_numbers(__LINE__, #actual, 0, 0, (const double[]){expected}, (const double[]){actual},  \
                   tolerance)

/* The same of arrays with three indices: "heads[1][0][2]". */
#define EXPECT_BLOCK(a, b, c, expected, actual, tolerance)                                         \
    expect_array(__LINE__, #actual, dims_of(3, a, b, c, 1), expected, actual, tolerance)

/* The same for floats. The expected numbers are doubles. */
#define EXPECT_FLOATS(dims, expected, actual, tolerance)                                           \
    expect_floats(__LINE__, #actual, dims, expected, actual, tolerance)

/* A property: EXPECT_THAT(weights[0] > 0, "weights[0] is %g; weights are positive", weights[0]) */
#define EXPECT_THAT(condition, ...) expect_that(__LINE__, condition, __VA_ARGS__)

/* The gradient given by a backward function is the one that central differences measure. */
#define EXPECT_GRADIENT(rows, cols, measured, given, tolerance)                                    \
    expect_gradient(__LINE__, #given, rows, cols, (const double *)(measured),                      \
                    (const double *)(given), tolerance)

/* The gradient `given` is what nudging `input` measures, with numeric_gradient()'s loss. */
#define EXPECT_NUDGED(loss, context, rows, cols, input, given)                                     \
    expect_nudged(__LINE__, #given, rows, cols, loss, context, input, given)

/* `given` held one number everywhere, and `gained` had to be added to it. */
#define EXPECT_ADDED(rows, cols, held, gained, given)                                              \
    expect_added(__LINE__, #given, rows, cols, held, gained, given)

/* Two masks are the same in every cell. */
#define EXPECT_MASK(rows, cols, expected, actual)                                                  \
    expect_mask(__LINE__, #actual, rows, cols, expected, actual)

/* What the next EXPECT is about, said if it fails: true whatever the cause. The first counts. */
#define BECAUSE(...)               say_because(true, __VA_ARGS__)
#define BECAUSE_IF(condition, ...) say_because(condition, __VA_ARGS__)

void expect_numbers(int line, const char *name, int rows, int cols, const double *expected,
                    const double *actual, double tolerance);
void expect_array(int line, const char *name, struct dims dims, const void *expected,
                  const void *actual, double tolerance);
void expect_floats(int line, const char *name, struct dims dims, const void *expected,
                   const void *actual, double tolerance);
void expect_that(int line, bool condition, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void expect_gradient(int line, const char *name, int rows, int cols, const double *measured,
                     const double *given, double tolerance);
void expect_nudged(int line, const char *name, int rows, int cols, loss_function *loss,
                   void *context, void *input, const void *given);
void expect_added(int line, const char *name, int rows, int cols, double held, const void *gained,
                  const void *given);
/* The gradient and the sum of arrays of other shapes: dims_of(3, n_heads, n, d, 1). */
void expect_array_gradient(int line, const char *name, struct dims dims, const void *measured,
                           const void *given, double tolerance);
void expect_array_added(int line, const char *name, struct dims dims, double held,
                        const void *gained, const void *given);
void expect_mask(int line, const char *name, int rows, int cols, const void *expected,
                 const void *actual);

/* Some numbers as an array. */
#define OF(...) ((const double[]){__VA_ARGS__})

/* For each element of an array: FOR_ALL_OF(double, rate, rates) { ... *rate ... } */
#define FOR_ALL_OF(type, x, array)                                                                 \
    for (const type *x = array; x < (array) + sizeof(array) / sizeof *(array); x++)

/* The same for the cases of a test. Each begins without the matrices of the case before, which a
   failure would show as its own inputs. */
#define FOR_ALL_CASES(type, x, array)                                                              \
    FOR_ALL_OF(type, x, array)                                                                     \
    if (matrix_free_all(), true)

/* The cases are a lesson's `static const struct sizes all_sizes[]`. */
#define FOR_ALL_SIZES(z) FOR_ALL_CASES(struct sizes, z, all_sizes)

/* The cases are given here: FOR_EACH(int, n, 1, 2, 8) { ... n ... } */
#define FOR_EACH(type, x, ...)                                                                     \
    for (type x, all[] = {__VA_ARGS__}, *at = all;                                                 \
         at < all + sizeof all / sizeof *all && (matrix_free_all(), x = *at, true); at++)

void say_because(bool condition, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
