#include "where.h"

#include "matrix.h"
#include "sanitizer.h"
#include "stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_SANITIZER
void __asan_on_error(void); /* called by it, when it has found something */
#endif

static void (*say)(char kind, const char *format, ...);
static bool finished = true;
bool where_at_once;

/* A lesson needs no processes: none is made, so that ten of them cannot make a thousand. */
static void on_fork(void) {
    if (finished)
        return;
    say('@', "fork");
    stack_print(NULL);
    _exit(125);
}

static void on_exit_called(void) {
    if (finished)
        return;
    fflush(stdout);
    say('@', "exit");
    stack_print(NULL);
    _exit(123); /* whatever status was asked for */
}

#ifdef HAVE_SANITIZER
/* Memory that the lesson's function took for itself has no name, and its neighbour's would mislead.
 */
static bool is_nobodys(void *address) {
    const char *error = __asan_get_report_description();
    char name[32];
    void *region = NULL;
    size_t size;
    void *caller;
    int thread;
    if (!error || strncmp(error, "heap-", 5) != 0)
        return false;  // the sanitizer knows less then, and asking it may hang
    if (__asan_get_alloc_stack(address, &caller, 1, &thread) == 0)
        return false;  // so far from all that was allocated, too
    __asan_locate_address(address, name, sizeof name, &region, &size);
    return !matrix_begins(region);
}

static void name_size(char *text, size_t size, struct dims dims) {
    if (dims.rank == 1) {
        snprintf(text, size, "has %d element%s", dims.size[0], dims.size[0] == 1 ? "" : "s");
        return;
    }
    snprintf(text, size, "is %d", dims.size[0]);
    for (int k = 1; k < dims.rank; k++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, " x %d", dims.size[k]);
    }
}

/* "wrote past the end of `weights`: it is 2 x 3 here, and weights[2][0] was written" */
static void say_what_was_touched(void) {
    struct matrix_place place;
    void *address = __asan_get_report_address();
    bool wrote = __asan_get_report_access_type() == 1;
    if (is_nobodys(address)) {
        say('@', "%s outside of the memory that it took for itself", wrote ? "wrote" : "read");
        return;
    }
    if (!matrix_at(address, &place))
        return;
    char element[200], size[100];
    dims_place(element, sizeof element, place.name, place.dims, place.dims.rank, place.index);
    name_size(size, sizeof size, place.dims);
    say('@', "%s %s `%s`: it %s here, and %s was %s", wrote ? "wrote" : "read",
        place.index < 0 ? "before the start of" : "past the end of", place.name, size, element,
        wrote ? "written" : "read");
}

void __asan_on_error(void) {
    if (!finished)
        say_what_was_touched();
    if (!finished && where_at_once)
        _exit(125);
}

#endif

void where_start(void (*report)(char kind, const char *format, ...)) {
    say = report;
    finished = false;
    atexit(on_exit_called);
}

void where_forbid_processes(void) {
    pthread_atfork(on_fork, NULL, NULL);
}

void where_finish(void) {
    finished = true;
}
