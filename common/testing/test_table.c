#include "lesson_test.h"

#include <stdlib.h>

/* Into `to`, if there is one. A table of another file has no count (-1), and an end. */
static int copy_tests(const struct lesson_test *tests, int count, struct lesson_test *to) {
    int copied = 0;
    for (int i = 0; count < 0 ? tests[i].name || tests[i].more : i < count; i++)
        if (tests[i].more)
            copied += copy_tests(tests[i].more, -1, to ? to + copied : NULL);
        else if (to)
            to[copied++] = tests[i];
        else
            copied++;
    return copied;
}

struct lesson_test *all_tests(const struct lesson_test *tests, int *count) {
    int copied = copy_tests(tests, *count, NULL);
    struct lesson_test *all = calloc((size_t)copied + 1, sizeof *all);
    if (!all)
        abort();
    *count = copy_tests(tests, *count, all);
    return all;
}
