/* Products of bytes, several in each lane: what lanes.h is for floats.

   A weight is a whole number from -127 to 127 and takes one byte. A processor multiplies TOGETHER
   bytes in each lane by TOGETHER bytes of x, and adds the products to the lane's sum, an int. How
   many it takes together depends on its instructions, so the weights are stored in another order
   on different machines.

   All of this is given. story.h uses it. */
#ifndef BYTES_H
#define BYTES_H

#include "fast.h"

#if defined __ARM_FEATURE_MATMUL_INT8
#include <arm_neon.h>
#elif defined __AVX__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif

/* A scale belongs to GROUP weights of a row that lie next to each other. 64 does not divide the
   d_model of the model, which is 288, and 32 does. */
enum { GROUP = 32 };

/* The fastest instructions multiply unsigned bytes by signed ones. So a weight q is stored as the
   unsigned byte q + SHIFT, and matrix_vector_int8 subtracts SHIFT times the sum of x again. */
enum { SHIFT = 128 };

/* Some machines have an instruction for four products in each lane: AVX-512 VNNI, AVX-VNNI, and
   aarch64 with its extension for matrices. Others multiply numbers of 16 bits, two in each lane. */
#if (defined __AVX512VNNI__ && defined __AVX512F__) || defined __AVXVNNI__ ||                      \
    defined __ARM_FEATURE_MATMUL_INT8
enum { TOGETHER = 4 };
#else
enum { TOGETHER = 2 };
#endif

enum { PIECE = WIDTH * TOGETHER }; /* the bytes that one instruction reads */
typedef uint8_t byte;              /* a weight + SHIFT */

static inline vec to_floats(ivec x) {
    return __builtin_convertvector(x, vec);
}

/* The same number in every lane. */
static inline ivec splat_int(int x) {
    return (ivec){0} + x;
}

/* Two numbers of 16 bits in every lane. */
static inline ivec splat_two(int8_t first, int8_t second) {
    return splat_int((int)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16));
}

/* Four bytes in every lane. */
static inline ivec splat_four(const int8_t x[4]) {
    int four_of_x;
    memcpy(&four_of_x, x, sizeof four_of_x);
    return splat_int(four_of_x);
}

/* Returns the sums with the products added: lane l gets the sum of from[l * TOGETHER + i] * x[i]
   over i < TOGETHER. */
static inline ivec add_bytes(ivec sums, const byte from[PIECE], const int8_t x[TOGETHER]) {
#if defined __AVX512VNNI__ && defined __AVX512F__
    return (ivec)_mm512_dpbusd_epi32((__m512i)sums, _mm512_loadu_si512(from),
                                     (__m512i)splat_four(x));
#elif defined __AVXVNNI__
    return (ivec)_mm256_dpbusd_avx_epi32((__m256i)sums,
                                         _mm256_loadu_si256((const __m256i *)(const void *)from),
                                         (__m256i)splat_four(x));
#elif defined __ARM_FEATURE_MATMUL_INT8
    return (ivec)vusdotq_s32((int32x4_t)sums, vld1q_u8(from), (int8x16_t)splat_four(x));
#else
    typedef uint8_t bvec __attribute__((vector_size(PIECE)));
    typedef int16_t svec __attribute__((vector_size(2 * PIECE)));
    bvec bytes;
    memcpy(&bytes, from, sizeof bytes);
    const svec weights = __builtin_convertvector(bytes, svec);
#if defined __AVX512BW__
    return sums + (ivec)_mm512_madd_epi16((__m512i)weights, (__m512i)splat_two(x[0], x[1]));
#elif defined __AVX2__
    return sums + (ivec)_mm256_madd_epi16((__m256i)weights, (__m256i)splat_two(x[0], x[1]));
#elif defined __SSE2__ && !defined __AVX__
    return sums + (ivec)_mm_madd_epi16((__m128i)weights, (__m128i)splat_two(x[0], x[1]));
#elif defined __wasm_simd128__
    return sums + (ivec)wasm_i32x4_dot_i16x8((v128_t)weights, (v128_t)splat_two(x[0], x[1]));
#else
    for (int l = 0; l < WIDTH; l++)
        sums[l] += weights[2 * l] * x[0] + weights[2 * l + 1] * x[1];
    return sums;
#endif
#endif
}

/* Writes one group of one row to the matrix of bytes: the row is lane `lane` of its block. */
static inline void put_group(int lane, const int8_t q[GROUP], byte group[GROUP / TOGETHER][PIECE]) {
    for (int i = 0; i < GROUP; i++)
        group[i / TOGETHER][lane * TOGETHER + i % TOGETHER] = (byte)(q[i] + SHIFT);
}

#endif
