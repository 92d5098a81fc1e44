#include "matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    const char *name;
    int layers; /* 0 unless it is a block; then its rows are those of all layers */
    int rows;   /* 0 for a vector */
    int cols;
    size_t size; /* of an element: of a double, or of a bool in a mask */
    void *elements;
};

static struct entry *all;

/* A signalling NaN with a payload. Any arithmetic makes it a quiet one, and keeps the payload. */
static const uint64_t unset_bits = 0x7ff010c0bacc0000u, quiet_bit = 0x0008000000000000u;

/* No bool holds this: whoever reads it as one is stopped by the sanitizer. */
enum { unset_cell = 0xa5 };

_Static_assert(sizeof(bool) == 1, "a cell of a mask is one byte");

static size_t count_of(const struct entry *e) {
    return (size_t)(e->rows ? e->rows : 1) * (size_t)e->cols;
}

static void *new_entry(const char *name, int rows, int cols, size_t size) {
    struct entry *e = malloc(sizeof *e);
    struct entry made = {all, name, 0, rows, cols, size, NULL};
    if (cols >= 1)
        made.elements = malloc(count_of(&made) * size);
    if (!e || !made.elements) {
        fprintf(stderr, "no room for %s: %d x %d\n", name, rows, cols);
        exit(2);
    }
    *e = made;
    all = e;
    return e->elements;
}

static void *new_numbers(const char *name, int rows, int cols) {
    double *numbers = new_entry(name, rows, cols, sizeof *numbers);
    for (size_t i = 0; i < count_of(all); i++)
        memcpy(&numbers[i], &unset_bits, sizeof unset_bits);
    return numbers;
}

static void check_rows(const char *name, int rows, int cols) {
    if (rows < 1) {
        fprintf(stderr, "no room for %s: %d x %d\n", name, rows, cols);
        exit(2);
    }
}

void *matrix_new(const char *name, int rows, int cols) {
    check_rows(name, rows, cols);
    return new_numbers(name, rows, cols);
}

void *vector_new(const char *name, int n) {
    return new_numbers(name, 0, n);
}

void *block_new(const char *name, int a, int b, int c) {
    void *numbers = matrix_new(name, a * b, c);
    all->layers = a;
    return numbers;
}

void *matrix_copy(const char *name, int rows, int cols, const void *numbers) {
    size_t bytes = (size_t)rows * (size_t)cols * sizeof(double);
    return memcpy(matrix_new(name, rows, cols), numbers, bytes);
}

void *vector_copy(const char *name, int n, const void *numbers) {
    return memcpy(vector_new(name, n), numbers, (size_t)n * sizeof(double));
}

void *mask_new(const char *name, int rows, int cols) {
    check_rows(name, rows, cols);
    unsigned char *cells = new_entry(name, rows, cols, sizeof(bool));
    return memset(cells, unset_cell, count_of(all) * sizeof(bool));
}

void *mask_copy(const char *name, int rows, int cols, const void *cells) {
    void *copy = mask_new(name, rows, cols);
    return memcpy(copy, cells, count_of(all) * sizeof(bool));
}

void *mask_numbers(const char *name, int rows, int cols, const void *mask) {
    const unsigned char *cells = mask;
    double *numbers = matrix_new(name, rows, cols);
    for (int i = 0; i < rows * cols; i++)
        if (cells[i] != unset_cell)
            numbers[i] = cells[i];
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
    return bits_of(x) == (unset_bits | quiet_bit);
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
                        void (*show)(const char *name, int rows, int cols, const double *numbers)) {
    struct entry *order[64];
    int count = 0;
    struct entry *e = all;
    while (e && e->elements != before)
        e = e->next;
    for (e = e ? e->next : NULL; e && count < 64; e = e->next)
        if (!has_name(order, count, e->name))
            order[count++] = e;
    for (int i = count - 1; i >= 0; i--) {
        e = order[i];
        bool mask = e->size != sizeof(double);
        show(e->name, e->rows, e->cols,
             mask ? mask_numbers(e->name, e->rows, e->cols, e->elements) : e->elements);
    }
}

bool matrix_at(const void *address, struct matrix_place *place) {
    const uintptr_t reach = 4096; /* how far past an end still counts as "next to" */
    uintptr_t best = reach, at = (uintptr_t)address;
    for (struct entry *e = all; e; e = e->next) {
        uintptr_t first = (uintptr_t)e->elements, end = first + count_of(e) * e->size;
        uintptr_t distance = at < first ? first - at : at >= end ? at - end + 1 : 0;
        if (distance >= best)
            continue;
        best = distance;
        long size = (long)e->size;
        long bytes = at < first ? -((long)(first - at) + size - 1) : (long)(at - first);
        int rows = e->layers ? e->rows / e->layers : e->rows;
        *place = (struct matrix_place){e->name, e->layers, rows, e->cols, bytes / size};
    }
    return best < reach;
}

bool matrix_begins(const void *address) {
    for (struct entry *e = all; e; e = e->next)
        if (e->elements == address || (const void *)e == address)
            return true;
    return false;
}
