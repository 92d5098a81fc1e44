#include "model_file.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, SIZES = 7 };
static const char magic[8] = "LOOKBACK";

struct model {
    char magic[8];
    uint32_t order; /* of the bytes: other machines see another number */
    uint32_t version;
    uint32_t sizes[SIZES + 1]; /* and one to spare, so that nothing is filled up in between */
    uint64_t words;            /* the checksum of the task's words */
    struct weights weights;
    uint64_t checksum; /* of everything above */
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
    const int sizes[SIZES] = {
        net->task->sources, net->task->targets, WORD, READER, HIDDEN, VOCABULARY, NUMBERS};
    memset(m, 0, sizeof *m);
    memcpy(m->magic, magic, sizeof magic);
    m->order = 0x01020304;
    m->version = VERSION;
    for (int i = 0; i < SIZES; i++)
        m->sizes[i] = (uint32_t)sizes[i];
    m->sizes[SIZES] = net->kind;
    m->words = checksum_of_words(net->task);
}

static uint64_t checksum_of(const struct model *m) {
    return checksum(nothing, m, offsetof(struct model, checksum));
}

static struct model *model_new(void) {
    struct model *m = malloc(sizeof *m);
    if (!m)
        fprintf(stderr, "There is no memory left for a model.\n");
    return m;
}

/* To a file beside it first: whoever reads it meanwhile, or pulls the plug, gets the old one. */
static bool write_whole(const char *path, const struct model *m) {
    char beside[5000];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "wb");
    bool written = file && fwrite(m, sizeof *m, 1, file) == 1;
    if (file)
        written = fclose(file) == 0 && written;
    if (written && rename(beside, path) == 0)
        return true;
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    remove(beside);
    return false;
}

bool model_save(const char *path, const struct network *net) {
    struct model *m = model_new();
    if (!m)
        return false;
    describe(net, m);
    m->weights = *net->weights;
    m->checksum = checksum_of(m);
    bool saved = write_whole(path, m);
    free(m);
    return saved;
}

/* What is wrong with a file of so many bytes, of which `m` are the first; NULL if nothing is. */
static const char *wrong(const struct model *m, size_t bytes, const struct model *expected) {
    if (bytes < sizeof m->magic || memcmp(m->magic, magic, sizeof magic) != 0)
        return "is no model of this course";
    if (bytes < offsetof(struct model, sizes))
        return "is cut off";
    if (m->order != expected->order)
        return "comes from a machine that lays its bytes another way";
    if (m->version != VERSION)
        return "is of another version of the course";
    if (bytes < offsetof(struct model, weights))
        return "is cut off";
    if (memcmp(m->sizes, expected->sizes, sizeof m->sizes) != 0 || m->words != expected->words)
        return "was trained for another task, or with other sizes";
    if (bytes < sizeof *m)
        return "is cut off";
    if (bytes > sizeof *m || m->checksum != checksum_of(m))
        return "is damaged: its checksum is not right";
    const double *numbers = (const double *)&m->weights;
    for (int i = 0; i < NUMBERS; i++)
        if (!isfinite(numbers[i]))
            return "holds numbers that are none";
    return NULL;
}

static const char *load(FILE *file, struct network *net) {
    struct model *m = model_new(), *expected = model_new();
    const char *why = "does not fit into memory";
    if (m && expected) {
        describe(net, expected);
        size_t bytes = fread(m, 1, sizeof *m, file);
        bytes += fgetc(file) != EOF;
        why = wrong(m, bytes, expected);
        if (!why)
            *net->weights = m->weights;
    }
    free(m);
    free(expected);
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
