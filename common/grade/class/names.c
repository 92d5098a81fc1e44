#include "grade/class/names.h"

#include "base/utf8.h"

#include <string.h>

/* Of `spared` characters none is escaped. */
static void add_seen(struct text *text, const char *words, const char *spared) {
    const unsigned char *at = (const unsigned char *)words, *end = at + strlen(words);
    while (at < end) {
        size_t bytes;
        unsigned long code = utf8_decode(at, (size_t)(end - at), &bytes);
        bool mistaken = at[0] == '\\' && at[1] == 'x'; /* for an escape */
        if (strchr(spared, at[0]) || (bytes > 0 && !is_unseen(code) && !mistaken)) {
            text_add(text, (const char *)at, bytes);
            at += bytes;
            continue;
        }
        for (bytes = bytes > 0 ? bytes : 1; bytes > 0; bytes--)
            text_print(text, "\\x%02x", *at++);
    }
}

/* A blank at an end would not be seen. */
void add_name(struct text *text, const char *name) {
    size_t length = strlen(name);
    bool begins = name[0] == ' ', ends = length > 1 && name[length - 1] == ' ';
    struct text inner = {0};
    text_add(&inner, name + begins, length - begins - ends);
    text_print(text, "%s", begins ? "\\x20" : "");
    add_seen(text, text_of(&inner), "");
    text_print(text, "%s", ends ? "\\x20" : "");
    text_free(&inner);
}

void add_lines(struct text *text, const char *lines) {
    add_seen(text, lines, "\\\n\t");
}

int columns_of(const char *shown) {
    int columns = 0;
    for (; *shown; shown++)
        columns += ((unsigned char)*shown & 0xC0) != 0x80;
    return columns;
}
