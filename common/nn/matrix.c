/* Arrays for tests and plots, with names. The elements of each array are an allocation of their
   own, so that the address sanitizer sees a step past either end; name and shape are in a list
   beside it. New elements are filled with a signalling NaN of a special bit pattern. is_unset()
   and its relatives recognise that pattern, and what arithmetic makes of it. */
#include "matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    const char *name;
    struct dims dims;
    size_t size;  /* of an element: of a double, or of a bool in a mask */
    size_t bytes; /* together, so that a lookup by address need not multiply */
    void *elements;
};

static struct entry *all;

/* A signalling NaN with a payload. Any arithmetic makes it a quiet one, and keeps the payload. No
   byte is 0, so a number of which only some bytes are written can be seen. */
static const uint64_t unset_bits = 0x7ff010c1bacc1dadu, quiet_bit = 0x0008000000000000u;

_Static_assert(sizeof(bool) == 1, "a cell of a mask is one byte");

struct dims dims_of(int rank, int a, int b, int c, int d) {
    return (struct dims){rank, {a, b, c, d}};
}

struct dims dims_of_rows(int rows, int cols) {
    return rows ? dims_of(2, rows, cols, 1, 1) : dims_of(cols ? 1 : 0, cols ? cols : 1, 1, 1, 1);
}

int dims_cols(struct dims dims) {
    return dims.rank ? dims.size[dims.rank - 1] : 1;
}

int dims_count(struct dims dims) {
    int count = 1;
    for (int k = 0; k < dims.rank; k++)
        count *= dims.size[k];
    return count;
}

int dims_rows(struct dims dims) {
    return dims_count(dims) / dims_cols(dims);
}

const char *dims_place(char *text, size_t size, const char *name, struct dims dims, int indices,
                       long index) {
    long at[4] = {0};
    for (int k = dims.rank - 1; k > 0; k--) {
        at[k] = (index % dims.size[k] + dims.size[k]) % dims.size[k];
        index = (index - at[k]) / dims.size[k];
    }
    at[0] = index;
    snprintf(text, size, "%s", name);
    for (int k = 0; k < indices; k++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "[%ld]", at[k]);
    }
    return text;
}

static void *new_entry(const char *name, struct dims dims, size_t size) {
    struct entry *e = malloc(sizeof *e);
    struct entry made = {all, name, dims, size, 0, NULL};
    bool empty = false;
    for (int k = 0; k < dims.rank; k++)
        empty = empty || dims.size[k] < 1;
    if (!empty) {
        made.bytes = (size_t)dims_count(dims) * size;
        made.elements = malloc(made.bytes);
    }
    if (!e || !made.elements) {
        fprintf(stderr, "no room for %s: %d x %d\n", name, dims.size[0], dims.size[1]);
        exit(2);
    }
    *e = made;
    all = e;
    return e->elements;
}

void *array_new(const char *name, struct dims dims) {
    double *numbers = new_entry(name, dims, sizeof *numbers);
    const int count = dims_count(dims);
    for (int i = 0; i < count; i++)
        memcpy(&numbers[i], &unset_bits, sizeof unset_bits);
    return numbers;
}

void *array_copy(const char *name, struct dims dims, const void *numbers) {
    return memcpy(array_new(name, dims), numbers, (size_t)dims_count(dims) * sizeof(double));
}

void *matrix_new(const char *name, int rows, int cols) {
    return array_new(name, dims_of(2, rows, cols, 1, 1));
}

void *vector_new(const char *name, int n) {
    return array_new(name, dims_of(1, n, 1, 1, 1));
}

void *block_new(const char *name, int a, int b, int c) {
    return array_new(name, dims_of(3, a, b, c, 1));
}

void *matrix_copy(const char *name, int rows, int cols, const void *numbers) {
    return array_copy(name, dims_of(2, rows, cols, 1, 1), numbers);
}

void *vector_copy(const char *name, int n, const void *numbers) {
    return array_copy(name, dims_of(1, n, 1, 1, 1), numbers);
}

void *mask_new(const char *name, int rows, int cols) {
    struct dims dims = dims_of(2, rows, cols, 1, 1);
    unsigned char *cells = new_entry(name, dims, sizeof(bool));
    return memset(cells, UNSET_CELL, (size_t)dims_count(dims) * sizeof(bool));
}

void *mask_copy(const char *name, int rows, int cols, const void *cells) {
    return memcpy(mask_new(name, rows, cols), cells, (size_t)(rows * cols) * sizeof(bool));
}

void *mask_numbers(const char *name, int rows, int cols, const void *mask) {
    const unsigned char *cells = mask;
    double *numbers = matrix_new(name, rows, cols);
    for (int i = 0; i < rows * cols; i++)
        if (cells[i] != UNSET_CELL)
            numbers[i] = cells[i];
    return numbers;
}

