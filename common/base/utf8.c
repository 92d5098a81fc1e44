/* Decodes UTF-8 strictly: no overlong forms, no surrogates. A byte that begins no character counts
   as one of Latin-1. */
#include "base/utf8.h"

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

unsigned long utf8_next(const char **at, const char *end, size_t *bytes) {
    unsigned long code = decode((const unsigned char *)*at, (size_t)(end - *at), bytes);
    *at += *bytes > 0 ? *bytes : 1;
    return code;
}

bool is_unseen(unsigned long code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF0 && code <= 0xFFFB) || code >= 0xE0000 || (code & 0xFFFE) == 0xFFFE;
}

void text_add_readable(struct text *to, const char *from, size_t length, char end) {
    size_t bytes;
    for (const char *at = from, *next = from; at < from + length; at = next) {
        unsigned long code = utf8_next(&next, from + length, &bytes);
        bool blank = *at == '\t' || *at == '\n', seen = bytes > 0 && !is_unseen(code);
        text_add(to, seen || *at == end ? at : blank ? " " : "?", seen ? bytes : 1);
    }
}
