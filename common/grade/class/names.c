/* Makes names of others readable. Each character is decoded; what is invisible or no UTF-8 is
   replaced by escapes, and so is a backslash that would look like one. */
#include "grade/class/names.h"

#include "base/utf8.h"

#include <string.h>

enum { LONGEST = 100 }; /* bytes of a file's name */

/* Adds the words; none of the `spared` characters is escaped. */
static void add_seen(struct text *text, const char *words, size_t length, const char *spared) {
    const char *end = words + length;
    size_t bytes;
    for (const char *at = words, *next = words; at < end; at = next) {
        unsigned long code = utf8_next(&next, end, &bytes);
        bool mistaken = at[0] == '\\' && at[1] == 'x'; /* for an escape */
        if (strchr(spared, at[0]) || (bytes > 0 && !is_unseen(code) && !mistaken))
            text_add(text, at, bytes);
        else
            for (; at < next; at++)
                text_print(text, "\\x%02x", (unsigned char)*at);
    }
}

/* A blank at an end would not be seen. */
char *shown_name(const char *name) {
    size_t length = strlen(name);
    bool begins = name[0] == ' ', ends = length > 1 && name[length - 1] == ' ';
    struct text text = {0};
    text_add(&text, "\\x20", begins ? 4 : 0);
    add_seen(&text, name + begins, length - begins - ends, "");
    text_add(&text, "\\x20", ends ? 4 : 0);
    return text.chars;
}

char *shown_lines(const char *lines) {
    struct text text = {0};
    text_add(&text, "", 0);
    add_seen(&text, lines, strlen(lines), "\\\n\t");
    return text.chars;
}

/* Letters of other scripts stay. */
char *file_name(const char *shown) {
    size_t length = strlen(shown);
    if (length > LONGEST)
        for (length = LONGEST; ((unsigned char)shown[length] & 0xC0) == 0x80;)
            length--; /* between two characters */
    char *name = string_of("%s%.*s", strchr(".-", shown[0]) ? "_" : "", (int)length, shown);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c) &&
            (unsigned char)*c < 0x80)
            *c = '_';
    return name;
}

int columns_of(const char *shown) {
    int columns = 0;
    for (; *shown; shown++)
        columns += ((unsigned char)*shown & 0xC0) != 0x80;
    return columns;
}
