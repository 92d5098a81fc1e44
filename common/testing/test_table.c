/* The list of a program's tests, which is complete before main() runs, and main() itself. A
   constructor puts each test into the list (see TEST in lesson_test.h). Compilers and linkers
   call constructors in any order, so the list is sorted: by the file that was compiled, then by
   the position in it. */
#include "lesson_test.h"

#include <stdlib.h>
#include <string.h>

struct lesson_test *listed_tests;

static int compare_places(const void *a, const void *b) {
    const struct lesson_test *one = a, *other = b;
    int files = strcmp(one->unit, other->unit);
    return files ? files : one->place - other->place;
}

struct lesson_test *all_tests(int *count) {
    *count = 0;
    for (const struct lesson_test *test = listed_tests; test; test = test->next)
        *count += !test->laws;
    struct lesson_test *all = calloc((size_t)*count + 1, sizeof *all), *to = all;
    if (!all)
        abort();
    for (const struct lesson_test *test = listed_tests; test; test = test->next)
        if (!test->laws)
            *to++ = *test;
    qsort(all, (size_t)*count, sizeof *all, compare_places);
    return all;
}

int main(int argc, char **argv) {
    return run_tests(argc, argv);
}
