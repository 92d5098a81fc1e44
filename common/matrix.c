#include "matrix.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    const char *name;
    int rows; /* 0 for a vector */
    int cols;
    double *numbers;
};

static struct entry *all;

/* A signalling NaN with a payload. Any arithmetic makes it a quiet one, and keeps the payload. */
static const uint64_t unset_bits = 0x7ff010c0bacc0000u, quiet_bit = 0x0008000000000000u;

static size_t count_of(const struct entry *e) {
    return (size_t)(e->rows ? e->rows : 1) * (size_t)e->cols;
}

static double *new_entry(const char *name, int rows, int cols) {
    struct entry *e = malloc(sizeof *e);
    size_t count = (size_t)(rows ? rows : 1) * (size_t)cols;
    double *numbers = malloc(count * sizeof *numbers);
    if (!e || !numbers || cols < 1) {
        fprintf(stderr, "no room for %s: %d x %d\n", name, rows, cols);
        exit(2);
    }
    *e = (struct entry){all, name, rows, cols, numbers};
    all = e;
    for (size_t i = 0; i < count; i++)
        memcpy(&numbers[i], &unset_bits, sizeof unset_bits);
    return numbers;
}

void *matrix_new(const char *name, int rows, int cols) {
    if (rows < 1) {
        fprintf(stderr, "no room for %s: %d x %d\n", name, rows, cols);
        exit(2);
    }
    return new_entry(name, rows, cols);
}

void *vector_new(const char *name, int n) {
    return new_entry(name, 0, n);
}

void *matrix_copy(const char *name, int rows, int cols, const void *numbers) {
    size_t bytes = (size_t)rows * (size_t)cols * sizeof(double);
    return memcpy(matrix_new(name, rows, cols), numbers, bytes);
}

void *vector_copy(const char *name, int n, const void *numbers) {
    return memcpy(vector_new(name, n), numbers, (size_t)n * sizeof(double));
}

void matrix_free_all(void) {
    while (all) {
        struct entry *next = all->next;
        free(all->numbers);
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
    while (e && e->numbers != before)
        e = e->next;
    for (e = e ? e->next : NULL; e && count < 64; e = e->next)
        if (!has_name(order, count, e->name))
            order[count++] = e;
    for (int i = count - 1; i >= 0; i--)
        show(order[i]->name, order[i]->rows, order[i]->cols, order[i]->numbers);
}

bool matrix_at(const void *address, struct matrix_place *place) {
    const uintptr_t reach = 4096; /* how far past an end still counts as "next to" */
    uintptr_t best = reach, at = (uintptr_t)address;
    for (struct entry *e = all; e; e = e->next) {
        uintptr_t first = (uintptr_t)e->numbers, end = first + count_of(e) * sizeof(double);
        uintptr_t distance = at < first ? first - at : at >= end ? at - end + 1 : 0;
        if (distance >= best)
            continue;
        best = distance;
        long bytes = at < first ? -(long)(first - at + 7) : (long)(at - first);
        *place = (struct matrix_place){e->name, e->rows, e->cols, bytes / (long)sizeof(double)};
    }
    return best < reach;
}