/* As for doubles: signalling, and with a payload. */
static const uint32_t unset_float = 0x7f90cacc, quiet_float = 0x00400000;

void *floats_new(const char *name, struct dims dims) {
    float *numbers = new_entry(name, dims, sizeof *numbers);
    const int count = dims_count(dims);
    for (int i = 0; i < count; i++)
        memcpy(&numbers[i], &unset_float, sizeof unset_float);
    return numbers;
}

void *floats_copy(const char *name, struct dims dims, const void *numbers) {
    return memcpy(floats_new(name, dims), numbers, (size_t)dims_count(dims) * sizeof(float));
}

/* What gcc leaves in a float that was never set, which is a strange number, and what clang
   leaves. */
static const uint32_t never_set_float = 0x7efefefe, never_set_by_clang = 0x7fffffff;

void *widened(const char *name, struct dims dims, const void *floats) {
    double *numbers = array_new(name, dims);
    const int count = dims_count(dims);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const float *)floats + i, sizeof bits);
        bits &= 0x7fffffff; /* the sign of a NaN says nothing */
        if (bits == (unset_float | quiet_float))
            numbers[i] += 0.0;
        else if (bits == never_set_float || bits == never_set_by_clang)
            numbers[i] = 1e300;
        else if (bits != unset_float)
            numbers[i] = (double)((const float *)floats)[i];
    }
    return numbers;
}

void matrix_free_all(void) {
    while (all) {
        struct entry *next = all->next;
        free(all->elements);
        free(all);
        all = next;
    }
}

void *fill(int count, double value, void *x) {
    double *numbers = x;
    for (int i = 0; i < count; i++)
        numbers[i] = value;
    return x;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffffffffffffu; /* the sign of a NaN says nothing */
}

bool is_unset(double x) {
    return bits_of(x) == unset_bits;
}

bool is_made_of_unset(double x) {
    return bits_of(x) >> 32 == (unset_bits | quiet_bit) >> 32; /* the rest may have been written */
}

bool is_partly_set(double x) {
    return isnan(x) && !(bits_of(x) & quiet_bit) && !is_unset(x);
}

bool is_never_set(double x) {
    return bits_of(x) == 0x7fffffffffffffffu || (isfinite(x) && fabs(x) > 1e290);
}

static bool has_name(struct entry *const entries[], int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i]->name, name) == 0)
            return true;
    return false;
}

void matrix_each_before(const void *before,
                        void (*show)(const char *name, struct dims dims, const double *numbers)) {
    struct entry *order[64];
    int count = 0;
    struct entry *e = all;
    while (before && e && e->elements != before)
        e = e->next;
    for (e = before && e ? e->next : e; e && count < 64; e = e->next)
        if (!has_name(order, count, e->name))
            order[count++] = e;
    for (int i = count - 1; i >= 0; i--) {
        e = order[i];
        const int *size = e->dims.size;
        show(e->name, e->dims,
             e->size == sizeof(bool)    ? mask_numbers(e->name, size[0], size[1], e->elements)
             : e->size == sizeof(float) ? widened(e->name, e->dims, e->elements)
                                        : e->elements);
    }
}

bool matrix_at(const void *address, struct matrix_place *place) {
    const uintptr_t reach = 4096; /* how far past an end still counts as "next to" */
    uintptr_t best = reach, at = (uintptr_t)address;
    for (struct entry *e = all; e; e = e->next) {
        uintptr_t first = (uintptr_t)e->elements;
        uintptr_t end = first + e->bytes;
        uintptr_t distance = at < first ? first - at : at >= end ? at - end + 1 : 0;
        if (distance >= best)
            continue;
        best = distance;
        long size = (long)e->size;
        long bytes = at < first ? -((long)(first - at) + size - 1) : (long)(at - first);
        *place = (struct matrix_place){e->name, e->dims, bytes / size};
    }
    return best < reach;
}

static bool take_whole(const struct entry *e, struct matrix_whole *whole) {
    if (e)
        *whole = (struct matrix_whole){e->name, e->dims, e->size, e->elements};
    return e;
}

bool matrix_around(const void *address, struct matrix_whole *whole) {
    const struct entry *e = all;
    while (e && (uintptr_t)address - (uintptr_t)e->elements >= e->bytes)
        e = e->next;
    return take_whole(e, whole);
}

bool matrix_named(const char *name, struct matrix_whole *whole) {
    const struct entry *e = all;
    while (e && strcmp(e->name, name) != 0)
        e = e->next;
    return take_whole(e, whole);
}

bool matrix_begins(const void *address) {
    for (struct entry *e = all; e; e = e->next)
        if (e->elements == address || (const void *)e == address)
            return true;
    return false;
}
