/* Writes a small random model and its tokenizer, for the suite story:
   small_model FOLDER D_MODEL D_FF LAYERS HEADS KEY_HEADS LONGEST SHARED */
#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* After "unknown", BOS, EOS and the single bytes. */
static const char *const pieces[] = {
    " ",     "a",  "b",   "c",    "d",   "e",        "f",  "g",   "h",     "i",
    "k",     "l",  "m",   "n",    "o",   "p",        "r",  "s",   "t",     "u",
    "w",     "y",  ".",   ",",    "O",   "\xC3\xA9", "th", "he",  "the",   " the",
    "an",    " a", " an", "nd",   "and", " and",     "on", "ce",  "On",    "Once",
    " Once", "ti", "me",  "time", " t",  " time",    "up", " up", " upon", "po",
};
enum { PIECES = sizeof pieces / sizeof *pieces, VOCABULARY = 259 + PIECES };

static FILE *create(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    return file;
}

static void put_number(FILE *file, int32_t number) {
    fwrite(&number, sizeof number, 1, file);
}

static void put_token(FILE *file, float score, const char *text) {
    fwrite(&score, sizeof score, 1, file);
    put_number(file, (int32_t)strlen(text));
    fwrite(text, strlen(text), 1, file);
}

static void write_tokenizer(const char *folder) {
    FILE *file = create(folder, "tokenizer.bin");
    put_number(file, 10);
    for (int i = 0; i < 259; i++) {
        char name[16];
        snprintf(name, sizeof name, i < 3 ? "<%d>" : "<0x%02X>", i < 3 ? i : i - 3);
        put_token(file, 0.0f, name);
    }
    for (int i = 0; i < PIECES; i++)
        put_token(file, (float)-i, pieces[i]);
    fclose(file);
}

static void put_random(FILE *file, struct random *r, double mean, double spread, long count) {
    for (long i = 0; i < count; i++) {
        const float number = (float)(mean + spread * random_normal(r));
        fwrite(&number, sizeof number, 1, file);
    }
}

int main(int argc, char **argv) {
    int size[7];
    for (int i = 0; i < 7 && argc == 9; i++)
        size[i] = atoi(argv[i + 2]);
    if (argc != 9)
        return 2;
    const long d = size[0], d_ff = size[1], layers = size[2], d_head = d / size[3];
    const long d_kv = size[4] * d_head, longest = size[5];
    struct random r = random_seed(16);
    FILE *file = create(argv[1], "model.bin");
    for (int i = 0; i < 5; i++)
        put_number(file, size[i]);
    put_number(file, size[6] ? VOCABULARY : -VOCABULARY);
    put_number(file, (int32_t)longest);
    put_random(file, &r, 0.0, 0.5, VOCABULARY * d);
    put_random(file, &r, 1.0, 0.1, layers * d);
    put_random(file, &r, 0.0, 0.2, layers * 2 * d * d_kv + layers * 2 * d * d);
    put_random(file, &r, 1.0, 0.1, layers * d);
    put_random(file, &r, 0.0, 0.2, layers * 3 * d * d_ff);
    put_random(file, &r, 1.0, 0.1, d);
    put_random(file, &r, 0.0, 0.0, longest * d_head);
    put_random(file, &r, 0.0, 0.5, size[6] ? 0 : VOCABULARY * d);
    fclose(file);
    write_tokenizer(argv[1]);
    return 0;
}
