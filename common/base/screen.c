/* Text at the terminal. All of it goes through say(), which adds colours if the terminal has them,
   counts the lines, and breaks a line at a space where it would be wider than the screen. */
#include "base/screen.h"

#include "base/text.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 38, OF_ITSELF = -1 };

static bool colourful;
static int width = WIDTH;
static int lines;            /* so far */
static int column, gap;      /* of the line that is being written, and the blanks after that */
static int hang = OF_ITSELF; /* where a broken line goes on; otherwise a bit further in */
static int start;            /* where this line began */
static bool counting;        /* nothing is printed */

/* As POSIX has it, COLUMNS comes before what the terminal says. */
static int width_of_terminal(void) {
    struct winsize size;
    const char *asked = getenv("COLUMNS");
    int columns = asked ? atoi(asked) : 0;
    if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns <= 0 || columns > WIDTH + 1 ? WIDTH
           : columns < NARROWEST + 2           ? NARROWEST
                                               : columns - 2;
}

void screen_start(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *force = getenv("FORCE_COLOR");
    bool terminal = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
    colourful = (terminal || (force && *force)) && !(no && *no);
    width = width_of_terminal();
}

int screen_lines(void) {
    return lines;
}

int screen_count(void (*print)(void *context), void *context) {
    const int before = lines;
    counting = true;
    print(context);
    counting = false;
    const int count = lines - before;
    lines = before;
    return count;
}

int screen_width(void) {
    return width;
}

static void end_line(void) {
    if (!counting)
        putchar('\n');
    lines++;
    column = gap = 0;
}

static void put_word(const char *word, size_t length) {
    if (column > 0 && gap > 0 && column + gap + (int)length > width) {
        end_line();
        gap = hang == OF_ITSELF ? start + 2 : hang;
    } else if (column == 0) {
        start = gap;
    }
    if (!counting)
        printf("%*s%.*s", gap, "", (int)length, word);
    column += gap + (int)length;
    gap = 0;
}

static void put(const char *text) {
    for (size_t length; *text; text += length) {
        length = strcspn(text, " \n");
        if (length > 0)
            put_word(text, length);
        else if (*text == '\n')
            end_line();
        else
            gap++;
        length += length == 0;
    }
}

void say(enum colour colour, const char *format, ...) {
    static const char *const codes[] = {"", "1", "2", "32", "31", "33"};
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const bool coloured = colourful && colour != PLAIN && !counting;
    if (coloured)
        printf("\033[%sm", codes[colour]);
    put(text);
    if (coloured)
        printf("\033[0m");
}

void say_paragraph(enum colour colour, int indent, const char *text) {
    if (!*text)
        return;
    say(PLAIN, "%*s", indent, "");
    say_hanging(colour, indent, text);
}

void say_hanging(enum colour colour, int indent, const char *text) {
    hang = indent;
    say(colour, "%s", text);
    hang = OF_ITSELF;
    say(PLAIN, "\n");
}

void say_cut(const char *line) {
    const bool wide = (int)strlen(line) > width;
    if (!counting)
        printf("%.*s%s", wide ? width - 3 : width, line, wide ? "..." : "");
    end_line();
}

void say_raw(const char *text) {
    if (!counting)
        fputs(text, stdout);
}

void say_bar(int done, int total) {
    int room = width - 2, filled = total > 0 ? room * done / total : 0;
    say(PLAIN, "[");
    for (int i = 0; i < room; i++)
        say(i < filled ? GREEN : DIM, "%c", i < filled ? '#' : '-');
    say(PLAIN, "]\n");
}

void say_ends(const char *left, const char *right) {
    const int free = width - (int)strlen(left) - (int)strlen(right);
    say(BOLD, "%s", left);
    say(PLAIN, "%*s%s\n", free > 0 ? free : 1, "", right);
}

static const char *to_say;

static void say_it(int number) {
    (void)number;
    if (write(STDERR_FILENO, to_say, strlen(to_say)) < 0)
        return;
}

void say_in_a_second(const char *words) {
    if (words) {
        to_say = words;
        signal(SIGALRM, say_it);
    }
    alarm(words ? 1 : 0);
}
