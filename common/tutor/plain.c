#include "plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The character at `at`, of so many bytes; 0 bytes if it is no UTF-8. */
static unsigned long decode(const unsigned char *at, size_t left, size_t *bytes) {
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    *bytes = at[0] < 0x80       ? 1
             : at[0] >> 5 == 6  ? 2
             : at[0] >> 4 == 14 ? 3
             : at[0] >> 3 == 30 ? 4
                                : 0;
    if (*bytes < 2)
        return at[0];
    unsigned long code = at[0] & (0xFFU >> (*bytes + 1));
    for (size_t i = 1; i < *bytes; i++) {
        if (i >= left || at[i] >> 6 != 2) {
            *bytes = 0;
            return at[0];
        }
        code = code << 6 | (at[i] & 0x3FU);
    }
    if (code < least[*bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        *bytes = 0;
    return *bytes > 0 ? code : at[0];
}

/* Controls, separators of lines, marks of direction, and what has no width at all. */
static bool is_unseen(unsigned long code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF0 && code <= 0xFFFB) || code >= 0xE0000 || (code & 0xFFFE) == 0xFFFE;
}

static void print_character(unsigned long code, const unsigned char *at, size_t bytes,
                            const char *escape) {
    if (is_unseen(code))
        printf("%s<U%s+%04lX%s>", escape, escape, code, escape);
    else if (bytes == 0)
        printf("%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
    else
        printf("%s%.*s", code < 0x80 && ispunct((int)code) ? escape : "", (int)bytes,
               (const char *)at);
}

static void print_all(const char *chars, size_t length, const char *escape) {
    const unsigned char *at = (const unsigned char *)chars, *end = at + length;
    while (at < end) {
        size_t bytes;
        unsigned long code = decode(at, (size_t)(end - at), &bytes);
        if (!*escape && (code == '\n' || code == '\t'))
            putchar((int)code);
        else if (code != '\r' || at + 1 == end || at[1] != '\n')
            print_character(code, at, bytes, escape);
        at += bytes > 0 ? bytes : 1;
    }
}

void plain_print(const char *chars) {
    print_all(chars, strlen(chars), "\\");
}

static int longest_fence(const struct text *text) {
    int longest = 2, run = 0;
    for (size_t i = 0; i < text->length; i++) {
        char c = text->chars[i];
        run = c == '~' || c == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void print_fence(int length) {
    while (length-- > 0)
        putchar('~');
}

void plain_print_block(const char *class, const struct text *text) {
    int length = longest_fence(text) + 1;
    print_fence(length);
    printf(" {.%s}\n", class);
    print_all(text->chars, text->length, "");
    if (!ends_with(text_of(text), "\n"))
        putchar('\n');
    print_fence(length);
    puts("\n");
}

bool plain_is_too_large(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size <= PLAIN_MOST_BYTES)
        return false;
    plain_print(path);
    printf(" is not shown: it has %lld bytes, and nobody reads more than %d.\n\n",
           (long long)about.st_size, PLAIN_MOST_BYTES);
    return true;
}

bool plain_print_file(const char *class, const char *path) {
    struct text text;
    if (plain_is_too_large(path))
        return true;
    bool good = text_read_file(&text, path);
    if (good)
        plain_print_block(class, &text);
    text_free(&text);
    return good;
}
