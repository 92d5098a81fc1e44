#include "page.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDEST_LINE = 78 };

/* The length in bytes of the UTF-8 character at the beginning. It is 0 for other bytes and for a
   control character. */
static int letter_at(int n, const char *text) {
    const unsigned char *c = (const void *)text;
    const int length = c[0] < 0x80 ? 1 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    if (length == 1)
        return c[0] >= ' ' && c[0] != 127;
    if (c[0] < 0xC2 || c[0] > 0xF4 || length > n)
        return 0;
    for (int i = 1; i < length; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    const int second = c[1];
    const int least = c[0] == 0xC2 || c[0] == 0xE0 ? 0xA0 : c[0] == 0xF0 ? 0x90 : 0x80;
    const int most = c[0] == 0xED ? 0x9F : c[0] == 0xF4 ? 0x8F : 0xBF;
    return second >= least && second <= most ? length : 0;
}

int clean_text(int n, const char *text, char *to) {
    int letters = 0;
    for (int at = 0; at < n; letters++) {
        const int length = letter_at(n - at, text + at);
        if (length == 0)
            *to++ = '?';
        for (int i = 0; i < length; i++)
            *to++ = text[at + i];
        at += length > 0 ? length : 1;
    }
    *to = '\0';
    return letters;
}

static void print_word(struct page *page) {
    char word[sizeof page->word + 1];
    const int letters = clean_text(page->held, page->word, word);
    if (letters == 0)
        return;
    if (page->column + page->spaces + letters > WIDEST_LINE && page->column > 0) {
        putchar('\n');
        page->column = page->spaces = 0;
    }
    printf("%*s%s", page->spaces, "", word);
    page->column += page->spaces + letters;
    page->spaces = page->held = 0;
}

/* A word longer than a line is broken, but not within a character. */
static bool is_full(const struct page *page, char next) {
    const bool begins = ((unsigned char)next & 0xC0) != 0x80;
    return page->held == (int)sizeof page->word || (page->held >= LONGEST_WORD && begins);
}

void page_add(struct page *page, int n, const char *text) {
    for (int i = 0; i < n; i++) {
        if (text[i] == ' ' || text[i] == '\n' || is_full(page, text[i]))
            print_word(page);
        if (text[i] == '\n') {
            putchar('\n');
            page->column = page->spaces = 0;
        } else if (text[i] == ' ') {
            page->spaces += page->spaces < LONGEST_WORD;
        } else {
            page->word[page->held++] = text[i];
        }
    }
    fflush(stdout);
}

void page_end(struct page *page) {
    print_word(page);
    if (page->column > 0)
        putchar('\n');
    *page = (struct page){0};
    fflush(stdout);
}
