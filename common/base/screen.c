/* Text at the terminal. All of it goes through say(), which adds colours if the terminal has them
   and counts the lines. Paragraphs are filled up to 80 columns. */
#include "base/screen.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool colourful;
static int lines; /* so far */

void screen_start(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"), *force = getenv("FORCE_COLOR");
    bool terminal = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
    colourful = (terminal || (force && *force)) && !(no && *no);
}

int screen_lines(void) {
    return lines;
}

void say(enum colour colour, const char *format, ...) {
    static const char *const codes[] = {"", "1", "2", "32", "31", "33"};
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    if (colourful && colour != PLAIN)
        printf("\033[%sm%s\033[0m", codes[colour], text);
    else
        fputs(text, stdout);
}

static void say_broken(enum colour colour, int indent, bool hanging, const char *text) {
    while (*text) {
        size_t room = (size_t)(WIDTH - indent), length = strlen(text);
        if (length > room) {
            length = room;
            while (length > 0 && text[length] != ' ')
                length--;
            if (length == 0)
                length = strcspn(text, " ");
        }
        say(colour, "%*s%.*s", hanging ? 0 : indent, "", (int)length, text);
        say(PLAIN, "\n");
        hanging = false;
        text += length;
        text += strspn(text, " ");
    }
}

void say_paragraph(enum colour colour, int indent, const char *text) {
    say_broken(colour, indent, false, text);
}

void say_hanging(enum colour colour, int indent, const char *text) {
    say_broken(colour, indent, true, text);
}

void say_bar(int done, int total) {
    int width = WIDTH - 2, filled = total > 0 ? width * done / total : 0;
    say(PLAIN, "[");
    for (int i = 0; i < width; i++)
        say(i < filled ? GREEN : DIM, "%c", i < filled ? '#' : '-');
    say(PLAIN, "]\n");
}

void say_ends(const char *left, const char *right) {
    say(BOLD, "%s", left);
    say(PLAIN, "%*s\n", WIDTH - (int)strlen(left), right);
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
