/* An independent tokenizer, for the suites story and story_real: it joins texts and looks for the
   result among all texts, where the course looks for pairs of numbers.

   tokens_check COUNT TOKENIZER OTHER TEXT...: writes to OTHER the same tokenizer as an older or
   newer program would write it, where single bytes have other texts. Then each line of the texts,
   and random bytes, have to get the same tokens from the course with both files, and from here. */
#include "milestone/vocabulary.h"

#include "random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 3000 };

static int count;
static char **texts;
static int *lengths, *sorted;
static float *scores;

/* --- The file -------------------------------------------------------------------------------- */

static void read_file(const char *path) {
    int32_t longest;
    FILE *file = fopen(path, "rb");
    texts = calloc((size_t)count, sizeof *texts);
    lengths = calloc((size_t)count, sizeof *lengths);
    scores = calloc((size_t)count, sizeof *scores);
    if (!file || fread(&longest, 4, 1, file) != 1)
        exit(1);
    for (int i = 0; i < count; i++) {
        if (fread(&scores[i], 4, 1, file) != 1 || fread(&lengths[i], 4, 1, file) != 1)
            exit(1);
        texts[i] = calloc(1, (size_t)lengths[i] + 1);
        if (fread(texts[i], 1, (size_t)lengths[i], file) != (size_t)lengths[i])
            exit(1);
    }
    fclose(file);
}

/* A single byte is spelled "<0x41>", or in older files as the character of that number. */
static int other_text(int word, char to[8]) {
    const int number = word - FIRST_BYTE;
    if (lengths[word] < 6)
        return snprintf(to, 8, "<0x%02X>", number);
    to[0] = (char)(number < 128 ? number : 0xC0 | number >> 6);
    to[1] = (char)(0x80 | (number & 0x3F));
    return number < 128 ? 1 : 2;
}

static void write_other(const char *path) {
    const int32_t longest = 27;
    FILE *file = fopen(path, "wb");
    if (!file)
        exit(1);
    fwrite(&longest, 4, 1, file);
    for (int i = 0; i < count; i++) {
        char text[8];
        const int is_byte = i >= FIRST_BYTE && i < FIRST_PIECE;
        const int length = is_byte ? other_text(i, text) : lengths[i];
        fwrite(&scores[i], 4, 1, file);
        fwrite(&length, 4, 1, file);
        fwrite(is_byte ? text : texts[i], 1, (size_t)length, file);
    }
    fclose(file);
}

/* --- Tokens ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const int i = *(const int *)a, j = *(const int *)b;
    const int n = lengths[i] < lengths[j] ? lengths[i] : lengths[j];
    const int order = memcmp(texts[i], texts[j], (size_t)n);
    return order ? order : lengths[i] != lengths[j] ? lengths[i] - lengths[j] : i - j;
}

static void sort_pieces(void) {
    sorted = calloc((size_t)count, sizeof *sorted);
    for (int i = FIRST_PIECE; i < count; i++)
        sorted[i - FIRST_PIECE] = i;
    qsort(sorted, (size_t)(count - FIRST_PIECE), sizeof *sorted, compare);
}

static int find(const char *text, int length) {
    int low = 0, high = count - FIRST_PIECE;
    while (low < high) {
        const int middle = (low + high) / 2, word = sorted[middle];
        const int n = lengths[word] < length ? lengths[word] : length;
        const int order = memcmp(texts[word], text, (size_t)n);
        if (order < 0 || (order == 0 && lengths[word] < length))
            low = middle + 1;
        else
            high = middle;
    }
    const int word = low < count - FIRST_PIECE ? sorted[low] : -1;
    return word >= 0 && lengths[word] == length && memcmp(texts[word], text, (size_t)length) == 0
               ? word
               : -1;
}

static int joined(int left, int right) {
    char both[200];
    if (left < FIRST_PIECE || right < FIRST_PIECE)
        return -1;
    memcpy(both, texts[left], (size_t)lengths[left]);
    memcpy(both + lengths[left], texts[right], (size_t)lengths[right]);
    return find(both, lengths[left] + lengths[right]);
}

static int spell(int length, const char *text, int words[]) {
    int n = 0;
    words[n++] = BOS;
    if (length > 0)
        words[n++] = find(" ", 1);
    for (int at = 0, bytes; at < length; at += bytes) {
        for (bytes = 1; bytes < 4 && at + bytes < length && (text[at + bytes] & 0xC0) == 0x80;)
            bytes++;
        const int word = find(text + at, bytes);
        for (int i = 0; i < bytes && word < 0; i++)
            words[n++] = FIRST_BYTE + (unsigned char)text[at + i];
        if (word >= 0)
            words[n++] = word;
    }
    return n;
}

static int merge(int n, int words[]) {
    for (;;) {
        int best = -1;
        for (int i = 0; i + 1 < n; i++)
            if (joined(words[i], words[i + 1]) >= 0 &&
                (best < 0 || scores[joined(words[i], words[i + 1])] >
                                 scores[joined(words[best], words[best + 1])]))
                best = i;
        if (best < 0)
            return n;
        words[best] = joined(words[best], words[best + 1]);
        memmove(&words[best + 1], &words[best + 2], sizeof(int) * (size_t)(n - best - 2));
        n--;
    }
}

/* --- The comparison -------------------------------------------------------------------------- */

static long tokens, lines;

static void check_line(const struct vocabulary vocabularies[2], int length, const char *text) {
    static int right[LINE + 2], found[LINE + 2];
    const int n = merge(spell(length, text, right), right);
    for (int i = 0; i < 2; i++)
        if (tokens_of(&vocabularies[i], (size_t)length, text, found) != n ||
            memcmp(found, right, sizeof(int) * (size_t)n) != 0) {
            printf("With file %d other tokens: %.*s\n", i, length, text);
            exit(1);
        }
    for (int i = 0; i < n; i++)
        tokens += right[i] > 0;
    lines++;
}

static void check_file(const struct vocabulary vocabularies[2], const char *path) {
    static char line[LINE];
    FILE *file = fopen(path, "rb");
    while (file && fgets(line, sizeof line, file))
        check_line(vocabularies, (int)strlen(line), line);
    if (file)
        fclose(file);
}

/* Any bytes, then those that begin or continue characters of UTF-8. */
static void check_random(const struct vocabulary vocabularies[2]) {
    static char line[LINE];
    struct random r = random_seed(8);
    for (int round = 0; round < 200; round++) {
        const int n = random_below(&r, 80), least = round % 2 ? 0 : 0x60;
        for (int i = 0; i < n; i++)
            line[i] = (char)(least + random_below(&r, 256 - least));
        check_line(vocabularies, n, line);
    }
}

int main(int argc, char **argv) {
    static struct vocabulary vocabularies[2];
    if (argc < 4)
        return 2;
    count = atoi(argv[1]);
    read_file(argv[2]);
    write_other(argv[3]);
    sort_pieces();
    for (int i = 0; i < 2; i++)
        if (!vocabulary_read(argv[2 + i], count, &vocabularies[i]))
            return 1;
    check_random(vocabularies);
    for (int i = 4; i < argc; i++)
        check_file(vocabularies, argv[i]);
    printf("%ld tokens of %ld lines\n", tokens, lines);
    return 0;
}
