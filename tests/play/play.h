/* What the programs here share: each computes natively what a page shows, and prints a line for
 * each number. */
#ifndef PLAY_H
#define PLAY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void show(const char *name, int count, const double *x) {
    for (int i = 0; i < count; i++)
        printf("%s %.17g\n", name, x[i]);
}
static inline void show_floats(const char *name, int count, const float *x) {
    for (int i = 0; i < count; i++)
        printf("%s %.17g\n", name, (double)x[i]);
}
/* Numbers that only the page can count. */
static inline void show_any(const char *name, int count) {
    for (int i = 0; i < count; i++)
        printf("%s -\n", name);
}

/* The random numbers of page.js: normal_from(seed). */
static inline double uniform(long long *seed) {
    *seed = *seed * 16807 % 2147483647;
    return (double)*seed / 2147483647;
}
static inline void fill_normal(long long *seed, int count, double factor, void *x) {
    double *numbers = x;
    for (int i = 0; i < count; i++) {
        double sum = -6;
        for (int k = 0; k < 12; k++)
            sum += uniform(seed);
        numbers[i] = factor * sum;
    }
}
static inline void fill_floats(long long *seed, int count, float *x) {
    for (int i = 0; i < count; i++) {
        double wide;
        fill_normal(seed, 1, 1, &wide);
        x[i] = (float)wide;
    }
}

/* Reads row `number` of a table that a run has kept, and its label. The first row is 0. */
static inline void read_row(const char *folder, const char *file, int number, char label[40],
                            int count, void *numbers) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *table = fopen(path, "r");
    for (int i = 0; table && i < number; i++)
        if (fscanf(table, "%*[^\n]%*c") < 0)
            break;
    if (!table || fscanf(table, "\"%39[^\"]\"", label) != 1)
        exit(2);
    for (int i = 0; i < count; i++)
        if (fscanf(table, "%lf", (double *)numbers + i) != 1)
            exit(2);
    fclose(table);
}
/* The row with that label. */
static inline int row_of(const char *folder, const char *file, const char *wanted) {
    char label[40] = "";
    int number = -1;
    while (strcmp(label, wanted) != 0)
        read_row(folder, file, ++number, label, 0, NULL);
    return number;
}
static inline void read_labelled(const char *folder, const char *file, const char *label, int count,
                                 void *numbers) {
    char same[40];
    read_row(folder, file, row_of(folder, file, label), same, count, numbers);
}

/* A table that is made up for the page, as a run would keep it. */
static inline FILE *make_table(const char *folder, const char *file) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *table = fopen(path, "w");
    if (!table)
        exit(2);
    return table;
}
static inline void make_row(FILE *table, const char *label, int count, double factor) {
    static long long seed = 3;
    double number;
    fprintf(table, "\"%s\"", label);
    for (int i = 0; i < count; i++) {
        fill_normal(&seed, 1, factor, &number);
        fprintf(table, " %.10g", number);
    }
    fputc('\n', table);
}

/* A network in a file, as common/nn/tasks/model_file.c leaves it, or made up for the page. */
enum { MODEL_HEAD = 64 };
static inline FILE *open_model(const char *folder, const char *file, const char *how) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    FILE *model = fopen(path, how);
    if (!model || fseek(model, MODEL_HEAD, SEEK_SET) != 0)
        exit(2);
    return model;
}
static inline double *read_model(const char *folder, const char *file, int count) {
    double *numbers = malloc(sizeof *numbers * (size_t)count);
    FILE *model = open_model(folder, file, "rb");
    if (fread(numbers, sizeof *numbers, (size_t)count, model) != (size_t)count)
        exit(2);
    fclose(model);
    return numbers;
}
static inline void make_model(const char *folder, const char *file, int count, double factor) {
    double *numbers = malloc(sizeof *numbers * (size_t)count);
    long long seed = 4;
    FILE *model = open_model(folder, file, "wb");
    fill_normal(&seed, count, factor, numbers);
    fwrite(numbers, sizeof *numbers, (size_t)count, model);
    fwrite(&seed, sizeof seed, 1, model); /* for a checksum */
    fclose(model);
    free(numbers);
}

#endif
