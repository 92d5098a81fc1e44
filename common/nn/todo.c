/* What TODO() does outside of a test: it prints where the missing function is, and ends the
   program. */
#include "todo.h"

#include <stdio.h>
#include <stdlib.h>

void (*todo_reached)(const char *file, int line, const char *function, const char *hint);

_Noreturn void todo(const char *file, int line, const char *function, const char *hint) {
    if (todo_reached)
        todo_reached(file, line, function, hint);
    fprintf(stderr, "%s:%d: %s() is not written yet: %s\n", file, line, function, hint);
    exit(3);
}
