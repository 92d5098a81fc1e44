/* Strings that grow, and what the tutor does with lines of text. The tools run for seconds and end,
   so nothing that they allocate is ever freed. Only a loop without end needs text_free(). */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *chars; /* always ends in '\0'; NULL while empty */
    size_t length;
};

void text_add(struct text *text, const char *chars, size_t length);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_of(const struct text *text); /* "" while empty */
void text_free(struct text *text);

/* The size of a buffer for a C name. A longer name is refused, never cut. */
enum { NAME_SIZE = 256 };

/* Reads a whole file. False, with an empty text, if it cannot be read or is a pipe. */
bool text_read_file(struct text *text, const char *path);

/* Copies the line at *from into `line` without its end, cut to size; moves *from past it. */
bool next_line(const char **from, char *line, size_t size);

/* A paragraph that starts in `line` after `skip` characters and continues in the lines at *from, up
   to an empty line or one that begins something else: a heading, an item, an "After:". */
void text_paragraph(struct text *paragraph, const char *line, size_t skip, const char **from);

/* Prints a line to standard error, and ends the program with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool starts_with(const char *text, const char *start);
bool ends_with(const char *text, const char *end);

/* The array with space for one more thing of that size. Ends the program if there is no memory. */
void *with_room(void *array, int count, size_t size);

/* A path, or another string, made with printf. */
char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
