/* Strings that grow: room is always a power of two, so that adding is cheap, and a '\0' is always
   at the end. Running out of memory ends the program. */
#include "base/text.h"

#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(2);
}

/* Asks LeakSanitizer, by its own name for that, not to look for what is never freed. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return 1;
}

static void *grown(void *memory, size_t size) {
    memory = realloc(memory, size);
    if (!memory)
        die("out of memory");
    return memory;
}

void text_add(struct text *text, const char *chars, size_t length) {
    size_t room = 16; /* the least power of two that holds all letters and a '\0' */
    while (room <= text->length + length)
        room *= 2;
    if (!text->chars || (room > 16 && room / 2 > text->length))
        text->chars = grown(text->chars, room);
    memcpy(text->chars + text->length, chars, length);
    text->length += length;
    text->chars[text->length] = '\0';
}

/* An argument may be part of the text itself, so it is printed into a new one. */
static void print(struct text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length <= 0)
        return;
    char *printed = grown(NULL, (size_t)length + 1);
    vsnprintf(printed, (size_t)length + 1, format, arguments);
    text_add(text, printed, (size_t)length);
}

void text_print(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(text, format, arguments);
    va_end(arguments);
}

const char *text_of(const struct text *text) {
    return text->chars ? text->chars : "";
}

bool text_read_file(struct text *text, const char *path) {
    char part[1 << 15];
    size_t length;
    struct stat about;
    *text = (struct text){NULL, 0};
    if (stat(path, &about) == 0 && S_ISFIFO(about.st_mode)) /* reading would wait for a writer */
        return false;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        text_add(text, part, length);
    bool whole = !ferror(file);
    fclose(file);
    return whole;
}

const char *file_text(const char *path) {
    struct text text;
    text_read_file(&text, path);
    return text_of(&text);
}

char *next_line(const char **from) {
    const char *start = *from;
    const char *end = start + strcspn(start, "\n");
    if (!*start)
        return NULL;
    *from = end + (*end == '\n');
    return copy_of(start, end);
}

const char *trimmed(const char *text) {
    char *kept = path_of("%s", text + strspn(text, " \t\r\n"));
    for (size_t n = strlen(kept); n > 0 && isspace((unsigned char)kept[n - 1]);)
        kept[--n] = '\0';
    return kept;
}

const char *paragraph_of(const char *line, const char **from) {
    struct text paragraph = {0};
    text_print(&paragraph, "%s", line);
    for (const char *ahead = *from, *next; (next = next_line(&ahead)); *from = ahead) {
        if (!next[0] || strchr("#-<", next[0]) || starts_with(next, "After:") ||
            (isdigit((unsigned char)next[0]) && next[1] == '.'))
            break;
        text_print(&paragraph, " %s", next + strspn(next, " "));
    }
    return text_of(&paragraph);
}

bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool ends_with(const char *text, const char *end) {
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

const char *part_of(const char *text, const char *pattern, int n) {
    regex_t regex;
    regmatch_t parts[8];
    if (regcomp(&regex, pattern, REG_EXTENDED) != 0)
        die("not a pattern: %s", pattern);
    bool matches = regexec(&regex, text, 8, parts, 0) == 0;
    regfree(&regex);
    return !matches             ? NULL
           : parts[n].rm_so < 0 ? ""
                                : copy_of(text + parts[n].rm_so, text + parts[n].rm_eo);
}

char *copy_of(const char *from, const char *to) {
    return path_of("%.*s", (int)(to - from), from);
}

char *path_of(const char *format, ...) {
    struct text text = {0};
    va_list arguments;
    text_add(&text, "", 0);
    va_start(arguments, format);
    print(&text, format, arguments);
    va_end(arguments);
    return text.chars;
}

/* It doubles whenever the count is a power of two. */
void *with_room(void *array, int count, size_t size) {
    return count & (count - 1) ? array : grown(array, size * (count > 0 ? 2 * (size_t)count : 1));
}

/* --- UTF-8 ---------------------------------------------------------------------------------- */

/* Strictly: no overlong forms, no surrogates. A byte that begins no character counts as one of
   Latin-1. */
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

/* Control characters, separators of lines, marks of direction, and characters without width. */
static bool is_unseen(unsigned long code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF0 && code <= 0xFFFB) || code >= 0xE0000 || (code & 0xFFFE) == 0xFFFE;
}

void text_add_readable(struct text *to, const char *from, size_t length, const char *kept) {
    size_t bytes;
    for (const char *at = from, *next = from; at < from + length; at = next) {
        unsigned long code = utf8_next(&next, from + length, &bytes);
        if (*at == '\r' && next < from + length && *next == '\n')
            continue;
        if ((*at && strchr(kept, *at)) || (bytes > 0 && !is_unseen(code)))
            text_add(to, at, bytes);
        else if (*at == '\t' || *at == '\n')
            text_add(to, " ", 1);
        else if (is_unseen(code))
            text_print(to, "<U+%04lX>", code);
        else
            text_print(to, "%c%c", (int)(0xC0 | code >> 6), (int)(0x80 | (code & 0x3F)));
    }
}
