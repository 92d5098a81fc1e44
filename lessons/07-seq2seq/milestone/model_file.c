#include "model_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 2, SIZES = 6 };
static const char magic[8] = "LOOKBACK";

/* What a file begins with. The numbers follow, and the checksum of all that. */
struct model {
    char magic[8];
    uint32_t order; /* of the bytes: other machines see another number */
    uint32_t version;
    uint32_t sizes[SIZES]; /* an even number, so that nothing is filled up in between */
    uint64_t words;        /* the checksum of the task's words */
};

/* FNV-1a, 64 bits. */
static uint64_t checksum(uint64_t sum, const void *bytes, size_t count) {
    for (const unsigned char *byte = bytes; count > 0; byte++, count--)
        sum = (sum ^ *byte) * 0x100000001b3u;
    return sum;
}

static const uint64_t nothing = 0xcbf29ce484222325u;

static uint64_t checksum_of_words(const struct task *task) {
    uint64_t sum = nothing;
    for (int w = 0; w < task->sources; w++)
        sum = checksum(sum, task->source[w], strlen(task->source[w]) + 1);
    for (int w = 0; w < task->targets; w++)
        sum = checksum(sum, task->target[w], strlen(task->target[w]) + 1);
    return sum;
}

static void describe(const struct network *net, struct model *m) {
    const int sizes[SIZES] = {net->task->sources, net->task->targets, WORD, READER, HIDDEN,
                              (int)net->kind};
    memset(m, 0, sizeof *m);
    memcpy(m->magic, magic, sizeof magic);
    m->order = 0x01020304;
    m->version = VERSION;
    for (int i = 0; i < SIZES; i++)
        m->sizes[i] = (uint32_t)sizes[i];
    m->words = checksum_of_words(net->task);
}

static size_t bytes_of(const struct network *net) {
    return (size_t)net->weights.count * sizeof(double);
}

static uint64_t checksum_of(const struct model *m, const struct network *net) {
    return checksum(checksum(nothing, m, sizeof *m), net->weights.numbers, bytes_of(net));
}

static bool write_parts(FILE *file, const struct network *net) {
    struct model m;
    describe(net, &m);
    uint64_t sum = checksum_of(&m, net);
    return fwrite(&m, sizeof m, 1, file) == 1 &&
           fwrite(net->weights.numbers, bytes_of(net), 1, file) == 1 &&
           fwrite(&sum, sizeof sum, 1, file) == 1;
}

/* To a file beside it first: whoever reads it meanwhile, or pulls the plug, gets the old one. */
bool model_save(const char *path, const struct network *net) {
    char beside[5000];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "wb");
    bool written = file && write_parts(file, net);
    if (file)
        written = fclose(file) == 0 && written;
    if (written && rename(beside, path) == 0)
        return true;
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    remove(beside);
    return false;
}

/* What is wrong with the beginning of a file, of which so many bytes are there; NULL if nothing is.
 */
static const char *wrong(const struct model *m, size_t bytes, const struct model *expected) {
    if (bytes < sizeof m->magic || memcmp(m->magic, magic, sizeof magic) != 0)
        return "is no model of this course";
    if (bytes < offsetof(struct model, sizes))
        return "is cut off";
    if (m->order != expected->order)
        return "comes from a machine that lays its bytes another way";
    if (m->version != VERSION)
        return "is of another version of the course";
    if (bytes < sizeof *m)
        return "is cut off";
    if (memcmp(m, expected, sizeof *m) != 0)
        return "was trained for another task, or with other sizes";
    return NULL;
}

static const char *read_numbers(FILE *file, const struct model *m, const struct network *net) {
    uint64_t sum;
    if (fread(net->weights.numbers, bytes_of(net), 1, file) != 1 ||
        fread(&sum, sizeof sum, 1, file) != 1)
        return "is cut off";
    if (fgetc(file) != EOF || sum != checksum_of(m, net))
        return "is damaged: its checksum is not right";
    for (int i = 0; i < net->weights.count; i++)
        if (!isfinite(net->weights.numbers[i]))
            return "holds numbers that are none";
    return NULL;
}

/* Into a network of its own first. */
static const char *load(FILE *file, struct network *net) {
    struct model m, expected;
    struct network read = network_new(net->task, net->kind);
    describe(net, &expected);
    const char *why = wrong(&m, fread(&m, 1, sizeof m, file), &expected);
    if (!why)
        why = read_numbers(file, &m, &read);
    if (!why)
        network_copy(&read, net);
    network_free(&read);
    return why;
}

bool model_load(const char *path, struct network *net) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    const char *why = load(file, net);
    fclose(file);
    if (why)
        fprintf(stderr, "%s %s.\n", path, why);
    return !why;
}
