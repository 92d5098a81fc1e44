/* Vectors of floats, as gcc and clang know them: + - * / and comparisons work on each lane by
   itself. The widest that the machine has, and how many of them fit its registers.

   Given: there is nothing to write here. fast.h says what it is for. */
#ifndef LANES_H
#define LANES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* A block of sums, ROWS numbers by LANES, should fill the registers, and leave some for what is
   multiplied. AVX-512: 16 of 32 hold sums; AVX: 12 of 16; aarch64: 16 of 32; SSE: 12 of 16. */
#if defined __AVX512F__
enum { WIDTH = 16, VECTORS = 2, ROWS = 8 };
#elif defined __AVX__
enum { WIDTH = 8, VECTORS = 3, ROWS = 4 };
#elif defined __aarch64__
enum { WIDTH = 4, VECTORS = 4, ROWS = 4 };
#else
enum { WIDTH = 4, VECTORS = 3, ROWS = 4 };
#endif

enum {
    LANES = WIDTH * VECTORS,    /* queries side by side */
    KEYS = 128 / LANES * LANES, /* keys in a tile */
    WIDE = 2 * LANES,           /* keys side by side, on the way back */
    QUERIES = 64,               /* queries in a tile, on the way back */
};

typedef float vec __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ivec __attribute__((vector_size(4 * WIDTH))); /* what a comparison gives: 0, -1 */
typedef uint32_t uvec __attribute__((vector_size(4 * WIDTH)));

/* From memory and back, wherever it lies. */
static inline vec load(const float *from) {
    vec x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void store(vec x, float *to) {
    memcpy(to, &x, sizeof x);
}

/* The same number in every lane. */
static inline vec splat(float x) {
    return (vec){0} + x;
}

/* a where `which` is -1, b where it is 0: C has no ?: for vectors. */
static inline vec choose(ivec which, vec a, vec b) {
    return (vec)((which & (ivec)a) | (~which & (ivec)b));
}

/* Of two numbers the larger; b if one of them is NaN. */
static inline vec larger(vec a, vec b) {
    return choose(a > b, a, b);
}

/* first, first + 1, ... */
static inline ivec lane_numbers(int first) {
    ivec numbers;
    for (int l = 0; l < WIDTH; l++)
        numbers[l] = first + l;
    return numbers;
}

/* to[c][r] += scale * from[r][c]: a matrix and another that lies across it. */
static inline void add_transposed(int rows, int cols, int d_from, int d_to, float scale,
                                  const float from[rows][d_from], float to[cols][d_to]) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            to[c][r] += scale * from[r][c];
}

#endif
