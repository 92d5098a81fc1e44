#include "vocabulary.h"

#include "trainer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The file -------------------------------------------------------------------------------- */

/* Reads a whole file. NULL without it, after saying why. */
static char *whole_file(const char *path, size_t *bytes) {
    enum { MOST = 1 << 27 };
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0 && ftell(file) < MOST) {
        *bytes = (size_t)ftell(file);
        data = zeroes(*bytes + 1);
        rewind(file);
        if (fread(data, 1, *bytes, file) != *bytes) {
            free(data);
            data = NULL;
        }
    }
    if (!data)
        fprintf(stderr, "%s, the tokenizer's file, cannot be read: %s.\n", path,
                file ? "it is not a file of a sensible size" : strerror(errno));
    if (file)
        fclose(file);
    return data;
}

static bool refuse(const char *path, const char *why) {
    fprintf(stderr, "%s is not the file of a tokenizer for this model: %s.\n", path, why);
    return false;
}

/* After the length of the longest text, each token has its score, its length and its text. */
static bool find_texts(const char *path, char *data, size_t bytes, struct vocabulary *v) {
    size_t at = sizeof(int32_t), to = 0;
    for (int i = 0; i < v->count; i++) {
        int32_t length;
        if (bytes - at < sizeof(float) + sizeof length)
            return refuse(path, "it ends too early");
        memcpy(&v->score[i], data + at, sizeof(float));
        memcpy(&length, data + at + sizeof(float), sizeof length);
        at += sizeof(float) + sizeof length;
        if (length < 0 || (size_t)length > bytes - at || !isfinite(v->score[i]))
            return refuse(path, "it is cut off, or another kind of file");
        memmove(data + to, data + at, (size_t)length);
        v->start[i] = to;
        to += (size_t)length;
        at += (size_t)length;
    }
    v->start[v->count] = to;
    return at == bytes || refuse(path, "it has more tokens than the model");
}

/* --- Texts ----------------------------------------------------------------------------------- */

static struct piece text_of(const struct vocabulary *v, int word) {
    return (struct piece){v->texts + v->start[word], (int)(v->start[word + 1] - v->start[word])};
}

static int compare(struct piece a, struct piece b) {
    const int shorter = a.length < b.length ? a.length : b.length;
    const int order = shorter > 0 ? memcmp(a.text, b.text, (size_t)shorter) : 0;
    return order != 0 ? order : a.length - b.length;
}

static const struct vocabulary *compared; /* qsort() has no place for it */

static int by_text(const void *a, const void *b) {
    const int i = *(const int *)a, j = *(const int *)b;
    const int order = compare(text_of(compared, i), text_of(compared, j));
    return order != 0 ? order : i - j;
}

static int by_number(const void *a, const void *b) {
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* The first piece with this text, or -1. Single bytes are not searched, because some files have
   letters as their texts, and then a letter has two tokens. */
static int piece_with(const struct vocabulary *v, struct piece text) {
    int low = 0, high = v->pieces;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare(text_of(v, v->sorted[middle]), text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < v->pieces && compare(text_of(v, v->sorted[low]), text) == 0;
    return found ? v->sorted[low] : -1;
}

/* --- Pairs ----------------------------------------------------------------------------------- */

static void sort_pieces(struct vocabulary *v) {
    v->pieces = v->count - FIRST_PIECE;
    v->sorted = zeroes((size_t)(v->pieces + 1) * sizeof *v->sorted);
    for (int i = 0; i < v->pieces; i++)
        v->sorted[i] = FIRST_PIECE + i;
    compared = v;
    qsort(v->sorted, (size_t)v->pieces, sizeof *v->sorted, by_text);
}

static void add_pairs_of(struct vocabulary *v, int word) {
    const struct piece whole = text_of(v, word);
    for (int i = 1; i < whole.length && piece_with(v, whole) == word; i++) {
        const int left = piece_with(v, (struct piece){whole.text, i});
        const int right = piece_with(v, (struct piece){whole.text + i, whole.length - i});
        if (left < 0 || right < 0)
            continue;
        const int pair[3] = {left, right, word};
        memcpy(v->pairs[v->n_pairs++], pair, sizeof pair);
    }
}

static void find_pairs(struct vocabulary *v) {
    const size_t most = v->start[v->count]; /* a text has fewer splits than bytes */
    v->pairs = zeroes((most + 1) * sizeof *v->pairs);
    for (int word = FIRST_PIECE; word < v->count; word++)
        add_pairs_of(v, word);
    qsort(v->pairs, (size_t)v->n_pairs, sizeof *v->pairs, by_number);
}

bool vocabulary_read(const char *path, int count, struct vocabulary *v) {
    size_t bytes = 0;
    *v = (struct vocabulary){.count = count};
    char *data = whole_file(path, &bytes);
    if (!data)
        return false;
    if (bytes < sizeof(int32_t))
        return refuse(path, "it is empty");
    v->texts = data;
    v->start = zeroes((size_t)(count + 1) * sizeof *v->start);
    v->score = zeroes((size_t)count * sizeof *v->score);
    if (!find_texts(path, data, bytes, v))
        return false;
    sort_pieces(v);
    find_pairs(v);
    return true;
}

/* --- Tokens ---------------------------------------------------------------------------------- */

static bool continues(char letter) {
    return ((unsigned char)letter & 0xC0) == 0x80;
}

/* The length of the character at the beginning: in UTF-8 a character has 1 to 4 bytes. */
static int character_at(size_t length, const char *text) {
    int n = 1;
    while (n < 4 && (size_t)n < length && continues(text[n]))
        n++;
    return n;
}

/* A character is a piece if there is one, and otherwise its single bytes. */
static int spell(const struct vocabulary *v, size_t length, const char *text, int words[]) {
    int n = 0;
    for (size_t at = 0; at < length;) {
        const int bytes = character_at(length - at, text + at);
        const int piece = piece_with(v, (struct piece){text + at, bytes});
        for (int i = 0; i < bytes && piece < 0; i++)
            words[n++] = FIRST_BYTE + (unsigned char)text[at + (size_t)i];
        if (piece >= 0)
            words[n++] = piece;
        at += (size_t)bytes;
    }
    return n;
}

int tokens_of(const struct vocabulary *v, size_t length, const char *text, int words[]) {
    int *spelled = zeroes((length + 2) * sizeof *spelled), n = 0;
    const int space = piece_with(v, (struct piece){" ", 1});
    spelled[n++] = BOS;
    if (length > 0 && space >= 0)
        spelled[n++] = space;
    n += spell(v, length, text, spelled + n);
    n = merge_tokens(v->n_pairs, (const int(*)[3])v->pairs, v->count, v->score, n, spelled, words);
    free(spelled);
    return n;
}

struct piece spoken(const struct vocabulary *v, int before, int word) {
    static char bytes[256];
    if (word < FIRST_BYTE || word >= v->count)
        return (struct piece){"", 0};
    if (word < FIRST_PIECE) {
        char *text = &bytes[word - FIRST_BYTE];
        *text = (char)(word - FIRST_BYTE);
        return (struct piece){text, 1};
    }
    const struct piece text = text_of(v, word);
    const bool strips = before == BOS && text.length > 0 && text.text[0] == ' ';
    return (struct piece){text.text + strips, text.length - strips};
}
