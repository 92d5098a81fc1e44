/* Matrices on the heap, each at its exact size, so that the address sanitizer sees the first
   element read or written past the end. They have names, so that the report can use them. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* How long an array is along each of its indices: a matrix has a rank of 2, a number of 0. */
struct dims {
    int rank, size[4];
};
struct dims dims_of(int rank, int a, int b, int c, int d);

/* The dims of a matrix, of a vector (rows is 0) or of a number (both are 0). */
struct dims dims_of_rows(int rows, int cols);

/* As a matrix: with a row for each vector in it. */
int dims_rows(struct dims dims);
int dims_cols(struct dims dims);
int dims_count(struct dims dims);

/* "Q[1][0][2]", the place of number `index` of the array, with so many of its indices; the first
   runs out of its size where the place lies outside. */
const char *dims_place(char *text, size_t size, const char *name, struct dims dims, int indices,
                       long index);

/* Declare `name` and fill it with the unset mark: a NaN of our own, see is_unset(). */
#define NEW_MATRIX(name, rows, cols) double(*name)[cols] = matrix_new(#name, rows, cols)
#define NEW_VECTOR(name, n)          double *name = vector_new(#name, n)

/* Declare `name` and fill it with the numbers given: NEW_MATRIX_OF(Q, 2, 3, {1, 0, 1}, {0, 1, 0});
   rows and cols are constants here. */
#define NEW_MATRIX_OF(name, rows, cols, ...)                                                       \
    double(*name)[cols] = matrix_copy(#name, rows, cols, (const double[rows][cols]){__VA_ARGS__})
#define NEW_VECTOR_OF(name, n, ...)                                                                \
    double *name = vector_copy(#name, n, (const double[n]){__VA_ARGS__})

/* Declare `name` as a copy of another matrix of the same shape, or filled with one number. */
#define NEW_MATRIX_LIKE(name, rows, cols, from)                                                    \
    double(*name)[cols] = matrix_copy(#name, rows, cols, from)
#define NEW_VECTOR_LIKE(name, n, from) double *name = vector_copy(#name, n, from)
#define NEW_MATRIX_FILLED(name, rows, cols, value)                                                 \
    double(*name)[cols] = fill((rows) * (cols), value, matrix_new(#name, rows, cols))
#define NEW_VECTOR_FILLED(name, n, value) double *name = fill(n, value, vector_new(#name, n))

/* A block is an array of matrices: heads[n_heads][n][d]. One that is filled, or a copy, as above.
   Arrays with four indices come from array_new() and array_copy(). */
#define NEW_BLOCK(name, a, b, c) double(*name)[b][c] = array_new(#name, dims_of(3, a, b, c, 1))
#define NEW_BLOCK_LIKE(name, a, b, c, from)                                                        \
    double(*name)[b][c] = array_copy(#name, dims_of(3, a, b, c, 1), from)
#define NEW_BLOCK_FILLED(name, a, b, c, value)                                                     \
    double(*name)[b][c] = fill((a) * (b) * (c), value, array_new(#name, dims_of(3, a, b, c, 1)))

/* Arrays of float, for lessons that compute in them: unset until written, too. */
#define NEW_FLOATS(name, a, b, c) float(*name)[b][c] = floats_new(#name, dims_of(3, a, b, c, 1))
#define NEW_FLOAT_MATRIX(name, rows, cols)                                                         \
    float(*name)[cols] = floats_new(#name, dims_of(2, rows, cols, 1, 1))
#define NEW_FLOAT_MATRIX_OF(name, rows, cols, ...)                                                 \
    float(*name)[cols] =                                                                           \
        floats_copy(#name, dims_of(2, rows, cols, 1, 1), (const float[rows][cols]){__VA_ARGS__})
#define NEW_FLOAT_VECTOR(name, n) float *name = floats_new(#name, dims_of(1, n, 1, 1, 1))

/* A mask of bools. A new cell holds a value that no bool has, so the sanitizer ends the program
   when an unset cell is read. */
enum { UNSET_CELL = 0xa5 };
#define NEW_MASK(name, rows, cols) bool(*name)[cols] = mask_new(#name, rows, cols)
#define NEW_MASK_OF(name, rows, cols, ...)                                                         \
    bool(*name)[cols] = mask_copy(#name, rows, cols, (const bool[rows][cols]){__VA_ARGS__})
#define NEW_MASK_FILLED(name, rows, cols, value)                                                   \
    bool(*name)[cols] = memset(mask_new(#name, rows, cols), value, (size_t)((rows) * (cols)))

void *array_new(const char *name, struct dims dims);
void *array_copy(const char *name, struct dims dims, const void *numbers);
void *matrix_new(const char *name, int rows, int cols);
void *matrix_copy(const char *name, int rows, int cols, const void *numbers);
void *vector_new(const char *name, int n);
void *block_new(const char *name, int a, int b, int c);
void *vector_copy(const char *name, int n, const void *numbers);
void *mask_new(const char *name, int rows, int cols);
void *mask_copy(const char *name, int rows, int cols, const void *cells);

/* A mask as a matrix of numbers: 1 is blocked, 0 is not, and unset stays unset. */
void *mask_numbers(const char *name, int rows, int cols, const void *mask);

void *floats_new(const char *name, struct dims dims);
void *floats_copy(const char *name, struct dims dims, const void *numbers);

/* Floats as doubles; unset stays unset. */
void *widened(const char *name, struct dims dims, const void *floats);

/* Frees every matrix and vector made so far. Test programs do this after each test. */
void matrix_free_all(void);

/* Sets all `count` numbers at x, and returns x. */
void *fill(int count, double value, void *x);

/* True for a number that has not been written since NEW_MATRIX. */
bool is_unset(double x);

/* True for the result of computing with an unset number, as += does. */
bool is_made_of_unset(double x);

/* True where some bytes were written and others were not: no arithmetic makes such a NaN. */
bool is_partly_set(double x);

/* True for the value of a local variable that was never set, and for sums with it. See
   make/probe.sh. */
bool is_never_set(double x);

/* Calls `show` for each matrix that was made before the one that starts at `before`, oldest first;
   for all of them if that is NULL. */
void matrix_each_before(const void *before,
                        void (*show)(const char *name, struct dims dims, const double *numbers));

/* The matrix that contains `address` or is next to it, for a report. False if no matrix is near. */
struct matrix_place {
    const char *name;
    struct dims dims;
    long index; /* counted in elements from the first; negative before it */
};
bool matrix_at(const void *address, struct matrix_place *place);

/* The whole array that contains `address`. False if none does. */
struct matrix_whole {
    const char *name;
    struct dims dims;
    size_t element; /* the size of one: of a double, or of a bool in a mask */
    void *elements;
};
bool matrix_around(const void *address, struct matrix_whole *whole);

/* The last array of that name. False if there is none. */
bool matrix_named(const char *name, struct matrix_whole *whole);

/* True if an array begins there, or the header that is kept in front of it. */
bool matrix_begins(const void *address);

#endif
