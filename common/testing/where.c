/* Reports where a program ended early. exit(), fork() and the address sanitizer are intercepted;
   each prints the stack (stack.c), and the sanitizer's address is looked up among the named
   matrices. */
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
    _exit(123); /* any exit status */
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

/* "past wrote weights weights[2][0] 2 3": it wrote there, past the end of weights, which is 2 x 3.
 */
static void say_what_was_touched(void) {
    struct matrix_place place;
    void *address = __asan_get_report_address();
    const char *how = __asan_get_report_access_type() == 1 ? "wrote" : "read";
    char element[200], size[100] = "";
    if (is_nobodys(address)) {
        say('@', "own %s", how);
        return;
    }
    if (!matrix_at(address, &place))
        return;
    dims_place(element, sizeof element, place.name, place.dims, place.dims.rank, place.index);
    for (int k = 0; k < place.dims.rank; k++)
        snprintf(size + strlen(size), sizeof size - strlen(size), " %d", place.dims.size[k]);
    say('@', "%s %s %s %s%s", place.index < 0 ? "before" : "past", how, place.name, element, size);
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
