/* A test's call of a lesson's function leaves its `const` arrays as they were. make/kept.awk writes
   such calls from the lesson's header; each keeps what it gives in a struct of its own, so that
   threads may call at once. */
#ifndef KEPT_H
#define KEPT_H

#include "matrix.h"

#include <stddef.h>

enum { MOST_KEPT = 12, KEPT_BYTES = 4096 };

/* The inputs of one call, and what they held; those that do not fit are not looked at. */
struct kept_call {
    int count;
    size_t used;
    struct kept_input {
        const char *name;
        char type; /* the first letter of double, float, int or bool */
        struct dims dims;
        const void *now;
        size_t was, bytes; /* where in `bytes` below; how many */
    } inputs[MOST_KEPT];
    unsigned char bytes[KEPT_BYTES];
};

void kept_begin(struct kept_call *kept);
void kept_input(struct kept_call *kept, const char *name, char type, struct dims dims,
                const void *now);

/* An output that lies in an input, as in softmax(n, x, x), may change it. */
void kept_output(struct kept_call *kept, const void *first, size_t bytes);

/* Fails the test, at that line, if one was changed. */
void kept_end(const struct kept_call *kept, int line);

#endif
