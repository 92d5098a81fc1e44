/* Vectors of floats, which gcc and clang offer: + - * / and comparisons work on each lane
   separately. The constants depend on the width and the number of the vector registers.

   All of this is given. fast.h uses it. */
#ifndef LANES_H
#define LANES_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined __AVX__
#include <immintrin.h>
#elif defined __SSE__
#include <xmmintrin.h>
#endif

/* The ROWS * LANES sums of the kernel should fill the registers, but leave some for the factors.
   AVX-512: 16 of 32 hold sums; AVX: 12 of 16; aarch64: 16 of 32; SSE: 12 of 16. */
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
    WIDE = 2 * LANES,           /* keys side by side in the backward pass */
    QUERIES = 64,               /* queries that share a tile of keys, forward and backward */
};

typedef float vec __attribute__((vector_size(4 * WIDTH)));
typedef int32_t ivec __attribute__((vector_size(4 * WIDTH))); /* comparisons give 0 or -1 */
typedef uint32_t uvec __attribute__((vector_size(4 * WIDTH)));

/* Copies a vector from or to any address. */
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

/* The larger number in each lane, or b if one of them is NaN. */
static inline vec larger(vec a, vec b) {
#if defined __AVX512F__
    return _mm512_max_ps(a, b);
#elif defined __AVX__
    return _mm256_max_ps(a, b);
#elif defined __SSE__
    return _mm_max_ps(a, b);
#endif
    return choose(a > b, a, b);
}

/* first, first + 1, ... */
static inline ivec lane_numbers(int first) {
    ivec numbers;
    for (int l = 0; l < WIDTH; l++)
        numbers[l] = first + l;
    return numbers;
}

/* Starts loading n numbers into the cache, because they will be needed soon. */
static inline void fetch(int n, const float *from) {
    enum { LINE = 64 / sizeof(float) }; /* floats in a cache line of nearly every processor */
    for (int c = 0; c < n; c += LINE)
        __builtin_prefetch(from + c);
}

/* Four of the eight numbers of a and b, chosen by their indices. */
#ifdef __clang__
#define PICK(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define PICK(a, b, i, j, k, l) __builtin_shuffle(a, b, (four_places){i, j, k, l})
#endif
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_places __attribute__((vector_size(16)));

static inline four load_four(const float *from) {
    four x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void add_four(four x, float *to) {
    x += load_four(to);
    memcpy(to, &x, sizeof x);
}

/* to[c][r] += scale * from[r][c], for four rows and four columns. */
static inline void add_transposed_four(int d_from, int d_to, float scale, const float *from,
                                       float *to) {
    const four a = load_four(from), b = load_four(from + d_from);
    const four c = load_four(from + 2 * d_from), d = load_four(from + 3 * d_from);
    const four ab = PICK(a, b, 0, 4, 1, 5), cd = PICK(c, d, 0, 4, 1, 5);
    const four AB = PICK(a, b, 2, 6, 3, 7), CD = PICK(c, d, 2, 6, 3, 7);
    add_four(scale * PICK(ab, cd, 0, 1, 4, 5), to);
    add_four(scale * PICK(ab, cd, 2, 3, 6, 7), to + d_to);
    add_four(scale * PICK(AB, CD, 0, 1, 4, 5), to + 2 * d_to);
    add_four(scale * PICK(AB, CD, 2, 3, 6, 7), to + 3 * d_to);
}

/* to[c][r] += scale * from[r][c]: adds the transposed matrix. */
static inline void add_transposed(int rows, int cols, int d_from, int d_to, float scale,
                                  const float from[rows][d_from], float to[cols][d_to]) {
    const int whole_rows = rows / 4 * 4, whole_cols = cols / 4 * 4;
    for (int r = 0; r < whole_rows; r += 4)
        for (int c = 0; c < whole_cols; c += 4)
            add_transposed_four(d_from, d_to, scale, &from[r][c], &to[c][r]);
    for (int c = 0; c < cols; c++)
        for (int r = c < whole_cols ? whole_rows : 0; r < rows; r++)
            to[c][r] += scale * from[r][c];
}

#endif
