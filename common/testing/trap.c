/* Floating-point traps: the processor stops at the operation. Only glibc can turn them on. */
#define _GNU_SOURCE
#include "trap.h"

#include "stack.h"

#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#if defined(__GLIBC__) && defined(FE_DIVBYZERO) && defined(FE_OVERFLOW)

enum { TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW };

static sigjmp_buf back;
static const char *seen;

static void on_trap(int number, siginfo_t *info, void *context) {
    (void)number;
    fedisableexcept(TRAPS);
    seen = info->si_code == FPE_FLTDIV ? "zero" : info->si_code == FPE_FLTOVF ? "large" : "invalid";
    stack_print(stack_interrupted_at(context));
    siglongjmp(back, 1);
}

const char *trap_run(void (*run)(void)) {
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO}, before;
    sigemptyset(&action.sa_mask);
    sigaction(SIGFPE, &action, &before);
    seen = NULL;
    if (sigsetjmp(back, 1) == 0) {
        feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(TRAPS);
        run();
    }
    fedisableexcept(TRAPS);
    sigaction(SIGFPE, &before, NULL);
    return seen;
}

void trap_watch(void) {
    feclearexcept(TRAPS);
}

bool trap_seen(void) {
    return fetestexcept(TRAPS);
}

#else

const char *trap_run(void (*run)(void)) {
    (void)run;
    return NULL;
}

void trap_watch(void) {
}

bool trap_seen(void) {
    return true;
}

#endif
