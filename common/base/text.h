/* Strings that grow, and what the tutor does with lines of text. The tools run for seconds and end,
   so nothing that they allocate is ever freed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *chars; /* always ends in '\0'; NULL while empty */
    size_t length;
};

void text_add(struct text *text, const char *chars, size_t length);
void text_print(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_of(const struct text *text); /* "" while empty */

/* The size of a buffer for a C name. A longer name is refused, never cut. */
enum { NAME_SIZE = 256 };

/* Reads a whole file. False, with an empty text, if it cannot be read or is a pipe. */
bool text_read_file(struct text *text, const char *path);

/* The same as a string; "" if it cannot be read. */
const char *file_text(const char *path);

/* A copy of the line at *from, without its end; NULL at the end of the text. Moves *from past it.
 */
char *next_line(const char **from);

/* A copy without the blanks and line ends around it. */
const char *trimmed(const char *text);

/* A paragraph that starts with `line` and continues in the lines at *from, up to an empty line or
   one that begins something else: a heading, an item, an "After:". */
const char *paragraph_of(const char *line, const char **from);

/* Prints a line to standard error, and ends the program with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool starts_with(const char *text, const char *start);
bool ends_with(const char *text, const char *end);

/* What the bracket number `n` of an extended regular expression matches in a text, or all of it
   (0);
   "" if the match does not need that bracket, and NULL if the text does not match. */
const char *part_of(const char *text, const char *pattern, int n);

/* The array with space for one more thing of that size. Ends the program if there is no memory. */
void *with_room(void *array, int count, size_t size);

/* What stands between two places, as a string of its own. */
char *copy_of(const char *from, const char *to);

/* A path, or another string, made with printf. */
char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Decodes the character at *at, of a text up to `end`, and moves *at after it. Sets its length in
   bytes. The length is 0 for a byte that is not UTF-8: that byte is its number, and is passed. */
unsigned long utf8_next(const char **at, const char *end, size_t *bytes);

/* Adds foreign text, so that it controls neither a terminal nor a page. Control characters, marks
   of direction and the like are shown by their numbers, and a tab or the end of a line as a space,
   unless they are in `kept`; the \r of a line end is left out. A byte that is not UTF-8 is shown as
   the Latin-1 character. */
void text_add_readable(struct text *to, const char *from, size_t length, const char *kept);
