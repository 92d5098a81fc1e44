/* Reads one line from the keyboard or a file and cleans it: tabs become spaces, and control
   characters become question marks. */
#include "typed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool is_typed(void) {
    return isatty(STDIN_FILENO);
}

static void trim(char *line) {
    size_t blank = strspn(line, " \t\r\n"), length = strlen(line);
    while (length > blank && strchr(" \t\r\n", line[length - 1]))
        length--;
    memmove(line, line + blank, length - blank);
    line[length - blank] = '\0';
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127) /* an arrow key, say */
            *c = *c == '\t' ? ' ' : '?';
}

bool typed_line(const char *prompt, int size, char line[size]) {
    if (is_typed())
        printf("%s", prompt);
    fflush(stdout);
    if (!fgets(line, size, stdin)) {
        if (is_typed())
            putchar('\n');
        return false;
    }
    if (!strchr(line, '\n'))
        for (int c = 0; c != '\n' && c != EOF;)
            c = getchar();
    trim(line);
    return true;
}
