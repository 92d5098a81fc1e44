/* Draws the progress of a long computation. At a terminal one line is drawn again when a
   two-hundredth of the work is done; elsewhere a line is printed for each tenth of it. */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 30 };

bool progress_moves(void) {
    const char *plain = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(plain && *plain) && term && strcmp(term, "dumb") != 0;
}

void progress(int done, int all, const char *format, ...) {
    static int drawn = -1;
    bool bar = progress_moves();
    int parts = bar ? 200 : 10;
    int part = done * parts / all;
    if (done == 0)
        drawn = -1;
    if (part == drawn)
        return;
    drawn = part;

    char text[41], cells[WIDTH + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memset(cells, '-', WIDTH);
    memset(cells, '#', (size_t)(WIDTH * done / all));
    cells[WIDTH] = '\0';
    printf(bar ? "\r[%s]  %-40s" : "[%s]  %s", cells, text);
    if (!bar || done == all)
        putchar('\n');
    fflush(stdout);
}

void progress_more(int more, int all, const char *text) {
    static int done;
#ifdef _OPENMP
#pragma omp critical(progress)
#endif
    {
        done = done == all ? more : done + more;
        progress(done, all, "%s", text);
    }
}
