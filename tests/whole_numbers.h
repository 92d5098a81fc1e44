/* Whole numbers for the tests of several lessons, which matrix.h has not. */
#ifndef WHOLE_NUMBERS_H
#define WHOLE_NUMBERS_H

#include "matrix.h"

#include <stdint.h>

enum { OUTSIDE = -7777, NEVER_SET = -858993460 };

/* `count` ints that end where a vector of that name ends, so that the sanitizer sees who goes past
   it. In front of them are numbers that must not be read. */
static inline int *new_words(const char *name, int count) {
    int *words = vector_new(name, count);
    for (int i = 0; i < count; i++) {
        words[i] = OUTSIDE;
        words[count + i] = NEVER_SET;
    }
    return words + count;
}

/* The tests hold doubles of the same name, which are what a failure shows. */
static inline int *words_from(const char *name, int count, const double *numbers) {
    int *words = new_words(name, count);
    for (int i = 0; i < count; i++)
        words[i] = (int)numbers[i];
    vector_copy(name, count, numbers);
    return words;
}

/* `count` bytes that end where a vector of that name ends. Without numbers they are -128. */
static inline void *bytes_from(const char *name, int count, const int *numbers) {
    const int before = (8 - count % 8) % 8;
    int8_t *bytes = vector_new(name, (count + before) / 8);
    memset(bytes, -128, (size_t)(count + before));
    for (int i = 0; numbers && i < count; i++)
        bytes[before + i] = (int8_t)numbers[i];
    return bytes + before;
}

#endif
