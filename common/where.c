#include "where.h"

#include "matrix.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_BACKTRACE
#endif
#endif

/* The sanitizers' runtime, where the program is linked with it. */
__attribute__((weak)) void __sanitizer_print_stack_trace(void);
__attribute__((weak)) void *__asan_get_report_address(void);
__attribute__((weak)) int __asan_get_report_access_type(void);

/* Called by that runtime. */
void __asan_on_error(void);

static void (*say)(char kind, const char *format, ...);
static bool finished = true;

static void print_stack(void) {
    if (__sanitizer_print_stack_trace) {
        __sanitizer_print_stack_trace();
        return;
    }
#ifdef HAVE_BACKTRACE
    void *frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
#endif
}

static void on_time_is_up(int signal) {
    (void)signal;
    print_stack();
    _exit(124);
}

static void on_exit_called(void) {
    if (finished)
        return;
    fflush(stdout);
    say('@', "exit");
    print_stack();
}

/* "wrote past the end of `weights`: it is 2 x 3 here, and weights[2][0] was written" */
void __asan_on_error(void) {
    struct matrix_place place;
    if (finished || !__asan_get_report_address)
        return;
    if (!matrix_at(__asan_get_report_address(), &place))
        return;
    bool wrote = __asan_get_report_access_type && __asan_get_report_access_type() == 1;
    const char *verb = wrote ? "wrote" : "read";
    const char *done = wrote ? "written" : "read";
    const char *side = place.index < 0 ? "before the start of" : "past the end of";
    if (place.rows == 0) {
        say('@', "%s %s `%s`: it has %d element%s here, and %s[%ld] was %s", verb, side, place.name,
            place.cols, place.cols == 1 ? "" : "s", place.name, place.index, done);
        return;
    }
    long row = place.index / place.cols, col = place.index % place.cols;
    if (col < 0) {
        row--;
        col += place.cols;
    }
    say('@', "%s %s `%s`: it is %d x %d here, and %s[%ld][%ld] was %s", verb, side, place.name,
        place.rows, place.cols, place.name, row, col, done);
}

void where_start(void (*report)(char kind, const char *format, ...)) {
    say = report;
    finished = false;
    atexit(on_exit_called);
    struct sigaction action = {.sa_handler = on_time_is_up};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXCPU, &action, NULL);
}

void where_finish(void) {
    finished = true;
}
