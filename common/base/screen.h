/* What the tutor writes: as wide as the terminal, but at most 80 columns, and colour only where it
   is wanted. */
#pragma once

enum colour { PLAIN, BOLD, DIM, GREEN, RED, YELLOW };

/* Decides once whether to use colour: a terminal, and no NO_COLOR. */
void screen_start(void);

/* printf in a colour. A line that is too wide is broken at a space, and goes on a bit further in.
 */
void say(enum colour colour, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints these words to standard error after a second; NULL cancels that. */
void say_in_a_second(const char *words);

/* How many lines were written so far, and how wide they may be. */
int screen_lines(void);
int screen_width(void);

/* How many lines `print` would write. */
int screen_count(void (*print)(void *context), void *context);

/* A paragraph, broken at spaces, each line indented; ends its last line. */
void say_paragraph(enum colour colour, int indent, const char *text);

/* The same, for a line that has its first `indent` columns already. */
void say_hanging(enum colour colour, int indent, const char *text);

/* A line that keeps its blanks, cut off if it is too wide. */
void say_cut(const char *line);

/* A text as it is, of any length; its lines do not count. */
void say_raw(const char *text);

/* [####----] over the whole width, with a line end. */
void say_bar(int done, int total);

/* `left` and `right` at the two ends of a line. */
void say_ends(const char *left, const char *right);

/* A terminal of 80 columns and 24 lines, of which make's last words and the prompt take two. */
enum { WIDTH = 78, HEIGHT = 22 };
