#include "kept.h"

#include "expect.h"
#include "lesson_test.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t size_of(char type) {
    return type == 'd'   ? sizeof(double)
           : type == 'f' ? sizeof(float)
           : type == 'i' ? sizeof(int)
                         : sizeof(bool);
}

void kept_begin(struct kept_call *kept) {
    kept->count = 0;
    kept->used = 0;
}

void kept_input(struct kept_call *kept, const char *name, char type, struct dims dims,
                const void *now) {
    const size_t bytes = (size_t)dims_count(dims) * size_of(type);
    if (!now || kept->count == MOST_KEPT || bytes > sizeof kept->bytes - kept->used)
        return;
    memcpy(kept->bytes + kept->used, now, bytes);
    kept->inputs[kept->count++] = (struct kept_input){name, type, dims, now, kept->used, bytes};
    kept->used += bytes;
}

void kept_output(struct kept_call *kept, const void *first, size_t bytes) {
    for (int k = 0; k < kept->count; k++) {
        const uintptr_t now = (uintptr_t)kept->inputs[k].now, out = (uintptr_t)first;
        if (now < out + bytes && out < now + kept->inputs[k].bytes)
            kept->inputs[k].bytes = 0;
    }
}

static const char *value_text(char *text, size_t size, char type, const void *at) {
    double d = 0.0;
    float f = 0.0f;
    int i = 0;
    if (type == 'd')
        memcpy(&d, at, sizeof d);
    else if (type == 'f')
        d = (double)*(const float *)memcpy(&f, at, sizeof f);
    else if (type == 'i')
        d = *(const int *)memcpy(&i, at, sizeof i);
    else
        d = *(const unsigned char *)at;
    snprintf(text, size, isnan(d) ? "nan" : "%.4g", d); /* the sign of a NaN says nothing */
    return text;
}

static void expect_kept(const struct kept_call *kept, const struct kept_input *in, int line) {
    const unsigned char *was = kept->bytes + in->was, *now = in->now;
    const size_t size = size_of(in->type);
    char place[100], before[40], after[40];
    size_t at = 0;
    if (memcmp(was, now, in->bytes) == 0)
        return;
    while (memcmp(was + at, now + at, size) == 0)
        at += size;
    forget_because(); /* it is about what comes out */
    report(
        '!',
        "%s is an input, and was changed. Its `const` is a promise: whoever calls may still need "
        "the numbers. What you compute belongs in an output, or in a variable of your own.",
        in->name);
    expect_that(
        line, false, "%s is an input: it was %s before the call, and is %s after it",
        dims_place(place, sizeof place, in->name, in->dims, in->dims.rank, (long)(at / size)),
        value_text(before, sizeof before, in->type, was + at),
        value_text(after, sizeof after, in->type, now + at));
}

void kept_end(const struct kept_call *kept, int line) {
    for (int k = 0; k < kept->count; k++)
        expect_kept(kept, &kept->inputs[k], line);
}
