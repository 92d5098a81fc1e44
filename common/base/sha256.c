/* SHA-256 of bytes in memory. Blocks of 64 bytes are mixed into eight words. The last block is
   filled up with a 1 bit, zeros and the length. */
#include "base/sha256.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define TURNED(x, by) ((x) >> (by) | (x) << (32 - (by)))

static void schedule(const unsigned char *block, uint32_t w[64]) {
    for (int i = 0; i < 16; i++, block += 4)
        w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
               (uint32_t)block[3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (TURNED(a, 7) ^ TURNED(a, 18) ^ a >> 3) + w[i - 7] +
               (TURNED(b, 17) ^ TURNED(b, 19) ^ b >> 10);
    }
}

static void mix(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64], s[8];
    schedule(block, w);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        uint32_t first = s[7] + (TURNED(s[4], 6) ^ TURNED(s[4], 11) ^ TURNED(s[4], 25)) + choice +
                         round_constants[i] + w[i];
        uint32_t second = (TURNED(s[0], 2) ^ TURNED(s[0], 13) ^ TURNED(s[0], 22)) + majority;
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

/* The last bytes, a 1, zeros, and the length in bits: one block or two. */
static void finish(uint32_t state[8], const unsigned char *rest, size_t left, size_t length) {
    unsigned char last[128] = {0};
    size_t size = left < 56 ? 64 : 128;
    if (left > 0)
        memcpy(last, rest, left);
    last[left] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[size - 1 - i] = (unsigned char)((uint64_t)length * 8 >> 8 * i);
    for (size_t at = 0; at < size; at += 64)
        mix(state, last + at);
}

struct hash sha256(const void *bytes, size_t length) {
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const unsigned char *at = bytes;
    size_t left = length;
    struct hash hash;
    for (; left >= 64; left -= 64, at += 64)
        mix(state, at);
    finish(state, at, left, length);
    for (int i = 0; i < 8; i++)
        snprintf(hash.hex + 8 * i, 9, "%08x", (unsigned)state[i]);
    return hash;
}
