/* For the registers in a signal handler's context. */
#define _GNU_SOURCE
#define _XOPEN_SOURCE 700

#include "stack.h"

#include "sanitizer.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_BACKTRACE
#endif
#if __has_include(<ucontext.h>)
#include <ucontext.h>
#endif
#endif

const char *stack_interrupted_at(void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
    return (const char *)((ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return NULL;
#endif
}

#ifdef HAVE_BACKTRACE
/* A frame holds the address to return to, just behind its call; the interrupted one is exact. A
   loop may be the first thing in its function, so that one byte before is another function. */
static void print_frames(const char *exact) {
    void *frames[64];
    int count = backtrace(frames, 64);
#ifdef HAVE_SANITIZER
    char text[512];
    for (int i = 0; i < count; i++) {
        char *pc = (char *)frames[i] - (frames[i] != exact);
        __sanitizer_symbolize_pc(pc, "%F %L", text, sizeof text);
        fprintf(stderr, "    #%d %p %s\n", i, (void *)pc, text);
    }
#else
    (void)exact;
    backtrace_symbols_fd(frames, count, STDERR_FILENO);
#endif
}
#endif

void stack_print(const char *exact) {
#ifdef HAVE_BACKTRACE
    print_frames(exact);
#else
    (void)exact;
#ifdef HAVE_SANITIZER
    __sanitizer_print_stack_trace();
#endif
#endif
}

static void on_time_is_up(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    stack_print(stack_interrupted_at(context));
    _exit(STACK_TIME_IS_UP);
}

/* In each program that runs a learner's code, from before its main(). */
__attribute__((constructor)) static void listen_for_time(void) {
    struct sigaction action = {.sa_sigaction = on_time_is_up, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXCPU, &action, NULL);
    sigaction(SIGPROF, &action, NULL);
}
