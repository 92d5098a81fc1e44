/* Within a line each punctuation mark is escaped, and a file becomes a block with a fence longer
   than any in it. */
#include "base/plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void print_character(unsigned long code, const char *at, size_t bytes, const char *escape) {
    if (is_unseen(code))
        printf("%s<U%s+%04lX%s>", escape, escape, code, escape);
    else if (bytes == 0)
        printf("%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
    else
        printf("%s%.*s", code < 0x80 && ispunct((int)code) ? escape : "", (int)bytes, at);
}

static void print_all(const char *chars, size_t length, const char *escape) {
    const char *end = chars + length;
    size_t bytes;
    for (const char *at = chars, *next = chars; at < end; at = next) {
        unsigned long code = utf8_next(&next, end, &bytes);
        if (!*escape && (code == '\n' || code == '\t'))
            putchar((int)code);
        else if (code != '\r' || next == end || *next != '\n')
            print_character(code, at, bytes, escape);
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

bool plain_is_too_large(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size <= PLAIN_MOST_BYTES)
        return false;
    plain_print(path);
    printf(" is not shown: it has %lld bytes, and nobody reads more than %d.\n\n",
           (long long)about.st_size, PLAIN_MOST_BYTES);
    return true;
}

bool plain_print_file(const char *class, const char *path, const char *given) {
    struct text text;
    if (plain_is_too_large(path))
        return true;
    if (!text_read_file(&text, path))
        return false;
    const bool is_cut = *given && ends_with(text_of(&text), given);
    if (is_cut)
        text.length -= strlen(given);
    int length = longest_fence(&text) + 1;
    print_fence(length);
    printf(" {.%s}\n", class);
    print_all(text.chars, text.length, "");
    if (!ends_with(text_of(&text), "\n"))
        putchar('\n');
    print_fence(length);
    puts(is_cut ? "\n\nThe rest of this file is given, and unchanged.\n" : "\n");
    return true;
}
