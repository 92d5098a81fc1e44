/* Writes and reads the file of a trained network. Reading refuses a file of another version, of
   other sizes, or with a wrong checksum. */
#include "tasks/model_file.h"

#include "trainer.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 3 };
static const char magic[8] = "LOOKBACK";

/* What a file begins with. The numbers follow, and the checksum of all that. Nothing is filled up
   in between: MODEL_SIZES is even. */
struct head {
    char magic[8];
    uint32_t order; /* of the bytes: other machines see another number */
    uint32_t version;
    uint32_t sizes[MODEL_SIZES];
    uint64_t words, count;
};

/* FNV-1a, 64 bits. */
static uint64_t checksum(uint64_t sum, const void *bytes, size_t count) {
    for (const unsigned char *byte = bytes; count > 0; byte++, count--)
        sum = (sum ^ *byte) * 0x100000001b3u;
    return sum;
}

static const uint64_t nothing = 0xcbf29ce484222325u;

uint64_t model_words(const struct task *task) {
    uint64_t sum = nothing;
    for (int w = 0; w < task->sources; w++)
        sum = checksum(sum, task->source[w], strlen(task->source[w]) + 1);
    for (int w = 0; w < task->targets; w++)
        sum = checksum(sum, task->target[w], strlen(task->target[w]) + 1);
    return sum;
}

uint64_t model_letters(const char *letters) {
    return checksum(nothing, letters, strlen(letters));
}

static struct head head_of(const struct model *m) {
    struct head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, magic, sizeof magic);
    head.order = 0x01020304;
    head.version = VERSION;
    for (int i = 0; i < MODEL_SIZES; i++)
        head.sizes[i] = (uint32_t)m->sizes[i];
    head.words = m->words;
    head.count = (uint64_t)m->count;
    return head;
}

static size_t bytes_of(const struct model *m) {
    return (size_t)m->count * sizeof(double);
}

static uint64_t checksum_of(const struct head *head, size_t bytes, const double *numbers) {
    return checksum(checksum(nothing, head, sizeof *head), numbers, bytes);
}

static bool write_parts(FILE *file, const struct model *m) {
    struct head head = head_of(m);
    uint64_t sum = checksum_of(&head, bytes_of(m), m->numbers);
    return fwrite(&head, sizeof head, 1, file) == 1 &&
           fwrite(m->numbers, bytes_of(m), 1, file) == 1 && fwrite(&sum, sizeof sum, 1, file) == 1;
}

/* Writes a new file first and renames it, so that readers and a power cut find the old one. */
bool model_save(const char *path, const struct model *m) {
    char beside[5000];
    snprintf(beside, sizeof beside, "%s.new", path);
    FILE *file = fopen(beside, "wb");
    bool written = file && write_parts(file, m);
    if (file)
        written = fclose(file) == 0 && written;
    if (written && rename(beside, path) == 0)
        return true;
    fprintf(stderr, "%s: cannot be written: %s\n", path, strerror(errno));
    remove(beside);
    return false;
}

/* Says what is wrong with the beginning of a file that has this many bytes; NULL if it is fine. */
static const char *wrong(const struct head *head, size_t bytes, const struct head *expected) {
    if (bytes < sizeof head->magic || memcmp(head->magic, magic, sizeof magic) != 0)
        return "is no model of this course";
    if (bytes < offsetof(struct head, sizes))
        return "is cut off";
    if (head->order != expected->order)
        return "comes from a machine that lays its bytes another way";
    if (head->version != VERSION)
        return "is of another version of the course";
    if (bytes < sizeof *head)
        return "is cut off";
    if (memcmp(head, expected, sizeof *head) != 0)
        return "was trained for another task, or with other sizes";
    return NULL;
}

static const char *read_numbers(FILE *file, const struct head *head, size_t bytes,
                                double *numbers) {
    uint64_t sum;
    if (fread(numbers, bytes, 1, file) != 1 || fread(&sum, sizeof sum, 1, file) != 1)
        return "is cut off";
    if (fgetc(file) != EOF || sum != checksum_of(head, bytes, numbers))
        return "is damaged: its checksum is not right";
    for (size_t i = 0; i < bytes / sizeof *numbers; i++)
        if (!isfinite(numbers[i]))
            return "holds numbers that are none";
    return NULL;
}

/* To a place of their own first. */
static const char *load(FILE *file, const struct model *m) {
    struct head head, expected = head_of(m);
    const char *why = wrong(&head, fread(&head, 1, sizeof head, file), &expected);
    if (why)
        return why;
    double *numbers = zeroes(bytes_of(m));
    why = read_numbers(file, &head, bytes_of(m), numbers);
    if (!why)
        memcpy(m->numbers, numbers, bytes_of(m));
    free(numbers);
    return why;
}

bool model_load(const char *path, const struct model *m) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    const char *why = load(file, m);
    fclose(file);
    if (why)
        fprintf(stderr, "%s %s.\n", path, why);
    return !why;
}
